-- What the two real formats have no example of, in Lua: enumerations, flags, references, selectors,
-- documents inside of others, both byte orders. Runs on the made-up formats.

local lathe = require "lathe.core"

local function nested(fields, format)
  return assert(lathe.new(format or "nested", fields or {}, { history = 20 }))
end

local function raises(code, message, f, ...)
  local ok, err = pcall(f, ...)
  assert.is_false(ok)
  assert.equal(code, type(err) == "table" and err.code or "string")
  assert.matches(message, tostring(err), 1, true)
end

describe("enumerations", function()
  it("read as names, and take names and numbers", function()
    local n = nested().numbers
    assert.equal("green", n.colour)
    n.colour = "blue"
    assert.equal("blue", n.colour)
    assert.equal(200, lathe.raw(n, "colour"))
    n.colour = 0
    assert.equal("red", n.colour)
    n.colour = 77
    assert.equal(77, n.colour)
    raises("range", "no colour is called 'gren'; did you mean 'green'?", function() n.colour = "gren" end)
    raises("range", "no colour is called 'vermilion': red, green, blue", function() n.colour = "vermilion" end)
    raises("range", "", function() n.colour = 256 end)
    raises("string", "numbers.colour: u8 expected, got a table", function() n.colour = { "red" } end)
    assert.equal(77, n.colour)
  end)

  it("are described", function()
    local rows = {}
    for _, row in ipairs(lathe.describe("numbers")) do rows[row.name] = row end
    assert.is_true(rows.colour.enum)
    assert.same({ "red", "green", "blue" }, rows.colour.names)
    assert.same({ 0, 1, 200 }, rows.colour.values)
    assert.is_true(rows.bits.flags)
    assert.same({ 1, 2, 0x8000 }, rows.bits.values)
    assert.same({ -10, 10 }, { rows.ranged.min, rows.ranged.max })
    assert.is_nil(rows.u8.min)
    assert.equal("boolean", rows.on.kind)
    assert.equal("m", rows.f32.unit)
  end)
end)

describe("flags", function()
  it("read as a number, and take a number or names", function()
    local doc = nested()
    local n = doc.numbers
    n.bits = { "hot", "loud" }
    assert.equal(0x8001, n.bits)
    assert.same({ "hot", "loud" }, lathe.names(n, "bits"))
    n.bits = 0x13
    assert.same({ "hot", "wet" }, lathe.names(n, "bits"))
    n.bits = {}
    assert.equal(0, n.bits)
    assert.same({}, lathe.names(n, "bits"))
    n.bits = { "wet", 0x10 }
    assert.equal(0x12, n.bits)
    n.bits = "hot"
    assert.equal(1, n.bits)
    doc.numbers = { bits = { "wet" } }
    assert.equal(2, n.bits)
    assert.equal(0x8000, doc:set("numbers.bits", { "loud" }))
    raises("range", "no bit is called 'hat'; did you mean 'hot'?", function() n.bits = { "wet", "hat" } end)
    raises("string", "a function cannot be stored (at [2])", function() n.bits = { "wet", print } end)
    raises("string", "numbers.bits", function() n.bits = { { 1 } } end)
    assert.equal(0x8000, n.bits)
    assert.has_error(function() lathe.names(n, "u8") end)
    assert.has_error(function() lathe.names(n, "nothing") end)
  end)
end)

describe("numbers", function()
  it("of all kinds read back what they were given, in both byte orders", function()
    local values = {
      u8 = 255, i8 = -128, u16 = 65535, i16 = -32768, u32 = 0xffffffff, i32 = -0x80000000, u64 = -1,
      i64 = math.mininteger, f16 = 1.5, upper = -2.0, f32 = 0.25, f64 = 0.1, big_u16 = 0x1234,
      big_i32 = -2, big_f64 = 1e300, little_u16 = 0x1234, little_u64 = 1 << 63, little_f16 = -0.5,
      on = true, ranged = -10, ratio = 0.5, wide = 1000, packed = 12.3,
    }
    local plain
    for _, format in ipairs { "nested", "nested_big" } do
      local doc = nested(nil, format)
      for name, value in pairs(values) do
        doc.numbers[name] = value
        assert.equal(value, doc.numbers[name], name)
        local offset, size = lathe.span(doc.numbers, name)
        assert.equal(doc:encode():sub(offset + 1, offset + size), lathe.bytes(doc.numbers, name))
      end
      local copy = doc.numbers:totable()
      assert.equal(doc:encode(), assert(lathe.new(format, doc:totable())):encode())
      assert.equal(doc:encode(), assert(lathe.new(format, doc)):encode())
      plain = plain or copy
      assert.same(plain, copy)
    end
  end)

  it("keep to their range", function()
    local n = nested().numbers
    raises("range", "", function() n.ranged = 11 end)
    raises("range", "", function() n.ratio = 1.5 end)
    raises("range", "", function() n.ratio = 0 / 0 end)
    raises("range", "", function() n.wide = -1 end)
    raises("range", "", function() n.f16 = 1e6 end)
    raises("range", "", function() n.packed = 500 end)
    raises("string", "is not an integer", function() n.u8 = 1.5 end)
    raises("string", "got a boolean", function() n.u8 = true end)
    n.on = 2
    assert.is_true(n.on)
    assert.equal(2, lathe.raw(n, "on"))
    assert.equal(2, n:totable().on)
    n.u64 = 0x7fffffffffffffff
    n.u64 = 2.0 ^ 63
    assert.equal(math.mininteger, n.u64)
    assert.matches("u64=9223372036854775808", tostring(n), 1, true)
  end)
end)

describe("packing", function()
  it("is little-endian whatever the document is", function()
    local points = {
      { id = 1, pos = { 1, 2, 3 }, weights = { 1, 2, 3, 4 }, half = 0.5, upper = 2, big = -2, wide = -3 },
      { id = 0x01020304, ranged = 10, colour = "blue" },
    }
    local little, big = nested { points = points }, nested({ points = points }, "nested_big")
    local packed = little.points:pack()
    assert.equal(packed, big.points:pack())
    assert.not_equal(lathe.bytes(little.points), lathe.bytes(big.points))
    assert.equal(string.pack("<I4fff", 1, 1, 2, 3), packed:sub(1, 16))
    local before = big:encode()
    big.points:assign(packed)
    assert.equal(before, big:encode())
    big.points = {}
    big.points:assign(packed)
    assert.equal(before, big:encode())
    assert.same(little.points:tobuffer("pos"):totable(), big.points:tobuffer("pos"):totable())
    assert.same({ 1, 2, 3, 4, 0, 0, 0, 0 }, big.points:tobuffer("weights"):totable())
    assert.same({ 0.5, 0 }, big.points:tobuffer("half"):totable())
    big.points:assign(lathe.buffer("f64", 2, 3, { 6, 5, 4, 3, 2, 1 }), "pos")
    assert.same({ x = 3, y = 2, z = 1 }, big.points[2].pos:totable())
    local before_range = big:encode()
    raises("range", "", function() big.points:assign(lathe.buffer("i32", 2, 1, { 1, 11 }), "ranged") end)
    assert.equal(before_range, big:encode())
    assert.equal(string.pack("<I2I2", 7, 8), nested({ rest = { 7, 8 } }, "nested_big").rest:pack())
  end)
end)

describe("arrays of one length", function()
  it("grow together", function()
    local shared = nested { shared = { left = { 1, 2 }, names = { "a", "b" }, right = { { 1, 2 }, { 3, 4 } } } }.shared
    assert.equal(2, shared.pair_count)
    shared.names:append("c")
    assert.same({ 3, 3, 3 }, { #shared.left, #shared.names, #shared.right })
    assert.equal("c", shared.names[3])
    shared.left:remove(1)
    assert.same({ "b", "c" }, shared.names:totable())
    assert.same({ { x = 3, y = 4 }, { x = 0, y = 0 } }, shared.right:totable())
    raises("string", "read-only", function() shared.pair_count = 1 end)
    for _ = 1, 4 do shared.left[#shared.left + 1] = 9 end
    assert.has_error(function() shared.names:append("seventh") end)
    assert.equal(6, #shared.names)
  end)
end)

describe("strings in arrays", function()
  it("change and come and go", function()
    local doc = nested { words = { "one", "two", "" } }
    assert.same({ "one", "two", "" }, doc.words:totable())
    doc.words[2] = "longer"
    doc.words:insert(1, "zero")
    doc.words[#doc.words + 1] = "last"
    assert.equal("zero,one,longer,,last", table.concat(doc.words, ","))
    assert.equal("zero", doc.words:remove(1))
    doc.words = { "x" }
    assert.equal('cstr[1] words: "x"', tostring(doc.words))
    raises("range", "", function() doc.words[1] = "two words" end)
    raises("string", "words: a string expected", function() doc.words[1] = 5 end)
    assert.same({ "x" }, doc.words:totable())
  end)
end)

describe("fields that come and go", function()
  it("are nil where they are not", function()
    local doc = nested()
    local choice = doc.choice
    assert.is_nil(choice.any)
    assert.is_nil(choice.extra)
    raises("string", "absent here", function() choice.any = 1 end)
    raises("string", "absent here", function() choice.extra = { 1, 2, 3, 4 } end)
    choice.mode = 2
    assert.same({ 9, "two" }, { choice.any, choice.two })
    choice.mode = 3
    assert.is_nil(choice.two)
    choice.extra = { w = 1 }
    local extra = choice.extra
    assert.equal(1, extra.w)
    local names = {}
    for name in pairs(choice) do names[#names + 1] = name end
    assert.same({ "mode", "any", "extra", "side", "cells", "tail" }, names)
    choice.side = 2
    assert.equal(4, #choice.cells)
    choice.mode = 0
    raises("string", "was removed", function() return extra.w end)
    assert.equal(0xabcd, choice.tail)
    assert.is_true(doc:undo())
    assert.equal(1, extra.w)
    assert.equal(1, doc:upgrade().changed)
    assert.is_nil(doc.old)
    assert.equal(0x87654321, doc.fresh)
  end)
end)

describe("references", function()
  local function parts()
    return assert(lathe.new("parts", { chunks = {
      { id = 1, name = "first", cells = { { id = 10 }, { id = 11 }, { id = 12 } } },
      { id = 2, name = "second", cells = { { id = 20 } } },
    } }, { history = 20 }))
  end

  it("read as the view they point to, or false", function()
    local doc = parts()
    local chunk = doc.chunks[1]
    assert.is_false(chunk.link)
    assert.equal(0, lathe.raw(chunk, "link"))
    chunk.link = chunk.cells[2]
    assert.is_true(chunk.link == chunk.cells[2])
    assert.equal("chunks[1].cells[2]", lathe.path(chunk.link))
    assert.equal(11, chunk.link.id)
    assert.equal(lathe.raw(chunk, "link"), chunk:totable().link)
    local raw = lathe.raw(chunk, "link")
    chunk.link = nil
    assert.is_false(chunk.link)
    chunk.link = raw
    assert.equal(11, chunk.link.id)
    chunk.link = false
    assert.equal(0, lathe.raw(chunk, "link"))
  end)

  it("refuse what is no place to point to", function()
    local doc = parts()
    local chunk = doc.chunks[1]
    local before = doc:encode()
    raises("string", "a view, a number or false expected, got a table", function() chunk.link = {} end)
    raises("string", "a cell of this chunk expected", function() chunk.link = chunk end)
    raises("string", "a cell of this chunk expected", function() chunk.link = doc.chunks[2].cells[1] end)
    raises("string", "its own document", function() chunk.link = parts().chunks[1].cells[1] end)
    raises("string", "", function() chunk.link = chunk.cells end)
    raises("string", "", function() chunk.link = "x" end)
    assert.equal(before, doc:encode())
  end)

  it("follow what they point to", function()
    local doc = parts()
    local chunk = doc.chunks[1]
    chunk.link = chunk.cells[2]
    local cell = chunk.link
    chunk.cells:insert(1, { id = 9 })
    assert.equal(11, chunk.link.id)
    assert.equal("chunks[1].cells[3]", lathe.path(cell))
    doc.chunks:insert(1, { id = 3 })
    assert.equal(11, doc.chunks[2].link.id)
    assert.equal("chunks[2].cells[3]", lathe.path(cell))
    assert.equal(1, lathe.index(doc.chunks[2]))
    raises("invalid", "points to no cell", function() doc.chunks[2].link = 3 return doc.chunks[2].link end)
  end)
end)

describe("a document inside of another", function()
  it("is a record like any other", function()
    local doc = assert(lathe.new("parts", { chunks = {
      { id = 1, has_inner = 1, inner = { sections = { { text = "a", values = { 1, 2 } } } } },
      { id = 2 },
    } }))
    local inner = doc.chunks[1].inner
    assert.equal("pack", lathe.type(inner))
    assert.is_nil(doc.chunks[2].inner)
    assert.equal("chunks[1].inner.sections[1].values", lathe.path(inner.sections[1].values))
    inner.sections:append { text = "b", values = { 3 } }
    assert.equal(3, inner.value_total)
    local alone = assert(lathe.parse(lathe.bytes(inner), { format = "pack" }))
    assert.same(inner:totable(), alone:totable())
    assert.equal(alone.size, doc.chunks[1].inner_size)
    doc.chunks:remove(1)
    raises("string", "was removed", function() return inner.sections end)
  end)

  it("has verbs that report what they skip", function()
    local doc = assert(lathe.new("parts", { chunks = { { id = 1 }, { id = 2 }, { id = 4 } } }))
    local report = doc:rename_all()
    assert.equal(2, report.changed)
    assert.same({ { path = "chunk", reason = "its id is odd" } }, report.skipped)
    local before = doc:encode()
    local none, err = doc:rename_all { fail = true }
    assert.is_nil(none)
    assert.equal("as you wish", err.message)
    assert.equal(before, doc:encode())
  end)

  it("has verbs of its records", function()
    local doc = assert(lathe.new("parts", { chunks = { { id = 1, has_inner = 1 } } }))
    local chunk = doc.chunks[1]
    local verbs = lathe.verbs(chunk)
    assert.same({ "hush", "chunk" }, { verbs[1].name, verbs[1].type })
    assert.equal(1, #verbs)
    assert.equal("rename_all", lathe.verbs(doc)[1].name)
    assert.equal(3, #lathe.verbs "parts")
    assert.same({ ratio = 2.0, side = "left" }, doc:tell { ratio = 2, side = "left" })
    assert.same({ ratio = 2.0, count = 7 }, doc:tell(2, 7.0))
    raises("string", "no field 'huhs' in chunk; did you mean 'hush'?", function() chunk:huhs() end)
    raises("string", "no option 'loud' of hush, which takes none", function() chunk:hush { loud = true } end)
  end)
end)
