--- Arguments of verbs that are files: skeletons, animations, meshes and documents.
-- @module lathe.cli.verbs.files

local batch = require "lathe.cli.batch"
local core = require "lathe.core"
local formats = require "lathe.formats"
local paths = require "lathe.paths"
local text = require "lathe.tree.text"

local verb_files = {}

local IMPORTED = { obj = true, glb = true, gltf = true }

local function open_document(path, opened)
  if not opened[path] then
    local doc, err = core.open(path)
    if not doc then return nil, tostring(err) end -- the message names the file
    opened[path] = doc
  end
  return opened[path]
end

-- The meshes of a file of a game: what is drawn, or what collides in formats that draw nothing.
local function own_meshes(path, opened)
  local source, err = open_document(path, opened)
  if not source then return nil, err end
  local list, what = {}, batch.can(source.format, "meshes") and "geometry" or "collision"
  local ok, why = pcall(function()
    for mesh in source:meshes { what = what } do list[#list + 1] = mesh end
  end)
  if not ok then return nil, ("%s: %s"):format(path, why) end
  return list
end

-- The meshes of a file, in the axes of the document.
local function meshes_of(path, opened, doc)
  local up = formats.up(doc.format)
  local read = IMPORTED[paths.extension(path)] and require("lathe.import").import or own_meshes
  local list, err = read(path, read == own_meshes and opened or { up = up, what = "geometry" })
  if not list then return nil, tostring(err) end
  if #list == 0 then return nil, path .. ": it contains no mesh" end
  if list[1].up ~= up then
    return nil, ("%s: %s points up in it, and %s in %s files: `lathe export` it as .glb and use that")
      :format(path, list[1].up, up, doc.format)
  end
  return list
end

local function mesh_of(path, opened, doc)
  local list, err = meshes_of(path, opened, doc)
  if not list then return nil, err end
  if #list > 1 then return nil, ("%s: it contains %s; one is wanted"):format(path, text.count(#list,
    "mesh")) end
  return list[1]
end

-- All poses of the only animation of a file, for an animation with as many tracks.
local function samples_of(path, opened, doc, record)
  local source, err = open_document(path, opened)
  if not source then return nil, err end
  local count = #source.animations
  if count ~= 1 then return nil, ("%s: it contains %s; one is wanted"):format(path, text.count(count,
    "animation")) end
  local from, to = source.animations[1], record == doc and doc.animations[1] or record
  local own = core.type(to) == "animation" and #to.tracks or #from.tracks
  if #from.tracks ~= own then
    return nil, ("%s: it has %s, and the animation has %d"):format(path, text.count(#from.tracks, "track"),
      own)
  end
  return from:decode()
end

local READ = {
  skeleton = open_document, clip = open_document, document = open_document,
  meshes = meshes_of, mesh = mesh_of, samples = samples_of,
}

--- Whether an argument of this kind is the name of a file.
-- @tparam string kind
-- @treturn boolean
function verb_files.is_file(kind) return READ[kind] ~= nil end

--- Reads such a file.
-- @tparam string kind
-- @tparam string path
-- @tparam table opened documents by path: those of the whole batch
-- @param doc the document that is to be changed
-- @param record what of it: the document itself, or what `--at` names
-- @return[1] the value for the verb
-- @treturn[2] nil
-- @treturn[2] string why there is none; it names the file
function verb_files.read(kind, path, opened, doc, record) return READ[kind](path, opened, doc, record) end

return verb_files
