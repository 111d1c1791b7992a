-- A unit in C: a source for each of its files, and the header that declares what there is.

local emit = require "generate.emit"
local functions = require "generate.functions"
local hooks = require "generate.hooks"
local problem = require "generate.problem"

local c_types = {}

local HEAD <const> = "/* Generated from %s by core/schema/generate.lua: edits belong there. */\n"

local function stem(file)
  return file.name:match("([^/]+)%.schema$")
end

-- ---- sources ------------------------------------------------------------------------------------

local function blocks_of(u)
  local list = {}
  for _, t in ipairs(u.list) do
    if t.section.kind == "block" then list[#list + 1] = t end
  end
  table.sort(list, function(a, b) return a.shown < b.shown end) -- by bytes, as strcmp does
  return list
end

local function add_includes(out, u)
  out[#out + 1] = ('#include "gen/%s_types.h"\n'):format(u.name)
  for _, other in ipairs(u.uses) do out[#out + 1] = ('#include "gen/%s_types.h"\n'):format(other.name) end
  for _, header in ipairs(u.include) do out[#out + 1] = ('#include "%s"\n'):format(header) end
  out[#out + 1] = '#include "record/arith.h"\n#include "record/record.h"\n\n#include <math.h>\n\n'
end

local function source(u, file, problems)
  local c = { out = { HEAD:format(file.name) }, functions = {}, counts = {}, problems = problems }
  add_includes(c.out, u)
  for _, section in ipairs(file.sections) do
    local t = u.types[section.name]
    if t then
      emit.type(c, t)
    elseif u.names[section.name] then
      emit.names(c, section)
    end
  end
  local blocks = stem(file) == "unit" and blocks_of(u) or {}
  if #blocks > 0 then
    local names = {}
    for i, t in ipairs(blocks) do names[i] = t.c_name end
    emit.blocks(c, u.prefix, names)
  end
  return table.concat(c.out)
end

-- ---- the header ---------------------------------------------------------------------------------

-- A constant that is no int cannot be one of an enum.
local function add_constants(out, section)
  out[#out + 1] = ("enum { /* %s */\n"):format(section.name)
  for _, r in ipairs(section.rows) do out[#out + 1] = ("    %s = %d,\n"):format(r.name, r.value) end
  out[#out + 1] = "};\n"
end

local function add_slots(out, t)
  out[#out + 1] = ("enum { /* rows of %s */\n"):format(t.name)
  local seen = {}
  for _, field in ipairs(t.all) do
    local name = t.section.words.slots .. field.name:upper()
    if not seen[name] then out[#out + 1] = ("    %s = %d,\n"):format(name, field.slot) end
    seen[name] = true
  end
  out[#out + 1] = "};\n"
end

-- Declares a hook, once. Two rows may name it for different words, where those have one signature.
local function declare(declared, list, word, name)
  local text = hooks.declaration(word, name)
  if declared[name] and declared[name] ~= text then
    problem.raise("'%s' is named for two kinds of hooks: %s and %s", name, declared[name], text)
  end
  if not declared[name] then list[#list + 1] = text .. "\n" end
  declared[name] = text
end

local function add_hooks(out, u, problems)
  local declared, list = {}, {}
  local function add(word, v)
    if v and (v.is == "hook" or v.is == "object") then declare(declared, list, word, v.name) end
  end
  for _, t in ipairs(u.list) do
    for _, word in ipairs { "extent", "load", "store" } do
      problem.at(problems, t.section.file, t.section.line, add, word, t.section.words[word])
    end
    for _, field in ipairs(t.fields) do
      problem.at(problems, field.row.file, field.row.line, function()
        for _, word in ipairs(hooks.words) do
          if type(field[word]) == "table" then add(word, field[word]) end
        end
        functions.each_hook(field, function(word, name) declare(declared, list, word, name) end)
      end)
    end
  end
  table.sort(list)
  table.move(list, 1, #list, #out + 1, out)
end

local function header(u, problems)
  local guard = ("LATHE_GEN_%s_TYPES_H"):format(u.name:upper())
  local out = { HEAD:format(u.files[1].name:match("^(.*)/") or u.name) }
  out[#out + 1] = ('#ifndef %s\n#define %s\n\n#include "record/schema.h"\n\n'):format(guard, guard)
  for _, section in ipairs(u.sections) do
    if section.kind == "constants" then add_constants(out, section) end
  end
  if #blocks_of(u) > 0 then
    out[#out + 1] = "/* All blocks, in the order of their names' bytes. */\n"
    out[#out + 1] = ("extern const rec_type *const %sblocks[];\n"):format(u.prefix)
    out[#out + 1] = ("extern const size_t %sblock_count;\n\n"):format(u.prefix)
  end
  for _, section in ipairs(u.sections) do
    local t, names = u.types[section.name], u.names[section.name]
    if t then out[#out + 1] = ("extern const rec_type %s;\n"):format(t.c_name) end
    if names then out[#out + 1] = ("extern const rec_names %s;\n"):format(names.c_name) end
    if t and section.words.slots then add_slots(out, t) end
  end
  out[#out + 1] = "\n"
  add_hooks(out, u, problems)
  out[#out + 1] = "\n#endif\n"
  return table.concat(out)
end

--- The C of a unit: adds to a table of file name to text.
function c_types.write(u, texts, problems)
  for _, file in ipairs(u.files) do
    texts[("%s_%s.c"):format(u.name, stem(file))] = source(u, file, problems)
  end
  texts[u.name .. "_types.h"] = header(u, problems)
end

return c_types
