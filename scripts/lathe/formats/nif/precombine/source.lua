--- Determines which shapes of a model can be combined, with their transforms; and why the others cannot.
-- @module lathe.formats.nif.precombine.source

local bucket = require "lathe.formats.nif.precombine.bucket"
local core = require "lathe.core"
local place = require "lathe.formats.nif.precombine.place"
local vertices = require "lathe.formats.nif.precombine.vertices"

local source = {}

local SHAPES = { BSTriShape = true, BSMeshLODTriShape = true, BSSubIndexTriShape = true }

-- Types of nodes whose descendants are always visible at a fixed place.
local NODES = { NiNode = true, BSFadeNode = true, BSLeafAnimNode = true, BSMultiBoundNode = true }

local HIDDEN <const> = 1 -- in the flags of a NiAVObject
local ROUNDING <const> = 1e-6 -- tolerance of spheres made by the games' tools, relative to their radius

-- ---- skipped blocks ------------------------------------------------------------------------------------

local function mover_of(block)
  if block.controller then return block.controller.type end
  for _, extra in ipairs(block.extra_data_list or {}) do
    if extra and extra.type == "BSBehaviorGraphExtraData" then return extra.type end
  end
  return nil
end

-- The reason why a node or shape is skipped with its descendants.
local function left_out(block)
  local problem = core.problem(block)
  if problem then return problem.message end
  if not SHAPES[block.type] and not NODES[block.type] then
    return ("%s: only shapes of the kind BSTriShape and plain nodes can be combined"):format(block.type)
  end
  local mover = mover_of(block)
  if mover then return ("%s moves it"):format(mover) end
  if block.flags & HIDDEN ~= 0 then return "it is hidden" end
  local name = block.name -- a number if there is no such text
  local is_marker = type(name) == "string" and name:lower():find "^editormarker"
  return is_marker and "an editor marker, which the game does not draw" or nil
end

-- ---- materials -----------------------------------------------------------------------------------------

-- A text that is equal for equal tables.
local function signature(value)
  if type(value) ~= "table" then
    return math.type(value) == "float" and ("%a"):format(value) or ("%q"):format(value)
  end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do parts[i] = ("[%q]=%s"):format(key, signature(value[key])) end
  return "{" .. table.concat(parts, ",") .. "}"
end

-- Why a block cannot be copied: its type is not supported, or it is opaque.
local function block_problem(block, type_name)
  local problem = core.problem(block)
  if problem then return problem.message end
  if block.type == type_name then return nil end
  return ("%s: only a %s can be combined"):format(block.type, type_name)
end

local function property_problem(property, type_name)
  local why = block_problem(property, type_name)
  if why then return why end
  if type(property.name) == "number" then return ("the name of its %s is no text"):format(type_name) end
  if property.controller then return ("%s changes its %s"):format(property.controller.type, type_name) end
  return #property.extra_data_list > 0 and ("its %s has extra data"):format(type_name) or nil
end

local function table_of(block)
  local copy = core.totable(block)
  copy.controller = nil
  return copy
end

-- The blocks of a shape's material as tables, and a key that equal materials share.
local function material_of(shape)
  local shader, alpha = shape.shader_property, shape.alpha_property
  if not shader then return nil, "it has no shader" end
  local why = property_problem(shader, "BSLightingShaderProperty")
    or alpha and property_problem(alpha, "NiAlphaProperty")
  local textures = not why and shader.body.texture_set
  why = why or textures and block_problem(textures, "BSShaderTextureSet")
    or type(shader.body.root_material) == "number" and "the root_material of its shader is no text"
  if why then return nil, why end
  local material = { shader = table_of(shader), textures = textures and table_of(textures),
    alpha = alpha and table_of(alpha) }
  material.shader.body.texture_set = nil
  material.key = signature(material)
  return material
end

-- ---- geometry ------------------------------------------------------------------------------------------

-- The triangles in the three bands. Other shapes have all in the first.
local function bands_of(shape, count)
  if shape.type ~= "BSMeshLODTriShape" then return { count, 0, 0 } end
  local bands = { shape.lod0_triangles, shape.lod1_triangles, shape.lod2_triangles }
  if bands[1] + bands[2] + bands[3] == count then return bands, nil, true end
  return nil, ("its bands have %d triangles, and it has %d"):format(bands[1] + bands[2] + bands[3], count)
end

-- The centre of the values of one axis, rounded to f32.
local function middle(positions, axis)
  local low, high = math.huge, -math.huge
  for i = axis, #positions, 3 do
    local v = positions[i]
    if v < low then low = v end
    if v > high then high = v end
  end
  return (string.unpack("<f", string.pack("<f", low / 2 + high / 2)))
end

-- The largest distance of the points from a point.
local function farthest(positions, x, y, z)
  local most = 0.0
  for i = 1, #positions, 3 do
    local dx, dy, dz = positions[i] - x, positions[i + 1] - y, positions[i + 2] - z
    local d = dx * dx + dy * dy + dz * dz
    if d > most then most = d end
  end
  return math.sqrt(most)
end

--- The bounding sphere of points: around the centre of their bounding box.
-- @tparam {number,...} positions flat
-- @treturn {number,...} x, y, z, radius
function source.sphere(positions)
  local x, y, z = middle(positions, 1), middle(positions, 2), middle(positions, 3)
  return { x, y, z, farthest(positions, x, y, z) }
end

-- The sphere stored in the shape; if it does not contain the vertices, a computed one.
local function sphere_of(shape, positions)
  local c, radius = shape.bounds.center, shape.bounds.radius
  local holds = math.abs(c.x) + math.abs(c.y) + math.abs(c.z) + radius < math.huge -- false for NaN
    and radius > 0 and farthest(positions, c.x, c.y, c.z) <= radius * (1 + ROUNDING)
  return holds and { c.x, c.y, c.z, radius } or source.sphere(positions)
end

-- Counts with which the shape cannot be read.
local function counts_problem(shape)
  if shape.skin then return ("%s moves it"):format(shape.skin.type) end
  if not shape.vertices or not shape.triangles then return "its vertices are not in the shape itself" end
  if #shape.vertices == 0 or #shape.triangles == 0 then return "it has no triangles" end
  if #shape.vertices > bucket.MOST_VERTICES then
    return ("it has %d vertices, and a precombined shape has at most %d"):format(#shape.vertices,
      bucket.MOST_VERTICES)
  end
  local _, most = core.tobuffer(shape.triangles):bounds()
  for column = 1, 3 do
    if most[column] >= #shape.vertices then
      return ("a triangle names vertex %d (from 0) of %d"):format(most[column], #shape.vertices)
    end
  end
  return nil
end

-- Converts a shape to an object of packed geometry.
local function object_of(shape)
  local why = counts_problem(shape)
  if why then return nil, why end
  local material
  material, why = material_of(shape)
  if not material then return nil, why end
  local stored, runtime, full = vertices.descriptors(shape.vertex_desc)
  if not stored then return nil, runtime end
  local bands, lod
  bands, why, lod = bands_of(shape, #shape.triangles)
  if not bands then return nil, why end
  local data
  data, why = vertices.of(shape, full)
  if not data then return nil, why end
  return {
    material = material, stored = stored, runtime = runtime, key = ("%s %x"):format(material.key, runtime),
    bands = bands, lod = lod or false,
    num_vertices = #shape.vertices, num_triangles = #shape.triangles, off = data.off,
    vertices = data.bytes, positions = data.positions, triangles = core.pack(shape.triangles),
    sphere = sphere_of(shape, data.positions),
    segments = shape.type == "BSSubIndexTriShape" and (shape.num_segments or 0) > 1,
  }
end

-- ---- the scene -----------------------------------------------------------------------------------------

local Reader = {}
Reader.__index = Reader

function Reader:skip(block, reason)
  self.skipped[#self.skipped + 1] = { path = ("%s: %s"):format(self.name, core.path(block)), reason = reason }
end

function Reader:shape(block, where)
  local object, why = object_of(block)
  if not object then return self:skip(block, why) end
  self.parts[#self.parts + 1] = { object = object, place = where }
end

-- Visits a block; its children are visited next, in order.
function Reader:visit(block, outer)
  local why = left_out(block)
  if why then return self:skip(block, why) end
  local own = place.of(block)
  local where = place.compose(outer, own)
  why = place.problem(own) or place.problem(where)
  if why then return self:skip(block, why) end
  if block.collision_object then self.collision = true end
  if SHAPES[block.type] then return self:shape(block, where) end
  local children = block.children
  for i = #children, 1, -1 do
    if children[i] then self.left[#self.left + 1] = { children[i], where } end
  end
end

local ORIGIN = place.new({ 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 1, 0, 0, 0)

-- Visits each block once, below its first parent: references may be cyclic.
function Reader:walk(doc)
  local seen = {}
  for i = #doc.footer.roots, 1, -1 do
    if doc.footer.roots[i] then self.left[#self.left + 1] = { doc.footer.roots[i], ORIGIN } end
  end
  while #self.left > 0 do
    local block, outer = table.unpack(table.remove(self.left))
    local number = core.index(block)
    if not seen[number] then
      seen[number] = true
      self:visit(block, outer)
    end
  end
end

--- Reads a model.
-- @param doc of Fallout 4
-- @tparam string name its name in messages
-- @treturn table `parts` (each an `object` and its `place`), `skipped` (a list of `path`, `reason`) and
--   `collision` (whether it has any; it is not copied)
function source.read(doc, name)
  local reader = setmetatable({ name = name, parts = {}, skipped = {}, left = {}, collision = false }, Reader)
  reader:walk(doc)
  return reader
end

return source
