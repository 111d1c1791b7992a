-- Skeletons, clips, bodies and shapes of the tagfiles of the corpus, against what the plain reader and plain Lua make of
-- their bytes. #corpus: pending, loudly, where there is none.

local figures = require "tagfile_figures"
local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local model = require "tagfile_model"
local reader = require "tagfile_reader"
local reference = require "spline_reference"

-- The file of that name: lathe's document, what the plain reader has, the figures.
local function open(name)
  for _, entry in ipairs(figures.files(pending)) do
    if entry.name:find(name, 1, true) then
      return assert(lathe.parse(entry.bytes, { path = entry.name })), reader.read(entry.bytes), entry
    end
  end
  error("no file " .. name)
end

local function near(wanted, got, limit, label)
  for i, v in ipairs(wanted) do
    if math.abs(v - got[i]) > limit * math.max(1, math.abs(v)) then
      error(("%s [%d]: %.9g instead of %.9g"):format(label, i, got[i], v), 2)
    end
  end
end

local function three(v) return { v[1], v[2], v[3] } end

describe("skeletons of tagfiles #corpus", function()
  it("are those of the plain reader, bone by bone", function()
    local bones = 0
    for _, name in ipairs { "DSR_Skeleton", "DSR_ragdoll_c2240" } do
      local doc <close>, file = open(name)
      local wanted = model.objects(file, "hkaSkeleton")
      assert.equal(#wanted, #doc.skeletons)
      for k, skeleton in ipairs(doc.skeletons) do
        local want = wanted[k].value
        assert.equal(want.name, skeleton.name)
        assert.equal(#want.bones, #skeleton.bones)
        for i, bone in ipairs(skeleton.bones) do
          local pose, t, q, s = want.referencePose[i], bone.pose.t, bone.pose.q, bone.pose.s
          assert.equal(want.bones[i].name, bone.name)
          assert.equal(want.parentIndices[i], bone.parent)
          assert.same({ pose.translation[1], pose.translation[2], pose.translation[3] }, { t[1], t[2], t[3] })
          assert.same(pose.rotation, { q[1], q[2], q[3], q[4] })
          assert.same({ pose.scale[1], pose.scale[2], pose.scale[3] }, { s[1], s[2], s[3] })
          bones = bones + 1
        end
      end
    end
    assert.equal(84 + 84 + 21, bones)
    helper.count("tagfile bones", nil, bones)
  end)
end)

describe("clips of tagfiles #corpus", function()
  local FRAMES, TIMES <const> = 2e-5, 1e-3          -- as of packfiles

  local function ten(track, at)
    local t, q, s = track:sample(at)
    return { t[1], t[2], t[3], q[1], q[2], q[3], q[4], s[1], s[2], s[3] }
  end

  it("are sampled as the plain evaluator does, at all frames and between them", function()
    local doc <close>, file = open "DSR_a00_0000"
    local want = model.objects(file, "hkaSplineCompressedAnimation")[1].value
    local clip, anim = reference.new(model.members(want)), doc.animations[1]
    assert.equal(1, #doc.animations)
    assert.same({ want.duration, want.numFrames, want.numberOfTransformTracks },
      { anim.duration, anim.frame_count, #anim.tracks })
    assert(want.numFrames > 30 and want.numberOfTransformTracks == 84)
    local samples = 0
    for i, track in ipairs(anim.tracks) do
      for frame = 0, want.numFrames - 1 do
        local off = reference.distance(clip:at_frame(i, frame), ten(track, frame))
        if off > FRAMES then error(("track %d, frame %d is off by %g"):format(i, frame, off), 0) end
        samples = samples + 1
      end
      for step = 0, 40 do
        local time = want.duration * step / 40
        local off = reference.distance(clip:at_time(i, time), ten(track, { time = time }))
        if off > TIMES then error(("track %d, %g s is off by %g"):format(i, time, off), 0) end
        samples = samples + 1
      end
    end
    helper.count("tagfile samples", nil, samples)
  end)

  it("are bound to bones, which a skeleton of another file names", function()
    local doc <close>, file = open "DSR_a00_0000"
    local skeletons <close> = open "DSR_Skeleton"
    local binding = model.objects(file, "hkaAnimationBinding")[1].value
    local anim, bones = doc.animations[1], skeletons.skeletons[1].bones
    assert.same({ "master", "normal" }, { anim.skeleton_name, anim.blend_hint })
    assert.is_true(anim.binding == model.find(doc, "hkaAnimationBinding"))
    for i, track in ipairs(anim.tracks) do
      assert.equal(binding.transformTrackToBoneIndices[i], track.bone_index)
      assert(bones[track.bone_index + 1])
      assert.is_nil(track.bone)                        -- the file itself has no skeleton
    end
    local t = anim.tracks[3]:sample { time = 1, skeleton = skeletons.skeletons[1] }
    assert.same(three(anim.tracks[3]:sample { time = 1 }), three(t))
  end)

  it("have root motion, a sample a frame", function()
    local doc <close>, file = open "DSR_a00_0000"
    local want = model.objects(file, "hkaDefaultAnimatedReferenceFrame")[1].value
    local motion = doc.animations[1].root_motion
    assert.equal(#want.referenceFrameSamples, motion.rows)
    for i, sample in ipairs(want.referenceFrameSamples) do
      near(sample, { motion[4 * i - 3], motion[4 * i - 2], motion[4 * i - 1], motion[4 * i] }, 0, "sample " .. i)
    end
  end)

  it("take other times, and get their own back", function()
    local doc <close>, _, entry = open "DSR_a00_0000"
    local anim = model.find(doc, "hkaSplineCompressedAnimation")
    local was, data = anim:totable(), anim.data:totable()
    assert.same({ changed = 1, skipped = {} }, doc:retime { speed = 2 })
    assert.same({ was.duration / 2, was.block_duration / 2, was.frame_duration / 2, was.block_inverse_duration * 2,
      was.duration / 2 },
      { anim.duration, anim.block_duration, anim.frame_duration, anim.block_inverse_duration,
        anim.extracted_motion.duration })
    assert.same(data, anim.data:totable())
    assert.same({}, select(2, doc:check()))
    anim:retime { speed = 0.5 }                        -- a verb of the object, too …
    assert.is_true(doc:encode() == entry.bytes)
    doc.animations[1]:retime { duration = 8 }          -- … and of the animation
    assert.equal(8, anim.duration)
    assert.has_error(function() return doc.root.named_variants[1].variant.bindings[1].retime end)
  end)
end)

describe("bodies of tagfiles #corpus", function()
  local MOTION <const> = { "dynamic", "dynamic", "dynamic", "keyframed", "static", "dynamic", "dynamic" }

  it("say what the plain reader has of each", function()
    local bodies = 0
    for _, name in ipairs { "DSR_MapCollision", "DSR_ragdoll_c2240" } do
      local doc <close>, file = open(name)
      local wanted = model.objects(file, "hkpRigidBody")
      assert.equal(#wanted, #doc.bodies)
      for i, body in ipairs(doc.bodies) do
        local want = wanted[i].value
        local motion, state = want.motion, want.motion.motionState
        assert.same({ want.name, MOTION[motion.type], want.material.friction, want.material.restitution,
          state.linearDamping, state.angularDamping, motion.gravityFactor,
          want.collidable.broadPhaseHandle.collisionFilterInfo },
          { body.name, body.motion, body.friction, body.restitution, body.linear_damping, body.angular_damping,
            body.gravity_factor, body.filter_info })
        local inverse = motion.inertiaAndMassInv[4]
        if body.motion == "dynamic" then
          near({ 1 / inverse }, { body.mass }, 1e-6, "mass")
        else
          assert.is_nil(body.mass)
        end
        near(three(model.place(state).translation), three(body.position), 0, "position")
        local p = model.turn(body.orientation, { 1, 2, 3 })
        near(model.turned(model.place(state), { 1, 2, 3 }), p, 1e-5, "orientation")
        assert.equal(file.items[want.collidable.shape.item].type, model.type_of(file, lathe.type(body.shape)))
        assert.is_true(body.source == model.find(doc, "hkpRigidBody", i))
        bodies = bodies + 1
      end
    end
    assert.equal(22, bodies)
    helper.count("tagfile bodies", nil, bodies)
  end)

  it("are set, with what goes along", function()
    local doc <close> = open "DSR_ragdoll_c2240"
    local body = doc.bodies[2]
    local motion = body.source.motion
    local inertia, center = motion.inertia_and_mass_inv:totable(), motion.motion_state.swept_transform[2]:totable()
    local was = { body.position[1], body.position[2], body.position[3] }
    body.mass, body.friction, body.name, body.filter_info = 10, 0.25, "Thigh", 7
    assert.same({ 10, 0.25, "Thigh", 7 }, { body.mass, body.friction, body.source.name, body.filter_info })
    near({ inertia.x / 2, inertia.y / 2, inertia.z / 2, inertia.w / 2 }, motion.inertia_and_mass_inv, 1e-6, "inertia")
    assert.same({}, select(2, doc:check()))
    body.position = { 1, 2, 3 }
    local now = motion.motion_state.swept_transform[2]
    near({ 1 - was[1] + center.x, 2 - was[2] + center.y, 3 - was[3] + center.z }, now, 1e-5, "centre of mass")
    assert.same({ 1, 2, 3, 1 }, { motion.motion_state.transform.translation.x, motion.motion_state.transform.translation.y,
      motion.motion_state.transform.translation.z, motion.motion_state.transform.translation.w })
    body.orientation = { 0, 0, 1, 1 }
    near({ 0, 0, math.sqrt(0.5), math.sqrt(0.5) }, body.orientation, 1e-6, "orientation")
    near({ 0, 1, 0 }, motion.motion_state.transform.rotation, 1e-6, "rotation")
    local _, findings = doc:check()          -- it is not where its bone and its joints are any more
    assert.equal(5, #findings)
    assert.equal("objects[4].bone_to_rigid_body_map[2]", findings[1].where)
    assert.equal("the body is 3.15977 away from its bone in the rest pose, and rotated by 3.06 radians",
      findings[1].message)
    for i = 2, 5 do assert.matches("^its pivots are 3%.%d+ apart, and the larger body has a", findings[i].message) end
    assert.has_error(function() body.mass = 0 end)
    assert.has_error(function() body.motion = "static" end)
    assert.has_error(function() body.friction = -1 end)
  end)

  it("of what never moves have no mass", function()
    local doc <close> = open "DSR_MapCollision"
    assert.equal("static", doc.bodies[1].motion)
    assert.is_nil(doc.bodies[1].mass)
    local ok, err = pcall(function() doc.bodies[1].mass = 5 end)
    assert.is_false(ok)
    assert.same({ "only what is dynamic has a mass (hkpRigidBody)", "objects[4].body.mass" }, { err.message, err.where })
  end)
end)

describe("shapes of tagfiles #corpus", function()
  local function meshes(doc)
    local list, left = {}, {}
    for mesh in doc:meshes { what = "collision", left_out = left } do list[#list + 1] = mesh end
    assert.same({}, left)
    return list
  end

  it("that are capsules have all corners so far from their axis, in the place of the body", function()
    local doc <close>, file = open "DSR_ragdoll_c2240"
    local list = meshes(doc)
    assert.equal(21, #list)
    for i, mesh in ipairs(list) do
      local body = model.objects(file, "hkpRigidBody")[i].value
      local capsule = file:value(body.collidable.shape.item)
      assert.same({ "capsule", i, "y", 1.0, body.name }, { mesh.shape, mesh.body, mesh.up, mesh.metres, mesh.name })
      local least, most = model.reach(mesh.positions, capsule.vertexA, capsule.vertexB)
      near({ capsule.radius, capsule.radius }, { least, most }, 1e-5, "radius")
      assert.equal(3 * mesh.indices.rows, #mesh.indices)
      assert(model.volume(mesh) > 0, "inside out")
      for c, column in ipairs(model.columns(model.place(body.motion.motionState))) do
        near(column, { table.unpack(model.numbers(mesh.transform), 4 * c - 3, 4 * c) }, 1e-6, "column " .. c)
      end
    end
  end)

  it("that are stored triangles are the plain reader's", function()
    local doc <close>, file = open "DSR_MapCollision"
    local list = meshes(doc)
    local stored = model.objects(file, "hkpStorageExtendedMeshShape::MeshSubpartStorage")[1].value
    assert.same({ 1, "mesh", 1 }, { #list, list[1].shape, list[1].body })
    assert.equal(#stored.vertices, list[1].positions.rows)
    for i, v in ipairs(stored.vertices) do
      near(three(v), { list[1].positions[3 * i - 2], list[1].positions[3 * i - 1], list[1].positions[3 * i] }, 0, "corner")
    end
    local indices = {}
    for i, v in ipairs(stored.indices16) do
      if i % 4 ~= 0 then indices[#indices + 1] = v end
    end
    assert.equal(6, #indices)
    assert.same(indices, list[1].indices:totable())
  end)

  it("are exported, with nothing that the validator has to say", function()
    local folder = helper.tmpdir()
    local paths = {}
    for _, name in ipairs { "DSR_ragdoll_c2240", "DSR_MapCollision" } do
      local doc <close> = open(name)
      paths[#paths + 1] = folder .. "/" .. name .. ".glb"
      lathe.export(doc, paths[#paths], { what = "collision" })
    end
    glb.validate(paths)
    local drawn = glb.parse(helper.read(paths[1])):drawn()
    assert.equal(21, #drawn)
  end)
end)

describe("scaling of tagfiles #corpus", function()
  -- Vectors count once: 84 bones; of the map a body's 12, 7 of its mesh and 4 corners; of the clip 83 tracks with
  -- translations and 121 steps of root motion.
  local CHANGED <const> = { DSR_MapCollision = 23, DSR_Skeleton = 84, DSR_ragdoll_c2240 = 564, DSR_a00_0000 = 204 }
  local SKIPPED <const> = {
    DSR_MapCollision = { { "objects[6]", "hkpMoppCode: a tree over triangles of the old size stays as it is" },
      { "objects[9]", "nobody knows what is in a CustomMeshParameter: each stays as it is" } },
    DSR_Skeleton = {}, DSR_ragdoll_c2240 = {},
    DSR_a00_0000 = {},
  }

  for name, skipped in pairs(SKIPPED) do
    it(name .. ": lengths, masses and inertia, and nothing else; twice as large and half as large is the first", function()
      local doc <close>, _, entry = open(name)
      local report = doc:scale { factor = 2 }
      local told = {}
      for i, row in ipairs(report.skipped) do told[i] = { row.path, row.reason } end
      assert.same(skipped, told)
      local changed = model.compare_scaled(reader.read(entry.bytes), reader.read(doc:encode()), 2)
      assert.equal(CHANGED[name], report.changed)
      helper.count("tagfile scaled", nil, changed.numbers)
      doc:scale { factor = 0.5 }
      assert.is_true(doc:encode() == entry.bytes)
    end)
  end

  it("keeps masses where that is asked for", function()
    local doc <close> = open "DSR_ragdoll_c2240"
    local motion = doc.bodies[1].source.motion.inertia_and_mass_inv
    local was = motion:totable()
    doc:scale { factor = 2, mass = "keep", what = "collision" }
    assert.same({ was.x / 4, was.y / 4, was.z / 4, was.w }, { motion.x, motion.y, motion.z, motion.w })
  end)

  it("takes a part of it: skeletons alone, ragdolls' with collision", function()
    local doc <close> = open "DSR_ragdoll_c2240"
    local function poses()
      local a, b = doc.skeletons[1].bones[3].pose.t, doc.skeletons[2].bones[3].pose.t
      return a[1], b[1], doc.bodies[1].shape.radius
    end
    local a, b, radius = poses()
    doc:scale { factor = 2, what = "collision" }
    assert.same({ a, 2 * b, 2 * radius }, { poses() })
    doc:scale { factor = 2, what = "skeleton" }
    assert.same({ 2 * a, 4 * b, 2 * radius }, { poses() })
    local none, err = doc:scale { factor = { 1, 2, 3 }, what = "collision" }
    assert.is_nil(none)
    assert.equal("collision of this format is scaled by one factor alone", err.message)
  end)
end)

it("check() finds nothing in the skeletons, clips and bodies of the corpus #corpus", function()
  for _, entry in ipairs(figures.files(pending)) do
    local doc <close> = assert(lathe.parse(entry.bytes))
    assert.same({}, select(2, doc:check()))
  end
end)
