-- What the generator refuses: every text of a list, with its place and its exact message.

local helper = require "helper"
local schema_units = require "schema_units"

local tables = schema_units.tables()

-- Texts of the unit nif, which has the words V and B, is_psys and name_nonempty, and types str, tri …
local in_nif = {
  -- heads
  ["  u8 a"] = "1: a row before any section",
  ["blok T"] = "1: 'blok' begins no section",
  ["unit x"] = "1: 'unit' is a line of unit.schema alone",
  ["block T:"] = "1: 'T:' is no name of block",
  ["block 3"] = "1: '3' is no name of block",
  ["block T : P"] = "1: 'P' is no type",
  ["block T : S :"] = "1: 'T : S :' is no name of block",
  ["class T : S\nstruct S"] = "1: T is laid out otherwise than its parent S",
  ["vector T : S\nstruct S"] = "1: T is laid out otherwise than its parent S",
  ["block T\nstruct T"] = "2: 'T' twice",
  ["block u8"] = "1: 'u8' twice",
  ["struct bool"] = "1: 'bool' twice",
  ["enum E : F"] = "1: enum have no parent and no argument",
  ["block T : W\nblock W : T"] = "2: W derives from itself",
  ["struct S(a, b)"] = "1: '(a, b)' are no arguments: the first is a number, others are bits of it, NAME:BIT",
  ["struct S @nots"] = "1: '@nots' is no word of a section",
  ["struct S @len=3"] = "1: '@len' is no word of a section",
  ["struct S @own=1"] = "1: @own takes no value",
  ["record S @size=x"] = "1: @size=x is no number",
  -- rows
  ["block T\n  u8"] = "2: a row needs a type and a name",
  ["block T\n  u8 A"] = "2: 'A' is not snake_case",
  ["block T\n  u8 a["] = "2: '[' is no count",
  ["block T\n  u8 a[]"] = "2: '[]' is no count",
  ["block T\n  u8 a[0]"] = "2: a count of 0",
  ["block T\n  u17 a"] = "2: 'u17' is no type",
  ["block T\n  T a"] = "2: 'T' is a block, which is a part of its own: @part",
  ["block T\n  tri* a"] = "2: 'tri*': the unit has no word T*",
  ["block T\n  computed u8 a"] = "2: 'computed u8' is no type",
  ["block T\n  bytes a"] = "2: how many bytes?",
  ["block T\n  rows x"] = "2: there are no rows 'x'",
  ["block T\n  rows x\nrows x\n  rows x"] = "4: 'x' stands in itself",
  ["block T\n  document a"] = "2: a document without @embed",
  ["struct S(k)\n  u8 k"] = "2: 'k' is the argument's name",
  ["struct S(k)\nblock T\n  S a"] = "3: S takes 1 argument, not 0",
  ["struct S\nblock T\n  S(3) a"] = "3: S takes 0 arguments, not 1",
  ["block T\n  u8 a\n  u8 a"] = "3: 'a' again, and one of them has no condition on version or argument",
  ["block T\n  u8 k\n  u8 a ? k == 1\n  u8 a ? k == 2"] =
    "4: 'a' again, and one of them has no condition on version or argument",
  ["block T\n  u8 a ? B > 3\n  u8 a ? B < 5"] = "3: 'a' again, and both are there with B 4",
  ["block T\n  u8 a ? V >= 16\nblock W : T\n  u8 a ? V <= 16 and B == 2"] =
    "4: 'a' again, and both are there with B 2, V 16",
  ["struct S(k)\n  u8 a ? k == 1\n  u8 a ? k & 3"] = "3: 'a' again, and both are there with k 1",
  ["block T\n  u8 a @since=3\n  u8 a @before=4"] = "3: 'a' again, and one of them has no condition on version or argument",
  ["block T : NiObject\n  u8 type"] = "2: 'type' again, and one of them has no condition on version or argument",
  ["struct S\n  bytes b[REST]\nblock T\n  S s"] = "2: 'b' can grow or go, and is the first of S",
  ["block T\n  S s\n  W w\nstruct S\n  u16 n ? B > 3\n  str b\n  u8 a[n] ? V < 3\n" ..
   "struct W\n  u16 n ? B > 3\n  u8 a[n] ? V < 3"] = "10: 'a' can grow or go, and is the first of W with B 2, V 2",
  -- names in expressions
  ["block T\n  u8 a ? n"] = "2: 'n' is no earlier row of T",
  ["block T\n  u8 a[n]\n  u8 n"] = "2: 'n' comes later",
  ["block T\n  u8 n\n  u8 a[sum(n)]"] = "3: sum(n): it is no array of integers",
  ["block T\n  u8 n[3]\n  u8 a[n]"] = "3: 'n' is not one number",
  ["block T\n  vec3 n\n  u8 a ? n"] = "3: 'n' is not one number",
  ["block T\n  f32 n ? B > 1\n  f32 n ? B <= 1\n  u8 a ? n > 1"] =
    "4: 'n' is the name of several rows: only integers are found by it",
  ["block T\n  u8 a ? is_psys"] = "2: is(NiPSysData): there is no such type",
  ["block T\n  u8 a ? name_nonempty"] = "2: 'name' is no earlier row of T",
  ["block T\n  u8 a ? hook(n)"] = "2: 'n' is no earlier row of T",
  -- expressions
  ["block T\n  f32 n\n  u8 a[n]"] = "3: a count that is no integer",
  ["block T\n  f32 n\n  u8 a ? n & 1"] = "3: '&' of a number that is no integer",
  ["block T\n  u8 a ? V >"] = "2: an expression ends too early",
  ["block T\n  u8 a ? (V > 3"] = "2: ')' is missing before 'the end'",
  ["block T\n  u8 a ? V > 3)"] = "2: ')' is left over",
  ["block T\n  u8 a ? V > 3 > 2"] = "2: comparisons in a row: write 'and' between them",
  ["block T\n  u8 a ? V $ 3"] = "2: '$' makes no sense in an expression",
  ["block T\n  u8 a ? V > 3x"] = "2: '3x' is no number",
  ["block T\n  u8 a ? V > 0x12345678123456789"] = "2: the number 0x12345678123456789 is too large",
  ["block T\n  u8 a ? sum(V, B)"] = "2: sum() takes one name, not 2",
  ["block T\n  u8 a ? hook(3)"] = "2: '3' stands where a name should",
  ["block T\n  u8 a[hook() + 1]"] = "2: 'hook()' stands alone, or between and, or, not",
  ["block T\n  u8 a ? V >> B"] = "2: '>>' by what is no number below 64",
  -- notes
  ["block T\n  u8 a[2] @len=3"] = "2: '@len' is no note",
  ["block T\n  u8 a @"] = "2: '@' is no note",
  ["block T\n  u8 a @init=1 @init=2"] = "2: @init twice",
  ["block T\n  u8 a @init"] = "2: @init says nothing: @init=…",
  ["block T\n  u8 a @pad=1"] = "2: @pad takes no value",
  ["block T\n  u8 a @scale=x"] = "2: @scale=x is no power of a length",
  ["block T\n  u8 a @names=E"] = "2: 'E' is no enum and no flags",
  ["enum E\nblock T\n  f32 a @names=E"] = "3: names of what is no plain integer",
  ["enum E\nblock T\n  computed flags a @names=E"] = "3: the row is 'flags', its names are 'enum'",
  ["block T\n  computed enum a @get=f"] = "2: names are missing: @names=…",
  ["block T\n  u8 a @names_in=f"] = "2: @names_in without @names",
  ["block T\n  u8 a @init=\"x\""] = "2: @init is a text, the row is none",
  ["block T\n  vec3 a @init={1, 2}"] = "2: @init of 2 numbers, vec3 has 3",
  ["block T\n  u8 a @range=3"] = "2: @range=3 is no LOWEST..HIGHEST",
  ["block T\n  sstr a @prefix=u24"] = "2: @prefix=u24 is no type of a length",
  ["block T\n  u8 a @shown=text2"] = "2: @shown=text2: there are bool, text, number, integer, plain",
  ["block T\n  u8 a @readonly=why"] = "2: @readonly=why is no text in quotes",
  ["block T\n  u8 a @readonly=\"why"] = "2: a text without its closing quote",
  ["block T\n  u8 a @readonly=\"\\q\""] = "2: @readonly: '\\q' is no character",
  ["block T\n  u8 a @get=3"] = "2: @get=3 is no name",
  ["block T\n  u8 a @max=1.5"] = "2: @max=1.5 is no integer",
  ["block T\n  u8 b\n  computed bool a @bits=b:0"] = "3: @bits=b:0 is not ROW:FIRST:COUNT of a number of 64 bits",
  ["block T\n  computed bool a @bits=b:0:1"] = "2: 'b' is no earlier integer",
  ["block T\n  computed bool a @bits=argument:0:1"] = "2: T has no argument",
  ["block T\n  u8 b\n  u8 a @bits=b:0:1"] = "3: @bits of what is not computed",
  ["block T\n  u8 a @instead=b"] = "2: @instead=b: T has no such row",
  ["block T\n  u8 a @group=b"] = "2: @group=b: T has no such row",
  ["block T\n  u8 n\n  tri a[n] @key=d"] = "3: @key=d: tri has no such row",
  ["block T\n  f32 a @derive=3"] = "2: @derive of what is not one integer",
  ["block T\n  u8 a @get=hook ? hook(argument)"] = "2: 'hook' is named for two kinds of hooks: " ..
    "lathe_result hook(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err); and " ..
    "bool hook(const rec_setting *s);",
  ["block T\n  u8 a @code=0"] = "2: @code=0 is not 1 to 255",
  ["block T\n  u8 a @code=KIND"] = "2: @code=KIND is no number",
  ["block T\n  u8 a @ignored=1"] = "2: @ignored takes no value",
  ["block T\n  u8 a @not_owned=x"] = "2: @not_owned takes no value",
  -- what files state of classes
  ["class C @signature=x"] = "1: @signature=x is no number",
  ["class C @signature={1, 2, 3}"] = "1: @signature={1, 2, 3} is not one number, or {BEFORE, SINCE}",
  ["class C @signature=0x100000000"] = "1: @signature=0x100000000 is no number of 32 bits",
  ["class C @doubt=1"] = "1: @doubt takes no value",
  ["class C @since=x"] = "1: @since=x is no number",
  ["class C @view_of=D"] = "1: 'D' is no class",
  ["class C @view_of=S\nstruct S"] = "1: 'S' is no class",
  ["class C @view_of=3"] = "1: @view_of=3 is no name",
  ["struct S @signature=3"] = "1: '@signature' is no word of a section",
  ["enum E @original=x"] = "1: @original=x is no text in quotes",
  -- names of values
  ["enum E\n  0 a\n  0 b"] = "3: 'b' twice",
  ["enum E\n  a 0"] = "2: 'a 0' is no number and name",
  ["enum E\n  0 a\n  0 b alias\n  1 c alias"] = "4: 'c' is an alias of no name in front of it",
  ["enum E\n  0 a \"A\" twice"] = "2: '0 a \"A\" twice' is no number and name",
  ["flags F\n  64 a"] = "2: there is no bit 64",
  ["constants C\n  1 one"] = "2: 'one': constants are in capitals",
}

-- Lines of a unit's unit.schema, behind "unit u".
local of_unit = {
  ["unit v"] = "unit.schema:2: the unit of this folder is 'u'",
  ["prefix a b"] = "unit.schema:2: 'a b' is no prefix",
  ["spelling snake"] = "unit.schema:2: 'snake' is no spelling: there is only camel",
  ["docs none"] = "unit.schema:2: docs are optional, or the line is not there",
  ["uses x"] = "unit.schema:2: there is no unit 'x'",
  ["type T[ u8"] = "unit.schema:2: 'T[' is no word for a type",
  ["type word"] = "unit.schema:2: 'word' stands for nothing",
  ["type word u8 a"] = "unit.schema:2: 'u8 a' is no type",
  ["word x"] = "unit.schema:2: a word is NAME = EXPRESSION, or NAME @setting=MACRO @record=MACRO",
  ["word x = 1 +"] = "unit.schema:2: an expression ends too early",
  ["word x = 1\nword x = 2"] = "unit.schema:3: 'x' twice",
  ["word x = x\nstruct S\n  u8 a ? x"] = "unit.schema:4: 'x' stands for itself",
  ["type x x\nstruct S\n  x a"] = "unit.schema:4: 'x' stands for itself",
  ["type T* pointer\nstruct S\n  u8* a"] = "unit.schema:4: 'u8*' points to no record",
  ["type x u8 ? n\nstruct S\n  u8 n\n  x a"] = "unit.schema:5: a type's condition is of the version or the argument",
}

local function problems_of(units, documented)
  local texts, problems = tables.from(units, documented)
  assert.is_nil(texts)
  return problems
end

describe("a problem of a row or section", function()
  for text, message in pairs(in_nif) do
    it("is told with its place: " .. message, function()
      assert.same({ "schema/t.schema:" .. message }, problems_of(schema_units.nif(text)))
    end)
  end

  it("does not hide others", function()
    assert.same({ "schema/t.schema:2: 'u17' is no type", "schema/t.schema:5: 'x' is no earlier row of W" },
                problems_of(schema_units.nif("block T\n  u17 a\n  u18 b\nblock W\n  u8 a[x]")))
  end)

  it("is a lack of documentation, where that is asked for", function()
    local text = "block T // A block.\n  u8 a // A row.\nblock W\n  u8 a // [m]\n  u8 b\n  u8 c //\nenum E\n  0 a"
    assert.truthy(tables.from(schema_units.nif(text)))
    local problems = {}
    for i, line in ipairs { "3: no documentation of W", "4: no documentation of a", "5: no documentation of b",
                            "7: no documentation of E" } do
      problems[i] = "schema/t.schema:" .. line
    end
    assert.same(problems, problems_of(schema_units.nif(text), true))
    assert.truthy(tables.from(schema_units.own("docs optional", "struct S\n  u8 a"), true))
  end)
end)

describe("a problem of a unit", function()
  for text, message in pairs(of_unit) do
    it("is told with its place: " .. message, function()
      assert.same({ message }, problems_of(schema_units.own(text, "")))
    end)
  end

  it("is that it has no name", function()
    local units = { { name = "u", files = { { name = "u/schema/t.schema", text = "struct S" } } } }
    assert.same({ "u/schema/t.schema:1: a unit begins with 'unit u' in unit.schema" }, problems_of(units))
  end)
end)

describe("a problem", function()
  it("ends the program with 1, and nothing is written", function()
    local folder, out = helper.tmpdir(), helper.tmpdir()
    local lfs = require "lfs"
    assert(lfs.mkdir(folder .. "/u") and lfs.mkdir(folder .. "/u/schema"))
    local unit = helper.write(folder .. "/u/schema/unit.schema", "unit u\n")
    local path = helper.write(folder .. "/u/schema/t.schema", "struct S // S.\n  u8 a[n] // A.\n  u8 b\n")
    local r = helper.run({ "lua5.4", "core/schema/generate.lua", out, unit, path })
    assert.same({ code = 1, out = "",
      err = path .. ":3: no documentation of b\n" .. path .. ":2: 'n' is no earlier row of S\n" }, r)
    assert.same({}, helper.list(out, "^%a"))
    helper.write(path, "struct S // S.\n  u8 a // A.\n")
    assert.same({ code = 0, out = "", err = "" }, helper.run({ "lua5.4", "core/schema/generate.lua", out, unit, path }))
    assert.same({ "u.c", "u_types.h" }, helper.list(out, "^%a"))
    r = helper.run({ "lua5.4", "core/schema/generate.lua", out, folder .. "/t.schema" })
    assert.same({ code = 1, out = "", err = folder .. "/t.schema: no file of a unit, UNIT/schema/FILE.schema\n" }, r)
  end)
end)
