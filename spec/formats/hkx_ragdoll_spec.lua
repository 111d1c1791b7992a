-- doc.bodies and meshes of collision of Skyrim's ragdolls: what a made-up one has, edits, and what the files of the games
-- prove about units, filters and materials. #corpus: pending, loudly, where there is none.

local helper = require "helper"
local lathe = require "lathe"
local ragdoll = require "sample_ragdoll"
local walker = require "hkx_walker"

local UNIT <const> = 0.0142875                        -- metres in a unit of the game

local function find(doc, class, i) return ragdoll.find(lathe, doc, class, i) end

local function bounds(mesh)
  local min, max = { 1 / 0, 1 / 0, 1 / 0 }, { -1 / 0, -1 / 0, -1 / 0 }
  for i, v in ipairs(mesh.positions:totable()) do
    local axis = (i - 1) % 3 + 1
    min[axis], max[axis] = math.min(min[axis], v), math.max(max[axis], v)
  end
  return min, max
end

local function rounded(list)
  local out = {}
  for i, v in ipairs(list) do out[i] = math.floor(v * 1000 + 0.5) / 1000 end
  return out
end

describe("bodies of a ragdoll", function()
  it("have the names that bodies of other files have", function()
    local doc <close> = ragdoll.new(lathe)
    assert.equal(3, #doc.bodies)
    local arm = doc.bodies[2]
    assert.equal("hk_rigid_body", lathe.type(arm))
    assert.same({ "Ragdoll_Arm", "dynamic", 4, 0.25, 0.75, 0.5, 0.25, 1 },
      { arm.name, arm.motion, arm.mass, arm.friction, arm.restitution, arm.linear_damping, arm.angular_damping,
        arm.gravity_factor })
    assert.same({ 16, 0, 72 }, { arm.position.x, arm.position.y, arm.position.z })
    assert.same({ 0, 0, 0.707, 0.707 }, rounded { table.unpack(arm.orientation) })
    assert.same({ "unidentified", 2, 1, 1, 0x10440 },
      { arm.layer, arm.subsystem_id, arm.subsystem_dont_collide_with, arm.system_group, arm.filter_info })
    assert.is_nil(arm.material)
    assert.is_true(arm.shape == find(doc, "hkpConvexVerticesShape"))
    assert.is_true(arm.source == find(doc, "hkpRigidBody", 2))
    assert.same({ "hkpRigidBody", "hkpConvexVerticesShape" }, { lathe.type(arm.source), lathe.type(arm.shape) })
  end)

  it("are set, with what goes along, and one step of undo each", function()
    for _, game in ipairs { "skyrim-le", "skyrim-se" } do
      local doc <close> = assert(lathe.parse(ragdoll.new(lathe, game):encode(), { history = 20 }))
      local bytes, arm = doc:encode(), doc.bodies[2]
      local motion = arm.source.motion
      arm.position = { 1, 2, 3 }
      local state = motion.motion_state
      assert.same({ 1, 2, 3, 1 }, { table.unpack(state.transform.translation) })
      assert.same({ 1, 3, 3, 0 }, rounded { table.unpack(state.swept_transform.center_of_mass0) })
      arm.orientation = { 0, 0, 0, 2 }
      assert.same({ 0, 0, 0, 1 }, { table.unpack(state.swept_transform.rotation1) })
      assert.same({ 2, 2, 3 }, rounded { state.swept_transform.center_of_mass1.x, state.swept_transform.center_of_mass1.y,
        state.swept_transform.center_of_mass1.z })
      assert.same({ 1, 0, 0 }, { state.transform.column0.x, state.transform.column0.y, state.transform.column0.z })
      arm.mass = 8
      assert.same({ 0.015625, 0.015625, 0.03125, 0.125 }, { table.unpack(motion.inertia_and_mass_inv) })
      arm.name, arm.friction, arm.restitution = "Arm", 1, 0
      assert.same({ "Arm", 1, 0 }, { arm.source.name, arm.source.material.friction, arm.source.material.restitution })
      for _ = 1, 6 do assert(doc:undo()) end
      assert.is_true(bytes == doc:encode())
    end
  end)

  it("have layers by name, in five bits", function()
    local doc <close> = ragdoll.new(lathe)
    local arm = doc.bodies[2]
    arm.layer = "biped"
    assert.same({ "biped", 0x10448, 2, 1 },
      { arm.layer, arm.filter_info, arm.subsystem_id, arm.subsystem_dont_collide_with })
    arm.subsystem_id, arm.subsystem_dont_collide_with, arm.system_group, arm.layer = 31, 30, 0xFFFF, 4
    assert.same({ 0xFFFF0000 | 30 << 10 | 31 << 5 | 4, "clutter" }, { arm.filter_info, arm.layer })
    arm.filter_info = 0x10440
    for _, row in ipairs { { "layer", "bipd", "did you mean 'biped'?" }, { "layer", 32, "32 is outside of 0 .. 31" },
      { "subsystem_id", 32, "32 is outside of 0 .. 31" }, { "subsystem_id", "x", "a number expected" },
      { "system_group", 65536, "65536 is outside of 0 .. 65535" }, { "mass", 0, "is outside of" },
      { "motion", "static", "read-only" }, { "shape", false, "read-only" } } do
      assert.error_matches(function() arm[row[1]] = row[2] end, row[3], 1, true)
    end
    assert.equal(0x10440, arm.filter_info)
  end)

  it("have the layers of NIFs, as far as five bits go", function()
    local function layers(type, has)
      for _, row in ipairs(lathe.describe(type)) do
        local found = {}
        for i, name in ipairs(row.name == "layer" and row.names or {}) do
          if row.values[i] < 32 then found[row.values[i]] = name end
        end
        if found[5] == "weapon" and found[29] == has then return found end
      end
    end
    local all = layers("HavokFilter", "ward")
    assert.equal("stair_helper", all[31])
    assert.same(all, layers("hkpTypedBroadPhaseHandle", "ward"))
  end)

  it("have the material that their shapes say", function()
    local doc <close> = ragdoll.new(lathe)
    local bytes, hand = doc:encode(), doc.bodies[3]
    assert.equal(0, #doc.materials)
    hand.material = "materialskinlarge"
    assert.equal("materialskinlarge", hand.material)
    assert.same({ 0xB0C87E93, 0xB0C87E93, 0xB0C87E93, 0 }, { find(doc, "hkpBoxShape").user_data,
      find(doc, "hkpSphereShape").user_data, find(doc, "hkpCapsuleShape", 2).user_data,
      find(doc, "hkpListShape").user_data })
    assert.equal(3, #doc.materials)
    assert.same({ "materialskinlarge", "collision" }, { doc.materials[1].name, doc.materials[1].kind })
    assert.is_true(find(doc, "hkpBoxShape") == doc.materials[1].source)
    assert(doc:set_materials("materialskinlarge", "wood"))
    assert.equal("wood", hand.material)
    find(doc, "hkpSphereShape").material = "snow"
    assert.is_nil(hand.material)                      -- of several
    for _, wrong in ipairs { 1.5, -1, 2 ^ 32, true } do
      assert.error_matches(function() hand.material = wrong end, "a name, or an integer of 0 to 4294967295 expected")
    end
    hand.material = 0
    assert.is_nil(hand.material)
    assert.is_true(bytes == doc:encode())
  end)

  it("say what has no place, no shape, or a mass that cannot be", function()
    local doc <close> = ragdoll.new(lathe)
    local spine = doc.bodies[1]
    spine.source.collidable.shape = false
    assert.is_nil(spine.shape)
    assert.is_nil(spine.material)
    assert.error_matches(function() spine.material = "wood" end, "the body has no shape")
    for i = 2, 3 do
      doc.bodies[i].source.collidable.shape = false
      assert.is_nil(doc.bodies[i].material)
    end
    spine.source.motion.type = "MOTION_KEYFRAMED"
    assert.same({ "keyframed" }, { spine.motion, spine.mass })
    assert.error_matches(function() spine.mass = 3 end, "only what is dynamic has a mass")
    spine.source.motion.type = "MOTION_FIXED"
    assert.equal("static", spine.motion)
  end)
end)

describe("meshes of a ragdoll", function()
  it("are capsules, hulls and what lists hold, in the game's units", function()
    local doc <close> = ragdoll.new(lathe)
    local list = {}
    for mesh in doc:meshes { what = "collision" } do
      local min, max = bounds(mesh)
      list[#list + 1] = { mesh.name, mesh.shape, mesh.body, rounded(min), rounded(max) }
      assert.is_near(UNIT, mesh.metres, 1e-9)
    end
    assert.same({
      { "Ragdoll_Spine", "capsule", 1, { -5, -2, -2 }, { 7, 2, 2 } },
      { "Ragdoll_Arm", "hull", 2, { -1, -1, -1 }, { 1, 1, 1 } },
      { "Ragdoll_Hand", "box", 3, { -1, -2, -3 }, { 1, 2, 3 } },
      { "Ragdoll_Hand", "sphere", 3, { 3, -1, -1 }, { 5, 1, 1 } },
      { "Ragdoll_Hand", "capsule", 3, { -0.5, 3.5, -0.5 }, { 0.5, 6.5, 0.5 } },
    }, list)
  end)

  it("say what is not drawn, and why", function()
    local objects = ragdoll.objects()
    objects[ragdoll.at.capsule] = { class = "hkpCompressedMeshShape" }
    objects[ragdoll.at.hull].num_vertices = 9
    objects[ragdoll.at.sphere] = { class = "hkpPlaneShape" }
    objects[ragdoll.at.box].half_extents = { 1, 2, 0 / 0, 0 }
    local doc <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = objects }))
    local left_out, reasons, drawn = {}, {}, 0
    for _ in doc:meshes { what = "collision", left_out = left_out } do drawn = drawn + 1 end
    for i, one in ipairs(left_out) do reasons[i] = one.reason end
    assert.equal(1, drawn)
    assert.same({ "hkpCompressedMeshShape: lathe does not know this shape",
      "hkpConvexVerticesShape: its members are not what lathe knows of the class",
      "hkpBoxShape: a corner is no finite number",
      "hkpPlaneShape: lathe does not know this shape" }, reasons)
    assert.is_true(lathe.path(doc.bodies[1].shape) == left_out[1].path)
  end)

  it("have the shapes of convex lists", function()
    local objects = ragdoll.objects()
    objects[ragdoll.at.list] = { class = "hkpConvexListShape", child_shapes = { ragdoll.at.box, ragdoll.at.moved } }
    local doc <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = objects }))
    local shapes = {}
    for mesh in doc:meshes { what = "collision" } do shapes[#shapes + 1] = mesh.shape end
    assert.same({ "capsule", "hull", "box", "sphere" }, shapes)
  end)
end)

-- ---- the corpus -------------------------------------------------------------------------------------------

-- Bodies, of these dynamic, and meshes.
local FILES <const> = {
  ["hkx/skyrim-le/skeleton.hkx"] = { 19, 18, 19 }, ["hkx/skyrim-se/skeleton.hkx"] = { 19, 18, 19 },
  ["hkx/skyrim-le/skeever_skeleton.hkx"] = { 21, 21, 21 }, ["hkx/skyrim-le/skeleton_troll.hkx"] = { 19, 17, 19 },
  ["hkx/skyrim-le/tailskeleton.hkx"] = { 0, 0, 0 }, ["hkx-behavior/skyrim-le/wisp_skeleton.hkx"] = { 11, 10, 11 },
  ["hkx-behavior/skyrim-se/wisp_skeleton.hkx"] = { 11, 10, 11 }, ["hkx-behavior/xml/wisp_skeleton.xml"] = { 11, 10, 11 },
  ["hkx-behavior/xml-stripped/dragon__character_assets__skeleton.xml"] = { 32, 31, 39 },
  ["hkx-behavior/xml-stripped/dwarvenspherecenturion__character_assets__skeleton.xml"] = { 15, 14, 15 },
}

local function each(test)
  local root = helper.need_corpus("", pending)
  for name, wanted in pairs(FILES) do
    local doc <close> = assert(lathe.open(root .. "/" .. name))
    test(doc, name, wanted)
  end
end


describe("ragdolls of the corpus #corpus", function()
  it("are listed and drawn as a whole", function()
    local bodies = 0
    each(function(doc, name, wanted)
      local dynamic, meshes = 0, 0
      for i = 1, #doc.bodies do
        if doc.bodies[i].motion == "dynamic" then dynamic = dynamic + 1 end
      end
      local left_out = {}
      for _ in doc:meshes { what = "collision", left_out = left_out } do meshes = meshes + 1 end
      assert.same({}, left_out, name)
      assert.same(wanted, { #doc.bodies, dynamic, meshes }, name)
      bodies = bodies + #doc.bodies
    end)
    helper.count("ragdoll bodies", nil, bodies)
  end)

  -- Each body of a ragdoll is where its bone is at rest: lengths are units of the game, as those of bones are.
  it("have bodies where their bones are, in the units of the skeleton", function()
    local compared = 0
    each(function(doc, name)
      for i = 1, #doc.objects do
        local instance = doc.objects[i]
        if lathe.type(instance) == "hkaRagdollInstance" then
          for k, bone in ipairs(instance.skeleton.bones) do
            local body = instance.rigid_bodies[instance.bone_to_rigid_body_map[k] + 1]
            assert.equal(bone.name, body.name)
            compared = compared + 1
          end
          local poses, far = instance.skeleton.reference_pose, 0
          local first = instance.rigid_bodies[instance.bone_to_rigid_body_map[1] + 1]
          local root = first.motion.motion_state.transform.translation
          for axis = 1, 3 do
            far = math.max(far, math.abs(root[axis] - poses[1].translation[axis]))
          end
          assert.is_true(far < 1e-3 and math.abs(root.z) > 10, name)     -- the rest: doc:check()
        end
      end
    end)
    assert.equal(149, compared)
  end)

  -- The layer is 0 in all of them. Bits 5 to 9 number bodies, bits 10 to 14 name the body that they hang on, and the upper
  -- half is 1: so Havok's own filter of groups. The dragon has none of it.
  it("have filters that say which body hangs on which", function()
    local named, none = 0, 0
    each(function(doc, name)
      for i = 1, #doc.objects do
        local instance = doc.objects[i]
        if lathe.type(instance) == "hkaRagdollInstance" then
          local met = {}
          for k = 1, #instance.rigid_bodies do
            local body = instance.rigid_bodies[k].body
            assert.equal("unidentified", body.layer, name)
            if body.filter_info == 0 then
              none = none + 1
            else
              assert.equal(1, body.system_group)
              assert.is_nil(met[body.subsystem_id], name)
              met[body.subsystem_id], named = true, named + 1
            end
          end
          for k = 1, #instance.constraints do
            local pair = instance.constraints[k].entities
            assert.equal(pair[2].body.subsystem_id, pair[1].body.subsystem_dont_collide_with, name)
          end
        end
      end
      for i = 1, #doc.bodies do
        local body = doc.bodies[i]
        if body.motion == "static" then assert.equal(0, body.filter_info, name) end
      end
    end)
    assert.same({ 118, 31 }, { named, none })
  end)

  it("have no materials", function()
    local shapes = 0
    each(function(doc, name)
      assert.equal(0, #doc.materials, name)
      for i = 1, #doc.bodies do assert.is_nil(doc.bodies[i].material) end
      for i = 1, #doc.objects do
        if lathe.type(doc.objects[i]):find "^hkp.*Shape$" then
          shapes = shapes + 1
          assert.equal(0, doc.objects[i].user_data, name)
        end
      end
    end)
    assert.is_true(shapes > 150)
  end)

  it("are drawn where the bytes say, as a reader of plain Lua sees them", function()
    local root, capsules = helper.need_corpus("", pending), 0
    local classes = assert(walker.tables(root .. "/../formats", "skyrim"))
    each(function(doc)
      local binary <close> = assert(lathe.parse(doc.container == "xml" and assert(doc:serialize { game = "skyrim-se" })
        or doc:encode()))
      local floats, at = walker.floats(binary:encode(), classes), {}
      for i = 1, #binary.objects do at[lathe.path(binary.objects[i])] = floats[i].floats end
      for mesh in binary:meshes { what = "collision" } do
        local body = binary.bodies[mesh.body]
        if lathe.type(body.shape) == "hkpCapsuleShape" then
          local raw = at[lathe.path(body.shape)]
          local min, max = bounds(mesh)
          for axis = 1, 3 do
            local a, b, r = raw[".vertexA"][axis], raw[".vertexB"][axis], raw[".radius"][1]
            assert.is_near(math.min(a, b) - r, min[axis], 0.02 * r)
            assert.is_near(math.max(a, b) + r, max[axis], 0.02 * r)
          end
          assert.equal(raw[".radius"][1], raw[".vertexA"][4])
          local motion = at[lathe.path(body.source)]
          assert.same({ table.unpack(motion[".motion.motionState.transform"], 13, 15) },
            { body.position.x, body.position.y, body.position.z })
          capsules = capsules + 1
        end
      end
    end)
    assert.is_true(capsules > 140, capsules)
  end)
end)
