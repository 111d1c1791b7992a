# Animations and skeletons back from other programs.
$ lathe export waves.hkx -o waves.csv
waves.hkx: 1 animation, 30 bones -> waves.csv
  waves: left out, as a .csv cannot hold them: 1 float track; importing takes them from the original
$ lathe import waves.csv --like waves.hkx -o same.hkx
waves.csv: 'clip', 20 frames of 30 bones, 0.633333 s -> same.hkx
  not edited: 30 of 30 tracks, which keep their samples
$ lathe diff waves.hkx same.hkx
$ lathe import waves.csv --like waves.hkx --fps 10 -o slow.hkx
waves.csv: 'clip', 8 frames of 30 bones, 0.7 s -> slow.hkx
  resampled: 90 curves with keys between frames, at 10 frames a second
  compression: off by at most 0.00722 in translations, 0 rad in rotations, 0 in scales
$ lathe export waves.hkx -o waves.glb
waves.hkx: 1 animation, 30 bones -> waves.glb
$ lathe import waves.glb --like waves.hkx -o back.hkx
waves.glb: 'waves', 20 frames of 30 bones, 0.633333 s -> back.hkx
  not edited: 30 of 30 tracks, which keep their samples
$ lathe diff waves.hkx back.hkx
$ lathe import waves.glb --game skyrim-se -o rig.hkx
waves.glb: a skeleton of 30 bones -> rig.hkx
$ lathe import waves.glb --like rig.hkx -o rig2.hkx
waves.glb: a skeleton of 30 bones -> rig2.hkx
$ lathe diff rig.hkx rig2.hkx
$ lathe import waves.glb --like waves.hkx -o dry.hkx --dry-run
waves.glb: 'waves', 20 frames of 30 bones, 0.633333 s -> dry.hkx
  not edited: 30 of 30 tracks, which keep their samples
$ test -e dry.hkx
[exit 1]

# What is wrong is told, and nothing is written.
$ lathe import waves.glb -o x.hkx
lathe import: give --like FILE, or --game for a skeleton
[exit 2]
$ lathe import waves.glb --like waves.hkx
lathe import: say where to write: -o OUT
[exit 2]
$ lathe import waves.glb --like waves.hkx --game fallout4 -o x.hkx
lathe import: give --like or --game, not both
[exit 2]
$ lathe import waves.glb --like waves.hkx --clip run -o x.hkx
lathe: waves.glb: animations: none is named 'run': there are 'waves'
[exit 1]
$ lathe import waves.glb --like waves.hkx --fps -3 -o x.hkx
lathe import: a number above 0 expected, got '-3'
[exit 2]
$ lathe import waves.glb --like crate.nif -o x.hkx
lathe: crate.nif: neither an animation nor a skeleton is in it
[exit 1]
$ lathe import crate.nif --like waves.hkx -o x.hkx
lathe import: 'crate.nif': an .obj, .glb, .gltf or .csv expected
[exit 2]
$ lathe import waves.glb --game skyrim-se -o rig.nope
lathe: rig.nope: skyrim-se has no format with this extension
[exit 1]
$ lathe import gone.glb --like waves.hkx -o x.hkx
lathe: gone.glb: cannot open: No such file or directory
[exit 1]
$ head -5 waves.csv > short.csv
$ lathe import short.csv --like waves.hkx -o still.hkx
short.csv: 'clip', 1 frame of 30 bones, 0 s -> still.hkx
  at rest, as the file lacks them: Arm 5, Arm 6, Arm 7, Arm 8, Arm 9, Arm 10, Arm 11, Arm 12, Arm 13, Arm 14, Arm 15, Arm 16, 14 more
  compression: off by at most 0.000109 in translations, 0 rad in rotations, 0 in scales
$ sed 's/^3,/9,/' waves.csv > odd.csv
$ lathe import odd.csv --like waves.hkx -o x.hkx
lathe: odd.csv: line 92: frame 9 follows frame 2
[exit 1]
$ lathe import waves.csv --like waves.hkx -o ./waves.hkx
lathe: ./waves.hkx: would overwrite the input waves.hkx
[exit 1]
$ test -e x.hkx
[exit 1]

# Meshes become models and collision shapes.
$ cp examples/crate.solid examples/stock.nif . && lathe export crate.solid -o crate.obj && lathe export crate.solid -o crate.glb
crate.solid: 1 mesh, 12 triangles -> crate.obj
crate.solid: 1 mesh, 12 triangles -> crate.glb
$ lathe import crate.obj -o crate.nif --game fallout4
crate.obj: 1 mesh, 36 positions, 12 triangles -> crate.nif
  axes: y points up in the file, and z in the new one: turned
  textures: none is set; `lathe set` sets them: 'materials[1].textures.diffuse=textures\...'
$ lathe import crate.glb -o le.nif --game skyrim-le && lathe import crate.obj -o se.nif --game skyrim-se
crate.glb: 1 mesh, 36 positions, 12 triangles -> le.nif
  axes: y points up in the file, and z in the new one: turned
  textures: none is set; `lathe set` sets them: 'materials[1].textures.diffuse=textures\...'
crate.obj: 1 mesh, 36 positions, 12 triangles -> se.nif
  axes: y points up in the file, and z in the new one: turned
  textures: none is set; `lathe set` sets them: 'materials[1].textures.diffuse=textures\...'
$ lathe check crate.nif le.nif se.nif
crate.nif: ok
le.nif: ok
se.nif: ok
3 ok, 0 failed
$ for game in crate le se; do lathe export $game.nif -o $game.obj >/dev/null; grep '^v ' $game.obj | sort | uniq | cksum; done
1258918129 100
1258918129 100
1258918129 100
$ grep '^v ' crate.obj | sort | uniq | wc -l
8
$ lathe info se.nif | grep 'mesh\|game'
  format                      nif: scene of NetImmerse, Gamebryo or the Creation Engine: meshes, materials, collision
  game                        Skyrim SE
  mesh 1                      36 positions, 12 triangles, 50 x 50 x 50 "solid"
$ lathe get crate.nif 'blocks[3].name'; lathe import crate.obj -o m.nif --game fallout4 --material 'Materials\Mine.bgsm' && lathe get m.nif 'blocks[3].name'

crate.obj: 1 mesh, 36 positions, 12 triangles -> m.nif
  axes: y points up in the file, and z in the new one: turned
  textures: none is set; `lathe set` sets them: 'materials[1].textures.diffuse=textures\...'
Materials\Mine.bgsm
$ lathe import crate.obj -o back.solid && lathe export back.solid -o back.obj && for f in crate back; do grep '^[vf]' $f.obj | wc -l; grep '^v ' $f.obj | sort -u | cksum; done; lathe get back.solid vertex_count
crate.obj: 1 mesh, 36 positions, 12 triangles -> back.solid
back.solid: 1 mesh, 12 triangles -> back.obj
120
1258918129 100
120
1258918129 100
8
$ lathe import crate.obj -o flat.nif --game skyrim-se --up y --scale 2 && lathe get flat.nif 'blocks[2].bounds.radius'
crate.obj: 1 mesh, 36 positions, 12 triangles -> flat.nif
  textures: none is set; `lathe set` sets them: 'materials[1].textures.diffuse=textures\...'
21.6506367
$ lathe import crate.obj -o crate.bphsh --game splatoon-3 --material Stone && lathe check crate.bphsh
crate.obj: 1 mesh, 36 positions, 12 triangles -> crate.bphsh
crate.bphsh: ok
$ lathe import crate.glb --like crate.bphsh -o other.bphsh -n
crate.glb: 1 mesh, 36 positions, 12 triangles -> other.bphsh

# … or replace those of a file that keeps everything else.
$ lathe export stock.nif -o stock.glb && lathe import stock.glb --like stock.nif -o same.nif
stock.nif: 1 mesh, 2928 triangles -> stock.glb
stock.glb: 1 mesh, 1625 positions, 2928 triangles -> same.nif
  axes: y points up in the file, and z in the new one: turned
  collision: as it was; `lathe set-collision` makes another one of a mesh
$ lathe diff stock.nif same.nif | grep -v -- '-0 -> 0'
[exit 1]
$ lathe import crate.obj --like stock.nif -o box.nif && lathe check box.nif && lathe get box.nif 'bodies[1].mass'
crate.obj: 1 mesh, 36 positions, 12 triangles -> box.nif
  axes: y points up in the file, and z in the new one: turned
  collision: as it was; `lathe set-collision` makes another one of a mesh
box.nif: ok
12
$ lathe import stock.glb --like se.nif -o bar.nif && lathe check bar.nif
stock.glb: 1 mesh, 1625 positions, 2928 triangles -> bar.nif
  axes: y points up in the file, and z in the new one: turned
bar.nif: ok
$ lathe import crate.obj --like tail.solid -o like.solid && tail -c 2 like.solid | od -An -tx1
crate.obj: 1 mesh, 36 positions, 12 triangles -> like.solid
 ca fe

# What cannot take them says so.
$ lathe import crate.obj -o x.hkx --game skyrim-se
lathe import: -o x.hkx: hkx files take no mesh; meshes go into bphsh, nif and solid files
[exit 2]
$ lathe import crate.obj -o x.foo
lathe import: -o x.foo: no format has this extension; meshes go into bphsh, nif and solid files
[exit 2]
$ lathe import crate.glb -o x.csg
lathe import: -o x.csg: geometry files take no mesh; meshes go into bphsh, nif and solid files
[exit 2]
$ lathe import crate.obj -o x.nif
lathe import: a new nif file needs --game skyrim-le, skyrim-se or fallout4; or give --like FILE
[exit 2]
$ lathe import crate.obj -o x.nif --game splatoon-3
lathe import: a new nif file needs --game skyrim-le, skyrim-se or fallout4; or give --like FILE
[exit 2]
$ lathe import crate.obj -o x.solid --game fallout4
lathe import: solid files are of one game: leave out --game
[exit 2]
$ lathe import crate.obj -o x.solid --scale metres
lathe import: how long a unit of solid files is, is not known: give a number
[exit 2]
$ lathe import crate.obj --like crate.solid -o x.nif
lathe: crate.solid: it is a solid file, and -o x.nif names another format
[exit 1]
$ lathe import crate.obj --like ball.nif -o x.nif
lathe: crate.obj: mesh 'solid' has no shape of its name in --like, which has none that can be replaced
[exit 1]
$ lathe import crate.obj --like stock.nif --material m -o x.nif
lathe: crate.obj: --material is for new files: --like keeps its materials
[exit 1]
$ lathe import crate.obj --game splatoon-3 -o x.bphsh
lathe: crate.obj: 'material' is no material of Splatoon 3: --material names one
[exit 1]
$ lathe import waves.csv --up y -o x.hkx
lathe import: --up and --material are for meshes
[exit 2]
$ lathe import crate.obj --like stock.nif --game fallout4 -o x.nif
lathe import: give --like or --game, not both
[exit 2]
$ lathe import none.obj -o x.solid
lathe: none.obj: cannot open: No such file or directory
[exit 1]
$ ls x.*
ls: cannot access 'x.*': No such file or directory
[exit 2]
