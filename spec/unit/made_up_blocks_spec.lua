-- Elements of several types, types with a base, rows of some versions, records whose shape is an argument.
-- Runs on the made-up formats.

local lathe = require "lathe.core"
local outcome = require "outcome"

local raises, refuses = outcome.raises, outcome.refuses

local FIELDS = {
  tail = "tail",
  blocks = {
    { type = "links", letter = "b", links = { 1, 2, 255 } },
    { type = "shape", shape = 7, points = { { at = { 1, 2 }, weight = 3 }, { at = { 4, 5 } } },
      runs = { 2, 1 }, steps = { 10, 20, 30 }, left = 1, right = 1, both = 5 },
    { type = "keys", kind = 1, keys = { { time = 1, value = 2 }, { time = 3, value = 4 } } },
    { type = "solid", mass = 6, reach = 8 },
    { type = "unheard", bytes = "\1\2\3" },
  },
}

local function new(fields)
  return assert(lathe.new("blocks", fields or FIELDS, { history = 50 }))
end

-- What is encoded opens again, to the same fields, and every block of it parses.
local function sound(doc)
  local bytes = doc:encode()
  local again = assert(lathe.parse(bytes))
  assert.equal(bytes, again:encode())
  assert.same(doc:totable(), again:totable())
  assert.equal(bytes, assert(lathe.new("blocks", again:totable())):encode())
  local ok, findings = again:check()
  assert.is_true(ok, findings and findings[1] and tostring(findings[1]))
  return again
end

-- A change, then its undo: the bytes are what they were; then again.
local function changes(doc, change)
  local before = doc:encode()
  change()
  sound(doc)
  local after = doc:encode()
  doc:undo()
  assert.equal(before, doc:encode())
  doc:redo()
  assert.equal(after, doc:encode())
end

local function fields_of(list, ...)
  local out = {}
  for i, item in ipairs(list) do
    out[i] = {}
    for _, name in ipairs { ... } do out[i][name] = item[name] end
  end
  return out
end

describe("blocks of several types", function()
  it("are bytes that were worked out by hand", function()
    local doc = new { blocks = { { type = "links", links = { 1 } }, { type = "solid", letter = "c" } }, tail = "t" }
    local links = "\xff\1\1"
    local solid = "\2" .. string.pack("<fBB", 2, 1, 0) .. "\0\0\0\0" .. "\0" .. string.pack("<Bf", 0, 0)
      .. string.pack("<f", 1)
    assert.equal("BLKS\2\0" .. "\2\5links\5solid" .. "\2\0\1" .. string.pack("<I2I2", #links, #solid)
      .. links .. solid .. "t", doc:encode())
    sound(doc)
  end)

  it("open without sizes as far as they are described", function()
    local shape = "\xff" .. "\9" .. "\0\0" .. "\0" .. string.pack("<Bf", 0, 0)
    local bytes = "BLKS\1\0" .. "\3\5shape\4what\5links" .. "\3\0\1\2" .. shape .. "whatever"
    local doc = assert(lathe.parse(bytes))
    assert.equal(1, #doc.blocks)
    assert.equal(3, doc.block_count)
    assert.equal(9, doc.blocks[1].reach)
    assert.equal("whatever", doc.tail)
    assert.equal(bytes, doc:encode())
    assert.equal(bytes, assert(lathe.new("blocks", doc:totable())):encode())
    doc.blocks[1].runs:append(2)
    assert.equal(#bytes + 1 + 4, #doc:encode())
    assert.equal("whatever", doc.tail)
  end)

  it("have the rows of their bases first, and their verbs", function()
    local doc = new()
    local solid = doc.blocks[4]
    assert.same({ "type", "letter", "reach" }, { table.unpack((function()
      local names = {}
      for name in pairs(solid) do names[#names + 1] = name end
      return names
    end)(), 1, 3) })
    assert.equal(6, solid.mass)
    solid:name_it()
    assert.equal("n", solid.letter)
    doc.blocks[2]:name_it()
    raises("name_it", function() return doc.blocks[1].name_it end)
  end)

  it("come, go and name each other still", function()
    local doc = new()
    local links, keys = doc.blocks[1], doc.blocks[3]
    changes(doc, function() doc.blocks:insert(1, { type = "keys", kind = 3, keys = { { extra = "abc" } } }) end)
    assert.equal(keys, links.links[2])
    assert.equal(doc.blocks[4], links.links[2])
    assert.equal("shape", links.links[1].type)
    assert.is_false(links.links[3])
    changes(doc, function() doc.blocks:remove(3) end)
    assert.is_false(links.links[1])
    assert.equal(keys, links.links[2])
    assert.equal(keys, doc.blocks[3])
    changes(doc, function() doc.blocks:append { type = "news", bytes = "" } end)
    assert.same({ "links", "shape", "keys", "solid", "unheard", "news" }, doc.kinds:totable())
    assert.equal("\1\2\3", doc.blocks[5].bytes)
  end)

  it("stay where they are locked", function()
    local doc = new()
    doc.locked = 2
    local before = doc:encode()
    raises("the first 2 stay where they are", function() doc.blocks:insert(2, { type = "keys" }) end)
    raises("the first 2 stay where they are", function() doc.blocks:remove(1) end)
    raises("the first 2 stay where they are", function() doc.blocks = {} end)
    assert.equal(before, doc:encode())
    doc.blocks:remove(3)
    doc.blocks:insert(3, { type = "keys" })
    sound(doc)
  end)

  it("have sizes and numbers of their types that nobody sets, as a file that says others does not open", function()
    local doc = new()
    refuses(doc, "sizes: read-only: the blocks have their own", function() doc.sizes[1] = 65535 end)
    refuses(doc, "kind: read-only: set the block's type", function() doc.kind[1] = 200 end)
    refuses(doc, "sizes: read-only: the blocks have their own", function() doc.sizes = { 1, 2, 3, 4, 5 } end)
  end)

  it("turn into others and keep what both have", function()
    local doc = new()
    local letter = doc.blocks[4]
    letter.letter = "q"
    changes(doc, function() doc.blocks[2].type = "solid" end)
    assert.same({ { weight = 3 }, { weight = 7 } }, fields_of(doc.blocks[2].points, "weight"))
    assert.same({ 10, 20, 30 }, doc.blocks[2].steps:totable())
    assert.equal(1, doc.blocks[2].mass)
    changes(doc, function() doc.blocks[4].type = "thing" end)
    assert.equal("q", doc.blocks[4].letter)
    assert.same({ type = "thing", letter = "q" }, doc.blocks[4]:totable())
    assert.equal(doc.blocks[2], doc.blocks[1].links[1])
    changes(doc, function() doc.blocks[3] = { type = "thing", letter = "z" } end)
    assert.equal("z", doc.blocks[3].letter)
    changes(doc, function() doc.blocks[3] = { type = "links", bytes = "\1\0" } end)
    assert.equal("b", doc.blocks[3].letter)
  end)

  it("that do not parse stay opaque until they are given anew", function()
    local doc = new { blocks = { { type = "links", bytes = "\1" }, { type = "keys" } } }
    local again = assert(lathe.parse(doc:encode()))
    assert.equal("links", again.blocks[1].type)
    assert.is_nil(again.blocks[1].links)
    local _, findings = again:check()
    assert.equal(1, #findings)
    assert.matches("blocks[1]", tostring(findings[1]), 1, true)
    again.blocks[1] = { type = "links", links = { 1 } }
    assert.equal(again.blocks[2], again.blocks[1].links[1])
    sound(again)
  end)
end)

describe("rows that follow from others", function()
  it("follow what is in a list that others are summed from", function()
    local doc = new()
    local shape = doc.blocks[2]
    local function steps(...)
      assert.same({ ... }, shape.steps:totable())
      assert.equal(5, shape.both)
      assert.equal(2, #shape.points)
    end
    changes(doc, function() shape.runs[1] = 4 end)
    steps(10, 20, 30, 0, 0)
    changes(doc, function() shape.runs:remove(1) end)
    steps(10)
    changes(doc, function() shape.runs:insert(1, 2) end)
    steps(10, 0, 0)
    changes(doc, function() shape.runs = { 1, 1 } end)
    steps(10, 0)
    changes(doc, function() shape.runs = { 1, 1, 1, 3 } end)
    steps(10, 0, 0, 0, 0, 0)
    changes(doc, function() doc.blocks[2] = { runs = { 2 }, steps = { 8, 9 } } end)
    steps(8, 9)
    changes(doc, function()
      local values = shape.runs:tobuffer()
      values[1] = 3
      shape.runs:assign(values)
    end)
    steps(8, 9, 0)
    changes(doc, function() shape.runs = {} end)
    steps()
    raises("3 elements expected, got 2", function()
      doc.blocks[2] = { runs = { 3 }, steps = { 1, 2 } }
    end)
  end)

  it("come and go with each of the rows that they use", function()
    local doc = new()
    local shape = doc.blocks[2]
    changes(doc, function() shape.left = 0 end)
    assert.is_nil(shape.both)
    changes(doc, function() shape.left = 2 end)
    assert.equal(9, shape.both)
    changes(doc, function() shape.right = 0.25 end)
    assert.is_nil(shape.both)
    changes(doc, function() shape.right = 3 end)
    assert.equal(9, shape.both)
  end)
end)

describe("records whose shape is an argument", function()
  it("have what it says, where it says", function()
    local doc = new()
    local shape = doc.blocks[2]
    local off, size = lathe.span(shape.points[2], "weight")
    local at = lathe.span(shape.points[2])
    assert.same({ 8, 2 }, { off - at, size })
    assert.same({ 4, 5 }, shape.points[2].at:totable())
    assert.equal(3, doc:get("blocks[2].points[1].weight"))
    assert.same({ 3, 7 }, shape.points:tobuffer("weight"):totable())
    assert.is_nil(doc.blocks[4].centre.weight)
    raises("absent here", function() doc.blocks[4].centre.weight = 1 end)
    assert.equal("blocks[2].points[2]", lathe.path(shape.points[2]))
    assert.equal("blocks[2].centre", lathe.path(shape.centre))
  end)

  it("are put into their new shape, with the fields that both have", function()
    local doc = new()
    local shape = doc.blocks[2]
    shape.centre.at = { 0.5, 1.5 }
    local points = { { 1, 2 }, { 4, 5 } }
    for _, to in ipairs { 5, 1, 3, 7, 3, 1 } do
      changes(doc, function() shape.shape = to end)
      assert.same(points, { shape.points[1].at:totable(), shape.points[2].at:totable() })
      assert.same({ 0.5, 1.5 }, shape.centre.at:totable())
      assert.equal(to >= 4 and 7 or nil, shape.points[2].weight)
      assert.same({ 10, 20, 30 }, shape.steps:totable())
    end
    changes(doc, function() shape.shape = 4 end)
    assert.is_nil(shape.points[1].at)
    changes(doc, function() shape.shape = 0 end)
    assert.equal(2, #shape.points)
    changes(doc, function() shape.shape = 3 end)
    assert.same({ 0, 0 }, shape.points[1].at:totable())
    changes(doc, function() doc.blocks[2] = { shape = 4, points = { { weight = 1 }, {}, {} } } end)
    assert.same({ 1, 7, 7 }, shape.points:tobuffer("weight"):totable())
    changes(doc, function() doc.blocks[2].points:insert(1, { weight = 6 }) end)
    changes(doc, function() doc.blocks[2].points:remove(2) end)
    changes(doc, function() doc.blocks[2].points:remove(2) end)
    assert.same({ 6, 7 }, shape.points:tobuffer("weight"):totable())
  end)

  it("may be of any size", function()
    local doc = new()
    local keys = doc.blocks[3]
    changes(doc, function() keys.kind = 2 end)
    assert.same({ { time = 1, value = "one", extra = "" }, { time = 3, value = "one", extra = "" } }, keys.keys:totable())
    changes(doc, function() keys.keys[1].value = "a longer word" end)
    changes(doc, function() keys.keys[2] = { time = 9, value = "x" } end)
    changes(doc, function() keys.keys:insert(2, { value = "between" }) end)
    assert.same({ { value = "a longer word" }, { value = "between" }, { value = "x" } },
      fields_of(keys.keys, "value"))
    changes(doc, function() keys.kind = 3 end)
    assert.same({ { time = 1 }, { time = 0 }, { time = 9 } }, fields_of(keys.keys, "time"))
    assert.equal("\0\0\0", keys.keys[2].extra)
    changes(doc, function() keys.keys[2].extra = "xyz" end)
    raises("3 bytes expected, got 1", function() keys.keys[2].extra = "a" end)
    changes(doc, function() keys.kind = 9 end)
    assert.equal(0xEE, keys["end"])
    changes(doc, function() doc.blocks[3] = { kind = 2, keys = { { value = "y" } } } end)
    assert.equal("y", keys.keys[1].value)
    changes(doc, function() keys.keys = {} end)
    assert.is_nil(keys.kind)
    changes(doc, function() keys.keys:insert(1, { time = 3, value = 5 }) end)
    assert.same({ { time = 3, value = 5, extra = "" } }, keys.keys:totable())
    changes(doc, function() keys.keys:remove(1) end)
    changes(doc, function() keys.keys = { { value = 7 }, { time = 2 } } end)
    assert.same({ { value = 7 }, { value = 1 } }, fields_of(keys.keys, "value"))
    assert.equal(1, keys.kind)
  end)
end)

describe("a coded number that nobody gave", function()
  it("is the codec's own default", function()
    local doc = new { blocks = { {}, { letter = "a" } } }
    assert.equal("", doc.blocks[1].letter)
    assert.equal("a", doc.blocks[2].letter)
    assert.equal("thing", doc.blocks[1].type)
    doc.blocks:append()
    assert.equal("", doc.blocks[3].letter)
    raises("a to z expected", function() doc.blocks[3].letter = "!" end)
    sound(doc)
  end)
end)

describe("random edits of blocks", function()
  it("leave what opens again, and undo to what was", function()
    local random = 7
    local function below(n)
      random = (random * 1103515245 + 12345) & 0x7fffffff
      return (random >> 8) % n
    end
    local kinds = { "thing", "shape", "solid", "keys", "links" }
    local edits = {
      function(doc) doc.blocks:insert(1 + below(#doc.blocks + 1), { type = kinds[1 + below(5)] }) end,
      function(doc) if #doc.blocks > 3 then doc.blocks:remove(1 + below(#doc.blocks)) end end,
      function(_, b) b.type = kinds[1 + below(5)] end,
      function(_, b) b.shape = below(8) end,
      function(_, b) b.points:insert(1 + below(#b.points + 1)) end,
      function(_, b) b.points:remove(1) end,
      function(_, b) b.runs:insert(1, below(5)) end,
      function(_, b) b.runs:remove(1 + below(#b.runs)) end,
      function(_, b) b.runs[1 + below(#b.runs)] = below(6) end,
      function(_, b) b.left = below(2) end,
      function(_, b) b.right = below(2) end,
      function(_, b) b.kind = below(4) end,
      function(_, b) b.keys:append { time = below(9) } end,
      function(doc, b) b.links:append(doc.blocks[1 + below(#doc.blocks)]) end,
    }
    for _ = 1, 40 do
      local doc = new()
      local first = doc:encode()
      local done = 0
      for _ = 1, 25 do
        local before = doc:encode()
        local ok = pcall(edits[1 + below(#edits)], doc, doc.blocks[1 + below(#doc.blocks)])
        if ok and doc:encode() ~= before then done = done + 1 end
        if not ok then assert.equal(before, doc:encode()) end
        local again = assert(lathe.parse(doc:encode()))
        assert.same(doc:totable(), again:totable())
      end
      while doc:undo() do done = done - 1 end
      assert.equal(first, doc:encode())
    end
  end)
end)
