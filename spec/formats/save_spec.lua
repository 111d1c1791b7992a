-- Saved games of Overgrowth: values by key, both versions, what the game makes of odd ones.

local checks = require "format_checks"
local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_save"

local raises = outcome.raises

checks.describe_format {
  format = "save",
  samples = sample,
  flips = 1000,
}

local function open(name, options)
  return checks.open("save", sample[name], options)
end

local function message(value, err)
  assert.is_nil(value)
  return tostring(err)
end

local function findings(doc)
  local _, list = doc:check()
  local texts = {}
  for i, finding in ipairs(list) do
    texts[i] = ("%s %s: %s"):format(finding.level, finding.where, finding.message)
  end
  return texts
end

describe("a saved game", function()
  it("is read by key", function()
    local doc <close> = open "v3"
    local level = doc.levels.l1
    assert.same({ 3, 2, "c", "global" }, { doc.version, doc.level_count, level.campaign_id, level.save_category })
    assert.same({ "12.375", "e", "" }, { level.values.time, level.values[""], level.values.append })
    assert.is_nil(level.values.insert)
    assert.same({ "a", "bc" }, level.arrays.u:totable())
    assert.same({ "" }, level.arrays['x\0"']:totable())
    assert.same({ -1, 3600 }, { level.int32_values.q, level.int32_values.p })
    assert.equal(0, doc.levels["ü"].value_count)
    assert.equal("Overgrowth", doc.game)
    assert.equal("levels[1].values[3]", lathe.path(level.values[3]))
  end)

  it("of version 1 has names and values alone", function()
    local doc <close> = open "v1"
    local level = doc.levels.arena
    assert.same({ "23", "1" }, { level.values.a, level.values.b })
    for _, field in ipairs { "campaign_id", "save_category", "array_count", "arrays", "int32_values" } do
      assert.is_nil(level[field])
    end
    raises("levels[1].arrays: absent here", function() level.arrays = { x = { "1" } } end)
  end)

  it("of which the game takes the last, the first, or all", function()
    local doc <close> = open "odd"
    local level = doc.levels.n
    assert.equal("levels[1]", lathe.path(level))
    assert.equal("3", level.values.a)
    assert.same({ "1", "2", "3" }, level.arrays.x)
    assert.same({}, level.arrays.y)
    assert.equal(-2147483646, level.int32_values.i)
    raises('levels[1].arrays at 0x40: the key "x" is there 3 times', function() level.arrays.x = { "4" } end)
  end)

  it("is found by its marker, whatever it is called", function()
    for _, name in ipairs { "v1", "v3", "empty", "odd" } do
      local doc <close> = assert(lathe.parse(sample[name], { path = "x.solid" }))
      assert.equal("save", doc.format)
    end
    assert.equal("x.sav2: version at 0xf: version 2: its layout is unknown",
      message(lathe.parse((sample.empty:gsub("\3", "\2")), { path = "x.sav2" })))
    assert.equal("x.sav3: marker at 0x0: wrong marker",
      message(lathe.parse((sample.v3:gsub("^O", "o")), { path = "x.sav3" })))
    assert.equal("x.sav: save at 0x3: truncated: 3 bytes, at least 19 needed",
      message(lathe.parse("Ove", { path = "x.sav" })))
  end)
end)

describe("values", function()
  it("are set, added and removed by key, and nothing else moves", function()
    local doc <close> = open("v3", { history = 20 })
    local level, second, p = doc.levels.l1, doc.levels[2], doc.levels.l1.int32_values[2]
    level.values.time = "7.5"
    level.values.no_kills = "true"
    level.int32_values.q = -2
    level.arrays.unlocked = { "intro", "village" }
    level.arrays.u:append "d"
    level.values[""] = nil
    assert.same({ "time", "append", "no_kills" },
      { level.values[1].key, level.values[2].key, level.values[3].key })
    assert.same({ "7.5", "true", -2, 3600 },
      { level.values.time, level.values.no_kills, level.int32_values.q, p.value })
    assert.same({ "a", "bc", "d" }, level.arrays.u:totable())
    assert.equal(string.char(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), level.md5)
    assert.equal("ü", second.save_name)
    checks.round_trip("save", doc:encode())
    assert.is_true(doc:undo(6))
    assert.equal(sample.v3, doc:encode())
  end)

  it("of a new level", function()
    local doc <close> = open("v3", { history = 20 })
    doc.levels.new = { save_category = "challenge_level", values = { time = "1", level_played = "true" } }
    assert.equal(3, doc.level_count)
    local level = doc.levels.new
    assert.same({ "new", "", "challenge_level", ("\0"):rep(16) },
      { level.save_name, level.campaign_id, level.save_category, level.md5 })
    assert.same({ { key = "level_played", value = "true" }, { key = "time", value = "1" } },
      lathe.totable(level.values))
    doc.levels.new = nil
    assert.equal(sample.v3, doc:encode())
    doc.levels.l1 = nil
    assert.equal("ü", doc.levels[1].save_name)
    assert.same({}, { doc.levels.l1 })
  end)

  it("are refused where they do not fit", function()
    local doc <close> = open "v3"
    local level = doc.levels.l1
    raises("levels[1].int32_values[1].value", function() level.int32_values.q = 1 << 31 end)
    raises("levels[1].values[1].value: a string expected", function() level.values.time = 12.5 end)
    raises("65536 bytes of text, more than the limit of 65535", function() level.values.time = ("x"):rep(65536) end)
    assert.equal(sample.v3, doc:encode())
  end)

  it("are at most 65,535 #slow", function()
    local values = {}
    for i = 1, 65535 do values["k" .. i] = "v" end
    local doc <close> = assert(lathe.new("save", { levels = { n = { values = values } } }))
    local level = doc.levels.n
    local before = doc:encode()
    raises("levels[1].value_count at 0x2a: 65536 is not in 0 .. 65535", function() level.values.more = "v" end)
    assert.equal(before, doc:encode())
    values.more = "v"
    assert.matches("levels[1].value_count", message(lathe.new("save", { levels = { n = { values = values } } })), 1, true)
    assert.equal("v", level.values.k65535)
  end)
end)

describe("a new saved game", function()
  local levels = { { save_name = "a", values = { y = "2", x = "1" } }, { save_name = "b" } }

  it("has version 3, or 1", function()
    for version = 1, 3, 2 do
      local doc <close> = assert(lathe.new("save", { version = version, levels = levels }))
      assert.same({ version, 2, "1" }, { doc.version, doc.level_count, doc.levels.a.values.x })
      assert.equal(version == 3 and "" or nil, doc.levels.a.campaign_id)
      checks.round_trip("save", doc:encode())
    end
    assert.equal(3, lathe.new("save").version)
    local float <close> = assert(lathe.new("save", { version = 1.0, levels = { { save_name = "a" } } }))
    local integer <close> = assert(lathe.new("save", { version = 1, levels = { { save_name = "a" } } }))
    assert.equal(integer:encode(), float:encode())
    assert.equal(sample.empty, lathe.new("save"):encode())
  end)

  it("is refused in others, and where a field has no place", function()
    for version, says in pairs { [0] = "version 0: nothing writes it", [2] = "version 2: its layout is unknown",
      [4] = "version 4: newer than 3", [-1] = "version -1: only 1 and 3" } do
      assert.matches(says, message(lathe.new("save", { version = version })), 1, true)
    end
    assert.matches("levels[1].arrays",
      message(lathe.new("save", { version = 1, levels = { { arrays = { x = { "1" } } } } })), 1, true)
    assert.matches("no field 'value' in save_level; did you mean 'values'?",
      message(lathe.new("save", { levels = { a = { value = {} } } })), 1, true)
  end)

  it("is the same from names as from lists", function()
    local a <close> = assert(lathe.new("save", { levels = {
      n = { values = { b = "2", a = "1" }, arrays = { l = { "x" } }, int32_values = { z = 1, y = -1 } } } }))
    local b <close> = assert(lathe.new("save", { levels = { {
      save_name = "n",
      values = { { key = "a", value = "1" }, { key = "b", value = "2" } },
      arrays = { { key = "l", values = { "x" } } },
      int32_values = { { key = "y", value = -1 }, { key = "z", value = 1 } },
    } } }))
    assert.equal(a:encode(), b:encode())
  end)
end)

describe("save check", function()
  it("names what comes again, what vanishes, and what the game refuses", function()
    local odd <close> = open "odd"
    local v1 <close> = open "v1"
    local texts = findings(odd)
    table.sort(texts)
    assert.same({
      'warning levels[1].arrays[2]: without values: the game drops it when it loads the file',
      'warning levels[1].arrays[4]: the key "x" is there 3 times: the game joins their values',
      'warning levels[1].arrays[5]: the key "y" is there 2 times: the game joins their values',
      'warning levels[1].int32_values[2]: the key "i" is there 2 times: the game takes the last',
      'warning levels[1].values[3]: the key "a" is there 2 times: the game takes the last',
      "warning levels[2]: the same campaign, category and name as level 1, which the game finds first",
      "warning trailing: 2 trailing bytes, which the game ignores",
    }, texts)
    assert.same({ "warning version: version 1: the game as published refuses it" }, findings(v1))
    assert.same({}, findings(open "v3"))
    local _, list = odd:check()
    assert.equal(#sample.odd - 2, list[#list].offset)
  end)
end)

describe("save set_version", function()
  it("from 1 to 3 and back loses nothing", function()
    local doc <close> = open("v1", { history = 5 })
    local arena, value = doc.levels.arena, doc.levels.arena.values[2]
    assert.same({ changed = 2, skipped = {} }, doc:set_version(3))
    assert.same({ 3, "", "", "arena", "23" },
      { doc.version, arena.campaign_id, arena.save_category, arena.save_name, value.value })
    assert.same({ 0, 0 }, { #arena.arrays, #arena.int32_values })
    assert.equal("levels[1]", lathe.path(arena))
    local first = lathe.span(arena)
    assert.equal(19, first)
    checks.round_trip("save", doc:encode())
    assert.same({ changed = 0, skipped = {} }, doc:set_version { version = 3 })
    assert.same({ changed = 2, skipped = {} }, doc:set_version(1))
    assert.equal(sample.v1, doc:encode())
    assert.is_true(doc:undo())
    assert.equal("", arena.campaign_id)
    assert.is_true(doc:undo())
    assert.equal(sample.v1, doc:encode())
    assert.equal("23", value.value)
  end)

  it("from 3 to 1 names each loss", function()
    local doc <close> = open("v3", { history = 5 })
    local level, md5 = doc.levels.l1, doc.levels.l1.md5
    local report = assert(doc:set_version(1))
    assert.same({
      { path = "levels[1].campaign_id", reason = 'campaign_id "c" dropped: version 1 has none' },
      { path = "levels[1].save_category", reason = 'save_category "global" dropped: version 1 has none' },
      { path = "levels[1].arrays[1]", reason = 'array "u" dropped: version 1 has none' },
      { path = "levels[1].arrays[2]", reason = [[array "x\x00\"" dropped: version 1 has none]] },
      { path = "levels[1].int32_values[1]", reason = 'int32 value "q" dropped: version 1 has none' },
      { path = "levels[1].int32_values[2]", reason = 'int32 value "p" dropped: version 1 has none' },
    }, report.skipped)
    assert.same({ 2, 1, "l1", md5, "12.375" },
      { report.changed, doc.version, level.save_name, level.md5, level.values.time })
    checks.round_trip("save", doc:encode())
    doc:undo()
    assert.equal(sample.v3, doc:encode())
    assert.equal("c", level.campaign_id)
  end)

  it("refuses what it does not know", function()
    local doc <close> = open "v3"
    assert.matches("version 2: its layout is unknown", message(doc:set_version(2)), 1, true)
    assert.has_error(function() doc:set_version() end, "set_version needs 'version': an integer")
    assert.has_error(function() doc:set_version "1" end,
      "'version' of set_version: an integer expected, got a string")
    assert.equal(sample.v3, doc:encode())
  end)
end)

describe("save rename", function()
  it("renames keys of every kind, in all levels", function()
    local doc <close> = open("odd", { history = 5 })
    assert.same({ changed = 2, skipped = {} }, doc:rename("a", "alpha"))
    assert.equal("3", doc.levels.n.values.alpha)
    assert.same({ changed = 3, skipped = {} }, doc:rename("x", "", { what = "keys" }))
    assert.same({ "1", "2", "3" }, doc.levels.n.arrays[""])
    assert.same({ changed = 2, skipped = {} }, doc:rename("i", "j"))
    assert.same({ changed = 0, skipped = {} }, doc:rename("n", "m"))
    assert.same({ changed = 0, skipped = {} }, doc:rename("b", "c", { what = "labels" }))
    doc:undo(3)
    assert.equal(sample.odd, doc:encode())
    assert.matches("'what' of rename is one of all, bones", message(doc:rename("b", "c", { what = "levels" })), 1, true)
    assert.matches("more than the limit", message(doc:rename("b", ("x"):rep(65536))), 1, true)
    assert.equal(sample.odd, doc:encode())
  end)
end)

describe("the command line on saved games", function()
  it("gets and sets by key", function()
    local folder = helper.tmpdir()
    local path = helper.write(folder .. "/a.sav3", sample.v3)
    local odd = helper.write(folder .. "/odd.sav3", sample.odd)
    local function run(...)
      local result = helper.lathe { ... }
      return result.code, result.out .. result.err
    end
    assert.same({ 0, "12.375\n" }, { run("get", path, 'levels["l1"].values["time"]') })
    assert.same({ 0, "3600\n" }, { run("get", path, "levels.l1.int32_values.p") })
    assert.same({ 0, "1\n2\n3\n" }, { run("get", odd, "levels.n.arrays.x") })
    local _, text = run("get", odd, "levels.n.arrays.x", "--json")
    assert.matches('"value":["1","2","3"]', text, 1, true)
    assert.equal(1, (run("get", path, 'levels["l1"].values["none"]')))
    local code, says = run("set", path, 'levels["l1"].values["time"]=7', 'levels["l1"].values["new=key"]=12',
      "levels.l1.int32_values.q=5", 'levels["two"]={values = {a = "b"}}', "--in-place", "--no-backup")
    assert.equal(0, code, says)
    local doc <close> = assert(lathe.open(path))
    assert.same({ "7", "12", 5, "b" }, { doc.levels.l1.values.time, doc.levels.l1.values["new=key"],
      doc.levels.l1.int32_values.q, doc.levels.two.values.a })
  end)
end)
