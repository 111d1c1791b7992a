--- Completion at the prompt: looks up the text before the cursor in the open documents.
-- @module lathe.repl.complete

local candidates = require "lathe.repl.candidates"
local files = require "lathe.repl.files"
local kinds = require "lathe.repl.kinds"
local tokens = require "lathe.repl.tokens"
local topics = require "lathe.repl.topics"
local verbs = require "lathe.tree.verbs"

local complete = {}

local is, opening, value_at = tokens.is, tokens.opening, tokens.value_at

-- ---- arguments of verbs ------------------------------------------------------------------------------

-- The verb that is called with the bracket at token `open`: `doc:resample {`, or after other arguments
-- `doc:trim(0, 1, {`. Also the bracket of the call itself.
local function called_verb(list, open, env)
  local call = is(list[open - 1], "(") and open - 1 or is(list[open - 1], ",") and opening(list, open - 1)
    or open
  local name = list[call - 1]
  local value = name and name.kind == "name" and is(list[call - 2], ":") and value_at(list, call - 3, env)
  return value and kinds.verb(value, name.text) or nil, call
end

local function parameter(verb, name)
  for _, param in ipairs(verb.params) do
    if param.name == name then return param end
  end
end

-- The option names that are possible here and not used yet.
local function options(list, last, env)
  local open = (is(list[last], "{") or is(list[last], ",")) and opening(list, last)
  if not open or not is(list[open], "{") then return {} end
  local verb = called_verb(list, open, env)
  local given, found = {}, {}
  for i = open + 1, last - 1 do
    if is(list[i + 1], "=") then given[list[i].text] = true end
  end
  for _, param in ipairs(verb and verb.params or {}) do
    if not given[param.name] then
      found[#found + 1] = { name = param.name .. " = ", type = verbs.kind(param), doc = param.doc }
    end
  end
  return found
end

-- The values of the positional argument that begins behind token `last`, a bracket or a comma.
local function argument_values(list, last, env)
  local open = opening(list, last)
  if not open or not is(list[open], "(") then return nil end
  local verb, number, depth = called_verb(list, open, env), 1, 0
  for i = open + 1, last do
    local symbol = list[i].kind == "symbol" and list[i].text or ""
    depth = depth + (symbol:find "^[%(%[{]" and 1 or symbol:find "^[%)%]}]" and -1 or 0)
    if depth == 0 and symbol == "," then number = number + 1 end
  end
  for _, param in ipairs(verb and verb.params or {}) do
    if param.positional then
      number = number - 1
      if number == 0 then return param.values end
    end
  end
end

-- The values of an option whose "=" is token `at`.
local function option_values(list, at, env)
  local open = list[at - 1].kind == "name" and opening(list, at - 1)
  if not open or not is(list[open], "{") then return nil end
  local verb = called_verb(list, open, env)
  local param = verb and parameter(verb, list[at - 1].text)
  return param and param.values
end

-- ---- texts -------------------------------------------------------------------------------------------

local ESCAPES = { ["\n"] = "\\n", ["\\"] = "\\\\" }

-- Escapes a key for a quoted text.
local function escape(key, quote)
  return (key:gsub("[%c\\" .. quote .. "]", function(char)
    return ESCAPES[char] or char:find "%c" and ("\\x%02x"):format(char:byte()) or "\\" .. char
  end))
end

-- The names that the field before an assignment or comparison can have.
local function field_values(list, last, env)
  local name = list[last]
  if not name or name.kind ~= "name" or not is(list[last - 1], ".") then return nil end
  local owner = value_at(list, last - 2, env)
  local row = owner ~= nil and kinds.row(owner, name.text)
  return row and kinds.names(row)
end

local COMPARING = { ["="] = true, ["~"] = true, ["<"] = true, [">"] = true }

-- The names that a text behind token `last`, an "=" or "==" or "~=", can be.
local function compared_values(list, last, env)
  if is(list[last - 1], "=") or is(list[last - 1], "~") then last = last - 1 end
  return option_values(list, last, env) or field_values(list, last - 1, env)
end

local function as_candidates(names)
  local found = {}
  for i, name in ipairs(names) do found[i] = { name = name, type = "" } end
  return found
end

-- Whether a text behind token `last` is a topic of the help: `help "`, `help("`, `?"`.
local function is_help(list, last)
  local call = is(list[last], "(") and list[last - 1] or list[last]
  return call ~= nil and (call.kind == "name" and call.text == "help" or is(call, "?"))
end

-- What an unfinished text can be, and what closes it.
local function text_values(list, env)
  local before, last = list[#list - 1], #list - 1
  if is_help(list, last) then return topics.words(), "" end
  if is(before, "[") then
    local owner = value_at(list, last - 1, env)
    if owner == nil then return {}, "]" end
    local found, more = candidates.names(owner)
    return found or {}, "]", more
  end
  local names
  if before and COMPARING[before.text] and before.kind == "symbol" then
    return as_candidates(compared_values(list, last, env) or {}), ""
  elseif is(before, "(") or is(before, ",") then
    names = argument_values(list, last, env)
  end
  return names and as_candidates(names), ""
end

-- Whether a text behind a token is the argument of a call.
local function is_argument(before)
  return is(before, "(") or is(before, ",") or before ~= nil and before.kind == "name"
end

-- The continuations of an unfinished text: keys and names, values of enumerations, or paths of files.
local function in_text(list, env)
  local token = list[#list]
  if token.kind ~= "string" then return {}, "" end
  local quote, typed = token.text:sub(1, 1), token.text:sub(2)
  local found, closing, more = text_values(list, env)
  if not found and is_argument(list[#list - 1]) then
    found, more = files.beginning((typed:gsub("\\\\", "\\")))
  end
  local words = {}
  for i, one in ipairs(found or {}) do
    local stop = one.folder and "" or quote .. closing
    words[i] = { name = escape(one.name, quote) .. stop, label = one.name, type = one.type, doc = one.doc }
  end
  return words, typed, more
end

-- ---- all ---------------------------------------------------------------------------------------------

-- The names that are possible behind token `last`.
local function behind(list, last, env)
  local token = list[last]
  if not is(token, ".") and not is(token, ":") then
    local found = options(list, last, env)
    return #found > 0 and found or is(token, "..") and {} or candidates.globals(env)
  end
  local value = value_at(list, last - 1, env)
  if value == nil then return {} end
  return candidates.behind(value, token.text)
end

-- The possible continuations at the end of the line, the existing prefix, and whether there may be more.
local function continuations(list, to, env)
  local token = list[#list]
  if token and token.open then return in_text(list, env) end
  if not token or token.last < to or token.kind == "symbol" then
    local found, more = behind(list, #list, env)
    return found, "", more
  end
  if token.kind == "name" then
    local found, more = behind(list, #list - 1, env)
    return found, token.text, more
  end
  return {}, ""
end

--- The possible completions of the word before the cursor.
-- @tparam string line
-- @tparam integer from start of the word according to readline
-- @tparam integer to the last character before the cursor
-- @tparam table env the environment of the prompt
-- @treturn {table,...} sorted: `word`, which replaces the text from `from` to `to`; for display `label`,
--   `type` and `doc`
-- @treturn ?boolean true: there are so many elements that not all were searched
function complete.candidates(line, from, to, env)
  line = line:sub(1, to)
  local found, prefix, more = continuations(tokens.of(line), to, env)
  local list, seen = {}, {}
  for _, one in ipairs(found) do
    if one.name:sub(1, #prefix) == prefix and not seen[one.name] then
      seen[one.name] = true
      list[#list + 1] = { word = (line:sub(1, to - #prefix) .. one.name):sub(from),
        label = one.label or one.name, type = one.type, doc = one.doc }
    end
  end
  table.sort(list, function(a, b) return a.word < b.word end)
  return list, more
end

--- The same as a list of words.
-- @treturn {string,...}
-- @usage complete.words("doc.vertices[1].", 1, 16, env) --> { "doc.vertices[1].x", … }
function complete.words(...)
  local words = {}
  for i, one in ipairs((complete.candidates(...))) do words[i] = one.word end
  return words
end

return complete
