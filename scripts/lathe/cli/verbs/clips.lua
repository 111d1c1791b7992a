--- Commands for animations: verbs that all formats with clips share.
-- @module lathe.cli.verbs.clips

local text = require "lathe.tree.text"
local verb = require "lathe.cli.verbs"

local SKIPPED = "Files without animations are skipped."
local POSE = "Animation with the reference pose, in place of --against. Default: none."
local FRAME = "Frame of --pose, from 0. Default: 0."
local BONE = "Name or number (from 0) of the bone that moves. Default: the first root bone."

-- "192 bytes, off by at most 0.01 in translations, 0.0018 rad in rotations, 0 in scales"
local function precision(done)
  return ("%s, off by at most %.3g in translations, %.3g rad in rotations, %.3g in scales"):format(
    text.count(done.bytes, "byte"), done.max_translation, done.max_rotation, done.max_scale)
end

local ABOUT = {
  {
    name = "trim",
    summary = "Keep a part of animations.",
    description = "Keep the part between two times, with a key frame at both ends. " .. SKIPPED,
    examples = {
      "lathe trim 0.25 0.75 wave.hkx -o short.hkx",
      "lathe trim --t1 0.5 Animations/ --dry-run",
      "lathe trim 0 0.5 wave.hkx --at 'animations[1]' --in-place",
    },
  },
  {
    name = "reverse",
    summary = "Play animations backwards.",
    description = "Play animations backwards, with annotations and root motion. " .. SKIPPED,
    examples = { "lathe reverse wave.hkx -o backwards.hkx", "lathe reverse Animations/ --dry-run" },
  },
  {
    name = "resample",
    summary = "Change the number of key frames per second.",
    description = "Give animations evenly spaced key frames. Their duration stays the same. " .. SKIPPED,
    examples = {
      "lathe resample 60 wave.hkx -o smooth.hkx",
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
      "lathe concat idle.hkx Gestures/ -o gestures_to_idle/",
    },
  },
  {
    name = "mirror",
    summary = "Swap left and right in animations.",
    description = [[
Swap left and right in poses, root motion and annotations, or in ragdoll volumes. lathe pairs bones by their
names (Skyrim, Fallout 4 and common ways to write left and right), or as --pairs says. --skeleton supplies
the rest pose.]],
    pairs = { pairs = { "left", "right" } },
    docs = {
      pairs = "Two bones that change places; may be given several times. Such pairs override those of the "
        .. "skeleton and of the names. Default: none.",
    },
    examples = {
      "lathe mirror --skeleton dummy.phxbn lift.anm -o mirrored.anm",
      "lathe mirror --skeleton rig.hkx --pairs 'Fin A=Fin B' swim.hkx -o swim_mirrored.hkx",
    },
  },
  {
    name = "root_motion",
    summary = "Move root motion from a bone's track to the animation, or back.",
    description = [[
Remove movement in the ground plane from a bone's track and store it as root motion (--extract), or put
root motion back into the track (--bake).]],
    kinds = { bone = "id" },
    docs = { bone = BONE },
    examples = {
      "lathe root-motion --extract --turn --skeleton rig.hkx walk.hkx -o walk_rm.hkx",
      "lathe root-motion --bake --skeleton rig.hkx run.hkx -o run_in_place.hkx",
    },
  },
  {
    name = "extract_root_motion",
    summary = "Move the movement of a bone in the ground plane to root motion.",
    description = [[
Remove movement in the ground plane from a bone's track and store it as root motion. The same as
`lathe root-motion --extract`, also for one animation of a file (--at). ]] .. SKIPPED,
    kinds = { bone = "id" },
    docs = { bone = BONE },
    examples = {
      "lathe extract-root-motion --skeleton rig.hkx walk.hkx -o walk_rm.hkx",
      "lathe extract-root-motion --bone 'NPC COM' --vertical walk.hkx --skeleton rig.hkx -n",
    },
  },
  {
    name = "bake_root_motion",
    summary = "Move root motion back into a bone's track.",
    description = [[
Put root motion back into a bone's track, and remove it from the animation. The same as
`lathe root-motion --bake`, also for one animation of a file (--at). ]] .. SKIPPED,
    kinds = { bone = "id" },
    docs = { bone = BONE },
    examples = {
      "lathe bake-root-motion --skeleton rig.hkx run.hkx -o run_in_place.hkx",
      "lathe bake-root-motion --skeleton rig.hkx run.hkx --at 'animations[1]' --dry-run",
    },
  },
  {
    name = "additive",
    summary = "Make animations additive.",
    description = [[
Make animations additive: store the difference to a pose, which is the skeleton's rest pose, the first
frame, or a frame of another file.]],
    docs = { pose = POSE, frame = FRAME },
    examples = {
      "lathe additive --skeleton skeleton.hkx wave.hkx -o wave_additive.hkx",
      "lathe additive --against first wave.hkx -o wave_from_start.hkx",
    },
  },
  {
    name = "normal",
    summary = "Make additive animations normal again.",
    description = "Add additive animations to a pose, so that they become normal animations.",
    docs = { pose = POSE, frame = FRAME },
    examples = {
      "lathe normal --skeleton skeleton.hkx wave_additive.hkx -o wave_again.hkx",
      "lathe normal --pose wave.hkx --frame 0 wave_additive.hkx -o wave_on_pose.hkx",
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
    docs = {
      map = "Bone of the old skeleton and the one of the new skeleton, if their names differ; may be given "
        .. "several times. Default: none.",
    },
    examples = {
      "lathe retarget --skeleton skeleton.hkx --to rig.hkx wave.hkx -o wave_rig.hkx",
      "lathe retarget --skeleton skeleton.hkx --to rig.hkx --map 'NPC R Hand=Fin A' Clips/ -o retargeted/",
    },
  },
  {
    name = "offset",
    summary = "Move or turn a bone in all frames.",
    description = [[
Move or turn a bone in all frames, and with it the bones below: raise an arm, lower a head.]],
    kinds = { bone = "id", t = "list", q = "list" },
    docs = {
      t = "Translation: x,y,z. Default: none.",
      q = "Rotation: a quaternion x,y,z,w. Default: none.",
    },
    examples = {
      "lathe offset --bone 'NPC Head' --q 0.17,0,0,0.98 --skeleton skeleton.hkx wave.hkx -o nod.hkx",
      "lathe offset 0 0,0,5 Gestures/ -o higher/",
    },
  },
  {
    name = "loop",
    summary = "Make animations loop without a jump.",
    description = [[
Make the last frame equal the first one, and spread the difference over the frames before it.]],
    examples = {
      "lathe loop 10 wave.hkx -o wave_loop.hkx",
      "lathe loop --frames 3 Idles/ --dry-run",
    },
  },
  {
    name = "blend",
    summary = "Blend animations with another.",
    description = "Blend animations with another, which is stretched to the same duration.",
    examples = {
      "lathe blend run.hkx 0.5 walk.hkx -o jog.hkx",
      "lathe blend --other tired.hkx --weight 0.2 Gestures/ -o tired/",
    },
  },
  {
    name = "encode",
    summary = "Compress animations again, with another tolerance.",
    description = [[
Compress all poses of an animation again: larger tolerances make smaller files. The result line says how far
the poses are off by then, and the size of the data. ]] .. SKIPPED,
    kinds = { samples = "samples", tolerance = "any", quantization = "any" },
    docs = {
      samples = "File whose only animation supplies the poses; it has as many frames and tracks. Default: "
        .. "the "
        .. "animation's own poses.",
      tolerance = "How far poses may be off, such as translation=0.02,rotation=0.001,scale=0.001,value=0.01. "
        .. "Units: those of the file, radians. Default: 0.01, 0.002, 0.001, 0.001; in files whose unit is "
        .. "not Bethesda's, 1e-4 of the height for translations.",
      quantization = "Bits of a rotation: 40, 48, 32 or none (floats). Default: 40, and a finer one where 40 "
        .. "cannot meet the tolerance.",
    },
    results = { "bytes", "max_translation", "max_rotation", "max_scale" },
    tell = precision,
    examples = {
      "lathe encode --tolerance translation=0.1,rotation=0.01 wave.hkx -o smaller.hkx",
      "lathe encode --quantization 48 wave.hkx --at 'animations[1]' -o finer.hkx",
    },
  },
  {
    name = "write",
    summary = "Replace the poses of an animation by those of another file.",
    description = [[
Replace the poses of an animation by those of another file, which has as many frames and tracks. Tracks
whose poses do not change keep their bytes; annotations and root motion stay. ]] .. SKIPPED,
    kinds = { samples = "samples", tolerance = "any", quantization = "any" },
    docs = {
      samples = "File whose only animation supplies the poses.",
      tolerance = "How far poses may be off, as for `lathe encode`.",
      quantization = "Bits of a rotation, as for `lathe encode`.",
    },
    examples = {
      "lathe write nod.hkx wave.hkx -o wave_nod.hkx",
      "lathe write --samples nod.hkx wave.hkx --at 'animations[1]' --dry-run",
    },
  },
  {
    name = "centre",
    summary = "Take place and heading out of the poses of animations (Overgrowth).",
    description = [[
Take place and heading out of the poses, as the game does when it loads a file. Files below version 10, which
cannot store them, become version 10. Other formats are skipped.]],
    at = false,
    examples = {
      "lathe centre lift.anm -o centred.anm",
      "lathe centre Animations/ --dry-run",
    },
  },
  {
    name = "uncentre",
    summary = "Put place and heading back into the poses of animations (Overgrowth).",
    description = "Undo `lathe centre`: put place and heading back into the poses. Other formats are "
      .. "skipped.",
    at = false,
    examples = {
      "lathe uncentre centred.anm -o uncentred.anm",
      "lathe uncentre centred.anm --dry-run",
    },
  },
}

for _, about in ipairs(ABOUT) do
  if about.at == nil then about.at = "an animation, such as animations[2]" end
end

return verb.commands(ABOUT)
