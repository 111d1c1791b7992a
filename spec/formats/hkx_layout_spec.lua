-- Where each member of each class lies, in the four layouts of the reference: lathe works it out from lists of
-- members, hkx_classes has the figures as they are written in formats/hkx-animation.md.

local checks = require "format_checks"
local classes = require "hkx_classes"
local lathe = require "lathe"
local sample = require "sample_hkx"

local LAYOUTS = { -- 10/4, 10/8, 14/4, 14/8
  { version = "hk_2010.2", pointer_size = 4 }, { version = "hk_2010.2", pointer_size = 8 },
  { version = "hk_2014.1", pointer_size = 4 }, { version = "hk_2014.1", pointer_size = 8 },
}

-- What the reference calls otherwise, or not at all.
local STRUCTS = {
  NamedVariant = "hkRootLevelContainerNamedVariant",
  LocalFrameOnBone = "hkaSkeletonLocalFrameOnBone",
  Partition = "hkaSkeletonPartition",
  hkaAnnotation = "hkaAnnotationTrackAnnotation",
  PartitionMappingRange = "hkaSkeletonMapperDataPartitionMappingRange",
  SimpleMapping = "hkaSkeletonMapperDataSimpleMapping",
  ChainMapping = "hkaSkeletonMapperDataChainMapping",
  vec4 = "hkVector4", qs = "hkQsTransform", u16x4 = "hkaLosslessCompressedAnimationCodes",
  str = "cstr", bytes = "bytes",
}

-- Members that the tables of the reference leave to its text: of hkReferencedObject; and one that is always null.
local TEXT = {
  vtable = function() return 0 end,
  mem_size_and_flags = function(layout) return layout.pointer_size end,
  reference_count = function(layout) return layout.pointer_size + 2 end,
  mem_size_and_ref_count = function(layout) return layout.pointer_size end,
  parent = function(layout) return layout.pointer_size == 4 and 0x0C or 0x18 end,
}

local function with(layout, opts)
  local all = { resource = opts.resource }
  for k, v in pairs(opts) do all[k] = v end
  for k, v in pairs(layout) do all[k] = v end
  return all
end

local function is_new(layout) return layout.version == "hk_2014.1" end

-- Files that have something of every class, with two elements in every array of structures.
local function files(layout)
  local frames = { { local_frame = false, bone_index = 0 }, { local_frame = false, bone_index = 1 } }
  local parts = is_new(layout) and { { name = "a", num_bones = 1 }, { name = "b", num_bones = 2 } } or nil
  local skeleton = { bones = 3, float_slots = { "x", "y" }, local_frames = frames, partitions = parts }
  local mapper = sample.mapper(sample.skeleton_object { name = "A" }, sample.skeleton_object { name = "B" },
    { simple = { { 0, 0 }, { 1, 1 } }, chains = { { 0, 1, 0, 1 }, { 1, 2, 1, 2 } }, unmapped = { 2, 1 } })
  if is_new(layout) then
    mapper.partition_map = { 0, 1 }
    mapper.simple_mapping_partition_ranges = { { num_mappings = 1 }, { num_mappings = 2 } }
    mapper.chain_mapping_partition_ranges = { { num_mappings = 1 }, { num_mappings = 2 } }
  end
  local list = { (sample.clip(with(layout, {
    tracks = 2, floats = { 1, 2 }, motion = true, skeletons = { skeleton },
    annotations = { { time = 0, text = "a" }, { time = 1, text = "b" } },
    variants = { { "SkeletonMapper", mapper.class, mapper } },
  }))), (sample.clip(with(layout, { kind = "interleaved", tracks = 2, floats = { 1, 2 } }))) }
  if is_new(layout) then
    list[3] = sample.clip(with(layout, { kind = "lossless", floats = { 1, 2 }, tracks = {
      { translation = { x = 1, y = 2, z = { 1, 2 } }, rotation = { 0, 0, 0, 1 }, scale = { x = 1, z = { 3, 4 } } },
      { translation = { x = { 1, 2 } }, rotation = { 0, 0, 0, 1 }, scale = { z = { 1, 1 } } },
      { rotation = { { { 0, 0, 0, 1 }, { 0, 0, 1, 0 } } } },
    }, frames = 2 }))
  end
  return list
end

-- Rows of a view with structures that lie in line (but no vectors) taken apart.
local function flat_rows(view, base, out)
  for _, row in ipairs(lathe.describe(view)) do
    local offset = row.offset and base + row.offset
    if offset and row.kind == "record" and not row.array and not row.ref and not STRUCTS[row.type]
      and not row.type:find "^hkVector4" and not row.type:find "^hkQ" then
      flat_rows(view[row.name], offset, out)
    elseif offset then
      out[#out + 1] = { name = row.name, row = row, offset = offset, view = view }
    end
  end
  return out
end

local function type_of(member)
  local name = member.element and member.type ~= "bytes" and member.element or member.type
  return STRUCTS[name] or name
end

local SCALAR = { i8 = 1, u8 = 1, i16 = 2, u16 = 2, i32 = 4, u32 = 4, f32 = 4 }

local function check_type(class, member, row)
  local label = class .. "." .. member.name
  assert.equal(member.element ~= nil and member.type ~= "bytes", row.array == true, label)
  local wanted = type_of(member)
  if wanted == "obj" then
    assert.is_true(row.ref, label)
  elseif wanted == "hkVector4" and row.type == "hkQuaternion" then
    assert.equal("record", row.kind, label)
  else
    assert.equal(wanted, row.type, label)
  end
end

local stride_of

local function check_members(walk, class, view)
  local rows, label = flat_rows(view, 0, {}), class.name
  local by_name, left = {}, 0
  for _, row in ipairs(rows) do
    if TEXT[row.name] and not (class.struct) then
      assert.equal(TEXT[row.name](walk.layout), row.offset, label .. "." .. row.name)
    else
      by_name[row.name], left = row, left + 1
    end
  end
  for _, member in ipairs(class) do
    local row = by_name[member.name]
    assert(row, label .. " lacks " .. member.name)
    assert.equal(("%s 0x%x"):format(member.name, member.offset), ("%s 0x%x"):format(row.name, row.offset), label)
    check_type(label, member, row.row)
    walk.compared = walk.compared + 1
    left = left - 1
    stride_of(walk, member, row)
  end
  assert.equal(0, left, label .. " has more members than the reference")
  local reach = view
  for _, row in ipairs(rows) do reach = row.view ~= view and row.view or reach end -- of what lies in line
  for name in pairs(class.elsewhere) do
    assert.is_nil(reach[name], label .. "." .. name)
  end
end

-- Elements stand one behind the other, and are structures of the layout themselves.
function stride_of(walk, member, row)
  local name = member.element
  if not name or member.type == "bytes" then return end
  local array = row.view[row.name]
  if #array < 2 then return end
  local size = SCALAR[name] or classes.sizes[name] or (name == "str" or name == "obj") and walk.layout.pointer_size
  local class = not size and classes.get(walk.layout.version, walk.layout.pointer_size, name)
  local function at(i)
    if class or not (name == "str" or name == "obj") then return (lathe.span(array, i)) end
    return nil
  end
  if at(1) then
    assert.equal(size or class.size, at(2) - at(1), name)
    walk.strides[name] = size or class.size
  end
  if class then check_members(walk, class, array[1]) end
end

-- How many bytes lathe takes an object of the class to have: an object of fewer is opaque, and says so.
local function size_of(layout, name)
  local signature = classes.signatures[layout.version][name] or 1
  local short = sample.opaque(name, signature, ("\0"):rep(16))
  local bytes = sample.build(sample.root { { "x", name, short } }, with(layout, { signatures = { [name] = signature } }))
  local doc <close> = checks.open("hkx", bytes)
  local why = lathe.problem(doc.objects[2])
  assert(why, name .. " fits into 16 bytes")
  assert.equal(name, lathe.type(doc.objects[2]))
  return tonumber(why.message:match "^" .. name and why.message:match " takes (%d+) bytes, 16 are there$")
end

describe("hkx layouts", function()
  for _, layout in ipairs(LAYOUTS) do
    local name = layout.version .. "/" .. layout.pointer_size
    for _, endian in ipairs { "<", ">" } do
      it(("%s %s-endian: every class is as the reference has it"):format(name, endian == "<" and "little" or "big"),
        function()
          local all = with(layout, { endian = endian })
          local walk, met = { layout = layout, compared = 0, strides = {} }, {}
          for _, bytes in ipairs(files(all)) do
            local doc <close> = checks.open("hkx", bytes)
            for _, object in ipairs(doc.objects) do
              local class = assert(classes.get(layout.version, layout.pointer_size, lathe.type(object)))
              met[class.name] = true
              check_members(walk, class, object)
            end
          end
          for _, class in ipairs(classes.names(layout.version, layout.pointer_size)) do
            assert.is_true(met[class], class .. " was in no file")
          end
          for _, struct in ipairs { "hkaBone", "NamedVariant", "LocalFrameOnBone", "hkaAnnotationTrack",
            "hkaAnnotation", "SimpleMapping", "ChainMapping", "qs", "vec4", "i16", "f32" } do
            assert.truthy(walk.strides[struct], struct)
          end
          if is_new(layout) then
            for _, struct in ipairs { "Partition", "PartitionMappingRange", "u16x4", "u16" } do
              assert.truthy(walk.strides[struct], struct)
            end
          end
          assert(walk.compared > 90, walk.compared)
        end)
    end

    it(name .. ": classes have the sizes of the reference", function()
      for _, class in ipairs(classes.names(layout.version, layout.pointer_size)) do
        if class ~= "hkRootLevelContainer" then
          local size = classes.get(layout.version, layout.pointer_size, class).size
          -- The reference gives this one's end; a C compiler pads it.
          if class == "hkaSplineCompressedAnimation" then size = size + -size % layout.pointer_size end
          assert.equal(size, size_of(layout, class), class)
        end
      end
    end)

    it(name .. ": the small root is refused what is smaller still", function()
      local bytes, info = sample.build(sample.root {}, layout)
      local size = classes.get(layout.version, layout.pointer_size, "hkRootLevelContainer").size
      local doc <close> = checks.open("hkx", bytes)
      assert.is_nil(lathe.problem(doc.root))
      assert.equal(16, select(2, lathe.span(doc.root)))
      -- Four bytes of data in front of the object: it has 12 left.
      local moved = sample.patch(bytes, info.data_start + 16, string.pack("<I4", 4))
      moved = sample.patch(moved, 0x1C, string.pack("<i4", 4))
      local other <close> = checks.open("hkx", moved)
      local why = lathe.problem(other.objects[1])
      assert.equal(size > 12 and "hkRootLevelContainer takes 16 bytes, 12 are there" or nil,
        why and why.message:match "^.* takes .*$")
      assert.equal("\0\0\0\0", other.lead)
    end)
  end

  it("without a document have no offsets", function()
    for _, row in ipairs(lathe.describe "hkaSkeleton") do assert.is_nil(row.offset, row.name) end
    assert.equal(0, lathe.describe("hkVector4")[1].offset)
  end)
end)
