--- lathe: open, look into, change and save the binary files of games.
--
-- The work is done in C (`lathe.core`); this module is its public face and adds what is easier said
-- in Lua. Documents, views, arrays and errors are described in the manual.
--
--    local lathe = require "lathe"
--    local doc = assert(lathe.open "Box.solid")
--    doc.vertices[1].x = 2.5
--    assert(doc:save "Box.solid")
--
-- @module lathe

local core = require "lathe.core"

-- Hooks for the program around a script, such as the command line, and for the walkers. They stay in
-- lathe.core, out of the reach of scripts that are handed this table.
local PRIVATE = {
  set_guard = true,
  set_verb = true,
  call_bare = true,
  can_write = true,
  catch_interrupt = true,
  end_interrupted = true,
  hold_interrupt = true,
  identity = true,
  ignore_sigpipe = true,
  isatty = true,
  layout = true,
  limits = true,
  make_folder = true,
  open_file = true,
  real_path = true,
  sweep = true,
  truncate = true,
  wait_input = true,
}

local lathe = {}
for name, value in pairs(core) do
  if not PRIVATE[name] then lathe[name] = value end
end

--- Walkers over any view: `dump`, `diff` and `json`.
-- @see lathe.tree
lathe.tree = require "lathe.tree"

--- Writes geometry as .glb or .obj. What it takes more than the rest of lathe does is loaded here.
-- @see lathe.export
function lathe.export(...) return require("lathe.export").export(...) end

--- Reads geometry of .glb, .gltf and .obj.
-- @see lathe.import
function lathe.import(...) return require("lathe.import").import(...) end

-- doc:precombine of a NIF.
core.set_verb("nif", "precombine", function(...) return require("lathe.precombine").run(...) end)

--- `doc.materials` as tables: shaders with the files that they name, and what collision is made of.
-- @function materials
-- @param doc
-- @treturn {table,...} each with `kind` ("shader" or "collision"), `name` (or nil), `source` (its view),
--   `material` (the element of `doc.materials`) and `textures`, a list of `{ slot =, file = }`; shaders also
--   `flags` (names), `colors` and `alpha`
lathe.materials = require("lathe.materials").list

--- Gives materials other names: of collision, of shaders and of textures.
-- @function set_materials
-- @param doc
-- @tparam function|table how `how(name, kind, source, slot)` returns the new name or nothing; or a table
--   of new names by old ones. `kind` is "collision", "shader" or "texture"
-- @treturn table `{ changed = }`; or nil and an error, and nothing is changed
-- @see lathe.materials
lathe.set_materials = require("lathe.materials").set

return lathe
