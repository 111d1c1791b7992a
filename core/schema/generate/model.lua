-- What the texts of all units mean: record types with their fields, names, constants.

local condition = require "generate.condition"
local expression = require "generate.expression"
local note = require "generate.note"
local problem = require "generate.problem"
local row = require "generate.row"
local types = require "generate.types"
local unit = require "generate.unit"

local model = {}

--- Kinds of sections that are names of values.
model.names_values = { enum = true, flags = true, masks = true }

-- ---- sections -----------------------------------------------------------------------------------

local function check_numbers(m, section)
  local names, values = {}, {}
  for _, r in ipairs(section.rows) do
    problem.at(m.problems, section.file, r.line, function()
      if names[r.name] or values[r.value] and section.kind ~= "constants" and not r.alias then
        problem.raise("'%s' twice", r.name)
      elseif r.alias and not values[r.value] then
        problem.raise("'%s' is an alias of no name in front of it", r.name)
      elseif section.kind == "flags" and (r.value < 0 or r.value > 63) then
        problem.raise("there is no bit %d", r.value)
      end
      if section.kind == "constants" and not r.name:find("^%u[%u%d_]*$") then
        problem.raise("'%s': constants are in capitals", r.name)
      end
    end)
    names[r.name], values[r.value] = true, true
  end
end

local function add_constants(u, section)
  for _, r in ipairs(section.rows) do
    if u.constants[r.name] then problem.raise("'%s' twice", r.name) end
    u.constants[r.name] = r.value
  end
end

local function add_section(m, u, section)
  local name, kind = section.name, section.kind
  if u.types[name] or u.names[name] or u.rows[name] or u.aliases[name] or types.is_built_in(name) then
    problem.raise("'%s' twice", name)
  end
  section.words, section.row_notes = note.of_section(section.notes, u, kind)
  if model.names_values[kind] then
    section.c_name = unit.c_name(u, name)
    u.names[name] = section
  elseif kind == "constants" then
    add_constants(u, section)
  elseif kind == "rows" then
    u.rows[name] = section
  else
    local t = { name = name, shown = section.shown or name, c_name = unit.c_name(u, name), section = section,
                unit = u, parameter = section.parameters and section.parameters[1].name }
    u.types[name] = t
    u.list[#u.list + 1] = t
  end
  if model.names_values[kind] or kind == "constants" then check_numbers(m, section) end
end

-- ---- types --------------------------------------------------------------------------------------

local fill

-- What a type is laid out as, which its parent is, too.
local function layout_of(section)
  return (section.kind == "class" or section.kind == "record") and section.kind or "struct"
end

local function take_parent(m, t)
  local parent = unit.find(t.unit, "types", t.section.parent)
  if not parent then problem.raise("'%s' is no type", t.section.parent) end
  fill(m, parent)
  if parent.state ~= "full" then problem.raise("%s derives from itself", t.name) end
  if layout_of(parent.section) ~= layout_of(t.section) or parent.section.vector ~= t.section.vector then
    problem.raise("%s is laid out otherwise than its parent %s", t.name, parent.name)
  end
  t.parent = parent
  table.move(parent.all, 1, #parent.all, 1, t.all)
  for name, fields in pairs(parent.by_name) do t.by_name[name] = table.move(fields, 1, #fields, 1, {}) end
  return true
end

-- The class whose members another one has by names of its own.
local function take_view(t)
  local of = unit.find(t.unit, "types", t.section.words.view_of)
  if not of or of.section.kind ~= "class" then problem.raise("'%s' is no class", t.section.words.view_of) end
  if of.unit ~= t.unit then problem.raise("%s is a view of a class of another unit", t.name) end
  t.view_of, of.viewed = of, true
  return true
end

-- Calls f for each row of a section, where rows of others stand in it, for those.
local function each_row(m, t, section, f, depth)
  for _, r in ipairs(section.rows) do
    if not r.splice then
      if not problem.at(m.problems, r.file, r.line, f, r) then return false end
    else
      local other = unit.find(t.unit, "rows", r.splice)
      local good = problem.at(m.problems, r.file, r.line, function()
        if not other then problem.raise("there are no rows '%s'", r.splice) end
        if depth > 8 then problem.raise("'%s' stands in itself", r.splice) end
        return true
      end)
      if not good or not each_row(m, t, other, f, depth + 1) then return false end
    end
  end
  return true
end

-- The first row behind those of the base class: what is in front of it is padded.
local function mark_derived(t)
  if not t.parent or t.section.kind ~= "class" then return end
  for _, field in ipairs(t.fields) do
    if field.kind ~= "REC_COMPUTED" then
      field.flags.REC_DERIVED = true
      return
    end
  end
end

-- A row with expressions that are not bound yet: one of `rows` is bound anew for each record.
local function fresh(r)
  local copy = {}
  for key, v in pairs(r) do copy[key] = v end
  copy.condition = r.condition and expression.copy(r.condition)
  for i, node in ipairs(r.arguments or {}) do
    copy.arguments = i == 1 and {} or copy.arguments
    copy.arguments[i] = expression.copy(node)
  end
  return copy
end

-- Of each type the first problem is told: what follows may be its consequence.
function fill(m, t)
  if t.state then return end
  local section, good = t.section, true
  t.state, t.all, t.fields, t.by_name = "filling", {}, {}, {}
  if section.parent then good = problem.at(m.problems, section.file, section.line, take_parent, m, t) end
  good = good and each_row(m, t, section, function(r)
    local copy = fresh(r)
    row.add(t, copy, function(other) fill(m, other) end)
    return true
  end, 0)
  for _, field in ipairs(good and t.fields or {}) do
    problem.at(m.problems, field.row.file, field.row.line, row.read_derived, t, field)
  end
  if good then mark_derived(t) end
  t.good, t.state = good, "full"
end

local function check_docs(m, section)
  local function undocumented(of, what)
    m.problems[#m.problems + 1] = ("%s:%d: no documentation of %s"):format(section.file, of.line, what)
  end
  if not section.doc then undocumented(section, section.name) end
  for _, r in ipairs(section.rows) do
    if r.type and (not r.doc or r.doc == "" and r.unit) then undocumented(r, r.name) end
  end
end

-- Constants come first: heads of sections may name them.
local function add_sections(m, constants)
  for _, u in ipairs(m.units) do
    for _, section in ipairs(u.sections) do
      if (section.kind == "constants") == constants then
        problem.at(m.problems, section.file, section.line, add_section, m, u, section)
      end
    end
  end
end

-- What can be told only when all types are ready.
local function check_rows(m, t)
  local in_line = t.in_line and layout_of(t.section) == "struct"
  for _, field in ipairs(t.good and t.fields or {}) do
    problem.at(m.problems, field.row.file, field.row.line, row.check_links, t, field)
    if in_line then
      problem.at(m.problems, field.row.file, field.row.line, condition.check_start, t, field)
    end
  end
end

--- The model of units: a list of { name, files }, each file read (reader.lua). Gives .units in order; a
--- unit has .list of types, .types, .names and .constants by name, and its .sections. A type has name,
--- shown, c_name, section, parent, .fields of its own and .all with those of its parents. Problems go to
--- the list; where there are any, the model is not to be used. documented: a lack of documentation is one.
function model.build(list, problems, documented)
  local m, by_name = { units = {}, problems = problems }, {}
  for i, one in ipairs(list) do
    m.units[i] = unit.new(one.name, one.files)
    by_name[one.name] = m.units[i]
  end
  for _, u in ipairs(m.units) do
    unit.read(u, by_name, problems)
    u.sections = {}
    for _, file in ipairs(u.files) do
      table.move(file.sections, 1, #file.sections, #u.sections + 1, u.sections)
    end
  end
  add_sections(m, true)
  add_sections(m, false)
  for _, u in ipairs(m.units) do
    for _, section in ipairs(documented and not u.docs_optional and u.sections or {}) do
      check_docs(m, section)
    end
  end
  for _, u in ipairs(m.units) do
    for _, t in ipairs(u.list) do
      fill(m, t)
      if t.section.words.view_of then
        problem.at(problems, t.section.file, t.section.line, take_view, t)
      end
    end
  end
  for _, u in ipairs(m.units) do
    for _, t in ipairs(u.list) do check_rows(m, t) end
  end
  return m
end

return model
