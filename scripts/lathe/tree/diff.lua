--- Compares two documents field by field.
-- @module lathe.tree.diff

local core = require "lathe.core"
local plan = require "lathe.tree.plan"
local poses = require "lathe.tree.poses"
local schema = require "lathe.tree.schema"
local structure = require "lathe.tree.structure"
local text = require "lathe.tree.text"
local tokens = require "lathe.tree.tokens"

local Differ = {}
Differ.__index = Differ

-- Equality of stored values: 0 and -0 differ, all NaNs are equal.
local function same_scalar(a, b, row)
  if a == b and a ~= 0 then return true end
  if type(a) ~= "number" or type(b) ~= "number" then return a == b end
  return text.scalar(a, row) == text.scalar(b, row)
end

function Differ:is_same(a, b, row)
  if same_scalar(a, b, row) then return true end
  return self.tolerance > 0 and row.kind == "number" and type(a) == "number" and type(b) == "number"
    and math.abs(a - b) <= self.tolerance
end

-- A copy that does not follow references.
local function copy_of(value, row)
  if row and row.ref and core.type(value) and core.type(value) ~= "array" then return core.path(value) end
  return core.type(value) and core.totable(value) or value
end

local function describe(change, row)
  local element = change.added or change.removed
  if row and row.key and type(element) == "table" then change.key = element[row.key] end
  change.type, change.tag = row and row.type, row and row.tag
  change.enum, change.ref, change.own = row and row.enum, row and row.ref, row and row.own
  return change
end

function Differ:add(change, row)
  self.list[#self.list + 1] = describe(change, row)
end

local function join(path, name)
  return path == "" and name or path .. "." .. name
end

-- The path of a target after the elements of arrays that could not be changed have got the places that they
-- have in `b`.
function Differ:moved(path)
  for array, stuck in pairs(self.stuck) do
    local prefix = stuck.path_a .. "["
    if path:sub(1, #prefix) == prefix then
      local number, rest = path:match("^(%d+)(%].*)$", #prefix + 1)
      local k = stuck.match[math.tointeger(tonumber(number))]
      if k then return ("%s[%d%s"):format(array, k, rest) end
    end
  end
  return path
end

function Differ:reference(a, b, path, row)
  local old, new = core.type(a) and core.path(a) or a, core.type(b) and core.path(b) or b
  if old == new and not next(self.stuck) then return end
  if (type(old) == "string" and self:moved(old) or old) ~= new then
    self:add({ path = path, old = old, new = new }, row)
  end
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
    self:reference(a, b, path, row)
  elseif kind_a == "array" and kind_b == "array" then
    self:array(a, b, path, row)
  elseif kind_a and kind_a == kind_b and schema.is_alike(a, b) then
    self:record(a, b, path)
  elseif kind_a or kind_b then
    self:add({ path = path, old = copy_of(a), new = copy_of(b),
      old_opaque = schema.is_opaque(a), new_opaque = schema.is_opaque(b) }, row)
  elseif not self:is_same(a, b, row) then
    self:add({ path = path, old = a, new = b, readonly = next(self.steps) and row.readonly or nil }, row)
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

-- Tells what was inserted into the groups of a record: see lathe.tree.structure.
function Differ:groups(a, path)
  if not next(self.steps) then return end
  for _, row in ipairs(self.schema:rows(a)) do
    local steps = row.computed and row.array and self.steps[join(path, row.name)]
    if steps then table.move(steps, 1, #steps, #self.list + 1, self.list) end
  end
end

function Differ:record(a, b, path)
  local rows, not_in_a, not_in_b = self.schema:compared_rows(a, b)
  self:groups(a, path)
  for _, row in ipairs(rows) do
    local name, found = row.name, #self.list
    local old, new = self:sides(a, b, row, not_in_a and not_in_a[name], not_in_b and not_in_b[name])
    if may_differ(old, new) then self:value(old, new, join(path, name), row) end
    if row.shown_by and #self.list > found then add_names(self.list[found + 1], a, b, row.shown_by) end
  end
end

-- Arrays whose elements do not correspond by position, as they could not be changed.
function Differ:unlike(a, b, path, match, element, compare)
  local i = 1
  local function removed()
    self:add({ path = ("%s[%d]"):format(path, i), removed = copy_of(a[i], element), unlike = true }, element)
    i = i + 1
  end
  for k = 1, #b do
    while i <= #a and not match[i] do removed() end
    if i <= #a and match[i] == k then
      compare(i, k)
      i = i + 1
    else
      self:add({ path = ("%s[%d]"):format(path, k), added = copy_of(b[k], element), unlike = true }, element)
    end
  end
  while i <= #a do removed() end
end

function Differ:array(a, b, path, row)
  local element = self.schema:element(a, row)
  local steps, stuck = self.steps[path], self.stuck[path]
  local packed = not steps and #a == #b and self.tokens:packed(a, element)
  if packed and packed == self.tokens:packed(b, element) then return end
  local function compare(i, k)
    local old, new = schema.stored(a, i, element), schema.stored(b, k, element)
    if may_differ(old, new) then self:value(old, new, ("%s[%d]"):format(path, k), element) end
  end
  local match = stuck and stuck.match
  if not match and (#a ~= #b or self.direct) then
    local complete
    match, complete = plan.pairs(self.tokens, a, b, element)
    if match then self.stuck[path] = { match = match, path_a = path } end
    if not complete then self.notes[#self.notes + 1] = plan.note(path) end
  end
  if match then return self:unlike(a, b, path, match, element, compare) end
  -- Steps come in the order in which they were done: those of an array before those in its elements.
  if steps then table.move(steps, 1, #steps, #self.list + 1, self.list) end
  for k = 1, #b do compare(k, k) end
end

local diff = {}

local function new_differ(tolerance)
  local cache = schema.new()
  return setmetatable({
    schema = cache, tokens = tokens.new(cache, tolerance), tolerance = tolerance or 0,
    list = {}, steps = {}, stuck = {}, notes = {},
  }, Differ)
end

local function compare_directly(a, b, tolerance)
  local self = new_differ(tolerance)
  self.direct = true
  self:record(a, b, "")
  return self
end

-- Values that nobody sets, such as sizes, were compared after elements were inserted: gives them the old
-- values that the file has.
local function with_old_sizes(list, a)
  local kept = {}
  for _, change in ipairs(list) do
    local is_size = change.readonly and change.old ~= nil and not change.path:find("[", 1, true)
    if is_size then change.old = a:get(change.path) end
    if not is_size or change.old ~= change.new then kept[#kept + 1] = change end
    change.readonly = nil
  end
  return kept
end

-- Compares documents. `a` is given the elements of `b` for that, which is undone afterwards. With elements
-- that contradict the rest of the file it may be unreadable meanwhile: then they are compared as they are.
local function compare_documents(a, b, tolerance)
  local self = new_differ(tolerance)
  local UNDO = {}
  local _, err = pcall(a.edit, a, function()
    local done = structure.adapt(a, b, { schema = self.schema, tokens = self.tokens, copy = copy_of,
      describe = describe })
    self.steps, self.stuck, self.notes, self.unfinished = done.steps, done.stuck, done.notes, done.unfinished
    self:record(a, b, "")
    error(UNDO, 0)
  end)
  if err ~= UNDO then return compare_directly(a, b, tolerance) end
  if next(self.steps) then self.list = with_old_sizes(self.list, a) end
  return self
end

--- `lathe.tree.diff`: see `lathe.members`.
function diff.diff(a, b, opts)
  local kind_a, kind_b = core.type(a), core.type(b)
  if kind_a ~= kind_b then
    error(("cannot compare %s with %s"):format(kind_a or type(a), kind_b or type(b)), 2)
  end
  if rawequal(a, b) then return {} end
  local tolerance = opts and opts.tolerance
  local whole = getmetatable(a) == "lathe.Document" and getmetatable(b) == "lathe.Document"
  local self = (whole and compare_documents or compare_directly)(a, b, tolerance)
  return self.list, self.notes
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

--- Changes for display: differences of animation tracks in place of changes of their packed fields. See
-- `lathe.tree.poses`.
-- @param a a document
-- @param b another of the same format
-- @tparam {table,...} changes what differs
-- @treturn {table,...}
function diff.shown(a, b, changes)
  return poses.told(a, b, changes)
end

--- What differs between two documents, for display.
-- @param a a document
-- @param b another of the same format
-- @treturn {table,...}
function diff.told(a, b)
  return diff.shown(a, b, (diff.diff(a, b)))
end

--- `lathe.tree.diff_line`: see `lathe.members`.
function diff.line(change)
  if change.frames then
    local name = change.key and (" (%s)"):format(text.printable(change.key)) or ""
    return ("%s%s: %s"):format(change.path, name, poses.words(change))
  end
  if change.added ~= nil then
    return ("%s: added %s"):format(change.path, one_line(change.added, change))
  elseif change.whole then
    return ("%s: %s -> %d"):format(change.path, text.count(#change.old, "element"), #change.new)
  elseif change.removed ~= nil then
    return ("%s: removed %s"):format(change.path, one_line(change.removed, change))
  end
  local old = named(one_line(change.old, change, change.old_opaque), change.old_name)
  local new = named(one_line(change.new, change, change.new_opaque), change.new_name)
  local where = old == new and where_differing(change.old, change.new) or ""
  return ("%s: %s -> %s%s"):format(change.path, old, new, where)
end

return diff
