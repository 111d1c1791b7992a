-- What verbs of animations say: of skeletons that are not theirs, of bones that are not there, and why nothing changed.

local helper = require "helper"
local lathe = require "lathe"
local made = require "sample_clip"

local function clip(more, skeleton)
  return assert(lathe.new("hkx", { game = "skyrim-se", skeleton = skeleton, animation = made.fields(more) },
    { history = 9 }))
end

local function rig(more)
  local fields = made.skeleton()
  for k, v in pairs(more or {}) do fields[k] = v end
  return assert(lathe.new("hkx", { game = "skyrim-se", skeleton = fields }))
end

-- The message of what a verb refuses; nothing changes.
local function refused(doc, verb, ...)
  local before = doc:encode()
  local ok, done, err = pcall(doc[verb], doc, ...)
  local why = ok and (assert.is_nil(done) or err) or done
  assert.is_true(doc:encode() == before)
  return type(why) == "table" and why.message or (tostring(why):gsub("^%S+:%d+: ", ""))
end

local function notes(done, err)
  if not done then error(tostring(err), 0) end
  return done.notes
end

describe("verbs of animations say why they leave all as it is:", function()
  local function unchanged(note, verb, ...)
    local doc <close> = clip()
    local before = doc:encode()
    local done = assert(doc[verb](doc, ...))
    assert.same({ 0, { note }, {} }, { done.changed, done.notes, done.skipped })
    assert.is_true(doc:encode() == before, verb)
  end

  it("trim", function()
    unchanged("nothing to do: 0 to 1 s is the whole animation", "trim")
    unchanged("nothing to do: 0 to 1 s is the whole animation", "trim", 0, 1)
  end)

  it("resample", function()
    unchanged("nothing to do: it has 5 even frames already, which is as near as can be", "resample", 4)
  end)

  it("rename", function()
    unchanged("nothing to do: no annotation has the text 'Jump'", "rename", "Jump", "Hop")
    unchanged("nothing to do: no annotation has the text 'Footleft'; did you mean 'FootLeft'?", "rename", "Footleft", "x")
  end)

  it("offset", function()
    unchanged("nothing to do: neither t nor q moves the bone", "offset", 0)
    unchanged("nothing to do: neither t nor q moves the bone", "offset", 1, { 0, 0, 0 }, { 0, 0, 0, 1 })
  end)

  it("root motion", function()
    local still <close> = clip { samples = made.samples(function() return 3 end) }
    assert.same({ "nothing to do: tracks[1] does not move in the ground plane" }, notes(still:extract_root_motion()))
    assert.same({ "nothing to do: tracks[1] does not move, nor turn" },
      notes(still:extract_root_motion { vertical = true, turn = true }))
    local fields = made.fields()
    fields.root_motion = nil
    local none <close> = assert(lathe.new("hkx", { game = "skyrim-se", animation = fields }))
    local done = assert(none:bake_root_motion())
    assert.same({ { "nothing to do: the animation has no root motion" }, {}, 0 },
      { done.notes, done.skipped, done.changed })
  end)

  it("loop", function()
    local still <close> = clip { samples = made.samples(function() return 3 end),
      float_tracks = { samples = { 0, 1, 2, 1, 0 }, slots = { 0 } } }
    assert.same({ "nothing to do: the last frame is the first one already" }, notes(still:loop(2)))
  end)

  it("blend", function()
    local doc <close> = clip()
    local other <close> = clip()
    assert.same({ "nothing to do: weight 0 takes nothing of the other" }, notes(doc:blend(other, 0)))
  end)
end)

describe("verbs of animations tell a skeleton that is not theirs:", function()
  local OTHER = "the animation is made for the skeleton 'Man': this one is called 'Horse'"

  it("mirror, retarget and what else asks one, where it is called otherwise", function()
    local man <close> = rig { name = "Man" }
    local horse <close> = rig { name = "Horse" }
    local function says(verb, opts)
      local doc <close> = clip { skeleton_name = "Man" }
      return notes(doc[verb](doc, opts))
    end
    assert.is_nil(says("mirror", { skeleton = man }))
    assert.same({ OTHER }, says("mirror", { skeleton = horse }))
    assert.same({ OTHER }, says("additive", { skeleton = horse }))
    assert.same({ OTHER }, says("retarget", { to = man, from = horse }))
    assert.is_nil(says("retarget", { to = horse, from = man }))
  end)

  it("and refuse one that lacks bones", function()
    local two = { bones = { { name = "Arm.L" }, { name = "Arm.R" } } }
    local doc <close> = clip()
    for _, verb in ipairs { "mirror", "additive" } do
      assert.equal("tracks[3] moves bone 2: the skeleton has bones 0 to 1", refused(doc, verb, { skeleton = two }))
    end
    assert.equal("tracks[3] moves bone 2: the skeleton has bones 0 to 1",
      refused(doc, "retarget", { to = made.skeleton(), from = two }))
  end)

  it("mirror leaves alone what moves none of its bones", function()
    local doc <close> = clip({}, made.skeleton())
    local four = { bones = { { name = "Arm.L" }, { name = "Arm.R" }, { name = "x" }, { name = "y" } } }
    local done = assert(doc:mirror { skeleton = four })
    assert.same({ { path = "tracks[1] (Root)", reason = "it moves no bone of the skeleton, and stays as it is" } },
      done.skipped)
    assert.equal("no track moves a bone of the skeleton",
      refused(doc, "mirror", { skeleton = { bones = { { name = "Fin.L" }, { name = "Fin.R" } } } }))
  end)

  it("retarget says how many bones there are in both", function()
    local doc <close> = clip({}, made.skeleton())
    local done = assert(doc:retarget { to = { name = "Snake", bones = { { name = "Root" }, { name = "Tail" } } } })
    assert.equal("Snake", doc.animations[1].skeleton_name)
    assert.equal("tracks whose bone the other skeleton has: 1 of 3", done.notes[1])
    assert.same({ "tracks[2] (Arm.L)", "tracks[3] (Arm.R)" }, { done.skipped[1].path, done.skipped[2].path })
  end)

  it("concat and blend, by both names", function()
    local function named(name, n)
      local samples = {}
      for i, row in ipairs(made.samples(function(f) return f end)) do
        if (i - 1) % 3 < n then samples[#samples + 1] = row end
      end
      local bones = table.move({ 0, 1, 2 }, 1, n, 1, {})
      return clip { skeleton_name = name, bones = bones, samples = samples, annotations = {} }
    end
    local doc <close> = named("Man", 3)
    local horse <close> = named("Horse", 3)
    local less <close> = named("Horse", 2)
    local fewer <close> = named("Man", 2)
    assert.equal("the animation has 3 tracks, for the skeleton 'Man'; the other has 2, for 'Horse'",
      refused(doc, "concat", less))
    assert.equal("the animation has 3 tracks, the other 2", refused(doc, "concat", fewer))
    assert.equal("the animation is made for the skeleton 'Man', the other for 'Horse'",
      notes(doc:blend(horse, 0.5))[1])
    assert.equal("the animation is made for the skeleton 'Man', the other for 'Horse'", notes(doc:concat(horse))[1])
  end)

  it("concat tells that the pose jumps, which leaves nothing alone", function()
    local doc <close> = clip()
    local other <close> = clip()
    local done = assert(doc:concat(other))
    assert.same({ {}, { "the last pose of the first animation is not the first of the other, which takes its place: it "
      .. "jumps there", "objects[3]: 1 float track is written as splines, which no known file has" } },
      { done.skipped, done.notes })
  end)
end)

describe("root motion", function()
  it("is taken out and put back by a document, and by an animation, whose member it is", function()
    local function ways(doc)
      local anim = doc.animations[1]
      return {
        function() return doc:root_motion { extract = true } end, function() return doc:root_motion { bake = true } end,
        function() return doc:extract_root_motion() end, function() return doc:bake_root_motion() end,
        function() return anim:extract_root_motion() end, function() return anim:bake_root_motion { bone = 0 } end,
      }
    end
    local doc <close> = clip()
    local all = ways(doc)
    for i = 1, #all, 2 do
      local before = doc.animations[1].root_motion:totable()
      assert.is_true(assert(all[i]()).changed > 0)
      assert.not_same(before, doc.animations[1].root_motion:totable())
      assert.is_true(assert(all[i + 1]()).changed > 0)
      assert(doc:undo())
      assert(doc:undo())
    end
    assert.equal("buffer", lathe.type(doc.animations[1].root_motion))
  end)
end)

describe("a bone that no track moves is told", function()
  it("by number, with those that there are", function()
    local doc <close> = clip { bones = { 4, 7, 6 } }
    assert.equal("offset: no track moves bone 999; they move bones 4 to 7", refused(doc, "offset", 999, { 1, 0, 0 }))
    assert.equal("offset: no track moves bone -1; they move bones 4 to 7", refused(doc, "offset", -1, { 1, 0, 0 }))
  end)

  it("by name, with the nearest, or that there are no names", function()
    local doc <close> = clip({}, made.skeleton())
    local bare <close> = clip()
    assert.equal("offset: no track moves a bone 'Rot'; did you mean 'Root'?", refused(doc, "offset", "Rot", { 1, 0, 0 }))
    assert.equal("offset: no track moves a bone 'Wheel'", refused(doc, "offset", "Wheel", { 1, 0, 0 }))
    assert.equal("offset: no track moves a bone 'Root': without a skeleton bones have numbers alone",
      refused(bare, "offset", "Root", { 1, 0, 0 }))
  end)
end)

describe("a clip of other bones than its file's skeleton #corpus", function()
  it("is told when it is mirrored", function()
    local path = helper.need_corpus("hkx/skyrim-le/SOSFastErect.hkx", pending)
    local body <close> = assert(lathe.open(helper.corpus "hkx/skyrim-le/skeleton.hkx"))
    local doc <close> = assert(lathe.open(path, { skeleton = body }))
    local done = assert(doc:mirror())
    assert.same({ "the animation is made for the skeleton 'NPC GenitalsBase [GenBase]': this one is called "
      .. "'NPC Root [Root]'" }, done.notes)
    assert.same({ "tracks[7] (NPC L Thigh [LThg])", "tracks[8] (NPC L Calf [LClf])" },
      { done.skipped[1].path, done.skipped[2].path })
  end)
end)
