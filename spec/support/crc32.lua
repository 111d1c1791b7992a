--- CRC-32 in plain Lua, for tests: shares no code with lathe.

local crc32 = {}

local TABLE = {}
for i = 0, 255 do
  local sum = i
  for _ = 1, 8 do sum = sum >> 1 ~ (0xEDB88320 & -(sum & 1)) end
  TABLE[i] = sum
end

local function update(sum, bytes)
  for i = 1, #bytes do sum = sum >> 8 ~ TABLE[(sum ~ bytes:byte(i)) & 255] end
  return sum
end

--- As zlib has it.
function crc32.zlib(bytes)
  return update(0xFFFFFFFF, bytes) ~ 0xFFFFFFFF
end

--- As Bethesda's games hash names: the register starts at 0 and is not inverted at the end.
function crc32.name(text)
  return update(0, text)
end

return crc32
