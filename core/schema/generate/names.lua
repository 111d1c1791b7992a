-- What names in the expressions of a record stand for: its argument, words of the unit, constants, hooks,
-- earlier rows.

local expression = require "generate.expression"
local problem = require "generate.problem"
local unit = require "generate.unit"

local names = {}

--- The fields of a name: several where rows exclude each other.
function names.fields(t, name)
  local found = {}
  for _, field in ipairs(t.by_name[name] or {}) do found[#found + 1] = field end
  return found
end

local function stated_later(t, name)
  for _, row in ipairs(t.section.rows) do
    if row.name == name or t.unit.camel and row.name and unit.snake(row.name) == name then return true end
  end
  return false
end

local function earlier(t, name)
  local fields = names.fields(t, name)
  if #fields > 0 then return fields end
  if stated_later(t, name) then problem.raise("'%s' comes later", name) end
  problem.raise("'%s' is no earlier row of %s", name, t.name)
end

local function bind_row(t, node)
  local fields = earlier(t, node.name)
  local field = fields[1]
  if node.op == "sum" and not (field.counted and field.integer) then
    problem.raise("sum(%s): it is no array of integers", node.name)
  elseif node.op == "name" and (field.counted or not (field.integer or field.real)) then
    problem.raise("'%s' is not one number", node.name)
  elseif #fields > 1 and not (node.op == "name" and field.integer) then
    problem.raise("'%s' is the name of several rows: only integers are found by it", node.name)
  end
  node.fields, node.real, node.static = fields, field.real, false
end

-- A hook, with rows that it reads; or with what a layout is made with.
local function bind_call(t, node)
  node.rows, node.static = {}, #node.names > 0
  for _, name in ipairs(node.names) do
    local top = name:match("^top%.([%l%d_]+)$")
    if top then
      node.top, node.static = top, false
    elseif name ~= "argument" and name ~= "VERSION" then
      earlier(t, name)
      node.rows[#node.rows + 1], node.static = name, false
    end
  end
end

-- The expression that a word of the unit stands for takes the word's place.
local function expand(node, word, leaf)
  if word.expanding then problem.raise("'%s' stands for itself", word.name) end
  local new = expression.parse(word.macro)
  word.expanding = true
  local ok, err = pcall(expression.bind, new, leaf)
  word.expanding = nil
  if not ok then error(err, 0) end
  for key in pairs(node) do node[key] = nil end
  for key, v in pairs(new) do node[key] = v end
end

--- Gives leaves of a record's expressions their meaning: expression.bind calls it.
function names.leaf_of(t)
  local leaf
  function leaf(node)
    local name = node.name
    local word = node.op == "name" and unit.find(t.unit, "words", name)
    local constant = node.op == "name" and unit.find(t.unit, "constants", name)
    if node.op == "call" then
      bind_call(t, node)
    elseif node.op == "is" then
      node.of, node.static = unit.find(t.unit, "types", name), true
      if not node.of then problem.raise("is(%s): there is no such type", name) end
    elseif node.op == "name" and name == "INF" then
      node.op, node.value, node.text = "number", math.huge, "(double)INFINITY"
      node.real, node.static = true, true
    elseif node.op == "name" and name == "VERSION" then
      node.word, node.static = { version = true }, true
    elseif node.op == "name" and t.parameter == name then
      node.word, node.static = { argument = true }, true
    elseif word and word.macro then
      expand(node, word, leaf)
    elseif word then
      node.word, node.static = word, true
    elseif constant then
      node.op, node.value, node.text, node.static = "number", constant, name, true
    else
      bind_row(t, node)
    end
  end
  return leaf
end

--- An expression with its names bound.
function names.bind(t, node)
  return expression.bind(node, names.leaf_of(t))
end

return names
