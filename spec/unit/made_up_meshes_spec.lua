-- What doc:meshes() tells of meshes that have all a mesh may have. Runs on the made-up formats.

local lathe = require "lathe.core"

local SKIN, SURFACE, COLLIDES = 16, 32, 64
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

describe("what collides", function()
  local BYTES = "SHPS\0\4" .. shape(COLLIDES, 3, 0, "floor") .. shape(1, 1, 0, "drawn")
    .. shape(COLLIDES, 1, 2, "crate") .. shape(COLLIDES | 1, 0, 0, "nothing")

  local function collision(doc)
    local list = {}
    for mesh in doc:meshes { what = "collision" } do list[#list + 1] = mesh end
    return list
  end

  it("is a list of records", function()
    local doc <close> = assert(lathe.parse(BYTES))
    assert.equal(3, #doc.bodies)
    assert.equal("3 bodies", tostring(doc.bodies))
    assert.equal("list", lathe.type(doc.bodies))
    assert.equal(doc.shapes[3], doc.bodies[2])
    assert.equal("shapes[3]", lathe.path(doc.bodies[2]))
    assert.is_nil(doc.bodies[4])
    assert.is_nil(doc.bodies[0])
    local said = {}
    for i, body in ipairs(doc.bodies) do said[i] = body.name .. " " .. body.motion end
    assert.same({ "floor static", "crate dynamic", "nothing static" }, said)
    assert.equal(doc.bodies, doc.bodies)
    assert.not_equal(doc.bodies, doc.materials)
    assert.has_error(function() doc.bodies = {} end, "'bodies' of a document cannot be set")
    local one <close> = assert(lathe.parse("SHPS\0\1" .. shape(COLLIDES, 0, 0, "")))
    assert.equal("1 body", tostring(one.bodies))
  end)

  it("tells with whom it shares what is set", function()
    local doc <close> = assert(lathe.parse("SHPS\0\4" .. shape(COLLIDES, 1, 0, "a") .. shape(COLLIDES, 1, 0, "b")
      .. shape(COLLIDES, 1, 0, "a") .. shape(COLLIDES, 1, 0, "a")))
    local done = assert(doc.bodies[3]:set { bones = 2 })
    assert.equal(3, done.changed)
    assert.same({}, done.skipped)
    assert.same({ doc.shapes[1], doc.shapes[4] }, done.shared)
    done = assert(doc.bodies[1]:set { bones = 1 })
    assert.equal(2, #done.shared)
    done = assert(doc.bodies[2]:set { bones = 7 })
    assert.same({ 1, nil }, { done.changed, done.shared })
    assert.same({ "dynamic", "dynamic" }, { doc.bodies[1].motion, doc.bodies[2].motion })
    local one <close> = assert(lathe.parse("SHPS\0\2" .. shape(COLLIDES, 1, 0, "a") .. shape(COLLIDES, 1, 0, "a")))
    done = assert(one.bodies[1]:set { bones = 2 })
    assert.same("table", type(done.shared)) -- a list, also of one
    assert.equal(one.bodies[2], done.shared[1])
  end)

  it("is nothing where a format knows of none", function()
    local doc <close> = assert(lathe.new("nested"))
    assert.equal(0, #doc.bodies)
    assert.same({}, collision(doc))
  end)

  it("has meshes of its own, with what each triangle is made of", function()
    local doc <close> = assert(lathe.parse(BYTES))
    local list = collision(doc)
    assert.equal(3, #list)
    local floor = list[1]
    assert.equal("floor", floor.name)
    assert.equal("mesh", floor.shape)
    assert.equal(1, floor.body)
    assert.equal(3, list[3].body)
    assert.same({ "stone", "wood" }, floor.materials)
    assert.same({ 0, 1, 0 }, floor.triangle_materials:totable())
    assert.equal("u32 3 x 1", ("%s %d x %d"):format(floor.triangle_materials.type, floor.triangle_materials.rows,
      floor.triangle_materials.columns))
    assert.equal(0, list[3].triangle_materials.rows)
    local drawn = 0
    for mesh in doc:meshes { what = "geometry" } do
      drawn = drawn + 1
      assert.is_nil(mesh.body)
      assert.is_nil(mesh.shape)
    end
    assert.equal(4, drawn)
  end)

  it("is asked for by name", function()
    local doc <close> = assert(lathe.parse(BYTES))
    assert.has_error(function() doc:meshes { what = "colision" } end, "'what' of meshes is one of geometry, collision")
    assert.has_error(function() doc:meshes { what = 3 } end, "'what' of meshes is one of geometry, collision")
    assert.has_error(function() doc:meshes { kind = "collision" } end,
      "no option 'kind' of meshes, which takes what, lod, once and left_out")
    assert.has_error(function() doc:meshes "collision" end)
  end)

  it("is exported with a primitive a material", function()
    local helper, glb = require "helper", require "glb"
    local path = helper.tmpdir() .. "/collision.glb"
    local doc <close> = assert(lathe.parse(BYTES))
    local report = assert(require "lathe".export(doc, path, { what = "collision" }))
    assert.equal(2, report.meshes)
    assert.equal(4, report.triangles)
    assert.same({ { path = "mesh 3 'nothing'", reason = "no vertices" } }, report.skipped)
    local drawn, said = glb.parse(helper.read(path)):drawn(), {}
    for i, one in ipairs(drawn) do said[i] = ("%s %s %d"):format(one.name, one.material.name, #one.indices // 3) end
    assert.same({ "floor stone 2", "floor wood 1", "crate stone 1" }, said)
    glb.validate { path }
    assert.has_error(function() require "lathe".export(doc, path, { what = "all" }) end,
      "option 'what': 'geometry' or 'collision' expected")
  end)

  it("is exported with a group a material", function()
    local helper = require "helper"
    local path = helper.tmpdir() .. "/collision.obj"
    local doc <close> = assert(lathe.parse(BYTES))
    local report = assert(require "lathe".export(doc, path, { what = "collision" }))
    assert.equal(2, #report.files)
    local words = {}
    for line in helper.read(path):gmatch "[^\n]+" do
      if line:match "^[ouf]" then words[#words + 1] = line end
    end
    assert.same({ "o floor", "usemtl stone", "f 1 2 3", "f 3 4 5", "usemtl wood", "f 2 4 3", "o crate",
      "usemtl stone", "f 6 7 8" }, words)
    assert.matches("newmtl stone\nKd 1 1 1\n\nnewmtl wood\nKd 1 1 1\n", helper.read(report.files[2]))
  end)
end)
