-- What lathe.export wrote comes back through lathe.import: the same places, in the same units and axes.

local collision = require "sample_collision"
local figures = require "nif_figures"
local helper = require "helper"
local lathe = require "lathe"
local matrix = require "lathe.export.matrix"
local sample = require "sample_mesh"

local folder

-- Places and texture coordinates, from the top, of the corners of all triangles.
local function corners(meshes)
  local list = {}
  for _, mesh in ipairs(meshes) do
    local p, uvs = mesh.positions:totable(), mesh.uvs and mesh.uvs:totable()
    for _, v in ipairs(mesh.indices:totable()) do
      local x, y, z = matrix.point(mesh.transform or matrix.IDENTITY, p[3 * v + 1], p[3 * v + 2], p[3 * v + 3])
      local row = { x, y, z }
      if uvs then
        row[4], row[5] = uvs[2 * v + 1], uvs[2 * v + 2]
        if mesh.uv_origin == "bottom" then row[5] = 1 - row[5] end
      end
      list[#list + 1] = row
    end
  end
  return list
end

local function same_row(a, b, most)
  for k = 1, math.max(#a, #b) do
    if not (a[k] and b[k] and math.abs(a[k] - b[k]) <= most) then return false end
  end
  return true
end

-- Whether all triangles agree, where some may have been turned round. Gives how many have.
local function same_triangles(want, got, share)
  assert.equal(#want, #got)
  local largest, turned = 1, 0
  for _, row in ipairs(want) do
    for k = 1, 3 do largest = math.max(largest, math.abs(row[k])) end
  end
  local most = share * largest
  for i = 1, #want, 3 do
    assert(same_row(want[i], got[i], most), "corner " .. i)
    if not (same_row(want[i + 1], got[i + 1], most) and same_row(want[i + 2], got[i + 2], most)) then
      assert(same_row(want[i + 1], got[i + 2], most) and same_row(want[i + 2], got[i + 1], most), "triangle " .. i)
      turned = turned + 1
    end
  end
  return turned
end

-- How many triangles there are of each material.
local function made_of(mesh)
  local counts = {}
  for _, number in ipairs(mesh.triangle_materials:totable()) do
    local name = mesh.materials[number + 1]
    counts[name] = (counts[name] or 0) + 1
  end
  return counts
end

local function meshes_of(doc, what)
  local list = {}
  for mesh in doc:meshes(what) do list[#list + 1] = mesh end
  return list
end

-- Exports and imports; then once more what came back. Both must agree, and with what there was.
local function there_and_back(meshes, format, opts, back, share)
  local first, second = folder .. "/1." .. format, folder .. "/2." .. format
  local report, err = lathe.export(meshes, first, opts)
  if not report then return nil, err end
  local came = assert(lathe.import(first, back))
  assert(lathe.export(came, second, opts))
  local again = assert(lathe.import(second, back))
  assert.equal(0, same_triangles(corners(came), corners(again), 1e-7))
  local fine = true -- triangles that export leaves out are for its own specs
  for _, skipped in ipairs(report.skipped) do fine = fine and not skipped.reason:match "triangles: " end
  local want = corners(meshes)
  if fine and #want == 3 * report.triangles then same_triangles(want, corners(came), share or 2e-6) end
  return came, report
end

describe("export, import and export", function()
  before_each(function() folder = helper.tmpdir() end)

  it("give back every figure of made meshes, with any options", function()
    math.randomseed(3)
    for round = 1, 60 do
      local n, up = math.random(3, 40), round % 2 == 0 and "z" or "y"
      local fields = { positions = {}, indices = {}, uvs = {}, up = up, metres = 0.0142875, name = "m " .. round,
        material = round % 3 == 0 and "stone" or nil, uv_origin = round % 5 == 0 and "bottom" or "top" }
      for i = 1, 3 * n do fields.positions[i] = (math.random() - 0.5) * 10 ^ math.random(-3, 5) end
      for i = 1, 2 * n do fields.uvs[i] = math.random() * 4 - 2 end
      for v = 0, n - 1 do
        table.move({ v, math.random(0, n - 1), math.random(0, n - 1) }, 1, 3, 3 * v + 1, fields.indices)
      end
      local mesh = sample.mesh(fields)
      local scale = ({ 1, 100, 0.01, "metres" })[round % 4 + 1]
      for _, format in ipairs { "glb", "obj" } do
        local came = there_and_back({ mesh }, format, { scale = scale },
          { up = up, scale = scale, metres = mesh.metres })[1]
        assert.same(mesh.indices:totable(), came.indices:totable())
        assert.equal(mesh.positions:pack(), came.positions:pack())
        assert.same(format == "glb" and { "m " .. round, mesh.material }
          or { "m_" .. round, mesh.material or nil }, { came.name, came.material })
        assert.equal(up, came.up)
      end
    end
  end)

  it("apply transforms, mirrors too", function()
    local turned = { 0, 0, -2, 0, 0, 3, 0, 0, 4, 0, 0, 0, 5, 6, 7, 1 }
    local mirror = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
    local normals = { 0, 0, 1, 0, 0, 1, 0, 0, 1 }
    for _, format in ipairs { "glb", "obj" } do
      local came = there_and_back({ sample.triangle { transform = turned }, sample.triangle { transform = mirror,
        normals = normals } }, format)
      assert.same({ 5, 6, 7, 5, 6, 5, 5, 12, 7 }, came[1].positions:totable())
      assert.same({ 0, 0, 0, -1, 0, 0, 0, 2, 0 }, came[2].positions:totable())
      assert.same({ 0, 2, 1 }, came[2].indices:totable())
      assert.same(normals, came[2].normals:totable())
    end
    local bent = assert(lathe.export({ sample.bent() }, folder .. "/bent.glb"))
    assert.equal(1, bent.meshes)
    assert(lathe.export({ sample.bent() }, folder .. "/bent.obj"))
    same_triangles(corners(assert(lathe.import(folder .. "/bent.obj"))),
      corners(assert(lathe.import(folder .. "/bent.glb"))), 1e-6)
  end)

  it("give back what collides, and of what its triangles are made", function()
    for name, blob in pairs((collision.blobs())) do
      local doc <close> = assert(lathe.parse(blob))
      local meshes = meshes_of(doc, { what = "collision" })
      for _, format in ipairs { "glb", "obj" } do
        local came = there_and_back(meshes, format, { scale = "metres" },
          { up = "z", scale = "metres", metres = meshes[1].metres })
        assert.equal(#meshes, #came, name)
        for i, mesh in ipairs(meshes) do
          assert.same(made_of(mesh), made_of(came[i]))
          assert.equal(mesh.material, came[i].material)
        end
      end
    end
  end)

  it("give back every model of Lugaru #corpus", function()
    local from = helper.need_corpus("wolfire/solid", pending)
    for _, name in ipairs(helper.list(from, "%.solid$")) do
      local doc <close> = assert(lathe.open(from .. "/" .. name))
      for _, format in ipairs { "glb", "obj" } do
        local ok, err = pcall(there_and_back, meshes_of(doc), format)
        assert(ok, ("%s.%s: %s"):format(name, format, err))
      end
    end
  end)

  it("give back every scene, in the game's units and axes #corpus", function()
    local read = 0
    for _, list in ipairs { figures.files(pending), figures.collision_files(pending) } do
      for _, entry in ipairs(list) do
        local doc <close> = assert(lathe.open(entry.path))
        local meshes = {}
        for _, mesh in ipairs(meshes_of(doc)) do
          if not mesh.skin and mesh.positions.rows < 300 then meshes[#meshes + 1] = mesh end
        end
        local opts = { scale = "metres" }
        local ok, came = pcall(there_and_back, meshes, read % 2 == 0 and "glb" or "obj", opts,
          { up = "z", scale = "metres", metres = meshes[1] and meshes[1].metres or 1 })
        assert(ok, ("%s: %s"):format(entry.name, came))
        if came then read = read + 1 end
      end
    end
    assert.is_true(read > 30)
  end)
end)
