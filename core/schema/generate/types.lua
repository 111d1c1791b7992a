-- Types of rows: what is built in, what a unit declares, records, pointers to them. Each becomes one shape,
-- or two where a unit's word differs with the version.
--
-- A shape has kind, shown, integer or real (of stored numbers), of (a record type), notes (those of the
-- words that led to it) and only (their conditions).

local expression = require "generate.expression"
local problem = require "generate.problem"
local unit = require "generate.unit"

local types = {}

local built_in = {
  text = { kind = "REC_STR" }, bytes = { kind = "REC_BYTES" }, pointer = { kind = "REC_POINTER" },
  document = { kind = "REC_RECORD", document = true },
  numbers = { kind = "REC_COMPUTED", shown = "REC_NUMBER", table = true },
}
for _, kind in ipairs { "U8", "I8", "U16", "I16", "U32", "I32", "U64", "I64" } do
  built_in[kind:lower()] = { kind = "REC_" .. kind, integer = true }
end
for _, kind in ipairs { "F16", "F16_UPPER", "F32", "F64" } do
  built_in[kind:lower()] = { kind = "REC_" .. kind, real = true }
end

-- What a computed row may be, besides a record.
local shown = { text = "REC_TEXT", number = "REC_NUMBER", integer = "REC_INTEGER", bool = "REC_BOOL",
                enum = "REC_ENUM", flags = "REC_FLAGS", any = "REC_ANY_RECORD" }

--- Whether a name is taken by the notation.
function types.is_built_in(name)
  return built_in[name] ~= nil or shown[name] ~= nil
end

local function copy(shape)
  local new = { notes = {}, only = {} }
  for key, v in pairs(shape) do
    if key ~= "notes" and key ~= "only" then new[key] = v end
  end
  for word, text in pairs(shape.notes or {}) do new.notes[word] = text end
  table.move(shape.only or {}, 1, #(shape.only or {}), 1, new.only)
  return new
end

local function copies(list)
  local new = {}
  for i, shape in ipairs(list) do new[i] = copy(shape) end
  return new
end

local shapes_of

-- The shapes that the lines of a unit's word stand for, of another type where they are arrays or pointers.
local function shapes_of_lines(lines, depth, of)
  local list = {}
  for _, line in ipairs(lines) do
    for _, shape in ipairs(shapes_of(line.unit, line, depth + 1, of)) do
      for word, text in pairs(line.notes) do shape.notes[word] = text end
      if line.condition then shape.only[#shape.only + 1] = line.condition end
      list[#list + 1] = shape
    end
  end
  return list
end

local function computed(u, spec)
  local told = shown[spec.type]
  if told then return { { kind = "REC_COMPUTED", shown = told, notes = {}, only = {} } } end
  local of = unit.find(u, "types", spec.type)
  if not of then problem.raise("'computed %s' is no type", spec.type) end
  return { { kind = "REC_COMPUTED", of = of, notes = {}, only = {} } }
end

local function pointers(u, spec, depth, pointee)
  local lines = unit.find(u, "aliases", "*")
  if not lines then problem.raise("'%s*': the unit has no word T*", spec.type) end
  if #pointee ~= 1 or not pointee[1].of then problem.raise("'%s*' points to no record", spec.type) end
  local list = shapes_of_lines(lines, depth)
  for _, shape in ipairs(list) do shape.of = pointee[1].of end
  return list
end

function shapes_of(u, spec, depth, of)
  local name, list = spec.type
  if depth > 8 then problem.raise("'%s' stands for itself", name) end
  local lines = not built_in[name] and unit.find(u, "aliases", name)
  if of and name == "T" then
    list = copies(of)
  elseif spec.computed then
    list = computed(u, spec)
  elseif built_in[name] then
    list = { copy(built_in[name]) }
  elseif lines then
    list = shapes_of_lines(lines, depth)
  else
    local record = unit.find(u, "types", name)
    if not record then problem.raise("'%s' is no type", name) end
    list = { { kind = "REC_RECORD", of = record, notes = {}, only = {} } }
  end
  return spec.pointer and pointers(u, spec, depth, list) or list
end

--- The shapes of a row, and whether its count is an array word of the unit.
function types.shapes(u, row)
  local list = shapes_of(u, row, 0)
  local lines = row.count and unit.find(u, "arrays", row.count)
  if not lines then return list, false end
  return shapes_of_lines(lines, 0, list), true
end

--- The conditions of a shape as one expression, to be bound; nil: it has none.
function types.condition(shape)
  local list = {}
  for i, node in ipairs(shape.only) do list[i] = expression.copy(node) end
  local all = list[1]
  for i = 2, #list do all = { op = "and", all, list[i] } end
  return all
end

return types
