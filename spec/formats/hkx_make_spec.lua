-- Packfiles made by hand: what may be left out, what is refused and in which words.

local helper = require "helper"
local lathe = require "lathe"
local reader = require "hkx_reader"
local sample = require "sample_hkx"

local ROOT = { class = "hkRootLevelContainer", named_variants = { { name = "x", class_name = "y", variant = 2 } } }

-- A table of a root and one object.
local function with(object, more)
  local all = { objects = { ROOT, object } }
  for k, v in pairs(more or {}) do all[k] = v end
  return all
end

local function refused(fields)
  local doc, err = lathe.new("hkx", fields)
  assert.is_nil(doc)
  return tostring(err)
end

local function made(fields)
  local doc = assert(lathe.new("hkx", fields))
  local bytes = doc:encode()
  assert.equal(bytes, doc:serialize())
  return bytes, doc
end

describe("a packfile made by hand", function()
  it("is an empty one for Fallout 4 where nothing is said", function()
    for _, fields in ipairs { {}, { objects = { { class = "hkRootLevelContainer" } } } } do
      assert.equal((sample.build(sample.root {}, { game = "fallout4" })), (made(fields)))
    end
    assert.equal((made {}), assert(lathe.new("hkx")):encode())
  end)

  it("has the layout that is told, or the game's", function()
    local skeleton = { class = "hkaSkeleton", name = "Root", bones = { { name = "Root" }, { name = "Arm" } },
      parent_indices = { -1, 0 }, float_slots = { "a", "bcd" } }
    for _, row in ipairs {
      { { game = "skyrim-le" }, { game = "skyrim-le" } },
      { { game = "Skyrim SE" }, { game = "skyrim-se" } },
      { { file_version = 8, pointer_size = 4, little_endian = false }, { game = "skyrim-le", endian = ">" } },
      { { file_version = 8 }, { game = "skyrim-se" } },
      { { pointer_size = 4 }, { game = "fallout4", pointer_size = 4 } },
      { { predicates = "" }, { game = "fallout4", embedded = true } },
      { { user_tag = 5, flags = -1 }, { user_tag = 5, flags = -1 } },
      { { file_version = 11, pointer_size = 4, little_endian = false, game = "skyrim-se" }, { game = "skyrim-se" } },
    } do
      local object = { class = "hkaSkeleton", name = "Root", parent_indices = { -1, 0 }, float_slots = { "a", "bcd" },
        bones = { { name = "Root" }, { name = "Arm" } } }
      assert.equal((sample.build(sample.root { { "x", "y", object } }, row[2])), (made(with(skeleton, row[1]))))
    end
  end)

  it("has the defaults of its classes", function()
    local _, doc = made { game = "fallout4", objects = {
      { class = "hkRootLevelContainer", named_variants = { {}, { variant = 2 }, { variant = 3 } } },
      { class = "hkaSplineCompressedAnimation", annotation_tracks = { {}, { track_name = false } } },
      { class = "hkaDefaultAnimatedReferenceFrame" },
    } }
    local variants, clip, motion = doc.root.named_variants, doc.objects[2], doc.objects[3]
    assert.equal(false, variants[1].name)
    assert.equal(false, variants[1].variant)
    assert.same({ "", false }, { clip.annotation_tracks[1].track_name, clip.annotation_tracks[2].track_name })
    assert.equal(256, clip.max_frames_per_block)
    assert.same({ 0, 0, 1, 0 }, { motion.up.x, motion.up.y, motion.up.z, motion.up.w })
    assert.same({ "hkRootLevelContainer", "hkaSplineCompressedAnimation", "hkaDefaultAnimatedReferenceFrame" },
      { doc.class_names[5].name, doc.class_names[6].name, doc.class_names[7].name })
    assert.equal(0x8C3B5F7E, doc.class_names[6].signature)
  end)

  it("has the objects in the order in which the root leads to them", function()
    local bytes = made { game = "skyrim-se", objects = {
      { class = "hkRootLevelContainer", named_variants = { { variant = 4 }, { variant = "objects[2]" } } },
      { class = "hkMemoryResourceContainer", name = "b", children = { 3, false, 5 } },
      { class = "hkMemoryResourceContainer", name = "c", children = { 2 } },
      { class = "hkMemoryResourceContainer", name = "a" },
      { class = "hkMemoryResourceContainer", name = "d", parent = 1.0 },
      { class = "hkMemoryResourceContainer", name = "nobody's", children = { 7 } },
      { class = "hkMemoryResourceContainer", name = "not mine" },
    } }
    local file, names = reader.read(bytes), {}
    for i, object in ipairs(file.objects) do names[i] = file:members(object).name or "" end
    assert.same({ "", "a", "b", "c", "d", "nobody's", "not mine" }, names)
  end)

  it("takes objects that are not described as bytes with pointers", function()
    local wheel = sample.opaque("hkWheel", 7, ("w"):rep(32), { { 0x10, 0x18 }, { 0x04, 0x20 } })
    wheel.globals = { { 0x08, wheel } }
    local root = sample.root { { "x", "y", wheel } }
    wheel.globals[2] = { 0x00, root }
    assert.equal((sample.build(root, { game = "skyrim-le" })), (made(with({ class = "hkWheel", bytes = ("w"):rep(32),
      pointers = " 0x10=0x18 0x8=#2  0x4=0x20 0x0=#1" },
      { game = "skyrim-le", class_names = { { name = "hkWheel", signature = 7 } } }))))
  end)

  it("takes records and lists of other documents", function()
    local _, doc = made(with({ class = "hkaSkeleton", name = "x", float_slots = { "a" },
      bones = { { name = "b" }, { name = "c", lock_translation = true } } }, { game = "skyrim-le" }))
    local skeleton = doc.objects[2]
    local bytes = made(with({ class = "hkaSkeleton", name = "x", float_slots = skeleton.float_slots,
      bones = { skeleton.bones[1], skeleton.bones[2] } }, { game = "skyrim-le" }))
    assert.equal(doc:encode(), bytes)
    assert.equal(bytes, (made(with({ class = "hkaSkeleton", name = "x", float_slots = { "a" }, bones = skeleton.bones },
      { game = "skyrim-le" }))))
    assert.equal(bytes, (made(with(skeleton, { game = "skyrim-le" }))))
    assert.equal(assert(doc:serialize { game = "fallout4" }), (made(with(skeleton))))
    assert.equal("objects[1].named_variants[1].variant: an object's number expected: a view points into its own document",
      refused { objects = { doc.objects[1], skeleton } })
    doc:close()
  end)
end)

describe("a packfile is not made of", function()
  local function case(name, words, fields)
    it(name, function() assert.equal(words, refused(fields)) end)
  end

  case("no objects", "0 objects: the first is the root, which leads to the others", { objects = {} })
  case("a number of objects", "objects: a list expected", { objects = 3 })
  case("numbers", 'objects[1]: an object expected: { class = "hkaSkeleton", … }', { objects = { 3 } })
  case("objects without a class", "objects[2]: class: the name of its class expected", with {})
  case("misspelt classes", "objects[2]: no class 'hkaSkelton' is known; did you mean 'hkaSkeleton'? "
    .. "For classes that lathe does not know, give bytes", with { class = "hkaSkelton" })
  case("unknown classes", "objects[2]: no class 'hkFoo' is known: give its bytes", with { class = "hkFoo" })
  case("classes without a signature", "objects[2]: hkFoo: the signature of its class is not known",
    with { class = "hkFoo", bytes = "abc" })
  case("signatures without a name", "class_names: element 1: a name and a signature expected",
    with({ class = "hkFoo", bytes = "abc" }, { class_names = { { signature = 4 } } }))
  case("misspelt fields", "objects[2]: no field 'nmae' in hkaSkeleton; did you mean 'name'?",
    with { class = "hkaSkeleton", nmae = "x" })
  case("misspelt fields of elements", "objects[2].bones[2]: no field 'nam' in hkaBone; did you mean 'name'?",
    with { class = "hkaSkeleton", bones = { {}, { nam = "x" } } })
  case("misspelt fields of bytes", "objects[2]: no field 'bites' in hkObject; did you mean 'bytes'?",
    with({ class = "hkpRigidBody", bytes = "abc", bites = 1 }, { game = "skyrim-le" }))
  case("misspelt fields of its own", "hkPackfile at 0x0: no field 'flgs' in hkPackfile; did you mean 'flags'?",
    with({ class = "hkaSkeleton" }, { flgs = 1 }))
  case("texts that are none", "objects[2].name: a string or false expected", with { class = "hkaSkeleton", name = 3 })
  case("texts with a zero", "objects[2].name: text that contains its terminator, the byte 0x00",
    with { class = "hkaSkeleton", name = "a\0b" })
  case("lists that are none", "objects[2].bones: a list expected", with { class = "hkaSkeleton", bones = 3 })
  case("elements that are none", "objects[2].bones[1]: hkaBone expected", with { class = "hkaSkeleton", bones = { 3 } })
  case("lists of texts with a number", "objects[2].float_slots: a string or false expected",
    with { class = "hkaSkeleton", float_slots = { "a", 3 } })
  case("numbers out of range", "objects[2].parent_indices: 70000 is not in -32768 .. 32767",
    with { class = "hkaSkeleton", parent_indices = { 1, 70000 } })
  case("long vectors", "objects[2].reference_pose[1].translation: hkVector4 has 4 numbers, got 5",
    with { class = "hkaSkeleton", reference_pose = { { translation = { 1, 2, 3, 4, 5 } } } })
  case("unknown names of a number", "objects[2].blend_hint: no blend hint is called 'addtive'; did you mean 'additive'?",
    with { class = "hkaAnimationBinding", blend_hint = "addtive" })
  case("pointers out of range", "objects[2].animation: no object 9: there are 2",
    with { class = "hkaAnimationBinding", animation = 9 })
  case("pointers to halves", "objects[2].skeletons: no object 1.5: there are 2",
    with { class = "hkaAnimationContainer", skeletons = { 1.5 } })
  case("pointers to names", "objects[2].skeletons: an object's number or false expected",
    with { class = "hkaAnimationContainer", skeletons = { "Root" } })
  case("paths out of range", "objects[2].skeletons: no object 3: there are 2",
    with { class = "hkaAnimationContainer", skeletons = { "objects[3]" } })
  case("fields of another version", "objects[2].partition_indices: absent here",
    with({ class = "hkaAnimationBinding", partition_indices = { 1 } }, { game = "skyrim-se" }))
  case("classes of another version", "objects[2]: hkaLosslessCompressedAnimation: the signature of its class is not known",
    with({ class = "hkaLosslessCompressedAnimation" }, { game = "skyrim-se" }))
  case("fields that the game lacks", "objects[2].partition_indices at 0x210: files of that game have no such field, "
    .. "and it is not empty (hkaAnimationBinding)",
    with({ class = "hkaAnimationBinding", partition_indices = { 1 } }, { file_version = 11, game = "skyrim-se" }))
  case("games", "game: no such game: skyrim-le, skyrim-se or fallout4 expected", { game = "skyrim" })
  case("versions", "file version 9 with pointers of 8 bytes: lathe writes 8 and 11, 4 and 8", { file_version = 9 })
  case("pointers of 6 bytes", "file version 11 with pointers of 6 bytes: lathe writes 8 and 11, 4 and 8",
    { pointer_size = 6 })
  case("other padding", "reuse_padding: an integer from 0 to 0 expected", { reuse_padding = true })
  case("bytes that nothing explains", "types: bytes that serialize() has no place for", { types = "abc" })

  for _, text in ipairs { "x", "0x10", "0x10=", "0x10=0x21", "0x20=#1", "0x10=#3", "0x10=#0", "0x10=@0x44", "0x10=0x4x" } do
    case("pointers like " .. text, ("objects[2].pointers: '%s' is no pointer from 0x0 .. 0x20 to there or to an object "
      .. "(0x10=0x40, 0x10=#2)"):format(text),
      with({ class = "hkpRigidBody", bytes = ("x"):rep(32), pointers = text }, { game = "skyrim-le" }))
  end

  it("what it has no place for, but leaves out what is empty", function()
    local empty = { class = "hkaAnimationBinding", partition_indices = {} }
    local none = { class = "hkaAnimationBinding" }
    assert.equal((made(with(none, { game = "skyrim-se" }))), (made(with(empty, { game = "skyrim-se" }))))
    local frame = { class = "hkaDefaultAnimatedReferenceFrame", frame_type = 0 }
    assert.equal((made(with(frame))):len(), (made(with { class = frame.class })):len())
    made(with(frame, { game = "skyrim-le" }))
    frame.frame_type = 1
    assert.equal("objects[2].frame_type: absent here", refused(with(frame, { game = "skyrim-le" })))
  end)
end)

describe("a copy of an object that is not described #corpus", function()
  it("has its pointers, and may be put back", function()
    local path = helper.need_corpus("hkx", pending) .. "/skyrim-se/skeleton.hkx"
    -- As if nobody knew some of its classes: of another signature.
    local bytes = helper.read(path)
    for _, class in ipairs { "hkpConstraintInstance", "hkpRigidBody", "hkpPhysicsSystem" } do
      local at = bytes:find("\9" .. class .. "\0", 1, true)
      bytes = bytes:sub(1, at - 5) .. "\1\2\3\4" .. bytes:sub(at)
    end
    local doc <close> = assert(lathe.parse(bytes))
    local count = 0
    for i = 1, #doc.objects do
      local object = doc.objects[i]
      local copy = object:totable()
      if copy.bytes then
        count = count + #(copy.pointers or "")
        assert.equal(lathe.type(object), copy.class)
        object.pointers = copy.pointers or ""
        object.bytes = copy.bytes
        assert.error_matches(function() object.pointers = "0x0=0x10" end, "read%-only: the meaning of its bytes is unknown")
      end
    end
    assert(count > 1000)
    assert.is_true(bytes == doc:encode())
  end)
end)
