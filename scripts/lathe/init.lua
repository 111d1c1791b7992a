--- lathe: open, look into, change and save the binary files of games.
--
-- The work is done in C (`lathe.core`); this module is its public face and adds what is easier said
-- in Lua. `lathe.members` lists what it and its objects have.
-- @module lathe

local core = require "lathe.core"

local lathe = {}
for name, value in pairs(core.members().lathe) do lathe[name] = value end

lathe.tree = require "lathe.tree"

-- Loaded when they are called: they need more than the rest of lathe.
function lathe.export(...) return require("lathe.export").export(...) end
function lathe.import(...) return require("lathe.import").import(...) end

lathe.materials = require("lathe.materials").list
lathe.set_materials = require("lathe.materials").set

require("lathe.formats").set_verbs()

return lathe
