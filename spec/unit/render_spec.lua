-- The renderer that exports are looked at with: what is in front, what is seen from behind, and the picture.

local helper = require "helper"
local lathe = require "lathe"
local png = require "png"
local render = require "render"
local sample = require "sample_mesh"

local function square(z, more)
  local fields = { positions = { -1, -1, z, 1, -1, z, 1, 1, z, -1, 1, z }, indices = { 0, 1, 2, 0, 2, 3 } }
  for name, value in pairs(more or {}) do fields[name] = value end
  return sample.mesh(fields)
end

local function colour(r, g, b) return { surface = { base_color = { r, g, b, 1 } } } end

-- The colour in the middle, and how many samples were hit.
local function drawn(list, opts)
  local path = helper.tmpdir() .. "/x.glb"
  assert(lathe.export(list, path))
  opts.size = 32
  local bytes, image = render.png(helper.read(path), opts)
  local at, hits = 32 * image.size + 33, 0
  for _ in pairs(image.depth) do hits = hits + 1 end
  return { image.red[at], image.green[at], image.blue[at] }, hits, bytes
end

describe("the renderer", function()
  it("shows what is in front", function()
    for _, perspective in ipairs { false, true } do
      local near, hits = drawn({ square(1, colour(0, 1, 0)), square(-1, colour(1, 0, 0)) },
        { turn = 0, tilt = 0, perspective = perspective })
      assert.is_true(near[2] > 0.5 and near[1] == 0)
      assert.is_true(hits > 0.75 * 64 * 64)
    end
  end)

  it("shows backs in red, unless a material has two sides", function()
    local back = drawn({ square(0, colour(0, 1, 0)) }, { turn = 180, tilt = 0 })
    assert.is_true(back[1] > 4 * back[2])
    local two = drawn({ square(0, { surface = { base_color = { 0, 1, 0, 1 }, double_sided = true } }) },
      { turn = 180, tilt = 0 })
    assert.is_true(two[2] > 0 and two[1] == 0)
    local mirrored = drawn({ square(0, { surface = { base_color = { 0, 1, 0, 1 } },
      transform = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } }) }, { turn = 0, tilt = 0 })
    assert.is_true(mirrored[2] > 0 and mirrored[1] == 0)
  end)

  it("draws skins as they are at rest", function()
    local _, straight = drawn({ sample.bent { skin = { bones = {} } } }, { turn = 0, tilt = 0 })
    local _, bent = drawn({ sample.bent() }, { turn = 0, tilt = 0 })
    assert.is_true(bent > 1.2 * straight) -- a corner fills more of the picture than a bar
  end)

  it("writes pictures that others read", function()
    local _, _, bytes = drawn({ square(0) }, {})
    assert.equal("\x89PNG\r\n\x1a\n", bytes:sub(1, 8))
    -- One red pixel, as another program wrote it without compression.
    assert.equal("\0\0\0\x0dIHDR\0\0\0\1\0\0\0\1\8\2\0\0\0\x90\x77\x53\xde"
      .. "\0\0\0\x0fIDAT\x78\x01\x01\4\0\xfb\xff\0\xff\0\0\3\1\1\0\x8d\x1d\xe5\x82" .. "\0\0\0\0IEND\xae\x42\x60\x82",
      png.encode(1, 1, { "\xff\0\0" }):sub(9))
  end)
end)
