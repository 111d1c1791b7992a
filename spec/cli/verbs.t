# Words in front of the files, or options.
$ lathe trim 0.2 0.4 waves.hkx -o 1.hkx && lathe trim --t0 0.2 --t1 0.4 waves.hkx -o 2.hkx && cmp 1.hkx 2.hkx
waves.hkx: 403 poses -> 1.hkx
  note: objects[4]: 1 float track is written as splines, which no known file has
waves.hkx: 403 poses -> 2.hkx
  note: objects[4]: 1 float track is written as splines, which no known file has
$ lathe trim 0.2 waves.hkx -o 1.hkx && lathe trim waves.hkx --t0=0.2 -o 2.hkx && cmp 1.hkx 2.hkx
waves.hkx: 186 poses -> 1.hkx
  note: objects[4]: 1 float track is written as splines, which no known file has
waves.hkx: 186 poses -> 2.hkx
  note: objects[4]: 1 float track is written as splines, which no known file has
$ echo waves.hkx | lathe trim 0.2 0.4 --files-from - -n | head -1
waves.hkx: would change (403 poses, 5 values differ)
$ lathe resample 15 waves.hkx clip.hkx -n --json | wc -l
2 would change, 0 unchanged, 0 failed
2
$ lathe concat waves.hkx waves.hkx -o twice.hkx
waves.hkx: 620 poses -> twice.hkx
  note: the last pose of the first animation is not the first of the other, which takes its place: it jumps there
  note: objects[4]: 1 float track is written as splines, which no known file has
$ cp waves.hkx 7 && lathe trim 0.3 7 -n | head -1
7: would change (279 poses, 6 values differ)
$ lathe trim -1 0.5 waves.hkx -n
lathe trim: a negative number is given with its option, such as --t0=-1
[exit 2]
$ lathe trim --t0 -1 waves.hkx -n
lathe trim: write --t0=-1
[exit 2]
$ lathe offset "Arm 5" waves.hkx -n
waves.hkx: unchanged
  note: nothing to do: neither t nor q moves the bone
$ lathe block crate.nif
lathe block: --name <text> is missing
[exit 2]
$ lathe set-version 4 --to 5 waves.hkx -n
waves.hkx: skipped: hkx files have no set-version
lathe: 4: cannot open: No such file or directory
0 would change, 0 unchanged, 1 skipped, 1 failed
  1 skipped: hkx files have no set-version
[exit 1]

# Records by their path.
$ lathe trim 0.2 0.4 waves.hkx --at 'animations[1]' -n | head -1
waves.hkx: would change (403 poses, 5 values differ)
$ lathe reverse waves.hkx --at 'animations[1]' --at 'objects[4]' -n | head -2
waves.hkx: would change (1240 poses, 29 values differ)
  note: objects[4]: 1 float track is written as splines, which no known file has
$ lathe trim 0.2 waves.hkx --at 'animations[2]' -n
lathe: waves.hkx: animations[2]: there is only animations[1]
[exit 1]
$ lathe trim 0.2 waves.hkx --at 'objects[1]' -n
lathe: waves.hkx: objects[1] has no trim: --at is the path of an animation, such as animations[2]
[exit 1]
$ lathe trim 0.2 waves.hkx --at 'bojects[1]' -n
lathe: waves.hkx: bojects[1]: no field 'bojects' in hkx; did you mean 'objects'?
[exit 1]
$ lathe trim 0.2 waves.hkx --at 'animations[' -n
lathe: waves.hkx: 'animations[' is no path, see '['
[exit 1]
$ lathe encode waves.hkx --tolerance translation=0.5 -o small.hkx
waves.hkx: 20 frames, 1312 bytes, off by at most 0.497 in translations, 0 rad in rotations, 0 in scales -> small.hkx
  note: objects[4]: 1 float track is written as splines, which no known file has
$ lathe encode waves.hkx --at 'animations[1]' --quantization 48 -n --json | head -c 160; echo
{"file":"waves.hkx","ok":true,"report":{"changed":20,"skipped":[],"notes":["objects[4]: 1 float track is written as splines, which no known file has"],"bytes":2
$ lathe encode crate.nif waves.hkx -o .out
crate.nif: skipped: nif files have no encode
made the folder .out
waves.hkx: 20 frames, 2432 bytes, off by at most 0.00979 in translations, 0 rad in rotations, 0 in scales -> .out/waves.hkx
  note: objects[4]: 1 float track is written as splines, which no known file has
1 changed, 0 unchanged, 1 skipped, 0 failed
  1 skipped: nif files have no encode
$ lathe set-triangle-materials wood floor.hkx --at 'objects[1]' -n
lathe: floor.hkx: objects[1] has no set-triangle-materials: --at is the path of a hknpCompressedMeshShape, such as 'bodies[2].shape'
[exit 1]
$ lathe set-triangle-materials wood floor.hkx -o wood.hkx
floor.hkx: 6 changes -> wood.hkx
$ lathe set-triangle-materials wodo floor.hkx -n
floor.hkx: would change (7 changes, 5 values differ)
  warning: no known material 'wodo'; did you mean 'wood'?
  objects[7].materials[4]: added hknpBSMaterial
  objects[7].materials[5]: added hknpBSMaterial
  objects[8].primitive_data_runs[1].value: 0 -> 3
  objects[8].primitive_data_runs[2].value: 1 -> 3
  objects[8].primitive_data_runs[3].value: 2 -> 4
$ lathe set-triangle-materials wood floor.nif --at 'bodies[2].shape' -o wood.nif
floor.nif: 6 changes -> wood.nif
$ lathe retime --speed 2 waves.hkx --at 'animations[1]' -n
waves.hkx: would change (1 change, 4 values differ)
  objects[4].duration: 0.633333325 -> 0.316666663
  objects[4].block_duration: 8.5 -> 4.25
  objects[4].block_inverse_duration: 0.117647059 -> 0.235294119
  objects[4].frame_duration: 0.0333333313 -> 0.0166666657
$ lathe rename a b clip.hkx --at 'animations[1]' -n
clip.hkx: unchanged
  note: nothing to do: no annotation has the text 'a'

# Files without the verb, and what has it.
$ lathe trim 0 1 tri.solid rig.fzx -n
tri.solid: skipped: solid files have no trim
rig.fzx: skipped: fzx files have no trim
0 would change, 0 unchanged, 2 skipped, 0 failed
  1 skipped: solid files have no trim
  1 skipped: fzx files have no trim
lathe trim: no file of a format that has this: hkx, tagfile, anm
$ lathe centre clip.hkx -n
clip.hkx: skipped: hkx files have no centre
lathe centre: no file of a format that has this: anm
$ lathe set-geometry --mesh tri.solid crate.nif -n
crate.nif: skipped: it has no PackedGeom
$ lathe bounding-sphere tri.solid clip.hkx
tri.solid: center 0.5 0.75 0.125, radius 1.28695377
clip.hkx: skipped: hkx files have no bounding-sphere

# Arguments that are files.
$ lathe export tri.solid -o tri.obj
tri.solid: 1 mesh, 1 triangle -> tri.obj
$ lathe set-collision --kind hull --mesh tri.obj ball.nif -n | head -2
lathe: ball.nif: a hull needs 4 points, not 3
$ lathe set-collision --kind hull --mesh tri.solid ball.nif -n
lathe: ball.nif: tri.solid: y points up in it, and z in nif files: `lathe export` it as .glb and use that
[exit 1]
$ lathe set-collision --kind hull --mesh none.obj ball.nif -n
lathe: ball.nif: none.obj: cannot open: No such file or directory
[exit 1]
$ lathe set-collision --kind hull --mesh clip.hkx ball.nif -n
lathe: ball.nif: clip.hkx: it contains no mesh
[exit 1]
$ lathe set-collision --kind ball --radius 1 ball.nif -n
lathe set-collision: argument for option '--kind' must be one of 'hull', 'mesh', 'box', 'sphere', 'capsule', 'compound'
[exit 2]
$ lathe set-collision --radius 1 ball.nif -n
lathe set-collision: --kind <word> is missing
[exit 2]
$ lathe set-collision --kind sphere --radius 1 --node Bal ball.nif -n
lathe: ball.nif: no node is called 'Bal'
[exit 1]
$ lathe set-collision --kind sphere --radius 1 --center 1,2 ball.nif -n
lathe: ball.nif: --center: a list of three finite numbers expected
[exit 1]
$ lathe set-collision --kind sphere --radius 1 --center a ball.nif -n
lathe set-collision: numbers such as 1,0,0 expected, got 'a'
[exit 2]
$ lathe remove-collision 'bodies[1]' floor.nif -n
floor.nif: would change (2 changes, 14 values differ)
  blocks[4]: removed bhkNPCollisionObject
  blocks[1].collision_object: blocks[3] -> null
  blocks[2].collision_object: null -> blocks[3]
  blocks[3].target: blocks[1] -> blocks[2]
  blocks[4].size: 2288 -> 2224
  blocks[4].system.class_names[6]: removed hkClassName
  blocks[4].system.class_names[7]: removed hkClassName
  blocks[4].system.class_names[8]: removed hkClassName
  blocks[4].system.class_names[7]: added hkClassName
  blocks[5].system.objects[2]: removed hknpConvexPolytopeShape
  blocks[5].system.objects[3]: removed hkRefCountedProperties
  blocks[5].system.objects[4]: removed hknpShapeMassProperties
  blocks[5].system.objects[1].body_cinfos[1]: removed hknpBodyCinfo
  blocks[5].system.objects[1].referenced_objects[1]: removed null
$ lathe write floor.hkx waves.hkx -n
lathe: waves.hkx: floor.hkx: it contains 0 animations; one is wanted
[exit 1]
$ lathe write clip.hkx waves.hkx -n
lathe: waves.hkx: clip.hkx: it has 3 tracks, and the animation has 30
[exit 1]

# Questions.
$ lathe block Crate crate.nif
crate.nif: blocks[1]  NiNode
$ lathe block crate crate.nif
crate.nif: none
$ lathe block crate crate.nif --json
{"file":"crate.nif","ok":true,"block":null}
$ lathe bounding-sphere tri.solid
tri.solid: center 0.5 0.75 0.125, radius 1.28695377
