--- Finds the places of a document that meet conditions.
-- @module lathe.tree.find

local core = require "lathe.core"
local materials = require "lathe.materials"
local schema = require "lathe.tree.schema"
local spelling = require "lathe.spelling"

local find = {}

--- The conditions, in order.
find.CONDITIONS = { "texture", "material", "bone", "type", "where" }

-- ---- patterns ---------------------------------------------------------------------------------------

-- Case, and / or \, make no difference, as in the games.
local function folded(text) return (text:lower():gsub("\\", "/")) end

--- Makes a function that tells whether a name matches the whole of a pattern, in which * stands for any
-- characters.
-- @tparam string pattern
-- @treturn function
function find.matcher(pattern)
  local pieces, from = {}, 1
  local source = folded(pattern)
  while true do
    local star = source:find("*", from, true)
    pieces[#pieces + 1] = source:sub(from, (star or #source + 1) - 1)
    if not star then break end
    from = star + 1
  end
  local first, last = pieces[1], pieces[#pieces]
  return function(name)
    if type(name) == "number" then name = ("0x%08X"):format(name) end
    if type(name) ~= "string" then return false end
    name = folded(name)
    if #pieces == 1 then return name == first end
    if name:sub(1, #first) ~= first then return false end
    local at = #first + 1
    for i = 2, #pieces - 1 do
      local _, stop = name:find(pieces[i], at, true)
      if not stop then return false end
      at = stop + 1
    end
    return #name - #last + 1 >= at and name:sub(#name - #last + 1) == last
  end
end

-- ---- names in documents -----------------------------------------------------------------------------

-- Calls a function that reads a list which not all documents have; what is raised for broken data is left
-- out.
local function try(fn, ...)
  local ok, result = pcall(fn, ...)
  return ok and result or {}
end

local function textures(doc, add)
  for i, material in ipairs(try(materials.list, doc)) do
    for _, texture in ipairs(material.textures) do
      local field = texture.slot:match "^[%a_][%w_]*$"
      add(("materials[%d]"):format(i) .. (field and ".textures." .. field or ""), texture.file)
    end
  end
end

local function material_names(doc, add)
  for i, material in ipairs(try(materials.list, doc)) do add(("materials[%d]"):format(i), material.name) end
end

local function bones(doc, add)
  for i, skeleton in ipairs(try(function() return doc.skeletons end)) do
    for k, bone in ipairs(try(function() return skeleton.bones end)) do
      add(("skeletons[%d].bones[%d]"):format(i, k), bone.name)
    end
  end
  for i, anim in ipairs(try(function() return doc.animations end)) do
    for k, track in ipairs(try(function() return anim.tracks end)) do
      add(("animations[%d].tracks[%d]"):format(i, k), track.bone)
    end
  end
end

local Types = {}
Types.__index = Types

-- Whether records of a type lead to arrays with elements of several types.
function Types:leads_on(name)
  if self.memo[name] == nil then
    self.memo[name] = false
    for _, row in ipairs(self.schema:rows(name)) do
      if row.tag or row.kind == "record" and not row.ref and row.type and self:leads_on(row.type) then
        self.memo[name] = true
      end
    end
  end
  return self.memo[name]
end

function Types:record(record, top)
  for _, row in ipairs(self.schema:listed_rows(record)) do
    local on = row.kind == "record" and not row.ref and not row.computed
    if on and (top or row.tag or self:leads_on(row.type)) then
      local ok, value = pcall(function() return record[row.name] end)
      if ok then self:value(value, row) end
    end
  end
end

function Types:value(value, row)
  local kind = core.type(value)
  if kind == "array" then
    for i = 1, #value do self:value(value[i], row) end
  elseif kind then
    self.add(core.path(value), kind)
    self:record(value, false)
  end
end

local function types(doc, add)
  setmetatable({ schema = schema.new(doc), memo = {}, add = add }, Types):record(doc, true)
end

local NAMES = { texture = textures, material = material_names, bone = bones, type = types }

-- ---- finding ----------------------------------------------------------------------------------------

local function check(conditions)
  if type(conditions) ~= "table" then error("a table of conditions expected", 3) end
  local known = {}
  for _, name in ipairs(find.CONDITIONS) do known[name] = true end
  for name, value in pairs(conditions) do
    if not known[name] then
      local hint = spelling.hint(tostring(name), find.CONDITIONS)
      error(("no condition '%s'%s"):format(tostring(name), hint), 3)
    end
    local wanted = name == "where" and "function" or "string"
    if type(value) ~= wanted then error(("condition '%s': a %s expected"):format(name, wanted), 3) end
  end
  if next(conditions) == nil then error("a condition expected", 3) end
end

--- `lathe.find`: see `lathe.members`.
function find.find(doc, conditions)
  check(conditions)
  local places = {}
  for _, name in ipairs(find.CONDITIONS) do
    local condition, before = conditions[name], #places
    if condition and name == "where" then
      if condition(doc) then places[#places + 1] = { path = "", condition = name } end
    elseif condition then
      local matches = find.matcher(condition)
      NAMES[name](doc, function(path, value)
        if matches(value) then places[#places + 1] = { path = path, condition = name, value = value } end
      end)
    end
    if condition and #places == before then return {} end
  end
  return places
end

return find
