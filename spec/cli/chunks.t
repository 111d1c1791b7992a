# Lua on files, as at the prompt: results are printed, and several chunks share their variables.
$ lathe -e 'doc.vertices[2].x' -e 'n = #doc.vertices' -e 'n, docs[2].format' tri.solid rig.fzx
1.0
3
"fzx"
$ lathe tri.solid -e 'doc.vertices'
vec3[3] vertices  (model units)
       x    y     z
  [1]  0    0     0
  [2]  1    0     0
  [3]  0  1.5  0.25
$ lathe -e '1 + 1'
2

# An error ends it; results go to stdout, errors to stderr.
$ lathe -e 'doc.vertices[9].x' -e 'print "not run"' tri.solid
error: doc.vertices has 3 elements: there is no doc.vertices[9]
  in: doc.vertices[9].x
[exit 1]
$ lathe -e 'for i = 1, 2 do' tri.solid 2>/dev/null
[exit 1]
$ lathe -e 'exit()' -e 'print "not run"' tri.solid
$ lathe -e 'print "not run"' tri.solid none.solid
lathe: none.solid: cannot open: No such file or directory
[exit 1]
$ lathe -e
lathe: option '-e' requires an argument
[exit 2]
$ lathe -e 'lathe.open "none.solid"'
error: none.solid: cannot open: No such file or directory
  in: lathe.open "none.solid"
[exit 1]

# What was changed is written by save(), and pointed out without.
$ lathe -e 'doc.vertices[1].x = 3' tri.solid
lathe: tri.solid: changed and not saved: save() saves
$ lathe -e 'doc.vertices[1].x = 3 changes() save()' tri.solid
tri.solid: 1 difference
  vertices[1].x: 0 -> 3
saved tri.solid (76 bytes); tri.solid.bak is what was there
$ lathe get tri.solid 'vertices[1].x'; lathe get tri.solid.bak 'vertices[1].x'
3
0

# A pager is for terminals.
$ PAGER=false LATHE_PAGER=false lathe -e 'dump(doc)' tri.solid | head -n 2
0x000000  vertex_count    3
0x000002  triangle_count  1
