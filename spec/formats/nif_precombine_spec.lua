-- doc:precombine: groups of precombined meshes made of models and of where they are placed.

local groups = require "precombined_groups"
local helper = require "helper"
local lathe = require "lathe"
local model = require "sample_model"
local reader = require "packed_reader"

local GROUP <const> = "0000E2DB_02BE5E11_OC"
local POINTS = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 4, 0 }, { 0, 0, 8 }, { -1, -2, -4.5 } }
local opened, group = groups.opened, groups.make
local skipped_of, assert_sound = groups.skipped, groups.assert_sound

local function of_type(doc, name)
  local list = {}
  for _, block in ipairs(doc.blocks) do
    if block.type == name then list[#list + 1] = block end
  end
  return list
end

local function packed_of(doc) return of_type(doc, "BSPackedCombinedGeomDataExtra") end

-- ---- plain maths: matrices of 3 by 3 in rows -------------------------------------------------------------

local function product(a, b)
  local m = {}
  for i = 1, 3 do
    m[i] = {}
    for k = 1, 3 do m[i][k] = a[i][1] * b[1][k] + a[i][2] * b[2][k] + a[i][3] * b[3][k] end
  end
  return m
end

local function transposed(m)
  return { { m[1][1], m[2][1], m[3][1] }, { m[1][2], m[2][2], m[3][2] }, { m[1][3], m[2][3], m[3][3] } }
end

-- As the reference says it: (Rz(c) * Ry(b) * Rx(a)) transposed, of the usual counter-clockwise matrices.
local function rotation(a, b, c)
  local function cs(angle) return math.cos(angle), math.sin(angle) end
  local ca, sa = cs(a)
  local cb, sb = cs(b)
  local cc, sc = cs(c)
  local x = { { 1, 0, 0 }, { 0, ca, -sa }, { 0, sa, ca } }
  local y = { { cb, 0, sb }, { 0, 1, 0 }, { -sb, 0, cb } }
  local z = { { cc, -sc, 0 }, { sc, cc, 0 }, { 0, 0, 1 } }
  return transposed(product(product(z, y), x))
end

-- p' = scale * (rotation * p) + translation, one step after the other from the shape outwards.
local function moved(p, steps)
  for _, step in ipairs(steps) do
    local m, s, t, q = step.rotation, step.scale or 1, step.translation or { 0, 0, 0 }, p
    if m then
      q = {}
      for i = 1, 3 do q[i] = m[i][1] * p[1] + m[i][2] * p[2] + m[i][3] * p[3] end
    end
    p = { s * q[1] + t[1], s * q[2] + t[2], s * q[3] + t[3] }
  end
  return p
end

local function rows(m)
  local flat = {}
  for i = 1, 3 do table.move(m[i], 1, 3, 3 * i - 2, flat) end
  return flat
end

local function placed(source)
  return { rotation = rotation(table.unpack(source.rotation or { 0, 0, 0 })), scale = source.scale,
    translation = source.position }
end

local function near(wanted, got, off)
  for i = 1, 3 do
    assert(math.abs(wanted[i] - got[i]) <= off * math.max(1, math.abs(wanted[i])),
      ("%.9g, %.9g, %.9g instead of %.9g, %.9g, %.9g"):format(got[1], got[2], got[3], wanted[1], wanted[2], wanted[3]))
  end
end

-- Corners of the triangles of all meshes, in their order.
local function corners(doc)
  local list = {}
  for mesh in doc:meshes() do
    local m, indices = mesh.transform, mesh.indices:totable()
    for _, index in ipairs(indices) do
      local x, y, z = mesh.positions:row(index + 1)
      list[#list + 1] = { m[1] * x + m[5] * y + m[9] * z + m[13], m[2] * x + m[6] * y + m[10] * z + m[14],
        m[3] * x + m[7] * y + m[11] * z + m[15] }
    end
  end
  return list
end

-- That a group has the triangles of points, moved by each list of steps.
local function compare(doc, wanted, off)
  local got, n = corners(doc), 0
  for _, one in ipairs(wanted) do
    for i = 3, #one.points do
      for _, v in ipairs { 1, i - 1, i } do
        n = n + 1
        near(moved(one.points[v], one.steps), assert(got[n], "too few triangles"), off or 1e-5)
      end
    end
  end
  assert.equal(n, #got)
end

local function assert_sound_of(sources)
  local doc = group(sources)
  assert_sound(doc)
  return doc
end

-- ---- what it makes ---------------------------------------------------------------------------------------

describe("a group made of models", function()
  it("is laid out as the game's tools do it", function()
    local source = opened { model.shape { points = POINTS, alpha = { flags = 4845, threshold = 77 },
      shader = { body = { glossiness = 0.25, grayscale_to_palette = 0.5 } } } }
    local doc, report = group { { nif = source, position = { 10, 20, 30 }, scale = 2 } }
    assert_sound(doc)
    local types = {}
    for i, block in ipairs(doc.blocks) do types[i] = block.type end
    assert.same({ "BSFadeNode", "NiNode", "BSTriShape", "BSPackedCombinedGeomDataExtra", "BSLightingShaderProperty",
      "BSShaderTextureSet", "NiAlphaProperty" }, types)
    local root, node, shape, packed, shader, textures, alpha = table.unpack(doc.blocks, 1, 7)
    assert.same({ GROUP, 0x400E, "", 14, "", 0x20E }, { root.name, root.flags, node.name, node.flags, shape.name,
      shape.flags })
    assert.is_true(root == doc.footer.roots[1] and root.children[1] == node and node.children[1] == shape)
    assert.is_true(shape.extra_data_list[1] == packed and shape.shader_property == shader
      and shape.alpha_property == alpha and shader.body.texture_set == textures)
    assert.same({ model.FULL_LONG, 5, 3, 0 }, { shape.vertex_desc, shape.num_vertices, shape.num_triangles,
      shape.data_size })
    assert.same({ "PCD", "inline", model.FULL_LONG, 5, 3, 0, 0 }, { packed.name, packed.layout, packed.vertex_desc,
      packed.num_vertices, packed.num_triangles, packed.leaf_amplitude, packed.leaf_frequency })
    local one = packed.data[1]
    assert.same({ 5, 3, 3, 0, 0, 0, 0, 0, 1, model.LONG }, { one.num_vertices, one.lod_levels, one.tri_count0,
      one.tri_offset0, one.tri_count1, one.tri_offset1, one.tri_count2, one.tri_offset2, one.num_combined,
      one.vertex_desc })
    assert.same({ "Materials\\wood.bgsm", 0.25, "wood_d.dds", 4845, 77 }, { shader.name, shader.body.glossiness,
      textures.textures[1], alpha.flags, alpha.threshold })
    -- Vertices are the source's bytes.
    assert.equal(lathe.pack(source.blocks[2].vertices), lathe.pack(one.vertices))
    -- The shape is around the middle of what is drawn: x -1 .. 2, y -2 .. 4, z -4.5 .. 8, twice as large.
    assert.same({ 11, 22, 33.5 }, { shape.translation[1], shape.translation[2], shape.translation[3] })
    assert.same({ 0, 0, 0 }, { shape.bounds.center[1], shape.bounds.center[2], shape.bounds.center[3] })
    assert.is_near(2 * math.sqrt(1.5 ^ 2 + 3 ^ 2 + 6.25 ^ 2), shape.bounds.radius, 1e-5)
    -- An instance has the sphere of the source.
    local instance = one.combined[1]
    assert.same({ 0.5, 12, 24, 36, 128 }, { instance.grayscale_to_palette, instance.bounds.center[1],
      instance.bounds.center[2], instance.bounds.center[3], instance.bounds.radius })
    assert.same({ 7, 1, 1, 1, 5, 3, {} }, { report.changed, report.shapes, report.objects, report.instances,
      report.vertices, report.triangles, report.skipped })
  end)

  it("draws its sources where they are placed: nodes, angles and scales", function()
    local inner, outer = rotation(0.3, -0.2, 1), rotation(0, 0.7, 0)
    local source = opened({
      model.shape { points = POINTS, translation = { 1, 2, 3 }, rotation = rows(inner), scale = 0.5 },
      model.shape { points = POINTS, material = "iron", vertex_desc = model.SHORT,
        node = { translation = { -4, 0, 9 }, rotation = rows(outer), scale = 3 } },
    }, { translation = { 0, 0, 5 } })
    local sources = { { nif = source, position = { 100, -200, 50 }, rotation = { 0.1, 0.2, 0.3 }, scale = 1.5 },
      { nif = source, rotation = { -1, 2.5, 3 } }, { nif = source, position = { -8192, 4096.5, 12 } } }
    local doc, report = group(sources)
    local bytes, wanted = assert_sound(doc), {}
    local root = { translation = { 0, 0, 5 } }
    for _, one in ipairs(sources) do
      wanted[#wanted + 1] = { points = POINTS, steps = { { rotation = inner, scale = 0.5, translation = { 1, 2, 3 } },
        root, placed(one) } }
    end
    for _, one in ipairs(sources) do
      wanted[#wanted + 1] = { points = POINTS, steps = { { rotation = outer, scale = 3, translation = { -4, 0, 9 } },
        root, placed(one) } }
    end
    compare(doc, wanted)
    assert.same({ 2, 2, 6 }, { report.shapes, report.objects, report.instances })
    -- The centre that an instance has is that of the object, moved.
    for _, block in ipairs(reader.read(bytes)) do
      for _, instance in ipairs(block.objects[1].instances) do
        near(instance.center, reader.moved(instance, { 1, 2, 3 }), 1e-5)
      end
    end
  end)

  it("gives instances the sphere of a shape's vertices where its own does not hold them", function()
    for _, bounds in ipairs { { center = { 0, 0, 0 }, radius = 0 }, { center = { 1, 2, 3 }, radius = 5 },
      { center = { 0 / 0, 0, 0 }, radius = 99 }, { center = { 0, 0, 0 }, radius = math.huge } } do
      local doc = assert_sound_of { { nif = opened { model.shape { points = POINTS, bounds = bounds } }, scale = 2 } }
      local b = packed_of(doc)[1].data[1].combined[1].bounds
      assert.same({ 1, 2, 3.5 }, { b.center[1], b.center[2], b.center[3] })
      assert.is_near(2 * math.sqrt(1.5 ^ 2 + 3 ^ 2 + 6.25 ^ 2), b.radius, 1e-5)
    end
  end)

  it("turns clockwise around x, y and z, x first", function()
    local quarter = math.pi / 2
    local source = opened { model.shape { points = POINTS } }
    local function stored(a, b, c)
      local flat = {}
      local m = packed_of((group { { nif = source, rotation = { a, b, c } } }))[1].data[1].combined[1].transform.rotation
      for i = 1, 9 do flat[i] = math.floor(m[i] * 1e6 + 0.5) / 1e6 + 0.0 end
      return flat
    end
    assert.same({ 1, 0, 0, 0, 0, 1, 0, -1, 0 }, stored(quarter, 0, 0))
    assert.same({ 0, 0, -1, 0, 1, 0, 1, 0, 0 }, stored(0, quarter, 0))
    assert.same({ 0, 1, 0, -1, 0, 0, 0, 0, 1 }, stored(0, 0, quarter))
    -- (Rz(0.3) * Ry(0.2) * Rx(0.1)) transposed, worked out elsewhere.
    assert.same({ 0.936293, 0.289629, -0.198669, -0.275096, 0.956425, 0.097843, 0.218351, -0.036957, 0.97517 },
      stored(0.1, 0.2, 0.3))
  end)

  it("has a shape for each material and layout of vertices", function()
    local function shape(fields)
      fields.points = POINTS
      return model.shape(fields)
    end
    local one = opened { shape {}, shape { material = "iron" }, shape {}, shape { vertex_desc = model.SHORT },
      shape { textures = { textures = { "other_d.dds" } } }, shape { shader = { body = { glossiness = 0.5 } } },
      shape { alpha = {} } }
    local other = opened { shape { vertex_desc = model.FULL_LONG }, shape { alpha = { threshold = 1 } } }
    local doc, report = group { { nif = one }, { nif = other }, { nif = other }, { nif = one, leaf = { 0.5, 2 } } }
    assert_sound(doc)
    -- As `one` has them, the alpha of `other`, and all of `one` with other leaves.
    assert.same({ 6 + 1 + 6, 7 + 1 + 1 + 7, 18 }, { report.shapes, report.objects, report.instances })
    local packed = packed_of(doc)
    assert.same({ 3, 1, 2 }, { #packed[1].data, packed[1].data[1].num_combined, packed[1].data[3].num_combined })
    assert.same({ 0, 0.5, 2 }, { packed[7].leaf_amplitude, packed[8].leaf_amplitude, packed[8].leaf_frequency })
    assert.same({ model.FULL_SHORT, model.SHORT }, { packed[3].vertex_desc, packed[3].data[1].vertex_desc })
    assert.equal("Materials\\iron.bgsm", of_type(doc, "BSLightingShaderProperty")[2].name)
  end)

  it("is split where a shape would have more than 65,534 vertices", function()
    local points = {}
    for i = 1, 10922 do points[i] = { i % 100, i // 100, 0 } end
    local source, sources = opened { model.shape { points = points, vertex_desc = model.SHORT } }, {}
    for i = 1, 13 do sources[i] = { nif = source, position = { 0, 0, i } } end
    local doc, report = group(sources)
    assert.same({ 3, 3, 13, 13 * 10922 }, { report.shapes, report.objects, report.instances, report.vertices })
    local counts = {}
    for i, packed in ipairs(packed_of(doc)) do counts[i] = packed.num_vertices end
    assert.same({ 65532, 65532, 10922 }, counts)
    assert.same({ true, {} }, { doc:check() })
    points[65535] = { 0, 0, 0 }
    for i = 10923, 65534 do points[i] = { 0, 0, 0 } end
    local triangles = { { 0, 1, 2 } }
    local large = opened { model.shape { points = points, triangles = triangles, vertex_desc = model.SHORT },
      model.shape { points = table.move(points, 1, 65534, 1, {}), triangles = triangles, vertex_desc = model.SHORT } }
    doc, report = group { { nif = large } }
    assert.equal(65534, packed_of(doc)[1].num_vertices)
    assert.matches("blocks[2]: it has 65535 vertices, and a precombined shape has at most 65534", skipped_of(report), 1,
      true)
  end)

  it("keeps bands, and says in its flags that it has some", function()
    local function lod(counts, more)
      local fields = { type = "BSMeshLODTriShape", points = POINTS, lod0_triangles = counts[1],
        lod1_triangles = counts[2], lod2_triangles = counts[3] }
      for key, value in pairs(more or {}) do fields[key] = value end
      return model.shape(fields)
    end
    local source = opened { lod { 0, 2, 1 }, model.shape { points = POINTS }, lod({ 1, 1, 0 }, { material = "iron" }) }
    local doc, report = group { { nif = source }, { nif = source, position = { 0, 0, 9 } } }
    local bytes = assert_sound(doc)
    local shape, packed = of_type(doc, "BSMeshLODTriShape")[1], packed_of(doc)[1]
    assert.same({ 2 * 3, 2 * 2, 2 * 1, 12 }, { shape.lod0_triangles, shape.lod1_triangles, shape.lod2_triangles,
      shape.num_triangles })
    assert.same({ 0x500E, 0x100E, 0x120E }, { doc.blocks[1].flags, doc.blocks[2].flags, shape.flags })
    local one, plain = packed.data[1], packed.data[2]
    assert.same({ 3, 0, 0, 2, 0, 1, 6 }, { one.lod_levels, one.tri_count0, one.tri_offset0, one.tri_count1,
      one.tri_offset1, one.tri_count2, one.tri_offset2 })
    assert.same({ 3, 3, 0, 0, 0, 0 }, { plain.lod_levels, plain.tri_count0, plain.tri_count1, plain.tri_offset1,
      plain.tri_count2, plain.tri_offset2 })
    assert.same({ 2, 3 }, { #reader.world(reader.read(bytes)[1].objects[1], { rotation = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
      scale = 1, translation = { 0, 0, 0 } }, 2), #plain.triangles })
    assert.matches("blocks[8]: its bands have 2 triangles, and it has 3", skipped_of(report), 1, true)
  end)

  it("is the same bytes each time, and does not change its sources", function()
    local function source()
      return opened { model.shape { points = POINTS, material = "iron" }, model.shape { points = POINTS },
        model.shape { points = POINTS, vertex_desc = model.COLOUR, alpha = {} } }
    end
    local one, other = source(), source()
    local was = one:encode()
    local first = assert_sound((group { { nif = one }, { nif = other, scale = 2 } }))
    local second = assert_sound((group { { nif = source() }, { nif = source(), scale = 2 } }))
    assert.is_true(first == second)
    assert.is_true(was == one:encode() and not one.modified)
  end)

  it("takes files, which are read once each, and documents", function()
    local path = helper.write(helper.tmpdir() .. "/a.nif", model.build { model.shape { points = POINTS } })
    local doc, report = group { { nif = path }, { nif = path, scale = 2 }, { nif = assert(lathe.open(path)) } }
    assert_sound(doc)
    assert.same({ 1, 2, 3 }, { report.shapes, report.objects, report.instances })
  end)

  it("comes behind what a group has already, and is undone as one", function()
    local source = opened { model.shape { points = POINTS } }
    local first = assert_sound((group { { nif = source } }))
    local doc = assert(lathe.parse(first, { history = 3 }))
    local report = assert(doc:precombine({ { nif = source, position = { 5, 0, 0 } } }))
    assert.same({ 4, 2, 2 }, { report.changed, #of_type(doc, "BSTriShape"), #doc.blocks[2].children })
    assert.equal(GROUP, doc.blocks[1].name)
    assert_sound(doc)
    compare(doc, { { points = POINTS, steps = {} }, { points = POINTS, steps = { { translation = { 5, 0, 0 } } } } })
    assert.is_true(doc:undo())
    assert.equal(first, doc:encode())
    assert(doc:precombine({ { nif = source } }, { cell = 0xAB, key = 1 }))
    assert.equal("000000AB_00000001_OC", doc.blocks[1].name)
  end)
end)

describe("positions in a group", function()
  it("are half floats: those of floats are rounded, and the report says how far", function()
    local points = { { 0.1, 2049.5, -1e-6 }, { 1 / 3, 65504, 0 }, { 2051, 2053, -0.0 }, { 6.1e-5, 3e-8, 2.9e-8 } }
    local source = opened { model.shape { points = points, vertex_desc = model.FULL_COLOUR } }
    local doc, report = group { { nif = source } }
    assert_sound(doc)
    local one = packed_of(doc)[1].data[1]
    assert.same({ model.COLOUR, 0.0999755859375, 2050, -17 * 2.0 ^ -24, 0.333251953125, 65504, 0, 2052, 2052, 0 },
      { one.vertex_desc, table.unpack(one.positions:totable(), 1, 9) })
    assert.same({ 1023 * 2.0 ^ -24, 2.0 ^ -24, 0 }, { one.positions:row(4) }) -- to the nearest, not to a fixed side
    assert.same({ "positions of 1 shape are rounded to half floats, by up to 1 game units" }, report.warnings)
    local was, is = source.blocks[2].vertices[3], one.vertices[3]
    for _, field in ipairs { "uv", "normal", "tangent", "color", "bitangent_x", "bitangent_y", "bitangent_z" } do
      local function plain(v) return lathe.type(v) and lathe.totable(v) or v end
      assert.same(plain(was[field]), plain(is[field]), field)
    end
    source = opened { model.shape { points = POINTS, vertex_desc = model.FULL_SHORT } }
    source.blocks[2].vertices[1].bitangent_x, source.blocks[2].vertices[2].bitangent_x = 0 / 0, 1e9
    doc, report = group { { nif = source } }
    assert.same({ 0, 0, 0.5, 0.5, 0.5 }, lathe.tobuffer(packed_of(doc)[1].data[1].vertices, "bitangent_x"):totable())
    assert.is_nil(report.warnings)
    compare(doc, { { points = POINTS, steps = {} } }, 0)
  end)

  it("stay out where they do not fit", function()
    for _, z in ipairs { 65520, -1e9, 0 / 0, math.huge } do
      for _, desc in ipairs(z ~= z and { model.FULL_LONG, model.LONG } or { model.FULL_LONG }) do
        local source = opened { model.shape { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, z } }, vertex_desc = desc },
          model.shape { points = POINTS } }
        local doc, report = group { { nif = source } }
        assert_sound(doc)
        assert.equal(1, report.instances)
        assert.matches("blocks%[2%]: vertex 3 at 1, 1, .* does not fit into half floats, which end at 65504",
          skipped_of(report))
      end
    end
    assert.is_truthy(group { { nif = opened { model.shape { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 65519 } },
      vertex_desc = model.FULL_LONG } } } })
  end)
end)

describe("models of the game in a group #corpus", function()
  -- How many corners triangles have, the box around them, and their middle.
  local function figures(doc)
    local all, low, high, sum = corners(doc), { 1e9, 1e9, 1e9 }, { -1e9, -1e9, -1e9 }, { 0, 0, 0 }
    for _, p in ipairs(all) do
      for i = 1, 3 do low[i], high[i], sum[i] = math.min(low[i], p[i]), math.max(high[i], p[i]), sum[i] + p[i] end
    end
    for i = 1, 3 do sum[i] = sum[i] / #all end
    return #all, low, high, sum
  end

  it("are sound, and where they were", function()
    local folder, combined, whole = helper.need_corpus("nif-fo4-collision", pending), 0, 0
    for _, name in ipairs(helper.list(folder, "%.nif$")) do
      local doc = assert(lathe.open(folder .. "/" .. name))
      local made, report = group { { nif = doc } }
      if made then
        assert_sound(made)
        combined = combined + 1
      end
      if made and #report.skipped == 0 then
        local n, low, high, middle = figures(doc)
        local n2, low2, high2, middle2 = figures(made)
        assert.equal(n, n2, name)
        near(low, low2, 1e-4)
        near(high, high2, 1e-4)
        near(middle, middle2, 1e-4)
        whole = whole + 1
      end
    end
    assert(combined >= 20 and whole >= 15, ("%d combined, %d of them whole"):format(combined, whole))
  end)
end)
