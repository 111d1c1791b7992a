--- Writes .bphsh files from plain tables, for tests, without lathe: a simple builder of its own, whose files are right but
-- not those of a game's tool.
--
--    local bytes, made = write {
--      variant = "v22",
--      sections = { { vertices = { {x,y,z}, … }, primitives = { { a, b, c, d, tag = 0 }, … },
--        float = true, pad = true, interior = { [bit] = true } }, … },       -- world units; all but the first two optional
--      materials = { { id =, sub =, tags =, layer =, sublayer = }, … },
--      scale = 1/512, shift = 9, type = 8, dispatch = 3, sdk = "20220100",
--      unpadded = true (hit masks), types = { backwards =, moved = } (see sample_phive_types),
--      tree = function(nodes) end, tags = function(list) end, items = function(list) end,      -- changes before writing
--      section = function(section, number) end, payload = { ITEM = function(bytes) … },
--    }
--    made.at.root, tags, nodes, sections[i], bvh[i], primitives[i], vertices[i], interior[i]   -- offsets in the file
--    made.types                                                              -- as sample_phive_types gives them

local make_types = require "sample_phive_types"
local reader = require "phive_reader"
local writer = require "sample_tagfile_write"

local pack, f32 = string.pack, reader.f32

local FLOAT = 0x7FFFFFFF
local EPSILON = 2.0 ^ -23

local function up16(n) return (n + 15) // 16 * 16 end

local function round(x) return math.tointeger(math.floor(x + 0.5)) end

-- ---- boxes ---------------------------------------------------------------------------------------------------

local function box_of(points)
  local min, max = { table.unpack(points[1]) }, { table.unpack(points[1]) }
  for _, v in ipairs(points) do
    for k = 1, 3 do min[k], max[k] = math.min(min[k], v[k]), math.max(max[k], v[k]) end
  end
  return { min = min, max = max }
end

local function union(list)
  local points = {}
  for _, row in ipairs(list) do
    points[#points + 1] = row.min
    points[#points + 1] = row.max
  end
  return box_of(points)
end

local function volume(box)
  return (box.max[1] - box.min[1]) * (box.max[2] - box.min[2]) * (box.max[3] - box.min[3])
end

-- ---- sections --------------------------------------------------------------------------------------------------

-- Vertices as they are stored, and as they are read.
local function vertices_of(section, scale)
  local out, world = {}, {}
  if section.float then
    section.offset = { FLOAT, FLOAT, FLOAT }
    for i, v in ipairs(section.vertices) do
      out[i], world[i] = pack("<fff", v[1], v[2], v[3]), { f32(v[1]), f32(v[2]), f32(v[3]) }
    end
    return out, world
  end
  local low = box_of(section.vertices).min
  section.offset = {}
  for k = 1, 3 do section.offset[k] = round(low[k] / scale) end
  for i, v in ipairs(section.vertices) do
    local q = {}
    world[i] = {}
    for k = 1, 3 do
      q[k] = round(v[k] / scale) - section.offset[k]
      world[i][k] = f32(f32(section.offset[k] + q[k]) * f32(scale))
    end
    out[i] = pack("<I2I2I2", q[1], q[2], q[3])
  end
  return out, world
end

-- Cells of the section's boxes (formats/bphsh.md#6).
local function quantiser_of(box)
  local cell, offset = {}, {}
  for k = 1, 3 do
    local min, max = box.min[k] - 1e-3, box.max[k] + 1e-3
    if min == max then max = max + EPSILON end
    local more = math.max((max - min) / 255, math.abs(min) / 255)
    min, max = min - more, max + more
    cell[k] = f32((max - min) / 255)
    offset[k] = round(min / cell[k])
  end
  return cell, offset
end

local function bytes_of_box(section, box)
  local low, high = {}, {}
  for k = 1, 3 do
    local cell, offset = section.cell[k], section.cell_offset[k]
    local lo = math.floor(box.min[k] / cell) - offset
    local hi = math.ceil(box.max[k] / cell) - offset
    if f32(f32(lo + offset) * cell) > box.min[k] then lo = lo - 1 end
    if f32(f32(hi + offset) * cell) < box.max[k] then hi = hi + 1 end
    low[k], high[k] = math.max(0, lo), math.min(255, hi)
  end
  return low, high
end

-- Splits a list in four, or as many as it takes.
local function parts_of(list)
  local out, size = {}, math.max(4, (#list + 3) // 4)
  for from = 1, #list, size do out[#out + 1] = table.move(list, from, math.min(from + size - 1, #list), 1, {}) end
  return out
end

-- A section's tree over { min, max, data } rows, parents first.
local function section_tree(rows)
  local nodes = {}
  local function add(list)
    local node = { leaf = #list <= 4, lanes = {} }
    nodes[#nodes + 1] = node
    if node.leaf then
      node.lanes = list
    else
      for i, part in ipairs(parts_of(list)) do
        local box = union(part)
        box.data = #nodes
        node.lanes[i] = box
        add(part)
      end
    end
  end
  if #rows > 0 then add(rows) end
  return nodes
end

-- The four data bytes say whether it is a leaf: the third is larger than the fourth (formats/bphsh.md#39).
local function box_node(types, section, node)
  local lanes = table.move(node.lanes, 1, #node.lanes, 1, {})
  if #lanes == 4 and (lanes[3].data > lanes[4].data) ~= node.leaf then lanes[3], lanes[4] = lanes[4], lanes[3] end
  if #lanes == 3 and node.leaf and lanes[3].data == 0 then lanes[2], lanes[3] = lanes[3], lanes[2] end
  local data = {}
  for lane = 1, 4 do data[lane] = lanes[lane] and lanes[lane].data or 0 end
  if #lanes == 3 then data[4] = node.leaf and data[3] - 1 or data[3] end
  if #lanes < 3 and node.leaf then data[3] = 1 end
  local bytes = { ("\xFF"):rep(4), ("\0"):rep(4) }
  local rows = {}
  for k, name in ipairs { "x", "y", "z" } do
    local low, high = bytes[1], bytes[2]
    for lane, row in ipairs(lanes) do
      local lo, hi = bytes_of_box(section, row)
      low = low:sub(1, lane - 1) .. string.char(lo[k]) .. low:sub(lane + 1)
      high = high:sub(1, lane - 1) .. string.char(hi[k]) .. high:sub(lane + 1)
    end
    rows["l" .. name], rows["h" .. name] = low, high
  end
  rows.data = string.char(table.unpack(data))
  local out = {}
  for name, value in pairs(rows) do out[#out + 1] = { types.place(types.box_node, name), value } end
  return out
end

local function interior_bytes(section, variant)
  local bits = #section.primitives * (variant == "v21" and 1 or 2)
  local out = {}
  for i = 1, (bits + 7) // 8 do
    local byte = 0
    for bit = 0, 7 do
      if section.interior and section.interior[8 * (i - 1) + bit] then byte = byte | 1 << bit end
    end
    out[i] = string.char(byte)
  end
  return table.concat(out)
end

-- What a section is in the file.
local function prepare(section, spec)
  local own = { primitives = section.primitives, vertices = section.vertices, float = section.float }
  own.stored, own.world = vertices_of(own, spec.scale)
  own.box = box_of(own.world)
  own.cell, own.cell_offset = quantiser_of(own.box)
  local rows = {}
  for p, primitive in ipairs(own.primitives) do
    local corners = {}
    for i = 1, 4 do corners[i] = own.world[primitive[i] + 1] end
    rows[p] = box_of(corners)
    rows[p].data = p - 1
  end
  own.bvh = section_tree(rows)
  own.interior = interior_bytes(section, spec.variant)
  own.buffer = table.concat(own.stored) .. (section.pad and "\0\0" or "")
  if spec.variant == "v21" then assert(not own.float and not section.pad) end
  return own
end

-- ---- the top-level tree ------------------------------------------------------------------------------------------

local function by_volume(lanes)
  for i, lane in ipairs(lanes) do lane.place = i end
  table.sort(lanes, function(a, b)
    local one, two = volume(a), volume(b)
    if one ~= two then return one > two end
    return a.place < b.place
  end)
  return lanes
end

local function top_tree(sections)
  local nodes, rows = { { lanes = {}, parent = 0 } }, {}
  for i, section in ipairs(sections) do rows[i] = { min = section.box.min, max = section.box.max, data = i - 1 } end
  local function add(list, parent, root)
    local node, number = { leaf = not root and #list <= 4, lanes = {}, parent = parent, leaves = #list, depth = 0 }, #nodes
    nodes[number + 1] = node
    if node.leaf then
      node.lanes = list
    else
      for i, part in ipairs(#list > 0 and parts_of(list) or {}) do
        local box = union(part)
        box.data = #nodes
        node.depth = math.max(node.depth, 1 + add(part, number))
        node.lanes[i] = box
      end
    end
    by_volume(node.lanes)
    return node.depth
  end
  add(rows, 0, true)
  return nodes
end

local EMPTY = { pack("<I4", 0x7F7FFFEE), pack("<I4", 0xFF7FFFEE) }

local function tree_node(types, node, variant)
  local out = {}
  local function add(name, bytes) out[#out + 1] = { types.place(types.node, name), bytes } end
  for k, name in ipairs { "x", "y", "z" } do
    local low, high = "", ""
    for lane = 1, 4 do
      local row = node.lanes[lane]
      low = low .. (row and pack("<f", row.min[k]) or EMPTY[1])
      high = high .. (row and pack("<f", row.max[k]) or EMPTY[2])
    end
    add("l" .. name, low)
    add("h" .. name, high)
  end
  local data = ""
  for lane = 1, 4 do
    data = data .. pack("<I4", node.lanes[lane] and node.lanes[lane].data or node.leaf and 0xFFFFFFFF or 0)
  end
  add("data", data)
  if variant ~= "v23" then
    add("isLeaf", node.leaf and "\1" or "\0")
  elseif node.leaves then
    add("filterMasks", "\xFF\xFF\xFF\xFF")
    add("flags", node.leaf and "\1" or "\0")
    add("maxDepth", string.char(node.depth))
    add("parent", pack("<I4", node.parent))
    add("numLeaves", pack("<I4", node.leaves))
  end
  return out
end

-- ---- tags --------------------------------------------------------------------------------------------------------

local function tag_table(sections, shift)
  local list, last = {}, nil
  for s, section in ipairs(sections) do
    for p, primitive in ipairs(section.primitives) do
      local tag = primitive.tag or 0
      if tag ~= last then list[#list + 1] = { s - 1 << shift | p - 1 << 1, tag } end
      last = tag
    end
  end
  list[#list + 1] = { #sections << shift | 255 << 1, 0xFFFF }
  return list
end

-- ---- DATA ---------------------------------------------------------------------------------------------------------
-- Arrays in layout order: { type, count, bytes, head = offset of the field in DATA (a function, where it comes later) }.

local function records(rows, size, piece)
  local out = {}
  for i, row in ipairs(rows) do
    local bytes = ("\0"):rep(size)
    for _, p in ipairs(piece(row)) do bytes = bytes:sub(1, p[1]) .. p[#p] .. bytes:sub(p[1] + #p[#p] + 1) end
    out[i] = bytes
  end
  return table.concat(out)
end

local Data = {}
Data.__index = Data

function Data:put(at, bytes)
  if #bytes > 0 then self.pieces[#self.pieces + 1] = { at, bytes } end
end

-- An array at the next multiple of 16, with its item and the field that leads to it.
function Data:array(field, wide, type, count, bytes)
  local at = up16(self.size)
  self.items[#self.items + 1] = { type, 0x20, at, count }
  self:put(at, bytes)
  self:put(field, wide and pack("<i8i4i4", count > 0 and at - field or 0, count, 0) or pack("<i4i4", at - field, count))
  self.size = at + #bytes
  return at
end

function Data:bytes()
  local out = {}
  table.sort(self.pieces, function(a, b) return a[1] < b[1] end)
  local at = 0
  for _, piece in ipairs(self.pieces) do
    assert(piece[1] >= at, "pieces overlap")
    out[#out + 1] = ("\0"):rep(piece[1] - at) .. piece[2]
    at = piece[1] + #piece[2]
  end
  out[#out + 1] = ("\0"):rep(up16(self.size) - at)
  return table.concat(out)
end

local function put_root(data, types, spec)
  local function put(bytes, ...) data:put((types.place(types.root, ...)), bytes) end
  local inverse = spec.scale
  put(string.char(spec.type or 8), "type")
  put(string.char(spec.dispatch or 3), "dispatchType")
  put(pack("<I2", 4), "flags")
  put(string.char(spec.key_bits), "numShapeKeyBits")
  put(pack("<I4", 0xFFFFFFFF), "shapeTagCodecInfo")
  put(pack("<ffff", 1 / inverse, 1 / inverse, 1 / inverse, 0), "vertexConversionUtil", "bitScale16")
  put(pack("<ffff", inverse, inverse, inverse, 0), "vertexConversionUtil", "bitScale16Inv")
  put("\1", "topLevelTree", "isCompact")
end

local function section_fields(types, section)
  local function at(name) return (types.place(types.section, name)) end
  local o, c, b = section.offset, section.cell, section.cell_offset
  return { { at "sectionOffset", pack("<i4i4i4", o[1], o[2], o[3]) }, { at "bitScale8Inv", pack("<fff", c[1], c[2], c[3]) },
    { at "bitOffset", pack("<i2i2i2", b[1], b[2], b[3]) } }
end

local ARRAYS = {
  { "sectionBvh", "bvh", "box_node" }, { "primitives", "primitives", "primitive" },
  { nil, "vertices", "vertex" }, { "interiorPrimitiveBitField", "interior", "byte" },
}

-- The elements of one of a section's four arrays: count and bytes.
local function section_array(types, section, key, variant)
  if key == "bvh" then
    return #section.bvh, records(section.bvh, types.box_node.size, function(node)
      return box_node(types, section, node)
    end)
  elseif key == "primitives" then
    return #section.primitives, records(section.primitives, 4, function(p)
      return { { 0, string.char(p[1], p[2], p[3], p[4]) } }
    end)
  elseif key == "vertices" then
    return variant == "v21" and #section.stored or #section.buffer, section.buffer
  end
  return #section.interior, section.interior
end

local function put_sections(data, types, sections, spec, at)
  local size = types.section.size
  local start = up16(data.size)
  data:array((types.place(types.root, "geometrySections")), false, types.section, #sections, "")
  data.size = start + #sections * size
  for i, section in ipairs(sections) do
    at.sections[i] = start + (i - 1) * size
    for _, p in ipairs(section_fields(types, section)) do data:put(at.sections[i] + p[1], p[2]) end
  end
  local name = spec.variant == "v21" and "quantizedVertices" or "vertexBuffer"
  for first = 1, #sections, 1024 do
    for _, row in ipairs(ARRAYS) do
      for i = first, math.min(first + 1023, #sections) do
        local count, bytes = section_array(types, sections[i], row[2], spec.variant)
        local field = at.sections[i] + types.place(types.section, row[1] or name)
        at[row[2]][i] = data:array(field, false, types[row[3]], count, bytes)
      end
    end
  end
end

local function data_of(spec, types, sections, nodes, tags)
  local data = setmetatable({ pieces = {}, items = {}, size = types.root.size }, Data)
  local at = { root = 0, sections = {}, bvh = {}, primitives = {}, vertices = {}, interior = {} }
  put_root(data, types, spec)
  local place = types.place
  local key, tag = place(types.tag, "meshPrimitiveKey"), place(types.tag, "shapeTag")
  local rows = records(tags, types.tag.size, function(row)
    return { { key, pack("<I4", row[1]) }, { tag, pack("<I2", row[2]) } }
  end)
  at.tags = data:array((place(types.root, "shapeTagTable")), false, types.tag, #tags, rows)
  at.nodes = data:array((place(types.root, "topLevelTree", "nodes")), true, types.node, #nodes,
    records(nodes, types.node.size, function(node) return tree_node(types, node, spec.variant) end))
  put_sections(data, types, sections, spec, at)
  return data, at
end

-- ---- files --------------------------------------------------------------------------------------------------------

local SDK = { v21 = "20210100", v22 = "20220100", v23 = "20230200" }

local function tagfile_of(spec, types, data)
  local ids, items = {}, { pack("<I4I4I4", 0, 0, 0) }
  for i, type in ipairs(types.list) do ids[type] = i end
  local rows = { { types.root, 0x10, 0, 1 }, table.unpack(data.items) }
  for i, row in ipairs(rows) do rows[i] = { ids[row[1]], row[2], row[3], row[4] } end
  if spec.items then spec.items(rows) end
  for i, row in ipairs(rows) do items[i + 1] = pack("<I4I4I4", row[1] | row[2] << 24, row[3], row[4]) end
  local payload = { DATA = function() return data:bytes() end, ITEM = function() return table.concat(items) end }
  for name, change in pairs(spec.payload or {}) do
    local before = payload[name]
    payload[name] = function(bytes) return change(before and before(bytes) or bytes) end
  end
  return writer.build { types = types.list, root = { type = types.root }, sdk = spec.sdk or SDK[spec.variant],
    new_names = true, padding = "\xFF", hash_all = true, no_patches = true, payload = payload, tree = spec.tagfile_tree }
end

local function tables_of(spec)
  local materials, masks = {}, {}
  local form = spec.variant == "v23" and "<I8I8" or "<I4I4"
  for i, row in ipairs(spec.materials) do
    materials[i] = pack("<I4I4I8", row.id or 0, row.sub or 0, row.tags or 0)
    local all = spec.variant == "v23" and -1 or 0xFFFFFFFF
    masks[i] = pack(form, row.layer or all, row.sublayer or all)
  end
  masks = table.concat(masks)
  if not spec.unpadded then masks = masks .. ("\0"):rep(-#masks % 16) end
  return table.concat(materials), masks
end

--- A file, and where its parts are; see above.
return function(given)
  local spec = setmetatable({}, { __index = given })
  spec.scale = given.scale or 1 / 512
  local how = given.types or {}
  local types = make_types { variant = spec.variant, moved = how.moved, backwards = how.backwards }
  local sections = {}
  for i, section in ipairs(spec.sections) do
    sections[i] = prepare(section, spec)
    if spec.section then spec.section(sections[i], i - 1) end
  end
  local n = #sections
  local shift = n > 0 and (spec.shift or 9) or 0
  spec.key_bits = given.key_bits or shift + reader.bits(n - 1)
  local nodes, tags = top_tree(sections), tag_table(sections, shift)
  if spec.tree then spec.tree(nodes) end
  if spec.tags then spec.tags(tags) end
  local data, at = data_of(spec, types, sections, nodes, tags)
  local tagfile = tagfile_of(spec, types, data)
  local materials, masks = tables_of(spec)
  local size = { up16(#tagfile), #materials, #masks }
  local offset = { 0x30, 0x30 + size[1], 0x30 + size[1] + size[2], 0x30 + size[1] + size[2] + size[3] }
  local header = "Phive\0\1\0" .. pack("<I2BB", 0xFEFF, 0, 4) .. pack("<I4I4I4I4", table.unpack(offset))
    .. pack("<I4I4I4I4I4", size[1], size[2], size[3], 0, 0)
  for _, key in ipairs { "root", "tags", "nodes" } do at[key] = at[key] + 0x50 end
  for _, key in ipairs { "sections", "bvh", "primitives", "vertices", "interior" } do
    for i, where in ipairs(at[key]) do at[key][i] = where + 0x50 end
  end
  return header .. tagfile .. ("\0"):rep(-#tagfile % 16) .. materials .. masks, { at = at, types = types, offset = offset }
end
