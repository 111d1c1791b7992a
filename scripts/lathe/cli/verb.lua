--- Commands made from verbs of documents: their options are the verbs' arguments in the schemas.
-- @module lathe.cli.verb

local core = require "lathe.core"
local out = require "lathe.cli.out"
local text = require "lathe.tree.text"
local transform = require "lathe.cli.transform"

local verb = {}

-- ---- arguments without a single type ------------------------------------------------------------

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

local CONVERT = { number = number_of, integer = integer_of, numbers = three_of, any = anything }

-- Arguments that name files; these are opened once for all files of the batch.
local OPENED = { skeleton = true, clip = true }

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

-- ---- options ------------------------------------------------------------------------------------

-- The rows of core.verbs by verb name, each list in the order of the formats.
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

-- All arguments of a verb in all formats, without duplicates; and the rows by format.
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

-- What the numbers in result lines count.
local COUNTED = {
  pose = "Results count poses: one track (bone, float slot, root motion) in one frame.",
}

-- The description, and what is counted if all formats agree.
local function describe(about, rows)
  local counts
  for _, row in pairs(rows) do counts = counts or row.counts end
  local said = COUNTED[counts]
  return said and ("%s\n\n%s"):format(about.description, said) or about.description
end

local SHARED = { skeleton = true } -- options with the same meaning in all commands

local WIDTH = 72 -- maximum width of descriptions

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
  local doc = wrap(param.unit and ("%s Unit: %s."):format(param.doc, param.unit) or param.doc)
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
    if not doc then return nil, tostring(err) end -- the message names the file
    opened[path] = doc
  end
  return opened[path]
end

local function find(list, name)
  for _, param in ipairs(list) do
    if param.name == name then return param end
  end
end

-- The arguments for a file of this format. An argument that only other formats have is an error of that file.
local function arguments(row, params, args, opened, about)
  local given = {}
  for _, param in ipairs(params) do
    local value = args[param.name]
    if type(value) == "table" and next(value) == nil then value = nil end -- an option that may be repeated
    if value ~= nil and find(row.params, param.name) then
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

-- Replaces names of arguments in a verb's message by those of the options.
local function in_options(message, params, about)
  local known = {}
  for _, param in ipairs(params) do known[param.name] = option_name(param, about) end
  local verb_name, command = about.name, about.name:gsub("_", "-")
  message = message:gsub("the option '(skeleton)', or open the animation with one$", known)
  message = message:gsub(", or open the animation with one$", " or --skeleton")
  message = message:gsub("the option '([%w_]+)'", known)
  message = message:gsub("'([%w_]+)' of " .. verb_name .. "%f[^%w_]", known):gsub("`([%w_]+)`", known)
  message = message:gsub("^" .. verb_name .. " needs '([%w_]+)'", function(name)
    return known[name] and ("%s needs %s"):format(command, known[name])
  end)
  message = message:gsub("^" .. verb_name .. "( takes one of )([%w_, ]+)$", function(takes_one, list)
    return command .. takes_one .. list:gsub("[%w_]+", known)
  end)
  message = message:gsub("^([%w_]+)%f[:%[]", known):gsub("^([%w_]+)%f[ ]( %l+)", function(name, word)
    return known[name] and (word == " is" or word == " has") and known[name] .. word or nil
  end)
  return (message:gsub("^" .. verb_name .. "%f[:\0 ]", command))
end

-- Reports options that the verb needs in all formats.
local function check_needed(params, rows, args, about)
  local missing = {}
  for _, param in ipairs(params) do
    local needed = args[param.name] == nil
    for _, row in pairs(rows) do
      local own = find(row.params, param.name)
      needed = needed and own and own.needed
    end
    if needed then
      missing[#missing + 1] = ("%s %s"):format(option_name(param, about), ARGNAMES[param.kind])
    end
  end
  if #missing > 0 then
    out.usage(("%s %s wanted"):format(table.concat(missing, " and "), #missing == 1 and "is" or "are"))
  end
end

-- Calls the verb. Errors about its arguments are reported without a position in this file.
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

local function say_options(err, params, about)
  if type(err) == "table" then
    err.message = in_options(err.message, params, about)
    return err
  end
  return type(err) == "string" and in_options(err, params, about) or err
end

--- Makes a command from a verb.
-- @tparam table about `name` (of the verb; the command's has "-" for "_"), `summary`, `description`,
--   `examples`, `options` (options with other names than their arguments) and `pairs` (names of the two
--   elements, for arguments that are pairs)
-- @treturn table a command, as in lathe.cli
function verb.command(about)
  local params, rows = look_up(about.name)
  local command = {
    name = about.name:gsub("_", "-"),
    summary = about.summary,
    description = describe(about, rows),
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
    check_needed(params, rows, args, about)
    return transform.run(args, about.name, function(doc)
      local row = rows[doc.format]
      local given, why = arguments(row, params, args, opened, about)
      if not given then return nil, why end
      local done, err = call(doc, about.name, given)
      if not done then return nil, say_options(err, params, about) end
      if row.counts then done.detail = text.count(done.changed, row.counts) end
      return done
    end)
  end

  return command
end

return verb
