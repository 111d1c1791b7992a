-- Bones of .anm files set at a frame: that matrix is written, and nothing else.

local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_anm"
local track_set = require "track_set"

--- All bytes that differ lie in one matrix.
local function in_one_matrix(before, after, label)
  assert.equal(#before, #after, label)
  local first, last
  for i = 1, #before do
    if before:byte(i) ~= after:byte(i) then first, last = first or i, i end
  end
  assert(last - first < 64, ("%s: bytes %d to %d changed"):format(label, first, last))
end

local function numbers(frame, bone)
  local a = (frame * 7 + bone * 3) % 5 / 10
  local c, s = math.cos(a), math.sin(a)
  return { c, s, 0, 0, -s, c, 0, 0, 0, 0, 1.25, 0, frame, bone, a, 1 }
end

local function made(version, opts)
  local frames = {}
  for f = 1, 4 do
    local frame = { time = 40 * (f - 1), bone_matrices = { numbers(f, 1), numbers(f, 2), numbers(f, 3) } }
    if version >= 2 then frame.events = { { bone = f, name = "step" .. f } } end
    if version >= 4 then frame.weights = { 1, 0.5, 0.25 } end
    if version >= 10 and opts.centered then
      frame.rotation, frame.center_offset = f / 4, { f, 2, 3 * f }
    end
    frames[f] = frame
  end
  local fields = { version = version, length = 160, frames = frames }
  if version >= 10 then fields.centered = opts.centered end
  return lathe.new("anm", fields):encode()
end

local function each_made(test)
  for version = 0, 11 do
    for _, centered in ipairs(version >= 10 and { false, true } or { false }) do
      local bytes = made(version, { centered = centered })
      local doc <close> = assert(lathe.parse(bytes, { format = "anm", history = 16 }))
      test(doc, ("version %d%s"):format(version, centered and ", centered" or ""), version, bytes)
    end
  end
end

local OPTS = { tolerance = 1e-5, others = 0, bytes = in_one_matrix }

local function opts(label)
  return { label = label, tolerance = OPTS.tolerance, others = OPTS.others, bytes = OPTS.bytes }
end

describe("bones of .anm files", function()
  it("are set in files of all versions: one matrix changes", function()
    each_made(function(doc, label)
      for frame = 0, 3 do track_set.one(doc, 1, frame, 1 + frame % 3, opts(label)) end
    end)
  end)

  it("are set in files written by hand", function()
    for name, bytes in pairs(sample) do
      local doc <close> = assert(lathe.parse(bytes, { format = "anm", history = 16 }))
      local anim = doc.animations[1]
      for track = 1, #anim.tracks do track_set.one(doc, 1, anim.frame_count - 1, track, opts(name)) end
      if #anim.tracks > 0 then track_set.all(doc, 1, name) end
    end
  end)

  it("follow edits in edits, and refuse what is no pose", function()
    each_made(function(doc, label) track_set.all(doc, 1, label) end)
  end)

  it("keep the last row of their matrices, which the game does not read", function()
    local doc = assert(lathe.parse(made(11, {}), { format = "anm" }))
    local matrix = doc.frames[2].bone_matrices[3]
    matrix[4], matrix[8], matrix[16] = 5, 6, 7
    assert(doc.animations[1].tracks[3]:set(1, { t = { 9, 8, 7 } }))
    assert.same({ 5, 6, 9, 8, 7, 7 }, { matrix[4], matrix[8], matrix[13], matrix[14], matrix[15], matrix[16] })
  end)

  it("keep frames that share a time, and their events", function()
    local doc = assert(lathe.parse(made(11, {}), { format = "anm", history = 4 }))
    for i, time in ipairs { 40, 0, 40, 40 } do doc.frames[i].time = time end
    doc.frames[1].events:remove(1)
    local before = doc:encode()
    doc:edit(function() doc.animations[1].tracks[2]:set(2, { t = { 1, 1, 1 } }) end)
    in_one_matrix(before, doc:encode(), "shared times")
    assert.equal(1, doc.frames[3].bone_matrices[2].translation.z)
  end)

  it("may be fewer in one frame than in the others, which then cannot be read", function()
    local doc = assert(lathe.parse(made(11, {}), { format = "anm" }))
    doc.frames[2].bone_matrices:remove(3)
    local before = doc:encode()
    local ok, why = doc.animations[1].tracks[1]:set(0, { t = { 1, 1, 1 } })
    assert.is_nil(ok)
    assert.truthy(tostring(why):find("2, but 3 are needed", 1, true), tostring(why))
    assert.equal(before, doc:encode())
  end)
end)

describe("bones of the .anm files of the corpus #corpus", function()
  it("are set at one frame", function()
    local folder, n = helper.need_corpus("wolfire/anm", pending), 0
    for _, name in ipairs(helper.list(folder, "%.anm$")) do
      local doc <close> = assert(lathe.open(folder .. "/" .. name, { history = 16 }))
      local anim = doc.animations[1]
      if #anim.tracks > 0 and anim:decode() then
        n = n + 1
        track_set.one(doc, 1, n * 5 % anim.frame_count, 1 + n * 7 % #anim.tracks, opts(name))
        track_set.all(doc, 1, name)
      end
    end
    assert(n > 0)
  end)
end)
