-- The walkers know the fields of each record, not those of the first of its type: JSON holds what pairs gives,
-- diff names every field that differs.

local fields = require "tree_fields"
local helper = require "helper"
local lathe = require "lathe"
local nif_schema = require "nif_schema"
local sample = require "sample_nif"

-- Groups of keys whose kinds differ, so that records of one type have different fields in one file.
local function mixed_keys()
  return assert(lathe.new("nif", { version = 0x14020007, user_version = 12, bs_version = 130, blocks = {
    { type = "NiFloatData", data = { interpolation = "linear", keys = { { time = 0, value = 1 } } } },
    { type = "NiFloatData", data = { interpolation = "quadratic",
      keys = { { time = 0, value = 1, forward = 2, backward = 3 } } } },
    { type = "NiFloatData", data = { interpolation = "tbc", keys = { { time = 0, value = 1, tbc = { 4, 5, 6 } } } } },
    { type = "NiPosData", data = { interpolation = "linear", keys = { { time = 0, value = { 1, 2, 3 } } } } },
    { type = "NiPosData", data = { interpolation = "quadratic",
      keys = { { time = 0, value = { 1, 2, 3 }, forward = { 4, 5, 6 }, backward = { 7, 8, 9 } } } } },
  } }))
end

local function lines(a, b)
  local list = {}
  for i, change in ipairs(lathe.tree.diff(a, b)) do list[i] = lathe.tree.diff_line(change) end
  return list
end

describe("fields that depend on the instance", function()
  it("are dumped", function()
    local text = lathe.tree.dump(mixed_keys(), { offsets = false })
    assert.matches("[1]  time 0  value 1  forward 2  backward 3\n", text, 1, true)
    assert.matches("tbc    x 4  y 5  z 6\n", text, 1, true)
    assert.matches("backward  x 7  y 8  z 9\n", text, 1, true)
  end)

  it("are in JSON", function()
    local text = lathe.tree.to_json(mixed_keys())
    assert.matches('"keys":[{"time":0,"value":1}]', text, 1, true)
    assert.matches('"keys":[{"time":0,"value":1,"forward":2,"backward":3}]', text, 1, true)
    assert.matches('"keys":[{"time":0,"value":1,"tbc":{"x":4,"y":5,"z":6}}]', text, 1, true)
    local again = assert(lathe.new("nif", assert(lathe.tree.from_json(text, "nif"))))
    assert.equal(mixed_keys():encode(), again:encode())
  end)

  it("are compared", function()
    local changed = mixed_keys()
    changed.blocks[2].data.keys[1].backward = 30
    changed.blocks[3].data.keys[1].tbc.y = 50
    changed.blocks[5].data.keys[1].forward.z = 60
    assert.same({
      "blocks[2].data.keys[1].backward: 3 -> 30",
      "blocks[3].data.keys[1].tbc.y: 5 -> 50",
      "blocks[5].data.keys[1].forward.z: 6 -> 60",
    }, lines(mixed_keys(), changed))
  end)

  it("are told as added and removed where one of two records has them", function()
    local changed = mixed_keys()
    changed.blocks[1].data = { interpolation = "quadratic",
      keys = { { time = 0, value = 1, forward = 7, backward = 8 } } }
    assert.same({
      "blocks[1].data.interpolation: linear -> quadratic",
      "blocks[1].data.keys[1].forward: added 7",
      "blocks[1].data.keys[1].backward: added 8",
    }, lines(mixed_keys(), changed))
    assert.same({
      "blocks[1].data.interpolation: quadratic -> linear",
      "blocks[1].data.keys[1].forward: removed 7",
      "blocks[1].data.keys[1].backward: removed 8",
    }, lines(changed, mixed_keys()))
  end)
end)

describe("lathe diff of long bytes", function()
  it("tells those apart that begin alike", function()
    local folder = helper.tmpdir()
    local head = assert(lathe.new("solid", { vertices = { { 0, 0, 0 } } })):encode() .. ("\1"):rep(20)
    local a = helper.write(folder .. "/a.solid", head .. "a")
    local b = helper.write(folder .. "/b.solid", head .. "b")
    local shown = "21 bytes:" .. (" 01"):rep(16) .. " ..."
    assert.equal(("trailing: %s -> %s (from byte 20 on)\n"):format(shown, shown),
      helper.lathe({ "diff", a, b }).out)
  end)
end)

describe("verbs as commands", function()
  local function failed(...)
    local folder = helper.tmpdir()
    local doc = assert(lathe.new("anm", { length = 1000, frames = { { time = 0 }, { time = 1000 } } }))
    local path = helper.write(folder .. "/a.anm", doc:encode())
    local run = helper.lathe { ..., path, "-n" }
    return run.err:gsub("^lathe: .-a%.anm: ", "")
  end

  it("say what is wrong with an argument without a place in lathe's own code", function()
    assert.equal("lathe loop: --frames <n> is missing\n", (failed "loop"))
    assert.equal("lathe concat: --other <file> is missing\n", (failed "concat"))
  end)

  it("name a file that cannot be opened", function()
    local folder = helper.tmpdir()
    local doc = assert(lathe.new("anm", { length = 1000, frames = { { time = 0 }, { time = 1000 } } }))
    local path = helper.write(folder .. "/a.anm", doc:encode())
    local run = helper.lathe { "concat", "--other", folder .. "/none.anm", path, "-n" }
    assert.equal(("lathe: %s: %s/none.anm: cannot open: No such file or directory\n"):format(path, folder), run.err)
  end)
end)

describe("lathe diff --json", function()
  it("does not call files the same whose bytes differ", function()
    local folder = helper.tmpdir()
    local doc = assert(lathe.new("solid", { vertices = { { 0, 0, 0 } } }))
    local a = helper.write(folder .. "/a.solid", doc:encode():sub(1, 4) .. (">I4"):pack(0x7FC00000) .. ("\0"):rep(16))
    local b = helper.write(folder .. "/b.solid", doc:encode():sub(1, 4) .. (">I4"):pack(0x7FC00001) .. ("\0"):rep(16))
    local run = helper.lathe { "diff", "--json", a, b }
    assert.matches('"same":false,"differ_at":7,"patch":1,"game":"Lugaru","complete":false,"missing":[{"reason":'
      .. '"bytes from 0x7 on, which no field shows"}],"changes":[]', run.out, 1, true)
    assert.equal("no field differs, but bytes do, from 0x7 on\n", helper.lathe({ "diff", a, b }).out)
    run = helper.lathe { "diff", "--json", a, a }
    assert.matches('"same":true,"patch":1,"game":"Lugaru","complete":true,"changes":[]', run.out, 1, true)
  end)
end)

-- Files of self-made blocks: every type, twice in each file, filled by chance.
local function each_made(run)
  local names = nif_schema.load().blocks
  for _, game in ipairs { "oblivion", "le", "sse", "fo4" } do
    for first = 1, #names, 20 do
      local types = table.move(names, first, math.min(first + 19, #names), 1, {})
      table.move(types, 1, #types, #types + 1, types)
      local opts = sample.random_file(types, sample.setting(game), sample.rng(first))
      run(sample.build(opts), ("%s, blocks from %s on"):format(game, types[1]))
    end
  end
end

local SMALL = 40000 -- bytes of a file of the corpus that is looked at
local ENOUGH = 3 -- files of each format and game, and with each type of block

-- Whether a file has something that few files before it had.
local function adds(doc, seen)
  local names, new = { [doc.format .. " " .. (doc.game or "")] = true }, false
  for _, row in ipairs(lathe.describe(doc)) do
    for _, block in ipairs(row.tag and doc[row.name] or {}) do names[lathe.type(block)] = true end
  end
  for name in pairs(names) do
    seen[name] = (seen[name] or 0) + 1
    new = new or seen[name] <= ENOUGH
  end
  return new
end

local function each_real(pending, run)
  local seen = {}
  for _, folder in ipairs { "nif", "nif-animation", "nif-fo4-collision", "precombined", "hkx", "wolfire" } do
    local root = helper.need_corpus(folder, pending)
    local find <close> = assert(io.popen(("find %s -type f -size -%dc | LC_ALL=C sort"):format(
      helper.quote(root), SMALL)))
    for path in find:lines() do
      local bytes = helper.read(path)
      local doc <close> = not path:find "%.json$" and lathe.parse(bytes, { path = path }) or nil
      if doc and adds(doc, seen) then run(doc, bytes, path) end
    end
  end
end

describe("every field", function()
  it("is in JSON and in pairs, in one order", function()
    each_made(function(bytes)
      local doc <close> = assert(lathe.parse(bytes, { format = "nif" }))
      fields.compare(doc)
    end)
  end)

  it("is named by diff when it is set", function()
    local seen, n = {}, 0
    each_made(function(bytes, label)
      n = n + fields.change_all(bytes, { format = "nif", label = label }, seen)
    end)
    assert.is_true(n > 7000, n)
  end)

  it("is dumped: a file whose keys are of several kinds #corpus", function()
    local path = helper.need_corpus("nif-fo4-collision/VltGearDoor01.nif", pending)
    local run = helper.lathe { "dump", path }
    assert.same({ 0, "" }, { run.code, run.err })
    assert.matches("keys           FloatKey[2]\n", run.out, 1, true)
  end)

  it("is in JSON and in pairs, in one order: real files #corpus", function()
    local n = 0
    each_real(pending, function(doc)
      fields.compare(doc)
      n = n + 1
    end)
    assert.is_true(n > 90, n)
  end)

  it("is named by diff when it is set: real files #corpus", function()
    local seen, n = {}, 0
    each_real(pending, function(_, bytes, path)
      n = n + fields.change_all(bytes, { path = path, label = path }, seen)
    end)
    assert.is_true(n > 3000, n)
  end)
end)
