-- Files of objects of several types, on the shell: trees, JSON, differences, lists, completion. No word of their
-- format is in scripts/.

local classes = require "hkx_classes"
local complete = require "lathe.repl.complete"
local diff = require "lathe.tree.diff"
local dump = require "lathe.tree.dump"
local helper = require "helper"
local json = require "lathe.tree.json"
local lathe = require "lathe"
local manual = require "lathe.tree.manual"
local pieces = require "hkx_pieces"
local sample = require "sample_hkx"
local stubs = require "lathe.tree.stubs"

local function clip(opts)
  local all = { game = "skyrim-se", tracks = 2, frames = 4, motion = true, skeletons = { { float_slots = { "f" } } },
    annotations = { { time = 0.1, text = "FootLeft" } },
    variants = { { "Opaque", "hkThing", sample.opaque("hkThing", 1, ("\1"):rep(16)) } } }
  for k, v in pairs(opts or {}) do all[k] = v end
  return (sample.clip(all))
end

local function open(bytes) return assert(lathe.parse(bytes, { path = "a.hkx", history = 4 })) end

-- The clip with a name that points nowhere good.
local function broken()
  local bytes, parts = sample.skeleton { bones = 2 }
  local p = pieces.split(bytes)
  local site = parts.info:place(parts.skeletons[1], "name") - parts.info.data_start
  for _, row in ipairs(p.locals) do
    if row[1] == site then row[2] = 0xFFFFF0 end
  end
  return pieces.join(p)
end

local function lines(a, b)
  local list = {}
  for i, change in ipairs(diff.diff(a, b)) do list[i] = diff.line(change) end
  return list
end

describe("files of several types", function()
  it("are dumped behind what makes no sense", function()
    local doc <close> = open(broken())
    local text = dump.dump(doc.objects[3])
    assert.matches("name +not understood: a%.hkx: objects%[3%]%.name at 0x%x+: points to 0xfffff0, outside of the data "
      .. "%(hkaSkeleton%)\n", text)
    assert.matches('name +"Bone1"', text)
    assert.matches("reference_pose", text, 1, true)
    assert.matches("objects +hkObject", dump.dump(doc))
  end)

  it("do not go round in circles", function()
    local p = pieces.split(clip())
    p.globals[1][3] = 0
    local doc <close> = open(pieces.join(p))
    assert.matches("variant +%-> objects%[1%]\n", dump.dump(doc))
    assert.equal(1, json.value(doc).objects[1].named_variants[1].variant)
    assert.same({}, lines(doc, doc))
  end)

  it("are shown without padding, and without how they are put together", function()
    local doc <close> = open(clip())
    local short, all = dump.dump(doc), dump.dump(doc, { all = true })
    for _, word in ipairs { "vtable", "local_fixups", "num_sections", "class_names_padding", "magic" } do
      assert.is_nil(short:find(word, 1, true), word)
      assert.truthy(all:find(word, 1, true), word)
    end
  end)

  it("come back from JSON", function()
    for _, game in ipairs { "skyrim-le", "skyrim-se", "fallout4" } do
      local bytes = clip { game = game }
      local doc <close> = open(bytes)
      local fields = assert(json.decode(json.encode(doc), "hkx"))
      local again <close> = assert(lathe.new("hkx", fields))
      assert.equal(bytes, again:encode(), game)
    end
  end)

  it("differ in one line where one text does", function()
    local a <close> = open(clip())
    local b <close> = open(clip())
    assert.same({}, lines(a, b))
    b.objects[4].annotation_tracks[1].annotations[1].text = "FootLeft and much more"
    assert.same({ 'objects[4].annotation_tracks[1].annotations[1].text: "FootLeft" -> "FootLeft and much more"' },
      lines(a, b))
    b:undo()
    b.root.named_variants[2].variant = b.objects[3]
    assert.same({ "objects[1].named_variants[2].variant: objects[7] -> objects[3]" }, lines(a, b))
    b.root.named_variants[2].variant = false
    assert.same({ "objects[1].named_variants[2].variant: objects[7] -> null" }, lines(a, b))
  end)

  it("differ where one is of its class and the other broken", function()
    local short = sample.root { { "x", "hkaSkeleton", sample.opaque("hkaSkeleton", 0x366E8220, ("\0"):rep(16)) } }
    local whole = sample.root { { "x", "hkaSkeleton", sample.skeleton_object { bones = 1 } } }
    local a <close> = open((sample.build(short, { game = "skyrim-se" })))
    local b <close> = open((sample.build(whole, { game = "skyrim-se" })))
    assert.same({ "objects[2]: hkaSkeleton (opaque) -> hkaSkeleton" }, lines(a, b))
    assert.matches("hkaSkeleton takes 120 bytes, 16 are there", dump.dump(a), 1, true)
    assert.matches("bones +hkaBone%[1%]", dump.dump(b))
  end)

  it("have all their types in lists, stubs and the manual", function()
    local listed = helper.lathe("formats hkx").out
    local stub = stubs.text()
    local page
    for _, format in ipairs(lathe.formats()) do
      if format.name == "hkx" then page = manual.page(format) end
    end
    local words = " " .. listed:match "\nTypes[^\n]*\n(.-)\n\n":gsub("%s+", " ") .. " "
    for _, name in ipairs(classes.names("hk_2014.1", 8)) do
      assert.truthy(words:find(" " .. name .. " ", 1, true), name)
      assert.truthy(stub:find("---@class " .. name .. " : lathe.Record\n", 1, true), name)
      assert.truthy(page:find("@table " .. name .. "\n", 1, true), name)
    end
    for _, name in ipairs { "hkaBone", "hkaAnnotationTrackAnnotation", "hkQsTransform", "hkaAnimation" } do
      assert.truthy(stub:find("---@class " .. name .. " : lathe.Record\n", 1, true), name)
      assert.truthy(page:find("@table " .. name .. "\n", 1, true), name)
    end
    assert.is_nil(stub:find("---@class pointer", 1, true))
    assert.truthy(stub:find("---@field animation hkaAnimation|false ", 1, true))
  end)

  it("are listed by family, in lines that are not too long", function()
    local listed = helper.lathe("formats hkx").out
    assert.truthy(listed:find("  hkaAnimatedReferenceFrame hkaAnimation hkaAnimationBinding hkaAnimationContainer\n", 1,
      true))
    assert.truthy(listed:find("%f[%w]hknpPhysicsSystemData%f[%W]"))
    assert.truthy(listed:find("\n  hk_body:set { name =, shape =, motion =, friction =, restitution =, density =, mass =,\n"
      .. "              linear_damping =, angular_damping =, ", 1, true))
    for line in listed:gmatch "[^\n]+" do
      assert.is_true(#line <= 100 or not line:find "%S%s+%S", line) -- but for one long name
    end
  end)

  it("are completed through pointers and arrays of objects", function()
    local env = { doc = open(clip()) }
    local function words(line) return complete.words(line, 1, #line, env) end
    assert.same({ "doc.root.named_variants" }, words "doc.root.na")
    assert.same({ "doc.root.named_variants[1].variant.skeletons", "doc.root.named_variants[1].variant.skins" },
      words "doc.root.named_variants[1].variant.sk")
    assert.same({ "doc.root.named_variants[1].variant.animations[1].annotation_tracks" },
      words "doc.root.named_variants[1].variant.animations[1].anno")
    assert.same({ "doc.objects[3].float_slots" }, words "doc.objects[3].fl")
    assert.same({ "doc.objects[7].bytes" }, words "doc.objects[7].by")
    assert.same({ "doc.skeletons[1].float_slots" }, words "doc.skeletons[1].fl")
    env.doc:close()
  end)

  it("tell their float slots", function()
    local doc <close> = open(clip())
    assert.same({ "f" }, lathe.totable(doc.skeletons[1].float_slots))
    local none <close> = open((sample.skeleton { bones = 1 }))
    assert.same({}, lathe.totable(none.skeletons[1].float_slots))
    local other <close> = assert(lathe.new("phxbn", {}))
    if other.skeletons[1] then assert.is_nil(other.skeletons[1].float_slots) end
  end)
end)
