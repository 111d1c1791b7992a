-- The schema engine as Lua sees it, on the made-up formats: whole tables there and back, views that
-- follow, edits that are all or nothing, lists put in another order.

local lathe = require "lathe.core"

local function new(format, fields)
  return assert(lathe.new(format, fields or {}, { history = 50 }))
end

local function reopens(doc)
  local bytes = assert(doc:encode())
  return assert(lathe.parse(bytes, { format = doc.format })):encode() == bytes
end

local function ids(list)
  local out = {}
  for i, element in ipairs(list) do out[i] = element.id end
  return out
end

local samples = {
  nested = {
    numbers = { u8 = 200, f64 = 0.1, colour = "blue", bits = { "hot", "wet" }, packed = 4.5 },
    texts = { s8 = "a", zero = "b", line = "c", fixed = "d" },
    groups = { { id = 1, items = { { id = 1, values = { 3, -3 } }, { text = "t" } } }, { id = 2 } },
    points = { { id = 1, pos = { 1, 2, 3 } }, { id = 2 } },
    shared = { left = { 1, 2 }, names = { "x", "y" }, right = { { 1, 2 }, { 3, 4 } } },
    choice = { mode = 3, extra = { w = 0.5 }, side = 1, cells = { 7 } },
    tree = { value = 1, children = { { value = 2, children = { { value = 3 } } } } },
    words = { "some", "words" },
  },
  parts = {
    chunks = {
      { id = 1, name = "one", cells = { { id = 10 }, { id = 11, x = 0.5 } }, note = "a note" },
      { id = 2, has_inner = 1, inner = { sections = { { values = { 1, 2 }, text = "s" } } } },
      { id = 3, name = "three" },
    },
  },
  pack = { sections = { { text = "a" }, { values = { 1 } } } },
  laid = { aligned = { d = 0.5 }, placed_list = { { d = "abc" } }, aligned_list = { { g = { 1, 2, 3 } } } },
}
samples.nested_big = samples.nested

describe("whole documents", function()
  for format, fields in pairs(samples) do
    it(format .. " are rebuilt from their tables", function()
      local doc = new(format, fields)
      assert.is_true(reopens(doc))
      local t = doc:totable()
      local again = new(format, t)
      assert.equal(doc:encode(), again:encode())
      assert.same(t, again:totable())
    end)
  end
end)

describe("views", function()
  it("follow their elements through random edits", function()
    math.randomseed(7)
    for _, names in ipairs { { "nested", "groups", "items" }, { "parts", "chunks", "cells" } } do
      local doc = new(names[1])
      local list, model, held, next_id = doc[names[2]], {}, {}, 1
      for _ = 1, 150 do
        local i = math.random(#model + 1)
        if #model < 12 and math.random(3) > 1 then
          local v = list:insert(i, { id = next_id })
          table.insert(model, i, next_id)
          held[next_id], next_id = v, next_id + 1
        elseif i <= #model then
          list:remove(i)
          table.remove(model, i)
        end
        local k = math.random(#model + 1)
        if model[k] then
          local inner = list[k][names[3]]
          if math.random(2) == 1 then inner:append({ id = 5 }) elseif #inner > 0 then inner:remove(1) end
        end
        assert.same(model, ids(list))
        local alive = {}
        for _, id in ipairs(model) do alive[id] = true end
        for id, view in pairs(held) do
          local ok, got = pcall(function() return view.id end)
          assert.equal(alive[id] or false, ok)
          if ok then assert.equal(id, got) end
        end
      end
      assert.is_true(reopens(doc))
    end
  end)

  it("come back with what was removed", function()
    local doc = new("parts", samples.parts)
    local cell = doc.chunks[1].cells[2]
    doc:edit(function()
      doc.chunks[1].cells:insert(1, { id = 9 })
      assert.equal(11, cell.id)
      doc.chunks:remove(1)
      assert.is_false((pcall(function() return cell.id end)))
    end)
    assert.is_true(doc:undo())
    assert.equal(11, cell.id)
    assert.equal("chunks[1].cells[2]", lathe.path(cell))
  end)
end)

describe("edits", function()
  it("that fail at the last of many steps have changed nothing", function()
    local doc = new("nested", samples.nested)
    local before, item = doc:encode(), doc.groups[1].items[2]
    assert.has_error(function()
      doc:edit(function()
        for i = 1, 299 do
          doc.groups:insert(1, { id = i, name = ("x"):rep(i % 200) })
          if i % 3 == 0 then doc.points:append({ id = i }) end
        end
        error("step 300")
      end)
    end)
    assert.equal(before, doc:encode())
    assert.equal("t", item.text)
    assert.is_false(doc:undo())
  end)

  it("inside of edits are taken back alone", function()
    local doc = new("nested", samples.nested)
    doc:edit(function()
      doc.numbers.u8 = 1
      pcall(doc.edit, doc, function()
        doc.numbers.u8 = 2
        doc.groups:resize(0)
        error("no")
      end)
    end)
    assert.equal(1, doc.numbers.u8)
    assert.equal(2, #doc.groups)
    assert.is_true(doc:undo())
    assert.equal(200, doc.numbers.u8)
  end)
end)

describe("lists", function()
  it("are put in another order by their own elements", function()
    for _, names in ipairs { { "nested", "groups" }, { "nested", "points" }, { "parts", "chunks" } } do
      local doc = new(names[1], samples[names[1]])
      local list, tables = doc[names[2]], doc:totable()[names[2]]
      local reversed, expected = {}, {}
      for i = #list, 1, -1 do
        reversed[#reversed + 1], expected[#expected + 1] = list[i], tables[i]
      end
      list:assign(reversed)
      assert.same(expected, doc:totable()[names[2]])
      assert.is_true(reopens(doc))
      assert.is_true(doc:undo())
      assert.same(tables, doc:totable()[names[2]])
    end
  end)

  it("take copies from other documents, whatever their byte order", function()
    local from, to = new("nested", samples.nested), new("nested_big")
    for _, name in ipairs { "numbers", "texts", "groups", "points", "shared", "choice", "tree", "words" } do
      to[name] = from[name]
    end
    assert.same(from:totable(), to:totable())
    local parts, other = new("parts", samples.parts), new("parts")
    other.chunks:insert(1, parts.chunks[2])
    other.chunks:append(parts.chunks[1])
    assert.equal("s", other.chunks[1].inner.sections[1].text)
    assert.equal(11, other.chunks[2].cells[2].id)
    assert.equal("a note", other.chunks[2].note)
    assert.is_true(reopens(other))
  end)
end)

describe("totals", function()
  it("follow their records, until someone sets them by hand", function()
    local doc = new("nested", samples.nested)
    local total = doc.item_total
    doc.groups[1].items:append { id = 9 }
    assert.equal(total + 1, doc.item_total)
    doc.item_total = 77
    assert.equal(77, doc.item_total)
    doc.groups[1].items:append { id = 10 }
    assert.equal(77, doc.item_total)
    local _, found = doc:check()
    local text = {}
    for i, finding in ipairs(found) do text[i] = tostring(finding) end
    assert.truthy(table.concat(text, "\n"):find("item_total at 0x%x+: 77 is stored, %d+ would agree"))
    while doc:undo() do end
    assert.equal(total, doc.item_total)
  end)
end)

describe("history", function()
  it("costs what is in it, however long it may become", function()
    local doc = assert(lathe.new("nested", samples.nested, { history = 100000 }))
    local before = doc:encode()
    for i = 1, 100 do doc.item_total = 1000 + i end
    for _ = 1, 100 do assert.is_true(doc:undo()) end
    assert.is_false(doc:undo())
    assert.equal(before, doc:encode())
    for _ = 1, 100 do assert.is_true(doc:redo()) end
    assert.equal(1100, doc.item_total)
  end)
end)
