-- Documents that are linked to a skeleton: its names where the file itself has none.

local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_hkx"
local small = require "small_documents"

local function raises(message, f, ...)
  local ok, err = pcall(f, ...)
  assert.is_false(ok)
  assert.equal(message, (tostring(err):gsub("^[^ ]*:%d+: ", "")))
end

local function merged(a, b)
  local all = {}
  for k, v in pairs(a) do all[k] = v end
  for k, v in pairs(b or {}) do all[k] = v end
  return all
end

local RIG = { game = "skyrim-se", name = "Rig", bones = { "Root", "Head", "Tail" }, float_slots = { "blink", "jaw" } }

local function rig_bytes(opts)
  return (sample.skeleton(merged(RIG, opts)))
end

local function clip_bytes(opts)
  return (sample.clip(merged({ game = "skyrim-se", frames = 3, tracks = 3, floats = { 0.5 } }, opts)))
end

local function clip(skeleton, opts, history)
  return assert(lathe.parse(clip_bytes(opts), { skeleton = skeleton, history = history }))
end

local function names(anim)
  local list = {}
  for i, track in ipairs(anim.tracks) do list[i] = track.bone or "nil" end
  return table.concat(list, " ")
end

describe("a linked skeleton", function()
  local rig = assert(lathe.parse(rig_bytes()))

  it("names the bones of tracks, and float slots", function()
    local anim = clip(rig).animations[1]
    assert.equal("Root Head Tail", names(anim))
    assert.same({ "blink" }, { anim.float_tracks[1].name })
    assert.equal('track 2: bone 1 "Head"', tostring(anim.tracks[2]))
    assert.equal(anim.tracks[2], anim.tracks.Head)
    assert.equal(anim.float_tracks[1], anim.float_tracks["blink"])
    raises('no track "Hed"; did you mean \'Head\'?', function() return anim.tracks.Hed end)
    raises('no float track "jaw"', function() return anim.float_tracks.jaw end)
    assert.equal("skeleton \"Rig\": 3 bones", tostring(anim.skeleton))
    assert.same(lathe.totable(rig.skeletons[1].bones), lathe.totable(anim.skeleton.bones))
    assert.same({ "blink", "jaw" }, lathe.totable(anim.skeleton.float_slots))
    assert.equal(anim.skeleton.bones[2], anim.skeleton.bones.Head)
    assert.is_nil(anim.skeleton.source)
  end)

  it("is not there where none is linked", function()
    local anim = clip().animations[1]
    assert.equal("nil nil nil", names(anim))
    assert.is_nil(anim.skeleton)
    assert.is_nil(anim.float_tracks[1].name)
    raises('no track "Head": none has a name', function() return anim.tracks.Head end)
  end)

  it("may be given as a path, a document, a skeleton or a table", function()
    local folder = helper.tmpdir()
    helper.write(folder .. "/rig.hkx", rig_bytes())
    helper.write(folder .. "/clip.hkx", clip_bytes())
    local given = { folder .. "/rig.hkx", rig, rig.skeletons[1], lathe.totable(rig.skeletons[1].bones),
      rig.skeletons[1].bones, { name = "Rig", bones = rig.skeletons[1].bones }, clip(rig).animations[1].skeleton }
    for i, skeleton in ipairs(given) do
      local doc = assert(lathe.open(folder .. "/clip.hkx", { skeleton = skeleton }))
      assert.equal("Root Head Tail", names(doc.animations[1]), i)
      assert.equal("Head", doc.animations[1].tracks.Head.bone)
      assert.equal("Root Head Tail", names(clip(skeleton).animations[1]), i)
    end
    assert.equal("nil nil nil", names(clip({ -1, 0, 1 }).animations[1]))
    assert.equal(3, #clip({ -1, 0, 1 }).animations[1].skeleton.bones)
  end)

  it("may be the second one of a document", function()
    local a = sample.skeleton_object { name = "A", bones = { "a1" } }
    local b = sample.skeleton_object { name = "B", bones = { "b1", "b2", "b3" } }
    local both = assert(lathe.parse((sample.build(sample.root { { "", "hkaAnimationContainer",
      { class = "hkaAnimationContainer", skeletons = { a, b } } } }, {}))))
    assert.equal("a1 nil nil", names(clip(both).animations[1]))
    assert.equal("b1 b2 b3", names(clip(both.skeletons[2]).animations[1]))
    assert.equal("B", clip(both.skeletons[2]).animations[1].skeleton.name)
  end)

  it("is a copy: its document may change or close", function()
    local own = assert(lathe.parse(rig_bytes()))
    local doc = clip(own)
    own.skeletons[1].bones[2].name = "changed"
    assert.equal("Root Head Tail", names(doc.animations[1]))
    own:close()
    collectgarbage()
    assert.equal("Root Head Tail", names(doc.animations[1]))
    assert.equal("Head", doc.animations[1].skeleton.bones[2].name)
    raises("'name' of a bone cannot be set: it is a copy; change the skeleton that it was linked from", function()
      doc.animations[1].skeleton.bones[2].name = "x"
    end)
    raises("'t' of a bone cannot be set: it is a copy; change the skeleton that it was linked from", function()
      doc.animations[1].skeleton.bones[2].pose.t.x = 1
    end)
  end)

  it("gives way to a skeleton of the file's own", function()
    local anim = clip(rig, { skeletons = { { bones = { "own 0", "own 1", "own 2" } } } }).animations[1]
    assert.equal("own 0 own 1 own 2", names(anim))
    assert.equal("Rig", anim.skeleton.name)
  end)

  it("follows what tracks are bound to", function()
    local doc = clip(rig, { bones = { 2, 0, 1 } }, 9)
    local anim = doc.animations[1]
    assert.equal("Tail Root Head", names(anim))
    assert.equal(anim.tracks[3], anim.tracks.Head)
    anim.binding.transform_track_to_bone_indices[3] = 2
    raises('no track "Head"', function() return anim.tracks.Head end)
    assert.equal(anim.tracks[1], anim.tracks.Tail)
    doc:undo()
    assert.equal(anim.tracks[3], anim.tracks.Head)
  end)

  it("with too few bones leaves the others without names, and check says so", function()
    local few = assert(lathe.parse(rig_bytes { bones = { "Root", "Head" }, float_slots = {} }))
    local doc = clip(few)
    assert.equal("Root Head nil", names(doc.animations[1]))
    local function found(options, clip_opts, of)
      local d = clip(of, clip_opts)
      local list = {}
      for i, e in ipairs(select(2, d:check(options))) do
        list[i] = ("%s %s: %s"):format(e.level, (e.where:gsub("^objects%[%d+%]%.?", "")), e.message)
      end
      return list
    end
    local wanted = {
      "error transform_track_to_bone_indices: empty, so each track drives the bone of its number: of 3 tracks the "
        .. "skeleton has 2",
      "warning float_track_to_float_slot_indices[1]: no float slot 0: the skeleton has 0",
    }
    assert.same(wanted, found(nil, { skeleton_name = "Rig" }, few))
    assert.same(wanted, found({ skeleton = few }, { skeleton_name = "Rig" }))
    assert.same({}, found({ skeleton = rig }, { skeleton_name = "Rig" }))
    assert.same({ "warning original_skeleton_name: made for another skeleton: this one is called 'Rig'" },
      found(nil, { skeleton_name = "Other" }, rig))
    assert.same({ "error transform_track_to_bone_indices[2]: no bone 2: the skeleton has 2" },
      found({ skeleton = few.skeletons[1] }, { skeleton_name = "Rig", bones = { 1, 2, 0 },
        floats = false }))
  end)

  it("names what moves in an .anm", function()
    local bytes = small.documents()
    local bones = assert(lathe.parse(bytes.phxbn, { format = "phxbn" }))
    local doc = assert(lathe.parse(bytes.anm, { format = "anm", skeleton = bones }))
    local anim = doc.animations[1]
    local named
    for _, bone in ipairs(bones.skeletons[1].bones) do named = named or bone.name and bone end
    assert.is_truthy(named)
    for i, track in ipairs(anim.tracks) do assert.equal(bones.skeletons[1].bones[i].name, track.bone) end
    local wrong = select(2, doc:check())
    assert.equal("2 bones, the skeleton has 5", wrong[1].message)
  end)
end)

describe("a skeleton that cannot be linked", function()
  it("is named", function()
    local bytes = clip_bytes()
    local function why(skeleton)
      local doc, err = lathe.parse(bytes, { skeleton = skeleton })
      assert.is_nil(doc)
      return tostring(err)
    end
    assert.equal("/nowhere/rig.hkx: cannot open: No such file or directory", why "/nowhere/rig.hkx")
    assert.equal("skeleton: the document has no skeleton", why(clip()))
    assert.equal("skeletons[1]: bone 1 is among its own ancestors", (why(assert(lathe.parse(rig_bytes { bones = {
      "Root", { name = "Head", parent = 1 } } })))))
    assert.equal("parent of bone 0: a bone's number, from 0, or -1 expected", why { { parent = "x" } })
    raises("'skeleton': a path, a document, a skeleton or a table of bones expected, got number", why, 5)
    raises("'skeleton': a path, a document, a skeleton or a table of bones expected, got track", why,
      clip().animations[1].tracks[1])
    local closed = assert(lathe.parse(rig_bytes()))
    local skeleton = closed.skeletons[1]
    closed:close()
    raises("document is closed", why, closed)
    raises("document is closed", why, skeleton)
  end)
end)

describe("many tracks", function()
  local function seconds(n)
    local bones = {}
    for i = 1, n do bones[i] = "Bone " .. i end
    local doc = clip(assert(lathe.parse(rig_bytes { bones = bones })), { tracks = n, frames = 1 })
    local tracks = doc.animations[1].tracks
    local start = os.clock()
    for i = 1, n do assert.equal(i - 1, tracks["Bone " .. i].bone_index) end
    return os.clock() - start
  end

  it("are found in time that grows with their number", function()
    seconds(100)
    local few, many = math.huge, math.huge
    for _ = 1, 3 do
      few, many = math.min(few, seconds(500)), math.min(many, seconds(4000))
    end
    assert.is_true(many < 24 * few + 0.05, ("%.3f s for 500, %.3f s for 4,000"):format(few, many))
  end)
end)
