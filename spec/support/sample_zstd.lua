--- zstd frames written by hand from RFC 8878, of blocks that are not compressed: not made by lathe.

local hex = require "hex"

local sample = {}

local MAGIC = "\x28\xB5\x2F\xFD"

-- ---- XXH64 ---------------------------------------------------------------------------------------

local P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
local P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5

local function rotate(x, n) return x << n | x >> 64 - n end

local function round(sum, lane) return rotate(sum + lane * P2, 31) * P1 end

-- What 32 bytes at a time come to, and where they end.
local function long(bytes)
  local a, b, c, d, at = P1 + P2, P2, 0, -P1, 1
  while #bytes - at >= 31 do
    local p, q, r, s
    p, q, r, s, at = string.unpack("<i8i8i8i8", bytes, at)
    a, b, c, d = round(a, p), round(b, q), round(c, r), round(d, s)
  end
  local sum = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)
  for _, lane in ipairs { a, b, c, d } do sum = (sum ~ round(0, lane)) * P1 + P4 end
  return sum, at
end

local function xxh64(bytes)
  local sum, at = P5, 1
  if #bytes >= 32 then sum, at = long(bytes) end
  sum = sum + #bytes
  local lane
  while #bytes - at >= 7 do
    lane, at = string.unpack("<i8", bytes, at)
    sum = rotate(sum ~ round(0, lane), 27) * P1 + P4
  end
  if #bytes - at >= 3 then
    lane, at = string.unpack("<I4", bytes, at)
    sum = rotate(sum ~ lane * P1, 23) * P2 + P3
  end
  for i = at, #bytes do sum = rotate(sum ~ bytes:byte(i) * P5, 11) * P1 end
  sum = (sum ~ sum >> 33) * P2
  sum = (sum ~ sum >> 29) * P3
  return sum ~ sum >> 32
end

-- ---- frames --------------------------------------------------------------------------------------

-- One block: "raw" bytes, "rle" (one byte, so many times), or of the type that nobody uses.
local TYPES = { raw = 0, rle = 1, packed = 2, reserved = 3 }

--- A block.
-- @tparam string type
-- @tparam string bytes what it holds
-- @tparam[opt] integer size what its header says
-- @tparam[opt] boolean last
function sample.block(type, bytes, size, last)
  return string.pack("<I3", (size or #bytes) << 3 | TYPES[type] << 1 | (last and 1 or 0)) .. bytes
end

local function id_bytes(id)
  local n = id >= 1 << 16 and 3 or id >= 1 << 8 and 2 or 1
  return n, string.pack(({ "<I1", "<I2", "<I4" })[n], id)
end

--- A frame around blocks that are there.
-- @tparam string blocks
-- @tparam[opt] table opts `size` (of the content: the header says it, in 4 bytes), `single` (it is the window, too),
--   `id` (of a dictionary), `sum` (4 bytes at the end), `flags` (more of them)
function sample.around(blocks, opts)
  opts = opts or {}
  local flags, head = opts.flags or 0, ""
  if opts.single then flags = flags | 0x20 else head = "\x58" end -- a window of 2 MB
  if opts.sum then flags = flags | 4 end
  if opts.id then
    local n, bytes = id_bytes(opts.id)
    flags, head = flags | n, head .. bytes
  end
  if opts.size then flags, head = flags | 0x80, head .. string.pack("<I4", opts.size) end
  return MAGIC .. string.char(flags) .. head .. blocks .. (opts.sum or "")
end

--- A frame that holds bytes, in raw blocks of at most `piece`.
-- @tparam string bytes
-- @tparam[opt] table opts as of `around`; `sum` true: the right one; `piece`; `size` false: the header says none
function sample.frame(bytes, opts)
  local o = { piece = 100 }
  for name, value in pairs(opts or {}) do o[name] = value end
  local blocks = {}
  for at = 1, math.max(#bytes, 1), o.piece do
    blocks[#blocks + 1] = sample.block("raw", bytes:sub(at, at + o.piece - 1), nil, at + o.piece > #bytes)
  end
  if o.sum == true then o.sum = string.pack("<I4", xxh64(bytes) & 0xFFFFFFFF) end
  if o.size == nil then o.size = #bytes end
  return sample.around(table.concat(blocks), o)
end

--- A frame that holds nothing of the content.
function sample.skippable(bytes, kind)
  return string.pack("<I4s4", 0x184D2A50 + (kind or 0), bytes)
end

--- A small frame of `n` zeros, in RLE blocks of 128 KB.
-- @tparam integer n
-- @tparam[opt] boolean sized its header says so
function sample.bomb(n, sized)
  local blocks = n // 0x20000
  local full, last = sample.block("rle", "\0", 0x20000), sample.block("rle", "\0", n % 0x20000, true)
  return sample.around(full:rep(blocks) .. last, { size = sized and n or nil })
end

--- What a frame's header says: `size` of the content, `id` of the dictionary, `checksum`, `bytes` (its own).
function sample.head(bytes)
  assert(bytes:sub(1, 4) == MAGIC)
  local flags, at = bytes:byte(5), 6
  local single, id, size = flags & 0x20 ~= 0, nil, nil
  if not single then at = at + 1 end
  local id_format = ({ [0] = "", "<I1", "<I2", "<I4" })[flags & 3]
  if id_format ~= "" then id, at = string.unpack(id_format, bytes, at) end
  local size_format = ({ [0] = single and "<I1" or "", "<I2", "<I4", "<I8" })[flags >> 6]
  if size_format ~= "" then size, at = string.unpack(size_format, bytes, at) end
  if flags >> 6 == 1 then size = size + 256 end
  return { size = size, id = id, checksum = flags & 4 ~= 0, bytes = at - 1 }
end

-- ---- dictionaries --------------------------------------------------------------------------------

--- The id of `dictionary`.
sample.ID = 7

--- A dictionary that the zstd program trained on big-endian floats.
sample.dictionary = hex [[
  37 A4 30 EC 07 00 00 00 2D 10 78 BC D3 18 CC C0 33 F0 0C 3C 03 CF C0 70 86 C5 61 71 58 1C
  16 87 7A 12 0E 29 CB 90 B2 0C 29 CB 10 61 5A B0 A4 05 4B 5A B0 84 22 05 53 04 48 24 1A 96
  D6 D8 02 00 00 04 C0 88 82 84 C5 2E 12 02 65 63 04 A4 21 60 10 00 00 00 00 00 00 00 00 00
  00 00 00 00 00 00 00 F4 B9 0B 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 04
  00 00 00 08 00 00 00 00 3F 00 00 00 BF 80 00 00 3F 00 00 00 BF 80 00 00 3F 80 00 00 3F 80
  00 00 3F 80 00 00 BF 80 00 00 00 00 00 00 3F 00 00 00 3F 80 00 00 BF 80 00 00 BF 00 3F 00
  00 00 BF 80 00 00 BF 80 00 00 3F 80 00 00 3F 00 00 00 3F 00 00 00 00 00 00 00 3F 00 00 00
  BF 80 00 00 00 00 00 00 3F 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 BF 80 00 00
  3F 80 00 00 BF 80 00 00 3F 00 00 00 00 00 00 00
]]

return sample
