--- Facts about the precombined geometry of a document, from its headers only, without geometry files.
-- @module lathe.formats.nif.precombined

local core = require "lathe.core"
local paths = require "lathe.paths"

local precombined = {}

local PACKED = { BSPackedCombinedGeomDataExtra = true, BSPackedCombinedSharedGeomDataExtra = true }
local BANDS = { "tri_count0", "tri_count1", "tri_count2" }

-- A field or an element; nil if it is missing, or is a null reference.
local function get(from, key)
  local ok, value = pcall(function() return from[key] end)
  return ok and value or nil
end

-- Cell and key of a group from a name such as 0000E2DB_02BE5E11_OC.
local function ids_of(name)
  if type(name) ~= "string" then return nil end
  local hex = ("%x"):rep(8)
  return name:match("^(" .. hex .. ")_(" .. hex .. ")_[Oo][Cc]$")
end

local function cell_of(doc)
  local cell, key = ids_of(get(get(get(get(doc, "footer"), "roots"), 1), "name"))
  if cell then return cell, key end
  return ids_of(doc.path and (paths.base(doc.path):gsub("%.[^.]*$", "")))
end

-- ---- counting ---------------------------------------------------------------------------------------

local function count_object(facts, object)
  local instances, triangles = object.num_combined, 0
  for _, band in ipairs(BANDS) do triangles = triangles + object[band] end
  facts.objects, facts.instances = facts.objects + 1, facts.instances + instances
  facts.triangles = facts.triangles + triangles
  facts.expanded_triangles = facts.expanded_triangles + triangles * instances
end

local function count_block(facts, files, block)
  for _, object in ipairs(block.data) do count_object(facts, object) end
  if block.layout ~= "shared" then return end
  for _, entry in ipairs(block.objects) do
    local hash = entry.geometry_file_hash
    if not files[hash] then
      files[hash] = { hash = hash, objects = 0 }
      table.insert(facts.geometry_files, files[hash])
    end
    files[hash].objects = files[hash].objects + 1
  end
end

-- An object with triangles in each geometry file.
local function samples(block, found)
  for i, object in ipairs(block.data) do
    local hash = block.objects[i].geometry_file_hash
    found[hash] = found[hash] or { hash = hash, objects = 0 }
    found[hash].objects = found[hash].objects + 1
    if object.tri_count0 + object.tri_count1 + object.tri_count2 > 0 then found[hash].sample = object end
  end
end

-- The packed blocks of a document, and the number of shapes that own one alone.
local function packed_blocks(doc)
  local list, owned, groups = {}, {}, 0
  for _, block in ipairs(doc.blocks) do
    if PACKED[core.type(block)] then list[#list + 1] = block end
  end
  if #list == 0 then return list, 0 end
  for _, block in ipairs(doc.blocks) do
    local is_shape = core.type(block):find "Tri" and not core.problem(block)
    local extras = is_shape and get(block, "extra_data_list") or {}
    for i = 1, #extras do
      local extra = get(extras, i)
      local number = extra and PACKED[core.type(extra)] and core.index(extra)
      if number and not owned[number] then owned[number], groups = true, groups + 1 end
    end
  end
  return list, groups
end

-- The hash of the geometry file for the object at a path like "blocks[4].data[2]".
local function file_of(doc, path)
  local block, number = (path or ""):match "^(.*)%.data%[(%d+)%]"
  local ok, hash = pcall(function()
    return doc:get(("%s.objects[%s].geometry_file_hash"):format(block, number))
  end)
  return ok and hash or nil
end

--- Counts the precombined geometry of a document.
-- @tparam lathe.Document doc
-- @tparam {table,...} left_out skipped meshes of `doc:meshes { left_out = }`. An entry about a geometry file
--   becomes its `problem`, and gets `of_file`
-- @treturn ?table `cell`, `key` (eight hexadecimal digits each; nil: no name has them), `groups` (shapes with
--   packed geometry), `objects`, `instances`, `triangles` (of the objects), `expanded_triangles` (of all
--   instances), `geometry_files` (a list of `hash`, `objects`, `problem`); nil: there is none
function precombined.facts(doc, left_out)
  local blocks, groups = packed_blocks(doc)
  if #blocks == 0 then return nil end
  local facts = { groups = groups, objects = 0, instances = 0, triangles = 0, expanded_triangles = 0,
    geometry_files = {} }
  local files = {}
  facts.cell, facts.key = cell_of(doc)
  for _, block in ipairs(blocks) do
    if not core.problem(block) then count_block(facts, files, block) end
  end
  for _, one in ipairs(left_out) do
    local file = files[file_of(doc, one.path)]
    if file and not file.problem and not one.path:find "%.combined%[" then
      file.problem, one.of_file = one.reason, true
    end
  end
  return facts
end

--- The geometry files that cannot be opened.
-- @tparam lathe.Document doc
-- @treturn {table,...} in the order of their hashes: `hash`, `objects`, `reason`
function precombined.missing(doc)
  local found, list = {}, {}
  for _, block in ipairs(packed_blocks(doc)) do
    if not core.problem(block) and block.layout == "shared" then samples(block, found) end
  end
  for _, file in pairs(found) do
    local ok, err = pcall(function() return file.sample and file.sample.triangles end)
    if not ok and type(err) == "table" and err.code == "io" then
      list[#list + 1] = { hash = file.hash, objects = file.objects, reason = err.message }
    end
  end
  table.sort(list, function(a, b) return a.hash < b.hash end)
  return list
end

return precombined
