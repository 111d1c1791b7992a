-- Blocks come, go and change their type: every reference, text and size follows. What is written is read by plain
-- Lua that shares nothing with the core, and compared with the corpus's own lists of references.

local figures = require "nif_figures"
local hex = require "nif_hex"
local lathe = require "lathe"
local reader = require "nif_reader"
local sample = require "sample_nif"

local function open(bytes)
  return assert(lathe.parse(bytes, { format = "nif", history = 8 }))
end

-- ---- what should come out -------------------------------------------------------------------------

-- Numbers of blocks from 0 after n blocks came (or went, n < 0) at number `at`.
local function follow(number, at, n)
  if number < at then return number end
  if n < 0 and number < at - n then return -1 end
  return number + n
end

local function followed(list, at, n)
  local out = {}
  for i, link in ipairs(list) do out[i] = { follow(link[1], at, n), link[2] } end
  return out
end

-- A list in which n elements came or went.
local function spliced(list, at, n, new)
  local out = table.move(list, 1, at, 1, {})
  if n > 0 then out[#out + 1] = new end
  return table.move(list, at + 1 + math.max(-n, 0), #list, #out + 1, out)
end

local function plain_refs(refs)
  local out = {}
  for i, link in ipairs(refs) do out[i] = link[1] .. " " .. link[2] end
  return table.concat(out, ", ")
end

-- What is in a file that matters here, as plain Lua sees it.
local function seen(bytes)
  local file = reader.read(bytes, { lazy = true })
  local out = { types = {}, refs = {}, texts = {}, bodies = {}, roots = file.roots, strings = file.strings or {} }
  assert.is_nil(file.stopped)
  for i, block in ipairs(file.blocks) do
    assert.is_nil(block.err)
    assert.equal(block.size, block.consumed)
    out.types[i], out.refs[i] = block.type, block.refs
    out.texts[i] = table.concat(block.string_refs, " ")
  end
  return out
end

local function expect(before, refs, bytes, at, n, new)
  local now = seen(bytes)
  local wanted = {}
  for i, list in ipairs(refs) do wanted[i] = plain_refs(followed(list, at, n)) end
  wanted = spliced(wanted, at, n, new and plain_refs(new.refs))
  assert.equal(#wanted, #now.refs)
  for i, list in ipairs(wanted) do assert.equal(list, plain_refs(now.refs[i]), "block " .. i) end
  assert.same(spliced(before.types, at, n, new and new.type), now.types)
  local texts = spliced(before.texts, at, n, new and new.text)
  assert.same(texts, now.texts)
  local roots = {}
  for i, number in ipairs(before.roots) do roots[i] = follow(number, at, n) end
  assert.same(roots, now.roots)
  for i, text in ipairs(before.strings) do assert.equal(text, now.strings[i]) end
  return now
end

-- Where a block goes when number `from` becomes number `to`.
local function follow_moved(number, from, to)
  if number == from then return to end
  if from < number and number <= to then return number - 1 end
  if to <= number and number < from then return number + 1 end
  return number
end

local function moved(list, from, to)
  local out = table.move(list, 1, #list, 1, {})
  table.insert(out, to + 1, table.remove(out, from + 1))
  return out
end

local function expect_moved(before, refs, bytes, from, to)
  local now = seen(bytes)
  local wanted, roots = {}, {}
  for i, list in ipairs(refs) do
    local links = {}
    for k, link in ipairs(list) do links[k] = { follow_moved(link[1], from, to), link[2] } end
    wanted[i] = plain_refs(links)
  end
  for i, number in ipairs(before.roots) do roots[i] = follow_moved(number, from, to) end
  for i, list in ipairs(moved(wanted, from, to)) do assert.equal(list, plain_refs(now.refs[i]), "block " .. i) end
  assert.same(moved(before.types, from, to), now.types)
  assert.same(moved(before.texts, from, to), now.texts)
  assert.same(roots, now.roots)
  assert.same(before.strings, now.strings)
end

-- ---- every file -----------------------------------------------------------------------------------

-- Types that are safe to make everywhere: their references are none.
local NEW = { type = "NiAlphaProperty", name = "made by the test" }

-- The new block as plain Lua will see it.
local function new_block(before, bytes)
  local has_table = reader.read(bytes, { lazy = true }).version >= 0x14010001
  return { type = NEW.type, refs = { { -1, "ref" } }, text = has_table and tostring(#before.strings) or "" }
end

local function each_way(bytes, refs, places)
  local before = seen(bytes)
  local new = new_block(before, bytes)
  for _, at in ipairs(places(#refs)) do
    local doc <close> = open(bytes)
    assert(doc.blocks:insert(at + 1, NEW))
    assert.equal(#refs + 1, doc.num_blocks)
    local written = doc:encode()
    local now = expect(before, refs, written, at, 1, new)
    if #now.strings > 0 then assert.equal(NEW.name, now.strings[#now.strings]) end
    assert(doc:undo(1))
    assert.is_true(bytes == doc:encode(), "undo of an insert")
    if at < #refs then
      assert(doc.blocks:remove(at + 1))
      expect(before, refs, doc:encode(), at, -1)
      assert(doc:undo(1))
      assert.is_true(bytes == doc:encode(), "undo of a removal")
    end
  end
  return before
end

-- Every pair of places, both ways.
local function each_move(bytes, refs, places, before)
  before = before or seen(bytes)
  local doc <close> = open(bytes)
  for i, from in ipairs(places) do
    local to = places[i % #places + 1]
    if from < #refs and to < #refs then
      local block = doc.blocks[from + 1]
      doc.blocks:move(from + 1, to + 1)
      assert.equal(block, doc.blocks[to + 1])
      local written = doc:encode()
      expect_moved(before, refs, written, from, to)
      if from ~= to then
        assert(doc:undo(1))
        assert.is_true(bytes == doc:encode(), "undo of a move")
        assert.equal(block, doc.blocks[from + 1])
        assert(doc:redo(1))
        assert.is_true(written == doc:encode(), "redo of a move")
        doc.blocks:move(to + 1, from + 1)
        assert.is_true(bytes == doc:encode(), "and back")
      end
    end
  end
end

-- The first, behind the last, and one between.
local function some_places(n)
  return { 0, n, sample.rng(n)(0, n) }
end

-- Of a file with blocks that nobody can tell apart: only what is safe happens, the rest is refused by name and
-- offset.
local function careful(bytes)
  local doc <close> = open(bytes)
  local function refused(pattern, edit, ...)
    local ok, why = pcall(edit, doc.blocks, ...)
    assert.is_false(ok)
    assert.matches(pattern, tostring(why))
    assert.is_true(bytes == doc:encode())
  end
  local opaque
  for _, block in ipairs(doc.blocks) do opaque = opaque or lathe.problem(block) and block end
  if #doc.blocks < doc.num_blocks then
    local pattern = ("^blocks at 0x%%x+: blocks%%[%d%%] and what follows %%(at 0x%%x+%%) are not understood: "
      .. "blocks cannot be added or removed"):format(#doc.blocks + 1)
    refused(pattern, doc.blocks.append, NEW)
    refused(pattern, doc.blocks.insert, 1, NEW)
    refused(pattern, doc.blocks.remove, 1)
    refused(pattern, doc.blocks.move, 1, 2)
    return "rest"
  elseif not opaque then
    return "known"
  end
  local at = ("%s at 0x%x: "):format(lathe.path(opaque), (lathe.span(opaque)))
  local pattern = "^" .. at:gsub("%p", "%%%0") .. "nobody knows its references: blocks can only be appended"
  refused(pattern, doc.blocks.insert, 1, NEW)
  refused(pattern, doc.blocks.remove, 1)
  refused(pattern, doc.blocks.move, 1, 2)
  local n, body = #doc.blocks, {}
  for i = 1, n do body[i] = lathe.bytes(doc.blocks[i]) end
  assert(doc.blocks:append(NEW))
  for i = 1, n do assert.is_true(body[i] == lathe.bytes(doc.blocks[i])) end
  assert(doc:undo(1))
  assert.is_true(bytes == doc:encode())
  return "opaque"
end

describe("blocks of the corpus #corpus", function()
  it("come, go and move, and each reference names the same block as before", function()
    local n = 0
    figures.each(figures.files(pending), function(entry)
      local refs = entry.wanted.header.block_refs
      if not refs or entry.name == "fo4_Corrupt.nif" then return end
      local before = each_way(entry:bytes(), refs, some_places)
      each_move(entry:bytes(), refs, { 0, #refs - 1, sample.rng(#refs)(0, #refs - 1) }, before)
      n = n + 1
    end)
    assert.equal(100, n)
  end)

  it("are appended only, or left alone, where nobody knows what others refer to", function()
    local n = { known = 0, opaque = 0, rest = 0 }
    figures.each(figures.files(pending), function(entry)
      if entry.wanted.header.block_refs and entry.name ~= "fo4_Corrupt.nif" then return end
      local bytes = entry:bytes()
      local kind = careful(bytes)
      if kind == "known" then each_move(bytes, seen(bytes).refs, { 0, 1, 2 }) end
      n[kind] = n[kind] + 1
    end)
    assert.same({ known = 12, opaque = 1, rest = 2 }, n)
  end)
end)

describe("blocks of small files", function()
  local function made(game)
    return (sample.build { game = game, blocks = {
      { type = "NiNode", name = "Root", children = { 1, 2, -1 }, extra_data_list = { 3 } },
      { type = "NiNode", name = "a" }, { type = "NiNode", name = "b", children = { 1 } },
      { type = "NiStringExtraData", name = "s", string_data = "t" } } })
  end

  for _, game in ipairs { "oblivion", "fo3", "le", "sse", "fo4", "fo76", "starfield" } do
    it("come and go at every place: " .. game, function()
      local bytes = made(game)
      each_way(bytes, seen(bytes).refs, function() return { 0, 1, 2, 3, 4 } end)
    end)

    it("move from every place to every other: " .. game, function()
      local bytes = made(game)
      each_move(bytes, seen(bytes).refs, { 0, 1, 2, 3, 0, 2, 0, 3, 1, 3, 2, 1 })
    end)

    it("come and go, and nothing but the header is another: " .. game, function()
      local bytes = made(game)
      local doc <close> = open(bytes)
      assert(doc.blocks:insert(2, { type = "NiNode" }))
      assert(doc.blocks:remove(2))
      assert.equal(bytes, doc:encode())
      assert(doc.blocks:insert(2, NEW))
      assert(doc.blocks:remove(2))
      local a, b = reader.read(bytes), reader.read(doc:encode())
      for i, block in ipairs(a.blocks) do
        local other = b.blocks[i]
        assert.equal(bytes:sub(block.at + 1, block.at + block.size),
          doc:encode():sub(other.at + 1, other.at + other.size))
      end
    end)
  end

  it("are appended to what nobody can tell apart, and taken from it only as a whole", function()
    local bytes = sample.build { game = "sse", blocks = { { type = "NiNode", name = "Root" },
      { type = "BSOfTomorrow", bytes = "\1\2\3", refs = {}, string_refs = {} } } }
    local doc <close> = open(bytes)
    local function refused() return pcall(function() return assert(doc.blocks:remove(1)) end) end
    local ok, why = refused()
    assert.same({ false, "blocks[2] at 0xca: nobody knows its references: blocks can only be appended (BSOfTomorrow)" },
      { ok, tostring(why) })
    assert.equal(bytes, doc:encode())
    local moves, unknown = pcall(doc.blocks.move, doc.blocks, 2, 1)
    assert.same({ false, "blocks[2] at 0xca: nobody knows its references: blocks can only be appended (BSOfTomorrow)" },
      { moves, tostring(unknown) })
    assert.equal(bytes, doc:encode())
    assert(doc.blocks:append(NEW))
    local file = reader.read(doc:encode())
    assert.same({ "NiNode", "BSOfTomorrow", "NiAlphaProperty" },
      { file.blocks[1].type, file.blocks[2].type, file.blocks[3].type })
  end)

  it("need a type", function()
    local bytes = made "sse"
    local doc <close> = open(bytes)
    local function refused(message, edit, ...)
      local ok, why = pcall(edit, doc.blocks, ...)
      assert.same({ false, message }, { ok, tostring(why) })
      assert.is_true(bytes == doc:encode())
    end
    local at = "blocks[5] at 0x%x: a block needs a type: doc.blocks:append { type = \"NiNode\" } (NiObject)"
    refused(at:format(#bytes - 2), doc.blocks.append)
    refused(at:format(#bytes + 4), doc.blocks.resize, 6)
    refused(("blocks[5] at 0x%x: a type is needed: { type = \"…\" } (NiObject)"):format(#bytes - 2),
      doc.blocks.append, { name = "x" })
    refused(("blocks[5] at 0x%x: a type is needed: { type = \"…\" } (NiObject)"):format(#bytes - 2),
      doc.blocks.append, {})
    assert.is_nil(lathe.new("nif", { blocks = { {} } }))
    -- … when the edit ends: until then it can be told.
    doc:edit(function()
      doc.blocks:resize(6)
      doc.blocks[5].type = "NiCamera"
      doc.blocks[6].type = "NiNode"
      doc.blocks[6].name = "told"
    end)
    local file = reader.read(doc:encode())
    assert.same({ "NiCamera", "NiNode" }, { file.blocks[5].type, file.blocks[6].type })
    assert.equal("told", file.blocks[6].values.name)
  end)

  it("bring the names of their types at the end of the outermost edit", function()
    for _, name in ipairs { "oblivion", "sse", "fo4" } do
      local bytes = made(name)
      local doc <close> = open(bytes)
      doc:edit(function()
        doc:edit(function() doc.blocks:append { type = "NiAlphaProperty" } end)
        doc.blocks:insert(1, { type = "NiCamera" })
        doc.blocks[2].name = "no block comes"
      end)
      local file = reader.read(doc:encode())
      assert.same({ "NiCamera", "NiNode", "NiAlphaProperty" },
        { file.blocks[1].type, file.blocks[2].type, file.blocks[6].type })
      for _, block in ipairs(file.blocks) do assert.equal(block.size, block.consumed) end
      assert(doc:undo(1))
      assert.is_true(bytes == doc:encode())
    end
  end)

  it("change their type, and keep what both have", function()
    for _, name in ipairs { "sse", "oblivion", "morrowind" } do
      local doc <close> = open(hex[name])
      local was = doc.blocks[1]:totable()
      local made_of = name == "morrowind" and "NiBillboardNode" or "BSFadeNode"
      doc.blocks[1].type = made_of
      local file = reader.read(doc:encode())
      assert.equal(made_of, file.blocks[1].type)
      assert.is_nil(file.blocks[1].err)
      assert.equal(file.blocks[1].size, file.blocks[1].consumed)
      assert.equal(was.name, doc.blocks[1].name)
      assert.same(was.translation, doc.blocks[1].translation:totable())
      assert(doc:undo(1))
      assert.equal(hex[name], doc:encode())
      local ok, why = pcall(function() doc.blocks[1].type = "BSOfTomorrow" end)
      assert.is_false(ok)
      assert.matches("no known type has this name, so lathe cannot tell what to keep", tostring(why), 1, true)
      assert.equal(hex[name], doc:encode())
    end
  end)

  it("have defaults for fields that only the new type has, and keep what refers to them", function()
    local bytes = made "sse"
    local doc <close> = open(bytes)
    local wanted = assert(lathe.parse(bytes, { format = "nif" }))
    wanted.blocks:append { type = "BSTreeNode", name = "b", children = { 1 }, flags = doc.blocks[3].flags }
    doc.blocks[3].type = "BSTreeNode"
    assert.same(wanted.blocks[5]:totable(), doc.blocks[3]:totable())
    assert.equal(doc.blocks[3], doc.blocks[1].children[2])
    doc.blocks[3].type = "NiNode"
    local file, before = reader.read(doc:encode()), reader.read(bytes)
    for i, block in ipairs(before.blocks) do assert.same(block.values, file.blocks[i].values) end
  end)

  it("that nobody can read keep their type", function()
    local why = { NiNode = "the block cannot be parsed", BSOfTomorrow = "the type of the block is unknown" }
    for name, message in pairs(why) do
      local bytes = sample.build { game = "sse", blocks = { { type = "NiNode", name = "Root" },
        { type = name, bytes = "\1\2\3", refs = {}, string_refs = {} } } }
      local doc <close> = open(bytes)
      local block = doc.blocks[2]
      local ok, err = pcall(function() block.type = "NiCamera" end)
      assert.same({ false, ("blocks[2].type at 0x%x: %s, so lathe cannot tell what to keep (%s)")
        :format((lathe.span(block)), message, name) }, { ok, tostring(err) })
      assert.is_true(bytes == doc:encode())
      -- In its place something else may stand, if the user says so.
      doc.blocks:assign { doc.blocks[1]:totable(), { type = "NiCamera", name = "in its place" } }
      assert.equal("in its place", reader.read(doc:encode()).blocks[2].values.name)
    end
  end)

  it("of Morrowind bring the name of their type", function()
    local doc <close> = open(hex.morrowind)
    assert(doc.blocks:insert(1, { type = "NiNode", name = "new" }))
    assert.equal("NiNode", doc.blocks[1].type_name)
    local file = reader.read(doc:encode())
    assert.same({ "NiNode", "new" }, { file.blocks[1].type, file.blocks[1].values.name })
    assert.same({ 1 }, file.roots)
    assert(doc:undo(1))
    assert.equal(hex.morrowind, doc:encode())
  end)

  it("refer to others by view, number or nothing", function()
    local bytes = made "sse"
    local doc <close> = open(bytes)
    local children = doc.blocks[1].children
    children[1] = doc.blocks[3]
    children[2] = 1
    children[3] = false
    assert(children:append(doc.blocks[2]))
    assert.equal(doc.blocks[2], children[2])
    assert.is_falsy(children[3])
    assert.same({ { 3, "ref" }, { -1, "ref" }, { -1, "ref" }, { 2, "ref" }, { 1, "ref" }, { -1, "ref" }, { 1, "ref" } },
      reader.read(doc:encode()).blocks[1].refs)
  end)
end)

describe("texts", function()
  it("are added behind all others, once", function()
    local doc <close> = open(hex.sse)
    doc.blocks[1].name = "A longer name"
    local file = reader.read(doc:encode())
    assert.same({ "Scene", "A longer name" }, file.strings)
    assert.equal(13, doc.max_string_length)
    assert.same({ 1 }, file.blocks[1].string_refs)
    doc.blocks[1].name = "Scene"
    assert.equal(2, #doc.strings)
    doc.blocks[1].name = false
    assert.same({ 0xFFFFFFFF }, reader.read(doc:encode()).blocks[1].string_refs)
  end)

  it("that are named, or behind which one is, keep their numbers", function()
    local doc <close> = open(hex.sse)
    local ok, why = pcall(function() return assert(doc.strings:remove(1)) end)
    assert.same({ false, "blocks[1].name at 0x65: it names strings[1]: strings from there on keep their numbers (NiNode)" },
      { ok, tostring(why) })
    assert.is_false(pcall(function() return assert(doc.strings:insert(1, "x")) end))
    assert.equal(hex.sse, doc:encode())
    assert(doc.strings:append "unused")
    assert(doc.strings:remove(2))
    assert.equal(hex.sse, doc:encode())
  end)
end)

describe("what is misspelt in a block", function()
  local doc

  before_each(function() doc = open(hex.sse) end)

  local function refused(message, fn)
    local ok, why = pcall(fn)
    assert.same({ false, message }, { ok, (tostring(why):gsub("^[^:]*:%d+: ", "")) })
    assert.equal(hex.sse, doc:encode())
  end

  it("is its type", function()
    local near = "blocks[2]: no type 'NiStringExtraDat' is described; did you mean 'NiStringExtraData'?"
    refused(near, function() doc.blocks:append { type = "NiStringExtraDat", name = "Prn" } end)
    refused("blocks[2]: no type 'Thing' is known: give its bytes",
      function() doc.blocks:append { type = "Thing", name = "Prn" } end)
    local new, why = lathe.new("nif", { blocks = { { type = "NiNod", name = "Root" } } })
    assert.is_nil(new)
    assert.matches("no type 'NiNod' is described; did you mean 'NiNode'?", tostring(why), 1, true)
  end)

  it("is a field that another record in it has", function()
    refused("blocks[2]: no field 'texture_set' in BSLightingShaderProperty; did you mean body = { texture_set = … }?",
      function() doc.blocks:append { type = "BSLightingShaderProperty", texture_set = 0 } end)
    local shader = assert(doc.blocks:append { type = "BSLightingShaderProperty" })
    local ok, why = pcall(function() return shader.texture_set end)
    assert.is_false(ok)
    assert.matches("no field 'texture_set' in BSLightingShaderProperty; did you mean 'body.texture_set'?",
      tostring(why), 1, true)
  end)

  it("is a reference", function()
    refused("blocks[1].controller: a record, its number or false expected, got a string (NiNode)",
      function() doc.blocks[1].controller = "blocks[1]" end)
    refused("blocks[1].name: a text expected, got a table (NiNode)", function() doc.blocks[1].name = {} end)
  end)
end)

it("a block on one line begins with what matters", function()
  local doc <close> = open(hex.sse)
  assert.matches('^NiNode blocks%[1%]: name="Scene" extra_data_list=%[0%] controller=false flags=524302 translation=',
    tostring(doc.blocks[1]))
end)
