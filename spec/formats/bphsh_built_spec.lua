-- Phive shapes that lathe builds, judged without lathe: nothing is wrong with them, and they have the triangles, materials
-- and bounds that they were built from.

local figures = require "phive_figures"
local helper = require "helper"
local judge = require "phive_judge"
local lathe = require "lathe"
local reader = require "phive_reader"
local sample = require "sample_phive"

local GRID = 512

-- A corner in a text: steps of the grid, or the number itself where it is no grid that it comes from.
local function corner(v, exact)
  if exact then return ("%a %a %a"):format(v[1], v[2], v[3]) end
  return ("%d %d %d"):format(math.floor(v[1] * GRID + 0.5), math.floor(v[2] * GRID + 0.5), math.floor(v[3] * GRID + 0.5))
end

local function texts_of(a, b, c, tag, exact)
  local t = { corner(a, exact), corner(b, exact), corner(c, exact) }
  if t[1] == t[2] or t[2] == t[3] or t[1] == t[3] then return nil end          -- of no area on the grid
  local first = 1
  for i = 2, 3 do
    if t[i] < t[first] then first = i end
  end
  return ("%s, %s, %s: %d"):format(t[first], t[first % 3 + 1], t[(first + 1) % 3 + 1], tag)
end

-- How often each triangle is there, on the grid; wound as it is, whichever corner comes first.
local function set_of(shape)
  local set, n = {}, 0
  for _, row in ipairs(reader.triangles(shape)) do
    local v = shape.sections[row[1] + 1].vertices
    local text = texts_of(v[row[6] + 1], v[row[7] + 1], v[row[8] + 1], row[4])
    if text then set[text], n = (set[text] or 0) + 1, n + 1 end
  end
  return set, n
end

-- Triangles of float sections, to the last bit.
local function floats_of(shape)
  local set = {}
  for _, row in ipairs(reader.triangles(shape)) do
    local section = shape.sections[row[1] + 1]
    local v = section.vertices
    if section.float then set[texts_of(v[row[6] + 1], v[row[7] + 1], v[row[8] + 1], row[4], true)] = true end
  end
  return set
end

local function all_exact(shape)
  local set = {}
  for _, row in ipairs(reader.triangles(shape)) do
    local v = shape.sections[row[1] + 1].vertices
    set[texts_of(v[row[6] + 1], v[row[7] + 1], v[row[8] + 1], row[4], true) or "none"] = true
  end
  return set
end

local function first_difference(a, b)
  for text, n in pairs(a) do
    if b[text] ~= n then return ("%s is there %d times, and %s times"):format(text, n, b[text]) end
  end
end

local function same_set(wanted, got, name)
  local a, n = set_of(wanted)
  local b, m = set_of(got)
  assert.is_nil(first_difference(a, b), name)
  assert.is_nil(first_difference(b, a), name)
  assert.equal(n, m, name)
  local was = all_exact(wanted)
  for text in pairs(floats_of(got)) do assert(was[text], ("%s: %s was not there"):format(name, text)) end
  local one, two = reader.bounds(wanted), reader.bounds(got)
  for i = 1, one and 2 or 0 do
    for k = 1, 3 do assert(math.abs(one[i][k] - two[i][k]) <= 1 / 1024, name .. ": bounds") end
  end
  return n
end

local function mesh_of(doc)
  local next_mesh = doc:meshes { what = "collision" }
  return next_mesh()
end

-- Builds all triangles of a file anew, and judges what comes of it.
local function rebuilt(bytes, name)
  local doc <close> = assert(lathe.parse(bytes))
  local before = reader.read(bytes)
  assert(doc:set_mesh(mesh_of(doc)))
  local list, shape = judge.problems(doc:encode())
  assert.same({}, list, name)
  same_set(before, shape, name)
  assert.same({ true, {} }, { doc:check() }, name)
  return before, shape
end

-- Pairs of triangles far from each other: rows of x y z, indices.
local function apart(n, step)
  local positions, indices = {}, {}
  for s = 0, n - 1 do
    for i = 0, 3 do
      local x, z = s % 40 * step + (i & 1) * 100, s // 40 * step + (i >> 1) * 100
      for _, v in ipairs { x, 0, z } do positions[#positions + 1] = v end
    end
    for _, k in ipairs { 0, 2, 1, 1, 2, 3 } do indices[#indices + 1] = 4 * s + k end
  end
  return { positions = positions, indices = indices }
end

describe("Phive shapes that are built", function()
  it("from the triangles of samples are right, and have the same triangles", function()
    for _, entry in ipairs(sample.all()) do rebuilt(entry.bytes, entry.name) end
  end)

  it("in a file whose types have other places and ids keep to these", function()
    for _, variant in ipairs { "v21", "v22", "v23" } do
      local _, usual = rebuilt(sample.named(variant .. "_many"), variant)
      local _, other = rebuilt(sample.named(variant .. "_other_both"), variant)
      assert.same(usual.sections[1].vertices, other.sections[1].vertices)
      assert.same(usual.tag_table, other.tag_table)
      assert.same(usual.tree, other.tree)
    end
  end)

  it("in new files are right: of one triangle, of none", function()
    for _, variant in ipairs { "v21", "v22", "v23" } do
      local one <close> = assert(lathe.new("bphsh", { variant = variant, mesh = { indices = { 0, 1, 2 },
        positions = { 0, 0, 0, 0, 0, 1, 1, 0, 0 } } }))
      local list, shape = judge.problems(one:encode())
      assert.same({}, list)
      assert.same({ variant, 1, 1, 3 }, { shape.variant, #reader.triangles(shape), #shape.sections,
        #shape.sections[1].vertices })
      local none <close> = assert(lathe.new("bphsh", { variant = variant, mesh = { indices = {}, positions = {} } }))
      list, shape = judge.problems(none:encode())
      assert.same({}, list)
      assert.same({ variant, 0, 0 }, { shape.variant, #shape.sections, shape.key_bits })
      assert.same({ true, {} }, { none:check() })
    end
  end)

  it("of more than 1024 sections lie in chunks", function()
    for _, variant in ipairs { "v21", "v22", "v23" } do
      local doc <close> = assert(lathe.parse((sample.named(variant .. "_box"))))
      assert(doc:set_mesh(apart(1025, 250)))
      local list, shape = judge.problems(doc:encode())
      assert.same({}, list)
      assert(#shape.sections >= 1025, #shape.sections)
      assert.equal(2050, #reader.triangles(shape))
    end
  end)

  it("ask for a template as a document or bytes, where the name of a file is given", function()
    local mesh = { positions = { 0, 0, 0, 0, 0, 1, 1, 0, 0 }, indices = { 0, 1, 2 } }
    local doc, err = lathe.new("bphsh", { mesh = mesh, template = "Field.bphsh" })
    assert.same({ nil, "template: a document or the bytes of a file expected" }, { doc, tostring(err) })
  end)

  it("of triangles larger than the grid have them in floats", function()
    local doc <close> = assert(lathe.parse((sample.named "v22_box")))
    assert(doc:set_mesh { positions = { 0, 0, 0, 0, 0.1, 900.3, 700.7, 0, 0 }, indices = { 0, 1, 2 } })
    local list, shape = judge.problems(doc:encode())
    assert.same({}, list)
    assert.same({ { 0.0, 0.0, 0.0 }, { reader.f32(700.7), reader.f32(0.1), reader.f32(900.3) } }, reader.bounds(shape))
    assert.is_true(shape.sections[1].float)
  end)
end)

describe("Phive shapes of the corpus, built anew #corpus", function()
  it("have the triangles and materials of their JSON", function()
    local folder = helper.need_corpus("bphsh", pending)
    for _, name in ipairs(helper.list(folder, "%.bphsh$")) do
      local before, after = rebuilt(helper.read(folder .. "/" .. name), name)
      figures.compare(figures.read(helper.read(folder .. "/" .. name:gsub("bphsh$", "json"))), before)
      print(("%s: %d sections, %d where lathe builds it"):format(name, #before.sections, #after.sections))
    end
  end)
end)
