# A group of precombined meshes, made of models and places.
$ echo H4sIAAAAAAACA7WSz0rDQBDGJ4lVKB5ERcRTHkBCKYJFkIRE68WK0OKpIKk7bQNtt2xWtLfgyaOP4tGHqBdfqM5uEoy2VIQ6ybeb+e2f2XzJRTjEjphwux4N0K5zMQzloX2DIo74yK5WnKpTcY7LG2DuGpsAsE56IhnZVYIyZX6zHjK84gzTrCWiZj8c477OLqNeX0ajHiGG4lrwMQo52dZjKWvho7wX2ES5p+l5t4t38vt8VdMEi9o1aNGsD9Iz6YD0RuqTLNIOqURq0GkG6kGfRNFGKFFE4SBuP3DOnE4vHkIhZhQwF4n7e564aq2pbQE6XtqvYk9Kgoz5AFtBXkf1JVXpxQNT12zPl3FnoDZIgiUsyNn7dHr6k6WWg7YddL/srdKwFrBl8/8aan/1k6lPeMscxuJ8ZHWe6zGPblLipV5nnptkzquha1ngfy2vwRF42jPVeBmrFRjAmWYnRab8Nf/BpUWR+/MJXkxXY/MDAAA= | base64 -d | gunzip > wall.nif
$ printf '%s\n' '# two walls' file,x,y,z,c,scale wall.nif,1024,-512,0,0,1 wall.nif,1024,-512,0,90,1.5 > walls.csv
$ lathe precombine walls.csv -o 0000E2DB_02BE5E11_OC.nif --degrees
walls.csv: 2 instances of 1 object in 1 shape, 4 triangles -> 0000E2DB_02BE5E11_OC.nif
  left alone: wall.nif: blocks[5]: BSEffectShaderProperty: only a BSLightingShaderProperty can be combined
  warning: positions of 1 shape are rounded to half floats, by up to 2.44e-05 game units
$ lathe info 0000E2DB_02BE5E11_OC.nif
0000E2DB_02BE5E11_OC.nif
  format                           nif: scene of NetImmerse, Gamebryo or the Creation Engine: meshes, materials, collision
  game                             Fallout 4
  size                             1025 bytes
  header_string                    "Gamebryo File Format, Version 20.2.0.7"
  version                          335675399 (20.2.0.7)
  endian                           1
  user_version                     12
  bs_version                       130
  block_types                      str32[6]
  max_string_length                20 bytes
  strings                          str32[4]
  blocks                           6 blocks, all described
    BSFadeNode                     1
    NiNode                         1
    BSTriShape                     1
    BSPackedCombinedGeomDataExtra  1
    BSLightingShaderProperty       1
    BSShaderTextureSet             1
  precombined                      cell 0000E2DB, key 02BE5E11: 1 group, 1 object, 2 instances
    triangles                      2 of objects, 4 of all instances
  materials                        1 shader, 1 texture
$ lathe check 0000E2DB_02BE5E11_OC.nif
0000E2DB_02BE5E11_OC.nif: ok
$ lathe dump 0000E2DB_02BE5E11_OC.nif 'blocks[4].data[1].combined[2]'
0x0002cb  grayscale_to_palette  0
0x0002cf  transform             xform
0x0002cf    rotation     mat33
0x0002cf      row0  x 6.12323426e-17  y 1  z 0
0x0002db      row1  x -1  y 6.12323426e-17  z 0
0x0002e7      row2  x 0  y 0  z 1
0x0002f3    translation  x 1024  y -512  z 0
0x0002ff    scale        1.5
0x000303  bounds                bound
0x000303    center  x 1024  y -704  z 96
0x00030f    radius  216
$ lathe precombine walls.csv -o - --cell 0000E2DB --key 02BE5E11 --degrees | cmp - 0000E2DB_02BE5E11_OC.nif
$ lathe precombine walls.csv -o 0000E2DC_02be5e11_oc.nif && lathe get 0000E2DC_02be5e11_oc.nif 'blocks[1].name'
walls.csv: 2 instances of 1 object in 1 shape, 4 triangles -> 0000E2DC_02be5e11_oc.nif
  left alone: wall.nif: blocks[5]: BSEffectShaderProperty: only a BSLightingShaderProperty can be combined
  warning: positions of 1 shape are rounded to half floats, by up to 2.44e-05 game units
0000E2DC_02BE5E11_OC
$ lathe precombine - -o out/ --cell 0000E2DB --key 00000001 < walls.csv && ls out
made the folder out
-: 2 instances of 1 object in 1 shape, 4 triangles -> out/0000E2DB_00000001_OC.nif
  left alone: wall.nif: blocks[5]: BSEffectShaderProperty: only a BSLightingShaderProperty can be combined
  warning: positions of 1 shape are rounded to half floats, by up to 2.44e-05 game units
0000E2DB_00000001_OC.nif
$ lathe precombine walls.csv -n --cell 0000E2DB --key 00000001
walls.csv: 2 instances of 1 object in 1 shape, 4 triangles (nothing is written)
  left alone: wall.nif: blocks[5]: BSEffectShaderProperty: only a BSLightingShaderProperty can be combined
  warning: positions of 1 shape are rounded to half floats, by up to 2.44e-05 game units
$ lathe precombine walls.csv --json -o out --cell 0000E2DB --key 00000001
{"file":"walls.csv","ok":true,"written":"out/0000E2DB_00000001_OC.nif","report":{"changed":6,"shapes":1,"objects":1,"instances":2,"vertices":8,"triangles":4,"skipped":[{"path":"wall.nif: blocks[5]","reason":"BSEffectShaderProperty: only a BSLightingShaderProperty can be combined"}],"warnings":["positions of 1 shape are rounded to half floats, by up to 2.44e-05 game units"]}}

# Lists: any order of columns, quotes, empty values for defaults, other numbers of an instance.
$ mkdir -p "models, old" && cp wall.nif "models, old"
$ printf '\357\273\277Z, Y ,X,"FILE",scale,leaf_amplitude,grayscale_to_palette\r\n\r\n1,2,3,"models, old\wall.nif",,0.5,0.25\r\n' > odd.csv
$ lathe precombine odd.csv -o odd.nif --cell 00000000 --key 00000000
odd.csv: 1 instance of 1 object in 1 shape, 2 triangles -> odd.nif
  left alone: models, old/wall.nif: blocks[5]: BSEffectShaderProperty: only a BSLightingShaderProperty can be combined
  warning: positions of 1 shape are rounded to half floats, by up to 2.44e-05 game units
$ lathe get odd.nif 'blocks[4].leaf_amplitude'; lathe get odd.nif 'blocks[4].data[1].combined[1].grayscale_to_palette'
0.5
0.25

# What is wrong is told by its line, all of it, and nothing is written.
$ printf '%s\n' file,x,y,z,scale none.nif,1,2,3,1 '' wall.nif,1,2,x,1 '# remark' wall.nif,1,2,3,0 wall.nif,1,2 '"wall.nif,1' '"wall.nif"x,1,2,3,1' ',1,2,3,1' models*,1,,0x3,1 > bad.csv
$ lathe precombine bad.csv -o 00000000_00000000_OC.nif
lathe: bad.csv:2: there is no file 'none.nif'
lathe: bad.csv:4: z: 'x' is not a number
lathe: bad.csv:6: scale: 0 is not above 0
lathe: bad.csv:7: 3 values, and there are 5 columns
lathe: bad.csv:8: a quote is not closed
lathe: bad.csv:9: 'x' behind a quote
lathe: bad.csv:10: no file is named
lathe: bad.csv:11: y: '' is not a number
[exit 1]
$ lathe precombine bad.csv -o 00000000_00000000_OC.nif --json 2>/dev/null | head -2
{"file":"bad.csv","ok":false,"error":"bad.csv:2: there is no file 'none.nif'","line":2}
{"file":"bad.csv","ok":false,"error":"bad.csv:4: z: 'x' is not a number","line":4}
$ ls 00000000_00000000_OC.nif
ls: cannot access '00000000_00000000_OC.nif': No such file or directory
[exit 2]
$ printf 'file,x,y,rz\n' | lathe precombine - -o 00000000_00000000_OC.nif
lathe: -:1: no column 'rz'; did you mean 'z'?; the first line names the columns: file, x, y, z, a, b, c, scale, grayscale_to_palette, leaf_amplitude, leaf_frequency
[exit 1]
$ printf 'file,x,y,scal\n' | lathe precombine - -o 00000000_00000000_OC.nif
lathe: -:1: no column 'scal'; did you mean 'scale'?; the first line names the columns: file, x, y, z, a, b, c, scale, grayscale_to_palette, leaf_amplitude, leaf_frequency
[exit 1]
$ printf 'wall.nif,1,2,3\n' | lathe precombine - -o 00000000_00000000_OC.nif
lathe: -:1: no column 'wall.nif'; the first line names the columns: file, x, y, z, a, b, c, scale, grayscale_to_palette, leaf_amplitude, leaf_frequency
[exit 1]
$ printf 'file,x,y\n' | lathe precombine - -o 00000000_00000000_OC.nif
lathe: -:1: the first line names the columns, and lacks 'z'
[exit 1]
$ printf 'file,x,x,y,z\n' | lathe precombine - -o 00000000_00000000_OC.nif
lathe: -:1: two columns 'x'
[exit 1]
$ printf '# nothing\n' | lathe precombine - -o 00000000_00000000_OC.nif
lathe: -:2: the list is empty
[exit 1]
$ printf 'file,x,y,z\n' | lathe precombine - -o 00000000_00000000_OC.nif
lathe: -: there is nothing to combine
[exit 1]
$ printf 'file,x,y,z\ntri.solid,1,2,3\n' | lathe precombine - -o 00000000_00000000_OC.nif
lathe: -: tri.solid: a model of Fallout 4 (bs_version 130) expected, got solid
[exit 1]
$ printf 'file,x,y,z\nspheres.nif,1,2,3\n' | lathe precombine - -o 00000000_00000000_OC.nif
lathe: -: spheres.nif: a model of Fallout 4 (bs_version 130) expected, got bs_version 100, Skyrim SE
[exit 1]
$ lathe precombine none.csv -o 00000000_00000000_OC.nif
lathe: none.csv: cannot open: No such file or directory
[exit 1]
$ cp wall.nif 00000000_00000000_OC.nif; printf 'file,x,y,z\n00000000_00000000_OC.nif,1,2,3\n' | lathe precombine - -o 00000000_00000000_OC.nif
lathe: -: would overwrite the input 00000000_00000000_OC.nif
[exit 1]
$ lathe precombine walls.csv -o walls.csv --cell 00000000 --key 00000000
lathe: walls.csv: would overwrite the input walls.csv
[exit 1]

# What makes no sense.
$ lathe precombine walls.csv
lathe precombine: say where to write: -o OUT.nif (or look first with --dry-run)
[exit 2]
$ lathe precombine walls.csv -o group.nif
lathe precombine: say which group it is: --cell ID and --key ID, or -o CELL_KEY_OC.nif
[exit 2]
$ lathe precombine walls.csv -o group.nif --cell E2DB --key 00000001
lathe precombine: 'E2DB' is not an id: eight hex digits expected
[exit 2]
$ lathe precombine walls.csv -o - --json --cell 0000E2DB --key 00000001
lathe precombine: -o - and --json both write to stdout: give one of them
[exit 2]
