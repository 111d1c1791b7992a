# One file, one result; the folder is made.
$ lathe export tri.solid -o out/tri.glb
made the folder out
tri.solid: 1 mesh, 1 triangle -> out/tri.glb
$ head -c 4 out/tri.glb; echo
glTF
$ lathe export tri.solid -o tri.obj && grep -v "^#" tri.obj
tri.solid: 1 mesh, 1 triangle -> tri.obj
o solid
g tri
v 0 0 0
v 1 0 0
v 0 1.5 0.25
vt 0 0
vt 1 0
vt 0 1
vn 0 -0.164398983 0.986393929
vn 0 -0.164398983 0.986393929
vn 0 -0.164398983 0.986393929
f 1/1/1 2/2/2 3/3/3
$ lathe export tri.solid -o - --to obj --scale 2 | grep '^v '
v 0 0 0
v 2 0 0
v 0 3 0.5
$ lathe export - --format solid -o piped.glb < tri.solid
-: 1 mesh, 1 triangle -> piped.glb

# Several files become one scene, or one each.
$ lathe export tri.solid tail.solid -o both.glb
tri.solid: 1 mesh, 1 triangle
tail.solid: 1 mesh, 1 triangle
2 exported, 0 skipped, 0 failed
both.glb: 2 meshes, 2 triangles
$ strings -n 40 both.glb | grep -o '"nodes":\[{.*"meshes"'
"nodes":[{"name":"tri","children":[1]},{"name":"solid","mesh":0},{"name":"tail","children":[3]},{"name":"solid","mesh":1}],"meshes"
$ printf 'Overgrowth Save\3\0\0\0' > old.sav3
$ mkdir -p in/deep && cp tri.solid in && cp tail.solid in/deep && cp old.sav3 in
$ lathe export in -o each --to glb
made the folder each
in/deep/tail.solid: 1 mesh, 1 triangle -> each/deep/tail.glb
in/old.sav3: skipped: save files have no meshes
in/tri.solid: 1 mesh, 1 triangle -> each/tri.glb
2 exported, 1 skipped, 0 failed
  1 skipped: save files have no meshes
$ find each -type f | sort
each/deep/tail.glb
each/tri.glb
$ lathe export in -o each/ --to obj --json
{"file":"in/deep/tail.solid","ok":true,"written":"each/deep/tail.obj","meshes":1,"triangles":1,"left_out":[],"notes":[{"path":"mesh 1 'solid'","reason":"normals looked away from the front of their triangles, and were turned round"}]}
{"file":"in/old.sav3","ok":true,"skipped":"save files have no meshes"}
{"file":"in/tri.solid","ok":true,"written":"each/tri.obj","meshes":1,"triangles":1,"left_out":[],"notes":[{"path":"mesh 1 'solid'","reason":"normals looked away from the front of their triangles, and were turned round"}]}
2 exported, 1 skipped, 0 failed
  1 skipped: save files have no meshes

# Looking first.
$ lathe export in -o look --to glb -n; ls look
in/deep/tail.solid: 1 mesh, 1 triangle -> look/deep/tail.glb
in/old.sav3: skipped: save files have no meshes
in/tri.solid: 1 mesh, 1 triangle -> look/tri.glb
2 would export, 1 skipped, 0 failed
  1 skipped: save files have no meshes
ls: cannot access 'look': No such file or directory
[exit 2]
$ lathe export in -o look.glb -n; ls look.glb
in/deep/tail.solid: 1 mesh, 1 triangle
in/old.sav3: skipped: save files have no meshes
in/tri.solid: 1 mesh, 1 triangle
2 would export, 1 skipped, 0 failed
  1 skipped: save files have no meshes
look.glb: 2 meshes, 2 triangles
ls: cannot access 'look.glb': No such file or directory
[exit 2]

# One bad file stops nothing, and the exit code tells.
$ lathe export cut.solid tri.solid -o good.glb
tri.solid: 1 mesh, 1 triangle
lathe: cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
1 exported, 0 skipped, 1 failed
good.glb: 1 mesh, 1 triangle
[exit 1]
$ lathe export cut.solid -o bad.glb
lathe: cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
[exit 1]
$ lathe export old.sav3 -o old.glb
old.sav3: skipped: save files have no meshes
lathe: old.glb: there is nothing to export
[exit 1]
$ lathe export old.sav3 clip.hkx -o old.glb
old.sav3: skipped: save files have no meshes
clip.hkx: 1 animation, 3 bones
1 exported, 1 skipped, 0 failed
  1 skipped: save files have no meshes
old.glb: 1 animation, 3 bones
$ lathe export old.sav3 clip.hkx -o olds --to glb
old.sav3: skipped: save files have no meshes
made the folder olds
clip.hkx: 1 animation, 3 bones -> olds/clip.glb
1 exported, 1 skipped, 0 failed
  1 skipped: save files have no meshes

# What collides, where nothing is drawn.
$ lathe export rig.fzx -o rig.glb
rig.fzx: 3 meshes, 492 triangles -> rig.glb
$ lathe export rig.fzx tri.solid --what collision -o rig.obj
rig.fzx: 3 meshes, 492 triangles
tri.solid: skipped: solid files have no bodies
1 exported, 1 skipped, 0 failed
  1 skipped: solid files have no bodies
rig.obj: 3 meshes, 492 triangles

# Meshes without triangles are left out.
$ printf '\0\0\0\0' > none.solid && lathe export none.solid tri.solid -o some.glb
none.solid: skipped: mesh 1 'solid': no vertices
tri.solid: 1 mesh, 1 triangle
1 exported, 1 skipped, 0 failed
  1 skipped: mesh 1 'solid': no vertices
some.glb: 1 mesh, 1 triangle
$ lathe export none.solid -o none.glb
none.solid: skipped: mesh 1 'solid': no vertices
lathe: none.glb: there is nothing to export
[exit 1]
$ lathe export none.solid tri.solid -o some.glb --json
{"file":"none.solid","ok":true,"skipped":"mesh 1 'solid': no vertices","meshes":0,"triangles":0,"left_out":[{"path":"mesh 1 'solid'","reason":"no vertices"}],"notes":[]}
{"file":"tri.solid","ok":true,"meshes":1,"triangles":1,"left_out":[],"notes":[{"path":"mesh 1 'solid'","reason":"normals looked away from the front of their triangles, and were turned round"}]}
1 exported, 1 skipped, 0 failed
  1 skipped: mesh 1 'solid': no vertices
{"file":"some.glb","ok":true,"written":"some.glb","meshes":1,"triangles":1}

# Two results of one name.
$ cp tri.solid in/tri.SOLID && lathe export in/tri.SOLID in/tri.solid -o same --to obj
made the folder same
in/tri.SOLID: 1 mesh, 1 triangle -> same/tri.obj
lathe: in/tri.solid: would overwrite same/tri.obj, made of in/tri.SOLID
1 exported, 0 skipped, 1 failed
[exit 1]

# Units: the format must know them.
$ lathe export tri.solid -o metres.glb --scale metres
lathe: tri.solid: the length of a unit in tri is not known: give the scale as a number
[exit 1]

# What makes no sense.
$ lathe export tri.solid
lathe export: say where to write: -o OUT.glb, OUT.obj, OUT.csv or OUT.dot, or -o FOLDER with --to
[exit 2]
$ lathe export tri.solid -o out
lathe export: -o names a .glb, an .obj, a .csv, a .dot, or a folder with --to glb, obj, csv or dot
[exit 2]
$ lathe export tri.solid -o x.glb --to obj
lathe export: -o says .glb and --to says obj: one of them is enough
[exit 2]
$ lathe export tri.solid -o - --to glb --json
lathe export: -o - and --json both write to stdout: give one of them
[exit 2]
$ lathe export tri.solid -o -
lathe export: -o - goes with --to glb, obj, csv or dot
[exit 2]
$ lathe export tri.solid tail.solid -o - --to glb
lathe export: -o - takes one file
[exit 2]
$ cp tri.solid odd.obj; lathe export odd.obj --format solid -o odd.obj; cmp odd.obj tri.solid
lathe: odd.obj: would overwrite the input odd.obj
$ lathe export tri.solid -o x.glb --scale 0
lathe export: the scale is 'metres' or a number from 1e-20 to 1e20, not '0'
[exit 2]
$ lathe export tri.solid -o x.glb --textures all
lathe export: argument for option '--textures' must be one of 'names', 'reference'
[exit 2]
$ lathe export tri.solid -o none/x.glb --sclae 2
lathe export: unknown option '--sclae'; did you mean '--scale'?
[exit 2]
$ lathe export crate.nif -o none/x.glb; ls none
crate.nif: skipped: no meshes
lathe: none/x.glb: there is nothing to export
ls: cannot access 'none': No such file or directory
[exit 2]

# Animations and skeletons.
$ lathe export clip.hkx -o clip.glb && strings -n 40 clip.glb | grep -o '"duration".*"annotations":[^]]*'
clip.hkx: 1 animation, 3 bones -> clip.glb
"duration":0.30000001192093,"frame_count":10,"fps":29.999998807907,"looping":false,"annotations":[{"time":0.10000000149012,"text":"FootLeft","track":0},{"time":0.20000000298023,"text":"FootRight","track":0}
$ lathe export clip.hkx waves.hkx -o moves.glb --json
{"file":"clip.hkx","ok":true,"animations":1,"bones":3,"meshes":0,"triangles":0,"left_out":[],"notes":[]}
{"file":"waves.hkx","ok":false,"error":"waves.hkx: clip 'waves' moves no bone of the skeleton 'NPC Root': it is another one's"}
lathe: waves.hkx: clip 'waves' moves no bone of the skeleton 'NPC Root': it is another one's
1 exported, 0 skipped, 1 failed
{"file":"moves.glb","ok":true,"written":"moves.glb","animations":1,"bones":3,"meshes":0,"triangles":0}
[exit 1]
$ lathe export clip.hkx -o clip.csv --euler XYZ && head -n 3 clip.csv
clip.hkx: 1 animation, 3 bones -> clip.csv
  clip: left out, as a .csv cannot hold them: root motion, 2 annotations, 1 float track; importing takes them from the original
frame,time,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz,rx,ry,rz
0,0,NPC Root,1,0,1,0.0155446194,0,0,0.999879122,1,1,1,1.78135401,0,0
0,0,NPC COM,2,0,0,0.0310892388,0,0,0.999516547,1,1,1,3.56313872,0,0
$ lathe export clip.hkx waves.hkx -o both.csv
clip.hkx: 1 animation, 3 bones
lathe: waves.hkx: clip 'waves' moves no bone of the skeleton 'NPC Root': it is another one's
1 exported, 0 skipped, 1 failed
both.csv: 1 animation, 3 bones
[exit 1]
$ lathe export old.sav3 -o old.glb
old.sav3: skipped: save files have no meshes
lathe: old.glb: there is nothing to export
[exit 1]
$ lathe export clip.hkx --skeleton tri.solid -o no.glb; ls no.glb
lathe: clip.hkx: tri.solid: it contains no skeleton
ls: cannot access 'no.glb': No such file or directory
[exit 2]
$ lathe export clip.hkx --mesh none.nif -o no.glb
lathe: none.nif: cannot open: No such file or directory
[exit 1]
$ lathe export clip.hkx --mesh crate.nif --what collision -o no.glb
lathe export: --mesh and --what do not go together: --what is of files without bones
[exit 2]
$ lathe export --help
Usage: lathe export [-h] [--format <name>] [--geometry <[HASH=]PATH>]
       [--dictionary <file>] [--names <file>] [--skeleton <file>]
       [--json] [--files-from <file>] [-0] [--shard <i/n>] [-j <n>]
       [-q] [-o <out>] [--to <kind>] [--mesh <file>] [--euler <order>]
       [--scale <factor>] [--what <what>] [--lod <n>]
       [--textures <how>] [-n] [--resume] [<file>] ...

Write the meshes of files as binary glTF (.glb) or Wavefront .obj with its .mtl. With -o OUT.glb or OUT.obj,
several files become one scene with a node a file; with -o FOLDER and --to, each file becomes a scene of its
own. In the output y is up, and lengths are those of the game unless --scale is given. Left out and listed are
meshes without triangles, triangles or instances with numbers that are not finite, and objects whose geometry
cannot be read. A .glb has one mesh for each precombined object and a node for each of its instances.

Write animations and skeletons as bones of a .glb, with skins from the meshes of --mesh, or as curves in a
.csv. With -o OUT.glb, several animations of one skeleton go into one file, each named after its own file.
--skeleton names the file with the bones that the tracks move.

Write the state machines of a behavior graph as a drawing for Graphviz (.dot).

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
                                Give it again for a model with bones that only a skin uses.
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
   -o <out>, --output <out>     .glb, .obj, .csv or .dot for all, folder for one each, or - for stdout.
   --to <kind>                  Kind of output if -o is a folder or -: glb, obj, csv or dot.
   --mesh <file>                File with the meshes whose skins follow the bones.
   --euler <order>              Add rotations as angles in degrees to a .csv: XYZ turns about x, then y,
                                then z (default: quaternions only).
   --scale <factor>             Factor for all lengths, or metres if the format's unit is known (default: 1).
   --what <what>                geometry (visible meshes) or collision (default: geometry;
                                collision for files without visible meshes).
   --lod <n>                    Export the levels of detail 0 to N: 0, 1 or 2 (default: all levels).
   --textures <how>             How a .glb stores textures: names (in extras) or reference (images with
                                paths relative to the .glb) (default: names).
   -n, --dry-run                Print what would be written; write nothing.
   --resume                     Skip files that an earlier run with --resume finished: input, options, script
                                and lathe are the same, and the result is there. They are listed in
                                OUT/lathe-manifest.jsonl. The first run needs --resume, too.

Examples:
   lathe export Box.solid -o box.glb
   lathe export Models/ -o out/ --to obj
   lathe export body.nif head.nif -o character.glb --scale metres --textures reference
   lathe export Crate.nif -o crate.obj --what collision
   lathe export 0000E2DB_02BE5E11_OC.nif -o cell.glb --lod 0
   lathe export walk.hkx run.hkx --skeleton skeleton.hkx --mesh body.nif -o moves.glb
   lathe export jump.hkx --skeleton skeleton.hkx --skeleton skeleton.nif --mesh body.nif -o jump.glb
   lathe export walk.hkx --skeleton skeleton.hkx -o walk.csv --euler XYZ
   lathe export 0_master.hkx -o 0_master.dot
