--- What the JSON files of corpus/bphsh say of a shape, against what was read of it: by phive_reader, or by lathe where
-- an adapter makes the same table. Raises a text that names the first figure that differs.
--
--    local counts = figures.compare(wanted, shape)  -- { sections, vertices, primitives, triangles, nodes, materials, … }
--
-- shape is the table that phive_reader describes; only these are looked at:
--
--    variant, sdk, size, type, dispatch, key_bits, shift, scale_inv, tag_table, tree (leaf; lanes' data, min, max),
--    sections (float, offset, cell, cell_offset, #bvh, primitives, vertices, interior), materials, masks
--    triangles, bounds                              -- where the shape has none, phive_reader derives them
--    sections[i].tags[j]                            -- the same: the tag of each primitive's first triangle
--
-- All numbers must be equal, to the last bit.

local json = require "dkjson"
local reader = require "phive_reader"

local figures = {}

local function show(v)
  return math.type(v) == "float" and ("%.17g"):format(v) or tostring(v)
end

local function differs(what, wanted, got)
  error(("%s: %s, wanted %s"):format(what, show(got), show(wanted)), 0)
end

local function same(what, wanted, got)
  if wanted ~= got then differs(what, wanted, got) end
end

-- Lists of numbers, or of lists of them.
local function same_list(what, wanted, got)
  if type(got) ~= "table" then differs(what, "a list", got) end
  same("number of " .. what, #wanted, #got)
  for i, value in ipairs(wanted) do
    if type(value) == "table" then
      same_list(("%s[%d]"):format(what, i - 1), value, got[i])
    elseif value ~= got[i] then
      differs(("%s[%d]"):format(what, i - 1), value, got[i])
    end
  end
end

local function hex(text)
  return math.tointeger(tonumber(text)) or error("no number: " .. text, 0)
end

local function bytes_of(text)
  return (text:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end

local function compare_materials(wanted, shape)
  same("number of materials", #wanted.materials, #shape.materials)
  same("number of masks", #wanted.materials, #shape.masks)
  for i, row in ipairs(wanted.materials) do
    local material, mask = shape.materials[i], shape.masks[i]
    local what = ("materials[%d]."):format(i - 1)
    same(what .. "id", row.id, material.id)
    same(what .. "sub", row.sub, material.sub)
    same(what .. "tags", hex(row.tags), material.tags)
    same(what .. "layer", hex(row.layer), mask.layer)
    same(what .. "sublayer", hex(row.sublayer), mask.sublayer)
  end
  return #wanted.materials
end

local function compare_tree(wanted, shape)
  same("number of tree nodes", #wanted.tree, #shape.tree)
  local lanes = 0
  for i, row in ipairs(wanted.tree) do
    local node, what = shape.tree[i], ("tree[%d]."):format(i - 1)
    same(what .. "leaf", row.leaf, node.leaf)
    same(what .. "lanes", #row.data, #node.lanes)
    for k, lane in ipairs(node.lanes) do
      same(what .. "data", row.data[k], lane.data)
      same_list(what .. "box", row.boxes[k], { lane.min, lane.max })
    end
    lanes = lanes + #node.lanes
  end
  return lanes
end

local function compare_section(row, section, shape, number, counts)
  local what = ("sections[%d]."):format(number)
  same(what .. "float", row.float, section.float)
  same_list(what .. "sectionOffset", row.sectionOffset, section.offset)
  same_list(what .. "bitScale8Inv", row.bitScale8Inv, section.cell)
  same_list(what .. "bitOffset", row.bitOffset, section.cell_offset)
  same(what .. "bvhNodes", row.bvhNodes, #section.bvh)
  same_list(what .. "primitives", row.primitives, section.primitives)
  same_list(what .. "vertices", row.vertices, section.vertices)
  same(what .. "interiorBytes", bytes_of(row.interiorBytes), section.interior)
  local tags = section.tags
  if not tags then
    tags = {}
    for p = 1, #section.primitives do tags[p] = reader.tag_of(shape, number, p - 1, 0) end
  end
  same_list(what .. "tags", row.tags, tags)
  counts.vertices = counts.vertices + #row.vertices
  counts.primitives = counts.primitives + #row.primitives
  counts.bvh_nodes = counts.bvh_nodes + row.bvhNodes
end

local COLUMNS = { "section", "primitive", "sub", "tag", "interior", "a", "b", "c" }

--- All figures of a file; gives how many were compared.
function figures.compare(wanted, shape)
  local counts = { vertices = 0, primitives = 0, bvh_nodes = 0, sections = #wanted.sections, nodes = #wanted.tree,
    tag_entries = #wanted.shapeTagTable, triangles = #wanted.triangles }
  same("variant", wanted.variant, shape.variant)
  same("SDKV", wanted.sdkv, shape.sdk)
  same("size", wanted.size, shape.size)
  same("shapeType", wanted.shapeType, shape.type)
  same("dispatchType", wanted.dispatchType, shape.dispatch)
  same("numShapeKeyBits", wanted.numShapeKeyBits, shape.key_bits)
  same("sectionShift", wanted.sectionShift, shape.shift)
  same_list("bitScale16Inv", wanted.bitScale16Inv, table.move(shape.scale_inv, 1, 3, 1, {}))
  same_list("shapeTagTable", wanted.shapeTagTable, shape.tag_table)
  counts.materials = compare_materials(wanted, shape)
  counts.lanes = compare_tree(wanted, shape)
  same("number of sections", #wanted.sections, #shape.sections)
  for i, row in ipairs(wanted.sections) do compare_section(row, shape.sections[i], shape, i - 1, counts) end
  same_list("triangleColumns", wanted.triangleColumns, COLUMNS)
  same_list("triangles", wanted.triangles, shape.triangles or reader.triangles(shape))
  local bounds = shape.bounds or reader.bounds(shape)
  if wanted.bounds and wanted.bounds[1] then
    same_list("bounds", wanted.bounds, bounds)
  else
    same("bounds", nil, bounds)
  end
  return counts
end

--- The figures of a JSON text.
function figures.read(text)
  local wanted, _, problem = json.decode(text)
  return wanted or error(problem, 0)
end

return figures
