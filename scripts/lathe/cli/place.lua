--- Paths as people write them: of what a document tells beside its fields, too.
-- @module lathe.cli.place

local core = require "lathe.core"

local place = {}

--- The path of a field: `materials[1].textures.diffuse` lies in the shader that `doc.materials[1]` is.
-- @tparam Document doc
-- @tparam string path
-- @treturn[1] string the path, which `doc:get` takes
-- @treturn[2] nil
-- @treturn[2] string why there is none
function place.of(doc, path)
  local number, rest = path:match "^materials%[(%d+)%](.*)$"
  if not number or doc:get "materials" ~= nil then return path end
  local there, materials = pcall(function() return doc.materials end)
  if not there or not materials then return path end
  local material = materials[tonumber(number)]
  if material then return core.path(material) .. rest end
  return nil, ("%s: there are %d materials, numbered from 1"):format(path, #materials)
end

return place
