-- Bones of a skeleton: views that write to the document, in the formats that store them, and say where to change what they
-- are worked out from in others.

local complete = require "lathe.repl.complete"
local dkjson = require "dkjson"
local lathe = require "lathe"
local show = require "lathe.repl.show"
local small = require "small_documents"

local bytes = small.documents()

local function open(format)
  return assert(lathe.parse(bytes[format], { format = format, history = 9 }))
end

local function raises(message, f, ...)
  local ok, err = pcall(f, ...)
  assert.is_false(ok)
  assert.equal(message, (tostring(err):gsub("^[^ ]*:%d+: ", "")))
end

local function assign(t, key, value) t[key] = value end

local PLAIN = {
  { name = "Root", parent = -1, pose = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
  { name = "Bone1", parent = 0, pose = { t = { 0, 0, 1 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
}

describe("bones", function()
  local bones = open("hkx").skeletons[1].bones

  it("read like tables", function()
    assert.equal("list", lathe.type(bones))
    assert.same({ "bone", "pose", "vector" },
      { lathe.type(bones[2]), lathe.type(bones[2].pose), lathe.type(bones[2].pose.t) })
    assert.equal(2, #bones)
    assert.equal("Bone1", bones[2].name)
    assert.is_nil(bones[3])
    assert.is_nil(bones[0])
    assert.is_nil(bones[2].mirror)
    assert.equal(bones[2], bones[2])
    assert.are_not.equal(bones[1], bones[2])
    assert.are_not.equal(bones[1].pose.t, bones[1].pose.q)
    assert.equal("0.0 0.0 1.0", table.concat(bones[2].pose.t, " "))
    assert.same({ 0, 0, 1 }, { table.unpack(bones[2].pose.t) })
    assert.same({ 1, 4, 3 }, { bones[2].pose.t.z, #bones[2].pose.q, #bones[2].pose.s })
    assert.is_nil(bones[2].pose.t[4])
    local seen = {}
    for i, bone in ipairs(bones) do seen[i] = bone.name end
    for i, bone in pairs(bones) do seen[i] = seen[i] .. bone.parent end
    for key, value in pairs(bones[2]) do seen[key] = lathe.type(value) or value end
    assert.same({ "Root-1", "Bone10", name = "Bone1", parent = 0, pose = "pose" }, seen)
    for key in pairs(bones[2].pose) do seen[#seen + 1] = key end
    for i, v in pairs(bones[2].pose.t) do seen[#seen + 1] = i .. " " .. v end
    assert.equal("Root-1 Bone10 t q s 1 0.0 2 0.0 3 1.0", table.concat(seen, " "))
    assert.same({ '2 bones', 'bone 1 "Root": root', 'bone 2 "Bone1": parent 0', 'pose of bone 2 "Bone1"', "{ 0, 0, 1 }" },
      { tostring(bones), tostring(bones[1]), tostring(bones[2]), tostring(bones[2].pose), tostring(bones[2].pose.t) })
    raises("no field 'parents' in bone; did you mean 'parent'?", function() return bones[1].parents end)
    raises("no field 'x' in pose", function() return bones[1].pose.x end)
    raises("no field 'w' in a vector of 3 numbers", function() return bones[1].pose.t.w end)
  end)

  it("are found by name", function()
    assert.equal(bones[2], bones.Bone1)
    assert.equal(bones[1], bones["Root"])
    raises('no bone "Bone2"; did you mean \'Bone1\'?', function() return bones.Bone2 end)
    raises('no bone "Elephant"', function() return bones.Elephant end)
    raises('no bone ""', function() return bones[""] end)
    raises('no bone "Root\\x00"', function() return bones["Root\0"] end)
    local doc = open "hkx"
    doc.skeletons[1].bones.Bone1.name = "Root"
    assert.equal(doc.skeletons[1].bones[1], doc.skeletons[1].bones.Root)
    doc.skeletons[1].source.bones[1].name, doc.skeletons[1].source.bones[2].name = "", ""
    raises('no bone "Root": none has a name', function() return doc.skeletons[1].bones.Root end)
  end)

  it("become tables that can be changed", function()
    assert.same(PLAIN, lathe.totable(bones))
    local own = lathe.totable(bones)
    own[1].pose.t[3], own[3] = 99, {}
    assert.same(PLAIN, lathe.totable(bones))
    assert.same(PLAIN[2], lathe.totable(bones[2]))
    assert.same(PLAIN[2].pose, lathe.totable(bones[2].pose))
    assert.same({ 0, 0, 0, 1 }, lathe.totable(bones[2].pose.q))
  end)

  it("are taken where tables are", function()
    local anim = open("hkx").animations[1]
    local wanted = anim:decode { skeleton = PLAIN }:totable()
    for _, skeleton in ipairs { bones, { bones = bones }, { bones[1], bones[2] }, { PLAIN[1], bones[2] } } do
      assert.same(wanted, anim:decode { skeleton = skeleton }:totable())
    end
    assert.equal(3, #lathe.buffer("f32", 1, 3, bones[2].pose.t))
    assert.same({ 0, 0, 0, 1, 0, 0, 0, 1 },
      lathe.buffer("f64", 2, 4, { bones[1].pose.q, bones[2].pose.q }):totable())
    local doc = open "solid"
    doc.vertices = { bones[2].pose.t }
    assert.same({ 0, 0, 1 }, { doc.vertices[1].x, doc.vertices[1].y, doc.vertices[1].z })
    local closed = open "hkx"
    local gone = closed.skeletons[1].bones
    closed:close()
    raises("document is closed", function() return anim:decode { skeleton = { bones = gone } } end)
  end)

  it("are shown, completed and written as JSON", function()
    local lines = {
      "2 bones",
      "       name     parent  t      q        turn [degrees about x y z]",
      '  [1]  "Root"   -       0 0 0  0 0 0 1  0 0 0',
      '  [2]  "Bone1"  "Root"  0 0 1  0 0 0 1  0 0 0',
    }
    assert.same(lines, show.lines(bones))
    assert.same({ "{ 0.0, 0.0, 1.0 }" }, show.lines(bones[2].pose.t))
    assert.same(PLAIN, dkjson.decode(lathe.tree.to_json(bones)))
    assert.same(PLAIN[2], dkjson.decode(lathe.tree.to_json { bone = bones[2] }).bone)
    local env = { doc = open "hkx" }
    local function words(line) return complete.words(line, 1, #line, env) end
    assert.same({ "doc.skeletons[1].bones[1].parent", "doc.skeletons[1].bones[1].pose" },
      words "doc.skeletons[1].bones[1].p")
    assert.same({ "doc.skeletons[1].bones[1].pose.q.x" }, words "doc.skeletons[1].bones[1].pose.q.x")
  end)
end)

describe("an assignment to a bone", function()
  it("is stored", function()
    local doc = open "hkx"
    local rig = doc.skeletons[1]
    local bone, stored = rig.bones[2], rig.source
    bone.pose.t = { 1, 2.5, 0.1 }
    assert.same({ 1, 2.5, 0.10000000149011612 }, lathe.totable(bone.pose.t))
    assert.equal(2.5, stored.reference_pose[2].translation.y)
    bone.pose.q.y = 0.5
    bone.pose.s[3] = -2
    assert.same({ 0, 0.5, 0, 1 }, lathe.totable(bone.pose.q))
    assert.same({ 1, 1, -2 }, lathe.totable(rig.bones.Bone1.pose.s))
    bone.pose = { q = { 0, 0, 1, 0 }, s = rig.bones[1].pose.s }
    assert.same({ t = { 1, 2.5, 0.10000000149011612 }, q = { 0, 0, 1, 0 }, s = { 1, 1, 1 } }, lathe.totable(bone.pose))
    bone.pose = rig.bones[1].pose
    assert.same(PLAIN[1].pose, lathe.totable(bone.pose))
    bone.pose.t = stored.reference_pose[1].translation
    bone.pose.t = { x = 4, y = 5, z = 6 }
    assert.same({ 4, 5, 6 }, lathe.totable(bone.pose.t))
    bone.name = "a much longer name than before"
    assert.equal("a much longer name than before", stored.bones[2].name)
    assert.equal(bone, rig.bones["a much longer name than before"])
    bone.parent = -1
    assert.same({ -1, -1 }, { rig.bones[2].parent, stored.parent_indices[2] })
    rig.bones[1].parent = 1
    rig.bones[1] = { name = "First", pose = { t = { 7, 8, 9 } } }
    assert.same({ name = "First", parent = 1, pose = { t = { 7, 8, 9 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
      lathe.totable(rig.bones[1]))
    rig.bones[2] = rig.bones[1].name == "First" and { parent = -1 }
    local again = assert(lathe.parse(assert(doc:encode())))
    assert.same(lathe.totable(rig.bones), lathe.totable(again.skeletons[1].bones))
  end)

  it("keeps the unused numbers of a transform", function()
    local doc = open "hkx"
    local rig = doc.skeletons[1]
    local pose = rig.source.reference_pose[2]
    pose.translation.w, pose.scale.w = 77, 99
    rig.bones[2].pose = { t = { 1, 2, 3 }, q = { 1, 0, 0, 0 }, s = { 4, 5, 6 } }
    assert.same({ 77, 99 }, { pose.translation.w, pose.scale.w })
    assert.equal("1 2 3 1 0 0 0 4 5 6", ("%g %g %g %g %g %g %g %g %g %g"):format(pose.translation.x, pose.translation.y,
      pose.translation.z, pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w, pose.scale.x, pose.scale.y,
      pose.scale.z))
  end)

  it("is a step of the history, and lives on", function()
    local doc = open "hkx"
    local bone = doc.skeletons[1].bones[2]
    local t = bone.pose.t
    t.x = 5
    bone.name = "Tail"
    bone.parent = -1
    assert.same({ 5, "Tail", -1 }, { t[1], bone.name, bone.parent })
    for _ = 1, 3 do assert.is_true(doc:undo()) end
    assert.same({ 0, "Bone1", 0 }, { t[1], bone.name, bone.parent })
    assert.is_false(doc.modified)
    for _ = 1, 3 do assert.is_true(doc:redo()) end
    assert.same({ 5, "Tail", -1 }, { t[1], bone.name, bone.parent })
    for _ = 1, 3 do doc:undo() end
    assert.is_false(pcall(doc.edit, doc, function()
      t.x, bone.name = 9, "Wing"
      assert.same({ 9, "Wing" }, { t.x, bone.name })
      error "no"
    end))
    assert.same({ 0, "Bone1", false }, { t[1], bone.name, doc.modified })
    doc.skeletons[1].source.bones:remove(2)
    raises("bone 2 was removed", function() return bone.name end)
    raises("bone 2 was removed", assign, t, 1, 3)
    doc:undo()
    assert.equal("Bone1", bone.name)
    doc:close()
    raises("document is closed", function() return bone.name end)
    raises("document is closed", assign, t, "x", 1)
    assert.equal("bone (document is closed)", tostring(bone))
  end)

  it("is refused where it makes no sense, and nothing changes", function()
    local doc = open "hkx"
    local rig = doc.skeletons[1]
    local bone = rig.bones[1]
    local function refused(message, t, key, value)
      raises(message, assign, t, key, value)
      assert.is_false(doc.modified)
    end
    local file = " (hkaSkeleton)"
    refused("bone 0: with bone 1 as its parent it would be among its own ancestors", bone, "parent", 1)
    refused("bone 0: with bone 0 as its parent it would be among its own ancestors", bone, "parent", 0)
    refused("bone 0: a parent from -1 to 1 expected, got 2", bone, "parent", 2)
    refused("'parent' of a bone: a bone's number, from 0, or -1 expected, got -2", bone, "parent", -2)
    refused("'parent' of a bone: a bone's number, from 0, or -1 expected, got 0.5", bone, "parent", 0.5)
    refused("objects[3] at 0x360: bones of this format have no mirror: names decide it" .. file, bone, "mirror", 1)
    refused("bone 0: its mirror is no bone", bone, "mirror", 2)
    refused("'name' of a bone: a string expected, got nil", bone, "name", nil)
    refused("'name' of a bone: it holds a NUL byte", bone, "name", "a\0b")
    refused("bone 0: a finite number expected, of single precision", bone.pose.t, "x", 0 / 0)
    refused("bone 0: a finite number expected, of single precision", bone.pose.s, 2, 1e39)
    refused("bone 0: a rotation of zeros has no direction", bone.pose, "q", { 0, 0, 0, 1e-60 })
    refused("'t' of a pose: a list of 3 numbers expected, got 2", bone.pose, "t", { 1, 2 })
    refused("'t' of a pose: a list of 3 numbers expected, got nil", bone.pose, "t", nil)
    refused("'y' of t: a number expected, got string", bone.pose, "t", { 1, "2", 3 })
    refused("no field 'x' in a pose", bone, "pose", { x = 1 })
    refused("'pose' of a bone: { t =, q =, s = } expected, got number", bone, "pose", 1)
    refused("no field 'length' in bone", bone, "length", 1)
    refused("no field '4' in a vector of 3 numbers", bone.pose.t, 4, 1)
    refused("no field 'tail' in a bone", rig.bones, 1, { tail = 1 })
    refused("'3' of skeleton.bones cannot be set: change skeleton.source, objects[3]", rig.bones, 3, {})
    refused("'Root' of skeleton.bones cannot be set: change skeleton.source, objects[3]", rig.bones, "Root", {})
    rig.source.reference_pose:remove(2)
    raises("objects[3].reference_pose at 0x398: 1 of them: bone 1 has none (hkaSkeleton)", assign, rig.bones[2].pose.t,
      1, 1)
  end)

  it("says what to change where a skeleton is worked out", function()
    local doc = open "phxbn"
    local bone = doc.skeletons[1].bones[1]
    raises("'t' of a bone cannot be set: it is computed; change skeleton.source, the document", assign, bone.pose, "t",
      { 1, 2, 3 })
    raises("'q' of a bone cannot be set: it is computed; change skeleton.source, the document", assign, bone.pose.q, 1,
      0)
    raises("'name' of a bone cannot be set: it is computed; change skeleton.source, the document", assign, bone, "name",
      "x")
    assert.is_false(doc.modified)
  end)
end)

describe("many bones", function()
  local sample = require "sample_hkx"

  local function seconds(n)
    local doc = assert(lathe.parse((sample.skeleton { game = "skyrim-se", bones = n })))
    local bones = doc.skeletons[1].bones
    local start = os.clock()
    for i = 1, n do bones[i].pose.t.x = i end
    local sum = 0
    for _, bone in ipairs(bones) do sum = sum + bone.pose.t.x end
    for i = 1, n - 1 do assert(bones["Bone" .. i].parent) end
    assert.equal(n * (n + 1) / 2, sum)
    return os.clock() - start
  end

  it("take time that grows with their number", function()
    seconds(100)
    local few, many = math.huge, math.huge
    for _ = 1, 3 do
      few, many = math.min(few, seconds(1000)), math.min(many, seconds(8000))
    end
    assert.is_true(many < 24 * few + 0.05, ("%.3f s for 1,000 bones, %.3f s for 8,000"):format(few, many))
  end)
end)

describe("finalizers while bones are used", function()
  it("may close the document or change it", function()
    for _, act in ipairs { "close", "shrink" } do
      local doc = open "hkx"
      local rig = doc.skeletons[1]
      collectgarbage "generational"
      for i = 1, 200 do
        setmetatable({}, { __gc = function()
          if act == "close" then doc:close() elseif i % 7 == 0 then rig.source.bones:resize(1) end
        end })
        local ok = pcall(function()
          rig.bones[2].pose.t = { i, i, i }
          rig.bones.Bone1.name = "Bone1"
          return lathe.totable(rig.bones), rig.bones[2].pose.q.x, tostring(rig.bones[2])
        end)
        if not ok and act == "close" then break end
      end
      collectgarbage "incremental"
    end
  end)
end)
