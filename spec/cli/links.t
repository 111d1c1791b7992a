# --in-place over a folder leaves links alone that lead out of it.
$ mkdir -p models other && cp tri.solid models/a.solid && cp tri.solid other/far.solid
$ ln -s ../other/far.solid models/out.solid && ln -s a.solid models/same.solid && ln -s ../tri.solid models/up.solid
$ lathe scale 2 models --in-place
models/a.solid: 3 changes
models/out.solid: skipped: a link to a file outside of the folder
models/up.solid: skipped: a link to a file outside of the folder
1 changed, 0 unchanged, 2 skipped, 0 failed
  2 skipped: a link to a file outside of the folder
$ cmp other/far.solid tri.solid && ls other
far.solid
$ ls models
a.solid
a.solid.bak
out.solid
same.solid
up.solid
$ lathe scale 2 models --in-place --json
{"file":"models/a.solid","ok":true,"written":"models/a.solid","report":{"changed":3,"skipped":[]}}
{"file":"models/out.solid","ok":true,"skipped":"a link to a file outside of the folder"}
{"file":"models/up.solid","ok":true,"skipped":"a link to a file outside of the folder"}
1 changed, 0 unchanged, 2 skipped, 0 failed
  2 skipped: a link to a file outside of the folder
$ lathe scale 2 models --in-place --dry-run
models/a.solid: would change (3 changes)
  vertices[2].x: 4 -> 8
  vertices[3].y: 6 -> 12
  vertices[3].z: 1 -> 2
models/out.solid: skipped: a link to a file outside of the folder
models/up.solid: skipped: a link to a file outside of the folder
1 would change, 0 unchanged, 2 skipped, 0 failed
  2 skipped: a link to a file outside of the folder
$ printf 'return function(doc)\n  doc.vertices[1].x = 9\nend\n' > nine.lua
$ lathe run nine.lua models --in-place
models/a.solid: changed
models/out.solid: skipped: a link to a file outside of the folder
models/up.solid: skipped: a link to a file outside of the folder
1 changed, 0 unchanged, 2 skipped, 0 failed
  2 skipped: a link to a file outside of the folder
$ cmp other/far.solid tri.solid

# A file that the command line names, itself or by its folder, is taken once.
$ lathe scale 2 models other --in-place
models/a.solid: 3 changes
models/out.solid: 3 changes
models/up.solid: skipped: a link to a file outside of the folder
2 changed, 0 unchanged, 1 skipped, 0 failed
  1 skipped: a link to a file outside of the folder
$ lathe scale 2 models/up.solid --in-place
models/up.solid: 3 changes

# Without --in-place they are read as any file.
$ lathe scale 2 models -o scaled
made the folder scaled
models/a.solid: 3 changes -> scaled/a.solid
models/out.solid: 3 changes -> scaled/out.solid
models/up.solid: 3 changes -> scaled/up.solid
3 changed, 0 unchanged, 0 failed
$ lathe check models
models/a.solid: ok
models/out.solid: ok
models/up.solid: ok
3 ok, 0 failed
