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
  note: nothing to do: no value of the file would change
in/tri.solid: skipped: solid files have no convert
1 changed, 1 unchanged, 1 skipped, 0 failed
  1 skipped: solid files have no convert
$ find out -type f
out/mod.psg
$ cmp out/mod.psg mod.psg
$ lathe convert mod.csg --to csg -o same.csg --json
{"file":"mod.csg","ok":true,"written":"same.csg","report":{"changed":0,"skipped":[],"notes":["nothing to do: no value of the file would change"]}}
$ cmp same.csg mod.csg

# What makes no sense.
$ lathe convert mod.psg --to csg
lathe convert: say where to write: -o OUT or --in-place (or look first with --dry-run)
[exit 2]
$ lathe convert mod.psg -o new.csg
lathe convert: say what to convert to: --to skyrim-le, skyrim-se, fallout4, xml, inline, shared, inline+table, psg, csg
[exit 2]
$ lathe convert mod.psg --to csg --in-place
lathe convert: --in-place would leave a .csg in a file of another name: give -o
[exit 2]
$ lathe convert mod.psg --to glb -o x
lathe convert: argument for option '--to' must be one of 'skyrim-le', 'skyrim-se', 'fallout4', 'xml', 'inline', 'shared', 'inline+table', 'psg', 'csg'
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

# Packfiles become those of another game.
$ lathe convert clip.hkx --to fallout4 -o new/
made the folder new/
clip.hkx: Skyrim SE -> Fallout 4, 7 objects -> new/clip.hkx
$ lathe get new/clip.hkx 'objects[4].type'
spline_compressed
$ lathe convert new/clip.hkx --to skyrim-se -o - | cmp - clip.hkx
$ lathe convert clip.hkx --to skyrim-se --dry-run
clip.hkx: unchanged
  note: nothing to do: no value of the file would change
$ lathe convert clip.hkx odd.hkx --to skyrim-le -o le
made the folder le
clip.hkx: Skyrim SE -> Skyrim LE, 7 objects -> le/clip.hkx
lathe: odd.hkx: objects[4] at 0x470: no counterpart in files of Skyrim LE is known of hkpSystem, hkpThing
1 changed, 0 unchanged, 1 failed
[exit 1]
$ lathe set new/clip.hkx 'objects[6].partition_indices=[0,2]' 'objects[6].blend_hint=additive_deprecated' -o odd-clip.hkx
new/clip.hkx: 2 changes -> odd-clip.hkx
$ lathe convert odd-clip.hkx --to skyrim-le --dry-run
odd-clip.hkx: would change (Fallout 4 -> Skyrim LE, 7 objects, 16 values differ)
  lost: objects[6].partition_indices: files of Skyrim LE have no such field
  lost: objects[6].blend_hint: 'additive_deprecated' became 'additive'
  file_version: 11 -> 8
  pointer_size: 8 -> 4
  contents_version: "hk_2014.1.0-r1\x00\xff" -> "hk_2010.2.0-r1\x00\xff"
  max_predicate: 21 -> -1
  predicates: 16 bytes: 14 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 -> 0 bytes
  class_names[1].signature: 869540739 -> 1968725750
  class_names[2].signature: 2968495897 -> 1551803586
  class_names[6].signature: 646291276 -> 2378302259
  class_names[7].signature: 4274114267 -> 913211936
  class_names[8].signature: 2352701310 -> 2033115323
  class_names[9].signature: 1626923192 -> 1837491269
  class_names[10].signature: 263164240 -> 1726663025
  class_names[11].signature: 501299827 -> 1197668650
  objects[3].partitions: removed hkaSkeletonPartition
  objects[6].partition_indices: removed i16
  objects[6].blend_hint: additive_deprecated -> additive
$ lathe convert odd-clip.hkx --to skyrim-le -o le.hkx --json
{"file":"odd-clip.hkx","ok":true,"written":"le.hkx","report":{"changed":7,"skipped":[{"path":"objects[6].partition_indices","reason":"files of Skyrim LE have no such field"},{"path":"objects[6].blend_hint","reason":"'additive_deprecated' became 'additive'"}],"from":"Fallout 4","to":"Skyrim LE"}}
$ lathe convert clip.hkx --to skyrim-le --in-place --into x.csg
lathe convert: --into goes with --to shared and --to inline+table, not with --to skyrim-le
[exit 2]
$ lathe convert clip.hkx --to skyrim-le --in-place
clip.hkx: Skyrim SE -> Skyrim LE, 7 objects
$ lathe get clip.hkx.bak pointer_size
8
$ lathe convert rig.fzx --to skyrim-le -o rig
rig.fzx: skipped: fzx files have no convert
$ lathe help convert
Usage: lathe convert [-h] [--format <name>] [--geometry <[HASH=]PATH>]
       [--dictionary <file>] [--names <file>] [--skeleton <file>]
       [--json] [--files-from <file>] [-0] [--shard <i/n>] [-j <n>]
       [-q] [-o <out>] [-i] [--no-backup] [-n] [--resume]
       [--manifest <file>] [--to <form>] [--into <file>] [<file>] ...

Convert files to another layout, or to another game. Files of other formats are skipped.

   csg, psg             geometry files: csg is compressed with zlib, as the game reads it; psg is not. Rows
                        keep their offsets, so NIFs that use them stay valid. The output gets that
                        extension.
   inline               precombined meshes: all geometry is in the NIF
   shared               … all geometry is in a geometry file
   inline+table         … geometry is in the NIF, with a table of places in a geometry file
   skyrim-le, skyrim-se, fallout4
                        Havok packfiles (.hkx), also from XML: what the other game's files cannot hold is
                        left out and listed; a file with a class that has no known counterpart is refused
   xml                  … as Havok XML, as hkxcmd writes it. What it does not say is counted: decimals behind
                        the sixth, the fourth numbers of rotations. The output gets the extension .xml

--into names the geometry file of shared and inline+table. It is created, or extended at its end (FILE.bak
keeps the original), and written before the NIFs. Equal geometry is stored once. NIFs find the file by its
name, so do not rename it afterwards.

Arguments:
   files                        Files, folders (searched for known extensions), or - for stdin.

Options:
   -h, --help                   Show this help message and exit.
   --format <name>              Format to read the files as (default: detected from their content).
   --geometry <[HASH=]PATH>     Geometry file (.csg, .psg) of precombined meshes, or folder with such
                                files (default: the file's folder, then the folder above Meshes).
                                HASH=PATH: the file whose original name has that hash.
   --dictionary <file>          zstd dictionary that the compressed files (.zs) need.
   --names <file>               Names for numbers in files: a Lua or JSON table with lists materials,
                                layers, user_tags and so on. They replace the built-in names.
   --skeleton <file>            File with the skeleton that names the bones of animations.
   --json                       Print one JSON value a line, for other programs. If a file name is not
                                UTF-8, `file` has U+FFFD and `file_bytes` the name in base64.
   --files-from <file>          Also take the files and folders that this file names, one a line; - for
                                stdin.
   -0, --null                   Names in --files-from end with NUL instead of line ends, as from find -print0.
   --shard <i/n>                Take only part I of N of the files, such as 2/8: for several processes or
                                computers. A hash of the path below the common folder selects the part.
   -j <n>, --jobs <n>           Files to work on at a time: 1 to 64 (default: number of processors).
                                Each has a process of its own, except in short batches. Large files
                                run together only while 32 times their sizes stay below 2G.
   -q, --quiet                  Print failures only, and what scripts print.
   -o <out>, --output <out>     Folder to write to, with the tree of the inputs; or a file, for one input.
   -i, --in-place               Replace each file. FILE.bak keeps the original; a FILE.bak that
                                exists already stays as it is.
   --no-backup                  With --in-place, do not keep a FILE.bak.
   -n, --dry-run                Print what would change; write nothing.
   --resume                     Skip files that an earlier run with --resume finished: input, options, script
                                and lathe are the same, and the result is there. They are listed in
                                OUT/lathe-manifest.jsonl. The first run needs --resume, too.
   --manifest <file>            The list of --resume with --in-place. No file is changed twice, whenever a
                                run was stopped; one that is neither the original nor the result fails.
   --to <form>                  Target: csg, psg, inline, shared, inline+table, skyrim-le, skyrim-se, fallout4
                                or xml.
   --into <file>                Geometry file (.csg, .psg) for --to shared and inline+table.

Examples:
   lathe convert 'Some Mod - Geometry.psg' --to csg -o 'Data/Some Mod - Geometry.csg'
   lathe convert Data/ --to psg -o plain/
   lathe convert Data/Meshes/PreCombined --to inline -o inline/
   lathe convert inline/ --to shared --into 'out/Some Mod - Geometry.csg' -o out/Meshes/PreCombined
   lathe convert animations/ --to skyrim-se -o Data/Meshes/actors/character/animations
   lathe convert 0_master.hkx --to xml -o 0_master.xml
   lathe convert 0_master.xml --to skyrim-le -o 0_master.hkx
