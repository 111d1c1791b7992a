--- What spline-compressed animations mean, straight from formats/hkx-animation.md#6 (6.1 to 6.6), in doubles
-- and without any thought for speed: the judge of the core's evaluator. It reads the blocks' bytes and knows
-- nothing of those who wrote them.
--
--    local clip = reference.new(members)        -- of hkaSplineCompressedAnimation, as hkx_reader gives them
--    local ten = clip:at_frame(track, frame)    -- { tx, ty, tz, qx, qy, qz, qw, sx, sy, sz }; track from 1
--    local ten = clip:at_time(track, seconds)
--    local value = clip:float_at_frame(track, frame)      and float_at_time

local reference = {}

local Clip = {}
Clip.__index = Clip

-- ---- reading --------------------------------------------------------------------------------------

-- A place in the data, moved by what is read. Offsets count from the block's start.
local Cursor = {}
Cursor.__index = Cursor

function Cursor:read(format)
  local at = self.base + self.at
  local size = string.packsize("=" .. format)
  if at + size > #self.clip.data then
    error(("block at 0x%x: %s at 0x%x is behind the data"):format(self.base, format, self.at), 0)
  end
  self.at = self.at + size
  return (string.unpack(self.clip.endian .. format, self.clip.data, at + 1))
end

function Cursor:align(to)
  self.at = (self.at + to - 1) // to * to
end

-- Number of control points, degree, knots: what splines begin with.
local function read_header(cursor)
  local n, degree, knots = cursor:read "I2", cursor:read "I1", {}
  for i = 0, n + degree + 1 do knots[i] = cursor:read "I1" end
  return { kind = "spline", points = n + 1, degree = degree, knots = knots }
end

local function read_scalar(cursor, quantization, low, high)
  if quantization == 0 then return low + (high - low) * cursor:read "I1" / 255 end
  if quantization == 1 then return low + (high - low) * cursor:read "I2" / 65535 end
  error("unsupported scalar quantisation " .. quantization, 0)
end

-- Translation, scale, and floats as a vector of one axis. flags: bit i static, bit 4 + i spline.
local function read_vector(cursor, flags, axes, quantization, default)
  local part, splined = { kind = "identity" }, {}
  local any_static = flags & 0x0F & ((1 << axes) - 1) ~= 0
  if (flags >> 4) & ((1 << axes) - 1) ~= 0 then
    part = read_header(cursor)
    cursor:align(4)
  elseif any_static then
    part.kind = "static"
  end
  part.value = {}
  for axis = 1, axes do
    local bit = 1 << (axis - 1)
    if flags & (bit << 4) ~= 0 then
      splined[#splined + 1] = { axis = axis, low = cursor:read "f", high = cursor:read "f" }
    else
      part.value[axis] = flags & bit ~= 0 and cursor:read "f" or default
    end
  end
  if part.kind == "spline" then
    part.control = {}
    for i = 0, part.points - 1 do
      local point = { table.unpack(part.value, 1, axes) }
      for _, s in ipairs(splined) do point[s.axis] = read_scalar(cursor, quantization, s.low, s.high) end
      part.control[i] = point
    end
  end
  cursor:align(4)
  return part
end

local function drop_in(dropped, negative, a, b, c)
  local fourth = math.sqrt(math.max(0, 1 - a * a - b * b - c * c))
  local q = { a, b, c }
  table.insert(q, dropped + 1, negative and -fourth or fourth)
  return q
end

local function polar32(cursor)
  local v = cursor:read "I4"
  local p, r = v & 0x3FFFF, (v >> 18) & 0x3FF
  local w = 1 - (r / 1023) ^ 2
  local phi, theta = math.floor(math.sqrt(p)), 0
  if phi > 0 then
    theta = math.pi / 4 * (p - phi * phi) / phi
    phi = phi * (math.pi / 2) / 511
  end
  local m = math.sqrt(1 - w * w)
  local q = { math.sin(phi) * math.cos(theta) * m, math.sin(phi) * math.sin(theta) * m, math.cos(phi) * m, w }
  for i = 1, 4 do
    if v & (1 << (27 + i)) ~= 0 then q[i] = -q[i] end
  end
  return q
end

local function threecomp40(cursor)
  local v = cursor:read "I5"
  local function component(shift) return (((v >> shift) & 0xFFF) - 2047) * 0.000345436 end
  return drop_in((v >> 36) & 3, (v >> 38) & 1 == 1, component(0), component(12), component(24))
end

local function threecomp48(cursor)
  local a, b, c = cursor:read "I2", cursor:read "I2", cursor:read "I2"
  local function component(v) return ((v & 0x7FFF) - 16383) * 0.000043161 end
  return drop_in((a >> 15) | (b >> 15) << 1, c >> 15 == 1, component(a), component(b), component(c))
end

local function uncompressed(cursor)
  return { cursor:read "f", cursor:read "f", cursor:read "f", cursor:read "f" }
end

local ROTATIONS = {
  [0] = { align = 4, read = polar32 },
  [1] = { align = 1, read = threecomp40 },
  [2] = { align = 2, read = threecomp48 },
  [5] = { align = 4, read = uncompressed },
}

local function read_rotation(cursor, flags, quantization)
  local how = ROTATIONS[quantization]
  if not how then error("unsupported rotation quantisation " .. quantization, 0) end
  local part = { kind = "identity", value = { 0, 0, 0, 1 } }
  if flags & 0xF0 ~= 0 then
    part = read_header(cursor)
    cursor:align(how.align)
    part.control = {}
    for i = 0, part.points - 1 do part.control[i] = how.read(cursor) end
  elseif flags ~= 0 then
    part = { kind = "static", value = how.read(cursor) }
  end
  cursor:align(4)
  return part
end

local function read_block(clip, b)
  local block = { tracks = {}, floats = {}, base = clip.block_offsets[b] }
  local masks = setmetatable({ clip = clip, base = block.base, at = 0 }, Cursor)
  local parts = setmetatable({ clip = clip, base = block.base, at = clip.mask_and_quantization_size }, Cursor)
  for i = 1, clip.number_of_transform_tracks do
    local quantization, t, r, s = masks:read "B", masks:read "B", masks:read "B", masks:read "B"
    block.tracks[i] = {
      mask = { quantization, t, r, s },
      translation = read_vector(parts, t, 3, quantization & 3, 0),
      rotation = read_rotation(parts, r, (quantization >> 2) & 15),
      scale = read_vector(parts, s, 3, quantization >> 6, 1),
    }
  end
  block.tracks_end = parts.at
  parts.at = clip.float_block_offsets[b] or parts.at
  for i = 1, clip.number_of_float_tracks do
    local mask = masks:read "B"
    block.floats[i] = read_vector(parts, mask & 0x11, 1, (mask >> 1) & 3, 0)
    block.floats[i].mask = mask
  end
  block.floats_end = parts.at
  return block
end

--- A clip of the members of an animation: number_of_transform_tracks, number_of_float_tracks, duration,
-- num_frames, num_blocks, max_frames_per_block, mask_and_quantization_size, block_duration,
-- block_inverse_duration, frame_duration, block_offsets, float_block_offsets, data; endian: 0 little, 1 big.
-- Raises a text where the bytes make no sense.
function reference.new(members)
  local clip = setmetatable({ blocks = {} }, Clip)
  for k, v in pairs(members) do clip[k] = v end
  clip.endian = members.endian == 1 and ">" or "<"
  for b = 1, clip.num_blocks do clip.blocks[b] = read_block(clip, b) end
  return clip
end

-- ---- evaluating -----------------------------------------------------------------------------------

-- 6.5: which span, and the values of the degree + 1 functions that are not zero there.
local function basis(part, u)
  local k, p, n = part.knots, part.degree, part.points
  local s = n - 1
  if u < k[n] then
    s = p
    while s < n - 1 and not (k[s] <= u and u < k[s + 1]) do s = s + 1 end
  end
  local functions = { [0] = 1 }
  for i = 1, p do functions[i] = 0 end
  for i = 1, p do
    for j = i - 1, 0, -1 do
      local width = k[s + i - j] - k[s - j]
      local a = width == 0 and 0 or (u - k[s - j]) / width
      local t = functions[j] * a
      functions[j + 1] = functions[j + 1] + functions[j] - t
      functions[j] = t
    end
  end
  return s, functions
end

local function evaluate(part, u)
  if part.kind ~= "spline" then return part.value end
  local s, functions = basis(part, u)
  local out = {}
  for axis = 1, #part.control[0] do
    local sum = 0
    for i = 0, part.degree do sum = sum + functions[i] * part.control[s - i][axis] end
    out[axis] = sum
  end
  return out
end

local function unit(q)
  local length = math.sqrt(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
  return { q[1] / length, q[2] / length, q[3] / length, q[4] / length }
end

--- The block (from 1) and the frame in it of a frame of the clip.
function Clip:place_of_frame(frame)
  local step = self.max_frames_per_block - 1
  local b = math.min(math.floor(frame / step), self.num_blocks - 1)
  return b + 1, frame - b * step
end

--- The same of a time in seconds.
function Clip:place_of_time(time)
  local b = math.floor(time * self.block_inverse_duration)
  b = math.max(0, math.min(b, self.num_blocks - 1))
  local u = (time - b * self.block_duration) / self.frame_duration
  return b + 1, math.max(0, math.min(u, self.max_frames_per_block - 1))
end

--- A track in a block of one's choice (both from 1), at a frame of it.
function Clip:in_block(block, track, u)
  local parts = self.blocks[block].tracks[track]
  local t, q, s = evaluate(parts.translation, u), unit(evaluate(parts.rotation, u)), evaluate(parts.scale, u)
  return { t[1], t[2], t[3], q[1], q[2], q[3], q[4], s[1], s[2], s[3] }
end

function Clip:at_frame(track, frame)
  local b, u = self:place_of_frame(frame)
  return self:in_block(b, track, u)
end

function Clip:at_time(track, time)
  local b, u = self:place_of_time(time)
  return self:in_block(b, track, u)
end

function Clip:float_at_frame(track, frame)
  local b, u = self:place_of_frame(frame)
  return evaluate(self.blocks[b].floats[track], u)[1]
end

function Clip:float_at_time(track, time)
  local b, u = self:place_of_time(time)
  return evaluate(self.blocks[b].floats[track], u)[1]
end

--- How far two lists of ten are apart: the largest difference relative to max(1, |x|), quaternions of either
-- sign.
function reference.distance(wanted, got)
  local sign = 1
  if wanted[4] * got[4] + wanted[5] * got[5] + wanted[6] * got[6] + wanted[7] * got[7] < 0 then sign = -1 end
  local worst = 0
  for i, v in ipairs(wanted) do
    local have = got[i]
    if i >= 4 and i <= 7 then have = sign * have end
    local off = math.abs(v - have) / math.max(1, math.abs(v))
    if off ~= off then return math.huge end
    worst = math.max(worst, off)
  end
  return worst
end

return reference
