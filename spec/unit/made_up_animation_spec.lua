-- Skeletons and animations of any format, on two made-up ones: moves (a skeleton and animations) and
-- walk (one animation, which is the whole document).

local lathe = require "lathe.core"

local function key(x, y)
  return { x, y or 0, 0, 0, 0, 0, 1, 1, 1, 1 }
end

-- Keys of which x is ten times the frame plus the track (both from 0).
local function keys(frames, tracks)
  local list = {}
  for f = 0, frames - 1 do
    for t = 0, tracks - 1 do table.move(key(10 * f + t), 1, 10, #list + 1, list) end
  end
  return list
end

local function clip(more)
  local fields = { frame_count = 3, bones = { 0, 1 }, length = 0.5, title = "wave" }
  for k, v in pairs(more or {}) do fields[k] = v end
  fields.keys = keys(fields.frame_count, #fields.bones)
  return fields
end

local BONES = {
  { name = "root", pose = key(0) },
  { parent = 0, name = "left", mirror = 2, pose = { 1, 2, 3, 0, 0, 1, 0, 1, 1, 2 } },
  { parent = 0, name = "right", mirror = 1, pose = key(-1) },
}

local function moves(fields)
  return assert(lathe.new("moves", fields or { bones = BONES, clips = { clip() } }, { history = 9 }))
end

local function walk(more)
  return assert(lathe.new("walk", clip(more), { history = 9 }))
end

local function raises(message, f, ...)
  local ok, err = pcall(f, ...)
  assert.is_false(ok)
  assert.equal("string", type(err))
  assert.matches(message, err, 1, true)
end

local function members(object)
  local names = {}
  for name in pairs(object) do names[#names + 1] = name end
  return names
end

describe("doc.skeletons and doc.animations", function()
  it("are empty where a format has none", function()
    local doc = assert(lathe.new("pack"))
    for _, list in ipairs { doc.skeletons, doc.animations } do
      assert.equal("list", lathe.type(list))
      assert.equal(0, #list)
      assert.is_nil(list[1])
      for _ in ipairs(list) do error "not empty" end
      for _ in pairs(list) do error "not empty" end
    end
    assert.equal("0 animations", tostring(doc.animations))
    assert.equal(0, #walk().skeletons)
    assert.equal(0, #moves({}).skeletons)
  end)

  it("are lists from 1", function()
    local clips = {}
    for i = 1, 11 do clips[i] = clip { title = "n" .. i } end
    local doc = moves { bones = BONES, clips = clips }
    local list = doc.animations
    assert.equal(11, #list)
    assert.equal(1, #doc.skeletons)
    local names = {}
    for i, anim in ipairs(list) do names[i] = anim.name end
    assert.same({ "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10", "n11" }, names)
    local n = 0
    for i, anim in pairs(list) do
      n = n + i
      assert.equal(list[i], anim)
    end
    assert.equal(66, n)
    assert.is_nil(list[0])
    assert.is_nil(list[12])
    assert.is_nil(list[1.5])
    assert.is_nil(list[math.maxinteger])
    assert.equal("11 animations", tostring(list))
    assert.equal("1 skeleton", tostring(doc.skeletons))
    for count = 0, 9 do
      doc.clips:resize(count)
      assert.equal(count, #list)
    end
  end)

  it("have a count whatever it is", function()
    raises("'1' of a list cannot be set", function() moves().animations[1] = {} end)
    raises("'animations' of a document cannot be set", function() moves().animations = {} end)
    raises("no field 'first' in a list", function() return moves().animations.first end)
    raises("did you mean 'animations'?", function() return moves().animation end)
  end)

  it("show what formats can do", function()
    for _, format in ipairs(lathe.formats()) do
      assert.equal(format.name == "moves" or nil, format.can.skeletons)
      assert.equal(format.name == "moves" or format.name == "walk" or nil, format.can.animations)
    end
  end)
end)

describe("a skeleton", function()
  it("has bones with parents and poses", function()
    local doc = moves()
    local rig = doc.skeletons[1]
    assert.equal("skeleton", lathe.type(rig))
    assert.equal('skeleton "rig": 3 bones', tostring(rig))
    assert.equal("rig", rig.name)
    assert.same({
      { name = "root", parent = -1, pose = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
      { name = "left", parent = 0, mirror = 2,
        pose = { t = { 1, 2, 3 }, q = { 0, 0, 1, 0 }, s = { 1, 1, 2 } } },
      { name = "right", parent = 0, mirror = 1,
        pose = { t = { -1, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
    }, lathe.totable(rig.bones))
    assert.equal(doc, rig.source)
    assert.same({ "name", "bones", "source" }, members(rig))
  end)

  it("is read anew, and may be damaged", function()
    local doc = moves()
    local rig = doc.skeletons[1]
    doc.bones[2].name = "other"
    doc.bones[1].parent = 2
    assert.equal("other", rig.bones[2].name)
    assert.equal(2, rig.bones[1].parent)
    doc.bones = {}
    raises("skeleton 1 was removed", function() return rig.bones end)
    assert.equal("skeleton (unreadable)", tostring(rig))
    assert.equal(0, #doc.skeletons)
    doc:undo()
    assert.equal(3, #rig.bones)
  end)

  it("keeps nothing and takes nothing", function()
    local doc = moves()
    local rig, other = doc.skeletons[1], moves().skeletons[1]
    assert.equal(rig, doc.skeletons[1])
    assert.are_not.equal(rig, other)
    raises("no field 'bone' in skeleton; did you mean 'bones'?", function() return rig.bone end)
    raises("'name' of a skeleton cannot be set", function() rig.name = "x" end)
    raises("moves_bone expected, got skeleton", function() doc.bones[1] = rig end)
    raises("a skeleton is no record", function() doc.bones = { rig } end)
    local none, err = lathe.new("nested", { tree = rig })
    assert.same({ nil, "a skeleton is no record" }, { none, err.message })
    raises("got lathe.Skeleton", lathe.new, "moves", rig)
    doc:close()
    raises("document is closed", function() return rig.name end)
    raises("document is closed", function() rig.name = 1 end)
    assert.equal("skeleton (document is closed)", tostring(rig))
    assert.equal("skeleton", lathe.type(rig))
  end)
end)

describe("an animation", function()
  it("has facts", function()
    local doc = moves { clips = { clip { rig = "rig", looping = true, absolute = true } } }
    local anim = doc.animations[1]
    assert.equal("animation", lathe.type(anim))
    assert.equal('animation "wave": 0.5 s, 3 frames, 2 tracks', tostring(anim))
    assert.same({ "wave", 0.5, 3, "normal", true, "rig", true },
      { anim.name, anim.duration, anim.frame_count, anim.blend_hint, anim.looping,
        anim.skeleton_name, anim.absolute })
    assert.equal("integer", math.type(anim.frame_count))
    assert.is_nil(anim.root_motion)
    assert.equal(doc.clips[1], anim.source)
    assert.same({ "name", "duration", "frame_count", "looping", "absolute", "blend_hint",
      "skeleton_name", "tracks", "float_tracks", "annotations", "source" }, members(anim))
    local plain = walk { title = "", frame_count = 1, bones = { 4 }, length = 0.4 }
    assert.equal("animation: 0.4 s, 1 frame, 1 track", tostring(plain.animations[1]))
    assert.equal(plain, plain.animations[1].source)
    assert.is_nil(plain.animations[1].name)
    assert.is_nil(plain.animations[1].blend_hint)
    assert.is_false(plain.animations[1].looping)
  end)

  it("has no float tracks and no binding where its format has none", function()
    local anim = moves().animations[1]
    assert.equal(0, #anim.float_tracks)
    assert.equal("0 float tracks", tostring(anim.float_tracks))
    assert.is_nil(anim.float_tracks[1])
    assert.is_nil(anim.binding)
    for _, buffer in ipairs { anim:sample_floats(0), anim:sample_floats { time = 1 }, anim:decode_floats(),
      anim:decode_floats(anim:decode_floats()) } do
      assert.same({ 0, 1 }, { buffer.rows, buffer.columns })
    end
    raises("frame 9 is not in 0 .. 2", anim.sample_floats, anim, 9)
  end)

  it("has tracks", function()
    local doc = moves { bones = BONES, clips = { clip { bones = { 2, -1, 9 } } } }
    local tracks = doc.animations[1].tracks
    assert.equal(3, #tracks)
    assert.equal("track", lathe.type(tracks[1]))
    assert.same({ "right", 2 }, { tracks[1].bone, tracks[1].bone_index })
    assert.is_nil(tracks[2].bone)
    assert.equal(-1, tracks[2].bone_index)
    assert.equal('track 1: bone 2 "right"', tostring(tracks[1]))
    assert.equal("track 2: no bone", tostring(tracks[2]))
    assert.equal("track 3: bone 9", tostring(tracks[3]))
    assert.equal("3 tracks", tostring(tracks))
    assert.is_nil(tracks[4])
    assert.equal(tracks[2], doc.animations[1].tracks[2])
    assert.are_not.equal(tracks[2], tracks[1])
    assert.same({ "bone", "bone_index" }, members(tracks[1]))
    raises("no field 'bones' in track; did you mean 'bone'?", function() return tracks[1].bones end)
  end)

  it("has annotations", function()
    local notes = { { time = 0.25, text = "" }, { time = 0.125, track = 1, text = "a\0b" } }
    local doc = moves { clips = { clip { notes = notes } } }
    local list = lathe.totable(doc.animations[1].annotations)
    assert.equal(doc.clips[1].notes[2], list[1].source)
    assert.equal(doc.clips[1].notes[1], list[2].source)
    list[1].source, list[2].source = nil, nil
    assert.same({ { time = 0.125, track = 1, text = "a\0b" }, { time = 0.25, track = 0, text = "" } }, list)
    assert.same({}, lathe.totable(moves().animations[1].annotations))
    assert.same({}, lathe.totable(walk({ notes = notes }).animations[1].annotations))
  end)

  it("has root motion", function()
    local way = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }
    local motion = walk({ has_motion = true, way = way }).animations[1].root_motion
    assert.same({ "f32", 3, 4 }, { motion.type, motion.rows, motion.columns })
    assert.same(way, motion:totable())
  end)

  it("has the times of its frames, and the axes of its root motion", function()
    local anim = moves().animations[1]
    local times = anim:times()
    assert.same({ "f64", 3, 1 }, { times.type, times.rows, times.columns })
    assert.same({ 0, 0.25, 0.5 }, times:totable())
    assert.same({ { 0, 0, 1 }, { 0, 1, 0 } }, { anim:axes() })
    local doc = moves()
    anim = doc.animations[1]
    doc:close()
    raises("document is closed", function() return anim:times() end)
    raises("document is closed", function() return anim:axes() end)
  end)

  it("goes with its document, and is not to be set", function()
    local doc = moves()
    local anim, track = doc.animations[1], doc.animations[1].tracks[2]
    raises("'name' of an animation cannot be set", function() anim.name = "x" end)
    raises("'bone' of a track cannot be set", function() track.bone = "x" end)
    raises("no field 'durtion' in animation; did you mean 'duration'?", function() return anim.durtion end)
    raises("no field '1' in animation", function() return anim[1] end)
    raises("an animation is no record", function() doc.clips = { anim } end)
    doc.clips:remove(1)
    raises("animation 1 was removed", function() return anim.name end)
    raises("animation 1 was removed", function() return track.bone end)
    raises("animation 1 was removed", function() return anim:decode() end)
    assert.equal("animation (unreadable)", tostring(anim))
    doc:undo()
    assert.equal("wave", anim.name)
    doc:close()
    for _, f in ipairs {
      function() return anim.name end, function() return anim:sample(0) end,
      function() return anim:decode() end, function() return track.bone end,
      function() return track:sample(0) end, function() return anim.reverse end,
      function() return doc.animations end, function() for _ in pairs(anim) do error "no" end end,
    } do raises("document is closed", f) end
    assert.equal("track (document is closed)", tostring(track))
  end)
end)

describe("sampling", function()
  local anim
  before_each(function() anim = moves().animations[1] end)

  it("gives a track's place at a frame or a time", function()
    local track = anim.tracks[2]
    local t, q, s = track:sample(1)
    assert.same({ { 11, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } }, { t, q, s })
    assert.same({ 16, 0, 0 }, (track:sample(1.5)))
    assert.same({ 16, 0, 0 }, (track:sample { frame = 1.5 }))
    assert.same({ 11, 0, 0 }, (track:sample { time = 0.25 }))
    assert.same({ 1, 0, 0 }, (track:sample { time = 0 }))
    assert.same({ 21, 0, 0 }, (track:sample { time = 0.5 }))
  end)

  it("brings times into the animation, and refuses other frames", function()
    local track = anim.tracks[1]
    assert.same({ 0, 0, 0 }, (track:sample { time = -1 }))
    assert.same({ 20, 0, 0 }, (track:sample { time = 99 }))
    assert.same({ 20, 0, 0 }, (track:sample { time = math.huge }))
    raises("frame 3 is not in 0 .. 2", track.sample, track, 3)
    raises("frame 2.5 is not in 0 .. 2", track.sample, track, 2.5)
    raises("frame -1 is not in 0 .. 2", anim.sample, anim, -1)
    raises("frame inf", anim.sample, anim, math.huge)
    raises("frame: a number expected, got NaN", track.sample, track, 0 / 0)
    raises("time: a number expected, got NaN", track.sample, track, { time = 0 / 0 })
    raises("time: a number expected", track.sample, track, { time = "0" })
    raises("a time or a frame expected", track.sample, track, {})
    raises("a frame or a time, not both", track.sample, track, { time = 0, frame = 0 })
    raises("no option 'tiem'", track.sample, track, { tiem = 0 })
    raises("no option '1'", track.sample, track, { 0 })
    raises("no option 'time'", track.sample, track, 0, { time = 0 })
    raises("frame, {time =} or {frame =} expected, got nil", track.sample, track)
    raises("table expected", track.sample, track, 0, 1)
    raises("track expected", track.sample, anim, 0)
    local empty = moves({ clips = { clip { frame_count = 0 } } }).animations[1]
    raises("the animation has no frames", empty.sample, empty, { time = 0 })
    raises("the animation has no frames", empty.sample, empty, 0)
    assert.equal(0, empty:decode().rows)
  end)

  it("gives all tracks in one buffer, which can be used again", function()
    local b = anim:sample(1)
    assert.same({ "f32", 2, 10 }, { b.type, b.rows, b.columns })
    assert.same({ 10, 0, 0, 0, 0, 0, 1, 1, 1, 1, 11, 0, 0, 0, 0, 0, 1, 1, 1, 1 }, b:totable())
    assert.equal(b, anim:sample({ time = 0.5 }, b))
    assert.equal(20, b[1])
    assert.equal(b, anim:sample(0, b, {}))
    assert.equal(0, b[1])
    raises("f32 of 2 rows by 10 columns expected, got f64 2 by 10", anim.sample, anim, 0,
      lathe.buffer("f64", 2, 10))
    raises("got f32 3 by 10", anim.sample, anim, 0, lathe.buffer("f32", 3, 10))
    raises("got f32 2 by 9", anim.sample, anim, 0, lathe.buffer("f32", 2, 9))
    raises("lathe.Buffer expected, got table", anim.sample, anim, 0, {})
  end)

  it("gives all frames", function()
    local expected = keys(3, 2)
    for _, a in ipairs { anim, walk().animations[1] } do -- frame by frame, and at once
      local b = a:decode()
      assert.same({ "f32", 6, 10 }, { b.type, b.rows, b.columns })
      assert.same(expected, b:totable())
      assert.same(expected, a:decode({}):totable())
      b[1] = 77
      for i, again in ipairs { a:decode(b), a:decode(b, {}), a:decode(nil, {}) } do
        assert.equal(i < 3, rawequal(again, b))
        assert.same(expected, again:totable())
      end
      raises("f32 of 6 rows by 10 columns expected, got f32 2 by 10", a.decode, a, lathe.buffer("f32", 2, 10))
      raises("got f64 6 by 10", a.decode, a, lathe.buffer("f64", 6, 10))
      raises("lathe.Buffer expected, got table", a.decode, a, {}, {})
      raises("no option 'time'", a.decode, a, { time = 1 })
      raises("table expected", a.decode, a, 1)
    end
  end)

  it("gives nil and an error for bad data", function()
    local doc = moves { clips = { clip { bones = { 0, -100, 2 } } } }
    local bad = doc.animations[1]
    for _, result in ipairs {
      table.pack(bad:sample(0)), table.pack(bad:sample(0, nil, { skeleton = { -1 } })),
      table.pack(bad:decode()), table.pack(bad:decode { skeleton = { -1 } }),
      table.pack(bad.tracks[2]:sample(0)),
    } do
      assert.equal(2, result.n)
      assert.is_nil(result[1])
      assert.same({ "invalid", "a damaged track", 77 },
        { result[2].code, result[2].message, result[2].offset })
    end
    assert.same({ 2, 0, 0 }, (bad.tracks[3]:sample(0)))
  end)
end)

describe("a skeleton as an option", function()
  local rig, anim
  before_each(function()
    rig = moves()
    anim = walk({ absolute = true }).animations[1]
  end)

  it("makes rows relative, wherever it comes from", function()
    local track = anim.tracks[2]
    assert.same({ 21, 0, 0 }, (track:sample(2)))
    for _, skeleton in ipairs {
      rig.skeletons[1], rig, { -1, 0 }, { bones = { -1, 0 } }, { bones = rig.skeletons[1].bones },
      { { parent = -1 }, { parent = 0 } }, { bones = { {}, { parent = 0, name = "x" } } },
    } do
      assert.same({ 1, 0, 0 }, (track:sample(2, { skeleton = skeleton })))
      assert.same({ 1, 0, 0 }, (track:sample { time = 0.5, skeleton = skeleton }))
      assert.equal(1, anim:sample(2, nil, { skeleton = skeleton })[11])
      assert.equal(1, anim:sample { frame = 2, skeleton = skeleton }[11])
      local all = anim:decode { skeleton = skeleton }
      assert.same({ 0, 1, 10, 1, 20, 1 }, { all[1], all[11], all[21], all[31], all[41], all[51] })
    end
    assert.same({ 21, 0, 0 }, (track:sample(2, { skeleton = { -1, -1 } })))
    assert.same({ 21, 0, 0 }, (track:sample(2, { skeleton = { bones = {} } })))
  end)

  it("is checked", function()
    local track = anim.tracks[1]
    local function refused(skeleton, message)
      raises(message, track.sample, track, 0, { skeleton = skeleton })
      raises(message, anim.decode, anim, { skeleton = skeleton })
      raises(message, rig.bones_of, rig, { skeleton = skeleton })
    end
    refused(7, "a skeleton, a document or a table of bones expected")
    refused("rig", "a table of bones expected")
    refused(false, "a table of bones expected")
    refused({}, "skeleton: no list of bones in it")
    refused({ bones = 5 }, "no list of bones in it")
    refused(rig.bones[1], "skeleton: a moves_bone is no skeleton")
    refused(rig.bones, "a table of bones expected")
    refused({ -1, "x" }, "parent of bone 1: a bone's number, from 0, or -1 expected")
    refused({ -1, 0.5 }, "parent of bone 1")
    refused({ -2 }, "parent of bone 0")
    refused({ 1 << 40 }, "parent of bone 0")
    refused({ { parent = {} } }, "parent of bone 0")
    refused({ { mirror = "left" } }, "mirror of bone 0")
    refused({ { name = 5 } }, "a name is a string")
    refused({ { pose = 5 } }, "pose of bone 0: {t =, q =, s =} expected")
    refused({ { pose = { t = { 1, 2 } } } }, "t of bone 0: {x, y, z} expected")
    refused({ { pose = { q = { 1, 2, 3, "x" } } } }, "q of bone 0: {x, y, z, w} expected")
    refused({ { pose = { s = 1 } } }, "s of bone 0: {x, y, z} expected")
  end)

  it("is refused as data where parents lead nowhere", function()
    local function refused(skeleton, message, place)
      for _, result in ipairs {
        table.pack(anim:sample(0, nil, { skeleton = skeleton })),
        table.pack(anim:decode { skeleton = skeleton }), table.pack(rig:bones_of(skeleton)),
      } do
        assert.is_nil(result[1])
        assert.equal("invalid", result[2].code)
        assert.matches(message, result[2].message, 1, true)
        assert.equal(place, result[2].where)
      end
    end
    refused({ 0 }, "bone 0 is among its own ancestors")
    refused({ -1, 2, 3, 2 }, "is among its own ancestors")
    refused({ -1, 5 }, "bone 1 has bone 5 as its parent, of 2")
    refused(walk(), "skeleton: the document has no skeleton")
    rig.bones[1].parent = 1
    refused(rig, "is among its own ancestors", "skeletons[1]")
    refused(rig.skeletons[1], "is among its own ancestors", "skeletons[1]")
    local gone = rig.skeletons[1]
    rig.bones = {}
    refused(gone, "has no skeleton")
  end)

  it("may be long", function()
    local parents = { -1 }
    for i = 2, 100000 do parents[i] = i - 2 end
    assert.same({ 1, 0, 0 }, (anim.tracks[2]:sample(1, { skeleton = parents })))
    parents[1] = 99999
    assert.is_nil((anim.tracks[2]:sample(1, { skeleton = parents })))
  end)

  it("reaches verbs as it is", function()
    local other = moves()
    for _, skeleton in ipairs { rig.skeletons[1], rig, other.skeletons[1], other,
      { bones = other.skeletons[1].bones, name = "rig" } } do
      assert.same({
        given = true, name = "rig", parents = { -1, 0, 0 }, mirrors = { -1, 2, 1 },
        x = { 0, 1, -1 }, w = { 1, 0, 1 }, names = { "root", "left", "right" },
      }, rig:bones_of { skeleton = skeleton })
    end
    assert.same({ -1, 0, 0 }, rig:bones_of(other.skeletons[1].bones).parents)
    assert.same({ given = false }, rig:bones_of())
    assert.same({ given = true, parents = { -1, 0 }, mirrors = { -1, -1 }, x = { 0, 0 }, w = { 1, 1 } },
      rig:bones_of({ -1, 0 }))
  end)

  it("is refused when it is something else, or its document is closed", function()
    local closed = moves()
    local skeleton, track = closed.skeletons[1], anim.tracks[1]
    closed:close()
    for _, value in ipairs { skeleton, closed } do
      raises("view of a closed document cannot be stored", track.sample, track, 0, { skeleton = value })
      raises("view of a closed document", rig.bones_of, rig, value)
    end
    raises("skeleton: an animation is no skeleton", track.sample, track, 0, { skeleton = anim })
    raises("a track cannot be stored", rig.bones_of, rig, track)
    raises("a list cannot be stored", rig.bones_of, rig, rig.skeletons)
    raises("a function cannot be stored", rig.bones_of, rig, { skeleton = { print } })
  end)
end)

describe("verbs of an animation", function()
  it("are those of its source", function()
    local doc = moves { bones = BONES, clips = { clip(), clip() } }
    local anim = doc.animations[2]
    assert.same({ changed = 2, skipped = {} }, anim:reverse())
    assert.equal(20, anim:decode()[1])
    assert.equal(0, doc.animations[1]:decode()[1])
    assert.equal(anim.reverse, doc.clips[1].reverse)
    doc:undo()
    assert.equal(0, anim:decode()[1])
    raises("no field 'bones_of' in animation", function() return anim.bones_of end)
    raises("'reverse' is no verb of moves", anim.reverse, doc)
    raises("view or document expected, got table", anim.reverse, {})
  end)

  it("are the document's where it is the animation", function()
    local doc = walk()
    assert.equal(doc.reverse, doc.animations[1].reverse)
    doc.animations[1]:reverse()
    assert.equal(20, doc.animations[1]:decode()[1])
    doc:reverse()
    assert.equal(0, doc.animations[1]:decode()[1])
  end)

  it("stay on an edit's side", function()
    local doc = moves()
    pcall(doc.edit, doc, function()
      doc.animations[1]:reverse()
      error "no"
    end)
    assert.equal(0, doc.animations[1]:decode()[1])
  end)
end)

describe("finalizers in between", function()
  -- Runs f again and again while garbage of which each piece runs `act` is about to be collected.
  local function with_garbage(act, f)
    for _ = 1, 200 do
      setmetatable({}, { __gc = act })
      if not pcall(f) then return end
    end
  end

  it("may close the document or change it", function()
    for _, act in ipairs { "close", "shrink" } do
      local doc = moves { bones = BONES, clips = { clip { notes = { { text = "x" } } } } }
      local anim, rig = doc.animations[1], doc.skeletons[1]
      collectgarbage "generational"
      with_garbage(function()
        if act == "close" then doc:close() elseif doc.animations then doc.clips:resize(0) end
      end, function()
        return anim.annotations, anim:decode(), rig.bones, anim:sample(0, nil, { skeleton = rig }),
          anim.tracks[1].bone, doc:bones_of(rig)
      end)
      collectgarbage "incremental"
    end
  end)
end)
