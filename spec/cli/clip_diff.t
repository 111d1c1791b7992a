# What differs between animations that are compressed: how far tracks are apart, not the bytes that hold them.
$ echo 'return function(doc) assert(doc.animations[1].tracks[5]:set(3, { t = { 6, 2, 0 }, s = { 1, 1.5, 1 } })) end' > pose.lua
$ lathe run pose.lua waves.hkx -o one.hkx
waves.hkx: changed -> one.hkx
1 changed, 0 unchanged, 0 failed
$ lathe diff waves.hkx one.hkx
animations[1].tracks[5] (Arm 5): differs in 20 frames, up to 1.05 units (frame 3), 0.5 in size (frame 3)
[exit 1]
$ lathe diff waves.hkx one.hkx --json | grep -o "^.*frame\":3},"
{"file":"waves.hkx","ok":true,"format":"hkx","other":"one.hkx","same":false,"patch":1,"game":"Skyrim SE","complete":true,"changes":[{"path":"animations[1].tracks[5]","name":"Arm 5","frames":20,"translation":1.0453505720788,"translation_frame":3,"rotation":0,"scale":0.5000057220459,"scale_frame":3},
$ lathe run pose.lua waves.hkx --dry-run
waves.hkx: would change (1 change)
  animations[1].tracks[5] (Arm 5): differs in 20 frames, up to 1.05 units (frame 3), 0.5 in size (frame 3)
1 would change, 0 unchanged, 0 failed

# Many of them: the first ones.
$ echo 'return function(doc) doc:edit(function() for _, t in ipairs(doc.animations[1].tracks) do t:set(0, { t = { 0, 0, 0 } }) end end) end' > all.lua
$ lathe run all.lua waves.hkx -o all.hkx
waves.hkx: changed -> all.hkx
1 changed, 0 unchanged, 0 failed
$ lathe diff waves.hkx all.hkx | sed -n '1p;20,$p'
animations[1].tracks[1] (Arm 1): differs in 20 frames, up to 1.31 units (frame 0)
animations[1].tracks[20] (Arm 20): differs in 20 frames, up to 20 units (frame 0)
... and 10 more in animations[1] (--json lists all)
$ lathe diff waves.hkx all.hkx --json | grep -o '"path":"animations' | wc -l
30
$ lathe run all.lua waves.hkx --dry-run | tail -3
1 would change, 0 unchanged, 0 failed
  animations[1].tracks[19] (Arm 19): differs in 20 frames, up to 19 units (frame 0)
  animations[1].tracks[20] (Arm 20): differs in 20 frames, up to 20 units (frame 0)
  ... and 10 more (--json lists all)
$ lathe offset --bone "Arm 7" --q 0,0,1,0 waves.hkx --dry-run
waves.hkx: would change (20 poses, 1 value differs)
  animations[1].tracks[7] (Arm 7): differs in 20 frames, up to 0.000191 units (frame 19), 3.14 rad (frame 0)

# Other frames: as fields tell it.
$ lathe trim --t1 0.3 waves.hkx -o short.hkx
waves.hkx: 310 poses -> short.hkx
  note: objects[4]: 1 float track is written as splines, which no known file has
$ lathe diff waves.hkx short.hkx
objects[4].duration: 0.633333325 -> 0.299999982
objects[4].num_frames: 20 -> 10
objects[4].block_duration: 8.5 -> 8.49999905
objects[4].block_inverse_duration: 0.117647059 -> 0.117647067
objects[4].float_block_offsets[1]: 2488 -> 1680
objects[4].data: 2512 bytes: 45 61 00 00 45 61 00 00 45 61 00 00 45 61 00 00 ... -> 1712 bytes: 44 61 00 00 44 61 00 00 45 61 00 00 45 61 00 00 ...
[exit 1]

# No sample differs.
$ lathe set waves.hkx 'animations[1].source.mem_size_and_flags=7' -o flag.hkx
waves.hkx: 1 change -> flag.hkx
$ lathe diff waves.hkx flag.hkx
objects[4].mem_size_and_flags: 0 -> 7
[exit 1]
$ lathe diff waves.hkx waves.hkx
