--- Precombined groups of Fallout 4 with materials and bands, for tests: whole NIF files, made by sample_nif and nothing
-- of lathe. sample_packed has the simple ones.
--
--    local bytes = groups.build { layout = "inline", name = "0000A001_11234567_OC", objects = {
--      groups.object { vertices = 5, bands = { 2, 1, 0 }, places = { groups.place { 1, 2, 3 } } } } }
--
-- Block 0 is the root, moved by (1000, 0, 0); of group g (from 1), block 5 g - 4 is the shape, moved by (7, 8, 9), then
-- come its packed geometry, shader, textures and alpha. Instances know nothing of these transforms.

local sample = require "sample_nif"
local sample_packed = require "sample_packed"

local groups = {}

local IDENTITY = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }
local PER_GROUP <const> = 5

-- Positions as floats; and with normals.
groups.PLAIN, groups.NORMALS = 0x0040100000000004, 0x0040900000040005

--- An instance: translation, scale (1) and rotation (rows of a matrix, as the file has them).
function groups.place(translation, scale, rotation)
  return { grayscale_to_palette = 1, bounds = { center = translation, radius = 1 },
    transform = { rotation = rotation or IDENTITY, translation = translation, scale = scale or 1 } }
end

-- Points that are not in one plane, so that a mirrored or transposed transform shows.
local function vertex(i, desc)
  local one = { position = { x = i, y = (i * i) % 7, z = (3 * i) % 5 }, bitangent_x = 0 }
  if desc == groups.NORMALS then one.normal, one.bitangent_y = { x = 0, y = 0, z = 1 }, 0 end
  return one
end

--- An object: `vertices` (how many), `bands` (triangles in each of three), `places`, `desc`; where it is in a geometry
-- file: `hash`, `offset`.
function groups.object(what)
  local desc, bands = what.desc or groups.PLAIN, what.bands or { what.vertices - 2, 0, 0 }
  local one = { num_vertices = what.vertices, lod_levels = 3, num_combined = #what.places, combined = what.places,
    vertex_desc = desc, vertices = {}, triangles = {}, hash = what.hash, offset = what.offset }
  local first = 0
  for k = 1, 3 do
    one["tri_count" .. k - 1], one["tri_offset" .. k - 1] = bands[k], 3 * first
    for i = first, first + bands[k] - 1 do
      one.triangles[i + 1] = { i % what.vertices, (i + 1) % what.vertices, (i + 2) % what.vertices }
    end
    first = first + bands[k]
  end
  for i = 1, what.vertices do one.vertices[i] = vertex(i, desc) end
  return one
end

-- The packed block of a group, with its totals, as far as a shape can count.
local function packed(layout, objects)
  local block = sample_packed.block(layout == "inline" and sample_packed.INLINE or sample_packed.SHARED, layout, objects)
  for _, one in ipairs(objects) do
    local triangles = one.tri_count0 + one.tri_count1 + one.tri_count2
    block.num_vertices = math.min(65535, block.num_vertices + one.num_vertices * one.num_combined)
    block.num_triangles = block.num_triangles + one.num_combined * triangles
  end
  return block
end

-- A quarter turn about z and one about x: no place is as it would be with a transposed matrix.
local TURNED = { 0, -1, 0, 0, 0, -1, 1, 0, 0 }
local MIRRORED = { -1, 0, 0, 0, 1, 0, 0, 0, 1 }

--- Two objects in three bands, of which the first has a place of each kind.
function groups.example(layout)
  local place = groups.place
  local places = { place { 1, 2, 3 }, place({ -130000.25, 129999.5, 7000.125 }, 2.5, TURNED),
    place({ 5, 0, 0 }, 1, MIRRORED), place({ 0, -6, 0 }, -0.5) }
  return { layout = layout or "inline", name = "0000A001_11234567_OC", objects = {
    groups.object { vertices = 5, bands = { 2, 1, 3 }, desc = groups.NORMALS, offset = 40, places = places },
    groups.object { vertices = 4, bands = { 0, 2, 0 }, offset = 300, places = { place { 10, 0, 0 } } },
  } }
end

--- The bytes of a file, and what sample_nif says of them. what: `layout`, `name`, `groups` (lists of objects) or
-- `objects` (of one group).
function groups.build(what)
  local lists = what.groups or { what.objects }
  local root = { type = "BSFadeNode", name = what.name or "", translation = { 1000, 0, 0 }, children = {} }
  local blocks = { root }
  for g, objects in ipairs(lists) do
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

--- What is said of a missing geometry file.
function groups.missing(hash, name, folder)
  return ("its geometry file is missing: no .csg or .psg whose name has the hash 0x%08X%s%s (the option geometry says "
    .. "where to look) (BSPackedCombinedSharedGeomDataExtra)"):format(hash, name and (" (%s - Geometry)"):format(name) or "",
    folder and (" in '%s'"):format(folder) or "")
end

return groups
