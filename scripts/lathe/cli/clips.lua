--- Commands for animations: verbs that all formats with clips share.
-- @module lathe.cli.clips

local verb = require "lathe.cli.verb"

local SKIPPED = "Files without animations are skipped."

local ABOUT = {
  {
    name = "trim",
    summary = "Keep a part of animations.",
    description = "Keep the part between two times, with a key frame at both ends. " .. SKIPPED,
    examples = {
      "lathe trim --t0 0.5 --t1 2 walk.hkx -o short.hkx",
      "lathe trim --t1 1 Animations/ --dry-run",
    },
  },
  {
    name = "reverse",
    summary = "Play animations backwards.",
    description = "Play animations backwards, with annotations and root motion. " .. SKIPPED,
    examples = { "lathe reverse sit_down.hkx -o stand_up.hkx", "lathe reverse Animations/ --dry-run" },
  },
  {
    name = "resample",
    summary = "Change the number of key frames per second.",
    description = "Give animations evenly spaced key frames. Their duration stays the same. " .. SKIPPED,
    examples = {
      "lathe resample --fps 60 walk.hkx -o smooth.hkx",
      "lathe resample --fps 15 Animations/ -o small/",
    },
  },
  {
    name = "concat",
    summary = "Append another animation to each.",
    description = [[
Append another animation of the same bones to each. The first frame of the other replaces the last frame
of the first; root motion continues from where it ended.]],
    examples = {
      "lathe concat --other walk_stop.hkx walk.hkx -o walk_and_stop.hkx",
      "lathe concat --other idle.hkx Gestures/ -o gestures_to_idle/",
    },
  },
  {
    name = "mirror",
    summary = "Swap left and right in animations.",
    description = [[
Swap left and right in poses, root motion and annotations. lathe pairs bones by their names (Skyrim,
Fallout 4 and common ways to write left and right), or as --pairs says. --skeleton supplies the rest pose.]],
    pairs = { pairs = { "left", "right" } },
    examples = {
      "lathe mirror --skeleton skeleton.hkx punch_left.hkx -o punch_right.hkx",
      "lathe mirror --skeleton rig.hkx --pairs 'Fin A=Fin B' swim.hkx -o swim_mirrored.hkx",
    },
  },
  {
    name = "root_motion",
    summary = "Move root motion from a bone's track to the animation, or back.",
    description = [[
Remove movement in the ground plane from a bone's track and store it as root motion (--extract), or put
root motion back into the track (--bake).]],
    examples = {
      "lathe root-motion --extract --turn --skeleton skeleton.hkx walk.hkx -o walk_rm.hkx",
      "lathe root-motion --bake --skeleton skeleton.hkx run.hkx -o run_in_place.hkx",
    },
  },
  {
    name = "additive",
    summary = "Make animations additive.",
    description = [[
Make animations additive: store the difference to a pose, which is the skeleton's rest pose, the first
frame, or a frame of another file.]],
    examples = {
      "lathe additive --skeleton skeleton.hkx breathe.hkx -o breathe_additive.hkx",
      "lathe additive --against first aim.hkx -o aim_additive.hkx",
    },
  },
  {
    name = "normal",
    summary = "Make additive animations normal again.",
    description = "Add additive animations to a pose, so that they become normal animations.",
    examples = {
      "lathe normal --skeleton skeleton.hkx breathe_additive.hkx -o breathe.hkx",
      "lathe normal --pose idle.hkx aim_additive.hkx -o aim.hkx",
    },
  },
  {
    name = "retarget",
    summary = "Convert animations to another skeleton.",
    description = [[
Convert animations to another skeleton (--to). Bones are matched by name, or as --map says. They turn
relative to their new rest pose as they did relative to the old one, and have the lengths of the new
skeleton. --skeleton names the old skeleton.]],
    pairs = { map = { "from", "to" } },
    examples = {
      "lathe retarget --skeleton human.hkx --to troll.hkx walk.hkx -o troll_walk.hkx",
      "lathe retarget --skeleton a.hkx --to b.hkx --map 'Spine=NPC Spine' Clips/ -o retargeted/",
    },
  },
  {
    name = "offset",
    summary = "Move or turn a bone in all frames.",
    description = [[
Move or turn a bone in all frames, and with it the bones below: raise an arm, lower a head.]],
    examples = {
      "lathe offset --bone 'NPC Head [Head]' --q 0.17,0,0,0.98 --skeleton skeleton.hkx walk.hkx -o nod.hkx",
      "lathe offset --bone 0 --t 0,0,5 Animations/ -o higher/",
    },
  },
  {
    name = "loop",
    summary = "Make animations loop without a jump.",
    description = [[
Make the last frame equal the first one, and spread the difference over the frames before it.]],
    examples = {
      "lathe loop --frames 10 idle.hkx -o idle_loop.hkx",
      "lathe loop --frames 5 Idles/ --dry-run",
    },
  },
  {
    name = "blend",
    summary = "Blend animations with another.",
    description = "Blend animations with another, which is stretched to the same duration.",
    examples = {
      "lathe blend --other run.hkx --weight 0.5 walk.hkx -o jog.hkx",
      "lathe blend --other tired.hkx --weight 0.2 Animations/ -o tired/",
    },
  },
}

local clips = {}
for i, about in ipairs(ABOUT) do clips[i] = verb.command(about) end

return clips
