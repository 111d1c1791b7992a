--- How the shapes of a scene are drawn, and what they are made of to those that touch them.
-- @module lathe.materials

local core = require "lathe.core"

local materials = {}

local function put(list, slot, file)
  if type(file) == "string" and file ~= "" then list[#list + 1] = { slot = slot, file = file } end
end

-- Lists of textures beside the named ones (Fallout 76): only some shaders have a body, and some bodies these.
local function arrays_of(source)
  local ok, arrays = pcall(function() return source.body.arrays end)
  return ok and arrays or {}
end

-- The files that a material names, in the order of its slots.
local function textures_of(material)
  local list, textures = {}, material.textures
  if not textures then return list end
  for slot, file in pairs(textures) do put(list, slot, file) end
  for i, array in ipairs(arrays_of(material.source)) do
    for k, file in ipairs(array.textures) do
      put(list, ("arrays[%d].textures[%d]"):format(i, k), file)
    end
  end
  return list
end

-- ---- how it is drawn ---------------------------------------------------------------------------------

-- Where a shader has its numbers: older ones have no body, newer ones none where a file says it all.
local function numbers_of(source)
  for _, row in ipairs(core.describe(source)) do
    if row.name == "body" then return source.body end
  end
  return source
end

-- What rows of a record add to an entry. Flags are bits with names, or lists of numbers with names.
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

local function adder_of(row)
  if row.flags then return adders.bits end
  if row.array then return row.name:find "^sf%d$" and adders.list end
  if row.type == "col3" or row.type == "col4" then return adders.color end
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
    local name = material.name
    local entry = {
      kind = material.kind,
      name = name ~= "" and name or nil,
      source = material.source,
      material = material,
      textures = textures_of(material),
    }
    if entry.kind == "shader" then add_look(entry, numbers_of(entry.source)) end
    list[i] = entry
  end
  return list
end

-- ---- names that are not known --------------------------------------------------------------------------

--- Whether a name that was given to a collision material is not known: the material shows a number then.
-- @param name what was given
-- @param shown what the field shows now
-- @treturn boolean
function materials.is_unknown(name, shown)
  return type(name) == "string" and type(shown) == "number" and not tonumber(name)
end

--- What reports of verbs say of names of collision materials that are not known.
-- @param doc that has collision materials of these names
-- @tparam {string,...} names
-- @treturn ?{string,...} nil where there is nothing to say
function materials.warnings(doc, names)
  local list = {}
  for _, name in ipairs(names) do -- to replace a name by itself changes nothing, and checks it
    local report = doc:set_materials { from = name, to = name, what = "collision" }
    for _, warning in ipairs(report and report.warnings or {}) do list[#list + 1] = warning end
  end
  return list[1] and list or nil
end

-- ---- other names ---------------------------------------------------------------------------------------

-- As games compare names: upper and lower case, and both slashes, are the same.
local function folded(name)
  return type(name) == "string" and name:lower():gsub("/", "\\") or name
end

-- What a table of old and new names gives for a name, as a function does.
local function by_table(names)
  local new = {}
  for old, name in pairs(names) do new[folded(old)] = name end
  return function(name) return new[folded(name)] end
end

-- Where the file of a slot is written: the lists of textures beside the named ones have slots like paths.
local function texture_place(entry, slot)
  local i, k = slot:match "^arrays%[(%d+)%]%.textures%[(%d+)%]$"
  if i then return entry.source.body.arrays[tonumber(i)].textures, tonumber(k) end
  return entry.material.textures, slot
end

-- All names of a document: what they are of, what they say, and where that is written.
local function each_name(doc, each)
  for _, entry in ipairs(materials.list(doc)) do
    if entry.kind == "collision" then
      each(entry, "collision", entry.name, nil, entry.material, "material")
    elseif entry.name then
      each(entry, "shader", entry.name, nil, entry.source, "name")
    end
    for _, texture in ipairs(entry.textures) do
      each(entry, "texture", texture.file, texture.slot, texture_place(entry, texture.slot))
    end
  end
end

-- Before anything changes: records to write to, with the new names.
local function changes_of(doc, new_name)
  local list = {}
  each_name(doc, function(entry, kind, name, slot, record, field)
    local new = new_name(name, kind, entry.source, slot)
    if new and new ~= name then list[#list + 1] = { record = record, field = field, name = new } end
  end)
  return list
end

-- How many changed, and the names that are numbers now: nobody knows those.
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

--- `lathe.set_materials`: see `lathe.members`. All are changed, or none where one is refused.
function materials.set(doc, how, opts)
  check_options(opts)
  local list = changes_of(doc, type(how) == "table" and by_table(how) or how)
  local unknown
  local ok, result = pcall(doc.edit, doc, function()
    local changed
    changed, unknown = apply(list)
    return changed
  end)
  if not ok then return nil, result end
  local allowed = opts and opts.unknown == "allow"
  return { changed = result, warnings = not allowed and materials.warnings(doc, unknown) or nil }
end

return materials
