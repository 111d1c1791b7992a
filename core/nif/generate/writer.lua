-- Writes a model as C: a source for each file of the schema, one with the list of blocks, and the header.

local c_expression = require "generate.c_expression"

local writer = {}

local HEAD <const> = "/* Generated from %s by core/nif/generate.lua: edits belong there. */\n"

-- A text as a literal. Hexadecimal escapes would go on into digits behind them; octal ones end.
local function literal(text)
  return '"' .. text:gsub('[%c"\\?]', function(c)
    if c == '"' or c == "\\" then return "\\" .. c end
    return c == "?" and "\\?" or ("\\%03o"):format(c:byte())
  end) .. '"'
end

local function number(value)
  return math.type(value) == "integer" and ("%d"):format(value) or ("%.17g"):format(value)
end

-- ---- functions of rows --------------------------------------------------------------------------

local function add(out, text, ...)
  out[#out + 1] = select("#", ...) == 0 and text or text:format(...)
end

-- The name of a function that does this: one for all rows of the file that ask the same. Not every
-- expression looks at what it is given.
local function function_of(file, hook, field)
  local body = hook.body(field)
  local key = hook.word .. body
  if not file.functions[key] then
    local n = (file.counts[hook.word] or 0) + 1
    local name = ("%s_%d"):format(hook.word, n)
    local used = body:find("%f[%w_]" .. hook.given .. "%f[^%w_]")
    file.counts[hook.word], file.functions[key] = n, name
    add(file.out, "static %s\n{\n%s    %s\n}\n", hook.head:format(name),
        used and "" or ("    (void)%s;\n"):format(hook.given), body)
  end
  return file.functions[key]
end

-- A bit of a vertex' argument that holds where an expression does.
local function argument_bit(node, bit)
  if not node or node.op == "number" and node.value == 0 then return "" end
  if node.op == "number" then return " | " .. bit end
  return (" | (%s ? %s : 0)"):format(c_expression.truth(node, "record"), bit)
end

-- The argument of a record. A vertex has up to three: its descriptor, whether positions are floats whatever
-- that says, and whether they are halves whatever it says.
local function argument(field)
  local first = "(uint64_t)" .. c_expression.integer(field.arg[1], "record", true)
  if not field.vertices then return first end
  first = ("NIF_DESCRIPTOR(%s)"):format(first)
  local full = argument_bit(field.arg[2], "NIF_FULL_POSITIONS")
  return first .. full .. argument_bit(field.arg[3], "NIF_HALF_POSITIONS")
end

local function returned(form, word, what, place)
  return function(field)
    return ("return " .. form .. ";"):format(c_expression[what](field[word], place))
  end
end

local hooks = {
  { word = "only", given = "s", head = "bool %s(const rec_setting *s)",
    body = returned("%s", "only", "truth", "setting") },
  { word = "when_fn", given = "at", head = "bool %s(const rec_at *at)",
    body = returned("%s", "when_fn", "truth", "record") },
  { word = "count", given = "at", head = "uint64_t %s(const rec_at *at)",
    body = returned("nif_count(%s)", "count", "integer", "record") },
  { word = "arg", given = "at", head = "uint64_t %s(const rec_at *at)",
    body = function(field) return ("return %s;"):format(argument(field)) end },
  { word = "derive", given = "at", head = "bool %s(const rec_at *at, int64_t *out)",
    body = function(field)
      local value = c_expression.integer(field.derive, "record")
      return ("*out = %s;\n    return *out != NIF_TOO_MUCH;"):format(value)
    end },
}

-- ---- rows ---------------------------------------------------------------------------------------

local function flags_of(field)
  if field.numbers then return "REC_INSIDE" end
  if field.argument then return "REC_COPIED" end
  if field.embed then return "REC_PART | REC_LAZY" end
  if field.follows then return "REC_READONLY" end
  if field.rest or field.pad then return field.rest and "REC_REST" or "REC_PAD" end
  if field.look then return field.get and "REC_INSIDE" or "REC_INSIDE | REC_OVERLAY" end
  return field.count and not field.uses and "REC_BY_ARG"
end

local function lanes_of(field)
  local list = {}
  for i = 1, field.init_lanes do list[i] = number(field.row.init) end
  return ("(const double[]){%s}"):format(table.concat(list, ", "))
end

local function row_in_c(field, functions)
  local words = { (".name = %s"):format(literal(field.name)) }
  local function word(name, value, form)
    if value then words[#words + 1] = (".%s = " .. (form or "%s")):format(name, value) end
  end
  word("kind", field.kind)
  word("shown", field.shown)
  word("flags", flags_of(field))
  word("type", field.record, "&%s")
  word("embed", field.embed, "&%s")
  word("bytes_by", field.bytes_by and literal(field.bytes_by))
  word("why", field.follows and literal("it follows from " .. field.follows))
  word("names", field.names, "&%s")
  word("codec", field.codec, "&%s")
  word("ref", field.ref, "&%s")
  word("get", field.get)
  word("instead", field.row.instead and literal(field.row.instead))
  word("numbers", field.numbers, "&%s")
  if field.argument then
    word("bits_of", "rec_argument")
    word("low", field.row.low)
    word("bits", field.row.bits)
    word("why", literal("it is how the block is laid out"))
  end
  word("prefix", field.prefix)
  word("n", field.n)
  word("by", field.by and literal(field.by))
  word("when", field.when and literal(field.when))
  if field.when_value then
    word("when_eq", "true")
    word("when_value", field.when_value, "%d")
  end
  for _, hook in ipairs(hooks) do word(hook.word, functions[hook.word]) end
  -- Empty: it reads what is fixed for its record, an argument.
  local hook = field.when_fn or field.count
  word("uses", (hook or field.uses[1]) and literal(table.concat(field.uses, " ")))
  word("may", field.may)
  word("fit", field.row.fit, "nif_%s")
  word("power", field.power)
  word("init", field.init and number(field.init))
  word("init_lanes", field.init_lanes and lanes_of(field))
  word("unit", field.unit and literal(field.unit))
  word("doc", literal(field.doc or ""))
  return ("    {%s},"):format(table.concat(words, ", "))
end

local function add_type(file, t)
  if t.by_hand then return end
  local out, rows = file.out, {}
  add(out, "/* ---- %s ---- */\n", t.name)
  for _, field in ipairs(t.fields) do
    local functions = {}
    for _, hook in ipairs(hooks) do
      if field[hook.word] then functions[hook.word] = function_of(file, hook, field) end
    end
    rows[#rows + 1] = row_in_c(field, functions)
  end
  local name = t.c_name:sub(5)
  if #rows > 0 then
    add(out, "static const rec_field %s_rows[] = {\n%s\n};\n", name, table.concat(rows, "\n"))
  end
  add(out, "const rec_type %s = {.name = %s, .doc = %s%s%s};\n\n", t.c_name, literal(t.name),
      literal(t.section.doc or ""), t.parent and (", .base = &%s"):format(t.parent.c_name) or "",
      #rows > 0 and (", REC_ROWS(%s_rows)"):format(name) or "")
end

local function add_names(file, section)
  local name = section.name
  add(file.out, "static const rec_name %s_names[] = {\n", name)
  for _, row in ipairs(section.rows) do
    local value = section.kind == "flags" and ("(int64_t)(UINT64_C(1) << %d)"):format(row.value) or
                  ("%d"):format(row.value)
    add(file.out, "    {%s, %s},\n", literal(row.name), value)
  end
  add(file.out, "    {0},\n};\nconst rec_names nif_%s = {%s, %s_names};\n\n", name, literal(name), name)
end

-- ---- files --------------------------------------------------------------------------------------

local function source(m, file_name, sections)
  local file = { out = {}, functions = {}, counts = {} }
  add(file.out, HEAD, file_name)
  add(file.out, '#include "gen/nif_types.h"\n#include "nif/count.h"\n#include "nif/nif.h"\n')
  add(file.out, '#include "record/types.h"\n\n#include <math.h>\n\n')
  for _, section in ipairs(sections) do
    if m.types[section.name] then
      add_type(file, m.types[section.name])
    else
      add_names(file, section)
    end
  end
  return table.concat(file.out)
end

local function list_of_blocks(m)
  local names, out = {}, {}
  for _, t in ipairs(m.list) do
    if t.section.kind == "block" then names[#names + 1] = t.name end
  end
  table.sort(names)                               -- by bytes, as strcmp does
  add(out, HEAD, "core/nif/schema")
  add(out, '#include "gen/nif_types.h"\n\nconst rec_type *const nif_blocks[] = {\n')
  for _, name in ipairs(names) do add(out, "    &%s,\n", m.types[name].c_name) end
  add(out, "};\nconst size_t nif_block_count = sizeof nif_blocks / sizeof nif_blocks[0];\n")
  return table.concat(out)
end

local function header(m, sections)
  local out = {}
  add(out, HEAD, "core/nif/schema")
  add(out, '#ifndef LATHE_GEN_NIF_TYPES_H\n#define LATHE_GEN_NIF_TYPES_H\n\n#include "record/schema.h"\n\n')
  add(out, "/* All blocks, in the order of their names' bytes. */\n")
  add(out, "extern const rec_type *const nif_blocks[];\nextern const size_t nif_block_count;\n\n")
  for _, section in ipairs(sections) do
    local t = m.types[section.name]
    add(out, "extern const %s;\n", t and "rec_type " .. t.c_name or "rec_names nif_" .. section.name)
    if t and t.by_hand then
      add(out, "#define NIF_%s_ROWS %d /* that are not generated */\n", t.name, #t.all)
    end
  end
  add(out, "\n#endif\n")
  return table.concat(out)
end

--- The C of a model: a table of file name to text. files: { { name, stem, sections }, … } in order.
function writer.write(m, files)
  local texts, all = {}, {}
  for _, file in ipairs(files) do
    texts["nif_" .. file.stem .. ".c"] = source(m, file.name, file.sections)
    table.move(file.sections, 1, #file.sections, #all + 1, all)
  end
  texts["nif_tables.c"] = list_of_blocks(m)
  texts["nif_types.h"] = header(m, all)
  return texts
end

return writer
