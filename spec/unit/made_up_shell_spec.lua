-- Skeletons and animations at the prompt.

local complete = require "lathe.repl.complete"
local lathe = require "lathe.core"
local show = require "lathe.repl.show"

local function moves(clips)
  local keys = {}
  for i = 1, 20 do keys[i] = 0 end
  local list = {}
  for i = 1, clips or 1 do
    list[i] = { frame_count = 2, bones = { 0 }, length = 0.5, title = "n" .. i, keys = keys,
      notes = { { text = "hit" } } }
  end
  return assert(lathe.new("moves", { bones = { { name = "root" } }, clips = list }))
end

describe("completion", function()
  local env = { doc = moves() }

  local function words(line)
    return complete.words(line, 1, #line, env)
  end

  it("knows what animations and skeletons have", function()
    assert.same({ "doc.animation_files", "doc.animations" }, words "doc.an")
    assert.same({ "doc.skeletons" }, words "doc.sk")
    assert.same({ "doc.animations[1].tracks" }, words "doc.animations[1].tr")
    assert.same({ "doc.skeletons[1].bones", "doc.skeletons[1].float_slots", "doc.skeletons[1].name",
      "doc.skeletons[1].source" }, words "doc.skeletons[1].")
    assert.same({ "doc.animations[1].tracks[1].bone", "doc.animations[1].tracks[1].bone_index" },
      words "doc.animations[1].tracks[1].")
    assert.same({}, words "doc.animations.")
  end)

  it("knows methods, and the verbs of the source", function()
    assert.same({ "doc.animations[1]:axes", "doc.animations[1]:decode", "doc.animations[1]:decode_floats",
      "doc.animations[1]:reverse", "doc.animations[1]:sample", "doc.animations[1]:sample_floats",
      "doc.animations[1]:times" }, words "doc.animations[1]:")
    assert.same({ "doc.animations[1].tracks[1]:sample", "doc.animations[1].tracks[1]:set" },
      words "doc.animations[1].tracks[1]:")
    assert.same({ "doc.skeletons[1]:space" }, words "doc.skeletons[1]:")
    assert.same({}, words "doc.animations:")
  end)

  it("knows all fields and methods that there are", function()
    local anim = env.doc.animations[1]
    for name in pairs(anim) do
      assert.same({ "doc.animations[1]." .. name },
        { table.unpack(words("doc.animations[1]." .. name), 1, 1) })
    end
  end)
end)

describe("results", function()
  it("show an animation's fields", function()
    local anim = moves().animations[1]
    assert.same({
      'animation "n1": 0.5 s, 2 frames, 1 track',
      '  name         = "n1"',
      "  duration     = 0.5",
      "  frame_count  = 2",
      "  looping      = false",
      "  absolute     = false",
      "  tracks       = 1 track",
      "  float_tracks = 0 float tracks",
      "  annotations  = 1 annotation",
      "  source       = " .. tostring(anim.source),
    }, show.lines(anim))
  end)

  it("show skeletons, tracks and lists", function()
    local doc = moves(12)
    assert.same({ 'skeleton "rig": 1 bone', '  name   = "rig"', "  bones  = 1 bone", "  source = " .. tostring(doc) },
      show.lines(doc.skeletons[1]))
    assert.same({ 'track 1: bone 0 "root"', '  bone       = "root"', "  bone_index = 0" },
      show.lines(doc.animations[1].tracks[1]))
    local lines = show.lines(moves(23).animations, { width = 100, source = "doc.animations" })
    assert.equal("23 animations", lines[1])
    assert.equal("        name   duration [s]  frame_count  looping  absolute  tracks  float_tracks  annotations", lines[2])
    assert.equal('  [1]   "n1"            0.5            2  false    false          1             0            1', lines[3])
    assert.equal("  ... 3 more: dump(doc.animations) prints all", lines[#lines])
    assert.equal(23, #lines)
    assert.equal(24, #show.lines(moves(22).animations))
    lines = show.lines(moves(23).animations, { all = true })
    assert.equal('  [23]  "n23"', lines[#lines]:match '^  %[23%]  "n23"')
    assert.equal(25, #lines)
    assert.same({ "0 skeletons" }, show.lines(assert(lathe.new("pack")).skeletons))
  end)

  it("show a report with all that was skipped", function()
    assert.same({ "{ changed = 2, skipped = {} }" }, show.lines { changed = 2, skipped = {} })
    local skipped = {}
    for i = 1, 14 do skipped[i] = { path = ("frames[%d].ik_bones"):format(i), reason = "dropped" } end
    local lines = show.lines { changed = 2, skipped = skipped }
    assert.same({ "{", "  changed = 2,", "  skipped = {",
      '    { path = "frames[1].ik_bones", reason = "dropped" },' }, table.move(lines, 1, 4, 1, {}))
    assert.same({ "    ... 2 more", "  }", "}" }, table.move(lines, #lines - 2, #lines, 1, {}))
    local single = string.unpack("<f", string.pack("<f", 0.1))
    assert.same({ "{ 0.2, 1.0, 1e+300, 0.100000001 }" }, show.lines { 0.2, 1.0, 1e300, single })
  end)

  it("show bones and annotations a line each", function()
    local anim = moves().animations[1]
    assert.same({ "1 annotation", "       time [s]  text   track", '  [1]         0  "hit"      0' },
      show.lines(anim.annotations))
    assert.same({ "1 bone", "       name    parent  t      q        turn [degrees about x y z]  s",
      '  [1]  "root"  -       0 0 0  0 0 0 0  - - -                       0 0 0' }, show.lines(moves().skeletons[1].bones))
  end)
end)
