-- Materials of Fallout 4's collision: of shapes, of a mesh's entries, of runs and of triangles. The judge is
-- fo4_collision, which shares nothing with the core.

local check = require "fo4_collision_check"
local fo4 = require "fo4_collision"
local helper = require "helper"
local hknp = require "sample_hknp"
local json = require "dkjson"
local lathe = require "lathe"
local sample = require "sample_collision"
local sample_nif = require "sample_nif"
local mesh_shape = require "sample_hknp_mesh"

local FOLDER = "nif-fo4-collision"
local BLOBS = sample.blobs()

local function hkx(name) return assert(lathe.parse(BLOBS[name], { history = 16 })) end

local function raises(why, what)
  local ok, err = pcall(what)
  assert.is_false(ok)
  assert.is_truthy(tostring(err):find(why, 1, true), tostring(err))
end

local function id_of(name)
  if math.type(name) == "integer" then return name end
  return name:match "^0x%x+$" and tonumber(name) or fo4.material_id(name)
end

local function ids(names)
  local list = {}
  for i, name in ipairs(names) do list[i] = id_of(name) end
  return list
end

--- What the independent reader says of body i: numbers of materials, and of what they collide with, a triangle each.
local function read(bytes, i)
  local system = fo4.read(bytes)
  local _, triangles = fo4.geometry(system.bodies[i or 1].shape)
  local materials, filters = {}, {}
  for k, t in ipairs(triangles) do materials[k], filters[k] = t.material, t.filter end
  return materials, filters, system
end

local function names(list)
  local out = {}
  for i, material in ipairs(list) do
    out[i] = ("%s %s %s"):format(lathe.path(material), lathe.type(material.source), material.name)
  end
  return out
end

local STONE, METAL, WOOD = "stone", "metal", "wood"

describe("doc.materials of collision", function()
  it("are those of shapes, and entries of meshes", function()
    local doc <close> = hkx "mesh"
    assert.same({
      "objects[2] hknpCompressedMeshShape " .. 0xFCB37EA0, "objects[4].materials[1] hknpBSMaterialProperties stone",
      "objects[4].materials[2] hknpBSMaterialProperties metal", "objects[4].materials[3] hknpBSMaterialProperties wood",
    }, names(doc.materials))
    assert.same({ "collision", nil }, { doc.materials[2].kind, doc.materials[2].textures })
    assert.equal("4 materials", tostring(doc.materials))
    local n = 0
    local all <close> = hkx "everything"
    for _, material in ipairs(all.materials) do n = n + (material.kind == "collision" and 1 or 0) end
    assert.equal(13, n) -- 3 convex shapes, 2 meshes of 3 entries, a compound and its capsule
    local other <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = { { class = "hkaSkeleton" } } }))
    assert.equal(0, #other.materials)
  end)

  it("are in a NIF those of its packfiles, among its own", function()
    local doc <close> = assert(lathe.parse(sample.scene(), { history = 4 }))
    assert.equal(13, #doc.materials)
    assert.equal("blocks[11].system.objects[2]", lathe.path(doc.materials[1]))
    doc.materials[1].name = "Glass"
    assert.equal("glass", doc.bodies[1].material)
    assert.is_true(doc:undo())
    assert.equal("wood", doc.materials[1].name)
  end)

  it("are set by name or number", function()
    local doc <close> = hkx "box"
    local shape = doc.bodies[1].shape
    for given, want in pairs { metal = "metal", METALSOLID = "metalsolid", ["0xFCB37EA0"] = 0xFCB37EA0,
      ["0x1dd9c611"] = "wood", [0xDEE94842] = "glass", ["Never Heard"] = fo4.material_id "never heard" } do
      shape.material = given
      assert.equal(want, doc.materials[1].name)
      assert.equal(want, doc.bodies[1].material)
      assert.equal(id_of(want), read(doc:encode())[1])
    end
    raises("a name or an integer expected", function() shape.material = true end)
  end)

  it("are of shapes: a body without one has none to set", function()
    local doc = assert(lathe.parse((sample.system { {} })))
    assert.is_nil(doc.bodies[1].material)
    raises("the body has no shape", function() doc.bodies[1].material = "wood" end)
    assert.is_false(doc.modified)
  end)

  it("are nobody's where one shape is not described", function()
    local blob = sample.system { { shape = hknp.compound { { shape = hknp.box { half = { 1, 1, 1 },
      material = fo4.material_id "wood" } }, { shape = hknp.sphere { radius = 1 } } } } }
    local doc = assert(lathe.parse((blob:gsub("hknpSphereShape", "hknpOpaqueShape"))))
    assert.is_nil(doc.bodies[1].material)
    raises("lathe does not know where its material is", function() doc.bodies[1].material = "wood" end)
    assert.is_false(doc.modified)
  end)

  it("stay out of what is listed, copied and compared", function()
    local doc <close> = hkx "mesh"
    for _, record in ipairs { doc.materials[1], doc.materials[2], doc.objects[5].primitive_data_runs[1] } do
      for name in pairs(record:totable()) do
        assert.is_true(name ~= "kind" and name ~= "source" and name ~= "name" and name ~= "material", name)
      end
    end
    local again <close> = assert(lathe.new("hkx", doc:totable()))
    assert.equal(doc:encode(), again:encode())
  end)
end)

describe("doc:set_materials of collision", function()
  it("changes shapes and entries", function()
    local doc <close> = hkx "everything"
    local report = assert(doc:set_materials("Wood", "snow"))
    assert.same({ changed = 4, skipped = {} }, report) -- the box, the compound, and an entry of either mesh
    local left = {}
    for _, material in ipairs(doc.materials) do left[material.name] = (left[material.name] or 0) + 1 end
    assert.same({ snow = 4, metal = 4, stone = 3, [0xFCB37EA0] = 2 }, left)
    assert.equal(2, assert(doc:set_materials("0xFCB37EA0", "metal")).changed)
    assert.equal(0, assert(doc:set_materials("none there", "metal")).changed)
    assert.equal(0, assert(doc:set_materials("*", "metal")).changed)
    assert.equal(0, assert(doc:set_materials { normalise = true }).changed)
    raises("set_materials takes from and to, or normalise", function() doc:set_materials { from = "wood" } end)
    assert.is_true(doc:undo(2))
    assert.equal(BLOBS.everything, doc:encode())
  end)

  it("reaches the packfiles of a NIF, and tells of those that it cannot read", function()
    local doc <close> = assert(lathe.parse(sample.scene()))
    assert.equal(4, assert(doc:set_materials("wood", "snow")).changed)
    local again <close> = assert(lathe.parse(doc:encode()))
    local blob = lathe.bytes(again.blocks[11]):sub(5)
    assert.equal(id_of "snow", read(blob)[1])
    assert.same(ids { STONE, STONE, STONE, STONE, METAL, METAL, "snow" }, (read(blob, 4)))
    local broken <close> = assert(lathe.parse(sample.nif({ { name = "Root", body = 0 } }, BLOBS.box:sub(1, 200))))
    local report = assert(broken:set_materials("stone", "snow"))
    assert.equal(0, report.changed)
    assert.equal("blocks[3]", report.skipped[1].path)
    assert.is_truthy(report.skipped[1].reason:find "%S")
    assert.equal(0, #broken.materials)
  end)
end)

describe("the material of a run", function()
  local function mesh()
    local doc = hkx "mesh"
    return doc, doc.bodies[1].shape.data.primitive_data_runs
  end

  it("is that of its entry", function()
    local doc <close>, runs = mesh()
    assert.same({ STONE, METAL, WOOD }, { runs[1].material, runs[2].material, runs[3].material })
    runs[3].value = 7
    assert.is_nil(runs[3].material)
    assert.equal(3, #doc.objects[4].materials)
  end)

  it("points to an entry that is there, or to one that comes", function()
    local doc <close>, runs = mesh()
    local entries = doc.objects[4].materials
    runs[2].material = "Stone"
    assert.same({ 0, 3 }, { runs[2].value, #entries })
    runs[1].material = "sand"
    assert.same({ 3, 4 }, { runs[1].value, #entries })
    assert.same(ids { "sand", "sand", "sand", "sand", STONE, STONE, WOOD }, (read(doc:encode())))
    assert.equal(doc:serialize(), doc:encode())
    assert.is_true(doc:undo())
    assert.same({ 0, 3 }, { runs[1].value, #entries })
    assert.is_true(doc:undo())
    assert.equal(BLOBS.mesh, doc:encode())
  end)

  it("keeps what its triangles collide with", function()
    local doc <close>, runs = mesh()
    runs[3].material = STONE -- there is one, of another filter
    assert.equal(3, runs[3].value)
    local materials, filters = read(doc:encode())
    assert.same(ids { STONE, STONE, STONE, STONE, METAL, METAL, STONE }, materials)
    assert.same({ 1, 1, 1, 1, 1, 1, 3 }, filters)
  end)

  it("is a name or a number", function()
    local doc <close>, runs = mesh()
    for _, wrong in ipairs { -1, 1.5, true, "", 1 << 32 } do
      raises("a name or a number from 0 to 4294967295 expected", function() runs[1].material = wrong end)
    end
    assert.equal(BLOBS.mesh, doc:encode())
  end)

  it("reaches a NIF's packfile", function()
    local doc <close> = assert(lathe.parse(sample.scene()))
    local shape = doc.bodies[4].shape
    shape.data.primitive_data_runs[1].material = "gravel"
    local again <close> = assert(lathe.parse(doc:encode()))
    assert.same(ids { "gravel", "gravel", "gravel", "gravel", METAL, METAL, WOOD },
      (read(lathe.bytes(again.blocks[11]):sub(5), 4)))
  end)

  it("needs entries, and triangles of one mesh's", function()
    local doc <close>, runs = mesh()
    doc.objects[3].entries[1].object = doc.objects[1]
    raises("no hknpBSMaterialProperties, which materials of triangles are in", function() runs[1].material = "ice" end)
    assert.is_nil(runs[1].material)
    local two <close> = assert(lathe.parse((sample.system { { shape = sample.two_sections() },
      { shape = sample.two_sections() } })))
    two.bodies[1].shape.data = two.bodies[2].shape.data
    raises("meshes share these triangles and have materials of their own",
      function() two.bodies[1].shape.data.primitive_data_runs[1].material = "ice" end)
    raises("no mesh has these triangles", function()
      for _, object in ipairs(two.objects) do
        if lathe.type(object) == "hknpCompressedMeshShapeData" then object.primitive_data_runs[1].material = "ice" end
      end
    end)
  end)
end)

describe("shape:set_triangle_materials", function()
  local function mesh()
    local doc = hkx "mesh"
    return doc, doc.bodies[1].shape
  end

  local function runs(shape)
    local list = {}
    for i, run in ipairs(shape.data.primitive_data_runs) do
      list[i] = ("%d: %d +%d"):format(run.value, run.index, run.count)
    end
    return table.concat(list, ", ")
  end

  it("takes a name or number for each triangle, in the order of doc:meshes", function()
    local doc <close>, shape = mesh()
    local wanted = { STONE, STONE, "ice", "ice", METAL, METAL, 0xFCB37EA0 }
    assert.same({ changed = 3, skipped = {} }, assert(shape:set_triangle_materials(wanted)))
    assert.same(ids(wanted), (read(doc:encode())))
    assert.equal("0: 0 +1, 3: 1 +1, 1: 0 +1, 4: 1 +1", runs(shape))
    assert.equal(doc:serialize(), doc:encode())
    for item in doc:meshes { what = "collision" } do
      for i, number in ipairs(item.triangle_materials:totable()) do
        assert.equal(id_of(wanted[i]), id_of(item.materials[number + 1]))
      end
    end
    assert.equal(7, assert(shape:set_triangle_materials "snow").changed)
    assert.equal("5: 0 +2, 5: 0 +1, 6: 1 +1", runs(shape)) -- as what it collides with is another
    assert.equal("snow", doc.bodies[1].shape.data.primitive_data_runs[3].material)
    assert.is_true(doc:undo(2))
    assert.equal(BLOBS.mesh, doc:encode())
  end)

  it("takes what doc:meshes gives, which changes nothing", function()
    local doc <close>, shape = mesh()
    for item in doc:meshes { what = "collision" } do
      local report = assert(shape:set_triangle_materials { materials = item.materials,
        triangle_materials = item.triangle_materials })
      assert.equal(0, report.changed)
      assert.equal(BLOBS.mesh, doc:encode())
      item.materials[1] = "mud"
      assert.equal(4, assert(shape:set_triangle_materials(item.materials,
        { triangle_materials = item.triangle_materials })).changed)
    end
    assert.same(ids { "mud", "mud", "mud", "mud", METAL, METAL, WOOD }, (read(doc:encode())))
  end)

  it("leaves sections as they are whose triangles are", function()
    local doc <close>, shape = mesh()
    shape.data.primitive_data_runs:assign { { value = 0, index = 0, count = 1 }, { value = 0, index = 1, count = 1 },
      { value = 1, index = 0, count = 1 }, { value = 2, index = 1, count = 1 } }
    shape.data.sections[1].data_runs, shape.data.sections[2].data_runs = 2, 2 << 8 | 2
    assert(shape:set_triangle_materials { STONE, STONE, STONE, STONE, WOOD, WOOD, WOOD })
    assert.equal("0: 0 +1, 0: 1 +1, 3: 0 +1, 2: 1 +1", runs(shape))
    assert(shape:set_triangle_materials { WOOD, WOOD, WOOD, WOOD, WOOD, WOOD, WOOD })
    assert.equal("3: 0 +2, 3: 0 +1, 2: 1 +1", runs(shape))
    assert.equal(1 << 8 | 2, shape.data.sections[2].data_runs)
    assert.same(ids { WOOD, WOOD, WOOD, WOOD, WOOD, WOOD, WOOD }, (read(doc:encode())))
  end)

  it("takes one material for a quad", function()
    local doc <close>, shape = mesh()
    local wanted = { STONE, STONE, "ice", "mud", METAL, METAL, WOOD }
    local none, err = shape:set_triangle_materials(wanted)
    assert.is_nil(none)
    assert.equal('triangles 3 and 4 are one quad, which has one material; quads = "first" takes that of the first, ' ..
      '"cut" makes it two',
      err.message)
    assert.equal(BLOBS.mesh, doc:encode())
    assert.equal(2, assert(shape:set_triangle_materials(wanted, { quads = "first" })).changed)
    assert.same(ids { STONE, STONE, "ice", "ice", METAL, METAL, WOOD }, (read(doc:encode())))
  end)

  it("cuts quads of two materials", function()
    local doc <close>, shape = mesh()
    shape.quad_is_flat.words[1], shape.triangle_is_interior.words[9] = 3, 2 -- both quads, and triangle 257
    local before = fo4.read(doc:encode())
    local places, had = fo4.geometry(before.bodies[1].shape)
    local wanted = { STONE, STONE, "ice", "mud", METAL, WOOD, WOOD }
    assert.equal(3, assert(shape:set_triangle_materials(wanted, { quads = "cut" })).changed)
    local materials, filters, after = read(doc:encode())
    assert.same(ids(wanted), materials)
    assert.same({ 1, 1, 1, 1, 1, 1, 3 }, filters)
    local now, triangles = fo4.geometry(after.bodies[1].shape)
    assert.same(places, now)
    for i, t in ipairs(triangles) do assert.same({ had[i][1], had[i][2], had[i][3] }, { t[1], t[2], t[3] }) end
    assert.same(check.system(before), check.system(after))
    local data = shape.data
    assert.same({ 6, 3, 3, 5, 5, 7, 0x104, 9, 9 }, { #data.primitives, data.sections[1].primitive_count,
      data.sections[2].first_primitive, #data.sections[1].nodes, #data.sections[2].nodes, data.num_primitive_keys,
      data.max_key_value, data.bits_per_key, shape.num_shape_key_bits })
    assert.same({ 0x83, 0x105 }, { shape.quad_is_flat.num_bits, shape.triangle_is_interior.num_bits })
    assert.same({ 1, 4 }, { shape.quad_is_flat.words[1], shape.triangle_is_interior.words[9] })
    assert.equal(doc:serialize(), doc:encode())
    assert.is_true(doc:undo(3))
    assert.equal(BLOBS.mesh, doc:encode())
  end)

  it("cuts no quad where there is no room, or no tree, or no mesh of its own", function()
    local function refuses(why, bodies, damage)
      local doc <close> = assert(lathe.parse((sample.system(bodies))))
      if damage then damage(doc) end
      local before, list = doc:encode(), {}
      for i = 1, doc.bodies[1].shape.data.num_primitive_keys do list[i] = i == 2 and "ice" or "mud" end
      local none, err = doc.bodies[1].shape:set_triangle_materials(list, { quads = "cut" })
      assert.is_nil(none)
      assert.is_truthy(err.message:find(why, 1, true), err.message)
      assert.equal(before, doc:encode())
    end
    local quads = {}
    for i = 1, 128 do quads[i] = { 0, 1, 2, 3 } end
    refuses("section 1 would have more than 128 primitives", { { shape = mesh_shape.shape {
      material = 1, materials = { { material = 1 } },
      sections = { { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 1 } }, primitives = quads } },
    } } })
    for _, number in ipairs { 0, 1, 7, 254, 255 } do
      refuses("section 1 has no tree", { { shape = sample.two_sections() } }, function(doc)
        doc.bodies[1].shape.data.sections[1].nodes[1].data = number
      end)
    end
    local shape = sample.two_sections()
    refuses("2 meshes have these triangles: quads can be cut in one mesh only", { { shape = shape },
      { shape = sample.two_sections() } }, function(doc)
      local a, b = doc.bodies[1].shape, doc.bodies[2].shape
      a.data, a.properties = b.data, b.properties
    end)
  end)

  it("refuses what does not fit, and changes nothing then", function()
    local doc <close>, shape = mesh()
    local function refuses(why, ...)
      local args = table.pack(...)
      raises(why, function() assert(shape:set_triangle_materials(table.unpack(args, 1, args.n))) end)
      assert.equal(BLOBS.mesh, doc:encode())
    end
    local expected = "a name or a number from 0 to 4294967295 expected"
    refuses("the mesh has 7 triangles, and materials are given for 2", { STONE, STONE })
    refuses("the mesh has 7 triangles, and materials are given for 8", { 1, 1, 1, 1, 1, 1, 1, 1 })
    refuses("triangle 7: " .. expected, { "ice", "ice", 1, 1, 1, 1, true })
    refuses("triangle 3: " .. expected, { "ice", "ice", {}, 1, 1, 1, 1 })
    refuses("triangle 1: " .. expected, -1)
    refuses("triangle 2: a number of one of the materials, from 0, expected",
      { materials = { STONE }, triangle_materials = { 0, 1, 0, 0, 0, 0, 0 } })
    refuses("the mesh has 7 triangles, and materials are given for 1", { materials = { STONE }, triangle_materials = { 0 } })
    refuses("'triangle_materials' is a list of numbers into a list of materials",
      { materials = STONE, triangle_materials = { 0 } })
    refuses("'materials': a list expected", { materials = doc.objects })
    raises("needs 'materials'", function() shape:set_triangle_materials() end)
    refuses("'quads' of set_triangle_materials is one of refuse, first, cut", STONE, { quads = "none" })
    local box <close> = hkx "box"
    raises("set_triangle_materials", function() box.bodies[1].shape:set_triangle_materials(STONE) end)
  end)

  it("leaves triangles without a run where it asks for the mesh's own material", function()
    local doc <close>, shape = mesh()
    shape.data.sections[1].data_runs = 0
    local wanted = { 0xFCB37EA0, 0xFCB37EA0, 0xFCB37EA0, 0xFCB37EA0, METAL, METAL, WOOD }
    assert.equal(0, assert(shape:set_triangle_materials(wanted)).changed)
    wanted[1], wanted[2] = "ice", "ice"
    assert.equal(2, assert(shape:set_triangle_materials(wanted)).changed)
    assert.equal("3: 0 +1, 1: 0 +1, 2: 1 +1", runs(shape))
    assert.same(ids(wanted), (read(doc:encode())))
  end)

  it("does so for any materials, and touches nothing else", function()
    local state = 12345
    local function number(n)
      state = (state * 1103515245 + 12345) & 0x7FFFFFFF
      return (state >> 8) % n + 1
    end
    local some = { STONE, METAL, WOOD, "ice", "mud", 0x12345678, "Broken Stone" }
    local doc <close>, shape = mesh()
    local before = fo4.read(BLOBS.mesh)
    local places, triangles = fo4.geometry(before.bodies[1].shape)
    for _ = 1, 25 do
      local wanted = {}
      for i, t in ipairs(triangles) do
        wanted[i] = t.key & 1 == 1 and wanted[i - 1] or some[number(#some)]
      end
      assert(shape:set_triangle_materials(wanted))
      local materials, filters, system = read(doc:encode())
      assert.same(ids(wanted), materials)
      assert.same({ 1, 1, 1, 1, 1, 1, 3 }, filters)
      assert.same(places, (fo4.geometry(system.bodies[1].shape)))
      assert.same(check.system(before), check.system(system))
    end
    assert.is_true(#doc.objects[4].materials <= 2 * #some)
  end)
end)

describe("lathe.set_materials", function()
  local function scene()
    return assert(lathe.parse(sample_nif.build { game = "fo4", blocks = {
      { type = "BSFadeNode", name = "Root" },
      { type = "BSLightingShaderProperty", name = "Materials\\A.BGSM", body = { texture_set = 2 } },
      { type = "BSShaderTextureSet", num_textures = 2, textures = { "textures/a_d.dds", "textures/a_n.dds" } },
      { type = "bhkPhysicsSystem", bytes = string.pack("<s4", BLOBS.mesh), refs = {}, string_refs = {} },
    } }, { history = 4 }))
  end

  it("asks a function for each name", function()
    local doc <close> = scene()
    local seen = {}
    local report = assert(lathe.set_materials(doc, function(name, kind, source, slot)
      seen[#seen + 1] = ("%s %s %s %s"):format(kind, name, lathe.type(source), slot)
      if kind == "collision" and name == STONE then return "gravel" end
      if kind == "texture" then return (name:gsub("a_", "b_")) end
      return kind == "shader" and "Materials\\B.BGSM" or nil
    end))
    assert.same({ changed = 4 }, report)
    assert.same({
      "shader Materials\\A.BGSM BSLightingShaderProperty nil", "texture textures/a_d.dds BSLightingShaderProperty diffuse",
      "texture textures/a_n.dds BSLightingShaderProperty normal",
      "collision " .. 0xFCB37EA0 .. " hknpCompressedMeshShape nil", "collision stone hknpBSMaterialProperties nil",
      "collision metal hknpBSMaterialProperties nil", "collision wood hknpBSMaterialProperties nil",
    }, seen)
    assert.same({ "Materials\\B.BGSM", "textures/b_d.dds", "textures/b_n.dds", "gravel" },
      { doc.blocks[2].name, doc.blocks[3].textures[1], doc.blocks[3].textures[2], doc.materials[3].name })
    assert.is_true(doc:undo())
    assert.same({ "Materials\\A.BGSM", "textures/a_d.dds", STONE },
      { doc.blocks[2].name, doc.blocks[3].textures[1], doc.materials[3].name })
  end)

  it("takes a table of names, all at once", function()
    local doc <close> = scene()
    assert.equal(4, assert(lathe.set_materials(doc, { Stone = WOOD, wood = STONE, [0xFCB37EA0] = "ice",
      ["Textures\\A_D.dds"] = "textures\\c.dds", metal = "Metal" })).changed)
    assert.same({ "ice", WOOD, METAL, STONE, "textures\\c.dds" }, { doc.materials[2].name, doc.materials[3].name,
      doc.materials[4].name, doc.materials[5].name, doc.blocks[3].textures[1] })
  end)

  it("changes all or nothing", function()
    local doc <close> = scene()
    local before = doc:encode()
    local none, err = lathe.set_materials(doc, function(name, kind)
      return kind == "texture" and "x" or name == WOOD and true or nil
    end)
    assert.is_nil(none)
    assert.equal(1, tostring(err):find("blocks[4].system.objects[4].materials[3].material: a name or an integer", 1, true),
      tostring(err))                              -- and no place in lathe's own code
    assert.equal(before, doc:encode())
    raises("mine", function() lathe.set_materials(doc, function() error "mine" end) end)
    assert.equal(0, assert(lathe.set_materials(doc, {})).changed)
  end)
end)

describe("materials of the corpus #corpus", function()
  local function each_system(test)
    local folder, n = helper.need_corpus(FOLDER, pending), 0
    for _, name in ipairs(helper.list(folder, "%.nif$")) do
      local figures = assert(json.decode(helper.read(("%s/expected/%s.json"):format(folder, name))))
      local nif <close> = assert(lathe.open(folder .. "/" .. name))
      for block, system in pairs(figures.systems) do
        local blob = lathe.bytes(nif.blocks[tonumber(block) + 1]):sub(5)
        local doc <close> = assert(lathe.parse(blob, { history = 8 }))
        n = n + test(doc, system, name .. " " .. block, blob)
      end
    end
    return n
  end

  it("are all listed, and come back", function()
    assert.equal(44, each_system(function(doc, _, label, blob)
      local had, n = {}, 0
      for i, material in ipairs(doc.materials) do had[i], n = material.name, i end
      assert.is_true(n > 0, label)
      assert.equal(n, assert(lathe.set_materials(doc, function() return "no such thing" end)).changed, label)
      local system = fo4.read(doc:encode())
      for _, body in ipairs(system.bodies) do
        local _, triangles = fo4.geometry(body.shape)
        for _, t in ipairs(triangles) do assert.equal(fo4.material_id "no such thing", t.material, label) end
      end
      local i = 0
      assert(lathe.set_materials(doc, function()
        i = i + 1
        return had[i]
      end))
      assert.equal(blob, doc:encode(), label)
      return 1
    end))
  end)

  -- Of each triangle: whether its bit says that it is inside.
  local function inside(shape, triangles)
    local words, list = shape.triangle_is_interior.words, {}
    for i, t in ipairs(triangles) do list[i] = words[t.key // 32 + 1] >> t.key % 32 & 1 end
    return list
  end

  -- One triangle in 40 is of snow, whatever quad it is in.
  local function cut(doc, shape, i, before, label)
    local was = before.bodies[i].shape
    local places, triangles = fo4.geometry(was)
    local wanted = {}
    for k, t in ipairs(triangles) do wanted[k] = k % 40 == 1 and id_of "snow" or t.material end
    assert(shape:set_triangle_materials(wanted, { quads = "cut" }))
    local materials, _, after = read(doc:encode(), i)
    local now, cut_triangles = fo4.geometry(after.bodies[i].shape)
    assert.same(wanted, materials, label)
    assert.same(places, now, label)
    assert.same(inside(was, triangles), inside(after.bodies[i].shape, cut_triangles), label)
    assert.same(check.system(before, { vanilla = true }), check.system(after, { vanilla = true }), label)
    assert.equal(doc:serialize(), doc:encode(), label)
  end

  it("are set triangle by triangle", function()
    local meshes = each_system(function(doc, _, label, blob)
      local n = 0
      for i, body in ipairs(doc.bodies) do
        if lathe.type(body.shape) == "hknpCompressedMeshShape" then
          local had, _, before = read(blob, i)
          assert.equal(0, assert(body.shape:set_triangle_materials(had)).changed, label)
          assert.equal(blob, doc:encode(), label)
          local _, triangles = fo4.geometry(before.bodies[i].shape)
          local wanted = {}
          for k, t in ipairs(triangles) do wanted[k] = (t.key >> 1) % 3 == 0 and id_of "snow" or had[k] end
          assert(body.shape:set_triangle_materials(wanted))
          local materials, _, after = read(doc:encode(), i)
          assert.same(wanted, materials, label)
          assert.same(check.system(before, { vanilla = true }), check.system(after, { vanilla = true }), label)
          assert.equal(doc:serialize(), doc:encode(), label)
          assert.is_true(doc:undo())
          assert.equal(blob, doc:encode(), label)
          cut(doc, body.shape, i, before, label)
          assert.is_true(doc:undo())
          assert.equal(blob, doc:encode(), label)
          n = n + 1
        end
      end
      return n
    end)
    assert.equal(19, meshes) -- and 3 in compounds
  end)
end)
