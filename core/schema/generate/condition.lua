-- Conditions of rows: what a layout is made with, one row's number, and what is asked of each record.

local expression = require "generate.expression"
local names = require "generate.names"
local problem = require "generate.problem"

local condition = {}

-- The one integer that an expression is, or nil.
function condition.constant(node)
  return node and node.op == "number" and not node.real and node.value or nil
end

-- Of a conjunct about one integer row: its name, and what it equals (nil: anything but 0).
local function simple_test(node)
  local a, b = node[1], node[2]
  local function plain(leaf)
    return leaf and leaf.op == "name" and leaf.fields and leaf.fields[1].integer
  end
  if plain(node) then
    return node.name
  elseif node.op == "not" and plain(a) then
    return a.name, { value = 0 }
  elseif not plain(a) or not condition.constant(b) then
    return nil
  elseif node.op == "==" then
    return a.name, b
  elseif b.value == 0 and (node.op == "!=" or node.op == ">" and a.fields[1].kind:find("^REC_U")) then
    return a.name
  end
end

--- Parts of a condition: .only (static), .when and .when_value (a node), .when_fn.
function condition.split(t, node)
  local static, left, split = {}, {}, {}
  names.bind(t, node)
  for _, one in ipairs(expression.conjuncts(node)) do
    local name, value
    if not one.static and not split.when then name, value = simple_test(one) end
    if one.static then
      static[#static + 1] = one
    elseif name then
      split.when, split.when_value = name, value
    else
      left[#left + 1] = one
    end
  end
  split.only, split.when_fn = expression.all(static), expression.all(left)
  return split
end

--- What holds where both do; nil where one says it all. False: never.
function condition.both(t, only, extra)
  names.bind(t, extra)
  if not extra.static then problem.raise("a type's condition is of the version or the argument") end
  if not only then return extra end
  local function excludes(a, b)
    return not expression.satisfied_by(expression.all { a, b })
  end
  local function opposite(a)
    return { op = "not", a, static = true }
  end
  if excludes(only, extra) then return false end
  if excludes(only, opposite(extra)) then return only end
  if excludes(extra, opposite(only)) then return extra end
  return expression.all { only, extra }
end

--- Values as a problem tells them.
function condition.shown(values)
  local list = {}
  for name, value in pairs(values) do
    list[#list + 1] = ("%s %s"):format(name, value > 0xFFFF and ("0x%08X"):format(value) or value)
  end
  table.sort(list)
  return table.concat(list, ", ")
end

local function asks_hook(node)
  local found = false
  expression.each_name(node, function(leaf) found = found or leaf.op == "call" end)
  return found
end

-- Versions that @since and @before leave.
local function in_turn(a, b)
  return a.before and b.since and a.before.number <= b.since.number
end

--- Raises unless rows of one name are in no record together. What hooks say nobody knows.
function condition.check_twice(field, others)
  for _, other in ipairs(others) do
    local apart = in_turn(field, other) or in_turn(other, field)
    if not apart and (not field.only or not other.only) then
      problem.raise("'%s' again, and one of them has no condition on version or argument", field.name)
    end
    if not apart and not asks_hook(field.only) and not asks_hook(other.only) then
      local values = expression.satisfied_by(expression.all { field.only, other.only })
      if values then
        problem.raise("'%s' again, and both are there with %s", field.name, condition.shown(values))
      end
    end
  end
end

--- Raises where a record in line begins with what can grow or go: an insertion there could not be told from
--- one in front of the record. What counts by the argument alone does not change by itself.
function condition.check_start(t, field)
  local before = {}
  for i = 1, field.slot do
    local only = t.all[i].only
    if not only then return end
    before[i] = { op = "not", only, static = true }
  end
  before[#before + 1] = field.only
  local always = { op = "number", value = 1, static = true }
  local values = expression.satisfied_by(expression.all(before) or always)
  local changes = not field.body and (field.by or field.rest or field.when or field.when_fn or
                                      field.count and field.uses[1])
  if values and changes then
    problem.raise("'%s' can grow or go, and is the first of %s%s%s", field.name, t.name,
                  next(values) and " with " or "", condition.shown(values))
  end
end

return condition
