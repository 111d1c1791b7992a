--- `lathe info`: what is in a file, on one screen.
-- @module lathe.cli.info

local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local json = require "lathe.tree.json"
local out = require "lathe.cli.out"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"

local info = {
  name = "info",
  summary = "Show what is in files, one screen a file.",
  examples = { "lathe info Box.solid", "lathe info --json Models/" },
}

info.options = batch.options

local function field_text(value, row, cache)
  local kind = core.type(value)
  if not kind then
    return text.scalar(value, row) .. (row.unit and " " .. row.unit or "")
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

local function fields(doc, cache, add)
  for _, row in ipairs(cache:rows(doc)) do
    local value = doc[row.name]
    if value ~= nil and value ~= "" then add(row.name, field_text(value, row, cache)) end
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

local function skeletons(doc, add)
  for i, skeleton in ipairs(doc.skeletons) do
    local name = skeleton.name and " " .. text.quote(skeleton.name) or ""
    add("skeleton " .. i, text.count(#skeleton.bones, "bone") .. name)
  end
end

local function animations(doc, add)
  for i, anim in ipairs(doc.animations) do
    local parts = { text.number(anim.duration, "f32") .. " s", text.count(anim.frame_count, "frame"),
      text.count(#anim.tracks, "track") }
    local events = #anim.annotations
    if events > 0 then parts[#parts + 1] = text.count(events, "annotation") end
    if anim.looping then parts[#parts + 1] = "looping" end
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

local function describe_json(doc, result)
  local contents, order, cache = {}, {}, schema.new()
  for _, row in ipairs(cache:rows(doc)) do
    local value = doc[row.name]
    if value ~= nil and not (row.padding and value == "") then
      order[#order + 1] = row.name
      contents[row.name] = core.type(value) == "array" and #value or json.value(value, row)
    end
  end
  result.json = { format = doc.format, game = doc.game, size = doc.size }
  result.json.fields = setmetatable(contents, { __jsonorder = order, __jsontype = "object" })
  return true
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function info.run(args)
  return batch.run {
    args = args,
    order = { "game", "size", "fields" },
    apply = args.json and describe_json or describe,
  }
end

return info
