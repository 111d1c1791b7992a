-- What skeletons and animations tell in tables, and what they were read from.

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

describe("float slots", function()
  it("are copies, which cannot be changed", function()
    local doc = open "hkx"
    local slots = doc.skeletons[1].float_slots
    assert.equal("copy", lathe.type(slots))
    assert.equal("table", type(slots))
    assert.equal("lathe.Copy", getmetatable(slots))
    assert.is_false(pcall(setmetatable, slots, nil))
    assert.equal(1, #slots)
    assert.same({ "blink" }, lathe.totable(slots))
    local seen = {}
    for i, name in pairs(slots) do seen[i] = name end
    assert.same({ "blink" }, seen)
    raises("'1' of skeleton.float_slots cannot be set: it is a copy; change skeleton.source, objects[3]", assign,
      slots, 1, "x")
    raises("bad argument #1 to 'path' (view or document expected, got lathe.Copy)", function() lathe.path(slots) end)
    raises("bad argument #1 to '?' (lathe.Copy expected, got table)", pairs(slots), {})
    assert.same({ '{ "blink" }' }, show.lines(slots))
    assert.same({ "blink" }, require("dkjson").decode(lathe.tree.to_json(slots)))
    assert.is_false(doc.modified)
    doc:close()
    assert.equal("blink", slots[1])
  end)
end)

describe("an assignment", function()
  it("to what follows from elsewhere names that", function()
    local doc = open "hkx"
    raises("'name' of a skeleton cannot be set; change its source, objects[3]", assign, doc.skeletons[1], "name", "x")
    raises("'duration' of an animation cannot be set; change its source, objects[4]", assign, doc.animations[1],
      "duration", 1)
    raises("'name' of an animation cannot be set; change its source, the document", assign, open("anm").animations[1],
      "name", "x")
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
