-- The writer, the reader and the evaluator that judge lathe's packfiles are judged here: by each other, and by
-- the corpus. Nothing here calls lathe.

local helper = require "helper"
local json = require "dkjson"
local classes = require "hkx_classes"
local reader = require "hkx_reader"
local reference = require "spline_reference"
local sample = require "sample_hkx"
local spline = require "sample_spline"

local LAYOUTS = sample.layouts

local function each_layout(test)
  for _, layout in ipairs(LAYOUTS) do test(layout) end
end

-- Written, read, written again: the same bytes.
local function comes_back(bytes, layout)
  local file = reader.read(bytes)
  local root = file:graph()
  assert.equal(bytes, (sample.build(root, sample.with(layout, { signatures = nil }))))
  return file
end

local function find(file, class)
  for _, object in ipairs(file.objects) do
    if object.class == class then return file:members(object), object end
  end
end

local function near(wanted, got, limit)
  assert(reference.distance(wanted, got) <= limit, table.concat(got, " "))
end

local function wave(phase)
  return function(frame) return 10 * math.sin(frame / 7 + phase) end
end

local function turn(frame)
  local half = frame / 40
  return { 0.6 * math.sin(half), 0, 0.8 * math.sin(half), math.cos(half) }
end

describe("the plain packfiles", function()
  it("have the layouts of the reference", function()
    for _, version in ipairs { "hk_2010.2", "hk_2014.1" } do
      for _, pointer_size in ipairs { 4, 8 } do
        for _, name in ipairs(classes.names(version, pointer_size)) do
          local class, stop = classes.get(version, pointer_size, name), 0
          for _, member in ipairs(class) do
            local size = classes.sizes[member.type] or (member.element and pointer_size + 8) or pointer_size
            assert(member.offset >= stop, name .. "." .. member.name)
            assert.equal(0, member.offset % math.min(size, pointer_size, 4), name .. "." .. member.name)
            stop = member.offset + size
          end
          assert(stop <= class.size, name)
        end
      end
    end
  end)

  it("are written and read in every layout", function()
    each_layout(function(layout)
      local bytes, parts = sample.clip(sample.with(layout, {
        tracks = 5, frames = 20, floats = { 1, wave(0) }, motion = true, blend_hint = 1, bones = { 4, 0, 2, 2, -1 },
        annotations = { { track = 0, time = 0.25, text = "A" }, { track = 3, time = 0, text = "" },
          { track = 0, time = 0.5, text = "sixteen bytes ok" } },
        track_names = { "first", false, "third" }, skeletons = { { bones = 7, float_slots = { "a", "bc", "" } } },
        variants = { { "nothing", "hkaNothing" },
          { "Opaque", "hkThing", sample.opaque("hkThing", 0x12345678, ("x"):rep(24)) } },
      }))
      local file = comes_back(bytes, layout)
      assert.equal(#parts.info.order, #file.objects)
      local clip = find(file, "hkaSplineCompressedAnimation")
      assert.equal(parts.animation.data, clip.data)
      assert.same({ "first", false, "third", "", "" }, {
        clip.annotation_tracks[1].track_name, clip.annotation_tracks[2].track_name,
        clip.annotation_tracks[3].track_name, clip.annotation_tracks[4].track_name,
        clip.annotation_tracks[5].track_name })
      assert.same({ { time = 0.25, text = "A" }, { time = 0.5, text = "sixteen bytes ok" } },
        clip.annotation_tracks[1].annotations)
      local binding = find(file, "hkaAnimationBinding")
      assert.same({ 4, 0, 2, 2, -1 }, binding.transform_track_to_bone_indices)
      assert.same({ 0, 1 }, binding.float_track_to_float_slot_indices)
      assert.equal(1, binding.blend_hint)
      assert.same({ 0, 38, 0, 0 }, find(file, "hkaDefaultAnimatedReferenceFrame").reference_frame_samples[20])
      assert.same({ "a", "bc", "" }, find(file, "hkaSkeleton").float_slots)
      local variants = file:members(file.root).named_variants
      assert.same({ "nothing", false }, { variants[2].name, variants[2].variant })
      assert.equal("hkThing", variants[3].variant.class)
      for i, object in ipairs(parts.info.order) do
        assert.equal(file.data.absolute_data_start + file.objects[i].offset, parts.info:place(object))
      end
      reference.new(clip)
    end)
  end)

  it("hold several skeletons and mappers", function()
    each_layout(function(layout)
      local new = sample.layout(layout).version == "hk_2014.1"
      local bytes = sample.skeleton(sample.with(layout, {
        skeletons = {
          { name = "Root", bones = { "Root", { name = "COM", lock = 1, translation = { 1, 2, 3, 0.5 } }, "" },
            float_slots = { "hkVis:Weapon", "hkFade" }, reference_floats = { 0.5, -1 },
            partitions = new and { { name = "odd", start_bone_index = 0, num_bones = 2 }, { name = "b" } } or nil },
          { name = "Ragdoll", bones = 2 },
        },
        mappers = { { 1, 2, { simple = { { 0, 0 }, { 2, 1 } }, chains = { { 0, 1, 0, 1 } }, unmapped = { 1 } } },
          { 2, 1 } },
      }))
      local file = comes_back(bytes, layout)
      local skeleton = find(file, "hkaSkeleton")
      assert.same({ translation = { 1, 2, 3, 0.5 }, rotation = { 0, 0, 0, 1 }, scale = { 1, 1, 1, 0 } },
        skeleton.reference_pose[2])
      assert.same({ -1, 0, 1 }, skeleton.parent_indices)
      local mapper = find(file, "hkaSkeletonMapper")
      assert.equal(2, mapper.simple_mappings[2].bone_a)
      assert.same({ 1 }, mapper.unmapped_bones)
    end)
  end)

  it("hold clips without splines", function()
    local tracks = {
      { translation = { x = 2, y = wave(0) }, rotation = { turn } },
      {}, { rotation = { 0, 1, 0, 0 }, scale = { z = wave(1) } },
    }
    each_layout(function(layout)
      for _, kind in ipairs { "interleaved", "lossless" } do
        if kind == "interleaved" or sample.layout(layout).version == "hk_2014.1" then
          local bytes = sample.clip(sample.with(layout,
            { kind = kind, tracks = tracks, frames = 7, floats = { 3, wave(2) } }))
          comes_back(bytes, layout)
        end
      end
    end)
    local file = reader.read((sample.clip { kind = "interleaved", tracks = tracks, frames = 7 }))
    local values = find(file, "hkaInterleavedUncompressedAnimation")
    local pose = sample.pose(tracks[1], 4)
    for i, v in ipairs(values.transforms[4 * 3 + 1].rotation) do assert.is_near(pose[3 + i], v, 1e-6) end
    local clip = find(reader.read((sample.clip { kind = "lossless", tracks = tracks, frames = 7 })),
      "hkaLosslessCompressedAnimation")
    assert.same({ { 1, 2, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } }, clip.translation_type_and_offsets)
    assert.same({ 2, 0, 1 }, clip.rotation_type_and_offsets)
    assert.is_near(wave(0)(5), clip.dynamic_translations[6], 1e-6)
  end)

  it("refuse members that a class does not have", function()
    assert.has_error(function() sample.build { class = "hkaSkeleton", nmae = "x" } end, "hkaSkeleton has no nmae here")
  end)
end)

describe("the plain splines", function()
  it("read as they were rounded, whatever they are made of", function()
    for _, endian in ipairs { "<", ">" } do
      for degree = 0, 3 do
        for _, bits in ipairs { 8, 16 } do
          for _, code in ipairs { 0, 1, 2, 5 } do
            local members, blocks = spline.build {
              frames = 40, max_frames_per_block = 16, endian = endian,
              tracks = {
                {}, { translation = { x = 1, y = 2, z = 3 }, rotation = { 0.5, 0.5, -0.5, 0.5, code = code } },
                { translation = { x = 1.5, z = wave(0), degree = degree, bits = bits },
                  rotation = { turn, degree = degree, code = code },
                  scale = { x = 2, y = wave(1), degree = degree, bits = bits, points = 6 } },
              },
              floats = { 0.25, wave(2), { wave(2), bits = 8, degree = 3, points = 5 }, false },
            }
            local clip = reference.new(members)
            assert.same({ 3, 0, 15 }, { #blocks, blocks[1].first, blocks[1].last })
            assert.same({ 30, 39 }, { blocks[3].first, blocks[3].last })
            for b, block in ipairs(blocks) do
              assert.equal(clip.blocks[b].tracks_end, members.float_block_offsets[b])
              for i, track in ipairs(block.tracks) do
                for _, name in ipairs { "translation", "rotation", "scale" } do
                  local wanted, got = track[name], clip.blocks[b].tracks[i][name]
                  assert.equal(wanted.kind, got.kind)
                  for axis, v in ipairs(wanted.value or {}) do assert.is_near(v, got.value[axis], 1e-9) end
                  for k, point in ipairs(wanted.points or {}) do
                    for axis, v in ipairs(point) do assert.is_near(v, got.control[k - 1][axis], 1e-9) end
                  end
                end
              end
            end
          end
        end
      end
    end
  end)

  it("follow what they were made of", function()
    local members = spline.build { frames = 40, max_frames_per_block = 16,
      tracks = { { translation = { z = wave(0) }, rotation = { turn, code = 2 } } }, floats = { wave(3) } }
    local clip = reference.new(members)
    for frame = 0, 39 do
      local q = turn(frame)
      near({ 0, 0, wave(0)(frame), q[1], q[2], q[3], q[4], 1, 1, 1 }, clip:at_frame(1, frame), 2e-4)
      assert.is_near(wave(3)(frame), clip:float_at_frame(1, frame), 2e-4)
      near(clip:at_frame(1, frame), clip:at_time(1, frame * members.frame_duration), 1e-5)
    end
  end)

  it("have points on the curves of known degree", function()
    local members = spline.build { frames = 5, tracks = { { translation = {
      x = { 0, 0, 16, 0, 0 }, degree = 3, knots = { 0, 0, 0, 0, 2, 4, 4, 4, 4 } } } } }
    local clip = reference.new(members)
    assert.is_near(8, clip:at_frame(1, 2)[1], 1e-9)        -- B(2) = 1/4, 1/2, 1/4 of points 1, 2, 3
    assert.is_near(0, clip:at_frame(1, 4)[1], 1e-9)
    members = spline.build { frames = 5, tracks = { { translation = { x = { 3, 5, 7, 9 }, degree = 0 } } } }
    clip = reference.new(members)
    local steps = {}
    for frame = 0, 4 do steps[#steps + 1] = clip:at_frame(1, frame)[1] end
    assert.same({ 3, 5, 7, 9, 9 }, steps)
  end)

  it("have codes that nobody reads", function()
    for code = 0, 15 do
      local members = spline.build { frames = 3, tracks = { { rotation = { turn, code = code } } } }
      local ok, why = pcall(reference.new, members)
      local known = code < 3 or code == 5
      assert.equal(known, ok)
      if not known then assert.equal("unsupported rotation quantisation " .. code, why) end
    end
  end)
end)

-- ---- the corpus -----------------------------------------------------------------------------------

local function each_file(test)
  local folder, count = helper.need_corpus("hkx", pending), 0
  for _, game in ipairs { "fo4", "skyrim-le", "skyrim-se" } do
    for _, name in ipairs(helper.list(folder .. "/" .. game, "%.hkx$")) do
      local bytes = helper.read(("%s/%s/%s"):format(folder, game, name))
      local expected = ("%s/expected/%s__%s.json"):format(folder, game, name:gsub(" ", "_"))
      if bytes:sub(1, 1) == "\x57" then
        count = count + 1
        test(reader.read(bytes), bytes, expected, name)
      end
    end
  end
  assert.equal(16, count)
end

describe("the plain packfiles and the corpus #corpus", function()
  it("agree to the byte: objects by their values, and as bytes", function()
    each_file(function(file, bytes, _, name)
      local layout = { version = file.version, pointer_size = file.pointer_size }
      for _, opaque in ipairs { false, true } do
        local again = sample.build(file:graph(function() return opaque end), layout)
        assert(again == bytes, name)
      end
    end)
  end)

  it("agree to the byte on those embedded in .nif", function()
    local count = 0
    for _, sub in ipairs { "nif", "nif-fo4-collision", "precombined" } do
      local folder = helper.need_corpus(sub, pending)
      for _, name in ipairs(helper.list(folder, "%.nif$")) do
        local nif, at = helper.read(folder .. "/" .. name), 1
        while nif:find("\x57\xE0\xE0\x57\x10\xC0\xC0\x10", at, true) do
          at = nif:find("\x57\xE0\xE0\x57\x10\xC0\xC0\x10", at, true)
          local bytes = nif:sub(at, at - 1 + string.unpack("<I4", nif, at - 4))
          local file = reader.read(bytes)
          local again = sample.build(file:graph(), { embedded = file.predicate == "" })
          assert(again == bytes, name)
          at, count = at + #bytes, count + 1
        end
      end
    end
    assert(count >= 44, count)
  end)

  it("agree that a clip goes to every layout and back", function()
    each_file(function(file, bytes, _, name)
      if not find(file, "hkaSplineCompressedAnimation") then return end
      each_layout(function(layout)
        local there = reader.read((sample.build(file:graph(), layout)))
        assert.same({ #file.objects, #file.local_fixups, #file.global_fixups },
          { #there.objects, #there.local_fixups, #there.global_fixups })
        local back = sample.build(there:graph(), { version = file.version, pointer_size = file.pointer_size })
        assert(back == bytes, name)
      end)
    end)
  end)

  it("agree on every sample of the clips", function()
    local frames, times = 0, 0
    each_file(function(file, _, expected, name)
      local members = find(file, "hkaSplineCompressedAnimation")
      if not members then return end
      local clip = reference.new(members)
      local samples = assert(json.decode(helper.read(expected))).reference_samples
      for frame, rows in pairs(samples.frames) do
        for track, row in ipairs(rows) do
          local off = reference.distance(row, clip:at_frame(track, tonumber(frame)))
          assert(off <= 2e-5, ("%s: track %d at frame %s is off by %g"):format(name, track, frame, off))
          frames = frames + 1
        end
      end
      for time, rows in pairs(samples.times) do
        for track, row in ipairs(rows) do
          local off = reference.distance(row, clip:at_time(track, tonumber(time)))
          assert(off <= 1e-3, ("%s: track %d at %s s is off by %g"):format(name, track, time, off))
          times = times + 1
        end
      end
    end)
    assert.same({ 6829, 2646 }, { frames, times })
  end)
end)
