--- Arguments of verbs on the command line: converts words to values for the verb.
-- @module lathe.cli.verbs.arguments

local literal = require "lathe.cli.verbs.literal"

local arguments = {}

local function numbers_of(source)
  local list = {}
  for word in (source .. ","):gmatch "%s*([^,]*)," do
    local number = tonumber(word)
    if not number then return nil end
    list[#list + 1] = number
  end
  return list
end

-- Parses "translation=0.02,rotation=0.001" to a table; nil if it is something else.
local function fields_of(source)
  local fields = {}
  for part in (source .. ","):gmatch "([^,]*)," do
    local name, value = part:match "^%s*([%a_][%w_]*)=(.*)$"
    if not name then return nil end
    fields[name] = tonumber(value) or value
  end
  return fields
end

-- Parses a number, numbers separated by commas, NAME=VALUE,..., or a word.
local function anything(source)
  local list = numbers_of(source)
  if list then return list[2] and list or list[1] end
  return fields_of(source) or source
end

local function number_of(source)
  local number = tonumber(source)
  if number then return number end
  return nil, ("a number expected, got '%s'"):format(source)
end

local function integer_of(source)
  local number = math.tointeger(tonumber(source))
  if number then return number end
  return nil, ("an integer expected, got '%s'"):format(source)
end

local function three_of(source)
  local list = numbers_of(source)
  if list and (#list == 1 or #list == 3) then return list[2] and list or list[1] end
  return nil, ("a number, or three such as 1,0,0, expected, got '%s'"):format(source)
end

-- Parses numbers, of which there may be one.
local function list_of(source)
  local list = numbers_of(source)
  if list then return list end
  return nil, ("numbers such as 1,0,0 expected, got '%s'"):format(source)
end

-- Parses the number of something that also has a name.
local function id_or_name(source)
  return source:find "^%d+$" and math.tointeger(tonumber(source)) or source
end

-- Parses names or numbers, separated by commas; a single one is no list.
local function names_of(source)
  local list = {}
  for word in (source .. ","):gmatch "%s*([^,]*)," do list[#list + 1] = id_or_name(word) end
  return list[2] and list or list[1]
end

-- Parses a list or table as Lua or JSON writes it.
local function literal_of(source) return literal.read(source, nil, { array = true }) end

local TRUTH = { ["true"] = true, ["false"] = false }

local function number_or_truth(source)
  if TRUTH[source] ~= nil then return TRUTH[source] end
  local number = tonumber(source)
  if number then return number end
  return nil, ("a number, true or false expected, got '%s'"):format(source)
end

local CONVERT = {
  number = number_of, integer = integer_of, numbers = three_of, any = anything,
  id = id_or_name, value = number_or_truth, list = list_of, names = names_of, node = id_or_name,
  literal = literal_of,
}

-- Kinds that are numbers only, so that a word can be told from the name of a file.
local NUMBERS = { number = true, integer = true, numbers = true, list = true }

local ARGNAMES = {
  number = "<n>", integer = "<n>", string = "<text>", skeleton = "<file>", clip = "<file>",
  numbers = "<n,n,n>", any = "<value>", id = "<name>", value = "<value>", record = "<name>",
  list = "<n,n,n>", names = "<name>", node = "<name>", mesh = "<file>", meshes = "<file>",
  document = "<file>", samples = "<file>", literal = "<list>",
}

-- Converts "OLD=NEW" to { [first] = "OLD", [second] = "NEW" }.
local function pair_of(first, second)
  return function(source)
    local a, b = source:match "^(.-)=(.*)$"
    if not a or a == "" or b == "" then
      return nil, ("%s=%s is wanted, not '%s'"):format(first:upper(), second:upper(), source)
    end
    return { [first] = a, [second] = b }
  end
end

-- What the words of an argument mean.
local function kind_of(param, about)
  return about.kinds and about.kinds[param.name] or param.kind
end

--- What the words of an argument mean.
-- @function arguments.kind
-- @tparam table param
-- @tparam table about see `lathe.cli.verbs`
-- @treturn string
arguments.kind = kind_of

--- Whether an argument is a number or several.
-- @tparam table param
-- @tparam table about
-- @treturn boolean
function arguments.reads_numbers(param, about) return NUMBERS[kind_of(param, about)] == true end

--- Whether a word is what such an argument reads.
-- @tparam string word
-- @tparam table param
-- @tparam table about
-- @treturn boolean
function arguments.is_number(word, param, about) return CONVERT[kind_of(param, about)](word) ~= nil end

--- The option for an argument.
-- @tparam table param
-- @tparam table about see `lathe.cli.verbs`
-- @treturn string "--frames"
function arguments.option(param, about)
  local name = about.options and about.options[param.name] or param.name
  return "--" .. name:gsub("_", "-")
end

--- The placeholder for its value.
-- @tparam table param
-- @tparam table about
-- @treturn string "<n>"
function arguments.placeholder(param, about)
  return param.values and "<word>" or ARGNAMES[kind_of(param, about)]
end

--- Sets how an element of the parser reads an argument.
-- @param element an option or argument of argparse
-- @tparam table param
-- @tparam table about
function arguments.convert(element, param, about)
  local kind, pair = kind_of(param, about), about.pairs and about.pairs[param.name]
  if pair then
    element:argname(("<%s=%s>"):format(pair[1], pair[2])):count "*"
    element:convert(pair_of(pair[1], pair[2]))
  elseif param.values then
    element:choices(param.values)
  elseif CONVERT[kind] then
    element:convert(CONVERT[kind])
  end
end

-- The path of an object, such as objects[12], for objects that share their name with others.
local PATH = "^[%a_]+%[%d+%]$"

--- Completes an argument with what only an open document knows: records that are given by path.
-- @param doc
-- @param value
-- @tparam table param
-- @tparam table about
-- @return the value
function arguments.of_document(doc, value, param, about)
  local kind = kind_of(param, about)
  if kind ~= "record" and kind ~= "node" or type(value) ~= "string" or not value:find(PATH) then return
    value end
  return doc:get(value) or value
end

return arguments
