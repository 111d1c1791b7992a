-- The rays that tell whether exports are right side out: what is in front, what is seen from behind.

local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_mesh"
local seen = require "seen"

local function square(z, more)
  local fields = { positions = { -1, -1, z, 1, -1, z, 1, 1, z, -1, 1, z }, indices = { 0, 1, 2, 0, 2, 3 } }
  for name, value in pairs(more or {}) do fields[name] = value end
  return sample.mesh(fields)
end

local function backs(list, turn)
  local path = helper.tmpdir() .. "/x.glb"
  assert(lathe.export(list, path))
  return { seen.backs(glb.parse(helper.read(path)), turn, 0) }
end

describe("rays through a .glb", function()
  it("meet fronts from the front, and backs from behind", function()
    assert.same({ 0, 64 * 64 }, backs({ square(0) }, 0))
    assert.same({ 64 * 64, 64 * 64 }, backs({ square(0) }, 180))
  end)

  it("meet the nearest triangle", function()
    local away = square(-1, { indices = { 0, 2, 1, 0, 3, 2 } })
    assert.same({ 0, 64 * 64 }, backs({ away, square(1) }, 0))
    assert.same({ 0, 64 * 64 }, backs({ away, square(1) }, 180))
    local towards = square(1, { indices = { 0, 2, 1, 0, 3, 2 } })
    assert.same({ 64 * 64, 64 * 64 }, backs({ towards, square(-1) }, 0))
  end)

  it("find no backs of materials with two sides, and turn what is mirrored", function()
    assert.same({ 0, 64 * 64 }, backs({ square(0, { surface = { double_sided = true } }) }, 180))
    local mirrored = square(0, { transform = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } })
    assert.same({ 0, 64 * 64 }, backs({ mirrored }, 0))
  end)

  it("meet skins where they are at rest", function()
    local straight = backs({ sample.bent { skin = { bones = {} } } }, 0)
    local bent = backs({ sample.bent() }, 0)
    assert.is_true(bent[2] > 1.2 * straight[2]) -- a corner fills more of its bounds than a bar
  end)
end)
