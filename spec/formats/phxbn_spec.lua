-- Skeletons of Overgrowth. What every format must prove is in format_checks; here is what only this one
-- has: seven versions, a count that old ones do not store, bones that are known by number, symmetry.

local checks = require "format_checks"
local lathe = require "lathe"
local outcome = require "outcome"
local rigs = require "phxbn_rigs"
local sample = require "sample_phxbn"

local message = outcome.message

local function open(name, options)
  local all = { history = 20 }
  for k, v in pairs(options or {}) do all[k] = v end
  return checks.open("phxbn", sample[name], all)
end

-- Runs fn, which must raise exactly this and leave the document as it is.
local function refuses(doc, says, fn)
  local before = doc:encode()
  local ok, err = pcall(fn)
  assert.is_false(ok, "nothing raised")
  assert.equal(says, (tostring(err):gsub("^[^:]*%.lua:%d+: ", ""):gsub("^sample%.phxbn: ", "")))
  assert.equal(before, doc:encode())
end

-- What check says, in one line each: all of it, or what matches a pattern.
local function findings(doc, options, pattern)
  local fine, list = doc:check(options)
  local texts = {}
  for _, f in ipairs(list) do
    local line = f.level .. " " .. f.where .. ": " .. f.message
    if not pattern or line:find(pattern) then texts[#texts + 1] = line end
  end
  return texts, fine
end

local function reasons(report)
  local list = {}
  for i, entry in ipairs(report.skipped) do list[i] = entry.path .. ": " .. entry.reason end
  return list
end

local function vectors(array)
  local list = {}
  for i, v in ipairs(array) do list[i] = { table.unpack(v) } end
  return list
end

local LANES = { "mat4_rotation.x", "mat4_rotation.y", "mat4_rotation.z", "mat4_rotation.w", "mat4_scale.x",
  "mat4_scale.y", "mat4_scale.z" }
local computed = {}
for _, name in ipairs(LANES) do computed[name] = {} end -- made_up_words_spec writes them

checks.describe_format {
  format = "phxbn",
  samples = sample,
  flips = 600,
  selects = { ["phxbn.rigging_stage"] = true, ["phxbn_joint.type"] = true },
  computed = computed,
  unseen = { "phxbn.corners_unknown", "phxbn_bone.com", "phxbn_bone.ends", "phxbn_bone.hier_parent",
    "phxbn_bone.mass", "phxbn_bone.mat", "phxbn_bone.parent" },
}

describe("phxbn", function()
  it("reads what the hex says", function()
    local old <close> = open "v5"
    assert.same({ "phxbn", "Overgrowth", 5, "control_joints", 3, 3, 2, "" },
      { old.format, old.game, old.version, old.rigging_stage, old.num_vertices, old.num_points, old.num_bones,
        old.trailing })
    for _, absent in ipairs { "point_parents", "bone_parents", "bone_mass", "bone_com", "bone_mats", "num_ik",
      "ik_bones", "laid_out_as", "corners_unknown" } do
      assert.is_nil(old[absent], absent)
    end
    local new <close> = open "v11"
    assert.same({ 11, "control_joints", 3 }, { new.version, new.rigging_stage, new.num_vertices })
    assert.same({ 0, 1.75, -0.125 }, { table.unpack(new.points[3]) })
    assert.same({ -1, 0, 1 }, new.point_parents:totable())
    assert.same({ start = 1, finish = 2 }, new.bone_ends[2]:totable())
    assert.same({ 2.5, 1.25 }, new.bone_mass:totable())
    assert.same({ 7, 8, 9 }, { table.unpack(new.bone_mats[2].translation) })
    assert.same({ 0.5, 0.25, 0.125, 0.125 }, { table.unpack(new.weights[3]) })
    assert.same({ 1, 0, 1, 0 }, { table.unpack(new.bone_ids[3]) })
    assert.same({ "hinge", "amotor", "fixed" }, { new.joints[1].type, new.joints[2].type, new.joints[3].type })
    assert.same({ -0.5, 1.5 }, new.joints[1].stop:totable())
    assert.same({ 1, 0, 0 }, { table.unpack(new.joints[1].axis) })
    assert.same({ -0.5, 0.5, -0.25, 0.75, -1, 0.125 }, new.joints[2].stop:totable())
    assert.is_nil(new.joints[3].stop)
    assert.is_nil(new.joints[2].axis)
    assert.same({ bone_id = 1, chain_length = 2, name = "torso" }, new.ik_bones[1]:totable())
    local bone = new.bones[2]
    assert.same({ 1, 2, 0, 1.25, 1.375, 0 },
      { bone.ends.start, bone.ends.finish, bone.parent, bone.mass, bone.com.y, bone.hier_parent })
  end)

  it("is recognised where its counts fit and bones lie between points", function()
    for name, bytes in pairs(sample) do
      local doc <close> = assert(lathe.parse(bytes))
      assert.equal("phxbn", doc.format, name)
    end
    assert.is_nil((lathe.parse(("\0"):rep(64))))
    assert.is_nil((lathe.parse(("\1\0\0\0"):rep(64))))
  end)

  describe("making", function()
    local stages = { "nothing", "create_bones", "control_joints", "animate", "pose_weights", 7 }

    it("works for every version and stage", function()
      for version = 5, 12 do
        for _, stage in ipairs(stages) do
          if version > 5 or stage ~= 7 then
            local fields = rigs.biped(version, stage)
            local doc <close> = assert(lathe.new("phxbn", fields))
            local label = ("version %d, %s"):format(version, stage)
            assert.same({ version, stage, 5, 6 }, { doc.version, doc.rigging_stage, #doc.bones, #doc.points }, label)
            checks.round_trip("phxbn", doc:encode())
            assert.equal(doc:encode(), lathe.new("phxbn", doc:totable()):encode(), label)
            local again <close> = checks.open("phxbn", doc:encode())
            assert.same({ version, stage, doc.num_vertices }, { again.version, again.rigging_stage,
              again.num_vertices }, label)
            assert.same({}, findings(again, nil, "^error"), label)
          end
        end
      end
    end)

    it("takes bones one by one", function()
      local doc <close> = assert(lathe.new("phxbn", {
        rigging_stage = "control_joints",
        points = { { 0, 0, 0 }, { 0, 1, 0 }, { 0, 2, 0 } },
        bones = { { ends = { 0, 1 }, mass = 3 }, { ends = { start = 1, finish = 2 }, parent = 0, hier_parent = 0 } },
      }))
      assert.same({ 11, 2, -1, 0, 3, 1 }, { doc.version, doc.num_bones, doc.bone_parents[1], doc.hier_parents[2],
        doc.bone_mass[1], doc.bone_mass[2] })
    end)

    it("refuses what no file can hold, by name", function()
      local cases = {
        { { version = 4 }, "version at 0x0: version 4, the first one is 5" },
        { { version = 5, rigging_stage = 6 },
          "rigging_stage at 0x0: version 5 has no stage 6: it would be read as a version" },
        { { version = 5, bone_mass = { 1 } }, "bone_mass at 0x14: absent here" },
        { { weights = { {} } }, "weights at 0x10: absent here" },
        { { rigging_stage = "foo" }, "rigging_stage at 0x4: no rigging_stage is called 'foo': nothing, "
          .. "create_bones, control_joints, animate, pose_weights" },
        { { rigging_stage = 1, joints = { { type = 3 } } }, "joints[1].type at 0x18: 3 is not in 0 .. 2" },
        { { rigging_stage = 1, joints = { { type = "fixed", axis = { 1, 0, 0 } } } },
          "joints[1].axis at 0x24: absent here" },
        { { rigging_stage = 1, joints = { { type = "hinge", stop = { 1 } } } },
          "joints[1].stop at 0x1c: 2 elements expected, got 1" },
      }
      for _, case in ipairs(cases) do assert.equal(case[2], message(lathe.new("phxbn", case[1]))) end
    end)
  end)

  describe("the stage", function()
    it("brings what depends on it, and takes it away", function()
      local doc <close> = open "v11"
      local points = doc.points
      doc.rigging_stage = "create_bones"
      assert.is_nil(doc.weights)
      assert.is_nil(doc.num_vertices)
      assert.equal("head", doc.ik_bones[2].name)
      doc.rigging_stage = 2
      assert.same({ "animate", 0, -1, 0 }, { doc.rigging_stage, doc.num_vertices, doc.hier_parents[2], #doc.joints })
      assert.equal(0.25, points[1].z)
      doc.rigging_stage = 33
      assert.equal(33, doc.rigging_stage)
      while doc:undo() do end
      assert.equal(sample.v11, doc:encode())
    end)

    it("is none that would be read as a version", function()
      local doc <close> = open "v5_bare"
      doc.rigging_stage = 5
      assert.equal(5, checks.open("phxbn", doc:encode()).rigging_stage)
      refuses(doc, "rigging_stage at 0x0: version 5 has no stage 9: it would be read as a version",
        function() doc.rigging_stage = 9 end)
    end)
  end)

  describe("joints", function()
    it("have what their type has", function()
      local doc <close> = open "v10"
      local hinge, amotor, fixed = doc.joints[1], doc.joints[2], doc.joints[3]
      hinge.type = "amotor"
      assert.same({ -0.5, 1.5, 0, 0, 0, 0 }, hinge.stop:totable())
      assert.is_nil(hinge.axis)
      assert.same({ 1, 0 }, hinge.bone:totable())
      amotor.type = "fixed"
      assert.is_nil(amotor.stop)
      fixed.type = "hinge"
      fixed.axis = { 0, 1, 0 }
      assert.same({ type = "hinge", stop = { 0, 0 }, bone = { 1, 0 }, axis = { x = 0, y = 1, z = 0 } },
        fixed:totable())
      checks.round_trip("phxbn", doc:encode())
      doc.joints:remove(1)
      assert.equal("joints[1]", lathe.path(amotor))
      while doc:undo() do end
      assert.equal(sample.v10, doc:encode())
    end)

    it("of an unknown type are refused with their place", function()
      local at = sample.v11:find(string.pack("<i4ff", 0, -0.5, 1.5), 1, true)
      local bad = sample.v11:sub(1, at - 1) .. string.pack("<i4", 77) .. sample.v11:sub(at + 4)
      assert.equal(("joints[1].type at 0x%x: unknown joint type 77"):format(at - 1),
        message(lathe.parse(bad, { format = "phxbn" })))
    end)
  end)
end)

describe("phxbn bones", function()
  local function rig(version)
    local bytes = lathe.new("phxbn", rigs.biped(version or 11, "control_joints")):encode()
    return checks.open("phxbn", bytes, { history = 20 }), bytes
  end

  it("take along what counts on their numbers when one comes", function()
    for version = 5, 11 do
      local doc, bytes = rig(version)
      local arm, joint = doc.bones[3], doc.joints[1]
      local made = doc.bones:insert(2, { ends = { 0, 0 }, hier_parent = 0 })
      assert.equal(6, doc.num_bones)
      assert.equal("bones[4]", lathe.path(arm))
      assert.equal(2, arm.hier_parent)
      assert.same({ -1, 0, 0, 2, 2, 2 }, doc.hier_parents:totable())
      assert.same({ 2, 0 }, joint.bone:totable())
      assert.same({ { 0, 2, 0, 0 }, { 3, 4, 0, 0 }, { 5, 0, 2, 0 } }, vectors(doc.bone_ids))
      if doc.bone_parents then assert.same({ -1, -1, 0, 2, 2, 2 }, doc.bone_parents:totable()) end
      if doc.bone_mass then assert.equal(1, made.mass) end
      if doc.ik_bones then
        assert.same({ 3, 5 }, { doc.ik_bones[1].bone_id, doc.ik_bones[2].bone_id })
      end
      local again <close> = checks.open("phxbn", doc:encode())
      assert.same({ 3, 6 }, { again.num_vertices, #again.bones })
      doc:undo()
      assert.equal(bytes, doc:encode())
      assert.equal("bones[3]", lathe.path(arm))
      doc:close()
    end
  end)

  it("leave nothing behind that names a removed one", function()
    local doc, bytes = rig(9)
    local last, weights = doc.bones[5], doc.weights
    doc.joints:remove(2)                          -- of bone 3
    doc.bones:remove(4)
    assert.equal("bones[4]", lathe.path(last))
    assert.same({ -1, 0, 1, 1 }, doc.hier_parents:totable())
    assert.same({ { 0, 1, 0, 0 }, { 2, 0, 0, 0 }, { 3, 0, 1, 0 } }, vectors(doc.bone_ids))
    assert.same({ 0.5, 0, 0, 0 }, { table.unpack(weights[2]) })
    assert.same({ "warning weights[2]: less than 0.99 in all, here and in 1 rows in all: the game takes the nearest bone" },
      findings(doc, nil, "weights"))
    doc.joints:resize(0)
    doc.bones:remove(2)
    assert.same({ -1, -1, -1 }, doc.hier_parents:totable())
    assert.same({ -1, -1, -1 }, doc.bone_parents:totable())
    while doc:undo() do end
    assert.equal(bytes, doc:encode())
    doc:close()
  end)

  it("stay while joints or IK bones name them", function()
    local doc <close> = rig(11)
    refuses(doc, "joints[1].bone: the joint still names bone 1: remove or change it first",
      function() doc.bones:remove(2) end)
    doc.joints:resize(0)
    refuses(doc, "ik_bones[1].bone_id: the IK bone still names bone 2: remove or change it first",
      function() doc.bones:remove(3) end)
    doc.ik_bones:resize(0)
    doc.bones:remove(3)
    refuses(doc, "bone_mass: one of the arrays of bones: resize that", function() doc.bone_mass:append(1) end)
  end)

  it("follow their points", function()
    local doc, bytes = rig(11)
    doc.points:insert(1, { 0, -1, 0 })
    assert.same({ { 1, 2 }, { 2, 3 }, { 3, 4 }, { 3, 5 }, { 3, 6 } }, vectors(doc.bone_ends))
    assert.same({ -1, -1, 1, 2, 3, 3, 3 }, doc.point_parents:totable())
    refuses(doc, "bone_ends[1].start: the bone still needs point 1: remove or change it first",
      function() doc.points:remove(2) end)
    doc.points:remove(1)
    assert.equal(bytes, doc:encode())
    doc.ik_bones:resize(0)
    doc.joints:resize(0)
    doc.bones:remove(5)
    doc.points:remove(6)
    assert.equal(5, doc.num_points)
    doc:close()
  end)

  it("keep ids that are no numbers of bones", function()
    local doc <close> = rig(11)
    doc.bone_ids[1] = { 1.5, -2, 99, 0 / 0 }
    doc.bones:insert(1, {})
    local ids = doc.bone_ids[1]
    assert.same({ 1.5, -2, 100 }, { ids.x, ids.y, ids.z })
    assert(ids.w ~= ids.w)
  end)
end)

describe("phxbn corner counts", function()
  it("are found out, kept by edits, and not solved again", function()
    local doc <close> = open "v8"
    assert.equal(3, doc.num_vertices)
    doc.weights:append { 1, 0, 0, 0 }
    doc.bone_ids[4] = { 1, 0, 0, 0 }
    assert.same({ 4, 4 }, { doc.num_vertices, #doc.bone_ids })
    assert.equal(4, checks.open("phxbn", doc:encode()).num_vertices)
    refuses(doc, "num_vertices: read-only: resize weights instead", function() doc.num_vertices = 3 end)
    doc:undo(2)
    assert.same({ 3, false }, { doc.num_vertices, doc.modified })
    doc.weights[1] = { 9, 9, 9, 9 }               -- nothing can be told from this any more
    assert.equal(3, doc.num_vertices)
    assert.same({ "warning num_vertices: saved like this the file does not tell that it has 3 face corners: "
      .. "open it with num_vertices" }, findings(doc, nil, "num_vertices"))
    local lost <close> = checks.open("phxbn", doc:encode())
    assert.is_true(lost.corners_unknown)
    local told <close> = checks.open("phxbn", doc:encode(), { num_vertices = 3 })
    assert.same({ 3, 9 }, { told.num_vertices, told.weights[1].x })
  end)

  it("may be told, and must then fit", function()
    for _, name in ipairs { "v5", "v8", "v10", "v9_as_v11" } do
      local doc <close> = open(name, { num_vertices = 3 })
      assert.equal(3, doc.num_vertices, name)
      assert.equal(sample[name], doc:encode())
      local says = message(lathe.parse(sample[name], { format = "phxbn", num_vertices = 6 }))
      assert.truthy(says:find("hierarchy and joints make no sense behind 6 face corners", 1, true), says)
      assert.truthy(message(lathe.parse(sample[name], { format = "phxbn", num_vertices = -1 })))
    end
    assert.equal(3, checks.open("phxbn", sample.v5 .. "behind", { num_vertices = 3 }).num_vertices)
  end)

  it("that cannot be told leave the rest as it is", function()
    local doc <close> = checks.open("phxbn", sample.v8 .. "x", { history = 5 })
    assert.is_true(doc.corners_unknown)
    for _, absent in ipairs { "num_vertices", "weights", "bone_ids", "hier_parents", "num_joints", "joints" } do
      assert.is_nil(doc[absent], absent)
    end
    assert.equal("x", doc.trailing:sub(-1))
    assert.truthy(lathe.tree.to_json(doc):find('"corners_unknown":true', 1, true))
    assert.same({}, lathe.tree.diff(doc, doc))
    assert.same({ ("error trailing: no one number of face corners makes sense of the %d bytes behind the bones"):format(
      #doc.trailing) }, (findings(doc)))
    checks.round_trip("phxbn", doc:encode())
    doc.points[1].y, doc.bones[1].mass = 9, 8
    assert.same({ changed = 7, skipped = {} }, doc:scale(2))
    assert.same({ 18, 64 }, { doc.points[1].y, doc.bone_mass[1] })
    refuses(doc, "rigging_stage at 0x4: what follows the bones was not understood and cannot change",
      function() doc.rigging_stage = 0 end)
    assert.truthy(message(doc:set_version(11)):find("was not understood: open the file with num_vertices", 1, true))
  end)

  -- The weights 0, 2^-149, 0, 0 and the rest, all zeros, are also a hierarchy, one joint, and a hinge.
  local function ambiguous()
    return assert(lathe.new("phxbn", { version = 9, rigging_stage = 1, points = { {}, {} }, bone_ends = { { 0, 1 } },
      weights = { { 0, 2.0 ^ -149, 0, 0 } }, bone_ids = { {} }, hier_parents = { 0 } }))
  end

  it("of which several would do are not guessed", function()
    local made <close> = ambiguous()
    assert.equal(1, made.num_vertices)
    local doc <close> = checks.open("phxbn", made:encode())
    assert.is_true(doc.corners_unknown)
    checks.round_trip("phxbn", made:encode())
    for n = 0, 1 do
      local told <close> = checks.open("phxbn", made:encode(), { num_vertices = n })
      assert.same({ n, 1 - n, made:encode() }, { told.num_vertices, told.num_joints, told:encode() })
    end
  end)

  it("are never written so that another one is read", function()
    local doc <close> = checks.open("phxbn", ambiguous():encode(), { num_vertices = 1 })
    doc.weights[1].w = 7                          -- no weight, but a fine limit of a hinge
    assert.same({ "error num_vertices: saved like this it would be read with 0 face corners, not 1" },
      findings(doc, nil, "^error num_vertices"))
    refuses(doc, ("weights at 0x%x: saved like this they would be read as those of 0 face corners, not 1"):format(
      lathe.span(doc, "weights") + 16),           -- a point and its parent later
      function() doc.points:append { 1, 2, 3 } end)
  end)

  -- Minutes each, were trying a count not cheap: the whole run has a limit.
  it("are found or given up soon for a file that was made to be slow", function()
    local head = string.pack("<i4i4i4fff", 9, 1, 1, 0, 0, 0) .. string.pack("<i4", -1) .. string.pack("<i4i4i4", 1, 0, 0)
      .. string.pack("<i4fffff", -1, 1, 0, 0, 0, 0):sub(1, 4 + 4 + 12) .. ("\0"):rep(64)
    local joints = string.pack("<i4i4i4", 2, 0, 0):rep(100000)
    for _, tail in ipairs { ("\0"):rep(2000000), joints, ("\1\0\0\0"):rep(500000),
      string.pack("<i4i4", 0, 90000) .. joints, ("\0\0\0\0\xff\xff\xff\xff"):rep(100000) } do
      local doc <close> = checks.open("phxbn", head .. tail)
      assert.is_true(doc.corners_unknown)
      doc:check()
    end
  end)

  it("are found among thousands", function()
    local fields = rigs.biped(9, 1)
    for i = 4, 3000 do
      fields.weights[i], fields.bone_ids[i] = fields.weights[i % 3 + 1], fields.bone_ids[i % 3 + 1]
    end
    local bytes = assert(lathe.new("phxbn", fields)):encode()
    local doc <close> = checks.open("phxbn", bytes)
    assert.equal(3000, doc.num_vertices)
  end)

  it("are told by what the add-ons wrote under an old number", function()
    local doc <close> = open "v9_as_v11"
    assert.same({ 9, 11, 3, "head" }, { doc.version, doc.laid_out_as, doc.num_vertices, doc.ik_bones[2].name })
    assert.same({ "warning version: labelled 9, laid out as 11: the game reads weights from the wrong place" },
      findings(doc, nil, "version"))
    local mended <close> = checks.open("phxbn", sample.v9_as_v11)
    assert.same({ changed = 1, skipped = {} }, mended:set_version(11))
    assert.same({ 11, nil, #sample.v9_as_v11 }, { mended.version, mended.laid_out_as, mended.size })
    assert.same({ "ik_bones: dropped: version 9 has none" }, reasons(doc:set_version(9)))
    assert.same({ 9, nil, 3 }, { doc.version, doc.laid_out_as, doc.num_vertices })
    assert.equal(3, checks.open("phxbn", doc:encode()).num_vertices)
  end)
end)

describe("phxbn check", function()
  local function rig(change)
    local fields = rigs.biped(11, 1)
    if change then change(fields) end
    return assert(lathe.new("phxbn", fields))
  end

  -- What a change to a whole rig brings to light.
  local function says(change, pattern, options)
    local doc <close> = rig(change)
    return (findings(doc, options, pattern))
  end

  it("has nothing against a whole biped", function()
    assert.same({}, says())
    assert.same({}, says(nil, nil, { corners = 3 }))
    assert.same({}, says(nil, nil, { corners = 3.0 }))
    for _, corners in ipairs { -1, 2.5, 1 / 0, 0 / 0, "3" } do
      assert.same({ "error num_vertices: corners is the number of the model's face corners" },
        says(nil, nil, { corners = corners }))
    end
  end)

  it("finds what the game refuses", function()
    local alone = ": not symmetrical: no bone is its mirror image in X, and the game refuses the skeleton "
      .. "(sub error 3)"
    assert.same({ "error bone_ends[4]" .. alone, "error bone_ends[5]" .. alone },
      says(function(f) f.points[5] = { 0.5, 2.02, 0 } end))
    assert.same({}, says(function(f) f.points[5] = { 0.5, 2.009, 0 } end))
    assert.same({ "error num_vertices: weights for 3 face corners, the model has 6: the game refuses the skeleton "
      .. "(sub error 4)" }, says(nil, nil, { corners = 6 }))
    local old <close> = open "v8"
    assert.same({ "error num_vertices: weights for 3 face corners, the model has 300: the game reads what follows "
      .. "from the wrong place" }, findings(old, { corners = 300 }, "corners"))
  end)

  it("finds what the game looks up and is not there", function()
    local outside = ": the game looks outside of its memory"
    local cases = {
      { function(f) f.bone_ends[2] = { 1, 99 } end, "error bone_ends[2].finish: point 99 of 6" .. outside },
      { function(f) f.point_parents[2] = -2 end, "error point_parents[2]: point -2 of 6" .. outside },
      { function(f) f.bone_parents[1] = 5 end, "error bone_parents[1]: bone 5 of 5" .. outside },
      { function(f) f.hier_parents[2] = 77 end, "error hier_parents[2]: bone 77 of 5" .. outside },
      { function(f) f.joints[1].bone = { 1, -1 } end, "error joints[1].bone[2]: bone -1 of 5" .. outside },
      { function(f) f.ik_bones[1].bone_id = 5 end, "error ik_bones[1].bone_id: bone 5 of 5" .. outside },
      { function(f) f.bone_ids[3] = { 0, 0.5, 0, 0 } end,
        "error bone_ids[3]: no numbers of bones, here and in 1 rows in all" },
      { function(f) f.bone_ids[2] = { 0, 5, 0, 0 } end,
        "error bone_ids[2]: no numbers of bones, here and in 1 rows in all" },
      { function(f) f.ik_bones[1].chain_length = 4 end,
        "error ik_bones[1].chain_length: a chain of 4 bones, but there are only 3 up to the root" },
      { function(f) f.hier_parents = { 1, 0, 1, 1, 1 } end,
        "error hier_parents[1]: the bone is among its own ancestors, or below such bones" },
    }
    for _, case in ipairs(cases) do assert.equal(case[2], says(case[1], "^error")[1]) end
  end)

  it("warns of what the game takes otherwise than it looks", function()
    local cases = {
      { function(f) f.joints[1].bone = { 1, 1 } end,
        "warning joints[1].bone: a joint of a bone with itself, which the game leaves out" },
      { function(f) f.bone_mass[2] = 0 end, "warning bone_mass[2]: a mass of 0" },
      { function(f) f.points[1].x = 0 / 0 end, "warning points[1].x: not a finite number" },
      { function(f) f.weights[2] = { 0.5, 0.25, 0, 0 } end,
        "warning weights[2]: less than 0.99 in all, here and in 1 rows in all: the game takes the nearest bone" },
      { function(f) f.trailing = "abc" end, "warning trailing: 3 trailing bytes, which the game ignores" },
      { function(f) f.ik_bones[7] = { bone_id = 1, name = "head" } end,
        "warning ik_bones[3].name: 'head' comes again at ik_bones[7]: the game takes the last one" },
      { function(f) table.remove(f.ik_bones, 3) end,
        "warning num_ik: a biped also needs the IK bones head" },
      { function(f) f.ik_bones[1].chain_length = 0 end,
        "warning ik_bones[1].chain_length: a chain of 0 bones" },
      { function(f) table.remove(f.weights) table.remove(f.bone_ids) end,
        "warning num_vertices: 2 face corners, which is no number of whole triangles" },
    }
    for _, case in ipairs(cases) do assert.equal(case[2], says(case[1], "^warning")[1]) end
  end)

  it("gives up on symmetry where there are too many bones", function()
    local ends = {}
    for i = 1, 5000 do ends[i] = { 0, 0 } end
    local doc <close> = assert(lathe.new("phxbn", { version = 9, points = { {} }, bone_ends = ends }))
    assert.same({ "warning bone_ends: 5000 bones: too many to look for the other side of each" }, (findings(doc)))
  end)
end)

describe("phxbn verbs", function()
  it("scale points, centres and translations, and masses unless they are to be kept", function()
    for _, name in ipairs { "v5", "v7_bare", "v11" } do
      for _, factor in ipairs { 2, 0.25, 1024 } do
        local doc <close> = open(name)
        assert(doc:scale(factor, { mass = "density" }))
        if doc.bone_mass then assert.equal(2.5 * factor ^ 3, doc.bone_mass[1]) end
        assert(doc:scale(1 / factor, { what = "skeleton" }))
        assert.equal(sample[name], doc:encode())
      end
    end
    local doc <close> = open "v11"
    assert.same({ changed = 9, skipped = {} }, doc:scale(2))
    assert.same({ 2, 20 }, { doc.points[2].y, doc.bone_mass[1] })
    doc:undo()
    assert.same({ changed = 7, skipped = {} }, doc:scale(2, { mass = "keep" }))
    assert.same({ 2, 1.5, 14, 0.5, 2.5, 0.75, -0.5 }, { doc.points[2].y, doc.bone_com[1].y, doc.bone_mats[2].col3_x,
      doc.bone_mats[2].col0_x, doc.bone_mass[1], doc.weights[1].x, doc.joints[1].stop[1] })
    for _, what in ipairs { "geometry", "collision", "animation" } do
      assert.same({ changed = 0, skipped = {} }, doc:scale(2, { what = what }))
    end
    assert.equal("'mass' of scale is one of density, keep", message(doc:scale(2, { mass = "all" })))
    doc:undo()
    assert.equal(sample.v11, doc:encode())
    assert.truthy(message(doc:scale(1e39)):find("does not fit into f32", 1, true))
    assert.equal(sample.v11, doc:encode())
  end)

  it("rename IK bones", function()
    local doc <close> = open "v10"
    local head = doc.ik_bones[2]
    assert.equal(1, doc:rename("torso", "spine of another").changed)
    assert.equal(0, doc:rename("hea", "tail", { what = "bones" }).changed)
    assert.equal(1, doc:rename("head", "", { what = "labels" }).changed)
    assert.equal(0, doc:rename("", "x", { what = "events" }).changed)
    assert.same({ "spine of another", "" }, { doc.ik_bones[1].name, head.name })
    assert.equal(3, checks.open("phxbn", doc:encode()).num_vertices)
    local old <close> = open "v5"
    assert.equal(0, old:rename("a", "b").changed)
  end)

  it("make it another version and tell what that cost", function()
    local doc <close> = open "v5"
    local points, joint = doc.points, doc.joints[2]
    assert.same({ "bone_mass: invented: 1 kg for each bone", "ik_bones: empty: the game finds no limbs" },
      reasons(doc:set_version(11)))
    assert.same({ 11, 3, 0, "control_joints" }, { doc.version, doc.num_vertices, doc.num_ik, doc.rigging_stage })
    assert.same({ -1, 0, 1 }, doc.point_parents:totable())
    assert.same({ -1, 0 }, doc.bone_parents:totable())
    assert.same({ 1, 1 }, doc.bone_mass:totable())
    assert.same({ { 0, 0.75, 0.25 }, { 0, 1.375, 0.0625 } }, vectors(doc.bone_com))
    assert.same({ -1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1 }, { table.unpack(doc.bone_mats[1]) })
    assert.same({ 1.75, "amotor" }, { points[3].y, joint.type })
    assert.equal("points", lathe.path(points))
    checks.round_trip("phxbn", doc:encode())
    assert.same({ "point_parents: dropped: version 5 has none", "bone_parents: dropped: version 5 has none",
      "bone_mass: dropped: version 5 has none", "bone_com: dropped: version 5 has none",
      "bone_mats: dropped: version 5 has none" }, reasons(doc:set_version(5)))
    assert.equal(sample.v5, doc:encode())
    assert.equal(0.25, points[1].z)
    doc:undo(2)
    assert.is_false(doc.modified)
    doc:redo()
    assert.same({ 11, 1.75 }, { doc.version, points[3].y })
  end)

  it("go up and down between all versions, back to the same bytes where nothing is lost", function()
    for from = 5, 11 do
      for to = from, 11 do
        for _, stage in ipairs { "control_joints", "create_bones" } do
          local bytes = lathe.new("phxbn", rigs.biped(from, stage)):encode()
          local doc <close> = checks.open("phxbn", bytes, { history = 4 })
          assert(doc:set_version(to))
          local corners = stage == "control_joints" and 3 or nil
          local up <close> = checks.open("phxbn", doc:encode())
          assert.same({ to, corners }, { up.version, up.num_vertices })
          assert.same({}, findings(up, nil, "^error"))
          assert(doc:set_version(from))
          assert.equal(bytes, doc:encode(), from .. " " .. to)
        end
      end
    end
  end)

  it("refuse what is no version, or cannot be one", function()
    local doc <close> = open "v11"
    assert.has_error(function() doc:set_version() end, "set_version needs 'version': an integer")
    assert.equal("version 4 is not in 5 .. 11", message(doc:set_version(4)))
    assert.equal("version 12 is not in 5 .. 11", message(doc:set_version(12)))
    assert.same({ changed = 0, skipped = {} }, doc:set_version(11))
    doc.rigging_stage = 8
    assert.truthy(message(doc:set_version(5)):find("version 5 has no stage 8", 1, true))
    local extra <close> = checks.open("phxbn", sample.v11 .. "behind")
    assert.same({ "num_vertices: the file does not tell it any more: open it with num_vertices" },
      reasons(extra:set_version(10)))
  end)
end)
