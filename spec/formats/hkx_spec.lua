-- Packfiles: the container and the objects in it, as scripts see them. hkx_layout_spec has the offsets,
-- hkx_bad_spec what is broken.

local checks = require "format_checks"
local classes = require "hkx_classes"
local lathe = require "lathe"
local pieces = require "hkx_pieces"
local reader = require "hkx_reader"
local sample = require "sample_hkx"
local write = require "format_write"

local LAYOUTS = sample.layouts

local function name_of(layout)
  return ("%s/%s%s%s"):format(layout.game, layout.pointer_size or "", layout.endian or "",
    layout.embedded and " embedded" or "")
end

local THING = 0x12345678

-- A clip with something of everything that a file can hold, and three objects of a class nobody knows.
local function everything(layout)
  local width = sample.layout(layout).pointer_size
  local last = sample.opaque("hkThing", THING, ("z"):rep(32))
  local next_one = sample.opaque("hkThing", THING, ("y"):rep(16), nil, { { 0, last } })
  local thing = sample.opaque("hkThing", THING, ("\0"):rep(2 * width) .. ("x"):rep(48 - 2 * width),
    { { 0, 32 } }, { { width, next_one } })
  return sample.clip(sample.with(layout, {
    tracks = 4, frames = 20, floats = { 1, function(frame) return frame end }, motion = true, blend_hint = 1,
    bones = { 3, 0, -1, 2 },
    annotations = { { track = 0, time = 0.25, text = "FootLeft" }, { track = 2, time = 0, text = "" },
      { track = 0, time = 0.5, text = "sixteen bytes ok" } },
    track_names = { "first", false, "third" },
    skeletons = { { bones = { "Root", { name = "COM", lock = 1, translation = { 1, 2, 3, 0.5 } }, "" },
      float_slots = { "a", "bc", "" }, reference_floats = { 0.5, -1, 2 } }, { name = "Ragdoll", bones = 2 } },
    variants = { { "nothing", "hkaNothing" }, { "Opaque", "hkThing", thing } },
  }))
end

-- Files in which each described class has an object.
local function of_all_classes(layout)
  local new = sample.layout(layout).version == "hk_2014.1"
  local mapper = sample.mapper(sample.skeleton_object { name = "A" }, sample.skeleton_object { name = "B" },
    { simple = { { 0, 0 }, { 1, 1 } }, chains = { { 0, 1, 0, 1 } }, unmapped = { 2, 1 } })
  local skeleton = { bones = 2, float_slots = { "x" }, local_frames = { { bone_index = 1 } } }
  if new then
    mapper.partition_map = { 0, 1 }
    mapper.simple_mapping_partition_ranges = { { num_mappings = 1 } }
    mapper.chain_mapping_partition_ranges = { { num_mappings = 2 } }
    skeleton.partitions = { { name = "a", num_bones = 1 } }
  end
  local list = { (sample.clip(sample.with(layout, {
    tracks = 2, frames = 4, floats = { 1 }, motion = true, skeletons = { skeleton },
    bones = { 0, 1 }, partition_indices = new and { 0 } or nil,
    annotations = { { time = 0.5, text = "a" } }, variants = { { "SkeletonMapper", mapper.class, mapper } },
  }))), (sample.clip(sample.with(layout, { kind = "interleaved", frames = 2, tracks = 1, floats = { 1 } }))) }
  if new then
    list[3] = sample.clip(sample.with(layout, { kind = "lossless", frames = 2, floats = { 1 }, tracks = {
      { translation = { x = 1, z = { 1, 2 } }, rotation = { 0, 0, 0, 1 }, scale = { x = 1, z = { 3, 4 } } },
      { rotation = { { { 0, 0, 0, 1 }, { 0, 0, 1, 0 } } } },
    } }))
  end
  return list
end

local function objects_of(doc, class)
  local list = {}
  for _, object in ipairs(doc.objects) do
    if lathe.type(object) == class then list[#list + 1] = object end
  end
  return list
end

-- ---- views against the reader ----------------------------------------------------------------------

local compare, compare_layout

-- A member as the reader has it: numbers bit for bit, pointers as numbers of objects.
local function compare_value(got, wanted, member, label)
  if member.element and member.type ~= "bytes" then
    assert.equal(#wanted, #got, label)
    for i = 1, #wanted do
      compare_value(got[i], wanted[i], { type = member.element }, ("%s[%d]"):format(label, i))
    end
  elseif member.type == "obj" then
    assert.equal(wanted and ("objects[%d]"):format(wanted.index), got and lathe.path(got), label)
  elseif member.type == "vec4" or member.type == "u16x4" then
    for i = 1, 4 do assert.equal(string.pack("<n", wanted[i]), string.pack("<n", got[i]), label) end
  elseif member.type == "qs" then
    for _, part in ipairs { "translation", "rotation", "scale" } do
      compare_value(got[part], wanted[part], { type = "vec4" }, label .. "." .. part)
    end
  elseif type(wanted) == "table" then
    compare(got, wanted, member.type, label)
  elseif type(got) == "boolean" and type(wanted) == "number" then
    assert.equal(wanted ~= 0, got, label)
  else
    assert.equal(wanted, got, label)
  end
end

function compare(view, members, class_name, label)
  local layout = compare_layout
  local class = classes.get(layout.version, layout.pointer_size, class_name)
  for _, member in ipairs(class) do
    local place = view
    if class_name == "hkaSkeletonMapper" then place = view.mapping end
    local got = place[member.name]
    if type(got) == "string" and type(members[member.name]) == "number" then -- a name
      got = lathe.raw(place, member.name)
    end
    compare_value(got, members[member.name], member, label .. "." .. member.name)
  end
end

describe("hkx", function()
  for _, layout in ipairs(LAYOUTS) do
    describe(name_of(layout), function()
      local bytes, parts = everything(layout)
      local file = reader.read(bytes)

      it("comes back as it was read", function()
        local doc <close> = checks.open("hkx", bytes)
        assert.equal(bytes, doc:encode())
        assert.is_false(doc.modified)
        assert.equal(#bytes, doc.size)
        doc:totable()
        doc:check()
        assert.equal(bytes, doc:encode())
      end)

      it("has a header, sections and class names", function()
        local doc <close> = checks.open("hkx", bytes)
        for _, name in ipairs { "user_tag", "file_version", "pointer_size", "num_sections",
          "contents_section_index", "contents_section_offset", "contents_class_name_section_index",
          "contents_class_name_section_offset", "contents_version", "flags", "max_predicate" } do
          assert.equal(file[name], doc[name], name)
        end
        assert.same({ layout.endian ~= ">", false, true },
          { doc.little_endian, doc.reuse_padding, doc.empty_base })
        assert.equal(file.predicate, doc.predicates)
        for i, section in ipairs(file.sections) do
          for _, name in ipairs { "name", "absolute_data_start", "local_fixups_offset", "global_fixups_offset",
            "virtual_fixups_offset", "exports_offset", "imports_offset", "end_offset" } do
            assert.equal(section[name], doc.sections[i][name], name)
          end
        end
        for i, row in ipairs(parts.info.class_names) do
          assert.same({ row.name, row.signature }, { doc.class_names[i].name, doc.class_names[i].signature })
        end
        assert.equal(#parts.info.class_names, #doc.class_names)
        local games = { ["skyrim-le"] = "Skyrim LE", ["skyrim-se"] = "Skyrim SE", fallout4 = "Fallout 4" }
        assert.equal(games[layout.game], doc.game)
      end)

      it("has three tables, by their names", function()
        local doc <close> = checks.open("hkx", bytes)
        local sets = { local_fixups = "locals", global_fixups = "globals", virtual_fixups = "virtuals" }
        for name, key in pairs(sets) do
          local rows = doc[name].fixups
          assert.equal(#parts.info[key], #rows, name)
          for i, row in ipairs(parts.info[key]) do
            assert.same({ row[1], row[#row] }, { rows[i].source, rows[i].target })
            if #row == 3 then assert.equal(row[2], rows[i].section) end
          end
        end
        for name in pairs(doc) do
          assert(not sets[name] and name ~= "sections" and name ~= "num_sections", name .. " is listed")
        end
        local plain = doc:totable()
        assert.is_nil(plain.local_fixups or plain.sections or plain.num_sections or plain.class_names_padding)
      end)

      it("has the objects with their classes, where they are", function()
        local doc <close> = checks.open("hkx", bytes)
        assert.equal(#parts.info.order, #doc.objects)
        for i, object in ipairs(parts.info.order) do
          local view = doc.objects[i]
          assert.equal(object.class, lathe.type(view))
          assert.equal(("objects[%d]"):format(i), lathe.path(view))
          assert.same({ parts.info:place(object), parts.info.size[object] }, { lathe.span(view) })
          assert.equal(bytes:sub(parts.info:place(object) + 1, parts.info:place(object) + parts.info.size[object]),
            lathe.bytes(view))
        end
        assert.equal(doc.objects[1], doc.root)
        assert.equal("objects[1]", lathe.path(doc.root))
      end)

      it("has every member of every object as the reader has it", function()
        for _, one in ipairs { bytes, table.unpack(of_all_classes(layout)) } do
          local doc <close> = checks.open("hkx", one)
          local plain = reader.read(one)
          compare_layout = { version = plain.version, pointer_size = plain.pointer_size }
          for i, object in ipairs(plain.objects) do
            local members = plain:members(object)
            if members then compare(doc.objects[i], members, object.class, object.class) end
          end
        end
      end)

      it("has pointers as views, null as false, numbers of objects as raw values", function()
        local doc <close> = checks.open("hkx", bytes)
        local variants = doc.root.named_variants
        assert.equal("hkaAnimationContainer", lathe.type(variants[1].variant))
        assert.equal("objects[2]", lathe.path(variants[1].variant))
        assert.equal(2, lathe.raw(variants[1], "variant"))
        assert.is_false(variants[2].variant)
        assert.equal(0, lathe.raw(variants[2], "variant"))
        assert.equal("hkThing", lathe.type(variants[3].variant))
        local container = variants[1].variant
        assert.same({ 2, 1, 1, 0, 0 }, { #container.skeletons, #container.animations, #container.bindings,
          #container.attachments, #container.skins })
        assert.equal(container.animations[1], container.bindings[1].animation)
        assert.equal("hkaDefaultAnimatedReferenceFrame", lathe.type(container.animations[1].extracted_motion))
        assert.is_false(objects_of(doc, "hkMemoryResourceContainer")[1].parent)
        assert.equal(3, lathe.raw(container.skeletons, 1))
        assert.equal(container.skeletons[1], doc:get "root.named_variants[1].variant.skeletons[1]")
        assert.equal("COM", doc:get "root.named_variants[1].variant.skeletons[1].bones[2].name")
        assert.equal("objects[3].bones[2].name",
          lathe.path(doc:get "root.named_variants[1].variant.skeletons[1].bones[2]", "name"))
      end)

      it("has texts that are none, empty, long", function()
        local doc <close> = checks.open("hkx", bytes)
        local tracks = objects_of(doc, "hkaSplineCompressedAnimation")[1].annotation_tracks
        assert.same({ "first", false, "third", "" },
          { tracks[1].track_name, tracks[2].track_name, tracks[3].track_name, tracks[4].track_name })
        assert.same({ "FootLeft", "sixteen bytes ok" },
          { tracks[1].annotations[1].text, tracks[1].annotations[2].text })
        assert.equal("", tracks[3].annotations[1].text)
        assert.same({ "a", "bc", "" }, { table.unpack(doc.objects[3].float_slots) })
        assert.same({ "a", "bc", "" }, doc.objects[3].float_slots:totable())
      end)

      it("keeps objects of unknown classes as bytes", function()
        local doc <close> = checks.open("hkx", bytes)
        local things = objects_of(doc, "hkThing")
        assert.equal(3, #things)
        for _, view in ipairs(things) do
          local offset, size = lathe.span(view)
          assert.equal(bytes:sub(offset + 1, offset + size), view.bytes)
          assert.is_nil(lathe.problem(view))
          assert.equal("hkThing", view:totable().class)
          assert.matches("^hkThing objects%[%d+%]", tostring(view))
        end
        assert.equal(("z"):rep(32), things[3].bytes)
      end)

      it("knows what lies at an offset", function()
        local doc <close> = checks.open("hkx", bytes)
        for i in ipairs(doc.objects) do
          local offset, size = lathe.span(doc.objects[i])
          for _, at in ipairs { offset, offset + size // 2, offset + size - 1 } do
            local view = doc:at(at)
            local path = lathe.path(view)
            assert(path:find("objects[" .. i .. "]", 1, true) == 1, ("0x%x: %s"):format(at, path))
          end
        end
        local bone = doc.objects[3].bones[2]
        local view, field = doc:at((lathe.span(bone, "lock_translation")))
        assert.same({ "objects[3].bones[2]", "lock_translation" }, { lathe.path(view), field })
        view, field = doc:at((lathe.span(bone, "name")))
        assert.same({ "objects[3].bones[2]", "name" }, { lathe.path(view), field })
        local annotation = objects_of(doc, "hkaSplineCompressedAnimation")[1].annotation_tracks[1].annotations[2]
        local offset, size = lathe.span(annotation, "text")
        assert.equal("sixteen bytes ok\0", bytes:sub(offset + 1, offset + size))
        view, field = doc:at(offset + 3)
        assert.same({ annotation, "text" }, { view, field })
        assert.equal(annotation, view)
      end)

      it("has every scalar of every class written in place", function()
        local seen = {}
        for _, one in ipairs { bytes, table.unpack(of_all_classes(layout)) } do
          write.every_field({ format = "hkx", fixed_only = true }, one, seen)
        end
        for _, name in ipairs { "hkx.user_tag", "hkaBone.lock_translation", "hkaAnnotationTrackAnnotation.time",
          "hkaSkeletonMapperDataSimpleMapping.bone_a", "hkQuaternion.w", "hkVector4.w",
          "hkaSkeleton.parent_indices", "hkaAnimationBinding.blend_hint", "hkaSplineCompressedAnimation.type",
          "hkaDefaultAnimatedReferenceFrame.duration", "hkaSkeletonMapperData.mapping_type",
          "hkaInterleavedUncompressedAnimation.floats" } do
          assert.is_true(seen[name], name)
        end
        if sample.layout(layout).version == "hk_2014.1" then
          for _, name in ipairs { "hkaLosslessCompressedAnimation.rotation_type_and_offsets",
            "hkaDefaultAnimatedReferenceFrame.frame_type", "hkaSkeletonPartition.num_bones",
            "hkaSkeletonMapperDataPartitionMappingRange.num_mappings" } do
            assert.is_true(seen[name], name)
          end
        end
      end)

      it("has bytes written over by as many", function()
        local doc <close> = checks.open("hkx", bytes, { history = 4 })
        for _, place in ipairs { { objects_of(doc, "hkThing")[3], "bytes" },
          { objects_of(doc, "hkaSplineCompressedAnimation")[1], "data" } } do
          local view, field = table.unpack(place)
          local offset, size = lathe.span(view, field)
          local new = view[field]:gsub(".", function(c) return string.char(c:byte() ~ 0x55) end)
          view[field] = new
          assert.equal(bytes:sub(1, offset) .. new .. bytes:sub(offset + size + 1), doc:encode())
          assert.is_true(doc:undo())
          assert.equal(bytes, doc:encode())
        end
      end)
    end)
  end

  it("names what the numbers of its version mean", function()
    local old <close> = checks.open("hkx", (everything { game = "skyrim-se" }))
    local new <close> = checks.open("hkx", (everything { game = "fallout4" }))
    for _, doc in ipairs { old, new } do
      local animation, binding = doc.objects[5], objects_of(doc, "hkaAnimationBinding")[1]
      assert.equal("spline_compressed", animation.type)
      assert.equal(doc == old and 5 or 3, lathe.raw(animation, "type"))
      assert.equal(doc == old and "additive" or "additive_deprecated", binding.blend_hint)
      for _, row in ipairs(lathe.describe(binding)) do
        if row.name == "blend_hint" then
          assert.same(doc == old and { "normal", "additive" } or { "normal", "additive_deprecated", "additive" },
            row.names)
        end
      end
      binding.blend_hint = "additive"
      assert.equal(doc == old and 1 or 2, lathe.raw(binding, "blend_hint"))
    end
  end)

  it("is recognised whatever it is called", function()
    local bytes = sample.skeleton { bones = 1 }
    local doc <close> = assert(lathe.parse(bytes, { path = "odd.name" }))
    assert.equal("hkx", doc.format)
  end)
end)

-- ---- files that no game writes ------------------------------------------------------------------------

-- Whether it opens, is kept to the byte and holds the same objects as the sound one.
local function reads(p, offsets)
  local bytes = pieces.join(p, offsets)
  local doc = checks.open("hkx", bytes)
  assert.equal(bytes, doc:encode())
  assert.equal("Bone1", doc.objects[3].bones[2].name)
  assert.equal(doc.objects[3], doc.objects[2].skeletons[1])
  assert.is_nil(lathe.problem(doc.objects[3]))
  local all = {}
  for i, object in ipairs(doc:totable().objects) do all[i] = object.class end
  assert.same({ "hkRootLevelContainer", "hkaAnimationContainer", "hkaSkeleton", "hkMemoryResourceContainer" }, all)
  return doc
end

describe("hkx files of others", function()
  for _, layout in ipairs { { game = "skyrim-le" }, { game = "fallout4" }, { game = "skyrim-se", endian = ">" } } do
    describe(name_of(layout), function()
      local function fresh()
        return pieces.split((sample.skeleton(sample.with(layout, { bones = { "Root", "Bone1", "Bone2" } }))))
      end

      it("may have more 255 behind their tables", function()
        for n = 0, 48 do
          local p = fresh()
          for _, which in ipairs { "locals", "globals", "virtuals" } do
            p.tails[which] = ("\xFF"):rep(n)
          end
          reads(p):close()
        end
      end)

      it("may have something behind the records", function()
        local p = fresh()
        p.tails.locals = ("\xFF"):rep(8) .. "what nobody reads"
        p.tails.globals = ("\xFF"):rep(12) .. ("\0"):rep(5)
        p.tails.virtuals = ("\xFF"):rep(16) .. "more"
        local doc <close> = reads(p)
        assert.equal(#p.locals, #doc.local_fixups.fixups)
        assert.equal(#p.virtuals, #doc.virtual_fixups.fixups)
      end)

      it("may have their records in any order", function()
        local p = fresh()
        for _, which in ipairs { "locals", "globals", "virtuals" } do
          local list = p[which]
          for i = 1, #list // 2 do list[i], list[#list + 1 - i] = list[#list + 1 - i], list[i] end
        end
        reads(p):close()
      end)

      it("may have exports, imports, types and trailing bytes", function()
        local p = fresh()
        p.exports, p.imports, p.types, p.trailing = "exports", "imports!", "types", "the end"
        local doc <close> = reads(p)
        assert.same({ "exports", "imports!", "types", "the end" }, { doc.exports, doc.imports, doc.types, doc.trailing })
        local plain = doc:totable()
        assert.same({ "exports", "imports!", "types", "the end" },
          { plain.exports, plain.imports, plain.types, plain.trailing })
      end)

      it("may have data in front of the first object", function()
        local p = fresh()
        p.data = ("lead"):rep(4) .. p.data
        for _, which in ipairs { "locals", "globals", "virtuals" } do
          for _, row in ipairs(p[which]) do
            row[1] = row[1] + 16
            if which ~= "virtuals" then row[#row] = row[#row] + 16 end
          end
        end
        local at = 0x1C
        p.head = sample.patch(p.head, at, string.pack(p.endian .. "i4", 16))
        local doc <close> = reads(p)
        assert.equal(("lead"):rep(4), doc.lead)
        assert.equal("objects[1]", lathe.path(doc.root))
        local view, field = doc:at(#p.head + #p.names + 5)
        assert.same({ "", "lead" }, { lathe.path(view), field })
      end)

      it("may have no data at all", function()
        local p = fresh()
        p.data, p.locals, p.globals, p.virtuals = "", {}, {}, {}
        local bytes = pieces.join(p)
        local doc <close> = checks.open("hkx", bytes)
        assert.same({ bytes, 0, false }, { doc:encode(), #doc.objects, doc.root })
        doc:totable()
        doc:check()
      end)

      it("may have pointers to objects among the local fixups", function()
        local p = fresh()
        for _, row in ipairs(p.globals) do p.locals[#p.locals + 1] = { row[1], row[3] } end
        p.globals = {}
        reads(p):close()
      end)
    end)
  end
end)
