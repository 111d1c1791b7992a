# Nothing is written without being told where.
$ lathe scale 2 tri.solid
lathe scale: say where to write: -o OUT or --in-place (or look first with --dry-run)
[exit 2]
$ lathe scale 2 tri.solid -o big -i
lathe scale: give -o or --in-place, not both
[exit 2]
$ lathe scale 2 tri.solid --no-backup -o big
lathe scale: --no-backup needs --in-place
[exit 2]

# Looking first: the file stays as it is.
$ lathe scale 2 tri.solid --dry-run
tri.solid: would change (3 changes)
  vertices[2].x: 1 -> 2
  vertices[3].y: 1.5 -> 3
  vertices[3].z: 0.25 -> 0.5
$ lathe scale 2 tri.solid --dry-run --json
{"file":"tri.solid","ok":true,"report":{"changed":3,"skipped":[]},"changes":[{"path":"vertices[2].x","old":1,"new":2},{"path":"vertices[3].y","old":1.5,"new":3},{"path":"vertices[3].z","old":0.25,"new":0.5}]}
$ lathe get tri.solid 'vertices[3].y'
1.5

# Into a folder, into a file, through a pipe.
$ lathe scale 2 tri.solid -o big
made the folder big
tri.solid: 3 changes -> big/tri.solid
$ lathe scale 2 tri.solid -o big.solid
tri.solid: 3 changes -> big.solid
$ cmp big.solid big/tri.solid
$ lathe scale 2 - --format solid -o - < tri.solid | cmp - big.solid
$ lathe scale 0.5 big.solid -o back.solid
big.solid: 3 changes -> back.solid
$ cmp back.solid tri.solid

# Many files: one is broken, the rest are done, the exit code tells.
$ mkdir -p in/deep && cp tri.solid cut.solid in && cp rig.fzx in/deep
$ lathe scale 2 in -o out
made the folder out
in/deep/rig.fzx: 3 changes -> out/deep/rig.fzx
in/tri.solid: 3 changes -> out/tri.solid
lathe: in/cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
2 changed, 0 unchanged, 1 failed
[exit 1]
$ find out -type f | sort
out/deep/rig.fzx
out/tri.solid
$ lathe scale 2 in/deep in/tri.solid in/tri.solid --json -o out2
made the folder out2
{"file":"in/deep/rig.fzx","ok":true,"written":"out2/deep/rig.fzx","report":{"changed":3,"skipped":[]}}
{"file":"in/tri.solid","ok":true,"written":"out2/tri.solid","report":{"changed":3,"skipped":[]}}
2 changed, 0 unchanged, 0 failed
$ find out2 -type f | sort
out2/deep/rig.fzx
out2/tri.solid

# The output folder may lie inside the input folder; it is not taken for input.
$ lathe scale 2 in/deep -o in/deep/out
made the folder in/deep/out
in/deep/rig.fzx: 3 changes -> in/deep/out/rig.fzx
$ lathe scale 2 in/deep -o in/deep/out
in/deep/rig.fzx: 3 changes -> in/deep/out/rig.fzx
$ find in/deep -type f | sort
in/deep/out/rig.fzx
in/deep/rig.fzx

# In place, with a backup; nothing is rewritten where nothing changed.
$ cp tri.solid mine.solid
$ lathe scale 2 mine.solid --in-place
mine.solid: 3 changes
$ cmp mine.solid big.solid && cmp mine.solid.bak tri.solid
$ lathe scale 1 mine.solid --in-place
mine.solid: unchanged
  note: nothing to do: no value of the file would change
$ lathe scale 2 mine.solid --in-place --no-backup
mine.solid: 3 changes
$ cmp mine.solid.bak tri.solid

# A second time, and through a link, the backup still holds the original.
$ lathe scale 2 mine.solid --in-place
mine.solid: 3 changes
$ cmp mine.solid.bak tri.solid
$ mkdir links && ln -s ../mine.solid links/mine.solid
$ lathe scale 2 links/mine.solid --in-place && ls links
links/mine.solid: 3 changes
mine.solid
$ cmp mine.solid.bak tri.solid

# -o never writes over an input.
$ lathe scale 2 mine.solid -o .
lathe: mine.solid: would overwrite the input mine.solid: use --in-place
[exit 1]
$ lathe scale 2 mine.solid -o mine.solid
lathe: mine.solid: would overwrite the input mine.solid: use --in-place
[exit 1]

# Values.
$ lathe set tri.solid 'vertices[1].x=2.5' 'vertices[2]={0, -1, 0x10}' -o set.solid
tri.solid: 2 changes -> set.solid
$ lathe set set.solid 'vertices[1]=[2.5, 0, 0]' 'vertices[2]={"x":0,"y":-1,"z":16}' -n
set.solid: unchanged
$ lathe set set.solid 'vertices[1]={x=nan}' -n
set.solid: would change (1 change)
  vertices[1].x: 2.5 -> nan
$ lathe set rig.fzx 'objects[1].label=head box' 'objects[2].side=r' -n
rig.fzx: would change (2 changes, 3 values differ)
  objects[1].label: "head sphere" -> "head box"
  objects[2].label: "l thigh capsule" -> "r thigh capsule"
  footer.size: 185 -> 182
$ lathe set rig.fzx 'objects[1].label=head box' -o rig2.fzx && lathe check rig2.fzx
rig.fzx: 1 change -> rig2.fzx
rig2.fzx: ok, 1 warning
  warning: objects[3].label at 0x7f: M on the central part chest: the game flips the volume in place and fails
$ lathe set tri.solid 'vertices[1].x=0' -o same.solid && cmp same.solid tri.solid
tri.solid: unchanged -> same.solid

# All or none; and what cannot be.
$ lathe set tri.solid 'vertices[1].x=9' 'vertices[9].x=9' -o none.solid
lathe: tri.solid: vertices at 0x4: no element 9 of 3
[exit 1]
$ ls none.solid 2>&1
ls: cannot access 'none.solid': No such file or directory
[exit 2]
$ lathe set tri.solid 'vertices[1].x=much' -n
lathe: tri.solid: vertices[1].x: 'much' is not a number
[exit 1]
$ lathe set tri.solid 'triangles[1].a=70000' -n
lathe: tri.solid: triangles[1].a at 0x28: 70000 is not in -32768 .. 32767
[exit 1]
$ lathe set tri.solid vertex_count=4 -n
lathe: tri.solid: vertex_count at 0x0: read-only: resize vertices instead
[exit 1]
$ lathe set tri.solid 'vertices[1]=5' -n
lathe: tri.solid: vertices[1]: '5' is not a list: write {1, 2, 3} or {x=1, y=2, z=3}
[exit 1]
$ lathe set tri.solid 'vertices[1].x' -n
lathe set: 'vertices[1].x' is not PATH=VALUE
[exit 2]
