-- Skeletons, clips, bodies and shapes of made-up tagfiles: classes of Havok's names, with members elsewhere, or none of
-- what lathe looks for.

local lathe = require "lathe"
local model = require "tagfile_model"
local models = require "sample_tagfile_model"
local reader = require "tagfile_reader"

local function open(bytes)
  return assert(lathe.parse(bytes, { path = "made-up.hkx", history = 10 })), reader.read(bytes)
end

-- Of objects alone: the types of such files are in another order than the SDK's.
local function findings(doc)
  local list = {}
  for _, f in ipairs(select(2, doc:check())) do
    if f.where:find "^objects" then list[#list + 1] = ("%s %s: %s"):format(f.level, f.where, f.message) end
  end
  return list
end

local function close(wanted, got, label)
  for i, v in ipairs(wanted) do
    if math.abs(v - got[i]) > 1e-6 then error(("%s[%d]: %g instead of %g"):format(label or "", i, got[i], v), 2) end
  end
end

-- ---- skeletons and clips --------------------------------------------------------------------------------

describe("skeletons and clips of made-up tagfiles", function()
  it("are found by names, wherever members are", function()
    local kit = models.kit()
    local doc <close> = open(kit:file(kit:clip(kit:rig())))
    local rig, anim = doc.skeletons[1], doc.animations[1]
    assert.same({ 1, "rig", 3, "arm", 0, 1 },
      { #doc.skeletons, rig.name, #rig.bones, rig.bones[2].name, rig.bones[2].parent, #rig.float_slots })
    assert.same({ 2, 2, 3, "additive", "rig" },
      { anim.duration, anim.frame_count, #anim.tracks, anim.blend_hint, anim.skeleton_name })
    assert.same({ "hand", "root", "arm" }, { anim.tracks[1].bone, anim.tracks[2].bone, anim.tracks[3].bone })
    close({ 1, 0, 0 }, (anim.tracks[1]:sample(0)))
    close({ 2.5, 0, 0 }, (anim.tracks[1]:sample { time = 1 }))
    assert.same({ 0.5, "step", 0 }, { anim.annotations[1].time, anim.annotations[1].text, anim.annotations[1].track })
    assert.same({}, findings(doc))
  end)

  it("may have bones and float slots without names", function()
    local kit = models.kit()
    local doc <close> = open(kit:file(kit:clip(kit:rig { floatSlots = { false, "b" }, bones = { {}, {}, {} } })))
    local rig = doc.skeletons[1]
    assert.same({ "", "b" }, { rig.float_slots[1], rig.float_slots[2] })
    assert.is_nil(rig.bones[1].name)
    assert.is_nil(doc.animations[1].tracks[1].bone)
    assert.equal(1, doc.animations[1].tracks[2]:sample { time = 0, skeleton = rig }[1] - 1)
  end)

  it("take other times and lengths, and their own back", function()
    local kit = models.kit()
    local bytes = kit:file(kit:clip(kit:rig()))
    local doc <close> = open(bytes)
    doc:retime { speed = 4 }
    assert.same({ 0.5, 0.125 }, { doc.animations[1].duration, doc.animations[1].annotations[1].time })
    doc:retime { speed = 0.25 }
    assert.same({ changed = 3 + 6, skipped = {} }, doc:scale { factor = 4 })
    close({ 4, 0, 0 }, doc.skeletons[1].bones[1].pose.t)
    close({ 4, 0, 0 }, (doc.animations[1].tracks[1]:sample(0)))
    assert.equal(9, model.find(doc, "hkaSkeleton").reference_pose[1].translation.w)
    doc:scale { factor = 0.25 }
    assert.is_true(doc:encode() == bytes)
  end)

  -- What a skeleton's classes lack, or have as something else; what is read then.
  local ODD <const> = {
    no_bones = { function(t) table.remove(t.skeleton.members, 3) end, { bones = 0 } },
    numbers_for_bones = { function(t, l) t.skeleton.members[3][2] = l:array(l:number "int") end,
      { bones = 0 }, { bones = { 1, 2, 3 } } },
    wide_parents = { function(t, l) t.skeleton.members[4][2] = l:array(l:number "int") end, { error =
      "an array of elements of 2 bytes was expected (hkaSkeleton)" } },
    texts_for_parents = { function(t, l) t.skeleton.members[4][2] = l:array(l:number "text") end, { error =
      "an array of elements of 2 bytes was expected (hkaSkeleton)" }, { parentIndices = { "a" } } },
    one_parent = { function(t, l) t.skeleton.members[4][2] = l:number "short" end, { error =
      "an array of elements of 2 bytes was expected (hkaSkeleton)" }, { parentIndices = 5 } },
    other_poses = { function(t)
      t.turned.members[1][3], t.turned.members[3][3] = 32, 0
    end, { error = "its transforms are not a translation, a rotation and a scale (hkaSkeleton)" } },
    number_for_name = { function(t, l) t.skeleton.members[5][2] = l:number "int" end, { bones = 3 }, { name = 4 } },
    names_of_bones = { function(t, l) t.bone.members[2][2] = l:number "int" end, { bones = 3 },
      { bones = { { name = 7 }, { name = 8 }, { name = 9 } } } },
    no_parents_list = { function(t) table.remove(t.skeleton.members, 4) end, { bones = 3 } },
  }

  for name, row in pairs(ODD) do
    it("may be of a class that is another one: " .. name, function()
      local kit = models.kit(row[1])
      local doc <close> = open(kit:file(kit:clip(kit:rig(row[3]))))
      if row[2].error then
        local ok, err = pcall(function() return #doc.skeletons[1].bones end)
        assert.is_false(ok)
        assert.equal(row[2].error, err.message)
      else
        assert.equal(row[2].bones, #doc.skeletons[1].bones)
      end
      findings(doc)
      doc:scale(2)
      doc:scale(0.5)
      for _, track in ipairs(doc.animations[1].tracks) do
        assert(track.bone == nil or type(track.bone) == "string")
      end
    end)
  end

  it("may be of classes that are others", function()
    local changes = {
      function(t, l) t.interleaved.members[2][2] = l:array(l:number "float") end,
      function(t, l) t.animation.members[1][2] = l:array(l:number "int") end,
      function(t, l) t.animation.members[4][2] = l:number "int" end,
      function(t, l) t.binding.members[4][2] = l:array(l:number "int") end,
      function(t, l) t.binding.members[1][2] = l:number "text" end,
      function(t, l) t.container.members[2][2] = l:array(l:number "ulong") end,
    }
    for _, change in ipairs(changes) do
      local kit = models.kit(change)
      local root = kit:clip(kit:rig())
      for _, list in ipairs { root.values.animations[1].values, root.values.bindings[1].values, root.values } do
        for key, value in pairs(list) do
          if type(value) == "table" and key ~= "skeletons" and key ~= "bindings" and not value.type then list[key] = nil end
        end
        list.blendHint = nil
      end
      root.values.bindings = root.values.bindings
      local doc <close> = open(kit:file(root))
      findings(doc)
      for _, anim in ipairs(doc.animations) do
        pcall(function() return anim:sample(0), anim.annotations, anim.root_motion end)
        for _, track in ipairs(anim.tracks) do assert(track.bone_index) end
      end
      pcall(doc.retime, doc, { speed = 2 })
    end
  end)
end)

-- ---- bodies and shapes ----------------------------------------------------------------------------------

describe("bodies of made-up tagfiles", function()
  it("are found by names, wherever members are", function()
    local kit = models.kit()
    local place = { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1 }
    local doc <close> = open(kit:file(kit:world {
      kit:body(kit:shape("hkpSphereShape", { radius = 1 }), { name = "one", type = 1, mass = 4, place = place }),
      kit:body(kit:shape("hkpSphereShape", { radius = 1 }), { name = "two", type = 4 }),
      kit:body(nil, { name = "three", type = 0 }) }))
    local one, two, none = doc.bodies[1], doc.bodies[2], doc.bodies[3]
    assert.same({ "one", "dynamic", 4, 0.5, 0.25, 0.5, 12 }, { one.name, one.motion, one.mass, one.friction,
      one.restitution, one.linear_damping, one.filter_info })
    close({ 5, 6, 7 }, one.position)
    close({ 0, 0, math.sqrt(0.5), math.sqrt(0.5) }, one.orientation)
    assert.same({ "keyframed", "hkpSphereShape" }, { two.motion, lathe.type(two.shape) })
    assert.is_nil(two.mass)
    assert.is_nil(two.gravity_factor)                  -- the class has none
    assert.is_nil(none.motion)
    assert.is_nil(none.shape)
    assert.is_true(one.source == doc.objects[2])
    assert.equal("objects[2].body", lathe.path(one))
    one.position = { 1, 1, 1 }
    one.orientation = { 0, 0, 0, 1 }
    close({ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1 }, one.source.motion.motion_state.transform)
    close({ 2, 3, 4, 0 }, one.source.motion.motion_state.swept_transform[2])
    assert.same({ "warning objects[4]: a body without a shape" }, findings(doc))
  end)

  it("lack what their class lacks", function()
    local kit = models.kit(function(t, l)
      t.body.members = { { "name", l:number "int", 32 }, { "motion", l:number "float", 48 }, { "body", l:number "int", 64 } }
    end)
    local bytes = kit:file(kit:world { { type = kit.types.body, values = { motion = 2, body = 3 } } })
    local doc <close> = open(bytes)
    assert.equal(3, model.find(doc, "hkpRigidBody").body)
    assert.equal(0, #doc.bodies)
    local bare = models.kit(function(t) t.body.members = {} end)
    local other <close> = open(bare:file(bare:world { { type = bare.types.body, values = {} } }))
    local body = other.bodies[1]
    for _, name in ipairs { "name", "motion", "mass", "friction", "shape", "filter_info" } do assert.is_nil(body[name]) end
    assert.has_error(function() return body.position[1] end)
    assert.has_error(function() body.name = "x" end)
    assert.has_error(function() body.friction = 1 end)
    assert.equal(0, (function() local n = 0 for _ in other:meshes { what = "collision" } do n = n + 1 end return n end)())
  end)
end)

-- The meshes of shapes, as a list, and what is left out.
local function drawn(kit, shapes, more)
  local bodies, list, left = {}, {}, {}
  for i, shape in ipairs(shapes) do bodies[i] = kit:body(shape, more) end
  local doc = open(kit:file(kit:world(bodies)))
  for mesh in doc:meshes { what = "collision", left_out = left } do list[#list + 1] = mesh end
  return list, left, doc
end

local function box_of(mesh)
  local low, high = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
  for i = 1, mesh.positions.rows do
    for k = 1, 3 do
      local v = mesh.positions[3 * i - 3 + k]
      low[k], high[k] = math.min(low[k], v), math.max(high[k], v)
    end
  end
  return { low[1], low[2], low[3], high[1], high[2], high[3] }
end

local CUBE <const> = { { x = { -1, 1, -1, 1 }, y = { -1, -1, 1, 1 }, z = { -1, -1, -1, -1 } },
  { x = { -1, 1, -1, 1 }, y = { -1, -1, 1, 1 }, z = { 1, 1, 1, 1 } } }

describe("shapes of made-up tagfiles", function()
  it("are solids of their size, counter-clockwise from outside", function()
    local kit = models.kit()
    local list, left, doc <close> = drawn(kit, {
      kit:shape("hkpSphereShape", { radius = 2 }),
      kit:shape("hkpBoxShape", { halfExtents = { 1, 2, 3, 0 } }),
      kit:shape("hkpCapsuleShape", { radius = 1, vertexA = { 0, 0, -1, 0 }, vertexB = { 0, 0, 4, 0 } }),
      kit:shape("hkpCylinderShape", { cylRadius = 1, vertexA = { 0, 0, 0, 0 }, vertexB = { 0, 0, 2, 0 } }),
      kit:shape("hkpConvexVerticesShape", { numVertices = 8, rotatedVertices = CUBE }),
      kit:shape("myBoxShape", { halfExtents = { 1, 1, 1, 0 } }) })
    assert.same({}, left)
    local words, volumes = {}, {}
    for i, mesh in ipairs(list) do words[i], volumes[i] = mesh.shape, model.volume(mesh) / 6 end
    assert.same({ "sphere", "box", "capsule", "cylinder", "hull", "box" }, words)
    close({ -2, -2, -2, 2, 2, 2 }, box_of(list[1]))
    close({ -1, -2, -3, 1, 2, 3 }, box_of(list[2]))
    close({ -1, -1, -2, 1, 1, 5 }, box_of(list[3]))
    close({ -1, -1, 0, 1, 1, 2 }, box_of(list[4]))
    close({ -1, -1, -1, 1, 1, 1 }, box_of(list[5]))
    close({ 48, 8, 8 }, { volumes[2], volumes[5], volumes[6] })
    assert(volumes[1] > 28 and volumes[1] < 33.6, volumes[1])
    assert(volumes[4] > 6 and volumes[4] < 6.3, volumes[4])
    assert.same({}, findings(doc))
  end)

  it("stand where the shapes around them put them", function()
    local kit = models.kit()
    local box = kit:shape("hkpBoxShape", { halfExtents = { 1, 1, 1, 0 } })
    local moved = kit:shape("hkpConvexTranslateShape", { childShape = { childShape = box }, translation = { 10, 0, 0, 0 } })
    local turned = kit:shape("hkpConvexTransformShape", { childShape = { childShape = box }, transform = {
      translation = { 0, 5, 0, 0 }, rotation = { 0, 0, 0, 1 }, scale = { -2, 1, 1, 0 } } })
    local placed = kit:shape("hkpTransformShape", { childShape = { childShape = moved }, transform = {
      0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1 } })
    local all = kit:shape("hkpListShape", { childInfo = { { shape = box }, { shape = moved }, {}, { shape = turned },
      { shape = placed } } })
    local list = drawn(kit, { kit:shape("hkpMoppBvTreeShape", { child = { childShape = all } }) })
    assert.equal(4, #list)
    close({ -1, -1, -1, 1, 1, 1 }, box_of(list[1]))
    close({ 9, -1, -1, 11, 1, 1 }, box_of(list[2]))
    close({ -2, 4, -1, 2, 6, 1 }, box_of(list[3]))
    close({ -1, 9, 2, 1, 11, 4 }, box_of(list[4]))
    for _, mesh in ipairs(list) do
      assert.equal(1, mesh.body)
      assert(model.volume(mesh) > 0)
    end
  end)

  it("may be triangles, a part each, and shapes among them", function()
    local kit = models.kit()
    local corners = { { 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 1, 1, 0, 0 } }
    local none = { translation = { 0, 0, 0, 0 }, rotation = { 0, 0, 0, 1 }, scale = { 1, 1, 1, 0 } }
    local function stored(values)
      values.vertices = corners
      return { type = kit.types.stored, values = values }
    end
    local mesh = kit:shape("mesh", { meshstorage = { stored { indices8 = { 0, 1, 2, 9, 1, 2, 3, 9 } },
      stored { indices16 = { 0, 1, 2, 9 } }, stored { indices32 = { 1, 2, 3, 7 } }, stored {} },
      trianglesSubparts = { { transform = none, flipAlternateTriangles = 1 }, { transform = {
        translation = { 0, 0, 8, 0 }, rotation = { 0, 0, 0, 1 }, scale = { 2, 1, 1, 0 } } }, { transform = none } },
      shapesSubparts = { { translation = { 3, 0, 0, 0 }, rotation = { 0, 0, 0, 1 },
        childShapes = { kit:shape("hkpSphereShape", { radius = 1 }) } } } })
    local list, left, doc <close> = drawn(kit, { mesh })
    assert.same({}, left)
    assert.equal(5, #list)
    assert.same({ 0, 1, 2, 1, 3, 2 }, list[1].indices:totable())
    assert.same({ 0, 1, 2 }, list[2].indices:totable())
    close({ 0, 0, 8, 2, 1, 8 }, box_of(list[2]))
    assert.same({ 1, 2, 3 }, list[3].indices:totable())
    assert.same({ 4, 0 }, { list[4].positions.rows, list[4].indices.rows })
    close({ 2, -1, -1, 4, 1, 1 }, box_of(list[5]))
    assert.same({ "mesh", "sphere" }, { list[4].shape, list[5].shape })
    assert.same({}, findings(doc))
  end)

  it("are named where they cannot be drawn", function()
    local kit = models.kit()
    local stored = { type = kit.types.stored, values = { indices8 = { 0, 1, 2, 0 }, vertices = { { 0, 0, 0, 0 } } } }
    local both = { type = kit.types.stored, values = { indices8 = { 0, 0, 0, 0 }, indices16 = { 0, 0, 0, 0 },
      vertices = { { 0, 0, 0, 0 } } } }
    local list, left = drawn(kit, { kit:shape "hkpStrangeShape", kit:shape("mesh", { meshstorage = { stored, both } }),
      kit:shape("mesh", { trianglesSubparts = { {} } }), kit:shape("hkpSphereShape", { radius = 1 / 0 }),
      kit:shape("hkpConvexVerticesShape", { numVertices = 9,
        rotatedVertices = CUBE }), kit:shape("hkpConvexVerticesShape", { numVertices = 3, rotatedVertices = CUBE }) })
    assert.equal(0, #list)
    local reasons = {}
    for i, row in ipairs(left) do reasons[i] = row.reason end
    assert.same({
      "hkpStrangeShape: lathe does not know this shape",
      "hkpStorageExtendedMeshShape: a triangle has a corner that is not there",
      "hkpStorageExtendedMeshShape: its members are not what lathe knows of the class",
      "hkpStorageExtendedMeshShape: its triangles are not stored in the file",
      "hkpSphereShape: a corner is no finite number",
      "hkpConvexVerticesShape: its members are not what lathe knows of the class",
    }, { table.unpack(reasons, 1, 6) })
    assert(reasons[7]:find "^hkpConvexVerticesShape: ")
  end)

  it("that hold themselves are refused", function()
    local kit = models.kit()
    local list = kit:shape "hkpListShape"
    list.values.childInfo = { { shape = list } }
    local doc <close> = open(kit:file(kit:world { kit:body(list) }))
    local ok, err = pcall(function() for _ in doc:meshes { what = "collision" } do end end)
    assert.is_false(ok)
    assert.equal("a compound that contains itself (hkpListShape)", err.message)
    assert.same({ "error objects[3]: a compound that contains itself (hkpListShape)" }, findings(doc))
  end)

  it("that are shared again and again are limited by the size of the file", function()
    local kit = models.kit()
    local at = kit:shape("hkpSphereShape", { radius = 1 })
    for _ = 1, 12 do
      local infos = {}
      for i = 1, 40 do infos[i] = { shape = at } end
      at = kit:shape("hkpListShape", { childInfo = infos })
    end
    local doc <close> = open(kit:file(kit:world { kit:body(at) }))
    local ok, err = pcall(function() for _ in doc:meshes { what = "collision" } do end end)
    assert.is_false(ok)
    assert(err.message:find "shared so often", err.message)
  end)
end)

describe("scaling of made-up tagfiles", function()
  it("goes by names of members, and back to the first bytes", function()
    local kit = models.kit()
    local bytes = kit:file(kit:world {
      kit:body(kit:shape("hkpConvexVerticesShape", { radius = 0.5, numVertices = 8, rotatedVertices = CUBE,
        planeEquations = { { 0, 0, 1, -1 } } }), { type = 1, mass = 2,
          place = { 1, 0, 0, 7, 0, 1, 0, 7, 0, 0, 1, 7, 1, 2, 3, 7 } }),
      kit:body(kit:shape("hkpTransformShape", { transform = { 1, 0, 0, 7, 0, 1, 0, 7, 0, 0, 1, 7, 1, 2, 3, 7 },
        childShape = { childShape = kit:shape("myBoxShape", { halfExtents = { 1, 2, 3, 7 }, color = 255 }) } })) })
    local doc <close> = open(bytes)
    assert.same({}, doc:scale(2).skipped)
    local motion, hull = doc.bodies[1].source.motion, doc.bodies[1].shape
    close({ 1, 0, 0, 7, 0, 1, 0, 7, 0, 0, 1, 7, 2, 4, 6, 7 }, motion.motion_state.transform)
    close({ 0.5 / 32, 0.5 / 32, 0.5 / 32, 0.5 / 8 }, motion.inertia_and_mass_inv)
    close({ 2, 4, 6, 0 }, motion.motion_state.swept_transform[5])
    close({ 0, 0, 0, 1 }, motion.motion_state.swept_transform[3])
    close({ 0, 0, 1, -2 }, hull.plane_equations[1])
    close({ -2, 2, -2, 2 }, hull.rotated_vertices[1].x)
    assert.same({ 1, 4, 0.5 }, { hull.radius, motion.motion_state.object_radius, motion.motion_state.linear_damping })
    local moved = doc.bodies[2].shape
    close({ 1, 0, 0, 7, 0, 1, 0, 7, 0, 0, 1, 7, 2, 4, 6, 7 }, moved.transform)
    close({ 2, 4, 6, 7 }, moved.child_shape.child_shape.half_extents)
    doc:scale(0.5)
    assert.is_true(doc:encode() == bytes)
    doc:scale(3)
    doc:undo()
    assert.is_true(doc:encode() == bytes)
  end)

  it("tells of members and classes that nobody knows, once each", function()
    local kit = models.kit(function(t, l)
      t.other = l:record("gameThing", 48, { { "size", l:number "float", 24 } }, { parent = t.base })
      t.system.members[2] = { "things", l:array(l:pointer(t.other)), 24 }
      t.system.members[1][3], t.system.size = 40, 64
    end)
    local strange = kit:shape("hkpStrangeShape", { depth = 3 })
    local thing = { type = kit.types.other, values = { size = 5 } }
    local world = kit:world { kit:body(strange), kit:body(kit:shape("hkpStrangeShape", { depth = 4 })) }
    world.values.things = { thing, { type = kit.types.other, values = { size = 6 } } }
    local bytes = kit:file(world)
    local doc <close> = open(bytes)
    local told = {}
    for _, row in ipairs(doc:scale(2).skipped) do told[row.reason] = (told[row.reason] or 0) + 1 end
    assert.same({ ["nobody knows what is in a gameThing: each stays as it is"] = 1,
      ["nobody knows what it is: it stays as it is"] = 1 }, told)
    assert.equal(5, model.find(doc, "gameThing").size)
    assert.equal(3, model.find(doc, "hkpStrangeShape").depth)
  end)
end)

describe("check() of made-up tagfiles", function()
  local function body_with(kit, shape, place)
    return kit:file(kit:world { kit:body(shape, { place = place }) })
  end

  -- What is wrong with what, and what check() says of it.
  local PLANTED <const> = {
    { "a body that is turned by no rotation", "warning objects[2].motion.motion_state.transform: its columns are no "
      .. "rotation: not of length 1 and at right angles", function(kit)
        return body_with(kit, kit:shape("hkpSphereShape", { radius = 1 }),
          { 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 })
      end },
    { "a capsule without an extent", "warning objects[3].radius: -1: it has no extent", function(kit)
      return body_with(kit, kit:shape("hkpCapsuleShape", { radius = -1 }))
    end },
    { "a body without a shape", "warning objects[2]: a body without a shape", function(kit) return body_with(kit) end },
    { "a triangle of a corner that is not there", "error objects[4].indices16[3]: corner 7, of 1", function(kit)
      local stored = { type = kit.types.stored, values = { indices16 = { 0, 0, 7, 9 }, vertices = { { 0, 0, 0, 0 } } } }
      return body_with(kit, kit:shape("mesh", { meshstorage = { stored } }))
    end },
    { "numbers that are no whole triangles", "warning objects[4].indices8: 3 numbers are no whole triangles", function(kit)
      local stored = { type = kit.types.stored, values = { indices8 = { 0, 0, 0 }, vertices = { { 0, 0, 0, 0 } } } }
      return body_with(kit, kit:shape("mesh", { meshstorage = { stored } }))
    end },
    { "a parent behind its child", "error objects[4].parent_indices[2]: a parent behind its child: bone 2", function(kit)
      return kit:file(kit:clip(kit:rig { parentIndices = { -1, 2, 1 } }))
    end },
    { "a pose too few", "error objects[4].reference_pose: 0 of them for 3 bones", function(kit)
      return kit:file(kit:clip(kit:rig { referencePose = {} }))
    end },
    { "a track of a bone that is not there", "warning objects[2].transform_track_to_bone_indices[1]: 2 is no bone of the "
      .. "skeleton, which has 2", function(kit)
        local rig = kit:rig()
        for _, name in ipairs { "bones", "parentIndices", "referencePose" } do table.remove(rig.values[name]) end
        return kit:file(kit:clip(rig))
      end },
    { "an event outside of its clip", "warning objects[3].annotation_tracks[1].annotations[1].time: 0.5 s, outside of the "
      .. "animation's 0.25", function(kit)
        local root = kit:clip(kit:rig())
        root.values.animations[1].values.duration = 0.25
        return kit:file(root)
      end },
    { "transforms that are no whole frames",
      "error objects[3].transforms: 5 transforms are not a whole number of frames of 3 tracks", function(kit)
      local root = kit:clip(kit:rig())
      table.remove(root.values.animations[1].values.transforms)
      return kit:file(root)
    end },
  }

  for _, row in ipairs(PLANTED) do
    it("tells of " .. row[1], function()
      local doc <close> = open(row[3](models.kit()))
      local found = {}
      for _, line in ipairs(findings(doc)) do
        if line:sub(1, #row[2]) == row[2] then found[#found + 1] = line end
      end
      assert(#found == 1, table.concat(findings(doc), "\n"))
    end)
  end

  it("tells of a ragdoll's bones of no body", function()
    local kit = models.kit(function(t, l)
      t.ragdoll = l:record("hkaRagdollInstance", 64, { { "boneToRigidBodyMap", l:array(l:number "int"), 32 },
        { "rigidBodies", l:array(l:pointer(t.body)), 48 } }, { parent = t.base })
    end)
    local body = kit:body(kit:shape("hkpSphereShape", { radius = 1 }))
    local doc <close> = open(kit:file { type = kit.types.ragdoll, values = { rigidBodies = { body },
      boneToRigidBodyMap = { 0, -1, 1 } } })
    assert.same({ "warning objects[1].bone_to_rigid_body_map[3]: body 1, of 1" }, findings(doc))
  end)
end)
