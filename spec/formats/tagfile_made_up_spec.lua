-- Tagfiles of classes that no game has: all that lathe knows of them it has from their TYPE section.

local figures = require "tagfile_figures"
local judge = require "tagfile_judge"
local lathe = require "lathe"
local outcome = require "outcome"
local reader = require "tagfile_reader"
local sample = require "sample_tagfile"

local function open(bytes)
  return assert(lathe.parse(bytes, { path = "made-up.hkx" }))
end

describe("made-up tagfiles", function()
  for _, entry in ipairs(sample.all()) do
    it(entry.name .. ": every type and value is the plain reader's, and every byte is kept", function()
      local doc <close> = open(entry.bytes)
      local file = reader.read(entry.bytes)
      local values, objects = figures.values(lathe, doc, file)
      assert(values > 0 or entry.name == "empty")
      assert(objects > 0)
      figures.types(doc, file)
      assert.same({ "tagfile", file.sdk }, { doc.format, doc.sdk_version })
      assert.is_true(doc:encode() == entry.bytes)
      if file:section "PTCH" then figures.index(doc, file) end
    end)
  end

  -- What a table does not say: an order that is not the SDK's. Patches of other files are refused, which
  -- tagfile_serialize_spec.lua has.
  local OTHERWISE = { other_order = true, apart = true }

  it("are the same when they are made of tables", function()
    local same = 0
    for _, entry in ipairs(sample.all()) do
      if entry.name ~= "surrounded" then
        local doc <close> = open(entry.bytes)
        local made <close> = assert(lathe.new("tagfile", doc:totable()))
        local bytes = made:encode()
        assert.equal(not OTHERWISE[entry.name], bytes == entry.bytes, entry.name)
        assert.same({}, (judge.problems(bytes)), entry.name)
        if not OTHERWISE[entry.name] then same = same + 1 end
        assert.is_true(doc:serialize() == bytes, entry.name)
      end
    end
    assert(same >= 15, same)
  end)

  it("have no fault that check() finds", function()
    for _, entry in ipairs(sample.all()) do
      local doc <close> = open(entry.bytes)
      assert.is_true((doc:check()), entry.name)   -- its warnings are in tagfile_check_spec
    end
  end)

  it("names fields after members, whatever they are called, and numbers those of one name", function()
    local doc <close> = open(sample.named "clashes")
    local names = {}
    for _, row in ipairs(lathe.describe(doc.root)) do
      if not row.name:find "^padding" then names[#names + 1] = row.name end
    end
    assert.same({ "value", "foo_bar", "m_data", "value_2", "foo_bar_2", "totable", "end", "_2nd", "with_space", "xyz_count",
      "num_u8" }, names)
    local root = doc.root
    assert.same({ 1, 2, 3, 4, 6, 7 }, { root.value, root.value_2, root.foo_bar, root.foo_bar_2, root.totable, root["end"] })
  end)

  it("sees through other names, offsets and orders of members", function()
    local doc <close> = open(sample.named "renamed")
    local kegs = doc.root.kegs
    assert.same({ "zyCellar", "zyKeg", "zyAle" }, { lathe.type(doc.root), lathe.type(kegs[1]), lathe.type(kegs[1].content) })
    assert.same({ "One", "zyAle", "first", 7, 0.5 }, { kegs[1].chalk, kegs[1].sort, kegs[1].content.brewed_by,
      kegs[1].content.litres, kegs[1].content.strength_of_it })
    assert.same({ -1, 0, 1, 2, 3 }, kegs[1].content.years_old:totable())
    assert.is_true(kegs[3].content == kegs[1].content)
    assert.is_false(kegs[4].content)
  end)

  it("follows offsets that count from their field", function()
    local doc <close> = open(sample.named "relative")
    local mesh = doc.root
    assert.same({ 2, 2, 0, 2.5 }, { #mesh.sections, #mesh.points, #mesh.empty, mesh.scale })
    assert.same({ 1, 2, 65535 }, mesh.sections[1].indices:totable())
    assert.same({ false, 1e100 }, { mesh.none, mesh.next.value })
  end)

  it("changes nothing that files do not store", function()
    local bytes = sample.named "odd_shapes"
    local doc <close> = open(bytes)
    local root = doc.root
    outcome.raises("read-only: no file stores it", function() root.world = doc.objects[2] end)
    outcome.raises("read-only: no file stores it", function() root.note = "text" end)
    outcome.raises("it has 0 elements, and cannot be resized", function() root.cache:insert(1) end)
    assert.same({ 0, false, false }, { #root.cache, root.world, root.note })
    assert.is_true(doc:encode() == bytes)
  end)

  it("changes texts where the type of their letters is called otherwise", function()
    local doc <close> = open(sample.named "renamed")
    doc.root.kegs[1].content.brewed_by = "somebody else"
    assert.same({}, (judge.problems(doc:encode())))
    assert.equal("somebody else", reader.read(doc:encode()):value(3).brewedBy)
  end)

  it("takes elements anywhere into arrays whose offset counts from their field", function()
    for _, kind in ipairs { "relative", "view" } do
      for at = 1, 3 do
        local l = sample.library()
        local list, other = l[kind](l, l:number "int"), l[kind](l, l:number "short")
        local root = l:record("R", 40, { { "list", list, 0 }, { "other", other, 16 } })
        local bytes = sample.build(l, sample.object(root, { list = { 10, 20 }, other = { 7 } }), { no_patches = true })
        local doc <close> = open(bytes)
        doc.root.list:insert(at, 5)
        local wanted = { 10, 20 }
        table.insert(wanted, at, 5)
        assert.same(wanted, doc.root.list:totable())
        local problems, file = judge.problems(doc:encode())
        assert.same({}, problems)
        assert.same({ list = wanted, other = { 7 } }, file:value(1))
      end
    end
  end)

  it("keeps sections that it does not know", function()
    local doc <close> = open(sample.named "unknown_sections")
    doc.root.named_variants[1].variant.number_of_tracks = 8
    local file = reader.read(doc:encode())
    assert.equal("kept", file:payload(file:section "XTRA"))
    assert.equal("\1\2\3\4\5\6\7\8", file:payload(file:section "TSHA"))
    assert.equal(8, file:value(3).numberOfTracks)
  end)

  it("says which compendium is needed", function()
    local _, bytes = sample.compendium()
    local doc, err = lathe.parse(bytes, { path = "made-up.hkx" })
    assert.is_nil(doc)
    assert.matches("it needs the compendium 1032547698BADCFE", tostring(err), 1, true)
  end)
end)

describe("bad tagfiles", function()
  for _, bad in ipairs(sample.damaged()) do
    it(bad.name .. (bad.opens and ": opened and kept" or ": refused with its place"), function()
      local doc, err = lathe.parse(bad.bytes, { path = "bad.hkx", format = "tagfile" })
      if bad.opens then
        assert(doc, tostring(err))
        pcall(doc.totable, doc)
        assert.is_true(doc:encode() == bad.bytes)
        doc:check()
        doc:close()
      else
        assert.is_nil(doc)
        assert.matches(bad.wants or "", tostring(err))
        assert(math.type(err.offset) == "integer" and err.offset <= #bad.bytes, tostring(err))
      end
    end)
  end
end)
