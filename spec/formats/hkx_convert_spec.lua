-- doc:convert of packfiles: the document becomes that of another game, as a whole and in one step.

local figures = require "hkx_figures"
local helper = require "helper"
local lathe = require "lathe"
local reader = require "hkx_reader"
local reference = require "spline_reference"
local sample = require "sample_hkx"

local GAMES = { "skyrim-le", "skyrim-se", "fallout4" }
local TITLES = { ["skyrim-le"] = "Skyrim LE", ["skyrim-se"] = "Skyrim SE", fallout4 = "Fallout 4" }

local function word_of(title)
  for word, name in pairs(TITLES) do
    if name == title then return word end
  end
end

local function told(done)
  local list = {}
  for i, entry in ipairs(done.skipped) do list[i] = entry.path .. ": " .. entry.reason end
  return list
end

-- Another document of these bytes, converted.
local function converted(bytes, game)
  local doc <close> = assert(lathe.parse(bytes))
  local done = assert(doc:convert { to = game })
  return doc:encode(), done
end

local function refused(bytes, game)
  local doc <close> = assert(lathe.parse(bytes, { history = 3 }))
  local done, err = doc:convert { to = game }
  assert.is_nil(done)
  assert.equal(bytes, doc:encode())
  assert.is_false(doc:undo())
  return err.where .. ": " .. err.message
end

local CLIP = {
  tracks = 3, frames = 20, floats = { 1 }, motion = true, bones = { 4, 0, 2 }, skeleton_name = "Root",
  annotations = { { track = 0, time = 0.25, text = "A" }, { track = 2, time = 0.5, text = "B" } },
}

local function clip(game, more)
  local opts = { game = game }
  for key, value in pairs(CLIP) do opts[key] = value end
  for key, value in pairs(more or {}) do opts[key] = value end
  return (sample.clip(opts))
end

describe("doc:convert of a packfile", function()
  it("leaves what doc:serialize writes for that game, which comes back", function()
    for _, from in ipairs(GAMES) do
      local bytes = clip(from)
      for _, to in ipairs(GAMES) do
        local doc <close> = assert(lathe.parse(bytes))
        local wanted = assert(doc:serialize { game = to })
        local done = assert(doc:convert { to = to })
        assert.same({ changed = from == to and 0 or 6, skipped = {} },
          { changed = done.changed, skipped = done.skipped })
        assert.equal(TITLES[to], doc.game)
        assert.equal(wanted, doc:encode())
        assert.equal(wanted, assert(doc:serialize()))
        assert.is_true(doc:check())
        assert(doc:convert(TITLES[from]))
        assert.equal(bytes, doc:encode())
      end
    end
  end)

  it("numbers types and blend hints as that game does", function()
    local bytes = converted(clip("skyrim-le", { blend_hint = 1 }), "fallout4")
    local doc <close> = assert(lathe.parse(bytes))
    assert.same({ 3, "spline_compressed" }, { lathe.raw(doc.objects[3], "type"), doc.objects[3].type })
    assert.same({ 2, "additive" }, { lathe.raw(doc.objects[5], "blend_hint"), doc.objects[5].blend_hint })
    assert.same({ 0, 0 }, { doc.objects[4].frame_type, #doc.objects[5].partition_indices })
    assert(doc:convert "skyrim-se")
    assert.same({ 5, 1 }, { lathe.raw(doc.objects[3], "type"), lathe.raw(doc.objects[5], "blend_hint") })
  end)

  it("is one step to undo, of which views are as they were", function()
    local bytes = clip("skyrim-se")
    local doc <close> = assert(lathe.parse(bytes, { history = 5 }))
    local object, animation = doc.objects[3], doc.animations[1]
    doc.objects[3].annotation_tracks[1].annotations[1].text = "longer than it was"
    local edited = doc:encode()
    assert(doc:convert "fallout4")
    local there, error_text = doc:encode(), "hkaSplineCompressedAnimation was removed"
    assert.has_error(function() return object.num_frames end, error_text)
    local ok, err = pcall(function() return animation.duration end)
    assert.is_true(ok or tostring(err):find(error_text, 1, true) ~= nil)
    local new = doc.objects[3]
    assert.equal(20, new.num_frames)
    assert.is_true(doc:undo())
    assert.same({ edited, "Skyrim SE", 20 }, { doc:encode(), doc.game, object.num_frames })
    assert.has_error(function() return new.num_frames end, error_text)
    assert.is_true(doc:redo())
    assert.same({ there, "Fallout 4", 20 }, { doc:encode(), doc.game, new.num_frames })
    assert.is_true(doc:undo(2))
    assert.equal(bytes, doc:encode())
    assert.is_false(doc:undo())
  end)

  it("stands in edits, which take it back with the rest", function()
    local bytes = clip("fallout4")
    local doc <close> = assert(lathe.parse(bytes, { history = 5 }))
    local function edit()
      doc.objects[3].annotation_tracks[1].annotations[1].text = "before, and longer"
      assert(doc:convert "skyrim-le")
      doc.objects[3].annotation_tracks[1].annotations = { { time = 0.5, text = "behind" } }
    end
    assert.has_error(function() doc:edit(function() edit(); error("no", 0) end) end, "no")
    assert.same({ bytes, "Fallout 4" }, { doc:encode(), doc.game })
    doc:edit(edit)
    assert.same({ "Skyrim LE", "behind" }, { doc.game, doc.objects[3].annotation_tracks[1].annotations[1].text })
    assert.equal(doc:encode(), assert(doc:serialize()))
    assert.is_true(doc:undo())
    assert.equal(bytes, doc:encode())
    assert.is_true(doc:redo())
    assert.is_true(doc:undo())
    assert.equal(bytes, doc:encode())
  end)

  it("can follow itself as often as one likes", function()
    local bytes = clip("skyrim-se")
    local doc <close> = assert(lathe.parse(bytes, { history = 4 }))
    for i = 1, 12 do assert(doc:convert(GAMES[i % 3 + 1])) end
    assert.equal("Skyrim LE", doc.game)
    assert.is_true(doc:undo(4))
    assert.is_false(doc:undo())
    assert.equal("Fallout 4", doc.game)
    assert(doc:convert "skyrim-se")
    assert.equal(bytes, doc:encode())
  end)

  it("turns big-endian files around, but for splines", function()
    local opts = { kind = "interleaved", tracks = 2, frames = 3 }
    local big, small = { endian = ">", game = "skyrim-le" }, { game = "skyrim-le" }
    for key, value in pairs(opts) do big[key], small[key] = value, value end
    assert.equal((sample.clip(small)), (converted((sample.clip(big)), "skyrim-le")))
    assert.equal("objects[3].data: its bytes are big-endian, and lathe cannot convert them "
      .. "(hkaSplineCompressedAnimation)", refused((sample.clip { endian = ">" }), "fallout4"))
  end)
end)

describe("what the other game lacks", function()
  it("is left out and told: partitions", function()
    local bytes, done = converted(sample.skeleton {
      game = "fallout4", bones = 3,
      partitions = { { name = "arm", start_bone_index = 0, num_bones = 2 }, { name = "b" } },
    }, "skyrim-se")
    assert.same({ "objects[3].partitions: files of Skyrim SE have no such field" }, told(done))
    assert.equal((sample.skeleton { game = "skyrim-se", bones = 3 }), bytes)
  end)

  it("is left out and told: partition_indices and frame_type", function()
    local doc <close> = assert(lathe.parse(clip("fallout4")))
    doc.objects[5].partition_indices = { 0, 1 }
    doc.objects[4].frame_type = 1
    assert.same({
      "objects[4].frame_type: files of Skyrim LE have no such field",
      "objects[5].partition_indices: files of Skyrim LE have no such field",
    }, told(assert(doc:convert "skyrim-le")))
    assert.equal(clip("skyrim-le"), doc:encode())
  end)

  it("gets what stands for it: the older kind of additive, and a type that is not the class's", function()
    local bytes, done = converted(clip("fallout4", { blend_hint = 1 }), "skyrim-se")
    assert.same({ "objects[5].blend_hint: 'additive_deprecated' became 'additive'" }, told(done))
    assert.equal(clip("skyrim-se", { blend_hint = 1 }), bytes)
    local doc <close> = assert(lathe.parse(clip("fallout4")))
    doc.objects[3].type = "predictive"
    assert.same({ "objects[3].type: 'predictive' became 'spline_compressed'" }, told(assert(doc:convert "skyrim-le")))
    assert.equal(clip("skyrim-le"), doc:encode())
  end)

  it("is refused by name: classes", function()
    assert.equal("objects[3]: no counterpart in files of Skyrim SE is known of hkaLosslessCompressedAnimation",
      refused((sample.clip { kind = "lossless", game = "fallout4" }), "skyrim-se"))
    local variants = {}
    for i = 1, 10 do
      variants[i] = { "v", "hkClass" .. i, sample.opaque("hkClass" .. i, i, ("c"):rep(16)) }
      variants[i + 10] = { "v", "hkClass" .. i, sample.opaque("hkClass" .. i, i, ("d"):rep(16)) }
    end
    assert.equal("objects[2]: no counterpart in files of Skyrim SE is known of hkClass1, hkClass2, hkClass3, "
      .. "hkClass4, hkClass5, hkClass6, hkClass7, hkClass8 and others",
      refused((sample.build(sample.root(variants), { game = "skyrim-le" })), "skyrim-se"))
  end)

  it("is nothing where the file is of that game already, whatever it holds", function()
    local bytes = sample.build(sample.root { { "c", "hkCar", sample.opaque("hkCar", 1, "car") } }, { game = "skyrim-le" })
    local same, done = converted(bytes, "skyrim-le")
    assert.same({ bytes, 0 }, { same, done.changed })
  end)

  it("is any other word", function()
    local doc <close> = assert(lathe.parse(clip("skyrim-se")))
    local done, err = doc:convert "starfield"
    assert.is_nil(done)
    assert.equal("'to' of convert is one of skyrim-le, skyrim-se, fallout4, Skyrim LE, Skyrim SE, Fallout 4, xml",
      err.message)
    assert.has_error(function() doc:convert() end, "convert needs 'to': a string")
  end)

  it("is a packfile inside of a NIF", function()
    local collision, hknp = require "sample_collision", require "sample_hknp"
    local system = collision.system { { shape = hknp.box { half = { 1, 1, 1 } } } }
    local nif <close> = assert(lathe.parse((collision.nif({ { name = "A", body = 0 } }, system))))
    for _, block in ipairs(nif.blocks) do
      if lathe.type(block) == "bhkPhysicsSystem" then
        local done, err = block.system:convert "skyrim-se"
        assert.is_nil(done)
        assert.equal("a packfile inside another file has the game of that file: convert the file", err.message)
        return
      end
    end
    error "no such block"
  end)
end)

-- ---- the corpus --------------------------------------------------------------------------------------

local function classes_of(file)
  local list = {}
  for i, object in ipairs(file.objects) do list[i] = object.class end
  return list
end

local function without(list, name)
  local rest = {}
  for _, one in ipairs(list) do
    if one ~= name then rest[#rest + 1] = one end
  end
  return rest
end

-- What other readers find: classes with their signatures, and the variants of the root.
local function signatures_of(file)
  local list = {}
  for _, entry in ipairs(file.class_names) do list[entry.name] = entry.signature end
  return list
end

local function variants_of(file)
  local list = {}
  for i, variant in ipairs(file:members(file.objects[1]).named_variants) do
    list[i] = { variant.name, variant.class_name }
  end
  return list
end

local function header_of(file)
  return { file.contents_version, file.version_bytes, file.file_version, file.pointer_size, file.max_predicate,
    file.predicate, file.flags, file.user_tag }
end

local function evaluator(bytes)
  local file = reader.read(bytes)
  for _, object in ipairs(file.objects) do
    if object.class == "hkaSplineCompressedAnimation" then return reference.new(file:members(object)), file end
  end
end

-- The same in another file of theirs: every track at every frame, with no difference at all.
local function same_samples(wanted, got, members)
  local a, b = evaluator(wanted), evaluator(got)
  for track = 1, members.number_of_transform_tracks do
    for frame = 0, members.num_frames - 1, 7 do
      assert.equal(0, reference.distance(a:at_frame(track, frame), b:at_frame(track, frame)))
    end
  end
end

-- Of the files that are refused: the first of the objects, and the classes that have no counterpart.
local PROJECT <const> = { 2, "hkbProjectData, hkbProjectStringData" }
local RAGDOLL <const> = { 7, "hkMemoryResourceHandle, hkpRigidBody, hkpCapsuleShape, hkpShapeInfo, hkpPhysicsData, "
  .. "hkpPhysicsSystem, hkpConstraintInstance, hkpRagdollConstraintData and others" }
local SYSTEM <const> = { 5, "hknpPhysicsSceneData, hknpRagdollData, hknpCapsuleShape, hkRefCountedProperties, "
  .. "hknpShapeMassProperties, hkpRagdollConstraintData, hkpPositionConstraintMotor, hkpLimitedHingeConstraintData" }
local REFUSED <const> = {
  { "skyrim-le/SOSMale.hkx", "fallout4", PROJECT },
  { "skyrim-le/skeever_skeleton.hkx", "fallout4", RAGDOLL },
  { "skyrim-le/skeleton.hkx", "fallout4", RAGDOLL },
  { "skyrim-le/skeleton_troll.hkx", "fallout4", { 15, RAGDOLL[2] } },
  { "skyrim-se/skeleton.hkx", "fallout4", RAGDOLL },
  { "fo4/skeleton.hkx", "skyrim-le", SYSTEM },
  { "fo4/skeleton.hkx", "skyrim-se", SYSTEM },
}

local function refusals(folder, list)
  for _, game in ipairs { "skyrim-le", "skyrim-se", "fo4" } do
    local dir = folder .. "/" .. game
    for _, file in ipairs(helper.list(dir, "%.hkx$")) do
      local doc <close> = lathe.open(dir .. "/" .. file)
      for _, to in ipairs(doc and GAMES or {}) do
        local done, err = doc:convert { to = to }
        if not done then
          list[#list + 1] = ("%s/%s to %s: %s: %s"):format(game, file, to, err.where, err.message)
        elseif done.changed > 0 then
          assert(doc:convert(game == "fo4" and "fallout4" or game))
        end
      end
    end
  end
  return list
end

describe("converted files of the corpus #corpus", function()
  it("come back to the byte, by whichever way, with nothing to tell", function()
    local count = figures.each(lathe, pending, function(_, doc, _, entry)
      local bytes, from = helper.read(entry.path), word_of(doc.game)
      for _, first in ipairs(GAMES) do
        for _, second in ipairs(GAMES) do
          for _, to in ipairs { first, second, from } do
            local done = assert(doc:convert { to = to })
            assert.same({}, done.skipped)
            assert.is_true(doc:check(), entry.name .. " as " .. to)
          end
          assert.equal(bytes, doc:encode())
        end
      end
    end, "animation")
    assert.equal(10, count)
  end)

  it("are, to other readers, what that game's own are, with equal samples", function()
    local own, MOTION <const> = {}, "hkaDefaultAnimatedReferenceFrame"
    for _, path in ipairs { "skyrim-le/1hm_staggerbacksmallest", "skyrim-se/bow_drawlight", "fo4/run_forward_to_idle" } do
      local file = reader.read(helper.read(("%s/%s.hkx"):format(helper.need_corpus("hkx", pending), path)))
      own[path:match "^fo4" and "fallout4" or path:match "^[^/]+"] = file
    end
    figures.each(lathe, pending, function(_, doc, _, entry)
      local bytes = helper.read(entry.path)
      local from = reader.read(bytes)
      for _, to in ipairs(GAMES) do
        local there = converted(bytes, to)
        local file, like = reader.read(there), own[to]
        assert.same(classes_of(from), classes_of(file))
        assert.same(variants_of(from), variants_of(file))
        if entry.name ~= "skyrim-le/SOSFastErect.hkx" then -- which a community tool wrote
          assert.same(without(classes_of(like), MOTION), without(classes_of(file), MOTION))
          assert.same(variants_of(like), variants_of(file))
        end
        local signatures = signatures_of(like)
        for name, signature in pairs(signatures_of(file)) do
          assert.equal(signatures[name] or name == MOTION and signature, signature, name)
        end
        assert.same(header_of(like), header_of(file))
        if entry.name ~= "fo4/CoughingAfterCryo.hkx" then same_samples(bytes, there, doc.objects[3]) end
      end
    end, "animation")
  end)

  it("are all but those with classes that only one version has, which are refused by name", function()
    local wanted = {}
    for i, row in ipairs(REFUSED) do
      wanted[i] = ("%s to %s: objects[%d]: no counterpart in files of %s is known of %s"):format(row[1], row[2],
        row[3][1], TITLES[row[2]], row[3][2])
    end
    assert.same(wanted, refusals(helper.need_corpus("hkx", pending), {}))
  end)

  it("are those of behaviour between Skyrim's two, and to no other", function()
    local list = refusals(helper.need_corpus("hkx-behavior", pending), {})
    for _, text in ipairs(list) do
      assert.matches("^[%w_/-]+%.hkx to %w[%w-]+: objects%[%d+%]: no counterpart in files of %w+ %w+ is known of hk", text)
      assert.truthy(text:find "^fo4/" or text:find "%.hkx to fallout4: ", text)
    end
    assert.equal(28 + 2 * 2, #list)
  end)

  -- Skyrim LE's of this pair went through XML, which keeps six decimals and no w of vectors that have none.
  local THROUGH_XML <const> = "wisp_skeleton.hkx"

  local function same_but_for_xml(wanted, got)
    local doc <close> = assert(lathe.parse(wanted))
    assert.equal(#wanted, #got)
    for at = 1, #wanted - 3, 4 do
      local a, b = string.unpack("<f", wanted, at), string.unpack("<f", got, at)
      local near = math.abs(a - b) <= 1e-6 * math.max(1, math.abs(a)) -- not so where one is a NaN
      if wanted:sub(at, at + 3) ~= got:sub(at, at + 3) and not near then
        local view, field = doc:at(at - 1)
        assert.same({ "hkVector4", "w" }, { lathe.type(view), field })
      end
    end
  end

  it("of behaviour are the other game's own file, byte for byte, and come back", function()
    local root, pairs_met = helper.need_corpus("hkx-behavior", pending), 0
    for _, name in ipairs(helper.list(root .. "/skyrim-le", "%.hkx$")) do
      local bytes = { ["skyrim-le"] = helper.read(root .. "/skyrim-le/" .. name),
        ["skyrim-se"] = helper.read(root .. "/skyrim-se/" .. name) }
      for from, to in pairs { ["skyrim-le"] = "skyrim-se", ["skyrim-se"] = "skyrim-le" } do
        local doc <close> = assert(lathe.parse(bytes[from]))
        local there = assert(doc:serialize { game = to })
        if name == THROUGH_XML then same_but_for_xml(bytes[to], there) end
        assert.is_true(name == THROUGH_XML or bytes[to] == there, name .. " as that of " .. to)
        assert.is_true(bytes[from] == doc:encode())
        assert(doc:convert(to))
        assert.is_true(there == doc:encode(), name .. " becomes that of " .. to)
        assert(doc:convert(from))
        assert.is_true(bytes[from] == doc:encode(), name .. " comes back")
      end
      pairs_met = pairs_met + 1
    end
    assert.equal(14, pairs_met)
  end)
end)
