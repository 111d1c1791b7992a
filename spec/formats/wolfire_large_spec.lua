-- Large and hostile files of Overgrowth: a step over all of something takes no longer the more there is.
-- Nothing is timed here (make bench does that), but each of these took minutes when it was quadratic, and
-- the whole run has a limit.

local lathe = require "lathe"

-- Version 2: frames at 1, 2, 3 … ms with these events, no bones.
local function animation(events)
  local parts = { string.pack("<i4Bi4i4i4", 2, 1, 0, #events, #events) }
  for time, list in ipairs(events) do
    parts[time + 1] = string.pack("<i4i4i4", time, 0, #list) .. table.concat(list)
  end
  return assert(lathe.parse(table.concat(parts), { format = "anm", history = 2 }))
end

local EVENT = string.pack("<i4s4", 0, "step")

local function list(n, value)
  local t = {}
  for i = 1, n do t[i] = value end
  return t
end

describe("a large animation #slow", function()
  it("is turned round, and back", function()
    local frames = list(30000, { EVENT })
    frames[1] = { (string.pack("<i4s4", 0, "the first")) }
    local doc <close> = animation(frames)
    local before = doc:encode()
    assert(doc:reverse())
    assert.is_true(doc:undo())
    assert.equal(before, doc:encode())
    assert.is_true(doc:redo())
    assert.same({ "the first", 29999 }, { doc.frames[29999].events[1].name, doc.frames[29999].time })
  end)

  it("is resampled, whatever has to be handed on", function()
    local doc <close> = animation(list(30000, { EVENT }))
    assert(doc:resample(1000))
    assert(doc:resample(0.1))
    local n = 0
    for _, frame in ipairs(doc.frames) do n = n + #frame.events end
    assert.equal(30000, n)
    local one <close> = animation { list(100000, EVENT), {}, {} }
    one.length = 2000
    assert(one:resample(2))
    assert.equal(100000, #one.frames[1].events)
    assert.equal("step", one.frames[1].events[100000].name)
  end)

  it("has its events renamed", function()
    local doc <close> = animation { list(50000, EVENT) }
    assert.equal(50000, doc:rename("step", "another").changed)
    assert.equal(string.rep("another", 3), doc.frames[1].events[1].name .. doc.frames[1].events[25000].name
      .. doc.frames[1].events[50000].name)
  end)

  it("is not told of a million times", function()
    local doc <close> = animation { list(300000, EVENT) }
    local ok, found = doc:check()
    assert.is_nil(ok)
    local errors = 0
    for _, e in ipairs(found) do errors = errors + (e.level == "error" and 1 or 0) end
    assert.equal(10001, errors)
    assert.equal("more than 10000 errors: the rest is left out", found[10001].message)
  end)
end)

describe("a large saved game #slow", function()
  local function make(n)
    local values = {}
    for i = 1, n do values[i] = { key = "key " .. i, value = "v" } end
    return assert(lathe.new("save", { levels = { { save_name = "a", values = values } } }))
  end

  it("has every value set by number", function()
    local doc <close> = make(20000)
    local values = doc.levels[1].values
    for i = 1, 20000 do values[i].value = "value " .. i end
    assert.same({ "value 1", "value 10000", "value 20000" }, { values[1].value, values["key 10000"],
      values["key 20000"] })
    assert.equal(doc:encode(), assert(lathe.new("save", doc:totable())):encode())
  end)

  it("is asked by key", function()
    local doc <close> = make(4000)
    local values = doc.levels[1].values
    for i = 1, 4000 do values["key " .. i] = values["key " .. i] .. i end
    assert.same({ "v1", "v4000" }, { values[1].value, values[4000].value })
  end)
end)
