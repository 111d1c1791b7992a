-- The flags of NiAlphaProperty by name, and what draws the same shape as a shader.

local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_nif"

local refused = outcome.raises

local FACTORS = { "one", "zero", "src_color", "one_minus_src_color", "dst_color", "one_minus_dst_color", "src_alpha",
  "one_minus_src_alpha", "dst_alpha", "one_minus_dst_alpha", "src_alpha_saturate" }
local FUNCTIONS = { "always", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "never" }
local SHADERS = { BSLightingShaderProperty = true, BSEffectShaderProperty = true }

local SHAPES = sample.shapes

local function parse(game, ...)
  return assert(lathe.parse((sample.build { game = game, blocks = { ... } }), { history = 50 }))
end

-- As the reference says: where each is, from its bits.
local function of_flags(flags)
  local function named(list, from, mask)
    local n = flags >> from & mask
    return list[n + 1] or n
  end
  return { blend = flags & 1 ~= 0, source = named(FACTORS, 1, 15), destination = named(FACTORS, 5, 15),
    test = flags >> 9 & 1 ~= 0, compare = named(FUNCTIONS, 10, 7), no_sorting = flags >> 13 & 1 ~= 0 }
end

local function all_of(mode)
  return { blend = mode.blend, source = mode.source, destination = mode.destination, test = mode.test,
    compare = mode.compare, no_sorting = mode.no_sorting }
end

describe("the mode of a NiAlphaProperty", function()
  it("is its flags by name", function()
    local doc = parse("sse", { type = "NiAlphaProperty", name = "", flags = 4844, threshold = 128 })
    local block = doc.blocks[1]
    assert.same({ blend = false, source = "src_alpha", destination = "one_minus_src_alpha", test = true,
      compare = "greater", no_sorting = false }, all_of(block.mode))
    local rng = sample.rng(7)
    for _ = 1, 200 do
      local flags = rng(0, 65535)
      block.flags = flags
      assert.same(of_flags(flags), all_of(block.mode))
    end
  end)

  it("is set by name or number, other bits stay", function()
    local doc = parse("sse", { type = "NiAlphaProperty", name = "", flags = 0xC000, threshold = 128 })
    local block, mode = doc.blocks[1], doc.blocks[1].mode
    local before = doc:encode()
    for i, name in ipairs(FACTORS) do
      mode.source, mode.destination = name, FACTORS[12 - i]
      assert.equal(0xC000 | (i - 1) << 1 | (11 - i) << 5, block.flags)
      assert.same({ name, FACTORS[12 - i] }, { mode.source, mode.destination })
    end
    block.flags = 0xC000
    for i, name in ipairs(FUNCTIONS) do
      mode.compare = name
      assert.equal(0xC000 | (i - 1) << 10, block.flags)
    end
    mode.compare, mode.blend, mode.test, mode.no_sorting = 0, true, true, true
    assert.equal(0xC000 | 1 | 1 << 9 | 1 << 13, block.flags)
    mode.blend, mode.test, mode.no_sorting, mode.source = false, false, false, 15
    assert.same({ 0xC000 | 15 << 1, 15 }, { block.flags, mode.source })
    mode.source = 0
    assert.is_true(before == doc:encode())
    for field, wrong in pairs { source = "src", destination = 16, compare = -1, blend = 1, test = "yes" } do
      refused("blocks[1].mode." .. field, function() mode[field] = wrong end)
    end
    refused("always, less, equal, less_equal, greater, not_equal, greater_equal, never expected",
            function() mode.compare = 0.5 end)
    refused("true or false expected", function() mode.blend = nil end)
    assert.is_true(before == doc:encode())
  end)

  it("is not listed or copied, but there by path", function()
    local doc = parse("fo4", { type = "NiAlphaProperty", name = "", flags = 4844, threshold = 128 })
    assert.is_nil(doc.blocks[1]:totable().mode)
    assert.equal("greater", doc:get "blocks[1].mode.compare")
    assert(doc:set("blocks[1].mode.blend", true))
    assert.equal(4845, doc.blocks[1].flags)
  end)
end)

describe("a material", function()
  it("knows the alpha of the first shape that it draws", function()
    local doc = parse("sse", { type = "BSLightingShaderProperty", name = "", body = {} },
      { type = "BSLightingShaderProperty", name = "", body = {} }, { type = "NiAlphaProperty", name = "", flags = 4845 },
      { type = "NiAlphaProperty", name = "", flags = 4844 })
    local list = doc.materials
    assert.same({ 2, nil, nil }, { #list, list[1].alpha_property, list[2].alpha_property })
  end)

  it("knows it until an edit gives the shape another one", function()
    local function shape(alpha)
      return { type = "BSTriShape", name = "", skin = -1, shader_property = 0, alpha_property = alpha,
        vertex_desc = 1 << 44 | 4, vertices = { { position = { x = 0, y = 0, z = 0 } } },
        triangles = { { 0, 0, 0 } } }
    end
    local doc = parse("sse", { type = "BSLightingShaderProperty", name = "", body = {} },
      { type = "NiAlphaProperty", name = "", flags = 4845 }, { type = "NiAlphaProperty", name = "", flags = 4844 },
      shape(-1), shape(2), shape(1))
    local shader = doc.blocks[1]
    assert.equal(4844, shader.alpha_property.flags)
    doc.blocks[4].alpha_property = doc.blocks[2]
    assert.equal(4845, shader.alpha_property.flags)
    doc.blocks:remove(4)
    assert.equal(4844, shader.alpha_property.flags)
    assert.is_nil(shader.material_property)
  end)

  it("of files is what their shapes say #corpus", function()
    local path, n, old = helper.need_corpus("nif", pending), 0, 0
    for _, name in ipairs(helper.list(path, "%.nif$")) do
      local doc <close> = assert(lathe.open(path .. "/" .. name))
      local wanted, shapes = {}, {}
      for i = 1, #doc.blocks do
        local block = doc.blocks[i]
        if SHAPES[block.type] and block.positions then shapes[#shapes + 1] = block end
      end
      for _, block in ipairs(shapes) do
        local shader, alpha = block.shader_property, block.alpha_property
        if shader and SHADERS[shader.type] then
          local i = lathe.index(shader)
          wanted[i] = wanted[i] or alpha
        end
      end
      for _, material in ipairs(doc.materials) do
        if SHADERS[lathe.type(material.source)] then
          assert.equal(wanted[lathe.index(material.source)] or nil, material.alpha_property, name)
          n = n + (material.alpha_property and 1 or 0)
        elseif lathe.type(material.source) == "NiTexturingProperty" and material.material_property then
          assert.equal("NiMaterialProperty", material.material_property.type)
          old = old + 1
        end
      end
    end
    assert.same({ 74, 22 }, { n, old })
  end)
end)
