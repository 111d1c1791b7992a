# What is in a file.
$ lathe info tri.solid
tri.solid
  format     solid: Lugaru model: one textured mesh
  game       Lugaru
  size       76 bytes
  vertices   vec3[3], model units
  triangles  solid_triangle[1]
  mesh 1     3 positions, 1 triangle, 1 x 1.5 x 0.25
$ lathe info tri.solid rig.fzx cut.solid missing.solid
tri.solid
  format     solid: Lugaru model: one textured mesh
  game       Lugaru
  size       76 bytes
  vertices   vec3[3], model units
  triangles  solid_triangle[1]
  mesh 1     3 positions, 1 triangle, 1 x 1.5 x 0.25
rig.fzx
  format     fzx: Overgrowth ragdoll volumes
  game       Overgrowth
  size       192 bytes
  mark       8 bytes: d3 46 5a 58 0d 0a 20 0a
  version    1
  objects    fzx_object[3]
  bodies     3 dynamic
  collision  3 meshes, 492 triangles, 0.5 x 0.25 x 0.625
lathe: cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
lathe: missing.solid: cannot open: No such file or directory
[exit 1]
$ lathe info --json tri.solid cut.solid
{"file":"tri.solid","ok":true,"format":"solid","description":"Lugaru model: one textured mesh","game":"Lugaru","size":76,"fields":{"vertex_count":3,"triangle_count":1,"vertices":3,"triangles":1},"details":{"vertices":{"type":"vec3","unit":"model units"},"triangles":{"type":"solid_triangle"}},"meshes":[{"positions":3,"triangles":1,"extent":[1,1.5,0.25]}]}
{"file":"cut.solid","ok":false,"error":"cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes","code":"bounds","where":"solid","offset":0}
lathe: cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
[exit 1]

# Its tree.
$ lathe dump tri.solid
0x000000  vertex_count    3
0x000002  triangle_count  1
0x000004  vertices        vec3[3]  (model units)
0x000004    [1]  x 0  y 0  z 0
0x000010    [2]  x 1  y 0  z 0
0x00001c    [3]  x 0  y 1.5  z 0.25
0x000028  triangles       solid_triangle[1]
0x000028    [1]  solid_triangle
0x000028      a   0
0x00002c      b   1
0x000030      c   2
0x000034      gx  0  1  0  (texture widths)
0x000040      gy  0  0  1  (texture heights)
$ lathe dump rig.fzx
0x000000  mark          8 bytes: d3 46 5a 58 0d 0a 20 0a
0x000008  version       1
0x00000c  object_count  3
0x000010  objects       fzx_object[3]
0x000010    [1]  fzx_object
0x000010      label     "head sphere"
0x00001f      rotation  w 1  x 0  y 0  z 0
0x00002f      location  x 0  y 0  z 1.75  (m)
0x00003b      scale     x 0.125  y 0.125  z 0.125  (m)
              part      "head"
              shape     "sphere"
              mirrored  false
0x000047    [2]  fzx_object
0x000047      label     "l thigh capsule"
0x00005a      rotation  w 1  x 0  y 0  z 0
0x00006a      location  x 0.25  y 0  z 0.75  (m)
0x000076      scale     x 0.0625  y 0.0625  z 0.25  (m)
              part      "thigh"
              side      "l"
              shape     "capsule"
              mirrored  false
0x000082    [3]  fzx_object
0x000082      label     "chest box m"
0x000091      rotation  w 1  x 0  y 0  z 0
0x0000a1      location  x 0  y 0  z 1.25  (m)
0x0000ad      scale     x 0.25  y 0.125  z 0.25  (m)
              part      "chest"
              shape     "box"
              mirrored  true
0x0000b9  footer        fzx_footer
0x0000b9    size      185 bytes
0x0000bd    end_mark  3 bytes: 46 5a 58
$ lathe dump rig.fzx --depth 1
0x000000  mark          8 bytes: d3 46 5a 58 0d 0a 20 0a
0x000008  version       1
0x00000c  object_count  3
0x000010  objects       fzx_object[3]
0x0000b9  footer        fzx_footer
$ lathe dump rig.fzx 'objects[2]'
0x000047  label     "l thigh capsule"
0x00005a  rotation  w 1  x 0  y 0  z 0
0x00006a  location  x 0.25  y 0  z 0.75  (m)
0x000076  scale     x 0.0625  y 0.0625  z 0.25  (m)
          part      "thigh"
          side      "l"
          shape     "capsule"
          mirrored  false
$ lathe dump tri.solid vertices
0x000004  [1]  x 0  y 0  z 0  (model units)
0x000010  [2]  x 1  y 0  z 0  (model units)
0x00001c  [3]  x 0  y 1.5  z 0.25  (model units)
$ lathe dump tri.solid 'triangles[1].gx[2]'
1 texture widths
$ lathe dump tail.solid trailing
2 bytes: ca fe
$ lathe dump tri.solid 'triangles[2]'
lathe: tri.solid: triangles at 0x28: no element 2 of 1
[exit 1]
$ lathe dump --json rig.fzx
{"file":"rig.fzx","ok":true,"format":"fzx","value":{"mark":{"length":8,"base64":"00ZaWA0KIAo="},"version":1,"object_count":3,"objects":[{"label":"head sphere","rotation":{"w":1,"x":0,"y":0,"z":0},"location":{"x":0,"y":0,"z":1.75},"scale":{"x":0.125,"y":0.125,"z":0.125}},{"label":"l thigh capsule","rotation":{"w":1,"x":0,"y":0,"z":0},"location":{"x":0.25,"y":0,"z":0.75},"scale":{"x":0.0625,"y":0.0625,"z":0.25}},{"label":"chest box m","rotation":{"w":1,"x":0,"y":0,"z":0},"location":{"x":0,"y":0,"z":1.25},"scale":{"x":0.25,"y":0.125,"z":0.25}}],"footer":{"size":185,"end_mark":{"length":3,"base64":"RlpY"}}}}
$ lathe dump --json rig.fzx 'objects[1].scale'
{"file":"rig.fzx","ok":true,"format":"fzx","path":"objects[1].scale","value":{"x":0.125,"y":0.125,"z":0.125}}

# One value.
$ lathe info --at 'vertices[1].x' tri.solid examples/crate.solid --json
{"file":"tri.solid","ok":true,"format":"solid","path":"vertices[1].x","value":0}
{"file":"examples/crate.solid","ok":true,"format":"solid","path":"vertices[1].x","value":-25}
$ lathe info --at 'bodies[1].material' examples/stock.nif
examples/stock.nif
wood
$ lathe info --at 'bodies[9]' examples/stock.nif -q
lathe: examples/stock.nif: bodies[9]: there is only bodies[1]
[exit 1]
$ lathe get tri.solid 'vertices[3].y'
1.5
$ lathe get rig.fzx 'objects[2].label'
l thigh capsule
$ lathe get rig.fzx 'objects[2].side'
l
$ lathe get rig.fzx 'objects[2].rotation'
w 1  x 0  y 0  z 0
$ lathe get --json rig.fzx 'objects[2].label'
{"file":"rig.fzx","ok":true,"path":"objects[2].label","value":"l thigh capsule"}
$ lathe get tri.solid vertixes
lathe: tri.solid: no field 'vertixes' in solid; did you mean 'vertices'?
[exit 1]
$ lathe get --json tri.solid vertixes
{"file":"tri.solid","ok":false,"error":"tri.solid: no field 'vertixes' in solid; did you mean 'vertices'?","code":"name"}
lathe: tri.solid: no field 'vertixes' in solid; did you mean 'vertices'?
[exit 1]
$ lathe get tri.solid 'vertices[4].x'
lathe: tri.solid: vertices at 0x4: no element 4 of 3
[exit 1]

# From stdin: a .solid has no mark of its own, so its format must be told.
$ lathe get --format solid - 'vertices[3].y' < tri.solid
1.5
$ lathe get - 'objects[1].label' < rig.fzx
head sphere

# What lathe knows.
$ lathe formats
format    game                   files               read  write  new  export  import
hkx       Skyrim LE              .hkx                yes   yes    yes  yes     animations, skeletons
          Skyrim SE                                  yes   yes    yes  yes     animations, skeletons
          Fallout 4                                  yes   yes    yes  yes     animations, skeletons
bphsh     Splatoon 3             .bphsh              yes   yes    yes  yes     meshes
          Tears of the Kingdom                       yes   yes    yes  yes     meshes
tagfile   Dark Souls Remastered  .hkx .tagfile       yes   yes    yes  yes     animations, skeletons
nif       Skyrim                 .nif .bto .btr .kf  yes   yes    yes  yes     meshes
          Skyrim SE                                  yes   yes    yes  yes     meshes
          Fallout 4                                  yes   yes    yes  yes     meshes
          Fallout 3                                  yes   yes    yes  yes     -
          Oblivion                                   yes   yes    yes  yes     -
          Morrowind                                  yes   yes    yes  yes     -
          Fallout 76                                 yes   yes    yes  yes     -
          Starfield                                  yes   yes    yes  yes     -
geometry  Fallout 4              .csg .psg           yes   yes    yes  -       -
fzx       Overgrowth             .fzx                yes   yes    yes  yes     -
save      Overgrowth             .sav .sav2 .sav3    yes   yes    yes  -       -
anm       Overgrowth             .anm                yes   yes    yes  yes     animations
solid     Lugaru                 .solid              yes   yes    yes  yes     meshes
phxbn     Overgrowth             .phxbn              yes   yes    yes  yes     skeletons

Verbs, each of which is a command that `lathe help VERB` explains
hkx       add-clip, add-event, add-state, add-transition, add-variable, additive, bake-root-motion,
          blend, concat, convert, encode, extract-root-motion, loop, mirror, normal, offset, prune,
          remove-event, remove-state, remove-transition, remove-variable, rename,
          replace-animation, resample, retarget, retime, reverse, root-motion, scale, set,
          set-materials, set-triangle-materials, trim, uses, write
bphsh     scale, set-materials, set-mesh, set-triangle-materials, transform
tagfile   additive, bake-root-motion, blend, concat, encode, extract-root-motion, loop, mirror,
          normal, offset, rename, resample, retarget, retime, reverse, root-motion, scale, trim,
          write
nif       add-object, block, convert, precombine, recompute, remove-collision,
          remove-unused-strings, scale, set-collision, set-geometry, set-materials, transform
geometry  convert
fzx       mirror, rename, scale
save      rename, set-version
anm       additive, bake-root-motion, blend, centre, concat, encode, extract-root-motion, loop,
          mirror, normal, offset, rename, resample, retarget, retime, reverse, root-motion, scale,
          set-version, trim, uncentre, write
solid     bounding-sphere, scale
phxbn     rename, scale, set-version

`lathe formats NAME` tells the fields of a format, its verbs and their options.
$ lathe formats solid
solid: Lugaru model: one textured mesh
  files  .solid
  games  Lugaru
  can    check meshes new open save

Fields
  vertex_count    i16               Number of vertices. Read-only.
  triangle_count  i16               Number of triangles. Read-only.
  vertices        vec3[]            [model units] Vertex positions. Muscle files refer to vertices
                                    by number.
  triangles       solid_triangle[]  Counter-clockwise seen from outside in props, clockwise in
                                    characters.
  trailing        bytes             Bytes behind the model, which the game ignores. Kept as they
                                    are.

Verbs, called as doc:VERB(value, { option = value })
  scale(factor, { what =, mass = })
      Multiplies every position.
      factor  number or list of three, needed: Factor for all lengths: 2 doubles them. A list of
              three, for x, y and z, works for collision only, and not for all shapes.
      what    all | collision | geometry | skeleton | animation: What is scaled. A file that holds
              none of it stays as it is. Default: all.
      mass    density | keep: density: mass grows with volume, so twice the size is eight times the
              mass. keep: mass stays. Default: density.
  bounding_sphere()
      The game's bounding sphere: center {x, y, z}, radius.
$ lathe formats anm
anm: Overgrowth animation
  files  .anm
  games  Overgrowth
  can    animations check new open save

Fields
  version      i32          0 to 11; the game writes 11, the add-ons 10. Read-only.
  centered     boolean      Whether position and heading are stored separately from the poses. The
                            game does this when it loads a file. Read-only.
  looping      boolean      Whether the animation loops; version 0 always does.
  start        i32          [ms] Start time; the game subtracts it from all other times.
  length       i32          [ms] Versions 1 to 10: the END time. Versions 0 and 11: the duration.
  frame_count  i32          Number of key frames, at least 1. Read-only.
  frames       anm_frame[]  The key frames, in order of time.
  trailing     bytes        Bytes behind the last frame, which the game ignores. Kept as they are.

Verbs, called as doc:VERB(value, { option = value })
  scale(factor, { what =, mass = })
      Multiplies all translations: of bones, weapons, mobility and centre.
      factor  number or list of three, needed: Factor for all lengths: 2 doubles them. A list of
              three, for x, y and z, works for collision only, and not for all shapes.
      what    all | collision | geometry | skeleton | animation: What is scaled. A file that holds
              none of it stays as it is. Default: all.
      mass    density | keep: density: mass grows with volume, so twice the size is eight times the
              mass. keep: mass stays. Default: density.
  rename(from, to, { what = })
      Renames events, labels of chains (labels), shape and status keys (keys) of exactly that name.
      from  string, needed: Old name; the whole name must match.
      to    string, needed: New name.
      what  all | bones | labels | events | keys: Kind of names to change. Default: all.
  retime { speed =, duration =, fps = }
      Moves key frames in time, by one of speed, duration, fps. With fps they lie evenly from start
      on, and what follows the last one keeps its share. Frames that come to lie at one time are
      listed.
      speed     number [ratio]: Times as fast.
      duration  number [s]: How long it shall last.
      fps       number [frames/s]: So many frames a second: the same frames, at other times.
  set_version(version)
      Another version of the format; what that one cannot hold is dropped and listed.
      version  integer, needed: The new version. 0 to 11.
  centre()
      Takes place and heading out of the poses, as the game does when it loads a file; below
      version 10 that becomes 10.
  uncentre()
      Puts place and heading back into the poses.
  trim(t0, t1, { skeleton = })
      Keeps what lies between two times, from the clip's start, with a key frame at both; the whole
      clip stays as it is.
      t0        number [s]: Start of the part to keep. Default: start of the animation.
      t1        number [s]: End of the part to keep. Default: end of the animation.
      skeleton  skeleton or document: Blends new frames through its bones' parents, as the game
                does; else in model space.
  reverse()
      Plays it backwards; what a loop begins with stays there.
  resample(fps, { skeleton = })
      Even key frames. Events move to the frame at or before them.
      fps       number [frames/s], needed: New number of key frames per second, at most 1000.
      skeleton  skeleton or document: Blends new frames through its bones' parents, as the game
                does; else in model space.
  mirror { skeleton = }
      Left and right change places.
      skeleton  skeleton or document, needed: Skeleton that supplies bone pairs and the rest pose.
  concat(other)
      Appends another animation of the same bones and frame rate; its first frame replaces the last
      one.
      other  animation or document, needed: Animation to append.
  root_motion { extract =, bake =, bone =, vertical =, turn =, skeleton = }
      Moves movement in the ground plane from a bone's track to root motion (extract), or back
      (bake). Animations have extract_root_motion and bake_root_motion instead.
      extract   boolean: Move the movement of the bone's track to root motion.
      bake      boolean: Move root motion back into the bone's track.
      bone      any value: Name or number of the bone that moves. Default: the first root bone.
      vertical  boolean: Include vertical movement. Default: false.
      turn      boolean: Include rotation about the up axis. Default: false.
      skeleton  skeleton or document: Skeleton with the parents of the bone.
  extract_root_motion { bone =, vertical =, turn =, skeleton = }
      Moves movement in the ground plane from a bone's track to root motion.
      bone      any value: Name or number of the bone that moves. Default: the first root bone.
      vertical  boolean: Include vertical movement. Default: false.
      turn      boolean: Include rotation about the up axis. Default: false.
      skeleton  skeleton or document: Skeleton with the parents of the bone.
  bake_root_motion { bone =, skeleton = }
      Moves root motion back into a bone's track and removes it.
      bone      any value: Name or number of the bone that moves. Default: the first root bone.
      skeleton  skeleton or document: Skeleton with the parents of the bone.
  additive { against =, pose =, frame =, skeleton = }
      Makes the animation additive: reference^-1 * pose, as Havok defines it.
      against   rest | first: Reference pose: rest (of the skeleton) or first (frame). Default:
                rest.
      pose      animation or document: Animation with the reference pose, in place of `against`.
      frame     integer: Frame of `pose`, from 0. Default: 0.
      skeleton  skeleton or document: Skeleton with the rest pose.
  normal { against =, pose =, frame =, skeleton = }
      Makes an additive animation normal: reference * pose.
      against   rest | first: Reference pose: rest (of the skeleton) or first (frame). Default:
                rest.
      pose      animation or document: Animation with the reference pose, in place of `against`.
      frame     integer: Frame of `pose`, from 0. Default: 0.
      skeleton  skeleton or document: Skeleton with the rest pose.
  retarget(to, map, { from = })
      Converts to another skeleton, matching bones by name: rotations relative to the rest pose
      stay the same in model space, lengths are the new skeleton's. Tracks of bones that it lacks
      are dropped and listed.
      to    skeleton or document, needed: New skeleton.
      map   any value: Bones whose names differ: {["old name"] = "new name"}, or a list of {from =,
            to =}.
      from  skeleton or document: Old skeleton.
  offset(bone, t, q, { space =, skeleton = })
      Moves and turns a bone in all frames, and with it the bones below.
      bone      any value, needed: Name or number of the bone.
      t         any value: Translation {x, y, z}. Default: none.
      q         any value: Rotation, a quaternion {x, y, z, w}. Default: none.
      space     parent | bone: Axes of t and q: those of the parent or of the bone. Default:
                parent.
      skeleton  skeleton or document: Skeleton: needed for bone names, and for animations in model
                space.
  loop(frames)
      Makes the last frame equal the first one and spreads the difference over the frames before
      it.
      frames  integer, needed: Number of frames before the last one over which the difference is
              spread.
  blend(other, weight)
      Blends with another animation, which is stretched to the same duration.
      other   animation or document, needed: Animation to blend with.
      weight  number, needed: Share of the other animation, 0 to 1.
  animation:encode(samples, { tolerance =, quantization =, max_frames_per_block = })
      Compresses all poses again. The report has the greatest errors (max_translation,
      max_rotation, max_scale) and the size of the data (bytes).
      samples               any value: Frame by frame, a row for each track: translation 3,
                            rotation x y z w, scale 3, as anim:decode() gives them. Default: the
                            animation's own.
      tolerance             any value: How far poses may be from what is given: { translation =,
                            rotation =, scale =, value = }, each a number or a list of one a track;
                            value is that of float tracks. Default: 0.01 units, 0.002 rad, 0.001,
                            0.001; in files whose unit is not Bethesda's 1e-4 of the height for
                            translations.
      quantization          any value: Bits of a rotation: 40, 48, 32 or "none" (floats). Default:
                            40, as games have it, and a finer one where that cannot meet the
                            tolerance.
      max_frames_per_block  integer: Frames that one block of splines holds, 2 to 256. Default: as
                            it is, or 256.
  animation:write(samples, { tolerance =, quantization =, max_frames_per_block = })
      Replaces the poses. Tracks whose poses do not change keep their bytes.
      samples               any value, needed: Frame by frame, a row for each track: translation 3,
                            rotation x y z w, scale 3, as anim:decode() gives them.
      tolerance             any value: How far poses may be from what is given: { translation =,
                            rotation =, scale =, value = }, each a number or a list of one a track;
                            value is that of float tracks. Default: 0.01 units, 0.002 rad, 0.001,
                            0.001; in files whose unit is not Bethesda's 1e-4 of the height for
                            translations.
      quantization          any value: Bits of a rotation: 40, 48, 32 or "none" (floats). Default:
                            40, as games have it, and a finer one where that cannot meet the
                            tolerance.
      max_frames_per_block  integer: Frames that one block of splines holds, 2 to 256. Default: as
                            it is, or 256.
$ lathe formats sollid
lathe formats: no format 'sollid'; did you mean 'solid'?
[exit 2]
$ lathe formats save --json
{"name":"save","doc":"Overgrowth saved game","extensions":[".sav",".sav2",".sav3"],"games":["Overgrowth"],"read":true,"write":true,"new":true,"export":false,"import":{"Overgrowth":[]},"can":["check","new","open","rename","save","set_version"],"commands":["rename","set-version"],"fields":[{"name":"marker","type":"bytes","doc":"The letters \"Overgrowth Save\".","readonly":true},{"name":"version","type":"u16","doc":"1 or 3; the published game reads only 3.","readonly":true},{"name":"level_count","type":"u16","doc":"Number of levels.","readonly":true},{"name":"levels","type":"save_level","array":true,"doc":"The levels. The game finds a level by campaign, category and name, and uses the first match."},{"name":"trailing","type":"bytes","doc":"Bytes behind the last level, which the game ignores. Kept as they are."}],"verbs":[{"name":"rename","doc":"Gives keys of values, arrays and numbers another name, in all levels.","params":[{"name":"from","doc":"Old name; the whole name must match.","kind":"string","positional":true,"needed":true},{"name":"to","doc":"New name.","kind":"string","positional":true,"needed":true},{"name":"what","doc":"Kind of names to change. Default: all.","kind":"string","values":["all","bones","labels","events","keys"]}]},{"name":"set_version","doc":"Makes it a file of another version; names what 1 has no place for.","params":[{"name":"version","doc":"The new version. 1 or 3.","kind":"integer","positional":true,"needed":true}]}]}

# A scene: what its numbers mean, and the fields of one type of many.
$ lathe info crate.nif spheres.nif
crate.nif
  format                      nif: scene of NetImmerse, Gamebryo or the Creation Engine: meshes, materials, collision
  game                        Fallout 4
  size                        633 bytes
  header_string               "Gamebryo File Format, Version 20.2.0.7"
  version                     335675399 (20.2.0.7)
  endian                      1
  user_version                12
  bs_version                  130
  block_types                 str32[4]
  max_string_length           24 bytes
  strings                     str32[2]
  blocks                      4 blocks, all described
    NiNode                    1
    BSLightingShaderProperty  1
    BSShaderTextureSet        1
    BSEffectShaderProperty    1
  materials                   2 shaders, 3 textures
spheres.nif
  format             nif: scene of NetImmerse, Gamebryo or the Creation Engine: meshes, materials, collision
  game               Skyrim SE
  size               130 bytes
  header_string      "Gamebryo File Format, Version 20.2.0.7"
  version            335675399 (20.2.0.7)
  endian             1
  user_version       12
  bs_version         100
  block_types        str32[1]
  max_string_length  0 bytes
  blocks             2 blocks, all described
    bhkSphereShape   2
  materials          collision of stone, 0x0000004D
$ lathe get crate.nif version
335675399
$ lathe dump crate.nif version
335675399 (20.2.0.7)
$ lathe formats nif BSXFlags
BSXFlags
  type       text       Type of the block. Setting it keeps fields of the same names.
  type_name  str32      Name of the type, in front of the block (Morrowind). Read-only.
  zero       u32        0. Versions 10.0.1.0 to 10.1.
  name       str32      Name by which the game finds the data: `BSX`, `BBX`, `INV`, `BGED`, `CPA`,
                        `Prn` …
  next       reference  The next block of the chain (Morrowind).
  num_bytes  u32        [bytes] Size of the rest of the block (Morrowind).
  value      u32        The integer.
  value      u32        What the game does for the model. Bits: animated, havok, ragdoll, complex,
                        addon, editor_marker, dynamic, articulated, needs_transform_updates,
                        external_emit.
$ lathe formats nif BSXFlag
lathe formats: no type 'BSXFlag' in nif; did you mean 'BSXFlags'?
[exit 2]
$ lathe get crate.nif 'blocks[2].texture_set'
lathe: crate.nif: no field 'texture_set' in BSLightingShaderProperty; did you mean 'body.texture_set'?
[exit 1]
$ lathe set crate.nif 'blocks[2].body.texture_set=blocks[9]' -n
lathe: crate.nif: blocks[2].body.texture_set: 'blocks[9]' is no path of what is there, no number and not null
[exit 1]
$ lathe dump crate.nif 'blocks[1].rotation'
0x0000fd  row0  x 1  y 0  z 0
0x000109  row1  x 0  y 1  z 0
0x000115  row2  x 0  y 0  z 1
$ lathe info crate.nif floor.nif --json
{"file":"crate.nif","ok":true,"format":"nif","description":"scene of NetImmerse, Gamebryo or the Creation Engine: meshes, materials, collision","game":"Fallout 4","size":633,"fields":{"header_string":"Gamebryo File Format, Version 20.2.0.7","version":335675399,"endian":1,"user_version":12,"num_blocks":4,"bs_version":130,"author":"\u0000","process_script":"\u0000","export_script":"\u0000","max_filepath":"\u0000","num_block_types":4,"block_types":4,"num_strings":2,"max_string_length":24,"strings":2,"num_groups":0,"groups":0,"blocks":4,"footer":{"num_roots":1,"roots":[0]}},"details":{"version":{"meaning":"20.2.0.7"},"block_types":{"type":"str32"},"max_string_length":{"unit":"bytes"},"strings":{"type":"str32"},"groups":{"type":"u32"},"blocks":{"type":"NiObject"}},"types":{"blocks":[{"name":"NiNode","count":1,"opaque":false},{"name":"BSLightingShaderProperty","count":1,"opaque":false},{"name":"BSShaderTextureSet","count":1,"opaque":false},{"name":"BSEffectShaderProperty","count":1,"opaque":false}]},"meshes":[],"materials":{"shaders":2,"textures":3,"collision":[]},"bodies":[]}
{"file":"floor.nif","ok":true,"format":"nif","description":"scene of NetImmerse, Gamebryo or the Creation Engine: meshes, materials, collision","game":"Fallout 4","size":3333,"fields":{"header_string":"Gamebryo File Format, Version 20.2.0.7","version":335675399,"endian":1,"user_version":12,"num_blocks":5,"bs_version":130,"author":"\u0000","process_script":"\u0000","export_script":"\u0000","max_filepath":"\u0000","num_block_types":4,"block_types":4,"num_strings":2,"max_string_length":5,"strings":2,"num_groups":0,"groups":0,"blocks":5,"footer":{"num_roots":1,"roots":[0]}},"details":{"version":{"meaning":"20.2.0.7"},"block_types":{"type":"str32"},"max_string_length":{"unit":"bytes"},"strings":{"type":"str32"},"groups":{"type":"u32"},"blocks":{"type":"NiObject"}},"types":{"blocks":[{"name":"BSFadeNode","count":1,"opaque":false},{"name":"NiNode","count":1,"opaque":false},{"name":"bhkNPCollisionObject","count":2,"opaque":false},{"name":"bhkPhysicsSystem","count":1,"opaque":false}]},"meshes":[],"materials":{"shaders":0,"textures":0,"collision":[{"name":"wood","count":2},{"name":4239621792,"count":1},{"name":"stone","count":1},{"name":"metal","count":1}]},"bodies":[{"motion":"static","count":2}]}

# Paths are those of Lua: members of documents, elements by number or by name, with names in any quotes.
$ cp examples/*.hkx examples/progress.sav3 .
$ lathe get wave.hkx --skeleton skeleton.hkx 'animations[1].tracks["NPC Head"].bone_index'
3
$ lathe get wave.hkx --skeleton skeleton.hkx "animations[1].tracks['NPC Haed']"
lathe: wave.hkx: animations[1].tracks['NPC Haed']: no track "NPC Haed"; did you mean 'NPC Head'?
[exit 1]
$ lathe get skeleton.hkx 'skeletons[1].bones["NPC Head"].pose.t'
{ 0.0, 0.0, 30.0 }
$ lathe get behavior.hkx 'events["moveStart"].id' && lathe get behavior.hkx "events['moveStart'].id"
0
0
$ lathe get behavior.hkx 'events["moveStrat"].id'
lathe: behavior.hkx: the graph has no event 'moveStrat'; did you mean 'moveStart'?
[exit 1]
$ lathe get behavior.hkx graph.states
3 states
       name       transitions     generator          state_id  probability  enable
  [1]  "Gesture"  -> objects[5]   "GestureSelector"         2            1  true
  [2]  "Idle"     -> objects[12]  "Idle"                    0            1  true
  [3]  "Walk"     -> objects[15]  "Walk"                    1            1  true
$ lathe get behavior.hkx 'graph.states[1].name' --json
{"file":"behavior.hkx","ok":true,"path":"graph.states[1].name","value":"Gesture"}
$ lathe get behavior.hkx graph --json | cut -c -100
{"file":"behavior.hkx","ok":true,"path":"graph","value":{"name":"Guard.hkb","source":"objects[2]","s
$ lathe get behavior.hkx graph.stats
lathe: behavior.hkx: graph.stats: no field 'stats' in graph; did you mean 'states'?
[exit 1]
$ lathe get ball.nif 'bodies[1]["mass"]' && lathe get ball.nif 'bodies[1].masss'
2
lathe: ball.nif: bodies[1].masss: no field 'masss' in hk_body; did you mean 'mass'?
[exit 1]
$ lathe get ball.nif game && lathe get ball.nif game --json
Fallout 4
{"file":"ball.nif","ok":true,"path":"game","value":"Fallout 4"}
$ lathe get waves.hkx 'animations[1].tracks[31]'
lathe: waves.hkx: animations[1].tracks[31]: animations[1].tracks has 30 elements, numbered from 1
[exit 1]
$ lathe get waves.hkx 'animations[1].tracks[-1]'
lathe: waves.hkx: animations[1].tracks[-1]: animations[1].tracks has 30 elements, numbered from 1
[exit 1]
$ lathe get waves.hkx 'animations[-1]'
lathe: waves.hkx: animations[-1]: there is only animations[1]
[exit 1]
$ lathe get waves.hkx 'animations[1'
lathe: waves.hkx: 'animations[1' is no path, see '[1'
[exit 1]
$ lathe get waves.hkx 'objects[0]'
lathe: waves.hkx: 'objects[0]' is not a path: elements are numbered from 1, see '[0]'
[exit 1]
$ lathe set progress.sav3 'levels[1].values["say \"hi\""]=x' -o quoted.sav3 && lathe get quoted.sav3 'levels[1].values["say \"hi\""]' && lathe get quoted.sav3 "levels[1].values['say \"hi\"']"
progress.sav3: 1 change -> quoted.sav3
x
x
$ lathe dump waves.hkx 'animations[1].annotations'
0 annotations
$ lathe dump waves.hkx 'animations[1].tracks["Arm 5"]' --json
{"file":"waves.hkx","ok":true,"path":"animations[1].tracks[\"Arm 5\"]","value":{"bone":"Arm 5","bone_index":4}}
$ lathe dump ball.nif 'bodies[1].shape' | head -2
0x000450  flags               273
0x000452  num_shape_key_bits  0 bits
$ lathe dump ball.nif 'bodies[1].shpae'
lathe: ball.nif: bodies[1].shpae: no field 'shpae' in hk_body; did you mean 'shape'?
[exit 1]
$ lathe set ball.nif 'bodies[1]["friction"]=0.25' -o slippery.nif && lathe get slippery.nif 'bodies[1].friction'
ball.nif: 1 change -> slippery.nif
0.25
$ lathe set skeleton.hkx 'skeletons[1].bones["NPC Head"].pose.t[2]=1' -n
skeleton.hkx: would change (1 change)
  objects[3].reference_pose[4].translation.y: 0 -> 1
$ lathe set skeleton.hkx "skeletons[1].bones['NPC Head'].name=Head" -n
skeleton.hkx: would change (1 change)
  objects[3].bones[4].name: "NPC Head" -> "Head"
$ lathe set skeleton.hkx 'skeletons[1].bones["NPC Haed"].name=Head' -n
lathe: skeleton.hkx: skeletons[1].bones["NPC Haed"].name: no bone "NPC Haed"; did you mean 'NPC Head'?
[exit 1]
$ lathe set ball.nif game=oblivion -n
lathe: ball.nif: game: 'game' of a document cannot be set
[exit 1]
$ lathe set ball.nif graph=1 -n
lathe: ball.nif: no field 'graph' in nif
[exit 1]
