--- The classes of packfiles as formats/hkx-animation.md has them: offsets by layout, written down and not
-- worked out, for the builder (sample_hkx) and the reader (hkx_reader). Nothing here comes from the core.
--
-- A member is { name, type, offsets }, offsets (hex) in the columns of the reference:
-- hk_2010.2 with 4- and 8-byte pointers, hk_2014.1 with 4 and 8; "-" where the layout has no such member.
-- Types: i8 u8 i16 u16 i32 u32 f32, vec4 (4 f32), qs (translation, rotation, scale: 12 f32), u16x4,
-- str, obj (pointer to an object), a structure's name; T[] is a hkArray of T, bytes a hkArray of u8.

local classes = {}

--- Sizes of what has one size everywhere; pointers and arrays depend on the layout.
classes.sizes = {
  i8 = 1, u8 = 1, i16 = 2, u16 = 2, i32 = 4, u32 = 4, f32 = 4, vec4 = 16, qs = 48, u16x4 = 8,
}

local ANIMATION = {
  { "type",                       "i32",   "08 10 08 10" },
  { "duration",                   "f32",   "0C 14 0C 14" },
  { "number_of_transform_tracks", "i32",   "10 18 10 18" },
  { "number_of_float_tracks",     "i32",   "14 1C 14 1C" },
  { "extracted_motion",           "obj",   "18 20 18 20" },
  { "annotation_tracks", "hkaAnnotationTrack[]", "1C 28 1C 28" },
}

local function animation(size, members)
  return { size = size, table.unpack(table.move(members, 1, #members, #ANIMATION + 1, { table.unpack(ANIMATION) })) }
end

local described = {
  -- ---- structures: elements of arrays ----
  NamedVariant = { struct = true, size = "0C 18 0C 18",
    { "name",       "str", "00 00 00 00" },
    { "class_name", "str", "04 08 04 08" },
    { "variant",    "obj", "08 10 08 10" },
  },
  hkaBone = { struct = true, size = "08 10 08 10",
    { "name",             "str", "00 00 00 00" },
    { "lock_translation", "u8",  "04 08 04 08" },
  },
  LocalFrameOnBone = { struct = true, size = "08 10 08 10",
    { "local_frame", "obj", "00 00 00 00" },
    { "bone_index",  "i32", "04 08 - -" },
    { "bone_index",  "i16", "- - 04 08" },
  },
  Partition = { struct = true, size = "- - 08 10",
    { "name",             "str", "- - 00 00" },
    { "start_bone_index", "i16", "- - 04 08" },
    { "num_bones",        "i16", "- - 06 0A" },
  },
  hkaAnnotationTrack = { struct = true, size = "10 18 10 18",
    { "track_name",  "str",             "00 00 00 00" },
    { "annotations", "hkaAnnotation[]", "04 08 04 08" },
  },
  hkaAnnotation = { struct = true, size = "08 10 08 10",
    { "time", "f32", "00 00 00 00" },
    { "text", "str", "04 08 04 08" },
  },
  PartitionMappingRange = { struct = true, size = "- - 08 08",
    { "start_mapping_index", "i32", "- - 00 00" },
    { "num_mappings",        "i32", "- - 04 04" },
  },
  SimpleMapping = { struct = true, size = "40 40 40 40",
    { "bone_a",             "i16", "00 00 00 00" },
    { "bone_b",             "i16", "02 02 02 02" },
    { "a_from_b_transform", "qs",  "10 10 10 10" },
  },
  ChainMapping = { struct = true, size = "70 70 70 70",
    { "start_bone_a",             "i16", "00 00 00 00" },
    { "end_bone_a",               "i16", "02 02 02 02" },
    { "start_bone_b",             "i16", "04 04 04 04" },
    { "end_bone_b",               "i16", "06 06 06 06" },
    { "start_a_from_b_transform", "qs",  "10 10 10 10" },
    { "end_a_from_b_transform",   "qs",  "40 40 40 40" },
  },

  -- ---- objects ----
  hkRootLevelContainer = { size = "0C 10 0C 10",
    { "named_variants", "NamedVariant[]", "00 00 00 00" },
  },
  hkMemoryResourceContainer = { size = "28 40 28 40",
    { "name",             "str",   "08 10 08 10" },
    { "resource_handles", "obj[]", "10 20 10 20" },
    { "children",         "obj[]", "1C 30 1C 30" },
  },
  hkaAnimationContainer = { size = "44 60 44 60",
    { "skeletons",   "obj[]", "08 10 08 10" },
    { "animations",  "obj[]", "14 20 14 20" },
    { "bindings",    "obj[]", "20 30 20 30" },
    { "attachments", "obj[]", "2C 40 2C 40" },
    { "skins",       "obj[]", "38 50 38 50" },
  },
  hkaSkeleton = { size = "54 78 60 88",
    { "name",             "str",                "08 10 08 10" },
    { "parent_indices",   "i16[]",              "0C 18 0C 18" },
    { "bones",            "hkaBone[]",          "18 28 18 28" },
    { "reference_pose",   "qs[]",               "24 38 24 38" },
    { "reference_floats", "f32[]",              "30 48 30 48" },
    { "float_slots",      "str[]",              "3C 58 3C 58" },
    { "local_frames",     "LocalFrameOnBone[]", "48 68 48 68" },
    { "partitions",       "Partition[]",        "- - 54 78" },
  },
  hkaSkeletonMapper = { size = "80 90 A0 C0",
    { "skeleton_a",                      "obj",                     "10 10 10 10" },
    { "skeleton_b",                      "obj",                     "14 18 14 18" },
    { "partition_map",                   "i16[]",                   "- - 18 20" },
    { "simple_mapping_partition_ranges", "PartitionMappingRange[]", "- - 24 30" },
    { "chain_mapping_partition_ranges",  "PartitionMappingRange[]", "- - 30 40" },
    { "simple_mappings",                 "SimpleMapping[]",         "18 20 3C 50" },
    { "chain_mappings",                  "ChainMapping[]",          "24 30 48 60" },
    { "unmapped_bones",                  "i16[]",                   "30 40 54 70" },
    { "extracted_motion_mapping",        "qs",                      "40 50 60 80" },
    { "keep_unmapped_local",             "u8",                      "70 80 90 B0" },
    { "mapping_type",                    "i32",                     "74 84 94 B4" },
  },
  hkaSplineCompressedAnimation = animation("84 AC 84 AC", {
    { "num_frames",                 "i32",   "28 38 28 38" },
    { "num_blocks",                 "i32",   "2C 3C 2C 3C" },
    { "max_frames_per_block",       "i32",   "30 40 30 40" },
    { "mask_and_quantization_size", "i32",   "34 44 34 44" },
    { "block_duration",             "f32",   "38 48 38 48" },
    { "block_inverse_duration",     "f32",   "3C 4C 3C 4C" },
    { "frame_duration",             "f32",   "40 50 40 50" },
    { "block_offsets",              "u32[]", "44 58 44 58" },
    { "float_block_offsets",        "u32[]", "50 68 50 68" },
    { "transform_offsets",          "u32[]", "5C 78 5C 78" },
    { "float_offsets",              "u32[]", "68 88 68 88" },
    { "data",                       "bytes", "74 98 74 98" },
    { "endian",                     "i32",   "80 A8 80 A8" },
  }),
  hkaInterleavedUncompressedAnimation = animation("40 58 40 58", {
    { "transforms", "qs[]",  "28 38 28 38" },
    { "floats",     "f32[]", "34 48 34 48" },
  }),
  hkaLosslessCompressedAnimation = animation("- - A4 E0", {
    { "dynamic_translations",         "f32[]",   "- - 28 38" },
    { "static_translations",          "f32[]",   "- - 34 48" },
    { "translation_type_and_offsets", "u16x4[]", "- - 40 58" },
    { "dynamic_rotations",            "vec4[]",  "- - 4C 68" },
    { "static_rotations",             "vec4[]",  "- - 58 78" },
    { "rotation_type_and_offsets",    "u16[]",   "- - 64 88" },
    { "dynamic_scales",               "f32[]",   "- - 70 98" },
    { "static_scales",                "f32[]",   "- - 7C A8" },
    { "scale_type_and_offsets",       "u16x4[]", "- - 88 B8" },
    { "floats",                       "f32[]",   "- - 94 C8" },
    { "num_frames",                   "i32",     "- - A0 D8" },
  }),
  hkaAnimationBinding = { size = "2C 48 38 58",
    { "original_skeleton_name",             "str",   "08 10 08 10" },
    { "animation",                          "obj",   "0C 18 0C 18" },
    { "transform_track_to_bone_indices",    "i16[]", "10 20 10 20" },
    { "float_track_to_float_slot_indices",  "i16[]", "1C 30 1C 30" },
    { "partition_indices",                  "i16[]", "- - 28 40" },
    { "blend_hint",                         "i8",    "28 40 34 50" },
  },
  hkaDefaultAnimatedReferenceFrame = { size = "40 50 40 60",
    { "frame_type",              "i8",     "- - 08 10" },
    { "up",                      "vec4",   "10 10 10 20" },
    { "forward",                 "vec4",   "20 20 20 30" },
    { "duration",                "f32",    "30 30 30 40" },
    { "reference_frame_samples", "vec4[]", "34 38 34 48" },
  },
}

local COLUMNS = { ["hk_2010.2/4"] = 1, ["hk_2010.2/8"] = 2, ["hk_2014.1/4"] = 3, ["hk_2014.1/8"] = 4 }

-- The hex numbers of a row, false for "-".
local function numbers(text)
  local list = {}
  for word in text:gmatch("%S+") do list[#list + 1] = word ~= "-" and tonumber(word, 16) end
  assert(#list == 4, text)
  return list
end

local by_column = {}

--- A class or structure of a layout: { size =, struct =, { name =, type =, element = (of arrays), offset = }, … }
-- with the members in order; `elsewhere` has the names of those that only other layouts have. nil where the
-- reference does not describe it.
-- version: "hk_2010.2" or "hk_2014.1".
function classes.get(version, pointer_size, name)
  local column = COLUMNS[("%s/%d"):format(version, pointer_size)]
  local source = described[name]
  if not column or not source then return nil end
  local key = column .. name
  if by_column[key] == nil then
    local size, class = numbers(source.size)[column], { name = name, struct = source.struct, elsewhere = {} }
    class.size = size
    for _, row in ipairs(source) do
      local offset = numbers(row[3])[column]
      if offset then
        local element = row[2] == "bytes" and "u8" or row[2]:match("^(.*)%[%]$")
        class[#class + 1] = { name = row[1], type = row[2], element = element, offset = offset }
      else
        class.elsewhere[row[1]] = true
      end
    end
    for _, member in ipairs(class) do class.elsewhere[member.name] = nil end -- of another type there
    by_column[key] = size and class
  end
  return by_column[key] or nil
end

--- All described objects (not structures) of a layout, sorted by name.
function classes.names(version, pointer_size)
  local list = {}
  for name, source in pairs(described) do
    if not source.struct and classes.get(version, pointer_size, name) then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

--- Classes whose names stand first in every file, whether there are such objects or not.
classes.reflection = { "hkClass", "hkClassMember", "hkClassEnum", "hkClassEnumItem" }

--- Signatures by version, from formats/havok-packfile.md#13-__classnames__.
classes.signatures = {
  ["hk_2010.2"] = {
    hkClass = 0x75585EF6, hkClassMember = 0x5C7EA4C2, hkClassEnum = 0x8A3609CF, hkClassEnumItem = 0xCE6F8A6C,
    hkRootLevelContainer = 0x2772C11E,
    hkMemoryResourceContainer = 0x4762F92A,
    hkMemoryResourceHandle = 0xBFFAC086,
    hkaAnimationContainer = 0x8DC20333,
    hkaSkeleton = 0x366E8220,
    hkaSplineCompressedAnimation = 0x792EE0BB,
    hkaInterleavedUncompressedAnimation = 0x930AF031,
    hkaQuantizedAnimation = 0x3920F053,
    hkaAnimationBinding = 0x66EAC971,
    hkaDefaultAnimatedReferenceFrame = 0x6D85E445,
    hkaSkeletonMapper = 0x12DF42A5,
    hkaRagdollInstance = 0x154948E8,
    hkpRigidBody = 0x75F8D805,
    hkbProjectData = 0x13A39BA7, hkbProjectStringData = 0x076AD60A,
  },
  ["hk_2014.1"] = {
    hkClass = 0x33D42383, hkClassMember = 0xB0EFA719, hkClassEnum = 0x8A3609CF, hkClassEnumItem = 0xCE6F8A6C,
    hkRootLevelContainer = 0x2772C11E,
    hkMemoryResourceContainer = 0x1DE13A73,
    hkaAnimationContainer = 0x26859F4C,
    hkaSkeleton = 0xFEC1CEDB,
    hkaSplineCompressedAnimation = 0x8C3B5F7E,
    hkaInterleavedUncompressedAnimation = 0xA5EFF3F2, -- formats/havok-classes.md: worked out from its members
    hkaQuantizedAnimation = 0x3158D9CE,
    hkaAnimationBinding = 0x0FAF9150,
    hkaDefaultAnimatedReferenceFrame = 0x60F8E0B8,
    hkaSkeletonMapper = 0xACE9849C,
    hknpPhysicsSceneData = 0x701CE72C,
    hknpRagdollData = 0xDC8F20AB,
  },
}

return classes
