# What is in packfiles.
$ lathe info clip.hkx
clip.hkx
  format                              hkx: Havok packfile: skeletons, animations and other objects
  game                                Skyrim SE
  size                                2880 bytes
  user_tag                            0
  file_version                        8
  pointer_size                        8 bytes
  little_endian                       true
  reuse_padding                       false
  empty_base                          true
  contents_version                    "hk_2010.2.0-r1"
  flags                               0
  max_predicate                       -1
  class_names                         hkClassName[11]
  root                                -> hkRootLevelContainer objects[1]
    named_variants[1]                 "Merged Animation Container" -> hkaAnimationContainer objects[2]
    named_variants[2]                 "Resource Data" -> hkMemoryResourceContainer objects[7]
  objects                             7 objects, all described
    hkRootLevelContainer              1
    hkaAnimationContainer             1
    hkaSkeleton                       1
    hkaSplineCompressedAnimation      1
    hkaDefaultAnimatedReferenceFrame  1
    hkaAnimationBinding               1
    hkMemoryResourceContainer         1
  skeleton 1                          3 bones, 1 float slot "NPC Root"
  animation 1                         0.300000012 s, 10 frames, 3 tracks, 1 float track, 2 annotations, hkaSplineCompressedAnimation
$ lathe info odd.hkx
odd.hkx
  format                       hkx: Havok packfile: skeletons, animations and other objects
  game                         Fallout 4
  size                         1552 bytes
  user_tag                     0
  file_version                 11
  pointer_size                 8 bytes
  little_endian                true
  reuse_padding                false
  empty_base                   true
  contents_version             "hk_2014.1.0-r1"
  flags                        0
  max_predicate                21
  predicates                   16 bytes: 14 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  class_names                  hkClassName[10]
  root                         -> hkRootLevelContainer objects[1]
    named_variants[1]          "Merged Animation Container" -> hkaAnimationContainer objects[2]
    named_variants[2]          "Physics" -> hkpSystem objects[4]
    named_variants[3]          "Nothing" -> null
    named_variants[4]          "Resource Data" -> hkMemoryResourceContainer objects[6]
  objects                      6 objects, 2 opaque: hkpSystem, hkpThing
    hkRootLevelContainer       1
    hkaAnimationContainer      1
    hkaSkeleton                1
    hkpSystem                  1, opaque
    hkpThing                   1, opaque
    hkMemoryResourceContainer  1
  skeleton 1                   1 bone "Root"
$ lathe info odd.hkx --json
{"file":"odd.hkx","ok":true,"format":"hkx","description":"Havok packfile: skeletons, animations and other objects","game":"Fallout 4","size":1552,"fields":{"user_tag":0,"file_version":11,"pointer_size":8,"little_endian":true,"reuse_padding":false,"empty_base":true,"contents_version":"hk_2014.1.0-r1","flags":0,"max_predicate":21,"predicates":{"length":16,"base64":"FAAAAAAAAAAAAAAAAAAAAA=="},"class_names":10,"root":"objects[1]","objects":6},"details":{"pointer_size":{"unit":"bytes"},"class_names":{"type":"hkClassName"},"objects":{"type":"hkObject"}},"links":{"root":{"type":"hkRootLevelContainer","path":"objects[1]","named_variants":[{"name":"Merged Animation Container","refs":[{"field":"variant","type":"hkaAnimationContainer","path":"objects[2]"}]},{"name":"Physics","refs":[{"field":"variant","type":"hkpSystem","path":"objects[4]"}]},{"name":"Nothing","refs":[{"field":"variant"}]},{"name":"Resource Data","refs":[{"field":"variant","type":"hkMemoryResourceContainer","path":"objects[6]"}]}]}},"types":{"objects":[{"name":"hkRootLevelContainer","count":1,"opaque":false},{"name":"hkaAnimationContainer","count":1,"opaque":false},{"name":"hkaSkeleton","count":1,"opaque":false},{"name":"hkpSystem","count":1,"opaque":true},{"name":"hkpThing","count":1,"opaque":true},{"name":"hkMemoryResourceContainer","count":1,"opaque":false}]},"materials":{"shaders":0,"textures":0,"collision":[]},"bodies":[],"skeletons":[{"name":"Root","bones":1,"float_slots":0}],"animations":[]}

# What is alike in all formats, as the prompt shows it.
$ lathe get clip.hkx animations
animations[1]  animation: 0.3 s, 10 frames, 3 tracks
$ lathe get clip.hkx 'animations[1]'
animation: 0.3 s, 10 frames, 3 tracks
  duration      = 0.300000012
  frame_count   = 10
  looping       = false
  absolute      = false
  blend_hint    = "normal"
  skeleton_name = "NPC Root"
  tracks        = 3 tracks
  float_tracks  = 1 float track
  annotations   = 2 annotations
  root_motion   = buffer f32 10 x 4
  binding       = hkaAnimationBinding objects[6]: original_skeleton_name="NPC Root" animation=hkaSplineCompressedAnimation ...
  source        = hkaSplineCompressedAnimation objects[4]: type="spline_compressed" duration=0.300000012 number_of_transform_tracks=3 ...
$ lathe get clip.hkx 'animations[1]' --json
{"file":"clip.hkx","ok":true,"path":"animations[1]","value":{"duration":0.300000012,"frame_count":10,"looping":false,"absolute":false,"blend_hint":"normal","skeleton_name":"NPC Root","tracks":[{"bone":"NPC Root","bone_index":0},{"bone":"NPC COM","bone_index":1},{"bone":"NPC Head","bone_index":2}],"float_tracks":[{"name":"hkVis:Weapon","slot_index":0}],"annotations":[{"source":"objects[4].annotation_tracks[1].annotations[1]","text":"FootLeft","time":0.100000001,"track":0},{"source":"objects[4].annotation_tracks[1].annotations[2]","text":"FootRight","time":0.200000003,"track":0}],"root_motion":[[0,0,0,0],[0,2,0,0],[0,4,0,0],[0,6,0,0],[0,8,0,0],[0,10,0,0],[0,12,0,0],[0,14,0,0],[0,16,0,0],[0,18,0,0]],"binding":"objects[6]","source":"objects[4]"}}
$ lathe get clip.hkx 'skeletons[1]'
skeleton "NPC Root": 3 bones
  name        = "NPC Root"
  bones       = 3 bones
  float_slots = { 1 }
  source      = hkaSkeleton objects[3]: name="NPC Root" parent_indices=[3] bones=[3] reference_pose=[3] reference_floats=[1] ...
$ lathe get clip.hkx skeletons --json
{"file":"clip.hkx","ok":true,"path":"skeletons","value":[{"name":"NPC Root","bones":[{"name":"NPC Root","parent":-1,"pose":{"q":[0,0,0,1],"s":[1,1,1],"t":[0,0,0]}},{"name":"NPC COM","parent":0,"pose":{"q":[0,0,0,1],"s":[1,1,1],"t":[0,0,68.5]}},{"name":"NPC Head","parent":1,"pose":{"q":[0,0,0,1],"s":[1,1,1],"t":[0,1,50]}}],"float_slots":["hkVis:Weapon"],"source":"objects[3]"}]}
$ for p in duration looping 'annotations[1]' 'annotations[2].text' 'tracks[2].bone' 'float_tracks[1]' root_motion source.duration binding.animation.type; do lathe get clip.hkx "animations[1].$p"; done
0.300000012
false
annotation "FootLeft": 0.100000001 s, track 0
  time   = 0.100000001 s
  text   = "FootLeft"
  track  = 0
  source = -> objects[4].annotation_tracks[1].annotations[1]
FootRight
NPC COM
float track 1: slot 0 "hkVis:Weapon"
  name       = "hkVis:Weapon"
  slot_index = 0
buffer f32 10 x 4
        1   2  3  4
  [1]   0   0  0  0
  [2]   0   2  0  0
  [3]   0   4  0  0
  [4]   0   6  0  0
  [5]   0   8  0  0
  [6]   0  10  0  0
  [7]   0  12  0  0
  [8]   0  14  0  0
  [9]   0  16  0  0
  [10]  0  18  0  0
0.300000012
spline_compressed
$ lathe get clip.hkx 'animations[1].annotations[1]' --json
{"file":"clip.hkx","ok":true,"path":"animations[1].annotations[1]","value":{"source":"objects[4].annotation_tracks[1].annotations[1]","text":"FootLeft","time":0.100000001,"track":0}}
$ lathe get clip.hkx 'skeletons[1].bones[2].pose.t[3]' --json
{"file":"clip.hkx","ok":true,"path":"skeletons[1].bones[2].pose.t[3]","value":68.5}
$ lathe get clip.hkx 'animations[1].binding' --json
{"file":"clip.hkx","ok":true,"path":"animations[1].binding","value":{"class":"hkaAnimationBinding","original_skeleton_name":"NPC Root","animation":4,"transform_track_to_bone_indices":[0,1,2],"float_track_to_float_slot_indices":[0],"blend_hint":"normal"}}
$ lathe get clip.hkx 'animations[1].tracks["NPC"]'
lathe: clip.hkx: animations[1].tracks["NPC"]: no track "NPC"; did you mean 'NPC COM'?
[exit 1]
$ for p in 'animations[2]' animations.x 'animations[1].durtion' 'animations[1].annotations[9].text' 'animations[1].duration.x' 'animations[1].retime' 'animations[1]..x'; do lathe get clip.hkx "$p"; done
lathe: clip.hkx: animations[2]: there is only animations[1]
lathe: clip.hkx: animations.x: which of the animations? animations[1] is the first
lathe: clip.hkx: animations[1].durtion: no field 'durtion' in animation; did you mean 'duration'?
lathe: clip.hkx: animations[1].annotations[9].text: animations[1].annotations has 2 elements, numbered from 1
lathe: clip.hkx: animations[1].duration.x is absent
lathe: clip.hkx: animations[1].retime is absent
lathe: clip.hkx: 'animations[1]..x' is no path, see '..x'
[exit 1]
$ lathe set clip.hkx 'animations[1].annotations[1].source.text=Step' -n
clip.hkx: would change (1 change)
  objects[4].annotation_tracks[1].annotations[1].text: "FootLeft" -> "Step"
$ for p in 'annotations[1].text' duration 'annotations[9].text'; do lathe set clip.hkx "animations[1].$p=1" -n; done
clip.hkx: would change (1 change)
  objects[4].annotation_tracks[1].annotations[1].text: "FootLeft" -> "1"
lathe: clip.hkx: animations[1].duration cannot be set: it is a copy; change objects[4]
lathe: clip.hkx: animations[1].annotations[9].text: animations[1].annotations has 2 elements, numbered from 1
[exit 1]
$ lathe get tri.solid 'skeletons[1]'
lathe: tri.solid: skeletons[1]: there are 0 skeletons, numbered from 1
[exit 1]
$ lathe get tri.solid skeletons --json
{"file":"tri.solid","ok":true,"path":"skeletons","value":[]}

# Their trees: pointers are paths.
$ lathe dump clip.hkx 'root'
0x0001e0  named_variants  hkRootLevelContainerNamedVariant[2]
0x0001f0    [1]  hkRootLevelContainerNamedVariant
0x000220      name        "Merged Animation Container"
0x000240      class_name  "hkaAnimationContainer"
0x000200      variant     -> objects[2]
0x000208    [2]  hkRootLevelContainerNamedVariant
0x000260      name        "Resource Data"
0x000270      class_name  "hkMemoryResourceContainer"
0x000218      variant     -> objects[7]
$ lathe dump clip.hkx 'objects[2]'
0x0002a0  skeletons    -> objects[3]
0x0002b0  animations   -> objects[4]
0x0002c0  bindings     -> objects[6]
0x0002d0  attachments  (empty)
0x0002e0  skins        (empty)
$ lathe dump clip.hkx 'objects[3]' --depth 2
0x0003a0  name              "NPC Root"
0x000338  parent_indices    -1  0  1
0x000348  bones             hkaBone[3]
0x0003c0    [1]  hkaBone
0x0003d0    [2]  hkaBone
0x0003e0    [3]  hkaBone
0x000358  reference_pose    hkQsTransform[3]
0x000420    [1]  hkQsTransform
0x000450    [2]  hkQsTransform
0x000480    [3]  hkQsTransform
0x000368  reference_floats  0
0x000378  float_slots       "hkVis:Weapon"
0x000388  local_frames      (empty)
$ lathe dump odd.hkx objects --depth 1
0x0001e0  [1]  hkRootLevelContainer
0x000300  [2]  hkaAnimationContainer
0x000370  [3]  hkaSkeleton
0x000470  [4]  hkpSystem
0x000490  [5]  hkpThing
0x0004a0  [6]  hkMemoryResourceContainer
$ lathe dump odd.hkx objects --depth 3
0x0001e0  [1]  hkRootLevelContainer
0x0001e0    named_variants  hkRootLevelContainerNamedVariant[4]
0x0001f0      [1]  hkRootLevelContainerNamedVariant
0x000208      [2]  hkRootLevelContainerNamedVariant
0x000220      [3]  hkRootLevelContainerNamedVariant
0x000238      [4]  hkRootLevelContainerNamedVariant
0x000300  [2]  hkaAnimationContainer
0x000310    skeletons    -> objects[3]
0x000320    animations   (empty)
0x000330    bindings     (empty)
0x000340    attachments  (empty)
0x000350    skins        (empty)
0x000370  [3]  hkaSkeleton
0x000400    name              "Root"
0x000388    parent_indices    -1
0x000398    bones             hkaBone[1]
0x000420      [1]  hkaBone
0x0003a8    reference_pose    hkQsTransform[1]
0x000440      [1]  hkQsTransform
0x0003b8    reference_floats  (empty)
0x0003c8    float_slots       (empty)
0x0003d8    local_frames      (empty)
0x0003e8    partitions        (empty)
0x000470  [4]  hkpSystem
0x000470    bytes     32 bytes: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ...
            pointers  "0x0=#5 0x8=#5"
0x000490  [5]  hkpThing
0x000490    bytes  16 bytes: 7a 7a 7a 7a 7a 7a 7a 7a 7a 7a 7a 7a 7a 7a 7a 7a
0x0004a0  [6]  hkMemoryResourceContainer
0x0004e0    name              ""
0x0004c0    resource_handles  (empty)
0x0004d0    children          (empty)
$ lathe dump odd.hkx local_fixups
0x0004f0  fixups  hkLocalFixup[16]
0x0004f0    [1]   source 0  target 16
0x0004f8    [2]   source 16  target 112
0x000500    [3]   source 24  target 144
0x000508    [4]   source 40  target 176
0x000510    [5]   source 48  target 192
0x000518    [6]   source 64  target 208
0x000520    [7]   source 72  target 224
0x000528    [8]   source 88  target 240
0x000530    [9]   source 96  target 256
0x000538    [10]  source 304  target 384
0x000540    [11]  source 416  target 544
0x000548    [12]  source 424  target 560
0x000550    [13]  source 440  target 576
0x000558    [14]  source 576  target 592
0x000560    [15]  source 456  target 608
0x000568    [16]  source 720  target 768
$ lathe dump odd.hkx 'sections[3]' --all
0x0000d0  name                   "__data__"
0x0000e3  mark                   255
0x0000e4  absolute_data_start    480 bytes
0x0000e8  local_fixups_offset    784 bytes
0x0000ec  global_fixups_offset   912 bytes
0x0000f0  virtual_fixups_offset  992 bytes
0x0000f4  exports_offset         1072 bytes
0x0000f8  imports_offset         1072 bytes
0x0000fc  end_offset             1072 bytes
0x000100  padding                16 bytes: ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff
$ lathe dump odd.hkx --json 'objects[1]'
{"file":"odd.hkx","ok":true,"format":"hkx","path":"objects[1]","value":{"class":"hkRootLevelContainer","named_variants":[{"name":"Merged Animation Container","class_name":"hkaAnimationContainer","variant":2},{"name":"Physics","class_name":"hkpSystem","variant":4},{"name":"Nothing","class_name":"hkpThing","variant":null},{"name":"Resource Data","class_name":"hkMemoryResourceContainer","variant":6}]}}
$ lathe dump odd.hkx --json 'objects[4]'
{"file":"odd.hkx","ok":true,"format":"hkx","path":"objects[4]","value":{"class":"hkpSystem","bytes":{"length":32,"base64":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="},"pointers":"0x0=#5 0x8=#5"}}
$ lathe get clip.hkx 'objects[4].annotation_tracks[1].annotations[2].text'
FootRight
$ lathe get clip.hkx 'root.named_variants[1].variant.animations[1].duration'
0.300000012

# An event gets another name: nothing else differs.
$ lathe set clip.hkx 'objects[4].annotation_tracks[1].annotations[2].text=Hit' -o hit.hkx
clip.hkx: 1 change -> hit.hkx
$ lathe diff clip.hkx hit.hkx
objects[4].annotation_tracks[1].annotations[2].text: "FootRight" -> "Hit"
[exit 1]
$ lathe diff clip.hkx hit.hkx --json
{"file":"clip.hkx","ok":true,"format":"hkx","other":"hit.hkx","same":false,"patch":1,"game":"Skyrim SE","complete":true,"changes":[{"path":"objects[4].annotation_tracks[1].annotations[2].text","old":"FootRight","new":"Hit"}]}
[exit 1]
$ lathe set clip.hkx 'objects[4].annotation_tracks[1].annotations[2].text=a name that is much longer than before' -o long.hkx
clip.hkx: 1 change -> long.hkx
$ lathe diff clip.hkx long.hkx
objects[4].annotation_tracks[1].annotations[2].text: "FootRight" -> "a name that is much longer than before"
[exit 1]
$ lathe set long.hkx 'objects[4].annotation_tracks[1].annotations[2].text=FootRight' -o back.hkx && cmp back.hkx clip.hkx
long.hkx: 1 change -> back.hkx
$ lathe diff clip.hkx back.hkx

# Pointers are set to paths, numbers, or nothing.
$ lathe set odd.hkx 'root.named_variants[3].variant=objects[5]' --dry-run
odd.hkx: would change (1 change)
  objects[1].named_variants[3].variant: null -> objects[5]
$ lathe set odd.hkx 'root.named_variants[3].variant=4' --dry-run
odd.hkx: would change (1 change)
  objects[1].named_variants[3].variant: null -> objects[4]
$ lathe set odd.hkx 'root.named_variants[2].variant=nil' --dry-run
odd.hkx: would change (1 change)
  objects[1].named_variants[2].variant: objects[4] -> null
$ lathe set odd.hkx 'root.named_variants[2].variant=objects[3].bones' --dry-run
lathe: odd.hkx: objects[1].named_variants[2].variant at 0x218: hkReferencedObject expected, got an array (hkRootLevelContainer)
[exit 1]
$ lathe set odd.hkx 'file_version=8' --dry-run
lathe: odd.hkx: file_version at 0xc: read-only: doc:serialize{game = } makes a file of another layout
[exit 1]

# What cannot be compared.
$ lathe diff clip.hkx tri.solid
lathe: clip.hkx: tri.solid is of another format: solid, not hkx
[exit 1]
$ lathe diff clip.hkx missing.hkx
lathe: clip.hkx: missing.hkx: cannot open: No such file or directory
[exit 1]
$ lathe diff - -
lathe diff: only one of the files can be stdin
[exit 2]

# Other kinds of Havok files say what they are.
$ printf '<?xml version="1.0"?>\n<hkpackfile classversion="8">' > old.hkx && lathe info old.hkx
lathe: old.hkx: at 0x33: line 2, column 30: the text ends inside of hkpackfile
[exit 1]
$ printf '\0\0\1\0TAG0\0\0' > new.hkx && lathe info new.hkx
lathe: new.hkx: at 0x0: TAG0: the file is cut off: it says 256 bytes, 10 are there
[exit 1]
