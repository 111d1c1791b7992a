--- `lathe info`: what is in a file, on one screen.
-- @module lathe.cli.info

local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local json = require "lathe.tree.json"
local list_materials = require("lathe.materials").list
local out = require "lathe.cli.out"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"

local info = {
  name = "info",
  summary = "Show what is in files, one screen a file.",
  examples = { "lathe info Box.solid", "lathe info --json Models/" },
}

info.options = batch.options

-- Elements of several types, counted: a list of { name =, count =, opaque = } in the order that they first
-- come, and how many are of types that nobody described (or broken).
local function count_types(array, cache)
  local list, by_name, opaque = {}, {}, 0
  for i = 1, #array do
    local name, is_opaque = core.type(array[i]), cache.is_opaque(array[i])
    local key = name .. (is_opaque and "?" or "")
    if not by_name[key] then
      by_name[key] = { name = name, count = 0, opaque = is_opaque }
      list[#list + 1] = by_name[key]
    end
    by_name[key].count = by_name[key].count + 1
    opaque = opaque + (is_opaque and 1 or 0)
  end
  return list, opaque
end

local SHOWN_TYPES = 4 -- of those that are opaque, on the line that counts them

-- "83 objects, 77 opaque: hknpCapsuleShape x 19 …"
local function types_text(array, row, list, opaque)
  local line = text.count(#array, (row.name:gsub("s$", ""))) .. ", "
  if opaque == 0 then return line .. "all described" end
  local names = {}
  for _, type in ipairs(list) do
    if type.opaque then names[#names + 1] = type end
  end
  table.sort(names, function(a, b)
    if a.count ~= b.count then return a.count > b.count end
    return a.name < b.name
  end)
  for i, type in ipairs(names) do
    names[i] = type.count > 1 and ("%s × %d"):format(type.name, type.count) or type.name
  end
  local more = #names > SHOWN_TYPES and " …" or ""
  local shown = table.concat(names, ", ", 1, math.min(#names, SHOWN_TYPES))
  return ("%s%d opaque: %s%s"):format(line, opaque, shown, more)
end

-- The line of such an array, and one for each type.
local function several_types(array, row, cache, add)
  local list, opaque = count_types(array, cache)
  add(row.name, types_text(array, row, list, opaque))
  for _, type in ipairs(list) do
    add("  " .. type.name, type.count .. (type.opaque and ", opaque" or ""))
  end
end

local SHOWN_LINKS = 16

-- Of a record that the document points to: what it points to itself, by name.
local function links(record, cache, add)
  for _, row in ipairs(cache:listed_rows(record)) do
    local elements = row.array and row.kind == "record" and not row.ref and record[row.name] or {}
    for i = 1, math.min(#elements, SHOWN_LINKS) do
      local parts = {}
      for _, field in ipairs(cache:rows(elements[i])) do
        local value = elements[i][field.name]
        if field.name == "name" and type(value) == "string" then
          table.insert(parts, 1, text.quote(value))
        elseif field.ref and not field.array then
          parts[#parts + 1] = value and ("-> %s %s"):format(core.type(value), core.path(value)) or "-> null"
        end
      end
      if #parts > 1 then add(("  %s[%d]"):format(row.name, i), table.concat(parts, " ")) end
    end
    if #elements > SHOWN_LINKS then add("", ("... %d more"):format(#elements - SHOWN_LINKS)) end
  end
end

local function field_text(value, row, cache)
  local kind = core.type(value)
  if not kind then
    if type(value) == "string" and not text.is_bytes(row) then value = value:gsub("%z$", "") end
    return text.explained(value, row) .. (row.unit and " " .. row.unit or "")
  elseif kind == "array" then
    return ("%s[%d]"):format(row.type, #value) .. (row.unit and ", " .. row.unit or "")
  elseif cache:is_vector(value) then
    local parts = {}
    for _, lane in ipairs(cache:rows(value)) do
      parts[#parts + 1] = ("%s %s"):format(lane.name, text.number(value[lane.name], lane.type))
    end
    return table.concat(parts, "  ")
  end
  return kind
end

-- What nobody misses: counts of lists that are there, and texts and lists without anything in them.
local function is_noise(value, row, counts, cache)
  if row.count then return counts[value] end
  if core.type(value) == "array" then return #value == 0 end
  if core.type(value) and not row.ref then return not cache:is_vector(value) end -- its name would say nothing
  return value == "" or value == "\0" -- tools of some games end texts with it
end

local function fields(doc, cache, add)
  local hidden, counts = cache:defaults(doc), {}
  local rows = cache:listed_rows(doc)
  for _, row in ipairs(rows) do
    local value = doc[row.name]
    if core.type(value) == "array" then counts[#value] = true end
  end
  for _, row in ipairs(rows) do
    local value = doc[row.name]
    local shown = value ~= nil and not hidden[row.name] and not is_noise(value, row, counts, cache)
    if shown and row.tag then
      several_types(value, row, cache, add)
    elseif shown and row.ref and core.type(value) then
      add(row.name, ("-> %s %s"):format(core.type(value), core.path(value)))
      links(value, cache, add)
    elseif shown then
      add(row.name, field_text(value, row, cache))
    end
  end
end

local function size_text(low, high)
  local sides = {}
  for i = 1, #low do sides[i] = text.number(high[i] - low[i], "f32") end
  return table.concat(sides, " x ")
end

-- The extent of every mesh.
local function meshes(doc, add)
  local i = 0
  for mesh in doc:meshes() do
    i = i + 1
    local named = mesh.name and mesh.name ~= "" and mesh.name ~= doc.format
    local name = named and " " .. text.quote(mesh.name) or ""
    local low, high = mesh.positions:bounds()
    local extent = low and mesh.positions.rows > 0 and ", " .. size_text(low, high) or ""
    add("mesh " .. i, ("%s, %s%s%s"):format(
      text.count(mesh.positions.rows, "position"),
      text.count(#mesh.indices // 3, "triangle"), extent, name))
  end
end

-- How many shaders and textures there are, and what collision is made of.
local function materials(doc, add)
  local shaders, textures, made_of, counts = 0, 0, {}, {}
  for _, material in ipairs(list_materials(doc)) do
    textures = textures + #material.textures
    if material.kind == "shader" then
      shaders = shaders + 1
    elseif material.name then
      if not counts[material.name] then made_of[#made_of + 1] = material.name end
      counts[material.name] = (counts[material.name] or 0) + 1
    end
  end
  if shaders + #made_of == 0 then return end
  local parts = { shaders > 0 and text.count(shaders, "shader") or nil }
  if textures > 0 then parts[#parts + 1] = text.count(textures, "texture") end
  if #made_of > 0 then
    local more = #made_of > SHOWN_TYPES and " …" or ""
    for i, name in ipairs(made_of) do
      local shown = math.type(name) == "integer" and ("0x%08X"):format(name) or name
      made_of[i] = counts[name] > 1 and ("%s × %d"):format(shown, counts[name]) or shown
    end
    local shown = table.concat(made_of, ", ", 1, math.min(#made_of, SHOWN_TYPES))
    parts[#parts + 1] = "collision of " .. shown .. more
  end
  add("materials", table.concat(parts, ", "))
end

-- How many bodies there are of each kind.
local function bodies(doc, add)
  local counts, order = {}, {}
  for _, body in ipairs(doc.bodies) do
    local kind = body.motion or "other"
    if not counts[kind] then order[#order + 1] = kind end
    counts[kind] = (counts[kind] or 0) + 1
  end
  if #order == 0 then return end
  table.sort(order)
  for i, kind in ipairs(order) do order[i] = ("%d %s"):format(counts[kind], kind) end
  add("bodies", table.concat(order, ", "))
end

-- Facts of all skeletons.
local function skeleton_facts(doc)
  local list = {}
  for i, skeleton in ipairs(doc.skeletons) do
    local slots = skeleton.float_slots
    list[i] = { name = skeleton.name, bones = #skeleton.bones, float_slots = slots and #slots }
  end
  return list
end

local function skeletons(doc, add)
  for i, skeleton in ipairs(skeleton_facts(doc)) do
    local parts = { text.count(skeleton.bones, "bone") }
    if (skeleton.float_slots or 0) > 0 then parts[2] = text.count(skeleton.float_slots, "float slot") end
    local name = skeleton.name and " " .. text.quote(skeleton.name) or ""
    add("skeleton " .. i, table.concat(parts, ", ") .. name)
  end
end

-- Facts of all animations.
local function animation_facts(doc)
  local list = {}
  for i, anim in ipairs(doc.animations) do
    local of = core.type(anim.source)
    list[i] = {
      name = anim.name, type = of ~= doc.format and of or nil, duration = anim.duration,
      frame_count = anim.frame_count, tracks = #anim.tracks, annotations = #anim.annotations,
      float_tracks = #anim.float_tracks > 0 and #anim.float_tracks or nil,
      looping = anim.looping or nil, blend_hint = anim.blend_hint,
    }
  end
  return list
end

local function animations(doc, add)
  for i, anim in ipairs(animation_facts(doc)) do
    local parts = { text.number(anim.duration, "f32") .. " s", text.count(anim.frame_count, "frame"),
      text.count(anim.tracks, "track") }
    if anim.float_tracks then parts[#parts + 1] = text.count(anim.float_tracks, "float track") end
    if anim.annotations > 0 then parts[#parts + 1] = text.count(anim.annotations, "annotation") end
    if anim.looping then parts[#parts + 1] = "looping" end
    if anim.blend_hint and anim.blend_hint ~= "normal" then parts[#parts + 1] = anim.blend_hint end
    if anim.type then parts[#parts + 1] = anim.type end
    local name = anim.name and " " .. text.quote(anim.name) or ""
    add("animation " .. i, table.concat(parts, ", ") .. name)
  end
end

local function format_of(doc)
  for _, format in ipairs(core.formats()) do
    if format.name == doc.format then return format end
  end
end

local function entries(doc)
  local list, cache = {}, schema.new()
  local function add(name, value) list[#list + 1] = { name, value } end
  local format = format_of(doc)
  add("format", format.doc and ("%s: %s"):format(format.name, format.doc) or format.name)
  if doc.game then add("game", doc.game) end
  add("size", text.count(doc.size, "byte"))
  fields(doc, cache, add)
  if format.can.meshes then meshes(doc, add) end
  if format.can.set_materials then materials(doc, add) end
  if format.can.bodies then bodies(doc, add) end
  if format.can.skeletons then skeletons(doc, add) end
  if format.can.animations then animations(doc, add) end
  return list
end

local function describe(doc, result, item)
  local list, width = entries(doc), 0
  for _, entry in ipairs(list) do width = math.max(width, #entry[1]) end
  result.lines[1] = out.style("bold", item.path)
  for _, entry in ipairs(list) do
    local label = entry[1] .. (" "):rep(width - #entry[1])
    result.lines[#result.lines + 1] = ("  %s  %s"):format(label, entry[2])
  end
  return true
end

local SKELETON_ORDER = { "name", "bones", "float_slots" }
local ANIMATION_ORDER = { "name", "type", "duration", "frame_count", "tracks", "float_tracks",
  "annotations", "looping", "blend_hint" }
local TYPE_ORDER = { "name", "count", "opaque" }

local function ordered(list, order)
  for _, item in ipairs(list) do
    if item.duration then item.duration = json.plain(item.duration, "f32") end
    setmetatable(item, { __jsonorder = order, __jsontype = "object" })
  end
  return setmetatable(list, { __jsontype = "array" })
end

local function describe_json(doc, result)
  local contents, order, cache = {}, {}, schema.new()
  local format, types, hidden = format_of(doc), {}, cache:defaults(doc)
  for _, row in ipairs(cache:listed_rows(doc)) do
    local value = doc[row.name]
    if value ~= nil and not hidden[row.name] then
      order[#order + 1] = row.name
      contents[row.name] = core.type(value) == "array" and #value or json.value(value, row)
    end
    if row.tag then types[row.name] = ordered(count_types(value, cache), TYPE_ORDER) end
  end
  result.json = { format = doc.format, game = doc.game, size = doc.size }
  result.json.fields = setmetatable(contents, { __jsonorder = order, __jsontype = "object" })
  if next(types) then result.json.types = types end
  if format.can.skeletons then result.json.skeletons = ordered(skeleton_facts(doc), SKELETON_ORDER) end
  if format.can.animations then result.json.animations = ordered(animation_facts(doc), ANIMATION_ORDER) end
  return true
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function info.run(args)
  return batch.run {
    args = args,
    order = { "game", "size", "fields", "types", "skeletons", "animations" },
    apply = args.json and describe_json or describe,
  }
end

return info
