--- Shapes of Fallout 4's collision for tests, byte by byte from formats/fo4-collision.md: objects as sample_hkx.build
-- takes them, with all their bytes. Nothing of lathe takes part. sample_collision puts systems together.
--
--    hknp.box { half = { 1, 2, 3 }, center = { 0, 0, 0 }, radius = 0.01, material = 0x1DD9C611 }
--    hknp.sphere { center =, radius =, material = }         hknp.capsule { a =, b =, radius =, material = }
--    hknp.compound { { shape =, columns = { x, y, z }, translation = { … } }, … }
--
-- sample_hknp_mesh has the meshes. Every maker's object tells `bounds` ({ least, largest }, with the radius).

local hknp = {}

local pack = string.pack

--- Signatures of hk_2014.1.
hknp.signatures = {
  hknpPhysicsSystemData = 0xB857718B, hknpConvexPolytopeShape = 0x3CE9B3E3, hknpSphereShape = 0x741E9012,
  hknpCapsuleShape = 0x60A75F4C, hknpCompressedMeshShape = 0x5F60D536, hknpCompressedMeshShapeData = 0xA2BDFC59,
  hknpDynamicCompoundShape = 0x4620D11C, hknpDynamicCompoundShapeData = 0xF33DC3CC,
  hkRefCountedProperties = 0x7C574867, hknpShapeMassProperties = 0xE9191728, hknpBSMaterialProperties = 0xA3E47A9A,
}

-- ---- objects --------------------------------------------------------------------------------------

-- Bytes at offsets, with room taken behind them.
local Object = {}
Object.__index = Object

--- An object to be filled: put, array, points, done.
function hknp.object(class, size)
  return setmetatable({ class = class, pieces = {}, used = size, locals = {}, globals = {} }, Object)
end

function Object:put(at, bytes)
  self.pieces[#self.pieces + 1] = { at, bytes }
end

--- A pointer to another object; nothing for none.
function Object:points(at, object)
  if object then self.globals[#self.globals + 1] = { at, object } end
end

--- A hkArray of elements, each its bytes, behind all that is there. Gives where they are.
function Object:array(at, elements)
  self:put(at + 8, pack("<I4I4", #elements, #elements | 0x80000000))
  if #elements == 0 then return nil end
  local bytes = table.concat(elements)
  local start = (self.used + 15) // 16 * 16
  self:put(start, bytes)
  self.locals[#self.locals + 1] = { at, start }
  self.used = start + (#bytes + 15) // 16 * 16
  return start
end

--- The object as sample_hkx takes it, with more fields.
function Object:done(more)
  table.sort(self.pieces, function(a, b) return a[1] < b[1] end)
  local out, at = {}, 0
  for i, piece in ipairs(self.pieces) do
    assert(piece[1] >= at, "two values in one place")
    out[i] = ("\0"):rep(piece[1] - at) .. piece[2]
    at = piece[1] + #piece[2]
  end
  local bytes = table.concat(out)
  bytes = bytes .. ("\0"):rep(math.max(self.used, (#bytes + 15) // 16 * 16) - #bytes)
  local done = { class = self.class, signature = hknp.signatures[self.class], opaque = bytes, locals = self.locals,
    globals = self.globals }
  for k, v in pairs(more or {}) do done[k] = v end
  return done
end

-- ---- values ---------------------------------------------------------------------------------------

--- Four words: x, y, z and bits.
function hknp.vec(v, w) return pack("<fffI4", v[1], v[2], v[3], w or 0) end

--- The nearest 16 bits of a float (2.1).
function hknp.half(v)
  local bits = string.unpack("<I4", pack("<f", v))
  return pack("<I2", (bits + 0x8000) >> 16)
end

--- A hkPackedVector3 (3.6).
function hknp.packed_vector(v)
  local most = math.max(math.abs(v[1]), math.abs(v[2]), math.abs(v[3]))
  if most == 0 then return ("\0"):rep(8) end
  local k = math.floor(math.log(most, 2)) - 30
  if math.floor(most / 2.0 ^ k / 65536 + 0.5) > 32767 then k = k + 1 end
  local m = {}
  for i = 1, 3 do m[i] = math.floor(v[i] / 2.0 ^ k / 65536 + 0.5) end
  return pack("<i2i2i2I2", m[1], m[2], m[3], string.unpack("<I4", pack("<f", 2.0 ^ k)) >> 16)
end

--- An f32 as it is read back.
function hknp.f32(v) return (string.unpack("<f", pack("<f", v))) end

local function grown(points, radius)
  local min, max = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
  for _, p in ipairs(points) do
    for k = 1, 3 do min[k], max[k] = math.min(min[k], p[k] - radius), math.max(max[k], p[k] + radius) end
  end
  return { min, max }
end

hknp.grown = grown

-- ---- properties -----------------------------------------------------------------------------------

--- hkRefCountedProperties of one entry.
function hknp.properties(key, property)
  local o = hknp.object("hkRefCountedProperties", 0x10)
  local at = o:array(0, { pack("<I8I2I2I4", 0, key, 0, 0) })
  o:points(at, property)
  return o:done()
end

-- Of a box, its shell counted (3.6).
local function box_mass(half, center, radius)
  local d, inertia = {}, {}
  for k = 1, 3 do d[k] = 2 * (half[k] + radius) end
  local volume = d[1] * d[2] * d[3]
  for k = 1, 3 do
    local a, b = d[k % 3 + 1], d[(k + 1) % 3 + 1]
    inertia[k] = 1.5 * volume / 12 * (a * a + b * b)
  end
  local o = hknp.object("hknpShapeMassProperties", 0x30)
  o:put(0x10, hknp.packed_vector(center) .. hknp.packed_vector(inertia)
    .. pack("<i2i2i2i2", -32768, -32768, -32768, -2768) .. pack("<ff", volume, volume))
  return o:done { volume = volume, inertia = inertia }
end

-- ---- convex shapes --------------------------------------------------------------------------------

local function base(class, size, flags, key_bits, dispatch, radius, material)
  local o = hknp.object(class, size)
  o:put(0x10, pack("<I2BBfI8", flags, key_bits, dispatch, radius, material or 0))
  return o
end

hknp.base = base

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

local function unit(v)
  local n = math.sqrt(dot(v, v))
  return { v[1] / n, v[2] / n, v[3] / n }
end

local NOTHING = pack("<ffff", 0, 0, 0, -3.4028234663852886e38)

-- The four lists of a hull from an offset on: vertices (whole rows of four), planes, faces, indices.
local function put_hull(o, first, vertices, faces)
  local rows, planes, list, indices, count = {}, {}, {}, {}, 0
  for i = 1, (#vertices + 3) // 4 * 4 do
    rows[i] = hknp.vec(vertices[math.min(i, #vertices)], 0x3F000000 | math.min(i, #vertices) - 1)
  end
  for i, face in ipairs(faces) do
    local a, b, c = vertices[face[1] + 1], vertices[face[2] + 1], vertices[face[3] + 1]
    local n = unit(cross(sub(b, a), sub(c, a)))
    planes[i] = pack("<ffff", n[1], n[2], n[3], -dot(n, a))
    list[i] = pack("<I2BB", count, #face, 0x80)
    indices[i] = string.char(table.unpack(face))
    count = count + #face
  end
  for i = #faces + 1, (#faces + 3) // 4 * 4 do planes[i] = NOTHING end
  local at = first
  local function rel(head, elements, size, to)
    at = (at + to - 1) // to * to
    o:put(head, pack("<I2I2", size, at - head))
    o:put(at, table.concat(elements))
    at = at + #table.concat(elements)
  end
  rel(0x30, rows, #rows, 16)
  rel(0x40, planes, #planes, 16)
  rel(0x44, list, #list, 4)
  rel(0x48, indices, count, 16)
  o.used = (at + 15) // 16 * 16
end

--- A hknpConvexPolytopeShape. opts: vertices, faces (from 0, counter-clockwise from outside), radius, material,
-- properties.
function hknp.polytope(opts)
  local radius = opts.radius or 0.01
  local o = base("hknpConvexPolytopeShape", 0x50, 0x143, 0, 1, radius, opts.material)
  o:points(0x20, opts.properties)
  put_hull(o, 0x50, opts.vertices, opts.faces)
  return o:done { bounds = grown(opts.vertices, radius), volume = opts.volume, inertia = opts.inertia }
end

-- Corners of a box: bit 0 of their number is the side along the third axis, bit 1 along the first, bit 2 along the
-- second one.
local BOX_FACES = { { 7, 6, 2, 3 }, { 3, 2, 0, 1 }, { 7, 5, 4, 6 }, { 1, 0, 4, 5 }, { 1, 5, 7, 3 }, { 2, 6, 4, 0 } }

local function corners(x, y, low, high)
  local list = {}
  for i = 0, 7 do
    local end_at = i & 1 == 1 and high or low
    local sx, sy = i & 2 == 0 and 1 or -1, i & 4 == 0 and -1 or 1
    list[i + 1] = {}
    for k = 1, 3 do list[i + 1][k] = hknp.f32(end_at[k] + sx * x[k] + sy * y[k]) end
  end
  return list
end

--- A polytope that is a box, with its mass.
function hknp.box(opts)
  local h, c, radius = opts.half, opts.center or { 0, 0, 0 }, opts.radius or 0.01
  local mass = box_mass(h, c, radius)
  return hknp.polytope {
    vertices = corners({ h[1], 0, 0 }, { 0, h[2], 0 }, { c[1], c[2], c[3] - h[3] }, { c[1], c[2], c[3] + h[3] }),
    faces = BOX_FACES, radius = radius, material = opts.material, volume = mass.volume, inertia = mass.inertia,
    properties = hknp.properties(0xF100, mass),
  }
end

--- A hknpSphereShape: four copies of its centre.
function hknp.sphere(opts)
  local c = opts.center or { 0, 0, 0 }
  local o = base("hknpSphereShape", 0x80, 0x111, 0, 1, opts.radius, opts.material)
  o:put(0x30, pack("<I2I2", 4, 0x10))
  o:put(0x40, hknp.vec(c, 0x3F000000):rep(4))
  return o:done { bounds = grown({ c }, opts.radius) }
end

local THICK = 0.0101 -- half the width of the box around a capsule's axis, of its radius

--- A hknpCapsuleShape from a to b.
function hknp.capsule(opts)
  local a, b, r = opts.a, opts.b, opts.radius
  local z = unit(sub(a, b))
  local x = unit(cross(math.abs(z[1]) < 0.9 and { 1, 0, 0 } or { 0, 1, 0 }, z))
  local y, h = cross(z, x), THICK * r
  local function along(v, p, by) return { p[1] + v[1] * by, p[2] + v[2] * by, p[3] + v[3] * by } end
  local none = { 0, 0, 0 }
  local o = base("hknpCapsuleShape", 0x70, 0x1C3, 0, 1, r, opts.material)
  o:put(0x50, hknp.vec(a, 0x3F800000) .. hknp.vec(b, 0x3F800000))
  local hull = corners(along(x, none, h), along(y, none, h), along(z, b, -h), along(z, a, h))
  put_hull(o, 0x70, hull, BOX_FACES)
  return o:done { bounds = grown(hull, r) }
end

-- ---- compounds ------------------------------------------------------------------------------------

local IDENTITY = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }

local function moved_bounds(instance)
  local c, t, list = instance.columns or IDENTITY, instance.translation or { 0, 0, 0 }, {}
  local b = instance.shape.bounds
  for i = 0, 7 do
    local p, q = { b[1 + (i & 1)][1], b[1 + (i >> 1 & 1)][2], b[1 + (i >> 2)][3] }, {}
    for k = 1, 3 do q[k] = c[1][k] * p[1] + c[2][k] * p[2] + c[3][k] * p[3] + t[k] end
    list[i + 1] = q
  end
  return grown(list, 1e-5)
end

local function union(boxes) -- of { least, largest }
  local list = {}
  for _, box in ipairs(boxes) do table.move(box, 1, 2, #list + 1, list) end
  return grown(list, 0)
end

-- Nodes of the tree, from 1; gives where each instance's leaf is.
local function tree_of(boxes)
  local nodes, leaf_at = {}, {}
  local function add(first, last, parent)
    local at = #nodes + 1
    nodes[at] = false
    local box = union(table.move(boxes, first, last, 1, {}))
    local left, right = 0, first - 1
    if first == last then
      leaf_at[first] = at
    else
      local middle = (first + last) // 2
      left = add(first, middle, at)
      right = add(middle + 1, last, at)
    end
    nodes[at] = hknp.vec(box[1], 0x3F000000 | parent) .. pack("<fffI2I2", box[2][1], box[2][2], box[2][3], left, right)
    return at
  end
  add(1, #boxes, 0)
  return nodes, leaf_at
end

local function instance_bytes(i, leaf)
  local c, t = i.columns, i.translation
  local kind = c and 0x46 or t and 0x42 or 0x40
  c, t = c or IDENTITY, t or { 0, 0, 0 }
  local size = i.shape.class == "hknpCompressedMeshShape" and 0x90 or #i.shape.opaque
  return hknp.vec(c[1], 0x3F000000 | kind) .. hknp.vec(c[2]) .. hknp.vec(c[3], 0x3F000000 | size)
    .. hknp.vec(t, 0x3F000000 | leaf) .. pack("<ffffI8I2I2", 1, 1, 1, 1, 0, 0xFFFF, 0xFFFF) .. ("\0"):rep(0x24)
end

local function bits_of(n)
  local bits = 0
  while n >> bits > 0 do bits = bits + 1 end
  return bits
end

hknp.bits_of = bits_of

--- What compounds and meshes have in common (3.3).
function hknp.composite(class, size, flags, bits, material)
  local o = base(class, size, flags, bits, 2, 0, material)
  o:put(0x30, pack("<I4I4", 0xFFFFFFFF, 0))
  o:array(0x38, {})
  o:array(0x48, {})
  o:put(0x58, pack("<I4", 0xFFFFFFFF))
  return o
end

--- A hknpDynamicCompoundShape of instances { shape =, columns =, translation = }; material for itself.
function hknp.compound(instances, material)
  local boxes, list = {}, {}
  for i, each in ipairs(instances) do boxes[i] = moved_bounds(each) end
  local nodes, leaf_at = tree_of(boxes)
  local data = hknp.object("hknpDynamicCompoundShapeData", 0x40)
  table.insert(nodes, 1, ("\0"):rep(32))
  table.insert(nodes, ("\0"):rep(32))
  data:array(0x10, nodes)
  data:put(0x20, pack("<I2", #nodes - 1))
  data:put(0x28, pack("<I4I4I2", #instances, 0, 1))
  local o = hknp.composite("hknpDynamicCompoundShape", 0xD0, 4, bits_of(#instances), material)
  for i, each in ipairs(instances) do list[i] = instance_bytes(each, leaf_at[i]) end
  local at = o:array(0x60, list)
  for i, each in ipairs(instances) do o:points(at + 0x80 * (i - 1) + 0x50, each.shape) end
  local box = union(boxes)
  o:put(0x70, pack("<i4", -1))
  o:put(0x80, hknp.vec(box[1], 0x3F000001) .. hknp.vec(box[2]) .. "\1")
  o:points(0xC0, data:done())
  return o:done { bounds = box }
end

return hknp
