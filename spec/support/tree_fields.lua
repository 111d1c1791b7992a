--- Whether the walkers (JSON, diff) know every field of every record, also where records of one type have
-- different fields.
--
--    local fields = require "tree_fields"
--    fields.compare(doc, seen)          -- JSON holds what pairs gives
--    fields.change_all(bytes, opts, seen)   -- diff names each field that was set
--
-- `seen` counts what was looked at, so that a run over many files looks at a few instances of each type and field.

local assert = require "luassert"
local json = require "lathe.tree.json"
local lathe = require "lathe"
local setter = require "field_setter"

local fields = {}

local SAMPLES = 3 -- of each field of each kind of record, over all files
local SINGLES = 1 -- of one whose change makes other fields come or go: these cost a diff each
local WHOLE = 6 -- elements of an array that are all looked at, as all blocks are; of a longer one the first, second,
-- middle and last

-- What describe says of each name of this very record.
local function rows_of(view)
  local rows, count = {}, 0
  for _, row in ipairs(lathe.describe(view)) do
    rows[row.name] = row
    count = count + 1
  end
  return rows, count
end

local function element_row(row)
  local element = setmetatable({ array = false }, { __index = row })
  return element
end

local function sampled(n, row)
  if n > WHOLE and not row.tag then return { 1, 2, n // 2, n } end
  local all = {}
  for i = 1, n do all[i] = i end
  return all
end

-- ---- JSON ------------------------------------------------------------------------------------------

local compare_value

local function compare_record(view, tree, path, tag)
  local rows, wanted = rows_of(view), { tag }
  local order = assert(getmetatable(tree), path).__jsonorder
  for name, value in pairs(view) do
    local row = rows[name]
    if not row.computed or row.copied then
      wanted[#wanted + 1] = name
      compare_value(value, tree[name], row, path .. "." .. name)
    end
  end
  local opaque = #wanted == (tag and 1 or 0) and lathe.totable(view).bytes -- all that there is of it
  if opaque then
    wanted[#wanted + 1] = "bytes"
    assert.equal(#opaque, tree.bytes.length, path)
  end
  local listed = {} -- what nothing else says of a record is in copies of it, but not listed
  for _, name in ipairs(order) do
    local row = rows[name]
    if not (row and row.copied and row.inside) then listed[#listed + 1] = name end
  end
  assert.same(wanted, listed, path)
  for _, name in ipairs(order) do assert.not_nil(tree[name], path .. "." .. name) end
end

function compare_value(value, tree, row, path)
  local kind = lathe.type(value)
  if kind == "array" then
    assert(type(tree) == "table", path .. " is not in JSON")
    assert.equal(#value, #tree, path)
    for _, i in ipairs(sampled(#value, row)) do
      compare_value(value[i], tree[i], element_row(row), ("%s[%d]"):format(path, i))
    end
  elseif kind and not row.ref then
    compare_record(value, tree, path, row.tag)
  end
end

--- Asserts that the tree which becomes JSON holds what pairs gives, names and order, recursively.
-- @param view a document or record
function fields.compare(view)
  compare_record(view, json.value(view), lathe.type(view))
end

-- ---- diff ------------------------------------------------------------------------------------------

local function names_of(view)
  local names = {}
  for name in pairs(view) do names[#names + 1] = name end
  return table.concat(names, " ")
end

-- Calls fn(place, key, row, name) for the fields and elements of a record that could be set.
local function each_place(view, fn)
  local rows, count = rows_of(view)
  local type_name = ("%s/%d."):format(lathe.type(view), count)
  local names = {}
  for name in pairs(view) do names[#names + 1] = name end
  for _, name in ipairs(names) do
    local row = rows[name]
    local value = view[name]
    local told = row.computed or row.readonly and not row.array or row.count
    if lathe.type(value) == "array" and not told then
      for _, i in ipairs(sampled(#value, row)) do
        if lathe.type(value[i]) and not row.ref then
          each_place(value[i], fn)
        else
          fn(value, i, element_row(row), type_name .. name .. "[]")
        end
      end
    elseif lathe.type(value) and not row.ref then
      if not row.computed then each_place(value, fn) end
    elseif not told and value ~= nil then
      fn(view, name, row, type_name .. name)
    end
  end
end

local function new_value(value, row)
  if row.ref then return value == false and 0 or false end
  if row.type == "text" or value == "" then return (value or "") .. "x" end
  return setter.other(value, row)
end

-- What is shown of a value: diff takes one NaN for another, and a reference is compared by where it leads.
local function shown(value, row)
  if row.ref and lathe.type(value) then return lathe.path(value) end
  return value ~= value and "nan" or value
end

-- Sets one field of the copy. True: done; nil: it takes no other value; false: other fields came or went.
local function set_one(doc, place, key, row)
  local value = place[key]
  local size, names = doc.size, lathe.type(place) ~= "array" and names_of(place)
  local old, new = shown(value, row), new_value(value, row)
  if new == nil or not pcall(function() place[key] = new end) then return nil end
  if shown(place[key], row) == old then
    place[key] = value
    return nil
  end
  return doc.size == size and (not names or names_of(place) == names)
end

local function paths_of_diff(a, b)
  local paths = {}
  for _, change in ipairs(lathe.tree.diff(a, b)) do paths[change.path] = true end
  return paths
end

local function count_up(seen, name, most)
  if (seen[name] or 0) >= most then return false end
  seen[name] = (seen[name] or 0) + 1
  return true
end

-- Fields whose change makes others come or go, one after the other.
local function change_singles(doc, copy, singles, label)
  for _, path in ipairs(singles) do
    local parent, key = path:match "^(.*)%.([%w_]+)$"
    if not parent then parent, key = path:match "^(.*)%[(%d+)%]$" end
    local place = parent and copy:get(parent) or copy
    local row = lathe.type(place) == "array" and lathe.describe(place)[1] or rows_of(place)[key or path]
    key = math.tointeger(key) or key or path
    local state = copy:encode()
    if set_one(copy, place, key, row) ~= nil then
      assert(paths_of_diff(doc, copy)[path], ("%s: diff does not name %s"):format(label, path))
      assert(copy:undo())
    end
    assert(copy:encode() == state)
  end
end

local function open(bytes, opts)
  return lathe.parse(bytes, { format = opts.format, path = opts.path, history = 1 })
end

--- Sets some fields of a copy, and asserts that diff names each of them.
-- @tparam string bytes the file
-- @tparam table opts `path` or `format`, and `label`
-- @tparam table seen counts of what was looked at before
-- @treturn integer how many fields were set
function fields.change_all(bytes, opts, seen)
  local doc <close> = assert(open(bytes, opts))
  local copy <close> = assert(open(bytes, opts))
  local changed, singles = {}, {}
  local places, met = {}, {}
  each_place(doc, function(place, key, row, name)
    met[name] = (met[name] or 0) + 1
    if (seen[name] or 0) + met[name] <= SAMPLES then
      places[#places + 1] = { lathe.path(place), key, row, name }
    end
  end)
  for _, entry in ipairs(places) do
    local at, key, row, name = table.unpack(entry)
    local place = at == "" and copy or copy:get(at)
    if place then
      local path = lathe.path(place, key)
      local done = set_one(copy, place, key, row)
      if done then
        count_up(seen, name, SAMPLES)
        changed[#changed + 1] = path
      elseif done == false then
        assert(copy:undo())
        if count_up(seen, name .. " (single)", SINGLES) then singles[#singles + 1] = path end
      end
    end
  end
  local found = paths_of_diff(doc, copy)
  for _, path in ipairs(changed) do
    assert(found[path], ("%s: diff does not name %s"):format(opts.label, path))
  end
  local fresh <close> = assert(open(bytes, opts))
  change_singles(doc, fresh, singles, opts.label)
  return #changed + #singles
end

return fields
