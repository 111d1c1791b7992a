--- Compares documents of packfiles with the figures of the corpus (hkx/expected/*.json) and with the plain
-- evaluator. lathe itself is passed in, so that this file can be tried on anything that looks like it.
--
--    local figures = require "hkx_figures"
--    it("…", function() figures.each(lathe, pending, figures.packfile) end)

local assert = require "luassert"
local helper = require "helper"
local json = require "dkjson"
local reader = require "hkx_reader"
local reference = require "spline_reference"

local figures = {}

local GAMES = { "fo4", "skyrim-le", "skyrim-se" }

--- Figures have six digits.
local DIGITS = 1e-5

-- ---- files ----------------------------------------------------------------------------------------

--- The files of the corpus: { { path =, name = "fo4/Death1.hkx", wanted = figures } }, XML ones aside, which are
-- the second result. Inside an `it`, whose `pending` it is given.
function figures.files(pending)
  local folder, binary, xml = helper.need_corpus("hkx", pending), {}, {}
  for _, game in ipairs(GAMES) do
    for _, file in ipairs(helper.list(folder .. "/" .. game, "%.hkx$")) do
      local text = helper.read(("%s/expected/%s__%s.json"):format(folder, game, file:gsub(" ", "_")))
      local entry = { path = ("%s/%s/%s"):format(folder, game, file), name = game .. "/" .. file }
      entry.wanted = assert(json.decode(text, 1, nil))
      local list = entry.wanted.kind == "xml-packfile" and xml or binary
      list[#list + 1] = entry
    end
  end
  assert(#binary > 0, folder .. " is empty")
  return binary, xml
end

--- Calls test(lathe, doc, wanted, entry) for each packfile of the corpus, of one kind ("animation", "skeleton",
-- "other") where that is said. Gives how many there were.
function figures.each(lathe, pending, test, kind)
  local count = 0
  for _, entry in ipairs((figures.files(pending))) do
    if not kind or entry.wanted.kind == kind then
      count = count + 1
      local doc <close> = assert(lathe.open(entry.path))
      local ok, err = pcall(test, lathe, doc, entry.wanted, entry)
      if not ok then error(entry.name .. ": " .. tostring(err), 0) end
    end
  end
  return count
end

-- ---- values ---------------------------------------------------------------------------------------

local function near(wanted, got, limit, label)
  local off = math.abs(wanted - got)
  if off ~= off or off > limit * math.max(1, math.abs(wanted)) then
    error(("%s: %.9g instead of %.9g"):format(label, got, wanted), 0)
  end
end

local function all_near(wanted, got, limit, label)
  assert.equal(#wanted, #got, label)
  for i, v in ipairs(wanted) do near(v, got[i], limit, ("%s[%d]"):format(label, i)) end
end

local function equal_lists(wanted, got, label)
  local list = {}
  for i = 1, #got do list[i] = got[i] end
  assert.same(wanted, list, label)
end

-- Enumerations and flags as the number that is stored.
local function stored(lathe, view, field)
  local value = view[field]
  if value == true then return 1 end
  if value == false then return 0 end
  return type(value) == "number" and value or lathe.raw(view, field)
end

-- Bytes, be they a string, or an array of u8.
local function bytes_of(data)
  if type(data) == "string" then return data end
  return data:pack()
end

local function offset_of(lathe, doc, view)
  return (lathe.span(view)) - doc.sections[3].absolute_data_start
end

--- The objects of a class, in the order of the file.
function figures.objects_of(lathe, doc, class)
  local list = {}
  for _, object in ipairs(doc.objects) do
    if lathe.type(object) == class then list[#list + 1] = object end
  end
  return list
end

-- ---- the container --------------------------------------------------------------------------------

local SECTION = {
  absStart = "absolute_data_start", ["local"] = "local_fixups_offset", global = "global_fixups_offset",
  virtual = "virtual_fixups_offset", exports = "exports_offset", ["end"] = "end_offset",
}

--- Header, sections, class names, objects with their places, and the named variants.
function figures.packfile(lathe, doc, wanted)
  local want = wanted.packfile
  assert.equal("hkx", doc.format)
  assert.same({ want.fileVersion, want.contentsVersion, want.pointerSize },
    { doc.file_version, doc.contents_version, doc.pointer_size })
  assert.equal(#want.sections, #doc.sections)
  for i, section in ipairs(want.sections) do
    local have = doc.sections[i]
    assert.equal(section.name, have.name)
    for figure, field in pairs(SECTION) do
      assert.equal(section[figure], have[field], section.name .. "." .. field)
    end
    assert.equal(section.exports, have.imports_offset)
  end
  assert.equal(#want.classnames, #doc.class_names)
  for i, row in ipairs(want.classnames) do
    local have = doc.class_names[i]
    assert.same({ tonumber(row[1], 16), row[2] }, { have.signature, have.name })
  end
  assert.equal(#want.objects, #doc.objects)
  for i, row in ipairs(want.objects) do
    local object = doc.objects[i]
    assert.same(row, { offset_of(lathe, doc, object), lathe.type(object) }, "objects[" .. i .. "]")
  end
  assert.equal(want.root, lathe.type(doc.root))
  assert.equal(#wanted.namedVariants, #doc.root.named_variants)
  for i, row in ipairs(wanted.namedVariants) do
    local have = doc.root.named_variants[i]
    assert.same(row, { have.name, have.class_name, offset_of(lathe, doc, have.variant) })
  end
end

--- The file comes back to the byte; and the bytes, read by another reader, have the figures' fixups.
function figures.keeps(lathe, doc, wanted, entry)
  local bytes = helper.read(entry.path)
  assert.equal(wanted.size, #bytes)
  assert.equal(wanted.size, doc.size)
  local again = assert(doc:encode())
  assert(again == bytes, "encode() differs")
  local file = reader.read(again)
  assert.same({ wanted.packfile.numLocalFixups, wanted.packfile.numGlobalFixups, #wanted.packfile.objects },
    { #file.local_fixups, #file.global_fixups, #file.virtual_fixups })
  assert.equal(wanted.packfile.predicateArraySize, file.predicate_size)
  local parsed <close> = assert(lathe.parse(bytes))
  assert.equal("hkx", parsed.format)
end

--- Written from scratch the file is the same: all packfiles of the corpus have Havok's own order.
function figures.serializes(_, doc, _, entry)
  local bytes = assert(doc:serialize())
  assert(bytes == helper.read(entry.path), "serialize() differs")
end

-- ---- skeletons ------------------------------------------------------------------------------------

local function ten(transform)
  local t, r, s = transform.translation, transform.rotation, transform.scale
  return { t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z }
end

local function ten_of_pose(pose)
  local t, q, s = pose.t, pose.q, pose.s
  return { t[1], t[2], t[3], q[1], q[2], q[3], q[4], s[1], s[2], s[3] }
end

local function skeleton_figures(lathe, want, object, model)
  assert.same({ want.name, want.name }, { object.name, model.name })
  assert.same({ #want.bones, #want.bones }, { #object.bones, #model.bones })
  equal_lists(want.parents, object.parent_indices, "parent_indices")
  for i, name in ipairs(want.bones) do
    local bone, one = object.bones[i], model.bones[i]
    assert.same({ name, name, want.parents[i] }, { bone.name, one.name, one.parent })
    assert.equal(want.lockTranslation[i], stored(lathe, bone, "lock_translation"), name)
    all_near(want.referencePose[i], ten(object.reference_pose[i]), DIGITS, name)
    all_near(want.referencePose[i], ten_of_pose(one.pose), DIGITS, name)
  end
  all_near(want.referenceFloats, object.reference_floats, DIGITS, "reference_floats")
  equal_lists(want.floatSlots, object.float_slots, "float_slots")
  assert.equal(want.numLocalFrames, #object.local_frames)
  assert.equal(want.numPartitions, object.partitions and #object.partitions)
end

--- All skeletons: as objects, and as doc.skeletons has them.
function figures.skeletons(lathe, doc, wanted)
  local objects = figures.objects_of(lathe, doc, "hkaSkeleton")
  assert.same({ #wanted.skeletons, #wanted.skeletons }, { #objects, #doc.skeletons })
  for i, want in ipairs(wanted.skeletons) do
    local ok, err = pcall(skeleton_figures, lathe, want, objects[i], doc.skeletons[i])
    if not ok then error(("%s: %s"):format(want.name, tostring(err)), 0) end
  end
end

-- ---- animations -----------------------------------------------------------------------------------

local WHOLE = {
  numTransformTracks = "number_of_transform_tracks", numFloatTracks = "number_of_float_tracks",
  numFrames = "num_frames", numBlocks = "num_blocks", maxFramesPerBlock = "max_frames_per_block",
  maskAndQuantizationSize = "mask_and_quantization_size",
}

local REAL = { duration = "duration", blockDuration = "block_duration", frameDuration = "frame_duration" }

local COPIED = { "number_of_transform_tracks", "number_of_float_tracks", "num_frames", "num_blocks",
  "max_frames_per_block", "mask_and_quantization_size", "block_duration", "block_inverse_duration",
  "frame_duration", "endian" }

--- The plain evaluator over what a document says of a spline-compressed animation.
function figures.evaluator(object)
  local members = { data = bytes_of(object.data), block_offsets = {}, float_block_offsets = {} }
  for _, name in ipairs(COPIED) do members[name] = object[name] end
  for i = 1, #object.block_offsets do
    members.block_offsets[i], members.float_block_offsets[i] = object.block_offsets[i], object.float_block_offsets[i]
  end
  return reference.new(members)
end

local PARTS = { translation = "pos", rotation = "rot", scale = "scl" }

local function spline_figures(want, clip)
  local counts, masks, floats = {}, {}, {}
  for _, block in ipairs(clip.blocks) do
    for _, track in ipairs(block.tracks) do
      for part, short in pairs(PARTS) do
        if track[part].kind == "spline" then
          local key = ("%s_degree%d"):format(short, track[part].degree)
          counts[key] = (counts[key] or 0) + 1
        end
      end
    end
  end
  for i, track in ipairs(clip.blocks[1].tracks) do masks[i] = ("%02x%02x%02x%02x"):format(table.unpack(track.mask)) end
  for i, float in ipairs(clip.blocks[1].floats) do floats[i] = float.mask end
  assert.same(want.splineCounts, counts)
  assert.same(want.masksBlock0, masks)
  assert.same(want.floatMasksBlock0, floats)
  for i, value in ipairs(want.floatTracks_block0_raw or {}) do
    near(value, clip:float_at_frame(i, 0), DIGITS, "float track")
  end
end

local function annotation_figures(want, object, model)
  local stored_there = {}
  for i = 1, #object.annotation_tracks do
    local track = object.annotation_tracks[i]
    assert.equal(want.trackNames[i], track.track_name)
    for k = 1, #track.annotations do
      local a = track.annotations[k]
      stored_there[#stored_there + 1] = { time = a.time, text = a.text, track = i - 1 }
    end
  end
  for _, list in ipairs { stored_there, model.annotations } do
    assert.equal(#want.annotations, #list)
    for i, a in ipairs(want.annotations) do
      assert.same({ a.text, a.track }, { list[i].text, list[i].track })
      near(a.time, list[i].time, DIGITS, "time of " .. a.text)
    end
  end
end

local function motion_figures(lathe, want, object, model)
  if not want then
    assert(not object.extracted_motion and not model.root_motion)
    return
  end
  local motion = object.extracted_motion
  assert.same({ want.cls, want.numSamples }, { lathe.type(motion), #motion.reference_frame_samples })
  assert.is_truthy(model.root_motion)
  all_near(want.up, motion.up, DIGITS, "up")
  all_near(want.forward, motion.forward, DIGITS, "forward")
  near(want.duration, motion.duration, DIGITS, "duration")
  for index, sample in pairs(want.samples) do
    all_near(sample, motion.reference_frame_samples[index + 1], DIGITS, "sample " .. index)
  end
end

local function binding_figures(lathe, want, object, animation, model)
  assert.same({ want.originalSkeletonName, want.originalSkeletonName },
    { object.original_skeleton_name, model.skeleton_name })
  assert(object.animation == animation, "binding of another animation")
  equal_lists(want.transformTrackToBoneIndices, object.transform_track_to_bone_indices, "transform tracks")
  equal_lists(want.floatTrackToFloatSlotIndices, object.float_track_to_float_slot_indices, "float tracks")
  assert.equal(want.blendHint, stored(lathe, object, "blend_hint"))
end

--- All that is said of the clip and its binding, but for what its tracks do.
function figures.animation(lathe, doc, wanted)
  local want, model = wanted.animation, doc.animations[1]
  local objects = figures.objects_of(lathe, doc, "hkaSplineCompressedAnimation")
  assert.same({ 1, 1 }, { #objects, #doc.animations })
  local object = objects[1]
  for figure, field in pairs(WHOLE) do assert.equal(want[figure], object[field], field) end
  for figure, field in pairs(REAL) do near(want[figure], object[field], DIGITS, field) end
  assert.equal(want.type, stored(lathe, object, "type"))
  equal_lists(want.blockOffsets, object.block_offsets, "block_offsets")
  equal_lists(want.floatBlockOffsets, object.float_block_offsets, "float_block_offsets")
  assert.equal(want.dataSize, #object.data)
  near(want.duration, model.duration, DIGITS, "duration")
  assert.same({ want.numFrames, want.numTransformTracks }, { model.frame_count, #model.tracks })
  spline_figures(want, figures.evaluator(object))
  annotation_figures(want, object, model)
  motion_figures(lathe, want.extractedMotion, object, model)
  local bindings = figures.objects_of(lathe, doc, "hkaAnimationBinding")
  assert.equal(1, #bindings)
  binding_figures(lathe, wanted.binding, bindings[1], object, model)
end

--- How far the figures' samples may be off, relative to max(1, |x|).
figures.limits = { frames = 2e-5, times = 1e-3 }

local function ten_of_sample(track, at)
  local t, q, s = track:sample(at)
  return { t[1], t[2], t[3], q[1], q[2], q[3], q[4], s[1], s[2], s[3] }
end

local function compare(wanted, track, at, limit, label)
  local off = reference.distance(wanted, ten_of_sample(track, at))
  if off > limit then error(("%s is off by %g"):format(label, off), 0) end
end

--- The tracks at the frames and the times of the figures. Each row counts as one of "hkx samples".
function figures.samples(_, doc, wanted)
  local tracks = doc.animations[1].tracks
  for frame, rows in pairs(wanted.reference_samples.frames) do
    for i, row in ipairs(rows) do
      compare(row, tracks[i], math.tointeger(tonumber(frame)), figures.limits.frames,
        ("track %d, frame %s"):format(i, frame))
      helper.count("hkx samples")
    end
  end
  for time, rows in pairs(wanted.reference_samples.times) do
    for i, row in ipairs(rows) do
      compare(row, tracks[i], { time = tonumber(time) }, figures.limits.times, ("track %d, %s s"):format(i, time))
      helper.count("hkx samples")
    end
  end
end

--- The tracks at every frame, and between frames, against the plain evaluator; `step` (default 1) frames apart.
-- Gives how many samples were compared. Also for clips that no figures are of.
function figures.every_frame(lathe, doc, step)
  local count = 0
  for i, object in ipairs(figures.objects_of(lathe, doc, "hkaSplineCompressedAnimation")) do
    local clip, model = figures.evaluator(object), doc.animations[i]
    for frame = 0, object.num_frames - 1, step or 1 do
      local time = math.min((frame + 0.37) * object.frame_duration, object.duration)
      for k = 1, object.number_of_transform_tracks do
        compare(clip:at_frame(k, frame), model.tracks[k], frame, figures.limits.frames,
          ("track %d, frame %d"):format(k, frame))
        compare(clip:at_time(k, time), model.tracks[k], { time = time }, figures.limits.frames,
          ("track %d, %.9g s"):format(k, time))
        count = count + 2
      end
    end
  end
  return count
end

return figures
