# The scripts that come with lathe: each is explained, and copied with its samples.
$ lathe examples slow-idles | sed 's|/.*/|.../|'
slow-idles  Slows down idle animations, and leaves all others as they are.

  use it when  characters fidget while they wait.
  files        .hkx of Skyrim and Fallout 4, .anm of Overgrowth.
  note         Takes files whose names contain "idle".
  arguments    [PERCENT]: how much slower, above 0 and below 100 (default: 20).
  script       .../slow_idles.lua

Try it on sample files:
  lathe examples slow-idles -o try && cd try
  lathe run @slow-idles idle_breathe.hkx wave.hkx -o slow
  lathe run @slow-idles idle_breathe.hkx -o half -- 50
$ lathe examples slow-idles -o mine
mine/slow_idles.lua
mine/idle_breathe.hkx
mine/wave.hkx

Try it:
  cd mine
  lathe run slow_idles.lua idle_breathe.hkx wave.hkx -o slow
  lathe run slow_idles.lua idle_breathe.hkx -o half -- 50
$ cd mine && lathe run slow_idles.lua idle_breathe.hkx -o half -- 50
idle_breathe.hkx: 4 s, was 2 s
made the folder half
idle_breathe.hkx: changed -> half/idle_breathe.hkx
1 changed, 0 unchanged, 0 failed

# A file that differs is kept: somebody may have edited it.
$ echo '-- mine' >> mine/slow_idles.lua
$ lathe examples slow-idles -o mine
lathe: mine/slow_idles.lua: has other content and was not replaced
mine/idle_breathe.hkx: is there already
mine/wave.hkx: is there already
[exit 1]
$ tail -n 1 mine/slow_idles.lua
-- mine

# Names may be spelled as the files; JSON has the same facts.
$ lathe examples mirror_clips.lua --json | sed 's|"path":".*/|"path":"|'
{"name":"mirror-clips","summary":"Mirrors animations: what the left hand did, the right hand does.","when":"left-handed characters need animations","files":".hkx of Skyrim and Fallout 4, .anm of Overgrowth","note":"Needs --skeleton FILE: the skeleton of the animations.","arguments":[{"name":"[LEFT=RIGHT...]","doc":"pairs of bones whose names do not tell that they are a pair; only for .hkx"}],"try":["lathe run @mirror-clips idle_breathe.hkx --skeleton biped.hkx -o mirrored","lathe diff idle_breathe.hkx mirrored/idle_breathe.hkx --skeleton biped.hkx"],"samples":["idle_breathe.hkx","biped.hkx"],"path":"mirror_clips.lua"}

# All of them, with all samples.
$ lathe examples -o all
copied all scripts and sample files to all
$ diff -r examples/ all && echo the same
the same

# Scripts are run by their names; their arguments are checked.
$ lathe run @rescale-collision all/stock.nif -n -- 1.1 keep
all/stock.nif: would change (38 changes)
  blocks[5].system.objects[1].motion_cinfos[1].mass_factor: 17.3102551 -> 13.0054512
  blocks[5].system.objects[1].motion_cinfos[1].inverse_inertia_local.x: 0.273818344 -> 0.226296157
  blocks[5].system.objects[1].motion_cinfos[1].inverse_inertia_local.y: 0.273818344 -> 0.226296157
  blocks[5].system.objects[1].motion_cinfos[1].inverse_inertia_local.z: 0.669137597 -> 0.553006291
  blocks[5].system.objects[1].motion_cinfos[1].center_of_mass_world.z: 0.685800016 -> 0.754380047
  blocks[5].system.objects[2].convex_radius: 0.00999999978 -> 0.0109999999
  blocks[5].system.objects[2].vertices[1].x: 0.342900008 -> 0.377190024
  blocks[5].system.objects[2].vertices[1].y: 0.342900008 -> 0.377190024
  blocks[5].system.objects[2].vertices[1].z: 1.37160003 -> 1.50876009
  blocks[5].system.objects[2].vertices[2].x: 0.342900008 -> 0.377190024
  blocks[5].system.objects[2].vertices[2].y: -0.342900008 -> -0.377190024
  blocks[5].system.objects[2].vertices[2].z: 1.37160003 -> 1.50876009
  blocks[5].system.objects[2].vertices[3].x: 0.342900008 -> 0.377190024
  blocks[5].system.objects[2].vertices[3].y: 0.342900008 -> 0.377190024
  blocks[5].system.objects[2].vertices[4].x: -0.342900008 -> -0.377190024
  blocks[5].system.objects[2].vertices[4].y: 0.342900008 -> 0.377190024
  blocks[5].system.objects[2].vertices[4].z: 1.37160003 -> 1.50876009
  blocks[5].system.objects[2].vertices[5].x: 0.342900008 -> 0.377190024
  blocks[5].system.objects[2].vertices[5].y: -0.342900008 -> -0.377190024
  blocks[5].system.objects[2].vertices[6].x: -0.342900008 -> -0.377190024
  ... and 18 more (--json lists all)
1 would change, 0 unchanged, 0 failed
$ lathe run @rescale-collision all/stock.nif -n -- big
lathe run: @rescale-collision:11: FACTOR: a number above 0 expected behind --, such as 1.1
[exit 2]
$ lathe run @rename-annotations all/wave.hkx -n
lathe run: @rename-annotations:9: OLD and NEW expected behind --: the text to replace, and the new text
[exit 2]
$ lathe run @broken-rules all/careless.nif -- absolut-textures
lathe run: @broken-rules:49: no rule absolut-textures; there are absolute-textures, collision-without-material, heavy-bodies
[exit 2]

# Names that are not there.
$ lathe examples slow-idels
lathe examples: no example script 'slow-idels'; did you mean 'slow-idles'?
[exit 2]
$ lathe run @slow-idels all/wave.hkx
lathe run: no example script 'slow-idels'; did you mean 'slow-idles'?
[exit 2]
$ lathe run @make all/wave.hkx
lathe run: no example script 'make'; `lathe examples` lists them
[exit 2]
$ lathe examples slow-idles -o all --json
lathe examples: --json lists scripts, -o copies them: give one of them
[exit 2]
$ lathe examples slow-idles -o all/wave.hkx
lathe examples: cannot make folder all/wave.hkx: File exists
[exit 2]

# The sign is easily forgotten.
$ lathe run slow-idles all/wave.hkx
lathe run: no file 'slow-idles'; did you mean '@slow-idles'?
[exit 2]
