--- Calls: the commands that change a document, with their options as a form, and applying them.
-- @module service.verbs

local argparse = require "argparse"
local batch = require "lathe.cli.batch"
local change = require "service.change"
local cli = require "lathe.cli"
local export = require "lathe.export"
local files = require "service.files"
local json = require "service.json"
local look = require "service.look"
local proposals = require "service.names"
local parsers = require "lathe.cli.parsers"
local paths = require "lathe.paths"
local refuse = require "service.refuse"
local spelling = require "lathe.spelling"
local store = require "service.store"
local target = require "lathe.cli.batch.target"
local text = require "lathe.tree.text"

local verbs = { calls = {} }
local calls = verbs.calls

local SHOWN <const> = 200 -- lines of a difference

-- ---- the commands --------------------------------------------------------------------------------------

-- Headings of the help whose commands change documents, and commands there that are for files.
local CHANGING <const> = {
  ["Change files"] = true, Animations = true, ["Behavior graphs"] = true, ["Meshes and collision"] = true,
}
local FOR_FILES <const> = {
  set = true, apply = true, build = true, run = true, undo = true, precombine = true,
}
-- What a format must have for commands that are not made from a verb.
local NEEDS <const> = { scale = "scale", retime = "retime", materials = "set_materials", convert = "convert" }
-- Options that write other files.
local LEFT_OUT <const> = { ["--into"] = true }
-- Commands that without options list what they would change.
local LISTS <const> = { materials = true }

local outline = cli.outline() -- commands by number and name
for _, row in ipairs(outline) do outline[row.name] = row end

local loaded = {} -- commands by name

-- Loads the command of a row. Most documents need few of them.
local function command_of(row)
  loaded[row.name] = loaded[row.name] or cli.command(row.name)
  return loaded[row.name]
end

-- Whether a document has what the commands below a heading are for.
local IS_ABOUT <const> = {
  ["Behavior graphs"] = function(doc) return doc.graph ~= nil end,
  Animations = function(doc) return not batch.can(doc.format, "animations") or #doc.animations > 0 end,
}

local function takes(row, doc)
  if FOR_FILES[row.name] or not (CHANGING[row.heading] or row.is_verb) then return false end
  local about = IS_ABOUT[row.heading]
  if about and not about(doc) then return false end
  if not row.is_verb then
    local needed = NEEDS[row.name]
    return needed ~= nil and batch.can(doc.format, needed)
  end
  local command = command_of(row)
  return (CHANGING[row.heading] or command.query) and command.applies(doc)
end

-- ---- options -------------------------------------------------------------------------------------------

-- Options that all commands have, for files.
local function shared_names()
  local probe, names = argparse(), {}
  batch.options(probe)
  target.options(probe, "", true)
  for _, option in ipairs(parsers.options(probe)) do
    for _, name in ipairs(option.names) do names[name] = true end
  end
  return names
end

local TYPES <const> = {
  number = "number", integer = "integer", numbers = "numbers", list = "numbers", boolean = "flag",
  skeleton = "file", clip = "file", mesh = "file", meshes = "file", document = "file", samples = "file",
}
local PLACEHOLDERS <const> = {
  ["<n>"] = "number", ["<x>"] = "number", ["<s>"] = "number", ["<file>"] = "file", ["<path>"] = "path",
}

local function type_of(element, declared)
  if element.values then return "choice" end
  if not element.argname then return "flag" end
  return declared and TYPES[declared.kind] or PLACEHOLDERS[element.argname] or "text"
end

-- The default that a description ends with.
local function default_of(description)
  local value = description:match "%(default: (.-)%)" or description:match "Default: (.-)%.%f[%s\0]"
  return value ~= "none" and value or nil
end

-- The names of the two halves of a value such as <old>=<new>.
local function halves_of(argname)
  local one, other = (argname or ""):match "^<(%w+)>=<(%w+)>$"
  return one and { one, other }
end

local function option_of(name, element, declared)
  local pair = declared and declared.pair or halves_of(element.argname)
  return {
    name = name, label = (name:gsub("^%-+", ""):gsub("%-", " ")), type = type_of(element, declared),
    required = declared and declared.needed or false, help = element.description or "",
    unit = declared and declared.unit, default = default_of(element.description or ""),
    choices = element.values and json.list(table.move(element.values, 1, #element.values, 1, {})),
    many = element.repeated or nil, pair = pair and json.list { pair[1], pair[2] } or nil,
  }
end

local shared

-- Reads the options of a command, and which of them are words in front of the files.
local function read_options(command)
  shared = shared or shared_names()
  cli.parser({ command }, true)
  local list, words = json.list {}, {}
  local declared = command.declared and command.declared() or {}
  for _, argument in ipairs(parsers.arguments(command.parser)) do
    if argument.name ~= "files" then
      local option = option_of(argument.name, argument, nil)
      option.required, words[option.name] = not argument.optional, true
      list[#list + 1] = option
    end
  end
  for _, one in ipairs(parsers.options(command.parser)) do
    local name = one.names[#one.names]
    if (not shared[name] or declared[name]) and name ~= "--help" and not LEFT_OUT[name] then
      list[#list + 1] = option_of(name, one, declared[name])
    end
  end
  for _, option in ipairs(list) do option.known = proposals.known(command.name, option.name) end
  return { options = list, words = words }
end

local forms = {} -- what `read_options` gave, by name of the command: it is the same for all documents

local function form_of(row)
  forms[row.name] = forms[row.name] or read_options(command_of(row))
  return forms[row.name]
end

local function told(row)
  local command = command_of(row)
  return {
    name = command.name, summary = command.summary, description = command.description or command.summary,
    heading = row.heading, query = command.query or nil, options = form_of(row).options,
    lists = LISTS[command.name],
  }
end

--- The forms of all commands that change or ask documents, as `verbs` tells them.
-- @treturn {table,...}
function verbs.forms()
  local list = {}
  for _, row in ipairs(outline) do
    local is_asked = CHANGING[row.heading] and (row.is_verb or NEEDS[row.name])
    if not FOR_FILES[row.name] and (is_asked or row.is_verb and command_of(row).query) then
      list[#list + 1] = told(row)
    end
  end
  return list
end

-- ---- the form of export --------------------------------------------------------------------------------

-- Options of the call `export`, as the command has them.
local EXPORTING <const> = {
  "--to", "--skeleton", "--mesh", "--what", "--scale", "--lod", "--textures", "--euler",
}
local OF_ANIMATIONS <const> = { ["--skeleton"] = true, ["--mesh"] = true, ["--euler"] = true }
local OF_MESHES <const> = { ["--what"] = true, ["--lod"] = true }

-- The formats that a document can be exported to.
local function exports_of(doc)
  if doc.graph then return { "dot" } end
  local has = function(verb) return batch.can(doc.format, verb) end
  local moves = has "animations" and (#doc.animations > 0 or #doc.skeletons > 0)
  if moves then return { "glb", "csv" }, true end
  if has "meshes" or has "bodies" then return { "glb", "obj" }, false end
end

local taken = {} -- options and arguments, by command and name

-- What a command takes, by name.
local function taken_by(row)
  local by_name = taken[row.name]
  if by_name then return by_name end
  by_name = {}
  local command = command_of(row)
  cli.parser({ command }, true)
  for _, one in ipairs(parsers.options(command.parser)) do by_name[one.names[#one.names]] = one end
  for _, one in ipairs(parsers.arguments(command.parser)) do by_name[one.name] = one end
  taken[row.name] = by_name
  return by_name
end

-- The form of a command that makes other files.
local function form_of_making(row, options)
  local command = command_of(row)
  return {
    name = row.name, summary = command.summary, description = command.description, heading = row.heading,
    options = options,
  }
end

-- The form of `export`; nil if there is nothing to export.
local function export_form(doc)
  local kinds, moves = exports_of(doc)
  if not kinds then return nil end
  local by_name, options = taken_by(outline.export), json.list {}
  for _, name in ipairs(EXPORTING) do
    local others = moves and OF_MESHES or OF_ANIMATIONS
    if name == "--to" or kinds[1] ~= "dot" and not others[name] then
      local option = option_of(name, by_name[name])
      if name == "--to" then
        option.choices, option.default, option.help = json.list(kinds), kinds[1], "Kind of file."
      end
      option.many = nil
      options[#options + 1] = option
    end
  end
  return form_of_making(outline.export, options)
end

-- ---- the form of import --------------------------------------------------------------------------------

-- Options of the call `import`, and what differs in the page from the command.
local IMPORTING <const> = {
  { "file", label = "file", type = "file", required = true, extensions = { "obj", "glb", "gltf", "csv" },
    help = "The .obj, .glb, .gltf or .csv. Open it on the page first, a .gltf with its .bin." },
  { "--output", label = "name", required = true,
    help = "Name of the new file, such as crate.nif or walk.hkx: its extension says the format." },
  { "--game" },
  { "--like", type = "file",
    help = "An open file of the game. An animation gets its game, tracks and compression from it. A model "
      .. "becomes a copy of it, whose shapes of the same names get the new geometry." },
  { "--skeleton", type = "file" }, { "--material" }, { "--clip" },
  { "--scale" }, { "--up" }, { "--fps" },
}

local import_form

--- The form of `import`.
-- @treturn table as `verbs` tells it
function verbs.import_form()
  if import_form then return import_form end
  local by_name, options = taken_by(outline.import), json.list {}
  for i, row in ipairs(IMPORTING) do
    local option = option_of(row[1], by_name[row[1]])
    for member, value in pairs(row) do
      if member ~= 1 then option[member] = type(value) == "table" and json.list(value) or value end
    end
    options[i] = option
  end
  import_form = form_of_making(outline.import, options)
  return import_form
end

function calls.verbs(args)
  local list = json.list {}
  if args.id == nil then return { verbs = list, import = verbs.import_form() } end
  local doc = store.of(args).doc
  for _, row in ipairs(outline) do
    if takes(row, doc) then list[#list + 1] = told(row) end
  end
  return { verbs = list, export = export_form(doc), import = verbs.import_form() }
end

-- ---- words of the command line -----------------------------------------------------------------------

-- A value as one word.
local function word_of(value, option)
  local kind = type(value)
  if option.type == "file" and kind == "number" then return store.entry(value).path end
  if kind == "number" then return text.number(value) end
  if option.type == "numbers" and kind == "table" then
    local parts = {}
    for i, number in ipairs(value) do
      if type(number) ~= "number" then refuse.usage("option '%s': numbers expected", option.name) end
      parts[i] = text.number(number)
    end
    return table.concat(parts, ",")
  end
  if kind ~= "string" then
    refuse.usage("option '%s': a text or a number expected, got %s", option.name, kind)
  end
  return value
end

local function add_words(argv, option, value, is_word)
  if option.type == "flag" then
    if type(value) ~= "boolean" then refuse.usage("option '%s': true or false expected", option.name) end
    argv[#argv + 1] = value and option.name or nil
  elseif option.many and type(value) == "table" then
    for _, one in ipairs(value) do argv[#argv + 1] = option.name .. "=" .. word_of(one, option) end
  elseif is_word then
    local word = word_of(value, option)
    if word:find "^%-[^%d.]" then refuse.usage("%s: '%s' is an option", option.name, text.printable(word)) end
    argv[#argv + 1] = word
  else
    argv[#argv + 1] = option.name .. "=" .. word_of(value, option)
  end
end

--- Refuses options that a form does not have.
-- @tparam table given
-- @tparam {table,...} options
function verbs.check_known(given, options)
  local known = {}
  for _, option in ipairs(options) do known[#known + 1], known[option.name] = option.name, true end
  for name in pairs(given) do
    if not known[name] then
      refuse.usage("unknown option '%s'%s", text.printable(tostring(name)),
        spelling.hint(tostring(name), known))
    end
  end
end

-- The command and its words.
local function command_line(args, doc)
  local name = refuse.text(args, "verb")
  local row = outline[name]
  if not row or not takes(row, doc) then
    refuse.usage("%s files have no '%s'", doc.format, text.printable(name))
  end
  local given, form, argv = refuse.table(args, "options"), form_of(row), { name }
  verbs.check_known(given, form.options)
  for _, option in ipairs(form.options) do
    local value, is_word = given[option.name], form.words[option.name]
    if value ~= nil and value ~= "" then
      add_words(argv, option, value, is_word)
    elseif is_word and option.required then
      refuse.usage("%s is missing", option.name)
    end
  end
  return command_of(row), argv
end

-- ---- applying ------------------------------------------------------------------------------------------

-- Documents by path, for options that name files.
local function opened()
  local by_path = {}
  for _, entry in ipairs(store.entries) do by_path[entry.path] = entry.doc end
  return by_path
end

-- Runs a command line on a document; its name is that of an entry. Gives the result, and the item.
local function run(doc, entry, argv)
  local item = { doc = doc, path = entry.path, below = entry.path }
  local words = table.move(argv, 1, #argv, 1, {})
  words[#words + 1] = cli.FILES
  local result, err = look.command(item, words, { opened = opened() })
  if not result then return nil, err end
  return { result = result, extension = item.extension, messages = err }
end

--- What differs between two documents, as `lathe diff` says it.
-- @param before
-- @param after
-- @tparam string path
-- @treturn table
function verbs.difference(before, after, path)
  local item = { doc = before, path = path }
  local result, err = look.command(item, { "diff", cli.FILES, "after" }, { other = path, other_doc = after })
  if not result then
    return { same = false, count = 0, lines = json.lines { refuse.told(err).message }, more = 0 }
  end
  local lines = table.move(result.told, 1, math.min(#result.told, SHOWN), 1, {})
  return { same = result.same, count = result.count, lines = json.lines(lines), more = #result.told - #lines }
end

-- The lines that the command prints of a document.
local function lines_of(done, path, same)
  local result = done.result
  local lines = table.move(result.lines, 1, #result.lines, 1, {})
  if result.json.report then
    table.insert(lines, 1, ("%s: %s"):format(path, same and "unchanged" or result.detail or "changed"))
  end
  return json.lines(lines)
end

local function reply(done, entry, difference)
  local report = done.result.json.report
  return {
    lines = lines_of(done, entry.path, difference.same), report = report, diff = difference,
    messages = done.messages ~= "" and text.printable(done.messages, true) or nil,
  }
end

-- Applies a command to a copy of a document. Calls `use(done, copy)`; gives what it gives.
local function on_copy(entry, argv, use)
  local copy <close>, err = store.copy(entry)
  if not copy then return nil, err end
  local done
  done, err = run(copy, entry, argv)
  if not done then return nil, err end
  return use(done, copy)
end

-- The path of a document in another form.
local function renamed(path, extension)
  return extension and paths.with_extension(path, extension) or path
end

function calls.apply(args)
  local entry = store.of(args)
  local command, argv = command_line(args, entry.doc)
  if args.preview or command.query then
    return on_copy(entry, argv, function(done, copy)
      return reply(done, entry, verbs.difference(entry.doc, copy, entry.path))
    end)
  end
  args.label = change.label(table.concat(argv, " "))
  local before <close>, err = store.copy(entry)
  if not before then return nil, err end
  local done
  done, err = change.one_step(entry.doc, function() return run(entry.doc, entry, argv) end)
  if not done then return nil, err end
  local told_of = reply(done, entry, verbs.difference(before, entry.doc, entry.path))
  store.rename(entry, renamed(entry.path, done.extension))
  return told_of
end

function calls.convert(args)
  local entry = store.of(args)
  args.verb = "convert"
  local _, argv = command_line(args, entry.doc)
  return on_copy(entry, argv, function(done, copy)
    local bytes, err = copy:encode()
    if not bytes then return nil, err end
    local notes = json.lines(done.result.json.report and done.result.json.report.notes)
    return {
      name = renamed(entry.path, done.extension), size = #bytes, notes = notes,
      lines = lines_of(done, entry.path, false),
    }, { bytes }
  end)
end

-- ---- export --------------------------------------------------------------------------------------------

local FORMATS <const> = { glb = true, obj = true, csv = true, dot = true }
local EXPORT <const> = { scale = true, what = true, lod = true, textures = true, euler = true }
local NUMBERS <const> = { scale = true, lod = true } -- also as texts

local function given_to_export(args)
  local options = {}
  local given = refuse.table(args, "options")
  for name, value in pairs(given) do
    if name == "skeleton" or name == "mesh" then
      options[name] = store.optional(given, name)
    elseif EXPORT[name] then
      options[name] = NUMBERS[name] and tonumber(value) or value
    else
      refuse.usage("no option '%s' of export", text.printable(tostring(name)))
    end
  end
  return options
end

local FOLDER <const> = ".export" -- removed when the bytes are read

function calls.export(args)
  local entry, format = store.of(args), refuse.text(args, "format", "glb")
  if not FORMATS[format] then refuse.usage "argument 'format': glb, obj, csv or dot expected" end
  local options = given_to_export(args)
  local made = paths.join(FOLDER, paths.with_extension(paths.base(entry.path)) .. "." .. format)
  files.write(made, "") -- makes the folder
  local ok, report, err = pcall(export.export, entry.doc, made, options)
  local found, blobs = json.list {}, {}
  for i, path in ipairs(ok and report and report.files or {}) do
    blobs[i] = files.read(path)
    found[i] = { name = paths.base(path), size = #blobs[i] }
  end
  for _, path in ipairs { made, paths.with_extension(made, "mtl") } do files.remove(path) end
  if not ok then refuse.usage("%s", tostring(report)) end
  if not report then
    err.path = paths.base(made)
    return nil, err
  end
  local notes = json.list {}
  for _, list in ipairs { report.skipped or {}, report.notes or {} } do
    for _, note in ipairs(list) do
      notes[#notes + 1] = { path = text.utf8(note.path or ""), reason = text.utf8(note.reason) }
    end
  end
  return {
    files = found, notes = notes, meshes = report.meshes, triangles = report.triangles, clips = report.clips,
  }, blobs
end

return verbs
