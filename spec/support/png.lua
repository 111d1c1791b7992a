--- Writes pictures as PNG, not compressed: no library is needed to look at them.

local crc32 = require "crc32"

local png = {}

local function adler32(bytes)
  local a, b = 1, 0
  for i = 1, #bytes do
    a = (a + bytes:byte(i)) % 65521
    b = (b + a) % 65521
  end
  return b << 16 | a
end

local function chunk(kind, bytes)
  return string.pack(">I4", #bytes) .. kind .. bytes .. string.pack(">I4", crc32.zlib(kind .. bytes))
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
