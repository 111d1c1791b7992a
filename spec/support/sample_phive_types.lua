--- TYPE sections of mesh shapes for tests, as sample_tagfile_write takes them: the classes that formats/bphsh.md describes,
-- with the members of the three variants.
--
--    local types = make { variant = "v22", backwards = true, moved = true, bare = true }
--    types.list                                     -- all types; their numbers are their places
--    types.root, tag, node, section, box_node, primitive, vertex, byte
--    types.place(type, "member", "member of it", …) -- offset, and the member's type
--
-- backwards: all ids are others. moved: members of the root, of sections, nodes, tags and boxes are at other offsets, in
-- another order, and the records are of other sizes.

local function library()
  local list = {}
  local function add(type)
    list[#list + 1] = type
    return type
  end
  return list, add
end

local function numbers(add)
  local function number(name, format, size) return add { name = name, format = format, size = size, align = size } end
  local function alias(name, of) return add { name = name, parent = of } end
  local t = { int = number("int", 0x8204, 4), uint = number("unsigned int", 0x8004, 4),
    uchar = number("unsigned char", 0x2004, 1), ushort = number("unsigned short", 0x4004, 2),
    short = number("short", 0x4204, 2), llong = number("long long", 0x10204, 8),
    ullong = number("unsigned long long", 0x10004, 8), float = number("float", 0x174605, 4),
    bool = number("bool", 0x2002, 1) }
  t.u8, t.u16, t.u32 = alias("hkUint8", t.uchar), alias("hkUint16", t.ushort), alias("hkUint32", t.uint)
  t.i16, t.i64, t.u64 = alias("hkInt16", t.short), alias("hkInt64", t.llong), alias("hkUint64", t.ullong)
  t.ulong, t.real = alias("hkUlong", t.ullong), alias("hkReal", t.float)
  t.u8.hash = 0xDDD4337B
  t.vector = alias("hkVector4", add { name = "hkVector4f", format = 0x428, sub = t.float, size = 16, align = 0x4010 })
  return t
end

-- Makers of arrays, enumerations and records.
local function makers(add, t)
  local make = {}
  function make.record(name, size, align, members, more)
    local type = { name = name, format = 7, size = size, align = align, members = members }
    for key, value in pairs(more or {}) do type[key] = value end
    return add(type)
  end
  function make.view(of)
    return add { name = "hkRelArrayView", arguments = { { "tT", of }, { "tSIZE", t.int } }, format = 8, sub = of, size = 8,
      align = 4, flags = 0x2000, members = { { "offset", t.int, 0, flags = 0x22 }, { "size", t.int, 4, flags = 0x22 } } }
  end
  function make.array(of)
    return add { name = "hkRelArray", arguments = { { "tT", of } }, format = 8, sub = of, size = 16, align = 8,
      flags = 0x2000, members = { { "offset", t.i64, 0, flags = 0x22 }, { "size", t.int, 8, flags = 0x22 },
        { "capacityAndFlags", t.int, 12, flags = 0x22 } } }
  end
  function make.inline(of, count, size)
    return add { name = "T[N]", arguments = { { "tT", of }, { "vN", count } }, format = 0x28 | count << 8, sub = of,
      size = size * count, align = size }
  end
  function make.enum(kind, name, storage, format, size)
    local of = add { name = name, bare = true }
    return add { name = kind, arguments = { { "tENUM", of }, { "tSTORAGE", storage } }, format = format, size = size,
      align = size, members = { { "storage", storage, 0, flags = 0x24 } } }
  end
  return make
end

local function shape_class(make, add, t)
  local base = make.record("hkBaseObject", 8, 8, {}, { flags = 0x90 })
  local referenced = make.record("hkReferencedObject", 24, 8, { { "sizeAndFlags", t.ulong, 8, flags = 0x25 },
    { "refCount", t.ulong, 16, flags = 0x25 } }, { parent = base, version = 4 })
  local entry = add { name = "hknpShapeProperties::Entry", bare = true }
  local properties = make.record("hknpShapeProperties", 16, 8, { { "properties", make.array(entry), 0, flags = 0x22 } })
  local shape = make.record("hknpShape", 64, 8, {
    { "type", make.enum("hkEnum", "hknpShapeType::Enum", t.u8, 0x2004, 1), 0x18, flags = 0x22 },
    { "dispatchType", make.enum("hkEnum", "hknpCollisionDispatchType::Enum", t.u8, 0x2004, 1), 0x19, flags = 0x22 },
    { "flags", make.enum("hkFlags", "hknpShape::FlagsEnum", t.u16, 0x4004, 2), 0x1A, flags = 0x22 },
    { "numShapeKeyBits", t.u8, 0x1C, flags = 0x22 }, { "convexRadius", t.real, 0x20, flags = 0x22 },
    { "userData", t.u64, 0x28 }, { "properties", properties, 0x30, flags = 0x22 } }, { parent = referenced, version = 7 })
  return make.record("hknpCompositeShape", 72, 8, { { "shapeTagCodecInfo", t.u32, 0x40 } }, { parent = shape, version = 3 })
end

local function four_boxes(name, of, size, moved)
  local order = moved and { "lz", "hz", "ly", "hy", "lx", "hx" } or { "lx", "hx", "ly", "hy", "lz", "hz" }
  local members = {}
  for i, key in ipairs(order) do members[i] = { key, of, (i - 1) * size } end
  return name, 6 * size, size == 16 and 16 or 4, members
end

local function tree_class(make, t, spec, out)
  local boxes = make.record(four_boxes("hkcdFourAabb", t.vector, 16, spec.moved))
  local data = make.inline(t.u32, 4, 4)
  local at, more = spec.moved and 0x70 or 0x60, { parent = boxes, version = 2, hash = 0xE4C7731E }
  if spec.variant ~= "v23" then
    local own = spec.moved and 0x60 or 0x70
    out.node = make.record("hkcdSimdTree::Node", 0x80, 16, { { "data", data, at }, { "isLeaf", t.bool, own },
      { "isActive", t.bool, own + 1, flags = 0x21 } }, more)
    return make.record("hkcdSimdTree", 24, 8, { { "nodes", make.array(out.node), 0 }, { "isCompact", t.bool, 16 } },
      { version = 3 })
  end
  local own = spec.moved and 0x60 or 0x70
  local flags = make.enum("hkFlags", "hkcdSimdTreeNamespace::Node::FlagsEnum", t.uchar, 0x2004, 1)
  out.node = make.record("hkcdSimdTreeNamespace::Node", 0x80, 16, { { "data", data, at },
    { "filterMasks", make.inline(t.u8, 4, 1), own }, { "flags", flags, own + 4 }, { "maxDepth", t.u8, own + 5 },
    { "splittingAxisCache", t.u8, own + 6 }, { "numAddRemoveOperationsSinceLastRebalance", t.u8, own + 7 },
    { "parent", t.u32, own + 8 }, { "numLeaves", t.u32, own + 12 } }, more)
  local storage = make.record("hkcdSimdTreeNamespace::RelArrayStorage", 16, 8, { { "nodes", make.array(out.node), 0 } },
    { arguments = { { "tNODE", out.node } } })
  return make.record("hkcdSimdTreeNamespace::hkcdSimdTree", 24, 8, { { "firstFreeIndex", t.u32, 16 },
    { "isCompact", t.bool, 20 } }, { parent = storage, arguments = { { "tSTORAGE", storage } } })
end

local function section_class(make, t, spec, out)
  local boxes = make.record(four_boxes("hknpTransposedFourAabbs8", t.u32, 4, spec.moved))
  out.box_node = make.record("hknpAabb8TreeNode", 28, 4, { { "data", make.inline(t.u8, 4, 1), 24 } },
    { parent = boxes, hash = 0xD075C85D })
  out.primitive = make.record("hknpMeshShape::GeometrySection::Primitive", 4, 1, { { "aId", t.u8, 0 }, { "bId", t.u8, 1 },
    { "cId", t.u8, 2 }, { "dId", t.u8, 3 } }, { hash = 0x0DEE5974 })
  out.vertex = spec.variant == "v21" and make.record("hknpMeshShape::GeometrySection::Vertex16_3", 6, 2,
    { { "x", t.u16, 0 }, { "y", t.u16, 2 }, { "z", t.u16, 4 } }, { hash = 0x27539477 }) or t.u8
  local float3 = make.record("hkFloat3", 12, 4, { { "x", t.float, 0 }, { "y", t.float, 4 }, { "z", t.float, 8 } })
  local views, rest = spec.moved and 0x20 or 0, spec.moved and 0 or 0x20
  local vertices = spec.variant == "v21" and "quantizedVertices" or "vertexBuffer"
  local moved = spec.moved and 8 or 0             -- the first two views change places
  out.section = make.record("hknpMeshShape::GeometrySection", spec.moved and 0x48 or 0x40, 4, {
    { "sectionBvh", make.view(out.box_node), views + moved }, { "primitives", make.view(out.primitive), views + 8 - moved },
    { vertices, make.view(out.vertex), views + 16 }, { "interiorPrimitiveBitField", make.view(t.u8), views + 24 },
    { "sectionOffset", make.inline(t.u32, 3, 4), rest }, { "bitScale8Inv", float3, rest + 12 },
    { "bitOffset", make.inline(t.i16, 3, 2), rest + 24 } }, { hash = 0xBC093FDD })
end

-- Offset and type of a member, of its parents too.
local function find(type, name)
  while type do
    for _, member in ipairs(type.members or {}) do
      if member[1] == name then return member[3], member[2] end
    end
    type = type.parent
  end
  error("no member " .. name)
end

local function place(type, ...)
  local at = 0
  for _, name in ipairs { ... } do
    local offset, of = find(type, name)
    at, type = at + offset, of
  end
  return at, type
end

return function(spec)
  local list, add = library()
  local t = numbers(add)
  local make, out = makers(add, t), { list = list, byte = t.u8, place = place }
  local composite = shape_class(make, add, t)
  local tree = tree_class(make, t, spec, out)
  local moved = spec.moved
  out.tag = make.record("hknpMeshShape::ShapeTagTableEntry", moved and 12 or 8, 4,
    { { "meshPrimitiveKey", t.u32, moved and 4 or 0 }, { "shapeTag", t.u16, moved and 0 or 4 } }, { hash = 0x86242BCF })
  section_class(make, t, spec, out)
  local scales = make.record("hknpMeshShapeVertexConversionUtil", 32, 16, { { "bitScale16", t.vector, moved and 16 or 0 },
    { "bitScale16Inv", t.vector, moved and 0 or 16 } })
  local members = { { "vertexConversionUtil", scales, moved and 0x80 or 0x50 },
    { "shapeTagTable", make.view(out.tag), moved and 0x60 or 0x70 }, { "topLevelTree", tree, moved and 0x68 or 0x78 },
    { "geometrySections", make.view(out.section), moved and 0x50 or 0x90 } }
  if spec.variant ~= "v21" then
    local mapping = add { name = "hknpMeshShapePrimitiveMapping", bare = true }
    local pointer = add { name = "hkRelPtr", arguments = { { "tT", mapping } }, format = 6, sub = mapping, size = 8,
      align = 8, flags = 0x2000, members = { { "offset", t.i64, 0, flags = 0x22 } } }
    members[5] = { "primitiveMapping", pointer, moved and 0x58 or 0x98 }
  end
  out.root = make.record("hknpMeshShape", moved and 0xC0 or 0xA0, 16, members,
    { parent = composite, version = 1, hash = 0xEF99260B })
  if spec.backwards then
    for i = 1, #list // 2 do list[i], list[#list + 1 - i] = list[#list + 1 - i], list[i] end
  end
  return out
end
