--- Commands that are verbs of documents: their options are the arguments that the formats' schemas declare.
-- @module lathe.cli.verb

local core = require "lathe.core"
local transform = require "lathe.cli.transform"

local verb = {}

-- ---- values of arguments that a schema gives no one type ----------------------------------------

local function numbers_of(source)
  local list = {}
  for word in (source .. ","):gmatch "%s*([^,]*)," do
    local number = tonumber(word)
    if not number then return nil end
    list[#list + 1] = number
  end
  return list
end

-- "translation=0.02,rotation=0.001" as a table; nil where it is something else.
local function fields_of(source)
  local fields = {}
  for part in (source .. ","):gmatch "([^,]*)," do
    local name, value = part:match "^%s*([%a_][%w_]*)=(.*)$"
    if not name then return nil end
    fields[name] = tonumber(value) or value
  end
  return fields
end

-- A number, numbers with commas between them, NAME=VALUE,..., or a word.
local function anything(source)
  local list = numbers_of(source)
  if list then return list[2] and list or list[1] end
  return fields_of(source) or source
end

local function number_of(source)
  local number = tonumber(source)
  if number then return number end
  return nil, ("a number is wanted, not '%s'"):format(source)
end

local function integer_of(source)
  local number = math.tointeger(tonumber(source))
  if number then return number end
  return nil, ("an integer is wanted, not '%s'"):format(source)
end

local function three_of(source)
  local list = numbers_of(source)
  if list and (#list == 1 or #list == 3) then return list[2] and list or list[1] end
  return nil, ("a number, or three as in 1,0,0, is wanted, not '%s'"):format(source)
end

local CONVERT = { number = number_of, integer = integer_of, numbers = three_of, any = anything }

-- Files that an argument names: opened once, for all files of the batch.
local OPENED = { skeleton = true, clip = true }

-- "OLD=NEW" as { [first] = "OLD", [second] = "NEW" }.
local function pair_of(first, second)
  return function(source)
    local a, b = source:match "^(.-)=(.*)$"
    if not a or a == "" or b == "" then
      return nil, ("%s=%s is wanted, not '%s'"):format(first:upper(), second:upper(), source)
    end
    return { [first] = a, [second] = b }
  end
end

-- ---- options ------------------------------------------------------------------------------------

-- Of every verb the formats' rows of core.verbs, by its name; each list in the order of the formats.
local function read_schemas()
  local all = {}
  for _, format in ipairs(core.formats()) do
    local seen = {}
    for _, row in ipairs(core.verbs(format.name)) do
      if not seen[row.name] then
        seen[row.name] = true
        all[row.name] = all[row.name] or {}
        table.insert(all[row.name], { format = format.name, row = row })
      end
    end
  end
  return all
end

local schemas

-- All arguments that some format's verb takes, each once; and the rows by format.
local function look_up(name)
  schemas = schemas or read_schemas()
  local params, rows, seen = {}, {}, {}
  for _, entry in ipairs(schemas[name] or {}) do
    rows[entry.format] = entry.row
    for _, param in ipairs(entry.row.params) do
      if not seen[param.name] then
        seen[param.name] = true
        params[#params + 1] = param
      end
    end
  end
  return params, rows
end

local SHARED = { skeleton = true } -- options that every command has, for the same

local WIDTH = 72 -- of descriptions

local function wrap(doc)
  local lines, line = {}, ""
  for word in doc:gmatch "%S+" do
    if #line + #word >= WIDTH then
      lines[#lines + 1] = line
      line = word
    else
      line = line == "" and word or line .. " " .. word
    end
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

local function option_name(param, about)
  local name = about.options and about.options[param.name] or param.name
  return "--" .. name:gsub("_", "-")
end

local ARGNAMES = {
  number = "<n>", integer = "<n>", string = "<text>", skeleton = "<file>", clip = "<file>",
  numbers = "<n,n,n>", any = "<value>",
}

local function add_option(command, param, about)
  local doc = wrap(param.unit and ("%s [%s]"):format(param.doc, param.unit) or param.doc)
  local name = option_name(param, about)
  if param.kind == "boolean" then
    command:flag(name, doc):target(param.name)
    return
  end
  local option = command:option(name, doc):target(param.name):argname(ARGNAMES[param.kind])
  local pair = about.pairs and about.pairs[param.name]
  if pair then
    option:argname(("<%s=%s>"):format(pair[1], pair[2])):count "*"
    option:convert(pair_of(pair[1], pair[2]))
  elseif param.values then
    option:argname "<word>":choices(param.values)
  elseif CONVERT[param.kind] then
    option:convert(CONVERT[param.kind])
  end
end

-- ---- running ------------------------------------------------------------------------------------

local function open_file(path, opened)
  if not opened[path] then
    local doc, err = core.open(path)
    if not doc then return nil, tostring(err) end -- which names the file
    opened[path] = doc
  end
  return opened[path]
end

local function takes(row, name)
  for _, param in ipairs(row.params) do
    if param.name == name then return true end
  end
  return false
end

-- What is given for a file of this format. An argument that only others know is an error of that file.
local function arguments(row, params, args, opened, about)
  local given = {}
  for _, param in ipairs(params) do
    local value = args[param.name]
    if type(value) == "table" and next(value) == nil then value = nil end -- an option that may come often
    if value ~= nil and takes(row, param.name) then
      local err
      if OPENED[param.kind] then value, err = open_file(value, opened) end
      if err then return nil, err end
      given[param.name] = value
    elseif value ~= nil and not SHARED[param.name] then
      return nil, ("%s of this format takes no %s"):format(row.name, option_name(param, about))
    end
  end
  return given
end

-- Calls the verb. What it raises of its arguments is said without the line of this file.
local function call(doc, name, given)
  local function plain(err)
    return type(err) == "string" and err:gsub("^[^\n]-verb%.lua:%d+: ", "", 1) or err
  end
  local ok, done, why = xpcall(doc[name], plain, doc, given)
  if not ok then
    if type(done) ~= "string" then error(done, 0) end
    return nil, done
  end
  return done, why
end

--- Makes a command of a verb.
-- @tparam table about `name` (of the verb; the command's has "-" for "_"), `summary`, `description`,
--   `examples`, `options` (names of arguments whose options are called otherwise) and `pairs` (arguments
--   that are lists of two names: what these are called)
-- @treturn table a command, as lathe.cli has them
function verb.command(about)
  local params, rows = look_up(about.name)
  local command = {
    name = about.name:gsub("_", "-"),
    summary = about.summary,
    description = about.description,
    examples = about.examples,
  }

  function command.options(parser)
    transform.options(parser)
    for _, param in ipairs(params) do
      local own = not SHARED[param.name] or about.options and about.options[param.name]
      if own then add_option(parser, param, about) end
    end
  end

  function command.run(args)
    local opened = {}
    return transform.run(args, about.name, function(doc)
      local row = rows[doc.format]
      local given, why = arguments(row, params, args, opened, about)
      if not given then return nil, why end
      return call(doc, about.name, given)
    end)
  end

  return command
end

return verb
