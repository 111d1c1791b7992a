-- Animations encoded anew, judged by the evaluator in plain Lua: near enough at every frame, no overshoot between them,
-- no larger than the games' own, and what is refused.

local dice = require "dice"
local helper = require "helper"
local judge = require "clip_judge"
local lathe = require "lathe"

local CHANNELS = { "translation", "rotation", "scale" }

-- ---- helpers --------------------------------------------------------------------------------------

-- Errors at frames are within their tolerances, half-way between them as well, and the report has the same figures.
-- some: not all frames were measured.
local function fits(report, off, label, some)
  for _, name in ipairs(CHANNELS) do
    local most, told = off[name], report["max_" .. name]
    local near = 1e-5 + 1e-4 * most + 1.2e-7 * off.largest
    if off.share[name] > 1.0005 or most ~= most then
      error(("%s: %s is off by %.9g at %s, %.6g of what it may be"):format(label, name, most, off.at[name],
        off.share[name]), 0)
    end
    local low = some and -math.huge or told
    if not (most <= told + near and most >= low - near) then
      error(("%s: max_%s is told to be %.9g, and is %.9g"):format(label, name, told, most), 0)
    end
  end
  if off.between > 1 or off.between ~= off.between then
    error(("%s: %.6g of what is allowed half-way, %s"):format(label, off.between, off.at.between), 0)
  end
end

local REST = { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }

-- A clip of one frame at rest, of so many tracks, whose documents tests fill.
local function rest(tracks, more)
  local bones, rows = {}, {}
  for i = 1, tracks do bones[i], rows[i] = i - 1, REST end
  local animation = { bones = bones, samples = rows }
  for k, v in pairs(more or {}) do animation[k] = v end
  return assert(lathe.new("hkx", { game = "skyrim-se", animation = animation }))
end

-- Rows of ten as a buffer: row(frame, track), both from 0.
local function samples_of(frames, tracks, row)
  local buffer, at = lathe.buffer("f32", frames * tracks, 10), 0
  for frame = 0, frames - 1 do
    for track = 0, tracks - 1 do
      for _, v in ipairs(row(frame, track)) do
        at = at + 1
        buffer[at] = v
      end
    end
  end
  return buffer
end

-- Encodes samples over a clip at rest; gives the evaluator's clip, the report, and the document's bytes.
local function encoded(samples, tracks, opts)
  local doc <close> = rest(tracks)
  local report, err = doc.animations[1]:encode(samples, opts)
  if not report then error(tostring(err), 0) end
  local bytes = doc:encode()
  local ok, findings = doc:check()
  if not ok then error(tostring(findings[1]), 0) end
  return judge.clip(bytes), report, bytes
end

-- The same, judged.
local function judged(label, samples, tracks, opts, every)
  local clip, report, bytes = encoded(samples, tracks, opts)
  local off = judge.measure(clip, samples, { tolerance = opts and opts.tolerance, every = every })
  fits(report, off, label, every)
  assert.equal(#clip.data, report.bytes)
  assert.equal(0, #report.skipped, label)
  return clip, report, bytes
end

-- ---- samples --------------------------------------------------------------------------------------

local function axis_turn(angle, x, y, z)
  local n, s = math.sqrt(x * x + y * y + z * z), math.sin(angle / 2)
  return x / n * s, y / n * s, z / n * s, math.cos(angle / 2)
end

local function row(t, q, s)
  t, q, s = t or { 0, 0, 0 }, q or { 0, 0, 0, 1 }, s or { 1, 1, 1 }
  return { t[1], t[2] or 0, t[3] or 0, q[1], q[2], q[3], q[4], s[1], s[2], s[3] }
end

local function smooth(u, k)
  local t = { 20 * math.sin(u / 10 + k), 3 * math.sin(u / 3), k % 2 == 0 and 7 or math.cos(u / 30) }
  return row(t, { axis_turn(2 * math.sin(u / 8 + k), 1, math.sin(u / 15), k) },
    { 1 + 0.2 * math.sin(u / 20), 1, 2 })
end

local function noise(seed, size)
  local pick = dice(seed)
  local function chance() return pick(65536) / 32768 - 1 end
  return function()
    local q = { chance(), chance(), chance(), chance() + 1e-3 }
    local n = math.sqrt(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
    return row({ size * chance(), size * chance(), 0 }, { q[1] / n, q[2] / n, q[3] / n, q[4] / n },
      { 1 + chance() / 2, 1, 1 })
  end
end

-- ---- the corpus -----------------------------------------------------------------------------------

local CLIPS = { "hkx/fo4/CoughingAfterCryo", "hkx/fo4/Death1", "hkx/fo4/SneakIdle", "hkx/fo4/run_forward_to_idle",
  "hkx/skyrim-le/1hm_staggerbacksmallest", "hkx/skyrim-le/SOSFastErect", "hkx/skyrim-se/bow_drawlight",
  "hkx/skyrim-se/chair_idlearmscrossedvar1", "hkx/skyrim-se/sneak_1hmattackintro", "hkx/skyrim-se/sneakmtidle",
  "tagfile/DSR_a00_0000" }

-- v turned by a quaternion.
local function turned(q, v)
  local x, y, z, w = q[1], q[2], q[3], q[4]
  local cx = y * v[3] - z * v[2] + w * v[1]
  local cy = z * v[1] - x * v[3] + w * v[2]
  local cz = x * v[2] - y * v[1] + w * v[3]
  return { v[1] + 2 * (y * cz - z * cy), v[2] + 2 * (z * cx - x * cz), v[3] + 2 * (x * cy - y * cx) }
end

-- How high a skeleton stands: the greatest extent of its bones in model space, at rest.
local function height_of(skeleton)
  local bones, most = skeleton.bones, 0
  for axis = 1, 3 do
    local low, high = math.huge, -math.huge
    for _, bone in ipairs(bones) do
      local v, at = { 0, 0, 0 }, bone
      while at do
        v = turned(at.pose.q, v)
        for i = 1, 3 do v[i] = v[i] + at.pose.t[i] end
        at = at.parent and at.parent >= 0 and bones[at.parent + 1]
      end
      low, high = math.min(low, v[axis]), math.max(high, v[axis])
    end
    most = math.max(most, high - low)
  end
  return most
end

describe("clips of the corpus, encoded anew #corpus", function()
  local before, after = 0, 0

  for _, name in ipairs(CLIPS) do
    it("are near enough, and no larger: " .. name, function()
      local folder = helper.need_corpus("", pending)
      local doc <close> = assert(lathe.open(("%s/%s.hkx"):format(folder, name)))
      local anim = doc.animations[1]
      local samples, floats, had, frames = anim:decode(), anim:decode_floats(), #anim.source.data, anim.frame_count
      local report = assert(anim:encode())
      local bytes = doc:encode()
      local clip = judge.clip(bytes)
      local tolerance = name:find "tagfile" and { translation = report.max_translation + 1e-9 } or nil
      fits(report, judge.measure(clip, samples, { tolerance = tolerance }), name)
      assert.same({ frames, #clip.data, 0 }, { clip.num_frames, report.bytes, #report.skipped })
      assert.is_true(judge.measure_floats(clip, floats) <= 0.001, name)
      assert.is_true(#clip.data <= had, ("%d bytes, the game's own are %d"):format(#clip.data, had))
      assert.is_true((doc:check()))
      before, after = before + had, after + #clip.data
    end)
  end

  it("are no more than 0.6 of what the games' own are", function()
    helper.need_corpus("hkx", pending)
    assert.is_true(before > 250000 and after <= 0.6 * before, ("%d of %d"):format(after, before))
  end)

  it("are within 1e-4 of the height where the unit is not Bethesda's", function()
    local folder = helper.need_corpus("tagfile", pending)
    local doc <close> = assert(lathe.open(folder .. "/DSR_a00_0000.hkx"))
    local skeletons <close> = assert(lathe.open(folder .. "/DSR_Skeleton.hkx"))
    local height = height_of(skeletons.skeletons[1])
    assert.is_true(height > 1 and height < 4, height)
    local report = doc.animations[1]:encode()
    assert.is_true(report.max_translation <= 2e-4 * height,
      ("%g for a height of %g"):format(report.max_translation, height))
    local linked <close> = assert(lathe.open(folder .. "/DSR_a00_0000.hkx", { skeleton = skeletons }))
    report = linked.animations[1]:encode()
    assert.is_true(report.max_translation <= 1e-4 * height and report.max_translation > 0.5e-4 * height,
      ("%g for a height of %g"):format(report.max_translation, height))
  end)

  it("come out the same twice, and encoding is undone by one step", function()
    local folder = helper.need_corpus("hkx", pending)
    local path = folder .. "/skyrim-se/bow_drawlight.hkx"
    local doc <close> = assert(lathe.open(path, { history = 4 }))
    local other <close> = assert(lathe.open(path))
    local first, samples = doc:encode(), doc.animations[1]:decode()
    doc.animations[1]:encode()
    other.animations[1]:encode(samples)
    assert.is_true(doc:encode() == other:encode())
    assert(doc:undo())
    assert.is_true(doc:encode() == first)
  end)

  it("are the same bytes of another compiler #tools", function()
    local other = helper.root .. "/build/clang/lathe/core.so"
    local folder = helper.corpus("hkx")
    local lfs = require "lfs"
    local sources, newest = helper.root .. "/core/havok/animation/maths/", 0
    for _, name in ipairs(helper.list(sources, "^spline_.*%.[ch]$")) do
      newest = math.max(newest, lfs.attributes(sources .. name, "modification"))
    end
    if not folder or (lfs.attributes(other, "modification") or 0) < newest then
      return pending "NOT TESTED: no build by clang as new as the sources: make CC=clang BUILD=build/clang programs"
    end
    local script = helper.write(helper.tmpdir() .. "/digest.lua", [[
      package.preload["lathe.core"] = assert(package.loadlib(arg[1], "luaopen_lathe_core"))
      local lathe = require "lathe"
      for i = 2, #arg do
        local doc = assert(lathe.open(arg[i]))
        doc.animations[1]:encode()
        io.write(#doc:encode(), " ", (doc:encode():gsub(".", function(c) return ("%02x"):format(c:byte()) end)), "\n")
      end]])
    local function run(core)
      local words = { "lua5.4", script, core }
      for _, name in ipairs(CLIPS) do words[#words + 1] = ("%s/../%s.hkx"):format(folder, name) end
      local scripts = helper.root .. "/scripts/?.lua;" .. helper.root .. "/scripts/?/init.lua;;"
      local got = helper.run(words, { env = { LUA_PATH_5_4 = scripts } })
      assert.equal("", got.err)
      return got.out
    end
    local a, b = run(helper.build .. "/lathe/core.so"), run(other)
    assert.is_true(#a > 300000 and a == b)
  end)
end)

-- ---- generated clips ------------------------------------------------------------------------------

-- What each quantization can meet, and the code that it has in the file.
local QUANTIZATIONS = {
  { named = 40, rotation = 0.002, code = 1 }, { named = 48, rotation = 0.0003, code = 2 },
  { named = 32, rotation = 0.01, code = 0 }, { named = "none", rotation = 2e-5, code = 5 },
}

describe("samples that are encoded", function()
  local met = {}

  local function meet(clip)
    for name, n in pairs(judge.census(clip)) do met[name] = (met[name] or 0) + n end
  end

  for _, q in ipairs(QUANTIZATIONS) do
    it("are near enough in all numbers of frames and blocks: " .. q.named, function()
      for _, case in ipairs { { 1, 256 }, { 2, 256 }, { 3, 2 }, { 9, 3 }, { 60, 7 }, { 255, 256 }, { 256, 256 },
        { 257, 256 }, { 257, 255 }, { 258, 256 }, { 130, 64 } } do
        local frames, block = table.unpack(case)
        local samples = samples_of(frames, 4, smooth)
        local clip = judged(("%d frames, %d a block"):format(frames, block), samples, 4,
          { quantization = q.named, max_frames_per_block = block, tolerance = { rotation = q.rotation } })
        assert.same({ frames, math.max(1, math.ceil((frames - 1) / (block - 1))), block },
          { clip.num_frames, clip.num_blocks, clip.max_frames_per_block })
        meet(clip)
        for k, n in pairs(judge.census(clip)) do
          assert.is_true(not k:find "code" or k == "code " .. q.code, k .. " " .. n)
        end
      end
    end)

    it("are near enough where every frame is another: " .. q.named, function()
      local opts = { quantization = q.named, tolerance = { rotation = q.rotation, translation = 0.005 } }
      meet((judged("noise", samples_of(90, 3, noise(5, 60)), 3, opts)))
      opts.max_frames_per_block = 16
      meet((judged("noise", samples_of(90, 3, noise(9, 0.5)), 3, opts)))
    end)

    it("are near enough over whole turns, and where keys change their sign: " .. q.named, function()
      local opts = { quantization = q.named, tolerance = { rotation = q.rotation } }
      local samples = samples_of(150, 4, function(u, k)
        local x, y, z, w = axis_turn(u * (0.15 + 0.8 * (k // 2)), 1, 2, k)
        if k % 2 == 1 and w < 0 then x, y, z, w = -x, -y, -z, -w end
        return row(nil, { x, y, z, w })
      end)
      meet((judged("turns", samples, 4, opts)))
      samples = samples_of(60, 3, function(u, k)
        local sign = u % 2 == 0 and 1 or -1
        local x, y, z, w = axis_turn(0.4 * k + (k == 1 and u / 9 or 0), 3, 1, 2)
        return row(nil, { sign * x, sign * y, sign * z, sign * w })
      end)
      local clip = judged("signs", samples, 3, opts)
      assert.equal("identity", clip.blocks[1].tracks[1].rotation.kind)
      assert.equal("static", clip.blocks[1].tracks[3].rotation.kind)
      -- half a turn from one frame to the next
      samples = samples_of(20, 1, function(u) return row(nil, { axis_turn(math.pi * (u % 2) * 0.98, 1, 0, 1) }) end)
      judged("half turns", samples, 1, opts)
    end)

    it("need not be of length 1: " .. q.named, function()
      local samples = samples_of(40, 3, function(u, k)
        local x, y, z, w = axis_turn(u / 13, 1, k, 2)
        local size = 10.0 ^ (6 * k - 6)
        return row(nil, { size * x, size * y, size * z, size * w })
      end)
      judged("lengths", samples, 3, { quantization = q.named, tolerance = { rotation = q.rotation } })
    end)
  end

  it("jump and stand still", function()
    for _, block in ipairs { 2, 5, 256 } do
      local clip = judged("steps", samples_of(80, 2, function(u, k)
        local step = (u + 3 * k) // 10
        return row({ step % 2 * 30, 0, step }, { axis_turn(step % 3 * 1.1, 0, 1, 1) }, { 1 + step % 2, 1, 1 })
      end), 2, { max_frames_per_block = block })
      meet(clip)
    end
  end)

  it("have tiny and huge sizes", function()
    local function sizes(size)
      return samples_of(50, 2, function(u, k)
        return row(nil, nil, { size * (1 + (k == 1 and 0.5 * math.sin(u / 5) or 0)), size, size * 2 })
      end)
    end
    for _, size in ipairs { 1e-30, 1e-6, 1e-3, 1, 100, 1e4, 1e6 } do
      local tolerance = { scale = size / 500 }
      meet((judged("scale " .. size, sizes(size), 2, { tolerance = tolerance })))
    end
    -- where nothing else is asked for, what is far below the tolerance stands still
    local clip = judged("tiny", sizes(1e-6), 2)
    assert.equal("static", clip.blocks[1].tracks[2].scale.kind)
    judged("negative", samples_of(50, 1, function(u) return row(nil, nil, { -1, math.cos(u / 9), 1 }) end), 1)
  end)

  it("go far", function()
    -- the range of a channel is what counts: 1,300 units, wherever they are
    judged("1000 units", samples_of(100, 1, function(u) return row { 500 * math.sin(u / 9), 2000, -3000 } end), 1)
    local wide = samples_of(100, 3, function(u, k) return row { (k == 1 and 50000 or 5) * math.sin(u / 9) } end)
    local clip, report = encoded(wide, 3)
    local off = judge.measure(clip, wide)
    assert.matches("^track 2,", off.at.translation)
    assert.is_true(off.translation > 0.01 and off.translation < 2 * 100000 / 65535, off.translation)
    assert.is_near(off.translation, report.max_translation, 0.01)
    assert.equal(1, #report.skipped)
    assert.matches("^objects%[%d+%]: translation of track 1$", report.skipped[1].path)
    assert.matches("^16 bits of its range come to [%d.]+, the tolerance is 0.01$", report.skipped[1].reason)
    assert.is_true(off.between <= 60)
    -- floats have no finer steps there, however small the range
    local far = samples_of(100, 1, function(u) return row { 1e6 + math.sin(u / 9) } end)
    clip, report = encoded(far, 1)
    off = judge.measure(clip, far)
    assert.is_true(off.translation <= 0.125, off.translation)
    assert.equal(off.translation > 0.01 and 1 or 0, #report.skipped)
  end)

  it("may be many frames", function()
    local samples = samples_of(10000, 3, function(u, k)
      return k == 2 and row({ 1, 2, 3 }) or smooth(u + 40 * math.sin(u / 700), k)
    end)
    local clip = judged("10,000 frames", samples, 3, nil, 11)
    assert.equal(math.ceil(9999 / 255), clip.num_blocks)
    meet(clip)
  end)

  it("may be many tracks", function()
    local samples = samples_of(12, 500, function(u, k) return k % 3 == 0 and REST or smooth(u, k) end)
    meet((judged("500 tracks", samples, 500)))
  end)

  it("have a tolerance of their own, each", function()
    local allowed = { translation = { 1, 0.002, 0.05 }, rotation = { 0.1, 0.0009, 0.01 }, scale = { 0.1, 1e-4, 0.01 } }
    local samples = samples_of(200, 3, function(u) return smooth(u, 1) end)
    local clip = judged("tolerances", samples, 3, { tolerance = allowed })
    local points = {}
    for i, track in ipairs(clip.blocks[1].tracks) do points[i] = track.rotation.points or 1 end
    assert.is_true(points[1] < points[3] and points[3] < points[2], table.concat(points, " "))
  end)

  it("have finer rotations where the tolerance needs them, and none is named", function()
    local samples = samples_of(40, 1, function(u) return row(nil, { axis_turn(u / 9, 1, 2, 3) }) end)
    for _, case in ipairs { { 0.002, 1 }, { 0.0005, 2 }, { 1e-5, 5 } } do
      local clip = judged(tostring(case[1]), samples, 1, { tolerance = { rotation = case[1] } })
      assert.equal(case[2], clip.blocks[1].tracks[1].mask[1] >> 2 & 15)
    end
  end)

  it("have no more control points than a curve of that degree needs", function()
    local straight = judged("a line", samples_of(200, 1, function(u) return row { u / 2, 3, 0 } end), 1)
    local part = straight.blocks[1].tracks[1].translation
    assert.same({ "spline", 1, 2 }, { part.kind, part.degree, part.points })
    assert.same({ 0x12, 0 }, { straight.blocks[1].tracks[1].mask[2], straight.blocks[1].tracks[1].mask[4] })
    local bowed = judged("a parabola", samples_of(200, 1, function(u) return row { (u / 20 - 5) ^ 2 } end), 1)
    part = bowed.blocks[1].tracks[1].translation
    assert.is_true(part.degree >= 2 and part.points <= part.degree + 2, part.degree .. " " .. part.points)
    local cubic = judged("a cubic", samples_of(200, 1, function(u) return row { (u / 20 - 5) ^ 3 / 5 - u / 9 } end), 1)
    part = cubic.blocks[1].tracks[1].translation
    assert.is_true(part.degree == 3 and part.points <= 6, part.degree .. " " .. part.points)
    local turning = judged("a turn", samples_of(200, 1, function(u)
      return row(nil, { axis_turn(u / 100, 0, 0, 1) })
    end), 1)
    part = turning.blocks[1].tracks[1].rotation
    assert.is_true(part.points <= 12, part.points)
  end)

  it("are encoded of what was encoded with no growing error", function()
    local samples = samples_of(120, 2, smooth)
    local doc <close> = rest(2)
    local anim = doc.animations[1]
    anim:encode(samples)
    local size = #anim.source.data
    for _ = 1, 4 do
      anim:encode()
      assert.is_true(#anim.source.data <= 1.1 * size + 16)
    end
    local off = judge.measure(judge.clip(doc:encode()), samples)
    for _, name in ipairs(CHANNELS) do assert.is_true(off.share[name] <= 5.01, name) end
  end)

  it("have floats", function()
    for _, block in ipairs { 8, 256 } do
      local values = {}
      for u = 0, 49 do
        for k, v in ipairs { 0.25, math.sin(u / 6), 0, u // 10 * 3, u == 7 and 1 or 0 } do values[5 * u + k] = v end
      end
      local doc <close> = rest(2, { samples = samples_of(50, 2, smooth), float_tracks = { samples = values },
        max_frames_per_block = block })
      local anim = doc.animations[1]
      local report = assert(anim:encode(nil, { max_frames_per_block = block }))
      local clip = judge.clip(doc:encode())
      local off, at = judge.measure_floats(clip, values)
      assert.is_true(off <= 0.001 * 2.001, ("%s: %g"):format(at, off))
      assert.same({}, report.skipped)
      assert.same({ "objects[3]: 3 float tracks are written as splines, which no known file has" }, report.notes)
      assert.same({ "static", "spline", "static" }, { clip.blocks[1].floats[1].kind, clip.blocks[1].floats[2].kind,
        clip.blocks[1].floats[3].kind })
    end
  end)

  it("have been of all degrees, and of 8 and 16 bits", function()
    for _, name in ipairs { "degree 1", "degree 2", "degree 3", "8 bits", "16 bits", "code 0", "code 1", "code 2",
      "code 5" } do
      assert.is_true((met[name] or 0) > 10, name)
    end
  end)
end)

-- ---- what is refused ------------------------------------------------------------------------------

describe("encoding is refused, and changes nothing,", function()
  local TRACKS <const> = 3

  local function six(change)
    return samples_of(2, TRACKS, function(u, k)
      local r = row({ u, k, 0 }, { axis_turn(u + k / 3, 1, 2, 3) })
      if change then change(u, k, r) end
      return r
    end)
  end

  -- doc, anim: of a clip with a float track, which stays as it is to the byte.
  local function refused(message, samples, opts)
    local doc <close> = rest(TRACKS, { float_tracks = { samples = { 0.5 } } })
    local anim, before = doc.animations[1], doc:encode()
    local function ask(verb)
      local ran, got, err = pcall(anim[verb], anim, samples, opts)
      if ran then assert.is_nil(got) end
      local text = tostring(ran and err or got):gsub("^[^:]*%.lua:%d+: ", ""):gsub(" at 0x%x+:", ":")
      assert.equal(message:gsub("VERB", verb), text)
      assert.is_true(before == doc:encode(), verb)
      assert.is_true((doc:check()))
    end
    ask "encode"
    if samples then ask "write" end
  end

  local function case(name, message, samples, opts)
    it(name, function() refused(message, type(samples) == "function" and samples() or samples, opts) end)
  end

  local function numbers(n, columns)
    local b = lathe.buffer("f32", n, columns)
    for i = 1, n * columns do b[i] = 1 end
    return b
  end

  local COUNT = "samples: %d numbers are no whole number of frames of 3 tracks, of 10 each"
  case("for rows of half a frame", COUNT:format(50), numbers(5, 10))
  case("for no rows", COUNT:format(0), numbers(0, 10))
  case("for rows of other columns", "samples: row 1: 10 numbers expected", numbers(6, 9))
  case("for numbers that are no rows", COUNT:format(3), { 1, 2, 3 })
  case("for what are no numbers", "samples: a buffer or a list of numbers expected", "abc")

  for _, number in ipairs { 0, -0.5, 0 / 0, 1 / 0, "x" } do
    for _, name in ipairs { "translation", "rotation", "scale", "value" } do
      case(("for a tolerance of %s: %s"):format(number, name), ("tolerance.%s: a number above 0 expected"):format(name),
        six, { tolerance = { [name] = number } })
    end
  end
  case("for a track's tolerance of 0", "tolerance.scale[3]: a number above 0 expected", six,
    { tolerance = { scale = { 1, 1, 0 } } })
  case("for tolerances of other tracks", "tolerance.rotation: 2 numbers for 3 tracks", six,
    { tolerance = { rotation = { 1, 1 } } })
  case("for tolerances of other float tracks", "tolerance.value: 2 numbers for 1 track", six,
    { tolerance = { value = { 1, 1 } } })
  case("for tolerances of what is none", "tolerance: no field 'scales' in a tolerance; did you mean 'scale'?", six,
    { tolerance = { scales = 1 } })
  case("for one tolerance for all", "tolerance: a table expected: { translation =, rotation =, scale =, value = }", six,
    { tolerance = 0.01 })
  case("for misspelt options", "no option 'tolerence' of VERB; did you mean 'tolerance'?", six, { tolerence = {} })
  case("for other quantizations", 'quantization: 40, 48, 32 or "none" expected', six, { quantization = 24 })
  case("for blocks of one frame", "max_frames_per_block: an integer from 2 to 256 expected", six,
    { max_frames_per_block = 1 })
  case("for blocks of 257 frames", "max_frames_per_block: an integer from 2 to 256 expected", six,
    { max_frames_per_block = 257 })

  local NAMED = "objects[3]: rotation of track 0: quantization %s comes to %s rad, the tolerance is %s "
    .. "(hkaSplineCompressedAnimation)"
  for _, c in ipairs { { 40, 0.0001 }, { 48, 1e-5 }, { 32, 0.0003 }, { "none", 1e-9 } } do
    it("for a tolerance that the quantization cannot meet: " .. c[1], function()
      local doc <close> = rest(TRACKS)
      local before = doc:encode()
      local got, err = doc.animations[1]:encode(six(), { quantization = c[1], tolerance = { rotation = c[2] } })
      assert.is_nil(got)
      local figure = tostring(err):match("comes to (%S+) rad")
      assert.equal(NAMED:format(c[1], figure, ("%g"):format(c[2])), (tostring(err):gsub(" at 0x%x+:", ":")))
      assert.is_true(tonumber(figure) > c[2] and tonumber(figure) < 0.005, figure)
      assert.is_true(before == doc:encode())
    end)
  end

  case("for samples that are not finite", "translation of track 1 at frame 1 is not a finite number", function()
    return six(function(u, k, r) if u == 1 and k == 1 then r[2] = 0 / 0 end end)
  end)
  case("for infinite rotations", "rotation of track 2 at frame 0 is not a finite number", function()
    return six(function(u, k, r) if u == 0 and k == 2 then r[7] = -1 / 0 end end)
  end)
  case("for infinite scales", "scale of track 0 at frame 1 is not a finite number", function()
    return six(function(u, k, r) if u == 1 and k == 0 then r[10] = 1 / 0 end end)
  end)
  case("for rotations of length 0", "rotation of track 2 at frame 1 has length 0", function()
    return six(function(u, k, r) if u == 1 and k == 2 then r[4], r[5], r[6], r[7] = 0, 0, 0, 0 end end)
  end)
  case("for numbers that no float sums have room for", "objects[3]: translation of track 0 at frame 1 is 4.25353e+37, "
    .. "which no track can have (hkaSplineCompressedAnimation)", function()
    return six(function(u, k, r) if u == 1 and k == 0 then r[1] = 2.0 ^ 125 end end)
  end)

  it("in the middle of an edit, which is undone as a whole", function()
    local doc <close> = rest(TRACKS)
    local anim, before = doc.animations[1], doc:encode()
    local ok, err = pcall(doc.edit, doc, function()
      assert(anim:write(six()))
      anim.source.duration = 5
      assert(anim:write(six(), { quantization = 40, tolerance = { rotation = 1e-5 } }))
    end)
    assert.is_false(ok)
    assert.matches("quantization 40 comes to", tostring(err), 1, true)
    assert.is_true(before == doc:encode())
    assert.equal(1, doc.animations[1].frame_count)
  end)
end)
