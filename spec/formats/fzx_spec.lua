-- Ragdoll volumes of Overgrowth. What every format must prove is in format_checks; here is what only
-- this one has: a footer that follows from the length, and labels with a grammar.

local checks = require "format_checks"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_fzx"

local message, refuses = outcome.message, outcome.refuses

local function two(options)
  return checks.open("fzx", sample.two, options)
end

-- A document with one object of this label, and the object.
local function labelled(label, options)
  local doc = assert(lathe.new("fzx", { objects = { { label = label } } }, options))
  return doc.objects[1], doc
end

checks.describe_format {
  format = "fzx",
  samples = sample,
  follows = { "footer.size" },
  computed = {
    ["fzx_object.part"] = { "head", "thigh", "tail6" },
    ["fzx_object.side"] = { "l", "r" },
    ["fzx_object.shape"] = { "capsule", "box", "sphere" },
    ["fzx_object.mirrored"] = { true, false },
  },
}

describe("fzx", function()
  it("reads what the hex says", function()
    local doc <close> = two()
    assert.same({ "fzx", "Overgrowth", 145, 1, 2, 138 },
      { doc.format, doc.game, doc.size, doc.version, doc.object_count, doc.footer.size })
    local o = doc.objects[1]
    assert.equal("L UpperArm Capsule ", o.label)
    assert.equal("m sphere xyz R ", doc.objects[2].label)
    assert.same({ 1, 0.5, -0.25 }, { o.rotation.w, o.rotation.x, o.rotation.y })
    assert.same({ 1, 0.5, -0.25 }, { o.rotation[1], o.rotation[2], o.rotation[3] }, "w comes first")
    assert.same({ x = 2, y = 3, z = 4 }, o.scale:totable())
    assert.equal("-0.0", tostring(doc.objects[2].rotation.z))
    assert.equal(1.40129846432481707e-45, doc.objects[2].location.z)
  end)

  it("is recognised by its mark, whatever the file is called", function()
    local doc <close> = assert(lathe.parse(sample.two, { path = "Box.solid" }))
    assert.equal("fzx", doc.format)
  end)

  it("keeps bytes in front of the footer when objects come and go", function()
    local doc <close> = checks.open("fzx", sample.odd)
    assert.equal("\xDE\xAD\xBE\xEFF", doc.trailing)
    doc.objects:append { label = "Head Sphere" }
    assert.equal(65 + 55, doc.footer.size)
    assert.equal("\xDE\xAD\xBE\xEFF\x78\0\0\0FZX", doc:encode():sub(-12))
    doc.objects:resize(0)
    assert.equal(16 + 5 + 7, doc.size)
    assert.same({ 21, 0 }, { doc.footer.size, doc.object_count })
  end)

  describe("making", function()
    it("writes mark, version, counts and footer by itself", function()
      local doc <close> = assert(lathe.new("fzx"))
      assert.equal(sample.empty, doc:encode())
      local one <close> = assert(lathe.new("fzx", { objects = { { label = "Head Box", rotation = { w = 1 } } } }))
      assert.same({ 1, 16 + 52, 16 + 52 + 7 }, { one.object_count, one.footer.size, one.size })
      assert.same({ w = 1, x = 0, y = 0, z = 0 }, one.objects[1].rotation:totable())
    end)

    it("takes words instead of a label", function()
      local doc <close> = assert(lathe.new("fzx", {
        objects = { { part = "upperarm", side = "l", shape = "capsule", mirrored = true } },
      }))
      assert.equal("L Upperarm Capsule M", doc.objects[1].label)
    end)

    it("refuses what is no fzx, by name", function()
      local cases = {
        { { object = {} }, "fzx at 0x0: no field 'object' in fzx; did you mean 'objects'?" },
        { { objects = { { lable = "" } } }, "objects[1] at 0x10: no field 'lable' in fzx_object; did you mean 'label'?" },
        { { objects = { { label = ("x"):rep(256) } } },
          "objects[1].label at 0x10: 256 bytes of text, more than the limit of 255" },
        { { objects = { { label = 5 } } }, "objects[1].label at 0x10: a string expected" },
        { { objects = { { scale = 2 } } }, "objects[1].scale at 0x30: vec3 expected" },
        { { objects = { {}, { scale = { 1, 2, 3, 4 } } } }, "objects[2].scale at 0x5c: vec3 has 3 numbers, got 4" },
        { { version = 2 }, "version at 0x8: version 2, only 1 is known" },
        { { object_count = 1, objects = {} }, "object_count at 0xc: does not agree: objects has 0" },
        { { objects = { { part = "nose" } } }, "objects[1].part at 0x10: 'nose' is none of eartip, earbase, "
          .. "upperarm, forearm, thigh, shin, foot, head, chest, abdomen, hip, tail1, tail2, tail3, tail4, "
          .. "tail5, tail6" },
      }
      for _, case in ipairs(cases) do assert.equal(case[2], message(lathe.new("fzx", case[1]))) end
    end)
  end)

  describe("edits", function()
    it("refuse wrong values, naming place and field, and change nothing", function()
      local doc <close> = two()
      local o = doc.objects[2]
      local function set(place, field, value)
        return function() place[field] = value end
      end
      refuses(doc, "version: read-only: there is only version 1", set(doc, "version", 2))
      refuses(doc, "mark: read-only: the game refuses any other", set(doc, "mark", "FZX"))
      refuses(doc, "object_count: read-only: resize objects instead", set(doc, "object_count", 1))
      refuses(doc, "footer.size: read-only: it follows from the length of the file", set(doc.footer, "size", 1))
      refuses(doc, "footer.end_mark: read-only: the game refuses any other", set(doc.footer, "end_mark", "fzx"))
      refuses(doc, "objects[2].label: a string expected", set(o, "label", 5))
      refuses(doc, "objects[2].part: a string or false expected", set(o, "part", 5))
      refuses(doc, "objects[2].mirrored: true or false expected", set(o, "mirrored", "yes"))
      refuses(doc, "sample.fzx: objects[2].shape at 0x4f: 'head' is none of capsule, box, sphere",
        set(o, "shape", "head"))
      refuses(doc, "sample.fzx: objects[2].side at 0x4f: 'left' is none of l, r", set(o, "side", "left"))
      refuses(doc, "objects[2].rotation.w: f32 expected, got a string", set(o.rotation, "w", "1"))
      refuses(doc, "objects[3]: no field 'lable' in fzx_object; did you mean 'label'?",
        set(doc.objects, 3, { lable = "x" }))
      refuses(doc, "sample.fzx: objects[2].label at 0x4f: 256 bytes of text, more than the limit of 255",
        set(o, "label", ("x"):rep(256)))
      o.label = ("x"):rep(255)
      refuses(doc, "sample.fzx: objects[2].label at 0x4f: the label would be longer than 255 bytes",
        set(o, "side", "l"))
    end)

    it("keep the footer right and let held views follow", function()
      local doc <close> = two { history = 10 }
      local second, footer = doc.objects[2], doc.footer
      local rotation = second.rotation
      doc.objects[1].label = "Head"
      assert.same({ 123, 123 }, { footer.size, #doc:encode() - 7 })
      local new = doc.objects:insert(1, { label = "Chest Box", scale = { 1, 2, 3 } })
      assert.same({ "Chest Box", 3 }, { new.label, new.scale.z })
      assert.equal("objects[3].rotation", lathe.path(rotation))
      assert.same({ 3, 176 }, { doc.object_count, footer.size })
      assert.equal("m sphere xyz R ", second.label)
      local gone = doc.objects:remove(3)
      assert.equal("m sphere xyz R ", gone.label)
      refuses(doc, "fzx_object was removed", function() return second.label end)
      refuses(doc, "quat_wxyz was removed", function() rotation.w = 1 end)
      assert.is_true(doc:undo(3))
      assert.equal(sample.two, doc:encode())
      assert.equal("objects[2].rotation", lathe.path(rotation))
      assert.is_true(doc:redo(3))
      assert.equal(2, #doc.objects)
    end)

    it("copy objects within a document and between two", function()
      local doc <close> = two()
      local other <close> = checks.open("fzx", sample.empty)
      other.objects:append(doc.objects[2])
      other.objects:append(other.objects[1])
      checks.same(doc.objects[2]:totable(), other.objects[2]:totable())
      doc.objects[1] = doc.objects[2]
      assert.equal(doc:encode():sub(17, 75), doc:encode():sub(76, 134))
      doc.objects = other.objects
      assert.equal(other:encode(), doc:encode())
      doc.objects:assign { { label = "Head Box" } }
      checks.same({ w = 1.0, x = 0.0, y = 0.0, z = 0.0 }, doc.objects[1].rotation:totable())
    end)

    it("are one step in doc:edit, or none", function()
      local doc <close> = two { history = 1 }
      refuses(doc, "no", function()
        doc:edit(function()
          for i = 1, 900 do doc.objects:append { label = ("x"):rep(i % 200) } end
          doc.objects:remove(1)
          doc.trailing = "tail"
          error("no", 0)
        end)
      end)
      assert.is_false(doc.modified)
    end)
  end)

  it("check finds what the game would trip over", function()
    local objects = {}
    for _, label in ipairs { "Head", "Sphere", "Thigh Box", "Chest Box M", "L Foot Box M" } do
      objects[#objects + 1] = { label = label }
    end
    for _ = 1, 5 do objects[#objects + 1] = { label = "R FOOT SPHERE" } end
    objects[6].scale = { 0 / 0, 1, 1 }
    local doc <close> = assert(lathe.new("fzx", { objects = objects, trailing = "??" }))
    local fine, list = doc:check()
    assert.is_true(fine)
    local texts = {}
    for i, finding in ipairs(list) do texts[i] = finding.level .. " " .. finding.where .. ": " .. finding.message end
    table.sort(texts)
    assert.same({
      "warning objects[10].label: volume 6 on r foot: the game has room for 5 a bone",
      "warning objects[1].label: no shape in the label: the game ignores the object",
      "warning objects[2].label: no body part in the label: the game ignores the object",
      "warning objects[3].label: thigh needs a side: the game ignores the object",
      "warning objects[4].label: M on the central part chest: the game flips the volume in place and fails",
      "warning objects[6].scale.x: not a finite number",
      "warning trailing: 2 bytes between the last object and the footer, which the game ignores",
    }, texts)
  end)
end)

describe("fzx labels", function()
  it("are read as the game reads them: any order and case, the last word of a kind wins", function()
    -- luacheck: ignore 211/doc
    local cases = { -- label, part, side, shape, mirrored
      { "L UpperArm Capsule", "upperarm", "l", "capsule", false },
      { "capsule UPPERARM l", "upperarm", "l", "capsule", false },
      { "m sphere head", "head", nil, "sphere", true },
      { "R L Foot Shin Box Sphere", "shin", "l", "sphere", false },
      { "M Head Box", "head", nil, "box", true },
      { "", nil, nil, nil, false },
      { "   ", nil, nil, nil, false },
      { "Head  Sphere", "head", nil, "sphere", false },
      { " Head Sphere ", "head", nil, "sphere", false },
      { "Head\tSphere", nil, nil, nil, false },
      { "Head Sphere.001", "head", nil, nil, false },
      { "Head Sphere .001", "head", nil, "sphere", false },
      { "Heads Sphere", nil, nil, "sphere", false },
      { "T\xC3\xAAte Head Sphere", "head", nil, "sphere", false },
      { "tail6 Capsule Tail7", "tail6", nil, "capsule", false },
      { "Head\0 Sphere", nil, nil, "sphere", false },
      { "left head", "head", nil, nil, false },
    }
    for _, case in ipairs(cases) do
      local o, doc <close> = labelled(case[1])
      assert.same({ case[2] or false, case[3] or false, case[4] or false, case[5] },
        { o.part or false, o.side or false, o.shape or false, o.mirrored }, ("%q"):format(case[1]))
      local shown = {}
      for name in pairs(o) do shown[name] = true end
      assert.equal(case[2] ~= nil, shown.part or false)
    end
  end)

  it("know every word of the reference", function()
    local parts = { "eartip", "earbase", "upperarm", "forearm", "thigh", "shin", "foot", "head", "chest", "abdomen",
      "hip", "tail1", "tail2", "tail3", "tail4", "tail5", "tail6" }
    local o, doc <close> = labelled("nothing yet")  -- luacheck: ignore 211/doc
    for _, part in ipairs(parts) do
      o.label = part:upper()
      assert.equal(part, o.part)
      o.part = parts[1]
      o.part = part
      assert.equal(part:upper(), o.label)
    end
    for _, shape in ipairs { "capsule", "box", "sphere" } do
      o.shape = shape
      assert.equal(shape, o.shape)
    end
  end)

  it("are written word by word: the rest stays", function()
    local cases = { -- label, field, value, what it becomes
      { "L UpperArm Capsule", "part", "foot", "L Foot Capsule" },
      { "l upperarm capsule", "part", "foot", "l foot capsule" },
      { "L UPPERARM CAPSULE", "part", "foot", "L FOOT CAPSULE" },
      { "L UpperArm Capsule", "side", "r", "R UpperArm Capsule" },
      { "l upperarm capsule", "side", "r", "r upperarm capsule" },
      { "Capsule UpperArm", "side", "l", "L Capsule UpperArm" },
      { "L UpperArm", "shape", "box", "L UpperArm Box" },
      { "Head Sphere", "mirrored", true, "Head Sphere M" },
      { "M Head Sphere", "mirrored", false, "Head Sphere" },
      { "Head M Sphere m", "mirrored", false, "Head Sphere" },
      { "Head Sphere", "mirrored", false, "Head Sphere" },
      { "m Head Sphere", "mirrored", true, "m Head Sphere" },
      { "", "part", "head", "Head" },
      { "", "side", "l", "L" },
      { "Head", "part", false, "" },
      { "Head", "part", nil, "" },
      { "Foo  Head  Bar", "part", "hip", "Foo  Hip  Bar" },
      { "Foo  Head  Bar", "part", false, "Foo   Bar" },
      { " Head ", "part", "hip", " Hip " },
      { "R L Foot Box", "side", "r", "R R Foot Box" }, -- the last one counts
      { "R L Foot Box", "side", false, "Foot Box" },
      { "Foot Shin Box", "part", "thigh", "Foot Thigh Box" },
      { "Head Sphere.001", "shape", "box", "Head Sphere.001 Box" },
      { "T\xC3\xAAte Head Sphere", "part", "hip", "T\xC3\xAAte Hip Sphere" },
      { "Head Sphere", "part", "HEAD", "Head Sphere" },
      { "hEAD Sphere", "part", "head", "hEAD Sphere" },
    }
    for _, case in ipairs(cases) do
      local o, doc <close> = labelled(case[1])
      o[case[2]] = case[3]
      assert.equal(case[4], o.label, ("%q %s = %s"):format(case[1], case[2], case[3]))
      assert.equal(44 + 16 + #case[4], doc.footer.size)
    end
  end)

  it("take words only as long as 255 bytes hold them", function()
    local o, doc <close> = labelled(("x"):rep(250) .. " Box")
    refuses(doc, "objects[1].label at 0x10: the label would be longer than 255 bytes",
      function() o.part = "head" end)
    refuses(doc, "objects[1].label at 0x10: the label would be longer than 255 bytes",
      function() o.mirrored = true end)
    refuses(doc, "objects[1].label at 0x10: the label would be longer than 255 bytes",
      function() o.shape = "capsule" end)
    local p, other <close> = labelled(("x"):rep(250))
    p.part = "head"
    assert.equal(255, #p.label)
    assert.equal(255 + 60, other.footer.size)
  end)
end)

describe("fzx scale", function()
  it("by a power of two and back is bit-exact", function()
    for _, s in ipairs { 2, 0.25, 2 ^ 100 } do
      local doc <close> = two()
      doc.objects[2].scale.y, doc.objects[2].location.z = 8, 0 -- they would not come back
      local before = doc:encode()
      assert.same({ changed = 2, skipped = {} }, doc:scale(s))
      assert.same({ 10 * s, 4 * s, 0.5 }, { doc.objects[1].location.x, doc.objects[1].scale.z,
        doc.objects[1].rotation.x })
      doc:scale(1 / s, { what = "collision" })
      assert.equal(before, doc:encode())
    end
  end)

  it("is refused where a number would not fit, and changes nothing then", function()
    local doc <close> = two()
    assert.truthy(message(doc:scale(2)):find("^sample%.fzx: objects%[2%]%.scale%.y at 0x[%x]+: .* does not fit into f32$"))
    assert.equal(sample.two, doc:encode())
    assert.is_false(doc.modified)
    assert.equal("cannot scale by 0: a finite number above 0 expected", message(doc:scale(0)))
    assert.has_error(function() doc:scale {} end, "scale needs 'factor': a number or a list of three")
    assert.equal("different factors scale collision of Fallout 4 alone",
      message(doc:scale({ 1, 1, 2 }, { what = "collision" })))
  end)

  it("touches collision alone", function()
    local doc <close> = two()
    for _, what in ipairs { "geometry", "skeleton", "animation" } do
      assert.same({ changed = 0, skipped = {} }, doc:scale(2, { what = what }))
    end
    assert.equal("'what' of scale is one of all, collision, geometry, skeleton, animation",
      message(doc:scale(2, { what = "everything" })))
    assert.equal(sample.two, doc:encode())
  end)
end)

describe("fzx mirror", function()
  it("turns volumes and sides, and turns them back to the same bytes", function()
    local doc <close> = two({ history = 5 })
    assert.same({ changed = 2, skipped = {} }, doc:mirror())
    local a, b = doc.objects[1], doc.objects[2]
    assert.same({ "R UpperArm Capsule ", "m sphere xyz L " }, { a.label, b.label })
    assert.same({ -10, -5, 0.5, 0.25, 2 }, { a.location.x, a.location.y, a.rotation.x, a.rotation.y, a.scale.x })
    assert.equal("0.0", tostring(b.rotation.z))
    doc:mirror()
    assert.equal(sample.two, doc:encode())
    local odd <close> = checks.open("fzx", sample.odd)
    odd:mirror()
    odd:mirror()
    assert.equal(sample.odd, odd:encode())
  end)

  it("keeps the case of words, and all that is none", function()
    local cases = { ["l  R\tl thigh L"] = "r  R\tl thigh R", M = "M", ["left r.001 r"] = "left r.001 l", [""] = "",
      ["Tail1 l"] = "Tail1 r" }
    for label, turned in pairs(cases) do
      local object, doc = labelled(label)
      doc:mirror()
      assert.equal(turned, object.label)
      doc:mirror()
      assert.equal(label, object.label)
      doc:close()
    end
  end)
end)

describe("fzx rename", function()
  it("gives whole labels another name", function()
    local doc <close> = assert(lathe.new("fzx", { objects = { { label = "Head Box" }, { label = "Head" }, {} } }))
    assert.same({ changed = 1, skipped = {} }, doc:rename("Head", "Head Sphere"))
    assert.same({ changed = 1, skipped = {} }, doc:rename("", "x", { what = "labels" }))
    assert.same({ changed = 0, skipped = {} }, doc:rename("x", "y", { what = "bones" }))
    assert.same({ "Head Box", "Head Sphere", "x" },
      { doc.objects[1].label, doc.objects[2].label, doc.objects[3].label })
    assert.equal(doc.size - 7, doc.footer.size)
    assert.truthy(message(doc:rename("x", ("y"):rep(256))):find("more than the limit of 255", 1, true))
    assert.has_error(function() doc:rename "x" end, "rename needs 'to': a string")
  end)
end)

describe("fzx against a skeleton", function()
  -- Bone i hangs on bone i - 1.
  local function spine(bones, chains)
    local fields = { rigging_stage = 1, points = { {}, {} }, bones = {}, ik_bones = chains }
    for i = 1, bones do fields.bones[i] = { ends = { 0, 1 }, parent = i - 2, hier_parent = i - 2 } end
    return assert(lathe.new("phxbn", fields))
  end

  local function says(label, skeleton)
    local object, doc = labelled(label)
    local texts = {}
    local _, list = doc:check { skeleton = skeleton }
    for i, f in ipairs(list) do texts[i] = ("%s %s: %s"):format(f.level, f.where or "", f.message) end
    assert(object)
    doc:close()
    return texts
  end

  it("needs the IK bones that its labels name", function()
    local rig <close> = spine(7, { { bone_id = 5, chain_length = 6, name = "leftarm" },
      { bone_id = 4, chain_length = 5, name = "rightarm" }, { bone_id = 6, chain_length = 3, name = "tail" },
      { bone_id = 9, chain_length = 1, name = "head" }, { bone_id = 0, chain_length = 1, name = "head" } })
    local function lacks(label, name)
      return ("error objects[1].label: '%s' needs the IK bone '%s', which the skeleton does not have"):format(label, name)
    end
    local function short(label, name)
      return ("error objects[1].label: '%s' needs more bones than the IK bone '%s' of the skeleton has"):format(label, name)
    end
    local cases = {
      { "L UpperArm Box", {} }, { "R forearm box", {} }, { "R UpperArm Box", { short("R UpperArm Box", "rightarm") } },
      { "L upperarm box m", { short("L upperarm box m", "rightarm") } },
      { "L foot box M", { lacks("L foot box M", "left_leg"), lacks("L foot box M", "right_leg") } },
      { "Tail1 Box", {} }, { "Tail3 Box", {} }, { "Tail4 Box", { short("Tail4 Box", "tail") } },
      { "Head Box", {} },                         -- the last of that name counts
      { "Hip Sphere", { lacks("Hip Sphere", "torso") } },
    }
    for _, case in ipairs(cases) do assert.same(case[2], says(case[1], rig)) end
    assert.same({ "warning objects[1].label: no shape in the label: the game ignores the object" }, says("Hip", rig))
  end)

  it("also takes a skeleton, and nothing else", function()
    local rig <close> = spine(1, { { bone_id = 0, name = "head" } })
    assert.same({}, says("Head Box", rig.skeletons[1]))
    for _, wrong in ipairs { two(), 5, "x", rig.points, {} } do
      assert.same({ "error : the skeleton to compare with is no document of a .phxbn" }, says("Head Box", wrong))
    end
  end)
end)
