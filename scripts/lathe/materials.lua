--- Lists and renames the materials of a scene: of visible geometry and of collision.
-- @module lathe.materials

local core = require "lathe.core"

local materials = {}

-- The rows of a record type by name.
local function rows_of(type)
  local rows = {}
  for _, row in ipairs(core.describe(type) or {}) do rows[row.name] = row end
  return rows
end

local function has_textures(type)
  local textures = rows_of(type).textures
  return textures ~= nil and textures.array
end

-- The places of texture paths, hidden from users of the list.
local PLACES = setmetatable({}, { __mode = "k" })

local function put(list, slot, file, record, key)
  if type(file) ~= "string" or file == "" then return end
  local texture = { slot = slot, file = file }
  PLACES[texture] = { record, key }
  list[#list + 1] = texture
end

-- Calls `each` for the texture lists in a record: records with an array `textures`.
local function each_list(record, each)
  for _, row in ipairs(record and core.describe(record) or {}) do
    local lists = row.array and row.kind == "record" and not row.ref and record[row.name]
    for i, list in ipairs(lists and has_textures(row.type) and lists or {}) do
      each(("%s[%d].textures"):format(row.name, i), list.textures)
    end
  end
end

-- The textures of a material in the order of its slots, then those of additional lists.
local function textures_of(material, look)
  local list, textures = {}, material.textures
  if not textures then return list end
  for slot, file in pairs(textures) do put(list, slot, file, textures, slot) end
  each_list(look, function(name, files)
    for k, file in ipairs(files) do put(list, ("%s[%d]"):format(name, k), file, files, k) end
  end)
  return list
end

-- ---- appearance --------------------------------------------------------------------------------------

-- How rows of a record extend an entry. Flags are named bits, or lists of named numbers.
local adders = {
  bits = function(entry, record, name)
    for _, flag in ipairs(core.names(record, name)) do entry.flags[#entry.flags + 1] = flag end
  end,
  list = function(entry, record, name)
    for _, flag in ipairs(record[name]) do entry.flags[#entry.flags + 1] = flag end
  end,
  color = function(entry, record, name)
    local color = record[name]
    entry.colors[name] = { color[1], color[2], color[3], color[4] }
  end,
  alpha = function(entry, record) entry.alpha = record.alpha end,
}

local function is_color(type)
  local rows = rows_of(type)
  return rows.r and rows.g and rows.b
end

local function adder_of(row)
  if row.flags then return adders.bits end
  if row.array then return row.enum and adders.list end
  if row.kind == "record" and is_color(row.type) then return adders.color end
  return row.name == "alpha" and adders.alpha or nil
end

local function add_look(entry, record)
  entry.flags, entry.colors = {}, {}
  for _, row in ipairs(record and core.describe(record) or {}) do
    local add = adder_of(row)
    if add and record[row.name] ~= nil then add(entry, record, row.name) end
  end
end

--- `lathe.materials`: see `lathe.members`.
function materials.list(doc)
  local list = {}
  for i, material in ipairs(doc.materials) do
    local name, look = material.name, core.look(doc, i)
    local entry = {
      kind = material.kind,
      name = name ~= "" and name or nil,
      source = material.source,
      material = material,
      textures = textures_of(material, look),
    }
    if entry.kind == "shader" then add_look(entry, look) end
    list[i] = entry
  end
  return list
end

-- ---- names that are not known --------------------------------------------------------------------------

--- Whether a name given to a collision material is unknown, so that the material now shows a number.
-- @param name the given name
-- @param shown the current value of the field
-- @treturn boolean
function materials.is_unknown(name, shown)
  return type(name) == "string" and type(shown) == "number" and not tonumber(name)
end

--- Warnings for unknown names of collision materials.
-- @param doc with collision materials of these names
-- @tparam {string,...} names
-- @treturn ?{string,...} nil: none
function materials.warnings(doc, names)
  local list = {}
  for _, name in ipairs(names) do -- replacing a name by itself changes nothing, but checks it
    local report = doc:set_materials { from = name, to = name, what = "collision" }
    for _, warning in ipairs(report and report.warnings or {}) do list[#list + 1] = warning end
  end
  return list[1] and list or nil
end

-- ---- renaming ------------------------------------------------------------------------------------------

-- Normalises a name as games compare it: ignoring case, and with equal slashes.
local function folded(name)
  return type(name) == "string" and name:lower():gsub("/", "\\") or name
end

-- Converts a table of old and new names to a function.
local function by_table(names)
  local new = {}
  for old, name in pairs(names) do new[folded(old)] = name end
  return function(name) return new[folded(name)] end
end

-- Calls `each` for all names of a document: kind, name, and place.
local function each_name(doc, each)
  for _, entry in ipairs(materials.list(doc)) do
    if entry.kind == "collision" then
      each(entry, "collision", entry.name, nil, entry.material, "material")
    elseif entry.name then
      each(entry, "shader", entry.name, nil, entry.source, "name")
    end
    for _, texture in ipairs(entry.textures) do
      each(entry, "texture", texture.file, texture.slot, table.unpack(PLACES[texture]))
    end
  end
end

-- Before anything changes: the places to write to, with the new names.
local function changes_of(doc, new_name)
  local list = {}
  each_name(doc, function(entry, kind, name, slot, record, field)
    local new = new_name(name, kind, entry.source, slot)
    if new and new ~= name then list[#list + 1] = { record = record, field = field, name = new } end
  end)
  return list
end

-- Applies the changes; returns their number, and the names that became numbers because they are unknown.
local function apply(list)
  local changed, unknown = 0, {}
  for _, change in ipairs(list) do
    local old = change.record[change.field]
    change.record[change.field] = change.name
    local new = change.record[change.field]
    if new ~= old then changed = changed + 1 end
    if materials.is_unknown(change.name, new) and not unknown[change.name] then
      unknown[change.name] = true
      unknown[#unknown + 1] = change.name
    end
  end
  return changed, unknown
end

local function check_options(opts)
  for name, value in pairs(opts or {}) do
    if name ~= "unknown" then
      error(("no option '%s' of set_materials, which takes unknown"):format(tostring(name)), 3)
    elseif value ~= "warn" and value ~= "allow" then
      error("'unknown' of set_materials is one of warn, allow", 3)
    end
  end
end

--- `lathe.set_materials`: see `lathe.members`. Either all are changed or, if one fails, none.
function materials.set(doc, how, opts)
  check_options(opts)
  local list = changes_of(doc, type(how) == "table" and by_table(how) or how)
  local unknown
  local ok, result = pcall(doc.edit, doc, function()
    local changed
    changed, unknown = apply(list)
    return changed
  end)
  if not ok then return nil, type(result) == "string" and result:gsub("^[^\n]-%.lua:%d+: ", "") or result end
  local allowed = opts and opts.unknown == "allow"
  return { changed = result, warnings = not allowed and materials.warnings(doc, unknown) or nil }
end

return materials
