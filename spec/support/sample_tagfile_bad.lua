--- Bad tagfiles, one fault each, made of the good ones of sample_tagfile: for sample_tagfile.damaged().
--
-- Of each: name, bytes, says = what tagfile_judge says of it (a pattern), opens = whether lathe can open it all the same
-- (then check() is to name it, or whoever looks at what is bad), wants = what lathe's error says where it can't.

local reader = require "tagfile_reader"
local writer = require "sample_tagfile_write"

local bad = {}

local pack, unpack = string.pack, string.unpack

-- ---- ways to spoil a file -----------------------------------------------------------------------------------

local function replaced(bytes, at, new)
  return bytes:sub(1, at) .. new .. bytes:sub(at + #new + 1)
end

-- Where the payload of a section begins.
local function payload(bytes, name)
  return reader.read(bytes):section(name).offset + 8
end

-- A file in whose section the bytes at `at` are other ones.
local function in_section(bytes, name, at, new)
  return replaced(bytes, payload(bytes, name) + at, new)
end

-- The header of a section says another size.
local function sized(bytes, name, size)
  local at = payload(bytes, name) - 8
  return replaced(bytes, at, pack(">I4", unpack(">I4", bytes, at + 1) & 0xC0000000 | size))
end

-- ---- faults of the container -----------------------------------------------------------------------------------

local function container(sample, add)
  local good = sample.named "plain"
  local size_of = function(name) return reader.read(good):section(name).size end
  add("cut in a header", good:sub(1, 20), "size", "TAG0")
  add("no tagfile", good:sub(1, 4) .. "TAGX" .. good:sub(9), "no tagfile: TAGX", "")
  add("root too long", sized(good, "TAG0", #good + 4), "TAG0: size", "TAG0")
  add("section of 7 bytes", sized(good, "SDKV", 7), "SDKV: size 7", "SDKV")
  add("section longer than its parent", sized(good, "DATA", #good), "DATA: size", "DATA")
  add("child longer than TYPE", sized(good, "TBOD", size_of "TBOD" + 0x1000), "TBOD: size", "TBOD")
  add("child of no bytes behind the last", sized(good, "TPAD", 0x3FFFFFFF), "TPAD: size", "TPAD")
  add("ITEM of odd length", sample.named("plain", { payload = { ITEM = function(b) return b .. "\0\0\0\0" end } }),
    "ITEM has bytes of no item", "ITEM")
  for _, name in ipairs { "DATA", "INDX", "ITEM", "TYPE" } do
    add("no " .. name, sample.named("plain", { tree = function(tree)
      local function drop(list)
        for i = #list, 1, -1 do
          if list[i][1] == name then
            table.remove(list, i)
          elseif type(list[i][2]) == "table" then
            drop(list[i][2])
          end
        end
      end
      drop(tree[2])
    end }), "", name)
  end
  add("nested without end", sample.named("plain", { tree = function(tree)
    local inner = { "TYPE", {} }
    for _ = 1, 2000 do inner = { "TYPE", { inner } } end
    table.insert(tree[2][3][2], inner)
  end }), "nested too deep", nil, "opens")
  local _, needs = sample.compendium()
  add("types elsewhere", needs, "needs compendium 1032547698badcfe", "it needs the compendium 1032547698BADCFE")
end

-- ---- faults of the types -----------------------------------------------------------------------------------

-- A file whose types were changed by hand before it was written. change(library, root type, its base)
local function spoiled(sample, change, more)
  local l = sample.library()
  local root, base = sample.container(l, {})
  change(l, root, base)
  return sample.build(l, sample.object(root, {}), more)
end

local function bytes_of_types(sample, add)
  local good = sample.named "plain"
  for byte = 0xFA, 0xFF do
    add(("packed number 0x%02X"):format(byte), in_section(good, "TNAM", 0, string.char(byte)), "begins no number",
      "no packed integer begins with the byte 0x" .. ("%02X"):format(byte))
  end
  add("packed number that does not end", in_section(good, "TBOD", reader.read(good):section("TBOD").size - 9, "\xF9"),
    "ends in a number", "TBOD")
  add("too many types", in_section(good, "TNAM", 0, "\xBF\xFF"), "types", "TNAM")
  add("name out of range", in_section(good, "TNAM", 1, "\x7F"), "string 127 of", "TNAM.*text 127")
  add("texts without an end", sample.named("plain", { payload = { TSTR = function(b) return ("x"):rep(#b) end } }),
    "string: of none", "TNAM.*text 0")
  add("body of no type", in_section(good, "TBOD", 0, "\x7F"), "type 127 of", "TBOD")
  add("hash of no type", in_section(good, "THSH", 1, "\x7F"), "type 127 of", "THSH")
  add("hashes that are not there", in_section(good, "THSH", 0, "\x7F"), "hashes", "THSH")
end

local function types(sample, add)
  bytes_of_types(sample, add)
  add("own parent", spoiled(sample, function(_, _, base) base.parent = base end), "inherits from itself", "circle")
  add("parents in a circle", spoiled(sample, function(l, _, base)
    local a = l:record("A", 24, {})
    local b = l:record("B", 24, {}, { parent = a })
    a.parent, base.version = b, 2
  end, {}), "inherits from itself", "circle")
  add("unknown parts of a body", spoiled(sample, function(_, _, base) base.opt = 0x200 end), "options", "0x200")
  add("two bodies", spoiled(sample, function(l, _, base)
    l.types[#l.types + 1] = base                  -- the second name has the first one's number
  end), "", nil, "judge only")
  add("argument out of range", spoiled(sample, function(_, _, base) base.arguments = { { "tT", 99 } } end),
    "type 99 of", "template argument")
  add("more members than bytes", spoiled(sample, function(_, _, base) base.count = 0xFFFF end), "", "TBOD")
  add("member outside", spoiled(sample, function(_, root) root.told = 8 end), "lies outside", nil, "opens")
  add("member far outside", spoiled(sample, function(l, root)
    root.members[2] = { "far", l:number "int", 0x7FFFFFF0 }
  end), "lies outside", nil, "opens")
  add("size of 4 GB", spoiled(sample, function(_, root) root.told = 0xFFFFFFFF end), "", "ITEM")
  add("size of 36 bits", spoiled(sample, function(_, root) root.told = 1 << 36 end), "", "no number of 32 bits")
  add("size 0", spoiled(sample, function(_, root) root.told = 0 end), "lies outside", nil, "opens")
  add("record in itself", spoiled(sample, function(_, root) root.members[2] = { "me", root, 0 } end), "nested too deep", nil,
    "opens")
  add("records in each other", spoiled(sample, function(l, root)
    local other = l:record("Other", 16, { { "back", root, 0 } })
    root.members[2] = { "there", other, 0 }
  end), "nested too deep", nil, "opens")
  add("list in line larger than it says", spoiled(sample, function(l, root)
    local list = l:inline(l:number "int", 100)
    list.told = 4
    root.members[2] = { "list", list, 8 }
  end), "elements of", nil, "opens")
end

-- ---- faults of the items -----------------------------------------------------------------------------------

local function with_items(sample, change)
  return sample.named("plain", { items = change })
end

local function items(sample, add)
  add("item outside DATA", with_items(sample, function(list) list[3][3] = 0x10000 end), "item 2 lies outside", "item 2")
  add("item that reaches out of DATA", with_items(sample, function(list) list[3][4] = 1000 end), "item 2 lies outside",
    "item 2")
  add("item of 4 G elements", with_items(sample, function(list) list[3][4] = 0xFFFFFFFF end), "item 2 lies outside",
    "item 2")
  add("item of no type", with_items(sample, function(list) list[3][1] = 200 end), "item 2 is of type 200",
    "item 2.*type 200")
  add("item 0 is one", with_items(sample, function(list) list[1] = { 1, 0x10, 0, 1 } end), "item 0 is not null",
    nil, "opens")
  add("root is an array", with_items(sample, function(list) list[2][2] = 0x20 end), "item 1 is no object", nil, "opens")
  add("item of no kind", with_items(sample, function(list) list[3][2] = 0x40 end), "of kind 0x40", nil, "opens")
  add("none of a type that is not there", with_items(sample, function(list)
    list[#list + 1] = { 0xFFFFF, 0, 0xFFFFFFF0, 0xFFFFFFF }
  end), "type 1048575", nil, "opens")
  add("none that is led to", with_items(sample, function(list)
    for _, row in ipairs(list) do
      if row[2] == 0x20 then row[2], row[3], row[4] = 0, 0xFFFFFFF0, 0xFFFFFFFF end
    end
  end), "kind 0x00", nil, "opens")
  add("several objects in one", with_items(sample, function(list) list[2][4] = 2 end), "", nil, "opens")
  add("items that overlap", with_items(sample, function(list) list[6][3] = list[5][3] + 4 end), "overlap", nil, "opens")
  add("item that nothing leads to", with_items(sample, function(list) list[#list + 1] = { 1, 0x20, 0, 0 } end),
    "led to by nothing", nil, "opens")
  add("array off its alignment", with_items(sample, function(list)
    local last
    for _, row in ipairs(list) do last = row[4] == 5 and row or last end
    last[3], last[4] = last[3] + 2, 4             -- the numbers, not "None"
  end), "no multiple of 16", nil, "opens")
end

-- ---- faults of the references -----------------------------------------------------------------------------------

-- The plain file with another number in a field; find(file, visit) says which.
local function field(sample, kind, number, name)
  local good = sample.named(name or "plain")
  local file, at = reader.read(good), nil
  file:references(function(offset, type, item)
    if not at and item ~= 0 and file:kind(type) == kind then at = offset end
  end)
  return in_section(good, "DATA", at, pack("<I4", number))
end

local function references(sample, add)
  local good = sample.named "plain"
  local file = reader.read(good)
  local first = function(test)
    for i, item in ipairs(file.items) do
      if test(item) then return i end
    end
  end
  local list = first(function(item) return item.kind == 0x20 end)
  for _, kind in ipairs { "array", "string", "pointer" } do
    add(kind .. ": an item that is not there", field(sample, kind, 9999), "item 9999 of", nil, "opens")
  end
  add("array: an object", field(sample, "array", 1), "item 1 is hkRootLevelContainer", nil, "opens")
  add("array: one of another type", field(sample, "array", first(function(i) return i.count == 5 end)), "item %d+ is", nil,
    "opens")
  add("pointer: an array", field(sample, "pointer", list), "item 2 is", nil, "opens")
  add("pointer: an object of another class", field(sample, "pointer", 1), "item 1 is hkRootLevelContainer", nil, "opens")
  add("text: an object", field(sample, "string", 1), "item 1 is no text", nil, "opens")
  add("text without an end", with_items(sample, function(rows)
    for _, row in ipairs(rows) do
      if row[4] == 10 then row[4] = 9 end         -- "One again"
    end
  end), "does not end", nil, "opens")

  local relative = sample.named "relative"
  local other = reader.read(relative)
  local at = {}
  other:references(function(offset, type) at[other:kind(type) .. other:size(type)] = offset end)
  local function spoil(name, key, new, says)
    add(name, in_section(relative, "DATA", at[key], new), says, nil, "opens")
  end
  spoil("view that leads out of DATA", "array8", pack("<i4", 0x7FFFFFF0), "bytes needed of")
  spoil("view that leads in front of DATA", "array8", pack("<i4", -0x7FFFFFF0), "bytes needed of")
  spoil("view of too many", "array8", pack("<i4i4", 64, 0x7FFFFFFF), "elements of")
  spoil("view of less than none", "array8", pack("<i4i4", 64, -1), "-1 elements")
  spoil("relative array far out", "array16", pack("<i8", 1 << 62), "bytes needed of")
  spoil("relative pointer to no object", "pointer8", pack("<i8", 8), "where no object is")
end

-- ---- faults of the patches -----------------------------------------------------------------------------------

local function with_patches(sample, change)
  return sample.named("plain", { patches = change })
end

local function largest(groups)
  local best = groups[1]
  for _, group in ipairs(groups) do
    if #group[2] > #best[2] then best = group end
  end
  return best[2], best
end

local function patches(sample, add)
  local function with(name, says, change, wants, opens)
    add(name, with_patches(sample, change), says, wants, not wants and (opens or "opens") or nil)
  end
  with("patches out of order", "out of order", function(groups)
    local list = largest(groups)
    list[1], list[2] = list[2], list[1]
  end)
  with("groups out of order", "out of order", function(groups) groups[1], groups[2] = groups[2], groups[1] end)
  with("patch that comes twice", "comes twice", function(groups)
    local list = largest(groups)
    list[2] = list[1]
  end)
  with("patches that overlap", "is of no reference", function(groups)
    local list = largest(groups)
    table.insert(list, 2, list[1] + 4)
  end)
  with("patch that is missing", "no patch for type", function(groups) table.remove((largest(groups))) end)
  with("patch outside DATA", "is of no reference", function(groups) table.insert((largest(groups)), 0x10000) end)
  with("patch of another type", "is of no reference", function(groups) groups[#groups][1] = groups[#groups][1] + 1 end)
  with("patches of no type", "is of no reference", function(groups) groups[#groups][1] = 5000 end)
  with("more patches than bytes", "offsets in", function(groups) groups[#groups].count = 5000 end, "PTCH")
  with("4 G patches", "offsets in", function(groups) groups[#groups].count = 0xFFFFFFFF end, "PTCH")
  add("patches without an end", sample.named("plain", { payload = { PTCH = function(b) return b .. pack("<I4", 7) end } }),
    "ends in a group", "PTCH")
end

--- All of them.
function bad.list(sample)
  local list = {}
  local function add(name, bytes, says, wants, opens)
    list[#list + 1] = { name = name, bytes = bytes, says = says, wants = wants, opens = opens == "opens" }
  end
  container(sample, add)
  types(sample, add)
  items(sample, add)
  references(sample, add)
  patches(sample, add)
  return list
end

bad.replaced, bad.in_section, bad.sized, bad.packed = replaced, in_section, sized, writer.packed

return bad
