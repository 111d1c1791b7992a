--- Meshes as doc:meshes() gives them, put together by hand for tests of exports.

local lathe = require "lathe.core"

local sample = {}

function sample.buffer(type, columns, list)
  return lathe.buffer(type, #list // columns, columns, list)
end

local COLUMNS = {
  positions = 3, normals = 3, tangents = 4, uvs = 2, colors = 4, weights = 4, indices = 3, joints = 4,
}
local TYPES = { indices = "u32", joints = "u16" }

--- A mesh: lists become buffers, all else stays.
function sample.mesh(fields)
  local mesh = { up = "y", uv_origin = "top", transform = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } }
  for name, value in pairs(fields) do
    mesh[name] = COLUMNS[name] and sample.buffer(TYPES[name] or "f32", COLUMNS[name], value) or value
  end
  return mesh
end

--- One triangle that faces +z, with more fields.
function sample.triangle(more)
  local fields = { positions = { 0, 0, 0, 1, 0, 0, 0, 2, 0 }, indices = { 0, 1, 2 } }
  for name, value in pairs(more or {}) do fields[name] = value end
  return sample.mesh(fields)
end

--- A matrix that moves, and scales by as much on all axes.
function sample.moved(x, y, z, scale)
  local s = scale or 1
  return { s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, x, y, z, 1 }
end

--- A bar along y, from 0 to 4, held by two bones: at rest the upper one is turned by a quarter about z, so
-- that what was above y = 2 points to -x. At y = 2 both hold.
function sample.bent(more)
  local positions, normals, joints, weights, indices = {}, {}, {}, {}, {}
  for row = 0, 4 do
    for k = 0, 3 do
      local x, z = ({ -0.5, 0.5, 0.5, -0.5 })[k + 1], ({ 0.5, 0.5, -0.5, -0.5 })[k + 1]
      table.move({ x, row, z }, 1, 3, #positions + 1, positions)
      table.move({ x * 2 ^ 0.5, 0, z * 2 ^ 0.5 }, 1, 3, #normals + 1, normals)
      table.move(row < 2 and { 0, 7, 0, 0 } or row > 2 and { 1, 0, 0, 0 } or { 0, 1, 0, 0 }, 1, 4,
        #joints + 1, joints)
      table.move(row == 2 and { 0.5, 0.5, 0, 0 } or { 1, 0, 0, 0 }, 1, 4, #weights + 1, weights)
      if row < 4 then
        local a, b = 4 * row + k, 4 * row + (k + 1) % 4
        table.move({ a, b, b + 4, a, b + 4, a + 4 }, 1, 6, #indices + 1, indices)
      end
    end
  end
  local fields = {
    name = "bar", positions = positions, normals = normals, joints = joints, weights = weights,
    indices = indices,
    skin = { bones = {
      { name = "lower", parent = -1, bind = sample.moved(0, 0, 0), world = sample.moved(0, 0, 0) },
      { name = "upper", parent = 0, bind = sample.moved(0, -2, 0),
        world = { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1 } },
    } },
  }
  for name, value in pairs(more or {}) do fields[name] = value end
  return sample.mesh(fields)
end

return sample
