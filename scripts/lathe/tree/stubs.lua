--- Generates type stubs for the Lua language server: the members in `lathe.members`, a class for each record,
-- and a field for each row of its schema.
--
-- An editor with these completes `doc.triangles[1].gx` and shows units and documentation. The build writes
-- them to build/types/lathe.lua; `make install` puts them beside the module.
-- @module lathe.tree.stubs

local core = require "lathe.core"
local members = require "lathe.members"
local verbs = require "lathe.tree.verbs"

local stubs = {}

-- Types that several members use. (LDoc reads `---` even in here.)
local ALIASES = ([[
@meta lathe

@alias lathe.AnySkeleton lathe.Skeleton|lathe.Document|{ bones: table[] }|table[]|integer[]
@alias lathe.When number|{ time?: number, frame?: number, skeleton?: lathe.AnySkeleton }
@alias lathe.Geometry string|lathe.Document|table<integer, string|lathe.Document>
]]):gsub("@", "---@")

-- ---- members of the API ----------------------------------------------------------------------------------

local function add_text(lines, text)
  for line in (text or ""):gmatch "[^\n]+" do lines[#lines + 1] = "--- " .. line end
end

local function param_line(param)
  local doc = param.doc and " " .. param.doc or ""
  return ("---@param %s%s %s%s"):format(param.name, param.optional and "?" or "", param.type, doc)
end

local function add_function(lines, holder, member)
  local names = {}
  add_text(lines, member.doc)
  add_text(lines, member.more)
  for i, param in ipairs(member.params) do
    names[i] = param.name
    lines[#lines + 1] = param_line(param)
  end
  for _, result in ipairs(member.returns) do
    lines[#lines + 1] = "---@return " .. result.type .. (result.doc and " # " .. result.doc or "")
  end
  local dot = member.kind == "method" and ":" or "."
  lines[#lines + 1] = ("function %s%s%s(%s) end"):format(holder, dot, member.name, table.concat(names, ", "))
end

local function member_line(member)
  return ("---@field %s%s %s %s"):format(member.name, member.optional and "?" or "", member.type, member.doc)
end

-- The class of an owner: fields, then functions.
local function class_text(owner)
  local lines, holder = {}, owner.class:match "[^.]*$"
  add_text(lines, owner.doc)
  lines[#lines + 1] = "---@class " .. owner.class .. (owner.parent and " : " .. owner.parent or "")
  for _, member in ipairs(owner.members) do
    if member.kind == "field" then lines[#lines + 1] = member_line(member) end
  end
  if owner.index then lines[#lines + 1] = "---@field [integer] " .. owner.index end
  if not owner.plain then lines[#lines + 1] = ("local %s = {}"):format(holder) end
  for _, member in ipairs(owner.members) do
    if member.kind ~= "field" then add_function(lines, holder, member) end
  end
  return table.concat(lines, "\n") .. "\n"
end

local function add_owners(out)
  for _, owner in ipairs(members) do
    if owner.name ~= "lathe.core" then out[#out + 1] = class_text(owner) end
  end
end

-- ---- records and verbs of the formats --------------------------------------------------------------------

local KINDS = { integer = "integer", number = "number", string = "string", boolean = "boolean" }

-- The type of a value at a string key, if keys are strings.
local function key_type(row)
  if not row.key then return "" end
  local found = row.type
  for _, field in ipairs(core.describe(row.type)) do
    if field.name == row.value then
      found = KINDS[field.kind] or field.type
      if field.array then found = ("(%s)[]|lathe.Array"):format(found) end
    end
  end
  return ("|table<string, %s>"):format(found)
end

-- The type of elements of several types: any that the format uses in no other place.
local function any_of(row, format)
  local names = { row.type }
  table.move(format.types or {}, 1, #(format.types or {}), 2, names)
  return "(" .. table.concat(names, "|") .. ")"
end

local function lua_type(row, format)
  if row.tag then return any_of(row, format) .. "[]|lathe.Array" end
  local name = row.enum and "string|integer" or KINDS[row.kind] or row.type
  if row.ref and row.kind == "record" then
    name = (name == "pointer" or name == "record") and "lathe.Record" or name
    return row.array and ("(%s|false)[]|lathe.Array"):format(name) or name .. "|false"
  end
  if row.array and row.computed and row.inside then return "lathe.Buffer" end
  if row.array then
    return (row.kind == "record" and name .. "[]" or ("(%s)[]"):format(name)) .. "|lathe.Array"
      .. key_type(row)
  end
  return name
end

local function field_line(row, format)
  local doc = row.doc or ""
  if row.unit then doc = ("%s [%s]"):format(doc, row.unit) end
  if row.readonly then doc = doc .. " Read-only." end
  if row.key then doc = ("%s A string index is a %s."):format(doc, row.key) end
  return ("---@field %s %s %s"):format(row.name, lua_type(row, format), doc)
end

-- Adds the verbs for records of a type as methods of its class.
local function add_methods(lines, format, type)
  for _, verb in ipairs(core.verbs(format.name)) do
    if (verb.type or format.type) == type then
      if #lines == 0 then lines[1] = ("local %s = {}"):format(type) end
      lines[#lines + 1] = verbs.stub(verb, type, type)
    end
  end
end

-- The verbs of all formats with animations, without duplicates, with the arguments of all of them.
local function animation_verbs(formats)
  local list, known = {}, {}
  for _, format in ipairs(formats) do
    for _, verb in ipairs(format.can.animations and core.verbs(format.name) or {}) do
      if not known[verb.name] then
        known[verb.name] = { params = {} }
        local merged = setmetatable({ params = {} }, { __index = verb })
        list[#list + 1], known[verb.name].merged = merged, merged
      end
      local entry = known[verb.name]
      for _, param in ipairs(verb.params) do
        if not entry.params[param.name] then table.insert(entry.merged.params, param) end
        entry.params[param.name] = true
      end
    end
  end
  return list
end

-- Adds the verbs of animations. An animation has the verbs of its source record: here those of all formats.
local function add_animation_methods(out, formats)
  local lines = {}
  for _, verb in ipairs(animation_verbs(formats)) do
    local is_member = members.of "animation".by_name[verb.name]
    if not is_member then lines[#lines + 1] = verbs.stub(verb, "Animation", "lathe.Animation") .. "\n" end
  end
  out[#out + 1] = table.concat(lines, "\n")
end

local function add_class(out, seen, format, name, parent)
  if seen[name] then return end
  seen[name] = true
  local rows = core.describe(name) or {}
  local lines = { ("---@class %s : %s"):format(name, parent) }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = field_line(row, format)
    if row.kind == "record" and row.type ~= "pointer" and row.type ~= "record" then
      add_class(out, seen, format, row.type, "lathe.Record")
    end
  end
  local methods = {}
  add_methods(methods, format, name)
  if #methods > 0 then lines[#lines + 1] = table.concat(methods, "\n\n") end
  out[#out + 1] = table.concat(lines, "\n") .. "\n"
end

--- The text of the stub file.
-- @treturn string
function stubs.text()
  local out, seen, formats = { ALIASES }, {}, core.formats()
  add_owners(out)
  add_animation_methods(out, formats)
  for _, format in ipairs(formats) do
    add_class(out, seen, format, format.type, "lathe.Document")
    for _, name in ipairs(format.types or {}) do add_class(out, seen, format, name, "lathe.Record") end
  end
  out[#out + 1] = "return lathe\n"
  return table.concat(out, "\n")
end

return stubs
