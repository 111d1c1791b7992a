--- `lathe info`: an overview of a file on one screen.
-- @module lathe.cli.commands.info

local containers = require "lathe.cli.batch.containers"
local core = require "lathe.core"
local batch = require "lathe.cli.batch"
local formats = require "lathe.formats"
local graph_info = require "lathe.cli.commands.graph_info"
local json = require "lathe.tree.json"
local list_materials = require("lathe.materials").list
local out = require "lathe.cli.out"
local records = require "lathe.cli.pages.records"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"

local info = {
  name = "info",
  summary = "Show an overview of each file.",
  description = [[
Show an overview of each file. Of a behavior graph it is one screen of the tree: state machines, their
states, the events that lead from state to state, and what the states play. With --json, print these members:

]] .. records.help "info",
  examples = {
    "lathe info Box.solid", "lathe info --json Models/", "lathe info --machine GuardRoot behavior.hkx",
    "lathe info --at 'bodies[1].material' Models/",
  },
}

--- Adds the options.
-- @param command an argparse command
function info.options(command)
  batch.options(command)
  graph_info.options(command)
  command:option("--at", "Show only what this path leads to, as `lathe get` does (default: all of the file).")
    :argname "<path>"
end

-- Counts elements by type: a list of { name =, count =, opaque = } in order of first occurrence, and the
-- number of elements of unknown types (or damaged ones).
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

local SHOWN_TYPES = 4 -- of opaque elements, on the line with their number

-- "83 objects, 77 opaque: a type x 19 …"
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

-- Adds the line of such an array, and unless it is to be `short` one for each type.
local function several_types(array, row, cache, add, short)
  local list, opaque = count_types(array, cache)
  add(row.name, types_text(array, row, list, opaque))
  if short then return end
  for _, type in ipairs(list) do
    add("  " .. type.name, type.count .. (type.opaque and ", opaque" or ""))
  end
end

local SHOWN_LINKS = 16

-- The references of an element, and its name.
local function element_links(element, cache)
  local entry = { refs = {} }
  for _, field in ipairs(cache:rows(element)) do
    local value = element[field.name]
    if field.name == "name" and type(value) == "string" then
      entry.name = value
    elseif field.ref and not field.array then
      entry.refs[#entry.refs + 1] =
        { field = field.name, type = core.type(value), path = value and core.path(value) or nil }
    end
  end
  return entry
end

-- For a record that the document refers to: its lists with further references, with at most so many elements
-- of each.
local function link_facts(record, cache, most)
  local lists = {}
  for _, row in ipairs(cache:listed_rows(record)) do
    local elements = row.array and row.kind == "record" and not row.ref and record[row.name] or {}
    local list, refs = { name = row.name, count = #elements }, 0
    for i = 1, math.min(#elements, most) do
      list[i] = element_links(elements[i], cache)
      refs = refs + #list[i].refs
    end
    if refs > 0 then lists[#lists + 1] = list end
  end
  return lists
end

local function links(record, cache, add)
  for _, list in ipairs(link_facts(record, cache, SHOWN_LINKS)) do
    for i, entry in ipairs(list) do
      local parts = { entry.name and text.quote(entry.name) or nil }
      for _, ref in ipairs(entry.refs) do
        parts[#parts + 1] = ref.path and ("-> %s %s"):format(ref.type, ref.path) or "-> null"
      end
      if #parts > 1 then add(("  %s[%d]"):format(list.name, i), table.concat(parts, " ")) end
    end
    if list.count > SHOWN_LINKS then add("", ("... %d more"):format(list.count - SHOWN_LINKS)) end
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

-- Values that are not worth a line: counts of lists that are shown, and empty texts and lists.
local function is_noise(value, row, counts, cache)
  if row.count then return counts[value] end
  if core.type(value) == "array" then return #value == 0 end
  if core.type(value) and not row.ref then return not cache:is_vector(value) end -- its name says nothing
  return value == "" or value == "\0" -- tools of some games store it like this
end

-- Adds the document's fields; the lists of several types alone if it is to be `short`.
local function add_fields(doc, cache, add, short)
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
      several_types(value, row, cache, add, short)
    elseif shown and not short and row.ref and core.type(value) then
      add(row.name, ("-> %s %s"):format(core.type(value), core.path(value)))
      links(value, cache, add)
    elseif shown and not short then
      add(row.name, field_text(value, row, cache))
    end
  end
end

local function mesh_fact(doc, mesh)
  local low, high = mesh.positions:bounds()
  local extent = low and mesh.positions.rows > 0 and {} or nil
  for i = 1, extent and #low or 0 do extent[i] = high[i] - low[i] end
  return {
    name = mesh.name and mesh.name ~= "" and mesh.name ~= doc.format and mesh.name or nil,
    positions = mesh.positions.rows, triangles = #mesh.indices // 3, extent = extent,
    turned = formats.turned(doc.format, mesh),
  }
end

-- The extent of each mesh that is drawn once, and what is skipped of those drawn in several places. If a mesh
-- cannot be read, the last fact has the reason.
local function mesh_facts(doc)
  local list, left_out = {}, {}
  local next_mesh = doc:meshes { once = true, left_out = left_out }
  while true do
    local ok, mesh = pcall(next_mesh)
    if not ok then
      list[#list + 1] = { problem = tostring(type(mesh) == "table" and mesh.message or mesh) }
    end
    if not ok or not mesh then return list, left_out end
    if not mesh.object then list[#list + 1] = mesh_fact(doc, mesh) end
  end
end

local function some(list, add, label, text_of)
  for i = 1, math.min(#list, SHOWN_LINKS) do add(label, text_of(list[i])) end
  if #list > SHOWN_LINKS then add("", ("... %d more"):format(#list - SHOWN_LINKS)) end
end

local function reason_text(entry)
  local more = (entry.instances or 1) > 1 and (" (%s)"):format(text.count(entry.instances, "instance")) or ""
  return ("%s: %s%s"):format(entry.path, entry.reason, more)
end

-- Facts about geometry in other files, or drawn in several places.
local function precombined_facts(doc, left_out)
  local facts = formats.of(doc.format).precombined
  return facts and facts(doc, left_out)
end

local function precombined(doc, left_out, add)
  local facts = precombined_facts(doc, left_out)
  if not facts then return end
  add("precombined", ("%s%s, %s, %s"):format(
    facts.cell and ("cell %s, key %s: "):format(facts.cell, facts.key) or "",
    text.count(facts.groups, "group"), text.count(facts.objects, "object"),
    text.count(facts.instances, "instance")))
  add("  triangles", ("%d of objects, %d of all instances"):format(facts.triangles, facts.expanded_triangles))
  some(facts.geometry_files, add, "  geometry file", function(file)
    return ("0x%08X, %s%s"):format(file.hash, text.count(file.objects, "object"),
      file.problem and ": " .. file.problem or "")
  end)
  local others = {}
  for _, one in ipairs(left_out) do
    if not one.of_file then others[#others + 1] = one end
  end
  some(others, add, "  left out", reason_text)
end

local function meshes(doc, add)
  local list, left_out = mesh_facts(doc)
  for i, mesh in ipairs(list) do
    local sides = {}
    for k, side in ipairs(mesh.extent or {}) do sides[k] = text.number(side, "f32") end
    add("mesh " .. i, mesh.problem or ("%s, %s%s%s"):format(
      text.count(mesh.positions, "position"), text.count(mesh.triangles, "triangle"),
      mesh.extent and ", " .. table.concat(sides, " x ") or "",
      mesh.name and " " .. text.quote(mesh.name) or ""))
    if mesh.turned then add("  turned", "by " .. mesh.turned .. "; the fields are as in the file") end
  end
  precombined(doc, left_out, add)
end

-- Facts about all collision, in files without visible geometry; nil if there is none.
local function collision_facts(doc, format)
  if format.can.meshes or not format.can.bodies then return nil end
  local facts, low, high = { meshes = 0, triangles = 0 }, {}, {}
  local next_mesh = doc:meshes { what = "collision", left_out = {} }
  while true do
    local ok, mesh = pcall(next_mesh)
    if not ok then facts.problem = tostring(type(mesh) == "table" and mesh.message or mesh) end
    if not ok or not mesh then break end
    local from, to = mesh.positions:bounds()
    facts.meshes, facts.triangles = facts.meshes + 1, facts.triangles + #mesh.indices // 3
    for i = 1, from and mesh.positions.rows > 0 and 3 or 0 do
      low[i], high[i] = math.min(low[i] or from[i], from[i]), math.max(high[i] or to[i], to[i])
    end
  end
  if low[1] then facts.extent = { high[1] - low[1], high[2] - low[2], high[3] - low[3] } end
  return (facts.meshes > 0 or facts.problem) and facts or nil
end

local function collision(doc, format, add)
  local facts = collision_facts(doc, format)
  if not facts then return end
  local sides = {}
  for k, side in ipairs(facts.extent or {}) do sides[k] = text.number(side, "f32") end
  add("collision", facts.problem or ("%s, %s%s"):format(text.count(facts.meshes, "mesh", "meshes"),
    text.count(facts.triangles, "triangle"), facts.extent and ", " .. table.concat(sides, " x ") or ""))
end

-- The number of shaders and textures, and the collision materials.
local function material_facts(doc)
  local facts, by_name = { shaders = 0, textures = 0, collision = {} }, {}
  for _, material in ipairs(list_materials(doc)) do
    local name = material.name
    facts.textures = facts.textures + #material.textures
    if material.kind == "shader" then
      facts.shaders = facts.shaders + 1
    elseif name then
      if not by_name[name] then
        by_name[name] = { name = name, count = 0 }
        facts.collision[#facts.collision + 1] = by_name[name]
      end
      by_name[name].count = by_name[name].count + 1
    end
  end
  return facts
end

local function materials(doc, add)
  local facts = material_facts(doc)
  local made_of = facts.collision
  if facts.shaders + #made_of == 0 then return end
  local parts = { facts.shaders > 0 and text.count(facts.shaders, "shader") or nil }
  if facts.textures > 0 then parts[#parts + 1] = text.count(facts.textures, "texture") end
  if #made_of > 0 then
    local names = {}
    for i = 1, math.min(#made_of, SHOWN_TYPES) do
      local name, count = made_of[i].name, made_of[i].count
      local shown = math.type(name) == "integer" and ("0x%08X"):format(name) or name
      names[i] = count > 1 and ("%s × %d"):format(shown, count) or shown
    end
    local more = #made_of > SHOWN_TYPES and " …" or ""
    parts[#parts + 1] = "collision of " .. table.concat(names, ", ") .. more
  end
  add("materials", table.concat(parts, ", "))
end

-- The number of bodies of each motion type.
local function body_facts(doc)
  local list, by_motion = {}, {}
  for _, body in ipairs(doc.bodies) do
    local motion = body.motion or "other"
    if not by_motion[motion] then
      by_motion[motion] = { motion = motion, count = 0 }
      list[#list + 1] = by_motion[motion]
    end
    by_motion[motion].count = by_motion[motion].count + 1
  end
  table.sort(list, function(a, b) return a.motion < b.motion end)
  return list
end

local function bodies(doc, add)
  local parts = {}
  for i, kind in ipairs(body_facts(doc)) do parts[i] = ("%d %s"):format(kind.count, kind.motion) end
  if #parts > 0 then add("bodies", table.concat(parts, ", ")) end
end

-- Facts about all skeletons.
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

-- Facts about all animations.
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

local function entries(doc, graph, problem, args)
  local list, cache = {}, schema.new()
  local function add(name, value, cut) list[#list + 1] = { name, value, cut = cut } end
  local format = format_of(doc)
  add("format", format.doc and ("%s: %s"):format(format.name, format.doc) or format.name)
  if doc.game then add("game", doc.game) end
  add("size", text.count(doc.size, "byte"))
  if containers.is_other(doc.container) then add("container", doc.container) end
  if doc.compression then add("compression", doc.compression) end
  add_fields(doc, cache, add, graph and not args.full)
  if graph then graph_info.add(graph, add, args.full) end
  if problem then add("graph", problem) elseif not graph then graph_info.add_character(doc, add) end
  if format.can.meshes then meshes(doc, add) end
  if format.can.set_materials then materials(doc, add) end
  if format.can.bodies then bodies(doc, add) end
  collision(doc, format, add)
  if format.can.skeletons then skeletons(doc, add) end
  if format.can.animations then animations(doc, add) end
  return list
end

local function describe(doc, result, item, args)
  local graph, why = graph_info.read(doc, args)
  if graph == nil then return nil, why end
  local list, width = entries(doc, graph, why, args), 0
  for _, entry in ipairs(list) do width = math.max(width, #entry[1]) end
  result.lines[1] = out.style("bold", item.path)
  for _, entry in ipairs(list) do
    local label = entry[1] .. (" "):rep(width - #entry[1])
    local line = ("  %s  %s"):format(label, entry[2])
    result.lines[#result.lines + 1] = (entry.cut or graph and not args.full) and graph_info.cut(line) or line
  end
  if graph then
    local lines = graph_info.lines(graph, args, #result.lines)
    table.move(lines, 1, #lines, #result.lines + 1, result.lines)
  end
  return true
end

-- Converts numbers of facts for JSON.
local function plain(fact)
  if fact.duration then fact.duration = json.plain(fact.duration, "f32") end
  if fact.extent then fact.extent = json.plain(fact.extent, "f32") end
  return fact
end

local function list_of(shape, facts)
  for _, fact in ipairs(facts) do plain(fact) end
  return records.list_of(shape, facts)
end

-- Objects by field name, in file order.
local function by_field() return setmetatable({}, { __jsonorder = {}, __jsontype = "object" }) end

local function put(by_name, name, value)
  if by_name[name] == nil then table.insert(getmetatable(by_name).__jsonorder, name) end
  by_name[name] = value
end

local function link_json(target, cache)
  local link = records.of("link", { type = core.type(target), path = core.path(target) })
  for _, list in ipairs(link_facts(target, cache, math.huge)) do
    for _, entry in ipairs(list) do records.list_of("link_reference", entry.refs) end
    put(link, list.name, records.list_of("link_element", { table.unpack(list) }))
  end
  return link
end

local function detail_of(value, row)
  local detail = { type = core.type(value) == "array" and row.type or nil, unit = row.unit,
    meaning = text.meaning(value, row) }
  return next(detail) and records.of("detail", detail) or nil
end

-- True for an embedded document: listing its objects would be too much.
local function is_document(value, row, cache)
  if row.ref or row.array or not core.type(value) or cache:is_vector(value) then return false end
  for _, inner in ipairs(cache:listed_rows(value)) do
    if inner.tag then return true end
  end
  return false
end

local function describe_fields(doc, result)
  local cache = schema.new()
  local hidden = cache:defaults(doc)
  local all = { fields = by_field(), details = by_field(), links = by_field(), types = by_field() }
  for _, row in ipairs(cache:listed_rows(doc)) do
    local value, name = doc[row.name], row.name
    local is_array = core.type(value) == "array"
    if value ~= nil and not hidden[name] and not is_document(value, row, cache) then
      put(all.fields, name, is_array and #value or json.value(value, row))
      local detail = detail_of(value, row)
      if detail then put(all.details, name, detail) end
      if row.ref and core.type(value) and not is_array then put(all.links, name, link_json(value, cache)) end
    end
    if row.tag then put(all.types, name, records.list_of("type_count", count_types(value, cache))) end
  end
  for name, fields in pairs(all) do
    if name == "fields" or next(fields) then result[name] = fields end
  end
end

local function precombined_json(doc, left_out)
  local facts = precombined_facts(doc, left_out)
  if not facts then return nil end
  for _, one in ipairs(left_out) do one.of_file = nil end
  facts.left_out = records.list_of("undrawn", left_out)
  records.list_of("geometry_file", facts.geometry_files)
  return records.of("precombined", facts)
end

-- Facts about a document that depend on the capabilities of its format: capability, member, shape, function.
local FACTS = { { "meshes", "meshes", "mesh", mesh_facts },
  { "set_materials", "materials", "material_count", material_facts },
  { "bodies", "bodies", "motion_count", body_facts },
  { "skeletons", "skeletons", "skeleton", skeleton_facts },
  { "animations", "animations", "animation", animation_facts } }

local function describe_json(doc, result, _, args)
  local graph, why = graph_info.read(doc, args)
  if graph == nil then return nil, why end
  local format = format_of(doc)
  result.json = { format = doc.format, description = format.doc, game = doc.game, size = doc.size,
    container = containers.is_other(doc.container) and doc.container or nil, compression = doc.compression }
  describe_fields(doc, result.json)
  for _, fact in ipairs(FACTS) do
    local can, name, shape, facts_of = table.unpack(fact)
    if format.can[can] then
      local facts, left_out = facts_of(doc)
      if left_out then result.json.precombined = precombined_json(doc, left_out) end
      if facts.collision then
        records.list_of("named_count", facts.collision)
        result.json[name] = records.of(shape, facts)
      else
        result.json[name] = list_of(shape, facts)
      end
    end
  end
  result.json.graph = graph and graph_info.json(graph, args) or why and { problem = why } or nil
  if not result.json.graph then result.json.character = graph_info.character_json(doc) end
  local collides = collision_facts(doc, format)
  if collides then result.json.collision = records.of("collision", plain(collides)) end
  return true
end

-- What --at leads to.
local function describe_path(doc, result, item, args)
  if not args.json then out.line(out.style("bold", item.path)) end
  local get = require "lathe.cli.commands.get" -- here, because most runs do not need it
  local place = require "lathe.cli.verbs.place"
  local found, why = get.print_path(doc, result, { path = place.typed(args.at), json = args.json })
  result.json.format = doc.format
  return found, why
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function info.run(args)
  return batch.run {
    args = args,
    apply = function(doc, result, item)
      if args.at then return describe_path(doc, result, item, args) end
      return (args.json and describe_json or describe)(doc, result, item, args)
    end,
  }
end

return info
