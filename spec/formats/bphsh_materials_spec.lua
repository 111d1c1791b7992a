-- What the triangles of Phive shapes are made of, as edits change it: the tag table, rows that come and go, names.
local helper = require "helper"
local judge = require "phive_judge"
local lathe = require "lathe"
local reader = require "phive_reader"
local sample = require "sample_phive"

local function open(bytes) return assert(lathe.parse(bytes, { format = "bphsh", history = 20 })) end

local function strip() return open((sample.named "v22_strip")) end

-- Its numbers of materials are an empty list where there are no triangles.
local function mesh_of(doc)
  local mesh = doc:meshes { what = "collision" }()
  return { materials = mesh and mesh.materials or {}, triangle_materials = mesh and mesh.triangle_materials or {} }
end

local function refused(message, run)
  local ok, err = pcall(run)
  assert.is_false(ok)
  assert.equal(message, (tostring(err):gsub(" at 0x%x+", "")))
end

local function list_of(buffer)
  local list = {}
  for i = 1, #buffer do list[i] = buffer[i] end
  return list
end

-- All good files: those made by hand, and the corpus where it is.
local function each(run)
  for _, entry in ipairs(sample.all()) do run(entry.name, entry.bytes) end
  local folder = helper.corpus "bphsh"
  for _, name in ipairs(folder and helper.list(folder, "%.bphsh$") or {}) do
    run(name, helper.read(folder .. "/" .. name))
  end
end

local function assert_good(doc, name)
  local bytes = doc:encode()
  assert.same({}, (judge.problems(bytes)), name)
  assert.is_true(doc:check(), name)
  return reader.read(bytes)
end

-- Rows of the triangles, as the plain reader finds them by the tag table.
local function tags_of(shape)
  local list = {}
  for i, t in ipairs(reader.triangles(shape)) do list[i] = t[4] end
  return list
end

describe("doc:set_triangle_materials of Phive shapes", function()
  it("changes nothing where it is given what is there", function()
    each(function(name, bytes)
      local doc <close> = open(bytes)
      local mesh = mesh_of(doc)
      local now = list_of(mesh.triangle_materials)
      if not now[1] then return end
      assert.equal(0, assert(doc:set_triangle_materials(mesh.materials, { triangle_materials = now })).changed)
      assert.equal(0, assert(doc:set_triangle_materials { triangle_materials = mesh.triangle_materials }).changed)
      assert.equal(bytes, doc:encode(), name)
    end)
  end)

  it("writes the table again as it was, once it was another one", function()
    each(function(name, bytes)
      local doc <close> = open(bytes)
      local mesh = mesh_of(doc)
      local now = list_of(mesh.triangle_materials)
      if not now[1] then return end
      local report = assert(doc:set_triangle_materials(4000))
      assert.same({ #now, { 1 } }, { report.changed, report.added }, name)
      local shape = assert_good(doc, name)
      assert.equal(2, #shape.tag_table, name)
      for _, tag in ipairs(tags_of(shape)) do assert.equal(#shape.materials - 1, tag) end
      assert.equal(#now, assert(doc:set_triangle_materials { triangle_materials = now }).changed)
      doc.tables.materials:remove(#doc.materials)
      assert.equal(bytes, doc:encode(), name)
      doc:undo()
      doc:undo()
      doc:undo()
      assert.equal(bytes, doc:encode(), name)
    end)
  end)

  it("gives each triangle its row, also both of a quad", function()
    for _, name in ipairs { "v21_strip", "v22_strip", "v23_strip", "v22_many" } do
      local doc <close> = open((sample.named(name)))
      local wanted = {}
      for i = 1, #mesh_of(doc).triangle_materials do wanted[i] = (i * 7 // 3) % #doc.materials end
      assert(doc:set_triangle_materials { triangle_materials = wanted })
      local shape = assert_good(doc, name)
      assert.same(wanted, tags_of(shape), name)
      assert.same(wanted, list_of(mesh_of(doc).triangle_materials), name)
      local keys = {}
      for i, row in ipairs(shape.tag_table) do
        keys[i] = row[2]
        assert.is_true(i == 1 or row[2] ~= keys[i - 1], name)
      end
      assert.equal(0xFFFF, keys[#keys])
    end
  end)

  it("takes names, numbers and rows", function()
    local doc <close> = strip()
    assert.same({ "Stone", "Grass", "HorseDeleteImmediatelyOnDeath" },
      { doc.materials[1].name, doc.materials[2].name, doc.materials[3].name })
    local n = #mesh_of(doc).triangle_materials
    assert(doc:set_triangle_materials "grass")
    assert.equal(n, #doc.materials[2].triangles)
    assert(doc:set_triangle_materials(7))
    assert.equal(n, #doc.materials[1].triangles)
    assert(doc:set_triangle_materials(doc.materials[3]))
    assert.equal(n, #doc.materials[3].triangles)
    assert.equal(3, #doc.materials)
    assert_good(doc)
  end)

  it("appends a row that is like that of the first triangle that gets it", function()
    local doc <close> = strip()
    local wanted = list_of(mesh_of(doc).triangle_materials)
    local names = { "Wood", "Wood", "Stone" }
    local report = assert(doc:set_triangle_materials(names, { triangle_materials = wanted }))
    assert.same({ 1 }, report.added)
    local new, like = doc.materials[4], doc.materials[wanted[1] + 1]
    assert.same({ "Wood", like.user_tag_mask, like.layer_mask, like.sub_layer_mask },
      { new.name, new.user_tag_mask, new.layer_mask, new.sub_layer_mask })
    assert_good(doc)
  end)

  it("tells where a mask is that takes no such number", function()
    local doc <close> = strip()
    local ok, why = doc:set("tables.materials[2].layer_mask", 1 << 40)
    assert.is_nil(ok)
    assert.equal("tables.hit_masks[2].layer_mask at 0x2208: 1099511627776 is not in 0 .. 4294967295", tostring(why))
    assert.has_error(function() doc.materials[2].sub_layer_mask = -1 end,
      "tables.hit_masks[2].sub_layer_mask at 0x220c: -1 is not in 0 .. 4294967295")
  end)

  it("takes of several rows of a material the one that is otherwise the same", function()
    local doc <close> = strip()
    doc.tables.materials:append { material_id = 16, user_tag_mask = 0 }
    doc.tables.materials:append { material_id = 16, user_tag_mask = 1 }
    assert.equal(1, doc.materials[1].user_tag_mask)
    local mesh = mesh_of(doc)
    local first = #doc.materials[1].triangles
    assert(doc:set_triangle_materials({ "Wood", "Grass", mesh.materials[3] },
      { triangle_materials = mesh.triangle_materials }))
    assert.equal(first, #doc.materials[5].triangles)
    assert.equal(0, #doc.materials[4].triangles)
    assert.equal(5, #doc.materials)
  end)

  it("refuses what it cannot do, and changes nothing", function()
    local doc <close> = strip()
    local bytes, n = doc:encode(), #mesh_of(doc).triangle_materials
    local function fails(message, ...)
      local ok, result, err = pcall(doc.set_triangle_materials, doc, ...)
      assert.is_falsy(ok and result)
      assert.equal(message, (tostring(ok and err or result):gsub("^%S+%.lua:%d+: ", "")))
      assert.equal(bytes, doc:encode())
    end
    fails("'Wod' is no material of Tears of the Kingdom; did you mean 'Wood'?", "Wod")
    fails(("the mesh has %d triangles, and materials are given for 1"):format(n), { "Wood" })
    fails("'materials', 2: 'Wod' is no material of Tears of the Kingdom; did you mean 'Wood'?", { "Wood", "Wod" },
      { triangle_materials = { 0 } })
    local numbers = {}
    for i = 1, n do numbers[i] = 0 end
    numbers[5] = 3
    fails("triangle 4: a number of one of the 3 materials, from 0, expected", { triangle_materials = numbers })
    fails("set_triangle_materials takes materials or triangle_materials", {})
    fails("'triangle_materials' is a list of numbers into a list of materials", "Wood",
      { triangle_materials = numbers })
    fails("triangle 0: every triangle is of a material", "none")
    local other <close> = strip()
    fails("one of this document's materials expected", other.materials[1])
  end)
end)

describe("rows of the tables of a Phive shape", function()
  it("come in the middle, and tags follow", function()
    for _, name in ipairs { "v21_strip", "v22_strip", "v23_strip" } do
      local doc <close> = open((sample.named(name)))
      local before, was = doc:encode(), tags_of(reader.read(doc:encode()))
      doc.tables.materials:insert(2, { material_id = 16 })
      local shape = assert_good(doc, name)
      assert.same({ 16, 4, 4 }, { shape.materials[2].id, #shape.materials, #shape.masks })
      for i, tag in ipairs(tags_of(shape)) do assert.equal(was[i] + (was[i] > 0 and 1 or 0), tag) end
      doc.tables.materials:remove(2)
      assert.equal(before, doc:encode())
      doc.tables.hit_masks:insert(1, {})
      for i, tag in ipairs(tags_of(assert_good(doc, name))) do assert.equal(was[i] + 1, tag) end
      doc.tables.hit_masks:remove(1)
      assert.equal(before, doc:encode())
    end
  end)

  it("stay where triangles use them", function()
    local doc <close> = strip()
    local before, n = doc:encode(), #doc.materials[2].triangles
    refused(("tables.materials: material 2 (Grass) is used by %d triangles"):format(n),
      function() doc.tables.materials:remove(2) end)
    assert.is_false(pcall(function() doc.tables.materials = {} end))
    assert.equal(before, doc:encode())
    assert(doc:set_triangle_materials "Stone")
    doc.tables.materials:remove(2)
    assert.equal(2, #doc.materials)
    assert_good(doc)
  end)

  it("are no more than tags can tell apart", function()
    local doc <close> = strip()
    doc.tables.materials:resize(0x1FFF)
    assert.equal(0x1FFF, #doc.materials)
    refused("tables.materials: 8192 materials, at most 8191: tags have no room for more",
      function() doc.tables.materials:append {} end)
    assert_good(doc)
    local _, err = doc:set_triangle_materials(12345)
    assert.equal("more than 8191 materials: tags have no room for more", tostring(err))
    assert(doc:set_triangle_materials(doc.materials[0x1FFF]))
    for _, tag in ipairs(tags_of(assert_good(doc))) do assert.equal(0x1FFE, tag) end
  end)

  it("tell their triangles, and take others", function()
    each(function(name, bytes)
      local doc <close> = open(bytes)
      local mesh, total = mesh_of(doc), 0
      for i, material in ipairs(doc.materials) do
        for _, t in ipairs(list_of(material.triangles)) do
          assert.equal(i - 1, mesh.triangle_materials[t + 1], name)
          total = total + 1
        end
      end
      assert.equal(#mesh.triangle_materials, total, name)
    end)
    local doc <close> = strip()
    local first, second = list_of(doc.materials[1].triangles), list_of(doc.materials[2].triangles)
    local all = table.move(second, 1, #second, #first + 1, table.move(first, 1, #first, 1, {}))
    doc.materials[1].triangles = all
    assert.same({ #first + #second, 0 }, { #doc.materials[1].triangles, #doc.materials[2].triangles })
    assert_good(doc)
    refused(("triangle %d would be of no material: give it to another one"):format(first[1]),
      function() doc.materials[1].triangles = second end)
    refused(("triangle 99999 of %d, from 0, does not exist"):format(#mesh_of(doc).triangle_materials),
      function() doc.materials[2].triangles = { 99999 } end)
  end)
end)

describe("doc:set_materials of Phive shapes", function()
  it("changes one by another, by name, number and pattern", function()
    local doc <close> = strip()
    local function now() return { doc.materials[1].name, doc.materials[2].name, doc.materials[3].material_id } end
    assert.equal(1, assert(doc:set_materials("stone", "Wood")).changed)
    assert.same({ "Wood", "Grass", 53 }, now())
    assert.equal(1, assert(doc:set_materials("16", "0x2")).changed)
    assert.equal(2, assert(doc:set_materials { from = "Gr*", to = "12" }).changed)
    assert.same({ "Metal", "Metal", 53 }, now())
    assert.equal(2, assert(doc:set_materials { from = "Met*", to = "Met*Slip", what = "collision" }).changed)
    assert.same({ "MetalSlip", "MetalSlip", 53 }, now())
    assert.equal(0, assert(doc:set_materials { from = "MetalSlip", to = "Wood", what = "textures" }).changed)
    assert.equal(2, assert(lathe.set_materials(doc, { MetalSlip = "Ice" })).changed)
    assert.same({ "Ice", "Ice", 53 }, now())
    assert_good(doc)
  end)

  it("refuses names that the game does not have, and tells those that nothing has", function()
    local doc <close> = strip()
    local bytes = doc:encode()
    local _, err = doc:set_materials("Stone", "Wod")
    assert.equal("'Wod' is no material of Tears of the Kingdom; did you mean 'Wood'?", tostring(err))
    assert.equal(bytes, doc:encode())
    local report = assert(doc:set_materials("Stoen", "Wood"))
    assert.same({ 0, { "'Stoen' is no material of Tears of the Kingdom; did you mean 'Stone'?" } },
      { report.changed, report.warnings })
    report = assert(doc:set_materials { from = "Stoen", to = "Wood", unknown = "allow" })
    assert.is_nil(report.warnings)
  end)
end)
