-- doc:scale of NIF: what is multiplied, what stays, what is told, and that powers of two go there and back.

local figures = require "nif_figures"
local lathe = require "lathe"
local nif_schema = require "nif_schema"
local sample = require "sample_nif"

local MAX = string.unpack("<f", string.pack("<I4", 0x7F7FFFFF))

local function parse(game, blocks)
  return assert(lathe.parse((sample.build { game = game, blocks = blocks })))
end

local function told(report)
  local list = {}
  for i, entry in ipairs(report.skipped) do list[i] = entry.path .. ": " .. entry.reason end
  return list
end

local function xyz(v) return { v.x, v.y, v.z } end
local function xyzw(v) return { v.x, v.y, v.z, v.w } end

-- The same bytes after both, or a refusal that changes nothing. Returns whether it was scaled.
local function there_and_back(doc, name)
  local before = doc:encode()
  local report, err = doc:scale(2)
  if not report then
    assert.truthy(tostring(err):find("does not fit into", 1, true), name .. ": " .. tostring(err))
  else
    assert.truthy(doc:scale(0.5), name)
  end
  assert.is_true(doc:encode() == before, name)
  return report ~= nil
end

describe("scale of NIF", function()
  local function scene()
    return parse("le", {
      { type = "NiNode", name = "Bone", translation = { x = 1, y = 2, z = 3 }, scale = 0.5 },
      { type = "NiTriShape", name = "Shape", translation = { x = 4, y = 5, z = 6 } },
      { type = "bhkSphereShape", radius = 2 },
      { type = "NiTransformInterpolator", translation = { x = 7, y = -MAX, z = 9 }, scale = 2 },
      { type = "NiSkinData", skin_transform = { translation = { x = 8, y = 0, z = 1 }, scale = 3 } },
    })
  end

  local function state(doc)
    local b = doc.blocks
    return { b[1].translation.x, b[2].translation.x, b[3].radius, b[4].translation.x,
      b[5].skin_transform.translation.x }
  end

  it("multiplies what `what` says", function()
    local wanted = {
      collision = { 1, 4, 6, 7, 8 },
      geometry = { 3, 12, 2, 7, 24 },
      skeleton = { 3, 4, 2, 7, 24 },
      animation = { 1, 4, 2, 21, 8 },
      all = { 3, 12, 6, 21, 24 },
    }
    for what, figure in pairs(wanted) do
      local doc <close> = scene()
      assert.truthy(doc:scale(3, { what = what }))
      assert.same(figure, state(doc), what)
    end
  end)

  it("counts vectors as one, and leaves scales and the largest float alone", function()
    local doc <close> = scene()
    assert.same({ changed = 2, skipped = {} }, doc:scale(3, { what = "skeleton" }))
    assert.truthy(doc:scale(3, { what = "animation" }))
    assert.equal(-MAX, doc.blocks[4].translation.y)
    assert.same({ 0.5, 2, 3 }, { doc.blocks[1].scale, doc.blocks[4].scale, doc.blocks[5].skin_transform.scale })
  end)

  it("keeps density, or mass", function()
    for mass, wanted in pairs { density = { 16, 96 }, keep = { 2, 12 } } do
      local doc <close> = parse("le", { { type = "bhkRigidBody" } })
      local body = doc.blocks[1].i
      body.mass, body.inertia[1] = 2, 3
      assert.truthy(doc:scale(2, { mass = mass }))
      assert.same(wanted, { body.mass, body.inertia[1] }, mass)
    end
    local doc <close> = parse("le", { { type = "bhkRigidBody" } })
    doc.blocks[1].i.mass = 2
    assert.truthy(doc:scale(2))
    assert.equal(16, doc.blocks[1].i.mass)
  end)

  it("knows which numbers of a vector are lengths", function()
    local function v(n) return { x = n, y = n, z = n, w = n } end
    local doc <close> = parse("le", {
      { type = "bhkMoppBvTreeShape", mopp_offset = v(4) },
      { type = "bhkConvexVerticesShape", normals = { v(1) }, vertices = { v(3) } },
      { type = "bhkRagdollConstraint" },
      { type = "bhkTransformShape" },
      { type = "bhkCompressedMeshShapeData", aabb_min = v(1), error = 1, big_verts = { v(5) } },
    })
    local frames, matrix = doc.blocks[3].c.frames8, doc.blocks[4].transform
    for i = 1, 8 do frames[i] = v(1) end
    for i, name in ipairs { "col0_x", "col3_x", "col3_w" } do matrix[name] = i end
    assert.truthy(doc:scale(2))
    assert.same({ 8, 8, 8, 2 }, xyzw(doc.blocks[1].mopp_offset))
    assert.same({ 1, 1, 1, 2 }, xyzw(doc.blocks[2].normals[1]))
    assert.same({ 6, 6, 6 }, xyz(doc.blocks[2].vertices[1]))
    for i = 1, 8 do
      assert.same(i % 4 == 0 and { 2, 2, 2, 1 } or { 1, 1, 1, 1 }, xyzw(frames[i]), tostring(i))
    end
    assert.same({ 1, 4, 3 }, { matrix.col0_x, matrix.col3_x, matrix.col3_w })
    assert.same({ 2, 2, 2, 1 }, xyzw(doc.blocks[5].aabb_min))
    assert.same({ 10, 10, 10, 5 }, xyzw(doc.blocks[5].big_verts[1]))
    assert.equal(2, doc.blocks[5].error)
  end)

  it("follows paths, and not colours, to keys", function()
    local key = { { time = 1, value = { x = 2, y = 3, z = 4 } } }
    local doc <close> = parse("le", {
      { type = "NiPosData", data = { interpolation = 1, keys = key } },
      { type = "NiPosData", data = { interpolation = 1, keys = key } },
      { type = "NiPathInterpolator", path_data = 1 },
      { type = "NiPoint3Interpolator", data = 0 },
    })
    assert.truthy(doc:scale(2))
    assert.same({ 2, 3, 4 }, xyz(doc.blocks[1].data.keys[1].value))
    assert.same({ 4, 6, 8 }, xyz(doc.blocks[2].data.keys[1].value))
    assert.equal(1, doc.blocks[2].data.keys[1].time)
  end)

  it("follows controllers of lengths, blends and animations to keys", function()
    local types = { "NiLightRadiusController", "NiPSysEmitterLifeSpanCtlr", "NiPSysEmitterSpeedCtlr",
      "NiControllerSequence", "NiFloatInterpolator", "NiFloatInterpolator", "NiBlendFloatInterpolator",
      "NiFloatInterpolator", "NiFloatInterpolator", "NiFloatInterpolator", "NiFloatData", "NiFloatData",
      "NiFloatData", "BSLagBoneController", "BSProceduralLightningController" }
    local doc <close> = assert(lathe.new("nif", { bs_version = 83 }))
    local b = doc.blocks
    for _, kind in ipairs(types) do b:append { type = kind } end
    for i = 1, 3 do b[i].interpolator = b[4 + i] end
    for _, i in ipairs { 5, 6, 8, 9, 10 } do b[i].value = 3 end
    b[5].data, b[6].data, b[8].data = b[11], b[12], b[13]
    b[7].flags, b[7].value = 0, 5
    b[14].params, b[15].params = { 1, 2, 3 }, { 1, 2, 3, 4, 5, 6, 7 }
    for i = 11, 13 do b[i].data.keys = { { time = 1, value = 4 } } end
    b[7].items = { { interpolator = b[8] } }
    b[4].blocks = { { controller_type = "NiPSysEmitterInitialRadiusCtlr", interpolator = b[9] },
      { controller_type = "NiPSysEmitterLifeSpanCtlr", interpolator = b[10] } }
    assert.truthy(doc:scale(2))
    local values = {}
    for i, block in ipairs { 5, 6, 7, 8, 9, 10 } do values[i] = b[block].value end
    assert.same({ 6, 3, 10, 6, 6, 3 }, values)
    for i, wanted in ipairs { 8, 4, 8 } do
      assert.same({ 1, wanted }, { b[10 + i].data.keys[1].time, b[10 + i].data.keys[1].value })
    end
    assert.same({ 1, 2, 6 }, b[14].params:totable())
    assert.same({ 2, 4, 6, 4, 10, 6, 7 }, b[15].params:totable())
  end)

  it("refuses what does not fit, and changes nothing", function()
    local doc <close> = parse("fo3", {
      { type = "NiNode", translation = { x = 1, y = 2, z = 3 } },
      { type = "hkPackedNiTriStripsData", compressed = true, hvertices = { { x = 0, y = 40000, z = 1 } } },
    })
    local before = doc:encode()
    local report, err = doc:scale(2)
    assert.is_nil(report)
    assert.truthy(tostring(err):find("80000 does not fit into f16", 1, true), tostring(err))
    assert.truthy(tostring(err):find("blocks[2].hvertices", 1, true), tostring(err))
    report, err = doc:scale(1e300, { what = "geometry" })
    assert.is_nil(report)
    assert.truthy(tostring(err):find("1e+300 does not fit into f32", 1, true), tostring(err))
    for _, factor in ipairs { 0, -1, 1 / 0, 0 / 0 } do
      report, err = doc:scale(factor)
      assert.is_nil(report)
      assert.truthy(tostring(err):find("a finite number above 0 expected", 1, true), tostring(err))
    end
    assert.equal(before, doc:encode())
  end)

  it("tells what it cannot scale", function()
    local doc <close> = parse("fo4", {
      { type = "NiNode" },
      { type = "bhkPhysicsSystem", system = "packfile" },
      { type = "MadeUpByNobody", bytes = "????" },
      { type = "BSClothExtraData", system = "cloth" },
    })
    local unknown = "blocks[3]: nobody knows what is in blocks of this type: they stay as they are"
    local packfile = "blocks[2].system: it does not parse, and stays as it is"
    local cloth = "blocks[4]: a packfile of cloth, which stays as it is"
    local before = doc:encode()
    assert.same({ packfile, unknown, cloth }, told(assert(doc:scale(2))))
    assert.same({ unknown, cloth }, told(assert(doc:scale(2, { what = "geometry" }))))
    assert.same({ unknown }, told(assert(doc:scale(2, { what = "animation" }))))
    assert.equal(before, doc:encode())
  end)

  it("tells of meshes in other files, and scales the rest", function()
    local doc <close> = parse("starfield", {
      { type = "BSGeometry", name = "A", flags = 14, translation = { x = 1, y = 0, z = 0 } },
      { type = "BSGeometry", name = "B", flags = 526, translation = { x = 1, y = 0, z = 0 } },
    })
    assert.same({ "blocks[1]: its meshes lie in other files, which stay as they are" }, told(assert(doc:scale(2))))
    assert.equal(2, doc.blocks[1].translation.x)
    assert.equal(2, doc.blocks[2].translation.x)
  end)

  it("tells nothing of vertices that it scales", function()
    for game, desc in pairs { sse = 1 << 44 | 4, fo4 = 1 << 44 | 2 } do
      local doc <close> = parse(game, { { type = "BSTriShape", vertex_desc = desc, num_vertices = 1, data_size = 1 } })
      doc.blocks[1].positions = { { 1, 2, 3 } }
      assert.same({}, told(assert(doc:scale(2))))
      assert.same({ 2, 4, 6 }, doc.blocks[1].positions:totable())
    end
  end)

  it("tells of vertices whose descriptor does not add up", function()
    local setting = sample.setting "fo4"
    local desc = 5 | 1 << 44                      -- 20 bytes, of which positions are 8
    local block = sample.record("BSTriShape", { name = "A", num_vertices = 2, data_size = 0, vertex_desc = desc }, setting)
    local size = string.pack("<I4", 40)
    local bytes = block:sub(1, -5) .. size .. ("v"):rep(40)
    local doc <close> = assert(lathe.parse((sample.build { game = "fo4", strings = setting.strings,
      blocks = { { type = "BSTriShape", bytes = bytes } } })))
    assert.equal(2, #doc.blocks[1].vertices)
    assert.same({ "blocks[1].vertices: their descriptor does not add up: they stay as they are" },
      told(assert(doc:scale(2))))
    assert.equal(("v"):rep(20), doc.blocks[1].vertices[2].bytes)
  end)

  it("leaves what is unused in a body's vectors", function()
    for _, game in ipairs { "oblivion", "fo3", "le", "fo4" } do
      local doc <close> = parse(game, { { type = "bhkRigidBody" } })
      local body = doc.blocks[1].i
      body.translation, body.center = { 1, 2, 3, 4 }, { 5, 6, 7, 8 }
      assert.truthy(doc:scale(2))
      assert.same({ 2, 4, 6, 4 }, xyzw(body.translation), game)
      assert.same({ 10, 12, 14, 8 }, xyzw(body.center), game)
    end
  end)

  -- The same numbers wherever a block stands in the schema.
  local function seed_of(name)
    local h = 0
    for i = 1, #name do h = (h * 31 + name:byte(i)) & 0xFFFFFF end
    return h
  end

  it("goes there and back for blocks of every kind in every game", function()
    local scaled = 0
    for g, game in ipairs(sample.game_names) do
      for _, name in ipairs(nif_schema.load().blocks) do
        local setting = sample.setting(game)
        local made, block = pcall(sample.random_block, name, setting, sample.rng(1000 * g + seed_of(name)))
        if made then
          local doc <close> = lathe.parse((sample.build { game = game, blocks = { block }, strings = setting.strings }))
          -- A total of precombined geometry that is 0 becomes what it should be in any edit.
          local first = doc and doc.blocks[1]
          local no_total = name:find "^BSPacked" and first and (first.num_vertices == 0 or first.num_triangles == 0)
          if doc and not no_total and there_and_back(doc, game .. " " .. name) then scaled = scaled + 1 end
        end
      end
    end
    assert.is_true(scaled > 1000, scaled .. " blocks")
  end)
end)

-- ---- the corpus -----------------------------------------------------------------------------------

-- Fields that stay, whatever is scaled.
local STAYS = { rotation = true, scale = true, uv = true, uvs = true, normal = true, tangent = true, tangents = true,
  bitangents = true, weights = true, triangles = true, color = true, colors = true, mopp = true, time = true,
  name = true, flags = true, friction = true, restitution = true, angles = true, quats = true, scales = true,
  cull = true }

local function same(a, b, where)
  if type(a) == "table" then
    for key, value in pairs(a) do same(value, b[key], where .. "." .. key) end
  elseif a == a or b == b then
    assert(a == b, where)
  end
end

local function check_stays(a, b, where)
  for key, value in pairs(a) do
    if STAYS[key] and not where:find("data$") then
      same(value, b[key], where .. "." .. key)
    elseif type(value) == "table" then
      check_stays(value, b[key], where .. "." .. key)
    end
  end
end

describe("scale of NIF over the corpus", function()
  local function each(pending, check)
    for _, list in ipairs { figures.files, figures.collision_files } do
      for _, entry in ipairs(list(pending)) do
        local doc <close> = assert(lathe.open(entry.path))
        check(doc, entry.name)
      end
    end
  end

  it("goes there and back", function()
    local scaled, files = 0, 0
    each(pending, function(doc, name)
      files = files + 1
      if there_and_back(doc, name) then scaled = scaled + 1 end
    end)
    assert.same({ 155, 155 }, { files, scaled })
  end)

  it("leaves rotations, scales, normals, weights and the like alone", function()
    each(pending, function(doc, name)
      if #doc:encode() > 200000 then return end   -- a copy of all numbers takes its time
      local before = {}
      for i = 1, #doc.blocks do before[i] = doc.blocks[i]:totable() end
      assert(doc:scale(2))
      for i = 1, #doc.blocks do
        if type(before[i]) == "table" then
          check_stays(before[i], doc.blocks[i]:totable(), name .. " " .. doc.blocks[i].type)
        end
      end
    end)
  end)

  it("scales all physics systems, and only where it shall", function()
    local scaled = 0
    each(pending, function(doc, name)
      local systems = {}
      for i = 1, #doc.blocks do
        local kind = doc.blocks[i].type
        if kind == "bhkPhysicsSystem" or kind == "bhkRagdollSystem" then
          systems[#systems + 1] = { i, lathe.bytes(doc.blocks[i]) }
        end
      end
      local left = {}                                -- those of Fallout 76, which do not open
      for _, entry in ipairs(assert(doc:scale(2, { what = "collision" })).skipped) do
        if entry.path:find "%.system" then
          assert.equal("it does not parse, and stays as it is", entry.reason)
          assert.truthy(name:find "^fo76", name)
          left[entry.path] = true
        end
      end
      for _, system in ipairs(systems) do
        local kept = lathe.bytes(doc.blocks[system[1]]) == system[2]
        assert.equal(left[("blocks[%d].system"):format(system[1])] or false, kept, name)
        system[2], scaled = lathe.bytes(doc.blocks[system[1]]), scaled + 1
      end
      for _, what in ipairs { "geometry", "skeleton", "animation" } do assert(doc:scale(2, { what = what })) end
      for _, system in ipairs(systems) do
        assert.is_true(lathe.bytes(doc.blocks[system[1]]) == system[2], name)
      end
      for _, line in ipairs(told(assert(doc:scale(2, { what = "geometry" })))) do
        assert.is_nil(line:find("add up", 1, true), name .. ": " .. line)
      end
    end)
    if scaled > 0 then assert.is_true(scaled >= 44, scaled) end
  end)
end)
