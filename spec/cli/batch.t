# Files that a command works on at a time.
$ mkdir in && cp tri.solid in/a.solid && cp tail.solid in/b.solid && cp cut.solid in/c.solid && cp rig.fzx in/d.fzx
$ lathe check in -j 0
lathe check: -j takes a number of files from 1 to 64, not '0'
[exit 2]
$ lathe check in -j x
lathe check: -j takes a number of files from 1 to 64, not 'x'
[exit 2]
$ lathe check in -j 65
lathe check: -j takes a number of files from 1 to 64, not '65'
[exit 2]
$ lathe check in -j 2
in/a.solid: ok
in/b.solid: ok, 1 warning
  warning: trailing at 0x4c: 2 trailing bytes, which the game ignores
in/d.fzx: ok, 1 warning
  warning: objects[3].label at 0x82: M on the central part chest: the game flips the volume in place and fails
lathe: in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
3 ok, 1 failed
[exit 1]
$ lathe --worker 1 check in </dev/null
lathe: --worker is for lathe itself
[exit 2]

# Only failures, and what scripts print.
$ lathe scale 2 in -o out -q
lathe: in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
[exit 1]
$ lathe scale 2 in -o out -q --json
{"file":"in/c.solid","ok":false,"error":"in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes","code":"bounds","where":"solid","offset":0}
lathe: in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
[exit 1]
$ lathe set tri.solid 'triangles[1].b=7' -o in/f.solid && lathe check in -q; rm in/f.solid
tri.solid: 1 change -> in/f.solid
in/f.solid: 1 error, 1 warning
  error: triangles[1].b at 0x2c: vertex index 7 of 3
  warning: triangles[1] at 0x28: fillers (1, 2, 0) instead of (7, 2, 0)
lathe: in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
$ lathe info in/a.solid in/b.solid -q
$ lathe info in/a.solid in/b.solid in/none -q
lathe: in/none: cannot open: No such file or directory
[exit 1]
$ printf 'return function(doc, ctx)\n  print(ctx.path)\n  ctx.log "not shown"\n  doc.vertices[1].x = 3\nend\n' > print.lua
$ lathe run print.lua in/a.solid in/b.solid -o new -q
in/a.solid
in/b.solid
$ lathe run print.lua in/a.solid -n -q
in/a.solid

# Why files were skipped, with the number of files.
$ cp rig.fzx in/e.fzx && lathe export in -o out --to glb
in/a.solid: 1 mesh, 1 triangle -> out/a.glb
in/b.solid: 1 mesh, 1 triangle -> out/b.glb
in/d.fzx: 3 meshes, 492 triangles -> out/d.glb
in/e.fzx: 3 meshes, 492 triangles -> out/e.glb
lathe: in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
4 exported, 0 skipped, 1 failed
[exit 1]
$ lathe retarget --to waves.hkx in clip.hkx -o out
in/a.solid: skipped: solid files have no retarget
in/b.solid: skipped: solid files have no retarget
in/d.fzx: skipped: fzx files have no retarget
in/e.fzx: skipped: fzx files have no retarget
lathe: in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
lathe: clip.hkx: no bone that the clip moves is in the other skeleton
0 changed, 0 unchanged, 4 skipped, 2 failed
  2 skipped: solid files have no retarget
  2 skipped: fzx files have no retarget
[exit 1]

# Each file gets a script of its own.
$ printf 'print "loaded"\nlocal n = 0\nreturn function(doc, ctx)\n  n, m = n + 1, (m or 0) + 1\n  print(ctx.path, n, m)\nend\n' > own.lua
$ lathe run own.lua in/a.solid in/b.solid
loaded
in/a.solid	1	1
loaded
in/b.solid	1	1
0 changed, 2 unchanged, 0 failed
$ printf 'print "before"\nerror "stop"\n' > wrong.lua
$ lathe run wrong.lua in/a.solid
before
lathe run: wrong.lua:2: stop
[exit 2]

# Totals: each file gives a value, and finish gets all of them.
$ printf 'return {\n  each = function(doc, ctx)\n    return { vertices = #doc.vertices }\n  end,\n  finish = function(results, ctx)\n    local n = 0\n    for _, file in ipairs(results) do\n      print(file.path, file.value and file.value.vertices, file.error, file.skipped)\n      n = n + (file.value and file.value.vertices or 0)\n    end\n    print("total", n, ctx.args[1])\n    ctx.log "done"\n    if ctx.output then\n      local f <close> = assert(io.open(ctx.output .. "/total.txt", "w"))\n      f:write(n, "\\n")\n    end\n  end,\n}\n' > total.lua
$ lathe run total.lua in -- word
in/a.solid	3	nil	nil
in/b.solid	3	nil	nil
in/c.solid	nil	in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes	nil
in/d.fzx	nil	in/d.fzx: total.lua:3: no field 'vertices' in fzx	nil
in/e.fzx	nil	in/e.fzx: total.lua:3: no field 'vertices' in fzx	nil
total	6	word
total.lua: done
lathe: in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
lathe: in/d.fzx: total.lua:3: no field 'vertices' in fzx
lathe: in/e.fzx: total.lua:3: no field 'vertices' in fzx
0 changed, 2 unchanged, 3 failed
[exit 1]
$ lathe run total.lua in/a.solid in/b.solid -o sums -n
in/a.solid: unchanged
in/b.solid: unchanged
in/a.solid	3	nil	nil
in/b.solid	3	nil	nil
total	6	nil
total.lua: done
sums/total.txt: would write 2 bytes
0 would change, 2 unchanged, 0 failed
$ lathe run total.lua in/a.solid in/b.solid -o sums --json
{"file":"in/a.solid","ok":true}
{"file":"in/b.solid","ok":true}
in/a.solid	3	nil	nil
in/b.solid	3	nil	nil
total	6	nil
made the folder sums
{"file":"total.lua","ok":true,"finish":true,"log":["done"]}
0 changed, 2 unchanged, 0 failed
$ cat sums/total.txt
6
$ lathe run total.lua in/a.solid -o sums/one.solid
in/a.solid: unchanged -> sums/one.solid
in/a.solid	3	nil	nil
total	3	nil
total.lua: done
0 changed, 1 unchanged, 0 failed

# What finish can't get, and its own failures.
$ printf 'return {\n  each = function(doc, ctx)\n    if ctx.path:find "a" then return { { print } } end\n    doc.vertices[1].x = 2\n    return 1 // 1\n  end,\n  finish = function(results)\n    print(results[1].error, results[2].value)\n    error { message = "not today" }\n  end,\n}\n' > odd.lua
$ lathe run odd.lua in/a.solid in/b.solid -n
in/b.solid: would change (1 change)
  vertices[1].x: 0 -> 2
in/a.solid: `each` returned a function: `finish` gets nil, booleans, numbers, strings and tables of these	1
lathe: in/a.solid: `each` returned a function: `finish` gets nil, booleans, numbers, strings and tables of these
lathe: odd.lua:9: not today
1 would change, 0 unchanged, 2 failed
[exit 1]
$ lathe run odd.lua in/a.solid in/b.solid -n --json
{"file":"in/a.solid","ok":false,"error":"in/a.solid: `each` returned a function: `finish` gets nil, booleans, numbers, strings and tables of these"}
{"file":"in/b.solid","ok":true,"changes":[{"path":"vertices[1].x","old":0,"new":2}]}
in/a.solid: `each` returned a function: `finish` gets nil, booleans, numbers, strings and tables of these	1
{"file":"odd.lua","ok":false,"error":"odd.lua:9: not today","finish":true}
lathe: in/a.solid: `each` returned a function: `finish` gets nil, booleans, numbers, strings and tables of these
lathe: odd.lua:9: not today
1 would change, 0 unchanged, 2 failed
[exit 1]
$ for v in 'setmetatable({}, {})' doc 'coroutine.create(print)' '(function() local t = {} t[1] = t return t end)()' '{ [{}] = 1 }' '("x"):rep(1 << 25)'; do printf 'return { each = function(doc) return %s end, finish = function() end }\n' "$v" > v.lua; lathe run v.lua in/a.solid -q; done
lathe: in/a.solid: `each` returned a table with a metatable: `finish` gets nil, booleans, numbers, strings and tables of these
lathe: in/a.solid: `each` returned a userdata: `finish` gets nil, booleans, numbers, strings and tables of these
lathe: in/a.solid: `each` returned a thread: `finish` gets nil, booleans, numbers, strings and tables of these
lathe: in/a.solid: `each` returned tables in tables, more than 100 levels: `finish` gets nil, booleans, numbers, strings and tables of these
lathe: in/a.solid: `each` returned a table as a key: `finish` gets nil, booleans, numbers, strings and tables of these
lathe: in/a.solid: `each` returned more than 16777216 bytes: `finish` gets nil, booleans, numbers, strings and tables of these
[exit 1]
$ for v in '{}' '{ finish = print }' '{ each = 1 }' '{ each = print, last = print }' '{ print }' nil '"text"'; do echo "return $v" > v.lua; lathe run v.lua in/a.solid; done
lathe run: v.lua: the script must return function(doc, ctx) or { each = function, finish = function }, not a table without 'each'
lathe run: v.lua: the script must return function(doc, ctx) or { each = function, finish = function }, not a table without 'each'
lathe run: v.lua: the script must return function(doc, ctx) or { each = function, finish = function }, not a table whose 'each' is a number
lathe run: v.lua: the script must return function(doc, ctx) or { each = function, finish = function }, not a table with 'last'
lathe run: v.lua: the script must return function(doc, ctx) or { each = function, finish = function }, not a list
lathe run: v.lua: the script must return function(doc, ctx) or { each = function, finish = function }, not nothing
lathe run: v.lua: the script must return function(doc, ctx) or { each = function, finish = function }, not a string
[exit 2]
$ printf 'return { each = print, finish = function() while true do end end }' > loop.lua
$ lathe run loop.lua in/a.solid --max-seconds 0.2 -q >/dev/null
lathe: loop.lua:1: the script ran for more than 0.2 s; --max-seconds N allows more
[exit 1]
$ printf 'return { each = function() end, finish = function() local t = {} while true do t[#t + 1] = {} end end }' > hog.lua
$ lathe run hog.lua in/a.solid --max-memory 8M -q
lathe: hog.lua:1: the script wants more than 8M of memory; --max-memory SIZE allows more
[exit 1]
$ printf 'return { each = function() end, finish = function(r, ctx) print(pcall(os.execute, "true")) print(io.open("in/a.solid", "w")) print(io.open("escaped", "w")) end }' > out.lua
$ lathe run out.lua in/a.solid
false	os.execute is not allowed in the sandbox: see --trusted
nil	in/a.solid: the sandbox writes only below the folder given with -o
nil	escaped: the sandbox writes only below the folder given with -o
0 changed, 1 unchanged, 0 failed

# Results that can't be written.
$ lathe info in/a.solid >/dev/full
lathe: stdout: No space left on device
[exit 1]
$ lathe scale 2 in/a.solid -o full.solid >/dev/full; cmp full.solid out/a.solid
lathe: stdout: No space left on device
$ lathe scale 2 in -o in
lathe: in/a.solid: would overwrite the input in/a.solid: use --in-place
lathe: in/b.solid: would overwrite the input in/b.solid: use --in-place
lathe: in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
lathe: in/d.fzx: would overwrite the input in/d.fzx: use --in-place
lathe: in/e.fzx: would overwrite the input in/e.fzx: use --in-place
0 changed, 0 unchanged, 5 failed
[exit 1]
$ lathe scale 2 in -o in -n
lathe: in/a.solid: would overwrite the input in/a.solid: use --in-place
lathe: in/b.solid: would overwrite the input in/b.solid: use --in-place
lathe: in/c.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
lathe: in/d.fzx: would overwrite the input in/d.fzx: use --in-place
lathe: in/e.fzx: would overwrite the input in/e.fzx: use --in-place
0 would change, 0 unchanged, 5 failed
[exit 1]
$ mkdir two && cp floor.nif floor.hkx two && lathe export two -o three --to obj --what collision
made the folder three
two/floor.hkx: 2 meshes, 19 triangles -> three/floor.obj
lathe: two/floor.nif: would overwrite three/floor.obj, made of two/floor.hkx
1 exported, 0 skipped, 1 failed
[exit 1]
$ lathe export two -o three --to obj --what collision -n
two/floor.hkx: 2 meshes, 19 triangles -> three/floor.obj
lathe: two/floor.nif: would overwrite three/floor.obj, made of two/floor.hkx
1 would export, 0 skipped, 1 failed
[exit 1]
