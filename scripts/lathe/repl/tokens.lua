--- Splits a line of Lua into tokens, and finds the values of its chains of names without calling anything.
-- @module lathe.repl.tokens

local core = require "lathe.core"

local tokens = {}

--- The words of Lua that are no names.
tokens.KEYWORDS = {
  "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
  "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
}

local is_keyword = {}
for _, word in ipairs(tokens.KEYWORDS) do is_keyword[word] = true end

--- Whether a text can stand as a name in Lua.
-- @tparam string text
-- @treturn boolean
function tokens.is_name(text)
  return text:match "^[%a_][%w_]*$" ~= nil and not is_keyword[text]
end

local MOST_PARENTS = 20 -- for a table: maximum length of the chain of __index tables

local function string_end(line, first)
  local quote, at = line:sub(first, first), first + 1
  while true do
    local stop = line:find("[\\" .. quote .. "]", at)
    if not stop then return nil end
    if line:sub(stop, stop) == quote then return stop end
    at = stop + 2
  end
end

local function long_string_end(line, first)
  local level = line:match("^%[(=*)%[", first)
  return select(2, line:find("]" .. level .. "]", first, true))
end

-- The end of a comment: of the line, or of the long brackets behind the dashes; nil: at the end of the text.
local function remark_end(line, first)
  if line:find("^%-%-%[=*%[", first) then return long_string_end(line, first + 2) end
  local stop = line:find("\n", first, true)
  return stop and stop - 1
end

-- The kind of the token that begins at `first`, and its last character; nil if it is unfinished at the end of
-- the line.
local function scan(line, first)
  if line:find("^[%a_]", first) then return "name", line:match("^[%w_]+()", first) - 1 end
  if line:find("^%d", first) then return "number", line:match("^[%w_.]+()", first) - 1 end
  if line:find("^[\"']", first) then return "string", string_end(line, first) end
  if line:find("^%[=*%[", first) then return "long", long_string_end(line, first) end
  if line:find("^%-%-", first) then return "remark", remark_end(line, first) end
  return "symbol", math.max(first, line:match("^%.*()", first) - 1)
end

--- The tokens of a text. The last one is `open` if it is an unfinished string or comment.
-- @tparam string line
-- @treturn {table,...} `kind` (name, number, string, long, remark or symbol), `text`, `first`, `last`
function tokens.of(line)
  local list, first = {}, line:find "%S"
  while first do
    local kind, last = scan(line, first)
    list[#list + 1] = {
      kind = kind, text = line:sub(first, last), first = first, last = last or #line, open = last == nil,
    }
    first = line:find("%S", list[#list].last + 1)
  end
  return list
end

--- Whether a token is a symbol.
-- @tparam ?table token
-- @tparam string text
-- @treturn boolean
function tokens.is(token, text)
  return token ~= nil and token.kind == "symbol" and token.text == text
end

local is = tokens.is

--- The start of the chain of names that ends at token `last`: names, dots, and brackets with their content.
-- Calls are not part of it, because evaluating them would execute them.
-- @tparam {table,...} list
-- @tparam integer last
-- @treturn ?integer
function tokens.chain_start(list, last)
  local i, depth = last, 0
  while list[i] do
    if is(list[i], "]") then
      depth = depth + 1
    elseif is(list[i], "[") then
      depth = depth - 1
      if depth < 0 then return nil end
    elseif depth == 0 then
      if list[i].kind ~= "name" then return nil end
      if not is(list[i - 1], ".") then return i end
      i = i - 1
    end
    i = i - 1
  end
  return nil
end

-- The value at a key, without running any code of the user.
local function look_up(value, key)
  for _ = 1, MOST_PARENTS do
    if core.type(value) then return value[key] end
    if type(value) ~= "table" then return nil end
    local found = rawget(value, key)
    if found ~= nil then return found end
    value = (debug.getmetatable(value) or {}).__index
  end
  return nil
end

--- The bracket "]" that closes the one at token `open`.
-- @tparam {table,...} list
-- @tparam integer open
-- @treturn ?integer
function tokens.closing(list, open)
  local depth = 0
  for i = open, #list do
    depth = depth + (is(list[i], "[") and 1 or is(list[i], "]") and -1 or 0)
    if depth == 0 then return i end
  end
end

-- The value of a literal token.
local function literal(token)
  if token.kind == "number" then return math.tointeger(tonumber(token.text)) or tonumber(token.text) end
  return load("return " .. token.text, "", "t", {})()
end

--- The value of tokens `first` to `last`: a literal, or a chain like "doc.vertices[1]". Nothing is called but
-- `__index` of views, which raises for names that they do not have.
-- @tparam {table,...} list
-- @tparam integer first
-- @tparam integer last
-- @tparam table env
-- @return the value, or nil
function tokens.follow(list, first, last, env)
  local token = list[first]
  if first == last and token and (token.kind == "number" or token.kind == "string") then
    return literal(token)
  elseif not token or token.kind ~= "name" then
    return nil
  end
  local value, i = look_up(env, token.text), first + 1
  while i <= last and value ~= nil do
    local key, stop
    if is(list[i], ".") then
      key, stop = list[i + 1].text, i + 1
    elseif is(list[i], "[") then
      stop = tokens.closing(list, i)
      key = tokens.follow(list, i + 1, stop - 1, env)
    end
    if key == nil then return nil end
    value, i = look_up(value, key), stop + 1
  end
  return value
end

--- The value of the chain that ends at token `last`.
-- @tparam {table,...} list
-- @tparam integer last
-- @tparam table env
-- @return the value; nil also where there is no chain
function tokens.value_at(list, last, env)
  local first = tokens.chain_start(list, last)
  if not first then return nil end
  local ok, value = pcall(tokens.follow, list, first, last, env) -- a name in the chain may not exist
  if not ok then return nil end
  return value
end

local OPENING = { ["("] = true, ["["] = true, ["{"] = true }
local CLOSING = { [")"] = true, ["]"] = true, ["}"] = true }

--- The open bracket before token `last`.
-- @tparam {table,...} list
-- @tparam integer last
-- @treturn ?integer
function tokens.opening(list, last)
  local depth = 0
  for i = last, 1, -1 do
    local symbol = list[i].kind == "symbol" and list[i].text
    if OPENING[symbol] and depth == 0 then return i end
    depth = depth + (CLOSING[symbol] and 1 or OPENING[symbol] and -1 or 0)
  end
end

-- The last token of the chain that begins at name `first`.
local function chain_end(list, first)
  local last = first
  while true do
    if is(list[last + 1], ".") and list[last + 2] and list[last + 2].kind == "name" then
      last = last + 2
    elseif is(list[last + 1], "[") then
      local stop = tokens.closing(list, last + 1)
      if not stop then return last end
      last = stop
    else
      return last
    end
  end
end

--- The chains of a line, each with the tokens where one of its parts ends: for "doc.bodies[1].mass" these are
-- the ends of `doc`, `doc.bodies`, `doc.bodies[1]` and `doc.bodies[1].mass`.
-- @tparam {table,...} list
-- @treturn {table,...} `first`, `last`, `ends`
function tokens.chains(list)
  local chains = {}
  for first, token in ipairs(list) do
    local before = list[first - 1]
    local is_name = token.kind == "name" and not is_keyword[token.text]
    if is_name and not is(before, ".") and not is(before, ":") then
      local chain = { first = first, last = chain_end(list, first), ends = { first } }
      local at = first
      while at < chain.last do
        at = is(list[at + 1], ".") and at + 2 or tokens.closing(list, at + 1)
        chain.ends[#chain.ends + 1] = at
      end
      chains[#chains + 1] = chain
    end
  end
  return chains
end

--- The text from one token to another, as it was typed.
-- @tparam string line
-- @tparam {table,...} list of the line
-- @tparam integer first
-- @tparam integer last
-- @treturn string
function tokens.text(line, list, first, last)
  return line:sub(list[first].first, list[last].last)
end

return tokens
