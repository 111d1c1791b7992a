--- Precombined geometry as nested tables for sample_nif: made by nothing of lathe.
--
--    local block = packed.block(packed.INLINE, "inline", { packed.object(packed.LONG, 4) })
--    local bytes = packed.file(block)               -- a node, the block, a node
--    local bytes = packed.scene { block, … }        -- a node with a shape for each block, whose totals it has
--    packed.row(object)                             -- its geometry as a geometry file has it: vertices, then indices
--    packed.geometry(objects)                       -- a geometry file of them; puts `offset` into each
--
-- object.half: floats of its descriptor are halves in the geometry file; object.hash: the file's (HASH).

local sample_nif = require "sample_nif"

local packed = {}

packed.INLINE, packed.SHARED = "BSPackedCombinedGeomDataExtra", "BSPackedCombinedSharedGeomDataExtra"
--- By layout: the argument of the block's type; HALF is added where floats of descriptors are halves.
packed.BITS, packed.HALF = { inline = 1, shared = 2, ["inline+table"] = 3 }, 4
--- Position and normal; position, uv, normal and tangent; the latter with positions said to be floats.
packed.SHORT, packed.LONG, packed.FULL = 0x0000900000020003, 0x0001B00000430205, 0x0041B00000650407
--- Of "fallout4 - geometry".
packed.HASH = 0xDDF19A67

--- A place at x: turned, twice as large; with the sphere of an object of n vertices (1).
function packed.instance(x, n)
  n = n or 1
  return { grayscale_to_palette = 1, bounds = { center = { x - 0.75, n + 1, -n - 1.5 }, radius = 2 ^ 0.5 * (n - 1) },
    transform = { rotation = { 0, -1, 0, 1, 0, 0, 0, 0, 1 }, translation = { x + 0.25, 0, -0.5 }, scale = 2 } }
end

local function vertex(i, long)
  return { position = { x = i, y = 0.5, z = -i }, bitangent_x = 1, uv = long and { u = 0.25, v = 2 } or nil,
    normal = { x = 1, y = -1, z = 1 }, bitangent_y = -1, tangent = long and { x = -1, y = 1, z = -1 } or nil,
    bitangent_z = long and 1 or nil }
end

--- An object with n vertices and instances, and n - 1 triangles.
function packed.object(desc, n)
  local one = { num_vertices = n, lod_levels = 3, tri_count0 = n - 2, tri_offset0 = 0, tri_count1 = 1,
    tri_offset1 = 3 * (n - 2), tri_count2 = 0, tri_offset2 = 3 * (n - 1), num_combined = n, combined = {},
    vertex_desc = desc, vertices = {}, triangles = {} }
  for i = 1, n do
    one.combined[i], one.vertices[i] = packed.instance(i, n), vertex(i, desc ~= packed.SHORT)
    if i > 1 then one.triangles[i - 1] = { 0, i - 2, i - 1 } end
  end
  return one
end

--- A block of a layout; its totals are 0. Shared objects that have an `offset` are found there, in a file of that `hash`.
function packed.block(type_name, layout, objects, half)
  local block = { type = type_name, layout_bits = packed.BITS[layout] | (half and packed.HALF or 0), name = "PCD",
    vertex_desc = packed.FULL, num_vertices = 0, num_triangles = 0, leaf_amplitude = 0.5, leaf_frequency = 0.25,
    num_data = #objects, data = objects, objects = {} }
  for i, one in ipairs(objects) do
    block.objects[i] = { geometry_file_hash = one.hash or packed.HASH, data_offset = one.offset or 100 * i }
  end
  if layout == "inline" then block.objects = nil end
  for _, one in ipairs(objects) do
    if layout == "shared" then one.vertices, one.triangles = nil, nil end
  end
  return block
end

--- A file with a block between two nodes.
function packed.file(block)
  return sample_nif.build { game = "fo4", strings = { "PCD" },
    blocks = { { type = "NiNode", name = "Root" }, block, { type = "NiNode", name = "Last" } } }
end

--- A file with a node above a shape for each block. Blocks and shapes get the totals of the objects.
function packed.scene(blocks)
  local list = { { type = "NiNode", name = "Root", children = {} } }
  for i, block in ipairs(blocks) do
    local vertices, triangles = 0, 0
    for _, one in ipairs(block.data) do
      vertices = vertices + one.num_vertices * one.num_combined
      triangles = triangles + (one.tri_count0 + one.tri_count1 + one.tri_count2) * one.num_combined
    end
    vertices, triangles = vertices & 0xFFFFFFFF, triangles & 0xFFFFFFFF
    block.num_vertices, block.num_triangles = vertices, triangles
    list[1].children[i] = 2 * i - 1
    list[2 * i] = { type = "BSTriShape", name = "Bucket", extra_data_list = { 2 * i }, vertex_desc = packed.FULL,
      num_vertices = vertices & 0xFFFF, num_triangles = triangles, data_size = 0,
      bounds = { center = { 0, 0, 0 }, radius = 65536 } }
    list[2 * i + 1] = block
  end
  return sample_nif.build { game = "fo4", strings = { "PCD" }, blocks = list }
end

--- The bytes of an object's geometry.
function packed.row(object)
  local block = packed.block(packed.INLINE, "inline", { object }, object.half)
  local bytes = sample_nif.record(block.type, block, sample_nif.setting("fo4", { strings = { "PCD" } }),
    { arg = block.layout_bits })
  return bytes:sub(1 + 32 + 36 + 72 * object.num_combined + 8)
end

--- A geometry file with a row for each object, as a table for geometry_reader.plain and .packed.
function packed.geometry(objects)
  local file, pieces, at = { rows = {} }, {}, 0
  for i, one in ipairs(objects) do
    pieces[i], one.offset = packed.row(one), at
    file.rows[i] = { at, one.vertex_desc, one.num_vertices,
      3 * (one.tri_count0 + one.tri_count1 + one.tri_count2) }
    at = at + #pieces[i]
  end
  file.stream = table.concat(pieces)
  return file
end

return packed
