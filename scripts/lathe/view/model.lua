--- What a page shows of a document in three dimensions: the .glb with its shapes, collision, bones and clips.
-- @module lathe.view.model

local core = require "lathe.core"
local errors = require "lathe.errors"
local export = require "lathe.export"
local gltf = require "lathe.export.gltf"
local nodes = require "lathe.view.nodes"
local places = require "lathe.view.places"
local schema = require "lathe.tree.schema"
local textures = require "lathe.view.textures"

local model = {}

local function format_of(doc)
  for _, format in ipairs(core.formats()) do
    if format.name == doc.format then return format end
  end
end

local function add_all(to, list)
  for _, one in ipairs(list) do to[#to + 1] = { path = one.path or "", reason = one.reason } end
end

-- Calls a function that gives nil and an error, or raises what is wrong with a file. Mistakes in lathe itself
-- are raised.
local function guarded(call, ...)
  local ok, found, err = pcall(call, ...)
  if ok then return found, err end
  if not errors.is(found) then error(found, 0) end
  return nil, found
end

local function left_out(said, err)
  said.notes[#said.notes + 1] = { path = "", reason = errors.is(err) and err.message or tostring(err) }
end

-- Includes the "geometry" or "collision" of a document, or (nil) its clips and bones. If that fails, a note
-- says why.
local function include(scene, doc, kind, said)
  local before, rigs = #scene.groups, scene.rigs
  scene.kind, scene.rigs = kind, not kind and rigs
  local found, err = guarded(scene.include, scene, doc)
  scene.kind, scene.rigs = nil, rigs
  if not found then
    scene:cut(before)
    return left_out(said, err)
  end
  said.meshes, said.triangles = said.meshes + found.meshes, said.triangles + found.triangles
  said.clips, said.bones = said.clips + found.clips, math.max(said.bones, found.bones)
  add_all(said.notes, found.skipped)
  add_all(said.notes, found.notes)
  for i = before + 1, #scene.groups do scene.groups[i].collides = kind == "collision" or nil end
end

local function include_nodes(scene, doc, said)
  local rig = nodes.of(doc)
  if not rig then return end
  include(scene, rig, nil, said)
  said.notes[#said.notes + 1] = { path = "", reason = nodes.NOTE }
end

-- The axis that points up, and the length of a unit, of the first group that knows.
local function space_of(scene)
  local up, metres = "y", nil
  for i = #scene.groups, 1, -1 do
    up, metres = scene.groups[i].up or up, scene.groups[i].metres or metres
  end
  return up, metres
end

local function edge_color(_, material) return core.edge_color(material) end

-- As in pictures.
local function surface_color(part)
  local roles = part.surface and part.surface.textures
  return core.surface_color(part.material, roles and roles.base_color, part.name)
end

-- Sets how parts are coloured that no texture covers.
local function set_colors(groups)
  for _, group in ipairs(groups) do
    for _, part in ipairs(group.parts) do part.color_of = group.collides and edge_color or surface_color end
  end
end

--- The model of a document.
-- @param doc
-- @tparam table opts `skeleton`, `mesh`: as for `lathe.export`; `lod`; `data`: a function that gives textures
-- @treturn table `glb` (bytes, or nil), `textures` (URLs by path, or nil), `meshes`, `triangles`, `clips`,
--   `bones`, `notes`: a list of `path` and `reason`, `up`, `metres`
function model.of(doc, opts)
  local said = { meshes = 0, triangles = 0, clips = 0, bones = 0, notes = {} }
  local format = format_of(doc)
  local scene = export.begin {
    skeleton = opts.skeleton, mesh = opts.mesh, lod = opts.lod, format = "glb",
  }
  local cache = schema.new()
  scene.place_of = function(from, mesh) return places.of_mesh(from, mesh, cache) end
  local rigged = #doc.animations > 0 or #doc.skeletons > 0
  if rigged then include(scene, doc, nil, said) end
  if format.can.meshes and not rigged then include(scene, doc, "geometry", said) end
  if format.can.bodies then include(scene, doc, "collision", said) end
  if not rigged and said.meshes == 0 then include_nodes(scene, doc, said) end
  said.up, said.metres = space_of(scene)
  if said.meshes + said.clips + said.bones == 0 then return said end
  set_colors(scene.groups)
  if opts.data then said.textures = textures.of(scene.groups, opts.data, said.notes) end
  local bytes, why = gltf.encode(scene, { compact = true, textured = opts.data ~= nil })
  if not bytes then
    said.notes[#said.notes + 1] = { path = "", reason = "nothing is drawn: " .. why }
  end
  said.glb = bytes
  for _, group in ipairs(scene.groups) do
    for _, reason in ipairs(group.notes or {}) do
      said.notes[#said.notes + 1] = { path = group.name or "", reason = reason }
    end
  end
  return said
end

--- What the picture of a page takes beside the .glb (`scripts/viewer/src/picture/index.js`), ready for JSON.
-- @param doc
-- @tparam table found from `model.of`
-- @treturn table `up`, `metres`, `places`, `textures`
function model.data(doc, found)
  return {
    up = found.up, metres = found.metres,
    places = setmetatable(found.glb and places.of_bones(doc) or {}, { __jsontype = "array" }),
    textures = setmetatable(found.textures or {}, { __jsontype = "object" }),
  }
end

return model
