-- What must hold for verbs and samples of any .anm, on made-up ones: there and back, ends, refusals.

local lathe = require "lathe"

local near = require("wolfire_figures").near

-- Five bones: a spine, arms and hands, of which 2, 4 are left (+x) and 3, 5 right. Along each bone runs z.
local HALF = math.sqrt(0.5)
local BODY = {
  bones = {
    { name = "spine", parent = -1, mirror = 0, pose = { t = { 0, 1, 0 } } },
    { name = "leftarm", parent = 0, mirror = 2, pose = { t = { 0.5, 0.4, 0 }, q = { 0, HALF, 0, HALF } } },
    { name = "rightarm", parent = 0, mirror = 1, pose = { t = { -0.5, 0.4, 0 }, q = { 0, -HALF, 0, HALF } } },
    { name = "lefthand", parent = 1, mirror = 4, pose = { t = { 0, 0, 0.4 } } },
    { name = "righthand", parent = 2, mirror = 3, pose = { t = { 0, 0, 0.4 } } },
  },
}

-- The same numbers on every machine, in -1 .. 1.
local function numbers(seed)
  local state = seed
  return function()
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return state / 0x40000000 - 1
  end
end

local function matrix(t, q)
  local l = math.sqrt(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
  local x, y, z, w = q[1] / l, q[2] / l, q[3] / l, q[4] / l
  return {
    1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
    2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
    2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0,
    t[1], t[2], t[3], 1,
  }
end

local function some_matrix(next, bend)
  return matrix({ next(), 1 + next(), next() }, { bend * next(), bend * next(), bend * next(), 1 })
end

-- Columns stand for x, -z, y.
local function mobility(x, z, heading)
  local c, s = math.cos(heading), math.sin(heading)
  return { c, 0, -s, 0, -s, 0, -c, 0, 0, 1, 0, 0, -x, 0, -z, 1 }
end

local function some_frame(next, time, opts)
  local v = opts.version
  local frame = { time = time, bone_matrices = {} }
  for i = 1, opts.bones or 5 do frame.bone_matrices[i] = some_matrix(next, opts.bend or 0.3) end
  if v >= 2 then frame.events = { { bone = 3, name = ("leftstep%d"):format(time) } } end
  if v >= 3 then frame.ik_bones = { { path = { 1, 3 }, label = "leftarm" } } end
  if v >= 4 then frame.weights = { 0.5 + next() / 2, 0.25, 0.5, 0.75, 1 } end
  if v >= 5 then frame.shape_keys = { { weight = next(), label = "wink_l" } } end
  if v >= 6 then frame.status_keys = { { weight = next(), label = "leftfist" } } end
  if v >= 7 then frame.weapon_matrices = { { matrix = some_matrix(next, 0.3) } } end
  if v >= 8 then frame.weapon_matrices[1].relative_id = 3 end
  if v >= 9 and opts.mobile then
    frame.use_mobility = true
    frame.mobility_matrix = mobility(time / 100, time / 50, time / 80)
  end
  return frame
end

-- opts: version, looping, times, start, length (how long), mobile, bend (how far poses differ), bones
local function make(opts)
  opts = opts or {}
  opts.version = opts.version or 11
  local next, start = numbers(opts.seed or 7), opts.start or 0
  local fields = { version = opts.version, frames = {} }
  for i, time in ipairs(opts.times or { 0, 100, 250, 400 }) do
    fields.frames[i] = some_frame(next, start + time, opts)
  end
  if opts.version >= 1 then fields.looping = opts.looping or false end
  local stores_start = opts.version >= 1 and opts.version <= 10
  if stores_start then fields.start = start end
  fields.length = (stores_start and start or 0) + (opts.length or 400)
  return assert(lathe.new("anm", fields, { history = 20 }))
end

local function times(doc)
  local list = {}
  for i, frame in ipairs(doc.frames) do list[i] = frame.time end
  return list
end

local function events(doc)
  local list = {}
  for i, frame in ipairs(doc.frames) do
    local names = {}
    for k, event in ipairs(frame.events) do names[k] = event.name end
    list[i] = table.concat(names, " ")
  end
  return list
end

local function near_docs(wanted, got)
  assert.equal(#wanted.frames, #got.frames)
  for i, frame in ipairs(wanted.frames) do
    local other, label = got.frames[i], ("frames[%d]"):format(i)
    assert.equal(frame.time, other.time)
    for b, m in ipairs(frame.bone_matrices) do
      near({ table.unpack(m, 1, 16) }, other.bone_matrices[b], label .. ": bone " .. b)
    end
    for w, weapon in ipairs(frame.weapon_matrices or {}) do
      near({ table.unpack(weapon.matrix, 1, 16) }, other.weapon_matrices[w].matrix, label .. ": weapon")
    end
  end
end

-- A verb that must fail with this, and leave everything as it is.
local function refuses(says, doc, verb, ...)
  local before = doc:encode()
  local value, err = doc[verb](doc, ...)
  assert.is_nil(value)
  assert.equal(says, tostring(err))
  assert.equal(before, doc:encode())
end

local function bones_of(list)
  local copy = {}
  for i, bone in ipairs(BODY.bones) do copy[i] = bone end
  for i, bone in pairs(list) do copy[i] = bone end
  return { bones = copy }
end

describe("an animation of Overgrowth", function()
  describe("as an animation", function()
    it("says what it is", function()
      local doc <close> = make { version = 10, start = 1000, looping = true, length = 500 }
      local anim = doc.animations[1]
      assert.same({ 1, 0.5, 4, true, true }, { #doc.animations, anim.duration, anim.frame_count, anim.looping,
        anim.absolute })
      assert.same({ 5, 0, 4 }, { #anim.tracks, anim.tracks[1].bone_index, anim.tracks[5].bone_index })
      assert.is_nil(anim.tracks[1].bone)
      assert.is_nil(anim.root_motion)
      local list = lathe.totable(anim.annotations)
      for i, annotation in ipairs(list) do
        assert.equal(doc.frames[i].events[1], annotation.source)
        annotation.source = nil
      end
      assert.same({ { time = 0, text = "leftstep1000", track = 3 }, { time = 0.1, text = "leftstep1100", track = 3 },
        { time = 0.25, text = "leftstep1250", track = 3 }, { time = 0.4, text = "leftstep1400", track = 3 } },
        list)
    end)

    it("lists events by time, whatever the order of the frames", function()
      local doc <close> = make { times = { 100, 0, 300, 200, 200 } }
      doc.frames[5].events[1].name = "second"
      local names = {}
      for i, a in ipairs(doc.animations[1].annotations) do names[i] = a.text end
      assert.same({ "leftstep0", "leftstep100", "leftstep200", "second", "leftstep300" }, names)
    end)

    it("gives key frames as they are, and moments between them", function()
      local doc <close> = make()
      local anim = doc.animations[1]
      for i, frame in ipairs(doc.frames) do
        local rows = anim:sample(i - 1)
        local by_time = anim:sample { time = frame.time / 1000 }
        assert.equal(rows:pack(), by_time:pack())
        for b, m in ipairs(frame.bone_matrices) do
          local r = { rows:row(b) }
          near({ m.translation.x, m.translation.y, m.translation.z }, { r[1], r[2], r[3] }, "place")
          near({ m.rotation.x, m.rotation.y, m.rotation.z, m.rotation.w }, { r[4], r[5], r[6], r[7] }, "turn")
        end
      end
      assert.equal(anim:sample(1.5):pack(), anim:sample({ time = 0.175 }):pack())
      assert.equal(anim:decode().rows, 20)
    end)

    it("gives the same poses through the bones' parents", function()
      local doc <close> = make()
      local anim = doc.animations[1]
      local all = anim:sample(2, nil, { skeleton = BODY })
      local hand = anim.tracks[4]
      local t, q = hand:sample(2, { skeleton = BODY })
      local row = { all:row(4) }
      near({ row[1], row[2], row[3] }, t, "hand")
      near({ row[4], row[5], row[6], row[7] }, q, "hand")
      local arm = { anim:sample(2):row(2) }
      local m = matrix({ arm[1], arm[2], arm[3] }, { arm[4], arm[5], arm[6], arm[7] })
      local there = {}
      for r = 1, 3 do there[r] = m[r] * t[1] + m[4 + r] * t[2] + m[8 + r] * t[3] + m[12 + r] end
      near(there, { anim:sample(2):row(4) }, "hand")
    end)

    it("refuses a skeleton of another body, and frames with too few bones", function()
      local doc <close> = make()
      local anim = doc.animations[1]
      local _, err = anim:sample(0, nil, { skeleton = { -1, 0 } })
      assert.equal("the skeleton has 2 bones, the animation 5", tostring(err))
      doc.frames[3].bone_matrices:resize(2)
      _, err = anim:sample(2)
      assert.matches("^frames%[3%]%.bone_matrices at 0x%x+: 2, but 5 are needed$", tostring(err))
      assert(anim:sample(0))
    end)

    it("has a path where it is centred or mobile", function()
      local doc <close> = make { mobile = true }
      local path = doc.animations[1].root_motion
      near({ 1, 0, 2, 1.25 }, { path:row(2) }, "uncentred")
      near({ 4, 0, 8, 5 }, { path:row(4) }, "uncentred, more than half a turn")
      local before = path:totable()
      assert(doc:centre())
      near(before, doc.animations[1].root_motion, "centred")
    end)
  end)

  describe("centred", function()
    it("comes back", function()
      for _, opts in ipairs { {}, { mobile = true }, { version = 10, start = 500 }, { mobile = true, looping = true } } do
        local doc <close> = make(opts)
        local first <close> = make(opts)
        local report = assert(doc:centre())
        assert.same({ 4, {} }, { report.changed, report.skipped })
        assert.same({ true, 0.0 }, { doc.centered, doc.frames[1].rotation })
        report = assert(doc:uncentre())
        assert.same({ 4, {} }, { report.changed, report.skipped })
        assert.is_nil(doc.frames[1].center_offset)
        near_docs(first, doc)
        assert.equal(first.size, doc.size)
        doc:undo()
        doc:undo()
        assert.equal(first:encode(), doc:encode())
      end
    end)

    it("keeps the mobility matrix, and axes that do not turn, bit for bit", function()
      local doc <close> = make { mobile = true }
      local first <close> = make { mobile = true }
      assert(doc:centre())
      for i, frame in ipairs(first.frames) do
        assert.equal(lathe.bytes(frame.mobility_matrix), lathe.bytes(doc.frames[i].mobility_matrix))
      end
      local still <close> = make()
      local was <close> = make()
      assert(still:centre())
      for i, frame in ipairs(was.frames) do
        for b, m in ipairs(frame.bone_matrices) do
          assert.same({ table.unpack(m, 1, 12) }, { table.unpack(still.frames[i].bone_matrices[b], 1, 12) })
        end
      end
    end)

    it("is done once", function()
      local doc <close> = make()
      assert(doc:centre())
      local before = doc:encode()
      assert.equal(0, assert(doc:centre()).changed)
      assert.equal(before, doc:encode())
      assert(doc:uncentre())
      assert.equal(0, assert(doc:uncentre()).changed)
    end)

    it("takes old versions to 10, and says so", function()
      local doc <close> = make { version = 3, start = 40 }
      local report = assert(doc:centre())
      assert.same({ 10, true, 40 }, { doc.version, doc.centered, doc.start })
      assert.same({ path = "version", reason = "10 instead of 3, which cannot be centered" }, report.skipped[1])
      assert.is_true(doc:check())
    end)

    it("says what the game will not find again", function()
      local doc <close> = make()
      assert(doc:centre())
      doc.frames[2].rotation = 0.5
      assert.same({ { path = "frames[2].rotation", reason = "now part of the pose: without a mobility matrix the "
        .. "game takes the heading to be 0" } }, assert(doc:uncentre()).skipped)
    end)

    it("is refused where nothing says where a frame is, which is named", function()
      local doc <close> = make()
      doc.frames[3].bone_matrices:resize(0)
      refuses("frames[3].bone_matrices at 0x466: neither bones nor a mobility matrix: nothing says where it is",
        doc, "centre")
    end)
  end)

  describe("reversed", function()
    it("ends with its beginning", function()
      local doc <close> = make { version = 10, start = 1000, length = 500 }
      local first <close> = make { version = 10, start = 1000, length = 500 }
      assert.equal(4, assert(doc:reverse()).changed)
      assert.same({ 1100, 1250, 1400, 1500 }, times(doc))
      assert.same({ "leftstep1400", "leftstep1250", "leftstep1100", "leftstep1000" }, events(doc))
      assert.equal(first.frames[1].bone_matrices:pack(), doc.frames[4].bone_matrices:pack())
      assert.same({ 1000, 1500 }, { doc.start, doc.length })
    end)

    it("keeps the seam of a loop in its place", function()
      local doc <close> = make { looping = true, length = 500 }
      assert(doc:reverse())
      assert.same({ 0, 100, 250, 400 }, times(doc))
      assert.same({ "leftstep0", "leftstep400", "leftstep250", "leftstep100" }, events(doc))
      local both <close> = make { looping = true }
      assert(both:reverse())
      assert.same({ 0, 150, 300, 400 }, times(both))
      assert.same({ "leftstep400", "leftstep250", "leftstep100", "leftstep0" }, events(both))
    end)

    it("twice is as it was, to the bit", function()
      local all = { {}, { looping = true }, { looping = true, length = 500 }, { times = { 50, 60 } },
        { times = { 0, 0, 30, 20, 400 } }, { times = { 100, 0, 400 }, looping = true }, { times = { -50, 0, 600 },
        looping = true }, { times = { 100, 400 }, looping = true }, { times = { 0 }, length = 0 } }
      for version = 0, 11 do
        for k, opts in ipairs(all) do
          opts.version, opts.start = version, version >= 1 and version <= 10 and 70 or 0
          local doc <close> = make(opts)
          local before = doc:encode()
          assert(doc:reverse())
          assert(doc:reverse())
          assert.equal(before, doc:encode(), ("version %d, case %d"):format(version, k))
        end
      end
    end)

    it("walks its path backwards", function()
      local doc <close> = make { mobile = true }
      assert(doc:centre())
      local path = doc.animations[1].root_motion
      assert(doc:reverse())
      local back = doc.animations[1].root_motion
      for i = 1, 4 do near({ path:row(5 - i) }, { back:row(i) }, "row " .. i) end
      assert(doc:reverse())
      near(path:totable(), doc.animations[1].root_motion, "there and back")
    end)
  end)

  describe("trimmed", function()
    it("to all that it is stays as it is", function()
      for _, opts in ipairs { { version = 10, start = 30 }, { looping = true, length = 500 }, { times = { -10, 50 } } } do
        local doc <close> = make(opts)
        local before, length = doc:encode(), doc.animations[1].duration
        assert.equal(0, assert(doc:trim(0, length)).changed)
        assert.equal(0, assert(doc:trim()).changed)
        assert.equal(before, doc:encode())
      end
    end)

    it("at key frames keeps those to the bit", function()
      for _, version in ipairs { 0, 3, 7, 10, 11 } do
        local start = version >= 1 and version <= 10 and 1000 or 0
        local doc <close> = make { version = version, start = start }
        local first <close> = make { version = version, start = start }
        local report = assert(doc:trim(0.1, 0.25))
        assert.same({ 2, {} }, { report.changed, report.skipped })
        assert.equal(2, #doc.frames)
        assert.is_near(0.15, doc.animations[1].duration, 1e-9)
        if start > 0 then
          assert.same({ { 1100, 1250 }, 1100, 1250 }, { times(doc), doc.start, doc.length })
          assert.same(first.frames[2]:totable(), doc.frames[1]:totable())
          assert.equal(lathe.bytes(first.frames[3]), lathe.bytes(doc.frames[2]))
        else
          assert.same({ { 0, 150 }, 150 }, { times(doc), doc.length })
          assert.equal(lathe.bytes(first.frames[3]):sub(5), lathe.bytes(doc.frames[2]):sub(5))
        end
      end
    end)

    it("between them has what the game shows there", function()
      for _, mobile in ipairs { false, true } do
        local doc <close> = make { mobile = mobile }
        local first <close> = make { mobile = mobile }
        local anim = first.animations[1]
        local report = assert(doc:trim(0.04, 0.3, { skeleton = BODY }))
        assert.same({ 4, {} }, { report.changed, report.skipped })
        assert.same({ 0, 60, 210, 260 }, times(doc))
        assert.same({ "", "leftstep100", "leftstep250", "" }, events(doc))
        for _, case in ipairs { { 0.04, 1 }, { 0.3, 4 } } do
          local wanted = anim:sample({ time = case[1] }, nil, { skeleton = BODY })
          local got = doc.animations[1]:sample(case[2] - 1, nil, { skeleton = BODY })
          for b = 1, 5 do
            local w, g = { wanted:row(b) }, { got:row(b) }
            local l = math.sqrt(w[4] ^ 2 + w[5] ^ 2 + w[6] ^ 2 + w[7] ^ 2)
            near({ w[1], w[2], w[3] }, { g[1], g[2], g[3] }, "place")
            local sign = w[4] * g[4] + w[5] * g[5] + w[6] * g[6] + w[7] * g[7] < 0 and -1 or 1
            near({ w[4] / l, w[5] / l, w[6] / l, w[7] / l }, { sign * g[4], sign * g[5], sign * g[6], sign * g[7] },
              "turn")
          end
        end
        assert.same({ 1, 3 }, { doc.frames[4].ik_bones[1].path[1], doc.frames[4].weapon_matrices[1].relative_id })
        assert.is_true(doc:check())
      end
    end)

    it("keeps where the kept frames of a centred file are", function()
      local doc <close> = make { mobile = true }
      assert(doc:centre())
      local kept = doc.frames[2]
      local before = lathe.bytes(kept):sub(5)
      assert(doc:trim(0.05, 0.3, { skeleton = BODY }))
      assert.equal(before, lathe.bytes(doc.frames[2]):sub(5))
      assert.equal("frames[2]", lathe.path(kept))
      assert.is_near(kept.rotation / 2, doc.frames[1].rotation, 1e-6)
      doc:undo()
      assert.same({ 0, 100, 250, 400 }, times(doc))
    end)

    it("is refused outside of the clip", function()
      local doc <close> = make()
      refuses("0.1 .. 0.5 s is not a part of 0 .. 0.4 s", doc, "trim", 0.1, 0.5)
      refuses("-0.1 .. 0.4 s is not a part of 0 .. 0.4 s", doc, "trim", -0.1)
      refuses("0.3 .. 0.2 s is not a part of 0 .. 0.4 s", doc, "trim", 0.3, 0.2)
      assert.has_error(function() doc:trim "x" end, "'t0' of trim: a number expected, got a string")
      assert.has_error(function() doc:trim { from = 0.1 } end, "no option 'from' of trim, which takes t0, t1, skeleton")
    end)

    it("says that limbs may shorten where no skeleton is given", function()
      local doc <close> = make()
      assert.same("frames", assert(doc:trim(0.05, 0.4)).skipped[1].path)
    end)
  end)

  describe("resampled", function()
    it("at the times that it has keeps its frames to the bit", function()
      local doc <close> = make { version = 10, start = 20, times = { 0, 100, 200, 300, 400 } }
      local before = doc:encode()
      local report = assert(doc:resample(10))
      assert.same({ 5, {} }, { report.changed, report.skipped })
      assert.equal(before, doc:encode())
    end)

    it("has even frames, and events at the frame in front of them", function()
      local doc <close> = make { version = 9, start = 1000 }
      assert(doc:resample(8, { skeleton = BODY }))
      assert.same({ 1000, 1125, 1250, 1375, 1400 }, times(doc))
      assert.same({ "leftstep1000 leftstep1100", "", "leftstep1250", "", "leftstep1400" }, events(doc))
      assert(doc:resample(5, { skeleton = BODY }))
      assert.same({ 1000, 1200, 1400 }, times(doc))
      assert.same({ "leftstep1000 leftstep1100", "leftstep1250", "leftstep1400" }, events(doc))
      assert.equal(0.4, doc.animations[1].duration)
      assert.is_true(doc:check())
    end)

    it("leaves the end of a loop to its beginning", function()
      local doc <close> = make { looping = true, length = 500 }
      assert(doc:resample(10, { skeleton = BODY }))
      assert.same({ 0, 100, 200, 300, 400 }, times(doc))
      local closed <close> = make { looping = true }
      assert(closed:resample(10, { skeleton = BODY }))
      assert.same({ 0, 100, 200, 300, 400 }, times(closed))
    end)

    it("works in every version", function()
      for version = 0, 11 do
        local doc <close> = make { version = version }
        assert.equal("frames", assert(doc:resample(20)).skipped[1].path)
        assert.equal(9, #doc.frames)
        assert.is_true(doc:check())
        local again <close> = assert(lathe.parse(doc:encode(), { format = "anm" }))
        assert.equal(9, #again.frames)
      end
    end)

    it("needs a number of frames that there can be", function()
      local doc <close> = make()
      local says = "resample needs a number of frames per second, up to 1000: times are whole ms"
      assert.has_error(function() doc:resample() end, "resample needs 'fps': a number")
      assert.has_error(function() doc:resample { fps = 30, skelton = 1 } end,
        "no option 'skelton' of resample; did you mean 'skeleton'?")
      refuses(says, doc, "resample", 0)
      refuses(says, doc, "resample", 0 / 0)
      refuses(says, doc, "resample", 1001)
      refuses("the skeleton has 1 bones, the animation 5", doc, "resample", 30, { skeleton = { -1 } })
      doc.length = 0x7fffffff
      refuses("more than 100000 key frames", doc, "resample", 1000)
    end)
  end)

  describe("mirrored", function()
    it("twice is as it was", function()
      for _, opts in ipairs { {}, { version = 10 }, { version = 0 }, { version = 7 }, { mobile = true } } do
        local doc <close> = make(opts)
        local first <close> = make(opts)
        if opts.mobile then
          assert(doc:centre())
          assert(first:centre())
        end
        assert.equal(4, assert(doc:mirror { skeleton = BODY }).changed)
        assert.are_not.equal(first:encode(), doc:encode())
        assert(doc:mirror { skeleton = BODY })
        near_docs(first, doc)
        assert.equal(first.size, doc.size)
        for i, frame in ipairs(first.frames) do
          assert.same(frame.events and frame.events:totable(), doc.frames[i].events and doc.frames[i].events:totable())
        end
      end
    end)

    it("has each bone where the mirror shows the other one", function()
      local doc <close> = make()
      local first <close> = make()
      assert(doc:mirror { skeleton = BODY })
      for i, frame in ipairs(first.frames) do
        for b, bone in ipairs(BODY.bones) do
          local m, o = frame.bone_matrices[b], doc.frames[i].bone_matrices[bone.mirror + 1]
          near({ -m.translation.x, m.translation.y, m.translation.z }, o.translation, "place")
          near({ -m.col2.x, m.col2.y, m.col2.z }, o.col2, "along the bone")
          near({ 1, 1, 1 }, o.scale, "no mirror in it")
        end
        assert.same({ frame.weights[2], frame.weights[5] }, { doc.frames[i].weights[3], doc.frames[i].weights[4] })
      end
    end)

    it("leaves a body at rest alone", function()
      local doc <close> = make { times = { 0 } }
      local rest = { matrix({ 0, 1, 0 }, { 0, 0, 0, 1 }), matrix({ 0.5, 1.4, 0 }, { 0, HALF, 0, HALF }),
        matrix({ -0.5, 1.4, 0 }, { 0, -HALF, 0, HALF }), matrix({ 0.9, 1.4, 0 }, { 0, HALF, 0, HALF }),
        matrix({ -0.9, 1.4, 0 }, { 0, -HALF, 0, HALF }) }
      doc.frames[1].bone_matrices:assign(rest)
      assert(doc:mirror { skeleton = BODY })
      for b, m in ipairs(rest) do near(m, doc.frames[1].bone_matrices[b], "bone " .. b) end
    end)

    it("takes names, numbers, weapons, heading and mobility along", function()
      local doc <close> = make { mobile = true }
      local first <close> = make { mobile = true }
      doc.frames[1].events[1].name = "left right leftright"
      doc.frames[1].shape_keys:append { label = "_" }
      assert(doc:centre())
      assert(first:centre())
      assert(doc:mirror { skeleton = BODY })
      local f, o = doc.frames[1], first.frames[1]
      assert.same({ 4, "right left rightleft" }, { f.events[1].bone, f.events[1].name })
      assert.same({ 2, 4, "rightarm" }, { f.ik_bones[1].path[1], f.ik_bones[1].path[2], f.ik_bones[1].label })
      assert.same({ "wink_r", "_", "rightfist" },
        { f.shape_keys[1].label, f.shape_keys[2].label, f.status_keys[1].label })
      assert.equal(4, f.weapon_matrices[1].relative_id)
      local w, v = f.weapon_matrices[1].matrix, o.weapon_matrices[1].matrix
      near({ -v.translation.x, v.translation.y, v.translation.z }, w.translation, "weapon")
      near({ -v.col2.x, v.col2.y, v.col2.z }, w.col2, "weapon's third axis")
      near({ -v.col0.x, v.col0.y, v.col0.z }, w.col0, "weapon's first axis")
      near({ 1, 1, 1 }, w.scale, "weapon")
      local g, p = doc.frames[2], first.frames[2]
      assert.same({ -p.rotation, -p.center_offset.x, p.center_offset.y, p.center_offset.z },
        { g.rotation, g.center_offset.x, g.center_offset.y, g.center_offset.z })
      near({ -1, 0, -2 }, first.frames[2].mobility_matrix.translation, "mobility")
      near({ 1, 0, -2 }, g.mobility_matrix.translation, "mobility")
      assert.is_true(doc:check())
    end)

    it("agrees with centring", function()
      local one <close> = make { mobile = true }
      local other <close> = make { mobile = true }
      assert(one:centre())
      assert(one:mirror { skeleton = BODY })
      assert(other:mirror { skeleton = BODY })
      assert(other:centre())
      near_docs(one, other)
      near(one.animations[1].root_motion:totable(), other.animations[1].root_motion, "path")
    end)

    it("needs a skeleton that knows the other side", function()
      local doc <close> = make()
      assert.has_error(function() doc:mirror() end,
        "mirror needs 'skeleton': a skeleton, a document or a table of bones")
      refuses("bone 0 has no bone on its other side", doc, "mirror", { skeleton = { -1, 0, 0, 1, 2 } })
      refuses("bone 1 (leftarm) has no bone on its other side", doc, "mirror",
        { skeleton = bones_of { [2] = { name = "leftarm", parent = 0 } } })
      refuses("bone 3 (lefthand) is not the other side of the bone on its other side", doc, "mirror",
        { skeleton = bones_of { [5] = { parent = 2, mirror = 4 } } })
      refuses("bone 0 has a rest pose without an inverse", doc, "mirror",
        { skeleton = bones_of { { parent = -1, mirror = 0, pose = { s = { 0, 1, 1 } } } } })
      doc.frames[4].bone_matrices:resize(4)
      refuses("frames[4].bone_matrices at 0x68c: 4 bones, but the skeleton has 5", doc, "mirror", { skeleton = BODY })
    end)
  end)
end)
