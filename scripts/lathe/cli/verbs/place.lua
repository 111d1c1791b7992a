--- Resolves paths typed by the user, which may start in lists that are not fields of the document.
-- @module lathe.cli.verbs.place

local core = require "lathe.core"
local values = require "lathe.repl.values"
local literal = require "lathe.cli.verbs.literal"

local place = {}

-- Lists that are not fields: of records, and of objects that all formats have.
local LISTS = { materials = true, bodies = true, events = true, variables = true }
local OBJECTS = { skeletons = true, animations = true, animation_files = true }
-- Lists whose elements are numbered from 0, and found by name, too.
local IDS = { events = true, variables = true }
-- Views that write assigned values to other places.
local TOLD = { annotation = true, bone = true, pose = true, vector = true }

--- A path as typed: "doc." in front, as at the prompt, is left out.
-- @tparam string path
-- @treturn string
function place.typed(path)
  return (path:gsub("^doc%.", ""))
end

--- A list of a document that is not a field: `bodies`.
-- @tparam Document doc
-- @tparam string name
-- @treturn ?table the list
function place.list(doc, name)
  if not LISTS[name] or doc:get(name) ~= nil then return nil end
  local there, list = pcall(function() return doc[name] end)
  return there and list or nil
end

local function no_element(list, name, path)
  local first = IDS[name] and 0 or 1
  if #list == 1 then return ("%s: there is only %s[%d]"):format(path, name, first) end
  return ("%s: there are %d %s, numbered from %d"):format(path, #list, name, first)
end

-- Splits off the first step of a path: a name, a number, or text in brackets and quotes.
local function next_step(path)
  local name, rest = path:match "^%.([%a_][%w_]*)(.*)$"
  if name then return name, rest end
  local number, after = path:match "^%[(%-?%d+)%](.*)$"
  if number then return math.tointeger(tonumber(number)), after end
  local text, tail = literal.quoted(path:match "^%[(.*)$" or "")
  if text and tail:sub(1, 1) == "]" then return text, tail:sub(2) end
end

-- Splits `bodies[1].friction` into name, number (or text, of elements that are found by name) and rest; nil
-- and
-- a reason without one.
local function split(path)
  local name, rest = path:match "^([%l_]+)(.*)$"
  if not name or rest ~= "" and not rest:find "^[.[]" then return nil end
  if rest:sub(1, 1) == "[" then
    local key, after = next_step(rest)
    if math.type(key) or key and IDS[name] then return name, key, after end
    if not key then return nil, ("'%s' is no path, see '%s'"):format(path, rest) end
  end
  return nil, ("%s: which of the %s? %s[%d] is the first"):format(path, name, name, IDS[name] and 0 or 1)
end

--- The element at the start of a path, if it is in a list that is not a field: `bodies[1]` of
-- `bodies[1].friction`.
-- @tparam Document doc
-- @tparam string path
-- @treturn[1] Record the element
-- @treturn[1] string the rest of the path
-- @treturn[2] nil
-- @treturn[2] ?string why there is none; nil for a path of fields
function place.element(doc, path)
  local list = place.list(doc, path:match "^%l+")
  if not list then return nil end
  local name, key, rest = split(path)
  if not name then return nil, key end
  local found, element = pcall(function() return list[key] end)
  if found and element then return element, rest end
  if not found then return nil, (tostring(element):gsub("^[^\n]-%.lua:%d+: ", "")) end
  return nil, no_element(list, name, path)
end

-- A member that is a value; functions are methods.
local function member(value, key)
  if type(value) ~= "table" and not core.type(value) then return nil end
  local ok, found = pcall(function() return value[key] end)
  if not ok then return nil, (tostring(found):gsub("^[^\n]-%.lua:%d+: ", "")) end
  if type(found) ~= "function" then return found end
end

-- The length of a list; nil for other values.
local function countable(value)
  local ok, count = pcall(function() return #value end)
  return ok and count or nil
end

local function no_such(count, list)
  if count == 0 then return ("%s is empty"):format(list) end
  if count == 1 then return ("there is only %s[1]"):format(list) end
  return ("%s has %d elements, numbered from 1"):format(list, count)
end

-- Takes the first step of `rest`, the end of a path; nil and why if the value has no such member.
local function step(value, rest, path)
  local key, after = next_step(rest)
  if not key then return nil, ("'%s' is no path, see '%s'"):format(path, rest) end
  local inner, why = member(value, key)
  if inner ~= nil then return inner, after end
  local here = path:sub(1, #path - #after)
  local count = math.type(key) and countable(value)
  if not why and count then why = no_such(count, here:match "^(.*)%[") end
  return nil, why and ("%s: %s"):format(path, why) or here .. " is absent"
end

--- Whether a value is a record or an array of a file, and so has a path.
-- @param value
-- @treturn boolean
function place.is_record(value)
  return (pcall(core.path, value))
end

--- A list of objects that all formats have, if the document has no field of that name: `animations`.
-- @tparam Document doc
-- @tparam string name
-- @treturn ?table the list
function place.objects(doc, name)
  if OBJECTS[name] and doc:get(name) == nil then return doc[name] end
end

--- Resolves a path that begins in such a list: `animations[1].annotations[1].text`.
-- @tparam Document doc
-- @tparam string path
-- @return[1] the value
-- @treturn[1] string the rest of the path: a path in the value if it is a record, else ""
-- @return[1] the record that it was read from, or nil
-- @treturn[2] nil
-- @treturn[2] ?string why there is none; nil for other paths
function place.object(doc, path)
  local list = place.objects(doc, path:match "^[%l_]+")
  if not list then return nil end
  local name, number, rest = split(path)
  if not name then return nil, number end
  local value = list[number]
  if value == nil then return nil, no_element(list, name, path) end
  local source
  while rest ~= "" and not place.is_record(value) do
    source = member(value, "source") or source
    value, rest = step(value, rest, path)
    if value == nil then return nil, rest end
  end
  return value, rest, source
end

--- Resolves a path in such a list to a place that can be assigned: `skeletons[1].bones[3].pose.t`.
-- @tparam Document doc
-- @tparam string path
-- @return the view that has it; nil: there is none
-- @treturn string|integer its key
-- @return the current value
function place.told(doc, path)
  local list = place.objects(doc, path:match "^[%l_]+")
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

--- Whether a path begins with a member of documents that is no field: `graph`.
-- @tparam Document doc
-- @tparam string path
-- @treturn boolean
function place.is_member(doc, path)
  local name = path:match "^[%a_][%w_]*"
  return name ~= nil and doc:get(name) == nil and member(doc, name) ~= nil
end

--- The value at a path, found step by step as Lua does: `animations[2]`, `bodies[1].shape`.
-- @tparam Document doc
-- @tparam string path
-- @return[1] the value
-- @treturn[2] nil
-- @treturn[2] string why there is none
function place.value(doc, path)
  local value, rest = doc, "." .. path
  while rest ~= "" do
    value, rest = step(value, rest, path)
    if value == nil then return nil, rest end
  end
  return value
end

--- The value that has the last step of a path, which is a member that Lua can read.
-- @tparam Document doc
-- @tparam string path
-- @return the value; nil: there is none, or it has no such member
-- @treturn string|integer the key of the member
function place.owner(doc, path)
  local owner, rest = doc, "." .. path
  while true do
    local key, after = next_step(rest)
    local inner = key and member(owner, key)
    if inner == nil then return nil end
    if after == "" then return owner, key end
    owner, rest = inner, after
  end
end

-- The path of a field in a record that such an object refers to; the rest of the path is not a field.
local function of_object(doc, path)
  local value, rest, source = place.object(doc, path)
  if value == nil then return nil, rest end
  if place.is_record(value) then return ((core.path(value) .. rest):gsub("^%.", "")) end
  local where = source and place.is_record(source) and core.path(source)
  return nil, ("%s cannot be set: it is a copy%s"):format(path,
    not where and "" or "; change " .. (where == "" and "the fields of the document" or where))
end

-- The error for a path whose first name is not a field but resembles one of these lists: `body[1]`.
local function near_list(doc, path)
  local name = path:match "^[%a_][%w_]*"
  local value, err = doc:get(name or "")
  local said = value == nil and err and tostring(err) or ""
  if not name or not said:find(("no field '%s'"):format(name), 1, true) or said:find "did you mean" then
    return nil
  end
  local names = {}
  for _, lists in ipairs { LISTS, OBJECTS } do
    for list in pairs(lists) do
      if place.list(doc, list) or place.objects(doc, list) then names[#names + 1] = list end
    end
  end
  table.sort(names)
  local hint = values.hint(name, names)
  return hint ~= "" and ("%s: no field '%s' in %s%s"):format(path, name, doc.format, hint) or nil
end

--- Converts a path to that of a field: `materials[1].textures.diffuse` is in the shader of
-- `doc.materials[1]`, `bodies[1].friction` in the record of `doc.bodies[1]`, and `animations[1].source` is a
-- record of the file.
-- @tparam Document doc
-- @tparam string path
-- @treturn[1] string the path for `doc:get`
-- @treturn[2] nil
-- @treturn[2] string why there is none
function place.of(doc, path)
  local element, rest = place.element(doc, path)
  if element then return core.path(element) .. rest end
  if rest then return nil, rest end
  if place.objects(doc, path:match "^[%l_]+") then return of_object(doc, path) end
  local why = near_list(doc, path)
  if why then return nil, why end
  return path
end

return place
