-- Collision of Fallout 4 in packfiles: every system of the corpus against its figures and to the byte, and every
-- field of every class set once. #corpus: pending, loudly, where there is none.

local damage = require "format_damage"
local every = require "hkx_every_class"
local figures = require "physics_figures"
local lathe = require "lathe"
local setter = require "field_setter"

local SYSTEMS = 44

local function each(test)
  return figures.each(lathe, pending, function(hkx, wanted, bytes, name, ...)
    local ok, err = pcall(test, hkx, wanted, bytes, ...)
    if not ok then error(name .. ": " .. tostring(err), 0) end
  end)
end

describe("collision that is made", function()
  it("has every class, and is what it was made of", function()
    local doc <close> = every.new(lathe)
    local bytes = doc:encode()
    assert.equal(bytes, doc:serialize())
    local again <close> = assert(lathe.parse(bytes))
    assert.equal(#every.classes(lathe) + 1, #again.objects)
    local made <close> = assert(lathe.new("hkx", again:totable()))
    assert.equal(bytes, made:encode())
    local text = lathe.tree.to_json(again)
    local read <close> = assert(lathe.new("hkx", assert(lathe.tree.from_json(text, "hkx"))))
    assert.equal(bytes, read:encode())
  end)

  it("changes where a field is set, and nowhere else", function()
    local made <close> = every.new(lathe)
    local doc <close> = assert(lathe.parse(made:encode(), { history = 1 }))
    local seen, count = {}, 0
    for _, object in ipairs(doc.objects) do setter.each(lathe, doc, object, seen) end
    for _ in pairs(seen) do count = count + 1 end
    assert(count > 250, count)
    for _, field in ipairs { "hknpMaterial.dynamic_friction", "hknpBodyCinfo.layer", "hkPackedVector3.x",
        "hkPackedUnitVector.w", "hkcdPackedVertex.z", "hkcdSharedVertex.y", "hkcdStaticMeshTreeSection.packed_count",
        "hkcdStaticMeshTreeSection.codec_parms", "hkVector4Tagged.w", "hknpShapeInstance.padding" } do
      assert(seen[field], field)
    end
  end)
end)

describe("collision that is damaged", function()
  local function small()
    local doc <close> = every.new(lathe, 1)
    return doc:encode()
  end

  it("is refused or kept, cut short", function()
    local bytes = small()
    for n = 1, #bytes - 1, 61 do damage.judge("hkx", bytes:sub(1, n), "prefix of " .. n, true) end
  end)

  it("is refused or kept, with any bytes", function()
    assert(damage.flips("hkx", small(), 400, 11, true) > 100)
  end)

  it("is refused or kept, with any counts", function()
    local bytes, at = small(), 0
    for _, value in ipairs { "\255\255\255\127", "\16\0\0\0", "\0\0\0\0" } do
      for from = 0x100 + at, #bytes - 4, 48 do
        damage.judge("hkx", bytes:sub(1, from) .. value .. bytes:sub(from + 5), ("word at 0x%x"):format(from), true)
      end
      at = at + 16
    end
  end)
end)

-- ---- packed numbers ------------------------------------------------------------------------------------------

local function mass_properties()
  return assert(lathe.new("hkx", { game = "fallout4", objects = {
    { class = "hknpPhysicsSystemData", referenced_objects = { 2 } }, { class = "hknpShapeMassProperties" } } }))
end

local function packed(record)
  return { table.unpack(record.packed) }
end

describe("three numbers in 8 bytes", function()
  it("are as exact as 16 bits allow, for the largest", function()
    local doc <close> = mass_properties()
    local mass = doc.objects[2]
    local v = mass.inertia
    v.packed = { 0, 0, 0, 0x1980 }
    assert.same({ 0, 0, 0 }, { v.x, v.y, v.z })
    for _, one in ipairs {
      { { 1, 2, 3 }, { 0x2000, 0x4000, 0x6000, 0x3100 } },
      { { -1, 0, 0.5 }, { 0xC000, 0, 0x2000, 0x3080 } },
      { { 1.99999, 0, 0 }, { 0x4000, 0, 0, 0x3100 } },              -- 32768 would not fit
      { { -32768, 0, 0 }, { 0xC000, 0, 0, 0x3800 } },
      { { 1e-30, 3e38, -1e-44 }, { 0, 0x70D9, 0, 0x7000 } },
      { { 1e-44, 0, 0 }, { 0, 0, 0, 0x7000 } },                     -- too little for any, and the last word stays
    } do
      mass.inertia = one[1]
      assert.same(one[2], packed(v))
    end
    for _, bad in ipairs { 0 / 0, math.huge, -1e39 } do
      assert.has_error(function() v.y = bad end)
    end
    mass.inertia = { 0, 0, 0 }
    assert.same({ 0, 0, 0, 0x7000 }, packed(v))
  end)

  it("come back within half a step of the largest, whatever they are", function()
    local doc <close> = mass_properties()
    local mass = doc.objects[2]
    math.randomseed(3)
    for _ = 1, 3000 do
      local size, v = 2.0 ^ math.random(-100, 126), {}
      for k = 1, 3 do v[k] = (2 * math.random() - 1) * size end
      mass.center_of_mass = v
      local most = math.max(math.abs(v[1]), math.abs(v[2]), math.abs(v[3]))
      local got = mass.center_of_mass
      for k = 1, 3 do assert(math.abs(got[k] - v[k]) <= most * 2.0 ^ -14, k) end
      local kept = packed(got)
      mass.center_of_mass = { got.x, got.y, got.z }
      assert.same(kept, packed(got))
    end
  end)
end)

describe("a rotation in 8 bytes", function()
  it("is in steps of 1/30000", function()
    local doc <close> = mass_properties()
    local mass = doc.objects[2]
    local q = mass.major_axis_space
    assert.same({ 0x8000, 0x8000, 0x8000, 62768 }, packed(q))      -- no turn, where nothing is said
    q.packed = { 0x8000, 0x8000, 0x8000, 2768 }
    assert.same({ 0, 0, 0, -1 }, { q.x, q.y, q.z, q.w })
    q.packed = { 0x8000, 0x8000, 0x8000, 62768 }
    assert.same({ 0, 0, 0, 1 }, { q.x, q.y, q.z, q.w })
    mass.major_axis_space = { 0.5, -0.5, 0.5, -0.5 }
    assert.same({ 47768, 17768, 47768, 17768 }, packed(q))
    assert.has_error(function() q.x = 1.1 end)
    assert.same({ 47768, 17768, 47768, 17768 }, packed(q))
  end)
end)

describe("vertices of a mesh", function()
  it("are whole numbers of 11, 11, 10 and 21, 21, 22 bits", function()
    local doc <close> = assert(lathe.new("hkx", { game = "fallout4", objects = {
      { class = "hknpPhysicsSystemData", referenced_objects = { 2 } },
      { class = "hknpCompressedMeshShapeData", packed_vertices = { { 1, 2, 3 }, { packed = 0xFFFFFFFF } },
        shared_vertices = { { x = 1, y = 2, z = 3 }, { packed = -1 } } } } }))
    local data = doc.objects[2]
    local a, b = data.packed_vertices, data.shared_vertices
    assert.same({ 1 | 2 << 11 | 3 << 22, 1 | 2 << 21 | 3 << 42 }, { a[1].packed, b[1].packed })
    assert.same({ 2047, 2047, 1023 }, { a[2].x, a[2].y, a[2].z })
    assert.same({ 2097151, 2097151, 4194303 }, { b[2].x, b[2].y, b[2].z })
    assert.equal("integer", math.type(b[2].z))
    a[2] = { 0, 5, 0 }
    assert.equal(5 << 11, a[2].packed)
    for _, wrong in ipairs { { a[1], "x", 2048 }, { a[1], "z", 1024 }, { a[1], "y", -1 }, { b[1], "z", 4194304 },
        { b[1], "x", 0.5 } } do
      assert.has_error(function() wrong[1][wrong[2]] = wrong[3] end)
    end
    assert.same({ 1 | 2 << 11 | 3 << 22, 1 | 2 << 21 | 3 << 42 }, { a[1].packed, b[1].packed })
  end)
end)

describe("friction", function()
  it("is rounded as the games' tools do", function()
    local doc <close> = assert(lathe.new("hkx", { game = "fallout4", objects = {
      { class = "hknpPhysicsSystemData", materials = { {} } } } }))
    local material = doc.objects[1].materials[1]
    for value, bits in pairs { [0.6] = 0x3F1A, [0.4] = 0x3ECD, [0.7] = 0x3F33, [0.2] = 0x3E4D, [1.00390625] = 0x3F81 } do
      material.dynamic_friction = value
      assert.equal(bits, lathe.raw(material, "dynamic_friction"))
    end
    material.friction_combine_policy = "geometric_mean"
    assert.equal(0, lathe.raw(material, "friction_combine_policy"))
  end)
end)

describe("what collision is made of", function()
  it("has a name, where it is known", function()
    local doc <close> = assert(lathe.new("hkx", { game = "fallout4", objects = {
      { class = "hknpPhysicsSystemData", referenced_objects = { 2, 3 } },
      { class = "hknpCompressedMeshShape", user_data = 0x1DD9C611 },
      { class = "hknpBSMaterialProperties", materials = { { material = "Glass" }, { material_id = 0xFCB37EA0 } } } } }))
    local shape, entries = doc.objects[2], doc.objects[3].materials
    assert.same({ "wood", "glass", 0xDEE94842, 0xFCB37EA0 },
      { shape.material, entries[1].material, entries[1].material_id, entries[2].material })
    shape.material = "solid metal"
    assert.equal(0x4CCACC3B, shape.user_data)
    shape.material = "Never Heard Of"                              -- any name has a number
    assert.equal(shape.user_data, shape.material)
    assert(shape.user_data > 0)
    entries[2].material = 0x2A1A6690
    assert.equal("metalsolid", entries[2].material)
    for _, wrong in ipairs { "", false, -1, 1 << 32 } do
      assert.has_error(function() entries[2].material = wrong end)
    end
    shape.user_data = 1 << 32 | 0x1DD9C611
    assert.equal(shape.user_data, shape.material)
  end)
end)

describe("collision of another game", function()
  it("is refused: only Fallout 4's is known", function()
    local doc <close> = every.new(lathe, 1)
    for _, game in ipairs { "skyrim-le", "skyrim-se" } do
      local there, err = doc:serialize { game = game }
      assert.is_nil(there)
      assert.equal("objects[1]", err.where)
      assert.matches("^the layout of its class in files of that game is not known", err.message)
    end
    assert.equal(doc:encode(), doc:serialize { game = "fallout4" })
    local none, why = lathe.new("hkx", { game = "skyrim-se", objects = { { class = "hknpSphereShape" } } })
    assert.is_nil(none)
    assert.matches("files of that version have no class 'hknpSphereShape': give its bytes$", why.message)
  end)
end)

describe("a layer", function()
  it("is the low bits of the filter, by name", function()
    local doc <close> = assert(lathe.new("hkx", { game = "fallout4", objects = {
      { class = "hknpPhysicsSystemData", body_cinfos = { { collision_filter_info = 0x108 }, { layer = "clutter" } } } } }))
    local bodies = doc.objects[1].body_cinfos
    assert.same({ "biped", "clutter", 4 }, { bodies[1].layer, bodies[2].layer, bodies[2].collision_filter_info })
    bodies[1].layer = "animstatic"
    assert.equal(0x102, bodies[1].collision_filter_info)
    bodies[1].layer = 49                                            -- the game's data define it
    assert.same({ 49, 0x131 }, { bodies[1].layer, bodies[1].collision_filter_info })
    assert.has_error(function() bodies[1].layer = 128 end)
  end)
end)

-- ---- the corpus ----------------------------------------------------------------------------------------------

describe("collision of the corpus #corpus", function()
  it("is kept to the byte, and the same when written from scratch", function()
    assert.equal(SYSTEMS, each(function(hkx, _, bytes)
      assert(bytes == hkx:encode(), "encoded otherwise")
      assert(bytes == assert(hkx:serialize()), "serialized otherwise")
      local fields = hkx:totable()
      local made <close> = assert(lathe.new("hkx", fields))
      assert(bytes == made:encode(), "made otherwise of a table")
    end))
  end)

  it("is the same by way of JSON", function()
    assert.equal(SYSTEMS, each(function(hkx, _, bytes)
      if hkx.size > 12000 then return end
      local text = lathe.tree.to_json(hkx)
      local made <close> = assert(lathe.new("hkx", assert(lathe.tree.from_json(text, "hkx"))))
      assert(bytes == made:encode())
    end))
  end)

  it("is what the figures say", function()
    assert.equal(SYSTEMS, each(function(hkx, wanted) figures.system(lathe, hkx, wanted) end))
  end)

  it("has no object that is bytes alone", function()
    each(function(hkx)
      for i, object in ipairs(hkx.objects) do
        local bytes = pcall(function() return object.bytes end)
        assert(not bytes, ("object %d, %s"):format(i, lathe.type(object)))
      end
    end)
  end)

  it("is found healthy by check()", function()
    each(function(hkx)
      local ok, findings = hkx:check()
      assert.is_true(ok)
      for _, finding in ipairs(findings) do     -- a ragdoll's skeleton has none
        assert.equal("a bone without a name", finding.message)
      end
    end)
  end)

  it("packs numbers as they were packed", function()
    local count = 0
    each(function(hkx, _, bytes)
      for _, object in ipairs(hkx.objects) do
        if lathe.type(object) == "hknpShapeMassProperties" then
          for _, name in ipairs { "center_of_mass", "inertia" } do
            local v = object[name]
            local x, y, z = v.x, v.y, v.z
            if x ~= 0 or y ~= 0 or z ~= 0 then v.packed = { 1, 1, 1, 0x3000 } end
            object[name] = { x, y, z }
          end
          local q = { table.unpack(object.major_axis_space) }
          object.major_axis_space.packed = { 0, 0, 0, 0 }
          object.major_axis_space = q
          count = count + 1
        end
      end
      assert(bytes == hkx:encode())
    end)
    assert(count > 80, count)
  end)

  it("changes where a field is set, and nowhere else", function()
    local seen, count = {}, 0
    each(function(_, _, _, doc, block)                            -- in the NIF
      for _, object in ipairs(block.system.objects) do setter.each(lathe, doc, object, seen) end
    end)
    for _ in pairs(seen) do count = count + 1 end
    assert(count > 230, count)
  end)
end)
