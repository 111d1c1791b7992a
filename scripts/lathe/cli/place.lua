--- Paths as people write them: of what a document tells beside its fields, too.
-- @module lathe.cli.place

local core = require "lathe.core"

local place = {}

-- Lists that are no fields.
local LISTS = { materials = true, bodies = true }

--- A list that is no field, where a document has it: `bodies`.
-- @tparam Document doc
-- @tparam string name
-- @treturn ?table the list
function place.list(doc, name)
  if not LISTS[name] or doc:get(name) ~= nil then return nil end
  local there, list = pcall(function() return doc[name] end)
  return there and list or nil
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
  local name = path:match "^%l+"
  local number, rest = path:match "^%l+%[(%d+)%](.*)$"
  local list = place.list(doc, name)
  if not list then return nil end
  if not number and path:find("^[.[]", #name + 1) or path == name then
    return nil, ("%s: which of the %s? %s[1] is the first"):format(path, name, name)
  end
  if not number then return nil end
  local element = list[tonumber(number)]
  if element then return element, rest end
  if #list == 1 then return nil, ("%s: there is only %s[1]"):format(path, name) end
  return nil, ("%s: there are %d %s, numbered from 1"):format(path, #list, name)
end

--- The path of a field: `materials[1].textures.diffuse` lies in the shader that `doc.materials[1]` is, and
-- `bodies[1].friction` in what `doc.bodies[1]` is.
-- @tparam Document doc
-- @tparam string path
-- @treturn[1] string the path, which `doc:get` takes
-- @treturn[2] nil
-- @treturn[2] string why there is none
function place.of(doc, path)
  local element, rest = place.element(doc, path)
  if element then return core.path(element) .. rest end
  if rest then return nil, rest end
  return path
end

return place
