-- Verbs that all formats share whose animations are written: identities over every clip of the corpus, and what is refused.

local helper = require "helper"
local lathe = require "lathe"
local lfs = require "lfs"
local sample = require "sample_hkx"

local corpus = helper.corpus_root

-- Clips with the skeletons that they are for. Nobody published the one of SOSFastErect.
local CLIPS = {
  { "hkx/fo4/run_forward_to_idle.hkx", "hkx/fo4/skeleton.hkx" },
  { "hkx/fo4/CoughingAfterCryo.hkx", "hkx/fo4/skeleton.hkx" },
  { "hkx/fo4/SneakIdle.hkx", "hkx/fo4/skeleton.hkx" },
  { "hkx/fo4/Death1.hkx", "hkx/fo4/skeleton.hkx" },
  { "hkx/skyrim-le/1hm_staggerbacksmallest.hkx", "hkx/skyrim-le/skeleton.hkx" },
  { "hkx/skyrim-le/SOSFastErect.hkx" },
  { "hkx/skyrim-se/sneak_1hmattackintro.hkx", "hkx/skyrim-se/skeleton.hkx" },
  { "hkx/skyrim-se/chair_idlearmscrossedvar1.hkx", "hkx/skyrim-se/skeleton.hkx" },
  { "hkx/skyrim-se/sneakmtidle.hkx", "hkx/skyrim-se/skeleton.hkx" },
  { "hkx/skyrim-se/bow_drawlight.hkx", "hkx/skyrim-se/skeleton.hkx" },
  { "tagfile/DSR_a00_0000.hkx", "tagfile/DSR_Skeleton.hkx" },
}

-- The greatest distance and turn between two lists of poses.
local function apart(a, b)
  local far, turned = 0, 0
  assert.equal(#a, #b)
  for i = 1, #a, 10 do
    local near, across = 0, 0
    for k = 0, 2 do far = math.max(far, math.abs(a[i + k] - b[i + k])) end
    for k = 3, 6 do
      near = near + (a[i + k] - b[i + k]) ^ 2
      across = across + (a[i + k] + b[i + k]) ^ 2
    end
    turned = math.max(turned, 4 * math.asin(math.min(1, math.sqrt(math.min(near, across)) / 2)))
  end
  return far, turned
end

local function told(anim)
  local list = {}
  for i, note in ipairs(anim.annotations) do list[i] = ("%.17g %s %d"):format(note.time, note.text, note.track) end
  return list
end

local function motion(anim) return anim.root_motion and anim.root_motion:totable() end

-- Annotations are records: to read them writes what the open edit made of the poses.
local function state(doc, unwritten)
  local anim = doc.animations[1]
  return { poses = anim:decode(), notes = not unwritten and told(anim), motion = motion(anim), duration = anim.duration,
    floats = #anim.float_tracks > 0 and anim:decode_floats():totable(), hint = anim.blend_hint }
end

-- `passes`: how often poses were encoded on the way. Values in root motion are as large as a few hundred.
local function same(before, after, passes)
  local far, turned = apart(before.poses, after.poses)
  assert.is_true(far <= 0.0125 * passes, ("%g units"):format(far))
  assert.is_true(turned <= 0.0025 * passes, ("%g rad"):format(turned))
  assert.same(before.notes, after.notes)
  assert.equal(before.duration, after.duration)
  assert.equal(before.hint, after.hint)
  assert.same(before.floats, after.floats)
  assert.equal(before.motion and #before.motion, after.motion and #after.motion)
  for i, row in ipairs(before.motion or {}) do
    for k, v in ipairs(type(row) == "table" and row or { row }) do
      local now = type(row) == "table" and after.motion[i][k] or after.motion[i]
      assert.is_true(math.abs(v - now) <= 1e-3, ("root motion %d: %g, was %g"):format(i, now, v))
    end
  end
end

-- Both ways in one edit: what is encoded is what comes back.
local IDENTITIES = {
  { "reverse twice", function(doc)
    doc:reverse()
    doc.animations[1]:reverse()
  end },
  { "trim to the whole", function(doc) doc:trim(0, doc.animations[1].duration) end },
  { "resample there and back", function(doc)
    local anim = doc.animations[1]
    local fps = (anim.frame_count - 1) / anim.duration
    doc:resample(2 * fps)
    doc:resample(fps)
  end },
  { "mirror twice", function(doc)
    doc:mirror()
    doc:mirror()
  end, bones = true },
  { "additive there and back", function(doc)
    local anim = doc.animations[1]
    local there, back = anim.additive, anim.normal
    if anim.blend_hint == "additive" then
      there, back = back, there
    end
    there(anim)
    back(anim)
  end, bones = true },
  { "root motion there and back", function(doc)
    local anim = doc.animations[1]
    anim:extract_root_motion { turn = true }
    doc:root_motion { bake = true }
  end, bones = true, start = function(doc) doc:root_motion { bake = true } end },
  { "retarget to itself", function(doc, skeleton) doc.animations[1]:retarget(skeleton) end, bones = true },
  { "a bone there and back", function(doc)
    local anim = doc.animations[1]
    anim:offset(2, { 1, 2, 3 }, { 0, 0.6, 0, 0.8 })
    anim:offset(2, { -1, -2, -3 }, { 0, -0.6, 0, 0.8 })
  end },
}

local function open(path, skeleton)
  return assert(lathe.open(corpus .. "/" .. path, skeleton and { skeleton = skeleton }))
end

describe("clips of the corpus: #corpus", function()
  if not corpus then return pending "NOT TESTED: no corpus; set LATHE_CORPUS to its folder" end
  local skeletons = {}
  for _, clip in ipairs(CLIPS) do
    local name = clip[1]:match "[^/]*$"
    local function doc_of()
      if clip[2] and not skeletons[clip[2]] then skeletons[clip[2]] = open(clip[2]) end
      return open(clip[1], skeletons[clip[2]]), skeletons[clip[2]]
    end
    for _, identity in ipairs(IDENTITIES) do
      if clip[2] or not identity.bones then
        it(("%s: %s"):format(name, identity[1]), function()
          local doc, skeleton = doc_of()
          local before, after
          local stay = {}
          local _, left = pcall(doc.edit, doc, function()
            if identity.start then identity.start(doc) end
            before = state(doc, identity.start)
            identity[2](doc, skeleton)
            after = state(doc, identity.start)
            if identity.start then error(stay) end -- baked, which the file was not
          end)
          assert(before, left)
          same(before, after, 0.02)
          if identity.start then
            assert.equal(stay, left)
          else
            same(before, state(doc), 1)
          end
        end)
      end
    end

    it(name .. ": trim in two, then concat", function()
      local doc, other = doc_of(), doc_of()
      local before, anim = state(doc), doc.animations[1]
      local seam = (anim.frame_count // 3) * anim.duration / (anim.frame_count - 1)
      assert(other:trim(seam, anim.duration))
      assert(doc:trim(0, seam))
      local report = assert(doc.animations[1]:concat(other.animations[1]))
      assert.same({}, report.skipped)
      same(before, state(doc), 2)
    end)
  end
end)

-- Bones in model space: a chain of them stands for the skeleton.
local OF_ANM = {
  { "a bone there and back", function(doc, rig)
    local anim = doc.animations[1]
    anim:offset(0, { 1, 2, 3 }, { 0, 0.6, 0, 0.8 }, { skeleton = rig })
    anim:offset(0, { -1, -2, -3 }, { 0, -0.6, 0, 0.8 }, { skeleton = rig })
  end },
  { "retarget to itself", function(doc, rig) doc:retarget { to = rig, from = rig } end },
  { "blend with itself", function(doc) doc:blend(doc.animations[1], 0.5) end },
  { "trim in two, then concat", function(doc, _, other)
    local anim = doc.animations[1]
    local seam, duration = doc.frames[2].time / 1000 - doc.frames[1].time / 1000, anim.duration
    other:trim(seam, duration)
    doc:trim(0, seam)
    doc:concat(other)
  end, frames = 2 },
}

describe("clips of Overgrowth: #corpus", function()
  if not corpus then return pending "NOT TESTED: no corpus; set LATHE_CORPUS to its folder" end
  local folder = "wolfire/anm"
  for name in lfs.dir(corpus .. "/" .. folder) do
    local path = folder .. "/" .. name
    local doc = name:find "%.anm$" and open(path)
    for _, identity in ipairs(doc and OF_ANM or {}) do
      local last = #doc.frames > 0 and (doc.frames[#doc.frames].time - doc.frames[1].time) / 1000
      -- A loop that lasts on gets a key frame at its end when it is cut.
      local fits = not identity.frames or #doc.frames > 2 and last == doc.animations[1].duration
      if fits then
        it(name .. ": " .. identity[1], function()
          local here, other, rig = open(path), open(path), {}
          for i = 1, #here.animations[1].tracks do rig[i] = { parent = i - 2, name = "bone " .. i } end
          local before = state(here)
          here:edit(function() identity[2](here, rig, other) end)
          same(before, state(here), 0.02)
        end)
      end
    end
  end
end)

describe("verbs of animations", function()
  local function clip(opts)
    opts = opts or {}
    return assert(lathe.parse(sample.clip { game = "skyrim-se", frames = 31, tracks = 2,
      annotations = opts.annotations or { { track = 0, time = 0.25, text = "A" } } }, { history = 9 }))
  end

  local function refused(code, message, verb, ...)
    local doc = clip()
    local before = doc:encode()
    local ok, report, err = pcall(doc.animations[1][verb], doc.animations[1], ...)
    local e = ok and err or report
    assert.is_true(not ok or report == nil)
    assert.equal(message, (tostring(type(e) == "table" and e.message or e):gsub("^[^ ]*:%d+: ", "")))
    if type(e) == "table" then assert.equal(code, e.code) end
    assert.equal(before, doc:encode())
  end

  it("refuse what they cannot do, and change nothing", function()
    refused("range", "0.5 .. 0.2 s is not a part of 0 .. 1 s", "trim", 0.5, 0.2)
    refused("range", "fps is at most 1000, not 1001", "resample", 1001)
    refused("range", "fps is a finite number above 0", "resample", 0 / 0)
    refused("range", "31 frames are not 1 to 30, of a clip of 31", "loop", 31)
    refused("invalid", "mirror needs a skeleton: give the option 'skeleton', or open the animation with one", "mirror")
    local ok, err = pcall(function() return assert(clip():root_motion { extract = true, bake = true }) end)
    assert.is_false(ok)
    assert.truthy(tostring(err):find("root_motion takes one of extract, bake", 1, true))
  end)

  it("are undone in one step", function()
    local doc = clip()
    local before = doc:encode()
    assert(doc.animations[1]:reverse())
    assert.is_false(doc:encode() == before)
    doc:undo()
    assert.equal(before, doc:encode())
  end)

  it("take an animation of another document, or the document", function()
    for _, whole in ipairs { true, false } do
      local doc, other = clip(), clip()
      assert(doc.animations[1]:concat(whole and other or other.animations[1]))
      assert.equal(61, doc.animations[1].frame_count)
      assert.equal(2, doc.animations[1].duration)
      assert.same({ "0.25 A 0", "1.25 A 0" }, told(doc.animations[1]))
    end
  end)

  it("take names by names", function()
    local doc = clip()
    local rig, other = { { name = "a" }, { name = "b" } }, { { name = "c" }, { name = "b" } }
    local report = assert(doc.animations[1]:retarget(other, { a = "c" }, { from = rig }))
    assert.same({}, report.skipped)
    assert.equal(2, #doc.animations[1].tracks)
    doc = clip()
    report = assert(doc.animations[1]:retarget(other, { from = rig }))
    assert.same({ { path = "tracks[1]", reason = "the other skeleton has no such bone: dropped" } }, report.skipped)
    assert.equal(1, #doc.animations[1].tracks)
    doc = clip()
    doc.animations[1]:retarget { to = other, from = rig, map = { { from = "a", to = "c" } } }
    assert.equal(2, #doc.animations[1].tracks)
    doc = clip()
    assert.has_error(function() assert(doc.animations[1]:retarget(other, { a = "x" }, { from = rig })) end)
  end)

  it("rename annotations", function()
    local doc = clip { annotations = { { track = 0, time = 0.25, text = "A" }, { track = 1, time = 0.5, text = "AB" } } }
    assert.equal(1, assert(doc:rename("A", "C")).changed)
    assert.same({ "0.25 C 0", "0.5 AB 1" }, told(doc.animations[1]))
  end)

  it("tell what they take", function()
    local names = {}
    for _, verb in ipairs(lathe.verbs(clip().animations[1])) do names[verb.name] = verb end
    for _, name in ipairs { "trim", "reverse", "resample", "concat", "mirror", "extract_root_motion", "bake_root_motion",
      "additive", "normal", "retarget", "offset", "loop", "blend", "rename", "encode", "write" } do
      assert.truthy(names[name], name)
    end
    assert.is_nil(names.root_motion) -- a member of animations; documents have the verb
    assert.equal("bone vertical turn skeleton", table.concat((function(list)
      for i, param in ipairs(names.extract_root_motion.params) do list[i] = param.name end
      return list
    end) {}, " "))
    names = {}
    for _, verb in ipairs(lathe.verbs(clip())) do names[verb.name] = verb end
    assert.truthy(names.root_motion and names.extract_root_motion and names.bake_root_motion)
    assert.equal("clip", names.concat.params[1].kind)
  end)
end)
