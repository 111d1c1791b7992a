-- Notes of rows and sections: what @WORD=VALUE says, as words of a row.

local expression = require "generate.expression"
local problem = require "generate.problem"
local unit = require "generate.unit"
local value = require "generate.value"

local note = {}

-- ---- values -------------------------------------------------------------------------------------

local escapes = { n = "\n", r = "\r", t = "\t", ["0"] = "\0", ['"'] = '"', ["\\"] = "\\" }

--- The text between quotes.
function note.text(word, text)
  local inner = text:match('^"(.*)"$')
  if not inner then problem.raise("@%s=%s is no text in quotes", word, text) end
  local out = inner:gsub("\\(x?)(%x?%x?)", function(x, hex)
    if x == "x" and #hex == 2 then return "\1" .. hex end
    return nil
  end)
  out = out:gsub("\\(.)", function(c)
    if not escapes[c] then problem.raise("@%s: '\\%s' is no character", word, c) end
    return escapes[c]
  end)
  return (out:gsub("\1(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end

--- A number, or a constant of the unit.
function note.number(word, text, u)
  local constant = unit.find(u, "constants", text)
  if constant then return value.number(constant) end
  local number = tonumber((text:gsub("^%+", "?")))
  if not number then problem.raise("@%s=%s is no number", word, text) end
  return value.number(number)
end

local function integer(word, text, u)
  local v = note.number(word, text, u)
  v.number = math.tointeger(v.number)
  if not v.number then problem.raise("@%s=%s is no integer", word, text) end
  return v
end

local function name(word, text)
  if not text:find("^[%a_][%w_]*$") then problem.raise("@%s=%s is no name", word, text) end
  return text
end

local function some(word, text)
  if text == true then problem.raise("@%s says nothing: @%s=…", word, word) end
  return text
end

-- ---- notes of rows ------------------------------------------------------------------------------

-- Each gets (field, text, u, word); text is true where nothing follows the word.
local notes = {}

local function flag(c_name)
  return function(field, text, _, word)
    if text ~= true then problem.raise("@%s takes no value", word) end
    field.flags[c_name] = true
  end
end

for _, word in ipairs { "pad", "inside", "copied", "big", "little", "part", "lazy", "some", "first", "merged",
                        "overlay", "version", "anything", "unscaled", "keeps_type", "derived",
                        "not_owned" } do
  notes[word] = flag("REC_" .. word:upper())
end

function notes.ignored(field, text, u, word)
  flag("REC_IGNORED")(field, text, u, word)
  field.flags.REC_PAD = true
end

function notes.readonly(field, text, _, word)
  field.flags.REC_READONLY = true
  if text ~= true then field.why = value.text(note.text(word, text)) end
end

-- The word of the row has the note's name, and a value of one kind.
local function of_kind(read)
  return function(field, text, u, word) field[word] = read(word, some(word, text), u) end
end

local function object(word, text) return value.object(name(word, text)) end
local function hook(word, text) return value.hook(name(word, text)) end
local function row_name(word, text) return value.text(name(word, text)) end
local function quoted(word, text) return value.text(note.text(word, text)) end

local function all_of(words, read)
  for _, word in ipairs(words) do notes[word] = of_kind(read) end
end

all_of({ "codec", "ref", "body", "text", "numbers", "embed" }, object)
all_of({ "get", "set", "may", "fit", "moves", "renumber", "resizes", "init_fn", "place", "names_in",
         "type_name" }, hook)
all_of({ "instead", "shown_by", "group", "column", "key", "value" }, row_name)
all_of({ "why", "tag", "original" }, quoted)
all_of({ "size", "term", "limit", "max", "since", "before", "align", "off" }, integer)

function notes.code(field, text, u, word)
  field.code = integer(word, some(word, text), u)
  if field.code.number < 1 or field.code.number > 255 then
    problem.raise("@code=%s is not 1 to 255", text)
  end
end

function notes.scale(field, text)
  local power = math.tointeger(tonumber(text))
  if not power or power < -9 or power > 9 then
    problem.raise("@scale=%s is no power of a length", text)
  end
  field.power = value.number(power)
end

local prefixes <const> = { u8 = 1, u16 = 2, u32 = 4, u64 = 8, i8 = -1, i16 = -2, i32 = -4, i64 = -8 }
function notes.prefix(field, text, _, word)
  if not prefixes[some(word, text)] then problem.raise("@prefix=%s is no type of a length", text) end
  field.prefix = value.number(prefixes[text])
end

local shown <const> = { plain = "REC_PLAIN", bool = "REC_BOOL", text = "REC_TEXT", number = "REC_NUMBER",
                        integer = "REC_INTEGER" }
function notes.shown(field, text, _, word)
  if not shown[some(word, text)] then
    problem.raise("@shown=%s: there are bool, text, number, integer, plain", text)
  end
  field.shown = value.constant(shown[text])
end

function notes.range(field, text, u, word)
  local low, high = some(word, text):match("^(.-)%.%.(.+)$")
  if not low then problem.raise("@range=%s is no LOWEST..HIGHEST", text) end
  field.range = value.numbers { note.number(word, low, u).number, note.number(word, high, u).number }
end

function notes.bits(field, text, _, word)
  local row, low, bits = some(word, text):match("^([%l%d_]+):(%d+):(%d+)$")
  low, bits = math.tointeger(tonumber(low)), math.tointeger(tonumber(bits))
  if not row or bits < 1 or bits > 32 or low + bits > 64 then
    problem.raise("@bits=%s is not ROW:FIRST:COUNT of a number of 64 bits", text)
  end
  field.bits_row, field.low, field.bits = row, value.number(low), value.number(bits)
end

function notes.names(field, text, u, word)
  local names = unit.find(u, "names", some(word, text))
  if not names then problem.raise("'%s' is no enum and no flags", text) end
  field.names = value.object(names.c_name)
  field.names_kind = names.kind == "enum" and "REC_ENUM" or "REC_FLAGS"
end

function notes.derive(field, text, _, word) field.derived = expression.parse(some(word, text)) end

-- A number, a text or a list: what it is for is found out when the row's type is known.
function notes.init(field, text, u, word)
  text = some(word, text)
  if text:find('^"') then
    field.init = value.text(note.text(word, text))
  elseif text:find("^{.*}$") then
    local list = {}
    for one in text:sub(2, -2):gmatch("[^,]+") do
      list[#list + 1] = note.number(word, one:match("^%s*(.-)%s*$"), u).number
    end
    field.init = value.numbers(list)
  else
    field.init = note.number(word, text, u)
  end
end

--- Notes with those that words of the unit stand for in place of these; those of `into` stay where there are
--- no new ones.
function note.expand(given, u, into)
  for word, text in pairs(given) do
    local notes_of = text == true and not notes[word] and unit.find(u, "notes", word)
    for name_of, text_of in pairs(notes_of or { [word] = text }) do into[name_of] = text_of end
  end
  return into
end

--- Applies notes of a row to a field, in the order of their names, so that problems come out the same.
function note.apply(field, given, u)
  local order = {}
  for word in pairs(given) do order[#order + 1] = word end
  table.sort(order)
  for _, word in ipairs(order) do
    if not notes[word] then problem.raise("'@%s' is no note", word) end
    notes[word](field, given[word], u, word)
  end
end

-- ---- words of sections --------------------------------------------------------------------------

local function bare(word, text)
  if text ~= true then problem.raise("@%s takes no value", word) end
  return true
end

-- One signature, or those before and since a version: 0 where none is stated.
local function signatures(word, text, u)
  local list = {}
  for one in (text:match("^{(.*)}$") or text):gmatch("[^,]+") do
    local number = integer(word, one:match("^%s*(.-)%s*$"), u).number
    if number < 0 or number > 0xFFFFFFFF then problem.raise("@%s=%s is no number of 32 bits", word, text) end
    list[#list + 1] = number
  end
  if #list < 1 or #list > 2 then problem.raise("@%s=%s is not one number, or {BEFORE, SINCE}", word, text) end
  return { is = "signatures", list[1], list[2] or list[1] }
end

local function type_name(word, text)
  if not text:find("^[%a_][%w_:]*$") then problem.raise("@%s=%s is no name", word, text) end
  return text
end

local heads = { size = integer, extent = hook, load = hook, store = hook, slots = name, own = bare }
-- … and of what files have by name: classes and their enumerations.
local heads_of_named = { since = integer, before = integer, original = quoted, signature = signatures,
                         doubt = bare, view_of = type_name }
local named = { class = true, enum = true, flags = true, masks = true }

--- The words of a section's head, by name, and notes in it that hold for each of its rows.
function note.of_section(given, u, kind)
  local words, of_rows = {}, {}
  for word, text in pairs(given) do
    local read = heads[word] or named[kind] and heads_of_named[word]
    if read then
      words[word] = read(word, read == bare and text or some(word, text), u)
    else
      note.expand({ [word] = text }, u, of_rows)
    end
  end
  for word in pairs(of_rows) do
    if not notes[word] then problem.raise("'@%s' is no word of a section", word) end
  end
  return words, of_rows
end

return note
