-- Packfiles as Havok XML (formats/havok-xml.md): opened, edited, written, converted. What needs the corpus is in
-- hkx_xml_corpus_spec.lua.

local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_hkx"

local HEAD <const> = '<?xml version="1.0" encoding="ascii"?>\n'
  .. '<hkpackfile classversion="8" contentsversion="hk_2010.2.0-r1" toplevelobject="#0001">\n\n'
  .. '\t<hksection name="__data__">\n\n'
local TAIL <const> = "\t</hksection>\n\n</hkpackfile>\n"

-- An object of the section, in Havok's own form; `members` are its lines.
local function object(name, class, signature, members)
  return ('\t\t<hkobject name="%s" class="%s" signature="%s">\n%s\t\t</hkobject>\n\n'):format(name, class, signature,
    members)
end

local function root(variants)
  local lines = {}
  for i, variant in ipairs(variants) do
    lines[i] = ('\t\t\t\t<hkobject>\n\t\t\t\t\t<hkparam name="name">%s</hkparam>\n'
      .. '\t\t\t\t\t<hkparam name="className">%s</hkparam>\n\t\t\t\t\t<hkparam name="variant">%s</hkparam>\n'
      .. '\t\t\t\t</hkobject>\n'):format(table.unpack(variant))
  end
  return object("#0001", "hkRootLevelContainer", "0x2772c11e",
    ('\t\t\t<hkparam name="namedVariants" numelements="%d">\n%s\t\t\t</hkparam>\n'):format(#variants, table.concat(lines)))
end

local IGNORED <const> = "\t\t\t<!-- memSizeAndFlags SERIALIZE_IGNORED -->\n\t\t\t<!-- referenceCount SERIALIZE_IGNORED -->\n"

local function container(name, text)
  return object(name, "hkMemoryResourceContainer", "0x4762f92a", IGNORED
    .. ('\t\t\t<hkparam name="name">%s</hkparam>\n\t\t\t<!-- parent SERIALIZE_IGNORED -->\n'):format(text)
    .. '\t\t\t<hkparam name="resourceHandles" numelements="0"></hkparam>\n'
    .. '\t\t\t<hkparam name="children" numelements="0"></hkparam>\n')
end

-- Two blanks stand for a tab.
local BONES <const> = [[
      <hkparam name="name">Rig</hkparam>
      <hkparam name="parentIndices" numelements="2">
        -1 0
      </hkparam>
      <hkparam name="bones" numelements="2">
        <hkobject>
          <hkparam name="name">A</hkparam>
          <hkparam name="lockTranslation">false</hkparam>
        </hkobject>
        <hkobject>
          <hkparam name="name">B</hkparam>
          <hkparam name="lockTranslation">true</hkparam>
        </hkobject>
      </hkparam>
      <hkparam name="referencePose" numelements="2">
        (1.000000 2.000000 -0.500000)(0.000000 0.000000 0.000000 1.000000)(1.000000 1.000000 1.000000)
        (0.000000 0.000000 0.000000)(0.000000 0.000000 0.707107 0.707107)(1.000000 1.000000 1.000000)
      </hkparam>
      <hkparam name="referenceFloats" numelements="0"></hkparam>
      <hkparam name="floatSlots" numelements="3">
        <hkcstring>a&lt;b</hkcstring>
        <hkcstring></hkcstring>
        <hkcstring>&#9216;</hkcstring>
      </hkparam>
      <hkparam name="localFrames" numelements="0"></hkparam>
]]

local function tabs(text)
  return (("\n" .. text):gsub("\n( *)", function(blanks) return "\n" .. ("\t"):rep(#blanks // 2) end):sub(2))
end

local function skeleton(name) return object(name, "hkaSkeleton", "0x366e8220", IGNORED .. tabs(BONES)) end

-- A skeleton and a container, under names of somebody's own.
local FILE <const> = HEAD .. container("#Mod$12", "") .. skeleton("#0007")
  .. root { { "Skeleton", "hkaSkeleton", "#0007" }, { "Resource Data", "hkMemoryResourceContainer", "#Mod$12" } } .. TAIL

-- The text with one thing in place of another, wherever that stands.
local function with(text, from, to)
  local parts, at = {}, 1
  for first, last in function() return text:find(from, at, true) end do
    parts[#parts + 1], at = text:sub(at, first - 1) .. to, last + 1
  end
  return table.concat(parts) .. text:sub(at)
end

local function open(text, opts) return assert(lathe.parse(text, opts)) end

local function refused(text)
  local doc, err = lathe.parse(text, { path = "a.xml" })
  assert.is_nil(doc)
  assert.equal(err.offset ~= nil, true)
  return (tostring(err):gsub("^a%.xml: at 0x%x+: ", ""))
end

describe("a packfile in XML", function()
  it("opens with all its fields, and is its own bytes", function()
    local doc <close> = open(FILE)
    assert.same({ "hkx", "xml", 3, false }, { doc.format, doc.container, #doc.objects, doc.modified })
    assert.is_nil(doc.game)
    assert.equal(FILE, doc:encode())
    assert.equal(#FILE, doc.size)
    local rig = doc.objects[2]
    assert.same({ "hkaSkeleton", "Rig", -1, 0 }, { lathe.type(rig), rig.name, rig.parent_indices[1],
      rig.parent_indices[2] })
    assert.same({ "A", false, "B", true }, { rig.bones[1].name, rig.bones[1].lock_translation,
      rig.bones[2].name, rig.bones[2].lock_translation })
    assert.same({ x = 1, y = 2, z = -0.5, w = 0 }, rig.reference_pose[1].translation:totable())
    assert.same({ "a<b", "", false }, rig.float_slots:totable())
    assert.is_true(doc.root.named_variants[1].variant == rig)
    assert.equal("A", doc.skeletons[1].bones[1].name)
    assert.is_true((doc:check()))
  end)

  it("says of no record where it lies", function()
    local doc <close> = open(FILE)
    assert.is_nil((lathe.span(doc.objects[1])))
    assert.is_nil((lathe.span(doc.objects[2].bones, 1)))
    local record, err = doc:at(0)
    assert.is_nil(record)
    assert.equal("the file is a text, in which records have no offsets", err.message)
    assert.equal("\255\255\0\0", doc.objects[2].parent_indices:pack())
    assert.has_error(function() doc.objects[2].parent_indices[1] = 70000 end)
    local _, why = pcall(function() doc.objects[2].parent_indices[1] = 70000 end)
    assert.is_nil(why.offset)
  end)

  it("keeps names and order when it is changed, and gets its bytes back by undo", function()
    local doc <close> = open(FILE, { history = 10 })
    doc.objects[2].bones[1].name = "Root"
    assert.is_true(doc.modified)
    assert.equal(with(FILE, '"name">A<', '"name">Root<'), doc:encode())
    assert.is_true(doc:undo())
    assert.equal(FILE, doc:encode())
    assert.is_false(doc.modified)
    assert.is_true(doc:redo())
    assert.matches("Root", doc:encode(), 1, true)
  end)

  it("gives a new object the next number, in front of what leads to it", function()
    local doc <close> = open(FILE, { history = 10 })
    doc:edit(function()
      doc.objects:append { class = "hkMemoryResourceContainer", name = "new" }
      doc.objects[3].children:append(doc.objects[4])
    end)
    local text = assert(doc:encode())
    local children = '<hkparam name="children" numelements="'
    local wanted = with(FILE, container("#Mod$12", ""), container("#0008", "new") .. with(container("#Mod$12", ""),
      children .. '0"></hkparam>', children .. '1">\n\t\t\t\t#0008\n\t\t\t</hkparam>'))
    assert.equal(wanted, text)
    local again <close> = open(text)
    assert.equal("new", again.objects[3].children[1].name)
    assert(doc:undo())
    assert.equal(FILE, doc:encode())
  end)

  it("leaves out an object that was removed", function()
    local doc <close> = open(FILE, { history = 10 })
    doc.objects:remove(3)
    local text = assert(doc:encode())
    assert.equal(with(with(FILE, container("#Mod$12", ""), ""), "#Mod$12", "null"), text)
  end)

  it("tells that comments of a changed file are not written", function()
    local lost = "its comments are not written: the file was changed"
    local folder = helper.tmpdir()
    local doc <close> = open(with(FILE, TAIL, "\t<!-- MOD_CODE -->\n" .. TAIL))
    assert.is_nil(tostring(select(2, doc:check())[1]):find(lost, 1, true))
    assert.same({ true }, { doc:save(folder .. "/a.xml") })
    doc.objects[2].name = "Other"
    local ok, findings = doc:check()
    assert.same({ true, lost, "warning" }, { ok, findings[1].message, findings[1].level })
    assert.same({ true, { lost } }, { doc:save(folder .. "/b.xml") })
    assert.is_nil(helper.read(folder .. "/b.xml"):find("MOD_CODE", 1, true))
  end)
end)

-- ---- what is refused -------------------------------------------------------------------------------------

-- The line of a text, in it, at which a word first stands, and the column of that.
local function place(text, word)
  local at = assert(text:find(word, 1, true))
  local _, lines = text:sub(1, at - 1):gsub("\n", "")
  return ("line %d, column %d: "):format(lines + 1, at - #text:sub(1, at - 1):match("[^\n]*$") == 0 and 1
    or #text:sub(1, at - 1):match("[^\n]*$") + 1)
end

-- The file with one thing in place of another is refused at a word of what is new.
local function refuses(from, to, word, message)
  local text = with(FILE, from, to)
  assert.equal(place(text, word) .. message, refused(text), to)
end

describe("XML that is damaged is refused", function()
  it("by the class, member, value or object that is wrong, with line and column", function()
    refuses('class="hkaSkeleton"', 'class="hkaSkeletn"', '<hkobject name="#0007"',
      "hkaSkeletn: its members are not known in files of that version")
    refuses('signature="0x366e8220"', 'signature="0x1"', '<hkobject name="#0007"',
      "hkaSkeleton with the signature 0x1: lathe knows its members with 0x366e8220")
    refuses('"parentIndices"', '"parentIndexes"', "parentIndexes",
      "hkaSkeleton has no member 'parentIndexes'; did you mean 'parentIndices'?")
    refuses('"referenceFloats"', '"floatSlots"', 'floatSlots" numelements="3"', "hkaSkeleton.floatSlots is given twice")
    refuses("-1 0", "-1 x", "x\n", "hkaSkeleton.parentIndices: an integer expected, got 'x'")
    refuses("-1 0", "-1 65536", "65536", "hkaSkeleton.parentIndices: 65536 does not fit into 16 bits")
    refuses("-1 0", "-32769 0", "-32769", "hkaSkeleton.parentIndices: -32769 does not fit into 16 bits")
    refuses("-1 0", "99999999999999999999 0", "99999999999999999999",
      "hkaSkeleton.parentIndices: 99999999999999999999 does not fit into 16 bits")
    refuses("0.707107 0.707107", "0.707107 1e39", "1e39", "hkaSkeleton.referencePose: 1e39 does not fit into 32 bits")
    refuses("0.707107 0.707107", "0.707107", "(0.000000 0.000000 0.707107)",
      "hkaSkeleton.referencePose: 3 numbers in parentheses, 4 expected")
    refuses("0.707107 0.707107)(1.000000 1.000000 1.000000)", "0.707107 0.707107)", "(1.000000 2.000000",
      "hkaSkeleton.referencePose: 5 groups in parentheses, which is no multiple of 3")
    refuses("(1.000000 2.000000 -0.500000)", "x(0 0 0)", "x(0", "hkaSkeleton.referencePose: '(' expected")
    refuses('lockTranslation">false', 'lockTranslation">maybe', "maybe",
      "hkaBone.lockTranslation: true or false expected, got 'maybe'")
    refuses('"variant">#0007', '"variant">#0008', "#0008",
      "hkRootLevelContainerNamedVariant.variant: no object is called '#0008'")
    refuses('"variant">#0007', '"variant">#0007 #0007', "#0007</",
      "hkRootLevelContainerNamedVariant.variant: one value expected")
    refuses('name="#Mod$12" class', 'name="#0007" class', '<hkobject name="#0007" class="hkaSkeleton"',
      "another object is called '#0007', too")
    refuses('name="#Mod$12" class', 'name="a b" class', '<hkobject name="a b"', "'a b' is no name of an object")
    refuses('toplevelobject="#0001"', 'toplevelobject="#0002"', "<?xml",
      "no object is called '#0002', as toplevelobject says")
    refuses('classversion="8"', 'classversion="9"', "<?xml", "classversion '9': lathe reads 8 and 11")
    refuses('contentsversion="hk_2010.2.0-r1"', 'contentsversion="hk_2010.2.0-r1-and-more"', "<?xml",
      "contentsversion: at most 15 characters")
    refuses("a&lt;b", "a&lol;b", "&lol;", "'&lol;' is none of &amp; &lt; &gt; &quot; &apos; and &#N;")
    refuses("<hkcstring>a&lt;b</hkcstring>", "<hkobject/>", "<hkobject/>", "<hkcstring> expected")
    refuses("<hkcstring>a&lt;b</hkcstring>\n\t\t\t\t<hkcstring></hkcstring>\n\t\t\t\t<hkcstring>&#9216;</hkcstring>", "text",
      "text", "hkaSkeleton.floatSlots: <hkcstring> elements expected")
    refuses('<hkparam name="name">Rig</hkparam>', '<hkparam name="name"><hkobject/></hkparam>', "<hkobject/>",
      "hkaSkeleton.name: a value expected, got elements")
  end)

  it("cut off anywhere, and with any byte changed, without harm", function()
    for i = 0, #FILE - 2, 7 do
      local doc, err = lathe.parse(FILE:sub(1, i), { format = "hkx" })
      assert.is_nil(doc)
      assert.is_true(err.offset <= i)
    end
    for i = 1, #FILE, 5 do
      local doc, err = lathe.parse(FILE:sub(1, i - 1) .. string.char(i % 96 + 32) .. FILE:sub(i + 1), { format = "hkx" })
      if doc then
        assert(doc:serialize { as = "binary" })
        doc:close()
      else
        assert.is_true(#err.message > 0)
      end
    end
  end)

  it("with a million elements in each other, or bombs of entities, at once", function()
    local deep = with(FILE, TAIL, ('<hkobject name="#9" class="A">' .. ('<hkparam name="a"><hkobject>'):rep(500000)))
    assert.matches("elements nested deeper than 63", refused(deep), 1, true)
    local bomb = '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "b"><!ENTITY c "&b;&b;">]>\n'
      .. HEAD:match("<hkpackfile.*") .. TAIL
    assert.equal("line 2, column 1: a document type: lathe does not read such files", refused(bomb))
  end)
end)

-- ---- what other writers do -------------------------------------------------------------------------------

describe("XML of other writers", function()
  local function same(text)
    local one <close> = open(FILE)
    local other <close> = open(text)
    assert.equal(text, other:encode())
    assert.same(one:totable(), other:totable())
    assert.equal(assert(one:serialize { as = "binary" }), assert(other:serialize { as = "binary" }))
  end

  it("reads the same with other blanks, line ends, orders and counts", function()
    same(with(with(FILE, "\t", "  "), "\n", "\r\n"))
    same((FILE:gsub("\n\t*", "")))
    same((FILE:gsub("<!%-%-.-%-%->", "")))
    same((FILE:gsub(' numelements="%d+"', ' numelements="77"')))
    same((FILE:gsub(' numelements="%d+"', "")))
    same(with(FILE, '"0"></hkparam>', '"0"/>'))
    same(with(FILE, ' encoding="ascii"', " encoding='UTF-8' standalone=\"no\""))
    same(with(FILE, HEAD:match("^.-\n"), ""))
    same("\xEF\xBB\xBF" .. with(FILE, HEAD:match("^.-\n"), ""))
    same(with(FILE, ' toplevelobject="#0001"', ""))
    same(with(FILE, "0x4762f92a", "0X4762F92A"))
    same(with(FILE, "0x4762f92a", "0x4762f92a\" other=\"&quot;&#65;"))
    same(with(FILE, "-1 0", "65535 0"))
    same(with(FILE, "-1 0", "<!-- a -->-1<!-- b --> <!-- c -->\n0"))
    same(with(FILE, "&#9216;", "&#x2400;"))
    same(with(with(FILE, ' encoding="ascii"', ""), "&#9216;", "\xE2\x90\x80"))
    same(with(FILE, ")(", ")\n ("))
    same(with(FILE, "1.000000 2.000000 -0.500000", "1 2. -.5 0"))
    same(with(FILE, "<hkobject>", '<hkobject class="hkaBone" name="x" signature="0x1">'))
    same(with(FILE, '\t\t\t<hkparam name="localFrames" numelements="0"></hkparam>\n', ""))
    local root_first = FILE:match('\t\t<hkobject name="#0001".*</hkobject>\n\n')
    same(HEAD .. root_first .. container("#Mod$12", "") .. skeleton("#0007") .. TAIL)
  end)

  it("keeps what no float says exactly in six decimals out of its own text alone", function()
    local doc <close> = open(with(FILE, "0.707107 0.707107", "0.70710678 -1.#IND00"))
    assert.equal(string.unpack("<f", string.pack("<f", 0.70710678)), doc.objects[2].reference_pose[2].rotation.z)
    assert.is_true(doc.objects[2].reference_pose[2].rotation.w ~= doc.objects[2].reference_pose[2].rotation.w)
    doc.objects[2].name = "x"
    assert.matches("0.707107 -1.#IND00", doc:encode(), 1, true)
  end)
end)

-- ---- forms -----------------------------------------------------------------------------------------------

describe("saving and converting", function()
  local function bytes_of(game)
    local doc <close> = open(FILE)
    return assert(doc:serialize { game = game })
  end

  it("keeps the container unless the name or `as` says otherwise", function()
    local folder = helper.tmpdir()
    local packfile = bytes_of "skyrim-se"
    local cases = {
      { FILE, "a.hkx", nil, FILE }, { FILE, "a.xml", nil, FILE }, { FILE, "a.hkx", "binary", packfile },
      { FILE, "a.xml", "binary", packfile }, { packfile, "a.hkx", nil, packfile }, { packfile, "A.XML", nil, "xml" },
      { packfile, "a.hkx", "xml", "xml" }, { packfile, "a.xml", "binary", packfile },
    }
    for i, case in ipairs(cases) do
      local doc <close> = open(case[1])
      local path = ("%s/%d%s"):format(folder, i, case[2])
      assert(doc:save(path, { as = case[3] }))
      local written = helper.read(path)
      if case[4] == "xml" then
        assert.equal(assert(doc:serialize { as = "xml" }), written)
      else
        assert.is_true(case[4] == written, i)
      end
      assert.equal(case[1] == FILE and "xml" or "binary", doc.container)
    end
    local doc <close> = open(FILE)
    local ok, err = doc:save(folder .. "/b.hkx", { as = "tagfile" })
    assert.same({ "no container 'tagfile': \"xml\" or \"binary\"", "name" }, { err.message, err.code })
    assert.is_nil(ok)
    assert.has_error(function() doc:save(folder .. "/b.hkx", { as = 1 }) end, "option 'as': a string expected, got number")
    local solid <close> = assert(lathe.new("solid", {}))
    assert.same({ "files of solid have one container only, and take no `as`" },
      { (select(2, solid:save(folder .. "/a.solid", { as = "xml" }))).message })
    assert.is_nil(solid.container)
  end)

  it("goes to each game and to XML, in one step", function()
    for _, game in ipairs { "skyrim-le", "skyrim-se" } do
      local doc <close> = open(FILE, { history = 10 })
      local done = assert(doc:convert { to = game })
      assert.same({ 3, {} }, { done.changed, done.skipped })
      assert.same({ "binary", game == "skyrim-le" and "Skyrim LE" or "Skyrim SE" }, { doc.container, doc.game })
      assert.is_true(doc:encode() == bytes_of(game))
      assert.is_number((lathe.span(doc.objects[1])))
      done = assert(doc:convert "xml")
      assert.same({ 3, {}, "xml" }, { done.changed, done.skipped, doc.container })
      assert.equal(0, assert(doc:convert "xml").changed)
      assert.is_true(doc:undo())
      assert.equal("binary", doc.container)
      assert.is_true(doc:encode() == bytes_of(game))
      assert.is_true(doc:undo())
      assert.same({ "xml", false }, { doc.container, doc.modified })
      assert.equal(FILE, doc:encode())
      assert.is_true(doc:redo(2))
      assert.equal("xml", doc.container)
    end
  end)

  it("counts what XML does not say, once for the file", function()
    local doc <close> = open(FILE)
    assert(doc:convert "skyrim-se")
    local rig = doc.objects[2]
    rig.reference_pose[1].translation.x = 1 / 3
    rig.reference_pose[1].translation.w = 1
    rig.reference_pose[2].scale.w = 2
    rig.reference_pose[2].scale.x = 1e-9
    rig.name = "\xFF"
    local done = assert(doc:convert "xml")
    local told = {}
    for i, entry in ipairs(done.skipped) do told[i] = entry.path .. ": " .. entry.reason end
    assert.same({ "objects: 2 numbers with more than six decimals", "objects: 2 fourth lanes that are not 0",
      "objects: 1 text that is not UTF-8, or reads as null" }, told)
  end)

  it("refuses an object whose class is not described", function()
    local bytes = sample.build(sample.root { { "x", "hkThing", sample.opaque("hkThing", 1, ("z"):rep(16)) } },
      { game = "skyrim-se" })
    local doc <close> = open(bytes)
    local done, err = doc:convert "xml"
    assert.is_nil(done)
    assert.equal("lathe does not know the members of hkThing, which XML would name", err.message)
    assert.is_true(doc:encode() == bytes)
  end)

  it("compresses XML as any other file", function()
    local doc <close> = open(FILE)
    doc.compression = "zstd"
    local packed = assert(doc:encode())
    local again <close> = open(packed)
    assert.same({ "xml", "zstd" }, { again.container, again.compression })
    assert.equal(packed, again:encode())
    again.compression = nil
    assert.equal(FILE, again:encode())
  end)

  it("refuses Pandora's templates by name", function()
    local packfile = bytes_of "skyrim-se"
    local local_table = string.unpack("<I4", packfile, 0x40 + 2 * 0x30 + 0x18 + 1)
      + string.unpack("<I4", packfile, 0x40 + 2 * 0x30 + 0x14 + 1)
    local doc, err = lathe.parse(packfile:sub(1, local_table) .. string.pack("<I4", 8) .. packfile:sub(local_table + 5))
    assert.is_nil(doc)
    assert.equal("a template of Pandora, with 8 bytes in front of each object: no game reads such a file, and neither "
      .. "does lathe", err.message)
  end)
end)
