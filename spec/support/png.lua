--- Writes pictures as PNG, not compressed: no library is needed to look at them.

local png = {}

local CRC = {}
for i = 0, 255 do
  local c = i
  for _ = 1, 8 do c = c & 1 ~= 0 and 0xedb88320 ~ c >> 1 or c >> 1 end
  CRC[i] = c
end

local function crc32(bytes)
  local c = 0xffffffff
  for i = 1, #bytes do c = CRC[(c ~ bytes:byte(i)) & 0xff] ~ c >> 8 end
  return c ~ 0xffffffff
end

local function adler32(bytes)
  local a, b = 1, 0
  for i = 1, #bytes do
    a = (a + bytes:byte(i)) % 65521
    b = (b + a) % 65521
  end
  return b << 16 | a
end

local function chunk(kind, bytes)
  return string.pack(">I4", #bytes) .. kind .. bytes .. string.pack(">I4", crc32(kind .. bytes))
end

-- Blocks that are stored as they are.
local function deflate(bytes)
  local out = { "\x78\x01" }
  for at = 1, #bytes, 65535 do
    local n = math.min(65535, #bytes - at + 1)
    local last = at + n > #bytes and 1 or 0
    out[#out + 1] = string.pack("<BI2I2", last, n, ~n & 0xffff) .. bytes:sub(at, at + n - 1)
  end
  out[#out + 1] = string.pack(">I4", adler32(bytes))
  return table.concat(out)
end

--- The bytes of a picture. rows: a string of red, green, blue bytes for each.
function png.encode(width, height, rows)
  local head = string.pack(">I4I4BBBBB", width, height, 8, 2, 0, 0, 0)
  return "\x89PNG\r\n\x1a\n" .. chunk("IHDR", head)
    .. chunk("IDAT", deflate("\0" .. table.concat(rows, "\0"))) .. chunk("IEND", "")
end

return png
