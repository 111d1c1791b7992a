-- Packfiles written from scratch: equal to the byte to what an independent builder writes from the same
-- objects, in every layout, and to the files of the corpus.

local described = require "hkx_classes"
local figures = require "hkx_figures"
local helper = require "helper"
local lathe = require "lathe"
local reader = require "hkx_reader"
local sample = require "sample_hkx"

local LAYOUTS = table.move(sample.layouts, 1, #sample.layouts, 1, {})
table.insert(LAYOUTS, { game = "fallout4", predicate = ("\20\0\7\0"):rep(8) })
local GAMES = { "skyrim-le", "skyrim-se", "fallout4" }

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
    return sample.clip(sample.with(layout, {
      tracks = 5, frames = 20, floats = { 1, math.sin }, motion = true, bones = { 4, 0, 2, 2, -1 },
      blend_hint = is_new(layout) and 2 or 1,
      annotations = { { track = 0, time = 0.25, text = "A" }, { track = 3, time = 0, text = "" },
        { track = 0, time = 0.5, text = "sixteen bytes ok" }, { track = 3, time = 1, text = false } },
      track_names = { "first", false, "third" }, skeletons = { { bones = 7, float_slots = { "a", "bc", "" } } },
      variants = { { "nothing", "hkaNothing" }, { false, "" } },
    }))
  end,
  clips = function(layout)
    return sample.clip(sample.with(layout, {
      clips = { { frames = 30, tracks = 1 }, { frames = 2, tracks = 20, motion = true }, { frames = 1 } },
      resource = false, user_tag = 7, flags = 3,
    }))
  end,
  skeletons = function(layout)
    return sample.skeleton(sample.with(layout, {
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
    return sample.clip(sample.with(layout, { kind = "interleaved", tracks = TRACKS, frames = 7, floats = { 3, math.sin } }))
  end,
  lossless = function(layout)
    if not is_new(layout) then return nil end
    return sample.clip(sample.with(layout, { kind = "lossless", tracks = TRACKS, frames = 7, floats = { 3, math.sin } }))
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

-- The bytes of one spot replaced; `at` counts from the file's start.
local function patched(bytes, at, format, ...)
  return sample.patch(bytes, at, string.pack(format, ...))
end

-- The place in the file of the record of a table ("local", "global") whose source is that member of an object.
local function record_of(bytes, info, which, object, member)
  local file, width = reader.read(bytes), which == "local" and 8 or 12
  local source = info:place(object, member) - info.data_start
  for i, row in ipairs(which == "local" and file.local_fixups or file.global_fixups) do
    if row[1] == source then return info.data_start + file.data[which .. "_fixups_offset"] + (i - 1) * width end
  end
  error("no record of " .. member)
end

local function refused(bytes, opts)
  local doc <close> = assert(lathe.parse(bytes))
  local made, err = doc:serialize(opts)
  assert.is_nil(made)
  assert.equal(bytes, doc:encode())
  return err.where .. ": " .. err.message
end

describe("a packfile is not written from scratch where", function()
  local bytes, parts = sample.clip { game = "skyrim-se", tracks = 2, annotations = { { time = 1, text = "A" } } }
  local info, clip, binding = parts.info, parts.animation, parts.binding

  it("a pointer leads to no object", function()
    local at = record_of(bytes, info, "global", binding, "animation") + 8
    assert.equal("objects[4].animation: points to 0x8, where no object begins (hkaAnimationBinding)",
      refused(patched(bytes, at, "<I4", 8)))
  end)

  it("an array or a text leads nowhere, or out of the file", function()
    local at = record_of(bytes, info, "local", clip, "data")
    assert.equal("objects[3].data: its count is not 0, but its pointer is null (hkaSplineCompressedAnimation)",
      refused(patched(bytes, at, "<I4", 4)))
    assert.equal("objects[3].data: points to 0x99999, outside of the objects (hkaSplineCompressedAnimation)",
      refused(patched(bytes, at + 4, "<I4", 0x99999)))
    at = record_of(bytes, info, "local", binding, "original_skeleton_name") + 4
    assert.equal("objects[4].original_skeleton_name: points to 0x99999, outside of the objects (hkaAnimationBinding)",
      refused(patched(bytes, at, "<I4", 0x99999)))
    assert.equal("objects[3].data: negative count -2 (hkaSplineCompressedAnimation)",
      refused(patched(bytes, info:place(clip, "data") + 8, "<i4", -2)))
    assert.matches("^objects%[3%]%.data: 9999999 elements of 1 bytes do not fit into %d+ bytes",
      refused(patched(bytes, info:place(clip, "data") + 8, "<i4", 9999999)))
  end)

  it("a text has no end", function()
    local full = sample.build(sample.root { { "x", "hkaSkeleton", sample.opaque("hkaSkeleton", 0x366E8220,
      ("\0"):rep(0x80) .. ("x"):rep(16), { { 0x10, 0x80 } }) } }, { game = "skyrim-se" })
    assert.equal("objects[2].name: text without an end (hkaSkeleton)", refused(full))
  end)

  it("no root is there", function()
    assert.equal("root: no object begins at 0x4", refused(patched(bytes, 0x1C, "<i4", 4)))
  end)

  it("there are bytes that nothing explains", function()
    assert.equal("trailing: 4 bytes that serialize() has no place for", refused(bytes .. "rest"))
    local doc <close> = assert(lathe.parse(bytes .. ("\255"):rep(5)))
    same(bytes, assert(doc:serialize()), "padding behind the end")
  end)

  it("a pointer leads into another section", function()
    local whole = sample.clip { game = "skyrim-se" }
    local data = reader.read(whole).data
    local at = data.absolute_data_start + data.global_fixups_offset
    assert.equal("global_fixups: record 1 points into section 1, which has no objects",
      refused(sample.patch(whole, at + 4, string.pack("<I4", 1))))
  end)

  it("the data of an object that is not described lie in another", function()
    local wheel = sample.opaque("hkWheel", 1, ("w"):rep(32), { { 0x08, 0x48 } })
    local car = sample.opaque("hkCar", 2, ("c"):rep(64), {}, { { 0, wheel } })
    local full = sample.build(sample.root { { "w", "hkCar", car },
      { "x", "hkTyre", sample.opaque("hkTyre", 3, ("t"):rep(64)) } }, { game = "skyrim-se" })
    assert.matches("^objects%[3%]: its data at 0x%x+8 lie in another object %(hkWheel%)$", refused(full))
  end)

  -- Tracks that all have the same array of annotations, which is lawful; but not this often.
  it("sharing would make it many times the file", function()
    local n = 3000
    local function clip_of(tracks)
      local at = 0x60 + tracks * 0x18 + 8
      local struct = ("\0"):rep(0x28) .. string.pack("<I8I4I4", 0, tracks, tracks) .. ("\0"):rep(0x28)
      local heads, locals = {}, { { 0x28, 0x60 } }
      for i = 1, tracks do
        heads[i] = string.pack("<I8I8I4I4", 0, 0, n, n)
        locals[#locals + 1] = { 0x60 + (i - 1) * 0x18 + 8, at }
      end
      local data = struct .. table.concat(heads) .. ("\0"):rep(8) .. ("\0"):rep(16 * n)
      return (sample.build(sample.root { { "x", "y",
        sample.opaque("hkaInterleavedUncompressedAnimation", 0x930AF031, data, locals) } }, { game = "skyrim-se" }))
    end
    local doc <close> = assert(lathe.parse(clip_of(2)))
    local again <close> = assert(lathe.parse(assert(doc:serialize())))
    assert.equal(n, #again.objects[2].annotation_tracks[2].annotations)
    local none, err = lathe.parse(clip_of(n))
    assert.is_nil(none)
    assert.matches("^local fixups share data so often that %d+ bytes would be read as more than %d+$", err.message)
  end)

  it("another game has no place for what is there", function()
    local fallout = sample.skeleton { partitions = { { name = "x" } } }
    assert.equal("objects[3].partitions: files of that game have no such field, and it is not empty (hkaSkeleton)",
      refused(fallout, { game = "skyrim-se" }))
    local additive = sample.clip { blend_hint = 1 }
    assert.equal("objects[4].blend_hint: files of that game have no 'additive_deprecated' here (hkaAnimationBinding)",
      refused(additive, { game = "Skyrim LE" }))
    assert.equal("objects[3]: the signature of its class is not known (hkaLosslessCompressedAnimation)",
      refused(SAMPLES.lossless { game = "fallout4" }, { game = "skyrim-se" }))
    assert.equal("objects[3].data: its bytes are big-endian, and lathe cannot convert them "
      .. "(hkaSplineCompressedAnimation)", refused((sample.clip { endian = ">" }), { game = "fallout4" }))
    assert.equal("objects[2]: lathe does not know its class, so its bytes cannot change their layout (hkCar)",
      refused((sample.build(sample.root { { "c", "hkCar", sample.opaque("hkCar", 1, "car") } },
        { game = "skyrim-le" })), { game = "skyrim-se" }))
  end)
end)

describe("doc:serialize", function()
  it("takes the games by either name, and nothing else", function()
    local doc <close> = assert(lathe.parse((sample.clip { game = "skyrim-se" })))
    for name, title in pairs { ["skyrim-le"] = "Skyrim LE", ["skyrim-se"] = "Skyrim SE", fallout4 = "Fallout 4" } do
      assert.equal(assert(doc:serialize { game = name }), assert(lathe.serialize(doc, { game = title })))
    end
    assert.has_error(function() doc:serialize { gaem = "skyrim-se" } end,
      "no option 'gaem' of serialize; did you mean 'game'?")
    assert.has_error(function() doc:serialize { game = 4 } end,
      "'game' of serialize: a string expected, got an integer")
    local bytes, err = doc:serialize { game = "skyrim" }
    assert.is_nil(bytes)
    assert.equal("'game' of serialize is one of skyrim-le, skyrim-se, fallout4, Skyrim LE, Skyrim SE, Fallout 4",
      err.message)
    assert.has_error(function() lathe.serialize(doc.objects[1]) end,
      "only a whole document can be serialized, or a document inside another")
  end)

  it("is not there for formats without an order of their own", function()
    local doc <close> = assert(lathe.new("solid"))
    local bytes, err = doc:serialize()
    assert.is_nil(bytes)
    assert.equal("solid has no order of its own to be written in", tostring(err))
    local has_order = { hkx = true, tagfile = true, bphsh = true }
    for _, format in ipairs(lathe.formats()) do assert.equal(has_order[format.name], format.can.serialize) end
  end)

  it("writes big-endian files for games, where nothing is but described values", function()
    local opts = { skeletons = { { bones = 3, float_slots = { "a", "b" } }, { name = "b" } }, mappers = { { 1, 2 } } }
    for _, game in ipairs(GAMES) do
      local doc <close> = assert(lathe.parse((sample.skeleton(sample.with({ endian = ">", game = game }, opts)))))
      same((sample.skeleton(sample.with({ game = game }, opts))), assert(doc:serialize { game = game }), game)
      local clip <close> = assert(lathe.parse((SAMPLES.interleaved { endian = ">", game = game })))
      same((SAMPLES.interleaved { game = game }), assert(clip:serialize { game = game }), game)
    end
  end)

  it("keeps what nothing leads to, behind the rest", function()
    local bytes = sample.clip { game = "skyrim-se", skeletons = { { bones = 3 } }, motion = true }
    local doc <close> = assert(lathe.parse(bytes, { history = 5 }))
    local classes = {}
    doc.objects[2].bindings = {}
    doc.objects[2].skeletons = {}
    for i, object in ipairs(assert(reader.read(assert(doc:serialize()))).objects) do classes[i] = object.class end
    assert.same({ "hkRootLevelContainer", "hkaAnimationContainer", "hkaSplineCompressedAnimation",
      "hkaDefaultAnimatedReferenceFrame", "hkMemoryResourceContainer", "hkaSkeleton", "hkaAnimationBinding" }, classes)
    assert.equal(true, doc:undo(2))
    same(bytes, assert(doc:serialize()), "undone")
  end)

  it("writes what edits have made of a document", function()
    for _, game in ipairs(GAMES) do
      local opts = { game = game, tracks = 3, annotations = { { time = 1, text = "A" }, { time = 2, text = "B" } } }
      local doc <close> = assert(lathe.new("hkx", assert(lathe.parse((sample.clip(opts)))):totable(), { history = 5 }))
      doc.objects[3].annotation_tracks[1].annotations[2].text = "a text that is far longer than it was"
      doc.objects[3].annotation_tracks[3].annotations = { { time = 0.5, text = "C" } }
      opts.annotations = { { time = 1, text = "A" }, { time = 2, text = "a text that is far longer than it was" },
        { track = 2, time = 0.5, text = "C" } }
      same((sample.clip(opts)), assert(doc:serialize()), game)
      assert.equal(true, doc:undo(2))
      same((sample.clip { game = game, tracks = 3, annotations = { { time = 1, text = "A" }, { time = 2, text = "B" } } }),
        assert(doc:serialize()), game)
    end
  end)

  it("gives a file that it gives again, or a reason, whatever the bytes are", function()
    local random, written, refusals = math.random, 0, 0
    math.randomseed(4, 7)
    each_sample(function(bytes, layout, name)
      for _ = 1, 20 do
        local damaged = bytes
        for _ = 1, random(3) do damaged = sample.patch(damaged, random(0, #bytes - 1), string.char(random(0, 255))) end
        local doc <close> = lathe.parse(damaged)
        local again, err
        if doc then again, err = doc:serialize() end
        if again then
          local other <close> = assert(lathe.parse(again))
          same(again, assert(other:serialize()), name .. " for " .. layout.game)
          written = written + 1
        elseif doc then
          assert.is_string(err.message)
          refusals = refusals + 1
        end
        if doc then
          for _, game in ipairs(GAMES) do
            local there = doc:serialize { game = game }
            if there then assert(lathe.parse(there)):close() end
          end
        end
      end
    end)
    assert(written > 500 and refusals > 5, written .. " " .. refusals)
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

  -- The builder knows fewer classes than lathe.
  local function all_known(doc)
    for _, object in ipairs(doc.objects) do
      if not described.get("hk_2014.1", 8, lathe.type(object)) then return false end
    end
    return true
  end

  it("is what the builder writes in another layout, and comes back", function()
    local count, kept, judged = 0, 0, 0
    figures.each(lathe, pending, function(_, doc, _, entry)
      local bytes, from = helper.read(entry.path), doc.game
      for _, game in ipairs(GAMES) do
        local there, err = doc:serialize { game = game }
        if there then
          if all_known(doc) then
            same(rebuilt(bytes, game), there, game)
            judged = judged + 1
          end
          local other <close> = assert(lathe.parse(there))
          same(bytes, assert(other:serialize { game = from }), game .. " and back")
          count = count + 1
        else
          assert(entry.wanted.kind ~= "animation", entry.name)
          assert.matches("^objects%[%d+%]$", err.where)
          assert(err.message:match "^what its class is in files of that game is not known %(hk%a+%)$"
            or err.message:match "^the layout of its class in files of that game is not known %(hk%a+%)$", err.message)
          kept = kept + 1
        end
      end
    end)
    assert.same({ 41, 7, 30 }, { count, kept, judged })
  end)
end)
