# Files named by a list, together with those of the command line. A file named twice is taken once.
$ mkdir -p in/deep && cp tri.solid in/one.solid && cp tri.solid in/two.solid && cp rig.fzx in/deep
$ printf 'in/one.solid\r\n\nin/deep\n' > list
$ lathe scale 2 --files-from list in/two.solid in/one.solid -o out
made the folder out
in/two.solid: 3 changes -> out/two.solid
in/one.solid: 3 changes -> out/one.solid
in/deep/rig.fzx: 3 changes -> out/deep/rig.fzx
3 changed, 0 unchanged, 0 failed
$ printf 'in/two.solid' | lathe scale 2 --files-from - -o one
made the folder one
in/two.solid: 3 changes -> one/two.solid
$ find out one -type f | sort
one/two.solid
out/deep/rig.fzx
out/one.solid
out/two.solid

# -o is a folder, even if the list has one name and -o looks like a file.
$ printf 'in/two.solid\n' > single
$ lathe scale 2 --files-from single -o made.solid
made the folder made.solid
in/two.solid: 3 changes -> made.solid/two.solid

# What cannot be opened is a failure of that file, which names its line.
$ printf 'in/one.solid\nin/none.solid\ncut.solid\n' > bad
$ lathe scale 2 --files-from bad -o out2
made the folder out2
in/one.solid: 3 changes -> out2/in/one.solid
lathe: in/none.solid: cannot open: No such file or directory (bad:2)
lathe: cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes (bad:3)
1 changed, 0 unchanged, 2 failed
[exit 1]
$ mkdir none && echo none > empty-folder
$ lathe info --files-from empty-folder
lathe: none: no file of a known format in this folder (empty-folder:1)
[exit 1]

# Names with line ends.
$ cp tri.solid "$(printf 'in/a\nb.solid')"
$ find in -name '*b.solid' -print0 | lathe scale 2 -0 --files-from - --dry-run | head -n 1
in/a\nb.solid: would change (3 changes)
$ find in -name '*b.solid' -print0 | lathe scale 2 -0 --files-from - -o out3
made the folder out3
in/a\nb.solid: 3 changes -> out3/a\nb.solid
$ find in -name '*b.solid' | lathe info --files-from -
lathe: in/a: cannot open: No such file or directory (stdin:1)
lathe: b.solid: cannot open: No such file or directory (stdin:2)
[exit 1]
$ printf 'in/one.solid\0in/gone.solid\0' | lathe scale 2 --null --files-from - -o out4
made the folder out4
in/one.solid: 3 changes -> out4/one.solid
lathe: in/gone.solid: cannot open: No such file or directory (stdin: name 2)
1 changed, 0 unchanged, 1 failed
[exit 1]

# Lists that are none.
$ lathe info --files-from nolist
lathe info: --files-from nolist: No such file or directory
[exit 2]
$ lathe info --files-from in
lathe info: --files-from in: not a file
[exit 2]
$ printf '\n\n' | lathe info --files-from -
lathe info: --files-from - names no file
[exit 2]
$ printf 'in/one.solid\n-\n' | lathe info --files-from -
lathe info: stdin:2: '-' names no file; for a file of that name write ./-
[exit 2]
$ printf 'in/one.solid\0' | lathe info --files-from -
lathe info: stdin:1: a NUL byte in a name. If NUL ends the names, add -0; if the list is UTF-16, as PowerShell writes it, convert it to UTF-8
[exit 2]
$ printf 'in/one.solid\0\0in/two.solid\0' | lathe info -0 --files-from -
lathe info: stdin: name 2: an empty name
[exit 2]
$ printf 'i\0n\0' > utf16 && lathe info --files-from utf16
lathe info: utf16:1: a NUL byte in a name. If NUL ends the names, add -0; if the list is UTF-16, as PowerShell writes it, convert it to UTF-8
[exit 2]
$ echo in/one.solid | lathe info - --files-from -
lathe info: stdin is either a file or the list of --files-from
[exit 2]
$ lathe info in/one.solid -0
lathe info: --null goes with --files-from
[exit 2]
$ lathe info
lathe info: missing argument 'files'
[exit 2]

# Shards: each file is in one of them, wherever the folder is, and whatever comes first.
$ mkdir s && for i in 1 2 3 4 5 6; do cp tri.solid s/$i.solid; done
$ lathe scale 2 s --shard 1/2 -o s1
shard 1/2: 1 of 6 files
made the folder s1
s/3.solid: 3 changes -> s1/3.solid
$ lathe scale 2 s --shard 2/2 -o s2
shard 2/2: 5 of 6 files
made the folder s2
s/1.solid: 3 changes -> s2/1.solid
s/2.solid: 3 changes -> s2/2.solid
s/4.solid: 3 changes -> s2/4.solid
s/5.solid: 3 changes -> s2/5.solid
s/6.solid: 3 changes -> s2/6.solid
5 changed, 0 unchanged, 0 failed
$ mkdir other && cp -r s other/place && cd other && lathe scale 2 place/6.solid place/5.solid place/4.solid place/3.solid place/2.solid place/1.solid --shard 1/2 -n | grep would
shard 1/2: 1 of 6 files
place/3.solid: would change (3 changes)
$ lathe scale 2 s/1.solid --shard 1/1 -n | head -n 1
shard 1/1: 1 of 1 files
s/1.solid: would change (3 changes)
$ lathe scale 2 s --shard 3/2 -n
lathe scale: '3/2' is not a shard: I/N expected, with I from 1 to N, such as 2/8
[exit 2]
$ lathe scale 2 s --shard 0/2 -n
lathe scale: '0/2' is not a shard: I/N expected, with I from 1 to N, such as 2/8
[exit 2]
$ lathe scale 2 s --shard x -n
lathe scale: 'x' is not a shard: I/N expected, with I from 1 to N, such as 2/8
[exit 2]
$ lathe scale 2 s --shard 1/0 -n
lathe scale: '1/0' is not a shard: I/N expected, with I from 1 to N, such as 2/8
[exit 2]
$ lathe scale 2 s --shard 1/99999999999999999999 -n
lathe scale: '1/99999999999999999999' is not a shard: I/N expected, with I from 1 to N, such as 2/8
[exit 2]
