-- Every .solid and .fzx of the corpus against its figures: `raw` is what the file stores, `engine` what
-- the game's own loader made of it. And every malformed file. See the corpus's wolfire/README.md.
-- #corpus: pending, loudly, where there is none.

local figures = require "wolfire_figures"
local helper = require "helper"

local each, exactly, keeps, near = figures.each, figures.exactly, figures.keeps, figures.near

describe("the corpus of .solid #corpus", function()
  it("is kept to the byte", function()
    each(pending, "wolfire/solid", "solid", keeps)
  end)

  it("reads as it is stored", function()
    each(pending, "wolfire/solid", "solid", function(doc, name, path)
      local raw = figures.read(path, name, "raw")
      assert.same({ raw.vertex_count, raw.triangle_count, raw.trailing_bytes },
        { #doc.vertices, #doc.triangles, #(doc.trailing or "") })
      for i, v in ipairs(raw.vertices) do exactly(v, doc.vertices[i]) end
      for i, t in ipairs(raw.triangles) do
        local have = doc.triangles[i]
        assert.same({ t.v, t.filler }, { { have.a, have.b, have.c }, { have.fill0, have.fill1, have.fill2 } })
        exactly(t.gx, have.gx)
        exactly(t.gy, have.gy)
      end
      helper.count("solid", name)
    end)
  end)

  it("has the normals and the bounding sphere that the game works out", function()
    each(pending, "wolfire/solid", "solid", function(doc, name, path)
      local engine = figures.read(path, name, "engine")
      for mesh in doc:meshes() do
        for i, t in ipairs(engine.triangles) do
          local p = {}
          for k = 1, 3 do
            local corner = 3 * (i - 1) + k
            p[k] = { mesh.positions:row(corner) }
            near(engine.vertices[t.v[k] + 1], p[k], "position")
            near(engine.normals[t.v[k] + 1], { mesh.normals:row(corner) }, ("normal of triangle %d"):format(i))
            near({ t.gx[k], t.gy[k] }, { mesh.uvs:row(corner) }, "texture coordinate")
          end
          local function edge(a, b) return { b[1] - a[1], b[2] - a[2], b[3] - a[3] } end
          local u, v = edge(p[1], p[2]), edge(p[1], p[3])
          local n = { u[2] * v[3] - u[3] * v[2], u[3] * v[1] - u[1] * v[3], u[1] * v[2] - u[2] * v[1] }
          local length = math.sqrt(n[1] ^ 2 + n[2] ^ 2 + n[3] ^ 2)
          near(t.facenormal, { n[1] / length, n[2] / length, n[3] / length }, ("face %d"):format(i))
        end
      end
      local sphere = doc:bounding_sphere()
      near(engine.bounding_sphere_center, sphere.center, "centre")
      near({ engine.bounding_sphere_radius }, { sphere.radius }, "radius")
    end)
  end)
end)

describe("the corpus of .fzx #corpus", function()
  it("is kept to the byte", function()
    each(pending, "wolfire/fzx", "fzx", keeps)
  end)

  it("reads as it is stored, and as the game loads it", function()
    each(pending, "wolfire/fzx", "fzx", function(doc, name, path)
      local raw, engine = figures.read(path, name, "raw"), figures.read(path, name, "engine")
      assert.same({ raw.version, #raw.objects, raw.size_field, raw.trailing_bytes },
        { doc.version, doc.object_count, doc.footer.size, #(doc.trailing or "") })
      assert.same({ 0, #raw.objects }, { engine.result, #engine.objects })
      for i, o in ipairs(raw.objects) do
        local have = doc.objects[i]
        for _, figure in ipairs { o, engine.objects[i] } do
          assert.equal(figures.bytes(figure.label), have.label)
          exactly(figure.rotation_wxyz, have.rotation)
          exactly(figure.location, have.location)
          exactly(figure.scale, have.scale)
        end
      end
      helper.count("fzx", name)
    end)
  end)
end)

-- What lathe says of each bad file: the error, or the findings of check() for those that open.
local BAD = {
  ["fzx_count_huge.fzx"] = "objects at 0x10: 2147483647 elements of at least 44 bytes do not fit into 109 bytes",
  ["fzx_count_neg.fzx"] = "object_count at 0xc: negative count -1",
  ["fzx_count_plus1.fzx"] = "objects at 0x10: 3 elements of at least 44 bytes do not fit into 109 bytes",
  ["fzx_crlf_damage.fzx"] = "mark at 0x0: wrong mark: damaged by line-ending translation",
  ["fzx_empty.fzx"] = "fzx at 0x0: too small: 0 bytes",
  ["fzx_footer.fzx"] = "footer at 0x81: wrong footer: no FZX at the end",
  ["fzx_header_only.fzx"] = "fzx at 0x8: truncated: 8 bytes, at least 23 needed",
  ["fzx_label256.fzx"] = "objects[1].label at 0x10: 256 bytes of text, more than the limit of 255",
  ["fzx_label_neg.fzx"] = "objects[1].label at 0x10: negative length -1",
  ["fzx_magic.fzx"] = "mark at 0x0: wrong mark",
  ["fzx_size_plus1.fzx"] = "footer at 0x7d: the footer says 126 bytes, there are 125",
  ["fzx_size_whole_file.fzx"] = "footer at 0x7d: the footer says 132 bytes, there are 125",
  ["fzx_truncated.fzx"] = "footer at 0x80: wrong footer: no FZX at the end",
  ["fzx_version2.fzx"] = "version at 0x8: version 2, only 1 is known",
  ["solid_3bytes.solid"] = "triangle_count at 0x2: 2 bytes needed, 1 left",
  ["solid_empty.solid"] = "vertex_count at 0x0: 2 bytes needed, 0 left",
  ["solid_index_neg.solid"] = { "error triangles[1].b at 0x2c: negative vertex index -1" },
  ["solid_index_range.solid"] = { "error triangles[1].c at 0x30: vertex index 9 of 3" },
  ["solid_little_endian.solid"] = "solid at 0x0: 768 vertices and 256 triangles do not fit into 76 bytes; "
    .. "they would in the other byte order",
  ["solid_nan.solid"] = { "warning vertices[1].x at 0x4: not a finite number" },
  ["solid_neg_triangles.solid"] = "triangle_count at 0x2: negative count -1",
  ["solid_neg_vertices.solid"] = "vertex_count at 0x0: negative count -1",
  ["solid_trailing.solid"] = { "warning trailing at 0x4c: 4 trailing bytes, which the game ignores" },
  ["solid_trunc.solid"] = "solid at 0x0: 3 vertices and 1 triangles do not fit into 75 bytes",
  ["solid_zero.solid"] = {},
}

describe("the bad files of solid, fzx #corpus", function()
  for _, case in ipairs(figures.bad_files({ "solid", "fzx" }, BAD)) do
    it(case.title, function() case.run(pending) end)
  end
end)
