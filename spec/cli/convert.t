# Geometry files, plain and packed.
$ echo YmNzZwMAAAABAAAAYAAAAFAAAAAAAAAAAwACAACQAAADAAAAAwAAACoAAAAHBGUAALBBAAQAAAAGAAAApgAAAAgEZQcAsEMAAwAAAAMAAAB4nG2OMQ7AMAgD3fRLGTogNWOexc+pgURCbRkQ8ZlgIEvVFFJm5CvnAw2vur2Zqhu06COYfNgoe/LD9l5hfrWxn8AMX1/xCGnhCSTpkXXpVC18k/pFsnUm8t+AB4xkL4g= | base64 -d > mod.csg
$ lathe convert mod.csg --to psg -o mod.psg
mod.csg: 1 change -> mod.psg
$ lathe info mod.psg
mod.psg
  format       geometry: Geometry that precombined meshes share: plain (.psg) or packed (.csg)
  game         Fallout 4
  size         312 bytes
  form         psg
  rows         geometry_row[3]
  stream_size  244 bytes
  hash         3904211546
$ lathe convert mod.psg --to csg -o new.csg
mod.psg: 1 change -> new.csg
$ cmp new.csg mod.csg
$ lathe convert mod.csg --to psg -o - | cmp - mod.psg
$ lathe convert mod.csg --to psg --dry-run
mod.csg: would change (1 change)
  form: csg -> psg
$ mkdir -p in && cp mod.csg mod.psg tri.solid in
$ lathe convert in --to psg -o out
made the folder out
in/mod.csg: 1 change -> out/mod.psg
in/mod.psg: unchanged
in/tri.solid: skipped: solid files have no convert
1 changed, 1 unchanged, 1 skipped, 0 failed
$ find out -type f
out/mod.psg
$ cmp out/mod.psg mod.psg
$ lathe convert mod.csg --to csg -o same.csg --json
{"file":"mod.csg","ok":true,"written":"same.csg","report":{"changed":0,"skipped":[]}}
$ cmp same.csg mod.csg

# What makes no sense.
$ lathe convert mod.psg --to csg
lathe convert: say where to write: -o OUT or --in-place (or look first with --dry-run)
[exit 2]
$ lathe convert mod.psg -o new.csg
lathe convert: say what to convert to: --to csg, psg, inline, shared or inline+table
[exit 2]
$ lathe convert mod.psg --to csg --in-place
lathe convert: --in-place would leave a .csg in a file of another name: give -o
[exit 2]
$ lathe convert mod.psg --to glb -o x
lathe convert: argument for option '--to' must be one of 'csg', 'psg', 'inline', 'shared', 'inline+table'
[exit 2]
$ head -c 100 mod.csg > cut.csg; lathe convert cut.csg --to psg -o cut.psg
lathe: cut.csg: chunks[1] at 0x50: chunk 1 of 1: the table puts 96 bytes at 0x50, outside of 0x50 .. 0x64
[exit 1]
$ ls cut.psg
ls: cannot access 'cut.psg': No such file or directory
[exit 2]

# They are files like any other.
$ lathe get mod.csg 'rows[2].num_vertices'
4
$ lathe set mod.csg 'rows[2].num_vertices=5' -o x.csg
lathe: mod.csg: rows[2].vertex_desc at 0x2c: 5 vertices of 28 bytes (descriptor 0x0041b00000650407) and 6 indices are 152 bytes, its data have 124
[exit 1]
$ lathe check mod.csg mod.psg
mod.csg: ok
mod.psg: ok
2 ok, 0 failed
$ lathe dump mod.csg rows --depth 2
0x000014  [1]  geometry_row
0x000014    data_offset   0
0x000018    vertex_desc   158329674530819 (0x900000020003)
0x000020    num_vertices  3
0x000024    num_indices   3
0x000028  [2]  geometry_row
0x000028    data_offset   42
0x00002c    vertex_desc   18489387539301383 (0x41B00000650407)
0x000034    num_vertices  4
0x000038    num_indices   6
0x00003c  [3]  geometry_row
0x00003c    data_offset   166
0x000040    vertex_desc   19052337610163208 (0x43B00007650408)
0x000048    num_vertices  3
0x00004c    num_indices   3
$ lathe diff mod.csg mod.psg
form: csg -> psg
[exit 1]
