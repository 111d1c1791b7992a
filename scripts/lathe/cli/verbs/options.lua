--- Arguments of verbs as options and words of commands. They come from the schemas.
-- @module lathe.cli.verbs.options

local argparse = require "argparse"
local arguments = require "lathe.cli.verbs.arguments"
local core = require "lathe.core"
local lfs = require "lfs"
local parsers = require "lathe.cli.parsers"
local text = require "lathe.tree.text"

local verb_options = {}

-- ---- schemas ------------------------------------------------------------------------------------

-- The rows of core.verbs by verb name, in the order of the formats.
local function read_schemas()
  local all = {}
  for _, format in ipairs(core.formats()) do
    for _, row in ipairs(core.verbs(format.name)) do
      all[row.name] = all[row.name] or {}
      table.insert(all[row.name], { format = format.name, row = row })
    end
  end
  return all
end

local schemas

--- The argument of a name.
-- @tparam {table,...} list
-- @tparam string name
-- @treturn ?table
function verb_options.find(list, name)
  for _, param in ipairs(list) do
    if param.name == name then return param end
  end
end

local function with_values(param, values)
  local copy = {}
  for key, value in pairs(param) do copy[key] = value end
  copy.values = values
  return copy
end

-- An argument with the words that any format allows.
local function united(param, other)
  local values, seen = {}, {}
  for _, list in ipairs { param.values, other.values } do
    for _, word in ipairs(list) do
      if not seen[word] then values[#values + 1] = word end
      seen[word] = true
    end
  end
  return with_values(param, values)
end

-- An argument with the words that the command takes, if these are not all.
local function narrowed(param, about)
  local values = about.values and about.values[param.name]
  return values and with_values(param, values) or param
end

--- Everything that the schemas say about a verb.
-- @tparam table about the command, see `lathe.cli.verbs`
-- @treturn table `params`: all arguments of all formats but those in `about.omit`; `rows`: all rows;
--   `documents`:
--   by format, the row for documents; `types`: by format, the names of the types of records that alone have
-- the
--   verb; `formats`: names of formats; `query`
function verb_options.look_up(about)
  schemas = schemas or read_schemas()
  local all = { params = {}, rows = {}, documents = {}, types = {}, formats = {} }
  local at = {}
  for _, entry in ipairs(schemas[about.name] or {}) do
    local row, format = entry.row, entry.format
    if all.formats[#all.formats] ~= format then all.formats[#all.formats + 1] = format end
    all.rows[#all.rows + 1], all.query = row, row.query
    if not row.type then
      all.documents[format] = row
    else
      all.types[format] = all.types[format] or {}
      table.insert(all.types[format], row.type)
    end
    for _, param in ipairs(row.params) do
      local i = at[param.name]
      if not i and not (about.omit and about.omit[param.name]) then
        at[param.name], all.params[#all.params + 1] = #all.params + 1, narrowed(param, about)
      elseif i and param.values and all.params[i].values then
        all.params[i] = narrowed(united(all.params[i], param), about)
      end
    end
  end
  return all
end

-- ---- options ------------------------------------------------------------------------------------

local WIDTH = 72 -- maximum width of descriptions of options

--- Breaks text into lines.
-- @tparam string doc
-- @tparam[opt] integer width the most characters of a line
-- @treturn string
function verb_options.wrap(doc, width)
  return table.concat(text.fill("", doc, width or WIDTH), "\n")
end

local option_name = arguments.option

local function doc_of(param, about, as_word)
  local doc = about.docs and about.docs[param.name] or param.doc
  local optional = not param.needed and not (about.needs and about.needs[param.name])
  if optional and param.kind ~= "boolean" and not doc:lower():find "default" then doc = doc .. " Default: "
    .. "none." end
  if param.values then doc = ("%s One of %s."):format(doc, table.concat(param.values, ", ")) end
  if param.unit and not doc:find "Units?: " then doc = ("%s Unit: %s."):format(doc, param.unit) end
  if as_word then
    doc = ("%s Also as an option: %s %s."):format(doc, option_name(param, about),
      arguments.placeholder(param, about))
  end
  return verb_options.wrap(doc)
end

--- Adds an argument as an option.
-- @param command an argparse command
-- @tparam table param
-- @tparam table about see `lathe.cli.verbs`
function verb_options.add(command, param, about)
  local name, doc = option_name(param, about), doc_of(param, about)
  if param.kind == "boolean" then
    command:flag(name, doc):target(param.name)
    return
  end
  local option = command:option(name, doc):target(param.name):argname(arguments.placeholder(param, about))
  arguments.convert(option, param, about)
end

-- ---- words --------------------------------------------------------------------------------------

local function asks_for_help(argv)
  for _, word in ipairs(argv) do
    if word == "--help" or word == "-h" then return true end
  end
  return #argv == 0 or argv[1] == "help"
end

-- Whether a word of the command line is meant as this argument and not as a file.
local function fits(word, param, about, needed)
  if arguments.reads_numbers(param, about) then
    return arguments.is_number(word, param, about) and (needed or not lfs.attributes(word, "mode"))
  end
  return needed
end

-- The number of arguments that are given as words in front of `files` files or more.
local function count_words(params, needed, about, words, files)
  local count = 0
  for i, param in ipairs(params) do
    local word = words[i]
    if #words < i + files or not fits(word, param, about, needed(param)) then break end
    count = i
  end
  return count
end

local function add_word(command, param, about, optional)
  local label = option_name(param, about):sub(3)
  local argument = command:argument(label, doc_of(param, about, true)):target(param.name)
    :argname("<" .. label .. ">")
  if optional then argument:args "?" end
  arguments.convert(argument, param, about)
end

--- Adds the arguments that may precede the files. If one of them is given as an option, all are options.
-- @param command an argparse command
-- @tparam {table,...} params in order
-- @tparam table about
-- @tparam {string,...} argv
-- @tparam function needed (param) -> whether the command needs it
-- @tparam function others (parser): adds all other options
function verb_options.add_words(command, params, about, argv, needed, others)
  if #params == 0 then return end
  if asks_for_help(argv) then
    for _, param in ipairs(params) do add_word(command, param, about, not needed(param)) end
    return
  end
  local probe = argparse()
  for _, param in ipairs(params) do verb_options.add(probe, param, about) end
  others(probe)
  local words, given = parsers.words(probe, table.move(argv, 2, #argv, 1, {}))
  local as_options = false
  for _, param in ipairs(params) do as_options = as_options or given[option_name(param, about)] end
  local files = given["--files-from"] and 0 or 1
  local count = as_options and 0 or count_words(params, needed, about, words, files)
  for i, param in ipairs(params) do
    if i <= count then add_word(command, param, about) else verb_options.add(command, param, about) end
  end
end

return verb_options
