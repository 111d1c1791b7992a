--- Binary glTF 2.0: meshes as nodes below one node per document, which rotates and scales them.
-- @module lathe.export.gltf

local animate = require "lathe.export.animate"
local armature = require "lathe.export.armature"
local compact = require "lathe.export.compact"
local core = require "lathe.core"
local geometry = require "lathe.export.geometry"
local glb = require "lathe.export.glb"
local matrix = require "lathe.export.matrix"
local scene = require "lathe.export.scene"
local skin = require "lathe.export.skin"

local Gltf = {}
Gltf.__index = Gltf

local gltf = {}

local RESTART = 0xffff -- not a valid 16-bit index: the primitive restart value of some hardware

-- Keys in the order of writing, so that the same scene always gives the same bytes.
local KEYS = {
  "asset", "version", "generator", "extensionsUsed", "extensionsRequired", "scene", "scenes", "nodes",
  "meshes", "skins", "materials", "textures", "images", "accessors", "bufferViews", "buffers", "name",
  "primitives", "attributes", "POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0", "JOINTS_0",
  "WEIGHTS_0", "indices", "material", "mesh", "skin", "translation", "rotation", "scale", "children",
  "joints", "inverseBindMatrices", "pbrMetallicRoughness", "baseColorFactor", "baseColorTexture",
  "metallicFactor", "normalTexture", "emissiveTexture", "emissiveFactor", "alphaMode", "alphaCutoff",
  "doubleSided", "extensions", "extras", "source", "uri", "buffer", "bufferView", "byteOffset",
  "byteLength", "byteStride", "target", "componentType", "normalized", "count", "type", "min", "max",
  "geometry_file_hash", "data_offset", "animations", "channels", "samplers", "sampler", "node", "path",
  "input", "output", "interpolation", "lathe", "format", "game", "class", "duration", "frame_count", "fps",
  "looping", "additive", "annotations", "time", "text", "track", "float_tracks", "values", "tracks",
  "root_motion", "skeleton", "bones", "made_up", "float_slots", "up", "metres",
}

-- Texture roles of glTF, and their keys.
local SLOTS = { normal = "normalTexture", emissive = "emissiveTexture" }

local STRENGTH = "KHR_materials_emissive_strength"

local OBJECT = { __jsontype = "object" } -- also if it is empty

local function json_of(value) return require("dkjson").encode(value, { keyorder = KEYS }) end

local function named(name) return name and scene.utf8(name) end

-- ---- nodes ----------------------------------------------------------------------------------------

local function rounded(list)
  local out = {}
  for i, v in ipairs(list) do out[i] = v + 0.0 end
  return out
end

--- Adds a node.
-- @tparam ?string name
-- @tparam table trs
-- @treturn integer its number
function Gltf:node(name, trs)
  local t, q, s = rounded(trs.t), rounded(trs.q), rounded(trs.s)
  self.nodes[#self.nodes + 1] = setmetatable({
    name = named(name),
    translation = (t[1] ~= 0 or t[2] ~= 0 or t[3] ~= 0) and t or nil,
    rotation = (q[1] ~= 0 or q[2] ~= 0 or q[3] ~= 0) and q or nil,
    scale = (s[1] ~= 1 or s[2] ~= 1 or s[3] ~= 1) and s or nil,
  }, OBJECT)
  return #self.nodes - 1
end

--- Attaches a node to a parent.
-- @tparam integer parent
-- @tparam integer child
function Gltf:attach(parent, child)
  local node = self.nodes[parent + 1]
  node.children = node.children or {}
  table.insert(node.children, child)
end

-- ---- materials ------------------------------------------------------------------------------------

-- The path of a game file as a relative reference, percent-encoded.
local function uri_of(path)
  path = scene.utf8(path):gsub("\\", "/"):gsub("^/+", "")
  return (path:gsub("[^%w%-._~!$&'()*+,;=@/]", function(c) return ("%%%02X"):format(c:byte()) end))
end

function Gltf:texture(path)
  local uri = uri_of(path)
  if not self.images[uri] then
    table.insert(self.images, { uri = uri, name = scene.utf8(path) })
    table.insert(self.textures, { source = #self.images - 1 })
    self.images[uri] = #self.textures - 1
  end
  return { index = self.images[uri] }
end

local function clamped(list, n, default)
  local out = {}
  for i = 1, n do
    local v = list and list[i] or default
    out[i] = v ~= v and default or math.max(0, math.min(1, v))
  end
  return out
end

-- Adds emission: a colour, and a strength above 1.
local function add_emissive(self, material, emissive)
  local strength = 1
  for i = 1, 3 do
    local v = emissive and emissive[i] or 0
    if v > strength and v < math.huge then strength = v end
  end
  local factor = {}
  for i = 1, 3 do factor[i] = (emissive and emissive[i] or 0) / strength end
  factor = clamped(factor, 3, 0)
  if factor[1] == 0 and factor[2] == 0 and factor[3] == 0 then return end
  material.emissiveFactor = factor
  if strength > 1 then
    material.extensions = { [STRENGTH] = { emissiveStrength = strength } }
    self.extensions[STRENGTH] = true
  end
end

local function add_alpha(material, surface)
  if surface.alpha == "mask" then
    material.alphaMode = "MASK"
    local cutoff = surface.cutoff or 0.5
    material.alphaCutoff = cutoff >= 0 and cutoff < math.huge and cutoff or 0.5
  elseif surface.alpha == "blend" then
    material.alphaMode = "BLEND"
  end
end

local function add_textures(self, material, textures)
  local order, list = {}, {}
  for role, path in pairs(textures) do
    if type(role) == "string" and type(path) == "string" and path ~= "" then
      order[#order + 1] = scene.utf8(role)
      list[order[#order]] = scene.utf8(path)
    end
  end
  if #order == 0 then return end
  table.sort(order)
  material.extras = { textures = setmetatable(list, { __jsonorder = order }) }
  if not self.references then return end
  for _, role in ipairs(order) do
    if role == "base_color" then
      material.pbrMetallicRoughness.baseColorTexture = self:texture(list[role])
    elseif SLOTS[role] then
      material[SLOTS[role]] = self:texture(list[role])
    end
  end
  if material.emissiveTexture and not material.emissiveFactor then material.emissiveTexture = nil end
end

-- Merges materials with the same name and appearance. Without a material, viewers would draw metal.
function Gltf:material(name, surface)
  surface = surface or {}
  local material = {
    name = named(name),
    pbrMetallicRoughness = { metallicFactor = 0 },
    doubleSided = surface.double_sided and true or nil,
  }
  if surface.base_color then
    material.pbrMetallicRoughness.baseColorFactor = clamped(surface.base_color, 4, 1)
  end
  add_emissive(self, material, surface.emissive)
  add_alpha(material, surface)
  if type(surface.textures) == "table" then add_textures(self, material, surface.textures) end
  local key = json_of(material)
  if not self.materials[key] then
    table.insert(self.materials, material)
    self.materials[key] = #self.materials - 1
  end
  return self.materials[key]
end

-- ---- meshes ---------------------------------------------------------------------------------------

-- v starts at the top.
local function uvs_of(part)
  if not part.v_up then return part.uvs end
  local uvs = table.move(part.uvs, 1, #part.uvs, 1, {})
  for i = 2, #uvs, 2 do uvs[i] = 1 - uvs[i] end
  return uvs
end

-- The accessors of a part's vertices by the names of glTF.
function Gltf:attributes(part)
  local buffer, vertices = self.buffer, { target = glb.VERTICES }
  local attributes = {
    POSITION = buffer:add(part.positions, "f", "VEC3", { target = glb.VERTICES, bounds = true }),
  }
  local function add(name, list, component, type)
    if list then attributes[name] = buffer:add(list, component, type, vertices) end
  end
  if self.compact then
    compact.add(attributes, buffer, part, self.textured and part.uvs and uvs_of(part))
    return attributes
  end
  add("NORMAL", part.normals, "f", "VEC3")
  add("TANGENT", part.tangents, "f", "VEC4")
  add("TEXCOORD_0", part.uvs and uvs_of(part), "f", "VEC2")
  add("COLOR_0", part.colors, "f", "VEC4")
  add("JOINTS_0", part.joints, "I2", "VEC4")
  add("WEIGHTS_0", part.weights, "f", "VEC4")
  return attributes
end

-- Numbers in runs: the first and the length of each. nil if they are 1, 2, 3, ….
local function in_runs(numbers)
  local runs = {}
  for _, number in ipairs(numbers or {}) do
    local n = #runs
    if n > 0 and number == runs[n - 1] + runs[n] then
      runs[n] = runs[n] + 1
    else
      runs[n + 1], runs[n + 2] = number, 1
    end
  end
  if #runs == 0 or #runs == 2 and runs[1] == 1 then return nil end
  return runs
end

-- What a page is told of triangles: their colour, and their numbers in the mesh of the document.
local function shown_of(part, run)
  return part.color_of and { color = part:color_of(run.material), triangles = in_runs(run.numbers) }
end

function Gltf:mesh(part)
  local buffer, attributes = self.buffer, self:attributes(part)
  local width, primitives = part.count <= RESTART and "I2" or "I4", {}
  for i, run in ipairs(geometry.runs(part)) do
    primitives[i] = {
      attributes = attributes,
      indices = buffer:add(run.indices, width, "SCALAR", { target = glb.INDICES }),
      material = self:material(run.material, part.surface),
      extras = shown_of(part, run),
    }
  end
  local source = part.source
  table.insert(self.meshes, {
    name = named(part.name), primitives = primitives,
    extras = source and { geometry_file_hash = source.geometry_file_hash, data_offset = source.data_offset },
  })
  return #self.meshes - 1
end

-- Adds one mesh for all instances of an object.
function Gltf:mesh_of(part)
  local object = part.object
  if not object then return self:mesh(part) end
  self.objects[object] = self.objects[object] or self:mesh(part)
  return self.objects[object]
end

-- The node that holds the meshes of a group: with bones of its own, or the skeleton of its clips. nil and the
-- reason if there is none.
function Gltf:holder(group, root)
  local rig = group.rig
  if not rig then return skin.rig(self, root) end
  local moves = false
  for _, clip in ipairs(rig.clips) do moves = moves or clip.root_motion ~= nil end
  local bones, why = armature.new(self, root, rig.skeleton, moves, rig.placed)
  if not bones then return nil, why end
  return bones
end

function Gltf:clips(group, bones)
  if #self.skins == 0 then bones:bare_skin() end
  for _, clip in ipairs(group.rig.clips) do
    local unknown, why = animate.add(self, clip, bones)
    if not unknown then return nil, ("clip '%s': %s"):format(clip.name or "", why) end
  end
  return true
end

-- What a page is told of a part: its paths in the document, where its triangles are there, and whether it is
-- collision.
local function extras_of(group, part)
  if not part.place then return nil end
  local also = {}
  for i, path in ipairs(part.also or {}) do also[i] = scene.utf8(path) end
  return {
    path = scene.utf8(part.place), also = also[1] and also, collision = group.collides or nil,
    triangles = part.array and scene.utf8(part.array),
  }
end

-- Meshes with bones are placed beside the groups: their transform is ignored, and viewers warn about others.
function Gltf:group(group)
  local root = self:node(group.name, group.trs)
  table.insert(self.roots, root)
  local holder, why = self:holder(group, root)
  if not holder then return nil, why end
  for _, part in ipairs(group.parts) do
    local node
    if part.bones then
      node = self:node(part.name, matrix.decompose(matrix.IDENTITY))
      self.nodes[node + 1].skin = holder:bind(part)
      table.insert(self.roots, node)
    else
      node = self:node(part.name, part.trs)
      self:attach(root, node)
    end
    self.nodes[node + 1].mesh = self:mesh_of(part)
    self.nodes[node + 1].extras = extras_of(group, part)
  end
  group.notes = holder.notes
  if group.rig then return self:clips(group, holder) end
  return true
end

-- A list if it is not empty: glTF does not allow empty ones.
local function filled(list)
  if #list == 0 then return nil end
  return table.move(list, 1, #list, 1, {})
end

local function extensions_of(self)
  local list = {}
  for name in pairs(self.extensions) do list[#list + 1] = name end
  table.sort(list)
  return filled(list)
end

--- The bytes of a .glb.
-- @tparam table what from `lathe.export.scene`
-- @tparam table opts `textures`: "reference": as images; otherwise only in `extras`. `compact`: attributes of
--   few bytes, for showing only; texture coordinates then if `textured`
-- @treturn ?string
-- @treturn ?string why it cannot be written
function gltf.encode(what, opts)
  local self = setmetatable({
    nodes = {}, roots = {}, meshes = {}, skins = {}, materials = {}, textures = {}, images = {},
    objects = {}, extensions = {}, animations = {},
    buffer = glb.new(), references = opts.textures == "reference",
    compact = opts.compact, textured = opts.textured,
  }, Gltf)
  if opts.compact then self.extensions[compact.EXTENSION] = true end
  for _, group in ipairs(what.groups) do
    local fine, why = self:group(group)
    if not fine then return nil, why end
  end
  return glb.file(json_of {
    asset = { version = "2.0", generator = "lathe " .. core.VERSION },
    extensionsUsed = extensions_of(self),
    extensionsRequired = opts.compact and { compact.EXTENSION } or nil,
    scene = 0,
    scenes = { { nodes = self.roots } },
    nodes = self.nodes,
    meshes = filled(self.meshes),
    skins = filled(self.skins),
    animations = filled(self.animations),
    materials = filled(self.materials),
    textures = filled(self.textures),
    images = filled(self.images),
    accessors = self.buffer.accessors,
    bufferViews = self.buffer.views,
    buffers = { { byteLength = self.buffer.size } },
  }, self.buffer)
end

return gltf
