-- Groups, counts that are not stored, overlays, vectors worked out as a whole, parts found by a walk,
-- bytes in a part. Runs on the made-up formats.

local lathe = require "lathe.core"
local outcome = require "outcome"

local raises = outcome.raises

local function words(fields)
  return assert(lathe.new("words", fields or {}, { history = 20 }))
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

local function set_version(doc, version)
  return assert(doc:set_version(version))
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

describe("elements of groups", function()
  it("are copied from each other", function()
    local doc, other = parse(), words()
    doc.bones[1] = doc.bones[2]
    assert.same({ 0, 0 }, doc.parents:totable())
    assert.same({ 2, 2 }, doc.masses:totable())
    assert.same({ 1, 2 }, { table.unpack(doc.bone_ends[1]) })
    doc:undo()
    assert.equal(BYTES, doc:encode())
    doc.bones:append(doc.bones[2])
    assert.same({ 1.5, 2, 2 }, doc.masses:totable())
    doc:undo()
    other.bones = doc.bones
    assert.same({ 1.5, 2 }, other.masses:totable())
    assert.same({ 1.5, 2 }, words({ bones = doc.bones }).masses:totable())
  end)

  it("are given in another order, with the parents that they have", function()
    local doc = parse()
    doc.bones = { doc.bones[2], doc.bones[1], { mass = 8, parent = 1 } }
    assert.same({ 2, 1.5, 8 }, doc.masses:totable())
    assert.same({ 0, -1, 1 }, doc.parents:totable())
    doc.bones = { doc.bones[3] }
    assert.same({ 8 }, doc.masses:totable())
    assert.same({ -1 }, doc.parents:totable()) -- there is no such bone
    doc:undo()
    doc:undo()
    assert.equal(BYTES, doc:encode())
  end)

  it("are plain tables, too", function()
    local doc, other = parse(), words()
    assert.same({ mass = 2, parent = 0, ends = { from = 1, to = 2 } }, doc.bones[2]:totable())
    other.bones = doc.bones:totable()
    assert.same({ -1, 0 }, other.parents:totable())
    assert.near(5, doc.polar:totable().length, 1e-6)
    assert.equal(4, doc.frames[2].matrix.scale:totable().z)
  end)

  it("have no bytes of their own", function()
    local doc = parse()
    raises("its elements differ in size", doc.bones.pack, doc.bones)
    raises("its elements differ in size", doc.bones.assign, doc.bones, ("\1"):rep(8))
    assert.equal(-1, lathe.raw(doc.bones[1], "parent"))
    assert.equal(0x40000000, lathe.raw(doc.bones[2], "mass"))
  end)

  it("are written as columns", function()
    local doc = parse()
    local masses, ends = doc.bones:tobuffer("mass"), doc.bones:tobuffer("ends")
    masses[2] = 7
    ends[4] = 77
    doc.bones:assign(masses, "mass")
    doc.bones:assign(ends, "ends")
    assert.same({ 1.5, 7 }, doc.masses:totable())
    assert.equal(77, doc.bone_ends[2].to)
  end)

  it("lack what their version lacks", function()
    local doc = parse()
    assert.is_nil(doc.bones[1].span)
    raises("bones[1].span: absent here", function() doc.bones[1].span = { 1, 2 } end)
    raises("spans: absent here", function() doc.bones[1] = { span = { 1, 2 } } end)
    assert.equal(BYTES, doc:encode())
    local new = words { version = 3, bones = { { span = { 5, 6 } } } }
    assert.equal(6, new.spans[1].to)
    doc.bones[2] = new.bones[1]
    assert.equal(BYTES:sub(1, 4), doc:encode():sub(1, 4))
    assert.equal(1, doc.masses[2])
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

  it("is a number of its own, too", function()
    local doc = parse(old)
    doc.mood = 5
    assert.equal(5, doc.mood)
    assert.equal(old, doc:encode())
    assert.equal(3, doc.corner_count)
    raises("256 is not in 0 .. 255", function() doc.mood = 256 end)
    assert.equal(5, words({ mood = 5 }).mood)
    set_version(doc, 4)
    assert.equal(5, doc.mood)
    assert.equal(1, (select(2, lathe.span(doc, "mood"))))
    doc.mood = 6
    set_version(doc, 2)
    assert.equal(6, doc.mood)
    while doc:undo() do end
    assert.equal(0, doc.mood)
    assert.equal(old, doc:encode())
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
    raises("a number expected", function() doc.polar = { "x", 1 } end)
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

  it("are taken wherever a record is given", function()
    local doc = parse()
    doc.frames[1] = { matrix = { translation = { 1, 2, 3 }, scale = { x = 3 } } }
    assert.same({ 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1 }, { table.unpack(doc.frames[1].matrix) })
    doc.frames:append { matrix = { translation = { 4, 5, 6 } } }
    assert.equal(5, doc.frames[3].matrix.col3_y)
    doc.frames = { { matrix = { rotation = { 1, 0, 0, 0 } } } }
    assert.equal(-1, doc.frames[1].matrix.col2_z)
  end)

  it("hold records, and overlays", function()
    local doc = parse()
    local high = doc.halves.y
    assert.equal(0x4080, high.high)
    assert.equal("halves.y", lathe.path(high))
    assert.equal("halves.x", lathe.path(doc.halves.x))
    raises("halves.x.low at 0x5: 65536 is not in 0 .. 65535", function() doc.halves.x.low = 65536 end)
    high.high = 0x4100
    assert.equal(8, doc.vector.y)
    doc.halves = { x = { 0, 0x3f80 }, angles = { angle = 0 } }
    assert.near(math.sqrt(65), doc.vector.x, 1e-6)
    assert.near(0, doc.vector.y, 1e-6)
    assert.is_nil(doc:totable().halves)
  end)

  it("are described where they look", function()
    local rows = {}
    for _, row in ipairs(lathe.describe(parse().frames[1].matrix)) do rows[row.name] = row end
    assert.same({ 48, 12 }, { rows.translation.offset, rows.translation.size })
    assert.same({ 0 }, { rows.rotation.offset, rows.rotation.size })
    for _, row in ipairs(lathe.describe(parse().bones[1])) do assert.is_nil(row.offset) end
  end)

  it("keep every bit where the same is given again", function()
    local doc = parse()
    local m = doc.frames[2].matrix
    m.rotation = m.rotation
    m.rotation.x = m.rotation.x
    m.scale = m.scale:totable()
    doc.polar.angle = doc.polar.angle
    assert.equal(BYTES, doc:encode())
  end)

  it("refuse what they cannot be", function()
    local doc = parse()
    raises("polar: no field 'lenght' in polar; did you mean 'length'?", function() doc.polar = { lenght = 3 } end)
    raises("polar: polar has 2 numbers, got 3", function() doc.polar = { 1, 2, 3 } end)
    raises("frames[1].matrix.scale at 0x2f: 1e+300 does not fit into f32",
      function() doc.frames[1].matrix.scale = { 1e300, 1, 1 } end)
    assert.equal(BYTES, doc:encode())
  end)

  it("have places in the file", function()
    local doc = parse()
    local m, at = doc.frames[1].matrix, lathe.span(doc.frames[1], "matrix")
    assert.same({ at + 48, 12 }, { lathe.span(m, "translation") })
    assert.same({ at + 16, 16 }, { lathe.span(m, "col1") })
    assert.same({ at, 64 }, { lathe.span(m, "rotation") })
    assert.same({ lathe.span(doc.masses) + 4, 4 }, { lathe.span(doc.bones[2], "mass") })
    assert.same({ lathe.span(doc.bone_ends[2]) }, { lathe.span(doc.bones[2], "ends") })
    assert.is_false((pcall(lathe.span, doc, "bones")))
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
    set_version(doc, 4)
    assert.same({ 7, 7 }, doc.flags:totable())
    assert.same({ { id = 9, text = "new" }, { id = 9, text = "new" } }, second.tags:totable())
    assert.equal(9, second.time)
    assert.equal(-4, second.matrix.col2_y)
    assert.equal(2, bone.mass)
    assert.equal(doc:encode(), lathe.new("words", doc:totable()):encode())
    assert.equal(doc:encode(), parse(doc:encode()):encode())
    doc.frames[1].tags[2].text = "kept"
    local report = set_version(doc, 3)
    assert.equal("frames[1].tags[1].text", report.skipped[1].path)
    assert.equal(4, #report.skipped)
    set_version(doc, 1)
    assert.equal(3, doc.corner_count)
    assert.equal(0x82, doc.corners[2])
    set_version(doc, 2)
    assert.equal(BYTES, doc:encode())
    while doc:undo() do end
    assert.equal(BYTES, doc:encode())
    while doc:redo() do end
    assert.equal(BYTES, doc:encode())
    assert.equal("tail", doc.trailing)
  end)
end)

describe("another version, in detail", function()
  it("reads choices where they were", function()
    local doc = parse()
    set_version(doc, 4)
    doc.frames[1].style = 1
    doc.frames[2].style = 0
    set_version(doc, 5)
    assert.equal(3, doc.frames[1].accent)
    assert.is_nil(doc.frames[2].accent)
    assert.equal(514, doc.frames[2].wide)
    assert.equal(7, doc.frames[1].matrix.translation.z)
    assert.same({ { id = 9, text = "new" }, { id = 9, text = "new" } }, doc.notes:totable())
    assert.equal(doc:encode(), parse(doc:encode()):encode())
    set_version(doc, 2)
    assert.equal(BYTES, doc:encode())
    set_version(doc, 5)
    assert.equal(2, #doc.notes)
    assert.equal(doc:encode(), lathe.new("words", doc:totable()):encode())
  end)

  it("keeps totals", function()
    local doc = parse()
    set_version(doc, 3)
    assert.equal(3, doc.frames[1].weight)
    assert.equal(0, doc.frames[2].weight)
    doc.frames[2].weight = 100 -- the file's own business
    set_version(doc, 4)
    assert.equal(9, doc.frames[1].weight)
    assert.equal(100, doc.frames[2].weight)
    set_version(doc, 3)
    assert.equal(3, doc.frames[1].weight)
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
