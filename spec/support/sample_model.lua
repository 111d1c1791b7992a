--- Models of Fallout 4 for tests of precombined meshes: made by nothing of lathe.
--
--    local bytes = model.build { model.shape { points = { { 0, 0, 0 }, … }, material = "wood" }, … }
--    local bytes = model.build({ … }, { translation = { 1, 0, 0 } })   -- what the root has besides
--
-- A shape has a triangle for each vertex from the third on, unless `triangles` says others. What it has more are fields of
-- its block. `material` (default "wood") is a name that shader and textures get; `alpha` makes an alpha property,
-- `shader` and `textures` are fields of these blocks. `node` puts it below a node with these fields.

local sample_nif = require "sample_nif"

local model = {}

-- Descriptors by what vertices have: position, normal; position, uv, normal, tangent; with colour. As floats: FULL_.
model.SHORT, model.FULL_SHORT = 0x0000900000020003, 0x0040900000040005
model.LONG, model.FULL_LONG = 0x0001B00000430205, 0x0041B00000650407
model.COLOUR, model.FULL_COLOUR = 0x0003B00005430206, 0x0043B00007650408

--- Vertex i of a shape, whatever its descriptor has.
function model.vertex(point, i)
  return { position = { x = point[1], y = point[2], z = point[3] }, bitangent_x = 0.5, bitangent_y = -1, bitangent_z = 1,
    uv = { u = i / 4, v = 2 }, normal = { x = 1, y = -1, z = 1 }, tangent = { x = -1, y = 1, z = -1 },
    color = { 1, 0.2, 0, i % 2 } }
end

--- A shape's block, with what model.build wants to know.
function model.shape(fields)
  local shape = { type = "BSTriShape", name = "Shape", vertex_desc = model.LONG, vertices = {}, triangles = {},
    material = "wood", bounds = { center = { 1, 2, 3 }, radius = 64 } }
  for key, value in pairs(fields) do shape[key] = value end
  for i, point in ipairs(fields.points) do
    shape.vertices[i] = model.vertex(point, i)
    if i > 2 and not fields.triangles then shape.triangles[i - 2] = { 0, i - 2, i - 1 } end
  end
  shape.num_vertices, shape.num_triangles = shape.num_vertices or #shape.vertices, #shape.triangles
  return shape
end

local function with(fields, more)
  for key, value in pairs(more or {}) do fields[key] = value end
  return fields
end

-- Blocks of a shape, behind those that are there.
local function add(blocks, parent, shape)
  local function append(block)
    blocks[#blocks + 1] = block
    return #blocks - 1
  end
  if shape.node then
    local node = append(with({ type = "NiNode", name = "Node", children = {} }, shape.node))
    table.insert(parent.children, node)
    parent = blocks[node + 1]
  end
  table.insert(parent.children, append(shape))
  if shape.shader ~= false then
    local shader = with({ type = "BSLightingShaderProperty", name = ("Materials\\%s.bgsm"):format(shape.material) },
      shape.shader)
    shape.shader_property = append(shader)
    if shader.type == "BSLightingShaderProperty" then
      shader.body = with({ texture_set = #blocks }, shader.body)
      append(with({ type = "BSShaderTextureSet", textures = { shape.material .. "_d.dds", "", "" } }, shape.textures))
    end
  end
  if shape.alpha then shape.alpha_property = append(with({ type = "NiAlphaProperty" }, shape.alpha)) end
end

--- A file's bytes. more: further blocks, behind all others; `root.children` of them are added by the caller.
function model.build(shapes, root, more)
  local blocks = { with({ type = "BSFadeNode", name = "Model", children = {} }, root) }
  for _, shape in ipairs(shapes) do add(blocks, blocks[1], shape) end
  for _, block in ipairs(more or {}) do blocks[#blocks + 1] = block end
  return (sample_nif.build { game = "fo4", blocks = blocks })
end

return model
