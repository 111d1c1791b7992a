--- Reduces elements of arrays to tokens: texts or numbers that are equal for elements that are equal.
-- References are left out, because inserting an element elsewhere changes their numbers.
-- @module lathe.tree.tokens

local core = require "lathe.core"
local schema = require "lathe.tree.schema"

local Tokens = {}
Tokens.__index = Tokens

local tokens = {}

-- Fields that tell one element from another, best first.
local NAMES = { "name", "label", "bone", "bone_name", "material", "time", "text" }
local TARGET <const> = { tag = "type" } -- the row of a target
local SCALARS = { number = true, integer = true, string = true, boolean = true }

--- Makes a maker of tokens.
-- @tparam lathe.tree.schema cache
-- @tparam[opt] number tolerance floats that differ by less mostly have one token
-- @treturn Tokens
function tokens.new(cache, tolerance)
  return setmetatable({ schema = cache, tolerance = tolerance or 0, plain_of = {}, name_of = {},
    targets = {}, inside = false }, Tokens)
end

-- A float as text: one that was read back from nine digits is the f32 that they were written from.
local function float_text(value)
  local short = ("%.9g"):format(value)
  local fits = math.abs(value) <= 3.4028235e38 and ("<f"):unpack(("<f"):pack(value))
  return fits and ("%.9g"):format(fits) == short and short or ("%.17g"):format(value)
end

--- A text with the content of a table, in the order of its keys.
-- @param value
-- @treturn string
function tokens.text(value)
  if value ~= value then return "nan" end
  if type(value) ~= "table" then
    return math.type(value) == "float" and float_text(value) or tostring(value)
  end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do parts[i] = tostring(key) .. "\1" .. tokens.text(value[key]) end
  return "\2" .. table.concat(parts, "\3") .. "\4"
end

function Tokens:scalar(value)
  if value ~= value then return "nan" end
  if self.tolerance > 0 and math.type(value) == "float" and math.abs(value) < 2 ^ 53 * self.tolerance then
    return math.floor(value / self.tolerance + 0.5)
  end
  return value
end

--- Whether the bytes of such records are their whole content: numbers only, none of them a reference.
-- @param view
-- @treturn boolean
function Tokens:is_plain(view)
  local rows = self.schema:rows(view)
  local plain = self.plain_of[rows]
  if plain ~= nil then return plain end
  plain = #rows > 0
  for _, row in ipairs(rows) do
    local number = row.kind == "number" or row.kind == "integer"
    plain = plain and number and not row.ref and not row.array and not row.computed
  end
  self.plain_of[rows] = plain
  return plain
end

-- The bytes of a view if they are its whole content.
function Tokens:bytes(view)
  if self.tolerance > 0 then return nil end
  local is_stored, bytes = pcall(core.bytes, view)
  return is_stored and bytes or nil
end

--- The bytes of an array of numbers, or of records of numbers.
-- @param array
-- @tparam table element the row of its elements
-- @treturn ?string nil for other arrays
function Tokens:packed(array, element)
  if self.tolerance > 0 or element.ref or #array == 0 then return nil end
  local first = array[1]
  local plain = type(first) == "number" or core.type(first) and core.type(first) ~= "array"
    and not element.tag and self:is_plain(first)
  if not plain then return nil end
  local is_stored, bytes = pcall(core.pack, array)
  return is_stored and bytes or nil
end

-- What the target of a reference is: its type and name, or its content without further references.
function Tokens:target(value)
  if self.inside then return "" end
  local path = core.path(value)
  local found = self.targets[path]
  if not found then
    local name, has_name = self:name(value, TARGET)
    found = name
    if not has_name then
      self.inside = true
      found = tostring(self:of(value, TARGET))
      self.inside = false
    end
    self.targets[path] = found
  end
  return found
end

--- Forgets what targets of references are: call before the tokens of another array are made.
function Tokens:start() self.targets = {} end

function Tokens:array(array, row)
  local element = self.schema:element(array, row)
  local packed = self:packed(array, element)
  if packed then return packed end
  local parts = {}
  for i = 1, #array do parts[i] = tostring(self:of(schema.stored(array, i, element), element)) end
  return table.concat(parts, "\3")
end

--- The token of a value.
-- @param value a scalar, a record or an array
-- @tparam table row
-- @treturn string|number|boolean
function Tokens:of(value, row)
  local kind = core.type(value)
  if not kind then
    if row.ref or value == nil then return false end
    return self:scalar(value)
  elseif kind == "array" then
    return self:array(value, row)
  elseif row.ref then
    return "\5" .. self:target(value)
  elseif self:is_plain(value) then
    return self:bytes(value) or table.concat(self:fields(value), "\1")
  end
  return kind .. "\2" .. table.concat(self:fields(value), "\1") .. "\4"
end

--- The tokens of a record's fields, as texts.
-- @param view
-- @treturn {string,...}
function Tokens:fields(view)
  local parts, rows = {}, self.schema:copied_rows(view)
  if #rows == 0 then rows = self.schema:listed_rows(view) end -- an element of a group: all is elsewhere
  for i, row in ipairs(rows) do
    parts[i] = tostring(self:of(schema.stored(view, row.name, row), row))
  end
  if #parts == 0 and schema.is_opaque(view) then parts[1] = self:bytes(view) or "" end
  return parts
end

-- The field that names records with these rows; false: none.
local function naming(rows, key)
  local by_name = {}
  for _, row in ipairs(rows) do
    if SCALARS[row.kind] and not row.array and not row.ref then by_name[row.name] = true end
  end
  if key and by_name[key] then return key end
  for _, name in ipairs(NAMES) do
    if by_name[name] then return name end
  end
  return false
end

--- The type and name of an element, which stay when its other fields are edited.
-- @param value
-- @tparam table row
-- @treturn ?string nil if neither tells elements apart
-- @treturn ?boolean whether it has a name
function Tokens:name(value, row)
  local kind = core.type(value)
  if not kind or kind == "array" or row.ref then return nil end
  local rows = self.schema:rows(value)
  local name = self.name_of[rows]
  if name == nil then
    name = naming(rows, row.key)
    self.name_of[rows] = name
  end
  if not name and not row.tag then return nil end
  local called = name and value[name] or ""
  return kind .. "\1" .. tostring(called), called ~= ""
end

return tokens
