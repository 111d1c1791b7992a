-- doc:set_collision: what it makes, judged by a reader that shares nothing with the core.

local check = require "fo4_collision_check"
local fo4 = require "fo4_collision"
local lathe = require "lathe"
local matrix = require "lathe.export.matrix"
local sample = require "sample_collision"

local UNIT = fo4.UNIT
local METAL, WOOD, STONE = 0x064003D4, 0x1DD9C611, 0xDF02F237

local function scene(nodes)
  local cube = require("sample_hknp").box { half = { 1, 1, 1 } }
  local bytes = sample.nif(nodes or { { name = "Root" } }, sample.system { { shape = cube } })
  return assert(lathe.parse(bytes, { history = 20 }))
end

local function collision_of(doc, name)
  for _, block in ipairs(doc.blocks) do
    if block.type == "bhkNPCollisionObject" and block.target.name == (name or "Root") then return block end
  end
end

-- Built, and found good by all who can judge: the file reads back, the packfile is in Havok's order, made of tables
-- it is the same, and nothing is wrong with it.
local function build(options, doc, node)
  doc = doc or scene()
  local report = assert(doc:set_collision(node, options))
  assert.is_true(doc:check())
  local again = assert(lathe.parse(doc:encode()))
  local object = collision_of(again, node)
  local blob = lathe.bytes(object.data.system)
  assert.is_true(blob == object.data.system:serialize())
  assert.is_true(blob == assert(lathe.new("hkx", object.data.system:totable())):encode())
  local system = fo4.read(blob)
  assert.same({}, check.system(system))
  assert.equal(object.body_id + 1, #system.bodies)
  return system.bodies[1], system, report
end

local function near(want, got, by, what)
  assert.is_true(math.abs(want - got) <= by, ("%s: %.9g, not %.9g"):format(what or "a number", got, want))
end

local function near3(want, got, by, what)
  for k = 1, 3 do near(want[k], got[k], by, (what or "a vector") .. " " .. k) end
end

-- A generator of its own, so that every run tries the same.
local function random(seed)
  return function(low, high)
    seed = (seed * 1103515245 + 12345) % 2147483648
    return low + (high - low) * (seed / 2147483648)
  end
end

local function cloud(n, seed, size)
  local roll, points = random(seed), {}
  for i = 1, 3 * n do points[i] = roll(-size, size) end
  return points
end

-- An uneven ground of 2 * n * n triangles.
local function ground(n, materials)
  local positions, indices, of = {}, {}, {}
  for y = 0, n do
    for x = 0, n do
      for _, v in ipairs { x * 10, y * 10, 20 * math.sin(x / 5) * math.cos(y / 7) } do positions[#positions + 1] = v end
    end
  end
  for y = 0, n - 1 do
    for x = 0, n - 1 do
      local a = y * (n + 1) + x
      for _, v in ipairs { a, a + 1, a + n + 2, a, a + n + 2, a + n + 1 } do indices[#indices + 1] = v end
      for _ = 1, 2 do of[#of + 1] = (x + y) % #(materials or { 1 }) end
    end
  end
  return { positions = lathe.buffer("f32", #positions // 3, 3, positions),
    indices = lathe.buffer("u32", #indices // 3, 3, indices), materials = materials,
    triangle_materials = materials and lathe.buffer("u32", #of, 1, of) }
end

describe("doc:set_collision", function()
  it("makes a box of figures", function()
    local body, system = build { kind = "box", size = { 70, 140, 210 }, center = { 7, 0, -7 } }
    local shape = body.shape
    assert.equal("hknpConvexPolytopeShape", shape.class)
    assert.equal(0x143, shape.flags)
    assert.equal(METAL, shape.material)
    near(0.01, shape.radius, 1e-9)
    local low, high = fo4.bounds(fo4.geometry(shape))
    near3({ (7 - 35) / UNIT, -70 / UNIT, (-7 - 105) / UNIT }, low, 1e-6)
    near3({ (7 + 35) / UNIT, 70 / UNIT, (-7 + 105) / UNIT }, high, 1e-6)
    local d = {}
    for k = 1, 3 do d[k] = high[k] - low[k] + 0.02 end
    local volume = d[1] * d[2] * d[3]
    near(volume, shape.mass.volume, volume * 1e-6)
    near(volume, shape.mass.mass, volume * 1e-6)
    near3({ 0.1, 0, -0.1 }, shape.mass.center_of_mass, 2e-4)
    local moment = 1.5 * volume / 12 * (d[2] ^ 2 + d[3] ^ 2)
    near(moment, shape.mass.inertia[1], moment * 1e-4)
    assert.is_nil(body.motion)
    assert.equal(1, body.filter)
    assert.equal(0, body.flags)
    assert.equal(0x7FFFFFFF, body.reserved_id)
    assert.equal(0xFF, body.quality_id)
    assert.equal(0.5, body.material.dynamic_friction)
    assert.equal(0.5, body.material.static_friction)
    assert.equal(0.400390625, body.material.restitution)
    assert.same({}, system.motions)
    assert.same({}, system.motion_properties)
  end)

  it("gives the options to the body", function()
    local body, system = build { kind = "box", size = 70, material = "wood", friction = 0.6, restitution = 0.2,
      layer = "weapon", mass = 4, convex_radius = 0 }
    assert.equal(WOOD, body.shape.material)
    assert.equal(0, body.shape.radius)
    assert.equal(5, body.filter)
    assert.equal(0x80, body.flags)
    assert.equal(0.6015625, body.material.dynamic_friction)    -- rounded to the nearest, as the games' own tools do
    assert.equal(0.2001953125, body.material.restitution)
    local motion = body.motion
    near(0.25, motion.inverse_mass, 1e-9)
    near(4 / body.shape.mass.volume, motion.mass_factor, 1e-3)
    near(1 / (body.shape.mass.inertia[1] * motion.mass_factor), motion.inverse_inertia[1], 1e-3)
    assert.equal(0x3F800000, motion.inverse_inertia.w)
    assert.equal(0, motion.properties_id)
    assert.equal(104.375, system.motion_properties[1].max_linear_speed)
    assert.equal(0.10009765625, system.motion_properties[1].linear_damping)
    assert.equal(0.050048828125, system.motion_properties[1].angular_damping)
    local by_density = build { kind = "box", size = 70, density = 500 }
    near(500, by_density.motion.mass_factor, 1e-3)
    local other = build { kind = "box", size = 70, material = 0x12345678, layer = 99, motion = "keyframed" }
    assert.equal(0x12345678, other.shape.material)
    assert.equal(99, other.filter)
    assert.equal(0, other.motion.inverse_mass)
    assert.equal(0xFFFF, other.motion.properties_id)
    assert.equal(1, other.motion.mass_factor)
    assert.equal(0, other.flags)
    assert.equal(9, math.floor(1 / build { kind = "box", size = 70, motion = "dynamic" }.motion.inverse_mass + 0.5))
    assert.equal(2, build { kind = "box", size = 70, motion = "keyframed" }.filter)
  end)

  it("makes hulls that hold all points", function()
    for seed = 1, 12 do
      local points = cloud(8 + 30 * seed, seed, 10 ^ (seed % 4))
      local body = build { kind = "hull", mesh = points }
      local shape, size = body.shape, 10 ^ (seed % 4) / UNIT
      for i = 1, #points, 3 do
        for f = 1, #shape.faces do
          local p = shape.planes[f]
          local d = p[1] * points[i] / UNIT + p[2] * points[i + 1] / UNIT + p[3] * points[i + 2] / UNIT + p[4]
          assert.is_true(d <= size * 1e-5, d)
        end
      end
      local low, high = fo4.bounds(shape.vertices)
      local want_low, want_high = { 1e9, 1e9, 1e9 }, { -1e9, -1e9, -1e9 }
      for i = 1, #points do
        local k = (i - 1) % 3 + 1
        want_low[k], want_high[k] = math.min(want_low[k], points[i] / UNIT), math.max(want_high[k], points[i] / UNIT)
      end
      near3(want_low, low, size * 1e-6)
      near3(want_high, high, size * 1e-6)
    end
  end)

  it("keeps a hull's corners to what a shape holds, or to fewer", function()
    local points = {}
    for i = 0, 999 do                                          -- all of them corners
      local z, angle = 1 - (2 * i + 1) / 1000, i * 2.399963
      local r = math.sqrt(1 - z * z)
      for _, v in ipairs { r * math.cos(angle), r * math.sin(angle), z } do points[#points + 1] = 100 * v end
    end
    assert.equal(252, build { kind = "hull", mesh = points }.shape.real_vertices)
    local few = build { kind = "hull", mesh = points, max_vertices = 20 }.shape
    assert.is_true(few.real_vertices <= 20 and few.real_vertices >= 12)
  end)

  it("makes spheres and capsules of figures and of points", function()
    local shape = build { kind = "sphere", radius = 70, center = { 7, 14, 21 } }.shape
    assert.equal("hknpSphereShape", shape.class)
    near(70 / UNIT, shape.radius, 1e-6)
    near3({ 7 / UNIT, 14 / UNIT, 21 / UNIT }, shape.center, 1e-6)
    shape = build { kind = "capsule", radius = 14, a = { 0, 0, 0 }, b = { 0, 0, 70 } }.shape
    assert.equal("hknpCapsuleShape", shape.class)
    near3({ 0, 0, 0 }, shape.a, 0)
    near3({ 0, 0, 70 / UNIT }, shape.b, 1e-6)
    assert.equal(0x1B0, shape.size)
    for seed = 1, 6 do
      local points = cloud(50, seed, 30)
      for i = 1, #points, 3 do points[i + seed % 3] = 4 * points[i + seed % 3] end
      local ball = build { kind = "sphere", mesh = points }.shape
      local pill, box = build({ kind = "capsule", mesh = points }).shape, build({ kind = "box", mesh = points }).shape
      local low, high = fo4.bounds(box.vertices)
      local half = 0
      for k = 1, 3 do half = half + (high[k] - low[k]) ^ 2 / 4 end
      assert.is_true(ball.radius <= math.sqrt(half))           -- no larger than the box's
      for i = 1, #points, 3 do
        local p, d, axis, t = {}, 0, 0, 0
        for k = 1, 3 do
          p[k] = points[i + k - 1] / UNIT
          d = d + (p[k] - ball.center[k]) ^ 2
          axis, t = axis + (pill.b[k] - pill.a[k]) ^ 2, t + (p[k] - pill.a[k]) * (pill.b[k] - pill.a[k])
        end
        assert.is_true(math.sqrt(d) <= ball.radius * (1 + 1e-6))
        t, d = axis > 0 and math.max(0, math.min(1, t / axis)) or 0, 0
        for k = 1, 3 do d = d + (p[k] - pill.a[k] - t * (pill.b[k] - pill.a[k])) ^ 2 end
        assert.is_true(math.sqrt(d) <= pill.radius * (1 + 1e-5))
      end
    end
    local motion = build({ kind = "sphere", radius = UNIT, mass = 2 }).motion
    near(2 / (4 / 3 * math.pi), motion.mass_factor, 1e-5)
    near(1 / (1.5 * 0.4 * 2), motion.inverse_inertia[2], 1e-5)
  end)

  it("makes meshes with their triangles and materials", function()
    local body = build { kind = "mesh", mesh = ground(12, { "wood", "stone", "0x12345678" }) }
    local points, triangles = fo4.geometry(body.shape)
    assert.equal(288, #triangles)
    local low, high = fo4.bounds(points)
    near(0, low[1], 1e-6)
    near(0, low[2], 1e-6)
    near(120 / UNIT, high[1], 1e-5)
    near(120 / UNIT, high[2], 1e-5)
    local count = {}
    for _, t in ipairs(triangles) do count[t.material] = (count[t.material] or 0) + 1 end
    assert.same({ [WOOD] = 96, [STONE] = 96, [0x12345678] = 96 }, count)
    for _, entry in ipairs(body.shape.properties[0xF601].entries) do assert.equal(1, entry.filter) end
    local one = build { kind = "mesh", mesh = ground(4, { "wood", "stone" }), material = "stone", layer = 13 }
    assert.same({ { filter = 13, material = STONE } }, one.shape.properties[0xF601].entries)
    assert.equal(STONE, one.shape.material)
  end)

  it("says which materials it does not know", function()
    local _, _, report = build { kind = "mesh", mesh = ground(2, { "wood", "Material.001" }) }
    assert.equal("blocks[1]", report.skipped[1].path)
    assert.matches("none of collision: it has metal there", report.skipped[1].reason)
    local drawn = select(3, build { kind = "mesh", mesh = ground(2, { "wood", [[Materials\Props\Crate.BGSM]] }) })
    assert.same({}, drawn.skipped)                             -- a shader's says nothing of collision
    local mesh = ground(1)
    mesh.materials = { "wood", false }                         -- of each triangle, as lathe.import gives them
    local body = build { kind = "mesh", mesh = mesh }
    local _, triangles = fo4.geometry(body.shape)
    local ids = { triangles[1].material, triangles[2].material }
    table.sort(ids)
    assert.same({ METAL, WOOD }, ids)
  end)

  it("makes a mesh of 20,000 triangles in a moment", function()
    local mesh, doc, start = ground(100), scene(), os.clock()
    assert(doc:set_collision(nil, { kind = "mesh", mesh = mesh }))
    assert.is_true(os.clock() - start < 5)                     -- some 0.3 s; slow machines and sanitizers run this, too
    local shape = fo4.read(lathe.bytes(collision_of(doc).data.system)).bodies[1].shape
    assert.same({}, check.shape(shape))
    assert.equal(20000, shape.data.num_primitive_keys)
    -- Each corner is within a step of where it was: the ground says where that is.
    local points = fo4.geometry(shape)
    for _, p in ipairs(points) do
      local x, y = p[1] * UNIT / 10, p[2] * UNIT / 10
      near(math.floor(x + 0.5), x, 0.01)
      near(20 * math.sin(math.floor(x + 0.5) / 5) * math.cos(math.floor(y + 0.5) / 7), p[3] * UNIT, 0.05)
    end
  end)

  it("makes compounds of meshes and parts", function()
    local cube = cloud(40, 5, 20)
    local turned = { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 70, 0, 0, 1 }
    local body = build { kind = "compound", material = "stone", mass = 3, mesh = {
      { positions = cube }, { kind = "box", size = { 10, 20, 30 }, transform = turned, material = "wood" },
      { kind = "sphere", radius = 7, center = { 0, 0, 70 } },
      { kind = "capsule", a = { 0, 0, 0 }, b = { 70, 0, 0 }, radius = 7 },
      cloud(10, 6, 50),
    } }
    local shape = body.shape
    assert.equal("hknpDynamicCompoundShape", shape.class)
    assert.equal(STONE, shape.material)
    local classes = {}
    for i, instance in ipairs(shape.instances) do classes[i] = instance.shape.class end
    assert.same({ "hknpConvexPolytopeShape", "hknpConvexPolytopeShape", "hknpSphereShape", "hknpCapsuleShape",
      "hknpConvexPolytopeShape" }, classes)
    assert.equal(WOOD, shape.instances[2].shape.material)
    near3({ 70 / UNIT, 0, 0 }, shape.instances[2].translation, 1e-6)
    near3({ 0, 1, 0 }, shape.instances[2].columns[1], 1e-6)
    assert.equal(0x3F000046, shape.instances[2].columns[1].w)
    assert.equal(0x3F000040, shape.instances[1].columns[1].w)
    assert.equal(5, shape.tree.leaves)
    near(1 / 3, body.motion.inverse_mass, 1e-7)
    local many = {}
    for i = 1, 200 do many[i] = { kind = "sphere", radius = 1, center = { i * 3, (i * 7) % 50, 0 } } end
    assert.equal(200, #build({ kind = "compound", mesh = many }).shape.instances)
    local mixed = build { kind = "compound", mesh = { { kind = "mesh", mesh = ground(5), material = "wood" }, cube } }
    assert.equal("hknpCompressedMeshShape", mixed.shape.instances[1].shape.class)
    assert.equal(1, #build({ kind = "compound", mesh = { cube } }).shape.instances)
  end)

  it("puts shapes where their node is", function()
    local doc = scene { { name = "Root" }, { name = "Lid", translation = { 70, 0, 14 }, scale = 2 } }
    local node = doc.blocks[2]
    node.rotation = { 0, 1, 0, -1, 0, 0, 0, 0, 1 }
    local identity = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
    -- In the document's space: bodies are moved and turned like their node, and not scaled.
    local body = build({ kind = "hull", mesh = { positions = { 70, 0, 14, 80, 0, 14, 70, 10, 14, 70, 0, 24 },
      indices = { 0, 1, 2 }, transform = identity } }, doc, "Lid")
    near3({ 70 / UNIT, 0, 14 / UNIT }, body.position, 1e-6)
    local q, points = body.orientation, fo4.geometry(body.shape)
    local function placed(p)
      local x, y, z, w = table.unpack(q)
      local t = { 2 * (y * p[3] - z * p[2]), 2 * (z * p[1] - x * p[3]), 2 * (x * p[2] - y * p[1]) }
      return { p[1] + w * t[1] + y * t[3] - z * t[2] + body.position[1], p[2] + w * t[2] + z * t[1] - x * t[3]
        + body.position[2], p[3] + w * t[3] + x * t[2] - y * t[1] + body.position[3] }
    end
    local low, high = {}, {}
    for k = 1, 3 do low[k], high[k] = math.huge, -math.huge end
    for _, p in ipairs(points) do
      local at = placed(p)
      for k = 1, 3 do low[k], high[k] = math.min(low[k], at[k]), math.max(high[k], at[k]) end
    end
    near3({ 70 / UNIT, 0, 14 / UNIT }, low, 1e-6)
    near3({ 80 / UNIT, 10 / UNIT, 24 / UNIT }, high, 1e-6)
    -- doc:meshes has it where it was built.
    local least, most = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
    for mesh in doc:meshes { what = "collision" } do
      for i = 1, mesh.name == "Lid" and mesh.positions.rows or 0 do
        local p = { matrix.point(mesh.node_transform, mesh.positions:row(i)) }
        for k = 1, 3 do least[k], most[k] = math.min(least[k], p[k]), math.max(most[k], p[k]) end
      end
    end
    near3({ 70, 0, 14 }, least, 1e-4)
    near3({ 80, 10, 24 }, most, 1e-4)
    -- In the node's own: without a transform, of what collides, or said so.
    local plain = { positions = { 0, 0, 0, 10, 0, 0, 0, 10, 0, 0, 0, 10 }, indices = { 0, 1, 2 } }
    local want = { fo4.bounds(fo4.geometry(build({ kind = "hull", mesh = plain }, doc, "Lid").shape)) }
    near3({ 0, 0, 0 }, want[1], 0)
    near3({ 10 / UNIT, 10 / UNIT, 10 / UNIT }, want[2], 1e-6)
    plain.transform = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 70, 0, 0, 1 }
    plain.shape = "hull"
    assert.same(want, { fo4.bounds(fo4.geometry(build({ kind = "hull", mesh = plain }, doc, "Lid").shape)) })
    plain.shape = nil
    local own = build({ kind = "hull", mesh = plain, space = "node" }, doc, "Lid")
    near3({ 1, 0, 0 }, (fo4.bounds(own.shape.vertices)), 1e-3)
    local motion = build({ kind = "box", size = 10, center = { 70, 0, 0 }, mass = 1 }, doc, "Lid").motion
    near3({ 70 / UNIT, -70 / UNIT, 14 / UNIT }, motion.center_of_mass, 1e-4)
  end)

  it("takes nodes by view, number and name", function()
    local doc = scene { { name = "Root" }, { name = "Lid" } }
    for _, node in ipairs { doc.blocks[2], 2, "Lid" } do
      assert(doc:set_collision(node, { kind = "box", size = 10 }))
      assert.equal(doc.blocks[2], collision_of(doc, "Lid").target)
      assert.equal(collision_of(doc, "Lid"), doc.blocks[2].collision_object)
      doc:undo()
    end
    assert(doc:set_collision(false, { kind = "box", size = 10 }))
    assert(doc:set_collision { kind = "box", size = 10 })
    assert(doc:set_collision { node = "Root", kind = "box", size = 10 })
    assert.equal(0, #doc:set_collision({ kind = "box", size = 10 }).skipped)
  end)

  it("takes meshes of documents, of lists and mirrored ones", function()
    local doc = scene()
    local flat = { 0, 0, 0, 10, 0, 0, 0, 10, 0, 0, 0, 10 }
    local rows = { { 0, 0, 0 }, { 10, 0, 0 }, { 0, 10, 0 }, { 0, 0, 10 } }
    local want = build({ kind = "hull", mesh = flat }, doc).shape.vertices
    for _, mesh in ipairs { rows, lathe.buffer("f32", 4, 3, flat), { positions = flat }, { { positions = rows } } } do
      assert.same(want, build({ kind = "hull", mesh = mesh }, doc).shape.vertices)
    end
    local mesh = { positions = flat, indices = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2 },
      transform = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } }
    local points, triangles = fo4.geometry(build({ kind = "mesh", mesh = mesh }, doc).shape)
    local volume = 0
    for _, t in ipairs(triangles) do
      local a, b, c = points[t[1]], points[t[2]], points[t[3]]
      volume = volume + a[1] * (b[2] * c[3] - b[3] * c[2]) + a[2] * (b[3] * c[1] - b[1] * c[3])
        + a[3] * (b[1] * c[2] - b[2] * c[1])
    end
    near(1000 / UNIT ^ 3, volume, 1e-6)                        -- outside is still outside
  end)
end)
