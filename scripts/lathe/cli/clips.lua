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
    examples = { "lathe resample --fps 60 walk.hkx -o smooth.hkx", "lathe resample --fps 15 Animations/ -o small/" },
  },
}

local clips = {}
for i, about in ipairs(ABOUT) do clips[i] = verb.command(about) end

return clips
