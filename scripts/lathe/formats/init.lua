--- What formats do in Lua. A format whose verbs are done in Lua, or that knows something of its files that
-- schemas and verbs cannot say, has a part here: a module of its name. All other modules ask schemas, verbs
-- and parts, and know no format by its name (`make check` looks).
--
-- A part may have
--
-- * `verbs`: functions by name, which do verbs of the format
-- * `into`: a class for `lathe convert --into`
-- * `precombined(doc, left_out)` and `missing(doc)`: facts of geometry that lies in other files
-- * `set_poses(doc, skeleton)`: gives a skeleton other poses where its bones cannot be set; in an edit
-- @module lathe.formats

local core = require "lathe.core"

local formats = {}

-- What the parts have that is needed before they are loaded.
local PARTS = {
  nif = { verbs = { "precombine" }, commands = { precombine = "precombine.command" } },
  phxbn = {},
}

--- The part of a format.
-- @tparam string name
-- @treturn table an empty one where there is none
function formats.of(name)
  return PARTS[name] and require("lathe.formats." .. name) or {}
end

--- Puts the verbs that are done in Lua into their formats.
function formats.set_verbs()
  for name, part in pairs(PARTS) do
    for _, verb in ipairs(part.verbs or {}) do
      core.set_verb(name, verb, function(...) return formats.of(name).verbs[verb](...) end)
    end
  end
end

--- The module of a command for a verb of one format.
-- @tparam string command
-- @treturn ?string
function formats.command(command)
  for name, part in pairs(PARTS) do
    local module = part.commands and part.commands[command]
    if module then return ("lathe.formats.%s.%s"):format(name, module) end
  end
  return nil
end

return formats
