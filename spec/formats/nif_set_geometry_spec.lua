-- object:set_geometry and block:add_object: geometry of precombined meshes that is in the block, or in a file that others
-- share.

local judge = require "packed_judge"
local lathe = require "lathe"
local sp = require "sample_boxes"

local POINTS <const> = { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 2, 0 }, { 0, 0, 8 } }
local FACES <const> = { { 0, 1, 2 }, { 0, 2, 3 }, { 1, 2, 3 } }

local function open(layout)
  local bytes = sp.group { layout = layout, buckets = { { lod = true, objects = {
    sp.box { size = { 2, 4, 6 }, at = { 1, 0, 2 }, bands = { 4, 0, 8 },
      instances = { sp.place { 10, 0, 0 }, sp.place { 0, 50, 1, turn = 90, scale = 2 } } },
    sp.box { desc = sp.LONG, instances = { sp.place { -20, 0, 0 } } } } } } }
  local doc = assert(lathe.parse(bytes, { history = 9 }))
  return doc, doc.blocks[4], bytes
end

local function geometry()
  return assert(lathe.new("geometry", { form = "csg" }, { path = "My Mod - Geometry.csg" }))
end

local function problems(doc)
  local list = judge.problems(doc:encode())
  local _, found = doc:check()
  for _, one in ipairs(found or {}) do list[#list + 1] = tostring(one) end
  return list
end

-- The message of a call that fails, in whatever way.
local function message(f, ...)
  local ok, result, err = pcall(f, ...)
  assert(not ok or result == nil, "it did not fail")
  return tostring(ok and err or result)
end

describe("geometry of a precombined object", function()
  for _, layout in ipairs { "inline", "inline+table" } do
    it("is set as a whole where it is in the block: " .. layout, function()
      local doc, block, bytes = open(layout)
      local held = block.data[2].vertices[1]
      assert.equal(1, assert(block.data[1]:set_geometry { positions = POINTS, triangles = FACES,
        normals = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 }, { 1, 0, 0 } } }).changed)
      local one = block.data[1]
      assert.same({ 4, 3, 0, 0, 0, 2 }, { one.num_vertices, one.tri_count0, one.tri_count2, one.tri_offset1,
        one.tri_offset2, one.num_combined })
      assert.same({ 1.0, 0.0 }, { one.normals:row(4), select(2, one.normals:row(3)) and 0.0 })
      assert.equal(-1.0, held.position.x)
      assert.same({}, problems(doc))
      assert(block:add_object { positions = POINTS, triangles = FACES, combined = { {}, { transform = { scale = 3 } } } })
      assert.same({ 3, 2 }, { #block.data, #block.data[3].combined })
      assert.same({}, problems(doc))
      assert.same({}, problems(assert(lathe.parse(doc:encode()))))
      assert.is_true(doc:undo() and doc:undo())
      assert.equal(bytes, doc:encode())
    end)
  end

  it("keeps positions that are floats", function()
    local doc, block = open "inline"
    block.data[1].vertex_desc = sp.FULL_SHORT
    assert(block.data[1]:set_geometry { positions = { { 1000.3, 0, 0 }, { 4, 0, 0 }, { 0, 2, 0 } },
      triangles = { { 0, 1, 2 } }, normals = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 } } })
    assert.equal(string.unpack("f", string.pack("f", 1000.3)), block.data[1].positions:row(1))
    assert.equal(sp.FULL_SHORT, block.data[1].vertex_desc)
    assert(block.data[2]:set_geometry { positions = { { 1000.3, 0, 0 }, { 4, 0, 0 }, { 0, 2, 0 } } })
    assert.equal(1000.5, block.data[2].positions:row(1))
    assert.same({}, problems(doc))
  end)

  it("is refused at its own place", function()
    local doc, block, bytes = open "inline"
    assert.matches("^blocks%[4%]%.data%[2%] at 0x%x+: row 1: 1e%+09 does not fit into a half float",
      message(block.data[2].set_geometry, block.data[2], { positions = { { 1e9, 0, 0 } } }))
    assert.equal(bytes, doc:encode())
  end)

  it("is taken from a mesh", function()
    local doc, block = open "inline"
    local mesh = doc:meshes()()
    assert(block.data[2]:set_geometry { mesh = mesh })
    assert.same({ 8, 12 }, { block.data[2].num_vertices, block.data[2].tri_count0 })
    assert.same(block.data[1].positions:totable(), block.data[2].positions:totable())
    assert.same({}, problems(doc))
  end)

  it("that is shared is changed only where it is said how", function()
    local doc, block, bytes = open "shared"
    local function refused(wanted, f, ...)
      assert.matches(wanted, message(f, ...), 1, true)
      assert.equal(bytes, doc:encode())
    end
    local one = block.data[1]
    refused('say share = "append" with into = a geometry document, or share = "inline"', one.set_geometry, one,
      { positions = POINTS, triangles = FACES })
    refused('say share = "append" with into = a geometry document, or share = "inline"', block.add_object, block,
      { positions = POINTS, triangles = FACES })
    refused('with share = "append" and a geometry document, or with share = "inline"', function() one.positions = POINTS end)
    refused('with share = "append" and a geometry document, or with share = "inline"', function() one.normals = POINTS end)
    refused('with share = "append" and a geometry document, or with share = "inline"', function() one.triangles = FACES end)
    local store = geometry()
    store.rows:append { positions = POINTS }
    for name, verb in pairs { set_geometry = one.set_geometry, add_object = block.add_object } do
      local of = verb == one.set_geometry and one or block
      for _, wrong in ipairs { false, doc, store.rows, store.rows[1], "Some - Geometry.csg" } do
        refused(("'into' of %s must be a geometry document; save it after the NIF's edit"):format(name), verb, of,
          { positions = POINTS, share = "append", into = wrong or nil })
      end
      refused(("'into' of %s must have a path, because blocks name a geometry file by"):format(name), verb, of,
        { positions = POINTS, share = "append", into = assert(lathe.new("geometry", { form = "csg" })) })
    end
    assert.equal(1, #store.rows)
    refused("positions or a mesh expected", one.set_geometry, one, { share = "append", into = geometry() })
    refused("'share' of set_geometry", one.set_geometry, one, { positions = POINTS, share = "outline" })
    local _, here = open "inline"
    assert.matches("its geometry is in the block: there is nothing to append elsewhere",
      message(here.data[1].set_geometry, here.data[1], { positions = POINTS, share = "append", into = geometry() }), 1, true)
  end)

  it("that is shared is appended to a geometry document, once", function()
    local doc, block = open "shared"
    local into = geometry()
    assert(block.data[1]:set_geometry { positions = POINTS, triangles = FACES, share = "append", into = into })
    local row = into.rows[1]
    assert.same({ 1, 0x9CCD84FD, 0, 4, 9 }, { #into.rows, block.objects[1].geometry_file_hash, block.objects[1].data_offset,
      row.num_vertices, row.num_indices })
    assert.same({ 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 8 }, row.positions:totable())
    assert.same({ 0, 1, 2, 0, 2, 3, 1, 2, 3 }, row.triangles:totable())
    assert.same({ 4, 3, 0, row.vertex_desc, 2000 }, { block.data[1].num_vertices, block.data[1].tri_count0,
      block.data[1].tri_count2, block.data[1].vertex_desc, block.objects[2].data_offset })
    assert.same({ 12.0, 1.0, 4.0 }, { block.data[1].combined[1].bounds.center.x, block.data[1].combined[1].bounds.center.y,
      block.data[1].combined[1].bounds.center.z })
    assert(block:add_object { positions = POINTS, triangles = FACES, combined = { { transform = {
      translation = { 900, 0, 0 } } } }, share = "append", into = into })
    assert.same({ 1, 0x9CCD84FD, 0 }, { #into.rows, block.objects[3].geometry_file_hash, block.objects[3].data_offset })
    assert.same({}, problems(doc))
    assert.equal(8 + 4 * 3, doc.blocks[3].num_vertices)
  end)

  it("that is shared is in the block afterwards with share = \"inline\", like that of its neighbours", function()
    local inline = open "inline"
    local store = geometry()
    assert(inline:convert { to = "shared", into = store })
    local bytes = inline:encode()
    for _, adds in ipairs { false, true } do
      local doc = assert(lathe.parse(bytes, { history = 9, geometry = store }))
      local block = doc.blocks[4]
      local other = block.data[2].positions:totable()
      local what = { positions = POINTS, triangles = FACES, share = "inline", combined = adds and { {} } or nil }
      assert(adds and block:add_object(what) or not adds and block.data[1]:set_geometry(what))
      block = doc.blocks[4]
      local object = block.data[adds and 3 or 1]
      assert.same({ "inline", "BSPackedCombinedGeomDataExtra", 4, 3 }, { block.layout, block.type, object.num_vertices,
        object.tri_count0 })
      assert.same({ 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 8 }, object.positions:totable())
      assert.same(other, block.data[2].positions:totable())
      assert.same({}, problems(doc))
      assert.is_true(doc:undo())
      assert.equal(bytes, doc:encode())
      assert.equal(8, doc.blocks[4].data[1].positions.rows)
    end
    assert.equal(2, #store.rows)
  end)

  it("that is appended reads from the document that has it, before anybody saves it", function()
    local doc, block = open "shared"
    local into = geometry()
    assert(block.data[1]:set_geometry { positions = POINTS, triangles = FACES, share = "append", into = into })
    assert.same({ 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 8 }, block.data[1].positions:totable())
    assert.same({ 3, 3 }, { lathe.tobuffer(block.data[1].triangles).rows, #into.rows + 2 })
    local before = doc:encode()
    assert.is_false((pcall(doc.edit, doc, function()
      assert(block.data[1]:set_geometry { positions = { { 1, 1, 1 } }, share = "append", into = into })
      error "no"
    end)))
    assert.same({ 1, before }, { #into.rows, doc:encode() })
  end)

  it("is in neither document where it fails", function()
    local doc, block, bytes = open "shared"
    local into = geometry()
    local before = into:encode()
    assert.matches("vertex 7 (from 0)", message(block.data[1].set_geometry, block.data[1],
      { positions = POINTS, triangles = { { 0, 1, 7 } }, share = "append", into = into }), 1, true)
    local many = {}
    for i = 1, 32770 do many[i] = { 1, 2, 3 } end
    assert.matches("more than 65534 vertices, the most of a bucket", message(block.data[1].set_geometry, block.data[1],
      { positions = many, share = "append", into = into }), 1, true)
    assert.equal(bytes, doc:encode())
    assert.equal(before, into:encode())
    assert.equal(0, #into.rows)
  end)
end)
