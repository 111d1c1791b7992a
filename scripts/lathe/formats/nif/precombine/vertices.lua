--- Vertices in the form of precombined geometry: positions are half floats, everything else is as in the
-- shape.
-- @module lathe.formats.nif.precombine.vertices

local core = require "lathe.core"

local vertices = {}

local FULL <const> = 0x400 -- positions are floats
local POSITION <const> = 1
local FLAGS <const> = 44 -- where they begin in a descriptor
local HALF_SIZE <const>, FULL_SIZE <const> = 2, 4 -- size of positions in units of 4 bytes
local MOST_HALF <const> = 65504.0

-- Other attributes that occur in precombined geometry, in the order of their bytes.
local ATTRIBUTES = {
  { flag = 0x02, shift = 8 }, -- texture coordinates
  { flag = 0x08, shift = 16 }, -- normal
  { flag = 0x10, shift = 20 }, -- tangent
  { flag = 0x20, shift = 24 }, -- colour
}

-- Other attributes, with their names for messages.
local UNKNOWN = { { 0x04, "second texture coordinates" }, { 0x40, "bones" }, { 0x80, "land data" },
  { 0x100, "eye data" } }

local KNOWN = POSITION | FULL
for _, attribute in ipairs(ATTRIBUTES) do KNOWN = KNOWN | attribute.flag end

-- The descriptor of vertices with these attributes.
local function descriptor(flags, full)
  local size = full and FULL_SIZE or HALF_SIZE
  local desc = (full and flags | FULL or flags & ~FULL) << FLAGS
  for _, attribute in ipairs(ATTRIBUTES) do
    if flags & attribute.flag ~= 0 then
      desc = desc | size << attribute.shift
      size = size + 1
    end
  end
  return desc | size
end

--- The descriptors of the stored and of the expanded vertices.
-- @tparam integer desc a shape's `vertex_desc`
-- @treturn ?integer the descriptor with half floats
-- @return the descriptor with floats; or the reason of the failure
-- @treturn ?boolean whether the shape has floats
function vertices.descriptors(desc)
  local flags = desc >> FLAGS
  for _, one in ipairs(UNKNOWN) do
    if flags & one[1] ~= 0 then
      return nil, ("its vertices have %s, which precombined geometry is not known to have"):format(one[2])
    end
  end
  local full = flags & FULL ~= 0
  if flags & ~KNOWN ~= 0 or flags & POSITION == 0 or desc ~= descriptor(flags, full) then
    return nil, ("its vertex_desc 0x%016X is none that precombined geometry is known to have"):format(desc)
  end
  return descriptor(flags, false), descriptor(flags, true), full
end

-- ---- half floats ---------------------------------------------------------------------------------------

-- Shifts a mantissa to the right, rounding to nearest, ties to even.
local function rounded(mantissa, bits)
  local kept, rest, middle = mantissa >> bits, mantissa & (1 << bits) - 1, 1 << (bits - 1)
  return (rest > middle or rest == middle and kept & 1 == 1) and kept + 1 or kept
end

--- Converts the bits of a float to those of the nearest half float; 0x7C00 without a sign if it is not
-- finite.
-- @tparam integer bits
-- @treturn integer
function vertices.half(bits)
  local sign, exponent, mantissa = bits >> 16 & 0x8000, (bits >> 23 & 255) - 112, bits & 0x7FFFFF
  if exponent >= 31 then return sign | 0x7C00 end
  if exponent > 0 then return sign | rounded(exponent << 23 | mantissa, 13) end
  if exponent < -10 then return sign end
  return sign | rounded(mantissa | 0x800000, 14 - exponent)
end

--- The number of a half float; not for infinities and NaNs.
-- @tparam integer h
-- @treturn number
function vertices.number(h)
  local exponent, mantissa = h >> 10 & 31, h & 1023
  local value = exponent == 0 and mantissa * 2.0 ^ -24 or (1024 + mantissa) * 2.0 ^ (exponent - 25)
  return h & 0x8000 ~= 0 and -value or value
end

-- Converts x, y, z and the bitangent's x to halves; copies all other bytes.
local function halved(bytes, stride)
  local rows, positions, off = {}, {}, 0.0
  local half, number, abs = vertices.half, vertices.number, math.abs
  for at = 1, #bytes, stride do
    local x, y, z, bitangent = string.unpack("<I4I4I4I4", bytes, at)
    local fx, fy, fz = string.unpack("<fff", bytes, at)
    x, y, z, bitangent = half(x), half(y), half(z), half(bitangent)
    for _, h in ipairs { x, y, z } do
      if h & 0x7C00 == 0x7C00 then return nil, #rows + 1 end
    end
    if bitangent & 0x7C00 == 0x7C00 then bitangent = 0 end -- undefined in vertices without a bitangent
    local hx, hy, hz = number(x), number(y), number(z)
    local n = #positions
    positions[n + 1], positions[n + 2], positions[n + 3] = hx, hy, hz
    off = math.max(off, abs(hx - fx), abs(hy - fy), abs(hz - fz))
    rows[#rows + 1] = string.pack("<I2I2I2I2", x, y, z, bitangent) .. bytes:sub(at + 16, at + stride - 1)
  end
  return table.concat(rows), positions, off
end

-- The first vertex whose position is not finite.
local function first_wrong(positions)
  for i = 1, #positions do
    local fits = math.abs(positions[i]) <= MOST_HALF -- false for NaN
    if not fits then return (i + 2) // 3 end
  end
  return nil
end

local function does_not_fit(shape, i)
  local x, y, z = shape.positions:row(i)
  return ("vertex %d at %.9g, %.9g, %.9g does not fit into half floats, which end at %.0f"):format(i, x, y, z,
    MOST_HALF)
end

--- The vertices of a shape in their stored form.
-- @param shape a BSTriShape
-- @tparam boolean full whether its positions are floats
-- @treturn ?table `bytes`, `positions` (flat, after rounding) and `off`: the largest rounding error of a
--   position
-- @treturn ?string the reason of the failure
function vertices.of(shape, full)
  local bytes = core.pack(shape.vertices)
  if full then
    local stored, positions, off = halved(bytes, 4 * (shape.vertex_desc & 15))
    if not stored then return nil, does_not_fit(shape, positions) end
    return { bytes = stored, positions = positions, off = off }
  end
  local positions = core.totable(shape.positions)
  local wrong = first_wrong(positions)
  if wrong then return nil, does_not_fit(shape, wrong) end
  return { bytes = bytes, positions = positions, off = 0.0 }
end

return vertices
