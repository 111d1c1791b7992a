--- Completion of live names: what stands before the cursor is looked up in the open documents.
-- @module lathe.repl.complete

local core = require "lathe.core"

local complete = {}

local KEYWORDS = {
  "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local",
  "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
}

local DOCUMENT_VALUES = {
  "format", "path", "game", "size", "modified", "skeletons", "animations",
}
local DOCUMENT_METHODS = {
  "at", "check", "close", "describe", "edit", "encode", "get", "meshes", "redo", "save",
  "serialize", "set", "totable", "undo",
}
local ARRAY_METHODS = {
  "append", "assign", "insert", "pack", "remove", "resize", "tobuffer", "totable",
}
local RECORD_METHODS = { "totable" }
-- Of what is no record: animations also have the verbs of what they are views of.
local OBJECT_METHODS = {
  animation = { "decode", "sample" },
  buffer = { "at", "bounds", "pack", "row", "totable", "transform" },
  list = {},
  skeleton = {},
  track = { "sample" },
}
local OBJECT_VALUES = {
  animation = {
    "absolute", "annotations", "blend_hint", "duration", "frame_count", "looping", "name",
    "root_motion", "skeleton_name", "source", "tracks",
  },
  buffer = { "columns", "rows", "type" },
  list = {},
  skeleton = { "bones", "name" },
  track = { "bone", "bone_index" },
}

-- Where the chain of names that ends at `stop` begins: names, dots, colons, and brackets with what
-- is in them. Calls are no part of it, because looking them up would run them.
local function chain_start(line, stop)
  local i = stop
  while i > 0 do
    local char = line:sub(i, i)
    if char == "]" then
      local open = line:sub(1, i):match "()%b[]$"
      if not open then break end
      i = open - 1
    elseif char:match "[%w_.:]" then
      i = i - 1
    else
      break
    end
  end
  return i + 1
end

local function index_value(source, env)
  local quoted = source:match '^"(.*)"$' or source:match "^'(.*)'$"
  if quoted then return quoted end
  if source:match "^[%a_][%w_]*$" then return env[source] end
  return math.tointeger(tonumber(source)) or tonumber(source)
end

-- Follows "doc.vertices[1]" without calling anything but `__index` of views.
local function follow(chain, env)
  local value, rest = env, chain
  while rest ~= "" do
    local name, after = rest:match "^%.?([%a_][%w_]*)(.*)$"
    local key = name
    if not name then
      local inside
      inside, after = rest:match "^(%b[])(.*)$"
      key = inside and index_value(inside:sub(2, -2), env)
    end
    if key == nil then return nil end
    value, rest = value[key], after
    if value == nil then return nil end
  end
  return value
end

local function method_names(value, kind)
  local list = kind == "array" and ARRAY_METHODS or OBJECT_METHODS[kind] or RECORD_METHODS
  local candidates = table.move(list, 1, #list, 1, {})
  for _, format in ipairs(core.formats()) do
    if format.name == kind then
      table.move(DOCUMENT_METHODS, 1, #DOCUMENT_METHODS, #candidates + 1, candidates)
    end
    if format.name == kind or kind == "animation" then
      for verb in pairs(format.can) do candidates[#candidates + 1] = verb end
    end
  end
  local names, seen = {}, {}
  for _, name in ipairs(candidates) do
    local ok, method = pcall(function() return value[name] end)
    if ok and type(method) == "function" and not seen[name] then
      seen[name] = true
      names[#names + 1] = name
    end
  end
  return names
end

local function is_document(kind)
  for _, format in ipairs(core.formats()) do
    if format.name == kind then return true end
  end
  return false
end

-- The keys of an array that has some, each once.
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

local function is_name(key)
  if not key:match "^[%a_][%w_]*$" then return false end
  for _, word in ipairs(KEYWORDS) do
    if key == word then return false end
  end
  return true
end

local function field_names(value, kind)
  if OBJECT_VALUES[kind] then return OBJECT_VALUES[kind] end
  local names = {}
  if kind == "array" then
    for _, key in ipairs(array_keys(value)) do
      if is_name(key) then names[#names + 1] = key end
    end
  else
    for _, row in ipairs(core.describe(value) or {}) do names[#names + 1] = row.name end
    if is_document(kind) then
      table.move(DOCUMENT_VALUES, 1, #DOCUMENT_VALUES, #names + 1, names)
    end
  end
  return names
end

local function table_keys(value)
  local names = {}
  for key in pairs(value) do
    if type(key) == "string" and key:match "^[%a_][%w_]*$" then names[#names + 1] = key end
  end
  return names
end

local function members(value, separator)
  if type(value) == "string" then return separator == ":" and table_keys(string) or {} end
  local kind = core.type(value)
  if kind then
    return separator == ":" and method_names(value, kind) or field_names(value, kind)
  end
  return type(value) == "table" and table_keys(value) or {}
end

local function globals(env)
  local names = table_keys(env)
  for _, name in ipairs(table_keys(_G)) do names[#names + 1] = name end
  return table.move(KEYWORDS, 1, #KEYWORDS, #names + 1, names)
end

local function candidates(chain, env)
  local object, separator = chain:match "^(.*)([.:])[%w_]*$"
  if not object then return globals(env) end
  local ok, value = pcall(follow, object, env) -- a name on the way may not exist
  return ok and object ~= "" and value ~= nil and members(value, separator) or {}
end

local ESCAPES = { ["\n"] = "\\n", ["\\"] = "\\\\" }

-- Between the quotes of `doc.levels["`: the keys that begin like what is there.
local function quoted_keys(line, from, to, env)
  local before, quote, prefix = line:sub(1, to):match "^(.*)%[([\"'])([^\"'%]]*)$"
  if not before then return nil end
  local ok, array = pcall(follow, before:sub(chain_start(before, #before)), env)
  local words = {}
  if ok and core.type(array) == "array" then
    for _, key in ipairs(array_keys(array)) do
      local inside = key:gsub("[%c\\\"']", function(char)
        return ESCAPES[char] or char:find "%c" and ("\\x%02x"):format(char:byte()) or "\\" .. char
      end)
      if inside:sub(1, #prefix) == prefix then
        words[#words + 1] = (line:sub(1, to - #prefix) .. inside .. quote .. "]"):sub(from)
      end
    end
  end
  table.sort(words)
  return words
end

-- Behind `doc:resample { ` or `doc:trim(0, 1, { `: the options of the verb that are not there yet.
local function options(line, from, to, env)
  local before, verb, inside = line:sub(1, to):match "^(.*):([%a_][%w_]*)%s*%(?[^(){}]*{([^{}]*)$"
  local prefix = inside and inside:match "^%s*([%w_]*)$" or inside and inside:match ",%s*([%w_]*)$"
  if not prefix then return nil end
  local ok, value = pcall(follow, before:sub(chain_start(before, #before)), env)
  local ok_verbs, verbs = pcall(core.verbs, ok and core.type(value) and value)
  if not ok_verbs then return nil end
  local words = {}
  for _, row in ipairs(verbs) do
    for _, param in ipairs(row.name == verb and row.params or {}) do
      if param.name:sub(1, #prefix) == prefix and not inside:find("%f[%w_]" .. param.name .. "%s*=") then
        words[#words + 1] = line:sub(from, to - #prefix) .. param.name .. " = "
      end
    end
  end
  table.sort(words)
  return words[1] and words
end

--- The ways in which the word before the cursor can go on.
-- @tparam string line
-- @tparam integer from where readline thinks the word begins
-- @tparam integer to the last character before the cursor
-- @tparam table env the names at the prompt
-- @treturn {string,...} whole words: each replaces the text from `from` to `to`
-- @usage complete.words("doc.vertices[1].", 1, 16, env) --> { "doc.vertices[1].x", … }
function complete.words(line, from, to, env)
  local keys = quoted_keys(line, from, to, env) or options(line, from, to, env)
  if keys then return keys end
  local start = chain_start(line, to)
  local chain = line:sub(start, to)
  if chain:match "^%d" or chain:find("..", 1, true) then return {} end
  local prefix = chain:match "[%w_]*$"
  local kept = line:sub(from, to - #prefix)
  local words, seen = {}, {}
  for _, name in ipairs(candidates(chain, env)) do
    if name:sub(1, #prefix) == prefix and not seen[name] then
      seen[name] = true
      words[#words + 1] = kept .. name
    end
  end
  table.sort(words)
  return words
end

return complete
