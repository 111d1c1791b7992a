--- Reads meshes of a glTF file with all transforms applied and bones at rest.
-- @module lathe.import.gltf

local fail = require "lathe.import.fail"
local geometry = require "lathe.export.geometry"
local glb = require "lathe.import.glb"
local json = require "lathe.import.json"
local matrix = require "lathe.export.matrix"

local gltf = {}

-- Required extensions that change no mesh, by prefix.
local HARMLESS = { "KHR_mesh_quantization", "KHR_materials_", "KHR_texture_", "KHR_lights_", "EXT_texture_" }

local DRACO = "KHR_draco_mesh_compression"

local function check_extensions(top)
  for _, name in ipairs(json.table(top, "extensionsRequired", "JSON") or {}) do
    local known = false
    for _, start in ipairs(HARMLESS) do known = known or tostring(name):sub(1, #start) == start end
    if not known then fail.at("extensionsRequired", "%s is not read", tostring(name):sub(1, 80)) end
  end
end

-- ---- transforms -----------------------------------------------------------------------------------

local FINE = 1e-7 -- for rotations: less than the precision of f32

-- Makes quarter turns exact, which a quaternion cannot represent.
local function snapped(m)
  for i = 1, 11 do
    local near = math.floor(m[i] + 0.5)
    if math.abs(m[i] - near) < FINE then m[i] = near + 0.0 end
  end
  return m
end

local function scaled(m, s)
  for i = 1, 12 do m[i] = m[i] * s[(i + 3) // 4] end
  return m
end

local function local_matrix(node, where)
  local m = json.numbers(node, "matrix", where, 16)
  if m then
    if not matrix.is_affine(m) then fail.at(where, "its matrix is no transform") end
    return m
  end
  local t = json.numbers(node, "translation", where, 3) or { 0, 0, 0 }
  local q = json.numbers(node, "rotation", where, 4) or { 0, 0, 0, 1 }
  local s = json.numbers(node, "scale", where, 3) or { 1, 1, 1 }
  local length = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4])
  if length < 1e-12 then fail.at(where, "its rotation is none") end
  local unit = { q[1] / length, q[2] / length, q[3] / length, q[4] / length }
  return scaled(snapped(matrix.compose { t = t, q = unit, s = { 1, 1, 1 } }), s)
end

-- ---- nodes ----------------------------------------------------------------------------------------

-- The root nodes of the scene; in a file without scenes, nodes without a parent.
local function roots_of(top)
  if top.scenes ~= nil then
    local scene, where = json.item(top, "scenes", json.count(top, "scene", "JSON", 0), "JSON")
    return json.counts(scene, "nodes", where)
  end
  local below, roots = {}, {}
  local nodes = json.table(top, "nodes", "JSON") or {}
  for i = 1, #nodes do
    local node, where = json.item(top, "nodes", i - 1, "JSON")
    for _, child in ipairs(json.counts(node, "children", where)) do below[child] = true end
  end
  for i = 0, #nodes - 1 do
    if not below[i] then roots[#roots + 1] = i end
  end
  return roots
end

-- The transforms of all nodes of the scene, and their order.
local function places_of(top)
  local stack, places, order = {}, {}, {}
  local function push(list, above, where)
    for i = #list, 1, -1 do stack[#stack + 1] = { list[i], above, where } end
  end
  push(roots_of(top), matrix.IDENTITY, "scenes")
  while #stack > 0 do
    local i, above, from = table.unpack(table.remove(stack))
    local node, where = json.item(top, "nodes", i, from)
    if places[i] then fail.at(where, "it stands in two places") end
    places[i] = matrix.mul(above, local_matrix(node, where))
    if not matrix.is_affine(places[i]) then fail.at(where, "its transform is not a valid affine matrix") end
    order[#order + 1] = i
    push(json.counts(node, "children", where), places[i], where)
  end
  return places, order
end

-- ---- triangles ------------------------------------------------------------------------------------

local function as_they_are(list) return table.move(list, 1, #list - #list % 3, 1, {}) end

-- Adds a triangle. Skips degenerate ones, which only join strips.
local function add_triangle(out, a, b, c)
  if a ~= b and b ~= c and c ~= a then table.move({ a, b, c }, 1, 3, #out + 1, out) end
end

local function from_strip(list)
  local out = {}
  for i = 1, #list - 2 do
    local flip = 1 - i % 2
    add_triangle(out, list[i], list[i + 1 + flip], list[i + 2 - flip])
  end
  return out
end

local function from_fan(list)
  local out = {}
  for i = 2, #list - 1 do add_triangle(out, list[1], list[i], list[i + 1]) end
  return out
end

-- By primitive mode. Points and lines have no triangles.
local MODES = { [0] = false, [1] = false, [2] = false, [3] = false,
  [4] = as_they_are, [5] = from_strip, [6] = from_fan }

local function indices_of(file, primitive, count, triangles, where)
  local list = {}
  if primitive.indices ~= nil then
    list = file:values(json.count(primitive, "indices", where), "SCALAR", true, where)
    for _, v in ipairs(list) do
      if v >= count then fail.at(where, "a triangle of vertex %d, where there are %d", v, count) end
    end
  else
    for i = 1, count do list[i] = i - 1 end
  end
  file:take(3 * #list)
  return triangles(list)
end

-- ---- meshes ---------------------------------------------------------------------------------------

local function attribute(file, primitive, name, types, where, rows, whole)
  local number = primitive.attributes[name]
  if number == nil then return nil end
  local list, columns = file:values(json.count(primitive.attributes, name, where), types, whole, where)
  if rows and #list ~= rows * columns then
    fail.at(where, "%s of %d vertices, of %d", name, #list // columns, rows)
  end
  return list
end

-- The transform of vertex v (from 0): the blend of its bones, or that of the node.
local function mover(file, primitive, place, skin, rows, where)
  local joints = skin and attribute(file, primitive, "JOINTS_0", "VEC4", where, rows, true)
  local weights = joints and attribute(file, primitive, "WEIGHTS_0", "VEC4", where, rows)
  if not weights then return function() return place end end
  file:take(16 * rows)
  return function(v)
    local m, sum = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, 0
    for k = 4 * v + 1, 4 * v + 4 do
      local w = weights[k]
      local bone = w ~= 0 and (skin[joints[k] + 1] or fail.at(where, "it has no bone %d", joints[k]))
      for i = 1, bone and 16 or 0 do m[i] = m[i] + w * bone[i] end
      sum = sum + w
    end
    if sum == 0 then return place end
    m[16] = 1
    return m
  end
end

-- Appends a primitive's transformed vertices to the part.
local function add_vertices(part, positions, normals, uvs, at)
  local base, mirrored, count = #part.positions, 0, #positions // 3
  local p, last, upright = part.positions, nil, nil
  for v = 0, count - 1 do
    local i, m = 3 * v + 1, at(v)
    local x, y, z = matrix.point(m, positions[i], positions[i + 1], positions[i + 2])
    p[base + i], p[base + i + 1], p[base + i + 2] = x, y, z
    if m ~= last then last, upright = m, matrix.for_normals(m) end
    if matrix.determinant(m) < 0 then mirrored = mirrored + 1 end
    if normals and part.normals then
      local n = part.normals
      n[base + i], n[base + i + 1], n[base + i + 2] =
        matrix.direction(upright, normals[i], normals[i + 1], normals[i + 2])
    end
  end
  if not normals then part.normals = nil end
  if uvs and part.uvs then table.move(uvs, 1, #uvs, #part.uvs + 1, part.uvs) else part.uvs = nil end
  return base // 3, mirrored > count / 2
end

local function material_of(file, primitive, where)
  if primitive.material == nil then return false end
  local material, here = json.item(file.json, "materials", json.count(primitive, "material", where), where)
  return json.text(material, "name", here) or false
end

local SHARED = { "POSITION", "NORMAL", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0" }

-- The first vertex of a primitive in its part, and whether they are mirrored. Primitives of a mesh often
-- share all vertices and differ only in their material.
local function vertices_of(file, part, primitive, rows, place, skin, where)
  local key = {}
  for i, name in ipairs(SHARED) do key[i] = tostring(primitive.attributes[name]) end
  key = table.concat(key, " ")
  local known = part.known[key]
  if not known then
    file:take(8 * rows)
    local positions = attribute(file, primitive, "POSITION", "VEC3", where)
    local normals = attribute(file, primitive, "NORMAL", "VEC3", where, rows)
    local uvs = attribute(file, primitive, "TEXCOORD_0", "VEC2", where, rows)
    known = { add_vertices(part, positions, normals, uvs, mover(file, primitive, place, skin, rows, where)) }
    part.known[key] = known
  end
  return known[1], known[2]
end

local function add_primitive(file, part, primitive, place, skin, where)
  local triangles = MODES[json.count(primitive, "mode", where, 4)]
  if triangles == nil then fail.at(where, "its mode is %d", primitive.mode) end
  local attributes = json.table(primitive, "attributes", where)
  if not triangles or not attributes or attributes.POSITION == nil then return end
  if type(primitive.extensions) == "table" and primitive.extensions[DRACO] then
    local accessor = json.item(file.json, "accessors", json.count(attributes, "POSITION", where), where)
    if accessor.bufferView == nil then fail.at(where, "compression by %s is not read", DRACO) end
  end
  local rows = #attribute(file, primitive, "POSITION", "VEC3", where) // 3
  local indices = indices_of(file, primitive, rows, triangles, where)
  if #indices == 0 then return end
  local base, mirrored = vertices_of(file, part, primitive, rows, place, skin, where)
  if mirrored then geometry.reverse(indices) end
  local material, list = material_of(file, primitive, where), part.indices
  for i, v in ipairs(indices) do
    list[#list + 1] = base + v
    if i % 3 == 0 then table.insert(part.triangle_materials, material) end
  end
end

-- The matrices of a skin's bones at rest.
local function skin_of(file, node, places, where)
  if node.skin == nil then return nil end
  local skin, here = json.item(file.json, "skins", json.count(node, "skin", where), where)
  local joints, bones = json.counts(skin, "joints", here), {}
  local binds = skin.inverseBindMatrices ~= nil
    and file:values(json.count(skin, "inverseBindMatrices", here), "MAT4", false, here)
  if binds and #binds < 16 * #joints then
    fail.at(here, "%d bones, of which %d have a matrix", #joints, #binds // 16)
  end
  for i, joint in ipairs(joints) do
    local bind = binds and table.move(binds, 16 * i - 15, 16 * i, 1, {}) or matrix.IDENTITY
    if not places[joint] then fail.at(here, "nodes[%d] is not in the scene", joint) end
    bones[i] = matrix.mul(places[joint], bind)
  end
  return bones
end

-- The mesh of a node; nil if it has no triangles.
local function part_of(file, i, places)
  local node, where = json.item(file.json, "nodes", i, "nodes")
  if node.mesh == nil then return nil end
  local mesh, here = json.item(file.json, "meshes", json.count(node, "mesh", where), where)
  local part = { name = json.text(node, "name", where) or json.text(mesh, "name", here), positions = {},
    normals = {}, uvs = {}, indices = {}, triangle_materials = {}, uv_origin = "top", known = {} }
  local skin = skin_of(file, node, places, where)
  for k, primitive in ipairs(json.table(mesh, "primitives", here) or {}) do
    local at = ("%s.primitives[%d]"):format(here, k - 1)
    if type(primitive) ~= "table" then fail.at(at, "it is no table") end
    add_primitive(file, part, primitive, places[i], skin, at)
  end
  return #part.indices > 0 and part or nil
end

--- The meshes of a file.
-- @tparam string bytes of a .glb or a .gltf
-- @tparam string path other files are searched beside it
-- @treturn {table,...} in the form of `lathe.import.obj`
-- @raise errors for `fail.catch`
function gltf.parse(bytes, path)
  local file = glb.open(bytes, path)
  check_extensions(file.json)
  local places, order = places_of(file.json)
  local parts = {}
  for _, i in ipairs(order) do parts[#parts + 1] = part_of(file, i, places) end
  return parts
end

return gltf
