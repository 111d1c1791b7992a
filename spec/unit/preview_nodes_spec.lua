-- Files that hold nodes and no geometry are drawn as bones; animations of NIF files are refused by name.

local helper = require "helper"
local lathe = require "lathe"

local NOTE <const> = "the file lists no skeleton: the nodes of its scene are drawn as bones"
local COS <const>, SIN <const> = 0.6, 0.8

-- Turns by an angle about x, as NIF files store it: rows of a matrix.
local TURN <const> = { row0_x = 1, row0_y = 0, row0_z = 0, row1_x = 0, row1_y = COS, row1_z = -SIN, row2_x = 0,
  row2_y = SIN, row2_z = COS }

local function node(name, children, place, more)
  local block = { type = "NiNode", name = name, children = children, translation = place or { 0, 0, 0 }, scale = 1 }
  for key, value in pairs(more or {}) do block[key] = value end
  return block
end

-- Children before and behind their parents, a turn and a scale in the chain.
local function scene()
  return assert(lathe.new("nif", { bs_version = 100, blocks = {
    node("Root", { 1, 3 }), node("Spine", { 4 }, { 0, 5, 60 }, { rotation = TURN, scale = 2 }),
    node("L Hand", {}, { 40, 0, 0 }), node("R Foot", {}, { -12, 3, 0 }), node("Neck", { 2 }, { 0, 0, 10 }),
  } }))
end

-- Where its nodes are: p' = turn (scale p) + place, from the root down.
local PLACES <const> = {
  { 0, 0, 0 }, { 0, 5, 60 }, { 80, 5 - 20 * SIN, 60 + 20 * COS }, { -12, 3, 0 }, { 0, 5 - 20 * SIN, 60 + 20 * COS },
}

-- The joints of a picture from the front: x goes to the left, z up.
local function joints(path)
  local all = {}
  for x, y in helper.read(path):gmatch '<circle cx="([%d.-]+)" cy="([%d.-]+)" r="[^"]*" fill="#%x+"/>' do
    all[#all + 1] = { tonumber(x), tonumber(y) }
  end
  return all
end

local function extent(points, k, sign)
  local low, high = math.huge, -math.huge
  for _, p in ipairs(points) do low, high = math.min(low, sign * p[k]), math.max(high, sign * p[k]) end
  return low, high
end

local function check_places(circles, places)
  local seen = table.move(circles, 1, #places, 1, {}) -- the last one is the axis that points to the viewer
  local x0, x1 = extent(seen, 1, 1)
  local y0, y1 = extent(seen, 2, 1)
  local from, to = extent(places, 1, -1)
  local low, high = extent(places, 3, -1)
  local scale = math.max((x1 - x0) / (to - from), (y1 - y0) / (high - low))
  for _, p in ipairs(places) do
    local x, y, nearest = x0 + scale * (-p[1] - from), y0 + scale * (-p[3] - low), math.huge
    for _, c in ipairs(seen) do nearest = math.min(nearest, math.max(math.abs(c[1] - x), math.abs(c[2] - y))) end
    assert.is_true(nearest < 0.05, ("a node is %.3f pixels from its place"):format(nearest))
  end
end

describe("pictures of nodes", function()
  local path
  before_each(function() path = helper.tmpdir() .. "/a.svg" end)

  it("show each where its parents place it, and say so", function()
    local doc <close> = scene()
    local report = assert(lathe.preview(doc, path, { view = "front" }))
    assert.same({ NOTE }, report.notes)
    assert.same({}, report.skipped)
    assert.equal(0, report.triangles)
    assert.equal(#PLACES + 1, #joints(path))
    check_places(joints(path), PLACES)
    local svg = helper.read(path)
    assert.matches(NOTE, svg, 1, true)
    assert.matches("x × y × z: 92 × 16 × 72 units = 1.314 × 0.2286 × 1.029 m", svg, 1, true)
    assert.matches("left, by name", svg, 1, true)
  end)

  it("have names, and fit to one", function()
    local doc <close> = scene()
    assert(lathe.preview(doc, path, { names = true, view = "front" }))
    for _, name in ipairs { "Root", "Spine", "L Hand", "R Foot", "Neck" } do
      assert.matches(">" .. name .. "</text>", helper.read(path), 1, true)
    end
    assert(lathe.preview(doc, path, { fit = "Neck", view = "front" }))
    assert.matches("x × y × z: 80 × 0 × 0 units", helper.read(path), 1, true)
    local ok, err = lathe.preview(doc, path, { fit = "Nek" })
    assert.is_nil(ok)
    assert.equal("no bone 'Nek'; did you mean 'Neck'?", err.message)
  end)

  it("follow edits", function()
    local doc <close> = scene()
    assert(lathe.preview(doc, path, { view = "front" }))
    doc.blocks[4].translation.x = -192
    assert(lathe.preview(doc, path, { view = "front" }))
    assert.matches("x × y × z: 272 × ", helper.read(path), 1, true)
  end)

  it("need two places, else there is no geometry or no skeleton", function()
    for _, blocks in ipairs { { node("Root", {}) }, { node("Root", { 1 }), node("Child", {}) }, {} } do
      local doc <close> = assert(lathe.new("nif", { bs_version = 100, blocks = blocks }))
      assert.same({ "no geometry" }, assert(lathe.preview(doc, path)).notes)
      local ok, err = lathe.preview(doc, path, { what = "skeleton" })
      assert.is_nil(ok)
      assert.equal("there is no skeleton in it", err.message)
    end
  end)

  it("are a ring without the link that closes it", function()
    local doc <close> = assert(lathe.new("nif", { bs_version = 100, blocks = {
      node("A", { 1 }), node("B", { 2 }, { 0, 0, 5 }), node("C", { 0 }, { 7, 0, 5 }) } }))
    local report = assert(lathe.preview(doc, path, { view = "front" }))
    assert.same({ NOTE }, report.notes)
    assert.equal(4, #joints(path))
  end)

  it("show the nodes of a file with meshes where a skeleton is asked for", function()
    local doc <close> = assert(lathe.open "scripts/examples/stock.nif")
    local ok, err = lathe.preview(doc, path, { what = "skeleton" })
    assert.is_nil(ok)
    assert.equal("there is no skeleton in it", err.message) -- one node
    doc:edit(function()
      local n = #doc.blocks
      doc.blocks:append(node("Muzzle", {}, { 0, 0, 30 }))
      doc.blocks[1].children:append(n)
    end)
    assert.same({ NOTE }, assert(lathe.preview(doc, path, { what = "skeleton" })).notes)
    assert.same({}, assert(lathe.preview(doc, path)).notes)
  end)

  it("mark what moved beside another file", function()
    local doc <close> = scene()
    local other <close> = scene()
    other.blocks[3].translation.x = 41
    local report = assert(lathe.preview(doc, path, { against = other }))
    assert.same({ NOTE, "1 of 5 bones differs" }, report.notes)
  end)

  it("are refused for an animation without nodes", function()
    local why = "it holds an animation without a skeleton, and poses are not computed from animations in NIF files (.kf)"
    for _, kind in ipairs { "NiControllerSequence", "NiSequenceStreamHelper" } do
      local version = kind == "NiSequenceStreamHelper" and 0x04000002 or nil
      local doc <close> = assert(lathe.new("nif", { version = version, bs_version = not version and 100 or nil,
        blocks = { { type = kind, name = "Idle" } } }))
      local ok, err = lathe.preview(doc, path)
      assert.is_nil(ok)
      assert.equal(why, err.message)
      assert.equal("unsupported", err.code)
    end
  end)
end)
