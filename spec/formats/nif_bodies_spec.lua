-- What collides in NIFs of Fallout 4: bodies of the packfiles in blocks, with the nodes that they belong to.

local glb = require "glb"
local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"
local matrix = require "lathe.export.matrix"
local place = require "lathe.cli.verbs.place"
local sample_nif = require "sample_nif"

local FOLDER = "nif-fo4-collision"

local function each_nif(test)
  local folder = helper.need_corpus(FOLDER, pending)
  for _, name in ipairs(helper.list(folder, "%.nif$")) do
    local figures = assert(json.decode(helper.read(("%s/expected/%s.json"):format(folder, name))))
    local doc <close> = assert(lathe.open(folder .. "/" .. name, { history = 8 }))
    test(doc, figures, name)
  end
end

local function open(name)
  return assert(lathe.open(("%s/%s.nif"):format(helper.need_corpus(FOLDER, pending), name), { history = 8 }))
end

local function collision(doc)
  local list = {}
  for mesh in doc:meshes { what = "collision" } do list[#list + 1] = mesh end
  return list
end

--- Bounds of meshes in the document's space.
local function bounds(list, word)
  local low, high = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
  for _, mesh in ipairs(list) do
    for i = 1, mesh.positions.rows do
      local p = { matrix.point(mesh[word], mesh.positions:row(i)) }
      for k = 1, 3 do low[k], high[k] = math.min(low[k], p[k]), math.max(high[k], p[k]) end
    end
  end
  return low, high
end

--- Numbers of the blocks that have packfiles, in file order.
local function systems_of(figures)
  local list = {}
  for block in pairs(figures.systems) do list[#list + 1] = tonumber(block) end
  table.sort(list)
  return list
end

describe("bodies of NIFs of the corpus #corpus", function()
  it("are those of their systems, and belong to nodes", function()
    local total = 0
    each_nif(function(doc, figures, name)
      local first = {}
      for _, block in ipairs(systems_of(figures)) do
        first[block] = total and (first.n or 0)
        first.n = (first.n or 0) + #figures.systems[tostring(block)].bodies
      end
      assert.equal(first.n, #doc.bodies, name)
      total = total + first.n
      for _, tie in ipairs(figures.collisionObjects) do
        local body, node = doc.bodies[first[tie.system] + tie.bodyID + 1], doc.blocks[tie.target + 1]
        assert.equal(node, body.node, name)
        assert.equal(node.name, body.name, name)
        assert.equal(("blocks[%d].system.objects[1].body_cinfos[%d].body"):format(tie.system + 1, tie.bodyID + 1),
          lathe.path(body))
      end
    end)
    assert.equal(130, total)
  end)

  it("have meshes under their names, where their nodes are", function()
    each_nif(function(doc, figures, name)
      local seen = {}
      for _, mesh in ipairs(collision(doc)) do
        local body = doc.bodies[mesh.body]
        seen[mesh.body] = true
        assert.equal(body.name, mesh.name, name)
        assert.equal(16, #mesh.node_transform, name)
        for k = 1, 3 do
          assert.is_near(body.position[k] * 69.99125, mesh.transform[12 + k], 1e-3, name)
        end
      end
      assert.equal(#doc.bodies, #seen, name)
      assert.equal(#figures.collisionObjects, #seen, name)
    end)
  end)

  it("lie where what is drawn does, by their nodes and not by their placement", function()
    for _, name in ipairs { "DiamondBulkhead01", "Vault_Shelf_02" } do
      local doc <close> = open(name)
      local drawn = {}
      for mesh in doc:meshes() do drawn[#drawn + 1] = mesh end
      local low, high = bounds(drawn, "transform")
      local list = collision(doc)
      local at, to = bounds(list, "node_transform")
      for k = 1, 3 do
        assert.is_near(low[k], at[k], 0.5)
        assert.is_near(high[k], to[k], 0.5)
      end
      local elsewhere = bounds(list, "transform")
      assert.is_true(math.abs(elsewhere[3] - low[3]) > 50)
    end
  end)

  it("are changed where they are", function()
    local doc <close> = open("AlarmClock")
    local before = doc:encode()
    local body = doc.bodies[1]
    body.friction, body.mass, body.material = 0.25, 3, "wood"
    local again <close> = assert(lathe.parse(doc:encode()))
    assert.equal(#before, #doc:encode())
    assert.same({ 0.25, 3.0, "wood", "AlarmClock" }, { again.bodies[1].friction, again.bodies[1].mass,
      again.bodies[1].material, again.bodies[1].name })
    for _ = 1, 3 do assert.is_true(doc:undo()) end
    assert.equal(before, doc:encode())
    assert.equal("plastic", body.material)
  end)

  it("give their names to their nodes", function()
    local doc <close> = open("AlarmClock")
    local before = doc:encode()
    doc.bodies[1].name = "Egg Timer"
    assert.same({ "Egg Timer", "Egg Timer" }, { doc.bodies[1].name, doc.bodies[1].node.name })
    assert(doc.bodies[1]:set { name = "Clock", friction = 0.25 })
    assert.equal("Clock", doc.blocks[1].name)
    local ok, err = pcall(function() doc.bodies[1].name = {} end)
    assert.is_false(ok)
    assert.matches("name", tostring(err), 1, true)
    assert.is_true(doc:undo() and doc:undo())
    assert.equal(before, doc:encode())
  end)

  it("tell the game where one becomes dynamic", function()
    local doc <close> = open("TerminalOn")
    local flags
    for _, block in ipairs(doc.blocks) do flags = block.type == "BSXFlags" and block or flags end
    local before, body = doc:encode(), doc.bodies[2]
    assert.same({ "keyframed", 0x20B }, { body.motion, flags.value })
    assert(body:set { motion = "dynamic", mass = 30 })
    assert.same({ "dynamic", 30.0, 0x24B }, { body.motion, body.mass, flags.value })
    local again <close> = assert(lathe.parse(doc:encode()))
    assert.same({ "static", "dynamic", 30.0 }, { again.bodies[1].motion, again.bodies[2].motion, again.bodies[2].mass })
    assert.is_true(doc:undo())
    assert.equal(before, doc:encode())
    body.motion = "static"
    assert.equal(0x20B, flags.value)
  end)

  it("are shown and set by paths that begin with them", function()
    local file = helper.tmpdir() .. "/robot.nif"
    local doc <close> = open("TorsoRoboBrain")
    assert.is_true(doc:save(file) ~= nil)
    local said = helper.lathe(("dump %s 'bodies[1].shape'"):format(file))
    assert.equal(0, said.code)
    assert.matches("convex_radius", said.out, 1, true)
    assert.matches("node +%-> blocks%[%d+%]\n", helper.lathe(("get %s 'bodies[1]'"):format(file)).out)
    assert.equal(0, helper.lathe(("set %s 'bodies[1].shape=bodies[2].shape' -i --no-backup"):format(file)).code)
    local again <close> = assert(lathe.open(file))
    assert.equal(again.bodies[2].shape, again.bodies[1].shape)
    assert.matches("there are 3 bodies, numbered from 1", helper.lathe(("dump %s 'bodies[9]'"):format(file)).err, 1, true)
  end)

  it("are listed, and told of as JSON", function()
    local file = helper.tmpdir() .. "/clock.nif"
    local doc <close> = open("AlarmClock")
    assert(doc:save(file))
    local function get(path) return helper.lathe(("get %s %s"):format(file, path)) end
    assert.equal('bodies[1]  hk_body blocks[4].system.objects[1].body_cinfos[1].body: name="AlarmClock" '
      .. 'motion="dynamic" ...\n', get "bodies".out)
    local one = get("'bodies[1]' --json").out
    assert.matches('"path":"bodies[1]","value":{"name":"AlarmClock","motion":"dynamic","position":{"x":0,"y":-0.0400898308,',
      one, 1, true)
    assert.matches('"mass":1.00000024,', one, 1, true)
    assert.matches('"shape":"blocks[4].system.objects[2]"', one, 1, true)
    assert.matches('"path":"bodies","value":[{"name":"AlarmClock",', get "bodies --json".out, 1, true)
    for path, says in pairs {
      ["bodies.mass"] = "bodies.mass: which of the bodies? bodies[1] is the first",
      ["'bodies[\"AlarmClock\"].mass'"] = 'bodies["AlarmClock"].mass: which of the bodies? bodies[1] is the first',
      ["'bodies[2].mass'"] = "bodies[2].mass: there is only bodies[1]",
    } do
      local said = get(path)
      assert.equal(1, said.code)
      assert.matches(says, said.err, 1, true)
    end
    assert.matches(": bodies[1].motion is one of static, keyframed, dynamic\n",
      helper.lathe(("set %s 'bodies[1].motion=fixed' -n"):format(file)).err, 1, true)
    assert.matches("which of the bodies?", helper.lathe(("set %s bodies.mass=2 -n"):format(file)).err, 1, true)
    assert.matches("^%d+ bod[yi].*\n  %[1%]  ", helper.lathe(("dump %s bodies"):format(file)).out)
  end)

  it("take a material by the number that is shown of it", function()
    local file = helper.tmpdir() .. "/clock.nif"
    local doc <close> = open("AlarmClock")
    assert(doc:save(file))
    for _, number in ipairs { "4239621792", "0xFCB37EA0", "7" } do
      local set = helper.lathe(("set %s 'bodies[1].material=%s' -i --no-backup"):format(file, number))
      assert.equal(0, set.code)
      assert.equal(("%d\n"):format(number), helper.lathe(("get %s 'bodies[1].material'"):format(file)).out)
    end
  end)

  it("are told of with as many digits as they have", function()
    local doc <close> = open("AlarmClock")
    assert.equal("hk_body_orientation blocks[4].system.objects[1].body_cinfos[1].body.orientation: x=0 y=0 z=0 w=0.99999994",
      tostring(doc.bodies[1].orientation))
    doc.bodies[1].position.x = 0.1
    assert.matches("x=0.100000001 y=-0.0400898308 z=0.0926123112", tostring(doc.bodies[1].position), 1, true)
  end)

  it("are found by paths of the shell", function()
    local doc <close> = open("skeleton")
    assert.equal(19, #doc.bodies)
    assert.equal(lathe.path(doc.bodies[19]) .. ".friction", place.of(doc, "bodies[19].friction"))
    local path, why = place.of(doc, "bodies[20].friction")
    assert.is_nil(path)
    assert.equal("bodies[20].friction: there are 19 bodies, numbered from 1", why)
    assert.equal("name", place.of(doc, "name"))
  end)

  it("follow edits of the scene", function()
    local doc <close> = open("AlarmClock")
    local body, node = doc.bodies[1], doc.bodies[1].node
    node.translation = { 1, 2, 3 }
    local mesh = collision(doc)[1]
    assert.same({ 1, 2, 3 }, { mesh.node_transform[13], mesh.node_transform[14], mesh.node_transform[15] })
    for _, block in ipairs(doc.blocks) do
      if block.type == "bhkNPCollisionObject" then block.target = false end
    end
    assert.is_nil(body.node)
    assert.is_nil(body.name)
    assert.is_nil(collision(doc)[1].node_transform)
    assert.is_nil(collision(doc)[1].name)
  end)

  it("are exported as .obj and .glb, a group or primitive a material", function()
    local doc <close> = open("VltGearDoor01")
    local folder = helper.tmpdir()
    local said = assert(lathe.export(doc, folder .. "/door.glb", { what = "collision", scale = "metres" }))
    local drawn, triangles, materials = glb.parse(helper.read(folder .. "/door.glb")):drawn(), 0, {}
    for _, one in ipairs(drawn) do
      triangles = triangles + #one.indices // 3
      materials[one.material.name] = true
    end
    assert.equal(27, said.meshes)
    assert.equal(said.triangles, triangles)
    assert.same({ metalheavy = true, metalhollow = true, metalsolid = true, nullmaterial = true }, materials)
    said = assert(lathe.export(doc, folder .. "/door.obj", { what = "collision" }))
    local text, faces = helper.read(folder .. "/door.obj"), 0
    for _ in text:gmatch "\nf " do faces = faces + 1 end
    assert.equal(said.triangles, faces)
    for name in pairs(materials) do assert.truthy(text:find("\nusemtl " .. name .. "\n", 1, true)) end
    glb.validate { folder .. "/door.glb" }
  end)
end)

describe("a NIF without packfiles", function()
  it("has no bodies", function()
    for _, game in ipairs { "sse", "fo4" } do
      local doc <close> = assert(lathe.parse((sample_nif.build { game = game, blocks = { { type = "NiNode" } } })))
      assert.equal(0, #doc.bodies)
      assert.same({}, collision(doc))
    end
  end)

  it("or with one that does not open has none, either", function()
    local doc <close> = assert(lathe.parse((sample_nif.build { game = "fo4", blocks = {
      { type = "NiNode" }, { type = "bhkPhysicsSystem", bytes = ("<s4"):pack("no packfile") },
    } })))
    assert.equal(0, #doc.bodies)
    assert.same({}, collision(doc))
  end)
end)
