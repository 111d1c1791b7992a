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
lathe scale: the factor is a number, not 'two'
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
   materials                    List textures, material files and collision materials, or change their names.
   export                       Write geometry as .glb or .obj, for other programs.
   convert                      Give files another form.
   formats                      List the formats; with a name: the fields and verbs of one; with a type: its fields.
   run                          Run a mod script over files.
   help                         Show how a command is used.

Examples:
   lathe Box.solid                       open it and try things out
   lathe info Models/                    what is in all of them
   lathe scale 2 Models/ -o bigger/      results beside the originals
$ lathe help trim
'trim' is a verb of documents, for Lua: see `lathe formats anm`.
$ lathe help rename
'rename' is a verb of documents, for Lua: see `lathe formats fzx`, `lathe formats save`, `lathe formats anm`, `lathe formats phxbn`.
$ lathe help trimm
lathe help: no command 'trimm'; did you mean 'trim'?
[exit 2]
$ lathe help scal
lathe help: no command 'scal'; did you mean 'scale'?
[exit 2]
$ lathe help set
Usage: lathe set [-h] [--format <name>] [--json] [-o <out>] [-i]
       [--no-backup] [-n] <file> <path>=<value> [<path>=<value>] ...

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
   --json                       One JSON value a line, for other programs.
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
$ lathe get --help | tail -n 3
Examples:
   lathe get Box.solid 'vertices[1].x'
   lathe get Box.solid 'vertices[1]' --json
$ lathe run --help
Usage: lathe run [-h] [--format <name>] [--json] [-o <out>] [-i]
       [--no-backup] [-n] [--trusted] <script> <file> [<file>] ...

Run a mod script over files. The script returns a function:

   return function(doc, ctx)
     doc.vertices[1].x = tonumber(ctx.args[1])
   end

What it changes is written, what it leaves alone is not. ctx.path is the file's name, ctx.args holds
what follows --, ctx.output is the folder given with -o, ctx.log(...) writes to stderr. The module is
there as lathe, as at the prompt.

Scripts run in a sandbox: they read below the folders of the inputs and of the script, write below
the folder given with -o, and start no programs. --trusted lifts that; read the script first.

Arguments:
   script                       The script.
   files                        Files, folders (known extensions are taken) or - for stdin.

Options:
   -h, --help                   Show this help message and exit.
   --format <name>              Take the files for this format, whatever they look like.
   --json                       One JSON value a line, for other programs.
   -o <out>, --output <out>     The folder to write to, the inputs' tree kept; a file where one is given.
   -i, --in-place               Write each file back where it was; FILE.bak keeps the original,
                                and stays as it is where it is there already.
   --no-backup                  With --in-place: keep no FILE.bak.
   -n, --dry-run                Say what would change, and write nothing.
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
