--- The part of Lugaru's models.
-- @module lathe.formats.solid

local core = require "lathe.core"

local solid = {}

local MOST <const> = 32767 -- vertices and triangles are counted in 16 bits with a sign

-- Texture coordinates of the corners of a triangle. v counts from the bottom.
local function corners(mesh, a, b, c)
  local gx, gy = { 0, 0, 0 }, { 0, 0, 0 }
  for k, vertex in ipairs(mesh.uvs and { a, b, c } or {}) do
    local u, v = mesh.uvs:row(vertex + 1)
    gx[k], gy[k] = u, mesh.uv_origin == "top" and 1 - v or v
  end
  return gx, gy
end

-- The number of each vertex in the model, from 0. Importers split vertices where texture coordinates differ;
-- the model has these in its triangles, so vertices in one place are one.
local function add_vertices(mesh, vertices, known)
  local numbers = {}
  for i = 1, mesh.positions.rows do
    local x, y, z = mesh.positions:row(i)
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
-- @tparam table options `like`: a document that keeps what is behind its triangles
-- @treturn ?Document
-- @treturn ?string why not
function solid.from_meshes(meshes, options)
  local vertices, triangles, known = {}, {}, {}
  for _, mesh in ipairs(meshes) do
    local numbers = add_vertices(mesh, vertices, known)
    for i = 1, mesh.indices.rows do
      local a, b, c = mesh.indices:row(i)
      local gx, gy = corners(mesh, a, b, c)
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
