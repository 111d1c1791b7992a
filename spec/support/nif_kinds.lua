--- What the basic types of NIF are made of, and the packed vertices: for nif_reader and sample_nif.
--
-- Numbers are numbers, flags of type bool true or false, null and absent texts false. Vectors have lanes by name:
-- vec2, vec3, hvec3, vec4 x y z w, quat and hkquat x y z w (in another order in the file), col3 and col4 r g b a,
-- tri is a list of three, mat33 of 9 and mat44 of 16 numbers in file order; bound { center, radius } and
-- xform { rotation, translation, scale } are records.

local kinds = {}

-- ---- halves ---------------------------------------------------------------------------------------

local halves = {}

--- The number that 16 bits stand for (IEEE 754 binary16).
function kinds.half(bits)
  local known = halves[bits]
  if known then return known end
  local exponent, fraction = bits >> 10 & 31, bits & 1023
  local value
  if exponent == 31 then
    value = fraction == 0 and math.huge or 0 / 0
  elseif exponent == 0 then
    value = fraction * 2.0 ^ -24
  else
    value = (1024 + fraction) * 2.0 ^ (exponent - 25)
  end
  if bits & 0x8000 ~= 0 then value = -value end
  halves[bits] = value
  return value
end

local function round_even(value)
  local low = math.floor(value)
  local rest = value - low
  if rest > 0.5 or rest == 0.5 and low % 2 == 1 then low = low + 1 end
  return math.tointeger(low)
end

--- The 16 bits nearest to a number.
function kinds.to_half(value)
  if value ~= value then return 0x7E00 end
  local sign = (value < 0 or 1 / value < 0) and 0x8000 or 0
  local size = math.abs(value)
  if size >= 65520 then return sign | 0x7C00 end
  if size < 2.0 ^ -14 then return sign | round_even(size * 2.0 ^ 24) end
  local exponent = 0
  while size >= 2 do size, exponent = size / 2, exponent + 1 end
  while size < 1 do size, exponent = size * 2, exponent - 1 end
  return sign | (exponent + 15 << 10) + round_even((size - 1) * 1024)
end

--- A number as f32 has it.
function kinds.f32(value)
  return (string.unpack("<f", string.pack("<f", value)))
end

-- ---- basic types ----------------------------------------------------------------------------------

local half = kinds.half

--- By name: size, fmt (of string.unpack), lanes (names or numbers, in file order; none: a plain number), make(…)
-- turns what string.unpack gives into the value.
kinds.fixed = {
  u8 = { size = 1, fmt = "<B" }, i8 = { size = 1, fmt = "<b" },
  u16 = { size = 2, fmt = "<I2" }, i16 = { size = 2, fmt = "<i2" },
  u32 = { size = 4, fmt = "<I4" }, i32 = { size = 4, fmt = "<i4" },
  u64 = { size = 8, fmt = "<i8" }, f32 = { size = 4, fmt = "<f" },
  f16 = { size = 2, fmt = "<I2", half = true, make = function(bits) return half(bits) end },
  vec2 = { size = 8, fmt = "<ff", lanes = { "x", "y" }, make = function(x, y) return { x = x, y = y } end },
  vec3 = { size = 12, fmt = "<fff", lanes = { "x", "y", "z" },
    make = function(x, y, z) return { x = x, y = y, z = z } end },
  vec4 = { size = 16, fmt = "<ffff", lanes = { "x", "y", "z", "w" },
    make = function(x, y, z, w) return { x = x, y = y, z = z, w = w } end },
  quat = { size = 16, fmt = "<ffff", lanes = { "w", "x", "y", "z" },
    make = function(w, x, y, z) return { x = x, y = y, z = z, w = w } end },
  hkquat = { size = 16, fmt = "<ffff", lanes = { "x", "y", "z", "w" },
    make = function(x, y, z, w) return { x = x, y = y, z = z, w = w } end },
  col3 = { size = 12, fmt = "<fff", lanes = { "r", "g", "b" },
    make = function(r, g, b) return { r = r, g = g, b = b } end },
  col4 = { size = 16, fmt = "<ffff", lanes = { "r", "g", "b", "a" },
    make = function(r, g, b, a) return { r = r, g = g, b = b, a = a } end },
  tri = { size = 6, fmt = "<I2I2I2", lanes = { 1, 2, 3 }, make = function(a, b, c) return { a, b, c } end },
  hvec3 = { size = 6, fmt = "<I2I2I2", lanes = { "x", "y", "z" }, half = true,
    make = function(x, y, z) return { x = half(x), y = half(y), z = half(z) } end },
  bound = { size = 16, fmt = "<ffff",
    make = function(x, y, z, r) return { center = { x = x, y = y, z = z }, radius = r } end },
}

local function numbers(n)
  local list = {}
  for i = 1, n do list[i] = i end
  return list
end

kinds.fixed.mat33 = { size = 36, fmt = "<" .. ("f"):rep(9), lanes = numbers(9),
  make = function(...)
    local list = { ... }
    list[10] = nil                                -- the position behind it
    return list
  end }
kinds.fixed.mat44 = { size = 64, fmt = "<" .. ("f"):rep(16), lanes = numbers(16),
  make = function(...)
    local list = { ... }
    list[17] = nil
    return list
  end }
kinds.fixed.xform = { size = 52, fmt = "<" .. ("f"):rep(13),
  make = function(...)
    local list = { ... }
    return { rotation = table.move(list, 1, 9, 1, {}),
      translation = { x = list[10], y = list[11], z = list[12] }, scale = list[13] }
  end }

--- How many bytes a bool takes.
function kinds.bool_size(version)
  return version <= 0x04000002 and 4 or 1
end

--- Whether texts are numbers of a table.
function kinds.has_string_table(version)
  return version >= 0x14010003
end

-- ---- packed vertices (nif.md#7.2) -----------------------------------------------------------------

local FULL = 0x400

--- Attribute bits of a vertex descriptor, and where its nibble with the offset is.
kinds.attributes = {
  { name = "position", bit = 0x001 },
  { name = "uv", bit = 0x002, nibble = 8, size = 4 },
  { name = "uv1", bit = 0x004, nibble = 12, size = 4 },
  { name = "normal", bit = 0x008, nibble = 16, size = 4 },
  { name = "tangent", bit = 0x010, nibble = 20, size = 4 },
  { name = "color", bit = 0x020, nibble = 24, size = 4 },
  { name = "skin", bit = 0x040, nibble = 28, size = 12 },
  { name = "land", bit = 0x080, nibble = 32, size = 8 },
  { name = "eye", bit = 0x100, nibble = 36, size = 4 },
}

local function signed_byte(b)
  return b / 127.5 - 1
end

local function put_normal(vertex, x, y, z, w)
  vertex.normal = { x = signed_byte(x), y = signed_byte(y), z = signed_byte(z) }
  vertex.bitangent_y = signed_byte(w)
end

local function put_tangent(vertex, x, y, z, w)
  vertex.tangent = { x = signed_byte(x), y = signed_byte(y), z = signed_byte(z) }
  vertex.bitangent_z = signed_byte(w)
end

local PUT = {
  position = { "<I2I2I2I2", function(vertex, x, y, z, w)
    vertex.position = { x = half(x), y = half(y), z = half(z) }
    vertex.bitangent_x = half(w)
  end },
  full_position = { "<ffff", function(vertex, x, y, z, w)
    vertex.position = { x = x, y = y, z = z }
    vertex.bitangent_x = w
  end },
  uv = { "<I2I2", function(vertex, u, v) vertex.uv = { u = half(u), v = half(v) } end },
  normal = { "<BBBB", put_normal },
  tangent = { "<BBBB", put_tangent },
  color = { "<BBBB", function(vertex, r, g, b, a)
    vertex.color = { r = r / 255, g = g / 255, b = b / 255, a = a / 255 }
  end },
  skin = { "<I2I2I2I2BBBB", function(vertex, a, b, c, d, i, j, k, l)
    vertex.weights = { half(a), half(b), half(c), half(d) }
    vertex.bones = { i, j, k, l }
  end },
  eye = { "<f", function(vertex, eye) vertex.eye = eye end },
}

local plans = {}

-- A tangent without a normal is not there; what lies outside of the vertex is nobody's.
local function plan_of(desc, sse, shortened)
  local flags, steps = desc >> 44 & 0xFFF, {}
  local shorter = shortened and flags & FULL ~= 0 and 8 or 0
  local stride = (desc & 15) * 4 - shorter
  local full = sse or flags & FULL ~= 0 and shorter == 0
  for _, attribute in ipairs(kinds.attributes) do
    local name, at, size = attribute.name, 0, attribute.size
    if attribute.nibble then
      at = (desc >> attribute.nibble & 15) * 4 - shorter
    else
      size = full and 16 or 8
      name = full and "full_position" or name
    end
    local there = flags & attribute.bit ~= 0 and (name ~= "tangent" or flags & 0x18 == 0x18)
    if there and at + size > stride then
      error(("vertex descriptor %016x: %s ends at %d of %d bytes"):format(desc, attribute.name, at + size, stride), 0)
    end
    if there and PUT[name] then
      steps[#steps + 1] = { name = name, at = at, size = size, fmt = PUT[name][1], put = PUT[name][2] }
    end
  end
  return { stride = stride, steps = steps, full = full }
end

--- How a vertex of a descriptor lies: { stride =, full =, steps = { { name, at, size, fmt, put } } }. UV1 and land data
-- have room, but no meaning here. shortened: positions are halves although the descriptor says floats.
function kinds.vertex_plan(desc, sse, shortened)
  local key = (sse and "s" or shortened and "h" or "f") .. desc
  plans[key] = plans[key] or plan_of(desc, sse, shortened)
  return plans[key]
end

--- The vertex at a position (1-based) of a string.
function kinds.vertex(plan, bytes, at)
  local vertex = {}
  for _, step in ipairs(plan.steps) do
    step.put(vertex, string.unpack(step.fmt, bytes, at + step.at))
  end
  return vertex
end

--- Arguments of blocks that have several layouts, in the order in which they are tried: the first that ends where
--- the block does is it (formats/precombined.md, 6). 1: geometry, 2: a table, 4: halves where descriptors say floats.
kinds.layouts = {
  BSPackedCombinedGeomDataExtra = { 1, 5, 3, 7, 2 },
  BSPackedCombinedSharedGeomDataExtra = { 2, 3, 7, 1, 5 },
}

return kinds
