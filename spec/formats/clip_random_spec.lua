-- Animations edited at random: what is written opens as the same samples, check() finds nothing wrong, an edit that is
-- dropped leaves nothing behind, and undoing everything gives the first bytes.

local dice = require "dice"
local lathe = require "lathe"
local sample = require "sample_hkx"

local SEEDS = 100 -- for each file

local function clip(game, kind)
  return (sample.clip { game = game, kind = kind, tracks = 3, frames = 12, motion = game == "fallout4",
    bones = { 0, 1, 2 }, skeleton_name = "NPC Root",
    annotations = { { track = 0, time = 0.1, text = "FootLeft" }, { track = 1, time = 0.2, text = "FootRight" } },
    skeletons = { { name = "NPC Root", bones = { "NPC Root", { name = "NPC L Arm", translation = { 1, 0, 68.5 } },
      { name = "NPC R Arm", translation = { -1, 1, 50 } } } } } })
end

local files = {}
for _, game in ipairs { "skyrim-le", "skyrim-se", "fallout4" } do
  for _, kind in ipairs { "spline", "interleaved" } do
    files[#files + 1] = { name = game .. ", " .. kind, bytes = clip(game, kind) }
  end
end

-- What may be done with a document and its first animation; r: function(n) -> 1 .. n.
local ACTS = {
  function(_, a, r)
    a.tracks[r(#a.tracks)]:set(r(a.frame_count) - 1, { t = { r(10), r(10), 1 }, q = { r(9), r(9), -r(9), r(9) } })
  end,
  function(doc, a, r) doc:trim(a.duration * r(3) / 10, a.duration * (5 + r(5)) / 10) end,
  function(doc) doc:reverse() end,
  function(doc, _, r) doc:resample(({ 10, 15, 30, 60 })[r(4)]) end,
  function(doc, _, r) doc:retime { speed = ({ 0.5, 2, 3 })[r(3)] } end,
  function(doc, _, r) doc:scale(({ 0.5, 2, 3 })[r(3)]) end,
  function(_, a, r) a.annotations:append { time = a.duration * r(9) / 10, text = "new", track = r(#a.tracks) - 1 } end,
  function(_, a, r) a.annotations:remove(r(#a.annotations)) end,
  function(_, a, r) a.annotations[r(#a.annotations)].text = "other" .. r(9) end,
  function(doc, _, r) doc:extract_root_motion { vertical = r(2) == 1, turn = r(2) == 1 } end,
  function(doc) doc:bake_root_motion() end,
  function(doc, _, r) doc.objects:append { class = "hkaDefaultAnimatedReferenceFrame", duration = r(9) } end,
  function(doc, _, r) doc.objects:remove(1 + r(#doc.objects - 1)) end,
  function(doc, a, r) doc:offset(r(#a.tracks) - 1, { r(9), r(9), r(9) }) end,
  function(doc) doc:additive { against = "first" } end,
  function(doc) doc:mirror() end,
  function(doc, _, r) doc:loop(1 + r(3)) end,
  function(doc) doc:concat(doc) end,
  function(doc, _, r) doc:undo(r(2)) end,
  function(doc, _, r) doc:redo(r(2)) end,
}

-- What cannot be done is refused, and changes nothing.
local function act(doc, anim, r)
  pcall(ACTS[r(#ACTS)], doc, anim, r)
end

local function several(doc, anim, r)
  local before, keep = doc:encode(), r(3) > 1
  pcall(doc.edit, doc, function()
    for _ = 1, r(4) do
      act(doc, anim, r)
      if r(3) == 1 then doc:encode() end -- which writes what is still to be written
    end
    if not keep then error "dropped" end
  end)
  if not keep then assert.is_true(before == doc:encode(), "something is left of a dropped edit") end
end

local function sound(doc)
  local again <close> = assert(lathe.parse(doc:encode()))
  assert.equal(#doc.animations, #again.animations)
  if #doc.animations > 0 then
    assert.is_true(doc.animations[1]:decode():pack() == again.animations[1]:decode():pack(), "other samples")
  end
  for _, finding in ipairs(select(2, doc:check())) do
    local lonely = finding.message:find "points to no" or finding.message:find "binds no" -- an object was taken out
    if finding.level == "error" and not lonely then error(finding.where .. ": " .. finding.message, 0) end
  end
end

local function life(file, seed)
  local r = dice(seed)
  local doc <close> = assert(lathe.parse(file.bytes, { history = 200 }))
  local anim = doc.animations[1]
  for _ = 1, 3 + r(9) do
    (r(4) == 1 and several or act)(doc, anim, r)
    sound(doc)
  end
  while doc:undo() do end
  assert.is_true(file.bytes == doc:encode(), "other bytes after undoing everything")
end

describe("animations that are edited at random", function()
  for _, file in ipairs(files) do
    it("stay sound: " .. file.name, function()
      for seed = 1, SEEDS do
        local ok, why = pcall(life, file, seed)
        if not ok then error(("seed %d: %s"):format(seed, tostring(why)), 0) end
      end
    end)
  end
end)
