--- Small made-up clips with a skeleton of two sides: a root, an arm on the left and one on the right.
--
--    made.skeleton(), made.fields(more)     -- what lathe.new takes: 5 frames in a second, all kinds of company
--    made.clips()                           -- name = { bytes =, skeleton = document }
--    made.samples(x)                        -- rows whose root is at x(frame)
--    made.middle(doc)                       -- the time of the frame in the middle
--    made.refusals(other)                   -- { verb, why, message, arguments ... }

local lathe = require "lathe"

local made = {}

function made.skeleton()
  return { bones = {
    { name = "Root" },
    { name = "Arm.L", parent = 0, pose = { t = { -5, 0, 0 } } },
    { name = "Arm.R", parent = 0, pose = { t = { 5, 0, 0 } } },
  }, float_slots = { "hkFade:A" } }
end

function made.samples(x, frames)
  local rows = {}
  for f = 0, (frames or 5) - 1 do
    rows[#rows + 1] = { x(f), 0, 0, 0, 0, 0, 1, 1, 1, 1 }
    rows[#rows + 1] = { -5, 0, 0, 0, 0, 0, 1, 1, 1, 1 }
    rows[#rows + 1] = { 5, 0, 0, 0, 0, 0, 1, 1, 1, 1 }
  end
  return rows
end

function made.fields(more)
  local moves = {}
  for f = 0, 4 do
    for _, v in ipairs { 10 * f, 0, 0, 0 } do moves[#moves + 1] = v end
  end
  local fields = { bones = { 0, 1, 2 }, duration = 1, samples = made.samples(function(f) return f end),
    root_motion = moves, float_tracks = { samples = { 0, 0.1, 0.2, 0.3, 0.4 }, slots = { 0 } },
    annotations = { { time = 0.25, text = "FootLeft", track = 0 }, { time = 0.5, text = "WeaponRight", track = 2 },
      { time = 1, text = "end", track = 0 } } }
  for k, v in pairs(more or {}) do fields[k] = v end
  fields.bare = nil
  return fields
end

--- When the frame in the middle of an animation is, in s from its start; nil where there is none, or where a loop lasts
-- on behind its last frame: a cut puts a frame there. Frames of Overgrowth are not even.
function made.middle(doc)
  local anim = doc.animations[1]
  local n = anim.frame_count // 2
  if anim.frame_count < 3 then return nil end
  if doc.format == "anm" then
    local lasts_on = doc.frames[#doc.frames].time - (doc.start or 0) < anim.duration * 1000 - 0.5
    return not lasts_on and (doc.frames[n + 1].time - (doc.start or 0)) / 1000 or nil
  end
  return anim.duration * n / (anim.frame_count - 1)
end

local function lively(frames)
  local rows = {}
  for f = 0, frames - 1 do
    for k = 0, 2 do
      local a = math.sin(f / 7 + k) / 2
      local n = math.sqrt(1 + a * a + 0.01)
      rows[#rows + 1] = { k == 0 and f / 3 or 10 * k - 15, math.sin(f / 5) / 2, 0, a / n, 0.1 / n, 0, 1 / n, 1, 1,
        1 + 0.1 * k }
    end
  end
  return rows
end

local clips

function made.clips()
  if clips then return clips end
  clips = {}
  for _, game in ipairs { "skyrim-le", "skyrim-se", "fallout4" } do
    local moves, floats = {}, {}
    for f = 0, 39 do
      floats[f + 1] = 0.5
      for _, v in ipairs { 0, f, 0, f / 50 } do moves[#moves + 1] = v end
    end
    local doc = assert(lathe.new("hkx", { game = game, animation = made.fields { samples = lively(40), duration = 1.3,
      root_motion = moves, float_tracks = { samples = floats, slots = { 0 } } } }))
    clips[game] = { bytes = doc:encode(), skeleton = assert(lathe.new("hkx", { game = game, skeleton = made.skeleton() })) }
    doc:close()
  end
  return clips
end

function made.refusals(other)
  local nan = 0 / 0
  return {
    { "trim", "times that run back", "0.5 .. 0.25 s is not a part of 0 .. 1 s", 0.5, 0.25 },
    { "trim", "times outside", "0 .. 2 s is not a part of 0 .. 1 s", 0, 2 },
    { "trim", "times before", "-1 .. 1 s is not a part of 0 .. 1 s", -1, 1 },
    { "trim", "what is no number", "t0 and t1 are finite numbers", nan, 1 },
    { "resample", "no frames", "fps is a finite number above 0", 0 },
    { "resample", "NaN", "fps is a finite number above 0", nan },
    { "resample", "too many", "fps is at most 1000, not 1001", 1001 },
    { "resample", "nothing", "resample needs 'fps': a number" },
    { "retime", "nothing", "retime takes one of speed, duration, fps" },
    { "concat", "other bones", "the animation has 3 tracks, for the skeleton 'Root'; the other has 1, for 'NPC Root [Root]'",
      other },
    { "concat", "no clip", "'other' of concat: an animation or a document expected, got an integer", 3 },
    { "blend", "a weight of 2", "weight is 0 to 1, not 2", other, 2 },
    { "mirror", "no skeleton",
      "mirror needs a skeleton: give the option 'skeleton', or open the animation with one", bare = true },
    { "mirror", "pairs of no bones",
      "pairs[1]: the skeleton has no bone 'Arm.X'", { pairs = { { left = "Arm.L", right = "Arm.X" } } } },
    { "offset", "bones that are none",
      "offset: no track moves a bone 'Arm.M'; did you mean 'Arm.L'?", "Arm.M", { 1, 0, 0 } },
    { "offset", "no rotation", "q is not a rotation", "Arm.L", nil, { 0, 0, 0, 0 } },
    { "offset", "two numbers", "t: 3 numbers expected", "Arm.L", { 1, 2 } },
    { "offset", "NaN", "t has a number that is not finite", "Arm.L", { 1, 2, nan } },
    { "normal", "what is normal", "the clip is normal already" },
    { "additive", "no skeleton",
      "additive needs a skeleton: give the option 'skeleton', or open the animation with one", bare = true },
    { "retarget", "nothing", "retarget needs 'to': a skeleton, a document or a table of bones" },
    { "retarget", "a skeleton of other bones",
      "no bone that the clip moves is in the other skeleton", { to = { bones = { { name = "Wheel" } } } } },
    { "loop", "no frames", "0 frames are not 1 to 4, of a clip of 5", 0 },
    { "loop", "too many frames", "5 frames are not 1 to 4, of a clip of 5", 5 },
    { "extract_root_motion", "bones that are none", "extract_root_motion: no track moves a bone 'Toe'", { bone = "Toe" } },
    { "rename", "texts that end early", "objects[4].annotation_tracks[1].annotations[1].text: text that contains its "
      .. "terminator, the byte 0x00 (hkaSplineCompressedAnimation)", "FootLeft", "a\0b" },
  }
end

return made
