--- Finds what a word means: verbs, fields, types, functions and names of enumerations of all formats.
-- @module lathe.repl.help_search

local core = require "lathe.core"
local kinds = require "lathe.repl.kinds"
local members = require "lathe.members"
local verbs = require "lathe.tree.verbs"

local help_search = {}

local indices = {} -- of formats, by name

local function add(index, name, type, doc)
  local list = index[name]
  if not list then
    list = {}
    index[name] = list
  end
  list[#list + 1] = { name = name, type = type, doc = doc ~= "" and doc or nil }
end

-- Adds a record type and those of its fields.
local function add_type(index, seen, name)
  if seen[name] then return end
  seen[name] = true
  local rows = core.describe(name)
  if not rows or #rows == 0 then return end
  add(index, name, ("type of %d fields"):format(#rows))
  for _, row in ipairs(rows) do
    add(index, row.name, ("%s of %s"):format(kinds.of(row), name), row.doc)
    for _, value in ipairs(row.enum and row.names or {}) do
      add(index, value, ("name of %s.%s"):format(name, row.name), row.doc)
    end
    if row.kind == "record" and row.type then add_type(index, seen, row.type) end
  end
end

-- All words of a format.
local function index_of(format)
  local index = indices[format.name]
  if not index then
    index = {}
    for _, verb in ipairs(core.verbs(format.name)) do
      local type = ("verb of %s: %s"):format(verb.type or format.name, verbs.signature(verb))
      add(index, verb.name, type, verb.doc)
    end
    local seen = {}
    add_type(index, seen, format.type)
    for _, name in ipairs(format.types or {}) do add_type(index, seen, name) end
    indices[format.name] = index
  end
  return index
end

-- The members of the API with a name.
local function members_named(name, found)
  for _, owner in ipairs(members) do
    local member = owner.class ~= "lathe.core" and owner.by_name[name]
    if member then
      local kind = member.kind == "field" and member.type:gsub("lathe%.", "") or kinds.params(member.params)
      found[#found + 1] = { name = name, type = ("%s of %s"):format(kind, owner.name), doc = member.doc }
    end
  end
end

-- The formats, those of open documents first, or alone.
local function formats_for(documents, alone)
  local list, first = {}, 1
  local is_open = {}
  for _, doc in ipairs(documents) do is_open[doc.format] = true end
  for _, format in ipairs(core.formats()) do
    if is_open[format.name] then
      table.insert(list, first, format)
      first = first + 1
    elseif not alone then
      list[#list + 1] = format
    end
  end
  return list
end

--- All meanings of a word, without duplicates: those of formats of open documents first.
-- @tparam string name
-- @tparam {Document,...} documents
-- @treturn {table,...} `name`, `type`, `doc`
function help_search.find(name, documents)
  local found, list, seen = {}, {}, {}
  members_named(name, found)
  for _, format in ipairs(formats_for(documents)) do
    if format.name == name then
      found[#found + 1] = { name = name, type = "format", doc = format.doc }
    end
    for _, one in ipairs(index_of(format)[name] or {}) do found[#found + 1] = one end
  end
  -- Those without a text say the least.
  for _, described in ipairs { true, false } do
    for _, one in ipairs(found) do
      local key = one.type .. "\n" .. (one.doc or "")
      if not seen[key] and (one.doc ~= nil) == described then
        list[#list + 1] = one
        seen[key] = true
      end
    end
  end
  return list
end

-- Whether a text has a word, or one that begins with it.
local function mentions(doc, word)
  return doc ~= nil and doc:lower():find("%f[%w]" .. word) ~= nil
end

--- What mentions a word in its text: verbs and fields of the formats of open documents.
-- @tparam string word
-- @tparam {Document,...} documents
-- @tparam integer most how many at most
-- @treturn {table,...} `name`, `type`, `doc`
function help_search.mentioning(word, documents, most)
  local found, seen = {}, {}
  word = word:lower():gsub("%p", "%%%0")
  if #word < 3 then return found end
  local function put(one)
    if #found < most and not seen[one.doc] and mentions(one.doc, word) then
      seen[one.doc] = true
      found[#found + 1] = one
    end
  end
  for _, format in ipairs(formats_for(documents, true)) do
    for _, verb in ipairs(core.verbs(format.name)) do
      put { name = verb.name, type = "verb of " .. (verb.type or format.name), doc = verb.doc }
    end
  end
  for _, format in ipairs(formats_for(documents, true)) do
    local names = {}
    for name in pairs(index_of(format)) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do
      for _, one in ipairs(index_of(format)[name]) do put(one) end
    end
  end
  return found
end

--- All words, for the nearest one.
-- @treturn {string,...}
function help_search.words()
  local names, seen = {}, {}
  local function put(name)
    if not seen[name] then names[#names + 1] = name end
    seen[name] = true
  end
  for _, owner in ipairs(members) do
    for _, member in ipairs(owner.class ~= "lathe.core" and owner.members or {}) do put(member.name) end
  end
  for _, format in ipairs(core.formats()) do
    put(format.name)
    for name in pairs(index_of(format)) do put(name) end
  end
  table.sort(names)
  return names
end

return help_search
