--- Reads .bphsh files in plain Lua, for tests: shares nothing with the core, and believes nothing. What cannot be read
-- raises a text with the offset in the file; what can be read but is wrong is told by phive_judge. Reference:
-- formats/bphsh.md.
--
--    local shape = reader.read(bytes)
--
-- The table that it gives is the one that phive_judge and phive_figures take:
--
--    shape.variant, shape.sdk, shape.size           -- "v21", "20210100", bytes of the file
--    shape.type, dispatch, flags, key_bits, shift, codec, convex_radius
--    shape.scale, shape.scale_inv                   -- bitScale16 and bitScale16Inv, four numbers each
--    shape.tag_table[i]                             -- { key, tag }
--    shape.tree[i]                                  -- leaf, lanes = { { lane = 1…4, data, min = {x, y, z}, max = … }, … }
--                                                   --   of the lanes in use; i: the number in the file + 1
--    shape.sections[i]                              -- float, offset, cell, cell_offset: three numbers each
--        .vertices[j]                               -- { x, y, z } in world units, as the engine has them
--        .primitives[j]                             -- { a, b, c, d }
--        .interior                                  -- bytes
--        .bvh[j]                                    -- leaf, lanes as above, in world units; the number in the file + 1
--    shape.materials[i]                             -- { id, sub, tags }
--    shape.masks[i]                                 -- { layer, sublayer }; without the padding row
--
-- reader.tag_of(shape, section, primitive, sub), reader.triangles(shape) and reader.bounds(shape) derive the rest
-- (sections and primitives count from 0 there). Of the file itself, for phive_judge only:
--
--    shape.header                                   -- the numbers of the header
--    shape.file                                     -- the tagfile, as tagfile_reader reads it
--    shape.arrays[i]                                -- { name, type, offset in DATA, count, bytes }, in layout order
--    shape.extra                                    -- members that are not said above

local tagfile_reader = require "tagfile_reader"

local reader = {}

local pack, unpack = string.pack, string.unpack

local function fail(offset, ...)
  error(("at 0x%x: %s"):format(offset, string.format(...)), 0)
end

--- The nearest number of 32 bits.
function reader.f32(x)
  return (unpack("<f", pack("<f", x)))
end

local f32 = reader.f32

-- ---- header and tables -----------------------------------------------------------------------------------

local KINDS = { [0] = "Shape", "NavMesh", "StaticCompound", "Cloth" }

local function read_header(bytes)
  if #bytes < 0x30 then fail(0, "too short for a Phive header (%d of 48 bytes)", #bytes) end
  if bytes:sub(1, 6) ~= "Phive\0" then fail(0, "no Phive file") end
  local h = { offsets = {}, sizes = {} }
  h.reserve, h.zero, h.mark, h.kind, h.capacity = unpack("<BBI2BB", bytes, 7)
  if h.mark ~= 0xFEFF then fail(8, "byte-order mark 0x%04X", h.mark) end
  if h.kind ~= 0 then fail(10, "Phive file type %d (%s), not a shape", h.kind, KINDS[h.kind] or "unknown") end
  if h.capacity ~= 4 then fail(11, "room for %d sections", h.capacity) end
  for i = 1, 4 do
    h.offsets[i] = unpack("<I4", bytes, 9 + 4 * i)
    h.sizes[i] = unpack("<I4", bytes, 25 + 4 * i)
  end
  h.padding = unpack("<I4", bytes, 0x2D)
  for i, name in ipairs { "tagfile", "material table", "hit-mask table" } do
    if h.offsets[i] < 0x30 or h.offsets[i] > #bytes then fail(8 + 4 * i, "%s outside the file", name) end
    if h.sizes[i] > #bytes - h.offsets[i] then fail(24 + 4 * i, "%s runs past the end of the file", name) end
    if i > 1 and h.offsets[i] < h.offsets[i - 1] + h.sizes[i - 1] then
      fail(8 + 4 * i, "%s overlaps what is in front of it", name)
    end
  end
  return h
end

local function read_materials(bytes, header)
  local list = {}
  for i = 1, header.sizes[2] // 16 do
    local id, sub, tags = unpack("<I4I4I8", bytes, header.offsets[2] + 16 * (i - 1) + 1)
    list[i] = { id = id, sub = sub, tags = tags }
  end
  return list
end

-- Rows behind those of the materials that are zero are padding.
local function read_masks(bytes, header, variant, materials)
  local list, wide = {}, variant == "v23"
  local size = wide and 16 or 8
  for i = 1, header.sizes[3] // size do
    local layer, sublayer = unpack(wide and "<I8I8" or "<I4I4", bytes, header.offsets[3] + size * (i - 1) + 1)
    list[i] = { layer = layer, sublayer = sublayer }
  end
  if #list == materials + 1 and list[#list].layer == 0 and list[#list].sublayer == 0 then list[#list] = nil end
  return list
end

-- ---- types and fields --------------------------------------------------------------------------------------

local Shape = {}
Shape.__index = Shape

local function member_of(file, id, name)
  for _, member in ipairs(file:members(id)) do
    if member.name == name then return member end
  end
  return nil
end

local function need_member(file, id, name)
  return member_of(file, id, name) or fail(0, "TYPE: %s has no member %s", file:display(id), name)
end

-- Offset and type of a member of a member: { "topLevelTree", "nodes" }.
local function place(file, id, path)
  local at = 0
  for _, name in ipairs(path) do
    local member = need_member(file, id, name)
    at, id = at + member.offset, member.type
  end
  return at, id
end

-- A value at an offset of DATA.
local function value(file, base, id, path)
  local at, type = place(file, id, path)
  return file:at(type, base + at)
end

-- Where an array's elements are: offset, count, type and bytes of an element.
local function array(self, base, id, path, owner)
  local file = self.file
  local at, type = place(file, id, path)
  local name = (owner or "") .. path[#path]
  if not (file:kind(type) == "array" and file:relative(type)) then
    fail(0, "TYPE: %s is no relative array", name)
  end
  local element = file:sub(type)
  local size = file:size(element)
  file:need(base + at, file:size(type), name)
  local target, count = file:target(type, base + at)
  if not target then
    local told = unpack(file:size(type) == 8 and "<i4" or "<i8", file.data, base + at + 1)
    return { name = name, type = element, count = 0, size = size, told = told, field = base + at }
  end
  if size == 0 then fail(0, "TYPE: %s has no size", file:display(element)) end
  if target < 0 or target > #file.data or count > (#file.data - target) // size then
    fail(self.data_at + base + at, "%s: %d of %d bytes at 0x%x lie outside DATA (%d bytes)", name, count, size, target,
      #file.data)
  end
  return { name = name, type = element, offset = target, count = count, size = size, field = base + at }
end

-- ---- trees ---------------------------------------------------------------------------------------------------

local BOX = { "lx", "hx", "ly", "hy", "lz", "hz" }

local function lane_box(rows, lane, put)
  local min, max = {}, {}
  for k = 1, 3 do
    min[k], max[k] = put(k, rows[2 * k - 1][lane]), put(k, rows[2 * k][lane])
  end
  return min, max
end

local function same(_, number) return number end

-- The top-level tree. Lanes are told by their data, not by their boxes.
local function read_nodes(self, list)
  local file, nodes = self.file, {}
  if list.count == 0 then return nodes end
  local newer = member_of(file, list.type, "flags")
  for i = 1, list.count do
    local at = list.offset + (i - 1) * list.size
    local raw = file:value { type = list.type, offset = at, kind = 0x10 }
    local node = { lanes = {}, empty = {} }
    local leaf = raw.isLeaf
    if newer then
      local flags = raw.flags
      if type(flags) == "table" then flags = flags.storage end
      leaf = flags & 1 ~= 0
      node.flags, node.depth, node.parent, node.leaves = flags, raw.maxDepth, raw.parent, raw.numLeaves
    end
    node.leaf = leaf
    local rows = {}
    for k, name in ipairs(BOX) do rows[k] = raw[name] or fail(0, "TYPE: the tree's nodes have no %s", name) end
    for lane = 1, 4 do
      local data = raw.data[lane]
      local min, max = lane_box(rows, lane, same)
      local list_of = (leaf and data == 0xFFFFFFFF or not leaf and data == 0) and node.empty or node.lanes
      list_of[#list_of + 1] = { lane = lane, data = data, min = min, max = max }
    end
    nodes[i] = node
  end
  return nodes
end

-- A section's tree: boxes of bytes, in cells.
local function read_bvh(self, list, section)
  local file, nodes = self.file, {}
  local offset, cell = section.cell_offset, section.cell
  local function put(k, number) return f32(f32(offset[k] + number) * cell[k]) end
  local offsets = {}
  for k, name in ipairs(BOX) do
    local member = need_member(file, list.type, name)
    if file:size(member.type) ~= 4 then fail(0, "TYPE: %s of a section's node is not of four bytes", name) end
    offsets[k] = member.offset
  end
  local data_at = need_member(file, list.type, "data").offset
  for i = 1, list.count do
    local at, rows = list.offset + (i - 1) * list.size, {}
    for k = 1, 6 do rows[k] = { file.data:byte(at + offsets[k] + 1, at + offsets[k] + 4) } end
    local data = { file.data:byte(at + data_at + 1, at + data_at + 4) }
    local node = { leaf = data[3] > data[4], lanes = {}, empty = {} }
    for lane = 1, 4 do
      local min, max = lane_box(rows, lane, put)
      local list_of = rows[1][lane] <= rows[2][lane] and node.lanes or node.empty
      local low, high = lane_box(rows, lane, same)
      list_of[#list_of + 1] = { lane = lane, data = data[lane], min = min, max = max, low = low, high = high }
    end
    nodes[i] = node
  end
  return nodes
end

-- ---- sections ------------------------------------------------------------------------------------------------

local FLOAT = 0x7FFFFFFF

local function read_vertices(self, section, list)
  local data, out, scale = self.file.data, {}, self.scale_inv
  local size = section.float and 12 or 6
  local bytes = list.count * list.size
  local offset, step = section.offset, self.v21_vertex  -- step: offsets of x, y and z in Vertex16_3
  if section.float and step then fail(self.data_at + list.field, "float vertices where the types have Vertex16_3") end
  for i = 1, bytes // size do
    local at = list.offset + (i - 1) * size + 1
    local v
    if section.float then
      v = { unpack("<fff", data, at) }
    elseif step then
      v = {}
      for k = 1, 3 do v[k] = unpack("<I2", data, list.offset + (i - 1) * list.size + step[k] + 1) end
    else
      v = { unpack("<I2I2I2", data, at) }
    end
    if not section.float then
      for k = 1, 3 do v[k] = f32(f32(offset[k] + v[k]) * scale[k]) end
    end
    v[4] = nil
    out[i] = v
  end
  return out, bytes % size
end

local function signed(words)
  local out = {}
  for k = 1, 3 do out[k] = unpack("<i4", pack("<I4", words[k])) end
  return out
end

local function float3(v)
  return v.x and { v.x, v.y, v.z } or v
end

local function read_section(self, base, id, number)
  local file = self.file
  local s = { arrays = {} }
  s.offset = signed(value(file, base, id, { "sectionOffset" }))
  s.cell = float3(value(file, base, id, { "bitScale8Inv" }))
  s.cell_offset = value(file, base, id, { "bitOffset" })
  s.float = s.offset[1] == FLOAT and s.offset[2] == FLOAT and s.offset[3] == FLOAT
  for k, name in ipairs { "sectionBvh", "primitives", self.vertex_member, "interiorPrimitiveBitField" } do
    s.arrays[k] = array(self, base, id, { name }, ("section %d "):format(number))
  end
  local bvh, primitives, vertices, interior = table.unpack(s.arrays)
  if primitives.count > 256 then
    fail(self.data_at + primitives.field, "section %d has %d primitives", number, primitives.count)
  end
  s.bvh = read_bvh(self, bvh, s)
  s.primitives = {}
  for i = 1, primitives.count do
    local p = file:at(primitives.type, primitives.offset + (i - 1) * primitives.size)
    s.primitives[i] = { p.aId, p.bId, p.cId, p.dId }
  end
  s.vertices, s.vertex_rest = read_vertices(self, s, vertices)
  s.interior = interior.offset and file.data:sub(interior.offset + 1, interior.offset + interior.count) or ""
  return s
end

-- ---- the shape -------------------------------------------------------------------------------------------------

local function find_variant(file, root)
  local _, sections = place(file, root, { "geometrySections" })
  local section = file:sub(sections)
  local _, nodes = place(file, root, { "topLevelTree", "nodes" })
  if member_of(file, section, "quantizedVertices") then return "v21", "quantizedVertices" end
  return member_of(file, file:sub(nodes), "filterMasks") and "v23" or "v22", "vertexBuffer"
end

local function plain(v)
  if type(v) == "table" and v.storage then return v.storage end
  return v
end

local function read_root(self, root)
  local file = self.file
  local function get(...) return plain(value(file, root.offset, root.type, { ... })) end
  self.type, self.dispatch, self.flags, self.key_bits = get "type", get "dispatchType", get "flags", get "numShapeKeyBits"
  self.codec, self.convex_radius = get "shapeTagCodecInfo", get "convexRadius"
  self.scale = get("vertexConversionUtil", "bitScale16")
  self.scale_inv = get("vertexConversionUtil", "bitScale16Inv")
  self.extra = { user_data = get "userData" }
  local compact = get("topLevelTree", "isCompact")
  self.extra.compact = compact == true or compact == 1
  local properties = place(file, root.type, { "properties", "properties" })
  self.extra.properties = file.data:sub(root.offset + properties + 1, root.offset + properties + 16)
  if member_of(file, root.type, "primitiveMapping") then
    self.extra.mapping = unpack("<i8", file.data, root.offset + place(file, root.type, { "primitiveMapping" }) + 1)
  end
end

local function read_tags(self, list)
  local out = {}
  local key = place(self.file, list.type, { "meshPrimitiveKey" })
  local tag = place(self.file, list.type, { "shapeTag" })
  for i = 1, list.count do
    local at = list.offset + (i - 1) * list.size
    out[i] = { (unpack("<I4", self.file.data, at + key + 1)), (unpack("<I2", self.file.data, at + tag + 1)) }
  end
  return out
end

-- All arrays in the order that the reference gives: chunks of 1024 sections.
local function order_arrays(self, top)
  local list = { top[1], top[2], top[3] }
  for first = 1, #self.sections, 1024 do
    for k = 1, 4 do
      for i = first, math.min(first + 1023, #self.sections) do list[#list + 1] = self.sections[i].arrays[k] end
    end
  end
  return list
end

--- Bits that a number needs: none for 0 and less.
function reader.bits(number)
  local n = 0
  while number > 0 do number, n = number >> 1, n + 1 end
  return n
end

local function read_shape(self, root)
  local file = self.file
  self.variant, self.vertex_member = find_variant(file, root.type)
  read_root(self, root)
  local function top(...) return array(self, root.offset, root.type, { ... }) end
  local tags, nodes, sections = top "shapeTagTable", top("topLevelTree", "nodes"), top "geometrySections"
  if self.variant == "v21" then
    local vertex = file:sub(select(2, place(file, sections.type, { "quantizedVertices" })))
    self.v21_vertex = {}
    for k, name in ipairs { "x", "y", "z" } do self.v21_vertex[k] = need_member(file, vertex, name).offset end
  end
  self.tag_table, self.tree, self.sections = read_tags(self, tags), read_nodes(self, nodes), {}
  for i = 1, sections.count do
    self.sections[i] = read_section(self, sections.offset + (i - 1) * sections.size, sections.type, i - 1)
  end
  self.shift = self.key_bits - reader.bits(sections.count - 1)
  self.arrays = order_arrays(self, { tags, nodes, sections })
end

--- All of a file; see above.
function reader.read(bytes)
  local header = read_header(bytes)
  local self = setmetatable({ header = header, size = #bytes, bytes = bytes }, Shape)
  local tagfile = bytes:sub(header.offsets[1] + 1, header.offsets[1] + header.sizes[1])
  if tagfile:sub(5, 8) ~= "TAG0" then fail(header.offsets[1] + 4, "no TAG0 section") end
  if unpack(">I4", tagfile) & 0x3FFFFFFF > #tagfile then fail(header.offsets[1], "TAG0 larger than the tagfile's bytes") end
  self.file = tagfile_reader.read(tagfile)
  self.sdk = self.file.sdk
  local data, root = self.file:section "DATA", self.file.items[1]
  if not data then fail(header.offsets[1], "no DATA section") end
  self.data_at = header.offsets[1] + data.offset + 8
  if not root then fail(header.offsets[1], "no root item") end
  if not self.file.types[root.type] then
    fail(header.offsets[1] + self.file:section("ITEM").offset + 20, "item 1 has type %d of %d", root.type, #self.file.types)
  end
  if self.file:display(root.type) ~= "hknpMeshShape" then
    fail(header.offsets[1], "item 1 is %s, not hknpMeshShape", self.file:display(root.type))
  end
  read_shape(self, root)
  self.materials = read_materials(bytes, header)
  self.masks = read_masks(bytes, header, self.variant, #self.materials)
  return self
end

-- ---- what follows from it ----------------------------------------------------------------------------------------

--- The key of a sub-triangle.
function reader.key(shape, section, primitive, sub)
  return section << shape.shift | primitive << 1 | sub
end

--- The tag of a sub-triangle, by binary search as the engine does it; nil: the table has none for it.
function reader.tag_of(shape, section, primitive, sub)
  local key, list = reader.key(shape, section, primitive, sub), shape.tag_table
  local low, high = 1, #list
  while low <= high do
    local middle = (low + high) // 2
    if list[middle][1] <= key then low = middle + 1 else high = middle - 1 end
  end
  return list[high] and list[high][2]
end

--- Whether contact with the edges of a triangle is suppressed: 1 or 0.
function reader.interior_of(shape, section, primitive, sub)
  local bit = shape.variant == "v21" and primitive or 2 * primitive + sub
  local byte = section.interior:byte((bit >> 3) + 1) or 0
  return byte >> (bit & 7) & 1
end

--- All triangles: { section, primitive, sub, tag, interior, a, b, c }, numbers from 0, in the order of the file.
function reader.triangles(shape)
  local list = {}
  for s, section in ipairs(shape.sections) do
    for p, v in ipairs(section.primitives) do
      for sub = 0, v[3] == v[4] and 0 or 1 do
        list[#list + 1] = { s - 1, p - 1, sub, reader.tag_of(shape, s - 1, p - 1, sub),
          reader.interior_of(shape, section, p - 1, sub), v[1], v[2 + sub], v[3 + sub] }
      end
    end
  end
  return list
end

--- { min, max } of all corners of triangles; nil where there are none.
function reader.bounds(shape)
  local min, max
  for _, section in ipairs(shape.sections) do
    for _, primitive in ipairs(section.primitives) do
      for _, number in ipairs(primitive) do
        local v = section.vertices[number + 1]
        if v then
          min, max = min or { v[1], v[2], v[3] }, max or { v[1], v[2], v[3] }
          for k = 1, 3 do min[k], max[k] = math.min(min[k], v[k]), math.max(max[k], v[k]) end
        end
      end
    end
  end
  return min and { min, max }
end

return reader
