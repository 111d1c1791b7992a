-- doc:precombine: what it leaves out, what it refuses, and damaged models.

local groups = require "precombined_groups"
local helper = require "helper"
local lathe = require "lathe"
local model = require "sample_model"
local sample = require "sample_nif"

local POINTS = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 4, 0 }, { 0, 0, 8 }, { -1, -2, -4.5 } }
local document, opened, group = groups.document, groups.opened, groups.make
local skipped_of, assert_sound = groups.skipped, groups.assert_sound

-- ---- what it leaves out ----------------------------------------------------------------------------------

describe("what cannot be combined", function()
  local function shape(fields)
    fields.points = fields.points or POINTS
    return model.shape(fields)
  end

  -- Blocks: 1 the root, 2 and 3 .. 4 a shape that can, 5 and on the one that cannot.
  for _, case in ipairs {
    { "a skin", shape { skin = 7 }, "blocks[5]: BSSkin::Instance moves it", { { type = "BSSkin::Instance" } } },
    { "a controller", shape { controller = 7 }, "blocks[5]: NiTransformController moves it",
      { { type = "NiTransformController" } } },
    { "a controller of the material", shape { shader = { controller = 7 } },
      "blocks[5]: BSLightingShaderPropertyFloatController changes its BSLightingShaderProperty",
      { { type = "BSLightingShaderPropertyFloatController" } } },
    { "a controller of a node", shape { node = { controller = 8 } }, "blocks[5]: NiTransformController moves it",
      { { type = "NiTransformController" } } },
    { "a behaviour graph", shape { node = { extra_data_list = { 8 } } },
      "blocks[5]: BSBehaviorGraphExtraData moves it", { { type = "BSBehaviorGraphExtraData" } } },
    { "another node", shape { node = { type = "NiSwitchNode" } },
      "blocks[5]: NiSwitchNode: only shapes of the kind BSTriShape and plain nodes can be combined" },
    { "another shape", shape { type = "BSDynamicTriShape" },
      "blocks[5]: BSDynamicTriShape: only shapes of the kind BSTriShape and plain nodes can be combined" },
    { "an effect", shape { shader = { type = "BSEffectShaderProperty" } },
      "blocks[5]: BSEffectShaderProperty: only a BSLightingShaderProperty can be combined" },
    { "no shader", shape { shader = false }, "blocks[5]: it has no shader" },
    { "what is hidden", shape { flags = 15 }, "blocks[5]: it is hidden" },
    { "a marker", shape { node = { name = "EditorMarkerBox" } },
      "blocks[5]: an editor marker, which the game does not draw" },
    { "no triangles", shape { points = { { 0, 0, 0 } } }, "blocks[5]: it has no triangles" },
    { "a triangle of none", shape { triangles = { { 0, 1, 5 } } },
      "blocks[5]: a triangle names vertex 5 (from 0) of 5" },
    { "a mirror", shape { rotation = { -1, 0, 0, 0, 1, 0, 0, 0, 1 } },
      "blocks[5]: its rotation mirrors, or scales the axes differently" },
    { "axes of other lengths", shape { node = { rotation = { 1, 0, 0, 0, 2, 0, 0, 0, 1 } } },
      "blocks[5]: its rotation mirrors, or scales the axes differently" },
    { "a negative scale", shape { scale = -1 }, "blocks[5]: its scale is -1" },
    { "no place", shape { translation = { 0 / 0, 0, 0 } },
      "blocks[5]: its transform is no number that fits into a float" },
    { "eye data", shape { vertex_desc = 0x109 << 44 | 3 << 36 | 2 << 16 | 4 },
      "blocks[5]: its vertices have eye data, which precombined geometry is not known to have" },
    { "an odd descriptor", shape { vertex_desc = 0x0000900000030004 },
      "blocks[5]: its vertex_desc 0x0000900000030004 is none that precombined geometry is known to have" },
  } do
    it("is told: " .. case[1], function()
      local doc, report = group { { nif = opened({ shape {}, case[2] }, nil, case[4]) } }
      assert.is_truthy(doc, tostring(report))
      assert_sound(doc)
      assert.equal("a document without a path: " .. case[3], skipped_of(report))
      assert.equal(1, report.instances)
    end)
  end

  it("is told once for a model, however often it is placed; and nothing at all is an error", function()
    local source = opened { shape { flags = 15 } }
    local doc, err = group { { nif = source }, { nif = source } }
    assert.is_nil(doc)
    assert.equal("there is nothing to combine: a document without a path: blocks[2]: it is hidden", tostring(err))
    local _, report = group { { nif = source }, { nif = source }, { nif = opened { shape {} } } }
    assert.equal(1, #report.skipped)
    doc, err = group {}
    assert.same({ nil, "there is nothing to combine" }, { doc, tostring(err) })
  end)

  it("warns of collision and segments", function()
    local source = opened({ shape { collision_object = 4 }, shape { type = "BSSubIndexTriShape" } }, nil, {})
    source.blocks[2].collision_object = source.blocks:append { type = "bhkNPCollisionObject" }
    source.blocks[5].segments = { { num_primitives = 1 }, { start_index = 3, num_primitives = 2 } }
    local doc, report = group { { nif = source } }
    assert_sound(doc)
    assert.same({ "the collision of 1 model does not come along", "the segments of 1 shape do not come along" },
      report.warnings)
  end)

  it("are blocks that lead in circles: each is taken once", function()
    local bytes = sample.build { game = "fo4", blocks = { { type = "NiNode", children = { 1, 1, 0 } },
      { type = "NiNode", children = { 0, 1 } } } }
    local doc, err = group { { nif = assert(lathe.parse(bytes)) } }
    assert.same({ nil, "there is nothing to combine" }, { doc, tostring(err) })
  end)
end)

describe("a damaged model", function()
  it("gives a group or an error, and raises nothing", function()
    local good = model.build { model.shape { points = POINTS, alpha = {} },
      model.shape { type = "BSMeshLODTriShape", points = POINTS, vertex_desc = model.FULL_COLOUR, node = {},
        lod0_triangles = 1, lod1_triangles = 2, lod2_triangles = 0 } }
    local random, made, refused = sample.rng(7), 0, 0
    for _ = 1, 1500 do
      local bytes = good
      for _ = 1, random(1, 4) do
        bytes = sample.patch(bytes, random(0, #bytes - 1), string.char(({ 0, 255, 128, random(0, 255) })[random(1, 4)]))
      end
      local doc = lathe.parse(bytes, { path = "x.nif" })
      if doc then
        local group_doc, err = group { { nif = doc }, { nif = doc, scale = 2, rotation = { 1, 2, 3 } } }
        assert.is_truthy(group_doc or lathe.type(err) == nil and err.message)
        if group_doc then assert(lathe.parse(group_doc:encode())) end
        made, refused = made + (group_doc and 1 or 0), refused + (group_doc and 0 or 1)
      end
    end
    assert(made > 500 and refused > 50, ("%d made, %d refused"):format(made, refused))
  end)

  it("may have names that are numbers of no text", function()
    for field, where in pairs { name = "the name of its BSLightingShaderProperty is no text",
      root = "the root_material of its shader is no text" } do
      local bad = field == "name" and { name = 77 } or { body = { root_material = 77 } }
      local doc, report = group { { nif = opened { model.shape { points = POINTS, name = 77 },
        model.shape { points = POINTS, shader = bad } } } }
      assert_sound(doc)
      assert.matches("blocks[5]: " .. where, skipped_of(report), 1, true)
    end
  end)
end)

-- ---- arguments -------------------------------------------------------------------------------------------

describe("what precombine is given", function()
  local source

  before_each(function() source = opened { model.shape { points = POINTS } } end)

  local function refused(pattern, ...)
    local doc = document()
    local arguments = table.pack(...)
    local ok, err = pcall(function() doc:precombine(table.unpack(arguments, 1, arguments.n)) end)
    assert.is_false(ok)
    assert.matches(pattern, tostring(err), 1, true)
    assert.equal(0, #doc.blocks)
  end

  it("raises for mistakes of the caller", function()
    refused("no option 'sorces' of precombine; did you mean 'sources'?", { sorces = {} })
    refused("'sources' of precombine: a list of models and places expected", { cell = 1, key = 1 })
    refused("precombine needs 'cell' and 'key'", { sources = {} })
    refused("precombine needs 'cell' and 'key'", { sources = {}, cell = 1 })
    refused("'cell' of precombine: eight hex digits expected, got E2DB", { sources = {}, cell = "E2DB", key = 1 })
    local function of(one) return { sources = { { nif = source }, one }, cell = 1, key = 1 } end
    refused("no option 'postion' of sources[2]; did you mean 'position'?", of { postion = {} })
    refused("sources[2].nif: a path or a document expected, got nil", of {})
    refused("sources[2].position: a list of 3 numbers expected", of { nif = source, position = { 1, 2 } })
    refused("sources[2].rotation: a list of 3 numbers expected, got number", of { nif = source, rotation = 1 })
    refused("sources[2].scale: a number expected, got string", of { nif = source, scale = "1" })
    refused("sources[2]: a table expected, got string", of "a.nif")
    local doc = document()
    local ok, err = pcall(function() doc:precombine { sources = { { nif = doc } }, cell = 1, key = 1 } end)
    assert.is_false(ok)
    assert.matches("sources[1].nif: a group cannot be made of itself", tostring(err), 1, true)
  end)

  it("is an error where files or numbers are wrong, and changes nothing", function()
    local folder = helper.tmpdir()
    local function fails(pattern, one)
      local doc = document()
      local report, err = doc:precombine({ { nif = source }, one }, { cell = 1, key = 1 })
      assert.is_nil(report)
      assert.matches(pattern, tostring(err), 1, true)
      assert.equal(document():encode(), doc:encode())
    end
    fails(folder .. "/none.nif: cannot open", { nif = folder .. "/none.nif" })
    fails("short.nif", { nif = helper.write(folder .. "/short.nif", model.build({}):sub(1, 80)) })
    fails("sse.nif: a model of Fallout 4 (bs_version 130) expected, got bs_version 100, Skyrim SE",
      { nif = helper.write(folder .. "/sse.nif", (sample.build { game = "sse", blocks = { { type = "NiNode" } } })) })
    fails("a model of Fallout 4 (bs_version 130) expected, got solid", { nif = assert(lathe.new "solid") })
    fails("sources[2]: its scale is 0", { nif = source, scale = 0 })
    fails("sources[2]: its transform is no number that fits into a float", { nif = source, position = { 0 / 0, 0, 0 } })
    fails("sources[2]: its rotation mirrors", { nif = source, rotation = { 0, math.huge, 0 } })
    fails("sources[2]: inf is no number that fits into a float", { nif = source, leaf = { math.huge, 0 } })
    fails("is no number that fits into a float", { nif = source, grayscale_to_palette = 0 / 0 })
    fails("sources[2]: its transform is no number", { nif = opened { model.shape { points = POINTS,
      translation = { 1e38, 0, 0 } } }, scale = 100 })
  end)

  it("is a NIF of Fallout 4 with a root that is a node", function()
    local doc = assert(lathe.new("nif", { bs_version = 100 }))
    local report, err = doc:precombine({ { nif = source } }, { cell = 1, key = 1 })
    assert.is_nil(report)
    assert.matches("precombined meshes are of Fallout 4 (bs_version 130), not of Skyrim SE", tostring(err), 1, true)
    doc = assert(lathe.new("nif", { bs_version = 130, blocks = { { type = "BSTriShape" } } }))
    report, err = doc:precombine { { nif = source } }
    assert.is_nil(report)
    assert.matches("its root is no node that shapes can hang below", tostring(err), 1, true)
    assert.equal(1, #doc.blocks)
    assert.has_error(function() assert(lathe.new "solid"):precombine {} end)
  end)

  it("is listed with the other verbs; without the Lua part it says so", function()
    local found
    for _, verb in ipairs(lathe.verbs "nif") do found = verb.name == "precombine" and verb or found end
    assert.same({ "sources", "cell", "key" }, { found.params[1].name, found.params[2].name, found.params[3].name })
    local script = helper.write(helper.tmpdir() .. "/bare.lua", [[
      local core = require "lathe.core"
      print(select(2, core.new("nif", { bs_version = 130 }):precombine { sources = 1 }))
      print(select(2, pcall(core.set_verb, "nif", "precombin", print)))]])
    local result = helper.run({ "lua5.4", script },
      { env = { LUA_CPATH_5_4 = helper.build .. "/?.so;;", LD_PRELOAD = helper.preload or false } })
    assert.equal('precombine is written in Lua: require "lathe"\nno verb \'precombin\' of nif\n', result.out)
  end)
end)

describe("precombine in a sandbox", function()
  it("reads what scripts may read, and nothing else", function()
    local folder = helper.tmpdir()
    helper.write(folder .. "/a.nif", model.build { model.shape { points = POINTS } })
    local other = helper.write(helper.tmpdir() .. "/b.nif", model.build { model.shape { points = POINTS } })
    helper.write(folder .. "/script.lua", ([[
      local lathe = require "lathe"
      return function(doc, ctx)
        local group = assert(lathe.new("nif", { bs_version = 130 }))
        local report = assert(group:precombine({ { nif = doc.path }, { nif = doc } }, { cell = 1, key = 2 }))
        ctx.log(report.instances .. " instances")
        ctx.log(tostring(select(2, group:precombine { { nif = %q } })))
      end]]):format(other))
    local result = helper.lathe({ "run", "script.lua", "a.nif", "-n" }, { cwd = folder })
    assert.matches("2 instances", result.out .. result.err, 1, true)
    assert.matches("b.nif: the sandbox", result.out .. result.err, 1, true)
  end)
end)
