--- Reads a .glb, by the specification and not by how lathe writes it: for specs.

local glb = {}

local COMPONENTS = {
  [5120] = { "b", 1 }, [5121] = { "B", 1 }, [5122] = { "i2", 2 }, [5123] = { "I2", 2 },
  [5125] = { "I4", 4 }, [5126] = { "f", 4 },
}
local TYPES = { SCALAR = 1, VEC2 = 2, VEC3 = 3, VEC4 = 4, MAT2 = 4, MAT3 = 9, MAT4 = 16 }

local File = {}
File.__index = File

--- Opens the bytes of a .glb: `json` and `bin`.
function glb.parse(bytes)
  local magic, version, size = string.unpack("<c4I4I4", bytes)
  assert(magic == "glTF" and version == 2, "no .glb")
  assert(size == #bytes, "the length is not that of the file")
  local self, at = setmetatable({}, File), 13
  while at <= size do
    local length, kind = string.unpack("<I4c4", bytes, at)
    assert(length % 4 == 0 and at + 7 + length <= size, "a chunk beyond the end")
    local chunk = bytes:sub(at + 8, at + 7 + length)
    if kind == "JSON" then self.json = assert(require("dkjson").decode(chunk)) end
    if kind == "BIN\0" then self.bin = chunk end
    at = at + 8 + length
  end
  return self
end

--- The numbers of accessor i (from 0), flat.
function File:values(i)
  local accessor = self.json.accessors[i + 1]
  local view = self.json.bufferViews[accessor.bufferView + 1]
  local letter, width = table.unpack(COMPONENTS[accessor.componentType])
  local columns = TYPES[accessor.type]
  local stride = view.byteStride or width * columns
  local at = (view.byteOffset or 0) + (accessor.byteOffset or 0)
  assert((accessor.count - 1) * stride + width * columns <= view.byteLength, "an accessor beyond its view")
  local list, format = {}, "<" .. letter:rep(columns)
  for row = 0, accessor.count - 1 do
    local values = table.pack(string.unpack(format, self.bin, at + row * stride + 1))
    table.move(values, 1, columns, row * columns + 1, list)
  end
  return list, columns
end

-- ---- places ---------------------------------------------------------------------------------------

local function mul(a, b)
  local m = {}
  for c = 0, 3 do
    for r = 1, 4 do
      local sum = 0
      for k = 0, 3 do sum = sum + a[4 * k + r] * b[4 * c + k + 1] end
      m[4 * c + r] = sum
    end
  end
  return m
end

local function local_matrix(node)
  if node.matrix then return node.matrix end
  local t, s = node.translation or { 0, 0, 0 }, node.scale or { 1, 1, 1 }
  local x, y, z, w = table.unpack(node.rotation or { 0, 0, 0, 1 })
  return {
    s[1] * (1 - 2 * (y * y + z * z)), s[1] * 2 * (x * y + w * z), s[1] * 2 * (x * z - w * y), 0,
    s[2] * 2 * (x * y - w * z), s[2] * (1 - 2 * (x * x + z * z)), s[2] * 2 * (y * z + w * x), 0,
    s[3] * 2 * (x * z + w * y), s[3] * 2 * (y * z - w * x), s[3] * (1 - 2 * (x * x + y * y)), 0,
    t[1], t[2], t[3], 1,
  }
end

-- ---- animations -----------------------------------------------------------------------------------

local function blend(a, b, share)
  local out = {}
  for i = 1, #a do out[i] = a[i] + (b[i] - a[i]) * share end
  return out
end

local function slerp(a, b, share)
  local dot, out = 0, {}
  for i = 1, 4 do dot = dot + a[i] * b[i] end
  local sign = dot < 0 and -1 or 1
  local angle = math.acos(math.min(1, math.abs(dot)))
  local wa, wb = 1 - share, share
  if angle > 1e-4 then
    wa, wb = math.sin((1 - share) * angle) / math.sin(angle), math.sin(share * angle) / math.sin(angle)
  end
  for i = 1, 4 do out[i] = wa * a[i] + wb * sign * b[i] end
  return out
end

-- What a sampler gives at a time: between two keys, and the first or last one outside of them.
local function sampled(self, sampler, path, time)
  local times, values = self:values(sampler.input), self:values(sampler.output)
  local n, i = #values // #times, 1
  while i < #times and times[i + 1] <= time do i = i + 1 end
  local function key(k) return table.move(values, n * k - n + 1, n * k, 1, {}) end
  if i == #times or time <= times[1] then return key(i) end
  local share = (time - times[i]) / (times[i + 1] - times[i])
  return (path == "rotation" and slerp or blend)(key(i), key(i + 1), share)
end

--- Lets animation number i (from 1), or that of a name, stand at a time, in seconds.
function File:stand(which, time)
  local animation = self.json.animations[which]
  for _, one in ipairs(self.json.animations) do
    if one.name == which then animation = one end
  end
  self.posed = {}
  for _, channel in ipairs(animation.channels) do
    local node, path = channel.target.node, channel.target.path
    local pose = self.posed[node] or setmetatable({}, { __index = self.json.nodes[node + 1] })
    pose[path] = sampled(self, animation.samplers[channel.sampler + 1], path, time)
    self.posed[node] = pose
  end
end

--- Matrices of all nodes of the scene, by number from 0.
function File:places()
  local places = {}
  local function visit(i, above)
    local node = self.posed and self.posed[i] or self.json.nodes[i + 1]
    places[i] = above and mul(above, local_matrix(node)) or local_matrix(node)
    for _, child in ipairs(node.children or {}) do visit(child, places[i]) end
  end
  for _, i in ipairs(self.json.scenes[(self.json.scene or 0) + 1].nodes) do visit(i) end
  return places
end

-- A matrix for each vertex, as the skin says.
local function skinned(self, skin, attributes, places)
  local binds, joints = self:values(skin.inverseBindMatrices), {}
  for i, node in ipairs(skin.joints) do
    joints[i] = mul(places[node], table.move(binds, 16 * i - 15, 16 * i, 1, {}))
  end
  local numbers, weights = self:values(attributes.JOINTS_0), self:values(attributes.WEIGHTS_0)
  return function(v)
    local m = {}
    for i = 1, 16 do
      m[i] = 0
      for k = 4 * v + 1, 4 * v + 4 do
        if weights[k] ~= 0 then m[i] = m[i] + weights[k] * joints[numbers[k] + 1][i] end
      end
    end
    return m
  end
end

local function moved(list, at, point)
  local out = {}
  for i = 1, #list, 3 do
    local m, x, y, z = at(i // 3), list[i], list[i + 1], list[i + 2]
    for r = 1, 3 do
      out[i + r - 1] = m[r] * x + m[4 + r] * y + m[8 + r] * z + (point and m[12 + r] or 0)
    end
  end
  return out
end

--- All that is drawn, as it stands in the scene at rest, or where `stand` put it: a list of `name`,
-- `positions`, `normals` (turned, not unit length; right where scales are even), `colors`, `uvs`, `indices`,
-- `material`, `mirrored`.
function File:drawn()
  local places, list = self:places(), {}
  for i, node in ipairs(self.json.nodes) do
    local mesh = node.mesh and places[i - 1] and self.json.meshes[node.mesh + 1]
    for _, primitive in ipairs(mesh and mesh.primitives or {}) do
      local attributes, m = primitive.attributes, places[i - 1]
      local at = node.skin and skinned(self, self.json.skins[node.skin + 1], attributes, places)
        or function() return m end
      local first = at(0)
      local function get(name) return attributes[name] and self:values(attributes[name]) end
      local normals = get "NORMAL"
      list[#list + 1] = {
        name = mesh.name,
        positions = moved(get "POSITION", at, true),
        normals = normals and moved(normals, at, false),
        colors = get "COLOR_0",
        uvs = get "TEXCOORD_0",
        indices = primitive.indices and self:values(primitive.indices),
        material = primitive.material and self.json.materials[primitive.material + 1] or {},
        mirrored = first[1] * (first[6] * first[11] - first[10] * first[7])
          - first[5] * (first[2] * first[11] - first[10] * first[3])
          + first[9] * (first[2] * first[7] - first[6] * first[3]) < 0,
      }
    end
  end
  return list
end

-- ---- the validator --------------------------------------------------------------------------------

--- Issues that the glTF validator has with files: lines "FILE severity CODE pointer message", but those
-- that say nothing of a file's being right: textures are not there, so nothing uses texture coordinates
-- and tangents. nil and a reason where the validator is not there.
function glb.issues(paths)
  local helper = require "helper"
  local modules = helper.root .. "/build/npm/node_modules"
  if not helper.exists(modules .. "/gltf-validator") then return nil, "no gltf-validator: make setup" end
  local command = { "node", helper.root .. "/spec/support/validate_gltf.js" }
  local r = helper.run(table.move(paths, 1, #paths, 3, command), { env = { NODE_PATH = modules } })
  if r.code ~= 0 then error("the validator failed: " .. r.err, 0) end
  local lines = {}
  for line in r.out:gmatch "[^\n]+" do
    if not line:match " info UNUSED_OBJECT .*/TEXCOORD_0 " and not line:match " info UNUSED_MESH_TANGENT " then
      lines[#lines + 1] = line
    end
  end
  return lines
end

--- Asserts that the validator, where it is there, has nothing to say of files (export_spec.lua tells where it
-- is not). more: patterns of lines that may be there.
function glb.validate(paths, more)
  for _, line in ipairs(glb.issues(paths) or {}) do
    local expected = false
    for _, pattern in ipairs(more or {}) do expected = expected or line:match(pattern) end
    if not expected then error("the glTF validator says: " .. line, 0) end
  end
end

return glb
