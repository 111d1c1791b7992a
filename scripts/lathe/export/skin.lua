--- Bones as nodes, and the skins that use them.
-- @module lathe.export.skin

local matrix = require "lathe.export.matrix"

local Rig = {}
Rig.__index = Rig

local skin = {}

--- The bones of a group: meshes that refer to the same bone with the same transform share its node.
-- @tparam table gltf with `node` (trs, name) -> number, `attach` (parent, child), `nodes`, `buffer`, `skins`
-- @tparam integer root the group's node
-- @treturn Rig
function skin.rig(gltf, root)
  return setmetatable({ gltf = gltf, root = root, joints = {} }, Rig)
end

-- The part of a bone's transform that a node can have. The rest becomes part of the skin.
local function place_of(world)
  local trs = matrix.is_affine(world) and matrix.decompose(world)
  if trs then return trs end
  return matrix.decompose(matrix.IDENTITY)
end

local function key_of(bone, world)
  local numbers = {}
  for i = 1, 16 do numbers[i] = ("%.5g"):format(world[i]) end
  return (bone.name or "") .. "\0" .. table.concat(numbers, " ")
end

-- Adds a joint: the node number of a bone whose parent is done, and the node's matrix.
function Rig:joint(bone, parent)
  local trs = place_of(bone.world)
  local world = matrix.compose(trs)
  local key = key_of(bone, world)
  if self.joints[key] then return self.joints[key] end
  local up = parent and matrix.invert(parent.world)
  local here = up and matrix.decompose(matrix.mul(up, world))
  local node = self.gltf:node(bone.name, here or trs)
  self.gltf:attach(here and parent.node or self.root, node)
  self.joints[key] = { node = node, world = world }
  return self.joints[key]
end

-- Adds a second node for a bone, because a skin cannot list the same node twice.
function Rig:twin(joint)
  local name = self.gltf.nodes[joint.node + 1].name
  local node = self.gltf:node(name, matrix.decompose(joint.world))
  self.gltf:attach(self.root, node)
  return { node = node, world = joint.world }
end

local function parent_of(bones, i)
  local parent = math.tointeger(bones[i].parent) or -1
  return bones[parent + 1] and parent + 1 or nil
end

-- The joint of bone i. Parents come first; a bone that is its own ancestor becomes a root.
function Rig:joint_of(bones, done, i)
  local chain, seen = {}, {}
  local at = i
  while at and not done[at] and not seen[at] do
    seen[at] = true
    chain[#chain + 1] = at
    at = parent_of(bones, at)
  end
  local parent = at and done[at]
  for k = #chain, 1, -1 do
    parent = self:joint(bones[chain[k]], parent)
    done[chain[k]] = parent
  end
  return done[i]
end

--- The transform of a bone for vertices at rest.
-- @tparam table bone
-- @treturn ?table a matrix; nil: the bone's own are invalid
function skin.posed(bone)
  if not matrix.is_affine(bone.world) or not matrix.is_affine(bone.bind) then return nil end
  local m = matrix.mul(bone.world, bone.bind)
  return matrix.is_affine(m) and m or nil
end

--- Binds vertices without a bone to the mesh's node.
-- @tparam table part
-- @tparam integer number of the joint
function skin.hold_loose(part, number)
  for _, v in ipairs(part.loose) do
    part.joints[4 * v + 1], part.weights[4 * v + 1] = number, 1
  end
end

--- Adds the skin of a part, and the required nodes.
-- @tparam table part
-- @treturn integer its number
function Rig:bind(part)
  local joints, binds, done, used = {}, {}, {}, {}
  local function add(joint, posed)
    if used[joint.node] then joint = self:twin(joint) end
    used[joint.node] = true
    joints[#joints + 1] = joint.node
    local back = matrix.invert(joint.world)
    local bind = back and matrix.mul(back, posed)
    if not matrix.is_affine(bind) then bind = matrix.IDENTITY end -- only if values overflow
    table.move(bind, 1, 16, #binds + 1, binds)
  end
  for i, bone in ipairs(part.bones) do
    add(self:joint_of(part.bones, done, i), skin.posed(bone) or part.transform)
  end
  if #part.loose > 0 then
    skin.hold_loose(part, #joints)
    add(self:joint({ name = part.name, world = matrix.IDENTITY }), part.transform)
  end
  local gltf = self.gltf
  gltf.skins[#gltf.skins + 1] = {
    joints = joints,
    inverseBindMatrices = gltf.buffer:add(binds, "f", "MAT4", {}),
  }
  return #gltf.skins - 1
end

return skin
