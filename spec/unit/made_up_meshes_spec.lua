-- What doc:meshes() tells of meshes that have all a mesh may have. Runs on the made-up formats.

local lathe = require "lathe.core"

local SKIN, SURFACE = 16, 32
local EVERYTHING = 1 + 2 + 4 + 8 + SKIN + SURFACE

local function shape(flags, triangles, bones, name)
  return string.pack("<BBBs1", flags, triangles, bones, name)
end

local function meshes(space, ...)
  local bytes = "SHPS" .. string.char(space, select("#", ...)) .. table.concat { ... }
  local doc <close> = assert(lathe.parse(bytes))
  local list = {}
  for mesh in doc:meshes() do list[#list + 1] = mesh end
  return list
end

local IDENTITY = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }

local function moved(x, y, z)
  return { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1 }
end

describe("a mesh", function()
  it("has what it must, and nothing else, where there is nothing else", function()
    local list = meshes(0, shape(0, 1, 0, "plain"))
    assert.equal(1, #list)
    local mesh, names = list[1], {}
    for name in pairs(mesh) do names[#names + 1] = name end
    table.sort(names)
    assert.same({ "indices", "name", "positions", "transform", "up", "uv_origin" }, names)
    assert.equal("plain", mesh.name)
    assert.equal("y", mesh.up)
    assert.equal("top", mesh.uv_origin)
    assert.same({ 0, 0, 0, 0, 1, 0, 1, 0, 0 }, mesh.positions:totable())
    assert.same(moved(0, 10, 0), mesh.transform)
  end)

  it("has buffers for every attribute", function()
    local mesh = meshes(7, shape(EVERYTHING, 2, 3, "all"))[1]
    local figures = {}
    for name, value in pairs(mesh) do
      if type(value) == "userdata" then
        figures[name] = ("%s %d x %d"):format(value.type, value.rows, value.columns)
      end
    end
    assert.same({
      positions = "f32 4 x 3",
      normals = "f32 4 x 3",
      tangents = "f32 4 x 4",
      uvs = "f32 4 x 2",
      colors = "f32 4 x 4",
      joints = "u16 4 x 4",
      weights = "f32 4 x 4",
      indices = "u32 2 x 3",
    }, figures)
    assert.same({ 1, 0, 0, -1 }, { mesh.tangents:row(2) })
    assert.same({ 0, 1, 0, 0, 1, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0 }, mesh.joints:totable())
    assert.same({ 0.75, 0.25, 0, 0 }, { mesh.weights:row(3) })
    assert.same({ 0, 0, 0, 0 }, { mesh.weights:row(4) })
    assert.same({ 0, 1, 2, 1, 3, 2 }, mesh.indices:totable())
    assert.equal("z", mesh.up)
    assert.equal("bottom", mesh.uv_origin)
    assert.equal(0.5, mesh.metres)
  end)

  it("has bones with their matrices", function()
    local mesh = meshes(0, shape(SKIN, 1, 3, "held"))[1]
    assert.same({ bones = {
      { name = "hip", parent = -1, bind = IDENTITY, world = moved(0, 0, 1) },
      { name = "spine", parent = 0, bind = moved(-1, 0, 0), world = moved(1, 0, 1) },
      { parent = 1, bind = moved(-2, 0, 0), world = moved(2, 0, 1) },
    } }, mesh.skin)
    assert.is_nil(meshes(0, shape(SKIN, 1, 0, "of none"))[1].skin)
  end)

  it("has the looks of its material", function()
    local mesh = meshes(0, shape(SURFACE, 1, 0, "wall"))[1]
    assert.equal("wall", mesh.material)
    assert.same({
      base_color = { 0.5, 1, 1, 1 },
      emissive = { 0, 0, 0.25 },
      alpha = "mask",
      cutoff = 0.5,
      double_sided = true,
      textures = { base_color = [[textures\wall_d.dds]], normal = [[textures\wall_n.dds]] },
    }, mesh.surface)
  end)

  it("of nothing is empty", function()
    local list = meshes(0, shape(EVERYTHING, 0, 1, ""), shape(0, 255, 0, ("n"):rep(255)))
    assert.equal(0, list[1].positions.rows)
    assert.equal("", list[1].name)
    assert.equal(257, list[2].positions.rows)
    assert.equal(255, #list[2].name)
  end)

  it("goes into a .glb with all of it", function()
    local helper, glb = require "helper", require "glb"
    local path = helper.tmpdir() .. "/shapes.glb"
    local bytes = "SHPS\7\3" .. shape(EVERYTHING, 5, 3, "all") .. shape(EVERYTHING, 2, 2, "more") .. shape(0, 1, 0, "plain")
    local doc <close> = assert(lathe.parse(bytes))
    local report = assert(require "lathe".export(doc, path, { scale = "metres" }))
    assert.same({ meshes = 3, triangles = 8, skipped = {}, notes = {}, files = { path } }, report)
    local drawn = glb.parse(helper.read(path)):drawn()
    assert.same({ "all", "more", "plain" }, { drawn[1].name, drawn[2].name, drawn[3].name })
    local p = drawn[3].positions -- (1, 10, 2), z up, of half a metre each
    for k, v in ipairs { 0.5, 1, -5 } do assert.is_near(v, p[6 + k], 1e-6) end
    assert.equal("wall", drawn[1].material.name)
    glb.validate { path }
  end)

  it("outlives its document", function()
    local doc = assert(lathe.parse("SHPS\0\1" .. shape(EVERYTHING, 1, 2, "left")))
    local mesh = doc:meshes()()
    doc:close()
    assert.equal("left", mesh.name)
    assert.equal("spine", mesh.skin.bones[2].name)
  end)
end)
