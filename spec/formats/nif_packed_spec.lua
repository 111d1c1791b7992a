-- Precombined geometry of Fallout 4: the three layouts of its blocks, told apart by where they end; edits in each; what
-- is damaged stays as it is.

local compare = require "nif_compare"
local compare_meshes = require "packed_meshes"
local geometry_reader = require "geometry_reader"
local lathe = require "lathe"
local made = require "sample_packed"
local outcome = require "outcome"
local sample = require "sample_nif"
local tree = require "lathe.tree"

local INLINE <const>, SHARED <const>, BITS <const> = made.INLINE, made.SHARED, made.BITS
local SHORT <const>, LONG <const>, FULL <const> = made.SHORT, made.LONG, made.FULL
local instance, object, packed, file_with = made.instance, made.object, made.block, made.file

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
          local wanted = packed(type_name, layout, { object(half and FULL or SHORT, 3), object(LONG, 4) }, half)
          local doc, block, bytes = open(wanted)
          assert.is_nil(lathe.problem(block))
          assert.same({ type_name, layout, half }, { block.type, block.layout, block.half_stored })
          wanted.layout_bits = nil
          assert.is_nil(compare.difference(wanted, block:totable(), type_name))
          assert.equal(layout ~= "inline", block.objects ~= nil)
          assert.equal(layout ~= "shared", block.data[1].vertices ~= nil)
          assert.equal(bytes, doc:encode())
          assert.equal(bytes, assert(lathe.new("nif", doc:totable())):encode())
        end)
      end
    end
  end

  it("shows all rows, of which two lie nowhere: they are how the block is laid out", function()
    local doc, block = open(packed(SHARED, "shared", { object(SHORT, 3) }))
    for _, name in ipairs { "layout", "half_stored" } do
      outcome.raises(name .. " is computed: it has no place in the document", function() lathe.span(block, name) end)
    end
    assert.matches("layout +shared", tree.dump(doc, { all = true }))
  end)

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

  it("is read without bits of descriptors that mean nothing", function()
    for top = 1, 3 do                             -- in front of the twelve flags
      local desc, shape_desc = LONG | top << 62, FULL | top << 62
      local doc, block, bytes = open(packed(INLINE, "inline", { object(desc, 4), object(shape_desc, 3) }))
      assert.same({ "inline", false, desc }, { block.layout, block.half_stored, block.data[1].vertex_desc })
      assert.same({ 4, 0.5, -4 }, { block.data[1].positions:row(4) })
      assert.same({ 3, 0.5, -3 }, { block.data[2].positions:row(3) })
      assert.same({ 0.25, 2 }, { block.data[1].uvs:row(4) })
      block.data[1].colors = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 1, 0 } }
      assert.same({ 4, 0.5, -4 }, { block.data[1].positions:row(4) })
      assert.equal(top, block.data[1].vertex_desc >> 62)
      doc:encode()
      local one = object(desc, 4)
      local text = geometry_reader.plain(made.geometry { one })
      local file = assert(lathe.parse(text))
      assert.same({ 4, 0.5, -4 }, { file.rows[1].positions:row(4) })
      local shared = assert(lathe.parse(file_with(packed(SHARED, "shared", { one })),
        { geometry = { [made.HASH] = file } }))
      assert.same({ 4, 0.5, -4 }, { shared.blocks[2].data[1].positions:row(4) })
      assert.equal(bytes, assert(lathe.new("nif", assert(lathe.parse(bytes)):totable())):encode())
    end
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
      assert.equal(9.25, block.data[1].combined[2].transform.translation.x)
      local again = assert(lathe.parse(doc:encode())).blocks[2]
      assert.same(block:totable(), again:totable())
      assert.is_true(doc:undo())
      assert.equal(bytes, doc:encode())
      assert.equal(layout, doc.blocks[2].layout)
    end)
  end

  it("is not edited into what fits no layout: the file would lose it", function()
    local doc, block = open(packed(INLINE, "inline", { object(SHORT, 3) }))
    block.data:append {}
    outcome.refuses(doc, "blocks[2].data[2].vertex_desc at 0x266: 2 vertices of no bytes each "
      .. "(BSPackedCombinedGeomDataExtra)", function() block.data[2].vertices:resize(2) end)
    local shared
    doc, shared = open(packed(SHARED, "shared", { object(SHORT, 3) }))
    shared.data[1].combined:resize(0)             -- the totals would not have room either
    shared.data[1].tri_count0 = 0xFFFFFFFE        -- with the second band's one as many as can be counted
    outcome.refuses(doc, "blocks[2].data[1].tri_count0 at 0x124: 4294967296 triangles are more than "
      .. "4294967295 (BSPackedCombinedSharedGeomDataExtra)", function() shared.data[1].tri_count2 = 1 end)
    local many = { type = SHARED, data = { { tri_count0 = 0xFFFFFFFF, tri_count1 = 1 } } }
    outcome.refuses(doc, "blocks[4].data[1].tri_count0 at 0x1ca: 4294967296 triangles are more than "
      .. "4294967295 (BSPackedCombinedSharedGeomDataExtra)", function() doc.blocks:append(many) end)
  end)
end)

describe("meshes of packed geometry", function()
  it("are its instances, where their own transforms put them", function()
    for _, half in ipairs { false, true } do
      local block = packed(INLINE, "inline", { object(FULL, 3), object(LONG, 5) }, half)
      local bytes = sample.build { game = "fo4", strings = { "PCD" }, blocks = {
        { type = "NiNode", name = "Root", translation = { 100, 0, 0 }, children = { 1 } },
        { type = "BSTriShape", name = "Bucket", translation = { 7, 8, 9 }, extra_data_list = { 2 } }, block } }
      local doc = assert(lathe.parse(bytes))
      assert.same({ 2, 8, 2 * 3 + 4 * 5 }, { compare_meshes(doc, bytes) })
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
    assert.matches("its geometry file is missing: no .csg or .psg whose name has the hash 0xDDF19A67 "
      .. "(Fallout4 - Geometry)", tostring(err), 1, true)
  end)

  it("are not those whose transform is no number", function()
    local block = packed(INLINE, "inline", { object(SHORT, 3) })
    block.data[1].combined[2].transform.translation = { 0 / 0, 0, 0 }
    local doc = assert(lathe.parse((sample.build { game = "fo4", strings = { "PCD" }, blocks = {
      { type = "BSTriShape", extra_data_list = { 1 } }, block } })))
    local paths, left_out = {}, {}
    for mesh in doc:meshes { left_out = left_out } do paths[#paths + 1] = mesh.path end
    assert.same({ "blocks[2].data[1].combined[1]", "blocks[2].data[1].combined[3]" }, paths)
    assert.same({ { path = "blocks[2].data[1].combined[2]", instances = 1,
      reason = "its transform has a number that is not finite" } }, left_out)
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
    assert.matches("the object's geometry is in a geometry file", tostring(err), 1, true)
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
