--- Geometry for other programs: binary glTF 2.0 (.glb), and Wavefront .obj with its .mtl.
--
-- In both, y is up, triangles are counter-clockwise seen from outside, and lengths are the game's own
-- unless a scale is given. In a .glb they are as they were in the file below a node for each document,
-- which turns and scales them; skins keep their bones, and materials tell the paths of their textures in
-- `extras.textures`. In an .obj all of this is applied, bones at rest.
--
-- What a document draws in several places, as precombined geometry does, is one mesh of a .glb and a node for
-- each place; where it is in a file that documents share is in the mesh's `extras`.
-- @module lathe.export

local core = require "lathe.core"
local errors = require "lathe.errors"
local gltf = require "lathe.export.gltf"
local obj = require "lathe.export.obj"
local paths = require "lathe.paths"
local scene = require "lathe.export.scene"

local export = {}

local FORMATS = { glb = true, obj = true }
local OPTIONS = { format = true, lod = true, scale = true, textures = true, what = true }
local LEAST, MOST = 1e-20, 1e20 -- what a scale may be
local TEXTURES = { names = true, reference = true }
local LOD = { [0] = true, [1] = true, [2] = true }
local WHAT = { geometry = true, collision = true }

local function check_options(opts)
  for name in pairs(opts) do
    if not OPTIONS[name] then
      error(("no option '%s' of export: it takes format, lod, scale, textures and what")
        :format(tostring(name)), 0)
    end
  end
  if opts.format ~= nil and not FORMATS[opts.format] then
    error("option 'format': 'glb' or 'obj' expected", 0)
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

-- Mistakes of the caller are raised at the line that made them.
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
  return "there is no mesh to export" .. (first and (": %s: %s"):format(first.path, first.reason) or "")
end

--- A scene to be filled with `scene:include`, and written with `export.finish`.
-- @tparam table opts as those of `lathe.export`
-- @treturn Scene
function export.begin(opts)
  check_options(opts)
  return scene.new(opts.scale or 1, opts.what, opts.lod)
end

--- The bytes of a scene.
-- @tparam Scene what
-- @tparam string path
-- @tparam table opts
-- @treturn ?string
-- @return the error; or the bytes of the .mtl, nil where there is none
function export.encode(what, path, opts)
  local format = opts.format or paths.extension(path)
  if format == "obj" then return obj.encode(what, library_of(path), "lathe " .. core.VERSION) end
  if format ~= "glb" then
    return nil, errors.new("unsupported", "a .glb or an .obj is what can be written", path)
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
  if extra then -- first, as the other one names it
    files[2] = paths.join(paths.folder(path), library_of(path))
    local ok, err = core.write(files[2], extra)
    if not ok then return nil, err end
  end
  local ok, err = core.write(path, bytes)
  if not ok then return nil, err end
  return files
end

local function write(what, path, opts)
  local all = export.begin(opts)
  local said, err = all:include(what)
  if not said then return nil, errors.new("invalid", err, path) end
  if said.meshes == 0 then return nil, errors.new("invalid", nothing(said), path) end
  said.files, err = export.finish(all, path, opts)
  if not said.files then return nil, err end
  return said
end

--- Writes geometry. Meshes without triangles, triangles with corners that are no finite numbers, instances
-- whose transforms are not finite, and objects whose geometry cannot be read are left out and listed; where
-- nothing is left, nothing is written.
-- @function export
-- @param what a document; or a list of meshes as `doc:meshes()` gives them; or, for several below a node
--   each, a list of documents and of `{ name =, meshes = }`
-- @tparam string path ends in .glb or .obj; beside an .obj with materials, an .mtl is written
-- @tparam[opt] table opts `format`: "glb" or "obj", whatever the path ends in; `scale`: a factor for all
--   lengths (1), or "metres" where the document knows its unit; `textures`: "reference" makes images of
--   textures in a .glb, by their paths from where it lies, where "names" only tells them; `what`: of
--   documents the "geometry" that is drawn, or their "collision"; `lod`: of documents triangles of the bands
--   of detail 0 to lod (0, 1 or 2; default: all), where geometry is in bands
-- @treturn ?table what was done: `files`, `meshes`, `triangles`, `skipped` (a list of `path`, `reason`) and
--   `notes` (the same of what was put right)
-- @treturn ?Error why not
-- @usage assert(lathe.export(doc, "box.glb"))
function export.export(what, path, opts)
  if type(path) ~= "string" then error("a path expected", 2) end
  if opts ~= nil and type(opts) ~= "table" then error("options are a table", 2) end
  local report, err = at_caller(1, write, what, path, opts or {})
  return report, err
end

return export
