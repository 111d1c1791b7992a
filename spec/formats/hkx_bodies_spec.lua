-- doc.bodies and meshes of collision of Fallout 4's packfiles: figures of the corpus, edits, and hostile shapes.

local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"

local FOLDER = "nif-fo4-collision"
local UNITS = 69.99125

-- ---- the corpus -----------------------------------------------------------------------------------

local function packfile(nif, block)
  return assert(lathe.parse((lathe.bytes(nif.blocks[block + 1]):sub(5)), { history = 16 }))
end

--- Calls test(doc, system, label) for each packfile; `system` has its figures.
local function each_packfile(test)
  local folder, n = helper.need_corpus(FOLDER, pending), 0
  for _, name in ipairs(helper.list(folder, "%.nif$")) do
    local figures = assert(json.decode(helper.read(("%s/expected/%s.json"):format(folder, name))))
    local nif <close> = assert(lathe.open(folder .. "/" .. name))
    for block, system in pairs(figures.systems) do
      n = n + 1
      local doc <close> = packfile(nif, tonumber(block))
      test(doc, system, name .. " " .. block)
    end
  end
  assert.equal(44, n)
end

local function one(name, block)
  local folder = helper.need_corpus(FOLDER, pending)
  local nif <close> = assert(lathe.open(("%s/%s.nif"):format(folder, name)))
  return packfile(nif, block)
end

local function near(wanted, got, label, within)
  if math.abs(wanted - got) > (within or 1e-5) * math.max(1, math.abs(wanted)) then
    error(("%s: %.9g wanted, %.9g got"):format(label, wanted, got), 2)
  end
end

local function near_list(wanted, got, label)
  for i, v in ipairs(wanted) do near(v, got[i], ("%s[%d]"):format(label, i)) end
end

--- The number of a material: CRC-32 of its name, as formats/fo4-collision.md has it.
local function hash(name)
  if math.type(name) == "integer" then return name end
  if name:match "^0x%x+$" then return tonumber(name) end
  local crc = 0
  for i = 1, #name do
    crc = crc ~ name:byte(i)
    for _ = 1, 8 do crc = crc & 1 == 1 and crc >> 1 ~ 0xEDB88320 or crc >> 1 end
  end
  return crc
end

local function kind_of(body)
  if not body.motion then return "static" end
  return body.motion.inverseMass > 0 and "dynamic" or "keyframed"
end

describe("bodies of the corpus #corpus", function()
  it("are what their figures say", function()
    local kinds, total = { static = 0, keyframed = 0, dynamic = 0 }, 0
    each_packfile(function(doc, system, label)
      assert.equal(#system.bodies, #doc.bodies, label)
      for i, want in ipairs(system.bodies) do
        local body, motion, name = doc.bodies[i], want.motion, ("%s body %d"):format(label, i)
        total = total + 1
        assert.equal(kind_of(want), body.motion, name)
        kinds[body.motion] = kinds[body.motion] + 1
        near(want.dynamicFriction, body.friction, name)
        near(want.restitution, body.restitution, name)
        assert.equal(want.collisionFilterInfo, body.filter_info, name)
        assert.equal(want.layer, body.filter_info & 127, name)
        near_list(want.position, body.position, name)
        near_list(want.orientation, body.orientation, name)
        assert.equal(want.shape.cls, lathe.type(body.shape), name)
        assert.equal(("objects[1].body_cinfos[%d].body"):format(i), lathe.path(body))
        assert.equal(("objects[1].body_cinfos[%d]"):format(i), lathe.path(body.source))
        assert.is_nil(body.name)
        assert.is_nil(body.node)
        local properties = motion and system.motionProperties[motion.motionPropertiesId + 1]
        if body.motion == "dynamic" then
          near(1 / motion.inverseMass, body.mass, name)
          near(motion.massFactor, body.density, name)
          near(properties.linearDamping, body.linear_damping, name)
          near(properties.angularDamping, body.angular_damping, name)
          near(properties.gravityFactor, body.gravity_factor, name)
          near(properties.maxLinearSpeed, body.max_linear_speed, name)
          near(properties.maxAngularSpeed, body.max_angular_speed, name)
        else
          assert.same({}, { body.mass, body.density, body.linear_damping, body.gravity_factor }, name)
        end
      end
    end)
    assert.equal(130, total)
    assert.equal(130, kinds.static + kinds.keyframed + kinds.dynamic)
  end)

  it("are made of what their shapes are made of", function()
    each_packfile(function(doc, system, label)
      for i, want in ipairs(system.bodies) do
        local shape, ids, n = want.shape, {}, 0
        if shape.cls == "hknpCompressedMeshShape" then
          for _, id in ipairs(shape.materials) do ids[tonumber(id, 16)] = true end
        elseif shape.cls ~= "hknpDynamicCompoundShape" then
          ids[tonumber(shape.materialId, 16)] = true
        end
        for _ in pairs(ids) do n = n + 1 end
        local material = doc.bodies[i].material
        if n == 1 then
          assert.equal(next(ids), hash(material), label)
        elseif n > 1 then
          assert.is_nil(material, label)
        end
      end
    end)
  end)
end)

-- ---- meshes -----------------------------------------------------------------------------------------

local function meshes(doc)
  local list = {}
  for mesh in doc:meshes { what = "collision" } do
    list[mesh.body] = list[mesh.body] or {}
    table.insert(list[mesh.body], mesh)
  end
  return list
end

--- Six times the volume that its triangles enclose.
local function volume(mesh)
  local p, sum = mesh.positions, 0
  for i = 1, mesh.indices.rows do
    local a, b, c = mesh.indices:row(i)
    local ax, ay, az = p:row(a + 1)
    local bx, by, bz = p:row(b + 1)
    local cx, cy, cz = p:row(c + 1)
    sum = sum + ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
  end
  return sum
end

local function check_bounds(mesh, low, high, label)
  local min, max = mesh.positions:bounds()
  for k = 1, 3 do
    near(low[k], min[k] / UNITS, label .. " min", 1e-5)
    near(high[k], max[k] / UNITS, label .. " max", 1e-5)
  end
end

local function per_material(mesh)
  local count = {}
  for _, number in ipairs(mesh.triangle_materials:totable()) do
    local id = ("%08X"):format(hash(mesh.materials[number + 1]))
    count[id] = (count[id] or 0) + 1
  end
  return count
end

local check = {}

function check.hknpConvexPolytopeShape(mesh, shape, label)
  assert.equal("hull", mesh.shape, label)
  assert.equal(shape.triangles, mesh.indices.rows, label)
  assert.equal(shape.numRealVertices, mesh.positions.rows, label)
  check_bounds(mesh, shape.bounds[1], shape.bounds[2], label)
  assert.is_true(volume(mesh) > 0, label)
  assert.same({ [shape.materialId] = shape.triangles }, per_material(mesh), label)
end

function check.hknpSphereShape(mesh, shape, label)
  assert.equal("sphere", mesh.shape, label)
  local low, high, r = {}, {}, shape.radius
  for k = 1, 3 do low[k], high[k] = shape.center[k] - r, shape.center[k] + r end
  check_bounds(mesh, low, high, label)
  local whole = 8 * math.pi * (r * UNITS) ^ 3
  assert.is_true(volume(mesh) < whole and volume(mesh) > 0.9 * whole, label)
end

function check.hknpCapsuleShape(mesh, shape, label)
  assert.equal("capsule", mesh.shape, label)
  local r = shape.convexRadius
  for i = 1, mesh.positions.rows do -- no corner is further than the radius from the box around the axis
    local p, square = { mesh.positions:row(i) }, 0
    for k = 1, 3 do
      local v = p[k] / UNITS
      local out = math.max(shape.bounds[1][k] - v, v - shape.bounds[2][k], 0)
      square = square + out * out
    end
    assert.is_true(math.sqrt(square) < r + 1e-4, label)
  end
  assert.is_true(volume(mesh) > 0.9 * 8 * math.pi * (r * UNITS) ^ 3, label)
end

function check.hknpCompressedMeshShape(mesh, shape, label)
  assert.equal("mesh", mesh.shape, label)
  assert.equal(shape.numTriangles, mesh.indices.rows, label)
  check_bounds(mesh, shape.bounds[1], shape.bounds[2], label)
  local want = {}
  for id, n in pairs(shape.trianglesPerMaterial) do
    if n > 0 then want[id] = n end
  end
  assert.same(want, per_material(mesh), label)
end

describe("meshes of collision of the corpus #corpus", function()
  it("have the triangles, bounds and materials of their figures", function()
    local seen = {}
    each_packfile(function(doc, system, label)
      local list = meshes(doc)
      for i, want in ipairs(system.bodies) do
        local name, shape = ("%s body %d"):format(label, i), want.shape
        local parts = list[i]
        seen[shape.cls] = (seen[shape.cls] or 0) + 1
        if check[shape.cls] then
          assert.equal(1, #parts, name)
          check[shape.cls](parts[1], shape, name)
        else
          assert.equal(#doc.bodies[i].shape.instances, #parts, name)
        end
        local transform = parts[1].transform
        for k = 1, 3 do near(want.position[k] * UNITS, transform[12 + k], name) end
        assert.equal("z", parts[1].up)
        near(1 / UNITS, parts[1].metres, name, 1e-7)
        assert.equal(#parts[1].materials == 1 and parts[1].materials[1] or nil, parts[1].material)
      end
    end)
    assert.is_true(seen.hknpConvexPolytopeShape > 0 and seen.hknpSphereShape > 0 and seen.hknpCapsuleShape > 0
      and seen.hknpCompressedMeshShape > 0 and seen.hknpDynamicCompoundShape > 0)
  end)

  it("of compounds are where their instances are", function()
    each_packfile(function(doc, system, label)
      local list
      for i, want in ipairs(system.bodies) do
        if want.shape.cls == "hknpDynamicCompoundShape" then
          list = list or meshes(doc)
          local box = doc.bodies[i].shape.aabb
          for k, mesh in ipairs(list[i]) do
            local min, max = mesh.positions:bounds()
            for axis = 1, 3 do -- the box has a margin of its own
              assert.is_true(min[axis] / UNITS > box.min[axis] - 1e-3 and max[axis] / UNITS < box.max[axis] + 1e-3,
                ("%s body %d mesh %d"):format(label, i, k))
            end
            assert.is_true(mesh.shape == "mesh" or volume(mesh) > 0, label)
          end
        end
      end
    end)
  end)
end)

-- ---- edits -------------------------------------------------------------------------------------------

--- What differs between two documents of the same length: paths of fields.
local function changed(doc, before)
  local after, paths = doc:encode(), {}
  assert.equal(#before, #after)
  local i = 1
  while i <= #after do
    if before:byte(i) ~= after:byte(i) then
      local view, field = doc:at(i - 1)
      local path = lathe.path(view) .. (field and "." .. field or "")
      if paths[#paths] ~= path then paths[#paths + 1] = path end
    end
    i = i + 1
  end
  return paths
end

describe("a body #corpus", function()
  it("keeps friction, restitution and damping where they are stored", function()
    local doc <close> = one("AlarmClock", 3)
    local body, before = doc.bodies[1], doc:encode()
    body.friction = 0.9
    assert.equal(0.8984375, body.friction)
    assert.same({ "objects[1].materials[1].dynamic_friction", "objects[1].materials[1].static_friction" },
      changed(doc, before))
    before = doc:encode()
    body.restitution = 0.75
    assert.same({ "objects[1].materials[1].restitution" }, changed(doc, before))
    before = doc:encode()
    body.linear_damping, body.angular_damping = 0.5, 0.25
    body.max_linear_speed, body.max_angular_speed, body.gravity_factor = 10, 20, -1
    assert.same({ 0.5, 0.25, 10.0, 20.0, -1.0 }, { body.linear_damping, body.angular_damping, body.max_linear_speed,
      body.max_angular_speed, body.gravity_factor })
    local at = "objects[1].motion_properties[1]."
    assert.same({ at .. "gravity_factor", at .. "max_linear_speed", at .. "max_angular_speed", at .. "linear_damping",
      at .. "angular_damping" }, changed(doc, before))
  end)

  it("weighs what it is set to, and turns as hard as that", function()
    local doc <close> = one("AlarmClock", 3)
    local body, motion = doc.bodies[1], doc.objects[1].motion_cinfos[1]
    local mass, density, inertia = body.mass, body.density, motion.inverse_inertia_local.x
    local before = doc:encode()
    body.mass = 5
    assert.equal(5, body.mass)
    near(density * 5 / mass, body.density, "density", 1e-6)
    near(inertia * mass / 5, motion.inverse_inertia_local.x, "inertia", 1e-6)
    near(0.2, motion.inverse_mass, "inverse mass", 1e-7)
    for _, path in ipairs(changed(doc, before)) do assert.matches("^objects%[1%]%.motion_cinfos%[1%]", path) end
    body.density = 2 * body.density
    near(10, body.mass, "mass", 1e-6)
    before = doc:encode()
    body.mass = body.mass
    body.density = body.density
    assert.equal(before, doc:encode())
  end)

  it("moves and turns with its centre of mass", function()
    local doc <close> = one("AlarmClock", 3)
    local body, motion = doc.bodies[1], doc.objects[1].motion_cinfos[1]
    local p, c = { table.unpack(body.position) }, { table.unpack(motion.center_of_mass_world) }
    local local_com = { c[1] - p[1], c[2] - p[2], c[3] - p[3] }
    body.position = { 1, 2, 3 }
    for k, v in ipairs { 1, 2, 3 } do
      assert.equal(v, body.position[k])
      near(v + local_com[k], motion.center_of_mass_world[k], "centre", 1e-6)
    end
    body.position.y = -4
    near(-4 + local_com[2], motion.center_of_mass_world.y, "centre", 1e-6)
    body.orientation = { 0, 0, 2, 2 } -- a quarter turn about z: x goes to y, y to -x
    near(math.sqrt(0.5), body.orientation.z, "orientation", 1e-6)
    near(1 - local_com[2], motion.center_of_mass_world.x, "turned x", 1e-6)
    near(-4 + local_com[1], motion.center_of_mass_world.y, "turned y", 1e-6)
    near(3 + local_com[3], motion.center_of_mass_world.z, "turned z", 1e-6)
    near(math.sqrt(0.5), motion.orientation.z, "axes", 1e-6)
    assert.equal(c[4], motion.center_of_mass_world.w)
  end)

  it("has one layer, and its mesh's materials have it, too", function()
    local doc <close> = one("Crane03_simplified", 3)
    local body = doc.bodies[1]
    assert.equal("static", body.layer)
    body.layer = "animstatic"
    assert.equal(2, body.filter_info)
    local surfaces
    for _, object in ipairs(doc.objects) do
      if lathe.type(object) == "hknpBSMaterialProperties" then surfaces = object.materials end
    end
    assert.equal(2, surfaces[1].collision_filter_info)
    body.filter_info = 0x12345
    assert.equal(0x45, body.filter_info & 127)
    assert.equal(0x12345, surfaces[1].collision_filter_info)
    body.material = "Wood"
    assert.equal("wood", body.material)
    assert.equal(hash "wood", surfaces[1].material_id)
    assert.equal(hash "wood", body.shape.user_data)
    body.material = 7
    assert.equal(7, body.material)
    assert.equal("0x00000007", meshes(doc)[1][1].material)
  end)

  it("becomes keyframed or static, and no longer weighs anything", function()
    local doc <close> = one("AlarmClock", 3)
    local body, cinfo, motion = doc.bodies[1], doc.objects[1].body_cinfos[1], doc.objects[1].motion_cinfos[1]
    body.motion = "keyframed"
    assert.same({ "keyframed", 0, 0, 1, 65535 }, { body.motion, cinfo.flags, motion.inverse_mass, motion.mass_factor,
      motion.motion_properties_id })
    assert.same({ x = 0, y = 0, z = 0, w = 0 }, motion.inverse_inertia_local:totable())
    body.motion = "static"
    assert.same({ "static", 0x7FFFFFFF, "static" }, { body.motion, cinfo.motion_id, body.layer })
    assert.is_nil(body.mass)
  end)

  it("says why it cannot be what it is set to, and stays what it is", function()
    local doc <close> = one("AlarmClock", 3)
    local body, before = doc.bodies[1], doc:encode()
    local function refuses(message, field, value)
      local ok, err = pcall(function() body[field] = value end)
      assert.is_false(ok)
      assert.matches(message, tostring(err), 1, true)
      assert.equal(before, doc:encode())
    end
    refuses("-1 is outside of 1e-30 .. 1e+30", "mass", -1)
    refuses("outside of 0 .. 3.40282347e+38", "friction", 0 / 0)
    refuses("a number expected", "friction", "much")
    refuses("a finite number expected", "position", { 0, 0 / 0, 0 })
    refuses("static, keyframed or dynamic expected", "motion", "flying")
    refuses("4.29496736e+09 is outside of 0 .. 4.2949673e+09", "filter_info", 4294967360)
    refuses("an integer expected", "filter_info", 1.5)
    refuses("a name or an integer expected", "material", 1.5)
    refuses("read-only", "node", body)
    body.motion = "static"
    before = doc:encode()
    refuses("a static body has none: set motion to dynamic first", "mass", 1)
    refuses("only dynamic bodies have it: set motion to dynamic first", "linear_damping", 1)
  end)

  it("says who shares what was set", function()
    local doc <close> = one("VltGearDoor01", 1076)
    local same = {}
    for i, cinfo in ipairs(doc.objects[1].body_cinfos) do
      if i <= 3 then cinfo.material_id = 7 end
      if cinfo.material_id == 7 then same[#same + 1] = doc.bodies[i] end
    end
    assert.is_true(#same >= 3)
    local done = assert(same[1]:set { friction = 0.25, layer = "animstatic" })
    assert.equal(2, done.changed)
    assert.same({}, done.skipped)
    assert.equal(#same - 1, #done.shared)
    for i, body in ipairs(done.shared) do
      assert.equal(same[i + 1], body)
      assert.equal(0.25, body.friction)
    end
    done = assert(same[1]:set { layer = 2 })
    assert.is_nil(done.shared)
    local before = doc:encode()
    local none, err = same[1]:set { friction = 0.5, mass = 3 }
    assert.is_nil(none)
    assert.matches("a keyframed body has none: set motion to dynamic first", tostring(err), 1, true)
    assert.equal(before, doc:encode())
    assert.has_error(function() same[1]:set { frictoin = 1 } end, "no option 'frictoin' of set; did you mean 'friction'?")
  end)
end)

-- ---- hostile -----------------------------------------------------------------------------------------

describe("a hostile packfile #corpus", function()
  it("has bodies without what its numbers lead to", function()
    local doc <close> = one("AlarmClock", 3)
    local body, cinfo = doc.bodies[1], doc.objects[1].body_cinfos[1]
    cinfo.material_id, cinfo.motion_id = 999, 12
    assert.same({ "static" }, { body.motion, body.friction, body.mass, body.linear_damping })
    local ok, err = pcall(function() body.friction = 1 end)
    assert.is_false(ok)
    assert.matches("its material is not there", tostring(err), 1, true)
    cinfo.shape = false
    assert.is_nil(body.shape)
    assert.is_nil(body.material)
    assert.same({}, meshes(doc))
  end)

  it("has no compounds in themselves", function()
    local doc <close> = one("VltGearDoor01", 1076)
    local compound = doc.bodies[3].shape
    compound.instances[2].shape = compound
    local ok, err = pcall(meshes, doc)
    assert.is_false(ok)
    assert.matches("a compound that contains itself", tostring(err), 1, true)
    ok, err = pcall(function() return doc.bodies[3].material end)
    assert.is_false(ok)
    assert.matches("a compound that contains itself", tostring(err), 1, true)
    local before = doc:encode()
    assert.is_false(pcall(function() doc.bodies[3].material = "wood" end))
    assert.equal(before, doc:encode())
  end)
end)
