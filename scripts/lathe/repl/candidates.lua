--- What can stand behind a value at the prompt: its fields, methods, names and keys, each with its type.
-- @module lathe.repl.candidates

local core = require "lathe.core"
local kinds = require "lathe.repl.kinds"
local members = require "lathe.members"
local tokens = require "lathe.repl.tokens"
local values = require "lathe.repl.values"
local verbs = require "lathe.tree.verbs"

local candidates = {}

local MOST_SEARCHED = 10000 -- elements of a list whose names are read
local MOST_LEVELS = 5 -- of tables that stand behind an environment

-- A candidate: `name`, `type`, `doc`.
local function new(name, type, doc) return { name = name, type = type, doc = doc } end

-- The owner in the list of members for a value, by its type.
local function owner_of(value, kind)
  if values.is_document(value) then return "document" end
  return members.of(kind) and kind or "record"
end

-- ---- methods -----------------------------------------------------------------------------------------

-- The verbs and capabilities of formats for documents and records, and for animations, which are views of
-- them.
local function format_verbs(kind)
  local list, by_name = {}, members.of("document").by_name
  for _, format in ipairs(core.formats()) do
    if format.name == kind or kind == "animation" then
      for name in pairs(format.can) do
        local member = by_name[name]
        list[#list + 1] = new(name, member and kinds.params(member.params) or "verb", member and member.doc)
      end
    end
  end
  return list
end

--- A verb as a candidate.
-- @tparam table verb a row of `lathe.verbs`
-- @treturn table
function candidates.of_verb(verb)
  return new(verb.name, (verbs.signature(verb):sub(#verb.name + 1):gsub("^ ", "")), verb.doc)
end

local function add_verbs(value, list)
  local ok, own = pcall(core.verbs, value)
  for _, verb in ipairs(ok and own or {}) do list[#list + 1] = candidates.of_verb(verb) end
end

--- The methods of an object.
-- @param value
-- @tparam string kind its `lathe.type`
-- @treturn {table,...}
function candidates.methods(value, kind)
  local list, found, seen = {}, {}, {}
  add_verbs(value, list)
  for _, member in ipairs(members.of(owner_of(value, kind)).members) do
    local of_all = member.kind == "method" and not member.some -- capabilities of formats are among the verbs
    if of_all then list[#list + 1] = new(member.name, kinds.params(member.params), member.doc) end
  end
  table.move(format_verbs(kind), 1, #format_verbs(kind), #list + 1, list)
  for _, one in ipairs(list) do
    local method = values.member(value, one.name)
    if not seen[one.name] and type(method) == "function" then
      seen[one.name] = true
      found[#found + 1] = one
    end
  end
  return found
end

-- ---- names -------------------------------------------------------------------------------------------

-- The keys of an array with keys, without duplicates.
local function array_keys(array)
  local row = (core.describe(array) or {})[1]
  local list, seen = {}, {}
  if not row or not row.key then return list end
  for i = 1, math.min(#array, MOST_SEARCHED) do
    local key = array[i][row.key]
    if not seen[key] then
      seen[key] = true
      list[#list + 1] = new(key, ("[%d]"):format(i))
    end
  end
  return list, #array > MOST_SEARCHED
end

-- The names by which a list finds its elements. States of different machines can share a name: these are
-- found by MACHINE/STATE.
local function list_names(list)
  local found, times, machines = {}, {}, {}
  local first = values.member(list, 0) ~= nil and 0 or 1 -- events and variables have ids from 0
  local last = first + #list - 1
  for i = first, math.min(last, first + MOST_SEARCHED - 1) do
    local item = list[i]
    local name = values.member(item, "name") or values.member(item, "bone") -- tracks are found by bones
    if type(name) == "string" and name ~= "" then
      local machine = values.member(item, "machine")
      found[#found + 1] = new(name, ("[%d]"):format(i))
      times[name] = (times[name] or 0) + 1
      machines[#found] = machine and machine.name or nil
    end
  end
  if found[1] and not machines[1] and values.member(list, found[1].name) == nil then
    return {} -- a list that is indexed by numbers alone
  end
  for i, one in ipairs(found) do
    if times[one.name] > 1 and machines[i] then one.name = machines[i] .. "/" .. one.name end
  end
  return found, last - first + 1 > MOST_SEARCHED
end

local NAMED = { array = array_keys, list = list_names }

--- The names and keys of the elements of a list or array.
-- @param value
-- @treturn ?{table,...} nil: it has none
-- @treturn ?boolean true: there are so many that not all were searched
function candidates.names(value)
  local of = NAMED[core.type(value)]
  if of then return of(value) end
end

-- ---- fields ------------------------------------------------------------------------------------------

-- What a value in a table is, for display.
local function type_of(value)
  return core.type(value) or type(value) == "string" and "text" or type(value)
end

-- The keys of a table, without metamethods of the user.
local function table_keys(value, kind)
  local list = {}
  local iterate, state = next, value
  if core.type(value) == "copy" then iterate, state = pairs(value) end
  for key, found in iterate, state do
    local fits = type(key) == "string" and (kind == nil or type(found) == kind)
    if fits and key:match "^[%a_][%w_]*$" then list[#list + 1] = new(key, type_of(found)) end
  end
  return list
end

-- The functions of lathe with their texts.
local function module_members(module, owner)
  local list = {}
  for _, one in ipairs(table_keys(module)) do
    local member = members.of(owner).by_name[one.name]
    if member and member.kind == "function" then one.type = kinds.params(member.params) end
    one.doc = member and member.doc
    list[#list + 1] = one
  end
  return list
end

-- The fields of all objects of an owner, and additional ones of this object.
local function listed_fields(value, owner, list)
  for _, member in ipairs(members.of(owner).members) do
    if member.kind == "field" then
      local there = not member.some or values.member(value, member.name) ~= nil
      if there then list[#list + 1] = new(member.name, kinds.of_member(member), member.doc) end
    end
  end
  return list
end

local function field_names(value, kind)
  if kind == "copy" then return table_keys(value) end
  local owner, list, more = owner_of(value, kind), {}, nil
  if NAMED[kind] then
    local names
    names, more = NAMED[kind](value)
    for _, one in ipairs(names) do
      if tokens.is_name(one.name) then list[#list + 1] = one end
    end
  elseif owner == "document" or owner == "record" then
    for _, row in ipairs(core.describe(value) or {}) do
      list[#list + 1] = new(row.name, kinds.of(row), row.doc)
    end
  end
  return listed_fields(value, owner, list), more
end

--- What can stand behind a value and a dot or colon.
-- @param value
-- @tparam string separator
-- @treturn {table,...} `name`, `type`, `doc`
-- @treturn ?boolean true: there are so many that not all were searched
function candidates.behind(value, separator)
  if type(value) == "string" then return separator == ":" and table_keys(string) or {} end
  local kind = core.type(value)
  if kind and separator == ":" then return candidates.methods(value, kind) end
  if kind then return field_names(value, kind) end
  if type(value) ~= "table" then return {} end
  for _, owner in ipairs { "lathe", "lathe.tree" } do
    local module = package.loaded[owner]
    if rawequal(value, module) then return module_members(module, owner) end
  end
  return table_keys(value, separator == ":" and "function" or nil)
end

--- The global names of an environment, and the words of Lua.
-- @tparam table env
-- @treturn {table,...}
function candidates.globals(env)
  local list, level = {}, env
  for _ = 1, MOST_LEVELS do
    if type(level) ~= "table" then break end
    local names = table_keys(level)
    table.move(names, 1, #names, #list + 1, list)
    level = (debug.getmetatable(level) or {}).__index
  end
  for _, word in ipairs(tokens.KEYWORDS) do list[#list + 1] = new(word, "word of Lua") end
  return list
end

return candidates
