-- The geometry of collision that lathe finds, against that of the plain reader: every triangle, with its material.

local figures = require "nif_figures"
local check = require "fo4_collision_check"
local fo4 = require "fo4_collision"
local lathe = require "lathe"
local sample = require "sample_collision"

-- Children of compounds, in their order; each shape without children as it is.
local function leaves_of(shape, list)
  if shape.instances then
    for _, i in ipairs(shape.instances) do list[#list + 1] = { instances = { i }, leaf = i.shape } end
  else
    list[#list + 1] = setmetatable({ leaf = shape }, { __index = shape })
  end
end

local function id_of(name)
  return name:match "^0x" and tonumber(name) or fo4.material_id(name)
end

local function of_reader(leaf)
  local points, triangles = fo4.geometry(leaf)
  local list, size = {}, 0
  for i, t in ipairs(triangles) do
    list[i] = { material = t.material }
    for k = 1, 3 do
      local p = points[t[k]]
      list[i][k] = { p[1] * fo4.UNIT, p[2] * fo4.UNIT, p[3] * fo4.UNIT }
      for axis = 1, 3 do size = math.max(size, math.abs(list[i][k][axis])) end
    end
  end
  return list, size
end

local function of_lathe(mesh)
  local list = {}
  for i = 1, mesh.indices.rows do
    list[i] = { material = id_of(mesh.materials[mesh.triangle_materials:at(i, 1) + 1]) }
    for k = 1, 3 do list[i][k] = { mesh.positions:row(mesh.indices:at(i, k) + 1) } end
  end
  return list
end

-- The same triangles in the same order, from the same corner on.
local function same(want, got, most, what)
  assert.equal(#want, #got, what)
  for i, t in ipairs(want) do
    if t.material ~= got[i].material then
      error(("%s: triangle %d of %08X, not %08X"):format(what, i, got[i].material, t.material), 0)
    end
    for k = 1, 3 do
      for axis = 1, 3 do
        if math.abs(t[k][axis] - got[i][k][axis]) > most then
          error(("%s: triangle %d, corner %d: %s, not %s"):format(what, i, k, table.concat(got[i][k], " "),
            table.concat(t[k], " ")), 0)
        end
      end
    end
  end
end

-- Compares all bodies; gives how many triangles there were.
local function compare(blob, what)
  local doc <close> = assert(lathe.parse(blob))
  local leaves, n, triangles = {}, 0, 0
  for i, body in ipairs(fo4.read(blob).bodies) do
    local before = #leaves
    leaves_of(body.shape, leaves)
    for k = before + 1, #leaves do leaves[k].body = i end
  end
  for mesh in doc:meshes { what = "collision" } do
    n = n + 1
    local leaf = assert(leaves[n], what .. ": more meshes than shapes")
    assert.equal(leaf.body, mesh.body)
    if mesh.shape == "hull" or mesh.shape == "mesh" then
      local want, size = of_reader(leaf)
      same(want, of_lathe(mesh), 1e-6 * size, ("%s shape %d"):format(what, n))
      triangles = triangles + #want
    end
  end
  assert.equal(#leaves, n)
  return triangles
end

describe("geometry of collision", function()
  it("is what the plain reader finds, in all files #corpus", function()
    local all = 0
    for _, entry in ipairs(figures.collision_files(pending)) do
      local doc <close> = assert(lathe.open(entry.path))
      for number in pairs(entry.wanted.systems) do
        all = all + compare(lathe.bytes(doc.blocks[tonumber(number) + 1]):sub(5), entry.name)
      end
    end
    assert.equal(5285, all)
  end)

  it("is what the plain reader finds, in what specs make", function()
    for name, blob in pairs((sample.blobs())) do compare(blob, name) end
  end)

  it("is what the plain reader finds, in grounds of many sections", function()
    for seed = 1, 12 do
      local blob = sample.system { { shape = sample.ground(seed) } }
      local system = fo4.read(blob)
      assert.same({}, check.system(system))
      assert.equal(#system.bodies[1].shape.triangles, compare(blob, "ground " .. seed))
      assert.equal(blob, assert(lathe.parse(blob)):serialize())
    end
  end)
end)
