-- Reads the text of a file: lines of the unit, sections and their rows. Nothing is known yet of what names
-- mean. The notation is described in ../README.md.

local expression = require "generate.expression"
local problem = require "generate.problem"

local reader = {}

local function trimmed(text)
  return text:match("^%s*(.-)%s*$")
end

-- ---- quotes and remarks -------------------------------------------------------------------------

-- Where a text in quotes that begins at `from` ends.
local function end_of_quote(line, from)
  local at = from + 1
  while true do
    at = line:find('["\\]', at)
    if not at then problem.raise("a text without its closing quote") end
    if line:byte(at) == 34 then return at end
    at = at + 2
  end
end

-- A line without its remark, the same with what stands in quotes blotted out, and the remark; nil: there is
-- none.
local function split_remark(line)
  if not line:find('"', 1, true) then
    local at = line:find("//", 1, true)
    local text = at and line:sub(1, at - 1) or line
    return text, text, at and trimmed(line:sub(at + 2))
  end
  local at, blotted = 1, {}
  while true do
    local remark, quote = line:find("//", at, true), line:find('"', at, true)
    if not quote or remark and remark < quote then
      local text = remark and line:sub(1, remark - 1) or line
      blotted[#blotted + 1] = text:sub(at)
      return text, table.concat(blotted), remark and trimmed(line:sub(remark + 2))
    end
    local last = end_of_quote(line, quote)
    blotted[#blotted + 1] = line:sub(at, quote) .. ("_"):rep(last - quote - 1) .. '"'
    at = last + 1
  end
end

-- ---- notes and types ----------------------------------------------------------------------------

-- What stands in front of the first " @", and all notes by name: true, or their text. Raises for two of a
-- name.
local function split_notes(text, blotted)
  local notes, from = {}, blotted:find("@", 1, true)
  local first = from and from - 1 or #text
  while from do
    local behind = blotted:find("%s@", from + 1)
    local note = trimmed(text:sub(from, behind or #text))
    local name, value = note:match("^@([%a_]+)=%s*(.+)$")
    name = name or note:match("^@([%a_]+)$")
    if not name then problem.raise("'%s' is no note", note) end
    if notes[name] ~= nil then problem.raise("@%s twice", name) end
    notes[name] = value or true
    from = behind and behind + 1
  end
  return trimmed(text:sub(1, first)), notes
end

-- `TYPE`, `computed TYPE`, `TYPE*`, `TYPE(ARGUMENTS)`, and what follows it.
local function read_type(text)
  local spec = {}
  local word, behind = text:match("^([%a_][%w_:]*)(.*)$")
  if word == "computed" and behind:find("^%s+[%a_]") then
    spec.computed = true
    word, behind = behind:match("^%s+([%a_][%w_:]*)(.*)$")
  end
  if not word then return nil end
  spec.type = word
  if behind:find("^%*") then spec.pointer, behind = true, behind:sub(2) end
  local arguments = behind:match("^%b()")
  if arguments then
    spec.arguments = expression.parse_list(arguments:sub(2, -2))
    behind = behind:sub(#arguments + 1)
  end
  return spec, behind
end

-- A remark as unit and description.
local function read_remark(remark)
  local unit, doc = remark:match("^%[([^%]]*)%]%s*(.*)$")
  return unit, doc or remark
end

-- A row's line but for its name: type, notes, condition. Gives what is left of the type.
local function read_spec(text, blotted)
  local question = blotted:find("?", 1, true)
  local condition = question and text:sub(question + 1)
  if question then text, blotted = text:sub(1, question - 1), blotted:sub(1, question - 1) end
  local left, notes = split_notes(text, blotted)
  local spec, behind = read_type(left)
  if not spec then problem.raise("'%s' is no row", left) end
  spec.notes, spec.condition = notes, condition and expression.parse(condition)
  return spec, behind
end

-- ---- rows ---------------------------------------------------------------------------------------

local function read_row(line)
  local text, blotted, remark = split_remark(line)
  local row, behind = read_spec(trimmed(text), trimmed(blotted))
  local count
  row.name, count = behind:match("^%s+([%w_]+)%s*(.*)$")
  if not row.name then problem.raise("a row needs a type and a name") end
  if row.type == "rows" and count == "" then return { splice = row.name } end
  if count ~= "" then
    row.count = count:match("^%[%s*(.-)%s*%]$")
    if not row.count then problem.raise("'%s' is no count", count) end
  end
  if remark then row.unit, row.doc = read_remark(remark) end
  return row
end

-- NUMBER name "THE REFERENCE'S SPELLING" alias
local function read_name(line)
  local text, _, remark = split_remark(line)
  local value, name, rest = text:match("^%s+(%-?%w+)%s+([%w_+]+)%s*(.-)%s*$")
  if not value then value, name, rest = text:match('^%s+(%-?%w+)%s+"([^"]+)"%s*(.-)%s*$') end
  value = math.tointeger(tonumber(value))
  local original, alias = nil, rest == "alias"
  if rest and rest ~= "" and not alias then
    original, rest = rest:match('^"([^"]+)"%s*(.-)$')
    alias = rest == "alias"
    if not original or rest ~= "" and not alias then value = nil end
  end
  if not value then problem.raise("'%s' is no number and name", trimmed(line)) end
  return { value = value, name = name, original = original, alias = alias, doc = remark }
end

-- ---- sections -----------------------------------------------------------------------------------

local NAME <const> = "[%a_][%w_:]*"

-- (A, B:63): names, and bits of the number that the others go to.
local function read_parameters(text)
  local list = {}
  for one in (text .. ","):gmatch("%s*([^,]*),") do
    local name, bit = one:match("^([%a_][%w_]*)%s*:%s*(%d+)%s*$")
    name = name or one:match("^([%a_][%w_]*)%s*$")
    bit = math.tointeger(tonumber(bit))
    if not name or (#list > 0) ~= (bit ~= nil) or bit and bit > 63 then
      problem.raise("'(%s)' are no arguments: the first is a number, others are bits of it, NAME:BIT", text)
    end
    list[#list + 1] = { name = name, bit = bit }
  end
  return list
end

local function read_section_name(section, text, kind)
  local name, rest = text:match("^(" .. NAME .. ")%s*(.*)$")
  if not name or name:gsub("::", ""):find(":", 1, true) then
    problem.raise("'%s' is no name of %s", text, kind)
  end
  section.name = name
  local parameters = rest:match("^%b()")
  if parameters then
    section.parameters = read_parameters(parameters:sub(2, -2))
    rest = trimmed(rest:sub(#parameters + 1))
  end
  local shown = rest:match('^"[^"]+"')
  if shown then
    section.shown = shown:sub(2, -2)
    rest = trimmed(rest:sub(#shown + 1))
  end
  if rest ~= "" then
    section.parent = rest:match("^:%s*(" .. NAME .. ")$")
    if not section.parent then problem.raise("'%s' is no name of %s", text, kind) end
  end
end

local kinds = {
  struct = read_row, class = read_row, record = read_row, block = read_row, rows = read_row,
  enum = read_name, flags = read_name, masks = read_name, constants = read_name,
}

local function read_section(kind, text, blotted, remark)
  local section = { doc = remark, rows = {} }
  local left, notes = split_notes(text, blotted)
  if kind == "vector" then
    section.vector = true
    local inner, behind = left:match("^(%a+)%s+(%S.*)$")
    kind = "struct"
    if inner == "struct" or inner == "class" or inner == "record" then kind, left = inner, behind end
  end
  section.kind, section.notes, section.read = kind, notes, kinds[kind]
  read_section_name(section, left, kind)
  if kinds[kind] ~= read_row and (section.parent or section.parameters) then
    problem.raise("%s have no parent and no argument", kind)
  end
  return section
end

-- ---- lines of the unit --------------------------------------------------------------------------

local function words_of(text)
  local list = {}
  for word in text:gmatch("%S+") do list[#list + 1] = word end
  return list
end

local function one_word(text, what)
  if not text:find("^%S+$") then problem.raise("'%s' is no %s", text, what) end
  return text
end

local function read_type_line(text, blotted)
  local word = text:match("^%S+")
  local name, array = word:match("^T%[([%w_]*)%]$"), nil
  if name then array = true elseif word ~= "T*" then name = word:match("^[%a_][%w_]*$") end
  if not name and word ~= "T*" then problem.raise("'%s' is no word for a type", word) end
  local from = text:find("%S", #word + 1)
  if not from then problem.raise("'%s' stands for nothing", word) end
  local spec, behind = read_spec(text:sub(from), blotted:sub(from))
  if trimmed(behind) ~= "" then problem.raise("'%s' is no type", trimmed(text:sub(from))) end
  return { name = name, array = array, pointer_word = word == "T*", spec = spec }
end

local function read_word_line(text, blotted)
  local name, macro = text:match("^([%a_][%w_]*)%s*=%s*(.+)$")
  if name then
    expression.parse(macro)
    return { name = name, macro = macro }
  end
  local left, notes = split_notes(text, blotted)
  if not left:find("^[%a_][%w_]*$") or type(notes.setting) ~= "string" or type(notes.record) ~= "string" then
    problem.raise("a word is NAME = EXPRESSION, or NAME @setting=MACRO @record=MACRO")
  end
  return { name = left, setting = notes.setting, record = notes.record }
end

local function read_note_line(text, blotted)
  local name, notes = split_notes(text, blotted)
  if not name:find("^[%a_]+$") or not next(notes) then
    problem.raise("a note is NAME and the notes that it stands for")
  end
  return { name = name, notes = notes }
end

local lines = {
  unit = function(text) return one_word(text, "name of a unit") end,
  prefix = function(text) return one_word(text, "prefix") end,
  spelling = function(text)
    if text ~= "camel" then problem.raise("'%s' is no spelling: there is only camel", text) end
    return text
  end,
  docs = function(text)
    if text ~= "optional" then problem.raise("docs are optional, or the line is not there") end
    return text
  end,
  uses = words_of, include = words_of, type = read_type_line, word = read_word_line,
  note = read_note_line,
}

-- ---- files --------------------------------------------------------------------------------------

local function read_head(line, file)
  local text, blotted, remark = split_remark(line)
  local kind, from = text:match("^(%w+)%s+()")
  if not from then problem.raise("'%s' begins no section", trimmed(text)) end
  text, blotted = text:sub(from), blotted:sub(from)
  text, blotted = text:match("^(.-)%s*$"), blotted:match("^(.-)%s*$")
  if kinds[kind] or kind == "vector" then return read_section(kind, text, blotted, remark) end
  if not lines[kind] then problem.raise("'%s' begins no section", kind) end
  if not file.name:find("unit%.schema$") then problem.raise("'%s' is a line of unit.schema alone", kind) end
  return { line_of = kind, value = lines[kind](text, blotted) }
end

-- A line with nothing but a remark goes on with the description in front of it, or begins it.
local function continue_remark(of, remark)
  if not of or remark == "" then return end
  if of.doc == nil and of.type then
    of.unit, of.doc = read_remark(remark)
  else
    of.doc = (of.doc or "") ~= "" and of.doc .. " " .. remark or remark
  end
end

--- Reads a file { name, text }: sets .sections and .lines (those of the unit), in order. Problems go to the
--- list. A section has kind, name, doc, file, line, notes, rows, and where it says so vector, shown,
--- parent, parameters.
function reader.read(file, problems)
  file.sections, file.lines = {}, {}
  local section, last, number = nil, nil, 0
  for line in file.text:gmatch("([^\n]*)\n?") do
    number = number + 1
    local remark = line:match("^%s*//%s*(.-)%s*$")
    if remark then
      if line:find("^    ") then continue_remark(last, remark) end
    elseif line:find("^%s+%S") then
      last = problem.at(problems, file.name, number, function()
        if not section then problem.raise("a row before any section") end
        return section.read(line)
      end)
      if last then
        last.file, last.line = file.name, number
        section.rows[#section.rows + 1] = last
      end
    elseif line:find("%S") then
      last = problem.at(problems, file.name, number, read_head, line, file)
      if last then last.file, last.line = file.name, number end
      if last and last.line_of then
        file.lines[#file.lines + 1], section = last, nil
      elseif last then
        file.sections[#file.sections + 1], section = last, last
      else
        section = { rows = {}, read = read_row }  -- its rows are read all the same
      end
    end
  end
end

return reader
