# Into a folder: what is done is skipped, also with other numbers of workers.
$ mkdir in && for i in 1 2 3; do cp tri.solid in/$i.solid; done && cp tail.solid cut.solid in
$ lathe scale 2 in -o out --resume
made the folder out
in/1.solid: 3 changes -> out/1.solid
in/2.solid: 3 changes -> out/2.solid
in/3.solid: 3 changes -> out/3.solid
in/tail.solid: 3 changes -> out/tail.solid
lathe: in/cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
4 changed, 0 unchanged, 1 failed
[exit 1]
$ lathe scale 2 in -o out --resume -j 1 --dry-run
in/1.solid: already done
in/2.solid: already done
in/3.solid: already done
in/tail.solid: already done
lathe: in/cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
0 would change, 0 unchanged, 4 already done, 1 failed
[exit 1]
$ lathe scale 2 in -o out --resume -j 2 --json
{"file":"in/1.solid","ok":true,"written":"out/1.solid","already_done":true}
{"file":"in/2.solid","ok":true,"written":"out/2.solid","already_done":true}
{"file":"in/3.solid","ok":true,"written":"out/3.solid","already_done":true}
{"file":"in/cut.solid","ok":false,"error":"in/cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes","code":"bounds","where":"solid","offset":0}
{"file":"in/tail.solid","ok":true,"written":"out/tail.solid","already_done":true}
lathe: in/cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
0 changed, 0 unchanged, 4 already done, 1 failed
[exit 1]

# A result that is gone or was edited, and an input that changed, are done again.
$ rm out/1.solid && echo >> out/2.solid && cp tail.solid in/3.solid
$ lathe scale 2 in -o out --resume
in/1.solid: 3 changes -> out/1.solid
in/2.solid: 3 changes -> out/2.solid
in/3.solid: 3 changes -> out/3.solid
lathe: in/cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
3 changed, 0 unchanged, 1 already done, 1 failed
[exit 1]
$ cmp out/1.solid out/2.solid && cmp out/3.solid out/tail.solid

# The same files under another folder, from a list, or in parts, are the same.
$ cp -r in moved && cd moved && find . -name '*.solid' | sort | lathe scale 2 --files-from - -o ../out --resume
lathe: ./cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes (stdin:4)
0 changed, 0 unchanged, 4 already done, 1 failed
[exit 1]
$ lathe scale 2 in/1.solid in/2.solid --shard 1/1 -o out --resume
shard 1/1: 2 of 2 files
0 changed, 0 unchanged, 2 already done, 0 failed

# Other options are another job. The manifest holds both.
$ lathe scale 3 in -o out --resume
out/lathe-manifest.jsonl is of another job (factor 2 before, 3 now): all files are done again
in/1.solid: 3 changes -> out/1.solid
in/2.solid: 3 changes -> out/2.solid
in/3.solid: 3 changes -> out/3.solid
in/tail.solid: 3 changes -> out/tail.solid
lathe: in/cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
4 changed, 0 unchanged, 1 failed
[exit 1]
$ lathe scale 3 in -o out --resume | tail -n 0
lathe: in/cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
0 changed, 0 unchanged, 4 already done, 1 failed
$ grep -c lathe_manifest out/lathe-manifest.jsonl
2
$ lathe retime --speed 2 in -o out --resume --dry-run
out/lathe-manifest.jsonl is of another job (command scale before, retime now): all files are done again
in/1.solid: skipped: solid files have no retime
in/2.solid: skipped: solid files have no retime
in/3.solid: skipped: solid files have no retime
in/tail.solid: skipped: solid files have no retime
lathe: in/cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
0 would change, 0 unchanged, 4 skipped, 1 failed
  4 skipped: solid files have no retime
[exit 1]

# Files that need no change are recorded, too.
$ lathe scale 1 in/1.solid in/2.solid -o same --resume
made the folder same
in/1.solid: unchanged
  note: nothing to do: no value of the file would change
in/2.solid: unchanged
  note: nothing to do: no value of the file would change
0 changed, 2 unchanged, 0 failed
$ lathe scale 1 in/1.solid in/2.solid -o same --resume
0 changed, 0 unchanged, 2 already done, 0 failed
$ sed 's/[0-9a-f]\{16,\}/HASH/g' same/lathe-manifest.jsonl
{"lathe_manifest":1,"lathe":"0.1.0","command":"scale","job":"HASH","options":{"factor":"1"}}
{"file":"1.solid","job":"HASH","input":"HASH","unchanged":true}
{"file":"2.solid","job":"HASH","input":"HASH","unchanged":true}

# In place: nothing is done twice.
$ mkdir mine && for i in 1 2 3; do cp tri.solid mine/$i.solid; done
$ lathe scale 2 mine --in-place --resume --manifest mine.jsonl
mine.jsonl is new: files that an earlier run without it has changed are changed again
mine/1.solid: 3 changes
mine/2.solid: 3 changes
mine/3.solid: 3 changes
3 changed, 0 unchanged, 0 failed
$ lathe scale 2 mine --in-place --resume --manifest mine.jsonl
0 changed, 0 unchanged, 3 already done, 0 failed
$ cp tri.solid mine/2.solid && echo >> mine/3.solid
$ lathe scale 2 mine --in-place --resume --manifest mine.jsonl
mine/2.solid: 3 changes
lathe: mine/3.solid: it is neither the original nor the result that the manifest has of it; left as it is
1 changed, 0 unchanged, 1 already done, 1 failed
[exit 1]
$ cmp mine/1.solid mine/2.solid && cmp mine/1.solid.bak tri.solid

# Also where the folder was moved with its manifest, and where a file got another name.
$ mkdir there && mv mine mine.jsonl there && cp tri.solid there/mine/3.solid && mv there/mine/1.solid there/mine/one.solid
$ lathe scale 2 there/mine --in-place --resume --manifest there/mine.jsonl
there/mine/3.solid: 3 changes
lathe: there/mine/one.solid: it is the result that the manifest has of mine/1.solid, which is gone: was it renamed? Left as it is
1 changed, 0 unchanged, 1 already done, 1 failed
[exit 1]
$ cmp there/mine/one.solid there/mine/2.solid

# Put back, files are done anew.
$ lathe undo there/mine/2.solid
there/mine/2.solid: put back there/mine/2.solid.bak
$ lathe scale 2 there/mine/2.solid --in-place --resume --manifest there/mine.jsonl
there/mine/2.solid: 3 changes
$ lathe scale 2 there/mine/2.solid --in-place --resume --manifest there/mine.jsonl
there/mine/2.solid: already done

# In place, a manifest of another job is refused.
$ lathe scale 3 there/mine --in-place --resume --manifest there/mine.jsonl
lathe: there/mine.jsonl: it is of another job (factor 2 before, 3 now). Name another manifest for another job. To begin anew, put the files back with `lathe undo` and delete the manifest
[exit 1]
$ lathe retime --speed 2 there/mine --in-place --resume --manifest there/mine.jsonl
lathe: there/mine.jsonl: it is of another job (command scale before, retime now). Name another manifest for another job. To begin anew, put the files back with `lathe undo` and delete the manifest
[exit 1]

# A manifest of results in a folder says nothing about those files in place.
$ lathe scale 3 out --in-place --resume --manifest out/lathe-manifest.jsonl
lathe: out/lathe-manifest.jsonl: it is of another job (factor 2 before, 3 now; in-place not given before, true now). Name another manifest for another job. To begin anew, put the files back with `lathe undo` and delete the manifest
[exit 1]

# So is one of another version of lathe or of the manifest, one that is cut or damaged, and what is none.
$ sed 's/"lathe":"[^"]*"/"lathe":"0.0.9"/; s/"job":"./"job":"e/' there/mine.jsonl > there/old.jsonl
$ lathe scale 2 there/mine --in-place --resume --manifest there/old.jsonl | sed "s/ is [0-9.]*\. / is VERSION. /"
lathe: there/old.jsonl: it is of another job (lathe 0.0.9 before, 0.1.0 now). Name another manifest for another job. To begin anew, put the files back with `lathe undo` and delete the manifest
$ cp out/lathe-manifest.jsonl kept.jsonl
$ sed 's/"lathe_manifest":1/"lathe_manifest":2/' kept.jsonl > out/lathe-manifest.jsonl
$ lathe scale 2 in -o out --resume
lathe: out/lathe-manifest.jsonl:1: a manifest of another version of lathe: format 2, and this one knows format 1. To do all files again, delete the manifest
[exit 1]
$ head -c 700 kept.jsonl > out/lathe-manifest.jsonl
$ lathe scale 2 in -o out --resume
lathe: out/lathe-manifest.jsonl:4: the line is cut. If a full disk or a power cut ended the last run, delete this line: its file was not written. To do all files again, delete the manifest
[exit 1]
$ sed '3s/"file"/"fil"/' kept.jsonl > out/lathe-manifest.jsonl
$ lathe scale 2 in -o out --resume
lathe: out/lathe-manifest.jsonl:3: the line is damaged. To do all files again, delete the manifest
[exit 1]
$ echo hello > out/lathe-manifest.jsonl
$ lathe scale 2 in -o out --resume
lathe: out/lathe-manifest.jsonl:1: this is no manifest of lathe. Move it away, or give another folder with -o
[exit 1]
$ head -c 1000 there/mine.jsonl > there/cut.jsonl
$ lathe scale 2 there/mine --in-place --resume --manifest there/cut.jsonl
lathe: there/cut.jsonl:5: the line is cut. If a full disk or a power cut ended the last run, delete this line: its file was not written. To begin anew, put the files back with `lathe undo` and delete the manifest
[exit 1]
$ lathe scale 2 there/mine --in-place --resume --manifest there
lathe: there: this is no manifest of lathe. Name another file with --manifest
[exit 1]
$ lathe scale 2 there/mine --in-place --resume --manifest none/m.jsonl
lathe: none/m.jsonl: cannot write: No such file or directory
[exit 1]
$ cp kept.jsonl out/lathe-manifest.jsonl

# A dry run writes no manifest.
$ lathe scale 2 tri.solid --in-place --resume --manifest new.jsonl --dry-run | head -n 1
tri.solid: would change (3 changes)
$ lathe scale 2 tri.solid -o new --resume --dry-run | head -n 1
tri.solid: would change (3 changes)
$ ls new new.jsonl
ls: cannot access 'new': No such file or directory
ls: cannot access 'new.jsonl': No such file or directory
[exit 2]

# A manifest is no input.
$ lathe scale 2 out/1.solid out/lathe-manifest.jsonl -o out5 --resume
made the folder out5
out/1.solid: 3 changes -> out5/1.solid
out/lathe-manifest.jsonl: skipped: it is a manifest of --resume
1 changed, 0 unchanged, 1 skipped, 0 failed
  1 skipped: it is a manifest of --resume
$ cp tri.solid odd.solid && lathe scale 2 odd.solid tri.solid --in-place --resume --manifest odd.solid
lathe: odd.solid:1: this is no manifest of lathe. Name another file with --manifest
[exit 1]

# Options that contradict each other.
$ lathe scale 2 in --resume
lathe scale: say where to write: -o OUT or --in-place (or look first with --dry-run)
[exit 2]
$ lathe scale 2 in --dry-run --resume
lathe scale: --resume needs -o FOLDER, or --in-place with --manifest FILE
[exit 2]
$ lathe scale 2 in --in-place --resume
lathe scale: --resume with --in-place needs --manifest FILE
[exit 2]
$ lathe scale 2 in -o out --resume --manifest m.jsonl
lathe scale: --manifest goes with --in-place; with -o, the manifest is OUT/lathe-manifest.jsonl
[exit 2]
$ lathe scale 2 in -o out --manifest m.jsonl
lathe scale: --manifest goes with --resume
[exit 2]
$ lathe scale 2 in/1.solid -o one.solid --resume
lathe scale: --resume needs -o FOLDER, or --in-place with --manifest FILE
[exit 2]
$ lathe export in -o all.glb --resume
lathe export: --resume needs -o FOLDER, or --in-place with --manifest FILE
[exit 2]
$ lathe convert in --to shared --into x.csg -o conv --resume
lathe convert: --resume does not go with --into: the geometry file is the result of all files together
[exit 2]

# Each file of an export.
$ lathe export in/1.solid in/2.solid -o objs --to obj --resume
made the folder objs
in/1.solid: 1 mesh, 1 triangle -> objs/1.obj
in/2.solid: 1 mesh, 1 triangle -> objs/2.obj
2 exported, 0 already done, 0 failed
$ rm objs/2.obj && lathe export in/1.solid in/2.solid -o objs --to obj --resume
in/2.solid: 1 mesh, 1 triangle -> objs/2.obj
1 exported, 1 already done, 0 failed
