-- What packfiles cost: poses of a long clip, and files of 100 MB. Ratios to a copy of the same bytes.

package.path = "spec/support/?.lua;" .. package.path
local lathe = require "lathe"
local reader = require "hkx_reader"
local sample = require "sample_hkx"

local function seconds(fn, again)
  local best = math.huge
  for _ = 1, again or 3 do
    collectgarbage()
    local start = os.clock()
    fn()
    best = math.min(best, os.clock() - start)
  end
  return best
end

local copy                                        -- seconds that a copy of what is worked on takes
local function copy_of(bytes)
  copy = seconds(function() local _ = bytes:sub(1, -2) end, 10)
  print(("  %-46s %10.3f ms"):format("copy", copy * 1e3))
end
local function line(what, value, more)
  print(("  %-46s %10.3f ms %8.2f x copy%s"):format(what, value * 1e3, value / copy, more and "   " .. more or ""))
end

local function corpus_file()
  local root = os.getenv("LATHE_CORPUS")
  local f = io.open((root and root ~= "" and root or "../shared/corpus") .. "/hkx/fo4/CoughingAfterCryo.hkx", "rb")
  if not f then return nil end
  local bytes = f:read("a")
  f:close()
  return bytes
end

local function built_clip()
  local tracks = {}
  for i = 1, 94 do
    tracks[i] = { rotation = { function(frame) return { math.sin(frame / 90 + i), 0, 0, math.cos(frame / 90 + i) } end,
      degree = i % 3 == 0 and 1 or 3 }, translation = { x = i, y = 0.5 } }
  end
  return (sample.clip { game = "fallout4", frames = 826, fps = 30, tracks = tracks, motion = true })
end

-- ---- poses ----------------------------------------------------------------------------------------

local bytes = corpus_file()
print(bytes and "CoughingAfterCryo.hkx" or "a built clip: there is no corpus")
bytes = bytes or built_clip()
local doc = assert(lathe.parse(bytes))
local anim = doc.animations[1]
local frames, tracks = anim.frame_count, #anim.tracks
local N = frames * tracks
print(("  %d frames of %d tracks: %.2f MB from %.2f MB"):format(frames, tracks, N * 40 / 1e6, #bytes / 1e6))
copy_of(anim:decode():pack())

local function rate(what, value, n)
  line(what, value, ("%7.1f ns a track-sample, %6.1f M/s"):format(value / n * 1e9, n / value / 1e6))
end
rate("decode", seconds(function() anim:decode() end, 10), N)
local again = anim:decode()
rate("decode into the same buffer", seconds(function() anim:decode(again) end, 10), N)
rate("open and decode", seconds(function()
  local one <close> = lathe.parse(bytes)
  one.animations[1]:decode()
end, 10), N)
rate("write a field and decode", seconds(function()
  anim.binding.blend_hint = anim.blend_hint == "normal" and "additive" or "normal"
  anim:decode()
end, 10), N)
local M, buffer = 2000, nil
rate("2,000 poses at any moment", seconds(function()
  for i = 1, M do buffer = anim:sample({ time = i * 7919 % 1000 / 1000 * anim.duration }, buffer) end
end), M * tracks)
rate("2,000 poses at frames", seconds(function()
  for i = 1, M do buffer = anim:sample(i * 7919 % frames, buffer) end
end), M * tracks)
local track = anim.tracks[5]
rate("2,000 times one track", seconds(function()
  for i = 1, M do track:sample(i * 7919 % frames) end
end), M)
doc:close()

-- ---- large files ----------------------------------------------------------------------------------

local function shallow(object)
  local out = {}
  for k, v in pairs(object) do out[k] = v end
  return out
end

-- The clip of a file so many times, each with a binding of its own.
local function repeated(size)
  local root = reader.read(bytes):graph()
  local container = root.named_variants[1].variant
  local one, binding = container.animations[1], container.bindings[1]
  local count = math.ceil(size / (#one.data + 1))
  container.animations, container.bindings = {}, {}
  one.annotation_tracks = {}
  for i = 1, count do
    container.animations[i], container.bindings[i] = shallow(one), shallow(binding)
    container.bindings[i].animation = container.animations[i]
  end
  return (sample.build(root, { game = "fallout4" }))
end

local function large(what, made, field)
  print(("\n%s: %.0f MB"):format(what, #made / 1e6))
  copy_of(made)
  line("open", seconds(function() lathe.parse(made):close() end), nil)
  line("open and a field", seconds(function()
    local one <close> = lathe.parse(made)
    return field(one)
  end))
  local one <close> = assert(lathe.parse(made))
  line("a field", seconds(function() return field(one) end, 10), ("of %d objects"):format(#one.objects))
  line("check", seconds(function() assert(one:check()) end, 1))
  line("encode", seconds(function() one:encode() end))
  if pcall(function() return one.serialize end) then
    local took = seconds(function() assert(one:serialize()) end)
    line("serialize", took, ("%.0f MB/s"):format(#made / took / 1e6))
  end
end

large("clips", repeated(100e6), function(one) return one.animations[#one.animations].duration end)

local blob = sample.opaque("hkThing", 0x12345678, ("x"):rep(100000000))
local skeleton = sample.skeleton_object { bones = 99 }
large("an object that nobody described", (sample.build(sample.root { { "", "hkThing", blob },
  { "", "hkaSkeleton", skeleton } }, { game = "skyrim-se" })), function(one)
  return one.objects[3].bones[99].name
end)
