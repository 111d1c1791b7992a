--- Checked access to the JSON of a glTF file: returns values of the expected type, or raises an error with
-- the place.
-- @module lathe.import.json

local fail = require "lathe.import.fail"

local json = {}

--- Parses a text; returns the top-level object.
-- @tparam string text
-- @treturn table
-- @raise errors for `fail.catch`
function json.parse(text)
  local ok, value, _, why = pcall(require("dkjson").decode, text, 1, nil, nil, nil)
  if not ok then fail.at("JSON", "it is nested too deeply") end
  if type(value) ~= "table" then fail.at("JSON", "%s", why or "no object") end
  return value
end

-- A value of a type; nil if it is missing.
local function typed(from, name, where, kind, word)
  local value = from[name]
  if value ~= nil and type(value) ~= kind then fail.at(where, "%s is no %s", name, word) end
  return value
end

--- A table in a table; nil if it is missing.
-- @tparam table from
-- @tparam string name
-- @tparam string where of `from`
-- @treturn ?table
function json.table(from, name, where)
  return typed(from, name, where, "table", "table")
end

--- An integer of at least 0.
-- @tparam table from
-- @tparam string|integer name
-- @tparam string where of `from`
-- @tparam ?integer default nil: it is required
-- @treturn integer
function json.count(from, name, where, default)
  local value = from[name]
  if value == nil and default then return default end
  local whole = math.type(value) and math.tointeger(value)
  if not whole or whole < 0 or whole > 0xffffffffffff then fail.at(where, "%s is no whole number", name) end
  return whole
end

--- A list of such integers; empty if it is missing.
-- @tparam table from
-- @tparam string name
-- @tparam string where of `from`
-- @treturn {integer,...}
function json.counts(from, name, where)
  local all, list = json.table(from, name, where) or {}, {}
  for i in ipairs(all) do list[i] = json.count(all, i, where .. "." .. name) end
  return list
end

--- A text; nil if it is missing.
-- @tparam table from
-- @tparam string name
-- @tparam string where of `from`
-- @treturn ?string
function json.text(from, name, where)
  return typed(from, name, where, "string", "text")
end

--- A list of n finite numbers; nil if it is missing.
-- @tparam table from
-- @tparam string name
-- @tparam string where of `from`
-- @tparam integer n
-- @treturn ?{number,...}
function json.numbers(from, name, where, n)
  local list = json.table(from, name, where)
  for i = 1, list and n or 0 do
    local v = list[i]
    local fits = math.type(v) and v >= -1e38 and v <= 1e38
    if not fits then fail.at(where, "%s is not %d numbers", name, n) end
  end
  return list
end

--- An element of a list in the top-level object, and its place.
-- @tparam table top
-- @tparam string list
-- @tparam integer i from 0
-- @tparam string where the place that refers to it
-- @treturn table
-- @treturn string
function json.item(top, list, i, where)
  local all = json.table(top, list, "JSON")
  local item = all and all[i + 1]
  if type(item) ~= "table" then fail.at(where, "there is no %s[%d]", list, i) end
  return item, ("%s[%d]"):format(list, i)
end

return json
