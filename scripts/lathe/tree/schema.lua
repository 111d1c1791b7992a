--- Caches the rows of records for walkers, per layout: records of one type can have different fields
-- depending on the version, the containing record, or an earlier field.
-- @module lathe.tree.schema

local core = require "lathe.core"

local schema = {}
schema.__index = schema

local VECTOR_LANES = 4

--- Creates a cache. Layouts belong to a document, so a cache is valid while its documents are open.
-- @param[opt] doc the document for finding types by name: a file may describe types itself
-- @treturn schema
function schema.new(doc)
  return setmetatable({
    doc = doc, rows_of = {}, listed_of = {}, copied_of = {}, compared_of = {}, vector_of = {},
    elements = {}, -- rows of elements by the rows of their arrays
    by_name = {}, element_of = {}, -- of lathe.tree.json
  }, schema)
end

-- The cache key: all records with this key have the same rows.
local function key_of(view)
  return type(view) == "string" and view or core.layout(view)
end

-- The type whose rows a record has. For an opaque record this is not the type of its name.
local function type_of(view)
  local name = getmetatable(view)
  return name == "lathe.Document" and core.type(view) or name
end

--- Whether a record is opaque: its type is unknown or it cannot be parsed, so that only the name of its type
-- is known.
-- @param view
-- @treturn boolean
function schema.is_opaque(view)
  local name = core.type(view)
  return name ~= nil and getmetatable(view) ~= "lathe.Document" and name ~= "array"
    and type_of(view) ~= name
end

--- Whether two records with the same type name are compared field by field. Each may have fields that the
-- other lacks.
-- @param a
-- @param b
-- @treturn boolean
function schema.is_alike(a, b)
  return type_of(a) == type_of(b)
end

--- The rows of a record, as from `lathe.describe`.
-- @param view a record, or a record's type name
-- @treturn {table,...}
function schema:rows(view)
  local key = key_of(view)
  local rows = self.rows_of[key]
  if not rows then
    local by_name = type(view) == "string" and self.doc
    rows = (by_name and self.doc:describe(view) or not by_name and core.describe(view)) or {}
    self.rows_of[key] = rows
  end
  return rows
end

-- The rows of a record for which `keeps` is true; cached in `memo`.
local function kept_rows(self, memo, view, keeps)
  local rows = self:rows(view)
  local kept = memo[rows]
  if not kept then
    kept = {}
    for _, row in ipairs(rows) do
      if keeps(row) then kept[#kept + 1] = row end
    end
    memo[rows] = kept
  end
  return kept
end

local function is_listed(row) return not row.inside end
local function is_copied(row) return row.copied or not row.inside and not row.computed end

--- The rows for listing, copying and comparing a record: without container bookkeeping.
-- @param view a record, or a record's type name
-- @treturn {table,...}
function schema:listed_rows(view)
  return kept_rows(self, self.listed_of, view, is_listed)
end

--- The rows that fully determine a record: those that are listed and stored, and computed ones with
-- information of their own.
-- @param view a record, or a record's type name
-- @treturn {table,...}
function schema:copied_rows(view)
  return kept_rows(self, self.copied_of, view, is_copied)
end

-- Merges two lists of rows, without computed padding: a row that only the second list has is placed after its
-- predecessor there.
local function unite(a, b)
  local in_a, in_b, united = {}, {}, {}
  for _, row in ipairs(a) do in_a[row.name] = true end
  for i, row in ipairs(b) do in_b[row.name] = i end
  local next_of_b = 1
  local function take_missing(stop)
    for i = next_of_b, stop - 1 do
      if not in_a[b[i].name] then united[#united + 1] = b[i] end
    end
    next_of_b = math.max(next_of_b, stop)
  end
  for _, row in ipairs(a) do
    take_missing(in_b[row.name] or 0)
    united[#united + 1] = row
  end
  take_missing(#b + 1)
  local stored = {}
  for _, row in ipairs(united) do
    if not (row.computed and row.padding) then stored[#stored + 1] = row end
  end
  return stored
end

-- The names of rows that a record lacks, and whose access would raise an error; nil: none.
local function lacking(self, view, rows)
  local own, lacks = rows[1] and rows[1].own and {}, nil
  if not own then return nil end
  for _, row in ipairs(self:rows(view)) do own[row.name] = true end
  for _, row in ipairs(rows) do
    if not own[row.name] then
      lacks = lacks or {}
      lacks[row.name] = true
    end
  end
  return lacks
end

--- The rows for comparing two records of one type: those of both. Two documents may describe the same type
-- differently.
-- @param a
-- @param b
-- @treturn {table,...}
-- @treturn ?table names as keys: the rows that only b has
-- @treturn ?table those that only a has
function schema:compared_rows(a, b)
  local key_a, key_b = key_of(a), key_of(b)
  local of_a = self.compared_of[key_a]
  if not of_a then
    of_a = {}
    self.compared_of[key_a] = of_a
  end
  local found = of_a[key_b]
  if not found then
    local rows = unite(self:copied_rows(a), self:copied_rows(b))
    found = { rows, lacking(self, a, rows), lacking(self, b, rows) }
    of_a[key_b] = found
  end
  return found[1], found[2], found[3]
end

--- The names of padding fields with their default value, which are not shown.
-- @param view a record
-- @treturn table names as keys; empty if unknown
function schema:defaults(view)
  local names, some = {}, false
  for _, row in ipairs(self:rows(view)) do
    if row.padding then names[row.name], some = true, true end
  end
  if not some then return names end
  local ok = pcall(function()
    for name in pairs(view) do names[name] = nil end
  end)
  return ok and names or {}
end

--- The row of one field.
-- @param view a record
-- @tparam string name
-- @treturn ?table
function schema:row(view, name)
  for _, row in ipairs(self:rows(view)) do
    if row.name == name then return row end
  end
end

--- The row for the elements of an array.
-- @param array
-- @tparam[opt] table row the array's own row in its record, if known
-- @treturn table
function schema:element(array, row)
  local known = row and self.elements[row]
  if known then return known end
  local source = row or (core.describe(array) or {})[1] or {}
  local element = {}
  if row then self.elements[row] = element end
  for key, value in pairs(source) do element[key] = value end
  element.array = nil
  return element
end

--- The value of a field for walkers: nil if the record lacks the field and its name reads a table of numbers
-- instead.
-- @param place a record or array
-- @tparam string|integer key
-- @tparam table row
-- @return the value
function schema.value(place, key, row)
  local value = place[key]
  if row.array and core.type(value) == "buffer" then return nil end
  return value
end

--- The value of a field or element for copying and comparing: the stored value if the shown one has less
-- information (a boolean that is neither 0 nor 1, text behind the end of a padded one).
-- @param place a record or array
-- @tparam string|integer key
-- @tparam table row
-- @return the value
function schema.stored(place, key, row)
  local value = schema.value(place, key, row)
  local says_less = value == true or type(value) == "string" and row.type == "char[]"
  if not says_less or row.computed then return value end
  local is_stored, raw = pcall(core.raw, place, key) -- some booleans are computed when a file is opened
  if not is_stored or raw == 1 then return value end
  return raw
end

local function are_lanes(rows)
  for _, row in ipairs(rows) do
    local is_number = row.kind == "number" or row.kind == "integer" and not row.enum
    local alike = row.computed == rows[1].computed -- some computed fields are no vector components
    if row.array or not is_number or not alike then return false end
  end
  return #rows > 0 and #rows <= VECTOR_LANES
end

--- Whether a record is a complete short list of numbers, such as a vec3: it is shown on one line.
-- @param view
-- @treturn boolean
function schema:is_vector(view)
  local rows = self:rows(view)
  if self.vector_of[rows] == nil then self.vector_of[rows] = are_lanes(rows) end
  if not self.vector_of[rows] then return false end
  for _, row in ipairs(rows) do
    if type(view[row.name]) ~= "number" then return false end
  end
  return true
end

--- The rows that show a record best: for a matrix its columns and derived values, not sixteen numbers.
-- @param view a record
-- @treturn {table,...}
function schema:shown_rows(view)
  local rows, shown = self:rows(view), {}
  for _, row in ipairs(rows) do
    if row.computed and row.kind == "record" then shown[#shown + 1] = row end
  end
  local lanes = #rows - #shown
  if #shown == 0 or lanes <= VECTOR_LANES then return rows end
  for i = 1, lanes do
    if rows[i].computed or rows[i].array or rows[i].kind ~= "number" then return rows end
  end
  return shown
end

-- Splits off the last step of a path: a name, or a key or number in brackets. Quoted keys may contain
-- anything, including brackets and dots.
local function split(path)
  local at, start = 1, 1
  while at <= #path do
    start = at
    local quote = path:match("^%[([\"'])", at)
    if quote then
      local stop = at + 2
      while stop <= #path and path:sub(stop, stop) ~= quote do
        stop = stop + (path:sub(stop, stop) == "\\" and 2 or 1)
      end
      at = stop + 2
    else
      at = path:find("[.%[]", at + 1) or #path + 1
    end
  end
  local last = path:sub(start)
  return path:sub(1, start - 1), last:match "^%[(.*)%]$", last:match "^%.?([^%[]*)$"
end

--- The row of the value at a key of an array: the field of an element, or the element.
-- @param array
-- @tparam table row the array's own row
-- @treturn table
function schema:keyed(array, row)
  local element = self:element(array, row)
  if not row.value then return element end
  for _, field in ipairs(self:rows(row.type)) do
    if field.name == row.value then return field end
  end
end

--- The row and the value at a path of a document, as for `doc:get`.
-- @param doc
-- @tparam string path
-- @return the value, or nil
-- @return the row, or the error if there is no value
-- @treturn ?boolean true if the last step of the path is a key
function schema:locate(doc, path)
  local value, err = doc:get(path)
  if value == nil and err then return nil, err end
  local parent_path, index, name = split(path)
  local parent = parent_path == "" and doc or doc:get(parent_path)
  if core.type(parent) == "array" then
    local row = core.describe(parent)[1]
    if row.key and (name or index and not index:find "^%d") then
      return value, self:keyed(parent, row), true
    end
    local _, own = self:locate(doc, parent_path)
    return value, self:element(parent, type(own) == "table" and own.name and own or row)
  end
  return value, name and parent and self:row(parent, name)
end

return schema
