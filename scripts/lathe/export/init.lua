--- Geometry, skeletons and animations for other programs: binary glTF 2.0 (.glb), Wavefront .obj with its
-- .mtl for geometry, .csv for the curves of an animation, .dot for a drawing of a behavior graph.
--
-- In the first two, y is up, triangles are counter-clockwise seen from outside, and lengths are those of the
-- game unless a scale is given. In a .glb, meshes are as in the file, below a node for each document, which
-- rotates and scales them; skins keep their bones, and materials have the paths of their textures in
-- `extras.textures`. In an .obj all transforms are applied, with bones at rest.
--
-- An object that a document draws in several places, such as precombined geometry, is one mesh of a .glb with
-- a node for each instance; its place in a shared file is in the mesh's `extras`.
--
-- A document with animations or skeletons becomes animated bones: all bones as nodes with their rest pose, a
-- skin that lists them, and an animation for each clip with a key for each frame. Root motion moves a
-- separate node, `root motion`, which is the parent of the bones. Data without a place in glTF are in
-- `extras.lathe` of the animations (annotations, float tracks, hints, frame rate, duration) and of the node
-- (skeleton, bones in order, float slots). Poses of additive clips are written as they are stored, with
-- `additive` in `extras.lathe`.
--
-- In Blender: the node that rotates and scales becomes the armature object. Before you import, set the
-- scene's frame rate to that of the clip (1000 for .anm, whose times are milliseconds): Blender's exporter
-- writes a key at each whole frame of the scene. glTF gives bones no length, so Blender chooses where they
-- end and rotates their axes to point there. `lathe.import` restores the game's axes by comparing rest poses;
-- do not move or rotate bones in edit mode.
-- @module lathe.export

local core = require "lathe.core"
local errors = require "lathe.errors"
local csv = require "lathe.export.csv"
local dot = require "lathe.export.dot"
local gltf = require "lathe.export.gltf"
local obj = require "lathe.export.obj"
local paths = require "lathe.paths"
local rig = require "lathe.export.rig"
local scene = require "lathe.export.scene"

local export = {}

local FORMATS = { csv = true, dot = true, glb = true, obj = true }
local OPTIONS = {
  clips = true, euler = true, format = true, lod = true, mesh = true, scale = true, skeleton = true,
  textures = true, what = true,
}
local LEAST, MOST = 1e-20, 1e20 -- limits of a scale
local TEXTURES = { names = true, reference = true }
local LOD = { [0] = true, [1] = true, [2] = true }
local WHAT = { geometry = true, collision = true }

local function check_options(opts)
  for name in pairs(opts) do
    if not OPTIONS[name] then
      error(("no option '%s' of export: it takes clips, euler, format, lod, mesh, scale, skeleton, "
        .. "textures and what"):format(tostring(name)), 0)
    end
  end
  if opts.format ~= nil and not FORMATS[opts.format] then
    error("option 'format': 'csv', 'dot', 'glb' or 'obj' expected", 0)
  end
  if opts.euler ~= nil and not csv.is_order(opts.euler) then
    error("option 'euler': an order of axes expected, as 'XYZ'", 0)
  end
  if opts.textures ~= nil and not TEXTURES[opts.textures] then
    error("option 'textures': 'names' or 'reference' expected", 0)
  end
  if opts.what ~= nil and not WHAT[opts.what] then
    error("option 'what': 'geometry' or 'collision' expected", 0)
  end
  if opts.lod ~= nil and not LOD[opts.lod] then error("option 'lod': 0, 1 or 2 expected", 0) end
  local scale = opts.scale
  if scale ~= nil and scale ~= "metres"
    and not (math.type(scale) and scale >= LEAST and scale <= MOST) then
    error("option 'scale': 'metres' or a number from 1e-20 to 1e20 expected", 0)
  end
end

-- Errors of the caller are raised at the line of the call.
local function at_caller(level, fn, ...)
  local ok, result, err = pcall(fn, ...)
  if ok then return result, err end
  error(result, type(result) == "string" and level + 2 or 0)
end

local function library_of(path)
  return (paths.base(path):gsub("%.[^.]*$", "")) .. ".mtl"
end

local function nothing(said)
  local first = said.skipped[1]
  if said.states then return "there is no behavior graph to draw" end
  return "there is no mesh to export" .. (first and (": %s: %s"):format(first.path, first.reason) or "")
end

--- Starts a scene: fill it with `scene:include`, write it with `export.finish`.
-- @tparam table opts as those of `lathe.export`
-- @treturn Scene
function export.begin(opts)
  check_options(opts)
  if opts.format == "dot" then return dot.page() end
  local all = scene.new(opts.scale or 1, opts.what, opts.lod)
  if not opts.what and opts.format ~= "obj" then all:allow_rigs(opts) end
  all.plain = opts.format == "csv"
  return all
end

-- Writes the only clip of a table, which has no lengths to scale.
local function csv_of(what, path, opts)
  local clips = what.rig and what.rig.rig.clips or {}
  if #clips ~= 1 then
    local why = ("a .csv holds one clip, and there are %d"):format(#clips)
    return nil, errors.new(#clips == 0 and "invalid" or "unsupported", why, path)
  end
  local lost = csv.leaves_out(clips[1])
  if lost then
    what.rig.notes = what.rig.notes or {}
    table.insert(what.rig.notes, lost)
  end
  return csv.encode(clips[1], opts.euler)
end

--- Encodes a scene.
-- @tparam Scene what
-- @tparam string path
-- @tparam table opts
-- @treturn ?string
-- @return the error; or the bytes of the .mtl, nil if there is none
function export.encode(what, path, opts)
  local format = opts.format or paths.extension(path)
  if format == "obj" then return obj.encode(what, library_of(path), "lathe " .. core.VERSION) end
  if format == "csv" then return csv_of(what, path, opts) end
  if format == "dot" then return dot.encode(what.doc, core.path) end
  if format ~= "glb" then
    return nil, errors.new("unsupported", "a .glb, an .obj, a .csv or a .dot is what can be written", path)
  end
  local bytes, why = gltf.encode(what, opts)
  if bytes then return bytes end
  return nil, errors.new("limit", why, path)
end

--- Writes a scene.
-- @tparam Scene what
-- @tparam string path
-- @tparam table opts
-- @treturn ?{string,...} the files
-- @return the error
function export.finish(what, path, opts)
  local bytes, extra = export.encode(what, path, opts)
  if not bytes then return nil, extra end
  local files = { path }
  if extra then -- first, because the other one refers to it
    files[2] = paths.join(paths.folder(path), library_of(path))
    local ok, err = core.write(files[2], extra)
    if not ok then return nil, err end
  end
  local ok, err = core.write(path, bytes)
  if not ok then return nil, err end
  return files
end

--- Adds notes from writing a scene.
-- @tparam Scene all
-- @tparam {table,...} notes a list of `path`, `reason`
function export.note(all, notes)
  for _, group in ipairs(all.groups) do
    for _, reason in ipairs(group.notes or {}) do
      notes[#notes + 1] = { path = group.name or "bones", reason = reason }
    end
  end
end

-- Adds the given clips to a document: a mesh is placed into their skeleton.
local function with_clips(what, opts)
  local list = {}
  if core.type(opts.clips) or opts.clips.samples then list[1] = opts.clips
  else table.move(opts.clips, 1, #opts.clips, 1, list) end
  if rig.is_part(what) or core.type(what) and rig.is_entry { doc = what } then
    table.insert(list, 1, what)
  else
    opts.mesh = what
  end
  return list
end

local function write(what, path, given)
  local opts = {}
  for key, value in pairs(given) do opts[key] = value end
  if not opts.format and FORMATS[paths.extension(path)] then opts.format = paths.extension(path) end
  check_options(opts)
  if opts.clips then what = with_clips(what, opts) end
  local all = export.begin(opts)
  local said, err = all:include(what)
  if not said then return nil, errors.new("invalid", err, path) end
  if said.meshes + said.clips + said.bones + (said.states or 0) == 0 then
    return nil, errors.new("invalid", nothing(said), path)
  end
  said.files, err = export.finish(all, path, opts)
  if not said.files then return nil, err end
  export.note(all, said.notes)
  if said.bones == 0 then said.clips, said.bones = nil, nil end
  return said
end

-- lathe.export
function export.export(what, path, opts)
  if type(path) ~= "string" then error("a path expected", 2) end
  if opts ~= nil and type(opts) ~= "table" then error("options are a table", 2) end
  local report, err = at_caller(1, write, what, path, opts or {})
  return report, err
end

return export
