-- Groups, counts that are not stored, overlays, vectors worked out as a whole, parts found by a walk,
-- bytes in a part. Runs on the made-up formats.

local lathe = require "lathe.core"

local function words(fields)
  return assert(lathe.new("words", fields or {}, { history = 20 }))
end

local function raises(message, f, ...)
  local ok, err = pcall(f, ...)
  assert.is_false(ok)
  assert.matches(message, tostring(err), 1, true)
end

local BYTES = "WRDS\2" .. string.pack("<ff", 3, 4) .. "\2\0"
  .. string.pack("<i2i2i2i2", 0, 1, 1, 2) .. string.pack("<i2i2", -1, 0) .. string.pack("<ff", 1.5, 2)
  .. "\3\0\x81\x82\x83" .. "\2"
  .. string.pack("<I2s1", 7, "one") .. string.pack("<ffffffffffffffff", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1)
  .. string.pack("<I2s1", 9, "") .. string.pack("<ffffffffffffffff", 2, 0, 0, 0, 0, 0, 3, 0, 0, -4, 0, 0, 0, 0, 0, 1)
  .. "tail"

local function parse(bytes)
  return assert(lathe.parse(bytes or BYTES, { history = 20 }))
end

describe("groups", function()
  it("show parallel arrays as one", function()
    local doc = parse()
    assert.equal(2, #doc.bones)
    assert.equal("word_bone", lathe.type(doc.bones[2]))
    assert.same({ 1, 2 }, { table.unpack(doc.bones[2].ends) })
    assert.equal(0, doc.bones[2].parent)
    assert.equal(2, doc.bones[2].mass)
    doc.bones[1].mass = 4
    assert.equal(4, doc.masses[1])
    doc.bones[2].ends.to = 9
    assert.equal(9, doc.bone_ends[2].to)
    doc.bones[2].ends = { 5, 6 }
    assert.same({ 5, 6 }, { table.unpack(doc.bone_ends[2]) })
    assert.equal("bones[2]", lathe.path(doc.bones[2]))
    assert.equal("bones", lathe.path(doc.bones))
    assert.equal("bone_ends[2]", lathe.path(doc.bones[2].ends))
    assert.equal(0, doc:get("bones[2].parent"))
    assert.is_true(doc.bones[2] == doc.bones[2])
    assert.is_false(doc.bones[2] == doc.bone_ends[2])
    assert.same({ 4, 2 }, doc.bones:tobuffer("mass"):totable())
  end)

  it("grow and shrink as one, and numbers follow", function()
    local doc = parse()
    local second = doc.bones[2]
    local new = doc.bones:insert(1, { parent = -1, mass = 8, ends = { 3, 4 } })
    assert.equal(8, new.mass)
    assert.equal(3, doc.bone_count)
    assert.same({ -1, -1, 1 }, doc.parents:totable())
    assert.same({ 8, 1.5, 2 }, doc.masses:totable())
    assert.equal("bones[3]", lathe.path(second))
    assert.equal(1, second.parent)
    doc.bones:remove(2)
    assert.same({ -1, -1 }, doc.parents:totable())
    assert.equal(2, second.mass)
    doc:undo()
    doc:undo()
    assert.equal(BYTES, doc:encode())
    doc.bones[#doc.bones + 1] = { parent = 1 }
    assert.same({ -1, 0, 1 }, doc.parents:totable())
    doc.bones[3] = nil
    assert.equal(BYTES, doc:encode())
  end)

  it("refuse to grow in one array alone", function()
    local doc = parse()
    raises("masses: one of the arrays of bones: resize that", doc.masses.append, doc.masses, 1)
    raises("bone_ends", doc.bone_ends.remove, doc.bone_ends, 1)
    raises("read-only: resize bone_ends instead", function() doc.bone_count = 3 end)
    assert.equal(BYTES, doc:encode())
  end)

  it("are built from a list", function()
    local doc = words { bones = { { mass = 3 }, { parent = 0, ends = { 7, 8 } } } }
    assert.same({ -1, 0 }, doc.parents:totable())
    assert.same({ 3, 1 }, doc.masses:totable())
    assert.equal(8, doc.bone_ends[2].to)
    doc.bones = { { mass = 5 } }
    assert.equal(1, doc.bone_count)
    assert.equal(5, doc.bones[1].mass)
    assert.is_nil(doc:totable().bones)
    assert.equal(doc:encode(), lathe.new("words", doc:totable()):encode())
  end)
end)

describe("a count that is not stored", function()
  local old = BYTES:gsub("^WRDS\2", "WRDS\1"):gsub("\3\0\x81\x82\x83", "\x81\x82\x83")

  it("is kept, follows its array, and is undone", function()
    local doc = parse(old)
    assert.equal(3, doc.corner_count)
    assert.same({ 0x81, 0x82, 0x83 }, doc.corners:totable())
    doc.corners:append(0x90)
    assert.equal(4, doc.corner_count)
    assert.equal(#old + 1, doc.size)
    assert.equal(7, doc.frames[1].time)
    doc:undo()
    assert.equal(3, doc.corner_count)
    assert.equal(old, doc:encode())
    doc:redo()
    assert.equal(4, doc.corner_count)
  end)

  it("reaches a document that is made", function()
    local doc = parse(old)
    doc.corners[2] = 5 -- what opening could not tell any more
    local copy = assert(lathe.new("words", doc:totable()))
    assert.equal(doc:encode(), copy:encode())
    assert.equal(3, copy.corner_count)
    assert.equal(2, #words { version = 1, corners = { 1, 2 } }.corners)
  end)
end)

describe("a number that could not be read back", function()
  it("is refused, whatever brings it", function()
    local doc = parse()
    raises("frames[1].time at 0x29: would be read as something else", function() doc.frames[1].time = 0xCAFE end)
    raises("would be read as something else", function() doc.frames[1] = { time = 0xCAFE } end)
    doc.frames[1].time = 0xCAFD
    local none, why = lathe.new("words", { frames = { { time = 0xCAFE } } })
    assert.is_nil(none)
    assert.matches("would be read as something else", tostring(why))
  end)
end)

describe("overlays", function()
  it("show the same bytes otherwise", function()
    local doc = parse()
    assert.equal(5, doc.polar.length)
    doc.polar.length = 10
    assert.near(6, doc.vector.x, 1e-6)
    assert.near(8, doc.vector.y, 1e-6)
    doc.polar = { 2, math.pi / 2 }
    assert.near(2, doc.vector.y, 1e-6)
    assert.equal("polar", lathe.path(doc.polar))
    raises("a length is not negative", function() doc.polar.length = -1 end)
    raises("a number expected", function() doc.polar = { "x" } end)
    assert.near(2, doc.polar.length, 1e-6)
  end)

  it("show matrices as columns and as translation, rotation, scale", function()
    local doc = parse()
    local m = doc.frames[1].matrix
    assert.same({ 5, 6, 7 }, { table.unpack(m.translation) })
    assert.equal("frames[1].matrix.translation", lathe.path(m.translation))
    assert.equal("frames[1].matrix.rotation", lathe.path(m.rotation))
    assert.equal(16, #m)
    assert.equal(6, m[14])
    m.translation = { 1, 2, 3 }
    assert.equal(2, m.col3_y)
    assert.equal(2, m.col3.y)
    local n = doc.frames[2].matrix
    assert.same({ 2, 3, 4 }, { table.unpack(n.scale) })
    assert.near(math.sqrt(0.5), n.rotation.x, 1e-7)
    n.scale = { 1, 1, 1 }
    assert.near(-1, n.col2_y, 1e-7)
    n.rotation = { 0, 0, 0, 1 }
    n.scale.x = 5
    assert.same({ 5, 0, 0, 0 }, { table.unpack(n.col0) })
    assert.same({ 0, 0, 1, 0 }, { table.unpack(n.col2) })
  end)

  it("are taken by new", function()
    local doc = words { frames = { { matrix = { translation = { 1, 2, 3 }, scale = { 2, 2, 2 } } } } }
    assert.same({ 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1 }, { table.unpack(doc.frames[1].matrix) })
    assert.same({ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 },
      { table.unpack(words({ frames = { {} } }).frames[1].matrix) })
  end)
end)

describe("another version", function()
  it("makes rows come and go in all records", function()
    local doc = parse()
    local second, bone = doc.frames[2], doc.bones[2]
    doc:set_version(4)
    assert.same({ 7, 7 }, doc.flags:totable())
    assert.same({ { id = 9, text = "new" }, { id = 9, text = "new" } }, second.tags:totable())
    assert.equal(9, second.time)
    assert.equal(-4, second.matrix.col2_y)
    assert.equal(2, bone.mass)
    assert.equal(doc:encode(), lathe.new("words", doc:totable()):encode())
    assert.equal(doc:encode(), parse(doc:encode()):encode())
    doc.frames[1].tags[2].text = "kept"
    local report = doc:set_version(3)
    assert.equal("frames[1].tags[1].text", report.skipped[1].path)
    assert.equal(4, #report.skipped)
    doc:set_version(1)
    assert.equal(3, doc.corner_count)
    assert.equal(0x82, doc.corners[2])
    doc:set_version(2)
    assert.equal(BYTES, doc:encode())
    while doc:undo() do end
    assert.equal(BYTES, doc:encode())
    while doc:redo() do end
    assert.equal(BYTES, doc:encode())
    assert.equal("tail", doc.trailing)
  end)
end)

describe("parts that a walk finds", function()
  it("are edited one by one, and moved", function()
    local doc = parse()
    assert.equal(BYTES, doc:encode())
    assert.equal("tail", doc.trailing)
    assert.equal(#BYTES - 4, lathe.span(doc, "trailing"))
    assert.equal("trailing", select(2, doc:at(#BYTES - 1)))
    local second = doc.frames[2]
    doc.frames[1].name = "longer"
    doc.frames:remove(1)
    assert.equal("frames[1]", lathe.path(second))
    assert.equal(1, doc.frame_count)
    doc.trailing = "x"
    assert.equal("x", doc:encode():sub(-1))
    doc.trailing = ""
    assert.equal(9, doc.frames[1].time)
    while doc:undo() do end
    assert.equal(BYTES, doc:encode())
    assert.equal(BYTES, lathe.new("words", doc:totable()):encode())
  end)

  it("say what is wrong with the file", function()
    for n = 0, #BYTES - 5 do
      local doc, err = lathe.parse(BYTES:sub(1, n), { format = "words" })
      assert.is_nil(doc)
      assert.is_true(err.offset <= n)
    end
    local _, err = lathe.parse(BYTES:sub(1, -20), { format = "words" })
    assert.matches("frames[2].matrix at", tostring(err), 1, true)
  end)
end)
