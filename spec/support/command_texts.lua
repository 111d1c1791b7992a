-- Checks that every verb has a command, and that every command says what it does: a summary that starts with a verb,
-- a description, two examples, and for each option its values, default and unit.
--
--    command_texts.problems(commands, verbs) --> { "trim: it has 1 example; two are wanted", … }

local argparse = require "argparse"
local parsers = require "lathe.cli.parsers"

local command_texts = {}

-- Arguments of verbs that the command of that name has in another form.
local OTHERWISE <const> = {
  set = { _all = "members are paths: lathe set X.nif 'bodies[1].friction=0.9'" },
  precombine = { sources = "the file LIST holds them" },
}

-- Options that need no default: what they do without a value is in the description of the command.
local NO_DEFAULT <const> = { scale = true, retime = true, precombine = true, convert = true }

local WIDEST <const> = 112 -- characters in a line of a description

local function says_unit(text, unit)
  local WORDS <const> = { s = "second", ratio = "factor", ["frames/s"] = "frames per second" }
  return text:find(unit, 1, true) or WORDS[unit] and text:lower():find(WORDS[unit], 1, true)
end

local function elements_of(command)
  local parser = argparse(command.name)
  command.options(parser, { "help" })
  local all = {}
  for _, list in ipairs { parsers.options(parser), parsers.arguments(parser) } do
    for _, element in ipairs(list) do
      for _, name in ipairs(element.names or { element.name }) do all[name:gsub("^%-+", "")] = element end
    end
  end
  return all
end

local function check_texts(command, problem)
  local first = command.summary:match "^(%u%l+)[ ,]"
  if not first or not command.summary:find "%.$" then
    problem "the summary is no sentence that starts with a verb"
  elseif first:find "[^s]s$" then
    problem("the summary starts with '%s', which is no imperative", first)
  end
  if not (command.description or command.summary):find "%S" then problem "it has no description" end
  for line in (command.description or ""):gmatch "[^\n]+" do
    local width = utf8.len(line)
    if width > WIDEST then problem("the description has a line of %d characters: '%s …'", width, line:sub(1, 20)) end
  end
  if #(command.examples or {}) < 2 then
    problem("it has %d example%s; two are wanted", #(command.examples or {}), #(command.examples or {}) == 1 and "" or "s")
  end
  local own = false
  for _, example in ipairs(command.examples or {}) do
    own = own or (example .. " "):find("lathe " .. command.name .. " ", 1, true)
  end
  if not own then problem "no example has this command" end
end

local SHARED <const> = { skeleton = true } -- an option of all commands

local function check_param(param, element, about, problem)
  if not element then
    if not (about.omit or {})[param.name] then problem("the argument '%s' has no option", param.name) end
    return
  end
  local text = element.description or ""
  if not text:find "^[%u%l%d]" then problem("'%s' has no description", param.name) end
  for _, value in ipairs(element.values or {}) do
    if not text:find(value, 1, true) then problem("'%s' does not say that it takes %s", param.name, value) end
  end
  if param.unit and not says_unit(text, param.unit) then
    problem("'%s' does not say its unit, %s", param.name, param.unit)
  end
  local needed = param.needed or SHARED[param.name] or (about.needs or {})[param.name]
  if not needed and param.kind ~= "boolean" and not about.no_default and not text:lower():find "default" then
    problem("'%s' does not say its default", param.name)
  end
end

-- The name of an argument's option, without dashes.
local function option_of(param, command)
  return ((command.renamed or {})[param.name] or param.name):gsub("_", "-")
end

--- What is wrong with commands.
-- @param commands by name, as lathe.cli has them: some have `omit`, `needs` and `renamed`, see lathe.cli.verbs
-- @param verbs a list of rows of `lathe.verbs`, of all formats
function command_texts.problems(commands, verbs)
  local list = {}
  local function of(name)
    return function(...) list[#list + 1] = name .. ": " .. string.format(...) end
  end
  for _, command in ipairs(commands) do check_texts(command, of(command.name)) end
  local elements, seen = {}, {}
  for _, row in ipairs(verbs) do
    local name = row.name:gsub("_", "-")
    local command, problem = commands[name], of(name)
    local known = OTHERWISE[name] or {}
    if not command and not seen[name] then problem "the verb has no command" end
    elements[name] = elements[name] or command and elements_of(command)
    for _, param in ipairs(command and not known._all and row.params or {}) do
      local key = name .. " " .. param.name
      if not known[param.name] and not seen[key] then
        check_param(param, elements[name][option_of(param, command)],
          { omit = command.omit, needs = command.needs, no_default = NO_DEFAULT[name] }, problem)
      end
      seen[key] = true
    end
    seen[name] = true
  end
  return list
end

return command_texts
