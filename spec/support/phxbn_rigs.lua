--- Skeletons as nested tables, for every version and stage.

local rigs = {}

-- Versions that have a field, and whether it wants weights.
local SINCE = { point_parents = 8, bone_parents = 8, bone_mass = 6, bone_com = 7, bone_mats = 9, ik_bones = 10 }
local WEIGHTED = { "weights", "bone_ids", "hier_parents", "joints" }

local function mat(...)
  return { ... }
end

--- A hip, a chest, a head and two arms: symmetrical, with all that its version has.
function rigs.biped(version, stage)
  local straight = mat(-1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1)
  local left = mat(0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1)
  local right = mat(0, -1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 1)
  local fields = {
    version = version,
    rigging_stage = stage,
    points = { { x = 0, y = 0, z = 0 }, { 0, 1, 0 }, { 0, 2, 0 }, { 0, 3, 0 }, { 0.5, 2, 0 }, { -0.5, 2, 0 } },
    point_parents = { -1, 0, 1, 2, 2, 2 },
    bone_ends = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 2, 4 }, { 2, 5 } },
    bone_parents = { -1, 0, 1, 1, 1 },
    bone_mass = { 5, 4, 3, 2, 2 },
    bone_com = { { 0, 0.5, 0 }, { 0, 1.5, 0 }, { 0, 2.5, 0 }, { 0.25, 2, 0 }, { -0.25, 2, 0 } },
    bone_mats = { straight, straight, straight, left, right },
    weights = { { 0.75, 0.25, 0, 0 }, { 0.5, 0.5, 0, 0 }, { 0.5, 0.25, 0.25, 0 } },
    bone_ids = { { 0, 1, 0, 0 }, { 2, 3, 0, 0 }, { 4, 0, 1, 0 } },
    hier_parents = { -1, 0, 1, 1, 1 },
    joints = {
      { type = "amotor", stop = { -1, 1, -0.5, 0.5, -0.25, 0.25 }, bone = { 1, 0 } },
      { type = "hinge", stop = { 0, 1 }, bone = { 3, 1 }, axis = { 0, 0, 1 } },
      { type = "fixed", bone = { 4, 1 } },
    },
    ik_bones = {
      { bone_id = 2, chain_length = 3, name = "torso" },
      { bone_id = 4, chain_length = 1, name = "rightarm" },
      { bone_id = 2, chain_length = 1, name = "head" },
      { bone_id = 3, chain_length = 1, name = "leftarm" },
      { bone_id = 0, chain_length = 1, name = "left_leg" },
      { bone_id = 0, chain_length = 1, name = "right_leg" },
    },
  }
  for name, since in pairs(SINCE) do
    if version < since then fields[name] = nil end
  end
  local weighted = stage == "control_joints" or stage == "animate" or stage == 1 or stage == 2
  for _, name in ipairs(WEIGHTED) do
    if not weighted then fields[name] = nil end
  end
  return fields
end

return rigs
