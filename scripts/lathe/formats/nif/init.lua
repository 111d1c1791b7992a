--- The part of NIF. Its modules are loaded on first use.
-- @module lathe.formats.nif

local nif = { verbs = {} }

function nif.verbs.precombine(...) return require("lathe.formats.nif.precombine").run(...) end
function nif.precombined(...) return require("lathe.formats.nif.precombined").facts(...) end
function nif.missing(...) return require("lathe.formats.nif.precombined").missing(...) end
function nif.from_meshes(...) return require("lathe.formats.nif.model").from_meshes(...) end
function nif.into(...) return require("lathe.formats.nif.into").new(...) end

return nif
