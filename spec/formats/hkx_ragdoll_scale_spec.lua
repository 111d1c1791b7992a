-- doc:scale of Skyrim's ragdolls, with their skeletons and mappers: each float by its power (spec/support/skyrim_powers.lua)
-- and all else as it was, as a reader in plain Lua sees it; there and back; what is refused. #corpus: pending, loudly, where
-- there is none.

local helper = require "helper"
local lathe = require "lathe"
local powers = require "skyrim_powers"
local ragdoll = require "sample_ragdoll"
local walker = require "hkx_walker"

local FILES <const> = { "hkx/skyrim-le/skeleton.hkx", "hkx/skyrim-se/skeleton.hkx", "hkx/skyrim-le/skeever_skeleton.hkx",
  "hkx/skyrim-le/skeleton_troll.hkx", "hkx/skyrim-le/tailskeleton.hkx", "hkx-behavior/skyrim-le/wisp_skeleton.hkx",
  "hkx-behavior/skyrim-se/wisp_skeleton.hkx", "hkx/fo4/skeleton.hkx",
  "hkx-behavior/xml-stripped/dragon__character_assets__skeleton.xml",
  "hkx-behavior/xml-stripped/dwarvenspherecenturion__character_assets__skeleton.xml" }
local NONE <const> = 0x1.FFFFDCp127                   -- no limit

local function tables(pending_here)
  local root = helper.need_corpus("", pending_here)
  return assert(walker.tables(root .. "/../formats", "skyrim")), root
end

local function bits(v) return (("<i4"):unpack(("<f"):pack(v))) end

-- Checks what `after` should have been made of `before`; `seen` gets the members that changed.
local function compare(before, after, factor, keep, seen)
  assert.equal(#before, #after)
  for i, object in ipairs(before) do
    for path, was in pairs(object.floats) do
      local is, p = after[i].floats[path], powers.of(was.of, was.member, keep)
      for k, v in ipairs(was) do
        local stays = not p or p[k] == 0 or v == 0 or math.abs(v) >= NONE
        local wanted = stays and v or v * factor ^ p[k]
        if bits(wanted) ~= bits(is[k]) then
          error(("%s%s[%d]: %.9g became %.9g, not %.9g"):format(object.class, path, k, v, is[k], wanted), 0)
        end
        if not stays then seen[was.of .. "." .. was.member] = true end
      end
    end
  end
end

local function scaled(doc, classes, factor, options, seen)
  local before = walker.floats(doc:encode(), classes)
  local report = assert(doc:scale(factor, options))
  assert.same({}, report.skipped)
  compare(before, walker.floats(doc:encode(), classes), factor, options and options.mass == "keep", seen)
  return report
end

-- All files of Skyrim; XML becomes the game's.
local function each(test)
  local classes, root = tables(pending)
  for _, name in ipairs(FILES) do
    local doc <close> = assert(lathe.open(root .. "/" .. name))
    if doc.container == "xml" then
      local binary <close> = assert(lathe.parse((assert(doc:serialize { game = "skyrim-se" }))))
      test(binary, name, classes)
    elseif doc.game ~= "Fallout 4" then
      test(doc, name, classes)
    end
  end
end

local function complaints(doc)
  local ok, list = doc:check()
  local lines = {}
  for i, f in ipairs(list) do lines[i] = ("%s %s: %s"):format(f.level, f.where, f.message) end
  return lines, ok
end

describe("scale of a ragdoll", function()
  it("multiplies bodies, shapes, joints and mappers with the skeleton", function()
    local doc <close> = ragdoll.new(lathe)
    assert.same({}, assert(doc:scale(2)).skipped)
    local arm, wrist = doc.bodies[2], ragdoll.find(lathe, doc, "hkpLimitedHingeConstraintData")
    assert.same({ 32, 0, 144 }, { arm.position.x, arm.position.y, arm.position.z })
    assert.equal(32, arm.mass)
    local inverse = arm.source.motion.inertia_and_mass_inv
    assert.same({ 2 ^ -10, 2 ^ -10, 2 ^ -9, 2 ^ -5 }, { inverse.x, inverse.y, inverse.z, inverse.w })
    local state = arm.source.motion.motion_state
    assert.same({ 32, 2, 144, 0 }, state.swept_transform.center_of_mass0:totable() and
      { state.swept_transform.center_of_mass0.x, state.swept_transform.center_of_mass0.y,
        state.swept_transform.center_of_mass0.z, state.swept_transform.center_of_mass0.w })
    assert.equal(16, state.object_radius)
    assert.equal(0.25, arm.source.collidable.allowed_penetration_depth)
    local ends = ragdoll.find(lathe, doc, "hkpCapsuleShape")
    assert.same({ 4, -6, 4, 10, 4 }, { ends.radius, ends.vertex_a.x, ends.vertex_a.w, ends.vertex_b.x, ends.vertex_b.w })
    local hull = ragdoll.find(lathe, doc, "hkpConvexVerticesShape")
    assert.same({ 1, -2, -3 }, { hull.radius, hull.rotated_vertices[2].y[1], hull.plane_equations[1].w })
    assert.equal(40, wrist.atoms.transforms.transform_b.translation.y)
    assert.same({ -1.5, 4 }, { wrist.atoms.ang_limit.min_angle, wrist.atoms.ang_friction.max_friction_torque })
    local mapping = ragdoll.find(lathe, doc, "hkaSkeletonMapper").mapping
    assert.equal(4, mapping.simple_mappings[1].a_from_b_transform.translation.z)
    assert.same({ {}, true }, { complaints(doc) })
    assert.same({ 128, 132 }, { doc.objects[3].reference_pose[2].translation.z,
      doc.objects[4].reference_pose[1].translation.z })
  end)

  it("keeps masses where it is told to", function()
    local doc <close> = ragdoll.new(lathe)
    assert(doc:scale(2, { mass = "keep" }))
    local inverse = doc.bodies[1].source.motion.inertia_and_mass_inv
    assert.same({ 0.0078125, 0.0078125, 0.015625, 0.25 }, { inverse.x, inverse.y, inverse.z, inverse.w })
  end)

  it("scales what it is told to alone", function()
    for what, wanted in pairs { collision = { 32, 64, 132, 2 }, skeleton = { 16, 128, 132, 4 },
      animation = { 16, 64, 66, 2 }, geometry = { 16, 64, 66, 2 } } do
      local doc <close> = ragdoll.new(lathe)
      assert(doc:scale(2, { what = what }))
      assert.same(wanted, { doc.bodies[2].position.x, doc.objects[3].reference_pose[2].translation.z,
        doc.objects[4].reference_pose[1].translation.z,
        ragdoll.find(lathe, doc, "hkaSkeletonMapper").mapping.simple_mappings[1].a_from_b_transform.translation.z }, what)
    end
  end)

  it("leaves alone a depth that the game chooses, and what has no limit", function()
    local doc <close> = ragdoll.new(lathe)
    doc.bodies[1].source.collidable.allowed_penetration_depth = -1
    doc.bodies[2].source.collidable.allowed_penetration_depth = NONE
    assert(doc:scale(2))
    assert.equal(-1, doc.bodies[1].source.collidable.allowed_penetration_depth)
    assert.equal(NONE, doc.bodies[2].source.collidable.allowed_penetration_depth)
  end)

  it("gives the file back, by powers of two, and one step for undo", function()
    for _, game in ipairs { "skyrim-le", "skyrim-se" } do
      local doc <close> = ragdoll.new(lathe, game)
      local bytes = doc:encode()
      for _, factor in ipairs { 2, 0.125, 1024 } do
        assert(doc:scale(factor))
        assert.is_false(bytes == doc:encode())
        assert(doc:scale(1 / factor))
        assert.is_true(bytes == doc:encode(), game .. factor)
      end
    end
  end)
end)

describe("scale of ragdolls of the corpus #corpus", function()
  for _, options in ipairs { { 2, { mass = "density" } }, { 2, { mass = "keep" } }, { 1.1, {} } } do
    it(("multiplies each float by its power: %g, %s"):format(options[1], options[2].mass or "density"), function()
      local seen = {}
      each(function(doc, _, classes) scaled(doc, classes, options[1], options[2], seen) end)
      for _, name in ipairs { "hkaSkeleton.referencePose", "hkaSkeletonMapperDataSimpleMapping.aFromBTransform",
        "hkaSkeletonMapperDataChainMapping.startAFromBTransform", "hkpCollidable.allowedPenetrationDepth",
        "hkpMotion.inertiaAndMassInv", "hkMotionState.transform", "hkMotionState.objectRadius",
        "hkSweptTransform.centerOfMass0", "hkSweptTransform.centerOfMass1", "hkSweptTransform.centerOfMassLocal",
        "hkpConvexShape.radius", "hkpCapsuleShape.vertexA", "hkpCapsuleShape.vertexB", "hkpConvexTransformShape.transform",
        "hkpConvexVerticesShapeFourVectors.x", "hkpConvexVerticesShape.planeEquations", "hkpListShape.aabbHalfExtents",
        "hkpMoppCodeCodeInfo.offset", "hkpShapeInfo.transform", "hkpSetLocalTransformsConstraintAtom.transformB" } do
        assert.is_true(seen[name], name)
      end
    end)
  end

  it("gives the file by powers of two, and by 1.1 all floats within four steps", function()
    local root, worst = helper.need_corpus("", pending), 0
    for _, name in ipairs(FILES) do
      local doc <close> = assert(lathe.open(root .. "/" .. name))
      local bytes = doc:encode()
      for _, factor in ipairs { 4, 0.5 } do
        assert(doc:scale(factor))
        assert(doc:scale(1 / factor))
        assert.is_true(doc.container == "xml" or bytes == doc:encode(), name)
      end
      if doc.game ~= "Fallout 4" and doc.container ~= "xml" then     -- packed numbers: fo4_scale_spec
        assert(doc:scale(1.1))
        assert(doc:scale(1 / 1.1))
        local after = doc:encode()
        assert.equal(#bytes, #after)
        for at = 1, #bytes - 3, 4 do
          local was, is = ("<i4"):unpack(bytes, at), ("<i4"):unpack(after, at)
          worst = math.max(worst, math.abs(was - is))
        end
      end
    end
    assert.is_true(worst > 0 and worst <= 4, worst)
  end)

  it("leaves limits, pivots and mappers right: check() finds what it found before", function()
    local root = helper.need_corpus("", pending)
    for _, name in ipairs(FILES) do
      local doc <close> = assert(lathe.open(root .. "/" .. name, { history = 1 }))
      assert.same({}, (complaints(doc)), name)
      for _, factor in ipairs { 1.1, 0.01, 50 } do
        assert(doc:scale(factor))
        assert.same({}, (complaints(doc)), name .. factor)
        assert(doc:undo())
      end
    end
  end)
end)

-- ---- what no file has ------------------------------------------------------------------------------------

-- Makes all floats of a record 3, and arrays one element long; what leads elsewhere stays null.
local function fill(view)
  for _, row in ipairs(lathe.describe(view)) do
    local scalar, record = row.kind == "number", row.kind == "record"
    local kept = row.computed or row.readonly or row.padding or row.ref or row.inside
    if not kept and (scalar or record) and view[row.name] ~= nil then
      if row.array and row.resizable then view[row.name] = { scalar and 3 or {} } end
      local value = view[row.name]
      if scalar and not row.array then
        view[row.name] = 3
      elseif row.array then
        for i = 1, #value do
          if scalar then value[i] = 3 else fill(value[i]) end
        end
      elseif value then
        fill(value)
      end
    end
  end
end

local MADE <const> = { "hkpRigidBody", "hkpSimpleShapePhantom", "hkpAabbPhantom", "hkpShapeInfo",
  "hkpBallAndSocketConstraintData", "hkpHingeConstraintData", "hkpPrismaticConstraintData", "hkpStiffSpringConstraintData",
  "hkpPointToPlaneConstraintData", "hkpPulleyConstraintData", "hkpRackAndPinionConstraintData",
  "hkpRotationalConstraintData", "hkpHingeLimitsData", "hkpRagdollLimitsData", "hkpMalleableConstraintData",
  "hkpBreakableConstraintData", "hkpVelocityConstraintMotor", "hkpSpringDamperConstraintMotor", "hkpPositionConstraintMotor",
  "hkpRagdollConstraintData", "hkpLimitedHingeConstraintData", "hkpCapsuleShape", "hkpSphereShape", "hkpBoxShape",
  "hkpCylinderShape", "hkpTriangleShape", "hkpMultiSphereShape", "hkpConvexVerticesShape", "hkpConvexVerticesConnectivity",
  "hkpConvexListShape", "hkpListShape", "hkpConvexTransformShape", "hkpConvexTranslateShape", "hkpTransformShape",
  "hkpBvShape", "hkpMoppBvTreeShape", "hkpMoppCode", "hkpSimpleMeshShape", "hkpCompressedMeshShape",
  "hkpStorageExtendedMeshShape", "hkpStorageExtendedMeshShapeMeshSubpartStorage",
  "hkpStorageExtendedMeshShapeShapeSubpartStorage", "hkpNamedMeshMaterial", "hkpPlaneShape", "hkaSkeleton" }

describe("scale of classes that no ragdoll has #corpus", function()
  it("multiplies each float by its power", function()
    local classes = tables(pending)
    local objects = { { class = "hkRootLevelContainer" } }
    for _, class in ipairs(MADE) do objects[#objects + 1] = { class = class } end
    local doc <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = objects }))
    for i = 2, #doc.objects do fill(doc.objects[i]) end
    local seen, unseen = {}, {}
    scaled(doc, classes, 2, {}, seen)
    powers.each(function(class, member)
      local name = class .. "." .. member
      if not seen[name] and not class:find "Mapper" then unseen[#unseen + 1] = name end
    end)
    assert.same({}, unseen)
  end)
end)

-- ---- what is refused -------------------------------------------------------------------------------------

describe("scale of a ragdoll is refused", function()
  local function refused(words, change, ...)
    local doc <close> = ragdoll.new(lathe)
    change(doc)
    local bytes = doc:encode()
    local report, err = doc:scale(...)
    assert.is_nil(report)
    assert.matches(words, tostring(err), 1, true)
    assert.is_true(bytes == doc:encode())
  end

  local function mapping(doc) return ragdoll.find(lathe, doc, "hkaSkeletonMapper").mapping end
  local function joint(doc) return ragdoll.find(lathe, doc, "hkpConstraintInstance") end

  it("by a mapper without a skeleton", function()
    refused("mapping.skeleton_b at 0x1a88: points to no skeleton", function(doc) mapping(doc).skeleton_b = false end, 2)
  end)

  it("by a mapper of another skeleton's bones", function()
    refused("mapping.simple_mappings[3].bone_b", function(doc) mapping(doc).simple_mappings[3].bone_b = 3 end, 2)
    refused("no bone 3: skeleton_b has 3", function(doc) mapping(doc).simple_mappings[3].bone_b = 3 end, 2)
    refused("no bone -1: skeleton_a has 4", function(doc) mapping(doc).simple_mappings[1].bone_a = -1 end, 2)
    refused("mapping.unmapped_bones at 0x1c00: [1]: no bone 7: skeleton_b has 4", function(doc)
      ragdoll.find(lathe, doc, "hkaSkeletonMapper", 2).mapping.unmapped_bones[1] = 7
    end, 2)
  end)

  it("by a joint without bodies", function()
    refused("entities at 0x1648: [1]: points to no body", function(doc) joint(doc).entities[1] = false end, 2)
    refused("points to no constraint data", function(doc) joint(doc).data = false end, 2)
  end)

  it("by different factors", function()
    refused("collision of Skyrim: cannot be scaled by different factors", function() end, { 1, 2, 3 },
      { what = "collision" })
  end)

  it("by none of these where they are not asked for", function()
    local doc <close> = ragdoll.new(lathe)
    joint(doc).entities[1], joint(doc).entities[2] = false, false
    assert(doc:scale(2, { what = "skeleton" }))
    mapping(doc).skeleton_a = false
    joint(doc).entities[1] = doc.bodies[1].source
    assert(doc:scale(2, { what = "animation" }))
  end)
end)
