--- The part of Lugaru's models.
-- @module lathe.formats.solid

local core = require "lathe.core"
local formats = require "lathe.formats"

local solid = {}

local MOST <const> = 32767 -- vertices and triangles are counted in 16 bits with a sign

-- What the game does with a model when it loads it, which only the name of the file tells: whether it turns
-- it by 180 degrees about x, and the side of the image where v is 0 in the file.
local function placement(options)
  local path = options.like and options.like.path or (options.name or "") .. ".solid"
  local mesh = core.parse("\0\0\0\0", { format = "solid", path = path }):meshes()() -- the smallest model
  return formats.turned("solid", mesh) ~= nil, mesh.uv_origin
end

-- Texture coordinates of the corners of a triangle.
local function corners(mesh, uv_origin, a, b, c)
  local gx, gy = { 0, 0, 0 }, { 0, 0, 0 }
  for k, vertex in ipairs(mesh.uvs and { a, b, c } or {}) do
    local u, v = mesh.uvs:row(vertex + 1)
    gx[k], gy[k] = u, mesh.uv_origin ~= uv_origin and 1 - v or v
  end
  return gx, gy
end

-- The number of each vertex in the model, from 0. Importers split vertices where texture coordinates differ;
-- the model has these in its triangles, so vertices in one place are one.
local function add_vertices(mesh, turned, vertices, known)
  local numbers = {}
  for i = 1, mesh.positions.rows do
    local x, y, z = mesh.positions:row(i)
    if turned then y, z = 0 - y, 0 - z end -- 0 - y: no negative zeros
    local key = string.pack("<fff", x + 0.0, y + 0.0, z + 0.0)
    if not known[key] then
      known[key] = #vertices
      vertices[#vertices + 1] = { x, y, z }
    end
    numbers[i - 1] = known[key]
  end
  return numbers
end

--- Makes a model of meshes: one, with all their vertices.
-- @tparam {table,...} meshes from `lathe.import`
-- @tparam table options `like`: a document that keeps what is behind its triangles; `name`: of the file,
--   without its extension, by which the game knows characters
-- @treturn ?Document
-- @treturn ?string why not
function solid.from_meshes(meshes, options)
  local vertices, triangles, known = {}, {}, {}
  local turned, uv_origin = placement(options)
  for _, mesh in ipairs(meshes) do
    local numbers = add_vertices(mesh, turned, vertices, known)
    for i = 1, mesh.indices.rows do
      local a, b, c = mesh.indices:row(i)
      local gx, gy = corners(mesh, uv_origin, a, b, c)
      triangles[#triangles + 1] = { a = numbers[a], b = numbers[b], c = numbers[c], gx = gx, gy = gy }
    end
  end
  for name, list in pairs { vertices = vertices, triangles = triangles } do
    if #list > MOST then return nil, ("it has %d %s; a .solid holds %d at most"):format(#list, name, MOST) end
  end
  local like = options.like
  if not like then return core.new("solid", { vertices = vertices, triangles = triangles }) end
  local done, err = pcall(like.edit, like, function()
    like.vertices, like.triangles = vertices, triangles
  end)
  return done and like or nil, err
end

return solid
