-- Packfiles that are broken: refused with what is wrong and where, or read as far as they make sense. Nothing of
-- them may crash, hang or take memory without bound.

local checks = require "format_checks"
local damage = require "format_damage"
local lathe = require "lathe"
local pieces = require "hkx_pieces"
local sample = require "sample_hkx"

local LAYOUTS = {
  { game = "skyrim-le" }, { game = "skyrim-se" }, { game = "fallout4" }, { game = "fallout4", embedded = true },
  { game = "skyrim-le", endian = ">" }, { game = "fallout4", endian = ">" },
}

local function refused(bytes, path)
  local doc, err = lathe.parse(bytes, { format = "hkx", path = path })
  assert.is_nil(doc, "it opened")
  assert(math.type(err.offset) == "integer" and err.offset <= #bytes, tostring(err))
  return tostring(err)
end

-- What a look at something raises.
local function raises(says, fn, ...)
  local ok, err = pcall(fn, ...)
  assert.is_false(ok, "nothing raised")
  assert.equal("table", type(err), tostring(err))
  assert.equal("sample.hkx: " .. says, tostring(err))
end

local function field(name) return function(view) return view[name] end end

-- A skeleton as small as can be, and one with a clip.
local function small(layout)
  return sample.skeleton(sample.with(layout, { bones = { "A", "B" }, float_slots = { "f" }, resource = false }))
end

local function clip(layout)
  return sample.clip(sample.with(layout, { tracks = 1, frames = 2, resource = false, motion = true, floats = { 1 },
    annotations = { { time = 0, text = "t" } } }))
end

local function opaque(layout)
  local last = sample.opaque("hkThing", 1, ("z"):rep(16))
  return sample.build(sample.root { { "x", "hkThing",
    sample.opaque("hkThing", 1, ("\0"):rep(32), { { 0, 16 } }, { { 8, last } }) } }, layout)
end

describe("hkx damaged", function()
  for _, layout in ipairs(LAYOUTS) do
    local name = layout.game .. (layout.endian or "") .. (layout.embedded and " embedded" or "")
    local samples = { skeleton = small(layout), clip = clip(layout), opaque = opaque(layout) }
    for _, which in ipairs { "skeleton", "clip", "opaque" } do
      local bytes = samples[which]
      it(("%s %s: every prefix"):format(name, which), function()
        damage.prefixes("hkx", bytes, true)
      end)
      it(("%s %s: every word"):format(name, which), function()
        damage.words("hkx", bytes, { "\255\255\255\255", "\255\255\255\127", "\127\255\255\255", "\0\0\0\0",
          "\16\0\0\0", "\0\0\0\16" }, true)
      end)
      it(("%s %s: random bytes"):format(name, which), function()
        damage.flips("hkx", bytes, 1500, 81, true)
      end)
    end
  end
end)

describe("hkx refuses", function()
  local bytes = small { game = "fallout4" }

  local function patched(at, with_bytes) return refused(sample.patch(bytes, at, with_bytes)) end

  it("other versions, pointers and layouts, by their names", function()
    assert.equal("at 0xc: packfile version 9 (hk_2014.1.0-r1): lathe reads 8 and 11", patched(0x0C, "\9"))
    assert.equal("at 0xc: packfile version 12 (hk_2014.1.0-r1): lathe reads 8 and 11", patched(0x0C, "\12"))
    assert.equal("at 0xc: packfile version -1 (hk_2014.1.0-r1): lathe reads 8 and 11",
      patched(0x0C, "\255\255\255\255"))
    assert.equal("at 0x10: pointers of 2 bytes", patched(0x10, "\2"))
    assert.equal("at 0x12: a layout that uses the padding of base classes (PlayStation 4)", patched(0x12, "\1"))
    local old = small { game = "skyrim-le" }
    assert.equal("at 0xc: packfile version 9 (hk_2013.1.0-r1): lathe reads 8 and 11",
      refused(sample.patch(sample.patch(old, 0x0C, "\9"), 0x28, "hk_2013.1.0-r1")))
  end)

  it("what is no packfile", function()
    local binary = "\xCA\xB0\x0D\xCE\x0D\xF0\x11\xD0" .. ("\0"):rep(64)
    local magic = "\x1E\x0D\xB0\xCA\xCE\xFA\x11\xD0" .. ("\0"):rep(64)
    local says = {
      [binary] = "a binary Havok tagfile of 2010..2014, not a packfile: lathe does not read these",
      [magic] = "a binary Havok tagfile of 2010..2014, not a packfile: lathe does not read these",
    }
    for text, message in pairs(says) do
      for _, path in ipairs { "a.hkx", "a.xml", "a.solid", "a" } do
        local doc, err = lathe.parse(text, { path = path })
        assert.is_nil(doc)
        assert.equal(("%s: at 0x0: %s"):format(path, message), tostring(err))
        assert.equal("unsupported", err.code)
      end
    end
    assert.equal("at 0x0: not a Havok packfile", refused(("x"):rep(100)))
    assert.equal("at 0x20: the header of a packfile takes 64 bytes", refused(bytes:sub(1, 32)))
  end)

  it("sections that are not where they must be", function()
    local first, second, third = 0x50, 0x90, 0xD0 -- their headers
    local outside = "an offset 0x%x, outside of a section of 0x%x bytes or in front of 0x%x"
    local order = "sections in an order that lathe does not know"
    local cases = {
      { 0x14, "\1", "num_sections at 0x14: 1 sections, not 2 to 16" },
      { 0x14, "\17", "num_sections at 0x14: 17 sections, not 2 to 16" },
      { 0x14, "\255\255\255\255", "num_sections at 0x14: -1 sections, not 2 to 16" },
      { 0x18, "\1", "contents_section_index at 0x18: " .. order },
      { 0x20, "\1", "contents_class_name_section_index at 0x20: " .. order },
      { 0x3E, "\255\127", "num_sections at 0x14: headers up to 0x80ff, behind the end at 0x4b0" },
      { 0x3E, "\0\0", "sections at 0x54: section 1 at 0x6e737361, expected at 0x100" },
      { first + 0x14, "\0", "sections at 0x64: section 1 at 0x100, expected at 0x110" },
      { second + 0x14, "\0\0", "sections at 0xa4: section 2 at 0x0, expected at 0x1a0" },
      { third + 0x14, "\0\0", "sections at 0xe4: section 3 at 0x0, expected at 0x1a0" },
      { third + 0x14, "\0\0\1", "sections at 0xe4: section 3 at 0x10000, expected at 0x1a0" },
      { first + 0x2C, "\255\255\255\255", "sections at 0x7c: " .. outside:format(0xFFFFFFFF, 0x3A0, 0x90) },
      { third + 0x18, "\255\255\255\127", "sections at 0xe8: " .. outside:format(0x7FFFFFFF, 0x310, 0) },
      { third + 0x1C, "\0\0", "sections at 0xec: " .. outside:format(0, 0x310, 0x250) },
      { third + 0x2C, "\0\0", "sections at 0xfc: " .. outside:format(0, 0x310, 0x310) },
    }
    for _, case in ipairs(cases) do assert.equal(case[3], patched(case[1], case[2])) end
  end)

  it("objects that are outside, in one place, or of no class", function()
    local function with_virtuals(change)
      local p = pieces.split(bytes)
      change(p.virtuals)
      return refused(pieces.join(p))
    end
    assert.equal("at 0x48c: virtual fixup 2: an object at 0xffff0, outside of the data's 592 bytes",
      with_virtuals(function(v) v[2][1] = 0xFFFF0 end))
    assert.equal("at 0x48c: virtual fixup 2: an object at 0x250, outside of the data's 592 bytes",
      with_virtuals(function(v) v[2][1] = 0x250 end))
    assert.equal("at 0x48c: virtual fixup 2: no class name at 0x4c of section 0",
      with_virtuals(function(v) v[2][3] = 0x4C end))
    assert.equal("at 0x498: virtual fixup 3: no class name at 0xfffffff0 of section 0",
      with_virtuals(function(v) v[3][3] = 0xFFFFFFF0 end))
    assert.equal("at 0x48c: virtual fixup 2: no class name at 0x65 of section 2",
      with_virtuals(function(v) v[2][2] = 2 end))
    assert.equal("at 0x498: virtual fixup 3: another object at 0x0, where number 1 has one",
      with_virtuals(function(v) v[3][1] = 0 end))
    assert.equal("at 0x48c: virtual fixup 2: another object at 0xe0, where number 1 has one",
      with_virtuals(function(v) v[1][1], v[2][1] = 0xE0, 0xE0; table.remove(v, 3) end))
  end)
end)

describe("hkx reads what it can, and raises", function()
  local bytes, parts = small { game = "fallout4" }
  local skeleton = parts.skeletons[1]

  -- The document with pieces changed, and one look that raises; all else stays as it was.
  local function opened(change)
    local p = pieces.split(bytes)
    local file = p.file
    change(p, function(object, member) -- numbers of the records that belong to a member of an object
      local site = parts.info:place(object, member) - parts.info.data_start
      for i, row in ipairs(p.locals) do if row[1] == site then return row, i end end
      for i, row in ipairs(p.globals) do if row[1] == site then return row, i end end
    end, file)
    local bad = pieces.join(p)
    local doc = checks.open("hkx", bad)
    assert.equal(bad, doc:encode())
    return doc
  end

  local function problem(doc, i) return tostring(lathe.problem(doc.objects[i])) end

  it("where fixups point outside", function()
    local doc <close> = opened(function(_, record) record(skeleton, "name")[2] = 0xFFFFF0 end)
    local says = "objects[3].name at 0x290: points to 0xfffff0, outside of the data (hkaSkeleton)"
    raises(says, field "name", doc.objects[3])
    raises(says, doc.totable, doc)
    assert.equal("sample.hkx: " .. says, problem(doc, 3))
    assert.is_nil(lathe.problem(doc.objects[2]))
    assert.equal("B", doc.objects[3].bones[2].name)
    local other <close> = opened(function(_, record) record(skeleton, "bones")[2] = 0x251 end)
    raises("objects[3].bones at 0x2a8: points to 0x251, outside of the data (hkaSkeleton)",
      field "bones", other.objects[3])
    assert.equal("Root", other.objects[3].name)
  end)

  it("where nothing is pointed to", function()
    local doc <close> = opened(function(p, record)
      for _, member in ipairs { "name", "reference_pose" } do
        table.remove(p.locals, select(2, record(skeleton, member)))
      end
    end)
    assert.is_false(doc.objects[3].name)          -- a text may be none
    raises("objects[3].reference_pose at 0x2b8: its count is not 0, but its pointer is null (hkaSkeleton)",
      field "reference_pose", doc.objects[3])
  end)

  it("where pointers lead to no object", function()
    local doc <close> = opened(function(p) p.globals[1][3] = p.globals[1][3] + 16 end)
    local says = "objects[1].named_variants[1].variant at 0x1c0: points to 0x80, where no object begins "
      .. "(hkRootLevelContainer)"
    raises(says, field "variant", doc.root.named_variants[1])
    assert.equal("hkaAnimationContainer", doc.root.named_variants[1].class_name)
    local value, err = doc:get "root.named_variants[1].variant.skeletons"
    assert.is_nil(value)
    assert.matches("points to 0x80, where no object begins", tostring(err), 1, true)
    local other <close> = opened(function(p) p.globals[1][2] = 0 end)
    raises("objects[1].named_variants[1].variant at 0x1c0: points to 0x70 of section 0, which is not that of the "
      .. "objects (hkRootLevelContainer)", field "variant", other.root.named_variants[1])
  end)

  it("where counts are negative, or more than there are", function()
    local at = parts.info:place(skeleton, "bones") + 8
    local cases = {
      { -1, "objects[3].bones at 0x2a8: negative count -1 (hkaSkeleton)" },
      { -0x80000000, "objects[3].bones at 0x2a8: negative count -2147483648 (hkaSkeleton)" },
      { 0x7FFFFFFF, "objects[3].bones at 0x2a8: 2147483647 elements of 16 bytes do not fit into 32 bytes "
        .. "(hkaSkeleton)" },
      { 3, "objects[3].bones at 0x2a8: 3 elements of 16 bytes do not fit into 32 bytes (hkaSkeleton)" },
    }
    for _, case in ipairs(cases) do
      local doc <close> = checks.open("hkx", sample.patch(bytes, at, string.pack("<i4", case[1])))
      raises(case[2], field "bones", doc.objects[3])
      assert.equal("Root", doc.objects[3].name)
    end
  end)

  it("where texts have no end", function()
    local p = pieces.split(bytes)
    p.data = p.data:sub(1, -17) .. ("x"):rep(16)
    for _, row in ipairs(p.locals) do
      if row[1] == parts.info:place(skeleton, "name") - parts.info.data_start then row[2] = #p.data - 8 end
    end
    local doc <close> = checks.open("hkx", pieces.join(p))
    raises("objects[3].name at 0x290: text without an end (hkaSkeleton)", field "name", doc.objects[3])
  end)

  it("where data overlap", function()
    local doc <close> = opened(function(_, record) -- the pose begins among the bones
      record(skeleton, "reference_pose")[2] = record(skeleton, "bones")[2] + 16
    end)
    raises("objects[3].bones at 0x2a8: 2 elements of 16 bytes do not fit into 16 bytes (hkaSkeleton)",
      field "bones", doc.objects[3])
    raises("objects[3].reference_pose at 0x2b8: 2 elements of 48 bytes do not fit into 16 bytes (hkaSkeleton)",
      field "reference_pose", doc.objects[3])
    local other <close> = opened(function(_, record) -- the floats begin in the name
      record(skeleton, "reference_floats")[2] = record(skeleton, "name")[2] + 2
    end)
    raises("objects[3].name at 0x290: a text that runs into other data (hkaSkeleton)", field "name", other.objects[3])
  end)

  it("where records lie in an object's own members", function()
    local doc <close> = opened(function(_, record)
      record(skeleton, "reference_pose")[2] = parts.info:place(skeleton) - parts.info.data_start + 16
    end)
    raises("objects[3].reference_pose at 0x2b8: its elements lie in an object's own members (hkaSkeleton)",
      field "reference_pose", doc.objects[3])
    local other <close> = opened(function(_, record) -- numbers and texts may
      record(skeleton, "name")[2] = 0x28
      record(skeleton, "parent_indices")[2] = 0x50
    end)
    assert.equal("Merged Animation Container", other.objects[3].name)
    assert.same({ 0x6B68, 0x4161 }, other.objects[3].parent_indices:totable())
  end)

  it("and data may be shared, if not too often", function()
    local doc <close> = opened(function(p, record)
      local bones = record(skeleton, "bones")[2]
      for _, row in ipairs(p.locals) do           -- all bones have one name, the object's
        if row[1] == bones or row[1] == bones + 16 then row[2] = record(skeleton, "name")[2] end
      end
      record(skeleton, "reference_floats")[2] = record(skeleton, "parent_indices")[2]
    end)
    assert.same({ "Root", "Root", "Root" },
      { doc.objects[3].name, doc.objects[3].bones[1].name, doc.objects[3].bones[2].name })
    assert.equal("objects[3].bones[2].name", lathe.path(doc.objects[3].bones[2], "name"))
    doc:totable()

    -- A name of 4 KB for each of 2000 bones: read, it would be 8 MB.
    local bones = {}
    for i = 1, 2000 do bones[i] = "b" end
    local many, all = sample.skeleton { bones = bones, name = ("n"):rep(4000), resource = false }
    local p = pieces.split(many)
    local object = all.skeletons[1]
    local name = p.file.points_to[all.info:place(object, "name") - all.info.data_start]
    local first = p.file.points_to[all.info:place(object, "bones") - all.info.data_start]
    for _, row in ipairs(p.locals) do
      if row[1] >= first and row[1] < first + 16 * 2000 then row[2] = name end
    end
    local bad = pieces.join(p)
    assert.matches("^at 0x%x+: local fixups share data so often that %d+ bytes would be read as more than %d+$",
      refused(bad))
  end)

  it("where objects are too short for their class", function()
    local object = sample.opaque("hkaSkeleton", 0x366E8220, ("\0"):rep(32))
    local short = sample.build(sample.root { { "x", "hkaSkeleton", object } }, { game = "skyrim-se" })
    local doc <close> = checks.open("hkx", short)
    local why = lathe.problem(doc.objects[2])
    assert.same({ "bounds", (lathe.span(doc.objects[2])), "hkaSkeleton takes 120 bytes, 32 are there" },
      { why.code, why.offset, why.message })
    assert.same({ "hkaSkeleton", 32 }, { lathe.type(doc.objects[2]), #doc.objects[2].bytes })
    assert.equal(doc.objects[2], doc.root.named_variants[1].variant)
  end)

  it("where objects point in circles", function()
    local doc <close> = opened(function(p) p.globals[1][3] = 0 end)
    assert.equal(doc.root, doc.root.named_variants[1].variant)
    local path = "root" .. (".named_variants[1].variant"):rep(100)
    assert.equal(doc.root, doc:get(path))
    assert.equal(1, doc:totable().objects[1].named_variants[1].variant)
  end)
end)
