-- Animations of packfiles, faster and slower: times change, splines do not.

local lathe = require "lathe"
local sample = require "sample_hkx"

local function f32(x) return (string.unpack("<f", string.pack("<f", x))) end

local function clip(opts)
  local all = { game = "fallout4", frames = 31, tracks = 3, motion = true,
    annotations = { { track = 0, time = 0.25, text = "FootLeft" }, { track = 2, time = 1, text = "FootRight" } } }
  for k, v in pairs(opts or {}) do all[k] = v end
  return assert(lathe.parse((sample.clip(all))))
end

local function animation_of(doc)
  return doc.root.named_variants[1].variant.animations[1]
end

describe("hkx retime", function()
  for _, game in ipairs { "skyrim-le", "skyrim-se", "fallout4" } do
    it("moves all times of a clip for " .. game .. ", and nothing else", function()
      local doc <close> = clip { game = game }
      local anim, before = animation_of(doc), doc:encode()
      local was, data = anim:totable(), anim.data
      assert.same({ changed = 1, skipped = {} }, doc:retime { speed = 2 })
      assert.equal(f32(was.duration / 2), anim.duration)
      assert.equal(f32(was.block_duration / 2), anim.block_duration)
      assert.equal(f32(was.block_inverse_duration * 2), anim.block_inverse_duration)
      assert.equal(f32(was.frame_duration / 2), anim.frame_duration)
      assert.equal(0.125, anim.annotation_tracks[1].annotations[1].time)
      assert.equal(0.5, anim.annotation_tracks[3].annotations[1].time)
      assert.equal(data, anim.data)
      if anim.extracted_motion then
        assert.equal(anim.duration, anim.extracted_motion.duration)
      end
      doc:retime { speed = 0.5 }
      assert.equal(before, doc:encode())
    end)
  end

  it("takes a duration or frames a second", function()
    local doc <close> = clip()
    local anim = animation_of(doc)
    doc:retime { duration = 5 }
    assert.equal(5, anim.duration)
    assert.equal(f32(5 / 30), anim.frame_duration)
    doc:retime { fps = 60 }
    assert.equal(0.5, anim.duration)
    assert.is_true(math.abs(anim.block_duration * anim.block_inverse_duration - 1) < 1e-6)
  end)

  it("is a verb of each animation", function()
    local bytes = sample.clip { game = "skyrim-se",
      clips = { { frames = 11, tracks = 1 }, { frames = 21, tracks = 1 } } }
    local doc <close> = assert(lathe.parse(bytes))
    local list = doc.root.named_variants[1].variant.animations
    local first, second = list[1].duration, list[2].duration
    assert.same({ changed = 1, skipped = {} }, list[2]:retime { speed = 0.5 })
    assert.equal(first, list[1].duration)
    assert.equal(f32(second * 2), list[2].duration)
    assert.same({ changed = 2, skipped = {} }, doc:retime { speed = 4 })
  end)

  for _, kind in ipairs { "interleaved", "lossless" } do
    it("knows " .. kind .. " clips", function()
      local doc <close> = clip { kind = kind }
      doc:retime { fps = 10 }
      assert.equal(3, animation_of(doc).duration)
      assert.equal(3, animation_of(doc).extracted_motion.duration)
    end)
  end

  it("refuses what makes no sense, and changes nothing", function()
    local doc <close> = clip()
    local before = doc:encode()
    for _, options in ipairs { {}, { speed = 1, fps = 2 } } do
      local ok, err = pcall(doc.retime, doc, options)
      assert.is_false(ok)
      assert.equal("retime takes one of speed, duration, fps", tostring(err))
    end
    local refused = {
      { { speed = 0 }, "speed is a finite number above 0" },
      { { duration = -1 }, "duration is a finite number above 0" },
      { { fps = 0 / 0 }, "fps is a finite number above 0" },
    }
    for _, case in ipairs(refused) do
      local done, err = doc:retime(case[1])
      assert.is_nil(done)
      assert.equal(case[2], err.message)
      assert.equal(before, doc:encode())
    end
  end)
end)
