--- Skeletons as glTF nodes, with skins that bind meshes to them.
-- @module lathe.export.armature

local matrix = require "lathe.export.matrix"
local order = require "lathe.export.order"
local scene = require "lathe.export.scene"
local skin = require "lathe.export.skin"

local Armature = {}
Armature.__index = Armature

local armature = {}

local SHOWN = 8 -- maximum number of names in a note

local STILL = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } }
local LOOKED_AT = 64 -- number of a mesh's bones that are used to find its transform
local LIST = { __jsontype = "array" }

-- ---- bones ----------------------------------------------------------------------------------------

function Armature:bone(name, pose, parent)
  local node = self.gltf:node(name, pose)
  self.gltf:attach(parent or self.motion, node)
  local world = matrix.compose(pose)
  self.worlds[node] = parent and self.worlds[parent] and matrix.mul(self.worlds[parent], world) or world
  self.poses[node] = pose
  self.above[node] = parent
  self.all[#self.all + 1] = node
  return node
end

function Armature:name_above(node)
  local above = self.above[node]
  return above and self.gltf.nodes[above + 1].name or "nothing"
end

-- Notes where bones that the skeleton lacks are attached.
function Armature:note_lacking(where, names)
  if #names == 0 then return end
  local shown = table.concat(names, ", ", 1, math.min(#names, SHOWN))
  local more = #names > SHOWN and (", and %d more"):format(#names - SHOWN) or ""
  self.notes[#self.notes + 1] = ("%d %s that the skeleton lacks %s fixed to %s: %s%s; a second skeleton, "
    .. "the model's own, would place %s"):format(#names, #names == 1 and "bone" or "bones",
    #names == 1 and "is" or "are", where, shown, more, #names == 1 and "it" or "them")
end

local function extras_of(skeleton)
  local bones, made_up = setmetatable({}, LIST), setmetatable({}, LIST)
  for i, bone in ipairs(skeleton.bones) do
    bones[i] = scene.utf8(bone.name)
    if bone.made_up then made_up[#made_up + 1] = bones[i] end
  end
  local slots = skeleton.float_slots and setmetatable({}, LIST)
  for i, slot in ipairs(skeleton.float_slots or {}) do slots[i] = scene.utf8(slot) end
  return { lathe = {
    skeleton = skeleton.name and scene.utf8(skeleton.name), bones = bones,
    made_up = #made_up > 0 and made_up or nil, float_slots = slots,
    up = skeleton.up, metres = skeleton.metres,
  } }
end

--- Adds the bones of a skeleton below a node.
-- @tparam table gltf
-- @tparam integer root
-- @tparam table skeleton from `lathe.export.clip`
-- @tparam boolean moves whether there is a node in between, for root motion
-- @tparam[opt] table placed more bones from a scene's file, from `lathe.export.nodes`
-- @treturn ?Armature `nodes` by bone, `by_name`, `poses` by node, `motion`: the parent of the roots
-- @treturn ?string why not
function armature.new(gltf, root, skeleton, moves, placed)
  local bones = skeleton.bones
  local numbers, own = order.parents_first(1, #bones, function(i)
    local parent = bones[i].parent or -1
    return bones[parent + 1] and parent + 1
  end)
  if not numbers then return nil, ("bone '%s' is its own ancestor"):format(scene.utf8(bones[own].name)) end
  local self = setmetatable({
    gltf = gltf, root = root, motion = root, nodes = {}, all = {}, worlds = {}, poses = {}, by_name = {},
    folded = {}, above = {}, notes = {}, scene = placed or {},
  }, Armature)
  if moves then
    self.motion = gltf:node("root motion", STILL)
    gltf:attach(root, self.motion)
  end
  for _, i in ipairs(numbers) do
    local bone = bones[i]
    local node = self:bone(bone.name, bone.pose or STILL, self.nodes[(bone.parent or -1) + 1])
    self.nodes[i], self.by_name[bone.name] = node, node
    self.folded[bone.name:lower()] = self.folded[bone.name:lower()] or node
  end
  gltf.nodes[root + 1].extras = extras_of(skeleton)
  return self
end

-- ---- skins ----------------------------------------------------------------------------------------

local function backwards(world)
  local back = matrix.invert(world)
  return matrix.is_affine(back) and back or matrix.IDENTITY
end

function Armature:skin(joints, binds)
  local gltf = self.gltf
  gltf.skins[#gltf.skins + 1] = {
    joints = joints, inverseBindMatrices = gltf.buffer:add(binds, "f", "MAT4", {}),
  }
  return #gltf.skins - 1
end

--- Adds a skin that lists all bones, so that other programs recognise them as bones. It binds no mesh.
function Armature:bare_skin()
  local joints, binds = {}, {}
  for i, node in ipairs(self.all) do
    joints[i] = node
    table.move(backwards(self.worlds[node]), 1, 16, #binds + 1, binds)
  end
  if #joints > 0 then self:skin(joints, binds) end
end

function Armature:find(name)
  return name and (self.by_name[name] or self.folded[name:lower()])
end

-- The bone whose name is a prefix of another: "Chest" of "Chest_Rear_Skin".
function Armature:extended(name)
  local base = name
  while base do
    base = base:match "^(.+)[_ ][^_ ]*$"
    local node = base and self:find(base)
    if node then return node end
  end
end

-- The bone to which mesh bone i is attached if the skeleton lacks it: the one whose name it extends, or its
-- parent in the mesh's own file. nil: there is neither.
function Armature:support(bones, i)
  local node = self:extended(bones[i].name or "")
  local at, seen = i, {}
  while not node and at and not seen[at] do
    seen[at] = true
    local parent = math.tointeger(bones[at].parent) or -1
    at = bones[parent + 1] and parent + 1 or nil
    node = at and self:find(bones[at].name)
  end
  return node
end

-- Position of a bone in the bind pose; nil if its values are invalid.
local function place_of(bone)
  local place = matrix.is_affine(bone.bind) and matrix.invert(bone.bind)
  return place and matrix.is_affine(place) and place or nil
end

-- The bone nearest to bone i among the first bones of the mesh that have nodes, else a root.
function Armature:nearest(bones, nodes, i)
  local place, best, least = place_of(bones[i]), nil, math.huge
  for k = 1, place and math.min(#bones, LOOKED_AT) or 0 do
    local other = nodes[k] and place_of(bones[k])
    local distance = other and (other[13] - place[13]) ^ 2 + (other[14] - place[14]) ^ 2
      + (other[15] - place[15]) ^ 2
    if distance and distance < least then best, least = nodes[k], distance end
  end
  return best or self.nodes[1]
end

-- The transform from the mesh's space to that of the skeleton at rest. Of the transforms of the first common
-- bones, takes the one that is closest to the others.
function Armature:shift(bones, nodes)
  local found = {}
  for i = 1, math.min(#bones, LOOKED_AT) do
    if nodes[i] and matrix.is_affine(bones[i].bind) then
      found[#found + 1] = matrix.mul(self.worlds[nodes[i]], bones[i].bind)
    end
  end
  local best, least = matrix.IDENTITY, math.huge
  for _, m in ipairs(found) do
    local sum = 0
    for _, other in ipairs(found) do
      for k = 1, 15 do sum = sum + math.min(math.abs(m[k] - other[k]), 1) end
    end
    if sum < least then best, least = m, sum end
  end
  return best
end

-- Adds a node for mesh bone i, which the skeleton lacks, below the bone that carries it.
function Armature:extra(part, i, support, shift)
  local bone = part.bones[i]
  local place, pose = place_of(bone), nil
  if place then
    local here = matrix.mul(shift, place)
    if support then here = matrix.mul(backwards(self.worlds[support]), here) end
    pose = matrix.is_affine(here) and matrix.decompose(here)
  end
  return self:named(bone.name or ("bone %d"):format(i - 1), pose or STILL, support)
end

-- Adds a bone with a unique name.
function Armature:named(name, pose, parent)
  local node = self:bone(name, pose, parent)
  self.by_name[name] = self.by_name[name] or node
  self.folded[name:lower()] = self.folded[name:lower()] or node
  return node
end

-- The node of a bone from a scene's file, below its parents there; nil if none of them is a bone of the
-- skeleton.
function Armature:placed(name)
  local chain, seen, node = {}, {}, nil
  while name and not node and not seen[name:lower()] do
    seen[name:lower()] = true
    local one = self.scene[name:lower()]
    if not one then return nil end
    chain[#chain + 1] = one
    name = one.parent
    node = name and self:find(name)
  end
  for k = node and #chain or 0, 1, -1 do node = self:named(chain[k].name, chain[k].pose, node) end
  return node
end

-- Nodes for all bones of a part: of the skeleton, of the additional scene, and new ones, which are attached
-- to bones whose names they extend, or to near ones.
function Armature:nodes_of(part)
  local bones, nodes, extended, near = part.bones, {}, {}, {}
  for i, bone in ipairs(bones) do
    nodes[i] = self:find(bone.name) or bone.name and self:placed(bone.name) or nil
  end
  local shift = self:shift(bones, nodes)
  for i = 1, #bones do
    local support = not nodes[i] and self:support(bones, i)
    if support then
      nodes[i] = self:find(bones[i].name) or self:extra(part, i, support, shift)
      extended[#extended + 1] = scene.utf8(bones[i].name or "")
    end
  end
  for i = 1, #bones do
    if not nodes[i] then
      nodes[i] = self:extra(part, i, self:nearest(bones, nodes, i), shift)
      near[#near + 1] = ("%s to %s"):format(scene.utf8(bones[i].name or ""), self:name_above(nodes[i]))
    end
  end
  self:note_lacking("the bones whose names theirs extend", extended)
  self:note_lacking("the nearest bones", near)
  return nodes
end

--- Adds the skin of a part with bones.
-- @tparam table part
-- @treturn integer its number
function Armature:bind(part)
  local nodes, used = self:nodes_of(part), {}
  local joints, flat = {}, {}
  local function add(node, bind)
    if used[node] then node = self:bone(self.gltf.nodes[node + 1].name, STILL, node) end
    used[node] = true
    joints[#joints + 1] = node
    table.move(matrix.is_affine(bind) and bind or matrix.IDENTITY, 1, 16, #flat + 1, flat)
  end
  for i, bone in ipairs(part.bones) do
    local node = nodes[i]
    add(node, skin.posed(bone) and bone.bind or matrix.mul(backwards(self.worlds[node]), part.transform))
  end
  if #part.loose > 0 then
    skin.hold_loose(part, #joints)
    add(self:bone(part.name or "loose", STILL, self.root), part.transform)
  end
  for _, node in ipairs(self.all) do -- the others, so that other programs recognise them as bones
    if not used[node] then add(node, backwards(self.worlds[node])) end
  end
  return self:skin(joints, flat)
end

return armature
