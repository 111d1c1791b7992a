--- Which paths of a document describe what of its picture.
-- @module lathe.view.places

local core = require "lathe.core"
local schema = require "lathe.tree.schema"
local scene = require "lathe.export.scene"

local places = {}

local MOST = 4000 -- paths of bones in a page

-- The path of a value; nil if it has none.
local function path_of(value)
  local ok, path = pcall(core.path, value)
  return ok and path or nil
end

-- A field of a record that may lack it.
local function field(record, name)
  local ok, value = pcall(function() return record[name] end)
  return ok and value or nil
end

-- The paths of a body: of its record, and of its shape.
local function of_body(doc, number)
  local ok, body = pcall(function() return doc.bodies[number] end)
  if not ok or not body then return "" end
  local first = path_of(field(body, "source") or body) or path_of(body) or ""
  local shape = field(body, "shape")
  return first, { core.type(shape) and path_of(shape) or nil }
end

-- Whether an array has the triangles of a mesh: as many, and the first and the last are the same; or the mesh
-- has its own vertices for each triangle.
local function has_triangles(array, indices)
  local n = indices.rows
  if core.type(array) ~= "array" or #array ~= n or n == 0 then return false end
  for _, t in ipairs { 1, n } do
    local a, b, c = indices:row(t)
    local triangle, own = array[t], a == 3 * t - 3 and b == a + 1 and c == a + 2
    local x, y, z = field(triangle, "a"), field(triangle, "b"), field(triangle, "c")
    if not (x and y and z) or not own and not (x == a and y == b and z == c) then return false end
  end
  return true
end

-- The path of a record's array that has the triangles of a mesh; nil if none has.
local function triangles_in(record, mesh, cache)
  for _, row in ipairs(cache:rows(record)) do
    local array = row.array and row.name:find "triangles$" and field(record, row.name)
    if array and has_triangles(array, mesh.indices) then return path_of(array) end
  end
end

--- The paths of what draws a mesh.
-- @param doc
-- @tparam table mesh
-- @param cache of the schema, from `lathe.tree.schema`
-- @treturn string the path, "" for the document
-- @treturn ?{string,...} further paths
-- @treturn ?string the path of the array that has its triangles
function places.of_mesh(doc, mesh, cache)
  if mesh.body and doc and not mesh.path then return of_body(doc, mesh.body) end
  local path = mesh.path or ""
  local record = doc
  if doc and path ~= "" then record = doc:get(path) end
  if not core.type(record) or not mesh.indices then return path end
  local found = triangles_in(record, mesh, cache)
  if found then return path, nil, found end
  local data = cache:row(record, "data") and field(record, "data") -- a block of its own, in older games
  if not core.type(data) or core.type(data) == "array" then return path end
  return path, { path_of(data) }, triangles_in(data, mesh, cache)
end

-- Adds elements of the arrays of a skeleton's record that have an element for each bone.
local function add_arrays(list, skeleton, cache)
  local source, n = skeleton.source, #skeleton.bones
  local path = source and path_of(source)
  for _, row in ipairs(path and cache:rows(source) or {}) do
    local array = row.array and not row.inside and field(source, row.name)
    if core.type(array) == "array" and #array == n and n > 0 and core.type(array[1]) then
      for i = 1, n do
        local bone = #list < MOST and skeleton.bones[i]
        if bone and bone.name then
          list[#list + 1] = { path_of(array[i]), scene.utf8(bone.name) }
        end
      end
    end
  end
end

-- Adds the items of a scene that have a name and children: its nodes, some of which are bones.
local function add_nodes(list, doc, cache)
  for _, row in ipairs(cache:rows(doc)) do
    local items = row.tag and field(doc, row.name)
    for i = 1, items and math.min(#items, MOST) or 0 do
      local item = field(items, i)
      local is_node = core.type(item) and cache:row(item, "children") and cache:row(item, "name")
      local name = is_node and field(item, "name")
      if type(name) == "string" and name ~= "" and #list < MOST then
        list[#list + 1] = { path_of(item), scene.utf8(name) }
      end
    end
  end
end

--- The paths of bones.
-- @param doc
-- @treturn {{string,string},...} a path and the name of the bone
function places.of_bones(doc)
  local list, cache = {}, schema.new()
  for i = 1, #doc.skeletons do pcall(add_arrays, list, doc.skeletons[i], cache) end
  pcall(add_nodes, list, doc, cache)
  return list
end

return places
