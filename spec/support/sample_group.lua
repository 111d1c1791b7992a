--- Group NIFs of precombined meshes for tests of conversion, made by sample_nif and nothing of lathe: objects that are
-- told apart by a seed, and in each block some of them.
--
--    local bytes = sample_group.file("inline", { { sample_group.object(sample_group.SHORT, 4, 1) } })

local sample = require "sample_nif"

local sample_group = {}

sample_group.INLINE, sample_group.SHARED = "BSPackedCombinedGeomDataExtra", "BSPackedCombinedSharedGeomDataExtra"
--- The type that goes with a layout.
sample_group.TYPES = { inline = sample_group.INLINE, shared = sample_group.SHARED,
  ["inline+table"] = sample_group.SHARED }
--- Position and normal as they are stored; the same where positions are said to be floats.
sample_group.SHORT, sample_group.FULL = 0x0000900000020003, 0x0040900000040005

local BITS <const>, HALF <const> = { inline = 1, shared = 2, ["inline+table"] = 3 }, 4

--- A place at x: turned, twice as large, with the sphere of an object of n vertices and a seed.
function sample_group.instance(x, n, seed)
  local middle = (n + 1) / 2
  return { grayscale_to_palette = 1,
    bounds = { center = { x - 2 * middle, 2 * seed, -2 * middle - 0.5 }, radius = 2 ^ 0.5 * math.max(n - 1, 0) },
    transform = { rotation = { 0, -1, 0, 1, 0, 0, 0, 0, 1 }, translation = { x, 0, -0.5 }, scale = 2 } }
end

--- An object of n vertices, drawn twice; those of another seed are elsewhere.
function sample_group.object(desc, n, seed)
  local one = { num_vertices = n, lod_levels = 3, tri_count0 = n > 0 and n - 2 or 0, tri_offset0 = 0, tri_count1 = 0,
    tri_offset1 = 0, tri_count2 = 0, tri_offset2 = 0, num_combined = 2, vertex_desc = desc, vertices = {},
    combined = { sample_group.instance(seed, n, seed), sample_group.instance(-seed, n, seed) }, triangles = {} }
  for i = 1, n do
    one.vertices[i] = { position = { x = seed, y = i, z = -i }, bitangent_x = 0, normal = { x = 1, y = -1, z = 1 },
      bitangent_y = 0 }
    if i > 2 then one.triangles[i - 2] = { 0, i - 2, i - 1 } end
  end
  return one
end

local function sum(objects, of)
  local total = 0
  for _, one in ipairs(objects) do total = total + one[of] * one.num_combined end
  return total
end

--- A file in which each list of objects is a block that a shape owns: blocks 3, 5, … of the document.
function sample_group.file(layout, lists, half)
  local blocks = { { type = "NiNode", name = "Root", children = {} } }
  for i, objects in ipairs(lists) do
    local vertices, triangles = sum(objects, "num_vertices"), sum(objects, "tri_count0")
    blocks[2 * i] = { type = "BSTriShape", name = "Bucket", extra_data_list = { 2 * i }, vertex_desc = sample_group.FULL,
      num_vertices = vertices, num_triangles = triangles, data_size = 0,
      bounds = { center = { 0, 0, 0 }, radius = 65536 } }
    blocks[2 * i + 1] = { type = sample_group.TYPES[layout], layout_bits = BITS[layout] | (half and HALF or 0), name = "PCD",
      vertex_desc = sample_group.FULL, num_vertices = vertices, num_triangles = triangles, leaf_amplitude = 0.5,
      leaf_frequency = 0.25, num_data = #objects, data = objects }
  end
  return (sample.build { game = "fo4", strings = { "PCD" }, blocks = blocks })
end

return sample_group
