--- Tagfiles made by hand: classes that no game has, in every shape that formats/havok-tagfile.md knows.
--
--    for _, sample in ipairs(sample_tagfile.all()) do print(sample.name, #sample.bytes) end
--    for _, bad in ipairs(sample_tagfile.damaged()) do print(bad.name, bad.bytes, bad.wants) end
--    sample_tagfile.named("relative")               -- the bytes of one
--    local compendium, file = sample_tagfile.compendium()   -- two files; the second needs the first
--
-- sample_tagfile_write has the builder, and says how types and objects are described.

local writer = require "sample_tagfile_write"

local sample = {}

-- ---- types ----------------------------------------------------------------------------------------------

local Library = {}
Library.__index = Library

function Library:add(type)
  if not type.bare then type.hash = type.hash or 500 + #self.types end
  self.types[#self.types + 1] = type
  return type
end

local NUMBERS = {                                 -- format, size
  int = { 0x8204, 4 }, char = { 0x2004, 1 }, byte = { 0x2204, 1 }, ubyte = { 0x2004, 1 }, short = { 0x4204, 2 },
  ushort = { 0x4004, 2 }, uint = { 0x8004, 4 }, long = { 0x10204, 8 }, ulong = { 0x10004, 8 }, float = { 0x174605, 4 },
  half = { 0x0A4605, 2 }, upper = { 0x074605, 2 }, double = { 0x349605, 8 }, bool = { 0x2002, 1 },
  text = { 0x03, 8 }, big = { 0x4304, 2 },
}

--- One of the types above, made when it is first asked for.
function Library:number(name)
  if not self.made[name] then
    local row = NUMBERS[name]
    self.made[name] = self:add { name = (self.strange or "") .. name, format = row[1], size = row[2], align = row[2],
      hash = #self.types }
  end
  return self.made[name]
end

function Library:alias(name, of)
  return self:add { name = self.prefix .. name, parent = of }
end

--- nil: to anything.
function Library:pointer(to)
  local key, arguments = to or "anything", to and { { "tT", to } }
  self.pointers[key] = self.pointers[key]
    or self:add { name = "T*", arguments = arguments, format = 6, sub = to or self:add { name = "void", format = 0, size = 0,
      align = 0 }, size = 8, align = 8 }
  return self.pointers[key]
end

--- An array of its own storage.
function Library:array(of)
  if self.arrays[of] then return self.arrays[of] end
  local type = self:add { name = self.prefix .. "Array", arguments = { { "tT", of } }, format = 8, sub = of, size = 16,
    align = 8, hash = 77 }
  self.arrays[of] = type
  type.members = { { "m_data", self:pointer(of), 0, flags = 0x22 }, { "m_size", self:number "int", 8, flags = 0x22 },
    { "m_capacityAndFlags", self:number "int", 12, flags = 0x22 } }
  return type
end

function Library:inline(of, count)
  local size = self.size(of)
  return self:add { name = "T[N]", arguments = { { "tT", of }, { "vN", count } }, format = 0x28 | count << 8, sub = of,
    size = size * count, align = size }
end

--- Arrays and pointers whose offsets count from themselves.
function Library:relative(of)
  local int, long = self:number "int", self:number "long"
  return self:add { name = self.prefix .. "RelArray", arguments = { { "tT", of } }, format = 8, sub = of, size = 16,
    align = 8, flags = 0x2000, members = { { "offset", long, 0 }, { "size", int, 8 }, { "capacityAndFlags", int, 12 } } }
end

function Library:view(of)
  local int = self:number "int"
  return self:add { name = self.prefix .. "RelArrayView", arguments = { { "tT", of }, { "tI", int } }, format = 8, sub = of,
    size = 8, align = 4, flags = 0x2000, members = { { "offset", int, 0 }, { "size", int, 4 } } }
end

function Library:relative_pointer(to)
  return self:add { name = self.prefix .. "RelPtr", arguments = { { "tT", to } }, format = 6, sub = to, size = 8, align = 8,
    flags = 0x2000, members = { { "offset", self:number "long", 0 } } }
end

--- A record; members come in { name, type, offset }.
function Library:record(name, size, members, more)
  local type = { name = self.prefix .. name, format = 7, size = size, align = 8, members = members,
    hash = 1000 + #self.types }
  for key, value in pairs(more or {}) do type[key] = value end
  return self:add(type)
end

function Library:vector(name, count)
  return self:add { name = self.prefix .. name, format = 0x28 | count << 8, sub = self:number "float", size = 4 * count,
    align = count == 3 and 4 or 0x4010 }
end

function Library.size(type)
  while not type.size do type = type.parent end
  return type.size
end

--- Types of one file. prefix: what the names of its classes begin with. strange: and those of its numbers, too.
function sample.library(prefix, strange)
  return setmetatable({ types = {}, made = {}, pointers = {}, arrays = {}, prefix = prefix or "hk", strange = strange },
    Library)
end

local function object(type, values)
  return { type = type, values = values }
end

local function build(library, root, more)
  local spec = { types = library.types, char = library:number "char", root = root, hash_all = true }
  for key, value in pairs(more or {}) do spec[key] = value end
  return writer.build(spec)
end

-- ---- good files -----------------------------------------------------------------------------------------

-- A root that names objects, as those of the SDK do. names: of its members, their places, and what is above all.
local function container(l, n)
  local base = l:record("ReferencedObject", n.base or 16, {
    { "memSizeAndFlags", l:number "ushort", 8, flags = 0x25 }, { "refCount", l:number "ushort", 10, flags = 0x25 } })
  local at = n.at or { 0, 8, 16 }
  local variant = l:record(n.variant or "Variant", n.size or 24, { { n.name or "name", l:number "text", at[1] },
    { n.class or "className", l:number "text", at[2] }, { n.object or "variant", l:pointer(base), at[3] } })
  local root = l:record(n.root or "RootLevelContainer", 16, { { n.list or "namedVariants", l:array(variant), 0 } })
  return root, base
end

local function track(l, base, n)
  return l:record(n.track or "Track", n.track_size or 48, {
    { n.count or "numberOfTracks", l:number "int", n.count_at or 16 },
    { n.weight or "weight", l:number "float", n.weight_at or 20 },
    { n.parents or "parentIndices", l:array(l:number "short"), n.parents_at or 24 },
    { n.label or "label", l:number "text", n.label_at or 40 },
  }, { parent = base, version = 3 })
end

local function two_tracks(l, n)
  local root, base = container(l, n)
  local type = track(l, base, n)
  local one = object(type, { [n.count or "numberOfTracks"] = 7, [n.weight or "weight"] = 0.5,
    [n.parents or "parentIndices"] = { -1, 0, 1, 2, 3 }, [n.label or "label"] = "first" })
  local two = object(type, { [n.count or "numberOfTracks"] = -7, [n.label or "label"] = "" })
  local name, class, variant = n.name or "name", n.class or "className", n.object or "variant"
  return object(root, { [n.list or "namedVariants"] = {
    { [name] = "One", [class] = type.name, [variant] = one }, { [name] = "Two", [class] = type.name, [variant] = two },
    { [name] = "One again", [class] = type.name, [variant] = one }, { [name] = "None" } } })
end

local makers = {}

function makers.plain(more)
  local l = sample.library()
  return build(l, two_tracks(l, {}), more)
end

local OTHERWISE = {
  root = "Cellar", list = "kegs", variant = "Keg", object = "content", name = "chalk", class = "sort",
  at = { 24, 8, 0 }, size = 40, track = "Ale", label = "brewedBy", label_at = 24, count = "litres", count_at = 76,
  weight = "strengthOfIt", weight_at = 72, parents = "yearsOld", parents_at = 48, track_size = 80,
}

function makers.renamed()
  local l = sample.library("zy", "zy")
  local root = two_tracks(l, OTHERWISE)
  local ale = l.types[#l.types]
  table.sort(ale.members, function(a, b) return a[1] < b[1] end)
  return build(l, root, { sdk = "20190200" })
end

function makers.other_order()
  return makers.plain { backwards = true }
end

function makers.wide_numbers()
  return makers.plain { width = 9 }
end

function makers.small_wide_numbers()
  return makers.plain { width = 4 }
end

-- Arrays, views and pointers with offsets from themselves; no item's number is in DATA.
function makers.relative()
  local l = sample.library()
  local base = l:record("ReferencedObject", 24, { { "sizeAndFlags", l:number "ulong", 8, flags = 0x21 },
    { "refCount", l:number "ulong", 16, flags = 0x21 } })
  local section = l:record("Section", 24, { { "indices", l:view(l:number "ushort"), 0 },
    { "bytes", l:view(l:number "ubyte"), 8 }, { "kind", l:number "int", 16 } })
  local other = l:record("Other", 32, { { "value", l:number "double", 24 } }, { parent = base })
  local root = l:record("MeshShape", 88, { { "sections", l:view(section), 24 },
    { "points", l:relative(l:vector("Vector4f", 4)), 32 },
    { "next", l:relative_pointer(other), 48 }, { "none", l:relative_pointer(other), 56 },
    { "empty", l:relative(l:number "int"), 64 }, { "scale", l:number "float", 80 } }, { parent = base })
  return build(l, object(root, { scale = 2.5, points = { { 1, 2, 3, 4 }, { -1, -2, -3, -4 } },
    sections = { { indices = { 1, 2, 65535 }, kind = 3 }, { bytes = { 9, 8, 7 }, indices = { 4 }, kind = -1 } },
    next = object(other, { value = 1e100 }) }),
    { sdk = "20210100", new_names = true, padding = "\xFF", no_patches = true, hash_all = false })
end

-- What few files have in their bodies: properties, interfaces, attributes, extra values, fillers, types without one.
function makers.odd_bodies()
  local l = sample.library()
  local root, base = container(l, {})
  local face = l:record("Interface", 8, {}, { flags = 0x90, align = 0xF010 })
  local tag = l:add { name = "hkFlagBits", bare = true }
  local flags = l:add { name = "hkFlags", arguments = { { "tBITS", tag }, { "tSTORAGE", l:number "ubyte" } },
    parent = l:number "ubyte" }
  local type = l:record("Odd", 40, {
    { "flags", flags, 24, flags = 0xA0, extra = 3 }, { "value", l:number "uint", 28, flags = 0xE0, extra = 200 },
    { "label", l:number "text", 32, flags = 0xA2, extra = 0 } },
    { parent = base, flags = 3, interfaces = { { face, 16 } }, attribute = "hk.Attributes", mutable = 5, version = 300,
      properties = { { "width", l:number "int", 28 }, { "height", l:number "int", 28, flags = 0xA0, extra = 1 } } })
  return build(l, object(root, { namedVariants = { { name = "odd", className = type.name,
    variant = object(type, { flags = 0x81, value = 4000000000, label = "o" }) } } }), { fillers = 3 })
end

function makers.nested()
  local l = sample.library()
  local root = l:record("Tree", 96, {})
  local text, short = l:number "text", l:number "short"
  local leaf = l:record("Leaf", 40, { { "label", text, 0 }, { "lists", l:array(l:array(short)), 8 },
    { "owner", l:pointer(root), 24 }, { "size", short, 32 } })
  local pair = l:record("Pair", 40, { { "texts", l:inline(text, 2), 0 }, { "numbers", l:array(l:number "int"), 16 },
    { "next", l:pointer(root), 32 } })
  root.members = { { "leaves", l:array(leaf), 0 }, { "texts", l:array(text), 16 }, { "pair", pair, 32 },
    { "friends", l:array(l:pointer(root)), 72 }, { "self", l:pointer(root), 88 } }
  local one, two = object(root, {}), object(root, { texts = { "x" } })
  one.values = { self = one, friends = { two, one, false, two }, texts = { "a", false, "", "bcd" },
    leaves = { { label = "l1", lists = { { 1, 2, 3 }, {}, { 4 } }, owner = two, size = 3 }, { lists = {} },
      { label = "l3", lists = { { -5 } }, owner = one } },
    pair = { texts = { "left", "right" }, numbers = { 10, 20, 30, 40, 50 }, next = two } }
  two.values.pair = { texts = { false, "only" }, next = one }
  return build(l, one)
end

function makers.unknown_sections()
  return makers.plain { tree = function(tree)
    local list = tree[2]
    table.insert(list[3][2], 2, { "TSHA", "\1\2\3\4\5\6\7\8" })
    table.insert(list, 4, ("\0"):rep(12))
    table.insert(list, 5, { "XTRA", "kept" })
    table.insert(list, { "NOTE", "" })
  end }
end

-- Numbers of every width, vectors, matrices, lists in line.
function makers.scalars()
  local l = sample.library()
  local vector, quaternion = l:vector("Vector4f", 4), l:vector("Quaternionf", 4)
  local three, real, color = l:vector("Float3", 3), l:alias("Real", l:number "float"), l:alias("Color", l:number "uint")
  local shade = l:alias("Shade", color)
  local transform = l:record("QsTransformf", 48, { { "translation", vector, 0 }, { "rotation", quaternion, 16 },
    { "scale", vector, 32 } }, { align = 0x4010 })
  local at, members = 0, {}
  local function add(name, type)
    local align = type == vector and 16 or math.min(16, Library.size(type))
    at = align & align - 1 == 0 and (at + align - 1) // align * align or (at + 15) // 16 * 16
    members[#members + 1] = { name, type, at }
    at = at + Library.size(type)
  end
  for _, name in ipairs { "byte", "ubyte", "short", "ushort", "int", "uint", "long", "ulong", "float", "half", "upper",
    "double", "bool" } do add(name .. "Value", l:number(name)) end
  add("vector", vector)
  add("transform", transform)
  add("matrix", l:vector("Matrix3f", 12))
  add("three", three)
  add("shade", shade)
  add("threeBytes", l:inline(l:number "ubyte", 3))
  add("twoHalves", l:inline(l:number "half", 2))
  add("fiveVectors", l:inline(vector, 5))
  add("real", real)
  add("realList", l:array(real))
  add("vectorList", l:array(vector))
  add("boolList", l:array(l:number "bool"))
  add("transformList", l:array(transform))
  local root = l:record("Scalars", (at + 15) // 16 * 16, members, { align = 16 })
  local v = { { 1, 2, 3, 4 }, { 0.5, -0.5, 0.25, 0 } }
  local t = { translation = v[1], rotation = { 0, 0, 0, 1 }, scale = { 1, 1, 1, 0 } }
  return build(l, object(root, { byteValue = -128, ubyteValue = 255, shortValue = -32768, ushortValue = 65535,
    intValue = -0x80000000, uintValue = 0xFFFFFFFF, longValue = math.mininteger, ulongValue = math.maxinteger,
    floatValue = 1.5, halfValue = -0.375, upperValue = 2.5, doubleValue = 0.1, boolValue = true, vector = v[2],
    transform = t,
    matrix = { 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0 }, three = { 7, 8, 9 }, shade = 0xFF00FF00, threeBytes = { 1, 2, 3 },
    twoHalves = { 1, -2 }, fiveVectors = { v[1], v[2], v[1], v[2], v[1] }, real = -1, realList = { 1, 2, 3 }, vectorList = v,
    boolList = { true, false, true }, transformList = { t, t } }))
end

-- Names that are the same, or mean something else in Lua.
function makers.clashes()
  local l = sample.library()
  local int = l:number "int"
  local base = l:record("Base", 16, { { "value", int, 0 }, { "fooBar", int, 4 }, { "m_data", int, 8 } })
  local root = l:record("Derived", 48, { { "value", int, 16 }, { "foo_bar", int, 20 }, { "totable", int, 24 },
    { "end", int, 28 },
    { "2nd", int, 32 }, { "with space", int, 36 }, { "XYZCount", int, 40 }, { "numU8", int, 44 } },
    { parent = base })
  return build(l, object(root, { value = 1, ["value#2"] = 2, fooBar = 3, foo_bar = 4, m_data = 5, totable = 6, ["end"] = 7,
    ["2nd"] = 8, ["with space"] = 9, XYZCount = 10, numU8 = 11 }))
end

-- Aliases of all kinds, members in the tail of the parent, members at one place, lists of lists of records.
function makers.odd_shapes()
  local l = sample.library "my"
  local int, text, byte = l:number "int", l:number "text", l:number "ubyte"
  local name, bytes = l:alias("Name", text), l:alias("Bytes", l:array(byte))
  local base = l:record("Base", 16, { { "first", l:number "short", 8 } })
  local root = l:record("Root", 216, {}, { parent = base })
  local point = l:record("Point", 12, { { "x", int, 0 }, { "y", int, 4 }, { "end", int, 4 } }, { align = 4 })
  local link = l:alias("Link", l:pointer(base))
  local spot = l:alias("Spot", point)
  local empty = l:record("Nothing", 1, {}, { align = 1 })
  root.members = { { "inTail", l:number "short", 10 }, { "also", int, 12 }, { "name", name, 16 }, { "bytes", bytes, 24 },
    { "names", l:array(name), 40 }, { "byteLists", l:array(bytes), 56 }, { "pointLists", l:array(l:array(spot)), 72 },
    { "links", l:array(link), 88 }, { "two", l:inline(l:array(int), 2), 104 }, { "spot", spot, 136 },
    { "nothing", empty, 148 },
    { "big", l:number "big", 150 }, { "anything", l:pointer(nil), 152 }, { "noMore", l:inline(link, 2), 160 },
    { "whole", int, 176 }, { "low", l:number "ushort", 176 }, { "high", l:number "ushort", 178 },
    { "cache", l:array(int), 184, flags = 0x21 }, { "world", l:pointer(base), 200, flags = 0x21 },
    { "note", text, 208, flags = 0x21 } }
  local leaf = object(l:alias("Leaf", base), { first = -2 })
  return build(l, object(l:alias("Trunk", root), { first = 1, inTail = -1, also = 2, name = "n", bytes = { 1, 2, 255 },
    names = { "a", false, "c" }, byteLists = { { 1 }, {}, { 2, 3 } }, pointLists = { { { x = 1, y = 2 }, { x = 3 } }, {} },
    links = { leaf, false, leaf }, two = { { 5 }, { 6, 7 } }, spot = { x = -1, y = -2 }, big = 0x1234, anything = leaf,
    noMore = { false, leaf }, whole = 0x20001 }))
end

-- Members of list elements that no file stores, and two at one place.
function makers.unstored()
  local l = sample.library()
  local int, text = l:number "int", l:number "text"
  local base = l:record("Base", 8, {})
  local row = l:record("Row", 40, { { "name", text, 0 }, { "owner", l:pointer(base), 8, flags = 0x21 },
    { "cache", l:array(int), 16, flags = 0x21 }, { "whole", int, 32 }, { "low", l:number "ushort", 32 } })
  local root = l:record("Table", 24, { { "rows", l:array(row), 8 } }, { parent = base })
  return build(l, object(root, { rows = { { name = "a", whole = 1 }, { name = "b", whole = 2 } } }))
end

-- Relative fields in what relative fields lead to.
function makers.relative_nested()
  local l = sample.library()
  local base = l:record("Base", 8, {})
  local other = l:record("Other", 16, { { "value", l:number "int", 8 } }, { parent = base })
  local cell = l:record("Cell", 24, { { "halves", l:view(l:number "half"), 0 }, { "other", l:relative_pointer(base), 8 },
    { "lists", l:relative(l:view(l:number "ubyte")), 16 } }, { size = 32 })
  local root = l:record("Grid", 40, { { "rows", l:relative(l:view(cell)), 8 },
    { "others", l:view(l:relative_pointer(base)), 24 }, { "label", l:number "text", 32 } }, { parent = base })
  local one, two = object(other, { value = 1 }), object(other, { value = 2 })
  return build(l, object(root, { label = "an item in all this", others = { one, false, two },
    rows = { { { halves = { 1, 2 }, other = two }, { lists = { { 1, 2 }, {}, { 3 } } } }, {}, { { other = one } } } }),
    { sdk = "20220100", new_names = true, padding = "\xFF" })
end

-- All objects in front of all arrays and texts.
function makers.apart()
  return makers.plain { apart = true }
end

-- Data in front of the first object, patches of other files, bytes behind the file.
function makers.surrounded()
  return makers.plain { lead = 32, payload = { PTCH = function(bytes)
    return bytes .. string.pack("<I4I4I4I4", 0, 5, 1, 16)
  end } } .. ("\xAA"):rep(13)
end

function makers.long_names()
  local l = sample.library(("n"):rep(60))
  return build(l, two_tracks(l, { root = ("R"):rep(150), label = ("l"):rep(80) }))
end

function makers.empty()
  local l = sample.library()
  return build(l, object((container(l, {})), {}))
end

-- More types and texts than a packed number of one byte has room for, and many items.
function makers.many()
  local l = sample.library()
  local root, base = container(l, {})
  local list = {}
  for i = 1, 150 do
    local type = l:record("Class" .. i, 24, { { "member" .. i, l:number "int", 16 } }, { parent = base })
    list[i] = { name = "object " .. i, className = type.name, variant = object(type, { ["member" .. i] = i * i }) }
  end
  return build(l, object(root, { namedVariants = list }))
end

local ORDER = { "plain", "renamed", "other_order", "relative", "odd_bodies", "nested", "scalars", "clashes", "wide_numbers",
  "small_wide_numbers", "unknown_sections", "odd_shapes", "relative_nested", "apart", "surrounded", "long_names", "empty",
  "many" }

--- One of them, by its name. more: what else the writer is told, for "plain".
function sample.named(name, more) return makers[name](more) end

--- All that are good, by name, in the same order each time.
function sample.all()
  local list = {}
  for i, name in ipairs(ORDER) do list[i] = { name = name, bytes = makers[name]() } end
  return list
end

--- A compendium, a file that needs it, and the id.
function sample.compendium()
  local id, l = "\x10\x32\x54\x76\x98\xBA\xDC\xFE", sample.library()
  local root = two_tracks(l, {})
  local file = build(l, root, { compendium = id, sdk = "20180100" })
  return writer.compendium({ types = l.types, hash_all = true }, "\1\2\3\4\5\6\7\8", id), file, id
end

sample.build = build
sample.object = object
sample.two_tracks = two_tracks
sample.container = container

--- Every kind of bad file: { { name =, bytes =, wants = what the error says, where it is an error } }.
function sample.damaged()
  return require("sample_tagfile_bad").list(sample)
end

return sample
