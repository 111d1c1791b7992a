-- Phive shapes as lathe reads them: its figures against the JSON of the corpus and against the reader in plain Lua, on
-- files of the corpus and on files made by hand; kept to the byte. bphsh_bad_spec has damaged ones.

local figures = require "phive_figures"
local helper = require "helper"
local judge = require "phive_judge"
local lathe = require "lathe"
local of_lathe = require "phive_lathe"
local reader = require "phive_reader"
local sample = require "sample_phive"

local function each(pending, run)
  local folder = helper.need_corpus("bphsh", pending)
  for _, name in ipairs(helper.list(folder, "%.bphsh$")) do
    local path = folder .. "/" .. name
    run(name, helper.read(path), path)
  end
end

-- What lathe and the plain reader must say alike.
local KEYS = { "variant", "sdk", "size", "type", "dispatch", "flags", "key_bits", "shift", "codec", "scale", "scale_inv",
  "tag_table", "materials", "masks" }

local function same_lanes(wanted, got, what)
  assert.equal(#wanted, #got, what)
  for i, lane in ipairs(wanted) do
    local other = got[i]
    assert.same({ lane.lane, lane.data, lane.min, lane.max }, { other.lane, other.data, other.min, other.max }, what)
  end
end

local function same_tree(wanted, got, what)
  assert.equal(#wanted, #got, what)
  for i, node in ipairs(wanted) do
    assert.same({ node.leaf, node.parent, node.leaves }, { got[i].leaf, got[i].parent, got[i].leaves }, what)
    same_lanes(node.lanes, got[i].lanes, what)
  end
end

local function same_shape(wanted, got, name)
  for _, key in ipairs(KEYS) do assert.same(wanted[key], got[key], name .. " " .. key) end
  same_tree(wanted.tree, got.tree, name .. " tree")
  assert.equal(#wanted.sections, #got.sections)
  for i, section in ipairs(wanted.sections) do
    local other, what = got.sections[i], ("%s section %d "):format(name, i - 1)
    for _, key in ipairs { "float", "offset", "cell", "cell_offset", "vertices", "primitives", "interior" } do
      assert.same(section[key], other[key], what .. key)
    end
    same_tree(section.bvh, other.bvh, what .. "tree")
  end
end

-- The triangles of doc:meshes against the reader's, corners in world units.
local function same_triangles(doc, shape)
  local wanted, first, n, count = reader.triangles(shape), {}, 0, 0
  for i, section in ipairs(shape.sections) do
    first[i] = n
    n = n + #section.vertices
  end
  for mesh in doc:meshes { what = "collision" } do
    local indices, positions = mesh.indices:totable(), mesh.positions:totable()
    local tags = #wanted > 0 and mesh.triangle_materials:totable()
    assert.equal(3 * #wanted, #indices)
    assert.equal(3 * n, #positions)
    for i, row in ipairs(wanted) do
      for k = 1, 3 do
        local index = indices[3 * i - 3 + k]
        assert.equal(first[row[1] + 1] + row[5 + k], index)
        local v = shape.sections[row[1] + 1].vertices[row[5 + k] + 1]
        for axis = 1, 3 do
          if v[axis] ~= positions[3 * index + axis] then assert.equal(v[axis], positions[3 * index + axis]) end
        end
      end
      assert.equal(row[4], tags[i])
      count = count + 1
    end
  end
  assert.equal(#wanted, count)
  local bounds = reader.bounds(shape)
  if bounds then
    local b = doc.bounds:totable()
    assert.same(bounds, { { b[1], b[2], b[3] }, { b[4], b[5], b[6] } })
  end
  return count
end

-- Kept as it is, written anew, and made of its tables.
local function kept(doc, bytes, name)
  assert.is_true(bytes == doc:encode(), name .. ": encode")
  assert.is_true(bytes == doc:serialize(), name .. ": serialize")
  local made <close> = assert(lathe.new("bphsh", doc:totable()))
  assert.is_true(bytes == made:encode(), name .. ": made of its tables")
  assert.is_false(doc.modified)
end

describe("Phive shapes made by hand", function()
  it("are what the plain reader says", function()
    for _, entry in ipairs(sample.all()) do
      local doc <close> = assert(lathe.parse(entry.bytes))
      assert.equal("bphsh", doc.format, entry.name)
      local shape = reader.read(entry.bytes)
      same_shape(shape, of_lathe(doc), entry.name)
      same_triangles(doc, shape)
    end
  end)

  it("are kept to the byte, also from their tables", function()
    for _, entry in ipairs(sample.all()) do
      local doc <close> = assert(lathe.parse(entry.bytes))
      if entry.name ~= "v22_unpadded" then kept(doc, entry.bytes, entry.name) end
    end
  end)

  it("are kept without the padding of the hit masks, and get it where they are made anew", function()
    local bytes = sample.named "v22_unpadded"
    local doc <close> = assert(lathe.parse(bytes))
    assert.same({ true, true }, { bytes == doc:encode(), bytes == doc:serialize() })
    local made <close> = assert(lathe.new("bphsh", doc:totable()))
    assert.is_true(made:encode() == sample.named "v22_box")
  end)
end)

describe("what Phive shapes tell as tables of numbers", function()
  it("is read-only, and says what changes it", function()
    local doc <close> = assert(lathe.parse((sample.named "v22_box")))
    local why = { bounds = "it follows from the vertices", vertices = "doc:set_mesh builds others",
      section_bounds = "doc:set_mesh builds others", triangles = "doc:set_mesh builds others",
      triangle_materials = "doc:set_triangle_materials changes them" }
    for name, reason in pairs(why) do
      for _, value in ipairs { {}, { { 1, 2, 3 } }, lathe.buffer("f32", 4, 3) } do
        local ok, err = pcall(function() doc[name] = value end)
        assert.same({ false, ("%s: read-only: %s"):format(name, reason) }, { ok, (tostring(err):gsub("^.-lua:%d+: ", "")) })
      end
    end
    assert.is_true(doc:encode() == sample.named "v22_box")
  end)
end)

describe("Phive shapes of the corpus #corpus", function()
  it("have their figures, and what the plain reader says", function()
    each(pending, function(name, bytes, path)
      local doc <close> = assert(lathe.open(path))
      local shape, plain = of_lathe(doc), reader.read(bytes)
      local counts = figures.compare(figures.read(helper.read((path:gsub("bphsh$", "json")))), shape)
      same_shape(plain, shape, name)
      assert.equal(counts.triangles, same_triangles(doc, plain))
      assert.same({}, judge.shape_problems(shape), name)
      helper.count("phive", name)
      for _, key in ipairs { "sections", "triangles", "materials" } do helper.count("phive " .. key, name, counts[key]) end
    end)
  end)

  it("are kept to the byte, also from their tables", function()
    each(pending, function(name, bytes, path)
      local doc <close> = assert(lathe.open(path))
      kept(doc, bytes, name)
    end)
  end)
end)
