# Commands that are verbs of animations: what they need is told as options.
$ lathe loop waves.hkx -n
lathe loop: --frames <n> is missing
[exit 2]
$ lathe blend waves.hkx -n
lathe blend: --other <file> and --weight <n> are missing
[exit 2]
$ lathe rename --from a waves.hkx -n
lathe rename: --to <text> is missing
[exit 2]
$ lathe retarget waves.hkx -n
lathe retarget: --to <file> is missing
[exit 2]
$ lathe mirror clip.hkx --pairs a=b -n
lathe: clip.hkx: --pairs[1]: the skeleton has no bone 'a'
[exit 1]
$ lathe additive waves.hkx --axis x -n
lathe additive: unknown option '--axis'
[exit 2]
$ lathe additive waves.hkx --pose waves.hkx --frame 20 -n
lathe: waves.hkx: frame 20 of --pose is not in 0 .. 19
[exit 1]
$ lathe mirror waves.hkx -n
lathe: waves.hkx: no bone of the skeleton has a counterpart on the other side: give pairs
[exit 1]
$ lathe root-motion waves.hkx -n
lathe: waves.hkx: root-motion takes one of --extract, --bake
[exit 1]
$ lathe root-motion waves.hkx --extract --bake -n
lathe: waves.hkx: root-motion takes one of --extract, --bake
[exit 1]
$ lathe blend waves.hkx --other waves.hkx --weight 2 -n
lathe: waves.hkx: --weight is 0 to 1, not 2
[exit 1]
$ lathe offset waves.hkx --bone 0 --t 1,2 -n
lathe: waves.hkx: --t: 3 numbers expected
[exit 1]
$ lathe offset waves.hkx --bone 999 --t 1,2,3 -n
lathe: waves.hkx: offset: no track moves bone 999; they move bones 0 to 29
[exit 1]
$ lathe offset waves.hkx --bone "Arm 77" --t 1,2,3 -n
lathe: waves.hkx: offset: no track moves a bone 'Arm 77'; did you mean 'Arm 7'?
[exit 1]
$ lathe resample waves.hkx --fps 2000 -n
lathe: waves.hkx: --fps is at most 1000, not 2000
[exit 1]

# A long list is cut, and says what shows all of it.
$ lathe get waves.hkx 'animations[1].tracks' | tail -n 1
  ... 10 more (--json lists all)
$ lathe dump waves.hkx 'animations[1].tracks' | tail -n 1
  ... 10 more (--all shows all)
$ lathe dump waves.hkx 'animations[1].tracks' --all | tail -n 1
  [30]  "Arm 30"          29
$ lathe get waves.hkx 'animation[1].duration'
lathe: waves.hkx: animation[1].duration: no field 'animation' in hkx; did you mean 'animations'?
[exit 1]
$ lathe get waves.hkx 'doc.animations[1].duration'
0.633333325

# Why nothing changes.
$ lathe trim waves.hkx -n
waves.hkx: unchanged
  note: nothing to do: 0 to 0.633333325 s is the whole animation
$ lathe trim waves.hkx -o same.hkx
waves.hkx: unchanged -> same.hkx
  note: nothing to do: 0 to 0.633333325 s is the whole animation
$ lathe rename --from "Arm" --to b waves.hkx -n
waves.hkx: unchanged
  note: nothing to do: no annotation has the text 'Arm'
$ lathe rename --from "Arm" --to b waves.hkx -n --json
{"file":"waves.hkx","ok":true,"report":{"changed":0,"skipped":[],"notes":["nothing to do: no annotation has the text 'Arm'"]},"changes":[]}
$ lathe scale 1 waves.hkx -n
waves.hkx: unchanged
  note: nothing to do: no value of the file would change
$ lathe retime --speed 1 waves.hkx -n
waves.hkx: unchanged
  note: nothing to do: no value of the file would change
$ lathe offset waves.hkx --bone 0 -n
waves.hkx: unchanged
  note: nothing to do: neither t nor q moves the bone
$ lathe blend waves.hkx --other waves.hkx --weight 0 -n
waves.hkx: unchanged
  note: nothing to do: weight 0 takes nothing of the other

# What is counted, and what is said besides.
$ lathe offset waves.hkx --bone "Arm 5" --t 0,0,1 -o up.hkx
waves.hkx: 20 poses -> up.hkx
$ lathe concat waves.hkx --other up.hkx -o both.hkx
waves.hkx: 620 poses -> both.hkx
  note: the last pose of the first animation is not the first of the other, which takes its place: it jumps there
  note: objects[4]: 1 float track is written as splines, which no known file has
$ lathe concat waves.hkx --other up.hkx -o both.hkx --json
{"file":"waves.hkx","ok":true,"written":"both.hkx","report":{"changed":620,"skipped":[],"notes":["the last pose of the first animation is not the first of the other, which takes its place: it jumps there","objects[4]: 1 float track is written as splines, which no known file has"]}}
$ lathe concat waves.hkx --other clip.hkx -n
lathe: waves.hkx: the animation has 30 tracks, for the skeleton 'Arms'; the other has 3, for 'NPC Root'
[exit 1]
