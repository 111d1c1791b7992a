-- What differs between animations, told by tracks in place of the packed fields that hold them.

local diff = require "lathe.tree.diff"
local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_hkx"

local function rows(frames, change)
  local list = {}
  for frame = 0, frames - 1 do
    for track = 1, 2 do
      local row = { frame * track, math.sin(frame), 0, 0, 0, 0, 1, 1, 1, 1 }
      if change then change(row, frame, track) end
      list[#list + 1] = row
    end
  end
  return list
end

local function made(frames, change, floats)
  return assert(lathe.new("hkx", { game = "skyrim-se", animation = { bones = { 0, 1 }, fps = 30,
    samples = rows(frames, change), float_tracks = { slots = { 0 }, samples = floats or { 0, 1, 2, 3 } } } }))
end

local function lines(a, b)
  local list = {}
  for i, change in ipairs(diff.told(a, b)) do list[i] = diff.line(change) end
  return list
end

-- The clip as it is stored, with other numbers at some places of a field.
local function interleaved(change)
  local doc = assert(lathe.parse((sample.clip { game = "skyrim-se", kind = "interleaved", tracks = 2, frames = 3,
    resource = false }), { history = 4 }))
  if change then change(doc.animations[1].source) end
  return doc
end

describe("poses", function()
  it("differ by tracks and by what they drive", function()
    local a <close> = made(4)
    local b <close> = made(4, function(row, frame, track)
      if track == 2 and frame >= 2 then row[6], row[7] = 0.6, 0.8 end
    end, { 0, 1, 2, 2.5 })
    local list = lines(a, b)
    assert.same({ "animations[1].tracks[2]: differs in 4 frames, up to 1.29 rad (frame 2)",
      "animations[1].float_tracks[1]: differs in 4 frames, up to 0.5 (frame 3)" }, { list[#list - 1], list[#list] })
    for _, line in ipairs(list) do assert.is_nil(line:find("%.data")) end
    assert.same({}, lines(a, a))
  end)

  it("are told once, also where they are stored as they are", function()
    local a <close> = interleaved()
    local b <close> = interleaved(function(source)
      source.transforms[4].translation.x = source.transforms[4].translation.x + 3
      source.transforms[4].translation.y = source.transforms[4].translation.y + 4
    end)
    assert.same({ "animations[1].tracks[2]: differs in 1 frame, up to 5 units (frame 1)" }, lines(a, b))
    assert.equal(2, #diff.diff(a, b))
  end)

  it("keep what other fields tell", function()
    local a <close> = interleaved()
    local b <close> = interleaved(function(source)
      source.transforms[1].scale.z, source.reference_count = 3, 9
    end)
    assert.same({ "objects[3].reference_count: 0 -> 9",
      "animations[1].tracks[1]: differs in 1 frame, up to 2 in size (frame 0)" },
      lines(a, b))
  end)

  it("are told as bytes where no sample differs", function()
    local a <close> = made(4)
    local b <close> = made(4)
    local source = b.animations[1].source
    source.data = source.data:sub(1, -2) .. "\1"
    local list = lines(a, b)
    assert.equal(1, #list)
    assert.matches(("%%.data: .* %%(from byte %d on%%)$"):format(#source.data - 1), list[1])
  end)

  it("take a rotation and its opposite for the same", function()
    local a <close> = interleaved()
    local b <close> = interleaved(function(source)
      local q = source.transforms[1].rotation
      q.x, q.y, q.z, q.w = -q.x, -q.y, -q.z, -q.w
    end)
    local list = lines(a, b)
    assert.truthy(#list > 0)
    for _, line in ipairs(list) do assert.matches("^objects%[3%]%.transforms%[1%]%.rotation%.", line) end
  end)

  it("that are no numbers are as far apart as can be", function()
    local a <close> = interleaved()
    local b <close> = interleaved(function(source) source.transforms[3].translation.x = 0 / 0 end)
    assert.same({ "animations[1].tracks[1]: differs in 1 frame, up to inf units (frame 1)" }, lines(a, b))
  end)

  it("of other counts are told by fields", function()
    local a <close> = made(4)
    local b <close> = made(5, nil, { 0, 1, 2, 3, 4 })
    for _, line in ipairs(lines(a, b)) do assert.is_nil(line:find("^animations")) end
  end)

  it("of documents that are animations tell of themselves", function()
    local fields = { version = 11, length = 100, frames = { { bone_matrices = { {}, {} } } } }
    local a <close> = assert(lathe.new("anm", fields))
    fields.frames[1].bone_matrices[2] = { translation = { 1, 0, 0 } }
    fields.trailing = "x"
    local b <close> = assert(lathe.new("anm", fields))
    assert.same({ "frames[1].bone_matrices[2].col3_x: 0 -> 1", "trailing: 0 bytes -> 1 byte: 78" }, lines(a, b))
  end)

  it("of games' clips: one bone at one frame is one line", function()
    local files = { "hkx/fo4/Death1.hkx", "hkx/skyrim-se/sneakmtidle.hkx", "tagfile/DSR_a00_0000.hkx" }
    for _, name in ipairs(files) do
      local path = helper.need_corpus(name, pending)
      local a <close> = assert(lathe.open(path))
      local b <close> = assert(lathe.open(path))
      local row = { b.animations[1].tracks[3]:sample(3) }
      local t = row[1]
      b.animations[1].tracks[3]:set(3, { t = { t[1], t[2] + 2, t[3] } })
      local list = lines(a, b)
      assert.equal(1, #list, name)
      assert.matches("^animations%[1%]%.tracks%[3%]: differs in %d+ frames, up to 2%.?%d* units", list[1])
    end
  end)
end)
