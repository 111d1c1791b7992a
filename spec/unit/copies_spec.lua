-- What skeletons and animations tell in tables: copies that cannot be changed, and what they were read from.

local complete = require "lathe.repl.complete"
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
  assert.equal("string", type(err))
  assert.equal(message, (err:gsub("^[^ ]*:%d+: ", "")))
end

local function assign(t, key, value) t[key] = value end

describe("copies", function()
  local bones = open("hkx").skeletons[1].bones
  local plain = {
    { name = "Root", parent = -1, pose = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
    { name = "Bone1", parent = 0, pose = { t = { 0, 0, 1 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
  }

  it("read like tables", function()
    assert.equal("copy", lathe.type(bones))
    assert.equal("copy", lathe.type(bones[2].pose.t))
    assert.equal("table", type(bones))
    assert.is_nil(lathe.type(plain))
    assert.equal(2, #bones)
    assert.equal("Bone1", bones[2].name)
    assert.is_nil(bones[3])
    assert.is_nil(bones[2].mirror)
    assert.is_nil(bones.name)
    assert.equal(bones[2], bones[2])
    assert.equal("0.0 0.0 1.0", table.concat(bones[2].pose.t, " "))
    assert.same({ 0, 0, 1 }, { table.unpack(bones[2].pose.t) })
    local seen = {}
    for i, bone in ipairs(bones) do seen[i] = bone.name end
    for i, bone in pairs(bones) do seen[i] = seen[i] .. bone.parent end
    for key, value in pairs(bones[2]) do seen[key] = lathe.type(value) or value end
    assert.same({ "Root-1", "Bone10", name = "Bone1", parent = 0, pose = "copy" }, seen)
  end)

  it("become tables that can be changed", function()
    assert.same(plain, lathe.totable(bones))
    local own = lathe.totable(bones)
    own[1].pose.t[3], own[3] = 99, {}
    assert.same(plain, lathe.totable(bones))
    assert.same(plain[2].pose, lathe.totable(bones[2].pose))
  end)

  it("are taken where tables are", function()
    local anim = open("hkx").animations[1]
    local wanted = anim:decode { skeleton = plain }:totable()
    for _, skeleton in ipairs { bones, { bones = bones }, { bones[1], bones[2] }, { plain[1], bones[2] } } do
      assert.same(wanted, anim:decode { skeleton = skeleton }:totable())
    end
    assert.equal(3, #lathe.buffer("f32", 1, 3, bones[2].pose.t))
    assert.same({ 0, 0, 0, 1, 0, 0, 0, 1 },
      lathe.buffer("f64", 2, 4, { bones[1].pose.q, bones[2].pose.q }):totable())
    local doc = open "solid"
    doc.vertices = { bones[2].pose.t }
    assert.same({ 0, 0, 1 }, { doc.vertices[1].x, doc.vertices[1].y, doc.vertices[1].z })
    raises("bad argument #1 to 'decode' (no option '1')", function() anim:decode(bones) end)
  end)

  it("are no records", function()
    raises("bad argument #1 to 'path' (view or document expected, got lathe.Copy)", function() lathe.path(bones) end)
    raises("bad argument #1 to '?' (lathe.Copy expected, got table)", pairs(bones), plain)
    assert.equal("lathe.Copy", getmetatable(bones))
    assert.is_false(pcall(setmetatable, bones, nil))
  end)

  it("are shown and written as JSON", function()
    assert.same({
      '  [1] = { name = "Root", parent = -1, pose = { q = { 0.0, 0.0, 0.0, 1.0 }, s = { 1.0, 1.0, 1.0 }, '
        .. "t = { 0.0, 0.0, 0.0 } } }",
      '  [2] = { name = "Bone1", parent = 0, pose = { q = { 0.0, 0.0, 0.0, 1.0 }, s = { 1.0, 1.0, 1.0 }, '
        .. "t = { 0.0, 0.0, 1.0 } } }",
    }, show.lines(bones))
    local doc = open "hkx"
    local notes = doc.animations[1].annotations
    assert.same({
      '  [1] = { source = -> objects[4].annotation_tracks[2].annotations[1], text = "FootLeft", time = 0.25, track = 1 }',
      '  [2] = { source = -> objects[4].annotation_tracks[1].annotations[1], text = "FootRight", time = 0.75, track = 0 }',
    }, show.lines(notes))
    local json = require "dkjson"
    assert.same(plain, json.decode(lathe.tree.to_json(bones)))
    assert.same(plain, json.decode(lathe.tree.to_json { bones = bones }).bones)
    local written = {
      { source = "objects[4].annotation_tracks[2].annotations[1]", text = "FootLeft", time = 0.25, track = 1 },
      { source = "objects[4].annotation_tracks[1].annotations[1]", text = "FootRight", time = 0.75, track = 0 },
    }
    assert.same(written, json.decode(lathe.tree.to_json(notes)))
    assert.same(written, json.decode(lathe.tree.to_json { notes = notes }).notes)
    assert.is_false(pcall(lathe.tree.to_json, { print }))
    doc:close()
    assert.equal("  [1] = { source = hkaAnnotationTrackAnnotation (document is closed), text = \"FootLeft\", "
      .. "time = 0.25, track = 1 }", show.lines(notes)[1])
  end)

  it("are completed at the prompt", function()
    local env = { doc = open "hkx" }
    local function words(line) return complete.words(line, 1, #line, env) end
    assert.same({ "doc.skeletons[1].bones[1].name", "doc.skeletons[1].bones[1].parent", "doc.skeletons[1].bones[1].pose" },
      words "doc.skeletons[1].bones[1].")
    assert.same({ "doc.skeletons[1].source.name" }, words "doc.skeletons[1].source.na")
    assert.same({ "doc.animations[1].annotations[1].source" }, words "doc.animations[1].annotations[1].s")
    assert.same({}, words "doc.skeletons[1].bones:")
  end)
end)

describe("an assignment to a copy", function()
  it("names the record that was read", function()
    local doc = open "hkx"
    local rig, anim = doc.skeletons[1], doc.animations[1]
    for _, t in ipairs { rig.bones, rig.bones[1].pose.t } do
      raises("'3' of skeleton.bones cannot be set: it is a copy; change skeleton.source, objects[3]", assign, t, 3, 99)
    end
    raises("'pose' of skeleton.bones cannot be set: it is a copy; change skeleton.source, objects[3]", assign,
      rig.bones[1], "pose", {})
    raises("'1' of skeleton.float_slots cannot be set: it is a copy; change skeleton.source, objects[3]", assign,
      rig.float_slots, 1, "x")
    raises("'1' of anim.annotations cannot be set: it is a copy; change anim.source, objects[4]", assign,
      anim.annotations, 1, { text = "x" })
    raises("'3' of anim.annotations cannot be set: it is a copy; change anim.source, objects[4]", table.insert,
      anim.annotations, { text = "x" })
    raises("'text' of anim.annotations cannot be set: it is a copy; change its source, "
      .. "objects[4].annotation_tracks[2].annotations[1]", assign, anim.annotations[1], "text", "x")
    raises("'name' of a skeleton cannot be set; change its source, objects[3]", assign, rig, "name", "x")
    raises("'duration' of an animation cannot be set; change its source, objects[4]", assign, anim, "duration", 1)
    assert.is_false(doc.modified)
    local notes = anim.annotations
    doc:close()
    raises("'text' of anim.annotations cannot be set: it is a copy; change anim.source, objects[4]", assign, notes[1],
      "text", "x")
  end)

  it("names the document where that was read", function()
    raises("'x' of skeleton.bones cannot be set: it is a copy; change skeleton.source, the document", assign,
      open("phxbn").skeletons[1].bones[1], "x", 1)
    local anim = open("anm").animations[1]
    raises("'2' of anim.annotations cannot be set: it is a copy; change anim.source, the document", assign,
      anim.annotations, 2, nil)
    raises("'time' of anim.annotations cannot be set: it is a copy; change its source, frames[1].events[2]", assign,
      anim.annotations[2], "time", 1)
    raises("'name' of an animation cannot be set; change its source, the document", assign, anim, "name", "x")
  end)
end)

describe("sources", function()
  it("are there in each format that has skeletons or animations", function()
    local skeletons, notes = {}, {}
    for format in pairs(bytes) do
      local doc = open(format)
      for _, rig in ipairs(doc.skeletons) do skeletons[format] = lathe.type(rig.source) end
      for _, anim in ipairs(doc.animations) do
        for _, note in ipairs(anim.annotations) do notes[format] = lathe.type(note.source) end
      end
    end
    assert.same({ hkx = "hkaSkeleton", phxbn = "phxbn" }, skeletons)
    assert.same({ hkx = "hkaAnnotationTrackAnnotation", anm = "anm_event" }, notes)
  end)

  it("are what is stored, whatever the order of the list", function()
    local doc = open "hkx"
    local anim, rig = doc.animations[1], doc.skeletons[1]
    assert.equal(doc.objects[3], rig.source)
    assert.equal(doc.objects[4].annotation_tracks[2].annotations[1], anim.annotations[1].source)
    anim.annotations[1].source.time = 0.875
    anim.annotations[2].source.text = "a longer text than it was"
    rig.source.reference_pose[1].translation.z = 99
    assert.equal(doc.objects[4].annotation_tracks[1].annotations[1], anim.annotations[1].source)
    assert.equal("a longer text than it was", anim.annotations[2].text)
    assert.equal(0.875, anim.annotations[2].time)
    assert.same({ 0, 0, 99 }, lathe.totable(rig.bones[1].pose.t))
    local rigged = open "phxbn"
    assert.equal(rigged, rigged.skeletons[1].source)
  end)
end)
