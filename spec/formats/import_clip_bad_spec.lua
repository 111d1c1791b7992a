-- Files with clips that are wrong: each is refused by name and place, or read without harm; nothing is written.

local clip_glb = require "clip_glb"
local damaged_import = require "damaged_import"
local helper = require "helper"
local lathe = require "lathe"

local folder

local SKELETON = { name = "rig", bones = { { name = "A", parent = -1 }, { name = "B", parent = 0 } } }
local LIKE = { bones = { "A", "B" }, fps = 10, frame_count = 2, times = { 0, 0.1 }, skeleton = SKELETON }

local function import(json, bin, opts)
  local path = helper.write(folder .. "/a.glb", clip_glb.pack(json, bin))
  return lathe.import(path, opts or { like = LIKE })
end

-- The message without the file's name.
local function message(json, bin, opts)
  local clips, err = import(json, bin, opts)
  if clips then return "it was read" end
  return (tostring(err):gsub("^.-a%.glb: ", ""))
end

local function good(more)
  return clip_glb.file(clip_glb.bones(), { 0, 1 }, {
    { 0, "translation", { 0, 0.1 }, { 0, 0, 0, 1, 1, 1 } },
    { 1, "rotation", { 0, 0.1 }, { 0, 0, 0, 1, 0, 0, 1, 0 } } }, more)
end

-- The message after a change.
local function changed(change)
  local json, bin = good()
  bin = change(json, bin) or bin
  return message(json, bin)
end

local NAN = 0 / 0

describe("a clip that is wrong", function()
  before_each(function() folder = helper.tmpdir() end)

  it("is fine before it is changed", function() assert.equal("it was read", message(good())) end)

  it("has nodes that go around, or stand in two places", function()
    assert.equal("nodes[0]: it is its own ancestor", changed(function(json) json.nodes[2].children = { 0 } end))
    assert.equal("nodes[1]: it stands in two places", changed(function(json)
      json.nodes[3] = { name = "C", children = { 1 } }
    end))
    assert.equal("nodes[0]: there is no nodes[9]", changed(function(json) json.nodes[1].children = { 9 } end))
    assert.equal("nodes[1]: its rotation is none", changed(function(json) json.nodes[2].rotation = { 0, 0, 0, 0 } end))
    assert.equal("nodes[1]: its matrix is no translation, rotation and scale", changed(function(json)
      json.nodes[2].translation, json.nodes[2].matrix = nil, { 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
    end))
  end)

  it("has bytes that are not there", function()
    assert.equal("buffers[0]: 999 bytes, of which 72 are there", changed(function(json)
      json.buffers[1].byteLength = 999
    end))
    assert.equal("bufferViews[1]: 24 bytes at 70, in a buffer of 72", changed(function(json)
      json.bufferViews[2].byteOffset = 70
    end))
    assert.equal("accessors[1]: 3 rows of 12 bytes at 0, in a view of 24", changed(function(json)
      json.accessors[2].count = 3
    end))
    assert.equal("buffers[0]: '../secret.bin' is no file beside it", changed(function(json)
      json.buffers[1].uri = "../secret.bin"
    end))
    assert.equal("animations[0].samplers[0]: there is no accessors[77]", changed(function(json)
      json.animations[1].samplers[1].output = 77
    end))
  end)

  it("has times that run back, or numbers that are none", function()
    local function times(...)
      local given = { ... }
      return changed(function(_, bin) return string.pack("<ff", table.unpack(given)) .. bin:sub(9) end)
    end
    assert.equal("animations[0].samplers[0]: the time of key 1 is 0, behind that of key 0, 0.5", times(0.5, 0))
    assert.equal("animations[0].samplers[0]: the time of key 1 is 0, behind that of key 0, 0", times(0, 0))
    assert.equal("animations[0].samplers[0]: the time of key 0 is -1", times(-1, 0))
    assert.equal("animations[0].samplers[0]: the time of key 1 is no finite number", times(0, NAN))
    assert.equal("animations[0].samplers[0]: the time of key 1 is no finite number", times(0, math.huge))
    assert.equal("animations[0]: 9999999616903162453654156002082160640 frames: 1048576 are read at most",
      times(0, 1e36))
    assert.equal("animations[0].samplers[0]: the value of key 0 is no finite number",
      changed(function(_, bin) return bin:sub(1, 8) .. string.pack("<f", NAN) .. bin:sub(13) end))
    assert.equal("animations[0]: a rotation has length 0",
      changed(function(_, bin) return bin:sub(1, 40) .. ("\0"):rep(16) .. bin:sub(57) end))
  end)

  it("has weights that are none", function()
    local json, bin = clip_glb.file(clip_glb.bones(), { 0, 1 }, { { 1, "weights", { 0 }, { NAN } } })
    assert.equal("animations[0].samplers[0]: the value of key 0 is no finite number", message(json, bin))
  end)

  it("has samplers that do not fit", function()
    assert.equal("animations[0].samplers[0]: 2 times, and 2 values of 3 numbers", changed(function(json)
      json.animations[1].samplers[1].interpolation = "CUBICSPLINE"
    end))
    assert.equal("animations[0].samplers[0]: its interpolation is 'BEZIER'", changed(function(json)
      json.animations[1].samplers[1].interpolation = "BEZIER"
    end))
    assert.equal("accessors[1]: its type is VEC3, not VEC4", changed(function(json)
      json.animations[1].channels[1].target.path = "rotation"
    end))
    assert.equal("animations[0]: there is no samplers[5]", changed(function(json)
      json.animations[1].channels[1].sampler = 5
    end))
    assert.equal("animations[0].channels[1]: a second channel moves translation of nodes[0]", changed(function(json)
      json.animations[1].channels[2] = json.animations[1].channels[1]
    end))
    assert.equal("animations[0].channels[0]: there is no nodes[8]", changed(function(json)
      json.animations[1].channels[1].target.node = 8
    end))
    assert.equal("animations: there is no animation in it", changed(function(json) json.animations = nil end))
  end)

  it("has bones of one name, without one, too many, or another rig's", function()
    assert.equal("nodes[1]: a second bone named 'A': nodes[0] is the other one", changed(function(json)
      json.nodes[2].name = "A"
    end))
    assert.equal("nodes[1]: a bone without a name", changed(function(json) json.nodes[2].name = nil end))
    assert.equal("skins[0].joints: 65536 bones, of which there may be 32767", changed(function(json)
      local joints = json.skins[1].joints
      for i = 1, 65536 do joints[i] = i % 2 end
    end))
    assert.equal("skins: 0 of its 2 bones are of the skeleton 'rig': it is another one's", changed(function(json)
      json.nodes[1].name, json.nodes[2].name = "X", "Y"
    end))
    assert.equal("skins: there is no bone in it", changed(function(json)
      json.skins, json.nodes[1].name, json.nodes[2].name = nil, nil, nil
    end))
  end)

  it("moves bones that an original without names does not tell", function()
    local json, bin = good()
    local path = helper.write(folder .. "/a.glb", clip_glb.pack(json, bin))
    local clips, err = lathe.import(path, { like = { bones = { "track 0", "track 1" }, fps = 10 } })
    assert.is_nil(clips)
    assert.equal("skins: 0 of its 2 bones are named by the original's tracks: give the skeleton that they move",
      err.where .. ": " .. err.message)
  end)

  it("hangs on what shears it, or has no size", function()
    assert.equal("nodes[2]: it scales bones by 1, 2, 1: not evenly", changed(function(json)
      json.nodes[3] = { children = { 0 }, scale = { 1, 2, 1 } }
    end))
    assert.equal("nodes[2]: what is above the bones shears or flattens them", changed(function(json)
      json.nodes[3] = { children = { 0 }, scale = { 0, 0, 0 } }
    end))
  end)

  it("has extras that lie", function()
    local function extras(lathe_extras)
      return changed(function(json) json.animations[1].extras = { lathe = lathe_extras } end)
    end
    assert.equal("animations[0].extras.lathe: frame_count is no number from 0", extras { frame_count = "9" })
    assert.equal("animations[0].extras.lathe.annotations[0]: a time and a text are wanted",
      extras { annotations = { { time = -1, text = "a" } } })
    assert.equal("animations[0].extras.lathe.float_tracks[0]: its name is no text or number",
      extras { float_tracks = { { values = { 1 } } } })
    assert.equal("animations[0].extras.lathe: looping is no boolean", extras { looping = 3 })
    assert.equal("it was read", extras { frame_count = 2, fps = 10 })
  end)

  it("writes nothing", function()
    local like = helper.write(folder .. "/like.anm", assert(lathe.new("anm", { frames = { {} } })):encode())
    local json, bin = good()
    json.nodes[2].children = { 0 }
    local path = helper.write(folder .. "/a.glb", clip_glb.pack(json, bin))
    local r = helper.lathe({ "import", path, "--like", like, "-o", folder .. "/out.anm" })
    assert.equal(1, r.code)
    assert.truthy(r.err:find("nodes[0]: it is its own ancestor", 1, true), r.err)
    assert.is_false(helper.exists(folder .. "/out.anm"))
  end)
end)

describe("a clip with damage", function()
  before_each(function() folder = helper.tmpdir() end)

  it("in its JSON is refused, or read", function()
    local random = damaged_import.random(20261123)
    local counts = { refused = 0, read = 0 }
    for _ = 1, 3000 do
      local how = damaged_import.of_json(folder, random)
      counts[how] = counts[how] + 1
    end
    assert.is_true(counts.refused > 500 and counts.read > 100, counts.refused .. " " .. counts.read)
  end)

  it("in its bytes is refused, or read", function()
    local random = damaged_import.random(20261124)
    for _ = 1, 2000 do damaged_import.of_bytes(folder, random) end
    local whole = clip_glb.pack(good())
    for size = 0, #whole, 3 do
      local clips, err = lathe.import(helper.write(folder .. "/a.glb", whole:sub(1, size)), { like = LIKE })
      assert.is_nil(clips)
      assert.truthy(err.code)
    end
  end)

  it("in its lines is refused, or read", function()
    local random = damaged_import.random(20261125)
    local counts = { refused = 0, read = 0 }
    for _ = 1, 2000 do
      local how = damaged_import.of_lines(folder, random)
      counts[how] = counts[how] + 1
    end
    assert.is_true(counts.refused > 500 and counts.read > 50, counts.refused .. " " .. counts.read)
  end)
end)
