-- Rows, types and names in C: the one file of the generator that knows how the engine's tables look.

local c_text = require "generate.c_text"
local functions = require "generate.functions"
local words = require "generate.words"

local emit = {}

local writers = {
  text = function(v) return c_text.literal(v.text) end,
  number = function(v) return c_text.number(v.number) end,
  constant = function(v) return v.name end,
  flags = function(v) return table.concat(v.list, " | ") end,
  object = function(v) return "&" .. v.name end,
  hook = function(v) return v.name end,
  yes = function() return "true" end,
}

-- A few numbers: a range is an array of the row, all else is pointed to.
function writers.numbers(v, word)
  local list = {}
  for i, number in ipairs(v.list) do list[i] = c_text.number(number) end
  return (word == "range" and "{%s}" or "(const double[]){%s}"):format(table.concat(list, ", "))
end

local function row_in_c(list)
  local out = {}
  for i, one in ipairs(list) do
    out[i] = (".%s = %s"):format(one.word, writers[one.value.is](one.value, one.word))
  end
  return ("    {%s},"):format(table.concat(out, ", "))
end

local function flags_of(section)
  local list = {}
  if section.kind == "class" then list[#list + 1] = "REC_ALIGNED" end
  if section.kind == "record" then list[#list + 1] = "REC_OFFSETS" end
  if section.vector then list[#list + 1] = "REC_VECTOR" end
  if section.words.own then list[#list + 1] = "REC_OWN" end
  return #list > 0 and table.concat(list, " | ") or nil
end

--- Adds a record type to file.out, with functions in front of it.
function emit.type(file, t)
  local rows, section = {}, t.section
  local given = section.words
  file.out[#file.out + 1] = ("/* ---- %s ---- */\n"):format(t.name)
  for i, field in ipairs(t.fields) do rows[i] = row_in_c(words.of(field, functions.of(file, field))) end
  if #rows > 0 then
    local text = table.concat(rows, "\n")
    file.out[#file.out + 1] = ("static const rec_field %s_rows[] = {\n%s\n};\n"):format(t.c_name, text)
  end
  local out = { (".name = %s, .doc = %s"):format(c_text.literal(t.shown), c_text.literal(section.doc or "")) }
  local function word(name, v) if v then out[#out + 1] = (".%s = %s"):format(name, v) end end
  word("flags", flags_of(section))
  word("base", t.parent and "&" .. t.parent.c_name)
  word("size", given.size and given.size.number)
  for _, hook in ipairs { "extent", "load", "store" } do word(hook, given[hook] and given[hook].name) end
  if #rows > 0 then out[#out + 1] = ("REC_ROWS(%s_rows)"):format(t.c_name) end
  file.out[#file.out + 1] = ("const rec_type %s = {%s};\n\n"):format(t.c_name, table.concat(out, ", "))
end

--- Adds the names of an enum or flags to file.out.
function emit.names(file, section)
  local out = { ("static const rec_name %s_names[] = {\n"):format(section.c_name) }
  for _, r in ipairs(section.rows) do
    local form = section.kind == "flags" and "(int64_t)(UINT64_C(1) << %d)" or "%d"
    out[#out + 1] = ("    {%s, %s},\n"):format(c_text.literal(r.name), form:format(r.value))
  end
  out[#out + 1] = ("    {0},\n};\nconst rec_names %s = {%s, %s_names};\n\n"):format(section.c_name,
    c_text.literal(section.shown or section.name), section.c_name)
  file.out[#file.out + 1] = table.concat(out)
end

--- Adds the list of a unit's blocks to file.out: c_names in order.
function emit.blocks(file, prefix, c_names)
  local out = { ("const rec_type *const %sblocks[] = {\n"):format(prefix) }
  for _, name in ipairs(c_names) do out[#out + 1] = ("    &%s,\n"):format(name) end
  out[#out + 1] = "};\n"
  out[#out + 1] = ("const size_t %sblock_count = sizeof %sblocks / sizeof %sblocks[0];\n")
                    :format(prefix, prefix, prefix)
  file.out[#file.out + 1] = table.concat(out)
end

return emit
