-- Scaling of animations in packfiles and tagfiles: translations of every track, however they are stored, and root
-- motion; nothing else. Judged by the evaluator in plain Lua.

local figures = require "hkx_figures"
local helper = require "helper"
local lathe = require "lathe"
local reader = require "hkx_reader"
local reference = require "spline_reference"
local sample = require "sample_hkx"

-- Every part of tracks that there is: fixed, moving and missing axes, either number of bits, all degrees, rotations.
local function sine(frame)
  return 30 * math.sin(frame / 7)
end

local function turn(frame)
  return { math.sin(frame / 40), 0, 0, math.cos(frame / 40) }
end

local TRACKS <const> = {
  {},
  { translation = { x = 1.5, y = -0.25, z = 1e-3 } },
  { translation = { x = sine, degree = 3, points = 9, bits = 8 } },
  { translation = { x = 2.5, z = sine, degree = 2, points = 9 }, rotation = { turn, code = 1, degree = 1 } },
  { translation = { x = sine, y = math.cos, z = sine }, scale = { x = 2, y = sine } },
  { translation = { y = 7, z = math.sin, degree = 1, bits = 8 }, rotation = { 0, 0, 1, 0 } },
  { rotation = { turn, code = 5, degree = 3, points = 6 }, scale = { x = 3 } },
  { translation = { x = 0, y = -0.0 } },
}

local function clip(more)
  local opts = { game = "fallout4", frames = 40, tracks = TRACKS, max_frames_per_block = 16, motion = true,
    floats = { 3, math.sin } }
  for key, value in pairs(more or {}) do opts[key] = value end
  return (sample.clip(opts))
end

-- Of each animation of splines, the evaluator; the root motion of each that has any.
local function read(bytes)
  local file, clips, motions = reader.read(bytes), {}, {}
  for _, object in ipairs(file.objects) do
    if object.class == "hkaSplineCompressedAnimation" then
      clips[#clips + 1] = reference.new(file:members(object))
    elseif object.class == "hkaDefaultAnimatedReferenceFrame" then
      motions[#motions + 1] = file:members(object).reference_frame_samples
    end
  end
  return clips, motions
end

local function near(wanted, got)
  return wanted == got or math.abs(wanted - got) <= 1e-6 * math.max(math.abs(wanted), math.abs(got))
end

-- Translations by the factor, to the rounding of floats where it is no power of two; all else as it was.
local function compare_clip(was, is, factor, step)
  for track = 1, was.number_of_transform_tracks do
    for frame = 0, was.num_frames - 1, step do
      local a, b = was:at_frame(track, frame), is:at_frame(track, frame)
      for lane = 1, 10 do
        local wanted, off = a[lane], 1e-9
        if lane <= 3 then wanted, off = a[lane] * factor, 1e-6 * math.max(1, 64 * factor) end
        if math.abs(wanted - b[lane]) > off then
          error(("track %d, frame %d, lane %d: %.17g instead of %.17g"):format(track, frame, lane, b[lane], wanted), 0)
        end
      end
    end
  end
  for track = 1, was.number_of_float_tracks do
    assert.equal(was:float_at_frame(track, 1), is:float_at_frame(track, 1))
  end
end

local function compare(before, after, factor, step)
  local clips, motions = read(before)
  local scaled, moved = read(after)
  for i, one in ipairs(clips) do compare_clip(one, scaled[i], factor, step or 1) end
  for i, samples in ipairs(motions) do
    for k, was in ipairs(samples) do
      local is = moved[i][k]
      assert(near(was[1] * factor, is[1]) and near(was[2] * factor, is[2]) and near(was[3] * factor, is[3]))
      assert.equal(was[4], is[4])
    end
  end
  assert.equal(#before, #after)
end

describe("scale of clips", function()
  it("multiplies the translations of splines, and their root motion", function()
    local bytes = clip()
    for _, factor in ipairs { 2, 0.5, 3, 0.1, 1 } do
      local doc <close> = assert(lathe.parse(bytes, { history = 1 }))
      local done = assert(doc:scale(factor))
      assert.same({}, done.skipped)
      compare(bytes, doc:encode(), factor)
      assert.equal(factor ~= 1, doc:undo())
      assert.equal(bytes, doc:encode())
    end
  end)

  it("gives the file back by a power of two and its inverse, and counts what it changed", function()
    for _, layout in ipairs(sample.layouts) do
      local opts = {}
      for key, value in pairs(layout) do opts[key] = value end
      local bytes = clip(opts)
      local doc <close> = assert(lathe.parse(bytes))
      local done = assert(doc:scale { factor = 64, what = "animation" })
      assert.same({ 6 * 3 + 40, {} }, { done.changed, done.skipped }) -- tracks with translations in 3 blocks, steps
      assert.is_false(bytes == doc:encode())
      assert(doc:scale { factor = 1 / 64, what = "animation" })
      assert.equal(bytes, doc:encode())
    end
  end)

  it("leaves them where something else is asked for", function()
    local bytes = clip()
    local doc <close> = assert(lathe.parse(bytes))
    for _, what in ipairs { "collision", "geometry", "skeleton" } do
      assert.same({ changed = 0, skipped = {} }, doc:scale(2, { what = what }))
    end
    assert.equal(bytes, doc:encode())
  end)

  it("takes additive ones, interleaved and lossless ones, too", function()
    local bytes = clip { blend_hint = 2 }
    local doc <close> = assert(lathe.parse(bytes))
    assert(doc:scale(2))
    compare(bytes, doc:encode(), 2)
    for _, kind in ipairs { "interleaved", "lossless" } do
      local first = clip { kind = kind, max_frames_per_block = false, tracks = {
        { translation = { x = 1.5, y = sine } }, { rotation = { turn }, scale = { x = 2 } } } }
      local plain <close> = assert(lathe.parse(first))
      local was <close> = assert(lathe.parse(first))
      assert.same({}, assert(plain:scale(3)).skipped)
      for i = 1, 2 do
        local a, b = was.animations[1].tracks[i], plain.animations[1].tracks[i]
        for _, frame in ipairs { 0, 7, 39 } do
          local t, q, s = a:sample(frame)
          local t3, q3, s3 = b:sample(frame)
          for lane = 1, 4 do assert.equal(q[lane], q3[lane]) end
          for lane = 1, 3 do assert.equal(s[lane], s3[lane]) end
          for lane = 1, 3 do assert(near(3 * t[lane], t3[lane])) end
        end
      end
      compare(first, plain:encode(), 3)
      assert.is_false(first == plain:encode())
    end
  end)

  it("refuses what no track can have, by block and track, and changes nothing", function()
    local tracks = { {}, { translation = { x = 1, y = 2 ^ 119 } } }
    local bytes = clip { tracks = tracks, frames = 20, floats = {} }
    local doc <close> = assert(lathe.parse(bytes))
    assert(doc:scale(2))
    assert(doc:scale(0.5))
    assert.equal(bytes, doc:encode())
    local done, err = doc:scale(4)
    assert.is_nil(done)
    assert.equal("objects[3].data", err.where)
    assert.equal("block 0, track 1: translation would be 2.65846e+36, which no track can have "
      .. "(hkaSplineCompressedAnimation)", err.message)
    assert.equal(2 ^ 119, (string.unpack("<f", bytes, err.offset + 1)))
    assert.equal(bytes, doc:encode())
    local function far(frame) return frame * 2 ^ 110 end
    local moving <close> = assert(lathe.parse(clip { tracks = { { translation = { z = far } } }, frames = 20, floats = {} }))
    done, err = moving:scale(2 ^ 100)
    assert.is_nil(done)
    assert.matches("^block 0, track 0: translation would be [%d.e+]+, which no track can have", err.message)
    for _, factor in ipairs { 0, -1, 1 / 0, 0 / 0 } do
      assert.is_nil((doc:scale(factor)))
    end
    assert.equal(bytes, doc:encode())
  end)

  it("tells of splines that cannot be read, and leaves them and their root motion", function()
    local bytes, parts = sample.clip { motion = true, game = "skyrim-se" }
    bytes = sample.patch(bytes, parts.info:place(parts.animation, "num_blocks"), string.pack("<i4", 0))
    local doc <close> = assert(lathe.parse(bytes))
    local done = assert(doc:scale(2))
    assert.same({ 0, 1, "objects[3]", "it stays as it is, as it cannot be read: 0 blocks (hkaSplineCompressedAnimation)" },
      { done.changed, #done.skipped, done.skipped[1].path, done.skipped[1].reason })
    assert.equal(bytes, doc:encode())
  end)
end)

describe("verbs in an edit that set poses before", function()
  local function at(doc, track, frame)
    local t = doc.animations[1].tracks[track]:sample(frame)
    for lane = 1, 3 do t[lane] = math.floor(t[lane] * 4 + 0.5) / 4 end -- to a quarter of a unit
    return { t[1], t[2], t[3] }
  end

  local function set(doc, track, t)
    assert(doc.animations[1].tracks[track]:set(5, { t = t }))
  end

  it("change those, too, and those that come then are as they are given", function()
    local bytes = clip { max_frames_per_block = 256 }
    local doc <close> = assert(lathe.parse(bytes, { history = 2 }))
    local duration = doc.animations[1].duration
    doc:edit(function()
      set(doc, 1, { 1, 2, 3 })
      assert(doc:scale(2))
      assert.same({ 2, 4, 6 }, at(doc, 1, 5))
      set(doc, 3, { 7, 8, 9 })
      assert(doc:retime { speed = 2 })
      assert(doc:convert "skyrim-se")
      assert.same({ { 2, 4, 6 }, { 7, 8, 9 } }, { at(doc, 1, 5), at(doc, 3, 5) })
    end)
    assert.same({ { 2, 4, 6 }, { 7, 8, 9 }, "Skyrim SE" }, { at(doc, 1, 5), at(doc, 3, 5), doc.game })
    assert(near(duration / 2, doc.animations[1].duration))
    assert.is_true(doc:undo())
    assert.equal(bytes, doc:encode())
  end)

  it("are taken back without them where an edit inside of it fails", function()
    local doc <close> = assert(lathe.parse(clip { max_frames_per_block = 256 }))
    doc:edit(function()
      set(doc, 1, { 1, 2, 3 })
      assert.is_false((pcall(function()
        doc:edit(function()
          assert(doc:scale(2))
          set(doc, 1, { 7, 8, 9 })
          assert(doc:convert "skyrim-le")
          error "no"
        end)
      end)))
      assert.same({ 1, 2, 3 }, at(doc, 1, 5))
    end)
    assert.same({ { 1, 2, 3 }, "Fallout 4" }, { at(doc, 1, 5), doc.game })
  end)
end)

describe("scale of clips of the corpus #corpus", function()
  it("multiplies translations, and gives the file back", function()
    local count = figures.each(lathe, pending, function(_, doc, _, entry)
      local bytes = helper.read(entry.path)
      for _, factor in ipairs { 2, 3 } do
        assert.same({}, assert(doc:scale(factor)).skipped)
        compare(bytes, doc:encode(), factor, 29)
        assert.is_true(doc:check())
        assert(doc:scale(1 / factor))
        if factor == 2 then assert.equal(bytes, doc:encode()) end
        compare(bytes, doc:encode(), 1, 97)
      end
    end, "animation")
    assert.equal(10, count)
  end)
end)
