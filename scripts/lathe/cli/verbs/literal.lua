--- Parses values from the command line. The expected type decides how a value is read: a bare word is text
-- only if text is expected.
-- @module lathe.cli.verbs.literal

local core = require "lathe.core"
local schema = require "lathe.tree.schema"

local literal = {}

local SPECIAL = {
  ["nan"] = 0 / 0,
  ["inf"] = math.huge,
  ["+inf"] = math.huge,
  ["-inf"] = -math.huge,
}

local CLOSING = { ["{"] = "}", ["["] = "]" }

local MAX_DEPTH = 64

local function complain(message, ...)
  error({ literal = message:format(...) }, 0)
end

local function no_list(source)
  complain("'%s' is not a list: write {1, 2, 3} or {x=1, y=2, z=3}", source)
end

-- The end of the quoted text that begins at `at`.
local function closing_quote(source, at)
  local quote = source:sub(at, at)
  local stop = at + 1
  while stop <= #source do
    local char = source:sub(stop, stop)
    if char == quote then return stop end
    stop = stop + (char == "\\" and 2 or 1)
  end
end

-- True for valid JSON; dkjson accepts more.
local function is_json_text(source)
  local rest = source:gsub('\\["\\/bfnrt]', ""):gsub("\\u%x%x%x%x", "")
  return source:sub(1, 1) == '"' and not rest:find("\\", 1, true)
end

-- Decodes text in quotes with the escapes of Lua or JSON.
local function unquote(source)
  local one_line = source:gsub("\\?\n", "\\\n"):gsub("\r", "\\r")
  local chunk = load("return " .. one_line, "=text", "t", {})
  if chunk then return chunk() end
  if is_json_text(source) then return (require("dkjson").decode(source)) end
  complain("'%s' is no text in quotes", source)
end

--- Reads the text in quotes at the start of a source.
-- @tparam string source
-- @treturn ?string the text
-- @treturn ?string what follows it
function literal.quoted(source)
  local stop = source:find "^[\"']" and closing_quote(source, 1)
  if not stop then return nil end
  local ok, value = pcall(unquote, source:sub(1, stop))
  if ok then return value, source:sub(stop + 1) end
end

local function is_quoted(source)
  return source:find "^[\"']" ~= nil and closing_quote(source, 1) == #source
end

-- ---- lists: trees of { typed = "as it was typed", text = "of quotes" } and { items = {...} } --------

local Reader = {}
Reader.__index = Reader

function Reader:skip() self.at = self.source:find("%S", self.at) or #self.source + 1 end

function Reader:take(pattern)
  self:skip()
  local found = self.source:match("^" .. pattern, self.at)
  if found then self.at = self.at + #found end
  return found
end

function Reader:quoted()
  self:skip()
  if not self.source:find("^[\"']", self.at) then return nil end
  local stop = closing_quote(self.source, self.at)
  if not stop then no_list(self.source) end
  local typed = self.source:sub(self.at, stop)
  self.at = stop + 1
  return { typed = typed, text = unquote(typed) }
end

-- Reads `name =`, `"name":` or `["name"] =`; nil if there is none, and nothing is consumed.
function Reader:name()
  local start = self.at
  local bracket = self:take "%[%f[%s\"']"
  local quoted = self:quoted()
  local name = quoted and quoted.text or not bracket and self:take "[%a_][%w_]*"
  if name and (not bracket or self:take "%]") and self:take "[=:]" then return name end
  self.at = start
end

function Reader:value(depth)
  local open = self:take "[{%[]"
  if open then return self:list(CLOSING[open], depth + 1) end
  local quoted = self:quoted()
  if quoted then return quoted end
  local typed = self:take "[^,;{}%[%]\"']+"
  if not typed then no_list(self.source) end
  return { typed = typed:match "^(.-)%s*$" }
end

function Reader:list(closing, depth)
  if depth > MAX_DEPTH then no_list(self.source) end
  local items = {}
  while not self:take("%" .. closing) do
    local name = self:name()
    local item = self:value(depth)
    item.name = name
    items[#items + 1] = item
    if not self:take "[,;]" and not self.source:find("^%s*%" .. closing, self.at) then
      no_list(self.source)
    end
  end
  return { items = items }
end

local function parse(source)
  local reader = setmetatable({ source = source, at = 1 }, Reader)
  if not source:find "^%s*[{%[]" then no_list(source) end
  local tree = reader:value(0)
  reader:skip()
  if reader.at <= #source then no_list(source) end
  return tree
end

-- ---- interpreting a value by the expected type --------------------------------------------------

local function number(source)
  local value = tonumber(source) or SPECIAL[source:lower()]
  if not value then complain("'%s' is not a number", source) end
  return value
end

local READ = {
  number = number,
  reference = function(source)
    if source == "null" then return false end
    return tonumber(source) or complain("'%s' is no path of what is there, no number and not null", source)
  end,
  integer = number,
  names = function(source) return tonumber(source) or source end,
  boolean = function(source)
    if source == "true" then return true end
    if source == "false" then return false end
    complain("'%s' is neither true nor false", source)
  end,
  string = function(source) return source end,
  unknown = function(source) return tonumber(source) or source end,
  array = no_list,
  record = no_list,
}

-- The kind of value that a row has, or of the current value.
local function kind_of(row, current)
  if row.array or core.type(current) == "array" or type(current) == "table" then return "array" end
  if row.ref then return "reference" end
  if core.type(current) then return "record" end
  if row.enum or row.flags then return "names" end
  if READ[row.kind] then return row.kind end
  local kind = type(current)
  return READ[kind] and kind or "unknown"
end

local function leaf(item, row)
  local kind = kind_of(row)
  if item.text then
    if kind == "string" or kind == "names" or kind == "unknown" then return item.text end
  elseif item.typed == "nil" then
    complain "'nil' in a list: write \"nil\" for the text"
  end
  return READ[kind](item.typed)
end

local build

-- The row of an item: that of an element, a key, or a field.
local function row_of(cache, row, view, item, position)
  if row.array then
    return item.name and row.key and cache:keyed(nil, row) or cache:element(nil, row)
  elseif row.kind == "record" or view then
    local rows = cache:rows(view or row.type)
    return item.name and cache:row(view or row.type, item.name) or not item.name and rows[position] or {}
  elseif row.flags then
    return { kind = "string" }
  end
  return {}
end

local function build_all(cache, items, row, view)
  local value, n = {}, 0
  for _, item in ipairs(items) do
    if not item.name then n = n + 1 end
    local built = build(cache, item, row_of(cache, row, view, item, n))
    value[item.name or n] = built
  end
  return value
end

function build(cache, item, row)
  if item.items then return build_all(cache, item.items, row) end
  return leaf(item, row)
end

local function read(source, current, row, cache)
  local kind = kind_of(row, current)
  if kind == "array" or kind == "record" or row.flags and source:find "^%s*[{%[]" then
    local view = kind == "record" and core.type(current) and current or nil
    return build_all(cache, parse(source).items, row, view)
  end
  if (kind == "string" or kind == "names") and is_quoted(source) then return unquote(source) end
  if row.flags and source:find "^[%w_%s]+[|+,][%w_%s|+,]+$" then
    complain("'%s': several flags are a list, such as {%s}", source, (source:gsub("%s*[|+,]%s*", ", ")))
  end
  return READ[kind](source)
end

--- Parses a value for a field with a current value.
-- @tparam string source the text
-- @param current the current value in the document, or nil
-- @tparam[opt] table row the field's row in `lathe.describe`
-- @tparam[opt] lathe.tree.schema cache of the document
-- @return the value, or nil
-- @treturn ?string the problem
-- @usage literal.read("{1, 2, 3}", doc.vertices[1]) --> { 1, 2, 3 }
function literal.read(source, current, row, cache)
  local ok, value = pcall(read, source, current, row or {}, cache or schema.new())
  if ok then return value end
  if type(value) == "table" and value.literal then return nil, value.literal end
  error(value, 0)
end

return literal
