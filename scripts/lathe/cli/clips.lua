--- Commands for animations: verbs that all formats with clips share.
-- @module lathe.cli.clips

local verb = require "lathe.cli.verb"

local SKIPPED = "Files that hold no animation are skipped."

local ABOUT = {
  {
    name = "trim",
    summary = "Keep a part of animations.",
    description = "Keep what lies between two times, with a key frame at both. " .. SKIPPED,
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
    summary = "Give animations key frames anew, so many a second.",
    description = "Give animations evenly spaced key frames; how long they take stays. " .. SKIPPED,
    examples = {
      "lathe resample --fps 60 walk.hkx -o smooth.hkx",
      "lathe resample --fps 15 Animations/ -o small/",
    },
  },
  {
    name = "concat",
    summary = "Play another animation behind each.",
    description = [[
Play another animation of the same bones behind each. The last frame and the first one of the other
become one. Root motion goes on from where it ended.]],
    examples = {
      "lathe concat --other walk_stop.hkx walk.hkx -o walk_and_stop.hkx",
      "lathe concat --other idle.hkx Gestures/ -o gestures_to_idle/",
    },
  },
  {
    name = "mirror",
    summary = "Let left and right change places in animations.",
    description = [[
Let left and right change places, in poses, root motion and annotations. Bones of both sides are
known by their names (Skyrim, Fallout 4 and common ways to write left and right), or by --pairs. A
skeleton tells how they rest.]],
    pairs = { pairs = { "left", "right" } },
    examples = {
      "lathe mirror --skeleton skeleton.hkx punch_left.hkx -o punch_right.hkx",
      "lathe mirror --skeleton rig.hkx --pairs 'Fin A=Fin B' swim.hkx -o swim_mirrored.hkx",
    },
  },
  {
    name = "root_motion",
    summary = "Take root motion out of the root's track, or put it back.",
    description = [[
Take place in the ground plane out of a bone's track and make it root motion (--extract), or put
root motion back into the track (--bake).]],
    examples = {
      "lathe root-motion --extract --turn --skeleton skeleton.hkx walk.hkx -o walk_rm.hkx",
      "lathe root-motion --bake --skeleton skeleton.hkx run.hkx -o run_in_place.hkx",
    },
  },
  {
    name = "additive",
    summary = "Make animations that are added to a pose.",
    description = [[
Make animations what is added to a pose: of the skeleton at rest, of the first frame, or of another
file.]],
    examples = {
      "lathe additive --skeleton skeleton.hkx breathe.hkx -o breathe_additive.hkx",
      "lathe additive --against first aim.hkx -o aim_additive.hkx",
    },
  },
  {
    name = "normal",
    summary = "Put additive animations onto a pose.",
    description = "Put additive animations onto a pose, so that they are added no longer.",
    examples = {
      "lathe normal --skeleton skeleton.hkx breathe_additive.hkx -o breathe.hkx",
      "lathe normal --pose idle.hkx aim_additive.hkx -o aim.hkx",
    },
  },
  {
    name = "retarget",
    summary = "Make animations for another skeleton.",
    description = [[
Make animations for the bones of another skeleton (--to), by name or by --map. Bones turn from their
new rest as they did from the old one, and lengths are the new ones. --skeleton is the one that they
are for so far.]],
    pairs = { map = { "from", "to" } },
    examples = {
      "lathe retarget --skeleton human.hkx --to troll.hkx walk.hkx -o troll_walk.hkx",
      "lathe retarget --skeleton a.hkx --to b.hkx --map 'Spine=NPC Spine' Clips/ -o retargeted/",
    },
  },
  {
    name = "offset",
    summary = "Move or turn a bone over whole animations.",
    description = [[
Move or turn a bone at every frame, with all that hangs on it: raise an arm, lower a head.]],
    examples = {
      "lathe offset --bone 'NPC Head [Head]' --q 0.17,0,0,0.98 --skeleton skeleton.hkx walk.hkx -o nod.hkx",
      "lathe offset --bone 0 --t 0,0,5 Animations/ -o higher/",
    },
  },
  {
    name = "loop",
    summary = "Close the seam of animations that shall loop.",
    description = "Let the last frame be the first one; so many steps in front of it share the difference.",
    examples = {
      "lathe loop --frames 10 idle.hkx -o idle_loop.hkx",
      "lathe loop --frames 5 Idles/ --dry-run",
    },
  },
  {
    name = "blend",
    summary = "Mix animations with another.",
    description = "Mix animations with another, which is taken from its start to its end while each lasts.",
    examples = {
      "lathe blend --other run.hkx --weight 0.5 walk.hkx -o jog.hkx",
      "lathe blend --other tired.hkx --weight 0.2 Animations/ -o tired/",
    },
  },
  {
    name = "rename",
    summary = "Rename what is in files: annotations, events, bones.",
    description = [[
Rename annotations of animations, or what else of a name a format can rename, all of exactly that
name.]],
    examples = {
      "lathe rename --from FootLeft --to FootScuffLeft walk.hkx -o scuff.hkx",
      "lathe rename --from head --to skull --what bones rig.phxbn --in-place",
    },
  },
}

local clips = {}
for i, about in ipairs(ABOUT) do clips[i] = verb.command(about) end

return clips
