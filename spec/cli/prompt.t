# A script, then a prompt with its documents and global variables. Nothing is written until save().
$ printf 'factor, calls = 0.5, 0\nfunction double(x) return factor * 2 * x end\nreturn { each = function(doc, ctx)\n  calls = calls + 1\n  if doc.format == "fzx" then doc.objects[1].label = "x" error "no ragdolls" end\n  for _, v in ipairs(doc.vertices) do v.x = v.x + tonumber(ctx.args[1]) end\nend, finish = function(results) done = #results end }\n' > thin.lua
$ printf 'calls, done, factor\nfactor = 4\ndouble(1)\nchanges()\nundo\ndoc.vertices[1].x\nredo\nsave()\nexit\n' | lathe run thin.lua tri.solid tail.solid --prompt -- 3
2
2
0.5
8
tri.solid: 3 differences
  vertices[1].x: 0 -> 3
  vertices[2].x: 1 -> 4
  vertices[3].x: 0 -> 3
tail.solid: 3 differences
  vertices[1].x: 0 -> 3
  vertices[2].x: 1 -> 4
  vertices[3].x: 0 -> 3
undone
0.0
redone
saved tri.solid (76 bytes); tri.solid.bak is what was there
saved tail.solid (78 bytes); tail.solid.bak is what was there
$ lathe get tri.solid 'vertices[1].x'; lathe get tri.solid.bak 'vertices[1].x'; rm *.bak
3
0

# A file that fails is not changed.
$ printf 'docs[2].modified, docs[2].objects[1].label\n' | lathe run thin.lua tri.solid rig.fzx --prompt -- 1
lathe: rig.fzx: thin.lua:5: no ragdolls
false
"head sphere"
[exit 1]

# What is typed is in the sandbox of the script, which does not reach the functions of the prompt.
$ printf 'function reach() return save, help, open, _G.save, rawget(_G, "save") end\nfunction grab(t) return getmetatable(t) end\nreturn function() end\n' > reach.lua
$ printf 'reach()\nsave ~= nil, _G.save\nio.popen "ls"\ndoc:save "copy.solid"\nlathe.open "/etc/passwd"\nopen "rig.fzx"\ndoc.objects[1].label = "skull"\nsave { backup = false }\nsave "copy.fzx"\nhelp = 3\nhelp\n' | lathe run reach.lua tri.solid --prompt
nil
nil
nil
nil
nil
true
nil
error: io.popen is not allowed in the sandbox: see --trusted
  in: io.popen "ls"
error: copy.solid: the sandbox writes only below the folder given with -o
  in: doc:save "copy.solid"
error: /etc/passwd: the sandbox reads only below the folders of the inputs and of the script; see --read
  in: lathe.open "/etc/passwd"
doc and docs[2] are rig.fzx (fzx, 192 bytes)
saved rig.fzx (186 bytes)
saved copy.fzx (186 bytes)
3
$ lathe get copy.fzx 'objects[1].label'
skull
$ printf 'io.popen("echo out"):read "a"\n' | lathe run reach.lua tri.solid --prompt --trusted
"out\n"

# What does not go together.
$ lathe run thin.lua tri.solid --prompt --in-place
lathe run: --prompt does not go with --in-place: nothing is written until save()
[exit 2]
$ lathe run thin.lua - --prompt
lathe run: --prompt reads stdin itself: no file can be -
[exit 2]
$ echo 'return function() end' | lathe run - tri.solid --prompt
lathe run: --prompt reads stdin itself: the script must be a file
[exit 2]
$ echo 'return 5' > five.lua; lathe run five.lua tri.solid --prompt
lathe run: five.lua: the script must return function(doc, ctx) or { each = function, finish = function }, not a number
[exit 2]
$ lathe run thin.lua none.solid --prompt
lathe: none.solid: cannot open: No such file or directory
[exit 1]

# A script from stdin.
$ cat thin.lua | lathe run - tri.solid tail.solid -o out -- 2
made the folder out
tri.solid: changed -> out/tri.solid
tail.solid: changed -> out/tail.solid
2 changed, 0 unchanged, 0 failed
$ lathe get out/tri.solid 'vertices[1].x'
5
$ cat thin.lua | lathe run - tri.solid -n -j 2 -- 2
tri.solid: would change (3 changes)
  vertices[1].x: 3 -> 5
  vertices[2].x: 4 -> 6
  vertices[3].x: 3 -> 5
1 would change, 0 unchanged, 0 failed
$ cat thin.lua | lathe run - -
lathe run: stdin is the script: no file can be -
[exit 2]
$ cat thin.lua | lathe run - --files-from - -n
lathe run: stdin is the script: --files-from cannot read it
[exit 2]
$ echo 'return' | lathe run - tri.solid -n
lathe run: -: the script must return function(doc, ctx) or { each = function, finish = function }, not nothing
[exit 2]
$ echo 'return function(doc) error "mine" end' | lathe run - tri.solid -n
lathe: tri.solid: -:1: mine
0 would change, 0 unchanged, 1 failed
[exit 1]

# A script that leaves traps: what the prompt does by itself runs none of its code.
$ printf 'local trap = { __index = function() error "trap" end, __pairs = function() error "trap" end, __len = function() error "trap" end, __tostring = function() lathe.write("trap.txt", "x") return "trap" end }\nt = setmetatable({}, trap)\nsetmetatable(_G, trap)\nfunction raise() error(t) end\nreturn function() end\n' > trap.lua
$ printf 'doc.vertices[1].x = 7\nnone\nraise()\nt\nt.x.y\nchanges()\nsave()\n' | lathe run trap.lua tri.solid --prompt; ls trap.txt
error: trap.lua:1: trap
  in: none
error: trap
  in: raise()
error: trap.lua:1: trap
error: trap.lua:1: trap
  in: t.x.y
tri.solid: 1 difference
  vertices[1].x: 3 -> 7
saved tri.solid (76 bytes); tri.solid.bak is what was there
ls: cannot access 'trap.txt': No such file or directory
[exit 2]
