--- The part of Phive shapes.
-- @module lathe.formats.bphsh

local core = require "lathe.core"

local bphsh = {}

-- Layouts of the shape by game, as --game spells it.
local VARIANTS <const> = { ["splatoon-3"] = "v21", ["tears-of-the-kingdom"] = "v22" }

--- Makes a shape of meshes.
-- @tparam {table,...} meshes from `lathe.import`
-- @tparam table options `game`; or `like`, a document whose materials are kept; `material`: that of all
--   triangles
-- @treturn ?Document
-- @return why not
function bphsh.from_meshes(meshes, options)
  local doc, done, err = options.like
  if doc then
    done, err = doc:set_mesh(meshes, { materials = options.material })
  else
    local fields = { variant = VARIANTS[options.game], mesh = meshes, materials = options.material }
    doc, err = core.new("bphsh", fields)
    done = doc
  end
  if done then return doc end
  local unknown = not options.material and tostring(err):find "is no material of"
  return nil, unknown and ("%s: --material names one"):format(err) or err
end

return bphsh
