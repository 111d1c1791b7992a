-- Pictures of cells: objects that are placed several times, from above.

local helper = require "helper"
local lathe = require "lathe"
local packed = require "sample_packed"

-- An object of n vertices that is no line, at n places in a row.
local function object(n, apart)
  local one = packed.object(packed.SHORT, n)
  for i, vertex in ipairs(one.vertices) do
    vertex.position = { x = i * i, y = 20 - i, z = i % 3 }
  end
  for i, place in ipairs(one.combined) do place.transform.translation = { i * apart, 0, 0 } end
  return one
end

local function draw(one, kind)
  local doc <close> = assert(lathe.parse(packed.scene { packed.block(packed.INLINE, "inline", { one }) },
    { format = "nif" }))
  local path = helper.tmpdir() .. "/cell." .. kind
  local report = assert(lathe.preview(doc, path, { size = "640x480" }))
  return report, helper.read(path)
end

local function count(text, what) return select(2, text:gsub(what, "")) end

describe("pictures of cells", function()
  it("have the outline of each object in SVG, and no image", function()
    local report, svg = draw(object(6, 100), "svg")
    assert.equal(30, report.triangles)
    assert.equal(6, count(svg, "<polygon"))
    assert.equal(0, count(svg, "<image"))
    assert.same({}, report.notes)
  end)

  it("are shaded in PNG, but for triangles without area: the first one of each", function()
    assert.equal(24, (draw(object(6, 100), "png")).triangles)
  end)

  it("mark what is too small to be seen", function()
    local note = "6 meshes are too small to be seen: squares mark them"
    for _, kind in ipairs { "svg", "png" } do
      local report, bytes = draw(object(6, 1e5), kind)
      assert.same({ note }, report.notes)
      if kind == "svg" then
        assert.equal(0, count(bytes, "<polygon"))
        assert.equal(1, count(bytes, note))
      end
    end
  end)
end)
