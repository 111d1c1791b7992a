-- The generator of tables, on small texts of the unit nif and on all of its own; what it refuses is in
-- schema_problems_spec.lua, what other units say in schema_words_spec.lua.

local helper = require "helper"
local schema_units = require "schema_units"

local tables = schema_units.tables()
local schema_rows = require "schema_rows"

local function generated(text, documented)
  local texts, problems = tables.from(schema_units.nif(text), documented)
  if not texts then error(table.concat(problems, "\n"), 2) end
  return texts, schema_rows.wide(texts, "nif")
end

-- Functions of a unit are numbered through: here from 1, as if there was nothing else in it.
local function renumbered(text)
  local numbers, counts = {}, {}
  return (text:gsub("%f[%w_](%l[%l_]-)_(%d+)%f[^%w_]", function(word, number)
    if not (" only when_fn count arg derive "):find(" " .. word .. " ", 1, true) then return nil end
    local name = word .. number
    if not numbers[name] then
      counts[word] = (counts[word] or 0) + 1
      numbers[name] = word .. "_" .. counts[word]
    end
    return numbers[name]
  end))
end

-- The rows of a block T with these lines as words; functions in front of them with `all`.
local function rows_of(lines, all)
  local _, text = generated("block T\n" .. lines)
  text = renumbered(text:match("/%* %-+ T %-+ %*/\n(.-)const rec_type nif_T "))
  if all then return text end
  local rows = {}
  for row in text:match("T_rows%[%] = {\n(.-)\n};"):gmatch("    {(.-)},\n?") do rows[#rows + 1] = row end
  return rows
end

local function problems_of(text)
  local texts, problems = tables.from(schema_units.nif(text))
  assert.is_nil(texts)
  for i, problem in ipairs(problems) do problems[i] = problem:gsub("^schema/", "") end
  return problems
end

describe("a row", function()
  local doc = ', .doc = ""'

  it("may be a document, as many bytes as an earlier row says", function()
    assert.same({ '.name = "n", .kind = REC_U32, .flags = REC_READONLY, .why = "it follows from a"' .. doc,
      '.name = "a", .kind = REC_RECORD, .flags = REC_PART | REC_LAZY, .embed = &format_hkx, .bytes_by = "n"' .. doc },
      rows_of("  u32 n\n  packfile a[n]"))
    for _, row in ipairs { "packfile a", "packfile a[4]", "packfile a[REST]", "packfile a[n] ? n" } do
      assert.same({ "t.schema:3: a document without the row of its size, or with a condition" },
        problems_of("block T\n  u32 n\n  " .. row))
    end
  end)

  it("has the kind of its type", function()
    local kinds = {
      u8 = ".kind = REC_U8", i8 = ".kind = REC_I8", u16 = ".kind = REC_U16", i16 = ".kind = REC_I16",
      u32 = ".kind = REC_U32", i32 = ".kind = REC_I32", u64 = ".kind = REC_U64", f16 = ".kind = REC_F16",
      f32 = ".kind = REC_F32", ref = ".kind = REC_I32, .ref = &nif_ref", ptr = ".kind = REC_I32, .ref = &nif_ptr",
      sstr = ".kind = REC_STR, .prefix = 4", sstr16 = ".kind = REC_STR, .prefix = 2",
      vec2 = ".kind = REC_RECORD, .type = &rec_vec2", vec3 = ".kind = REC_RECORD, .type = &rec_vec3",
      vec4 = ".kind = REC_RECORD, .type = &rec_vec4", quat = ".kind = REC_RECORD, .type = &rec_quat_wxyz",
      hkquat = ".kind = REC_RECORD, .type = &rec_quat", mat44 = ".kind = REC_RECORD, .type = &rec_mat4",
      mat33 = ".kind = REC_RECORD, .type = &nif_mat33", hvec3 = ".kind = REC_RECORD, .type = &nif_hvec3",
      tri = ".kind = REC_RECORD, .type = &nif_tri", col3 = ".kind = REC_RECORD, .type = &nif_col3",
      col4 = ".kind = REC_RECORD, .type = &nif_col4", bound = ".kind = REC_RECORD, .type = &nif_bound",
      xform = ".kind = REC_RECORD, .type = &nif_xform",
    }
    for type, kind in pairs(kinds) do
      assert.same({ '.name = "a", ' .. kind .. doc }, rows_of("  " .. type .. " a"))
    end
  end)

  it("has a default, of a vector for each of its numbers", function()
    local text = rows_of("  vec2 a @init=1\n  col4 b @init=0", true)
    assert.is_truthy(text:find(".type = &rec_vec2, .init_lanes = (const double[]){1, 1}, ", 1, true), text)
    assert.is_truthy(text:find(".type = &nif_col4, .init_lanes = (const double[]){0, 0, 0, 0}, ", 1, true), text)
    assert.same({ "t.schema:2: @init of what is no number or vector" }, problems_of("block T\n  bound a @init=1"))
    assert.same({ "t.schema:2: @init of what is no number or vector" }, problems_of("block T\n  vec2 a[2] @init=1"))
  end)

  it("takes no bytes where C tells it, or looks at the record", function()
    assert.same({ '.name = "a", .kind = REC_COMPUTED, .shown = REC_TEXT, .flags = REC_INSIDE, .get = nif_f' .. doc,
      '.name = "b", .kind = REC_COMPUTED, .type = &nif_tri, .get = nif_f' .. doc,
      '.name = "c", .kind = REC_RECORD, .flags = REC_INSIDE | REC_OVERLAY, .type = &nif_tri' .. doc },
      rows_of("  computed text a @get=nif_f @inside\n  computed tri b @get=nif_f\n  tri c @overlay @inside"))
    for line, why in pairs {
      ["computed text a[2] @get=f"] = "a count or condition of what takes no bytes",
      ["computed text a @get=f ? V > 1"] = "a count or condition of what takes no bytes",
      ["tri a[2] @overlay"] = "a count or condition of what takes no bytes",
      ["computed V a @get=f"] = "'computed V' is no type",
      ["numbers a @get=f"] = "@get of numbers: @numbers says how they are read",
    } do
      assert.same({ "t.schema:2: " .. why }, problems_of("block T\n  " .. line))
    end
  end)

  it("is shown by a codec of C", function()
    assert.same({ '.name = "a", .kind = REC_U32, .shown = REC_TEXT, .codec = &nif_c' .. doc },
      rows_of("  u32 a @codec=nif_c @shown=text"))
    for _, type in ipairs { "f32", "ref", "sstr" } do
      assert.same({ "t.schema:2: a codec of what is no plain integer" },
        problems_of("block T\n  " .. type .. " a @codec=c"))
    end
  end)

  it("is two where its width depends on the version", function()
    local text = rows_of("  bool a\n  str b[2]", true)
    assert.equal([[
static bool only_1(const rec_setting *s)
{
    return NIF_V(s) > 0x04000002;
}
static bool only_2(const rec_setting *s)
{
    return NIF_V(s) <= 0x04000002;
}
static bool only_3(const rec_setting *s)
{
    return NIF_V(s) < 0x14010003;
}
static bool only_4(const rec_setting *s)
{
    return NIF_V(s) >= 0x14010003;
}
static const rec_field nif_T_rows[] = {
    {.name = "a", .kind = REC_U8, .shown = REC_BOOL, .only = only_1, .doc = ""},
    {.name = "a", .kind = REC_U32, .shown = REC_BOOL, .only = only_2, .doc = ""},
    {.name = "b", .kind = REC_STR, .prefix = 4, .n = 2, .only = only_3, .doc = ""},
    {.name = "b", .kind = REC_U32, .shown = REC_TEXT, .codec = &nif_string, .n = 2, .only = only_4, .doc = ""},
};
]], text)
  end)

  it("is one where its condition says which version", function()
    local text = rows_of("  bool a ? V >= 0x0A000000 and B > 3\n  str b ? V <= 0x04000000\n" ..
                         "  str c ? V >= 0x14010003", true)
    assert.equal([[
static bool only_1(const rec_setting *s)
{
    return NIF_V(s) >= 0x0A000000 && NIF_B(s) > 3;
}
static bool only_2(const rec_setting *s)
{
    return NIF_V(s) <= 0x04000000;
}
static bool only_3(const rec_setting *s)
{
    return NIF_V(s) >= 0x14010003;
}
static const rec_field nif_T_rows[] = {
    {.name = "a", .kind = REC_U8, .shown = REC_BOOL, .only = only_1, .doc = ""},
    {.name = "b", .kind = REC_STR, .prefix = 4, .only = only_2, .doc = ""},
    {.name = "c", .kind = REC_U32, .shown = REC_TEXT, .codec = &nif_string, .only = only_3, .doc = ""},
};
]], text)
  end)

  it("has the count that is given", function()
    local text = rows_of([[
  u16 n
  u32 m
  f32 a[6]
  u8 b[n]
  u8 c[n * m]
  u16 d[n]
  u8 e[sum(d)]
  bytes f[m]
  bytes unused1[4]
  bytes g[4]
  bytes h[REST]
]], true)
    assert.equal([[
static uint64_t count_1(const rec_at *at)
{
    return arith_count(arith_times(rec_slot_int(at, 0 /* n */), rec_slot_int(at, 1 /* m */)));
}
static uint64_t count_2(const rec_at *at)
{
    return arith_count(arith_clip(rec_slot_sum(at, 5 /* d */)));
}
static const rec_field nif_T_rows[] = {
    {.name = "n", .kind = REC_U16, .doc = ""},
    {.name = "m", .kind = REC_U32, .doc = ""},
    {.name = "a", .kind = REC_F32, .n = 6, .doc = ""},
    {.name = "b", .kind = REC_U8, .by = "n", .doc = ""},
    {.name = "c", .kind = REC_U8, .count = count_1, .uses = "n m", .doc = ""},
    {.name = "d", .kind = REC_U16, .by = "n", .doc = ""},
    {.name = "e", .kind = REC_U8, .count = count_2, .uses = "d", .doc = ""},
    {.name = "f", .kind = REC_BYTES, .by = "m", .doc = ""},
    {.name = "unused1", .kind = REC_BYTES, .flags = REC_PAD, .n = 4, .doc = ""},
    {.name = "g", .kind = REC_BYTES, .n = 4, .doc = ""},
    {.name = "h", .kind = REC_BYTES, .flags = REC_REST, .doc = ""},
};
]], text)
  end)

  it("splits its condition: what a layout is made with, one row, the rest", function()
    local text = rows_of([[
  u32 k
  u8 f
  f32 r
  u8 a ? k
  u8 b ? k == 0x10 and B > 3
  u8 c ? k != 0
  u8 d ? not k
  u8 e ? f & 1
  u8 g ? k and f == 2
  u8 h ? V < 5 or f
  u8 i ? r >= 1.5 and r < INF
  u8 j ? f > (8 if V >= 9 else 6)
]], true)
    assert.equal([[
static bool only_1(const rec_setting *s)
{
    return NIF_B(s) > 3;
}
static bool when_fn_1(const rec_at *at)
{
    return (rec_slot_int(at, 1 /* f */) & 1) != 0;
}
static bool when_fn_2(const rec_at *at)
{
    return rec_slot_int(at, 1 /* f */) == 2;
}
static bool when_fn_3(const rec_at *at)
{
    return NIF_AT_V(at) < 5 || rec_slot_int(at, 1 /* f */) != 0;
}
static bool when_fn_4(const rec_at *at)
{
    return rec_slot_real(at, 2 /* r */) >= 1.5 && rec_slot_real(at, 2 /* r */) < (double)INFINITY;
}
static bool when_fn_5(const rec_at *at)
{
    return rec_slot_int(at, 1 /* f */) > (NIF_AT_V(at) >= 9 ? 8 : 6);
}
static const rec_field nif_T_rows[] = {
    {.name = "k", .kind = REC_U32, .doc = ""},
    {.name = "f", .kind = REC_U8, .doc = ""},
    {.name = "r", .kind = REC_F32, .doc = ""},
    {.name = "a", .kind = REC_U8, .when = "k", .doc = ""},
    {.name = "b", .kind = REC_U8, .when = "k", .when_eq = true, .when_value = 16, .only = only_1, .doc = ""},
    {.name = "c", .kind = REC_U8, .when = "k", .doc = ""},
    {.name = "d", .kind = REC_U8, .when = "k", .when_eq = true, .when_value = 0, .doc = ""},
    {.name = "e", .kind = REC_U8, .when_fn = when_fn_1, .uses = "f", .doc = ""},
    {.name = "g", .kind = REC_U8, .when = "k", .when_fn = when_fn_2, .uses = "f", .doc = ""},
    {.name = "h", .kind = REC_U8, .when_fn = when_fn_3, .uses = "f", .doc = ""},
    {.name = "i", .kind = REC_U8, .when_fn = when_fn_4, .uses = "r", .doc = ""},
    {.name = "j", .kind = REC_U8, .when_fn = when_fn_5, .uses = "f", .doc = ""},
};
]], text)
  end)

  it("has what its notes and its remark say", function()
    local rows = rows_of("  u32 k @names=E @init=3 // [each] Says \"what\".\n" ..
      "  u16 f @names=F ? V > 3 // Bits.\n  vec3 p[2] @scale=-2 // http://x\n" ..
      "  u32 s @derive=k * 2 ? k // [bytes] Size.\nenum E\n  0 one\n  3 two // Two.\nflags F\n  4 bit")
    assert.same({
      '.name = "k", .kind = REC_U32, .shown = REC_ENUM, .names = &nif_E, .init = 3, .unit = "each", ' ..
        '.doc = "Says \\"what\\"."',
      '.name = "f", .kind = REC_U16, .shown = REC_FLAGS, .names = &nif_F, .only = only_1, .doc = "Bits."',
      '.name = "p", .kind = REC_RECORD, .type = &rec_vec3, .n = 2, .power = -2, .doc = "http://x"',
      '.name = "s", .kind = REC_U32, .when = "k", .derive = derive_1, .unit = "bytes", .doc = "Size."',
    }, rows)
  end)

  it("is named by its number, and by its name where several rows have that", function()
    local _, text = generated([[
block A
  u32 a
  u8 n ? B < 3
  u16 n ? B >= 3
block C : A
  u32 b
  u8 x[a + b]
  u8 y[n + 1]
]])
    assert.truthy(text:find("arith_plus(rec_slot_int(at, 0 /* a */), rec_slot_int(at, 3 /* b */))", 1, true))
    assert.truthy(text:find('arith_plus(rec_int(at, "n"), 1)', 1, true))
  end)

  it("follows from any row of its record, where it is worked out anew", function()
    local text = rows_of("  u32 size @derive=n * 4 + 1\n  u32 n", true)
    assert.truthy(text:find([[
static bool derive_1(const rec_at *at, int64_t *out)
{
    *out = arith_plus(arith_times(rec_slot_int(at, 1 /* n */), 4), 1);
    return *out != ARITH_TOO_MUCH;
}
]], 1, true))
  end)
end)

describe("a struct with an argument", function()
  local _, text = generated([[
block T
  u32 kind
  bool has ? V > 5
  u64 desc
  Key(kind) keys[3]
  Key(has if V > 5 else 1) more
  Key(1) one
  Key(kind & 512) bits
  BSVertexData(desc, B == 100) vertices[3]
  BSVertexData(desc, 1) more_vertices[3]
  BSVertexData(desc, 0) others[3]
struct Key(k)
  u8 a ? k == 2
  u8 b[k]
  u8 c ? k == 3 or a
]])

  it("is asked for with it", function()
    for _, c in ipairs {
      "return (uint64_t)rec_slot_int(at, 0 /* kind */);",
      'return (uint64_t)(NIF_AT_V(at) > 5 ? rec_int(at, "has") : 1);', "    (void)at;\n    return (uint64_t)1;",
      "return (uint64_t)(rec_slot_int(at, 0 /* kind */) & 512);",
      "return ((uint64_t)rec_slot_int(at, 3 /* desc */) & ~UINT64_C(0xC000000000000000)) | " ..
        "(NIF_AT_B(at) == 100 ? 0x8000000000000000U : 0);",
      "return ((uint64_t)rec_slot_int(at, 3 /* desc */) & ~UINT64_C(0xC000000000000000)) | 0x8000000000000000U;",
      "return ((uint64_t)rec_slot_int(at, 3 /* desc */) & ~UINT64_C(0xC000000000000000));",
      '.name = "keys", .kind = REC_RECORD, .type = &nif_Key, .n = 3, .arg = arg_1, .uses = "kind"',
      '.name = "vertices", .kind = REC_RECORD, .type = &nif_BSVertexData, .n = 3, .arg = arg_5, .uses = "desc"',
    } do
      assert.truthy(text:find(c, 1, true), c)
    end
  end)

  it("is laid out by it", function()
    for _, c in ipairs {
      "return (int64_t)s->arg == 2;", "return arith_count((int64_t)at->layout->arg);",
      "return (int64_t)at->layout->arg == 3 || rec_slot_int(at, 0 /* a */) != 0;",
      '.name = "b", .kind = REC_U8, .count = count_1, .uses = ""',
    } do
      assert.truthy(text:find(c, 1, true), c)
    end
  end)
end)

describe("a schema", function()
  it("becomes types, with their bases", function()
    local texts, text = generated([[
// All there is.
block Base                // What all are.
block BSSkin::Bone : Base
  u8 a
struct S
  u8 a
]])
    assert.equal("/* Generated from core/nif/schema by core/schema/generate.lua: edits belong there. */\n",
                 texts["nif.c"]:match("^.-\n"))
    assert.truthy(text:find('const rec_type nif_Base = {.name = "Base", .doc = "What all are."};\n', 1, true))
    assert.truthy(text:find('const rec_type nif_BSSkin__Bone = {.name = "BSSkin::Bone", .doc = "", ' ..
                            ".base = &nif_Base, REC_ROWS(nif_BSSkin__Bone_rows)};\n", 1, true))
    local header = texts["nif_types.h"]
    assert.truthy(header:find([[
#define nif_BSSkin__Bone (nif_unit.types[0])
#define nif_Base (nif_unit.types[1])
#define nif_NiObject (nif_unit.types[2])
]], 1, true))
    assert.truthy(header:find("#define nif_S (nif_unit.types[", 1, true))
    assert.truthy(header:find("enum { nif_block_count = 3 };\n", 1, true))
  end)

  it("names each text once, and what needs a pointer once", function()
    local texts = generated("block T\n  u8 same @get=f // Same.\nblock S\n  u8 same @get=f // Same.")
    local function count(text)
      local n = select(2, texts["nif.c"]:gsub(text:gsub("%p", "%%%0"), ""))
      return n
    end
    assert.equal(1, count('"same\\000"'))
    assert.equal(1, count('"Same.\\000"'))
    assert.equal(1, count("{.get = f}"))
  end)

  it("counts rows of parents, and rows that stand for others", function()
    local _, text = generated("block T : NiObject\n  u8 n\n  rows more\n  u8 a[n + m]\nrows more\n  u8 m")
    assert.truthy(text:find("arith_plus(rec_slot_int(at, 3 /* n */), rec_slot_int(at, 4 /* m */))", 1, true))
  end)

  it("has names of values and of bits", function()
    local texts = generated("enum E\n  0 zero\n  0x10 sixteen // Ten more.\n  16 again \"AGAIN\" alias\n" ..
                            "flags F\n  0 low\n  63 high\nmasks M \"mask\"\n  0 none\n  0x3 both\nblock T")
    assert.same({
      "E: zero 0, sixteen 16, again AGAIN 16",
      "F: low (int64_t)(UINT64_C(1) << 0), high (int64_t)(UINT64_C(1) << 63)",
      "mask: none 0, both 3",
    }, schema_rows.names(texts, "nif"))
  end)

  it("asks for the block that a record is in", function()
    local _, text = generated([[
block BSLightingShaderProperty
block NiParticleSystem
block NiPSysData
block T
  u8 a ? shader_kind == 1 and B > 3
  u8 b ? B < 100 or not is_particle_system
  u8 c ? not is_psys
  str name
  u8 d ? B < 155 or not name_nonempty
]])
    for _, c in ipairs {
      "return (rec_is_a(s->type, &nif_BSLightingShaderProperty) ? 1 : 0) == 1 && NIF_B(s) > 3;",
      "return NIF_B(s) < 100 || !rec_is_a(s->type, &nif_NiParticleSystem);",
      "return !(NIF_B(s) >= 34 && rec_is_a(s->type, &nif_NiPSysData));",
      "return NIF_AT_B(at) < 155 || !nif_named(at);",
      '.name = "d", .kind = REC_U8, .when_fn = when_fn_1, .uses = "name"',
    } do
      assert.truthy(text:find(c, 1, true), c)
    end
  end)
end)

describe("the schema of NIF", function()
  local units = {
    { name = "record", files = schema_units.folder("core/record/schema") },
    { name = "nif", files = schema_units.folder("core/nif/schema") },
  }
  local texts, m = tables.from(units, true)
  local nif = texts and m.units[2]

  it("has all blocks and structs", function()
    assert(texts, not texts and table.concat(m, "\n"))
    local blocks = tonumber(texts["nif_types.h"]:match("enum { nif_block_count = (%d+) }"))
    local structs = 0
    for _, t in ipairs(nif.list) do structs = structs + (t.section.kind == "struct" and 1 or 0) end
    assert.same({ 257, 80 }, { blocks, structs })
  end)

  it("comes out the same, whoever runs the program", function()
    local folder = helper.tmpdir()
    local run = "lua5.4 core/schema/generate.lua " .. folder .. " core/record/schema/*.schema core/nif/schema/*.schema"
    assert.equal(0, helper.run(run).code)
    local written = {}
    for _, name in ipairs(helper.list(folder, "^%a")) do written[name] = helper.read(folder .. "/" .. name) end
    assert.same(texts, written)
  end)

  it("lists blocks in the order that a search by halves needs", function()
    local last, left = "", tonumber(texts["nif_types.h"]:match("enum { nif_block_count = (%d+) }"))
    for name in texts["nif_types.h"]:gmatch("#define nif_([%w_]+) %(nif_unit%.types") do
      if left == 0 then break end
      left = left - 1
      name = name:gsub("__", "::")
      assert.is_true(last < name, last .. " " .. name)
      last = name
    end
  end)

  it("defines what it declares, and no function that nobody asks", function()
    for name, text in pairs(texts) do
      for fn in text:gmatch("static [%w_]+ ([%w_]+)%(") do
        assert.truthy(text:find("= " .. fn .. "[,}]"), name .. ": " .. fn)
      end
    end
    for list, form in pairs { types = "TYPE", names = "NAMES" } do
      local declared = tonumber(texts["nif_types.h"]:match("rec_[%w]+ " .. list .. "%[(%d+)%];"))
      assert.equal(declared, select(2, texts["nif_types.h"]:gsub("#define nif_[%w_]+ %(nif_unit%." .. list, "")))
      assert.equal(declared, select(2, texts["nif.c"]:gsub("\n    {" .. form .. "%(", "")))
    end
    local wide = schema_rows.wide(texts, "nif")
    for name in wide:gmatch("%.type = &nif_([%u][%w_]*)") do assert.truthy(nif.types[name], name) end
  end)

  it("has no two rows of a name in one record", function()
    local expression = require "generate.expression"
    for _, t in ipairs(nif.list) do
      local seen = {}
      for _, field in ipairs(t.name ~= "BSVertexData" and t.all or {}) do -- there hooks say which row there is
        for _, other in ipairs(seen[field.name] or {}) do
          local together = expression.all { field.only, other.only }
          assert.is_nil(expression.satisfied_by(together), t.name .. "." .. field.name)
        end
        seen[field.name] = seen[field.name] or {}
        table.insert(seen[field.name], field)
      end
    end
  end)
end)
