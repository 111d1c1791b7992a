# What `each` returns is kept in the manifest, so that `finish` gets the results of all files.
$ mkdir in && cp tri.solid in/1.solid && cp tail.solid in/2.solid && cp cut.solid in/3.solid
$ printf 'return function(n) return n * 2 end' > double.lua
$ printf 'local double = require "double"\nreturn {\n  each = function(doc, ctx)\n    if ctx.path:find "1" then doc.vertices[1].x = 7 end\n    return { path = ctx.path, n = double(#doc.vertices) }\n  end,\n  finish = function(results)\n    for _, r in ipairs(results) do print(r.path, r.value and r.value.path, r.value and r.value.n) end\n  end,\n}\n' > sum.lua
$ lathe run sum.lua in -o out --resume
made the folder out
in/1.solid: changed -> out/1.solid
in/1.solid	in/1.solid	6
in/2.solid	in/2.solid	6
in/3.solid	nil	nil
lathe: in/3.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
1 changed, 1 unchanged, 1 failed
[exit 1]
$ lathe run sum.lua in -o out --resume
in/1.solid	in/1.solid	6
in/2.solid	in/2.solid	6
in/3.solid	nil	nil
lathe: in/3.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
0 changed, 0 unchanged, 2 already done, 1 failed
[exit 1]
$ cp tri.solid in/3.solid && lathe run sum.lua in -o out --resume -j 2
in/1.solid	in/1.solid	6
in/2.solid	in/2.solid	6
in/3.solid	in/3.solid	6
0 changed, 1 unchanged, 2 already done, 0 failed

# Another script, another module and other arguments are another job.
$ printf 'return function(n) return n * 3 end' > double.lua && lathe run sum.lua in -o out --resume --dry-run | tail -n 3
out/lathe-manifest.jsonl is of another job (the script has changed): all files are done again
1 would change, 2 unchanged, 0 failed
in/1.solid	in/1.solid	9
in/2.solid	in/2.solid	9
in/3.solid	in/3.solid	9
$ echo '-- done' >> sum.lua && lathe run sum.lua in -o out --resume --dry-run | tail -n 1
out/lathe-manifest.jsonl is of another job (the script has changed): all files are done again
1 would change, 2 unchanged, 0 failed
in/3.solid	in/3.solid	9
$ lathe run sum.lua in -o out --resume --dry-run -- 5 | tail -n 1
out/lathe-manifest.jsonl is of another job (argument 1 not given before, 5 now; the script has changed): all files are done again
1 would change, 2 unchanged, 0 failed
in/3.solid	in/3.solid	9

# A script cannot write the manifest, wherever it is.
$ printf 'return function(doc, ctx)\n  print(io.open(ctx.args[1], "a"))\n  print(doc:save(ctx.args[1]))\n  print(lathe.write(ctx.args[1], "x"))\nend\n' > cheat.lua
$ lathe run cheat.lua in/1.solid -o fresh --resume -- fresh/lathe-manifest.jsonl
made the folder fresh
nil	fresh/lathe-manifest.jsonl: scripts cannot write manifests
nil	fresh/lathe-manifest.jsonl: scripts cannot write manifests
nil	fresh/lathe-manifest.jsonl: scripts cannot write manifests
0 changed, 1 unchanged, 0 failed
$ lathe run cheat.lua in/1.solid -o other -- other/lathe-manifest.jsonl
nil	other/lathe-manifest.jsonl: scripts cannot write manifests
nil	other/lathe-manifest.jsonl: scripts cannot write manifests
nil	other/lathe-manifest.jsonl: scripts cannot write manifests
0 changed, 1 unchanged, 0 failed
$ lathe run cheat.lua in/1.solid --in-place --resume --manifest m.jsonl -- m.jsonl
m.jsonl is new: files that an earlier run without it has changed are changed again
nil	m.jsonl: the sandbox writes only below the folder given with -o
nil	m.jsonl: the sandbox writes only below the folder given with -o
nil	m.jsonl: the sandbox writes only below the folder given with -o
0 changed, 1 unchanged, 0 failed

# Another run of the same job at the same time: no file is changed twice, and each backup has the original.
$ rm -r in && mkdir in && for i in 1 2 3; do cp tri.solid in/$i.solid; done
$ printf 'return function(doc)\n  doc.vertices[1].x = doc.vertices[1].x + 5\n  local mark <close> = not io.open("mark") and io.open("mark", "w")\n  if mark then os.execute("lathe run nest.lua in --in-place --resume --manifest two --trusted 2>&1") end\nend\n' > nest.lua
$ lathe run nest.lua in --in-place --resume --manifest two --trusted -j 1
two is new: files that an earlier run without it has changed are changed again
in/1.solid: changed
in/2.solid: changed
in/3.solid: changed
3 changed, 0 unchanged, 0 failed
in/1.solid: changed
1 changed, 0 unchanged, 2 already done, 0 failed
$ for i in 1 2 3; do lathe get in/$i.solid 'vertices[1].x'; cmp in/$i.solid.bak tri.solid; done
5
5
5
