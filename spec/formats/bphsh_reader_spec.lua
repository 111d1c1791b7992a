-- The plain reader of Phive shapes, its judge and its figures, tried on files made by hand and on the corpus: no lathe in
-- here.

local bad_list = require "sample_phive_bad"
local figures = require "phive_figures"
local helper = require "helper"
local judge = require "phive_judge"
local reader = require "phive_reader"
local sample = require "sample_phive"

local function each(pending, run)
  local folder = helper.need_corpus("bphsh", pending)
  for _, name in ipairs(helper.list(folder, "%.bphsh$")) do
    local path = folder .. "/" .. name
    run(name, helper.read(path), path:gsub("bphsh$", "json"))
  end
end

-- A shape's own fields, without what only files have.
local function plain(shape)
  return { variant = shape.variant, tags = shape.tag_table, tree = shape.tree, masks = shape.masks,
    materials = shape.materials,
    scale = shape.scale_inv, triangles = reader.triangles(shape), bounds = reader.bounds(shape) }
end

describe("the plain reader of Phive shapes", function()
  it("finds nothing wrong with good files", function()
    local list = sample.all()
    assert(#list >= 35, #list)
    for _, entry in ipairs(list) do assert.same({}, (judge.problems(entry.bytes)), entry.name) end
  end)

  it("makes the same files each time", function()
    local again = sample.all()
    for i, entry in ipairs(sample.all()) do assert.is_true(entry.bytes == again[i].bytes, entry.name) end
  end)

  it("reads what was written", function()
    local shape = reader.read(sample.named "v22_grid")
    local spec = sample.spec "v22_grid"
    assert.same({ "v22", "20220100", 8, 3, 9, 9 },
      { shape.variant, shape.sdk, shape.type, shape.dispatch, shape.key_bits, shape.shift })
    assert.same(spec.sections[1].vertices, shape.sections[1].vertices)
    for i, v in ipairs(spec.sections[1].primitives) do
      v.tag = nil
      assert.same(v, shape.sections[1].primitives[i])
    end
    assert.same({ { 0, 0 }, { 110, 1 }, { 1022, 0xFFFF } }, shape.tag_table)
    assert.same({ { 0, 0, 0, 0, 1, 0, 11, 12 }, { 0, 1, 0, 0, 0, 0, 12, 1 }, { 0, 2, 0, 0, 0, 1, 12, 13 },
      { 0, 2, 1, 0, 0, 1, 13, 2 } }, table.move(reader.triangles(shape), 1, 4, 1, {}))
    assert.same({ { id = 7, sub = 0, tags = 1 }, { id = 2, sub = 0, tags = 1 << 30 } }, shape.materials)
    assert.same({ { layer = 0xFFFFFFFF, sublayer = 0xFFFFFFFF }, { layer = 0xFFFFFFF7, sublayer = 0xFFFFFDFF } },
      shape.masks)
    assert.same({ { -7.0, -0.625, -4.0 }, { 3.0, 0.625, 4.0 } }, reader.bounds(shape))
  end)

  it("has the vertices in numbers of 32 bits: sum, conversion, product", function()
    local shape = reader.read(sample.named "v22_coarse")
    local step = reader.f32(1 / 100)
    assert.equal(step, shape.scale_inv[1])
    local v = shape.sections[2].vertices[3]
    assert.same({ reader.f32(800 * step), reader.f32(63 * step), reader.f32(-100 * step) }, v)
    local far = reader.read(sample.named "v21_far")
    assert.same({ -30007.0, -0.625, 19996.0 }, reader.bounds(far)[1])
  end)

  it("takes the places of members, and ids, from the types of the file", function()
    for _, variant in ipairs { "v21", "v22", "v23" } do
      local usual = plain(reader.read(sample.named(variant .. "_strip")))
      assert.same(usual, plain(reader.read(sample.named(variant .. "_other_ids"))), variant)
      assert.same(usual, plain(reader.read(sample.named(variant .. "_other_places"))), variant)
      assert.same(plain(reader.read(sample.named(variant .. "_many"))),
        plain(reader.read(sample.named(variant .. "_other_both"))), variant)
    end
  end)

  it("goes by the types where the SDK version says another variant", function()
    for _, row in ipairs { { "v21", "20220100" }, { "v22", "20230200" }, { "v23", "20210100" } } do
      local spec = sample.spec(row[1] .. "_grid")
      spec.sdk = row[2]
      local list, shape = judge.problems((sample.write(spec)))
      assert.equal(row[1], shape.variant)
      assert.same({ ("SDK version %s, but the types are those of %s"):format(row[2], row[1]) }, list)
    end
  end)

  it("reads masks of 8 and of 16 bytes, with the padding row and without", function()
    assert.equal(16, reader.read(sample.named "v22_box").header.sizes[3])
    assert.equal(8, reader.read(sample.named "v22_unpadded").header.sizes[3])
    assert.equal(32, reader.read(sample.named "v22_strip").header.sizes[3])
    assert.equal(48, reader.read(sample.named "v23_strip").header.sizes[3])
    for _, name in ipairs { "v22_box", "v22_unpadded", "v21_box", "v23_box" } do
      assert.equal(1, #reader.read(sample.named(name)).masks, name)
    end
    assert.same({ layer = -1, sublayer = -1 }, reader.read(sample.named "v23_strip").masks[1])
    assert.same({ layer = 0, sublayer = 1 }, reader.read(sample.named "v23_strip").masks[3])
  end)

  it("has interior bits of primitives or of triangles", function()
    for variant, size in pairs { v21 = 14, v22 = 27, v23 = 27 } do
      local section = reader.read(sample.named(variant .. "_grid")).sections[1]
      assert.equal(107, #section.primitives)
      assert.equal(size, #section.interior, variant)
    end
  end)

  it("finds sections by shorter keys", function()
    local usual = reader.read(sample.named "v22_strip")
    local short = reader.read(sample.named "v22_short_keys")
    assert.same({ 12, 9, 10, 7 }, { usual.key_bits, usual.shift, short.key_bits, short.shift })
    assert.same(reader.triangles(usual), reader.triangles(short))
  end)

  it("names every fault of damaged files", function()
    local list, names = bad_list(), {}
    assert(#list >= 75, #list)
    for _, bad in ipairs(list) do
      assert.is_nil(names[bad.name], bad.name)
      names[bad.name] = true
      local said = table.concat((judge.problems(bad.bytes)), "\n")
      assert(said:find(bad.says), ("%s: %s"):format(bad.name, said))
      assert(not said:find "%.lua:", said)        -- no accident
    end
  end)

  it("ends with every prefix of a file, and with every number of it spoiled", function()
    local good, texts = sample.named "v22_box", 0
    for size = 0, #good - 1, 17 do
      local list = judge.problems(good:sub(1, size))
      assert(#list > 0, size)
      assert(not list[1]:find "%.lua:", list[1])
    end
    for offset = 0, #good - 4, 4 do
      for _, text in ipairs((judge.problems(good:sub(1, offset) .. "\xFF\xFF\xFF\xFF" .. good:sub(offset + 5)))) do
        texts = texts + 1
        assert(not text:find "%.lua:", text)
      end
    end
    assert(texts > 1000, texts)
  end)
end)

describe("the figures of Phive shapes", function()
  local function wanted_of(shape)                 -- as the corpus has them
    local hex = function(n) return ("0x%x"):format(n) end
    local wanted = { variant = shape.variant, sdkv = shape.sdk, size = shape.size, shapeType = shape.type,
      dispatchType = shape.dispatch, numShapeKeyBits = shape.key_bits, sectionShift = shape.shift, materials = {}, tree = {},
      bitScale16Inv = table.move(shape.scale_inv, 1, 3, 1, {}), shapeTagTable = shape.tag_table, sections = {},
      bounds = reader.bounds(shape), triangles = reader.triangles(shape),
      triangleColumns = { "section", "primitive", "sub", "tag", "interior", "a", "b", "c" } }
    for i, row in ipairs(shape.materials) do
      wanted.materials[i] = { id = row.id, sub = row.sub, tags = hex(row.tags), layer = hex(shape.masks[i].layer),
        sublayer = hex(shape.masks[i].sublayer) }
    end
    for i, node in ipairs(shape.tree) do
      wanted.tree[i] = { leaf = node.leaf, data = {}, boxes = {} }
      for k, lane in ipairs(node.lanes) do
        wanted.tree[i].data[k], wanted.tree[i].boxes[k] = lane.data, { lane.min, lane.max }
      end
    end
    for i, section in ipairs(shape.sections) do
      local tags = {}
      for p = 1, #section.primitives do tags[p] = reader.tag_of(shape, i - 1, p - 1, 0) end
      wanted.sections[i] = { float = section.float, sectionOffset = section.offset, bitScale8Inv = section.cell, tags = tags,
        bitOffset = section.cell_offset, bvhNodes = #section.bvh, primitives = section.primitives,
        vertices = section.vertices, interiorBytes = section.interior:gsub(".", function(c)
          return ("%02x"):format(c:byte())
        end) }
    end
    return wanted
  end

  it("are those of the file itself", function()
    for _, entry in ipairs(sample.all()) do
      local shape = reader.read(entry.bytes)
      local counts = figures.compare(wanted_of(shape), shape)
      assert.equal(#shape.sections, counts.sections)
      assert.equal(#reader.triangles(shape), counts.triangles)
    end
  end)

  it("name what differs", function()
    local shape = reader.read(sample.named "v22_strip")
    local function told(change)
      local wanted = wanted_of(reader.read(sample.named "v22_strip"))
      change(wanted)
      local ok, text = pcall(figures.compare, wanted, shape)
      assert.is_false(ok)
      return text
    end
    assert.equal("sections[1].vertices[2][0]: 8, wanted 8.5", told(function(w) w.sections[2].vertices[3][1] = 8.5 end))
    assert.equal("sections[4].tags[0]: 1, wanted 2", told(function(w) w.sections[5].tags[1] = 2 end))
    assert.equal("sections[0].primitives[3][1]: 9, wanted 4", told(function(w) w.sections[1].primitives[4][2] = 4 end))
    assert.matches("^triangles%[7%]%[4%]: 0, wanted 1$", told(function(w) w.triangles[8][5] = 1 end))
    assert.equal("materials[2].tags: " .. tostring(math.mininteger | 2) .. ", wanted 3",
      told(function(w) w.materials[3].tags = "0x3" end))
    assert.equal("materials[2].layer: 0, wanted 1", told(function(w) w.materials[3].layer = "0x1" end))
    assert.matches("^tree%[1%]%.box%[0%]%[1%]: ", told(function(w) w.tree[2].boxes[1][1][2] = 7.0 end))
    assert.matches("^tree%[2%]%.data: ", told(function(w) w.tree[3].data[2] = 77 end))
    assert.matches("^number of triangles: ", told(function(w) table.remove(w.triangles) end))
    assert.matches("^bounds%[1%]%[2%]: ", told(function(w) w.bounds[2][3] = 0.0 end))
    assert.matches("^sections%[0%]%.interiorBytes: ", told(function(w) w.sections[1].interiorBytes = "00" end))
    assert.matches("^shapeTagTable%[1%]%[0%]: ", told(function(w) w.shapeTagTable[2][1] = 7 end))
    assert.matches("^sections%[3%]%.bitScale8Inv%[1%]: ", told(function(w) w.sections[4].bitScale8Inv[2] = 7.0 end))
    assert.matches("^sections%[3%]%.bitOffset%[2%]: ", told(function(w) w.sections[4].bitOffset[3] = 777 end))
    assert.matches("^numShapeKeyBits: 12, wanted 9", told(function(w) w.numShapeKeyBits = 9 end))
  end)
end)

describe("Phive shapes of the corpus, read without lathe #corpus", function()
  it("have nothing wrong, and their figures", function()
    local n = 0
    each(pending, function(name, bytes, path)
      local list, shape = judge.problems(bytes)
      assert.same({}, list, name)
      figures.compare(figures.read(helper.read(path)), shape)
      n = n + 1
    end)
    assert(n >= 15 or not helper.corpus_root)
  end)

  it("are damaged in the ways that INDEX.tsv says", function()
    local folder = helper.need_corpus("bphsh/bad", pending)
    local of = {}
    for _, bad in ipairs(bad_list()) do of[bad.name] = bad end
    local n = 0
    for name, wants in helper.read(folder .. "/INDEX.tsv"):gmatch "([%w_]+)%.bphsh\t([^\n]+)" do
      local made = assert(of[name], name)
      local said = table.concat((judge.problems(helper.read(("%s/%s.bphsh"):format(folder, name)))), "\n")
      assert(said:find((made.says:gsub("section 1:", "section %%d:"))), ("%s: %s"):format(name, said))
      assert.equal(made.means, wants:find "^error or warning" and "either" or wants:match "^%a+", name)
      n = n + 1
    end
    assert.equal(28, n)
  end)
end)
