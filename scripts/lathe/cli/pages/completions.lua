--- Completions of commands, options and their words for bash, zsh and fish. `make install` installs them.
-- argparse writes them; this gives it texts of one line, and every argument of a verb as an option.
-- @module lathe.cli.pages.completions

local cli = require "lathe.cli"
local parsers = require "lathe.cli.parsers"

local completions = {}

-- The names under which each shell finds them.
local FILES = { bash = "lathe", zsh = "_lathe", fish = "lathe.fish" }

--- All of them.
-- @treturn {[string]=table} by shell, the `name` of the file and its `text`
function completions.all()
  local commands = cli.commands()
  local parser = cli.parser(commands, true)
  parsers.flatten(parser)
  for _, command in ipairs(commands) do parsers.flatten(command.parser) end
  local files = {}
  for shell, name in pairs(FILES) do
    files[shell] = { name = name, text = parsers.completion(parser, shell) }
  end
  return files
end

return completions
