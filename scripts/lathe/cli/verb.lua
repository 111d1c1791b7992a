--- Commands that are verbs of documents: their options are the arguments that the formats' schemas declare.
-- @module lathe.cli.verb

local core = require "lathe.core"
local out = require "lathe.cli.out"
local transform = require "lathe.cli.transform"

local verb = {}

-- ---- values of arguments that a schema gives no one type ----------------------------------------------------

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

-- ---- options ---------------------------------------------------------------------------------------------------

-- The verb as each format has it that has one: { format = row of core.verbs }.
local function rows_of(name)
  local rows = {}
  for _, format in ipairs(core.formats()) do
    for _, row in ipairs(core.verbs(format.name)) do
      if row.name == name and not rows[format.name] then rows[format.name] = row end
    end
  end
  return rows
end

-- All arguments that some format's verb takes, each once, in the order of the formats.
local function params_of(name)
  local params, seen = {}, {}
  local rows = rows_of(name)
  for _, format in ipairs(core.formats()) do
    for _, param in ipairs(rows[format.name] and rows[format.name].params or {}) do
      if not seen[param.name] then
        seen[param.name] = true
        params[#params + 1] = param
      end
    end
  end
  return params
end

local function option_name(param) return "--" .. param.name:gsub("_", "-") end

local ARGNAMES = {
  number = "<n>", integer = "<n>", string = "<text>", skeleton = "<file>", clip = "<file>", numbers = "<n,n,n>", any = "<value>",
}

local function add_option(command, param)
  local doc = param.unit and ("%s [%s]"):format(param.doc, param.unit) or param.doc
  if param.kind == "boolean" then
    command:flag(option_name(param), doc):target(param.name)
    return
  end
  local option = command:option(option_name(param), doc):target(param.name):argname(ARGNAMES[param.kind])
  if param.values then
    option:argname "<word>":choices(param.values)
  elseif param.list then
    option:argname "<from=to>":count "*"
  elseif CONVERT[param.kind] then
    option:convert(CONVERT[param.kind])
  end
end

-- ---- running ---------------------------------------------------------------------------------------------------

local function open_file(path, opened)
  if not opened[path] then
    local doc, err = core.open(path)
    if not doc then out.usage(tostring(err)) end
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
local function arguments(row, params, args, opened)
  local given = {}
  for _, param in ipairs(params) do
    local value = args[param.name]
    if value ~= nil and not (type(value) == "table" and next(value) == nil) then
      if not takes(row, param.name) then
        return nil, ("%s of this format takes no %s"):format(row.name, option_name(param))
      end
      given[param.name] = OPENED[param.kind] and open_file(value, opened) or value
    end
  end
  return given
end

--- Makes a command of a verb.
-- @tparam table about `name` (of the verb; the command's has "-" for "_"), `summary`, `description` and `examples`
-- @treturn table a command, as lathe.cli has them
function verb.command(about)
  local params = params_of(about.name)
  local rows = rows_of(about.name)
  local command = {
    name = about.name:gsub("_", "-"),
    summary = about.summary,
    description = about.description,
    examples = about.examples,
  }

  function command.options(parser)
    transform.options(parser)
    for _, param in ipairs(params) do
      if not about.without or not about.without[param.name] then add_option(parser, param) end
    end
  end

  function command.run(args)
    local opened = {}
    return transform.run(args, about.name, function(doc)
      local row = rows[doc.format]
      local given, why = arguments(row, params, args, opened)
      if not given then return nil, why end
      return doc[about.name](doc, given)
    end)
  end

  return command
end

return verb
