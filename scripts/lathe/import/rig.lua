--- Converts the bones of a glTF file to those of a skeleton: to its axes and units, relative to its parents.
--
-- Nodes above the bones, such as Blender's armature object, rotate and scale them. The rotation is applied to
-- the roots, the scale to all bones.
-- @module lathe.import.rig

local fail = require "lathe.import.fail"
local matrix = require "lathe.export.matrix"
local order = require "lathe.export.order"
local scene = require "lathe.export.scene"
local turns = require "lathe.import.turns"

local Rig = {}
Rig.__index = Rig

local rig = {}

local MOTION = "root motion"
local UNTURNED = { 1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1 } -- from y up to z up
local SAME = 2e-6 -- tolerance for matrices: rounding of f32 and some products
local EVEN = 1e-4 -- tolerance for equal scales of the axes
local NEAR_ONE = 1e-3

-- ---- nodes above the bones ------------------------------------------------------------------------

-- The node whose extras describe the bones, as written by lathe.export.
local function told(all)
  for i = 0, all.n - 1 do
    local extras = all[i].extras
    if extras and type(extras.bones) == "table" then return extras end
  end
  return {}
end

-- The nearest bone above a node, and the nodes in between.
local function above(all, i)
  local direct, at = true, all[i].parent
  while at and not all[at].bone do
    direct, at = false, all[at].parent
  end
  return at, direct
end

local function find_motion(all, wanted)
  for i = 0, all.n - 1 do
    if all[i].name == MOTION and not wanted[MOTION] then
      all[i].bone = nil
      return i
    end
  end
end

-- ---- lengths --------------------------------------------------------------------------------------

local function length_of(t) return math.sqrt(t[1] * t[1] + t[2] * t[2] + t[3] * t[3]) end

-- The factor from the file's unit to the skeleton's, by the lengths of most bones; 1 if unknown.
local function told_by_lengths(self)
  local ratios = {}
  for _, bone in ipairs(self.bones) do
    local rest, node = bone.pose and bone.pose.t, bone.node and self.all[bone.node]
    if rest and node and bone.direct then
      local theirs, ours = length_of(node.rest.t), length_of({ rest[1], rest[2], rest[3] })
      if theirs > 1e-6 and ours > 1e-6 then ratios[#ratios + 1] = ours / theirs end
    end
  end
  table.sort(ratios)
  local k = ratios[(#ratios + 1) // 2] or 1
  return math.abs(k - 1) > NEAR_ONE and k or 1
end

-- The scale of the nodes above the first root.
local function scale_above(self)
  for _, bone in ipairs(self.bones) do
    local parent = bone.node and not bone.above and self.all[bone.node].parent
    if parent then
      local where, trs = ("nodes[%d]"):format(parent), matrix.decompose(self.rest[parent])
      if not trs then fail.at(where, "what is above the bones shears or flattens them") end
      local s = trs.s
      local even = math.abs(s[2] / s[1] - 1) < EVEN and math.abs(s[3] / s[1] - 1) < EVEN
      if not even then fail.at(where, "it scales bones by %g, %g, %g: not evenly", s[1], s[2], s[3]) end
      return s[1]
    end
  end
  return 1
end

-- Sets the transform from the file's space to that of the skeleton.
local function set_space(self, scale, up)
  local over = scale_above(self)
  self.factor = scale and over / scale or told_by_lengths(self)
  local lengths, m = over / self.factor, {}
  for i, v in ipairs(up == "z" and UNTURNED or matrix.IDENTITY) do m[i] = i < 16 and v / lengths or v end
  self.back = m
end

-- ---- places ---------------------------------------------------------------------------------------

-- World transforms of all nodes; `trs_of(i)` returns the local one, nil: at rest.
function Rig:places(trs_of)
  local places = {}
  for _, i in ipairs(self.all.order) do
    if self.needed[i] then
      local node = self.all[i]
      local m = i == self.motion and matrix.IDENTITY or matrix.compose(trs_of and trs_of(i) or node.rest)
      places[i] = node.parent and matrix.mul(places[node.parent], m) or m
    end
  end
  return places
end

-- The transform of a node in the skeleton's space, with the skeleton's lengths.
function Rig:in_space(m)
  local placed, k = matrix.mul(self.back, m), self.factor
  for i = 1, 12 do placed[i] = placed[i] / k end
  return placed
end

-- Marks a node and its ancestors as required.
local function need(self, i)
  while i and not self.needed[i] do
    self.needed[i] = true
    i = self.all[i].parent
  end
end

-- Finds the roots whose poses need no conversion.
local function find_direct(self)
  for _, bone in ipairs(self.bones) do
    local node = bone.node and self.all[bone.node]
    if node and not bone.above and not node.above_moves then
      local m = node.parent and self.rest[node.parent] or matrix.IDENTITY
      local space, same = self:in_space(m), true
      for i = 1, 16 do same = same and math.abs(space[i] - matrix.IDENTITY[i]) < SAME end
      bone.direct = same
    end
  end
end

-- Finds the bones whose axes another program rotated.
local function find_turns(self, by_any)
  local n, axes = 0, self:places(function(i) return turns.unscaled(self.all[i].rest) end)
  self.turns, self.rests_elsewhere = turns.find(self.bones, self.order, function(i)
    local node = self.bones[i].node
    if node then return self:in_space(self.rest[node]), self:in_space(axes[node]) end
  end, by_any)
  for _ in pairs(self.turns) do n = n + 1 end
  self.turned = n
end

-- ---- poses ----------------------------------------------------------------------------------------

local function scaled(t, k)
  if k == 1 then return t end
  return { k * t[1], k * t[2], k * t[3] }
end

-- The pose of a bone whose parent in the file is not its parent in the skeleton.
function Rig:worked_out(bone, worlds, places, turn)
  local m = turns.undo_place(self:in_space(places[bone.node]), turn)
  local parent = bone.above and worlds[bone.above]
  local back = parent and matrix.invert(parent)
  if parent and not back then
    fail.at(("nodes[%d]"):format(bone.node), "what it hangs on has no size")
  end
  local pose = matrix.decompose(back and matrix.mul(back, m) or m)
  if not pose then fail.at(("nodes[%d]"):format(bone.node), "its transform shears or flattens it") end
  return pose
end

--- The poses of all bones of the skeleton, relative to their parents; bones that the file lacks are at rest.
-- @tparam ?function trs_of returns the local transform of node i; nil: it is at rest
-- @treturn {table,...} `t`, `q`, `s`
-- @raise errors for `fail.catch`
function Rig:poses(trs_of)
  local places = self.all_direct and {} or self:places(trs_of)
  local poses, worlds = {}, {}
  for _, i in ipairs(self.order) do
    local bone = self.bones[i]
    local pose = bone.still
    if bone.node and bone.direct then
      local trs = trs_of and trs_of(bone.node) or self.all[bone.node].rest
      pose = { t = scaled(trs.t, self.factor), q = trs.q, s = trs.s }
      pose = turns.undo(pose, self.turns[bone.above], self.turns[i])
    elseif bone.node then
      pose = self:worked_out(bone, worlds, places, self.turns[i])
    end
    poses[i] = turns.mirrored(pose, bone.still)
    if not self.all_direct then
      local m = matrix.compose(pose)
      worlds[i] = bone.above and matrix.mul(worlds[bone.above], m) or m
    end
  end
  return poses
end

-- ---- creation -------------------------------------------------------------------------------------

local STILL = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } }

local function plain(pose)
  if not pose then return STILL end
  local function list(v, n) return v and table.move(v, 1, n, 1, {}) end
  return { t = list(pose.t, 3) or STILL.t, q = list(pose.q, 4) or STILL.q, s = list(pose.s, 3) or STILL.s }
end

-- The bones of a given skeleton, each with its node.
local function of_skeleton(self, skeleton, found)
  for i, bone in ipairs(skeleton.bones) do
    local parent = bone.parent or -1
    self.bones[i] = {
      name = bone.name, above = parent >= 0 and parent + 1 or nil, pose = bone.pose, still = plain(bone.pose),
      node = found.by_name[scene.utf8(bone.name)],
    }
  end
end

-- The bones with the file's hierarchy, in the order of the extras if there are any.
local function of_file(self, found, extras)
  local numbers, list = {}, {}
  local function take(i)
    if i and self.all[i].bone and not numbers[i] then
      list[#list + 1] = i
      numbers[i] = #list
    end
  end
  for _, name in ipairs(extras.bones or {}) do take(found.by_name[name]) end
  for _, i in ipairs(self.all.order) do take(i) end
  for k, i in ipairs(list) do
    self.bones[k] = { name = self.all[i].name, above = numbers[above(self.all, i)], node = i, still = STILL }
  end
end

local function mark_moving(all, moving)
  for _, i in ipairs(all.order) do
    local parent = all[i].parent
    all[i].above_moves = parent and (all[parent].above_moves or moving[parent] and not all[parent].bone)
  end
end

--- Fits the bones of a file into a skeleton.
-- @tparam {table,...} all from `lathe.import.nodes`
-- @tparam {integer,...} found bones among them
-- @tparam ?table skeleton in the form of `lathe.export.clip`; nil: that of the file
-- @tparam table opts `scale`, `up`, `moving` (numbers of nodes that move)
-- @treturn Rig `bones`, `motion` (a node or nil), `extras`, `up`, `factor`, `turned` (number of bones with
--   other axes), `rests_elsewhere` (whether the rest pose differs)
-- @raise errors for `fail.catch`
function rig.new(all, found, skeleton, opts)
  local self = setmetatable({ all = all, bones = {}, needed = {}, extras = told(all) }, Rig)
  self.motion = find_motion(all, skeleton and opts.wanted or {})
  if skeleton then of_skeleton(self, skeleton, found) else of_file(self, found, self.extras) end
  self.order = order.parents_first(1, #self.bones, function(i) return self.bones[i].above end)
  if not self.order then fail.at("skeleton", "a bone is its own ancestor") end
  local moving = {}
  for i in pairs(opts.moving or {}) do moving[i] = i ~= self.motion or nil end
  mark_moving(all, moving)
  for _, bone in ipairs(self.bones) do
    if bone.node then
      local parent = bone.above and self.bones[bone.above].node
      bone.direct = parent ~= nil and all[bone.node].parent == parent
      need(self, bone.node)
    end
  end
  self.rest = self:places()
  local up = opts.up or skeleton and skeleton.up or self.extras.up
  self.up = up == "z" and "z" or "y"
  local scale = opts.scale
  if scale == "metres" then
    scale = opts.metres or skeleton and skeleton.metres or tonumber(self.extras.metres)
    if not scale or not (scale > 1e-20 and scale < 1e20) then
      fail.at(nil, "the length of a unit is not known: give the scale as a number")
    end
  end
  set_space(self, scale, self.up)
  find_direct(self)
  self.turns, self.turned = {}, 0
  if skeleton then find_turns(self, opts.moving ~= nil) end
  self.all_direct = true
  for _, bone in ipairs(self.bones) do
    self.all_direct = self.all_direct and (bone.direct or not bone.node)
  end
  return self
end

return rig
