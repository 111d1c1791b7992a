# Backups come back, with those of files that are gone. Nothing else is touched.
$ mkdir -p in/deep && cp tri.solid in/one.solid && cp tri.solid in/two.solid && cp rig.fzx in/deep/rig.fzx
$ lathe scale 2 in --in-place
in/deep/rig.fzx: 3 changes
in/one.solid: 3 changes
in/two.solid: 3 changes
3 changed, 0 unchanged, 0 failed
$ rm in/two.solid && echo mine > in/notes.txt.bak
$ lathe undo in --dry-run
in/deep/rig.fzx: would put back in/deep/rig.fzx.bak
in/notes.txt: skipped: lathe does not write such files
in/one.solid: would put back in/one.solid.bak
in/two.solid: would put back in/two.solid.bak (the file itself was missing)
3 would put back, 1 skipped, 0 failed
  1 skipped: lathe does not write such files
$ find in -name '*.bak' | sort
in/deep/rig.fzx.bak
in/notes.txt.bak
in/one.solid.bak
in/two.solid.bak
$ lathe undo in
in/deep/rig.fzx: put back in/deep/rig.fzx.bak
in/notes.txt: skipped: lathe does not write such files
in/one.solid: put back in/one.solid.bak
in/two.solid: put back in/two.solid.bak (the file itself was missing)
3 put back, 1 skipped, 0 failed
  1 skipped: lathe does not write such files
$ cmp in/one.solid tri.solid && cmp in/two.solid tri.solid && cmp in/deep/rig.fzx rig.fzx
$ find in -type f | sort
in/deep/rig.fzx
in/notes.txt.bak
in/one.solid
in/two.solid

# FILE, FILE.bak, and a file that a link leads to.
$ lathe scale 2 in/one.solid in/two.solid --in-place
in/one.solid: 3 changes
in/two.solid: 3 changes
2 changed, 0 unchanged, 0 failed
$ lathe undo in/one.solid in/one.solid.bak in/two.solid.bak
in/one.solid: put back in/one.solid.bak
in/two.solid: put back in/two.solid.bak
2 put back, 0 skipped, 0 failed
$ cmp in/one.solid tri.solid && cmp in/two.solid tri.solid
$ ln -s in/one.solid link.solid && lathe scale 2 link.solid --in-place
link.solid: 3 changes
$ lathe undo link.solid | sed "s:$PWD:.:"
link.solid: put back ./in/one.solid.bak
$ test -L link.solid && cmp in/one.solid tri.solid

# JSON.
$ lathe scale 2 in/one.solid -i
in/one.solid: 3 changes
$ lathe undo in/one.solid in/two.solid --json --dry-run
{"file":"in/one.solid","ok":true,"would_put_back":"in/one.solid.bak"}
{"file":"in/two.solid","ok":false,"error":"in/two.solid: there is no backup of it","code":"io"}
lathe: in/two.solid: there is no backup of it
1 would put back, 0 skipped, 1 failed
[exit 1]
$ lathe undo in/one.solid in/notes.txt --json
{"file":"in/one.solid","ok":true,"put_back":"in/one.solid.bak"}
{"file":"in/notes.txt","ok":true,"put_back":"in/notes.txt.bak"}
2 put back, 0 skipped, 0 failed

# What cannot be put back is reported.
$ lathe undo in/one.solid in/nothing
lathe: in/one.solid: there is no backup of it
lathe: in/nothing: there is no backup of it
0 put back, 0 skipped, 2 failed
[exit 1]
$ lathe undo none
lathe: none: there is no backup of it
[exit 1]
$ mkdir empty && lathe undo empty
lathe: empty: no .bak file in this folder
[exit 1]
$ mkdir -p odd/b.solid && cp tri.solid odd/b.solid.bak && ln -s ../tri.solid odd/c.solid && cp tri.solid odd/c.solid.bak && ln -s ../tri.solid odd/d.solid.bak
$ lathe undo odd odd/d.solid
lathe: odd/b.solid: cannot replace it: it is not a regular file
lathe: odd/c.solid: there is no backup of it
lathe: odd/d.solid: its backup is not a regular file
0 put back, 0 skipped, 3 failed
[exit 1]
$ lathe undo
lathe undo: missing argument 'paths'
[exit 2]

# Backups of lathe's that are named like backups.
$ cp tri.solid v.bak && cp tri.solid v && lathe scale 2 v.bak --in-place
v.bak: 3 changes
$ lathe undo v.bak
v.bak: put back v.bak.bak
$ cmp v.bak tri.solid
