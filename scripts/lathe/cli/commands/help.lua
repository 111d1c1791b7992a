--- `lathe help`: the manual page of a command.
-- @module lathe.cli.commands.help

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

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function help.run(args)
  if not args.topic then
    out.text(args.parser:get_help())
    return 0
  end
  local command = args.commands[args.topic] or args.commands[args.topic:gsub("_", "-")] -- as Lua spells verbs
  if not command then
    local names = {}
    for i, each in ipairs(args.commands) do names[i] = each.name end
    out.usage(("no command '%s'%s"):format(args.topic, spelling.hint(args.topic, names)))
  end
  out.text(command.parser:get_help())
  return 0
end

return help
