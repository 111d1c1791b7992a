-- Record types that files describe themselves: each document has its own, and they go with it.
-- Runs on the made-up formats.

local lathe = require "lathe.core"
local helper = require "helper"

local U8, U16, U32, I32, F32, BOOL, MARKS, RECORD, OBJECT, PADDING = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9

local function row(name, kind, more)
  return { name = name, kind = kind, type = more and more.type, count = more and more.count }
end

-- A file of one type with these rows, and one object of it.
local function file(name, rows, object)
  local fields = { types = { { name = name, rows = rows } }, objects = { object or {} } }
  fields.objects[1].class = name
  return assert(lathe.new("own", fields)):encode()
end

local function open(bytes)
  return assert(lathe.parse(bytes))
end

local function names_of(view)
  local names = {}
  for i, field in ipairs(lathe.describe(view)) do names[i] = field.name end
  return table.concat(names, " ")
end

local function raises(message, fn, ...)
  local ok, err = pcall(fn, ...)
  assert.is_false(ok)
  assert.equal(message, (tostring(err):gsub("^[^:]*:%d+: ", "")))
end

local XY = file("widget", { row("x", U8), row("y", U8) }, { x = 1, y = 2 })
local YX = file("widget", { row("y", U8), row("x", U8) }, { x = 3, y = 4 })
local AB = file("widget", { row("alpha", U16), row("beta", F32) }, { alpha = 5, beta = 6 })

describe("types of a document's own", function()
  it("of one name are other types in other documents", function()
    local a, b, c = open(XY), open(YX), open(AB)
    for _ = 1, 2 do
      assert.same({ 1, 2 }, { a.objects[1].x, a.objects[1].y })
      assert.same({ 3, 4 }, { b.objects[1].x, b.objects[1].y })
      assert.same({ 5, 6.0 }, { c.objects[1].alpha, c.objects[1].beta })
    end
    assert.equal("x y", names_of(a.objects[1]))
    assert.equal("y x", names_of(b.objects[1]))
    assert.equal("alpha beta", names_of(c.objects[1]))
    raises("no field 'alpha' in widget", function() return a.objects[1].alpha end)
    raises("no field 'bets' in widget; did you mean 'beta'?", function() return c.objects[1].bets end)
    raises("no field 'bets' in widget; did you mean 'beta'?", function() c.objects[1].bets = 1 end)
    raises("no field 'alph' in widget; did you mean 'alpha'?", lathe.path, c.objects[1], "alph")
  end)

  -- The allocator gives the same memory again: a table kept by the address of a type would be another document's.
  it("are not mixed up where one document takes another's place in memory", function()
    for i = 1, 300 do
      local bytes = i % 3 == 0 and XY or i % 3 == 1 and YX or AB
      local doc <close> = open(bytes)
      local object = doc.objects[1]
      if bytes == AB then
        assert.same({ 5, 6.0 }, { object.alpha, object.beta })
        assert.is_false(pcall(function() return object.x end))
      else
        assert.same(bytes == XY and { 1, 2 } or { 3, 4 }, { object.x, object.y })
        assert.is_false(pcall(function() return object.alpha end))
      end
    end
  end)
end)

-- Two types, the second of which holds records, numbers in a row, references, and fields that are called like methods.
local TYPES = {
  { name = "point", vector = 1, rows = { row("x", F32), row("y", F32) } },
  { name = "base", rows = { row("id", U32) } },
  { name = "hkThing::Part<a>", base = 2, rows = {
    row("totable", I32), row("path", U8), row("insert", U8, { count = 3 }), row("at", RECORD, { type = 0 }),
    row("list", RECORD, { type = 0, count = 2 }), row("on", BOOL), row("marks", MARKS), row("next", OBJECT),
    row("pad_0", PADDING, { count = 2 }), row("__index", U8),
  } },
}
local PART = "hkThing::Part<a>"

local FULL = {
  types = TYPES,
  objects = {
    { class = PART, id = 7, totable = -1, path = 2, insert = { 1, 2, 3 }, at = { 1.5, 2.5 },
      list = { { x = 1, y = 2 }, { x = 3, y = 4 } }, on = true, marks = 3, next = 1, __index = 9 },
    { class = "base", id = 8 },
  },
}

local function full()
  return assert(lathe.new("own", FULL, { history = 20 }))
end

describe("a type of a document's own", function()
  it("is described, listed and copied as any", function()
    local doc = full()
    local part = doc.objects[1]
    assert.equal("id totable path insert at list on marks next pad_0 __index", names_of(part))
    assert.equal(PART, lathe.type(part))
    assert.equal(PART, getmetatable(part))
    local names = {}
    for name in pairs(part) do names[#names + 1] = name end
    assert.equal("id totable path insert at list on marks next __index", table.concat(names, " "))
    assert.same({ "hot", "loud" }, lathe.names(part, "marks"))
    assert.equal('hkThing::Part<a> objects[1]: id=7 totable=-1 path=2 insert=[3] at=(1.5 2.5) list=[2] on=true ' ..
      'marks=3 next=base __index=9', tostring(part))
    assert.equal(8, part.next.id)
    assert.equal("objects[1].at", lathe.path(part.at))
    assert.same({ 2, 1.5 }, { #part.at, part.at[1] })
    assert.is_true(part == doc.objects[1])
    local copy = doc:totable()
    assert.same(FULL.objects[1].list, copy.objects[1].list)
    assert.equal(PART, copy.objects[1].class)
    assert.equal(doc:encode(), assert(lathe.new("own", copy)):encode())
    assert.equal(doc:encode(), assert(lathe.new("own", doc)):encode())
    assert.is_true(doc:check())
  end)

  it("gives its fields before methods, which are functions of the module", function()
    local part = full().objects[1]
    assert.equal(-1, part.totable)
    assert.equal(2, part.path)
    assert.equal(9, part.__index)
    assert.equal("objects[1]", lathe.path(part))
    assert.same({ class = PART, id = 7, totable = -1, path = 2, insert = { 1, 2, 3 }, at = { x = 1.5, y = 2.5 },
      list = FULL.objects[1].list, on = true, marks = 3, next = 1, __index = 9 }, lathe.totable(part))
    part.totable = 5
    assert.equal(5, part.totable)
    assert.same({ x = 1.5, y = 2.5 }, part.at:totable()) -- which has no field of the name
    lathe.assign(part.insert, { 4, 5, 6 })
    assert.same({ 4, 5, 6 }, lathe.totable(part.insert))
  end)

  it("is found by its name in its document alone", function()
    local doc, other = full(), open(XY)
    local rows = doc:describe(PART)
    assert.equal(11, #rows)
    assert.same({ "at", "point", "record", 12 }, { rows[5].name, rows[5].type, rows[5].kind, rows[5].offset })
    assert.same({ "x", "y" }, { other:describe("widget")[1].name, other:describe("widget")[2].name })
    assert.equal("no record type 'widget'", tostring(select(2, doc:describe "widget")))
    assert.equal("no record type 'widget'", tostring(select(2, lathe.describe "widget")))
    assert.equal("mark", doc:describe("own")[1].name)      -- of its format
    assert.equal("u8", doc:describe("own_row")[2].type)
    assert.same(lathe.describe "blocks", doc:describe "blocks") -- of another
    local lone = assert(lathe.new "blocks")
    assert.same(lathe.describe "solid", lone:describe "solid")
    assert.equal("no record type 'point_of'", tostring(select(2, lone:describe "point_of")))
    doc:close()
    raises("document is closed", doc.describe, doc, PART)
  end)
end)

describe("a document with types of its own", function()
  it("may be closed while its records are held", function()
    local doc = full()
    local part, point, list = doc.objects[1], doc.objects[1].at, doc.objects[1].list
    doc:close()
    for _ = 1, 5 do full():close() end
    collectgarbage()
    raises("document is closed", function() return part.id end)
    raises("document is closed", function() return part.nothing end)
    raises("document is closed", function() part.id = 1 end)
    raises("document is closed", function() return #point end)
    raises("document is closed", function() return list[1] end)
    raises("document is closed", lathe.describe, part)
    raises("document is closed", lathe.totable, part)
    raises("document is closed", pairs, part)
    assert.equal(PART, lathe.type(part))
    assert.equal(PART .. " (document is closed)", tostring(part))
    assert.is_false(part == point)
  end)

  it("stays while a record of it is held", function()
    local part = full().objects[1]
    collectgarbage()
    collectgarbage()
    assert.equal(7, part.id)
    assert.equal(1.5, part.at.x)
    assert.equal(8, part.next.id)
    part = part.at
    collectgarbage()
    assert.equal("objects[1].at", lathe.path(part))
  end)

  it("leaves nothing behind", function()
    local registry = debug.getregistry()
    local function round()
      local doc <close> = full()
      assert.equal(7, doc.objects[1].id + doc.objects[1].at.x - 1.5)
      lathe.describe(doc.objects[1])
      doc:describe "point"
    end
    local function size()
      local n = 0
      for _ in pairs(registry) do n = n + 1 end
      return n
    end
    for _ = 1, 20 do round() end
    collectgarbage()
    collectgarbage()
    local entries, memory = size(), collectgarbage "count"
    for _ = 1, 3000 do round() end
    collectgarbage()
    collectgarbage()
    assert.equal(entries, size())
    assert.is_true(collectgarbage "count" < memory + 300) -- of a few kilobytes each
  end)

  it("may be closed by a finalizer in the middle of anything", function()
    local result = helper.script("spec/support/own_stress.lua", { helper.build .. "/spec/?.so" }, { timeout = 300 })
    assert.equal("", result.err)
    assert.matches("^%d%d%d+ readings cut short\n$", result.out)
    assert.equal(0, result.code)
  end)
end)

-- The same types and rows in another order, and more of them.
local function other_order(change)
  local types = {
    { name = PART, base = 0, rows = {} }, TYPES[1], TYPES[2],
  }
  types[1], types[2], types[3] = TYPES[2], TYPES[1], { name = PART, base = 1, rows = {
    row("__index", U16), row("next", OBJECT), row("marks", MARKS), row("list", RECORD, { type = 1, count = 2 }),
    row("more", F32), row("at", RECORD, { type = 1 }), row("insert", U32, { count = 3 }), row("on", BOOL),
    row("path", U8), row("totable", I32),
  } }
  if change then change(types[3].rows) end
  return assert(lathe.new("own", { types = types, objects = {
    { class = "base", id = 1 }, { class = PART, more = 0.5 }, { class = "base", id = 3 } } }, { history = 20 }))
end

local function values(part)
  local copy = lathe.totable(part)
  copy.next, copy.more = nil, nil
  return copy
end

describe("a record of one document's own type", function()
  it("is copied to another's of that name as bytes where they are alike", function()
    local from, to = full(), full()
    to.objects[1] = { class = PART, id = 0, on = false, list = { { x = 9 }, {} } }
    assert.equal(0, to.objects[1].id)
    to.objects[1] = from.objects[1]
    assert.same(values(from.objects[1]), values(to.objects[1]))
    assert.is_false(to.objects[1].next) -- which leads to what its own document has
    to.objects[1].at = { 0, 0 }
    to.objects[1].at = from.objects[1].at
    to.objects[1].list = from.objects[1].list
    to.objects[1].list[2] = from.objects[1].at
    assert.same({ { x = 1, y = 2 }, { x = 1.5, y = 2.5 } }, lathe.totable(to.objects[1].list))
  end)

  it("is copied by the names of its fields where they lie elsewhere", function()
    local from, to = full(), other_order()
    local before = to:encode()
    to.objects[2] = from.objects[1]
    assert.same(values(from.objects[1]), values(to.objects[2]))
    assert.equal(0, to.objects[2].more) -- which the other has not
    assert.is_false(to.objects[2].next)
    assert.equal(to:encode(), assert(lathe.parse(to:encode())):encode())
    to:undo()
    assert.equal(before, to:encode())
    for _, name in ipairs { "id", "at", "list", "insert", "on", "marks", "totable" } do
      to.objects[2][name] = from.objects[1][name]
    end
    assert.same(FULL.objects[1].list, lathe.totable(to.objects[2].list))
    assert.same({ 1, 2, 3 }, lathe.totable(to.objects[2].insert))
    to.objects[2].list[1] = from.objects[1].list[2]
    assert.same({ 3, 4 }, { to.objects[2].list[1].x, to.objects[2].list[1].y })
    to.objects[2] = lathe.totable(from.objects[1])
  end)

  it("is refused by the name of what would be lost", function()
    local from, to = full(), other_order(function(rows) table.remove(rows, 3) end)
    local before = to:encode()
    local function refused(message, fn)
      raises(message, fn)
      assert.equal(before, to:encode())
    end
    local lost = "objects[2]: 'marks' of the other document's " .. PART .. " has no place in this one's"
    refused(lost, function() to.objects[2] = from.objects[1] end)
    refused("objects: 'marks' of the other document's " .. PART .. " has no place in this one's",
      function() to.objects[1] = from.objects[1] end)
    refused("objects[2].at: point expected, got widget (" .. PART .. ")",
      function() to.objects[2].at = open(XY).objects[1] end)
    refused("objects: this document has no type 'widget'", function() to.objects[1] = open(XY).objects[1] end)
    to.objects[3] = from.objects[2]
    assert.equal(8, to.objects[3].id)
  end)
end)

-- The shell's own ways to look at documents.
describe("records that a file describes itself", function()
  local tree = require "lathe.tree"
  local schema = require "lathe.tree.schema"

  it("are dumped and compared", function()
    local a, b = full(), full()
    local text = tree.dump(a)
    assert.matches("    [1]  hkThing::Part<a>\n0x000093      id       7\n0x000097      totable  -1\n", text, 1, true)
    assert.matches("      at       x 1.5  y 2.5\n", text, 1, true)
    assert.is_nil(text:find("pad_0 ", 1, true))
    assert.same({}, tree.diff(a, b))
    b.objects[1].totable, b.objects[1].at.y, b.objects[1].path = 4, 0, 3
    local lines = {}
    for i, change in ipairs(tree.diff(a, b)) do lines[i] = tree.diff_line(change) end
    assert.same({ "objects[1].totable: -1 -> 4", "objects[1].path: 2 -> 3", "objects[1].at.y: 2.5 -> 0" }, lines)
    -- Of the same name, with rows in another order: by their names.
    local other = other_order()
    other.objects[1] = a.objects[1]
    a.objects[1].next = false
    local changes = {}
    for _, change in ipairs(tree.diff(a, other)) do
      if change.path:find "^objects%[1%]" then changes[#changes + 1] = change.path end
    end
    assert.same({ "objects[1].more" }, changes)
  end)

  it("come back from JSON, whatever their numbers", function()
    local doc = full()
    doc.objects[1].at = { 0 / 0, -1 / 0 }
    local source = tree.to_json(doc)
    assert.matches('"at":{"x":{"$number":"nan', source, 1, true)
    local fields = assert(tree.from_json(source, "own"))
    assert.equal(doc:encode(), assert(lathe.new("own", fields)):encode())
  end)

  it("are known to a cache of their document by name", function()
    local doc = full()
    assert.equal("at", schema.new(doc):row(PART, "at").name)
    assert.is_nil(schema.new():row(PART, "at"))
    local _, found = schema.new(doc):locate(doc, "objects[1].at.x")
    assert.equal("f32", found.type)
    assert.is_true(found.own)
  end)

  it("are completed", function()
    local complete = require "lathe.repl.complete"
    local env = { doc = full() }
    local line = "doc.objects[1].to"
    assert.same({ line .. "table" }, complete.words(line, 1, #line, env))
    line = "doc.objects[1].at."
    assert.same({ line .. "x", line .. "y" }, complete.words(line, 1, #line, env))
    line = "doc.objects[1]:to" -- a field has the method's name
    assert.same({}, complete.words(line, 1, #line, env))
  end)

  it("have no name that means something else", function()
    local doc = assert(lathe.new("own", { types = {
      { name = "array", rows = { row("x", U8) } }, { name = "own", rows = { row("y", U8) } },
      { name = "lathe.Document", rows = { row("z", U8) } },
    }, objects = { { class = "array_", x = 1 }, { class = "own_", y = 2 }, { class = "lathe.Document_" } } }))
    assert.same({ "array_", "own_", "lathe.Document_" },
      { lathe.type(doc.objects[1]), lathe.type(doc.objects[2]), lathe.type(doc.objects[3]) })
    assert.equal(doc:encode(), assert(lathe.new("own", doc:totable())):encode())
    assert.equal(1, doc.objects[1].x)
    assert.matches("[3]  z 0", tree.dump(doc), 1, true)
  end)
end)
