--- Compares doc:meshes() of precombined geometry with what the plain reader says, triangle by triangle. Gives how many
-- objects, instances and triangles there were.
--
--    local objects, instances, triangles = compare_meshes(doc, bytes, files, lod)
--
-- files: geometry files as packed_reader.files gives them, for shared geometry; lod: 0 .. 2, bands 0 .. lod (all).

local assert = require "luassert"
local reader = require "packed_reader"

-- As the corpus says: 1e-3 + 1e-6 * |x|.
local function near(wanted, got, what)
  local off = math.abs(wanted - got)
  if off > 1e-3 + 1e-6 * math.abs(wanted) or off ~= off then
    error(("%s: %.9g instead of %.9g"):format(what, got, wanted))
  end
end

local function put_at(m, x, y, z, wanted)
  for row = 1, 3 do near(wanted[row], m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row], "a corner") end
end

local function compare_mesh(mesh, wanted)
  local positions, indices, m = mesh.positions:totable(), mesh.indices:totable(), mesh.transform
  assert.equal(3 * #wanted, #indices)
  for i, triangle in ipairs(wanted) do
    for k = 1, 3 do
      local v = 3 * indices[3 * i - 3 + k]
      put_at(m, positions[v + 1], positions[v + 2], positions[v + 3], triangle[k])
    end
  end
end

return function(doc, bytes, files, lod)
  local next_mesh, objects, instances, triangles = doc:meshes(lod and { lod = lod }), 0, 0, 0
  for _, block in ipairs(reader.read(bytes, files)) do
    for _, one in ipairs(block and block.objects or {}) do
      objects = objects + (one.positions and 1 or 0)
      for _, place in ipairs(one.positions and one.instances or {}) do
        local wanted = reader.world(one, place, lod and lod + 1)
        compare_mesh(assert(next_mesh(), "too few meshes"), wanted)
        instances, triangles = instances + 1, triangles + #wanted
      end
    end
  end
  assert.is_nil(next_mesh())
  return objects, instances, triangles
end
