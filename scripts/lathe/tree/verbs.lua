--- Describes verbs from their schemas, for help, manual and stubs.
-- @module lathe.tree.verbs

local verbs = {}

-- The positional arguments of a verb, and the others.
local function split(verb)
  local positional, named = {}, {}
  for _, param in ipairs(verb.params) do
    local list = param.positional and positional or named
    list[#list + 1] = param
  end
  return positional, named
end

--- The signature of a verb.
-- @tparam table verb a row of `lathe.verbs`
-- @treturn string
-- @usage verbs.signature(verb) --> "trim(t0, t1, { skeleton = })"
function verbs.signature(verb)
  local positional, named = split(verb)
  local words, options = {}, {}
  for i, param in ipairs(positional) do words[i] = param.name end
  for i, param in ipairs(named) do options[i] = param.name .. " =" end
  if #options > 0 then words[#words + 1] = "{ " .. table.concat(options, ", ") .. " }" end
  if #positional == 0 and #options > 0 then return verb.name .. " " .. words[1] end
  return ("%s(%s)"):format(verb.name, table.concat(words, ", "))
end

local WORDS = {
  skeleton = "skeleton or document", clip = "animation or document", any = "any value",
  numbers = "number or list of three",
}

--- The type of an argument: "number [s], needed", or the possible words.
-- @tparam table param a row of `params`
-- @treturn string
function verbs.kind(param)
  local kind = param.values and table.concat(param.values, " | ") or WORDS[param.kind] or param.kind
  if param.unit then kind = ("%s [%s]"):format(kind, param.unit) end
  return param.needed and kind .. ", needed" or kind
end

local TYPES = {
  number = "number", integer = "integer", string = "string", boolean = "boolean",
  skeleton = "lathe.AnySkeleton", clip = "lathe.Animation|lathe.Document", any = "any",
  numbers = "number|number[]",
}

--- The type of an argument for the Lua language server.
-- @tparam table param
-- @treturn string
function verbs.type(param)
  if not param.values then return TYPES[param.kind] end
  local words = {}
  for i, word in ipairs(param.values) do words[i] = ('"%s"'):format(word) end
  return table.concat(words, "|")
end

local function option_types(params)
  local fields = {}
  for i, param in ipairs(params) do
    fields[i] = ("%s%s: %s"):format(param.name, param.needed and "" or "?", verbs.type(param))
  end
  return "{ " .. table.concat(fields, ", ") .. " }"
end

local function param_line(name, optional, type, doc)
  return ("---@param %s%s %s %s"):format(name, optional and "?" or "", type, doc)
end

local function any_needed(params)
  for _, param in ipairs(params) do
    if param.needed then return true end
  end
  return false
end

local RESULT = { [true] = "table?, lathe.Error?", [false] = "lathe.Report?, lathe.Error?" }

--- A verb as a method in a stub file.
-- @tparam table verb
-- @tparam string class the local that stands for the class
-- @tparam string type the class itself
-- @treturn string
function verbs.stub(verb, class, type)
  local positional, named = split(verb)
  local lines, names = { "--- " .. verb.doc }, {}
  for _, param in ipairs(verb.params) do
    if not param.positional then
      lines[#lines + 1] = ("--- * %s (%s): %s"):format(param.name, verbs.kind(param), param.doc)
    end
  end
  for i, param in ipairs(positional) do
    local doc = param.unit and ("[%s] %s"):format(param.unit, param.doc) or param.doc
    lines[#lines + 1] = param_line(param.name, not param.needed, verbs.type(param), doc)
    names[i] = param.name
  end
  if #named > 0 then
    lines[#lines + 1] = param_line("options", not any_needed(named), option_types(named), "")
    names[#names + 1] = "options"
  end
  local result = verb.single and "lathe.Record?, lathe.Error?" or verb.list and "any[]?, lathe.Error?"
    or RESULT[verb.query or false]
  lines[#lines + 1] = "---@return " .. result
  if #positional > 0 then
    lines[#lines + 1] = ("---@overload fun(self: %s, options: %s): %s")
      :format(type, option_types(verb.params), result)
  end
  lines[#lines + 1] = ("function %s:%s(%s) end"):format(class, verb.name, table.concat(names, ", "))
  return (table.concat(lines, "\n"):gsub(" +\n", "\n"))
end

return verbs
