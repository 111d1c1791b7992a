-- doc:set_collision: what it replaces, what it refuses, and that a refusal changes nothing.

local check = require "fo4_collision_check"
local fo4 = require "fo4_collision"
local hknp = require "sample_hknp"
local lathe = require "lathe"
local nif = require "sample_nif"
local sample = require "sample_collision"

local BOX = { kind = "box", size = 70 }

local function cube(half) return hknp.box { half = { half, half, half } } end

local function open(bytes) return assert(lathe.parse(bytes, { history = 20 })) end

local function bare(game, more)
  local blocks = { { type = "NiNode", name = "Root", children = { 1 } }, { type = "NiNode", name = "Lid" } }
  for _, block in ipairs(more or {}) do blocks[#blocks + 1] = block end
  return open(nif.build { game = game or "fo4", blocks = blocks })
end

-- Blocks of a type, and the systems behind collision objects, all of them good.
local function of_type(doc, name)
  local list = {}
  for _, block in ipairs(doc.blocks) do
    if block.type == name then list[#list + 1] = block end
  end
  return list
end

local function bodies(doc)
  local again, list = assert(lathe.parse(doc:encode())), {}
  assert.is_true(again:check())
  for _, object in ipairs(of_type(again, "bhkNPCollisionObject")) do
    local blob = lathe.bytes(object.data.system)
    assert.is_true(blob == object.data.system:serialize())
    local system = fo4.read(blob)
    assert.same({}, check.system(system))
    assert.equal(object, object.target.collision_object)
    list[object.target.name] = system.bodies[object.body_id + 1]
  end
  return list
end

local function width(body)
  local low, high = fo4.bounds(fo4.geometry(body.shape))
  return math.floor((high[1] - low[1]) * 1e4 + 0.5) / 1e4
end

describe("doc:set_collision replaces", function()
  it("nothing: the blocks come, and the flags that tell the game", function()
    local doc = bare()
    local before, report = doc:encode(), assert(doc:set_collision("Lid", BOX))
    assert.equal(3, report.changed)
    local object = of_type(doc, "bhkNPCollisionObject")[1]
    assert.equal("Lid", object.target.name)
    assert.equal(0x80, object:totable().flags)
    assert.equal(0, object.body_id)
    assert.equal(1.0001, width(bodies(doc).Lid))
    local flags = of_type(doc, "BSXFlags")[1]
    assert.equal("BSX", flags.name)
    assert.equal(flags, doc.blocks[1].extra_data_list[1])
    assert.equal(0x82, flags:totable().value)
    doc:undo()
    assert.is_true(before == doc:encode())
    doc:redo()
    assert(doc:set_collision("Root", { kind = "box", size = 35, mass = 2 }))
    assert.equal(1, #of_type(doc, "BSXFlags"))
    assert.equal(2, #of_type(doc, "bhkPhysicsSystem"))
    local other = bare()
    assert(other:set_collision("Root", { kind = "box", size = 35, mass = 2 }))
    assert.equal(0xC2, of_type(other, "BSXFlags")[1]:totable().value)
  end)

  it("sets the flag in flags that are there", function()
    local doc = bare()
    assert(doc:set_collision("Lid", BOX))
    of_type(doc, "BSXFlags")[1].value = 0x41
    assert(doc:set_collision("Lid", BOX))
    assert.equal(0x43, of_type(doc, "BSXFlags")[1]:totable().value)
  end)

  it("a body of its own in place: no block comes, goes or moves", function()
    local doc = open(sample.nif({ { name = "Root", body = 0 } }, sample.system { { shape = cube(2) } }))
    assert(doc:set_collision(nil, BOX))
    local n, before = #doc.blocks, doc:encode()
    assert.equal(1, assert(doc:set_collision(nil, { kind = "box", size = 140 })).changed)
    assert.equal(n, #doc.blocks)
    assert.equal(2.0003, width(bodies(doc).Root))
    doc:undo()
    assert.is_true(before == doc:encode())
  end)

  it("one of several bodies: the others keep theirs, by new numbers", function()
    local function of_three()
      return open(sample.nif({ { name = "A", body = 0 }, { name = "B", body = 1 }, { name = "C", body = 2 } },
        sample.system({ { shape = cube(1), material = 0 }, { shape = cube(2), kind = "dynamic", mass = 5, material = 1 },
          { shape = cube(3), kind = "dynamic", mass = 7, material = 2 } },
          { materials = { { friction = 0.25 }, { friction = 0.5 }, { friction = 0.75 } } })))
    end
    local names, wide, friction = { "A", "B", "C" }, { A = 2, B = 4, C = 6 }, { A = 0.25, B = 0.5, C = 0.75 }
    for _, gone in ipairs(names) do
      local doc = of_three()
      local before = doc:encode()
      assert(doc:set_collision(gone, BOX))
      local now = bodies(doc)
      assert.equal(1.0001, width(now[gone]))
      for _, name in ipairs(names) do
        if name ~= gone then
          assert.equal(wide[name], width(now[name]), name)
          assert.equal(friction[name], now[name].material.dynamic_friction)
          assert.equal(name ~= "A", now[name].motion ~= nil)
        end
      end
      if gone ~= "C" then assert.is_true(math.abs(now.C.motion.inverse_mass - 1 / 7) < 1e-6) end
      -- What only the body had went along.
      local shared = fo4.read(lathe.bytes(of_type(doc, "bhkPhysicsSystem")[1].system))
      assert.equal(2, #shared.bodies)
      assert.equal(2, #shared.materials)
      assert.equal(2, #shared.referenced)
      assert.equal(2, #shared.shapes)
      assert.equal(gone == "A" and 2 or 1, #shared.motions)
      doc:undo()
      assert.is_true(before == doc:encode())
    end
    local doc = of_three()
    for _, name in ipairs(names) do assert(doc:set_collision(name, BOX)) end
    bodies(doc)
    assert.equal(3, #of_type(doc, "bhkPhysicsSystem"))
    assert.equal(3, #of_type(doc, "bhkNPCollisionObject"))
  end)

  it("a body that another node has, too: that one keeps it", function()
    local doc = open(sample.nif({ { name = "A", body = 0 }, { name = "B", body = 0 } },
      sample.system { { shape = cube(1) } }))
    assert(doc:set_collision("B", BOX))
    local now = bodies(doc)
    assert.equal(2, width(now.A))
    assert.equal(1.0001, width(now.B))
  end)

  it("a collision object that another node has, too: that one keeps it", function()
    for _, more in ipairs { false, { shape = cube(3) } } do
      local doc = open(sample.nif({ { name = "A", body = 0 }, { name = "B" } }, sample.system { { shape = cube(1) },
        more or nil }))
      doc.blocks[2].collision_object = doc.blocks[3]
      assert(doc:set_collision("B", BOX))
      local now = bodies(doc)
      assert.equal(2, width(now.A))
      assert.equal(1.0001, width(now.B))
    end
  end)

  it("a body that is none of its system's", function()
    local doc = open(sample.nif({ { name = "A", body = 0 }, { name = "B", body = 1 } },
      sample.system { { shape = cube(1) }, { shape = cube(2) } }))
    doc.blocks[3].body_id = 7
    assert(doc:set_collision("A", BOX))
    assert.equal(1.0001, width(bodies(doc).A))
    assert.equal(4, width(bodies(doc).B))
  end)

  it("a body whose shape the list names once for several", function()
    local box = cube(1)
    local blob = assert(lathe.parse((sample.system { { shape = box }, { shape = box }, { shape = cube(2) } })))
    blob.root.referenced_objects:remove(1)
    assert.equal(2, #blob.root.referenced_objects)
    local function of_shared()
      return open(sample.nif({ { name = "A", body = 0 }, { name = "B", body = 1 }, { name = "C", body = 2 } },
        blob:serialize()))
    end
    local doc = of_shared()
    assert(doc:set_collision("B", BOX))
    assert.equal(2, #of_type(doc, "bhkPhysicsSystem")[1].system.root.referenced_objects)
    bodies(doc)
    assert(doc:set_collision("A", BOX))
    assert.equal(1, #of_type(doc, "bhkPhysicsSystem")[1].system.root.referenced_objects)
    doc = of_shared()
    local of = of_type(doc, "bhkPhysicsSystem")[1].system.root
    doc.bodies[1].shape = doc.bodies[3].shape
    assert.equal(3, #of.referenced_objects)
    doc.bodies[2].shape = doc.bodies[3].shape
    assert.equal(3, #of.referenced_objects)
    for _, shape in ipairs(of.referenced_objects) do assert.equal(doc.bodies[3].shape, shape) end
  end)

  it("a body beside numbers that name none", function()
    local blob = assert(lathe.parse((sample.system { { shape = cube(1) }, { shape = cube(2) }, { shape = cube(3) } })))
    blob:edit(function()
      blob.root.constraint_cinfos:insert(1)
      blob.root.constraint_cinfos[1].body_a = 2
      blob.root.constraint_cinfos[1].body_b = 0x7FFFFFFF
      blob.root.body_cinfos[3].material_id = 0xFFFF
      blob.root.body_cinfos[2].material_id = 1
      blob.root.materials:insert(2)
    end)
    local doc = open(sample.nif({ { name = "A", body = 0 }, { name = "B", body = 1 }, { name = "C", body = 2 } },
      blob:serialize()))
    assert(doc:set_collision("B", BOX))
    local root = of_type(doc, "bhkPhysicsSystem")[1].system.root
    assert.equal(1, root.constraint_cinfos[1].body_a)
    assert.equal(0x7FFFFFFF, root.constraint_cinfos[1].body_b)
    assert.equal(0xFFFF, root.body_cinfos[2].material_id)
    assert.equal(1, #root.materials)
  end)

  it("a body, and not what others have of it", function()
    local doc = open(sample.nif({ { name = "A", body = 0 }, { name = "B", body = 1 } },
      sample.system { { shape = cube(1), material = 0 }, { shape = cube(2), material = 0 } }))
    local system = of_type(doc, "bhkPhysicsSystem")[1].system.objects[1]
    system.body_cinfos[1].shape = system.body_cinfos[2].shape  -- both have the second one's shape
    system.referenced_objects[1] = system.body_cinfos[2].shape
    assert(doc:set_collision("A", BOX))
    assert.equal(4, width(bodies(doc).B))
    assert.equal(1, #fo4.read(lathe.bytes(of_type(doc, "bhkPhysicsSystem")[1].system)).referenced)
  end)

  it("a chain of Skyrim's blocks, but what others lead to", function()
    local function skyrim()
      local doc = bare()
      local blocks = doc.blocks
      blocks:append { type = "bhkBoxShape" }                   -- 3
      blocks:append { type = "bhkConvexTransformShape", shape = blocks[3] }
      blocks:append { type = "bhkRigidBody", shape = blocks[4] }
      blocks:append { type = "bhkCollisionObject", target = blocks[2], body = blocks[5] }
      doc.blocks[2].collision_object = blocks[6]
      return doc
    end
    local doc = skyrim()
    local before = doc:encode()
    assert(doc:set_collision("Lid", BOX))
    local types = {}
    for i, block in ipairs(doc.blocks) do types[i] = block.type end
    assert.same({ "NiNode", "NiNode", "bhkPhysicsSystem", "bhkNPCollisionObject", "BSXFlags" }, types)
    assert.equal(1.0001, width(bodies(doc).Lid))
    doc:undo()
    assert.is_true(before == doc:encode())
    doc = skyrim()
    doc.blocks:append { type = "bhkConvexTransformShape", shape = doc.blocks[3] }
    assert(doc:set_collision("Lid", BOX))
    assert.equal(1, #of_type(doc, "bhkBoxShape"))              -- another shape has it
    assert.equal(1, #of_type(doc, "bhkConvexTransformShape"))
    assert.equal(0, #of_type(doc, "bhkRigidBody"))
    assert.equal(of_type(doc, "bhkBoxShape")[1], of_type(doc, "bhkConvexTransformShape")[1].shape)
  end)
end)

describe("doc:set_collision refuses", function()
  -- By a message, without a trace in the document.
  local function refused(message, node, options, doc)
    doc = doc or bare()
    local before = doc:encode()
    local ok, result, err = pcall(doc.set_collision, doc, node, options)
    if ok then assert.is_nil(result) end
    local text = tostring(ok and err or result)
    assert.is_truthy(text:find(message, 1, true), text)
    assert.is_true(before == doc:encode())
    assert.is_false(doc.modified)
  end

  it("other games", function()
    refused("collision is made for Fallout 4 (bs_version 130); this is Skyrim SE, bs_version 100", nil, BOX, bare "sse")
    refused("this is Skyrim, bs_version 83", nil, BOX, bare "le")
    refused("this is Fallout 76, bs_version 155", nil, BOX, bare "fo76")
    refused("this is Starfield, bs_version 172", nil, BOX, bare "starfield")
  end)

  it("what is no node", function()
    local doc = bare("fo4", { { type = "NiStringExtraData" } })
    refused("NiStringExtraData is no node, and only nodes have collision here", doc.blocks[3], BOX, doc)
    refused("no node is called 'Nobody'", "Nobody", BOX)
    refused("that is no node", 9, BOX)
    refused("that is no node", 0, BOX)
    refused("a node of this document, its number or its name expected", true, BOX)
    refused("a node of this document, its number or its name expected", bare().blocks[1], BOX)
  end)

  it("options that make no sense", function()
    refused("'kind' of set_collision is one of hull, mesh, box, sphere, capsule, compound", nil, { kind = "cone" })
    refused("set_collision needs 'kind'", nil, { size = 1 })
    refused("did you mean 'friction'", nil, { kind = "box", size = 1, fricton = 1 })
    refused("set_collision needs 'mesh' or the 'size' of a box", nil, { kind = "box" })
    refused("set_collision needs 'mesh' or the 'radius' of a sphere", nil, { kind = "sphere" })
    refused("set_collision needs 'mesh', or 'a', 'b' and 'radius' of a capsule", nil, { kind = "capsule" })
    refused("set_collision needs 'a' and 'b'", nil, { kind = "capsule", radius = 3 })
    refused("set_collision needs 'mesh'", nil, { kind = "hull" })
    refused("set_collision needs 'mesh' with triangles", nil, { kind = "mesh" })
    refused("set_collision needs 'mesh' with triangles", nil, { kind = "mesh", mesh = { 0, 0, 0, 1, 0, 0, 0, 1, 0 } })
    refused("'mesh' of set_collision: a list of meshes or parts expected", nil, { kind = "compound" })
    refused("a compound of 0 parts", nil, { kind = "compound", mesh = lathe.buffer("f32", 0, 3, {}) })
    refused("'mesh' and 'size' of set_collision: one of them, not both", nil,
      { kind = "box", size = 2, mesh = { 0, 0, 0, 1, 1, 1 } })
    refused("a number that is not negative", nil, { kind = "sphere", radius = -1 })
    refused("a list of three finite numbers", nil, { kind = "box", size = { 1, 2 } })
    refused("a list of three finite numbers", nil, { kind = "box", size = 1, center = { 0, 0 / 0, 0 } })
    refused("an integer from 4 to 252", nil, { kind = "hull", mesh = { 1, 2, 3 }, max_vertices = 3 })
    refused("'mass' and 'density' of set_collision: one of them", nil, { kind = "box", size = 1, mass = 1, density = 1 })
    refused("'mass' of set_collision: only what is dynamic has a mass", nil,
      { kind = "box", size = 1, mass = 1, motion = "static" })
    refused("'mass' of set_collision: a number greater than 0 expected", nil, { kind = "box", size = 1, mass = 0 })
    refused("'density' of set_collision: a number greater than 0 expected", nil, { kind = "box", size = 1, density = -1 })
    refused("a dynamic body cannot have it", nil, { kind = "box", size = 1, mass = 1e-45 })
    refused("a name or a number of 32 bits expected", nil, { kind = "box", size = 1, material = -1 })
    refused("a layer's name or a number from 0 to 127", nil, { kind = "box", size = 1, layer = "nowhere" })
    refused("no layer is called 'weapn'; did you mean 'weapon'?", nil, { kind = "box", size = 1, layer = "weapn" })
    refused("a layer's name or a number from 0 to 127", nil, { kind = "box", size = 1, layer = ("weapon"):rep(20) })
    refused("-1 is not in 0 .. 255", nil, { kind = "box", size = 1, friction = -1 })
    refused("a mesh has no mass, so it cannot be dynamic", nil, { kind = "mesh", motion = "dynamic",
      mesh = { positions = { 0, 0, 0, 9, 0, 0, 0, 9, 0 }, indices = { 0, 1, 2 } } })
    refused("parts are only turned and moved", nil, { kind = "compound", mesh = { { kind = "box", size = 1,
      transform = { 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1 } } } })
    refused("'kind' of a part of a compound is one of", nil, { kind = "compound", mesh = { { kind = "compound" } } })
    refused("mesh[2]", nil, { kind = "compound", mesh = { { kind = "box", size = 1 }, { kind = "box" } } })
  end)

  it("meshes that are none", function()
    local triangle = { positions = { 0, 0, 0, 9, 0, 0, 0, 9, 0 }, indices = { 0, 1, 2 } }
    local function with(key, value)
      local copy = { positions = triangle.positions, indices = triangle.indices }
      copy[key] = value
      return copy
    end
    refused("a mesh, a shape, a list of meshes or of positions expected", nil, { kind = "hull", mesh = 7 })
    refused("a mesh needs positions, as doc:meshes gives them", nil, { kind = "hull", mesh = {} })
    refused("a mesh without vertices", nil, { kind = "hull", mesh = { positions = lathe.buffer("f32", 0, 3, {}) } })
    refused("three numbers each expected", nil, { kind = "hull", mesh = { 1, 2, 3, 4 } })
    refused("position 2 of a mesh: three finite numbers", nil, { kind = "hull", mesh = { 1, 2, 3, 4, 0 / 0, 6 } })
    refused("position 1 of a mesh: three finite numbers", nil, { kind = "hull", mesh = { { 1, 2, "x" } } })
    refused("position 1 of a mesh: a place that is not as far away", nil, { kind = "box", mesh = { 1e300, 2, 3 } })
    refused("triangle 1 of a mesh: numbers of positions, from 0", nil,
      { kind = "mesh", mesh = with("indices", { 0, 1, 3 }) })
    refused("triangle 1 of a mesh: numbers of positions, from 0", nil,
      { kind = "mesh", mesh = with("indices", { 0, 1, 1.5 }) })
    refused("transform of a mesh: 16 finite numbers", nil, { kind = "mesh", mesh = with("transform", { 1 }) })
    refused("triangle 1 of a mesh: a number among its materials", nil, { kind = "mesh",
      mesh = { positions = triangle.positions, indices = triangle.indices, materials = { "wood" },
        triangle_materials = { -1 } } })
    refused("mesh 1 of a list: a mesh expected", nil, { kind = "hull", mesh = { { triangle } } })
    local doc = bare()
    refused("NiNode has no triangles of its own", nil, { kind = "hull", mesh = doc.blocks[2] }, doc)
  end)

  it("degenerate ones", function()
    local flat = { 0, 0, 0, 9, 0, 0, 9, 9, 0, 0, 9, 0, 3, 4, 0 }
    refused("plane", nil, { kind = "hull", mesh = flat })
    refused("a hull needs 4 points, not 1", nil, { kind = "hull", mesh = { 1, 2, 3 } })
    refused("a box of 0.128587 by 0.128587 by 0 m has no volume", nil, { kind = "box", mesh = flat })
    refused("a radius of 0", nil, { kind = "sphere", mesh = { 1, 2, 3 } })
    refused("a radius of 0", nil, { kind = "capsule", mesh = { 0, 0, 0, 9, 0, 0 } })
    refused("no triangle has an area that is left", nil,
      { kind = "mesh", mesh = { positions = { 0, 0, 0, 9, 0, 0, 18, 0, 0 }, indices = { 0, 1, 2 } } })
  end)

  it("to take a body out of what holds it", function()
    local path = require("helper").corpus("nif-fo4-collision/skeleton.nif")
    if not path then return pending("NOT TESTED: no corpus; set LATHE_CORPUS to its folder") end
    local doc = assert(lathe.open(path))
    local object = of_type(doc, "bhkNPCollisionObject")[1]
    refused("a body of a ragdoll, which the others and its skeleton count on", object.target, BOX, doc)
  end)
end)
