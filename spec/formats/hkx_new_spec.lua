-- Packfiles made of a skeleton, an animation or both: what games' files have, and what is refused.

local helper = require "helper"
local lathe = require "lathe"
local reader = require "hkx_reader"
local reference = require "spline_reference"

local GAMES = { "skyrim-le", "skyrim-se", "fallout4" }

-- ---- helpers --------------------------------------------------------------------------------------

local function made(fields)
  local doc = assert(lathe.new("hkx", fields))
  local bytes = doc:encode()
  assert.equal(bytes, doc:serialize())
  local ok, findings = doc:check()
  if not ok or #findings > 0 then error(tostring(findings[1]), 0) end
  return doc, bytes
end

local function refused(fields)
  local doc, err = lathe.new("hkx", fields)
  assert.is_nil(doc)
  return tostring(err)
end

-- The object of a class, as the plain reader sees it.
local function object_of(bytes, class)
  local file = reader.read(bytes)
  for _, object in ipairs(file.objects) do
    if object.class == class then return file:members(object) end
  end
  return nil
end

local function classes_of(bytes)
  local list = {}
  for i, object in ipairs(reader.read(bytes).objects) do list[i] = object.class end
  return list
end

local function variants_of(bytes)
  local list = {}
  for i, v in ipairs(object_of(bytes, "hkRootLevelContainer").named_variants) do
    list[i] = v.name .. ": " .. v.class_name
  end
  return list
end

-- How far two rows are apart: translation, angle, scale.
local function apart(a, b)
  local most, dot, chord = { 0, 0, 0 }, 0, 0
  for i = 1, 3 do
    most[1] = math.max(most[1], math.abs(a[i] - b[i]))
    most[3] = math.max(most[3], math.abs(a[7 + i] - b[7 + i]))
  end
  for i = 4, 7 do dot = dot + a[i] * b[i] end
  for i = 4, 7 do chord = chord + (a[i] - (dot < 0 and -b[i] or b[i])) ^ 2 end
  most[2] = 4 * math.asin(math.min(1, math.sqrt(chord) / 2))
  return most
end

local TOLERANCE = { 0.01, 0.002, 0.001 }

-- All samples of a file, as the plain evaluator reads them, are those that were given.
local function has_samples(bytes, samples, tolerance)
  local judge = reference.new(object_of(bytes, "hkaSplineCompressedAnimation"))
  local tracks = judge.number_of_transform_tracks
  assert.equal(samples.rows, judge.num_frames * tracks)
  local worst = { 0, 0, 0 }
  for frame = 0, judge.num_frames - 1 do
    for track = 1, tracks do
      local off = apart({ samples:row(frame * tracks + track) }, judge:at_frame(track, frame))
      for i = 1, 3 do worst[i] = math.max(worst[i], off[i]) end
    end
  end
  for i = 1, 3 do
    local limit = (tolerance or TOLERANCE)[i]
    assert.is_true(worst[i] <= limit * 1.001 + 2e-6, ("%d: off by %.9g, not %g"):format(i, worst[i], limit))
  end
end

-- Of all files these come first.
local function classes(...)
  return { "hkRootLevelContainer", "hkaAnimationContainer", ... }
end

local function each(list, field)
  local out = {}
  for i, one in ipairs(list) do out[i] = one[field] end
  return out
end

-- What lathe.new takes to make a clip again.
local function described(anim, more)
  local fields = { bones = each(anim.tracks, "bone_index"), duration = anim.duration, samples = anim:decode(),
    annotations = anim.annotations, root_motion = anim.root_motion or false, skeleton_name = anim.skeleton_name,
    additive = anim.blend_hint == "additive" }
  if #anim.float_tracks > 0 then
    fields.float_tracks = { samples = anim:decode_floats(), slots = each(anim.float_tracks, "slot_index") }
  end
  for k, v in pairs(more or {}) do fields[k] = v end
  return fields
end

-- A short clip of two bones: the second one turns.
local function samples_of(frames)
  local rows = {}
  for f = 0, frames - 1 do
    rows[#rows + 1] = { f / 4, 0, 1, 0, 0, 0, 1, 1, 1, 1 }
    rows[#rows + 1] = { 0, 2, 0, 0, 0, math.sin(f / 20), math.cos(f / 20), 1, 1, 1 }
  end
  return rows
end

local function clip(more)
  local fields = { bones = { 0, 1 }, samples = samples_of(5) }
  for k, v in pairs(more or {}) do fields[k] = v end
  return fields
end

local function bones()
  return { { name = "Root" }, { name = "Spine", parent = 0, pose = { t = { 0, 0, 3 } } },
    { name = "Arm", parent = 1, pose = { t = { 1, 2, 3 }, q = { 0, 0, 0.6, 0.8 }, s = { 1, 1, 2 } },
      lock_translation = true } }
end

local function rig(more)
  local fields = { bones = bones(), float_slots = { "hkVis:Weapon", "hkFade:A" } }
  for k, v in pairs(more or {}) do fields[k] = v end
  return fields
end

-- ---- as in the games' files -----------------------------------------------------------------------

local CLIPS = {
  ["fallout4"] = { "fo4/CoughingAfterCryo", "fo4/Death1", "fo4/SneakIdle", "fo4/run_forward_to_idle" },
  ["skyrim-le"] = { "skyrim-le/1hm_staggerbacksmallest" },
  ["skyrim-se"] = { "skyrim-se/bow_drawlight", "skyrim-se/chair_idlearmscrossedvar1", "skyrim-se/sneak_1hmattackintro",
    "skyrim-se/sneakmtidle" },
}

describe("clips of the corpus #corpus", function()
  -- What depends on the encoder alone.
  local function strip(all)
    for _, object in ipairs(all.objects) do
      if object.data then object.data, object.block_offsets, object.float_block_offsets = nil, nil, nil end
    end
    all.bytes = nil
    return all
  end

  for _, game in ipairs(GAMES) do
    for _, name in ipairs(CLIPS[game]) do
      it("are made again of their own samples: " .. name, function()
        local folder = helper.need_corpus("hkx", pending)
        local old <close> = assert(lathe.open(("%s/%s.hkx"):format(folder, name)))
        local samples = old.animations[1]:decode()
        local new <close>, bytes = made { game = game, animation = described(old.animations[1]) }
        assert.same(classes_of(old:encode()), classes_of(bytes))
        assert.same(variants_of(old:encode()), variants_of(bytes))
        assert.same(strip(old:totable()), strip(new:totable()))
        has_samples(bytes, samples)
      end)
    end
  end

  it("of tools are made again in the games' own way", function()
    local folder = helper.need_corpus("hkx", pending)
    local old <close> = assert(lathe.open(folder .. "/skyrim-le/SOSFastErect.hkx"))
    local anim = old.animations[1]
    local new <close>, bytes = made { game = "skyrim-le", animation = described(anim) }
    assert.same({ "Merged Animation Container: hkaAnimationContainer", "Resource Data: hkMemoryResourceContainer" },
      variants_of(bytes))
    assert.equal("additive", new.animations[1].blend_hint)
    assert.equal("NPC GenitalsBase [GenBase]", new.animations[1].skeleton_name)
    has_samples(bytes, anim:decode())
  end)

  it("are made again of names, where they have a skeleton linked", function()
    local folder = helper.need_corpus("hkx", pending)
    local skeleton <close> = assert(lathe.open(folder .. "/skyrim-se/skeleton.hkx"))
    local old <close> = assert(lathe.open(folder .. "/skyrim-se/bow_drawlight.hkx", { skeleton = skeleton }))
    local anim = old.animations[1]
    local _ <close>, want = made { game = "skyrim-se", animation = described(anim) }
    local _ <close>, bytes = made { game = "skyrim-se", animation = described(anim, { skeleton = skeleton,
      bones = each(anim.tracks, "bone"),
      float_tracks = { samples = anim:decode_floats(), slots = each(anim.float_tracks, "name") } }) }
    assert.equal("hkVis:Shield", anim.float_tracks[1].name)
    assert.equal(want, bytes)
  end)

  it("go from one game to another, with bones by their names", function()
    local folder = helper.need_corpus("hkx", pending)
    local old <close> = assert(lathe.open(folder .. "/skyrim-se/bow_drawlight.hkx"))
    local skeleton <close> = assert(lathe.open(folder .. "/skyrim-se/skeleton.hkx"))
    local anim = old.animations[1]
    local fields = described(anim, { bones = each(skeleton.skeletons[1].bones, "name"), skeleton = skeleton })
    fields.skeleton_name = nil
    local new <close>, bytes = made { game = "fallout4", animation = fields }
    local binding = object_of(bytes, "hkaAnimationBinding")
    assert.equal("NPC Root [Root]", binding.original_skeleton_name)
    assert.equal(99, #binding.transform_track_to_bone_indices)
    assert.same(each(anim.annotations, "text"), each(new.animations[1].annotations, "text"))
    has_samples(bytes, anim:decode())
  end)
end)

describe("what other files of the corpus hold #corpus", function()
  it("is made for each game: an animation with root motion", function()
    local folder = helper.need_corpus("tagfile", pending)
    local old <close> = assert(lathe.open(folder .. "/DSR_a00_0000.hkx"))
    local anim = old.animations[1]
    for _, game in ipairs(GAMES) do
      local new <close>, bytes = made { game = game, animation = described(anim) }
      assert.same(classes("hkaSplineCompressedAnimation", "hkaDefaultAnimatedReferenceFrame", "hkaAnimationBinding",
        "hkMemoryResourceContainer"), classes_of(bytes))
      has_samples(bytes, anim:decode())
      for i = 1, 121 do assert.same({ anim.root_motion:row(i) }, { new.animations[1].root_motion:row(i) }) end
    end
  end)

  it("is made for each game: a skeleton", function()
    local folder = helper.need_corpus("tagfile", pending)
    local old <close> = assert(lathe.open(folder .. "/DSR_Skeleton.hkx"))
    for _, game in ipairs(GAMES) do
      local new <close> = made { game = game, skeleton = old }
      assert.same(lathe.totable(old.skeletons[1].bones), lathe.totable(new.skeletons[1].bones))
      local locked = old.skeletons[1].source.bones[2].lock_translation
      assert.equal(locked, new.objects[3].bones[2].lock_translation)
    end
  end)
end)

describe("skeletons of the corpus #corpus", function()
  local SKELETONS = { ["fo4/skeleton"] = "fallout4", ["skyrim-le/skeleton"] = "skyrim-le",
    ["skyrim-se/skeleton"] = "skyrim-se",
    ["skyrim-le/skeever_skeleton"] = "skyrim-le", ["skyrim-le/skeleton_troll"] = "skyrim-le" }
  for name, own in pairs(SKELETONS) do
    it("are made again: " .. name, function()
      local folder = helper.need_corpus("hkx", pending)
      local old <close> = assert(lathe.open(("%s/%s.hkx"):format(folder, name)))
      local was = old.objects[3]:totable()
      for _, game in ipairs(GAMES) do
        local new <close>, bytes = made { game = game, skeleton = old.skeletons[1] }
        local is = new.objects[3]:totable()
        assert.same(lathe.totable(old.skeletons[1].bones), lathe.totable(new.skeletons[1].bones))
        for _, field in ipairs { "name", "bones", "parent_indices", "float_slots", "reference_floats" } do
          assert.same(was[field], is[field])
        end
        assert.equal("Merged Animation Container: hkaAnimationContainer", variants_of(bytes)[1])
        assert.equal(variants_of(bytes)[2], game ~= "fallout4" and "Resource Data: hkMemoryResourceContainer" or nil)
        if game == own then
          assert.same({ table.unpack(classes_of(old:encode()), 1, 3) }, { table.unpack(classes_of(bytes), 1, 3) })
        end
        -- the same of a document, and of a table
        local of_doc <close> = made { game = game, skeleton = new }
        assert.equal(bytes, of_doc:encode())
        local list = lathe.totable(new.skeletons[1].bones)
        for i, bone in ipairs(list) do bone.lock_translation = is.bones[i].lock_translation end
        local of_table <close> = made { game = game, skeleton = { name = is.name, bones = list,
          float_slots = new.skeletons[1].float_slots, reference_floats = is.reference_floats } }
        assert.equal(bytes, of_table:encode())
      end
    end)
  end

  it("go with the clip that is made for them", function()
    local folder = helper.need_corpus("hkx", pending)
    local old <close> = assert(lathe.open(folder .. "/skyrim-le/skeleton.hkx"))
    local anim <close> = assert(lathe.open(folder .. "/skyrim-le/1hm_staggerbacksmallest.hkx"))
    local fields = described(anim.animations[1])
    fields.bones = nil
    local new <close> = made { game = "skyrim-le", skeleton = old, animation = fields }
    assert.same(each(old.skeletons[1].bones, "name"), each(new.animations[1].tracks, "bone"))
    assert.same(old.skeletons[1].float_slots[5], new.animations[1].float_tracks[1].name)
  end)
end)

-- ---- what may be told, and what is left out ---------------------------------------------------------

describe("a packfile of a description", function()
  for _, game in ipairs(GAMES) do
    local old = game ~= "fallout4"

    it("has the objects in the order of the games' files: " .. game, function()
      local function list(fields)
        fields.game = game
        local doc <close>, bytes = made(fields)
        assert.equal(old and "hk_2010.2.0-r1" or "hk_2014.1.0-r1", reader.read(bytes).contents_version)
        assert.equal(game == "skyrim-le" and 4 or 8, doc.pointer_size)
        return classes_of(bytes)
      end
      local spline, motion = "hkaSplineCompressedAnimation", "hkaDefaultAnimatedReferenceFrame"
      local binding, memory = "hkaAnimationBinding", "hkMemoryResourceContainer"
      assert.same(old and classes("hkaSkeleton", memory) or classes "hkaSkeleton", list { skeleton = rig() })
      assert.same(old and classes(spline, binding, memory) or classes(spline, motion, binding, memory),
        list { animation = clip() })
      assert.same(classes("hkaSkeleton", spline, motion, binding, memory),
        list { skeleton = rig(), animation = clip { root_motion = { { 0, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 2, 0, 0 },
          { 0, 3, 0, 0 }, { 0, 4, 0, 0.5 } } } })
      assert.same(classes(spline, binding, memory), list { animation = clip { root_motion = false } })
    end)

    it("has the skeleton that a table tells: " .. game, function()
      local doc <close>, bytes = made { game = game, skeleton = rig { name = "Rig", reference_floats = { 0.5, 1 } } }
      local one = object_of(bytes, "hkaSkeleton")
      assert.equal("Rig", one.name)
      assert.same({ -1, 0, 1 }, one.parent_indices)
      assert.same({ "Root", "Spine", "Arm" }, each(one.bones, "name"))
      assert.same({ 0, 0, 1 }, each(one.bones, "lock_translation"))
      assert.same({ "hkVis:Weapon", "hkFade:A" }, one.float_slots)
      assert.same({ 0.5, 1 }, one.reference_floats)
      local pose = doc.skeletons[1].bones[3].pose
      assert.same({ 1, 2, 3 }, lathe.totable(pose.t))
      assert.same({ 1, 1, 2 }, lathe.totable(pose.s))
      assert.is_true(math.abs(pose.q[3] - 0.6) < 1e-7 and math.abs(pose.q[4] - 0.8) < 1e-7)
      assert.is_nil(doc.animations[1])
    end)

    it("has the clip that a table tells: " .. game, function()
      local doc <close>, bytes = made { game = game, animation = clip { fps = 10, additive = true, samples = samples_of(21),
        annotations = { { time = 2, text = "End", track = 1 }, { time = 0.5, text = "FootLeft" },
          { time = 0.5, text = "" }, { time = 2, text = "End too", track = 1 } } } }
      local anim, object = doc.animations[1], object_of(bytes, "hkaSplineCompressedAnimation")
      assert.same({ 2, 21, 2, "additive" }, { anim.duration, anim.frame_count, #anim.tracks, anim.blend_hint })
      assert.equal(old and 5 or 3, object.type)
      assert.same({ "", "" }, each(object.annotation_tracks, "track_name"))
      local list = {}
      for i, a in ipairs(anim.annotations) do list[i] = ("%g %d %s"):format(a.time, a.track, a.text) end
      assert.same({ "0.5 0 FootLeft", "0.5 0 ", "2 1 End", "2 1 End too" }, list)
      local binding = object_of(bytes, "hkaAnimationBinding")
      assert.same(old and {} or { 0, 1 }, binding.transform_track_to_bone_indices)
      assert.equal(old and "NPC Root [Root]" or "Root", binding.original_skeleton_name)
      assert.equal(old and 1 or 2, binding.blend_hint)
      local motion = object_of(bytes, "hkaDefaultAnimatedReferenceFrame")
      assert.equal(old, motion == nil)
      if motion then
        assert.equal(21, #motion.reference_frame_samples)
        assert.equal(2, motion.duration)
      end
    end)

    it("binds bones and slots by name, or by number: " .. game, function()
      local fields = clip { bones = { "Arm", 0 }, float_tracks = { slots = { "hkFade:A" }, samples = { 0, 0, 0.5, 1, 1 } } }
      for _, where in ipairs { "clip", "file" } do
        fields.skeleton = where == "clip" and rig() or nil
        local doc <close>, bytes = made { game = game, animation = fields, skeleton = where == "file" and rig() or nil }
        local binding = object_of(bytes, "hkaAnimationBinding")
        assert.same({ 2, 0 }, binding.transform_track_to_bone_indices)
        assert.same({ 1 }, binding.float_track_to_float_slot_indices)
        assert.equal("Root", binding.original_skeleton_name)
        assert.equal(where == "file", doc.skeletons[1] ~= nil)
        local values = doc.animations[1]:decode_floats()
        for i, v in ipairs { 0, 0, 0.5, 1, 1 } do assert.is_true(math.abs(values[i] - v) <= 0.001) end
      end
    end)
  end

  it("moves all bones of a skeleton where none are named", function()
    local rows = {}
    for i = 1, 6 do rows[i] = { i, 0, 0, 0, 0, 0, 1, 1, 1, 1 } end
    local doc <close> = made { game = "skyrim-le", animation = { skeleton = { -1, 0, 1 }, samples = rows } }
    assert.same({ 2, 3 }, { doc.animations[1].frame_count, #doc.animations[1].tracks })
  end)

  it("takes samples as a buffer, as rows or as a list of numbers", function()
    local rows, flat = samples_of(4), {}
    local doc <close>, bytes = made { game = "fallout4", animation = clip { samples = rows } }
    for _, row in ipairs(rows) do table.move(row, 1, 10, #flat + 1, flat) end
    local of_numbers <close> = made { game = "fallout4", animation = clip { samples = flat } }
    assert.equal(bytes, of_numbers:encode())
    local exact <close>, first = made { game = "fallout4", animation = clip { samples = rows, quantization = "none" } }
    has_samples(first, exact.animations[1]:decode())
    local again <close> = made { game = "fallout4", animation = clip { samples = doc.animations[1]:decode() } }
    assert.equal(4, again.animations[1].frame_count)
  end)

  it("has root motion of any of these, too", function()
    local doc <close> = made { animation = clip { root_motion = { 0, 0, 0, 0, 1, 2, 3, 0.5, 2, 4, 6, 1, 3, 6, 9, 1.5,
      4, 8, 12, 2 } } }
    assert.same({ 4, 8, 12, 2 }, { doc.animations[1].root_motion:row(5) })
  end)

  it("may have one frame, or many", function()
    for _, frames in ipairs { 1, 2, 3, 256, 257, 1000 } do
      local doc <close>, bytes = made { game = "skyrim-se", animation = clip { samples = samples_of(frames),
        max_frames_per_block = frames == 3 and 2 or nil } }
      assert.equal(frames, doc.animations[1].frame_count)
      assert.is_true(math.abs((frames - 1) / 30 - doc.animations[1].duration) < 1e-5)
      local buffer = doc.animations[1]:decode()
      has_samples(bytes, buffer)
      local object = object_of(bytes, "hkaSplineCompressedAnimation")
      assert.equal(frames == 3 and 2 or math.max(1, math.ceil((frames - 1) / 255)), object.num_blocks)
    end
  end)

  it("is as near to the samples as it is told to be", function()
    local rows = samples_of(40)
    local fine <close>, bytes = made { animation = clip { samples = rows, quantization = 48,
      tolerance = { translation = { 0.001, 0.1 }, rotation = 0.0005, scale = 0.0001 } } }
    local judge = reference.new(object_of(bytes, "hkaSplineCompressedAnimation"))
    for f = 0, 39 do
      for track = 1, 2 do
        local off = apart(rows[2 * f + track], judge:at_frame(track, f))
        assert.is_true(off[1] <= (track == 1 and 0.001 or 0.1) + 1e-6 and off[2] <= 0.0005 + 1e-6, f)
      end
    end
    assert.equal(1 | 2 << 2 | 1 << 6, fine.objects[3].data:byte(1) | 1 | 1 << 6)
  end)

  it("is told with what became of its samples", function()
    local doc, report = assert(lathe.new("hkx", { animation = clip() }))
    local size = #object_of(doc:encode(), "hkaSplineCompressedAnimation").data
    assert.same({ bytes = size, skipped = {} }, report)
    local rows, values = {}, {}
    for f = 0, 49 do
      rows[f + 1] = { 50000 * math.sin(f / 9), 0, 0, 0, 0, 0, 1, 1, 1, 1 }
      values[f + 1] = math.sin(f / 6)
    end
    doc, report = assert(lathe.new("hkx", { animation = { bones = { 0 }, samples = rows,
      float_tracks = { samples = values } } }))
    assert.equal(1, #report.skipped)
    assert.equal("animation: translation of track 0", report.skipped[1].path)
    assert.matches("^16 bits of its range come to [%d.]+, the tolerance is 0.01$", report.skipped[1].reason)
    assert.same({ "animation: 1 float track is written as splines, which no known file has" }, report.notes)
    -- where nothing is encoded there is nothing to tell
    assert.equal(1, select("#", lathe.new("hkx", { skeleton = { bones = { { name = "Root", parent = -1 } } } })))
    assert.equal(1, select("#", lathe.new("hkx", doc:totable())))
  end)

  it("is for Fallout 4 where no game is told", function()
    local doc <close>, bytes = made { animation = clip() }
    local other <close> = made { game = "fallout4", animation = clip() }
    assert.equal(other:encode(), bytes)
    assert.equal("Fallout 4", doc.game)
  end)

  it("can be edited as any other", function()
    local doc <close> = made { game = "skyrim-le", skeleton = rig(), animation = clip { annotations = {
      { time = 0, text = "a" } } } }
    doc.objects[4].annotation_tracks[1].annotations[1].text = "longer"
    assert.equal(doc:encode(), doc:serialize())
  end)

  it("takes the skeletons of other formats", function()
    local other <close> = made { game = "skyrim-le", skeleton = rig() }
    local doc <close> = made { skeleton = other.skeletons[1] }
    assert.same(lathe.totable(other.skeletons[1].bones), lathe.totable(doc.skeletons[1].bones))
    assert.is_true(doc.objects[3].bones[3].lock_translation)
  end)
end)

-- ---- what is refused ------------------------------------------------------------------------------

describe("a description is refused", function()
  local function case(name, words, fields)
    it(name, function() assert.equal(words, refused(fields)) end)
  end

  local function bad_clip(name, words, more)
    case(name, words, { animation = clip(more) })
  end

  local function bad_bones(name, words, ...)
    case(name, words, { skeleton = { bones = { ... } } })
  end

  case("with names that it does not know", "no field 'animaton' in what a file is made of; did you mean 'animation'?",
    { skeleton = rig(), animaton = {} })
  case("with one name that it does not know", "no field 'skelton' in what a file is made of; did you mean 'skeleton'?",
    { skelton = rig() })
  case("of another game", "game: no such game: skyrim-le, skyrim-se or fallout4 expected", { game = "morrowind",
    skeleton = rig() })
  case("that is no table", "animation: a table expected", { animation = 3 })
  case("without samples", "animation.samples: rows of 10 numbers expected, as anim:decode() gives them",
    { animation = { bones = { 0 } } })
  case("without bones", "animation.bones: names or numbers of the bones expected, or a skeleton: the rows of a frame "
    .. "are theirs", { animation = { samples = samples_of(2) } })

  bad_clip("with names in a list", "animation.root_motion: a list of numbers expected, which has no field 'moves'",
    { root_motion = { moves = {} } })
  bad_clip("with misspelt fields", "animation: no field 'sampels' in an animation; did you mean 'samples'?",
    { sampels = {} })
  bad_clip("with samples of the wrong shape", "animation.samples: 5 rows are no whole number of frames of 2 bones",
    { samples = { table.unpack(samples_of(3), 1, 5) } })
  bad_clip("with numbers that are no rows", "animation.samples: 33 numbers are no whole number of rows of 10",
    { samples = table.move({ 1 }, 1, 1, 1, (function() local t = {} for i = 1, 33 do t[i] = 0 end return t end)()) })
  bad_clip("with rows of another length", "animation.samples: row 2: 10 numbers expected",
    { samples = { { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }, { 0, 0, 0 } } })
  bad_clip("with samples that are no numbers", "animation.samples: element 2: a number expected", { samples = { 0, "x" } })
  bad_clip("with no samples", "animation.samples: 0 frames", { samples = {} })
  bad_clip("with bones that are none", "animation.bones[2]: a bone's name, or its number from 0 to 32767, expected",
    { bones = { 0, 1.5 } })
  bad_clip("with numbers past all bones", "animation.bones[2]: a bone's name, or its number from 0 to 32767, expected",
    { bones = { 0, 32768 } })
  bad_clip("with bones twice", "animation.bones[2]: bone 4 is that of track 0 already", { bones = { 4, 4 } })
  bad_clip("with names, but no skeleton", "animation.bones[1]: 'Arm': names need a skeleton: give one, or use bone numbers",
    { bones = { "Arm", 1 } })
  bad_clip("with bones that the skeleton lacks", "animation.bones[1]: the skeleton has no bone 'Amr'; did you mean 'Arm'?",
    { bones = { "Amr", 1 }, skeleton = rig() })
  bad_clip("with numbers that the skeleton lacks", "animation.bones[2]: 3 is no bone of the skeleton, which has 3",
    { bones = { "Arm", 3 }, skeleton = rig() })
  bad_clip("with both fps and a duration", "animation.duration: fps or duration, not both", { fps = 30, duration = 1 })
  bad_clip("with frames that take no time", "animation.duration: 5 frames last more than 0 s", { duration = 0 })
  bad_clip("with times that run back", "animation.duration: a number above 0 expected", { duration = -1 })
  bad_clip("with a duration that is no number", "animation.duration: a number above 0 expected", { duration = 0 / 0 })
  bad_clip("with no frames a second", "animation.fps: a number above 0 expected", { fps = 0 })
  case("with one frame that lasts", "animation.duration: 1 frame lasts 0 s, not 2",
    { animation = clip { samples = samples_of(1), duration = 2 } })
  bad_clip("with events outside of it", "animation.annotations[1].time: 0.2 s is outside of the animation, which lasts "
    .. "0.133333 s", { annotations = { { time = 0.2, text = "x" } } })
  bad_clip("with events before it", "animation.annotations[1].time: -1 s is outside of the animation, which lasts "
    .. "0.133333 s", { annotations = { { time = -1, text = "x" } } })
  bad_clip("with events that run back", "animation.annotations[3].time: 0.05 s is before the previous "
    .. "annotation of its track, at 0.1 s",
    { annotations = { { time = 0.1, text = "x" }, { time = 0, text = "x", track = 1 },
      { time = 0.05, text = "y" } } })
  bad_clip("with events on tracks that are not there",
    "animation.annotations[1].track: there is no track 2: they are 0 to 1",
    { annotations = { { time = 0, text = "x", track = 2 } } })
  bad_clip("with events without a text", "animation.annotations[1].text: a string expected",
    { annotations = { { time = 0 } } })
  bad_clip("with events without a time", "animation.annotations[1].time: a time in s expected",
    { annotations = { { text = "x" } } })
  bad_clip("with texts that end early", "animation.annotations[1].text: text that contains its terminator, the byte 0x00",
    { annotations = { { time = 0, text = "a\0b" } } })
  bad_clip("with misspelt fields of events",
    "animation.annotations[1]: no field 'txt' in an annotation; did you mean 'text'?",
    { annotations = { { time = 0, txt = "x" } } })
  bad_clip("with root motion of the wrong shape", "animation.root_motion: 8 numbers are not those of 5 frames of 4",
    { root_motion = { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } } })
  bad_clip("with root motion that is not finite", "animation.root_motion: number 1 of frame 2 is not finite",
    { root_motion = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 / 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } })
  bad_clip("with floats of the wrong shape",
    "animation.float_tracks.samples: 3 numbers are no whole number of each of 5 frames",
    { float_tracks = { samples = { 1, 2, 3 } } })
  bad_clip("with slots for other floats", "animation.float_tracks.slots: 2 of them for 1 numbers a frame",
    { float_tracks = { samples = { 1, 2, 3, 4, 5 }, slots = { 0, 1 } } })
  bad_clip("with slots that the skeleton lacks",
    "animation.float_tracks.slots[1]: the skeleton has no float slot 'hkFade:B'; "
    .. "did you mean 'hkFade:A'?", { skeleton = rig(), float_tracks = { samples = { 1, 2, 3, 4, 5 },
      slots = { "hkFade:B" } } })
  bad_clip("with fields of floats that are none",
    "animation.float_tracks: no field 'slot' in float_tracks; did you mean 'slots'?",
    { float_tracks = { slot = {} } })
  bad_clip("with a hint that is none", "animation.additive: true or false expected", { additive = "additive" })
  bad_clip("with a name that ends early", "animation.skeleton_name: text that contains its terminator, the byte 0x00",
    { skeleton_name = "a\0" })

  for _, number in ipairs { 0, -0.5, 0 / 0, 1 / 0, "x" } do
    bad_clip("with a tolerance of " .. tostring(number), "animation.tolerance.rotation: a number above 0 expected",
      { tolerance = { rotation = number } })
  end
  bad_clip("with a tolerance of 0 for a track", "animation.tolerance.scale[2]: a number above 0 expected",
    { tolerance = { scale = { 1, 0 } } })
  bad_clip("with tolerances of other tracks", "animation.tolerance.scale: 3 numbers for 2 tracks",
    { tolerance = { scale = { 1, 2, 3 } } })
  bad_clip("with tolerances of what is none", "animation.tolerance: no field 'scales' in a tolerance; did you mean 'scale'?",
    { tolerance = { scales = 1 } })
  bad_clip("with other quantizations", 'animation.quantization: 40, 48, 32 or "none" expected', { quantization = 24 })
  bad_clip("with blocks of one frame", "animation.max_frames_per_block: an integer from 2 to 256 expected",
    { max_frames_per_block = 1 })

  it("with 65,536 tracks", function()
    local many, row = {}, {}
    for i = 1, 65536 do
      many[i], row[i] = i - 1, { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }
    end
    assert.equal("animation.bones: 65536 of them: a file holds at most 32768",
      refused { animation = { bones = many, samples = row } })
  end)

  it("with samples that are not finite, by track and frame", function()
    local rows = samples_of(5)
    rows[6][2] = 0 / 0
    assert.equal("animation: translation of track 1 at frame 2 is not a finite number",
      refused { animation = clip { samples = rows } })
    rows[6][2] = 1e300
    assert.equal("animation: translation of track 1 at frame 2 is not a finite number",
      refused { animation = clip { samples = rows } })
  end)

  bad_bones("of no bones", "skeleton: 0 bones and 0 float slots: 1 to 32767 bones can be, and as many slots")
  bad_bones("of bones named twice", "skeleton.bones[3]: bone 1 has the name 'a', too", { name = "b" }, { name = "a" },
    { name = "a" })
  bad_bones("of bones without a name among others", "skeleton.bones[2]: a bone without a name", { name = "b" }, {})
  bad_bones("of names that end early",
    "skeleton.bones[1]: text that contains its terminator, the byte 0x00", { name = "a\0b" })
  bad_bones("of parents behind their children", "skeleton.bones[1]: its parent comes behind it: parents stand in front of "
    .. "their children", { name = "a", parent = 1 }, { name = "b" })
  bad_bones("of poses that are not finite", "skeleton.bones[1]: a pose of what are no finite numbers",
    { name = "a", pose = { t = { 1, 1e300, 0 } } })
  bad_bones("of rotations without a length", "skeleton.bones[1]: a rotation of length 0", { name = "a",
    pose = { q = { 0, 0, 0, 0 } } })
  bad_bones("of misspelt bones", "skeleton.bones[1]: no field 'parnt' in a bone; did you mean 'parent'?", { name = "a",
    parnt = 0 })
  bad_bones("of misspelt poses", "skeleton.bones[1]: no field 'r' in a pose, which has t, q, s",
    { name = "a", pose = { r = {} } })
  bad_bones("of locks that are none", "skeleton.bones[1].lock_translation: true or false expected", { name = "a",
    lock_translation = 1 })
  case("of misspelt skeletons", "skeleton: no field 'slots' in a skeleton, which has name, bones, float_slots, "
    .. "reference_floats", { skeleton = rig { slots = {} } })
  case("of slots that are none", "skeleton.float_slots[2]: a string expected", { skeleton = rig { float_slots = { "a",
    3 } } })
  case("of slots named twice", "skeleton.float_slots[3]: slot 1 has the name 'b', too",
    { skeleton = rig { float_slots = { "a", "b", "b" } } })
  case("of floats for other slots", "skeleton.reference_floats: 1 of them for 2 float slots",
    { skeleton = rig { reference_floats = { 1 } } })
  case("of floats that are not finite", "skeleton.reference_floats: number 2 is not finite",
    { skeleton = rig { reference_floats = { 1, 1 / 0 } } })
  case("of no skeleton", "skeleton: a skeleton, a document or a table of bones expected", { skeleton = 3 })
end)
