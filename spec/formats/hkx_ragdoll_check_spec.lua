-- doc:check() of Skyrim's ragdolls: faults that are planted in one, each named with its place; and none in the files of the
-- games. #corpus: pending, loudly, where there is none.

local helper = require "helper"
local lathe = require "lathe"
local ragdoll = require "sample_ragdoll"
local reader = require "hkx_reader"

local function findings(doc)
  local _, list = doc:check()
  local lines = {}
  for i, f in ipairs(list) do lines[i] = ("%s %s: %s"):format(f.level, f.where, f.message) end
  return lines
end

local function find(doc, class, i) return ragdoll.find(lathe, doc, class, i) end
local function motion(doc, i) return doc.bodies[i].source.motion end
local function mapping(doc, i) return find(doc, "hkaSkeletonMapper", i).mapping end

-- A fault, the change that plants it, and what check() says: the place of the object, by its class and number, then the
-- rest of the line.
local PLANTED <const> = {
  { "a mapper without a skeleton", function(doc) mapping(doc).skeleton_a = false end,
    "error", "hkaSkeletonMapper", 1, ".mapping.skeleton_a: points to no skeleton" },
  { "a mapper of another skeleton, which has fewer bones", function(doc) mapping(doc).skeleton_a = doc.objects[4] end,
    "error", "hkaSkeletonMapper", 1, ".mapping.simple_mappings[3].bone_a: no bone 3: skeleton_a has 3" },
  { "a mapper of another skeleton, whose bones are elsewhere", function(doc)
      doc.objects[4].reference_pose[1].translation.z = 80
      for i = 1, 3 do doc.bodies[i].position.z = doc.bodies[i].position.z + 14 end
      mapping(doc, 2).simple_mappings[1].a_from_b_transform.translation.z = -16
    end,
    "warning", "hkaSkeletonMapper", 1, ".mapping.simple_mappings[1].a_from_b_transform: it misses the rest pose of the "
      .. "bone in skeleton_b by 14 units and 0 radians: made for another skeleton?" },
  { "a mapper that turns", function(doc)
      mapping(doc).simple_mappings[2].a_from_b_transform.rotation = { 0, 0, 0.6, 0.8 }
    end,
    "warning", "hkaSkeletonMapper", 1, ".mapping.simple_mappings[2].a_from_b_transform: it misses the rest pose of the "
      .. "bone in skeleton_b by 0 units and 1.29 radians" },
  { "a mapper to the same skeleton", function(doc)
      local m = mapping(doc, 2)
      m.skeleton_b = m.skeleton_a
      m.simple_mappings = {}
      m.unmapped_bones = {}
    end,
    "warning", "hkaSkeletonMapper", 2, ".mapping.skeleton_b: the same skeleton as skeleton_a" },
  { "an unmapped bone that is not there", function(doc) mapping(doc, 2).unmapped_bones[1] = 4 end,
    "error", "hkaSkeletonMapper", 2, ".mapping.unmapped_bones[1]: no bone 4: skeleton_b has 4" },
  { "a chain that ends nowhere", function(doc)
      mapping(doc).chain_mappings = { { start_bone_a = 1, end_bone_a = 2, start_bone_b = 0, end_bone_b = 9,
        start_a_from_b_transform = { translation = { 0, 0, 2, 0 } } } }
    end,
    "error", "hkaSkeletonMapper", 1, ".mapping.chain_mappings[1].end_bone_b: no bone 9: skeleton_b has 3" },

  { "a joint without its first body", function(doc) find(doc, "hkpConstraintInstance").entities[1] = false end,
    "error", "hkpConstraintInstance", 1, ".entities[1]: points to no body" },
  { "a joint on the world", function(doc) find(doc, "hkpConstraintInstance").entities[2] = false end,
    "warning", "hkpConstraintInstance", 1, ".entities[2]: no second body: the first is attached to the world" },
  { "a joint of one body", function(doc)
      local joint = find(doc, "hkpConstraintInstance")
      joint.entities[2] = joint.entities[1]
    end,
    "warning", "hkpConstraintInstance", 1, ".entities[2]: the same body as entities[1]" },
  { "a joint of no kind", function(doc) find(doc, "hkpConstraintInstance", 2).data = false end,
    "error", "hkpConstraintInstance", 2, ".data: points to no constraint data" },
  { "pivots that are apart", function(doc)
      find(doc, "hkpRagdollConstraintData").atoms.transforms.transform_b.translation.x = 17
    end,
    "warning", "hkpConstraintInstance", 1, ".data: its pivots are 1 apart, and the larger body has a radius of 8" },
  { "a twist from more to less", function(doc)
      local atom = find(doc, "hkpRagdollConstraintData").atoms.twist_limit
      atom.min_angle, atom.max_angle = atom.max_angle, atom.min_angle
    end,
    "error", "hkpRagdollConstraintData", 1, ".atoms.twist_limit.min_angle: from 0.25 to -0.25 radians: the minimum "
      .. "exceeds the maximum" },
  { "a cone from more to less", function(doc)
      find(doc, "hkpRagdollConstraintData").atoms.planes_limit.max_angle = -1
    end,
    "error", "hkpRagdollConstraintData", 1, ".atoms.planes_limit.min_angle: from -0.5 to -1 radians" },
  { "a hinge from more to less", function(doc)
      find(doc, "hkpLimitedHingeConstraintData").atoms.ang_limit.min_angle = 0.5
    end,
    "error", "hkpLimitedHingeConstraintData", 1, ".atoms.ang_limit.min_angle: from 0.5 to 0 radians" },
  { "friction below 0", function(doc)
      find(doc, "hkpLimitedHingeConstraintData").atoms.ang_friction.max_friction_torque = -2
    end,
    "warning", "hkpLimitedHingeConstraintData", 1, ".atoms.ang_friction.max_friction_torque: -2: negative friction" },
  { "a motor whose force has no range", function(doc) find(doc, "hkpPositionConstraintMotor").min_force = 200 end,
    "error", "hkpPositionConstraintMotor", 1, ".min_force: from 200 to 100 N" },

  { "a mass below 0", function(doc) motion(doc, 1).inertia_and_mass_inv.w = -0.25 end,
    "error", "hkpRigidBody", 1, ".motion.inertia_and_mass_inv: -0.25 is no inverse of a mass: a finite number" },
  { "a mass that is no number", function(doc) motion(doc, 1).inertia_and_mass_inv.w = 1 / 0 end,
    "error", "hkpRigidBody", 1, ".motion.inertia_and_mass_inv: inf is no inverse of a mass" },
  { "a moment below 0", function(doc) motion(doc, 2).inertia_and_mass_inv.y = -1 end,
    "error", "hkpRigidBody", 2, ".motion.inertia_and_mass_inv: -1 is no inverse of a moment of inertia" },
  { "a body that forces move, without a mass", function(doc) motion(doc, 2).inertia_and_mass_inv.w = 0 end,
    "error", "hkpRigidBody", 2, ".motion.inertia_and_mass_inv: a dynamic body without a mass" },
  { "a body that does not turn", function(doc) motion(doc, 2).inertia_and_mass_inv.x = 0 end,
    "warning", "hkpRigidBody", 2, ".motion.inertia_and_mass_inv: 0, 0.03125, 0.0625: it has a mass, but does not rotate" },
  { "moments that no solid has", function(doc) motion(doc, 3).inertia_and_mass_inv.x = 0.001 end,
    "warning", "hkpRigidBody", 3, ".motion.inertia_and_mass_inv: not the inertia of a solid: the moment about x exceeds" },
  { "a mass of what never moves", function(doc) motion(doc, 1).type = "MOTION_FIXED" end,
    "warning", "hkpRigidBody", 1, ".motion.inertia_and_mass_inv: a mass, though the body never moves" },
  { "a motion that nobody knows", function(doc) motion(doc, 1).type = 9 end,
    "warning", "hkpRigidBody", 1, ".motion.type: 9 is no known type of motion" },
  { "a centre of mass somewhere else", function(doc)
      motion(doc, 1).motion_state.swept_transform.center_of_mass1.x = 3
    end,
    "warning", "hkpRigidBody", 1, ".motion.motion_state.swept_transform: its centre of mass is 2 away from" },
  { "a body that is skewed", function(doc) motion(doc, 1).motion_state.transform.column0.y = 0.5 end,
    "warning", "hkpRigidBody", 1, ".motion.motion_state.transform: its columns are no rotation" },
  { "a body without a shape", function(doc) doc.bodies[1].source.collidable.shape = false end,
    "warning", "hkpRigidBody", 1, ": a body without a shape" },

  { "a ragdoll without a skeleton", function(doc) find(doc, "hkaRagdollInstance").skeleton = false end,
    "error", "hkaRagdollInstance", 1, ".skeleton: points to no skeleton" },
  { "a ragdoll without one of its bodies", function(doc) find(doc, "hkaRagdollInstance").rigid_bodies[2] = false end,
    "error", "hkaRagdollInstance", 1, ".rigid_bodies[2]: points to no body" },
  { "a ragdoll without one of its joints", function(doc) find(doc, "hkaRagdollInstance").constraints[1] = false end,
    "error", "hkaRagdollInstance", 1, ".constraints[1]: points to no joint" },
  { "a bone of no body", function(doc) find(doc, "hkaRagdollInstance").bone_to_rigid_body_map[2] = 3 end,
    "warning", "hkaRagdollInstance", 1, ".bone_to_rigid_body_map[2]: body 3, of 3" },
  { "bones of another skeleton", function(doc) find(doc, "hkaRagdollInstance").skeleton = doc.objects[3] end,
    "warning", "hkaRagdollInstance", 1, ".bone_to_rigid_body_map: 3 of them for 4 bones" },
  { "a body of another bone", function(doc)
      local map = find(doc, "hkaRagdollInstance").bone_to_rigid_body_map
      map[2], map[3] = 2, 1
    end,
    "warning", "hkaRagdollInstance", 1, ".bone_to_rigid_body_map[2]: the body is 20 away from its bone in the rest pose" },
  { "a joint of another ragdoll", function(doc)
      local all = find(doc, "hkaRagdollInstance")
      all.rigid_bodies:remove(3)
      all.bone_to_rigid_body_map = { 0, 1, -1 }
    end,
    "warning", "hkaRagdollInstance", 1, ".constraints[2]: body 1 of the joint is not in rigid_bodies" },

  { "more corners than there are", function(doc) find(doc, "hkpConvexVerticesShape").num_vertices = 9 end,
    "error", "hkpConvexVerticesShape", 1, ".num_vertices: 9, but there is room for 8" },
  { "a hull without corners", function(doc) find(doc, "hkpConvexVerticesShape").num_vertices = 0 end,
    "error", "hkpConvexVerticesShape", 1, ".num_vertices: 0, but there is room for 8" },
  { "a normal of another length", function(doc) find(doc, "hkpConvexVerticesShape").plane_equations[2].x = 2 end,
    "warning", "hkpConvexVerticesShape", 1, ".plane_equations[2]: its normal is not of length 1" },
  { "a capsule of two radii", function(doc) find(doc, "hkpCapsuleShape").vertex_b.w = 3 end,
    "warning", "hkpCapsuleShape", 1, ".vertex_b: w is 3, the radius 2" },
  { "a sphere without extent", function(doc) find(doc, "hkpSphereShape").radius = 0 end,
    "warning", "hkpSphereShape", 1, ".radius: 0: it has no extent" },
  { "a list in itself", function(doc)
      local list = find(doc, "hkpListShape")
      list.child_info[1].shape = list
    end,
    "error", "hkpListShape", 1, ": a compound that contains itself" },
  { "a material that nobody knows", function(doc) find(doc, "hkpCapsuleShape").user_data = 12345 end,
    "warning", "hkpCapsuleShape", 1, ".user_data: 0x00003039 is no known material" },
}

describe("check() of a ragdoll", function()
  it("finds nothing in one that is right", function()
    for _, game in ipairs { "skyrim-le", "skyrim-se" } do
      local doc <close> = ragdoll.new(lathe, game)
      assert.same({}, findings(doc))
    end
  end)

  for _, row in ipairs(PLANTED) do
    it("names " .. row[1], function()
      local doc <close> = ragdoll.new(lathe)
      row[2](doc)
      local wanted = ("%s %s%s"):format(row[3], lathe.path(find(doc, row[4], row[5])), row[6])
      local lines, found = findings(doc), 0
      for _, line in ipairs(lines) do
        if line:sub(1, #wanted) == wanted then found = found + 1 end
      end
      assert(found == 1, wanted .. "\nis not in\n" .. table.concat(lines, "\n"))
    end)
  end

  -- Edits refuse pointers to objects of other classes; files may have them.
  it("names a mapper and a joint that lead to what is none of theirs", function()
    local doc <close> = ragdoll.new(lathe)
    local bytes, spots = doc:encode(), {}
    local function point(view, row, object)
      spots[#spots + 1] = { lathe.span(view, row), (lathe.span(object)) }
    end
    point(mapping(doc), "skeleton_b", doc.bodies[1].source)
    point(find(doc, "hkpConstraintInstance").entities, 1, doc.objects[3])
    local file = reader.read(bytes)
    local start = file.data.absolute_data_start
    local rows = start + file.data.global_fixups_offset
    for i in ipairs(file.global_fixups) do
      local at = rows + 12 * i - 11
      local from, section = ("<I4I4"):unpack(bytes, at)
      for _, spot in ipairs(spots) do
        if from == spot[1] - start then
          bytes = bytes:sub(1, at - 1) .. ("<I4I4I4"):pack(from, section, spot[#spot] - start) .. bytes:sub(at + 12)
        end
      end
    end
    local other <close> = assert(lathe.parse(bytes))
    local lines = table.concat(findings(other), "\n")
    assert.matches(lathe.path(find(other, "hkaSkeletonMapper")) .. ".mapping.skeleton_b: points to no skeleton, but to "
      .. "hkpRigidBody", lines, 1, true)
    assert.matches(lathe.path(find(other, "hkpConstraintInstance")) .. ".entities[1]: points to no body, but to hkaSkeleton",
      lines, 1, true)
    assert.is_nil(other:scale(2))
    assert.is_true(bytes == other:encode())
  end)

  -- Counts, numbers and pointers of the file are checked, whoever reads them.
  it("survives any word that is damaged #slow", function()
    local whole <close> = ragdoll.new(lathe, "skyrim-le")
    local bytes = whole:encode()
    for _, word in ipairs { "\xFF\xFF\xFF\xFF", "\3\0\0\0" } do
      for at = 0x40, #bytes - 4, 4 do
        local doc = lathe.parse(bytes:sub(1, at) .. word .. bytes:sub(at + 5), { format = "hkx" })
        if doc then
          doc:check()
          for i = 1, #doc.bodies do
            local body = doc.bodies[i]
            assert(pcall(function() return body.name, body.mass, body.material, body.layer, body.position.x, body.shape end)
              or true)
          end
          pcall(function() for _ in doc:meshes { what = "collision", left_out = {} } do end end)
          local before = doc:encode()
          local report = doc:scale(2)
          if not report then assert(before == doc:encode(), at) end
          doc:close()
        end
      end
    end
  end)

  -- What others share is looked at once for each of them, but not without end.
  it("stays short where mappers and ragdolls share a skeleton", function()
    local objects = ragdoll.objects()
    local at, bones = ragdoll.at, objects[ragdoll.at.bones]
    for i = 4, 3000 do
      bones.bones[i], bones.parent_indices[i] = { name = "b" }, i - 2
      bones.reference_pose[i] = { translation = { 1, 0, 0, 0 } }
    end
    local last = #objects
    local variants = objects[1].named_variants
    for i = 1, 400 do
      for k, number in ipairs { at.ragdoll, at.down } do
        local copy = {}
        for key, value in pairs(objects[number]) do copy[key] = value end
        last = last + 1
        objects[last] = copy
        variants[#variants + 1] = { name = "x" .. i .. k, class_name = copy.class, variant = last }
      end
    end
    local doc <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = objects }))
    local begin, lines = os.clock(), table.concat(findings(doc), "\n")
    assert.matches("ragdolls share too much data: the rest is not checked", lines, 1, true)
    assert.is_true(os.clock() - begin < 5)
  end)
end)

describe("check() of ragdolls of the corpus #corpus", function()
  it("finds nothing", function()
    local root, n = helper.need_corpus("", pending), 0
    for _, folder in ipairs { "hkx/skyrim-le", "hkx/skyrim-se", "hkx/fo4", "hkx-behavior/skyrim-le",
      "hkx-behavior/skyrim-se", "hkx-behavior/xml", "hkx-behavior/xml-stripped", "hkx-behavior/xml-other" } do
      for _, name in ipairs(helper.list(root .. "/" .. folder, "skeleton.*%.[hx][km][xl]$")) do
        local doc <close> = assert(lathe.open(("%s/%s/%s"):format(root, folder, name)))
        assert.same({}, findings(doc), name)
        n = n + 1
      end
    end
    assert.equal(12, n)
  end)
end)
