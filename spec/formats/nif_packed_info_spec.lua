-- What is told of precombined geometry: lathe info, and materials, which are those of the shapes that own it.

local corpus = require "precombined_corpus"
local groups = require "packed_groups"
local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"
local sample = require "sample_nif"

local group, missing, object, place = groups.example, groups.missing, groups.object, groups.place
local NAN <const> = 0 / 0
local FINITE <const> = "its transform has a number that is not finite"

describe("lathe check", function()
  it("says whose geometry it did not look at, as the file is missing", function()
    local what, folder = group "shared", helper.tmpdir()
    what.objects[3] = object { vertices = 3, hash = 0xAB, places = { place { 0, 0, 0 } } }
    local path = helper.write(folder .. "/a.nif", (groups.build(what)))
    local lines = {}
    for line in helper.lathe({ "check", path }).out:gmatch "[^\n]+" do
      lines[#lines + 1] = line:match "^  not looked at, .*"
    end
    assert.same({ "  not looked at, the geometry of 1 object: " .. missing(0xAB, nil, folder),
      "  not looked at, the geometry of 2 objects: " .. missing(0xDDF19A67, "Fallout4", folder) }, lines)
    local told = json.decode(helper.lathe({ "check", "--json", path }).out)
    assert.same({ { 0xAB, 1 }, { 0xDDF19A67, 2 } },
      { { told.missing[1].hash, told.missing[1].objects }, { told.missing[2].hash, told.missing[2].objects } })
  end)
end)

describe("lathe info", function()
  local function info(bytes, name)
    local folder, lines = helper.tmpdir(), {}
    local path = helper.write(folder .. "/" .. (name or "a.nif"), bytes)
    for line in helper.lathe({ "info", path }).out:gmatch "[^\n]+" do
      local from = line:match "^  precombined" and 1 or #lines > 0 and #lines + 1
      if from and not line:find "^  materials" then lines[from] = line:gsub("^ +", ""):gsub("  +", ": ", 1) end
    end
    local values = json.decode(helper.lathe({ "info", "--json", path }).out, 1, nil)
    return lines, values.precombined, values.meshes, folder
  end

  it("counts groups, objects, instances and triangles, whose cell the name of the root tells", function()
    local what = group()
    what.groups = { what.objects, { object { vertices = 3, places = { place { 0, 0, 0 }, place { 1, 0, 0 } } } } }
    local lines, values, meshes = info((groups.build(what)))
    assert.same({ "precombined: cell 0000A001, key 11234567: 2 groups, 3 objects, 7 instances",
      "triangles: 9 of objects, 28 of all instances" }, lines)
    assert.same({ cell = "0000A001", key = "11234567", groups = 2, objects = 3, instances = 7, triangles = 9,
      expanded_triangles = 28, geometry_files = {}, left_out = {} }, values)
    assert.same({}, meshes)
  end)

  it("names a missing geometry file on one line, and what is left out", function()
    local what = group "shared"
    what.name = "Anything"
    what.objects[2].combined[1] = place { NAN, 0, 0 }
    what.objects[3] = object { vertices = 3, hash = 0xAB, places = { place { 0, 0, 0 } } }
    local lines, values, _, folder = info((groups.build(what)), "0000abcd_0FEDCBA9_oc.nif")
    local first, second = missing(0xDDF19A67, "Fallout4", folder), missing(0xAB, nil, folder)
    assert.same({ "precombined: cell 0000abcd, key 0FEDCBA9: 1 group, 3 objects, 6 instances",
      "triangles: 9 of objects, 27 of all instances", "geometry file: 0xDDF19A67, 2 objects: " .. first,
      "geometry file: 0x000000AB, 1 object: " .. second,
      "left out: blocks[3].data[2].combined[1]: " .. FINITE }, lines)
    assert.same({ { hash = 0xDDF19A67, objects = 2, problem = first },
      { hash = 0xAB, objects = 1, problem = second } }, values.geometry_files)
    assert.equal(3, #values.left_out)
  end)

  it("tells of a damaged block, and nothing of files without such geometry", function()
    local bytes, sizes = groups.build(group())
    local lines, values = info(sample.patch(bytes, sizes.blocks[3].at + 28, "\9"))
    assert.equal("precombined: cell 0000A001, key 11234567: 1 group, 0 objects, 0 instances", lines[1])
    assert.matches("^left out: blocks%[3%]: unrecognised packed geometry: %d+ bytes", lines[3])
    assert.equal(1, #values.left_out)
    local at = bytes:find(string.pack("<I4I4", 1, 2), sizes.blocks[2].at, true) -- a list of one reference, to block 2
    lines = info(sample.patch(bytes, at + 3, string.pack("<I4", 99)))
    assert.equal("precombined: cell 0000A001, key 11234567: 0 groups, 2 objects, 5 instances", lines[1])
    lines, values = info((sample.build { game = "fo4", blocks = { { type = "NiNode", name = "" } } }))
    assert.same({ {} }, { lines, values })
  end)
end)

describe("materials of precombined geometry", function()
  local function two(layout)
    local what = group(layout)
    what.groups = { what.objects, { object { vertices = 3, places = { place { 0, 0, 0 } } } } }
    return groups.build(what)
  end

  for _, layout in ipairs { "inline", "shared", "inline+table" } do
    it("are those of the shapes that own it: " .. layout, function()
      local doc = assert(lathe.parse((two(layout))))
      local found = {}
      for i, material in ipairs(doc.materials) do
        found[i] = { material.name, material.textures.diffuse, material.alpha_property.threshold }
      end
      assert.same({ { "Materials\\bucket1.BGSM", "textures\\bucket1_d.dds", 101 },
        { "Materials\\bucket2.BGSM", "textures\\bucket2_d.dds", 102 } }, found)
      assert.equal(4, assert(lathe.set_materials(doc, function(name) return (name:gsub("bucket", "wall")) end)).changed)
      assert.equal("textures\\wall2_d.dds", doc.materials[2].textures.diffuse)
      if layout == "shared" then return end
      local names = {}
      for mesh in doc:meshes() do names[#names + 1] = mesh.material .. " " .. mesh.surface.textures.base_color end
      assert.same({ "Materials\\wall1.BGSM textures\\wall1_d.dds", "Materials\\wall2.BGSM textures\\wall2_d.dds" },
        { names[1], names[6] })
    end)
  end

  it("are there where the geometry is damaged", function()
    local bytes, info = two "inline"
    local doc = assert(lathe.parse(sample.patch(bytes, info.blocks[3].at + 28, "\9")))
    assert.same({ 101, 102 }, { doc.materials[1].alpha_property.threshold, doc.materials[2].alpha_property.threshold })
  end)
end)

describe("what is told of precombined files of the corpus #corpus", function()
  local function json_lines(text)
    local list = {}
    for line in text:gmatch "[^\n]+" do
      local values = json.decode(line, 1, nil)
      list[values.file] = values
    end
    return list
  end

  it("is by lathe info with the figures of another program", function()
    local list = json_lines(helper.lathe({ "info", "--json", helper.need_corpus("precombined", pending) }).out)
    corpus.each(pending, function(name, path, figures)
      local told, wanted = list[path].precombined, { 0, 0, 0, 0 }
      for _, shape in ipairs(figures.shapes or {}) do
        wanted[1], wanted[4] = wanted[1] + 1, wanted[4] + shape.num_triangles
        for _, one in ipairs(shape.objects) do
          wanted[2], wanted[3] = wanted[2] + 1, wanted[3] + #one.instances
        end
      end
      if not figures.layout then wanted[1] = 1 end
      assert.same(wanted, { told.groups, told.objects, told.instances, told.expanded_triangles }, name)
      assert.equal(name:sub(1, 17), told.cell .. "_" .. told.key)
      assert.equal(figures.layout == "shared" and 1 or 0, #told.geometry_files)
      assert.equal(figures.layout and 0 or 1, #told.left_out)
    end)
  end)

  it("is one material a shape", function()
    corpus.each(pending, function(name, path, figures)
      local doc <close> = assert(lathe.open(path))
      local shapes = 0
      for _, block in ipairs(doc.blocks) do shapes = shapes + (block.type:find "TriShape" and 1 or 0) end
      assert.equal(shapes, #doc.materials, name)
      for i, shape in ipairs(figures.shapes or {}) do
        local material = doc.materials[i]
        assert.same({ shape.textures[1], shape.textures[2] }, { material.textures.diffuse, material.textures.normal })
        local owner = doc.blocks[shape.shape_block + 1]
        assert.equal(owner.shader_property, material.source)
        assert.equal(owner.alpha_property or nil, material.alpha_property or nil)
      end
    end)
  end)
end)
