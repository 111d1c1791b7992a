-- A unit in C: a source, and the header that declares what there is.

local emit = require "generate.emit"
local functions = require "generate.functions"
local hooks = require "generate.hooks"
local problem = require "generate.problem"

local c_types = {}

local HEAD <const> = "/* Generated from %s by core/schema/generate.lua: edits belong there. */\n"

local function folder_of(u)
  return u.files[1].name:match("^(.*)/") or u.name
end

-- ---- sources ------------------------------------------------------------------------------------

local function add_includes(out, u)
  out[#out + 1] = ('#include "gen/%s_types.h"\n'):format(u.name)
  for _, other in ipairs(u.uses) do out[#out + 1] = ('#include "gen/%s_types.h"\n'):format(other.name) end
  for _, header in ipairs(u.include) do out[#out + 1] = ('#include "%s"\n'):format(header) end
  out[#out + 1] = '#include "record/arith.h"\n#include "record/record.h"\n\n#include <math.h>\n\n'
end

local function source(u, problems)
  local out = { HEAD:format(folder_of(u)) }
  add_includes(out, u)
  emit.unit(out, u, problems)
  return table.concat(out)
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
        for word in pairs(hooks.functions) do
          if type(field[word]) == "table" then add(word, field[word]) end
        end
        for word in pairs(hooks.objects) do add(word, field[word]) end
        functions.each_hook(field, function(word, name) declare(declared, list, word, name) end)
      end)
    end
  end
  table.sort(list)
  table.move(list, 1, #list, #out + 1, out)
end

local function header(u, problems)
  local guard = ("LATHE_GEN_%s_TYPES_H"):format(u.name:upper())
  local out = { HEAD:format(folder_of(u)) }
  out[#out + 1] = ('#ifndef %s\n#define %s\n\n#include "record/row.h"\n\n'):format(guard, guard)
  for _, section in ipairs(u.sections) do
    if section.kind == "constants" then add_constants(out, section) end
  end
  emit.declare(out, u)
  for _, section in ipairs(u.sections) do
    local t = u.types[section.name]
    if t and section.words.slots then add_slots(out, t) end
  end
  out[#out + 1] = "\n"
  add_hooks(out, u, problems)
  out[#out + 1] = "\n#endif\n"
  return table.concat(out)
end

--- The C of a unit: adds to a table of file name to text.
function c_types.write(u, texts, problems)
  texts[u.name .. ".c"] = source(u, problems)
  texts[u.name .. "_types.h"] = header(u, problems)
end

return c_types
