--- Precombined groups of Fallout 4 for tests: whole NIF files, made by sample_nif and nothing of lathe.
--
--    local bytes = sample_packed.group { layout = "inline", name = "0000A001_11234567_OC", objects = {
--      sample_packed.object { vertices = 5, bands = { 2, 1, 0 }, places = { sample_packed.place { 1, 2, 3 } } } } }
--
-- Block 0 is the root, moved by (1000, 0, 0); of group g (from 0), block 1 + 5 g is the shape, moved by (7, 8, 9), then
-- come its packed geometry, shader, textures and alpha. Instances know nothing of these transforms.

local sample = require "sample_nif"

local sample_packed = {}

local INLINE <const>, SHARED <const> = "BSPackedCombinedGeomDataExtra", "BSPackedCombinedSharedGeomDataExtra"
local BITS = { inline = 1, shared = 2, ["inline+table"] = 3 }
local IDENTITY = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }
local PER_GROUP <const> = 5

-- Positions as floats; and with normals. Of a bucket: the same.
sample_packed.PLAIN, sample_packed.NORMALS = 0x0040100000000004, 0x0040900000040005

--- An instance: translation, scale (1) and rotation (rows of a matrix, as the file has them).
function sample_packed.place(translation, scale, rotation)
  return { grayscale_to_palette = 1, bounds = { center = translation, radius = 1 },
    transform = { rotation = rotation or IDENTITY, translation = translation, scale = scale or 1 } }
end

-- Points that are not in one plane, so that a mirrored or transposed transform shows.
local function vertex(i)
  return { position = { x = i, y = (i * i) % 7, z = (3 * i) % 5 }, bitangent_x = 0,
    normal = { x = 0, y = 0, z = 1 }, bitangent_y = 0 }
end

--- An object: how many vertices; how many triangles in each of three bands; places; descriptor.
function sample_packed.object(what)
  local desc, bands = what.desc or sample_packed.PLAIN, what.bands or { what.vertices - 2, 0, 0 }
  local one = { num_vertices = what.vertices, lod_levels = 3, tri_offset0 = 0, num_combined = #what.places,
    combined = what.places, vertex_desc = desc, vertices = {}, triangles = {} }
  local first = 0
  for k = 1, 3 do
    one["tri_count" .. k - 1], one["tri_offset" .. k - 1] = bands[k], 3 * first
    for i = first, first + bands[k] - 1 do
      one.triangles[i + 1] = { i % what.vertices, (i + 1) % what.vertices, (i + 2) % what.vertices }
    end
    first = first + bands[k]
  end
  for i = 1, what.vertices do
    one.vertices[i] = vertex(i)
    if desc == sample_packed.PLAIN then one.vertices[i].normal, one.vertices[i].bitangent_y = nil, nil end
  end
  one.source = { geometry_file_hash = what.hash or 0xDDF19A67, data_offset = what.offset or 0 }
  return one
end

-- The packed block of a group, with its totals, as far as a shape can count.
local function packed(layout, objects)
  local block = { type = layout == "inline" and INLINE or SHARED, layout_bits = BITS[layout], name = "PCD",
    vertex_desc = sample_packed.NORMALS, num_vertices = 0, num_triangles = 0, num_data = #objects, data = objects,
    objects = layout ~= "inline" and {} or nil }
  for i, one in ipairs(objects) do
    if block.objects then block.objects[i] = one.source end
    one.source = nil
    block.num_vertices = math.min(65535, block.num_vertices + one.num_vertices * one.num_combined)
    block.num_triangles = block.num_triangles + one.num_combined * (one.tri_count0 + one.tri_count1 + one.tri_count2)
    if layout == "shared" then one.vertices, one.triangles = nil, nil end
  end
  return block
end

--- The bytes of a file, and what sample_nif says of them. what: `layout`, `name`, `groups` (lists of objects) or
-- `objects` (of one group).
function sample_packed.group(what)
  local groups = what.groups or { what.objects }
  local root = { type = "BSFadeNode", name = what.name or "", translation = { 1000, 0, 0 }, children = {} }
  local blocks = { root }
  for g, objects in ipairs(groups) do
    local at = PER_GROUP * (g - 1) + 1
    root.children[g] = at
    local block = packed(what.layout, objects)
    table.move({
      { type = "BSTriShape", name = "", translation = { 7, 8, 9 }, extra_data_list = { at + 1 }, skin = -1,
        shader_property = at + 2, alpha_property = at + 4, vertex_desc = block.vertex_desc,
        num_vertices = block.num_vertices, num_triangles = block.num_triangles, data_size = 0 },
      block,
      { type = "BSLightingShaderProperty", name = ("Materials\\bucket%d.BGSM"):format(g),
        body = { texture_set = at + 3 } },
      { type = "BSShaderTextureSet", num_textures = 1, textures = { ("textures\\bucket%d_d.dds"):format(g) } },
      { type = "NiAlphaProperty", name = "", flags = 4844, threshold = 100 + g },
    }, 1, PER_GROUP, at + 1, blocks)
  end
  return sample.build { game = "fo4", strings = { "PCD" }, blocks = blocks }
end

return sample_packed
