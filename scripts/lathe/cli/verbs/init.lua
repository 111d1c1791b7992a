--- Commands made from verbs of documents: their options are the verbs' arguments in the schemas.
-- @module lathe.cli.verbs

local arguments = require "lathe.cli.verbs.arguments"
local batch = require "lathe.cli.batch"
local core = require "lathe.core"
local files = require "lathe.cli.verbs.files"
local options = require "lathe.cli.verbs.options"
local out = require "lathe.cli.out"
local records = require "lathe.cli.pages.records"
local report = require "lathe.cli.batch.report"
local targets = require "lathe.cli.verbs.targets"
local text = require "lathe.tree.text"
local transform = require "lathe.cli.verbs.transform"

local verb = {}

local find = options.find
local option_name = arguments.option

-- What the numbers in result lines count.
local COUNTED = {
  pose = "Results count poses: one track (bone, float slot, root motion) in one frame.",
}

local WIDTH = 109 -- maximum width of descriptions

-- The description, and what is counted if all formats agree.
local function describe(about, rows)
  local counts
  for _, row in ipairs(rows) do counts = counts or row.counts end
  local paragraphs = {}
  for paragraph in (about.description .. "\n\n"):gmatch "(.-)\n\n+" do
    paragraphs[#paragraphs + 1] = options.wrap(paragraph, WIDTH)
  end
  paragraphs[#paragraphs + 1] = COUNTED[counts]
  return table.concat(paragraphs, "\n\n")
end

local SHARED = { skeleton = true } -- options with the same meaning in all commands

-- ---- running ------------------------------------------------------------------------------------

-- The arguments for what the verb is called on. An argument that only others have is an error of that file.
local function given_for(doc, target, params, args, opened, about)
  local given, row = {}, target.row
  for _, param in ipairs(params) do
    local value = args[param.name]
    if type(value) == "table" and next(value) == nil then value = nil end -- an option that may be repeated
    if value ~= nil and find(row.params, param.name) then
      local err
      local kind = arguments.kind(param, about)
      if files.is_file(kind) then value, err = files.read(kind, value, opened, doc, target.record) end
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

-- Whether the command needs an argument: it says so, or everything that has the verb does.
local function is_needed(param, rows, about)
  if about.needs and about.needs[param.name] then return true end
  for _, row in ipairs(rows) do
    local own = find(row.params, param.name)
    if not own or not own.needed then return false end
  end
  return true
end

local function check_needed(params, rows, args, about)
  local missing = {}
  for _, param in ipairs(params) do
    if args[param.name] == nil and is_needed(param, rows, about) then
      missing[#missing + 1] = option_name(param, about) .. " " .. arguments.placeholder(param, about)
    end
  end
  if #missing > 0 then
    out.usage(("%s %s missing"):format(table.concat(missing, " and "), #missing == 1 and "is" or "are"))
  end
end

-- Calls the verb. Errors about its arguments are reported without a position in this file.
local function call(target, name, given)
  local function plain(err)
    return type(err) == "string" and err:gsub("^[^\n]-verb%.lua:%d+: ", "", 1) or err
  end
  local record = target.record
  local ok, done, why = xpcall(record[name], plain, record, given)
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
local function detail_of(done, row, about)
  local parts = { row.counts and text.count(done.changed, row.counts) or report.changes(done.changed) }
  if about.tell then
    parts[2] = about.tell(done)
    return table.concat(parts, ", ")
  end
  for _, result in ipairs(done.counts) do parts[#parts + 1] = result[1] .. " " .. tostring(result[2]) end
  return table.concat(parts, ", ")
end

-- ---- queries ------------------------------------------------------------------------------------

-- A value of an answer: a number, a list of numbers, or the path and type of a record.
local function plain_value(value)
  if core.type(value) and core.type(value) ~= "array" then return core.path(value) end
  if type(value) ~= "table" and not core.type(value) then return value end
  local list = records.list {}
  for i, item in ipairs(value) do list[i] = plain_value(item) end
  return list
end

local function value_text(value)
  if type(value) ~= "table" then return text.scalar(value, { type = "f32" }) end
  local words = {}
  for i, item in ipairs(value) do words[i] = value_text(item) end
  return table.concat(words, " ")
end

-- Shows the record that a query found; false: there is none.
local function show_record(record, result, item, about)
  local path = record and core.path(record)
  result.lines = { ("%s: %s"):format(item.path, path and ("%s  %s"):format(path, core.type(record)) or
    "none") }
  result.json[about.name] = path or require("dkjson").null
  return true
end

-- Shows the members of an answer, in the order of about.results.
local function show_members(found, result, item, about)
  local words, members = {}, setmetatable({}, { __jsonorder = about.results })
  for i, name in ipairs(about.results) do
    members[name] = plain_value(found[name])
    words[i] = ("%s %s"):format(name, value_text(members[name]))
  end
  result.lines = { ("%s: %s"):format(item.path, table.concat(words, ", ")) }
  result.json[about.name] = members
  return true
end

-- Lists what a query found, with the type of the object that each path leads into.
local function show_list(doc, list, result, item, about)
  result.lines = { ("%s: %s"):format(item.path, text.count(#list, about.counts or "result")) }
  for i, entry in ipairs(list) do
    local object = type(entry) == "string" and doc:get(entry:match "^[%w_]+%[%d+%]" or "")
    result.lines[i + 1] = object and ("  %s  %s"):format(entry, core.type(object)) or "  " .. tostring(entry)
  end
  result.json[about.name] = records.list(list)
  return true
end

-- ---- commands -----------------------------------------------------------------------------------

-- Counts the files of a batch that were skipped, and says what has the verb if it was all of them.
local function skips(command, about, formats)
  local all, skipped, of_format = 0, 0, 0
  local function gather(record)
    local other = record.reason and record.reason:find(" files have no " .. command.name, 1, true)
    all, skipped = all + 1, skipped + (record.status == "skipped" and 1 or 0)
    of_format = of_format + (other and 1 or 0)
  end
  local function say(code)
    local why = about.none
    if not why and of_format == all then
      why = "no file of a format that has this: " .. table.concat(formats, ", ")
    end
    if all > 0 and all == skipped and why then out.message(("lathe %s: %s"):format(command.name, why)) end
    return code
  end
  return gather, say
end

--- Makes a command from a verb: one that writes, or for a verb that finds something, one that shows it.
-- @tparam table about
--
-- * `name` of the verb; the command's has "-" for "_"
-- * `summary`, `description`, `examples`
-- * `at`: what records have the verb, for `--at`: "an animation, such as animations[2]"
-- * `needs`: arguments that the command needs although the verb does not: { from = true }
-- * `omit`: arguments that no command line can give, and why: { positions = "a table of numbers" }
-- * `options`: options with other names than their arguments
-- * `pairs`: names of the two elements, for arguments that are pairs
-- * `kinds`: what the words of arguments mean that may be several things: "id" (a name or number), "value"
--   (a number or truth value), "record" (the name or path of an object), "node" (… or its number), "string",
--   "list" (numbers), "names" (one or several); "literal" (a table as Lua or
--   JSON writes it); "mesh", "meshes", "samples" and "document" are files
-- * `values`: the words of arguments of which the command takes not all
-- * `docs`: descriptions of arguments that mean several things
-- * `takes`: function(doc, args) -> true, or false and why the file is skipped
-- * `none`: the message if all files were skipped
-- * `counts`: what a list has
-- * `results`: members of the report that the result line shows, and JSON has
-- * `tell`: function(report) -> the text that the result line shows of them
-- @treturn table a command, as in lathe.cli
function verb.command(about)
  local all = options.look_up(about)
  local params, rows = all.params, all.rows
  local command = {
    name = about.name:gsub("_", "-"),
    summary = about.summary,
    description = describe(about, rows),
    examples = about.examples,
    omit = about.omit, needs = about.needs, renamed = about.options, -- for the check of texts
  }

  if all.query then records.commands[command.name] = { { about.name, "value?", about.summary } } end

  local function add_shared(parser)
    if all.query then batch.options(parser) else transform.options(parser) end
    if about.at then targets.option(parser, about.at, next(all.documents) ~= nil) end
  end

  function command.options(parser, argv)
    local words, named = {}, {}
    for _, param in ipairs(params) do
      local own = not SHARED[param.name] or about.options and about.options[param.name]
      local is_word = param.positional and not (about.pairs and about.pairs[param.name])
      local list = own and (is_word and words or named)
      if list then list[#list + 1] = param end
    end
    local function add_named(to)
      for _, param in ipairs(named) do options.add(to, param, about) end
    end
    local function needed(param) return is_needed(param, rows, about) end
    options.add_words(parser, words, about, argv or {}, needed, function(probe)
      add_named(probe)
      add_shared(probe)
    end)
    add_named(parser)
    add_shared(parser)
  end

  -- argparse takes a negative number for an option.
  function command.wrong_number(word, before)
    if before and before:find "^%-%-%l" then return ("write %s=%s"):format(before, word) end
    for _, param in ipairs(params) do
      if param.positional and arguments.reads_numbers(param, about) then
        return ("a negative number is given with its option, such as %s=%s"):format(option_name(param,
          about), word)
      end
    end
  end

  -- Calls the verb; gives the report or the answer, the error, and the row of the schema.
  local function call_on(doc, args, opened)
    local row
    local done, why = targets.each(doc, about.at and args.at, about, all, function(target)
      row = target.row
      local given, wrong = given_for(doc, target, params, args, opened, about)
      if not given then return nil, wrong end
      local answer, err = call(target, about.name, given)
      if answer == nil and err then return nil, say_options(err, params, about) end
      return answer
    end)
    return done, why, row
  end

  --- What the schemas say of the options, for forms: by option (`--fps`), a table with `kind` (see
  -- `lathe.cli.verbs.arguments`), `unit`, `needed`, and `pair`, the names of the two elements.
  function command.declared()
    local declared = {}
    for _, param in ipairs(params) do
      declared[option_name(param, about)] = {
        kind = param.kind == "boolean" and "boolean" or arguments.kind(param, about), unit = param.unit,
        needed = is_needed(param, rows, about), pair = about.pairs and about.pairs[param.name],
      }
    end
    return declared
  end

  --- Whether a document, or a record in it, has the verb.
  function command.applies(doc)
    for _, format in ipairs(all.formats) do
      if format == doc.format then return (targets.has(doc, nil, all)) end
    end
    return false
  end
  command.query = all.query

  -- A record that --at names may have a verb that documents of its format lack.
  local function verb_of(args)
    return (not about.at or #args.at == 0) and about.name or nil
  end

  local function list(args, gather, takes)
    return batch.run { args = args, verb = verb_of(args), gather = gather,
      takes = takes, apply = function(doc, result, item)
        local found, err, row = call_on(doc, args, args.opened or {})
        if err then return nil, err end
        if row.single then return show_record(found, result, item, about) end
        if row.list then return show_list(doc, found, result, item, about) end
        return show_members(found, result, item, about)
      end }
  end

  function command.run(args)
    check_needed(params, rows, args, about)
    local opened = args.opened or {} -- a host has documents open
    local gather, say = skips(command, about, all.formats)
    local function takes(doc)
      local has, reason = targets.has(doc, about.at and args.at, all)
      if has and about.takes then has, reason = about.takes(doc, args) end
      return has, reason
    end
    if all.query then return say(list(args, gather, takes)) end
    return say(transform.run(args, verb_of(args), function(doc)
      local done, err, row = call_on(doc, args, opened)
      if not done then return nil, err end
      done.counts = results_of(done, about.results)
      done.detail = detail_of(done, row, about)
      return done
    end, { gather = gather, takes = takes }))
  end

  return command
end

--- Makes commands from the verbs of a table.
-- @tparam {table,...} list what `verb.command` takes
-- @treturn table the commands by number and by name
function verb.commands(list)
  local commands = {}
  for i, about in ipairs(list) do
    local command = verb.command(about)
    commands[i], commands[command.name] = command, command
  end
  return commands
end

return verb
