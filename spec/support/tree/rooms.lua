--- The rooms of the house: which folders there are, and what each may know besides itself. A file may include, declare
--- and use only what its own room has or one of these. A folder without a line belongs to the room around it;
-- those right below core have one.

local sources = require "tree.sources"

local FLOORS = { "core/base", "core/record", "core/model", "core/scene" } -- what every format stands on

--- The floors, and more.
local function floors(...)
  local list = { ... }
  table.move(FLOORS, 1, #FLOORS, #list + 1, list)
  return list
end

local knows = {
  ["core/base"] = {},
  ["core/model"] = { "core/base" },
  ["core/picture"] = { "core/base", "core/model" },
  ["core/record"] = { "core/base" },
  ["core/scene"] = { "core/base", "core/record", "core/model" },
  ["core/api"] = floors(),
  ["core/preview"] = floors("core/picture", "core/api"),
  ["core/lugaru"] = FLOORS,
  ["core/wolfire"] = FLOORS,

  -- Havok. What files have in common, packfile or not; the container; what is in it, of which neither knows the other.
  -- The mathematics of clips and shapes know no document at all.
  ["core/havok/objects"] = FLOORS,
  ["core/havok/packfile"] = floors("core/havok/objects"),
  -- The same container as a text.
  ["core/havok/xml"] = floors("core/havok/packfile", "core/havok/objects"),
  ["core/havok/animation/maths"] = { "core/base", "core/model" },
  -- … but for the tables of classes.
  ["core/havok/animation"] = floors("core/havok/animation/maths", "core/havok/objects", "gen/packfile"),
  ["core/havok/animation/made"] = floors("core/havok/animation", "core/havok/animation/maths", "core/havok/objects",
    "core/havok/packfile"),
  ["core/havok/physics/maths"] = { "core/base", "core/model" },
  ["core/havok/physics/names"] = FLOORS,
  ["core/havok/physics"] = floors("core/havok/physics/maths", "core/havok/physics/names", "core/havok/objects"),
  -- Behaviors, whose verbs make and remove objects; classes of cloth: tables alone.
  ["core/havok/behavior"] = floors("core/havok/objects", "core/havok/packfile"),
  ["core/havok/cloth"] = FLOORS,
  ["core/havok/physics/build"] = floors("core/havok/physics", "core/havok/physics/maths", "core/havok/objects",
    "core/havok/packfile"),
  -- Files that describe their own classes; what is known of these by name.
  ["core/havok/named"] = floors("core/havok/animation", "core/havok/physics", "core/havok/objects", "gen/packfile",
    "gen/behavior", "gen/cloth"),
  ["core/havok"] = floors("core/havok/*"),

  -- Tagfiles hold the same objects in another container, and a phive shape is a tagfile with tables.
  ["core/tagfile"] = floors("core/havok/objects", "core/havok/animation", "core/havok/physics", "core/havok/named"),
  ["core/phive"] = floors("core/tagfile", "core/havok/physics/names"),

  -- NIF, with packfiles inside.
  ["core/nif/container"] = floors("core/havok"),
  ["core/nif/materials"] = floors("core/nif/container", "core/havok/physics", "core/havok/physics/names"),
  ["core/nif/geometry/vertices"] = floors("core/nif/container"),
  ["core/nif/geometry/csg"] = floors("core/nif/geometry/vertices"),
  ["core/nif/geometry"] = floors("core/nif/container", "core/nif/materials", "core/nif/geometry/*"),
  ["core/nif/collision"] = floors("core/nif/container", "core/nif/geometry", "core/havok/*"),
  ["core/nif"] = floors("core/nif/*", "core/havok", "core/havok/*"),

  ["core"] = { "core/*" }, -- core/formats.c lists them all
  ["bindings"] = { "core/base", "core/record", "core/picture" }, -- of the scene they use core/lathe.h alone
}

-- Tables that the build makes of the texts in a folder schema/ belong to the folder around it, and to what lies in that:
-- they are data, and name hooks of all of it. What else those of a unit name:
local made_of = {
  -- The classes as packfiles have them, which lead to each other all around.
  packfile = { "gen/animation", "gen/physics", "gen/behavior", "gen/cloth" },
  animation = { "core/havok/packfile", "gen/packfile", "gen/physics" },
  physics = { "core/havok/packfile", "gen/packfile", "gen/animation" },
  behavior = { "core/havok/packfile", "gen/packfile", "gen/animation", "gen/physics", "gen/objects" },
  cloth = { "core/havok/packfile", "gen/packfile", "gen/physics", "gen/objects" },
}

-- Where a floor asks one above it, by an object that the linker fills in: the list of formats, and the scene that lies
-- upon the engine. There are no others.
local asked_above = { rec_formats = "core/formats.c", rec_upper_floor = "core/scene/state.c" }

-- Units of schema texts: their folders.
local units = {}
for _, path in ipairs(sources.lines_of("find core -path '*/schema/unit.schema'")) do
  local folder = path:match("^(.*)/schema/")
  units[folder:match("[^/]+$")] = folder
end

local M = {}

--- Folders of core that have sources, and no line above: nobody has said what they may know.
function M.unknown(paths)
  local list = {}
  for _, path in ipairs(paths) do
    local folder = path:match("^core/[^/]+/") and path:match("^(core/[^/]+)/")
    if folder and not knows[folder] and not list[folder] then
      list[folder], list[#list + 1] = true, folder
    end
  end
  return list
end

--- The room of a file.
function M.of(path)
  local unit = path:match("^gen/(.*)%.c$") or path:match("^gen/(.*)_%l+%.h$")
  if units[unit] then return "gen/" .. unit end
  if path:match("^gen/") then return "spec" end   -- formats that the tests make up
  local folder = path:match("^(.*)/")
  while folder and not knows[folder] do folder = folder:match("^(.*)/") end
  return folder
end

local function is_in(room, folder)
  return room == folder or room:sub(1, #folder + 1) == folder .. "/"
end

local function listed(list, room)
  for _, known in ipairs(list or {}) do
    local folder = known:match("^(.*)/%*$")
    if known == room or folder and folder ~= room and is_in(room, folder) then return true end
  end
  return false
end

--- Whether files of one room may know what another one has.
local function may(from, to)
  if from == to or from == "spec" then return true end
  local from_unit, to_unit = from:match("^gen/(.*)$"), to:match("^gen/(.*)$")
  if to_unit then
    return is_in(from, units[to_unit]) or may(from, units[to_unit]) or listed(knows[from], to)
           or listed(made_of[from_unit], to)
  end
  if from_unit then
    return is_in(to, units[from_unit]) or may(units[from_unit], to) or listed(made_of[from_unit], to)
  end
  return listed(knows[from], to)
end

--- Whether a file may know what another one has.
function M.may(path, other)
  return may(M.of(path), M.of(other))
end

--- Whether a symbol is one by which a floor asks another above it.
function M.asks_above(symbol, file)
  return asked_above[symbol] == file
end

return M
