-- Expressions in C. What is worked out for a layout reads a `const rec_setting *s`, what is asked of a
-- record reads a `const rec_at *at`. Integers are int64_t; arithmetic is that of record/arith.h, which no
-- number from a file can make overflow.

local problem = require "generate.problem"

local c_expression = {}

-- How tightly a piece of C binds; what binds less tightly than it must gets parentheses.
local ANY <const>, OR <const>, AND <const>, COMPARE <const>, PRIMARY <const> = 0, 1, 2, 3, 4

local function parenthesized(text, level, least)
  return level >= least and text or "(" .. text .. ")"
end

-- A row by its number. One of several rows of a name is found by it: only one is in a record.
local function row_in_c(node)
  local field = node.fields[1]
  local place = ("%d /* %s */"):format(field.slot, node.name)
  if node.op == "sum" then
    return ("arith_clip(rec_slot_sum(at, %s))"):format(place)
  elseif #node.fields > 1 then
    return ('rec_int(at, "%s")'):format(node.name)
  end
  return ("rec_slot_%s(at, %s)"):format(node.real and "real" or "int", place)
end

local argument = { setting = "(int64_t)s->arg", record = "(int64_t)at->layout->arg" }
local version = { setting = "s->version", record = "at->doc->containers[at->layout->container].version" }
local given = { setting = "s", record = "at" }

local function leaf_in_c(node, place)
  if node.fields then return row_in_c(node), PRIMARY, node.real and "real" or "integer" end
  local word = node.word
  local text = word.argument and argument[place] or word.version and version[place] or
               ("%s(%s)"):format(word[place], given[place])
  return text, PRIMARY, "integer"
end

local function is_in_c(node, place)
  if place ~= "setting" then problem.raise("'is(%s)' together with rows", node.name) end
  return ("rec_is_a(s->type, &%s)"):format(node.of.c_name), PRIMARY, "truth"
end

local function call_in_c(node, place)
  return ("%s(%s)"):format(node.name, given[place]), PRIMARY, "truth"
end

local in_c

local function truth_in_c(node, place, least)
  local text, level, kind = in_c(node, place)
  if kind ~= "truth" then text, level = parenthesized(text, level, PRIMARY) .. " != 0", COMPARE end
  return parenthesized(text, level, least)
end

local function integer_in_c(node, place, least)
  local text, level, kind = in_c(node, place)
  if kind == "truth" then text, level = parenthesized(text, level, COMPARE) .. " ? 1 : 0", ANY end
  return parenthesized(text, level, least or ANY)
end

local function real_in_c(node, place)
  local text, level, kind = in_c(node, place)
  if kind == "real" then return parenthesized(text, level, PRIMARY) end
  return "(double)" .. integer_in_c(node, place, PRIMARY)
end

local function compare_in_c(node, place)
  local side = (node[1].real or node[2].real) and real_in_c or integer_in_c
  local a, b = side(node[1], place, PRIMARY), side(node[2], place, PRIMARY)
  return ("%s %s %s"):format(a, node.op, b), COMPARE, "truth"
end

local function joined_in_c(op, level)
  return function(node, place)
    local left = truth_in_c(node[1], place, node[1].op == node.op and level or COMPARE)
    return left .. op .. truth_in_c(node[2], place, COMPARE), level, "truth"
  end
end

local function called(name)
  return function(node, place)
    local a, b = integer_in_c(node[1], place), integer_in_c(node[2], place)
    return ("%s(%s, %s)"):format(name, a, b), PRIMARY, "integer"
  end
end

-- Between the bits of two's complement.
local function bits(op)
  return function(node, place)
    local a, b = integer_in_c(node[1], place, PRIMARY), integer_in_c(node[2], place, PRIMARY)
    return ("%s %s %s"):format(a, op, b), ANY, "integer"
  end
end

local function shifted(op)
  return function(node, place)
    local a = integer_in_c(node[1], place, PRIMARY)
    return ("(int64_t)((uint64_t)%s %s %d)"):format(a, op, node[2].value), PRIMARY, "integer"
  end
end

local function not_in_c(node, place)
  local text, level, kind = in_c(node[1], place)
  if kind == "truth" then return "!" .. parenthesized(text, level, PRIMARY), PRIMARY, "truth" end
  return parenthesized(text, level, PRIMARY) .. " == 0", COMPARE, "truth"
end

local function choice_in_c(node, place)
  local side = node.real and real_in_c or integer_in_c
  return ("%s ? %s : %s"):format(truth_in_c(node[1], place, COMPARE), side(node[2], place, PRIMARY),
                                 side(node[3], place, PRIMARY)), ANY, node.real and "real" or "integer"
end

local writers = {
  number = function(node) return node.text, PRIMARY, node.real and "real" or "integer" end,
  name = leaf_in_c, sum = leaf_in_c, is = is_in_c, call = call_in_c,
  ["or"] = joined_in_c(" || ", OR), ["and"] = joined_in_c(" && ", AND), ["not"] = not_in_c,
  ["=="] = compare_in_c, ["!="] = compare_in_c, ["<"] = compare_in_c, ["<="] = compare_in_c,
  [">"] = compare_in_c, [">="] = compare_in_c,
  ["|"] = bits("|"), ["&"] = bits("&"), ["<<"] = shifted("<<"), [">>"] = shifted(">>"),
  ["+"] = called("arith_plus"), ["-"] = called("arith_minus"), ["*"] = called("arith_times"),
  ["/"] = called("arith_over"), ["if"] = choice_in_c,
}

function in_c(node, place)
  return writers[node.op](node, place)
end

--- Whether it holds, as C. place: "setting" or "record".
function c_expression.truth(node, place)
  return truth_in_c(node, place, ANY)
end

--- Its integer, as C that is to stand alone or (tight) beside operators.
function c_expression.integer(node, place, tight)
  return integer_in_c(node, place, tight and PRIMARY)
end

return c_expression
