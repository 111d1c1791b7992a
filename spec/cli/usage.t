$ lathe --version
lathe 0.1.0
$ lathe --versoin
lathe: unknown option '--versoin'; did you mean '--version'?
[exit 2]
$ lathe chekc tri.solid
lathe: no command and no file 'chekc'; did you mean 'check'?
[exit 2]
$ lathe nonsense
lathe: no command and no file 'nonsense'
[exit 2]
$ lathe scale two tri.solid -n
lathe scale: the factor is a number above 0: 'two' is not a number
[exit 2]
$ for f in -1 0 -0 nan -nan inf -inf 1e999 1,-1,1 '-- -1'; do lathe scale $f tri.solid; done
lathe scale: the factor is a number above 0: '-1' is negative
lathe scale: the factor is a number above 0: '0' is zero
lathe scale: the factor is a number above 0: '-0' is zero
lathe scale: the factor is a number above 0: 'nan' is not a number
lathe scale: the factor is a number above 0: '-nan' is not a number
lathe scale: the factor is a number above 0: 'inf' is infinite
lathe scale: the factor is a number above 0: '-inf' is negative
lathe scale: the factor is a number above 0: '1e999' is infinite
lathe scale: the factor is a number above 0: '-1' is negative
lathe scale: the factor is a number above 0: '-1' is negative
[exit 2]
$ lathe retime --speed -1 clip.hkx -n
lathe retime: a number above 0 is wanted, not '-1'
[exit 2]
$ lathe export tri.solid -o x.glb --scale -.5
lathe export: the scale is 'metres' or a number from 1e-20 to 1e20, not '-.5'
[exit 2]
$ lathe scale 2 tri.solid --in-plce
lathe scale: unknown option '--in-plce'; did you mean '--in-place'?
[exit 2]
$ lathe info
lathe info: missing argument 'files'
[exit 2]
$ lathe info --unknown tri.solid
lathe info: unknown option '--unknown'
[exit 2]
$ lathe help
Usage: lathe [FILE...]                      look into files at a prompt
       lathe --geometry [HASH=]PATH FILE...  … with their geometry file
       lathe --dictionary PATH FILE...       … with the zstd dictionary that they need
       lathe --names PATH FILE...            … with names of what they only number
       lathe --skeleton PATH FILE...         … with the skeleton that names their bones
       lathe COMMAND [options] FILE...      see `lathe help COMMAND`

Open, look into, change and save the binary files of games.

Options:
   -h, --help                   Show this help message and exit.
   --version                    Show the version.

Commands:
   info                         Show what is in files, one screen a file.
   dump                         Show the tree of a file, with offsets and units.
   get                          Print one value of a file.
   set                          Change values of a file.
   diff                         Show what differs between two files, field by field.
   check                        Parse files completely, write them in memory, compare, validate.
   scale                        Make what files hold larger or smaller.
   retime                       Make animations faster or slower.
   trim                         Keep a part of animations.
   reverse                      Play animations backwards.
   resample                     Give animations key frames anew, so many a second.
   concat                       Play another animation behind each.
   mirror                       Let left and right change places in animations.
   root-motion                  Take root motion out of the root's track, or put it back.
   additive                     Make animations that are added to a pose.
   normal                       Put additive animations onto a pose.
   retarget                     Make animations for another skeleton.
   offset                       Move or turn a bone over whole animations.
   loop                         Close the seam of animations that shall loop.
   blend                        Mix animations with another.
   rename                       Rename what is in files: annotations, events, bones.
   materials                    List textures, material files and collision materials, or change their names.
   export                       Write geometry and animations as .glb, .obj or .csv, for other programs.
   import                       Bring clips and skeletons back from other programs.
   convert                      Give files another form.
   precombine                   Make a group of precombined meshes of models and places (Fallout 4).
   formats                      List the formats; with a name: the fields and verbs of one; with a type: its fields.
   run                          Run a mod script over files.
   help                         Show how a command is used.

Examples:
   lathe Box.solid                       open it and try things out
   lathe info Models/                    what is in all of them
   lathe scale 2 Models/ -o bigger/      results beside the originals
$ lathe help trim
Usage: lathe trim [-h] [--format <name>] [--geometry <[HASH=]PATH>]
       [--dictionary <file>] [--names <file>] [--skeleton <file>]
       [--json] [-o <out>] [-i] [--no-backup] [-n] [--t0 <n>]
       [--t1 <n>] <file> [<file>] ...

Keep what lies between two times, with a key frame at both. Files that hold no animation are skipped.

Counted are poses: of a track (bone, number, root motion) at one frame.

Arguments:
   files                        Files, folders (known extensions are taken) or - for stdin.

Options:
   -h, --help                   Show this help message and exit.
   --format <name>              Take the files for this format, whatever they look like.
   --geometry <[HASH=]PATH>     A geometry file (.csg, .psg) of precombined meshes, or a folder of
                                such; without it, the file's own folder and the one above Meshes.
                                HASH= takes it for the file whose name has that hash.
   --dictionary <file>          The zstd dictionary that compressed files (.zs) need.
   --names <file>               Names of what files only number: a table in Lua or JSON with materials,
                                layers, user_tags ... They replace those that are built in.
   --skeleton <file>            The file whose skeleton names the bones of animations.
   --json                       One JSON value a line, for other programs. Where the name of a file
                                is no UTF-8, `file` has U+FFFD and `file_bytes` the bytes in base64.
   -o <out>, --output <out>     The folder to write to, the inputs' tree kept; a file where one is given.
   -i, --in-place               Write each file back where it was; FILE.bak keeps the original,
                                and stays as it is where it is there already.
   --no-backup                  With --in-place: keep no FILE.bak.
   -n, --dry-run                Say what would change, and write nothing.
   --t0 <n>                     Where what is kept begins. Left out: where the clip does. [s]
   --t1 <n>                     Where it ends. Left out: where the clip does. [s]

Examples:
   lathe trim --t0 0.5 --t1 2 walk.hkx -o short.hkx
   lathe trim --t1 1 Animations/ --dry-run
$ lathe help rename
Usage: lathe rename [-h] [--format <name>] [--geometry <[HASH=]PATH>]
       [--dictionary <file>] [--names <file>] [--skeleton <file>]
       [--json] [-o <out>] [-i] [--no-backup] [-n] [--from <text>]
       [--to <text>] [--what <word>] <file> [<file>] ...

Rename annotations of animations, or what else of a name a format can rename, all of exactly that
name.

Arguments:
   files                        Files, folders (known extensions are taken) or - for stdin.

Options:
   -h, --help                   Show this help message and exit.
   --format <name>              Take the files for this format, whatever they look like.
   --geometry <[HASH=]PATH>     A geometry file (.csg, .psg) of precombined meshes, or a folder of
                                such; without it, the file's own folder and the one above Meshes.
                                HASH= takes it for the file whose name has that hash.
   --dictionary <file>          The zstd dictionary that compressed files (.zs) need.
   --names <file>               Names of what files only number: a table in Lua or JSON with materials,
                                layers, user_tags ... They replace those that are built in.
   --skeleton <file>            The file whose skeleton names the bones of animations.
   --json                       One JSON value a line, for other programs. Where the name of a file
                                is no UTF-8, `file` has U+FFFD and `file_bytes` the bytes in base64.
   -o <out>, --output <out>     The folder to write to, the inputs' tree kept; a file where one is given.
   -i, --in-place               Write each file back where it was; FILE.bak keeps the original,
                                and stays as it is where it is there already.
   --no-backup                  With --in-place: keep no FILE.bak.
   -n, --dry-run                Say what would change, and write nothing.
   --from <text>                The whole of the old name.
   --to <text>                  The new name.
   --what <word>                Which kind of names. Left out: all.

Examples:
   lathe rename --from FootLeft --to FootScuffLeft walk.hkx -o scuff.hkx
   lathe rename --from head --to skull --what bones rig.phxbn --in-place
$ lathe help trimm
lathe help: no command 'trimm'; did you mean 'trim'?
[exit 2]
$ lathe help scal
lathe help: no command 'scal'; did you mean 'scale'?
[exit 2]
$ lathe help set
Usage: lathe set [-h] [--format <name>] [--geometry <[HASH=]PATH>]
       [--dictionary <file>] [--names <file>] [--skeleton <file>]
       [--json] [--allow-unknown] [-o <out>] [-i] [--no-backup] [-n]
       <file> <path>=<value> [<path>=<value>] ...

Change values of a file: all that are given, or none. What stands at the path decides how a value is read:

   a number          5, 0x1f, -2.5e3, nan, inf
   true or false
   text              as it stands; wholly in '…' or "…" as a text with the escapes of Lua
   an enumeration    a name or a number
   flags             a list of names, or a number: {specular, skinned}
   vectors, lists    {1, 2, 3}, {x=1, y=2}, {key=value}, or a list or object of JSON. Where text belongs,
                     bare words in them are text: {intro, village}
   a reference       the path of what it shall point to: objects[3]
   null, nil         make a reference point nowhere; nil removes what has a key
                     (levels[1].values["mood"]=nil), and is refused elsewhere; for the text write "nil"

Arguments:
   files                        A file, or - for stdin.
   values                       What to set, such as objects[2].label=head.

Options:
   -h, --help                   Show this help message and exit.
   --format <name>              Take the files for this format, whatever they look like.
   --geometry <[HASH=]PATH>     A geometry file (.csg, .psg) of precombined meshes, or a folder of
                                such; without it, the file's own folder and the one above Meshes.
                                HASH= takes it for the file whose name has that hash.
   --dictionary <file>          The zstd dictionary that compressed files (.zs) need.
   --names <file>               Names of what files only number: a table in Lua or JSON with materials,
                                layers, user_tags ... They replace those that are built in.
   --skeleton <file>            The file whose skeleton names the bones of animations.
   --json                       One JSON value a line, for other programs. Where the name of a file
                                is no UTF-8, `file` has U+FFFD and `file_bytes` the bytes in base64.
   --allow-unknown              Do not warn of names of collision materials that are not known.
   -o <out>, --output <out>     The file to write (- for stdout), or the folder to write it to.
   -i, --in-place               Write each file back where it was; FILE.bak keeps the original,
                                and stays as it is where it is there already.
   --no-backup                  With --in-place: keep no FILE.bak.
   -n, --dry-run                Say what would change, and write nothing.

Examples:
   lathe set Box.solid 'vertices[1].x=2.5' -o Box2.solid
   lathe set Box.solid 'vertices[1]={0, 1, 0}' 'vertices[2].y=-3' --in-place
   lathe set game.sav3 'levels[2].arrays["unlocked_levels"]={intro, village}' -o new.sav3
   lathe set crate.nif 'bodies[1].friction=0.9' --in-place
   lathe set sword.nif 'materials[1].textures.diffuse=textures\mine\sword.dds' --in-place
$ lathe get --help | tail -n 4
Examples:
   lathe get Box.solid 'vertices[1].x'
   lathe get Box.solid 'vertices[1]' --json
   lathe get walk.hkx 'animations[1].annotations[1].text'
$ lathe info --help
Usage: lathe info [-h] [--format <name>] [--geometry <[HASH=]PATH>]
       [--dictionary <file>] [--names <file>] [--skeleton <file>]
       [--json] <file> [<file>] ...

Show what is in files, one screen a file. --json has the same as values, in the order of the file:

   format, description, game, size, compression
   fields       the fields at the top; of an array, how many elements it has
   details      of fields: type (of elements), unit, and meaning: what a number says, such as 20.2.0.7
   links        of fields that point to something: type and path; its lists: name of each element, and refs
   types        of arrays with elements of several types: name, count, opaque (of a type not described)
   meshes       name, positions and triangles (how many), extent (the sides of its box); the last one has
                problem where it cannot be worked out; instances of precombined objects are not among them
   precombined  cell, key, groups (shapes), objects, instances, triangles (of objects), expanded_triangles (of
                instances); geometry_files: hash of the name, objects, problem such as that it is missing;
                left_out: path and reason of what is not drawn, instances (how many)
   materials    shaders, textures (how many), collision: name and count
   bodies       motion and count
   collision    of files that hold nothing that is drawn: meshes and triangles (how many), extent, problem
   skeletons    name, bones, float_slots (how many)
   animations   name, type, duration (s), frame_count, tracks, float_tracks, annotations, looping,
                blend_hint

Arguments:
   files                        Files, folders (known extensions are taken) or - for stdin.

Options:
   -h, --help                   Show this help message and exit.
   --format <name>              Take the files for this format, whatever they look like.
   --geometry <[HASH=]PATH>     A geometry file (.csg, .psg) of precombined meshes, or a folder of
                                such; without it, the file's own folder and the one above Meshes.
                                HASH= takes it for the file whose name has that hash.
   --dictionary <file>          The zstd dictionary that compressed files (.zs) need.
   --names <file>               Names of what files only number: a table in Lua or JSON with materials,
                                layers, user_tags ... They replace those that are built in.
   --skeleton <file>            The file whose skeleton names the bones of animations.
   --json                       One JSON value a line, for other programs. Where the name of a file
                                is no UTF-8, `file` has U+FFFD and `file_bytes` the bytes in base64.

Examples:
   lathe info Box.solid
   lathe info --json Models/
$ lathe diff --help | sed -n '/^Show/,/^Arg/p'
Show what differs between two files of a format, field by field: a line for each, and nothing where they are
the same. How a file is put together (offsets, tables) is not compared; where only that differs, a line says
so. The exit code is 1 where the files differ, and also where one of them cannot be read, which stderr tells;
it is 0 where they are the same. With --json `same` tells that, and `differ_at` the first byte that differs
where no field does.

Arguments:
$ lathe run --help
Usage: lathe run [-h] [--format <name>] [--geometry <[HASH=]PATH>]
       [--dictionary <file>] [--names <file>] [--skeleton <file>]
       [--json] [-o <out>] [-i] [--no-backup] [-n]
       [--max-memory <size>] [--max-seconds <n>] [--trusted] <script>
       <file> [<file>] ...

Run a mod script over files. The script returns a function:

   return function(doc, ctx)
     doc.vertices[1].x = tonumber(ctx.args[1])
   end

What it changes is written, what it leaves alone is not. ctx.path is the file's name, ctx.args holds
what follows --, ctx.output is the folder given with -o, ctx.log(...) writes to stderr. The module is
there as lathe, as at the prompt. An error that the script raises fails that file, and the next one follows;
so does closing the document.

Control characters in what it prints and logs come out as escapes such as \x1b, so that no file's text steers
the terminal; io.write writes bytes as they are where stdout is no terminal.

Scripts run in a sandbox: they read below the folders of the inputs and of the script and what --geometry,
--dictionary and --skeleton name, write below the folder given with -o, but no input, and start no programs.
--trusted lifts that; read the script first.

--dry-run lists the files that the script would write, with their sizes, and keeps them in memory, where
the script can read them. A script that is --trusted still writes through Lua's io and os.

If the script exceeds --max-memory or --max-seconds, that file fails and the next one is processed.
After exceeding --max-memory the script is loaded again, so its variables are reset. Memory that qhull
uses to make a convex hull, and zstd to compress, is not counted. A call into C, such as a slow pattern
search, is stopped when it returns. With --trusted the limits do not stop finalizers (__gc) and debug hooks.
Ctrl-C stops the script and the run, with exit code 130. A second Ctrl-C ends the process at once.

Arguments:
   script                       The script.
   files                        Files, folders (known extensions are taken) or - for stdin.

Options:
   -h, --help                   Show this help message and exit.
   --format <name>              Take the files for this format, whatever they look like.
   --geometry <[HASH=]PATH>     A geometry file (.csg, .psg) of precombined meshes, or a folder of
                                such; without it, the file's own folder and the one above Meshes.
                                HASH= takes it for the file whose name has that hash.
   --dictionary <file>          The zstd dictionary that compressed files (.zs) need.
   --names <file>               Names of what files only number: a table in Lua or JSON with materials,
                                layers, user_tags ... They replace those that are built in.
   --skeleton <file>            The file whose skeleton names the bones of animations.
   --json                       One JSON value a line, for other programs. Where the name of a file
                                is no UTF-8, `file` has U+FFFD and `file_bytes` the bytes in base64.
   -o <out>, --output <out>     The folder to write to, the inputs' tree kept; a file where one is given.
   -i, --in-place               Write each file back where it was; FILE.bak keeps the original,
                                and stays as it is where it is there already.
   --no-backup                  With --in-place: keep no FILE.bak.
   -n, --dry-run                Say what would change, and write nothing.
   --max-memory <size>          Memory of the script and its documents, as 512M or 2G; none: no limit.
                                Default: 32 times the largest input, at least 512M.
   --max-seconds <n>            Wall-clock seconds that the script may take for one file. Default: no limit.
   --trusted                    No sandbox: the script may do all that you may.

Examples:
   lathe run flip_v.lua Models/ -o flipped/
   lathe run raise_model.lua Box.solid --in-place -- 0.5
$ lathe info -- tri.solid | head -n 1
tri.solid
$ lathe get . path
lathe get: '.' is a folder: one file is wanted
[exit 2]
$ lathe info .bin
lathe: .bin: no file of a known format in this folder
[exit 1]
