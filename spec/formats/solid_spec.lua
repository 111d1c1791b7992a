-- Models of Lugaru. What every format must prove is in format_checks; here is what only this one has.

local checks = require "format_checks"
local damaged_import = require "damaged_import"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_solid"

local message, refuses = outcome.message, outcome.refuses

local function square(options)
  return checks.open("solid", sample.square, options)
end

checks.describe_format { format = "solid", samples = sample }

describe("solid", function()
  it("reads what the hex says", function()
    local doc <close> = square()
    assert.same({ 4, 2 }, { doc.vertex_count, doc.triangle_count })
    assert.same({ x = 1, y = 0, z = -1 }, doc.vertices[3]:totable())
    assert.equal(string.unpack("<f", string.pack("<f", 0.3)), doc.vertices[4].y)
    local t = doc.triangles[2]
    assert.same({ 0, 2, 3 }, { t.a, t.b, t.c })
    assert.same({ 2, 3, 0 }, { t.fill0, t.fill1, t.fill2 })
    assert.same({ 0, 1, 2 }, t.gy:totable())
    assert.is_nil(doc:totable().trailing)
    assert.is_nil(doc:totable().triangles[1].fill0)
    assert.same({ "solid", "Lugaru", 124 }, { doc.format, doc.game, doc.size })
  end)

  it("is recognised by its size where nothing else says what it is", function()
    local doc <close> = assert(lathe.parse(sample.square))
    assert.equal("solid", doc.format)
    assert.equal("not a file of a known format", message(lathe.parse(sample.square .. "x")))
  end)

  it("keeps fillers and trailing bytes, and shows them where they are unusual", function()
    local doc <close> = checks.open("solid", sample.odd)
    local plain = doc:totable()
    assert.equal("LAT", plain.trailing)
    assert.same({ 0x1234, -2, 7 }, { plain.triangles[1].fill0, plain.triangles[1].fill1,
      plain.triangles[1].fill2 })
    doc.vertices:resize(3)
    doc.triangles:resize(0)
    assert.equal("LAT", doc:encode():sub(-3))
    assert.equal(4 + 36 + 3, doc.size)
  end)

  describe("making", function()
    it("gives new triangles the fillers of the original tool", function()
      local doc <close> = assert(lathe.new("solid", {
        vertices = { { 0, 0, 0 }, { x = 1, y = 0, z = 0 }, { 0, 1, 0 } },
        triangles = { { a = 0, b = 1, c = 2, gx = { 0, 1, 0 }, gy = { 0, 0, 1 } } },
      }))
      assert.same({ 3, 1, 76 }, { doc.vertex_count, doc.triangle_count, doc.size })
      assert.same({ 0, 1, 1, 2, 2, 0, 53 }, { string.unpack(">i2i2i2i2i2i2", doc:encode(), 41) })
      assert.is_true(doc:check())
      doc.triangles:append { a = 2, b = 1, c = 0 }
      assert.same({ 1, 0, 0 }, { doc.triangles[2].fill0, doc.triangles[2].fill1, doc.triangles[2].fill2 })
      local empty <close> = assert(lathe.new("solid"))
      assert.equal("\0\0\0\0", empty:encode())
    end)

    it("takes documents and views as well as tables", function()
      local doc <close> = square()
      local part <close> = assert(lathe.new("solid", { vertices = doc.vertices, triangles = { doc.triangles[2] } }))
      assert.equal(4 + 48 + 36, part.size)
      assert.equal(sample.square:sub(-36), part:encode():sub(-36))
    end)

    it("refuses what is no solid, by name", function()
      local cases = {
        { { vertces = {} }, "solid at 0x0: no field 'vertces' in solid; did you mean 'vertices'?" },
        { { vertices = { { 1, 2, 3 } }, vertex_count = 7 }, "vertex_count at 0x0: does not agree: vertices has 1" },
        { { vertices = 3 }, "vertices at 0x4: a list expected" },
        { { vertices = { 3 } }, "vertices[1] at 0x4: vec3 expected" },
        { { vertices = { { 1, "a", 3 } } }, "vertices[1].y at 0x8: f32 expected, got a string" },
        { { vertices = { { 1, 2, 3, 4 } } }, "vertices[1] at 0x4: vec3 has 3 numbers, got 4" },
        { { vertices = { { 1, 2, w = 3 } } }, "vertices[1] at 0x4: no field 'w' in vec3" },
        { { vertices = { { 0, 0, 1e39 } } }, "vertices[1].z at 0xc: 9.9999999999999994e+38 does not fit into f32" },
        { { triangles = { { a = 40000 } } }, "triangles[1].a at 0x4: 40000 is not in -32768 .. 32767" },
        { { triangles = { { a = 0.5 } } }, "triangles[1].a at 0x4: 0.5 is not an integer" },
        { { triangles = { { gx = { 1, 2 } } } }, "triangles[1].gx at 0x10: 3 elements expected, got 2" },
        { { trailing = 5 }, "trailing at 0x4: a string expected" },
      }
      for _, case in ipairs(cases) do assert.equal(case[2], message(lathe.new("solid", case[1]))) end
      assert.equal("no format 'soild'; did you mean 'solid'?", message(lathe.new("soild")))
    end)
  end)

  describe("edits", function()
    it("refuse wrong values, naming place and field, and change nothing", function()
      local doc <close> = square()
      local t = doc.triangles[2]
      local function set(place, field, value)
        return function() place[field] = value end
      end
      refuses(doc, "no field 'vertces' in solid; did you mean 'vertices'?", set(doc, "vertces", {}))
      refuses(doc, "no field 'fil0' in solid_triangle; did you mean 'fill0'?", set(t, "fil0", 1))
      refuses(doc, "vertices[1].x: f32 expected, got a string", set(doc.vertices[1], "x", "a"))
      refuses(doc, "vertices[1]: vec3 has 3 numbers, got 4", set(doc.vertices, 1, { 1, 2, 3, 4 }))
      refuses(doc, "vertices[2].z: f32 expected, got a string", set(doc, "vertices", { { 1, 2, 3 }, { 1, 2, "z" } }))
      refuses(doc, "sample.solid: triangles[2].a at 0x58: 32768 is not in -32768 .. 32767", set(t, "a", 32768))
      refuses(doc, "triangles[2].a: 1.5 is not an integer", set(t, "a", 1.5))
      refuses(doc, "vertex_count: read-only: resize vertices instead", set(doc, "vertex_count", 7))
      refuses(doc, "index 6 is not in 1 .. 5", set(doc.vertices, 6, { 1, 2, 3 }))
      refuses(doc, "'size' of a document cannot be set", set(doc, "size", 4))
      refuses(doc, "triangles[1]: solid_triangle expected, got vec3", set(doc.triangles, 1, doc.vertices[1]))
    end)

    it("let held views follow their vertex", function()
      local doc <close> = square { history = 10 }
      local second, fourth, corner = doc.vertices[2], doc.vertices[4], doc.triangles[2]
      local new = doc.vertices:insert(3, { 9, 9, 9 })
      assert.same({ 9, 9, 9 }, { new.x, new.y, new.z })
      assert.equal("vertices[2]", lathe.path(second))
      assert.equal("vertices[5]", lathe.path(fourth))
      assert.equal("triangles[2]", lathe.path(corner))
      assert.same({ 5, 3 }, { doc.vertex_count, corner.c })
      assert.same({ x = 9, y = 9, z = 9 }, doc.vertices:remove(3))
      assert.equal(doc.vertices[4], fourth)
      assert.equal(sample.square, doc:encode())
      doc.vertices:remove(2)
      assert.equal("vertices[3]", lathe.path(fourth))
      refuses(doc, "vec3 was removed", function() return second.x end)
      doc.triangles:resize(0)
      refuses(doc, "solid_triangle was removed", function() return corner.a end)
      doc.triangles:resize(3)
      assert.same({ a = 0, b = 0, c = 0, gx = { 0, 0, 0 }, gy = { 0, 0, 0 } }, doc.triangles[3]:totable())
      assert.is_true(doc:undo(5))
      assert.equal(sample.square, doc:encode())
      assert.is_false(doc:undo())
      assert.equal(-1, fourth.x)
    end)

    it("stop at the largest count that the file can hold", function()
      local doc <close> = square()
      refuses(doc, "sample.solid: vertex_count at 0x0: 32768 is not in -32768 .. 32767",
        function() doc.vertices:resize(32768) end)
      doc.vertices:resize(32767)
      assert.equal(32767, doc.vertex_count)
      refuses(doc, "sample.solid: vertex_count at 0x0: 32768 is not in -32768 .. 32767",
        function() doc.vertices:append() end)
      doc.vertices:resize(4)
      assert.equal(sample.square, doc:encode())
      assert.is_true(doc.modified)
    end)

    it("are one step in doc:edit, or none", function()
      local doc <close> = square { history = 1 }
      refuses(doc, "no", function()
        doc:edit(function()
          doc.vertices:resize(900)
          for i = 1, 900 do doc.vertices[i].x = i end
          doc.trailing = "tail"
          error("no", 0)
        end)
      end)
      assert.is_false(doc.modified)
      doc:edit(function()
        doc.vertices:remove(1)
        doc.triangles:assign {}
      end)
      assert.equal(40, doc.size)
      doc:undo()
      assert.equal(sample.square, doc:encode())
    end)
  end)

  describe("scale", function()
    local function columns(doc)
      return doc.vertices:tobuffer():totable()
    end

    it("by a power of two and back is bit-exact", function()
      for _, s in ipairs { 2, 0.5, 1024, 2 ^ -20 } do
        local doc <close> = square()
        assert.same({ changed = 4, skipped = {} }, doc:scale(s))
        assert.equal(-s, doc.vertices[1].x)
        doc:scale(1 / s)
        assert.equal(sample.square, doc:encode())
      end
    end)

    it("by 3 and back stays within one unit in the last place", function()
      local doc <close> = square()
      local before = columns(doc)
      doc:scale(3)
      doc:scale(1 / 3)
      for i, v in ipairs(columns(doc)) do
        local a = string.unpack("<i4", string.pack("<f", v))
        local b = string.unpack("<i4", string.pack("<f", before[i]))
        assert.is_true(math.abs(a - b) <= 1)
      end
      assert.equal(sample.square:sub(53), doc:encode():sub(53))
    end)

    it("touches geometry alone", function()
      local doc <close> = square()
      assert.same({ changed = 0, skipped = {} }, doc:scale(2, { what = "collision" }))
      assert.is_false(doc.modified)
      assert.equal(4, doc:scale(2, { what = "geometry" }).changed)
      assert.equal(4, doc:scale(0.5, { what = "all" }).changed)
      assert.equal(sample.square, doc:encode())
    end)

    it("is one step back", function()
      local doc <close> = square { history = 1 }
      doc:scale(7)
      assert.is_true(doc:undo())
      assert.equal(sample.square, doc:encode())
    end)

    it("refuses factors that leave no model", function()
      local doc <close> = square()
      local need = ": a finite number above 0 expected"
      for factor, text in pairs { [0] = "0", [-1] = "-1", [math.huge] = "inf", [-math.huge] = "-inf" } do
        assert.equal("cannot scale by " .. text .. need, message(doc:scale(factor)))
      end
      assert.equal("cannot scale by nan" .. need, message(doc:scale(0 / 0)))
      assert.has_error(function() doc:scale() end, "scale needs 'factor': a number or a list of three")
      assert.has_error(function() doc:scale "2" end, "'factor' of scale: a number or a list of three expected, got a string")
      assert.equal("'what' of scale is one of all, collision, geometry, skeleton, animation",
        message(doc:scale(2, { what = "bones" })))
      assert.equal("sample.solid: vertices[1].x at 0x4: -1e+300 does not fit into f32",
        (message(doc:scale(1e300)):gsub("%-1%.0000000000000001e%+300", "-9.9999999999999994e+299")))
      assert.equal(sample.square, doc:encode())
      assert.is_false(doc.modified)
    end)
  end)

  describe("geometry", function()
    it("has a vertex for every corner, with the game's normals", function()
      local doc <close> = square()
      local count = 0
      for mesh in doc:meshes() do
        count = count + 1
        assert.same({ 6, 3 }, { mesh.positions.rows, mesh.positions.columns })
        assert.same({ 2, 3 }, { mesh.indices.rows, mesh.indices.columns })
        assert.same({ 0, 1, 2, 3, 4, 5 }, mesh.indices:totable())
        assert.same({ -1, 0, 1 }, { mesh.positions:row(4) })
        assert.same({ 1, 1 }, { mesh.uvs:row(3) })
        -- The first triangle lies flat, and the game's normals point away from its front.
        local x, y, z = mesh.normals:row(2)
        assert.same({ 0, -1, 0 }, { x, y, z })
      end
      assert.equal(1, count)
    end)

    it("has the game's bounding sphere: half of the widest pair's square is the radius's", function()
      local doc <close> = square()
      local y = doc.vertices[4].y
      local sphere = doc:bounding_sphere()
      assert.is_near(math.sqrt((4 + y * y + 4) / 2), sphere.radius, 1e-12)
      assert.same({ 0, y / 2, 0 }, sphere.center)
    end)

    it("of an empty model is nothing, of a broken one an error", function()
      local empty <close> = checks.open("solid", sample.empty)
      for mesh in empty:meshes() do assert.equal(0, mesh.positions.rows) end
      assert.same({ center = { 0, 0, 0 }, radius = 0 }, empty:bounding_sphere())
      local odd <close> = checks.open("solid", sample.odd)
      assert.equal("triangles[1].a: vertex index -1 of 1", message(odd:bounding_sphere()))
      local ok, err = pcall(function() for _ in odd:meshes() do error("a mesh") end end)
      assert.is_false(ok)
      assert.truthy(tostring(err):find("triangles[1].a: vertex index -1 of 1", 1, true))
      assert.equal(sample.odd, odd:encode())
    end)
  end)

  it("the bounding sphere is that of the first of the pairs that are farthest apart", function()
    local random = damaged_import.random(5)
    local function f32(x) return (string.unpack("<f", string.pack("<f", x))) end
    local kinds = {
      function() return { random(3), random(3), random(3) } end,
      function() return { random(1000) / 7, random(1000) / 7, random(1000) / 7 } end,
      function()
        local angle = random(1000)
        return { math.cos(angle), math.sin(angle), 0 }
      end,
      function() return { 1, 2, 3 } end,
    }
    for i = 1, 80 do
      local vertices, best, center = {}, 0, { 0, 0, 0 }
      for k = 1, random(40) do
        local p = kinds[i % #kinds + 1]()
        vertices[k] = { f32(p[1]), f32(p[2]), f32(p[3]) }
      end
      for a = 1, #vertices do
        for b = a + 1, #vertices do
          local p, q = vertices[a], vertices[b]
          local half = ((p[1] - q[1]) ^ 2 + (p[2] - q[2]) ^ 2 + (p[3] - q[3]) ^ 2) / 2
          if half > best then
            best, center = half, { (p[1] + q[1]) * 0.5, (p[2] + q[2]) * 0.5, (p[3] + q[3]) * 0.5 }
          end
        end
      end
      local doc <close> = assert(lathe.new("solid", { vertices = vertices }))
      assert.same({ center = center, radius = best ^ 0.5 }, doc:bounding_sphere())
    end
  end)

  it("check finds what the game would trip over", function()
    local doc <close> = checks.open("solid", sample.odd)
    local fine, list = doc:check()
    assert.is_nil(fine)
    local texts = {}
    for i, finding in ipairs(list) do texts[i] = finding.level .. " " .. finding end
    table.sort(texts)
    assert.same({
      "error sample.solid: triangles[1].a at 0x10: negative vertex index -1",
      "error sample.solid: triangles[1].b at 0x14: vertex index 9 of 1",
      "warning sample.solid: trailing at 0x34: 3 trailing bytes, which the game ignores",
      "warning sample.solid: triangles[1] at 0x10: fillers (4660, -2, 7) instead of (9, 0, 0)",
      "warning sample.solid: triangles[1].gx[1] at 0x1c: not a finite number",
      "warning sample.solid: triangles[1].gx[2] at 0x20: not a finite number",
      "warning sample.solid: vertices[1].x at 0x4: not a finite number",
      "warning sample.solid: vertices[1].y at 0x8: not a finite number",
    }, texts)
  end)
end)
