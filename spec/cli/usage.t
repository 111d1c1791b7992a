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
lathe retime: --speed: a number above 0 expected, got '-1'
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
Usage: lathe [FILE...]                      open files at a prompt
       lathe --geometry [HASH=]PATH FILE...  … with a geometry file
       lathe --dictionary PATH FILE...       … with the zstd dictionary that they need
       lathe --names PATH FILE...            … with names for their numbers
       lathe --skeleton PATH FILE...         … with the skeleton that names their bones
       lathe -e CHUNK FILE...                run Lua on files: `doc` is the first one
       lathe COMMAND [options] FILE...      see `lathe help COMMAND`

Show, edit, convert and save the binary files of games.

Options:
   -h, --help                   Show this help message and exit.
   --version                    Print the version and exit.

Look into files:
   info                         Show an overview of each file.
   preview                      Draw pictures of meshes, collision, skeletons and animations as .png or .svg.
   view                         Make a page to look around in: the model in 3D, its clips, and all fields.
   dump                         Show the tree of a file, with offsets and units.
   get                          Print one value of a file.
   find                         Find files by textures, materials, bones, types or an expression.
   diff                         Show what differs between two files or folders, field by field.
   check                        Check that files are valid, and that lathe reproduces them byte for byte.
   formats                      List the formats and what lathe does with them, or the fields and verbs of one.
   uses                         List what refers to an event, a variable or a state.
   block                        Find the first block of a NIF that has a name.
   bounding-sphere              Print the bounding sphere that the game computes for a model (Lugaru).

Change files:
   set                          Change values of a file.
   scale                        Scale meshes, collision, skeletons and animations.
   rename                       Rename events, variables, states, annotations, bones and the like.
   materials                    List or rename textures, material files and collision materials.
   set-materials                Rename textures, material files and collision materials by a pattern.
   convert                      Convert files to another layout, or to another game.
   set-version                  Convert files to another version of their format (Overgrowth).
   prune                        Remove objects that nothing refers to from Havok packfiles.
   remove-unused-strings        Remove texts from the header of NIFs that no block uses.
   apply                        Apply the differences that diff found to other files.
   build                        Make files of the JSON of dump.
   run                          Run a script over files.
   undo                         Put the backups of --in-place back.

Animations:
   retime                       Make animations faster or slower.
   trim                         Keep a part of animations.
   reverse                      Play animations backwards.
   resample                     Change the number of key frames per second.
   concat                       Append another animation to each.
   mirror                       Swap left and right in animations.
   root-motion                  Move root motion from a bone's track to the animation, or back.
   extract-root-motion          Move the movement of a bone in the ground plane to root motion.
   bake-root-motion             Move root motion back into a bone's track.
   additive                     Make animations additive.
   normal                       Make additive animations normal again.
   retarget                     Convert animations to another skeleton.
   offset                       Move or turn a bone in all frames.
   loop                         Make animations loop without a jump.
   blend                        Blend animations with another.
   encode                       Compress animations again, with another tolerance.
   write                        Replace the poses of an animation by those of another file.
   centre                       Take place and heading out of the poses of animations (Overgrowth).
   uncentre                     Put place and heading back into the poses of animations (Overgrowth).

Behavior graphs:
   replace-animation            Play another animation in the place of one.
   add-event                    Add an event to behavior graphs.
   remove-event                 Remove an event of behavior graphs that nothing refers to.
   add-variable                 Add a variable to behavior graphs.
   remove-variable              Remove a variable of behavior graphs that nothing refers to.
   add-state                    Add a state to a state machine.
   remove-state                 Remove a state that no transition enters.
   add-transition               Let an event lead from one state to another.
   remove-transition            Remove transitions between states.
   add-clip                     Add a clip generator, which plays an animation.

Meshes and collision:
   transform                    Move, turn and scale all of a shape or of precombined meshes.
   recompute                    Compute normals, tangents or bounding spheres of all shapes again.
   set-collision                Make the collision of a node from a mesh, or of a simple shape (Fallout 4).
   remove-collision             Remove the collision of a node.
   set-triangle-materials       Set what each triangle of collision is made of.
   set-mesh                     Replace the triangles of a Phive shape.
   set-geometry                 Replace the geometry of a precombined object (Fallout 4).
   add-object                   Add an object to precombined meshes (Fallout 4).
   precombine                   Make a group of precombined meshes from models and placements (Fallout 4).

Other programs:
   export                       Write geometry and animations as .glb, .obj or .csv, behavior graphs as .dot.
   import                       Read meshes, animations and skeletons that other programs wrote.

Help:
   examples                     List the scripts that come with lathe, explain one, or copy it to change it.
   help                         Show the help of a command.

Examples:
   lathe Box.solid                       open a file at the prompt
   lathe info Models/                    show what each file of a folder holds
   lathe scale 2 Models/ -o bigger/      write results to a new folder
$ lathe help trim
Usage: lathe trim [-h] [--format <name>] [--geometry <[HASH=]PATH>]
       [--dictionary <file>] [--names <file>] [--skeleton <file>]
       [--json] [--files-from <file>] [-0] [--shard <i/n>] [-j <n>]
       [-q] [-o <out>] [-i] [--no-backup] [-n] [--resume]
       [--manifest <file>] [--at <path>] [<t0>] [<t1>] [<file>] ...

Keep the part between two times, with a key frame at both ends. Files without animations are skipped.

Results count poses: one track (bone, float slot, root motion) in one frame.

Arguments:
   t0                           Start of the part to keep. Default: start of the animation. Unit: s.
                                Also as an option: --t0 <n>.
   t1                           End of the part to keep. Default: end of the animation. Unit: s. Also as
                                an option: --t1 <n>.
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
   --at <path>                  Path of an animation, such as animations[2].
                                Give it again for several. Default: the whole file.

Examples:
   lathe trim 0.25 0.75 wave.hkx -o short.hkx
   lathe trim --t1 0.5 Animations/ --dry-run
   lathe trim 0 0.5 wave.hkx --at 'animations[1]' --in-place
$ lathe help rename
Usage: lathe rename [-h] [--what <word>] [--format <name>]
       [--geometry <[HASH=]PATH>] [--dictionary <file>]
       [--names <file>] [--skeleton <file>] [--json]
       [--files-from <file>] [-0] [--shard <i/n>] [-j <n>] [-q]
       [-o <out>] [-i] [--no-backup] [-n] [--resume]
       [--manifest <file>] [--at <path>] <from> <to> [<file>] ...

Rename an event, a variable or a state of behavior graphs, annotations of animations, or other names that the
format can rename: --what says which. The whole name must match. In a behavior graph, ids stay as they are,
expressions that name the event or variable follow, and a name that something else has is refused.

Arguments:
   from                         Old name; the whole name must match. Also as an option: --from <text>.
   to                           New name. Also as an option: --to <text>.
   files                        Files, folders (searched for known extensions), or - for stdin.

Options:
   -h, --help                   Show this help message and exit.
   --what <word>                Kind of names to change. Default: all. Files with a behavior graph need
                                it. One of events, variables, states, annotations, all, bones, labels,
                                keys.
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
   --at <path>                  Path of an animation, such as animations[2].
                                Give it again for several. Default: the whole file.

Examples:
   lathe rename gestureStart gestureBegin --what events behavior.hkx -o renamed.hkx
   lathe rename WaveTop WaveHigh wave.hkx -o high.hkx
   lathe rename --from handclap --to clap --what events Animations/ --dry-run
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

Change values of a file: all of them, or none if one fails. The type of the field decides how VALUE is read:

   a number          5, 0x1f, -2.5e3, nan, inf
   a boolean         true or false
   text              as typed; inside '…' or "…" with the escapes of Lua
   an enumeration    a name or a number
   flags             a list of names, or a number: {specular, skinned}
   vectors, lists    {1, 2, 3}, {x=1, y=2}, {key=value}, or a JSON array or object. In lists of text, words
                     need no quotes: {intro, village}
   a reference       the path of the target: objects[3]
   null, nil         clear a reference; nil also removes an element that has a key
                     (levels[1].values["mood"]=nil). For the text nil, write "nil"

Arguments:
   files                        File, or - for stdin.
   values                       Path and new value, such as objects[2].label=head.

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
   --allow-unknown              Do not warn about collision materials that lathe does not know.
   -o <out>, --output <out>     File to write (- for stdout), or folder to write it to.
   -i, --in-place               Replace each file. FILE.bak keeps the original; a FILE.bak that
                                exists already stays as it is.
   --no-backup                  With --in-place, do not keep a FILE.bak.
   -n, --dry-run                Print what would change; write nothing.

Examples:
   lathe set Box.solid 'vertices[1].x=2.5' -o Box2.solid
   lathe set Box.solid 'vertices[1]={0, 1, 0}' 'vertices[2].y=-3' --in-place
   lathe set game.sav3 'levels[2].arrays["unlocked_levels"]={intro, village}' -o new.sav3
   lathe set crate.nif 'bodies[1].friction=0.9' --in-place
   lathe set sword.nif 'materials[1].textures.diffuse=textures\mine\sword.dds' --in-place
$ lathe get --help | tail -n 4
   lathe get Box.solid 'vertices[1].x'
   lathe get Box.solid 'vertices[1]' --json
   lathe get walk.hkx 'animations[1].annotations[1].text'
   lathe get skeleton.hkx 'skeletons[1].bones["NPC Head"].pose.t'
$ lathe info --help
Usage: lathe info [-h] [--format <name>] [--geometry <[HASH=]PATH>]
       [--dictionary <file>] [--names <file>] [--skeleton <file>]
       [--json] [--files-from <file>] [-0] [--shard <i/n>] [-j <n>]
       [-q] [--machine <name>] [--full] [--at <path>] [<file>] ...

Show an overview of each file. Of a behavior graph it is one screen of the tree: state machines, their
states, the events that lead from state to state, and what the states play. With --json, print these members:

   path            With --at: the path.
   value           With --at: the value.
   description     Name of the format.
   game            Game.
   size            Size in bytes.
   container       Container, such as xml.
   compression     Compression.
   fields          Fields of the document; of an array, its number of elements.
   details         What is known about fields, by name. Members: type, unit, meaning.
   links           Fields that are references. Members: type, path.
   types           Of arrays with elements of several types. Members: name, count, opaque.
   meshes          Meshes, without instances of precombined objects. Members: name, positions, triangles,
                   extent, turned, problem.
   precombined     Precombined geometry. Members: cell, key, groups, objects, instances, triangles,
                   expanded_triangles, geometry_files, left_out.
   materials       Numbers of materials. Members: shaders, textures, collision.
   bodies          Bodies by kind of motion. Members: motion, count.
   collision       Collision, if there are no visible meshes. Members: meshes, triangles, extent,
                   problem.
   skeletons       Skeletons. Members: name, bones, float_slots.
   animations      Animations. Members: name, type, duration, frame_count, tracks, float_tracks,
                   annotations, looping, blend_hint.
   graph           Behavior graph. Members: name, path, events, variables, states, transitions, clips,
                   root, nodes, problem.
   character       Character or project. Members: kind, name, path, files, animations, problem.

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
   --machine <name>             Show only this state machine of a behavior graph, and what is below it.
   --full                       Show all of a behavior graph, and all fields of its file (default: one screen).
   --at <path>                  Show only what this path leads to, as `lathe get` does (default: all of the file).

Examples:
   lathe info Box.solid
   lathe info --json Models/
   lathe info --machine GuardRoot behavior.hkx
   lathe info --at 'bodies[1].material' Models/
$ lathe diff --help | sed -n '/^Show/,/^Arg/p'
Show what differs between two files of the same format, one line a field. An element that was inserted or
removed is one line: what follows from it, such as counts and renumbered references, is not told. Bookkeeping
such as offset tables is not compared; if nothing else differs, a line says so. Of two folders, files with the
same relative path are compared, and those that only one folder has are listed.

Exit code: 0 if the files are equal, 1 if they differ or one of them cannot be read (stderr says which).

With --json, the output for two files is a patch, which `lathe apply` applies to other files. `same` is true
for equal files, `complete` if the patch makes the second file of the first one, byte for byte; else `missing`
says what it cannot do. `differ_at` is the first byte that differs if no field does. JSON members:

   other           Path of the second file.
   same            True if the files are equal.
   only            The only folder that has the file.
   differ_at       Offset of the first different byte, if no field differs.
   patch           Version of the form of patches.
   game            Game of the files.
   tolerance       Differences of floats up to this are left out.
   complete        True if apply makes the second file of the first one, byte for byte.
   missing         What apply cannot do. Members: path, reason.
   notes           Arrays in which inserted elements cannot be told from edited ones. Members: path,
                   reason.
   changes         Differences. Members: path, at, length, old, old_name, new, new_name, added, removed,
                   whole, late, follows, cannot, name, frames, translation, translation_frame, rotation,
                   rotation_frame, scale, scale_frame, value, value_frame.

Arguments:
$ lathe run --help
Usage: lathe run [-h] [--format <name>] [--geometry <[HASH=]PATH>]
       [--dictionary <file>] [--names <file>] [--skeleton <file>]
       [--json] [--files-from <file>] [-0] [--shard <i/n>] [-j <n>]
       [-q] [-o <out>] [-i] [--no-backup] [-n] [--resume]
       [--manifest <file>] [--max-memory <size>] [--max-seconds <n>]
       [--read <dir>] [--prompt] [--trusted] <script> [<file>] ...

Run a script over files. The script returns a function:

   return function(doc, ctx)
     doc.vertices[1].x = tonumber(ctx.args[1])
   end

lathe loads the script anew for each file, calls the function, and writes the files that it changed.
ctx.path is the file's path, ctx.args the arguments behind --, ctx.output the folder of -o; ctx.log(...)
writes to stderr. The module is the global lathe, as at the prompt. If the script raises an error or closes
the document, that file fails and the next one is processed. No variable is seen by the next file, and the
numbers of math.random depend only on the file's path.

The script itself gets the arguments as `...`. It can check them there, in front of its function: lathe loads
it once before the first file, and if it raises an error then, nothing is done (exit code 2).

For totals the script returns two functions:

   return {
     each = function(doc, ctx) return #doc.vertices end,
     finish = function(results, ctx)
       for _, file in ipairs(results) do print(file.path, file.value or file.error or file.skipped) end
     end,
   }

finish is called once, after the last file, in a script state of its own. results has an element for each
file, in the order of the input: `path`, and `value`, which is what each returned (nil, booleans, numbers,
strings and tables of these), or `error` or `skipped`, the reason why there is none. It can write files below
ctx.output, such as one that is made of all inputs.

print and ctx.log show control characters as escapes such as \x1b, so that no file can send commands to the
terminal. io.write writes bytes as they are if stdout is not a terminal.

Scripts run in a sandbox: they may read below the folders of the inputs and of the script, and what --read,
--geometry, --dictionary and --skeleton name; they may write below the folder of -o, but not to an input; they
cannot start programs. ctx.files(folder) lists the files below a folder that they may read, as paths relative
to it. --trusted lifts that: read the script first.

--prompt runs the script over the files, then prompts with them. All files share one state of the script
there, whose global variables the prompt has. What is typed is in the sandbox, too, except save() and open().
Nothing is written until save(), which writes each changed file and keeps a .bak.

--dry-run lists the files that the script would write, with their sizes, and keeps them in memory, where
the script can read them. It works on one file at a time. With --trusted, a script can still write through
Lua's io and os.

--resume does all files again if the script has changed, or a module that it loads before the first file. It
does not notice changes of other files that the script reads, nor of those that it writes itself. What each
returned is kept in the manifest for finish.

If the script exceeds --max-memory or --max-seconds, that file fails and the next one is processed. Memory
that qhull uses to make a convex hull, and zstd to compress, is not counted. A call into C, such as a slow
pattern search, is stopped when it returns. With --trusted the limits do not stop finalizers (__gc) and debug
hooks. Ctrl-C stops the script and the run, with exit code 130. A second Ctrl-C ends the process at once.

Arguments:
   script                       Lua file that returns the function, - for stdin, or @NAME: a script of
                                `lathe examples`.
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
   --max-memory <size>          Memory limit of the script and its documents, such as 512M or 2G, or none
                                (default: 32 times the largest input, at least 512M).
   --max-seconds <n>            Time limit for each file, in seconds of wall-clock time (default: none).
   --read <dir>                 Folder that the script may read, besides those of the inputs. May be repeated.
   --prompt                     Run the script over the files, then prompt with them: save() writes them.
   --trusted                    Run without a sandbox: the script may do everything that you may.

Examples:
   lathe run @slow-idles Animations/ -o slow/ -- 20
   lathe run flip_v.lua Models/ -o flipped/
   lathe run flip_v.lua Box.solid --prompt
   lathe run raise_model.lua Box.solid --in-place -- 0.5
$ lathe info -- tri.solid | head -n 1
tri.solid
$ lathe get . path
lathe get: '.' is a folder: a file expected
[exit 2]
$ lathe set . a=1 -n
lathe set: '.' is a folder: a file expected; `lathe run SCRIPT` changes many files (see `lathe help run`)
[exit 2]
$ lathe set tri.solid tri.solid a=1 -n
lathe set: 'tri.solid' is a second file: set takes one; `lathe run SCRIPT` changes many files (see `lathe help run`)
[exit 2]
$ lathe set tri.solid 'vertices[1].x = 2' -n
tri.solid: would change (1 change)
  vertices[1].x: 0 -> 2
$ lathe set tri.solid a -n
lathe set: 'a' is not PATH=VALUE
[exit 2]
$ echo text > notes.txt && lathe scale 2 tri.solid tri.solid -o notes.txt
lathe scale: -o notes.txt is a file: a folder expected, or a file of the input's format
[exit 2]
$ lathe scale 2 tri.solid -o notes.txt
lathe scale: -o notes.txt is a file: a folder expected, or a file of the input's format
[exit 2]
$ lathe import notes.txt -o tri.solid
lathe import: 'notes.txt': an .obj, .glb, .gltf or .csv expected
[exit 2]
$ lathe diff . missing
lathe diff: '.' is a folder, 'missing' does not exist
[exit 2]
$ lathe retime -2 tri.solid -n
lathe retime: unexpected number '-2'
[exit 2]
$ lathe info .bin
lathe: .bin: no file of a known format in this folder
[exit 1]
