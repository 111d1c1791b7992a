--- Generates pages of the manual as comments for LDoc: the members in `lathe.members`, and the records,
-- fields and verbs of each format from its schemas. The build writes them to build/manual.
-- @module lathe.tree.manual

local core = require "lathe.core"
local members = require "lathe.members"
local verbs = require "lathe.tree.verbs"

local manual = {}

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

local function clean(text) return (text:gsub("[&<>]", ESCAPES)) end

-- A comment block: LDoc reads "--- …" and the following lines.
local function comment(lines)
  return "--- " .. table.concat(lines, "\n-- ") .. "\n\n"
end

local NAMED = 12 -- maximum number of listed enumeration values

local function values(row)
  if not row.names or #row.names == 0 or #row.names > NAMED then return nil end
  return (row.flags and "Bits: " or "One of ") .. table.concat(row.names, ", ") .. "."
end

local function field_line(row)
  local type = row.kind == "boolean" and "boolean" or row.type
  local notes = { row.doc, values(row) }
  if row.unit then table.insert(notes, 1, ("[%s]"):format(row.unit)) end
  if row.key then notes[#notes + 1] = ("Also found by `%s`."):format(row.key) end
  if row.readonly then notes[#notes + 1] = "Read-only." end
  if row.inside then notes[#notes + 1] = "Not listed, copied or compared." end
  if row.ref then notes[#notes + 1] = "A view of what it points to, or false." end
  if row.computed then notes[#notes + 1] = "Worked out, not stored." end
  return ("@field %s `%s%s` %s"):format(row.name, type, row.array and "[]" or "",
    clean(table.concat(notes, " ")))
end

-- Adds a record type, followed by the types of its fields.
local function add_record(out, seen, type, intro)
  if seen[type] then return end
  seen[type] = true
  local rows, lines = core.describe(type) or {}, { intro, "@table " .. type }
  for _, row in ipairs(rows) do lines[#lines + 1] = field_line(row) end
  out[#out + 1] = comment(lines)
  for _, row in ipairs(rows) do
    if row.kind == "record" and row.type ~= "pointer" and row.type ~= "record" then
      add_record(out, seen, row.type, ("A record `%s`."):format(row.type))
    end
  end
end

local function param_line(param)
  local name = param.positional and param.name or "options." .. param.name
  local doc = param.values and ("%s One of %s."):format(param.doc, table.concat(param.values, ", "))
    or param.doc
  if param.unit then doc = ("[%s] %s"):format(param.unit, doc) end
  return ("@tparam%s %s %s %s"):format(param.needed and "" or "[opt]", param.kind, name, clean(doc))
end

local function add_verb(out, format, verb)
  local named, needed = false, false
  for _, param in ipairs(verb.params) do
    named = named or not param.positional
    needed = needed or not param.positional and param.needed
  end
  local lines = { clean(verb.doc), ("Called as `%s`."):format(clean("doc:" .. verbs.signature(verb))) }
  if verb.type then lines[2] = ("Of records `%s`."):format(verb.type) end
  lines[#lines + 1] = ("@function %s:%s"):format(verb.type or format.type, verb.name)
  local options = ("@tparam%s table options by name, positional ones too"):format(needed and "" or "[opt]")
  for _, param in ipairs(verb.params) do
    if named and not param.positional then
      lines[#lines + 1] = options
      named = false
    end
    lines[#lines + 1] = param_line(param)
  end
  lines[#lines + 1] = verb.single and "@return what it finds, or nil"
    or verb.list and "@treturn table a list of what it finds"
    or verb.query and "@treturn ?table what it answers"
    or "@treturn ?table a report: `changed`, a number, and `skipped`, a list of `path` and `reason`; "
      .. "`warnings` and `notes`, lists of texts, where there are any"
  lines[#lines + 1] = "@treturn ?Error"
  out[#out + 1] = comment(lines)
end

-- ---- members of the API ----------------------------------------------------------------------------------

local function add_lines(lines, text)
  for line in (text or ""):gmatch "([^\n]*)\n?" do lines[#lines + 1] = clean(line) end
end

local function typed(type, doc) return clean(("`%s` %s"):format(type, doc or "")) end

-- "lathe.open" of a module, "Document:save" of a class.
local function full_name(owner, member)
  local class = owner.class:match "[^.]*$"
  return member.kind == "method" and ("%s:%s"):format(class, member.name) or member.name
end

local function add_function(out, owner, member)
  local lines = {}
  add_lines(lines, member.doc)
  if member.some then lines[#lines + 1] = ("Only %s."):format(member.some) end
  add_lines(lines, member.more)
  lines[#lines + 1] = "@function " .. full_name(owner, member)
  for _, param in ipairs(member.params) do
    lines[#lines + 1] = ("@param%s %s %s"):format(param.optional and "[opt]" or "", param.name,
      typed(param.type, param.doc))
  end
  for _, result in ipairs(member.returns) do
    lines[#lines + 1] = "@return " .. typed(result.type, result.doc)
  end
  for _, usage in ipairs(member.usage) do
    lines[#lines + 1] = "@usage"
    add_lines(lines, usage)
  end
  out[#out + 1] = comment(lines)
end

local function add_fields(out, owner)
  local lines = { "Fields.", "@table fields" }
  for _, member in ipairs(owner.members) do
    if member.kind == "field" then
      local notes = (member.optional and "May be nil. " or "") .. member.doc
      lines[#lines + 1] = ("@field %s %s"):format(member.name, typed(member.type, notes))
    end
  end
  if #lines > 2 then out[#out + 1] = comment(lines) end
end

--- The page of an owner of members.
-- @tparam table owner of `lathe.members`
-- @treturn string
function manual.owner_page(owner)
  local intro, out = {}, {}
  add_lines(intro, owner.doc)
  if owner.more then
    intro[#intro + 1] = ""
    add_lines(intro, owner.more)
  end
  intro[#intro + 1] = (owner.class:find "%u" and "@object " or "@module ") .. owner.class
  out[1] = comment(intro)
  add_fields(out, owner)
  for _, member in ipairs(owner.members) do
    if member.kind ~= "field" then add_function(out, owner, member) end
  end
  return table.concat(out)
end

-- ---- formats ---------------------------------------------------------------------------------------------

local function dotted(extensions)
  local list = {}
  for i, extension in ipairs(extensions) do list[i] = extension:gsub("^%.?", "`.") .. "`" end
  return table.concat(list, " ")
end

--- The page of one format.
-- @tparam table format a row of `lathe.formats`
-- @treturn string
function manual.page(format)
  local out = { comment {
    clean(format.doc) .. ".",
    ("Files: %s. Games: %s."):format(dotted(format.extensions), table.concat(format.games, ", ")),
    format.can.serialize and "`doc:serialize()` writes it anew, in its own order." or "",
    "@format " .. format.name,
  } }
  for _, verb in ipairs(core.verbs(format.name)) do add_verb(out, format, verb) end
  local seen = {}
  add_record(out, seen, format.type, "The document itself: `doc.NAME` reads and writes a field.")
  for _, name in ipairs(format.types or {}) do
    add_record(out, seen, name, ("A record `%s`."):format(name))
  end
  return table.concat(out)
end

local function write(path, page)
  local file <close> = assert(io.open(path, "w"))
  assert(file:write(page))
end

--- Writes all pages into an existing folder.
-- @tparam string folder
function manual.write(folder)
  for _, format in ipairs(core.formats()) do
    write(("%s/%s.lua"):format(folder, format.name), manual.page(format))
  end
  for _, owner in ipairs(members) do
    local is_public = owner.class ~= "lathe.core"
    if is_public then write(("%s/%s.lua"):format(folder, owner.class), manual.owner_page(owner)) end
  end
end

return manual
