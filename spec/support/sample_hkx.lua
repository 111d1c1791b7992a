--- Whole packfiles for tests, made of plain tables and written by sample_hkx_write and sample_spline: not by
-- lathe. Each maker gives the bytes and a table of what they were made of.
--
--    local bytes, parts = sample.clip { game = "skyrim-se", frames = 40, tracks = 3,
--      annotations = { { track = 0, time = 0.5, text = "FootLeft" } } }
--    local bytes, parts = sample.skeleton { game = "fallout4", bones = { "Root", "COM" }, float_slots = { "a" } }
--    local bytes, info = sample.build(root, { game = "fallout4", endian = ">" })
--
-- Wherever a layout is to be said: game, version, pointer_size, endian, predicate, embedded as sample_hkx_write
-- has them. parts.info is its second result; parts.root and all others are the objects it was given.

local spline = require "sample_spline"
local writer = require "sample_hkx_write"

local sample = {}

--- The layouts that games have, in either byte order; and those that a file may have besides.
sample.game_layouts = {
  { game = "skyrim-le" }, { game = "skyrim-se" }, { game = "fallout4" }, { game = "fallout4", pointer_size = 4 },
  { game = "skyrim-le", endian = ">" }, { game = "skyrim-se", endian = ">" }, { game = "fallout4", endian = ">" },
}
sample.layouts = table.move(sample.game_layouts, 1, #sample.game_layouts, 1, {})
table.insert(sample.layouts, { game = "fallout4", pointer_size = 4, endian = ">" })
table.insert(sample.layouts, { game = "fallout4", embedded = true })

--- Options with those of a layout.
function sample.with(layout, opts)
  local all = {}
  for k, v in pairs(opts) do all[k] = v end
  for k, v in pairs(layout) do all[k] = v end
  return all
end

sample.build = writer.build
sample.layout = writer.layout
sample.patch = writer.patch

--- An object of which only bytes are known; see sample_hkx_write.
function sample.opaque(class, signature, bytes, locals, globals)
  return { class = class, signature = signature, opaque = bytes, locals = locals, globals = globals }
end

--- The root over variants, each { name, class name, object or nothing }.
function sample.root(variants)
  local root = { class = "hkRootLevelContainer", named_variants = {} }
  for i, v in ipairs(variants) do
    root.named_variants[i] = { name = v[1], class_name = v[2], variant = v[3] }
  end
  return root
end

-- The variants that games have: the animation container, others, the resources.
local function usual_root(opts, container, others)
  local variants, resource = { { "Merged Animation Container", container.class, container } }, nil
  for _, v in ipairs(others or {}) do variants[#variants + 1] = v end
  for _, v in ipairs(opts.variants or {}) do variants[#variants + 1] = v end
  if opts.resource ~= false then
    resource = { class = "hkMemoryResourceContainer", name = "" }
    variants[#variants + 1] = { "Resource Data", resource.class, resource }
  end
  return sample.root(variants), resource
end

-- ---- skeletons ------------------------------------------------------------------------------------

local function four(list, w)
  return list and { list[1], list[2], list[3], list[4] or w }
end

--- A hkaSkeleton. opts: name, bones = number | { "name" or { name =, parent =, lock =, translation =,
-- rotation =, scale = }, … } (else each bone hangs on the one before and stands a unit above it),
-- float_slots = { names }, reference_floats, local_frames, partitions = { { name =, start_bone_index =,
-- num_bones = } } (hk_2014.1).
function sample.skeleton_object(opts)
  local skeleton = { class = "hkaSkeleton", name = opts.name or "Root", parent_indices = {}, bones = {},
    reference_pose = {}, float_slots = opts.float_slots, reference_floats = opts.reference_floats,
    local_frames = opts.local_frames, partitions = opts.partitions }
  local bones = opts.bones or 3
  for i = 1, type(bones) == "number" and bones or #bones do
    local bone = type(bones) == "table" and bones[i] or {}
    if type(bone) == "string" then bone = { name = bone } end
    skeleton.bones[i] = {
      name = bone.name == nil and (i == 1 and skeleton.name or "Bone" .. i - 1) or bone.name,
      lock_translation = bone.lock or 0,
    }
    skeleton.parent_indices[i] = bone.parent or i - 2
    skeleton.reference_pose[i] = {
      translation = four(bone.translation, 0) or { 0, 0, i == 1 and 0 or 1, 0 },
      rotation = bone.rotation or { 0, 0, 0, 1 },
      scale = four(bone.scale, 0) or { 1, 1, 1, 0 },
    }
  end
  if opts.float_slots and not opts.reference_floats then
    skeleton.reference_floats = {}
    for i = 1, #opts.float_slots do skeleton.reference_floats[i] = 0 end
  end
  return skeleton
end

--- A hkaSkeletonMapper from one skeleton to another. opts: simple = { { bone a, bone b }, … },
-- chains = { { start a, end a, start b, end b }, … }, unmapped = { bones }.
function sample.mapper(a, b, opts)
  opts = opts or {}
  local mapper = { class = "hkaSkeletonMapper", skeleton_a = a, skeleton_b = b, simple_mappings = {},
    chain_mappings = {}, unmapped_bones = opts.unmapped, keep_unmapped_local = 1, mapping_type = 0,
    extracted_motion_mapping = {} }
  for i, pair in ipairs(opts.simple or { { 0, 0 } }) do
    mapper.simple_mappings[i] = { bone_a = pair[1], bone_b = pair[2] }
  end
  for i, row in ipairs(opts.chains or {}) do
    mapper.chain_mappings[i] = { start_bone_a = row[1], end_bone_a = row[2], start_bone_b = row[3],
      end_bone_b = row[4] }
  end
  return mapper
end

--- A packfile with a skeleton, or with several: opts as of skeleton_object, or skeletons = { opts, … };
-- mappers = { { from, to, options of mapper }, … } by number from 1; variants = { { name, class, object } };
-- resource = false for none. Gives bytes and { root, container, skeletons, mappers, resource, info }.
function sample.skeleton(opts)
  local parts = { skeletons = {}, mappers = {} }
  for i, one in ipairs(opts.skeletons or { opts }) do parts.skeletons[i] = sample.skeleton_object(one) end
  parts.container = { class = "hkaAnimationContainer", skeletons = { table.unpack(parts.skeletons) } }
  local variants = {}
  for i, row in ipairs(opts.mappers or {}) do
    parts.mappers[i] = sample.mapper(parts.skeletons[row[1]], parts.skeletons[row[2]], row[3])
    variants[i] = { "SkeletonMapper", "hkaSkeletonMapper", parts.mappers[i] }
  end
  parts.root, parts.resource = usual_root(opts, parts.container, variants)
  local bytes
  bytes, parts.info = writer.build(parts.root, opts)
  return bytes, parts
end

-- ---- tracks without splines -----------------------------------------------------------------------

-- An axis or a rotation (as sample_spline takes them) at a frame; lists hold a value a frame.
local function at_frame(source, frame, default)
  if source == nil or source == false then return default end
  if type(source) == "function" then return source(frame) end
  if type(source) == "table" then return source[frame + 1] end
  return source
end

--- A track at a frame, as its description says it: ten numbers.
function sample.pose(track, frame)
  local t, s = track.translation or {}, track.scale or {}
  local r = track.rotation or { 0, 0, 0, 1 }
  if type(r[1]) ~= "number" then r = at_frame(r[1] or r.points, frame) end
  return { at_frame(t.x, frame, 0), at_frame(t.y, frame, 0), at_frame(t.z, frame, 0), r[1], r[2], r[3], r[4],
    at_frame(s.x, frame, 1), at_frame(s.y, frame, 1), at_frame(s.z, frame, 1) }
end

-- A float track at a frame; a list has a value a frame, or a function.
local function float_at(float, frame)
  if type(float) == "table" and type(float[1]) == "function" then float = float[1] end
  return at_frame(float, frame, 0)
end

local function floats_by_frame(opts)
  local list = {}
  for frame = 0, opts.frames - 1 do
    for _, float in ipairs(opts.floats) do list[#list + 1] = float_at(float, frame) end
  end
  return list
end

local function interleaved(opts)
  local object = { class = "hkaInterleavedUncompressedAnimation", type = 1, transforms = {},
    floats = floats_by_frame(opts) }
  for frame = 0, opts.frames - 1 do
    for _, track in ipairs(opts.tracks) do
      local p = sample.pose(track, frame)
      object.transforms[#object.transforms + 1] = { translation = { p[1], p[2], p[3], 0 },
        rotation = { p[4], p[5], p[6], p[7] }, scale = { p[8], p[9], p[10], 0 } }
    end
  end
  return object
end

local IDENTITY, STATIC, DYNAMIC = 0, 1, 2

-- Codes of components: nothing, constant, or moving; collects the constants and, by frame, what moves.
local function split(sources, static, moving, is_constant)
  local codes = {}
  for i = 1, 4 do
    local source = sources[i]
    if source == nil or source == false then
      codes[i] = IDENTITY
    elseif is_constant(source) then
      static[#static + 1] = source
      codes[i] = STATIC | (#static - 1) << 2
    else
      moving[#moving + 1] = source
      codes[i] = DYNAMIC | (#moving - 1) << 2
    end
  end
  return codes
end

local function by_frame(frames, moving)
  local list = {}
  for frame = 0, frames - 1 do
    for _, source in ipairs(moving) do list[#list + 1] = at_frame(source, frame) end
  end
  return list
end

local function is_number(source)
  return type(source) == "number"
end

local function is_quaternion(source)
  return type(source) == "table" and type(source[1]) == "number"
end

-- Nobody has published the signature of this class: the number is made up.
local LOSSLESS = 0x10551E55

local function lossless(opts)
  local object = { class = "hkaLosslessCompressedAnimation", signature = LOSSLESS, num_frames = opts.frames,
    static_translations = {}, static_rotations = {}, static_scales = {}, translation_type_and_offsets = {},
    rotation_type_and_offsets = {}, scale_type_and_offsets = {}, floats = floats_by_frame(opts) }
  local t_moves, r_moves, s_moves = {}, {}, {}
  for i, track in ipairs(opts.tracks) do
    local t, s, r = track.translation or {}, track.scale or {}, track.rotation
    object.translation_type_and_offsets[i] =
      split({ t.x, t.y, t.z }, object.static_translations, t_moves, is_number)
    object.scale_type_and_offsets[i] = split({ s.x, s.y, s.z }, object.static_scales, s_moves, is_number)
    if r and not is_quaternion(r) then r = r[1] or r.points end
    object.rotation_type_and_offsets[i] = split({ r }, object.static_rotations, r_moves, is_quaternion)[1]
  end
  object.dynamic_translations = by_frame(opts.frames, t_moves)
  object.dynamic_rotations = by_frame(opts.frames, r_moves)
  object.dynamic_scales = by_frame(opts.frames, s_moves)
  return object
end

-- ---- clips ----------------------------------------------------------------------------------------

local KINDS = {
  spline = function(opts, layout)
    local object, decoded = spline.build {
      frames = opts.frames, tracks = opts.tracks, floats = opts.floats, endian = layout.endian,
      duration = opts.duration, max_frames_per_block = opts.max_frames_per_block,
    }
    object.class = "hkaSplineCompressedAnimation"
    object.type = layout.version == "hk_2010.2" and 5 or 3
    return object, decoded
  end,
  interleaved = interleaved,
  lossless = lossless,
}

local function annotation_tracks(opts)
  local list = {}
  for i = 1, #opts.tracks do
    local name = (opts.track_names or {})[i]
    if name == nil then name = "" end
    list[i] = { track_name = name, annotations = {} }
  end
  for _, a in ipairs(opts.annotations or {}) do
    local track = list[(a.track or 0) + 1].annotations
    track[#track + 1] = { time = a.time, text = a.text }
  end
  return list
end

local function reference_frame(opts)
  if not opts.motion then return nil end
  local motion = { class = "hkaDefaultAnimatedReferenceFrame", up = { 0, 0, 1, 0 }, forward = { 0, 1, 0, 0 },
    duration = opts.duration, reference_frame_samples = opts.motion }
  if type(opts.motion) ~= "table" then
    local walk = type(opts.motion) == "function" and opts.motion or function(frame) return { 0, 2 * frame, 0, 0 } end
    motion.reference_frame_samples = {}
    for frame = 0, opts.frames - 1 do motion.reference_frame_samples[frame + 1] = walk(frame) end
  end
  return motion
end

-- What a clip of so many tracks has where nothing else is said: something of everything.
local function default_tracks(count)
  local list = {}
  for i = 1, count do
    list[i] = {
      translation = { x = i, z = i % 2 == 1 and function(frame) return i + frame / 8 end or nil },
      rotation = { function(frame)
        local half = (frame + i) / 64
        return { math.sin(half), 0, 0, math.cos(half) }
      end },
    }
  end
  return list
end

local function merged(a, b)
  local all = {}
  for k, v in pairs(a) do all[k] = v end
  for k, v in pairs(b) do all[k] = v end
  return all
end

local function filled(opts)
  local all = merged(opts, {})
  all.frames = opts.frames or 10
  all.tracks = opts.tracks or 3
  if type(all.tracks) == "number" then all.tracks = default_tracks(all.tracks) end
  all.floats = opts.floats or {}
  all.duration = opts.duration or (all.frames - 1) / (opts.fps or 30)
  return all
end

local function count_from(first, n)
  local list = {}
  for i = 1, n do list[i] = first + i - 1 end
  return list
end

--- One animation with its binding, and its root motion. Gives { animation =, binding =, motion =, decoded = };
-- decoded is that of sample_spline. opts as of clip.
function sample.animation(opts)
  opts = filled(opts)
  local layout = writer.layout(opts)
  local parts = { motion = reference_frame(opts) }
  local object
  object, parts.decoded = KINDS[opts.kind or "spline"](opts, layout)
  object.duration = opts.duration
  object.number_of_transform_tracks, object.number_of_float_tracks = #opts.tracks, #opts.floats
  object.annotation_tracks = annotation_tracks(opts)
  object.extracted_motion = parts.motion
  parts.animation = object
  local bones, of_fallout = opts.bones, layout.version == "hk_2014.1"
  if bones == nil and of_fallout then bones = count_from(0, #opts.tracks) end
  parts.binding = {
    class = "hkaAnimationBinding", animation = object,
    original_skeleton_name = opts.skeleton_name or (of_fallout and "Root" or "NPC Root [Root]"),
    transform_track_to_bone_indices = bones or {},
    float_track_to_float_slot_indices = opts.slots or count_from(0, #opts.floats),
    partition_indices = opts.partition_indices, blend_hint = opts.blend_hint or 0,
  }
  return parts
end

--- A packfile with a clip, or several. opts:
--   frames (10), fps (30) or duration, tracks = number or descriptions as of sample_spline, floats = likewise;
--   kind = "spline", "interleaved" or "lossless" (hk_2014.1): the same descriptions, lists with a value a frame;
--   max_frames_per_block; annotations = { { track = from 0, time =, text = } }; track_names = { text or false };
--   motion = true, function(frame) or list of { x, y, z, yaw }; blend_hint; skeleton_name;
--   bones = track-to-bone list (default: 0, 1, … in Fallout 4, empty in Skyrim), slots = those of the floats,
--   partition_indices; skeletons = { opts of skeleton_object }; clips = { opts } instead of the one;
--   variants = { { name, class, object } }; resource = false for none; and the layout.
-- Gives bytes and { root, container, resource, skeletons, animations = { results of animation }, info }; the
-- first animation's parts are also parts.animation, binding, motion, decoded.
function sample.clip(opts)
  local parts = { skeletons = {}, animations = {} }
  local container = { class = "hkaAnimationContainer", skeletons = parts.skeletons, animations = {}, bindings = {} }
  for i, one in ipairs(opts.skeletons or {}) do parts.skeletons[i] = sample.skeleton_object(one) end
  for i, one in ipairs(opts.clips or { opts }) do
    parts.animations[i] = sample.animation(merged(opts, one))
    container.animations[i], container.bindings[i] = parts.animations[i].animation, parts.animations[i].binding
  end
  for k, v in pairs(parts.animations[1] or {}) do parts[k] = v end
  parts.container = container
  parts.root, parts.resource = usual_root(opts, container)
  local bytes
  bytes, parts.info = writer.build(parts.root, opts)
  return bytes, parts
end

return sample
