--- Builds the spline data of formats/hkx-animation.md#6 from plain descriptions, and says what a reader must
-- get: the control values after quantisation.
--
--    local spline = sample_spline.build {
--      frames = 40, frame_duration = 1 / 30, max_frames_per_block = 16,   -- 3 blocks, the last one partial
--      tracks = {
--        { translation = { x = 1.5, z = function(frame) return frame / 2 end, degree = 3, points = 6, bits = 8 },
--          rotation = { function(frame) return { 0, 0, 0, 1 } end, code = 1, degree = 1 },
--          scale = nil },                          -- identity
--      },
--      floats = { 0.5, function(frame) return frame end, { 1, 2, 3, bits = 8, degree = 1 }, false },
--      endian = ">",
--    }
--
-- An axis is nothing (identity), a number (static), a function of the clip's frame, which is asked at each
-- control point's place and gives a spline, or a list of control values, for clips of one block. In
-- { blocks = { …, … } } each block has its own axis, or its own part.
-- A rotation is nothing, { x, y, z, w } (static), or with one of [1] = function, points = list of quaternions
-- a spline; `code` is its quantisation (default 1), which a track's rotation_code also sets for identities.
-- A spline has: degree (default 1), knots = list (else clamped and even), points = number of control points
-- (functions; default: one a frame), bits = 8 | 16.
-- In `mask` a part may have its own mask byte, for what the writers of games do (0x96) and for errors.

local spline = {}

-- ---- quantisation ---------------------------------------------------------------------------------

local function f32(value)
  return (string.unpack("<f", string.pack("<f", value)))
end

local function round(value)
  return math.floor(value + 0.5)
end

local function clamp(value, low, high)
  return math.max(low, math.min(high, value))
end

--- One value between two others in 8 or 16 bits: the stored number, and what it reads as.
function spline.quantize_scalar(value, low, high, bits)
  local most = (1 << bits) - 1
  local q = high > low and clamp(round((value - low) / (high - low) * most), 0, most) or 0
  return q, low + (high - low) * q / most
end

local function unit(q)
  local length = math.sqrt(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
  return { q[1] / length, q[2] / length, q[3] / length, q[4] / length }
end

-- Index from 0 of the largest component, and the other three.
local function drop_largest(q)
  local largest = 1
  for i = 2, 4 do
    if math.abs(q[i]) > math.abs(q[largest]) then largest = i end
  end
  local rest = { table.unpack(q) }
  local dropped = table.remove(rest, largest)
  return largest - 1, dropped < 0, rest
end

local function with_dropped(index, negative, rest)
  local fourth = math.sqrt(math.max(0, 1 - rest[1] ^ 2 - rest[2] ^ 2 - rest[3] ^ 2))
  local q = { rest[1], rest[2], rest[3] }
  table.insert(q, index + 1, negative and -fourth or fourth)
  return q
end

-- The three kept components as numbers of so many steps around `zero`, and what they read as.
local function three(q, unit_step, zero, most)
  local index, negative, rest = drop_largest(unit(q))
  local stored, read = {}, {}
  for i, c in ipairs(rest) do
    stored[i] = clamp(round(c / unit_step) + zero, 0, most)
    read[i] = (stored[i] - zero) * unit_step
  end
  return index, negative, stored, with_dropped(index, negative, read)
end

local function threecomp40(q, e)
  local index, negative, v, read = three(q, 0.000345436, 2047, 4095)
  local bits = v[1] | v[2] << 12 | v[3] << 24 | index << 36 | (negative and 1 << 38 or 0)
  return string.pack(e .. "I5", bits), read
end

local function threecomp48(q, e)
  local index, negative, v, read = three(q, 0.000043161, 16383, 32767)
  v[1] = v[1] | (index & 1) << 15
  v[2] = v[2] | (index >> 1) << 15
  v[3] = v[3] | (negative and 1 << 15 or 0)
  return string.pack(e .. "I2I2I2", v[1], v[2], v[3]), read
end

local function polar32(q, e)
  q = unit(q)
  local x, y, z, w = math.abs(q[1]), math.abs(q[2]), math.abs(q[3]), math.abs(q[4])
  local r = clamp(round(math.sqrt(1 - math.min(w, 1)) * 1023), 0, 1023)
  local m = math.sqrt(x * x + y * y + z * z)
  local ring, along = 0, 0
  if m > 0 then
    ring = clamp(round(math.acos(math.min(1, z / m)) * 511 / (math.pi / 2)), 0, 511)
    along = clamp(round(math.atan(y, x) * ring / (math.pi / 4)), 0, 2 * ring)
  end
  local bits = ring * ring + along | r << 18
  for i = 1, 4 do
    if q[i] < 0 then bits = bits | 1 << (27 + i) end
  end
  -- and back, from the numbers stored
  local R = 1 - (r / 1023) ^ 2
  local phi, theta = ring * (math.pi / 2) / 511, ring > 0 and math.pi / 4 * along / ring or 0
  local M = math.sqrt(1 - R * R)
  local read = { math.sin(phi) * math.cos(theta) * M, math.sin(phi) * math.sin(theta) * M, math.cos(phi) * M, R }
  for i = 1, 4 do
    if q[i] < 0 then read[i] = -read[i] end
  end
  return string.pack(e .. "I4", bits), read
end

local function uncompressed(q, e)
  return string.pack(e .. "ffff", q[1], q[2], q[3], q[4]), { f32(q[1]), f32(q[2]), f32(q[3]), f32(q[4]) }
end

-- Codes whose bits nobody knows: bytes of the right number, no values.
local function unknown(size)
  return function() return ("\x5A"):rep(size) end
end

local ROTATIONS = {
  [0] = { align = 4, pack = polar32 },
  { align = 1, pack = threecomp40 },
  { align = 2, pack = threecomp48 },
  { align = 1, pack = unknown(3) },
  { align = 2, pack = unknown(2) },
  { align = 4, pack = uncompressed },
}
local NO_CODE = { align = 4, pack = unknown(4) }

spline.CODES = { POLAR32 = 0, THREECOMP40 = 1, THREECOMP48 = 2, THREECOMP24 = 3, STRAIGHT16 = 4, UNCOMPRESSED = 5 }

--- The bytes of a quaternion in a quantisation, and what they read as (nil for codes that none can read).
function spline.pack_rotation(q, code, endian)
  return (ROTATIONS[code] or NO_CODE).pack(q, endian or "<")
end

-- ---- knots ----------------------------------------------------------------------------------------

--- Clamped knots for so many control points over the frames 0..last, as even as whole numbers can be.
function spline.knots(points, degree, last)
  assert(points > degree, ("%d control points for degree %d"):format(points, degree))
  local list = {}
  for _ = 1, degree + 1 do list[#list + 1] = 0 end
  local inner = points - degree - 1
  for i = 1, inner do list[#list + 1] = round(i * last / (inner + 1)) end
  for _ = 1, degree + 1 do list[#list + 1] = last end
  return list
end

-- Where control point i (from 0) has its say: the middle of its inner knots.
local function place(knots, degree, i)
  if degree == 0 then return knots[i + 1] end
  local sum = 0
  for k = i + 1, i + degree do sum = sum + knots[k + 1] end
  return sum / degree
end

-- ---- one part of a track --------------------------------------------------------------------------

-- What a block sees of an axis or a part.
local function of_block(value, b)
  if type(value) == "table" and value.blocks then return value.blocks[b] end
  return value
end

-- Degree, knots and number of control points of a spline; lists of control values give the number.
local function frame_of(part, count, block)
  local degree = part.degree or 1
  if part.knots then
    local knots = of_block(part.knots, block.index)
    return degree, knots, #knots - degree - 1
  end
  local points = count or (type(part.points) == "number" and part.points) or
    math.max(degree == 0 and block.last or block.last + 1, degree + 1)
  return degree, spline.knots(points, degree, block.last), points
end

-- Values of a function at the control points; lists as they are.
local function control_values(source, degree, knots, points, block)
  local list = {}
  for i = 1, points do
    if type(source) == "table" then
      list[i] = source[i] or error("too few control values", 0)
    else
      list[i] = source(block.first + place(knots, degree, i - 1))
    end
  end
  return list
end

local function header(out, degree, knots, points)
  out:pack("I2B", points - 1, degree)
  for _, k in ipairs(knots) do out:pack("B", k) end
end

local function range(values)
  local low, high = math.huge, -math.huge
  for _, v in ipairs(values) do
    low, high = math.min(low, v), math.max(high, v)
  end
  return f32(low), f32(high)
end

-- The axes of a part in a block: { { kind =, value = or source = } }, whether there is a spline, and of how
-- many control points where a list says so.
local function axes_of(part, names, default, block)
  local axes, splined, count = {}, false, nil
  for i, name in ipairs(names) do
    local source = of_block(part[name], block.index)
    if type(source) == "function" and block.last == 0 then source = source(block.first) end
    if not source then
      axes[i] = { kind = "identity", value = default }
    elseif type(source) == "number" then
      axes[i] = { kind = "static", value = f32(source) }
    else
      axes[i] = { kind = "spline", source = source }
      splined = true
      if type(source) == "table" then count = #source end
    end
  end
  return axes, splined, count
end

-- What is stored of each axis before the control points; gives the two nibbles of the mask.
local function write_axes(out, axes, knots, points, degree, block)
  local static, moving = 0, 0
  for i, axis in ipairs(axes) do
    if axis.kind == "spline" then
      moving = moving | 1 << (i - 1)
      axis.values = control_values(axis.source, degree, knots, points, block)
      axis.low, axis.high = range(axis.values)
      out:pack("ff", axis.low, axis.high)
    elseif axis.kind == "static" then
      static = static | 1 << (i - 1)
      out:pack("f", axis.value)
    end
  end
  return static, moving
end

-- The control points: of moving axes the quantised values are written; the list of what all read as.
local function write_points(out, axes, points, bits)
  local list = {}
  for k = 1, points do
    list[k] = {}
    for i, axis in ipairs(axes) do
      local value = axis.value
      if axis.kind == "spline" then
        local q
        q, value = spline.quantize_scalar(axis.values[k], axis.low, axis.high, bits)
        out:pack(bits == 8 and "I1" or "I2", q)
      end
      list[k][i] = value
    end
  end
  return list
end

-- Writes a vector part. Gives the low and high nibble of its mask, what is to be read, the quantisation.
local function write_vector(out, part, names, default, block)
  local axes, splined, count = axes_of(part, names, default, block)
  local bits, decoded = part.bits or 16, { kind = "identity", value = {} }
  local degree, knots, points
  if splined then
    degree, knots, points = frame_of(part, count, block)
    header(out, degree, knots, points)
    out:align(4)
  end
  local static, moving = write_axes(out, axes, knots, points, degree, block)
  if splined then
    decoded = { kind = "spline", degree = degree, knots = knots, points = write_points(out, axes, points, bits) }
  else
    if static ~= 0 then decoded.kind = "static" end
    for i, axis in ipairs(axes) do decoded.value[i] = axis.value end
  end
  out:align(4)
  return static, moving, decoded, bits == 8 and 0 or 1
end

-- Writes a rotation. Gives its mask and what is to be read.
local function write_rotation(out, part, code, block)
  local how = ROTATIONS[code] or NO_CODE
  local source = part and (part[1] or part.points)
  if type(source) == "function" and block.last == 0 then part = source(block.first) end
  if not part then return 0, { kind = "identity", value = { 0, 0, 0, 1 } } end
  if type(part[1]) == "number" then
    local bytes, value = how.pack(part, out.endian)
    out:bytes(bytes)
    out:align(4)
    return 0x0F, { kind = "static", value = value }
  end
  local list = type(source) == "table" and source or nil
  local degree, knots, points = frame_of(part, list and #list, block)
  local decoded = { kind = "spline", degree = degree, knots = knots, points = {} }
  header(out, degree, knots, points)
  out:align(how.align)
  local previous
  for i, q in ipairs(control_values(source, degree, knots, points, block)) do
    if previous and q[1] * previous[1] + q[2] * previous[2] + q[3] * previous[3] + q[4] * previous[4] < 0 then
      q = { -q[1], -q[2], -q[3], -q[4] }          -- neighbours in one hemisphere, as in all files
    end
    previous = q
    local bytes, value = how.pack(q, out.endian)
    out:bytes(bytes)
    decoded.points[i] = value
  end
  out:align(4)
  return 0xF0, decoded
end

-- ---- blocks ---------------------------------------------------------------------------------------

local Out = {}
Out.__index = Out

local function new_out(endian)
  return setmetatable({ endian = endian, parts = {}, size = 0 }, Out)
end

function Out:bytes(bytes)
  self.parts[#self.parts + 1] = bytes
  self.size = self.size + #bytes
end

function Out:pack(format, ...)
  local e = self.endian
  local ok, bytes = pcall(string.pack, e .. format, ...)
  if not ok then error(bytes .. " in " .. format, 0) end
  self:bytes(bytes)
end

function Out:align(to)
  self:bytes(("\0"):rep(-self.size % to))
end

local XYZ = { "x", "y", "z" }

-- A part of a block's own, or the axes of it.
local function part_of(part, b)
  if part and part.blocks then return part.blocks[b] or nil end
  return part or nil
end

local function write_track(out, track, block)
  local translation = part_of(track.translation, block.index) or {}
  local rotation = part_of(track.rotation, block.index)
  local scale = part_of(track.scale, block.index) or {}
  local code = rotation and rotation.code or track.rotation_code or 1
  local ts, tm, t, tq = write_vector(out, translation, XYZ, 0, block)
  local rm, r = write_rotation(out, rotation, code, block)
  local ss, sm, s, sq = write_vector(out, scale, XYZ, 1, block)
  local mask = {
    (translation.code or tq) | (code & 15) << 2 | (scale.code or sq) << 6,
    translation.mask or ts | tm << 4,
    rotation and rotation.mask or rm,
    scale.mask or ss | sm << 4,
  }
  if r.value == nil and r.kind == "static" then r.unreadable = true end
  return { mask = mask, translation = t, rotation = r, scale = s }
end

local function write_float(out, float, block)
  local part = float
  if type(float) ~= "table" then
    part = { value = float or nil }
  elseif float[1] and type(float[1]) == "function" then
    part = setmetatable({ value = float[1] }, { __index = float })
  elseif float[1] then
    part = setmetatable({ value = { table.unpack(float) } }, { __index = float })
  elseif float.blocks then
    part = setmetatable({ value = { blocks = float.blocks } }, { __index = float })
  end
  local static, moving, decoded, quantization = write_vector(out, part, { "value" }, 0, block)
  return part.mask or (static | moving << 4 | (part.code or quantization) << 1), decoded
end

local function write_block(opts, block)
  local out, floats = new_out(opts.endian), new_out(opts.endian)
  local decoded = { first = block.first, last = block.first + block.last, tracks = {}, floats = {} }
  local masks = new_out(opts.endian)
  for i, track in ipairs(opts.tracks) do
    decoded.tracks[i] = write_track(out, track, block)
    masks:pack("BBBB", table.unpack(decoded.tracks[i].mask))
  end
  for i, float in ipairs(opts.floats) do
    local mask
    mask, decoded.floats[i] = write_float(floats, float, block)
    decoded.floats[i].mask = mask
    masks:pack("B", mask)
  end
  masks:align(4)
  out:align(4)
  local head, body, tail = table.concat(masks.parts), table.concat(out.parts), table.concat(floats.parts)
  local bytes = head .. body .. tail
  return bytes .. ("\0"):rep(-#bytes % 16), #head, #head + #body, decoded
end

-- ---- all ------------------------------------------------------------------------------------------

--- Frames 0..frames-1 in blocks of at most `most` frames that share one: { { index =, first =, last = local } }.
function spline.blocks(frames, most)
  local step = most - 1
  local count = math.max(1, (frames - 1 + step - 1) // step)
  local list = {}
  for b = 1, count do
    local first = (b - 1) * step
    list[b] = { index = b, first = first, last = math.min(first + step, frames - 1) - first }
  end
  return list
end

--- Builds the data of a clip; see above. opts: frames, tracks, floats, frame_duration (default 1/30) or
-- duration, max_frames_per_block (default 256), endian.
-- Gives the members of hkaSplineCompressedAnimation that describe it (duration, num_frames, block_offsets, data,
-- …, in f32), and `decoded`: a list of blocks { first =, last = (frames), tracks = { { mask = { 4 bytes },
-- translation =, rotation =, scale = } }, floats = { … } }. A part has kind = "identity", "static" (both with
-- value = list) or "spline" (degree, knots, points = list of lists): what is to be read, rounding included.
function spline.build(opts)
  local o = { endian = opts.endian or "<", tracks = opts.tracks or {}, floats = opts.floats or {} }
  local most, frames = opts.max_frames_per_block or 256, opts.frames
  assert(most >= 2 and most <= 256 and frames >= 1)
  local frame_duration = opts.frame_duration or
    (opts.duration and frames > 1 and opts.duration / (frames - 1)) or 1 / 30
  local out = {
    number_of_transform_tracks = #o.tracks, number_of_float_tracks = #o.floats,
    duration = f32(opts.duration or frame_duration * (frames - 1)),
    num_frames = frames, max_frames_per_block = most,
    frame_duration = f32(frame_duration), block_duration = f32(frame_duration * (most - 1)),
    block_inverse_duration = f32(1 / (frame_duration * (most - 1))),
    block_offsets = {}, float_block_offsets = {}, transform_offsets = {}, float_offsets = {},
    endian = o.endian == ">" and 1 or 0,
  }
  local blocks, data, at = {}, {}, 0
  for b, block in ipairs(spline.blocks(frames, most)) do
    local bytes
    out.block_offsets[b] = at
    bytes, out.mask_and_quantization_size, out.float_block_offsets[b], blocks[b] = write_block(o, block)
    data[b] = bytes
    at = at + #bytes
  end
  out.num_blocks, out.data = #data, table.concat(data)
  return out, blocks
end

return spline
