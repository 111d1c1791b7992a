$ lathe stock.nif tri.solid

# Changing, comparing, taking back.
lathe> changes()
nothing has changed
lathe> undo
nothing to undo
lathe> doc.bodies[1].friction = 0.9
lathe> changes
stock.nif: 2 differences
  blocks[5].system.objects[1].materials[1].dynamic_friction: 0.5 -> 0.8984375
  blocks[5].system.objects[1].materials[1].static_friction: 0.5 -> 0.8984375
lathe> undo
undone
lathe> undo
nothing to undo
lathe> redo
redone
lathe> redo
nothing to redo
lathe> docs[2].vertices[1].x = 5
lathe> docs[2].vertices[2].x = 6
lathe> docs[2].vertices[3].x = 7
lathe> changes()
stock.nif: 2 differences
  blocks[5].system.objects[1].materials[1].dynamic_friction: 0.5 -> 0.8984375
  blocks[5].system.objects[1].materials[1].static_friction: 0.5 -> 0.8984375
tri.solid: 3 differences
  vertices[1].x: 0 -> 5
  vertices[2].x: 1 -> 6
  vertices[3].x: 0 -> 7
lathe> changes(docs[2])
tri.solid: 3 differences
  vertices[1].x: 0 -> 5
  vertices[2].x: 1 -> 6
  vertices[3].x: 0 -> 7
lathe> undo(docs[2], 2)
undone 2 steps
lathe> undo(docs[2], 2)
undone 1 step; there were no more
lathe> redo(docs[2])
redone
lathe> undo(0)
error: undo takes a number of steps, from 1; not a number (0)
  in: undo(0)
lathe> undo "x"
error: a text ("x") is not a document
  in: undo "x"
lathe> undo()
undone
lathe> undo()
nothing to undo; docs[2] was changed, too: undo(docs[2])

# A loop is one step, unless it calls what an edit must not hold.
lathe> for _, v in ipairs(docs[2].vertices) do v.x = v.x + 5 end
lathe> undo(docs[2])
undone
lathe> docs[2].modified
true
lathe> for i, v in ipairs(docs[2].vertices) do v.y = 7 if i == 2 then error "two" end end
error: two
  in: for i, v in ipairs(docs[2].vertices) do v.y = 7 if i == 2 then error "two" end end
  y takes a number; ?v.y explains it
lathe> docs[2].vertices[1].y, docs[2].vertices[3].y
7.0
1.5
lathe> undo(docs[2])
undone
lathe> docs[2].modified
true
lathe> function put(v) v.z = 1 end
lathe> for i = 1, 2 do put(docs[2].vertices[i]) docs[2].vertices[i].x = 2 end
lathe> undo(docs[2], 9)
undone 5 steps; there were no more
lathe> docs[2].vertices[1].x = 5

# Saving.
lathe> save()
saved tri.solid (76 bytes); tri.solid.bak is what was there
lathe> save()
nothing to save: no document has changed
lathe> doc.bodies[1].friction = 0.25
lathe> save(docs[2])
nothing to save: no document has changed
lathe> save { backup = false }
saved stock.nif (52390 bytes)
lathe> docs[2].vertices[1].x = 8
lathe> save
saved tri.solid (76 bytes); tri.solid.bak stays as it was
lathe> save { keep = true }
error: save() writes each changed document to its own file; save(doc) that one; save("FILE") writes doc to another file; { backup = false } at the end keeps no backup
  in: save { keep = true }
lathe> save "other.nif"
saved other.nif (52390 bytes)
lathe> save "other.nif"
saved other.nif (52390 bytes); other.nif.bak is what was there
lathe> save(docs[2], "other.solid", { backup = false })
saved other.solid (76 bytes)
lathe> save "made/other.nif"
error: made/other.nif: cannot write: No such file or directory
  in: save "made/other.nif"
lathe> save(5)
error: save() writes each changed document to its own file; save(doc) that one; save("FILE") writes doc to another file; { backup = false } at the end keeps no backup
  in: save(5)
lathe> save("none/other.nif")
error: none/other.nif: cannot write: No such file or directory
  in: save("none/other.nif")
lathe> new = lathe.new "solid"
lathe> new.vertices:append { x = 1 }
vec3 vertices[1]
  x = 1
  y = 0
  z = 0
lathe> changes()
a new solid document: it has no file yet; save("FILE") writes doc to one
lathe> save()
a new solid document: not saved, as it has no file yet; save("FILE") writes doc to one

# Opening.
lathe> open "none.solid"
error: none.solid: cannot open: No such file or directory
  in: open "none.solid"
lathe> open "rig.fzx"
doc and docs[3] are rig.fzx (fzx, 192 bytes)
lathe> doc.object_count
3
lathe> docs
       path       format  game        size [bytes]  modified
  [1]  stock.nif  nif     Fallout 4          52390  false
  [2]  tri.solid  solid   Lugaru                76  false
  [3]  rig.fzx    fzx     Overgrowth           192  false
lathe> rig = open "rig.fzx"
doc and docs[4] are rig.fzx (fzx, 192 bytes)
lathe> rig.objects[1].label = "skull"
lathe> changes()
rig.fzx: 2 differences
  objects[1].label: "head sphere" -> "skull"
  footer.size: 185 -> 179
a new solid document: it has no file yet; save("FILE") writes doc to one
lathe> doc:close()
lathe> undo
error: document is closed
  in: undo
lathe> doc = nil
lathe> undo
error: no file is open: open "FILE" opens one
  in: undo
lathe> doc.bodies
error: no file is open: open "FILE" opens one
  in: doc.bodies

# A name of the prompt is a name like others.
lathe> changes = 5
lathe> changes
5
lathe> open, exit = 1, nil
lathe> open
1
