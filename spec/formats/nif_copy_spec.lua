-- Blocks that are copied, within a file and from one to another: texts go by what they say, references to blocks of
-- another file are nothing here.

local figures = require "nif_figures"
local lathe = require "lathe"
local reader = require "nif_reader"
local sample = require "sample_nif"

local function open(bytes)
  return assert(lathe.parse(bytes, { format = "nif", history = 8 }))
end

local function made(prefix, more)
  return (sample.build { game = "sse", strings = more, blocks = {
    { type = "NiNode", name = prefix .. "Root", children = { 1, 2, -1 }, extra_data_list = { 3 } },
    { type = "NiNode", name = prefix .. "a" }, { type = "NiNode", name = "b", children = { 1 } },
    { type = "NiStringExtraData", name = prefix .. "s", string_data = "t" } } })
end

-- The texts of a block as plain Lua reads them, false where there is none.
local function texts(file, block)
  local out = {}
  for i, number in ipairs(block.string_refs) do out[i] = file.strings[number + 1] or false end
  return out
end

-- Block i of a file as it is at the end of another one.
local function expect_copy(from, i, bytes)
  local to = reader.read(bytes, { lazy = true })
  local a, b = from.blocks[i], to.blocks[#to.blocks]
  assert.equal(a.type, b.type)
  assert.is_nil(b.err)
  assert.equal(b.size, b.consumed)
  assert.equal(a.size, b.size)
  assert.same(texts(from, a), texts(to, b))
  assert.equal(#a.refs, #b.refs)
  for k, link in ipairs(b.refs) do assert.same({ -1, a.refs[k][2] }, link) end
end

describe("a block from another file", function()
  it("brings its texts, and no references", function()
    local a, b = open(made("", { "unused" })), open(made "other ")
    local before = a:encode()
    a.blocks:append(b.blocks[1])
    a.blocks:append(b.blocks[4])
    a.blocks:insert(1, b.blocks[3])
    local file = reader.read(a:encode())
    assert.same({ "unused", "Root", "a", "b", "s", "other Root", "other s" }, file.strings)
    assert.same({ "b", "Root", "a", "b", "s", "other Root", "other s" },
      { a.blocks[1].name, a.blocks[2].name, a.blocks[3].name, a.blocks[4].name, a.blocks[5].name, a.blocks[6].name,
        a.blocks[7].name })
    assert.same({ false, false, false }, { a.blocks[6].children[1], a.blocks[6].children[2], a.blocks[6].children[3] })
    assert.is_false(a.blocks[6].extra_data_list[1])
    assert.equal(a.blocks[3], a.blocks[2].children[1])
    assert.is_true(made "other " == b:encode())
    for _ = 1, 3 do assert(a:undo(1)) end
    assert.is_true(before == a:encode())
  end)

  it("lends lists of references that lead nowhere", function()
    local a, b = open(made ""), open(made "other ")
    a.blocks[2].children = b.blocks[1].children
    assert.same({ { -1, "ref" }, { -1, "ref" }, { -1, "ref" } },
      table.move(reader.read(a:encode()).blocks[2].refs, 3, 5, 1, {}))
  end)

  it("that nobody knows is refused", function()
    local strange = sample.build { game = "sse", blocks = { { type = "NiNode", name = "Root" },
      { type = "BSOfTomorrow", bytes = "\1\2\3\4", refs = {}, string_refs = {} },
      { type = "NiNode", bytes = "\1\2\3\4", refs = {}, string_refs = {} } } }
    local a, b = open(made ""), open(strange)
    for i, type in ipairs { "BSOfTomorrow", "NiNode" } do
      local block = b.blocks[i + 1]
      local ok, why = pcall(a.blocks.append, a.blocks, block)
      assert.same({ false,
        ("%s at 0x%x: the meaning of its numbers is unknown: it cannot be copied to another document (%s)")
        :format(lathe.path(block), (lathe.span(block)), type) }, { ok, tostring(why) })
    end
    assert.is_true(made "" == a:encode())
    b.blocks:append(b.blocks[2])
    assert.equal("\1\2\3\4", lathe.bytes(b.blocks[4]))
  end)

  it("keeps all it has where all of the file comes along", function()
    local bytes = made "other "
    local b = open(bytes)
    assert.is_true(bytes == assert(lathe.new("nif", b)):encode())
    local a = open(made "")
    a.blocks:assign(b.blocks)
    local file, wanted = reader.read(a:encode()), reader.read(bytes)
    for i, block in ipairs(wanted.blocks) do
      assert.same(texts(wanted, block), texts(file, file.blocks[i]))
      assert.same(block.refs, file.blocks[i].refs)
    end
    local c = assert(lathe.new("nif", { blocks = b.blocks }))
    assert.same({ "other Root", "other a" }, { c.blocks[1].name, c.blocks[1].children[1].name })
    c = assert(lathe.new("nif", { blocks = { b.blocks[1], b.blocks[4] } }))
    assert.same({ "other Root", "other s", false }, { c.blocks[1].name, c.blocks[2].name, c.blocks[1].children[1] })
  end)
end)

describe("a block from its own file", function()
  it("takes the place of another, which is still the same view", function()
    local bytes = made ""
    local doc <close> = open(bytes)
    local view = doc.blocks[3]
    doc.blocks[3] = doc.blocks[1]
    assert.same({ "Root", 3 }, { view.name, #view.children })
    assert.equal(lathe.bytes(doc.blocks[1]), lathe.bytes(view))
    assert.equal(view, doc.blocks[1].children[2])
    assert(doc:undo(1))
    assert.equal("b", view.name)
    assert.is_true(bytes == doc:encode())
  end)

  it("refers to what the other one does", function()
    local doc = open(made "")
    doc.blocks:insert(2, doc.blocks[1])
    local refs = reader.read(doc:encode()).blocks[2].refs
    assert.same(reader.read(doc:encode()).blocks[1].refs, refs)
    assert.same({ "a", "b" }, { doc.blocks[2].children[1].name, doc.blocks[2].children[2].name })
  end)
end)

describe("blocks of the corpus #corpus", function()
  it("are in their own file what they were, byte by byte", function()
    figures.each(figures.files(pending), function(entry)
      local bytes = entry:bytes()
      local doc <close> = open(bytes)
      local seen = {}
      if #doc.blocks < doc.num_blocks then return end
      for i = 1, #doc.blocks do
        local block = doc.blocks[i]
        if not seen[block.type] then
          seen[block.type] = true
          local copy = doc.blocks:append(block)
          assert.is_true(lathe.bytes(block) == lathe.bytes(copy), block.type)
          assert.equal(block.type, copy.type)
          assert(doc:undo(1))
        end
      end
      assert.is_true(bytes == doc:encode())
    end)
  end)

  it("say in another file what they said in theirs", function()
    local n = 0
    local targets = {}
    figures.each(figures.files(pending), function(entry)
      local header = entry.wanted.header
      if not header.block_refs or entry.name == "fo4_Corrupt.nif" then return end
      local bytes = entry:bytes()
      local from <close> = open(bytes)
      local game = ("%x %d"):format(from.version, from.bs_version or 0)
      local plain = reader.read(bytes, { lazy = true })
      if not plain.strings then return end
      local to = targets[game] or open(bytes) -- an earlier file of the same game: other texts, other numbers
      local rng = sample.rng(#bytes)
      for _ = 1, 3 do
        local i = rng(1, #from.blocks)
        if to ~= from and plain.blocks[i].size < 0x10000 then
          to.blocks:append(from.blocks[i])
          expect_copy(plain, i, to:encode())
          assert(to:undo(1))
          n = n + 1
        end
      end
      targets[game] = targets[game] or to
    end)
    assert.is_true(n > 150)
  end)
end)

describe("texts that no block names", function()
  it("go when asked for, and the others keep their blocks", function()
    local bytes = sample.build { game = "sse", strings = { "first unused", "a", "a long one that nobody names", "b" },
      blocks = { { type = "NiNode", name = "Root", children = { 1, 2 } }, { type = "NiNode", name = "a" },
        { type = "NiNode", name = "b" } } }
    local doc <close> = open(bytes)
    assert.equal(28, doc.max_string_length)
    assert.equal(2, assert(doc:remove_unused_strings()).changed)
    local file = reader.read(doc:encode())
    assert.same({ "a", "b", "Root" }, file.strings)
    assert.same({ { 2 }, { 0 }, { 1 } },
      { file.blocks[1].string_refs, file.blocks[2].string_refs, file.blocks[3].string_refs })
    assert.equal(4, doc.max_string_length)
    assert.equal(0, assert(doc:remove_unused_strings()).changed)
    assert(doc:undo(1))
    assert.is_true(bytes == doc:encode())
  end)

  it("stay where a block may name them that nobody can read", function()
    local bytes = sample.build { game = "sse", strings = { "unused" }, blocks = { { type = "NiNode", name = "Root" },
      { type = "BSOfTomorrow", bytes = "\1\2\3", refs = {}, string_refs = {} } } }
    local doc <close> = open(bytes)
    local result, err = doc:remove_unused_strings()
    assert.is_nil(result)
    assert.equal(("blocks[2] at 0x%x: nobody knows its strings: none of the header's can be removed (BSOfTomorrow)")
      :format((lathe.span(doc.blocks[2]))), tostring(err))
    assert.is_true(bytes == doc:encode())
  end)

  it("go from every file, and leave all blocks as they are #corpus", function()
    local n = 0
    figures.each(figures.files(pending), function(entry)
      local bytes = entry:bytes()
      local doc <close> = open(bytes)
      if not doc.strings or entry.name == "fo4_Corrupt.nif" then return end
      local unused = { "new and unused", "another" }
      for _, text in ipairs(unused) do doc.strings:append(text) end
      local result = assert(doc:remove_unused_strings())
      local before, after = reader.read(bytes, { lazy = true }), reader.read(doc:encode(), { lazy = true })
      assert.is_true(result.changed >= 2)
      assert.equal(#before.strings + 2 - result.changed, #after.strings)
      for i, block in ipairs(before.blocks) do
        assert.same(texts(before, block), texts(after, after.blocks[i]))
      end
      n = n + 1
    end)
    assert.is_true(n > 80)
  end)
end)
