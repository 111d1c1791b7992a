--- Gives a document the elements that another one has: inserts and removes, and lists what it did. What the
-- document changes by itself along with that, such as counts and references by number, is then no difference.
-- @module lathe.tree.structure

local core = require "lathe.core"
local plan = require "lathe.tree.plan"
local schema = require "lathe.tree.schema"

local structure = {}

local MOST_STEPS = 1000 -- insertions and removals in one array; an array with more is replaced as a whole

local function join(path, name) return path == "" and name or path .. "." .. name end

-- ---- references of new elements ---------------------------------------------------------------------

-- Whether records of a type have references, in themselves or in records that they contain.
local function has_references(cache, memo, type_name)
  if memo[type_name] ~= nil then return memo[type_name] end
  memo[type_name] = false -- a type that contains itself has those that its other fields have
  for _, row in ipairs(cache:rows(type_name)) do
    if row.ref or row.kind == "record" and row.type and has_references(cache, memo, row.type) then
      memo[type_name] = true
    end
  end
  return memo[type_name]
end

local Maker = {}
Maker.__index = Maker

--- Makes what inserts elements in two steps: first without references, as these may lead to elements that are
-- not there yet.
-- @tparam lathe.tree.schema cache of the document
-- @treturn Maker
function structure.maker(cache)
  return setmetatable({ schema = cache, memo = {}, later = {} }, Maker)
end

local function type_of(value, row)
  return row.tag and type(value) == "table" and value[row.tag] or row.type
end

-- A copy of a plain value without its references.
function Maker:stripped(value, row)
  if row.ref then return nil end
  local name = type_of(value, row)
  if type(value) ~= "table" or row.kind ~= "record" or not has_references(self.schema, self.memo, name) then
    return value
  end
  local copy, refs, parts = {}, {}, {}
  for _, field in ipairs(self.schema:rows(name)) do
    refs[field.name] = refs[field.name] or field.ref
    if field.kind == "record" then parts[field.name] = field end
  end
  for key, item in pairs(value) do
    if parts[key] and parts[key].array and type(item) == "table" and not refs[key] then
      copy[key] = {}
      local element = self.schema:element(nil, parts[key])
      for i, one in ipairs(item) do copy[key][i] = self:stripped(one, element) end
    elseif not refs[key] then
      copy[key] = parts[key] and self:stripped(item, parts[key]) or item
    end
  end
  return copy
end

--- Inserts an element; its references follow with `finish`.
-- @param array
-- @tparam integer i
-- @param value a plain value, or of a reference the path of its target
-- @tparam table element the row of the elements
function Maker:insert(array, i, value, element)
  local name = element.kind == "record" and type_of(value, element)
  if element.ref then
    core.insert(array, i, false)
    self.later[#self.later + 1] = { array = array, i = i, value = value }
  elseif name and type(value) == "table" and has_references(self.schema, self.memo, name) then
    local view = core.insert(array, i, self:stripped(value, element))
    self.later[#self.later + 1] = { view = view, value = value, type = name }
  else
    core.insert(array, i, value)
  end
end

function Maker:fill(view, value, name)
  for _, row in ipairs(self.schema:rows(name)) do
    local item = value[row.name]
    if item ~= nil and row.ref and not row.readonly then
      view[row.name] = item
    elseif type(item) == "table" and row.kind == "record"
      and has_references(self.schema, self.memo, row.type) then
      if row.array then
        for i, one in ipairs(item) do self:fill(view[row.name][i], one, type_of(one, row)) end
      else
        self:fill(view[row.name], item, row.type)
      end
    end
  end
end

--- The target of a reference in a change: a path, a number of what is missing, or false.
-- @param doc
-- @param value
-- @return a view, or the value
function structure.target(doc, value)
  if type(value) ~= "string" then return value or false end
  local target = doc:get(value)
  if core.type(target) == nil then
    error({ place = value, reason = "the target of the reference is missing" }, 0)
  end
  return target
end

--- Sets the references of the new elements.
-- @param doc
function Maker:finish(doc)
  for _, one in ipairs(self.later) do
    if one.array then
      one.array[one.i] = structure.target(doc, one.value)
    else
      self:fill(one.view, one.value, one.type)
    end
  end
  self.later = {}
end

-- ---- making two documents alike ----------------------------------------------------------------------

local Walk = {}
Walk.__index = Walk

-- The rows of two records that have arrays in them, cached by the list of rows.
function Walk:part_rows(a, b)
  local rows, not_in_a, not_in_b = self.schema:compared_rows(a, b)
  local parts = self.parts_of[rows]
  if not parts then
    parts = {}
    for _, row in ipairs(rows) do
      if row.array or row.kind == "record" and not row.ref then parts[#parts + 1] = row end
    end
    self.parts_of[rows] = parts
  end
  return parts, not_in_a, not_in_b
end

-- Groups: arrays whose elements have a field in each of several arrays, such as the bones of a skeleton.
function Walk:group_rows(a)
  local rows = self.schema:rows(a)
  local groups = self.groups_of[rows]
  if not groups then
    groups = {}
    for _, row in ipairs(rows) do
      local is_group = row.computed and row.array and row.resizable and row.kind == "record"
      if is_group then groups[#groups + 1] = row end
    end
    self.groups_of[rows] = groups
  end
  return groups
end

function Walk:record(a, b, path_a, path)
  for _, row in ipairs(self:group_rows(a)) do
    local is_there, of_a, of_b = pcall(function() return a[row.name], b[row.name] end)
    if is_there and core.type(of_a) == "array" and core.type(of_b) == "array" then
      self:resize_if_needed(of_a, of_b, join(path_a, row.name), join(path, row.name), row)
    end
  end
  local rows, not_in_a, not_in_b = self:part_rows(a, b)
  for _, row in ipairs(rows) do
    local name = row.name
    if not (not_in_a and not_in_a[name] or not_in_b and not_in_b[name]) then
      local of_a, of_b = schema.value(a, name, row), schema.value(b, name, row)
      self:value(of_a, of_b, join(path_a, name), join(path, name), row)
    end
  end
end

function Walk:value(a, b, path_a, path, row)
  local kind_a, kind_b = core.type(a), core.type(b)
  if not kind_a or kind_a ~= kind_b then return end
  if kind_a == "array" then
    self:array(a, b, path_a, path, row)
  elseif not row.ref and schema.is_alike(a, b) then
    self:record(a, b, path_a, path)
  end
end

-- The steps that give `a` the elements of `b`, in the order in which they are done.
local function steps_of(match, n, m, path_a, path)
  local steps, i = {}, 1
  local function removed(k)
    steps[#steps + 1] = { remove = true, old = i, k = k, path = ("%s[%d]"):format(path_a, i),
      at = ("%s[%d]"):format(path, k) }
    i = i + 1
  end
  for k = 1, m do
    while i <= n and not match[i] do removed(k) end
    if i <= n and match[i] == k then
      i = i + 1
    else
      steps[#steps + 1] = { k = k, path = ("%s[%d]"):format(path, k) }
    end
  end
  while i <= n do removed(m + 1) end
  return steps
end

function Walk:take(steps, a, b, element)
  local changes = {}
  for _, step in ipairs(steps) do
    local change = { path = step.path, at = step.at ~= step.path and step.at or nil, length = #a }
    if step.remove then
      change.removed = self.copy(a[step.k], element)
      core.remove(a, step.k)
    else
      change.added = self.copy(b[step.k], element)
      self.maker:insert(a, step.k, change.added, element)
    end
    changes[#changes + 1] = self.describe(change, element)
  end
  return changes
end

-- Replaces all elements of an array in which too much differs.
function Walk:replace(a, b, path, row, element)
  if element.ref or element.tag then error("too many elements came or went", 0) end
  local change = { path = path, old = core.totable(a), new = core.totable(b), whole = true }
  core.assign(a, change.new)
  return { self.describe(change, row) }
end

-- Gives array `a` the elements of `b`; false if it cannot be done.
function Walk:resize(a, b, match, path_a, path, row, element)
  local steps = steps_of(match, #a, #b, path_a, path)
  local changes
  local later = #self.maker.later
  local done, why = pcall(self.doc.edit, self.doc, function()
    if #steps > MOST_STEPS then
      changes = self:replace(a, b, path, row, element)
    else
      changes = self:take(steps, a, b, element)
    end
  end)
  if done then
    self.steps[path] = changes
    self.some = self.some or #changes > 0
    return true
  end
  for i = #self.maker.later, later + 1, -1 do self.maker.later[i] = nil end
  self.stuck[path] = { match = match, why = why, path_a = path_a, length = #a }
  return false
end

function Walk:pairs(a, b, path, element)
  local match, complete = plan.pairs(self.tokens, a, b, element)
  if not complete then self.notes[#self.notes + 1] = plan.note(path) end
  if not match then return nil end
  local kept = 0
  for _ in pairs(match) do kept = kept + 1 end
  return (kept < #a or kept < #b) and match or nil
end

function Walk:resize_if_needed(a, b, path_a, path, row)
  local element = self.schema:element(a, row)
  local match = self:pairs(a, b, path, element)
  return not match or self:resize(a, b, match, path_a, path, row, element), match
end

-- The position in `a`, as it was, of what is now the k-th element.
local function origins(match, n)
  local from = {}
  for i, k in pairs(match or {}) do from[k] = i end
  return match and from or setmetatable({}, { __index = function(_, k) return k <= n and k or nil end })
end

function Walk:array(a, b, path_a, path, row)
  local element = self.schema:element(a, row)
  local packed = #a == #b and self.tokens:packed(a, element)
  if packed and packed == self.tokens:packed(b, element) then return end
  local n = #a
  local resized, match = self:resize_if_needed(a, b, path_a, path, row)
  local whole = self.steps[path] and self.steps[path][1].whole
  if element.ref or n == 0 or not core.type(b[1]) or whole then return end
  local from = origins(match, n)
  for k = 1, #b do
    local i = from[k]
    if i and resized then
      self:value(a[k], b[k], ("%s[%d]"):format(path_a, i), ("%s[%d]"):format(path, k), element)
    elseif i then -- the elements have their old places in `a`
      self:value(a[i], b[k], ("%s[%d]"):format(path_a, i), ("%s[%d]"):format(path, k), element)
    end
  end
end

--- Gives a document the elements of another, inside of an edit.
-- @param doc the document that is changed
-- @param other the one with the elements
-- @tparam table with `schema`, `tokens`, and the functions `copy` (value, row) and `describe` (change, row)
-- @treturn table `steps`: lists of changes by path of the array; `some`: whether there are any; `stuck`:
-- arrays   that could not be changed; `notes`: arrays in which too much differs to tell what was inserted
function structure.adapt(doc, other, with)
  local self = setmetatable({
    doc = doc, schema = with.schema, tokens = with.tokens, copy = with.copy, describe = with.describe,
    maker = structure.maker(schema.new(doc)), steps = {}, stuck = {}, notes = {},
    parts_of = {}, groups_of = {},
  }, Walk)
  self:record(doc, other, "", "")
  local done, why = pcall(self.maker.finish, self.maker, doc)
  if not done then self.unfinished = why end
  return self
end

return structure
