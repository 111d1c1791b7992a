--- Makes NIFs of meshes, and replaces the geometry of their shapes.
-- @module lathe.formats.nif.model

local core = require "lathe.core"
local matrix = require "lathe.export.matrix"

local model = {}

-- What a new file of a game has: its version, and the type of shapes.
local GAMES <const> = {
  ["skyrim-le"] = { version = 83, shape = "NiTriShape", data = "NiTriShapeData", textures = 9 },
  ["skyrim-se"] = { version = 100, shape = "BSTriShape", textures = 9 },
  fallout4 = { version = 130, shape = "BSTriShape", textures = 10 },
}

local NUMBERS <const> = { "positions", "normals", "uvs" }

-- ---- new files ----------------------------------------------------------------------------------

-- Adds a shape with its shader and textures; the numbers of blocks count from 0.
local function add_shape(blocks, mesh, game, options)
  local number = #blocks
  local material = options.material or options.game == "fallout4" and mesh.material
  local textures = {}
  for i = 1, game.textures do textures[i] = "" end
  blocks[#blocks + 1] = { type = game.shape, name = mesh.name or options.name, shader_property = number + 1,
    data = game.data and number + 3 or nil }
  blocks[#blocks + 1] = { type = "BSLightingShaderProperty", name = material or "",
    body = { texture_set = number + 2, flags2 = { "zbuffer_write" } } }
  blocks[#blocks + 1] = { type = "BSShaderTextureSet", textures = textures }
  if game.data then blocks[#blocks + 1] = { type = game.data } end
  return number
end

local function fill(shape, mesh)
  for _, name in ipairs(NUMBERS) do
    if mesh[name] then shape[name] = mesh[name] end
  end
  if mesh.uvs and mesh.uv_origin == "bottom" then
    local uvs = shape.uvs
    for i = 2, uvs.rows * 2, 2 do uvs[i] = 1 - uvs[i] end
    shape.uvs = uvs
  end
  shape.triangles = mesh.indices
end

-- Normals, tangents and bounds that the meshes lack.
local function complete(doc, meshes)
  local normals, uvs = true, true
  for _, mesh in ipairs(meshes) do normals, uvs = normals and mesh.normals, uvs and mesh.uvs end
  for _, what in ipairs { not normals and "normals", uvs and "tangents", "bounds" } do
    if what then
      local done, err = doc:recompute(what)
      if not done then error(err, 0) end
    end
  end
end

-- A scene with a shape for each mesh.
local function make(meshes, options)
  local game = GAMES[options.game]
  local children, blocks = {}, { { type = "BSFadeNode", name = options.name } }
  for i, mesh in ipairs(meshes) do children[i] = add_shape(blocks, mesh, game, options) end
  blocks[1].children = children
  local doc, err = core.new("nif", { bs_version = game.version, user_version = 12, blocks = blocks,
    footer = { roots = { 0 } } })
  if not doc then return nil, err end
  local ok, why = pcall(doc.edit, doc, function()
    for i, mesh in ipairs(meshes) do fill(doc.blocks[children[i] + 1], mesh) end
    complete(doc, meshes)
  end)
  return ok and doc or nil, why
end

-- ---- files that there are -----------------------------------------------------------------------

local function shapes_of(doc)
  local list = {}
  for _, block in ipairs(doc.blocks) do
    if core.type(block):find "TriShape$" and pcall(function() return block.positions.rows end) then
      list[#list + 1] = block
    end
  end
  return list
end

-- The games whose shapes can be replaced, as documents and as --game name them.
local NAMED <const> = { Skyrim = "skyrim-le", ["Skyrim SE"] = "skyrim-se", ["Fallout 4"] = "fallout4" }

-- A member that not every type of shape has.
local function member(shape, name)
  local ok, value = pcall(function() return shape[name] end)
  return ok and value or nil
end

local function is_skinned(shape) return member(shape, "skin") or member(shape, "skin_instance") end

-- The shape that each mesh replaces: the one of its name, or the only one.
local function pair_up(meshes, shapes)
  local by_name, names, pairs_of = {}, {}, {}
  for i, shape in ipairs(shapes) do
    by_name[shape.name], names[i] = by_name[shape.name] or shape, ("'%s'"):format(shape.name)
  end
  for i, mesh in ipairs(meshes) do
    local shape = by_name[mesh.name] or #meshes == 1 and #shapes == 1 and shapes[1]
    if not shape then
      return nil, ("mesh '%s' has no shape of its name in --like, which has %s"):format(mesh.name or i,
        #names > 0 and table.concat(names, ", ") or "none that can be replaced")
    end
    pairs_of[i] = shape
  end
  return pairs_of
end

-- The transform of each shape into the space of the document, by its path. A mesh comes from the next shape
-- of
-- its name and size.
local function places_of(doc, shapes)
  local places = {}
  for mesh in doc:meshes() do
    for _, shape in ipairs(shapes) do
      local path = core.path(shape)
      if not places[path] and shape.name == (mesh.name or "") and shape.positions.rows ==
        mesh.positions.rows then
        places[path] = mesh.transform
        break
      end
    end
  end
  return places
end

-- Moves a mesh from the space of the document to that of a shape.
local function into_space(mesh, place)
  local inverse = matrix.invert(place)
  if not inverse then return false end
  if matrix.is_identity(place) then return true end
  mesh.positions:transform(inverse)
  local turn = matrix.for_normals(inverse)
  for i = 1, mesh.normals and mesh.normals.rows or 0 do
    local x, y, z = matrix.direction(turn, mesh.normals:row(i))
    local length = math.sqrt(x * x + y * y + z * z)
    for k, value in ipairs { x, y, z } do
      mesh.normals[3 * i - 3 + k] = length > 0 and value / length or 0
    end
  end
  return true
end

-- Brings meshes into the spaces of the shapes that they replace. A skin would need weights for new vertices.
local function settle(meshes, targets, like, shapes)
  local places = places_of(like, shapes)
  for i, shape in ipairs(targets) do
    if is_skinned(shape) then
      return nil, ("shape '%s' has a skin: only shapes without one can be replaced"):format(shape.name)
    end
    local place = places[core.path(shape)]
    if not place or not into_space(meshes[i], place) then
      return nil, ("it is not known where shape '%s' stands in --like"):format(shape.name)
    end
  end
  return true
end

-- Replaces the geometry of shapes by that of a new file.
local function replace(meshes, options)
  local like = options.like
  local game = NAMED[like.game]
  if not game then
    return nil, ("--like is a file of %s; this works for Skyrim LE, Skyrim SE and Fallout 4"):format(
      like.game or "an unknown game")
  end
  local shapes = shapes_of(like)
  local targets, why = pair_up(meshes, shapes)
  if not targets then return nil, why end
  local settled, wrong = settle(meshes, targets, like, shapes)
  if not settled then return nil, wrong end
  local made, err = make(meshes, { game = game, name = "" })
  if not made then return nil, err end
  local sources = shapes_of(made)
  local ok, raised = pcall(like.edit, like, function()
    for i, shape in ipairs(targets) do
      local from = sources[i]
      shape.triangles = {} -- they may name vertices that go
      for _, name in ipairs { "positions", "normals", "uvs", "tangents", "bitangents" } do
        if from[name] and (name == "positions" or shape[name]) then shape[name] = from[name] end
      end
      shape.triangles = from.triangles
      local holder, source = member(shape, "data") or shape, member(from, "data") or from
      holder.bounds = core.totable(source.bounds)
    end
  end)
  made:close()
  return ok and like or nil, raised
end

--- Makes a scene of meshes, or replaces the geometry of the shapes of one.
-- @tparam {table,...} meshes from `lathe.import`
-- @tparam table options `game` and `name` of a new scene, `material`: the name of its shaders; or `like`, the
--   document that is changed
-- @treturn ?Document
-- @return why not
function model.from_meshes(meshes, options)
  if not options.like then return make(meshes, options) end
  if options.material then return nil, "--material is for new files: --like keeps its materials" end
  return replace(meshes, options)
end

return model
