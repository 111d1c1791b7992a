-- Packfiles written from scratch: equal to the byte to what an independent builder writes from the same
-- objects, in every layout, and to the files of the corpus.

local figures = require "hkx_figures"
local helper = require "helper"
local lathe = require "lathe"
local reader = require "hkx_reader"
local sample = require "sample_hkx"

local LAYOUTS = {
  { game = "skyrim-le" }, { game = "skyrim-se" }, { game = "fallout4" }, { game = "fallout4", pointer_size = 4 },
  { game = "skyrim-le", endian = ">" }, { game = "skyrim-se", endian = ">" }, { game = "fallout4", endian = ">" },
  { game = "fallout4", pointer_size = 4, endian = ">" }, { game = "fallout4", embedded = true },
  { game = "fallout4", predicate = ("\20\0\7\0"):rep(8) },
}
local GAMES = { "skyrim-le", "skyrim-se", "fallout4" }

local function with(layout, opts)
  local all = {}
  for k, v in pairs(opts) do all[k] = v end
  for k, v in pairs(layout) do all[k] = v end
  return all
end

local function is_new(layout)
  return sample.layout(layout).version == "hk_2014.1"
end

-- ---- samples --------------------------------------------------------------------------------------

local function turn(frame)
  return { math.sin(frame / 40), 0, 0, math.cos(frame / 40) }
end

local TRACKS = { { translation = { x = 2, y = math.sin } }, {}, { rotation = { turn }, scale = { z = math.cos } } }

-- Each gives bytes of a layout, or nothing where it has none of it.
local SAMPLES = {
  clip = function(layout)
    return sample.clip(with(layout, {
      tracks = 5, frames = 20, floats = { 1, math.sin }, motion = true, bones = { 4, 0, 2, 2, -1 },
      blend_hint = is_new(layout) and 2 or 1,
      annotations = { { track = 0, time = 0.25, text = "A" }, { track = 3, time = 0, text = "" },
        { track = 0, time = 0.5, text = "sixteen bytes ok" }, { track = 3, time = 1, text = false } },
      track_names = { "first", false, "third" }, skeletons = { { bones = 7, float_slots = { "a", "bc", "" } } },
      variants = { { "nothing", "hkaNothing" }, { false, "" } },
    }))
  end,
  clips = function(layout)
    return sample.clip(with(layout, {
      clips = { { frames = 30, tracks = 1 }, { frames = 2, tracks = 20, motion = true }, { frames = 1 } },
      resource = false, user_tag = 7, flags = 3,
    }))
  end,
  skeletons = function(layout)
    return sample.skeleton(with(layout, {
      skeletons = {
        { name = "Root", bones = { "Root", { name = "COM", lock = 1, translation = { 1, 2, 3, 0.5 } }, "",
          { name = false } }, float_slots = { "hkVis:Weapon", false, "", "hkFade" },
          reference_floats = { 0.5, -1, 0, -0.0 },
          partitions = is_new(layout) and { { name = "odd", start_bone_index = 0, num_bones = 2 },
            { name = false }, { name = "b" } } or nil },
        { name = false, bones = 0 }, { name = "", bones = 1 },
      },
      mappers = { { 1, 2, { simple = { { 0, 0 }, { 2, 1 } }, chains = { { 0, 1, 0, 1 } }, unmapped = { 1 } } },
        { 2, 1 } },
    }))
  end,
  interleaved = function(layout)
    return sample.clip(with(layout, { kind = "interleaved", tracks = TRACKS, frames = 7, floats = { 3, math.sin } }))
  end,
  lossless = function(layout)
    if not is_new(layout) then return nil end
    return sample.clip(with(layout, { kind = "lossless", tracks = TRACKS, frames = 7, floats = { 3, math.sin } }))
  end,
  empty = function(layout)
    return sample.build(sample.root {}, layout)
  end,
  opaque = function(layout)
    local wheel = sample.opaque("hkWheel", 0x12345678, ("w"):rep(0x38))
    local car = sample.opaque("hkCar", 0x87654321, ("c"):rep(0x40), { { 0x18, 0x30 }, { 0x08, 0x38 } },
      { { 0x20, wheel }, { 0x10, wheel } })
    wheel.globals = { { 0x08, car }, { 0x00, wheel } }
    local frames = { { local_frame = wheel, bone_index = 1 }, { bone_index = 0 } }
    local skeleton = sample.skeleton_object { bones = 2, local_frames = frames }
    local container = { class = "hkaAnimationContainer", skeletons = { skeleton, false, skeleton },
      attachments = { car } }
    return sample.build(sample.root { { "a", "hkaAnimationContainer", container }, { "car", "hkCar", car } }, layout)
  end,
}

local function each_sample(test)
  local count = 0
  for _, layout in ipairs(LAYOUTS) do
    for name, make in pairs(SAMPLES) do
      local bytes = make(layout)
      if bytes then
        test(bytes, layout, name)
        count = count + 1
      end
    end
  end
  assert(count > 50)
end

-- ---- other layouts --------------------------------------------------------------------------------

local TYPES = { [5] = 3, [3] = 5, [4] = 2, [2] = 4 } -- spline, mirrored; either way

-- What the builder writes of a file in the layout of another game: numbers that versions read differently are
-- changed, and signatures come from its tables.
local function rebuilt(bytes, game)
  local file = reader.read(bytes)
  local root, list = file:graph()
  if file.version ~= sample.layout({ game = game }).version then
    for _, node in ipairs(list) do
      node.signature = nil
      node.type = TYPES[node.type] or node.type
      if node.blend_hint and node.blend_hint ~= 0 then node.blend_hint = 3 - node.blend_hint end
    end
  end
  return (sample.build(root, { game = game, user_tag = file.user_tag, flags = file.flags }))
end

local function same(wanted, got, label)
  if wanted == got then return end
  for i = 1, math.max(#wanted, #got) do
    if wanted:byte(i) ~= got:byte(i) then
      error(("%s: %d bytes, wanted %d; they differ at 0x%x"):format(label, #got, #wanted, i - 1), 0)
    end
  end
end

describe("a packfile written from scratch", function()
  it("is the file, where that has Havok's order", function()
    each_sample(function(bytes, layout, name)
      local doc <close> = assert(lathe.parse(bytes))
      same(bytes, assert(doc:serialize()), name .. " for " .. layout.game)
      assert.equal(bytes, doc:encode())
    end)
  end)

  it("is what the builder writes in another layout, and comes back", function()
    for _, from in ipairs(GAMES) do
      for _, name in ipairs { "clip", "clips", "interleaved", "skeletons", "empty" } do
        local opts = { game = from }
        local bytes = name == "skeletons" and sample.skeleton { game = from, float_slots = { "a", "b" } }
          or SAMPLES[name](opts)
        for _, to in ipairs(GAMES) do
          local doc <close> = assert(lathe.parse(bytes))
          local there = assert(doc:serialize { game = to })
          same(rebuilt(bytes, to), there, ("%s: %s to %s"):format(name, from, to))
          local other <close> = assert(lathe.parse(there))
          same(bytes, assert(other:serialize { game = from }), ("%s: %s to %s and back"):format(name, from, to))
        end
      end
    end
  end)
end)

-- Made again from a copy, in whichever way, it is the file.
local function made_again(doc, bytes, label)
  local made <close> = assert(lathe.new("hkx", doc:totable()))
  same(bytes, made:encode(), label .. ": new")
  same(bytes, assert(made:serialize()), label .. ": new, serialized")
  local copy <close> = assert(lathe.new("hkx", doc))
  same(bytes, copy:encode(), label .. ": new from the document")
end

local function from_json(doc, bytes, label)
  local json = lathe.tree.to_json(doc)
  local made <close> = assert(lathe.new("hkx", assert(lathe.tree.from_json(json, doc.format))))
  same(bytes, made:encode(), label .. ": from JSON")
end

describe("a packfile made of a table", function()
  it("comes of one that has no field of other versions", function()
    local doc <close> = assert(lathe.parse((sample.clip { game = "skyrim-se", motion = true })))
    assert.equal("hkaDefaultAnimatedReferenceFrame", lathe.type(doc.objects[4]))
    assert.is_nil(doc.objects[4].frame_type)
    assert.is_nil(doc:totable().objects[4].frame_type)
  end)

  it("is the file that the table came from", function()
    each_sample(function(bytes, layout, name)
      local doc <close> = assert(lathe.parse(bytes))
      made_again(doc, bytes, name .. " for " .. layout.game)
      from_json(doc, bytes, name .. " for " .. layout.game)
    end)
  end)
end)

describe("a packfile of the corpus written from scratch #corpus", function()
  it("is the file", function()
    assert.equal(16, figures.each(lathe, pending, figures.serializes))
  end)

  it("is made again from its table, and from JSON", function()
    assert.equal(16, figures.each(lathe, pending, function(_, doc, _, entry)
      made_again(doc, helper.read(entry.path), entry.name)
      if doc.size < 100000 then from_json(doc, helper.read(entry.path), entry.name) end
    end))
  end)

  it("is what the builder writes in another layout, and comes back", function()
    local count, refused = 0, 0
    figures.each(lathe, pending, function(_, doc, _, entry)
      local bytes, from = helper.read(entry.path), doc.game
      for _, game in ipairs(GAMES) do
        local there, err = doc:serialize { game = game }
        if there then
          same(rebuilt(bytes, game), there, game)
          local other <close> = assert(lathe.parse(there))
          same(bytes, assert(other:serialize { game = from }), game .. " and back")
          count = count + 1
        else
          assert(entry.wanted.kind ~= "animation", entry.name)
          assert.matches("^objects%[%d+%]$", err.where)
          assert.matches("^not described, so its bytes can only stay in the layout that they are in %(hk%a+%)$",
            err.message)
          refused = refused + 1
        end
      end
    end)
    assert.same({ 36, 12 }, { count, refused })
  end)
end)
