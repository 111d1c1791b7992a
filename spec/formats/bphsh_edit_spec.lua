-- Phive shapes made larger and moved: grid, boxes of both trees, float sections.
local helper = require "helper"
local judge = require "phive_judge"
local lathe = require "lathe"
local reader = require "phive_reader"
local sample = require "sample_phive"

local function open(bytes) return assert(lathe.parse(bytes, { format = "bphsh", history = 20 })) end

local LARGE = 60000 -- the plain reader takes seconds for such a file

-- All good files: those made by hand, and the corpus where it is.
local function each(run)
  for _, entry in ipairs(sample.all()) do run(entry.name, entry.bytes) end
  local folder = helper.corpus "bphsh"
  for _, name in ipairs(folder and helper.list(folder, "%.bphsh$") or {}) do
    run(name, helper.read(folder .. "/" .. name))
  end
end

local function assert_good(doc, name)
  local bytes = doc:encode()
  assert.same({}, (judge.problems(bytes)), name)
  assert.is_true(doc:check(), name)
  return reader.read(bytes)
end

-- How many floats there are between two, as 32-bit integers.
local function ulps(a, b)
  local function number(x)
    local n = string.unpack("<i4", string.pack("<f", x))
    return n < 0 and -(n & 0x7FFFFFFF) or n
  end
  return math.abs(number(a) - number(b))
end

-- The most ulps between the vertices and the boxes of two shapes.
local function furthest(a, b)
  local worst = 0
  local function see(x, y) worst = math.max(worst, ulps(x, y)) end
  for i, section in ipairs(a.sections) do
    for j, v in ipairs(section.vertices) do
      for k = 1, 3 do see(v[k], b.sections[i].vertices[j][k]) end
    end
  end
  for i, node in ipairs(a.tree) do
    for j, lane in ipairs(node.lanes) do
      local other = b.tree[i].lanes[j]
      for k = 1, 3 do
        see(lane.min[k], other.min[k])
        see(lane.max[k], other.max[k])
      end
    end
  end
  return worst
end

-- Lanes of leaves hold their vertices to the last bit, and lanes of nodes those of their children.
local function assert_held(shape, name)
  for i, node in ipairs(shape.tree) do
    for _, lane in ipairs(node.lanes) do
      local function held(low, high)
        for k = 1, 3 do
          if lane.min[k] > low[k] or lane.max[k] < high[k] then error(("%s node %d"):format(name, i - 1)) end
        end
      end
      if node.leaf then
        for _, v in ipairs(shape.sections[lane.data + 1].vertices) do held(v, v) end
      else
        for _, child in ipairs(shape.tree[lane.data + 1].lanes) do held(child.min, child.max) end
      end
    end
  end
end

local function refused(doc, message, verb, ...)
  local bytes = doc:encode()
  local ok, result, err = pcall(doc[verb], doc, ...)
  assert.is_falsy(ok and result)
  assert.equal(message, (tostring(ok and err or result):gsub("^%S+%.lua:%d+: ", "")))
  assert.equal(bytes, doc:encode())
end

describe("doc:scale of Phive shapes", function()
  it("by 2 and by 0.5 gives the same bytes", function()
    each(function(name, bytes)
      local doc <close> = open(bytes)
      assert.equal(1, assert(doc:scale(2)).changed)
      if #bytes < LARGE then assert_good(doc, name) end
      assert(doc:scale(0.5))
      assert.equal(bytes, doc:encode(), name)
      assert(doc:scale { 4, 1, 0.25 })
      assert(doc:scale({ 0.25, 1, 4 }, { what = "collision" }))
      assert.equal(bytes, doc:encode(), name)
      while doc:undo() do end
      assert.equal(bytes, doc:encode(), name)
    end)
  end)

  it("by other factors keeps what is inside, and comes back to 4 ulp", function()
    local factors = { 1000 / 3, 0.7, { 1.7, 0.3, 3.1415 } }
    each(function(name, bytes)
      for i, by in ipairs(factors) do
        if i > 1 and #bytes > LARGE then break end
        local axes = type(by) == "table" and by or { by, by, by }
        local doc <close> = open(bytes)
        assert(doc:scale(by))
        assert_held(assert_good(doc, name), name)
        assert(doc:scale { 1 / axes[1], 1 / axes[2], 1 / axes[3] })
        local back = doc:encode()
        assert.equal(#bytes, #back)
        for at = 1, #bytes - 3, 4 do
          local a, b = string.unpack("<I4", bytes, at), string.unpack("<I4", back, at)
          if math.abs(a - b) > 4 then error(("%s 0x%x"):format(name, at - 1)) end
        end
      end
    end)
  end)

  it("does what the corpus has of it", function()
    local folder = helper.need_corpus("bphsh", pending)
    local factors = { v22_box = nil, v22_float = nil }
    for _, name in ipairs { "v22_box", "v22_float" } do
      local twin = reader.read(helper.read(("%s/%s_scaled.bphsh"):format(folder, name)))
      local doc <close> = open(helper.read(("%s/%s.bphsh"):format(folder, name)))
      local was = reader.read(doc:encode())
      factors[name] = {}
      for k = 1, 3 do factors[name][k] = twin.scale_inv[k] / was.scale_inv[k] end
      assert(doc:scale(factors[name]))
      local shape = reader.read(doc:encode())
      assert.is_true(furthest(shape, twin) <= 2, name)
      for i, section in ipairs(shape.sections) do
        for k = 1, 3 do assert.is_true(ulps(section.cell[k], twin.sections[i].cell[k]) <= 1, name) end
      end
    end
  end)

  it("scales the radius with what is even, and leaves empty lanes as they are", function()
    local doc <close> = open((sample.named "v22_strip"))
    doc.shape.convex_radius = 0.25
    assert(doc:scale(2))
    assert.equal(0.5, doc.shape.convex_radius)
    refused(doc, "convexRadius is a distance in any direction: cannot be scaled by different factors", "scale",
      { 1, 2, 3 })
    local nodes = doc.shape.top_level_tree.nodes
    for k = 1, 4 do assert.equal(0x7F7FFFEE, (string.unpack("<I4", string.pack("<f", nodes[1].lx[k])))) end
  end)

  it("refuses what no float can be", function()
    local doc <close> = open((sample.named "v22_box"))
    refused(doc, "bitScale16Inv would be 1.953125e-40, too small for a float", "scale", 1e-37)
    refused(doc, "bitScale16Inv would be 1.953125e+297, too large for a float", "scale", 1e300)
    refused(doc, "bitScale16Inv would be 1.953125e-303, too small for a float", "scale", 1e-300)
    refused(doc, "bitScale16 would be 5.12e-39, too small for a float", "scale", 1e41)
    doc.shape.top_level_tree.nodes[3].hx = { 3e38, 3e38, 3e38, 3e38 }
    refused(doc, "a box of tree node 2 would be 6.00000001e+38, too large for a float", "scale", 2)
    refused(doc, "cannot scale by 0: a finite number above 0 expected", "scale", 0)
    refused(doc, "cannot scale by -1: doc:set_mesh builds a shape of mirrored triangles", "scale",
      { 1, -1, 1 })
    refused(doc, "cannot scale by inf: a finite number above 0 expected", "scale", math.huge)
    assert.equal(0, assert(doc:scale(2, { what = "skeleton" })).changed)
  end)

  it("refuses trees that lead nowhere or in a circle", function()
    local doc <close> = open((sample.named "v22_many"))
    local nodes = doc.shape.top_level_tree.nodes
    local was = nodes[2].data[1]
    nodes[2].data[1] = 1
    local _, err = doc:scale(2)
    assert.matches("tree node 1 leads to 1, which another lane leads to", tostring(err), 1, true)
    nodes[2].data[1] = #nodes
    _, err = doc:scale(2)
    assert.matches(("tree node 1 leads to %d, which is no node"):format(#nodes), tostring(err), 1, true)
    nodes[2].data[1] = was
    assert(doc:scale(2))
  end)
end)

describe("doc:transform of Phive shapes", function()
  it("moves by whole steps, exactly, and back", function()
    each(function(name, bytes)
      local doc <close> = open(bytes)
      local was = reader.read(bytes)
      local by = { 5 * 512 * was.scale_inv[1], -3.5 * 512 * was.scale_inv[2], 100 * 512 * was.scale_inv[3] }
      local report = assert(doc:transform { translation = by })
      assert.same({ 1 }, { report.changed, report.rounded, report.warnings }, name)
      local shape = assert_good(doc, name)
      assert_held(shape, name)
      for i, section in ipairs(shape.sections) do
        for j, v in ipairs(section.vertices) do
          for k = 1, 3 do
            local wanted = reader.f32(was.sections[i].vertices[j][k] + by[k])
            if section.float and v[k] ~= wanted or math.abs(v[k] - wanted) > 1e-5 then error(name) end
          end
        end
      end
      assert(doc:transform { translation = { -by[1], -by[2], -by[3] } })
      if #bytes < LARGE then
        local back = reader.read(doc:encode())
        for i, section in ipairs(back.sections) do
          assert.same(was.sections[i].offset, section.offset, name)
          assert.same(was.sections[i].primitives, section.primitives, name)
        end
      end
      while doc:undo() do end
      assert.equal(bytes, doc:encode(), name)
    end)
  end)

  it("tells how it was rounded", function()
    local doc <close> = open((sample.named "v22_box"))
    local report = assert(doc:transform { translation = { 1, 0.001, 0 } })
    assert.same({ 0, 1 / 512 - 0.001, 0 }, report.rounded)
    assert.same({ "the translation was rounded to steps of the grid, by 0, 0.000953125 and 0" }, report.warnings)
    assert_good(doc)
  end)

  it("scales first", function()
    local one <close> = open((sample.named "v22_strip"))
    local two <close> = open((sample.named "v22_strip"))
    assert(one:transform { scale = { 2, 1, 4 }, translation = { 8, 0, -16 } })
    assert(two:scale { 2, 1, 4 })
    assert(two:transform { translation = { 8, 0, -16 } })
    assert.equal(one:encode(), two:encode())
  end)

  it("refuses what a grid cannot hold", function()
    local doc <close> = open((sample.named "v22_box"))
    refused(doc, "section 0: its sectionOffset would be 16711681 along x, from where on floats skip steps of the grid",
      "transform", { translation = { 16711681 / 512, 0, 0 } })
    assert(doc:transform { translation = { 16711680 / 512, 0, 0 } })
    assert_good(doc)
    refused(doc, "1e+10 along y are more steps of the grid than floats tell apart", "transform",
      { translation = { 0, 1e10, 0 } })
    refused(doc, "'translation' of transform: three finite numbers expected", "transform",
      { translation = { 0, 0 / 0, 0 } })
    refused(doc, "'rotation' of transform: boxes and grid are along the axes; doc:set_mesh builds a shape of turned "
      .. "triangles", "transform", { rotation = { 0, 0, 0, 1 } })
    refused(doc, "'scale' of transform: -1 is no finite number above 0; doc:set_mesh builds a shape of mirrored "
      .. "triangles", "transform", { scale = -1 })
    refused(doc, "transform: translation or scale expected", "transform", {})
  end)
end)
