--- Completion at the prompt: looks up the text before the cursor in the open documents.
-- @module lathe.repl.complete

local core = require "lathe.core"
local members = require "lathe.members"
local tokens = require "lathe.repl.tokens"

local complete = {}

local is, opening, value_at = tokens.is, tokens.opening, tokens.value_at

-- The owner in the list of members for a value, by its type.
local function owner_of(value, kind)
  if getmetatable(value) == "lathe.Document" then return "document" end
  return members.of(kind) and kind or "record"
end

-- The verbs of formats for documents and records, and for animations, which are views of them.
local function verb_names(kind)
  local names = {}
  for _, format in ipairs(core.formats()) do
    if format.name == kind or kind == "animation" then
      for verb in pairs(format.can) do names[#names + 1] = verb end
    end
  end
  return names
end

local function method_names(value, kind)
  local candidates, names, seen = verb_names(kind), {}, {}
  for _, member in ipairs(members.of(owner_of(value, kind)).members) do
    local of_all = member.kind == "method" and not member.some -- capabilities of formats are among the verbs
    if of_all then candidates[#candidates + 1] = member.name end
  end
  for _, name in ipairs(candidates) do
    local ok, method = pcall(function() return value[name] end)
    if ok and type(method) == "function" and not seen[name] then
      seen[name] = true
      names[#names + 1] = name
    end
  end
  return names
end

-- The keys of an array with keys, without duplicates.
local function array_keys(array)
  local row = (core.describe(array) or {})[1]
  local names, seen = {}, {}
  if not row or not row.key then return names end
  for _, element in ipairs(array) do
    local key = element[row.key]
    if not seen[key] then
      seen[key] = true
      names[#names + 1] = key
    end
  end
  return names
end

local function field(object, name) return object[name] end

-- The names by which a list finds its elements. States of different machines can share a name: these are
-- found by MACHINE/STATE.
local function list_names(list)
  local names, times, machines = {}, {}, {}
  for i = 0, #list do -- events and variables have ids from 0
    local _, item = pcall(field, list, i)
    local named, name = pcall(field, item, "name")
    if named and type(name) == "string" and name ~= "" then
      local ok, machine = pcall(field, item, "machine")
      names[#names + 1], times[name] = name, (times[name] or 0) + 1
      machines[#names] = ok and machine and machine.name or nil
    end
  end
  if names[1] and not machines[1] then
    local ok, found = pcall(field, list, names[1])
    if not ok or found == nil then return {} end -- a list that is indexed by numbers alone
  end
  for i, name in ipairs(names) do
    if times[name] > 1 and machines[i] then names[i] = machines[i] .. "/" .. name end
  end
  return names
end

local NAMED = { array = array_keys, list = list_names }

-- The keys of a table, without metamethods of the user.
local function table_keys(value, kind)
  local names = {}
  local iterate, state = next, value
  if core.type(value) == "copy" then iterate, state = pairs(value) end
  for key, found in iterate, state do
    local fits = type(key) == "string" and (kind == nil or type(found) == kind)
    if fits and key:match "^[%a_][%w_]*$" then names[#names + 1] = key end
  end
  return names
end

-- The fields of all objects of an owner, and additional ones of this object.
local function listed_fields(value, owner)
  local names = {}
  for _, name in ipairs(members.names(owner, "field")) do
    local there = not members.of(owner).by_name[name].some or pcall(function() return value[name] end)
    if there then names[#names + 1] = name end
  end
  return names
end

local function field_names(value, kind)
  if kind == "copy" then return table_keys(value) end
  local owner, names = owner_of(value, kind), {}
  if NAMED[kind] then
    for _, key in ipairs(NAMED[kind](value)) do
      if tokens.is_name(key) then names[#names + 1] = key end
    end
  elseif owner == "document" or owner == "record" then
    for _, row in ipairs(core.describe(value) or {}) do names[#names + 1] = row.name end
  end
  local listed = listed_fields(value, owner)
  return table.move(listed, 1, #listed, #names + 1, names)
end

local function continuations_of(value, separator)
  if type(value) == "string" then return separator == ":" and table_keys(string) or {} end
  local kind = core.type(value)
  if kind then
    return separator == ":" and method_names(value, kind) or field_names(value, kind)
  end
  return type(value) == "table" and table_keys(value, separator == ":" and "function" or nil) or {}
end

local function globals(env)
  local names = table_keys(env)
  for _, name in ipairs(table_keys(_G)) do names[#names + 1] = name end
  return table.move(tokens.KEYWORDS, 1, #tokens.KEYWORDS, #names + 1, names)
end

-- The parameters of the verb whose options begin at token `open`: `doc:resample {`, or after other arguments
-- `doc:trim(0, 1, {`.
local function parameters(list, open, env)
  local call = is(list[open - 1], "(") and open - 1 or is(list[open - 1], ",") and opening(list, open - 1)
    or open
  local name = list[call - 1]
  local value = name and name.kind == "name" and is(list[call - 2], ":") and value_at(list, call - 3, env)
  if not core.type(value) then return {} end
  local ok, verbs = pcall(core.verbs, value) -- not all typed values have verbs
  for _, verb in ipairs(ok and verbs or {}) do
    if verb.name == name.text then return verb.params end
  end
  return {}
end

-- The option names that are possible here and not used yet.
local function options(list, last, env)
  local open = (is(list[last], "{") or is(list[last], ",")) and opening(list, last)
  if not open or not is(list[open], "{") then return {} end
  local given, names = {}, {}
  for i = open + 1, last - 1 do
    if is(list[i + 1], "=") then given[list[i].text] = true end
  end
  for _, param in ipairs(parameters(list, open, env)) do
    if not given[param.name] then names[#names + 1] = param.name .. " = " end
  end
  return names
end

-- The names that are possible after token `last`.
local function candidates(list, last, env)
  local token = list[last]
  if not is(token, ".") and not is(token, ":") then
    local names = options(list, last, env)
    return #names > 0 and names or is(token, "..") and {} or globals(env)
  end
  local value = value_at(list, last - 1, env)
  return value ~= nil and continuations_of(value, token.text) or {}
end

local ESCAPES = { ["\n"] = "\\n", ["\\"] = "\\\\" }

-- Escapes a key for a quoted text.
local function escape(key, quote)
  return (key:gsub("[%c\\" .. quote .. "]", function(char)
    return ESCAPES[char] or char:find "%c" and ("\\x%02x"):format(char:byte()) or "\\" .. char
  end))
end

-- For an unfinished text, `doc.levels["` or `doc.events["`: the keys or names with that prefix.
local function quoted_keys(list, env)
  local token = list[#list]
  local array = token.kind == "string" and is(list[#list - 1], "[") and value_at(list, #list - 2, env)
  local words = {}
  local keys = array and NAMED[core.type(array)]
  if not keys then return words, "" end
  local quote = token.text:sub(1, 1)
  for i, key in ipairs(keys(array)) do words[i] = escape(key, quote) .. quote .. "]" end
  return words, token.text:sub(2)
end

-- The possible continuations at the end of the line, and the length of the existing prefix.
local function continuations(list, to, env)
  local token = list[#list]
  if token and token.open then return quoted_keys(list, env) end
  if not token or token.last < to or token.kind == "symbol" then
    return candidates(list, #list, env), ""
  end
  if token.kind == "name" then return candidates(list, #list - 1, env), token.text end
  return {}, ""
end

--- The possible completions of the word before the cursor.
-- @tparam string line
-- @tparam integer from start of the word according to readline
-- @tparam integer to the last character before the cursor
-- @tparam table env the environment of the prompt
-- @treturn {string,...} whole words: each replaces the text from `from` to `to`
-- @usage complete.words("doc.vertices[1].", 1, 16, env) --> { "doc.vertices[1].x", … }
function complete.words(line, from, to, env)
  line = line:sub(1, to)
  local list = tokens.of(line)
  local found, prefix = continuations(list, to, env)
  local words, seen = {}, {}
  for _, name in ipairs(found) do
    if name:sub(1, #prefix) == prefix and not seen[name] then
      seen[name] = true
      words[#words + 1] = (line:sub(1, to - #prefix) .. name):sub(from)
    end
  end
  table.sort(words)
  return words
end

return complete
