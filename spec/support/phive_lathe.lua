--- A Phive shape as lathe reads it, in the table that phive_reader describes: for phive_judge.shape_problems and
-- phive_figures.compare.
--
--    figures.compare(wanted, of_lathe(doc))

local lathe = require "lathe"

local unpack, pack = string.unpack, string.pack

local AXES = { "x", "y", "z" }
local LANES = { "x", "y", "z", "w" }
local BOX = { "lx", "hx", "ly", "hy", "lz", "hz" }

local function list_of(v)
  return v.x and { v.x, v.y, v.z, v.w } or v
end

local function f32(x) return (unpack("<f", pack("<f", x))) end

-- A lane of six rows of four, by put(axis, number).
local function lane_of(rows, lane, data, put)
  local out = { lane = lane, data = data, min = {}, max = {} }
  for k = 1, 3 do out.min[k], out.max[k] = put(k, rows[2 * k - 1][lane]), put(k, rows[2 * k][lane]) end
  return out
end

local function node_of(raw)
  local node, rows = { leaf = raw.is_leaf, lanes = {}, empty = {} }, {}
  if raw.flags then
    local flags = raw.flags
    node.leaf, node.parent, node.leaves, node.flags = flags & 1 ~= 0, raw.parent, raw.num_leaves, flags
  end
  for k, name in ipairs(BOX) do
    rows[k] = {}
    for lane, axis in ipairs(LANES) do rows[k][lane] = raw[name][axis] end
  end
  for lane = 1, 4 do
    local data = raw.data[lane]
    local list = data == (node.leaf and 0xFFFFFFFF or 0) and node.empty or node.lanes
    list[#list + 1] = lane_of(rows, lane, data, function(_, v) return v end)
  end
  return node
end

local function box_node_of(raw, section)
  local node, rows = { leaf = raw.data[3] > raw.data[4], lanes = {} }, {}
  for k, name in ipairs(BOX) do rows[k] = { pack("<I4", raw[name]):byte(1, 4) } end
  for lane = 1, 4 do
    if rows[1][lane] <= rows[2][lane] then
      node.lanes[#node.lanes + 1] = lane_of(rows, lane, raw.data[lane], function(k, v)
        return f32(f32(section.cell_offset[k] + v) * section.cell[k])
      end)
    end
  end
  return node
end

local function rows_of(buffer)
  local flat, out = buffer:totable(), {}
  for i = 1, #flat, 3 do out[#out + 1] = { flat[i], flat[i + 1], flat[i + 2] } end
  return out
end

local function section_of(view)
  local raw = view:totable()
  local section = { offset = {}, cell = {}, cell_offset = raw.bit_offset, primitives = {}, bvh = {} }
  for k = 1, 3 do
    section.offset[k] = unpack("<i4", pack("<I4", raw.section_offset[k] & 0xFFFFFFFF))
    section.cell[k] = raw.bit_scale8_inv[AXES[k]]
  end
  section.float = true
  for k = 1, 3 do section.float = section.float and section.offset[k] == 0x7FFFFFFF end
  for i, p in ipairs(raw.primitives or {}) do section.primitives[i] = { p.a_id, p.b_id, p.c_id, p.d_id } end
  for i, node in ipairs(raw.section_bvh or {}) do section.bvh[i] = box_node_of(node, section) end
  local bits = raw.interior_primitive_bit_field or {}
  for i, byte in ipairs(bits) do bits[i] = string.char(byte) end
  section.interior = table.concat(bits)
  section.vertices = rows_of(view.vertices)
  return section
end

local function of_numbers(doc, shape)
  local view = doc.shape
  local scales = view.vertex_conversion_util
  shape.type, shape.dispatch = lathe.raw(view, "type"), lathe.raw(view, "dispatch_type")
  shape.flags, shape.key_bits, shape.codec = view.flags, view.num_shape_key_bits, view.shape_tag_codec_info
  shape.scale, shape.scale_inv = list_of(scales.bit_scale16:totable()), list_of(scales.bit_scale16_inv:totable())
end

local function bits_of(n)
  local bits = 0
  while n > 0 do n, bits = n >> 1, bits + 1 end
  return bits
end

return function(doc)
  local view = doc.shape
  local shape = { variant = doc.variant, sdk = doc.tagfile.sdk_version, tag_table = {}, tree = {}, sections = {},
    materials = {}, masks = {}, size = #doc:encode() }
  of_numbers(doc, shape)
  for i, row in ipairs(view.shape_tag_table:totable()) do shape.tag_table[i] = { row.mesh_primitive_key, row.shape_tag } end
  for i, node in ipairs(view.top_level_tree.nodes:totable()) do shape.tree[i] = node_of(node) end
  for i = 1, #view.geometry_sections do shape.sections[i] = section_of(view.geometry_sections[i]) end
  for i = 1, #doc.materials do
    local row = doc.materials[i]
    shape.materials[i] = { id = row.material_id, sub = row.sub_material_id, tags = row.user_tag_mask }
    shape.masks[i] = { layer = row.layer_mask, sublayer = row.sub_layer_mask }
  end
  shape.shift = shape.key_bits - bits_of(#shape.sections - 1)
  return shape
end
