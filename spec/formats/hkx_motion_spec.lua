-- How bodies move: static, keyframed, dynamic, in all directions; and what their motions have of their shapes.

local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"

local FOLDER = "nif-fo4-collision"

local function packfile(nif, block)
  return assert(lathe.parse((lathe.bytes(nif.blocks[block + 1]):sub(5)), { history = 16 }))
end

local function one(name, block)
  local folder = helper.need_corpus(FOLDER, pending)
  local nif <close> = assert(lathe.open(("%s/%s.nif"):format(folder, name)))
  return packfile(nif, block)
end

local function each_packfile(test)
  local folder = helper.need_corpus(FOLDER, pending)
  for _, name in ipairs(helper.list(folder, "%.nif$")) do
    local figures = assert(json.decode(helper.read(("%s/expected/%s.json"):format(folder, name))))
    local nif <close> = assert(lathe.open(folder .. "/" .. name))
    for block in pairs(figures.systems) do
      local doc <close> = packfile(nif, tonumber(block))
      test(doc, name .. " " .. block)
    end
  end
end

local function motion_of(doc, body)
  return doc.objects[1].motion_cinfos[body.source.motion_id + 1]
end

local LANES = { "x", "y", "z", "w" }

--- All that a motion has of its shape, as numbers.
local function figures_of(doc, body)
  local motion, list = motion_of(doc, body), { body.mass or 0, body.density or 1 }
  for _, field in ipairs { "inverse_inertia_local", "center_of_mass_world", "orientation" } do
    for _, lane in ipairs(LANES) do
      if field ~= "center_of_mass_world" or lane ~= "w" then list[#list + 1] = motion[field][lane] end
    end
  end
  return list
end

--- The largest difference of two lists, relative where numbers are large. A quaternion is its negative, too.
local function distance(a, b)
  local most, same, turned = 0, 0, 0
  for i, v in ipairs(a) do
    local off = math.abs(v - b[i]) / math.max(1, math.abs(v))
    if i <= #a - 4 then
      most = math.max(most, off)
    else
      same, turned = math.max(same, off), math.max(turned, math.abs(v + b[i]))
    end
  end
  return math.max(most, math.min(same, turned))
end

local function is_sound(doc, label)
  local _, list = doc:check()
  assert.is_nil(list and list[1] and ("%s: %s"):format(label, list[1]))
end

local function refuses(doc, message, change)
  local before = doc:encode()
  local ok, err = pcall(change)
  assert.is_false(ok)
  assert.truthy(tostring(err):find(message, 1, true), tostring(err))
  assert.equal(before, doc:encode())
end

describe("bodies of the corpus #corpus", function()
  it("made static and dynamic again weigh what games' tools say", function()
    local n, worst = 0, 0
    each_packfile(function(doc, label)
      local system = doc.objects[1]
      for i, body in ipairs(doc.bodies) do
        if body.motion == "dynamic" then
          local was, flags = figures_of(doc, body), body.source.flags
          local lists = { #system.motion_cinfos, #system.motion_properties }
          body.motion = "static"
          assert.same({ lists[1] - 1, lists[2] - 1 }, { #system.motion_cinfos, #system.motion_properties })
          assert(body:set { mass = was[1], motion = "dynamic" })
          local off = distance(was, figures_of(doc, body))
          assert.is_true(off < 1e-6, ("%s body %d: %g"):format(label, i, off))
          assert.equal(flags, body.source.flags)
          assert.same(lists, { #system.motion_cinfos, #system.motion_properties })
          n, worst = n + 1, math.max(worst, off)
        end
      end
      is_sound(doc, label)
    end)
    assert.equal(66, n) -- all of them
    assert.is_true(worst > 0)
  end)

  it("made static and keyframed again are where they were, to the bit", function()
    local n = 0
    each_packfile(function(doc, label)
      for i, body in ipairs(doc.bodies) do
        if body.motion == "keyframed" then
          local was, layer = figures_of(doc, body), body.layer
          body.motion = "static"
          assert.equal("static", body.layer)
          assert(body:set { layer = layer, motion = "keyframed" })
          assert.same(was, figures_of(doc, body), ("%s body %d"):format(label, i))
          assert.same({ 65535, 0, 1.0, 0 }, { motion_of(doc, body).motion_properties_id, motion_of(doc, body).inverse_mass,
            motion_of(doc, body).mass_factor, body.source.flags })
          n = n + 1
        end
      end
      is_sound(doc, label)
    end)
    assert.equal(28, n)
  end)
end)

describe("a body #corpus", function()
  it("that becomes static loses its motion and what only that has; dynamic it has vanilla's", function()
    local doc <close> = one("AlarmClock", 3)
    local system, body, before = doc.objects[1], doc.bodies[1], doc:encode()
    local properties = system.motion_properties[1]:totable()
    body.motion = "static"
    assert.same({ 0, 0, 0x7FFFFFFF, 0, "static" }, { #system.motion_cinfos, #system.motion_properties,
      body.source.motion_id, body.source.flags, body.layer })
    assert.is_nil(body.mass)
    body.motion = "dynamic"
    assert.same({ 9.0, 0x80, "static", 0, 0 }, { body.mass, body.source.flags, body.layer, body.source.motion_id,
      motion_of(doc, body).motion_properties_id })
    assert.same(properties, system.motion_properties[1]:totable())
    assert.is_near(9 * 226.145386, body.density, 1e-3)
    body.motion = "keyframed"
    assert.same({ 1, 0, 65535, 0 }, { #system.motion_cinfos, #system.motion_properties,
      motion_of(doc, body).motion_properties_id, body.source.flags })
    body.motion = "dynamic"
    assert.equal(1, #system.motion_properties)
    assert(body:set { mass = 1, layer = "clutter" })
    assert.equal(#before, #doc:encode())
    local again <close> = assert(lathe.parse(doc:serialize()))
    assert.same({ 1.0, "dynamic", "clutter" }, { again.bodies[1].mass, again.bodies[1].motion, again.bodies[1].layer })
    while doc:undo() do end -- luacheck: ignore
    assert.equal(before, doc:encode())
  end)

  it("is set in an order that makes sense, all or nothing", function()
    local doc <close> = one("AlarmClock", 3)
    local body = doc.bodies[1]
    assert(body:set { motion = "static" })
    local done = assert(body:set { linear_damping = 0.5, mass = 5, layer = "clutter", motion = "dynamic" })
    assert.same({ 4, 5.0, 0.5, "clutter", "dynamic" }, { done.changed, body.mass, body.linear_damping, body.layer,
      body.motion })
    local before = doc:encode()
    local none, err = body:set { mass = 1, motion = "keyframed", friction = 0.1 }
    assert.is_nil(none)
    assert.matches("a keyframed body has none: set motion to dynamic first", tostring(err), 1, true)
    assert.equal(before, doc:encode())
  end)

  it("that goes leaves others the motions that they have", function()
    local doc <close> = one("SupermutantSkeleton", 7)
    local system, masses = doc.objects[1], {}
    for i, body in ipairs(doc.bodies) do
      masses[i] = { body.mass, body.linear_damping, motion_of(doc, body).orientation.x }
    end
    local n = #system.motion_cinfos
    doc.bodies[4].motion = "static"
    doc.bodies[1].motion = "keyframed"
    assert.same({ n - 1, n - 2 }, { #system.motion_cinfos, #system.motion_properties })
    for i, body in ipairs(doc.bodies) do
      if i ~= 4 and i ~= 1 then
        assert.same(masses[i], { body.mass, body.linear_damping, motion_of(doc, body).orientation.x })
      end
    end
    assert.equal("keyframed", doc.bodies[1].motion)
    doc.bodies[4].motion = "dynamic" -- a ragdoll's
    assert.equal(0x10080, doc.bodies[4].source.flags)
  end)

  it("that shares a motion gets one of its own", function()
    local doc <close> = one("SupermutantSkeleton", 7)
    local system, a, b = doc.objects[1], doc.bodies[1], doc.bodies[2]
    local n = #system.motion_cinfos
    a.source.motion_id = b.source.motion_id
    local mass = b.mass
    a.motion = "keyframed"
    assert.same({ "keyframed", "dynamic", mass, n + 1 }, { a.motion, b.motion, b.mass, #system.motion_cinfos })
    assert.equal(mass, b.mass)
  end)

  it("of a mesh is not dynamic, nor of what is not there", function()
    local doc <close> = one("Crane03_simplified", 3)
    refuses(doc, "a mesh has no mass, so it cannot be dynamic: a hull, sphere, capsule, or a compound of these can",
      function() doc.bodies[1].motion = "dynamic" end)
    doc.bodies[1].motion = "keyframed"
    assert.equal("keyframed", doc.bodies[1].motion)
    doc.bodies[1].source.shape = false
    refuses(doc, "the body has no shape, so no mass", function() doc.bodies[1].motion = "dynamic" end)
    local door <close> = one("VltGearDoor01", 1076)
    local compound, mesh = door.bodies[3].shape
    for _, object in ipairs(door.objects) do
      if lathe.type(object) == "hknpCompressedMeshShape" then mesh = object end
    end
    compound.instances[2].shape = mesh
    refuses(door, "a mesh has no mass", function() door.bodies[3].motion = "dynamic" end)
    compound.instances[2].shape = compound
    refuses(door, "a compound that contains itself", function() door.bodies[3].motion = "dynamic" end)
    compound.instances[2].shape = compound.instances[1].shape
    door.bodies[3].motion = "dynamic"
    assert.equal(9.0, door.bodies[3].mass)
  end)

  it("of a hull that does not say what it weighs has it worked out", function()
    local doc <close> = one("AlarmClock", 3)
    local body = doc.bodies[1]
    local was = figures_of(doc, body)
    body.motion = "static"
    body.shape.properties = false
    assert(body:set { motion = "dynamic", mass = was[1] })
    assert.is_true(distance(was, figures_of(doc, body)) < 5e-4)
  end)

  it("of a shape that holds nothing is refused", function()
    local doc <close> = one("Prewar_Ball01", 3)
    local body = doc.bodies[1]
    body.motion = "static"
    body.shape.convex_radius = 0
    refuses(doc, "a mass of 9 kg in 0 m^3: a dynamic body cannot have it", function() body.motion = "dynamic" end)
    body.shape.convex_radius = 0 / 0
    refuses(doc, "a dynamic body cannot have it", function() body.motion = "dynamic" end)
  end)

  it("has another shape of the packfile, and moves like that", function()
    local doc <close> = one("SupermutantSkeleton", 7)
    local system, a, b = doc.objects[1], doc.bodies[1], doc.bodies[2]
    local mass, old = a.mass, a.shape
    a.shape = b.shape
    assert.same({ b.shape, mass, "dynamic" }, { a.shape, a.mass, a.motion })
    for i, shape in ipairs(system.referenced_objects) do assert.not_equal(old, shape, i) end
    assert.is_near(b.density * mass / b.mass, a.density, 1e-3)
    local inertia = { motion_of(doc, a).inverse_inertia_local.x * mass, motion_of(doc, b).inverse_inertia_local.x * b.mass }
    assert.is_near(inertia[1], inertia[2], inertia[1] * 1e-5)
    is_sound(doc, "with the other shape")
    local n = #doc.objects
    local again <close> = assert(lathe.parse(doc:serialize()))
    assert.equal(n, #again.objects)
    refuses(doc, "a shape expected", function() a.shape = 5 end)
    refuses(doc, "a shape expected", function() a.shape = false end)
    refuses(doc, "expected", function() a.shape = system end)
    local other <close> = one("AlarmClock", 3)
    refuses(doc, "a reference can only point into its own document", function() a.shape = other.bodies[1].shape end)
  end)

  it("is called as it is told, where nothing owns it", function()
    local doc <close> = one("AlarmClock", 3)
    doc.bodies[1].name = "ring"
    assert.same({ "ring", "ring" }, { doc.bodies[1].name, doc.objects[1].body_cinfos[1].name })
    local again <close> = assert(lathe.parse(doc:encode()))
    assert.equal("ring", again.bodies[1].name)
  end)

  it("goes through any changes, and back", function()
    local doc <close> = one("SupermutantSkeleton", 7)
    local nif <close> = assert(lathe.open(helper.need_corpus(FOLDER, pending) .. "/VltGearDoor01.nif"))
    local door <close> = assert(lathe.parse((lathe.bytes(nif.blocks[1077]):sub(5)), { history = 200 }))
    local seed, words = 7, { "static", "keyframed", "dynamic" }
    local function random(n)
      seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
      return (seed >> 8) % n + 1
    end
    for _, one_doc in ipairs { door, doc } do
      local bodies, before, steps = one_doc.bodies, one_doc:encode(), 0
      for _ = 1, 60 do
        local body, word = bodies[random(#bodies)], words[random(3)]
        local was = body.motion
        local ok = pcall(function() body.motion = word end)
        assert.equal(ok and word or was, body.motion)
        if ok and word ~= was then steps = steps + 1 end
      end
      local system, moving, forced = one_doc.objects[1], 0, 0
      for _, body in ipairs(bodies) do
        if body.motion ~= "static" then moving = moving + 1 end
        if body.motion == "dynamic" then forced = forced + 1 end
      end
      assert.same({ moving, forced }, { #system.motion_cinfos, #system.motion_properties })
      assert.is_true(steps > 15)
      is_sound(one_doc, "after all")
      local again <close> = assert(lathe.parse(one_doc:encode()))
      for i, body in ipairs(bodies) do
        assert.same({ body.motion, body.mass, body.linear_damping },
          { again.bodies[i].motion, again.bodies[i].mass, again.bodies[i].linear_damping })
      end
      if one_doc == door then
        for _ = 1, steps do assert.is_true(one_doc:undo()) end
        assert.equal(before, one_doc:encode())
      end
    end
  end)
end)
