-- Every .solid and .fzx of the corpus against its figures: `raw` is what the file stores, `engine` what
-- the game's own loader made of it. And every malformed file. See the corpus's wolfire/README.md.
-- #corpus: pending, loudly, where there is none.

local checks = require "format_checks"
local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"

local function figures(folder, name, kind)
  return assert(json.decode(helper.read(("%s/expected/%s.%s.json"):format(folder, name, kind)), 1, nil))
end

-- The figures have f32 in 9 digits: the same bits once they are f32 again.
local function f32(value)
  if type(value) == "string" then value = assert(({ nan = 0 / 0, inf = math.huge, ["-inf"] = -math.huge })[value]) end
  return (string.unpack("<f", string.pack("<f", value)))
end

-- The same bits; but the figures write -0 so that it reads as the integer 0.
local function exactly(list, vector)
  assert.equal(#list, #vector)
  for i, v in ipairs(list) do
    local want, got = f32(v), vector[i]
    if string.pack("<d", want) ~= string.pack("<d", got) and not (want == 0 and got == 0) then
      assert.equal(want, got)
    end
  end
end

-- Byte strings map each byte to the character of its number.
local function bytes(text)
  return (text:gsub("[\xC2\xC3][\x80-\xBF]", function(c) return string.char(utf8.codepoint(c)) end))
end

local function near(expected, got, label)
  for i, v in ipairs(expected) do
    local limit = 1e-5 * math.max(1, math.abs(v))
    if math.abs(v - got[i]) > limit then
      error(("%s: %.9g instead of %.9g"):format(label, got[i], v))
    end
  end
end

local function each(folder, extension, test)
  local path = helper.need_corpus(folder, pending)
  local names = helper.list(path, "%." .. extension .. "$")
  assert(#names > 0, folder .. " is empty")
  for _, name in ipairs(names) do
    local doc <close> = assert(lathe.open(path .. "/" .. name))
    local ok, err = pcall(test, doc, name, path)
    if not ok then error(name .. ": " .. tostring(err), 0) end
  end
end

local function keeps(doc, name, path)
  local file = helper.read(path .. "/" .. name)
  assert.equal(file, doc:encode())
  checks.round_trip(doc.format, file)
  assert.is_true(doc:check())
end

describe("the corpus of .solid #corpus", function()
  it("is kept to the byte", function()
    each("wolfire/solid", "solid", keeps)
  end)

  it("reads as it is stored", function()
    each("wolfire/solid", "solid", function(doc, name, path)
      local raw = figures(path, name, "raw")
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
    each("wolfire/solid", "solid", function(doc, name, path)
      local engine = figures(path, name, "engine")
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
    each("wolfire/fzx", "fzx", keeps)
  end)

  it("reads as it is stored, and as the game loads it", function()
    each("wolfire/fzx", "fzx", function(doc, name, path)
      local raw, engine = figures(path, name, "raw"), figures(path, name, "engine")
      assert.same({ raw.version, #raw.objects, raw.size_field, raw.trailing_bytes },
        { doc.version, doc.object_count, doc.footer.size, #(doc.trailing or "") })
      assert.same({ 0, #raw.objects }, { engine.result, #engine.objects })
      for i, o in ipairs(raw.objects) do
        local have = doc.objects[i]
        for _, figure in ipairs { o, engine.objects[i] } do
          assert.equal(bytes(figure.label), have.label)
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

describe("the corpus of bad files #corpus", function()
  it("lists every .solid and .fzx with what a reader should say", function()
    local folder = helper.need_corpus("wolfire/bad", pending)
    local wanted = assert(json.decode(helper.read(folder .. "/bad.json")))
    local formats = { solid = true, fzx = true }
    for name, entry in pairs(wanted) do
      if formats[name:match("%.(%w+)$")] then
        local says, should = BAD[name], entry.reader_should
        assert(says, name .. " is not tested")
        if should:find("^error:") then assert.equal("string", type(says), name) end
        if should:find("^readable") then assert.equal("table", type(says), name) end
        if should:find("warn") then assert(type(says) == "table" and #says > 0, name) end
      end
    end
  end)

  for name, says in pairs(BAD) do
    it(name .. (type(says) == "table" and " opens and is kept" or " is refused by name"), function()
      local folder = helper.need_corpus("wolfire/bad", pending)
      local path = folder .. "/" .. name
      local doc, err = lathe.open(path)
      if type(says) == "string" then
        assert.is_nil(doc)
        assert.equal(path .. ": " .. says, tostring(err))
        assert.same({ path, "integer" }, { err.path, math.type(err.offset) })
      else
        assert(doc, err)
        assert.equal(helper.read(path), doc:encode())
        local fine, list = doc:check()
        local texts, broken = {}, false
        for i, finding in ipairs(list) do
          broken = broken or finding.level == "error"
          texts[i] = finding.level .. " " .. tostring(finding):sub(#path + 3)
        end
        assert.same(says, texts)
        assert.equal(not broken or nil, fine)
        doc:close()
      end
      helper.count("bad", name)
    end)
  end
end)
