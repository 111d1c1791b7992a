--- Writes buckets as blocks of a NIF.
-- @module lathe.formats.nif.precombine.blocks

local bucket = require "lathe.formats.nif.precombine.bucket"
local place = require "lathe.formats.nif.precombine.place"
local source = require "lathe.formats.nif.precombine.source"

local blocks = {}

local PACKED <const> = "BSPackedCombinedGeomDataExtra"
local NONE <const> = 0xFFFFFFFF -- string number of an absent text
local LEVELS <const> = 3 -- always written by the game's tools
local ROOT_FLAGS <const>, NODE_FLAGS <const>, SHAPE_FLAGS <const> = 0x400E, 0xE, 0x20E
local LOD <const> = 0x1000 -- flag of nodes above shapes with bands
local COLLISION <const> = "HavokRoot" -- name of the second node below the root

local pack = string.pack

-- ---- packed geometry -----------------------------------------------------------------------------------

-- The 72 bytes of an instance.
local function instance_bytes(instance, sphere)
  local p, r = instance.place, instance.place.r
  local x, y, z = place.point(p, sphere[1], sphere[2], sphere[3])
  return pack("<ffffffffffffffffff", instance.grayscale_to_palette, r[1], r[2], r[3], r[4], r[5], r[6],
    r[7], r[8], r[9], p.x, p.y, p.z, p.s, x, y, z, sphere[4] * p.s)
end

local function add_object(out, entry)
  local object, bands = entry.object, entry.object.bands
  local second, third = 0, 0
  if object.lod then second, third = 3 * bands[1], 3 * (bands[1] + bands[2]) end
  out[#out + 1] = pack("<I4I4I4I4I4I4I4I4I4", object.num_vertices, LEVELS, bands[1], 0, bands[2], second,
    bands[3], third, #entry.instances)
  for _, instance in ipairs(entry.instances) do out[#out + 1] = instance_bytes(instance, object.sphere) end
  out[#out + 1] = pack("<I8", object.stored)
  out[#out + 1] = object.vertices
  out[#out + 1] = object.triangles
end

-- A block without its name. It is made as bytes: tables of vertices would take far more memory.
local function packed_bytes(one)
  local out = { pack("<I4I8I4I4ffI4", NONE, one.runtime, one.num_vertices, one.num_triangles, one.leaf[1],
    one.leaf[2], #one.objects) }
  for _, entry in ipairs(one.objects) do add_object(out, entry) end
  return table.concat(out)
end

-- ---- the other blocks ----------------------------------------------------------------------------------

local function shape_table(one)
  local x, y, z, radius = table.unpack(source.sphere(bucket.points(one)))
  local shape = { type = "BSTriShape", name = "", flags = SHAPE_FLAGS, translation = { x, y, z },
    bounds = { center = { 0, 0, 0 }, radius = radius }, vertex_desc = one.runtime,
    num_vertices = one.num_vertices, num_triangles = one.num_triangles, data_size = 0 }
  if one.lod then
    shape.type, shape.flags = "BSMeshLODTriShape", SHAPE_FLAGS | LOD
    shape.lod0_triangles, shape.lod1_triangles, shape.lod2_triangles = table.unpack(one.bands)
  end
  return shape
end

-- Adds the blocks of a bucket in the order of the game's tools.
local function add_bucket(doc, node, one)
  local list, material = doc.blocks, one.material
  local shape = list:append(shape_table(one))
  local packed = list:append { type = PACKED, bytes = packed_bytes(one) }
  packed.name = "PCD"
  local shader = list:append(material.shader)
  if material.textures then shader.body.texture_set = list:append(material.textures) end
  shape.extra_data_list:append(packed)
  shape.shader_property = shader
  if material.alpha then shape.alpha_property = list:append(material.alpha) end
  node.children:append(shape)
end

-- ---- the scene -----------------------------------------------------------------------------------------

-- The first root; a new one in an empty document. nil and a reason if shapes cannot be attached to it.
local function root_of(doc)
  if #doc.blocks == 0 then
    local root = doc.blocks:append { type = "BSFadeNode", name = "", flags = ROOT_FLAGS }
    doc.footer.roots = { 0 }
    return root
  end
  local root = doc.footer.roots[1]
  if root and (root.type == "BSFadeNode" or root.type == "NiNode") then return root end
  return nil, "its root is no node that shapes can hang below"
end

-- The parent node of the shapes.
local function node_of(doc, root)
  for _, child in ipairs(root.children) do
    if child and child.type == "NiNode" and child.name ~= COLLISION then return child end
  end
  local node = doc.blocks:append { type = "NiNode", name = "", flags = NODE_FLAGS }
  root.children:append(node)
  return node
end

--- Writes buckets into a document. Call it inside an edit.
-- @param doc of Fallout 4; a group, or empty
-- @tparam {table,...} buckets
-- @tparam ?string name of the root; nil: unchanged
-- @treturn ?boolean
-- @treturn ?string the reason why not
function blocks.write(doc, buckets, name)
  local root, why = root_of(doc)
  if not root then return nil, why end
  local node, lod = node_of(doc, root), false
  root.name = name or root.name
  for _, one in ipairs(buckets) do
    add_bucket(doc, node, one)
    lod = lod or one.lod
  end
  if lod then root.flags, node.flags = root.flags | LOD, node.flags | LOD end
  return true
end

return blocks
