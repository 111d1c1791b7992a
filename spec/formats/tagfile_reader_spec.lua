-- The judges of tagfiles in plain Lua, tried on files made by hand: no lathe in here.

local judge = require "tagfile_judge"
local reader = require "tagfile_reader"
local sample = require "sample_tagfile"
local writer = require "sample_tagfile_write"

describe("the plain reader of tagfiles", function()
  it("finds nothing wrong with good files, whatever their classes are", function()
    local list = sample.all()
    assert(#list >= 8)
    for _, entry in ipairs(list) do assert.same({}, judge.problems(entry.bytes), entry.name) end
  end)

  it("makes the same files each time", function()
    local again = sample.all()
    for i, entry in ipairs(sample.all()) do assert.is_true(entry.bytes == again[i].bytes, entry.name) end
  end)

  it("reads what was written: references, texts, lists of lists", function()
    local file = reader.read(sample.named "nested")
    local tree = file:value(1)
    assert.same({ "a", false, "", "bcd" }, tree.texts)
    assert.same({ { item = tree.friends[1].item }, { item = 1 }, false, tree.friends[1] }, tree.friends)
    assert.same({ { 1, 2, 3 }, {}, { 4 } }, tree.leaves[1].lists)
    assert.same({ label = false, lists = {}, owner = false, size = 0 }, tree.leaves[2])
    assert.same({ texts = { "left", "right" }, numbers = { 10, 20, 30, 40, 50 }, next = tree.friends[1] }, tree.pair)
  end)

  it("reads numbers of every width", function()
    local values = reader.read(sample.named "scalars"):value(1)
    assert.same({ -128, 255, -32768, 65535, -0x80000000, 0xFFFFFFFF, math.mininteger, math.maxinteger },
      { values.byteValue, values.ubyteValue, values.shortValue, values.ushortValue, values.intValue, values.uintValue,
        values.longValue, values.ulongValue })
    assert.same({ 1.5, -0.375, 2.5, 0.1, true, 0xFF00FF00 }, { values.floatValue, values.halfValue, values.upperValue,
      values.doubleValue, values.boolValue, values.shade })
    assert.same({ 1.0, -2.0 }, values.twoHalves)
    assert.same({ 1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0, 0.0, 7.0, 8.0, 9.0, 0.0 }, values.matrix)
  end)

  it("follows offsets that count from their field", function()
    local file = reader.read(sample.named "relative")
    local mesh = file:value(1)
    assert.same({ { indices = { 1, 2, 65535 }, bytes = {}, kind = 3 },
      { indices = { 4 }, bytes = { 9, 8, 7 }, kind = -1 } },
      mesh.sections)
    assert.same({ { 1.0, 2.0, 3.0, 4.0 }, { -1.0, -2.0, -3.0, -4.0 } }, mesh.points)
    assert.same({ false, {} }, { mesh.none, mesh.empty })
    assert.equal(1e100, file:value(mesh.next.item).value)
    assert.is_nil(file:section "PTCH")
  end)

  it("reads all that a body can say", function()
    local file = reader.read(sample.named "odd_bodies")
    local odd
    for _, type in ipairs(file.types) do odd = type.name == "hkOdd" and type or odd end
    assert.same({ 300, 3, "hk.Attributes", 5, 3, 2 },
      { odd.version, odd.flags, odd.attribute, odd.mutable, #odd.members, #odd.properties })
    assert.same({ 3, 200, 0 }, { odd.members[1].extra, odd.members[2].extra, odd.members[3].extra })
    assert.equal("hkInterface", file.types[odd.interfaces[1].type].name)
    local last = file.items[3]
    local values = file:value(last)
    assert.same({ "hkOdd", 0x81, 4000000000, "o" },
      { file:display(last.type), values.flags, values.value, values.label })
  end)

  it("takes packed numbers of every width", function()
    local list = {}
    for _, width in ipairs { 1, 2, 3, 4, 5, 6, 8, 9 } do list[#list + 1] = writer.packed(5, width) end
    assert.same({ "\5", "\x80\5", "\xC0\0\5", "\xE0\0\0\5", "\xE8\0\0\0\5", "\xF8\0\0\0\0\5", "\xF0\0\0\0\0\0\0\5",
      "\xF9\0\0\0\0\0\0\0\5" }, list)
    assert.same({ "\xBF\xFF", "\xC0\x40\0", "\xF9\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF" },
      { writer.packed(0x3FFF), writer.packed(0x4000), writer.packed(-1) })
    local plain = reader.read(sample.named "plain")
    for _, name in ipairs { "wide_numbers", "small_wide_numbers", "unknown_sections" } do
      local file = reader.read(sample.named(name))
      assert.equal(#plain.types, #file.types)
      assert.same(plain:value(1), file:value(1))
    end
  end)

  it("knows the SDK's order, and files in another", function()
    local plain, other = reader.read(sample.named "plain"), reader.read(sample.named "other_order")
    local order, turned = judge.order(plain), judge.order(other)
    for i, number in ipairs(order) do assert.equal(i, number) end
    assert.equal(#order, #turned)
    assert.is_false(turned[2] == 2)
    local at = -1
    for _, number in ipairs(judge.layout(plain)) do
      assert(plain.items[number].offset > at)
      at = plain.items[number].offset
    end
  end)

  it("needs the compendium of a file that has no types", function()
    local compendium, file = sample.compendium()
    assert.same({ "at 0x140: needs compendium 1032547698badcfe" }, (judge.problems(file)))
    assert.same({}, (judge.problems(file, reader.read(compendium))))
    assert.same({}, (judge.problems(compendium)))
  end)

  it("names every fault of bad files", function()
    local list, names = sample.damaged(), {}
    assert(#list >= 60, #list)
    for _, bad in ipairs(list) do
      assert.is_nil(names[bad.name], bad.name)
      names[bad.name] = true
      local said = table.concat(judge.problems(bad.bytes), "\n")
      assert(#said > 0 and said:find(bad.says), ("%s: %s"):format(bad.name, said))
      assert(not said:find "%.lua:", said)          -- no accident
    end
  end)
end)
