--- Format-specific code in Lua. A format with verbs written in Lua, or with knowledge that schemas and verbs
-- cannot express, has a module of its name here, called its part. All other modules use schemas, verbs and
-- parts, and contain no names of formats (tested by `make check`).
--
-- A part may have
--
-- * `verbs`: functions by name that implement verbs of the format
-- * `into`: a class for `lathe convert --into`
-- * `graph(doc)` and `character(doc)`: facts about behavior graphs, and about what uses them
-- * `precombined(doc, left_out)` and `missing(doc)`: facts about geometry in other files
-- * `from_meshes(meshes, options)`: makes a document of meshes, or replaces those of `options.like`
-- * `set_poses(doc, skeleton)`: sets the poses of a skeleton whose bones cannot be assigned; in an edit
-- @module lathe.formats

local core = require "lathe.core"

local formats = {}

-- Properties of the parts that are needed before they are loaded.
local PARTS = {
  nif = { up = "z", metres = 0.0142875, verbs = { "precombine" },
    commands = { precombine = "precombine.command" }, textures = true,
    meshes = { "skyrim-le", "skyrim-se", "fallout4" } },
  hkx = {},
  bphsh = { metres = 1, meshes = { "splatoon-3", "tears-of-the-kingdom" }, only_meshes = true },
  solid = { meshes = {}, only_meshes = true, turns = "180 degrees about x, as the game turns characters" },
  phxbn = {},
}

--- The part of a format.
-- @tparam string name
-- @treturn table an empty one if there is none
function formats.of(name)
  local part = PARTS[name]
  return part and not part.only_meshes and require("lathe.formats." .. name) or {}
end

--- Makes a document of meshes, or replaces those of one.
-- @tparam string name of a format that takes meshes
-- @tparam {table,...} meshes from `lathe.import`
-- @tparam table options `like`: the document that is changed; or `game` and `name` of a new one; `material`
-- @treturn ?Document
-- @return why not
function formats.from_meshes(name, meshes, options)
  return require("lathe.formats." .. name).from_meshes(meshes, options)
end

--- The axis that points up in the geometry of a format.
-- @tparam string name
-- @treturn string "y" or "z"
function formats.up(name) return PARTS[name] and PARTS[name].up or "y" end

--- How the game turns a mesh when it loads the file, if nothing in the file says so.
-- @tparam string name of the format
-- @tparam table mesh of `doc:meshes`
-- @treturn ?string nil if it does not
function formats.turned(name, mesh)
  local turns = PARTS[name] and PARTS[name].turns
  return turns and mesh.transform[6] < 0 and turns or nil
end

--- The length of a unit in files of a format, if it is known.
-- @tparam string name
-- @treturn ?number metres
function formats.metres(name) return PARTS[name] and PARTS[name].metres end

--- Whether the models of a format name their textures, and may have collision beside them.
-- @tparam string name
-- @treturn boolean
function formats.has_textures(name) return PARTS[name] ~= nil and PARTS[name].textures == true end

--- The games whose files can be made of meshes; an empty list if no game is needed.
-- @tparam string name of a format
-- @treturn ?{string,...} nil if the format takes no meshes
function formats.mesh_games(name) return PARTS[name] and PARTS[name].meshes end

local function plain(name) return (name:lower():gsub("[ -]", "")) end

--- Whether files of a game can be made of meshes.
-- @tparam string name of the format
-- @tparam string game as the format names it
-- @treturn boolean
function formats.takes_mesh(name, game)
  local games = formats.mesh_games(name)
  for _, option in ipairs(games or {}) do
    if plain(option) == plain(game) or plain(option) == plain(game) .. "le" then return true end
  end
  return games ~= nil and #games == 0
end

--- Sets the verbs written in Lua in their formats.
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
