# A script that changes things: what it changes is written, the rest is not.
$ printf 'return function(doc)\n  for _, v in ipairs(doc.vertices) do\n    if v.y > 1 then v.y = 1 end\n  end\nend\n' > clamp.lua
$ mkdir many && cp tri.solid many/a.solid && cp cut.solid many/b.solid && cp tri.solid many/c.solid
$ lathe set tri.solid 'vertices[3].y=1' -o many/flat.solid
tri.solid: 1 change -> many/flat.solid
$ lathe run clamp.lua many -o out
made the folder out
many/a.solid: changed -> out/a.solid
many/c.solid: changed -> out/c.solid
lathe: many/b.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
2 changed, 1 unchanged, 1 failed
[exit 1]
$ ls out
a.solid
c.solid
$ lathe run clamp.lua many --dry-run
many/a.solid: would change (1 change)
  vertices[3].y: 1.5 -> 1
many/c.solid: would change (1 change)
  vertices[3].y: 1.5 -> 1
many/flat.solid: unchanged
lathe: many/b.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
2 would change, 1 unchanged, 1 failed
[exit 1]
$ lathe run clamp.lua many -o out --json
{"file":"many/a.solid","ok":true,"written":"out/a.solid"}
{"file":"many/b.solid","ok":false,"error":"many/b.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes","code":"bounds","where":"solid","offset":0}
{"file":"many/c.solid","ok":true,"written":"out/c.solid"}
{"file":"many/flat.solid","ok":true}
lathe: many/b.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
2 changed, 1 unchanged, 1 failed
[exit 1]
$ lathe run clamp.lua many --in-place
many/a.solid: changed
many/c.solid: changed
lathe: many/b.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
2 changed, 1 unchanged, 1 failed
[exit 1]
$ ls many
a.solid
a.solid.bak
b.solid
c.solid
c.solid.bak
flat.solid

# Without a place to write to, a changed file is a failure and an unchanged one is not.
$ lathe run clamp.lua tri.solid
lathe: tri.solid: changed, but nowhere to write: give -o OUT, --in-place or --dry-run
0 changed, 0 unchanged, 1 failed
[exit 1]
$ lathe run examples/weld_report.lua tri.solid
tri.solid: 0 of 3 vertices lie on another one
0 changed, 1 unchanged, 0 failed

# Arguments and messages.
$ lathe run examples/raise_model.lua tri.solid -n -- 10 z
tri.solid: would change (3 changes)
  vertices[1].z: 0 -> 10
  vertices[2].z: 0 -> 10
  vertices[3].z: 0.25 -> 10.25
1 would change, 0 unchanged, 0 failed
$ lathe run examples/raise_model.lua tri.solid -n
lathe run: examples/raise_model.lua:10: DISTANCE: a number expected behind --
[exit 2]
$ lathe run examples/list_labels.lua rig.fzx
rig.fzx
  1  head, sphere
  2  thigh l, capsule
  3  chest, box, mirrored
0 changed, 1 unchanged, 0 failed
$ lathe run examples/mirror_volumes.lua rig.fzx -o twins.fzx
rig.fzx: mirrored: 1
rig.fzx: changed -> twins.fzx
1 changed, 0 unchanged, 0 failed
$ lathe run examples/list_labels.lua twins.fzx
twins.fzx
  1  head, sphere
  2  thigh l, capsule
  3  chest, box, mirrored
  4  thigh r, capsule
0 changed, 1 unchanged, 0 failed
$ lathe run examples/mirror_volumes.lua twins.fzx
0 changed, 1 unchanged, 0 failed
$ lathe run examples/flip_v.lua tri.solid -n
tri.solid: would change (3 changes)
  triangles[1].gy[1]: 0 -> 1
  triangles[1].gy[2]: 0 -> 1
  triangles[1].gy[3]: 1 -> 0
1 would change, 0 unchanged, 0 failed

# Errors name the script's line, and the others go on.
$ printf 'return function(doc, ctx)\n  if ctx.path:match "tri" then\n    doc.vertices[1].q = 1\n  end\nend\n' > wrong.lua
$ lathe run wrong.lua tri.solid tail.solid
lathe: tri.solid: wrong.lua:3: no field 'q' in vec3
0 changed, 1 unchanged, 1 failed
[exit 1]
$ printf 'return function(doc, ctx)\n  local found = doc.nothing\n  return found.x\nend\n' > global.lua
$ lathe run global.lua tri.solid
lathe: tri.solid: global.lua:2: no field 'nothing' in solid
0 changed, 0 unchanged, 1 failed
[exit 1]
$ printf 'return function(doc)\n  for _, e in ipairs(nil) do print(e) end\nend\n' > loop.lua
$ lathe run loop.lua tri.solid
lathe: tri.solid: loop.lua:2: attempt to index a nil value
0 changed, 0 unchanged, 1 failed
[exit 1]
$ lathe run --trusted loop.lua tri.solid
lathe: tri.solid: loop.lua:2: attempt to index a nil value
0 changed, 0 unchanged, 1 failed
[exit 1]
$ printf 'local function inner(t)\n  table.sort(t, function(a, b)\n    error("first\\nsecond", 0)\n  end)\nend\nreturn function()\n  inner { 1, 2 }\nend\n' > deep.lua
$ lathe run deep.lua tri.solid
lathe: tri.solid: deep.lua:3: first; second
0 changed, 0 unchanged, 1 failed
[exit 1]
$ printf 'return function()\n  return tostring()\nend\n' > tail.lua
$ lathe run tail.lua tri.solid
lathe: tri.solid: tail.lua:2: bad argument #1 to 'tostring' (value expected)
0 changed, 0 unchanged, 1 failed
[exit 1]
$ mkdir -p a/rather/long/path/to/a/folder/that/nobody/would/want/to/type
$ cp loop.lua tail.lua a/rather/long/path/to/a/folder/that/nobody/would/want/to/type/
$ printf 'return function(doc)\n  doc.missing.x = 1\nend\n' > a/rather/long/path/to/a/folder/that/nobody/would/want/to/type/own.lua
$ for f in a/rather/long/path/to/a/folder/that/nobody/would/want/to/type/*.lua; do lathe run $f tri.solid; done
lathe: tri.solid: a/rather/long/path/to/a/folder/that/nobody/would/want/to/type/loop.lua:2: attempt to index a nil value
0 changed, 0 unchanged, 1 failed
lathe: tri.solid: a/rather/long/path/to/a/folder/that/nobody/would/want/to/type/own.lua:2: no field 'missing' in solid
0 changed, 0 unchanged, 1 failed
lathe: tri.solid: a/rather/long/path/to/a/folder/that/nobody/would/want/to/type/tail.lua:2: bad argument #1 to 'tostring' (value expected)
0 changed, 0 unchanged, 1 failed
[exit 1]
$ printf 'return load("x = ")\n' > part.lua
$ printf 'local part = require "part"\nreturn function()\n  assert(part, "no part")\n  assert(load "return nil + 1")()\nend\n' > loads.lua
$ lathe run loads.lua tri.solid
lathe: tri.solid: loads.lua:4: [string "return nil + 1"]:1: attempt to perform arithmetic on a nil value
0 changed, 0 unchanged, 1 failed
[exit 1]
$ printf 'local part = require "bad"\nreturn part\n' > needs.lua && printf 'local t = {}\nreturn #t.x.y\n' > bad.lua
$ lathe run needs.lua tri.solid
lathe run: bad.lua:2: attempt to index a nil value (field 'x')
[exit 2]

# The module is there under its name, as at the prompt.
$ printf 'return function(doc)\n  print(lathe.type(doc), lathe == require "lathe")\nend\n' > named.lua
$ lathe run named.lua tri.solid
solid	true
0 changed, 1 unchanged, 0 failed
$ lathe run --trusted named.lua tri.solid
solid	true
0 changed, 1 unchanged, 0 failed
$ printf 'return function(doc)\n  doc.triangles[1].a = 70000\nend\n' > range.lua
$ lathe run range.lua tri.solid -n
lathe: tri.solid: triangles[1].a at 0x28: 70000 is not in -32768 .. 32767 (range.lua:2)
0 would change, 0 unchanged, 1 failed
[exit 1]
$ printf 'return function(\n' > syntax.lua
$ lathe run syntax.lua tri.solid
lathe run: syntax.lua:2: <name> or '...' expected near <eof>
[exit 2]
$ printf 'return 5\n' > five.lua
$ lathe run five.lua tri.solid
lathe run: five.lua: the script must return function(doc, ctx) or { each = function, finish = function }, not a number
[exit 2]
$ lathe run missing.lua tri.solid
lathe run: missing.lua: No such file or directory
[exit 2]

# The sandbox, and the way out of it.
$ printf 'return function()\n  os.execute "echo got out"\nend\n' > evil.lua
$ lathe run evil.lua tri.solid
lathe: tri.solid: evil.lua:2: os.execute is not allowed in the sandbox: see --trusted
0 changed, 0 unchanged, 1 failed
[exit 1]
$ for call in 'io.popen "ls"' 'os.remove "tri.solid"' 'package.loadlib("x", "y")' 'debug.getinfo(1)' 'dofile "x"' '("x"):dump()' 'assert(load "\\27Lua")' 'io.stderr:write "x"'; do printf "return function()\\n  $call\\nend\\n" > taken.lua; lathe run taken.lua tri.solid 2>&1 | head -n 1; done
lathe: tri.solid: taken.lua:2: io.popen is not allowed in the sandbox: see --trusted
lathe: tri.solid: taken.lua:2: os.remove is not allowed in the sandbox: see --trusted
lathe: tri.solid: taken.lua:2: package.loadlib is not allowed in the sandbox: see --trusted
lathe: tri.solid: taken.lua:2: debug.getinfo is not allowed in the sandbox: see --trusted
lathe: tri.solid: taken.lua:2: dofile is not allowed in the sandbox: see --trusted
lathe: tri.solid: taken.lua:2: string.dump is not allowed in the sandbox: see --trusted
lathe: tri.solid: taken.lua:2: bytecode is not allowed in the sandbox: see --trusted
lathe: tri.solid: taken.lua:2: attempt to index a nil value (field 'stderr')
$ lathe run --trusted evil.lua tri.solid
got out
0 changed, 1 unchanged, 0 failed
$ printf 'return function(doc)\n  assert(doc:save "elsewhere.solid")\nend\n' > save.lua
$ lathe run save.lua tri.solid
lathe: tri.solid: elsewhere.solid: the sandbox writes only below the folder given with -o (save.lua:2)
0 changed, 0 unchanged, 1 failed
[exit 1]
$ lathe run save.lua tri.solid -o out
lathe: tri.solid: elsewhere.solid: the sandbox writes only below out (save.lua:2)
0 changed, 0 unchanged, 1 failed
[exit 1]
$ lathe run --trusted save.lua tri.solid && cmp elsewhere.solid tri.solid
0 changed, 1 unchanged, 0 failed
$ printf 'return function(doc, ctx)\n  local f = assert(io.open(ctx.output .. "/notes/" .. ctx.args[1], "w"))\n  f:write(#doc.vertices, "\\n")\n  f:close()\nend\n' > notes.lua
$ lathe run notes.lua tri.solid -o out -- tri.txt
0 changed, 1 unchanged, 0 failed
$ cat out/notes/tri.txt
3

# The folder given with -o is made when a script saves there itself.
$ printf 'return function(doc, ctx)\n  assert(doc:save(ctx.output .. "/deep/x.solid"))\nend\n' > copy.lua
$ lathe run copy.lua tri.solid -o fresh && cmp fresh/deep/x.solid tri.solid
made the folder fresh
0 changed, 1 unchanged, 0 failed
$ printf 'return function(doc, ctx)\n  assert(doc:save(ctx.output .. "/x.solid"))\nend\n' > copy.lua
$ lathe run copy.lua tri.solid --trusted -o fresh2 && cmp fresh2/x.solid tri.solid
made the folder fresh2
0 changed, 1 unchanged, 0 failed
$ lathe run named.lua tri.solid -o fresh3; ls fresh3
solid	true
0 changed, 1 unchanged, 0 failed
ls: cannot access 'fresh3': No such file or directory
[exit 2]
