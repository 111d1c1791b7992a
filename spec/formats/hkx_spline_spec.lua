-- Animations of built packfiles through the whole Lua API, against the plain evaluator (spline_reference), and
-- those without splines against what they were built of.

local lathe = require "lathe"
local reference = require "spline_reference"
local sample = require "sample_hkx"

local LAYOUTS = sample.game_layouts

local LIMIT = 2e-5

local function clip(opts)
  local bytes, parts = sample.clip(opts)
  local doc = assert(lathe.parse(bytes))
  return doc.animations[1], parts, doc, bytes
end

local function ten(track, when)
  local t, q, s = track:sample(when)
  assert(t, q)
  return { t[1], t[2], t[3], q[1], q[2], q[3], q[4], s[1], s[2], s[3] }
end

local function near(wanted, got, limit, label)
  local off = reference.distance(wanted, got)
  if off > (limit or LIMIT) then error(("%s is off by %g: %s"):format(label, off, table.concat(got, " ")), 0) end
end

local function near_float(wanted, got, label)
  if math.abs(wanted - got) > LIMIT * math.max(1, math.abs(wanted)) then
    error(("%s: %.9g instead of %.9g"):format(label, got, wanted), 0)
  end
end

local function unit(q)
  local n = math.sqrt(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
  return { q[1] / n, q[2] / n, q[3] / n, q[4] / n }
end

-- Every frame of every track, moments between frames, and those outside; all three ways to ask agree to the bit.
local function compare(anim, judge, frames, frame_duration)
  local tracks, floats, poses = #anim.tracks, #anim.float_tracks, assert(anim:decode())
  local all_floats = assert(anim:decode_floats())
  assert.same({ frames * tracks, 10 }, { poses.rows, poses.columns })
  assert.same({ frames * floats, 1 }, { all_floats.rows, all_floats.columns })
  for frame = 0, frames - 1 do
    local pose = assert(anim:sample(frame))
    for i, track in ipairs(anim.tracks) do
      local row = { poses:row(frame * tracks + i) }
      local label = ("track %d, frame %d"):format(i, frame)
      near(judge:at_frame(i, frame), row, nil, label)
      near(row, ten(track, frame), 1e-6, label)
      assert.same({ pose:row(i) }, ten(track, frame))
    end
    local values = assert(anim:sample_floats(frame))
    for i, track in ipairs(anim.float_tracks) do
      near_float(judge:float_at_frame(i, frame), all_floats[frame * floats + i], ("float %d, frame %d"):format(i, frame))
      near_float(all_floats[frame * floats + i], track:sample(frame), "float")
      assert.equal(values[i], track:sample(frame))
    end
  end
  for frame = 0, frames - 2 do
    for _, part in ipairs { 0.25, 0.5, 0.9 } do
      local time = (frame + part) * frame_duration
      for i, track in ipairs(anim.tracks) do
        near(judge:at_time(i, time), ten(track, { time = time }), nil, ("track %d, %.9g s"):format(i, time))
        near(judge:at_frame(i, frame + part), ten(track, frame + part), nil,
          ("track %d, frame %.9g"):format(i, frame + part))
      end
      for i, track in ipairs(anim.float_tracks) do
        near_float(judge:float_at_time(i, time), track:sample { time = time }, "float")
      end
    end
  end
  for i, track in ipairs(anim.tracks) do
    for _, time in ipairs { -1, -math.huge } do near(ten(track, 0), ten(track, { time = time }), 1e-5, "track " .. i) end
    for _, time in ipairs { anim.duration + 1, math.huge } do
      near(ten(track, { time = anim.duration }), ten(track, { time = time }), 1e-6, "track " .. i)
    end
  end
end

local function wave(phase)
  return function(frame) return 10 * math.sin(frame / 7 + phase) end
end

local function turn(frame)
  local half = frame / 40
  return { 0.6 * math.sin(half), 0, 0.8 * math.sin(half), math.cos(half) }
end

local function check_spline(opts)
  local anim, parts = clip(opts)
  local members = sample.with(parts.animation, {})
  members.duration = opts.duration or members.duration
  compare(anim, reference.new(members), members.num_frames, members.frame_duration)
  return anim
end

describe("splines in packfiles", function()
  it("are evaluated in every layout", function()
    for _, layout in ipairs(LAYOUTS) do
      local ok, err = pcall(check_spline, sample.with(layout, {
        frames = 25, max_frames_per_block = 11, fps = 30,
        tracks = { {}, { translation = { x = 1, y = wave(1) }, rotation = { turn } },
          { rotation = { 0.5, -0.5, 0.5, 0.5 }, scale = { z = wave(0), x = 2 } } },
        floats = { 0.25, wave(2), false },
      }))
      if not ok then error(("%s%s%s: %s"):format(layout.game, layout.pointer_size or "", layout.endian or "", err), 0) end
    end
  end)

  for _, code in ipairs { 0, 1, 2, 5 } do
    it("are of each degree and scalar quantisation, rotations of code " .. code, function()
      for degree = 0, 3 do
        for _, bits in ipairs { 8, 16 } do
          for _, endian in ipairs { "<", ">" } do
            check_spline {
              game = "skyrim-se", frames = 22, max_frames_per_block = 8, endian = endian,
              tracks = {
                { translation = { x = 1.5, z = wave(0), degree = degree, bits = bits },
                  rotation = { turn, degree = degree, code = code },
                  scale = { x = 2, y = wave(1), degree = degree, bits = bits, points = degree + 2 } },
                { rotation = { 0.5, 0.5, -0.5, 0.5, code = code } },
              },
              floats = { { wave(2), bits = bits, degree = degree, points = degree + 1 } },
            }
          end
        end
      end
    end)
  end

  it("have each mask of a vector", function()
    local kinds = { false, 1.25, wave(0.5) }
    local tracks = {}
    for _, x in ipairs(kinds) do
      for _, y in ipairs(kinds) do
        for _, z in ipairs(kinds) do
          tracks[#tracks + 1] = { translation = { x = x or nil, y = y or nil, z = z or nil } }
          tracks[#tracks + 1] = { scale = { x = x or nil, y = y or nil, z = z or nil } }
        end
      end
    end
    assert.equal(54, #tracks)
    check_spline { frames = 6, tracks = tracks }
  end)

  it("have each mask of a rotation", function()
    local tracks = {}
    for mask = 0, 255 do
      if mask == 0 then tracks[#tracks + 1] = {}
      elseif mask < 16 then tracks[#tracks + 1] = { rotation = { 0.5, 0.5, 0.5, -0.5, mask = mask } }
      else tracks[#tracks + 1] = { rotation = { turn, mask = mask } } end
    end
    check_spline { frames = 4, tracks = tracks }
  end)

  it("have one, two, three blocks, the last one whole or partial", function()
    for _, frames in ipairs { 1, 2, 7, 8, 9, 14, 15, 16, 21, 22 } do
      local anim = check_spline { frames = frames, max_frames_per_block = 8, duration = (frames - 1) / 30,
        tracks = { { translation = { y = wave(0) }, rotation = { turn, code = 5 } } }, floats = { wave(1) } }
      assert.equal(frames, anim.frame_count)
    end
  end)

  it("are sampled at a seam from either side", function()
    local anim = clip { frames = 16, max_frames_per_block = 8, tracks = { { translation = {
      x = { blocks = { { 0, 7 }, { 7, 0 }, 3 } }, degree = 1 } } } }
    local got = {}
    for frame = 0, 15 do got[frame + 1] = ten(anim.tracks[1], frame)[1] end
    for i, v in ipairs { 0, 1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1 } do assert.is_near(v, got[i], 1e-4) end
    assert.same({ 3, 3 }, { got[15], got[16] })
  end)

  it("give the nearest moment outside of the clip, and refuse frames there", function()
    local anim = clip { frames = 5, tracks = 2 }
    local track = anim.tracks[1]
    for _, frame in ipairs { -1, 5, 4.5, math.huge } do
      for _, got in ipairs { { pcall(track.sample, track, frame) }, { pcall(anim.sample, anim, frame) } } do
        assert.is_false(got[1])
        assert.matches("is not in 0 .. 4", tostring(got[2]), 1, true)
      end
    end
  end)
end)

-- ---- without splines ------------------------------------------------------------------------------

local TRACKS = {
  { translation = { x = 2, y = wave(0) }, rotation = { turn } },
  {}, { rotation = { 0, 1, 0, 0 }, scale = { z = wave(1) } },
}

-- The plain evaluator of what is stored frame by frame: linear in between, quaternions the short way.
local function plain(tracks, floats, frames, duration)
  local judge = {}
  local function pose(i, frame)
    local row = sample.pose(tracks[i], frame)
    local q = unit { row[4], row[5], row[6], row[7] }
    for k = 1, 4 do row[3 + k] = q[k] end
    return row
  end
  function judge.at_frame(_, i, frame)
    local low = math.floor(frame)
    local t, a = frame - low, pose(i, low)
    if t == 0 then return a end
    local b = pose(i, low + 1)
    local dot = a[4] * b[4] + a[5] * b[5] + a[6] * b[6] + a[7] * b[7]
    local out = {}
    for k = 1, 10 do
      local to = k >= 4 and k <= 7 and dot < 0 and -b[k] or b[k]
      out[k] = a[k] + (to - a[k]) * t
    end
    local q = unit { out[4], out[5], out[6], out[7] }
    for k = 1, 4 do out[3 + k] = q[k] end
    return out
  end
  function judge.at_time(_, i, time) return judge.at_frame(judge, i, time / duration * (frames - 1)) end
  local function value(i, frame)
    local f = floats[i]
    if type(f) == "function" then return f(frame) end
    return f or 0
  end
  function judge.float_at_frame(_, i, frame)
    local low = math.floor(frame)
    local a = value(i, low)
    return frame == low and a or a + (value(i, low + 1) - a) * (frame - low)
  end
  function judge.float_at_time(_, i, time) return judge.float_at_frame(judge, i, time / duration * (frames - 1)) end
  return judge
end

describe("animations without splines", function()
  for _, kind in ipairs { "interleaved", "lossless" } do
    it("are sampled: " .. kind, function()
      for _, layout in ipairs(LAYOUTS) do
        if kind == "interleaved" or sample.layout(layout).version == "hk_2014.1" then
          local floats = { 3, wave(2) }
          local anim = clip(sample.with(layout, { kind = kind, tracks = TRACKS, frames = 7, fps = 30, floats = floats }))
          assert.same({ 7, 3, 2 }, { anim.frame_count, #anim.tracks, #anim.float_tracks })
          local duration = string.unpack("<f", string.pack("<f", 6 / 30))
          compare(anim, plain(TRACKS, floats, 7, duration), 7, duration / 6)
        end
      end
    end)
  end
end)

-- ---- what cannot be read --------------------------------------------------------------------------

-- All ways to ask give nil and the same error, which names the place; the facts are there all the same.
local function refused(anim, message, offset)
  local texts = {}
  for _, ask in ipairs {
    function() return anim:decode() end, function() return anim:sample(0) end,
    function() return anim:decode_floats() end, function() return anim:sample_floats { time = 0 } end,
    function() return anim.tracks[1]:sample(0) end,
  } do
    local got, err = ask()
    assert.is_nil(got)
    assert(err and err.message, "no error")
    texts[#texts + 1] = err.message
    assert.equal(message, err.message)
    if offset then assert.equal(offset, err.offset) end
  end
  return texts[1]
end

local CLASS = " (hkaSplineCompressedAnimation)"

describe("splines that nobody can read", function()
  it("are refused by the quantisation of a rotation", function()
    local words = { [3] = "3 (THREECOMP24) has no known layout", [4] = "4 (STRAIGHT16) has no known layout" }
    for code = 0, 15 do
      local anim, parts = clip { frames = 3, tracks = { {}, { rotation = { turn, code = code } } } }
      if code < 3 or code == 5 then
        assert(anim:decode())
      else
        local at = parts.info.data_start + parts.info.offset[parts.animation]
        refused(anim, ("block 0, track 1: rotation quantisation %s%s"):format(
          words[code] or code .. " does not exist", CLASS))
        local _, err = anim:decode()
        assert(err.offset > at and err.offset < at + parts.info.size[parts.animation], err.offset)
        assert.matches("objects%[%d+%].*%.data$", err.where)
        assert.same({ 3, 2 }, { anim.frame_count, #anim.tracks })
      end
    end
  end)

  it("are refused by the quantisation of a vector, the degree, the knots", function()
    local anim = clip { frames = 3, tracks = { { translation = { x = wave(0), code = 2 } } } }
    refused(anim, "block 0, track 0: translation quantisation 2 has no known layout" .. CLASS)
    anim = clip { frames = 3, tracks = { { scale = { x = wave(0), code = 3 } } } }
    refused(anim, "block 0, track 0: scale quantisation 3 has no known layout" .. CLASS)
    anim = clip { frames = 9, tracks = { { translation = { x = wave(0), degree = 4, points = 6 } } } }
    refused(anim, "block 0, track 0: translation is a spline of degree 4; the highest known is 3" .. CLASS)
    anim = clip { frames = 9, tracks = { { translation = { x = { 1, 2, 3 }, knots = { 0, 0, 5, 4, 8 }, degree = 1 } } } }
    refused(anim, "block 0, track 0: translation has knots that do not ascend" .. CLASS)
  end)

  it("are refused by members that lie, which are named", function()
    local cases = {
      { "num_frames", -1, "-1 frames" }, { "num_frames", 0, "0 frames" },
      { "num_frames", 0x7FFFFFFF, "2147483647 frames, but there is room for at most 256" },
      { "num_blocks", 0, "0 blocks" }, { "num_blocks", 2, "2 blocks, but there is room for at most 1" },
      { "number_of_transform_tracks", -3, "-3 transform tracks" },
      { "number_of_float_tracks", -1, "-1 float tracks" },
      { "max_frames_per_block", 0, "0 frames per block" },
    }
    for _, case in ipairs(cases) do
      local _, parts, _, bytes = clip { game = "skyrim-le", frames = 4, tracks = 3 }
      local at = parts.info:place(parts.animation, case[1])
      local doc = assert(lathe.parse(sample.patch(bytes, at, string.pack("<i4", case[2]))))
      local anim = doc.animations[1]
      for _, ask in ipairs { "decode", "decode_floats" } do
        local got, err = anim[ask](anim)
        assert.is_nil(got)
        assert.equal(case[3] .. CLASS, err.message)
        assert.equal(at, err.offset)
        assert.matches("%." .. case[1] .. "$", err.where)
      end
      assert(anim.frame_count <= 4 and #anim.tracks <= 3)
      assert.is_nil((doc:check()))
    end
  end)

  it("are opened whatever the data are", function()
    local _, parts, _, bytes = clip { game = "skyrim-se", frames = 12, max_frames_per_block = 8, tracks = 4,
      floats = { wave(0) } }
    local object = parts.animation
    local first = parts.info.data_start + parts.info.offset[object]
    for at = first, first + parts.info.size[object] - 1, 3 do
      for _, byte in ipairs { 0x00, 0x7F, 0xFF } do
        local doc = lathe.parse(sample.patch(bytes, at, string.char(byte)))
        local anim = doc and doc.animations[1]
        if anim then
          local poses, err = anim:decode()
          assert(poses or err.code)
          for i = 1, poses and #poses or 0 do
            local v = poses[i]
            assert(v == v and v > -math.huge and v < math.huge, at)
          end
        end
        if doc then doc:check() end
      end
    end
  end)
end)

describe("rotations without a direction", function()
  local NAN = 0 / 0

  it("count as none in splines, and check() tells of them", function()
    for _, q in ipairs { { 0, 0, 0, 0 }, { NAN, 0, 0, 1 }, { math.huge, 0, 0, 0 } } do
      for _, rotation in ipairs {
        { q[1], q[2], q[3], q[4], code = 5 }, { points = { q, q, q }, code = 5, degree = 1 },
      } do
        local anim, _, doc = clip { frames = 3, tracks = { {}, { rotation = rotation } } }
        for frame = 0, 2 do assert.same({ 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }, ten(anim.tracks[2], frame)) end
        local ok, list = doc:check()
        assert.is_nil(ok)
        assert.equal(#(rotation.points or { 1 }), #list)
        assert.equal("block 0, track 1: rotation 0 has no direction" .. CLASS, list[1].message)
        assert.equal("error", list[1].level)
        local at = anim.source.data
        assert(list[1].offset > (lathe.span(anim.source)) and at)
      end
    end
  end)

  it("count as none where every frame is stored", function()
    for _, kind in ipairs { "interleaved", "lossless" } do
      for _, q in ipairs { { 0, 0, 0, 0 }, { NAN, 0, 0, 1 } } do
        local anim, _, doc = clip { game = "fallout4", kind = kind, frames = 2, tracks = { { rotation = { function(frame)
          return frame == 1 and q or { 0, 1, 0, 0 }
        end } } } }
        assert.same({ 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }, ten(anim.tracks[1], 1))
        assert.same({ 0, 0, 0, 0, 1, 0, 0, 1, 1, 1 }, ten(anim.tracks[1], 0))
        local ok, list = doc:check()
        assert.is_nil(ok)
        local found = {}
        for _, e in ipairs(list) do
          if e.level == "error" then found[#found + 1] = e.message end
        end
        assert.same({ q[1] == 0 and "a rotation of length 0" or "a rotation of what are no finite numbers" }, found)
      end
    end
  end)
end)
