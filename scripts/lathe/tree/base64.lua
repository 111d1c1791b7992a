--- Base 64, as in RFC 4648.
-- @module lathe.tree.base64

local base64 = {}

local ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local letter, value = {}, {}
for i = 0, 63 do
  letter[i] = ALPHABET:sub(i + 1, i + 1)
  value[ALPHABET:byte(i + 1)] = i
end

--- Bytes to text.
-- @tparam string bytes
-- @treturn string
-- @usage base64.encode "ABC" --> "QUJD"
function base64.encode(bytes)
  local out = {}
  for i = 1, #bytes, 3 do
    local a, b, c = bytes:byte(i, i + 2)
    local group = a << 16 | (b or 0) << 8 | (c or 0)
    out[#out + 1] = letter[group >> 18] .. letter[group >> 12 & 63]
      .. (b and letter[group >> 6 & 63] or "=") .. (c and letter[group & 63] or "=")
  end
  return table.concat(out)
end

--- Text to bytes; characters outside the alphabet are skipped.
-- @tparam string source
-- @treturn string
function base64.decode(source)
  local out, group, bits = {}, 0, 0
  for i = 1, #source do
    local six = value[source:byte(i)]
    if six then
      group, bits = (group << 6 | six) & 0xffffff, bits + 6
      if bits >= 8 then
        bits = bits - 8
        out[#out + 1] = string.char(group >> bits & 0xff)
      end
    end
  end
  return table.concat(out)
end

return base64
