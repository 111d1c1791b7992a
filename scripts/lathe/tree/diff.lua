--- Compares two documents field by field.
-- @module lathe.tree.diff

local core = require "lathe.core"
local poses = require "lathe.tree.poses"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"

local Differ = {}
Differ.__index = Differ

-- Equality of stored values: 0 and -0 differ, all NaNs are equal.
local function same_scalar(a, b, row)
  if a == b and a ~= 0 then return true end
  if type(a) ~= "number" or type(b) ~= "number" then return a == b end
  return text.scalar(a, row) == text.scalar(b, row)
end

-- A copy that does not follow references.
local function copy_of(value, row)
  if row and row.ref and core.type(value) and core.type(value) ~= "array" then return core.path(value) end
  return core.type(value) and core.totable(value) or value
end

function Differ:add(change, row)
  local element = change.added or change.removed
  if row and row.key and type(element) == "table" then change.key = element[row.key] end
  change.type, change.tag = row and row.type, row and row.tag
  change.enum, change.ref = row and row.enum, row and row.ref
  self.list[#self.list + 1] = change
end

local function join(path, name)
  return path == "" and name or path .. "." .. name
end

-- Compares two values, which may be a record, an array, a scalar, or absent on one side.
function Differ:value(a, b, path, row)
  local kind_a, kind_b = core.type(a), core.type(b)
  if a == nil and b == nil then
    return
  elseif a == nil then
    self:add({ path = path, added = copy_of(b, row) }, row)
  elseif b == nil then
    self:add({ path = path, removed = copy_of(a, row) }, row)
  elseif row.ref and kind_a ~= "array" and kind_b ~= "array" then
    local old, new = kind_a and core.path(a) or a, kind_b and core.path(b) or b
    if old ~= new then self:add({ path = path, old = old, new = new }, row) end
  elseif kind_a == "array" and kind_b == "array" then
    self:array(a, b, path, row)
  elseif kind_a and kind_a == kind_b and schema.is_alike(a, b) then
    self:record(a, b, path)
  elseif kind_a or kind_b then
    self:add({ path = path, old = copy_of(a), new = copy_of(b),
      old_opaque = schema.is_opaque(a), new_opaque = schema.is_opaque(b) }, row)
  elseif not same_scalar(a, b, row) then
    self:add({ path = path, old = a, new = b }, row)
  end
end

-- Adds the names of a changed number to a change.
local function add_names(change, a, b, name)
  local old, new = a[name], b[name]
  change.old_name = type(old) == "string" and old or nil
  change.new_name = type(new) == "string" and new or nil
end

-- False for equal values, which are most: they need no path.
local function may_differ(a, b)
  return type(a) == "userdata" or a ~= b or a == 0
end

-- The values of a row on both sides, one of which may lack it; in that case padding with its default counts
-- as absent.
function Differ:sides(a, b, row, only_b, only_a)
  local name = row.name
  if not only_a and not only_b then
    local old, new = schema.stored(a, name, row), schema.stored(b, name, row)
    local absent = (old == nil) ~= (new == nil) -- in files of that version
    if absent and row.padding and self.schema:defaults(old == nil and b or a)[name] then return nil, nil end
    return old, new
  elseif row.padding and self.schema:defaults(only_a and a or b)[name] then
    return nil, nil
  elseif only_a then
    return schema.stored(a, name, row), nil
  end
  return nil, schema.stored(b, name, row)
end

function Differ:record(a, b, path)
  local rows, not_in_a, not_in_b = self.schema:compared_rows(a, b)
  for _, row in ipairs(rows) do
    local name, found = row.name, #self.list
    local old, new = self:sides(a, b, row, not_in_a and not_in_a[name], not_in_b and not_in_b[name])
    if may_differ(old, new) then self:value(old, new, join(path, name), row) end
    if row.shown_by and #self.list > found then add_names(self.list[found + 1], a, b, row.shown_by) end
  end
end

-- A text with the content of a table, in the order of its keys.
local function text_of(value)
  if type(value) ~= "table" then return tostring(value) end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do parts[i] = tostring(key) .. "\1" .. text_of(value[key]) end
  return "\2" .. table.concat(parts, "\3") .. "\4"
end

-- Identifies elements by their bytes, so that an insertion is one change and not a change of all following
-- elements; by their values if they have no bytes.
local function key_of(value, row)
  if not core.type(value) then return value end
  if row.ref then return core.path(value) end
  local stored, bytes = pcall(core.bytes, value)
  return stored and bytes or text_of(core.totable(value))
end

local function common_ends(a, b, row)
  local least = math.min(#a, #b)
  local head, tail = 0, 0
  local function same(i, k) return key_of(a[i], row) == key_of(b[k], row) end
  while head < least and same(head + 1, head + 1) do head = head + 1 end
  while tail < least - head and same(#a - tail, #b - tail) do tail = tail + 1 end
  return head, tail
end

function Differ:array(a, b, path, row)
  local element = self.schema:element(a, row)
  local function place(i) return ("%s[%d]"):format(path, i) end
  local head, tail = 0, 0
  if #a ~= #b then head, tail = common_ends(a, b, row) end
  local middle_a, middle_b = #a - head - tail, #b - head - tail
  local pairs_before = head + math.min(middle_a, middle_b)
  local function compare(i, k)
    local old, new = schema.stored(a, i, element), schema.stored(b, k, element)
    if may_differ(old, new) then self:value(old, new, place(k), element) end
  end
  for i = 1, pairs_before do compare(i, i) end
  for i = pairs_before + 1, #a - tail do
    self:add({ path = place(i), removed = copy_of(a[i], element) }, element)
  end
  for i = pairs_before + 1, #b - tail do
    self:add({ path = place(i), added = copy_of(b[i], element) }, element)
  end
  for i = tail - 1, 0, -1 do compare(#a - i, #b - i) end
end

local diff = {}

--- `lathe.tree.diff`: see `lathe.members`.
function diff.diff(a, b)
  local kind_a, kind_b = core.type(a), core.type(b)
  if kind_a ~= kind_b then
    error(("cannot compare %s with %s"):format(kind_a or type(a), kind_b or type(b)), 2)
  end
  local self = setmetatable({ schema = schema.new(), list = {} }, Differ)
  self:record(a, b, "")
  return self.list
end

local function one_line(value, change, opaque)
  if change.ref and type(value) == "string" then return value end
  if type(value) ~= "table" then return text.scalar(value, change) end
  if change.tag and value[change.tag] then
    return value[change.tag] .. (opaque and " (opaque)" or "")
  end
  if change.key and change.key ~= "" then return text.quote(change.key) end
  return change.type or "record"
end

--- The offset of the first byte at which two texts differ, from 0.
-- @tparam string a
-- @tparam string b another text
-- @treturn integer
function diff.first_difference(a, b)
  local at, step = 1, 4096
  while a:sub(at, at + step - 1) == b:sub(at, at + step - 1) do at = at + step end
  while a:byte(at) == b:byte(at) do at = at + 1 end
  return at - 1
end

-- The first different position of two long texts that would be shortened to the same.
local function where_differing(old, new)
  if type(old) ~= "string" or type(new) ~= "string" or old == new then return nil end
  return (" (from byte %d on)"):format(diff.first_difference(old, new))
end

local function named(number, name)
  return name and ("%s (%s)"):format(number, name) or number
end

--- The same for display: differences of animation tracks in place of changes of their packed fields. See
-- `lathe.tree.poses`.
-- @param a a document
-- @param b another of the same format
-- @treturn {table,...}
function diff.told(a, b)
  return poses.told(a, b, diff.diff(a, b))
end

--- `lathe.tree.diff_line`: see `lathe.members`.
function diff.line(change)
  if change.frames then
    local name = change.key and (" (%s)"):format(text.printable(change.key)) or ""
    return ("%s%s: %s"):format(change.path, name, poses.words(change))
  end
  if change.added ~= nil then
    return ("%s: added %s"):format(change.path, one_line(change.added, change))
  elseif change.removed ~= nil then
    return ("%s: removed %s"):format(change.path, one_line(change.removed, change))
  end
  local old = named(one_line(change.old, change, change.old_opaque), change.old_name)
  local new = named(one_line(change.new, change, change.new_opaque), change.new_name)
  local where = old == new and where_differing(change.old, change.new) or ""
  return ("%s: %s -> %s%s"):format(change.path, old, new, where)
end

return diff
