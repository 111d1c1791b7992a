-- Skeletons and animations of packfiles as scripts see them: which there are, what they are bound to, events,
-- root motion; what edits change; what check() says.

local lathe = require "lathe"
local pieces = require "hkx_pieces"
local sample = require "sample_hkx"

local LAYOUTS = sample.game_layouts

local function each_layout(test)
  for _, layout in ipairs(LAYOUTS) do
    local ok, err = pcall(test, layout)
    if not ok then
      error(("%s %s%s: %s"):format(layout.game, layout.pointer_size or "", layout.endian or "", tostring(err)), 0)
    end
  end
end

local function clip(opts, history)
  local bytes, parts = sample.clip(opts)
  return assert(lathe.parse(bytes, { history = history })), parts, bytes
end

local function map(list, fn)
  local out = {}
  for i, v in ipairs(list) do out[i] = fn(v) == nil and "nil" or fn(v) end
  return out
end

local function bones(anim)
  return map(anim.tracks, function(t) return t.bone end), map(anim.tracks, function(t) return t.bone_index end)
end

local function x_at(track, frame)
  return track:sample(frame)[1]
end

-- One axis that moves in each frame by `step`.
local function moving(step)
  return { translation = { x = function(frame) return frame * step end } }
end

describe("skeletons of packfiles", function()
  it("are those of the animation container, in its order, then all others", function()
    each_layout(function(layout)
      local mapped = sample.skeleton_object { name = "Elsewhere", bones = 1 }
      local a, b = sample.skeleton_object { name = "A", bones = 2 }, sample.skeleton_object { name = "B", bones = 3 }
      local root = sample.root { { "SkeletonMapper", "hkaSkeletonMapper", sample.mapper(b, mapped) },
        { "", "hkaAnimationContainer", { class = "hkaAnimationContainer", skeletons = { a, b } } } }
      local doc = assert(lathe.parse((sample.build(root, layout))))
      assert.same({ "A", "B", "Elsewhere" }, map(doc.skeletons, function(s) return s.name end))
      assert.same({ 2, 3, 1 }, map(doc.skeletons, function(s) return #s.bones end))
      assert.equal("skeleton \"B\": 3 bones", tostring(doc.skeletons[2]))
      assert.is_nil(doc.skeletons[4])
    end)
  end)

  it("have names, parents and the pose as it is stored", function()
    each_layout(function(layout)
      local doc = assert(lathe.parse((sample.skeleton(sample.with(layout, { name = "Root", bones = {
        "Root", { name = "left\xE9", parent = 0, translation = { 1, 2, 3, 77 }, rotation = { 0, 0.5, 0, 1 },
          scale = { 2, 3, 4, 99 } }, { name = false, parent = 1 } } })))))
      local list = lathe.totable(doc.skeletons[1].bones)
      assert.same({ name = "Root", parent = -1, pose = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } }, list[1])
      assert.same({ name = "left\xE9", parent = 0, pose = { t = { 1, 2, 3 }, q = { 0, 0.5, 0, 1 }, s = { 2, 3, 4 } } },
        list[2])
      assert.same({ parent = 1, pose = { t = { 0, 0, 1 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } }, list[3])
    end)
  end)

  it("are there where their lists differ in length", function()
    local skeleton = sample.skeleton_object { bones = 3 }
    skeleton.parent_indices[3], skeleton.reference_pose[3], skeleton.reference_pose[2] = nil, nil, nil
    local root = sample.root { { "", "hkaSkeleton", skeleton } }
    local doc = assert(lathe.parse((sample.build(root, {}))))
    local list = doc.skeletons[1].bones
    assert.same({ -1, 0, -1 }, map(list, function(b) return b.parent end))
    assert.same({ 0, 0, 0 }, lathe.totable(list[3].pose.t))
    local ok, found = doc:check()
    assert.is_nil(ok)
    assert.same({ "2 of them for 3 bones", "1 of them for 3 bones" },
      map(found, function(e) return e.message:gsub(" %(hka.*", "") end))
  end)
end)

describe("animations of packfiles", function()
  it("say what they are", function()
    each_layout(function(layout)
      local doc = clip(sample.with(layout, { frames = 31, tracks = 2, blend_hint = 1, skeleton_name = "NPC \xE9" }))
      local anim = doc.animations[1]
      assert.equal(1, #doc.animations)
      assert.is_near(1, anim.duration, 1e-6)
      assert.same({ 31, 2, 0, false, false }, { anim.frame_count, #anim.tracks, #anim.float_tracks, anim.looping,
        anim.absolute })
      assert.equal(layout.game == "fallout4" and "additive_deprecated" or "additive", anim.blend_hint)
      assert.equal("NPC \xE9", anim.skeleton_name)
      assert.is_nil(anim.name)
      assert.equal("hkaSplineCompressedAnimation", lathe.type(anim.source))
      assert.equal("hkaAnimationBinding", lathe.type(anim.binding))
      assert.is_true(anim.binding.animation == anim.source)
      assert.is_nil(anim.root_motion)
      assert.equal("animation: 1 s, 31 frames, 2 tracks", tostring(anim))
    end)
  end)

  it("are many in a file, each with its binding", function()
    local clips = {}
    for i = 1, 40 do clips[i] = { frames = i, tracks = { moving(i) }, skeleton_name = "s" .. i } end
    local doc = clip { game = "skyrim-se", clips = clips }
    assert.equal(40, #doc.animations)
    for _ = 1, 2 do                               -- more than stay open, and all of them again
      for i, anim in ipairs(doc.animations) do
        assert.same({ i, "s" .. i }, { anim.frame_count, anim.skeleton_name })
        assert.is_near(i * (i - 1), x_at(anim.tracks[1], i - 1), 0.1)
      end
    end
  end)

  it("are those that the container lists, then all others", function()
    local a = sample.animation { frames = 2, tracks = 1, skeleton_name = "a" }
    local b = sample.animation { frames = 3, tracks = 1, skeleton_name = "b" }
    local root = sample.root { { "", "hkaAnimationBinding", a.binding }, { "", "hkaAnimationContainer",
      { class = "hkaAnimationContainer", animations = { b.animation }, bindings = { b.binding } } } }
    local doc = assert(lathe.parse((sample.build(root, {}))))
    assert.same({ "b", "a" }, map(doc.animations, function(x) return x.skeleton_name end))
    assert.same({ 3, 2 }, map(doc.animations, function(x) return x.frame_count end))
  end)

  it("need no binding", function()
    local a = sample.animation { frames = 2, tracks = 2 }
    local root = sample.root { { "", "hkaSplineCompressedAnimation", a.animation } }
    local doc = assert(lathe.parse((sample.build(root, {}))))
    local anim = doc.animations[1]
    for _, name in ipairs { "binding", "skeleton_name", "blend_hint" } do assert.is_nil(anim[name], name) end
    assert.same({ { "nil", "nil" }, { -1, -1 } }, { bones(anim) })
    assert.equal("track 1: no bone", tostring(anim.tracks[1]))
    assert(anim:decode())
    local ok, found = doc:check()
    assert.is_true(ok)
    assert.same({ "nothing binds it to a skeleton" }, map(found, function(e) return e.message end))
  end)

  it("of classes that nobody decodes are listed, and refused by name", function()
    each_layout(function(layout)
      local l = sample.layout(layout)
      local pad = ("\0"):rep(l.pointer_size == 8 and 8 or 0)
      local e = layout.endian or "<"
      local head = ("\0"):rep(l.pointer_size == 8 and 16 or 8)
        .. string.pack(e .. "i4fi4i4", l.version == "hk_2010.2" and 6 or 4, 2.5, 7, 1)
        .. ("\0"):rep(2 * l.pointer_size + 8) .. pad
      local signature = l.version == "hk_2010.2" and 0x3920F053 or 0x3158D9CE
      local object = sample.opaque("hkaQuantizedAnimation", signature, head .. ("\0"):rep(-#head % 16 + 64))
      local root = sample.root { { "", "hkaAnimationContainer",
        { class = "hkaAnimationContainer", animations = { object } } } }
      local doc = assert(lathe.parse((sample.build(root, layout))))
      local anim = doc.animations[1]
      assert.same({ 2.5, 0, 7, 1 }, { anim.duration, anim.frame_count, #anim.tracks, #anim.float_tracks })
      assert.same({}, lathe.totable(anim.annotations))
      for _, ask in ipairs { "decode", "decode_floats", "sample", "sample_floats" } do
        local got, err = anim[ask](anim, ask:find "sample" and 0 or nil)
        assert.is_nil(got)
        assert.equal("lathe does not read animations of this class (hkaQuantizedAnimation)", err.message)
        assert.equal("unsupported", err.code)
      end
    end)
  end)

  it("have no verbs that packfiles do not have", function()
    local doc = clip { frames = 3 }
    local ok, err = pcall(function() return doc.animations[1].explode end)
    assert.is_false(ok)
    assert.matches("no field 'explode' in animation", err, 1, true)
    ok, err = pcall(function() doc.animations[1].duration = 2 end)
    assert.is_false(ok)
    assert.matches("'duration' of an animation cannot be set", err, 1, true)
  end)
end)

describe("tracks of packfiles", function()
  local RIG = { { name = "Root", bones = { "Root", "COM", "Spine" }, float_slots = { "hkVis:a", "hkVis:b" } },
    { name = "Other", bones = { "o1", "o2" } } }

  it("move the bones that the binding says", function()
    each_layout(function(layout)
      local function tracks(opts)
        local doc = clip(sample.with(layout, sample.with({ tracks = 3, skeletons = RIG, skeleton_name = "Root" }, opts)))
        return bones(doc.animations[1])
      end
      local function odd(list) return select(2, tracks { bones = list }) end
      assert.same({ { "Spine", "nil", "Root" }, { 2, -1, 0 } }, { tracks { bones = { 2, -1, 0 } } })
      assert.same({ 0, 1, 2 }, odd {})                    -- no map: track i moves bone i
      assert.same({ 1, -1, -1 }, odd { 1 })               -- short
      assert.same({ 2, 1, 0 }, odd { 2, 1, 0, 5, 6 })     -- long
      assert.same({ 7, -1, 0 }, odd { 7, -300, 0 })       -- bones that are not there
      assert.same({ { "nil", "Root", "Root" }, { 7, 0, 0 } }, { tracks { bones = { 7, 0, 0 } } })
    end)
  end)

  it("find the skeleton by its name, or take the first", function()
    local function names(name)
      local doc = clip { game = "skyrim-se", tracks = 2, skeletons = RIG, skeleton_name = name }
      return (bones(doc.animations[1]))
    end
    assert.same({ "o1", "o2" }, names "Other")
    assert.same({ "Root", "COM" }, names "Root")
    assert.same({ "Root", "COM" }, names "nobody's")
    local doc = clip { game = "skyrim-se", tracks = 2 }
    assert.same({ { "nil", "nil" }, { 0, 1 } }, { bones(doc.animations[1]) })
  end)

  it("keep what they are called", function()
    local doc = clip { tracks = 2, track_names = { "Left \xFF", "b" } }
    assert.equal("Left \xFF", doc.animations[1].source.annotation_tracks[1].track_name)
  end)

  it("of floats drive slots", function()
    each_layout(function(layout)
      local doc = clip(sample.with(layout,
        { floats = { 1, 2, 3 }, slots = { 1, 0, -1 }, skeletons = RIG, skeleton_name = "Root" }))
      local list = doc.animations[1].float_tracks
      assert.equal(3, #list)
      assert.same({ "hkVis:b", "hkVis:a", "nil" }, map(list, function(t) return t.name end))
      assert.same({ 1, 0, -1 }, map(list, function(t) return t.slot_index end))
      assert.same({ 1, 2, 3 }, map(list, function(t) return t:sample(0) end))
      assert.equal("float track 1: slot 1 \"hkVis:b\"", tostring(list[1]))
      assert.equal("float track 3: no slot", tostring(list[3]))
      assert.equal("3 float tracks", tostring(list))
      assert.equal("float track", lathe.type(list[1]))
      assert.same({ 1, 2, 3 }, doc.animations[1]:sample_floats { time = 0 }:totable())
      assert.is_nil(list[4])
    end)
  end)

  it("are relative to their parents already", function()
    local doc = clip { tracks = 3, skeletons = RIG }
    local anim = doc.animations[1]
    local skeleton = doc.skeletons[1]
    assert.same(anim:decode():totable(), anim:decode { skeleton = skeleton }:totable())
    assert.same({ anim.tracks[2]:sample(1) }, { anim.tracks[2]:sample(1, { skeleton = { -1, 0, 1 } }) })
    local ok, err = pcall(anim.sample_floats, anim, { time = 0, skeleton = skeleton })
    assert.is_false(ok)
    assert.matches("no option 'skeleton'", err, 1, true)
  end)
end)

describe("events of packfiles", function()
  it("are those of all tracks, in the order of time", function()
    each_layout(function(layout)
      local doc = clip(sample.with(layout, { tracks = 3, frames = 60, annotations = {
        { track = 2, time = 0.5, text = "c\xE9\xFF" }, { track = 0, time = 1, text = "d" },
        { track = 1, time = 0, text = "" }, { track = 0, time = 0.25, text = "b" }, { track = 2, time = 0.25, text = "b2" },
      } }))
      local list = lathe.totable(doc.animations[1].annotations)
      for _, annotation in ipairs(list) do
        local stored = annotation.source
        assert.same({ annotation.time, annotation.text }, { stored.time, stored.text or "" })
        annotation.source = nil
      end
      assert.same({ { time = 0, text = "", track = 1 }, { time = 0.25, text = "b", track = 0 },
        { time = 0.25, text = "b2", track = 2 }, { time = 0.5, text = "c\xE9\xFF", track = 2 },
        { time = 1, text = "d", track = 0 } }, list)
    end)
  end)

  it("may be without a text, and more than tracks", function()
    local parts = sample.animation { tracks = 1, frames = 3, annotations = { { time = 0, text = "a" } } }
    parts.animation.annotation_tracks[1].annotations[2] = { time = 0.01 }
    parts.animation.annotation_tracks[2] = { track_name = "x", annotations = { { time = 0.02, text = "z" } } }
    local root = sample.root { { "", "hkaAnimationBinding", parts.binding } }
    local doc = assert(lathe.parse((sample.build(root, {}))))
    local list = doc.animations[1].annotations
    assert.same({ "a", "", "z" }, map(list, function(a) return a.text end))
    assert.equal(1, list[3].track)
    local ok, found = doc:check()
    assert.is_true(ok)
    assert.same({ "2 of them for 1 transform tracks", "an event without a text" },
      map(found, function(e) return e.message:gsub(" %(hka.*", "") end))
  end)
end)

describe("root motion of packfiles", function()
  it("has a row for each frame", function()
    each_layout(function(layout)
      local doc = clip(sample.with(layout, { frames = 5, motion = function(f) return { f, 2 * f, 0.5, f / 4 } end }))
      local motion = doc.animations[1].root_motion
      assert.same({ 5, 4 }, { motion.rows, motion.columns })
      for f = 0, 4 do assert.same({ f, 2 * f, 0.5, f / 4 }, { motion:row(f + 1) }) end
    end)
  end)

  it("is spread over the frames where it has more or fewer samples", function()
    local function rows(frames, samples)
      local doc = clip { game = "fallout4", frames = frames, motion = samples }
      return map({ doc.animations[1].root_motion:pack():gsub(("."):rep(16), function(s)
        return ("%g;"):format((string.unpack("<f", s)))
      end) }, function(s) return type(s) == "string" and s or nil end)[1]
    end
    assert.equal("0;2;4;6;8;", rows(5, { { 0, 0, 0, 0 }, { 4, 0, 0, 0 }, { 8, 0, 0, 0 } }))
    assert.equal("0;2;4;", rows(3, { { 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 2, 0, 0, 0 }, { 3, 0, 0, 0 }, { 4, 0, 0, 0 } }))
    assert.equal("7;7;", rows(2, { { 7, 0, 0, 0 } }))
    assert.equal("7;", rows(1, { { 7, 0, 0, 0 }, { 9, 0, 0, 0 } }))
  end)

  it("is none where there are no samples", function()
    local doc = clip { game = "fallout4", frames = 2, motion = {} }
    assert.is_nil(doc.animations[1].root_motion)
  end)
end)

-- ---- edits ----------------------------------------------------------------------------------------

describe("edits of animations in packfiles", function()
  it("show at once, and go with undo", function()
    each_layout(function(layout)
      local doc = clip(sample.with(layout, { frames = 3, tracks = { { translation = { x = 4 } } } }), 9)
      local anim = doc.animations[1]
      local track, source = anim.tracks[1], anim.source
      assert.equal(4, x_at(track, 0))
      local bytes = lathe.bytes and source.data
      local data = type(bytes) == "string" and bytes or bytes:pack()
      local at = #data:match("^(.-)" .. string.pack((layout.endian or "<") .. "f", 4):gsub("%W", "%%%0"))
      source.data = data:sub(1, at) .. string.pack((layout.endian or "<") .. "f", -8.5) .. data:sub(at + 5)
      assert.equal(-8.5, x_at(track, 0))
      assert.equal(-8.5, (anim:decode():row(1)))
      assert.is_true(doc:undo())
      assert.equal(4, x_at(track, 0))
      assert.is_true(doc:redo())
      assert.equal(-8.5, x_at(track, 2))
      assert.has_error(function()
        doc:edit(function()
          source.data = data
          assert.equal(4, x_at(track, 0))
          error "no"
        end)
      end)
      assert.equal(-8.5, x_at(track, 0))
    end)
  end)

  it("of members show, and are refused while they lie", function()
    local doc = clip({ game = "skyrim-se", frames = 3, tracks = { moving(1) }, skeletons = { { bones = 2 } } }, 9)
    local anim = doc.animations[1]
    assert.is_near(2, x_at(anim.tracks[1], 2), 1e-4)
    anim.source.duration = 5
    assert.equal(5, anim.duration)
    anim.source.num_frames = 2
    assert.equal(2, anim.frame_count)
    assert.equal(2, anim:decode().rows)
    anim.source.num_frames = -1
    assert.is_nil((anim:decode()))
    assert.equal(0, anim.frame_count)
    for _ = 1, 3 do doc:undo() end
    assert.same({ 3, 3 }, { anim.frame_count, anim:decode().rows })
    anim.binding.blend_hint = "additive"
    assert.equal("additive", anim.blend_hint)
    doc.skeletons[1].bones[1].name = "a view"
    assert.equal("a view", anim.tracks[1].bone)
    doc.skeletons[1].source.bones[1].name = "the original"
    assert.equal("the original", anim.tracks[1].bone)
  end)

  it("of pointers show", function()
    local doc = clip({ game = "skyrim-se", clips = { { frames = 2 }, { frames = 3 } } }, 9)
    local container = doc.root.named_variants[1].variant
    local first, second = doc.animations[1].source, doc.animations[2].source
    container.animations[1], container.animations[2] = second, first
    assert.same({ 3, 2 }, map(doc.animations, function(a) return a.frame_count end))
    doc:undo()
    doc:undo()
    assert.same({ 2, 3 }, map(doc.animations, function(a) return a.frame_count end))
  end)

  it("lead to no view of another document's memory", function()
    local doc = clip { game = "skyrim-se", frames = 3, tracks = { moving(1) } }
    local anim = doc.animations[1]
    assert(anim:decode())
    doc:close()
    assert.has_error(function() return anim.duration end, "document is closed")
    assert.has_error(function() return anim:decode() end, "document is closed")
  end)
end)

-- ---- check ----------------------------------------------------------------------------------------

-- What check() says: { "error path: message", … }.
local function findings(doc)
  local _, list = doc:check()
  return map(list, function(e) return ("%s %s: %s"):format(e.level, e.where, (e.message:gsub(" %(hk%w+%)$", ""))) end)
end

local function has(list, text)
  for _, one in ipairs(list) do
    if one:find(text, 1, true) then return end
  end
  error(("no %q in:\n%s"):format(text, table.concat(list, "\n")), 2)
end

describe("check() of packfiles", function()
  it("finds nothing in sound files of any layout", function()
    each_layout(function(layout)
      local doc = clip(sample.with(layout, { frames = 40, max_frames_per_block = 16, tracks = 3, floats = { 1 }, fps = 30,
        annotations = { { time = 0.5, text = "a" } }, motion = true, skeleton_name = "Root",
        skeletons = { { bones = 4, float_slots = { "a" } } } }))
      assert.same({}, findings(doc))
    end)
  end)

  local function changed(opts, change)
    local doc = clip(sample.with({ game = "skyrim-se", frames = 20, fps = 30, skeleton_name = "Root" }, opts))
    change(doc.animations[1].source, doc.animations[1].binding, doc)
    return findings(doc)
  end

  it("finds times that do not agree", function()
    local function only(name, value, text)
      local list = changed({}, function(source) source[name] = value end)
      assert.equal(1, #list, table.concat(list, "\n"))
      assert.matches(text, list[1])
    end
    only("duration", 9, "^warning objects%[%d%]%.duration: 9 is stored, 0%.633333 would agree")
    only("block_duration", 9, "block_duration: 9 is stored, 8%.5 would agree")
    only("block_inverse_duration", 9, "block_inverse_duration: 9 is stored, 0%.117647 would agree")
    has(changed({}, function(source) source.frame_duration = 0 end), "error objects[3].frame_duration: 0 s")
  end)

  it("finds events outside of the animation, and out of order", function()
    local list = changed({ annotations = { { time = 3, text = "late" }, { time = -1, text = "early" } } }, function() end)
    has(list, "warning objects[3].annotation_tracks[1].annotations[1].time: 3 s, outside of the animation's 0.633333")
    has(list, "annotations[2].time: -1 s, outside of the animation's 0.633333")
    has(list, "annotations[2].time: -1 s, behind one at 3: not in the order of time")
  end)

  it("finds maps that lead nowhere", function()
    local list = changed({ skeletons = { { bones = 2, float_slots = { "a" } } }, bones = { 0, 2, -2 }, floats = { 1, 2 },
      slots = { 0 } }, function() end)
    has(list, "transform_track_to_bone_indices[2]: 2 is no bone of the skeleton, which has 2")
    has(list, "transform_track_to_bone_indices[3]: -2 is no bone of the skeleton, which has 2")
    has(list, "float_track_to_float_slot_indices: 1 of them for 2 tracks")
    assert.equal(3, #list)
  end)

  it("finds skeletons that hold no pose", function()
    local doc = assert(lathe.parse((sample.skeleton { bones = { { name = "" }, { parent = 5 }, { parent = 2 },
      { parent = 4 }, { parent = 0, rotation = { 0, 0, 0, 0 } }, { parent = 0, rotation = { 0 / 0, 0, 0, 1 } },
      { parent = 0, rotation = { 0, 0, 0, 2 } }, { parent = -7 }, { parent = 99 } } })))
    local list = findings(doc)
    has(list, "warning objects[3].bones[1]: a bone without a name")
    has(list, "error objects[3].parent_indices[2]: a parent behind its child: bone 5")
    has(list, "error objects[3].parent_indices[3]: its own parent: bone 2")
    has(list, "error objects[3].parent_indices[4]: a parent behind its child: bone 4")
    has(list, "error objects[3].reference_pose[5]: a rotation of length 0")
    has(list, "error objects[3].reference_pose[6]: a rotation of what are no finite numbers")
    has(list, "warning objects[3].reference_pose[7]: a rotation whose length is not 1")
    has(list, "error objects[3].parent_indices[8]: bone -7 is the parent, of 9")
    has(list, "error objects[3].parent_indices[9]: bone 99 is the parent, of 9")
  end)

  it("finds variants of another class", function()
    local skeleton = sample.skeleton_object {}
    local root = sample.root { { "a", "hkaSkeletn", skeleton }, { "b", "hkaSkeleton", skeleton }, { "c", "any" } }
    assert.same({ "error objects[1].named_variants[1].class_name: not what the object is of: hkaSkeleton" },
      findings(assert(lathe.parse((sample.build(root, {}))))))
  end)

  it("finds lists of the container that hold something else", function()
    local skeleton = sample.skeleton_object {}
    local root = sample.root { { "", "hkaAnimationContainer",
      { class = "hkaAnimationContainer", animations = { skeleton }, skeletons = { false, skeleton } } } }
    local list = findings(assert(lathe.parse((sample.build(root, {})))))
    has(list, "error objects[2].animations[1]: points to no animation, but to hkaSkeleton")
    has(list, "warning objects[2].skeletons[1]: points to no skeleton")
  end)

  it("finds signatures of other versions", function()
    local _, parts, bytes = clip { game = "skyrim-se", frames = 3 }
    for _, name in ipairs(parts.info.class_names) do
      if name.name == "hkaAnimationBinding" then
        local at = bytes:find("hkaAnimationBinding\0", 1, true) - 1 - 5
        local doc = assert(lathe.parse(sample.patch(bytes, at, string.pack("<I4", 0x12345678))))
        assert.same({ "warning class_names[8].signature: 0x12345678 is another version of hkaAnimationBinding, which is "
          .. "known as 0x66eac971", "warning objects[3]: nothing binds it to a skeleton" }, findings(doc))
        for _, object in ipairs(doc.objects) do
          local problem = lathe.problem(object)
          assert.equal(lathe.type(object) == "hkaAnimationBinding" and "another version of hkaAnimationBinding: the file "
            .. "has the signature 0x12345678, lathe knows 0x66eac971" or nil, problem and problem.message)
        end
      end
    end
  end)

  it("finds records of the tables that lead astray", function()
    local _, _, bytes = clip { game = "skyrim-se", frames = 3, skeletons = { { bones = 2 } } }
    local function broken(change)
      local p = pieces.split(bytes)
      change(p)
      return findings(assert(lathe.parse(pieces.join(p))))
    end
    local function hex(n) return ("0x%x"):format(n) end
    has(broken(function(p) p.locals[2][2] = #p.data + 16 end), "local_fixups.fixups[2]: points outside of the data, to")
    has(broken(function(p) p.globals[2][1] = #p.data - 4 end),
      "global_fixups.fixups[2]: a pointer outside of the data, at")
    has(broken(function(p) p.globals[1][2] = 1 end), "global_fixups.fixups[1]: points into another section")
    has(broken(function(p) p.globals[1][3] = p.globals[1][3] + 16 end),
      "global_fixups.fixups[1]: points to where no object begins")
    has(broken(function(p) p.locals[#p.locals + 1] = { p.locals[3][1], p.locals[#p.locals][2] } end),
      ": one more for the pointer at")
    has(broken(function(p) p.globals[#p.globals + 1] = { p.locals[3][1], 2, p.globals[#p.globals][3] } end),
      ": a local fixup is there, too, for the pointer at")
    has(broken(function(p) p.locals[3][1] = p.locals[2][1] + 4 end), "overlaps another pointer")
    has(broken(function(p) p.locals[1], p.locals[2] = p.locals[2], p.locals[1] end),
      "warning local_fixups.fixups[2]: out of order")
    has(broken(function(p) p.globals[1], p.globals[#p.globals] = p.globals[#p.globals], p.globals[1] end),
      "warning global_fixups.fixups[2]: out of order")
    has(broken(function(p) p.virtuals[1], p.virtuals[2] = p.virtuals[2], p.virtuals[1] end),
      "warning virtual_fixups.fixups[2]: out of order")
    has(broken(function(p) p.locals[2][1] = p.locals[2][1] + 1 end), "a pointer at an odd place")
    has(broken(function(p) p.locals[#p.locals][2] = 0 end), "points into another object, at " .. hex(0))
  end)

  it("finds objects that are too short", function()
    local root = sample.root { { "", "hkaSkeleton", sample.opaque("hkaSkeleton", 0x366E8220, ("\0"):rep(32)) } }
    local doc = assert(lathe.parse((sample.build(root, { game = "skyrim-se" }))))
    has(findings(doc), "hkaSkeleton takes 120 bytes, 32 are there")
    assert.equal(1, #doc.skeletons)
    local ok, err = pcall(function() return doc.skeletons[1].name end)
    assert.is_false(ok)
    assert.matches("takes 120 bytes, 32 are there", tostring(err), 1, true)
  end)
end)
