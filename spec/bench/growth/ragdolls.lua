-- Lines of Skyrim's ragdolls: a chain of n bodies, each joined to the one before, with a bone each.

local growth = require "growth"
local lathe = require "lathe"

local SAME <const> = { 1, 1, 1, 0 }
local FIRST <const> = 5 -- the number of the first body; its shape, its joint and what that is made of follow

local function pose(t) return { translation = t, rotation = { 0, 0, 0, 1 }, scale = SAME } end

local function body(i)
  local center = { 0, 0, i, 0 }
  return { class = "hkpRigidBody", name = "Bone " .. i, collidable = { shape = FIRST + 4 * i - 3 },
    motion = { type = 1, inertia_and_mass_inv = { 1, 1, 1, 1 }, motion_state = { object_radius = 1,
      transform = { translation = { 0, 0, i, 1 } },
      swept_transform = { center_of_mass0 = center, center_of_mass1 = center } } } }
end

local function skeleton(n, name)
  local all = { class = "hkaSkeleton", name = name, bones = {}, parent_indices = {}, reference_pose = {} }
  for i = 1, n do
    all.bones[i], all.parent_indices[i], all.reference_pose[i] = { name = "Bone " .. i }, i - 2, pose { 0, 0, 1, 0 }
  end
  return all
end

local function chain(n)
  local bodies, joints, map, mappings = {}, {}, {}, {}
  local objects = {
    { class = "hkRootLevelContainer", named_variants = { { variant = 4, class_name = "hkaRagdollInstance" },
      { variant = FIRST + 4 * n, class_name = "hkaSkeletonMapper" } } },
    skeleton(n, "Bone 1"), skeleton(n, "Bone 1"),
    { class = "hkaRagdollInstance", rigid_bodies = bodies, constraints = joints, bone_to_rigid_body_map = map,
      skeleton = 3 },
  }
  for i = 1, n do
    local at = FIRST + 4 * (i - 1)
    bodies[i], map[i], mappings[i] = at, i - 1, { bone_a = i - 1, bone_b = i - 1, a_from_b_transform = pose { 0, 0, 0, 0 } }
    objects[at] = body(i)
    objects[at + 1] = { class = "hkpCapsuleShape", radius = 1, vertex_a = { 0, 0, 0, 1 }, vertex_b = { 0, 0, 1, 1 } }
    objects[at + 2] = i == 1 and { class = "hkpPositionConstraintMotor" }
      or { class = "hkpConstraintInstance", data = at + 3, entities = { at, at - 4 } }
    objects[at + 3] = { class = "hkpBallAndSocketConstraintData", atoms = { pivots = {
      translation_b = { 0, 0, 1, 0 } } } }
    if i > 1 then joints[i - 1] = at + 2 end
  end
  objects[FIRST + 4 * n] = { class = "hkaSkeletonMapper", mapping = { skeleton_a = 2, skeleton_b = 3,
    simple_mappings = mappings } }
  return assert(lathe.new("hkx", { game = "skyrim-se", objects = objects }))
end

local function open(n) return assert(lathe.parse(growth.bytes("ragdoll", n, chain), { format = "hkx" })) end

local FEWER <const> = { 250, 1000, 4000, 16000 } -- bones have 16 bits

local function set_all(doc)
  for _, one in ipairs(doc.bodies) do one.friction = 0.75 end
end
local function all_set(_, doc, n) assert(#doc.bodies == n and doc.bodies[n].friction == 0.75) end

return {
  {
    name = "ragdolls: the list of n bodies",
    sizes = FEWER, make = open,
    run = function(doc) return #doc.bodies end,
    check = function(count, _, n) assert(count == n) end,
  },
  {
    name = "ragdolls: material and layer of all",
    sizes = FEWER, make = open,
    run = function(doc)
      local count = 0
      for _, one in ipairs(doc.bodies) do
        if one.layer == "unidentified" and not one.material then count = count + 1 end
      end
      return count
    end,
    check = function(count, _, n) assert(count == n) end,
  },
  {
    name = "ragdolls: friction of all, in an edit",
    sizes = FEWER, make = open,
    run = function(doc) doc:edit(set_all) end,
    check = all_set,
  },
  {
    name = "ragdolls: doc:meshes of what collides",
    sizes = FEWER, make = open,
    run = function(doc)
      local count = 0
      for _ in doc:meshes { what = "collision" } do count = count + 1 end
      return count
    end,
    check = function(count, _, n) assert(count == n) end,
  },
  {
    name = "ragdolls: doc:scale",
    covers = { "hkx:scale" },
    sizes = FEWER, make = open,
    run = function(doc) assert(doc:scale(2)) end,
    check = function(_, doc, n) assert(doc.bodies[n].position.z == 2 * n) end,
  },
  {
    name = "ragdolls: doc:check",
    sizes = FEWER, make = open,
    run = function(doc) return select(2, doc:check()) end,
    check = function(findings) assert(#findings == 0, findings[1] and findings[1].message) end,
  },
}
