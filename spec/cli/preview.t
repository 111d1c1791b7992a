# One file, one picture.
$ lathe preview tri.solid -o tri.png --size 320x240
tri.solid: 320 x 240, 1 triangle -> tri.png
$ head -c 4 tri.png | tail -c 3; echo
PNG
$ lathe preview tri.solid -o out/tri.svg && head -c 4 out/tri.svg; echo
made the folder out
tri.solid: 1024 x 768, 1 triangle -> out/tri.svg
<svg

# Several files become a sheet, or a picture each.
$ lathe preview tri.solid tail.solid none.solid -o sheet.png
lathe: none.solid: cannot open: No such file or directory
2 drawn, 0 skipped, 1 failed
sheet.png: 2 files, 1024 x 384, 2 triangles
[exit 1]
$ mkdir in && cp tri.solid tail.solid in
$ lathe preview in -o pictures/ -j 1
made the folder pictures/
in/tail.solid: 1024 x 768, 1 triangle -> pictures/tail.png
in/tri.solid: 1024 x 768, 1 triangle -> pictures/tri.png
2 drawn, 0 skipped, 0 failed
$ lathe preview in -o pictures --to svg -n
in/tail.solid: would draw -> pictures/tail.svg
in/tri.solid: would draw -> pictures/tri.svg
2 would draw, 0 skipped, 0 failed
$ lathe preview in -o pictures --json -j 1 --size 200x200
{"file":"in/tail.solid","ok":true,"written":"pictures/tail.png","width":200,"height":200,"triangles":1,"left_out":[],"notes":[]}
{"file":"in/tri.solid","ok":true,"written":"pictures/tri.png","width":200,"height":200,"triangles":1,"left_out":[],"notes":[]}
2 drawn, 0 skipped, 0 failed
$ lathe preview --json tri.solid tail.solid -o both.png
{"file":"tri.solid","ok":true}
{"file":"tail.solid","ok":true}
2 drawn, 0 skipped, 0 failed
{"file":"both.png","ok":true,"written":"both.png","width":1024,"height":384,"triangles":2,"left_out":[],"notes":[]}

# Textures that are not there are listed.
$ mkdir Data && cp examples/stock.nif . && lathe preview stock.nif -o stock.png --data Data
stock.nif: 1024 x 768, 2928 triangles -> stock.png
  left out: textures\workshop\ash_d.dds: drawn without the texture: not in Data
$ lathe preview stock.nif -o stock.png --data nowhere
lathe: nowhere: No such file or directory
[exit 1]

# Wrong options.
$ lathe preview tri.solid
lathe preview: say where to write: -o OUT.png, OUT.svg or FOLDER/
[exit 2]
$ lathe preview tri.solid -o tri.gif
lathe preview: -o names a .png, an .svg or a folder (ending in /), not 'tri.gif'
[exit 2]
$ lathe preview tri.solid -o tri.png --to svg
lathe preview: -o says .png and --to says svg: one of them is enough
[exit 2]
$ lathe preview tri.solid -o tri.png --size 10x10
lathe preview: the size is at least 64x64 and at most 16777216 pixels in all, not '10x10'
[exit 2]
$ lathe preview tri.solid -o tri.png --size big
lathe preview: the size is WIDTHxHEIGHT in pixels, such as 1024x768, not 'big'
[exit 2]
$ lathe preview tri.solid -o tri.png --what colision
lathe preview: argument for option '--what' must be one of 'auto', 'meshes', 'collision', 'skeleton', 'pose', 'strip', 'track', 'cell'
[exit 2]
$ lathe preview tri.solid -o tri.png --frames 3 --time 1
lathe preview: --frames and --time do not go together: give one of them
[exit 2]
$ lathe preview tri.solid -o tri.png --what meshes --track Head
lathe preview: --track is for --what track, not for meshes
[exit 2]
$ lathe preview tri.solid -o tri.png --time -1
lathe preview: seconds from 0 expected, not '-1'
[exit 2]
$ lathe preview tri.solid tail.solid -o tri.png --against tri.solid
lathe preview: --against takes one file to compare with
[exit 2]
$ lathe preview tri.solid -o pictures --against tri.solid
lathe preview: --against goes with one picture: -o OUT.png or OUT.svg
[exit 2]
$ lathe preview stock.nif -o stock.png --fit colision
lathe: stock.nif: nothing that is drawn is named 'colision'
[exit 1]
$ lathe preview tri.solid -o tail.solid/where.png
lathe: tri.solid: tail.solid/where.png: cannot make its folder: Not a directory
[exit 1]
$ lathe preview tri.solid -o far/ -n && ls far
tri.solid: would draw -> far/tri.png
ls: cannot access 'far': No such file or directory
[exit 2]
