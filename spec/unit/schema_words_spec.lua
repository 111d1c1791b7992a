-- What the schema notation says, word by word: rows, sections and units, and the C that comes of them.

local schema_units = require "schema_units"

local tables = schema_units.tables()
local schema_rows = require "schema_rows"

-- Lines of unit.schema as Havok's has them.
local HAVOK <const> = [[
spelling camel
uses record
type string  text @text=hk_string_body
type T*      pointer @ref=hk_pointer_ref
type T[]     T @body=hk_array_body
type T[rel]  T @body=hk_rel_body @max=65535 @resizes=hk_rel_resizes
]]

local function generated(lines, text)
  local texts, problems = tables.from(schema_units.own(lines, text))
  if not texts then error(table.concat(problems, "\n"), 2) end
  return schema_rows.wide(texts, "u"), texts["u_types.h"], texts["u.c"]
end

-- The rows of the type s, without name, kind and empty documentation.
local function rows_of(lines, text)
  local rows = {}
  for row in generated(lines, text):match(" s_rows%[%] = {\n(.-)\n};"):gmatch("    {([^\n]*)},") do
    rows[#rows + 1] = row:gsub('^%.name = "([%w_]+)", ', "%1 "):gsub(', %.doc = ""$', "")
  end
  return rows
end

-- The words of one row of a struct, which is given as in the text.
local function words_of(line)
  local rows = rows_of("uses record", "struct s\n  u8 n\n  " .. line .. "\nenum e\n  0 one\nflags f\n  3 bit")
  return rows[2]:match("^%w+ (.*)$")
end

describe("a note", function()
  local notes = {
    ['u8 a @readonly'] = ".kind = REC_U8, .flags = REC_READONLY",
    ['u8 a @readonly="so"'] = '.kind = REC_U8, .flags = REC_READONLY, .why = "so"',
    ['u8 a @why="so"'] = '.kind = REC_U8, .why = "so"',
    ['u8 a @pad @inside @copied @big'] = ".kind = REC_U8, .flags = REC_PAD | REC_INSIDE | REC_COPIED | REC_BIG",
    ['u8 a @little @version @anything'] = ".kind = REC_U8, .flags = REC_LITTLE | REC_VERSION | REC_ANYTHING",
    ['u8 a @derived'] = ".kind = REC_U8, .flags = REC_DERIVED",
    ['numbers a @numbers=o @shown=plain'] = ".kind = REC_COMPUTED, .shown = REC_PLAIN, .flags = REC_INSIDE, .numbers = &o",
    ['f32 a @unscaled @scale=-3'] = ".kind = REC_F32, .flags = REC_UNSCALED, .power = -3",
    ['vec2 a @overlay @off=4'] = ".kind = REC_RECORD, .flags = REC_OVERLAY, .type = &rec_vec2, .off = 4",
    ['u8 a @original="A b"'] = '.original = "A b", .kind = REC_U8',
    ['u8 a @init=0x1F'] = ".kind = REC_U8, .init = 31",
    ['f32 a @init=0x1.8p1'] = ".kind = REC_F32, .init = 3",
    ['i8 a @init=-1 @range=-10..10'] = ".kind = REC_I8, .range = {-10, 10}, .init = -1",
    ['text8 a @init="x\\0\\"\\x7F"'] =
      '.kind = REC_STR, .prefix = 1, .init_bytes = "x\\000\\"\\177", .init_size = 4',
    ['text8 a @init="x"'] = '.kind = REC_STR, .prefix = 1, .init_bytes = "x"',
    ['bytes a[4] @init="NEST"'] = '.kind = REC_BYTES, .n = 4, .init_bytes = "NEST", .init_size = 4',
    ['vec2 a @init={1, 0.5}'] = ".kind = REC_RECORD, .type = &rec_vec2, .init_lanes = (const double[]){1, 0.5}",
    ['u8 a @init_fn=h'] = ".kind = REC_U8, .init_fn = h",
    ['u8 a @names=e @names_in=h'] = ".kind = REC_U8, .shown = REC_ENUM, .names = &e, .names_in = h",
    ['u8 a @names=f'] = ".kind = REC_U8, .shown = REC_FLAGS, .names = &f",
    ['u8 a @codec=c'] = ".kind = REC_U8, .codec = &c",
    ['u8 a @codec=c @shown=text'] = ".kind = REC_U8, .shown = REC_TEXT, .codec = &c",
    ['u8 a @may=h @shown_by=n'] = '.kind = REC_U8, .shown_by = "n", .may = h',
    ['u8 a @derive=h()'] = ".kind = REC_U8, .derive = h",
    ['u8 a @get=g @set=s'] = ".kind = REC_U8, .get = g, .set = s",
    ['computed text a @get=g @set=s'] = ".kind = REC_COMPUTED, .shown = REC_TEXT, .get = g, .set = s",
    ['computed any a @get=g'] = ".kind = REC_COMPUTED, .shown = REC_ANY_RECORD, .get = g",
    ['computed vec2 a @get=g'] = ".kind = REC_COMPUTED, .type = &rec_vec2, .get = g",
    ['computed enum a @get=g @names=e'] = ".kind = REC_COMPUTED, .shown = REC_ENUM, .names = &e, .get = g",
    ['computed bool a @bits=n:3:1'] =
      '.kind = REC_COMPUTED, .shown = REC_BOOL, .bits_of = "n", .low = 3, .bits = 1',
    ['numbers a'] = ".kind = REC_COMPUTED, .shown = REC_NUMBER, .flags = REC_INSIDE, .numbers = &a",
    ['numbers a @numbers=b'] = ".kind = REC_COMPUTED, .shown = REC_NUMBER, .flags = REC_INSIDE, .numbers = &b",
    ['u8 a[n] @instead=n'] = '.kind = REC_U8, .instead = "n", .by = "n"',
    ['u32 a @ref=r'] = ".kind = REC_U32, .ref = &r",
    ['u8 a[n] @body=b @max=9'] = '.kind = REC_U8, .body = &b, .by = "n", .max = 9',
    ['text a @text=b @limit=7'] = ".kind = REC_STR, .text = &b, .limit = 7",
    ['text a @term=10'] = ".kind = REC_STR, .term = 10",
    ['text a @size=8'] = ".kind = REC_STR, .size = 8",
    ['text a @prefix=i64'] = ".kind = REC_STR, .prefix = -8",
    ['vec2 a @group=n @renumber=r @moves=m @resizes=z'] =
      '.kind = REC_RECORD, .type = &rec_vec2, .group = "n", .renumber = r, .moves = m, .resizes = z',
    ['u8 a @column=n'] = '.kind = REC_U8, .column = "n"',
    ['vec2 a[n] @key=x @value=y @first @merged'] =
      '.kind = REC_RECORD, .flags = REC_FIRST | REC_MERGED, .type = &rec_vec2, .by = "n", .key = "x", .value = "y"',
    ['vec2 a[n] @part @lazy @some @keeps_type @tag="type" @type_name=h'] = ".kind = REC_RECORD, .flags = " ..
      'REC_PART | REC_LAZY | REC_SOME | REC_KEEPS_TYPE, .type = &rec_vec2, .by = "n", .tag = "type", .type_name = h',
    ['document a @embed=format_x @part'] = ".kind = REC_RECORD, .flags = REC_PART, .embed = &format_x",
    ['u8 a[h(n)] @fit=g'] = '.kind = REC_U8, .count = h, .uses = "n", .fit = g',
    ['u8 a[h()]'] = ".kind = REC_U8, .count = h",
    ['u8 a[REST]'] = ".kind = REC_U8, .flags = REC_REST",
    ['u8 a @since=4 @before=0x7FFFFFFF'] = ".kind = REC_U8, .since = 4, .before = 2147483647",
    ['u8 a @align=16'] = ".kind = REC_U8, .align = 16",
    ['u8 a @code=7'] = ".kind = REC_U8, .code = 7",
    ['u8 a @ignored'] = ".kind = REC_U8, .flags = REC_PAD | REC_IGNORED",
    ['u8 a @not_owned'] = ".kind = REC_U8, .flags = REC_NOT_OWNED",
    ['u8 a ? h(n)'] = '.kind = REC_U8, .when_fn = h, .uses = "n"',
    ['u8 a ? h(top.n)'] = '.kind = REC_U8, .when_fn = h, .uses_top = "n"',
    ['u8 a ? h()'] = ".kind = REC_U8, .when_fn = h",
    ['u8 a ? h(argument)'] = ".kind = REC_U8, .only = h",
    ['u8 a ? h(VERSION) and n == 2'] = '.kind = REC_U8, .when = "n", .when_eq = true, .when_value = 2, .only = h',
  }

  for line, words in pairs(notes) do
    it("says in C: " .. line, function() assert.equal(words, words_of(line)) end)
  end

  it("of a row counts instead of that of its type's word", function()
    assert.same({ "a .kind = REC_U8, .init = 2" }, rows_of("type one u8 @init=1", "struct s\n  one a @init=2"))
  end)
end)

describe("a remark", function()
  it("goes on in lines of its own, and has the unit in front", function()
    local text = generated("", "// Of the file.\nstruct s // All\n    // of it.\n  u8 a // [m] How\n      // far.\n" ..
                               "  u8 b // [s]")
    assert.truthy(text:find('.doc = "All of it."', 1, true))
    assert.truthy(text:find('{.name = "a", .kind = REC_U8, .unit = "m", .doc = "How far."}', 1, true))
    assert.truthy(text:find('{.name = "b", .kind = REC_U8, .unit = "s", .doc = ""}', 1, true))
  end)

  it("begins behind quotes", function()
    assert.same({ 'a .kind = REC_U8, .flags = REC_READONLY, .why = "see // @there \\?", .doc = "But \\"this\\"."' },
                rows_of("", 'struct s\n  u8 a @readonly="see // @there ?"  // But "this".'))
  end)
end)

describe("a section", function()
  it("says how its rows are laid out", function()
    local text, header = generated("", [[
struct a
class b
vector c
  u8 x
vector class d
record e @size=12
record f(n) @extent=h
vector g @load=l @store=s
  computed number x
struct h2 "H" @own
]])
    for _, c in ipairs {
      'const rec_type a = {.name = "a", .doc = ""};', 'const rec_type b = {.name = "b", .doc = "", .flags = REC_ALIGNED};',
      'const rec_type c = {.name = "c", .doc = "", .flags = REC_VECTOR, REC_ROWS(c_rows)};',
      'const rec_type d = {.name = "d", .doc = "", .flags = REC_ALIGNED | REC_VECTOR};',
      'const rec_type e = {.name = "e", .doc = "", .flags = REC_OFFSETS, .size = 12};',
      'const rec_type f = {.name = "f", .doc = "", .flags = REC_OFFSETS, .extent = h};',
      'const rec_type h2 = {.name = "H", .doc = "", .flags = REC_OWN};',
      'const rec_type g = {.name = "g", .doc = "", .flags = REC_VECTOR, .load = l, .store = s, REC_ROWS(g_rows)};',
    } do
      assert.truthy(text:find(c, 1, true), c)
    end
    assert.truthy(header:find("uint64_t h(const rec_setting *s);\n", 1, true))
    assert.truthy(header:find("lathe_result s(const rec_at *at, const double *lanes, lathe_error *err);\n", 1, true))
  end)

  it("has the rows of its parent, and in a class says where its own begin", function()
    local text = generated("", "class a\n  u8 x\nclass b : a\n  computed bool y @get=f\n  u8 z\n  u8 w\nclass c : b\n" ..
                               "struct d\nstruct e : d\n  u8 x")
    assert.truthy(text:find('{.name = "z", .kind = REC_U8, .flags = REC_DERIVED, .doc = ""}', 1, true))
    assert.truthy(text:find('{.name = "w", .kind = REC_U8, .doc = ""}', 1, true))
    assert.truthy(text:find('const rec_type c = {.name = "c", .doc = "", .flags = REC_ALIGNED, .base = &b};', 1, true))
    assert.truthy(text:find('static const rec_field e_rows[] = {\n    {.name = "x", .kind = REC_U8, .doc = ""},', 1, true))
  end)

  it("may be shown by another name", function()
    local text, header, c = generated("prefix p_", 'struct a "root"\nenum b "some names"\n  1 "one or two"')
    assert.truthy(text:find('const rec_type p_a = {.name = "root", ', 1, true))
    assert.same({ "some names: one or two 1" }, schema_rows.names({ ["u.c"] = c }, "u"))
    assert.truthy(header:find("#define p_a (u_unit.types[0])\n", 1, true))
    assert.truthy(header:find("#define p_b (u_unit.names[0])\n", 1, true))
  end)

  it("says of a class what files state of it, and is found by its name", function()
    local _, _, c = generated("", "class b @signature={1, 0xFF} @doubt\nclass a @since=4 @before=9 @signature=3\n" ..
      "class a2 \"a\" @before=4 @view_of=of\nclass of\nenum b::e @since=4 @original=\"E\"\n  1 x\nenum n\n  1 y\n" ..
      "masks b::m\n  1 z")
    local u = schema_rows.unit(c)
    assert.equal("REC_ALIGNED | REC_DOUBT", u.types[1].flags)
    local function stated(i) return u.stated[tonumber(u.types[i].stated)] end
    assert.equal("{.signature = {0x00000001, 0x000000FF}, .names = 2, .names_n = 2}", stated(1))
    assert.equal("{.signature = {0x00000003, 0x00000003}, .since = 4, .before = 9}", stated(2))
    assert.equal("{.before = 4, .view_of = 4}", stated(3))
    assert.is_nil(u.types[4].stated)
    assert.same({ "2", "3", "1" }, u.by_name)
    assert.same({ "n: y 1", "E: x 1", "m: z 1" }, schema_rows.names({ ["u.c"] = c }, "u"))
    assert.truthy(c:find(".since = 4}, /* b::e */", 1, true))
  end)

  it("gives numbers of its rows to C, and constants to text and C", function()
    local _, header = generated("", "constants versions // Of the game.\n  4 NEW\n" ..
      "struct a\n  u8 x @since=NEW\nstruct b : a @slots=B_\n  u8 y[NEW]")
    assert.truthy(header:find("enum { /* versions */\n    NEW = 4,\n};\n", 1, true))
    assert.truthy(header:find("enum { /* rows of b */\n    B_X = 0,\n    B_Y = 1,\n};\n", 1, true))
    assert.same({ "x .kind = REC_U8, .since = 4" }, rows_of("", "constants v\n  4 NEW\nstruct s\n  u8 x @since=NEW"))
  end)

  it("asks for its argument, which may be worked out by a hook", function()
    local text = generated("", "struct s\n  u8 k\n  p(h(k)) a\nstruct p(n)\n  u8 x\n  bytes b[g(argument)]")
    assert.truthy(text:find('.type = &p, .arg = h, .uses = "k"', 1, true))
    assert.truthy(text:find('{.name = "b", .kind = REC_BYTES, .flags = REC_BY_ARG, .count = g, .doc = ""}', 1, true))
  end)
end)

describe("a note of many rows", function()
  it("has a name of the unit's own, or stands once for all rows of a section", function()
    assert.same({
      'a .kind = REC_U8, .flags = REC_READONLY, .why = "so"',
      'b .kind = REC_U8, .flags = REC_READONLY | REC_INSIDE, .why = "other"',
    }, rows_of('note so  @readonly="so"', 'struct s @so\n  u8 a\n  u8 b @inside @readonly="other"'))
    assert.same({ 'a .kind = REC_U8, .flags = REC_PAD | REC_READONLY, .why = "so"', "b .kind = REC_U8" },
                rows_of('note so  @readonly="so" @pad', "struct s\n  u8 a @so\n  u8 b"))
  end)

  it("may be described on the next line", function()
    assert.same({ 'a .kind = REC_U8, .unit = "m", .doc = "How far, and where."' },
                rows_of("", "struct s\n  u8 a\n    // [m] How far,\n    // and where."))
  end)
end)

describe("Havok's spelling", function()
  it("is shown in snake_case, with the original beside it", function()
    local unit = require "generate.unit"
    for name, snake in pairs {
      parentIndices = "parent_indices", aFromBTransform = "a_from_b_transform", target_bRca = "target_b_rca",
      spuFlags = "spu_flags", hkaSkeleton = "hka_skeleton", hknpBSMaterialProperties = "hknp_bs_material_properties",
      hkcdStaticTreeNode5 = "hkcd_static_tree_node5", hkp2dAngConstraintAtom = "hkp2d_ang_constraint_atom",
      hkVector4Tagged = "hk_vector4_tagged", motor0 = "motor0", name = "name",
    } do
      assert.equal(snake, unit.snake(name))
    end
    assert.same({ 'two_words .original = "twoWords", .kind = REC_I16', "word .kind = REC_U8" },
                rows_of(HAVOK, "class s\n  i16 twoWords\n  u8 word"))
  end)

  it("has pointers and arrays", function()
    assert.same({
      "a .kind = REC_STR, .text = &hk_string_body", "b .kind = REC_I16, .body = &hk_array_body",
      "c .kind = REC_POINTER, .type = &hka_bone, .ref = &hk_pointer_ref",
      "d .kind = REC_RECORD, .type = &hka_bone, .body = &hk_array_body",
      "e .kind = REC_POINTER, .type = &hka_bone, .ref = &hk_pointer_ref, .body = &hk_array_body",
      "f .kind = REC_STR, .body = &hk_array_body, .text = &hk_string_body",
      "g .kind = REC_U8, .body = &hk_rel_body, .max = 65535, .resizes = hk_rel_resizes",
      "h .kind = REC_U8, .shown = REC_BOOL, .body = &hk_array_body",
      "i .kind = REC_BYTES, .body = &hk_array_body",
    }, rows_of(HAVOK, [[
class s
  string a
  i16 b[]
  hkaBone* c
  hkaBone d[]
  hkaBone* e[]
  string f[]
  u8 g[rel]
  bool h[]
  bytes i[]
class hkaBone
  string name
]]))
  end)
end)
