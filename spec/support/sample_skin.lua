--- Whole skinned shapes as tables for sample_nif, for tests that plant one fault: nothing is wrong with them.
--
--    local blocks = skins.sse()            -- or le(), fo4(); a new table each time
--    blocks.shape, .skin, .data, .partition (not fo4), .shader, .flags, .root, .bone      -- the same blocks by name
--    sample.build { game = "sse", blocks = blocks }

local skins = {}

local BOUNDS = { center = { x = 0, y = 0, z = 0 }, radius = 9 }
local SKINNED, VERTEX_COLORS = 2, 0x20
-- Position, normal, color and bones; positions of 16 bytes (SE) or 8.
local DESC = { sse = 0x069 << 44 | 6 << 28 | 5 << 24 | 4 << 16 | 9, fo4 = 0x069 << 44 | 4 << 28 | 3 << 24 | 2 << 16 | 7 }

local function vertices(n)
  local list = {}
  for i = 1, n do
    list[i] = { position = { x = i, y = 0, z = 0 }, normal = { x = 0, y = 0, z = 1 }, color = { 1, 1, 1, 1 },
      weights = { 0.5, 0.5 }, bones = { 0, 1 } }
  end
  return list
end

local function lanes(n, make)
  local list = {}
  for i = 1, n do list[i] = make(i) end
  return list
end

local function weights(...)
  return lanes(select("#", ...), function() return 0.5 end), { ... }
end

-- Names for the blocks of a list; their numbers, from 0, are those of the list.
local function named(blocks, names)
  for i, name in ipairs(names) do blocks[name] = blocks[i] end
  return blocks
end

local function nodes()
  return { type = "NiNode", name = "root", children = { 1, 2 }, extra_data_list = { 3 } },
    { type = "NiNode", name = "bone" }, { type = "BSXFlags", name = "BSX", value = 0 }
end

local function shader()
  return { type = "BSLightingShaderProperty", name = "",
    body = { flags1 = SKINNED, flags2 = VERTEX_COLORS, uv_scale = { 1, 1 }, texture_set = -1 } }
end

local function skin(kind)
  return { type = kind, data = 6, skin_partition = 7, skeleton_root = 0, bones = { 0, 1 },
    partitions = { { flags = 0x101, body_part = 32 }, { flags = 1, body_part = 34 } } }
end

-- A NiSkinData whose two bones move the first `n` vertices; so many vertices, each with two bones, in two parts.
local function data(n)
  local list = lanes(n, function(i) return { vertex = i - 1, weight = 0.5 } end)
  local function bone() return { bounds = BOUNDS, num_vertices = n, weights = list } end
  return { type = "NiSkinData", num_bones = 2, has_vertex_weights = 1, bones = { bone(), bone() } }
end

local function part(map, triangles, desc)
  local list, indices = weights(table.unpack(lanes(2 * #map, function(i) return (i - 1) % 2 end)))
  return { num_vertices = #map, num_triangles = #triangles, num_bones = 2, weights_per_vertex = 2, bones = { 0, 1 },
    has_vertex_map = 1, vertex_map = map, has_weights = 1, weights = list, has_faces = 1, triangles = triangles,
    has_bone_indices = 1, bone_indices = indices, part_vertex_desc = desc, triangles_copy = desc and triangles }
end

local BY_NAME = { "root", "bone", "shape", "flags", "shader", "skin", "data", "partition" }

--- Skyrim SE: the vertices are in the partition.
function skins.sse()
  local root, bone, flags = nodes()
  return named({ root, bone, { type = "BSTriShape", name = "shape", bounds = BOUNDS, skin = 5, shader_property = 4,
    vertex_desc = DESC.sse }, flags, shader(), skin "BSDismemberSkinInstance", data(4),
    { type = "NiSkinPartition", num_partitions = 2, vertex_desc = DESC.sse, vertices = vertices(4),
      partitions = { part({ 0, 1, 2 }, { { 0, 1, 2 } }, DESC.sse), part({ 1, 2, 3 }, { { 1, 2, 3 } }, DESC.sse) } } },
    BY_NAME)
end

--- Skyrim LE: a NiTriShape; numbers of vertices in a part are its own.
function skins.le()
  local root, bone, flags = nodes()
  local positions, normals, colors = {}, {}, {}
  for i = 1, 4 do
    positions[i], normals[i], colors[i] = { x = i, y = 0, z = 0 }, { x = 0, y = 0, z = 1 }, { r = 1, g = 1, b = 1, a = 1 }
  end
  local blocks = { root, bone, { type = "NiTriShape", name = "shape", data = 8, skin_instance = 5, shader_property = 4 },
    flags, shader(), skin "BSDismemberSkinInstance", data(4), { type = "NiSkinPartition", num_partitions = 2,
      partitions = { part({ 0, 1, 2 }, { { 0, 1, 2 } }), part({ 1, 2, 3 }, { { 0, 1, 2 } }) } },
    { type = "NiTriShapeData", num_vertices = 4, vertices = positions, normals = normals, colors = colors, bounds = BOUNDS,
      num_triangles = 2, triangles = { { 0, 1, 2 }, { 1, 2, 3 } } } }
  named(blocks, BY_NAME)
  blocks.geometry = blocks[9]
  return blocks
end

--- Fallout 4: the vertices are in the shape.
function skins.fo4()
  local root, bone, flags = nodes()
  local function transform() return { bounds = BOUNDS, scale = 1 } end
  return named({ root, bone, { type = "BSTriShape", name = "shape", bounds = BOUNDS, skin = 5, shader_property = 4,
    vertex_desc = DESC.fo4, vertices = vertices(4), triangles = { { 0, 1, 2 } } }, flags, shader(),
    { type = "BSSkin::Instance", skeleton_root = 0, data = 6, bones = { 0, 1 } },
    { type = "BSSkin::BoneData", bones = { transform(), transform() } } },
    { "root", "bone", "shape", "flags", "shader", "skin", "data" })
end

return skins
