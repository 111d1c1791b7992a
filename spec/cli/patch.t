# An element that was inserted is one line, and edits behind it are told at their new places.
$ echo 'return function(doc) doc.objects:insert(2, { label = "new" }) doc.objects[4].label = "hips" end' > grow.lua
$ lathe run grow.lua rig.fzx -o grown.fzx
rig.fzx: changed -> grown.fzx
1 changed, 0 unchanged, 0 failed
$ lathe diff rig.fzx grown.fzx
objects[2]: added fzx_object
objects[4].label: "chest box m" -> "hips"
footer.size: 185 -> 225
[exit 1]
$ lathe diff grown.fzx rig.fzx
objects[2]: removed fzx_object
objects[3].label: "hips" -> "chest box m"
footer.size: 225 -> 185
[exit 1]

# References that an insertion renumbers are no differences.
$ cp examples/stock.nif . && echo 'return function(doc) lathe.insert(doc.blocks, 2, { type = "NiStringExtraData" }) end' > block.lua
$ lathe run block.lua stock.nif -o more.nif
stock.nif: changed -> more.nif
1 changed, 0 unchanged, 0 failed
$ lathe diff stock.nif more.nif
num_block_types: 7 -> 8
block_types[8]: added "NiStringExtraData"
blocks[2]: added NiStringExtraData
[exit 1]

# The JSON form is a patch.
$ lathe diff stock.nif more.nif --json > more.patch; lathe apply more.patch stock.nif -o again.nif && cmp more.nif again.nif
stock.nif: 1 change -> again.nif
$ lathe diff rig.fzx grown.fzx --json > grow.patch; lathe apply grow.patch rig.fzx --dry-run
rig.fzx: would change (2 changes, 3 values differ)
  objects[2]: added fzx_object
  objects[4].label: "chest box m" -> "hips"
  footer.size: 185 -> 225
$ lathe apply grow.patch rig.fzx tri.solid grown.fzx -o out
made the folder out
rig.fzx: 2 changes -> out/rig.fzx
lathe: tri.solid: the patch is for another format: fzx, not solid
lathe: grown.fzx: objects: 3 elements expected, 4 found
1 changed, 0 unchanged, 2 failed
[exit 1]
$ cmp out/rig.fzx grown.fzx && lathe apply - rig.fzx -o - < grow.patch | cmp - grown.fzx
$ lathe apply grow.patch rig.fzx --json -n | grep -o '"report":{[^}]*}'
"report":{"changed":2,"skipped":[]}

# All or nothing: another old value is refused, and the file stays as it is.
$ lathe set rig.fzx 'objects[3].label=other' -o other.fzx
rig.fzx: 1 change -> other.fzx
$ lathe apply grow.patch other.fzx -o no.fzx
lathe: other.fzx: objects[4].label: "chest box m" expected, "other" found
[exit 1]
$ test -e no.fzx
[exit 1]
$ lathe apply grow.patch other.fzx --force -o yes.fzx && lathe get yes.fzx 'objects[4].label'
other.fzx: 2 changes -> yes.fzx
hips

# What is no patch is refused by name.
$ head -c 60 grow.patch > cut.patch; lathe apply cut.patch rig.fzx -n
lathe: cut.patch: it is not JSON: unterminated string at line 1, column 52
[exit 1]
$ echo 'this is text' | lathe apply - rig.fzx -n
lathe: stdin: it is not JSON: no valid JSON value at line 1, column 1
[exit 1]
$ echo '{"format":"fzx"}' | lathe apply - rig.fzx -n
lathe: stdin: it is not a patch, as `lathe diff --json` writes them: it has no member "patch"
[exit 1]
$ echo '{"patch":9,"format":"fzx","changes":[]}' | lathe apply - rig.fzx -n
lathe: stdin: it is a patch of another version: 9, not 1
[exit 1]
$ echo '{"patch":1,"format":"fzx","changes":[{"path":"objects[1].label"}]}' | lathe apply - rig.fzx -n
lathe: stdin: it is not a patch: change 1 says neither old, new, added nor removed
[exit 1]
$ echo '{"patch":1,"format":"fzx","game":"Skyrim SE","changes":[]}' | lathe apply - rig.fzx -n
lathe: rig.fzx: the patch is for another game: Skyrim SE, not Overgrowth
[exit 1]
$ echo '{"patch":1,"format":"fzx","changes":[{"path":"objects[9].label","old":"a","new":"b"}]}' | lathe apply - rig.fzx -n
lathe: rig.fzx: objects[9].label: missing
[exit 1]
$ echo '{"patch":1,"format":"fzx","changes":[{"path":"objects[1].label","new":5}]}' | lathe apply - rig.fzx -n
lathe: rig.fzx: objects[1].label: a string expected
[exit 1]
$ lathe apply missing.patch rig.fzx -n
lathe: missing.patch: cannot open: No such file or directory
[exit 1]
$ lathe apply - - -n < grow.patch
lathe apply: only the patch or the file can be stdin
[exit 2]
$ lathe apply grow.patch rig.fzx
lathe apply: say where to write: -o OUT or --in-place (or look first with --dry-run)
[exit 2]

# A patch says when it is made what it cannot do.
$ lathe diff rig.fzx other.fzx --tolerance 0.5 --json
{"file":"rig.fzx","ok":true,"format":"fzx","other":"other.fzx","same":false,"patch":1,"game":"Overgrowth","tolerance":0.5,"complete":false,"missing":[{"reason":"differences of at most 0.5"}],"changes":[{"path":"objects[3].label","old":"chest box m","new":"other"},{"path":"footer.size","old":185,"new":179,"follows":true}]}
[exit 1]
$ lathe diff rig.fzx other.fzx --tolerance 0.5 --json > near.patch; lathe apply near.patch rig.fzx -o near.fzx
rig.fzx: 1 change -> near.fzx
  note: the patch leaves out differences of at most 0.5

# Floats that differ by at most T are equal.
$ lathe set tri.solid 'vertices[1].x=0.25' -o near.solid && lathe diff tri.solid near.solid --tolerance 0.25
tri.solid: 1 change -> near.solid
$ lathe diff tri.solid near.solid --tolerance 0.2
vertices[1].x: 0 -> 0.25
[exit 1]
$ lathe diff tri.solid near.solid --tolerance little
lathe diff: 'little' is not a number of 0 or more
[exit 2]

# Folders.
$ mkdir a b && cp tri.solid rig.fzx a && cp rig.fzx b && cp near.solid b/tri.solid && cp grown.fzx b
$ lathe diff a b
grown.fzx: only in b
tri.solid: 1 change
  vertices[1].x: 0 -> 0.25
1 same, 1 different, 1 only in one folder, 0 failed
[exit 1]
$ lathe diff a b --json
{"file":"b/grown.fzx","ok":true,"only":"second"}
{"file":"a/rig.fzx","ok":true,"format":"fzx","other":"b/rig.fzx","same":true,"patch":1,"game":"Overgrowth","complete":true,"changes":[]}
{"file":"a/tri.solid","ok":true,"format":"solid","other":"b/tri.solid","same":false,"patch":1,"game":"Lugaru","complete":true,"changes":[{"path":"vertices[1].x","old":0,"new":0.25}]}
1 same, 1 different, 1 only in one folder, 0 failed
[exit 1]
$ lathe diff a a
2 same, 0 different, 0 failed
$ lathe diff a tri.solid
lathe diff: 'a' is a folder, 'tri.solid' is none
[exit 2]
