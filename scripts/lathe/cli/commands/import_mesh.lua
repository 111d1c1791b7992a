--- `lathe import MESH`: makes files of games from meshes, and replaces meshes in them.
-- @module lathe.cli.commands.import_mesh

local core = require "lathe.core"
local formats = require "lathe.formats"
local importer = require "lathe.import"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local text = require "lathe.tree.text"

local import_mesh = {}

local BOTH <const> = { glb = true, gltf = true } -- may have meshes and animations

-- The format of an extension.
local function format_of(path)
  local extension = paths.extension(path)
  for _, format in ipairs(core.formats()) do
    for _, own in ipairs(format.extensions) do
      if own:gsub("^%.", "") == extension then return format end
    end
  end
end

-- "these, those and others"
local function takers()
  local list = {}
  for _, format in ipairs(core.formats()) do
    if formats.mesh_games(format.name) then list[#list + 1] = format.name end
  end
  return table.concat(list, ", ", 1, #list - 1) .. " and " .. list[#list]
end

--- Whether the arguments ask for meshes, not for an animation or a skeleton.
-- @tparam table args
-- @treturn boolean
function import_mesh.is_meant(args)
  local extension = paths.extension(args.file)
  if extension == "obj" then return true end
  local format = BOTH[extension] and args.output and format_of(args.output)
  return format ~= nil and format ~= false and (formats.mesh_games(format.name) ~= nil
    or not (format.can.animations or format.can.skeletons))
end

local function spelled(list) return table.concat(list, ", ", 1, #list - 1) .. " or " .. list[#list] end

-- Stops with a usage error if the options do not fit.
local function check_usage(args)
  local format = format_of(args.output)
  local games = format and formats.mesh_games(format.name)
  if not games then
    out.usage(("-o %s: %s; meshes go into %s files"):format(args.output,
      format and format.name .. " files take no mesh" or "no format has this extension", takers()))
  end
  local known = #games == 0 and not args.game
  for _, game in ipairs(games) do known = known or game == args.game end
  if args.like or known then return format.name end
  if #games == 0 then out.usage(("%s files are of one game: leave out --game"):format(format.name)) end
  out.usage(("a new %s file needs --game %s; or give --like FILE"):format(format.name, spelled(games)))
end

local function scale_of(args, format)
  if args.scale ~= "metres" then return args.scale, nil end
  local metres = formats.metres(format)
  if not metres then out.usage(("how long a unit of %s files is, is not known: give a "
    .. "number"):format(format)) end
  return args.scale, metres
end

local function total(meshes, name)
  local sum = 0
  for _, mesh in ipairs(meshes) do sum = sum + mesh[name].rows end
  return sum
end

local function tell(args, meshes, format, doc)
  out.line(("%s: %s, %s, %s -> %s"):format(args.file, text.count(#meshes, "mesh", "meshes"),
    text.count(total(meshes, "positions"), "position"), text.count(total(meshes, "indices"), "triangle"),
    args.output))
  local up = args.up or formats.up(format)
  if up == "z" then out.line "  axes: y points up in the file, and z in the new one: turned" end
  if not args.like and formats.has_textures(format) then
    out.line("  textures: none is set; `lathe set` sets them: 'materials[1].textures.diffuse=textures\\...'")
  elseif args.like and formats.has_textures(format) and #doc.bodies > 0 then
    out.line "  collision: as it was; `lathe set-collision` makes another one of a mesh"
  end
end

--- Runs the command for meshes.
-- @tparam table args
-- @tparam function write (args, doc) -> true | nil, err
-- @treturn ?true
-- @return the error
function import_mesh.run(args, write)
  local format = check_usage(args)
  local like, meshes, doc, ok, err
  if args.like then
    like, err = core.open(args.like)
    if not like then return nil, err end
    if like.format ~= format then
      return nil, ("%s: it is a %s file, and -o %s names another format"):format(args.like, like.format,
        args.output)
    end
  end
  local scale, metres = scale_of(args, format)
  meshes, err = importer.import(args.file, { what = "geometry", up = args.up or formats.up(format),
    scale = scale, metres = metres })
  if not meshes then return nil, err end
  doc, err = formats.from_meshes(format, meshes, { like = like, game = args.game, material = args.material,
    name = paths.base(args.output):match "^[^.]*" })
  if not doc then return nil, ("%s: %s"):format(args.file, (tostring(err):gsub("^[^\n]-%.lua:%d+: ", ""))) end
  ok, err = write(args, doc)
  if not ok then return nil, err end
  tell(args, meshes, format, doc)
  return true
end

return import_mesh
