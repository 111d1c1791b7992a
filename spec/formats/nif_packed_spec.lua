-- Precombined geometry of Fallout 4: the three layouts of its blocks, told apart by where they end; edits in each; what
-- is damaged stays as it is.

local compare = require "nif_compare"
local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"
local reader = require "packed_reader"
local sample = require "sample_nif"

local INLINE <const>, SHARED <const> = "BSPackedCombinedGeomDataExtra", "BSPackedCombinedSharedGeomDataExtra"
local BITS = { inline = 1, shared = 2, ["inline+table"] = 3 }
local HALF <const> = 4
-- Position and normal; position, uv, normal and tangent; the latter with positions said to be floats.
local SHORT <const>, LONG <const>, FULL <const> = 0x0000900000020003, 0x0001B00000430205, 0x0041B00000650407

local function instance(x)
  return { grayscale_to_palette = 1, bounds = { center = { x, 1, 2 }, radius = 3 },
    transform = { rotation = { 0, -1, 0, 1, 0, 0, 0, 0, 1 }, translation = { x, 0, -0.5 }, scale = 2 } }
end

local function vertex(i, long)
  return { position = { x = i, y = 0.5, z = -i }, bitangent_x = 1, uv = long and { u = 0.25, v = 2 } or nil,
    normal = { x = 1, y = -1, z = 1 }, bitangent_y = -1, tangent = long and { x = -1, y = 1, z = -1 } or nil,
    bitangent_z = long and 1 or nil }
end

-- An object with n vertices and instances.
local function object(desc, n)
  local one = { num_vertices = n, lod_levels = 3, tri_count0 = n - 2, tri_offset0 = 0, tri_count1 = 1,
    tri_offset1 = 3 * (n - 2), tri_count2 = 0, tri_offset2 = 3 * (n - 1), num_combined = n, combined = {},
    vertex_desc = desc, vertices = {}, triangles = {} }
  for i = 1, n do
    one.combined[i], one.vertices[i] = instance(i), vertex(i, desc ~= SHORT)
    if i > 1 then one.triangles[i - 1] = { 0, i - 2, i - 1 } end
  end
  return one
end

-- A block of a layout, as nested values, for sample_nif.
local function packed(type_name, layout, objects, half)
  local block = { type = type_name, layout_bits = BITS[layout] | (half and HALF or 0), name = "PCD", vertex_desc = FULL,
    num_vertices = 0, num_triangles = 0, leaf_amplitude = 0.5, leaf_frequency = 0.25, num_data = #objects,
    data = objects, objects = {} }
  for i in ipairs(objects) do block.objects[i] = { geometry_file_hash = 0xDDF19A67, data_offset = 100 * i } end
  if layout == "inline" then block.objects = nil end
  for _, one in ipairs(objects) do
    if layout == "shared" then one.vertices, one.triangles = nil, nil end
  end
  return block
end

local function file_with(block)
  return sample.build { game = "fo4", strings = { "PCD" },
    blocks = { { type = "NiNode", name = "Root" }, block, { type = "NiNode", name = "Last" } } }
end

local function open(block)
  local bytes = file_with(block)
  local doc = assert(lathe.parse(bytes))
  return doc, doc.blocks[2], bytes
end

describe("packed geometry", function()
  for _, type_name in ipairs { INLINE, SHARED } do
    for layout in pairs(BITS) do
      for _, half in ipairs(layout == "shared" and { false } or { false, true }) do
        it(("is told by where it ends: %s, %s%s"):format(type_name, layout, half and ", halves" or ""), function()
          local made = packed(type_name, layout, { object(half and FULL or SHORT, 3), object(LONG, 4) }, half)
          local doc, block, bytes = open(made)
          assert.is_nil(lathe.problem(block))
          assert.same({ type_name, layout, half }, { block.type, block.layout, block.half_stored })
          made.layout_bits = nil
          assert.is_nil(compare.difference(made, block:totable(), type_name))
          assert.equal(layout ~= "inline", block.objects ~= nil)
          assert.equal(layout ~= "shared", block.data[1].vertices ~= nil)
          assert.equal(bytes, doc:encode())
          assert.equal(bytes, assert(lathe.new("nif", doc:totable())):encode())
        end)
      end
    end
  end

  it("with a table and no geometry at all is shared", function()
    local empty = object(SHORT, 3)
    empty.num_vertices, empty.tri_count0, empty.tri_count1, empty.vertices, empty.triangles = 0, 0, 0, {}, {}
    for _, type_name in ipairs { INLINE, SHARED } do
      local _, block = open(packed(type_name, "inline+table", { empty }))
      assert.equal("shared", block.layout)
    end
  end)

  it("has bytes for vertices whose descriptor does not add up", function()
    local one = object(SHORT, 3)
    one.vertex_desc = SHORT + 1                   -- four bytes that nothing names
    local doc, block, bytes = open(packed(INLINE, "inline", { one }))
    assert.same({ "inline", 16 }, { block.layout, #block.data[1].vertices[3].bytes })
    assert.equal(bytes, doc:encode())
  end)

  it("keeps its layout: that cannot be set", function()
    local doc, block = open(packed(SHARED, "inline+table", { object(SHORT, 3) }))
    block.layout = "inline+table"
    assert.is_false(doc.modified)
    for _, value in ipairs { "inline", 2 } do
      local ok, err = pcall(function() block.layout = value end)
      assert.is_false(ok)
      assert.matches("blocks[2].layout", tostring(err), 1, true)
      assert.matches("read-only: it is how the block is laid out", tostring(err), 1, true)
    end
    local row
    for _, field in ipairs(lathe.describe(block)) do
      if field.name == "layout" then row = field end
    end
    assert.is_true(row.readonly)
  end)

  it("is made in the layout that a table says, else as its type says", function()
    local doc = assert(lathe.new("nif", { bs_version = 130, blocks = {} }))
    local function added(t) return doc.blocks:append(t) end
    assert.equal("inline", added({ type = INLINE }).layout)
    assert.equal("shared", added({ type = SHARED }).layout)
    local one = object(FULL, 3)
    local block = added { type = SHARED, layout = "inline+table", half_stored = true, data = { one },
      objects = { { geometry_file_hash = 1, data_offset = 2 } } }
    assert.same({ "inline+table", true, 3, 2 }, { block.layout, block.half_stored, #block.data[1].vertices,
      block.objects[1].data_offset })
    local again = assert(lathe.parse(doc:encode())).blocks[3]
    assert.same(block:totable(), again:totable())
    assert.has_error(function() added { type = INLINE, layout = "outline" } end)
    assert.equal(3, #doc.blocks)
    local copy = added(block)                     -- a view keeps all of it
    assert.same(block:totable(), copy:totable())
    doc.blocks[1] = { type = INLINE, layout = "inline+table" }
    assert.equal("inline+table", doc.blocks[1].layout)
    doc.blocks[1] = { leaf_amplitude = 2 }        -- what the table lacks stays
    assert.same({ "inline+table", 2 }, { doc.blocks[1].layout, doc.blocks[1].leaf_amplitude })
  end)

  for layout in pairs(BITS) do
    it("is edited in place, and undone: " .. layout, function()
      local type_name = layout == "inline" and INLINE or SHARED
      local bytes = file_with(packed(type_name, layout, { object(FULL, 3), object(LONG, 4) }, layout ~= "shared"))
      local doc = assert(lathe.parse(bytes, { history = 9 }))
      local block = doc.blocks[2]
      local held = block.data[2]
      doc:edit(function()
        block.data[1].combined:append(instance(9))
        block.data[1].combined:remove(1)
        block.data[1].combined:remove(1)
        if layout ~= "shared" then
          block.data[1].vertices[2].position.x = 77
          block.data[1].tri_count0 = 2            -- which makes a triangle of the band
          block.data[1].triangles[3] = { 0, 1, 2 }
        end
        block.data:remove(2)
        local new = object(SHORT, 5)
        if layout == "shared" then new.vertices, new.triangles = nil, nil end
        block.data:append(new)
      end)
      assert.has_error(function() return held.num_vertices end, "PackedGeom was removed")
      assert.same({ layout, 2, 5, 2 }, { block.layout, #block.data, block.data[2].num_combined,
        block.data[1].num_combined })
      assert.equal(9, block.data[1].combined[2].transform.translation.x)
      local again = assert(lathe.parse(doc:encode())).blocks[2]
      assert.same(block:totable(), again:totable())
      assert.is_true(doc:undo())
      assert.equal(bytes, doc:encode())
      assert.equal(layout, doc.blocks[2].layout)
    end)
  end
end)

-- Whether a point of a mesh, put where its transform says, is a point of the world.
local function put_at(m, x, y, z, wanted)
  for row = 1, 3 do
    local got = m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]
    local off = math.abs(wanted[row] - got)
    if off > 1e-3 + 1e-6 * math.abs(got) or off ~= off then error(("%.9g instead of %.9g"):format(got, wanted[row])) end
  end
end

local function compare_mesh(mesh, wanted)
  local positions, indices, m = mesh.positions:totable(), mesh.indices:totable(), mesh.transform
  assert.equal(3 * #wanted, #indices)
  for i, triangle in ipairs(wanted) do
    for k = 1, 3 do
      local v = 3 * indices[3 * i - 3 + k]
      put_at(m, positions[v + 1], positions[v + 2], positions[v + 3], triangle[k])
    end
  end
end

-- Compares doc:meshes() with what the plain reader says, triangle by triangle; how many there were.
local function compare_meshes(doc, bytes)
  local next_mesh, total = doc:meshes(), 0
  for _, block in ipairs(reader.read(bytes)) do
    for _, one in ipairs(block and block.objects or {}) do
      for _, place in ipairs(one.positions and one.instances or {}) do
        local wanted = reader.world(one, place)
        compare_mesh(assert(next_mesh()), wanted)
        total = total + #wanted
      end
    end
  end
  assert.is_nil(next_mesh())
  return total
end

describe("meshes of packed geometry", function()
  it("are its instances, where their own transforms put them", function()
    for _, half in ipairs { false, true } do
      local block = packed(INLINE, "inline", { object(FULL, 3), object(LONG, 5) }, half)
      local bytes = sample.build { game = "fo4", strings = { "PCD" }, blocks = {
        { type = "NiNode", name = "Root", translation = { 100, 0, 0 }, children = { 1 } },
        { type = "BSTriShape", name = "Bucket", translation = { 7, 8, 9 }, extra_data_list = { 2 } }, block } }
      local doc = assert(lathe.parse(bytes))
      assert.equal(2 * 3 + 4 * 5, compare_meshes(doc, bytes))
      local mesh = doc:meshes()()
      assert.same({ "Bucket", "z", true }, { mesh.name, mesh.up, mesh.normals ~= nil })
    end
  end)

  it("are not told of geometry in another file: an error names it", function()
    local doc = assert(lathe.parse((sample.build { game = "fo4", strings = { "PCD" }, blocks = {
      { type = "BSTriShape", extra_data_list = { 1 } }, packed(SHARED, "shared", { object(SHORT, 3) }) } })))
    local ok, err = pcall(doc:meshes())
    assert.is_false(ok)
    assert.matches("blocks[2].data[1]", tostring(err), 1, true)
    assert.matches("its geometry is in another file (name hash 0xDDF19A67), which is not looked for",
      tostring(err), 1, true)
    local path = helper.write(helper.tmpdir() .. "/a.nif", doc:encode())
    assert.matches("mesh 1 +its geometry is in another file %(name hash 0xDDF19A67%), which is not looked for",
      helper.lathe({ "info", path }).out)
  end)

  it("have no triangles where a transform is no number", function()
    local block = packed(INLINE, "inline", { object(SHORT, 3) })
    block.data[1].combined[2].transform.translation = { 0 / 0, 0, 0 }
    local doc = assert(lathe.parse((sample.build { game = "fo4", strings = { "PCD" }, blocks = {
      { type = "BSTriShape", extra_data_list = { 1 } }, block } })))
    local rows = {}
    for mesh in doc:meshes() do rows[#rows + 1] = mesh.indices.rows end
    assert.same({ 2, 0, 2 }, rows)
  end)
end)

describe("buffers of a packed object", function()
  it("are read and written", function()
    for _, half in ipairs { false, true } do
      local doc, block = open(packed(INLINE, "inline", { object(FULL, 3), object(LONG, 4) }, half))
      local one, other = block.data[1], block.data[2]
      assert.same({ 1, 0.5, -1, 2, 0.5, -2, 3, 0.5, -3 }, one.positions:totable())
      assert.same({ 0.25, 2 }, { one.uvs:row(1) })
      assert.is_nil(one.colors)
      local held = other.vertices[4]
      one.positions = { { 4, 5, 6 }, { 7, 8, 9 }, { 10, 11, 12 }, { 13, 14, 15 } }
      assert.same({ 4, 13, 4 }, { one.num_vertices, one.vertices[4].position.x, held.position.x })
      one.colors = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 1, 0 } }
      assert.same({ 1, 1, 1, 0 }, { one.colors:row(4) })
      one.normals = nil
      assert.same({ false, false, true }, { one.normals ~= nil, one.tangents ~= nil, one.colors ~= nil })
      local again = assert(lathe.parse(doc:encode())).blocks[2]
      assert.same({ "inline", half, block:totable() }, { again.layout, again.half_stored, again:totable() })
    end
  end)

  it("make vertices of an object that has none", function()
    local doc = assert(lathe.new("nif", { bs_version = 130, blocks = { { type = INLINE, data = { {} } } } }))
    local one = doc.blocks[1].data[1]
    assert.is_nil(one.positions)
    one.positions = { { 1, 2, 3 }, { 4, 5, 6 } }
    assert.same({ 1, 2, 3, 4, 5, 6 }, assert(lathe.parse(doc:encode())).blocks[1].data[1].positions:totable())
    local shared = doc.blocks:append { type = SHARED, data = { {} } }
    local ok, err = pcall(function() shared.data[1].positions = { { 1, 2, 3 } } end)
    assert.is_false(ok)
    assert.matches("the object's vertices are in a geometry file", tostring(err), 1, true)
  end)
end)

describe("packed geometry that fits no layout", function()
  local good, info = sample.build { game = "fo4", strings = { "PCD" }, blocks = {
    packed(INLINE, "inline", { object(LONG, 4), object(SHORT, 3) }), { type = "NiNode", name = "Last" } } }
  local at, size = info.blocks[1].at, info.blocks[1].size

  -- The file with other bytes in the block's place.
  local function opened(bytes)
    local doc = assert(lathe.parse((sample.build { game = "fo4", strings = { "PCD" }, blocks = {
      { type = INLINE, bytes = bytes }, { type = "NiNode", name = "Last" } } })))
    assert.equal("Last", doc.blocks[2].name)
    local block = doc.blocks[1]
    assert.equal(lathe.problem(block) == nil, block.layout ~= nil)
    assert.equal(bytes, lathe.bytes(block))
    assert.same(INLINE, block.type)
    return block, doc
  end

  it("is opaque, and says why", function()
    local block, doc = opened(good:sub(at + 1, at + size) .. "\0")
    assert.matches(("blocks[1] at 0x%x: unrecognised packed geometry: %d bytes that fit none of the layouts inline, "
      .. "shared and inline+table"):format(at, size + 1), tostring(lathe.problem(block)), 1, true)
    assert.is_nil(block.layout)
    assert.is_nil(block.data)
    local ok, list = doc:check()
    assert.is_nil(ok)
    assert.matches("unrecognised packed geometry", tostring(list[1]), 1, true)
    assert.equal(doc:encode(), assert(lathe.new("nif", doc:totable())):encode())
  end)

  it("or another one, cut anywhere", function()
    for n = 0, size - 1 do
      local block = opened(good:sub(at + 1, at + n))
      assert.is_nil(block.layout, n .. " bytes")
    end
  end)

  it("with any count of 0xFFFFFFFF", function()
    local bytes = good:sub(at + 1, at + size)
    for _, offset in ipairs { 28, 32, 40, 48, 56, 64 } do -- num_data, num_vertices, the bands, num_combined
      local block = opened(sample.patch(bytes, offset, "\255\255\255\255"))
      assert.is_nil(block.layout, "offset " .. offset)
    end
    assert.is_nil(opened(sample.patch(bytes, 40, "\0\0\0\128\0\0\0\0\0\0\0\128")).layout) -- together 2^32
  end)
end)

describe("packed geometry of the corpus #corpus", function()
  local function crc32(bytes)
    local crc = 0xFFFFFFFF
    for i = 1, #bytes do
      crc = crc ~ bytes:byte(i)
      for _ = 1, 8 do crc = crc >> 1 ~ (0xEDB88320 & -(crc & 1)) end
    end
    return crc ~ 0xFFFFFFFF
  end

  local function near(wanted, got, what)
    for i, v in ipairs(wanted) do
      local x = got[i]
      assert(math.abs(v - x) <= 1e-6 * math.max(1, math.abs(v)), ("%s[%d]: %.9g instead of %.9g"):format(what, i, x, v))
    end
  end

  local function check_instance(wanted, got)
    assert.equal(wanted.grayscale, got.grayscale_to_palette)
    for row = 1, 3 do
      for column = 1, 3 do
        near({ wanted.rotation_rows[row][column] }, { got.transform.rotation[3 * row + column - 3] }, "rotation")
      end
    end
    near(wanted.translation, got.transform.translation, "translation")
    near({ wanted.scale, wanted.bound_radius }, { got.transform.scale, got.bounds.radius }, "scale and radius")
    near(wanted.bound_center, got.bounds.center, "bound_center")
  end

  local function check_object(doc, wanted, got, entry)
    assert.same({ wanted.file_hash, wanted.data_offset },
      { entry and entry.geometry_file_hash, entry and entry.data_offset })
    assert.same({ wanted.num_vertices, wanted.lod_levels, wanted.tri_counts, wanted.vertex_desc, #wanted.instances },
      { got.num_vertices, got.lod_levels, { got.tri_count0, got.tri_count1, got.tri_count2 },
        ("0x%016X"):format(got.vertex_desc), got.num_combined })
    for i, one in ipairs(wanted.instances) do check_instance(one, got.combined[i]) end
    if not got.vertices then return end
    local bytes = doc:encode()
    for _, row in ipairs { { "vertices", "vertex_bytes_crc32" }, { "triangles", "triangle_bytes_crc32" } } do
      local from, size = lathe.span(got, row[1])
      assert.equal(wanted[row[2]], crc32(bytes:sub(from + 1, from + size)), row[1])
    end
    near(wanted.first_position, got.vertices[1].position, "first_position")
    near(wanted.last_position, got.vertices[#got.vertices].position, "last_position")
  end

  local function check_shape(doc, wanted, layout)
    local block = doc.blocks[wanted.packed_block + 1]
    assert.same({ wanted.packed_type, layout, wanted.packed_size, wanted.vertex_desc, wanted.num_vertices,
      wanted.num_triangles }, { block.type, block.layout, #lathe.bytes(block), ("0x%016X"):format(block.vertex_desc),
      block.num_vertices, block.num_triangles })
    near(wanted.leaf, { block.leaf_amplitude, block.leaf_frequency }, "leaf")
    assert.equal(#wanted.objects, #block.data)
    for i, one in ipairs(wanted.objects) do
      check_object(doc, one, block.data[i], block.objects and block.objects[i])
    end
  end

  it("has the figures of an independent program", function()
    local folder = helper.need_corpus("precombined", pending)
    for _, name in ipairs(helper.list(folder, "%.nif$")) do
      local bytes = helper.read(folder .. "/" .. name)
      local figures = assert(json.decode(helper.read(("%s/%s.json"):format(folder, name)), 1, nil))
      local doc <close> = assert(lathe.parse(bytes))
      for _, wanted in ipairs(figures.shapes or {}) do check_shape(doc, wanted, figures.layout) end
      if not figures.layout then
        local block = doc.blocks[figures.packed_block + 1]
        assert.matches("unrecognised packed geometry", tostring(lathe.problem(block)), 1, true)
        for i, other in ipairs(doc.blocks) do
          if i ~= figures.packed_block + 1 then assert.is_nil(lathe.problem(other)) end
        end
      end
      if figures.layout then assert.same({ true, {} }, { doc:check() }, name) end
      assert.equal(bytes, doc:encode(), name)
      assert.equal(bytes, assert(lathe.new("nif", doc:totable())):encode(), name)
      if figures.layout ~= "shared" then compare_meshes(doc, bytes) end
      helper.count("precombined", name)
    end
  end)
end)
