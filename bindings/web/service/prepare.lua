--- The call that loads what other calls need before they come.
-- @module service.prepare

local cli = require "lathe.cli"

local prepare = { calls = {} }

local STEP <const> = 0.01 -- seconds: a file that is opened meanwhile waits no longer

-- What opening a file and showing it needs, in the order of the calls.
local MODULES <const> = {
  "service.documents", "lathe.export.scene", "lathe.export", "lathe.view", "service.look", "lathe.members",
  "lathe.cli.verbs.place", "service.lists", "lathe.repl.choices", "service.rows", "lathe.repl.tokens",
  "lathe.cli.commands.rig", "lathe.cli.commands.check", "lathe.cli.verbs", "service.change", "service.verbs",
  "lathe.cli.verbs.upkeep", "lathe.cli.verbs.models",
}
local COMMANDS <const> = { "check" }

local steps = {}
for _, name in ipairs(MODULES) do steps[#steps + 1] = function() require(name) end end
for _, name in ipairs(COMMANDS) do steps[#steps + 1] = function() cli.prepare(name) end end

local done = 0

function prepare.calls.prepare()
  local began = os.clock()
  while done < #steps and os.clock() - began < STEP do
    done = done + 1
    steps[done]()
  end
  return { more = done < #steps }
end

return prepare
