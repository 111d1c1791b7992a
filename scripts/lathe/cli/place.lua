--- Paths as people write them: of what a document tells beside its fields, too.
-- @module lathe.cli.place

local core = require "lathe.core"

local place = {}

-- Lists that are no fields: of records, and of what is alike in all formats.
local LISTS = { materials = true, bodies = true }
local OBJECTS = { skeletons = true, animations = true }
-- Views that write what is assigned.
local TOLD = { annotation = true, bone = true, pose = true, vector = true }

--- A list that is no field, where a document has it: `bodies`.
-- @tparam Document doc
-- @tparam string name
-- @treturn ?table the list
function place.list(doc, name)
  if not LISTS[name] or doc:get(name) ~= nil then return nil end
  local there, list = pcall(function() return doc[name] end)
  return there and list or nil
end

local function no_element(list, name, path)
  if #list == 1 then return ("%s: there is only %s[1]"):format(path, name) end
  return ("%s: there are %d %s, numbered from 1"):format(path, #list, name)
end

-- The name, the number and the rest of `bodies[1].friction`; nil and why where there is no number.
local function split(path)
  local name = path:match "^%l+"
  local number, rest = path:match "^%l+%[(%d+)%](.*)$"
  if number then return name, tonumber(number), rest end
  if path == name or path:find("^[.[]", #name + 1) then
    return nil, ("%s: which of the %s? %s[1] is the first"):format(path, name, name)
  end
end

--- What a path begins with, where that is an element of a list which is no field: `bodies[1]` of
-- `bodies[1].friction`.
-- @tparam Document doc
-- @tparam string path
-- @treturn[1] Record the element
-- @treturn[1] string the rest of the path
-- @treturn[2] nil
-- @treturn[2] ?string why there is none; nil where the path is one of fields
function place.element(doc, path)
  local list = place.list(doc, path:match "^%l+")
  if not list then return nil end
  local name, number, rest = split(path)
  if not name then return nil, number end
  local element = list[number]
  if element then return element, rest end
  return nil, no_element(list, name, path)
end

local STEPS = { "^%.([%a_][%w_]*)(.*)$", "^%[(%d+)%](.*)$", '^%["([^"]*)"%](.*)$' }

-- The first step of a path: a name or a number, and the rest.
local function next_step(path)
  for i, pattern in ipairs(STEPS) do
    local key, rest = path:match(pattern)
    if key then return i == 2 and tonumber(key) or key, rest end
  end
end

-- Functions are methods, and no values.
local function member(value, key)
  if type(value) ~= "table" and not core.type(value) then return nil end
  local ok, found = pcall(function() return value[key] end)
  if not ok then return nil, (tostring(found):gsub("^[^\n]-%.lua:%d+: ", "")) end
  if type(found) ~= "function" then return found end
end

--- Whether a value is a record or an array of a file, which has a path.
-- @param value
-- @treturn boolean
function place.is_record(value)
  return (pcall(core.path, value))
end

--- A list of what is alike in all formats, where a document has no field of that name: `animations`.
-- @tparam Document doc
-- @tparam string name
-- @treturn ?table the list
function place.objects(doc, name)
  if OBJECTS[name] and doc:get(name) == nil then return doc[name] end
end

--- What a path leads to that begins in such a list: `animations[1].annotations[1].text`.
-- @tparam Document doc
-- @tparam string path
-- @return[1] the value
-- @treturn[1] string the rest of the path: where the value is a record, a path in it; else ""
-- @return[1] the record that it was read from; nil where none is told
-- @treturn[2] nil
-- @treturn[2] ?string why there is none; nil where the path is another
function place.object(doc, path)
  local list = place.objects(doc, path:match "^%l+")
  if not list then return nil end
  local name, number, rest = split(path)
  if not name then return nil, number end
  local value = list[number]
  if value == nil then return nil, no_element(list, name, path) end
  local source
  while rest ~= "" and not place.is_record(value) do
    source = member(value, "source") or source
    local key, after = next_step(rest)
    if not key then return nil, ("'%s' is no path, see '%s'"):format(path, rest) end
    local why
    value, why = member(value, key)
    if value == nil then
      return nil, ("%s: %s"):format(path, why or path:sub(1, #path - #after) .. " is absent")
    end
    rest = after
  end
  return value, rest, source
end

--- Where a path leads that begins in such a list and ends in what is assigned there:
-- `skeletons[1].bones[3].pose.t`.
-- @tparam Document doc
-- @tparam string path
-- @return the view that has it; nil where there is none
-- @treturn string|integer its key
-- @return what is there now
function place.told(doc, path)
  local list = place.objects(doc, path:match "^%l+")
  local _, number, rest = split(path)
  local owner, key, value = nil, nil, list and number and list[number]
  while value ~= nil and rest and rest ~= "" and not place.is_record(value) do
    owner = value
    key, rest = next_step(rest)
    if key == nil then return nil end
    value = member(owner, key)
  end
  if rest == "" and key ~= "source" and TOLD[core.type(owner)] then return owner, key, value end
end

-- The path of a field in a record that something alike in all formats leads to; the rest of it is no field.
local function of_object(doc, path)
  local value, rest, source = place.object(doc, path)
  if value == nil then return nil, rest end
  if place.is_record(value) then return ((core.path(value) .. rest):gsub("^%.", "")) end
  local where = source and place.is_record(source) and core.path(source)
  return nil, ("%s cannot be set: it is a copy%s"):format(path,
    not where and "" or "; change " .. (where == "" and "the fields of the document" or where))
end

--- The path of a field: `materials[1].textures.diffuse` lies in the shader that `doc.materials[1]` is,
-- `bodies[1].friction` in what `doc.bodies[1]` is, and `animations[1].source` is a record of the file.
-- @tparam Document doc
-- @tparam string path
-- @treturn[1] string the path, which `doc:get` takes
-- @treturn[2] nil
-- @treturn[2] string why there is none
function place.of(doc, path)
  local element, rest = place.element(doc, path)
  if element then return core.path(element) .. rest end
  if rest then return nil, rest end
  if place.objects(doc, path:match "^%l+") then return of_object(doc, path) end
  return path
end

return place
