-- Phive shapes in use that is not as usual: what is given to verbs, and what becomes of rows.
local lathe = require "lathe"

local TRIANGLE = { positions = { 0, 0, 0, 1, 0, 0, 0, 0, 1 }, indices = { 0, 2, 1 } }

local function two(first, second)
  return { positions = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1 }, indices = { 0, 2, 1, 1, 2, 3 },
    materials = { first, second }, triangle_materials = { 0, 1 } }
end

local function shape(materials)
  return assert(lathe.new("bphsh", { variant = "v22", mesh = two("a", "b"), materials = materials or {
    { name = "Stone", user_tag_mask = 1, layer_mask = 5, sub_layer_mask = 6 }, "Wood" } }))
end

describe("Phive shapes given what is odd", function()
  it("take no table for a document, nor for a material", function()
    local doc <close> = shape()
    local made, err = lathe.new("bphsh", { mesh = TRIANGLE, template = {} })
    assert.is_nil(made)
    assert.equal("template: a document or the bytes of a file expected", tostring(err))
    assert.has_error(function() doc:set_triangle_materials { {}, {} } end)
    assert.has_error(function() doc:set_triangle_materials { materials = { {}, {} } } end)
  end)

  it("take no positions without triangles for a mesh", function()
    local doc <close> = shape()
    local done, err = doc:set_mesh { positions = TRIANGLE.positions }
    assert.is_nil(done)
    assert.equal("a mesh with positions and no triangles: indices expected", tostring(err))
    assert.equal(2, doc.triangles.rows)
  end)

  it("say which row has a mask that is too large", function()
    local doc <close> = shape()
    local before = doc:encode()
    local done, err = doc:set_mesh(TRIANGLE, { materials = { { layer_mask = 1 << 33 } } })
    assert.is_nil(done)
    assert.matches("^tables%.hit_masks%[1%]%.layer_mask at 0x%x+: 8589934592 is not in 0 %.%. 4294967295$", tostring(err))
    assert.equal(before, doc:encode())
    assert.has_error(function() doc.materials[2].sub_layer_mask = -1 end)
  end)

  it("give rows of set_mesh the tags and masks of the same material", function()
    local doc <close> = shape()
    assert(doc:set_mesh(two("x", "y"), { materials = { "Ice", "Stone" } }))
    local ice, stone = doc.materials[1], doc.materials[2]
    assert.same({ "Ice", 0, 0xFFFFFFFF, 0xFFFFFFFF },
      { ice.name, ice.user_tag_mask, ice.layer_mask, ice.sub_layer_mask })
    assert.same({ "Stone", 1, 5, 6 }, { stone.name, stone.user_tag_mask, stone.layer_mask, stone.sub_layer_mask })
    assert(doc:set_mesh(TRIANGLE, { materials = { { name = "Stone", layer_mask = 9 } } }))
    assert.same({ 1, 1, 9, 6 }, { #doc.materials, doc.materials[1].user_tag_mask, doc.materials[1].layer_mask,
      doc.materials[1].sub_layer_mask })
    assert.is_true(doc:check())
  end)

  it("are made of nothing, too: a shape without triangles", function()
    for _, variant in ipairs { "v21", "v22", "v23" } do
      local doc <close> = assert(lathe.new("bphsh", { variant = variant }))
      assert.same({ variant, 0, 0 }, { doc.variant, #doc.shape.geometry_sections, #doc.materials })
      local ok, said = doc:check()
      assert.is_true(ok)
      assert.same({}, said)
    end
    local doc <close> = assert(lathe.new "bphsh")
    assert.equal("v22", doc.variant)
    assert.is_nil(lathe.new("bphsh", { tables = {} }))
  end)
end)
