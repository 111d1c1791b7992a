--- `lathe help`: the manual page of a command.
-- @module lathe.cli.help

local out = require "lathe.cli.out"
local spelling = require "lathe.spelling"

local help = {
  name = "help",
  summary = "Show how a command is used.",
  examples = { "lathe help", "lathe help scale" },
}

--- Adds the options.
-- @param command an argparse command
function help.options(command)
  command:argument("topic", "A command."):argname "<command>":args "?"
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function help.run(args)
  if not args.topic then
    out.line(args.parser:get_help())
    return 0
  end
  local command = args.commands[args.topic]
  if not command or type(args.topic) ~= "string" then
    local names = {}
    for i, each in ipairs(args.commands) do names[i] = each.name end
    out.usage(("no command '%s'%s"):format(args.topic, spelling.hint(args.topic, names)))
  end
  out.line(command.parser:get_help())
  return 0
end

return help
