--- Commands for animations: verbs that all formats with clips share.
-- @module lathe.cli.clips

local verb = require "lathe.cli.verb"

local ABOUT = {
  {
    name = "trim",
    summary = "Keep a part of animations.",
    examples = {
      "lathe trim --t0 0.5 --t1 2 walk.hkx -o short/",
      "lathe trim --t1 1 Animations/ --dry-run",
    },
  },
  {
    name = "reverse",
    summary = "Play animations backwards.",
    examples = { "lathe reverse walk.hkx -o back.hkx", "lathe reverse Animations/ --dry-run" },
  },
  {
    name = "resample",
    summary = "Give animations evenly spaced key frames, so many a second.",
    examples = {
      "lathe resample --fps 60 walk.hkx -o smooth.hkx",
      "lathe resample --fps 15 Animations/ -o small/",
    },
  },
  {
    name = "concat",
    summary = "Play another animation of the same bones behind.",
    examples = { "lathe concat --other idle.hkx walk.hkx -o both.hkx" },
  },
  {
    name = "mirror",
    summary = "Let left and right change places.",
    examples = { "lathe mirror --skeleton skeleton.hkx wave.hkx -o other_hand.hkx" },
  },
  {
    name = "root_motion",
    summary = "Take the way out of a bone's track, or put it back.",
    examples = {
      "lathe root-motion --extract --turn walk.hkx -o moving.hkx",
      "lathe root-motion --bake walk.hkx -o baked.hkx",
    },
  },
  {
    name = "additive",
    summary = "Make animations what is added to a pose.",
    examples = {
      "lathe additive --skeleton skeleton.hkx breathe.hkx -o added.hkx",
      "lathe additive --against first breathe.hkx -o added.hkx",
    },
  },
  {
    name = "normal",
    summary = "Put additive animations onto a pose.",
    examples = { "lathe normal --skeleton skeleton.hkx added.hkx -o breathe.hkx" },
  },
  {
    name = "retarget",
    summary = "Make animations for the bones of another skeleton.",
    examples = { "lathe retarget --skeleton human.hkx --to giant.hkx walk.hkx -o giant_walk.hkx" },
  },
  {
    name = "offset",
    summary = "Move and turn a bone at every frame.",
    examples = {
      "lathe offset --skeleton skeleton.hkx --bone LArm_UpperArm --q 0,0,0.26,0.97 idle.hkx -o raised.hkx",
    },
  },
  {
    name = "loop",
    summary = "Close the seam of animations.",
    examples = { "lathe loop --frames 10 idle.hkx -o looped.hkx" },
  },
  {
    name = "blend",
    summary = "Mix animations with another one.",
    examples = { "lathe blend --other run.hkx --weight 0.5 walk.hkx -o jog.hkx" },
  },
}

local clips = {}
for i, about in ipairs(ABOUT) do clips[i] = verb.command(about) end

return clips
