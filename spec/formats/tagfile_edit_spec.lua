-- Tagfiles edited by hand: texts, arrays, pointers, objects that come and go, each with an exact result in the eyes of the
-- plain reader and its judge.

local figures = require "tagfile_figures"
local helper = require "helper"
local judge = require "tagfile_judge"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_tagfile"

local function open(bytes)
  return assert(lathe.parse(bytes, { path = "sample.hkx", format = "tagfile", history = 1000 }))
end

-- The plain reader's file, in which nothing is wrong but that nothing may lead to an object.
local function judged(bytes)
  local list, file = judge.problems(bytes)
  for i = #list, 1, -1 do
    local number = list[i]:match "^item (%d+) is led to by nothing"
    if number and file.items[tonumber(number)].kind == 0x10 then table.remove(list, i) end
  end
  assert.same({}, list)
  return file
end

local function sound(doc)
  local bytes = doc:encode()
  local file = judged(bytes)
  figures.values(lathe, doc, file)
  local again <close> = open(bytes)
  figures.values(lathe, again, file)
  judged((assert(doc:serialize())))
  return file
end

-- Does something with a sample, or with a file's bytes, looks at it, takes it back, and does it again.
local function changed(name, change, look)
  local bytes = #name > 100 and name or sample.named(name)
  local doc <close> = open(bytes)
  change(doc)
  local file = sound(doc)
  if look then look(doc, file) end
  local after = doc:encode()
  while doc:undo() do end
  assert.is_true(doc:encode() == bytes, "undone")
  while doc:redo() do end
  assert.is_true(doc:encode() == after, "done again")
end

local function refused(name, words, change)
  local bytes = #name > 100 and name or sample.named(name)
  local doc <close> = open(bytes)
  outcome.raises(words, function() change(doc) end)
  assert.is_true(doc:encode() == bytes)
end

describe("texts of a tagfile", function()
  it("grow, shrink, come and go", function()
    for _, text in ipairs { "", "x", "fifteen letters", "sixteen letters!", ("long"):rep(100) } do
      changed("plain", function(doc) doc.objects[2].label = text end, function(doc, file)
        assert.equal(text, doc.objects[2].label)
        assert.equal(text, file:value(figures.objects_of(file)[2].number).label)
      end)
    end
    changed("plain", function(doc) doc.objects[2].label = false end, function(doc) assert.is_false(doc.objects[2].label) end)
    changed("plain", function(doc)
      doc.root.named_variants[4].class_name = "a class"
      doc.root.named_variants[1].name = false
    end, function(doc)
      assert.same({ "a class", false }, { doc.root.named_variants[4].class_name, doc.root.named_variants[1].name })
    end)
  end)

  it("in lists and in lists in line", function()
    changed("nested", function(doc)
      local root = doc.root
      root.texts[2], root.texts[1], root.pair.texts[1] = "now", false, ("y"):rep(40)
      root.texts:insert(3, "third")
    end, function(doc)
      assert.same({ false, "now", "third", "", "bcd" }, doc.root.texts:totable())
      assert.same({ ("y"):rep(40), "right" }, doc.root.pair.texts:totable())
    end)
  end)

  it("leave nothing behind where they lay in another object", function()
    changed("apart", function(doc) doc.objects[2].label = false end, function(doc) assert(doc:serialize()) end)
  end)
end)

describe("arrays of a tagfile", function()
  it("of numbers come, go, grow at either end and in the middle", function()
    changed("plain", function(doc)
      local list = doc.objects[2].parent_indices
      list:insert(3, 77)
      list:remove(1)
      list:append(99)
      doc.objects[3].parent_indices:insert(1, -5)
    end, function(doc)
      assert.same({ 0, 77, 1, 2, 3, 99 }, doc.objects[2].parent_indices:totable())
      assert.same({ -5 }, doc.objects[3].parent_indices:totable())
    end)
    changed("plain", function(doc) doc.objects[2].parent_indices = {} end, function(_, file)
      assert.equal(0, #file:value(figures.objects_of(file)[2].number).parentIndices)
    end)
  end)

  it("of records with texts, arrays and pointers in them", function()
    changed("nested", function(doc)
      local leaves = doc.root.leaves
      leaves:insert(2, { label = "new", lists = { { elements = { 9, 8 } }, {} }, owner = doc.objects[2], size = -1 })
      leaves:remove(1)
      leaves[1].lists[2].elements:append(5)
      leaves[3].lists:insert(1, { elements = { 1 } })
    end, function(doc)
      local leaves = doc.root.leaves
      assert.same({ 3, "new", -1, "l3" }, { #leaves, leaves[1].label, leaves[1].size, leaves[3].label })
      assert.equal(doc.objects[2], leaves[1].owner)
      assert.equal(2, #leaves[3].lists)
    end)
    changed("nested", function(doc) doc.root.leaves = {} end, function(doc) assert.equal(0, #doc.root.leaves) end)
    changed("plain", function(doc) doc.root.named_variants = {} end)
  end)

  it("of records with members that no file stores", function()
    changed("unstored", function(doc)
      doc.root.rows:insert(1, { name = "first", whole = 7 })
      doc.root.rows:insert(3)
      doc.root.rows:append { name = "last" }
    end, function(doc)
      local rows = doc.root.rows
      local names, numbers = {}, {}
      for i, row in ipairs(rows) do names[i], numbers[i] = row.name, row.whole end
      assert.same({ "first", "a", false, "b", "last" }, names)
      assert.same({ 7, 1, 0, 2, 0 }, numbers)
      assert.equal(40, lathe.span(rows[2]) - lathe.span(rows[1]))
    end)
    changed("unstored", function(doc)
      doc.objects:append { class = "hkTable", rows = { { name = "x", whole = 3 } } }
    end, function(doc) assert.same({ "x", 3 }, { doc.objects[2].rows[1].name, doc.objects[2].rows[1].whole }) end)
  end)

  it("of pointers", function()
    changed("nested", function(doc)
      local friends = doc.root.friends
      friends:insert(2, doc.root)
      friends[1] = false
      friends:append(doc.objects[2])
    end, function(doc)
      local root, two = doc.root, doc.objects[2]
      for i, want in ipairs { false, root, root, false, two, two } do assert.equal(want, doc.root.friends[i]) end
    end)
  end)

  it("of vectors and records in line", function()
    changed("scalars", function(doc)
      local root = doc.root
      root.vector_list:insert(2, { 9, 8, 7, 6 })
      root.bool_list:append(true)
      root.transform_list:remove(1)
      root.real_list = { 5 }
      root.half_value, root.upper_value, root.vector = 2, -1.5, { 4, 3, 2, 1 }
    end, function(doc)
      local root = doc.root
      assert.same({ 3, 4, 1, 1 }, { #root.vector_list, #root.bool_list, #root.transform_list, #root.real_list })
      assert.same({ 9, 6, 2, -1.5, 4 }, { root.vector_list[2].x, root.vector_list[2].w, root.half_value,
        root.upper_value, root.vector.x })
    end)
  end)

  -- A shape with offsets from themselves, none of which leads to another object.
  local function relative()
    local l = sample.library()
    local section = l:record("Section", 24, { { "indices", l:view(l:number "ushort"), 0 },
      { "bytes", l:view(l:number "ubyte"), 8 }, { "kind", l:number "int", 16 } })
    local root = l:record("Shape", 72, { { "sections", l:view(section), 8 },
      { "points", l:relative(l:vector("Vector4f", 4)), 16 }, { "empty", l:relative(l:number "int"), 32 },
      { "items", l:array(l:number "int"), 48 }, { "text", l:number "text", 64 } })
    return sample.build(l, sample.object(root, { points = { { 1, 2, 3, 4 }, { -1, -2, -3, -4 } }, items = { 1, 2 },
      sections = { { indices = { 1, 2, 65535 }, kind = 3 }, { bytes = { 9, 8, 7 }, indices = { 4 }, kind = -1 } } }),
      { sdk = "20210100", new_names = true, padding = "\xFF" })
  end

  it("with offsets from themselves, at every depth", function()
    changed(relative(), function(doc)
      local root = doc.root
      root.sections[1].indices:insert(2, 500)
      root.sections[2].bytes = {}
      root.sections[1].bytes = { 1, 2 }
      root.points:remove(1)
      root.empty:append(3)
      root.items:insert(2, 5)
      root.text = "a text"
      root.sections:insert(1, { indices = { 7 }, kind = 5 })
      root.sections:remove(3)
    end, function(doc)
      local root = doc.root
      assert.same({ 1, 500, 2, 65535 }, root.sections[2].indices:totable())
      assert.same({ 2, 7, 2, 1, 3 }, { #root.sections, root.sections[1].indices[1], #root.sections[2].bytes, #root.points,
        root.empty[1] })
    end)
    changed(relative(), function(doc) doc.root.sections, doc.root.points = {}, {} end)
  end)

  it("stay as long as they are where offsets lead to other objects", function()
    refused("relative", "an offset here leads to another object", function(doc) doc.root.points:remove(1) end)
  end)

  it("keep their length where the item is of a type of another size", function()
    local wide = sample.named("plain", { items = function(list) list[13][1], list[13][4] = 3, 1 end })
    refused(wide, "its item 12 is of type 3 (text), whose elements are of another size: lathe does not change its length",
      function(doc) doc.objects[2].parent_indices:append(1) end)
  end)

  it("do not come where a type's alignment is wider than what data move by", function()
    local l = sample.library()
    local rows = l:record("Row", 64, { { "value", l:number "int", 0 } }, { align = 64 })
    local root = l:record("Table", 64, { { "label", l:number "text", 0 }, { "rows", l:array(rows), 16 } })
    local bytes = sample.build(l, sample.object(root, { label = "short" }))
    refused(bytes, "hkRow is aligned to 64 bytes: lathe moves data by multiples of 16", function(doc)
      doc.root.rows = { { value = 1 } }
    end)
  end)

  it("are left alone where an object's data lie in another", function()
    refused("apart", "its data lie in another object", function(doc) doc.objects[2].parent_indices:append(1) end)
  end)
end)

describe("objects of a tagfile", function()
  it("come last, are led to, and go with all that is theirs", function()
    changed("plain", function(doc)
      local n = #doc.objects
      doc.objects:append { class = "hkTrack", label = "third", parent_indices = { 1, 2 }, number_of_tracks = 3 }
      doc.root.named_variants[4].variant = doc.objects[n + 1]
    end, function(doc)
      local new = doc.root.named_variants[4].variant
      assert.same({ "third", 2, 3 }, { new.label, #new.parent_indices, new.number_of_tracks })
    end)
    changed("plain", function(doc)
      doc.objects:append { class = "hkTrack" }
      doc.root.named_variants[4].variant = doc.objects[4]
      doc.objects:remove(4)
    end, function(doc) assert.is_false(doc.root.named_variants[4].variant) end)
  end)

  it("go from the middle and from the end: pointers to them lead to nothing, DATA stays a multiple of 16", function()
    for i = 2, 3 do
      changed("plain", function(doc) doc.objects:remove(i) end, function(doc, file)
        assert.equal(0, file:section "DATA".size % 8)
        assert.equal(2, #doc.objects)
        assert.equal(i == 3, doc.root.named_variants[1].variant ~= false)
        assert.equal(i == 2, doc.root.named_variants[2].variant ~= false)
      end)
    end
    for i = 2, 60, 7 do changed("many", function(doc) doc.objects:remove(i, i % 3 + 1) end) end
  end)

  it("are not moved, put between others, or taken where the root is", function()
    refused("plain", "a new object can only be appended", function(doc) doc.objects:insert(2, { class = "hkTrack" }) end)
    refused("plain", "the root object cannot be removed", function(doc) doc.objects:remove(1) end)
    refused("plain", "a class is needed", function(doc) doc.objects:append {} end)
  end)

  it("keep their classes", function()
    local doc <close> = open(sample.named "plain")
    local mine, other = lathe.type(doc.objects[2]), lathe.type(doc.objects[1])
    assert.not_equal(mine, other)
    local words = ("it is of class %s and cannot change: append another element"):format(mine)
    refused("plain", words, function(d) d.objects[2] = { class = other } end)
    refused("plain", words, function(d) d.objects[2] = d.objects[1] end)
  end)

  it("stay where their data lie in another, or another's in them", function()
    local words = "data of one object lie in another: serialize() the document first, which separates them"
    refused("apart", words, function(doc) doc.objects:remove(2) end)
    refused("apart", words, function(doc) doc.objects:remove(3) end)
    local reaching = sample.named("plain", { items = function(list) list[14][4] = 14 end })
    refused(reaching, words, function(doc) doc.objects:remove(3) end)
  end)
end)

describe("edits of tagfiles", function()
  it("roll back as a whole", function()
    local bytes = sample.named "nested"
    local doc <close> = open(bytes)
    assert.is_false((pcall(doc.edit, doc, function()
      doc.root.leaves[1].label = "something else"
      doc.root.texts:insert(1, "one more")
      doc.objects:remove(2)
      error "no"
    end)))
    assert.is_true(doc:encode() == bytes)
    sound(doc)
  end)

  it("leave held views where they belong", function()
    local doc <close> = open(sample.named "nested")
    local third, two = doc.root.leaves[3], doc.objects[2]
    doc.root.leaves:remove(1)
    doc.root.texts:insert(1, ("z"):rep(50))
    assert.same({ "l3", "leaves[2]" }, { third.label, lathe.path(third):match "leaves.*" })
    assert.equal("x", two.texts[1])
    doc.objects:remove(2)
    assert.is_false((pcall(function() return two.texts end)))
  end)

  it("say of fields where they are; of what is worked out that it is nowhere", function()
    for _, entry in ipairs(sample.all()) do
      local doc <close> = open(entry.bytes)
      for _, object in ipairs(doc.objects) do
        for _, row in ipairs(lathe.describe(object)) do
          local ok, off, size = pcall(lathe.span, object, row.name)
          if ok then assert(off >= 0 and off + size <= #entry.bytes, entry.name .. "." .. row.name) end
          local value = object[row.name]
          if lathe.type(value) and not row.ref then assert.equal(value, doc:get(lathe.path(value)), row.name) end
        end
      end
      outcome.raises("types is computed: it has no place in the document", function() lathe.span(doc.types) end)
    end
  end)

  it("copy records between files of other types, by their names", function()
    local from <close> = open(sample.named "plain")
    local doc <close> = open(sample.named "other_order")
    doc.objects:append { class = "hkTrack" }
    local to = doc.objects[#doc.objects]
    for _, row in ipairs { "label", "number_of_tracks", "weight", "parent_indices" } do to[row] = from.objects[2][row] end
    assert.same({ "first", 7, 5 }, { to.label, to.number_of_tracks, #to.parent_indices })
    sound(doc)
  end)
end)

describe("tagfiles of the corpus #corpus", function()
  local function each(test)
    for _, name in ipairs(helper.list(helper.need_corpus("tagfile", pending), "%.hkx$")) do
      local bytes = helper.read(helper.corpus "tagfile" .. "/" .. name)
      local doc <close> = open(bytes)
      local ok, err = pcall(test, doc)
      if not ok then error(name .. ": " .. tostring(err), 0) end
      while doc:undo() do end
      assert.is_true(doc:encode() == bytes, name)
    end
  end

  it("lose any object but the root, and get others", function()
    each(function(doc)
      for i = #doc.objects, 2, -math.max(1, #doc.objects // 6) do
        local class = lathe.type(doc.objects[i])
        doc.objects:remove(i)
        sound(doc)
        doc.objects:append { class = class }
        sound(doc)
      end
    end)
  end)

  it("have the names of their variants changed", function()
    each(function(doc)
      for i, variant in ipairs(doc.root.named_variants) do
        variant.name = ("name "):rep(i * 3)
        sound(doc)
      end
      doc.root.named_variants:insert(1, { name = "no variant" })
      sound(doc)
    end)
  end)
end)
