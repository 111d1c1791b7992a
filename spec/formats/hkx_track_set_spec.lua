-- Bones of packfiles' animations set at a frame: their tracks are encoded anew, all others stay to the bit.

local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_hkx"
local track_set = require "track_set"

local function turning(frame)
  return { math.sin(frame / 20), 0, 0, math.cos(frame / 20) }
end

local function descriptions(kind, frames)
  local function each(fn)
    if kind == "spline" then return fn end
    local list = {}
    for i = 1, frames do list[i] = fn(i - 1) end
    return list
  end
  return {
    { translation = { x = each(function(frame) return frame / 2 end), y = 3 } },
    { translation = { y = 1 } },
    { translation = { x = 1, z = each(function(frame) return 5 - frame / 4 end) } },
    kind == "spline" and { rotation = { turning, degree = 1 }, translation = { x = 4 } } or
      { rotation = { 0, 0, 0.6, 0.8 } },
  }
end

local function each_sample(test)
  for _, layout in ipairs(sample.game_layouts) do
    for _, kind in ipairs { "spline", "interleaved", "lossless" } do
      if kind ~= "lossless" or layout.game == "fallout4" then
        for _, frames in ipairs { 1, 20 } do
          local bytes = sample.clip(sample.with(layout, { kind = kind, frames = frames, max_frames_per_block = 8,
            tracks = descriptions(kind, frames), floats = { 2 }, motion = true,
            annotations = { { time = 0, text = "t" } } }))
          local doc <close> = assert(lathe.parse(bytes, { history = 16 }))
          test(doc, ("%s%s %s, %d frames"):format(layout.game, layout.endian or "", kind, frames), layout, kind)
        end
      end
    end
  end
end

local OPTS = { tolerance = 0.0101 }

local function opts(label)
  return { label = label, tolerance = OPTS.tolerance }
end

describe("tracks of packfiles' animations", function()
  it("are set at one frame: all others stay to the bit", function()
    each_sample(function(doc, label, layout, kind)
      local last = doc.animations[1].frame_count - 1
      for track = 1, 4 do
        local given = opts(label)
        given.all_anew = layout.endian == ">" and kind == "spline"   -- no game has such: see clip_poses.c
        track_set.one(doc, 1, track * 7 % (last + 1), track, given)
      end
    end)
  end)

  it("follow edits in edits, and refuse what is no pose", function()
    each_sample(function(doc, label) track_set.all(doc, 1, label) end)
  end)

  it("are set in two animations in one edit", function()
    local bytes = sample.clip { clips = { { frames = 5, tracks = 2 }, { frames = 9, tracks = 3 } } }
    local doc = assert(lathe.parse(bytes, { history = 4 }))
    local a, b = doc.animations[1].tracks[2], doc.animations[2].tracks[3]
    doc:edit(function()
      a:set(1, { t = { 1, 2, 3 } })
      b:set(8, { t = { 4, 5, 6 } })
      pcall(doc.edit, doc, function()
        b:set(8, { t = { 0, 0, 0 } })
        error "no"
      end)
      doc:encode()
      a:set(2, { t = { 3, 2, 1 } })
    end)
    assert.is_near(1, a:sample(1)[1], 0.0101)
    assert.is_near(3, a:sample(2)[1], 0.0101)
    assert.is_near(4, b:sample(8)[1], 0.0101)
    assert.is_true(doc:undo())
    assert(doc:encode() == bytes)
    assert.is_false(doc:undo())
  end)
end)

local function one_file(path, label)
  local doc <close> = assert(lathe.open(path, { history = 16 }))
  local n = 0
  for number, anim in ipairs(doc.animations) do
    if #anim.tracks > 0 and anim:decode() then
      n = n + 1
      track_set.one(doc, number, anim.frame_count // 2, 1 + #anim.tracks // 3, opts(label))
      track_set.all(doc, number, label)
    end
  end
  return n
end

describe("tracks of the corpus' animations #corpus", function()
  it("are set at one frame", function()
    local root, n = helper.need_corpus("hkx", pending), 0
    for _, folder in ipairs { "fo4", "skyrim-le", "skyrim-se" } do
      for _, name in ipairs(helper.list(("%s/%s"):format(root, folder), "%.hkx$")) do
        n = n + one_file(("%s/%s/%s"):format(root, folder, name), name)
      end
    end
    assert(n > 0)
  end)

  it("are set in the tagfile", function()
    local folder = helper.need_corpus("tagfile", pending)
    one_file(folder .. "/DSR_a00_0000.hkx", "DSR_a00_0000")
  end)
end)
