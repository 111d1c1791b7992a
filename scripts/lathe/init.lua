--- lathe: opens, inspects, edits and saves binary files of games.
--
-- Most of it is implemented in C (`lathe.core`); this module is the public API and adds functions written in
-- Lua. `lathe.members` lists the members of the module and of its objects.
-- @module lathe

local core = require "lathe.core"

local lathe = {}
for name, value in pairs(core.members().lathe) do lathe[name] = value end

lathe.tree = require "lathe.tree"

-- Loaded on first use, because they need more modules than the rest of lathe.
function lathe.export(...) return require("lathe.export").export(...) end
function lathe.import(...) return require("lathe.import").import(...) end
function lathe.view(...) return require("lathe.view").view(...) end
function lathe.preview(...) return require("lathe.preview").preview(...) end

function lathe.diff(a, b, opts) return require("lathe.tree.patch").make(a, b, opts) end
function lathe.apply(...) return require("lathe.tree.patch").apply(...) end
function lathe.find(...) return require("lathe.tree.find").find(...) end

lathe.materials = require("lathe.materials").list
lathe.set_materials = require("lathe.materials").set

require("lathe.formats").set_verbs()

return lathe
