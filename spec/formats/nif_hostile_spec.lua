-- Scripts and files that mean no good: what only the format writes, numbers that ask for memory, chains without end.

local lathe = require "lathe"
local sample = require "sample_nif"

local function open(blocks, game)
  return assert(lathe.parse(sample.build { game = game or "sse", blocks = blocks }, { format = "nif", history = 100 }))
end

local function refused(message, f)
  local ok, err = pcall(f)
  assert.is_false(ok)
  assert.equal(message, (tostring(err):gsub("^%S+%.lua:%d+: ", "")))
end

describe("what the header says of blocks", function()
  local BY_TYPE = "block_types: read-only: set block.type, and the name comes along"
  local CASES = {
    { BY_TYPE, function(doc) doc.block_types[1] = "X" end },
    { BY_TYPE, function(doc) doc.block_types = { "X" } end },
    { BY_TYPE, function(doc) doc.block_types = { "X", "Y" } end },
    { BY_TYPE, function(doc) doc.block_types:append("X") end },
    { BY_TYPE, function(doc) doc.block_types:insert(1, "X") end },
    { BY_TYPE, function(doc) doc.block_types:remove(1) end },
    { BY_TYPE, function(doc) doc.block_types:resize(0) end },
    { "num_block_types: read-only: set block.type, and the name comes along", function(doc) doc.num_block_types = 2 end },
    { "block_type_index: read-only: set the block's type", function(doc) doc.block_type_index[1] = 0 end },
    { "block_type_index: read-only: set the block's type", function(doc) doc.block_type_index = { 0, 0, 0 } end },
    { "block_sizes: read-only: the blocks have their own", function(doc) doc.block_sizes[1] = 4 end },
    { "block_sizes: read-only: the blocks have their own", function(doc) doc.block_sizes:append(4) end },
    { "num_blocks: read-only: doc.blocks:insert and doc.blocks:remove change it", function(doc) doc.num_blocks = 3 end },
  }

  it("is not set by hand", function()
    local doc <close> = open { { type = "NiNode" }, { type = "NiNode" } }
    local bytes = doc:encode()
    for _, case in ipairs(CASES) do
      refused(case[1], function() case[2](doc) end)
      assert.is_true(bytes == doc:encode())
    end
  end)

  it("follows the blocks' types", function()
    local doc <close> = open { { type = "NiNode" }, { type = "NiNode" } }
    local bytes = doc:encode()
    doc.blocks[2].type = "NiBillboardNode"
    doc.blocks:append { type = "NiAlphaProperty" }
    assert.same({ "NiNode", "NiBillboardNode", "NiAlphaProperty" }, doc.block_types:totable())
    assert.same({ 0, 1, 2 }, doc.block_type_index:totable())
    local again <close> = assert(lathe.new("nif", doc:totable()))
    assert.is_true(doc:encode() == again:encode())
    doc:undo(2)
    assert.is_true(bytes == doc:encode())
  end)
end)

describe("a number alone", function()
  local TOO_MUCH = "%s: %d elements from a number alone: they would take more than 64 MiB%s"

  it("makes 64 MiB and not more", function()
    local doc <close> = open { { type = "NiNode" } }
    doc:edit(function() doc.blocks:append { type = "NiSkinPartition", vertex_size = 1 } end)
    local skin, bytes = doc.blocks[2], doc:encode()
    for _, n in ipairs { 0x7FFFFFFF, 0xFFFFFFFF } do
      refused(TOO_MUCH:format("blocks[2].vertices at 0xd9", n, " (NiSkinPartition)"), function() skin.data_size = n end)
      assert.is_true(bytes == doc:encode())
    end
    refused(TOO_MUCH:format("strings at 0x71", 0x7FFFFFFF, ""), function() doc.strings:resize(0x7FFFFFFF) end)
    refused(TOO_MUCH:format("blocks at 0x75", 0x7FFFFFFD, ""), function() doc.blocks:resize(0x7FFFFFFF) end)
    assert.is_true(bytes == doc:encode())
  end)
end)

describe("nodes below nodes", function()
  local DEEP = 5000
  local CHILDREN = {
    ["one below the other"] = function(i) return { i } end,
    ["each below itself and all others"] = function(i) return { i - 1, i % DEEP, i } end,
    ["each below the one before, three times"] = function(i) return { i, i, i } end,
  }

  for title, children in pairs(CHILDREN) do
    it("are walked once: " .. title, function()
      local blocks = {}
      for i = 1, DEEP do blocks[i] = { type = "NiNode", name = "n", children = children(i) } end
      blocks[DEEP + 1] = { type = "NiNode", name = "n" }
      local doc <close> = open(blocks)
      local bytes, shapes = doc:encode(), 0
      for _ in doc:meshes() do shapes = shapes + 1 end
      assert.equal(0, shapes)
      doc:check()
      doc:scale(2)
      doc:edit(function()
        doc.blocks:insert(DEEP // 2, { type = "NiNode" })
        doc.blocks:move(DEEP, 2)
        doc.blocks:remove(DEEP // 3)
      end)
      while doc:undo() do end
      assert.is_true(bytes == doc:encode())
    end)
  end
end)

describe("a size that other rows are counted by", function()
  local VERTICES = { { position = { x = 1, y = 2, z = 3 } }, { position = { x = 4, y = 5, z = 6 } } }

  local function shape(kind)
    return { type = kind, name = "s", skin = -1, bounds = { center = { x = 0, y = 0, z = 0 }, radius = 9 },
      vertex_desc = 1 << 44 | 4, data_size = 1, vertices = VERTICES, triangles = { { 0, 1, 0 } } }
  end

  it("is there before they are, in a block that gets another type", function()
    local doc <close> = open { shape "BSTriShape" }
    local bytes = doc:encode()
    doc.blocks[1].type = "BSDynamicTriShape"
    local again <close> = assert(lathe.parse(doc:encode()))
    for _, d in ipairs { doc, again } do
      local block = d.blocks[1]
      assert.is_nil(lathe.problem(block))
      assert.same({ 2, 32, 2 }, { block.num_vertices, block.dynamic_data_size, #block.dynamic_vertices })
    end
    doc:undo(1)
    assert.is_true(bytes == doc:encode())
  end)

  it("is there before they are, in a new block", function()
    local doc <close> = open { { type = "NiNode", name = "n" } }
    local block = doc.blocks:append(shape "BSDynamicTriShape")
    assert.is_nil(lathe.problem(block))
    assert.same({ 2, 32, 2 }, { block.num_vertices, block.dynamic_data_size, #block.dynamic_vertices })
  end)
end)

describe("many skins", function()
  local SKINS <const> = 400
  local DESC <const> = 1 << 44 | 4
  local BOUNDS <const> = { center = { x = 0, y = 0, z = 0 }, radius = 9 }

  it("have their spheres follow in one go", function()
    local blocks = {}
    for i = 0, SKINS - 1 do
      local first = 3 * i                               -- from 0
      blocks[first + 1] = { type = "BSTriShape", name = "s", skin = first + 1, bounds = BOUNDS, vertex_desc = DESC,
        num_vertices = 0, num_triangles = 0, data_size = 0, vertices = {}, triangles = {} }
      blocks[first + 2] = { type = "NiSkinInstance", data = -1, skin_partition = first + 2, skeleton_root = -1,
        bones = {} }
      blocks[first + 3] = { type = "NiSkinPartition", vertex_size = 16, vertex_desc = DESC, partitions = {},
        vertices = { { position = { x = 1, y = 2, z = 3 } }, { position = { x = 1, y = 2, z = 5 } } } }
    end
    local doc <close> = open(blocks)
    local bytes = doc:encode()
    doc:edit(function()
      for i = 3, #blocks, 3 do doc.blocks[i].vertices[2].position.z = i end
    end)
    for i = 3, #blocks, 3 do
      local bounds = doc.blocks[i - 2].bounds
      assert.same({ (3 + i) / 2, math.abs(i - 3) / 2 }, { bounds.center.z, bounds.radius })
    end
    doc:undo(1)
    assert.is_true(bytes == doc:encode())
  end)
end)
