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

  -- Two objects, 6 places of 5 triangles, then 3 places of 2, are drawn with each limit on triangles.
  it("tell each triangle beyond the limit, also of placements of an object that was beyond it", function()
    local path, lines, expected = helper.tmpdir(), {}, {}
    helper.write(path .. "/cell.nif", packed.scene {
      packed.block(packed.INLINE, "inline", { object(6, 100), object(3, 100) }),
    })
    for limit = 1, 36 do
      local left, over = limit, 0
      for _, one in ipairs { { 6, 5 }, { 3, 2 } } do
        for _ = 1, one[1] do
          if one[2] <= left then left = left - one[2] else over = over + one[2] end
        end
      end
      lines[limit] = ("cell.png\tdoc=cell.nif\twidth=64\theight=64\ttriangles=%d\n"):format(limit)
      expected[limit] = over == 0 and "" or ("cell.nif: %d %s beyond the limit of %d %s not drawn\n")
        :format(over, over == 1 and "triangle" or "triangles", limit, over == 1 and "is" or "are")
    end
    local r = helper.run({ helper.build .. "/spec/c/preview_host" }, { cwd = path, stdin = table.concat(lines) })
    assert.equal(0, r.code, r.err)
    assert.equal(table.concat(expected), r.out)
  end)

  it("count a triangle of collision as three, because it is drawn with its edges", function()
    local path = helper.tmpdir()
    helper.write(path .. "/stock.nif", helper.read(helper.root .. "/scripts/examples/stock.nif"))
    local line <const> = "a.png\tdoc=stock.nif\twhat=2\twidth=64\theight=64\ttriangles=%d\n"
    local r = helper.run({ helper.build .. "/spec/c/preview_host" },
      { cwd = path, stdin = line:format(35) .. line:format(36) })
    assert.equal(0, r.code, r.err)
    assert.equal("stock.nif: 12 triangles beyond the limit of 35 are not drawn: in collision, each counts as three\n", r.out)
  end)
end)
