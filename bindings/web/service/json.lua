--- Results that JSON can hold.
-- @module service.json

local dkjson = require "dkjson"
local text = require "lathe.tree.text"
local tree_json = require "lathe.tree.json"

local json = {}

local LIST <const> = { __jsontype = "array" }
local OBJECT <const> = { __jsontype = "object" }
local VERBATIM <const> = { __tojson = function(value) return value[1] end }

--- Makes a table a list, also if it is empty.
-- @tparam ?table items
-- @treturn table
function json.list(items) return setmetatable(items or {}, LIST) end

--- Makes a table an object, also if it is empty.
-- @tparam ?table members
-- @treturn table
function json.object(members) return setmetatable(members or {}, OBJECT) end

--- A text that is JSON already, as a command wrote it.
-- @tparam string source
-- @treturn table
function json.verbatim(source) return setmetatable({ (source:gsub("%s+$", "")) }, VERBATIM) end

--- A number with all its digits.
-- @tparam number value
-- @treturn table|string
function json.number(value) return tree_json.plain(value) end

--- Lines that are safe to show.
-- @tparam ?{string,...} lines
-- @treturn {string,...}
function json.lines(lines)
  local shown = json.list {}
  for i, line in ipairs(lines or {}) do shown[i] = text.printable(line) end
  return shown
end

--- A value as JSON in valid UTF-8.
-- @param value
-- @treturn string
function json.encode(value) return text.utf8(dkjson.encode(value)) end

--- The value of a JSON text.
-- @tparam string source
-- @return the value; nil: it is not JSON
function json.decode(source)
  local ok, value, stop = pcall(dkjson.decode, source)
  if ok and stop and not source:find("%S", stop) then return value end
end

return json
