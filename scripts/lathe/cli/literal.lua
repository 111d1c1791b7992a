--- Values as people type them on the command line.
-- @module lathe.cli.literal

local core = require "lathe.core"

local literal = {}

local SPECIAL = {
  ["nan"] = 0 / 0,
  ["inf"] = math.huge,
  ["+inf"] = math.huge,
  ["-inf"] = -math.huge,
}

-- `{1, 2}`, `{x=1}` or a JSON list or object. The chunk sees no names at all, so nothing runs that
-- could do more than build a table.
local function table_value(source)
  local list = source:match "^%s*%[(.*)%]%s*$"
  local chunk = load("return " .. (list and "{" .. list .. "}" or source), "=value", "t",
    { inf = math.huge, nan = 0 / 0 })
  if chunk and source:match "^%s*[{%[]" and not source:find("function", 1, true) then
    local ok, value = pcall(chunk)
    if ok and type(value) == "table" then return value end
  end
  local json_value, stop = require("dkjson").decode(source, 1, nil, nil, nil)
  if type(json_value) == "table" and not source:find("%S", stop) then return json_value end
  return nil, ("'%s' is no list: write {1, 2, 3} or {x=1, y=2, z=3}"):format(source)
end

local function number_value(source, row)
  local value = tonumber(source) or SPECIAL[source:lower()]
  if value then return math.tointeger(value) and tonumber(source) or value end
  if row and (row.enum or row.flags) then return source end
  return nil, ("'%s' is no number"):format(source)
end

local function boolean_value(source)
  if source == "true" then return true end
  if source == "false" then return false end
  return nil, ("'%s' is neither true nor false"):format(source)
end

--- Reads a value in the light of what stands there now.
-- @tparam string source what was typed
-- @param current the value in the document, nil where it has none
-- @tparam[opt] table row the field's row in `lathe.describe`
-- @return the value, or nil
-- @treturn ?string what is wrong with it
-- @usage literal.read("{1, 2, 3}", doc.vertices[1]) --> { 1, 2, 3 }
function literal.read(source, current, row)
  if core.type(current) then return table_value(source) end
  if type(current) == "number" then return number_value(source, row) end
  if type(current) == "boolean" and not (row and row.ref) then return boolean_value(source) end
  if current == nil and row and row.kind ~= "integer" and row.kind ~= "number" and not row.enum then
    return (row.array or row.kind == "record") and table_value(source) or source
  end
  if current == nil and not (row and row.enum) then
    local value = tonumber(source)
    if value then return value end
  end
  return source
end

return literal
