-- Expressions of the schema: read, given a meaning, worked out. What binds weaker comes first:
--
--    X if C else Y    or    and    not    == != < <= > >=    |    &    << >>    + -    * /
--
-- A node is { op = ... } with its operands as [1], [2], [3]; leaves are { op = "number", value },
-- { op = "name", "sum" or "is", name } and { op = "call", name, names }: a hook with the names it is given.
-- Others add to nodes: .static (see `bind`), .real, .fields, .word.

local problem = require "generate.problem"

local expression = {}

-- ---- reading ------------------------------------------------------------------------------------

local function read_number(text)
  local hex = text:match("^0[xX](%x+)$")
  if hex and #hex > 15 then problem.raise("the number %s is too large", text) end
  local value = tonumber(text)
  if not value then problem.raise("'%s' is no number", text) end
  return { op = "number", value = value, text = text, real = math.type(value) == "float" }
end

local function tokens_of(text)
  local list, at = {}, 1
  while true do
    at = text:match("^%s*()", at)
    if at > #text then return list end
    local token = text:match("^[%d.][%w.]*", at) or text:match("^top%.[%w_]+", at) or
                  text:match("^[%a_][%w_]*::[%w_]+", at) or text:match("^[%a_][%w_]*", at) or
                  text:match("^[=!<>]=", at) or text:match("^<<", at) or text:match("^>>", at) or
                  text:match("^[-+*/&|<>(),]", at)
    if not token then problem.raise("'%s' makes no sense in an expression", text:sub(at, at)) end
    list[#list + 1] = token
    at = at + #token
  end
end

-- The operators of two operands, from those that bind weakest.
local levels = {
  { ["or"] = true }, { ["and"] = true }, "not",
  { ["=="] = true, ["!="] = true, ["<"] = true, ["<="] = true, [">"] = true, [">="] = true },
  { ["|"] = true }, { ["&"] = true }, { ["<<"] = true, [">>"] = true },
  { ["+"] = true, ["-"] = true }, { ["*"] = true, ["/"] = true },
}
local comparisons <const> = levels[4]
local keywords = { ["or"] = true, ["and"] = true, ["not"] = true, ["if"] = true, ["else"] = true }

local function expect(r, token)
  if r.list[r.at] ~= token then
    problem.raise("'%s' is missing before '%s'", token, r.list[r.at] or "the end")
  end
  r.at = r.at + 1
end

-- The names in the parentheses of a call; the name in front of them was read.
local function read_names(r)
  local names = {}
  expect(r, "(")
  while r.list[r.at] ~= ")" do
    local name = r.list[r.at] or ""
    if #names > 0 then
      expect(r, ",")
      name = r.list[r.at] or ""
    end
    if not name:find("^[%a_][%w_.:]*$") or keywords[name] then
      problem.raise("'%s' stands where a name should", name)
    end
    names[#names + 1] = name
    r.at = r.at + 1
  end
  expect(r, ")")
  return names
end

local read

local function read_leaf(r)
  local token = r.list[r.at]
  r.at = r.at + 1
  if not token then problem.raise("an expression ends too early") end
  if token == "(" then
    local inner = read(r)
    expect(r, ")")
    return inner
  elseif token:find("^[%d.]") then
    return read_number(token)
  elseif not token:find("^[%a_]") or keywords[token] then
    problem.raise("'%s' stands where a value should", token)
  elseif r.list[r.at] ~= "(" then
    return { op = "name", name = token }
  end
  local names = read_names(r)
  if token ~= "sum" and token ~= "is" then return { op = "call", name = token, names = names } end
  if #names ~= 1 then problem.raise("%s() takes one name, not %d", token, #names) end
  return { op = token, name = names[1] }
end

local function read_level(r, level)
  local ops = levels[level]
  if not ops then return read_leaf(r) end
  if ops == "not" then
    if r.list[r.at] ~= "not" then return read_level(r, level + 1) end
    r.at = r.at + 1
    return { op = "not", read_level(r, level) }
  end
  local left = read_level(r, level + 1)
  while ops[r.list[r.at]] do
    local op = r.list[r.at]
    r.at = r.at + 1
    left = { op = op, left, read_level(r, level + 1) }
    if ops == comparisons and ops[r.list[r.at]] then
      problem.raise("comparisons in a row: write 'and' between them")
    end
  end
  return left
end

function read(r)
  local yes = read_level(r, 1)
  if r.list[r.at] ~= "if" then return yes end
  r.at = r.at + 1
  local condition = read_level(r, 1)
  expect(r, "else")
  return { op = "if", condition, yes, read(r) }
end

--- The node of a text. Raises a problem.
function expression.parse(text)
  local r = { list = tokens_of(text), at = 1 }
  local node = read(r)
  if r.list[r.at] then problem.raise("'%s' is left over", r.list[r.at]) end
  return node
end

--- The nodes of a text with commas.
function expression.parse_list(text)
  local r, nodes = { list = tokens_of(text), at = 1 }, {}
  repeat
    nodes[#nodes + 1] = read(r)
    local token = r.list[r.at]
    r.at = r.at + 1
    if token and token ~= "," then problem.raise("'%s' is left over", token) end
  until not token
  return nodes
end

-- ---- meaning ------------------------------------------------------------------------------------

local arithmetic = {
  ["|"] = true, ["&"] = true, ["<<"] = true, [">>"] = true, ["+"] = true, ["-"] = true, ["*"] = true,
  ["/"] = true,
}

local logic = { ["and"] = true, ["or"] = true, ["not"] = true }
local leaves = { name = true, sum = true, is = true, call = true }

--- A node with nothing bound yet, once more.
function expression.copy(node)
  local new = {}
  for key, value in pairs(node) do new[key] = type(key) == "number" and expression.copy(value) or value end
  return new
end

--- Gives all names a meaning: leaf(node) sets its .static (it is known when a layout is made) and .real; it
--- may make another node of it.
function expression.bind(node, leaf)
  if node.op == "number" then
    node.static = true
  elseif leaves[node.op] then
    leaf(node)
  else
    node.static = true
    for _, operand in ipairs(node) do
      expression.bind(operand, leaf)
      node.static = node.static and operand.static
      if operand.op == "call" and not logic[node.op] then
        problem.raise("'%s()' stands alone, or between and, or, not", operand.name)
      end
      if operand.real and arithmetic[node.op] then
        problem.raise("'%s' of a number that is no integer", node.op)
      end
    end
    node.real = node.op == "if" and (node[2].real or node[3].real)
    local shift = node.op == "<<" or node.op == ">>"
    if shift and not (node[2].op == "number" and node[2].value < 64) then
      problem.raise("'%s' by what is no number below 64", node.op)
    end
  end
  return node
end

--- Calls f(leaf) for all names, from the left.
function expression.each_name(node, f)
  if leaves[node.op] then return f(node) end
  for _, operand in ipairs(node) do expression.each_name(operand, f) end
end

--- What 'and' joins, from the left.
function expression.conjuncts(node, list)
  list = list or {}
  if node.op ~= "and" then
    list[#list + 1] = node
  else
    expression.conjuncts(node[1], list)
    expression.conjuncts(node[2], list)
  end
  return list
end

--- The 'and' of a list; nil of an empty one.
function expression.all(list)
  local node
  for _, one in ipairs(list) do
    node = node and { op = "and", node, one, static = node.static and one.static } or one
  end
  return node
end

-- ---- what a static expression says -----------------------------------------------------------------

local function truth(value)
  return value and value ~= 0
end

local function number(value)
  if type(value) == "boolean" then return value and 1 or 0 end
  return value
end

local work_out = {
  ["or"] = function(a, b) return truth(a) or truth(b) end,
  ["and"] = function(a, b) return truth(a) and truth(b) end,
  ["not"] = function(a) return not truth(a) end,
  ["=="] = function(a, b) return number(a) == number(b) end,
  ["!="] = function(a, b) return number(a) ~= number(b) end,
  ["<"] = function(a, b) return number(a) < number(b) end,
  ["<="] = function(a, b) return number(a) <= number(b) end,
  [">"] = function(a, b) return number(a) > number(b) end,
  [">="] = function(a, b) return number(a) >= number(b) end,
  ["|"] = function(a, b) return number(a) | number(b) end,
  ["&"] = function(a, b) return number(a) & number(b) end,
  ["<<"] = function(a, b) return number(a) << b end,
  [">>"] = function(a, b) return number(a) >> b end,
  ["+"] = function(a, b) return number(a) + number(b) end,
  ["-"] = function(a, b) return number(a) - number(b) end,
  ["*"] = function(a, b) return number(a) * number(b) end,
  ["/"] = function(a, b) return number(b) ~= 0 and number(a) // number(b) or 0 end,
  ["if"] = function(c, a, b) if truth(c) then return a end return b end,
}

-- What a leaf is told apart by: whether a record is of a type, and what a hook says, are unknowns as V is.
local function key_of(leaf)
  if leaf.op == "name" then return leaf.name end
  if leaf.op == "call" then return ("%s(%s)"):format(leaf.name, table.concat(leaf.names, ", ")) end
  return ("%s(%s)"):format(leaf.op, leaf.name)
end

local function value_of(node, values)
  if node.op == "number" then return node.value end
  if leaves[node.op] then return values[key_of(node)] end
  local a, b, c = node[1], node[2], node[3]
  return work_out[node.op](value_of(a, values), b and value_of(b, values), c and value_of(c, values))
end

-- Values that tell apart all that an expression can: each number that a name is compared with, and its
-- neighbours. A name that is used otherwise also gets 0 and 1.
local function note_values(node, found)
  local a, b = node[1], node[2]
  if comparisons[node.op] then
    if a.op == "number" then a, b = b, a end
    if a.op == "name" and b.op == "number" then
      local set = found[a.name] or {}
      found[a.name] = set
      for d = -1, 1 do set[b.value + d] = true end
      return
    end
  end
  if leaves[node.op] then
    local key = key_of(node)
    found[key] = found[key] or {}
    found[key][0], found[key][1] = true, true
  end
  for _, operand in ipairs(node) do note_values(operand, found) end
end

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

--- The values for which a static expression is true, as a table by name; nil where there are none.
function expression.satisfied_by(node)
  local found, values = {}, {}
  note_values(node, found)
  local names = sorted_keys(found)
  local function try(i)
    if not names[i] then return truth(value_of(node, values)) end
    for _, value in ipairs(sorted_keys(found[names[i]])) do
      values[names[i]] = value
      if try(i + 1) then return true end
    end
    return false
  end
  return try(1) and values or nil
end

return expression
