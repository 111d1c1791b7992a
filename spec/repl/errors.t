$ lathe stock.nif wave.hkx tri.solid

# What is not there.
lathe> dco
nil
  there is no 'dco'; did you mean 'doc'?
lathe> dco.bodies
error: there is no 'dco'; did you mean 'doc'?
  in: dco.bodies
lathe> local t; t.x = 1
error: t is nil
  in: local t; t.x = 1
lathe> doc.bodies[0]
nil
  doc.bodies has 1 element: there is no doc.bodies[0]; the first is [1]
lathe> open tri.solid
error: syntax error near 'tri'
  in: open tri.solid
  a path takes quotes: open "tri.solid"
lathe> save copy.nif
error: syntax error near 'copy'
  in: save copy.nif
  a path takes quotes: save "copy.nif"
lathe> doc.x.y
error: doc.x: no field 'x' in nif
  in: doc.x.y
lathe> doc.bodies[99].friction = 1
error: doc.bodies has 1 element: there is no doc.bodies[99]
  in: doc.bodies[99].friction = 1
lathe> docs[2].skeletons[1].bones
error: docs[2].skeletons has no elements: there is no docs[2].skeletons[1]
  in: docs[2].skeletons[1].bones
lathe> doc.body
error: doc.body: no field 'body' in nif; did you mean 'bodies'?
  in: doc.body
lathe> docs[4].bodies
error: docs has 3 elements: there is no docs[4]
  in: docs[4].bodies
lathe> lathe.opn("tri.solid")
error: lathe.opn is nil; did you mean 'open'?
  in: lathe.opn("tri.solid")
lathe> lathe.tree.dmp(doc)
error: lathe.tree.dmp is nil; did you mean 'dump'?
  in: lathe.tree.dmp(doc)
lathe> doc.bodies[1].fricton
error: doc.bodies[1].fricton: no field 'fricton' in hk_body; did you mean 'friction'?
  in: doc.bodies[1].fricton
lathe> doc:scle(2)
error: no field 'scle' in nif; did you mean 'scale'?
  in: doc:scle(2)
lathe> for _, b in ipairs(doc.bodies) do print(b.mas) end
error: b.mas: no field 'mas' in hk_body; did you mean 'mass'?
  in: for _, b in ipairs(doc.bodies) do print(b.mas) end

# What has another type.
lathe> doc.format()
error: doc.format is a text ("nif"), not a function
  in: doc.format()
lathe> doc.bodies[1].friction.x
error: doc.bodies[1].friction is a number (0.5): it has no fields
  in: doc.bodies[1].friction.x
lathe> doc.bodies[1].name < 3
error: doc.bodies[1].name is a text ("Stock"), and 3 is a number: these cannot be compared
  in: doc.bodies[1].name < 3
  tonumber(x) makes a number of a text
lathe> 3 >= doc.bodies[1].name
error: 3 is a number, and doc.bodies[1].name is a text ("Stock"): these cannot be compared
  in: 3 >= doc.bodies[1].name
  tonumber(x) makes a number of a text
lathe> for _, b in ipairs(doc.bodies) do
    ..   local friction = b.friction
    ..   if b.name < friction then print(b) end
    .. end
error: line 3: b.name is a text ("Stock"), and friction is a number (0.5): these cannot be compared
  in: if b.name < friction then print(b) end
  tonumber(x) makes a number of a text
lathe> doc.bodies[1].name * 2
error: doc.bodies[1].name is a text ("Stock")
  in: doc.bodies[1].name * 2
lathe> n = doc.path .. missing
error: there is no 'missing'
  in: n = doc.path .. missing
lathe> local t = { 1 } return t.x.y
error: t.x is nil
  in: local t = { 1 } return t.x.y

# What a field does not take.
lathe> doc.bodies[1].friction = "high"
error: blocks[5].system.objects[1].body_cinfos[1].body.friction: a number expected (hknpPhysicsSystemData)
  in: doc.bodies[1].friction = "high"
  friction takes a number, not a text ("high"); ?doc.bodies[1].friction explains it
lathe> doc.bodies[1].mass = -1
error: stock.nif: blocks[5].system.objects[1].body_cinfos[1].body.mass at 0xc9a8: -1 is outside of 1e-30 .. 1e+30 (hknpPhysicsSystemData)
  in: doc.bodies[1].mass = -1
  mass takes a number [kg]; ?doc.bodies[1].mass explains it
lathe> doc.bodies[1].layer = "cluter"
error: stock.nif: blocks[5].system.objects[1].body_cinfos[1].layer at 0xc9a8: no layer is called 'cluter'; did you mean 'clutter'? (hknpPhysicsSystemData)
  in: doc.bodies[1].layer = "cluter"
  layer takes one of unidentified, static, animstatic, transparent, clutter, weapon, projectile, spell … (45 in all), not a text ("cluter"); ?doc.bodies[1].layer explains it
lathe> doc.blocks[1].flags = -1
error: stock.nif: blocks[1].flags at 0x148: -1 is not in 0 .. 4294967295 (BSFadeNode)
  in: doc.blocks[1].flags = -1
  flags takes an integer; ?doc.blocks[1].flags explains it
lathe> docs[3].vertices[1].x = doc.path
error: vertices[1].x: f32 expected, got a string
  in: docs[3].vertices[1].x = doc.path
  x takes a number, not a text ("stock.nif"); ?docs[3].vertices[1].x explains it
lathe> docs[3].triangles[1].a = 70000
error: tri.solid: triangles[1].a at 0x28: 70000 is not in -32768 .. 32767
  in: docs[3].triangles[1].a = 70000
  a takes an integer; ?docs[3].triangles[1].a explains it

# Other errors.
lathe> )
error: unexpected symbol near ')'
  in: )
lathe> error "mine"
error: mine
  in: error "mine"
lathe> error { message = "a table" }
error: a table
  in: error { message = "a table" }
lathe> lathe.open "none.solid"
error: none.solid: cannot open: No such file or directory
  in: lathe.open "none.solid"
lathe> doc:scale()
error: scale needs 'factor': a number or a list of three
  in: doc:scale()
lathe> doc:scale(2, { wat = 1 })
error: no option 'wat' of scale; did you mean 'what'?
  in: doc:scale(2, { wat = 1 })
lathe> dump()
error: dump takes what to print: dump(doc)
  in: dump()
lathe> open(3)
error: open takes the path of a file: open "FILE"
  in: open(3)
lathe> (function() error(nil) end)()
error: nil
  in: (function() error(nil) end)()
