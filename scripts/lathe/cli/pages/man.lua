--- Man pages: lathe.1, and one for each command. `make install` installs them.
-- @module lathe.cli.pages.man

local cli = require "lathe.cli"
local core = require "lathe.core"
local parsers = require "lathe.cli.parsers"

local man = {}

-- Characters that troff would read as commands or replace by typographic ones.
local ESCAPED = {
  ["\\"] = "\\e", ["-"] = "\\-", ["'"] = "\\(aq", ["`"] = "\\(ga", ["^"] = "\\(ha", ["~"] = "\\(ti",
}

local function escape(text)
  text = text:gsub("[\\%-'`^~]", ESCAPED)
  return (text:gsub("^%.", "\\&."):gsub("\n%.", "\n\\&."))
end

local function bold(text) return "\\fB" .. escape(text) .. "\\fR" end
local function italic(text) return "\\fI" .. escape(text) .. "\\fR" end

local function add(page, ...) page[#page + 1] = string.format(...) end

local function section(page, name) add(page, ".SH %s", name) end

-- Lines that keep their breaks.
local function verbatim(page, lines)
  add(page, ".RS 4\n.nf")
  for _, line in ipairs(lines) do add(page, "%s", line == "" and ".sp" or "\\&" .. escape(line)) end
  add(page, ".fi\n.RE")
end

-- Text of the help: indented lines are tables, and keep their breaks.
local function prose(page, text)
  local lines, indented = {}, {}
  local function flush()
    if #lines > 0 then add(page, ".PP\n%s", escape(table.concat(lines, "\n"))) end
    if #indented > 0 then
      add(page, ".PP")
      verbatim(page, indented)
    end
    lines, indented = {}, {}
  end
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    local is_indented = line:find "^%s+%S" ~= nil
    if line == "" or is_indented ~= (#indented > 0) then flush() end
    local list = is_indented and indented or lines
    if line ~= "" then list[#list + 1] = is_indented and line:sub(4) or line end
  end
  flush()
end

local function header(page, name, about)
  add(page, '.\\" Made by lathe from its help.')
  add(page, '.TH %s 1 "" "lathe %s" "lathe"', name:upper():gsub("%-", "\\-"), core.VERSION)
  section(page, "NAME")
  about = about:gsub("%.$", ""):gsub("^%u", string.lower)
  add(page, "%s \\- %s", escape(name), escape(about))
end

local function options_of(page, parser)
  section(page, "OPTIONS")
  for _, option in ipairs(parsers.options(parser)) do
    local names = {}
    for i, name in ipairs(option.names) do
      names[i] = bold(name) .. (option.argname and " " .. italic(option.argname) or "")
    end
    add(page, ".TP\n%s\n%s", table.concat(names, ", "), escape(option.description))
  end
end

local function exit_status(page, interrupted)
  section(page, "EXIT STATUS")
  for _, row in ipairs {
    { "0", "All files were done." }, { "1", "Some file failed; standard error says which." },
    { "2", "The command line was wrong." }, { "130", interrupted },
  } do
    add(page, ".TP\n%s\n%s", row[1], row[2])
  end
end

-- The arguments as the synopsis shows them.
local function synopsis_of(arguments)
  local words = { "[" .. italic "options" .. "]" }
  for _, argument in ipairs(arguments) do
    local word = italic((argument.argname:gsub("[<>]", "")))
    if argument.optional then word = "[" .. word .. "]" end
    words[#words + 1] = word .. (argument.several and " ..." or "")
  end
  return table.concat(words, " ")
end

--- The page of a command.
-- @tparam table command with its `parser`, from `cli.commands` and `cli.parser`
-- @treturn string troff
function man.command(command)
  local page, arguments = {}, parsers.arguments(command.parser)
  header(page, "lathe-" .. command.name, command.summary)
  section(page, "SYNOPSIS")
  add(page, "%s %s", bold("lathe " .. command.name), synopsis_of(arguments))
  section(page, "DESCRIPTION")
  prose(page, command.description or command.summary)
  if #arguments > 0 then section(page, "ARGUMENTS") end
  for _, argument in ipairs(arguments) do
    local name = argument.argname:gsub("[<>]", "")
    add(page, ".TP\n%s\n%s", italic(name), escape(argument.description))
  end
  options_of(page, command.parser)
  exit_status(page, "Ctrl\\-C stopped it.")
  section(page, "EXAMPLES")
  verbatim(page, command.examples)
  section(page, "SEE ALSO")
  add(page, "%s(1)", bold "lathe")
  return table.concat(page, "\n") .. "\n"
end

-- All commands below the headings of the help.
local function list_commands(page, commands)
  section(page, "COMMANDS")
  for _, command in ipairs(commands) do
    for _, heading in ipairs(commands.headings) do
      if heading.first == command.name then add(page, ".SS %s", escape(heading.text)) end
    end
    add(page, ".TP\n%s\n%s", bold(command.name), escape(command.summary))
  end
end

--- The page of the program.
-- @tparam table commands
-- @param parser the parser of all commands
-- @treturn string troff
function man.program(commands, parser)
  local page = {}
  header(page, "lathe", parsers.description(parser))
  section(page, "SYNOPSIS")
  local usage = {}
  for line in parsers.usage(parser):gmatch "[^\n]+" do usage[#usage + 1] = line:sub(8) end
  add(page, ".nf")
  for _, line in ipairs(usage) do add(page, "%s", escape(line)) end
  add(page, ".fi")
  section(page, "DESCRIPTION")
  prose(page, [[
lathe opens the binary files in which games keep models, collision, ragdolls, animations and saves, shows
every field by name, and writes files back without changing a byte that nobody edited. Without a command it
opens files at a prompt of Lua: `doc` is the first one.

Each command has a page: lathe-info(1) explains `lathe info`; `lathe help info` prints the same.]])
  options_of(page, parser)
  list_commands(page, commands)
  section(page, "ENVIRONMENT")
  add(page, ".TP\n%s\n%s", bold "NO_COLOR", "If it is set and not empty, output has no colors.")
  exit_status(page, "Ctrl\\-C stopped it; files that were done stay.")
  section(page, "EXAMPLES")
  verbatim(page, {
    "lathe info Models/", "lathe get stock.nif 'bodies[1].mass'", "lathe scale 2 Models/ -o bigger/",
    "lathe Box.solid",
  })
  section(page, "SEE ALSO")
  local pages = {}
  for i, command in ipairs(commands) do pages[i] = bold("lathe-" .. command.name) .. "(1)" end
  add(page, "%s", table.concat(pages, ",\n"))
  return table.concat(page, "\n") .. "\n"
end

--- All pages.
-- @treturn {[string]=string} troff by file name
function man.pages()
  local commands = cli.commands()
  local parser = cli.parser(commands)
  local pages = { ["lathe.1"] = man.program(commands, parser) }
  for _, command in ipairs(commands) do pages[("lathe-%s.1"):format(command.name)] = man.command(command) end
  return pages
end

return man
