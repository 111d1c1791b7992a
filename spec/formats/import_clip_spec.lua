-- lathe.import of clips and skeletons, from files put together here, and what lathe.export made of the corpus.

local apply = require "lathe.import.apply"
local clip = require "lathe.export.clip"
local clip_glb = require "clip_glb"
local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"

local near = outcome.near
local HALF = math.sqrt(0.5)

local folder

local function import(json, bin, opts)
  local path = helper.write(folder .. "/a.glb", clip_glb.pack(json, bin))
  opts = opts or {}
  opts.what = opts.what or "clips"
  return lathe.import(path, opts)
end

-- One lane of a track, frame by frame.
local function lane(one, track, first, last)
  local out = {}
  for frame = 0, one.frame_count - 1 do
    local row = { one.samples:row(frame * #one.bones + track) }
    table.move(row, first, last, #out + 1, out)
  end
  return out
end

local function moved(channels, opts, more)
  return assert(import(select(1, clip_glb.file(clip_glb.bones(), { 0, 1 }, channels, more)),
    select(2, clip_glb.file(clip_glb.bones(), { 0, 1 }, channels, more)), opts))[1]
end

describe("an imported clip", function()
  before_each(function() folder = helper.tmpdir() end)

  it("has bones by name, what moves, and the rest at rest", function()
    local one = moved({ { 1, "translation", { 0, 0.1, 0.2 }, { 0, 2, 0, 1, 2, 3, 4, 5, 6 } } }, { fps = 10 })
    assert.same({ "move", 3, { "A", "B" }, 10 }, { one.name, one.frame_count, one.bones, one.fps })
    assert.same({ 0, 2, 0, 1, 2, 3, 4, 5, 6 }, lane(one, 2, 1, 3))
    assert.same({ 0, 0, 0, 1, 1, 1, 1 }, { select(4, one.samples:row(6)) })
    assert.same({ 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }, { one.samples:row(1) })
    assert.same({ 0, 0 }, { one.report.resampled, #one.report.missing })
  end)

  it("is taken between keys as its samplers say", function()
    local times, values = { 0, 1 }, { 0, 0, 0, 4, 0, 8 }
    local linear = moved({ { 0, "translation", times, values } }, { fps = 4 })
    assert.same({ 0, 0, 0, 1, 0, 2, 2, 0, 4, 3, 0, 6, 4, 0, 8 }, lane(linear, 1, 1, 3))
    local step = moved({ { 0, "translation", times, values, "STEP" } }, { fps = 4 })
    assert.same({ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 8 }, lane(step, 1, 1, 3))
    -- p(x) = (2x^3-3x^2+1) 0 + (x^3-2x^2+x) 8 + (3x^2-2x^3) 4 + (x^3-x^2) 0
    local spline = moved({ { 0, "translation", times, { 9, 9, 9, 0, 0, 0, 8, 0, 0, 0, 0, 0, 4, 0, 0, 9, 9, 9 },
      "CUBICSPLINE" } }, { fps = 4 })
    near({ 0, 1.75, 3, 3.75, 4 }, lane(spline, 1, 1, 1), 1e-6)
  end)

  it("turns along the shortest way, at an even speed", function()
    local a = moved({ { 0, "rotation", { 0, 1 }, { 0, 0, 0, 1, 0, 0, -1, 0 } } }, { fps = 4 })
    for i = 0, 3 do
      local q = { a.samples:row(2 * i + 1) }
      near({ 0, 0, -math.sin(i * math.pi / 8), math.cos(i * math.pi / 8) }, { q[4], q[5], q[6], q[7] }, 1e-6)
    end
  end)

  it("may have rotations as normalised integers, and rows that stand elsewhere", function()
    local one = moved({ { 0, "rotation", { 0, 1 }, { 0, 0, 0, 32767, 32767, 0, 0, 0 }, nil,
      { letter = "i2", normalized = true } } }, { fps = 1 })
    assert.same({ 0, 0, 0, 1, 1, 0, 0, 0 }, lane(one, 1, 4, 7))
    local json, bin = clip_glb.file(clip_glb.bones(), { 0, 1 },
      { { 0, "translation", { 0, 1, 2 }, { 0, 0, 0, 0, 0, 0, 0, 0, 0 } } })
    json.bufferViews[3] = { buffer = 0, byteOffset = #bin, byteLength = 1 }
    json.bufferViews[4] = { buffer = 0, byteOffset = #bin + 4, byteLength = 12 }
    json.accessors[2].sparse = { count = 1, indices = { bufferView = 2, componentType = 5121 },
      values = { bufferView = 3 } }
    bin = bin .. "\1\0\0\0" .. string.pack("<fff", 7, 8, 9)
    json.buffers[1].byteLength = #bin
    one = assert(import(json, bin, { fps = 1 }))[1]
    assert.same({ 0, 0, 0, 7, 8, 9, 0, 0, 0 }, lane(one, 1, 1, 3))
  end)

  it("says what was resampled, what it lacks, has more and ignores", function()
    local skeleton = { name = "rig", bones = { { name = "A", parent = -1 },
      { name = "C", parent = 0, pose = { t = { 1, 2, 3 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } } } }
    local like = { bones = { "A", "C" }, fps = 10, frame_count = 3, times = { 0, 0.1, 0.2 }, skeleton = skeleton }
    local one = moved({ { 0, "translation", { 0, 0.07, 0.2 }, { 0, 0, 0, 7, 0, 0, 7, 0, 0 } },
      { 1, "weights", { 0 }, { 0 } } }, { like = like }, { cameras = { { type = "perspective" } } })
    assert.same({ 1, { "C" }, { "B" }, { "1 channel of morphs", "1 camera" } },
      { one.report.resampled, one.report.missing, one.report.extra, one.report.ignored })
    assert.same({ 1, 2, 3, 0, 0, 0, 1, 1, 1, 1 }, { one.samples:row(4) })
    near({ 0, 7, 7 }, { one.samples:at(1, 1), one.samples:at(3, 1), one.samples:at(5, 1) }, 1e-6)
  end)

  it("has what stands above its bones put into them", function()
    -- An object that turns y to z, is a hundredth, and hangs on one that is moved; bones in hundreds.
    local nodes = {
      { name = "empty", translation = { 3, 0, 0 }, children = { 1 } },
      { name = "Armature", rotation = { -HALF, 0, 0, HALF }, scale = { 0.01, 0.01, 0.01 }, children = { 2 } },
      { name = "A", translation = { 0, 0, 100 }, children = { 3 } }, { name = "B", translation = { 0, 200, 0 } },
    }
    local skeleton = { up = "z", bones = {
      { name = "A", parent = -1, pose = { t = { 3, 0, 1 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
      { name = "B", parent = 0, pose = { t = { 0, 2, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } } } }
    local like = { bones = { "A", "B" }, fps = 1, frame_count = 2, times = { 0, 1 }, skeleton = skeleton }
    local json, bin = clip_glb.file(nodes, { 2, 3 }, { { 3, "translation", { 0, 1 }, { 0, 200, 0, 0, 300, 0 } } })
    for _, scale in ipairs { 1, false } do
      local one = assert(import(json, bin, { like = like, scale = scale or nil }))[1]
      near({ 3, 0, 1, 0, 0, 0, 1, 1, 1, 1 }, { one.samples:row(1) }, 1e-6)
      near({ 0, 2, 0, 0, 0, 0, 1, 1, 1, 1 }, { one.samples:row(2) }, 1e-6)
      near({ 0, 3, 0, 0, 0, 0, 1, 1, 1, 1 }, { one.samples:row(4) }, 1e-6)
      near({ 0.01 }, { one.report.factor }, 1e-9)
    end
  end)

  it("has bones that hang on others in the file where the skeleton has them", function()
    local nodes = { { name = "A", translation = { 1, 0, 0 } }, { name = "B", translation = { 1, 2, 0 } } }
    local skeleton = { up = "y", bones = { { name = "A", parent = -1 }, { name = "B", parent = 0 } } }
    local json, bin = clip_glb.file(nodes, { 0, 1 }, { { 0, "translation", { 0, 1 }, { 1, 0, 0, 1, 1, 0 } } })
    local one = assert(import(json, bin, { fps = 1, like = { bones = { "A", "B" }, fps = 1, skeleton = skeleton } }))[1]
    near({ 0, 2, 0, 0, 1, 0 }, lane(one, 2, 1, 3), 1e-6)
  end)

  it("has root motion, whose angle goes on beyond half a turn", function()
    local nodes = { { name = "root motion", children = { 1 } }, { name = "A" } }
    local times, q, t = {}, {}, {}
    for i = 0, 8 do
      times[i + 1] = i
      table.move({ 0, math.sin(i / 2), 0, math.cos(i / 2) }, 1, 4, #q + 1, q)
      table.move({ i, 0, 2 * i }, 1, 3, #t + 1, t)
    end
    local json, bin = clip_glb.file(nodes, { 1 }, { { 0, "rotation", times, q }, { 0, "translation", times, t } })
    local one = assert(import(json, bin, { fps = 1 }))[1]
    assert.same({ "A" }, one.bones)
    for i = 0, 8 do near({ i, 0, 2 * i, i }, { one.root_motion:row(i + 1) }, 1e-5) end
  end)

  it("has what extras tell", function()
    local json, bin = clip_glb.file(clip_glb.bones(), { 0, 1 }, { { 0, "translation", { 0 }, { 1, 2, 3 } } })
    json.animations[1].extras = { lathe = { fps = 20, frame_count = 3, looping = true, additive = "additive",
      annotations = { { time = 0.1, text = "step", track = 0 } },
      float_tracks = { { name = "slot", values = { 1, 2, 3 } } } } }
    local one = assert(import(json, bin))[1]
    assert.same({ 3, 20, true, "additive" }, { one.frame_count, one.fps, one.looping, one.additive })
    assert.same({ { time = 0.1, text = "step", track = 0 } }, one.annotations)
    assert.same({ { "slot" }, { 1, 2, 3 } }, { one.float_tracks.slots, one.float_tracks.samples:totable() })
  end)

  it("is one of several, by name", function()
    local json, bin = clip_glb.file(clip_glb.bones(), { 0, 1 }, { { 0, "translation", { 0 }, { 1, 2, 3 } } })
    json.animations[2] = { name = "stand", channels = json.animations[1].channels,
      samplers = json.animations[1].samplers }
    assert.equal(2, #assert(import(json, bin)))
    local list = assert(import(json, bin, { clip = "stand" }))
    assert.same({ 1, "stand" }, { #list, list[1].name })
    local none, err = import(json, bin, { clip = "run" })
    assert.is_nil(none)
    assert.truthy(tostring(err):find("none is named 'run': there are 'move', 'stand'", 1, true))
  end)
end)

local CLIPS = {
  { "hkx/fo4/Death1.hkx", "hkx/fo4/skeleton.hkx" }, { "hkx/fo4/SneakIdle.hkx", "hkx/fo4/skeleton.hkx" },
  { "hkx/fo4/CoughingAfterCryo.hkx", "hkx/fo4/skeleton.hkx" },
  { "hkx/fo4/run_forward_to_idle.hkx", "hkx/fo4/skeleton.hkx" },
  { "hkx/skyrim-le/1hm_staggerbacksmallest.hkx", "hkx/skyrim-le/skeleton.hkx" },
  { "hkx/skyrim-le/SOSFastErect.hkx", "hkx/skyrim-le/skeleton.hkx" },
  { "hkx/skyrim-se/bow_drawlight.hkx", "hkx/skyrim-se/skeleton.hkx" },
  { "hkx/skyrim-se/chair_idlearmscrossedvar1.hkx", "hkx/skyrim-se/skeleton.hkx" },
  { "hkx/skyrim-se/sneak_1hmattackintro.hkx", "hkx/skyrim-se/skeleton.hkx" },
  { "hkx/skyrim-se/sneakmtidle.hkx", "hkx/skyrim-se/skeleton.hkx" },
  { "tagfile/DSR_a00_0000.hkx", "tagfile/DSR_Skeleton.hkx" },
  { "wolfire/anm/long_run_v10.anm", "wolfire/phxbn/full_v10.phxbn" }, { "wolfire/anm/mobility_v11.anm" },
  { "wolfire/anm/walk_v04.anm" }, { "wolfire/anm/negative_start_v08.anm" }, { "wolfire/anm/onekey_v05.anm" },
}

local function open(name, rig) return assert(lathe.open(helper.corpus_root .. "/" .. name, { skeleton = rig })) end

local function same_samples(want, one, limit)
  assert.equal(want.samples.rows, one.samples.rows)
  for i = 1, want.samples.rows do
    local a, b, dot = { want.samples:row(i) }, { one.samples:row(i) }, 0
    for k = 4, 7 do dot = dot + a[k] * b[k] end
    for k = 1, 10 do
      if k > 3 and k < 8 and dot < 0 then b[k] = -b[k] end -- the same rotation
      local fits = math.abs(a[k] - b[k]) <= limit -- a NaN does not
      if not fits then error(("row %d, %d: %.9g, %.9g"):format(i, k, a[k], b[k]), 0) end
    end
  end
end

describe("clips that were exported #corpus", function()
  before_each(function() folder = helper.tmpdir() end)

  for _, names in ipairs(CLIPS) do
    it("come back: " .. names[1], function()
      local rig = names[2] and open(names[2])
      local doc <close> = open(names[1], rig)
      local want = assert(clip.of(doc.animations[1]))
      for _, kind in ipairs { "glb", "csv" } do
        local path = folder .. "/a." .. kind
        assert(lathe.export(doc, path, { skeleton = rig }))
        local one = assert(lathe.import(path, { like = doc }))[1]
        same_samples(want, one, 1e-5)
        assert.same({ 0, want.bones }, { one.report.resampled, one.bones })
        local before = doc:encode()
        local made, done = assert(apply.clip(doc, one, {}))
        assert.same({}, done.notes)
        assert.equal(#want.bones, done.unchanged)
        assert.equal(before, made:encode())
      end
    end)
  end

  it("have skeletons bone for bone", function()
    for _, name in ipairs { "fo4/skeleton", "skyrim-le/skeleton", "skyrim-se/skeleton", "skyrim-le/skeever_skeleton",
      "skyrim-le/skeleton_troll" } do
      local doc <close> = open("hkx/" .. name .. ".hkx")
      local path = folder .. "/rig.glb"
      assert(lathe.export(doc, path))
      local one, want = assert(lathe.import(path, { what = "skeleton" })), clip.skeleton(doc)
      assert.same({ #want.bones, want.name, want.up }, { #one.bones, one.name, one.up })
      for i, bone in ipairs(want.bones) do
        local own = one.bones[i]
        assert.same({ bone.name, bone.parent }, { own.name, own.parent })
        for _, part in ipairs { "t", "q", "s" } do near(bone.pose[part], own.pose[part], 1e-5) end
      end
      local made <close> = assert(apply.new_skeleton("hkx", "skyrim-se", one))
      assert.equal(#want.bones, #made.skeletons[1].bones)
    end
  end)
end)
