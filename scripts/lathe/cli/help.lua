--- `lathe help`: the manual page of a command.
-- @module lathe.cli.help

local core = require "lathe.core"
local out = require "lathe.cli.out"
local spelling = require "lathe.spelling"

local help = {
  name = "help",
  summary = "Show the help of a command.",
  examples = { "lathe help", "lathe help scale" },
}

--- Adds the options.
-- @param command an argparse command
function help.options(command)
  command:argument("topic", "Command, or verb of documents."):argname "<command>":args "?"
end

-- The formats with the verb, as commands that show its help.
local function verb_help(name)
  local where = {}
  for _, format in ipairs(core.formats()) do
    for _, verb in ipairs(core.verbs(format.name)) do
      if verb.name == name then where[#where + 1] = ("`lathe formats %s`"):format(format.name) end
    end
  end
  return #where > 0 and ("'%s' is a verb of documents, for Lua: see %s.")
    :format(name, table.concat(where, ", "))
end

local function verb_names(names)
  for _, format in ipairs(core.formats()) do
    for _, verb in ipairs(core.verbs(format.name)) do names[#names + 1] = verb.name end
  end
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function help.run(args)
  if not args.topic then
    out.text(args.parser:get_help())
    return 0
  end
  local command = args.commands[args.topic]
  local verb = not command and verb_help(args.topic)
  if verb then
    out.line(verb)
    return 0
  end
  if not command then
    local names = {}
    for i, each in ipairs(args.commands) do names[i] = each.name end
    verb_names(names)
    out.usage(("no command '%s'%s"):format(args.topic, spelling.hint(args.topic, names)))
  end
  out.text(command.parser:get_help())
  return 0
end

return help
