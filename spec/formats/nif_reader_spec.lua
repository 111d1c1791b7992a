-- The plain reader of NIF that other specs compare core with: on files written by hand, on what is broken, and on every
-- file of the corpus against the figures of others. Nothing of lathe takes part.

local compare = require "nif_compare"
local figures = require "nif_figures"
local hex = require "nif_hex"
local kinds = require "nif_kinds"
local nif_schema = require "nif_schema"
local reader = require "nif_reader"
local shapes = require "nif_shapes"

local function fails(text, f, ...)
  local ok, err = pcall(f, ...)
  assert.is_false(ok)
  assert.equal(text, err)
end

describe("tables of NIF", function()
  local function value(text, values, context)
    local schema = nif_schema.read { "block A\n  u32 a\n  u32 b\n  u16 list[2]\n  u8 x[" .. text .. "]\n" }
    return schema.types.A.fields[4].count(values or {}, {}, context or { V = 0, U = 0, B = 0 })
  end

  it("are 257 of blocks and 65 of records", function()
    local schema = nif_schema.load()
    assert.same({ 257, 65 }, { #schema.blocks, #schema.structs })
    for _, name in ipairs(schema.blocks) do assert.is_true(schema:is_a(name, "NiObject"), name) end
    assert.is_false(schema:is_a("NiNode", "NiExtraData"))
  end)

  it("have expressions as Python reads them", function()
    for _, case in ipairs {
      { "2 + 3 * 4", 14 }, { "(2 + 3) * 4", 20 }, { "7 - 2 - 1", 4 }, { "7 / 2", 3 }, { "1 << 4 >> 2", 4 },
      { "12 & 10 == 8", 1 }, { "1 | 2 & 6", 3 }, { "0x10", 16 }, { "not 1 or 1", 1 }, { "not (0 or 1)", 0 },
      { "5 if 0 else 6", 6 }, { "5 if 2 > 1 else 6", 5 }, { "1 if 0 else 2 if 0 else 3", 3 },
      { "a * b", 6, { a = 2, b = 3 } }, { "sum(list) + 1", 10, { list = { 4, 5 } } }, { "a != 0 and b", 0, { a = 1 } },
      { "a >> 44 & 4095", 0x1B, { a = 0x0001B00000430205 } }, { "B >= 100 and V == 5", 1, {}, { V = 5, B = 100 } },
    } do
      assert.equal(case[2], value(case[1], case[3], case[4]), case[1])
    end
  end)

  it("read an absent field as 0 and a flag as a number", function()
    assert.same({ 0, 1, 0 }, { value("a"), value("a", { a = true }), value("a", { a = false }) })
  end)

  it("keep annotations, names and remarks apart", function()
    local schema = nif_schema.read { "// A remark.\nenum Kind\n  3 three // Doc.\nblock A : B // more\n"
      .. "  f32 x[2] @scale=2 @derive=n + 1 ? V > 3 // [m] A length.\nblock B\n  u32 n\n" }
    local field = schema.types.A.all[2]
    assert.same({ "x", "f32", { scale = "2", derive = "n + 1" }, "[m] A length." },
      { field.name, field.type, field.annotations, field.doc })
    assert.same({ true, false }, { field.cond({}, {}, { V = 4 }), field.cond({}, {}, { V = 3 }) })
    assert.equal("three", schema.names.Kind[3])
  end)

  it("name only what stands in front", function()
    fails("A.x: nothing is called n", nif_schema.read, { "block A\n  u8 x[n]\n  u32 n\n" })
    fails("A is there twice", nif_schema.read, { "block A\nstruct A\n" })
    fails("A: no parent B", nif_schema.read, { "block A : B\n" })
    fails("A.x: 1 +: ends too early", nif_schema.read, { "block A\n  u8 x[1 +]\n" })
  end)
end)

describe("halves of NIF", function()
  it("are what they are, there and back, all of them", function()
    assert.same({ 0, 1, -2, 65504, 2.0 ^ -24, 2.0 ^ -14 }, { kinds.half(0), kinds.half(0x3C00), kinds.half(0xC000),
      kinds.half(0x7BFF), kinds.half(1), kinds.half(0x0400) })
    for bits = 0, 0xFFFF do
      if bits & 0x7C00 ~= 0x7C00 or bits & 0x3FF == 0 then assert.equal(bits, kinds.to_half(kinds.half(bits))) end
    end
    assert.is_true(kinds.half(0x7E01) ~= kinds.half(0x7E01))
  end)

  it("are rounded to the nearest, ties to even", function()
    for number, bits in pairs { [1 + 2.0 ^ -11] = 0x3C00, [1 + 3 * 2.0 ^ -11] = 0x3C02, [65519.99] = 0x7BFF,
      [65520] = 0x7C00, [-1e9] = 0xFC00, [2.0 ^ -25] = 0, [1.5 * 2.0 ^ -24] = 2, [1.9999] = 0x4000 } do
      assert.equal(bits, kinds.to_half(number), tostring(number))
    end
  end)
end)

describe("a comparison of NIF blocks", function()
  local wanted = { name = false, flags = 14, at = { x = 1, y = 0.1, z = -0.0 }, rotation = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
    tri = { { 0, 1, 2 } }, on = true, list = {} }

  it("finds nothing where only the shape is another", function()
    assert.is_nil(compare.difference(wanted, wanted))
    assert.is_nil(compare.difference(wanted, { flags = 14, at = { 1, kinds.f32(0.1), 0 }, extra = 1, on = true,
      rotation = { { x = 1, y = 0, z = 0 }, { x = 0, y = 1, z = 0 }, { x = 0, y = 0, z = 1 } },
      tri = { { a = 0, b = 1, c = 2 } }, list = {} }))
  end)

  it("says where and what", function()
    for text, change in pairs {
      ["flags: 15 instead of 14"] = { flags = 15 }, ["on: false instead of true"] = { on = false },
      ["at(2): 0.2 instead of 0.1"] = { at = { 1, 0.2, 0 } }, ["name: \"a\" instead of false"] = { name = "a" },
      ["tri: 0 elements instead of 1"] = { tri = {} }, ["tri[1](3): 3 instead of 2"] = { tri = { { 0, 1, 3 } } },
      ["rotation: 8 numbers instead of 9"] = { rotation = { 1, 0, 0, 0, 1, 0, 0, 0 } },
      ["list: 1 elements instead of 0"] = { list = { 1 } },
    } do
      local got = {}
      for key, value in pairs(wanted) do got[key] = value end
      for key, value in pairs(change) do got[key] = value end
      assert.equal(text, compare.difference(wanted, got))
    end
  end)
end)

describe("NIF by hand", function()
  it("is a node of Skyrim SE", function()
    local file = reader.read(hex.sse, { places = true })
    assert.same({ 0x14020007, 1, 12, 100, "\0", "\0", "\0" }, { file.version, file.endian, file.user_version,
      file.bs_version, file.author, file.process_script, file.export_script })
    assert.is_nil(file.max_filepath)
    assert.same({ { "NiNode" }, { 0 }, { 80 }, { "Scene" }, 5, {} }, { file.block_types, file.type_index,
      file.block_sizes, file.strings, file.max_string_length, file.groups })
    assert.same({ { 0 }, "", #hex.sse - 8 }, { file.roots, file.trailing, file.footer_offset })
    local block = file.blocks[1]
    assert.same({ name = "Scene", num_extra_data = 0, extra_data_list = {}, controller = -1, flags = 0x8000E,
      translation = { x = 1.5, y = -2, z = 0 }, rotation = { 0, -1, 0, 1, 0, 0, 0, 0, 1 }, scale = 0.5,
      collision_object = -1, num_children = 0, children = {}, num_effects = 0, effects = {} }, block.values)
    assert.same({ { { -1, "ref" }, { -1, "ref" } }, { 0 } }, { block.refs, block.string_refs })
    assert.same({ { "name", block.at, 4 }, { "num_extra_data", block.at + 4, 4 }, { "extra_data_list", block.at + 8, 0 },
      { "controller", block.at + 8, 4 }, { "flags", block.at + 12, 4 }, { "translation", block.at + 16, 12 } },
      table.move(block.places, 1, 6, 1, {}))
  end)

  it("is a shape of Fallout 4", function()
    local file = reader.read(hex.fo4)
    assert.same({ 130, "", { "Tri", "" } }, { file.bs_version, file.max_filepath, file.strings })
    local values = file.blocks[1].values
    assert.same({ 1, 3, 66, 0x0001B00000430205 }, { values.num_triangles, values.num_vertices, values.data_size,
      values.vertex_desc })
    assert.same({ { 0, 1, 2 } }, values.triangles)
    assert.same({ center = { x = 0.5, y = -1, z = 0 }, radius = 2 }, values.bounds)
    local function byte(n) return n / 127.5 - 1 end
    assert.same({ position = { x = 1, y = 0, z = 0 }, bitangent_x = -1, uv = { u = 1, v = 0.5 },
      normal = { x = -1, y = 1, z = byte(128) }, bitangent_y = -1,
      tangent = { x = 1, y = byte(128), z = byte(128) }, bitangent_z = 1 }, values.vertices[2])
    assert.same({ position = { x = 0.5, y = -2, z = 65504 }, bitangent_x = 2.0 ^ -24, uv = { u = -0.25, v = 3 },
      normal = { x = byte(1), y = byte(2), z = byte(3) }, bitangent_y = byte(4),
      tangent = { x = byte(5), y = byte(6), z = byte(7) }, bitangent_z = byte(8) }, values.vertices[3])
  end)

  it("is a node of Oblivion, with text inside", function()
    local file = reader.read(hex.oblivion)
    assert.same({ 0x14000005, 11, 11, 2 }, { file.version, file.user_version, file.bs_version, #file.blocks })
    assert.is_nil(file.block_sizes)
    assert.same({ { "NiNode", 100 }, { "NiStringExtraData", 16 } },
      { { file.blocks[1].type, file.blocks[1].size }, { file.blocks[2].type, file.blocks[2].size } })
    assert.same({ "Scene Root", { 1 }, { -1 }, {} }, { file.blocks[1].values.name,
      file.blocks[1].values.extra_data_list, file.blocks[1].values.children, file.blocks[1].values.properties })
    assert.same({ name = "Prn", value = "Bip01" }, file.blocks[2].values)
    assert.same({ { 0 }, "" }, { file.roots, file.trailing })
  end)

  it("is a node of Morrowind, bounded", function()
    local file = reader.read(hex.morrowind)
    local values = file.blocks[1].values
    assert.same({ "Root", true, { kind = 0, sphere = { center = { x = 0, y = 0, z = 0 }, radius = 5 } } },
      { values.name, values.has_bv, values.bv })
    assert.same({ { 0 }, "" }, { file.roots, file.trailing })
  end)

  it("is flags of Starfield under a stamp", function()
    local file = reader.read(hex.starfield)
    assert.same({ 172, 3, "\x81\xB8\xC3\xE0\xD6\x01\0" }, { file.bs_version, file.unknown_int, file.max_filepath })
    assert.is_nil(file.process_script)
    assert.same({ name = "BSX", value = 0xC2 }, file.blocks[1].values)
  end)

  it("is never read past its end", function()
    for name, bytes in pairs(hex) do
      for size = 0, #bytes - 1 do
        local ok, found = pcall(reader.read, bytes:sub(1, size))
        assert.is_true(not ok or found.stopped ~= nil, ("%s cut at %d"):format(name, size))
        if not ok then assert.matches("^at 0x%x+", found) end
      end
    end
  end)
end)

describe("the corpus of NIF, read plainly #corpus", function()
  local function decoded(entries)
    local blocks, bad = 0, {}
    figures.each(entries, function(entry)
      local file = reader.read(entry:bytes(), { lazy = true })
      for i, block in ipairs(file.blocks) do
        if block.err then
          bad[#bad + 1] = ("%s[%d] %s"):format(entry.name, i - 1, block.type)
        else
          blocks = blocks + 1
          assert.equal(block.size, block.consumed)
        end
      end
      if file.stopped then
        bad[#bad + 1] = ("%s[%d] %s"):format(entry.name, file.stopped.index, file.stopped.type)
      else
        assert.equal("", file.trailing)
      end
    end)
    return blocks, bad
  end

  it("decodes to the stored sizes", function()
    local blocks, bad = decoded(figures.files(pending))
    assert.equal(6592, blocks)
    assert.same({ "fo4_Corrupt.nif[5] BSLightingShaderProperty",
      "mw_TestNifFile_Particles_MW.nif[10] NiParticleSystemController",
      "mw_TestNifFile_RotatingParticles_MW.nif[11] NiParticleSystemController" }, bad)
  end)

  it("decodes the 40 with collision to the stored sizes", function()
    local blocks, bad = decoded(figures.collision_files(pending))
    assert.same({ 7460, {} }, { blocks, bad })
  end)

  -- Texts as hex, without the length in front.
  local EXPORTS = { author = "author", process = "process_script", export = "export_script", maxpath = "max_filepath",
    unknown = "unknown_int" }

  it("has the headers of the figures", function()
    local exports = 0
    figures.each(figures.files(pending), function(entry)
      local wanted, file = entry.wanted.header, reader.read(entry:bytes(), { lazy = true })
      assert.equal(wanted.header_string, file.version_text)
      assert.equal(tonumber(wanted.version), file.version)
      assert.same({ wanted.user, wanted.bs }, { file.user_version, file.bs_version or 0 })
      assert.same({ wanted.num_blocks, wanted.body_offset, wanted.footer_offset or file.footer_offset },
        { file.num_blocks, file.body_offset, file.footer_offset })
      assert.same(wanted.block_types or {}, file.block_types or {})
      assert.same(wanted.type_index or {}, file.type_index or {})
      assert.same(wanted.block_sizes or {}, file.block_sizes or {})
      assert.same(wanted.groups or {}, file.groups or {})
      assert.same({ wanted.num_strings or 0, wanted.max_string_length or 0 },
        { #(file.strings or {}), file.max_string_length or 0 })
      if wanted.roots then assert.same(wanted.roots, file.roots) end
      if entry.wanted.strings then assert.same(entry.wanted.strings, file.strings or {}) end
      for _, pair in ipairs(wanted.exports) do
        local raw = file[EXPORTS[pair[1]]]
        if type(raw) == "string" then raw = raw:gsub(".", function(c) return ("%02x"):format(c:byte()) end) end
        assert.equal(pair[2], raw)
        exports = exports + 1
      end
    end)
    assert(exports > 300, exports)
  end)

  it("has the references of the figures", function()
    local blocks = 0
    figures.each(figures.files(pending), function(entry)
      local refs = entry.wanted.header.block_refs
      if not refs then return end
      for i, block in ipairs(reader.read(entry:bytes(), { lazy = true }).blocks) do
        if figures.block_refs(entry, i) then
          assert.same(refs[i], block.refs, ("block %d"):format(i - 1))
          blocks = blocks + 1
        end
      end
    end)
    assert.equal(6017, blocks)
  end)

  it("has the shapes of the figures", function()
    local met, missing = 0, {}
    figures.each(figures.files(pending), function(entry)
      if not (entry.wanted.shapes and entry.wanted.shapes[1]) then return end
      local file = reader.read(entry:bytes(), { lazy = true })
      for _, wanted in ipairs(entry.wanted.shapes) do
        local block = file.blocks[wanted.index + 1]
        local mesh = block and shapes.geometry(file, block)
        if mesh then
          assert.same({ wanted.type, wanted.name }, { block.type, block.values.name or "" })
          figures.shape(wanted, mesh)
          met = met + 1
        else
          missing[#missing + 1] = wanted.type
        end
      end
    end)
    assert.same({ 256, { "NiAutoNormalParticles", "NiRotatingParticles", "NiRotatingParticles", "NiTriShape" } },
      { met, missing })
  end)
end)
