--- Collision of Fallout 4 for tests, on machines without the game's files: systems as packfiles, and NIFs around them,
-- made by nothing of lathe. sample_hknp and sample_hknp_mesh make the shapes.
--
--    local blob, info = sample.system { { shape = hknp.box { … }, kind = "dynamic", mass = 2, layer = 4 }, … }
--    local bytes = sample.nif({ { name = "Root", body = 0 }, { name = "Lid", body = 1, scale = 2 } }, blob)
--    for name, blob in pairs(sample.blobs()) do … end       -- one for each kind of shape, and one of all
--
-- A body: shape; kind "static" (else: "keyframed", "dynamic"); mass (1); layer; position, orientation; material, a
-- number (from 0) of the system's materials. opts of a system: materials = { { friction =, restitution = }, … }.

local hknp = require "sample_hknp"
local hkx = require "sample_hkx"
local mesh = require "sample_hknp_mesh"
local nif = require "sample_nif"

local sample = {}

local pack = string.pack

local NONE = 0x7FFFFFFF
local FOREVER = 0x5F7FFFF0 -- distances that no motion reaches

-- ---- records of a system --------------------------------------------------------------------------

local function material(m)
  local trigger = m.trigger and 2 or 0
  return table.concat {
    pack("<I8I4i4BB", 0, 0, m.trigger and 0x200000 or 0, trigger, 0xFF),
    hknp.half(m.friction or 0.5), hknp.half(m.static_friction or m.friction or 0.5), hknp.half(m.restitution or 0.4),
    pack("<BBI2I4fBB", 1, 2, 0x3D4C, 0x7F7FFFEE, 1, 0, 0), hknp.half(1), ("\0"):rep(16), hknp.half(5), ("\0"):rep(22),
  }
end

local function motion_properties()
  return pack("<I4I4fffffffffffI2I2BBBBB", 0, 0, 1, 1, 104.375, 31.5703125, 0.10009765625, 0.050048828125, 0.17,
    0.4905, 0.0025, 0.0025, 1, 0x67FF, 0x999B, 4, 0x73, 0x75, 6, 0x73) .. "\0\0\0"
end

local function motion(body)
  local dynamic, mass = body.kind == "dynamic", body.mass or 1
  local inverse, factor, inertia = 0, 1, { 0, 0, 0 }
  if dynamic then
    inverse, factor = 1 / mass, mass / (body.shape.volume or 1)
    for k = 1, 3 do inertia[k] = 1 / ((body.shape.inertia or { 0.1, 0.1, 0.1 })[k] * factor) end
  end
  return pack("<I2BBffI4I4", dynamic and 0 or 0xFFFF, 1, 0, inverse, factor, FOREVER, FOREVER) .. ("\0"):rep(12)
    .. hknp.vec(inertia, dynamic and 0x3F800000 or 0) .. hknp.vec(body.position or { 0, 0, 0 })
    .. pack("<ffff", table.unpack(body.orientation or { 0, 0, 0, 1 })) .. ("\0"):rep(32)
end

local LAYERS = { static = 1, keyframed = 2, dynamic = 4 }

local function body_cinfo(body, motion_id)
  local kind = body.kind or "static"
  return pack("<I8I4I4BBI2I4i4f", 0, NONE, motion_id or NONE, 0xFF, 0, body.material or 0, body.layer or LAYERS[kind],
    kind == "dynamic" and 0x80 or 0, 0) .. ("\0"):rep(16) .. hknp.vec(body.position or { 0, 0, 0 })
    .. pack("<ffff", table.unpack(body.orientation or { 0, 0, 0, 1 })) .. ("\0"):rep(16)
end

--- A packfile of bodies; and what sample_hkx.build tells, with `root`.
function sample.system(bodies, opts)
  opts = opts or {}
  local materials, motions, cinfos, slots, moving = {}, {}, {}, {}, false
  for i, m in ipairs(opts.materials or { {} }) do materials[i] = material(m) end
  for i, body in ipairs(bodies) do
    if body.kind == "dynamic" or body.kind == "keyframed" then
      motions[#motions + 1] = motion(body)
      moving = true
      cinfos[i] = body_cinfo(body, #motions - 1)
    else
      cinfos[i] = body_cinfo(body)
    end
    slots[i] = ("\0"):rep(8)
  end
  local o = hknp.object("hknpPhysicsSystemData", 0x80)
  o:array(0x10, materials)
  o:array(0x20, moving and { motion_properties() } or {})
  o:array(0x30, motions)
  local at = o:array(0x40, cinfos)
  for i, body in ipairs(bodies) do o:points(at + 0x60 * (i - 1), body.shape) end
  o:array(0x50, {})
  at = o:array(0x60, slots)
  for i, body in ipairs(bodies) do o:points(at + 8 * (i - 1), body.shape) end
  local root = o:done()
  local blob, info = hkx.build(root, { game = "fallout4", embedded = true })
  info.root = root
  return blob, info
end

-- ---- scenes ---------------------------------------------------------------------------------------

--- A NIF of nodes { name =, scale =, translation =, body = number }, all below the first one, with one system.
function sample.nif(nodes, blob, more)
  local blocks, collision, children = {}, {}, {}
  for i, node in ipairs(nodes) do
    blocks[i] = { type = i == 1 and "BSFadeNode" or "NiNode", name = node.name, scale = node.scale,
      translation = node.translation, }
    if i > 1 then children[#children + 1] = i - 1 end
    if node.body then
      collision[#collision + 1] = { i - 1, node.body }
      blocks[i].collision_object = #nodes + #collision - 1
    end
  end
  blocks[1].children = children
  local system = #nodes + #collision
  for _, c in ipairs(collision) do
    blocks[#blocks + 1] = { type = "bhkNPCollisionObject", bytes = pack("<i4I2i4I4", c[1], 0x80, system, c[2]),
      refs = {}, string_refs = {} }
  end
  blocks[#blocks + 1] = { type = "bhkPhysicsSystem", bytes = pack("<s4", blob), refs = {}, string_refs = {} }
  local opts = { game = "fo4", blocks = blocks }
  for k, v in pairs(more or {}) do opts[k] = v end
  return nif.build(opts)
end

-- ---- what there is --------------------------------------------------------------------------------

local WOOD, STONE, METAL = 0x1DD9C611, 0xDF02F237, 0x064003D4

-- Two sections with an edge in common: a floor of stone, and a ramp of metal and wood on it.
local function two_sections(scale)
  local s = scale or 1
  return mesh.shape {
    material = 0xFCB37EA0, materials = { { material = STONE }, { material = METAL }, { material = WOOD, filter = 3 } },
    shared = { { 2 * s, 0, 0 }, { 2 * s, 3 * s, 0 } },
    sections = {
      { vertices = { { -2 * s, 0, 0 }, { 0, 0, 0 }, { 0, 3 * s, 0 }, { -2 * s, 3 * s, 0 } }, shared = { 0, 1 },
        primitives = { { 0, 1, 2, 3 }, { 1, 4, 5, 2 } } },
      { vertices = { { 4 * s, 0, 1 * s }, { 4 * s, 3 * s, 1 * s }, { 6 * s, 1.5 * s, 1.25 * s } }, shared = { 0, 1 },
        primitives = { { 3, 0, 1, 4, entry = 1 }, { 0, 2, 1, entry = 2 } } },
    },
  }
end

sample.two_sections = two_sections

-- Numbers that a section has for the points of a column. Columns of its own come before those that it shares.
local function add_column(section, column)
  local numbers = {}
  for y, point in ipairs(column) do
    if column.shared then
      table.insert(section.shared, column.shared + y - 1)
    else
      table.insert(section.vertices, point)
    end
    numbers[y] = #section.vertices + #section.shared - 1
  end
  return numbers
end

local function strip(left, right, rng)
  local section = { vertices = {}, shared = {}, primitives = {} }
  local r = not right.shared and add_column(section, right)
  local l = add_column(section, left)
  r = r or add_column(section, right)
  for y = 1, #left - 1 do
    local entry = rng(0, 2)
    if rng(0, 3) > 0 then
      table.insert(section.primitives, { l[y], r[y], r[y + 1], l[y + 1], entry = entry })
    else
      table.insert(section.primitives, { l[y], r[y], r[y + 1], entry = entry })
      table.insert(section.primitives, { l[y], r[y + 1], l[y + 1], entry = rng(0, 2) })
    end
  end
  return section
end

--- A ground by chance: strips side by side, a section each, that share the vertices between them.
function sample.ground(seed)
  local rng = nif.rng(seed)
  local strips, length, size = rng(1, 7), rng(2, 30), 10.0 ^ rng(-2, 3)
  local columns, shared, sections = {}, {}, {}
  for x = 0, strips do
    local column = { shared = x > 0 and x < strips and #shared or nil }
    for y = 1, length do column[y] = { x * size, y * size, rng(-1000, 1000) / 1000 * size } end
    columns[x] = column
    if column.shared then table.move(column, 1, length, #shared + 1, shared) end
  end
  for s = 1, strips do sections[s] = strip(columns[s - 1], columns[s], rng) end
  return mesh.shape { sections = sections, shared = shared,
    materials = { { material = STONE }, { material = METAL, filter = 2 }, { material = WOOD } } }
end

local QUARTER = { { 0, 1, 0 }, { -1, 0, 0 }, { 0, 0, 1 } } -- about z

local function of_everything()
  local box = hknp.box { half = { 0.5, 0.25, 0.125 }, material = WOOD }
  return {
    { shape = box, kind = "dynamic", mass = 4, material = 0, position = { 1, 2, 3 } },
    { shape = hknp.sphere { center = { 0, 0.5, 0 }, radius = 0.25, material = METAL }, kind = "keyframed", material = 1 },
    { shape = hknp.capsule { a = { 0, 0, 1 }, b = { 0, 0, 0.25 }, radius = 0.2, material = METAL }, material = 1 },
    { shape = two_sections(), material = 2, orientation = { 0, 0, 0.5 ^ 0.5, 0.5 ^ 0.5 }, position = { 0, 0, 1 } },
    { shape = hknp.compound({
      { shape = box }, { shape = box, translation = { 2, 0, 0 } },
      { shape = hknp.capsule { a = { 1, 0, 0 }, b = { -1, 0, 0 }, radius = 0.1, material = STONE }, columns = QUARTER,
        translation = { 0, 0, 2 } },
      { shape = two_sections(0.1), translation = { 0, -1, 0 } },
    }, WOOD), kind = "dynamic", mass = 10, material = 2 },
  }
end

local MATERIALS = { { friction = 0.5 }, { friction = 0.6, restitution = 0.2 }, { friction = 0.8, static_friction = 0.7 } }

--- Systems by name; and what they were made of.
function sample.blobs()
  local made = {
    box = { { shape = hknp.box { half = { 1, 2, 3 }, center = { 0.5, 0, -1 }, radius = 0.02, material = STONE } } },
    sphere = { { shape = hknp.sphere { center = { 1, 2, 3 }, radius = 1.5, material = METAL }, kind = "dynamic" } },
    capsule = { { shape = hknp.capsule { a = { 0, 0, 1 }, b = { 1, 0, 0 }, radius = 0.5 }, kind = "keyframed" } },
    mesh = { { shape = two_sections() } },
    compound = { { shape = hknp.compound({ { shape = hknp.sphere { radius = 1 } },
      { shape = hknp.sphere { radius = 0.5 }, translation = { 0, 0, 1 } } }) } },
    everything = of_everything(),
  }
  local blobs = {}
  for name, bodies in pairs(made) do blobs[name] = sample.system(bodies, { materials = MATERIALS }) end
  return blobs, made
end

--- A scene of them all: the bodies of `everything`, one on each node, the last one below a node of twice the size.
function sample.scene(more)
  local nodes = { { name = "Root", body = 0 }, { name = "Ball", body = 1, translation = { 10, 20, 30 } },
    { name = "Rail", body = 2 }, { name = "Floor", body = 3 }, { name = "Big", scale = 2, body = 4 } }
  return sample.nif(nodes, sample.system(of_everything(), { materials = MATERIALS }), more)
end

return sample
