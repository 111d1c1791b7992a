-- A unit's types and rows in C: the one file of the generator that knows how they look there (record/row.h).
--
-- Words of a row become small numbers: texts are offsets into one array, what needs a pointer is in a list of
-- the unit once, and what few rows have is in entries that rows share.

local c_text = require "generate.c_text"
local functions = require "generate.functions"
local problem = require "generate.problem"
local words = require "generate.words"

local emit = {}

-- ---- lists -----------------------------------------------------------------------------------------

local MOST <const> = 0xFFFF                        -- words of a row are 16 bits

-- A list of pieces of C, each there once. Number 0 is `none`.
local function new_list(none)
  return { none, numbers = {}, n = 1 }
end

-- The number of a piece.
local function number_in(list, piece)
  local at = list.numbers[piece]
  if not at then
    at = list.n
    if at > MOST then problem.raise("the unit has over %d different words of this kind", MOST) end
    list[at + 1], list.numbers[piece], list.n = piece, at, at + 1
  end
  return at
end

-- The number of the first of some pieces that follow each other.
local function run_in(list, pieces)
  local key = table.concat(pieces, ", ")
  if #pieces == 1 then return number_in(list, key) end
  local at = list.numbers[key] or list.n
  if not list.numbers[key] then
    table.move(pieces, 1, #pieces, at + 1, list)
    list.numbers[key], list.n = at, at + #pieces
  end
  return at
end

-- ---- texts -----------------------------------------------------------------------------------------

local LITERAL <const> = 4000                       -- a compiler need not take literals of over 4095 bytes

-- All texts of a unit: none at 0, the empty one at 1.
local function new_texts()
  return { "", "", offsets = { [""] = 1 }, size = 2 }
end

local function offset_of(texts, text)
  local at = texts.offsets[text]
  if not at then
    at = texts.size
    texts[#texts + 1] = text
    texts.offsets[text], texts.size = at, at + #text + 1
  end
  return at
end

-- An array of char would want one literal: they are members of a struct, which lie behind each other.
local function add_texts(out, texts)
  local sizes, lines, size = {}, {}, 0
  for i, text in ipairs(texts) do
    size = size + #text + 1
    local last = i == #texts or size + #texts[i + 1] + 1 > LITERAL
    local literal = c_text.literal(last and text or text .. "\0")
    lines[#lines + 1] = ("    %s%s\n"):format(literal, last and "," or "")
    if last then
      sizes[#sizes + 1] = ("    char part_%d[%d];\n"):format(#sizes + 1, size)
      size = 0
    end
  end
  out[#out + 1] = ("static const struct texts {\n%s} texts = {\n%s};\n\n")
                  :format(table.concat(sizes), table.concat(lines))
end

-- ---- rows ------------------------------------------------------------------------------------------

-- Where each word of a row is: in the row itself, where nothing is said here.
local place = { init_lanes = "row" }
for _, word in ipairs { "only", "when_fn", "when", "when_eq", "when_value", "uses", "uses_top", "since",
                        "before" } do
  place[word] = "condition"
end
for _, word in ipairs { "arg", "names_in", "place", "count", "max", "fit", "renumber", "moves", "resizes",
                        "embed", "type_name", "limit", "range", "init_fn", "may", "derive", "get", "set",
                        "numbers", "bytes_by", "tag", "group", "column", "key", "value", "init_bytes",
                        "init_size", "shown_by", "why", "instead", "bits_of" } do
  place[word] = "rare"
end

-- The list that a word's objects are in.
local lists <const> = { codec = "codecs", ref = "refs", body = "bodies", text = "bodies" }

-- A type's number: those of other units count on behind the unit's own.
local function type_number(c, c_name)
  return c.type_numbers[c_name] or c.types_n + number_in(c.outside, "&" .. c_name)
end

-- The number of names, in the same way.
local function names_number(c, c_name)
  return c.names_numbers[c_name] or c.names_n + number_in(c.outside_names, "&" .. c_name)
end

local function doubles(list)
  local pieces = {}
  for i, number in ipairs(list) do pieces[i] = c_text.number(number) end
  return pieces
end

local writers = {
  text = function(c, v) return ("%d"):format(offset_of(c.texts, v.text)) end,
  constant = function(_, v) return v.name == "rec_argument" and "REC_ARGUMENT" or v.name end,
  flags = function(_, v) return table.concat(v.list, " | ") end,
  hook = function(_, v) return v.name end,
  yes = function() return "true" end,
}

function writers.number(c, v, word)
  if word == "init" then return ("%d"):format(number_in(c.numbers, c_text.number(v.number))) end
  return c_text.number(v.number)
end

function writers.numbers(c, v, word)
  if word == "range" then return ("{%s}"):format(table.concat(doubles(v.list), ", ")) end
  return ("%d"):format(run_in(c.numbers, doubles(v.list)))
end

function writers.object(c, v, word)
  if word == "type" then return ("%d"):format(type_number(c, v.name)) end
  if word == "names" then return ("%d"):format(names_number(c, v.name)) end
  local list = lists[word]
  return list and ("%d"):format(number_in(c[list], "&" .. v.name)) or "&" .. v.name
end

local function row_in_c(c, field)
  local pieces = { row = {}, condition = {}, rare = {} }
  for _, one in ipairs(words.of(field, functions.of(c, field))) do
    local to = pieces[place[one.word] or "row"]
    local word = one.word == "init_lanes" and "init" or one.word
    to[#to + 1] = (".%s = %s"):format(word, writers[one.value.is](c, one.value, one.word))
  end
  local row = pieces.row
  for _, word in ipairs { "condition", "rare" } do
    local entry = table.concat(pieces[word], ", ")
    if entry ~= "" then
      row[#row + 1] = (".%s = %d"):format(word, number_in(c[word .. "s"], "{" .. entry .. "}"))
    end
  end
  c.rows_n = c.rows_n + 1
  return ("    {ROW(%d), %s}, /* %s */\n"):format(c.rows_n - 1, table.concat(row, ", "), field.name)
end

-- ---- types -----------------------------------------------------------------------------------------

local function flags_of(section)
  local list = {}
  if section.kind == "class" then list[#list + 1] = "REC_ALIGNED" end
  if section.kind == "record" then list[#list + 1] = "REC_OFFSETS" end
  if section.vector then list[#list + 1] = "REC_VECTOR" end
  if section.words.own then list[#list + 1] = "REC_OWN" end
  if section.words.doubt then list[#list + 1] = "REC_DOUBT" end
  return #list > 0 and table.concat(list, " | ") or nil
end

-- What few types have: of classes that files have by name.
local function stated_in_c(c, t)
  local given, out = t.section.words, {}
  local names = c.names_of[t]
  local function word(name, v) if v then out[#out + 1] = (".%s = %s"):format(name, v) end end
  local signature = given.signature
  word("signature", signature and ("{0x%08X, 0x%08X}"):format(signature[1], signature[2]))
  word("since", given.since and given.since.number)
  word("before", given.before and given.before.number)
  word("names", names and names.first)
  word("names_n", names and names.count)
  word("view_of", t.view_of and type_number(c, t.view_of.c_name))
  return #out > 0 and number_in(c.stated, "{" .. table.concat(out, ", ") .. "}") or nil
end

local function type_in_c(c, t)
  local given, hooks = t.section.words, {}
  for _, hook in ipairs { "extent", "load", "store" } do
    if given[hook] then hooks[#hooks + 1] = (".%s = %s"):format(hook, given[hook].name) end
  end
  local out = { ("TYPE(%d)"):format(c.type_numbers[t.c_name] - 1) }
  local function word(name, v) if v then out[#out + 1] = (".%s = %s"):format(name, v) end end
  word("name", offset_of(c.texts, t.shown))
  word("doc", offset_of(c.texts, t.section.doc or ""))
  word("base", t.parent and type_number(c, t.parent.c_name))
  word("first", c.rows_n)
  word("count", #t.fields)
  word("flags", flags_of(t.section))
  word("size", given.size and given.size.number)
  word("hooks", #hooks > 0 and number_in(c.hooks, "{" .. table.concat(hooks, ", ") .. "}"))
  word("stated", stated_in_c(c, t))
  return ("    {%s}, /* %s */\n"):format(table.concat(out, ", "), t.name)
end

--- The types of a unit in the order that C has them: blocks first, by their names' bytes, as strcmp does.
function emit.order(u)
  local blocks, others = {}, {}
  for _, t in ipairs(u.list) do
    local list = t.section.kind == "block" and blocks or others
    list[#list + 1] = t
  end
  table.sort(blocks, function(a, b) return a.shown < b.shown end)
  local count = #blocks
  return table.move(others, 1, #others, count + 1, blocks), count
end

-- Numbers of types, from 1, in the order of the names that files have for them. A class that another one is
-- a view of is found through that.
local function index_by_name(types)
  local list, pieces = {}, {}
  for i, t in ipairs(types) do
    if not t.viewed then list[#list + 1] = { name = t.shown, number = i } end
  end
  table.sort(list, function(a, b) return a.name < b.name or a.name == b.name and a.number < b.number end)
  for i, one in ipairs(list) do pieces[i] = ("%d"):format(one.number) end
  return pieces
end

-- ---- names -----------------------------------------------------------------------------------------

-- The class that names belong to, CLASS::NAMES, and what Havok calls them.
local function owner_of(u, section)
  local class, name = section.name:match("^(.*)::([%w_]+)$")
  local t = class and u.types[class]
  if t and t.section.kind == "class" then return t, name end
  return nil, nil
end

-- The names of a unit in the order that C has them: those of a class stand together.
local function names_order(u)
  local list, owned = {}, {}
  for _, section in ipairs(u.sections) do
    local owner = section.c_name and owner_of(u, section)
    if owner then
      owned[owner] = owned[owner] or {}
      table.insert(owned[owner], section)
    elseif section.c_name then
      list[#list + 1] = section
    end
  end
  local of = {}
  for _, t in ipairs(u.list) do
    if owned[t] then
      of[t] = { first = #list + 1, count = #owned[t] }
      table.move(owned[t], 1, #owned[t], #list + 1, list)
    end
  end
  return list, of
end

local function item_in_c(c, section, r)
  local form = section.kind == "flags" and "(int64_t)(UINT64_C(1) << %d)" or "%d"
  local value = form:format(r.value)
  if r.value == math.mininteger then value = "INT64_MIN" end
  return ("    {%s, %d, %d}, /* %s */\n"):format(value, offset_of(c.texts, r.name),
    r.original and offset_of(c.texts, r.original) or 0, r.name)
end

local function names_in_c(c, u, section)
  local _, own_name = owner_of(u, section)
  local given = section.words
  local original = given.original and given.original.text or own_name
  local out = { ("NAMES(%d)"):format(c.names_numbers[section.c_name] - 1) }
  local function word(name, v) if v then out[#out + 1] = (".%s = %s"):format(name, v) end end
  word("name", offset_of(c.texts, section.shown or original or section.name))
  word("original", original and original ~= section.shown and offset_of(c.texts, original))
  word("first", #c.items)
  word("count", #section.rows)
  word("since", given.since and given.since.number)
  word("before", given.before and given.before.number)
  for _, r in ipairs(section.rows) do c.items[#c.items + 1] = item_in_c(c, section, r) end
  return ("    {%s}, /* %s */\n"):format(table.concat(out, ", "), section.name)
end

-- ---- the unit --------------------------------------------------------------------------------------

-- The lists of a unit: where each is in rec_unit, of what, and what its entry 0 is.
local heads <const> = {
  { list = "outside", of = "rec_type *const", none = "NULL" },
  { list = "outside_names", of = "rec_names *const", none = "NULL" },
  { list = "codecs", of = "rec_codec *const", none = "NULL" },
  { list = "refs", of = "rec_ref *const", none = "NULL" },
  { list = "bodies", of = "rec_body *const", none = "NULL" },
  { list = "numbers", of = "double", none = "0" },
  { list = "conditions", of = "rec_condition", none = "{0}" },
  { list = "rares", of = "rec_rare", none = "{0}" },
  { list = "hooks", of = "rec_hooks", none = "{0}" },
  { list = "stated", of = "rec_stated", none = "{.since = 0}" },
}

--- How a header declares a unit and its types.
function emit.declare(out, u)
  local types, blocks = emit.order(u)
  local names = names_order(u)
  local rows, items = 0, 0
  for _, t in ipairs(types) do rows = rows + #t.fields end
  for _, section in ipairs(names) do items = items + #section.rows end
  if #types == 0 and #names == 0 then return end
  local function add(text, ...) out[#out + 1] = text:format(...) end
  add("extern const struct %s_unit {\n    rec_unit head;\n", u.name)
  add("    rec_type types[%d];\n", math.max(#types, 1))
  add("    rec_field rows[%d];\n    rec_names names[%d];\n", math.max(rows, 1), math.max(#names, 1))
  add("    rec_item items[%d];\n} %s_unit;\n\n", math.max(items, 1), u.name)
  for i, t in ipairs(types) do add("#define %s (%s_unit.types[%d])\n", t.c_name, u.name, i - 1) end
  for i, section in ipairs(names) do
    add("#define %s (%s_unit.names[%d])\n", section.c_name, u.name, i - 1)
  end
  if blocks > 0 then
    add("\n/* The first types are the blocks, in the order of their names' bytes. */\n")
    add("enum { %sblock_count = %d };\n", u.prefix, blocks)
  end
  add("\n")
end

--- Adds the names, functions, lists and the object of a unit to `out`.
function emit.unit(out, u, problems)
  local types = emit.order(u)
  local sections, names_of = names_order(u)
  if #types == 0 and #sections == 0 then return end
  local c = { out = out, functions = {}, counts = {}, problems = problems, texts = new_texts(),
              type_numbers = {}, types_n = #types, names_numbers = {}, names_n = #sections,
              names_of = names_of, rows_n = 0, items = {} }
  for _, head in ipairs(heads) do c[head.list] = new_list(head.none) end
  for i, t in ipairs(types) do c.type_numbers[t.c_name] = i end
  for i, section in ipairs(sections) do c.names_numbers[section.c_name] = i end
  local in_c, rows, names = {}, {}, {}
  for i, t in ipairs(types) do
    in_c[i] = type_in_c(c, t)
    for _, field in ipairs(t.fields) do
      rows[#rows + 1] = problem.at(problems, field.row.file, field.row.line, row_in_c, c, field)
    end
  end
  for i, section in ipairs(sections) do names[i] = names_in_c(c, u, section) end
  local function add(text, ...) out[#out + 1] = text:format(...) end
  out[#out + 1] = "\n"
  add_texts(out, c.texts)
  local index = index_by_name(types)
  add("static const uint16_t by_name[] = {\n    %s,\n};\n\n",
      #index > 0 and table.concat(index, ",\n    ") or "0")
  add("static lathe_named shown[%d];\nstatic atomic_uchar shown_state[%d];\n\n", math.max(#c.items, 1),
      math.max(#names, 1))
  for _, head in ipairs(heads) do
    local entries = table.concat(c[head.list], ",\n    ")
    add("static const %s %s[] = {\n    %s,\n};\n\n", head.of, head.list, entries)
  end
  add("#define BACK(list, i) .back = (uint32_t)offsetof(struct %s_unit, list[i])\n", u.name)
  add("#define TYPE(i) BACK(types, i)\n#define ROW(i) BACK(rows, i)\n#define NAMES(i) BACK(names, i)\n\n")
  add("const struct %s_unit %s_unit = {\n.head = {\n    .texts = (const char *)&texts,\n", u.name, u.name)
  add("    .types = %s_unit.types,\n    .rows = %s_unit.rows,\n", u.name, u.name)
  add("    .names = %s_unit.names,\n    .items = %s_unit.items,\n", u.name, u.name)
  add("    .types_n = %d,\n    .names_n = %d,\n", #types, #names)
  add("    .by_name = by_name,\n    .by_name_n = %d,\n", #index)
  add("    .shown = shown,\n    .shown_state = shown_state,\n")
  for _, head in ipairs(heads) do add("    .%s = %s,\n", head.list, head.list) end
  for _, part in ipairs { { "types", in_c }, { "rows", rows }, { "names", names }, { "items", c.items } } do
    add("},\n.%s = {\n", part[1])
    table.move(part[2], 1, #part[2], #out + 1, out)
    if #part[2] == 0 then add("    {0},\n") end
  end
  add("},\n};\n")
end

return emit
