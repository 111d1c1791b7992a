--- A skeleton of Skyrim with a ragdoll of three bodies, all of whose numbers are exact: what tests plant faults in.
--
--    local doc <close> = ragdoll.new(lathe)                    -- ragdoll.new(lathe, "skyrim-le")
--    local at = ragdoll.at                                     -- at.arm: the number of that object
--
-- Spine, arm and hand; the arm is turned by 90 degrees about z. The spine is a capsule, the arm a hull, the hand a list of a
-- box, a moved sphere and a turned capsule.

local ragdoll = {}

ragdoll.at = {
  skeleton = 3, bones = 4, data = 5, system = 6, spine = 7, arm = 8, hand = 9, capsule = 10, hull = 11, list = 12, box = 13,
  moved = 14, sphere = 15, turned = 16, thin = 17, shoulder = 18, shoulder_data = 19, wrist = 20, wrist_data = 21,
  motor = 22, ragdoll = 23, down = 24, up = 25,
}
local at = ragdoll.at

local IDENTITY <const> = { 0, 0, 0, 1 }
local SAME <const> = { 1, 1, 1, 0 }
local HALF <const> = math.sqrt(0.5)
local TURN <const> = { 0, 0, HALF, HALF }                       -- by 90 degrees about z

local function pose(t, q) return { translation = t, rotation = q or IDENTITY, scale = SAME } end

-- Where a body is: its columns, and its translation.
local function place(t, turned)
  if not turned then return { translation = { t[1], t[2], t[3], 1 } } end
  return { column0 = { 0, 1, 0, 0 }, column1 = { -1, 0, 0, 0 }, translation = { t[1], t[2], t[3], 1 } }
end

-- A body of 4 kg whose centre of mass is one unit along its own x axis.
local function body(name, number, above, shape, t, turned)
  local center = turned and { t[1], t[2] + 1, t[3], 0 } or { t[1] + 1, t[2], t[3], 0 }
  local rotation = turned and TURN or IDENTITY
  return { class = "hkpRigidBody", name = name,
    collidable = { shape = shape, shape_key = 0xFFFFFFFF, allowed_penetration_depth = 0.125, broad_phase_handle = {
      type = 1, object_quality_type = 4, collision_filter_info = 0x10000 | number << 5 | above << 10 } },
    material = { response_type = 1, friction = 0.25, restitution = 0.75 },
    motion = { type = "MOTION_BOX_INERTIA", inertia_and_mass_inv = { 0.03125, 0.03125, 0.0625, 0.25 },
      linear_velocity = { 1, 2, 3, 4 }, deactivation_ref_position = { { 5, 6, 7, 8 }, { 9, 10, 11, 12 } },
      gravity_factor = 1,
      motion_state = { transform = place(t, turned), object_radius = 8, linear_damping = 0.5, angular_damping = 0.25,
        time_factor = 1, max_linear_velocity = 127, max_angular_velocity = 127, deactivation_class = 2,
        swept_transform = { center_of_mass0 = center, center_of_mass1 = center, rotation0 = rotation,
          rotation1 = rotation, center_of_mass_local = { 1, 0, 0, 0 } } } } }
end

local function frames(pivot, more)
  local atoms = { transforms = { type = 2, transform_b = { translation = pivot } },
    setup_stabilization = { type = 23 }, ball_socket = { type = 5, max_impulse = 0x1.FFFFDCp127 } }
  for name, atom in pairs(more) do atoms[name] = atom end
  return atoms
end

local function ragdoll_atoms(pivot, motor)
  return frames(pivot, { ragdoll_motors = { type = 19, motor0 = motor, motor1 = motor, motor2 = motor },
    ang_friction = { type = 17, is_enabled = 1, num_friction_axes = 3, max_friction_torque = 10 },
    twist_limit = { type = 15, is_enabled = 1, ref_axis = 1, min_angle = -0.25, max_angle = 0.25 },
    cone_limit = { type = 16, is_enabled = 1, min_angle = -100, max_angle = 0.75 },
    planes_limit = { type = 16, is_enabled = 1, ref_axis_in_b = 1, min_angle = -0.5, max_angle = 0.25 } })
end

local function hinge_atoms(pivot)
  return frames(pivot, { ang_motor = { type = 18, motor = at.motor },
    ang_friction = { type = 17, is_enabled = 1, num_friction_axes = 1, max_friction_torque = 4 },
    ang_limit = { type = 14, is_enabled = 1, min_angle = -1.5, max_angle = 0 }, ang_2d = { type = 12 } })
end

-- A cube of two units, without its shell.
local function hull()
  return { class = "hkpConvexVerticesShape", radius = 0.5, aabb_half_extents = { 1.5, 1.5, 1.5, 0 }, num_vertices = 8,
    rotated_vertices = {
      { x = { -1, 1, -1, 1 }, y = { -1, -1, 1, 1 }, z = { -1, -1, -1, -1 } },
      { x = { -1, 1, -1, 1 }, y = { -1, -1, 1, 1 }, z = { 1, 1, 1, 1 } } },
    plane_equations = { { -1, 0, 0, -1.5 }, { 1, 0, 0, -1.5 }, { 0, -1, 0, -1.5 }, { 0, 1, 0, -1.5 }, { 0, 0, -1, -1.5 },
      { 0, 0, 1, -1.5 } } }
end

local function skeleton(name, bones)
  local all = { class = "hkaSkeleton", name = name, bones = {}, parent_indices = {}, reference_pose = {} }
  for i, bone in ipairs(bones) do
    all.bones[i], all.parent_indices[i], all.reference_pose[i] = { name = bone[1] }, bone[2], bone[3]
  end
  return all
end

local function mapper(a, b, rows)
  local mappings, unmapped = {}, {}
  for i, row in ipairs(rows) do
    mappings[i] = { bone_a = row[1], bone_b = row[2], a_from_b_transform = pose(row[3]) }
  end
  if rows.unmapped then unmapped = rows.unmapped end
  return { class = "hkaSkeletonMapper", mapping = { skeleton_a = a, skeleton_b = b, simple_mappings = mappings,
    unmapped_bones = unmapped, keep_unmapped_local = true, extracted_motion_mapping = pose { 0, 0, 0, 0 } } }
end

local function shapes()
  return {
    [at.capsule] = { class = "hkpCapsuleShape", radius = 2, vertex_a = { -3, 0, 0, 2 }, vertex_b = { 5, 0, 0, 2 } },
    [at.hull] = hull(),
    [at.list] = { class = "hkpListShape", child_info = { { shape = at.box }, { shape = at.moved }, { shape = at.turned } },
      aabb_half_extents = { 4, 4, 4, 0 }, aabb_center = { 1, 0, 0, 0 } },
    [at.box] = { class = "hkpBoxShape", radius = 0.25, half_extents = { 1, 2, 3, 0 } },
    [at.moved] = { class = "hkpConvexTranslateShape", radius = 1, child_shape = { child_shape = at.sphere },
      translation = { 4, 0, 0, 0 } },
    [at.sphere] = { class = "hkpSphereShape", radius = 1 },
    [at.turned] = { class = "hkpConvexTransformShape", radius = 0.5, child_shape = { child_shape = at.thin },
      transform = place({ 0, 4, 0 }, true) },
    [at.thin] = { class = "hkpCapsuleShape", radius = 0.5, vertex_a = { 0, 0, 0, 0.5 }, vertex_b = { 2, 0, 0, 0.5 } },
  }
end

--- The objects, for lathe.new.
function ragdoll.objects()
  local all = shapes()
  local function variant(name, class, number) return { name = name, class_name = class, variant = number } end
  all[1] = { class = "hkRootLevelContainer", named_variants = {
    variant("Merged Animation Container", "hkaAnimationContainer", 2), variant("Physics Data", "hkpPhysicsData", at.data),
    variant("RagdollInstance", "hkaRagdollInstance", at.ragdoll), variant("SkeletonMapper", "hkaSkeletonMapper", at.down),
    variant("SkeletonMapper", "hkaSkeletonMapper", at.up) } }
  all[2] = { class = "hkaAnimationContainer", skeletons = { at.skeleton, at.bones } }
  all[at.skeleton] = skeleton("Root", { { "Root", -1, pose { 0, 0, 0, 0 } }, { "Spine", 0, pose { 0, 0, 64, 0 } },
    { "Arm", 1, pose({ 16, 0, 8, 0 }, TURN) }, { "Hand", 2, pose { 0, 20, 0, 0 } } })
  all[at.bones] = skeleton("Ragdoll_Spine", { { "Ragdoll_Spine", -1, pose { 0, 0, 66, 0 } },
    { "Ragdoll_Arm", 0, pose({ 16, 0, 6, 0 }, TURN) }, { "Ragdoll_Hand", 1, pose { 0, 20, 0, 0 } } })
  all[at.data] = { class = "hkpPhysicsData", systems = { at.system } }
  all[at.system] = { class = "hkpPhysicsSystem", name = "Default Physics System", active = true,
    rigid_bodies = { at.spine, at.arm, at.hand }, constraints = { at.shoulder, at.wrist } }
  all[at.spine] = body("Ragdoll_Spine", 1, 0, at.capsule, { 0, 0, 66 })
  all[at.arm] = body("Ragdoll_Arm", 2, 1, at.hull, { 16, 0, 72 }, true)
  all[at.hand] = body("Ragdoll_Hand", 3, 2, at.list, { -4, 0, 72 }, true)
  all[at.shoulder] = { class = "hkpConstraintInstance", name = "Ragdoll_Arm", data = at.shoulder_data, priority = 1,
    entities = { at.arm, at.spine } }
  all[at.shoulder_data] = { class = "hkpRagdollConstraintData", atoms = ragdoll_atoms({ 16, 0, 6, 0 }, at.motor) }
  all[at.wrist] = { class = "hkpConstraintInstance", name = "Ragdoll_Hand", data = at.wrist_data, priority = 1,
    entities = { at.hand, at.arm } }
  all[at.wrist_data] = { class = "hkpLimitedHingeConstraintData", atoms = hinge_atoms { 0, 20, 0, 0 } }
  all[at.motor] = { class = "hkpPositionConstraintMotor", type = "position", min_force = -1000000, max_force = 100,
    tau = 0.75, damping = 1, proportional_recovery_velocity = 5, constant_recovery_velocity = 0.25 }
  all[at.ragdoll] = { class = "hkaRagdollInstance", rigid_bodies = { at.spine, at.arm, at.hand },
    constraints = { at.shoulder, at.wrist }, bone_to_rigid_body_map = { 0, 1, 2 }, skeleton = at.bones }
  all[at.down] = mapper(at.skeleton, at.bones, { { 1, 0, { 0, 0, 2, 0 } }, { 2, 1, { 0, 0, 0, 0 } },
    { 3, 2, { 0, 0, 0, 0 } } })
  all[at.up] = mapper(at.bones, at.skeleton, { { 0, 1, { 0, 0, -2, 0 } }, { 1, 2, { 0, 0, 0, 0 } }, { 2, 3, { 0, 0, 0, 0 } },
    unmapped = { 0 } })
  return all
end

--- The document. Objects stand in the order of Havok's writers, so `ragdoll.find` looks for them by class.
function ragdoll.new(lathe, game)
  return assert(lathe.new("hkx", { game = game or "skyrim-se", objects = ragdoll.objects() }))
end

--- Number i (default: 1) of the objects of a class.
function ragdoll.find(lathe, doc, class, i)
  local left = i or 1
  for k = 1, #doc.objects do
    if lathe.type(doc.objects[k]) == class then left = left - 1 end
    if left == 0 then return doc.objects[k] end
  end
  error("no " .. class, 2)
end

return ragdoll
