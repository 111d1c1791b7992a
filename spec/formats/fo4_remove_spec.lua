-- doc:remove_collision, and bodies that doc:set_collision adds to a system that others use.

local fo4 = require "fo4_collision"
local hknp = require "sample_hknp"
local lathe = require "lathe"
local nif = require "sample_nif"
local sample = require "sample_collision"
local summary = require "collision_summary"

local BOX = { kind = "box", size = 70 }

local function cube(half) return hknp.box { half = { half, half, half } } end

local function open(bytes) return assert(lathe.parse(bytes, { history = 40 })) end

local function of_type(doc, name)
  local list = {}
  for _, block in ipairs(doc.blocks) do
    if block.type == name then list[#list + 1] = block end
  end
  return list
end

local function system_of(doc) return of_type(doc, "bhkPhysicsSystem")[1] end

-- Four nodes that share a system, with all kinds of motion and shape; D has no collision.
local function of_four(more)
  local blob = sample.system({
    { shape = cube(1), material = 0 },
    { shape = hknp.capsule { a = { 0, 0, 1 }, b = { 0, 0, 0.25 }, radius = 0.2 }, kind = "keyframed", material = 1 },
    { shape = sample.two_sections(), material = 2 },
  }, { materials = { { friction = 0.25 }, { friction = 0.5 }, { friction = 0.75 } } })
  local doc = open(sample.nif({ { name = "A", body = 0 }, { name = "B", body = 1 }, { name = "C", body = 2 },
    { name = "D" } }, blob, more))
  -- The builder above shares motion properties in another way than the games' tools: one set for all.
  local root = system_of(doc).system.root
  root.motion_properties:remove(1)
  return open(doc:encode())
end

local function texts(doc, but)
  local list = {}
  for _, one in ipairs(summary.of(doc)) do
    if one.node ~= but then list[#list + 1] = one.text end
  end
  return list
end

local function good(doc) assert.same({}, summary.faults(doc)) end

-- Fails with this message, without a trace in the document.
local function refused(message, doc, call, ...)
  local before, modified = doc:encode(), doc.modified
  local ok, result, err = pcall(doc[call], doc, ...)
  if ok then assert.is_nil(result) end
  local text = tostring(ok and err or result)
  assert.is_truthy(text:find(message, 1, true), text)
  assert.is_true(before == doc:encode())
  assert.equal(modified, doc.modified)
end

local function removal_refused(message, doc, ...) refused(message, doc, "remove_collision", ...) end

describe("doc:remove_collision", function()
  it("removes the only body of a system, with its blocks and flags", function()
    local doc = open(nif.build { game = "fo4", blocks = { { type = "NiNode", name = "Root", children = { 1 } },
      { type = "NiNode", name = "Lid" } } })
    local first = doc:encode()
    for _, flags in ipairs { { { "havok" } }, { { "havok", "dynamic" }, 2 } } do
      assert(doc:set_collision("Lid", { kind = "box", size = 70, mass = flags[2] }))
      local before = doc:encode()
      local report = assert(doc:remove_collision("Lid"))
      assert.same({ 3, flags[1] }, { report.changed, report.flags })
      assert.is_nil(report.constraints)
      assert.is_false(doc.blocks[2].collision_object)
      local types = {}
      for i, block in ipairs(doc.blocks) do types[i] = block.type end
      assert.same({ "NiNode", "NiNode", "BSXFlags" }, types)
      assert.equal(0x80, of_type(doc, "BSXFlags")[1]:totable().value)
      good(doc)
      doc:undo()
      assert.is_true(before == doc:encode())
      doc:undo()
      assert.is_true(first == doc:encode())
    end
  end)

  it("removes one of several: the others stay as they are, under new numbers", function()
    for number, gone in ipairs { "A", "B", "C" } do
      local ways = {
        function() return gone end,
        function() return number end,
        function(doc) return doc.blocks[number] end,
        function(doc) return doc.bodies[number] end,
        function(doc) return system_of(doc).system.root.body_cinfos[number] end,
      }
      for i, way in ipairs(ways) do
        local doc = of_four()
        local before, rest = doc:encode(), texts(doc, gone)
        local stays = doc.bodies[number % 3 + 1]
        local name = stays.name
        local report = assert(doc:remove_collision(way(doc)))
        assert.equal(2, report.changed, i)
        assert.is_nil(report.flags)
        assert.same(rest, texts(doc))
        assert.equal(name, stays.name) -- views of the others still lead to them
        assert.is_false(doc:block(gone).collision_object)
        local system = fo4.read(lathe.bytes(system_of(doc).system))
        assert.same({ 2, 2, gone == "B" and 0 or 1, 2, 2 }, { #system.bodies, #system.materials, #system.motions,
          #system.referenced, #system.shapes })
        good(doc)
        local after = doc:encode()
        doc:undo()
        assert.is_true(before == doc:encode())
        doc:redo()
        assert.is_true(after == doc:encode())
      end
    end
  end)

  it("removes all, one after the other and in one edit", function()
    local doc = of_four()
    local before, number = doc:encode(), #doc.blocks
    for i, name in ipairs { "B", "C", "A" } do
      assert(doc:remove_collision(name))
      assert.equal(3 - i, #doc.bodies)
      good(doc)
    end
    assert.equal(number - 4, #doc.blocks)
    local after = doc:encode()
    while doc:undo() do end
    assert.is_true(before == doc:encode())
    doc:edit(function()
      while #doc.bodies > 0 do assert(doc:remove_collision(doc.bodies[#doc.bodies])) end
    end)
    assert.is_true(after == doc:encode())
  end)

  it("leaves what others have of it", function()
    local box = cube(1)
    local function of_shared()
      return open(sample.nif({ { name = "A", body = 0 }, { name = "B", body = 1 }, { name = "C", body = 1 } },
        sample.system { { shape = box }, { shape = box } }))
    end
    local doc = of_shared() -- two bodies have one shape and one material
    assert(doc:remove_collision "A")
    local system = fo4.read(lathe.bytes(system_of(doc).system))
    assert.same({ 1, 1, 1, 1 }, { #system.bodies, #system.materials, #system.referenced, #system.shapes })
    assert.same({ 0, 0 }, { doc:block("B").collision_object.body_id, doc:block("C").collision_object.body_id })
    doc = of_shared() -- two nodes have one body
    local report = assert(doc:remove_collision "B")
    assert.equal(1, report.changed)
    assert.same({ 2, 1 }, { #doc.bodies, doc:block("C").collision_object.body_id })
    doc = of_shared()
    assert.equal(3, assert(doc:remove_collision(doc.bodies[2])).changed)
    assert.is_false(doc:block("B").collision_object)
    assert.is_false(doc:block("C").collision_object)
    assert.equal(1, #doc.bodies)
    good(doc)
  end)

  it("removes bodies that no node has", function()
    local doc = open(sample.nif({ { name = "A", body = 0 } }, sample.system { { shape = cube(1) }, { shape = cube(2) } }))
    assert(doc:remove_collision(doc.bodies[2]))
    assert.same({ 1, 0 }, { #doc.bodies, doc:block("A").collision_object.body_id })
    good(doc)
    doc:undo()
    assert(doc:remove_collision(doc.bodies[1])) -- no node is left that uses the system
    assert.equal(1, #doc.blocks)
    doc = open(sample.nif({ { name = "A" } }, sample.system { { shape = cube(1) }, { shape = cube(2) } }))
    assert(doc:remove_collision(doc.bodies[1]))
    assert.equal(1, #doc.bodies)
    assert(doc:remove_collision(doc.bodies[1]))
    assert.equal(1, #doc.blocks)
  end)

  it("hands a collision object over that another node has, too", function()
    local doc = open(sample.nif({ { name = "A", body = 0 }, { name = "B" } }, sample.system { { shape = cube(1) } }))
    doc.blocks[2].collision_object = doc.blocks[3]
    local before = doc:encode()
    assert.equal(1, assert(doc:remove_collision "A").changed)
    assert.is_false(doc.blocks[1].collision_object)
    assert.equal(doc.blocks[2], doc.blocks[2].collision_object.target)
    good(doc)
    assert(doc:remove_collision "B")
    assert.equal(2, #doc.blocks)
    doc:undo()
    doc:undo()
    assert.is_true(before == doc:encode())
    assert(doc:set_collision("A", BOX)) -- replaces it in the same way
    assert.equal(doc.blocks[2], doc.blocks[2].collision_object.target)
    assert.equal(doc.blocks[1], doc.blocks[1].collision_object.target)
    good(doc)
  end)

  it("clears the dynamic flag when the last body that moves is removed", function()
    local doc = open(nif.build { game = "fo4", blocks = { { type = "NiNode", name = "A", children = { 1, 2 } },
      { type = "NiNode", name = "B" }, { type = "NiNode", name = "C" } } })
    local function flags() return of_type(doc, "BSXFlags")[1]:totable().value end
    assert(doc:set_collision("A", { kind = "box", size = 9, mass = 2 }))
    assert(doc:set_collision("B", { kind = "box", size = 9, mass = 2, system = system_of(doc) }))
    assert(doc:set_collision("C", BOX))
    assert.equal(0xC2, flags())
    assert.is_nil(assert(doc:remove_collision "A").flags)
    assert.equal(0xC2, flags())
    assert.same({ "dynamic" }, assert(doc:remove_collision "B").flags)
    assert.equal(0x82, flags())
    assert.same({ "havok" }, assert(doc:remove_collision "C").flags)
    assert.equal(0x80, flags())
  end)

  it("is for systems that cannot be read, too, if they are removed as a whole", function()
    for _, users in ipairs { 1, 2 } do
      local nodes = { { name = "A", body = 0 }, { name = "B", body = users > 1 and 1 or nil } }
      local doc = open(sample.nif(nodes, "nothing that can be read"))
      if users == 1 then
        assert(doc:remove_collision "A")
        assert.equal(2, #doc.blocks)
      else
        removal_refused("it cannot be read, so its bodies stay", doc, "A")
      end
    end
  end)
end)

-- Hinges join B to A, and C to B.
local function of_joined()
  local doc = of_four()
  doc:edit(function()
    local system = system_of(doc).system
    for i, ends in ipairs { { 0, 1 }, { 2, 1 } } do
      local hinge = system.objects:append { type = "hkpLimitedHingeConstraintData" }
      system.root.constraint_cinfos:append { body_a = ends[1], body_b = ends[2] }
      system.root.constraint_cinfos[i].constraint_data = hinge
    end
  end)
  return doc
end

describe("constraints of a removed body", function()
  it("are refused, by a list", function()
    local doc = of_joined()
    local lists = { A = "[1]", B = "[1], [2]", C = "[2]" }
    for node, list in pairs(lists) do
      local ok, err = doc:remove_collision(node)
      assert.is_nil(ok)
      assert.is_truthy(tostring(err):find("blocks[8].system.objects[1].constraint_cinfos", 1, true))
      local message = "constraints hold the body that would go: %s: constraints = \"remove\" removes them, too"
      assert.equal(message:format(list), err.message:match("^[^(]*[^ (]"))
      refused("constraints hold the body that would go: " .. list, doc, "set_collision", node, BOX)
    end
    removal_refused("constraints hold the body that would go: [1]", doc, "A", { constraints = "refuse" })
    removal_refused("'constraints' of remove_collision is one of refuse, remove", doc, "A", { constraints = "drop" })
  end)

  it("are removed with it", function()
    local doc = of_joined()
    local before, objects = doc:encode(), #system_of(doc).system.objects
    local report = assert(doc:remove_collision("A", { constraints = "remove" }))
    assert.same({ 3, { "blocks[8].system.objects[1].constraint_cinfos[1]" } }, { report.changed, report.constraints })
    local root = system_of(doc).system.root
    assert.same({ 1, 1, 0 }, { #root.constraint_cinfos, root.constraint_cinfos[1].body_a,
      root.constraint_cinfos[1].body_b })
    assert.equal(objects - 4, #system_of(doc).system.objects) -- a hull, its two properties, the hinge
    good(doc)
    doc:undo()
    assert.is_true(before == doc:encode())
    assert.equal(4, assert(doc:remove_collision(doc.bodies[2], { constraints = "remove" })).changed)
    assert.equal(0, #system_of(doc).system.root.constraint_cinfos)
    good(doc)
    assert.is_nil(assert(doc:remove_collision("A", { constraints = "remove" })).constraints)
    good(doc)
  end)

  it("go with their whole system only if told", function()
    local doc = of_joined()
    assert(doc:remove_collision("A", { constraints = "remove" }))
    doc:block("B").collision_object = nil
    doc.blocks:remove(lathe.index(of_type(doc, "bhkNPCollisionObject")[1]) + 1)
    removal_refused("constraints hold the body that would go: [1]", doc, "C")
    assert.same({ "blocks[6].system.objects[1].constraint_cinfos[1]" },
      assert(doc:remove_collision("C", { constraints = "remove" })).constraints)
    assert.equal(4, #doc.blocks)
  end)

  it("must name bodies that exist", function()
    local doc = of_joined()
    local root = system_of(doc).system.root
    root.constraint_cinfos[1].body_b = 9
    removal_refused("constraint_cinfos[1].body_b", doc, "C", { constraints = "remove" })
    removal_refused("the system has no body 9: it has 3", doc, "C", { constraints = "remove" })
    doc:edit(function()
      root.constraint_cinfos[1].body_a, root.constraint_cinfos[1].body_b = 0x7FFFFFFF, 0x7FFFFFFF
    end)
    removal_refused("a constraint without bodies", doc, "C", { constraints = "remove" })
  end)
end)

describe("doc:remove_collision of Skyrim", function()
  -- Two bodies that a hinge of the first joins, and one that a chain joins to both.
  local function skyrim()
    local doc = open(nif.build { game = "sse", blocks = { { type = "NiNode", name = "A", children = { 1, 2 } },
      { type = "NiNode", name = "B" }, { type = "NiNode", name = "C" } } })
    doc:edit(function()
      local blocks = doc.blocks
      for i = 1, 3 do
        local shape = blocks:append { type = "bhkBoxShape" }
        local body = blocks:append { type = "bhkRigidBody", shape = shape }
        blocks[i].collision_object = blocks:append { type = "bhkCollisionObject", target = blocks[i], body = body }
      end
      local flags = blocks:append { type = "BSXFlags", name = "BSX", value = 0x86 }
      blocks[1].extra_data_list:append(flags)
    end)
    return doc
  end

  local function join(doc)
    doc:edit(function()
      local a, b, c = doc.blocks[5], doc.blocks[8], doc.blocks[11]
      local hinge = doc.blocks:append { type = "bhkHingeConstraint" }
      hinge.info.entity_a, hinge.info.entity_b = a, b
      a.constraints:append(hinge)
      local chain = doc.blocks:append { type = "bhkBallSocketConstraintChain" }
      for _, body in ipairs { a, b, c } do chain.chained:append(body) end
      c.constraints:append(chain)
      local other = doc.blocks:append { type = "bhkHingeConstraint" }
      other.info.entity_a = c
      a.constraints:append(other)
    end)
  end

  it("removes the chain of blocks of a node or body", function()
    local doc = skyrim()
    local before = doc:encode()
    for _, what in ipairs { "B", doc.blocks[2], doc.blocks[8] } do
      local report = assert(doc:remove_collision(what))
      assert.same({ 3, 10 }, { report.changed, #doc.blocks })
      assert.is_false(doc.blocks[2].collision_object)
      assert.equal(doc.blocks[3], doc.blocks[3].collision_object.target)
      assert.is_true(doc:check())
      doc:undo()
      assert.is_true(before == doc:encode())
    end
    for _, name in ipairs { "A", "B" } do assert.is_nil(assert(doc:remove_collision(name)).flags) end
    assert.same({ "havok" }, assert(doc:remove_collision "C").flags)
    assert.equal(0x84, of_type(doc, "BSXFlags")[1]:totable().value)
  end)

  it("takes shapes with collision, too, which only nodes have in Fallout 4", function()
    local doc = skyrim()
    local shape = doc.blocks:append { type = "BSTriShape", name = "Shape" }
    doc:edit(function()
      doc.blocks[2].collision_object = nil
      doc.blocks[9].target = shape
      shape.collision_object = doc.blocks[9]
    end)
    assert.equal(3, assert(doc:remove_collision "Shape").changed)
    assert.is_false(doc:block("Shape").collision_object)
  end)

  it("leaves shapes and bodies that others have", function()
    local doc = skyrim()
    doc:edit(function()
      doc.blocks[8].shape = doc.blocks[4]
      doc.blocks[12].body = doc.blocks[8]
    end)
    assert(doc:remove_collision "B")
    assert.equal(3, #of_type(doc, "bhkRigidBody")) -- C has that of B now; nothing led to its own before
    assert.equal(doc:block("A").collision_object.body.shape, doc:block("C").collision_object.body.shape)
  end)

  it("refuses constraints, or removes them", function()
    local doc = skyrim()
    join(doc)
    local before = doc:encode()
    removal_refused("blocks[8]", doc, "B")
    removal_refused("constraints hold the body that would go: blocks[14], blocks[15]: constraints = \"remove\"", doc, "B")
    removal_refused("constraints hold the body that would go: blocks[14], blocks[15], blocks[16]", doc, "A")
    removal_refused("constraints hold the body that would go: blocks[15], blocks[16]", doc, doc.blocks[11])
    local report = assert(doc:remove_collision("B", { constraints = "remove" }))
    assert.same({ 5, { "blocks[14]", "blocks[15]" } }, { report.changed, report.constraints })
    assert.is_nil(report.flags)
    local a, c = doc:block("A").collision_object.body, doc:block("C").collision_object.body
    assert.same({ 1, 0 }, { #a.constraints, #c.constraints })
    assert.equal(c, a.constraints[1].info.entity_a)
    assert.is_true(doc:check())
    assert.same({ "ragdoll" }, assert(doc:remove_collision("C", { constraints = "remove" })).flags)
    assert.equal(0, #doc:block("A").collision_object.body.constraints)
    doc:undo()
    doc:undo()
    assert.is_true(before == doc:encode())
  end)
end)

describe("doc:remove_collision refuses", function()
  it("what is no node or body, or has no collision", function()
    local doc = of_four()
    removal_refused("it has no collision", doc, "D")
    removal_refused("no node is called 'Nobody'", doc, "Nobody")
    removal_refused("that is no node", doc, 99)
    removal_refused("bhkPhysicsSystem is no node", doc, 8)
    removal_refused("remove_collision needs 'node'", doc)
    removal_refused("a node of this document, its number or its name, or one of its bodies expected", doc, true)
    removal_refused("a node of this document, its number or its name expected", doc, of_four().blocks[1])
    removal_refused("or one of its bodies expected", doc, doc.bodies[1].shape)
    removal_refused("or one of its bodies expected", doc, system_of(doc).system.root.materials[1])
    removal_refused("no option 'constraint'", doc, "A", { constraint = "remove" })
    doc.blocks[4].collision_object = doc.blocks[8]
    removal_refused("blocks[8] is no collision object that can be read", doc, "D")
  end)

  it("bodies that do not exist, and those of ragdolls", function()
    local doc = of_four()
    doc.blocks[5].body_id = 7
    removal_refused("blocks[8]", doc, "A")
    removal_refused("it has no body 7: it has 3", doc, "A")
    local blob = assert(lathe.parse((sample.system { { shape = cube(1) }, { shape = cube(2) } })))
    local ragdoll = open(sample.nif({ { name = "A", body = 0 }, { name = "B", body = 1 } }, blob:encode()))
    ragdoll.blocks[5].type = "bhkRagdollSystem"
    for _, what in ipairs { "A", ragdoll.bodies[2] } do
      removal_refused("a body of a ragdoll, which the others and its skeleton count on", ragdoll, what)
      removal_refused("a body of a ragdoll", ragdoll, what, { constraints = "remove" })
    end
  end)

  it("files with blocks whose references are not known", function()
    local doc = of_four()
    doc.blocks:append { type = "NobodyKnows", bytes = "1234" }
    removal_refused("nobody knows its references", doc, "A")
  end)
end)

describe("doc:set_collision { system = … }", function()
  local KINDS = {
    { kind = "box", size = { 10, 20, 30 }, material = "wood", friction = 0.3 },
    { kind = "sphere", radius = 10, mass = 3 },
    { kind = "capsule", a = { 0, 0, 0 }, b = { 0, 0, 9 }, radius = 3, motion = "keyframed" },
    { kind = "mesh", mesh = { positions = { 0, 0, 0, 9, 0, 0, 0, 9, 0 }, indices = { 0, 1, 2 } } },
    { kind = "compound", mass = 2, mesh = { { kind = "box", size = 3 }, { kind = "sphere", radius = 3 } } },
  }

  -- KINDS[k] for that system.
  local function kind(k, system)
    local options = { system = system }
    for name, value in pairs(KINDS[k]) do options[name] = value end
    return options
  end

  it("adds the body that a system of its own would have, behind the others", function()
    for k = 1, #KINDS do
      local own, doc = of_four(), of_four()
      own.blocks[4].translation.x, doc.blocks[4].translation.x = 70, 70
      assert(own:set_collision("D", kind(k)))
      local wanted = summary.of(own)[4]
      assert(doc:set_collision("D", BOX)) -- makes the flags
      assert(doc:remove_collision "D")
      local before, others, kept = doc:encode(), texts(doc), doc.bodies[1]
      local report = assert(doc:set_collision("D", kind(k, system_of(doc))))
      assert.equal(KINDS[k].mass and 3 or 2, report.changed) -- the body, its block, the flags
      local now = summary.of(doc)
      assert.equal(4, #now)
      assert.equal(wanted.text, now[4].text)
      for i = 1, 3 do assert.equal(others[i], now[i].text) end
      assert.equal(3, doc:block("D").collision_object.body_id)
      assert.equal("A", kept.name)
      assert.equal(1, #of_type(doc, "bhkPhysicsSystem"))
      assert.same({}, summary.faults(doc))
      local after = doc:encode()
      assert(doc:remove_collision "D")
      assert.is_true(before == doc:encode())
      doc:undo()
      assert.is_true(after == doc:encode())
      doc:undo()
      assert.is_true(before == doc:encode())
    end
  end)

  it("builds a system of many as those of the games are", function()
    local blocks = { { type = "NiNode", name = "Root", children = {} } }
    for i = 1, 9 do blocks[i + 1] = { type = "NiNode", name = "N" .. i } end
    local doc = open(nif.build { game = "fo4", blocks = blocks })
    for i = 1, 9 do
      local system = system_of(doc)
      assert(doc:set_collision("N" .. i, kind((i - 1) % #KINDS + 1, system and lathe.index(system) + 1)))
    end
    assert.same({}, summary.faults(doc))
    local system = fo4.read(lathe.bytes(system_of(doc).system))
    assert.same({ 9, 9, 9, 5, 3 }, { #system.bodies, #system.materials, #system.referenced, #system.motions,
      #system.motion_properties })
    for i, body in ipairs(system.bodies) do
      assert.equal(i - 1, body.material_id)
      assert.equal(system.referenced[i], body.shape)
    end
    for i = 9, 2, -1 do assert(doc:remove_collision("N" .. i)) end
    local alone = open(nif.build { game = "fo4", blocks = blocks })
    assert(alone:set_collision("N1", kind(1)))
    assert.is_true(lathe.bytes(system_of(alone).system) == lathe.bytes(system_of(doc).system))
  end)

  it("replaces what the node had, in this system or another", function()
    local doc = of_four()
    local others = texts(doc, "A")
    assert(doc:set_collision("A", kind(1, system_of(doc))))
    assert.equal(3, #doc.bodies)
    assert.equal(2, doc:block("A").collision_object.body_id)
    assert.same(others, texts(doc, "A"))
    assert.same({}, summary.faults(doc))
    assert(doc:set_collision("D", BOX))
    local own = doc:block("D").collision_object.data
    assert(doc:set_collision("D", kind(2, own))) -- the only body of its system
    assert.equal(0, doc:block("D").collision_object.body_id)
    assert.equal(1, #doc:block("D").collision_object.data.system.root.body_cinfos)
    assert(doc:set_collision("D", kind(3, system_of(doc))))
    assert.equal(1, #of_type(doc, "bhkPhysicsSystem"))
    assert.same(others, { texts(doc, "A")[1], texts(doc, "A")[2] })
    assert.same({}, summary.faults(doc))
  end)

  it("refuses what is no system, or cannot have the body", function()
    local doc = of_four()
    local function no(message, system, of) refused(message, of or doc, "set_collision", "D", kind(1, system)) end
    no("'system' of set_collision: NiNode is no bhkPhysicsSystem", doc.blocks[2])
    no("'system' of set_collision: that is no bhkPhysicsSystem", 99)
    no("'system' of set_collision: that is no bhkPhysicsSystem", doc.bodies[1])
    no("'system' of set_collision: that is no bhkPhysicsSystem", system_of(doc).system)
    no("a bhkPhysicsSystem of this document or its number expected", system_of(of_four()))
    no("a bhkPhysicsSystem of this document or its number expected", "A")
    doc.blocks[8].type = "bhkRagdollSystem"
    no("bhkRagdollSystem is no bhkPhysicsSystem", doc.blocks[8])
    local unread = open(sample.nif({ { name = "A", body = 0 }, { name = "D" } }, "nothing that can be read"))
    no("it cannot be read, so its bodies stay", unread.blocks[4], unread)
    local skeleton = assert(lathe.new("hkx", { objects = { { class = "hkaSkeleton", name = "x" } } }))
    local without = open(sample.nif({ { name = "A", body = 0 }, { name = "D" } }, skeleton:encode()))
    no("it has no hknpPhysicsSystemData that can be read", without.blocks[4], without)
  end)

  it("refuses a system whose materials are all numbered", function()
    local materials = {}
    for i = 1, 0xFFFF do materials[i] = {} end
    local blob = sample.system({ { shape = cube(1) } }, { materials = materials })
    local doc = open(sample.nif({ { name = "A", body = 0 }, { name = "D" } }, blob))
    refused("the system is full: it can have no more than 65535", doc, "set_collision", "D", kind(1, system_of(doc)))
  end)
end)

describe("collision that comes and goes at random", function()
  it("keeps what other nodes have, and can be undone", function()
    local rng = nif.rng(20)
    local doc = of_four()
    local names, first, mine = { "A", "B", "C", "D" }, doc:encode(), {}
    for _, one in ipairs(summary.of(doc)) do mine[one.node] = one.text end
    for step = 1, 120 do
      local name, systems = names[rng(1, 4)], of_type(doc, "bhkPhysicsSystem")
      if mine[name] and rng(0, 2) == 0 then
        assert(doc:remove_collision(name))
        mine[name] = nil
      else
        assert(doc:set_collision(name, { kind = rng(0, 1) == 0 and "box" or "mesh",
          mesh = { positions = { 0, 0, 0, rng(5, 9), 0, 0, 0, 9, 7, 3, 3, rng(1, 9) }, indices = { 0, 1, 2, 0, 2, 3 } },
          motion = rng(0, 1) == 0 and "keyframed" or "static",
          system = #systems > 0 and rng(0, 2) > 0 and systems[rng(1, #systems)] or nil }))
        mine[name] = "new"
      end
      local now = {}
      for _, one in ipairs(summary.of(doc)) do now[one.node] = one.text end
      for _, each in ipairs(names) do
        if each == name and now[each] and mine[each] then mine[each] = now[each] end
        assert.equal(mine[each], now[each], ("step %d: %s"):format(step, each))
      end
      assert.same({}, summary.faults(doc))
      if rng(0, 9) == 0 then
        local after = doc:encode()
        doc:undo()
        doc:redo()
        assert.is_true(after == doc:encode())
      end
    end
    doc = of_four()
    for _ = 1, 30 do
      local name, system = names[rng(1, 4)], system_of(doc)
      if rng(0, 1) == 0 or not system then
        doc:remove_collision(name)
      else
        assert(doc:set_collision(name, { kind = "box", size = rng(1, 50), system = system }))
      end
    end
    while doc:undo() do end
    assert.is_true(first == doc:encode())
  end)
end)
