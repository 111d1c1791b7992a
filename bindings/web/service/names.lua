--- Calls: the names in a document that an option of a command can be about, which its form proposes.
-- @module service.names

local batch = require "lathe.cli.batch"
local json = require "service.json"
local lathe = require "lathe"
local refuse = require "service.refuse"
local store = require "service.store"
local text = require "lathe.tree.text"

local names = { calls = {} }

local MOST <const> = 1000

-- ---- kinds of names ------------------------------------------------------------------------------------

local function add_all(list, member, add)
  for _, item in pairs(list) do
    if not add(item[member]) then return end
  end
end

-- Gives names of the graph: `list` of it, `member` of its items.
local function of_graph(list, member)
  return function(doc, add)
    if doc.graph then add_all(doc.graph[list], member, add) end
  end
end

-- Each kind gives a document's names to add(name), until that returns false.
local KINDS <const> = {
  events = of_graph("events", "name"),
  variables = of_graph("variables", "name"),
  states = of_graph("states", "name"),
  clips = of_graph("clips", "animation_name"),
  annotations = function(doc, add)
    if not batch.can(doc.format, "animations") then return end
    for _, animation in ipairs(doc.animations) do add_all(animation.annotations or {}, "text", add) end
  end,
  bones = function(doc, add)
    if not batch.can(doc.format, "skeletons") then return end
    for _, skeleton in ipairs(doc.skeletons) do add_all(skeleton.bones, "name", add) end
  end,
  materials = function(_, add)
    for _, name in ipairs(lathe.material_names()) do
      if not add(name) then return end
    end
  end,
}

local GRAPH <const> = { "events", "variables", "states" }

-- The kinds that an option names, by command and option; below "": those of options of any command.
local ABOUT <const> = {
  rename = { ["--from"] = { "events", "variables", "states", "annotations", "bones" } },
  uses = { ["--name"] = GRAPH },
  ["replace-animation"] = { ["--from"] = { "clips" } },
  ["remove-event"] = { ["--name"] = { "events" } },
  ["remove-variable"] = { ["--name"] = { "variables" } },
  ["remove-state"] = { ["--name"] = { "states" } },
  ["add-transition"] = { ["--from"] = { "states" }, ["--to"] = { "states" } },
  ["remove-transition"] = { ["--from"] = { "states" }, ["--to"] = { "states" } },
  [""] = { ["--event"] = { "events" }, ["--bone"] = { "bones" }, ["--material"] = { "materials" } },
}

local function kinds_of(command, option)
  local own = ABOUT[command] and ABOUT[command][option]
  return own or ABOUT[""][option]
end

-- ---- calls ---------------------------------------------------------------------------------------------

--- Whether the names of an option can be asked for.
-- @tparam string command
-- @tparam string option
-- @treturn ?string the command, as `names` takes it
function names.known(command, option) return kinds_of(command, option) and command or nil end

function names.calls.names(args)
  local doc = store.of(args).doc
  local kinds = kinds_of(refuse.text(args, "command"), refuse.text(args, "option"))
  local found, seen = json.list {}, {}
  local function add(name)
    if type(name) ~= "string" or name == "" or seen[name] then return true end
    seen[name] = true
    found[#found + 1] = text.utf8(name)
    return #found < MOST
  end
  for _, kind in ipairs(kinds or {}) do KINDS[kind](doc, add) end
  return { names = found, more = #found >= MOST }
end

return names
