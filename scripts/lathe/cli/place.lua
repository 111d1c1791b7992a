--- Paths as people write them: of what a document tells beside its fields, too.
-- @module lathe.cli.place

local core = require "lathe.core"

local place = {}

-- Lists that are no fields.
local LISTS = { materials = true, bodies = true }

--- What a path begins with, where that is an element of a list which is no field: `bodies[1]` of
-- `bodies[1].friction`.
-- @tparam Document doc
-- @tparam string path
-- @treturn[1] Record the element
-- @treturn[1] string the rest of the path
-- @treturn[2] nil
-- @treturn[2] ?string why there is none; nil where the path is one of fields
function place.element(doc, path)
  local name, number, rest = path:match "^(%l+)%[(%d+)%](.*)$"
  if not LISTS[name] or doc:get(name) ~= nil then return nil end
  local there, list = pcall(function() return doc[name] end)
  if not there or not list then return nil end
  local element = list[tonumber(number)]
  if element then return element, rest end
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
