-- check of tagfiles: what is wrong with sections, types, items and patches, in exact words; nothing of good files.

local helper = require "helper"
local lathe = require "lathe"
local reader = require "tagfile_reader"
local sample = require "sample_tagfile"

local pack, unpack = string.pack, string.unpack

local function findings(bytes)
  local doc <close> = assert(lathe.parse(bytes, { format = "tagfile" }))
  local list = {}
  local _, found = doc:check()
  for i, finding in ipairs(found) do
    list[i] = ("%s %s0x%x: %s"):format(finding.level, finding.where and finding.where .. " " or "", finding.offset,
      finding.message)
  end
  return list
end

-- All of them, in any order.
local function finds(expected, bytes)
  local found = findings(bytes)
  table.sort(expected)
  table.sort(found)
  assert.same(expected, found)
end

local function replaced(bytes, at, new) return bytes:sub(1, at) .. new .. bytes:sub(at + #new + 1) end

local function payload(bytes, name) return reader.read(bytes):section(name).offset + 8 end

local function in_data(bytes, at, new) return replaced(bytes, payload(bytes, "DATA") + at, new) end

local function with_items(change) return sample.named("plain", { items = change }) end

local function with_patches(change) return sample.named("plain", { patches = change }) end

-- The first field of a kind that leads to an item, as its place in DATA.
local function field(bytes, kind, skip)
  local file, at = reader.read(bytes), {}
  file:references(function(offset, type, item)
    if item ~= 0 and file:kind(type) == kind then at[#at + 1] = offset end
  end)
  table.sort(at)
  return at[1 + (skip or 0)]
end

describe("check of tagfiles", function()
  it("finds nothing in the corpus #corpus", function()
    local folder = helper.need_corpus("tagfile", pending)
    local names = helper.list(folder, "%.hkx$")
    assert(#names >= 4)
    for _, name in ipairs(names) do assert.same({}, findings(helper.read(folder .. "/" .. name)), name) end
  end)

  it("finds no fault in good files of made-up classes", function()
    local kept = { unknown_sections = 4, surrounded = 1, odd_shapes = 3 }
    for _, entry in ipairs(sample.all()) do
      local list = findings(entry.bytes)
      for _, text in ipairs(list) do assert.matches("^warning ", text) end
      assert.equal(kept[entry.name] or 0, #list, entry.name .. ": " .. table.concat(list, "\n"))
    end
  end)
end)

describe("check of a tagfile's sections names", function()
  local function tree(change) return sample.named("plain", { tree = function(t) change(t[2]) end }) end

  it("those that are there twice", function()
    local bytes = tree(function(list) list[5] = { "SDKV", "20150100" } end)
    finds({ ("error 0x%x: a second section SDKV in TAG0: the first counts"):format(#bytes - 16) }, bytes)
    bytes = tree(function(list) table.insert(list[4][2], { "ITEM", "" }) end)
    finds({ ("error 0x%x: a second section ITEM in INDX: the first counts"):format(#bytes - 8) }, bytes)
  end)

  it("those that it does not know, and zeros between them", function()
    local bytes = sample.named "unknown_sections"
    finds({
      "warning 0x1d0: section TSHA in TYPE, which lathe does not know: it is kept",
      ("warning 0x%x: 12 bytes of zeros between sections of TAG0"):format(payload(bytes, "XTRA") - 20),
      ("warning 0x%x: section XTRA in TAG0, which lathe does not know: it is kept"):format(payload(bytes, "XTRA") - 8),
      ("warning 0x%x: section NOTE in TAG0, which lathe does not know: it is kept"):format(#bytes - 8),
    }, bytes)
  end)

  it("odd sizes, and kinds", function()
    local bytes = tree(function(list) list[5] = { "NOTE", "abc" } end)
    finds({
      ("warning 0x%x: section NOTE in TAG0, which lathe does not know: it is kept"):format(#bytes - 11),
      ("warning 0x%x: section NOTE: 11 bytes, which is no multiple of 4"):format(#bytes - 11),
      ("warning 0x0: section TAG0: %d bytes, which is no multiple of 4"):format(#bytes),
    }, bytes)
    finds({ "warning 0x8: section SDKV: of kind 0, where 1 is usual" },
      tree(function(list) list[1].leaf = 0 end))
  end)

  it("data whose length is no multiple of 16", function()
    local bytes = tree(function(list) list[2][2] = list[2][2] .. "\0\0\0\0" end)
    finds({ ("warning 0x18: DATA: %d bytes of data, which is no multiple of 16"):format(
      unpack(">I4", bytes, 25) % 0x40000000 - 8) }, bytes)
  end)
end)

describe("check of a tagfile's types names", function()
  local function spoiled(change)
    local l = sample.library()
    local root, base = sample.container(l, {})
    change(l, root, base)
    return sample.build(l, sample.object(root, {}))
  end

  local ROOT = "%s types[9] TBOD: type 9 (hkRootLevelContainer): "

  -- Without where they are: that is told by the number.
  local function says(expected, bytes)
    local list = findings(bytes)
    for i, text in ipairs(list) do list[i] = text:gsub("0x%x+: ", "", 1) end
    table.sort(list)
    table.sort(expected)
    assert.same(expected, list)
  end

  it("members that overlap", function()
    says({ ROOT:format "warning" .. "its member other at 8 overlaps namedVariants, which ends at 16" },
      spoiled(function(l, root) root.members[2] = { "other", l:number "int", 8 } end))
    says({ ROOT:format "warning" .. "its member namedVariants at 0 overlaps those of its parent, which end at 12" },
      spoiled(function(_, root, base) root.parent = base end))
  end)

  it("members that leave the size, and opaque objects", function()
    says({
      "error objects[1] TYPE: type 9 (hkRootLevelContainer): its member far takes bytes 16 to 20 of 16",
      "error types[9] TBOD: type 9 (hkRootLevelContainer): its member far takes bytes 16 to 20 of 16",
    }, spoiled(function(l, root) root.members[2] = { "far", l:number "int", 16 } end))
  end)

  it("parents whose members leave the size", function()
    says({
      "error objects[1] TYPE: type 9 (hkRootLevelContainer): the members of its parent reach past its end",
      "error types[9] TBOD: type 9 (hkRootLevelContainer): it has 16 bytes, its parent 40",
    }, spoiled(function(l, root)
      root.parent = l:record("Wide", 40, { { "last", l:number "int", 36 } })
      root.members = {}
    end))
  end)

  it("sizes that disagree", function()
    says({ "error types[10] TBOD: type 10 (hkOdd): it has 8 bytes, its parent 16" },
      spoiled(function(l, _, base) l:record("Odd", 8, {}, { parent = base }) end))
    says({ "error types[10] TBOD: type 10 (T[N]<int, 100>): 100 elements of 4 bytes in 4 bytes" },
      spoiled(function(l) l:inline(l:number "int", 100).told = 4 end))
    says({ "error types[10] TBOD: type 10 (hkWide): an integer of 32 bits in 2 bytes" },
      spoiled(function(l) l:add { name = "hkWide", format = 0x8004, size = 2, align = 2 } end))
  end)

  it("members without a size, and parents without a body", function()
    says({ "error types[9] TBOD: type 9 (hkRootLevelContainer): its member what is of type 10 (hkBare), which has no size" },
      spoiled(function(l, root) root.members[2] = { "what", l:add { name = "hkBare", bare = true }, 16 } end))
    says({ "error types[11] TBOD: type 11 (hkChild): its parent, type 10 (hkBare), has no body" },
      spoiled(function(l) l:add { name = "hkChild", parent = l:add { name = "hkBare", bare = true } } end))
  end)

  it("records in themselves, however deep", function()
    local list = findings(spoiled(function(l)
      local first = l:record("First", 8, {})
      local before = first
      for i = 1, 1000 do before = l:record("In" .. i, 8, { { "in", before, 0 } }) end
      first.members[1] = { "all", before, 0 }
    end))
    assert.equal(1, #list)
    assert.matches("^error types%[10%] 0x%x+: TBOD: type 10 %(hkFirst%): it holds itself in line, by way of "
      .. "type 11 %(hkIn1%)$", list[1])
  end)

  it("items whose type has no hash", function()
    local bytes = sample.named("plain", { payload = { THSH = function() return "\0\0\0\0" end } })
    local list = findings(bytes)
    assert.equal(5, #list, table.concat(list, "\n"))
    assert.matches("^warning item_section.items%[2%] 0x%x+: ITEM: item 1: THSH has no hash of its type 9 %(hkRootLevel",
      list[1])
  end)
end)

describe("check of a tagfile's items names", function()
  local good = sample.named "plain"
  local start, last = payload(good, "ITEM"), #reader.read(good).items
  local function at(item)
    return ("item_section.items[%d] 0x%x: ITEM: item %d: "):format(item + 1, start + 12 * item, item)
  end

  it("a first one that is not null, and a root that is no object", function()
    finds({ "error " .. at(0) .. "the first one is to be none: 12 bytes of zeros" },
      with_items(function(list) list[1] = { 0, 0, 0, 1 } end))
    finds({ "error " .. at(1) .. "no object: the file has no root" },
      with_items(function(list) list[2][2] = 0x20 end))
  end)

  it("those of unknown kinds, of none, and of several objects", function()
    finds({ "warning " .. at(2) .. "of kind 0x21, where 0x10 and 0x20 are known" },
      with_items(function(list) list[3][2] = 0x21 end))
    finds({ "warning " .. at(last + 1) .. "none, though not the first" },
      with_items(function(list) list[#list + 1] = { 0, 0, 0, 0 } end))
    local list = findings(with_items(function(list) list[4][4] = 2 end))
    assert.is_truthy(table.concat(list, "\n"):find("error " .. at(3) .. "an object with a count of 2", 1, true))
  end)

  it("two objects at one place, and items that overlap", function()
    finds({ "error " .. at(last + 1) .. "an object at 0x0, where item 1 is one, too: it cannot be reached" },
      with_items(function(list) list[#list + 1] = { list[2][1], 0x10, 0, 1 } end))
    local text = table.concat(findings(with_items(function(list) list[6][3] = list[6][3] - 2 end)), "\n")
    assert.matches("error item_section.items%[6%] 0x%x+: ITEM: item 5: it begins at 0x%x+, in item 2, which ends at 0x%x+",
      text)
  end)

  it("those off their alignment", function()
    local list = findings(with_items(function(rows)
      for _, row in ipairs(rows) do
        if row[4] == 5 and row[3] % 16 == 0 then row[3] = row[3] - 2 end
      end
    end))
    local text = table.concat(list, "\n")
    assert.matches("error item_section.items%[13%] 0x%x+: ITEM: item 12: it lies at 0x%x+e, which is no multiple of 16",
      text)
  end)

  it("those that nothing leads to, and those that several share", function()
    finds({ "warning " .. at(last + 1) .. "nothing leads to it" },
      with_items(function(list) list[#list + 1] = { 15, 0x20, 0x100, 0 } end))
    local one, other = field(good, "string"), field(good, "string", 1)
    local number = unpack("<I4", good, payload(good, "DATA") + one + 1)
    local lost = unpack("<I4", good, payload(good, "DATA") + other + 1)
    local list = findings(in_data(good, other, pack("<I4", number)))
    local text = table.concat(list, "\n")
    assert.is_truthy(text:find("warning " .. at(number) .. "2 fields share it", 1, true), text)
    assert.is_truthy(text:find("warning " .. at(lost) .. "nothing leads to it", 1, true), text)
  end)

  it("texts that end early", function()
    finds({ "error " .. at(7) .. "a text of 10 bytes which ends after 3" }, (function()
      local item = reader.read(good).items[7]
      assert.equal(10, item.count)
      return in_data(good, item.offset + 3, "\0")
    end)())
  end)
end)

describe("check of a tagfile's fields names", function()
  local good = sample.named "plain"
  local data = payload(good, "DATA")

  -- Among others: what a wrong number means for the items is told, too.
  local function tells(wanted, bytes)
    local text = table.concat(findings(bytes), "\n")
    assert.is_truthy(text:find(wanted, 1, true), text)
  end

  it("storage of another type, and objects of another class", function()
    local list, pointer, text = field(good, "array"), field(good, "pointer"), field(good, "string")
    tells(("error objects[1] 0x%x: the array at 0x%x: item 1 is an object"):format(data + list, list),
      in_data(good, list, pack("<I4", 1)))
    tells(("the array at 0x%x is of type 5 (hkVariant), item 5 of type "):format(list), in_data(good, list, pack("<I4", 5)))
    tells(("the pointer at 0x%x is to type 2 (hkReferencedObject), item 1 is type 9 (hkRootLevelContainer)"):format(pointer),
      in_data(good, pointer, pack("<I4", 1)))
    tells(("the pointer at 0x%x: item 2 is no object"):format(pointer), in_data(good, pointer, pack("<I4", 2)))
    tells(("the pointer at 0x%x: item 9999 is no object"):format(pointer), in_data(good, pointer, pack("<I4", 9999)))
    tells(("the text at 0x%x: item 1 is of type 9 (hkRootLevelContainer)"):format(text),
      in_data(good, text, pack("<I4", 1)))
  end)

  it("what is not zero behind an item's number", function()
    local list = field(good, "array")
    for at, what in pairs { [4] = "the upper half of its item's number", [8] = "its size", [12] = "its capacity" } do
      finds({ ("warning objects[1] 0x%x: the field at 0x%x: %s is not zero"):format(data + list, list, what) },
        in_data(good, list + at, "\1"))
    end
  end)

  it("relative arrays and pointers that lead astray", function()
    local relative = sample.named "relative"
    local file, at = reader.read(relative), {}
    file:references(function(offset, type) at[file:kind(type) .. file:size(type)] = offset end)
    tells(("the pointer at 0x%x: no object begins at its offset of 8"):format(at.pointer8),
      in_data(relative, at.pointer8, pack("<i8", 8)))
    tells("which leads out of the object's", in_data(relative, at.array8, pack("<i4", 0x7FFFFFF0)))
    local points
    file:references(function(offset, type)
      if file:kind(type) == "array" and file:size(type) == 16 then points = points or offset end
    end)
    tells(("the array at 0x%x: room for 1 elements, it has 2"):format(points),
      in_data(relative, points + 12, pack("<i4", 1)))
    tells(("the array at 0x%x: no item tells of its 1 elements at "):format(points),
      in_data(relative, points + 8, pack("<i4", 1)))
  end)
end)

describe("check of a tagfile's patches names", function()
  local function largest(groups)
    local best = groups[1]
    for _, group in ipairs(groups) do
      if #group[2] > #best[2] then best = group end
    end
    return best[2]
  end

  local CASES = {
    { "warning patch_section PTCH: type 3 (text): the patch of 0x10 is out of order: it belongs in front of "
      .. "the one before it",
      function(groups)
        local list = largest(groups)
        list[1], list[2] = list[2], list[1]
      end },
    { "warning patch_section PTCH: the group of type 3 is out of order: it is behind that of 4",
      function(groups) groups[1], groups[2] = groups[2], groups[1] end },
    { "error patch_section PTCH: type 3 (text): the patch of 0x10 is there twice",
      function(groups) table.insert(largest(groups), 1, 0x10) end },
    { "error patch_section PTCH: type 3 (text): the patch of 0x14 overlaps the field of the one in front of it",
      function(groups) table.insert(largest(groups), 2, 0x14) end },
    { "error patch_section PTCH: type 3 (text): the patch of 0x10000 is outside of DATA",
      function(groups) table.insert(largest(groups), 0x10000) end },
    { "error patch_section PTCH: type 3 (text): the patch of 0x118 is where no reference is",
      function(groups) table.insert(largest(groups), 0x118) end },
  }

  it("those out of order, twice, overlapping, outside, of nothing", function()
    for _, case in ipairs(CASES) do
      local list = findings(with_patches(case[2]))
      for i, text in ipairs(list) do list[i] = text:gsub("0x%x+: ", "", 1) end
      assert.same({ case[1] }, list)
    end
  end)

  it("those of another type, of no type, of fields that lead to nothing", function()
    local function tells(wanted, bytes)
      local text = table.concat(findings(bytes), "\n")
      assert.matches(wanted, text)
    end
    tells("error patch_section 0x%x+: PTCH: type %d+ %(.-%): the patch of 0x%x+ is where a field of another type is",
      with_patches(function(groups) groups[#groups][1] = groups[#groups][1] + 1 end))
    tells("error patch_section 0x%x+: PTCH: patches of type 5000, there are %d+",
      with_patches(function(groups) groups[#groups][1] = 5000 end))
    local good = sample.named "plain"
    tells("error patch_section 0x%x+: PTCH: type 3 %(text%): the patch of 0x10 is where a field leads to nothing",
      in_data(good, 0x10, "\0\0\0\0"))
    tells("error objects%[3%] 0x%x+: PTCH has no patch for the field at 0x%x+, item 14: type 3 %(text%)",
      with_patches(function(groups) table.remove(largest(groups)) end))
    tells("warning patch_section 0x%x+: PTCH: 8 bytes behind the last group: patches of other files, which are kept",
      sample.named("plain", { payload = { PTCH = function(b) return b .. pack("<I4I4", 0, 7) end } }))
  end)
end)
