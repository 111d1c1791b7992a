-- Blocks from tables: appended to a document and in lathe.new, with all that totable gives and with tables of
-- positions and triangles.

local helper = require "helper"
local lathe = require "lathe"
local nif_schema = require "nif_schema"
local sample = require "sample_nif"

local MOST = 3 -- blocks of each type and game, over the corpus

-- Appends the copy of a block, which must be stored as the block is.
local function append_copy(doc, block, label)
  local copy = block:totable()
  copy.type = lathe.type(block)
  doc.blocks:append(copy)
  local added = doc.blocks[#doc.blocks]
  assert.equal(copy.type, lathe.type(added), label)
  assert(lathe.bytes(block) == lathe.bytes(added), label .. ": other bytes")
  doc:undo()
end

describe("append(totable())", function()
  for _, game in ipairs { "oblivion", "le", "sse", "fo4" } do
    it("makes the same block of every type: " .. game, function()
      for i, name in ipairs(nif_schema.load().blocks) do
        if name ~= "NiObject" then                  -- which says nothing
          local opts = sample.random_file({ name }, sample.setting(game), sample.rng(i))
          local doc <close> = assert(lathe.parse(sample.build(opts), { format = "nif", history = 1 }))
          append_copy(doc, doc.blocks[1], name)
        end
      end
    end)
  end

  it("makes the same block: real files #corpus", function()
    local seen, n = {}, 0
    for _, folder in ipairs { "nif", "nif-animation", "nif-fo4-collision" } do
      local path = helper.need_corpus(folder, pending)
      for _, name in ipairs(helper.list(path, "%.nif$")) do
        local doc <close> = assert(lathe.open(path .. "/" .. name, { history = 1 }))
        for i = 1, #doc.blocks == doc.num_blocks and #doc.blocks or 0 do
          local block = doc.blocks[i]
          local key = lathe.type(block) .. " of " .. doc.game
          seen[key] = (seen[key] or 0) + 1
          if seen[key] <= MOST and lathe.type(block) ~= "block" and not lathe.problem(block) then
            append_copy(doc, block, ("%s: blocks[%d], %s"):format(name, i, key))
            n = n + 1
          end
        end
      end
    end
    assert.is_true(n > 800, n)
  end)
end)

-- A buffer as a list of its rows.
local function rows(buffer)
  local list = {}
  for i = 1, buffer.rows do list[i] = { buffer:row(i) } end
  return list
end

local POSITIONS, TRIANGLES = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 2, 0 } }, { { 0, 1, 2 } }

local function shape(type, more)
  local fields = { type = type, name = "x", positions = POSITIONS, triangles = TRIANGLES,
    normals = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 } } }
  for key, value in pairs(more or {}) do fields[key] = value end
  return fields
end

describe("lathe.new with positions and triangles", function()
  for _, case in ipairs { { "BSTriShape", 100 }, { "BSTriShape", 130 }, { "BSSubIndexTriShape", 100 },
    { "BSMeshLODTriShape", 100 } } do
    it(("makes what append makes: %s, %d"):format(case[1], case[2]), function()
      local doc = assert(lathe.new("nif", { bs_version = case[2] }))
      doc.blocks:append(shape(case[1]))
      local made = assert(lathe.new("nif", { bs_version = case[2], blocks = { shape(case[1]) } }))
      assert.equal(doc:encode(), made:encode())
      local assigned = assert(lathe.new("nif", { bs_version = case[2], blocks = { { type = case[1], name = "x" } } }))
      local block = assigned.blocks[1]
      block.positions = POSITIONS
      block.normals, block.triangles = shape().normals, TRIANGLES
      assert.equal(assigned:encode(), made:encode())
      assert.same(POSITIONS, rows(made.blocks[1].positions))
      assert.same({ a = 0, b = 1, c = 2 }, made.blocks[1].triangles[1]:totable())
    end)
  end

  it("fills the data that a shape names, and blocks below others", function()
    local made = assert(lathe.new("nif", { bs_version = 83, blocks = {
      { type = "NiNode", name = "root", children = { 1 } }, shape("NiTriShape", { data = 2 }),
      { type = "NiTriShapeData" },
    } }))
    assert.same(POSITIONS, rows(made.blocks[2].positions))
    assert.same(TRIANGLES, rows(made.blocks[2].triangles))
    assert.equal(3, made.blocks[3].num_vertices)
  end)

  it("leaves nothing to undo, and takes a view's copies", function()
    local made = assert(lathe.new("nif", { bs_version = 100, blocks = { shape "BSTriShape" } }, { history = 10 }))
    assert.is_false(made:undo())
    assert.is_true(made.modified)
    assert.equal(made:encode(), assert(lathe.new("nif", made)):encode())
    assert.equal(made:encode(), assert(lathe.new("nif", made:totable())):encode())
  end)

  it("says what is wrong with them", function()
    local none, err = lathe.new("nif", { bs_version = 100,
      blocks = { { type = "BSTriShape", triangles = { { 0, 1, 2 } } } } })
    assert.is_nil(none)
    assert.matches("^blocks%[1%]%.triangles at 0x%x+: absent here: set positions first %(BSTriShape%)$", tostring(err))
    none, err = lathe.new("nif", { bs_version = 100, blocks = { shape("BSTriShape", { triangles = { { 0, 1, 3 } } }) } })
    assert.is_nil(none)
    assert.matches("blocks[1].triangles", tostring(err), 1, true)
    none, err = lathe.new("nif", { bs_version = 83, blocks = { shape "NiTriShape" } })
    assert.is_nil(none)
    assert.matches("the shape has no data: append a NiTriShapeData and set data to it", tostring(err), 1, true)
  end)
end)
