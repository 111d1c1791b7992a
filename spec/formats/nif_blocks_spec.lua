-- Every block type of NIF in every version, made by chance, and every block of the corpus: core reads what the plain
-- reader and the maker of the samples say, keeps the bytes, and makes them again from plain tables.

local compare = require "nif_compare"
local figures = require "nif_figures"
local lathe = require "lathe"
local nif_schema = require "nif_schema"
local reader = require "nif_reader"
local sample = require "sample_nif"

local schema = nif_schema.load()

-- Raises where core has something else than `blocks` (type, values), or writes other bytes. Gives the document.
local function agrees(bytes, blocks)
  local doc = assert(lathe.parse(bytes))
  assert.equal(#blocks, #doc.blocks)
  for i, block in ipairs(blocks) do
    assert.equal(block.type, lathe.type(doc.blocks[i]))
    local where = compare.difference(block.values, doc.blocks[i]:totable(), block.type)
    if where then error(("blocks[%d] %s: %s"):format(i, block.type, where), 0) end
  end
  assert(doc:encode() == bytes, "saved as other bytes")
  return doc
end

local function rebuilds(doc, bytes)
  local again <close> = assert(lathe.new("nif", doc:totable()))
  assert(again:encode() == bytes, "built as other bytes")
end

describe("a block of NIF", function()
  for _, game in ipairs(sample.all_names) do
    it(("reads as it was made for %s, whatever its type"):format(game), function()
      for _, name in ipairs(schema.blocks) do
        for seed = 1, 2 do
          local label = ("%s/%s/%d"):format(name, game, seed)
          local opts = sample.random_file({ name }, sample.setting(game), sample.rng(label))
          local bytes = sample.build(opts)
          local ok, err = pcall(function()
            local doc <close> = agrees(bytes, opts.blocks)
            rebuilds(doc, bytes)
          end)
          if not ok then error(label .. ": " .. tostring(err), 0) end
        end
      end
    end)
  end

  it("keeps flags of other bytes than 1", function()
    for seed = 1, 20 do
      local setting = sample.setting("fo4", { true_byte = 0x80 })
      local opts = sample.random_file({ "NiPSysRotationModifier", "BSEffectShaderProperty" }, setting, sample.rng(seed))
      agrees(sample.build(opts), opts.blocks):close()
    end
  end)

  it("is one of all types in a file", function()
    for _, game in ipairs { "fo3", "le", "sse", "fo4", "fo76", "starfield" } do
      local opts = sample.random_file(schema.blocks, sample.setting(game), sample.rng(game))
      local bytes = sample.build(opts)
      local doc <close> = agrees(bytes, opts.blocks)
      rebuilds(doc, bytes)
    end
  end)
end)

describe("vertices of NIF", function()
  it("read as they were made, whatever the descriptor", function()
    for i, one in ipairs(sample.descriptors()) do
      local setting = sample.setting(one.game)
      local made = sample.random_block("BSTriShape", setting, sample.rng(i), { vertex_desc = one.desc, data_size = 1 })
      local bytes = sample.build { game = one.game, strings = setting.strings, blocks = { made } }
      local ok, err = pcall(function() agrees(bytes, { made }):close() end)
      if not ok then error(("%s %016x: %s"):format(one.game, one.desc, tostring(err)), 0) end
    end
  end)
end)

describe("the corpus of NIF, block by block #corpus", function()
  local function same(entry)
    local bytes = entry:bytes()
    local file = reader.read(bytes)
    local doc <close> = assert(lathe.parse(bytes))
    local met = 0
    for i, block in ipairs(file.blocks) do
      if not block.err then
        assert.equal(block.type, lathe.type(doc.blocks[i]))
        local where = compare.difference(block.values, doc.blocks[i]:totable(), block.type)
        if where then error(("blocks[%d] %s: %s"):format(i, block.type, where), 0) end
        met = met + 1
      end
    end
    assert(doc:encode() == bytes, "saved as other bytes")
    return met
  end

  it("reads as the plain reader says", function()
    local met = 0
    figures.each(figures.files(pending), function(entry) met = met + same(entry) end)
    assert.equal(6592, met)
  end)

  it("reads as the plain reader says, where Fallout 4 collides", function()
    local met = 0
    figures.each(figures.collision_files(pending), function(entry) met = met + same(entry) end)
    assert.equal(7460, met)
  end)
end)
