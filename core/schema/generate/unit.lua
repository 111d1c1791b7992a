-- Units: what unit.schema says, names in C, and where a name is looked for.

local problem = require "generate.problem"

local unit = {}

-- ---- names in C ---------------------------------------------------------------------------------

--- A name in Havok's spelling as snake_case: hknpBSMaterial is hknp_bs_material.
function unit.snake(name)
  return (name:gsub("(%l)(%u)", "%1_%2"):gsub("(%d)(%u)", "%1_%2"):gsub("(%u)(%u%l)", "%1_%2"):lower())
end

--- The C name of a section or names.
function unit.c_name(u, name)
  local spelled = name:gsub("::", "__")
  return u.prefix .. (u.camel and unit.snake(spelled) or spelled)
end

-- ---- what a unit says ---------------------------------------------------------------------------

local says = {}

function says.unit(u, name)
  if name ~= u.name then problem.raise("the unit of this folder is '%s'", u.name) end
  u.named = true
end

function says.prefix(u, text) u.prefix = text end

function says.spelling(u) u.camel = true end

function says.docs(u) u.docs_optional = true end

function says.uses(u, names, units)
  for _, name in ipairs(names) do
    if not units[name] then problem.raise("there is no unit '%s'", name) end
    u.uses[#u.uses + 1] = units[name]
  end
end

function says.include(u, headers) table.move(headers, 1, #headers, #u.include + 1, u.include) end

function says.type(u, line)
  local list = line.array and u.arrays or u.aliases
  local word = line.pointer_word and "*" or line.name
  list[word] = list[word] or {}
  line.spec.unit = u                               -- its names are those of the unit that says it
  table.insert(list[word], line.spec)
end

function says.word(u, word)
  if u.words[word.name] then problem.raise("'%s' twice", word.name) end
  u.words[word.name] = word
end

function says.note(u, line)
  if u.notes[line.name] then problem.raise("'%s' twice", line.name) end
  u.notes[line.name] = line.notes
end

--- A unit of files that were read; nothing of its sections yet.
function unit.new(name, files)
  return { name = name, files = files, prefix = "", uses = {}, include = {}, aliases = {}, arrays = {},
           words = {}, notes = {}, types = {}, names = {}, constants = {}, rows = {}, list = {} }
end

--- What its unit.schema says. units: all by name.
function unit.read(u, units, problems)
  local first
  for _, file in ipairs(u.files) do
    if file.name:find("unit%.schema$") then first = file end
    for _, line in ipairs(file.lines) do
      problem.at(problems, file.name, line.line, says[line.line_of], u, line.value, units)
    end
  end
  if not u.named then
    local file = first or u.files[1]
    problems[#problems + 1] = ("%s:1: a unit begins with 'unit %s' in unit.schema"):format(file.name, u.name)
  end
end

--- What a name stands for in one of a unit's tables (types, names, aliases, …): its own, then those of what
--- it uses.
function unit.find(u, of, name)
  if u[of][name] then return u[of][name] end
  for _, other in ipairs(u.uses) do
    if other[of][name] then return other[of][name] end
  end
  return nil
end

return unit
