-- Functions that generated C has for expressions: one for all rows of a file that ask the same.

local c_expression = require "generate.c_expression"
local expression = require "generate.expression"
local hooks = require "generate.hooks"
local problem = require "generate.problem"
local value = require "generate.value"

local functions = {}

local function returned(form, word, what, place)
  return function(field)
    return ("return " .. form .. ";"):format(c_expression[what](field[word], place))
  end
end

-- The argument of a record; what is given besides goes to bits of it, which the first then has not.
local function argument(field)
  local first = "(uint64_t)" .. c_expression.integer(field.arg[1], "record", true)
  local parameters, mask, more = field.of.section.parameters, 0, {}
  for i = 2, #parameters do
    local bit, node = 1 << parameters[i].bit, field.arg[i]
    mask = mask | bit
    if node and node.op == "number" and node.value ~= 0 then
      more[#more + 1] = (" | 0x%XU"):format(bit)
    elseif node and node.op ~= "number" then
      more[#more + 1] = (" | (%s ? 0x%XU : 0)"):format(c_expression.truth(node, "record"), bit)
    end
  end
  if mask == 0 then return first end
  return ("(%s & ~UINT64_C(0x%X))%s"):format(first, mask, table.concat(more))
end

-- What is derived is too much where its numbers are: then it stays as it is.
local function derived(field)
  local number = c_expression.integer(field.derived, "record")
  return ("*out = %s;\n    return *out != ARITH_TOO_MUCH;"):format(number)
end

local function argued(field) return ("return %s;"):format(argument(field)) end

-- The words of a row that are hooks; `of`: where a field has the expression.
local words = {
  { word = "only", of = "only", given = "s", body = returned("%s", "only", "truth", "setting") },
  { word = "when_fn", of = "when_fn", given = "at",
    body = returned("%s", "when_fn", "truth", "record") },
  { word = "count", of = "count", given = "at",
    body = returned("arith_count(%s)", "count", "integer", "record") },
  { word = "arg", of = "arg", given = "at", body = argued },
  { word = "derive", of = "derived", given = "at", body = derived },
}

local function function_of(file, word, field)
  local node = field[word.of]
  if word.of == "arg" and #node == 1 then node = node[1] end
  if node.op == "call" then return node.name end    -- it is a hook already
  local body = word.body(field)
  local key = word.word .. body
  if not file.functions[key] then
    local n = (file.counts[word.word] or 0) + 1
    local name = ("%s_%d"):format(word.word, n)
    local used = body:find("%f[%w_]" .. word.given .. "%f[^%w_]") -- not every expression looks at it
    file.counts[word.word], file.functions[key] = n, name
    file.out[#file.out + 1] = ("static %s\n{\n%s    %s\n}\n"):format(hooks.functions[word.word]:format(name),
      used and "" or ("    (void)%s;\n"):format(word.given), body)
  end
  return file.functions[key]
end

--- The hooks of a field's expressions, by word. The functions that they need are added to file.out;
--- file.functions and file.counts remember them.
function functions.of(file, field)
  local found = {}
  for _, word in ipairs(words) do
    local node = field[word.of]
    if node then
      found[word.word] = problem.at(file.problems, field.row.file, field.row.line, function()
        return value.hook(function_of(file, word, field))
      end)
    end
  end
  return found
end

--- Calls f(word, name) for the hooks of C that a field's expressions name. Those inside of larger
--- conditions, too.
function functions.each_hook(field, f)
  for _, word in ipairs(words) do
    local node = field[word.of]
    for _, one in ipairs(word.of == "arg" and node or { node }) do
      expression.each_name(one, function(leaf)
        if leaf.op == "call" then f(word.word, leaf.name) end
      end)
    end
  end
end

return functions
