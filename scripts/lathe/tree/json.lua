--- Views as JSON and back, without loss. Keys are in file order. Raw bytes, and strings that are not valid
-- UTF-8, are `{"length": n, "base64": "…"}`. Enumerations are written by name. Integers beyond ±2^53, NaN and
-- the infinities are strings; a NaN other than 0/0 has its bits: "nan(0x7ff0000020000000)". Absent fields are
-- omitted. A reference is a number or null. In a record that only the file itself describes, a reader does
-- not know the field's type: there such a number is `{"$number": "nan"}`. Computed fields and container
-- bookkeeping are not written.
-- @module lathe.tree.json

local core = require "lathe.core"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"
local base64 = require "lathe.tree.base64"

local EXACT = 1 << 53

-- Types of views that hold only numbers and texts, and lists.
local TOLD = { annotation = true, bone = true, list = true, pose = true, vector = true }

local json = {}

-- dkjson is loaded on first use, so that the rest of lathe works without it.
local function dkjson() return require "dkjson" end

local verbatim = { __tojson = function(self) return self[1] end }

local NAN = 0xFFF8000000000000                     -- the bits of 0/0 on most machines

local function float_of(bits) return (("<d"):unpack(("<i8"):pack(bits))) end

local function nan_text(value)
  local bits = ("<i8"):unpack(("<d"):pack(value))
  return bits == NAN and "nan" or ("nan(0x%016x)"):format(bits)
end

-- Parses a NaN; nil if it is none.
local function nan_of(source)
  local digits = source:match "^nan%((0x%x+)%)$"
  local value = digits and #digits == 18 and float_of(math.tointeger(tonumber(digits)))
  return value and value ~= value and value or nil
end

local function number(value, type)
  if value ~= value then
    return nan_text(value)
  elseif value == math.huge or value == -math.huge then
    return text.number(value, type)
  elseif math.type(value) == "integer" and (value > EXACT or value < (type == "u64" and 0 or -EXACT)) then
    return text.number(value, type)
  elseif value == 0 and 1 / value < 0 then        -- -0 would be read back as an integer, without its sign
    return setmetatable({ "-0.0" }, verbatim)
  end
  return setmetatable({ text.number(value, type) }, verbatim)
end

local function bytes(value)
  return setmetatable({ length = #value, base64 = base64.encode(value) },
    { __jsonorder = { "length", "base64" } })
end

local function scalar(value, row)
  if type(value) == "number" then
    local written = number(value, row and row.type)
    return row and row.own and type(written) == "string" and { ["$number"] = written } or written
  end
  if type(value) == "string" and (text.is_bytes(row) or not utf8.len(value)) then
    return bytes(value)
  end
  return value
end

local encode_value

-- Encodes a value of a record or array; a reference as its number, as in totable.
local function encode_field(place, key, value, row, cache)
  if row.ref and core.type(value) and core.type(value) ~= "array" then return core.raw(place, key) end
  return encode_value(value, row, cache)
end

local function encode_array(array, row, cache)
  local element = cache:element(array, row)
  local list = setmetatable({}, { __jsontype = "array" })
  for i = 1, #array do
    list[i] = encode_field(array, i, schema.stored(array, i, element), element, cache)
  end
  return list
end

-- Padding with its default value is omitted; only totable knows the default.
local function is_default_padding(view, row)
  return row.padding and core.totable(view)[row.name] == nil
end

-- tag: the name of its type, if elements of the array have several types.
local function encode_record(view, cache, tag)
  local order, fields = { tag }, {}
  if tag then fields[tag] = core.type(view) end
  for _, row in ipairs(cache:copied_rows(view)) do
    local value = schema.stored(view, row.name, row)
    if value ~= nil and not is_default_padding(view, row) then
      order[#order + 1] = row.name
      fields[row.name] = encode_field(view, row.name, value, row, cache)
    end
  end
  local opaque = #order == (tag and 1 or 0) and core.totable(view).bytes -- a record that is not understood
  if opaque then order[#order + 1], fields.bytes = "bytes", bytes(opaque) end
  return setmetatable(fields, { __jsonorder = order, __jsontype = "object" })
end

function encode_value(value, row, cache)
  local kind = core.type(value)
  if kind == "copy" then return json.plain(value) end
  if not kind then
    if value == false and row and row.ref then return dkjson().null end
    return scalar(value, row)
  elseif kind == "array" then
    return encode_array(value, row, cache)
  elseif row and row.ref then
    return core.path(value)
  end
  return encode_record(value, cache, row and row.tag)
end

--- Converts a view to a tree of plain tables that `json.encode` writes in file order.
-- @param value a view or a scalar
-- @tparam[opt] table row the scalar's row in `lathe.describe`
-- @treturn table|string|number|boolean
function json.value(value, row)
  if core.type(value) == "buffer" then
    local rows = {}
    for i = 1, value.rows do rows[i] = json.plain { value:row(i) } end
    return rows
  end
  return encode_value(value, row, schema.new())
end

-- True for a record that stores nothing itself: all its values are elsewhere.
local function is_told(view, cache)
  local rows = core.type(view) and core.type(view) ~= "array" and core.type(view) ~= "buffer"
    and cache:listed_rows(view) or {}
  for _, row in ipairs(rows) do
    if not row.computed or row.copied then return false end
  end
  return #rows > 0
end

local function encode_told(value, row, cache)
  if row and row.ref and core.type(value) then return core.path(value) end
  if not is_told(value, cache) then return json.value(value, row) end
  local order, fields = {}, {}
  for _, field in ipairs(cache:listed_rows(value)) do
    if value[field.name] ~= nil then
      order[#order + 1] = field.name
      fields[field.name] = encode_told(value[field.name], field, cache)
    end
  end
  return setmetatable(fields, { __jsonorder = order, __jsontype = "object" })
end

--- As `json.value`; for a record whose values are stored elsewhere, such as `doc.bodies[1]`, all of its
-- values, with references as paths.
-- @param value a view or a scalar
-- @tparam[opt] table row the scalar's row in `lathe.describe`
-- @treturn table|string|number|boolean
function json.told(value, row)
  return encode_told(value, row, schema.new())
end

local encode_live

local LIVE = { animation = true, skeleton = true, track = true, ["float track"] = true, graph = true }

-- Members in the order of pairs (for an object), or sorted by name (for a table).
local function encode_members(value, sorted)
  local order, fields = {}, {}
  for key, member in pairs(value) do
    order[#order + 1] = tostring(key)
    fields[tostring(key)] = encode_live(member)
  end
  if sorted then table.sort(order) end
  return setmetatable(fields, { __jsonorder = order, __jsontype = "object" })
end

local function encode_list(list)
  local items = setmetatable({}, { __jsontype = "array" })
  for i = 1, #list do items[i] = encode_live(list[i]) end
  return items
end

function encode_live(value)
  local kind = core.type(value)
  if LIVE[kind] then return encode_members(value) end
  if kind == "list" then return encode_list(value) end
  if TOLD[kind] then return encode_live(core.totable(value)) end
  if kind == "buffer" then return json.value(value) end
  if kind == "copy" then return encode_live(core.totable(value)) end
  if kind then return core.path(value) end
  if type(value) ~= "table" then return scalar(value) end
  if next(value) == nil or #value > 0 then return encode_list(value) end
  return encode_members(value, true)
end

--- Converts an object that all formats have, such as `doc.animations[1]`: tables and lists by value, source
-- records by path.
-- @param value an object, a list of objects, or a value of an object
-- @return a value for `json.encode`
function json.live(value) return encode_live(value) end

-- True for a view among plain values: its data are stored elsewhere.
local function is_place(value)
  return type(value) == "userdata" and pcall(core.path, value)
end

--- A scalar or plain Lua value in the form of `json.value`; records in it as paths.
-- @param value
-- @tparam[opt] string type_name the field's type
-- @tparam[opt] boolean own whether it is in a record that only the file itself describes
-- @return a value for `json.encode`
function json.plain(value, type_name, own)
  if TOLD[core.type(value)] then return json.live(value) end
  if is_place(value) then return core.path(value) end
  if type(value) ~= "table" then return scalar(value, { type = type_name, own = own }) end
  local list, meta = {}, getmetatable(value)
  for key, item in pairs(value) do list[key] = json.plain(item, nil, own) end
  return setmetatable(list, type(meta) == "table" and meta or nil)
end

-- Called by dkjson for values that JSON cannot represent.
local function exception(_, value, _, message)
  if TOLD[core.type(value)] then return dkjson().encode(json.live(value), { exception = exception }) end
  if is_place(value) then return dkjson().quotestring(core.path(value)) end
  return nil, message
end

--- `lathe.tree.to_json`: see `lathe.members`.
function json.encode(value)
  if TOLD[core.type(value)] then
    value = json.live(value)
  elseif core.type(value) then
    value = json.value(value)
  elseif type(value) == "table" and value.patch and value.missing and not getmetatable(value) then
    value = require("lathe.tree.patch").json(value) -- a patch of lathe.diff
  end
  return dkjson().encode(value, { exception = exception })
end

local SPECIAL = { nan = float_of(NAN), inf = math.huge, ["-inf"] = -math.huge }

-- Integers above 2^63 are negative in Lua, with the same bits.
local function unsigned(value)
  local digits = value:match "^[1-9]%d*$"
  if not digits or #digits < 19 or #digits > 20 then return nil end
  if #digits == 20 and digits > "18446744073709551615" then return nil end
  local n = 0
  for digit in digits:gmatch "%d" do n = n * 10 + tonumber(digit) end
  return n
end

local decode_value

local SHORT_FLOAT = { f16 = true, f32 = true }

-- A float with the precision of its field: nine digits, as written, tell each of its values, but are not the
-- same number.
local function rounded(value, row)
  if not SHORT_FLOAT[row.type] or math.type(value) ~= "float" then return value end
  return (("<f"):unpack(("<f"):pack(value)))
end

-- Whether a value may be of a row: a list, a record, neither.
local function fits(item, row)
  if type(item) ~= "table" or item.base64 then return not row.array end
  return row.array and (item[1] ~= nil or next(item) == nil) or not row.array and item[1] == nil
end

-- The row of a name: of several, as versions have them, the first that the value may be of.
local function row_for(item, rows)
  for _, row in ipairs(rows or {}) do
    if fits(item, row) then return row end
  end
  return rows and rows[#rows] or {}
end

-- The rows of a type by name; a name may have several.
local function rows_by_name(type_name, cache)
  local rows = type_name and cache:rows(type_name) or {}
  local by_name = cache.by_name[rows]
  if not by_name then
    by_name = {}
    for _, row in ipairs(rows) do
      by_name[row.name] = by_name[row.name] or {}
      table.insert(by_name[row.name], row)
    end
    cache.by_name[rows] = by_name
  end
  return by_name
end

local function decode_record(value, type_name, cache)
  local fields, by_name = {}, rows_by_name(type_name, cache)
  for key, item in pairs(value) do fields[key] = decode_value(item, row_for(item, by_name[key]), cache) end
  return fields
end

local function is_number_type(name)
  return name ~= nil and name:match "^[fiu]%d+" ~= nil
end

local function read_number(value)
  return SPECIAL[value] or nan_of(value) or unsigned(value) or math.tointeger(tonumber(value)) or
         tonumber(value) or value
end

local TYPED = setmetatable({}, { __mode = "v" }) -- rows by type, so that caches find them again

-- The row of an element that has a type tag.
local function tagged(row, element, item, cache)
  if row.own then return {} end                   -- of a type that only the file describes
  local name = row.tag and type(item) == "table" and item[row.tag]
  if type(name) ~= "string" or #cache:rows(name) == 0 then return element end
  local rows = TYPED[name] or { type = name }
  TYPED[name] = rows
  return rows
end

-- The row of the elements of an array.
local function element_row(row, cache)
  local element = cache.element_of[row]
  if not element then
    element = cache:element(nil, row)
    cache.element_of[row] = element
  end
  return element
end

function decode_value(value, row, cache)
  if type(value) == "string" and is_number_type(row.type) and not row.enum then
    return read_number(value)
  elseif type(value) ~= "table" then
    return rounded(value, row)
  elseif not row.type and type(value["$number"]) == "string" then
    return read_number(value["$number"])
  elseif value.base64 and value.length then
    return base64.decode(value.base64)
  elseif row.array and (value[1] ~= nil or next(value) == nil) then
    local element, list = element_row(row, cache), {}
    for i, item in ipairs(value) do
      list[i] = decode_value(item, tagged(row, element, item, cache), cache)
    end
    return list
  end
  return decode_record(value, row.type, cache)
end

--- A value of a parsed JSON text in the form that documents take.
-- @param value
-- @tparam table row the row of its field
-- @tparam lathe.tree.schema cache
-- @return the value
function json.decoded(value, row, cache)
  return decode_value(value, row, cache)
end

--- The row for decoding one element of an array.
-- @tparam table element the row of the elements
-- @param item the element
-- @tparam lathe.tree.schema cache
-- @treturn table
function json.element_row(element, item, cache)
  return tagged(element, element, item, cache)
end

--- Parses one JSON value; null becomes false, a reference to nothing.
-- @tparam string source
-- @return the value
-- @treturn ?string what is wrong with the text
function json.parse(source)
  local ok, value, stop, why = pcall(dkjson().decode, source, 1, false, nil, nil)
  if not ok then
    local too_deep = tostring(value):find("stack overflow", 1, true)
    if too_deep then return nil, "too many levels of lists and objects" end
    error(value, 0)
  end
  if why then return nil, why end
  if source:find("%S", stop) then return nil, "text behind the value at byte " .. stop end
  return value
end

--- `lathe.tree.from_json`: see `lathe.members`.
function json.decode(source, type_name)
  local value, why = json.parse(source)
  if why then return nil, why end
  return decode_value(value, { type = type_name }, schema.new())
end

return json
