--- Commands made from verbs of documents: their options are the verbs' arguments in the schemas.
-- @module lathe.cli.verb

local arguments = require "lathe.cli.arguments"
local batch = require "lathe.cli.batch"
local core = require "lathe.core"
local out = require "lathe.cli.out"
local report = require "lathe.cli.report"
local text = require "lathe.tree.text"
local transform = require "lathe.cli.transform"

local verb = {}

-- Arguments that name files; these are opened once for all files of the batch.
local OPENED = { skeleton = true, clip = true }

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

local function find(list, name)
  for _, param in ipairs(list) do
    if param.name == name then return param end
  end
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
  local copy = {}
  for key, value in pairs(param) do copy[key] = value end
  copy.values = values
  return copy
end

-- All arguments of a verb in all formats, without duplicates; the rows by format, and the names of these.
local function look_up(name)
  schemas = schemas or read_schemas()
  local params, rows, names, at = {}, {}, {}, {}
  for _, entry in ipairs(schemas[name] or {}) do
    rows[entry.format], names[#names + 1] = entry.row, entry.format
    for _, param in ipairs(entry.row.params) do
      local i = at[param.name]
      if not i then
        at[param.name], params[#params + 1] = #params + 1, param
      elseif param.values and params[i].values then
        params[i] = united(params[i], param)
      end
    end
  end
  return params, rows, names
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

local option_name = arguments.option

local function doc_of(param, about)
  local doc = about.docs and about.docs[param.name] or param.doc
  if param.values then doc = ("%s One of %s."):format(doc, table.concat(param.values, ", ")) end
  return wrap(param.unit and ("%s Unit: %s."):format(doc, param.unit) or doc)
end

local function add_option(command, param, about)
  local name, doc = option_name(param, about), doc_of(param, about)
  if param.kind == "boolean" then
    command:flag(name, doc):target(param.name)
    return
  end
  local option = command:option(name, doc):target(param.name):argname(arguments.placeholder(param, about))
  arguments.convert(option, param, about)
end

-- Whether an option is on the command line.
local function is_given(name, argv)
  for _, word in ipairs(argv or {}) do
    if word == "--" then return false end
    if word == name or word:sub(1, #name + 1) == name .. "=" then return true end
  end
  return false
end

-- Adds the arguments that precede the files. Where one of them is given as an option, all are options.
local function add_words(command, params, about, argv)
  local as_options = false
  for _, param in ipairs(params) do as_options = as_options or is_given(option_name(param, about), argv) end
  for _, param in ipairs(params) do
    if as_options then
      add_option(command, param, about)
    else
      local label = option_name(param, about):sub(3)
      local argument = command:argument(label, doc_of(param, about)):target(param.name)
        :argname("<" .. label .. ">")
      arguments.convert(argument, param, about)
    end
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

-- The arguments for a file of this format. An argument that only other formats have is an error of that file.
local function given_for(doc, row, params, args, opened, about)
  local given = {}
  for _, param in ipairs(params) do
    local value = args[param.name]
    if type(value) == "table" and next(value) == nil then value = nil end -- an option that may be repeated
    if value ~= nil and find(row.params, param.name) then
      local err
      if OPENED[param.kind] then value, err = open_file(value, opened) end
      if err then return nil, err end
      given[param.name] = arguments.of_document(doc, value, param, about)
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
  message = message:gsub("the option '([%w_]+)'", known):gsub("^option '([%w_]+)'", known)
  message = message:gsub("^(one of the options )(.-)( is needed)", function(_, list, ending)
    return "one of " .. list:gsub("'([%w_]+)'", known) .. ending
  end)
  message = message:gsub("give the record$", "give its path, such as 'objects[2]'")
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

-- Whether all formats need an argument.
local function is_needed(param, rows)
  for _, row in pairs(rows) do
    local own = find(row.params, param.name)
    if not own or not own.needed then return false end
  end
  return true
end

-- Reports options that the verb needs in all formats.
local function check_needed(params, rows, args, about)
  local missing = {}
  for _, param in ipairs(params) do
    if args[param.name] == nil and is_needed(param, rows) then
      missing[#missing + 1] = option_name(param, about) .. " " .. arguments.placeholder(param, about)
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

-- What a report says of the results that are shown: { "id", 4 }, or the path of a record.
local function results_of(done, names)
  local list = {}
  for _, name in ipairs(names or {}) do
    local value = done[name]
    if value ~= nil then list[#list + 1] = { name, core.type(value) and core.path(value) or value } end
  end
  return list
end

-- "1 change, id 4".
local function detail_of(done, row)
  local parts = { row.counts and text.count(done.changed, row.counts)
    or report.changes(done.changed) }
  for _, result in ipairs(done.counts) do parts[#parts + 1] = ("%s %s"):format(result[1], result[2]) end
  return table.concat(parts, ", ")
end

-- Lists what a query found, with the type of the object that each path leads into.
local function show_list(doc, list, result, item, about)
  result.lines = { ("%s: %s"):format(item.path, text.count(#list, about.counts or "result")) }
  for i, entry in ipairs(list) do
    local object = type(entry) == "string" and doc:get(entry:match "^[%w_]+%[%d+%]" or "")
    result.lines[i + 1] = object and ("  %s  %s"):format(entry, core.type(object)) or "  " .. tostring(entry)
  end
  result.json[about.name] = setmetatable(list, { __jsontype = "array" })
  return true
end

-- Counts the files of a batch that were skipped, and says so if it was all of them.
local function skips(command, about, formats)
  local all, skipped = 0, 0
  local function gather(record)
    all, skipped = all + 1, skipped + (record.status == "skipped" and 1 or 0)
  end
  local function say(code)
    if all > 0 and all == skipped then
      out.message(("lathe %s: %s"):format(command.name, about.none
        or ("no file of a format that has this: " .. table.concat(formats, ", "))))
    end
    return code
  end
  return gather, say
end

--- Makes a command from a verb: one that writes, or for a verb that finds something, one that lists it.
-- @tparam table about
--
-- * `name` of the verb; the command's has "-" for "_"
-- * `summary`, `description`, `examples`
-- * `words`: true if arguments that all formats need precede the files; they may be options, too
-- * `options`: options with other names than their arguments
-- * `pairs`: names of the two elements, for arguments that are pairs
-- * `kinds`: what the words of arguments mean that may be several things: "id" (a name or number), "value"
--   (a number or truth value), "record" (the name or path of an object), "string"
-- * `docs`: descriptions of arguments that mean several things
-- * `takes`: function(doc, args) -> true, or false and why the file is skipped
-- * `none`: the message if all files were skipped
-- * `counts`: what a list has
-- * `results`: members of the report that the result line shows
-- @treturn table a command, as in lathe.cli
function verb.command(about)
  local params, rows, formats = look_up(about.name)
  local command = {
    name = about.name:gsub("_", "-"),
    summary = about.summary,
    description = describe(about, rows),
    examples = about.examples,
  }
  local is_query = rows[formats[1]].query

  function command.options(parser, argv)
    local words, named = {}, {}
    for _, param in ipairs(params) do
      local own = not SHARED[param.name] or about.options and about.options[param.name]
      local list = about.words and param.positional and is_needed(param, rows) and words or own and named
      if list then list[#list + 1] = param end
    end
    add_words(parser, words, about, argv)
    if is_query then batch.options(parser) else transform.options(parser) end
    for _, param in ipairs(named) do add_option(parser, param, about) end
  end

  -- argparse takes a negative number for an option.
  function command.wrong_number(word, before)
    return before and before:find "^%-%-%l" and ("write %s=%s"):format(before, word) or nil
  end

  local function call_on(doc, args, opened)
    local given, why = given_for(doc, rows[doc.format], params, args, opened, about)
    if not given then return nil, why end
    local done, err = call(doc, about.name, given)
    if not done then return nil, say_options(err, params, about) end
    return done
  end

  local function list(args, gather, takes)
    return batch.run { args = args, verb = about.name, order = { about.name }, gather = gather, takes = takes,
      apply = function(doc, result, item)
        local found, err = call_on(doc, args, {})
        if not found then return nil, err end
        return show_list(doc, found, result, item, about)
      end }
  end

  function command.run(args)
    check_needed(params, rows, args, about)
    local opened = {}
    local gather, say = skips(command, about, formats)
    local takes = about.takes and function(doc) return about.takes(doc, args) end
    if is_query then return say(list(args, gather, takes)) end
    return say(transform.run(args, about.name, function(doc)
      local done, err = call_on(doc, args, opened)
      if not done then return nil, err end
      done.counts = results_of(done, about.results)
      done.detail = detail_of(done, rows[doc.format])
      return done
    end, { gather = gather, takes = takes }))
  end

  return command
end

return verb
