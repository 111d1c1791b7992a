--- `lathe formats`: what lathe can do with the files of each format and game, and their fields and verbs.
-- @module lathe.cli.commands.formats

local core = require "lathe.core"
local out = require "lathe.cli.out"
local parts = require "lathe.formats"
local spelling = require "lathe.spelling"
local text = require "lathe.tree.text"
local verbs = require "lathe.tree.verbs"

local formats = {
  name = "formats",
  summary = "List the formats and what lathe does with them, or the fields and verbs of one.",
  description = [[
List the formats with their games: whether lathe reads and writes their files and makes new ones, and their
verbs. With NAME, list the fields, types and verbs of one format; with TYPE, the fields of a record type.]],
  examples = { "lathe formats", "lathe formats nif BSTriShape", "lathe formats --json" },
}

--- Adds the options.
-- @param command an argparse command
function formats.options(command)
  command:argument("name", "Format whose fields, verbs and options to list.")
    :argname "<name>":args "?"
  command:argument("type", "Record type of that format, such as a block, whose fields to list.")
    :argname "<type>":args "?"
  command:flag("--json", "Print one JSON value a line, for other programs.")
end

local function sorted_keys(set)
  local keys = {}
  for key, value in pairs(set) do
    if value then keys[#keys + 1] = key end
  end
  table.sort(keys)
  return keys
end

local function dotted(extensions)
  local list = {}
  for i, extension in ipairs(extensions) do list[i] = extension:gsub("^%.?", ".") end
  return list
end

-- Breaks `first` and the words behind it before `columns`; continuation lines are indented to where the text
-- begins.
local function wrap(lines, first, words, columns)
  for _, line in ipairs(text.fill(first, words, columns - 1)) do lines[#lines + 1] = line end
end

-- Formats rows of cells as a table; wraps the last column.
local function columns_of(rows, indent, columns)
  local widths, lines = {}, {}
  for _, row in ipairs(rows) do
    for i = 1, #row - 1 do widths[i] = math.max(widths[i] or 0, #row[i]) end
  end
  for _, row in ipairs(rows) do
    local cells = { indent }
    for i = 1, #row - 1 do cells[#cells + 1] = row[i] .. (" "):rep(widths[i] - #row[i] + 2) end
    wrap(lines, table.concat(cells), row[#row], columns)
  end
  return lines
end

local function show_rows(rows, indent)
  for _, line in ipairs(columns_of(rows, indent, out.columns())) do out.line(line) end
end

-- ---- one -----------------------------------------------------------------------------------------

local function find(name)
  local names = {}
  for i, format in ipairs(core.formats()) do
    names[i] = format.name
    if format.name == name then return format end
  end
  out.usage(("no format '%s'%s"):format(name, spelling.hint(name, names)))
end

local function type_text(field)
  local type = field.type
  if field.kind == "boolean" then type = "boolean" end
  if field.ref then type = type:find "^[iu]%d+$" and "reference" or "-> " .. type end
  return type .. (field.array and "[]" or "")
end

local function field_rows(type_name)
  local rows, known = {}, {}
  for _, field in ipairs(core.describe(type_name)) do
    local notes = { field.doc }
    if field.unit then table.insert(notes, 1, "[" .. field.unit .. "]") end
    if field.names then
      notes[#notes + 1] = (field.flags and "Bits: " or "One of: ") .. table.concat(field.names, ", ") .. "."
    end
    if field.readonly then notes[#notes + 1] = "Read-only." end
    local row = { field.name, type_text(field), table.concat(notes, " ") }
    local key = row[1] .. "\n" .. row[3]
    if not known[key] then -- in another version it has another width
      rows[#rows + 1], known[key] = row, true
    end
  end
  return rows
end

-- Merges equal verbs of the document and of records, in the order of the list.
local function distinct(list)
  local rows, known = {}, {}
  for _, verb in ipairs(list) do
    local key = verbs.signature(verb) .. "\n" .. verb.doc
    if not known[key] then
      known[key] = { verb = verb, of = {} }
      rows[#rows + 1] = known[key]
    end
    table.insert(known[key].of, verb.type or "doc")
  end
  return rows
end

-- Prints the signature in bold, and the types that have the verb, on the same line if they fit.
local function show_signature(signature, of)
  local lines, width = {}, out.columns()
  local name, options = signature:match "^([^{]*)({.*)$"
  if not name or #signature + 2 <= width then name, options = "", signature end
  wrap(lines, "  " .. name, options:gsub(" =", "\0="):gsub(" ([{}])", "\0%1"):gsub("{ ", "{\0"), width)
  for i, line in ipairs(lines) do
    local margin, rest = line:gsub("%z", " "):match "^(%s*)(.*)$"
    lines[i] = margin .. out.style("bold", rest)
  end
  local behind = of and "   of " .. of or ""
  if #lines == 1 and #signature + #behind + 2 <= width then
    lines[1] = lines[1] .. behind
  elseif of then
    wrap(lines, "      of ", of, width)
  end
  for _, line in ipairs(lines) do out.line(line) end
end

local function show_verbs(list)
  for _, row in ipairs(distinct(list)) do
    local verb = row.verb
    local single = verb.type and #row.of == 1 and verb.type .. ":" or ""
    show_signature(single .. verbs.signature(verb), #row.of > 1 and table.concat(row.of, ", ") or nil)
    show_rows({ { verb.doc } }, "      ")
    local rows = {}
    for i, param in ipairs(verb.params) do
      rows[i] = { param.name, ("%s: %s"):format(verbs.kind(param), param.doc) }
    end
    show_rows(rows, "      ")
  end
end

-- Joins `items` with `separator` into lines of at most `columns`, if possible.
local function filled(items, separator, columns)
  local lines = { "" }
  for i, item in ipairs(items) do
    local piece = item .. (i < #items and separator or "")
    if lines[#lines] ~= "" and #lines[#lines] + #piece > columns then lines[#lines + 1] = "" end
    lines[#lines] = lines[#lines] .. piece .. (i < #items and " " or "")
  end
  for i, line in ipairs(lines) do lines[i] = line:gsub("%s+$", "") end
  return lines
end

local MANY_TYPES = 20 -- above this number only names are listed

-- Prints names. A family, such as hka…, starts on a line of its own.
local function show_names(names)
  local families, order = {}, {}
  for _, name in ipairs(names) do
    local family = name:match "^%l*"
    if not families[family] then
      families[family] = {}
      order[#order + 1] = family
    end
    table.insert(families[family], name)
  end
  for _, family in ipairs(order) do
    for i, line in ipairs(filled(families[family], "", out.columns() - 4)) do
      out.line((i == 1 and "  " or "    ") .. line)
    end
  end
end

local function show_type(type, before)
  if before then out.line("") end
  out.line(out.style("bold", type))
  show_rows(field_rows(type), "  ")
end

local function has_type(name)
  local rows = core.describe(name)
  return rows ~= nil and #rows > 0
end

local function find_type(format, name)
  if has_type(name) then return name end
  out.usage(("no type '%s' in %s%s"):format(name, format.name, spelling.hint(name, format.types or {})))
end

local function show(format)
  local list, can = core.verbs(format.name), format.can
  for _, verb in ipairs(list) do can[verb.name] = nil end
  out.line(out.style("bold", ("%s: %s"):format(format.name, format.doc)))
  show_rows({
    { "files", table.concat(dotted(format.extensions), " ") },
    { "games", table.concat(format.games, ", ") },
    { "can", table.concat(sorted_keys(can), " ") },
  }, "  ")
  out.line ""
  out.line(out.style("bold", "Fields"))
  show_rows(field_rows(format.type), "  ")
  if #(format.types or {}) > MANY_TYPES then
    out.line ""
    local hint = (": `lathe formats %s TYPE` tells the fields of one"):format(format.name)
    out.line(out.style("bold", "Types") .. hint)
    show_names(format.types)
  else
    for _, type in ipairs(format.types or {}) do show_type(type, true) end
  end
  if #list == 0 then return end
  out.line ""
  out.line(out.style("bold", "Verbs") .. ", called as doc:VERB(value, { option = value })")
  show_verbs(list)
end

-- ---- all -----------------------------------------------------------------------------------------

local ORDER = { "name", "doc", "extensions", "games", "read", "write", "new", "export", "import", "can",
  "commands" }

-- The commands for the verbs of a format and of its records.
local function commands_of(format)
  local set = {}
  for _, verb in ipairs(core.verbs(format.name)) do set[verb.name:gsub("_", "-")] = true end
  return sorted_keys(set)
end

local EXPORTED <const> = { "meshes", "bodies", "animations", "skeletons", "graph" }

local function yes(value) return value and "yes" or "-" end

local function is_exported(format)
  for _, what in ipairs(EXPORTED) do
    if format.can[what] then return true end
  end
  return false
end

-- What `lathe import` reads into files of a game.
local function imported(format, game)
  local list = {}
  if parts.takes_mesh(format.name, game) then list[1] = "meshes" end
  if format.can.animations then list[#list + 1] = "animations" end
  if format.can.skeletons then list[#list + 1] = "skeletons" end
  return list
end

-- By game, what `lathe import` reads.
local function imports_of(format)
  local by_game = setmetatable({}, { __jsonorder = format.games, __jsontype = "object" })
  for _, game in ipairs(format.games) do
    by_game[game] = setmetatable(imported(format, game), { __jsontype = "array" })
  end
  return by_game
end

local function record(format)
  return {
    name = format.name,
    doc = format.doc,
    extensions = dotted(format.extensions),
    games = format.games,
    read = format.can.open == true,
    write = format.can.save == true,
    new = format.can.new == true,
    export = is_exported(format),
    import = imports_of(format),
    can = sorted_keys(format.can),
    commands = setmetatable(commands_of(format), { __jsontype = "array" }),
  }
end

local VERB_ORDER = { "name", "doc", "type", "query", "single", "params" }
local PARAM_ORDER = { "name", "doc", "kind", "unit", "values", "positional", "needed" }
local FIELD_ORDER = { "name", "type", "array", "ref", "unit", "doc", "readonly", "computed", "inside" }

local function ordered(row, order)
  local copy = {}
  for _, key in ipairs(order) do copy[key] = row[key] end
  return setmetatable(copy, { __jsonorder = order, __jsontype = "object" })
end

local function fields_of(type_name)
  local fields = {}
  for i, field in ipairs(core.describe(type_name)) do fields[i] = ordered(field, FIELD_ORDER) end
  return fields
end

local function show_json(format)
  local value = record(format)
  value.fields, value.verbs = fields_of(format.type), setmetatable({}, { __jsontype = "array" })
  for i, name in ipairs(format.types or {}) do
    value.types = value.types or {}
    value.types[i] = setmetatable({ name = name, fields = fields_of(name) },
      { __jsonorder = { "name", "fields" }, __jsontype = "object" })
  end
  for i, verb in ipairs(core.verbs(format.name)) do
    local params = setmetatable({}, { __jsontype = "array" })
    for k, param in ipairs(verb.params) do params[k] = ordered(param, PARAM_ORDER) end
    verb.params = params
    value.verbs[i] = ordered(verb, VERB_ORDER)
  end
  out.json(value, table.move({ "fields", "types", "verbs" }, 1, 3, #ORDER + 1, { table.unpack(ORDER) }))
end

-- A row for each game of each format.
local function support_rows()
  local rows = { { "format", "game", "files", "read", "write", "new", "export", "import" } }
  for _, format in ipairs(core.formats()) do
    local can = format.can
    for i, game in ipairs(format.games) do
      local first = i == 1
      local imports, files = imported(format, game), table.concat(dotted(format.extensions), " ")
      rows[#rows + 1] = { first and format.name or "", game, first and files or "", yes(can.open),
        yes(can.save), yes(can.new), yes(is_exported(format)),
        imports[1] and table.concat(imports, ", ") or "-" }
    end
  end
  return rows
end

local function list()
  local all = {}
  for i, format in ipairs(core.formats()) do all[i] = record(format) end
  for i, line in ipairs(columns_of(support_rows(), "", math.huge)) do
    out.line(i == 1 and out.style("bold", line) or line)
  end
  out.line ""
  out.line(out.style("bold", "Verbs") .. ", each of which is a command that `lathe help VERB` explains")
  local rows = {}
  for i, one in ipairs(all) do rows[i] = { one.name, table.concat(one.commands, ", ") } end
  show_rows(rows, "")
  out.line ""
  out.line "`lathe formats NAME` tells the fields of a format, its verbs and their options."
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function formats.run(args)
  local one = args.name and find(args.name)
  local type = args.type and find_type(one, args.type)
  if type and args.json then
    out.json({ name = type, fields = fields_of(type) }, { "name", "fields" })
  elseif type then
    show_type(type)
  elseif one then
    (args.json and show_json or show)(one)
  elseif args.json then
    for _, format in ipairs(core.formats()) do out.json(record(format), ORDER) end
  else
    list()
  end
  return 0
end

return formats
