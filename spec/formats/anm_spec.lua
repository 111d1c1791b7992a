-- Animations of Overgrowth. What every format must prove is in format_checks; here is what only this one
-- has: twelve versions, frames in parts of their own, and the verbs that need no maths of poses.

local checks = require "format_checks"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_anm"

local message = outcome.message

local function open(name, options)
  return checks.open("anm", sample[name], options)
end

local function findings(doc)
  local fine, list = doc:check()
  local texts = {}
  for i, f in ipairs(list) do texts[i] = f.level .. " " .. f.where .. ": " .. f.message end
  return texts, fine
end

local function times(doc)
  local list = {}
  for i, frame in ipairs(doc.frames) do list[i] = frame.time end
  return list
end

checks.describe_format {
  format = "anm",
  samples = sample,
  flips = 300,
  selects = { ["anm_frame.use_mobility"] = true },
  computed = {
    -- only numbers that are the same once the rotation is of unit length again
    ["mat4_rotation.x"] = { 0 }, ["mat4_rotation.y"] = { 0 }, ["mat4_rotation.z"] = { 0 },
    ["mat4_rotation.w"] = {},
    ["mat4_scale.x"] = { 2, 0.5 }, ["mat4_scale.y"] = { 4 }, ["mat4_scale.z"] = { 8 },
  },
}

describe("anm", function()
  it("reads what the hex says", function()
    local doc <close> = open "v3"
    assert.same({ "anm", "Overgrowth", 3, true, 100, 600, 2 },
      { doc.format, doc.game, doc.version, doc.looping, doc.start, doc.length, doc.frame_count })
    local frame = doc.frames[1]
    assert.same({ 100, 0, "golimp", 0 }, { frame.time, #frame.bone_matrices, frame.events[1].name,
      frame.events[1].bone })
    local ik = frame.ik_bones[1]
    assert.same({ { 1, 2, 3 }, { 4, 5, 6 }, { 1, 0 }, "leg" }, { { table.unpack(ik.ignored1) },
      { table.unpack(ik.ignored2) }, ik.path:totable(), ik.label })
    assert.is_nil(frame.weights)
    assert.is_nil(doc.centered)
    local seven <close> = open "v7"
    frame = seven.frames[1]
    assert.same({ -20, 80, false, { 0.5, 0.25 } }, { seven.start, seven.length, seven.looping,
      frame.weights:totable() })
    assert.same({ 1.5, -2, 0.25 }, { table.unpack(frame.weapon_matrices[1].matrix.translation) })
    assert.is_nil(frame.weapon_matrices[1].relative_id)
    assert.same({ 0.25, "ear_l", 1, "fall" }, { frame.shape_keys[1].weight, frame.shape_keys[1].label,
      frame.status_keys[1].weight, frame.status_keys[1].label })
    local ten <close> = open "v10_centered"
    frame = ten.frames[2]
    assert.same({ true, 140, -0.5, { 4, 5, 6 }, "h\xC3\xA9" }, { ten.centered, frame.time, frame.rotation,
      { table.unpack(frame.center_offset) }, frame.events[1].name })
    assert.same({ 0, 1, 0 }, { ten.frames[1].mobility_matrix.col2_x, ten.frames[1].mobility_matrix.col2_y,
      ten.frames[1].mobility_matrix.col2_z })
    local eleven <close> = open "v11"
    assert.same({ false, true, 40, true, "\xDE\xAD\xBE" }, { eleven.centered, eleven.looping, eleven.length,
      eleven.frames[1].use_mobility, eleven.trailing })
    assert.is_nil(eleven.start)
    assert.is_nil(eleven.frames[1].rotation)
  end)

  it("is found by what is in the file, where no name tells", function()
    for name, bytes in pairs(sample) do
      local doc <close> = assert(lathe.parse(bytes))
      assert.equal("anm", doc.format, name)
    end
  end)

  it("refuses other versions by name", function()
    local function versioned(v) return string.pack("<i4", v) .. sample.v11:sub(5) end
    local cases = {
      { versioned(12), "x.anm: version at 0x0: version 12, only 0 to 11 are known" },
      { versioned(-1), "x.anm: version at 0x0: version -1, only 0 to 11 are known" },
      { versioned(10 << 24), "x.anm: version at 0x0: version 167772160, only 0 to 11 are known (byte-swapped?)" },
      { sample.v0:sub(1, 8) .. "\0\0\0\0", "x.anm: frame_count at 0x8: no key frames: the game refuses the "
        .. "file (corrupt, sub error 1)" },
      { sample.v0:sub(1, 8) .. "\3\0\0\0" .. ("\0"):rep(23),
        "x.anm: frame_count at 0x8: 3 key frames of at least 8 bytes do not fit into 23 bytes" },
      { sample.v0:sub(1, 8) .. "\xFF\xFF\xFF\x80", "x.anm: frame_count at 0x8: negative count -2130706433" },
      { sample.v0:sub(1, -2), "x.anm: frames[2].bone_matrices at 0x5c: 1 elements of at least 64 bytes do not "
        .. "fit into 63 bytes" },
    }
    for _, case in ipairs(cases) do assert.equal(case[2], message(lathe.parse(case[1], { path = "x.anm" }))) end
  end)

  it("keeps booleans that are neither 0 nor 1", function()
    local v11 = sample.v11
    local odd = v11:sub(1, 4) .. "\3\2" .. v11:sub(7, 30) .. "\7" .. v11:sub(32, -4) .. ("\0"):rep(16) .. v11:sub(-3)
    checks.round_trip("anm", odd)
    local doc <close> = checks.open("anm", odd)
    assert.same({ true, true, true, 0 }, { doc.centered, doc.looping, doc.frames[1].use_mobility,
      doc.frames[1].rotation })
    doc.looping = false
    assert.equal(odd:sub(1, 5) .. "\0" .. odd:sub(7), doc:encode())
  end)

  it("never has no key frames", function()
    assert.matches("no key frames", message(lathe.new("anm")))
    local doc <close> = open "v11"
    assert.matches("no key frames", message(pcall(doc.frames.remove, doc.frames, 1) or nil,
      select(2, pcall(doc.frames.remove, doc.frames, 1))))
    assert.equal(sample.v11, doc:encode())
    doc.frames = { { time = 3 }, { time = 5 } }
    assert.same({ 3, 5 }, times(doc))
  end)

  it("keeps what follows from elsewhere read-only", function()
    local doc <close> = open "v10_centered"
    for field, why in pairs { version = "doc:set_version(n) changes it",
      centered = "doc:centre() and doc:uncentre() change it", frame_count = "resize frames instead" } do
      local ok, err = pcall(function() doc[field] = 0 end)
      assert.is_false(ok)
      assert.matches(field .. ": read-only: " .. why, tostring(err), 1, true)
    end
  end)

  it("says where a value is refused, and what is wanted", function()
    local doc <close> = open "v11"
    local function refuses(path, value, text)
      local none, err = doc:set(path, value)
      assert.is_nil(none)
      assert.equal("sample.anm: " .. text, tostring(err))
      assert.equal(lathe.span(doc:get(path:match "^(.*)%.[^.]*$" or ""), path:match "[^.]*$"), err.offset)
    end
    refuses("length", 1e12, "length at 0x6: 1000000000000 is not in -2147483648 .. 2147483647")
    refuses("looping", "no", "looping at 0x5: a boolean expected, got a string")
    refuses("looping", {}, "looping at 0x5: a boolean expected, got a table")
    refuses("version", 5, "version at 0x0: read-only: doc:set_version(n) changes it")
    refuses("frames", 5, ("frames at 0x%x: an array expected"):format(lathe.span(doc, "frames")))
    local frame = #doc.frames -- behind rows that only a walk finds
    for _, field in ipairs { "events", "ik_bones", "status_keys" } do
      local path = ("frames[%d].%s"):format(frame, field)
      refuses(path, 5, ("%s at 0x%x: an array expected"):format(path, lathe.span(doc.frames[frame], field)))
    end
  end)

  it("has a mobility matrix at rest where one comes", function()
    local doc <close> = assert(lathe.new("anm", { frames = { { use_mobility = true }, {} } }))
    local rest = { 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1 }
    assert.same(rest, { table.unpack(doc.frames[1].mobility_matrix) })
    doc.frames[2].use_mobility = true
    assert.same(rest, { table.unpack(doc.frames[2].mobility_matrix) })
    doc.frames[1].mobility_matrix.translation = { 1, 2, 3 }
    doc.frames[1].use_mobility = false
    assert.is_nil(doc.frames[1].mobility_matrix)
    local given <close> = assert(lathe.new("anm", {
      frames = { { use_mobility = true, mobility_matrix = { translation = { 1, 2, 3 } } } } }))
    assert.same({ -1, 1 }, { given.frames[1].mobility_matrix.col1_z, given.frames[1].mobility_matrix.col3_x })
  end)

  it("edits frames while views follow", function()
    local doc <close> = open("v10_centered", { history = 10 })
    local second = doc.frames[2]
    local event = second.events[1]
    doc.frames:insert(1, { time = 5, weights = { 1 }, bone_matrices = { {} }, rotation = 1 })
    assert.equal("frames[3].events[1]", lathe.path(event))
    doc.frames[2].bone_matrices:resize(4)
    event.name = "a much longer name"
    assert.same({ 3, "a much longer name", 3 }, { doc.frame_count, doc.frames[3].events[1].name,
      #"\xDE\xAD\xBE" })
    doc.frames[3].ik_bones:append { path = { 0, 1, 2 }, label = "torso" }
    local again <close> = checks.open("anm", doc:encode())
    assert.equal("torso", again.frames[3].ik_bones[1].label)
    assert.is_true(doc:undo(4))
    assert.equal(sample.v10_centered, doc:encode())
  end)
end)

-- ---- every version --------------------------------------------------------------------------------

local SINCE = { weights = 4, weapon_matrices = 7, events = 2, ik_bones = 3, shape_keys = 5, status_keys = 6 }

-- A file with something of everything that a version knows.
local function fields(version, centered)
  local function frame(time)
    local all = {
      weights = { 1, 0.5 }, weapon_matrices = { { matrix = { translation = { 1, 2, 3 } } } },
      events = { { bone = 1, name = "golimp" } }, ik_bones = { { path = { 1 }, label = "head" } },
      shape_keys = { { weight = 0.5, label = "ear" } }, status_keys = { { weight = 1, label = "fall" } },
    }
    local f = { time = time, bone_matrices = { {}, { translation = { 0, time, 0 } } } }
    for name, since in pairs(SINCE) do
      if version >= since then f[name] = all[name] end
    end
    if version >= 8 then f.weapon_matrices[1].relative_id = 1 end
    if version >= 9 then f.use_mobility = true end
    if centered then f.rotation, f.center_offset = 1, { time, 2, 3 } end
    return f
  end
  local all = { version = version, length = 300, frames = { frame(0), frame(100) } }
  if version >= 10 then all.centered = centered end
  if version >= 1 then all.looping = false end
  if version >= 1 and version <= 10 then all.start = 0 end
  return all
end

describe("anm of every version", function()
  -- Bytes of a frame with something of everything: time, bones, and what came with each version.
  local ADDS = { [2] = 4 + 4 + 4 + 6, [3] = 4 + 24 + 4 + 4 + 4 + 4, [4] = 4 + 8, [5] = 4 + 4 + 4 + 3, [6] = 4 + 4 + 4 + 4,
    [7] = 4 + 64, [8] = 8, [9] = 1 + 64 }

  for version = 0, 11 do
    for _, centered in ipairs(version >= 10 and { false, true } or { false }) do
      it(("is made: %d%s"):format(version, centered and ", centered" or ""), function()
        local doc <close> = assert(lathe.new("anm", fields(version, centered)))
        local frame = 4 + 4 + 128 + (centered and 16 or 0)
        for since, more in pairs(ADDS) do
          if version >= since then frame = frame + more end
        end
        local head = version == 0 and 12 or version < 10 and 17 or version == 10 and 18 or 14
        assert.equal(head + 2 * frame, doc.size)
        assert.equal(version, string.unpack("<i4", doc:encode()))
        checks.round_trip("anm", doc:encode())
        assert.same({}, (findings(doc)))
      end)
    end
  end

  it("refuses fields that it does not have", function()
    local float <close> = assert(lathe.new("anm", { version = 3.0, frames = { {} } }))
    assert.equal(lathe.new("anm", { version = 3, frames = { {} } }):encode(), float:encode())
    assert.equal("start at 0x6: absent here", message(lathe.new("anm", { start = 1, frames = { {} } })))
    assert.equal("looping at 0x4: absent here", message(lathe.new("anm", { version = 0, looping = true, frames = { {} } })))
    assert.equal("frames[1].weights at 0x15: absent here",
      message(lathe.new("anm", { version = 3, frames = { { weights = { 1 } } } })))
    assert.equal("frames[1].rotation at 0x2f: absent here", message(lathe.new("anm", { frames = { { rotation = 1 } } })))
    assert.equal("version at 0x0: version 12, only 0 to 11 are known", message(lathe.new("anm", { version = 12 })))
  end)

  it("is 11, not centered and looping unless something else is asked for", function()
    local doc <close> = assert(lathe.new("anm", { frames = { {} } }))
    assert.same({ 11, false, true, 0 }, { doc.version, doc.centered, doc.looping, doc.length })
  end)
end)

-- ---- checks ---------------------------------------------------------------------------------------

describe("anm check", function()
  it("finds what the game would trip over", function()
    local doc <close> = assert(lathe.new("anm", {
      trailing = "??",
      frames = {
        { time = 10, weights = { 1 }, bone_matrices = { {} }, shape_keys = { { label = "a" }, { label = "b" } } },
        { time = 10, bone_matrices = { {}, {} }, shape_keys = { { label = "a" }, { label = "c" } } },
        { time = 5, bone_matrices = { {} }, weights = { 0 / 0 }, weapon_matrices = { { relative_id = 1 },
          { relative_id = -2 } }, events = { { bone = 1 }, { bone = -1 } }, ik_bones = { { path = { 0, 7 } }, {} } },
        { time = 20, status_keys = { {} } },
      },
    }))
    local texts, fine = findings(doc)
    assert.is_nil(fine)
    assert.same({
      "warning frames[3].weights[1]: not a finite number",
      "warning frames[2].time: at the same time as the frame before it",
      "warning frames[2].num_bone_matrices: 2 bones, 1 in the first frame: the game goes by the first frame's",
      "warning frames[2].num_weights: 0 weights, 1 in the first frame: the game goes by the first frame's",
      "warning frames[2].shape_keys[2].label: another label than in the first frame: the game goes by their order",
      "warning frames[3].time: at 5 ms, before the frame in front of it: the game goes by their order",
      "warning frames[3].num_weapon_matrices: 2 weapons, 0 in the first frame: the game goes by the first frame's",
      "warning frames[3].num_shape_keys: 0 shape keys, 2 in the first frame: the game goes by the first frame's",
      "error frames[3].weapon_matrices[1].relative_id: bone 1 of 1: the game writes outside of its memory",
      "error frames[3].weapon_matrices[2].relative_id: bone -2 of 1: the game writes outside of its memory",
      "error frames[3].events[1].bone: bone 1 of 1: the game writes outside of its memory",
      "error frames[3].events[2].bone: bone -1 of 1: the game writes outside of its memory",
      "error frames[3].ik_bones[1].path[2]: bone 7 of 1: the game writes outside of its memory",
      "warning frames[3].ik_bones[2].path: empty path: the game looks at its last bone all the same",
      "warning frames[4].num_bone_matrices: 0 bones, 1 in the first frame: the game goes by the first frame's",
      "warning frames[4].num_weights: 0 weights, 1 in the first frame: the game goes by the first frame's",
      "warning frames[4].num_shape_keys: 0 shape keys, 2 in the first frame: the game goes by the first frame's",
      "warning frames[4].num_status_keys: 1 status keys, 0 in the first frame: the game goes by the first frame's",
      "warning frames[4]: neither bones nor mobility: the game fails when it centres the frame",
      "warning trailing: 2 trailing bytes, which the game ignores",
    }, texts)
  end)
end)

-- ---- verbs ----------------------------------------------------------------------------------------

describe("anm scale", function()
  it("by a power of two and back is bit-exact, and touches translations alone", function()
    local doc <close> = assert(lathe.new("anm", fields(10, true)))
    local before = doc:encode()
    assert.same({ changed = 2 * (2 + 1 + 1 + 1), skipped = {} }, doc:scale(4))
    local frame = doc.frames[2]
    assert.same({ 400, 1, 4, 0, 400 }, { frame.bone_matrices[2].col3_y, frame.bone_matrices[2].col0_x,
      frame.weapon_matrices[1].matrix.col3_x, frame.mobility_matrix.col3_x, frame.center_offset.x })
    assert.same({ 100, 1, 0.5 }, { frame.time, frame.rotation, frame.shape_keys[1].weight })
    doc:scale(0.25, { what = "animation" })
    assert.equal(before, doc:encode())
    for _, what in ipairs { "geometry", "skeleton", "collision" } do
      assert.same({ changed = 0, skipped = {} }, doc:scale(2, { what = what }))
    end
    assert.equal(before, doc:encode())
  end)

  it("keeps the bits of numbers that are none", function()
    local bytes = sample.v0:sub(1, 20 + 48) .. "\1\0\x80\x7F" .. sample.v0:sub(20 + 53)
    local doc <close> = checks.open("anm", bytes)
    doc:scale(2)
    doc:scale(0.5)
    assert.equal(bytes, doc:encode())
    local weapon = sample.v7:sub(1, 21 + 12 + 68 + 4 + 48) .. "\1\0\x80\x7F" .. sample.v7:sub(21 + 12 + 68 + 4 + 53)
    local seven <close> = checks.open("anm", weapon)
    seven:scale(2)
    seven:scale(0.5)
    assert.equal(weapon, seven:encode())
  end)

  it("is refused where a number would not fit, and changes nothing then", function()
    local doc <close> = open "v8"
    assert.equal("sample.anm: frames[1].bone_matrices[1].translation.x at 0x4d: 1.5e+39 does not fit into f32",
      message(doc:scale(1e39)))
    doc.frames[1].bone_matrices:resize(0)
    local before = doc:encode()
    assert.matches("frames[1].weapon_matrices[1].matrix.translation.x at ", message(doc:scale(1e39)), 1, true)
    assert.equal(before, doc:encode())
    assert.matches("cannot scale by 0", message(doc:scale(0)))
  end)
end)

describe("anm rename", function()
  local function made() return assert(lathe.new("anm", fields(11))) end

  it("takes events, labels and keys", function()
    local doc <close> = made()
    assert.equal(2, doc:rename("golimp", "land").changed)
    assert.equal(2, doc:rename("head", "neck and head").changed)
    assert.equal(2, doc:rename("ear", "").changed)
    assert.equal(2, doc:rename("fall", "rise").changed)
    assert.equal(0, doc:rename("Fall", "rise").changed)
    local f = doc.frames[2]
    assert.same({ "land", "neck and head", "", "rise" }, { f.events[1].name, f.ik_bones[1].label,
      f.shape_keys[1].label, f.status_keys[1].label })
    checks.round_trip("anm", doc:encode())
  end)

  it("takes one kind alone", function()
    local doc <close> = made()
    local before = doc:encode()
    for what, name in pairs { events = "head", labels = "golimp", keys = "head", bones = "head" } do
      assert.equal(0, doc:rename(name, "x", { what = what }).changed)
    end
    assert.equal(before, doc:encode())
    assert.equal(2, doc:rename("ear", "x", { what = "keys" }).changed)
    assert.has_error(function() doc:rename "ear" end, "rename needs 'to': a string")
  end)
end)

describe("anm retime", function()
  it("to half the speed and back is exact", function()
    for version = 0, 11 do
      local doc <close> = assert(lathe.new("anm", fields(version)))
      local before = doc:encode()
      assert.same({ changed = 2, skipped = {} }, doc:retime { speed = 0.5 })
      assert.same({ 0, 200, 600 }, { doc.frames[1].time, doc.frames[2].time, doc.length })
      doc:retime { speed = 2 }
      assert.equal(before, doc:encode())
    end
  end)

  it("counts from the start, which stays", function()
    local doc <close> = open "v3"
    doc:retime { speed = 2 }
    assert.same({ 100, 350, { 100, 350 } }, { doc.start, doc.length, times(doc) })
    doc:retime { duration = 1 }
    assert.same({ 100, 1100, { 100, 1100 } }, { doc.start, doc.length, times(doc) })
    local seven <close> = open "v7"
    seven:retime { duration = 0.05 }
    assert.same({ -20, 30, { -20 } }, { seven.start, seven.length, times(seven) })
  end)

  it("to frames a second puts one after the other, and the last interval keeps its share", function()
    local doc <close> = assert(lathe.new("anm", {
      version = 10, start = 40, length = 440, frames = { { time = 40 }, { time = 140 }, { time = 340 } } }))
    doc:retime { fps = 30 }
    assert.same({ { 40, 73, 107 }, 40 }, { times(doc), doc.start })
    assert.equal(107 + 22, doc.length)              -- a third of what lies before, as it was
    doc:retime { fps = 10 }
    assert.same({ { 40, 140, 240 }, 240 + 66 }, { times(doc), doc.length })
    local one <close> = assert(lathe.new("anm", { length = 500, frames = { {} } }))
    one:retime { fps = 24 }
    assert.same({ { 0 }, 500 }, { times(one), one.length })
  end)

  it("tells of frames that come to lie at one time", function()
    local doc <close> = assert(lathe.new("anm", {
      length = 20, frames = { { time = 0 }, { time = 1 }, { time = 1 }, { time = 20 } } }))
    assert.same({ changed = 4, skipped = {
      { path = "frames[2].time", reason = "now at the same time as the frame before it" } } },
      doc:retime { speed = 10 })
    assert.same({ { 0, 0, 0, 2 }, 2 }, { times(doc), doc.length })
  end)

  it("refuses what cannot be, and changes nothing then", function()
    local doc <close> = open "v3"
    local mistakes = {
      { {}, "retime takes one of speed, duration, fps" },
      { { speed = 1, fps = 30 }, "retime takes one of speed, duration, fps" },
      { { speed = "2" }, "'speed' of retime: a number expected, got a string" },
      { { sped = 2 }, "no option 'sped' of retime; did you mean 'speed'?" },
    }
    for _, case in ipairs(mistakes) do
      assert.has_error(function() doc:retime(case[1]) end, case[2])
    end
    local cases = {
      { { speed = 0 }, "speed is a finite number above 0" },
      { { fps = -1 }, "fps is a finite number above 0" },
      { { duration = 0 / 0 }, "duration is a finite number above 0" },
      { { duration = 1 / 0 }, "duration is a finite number above 0" },
      { { duration = 1e7 }, "sample.anm: frames[2].time at 0x5a: 1.00000001e+10 ms does not fit into i32" },
      { { speed = 1e-320 }, "1e-320 is too small" },
    }
    for _, case in ipairs(cases) do
      local text = message(doc:retime(case[1]))
      assert.equal(case[2], (text:gsub("^9%.99[%d]*e%-321", "1e-320")))
    end
    assert.equal(sample.v3, doc:encode())
    local none <close> = assert(lathe.new("anm", { frames = { {} } }))
    assert.equal("what lasts 0 s cannot be made to last 2 s", message(none:retime { duration = 2 }))
  end)
end)

describe("anm set_version", function()
  it("there and back loses nothing where nothing is lost", function()
    for from = 0, 11 do
      for to = from, 11 do
        for _, centered in ipairs(from >= 10 and { false, true } or { false }) do
          local doc <close> = assert(lathe.new("anm", fields(from, centered)))
          local before = doc:encode()
          local up = doc:set_version(to)
          assert.same({ from == to and 0 or 2, {} }, { up.changed, up.skipped }, from .. " to " .. to)
          assert.equal(to, doc.version)
          checks.round_trip("anm", doc:encode())
          if from > 0 or to == 0 then
            assert.same({}, doc:set_version(from).skipped)
            assert.equal(before, doc:encode(), from .. " to " .. to)
          end
        end
      end
    end
  end)

  it("drops what an older version does not know, and says so once for each field", function()
    local doc <close> = assert(lathe.new("anm", fields(11), { history = 5 }))
    local before = doc:encode()
    local report = doc:set_version(0)
    assert.equal(2, report.changed)
    local told = {}
    for _, s in ipairs(report.skipped) do told[s.path] = s.reason end
    assert.same({
      ["looping"] = "looping dropped: version 0 always loops",
      ["frames[1].weights"] = "weights dropped from 2 frames",
      ["frames[1].weapon_matrices"] = "weapon_matrices dropped from 2 frames",
      ["frames[1].mobility_matrix"] = "mobility_matrix dropped from 2 frames",
      ["frames[1].events"] = "events dropped from 2 frames",
      ["frames[1].ik_bones"] = "ik_bones dropped from 2 frames",
      ["frames[1].shape_keys"] = "shape_keys dropped from 2 frames",
      ["frames[1].status_keys"] = "status_keys dropped from 2 frames",
    }, told)
    assert.equal(12 + 2 * 136, doc.size)
    checks.round_trip("anm", doc:encode())
    assert.is_true(doc:undo())
    assert.equal(before, doc:encode())
  end)

  it("takes ids from weapons below 8", function()
    local doc <close> = open "v8"
    assert.same({
      { path = "frames[1].weapon_matrices[1].relative_id", reason = "relative_id dropped from 1 weapon" },
      { path = "frames[1].weapon_matrices[1].relative_weight", reason = "relative_weight dropped from 1 weapon" },
    }, doc:set_version(7).skipped)
    doc:set_version(8)
    assert.same({ -1, 0 }, { doc.frames[1].weapon_matrices[1].relative_id,
      doc.frames[1].weapon_matrices[1].relative_weight })
  end)

  it("counts from 0 where there is no start", function()
    for _, to in ipairs { 0, 11 } do
      local doc <close> = open "v3"
      local report = doc:set_version(to)
      assert.same({ path = "start", reason = "start dropped: 100 ms taken off all times" }, report.skipped[1])
      assert.same({ { 0, 500 }, 500 }, { times(doc), doc.length })
    end
  end)

  it("takes the centre out where a version knows none, and says so", function()
    local doc <close> = open("v10_centered", { history = 3 })
    local report = doc:set_version(9)
    assert.same({ 1, "frames[2].rotation" }, { #report.skipped, report.skipped[1].path })
    assert.is_nil(doc.centered)
    assert.is_nil(doc.frames[1].rotation)
    checks.round_trip("anm", doc:encode())
    doc:undo()
    assert.equal(sample.v10_centered, doc:encode())
    assert.same({ "start" }, { doc:set_version(11).skipped[1].path })
    assert.same({ true, 0.5, { 0, 130 }, 260 }, { doc.centered, doc.frames[1].rotation, times(doc), doc.length })
  end)

  it("refuses what is no version", function()
    local doc <close> = open "v3"
    assert.equal("version 12, only 0 to 11 are known", message(doc:set_version(12)))
    assert.equal("version -1, only 0 to 11 are known", message(doc:set_version(-1)))
    assert.has_error(function() doc:set_version "new" end,
      "'version' of set_version: an integer expected, got a string")
    assert.has_error(function() doc:set_version(3.5) end, "'version' of set_version: an integer expected, got 3.5")
    assert.has_error(function() doc:set_version() end, "set_version needs 'version': an integer")
    assert.same({ changed = 0, skipped = {} }, doc:set_version(3.0))
    assert.equal(sample.v3, doc:encode())
  end)
end)
