--- Geometry for other programs: binary glTF 2.0 (.glb), and Wavefront .obj with its .mtl.
--
-- In both, y is up, triangles are counter-clockwise seen from outside, and lengths are the game's own
-- unless a scale is given. In a .glb they are as they were in the file below a node for each document,
-- which turns and scales them; skins keep their bones, and materials tell the paths of their textures in
-- `extras.textures`. In an .obj all of this is applied, bones at rest.
-- @module lathe.export

local core = require "lathe.core"
local errors = require "lathe.errors"
local gltf = require "lathe.export.gltf"
local obj = require "lathe.export.obj"
local paths = require "lathe.paths"
local scene = require "lathe.export.scene"

local export = {}

local FORMATS = { glb = true, obj = true }
local OPTIONS = { format = true, scale = true, textures = true }
local TEXTURES = { names = true, reference = true }

local function check_options(opts)
  for name in pairs(opts) do
    if not OPTIONS[name] then
      error(("no option '%s' of export, which takes format, scale and textures"):format(tostring(name)), 0)
    end
  end
  if opts.format ~= nil and not FORMATS[opts.format] then error("option 'format': 'glb' or 'obj' expected", 0) end
  if opts.textures ~= nil and not TEXTURES[opts.textures] then
    error("option 'textures': 'names' or 'reference' expected", 0)
  end
  local scale = opts.scale
  if scale ~= nil and scale ~= "metres"
    and not (math.type(scale) and scale > 0 and scale < math.huge) then
    error("option 'scale': a number above 0 or 'metres' expected", 0)
  end
end

-- Mistakes of the caller are raised at the line that made them.
local function at_caller(level, fn, ...)
  local ok, a, b, c = pcall(fn, ...)
  if ok then return a, b, c end
  error(a, type(a) == "string" and level + 2 or 0)
end

local function library_of(path)
  return (paths.base(path):gsub("%.[^.]*$", "")) .. ".mtl"
end

local function encode(what, path, opts)
  check_options(opts)
  local format = opts.format or paths.extension(path)
  if not FORMATS[format] then
    return nil, errors.new("unsupported", "a .glb or an .obj is what can be written", path)
  end
  local found, err = scene.new(what, opts.scale or 1)
  if not found then return nil, errors.new("invalid", err, path) end
  if found.meshes == 0 then
    local first = found.skipped[1]
    local why = first and (": %s: %s"):format(first.path, first.reason) or ""
    return nil, errors.new("invalid", "there is no mesh to export" .. why, path)
  end
  local files, extra
  if format == "glb" then
    files, err = gltf.encode(found, opts)
    if not files then return nil, errors.new("limit", err, path) end
  else
    files, extra = obj.encode(found, library_of(path), "lathe " .. core.VERSION)
  end
  return found, files, extra
end

local function report_of(found, files)
  return {
    files = files,
    meshes = found.meshes,
    triangles = found.triangles,
    skipped = found.skipped,
    notes = found.notes,
  }
end

--- The bytes that `lathe.export` would write.
-- @param what
-- @tparam string path
-- @tparam[opt] table opts
-- @treturn ?table the report
-- @return bytes; or the error
-- @treturn ?string the bytes of the .mtl
function export.encode(what, path, opts)
  local found, bytes, extra = at_caller(1, encode, what, path, opts or {})
  if not found then return nil, bytes end
  return report_of(found, {}), bytes, extra
end

--- Writes geometry. Meshes without triangles, and triangles with corners that are no finite numbers, are
-- left out and listed; where nothing is left, nothing is written.
-- @function export
-- @param what a document; or a list of meshes as `doc:meshes()` gives them; or, for several below a node
--   each, a list of documents and of `{ name =, meshes = }`
-- @tparam string path ends in .glb or .obj; beside an .obj with materials, an .mtl is written
-- @tparam[opt] table opts `format`: "glb" or "obj", whatever the path ends in; `scale`: a factor for all
--   lengths (1), or "metres" where the document knows its unit; `textures`: "reference" makes images of
--   textures in a .glb, by their paths from where it lies, where "names" only tells them
-- @treturn ?table what was done: `files`, `meshes`, `triangles`, `skipped` (a list of `path`, `reason`) and
--   `notes` (the same of what was put right)
-- @treturn ?Error why not
-- @usage assert(lathe.export(doc, "box.glb"))
function export.export(what, path, opts)
  if type(path) ~= "string" then error("a path expected", 2) end
  local found, bytes, extra = at_caller(1, encode, what, path, opts or {})
  if not found then return nil, bytes end
  local files = { path }
  if extra then
    local library = paths.join(paths.folder(path), library_of(path))
    local ok, err = core.write(library, extra)
    if not ok then return nil, err end
    files[2] = library
  end
  local ok, err = core.write(path, bytes)
  if not ok then return nil, err end
  return report_of(found, files)
end

return export
