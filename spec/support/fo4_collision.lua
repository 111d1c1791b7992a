--- Reads the collision of Fallout 4 (formats/fo4-collision.md) in plain Lua, for tests: shares nothing with the core.
-- fo4_collision_check says what is wrong with what was read.
--
--    local fo4 = require "fo4_collision"
--    local system = fo4.read(blob)                 -- the packfile of a bhkPhysicsSystem or bhkRagdollSystem
--    for _, body in ipairs(system.bodies) do print(body.layer, body.shape.class) end
--    local points, triangles = fo4.geometry(system.bodies[1].shape)   -- where the shape is; all children
--
-- Units are Havok's. Vectors are lists of numbers; a fourth one is in `w`, as the bits of its word, where they mean
-- something. Numbers of things count from 0, as in the file.

local hkx_reader = require "hkx_reader"

local fo4 = {}

local unpack = string.unpack

--- Game units in one Havok unit.
fo4.UNIT = 69.99125

-- ---- values ---------------------------------------------------------------------------------------

-- What reads at offsets of the data.
local Data = {}
Data.__index = Data

local function number(format, size)
  return function(self, at) return (unpack(format, self.file.bytes, self.file:place(at, size))) end
end

Data.u8, Data.u16, Data.u32, Data.i32 = number("B", 1), number("<I2", 2), number("<I4", 4), number("<i4", 4)
Data.u64, Data.f32 = number("<I8", 8), number("<f", 4)

function Data:half(at) return (unpack("<f", string.pack("<I4", self:u16(at) << 16))) end

-- Three numbers, and the bits of the fourth word.
function Data:vec(at)
  local x, y, z, w = unpack("<fffI4", self.file.bytes, self.file:place(at, 16))
  return { x, y, z, w = w }
end

function Data:floats(at, n)
  local list = { unpack("<" .. ("f"):rep(n), self.file.bytes, self.file:place(at, 4 * n)) }
  list[n + 1] = nil
  return list
end

function Data:quat(at) return self:floats(at, 4) end

-- The object that a pointer leads to, or nil.
function Data:object(at)
  local target = self.file.points_to[at]
  assert(type(target) ~= "number", "a pointer to no object")
  return target
end

-- What a hkArray holds: read(self, offset) of each element.
function Data:array(at, stride, read)
  local count, capacity = self:i32(at + 8), self:u32(at + 12)
  assert(count >= 0 and capacity == count | 0x80000000, ("array at 0x%x: %d of 0x%x"):format(at, count, capacity))
  local start = self.file.points_to[at]
  assert((start ~= nil) == (count > 0), ("array at 0x%x: %d elements, and where?"):format(at, count))
  local list = {}
  for i = 1, count do list[i] = read(self, start + (i - 1) * stride, i - 1) end
  return list
end

-- What a hkRelArray holds.
function Data:rel(at, stride, read)
  local count, offset = self:u16(at), self:u16(at + 2)
  local list = { at = at + offset }
  for i = 1, count do list[i] = read(self, at + offset + (i - 1) * stride, i - 1) end
  return list
end

function Data:packed_vector(at)
  local x, y, z, e = unpack("<i2i2i2I2", self.file.bytes, self.file:place(at, 8))
  local unit = 65536 * unpack("<f", string.pack("<I4", e << 16))
  return { x * unit, y * unit, z * unit }
end

-- ---- properties -----------------------------------------------------------------------------------

local properties = {}

function properties.hknpShapeMassProperties(d, at)
  local axis = {}
  for i = 1, 4 do axis[i] = (d:u16(at + 0x1E + 2 * i) - 32768) / 30000 end
  return { class = "hknpShapeMassProperties", center_of_mass = d:packed_vector(at + 0x10),
    inertia = d:packed_vector(at + 0x18), major_axis = axis, mass = d:f32(at + 0x28), volume = d:f32(at + 0x2C) }
end

function properties.hknpBSMaterialProperties(d, at)
  local function entry(_, e) return { filter = d:u32(e + 0x10), material = d:u32(e + 0x14) } end
  return { class = "hknpBSMaterialProperties", entries = d:array(at + 0x10, 0x18, entry) }
end

-- By key.
local function read_properties(d, object)
  local list = {}
  if not object then return list end
  assert(object.class == "hkRefCountedProperties", object.class)
  d:array(object.offset, 0x10, function(_, at)
    local target, key = d:object(at), d:u16(at + 8)
    list[key] = properties[target.class](d, target.offset)
  end)
  return list
end

-- ---- shapes ---------------------------------------------------------------------------------------

local shapes = {}

local function face(d, at)
  return { first = d:u16(at), count = d:u8(at + 2), min_half_angle = d:u8(at + 3) }
end

-- A hull: those of its vertices and planes that are not there to fill up.
local function read_hull(d, at, shape)
  shape.vertices, shape.planes = d:rel(at + 0x30, 16, d.vec), d:rel(at + 0x40, 16, d.quat)
  shape.faces, shape.indices = d:rel(at + 0x44, 4, face), d:rel(at + 0x48, 1, d.u8)
  local real = #shape.vertices
  while real > 1 and shape.vertices[real].w == shape.vertices[real - 1].w do real = real - 1 end
  shape.real_vertices = real
  for _, f in ipairs(shape.faces) do
    for i = 1, f.count do f[i] = shape.indices[f.first + i] end
  end
end

shapes.hknpConvexPolytopeShape = read_hull

function shapes.hknpCapsuleShape(d, at, shape)
  read_hull(d, at, shape)
  shape.a, shape.b = d:vec(at + 0x50), d:vec(at + 0x60)
end

function shapes.hknpSphereShape(d, at, shape)
  shape.vertices = d:rel(at + 0x30, 16, d.vec)
  shape.center = shape.vertices[1]
end

-- ---- compressed meshes ----------------------------------------------------------------------------

-- An axis of a node's box: of both, how much is cut off of the box above.
local function refined(box, bytes)
  local min, max = {}, {}
  for k = 1, 3 do
    local extent = box.max[k] - box.min[k]
    min[k] = box.min[k] + (bytes[k] >> 4) ^ 2 / 226 * extent
    max[k] = box.max[k] - (bytes[k] & 15) ^ 2 / 226 * extent
  end
  return { min = min, max = max }
end

local function section_node(d, at)
  local data = d:u8(at + 3)
  return { d:u8(at), d:u8(at + 1), d:u8(at + 2), leaf = data & 1 == 0 and data >> 1, right = data & 0xFE }
end

local function top_node(d, at)
  local hi, lo = d:u8(at + 3), d:u8(at + 4)
  local data = (hi & 0x7F) << 8 | lo
  return { d:u8(at), d:u8(at + 1), d:u8(at + 2), leaf = hi & 0x80 == 0 and data, right = 2 * data }
end

-- Calls visit(leaf, box, index from 0) at each leaf of a tree, top first. Gives how many nodes it met.
function fo4.walk(nodes, domain, visit)
  local stack, seen, met = { { 1, domain } }, {}, 0
  while #stack > 0 do
    local i, above = table.unpack(table.remove(stack))
    local node = nodes[i]
    assert(node, ("tree: no node %d of %d"):format(i - 1, #nodes))
    assert(not seen[i], ("tree: node %d twice"):format(i - 1))
    seen[i], met = true, met + 1
    local box = refined(above, node)
    if node.leaf then
      visit(node.leaf, box, i - 1)
    else
      stack[#stack + 1] = { i + node.right, box }
      stack[#stack + 1] = { i + 1, box }
    end
  end
  return met
end

local function section(d, at)
  local shared, prims, runs = d:u32(at + 0x4C), d:u32(at + 0x50), d:u32(at + 0x54)
  return {
    nodes = d:array(at, 4, section_node), min = d:vec(at + 0x10), max = d:vec(at + 0x20), codec = d:floats(at + 0x30, 6),
    first_packed = d:u32(at + 0x48), num_packed = shared & 255, first_shared = shared >> 8,
    first_primitive = prims >> 8, num_primitives = prims & 255, first_run = runs >> 8, num_runs = runs & 255,
    num_packed_again = d:u8(at + 0x58), num_shared = d:u8(at + 0x59), leaf_index = d:u16(at + 0x5A),
    rest = d:u32(at + 0x5C),
  }
end

local function quad(d, at) return { d:u8(at), d:u8(at + 1), d:u8(at + 2), d:u8(at + 3) } end
local function run(d, at) return { value = d:u16(at), index = d:u8(at + 2), count = d:u8(at + 3) } end

local function unpacked(v, codec)
  return { codec[1] + (v & 0x7FF) * codec[4], codec[2] + (v >> 11 & 0x7FF) * codec[5], codec[3] + (v >> 22) * codec[6] }
end

local function unshared(v, data)
  local out, q = {}, { v & 0x1FFFFF, v >> 21 & 0x1FFFFF, v >> 42 }
  for k = 1, 3 do out[k] = data.min[k] + q[k] * (data.max[k] - data.min[k]) / (k == 3 and 0x3FFFFF or 0x1FFFFF) end
  return out
end

-- Vertices, primitives and material of each primitive of a section.
local function fill_section(s, data)
  s.vertices, s.primitives, s.entries = {}, {}, {}
  for i = 1, s.num_packed do
    s.vertices[i] = unpacked(assert(data.packed[s.first_packed + i], "no packed vertex"), s.codec)
  end
  for i = 1, s.num_shared do
    local index = assert(data.shared_index[s.first_shared + i], "no shared index")
    s.vertices[s.num_packed + i] = unshared(assert(data.shared[index + 1], "no shared vertex"), data)
  end
  for i = 1, s.num_primitives do
    s.primitives[i] = assert(data.primitives[s.first_primitive + i], "no primitive")
  end
  for i = 1, s.num_runs do
    local r = assert(data.runs[s.first_run + i], "no run")
    for p = r.index, r.index + r.count - 1 do
      assert(not s.entries[p + 1], "two runs of one primitive")
      s.entries[p + 1] = r.value
    end
  end
end

-- Triangles: three numbers of vertices of the section (from 1), its number, key, entry of the materials.
local function triangles_of(s, number_of_it, out)
  for p, q in ipairs(s.primitives) do
    local function add(which, a, b, c)
      for _, v in ipairs { a, b, c } do assert(s.vertices[v + 1], "a triangle without a vertex") end
      out[#out + 1] = { a + 1, b + 1, c + 1, section = number_of_it, key = number_of_it << 8 | (p - 1) << 1 | which,
        entry = s.entries[p] }
    end
    add(0, q[1], q[2], q[3])
    if q[3] ~= q[4] then add(1, q[1], q[3], q[4]) end
  end
end

local function read_mesh_data(d, at)
  local data = {
    nodes = d:array(at + 0x10, 5, top_node), min = d:vec(at + 0x20), max = d:vec(at + 0x30),
    num_primitive_keys = d:i32(at + 0x40), bits_per_key = d:i32(at + 0x44), max_key_value = d:u32(at + 0x48),
    sections = d:array(at + 0x50, 0x60, section), primitives = d:array(at + 0x60, 4, quad),
    shared_index = d:array(at + 0x70, 2, d.u16), packed = d:array(at + 0x80, 4, d.u32),
    shared = d:array(at + 0x90, 8, d.u64), runs = d:array(at + 0xA0, 4, run),
    simd_nodes = d:array(at + 0xB8, 0x70, function(_, n) return d:floats(n, 24) end),
  }
  for _, s in ipairs(data.sections) do fill_section(s, data) end
  return data
end

local function bit_field(d, at)
  return { words = d:array(at, 4, d.u32), bits = d:i32(at + 0x10) }
end

function shapes.hknpCompressedMeshShape(d, at, shape)
  local object = assert(d:object(at + 0x60), "a mesh without data")
  assert(object.class == "hknpCompressedMeshShapeData", object.class)
  shape.data = read_mesh_data(d, object.offset)
  shape.quad_is_flat, shape.triangle_is_interior = bit_field(d, at + 0x68), bit_field(d, at + 0x80)
  shape.triangles = {}
  for i, s in ipairs(shape.data.sections) do triangles_of(s, i - 1, shape.triangles) end
  local list = shape.properties[0xF601] and shape.properties[0xF601].entries or {}
  for _, t in ipairs(shape.triangles) do
    local entry = t.entry and list[t.entry + 1]
    if entry then t.material, t.filter = entry.material, entry.filter end
  end
end

-- ---- compounds ------------------------------------------------------------------------------------

local read_shape

local function instance(d, at)
  local child = assert(d:object(at + 0x50), "an instance without a shape")
  return {
    columns = { d:vec(at), d:vec(at + 0x10), d:vec(at + 0x20) }, translation = d:vec(at + 0x30), scale = d:quat(at + 0x40),
    shape = read_shape(d, child), shape_tag = d:u16(at + 0x58), destruction_tag = d:u16(at + 0x5A),
  }
end

local function compound_node(d, at)
  return { min = d:vec(at), max = d:vec(at + 0x10), left = d:u16(at + 0x1C), right = d:u16(at + 0x1E) }
end

function shapes.hknpDynamicCompoundShape(d, at, shape)
  shape.instances = d:array(at + 0x60, 0x80, instance)
  shape.first_free, shape.min, shape.max = d:i32(at + 0x70), d:vec(at + 0x80), d:vec(at + 0x90)
  shape.is_mutable = d:u8(at + 0xA0)
  local data = assert(d:object(at + 0xC0), "a compound without data")
  assert(data.class == "hknpDynamicCompoundShapeData", data.class)
  shape.tree = { nodes = d:array(data.offset + 0x10, 32, compound_node), first_free = d:u16(data.offset + 0x20),
    leaves = d:u32(data.offset + 0x28), path = d:u32(data.offset + 0x2C), root = d:u16(data.offset + 0x30) }
end

read_shape = function(d, object)
  if d.shapes[object] then return d.shapes[object] end
  local at = object.offset
  local shape = { class = object.class, offset = at, size = object.size, flags = d:u16(at + 0x10),
    key_bits = d:u8(at + 0x12), dispatch = d:u8(at + 0x13), radius = d:f32(at + 0x14), material = d:u64(at + 0x18) }
  d.shapes[object] = shape
  shape.properties = read_properties(d, d:object(at + 0x20))
  local more = shapes[object.class] or error("no such shape: " .. object.class)
  more(d, at, shape)
  shape.mass = shape.properties[0xF100]
  return shape
end

-- ---- systems --------------------------------------------------------------------------------------

local function material(d, at)
  return { flags = d:i32(at + 0x0C), trigger_type = d:u8(at + 0x10), dynamic_friction = d:half(at + 0x12),
    static_friction = d:half(at + 0x14), restitution = d:half(at + 0x16), max_contact_impulse = d:u32(at + 0x1C) }
end

local function motion_properties(d, at)
  return { gravity_factor = d:f32(at + 8), time_factor = d:f32(at + 0xC), max_linear_speed = d:f32(at + 0x10),
    max_angular_speed = d:f32(at + 0x14), linear_damping = d:f32(at + 0x18), angular_damping = d:f32(at + 0x1C) }
end

local function motion(d, at)
  return { properties_id = d:u16(at), enable_deactivation = d:u8(at + 2), inverse_mass = d:f32(at + 4),
    mass_factor = d:f32(at + 8), inverse_inertia = d:vec(at + 0x20), center_of_mass = d:vec(at + 0x30),
    orientation = d:quat(at + 0x40), linear_velocity = d:vec(at + 0x50), angular_velocity = d:vec(at + 0x60) }
end

local function body(d, at)
  local shape, motion_id, filter = d:object(at), d:u32(at + 0xC), d:u32(at + 0x14)
  return { shape = shape and read_shape(d, shape), reserved_id = d:u32(at + 8), filter = filter, layer = filter & 0x7F,
    motion_id = motion_id ~= 0x7FFFFFFF and motion_id or nil, quality_id = d:u8(at + 0x10),
    material_id = d:u16(at + 0x12), flags = d:i32(at + 0x18), position = d:vec(at + 0x30),
    orientation = d:quat(at + 0x40) }
end

local function constraint(d, at)
  local data = d:object(at)
  return { class = data and data.class, body_a = d:u32(at + 8), body_b = d:u32(at + 0xC), flags = d:u8(at + 0x10) }
end

local ROOTS = { hknpPhysicsSystemData = true, hknpRagdollData = true }

--- A packfile. Raises a text where it is none of collision.
function fo4.read(blob)
  local file = hkx_reader.read(blob)
  local d = setmetatable({ file = file, shapes = {} }, Data)
  assert(file.root and ROOTS[file.root.class], "no collision")
  local at = file.root.offset
  local system = {
    file = file, root = file.root.class, materials = d:array(at + 0x10, 0x50, material),
    motion_properties = d:array(at + 0x20, 0x40, motion_properties), motions = d:array(at + 0x30, 0x70, motion),
    bodies = d:array(at + 0x40, 0x60, body), constraints = d:array(at + 0x50, 0x18, constraint),
    referenced = d:array(at + 0x60, 8, d.object), shapes = {},
  }
  for i, object in ipairs(system.referenced) do system.referenced[i] = d.shapes[object] or object end
  for _, b in ipairs(system.bodies) do
    b.material, b.motion = system.materials[b.material_id + 1], b.motion_id and system.motions[b.motion_id + 1]
  end
  for _, shape in pairs(d.shapes) do table.insert(system.shapes, shape) end
  table.sort(system.shapes, function(a, b) return a.offset < b.offset end)
  return system
end

-- ---- geometry -------------------------------------------------------------------------------------

local function moved(p, i)
  local c, s, out = i.columns, i.scale, { w = p.w }
  for k = 1, 3 do
    out[k] = c[1][k] * p[1] * s[1] + c[2][k] * p[2] * s[2] + c[3][k] * p[3] * s[3] + i.translation[k]
  end
  return out
end

local function add_hull(shape, points, triangles)
  local base = #points
  for i = 1, shape.real_vertices do points[base + i] = shape.vertices[i] end
  for _, f in ipairs(shape.faces) do
    for i = 2, f.count - 1 do
      triangles[#triangles + 1] = { base + f[1] + 1, base + f[i] + 1, base + f[i + 1] + 1, material = shape.material }
    end
  end
end

local function add_mesh(shape, points, triangles)
  local bases = {}
  for i, s in ipairs(shape.data.sections) do
    bases[i] = #points
    table.move(s.vertices, 1, #s.vertices, #points + 1, points)
  end
  for _, t in ipairs(shape.triangles) do
    local base = bases[t.section + 1]
    triangles[#triangles + 1] = { base + t[1], base + t[2], base + t[3], material = t.material or shape.material,
      filter = t.filter, key = t.key }
  end
end

--- Points { x, y, z } and triangles { i, j, k (from 1), material =, filter =, key = } of a shape in its own space, and
-- of all its children. The radius is not added; a sphere is a point without triangles.
function fo4.geometry(shape, points, triangles)
  points, triangles = points or {}, triangles or {}
  if shape.instances then
    for _, i in ipairs(shape.instances) do
      local first = #points + 1
      fo4.geometry(i.shape, points, triangles)
      for k = first, #points do points[k] = moved(points[k], i) end
    end
  elseif shape.data then
    add_mesh(shape, points, triangles)
  elseif shape.faces then
    add_hull(shape, points, triangles)
  else
    points[#points + 1] = shape.center
  end
  return points, triangles
end

--- Least and largest of points.
function fo4.bounds(points)
  local min, max = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
  for _, p in ipairs(points) do
    for k = 1, 3 do min[k], max[k] = math.min(min[k], p[k]), math.max(max[k], p[k]) end
  end
  return min, max
end

--- The id of a material's name (3.7).
function fo4.material_id(name)
  local crc = 0
  for i = 1, #name do
    crc = crc ~ name:lower():byte(i)
    for _ = 1, 8 do crc = crc & 1 == 1 and crc >> 1 ~ 0xEDB88320 or crc >> 1 end
  end
  return crc
end

return fo4
