-- Record types that files describe themselves: each document has its own, and they go with it.
-- Runs on the made-up formats.

local lathe = require "lathe.core"

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

local XY = file("thing", { row("x", U8), row("y", U8) }, { x = 1, y = 2 })
local YX = file("thing", { row("y", U8), row("x", U8) }, { x = 3, y = 4 })
local AB = file("thing", { row("alpha", U16), row("beta", F32) }, { alpha = 5, beta = 6 })

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
    raises("no field 'alpha' in thing", function() return a.objects[1].alpha end)
    raises("no field 'bets' in thing; did you mean 'beta'?", function() return c.objects[1].bets end)
    raises("no field 'bets' in thing; did you mean 'beta'?", function() c.objects[1].bets = 1 end)
    raises("no field 'alph' in thing; did you mean 'alpha'?", lathe.path, c.objects[1], "alph")
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
