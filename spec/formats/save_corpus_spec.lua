-- Every saved game of the corpus against its figures: `raw` is what the file stores, `engine` what the
-- game's own loader made of it. And every malformed one. See the corpus's wolfire/README.md.
-- #corpus: pending, loudly, where there is none.

local checks = require "format_checks"
local figures = require "wolfire_figures"
local helper = require "helper"
local lathe = require "lathe"

local text = figures.bytes

-- test(doc, name, folder) for each file but the one that is no more than a header of version 2.
local function each(pending, test)
  for _, extension in ipairs { "sav", "sav3" } do figures.each(pending, "wolfire/save", extension, test) end
end

local function hex(bytes)
  return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

local function same_pairs(raw, array)
  assert.equal(#raw, #array)
  for i, pair in ipairs(raw) do
    local value = pair[2]
    if type(value) == "string" then value = text(value) end
    assert.same({ text(pair[1]), value }, { array[i].key, array[i].value })
  end
end

local function same_texts(expected, got)
  assert.equal(#expected, #got)
  for i, item in ipairs(expected) do assert.equal(text(item), got[i]) end
end

local function same_level(raw, level, version)
  for _, name in ipairs { "campaign_id", "save_category", "save_name" } do
    assert.equal(raw[name] and text(raw[name]), level[name])
  end
  assert.same({ raw.md5, #raw.values }, { hex(level.md5), level.value_count })
  same_pairs(raw.values, level.values)
  if version == 1 then
    assert.same({}, { level.arrays, level.int32_values, raw.arrays, raw.int32 })
    return
  end
  same_pairs(raw.int32, level.int32_values)
  assert.equal(#raw.arrays, level.array_count)
  for i, array in ipairs(raw.arrays) do
    assert.equal(text(array[1]), level.arrays[i].key)
    same_texts(array[2], level.arrays[i].values)
  end
end

-- Keys of an array, each once.
local function keys(array)
  local set, n = {}, 0
  for _, element in ipairs(array) do
    if not set[element.key] then n = n + 1 end
    set[element.key] = true
  end
  return n
end

-- The game's maps have what a lookup by key gives; arrays that are empty are not in them.
local function same_maps(engine, level)
  local n = { values = 0, int32_values = 0, arrays = 0 }
  for key, value in pairs(engine.values) do
    assert.equal(text(value), level.values[text(key)])
    n.values = n.values + 1
  end
  for key, value in pairs(engine.int32) do
    assert.equal(value, level.int32_values[text(key)])
    n.int32_values = n.int32_values + 1
  end
  for key, list in pairs(engine.arrays) do
    same_texts(list, level.arrays[text(key)])
    n.arrays = n.arrays + 1
  end
  for _, array in ipairs(level.arrays) do
    if #level.arrays[array.key] == 0 then n.arrays = n.arrays + 1 end
  end
  for name, count in pairs(n) do assert.equal(keys(level[name]), count, name) end
end

describe("the corpus of saved games #corpus", function()
  it("is kept to the byte", function()
    each(pending, function(doc, name, path)
      local file = helper.read(path .. "/" .. name)
      assert.equal(file, doc:encode())
      checks.round_trip("save", file)
      assert.is_true(doc:check())
    end)
  end)

  it("reads as it is stored", function()
    each(pending, function(doc, name, path)
      local raw = figures.read(path, name, "raw")
      assert.same({ raw.version, #raw.levels, raw.trailing_bytes },
        { doc.version, doc.level_count, #(doc.trailing or "") })
      for i, level in ipairs(raw.levels) do same_level(level, doc.levels[i], raw.version) end
      helper.count("save", name)
    end)
  end)

  it("reads by key as the game loads it", function()
    each(pending, function(doc, name, path)
      local engine = figures.read(path, name, "engine")
      assert.equal(doc.version == 3, engine.ok)
      for i, level in ipairs(engine.levels or {}) do same_maps(level, doc.levels[i]) end
    end)
  end)

  it("becomes what the game writes, but for md5 and the order of keys", function()
    local seen = 0
    figures.each(pending, "wolfire/save/engine_rewrite", "sav3", function(doc, name, path)
      local file = helper.read(path .. "/" .. name)
      checks.round_trip("save", file)
      assert.is_true(doc:check())
      local original <close> = assert(lathe.open(path:gsub("/engine_rewrite$", "") .. "/"
        .. name:gsub("%.engine", "")))
      for i, level in ipairs(doc.levels) do
        local from = original.levels[i]
        local function map(array)
          local out = {}
          for _, element in ipairs(array) do
            local value = array[element.key]
            if type(value) == "userdata" then value = lathe.totable(value) end
            if type(value) ~= "table" or #value > 0 then out[element.key] = value end
          end
          return out
        end
        from.md5 = level.md5
        for _, field in ipairs { "values", "arrays", "int32_values" } do from[field] = map(from[field]) end
      end
      original.trailing = ""
      assert.equal(file, original:encode())
      seen = seen + 1
    end)
    assert.equal(4, seen)
  end)

  it("has a header of version 2, which is refused by name", function()
    local path = helper.need_corpus("wolfire/save", pending) .. "/header_only_v2.sav2"
    local doc, err = lathe.open(path)
    assert.is_nil(doc)
    assert.equal(path .. ": version at 0xf: version 2: its layout is unknown", tostring(err))
  end)
end)

local BAD = {
  ["save_empty.sav3"] = "save at 0x0: truncated: 0 bytes, at least 19 needed",
  ["save_levels_huge.sav3"] =
    "level_count at 0x11: truncated: 65535 levels of at least 28 bytes do not fit into 55 bytes",
  ["save_marker.sav3"] = "marker at 0x0: wrong marker",
  ["save_marker_only.sav3"] = "save at 0xf: truncated: 15 bytes, at least 19 needed",
  ["save_string_len.sav3"] = "levels[1].campaign_id at 0x15: 60000 bytes needed, 53 left",
  ["save_trunc_half.sav3"] =
    "level_count at 0x11: truncated: 1 levels of at least 28 bytes do not fit into 18 bytes",
  ["save_trunc_int.sav3"] =
    "levels[1].int32_values at 0x43: 1 elements of at least 6 bytes do not fit into 5 bytes",
  ["save_v0.sav3"] = "version at 0xf: version 0: nothing writes it, though the game would read it as version 3",
  ["save_v1_trunc.sav"] = "levels[1].values[1].value at 0x2d: 1 bytes needed, 0 left",
  ["save_v2_unknown.sav2"] = "version at 0xf: version 2: its layout is unknown",
  ["save_v4.sav3"] = "version at 0xf: version 4: newer than 3, the newest that is known",
}

describe("the bad files of sav, sav2, sav3 #corpus", function()
  for _, case in ipairs(figures.bad_files({ "sav", "sav2", "sav3" }, BAD)) do
    it(case.title, function() case.run(pending) end)
  end
end)
