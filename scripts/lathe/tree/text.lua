--- Formats values: the same in dump, diff, get and JSON.
-- @module lathe.tree.text

local text = {}

local SHOWN_BYTES = 16 -- of a field of raw bytes
local SHOWN_CHARS = 200 -- of a string

-- The format for a number of unknown type, for example computed by a script.
local function float_format(value, type)
  if type == "f64" then return "%.17g" end
  if type then return "%.9g" end
  local single = math.abs(value) <= 3.4028234663852886e38
    and string.unpack("<f", string.pack("<f", value)) == value
  return single and "%.9g" or "%.17g"
end

--- A number with as many digits as necessary to restore the same bits.
-- @tparam number value
-- @tparam[opt] string type the field's type: "f32", "u64" …
-- @treturn string
-- @usage text.number(0.1, "f64") --> "0.10000000000000001"
function text.number(value, type)
  if math.type(value) == "integer" then
    return (type == "u64" and "%u" or "%d"):format(value)
  end
  if value ~= value then return "nan" end
  if value == math.huge then return "inf" end
  if value == -math.huge then return "-inf" end
  return float_format(value, type):format(value)
end

local ESCAPES = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\" }

local function hex_escape(char) return ("\\x%02x"):format(char:byte()) end

local function escape(char) return ESCAPES[char] or hex_escape(char) end

-- Escapes control characters beyond ASCII, U+0080 to U+009F: terminals interpret U+009B as the start of a
-- command.
local function escape_c1(value)
  return (value:gsub("\xc2[\x80-\x9f]", function(char) return (char:gsub(".", hex_escape)) end))
end

-- Replaces each byte that is not part of valid UTF-8.
local function mend(value, replacement)
  local n, bad = utf8.len(value)
  if n then return value end
  local parts, from = {}, 1
  while not n do
    parts[#parts + 1] = value:sub(from, bad - 1)
    parts[#parts + 1] = replacement(value:sub(bad, bad))
    from = bad + 1
    n, bad = utf8.len(value, from)
  end
  parts[#parts + 1] = value:sub(from)
  return table.concat(parts)
end

--- Converts to valid UTF-8: each invalid byte becomes U+FFFD.
-- @tparam string value
-- @treturn string
-- @usage text.utf8("caf\xe9") --> "caf\u{FFFD}"
function text.utf8(value)
  return mend(value, function() return "\u{FFFD}" end)
end

--- Makes a text safe for a terminal: control characters and invalid UTF-8 are escaped as in Lua. Quotes and
-- backslashes are unchanged.
-- @tparam string value
-- @tparam[opt] boolean lines keep line ends and tabs
-- @treturn string
-- @usage text.printable("\27[1mbold") --> "\\x1b[1mbold"
function text.printable(value, lines)
  if not value:find "[%c\x7f-\xff]" then return value end
  return escape_c1((mend(value, hex_escape):gsub(lines and "[^%C\n\t]" or "%c", escape)))
end

--- A quoted string on one line, safe for a terminal: escaped as in Lua.
-- @tparam string value
-- @treturn string
function text.quote(value)
  local more = ""
  if #value > SHOWN_CHARS then
    more = (" (%d bytes)"):format(#value)
    value = value:sub(1, SHOWN_CHARS) .. "..."
  end
  local class = utf8.len(value) and '[%c"\\]' or '[%c"\\\x7f-\xff]'
  return '"' .. escape_c1((value:gsub(class, escape))) .. '"' .. more
end

--- Raw bytes: their number, and the first ones in hexadecimal.
-- @tparam string value
-- @treturn string
-- @usage text.bytes("ABC") --> "3 bytes: 41 42 43"
function text.bytes(value)
  local count = #value == 1 and "1 byte" or ("%d bytes"):format(#value)
  if value == "" then return count end
  local hex = value:sub(1, SHOWN_BYTES):gsub(".", function(c) return (" %02x"):format(c:byte()) end)
  return count .. ":" .. hex .. (#value > SHOWN_BYTES and " ..." or "")
end

--- Whether a row of `lathe.describe` is a field of raw bytes.
-- @tparam ?table row
-- @treturn boolean
function text.is_bytes(row)
  return row ~= nil and row.type ~= nil and row.type:match "^bytes" ~= nil
end

--- Any scalar, formatted by its row in `lathe.describe`.
-- @param value
-- @tparam[opt] table row
-- @treturn string
function text.scalar(value, row)
  local kind = type(value)
  if kind == "number" then return text.number(value, row and row.type) end
  if kind == "string" then
    if row and row.enum then return value end
    return text.is_bytes(row) and text.bytes(value) or text.quote(value)
  end
  if value == false and row and row.ref then return "null" end
  return tostring(value)
end

-- A version number in dotted form: 0x14020007.
local function dotted(value)
  local parts = {}
  for i = 1, 4 do parts[i] = value >> (32 - 8 * i) & 0xff end
  return table.concat(parts, ".")
end

-- The names of the bits that are set; bits without a name as a number.
local function bits(value, row)
  local names, left = {}, value
  for i, name in ipairs(row.names or {}) do
    local bit = row.values[i]
    if bit ~= 0 and value & bit == bit then
      names[#names + 1] = name
      left = left & ~bit
    end
  end
  if #names == 0 then return nil end
  if left ~= 0 then names[#names + 1] = ("0x%x"):format(left) end
  return table.concat(names, ", ")
end

-- Numbers from here on are hashes or masks, or mean none: the documentation writes them in hexadecimal.
local LEAST_HEX = { u16 = 0xffff, u32 = 0x1000000, u64 = 0x1000000 }

--- A large unsigned number in hexadecimal digits.
-- @param value
-- @tparam[opt] table row
-- @treturn ?string nil: it is not large
-- @usage text.hex(0x3f000001, { type = "u32" }) --> "0x3F000001"
function text.hex(value, row)
  local least = row and not row.unit and LEAST_HEX[row.type]
  if not least or math.type(value) ~= "integer" or math.ult(value, least) then return nil end
  return (row.type == "u16" and "0x%X" or "0x%08X"):format(value)
end

--- The meaning of a number: the digits of a version, the names of flags, or a large one in hexadecimal.
-- @param value
-- @tparam[opt] table row
-- @treturn ?string nil: nothing beyond the number
-- @usage text.meaning(335675399, { version = true }) --> "20.2.0.7"
function text.meaning(value, row)
  if not row or math.type(value) ~= "integer" then return nil end
  return row.version and dotted(value) or row.flags and bits(value, row) or text.hex(value, row)
end

--- A scalar for display: a number with its meaning.
-- @param value
-- @tparam[opt] table row
-- @treturn string
-- @usage text.explained(335675399, { version = true }) --> "335675399 (20.2.0.7)"
function text.explained(value, row)
  local plain, meaning = text.scalar(value, row), text.meaning(value, row)
  return meaning and ("%s (%s)"):format(plain, meaning) or plain
end

--- A count and its noun: "1 vertex", "2 vertices".
-- @tparam integer n
-- @tparam string one
-- @tparam[opt] string many
-- @treturn string
function text.count(n, one, many)
  return ("%d %s"):format(n, n == 1 and one or many or one .. "s")
end

--- Breaks a text into lines between its words. A word that is longer than a line stays whole.
-- @tparam string first what the first line begins with
-- @tparam string value
-- @tparam integer columns the most characters of a line
-- @tparam[opt] integer width the columns of `first`, if it has more characters than are shown. Other lines
--   begin with as many spaces
-- @treturn {string,...}
function text.fill(first, value, columns, width)
  width = width or utf8.len(first) or #first
  local lines, line, used, empty = {}, first, width, true
  for word in value:gmatch "%S+" do
    local size = utf8.len(word) or #word
    if not empty and used + 1 + size > columns then
      lines[#lines + 1] = line
      line, used, empty = (" "):rep(width), width, true
    end
    line = line .. (empty and "" or " ") .. word
    used, empty = used + size + (empty and 0 or 1), false
  end
  lines[#lines + 1] = (line:gsub("%s+$", ""))
  return lines
end

return text
