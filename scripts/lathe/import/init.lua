--- Geometry, clips and skeletons from other programs: glTF 2.0 (.glb, .gltf), and Wavefront .obj for
-- geometry, .csv for clips.
--
-- Files written by `lathe.export` are restored with the same options. All transforms are applied, with bones
-- at rest. Meshes without triangles, points and lines are omitted.
-- @module lathe.import

local core = require "lathe.core"
local errors = require "lathe.errors"
local export_clip = require "lathe.export.clip"
local fail = require "lathe.import.fail"
local geometry = require "lathe.export.geometry"
local matrix = require "lathe.export.matrix"
local paths = require "lathe.paths"

local import = {}

local FORMATS = { obj = "lathe.import.obj", glb = "lathe.import.gltf", gltf = "lathe.import.gltf" }
local MOVING = { csv = true, glb = true, gltf = true }
local OPTIONS = {
  clip = true, format = true, fps = true, like = true, metres = true, scale = true, skeleton = true,
  up = true, what = true,
}
local WHAT = { geometry = true, clips = true, skeleton = true }
local UPS = { y = true, z = true }
local LEAST, MOST = 1e-20, 1e20 -- limits of a scale

local function is_length(value) return math.type(value) and value >= LEAST and value <= MOST end

local function check_options(opts)
  for name in pairs(opts) do
    if not OPTIONS[name] then
      error(("no option '%s' of import, which takes clip, format, fps, like, metres, scale, skeleton, "
        .. "up and what"):format(tostring(name)), 0)
    end
  end
  if opts.format ~= nil and not FORMATS[opts.format] and not MOVING[opts.format] then
    error("option 'format': 'obj', 'glb', 'gltf' or 'csv' expected", 0)
  end
  if opts.what ~= nil and not WHAT[opts.what] then
    error("option 'what': 'geometry', 'clips' or 'skeleton' expected", 0)
  end
  if opts.fps ~= nil and not (math.type(opts.fps) and opts.fps > 1e-3 and opts.fps < 1e6) then
    error("option 'fps': a number above 0 expected", 0)
  end
  if opts.clip ~= nil and type(opts.clip) ~= "string" then error("option 'clip': a name expected", 0) end
  if opts.up ~= nil and not UPS[opts.up] then error("option 'up': 'y' or 'z' expected", 0) end
  if opts.metres ~= nil and not is_length(opts.metres) then
    error("option 'metres': a number from 1e-20 to 1e20 expected", 0)
  end
  if opts.scale == "metres" then
    if not opts.metres and (opts.what or "geometry") == "geometry" then
      error("option 'scale': it is in metres, so 'metres' must say what a unit is", 0)
    end
  elseif opts.scale ~= nil and not is_length(opts.scale) then
    error("option 'scale': 'metres' or a number from 1e-20 to 1e20 expected", 0)
  end
end

-- Converts lengths and axes of the file to those of the game.
local function to_game(list, opts, factor)
  for i = 1, #list, 3 do
    local x, y, z = list[i] / factor, list[i + 1] / factor, list[i + 2] / factor
    if opts.up == "z" then y, z = 0 - z, y end
    list[i], list[i + 1], list[i + 2] = x, y, z
  end
end

local function buffer(type, columns, list) return core.buffer(type, #list // columns, columns, list) end

-- Names of the triangles' materials, and the number of each triangle's; the number of names plus 1 if it has
-- none. And the name, if all have the same.
local function materials_of(list)
  local names, numbers, of, same = {}, {}, {}, true
  for _, name in ipairs(list) do
    if name and not numbers[name] then
      names[#names + 1] = name
      numbers[name] = #names - 1
    end
    same = same and name == list[1]
  end
  if #names == 0 then return nil end
  for i, name in ipairs(list) do of[i] = numbers[name] or #names end
  return names, of, same and list[1] or nil
end

local function mesh_of(part, opts, label)
  to_game(part.positions, opts, opts.scale == "metres" and opts.metres or opts.scale or 1)
  if not geometry.is_finite(part) then fail.at(label, "a position that no f32 holds") end
  part.count = #part.positions // 3
  if part.normals then
    to_game(part.normals, opts, 1)
    geometry.refresh(part)
  end
  for i, v in ipairs(part.uvs or {}) do
    local finite = v >= -matrix.LARGEST and v <= matrix.LARGEST
    if not finite then part.uvs[i] = 0.0 end
  end
  local names, numbers, material = materials_of(part.triangle_materials)
  return {
    name = part.name,
    positions = buffer("f32", 3, part.positions),
    indices = buffer("u32", 3, part.indices),
    normals = part.normals and buffer("f32", 3, part.normals),
    uvs = part.uvs and buffer("f32", 2, part.uvs),
    uv_origin = part.uv_origin,
    material = material,
    materials = names,
    triangle_materials = numbers and buffer("u32", 1, numbers),
    up = opts.up or "y",
    metres = opts.metres,
    transform = table.move(matrix.IDENTITY, 1, 16, 1, {}),
  }
end

local function parse(bytes, path, reader, opts)
  local parts = reader.parse(bytes, path)
  if #parts == 0 then fail.at(nil, "there is no triangle in it") end
  for i, part in ipairs(parts) do
    local name = part.name and " '" .. part.name .. "'" or ""
    parts[i] = mesh_of(part, opts, ("mesh %d%s"):format(i, name))
  end
  return parts
end

-- ---- clips and skeletons --------------------------------------------------------------------------

-- Converts the target (a document, an animation or a table) to a table.
local function like_of(like, skeleton)
  if like == nil or type(like) == "table" and not core.type(like) then return like end
  local anim = core.type(like) == "animation" and like or like.animations[1]
  if not anim then error("option 'like': there is no animation in it", 0) end
  local one, err = export_clip.of(anim, { skeleton = skeleton or anim.skeleton })
  return one or error(err, 0)
end

local function parse_moving(bytes, path, format, opts)
  local skeleton = opts.skeleton and export_clip.skeleton(opts.skeleton)
  if opts.what == "skeleton" then
    if format == "csv" then fail.at(nil, "a .csv has no skeleton") end
    local like = opts.like and export_clip.skeleton(opts.like) or skeleton
    return require("lathe.import.clip").skeleton(bytes, path,
      setmetatable({ skeleton = like }, { __index = opts }))
  end
  local like = like_of(opts.like, opts.skeleton)
  if format == "csv" then
    return require("lathe.import.table").clips(bytes, { like = like, fps = opts.fps })
  end
  return require("lathe.import.clip").parse(bytes, path,
    setmetatable({ like = like, skeleton = skeleton }, { __index = opts }))
end

local function read_moving(path, format, opts)
  if not MOVING[format] then
    local why = "clips and skeletons are imported from a .glb, a .gltf or a .csv"
    return nil, errors.new("unsupported", why, path)
  end
  local bytes, err = core.read(path)
  if not bytes then return nil, err end
  return fail.catch(path, parse_moving, bytes, path, format, opts)
end

local function read(path, opts)
  check_options(opts)
  local format = opts.format or paths.extension(path)
  local moves = opts.what and opts.what ~= "geometry" or opts.what == nil and (opts.like or format == "csv")
  if moves then return read_moving(path, format, opts) end
  if not FORMATS[format] then
    return nil, errors.new("unsupported", "a .glb, a .gltf or an .obj is what can be imported", path)
  end
  local bytes, err = core.read(path)
  if not bytes then return nil, err end
  return fail.catch(path, parse, bytes, path, require(FORMATS[format]), opts)
end

-- lathe.import
function import.import(path, opts)
  if type(path) ~= "string" then error("a path expected", 2) end
  if opts ~= nil and type(opts) ~= "table" then error("options are a table", 2) end
  local ok, meshes, err = pcall(read, path, opts or {})
  if not ok then error(meshes, type(meshes) == "string" and 2 or 0) end
  return meshes, err
end

return import
