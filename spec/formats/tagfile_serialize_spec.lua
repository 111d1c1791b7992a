-- Tagfiles written anew: by doc:serialize(), and from tables and JSON, with the types that these carry.
-- #corpus: pending, loudly, where there is none.

local figures = require "tagfile_figures"
local helper = require "helper"
local judge = require "tagfile_judge"
local lathe = require "lathe"
local reader = require "tagfile_reader"
local sample = require "sample_tagfile"
local tree = require "lathe.tree"

-- Not in the SDK's order.
local OTHER_ORDER <const> = { other_order = true, apart = true }
local EXTERNAL <const> = "PTCH: patches of other files cannot be written anew: how they count is not known"
local RELATIVE <const> = { relative = true, relative_nested = true }

local function open(bytes)
  return assert(lathe.parse(bytes, { path = "made-up.hkx" }))
end

local function made(fields)
  local doc <close> = assert(lathe.new("tagfile", fields))
  return doc:encode()
end

-- What lathe reads of a file is what the plain reader reads; it is good, and in the SDK's order. The judge follows no
-- offsets of fields, nor has he items of what is empty.
local function good(bytes, relative)
  for _, problem in ipairs((judge.problems(bytes))) do
    if not (relative and problem:find "is led to by nothing$") then error(problem) end
  end
  local doc <close> = open(bytes)
  local file = reader.read(bytes)
  figures.values(lathe, doc, file)
  for i, number in ipairs(relative and {} or judge.order(file)) do assert.equal(i, number) end
  assert.is_true(doc:serialize() == bytes)
  return doc:totable()
end

local function refused(fields, message, ...)
  local doc, err = lathe.new("tagfile", fields)
  assert.is_nil(doc)
  assert.equal(message, tostring(err), ...)
end

local function table_of(name)
  local doc <close> = open(sample.named(name))
  return doc:totable()
end

describe("tagfiles of the corpus written anew #corpus", function()
  local function each(test)
    local list = figures.files(pending)
    assert(#list >= 4)
    for _, entry in ipairs(list) do
      local doc <close> = assert(lathe.open(entry.path))
      local ok, err = pcall(test, entry, doc)
      if not ok then error(entry.name .. ": " .. tostring(err), 0) end
    end
  end

  it("are what they were, to the byte", function()
    each(function(entry, doc)
      assert.is_true(doc:serialize() == entry.bytes)
      helper.count("tagfile written anew", entry.name)
    end)
  end)

  it("are made of their tables, to the byte", function()
    each(function(entry, doc)
      local fields = doc:totable()
      assert.is_nil(fields.type_bytes)            -- all that TYPE has follows from the types
      assert.is_true(made(fields) == entry.bytes)
      helper.count("tagfile made of tables", entry.name)
    end)
  end)

  it("are made of their JSON, to the byte", function()
    each(function(entry, doc)
      local fields = assert(tree.from_json(tree.to_json(doc), doc.format))
      assert.is_true(made(fields) == entry.bytes)
    end)
  end)

  it("list their types as the plain reader does", function()
    each(function(entry, doc)
      local file = reader.read(entry.bytes)
      assert.equal(#file.types, #doc.types)
      for id, type in ipairs(file.types) do
        assert.equal(type.name, doc.types[id].name)
        assert.equal(#(type.members or {}), #(doc.types[id].members or {}))
      end
      helper.count("tagfile types listed", entry.name, #doc.types)
    end)
  end)

  it("are in the SDK's order again once they were edited", function()
    each(function(_, doc)
      local list = doc.objects[1].named_variants
      list[1].name = "a longer name than that which was there"
      list[1].class_name = ""
      local anew = doc:serialize()
      assert.same(good(anew), doc:totable())
      assert.is_true(made(doc:totable()) == anew)
    end)
  end)
end)

describe("made-up tagfiles written anew", function()
  it("patch a field once that two members of different types share", function()
    local l = sample.library()
    local list = l:array(l:number "int")
    local root = l:record("Table", 24, { { "numbers", list, 8 }, { "others", l:alias("Others", list), 8 } })
    local bytes = sample.build(l, sample.object(root, { numbers = { 1, 2, 3 } }))
    local doc <close> = open(bytes)
    assert.is_true(doc:serialize() == bytes)
    doc.root.numbers:append(4)
    local anew <close> = open((assert(doc:serialize())))
    assert.same({ 1, 2, 3, 4 }, anew.root.others:totable())
    local ok, found = anew:check()
    assert.is_true(ok)
    assert.equal(2, #found)                      -- warnings: the members overlap, and share an item
  end)

  for _, entry in ipairs(sample.all()) do
    it(entry.name .. ": the values stay, and the order is the SDK's", function()
      local doc <close> = open(entry.bytes)
      if entry.name == "surrounded" then
        local bytes, err = doc:serialize()
        assert.is_nil(bytes)
        assert.matches(EXTERNAL, tostring(err), 1, true)
        return
      end
      local anew = doc:serialize()
      assert.equal(not OTHER_ORDER[entry.name], anew == entry.bytes)
      good(anew, RELATIVE[entry.name])
    end)

    it(entry.name .. ": its table makes it again", function()
      local doc <close> = open(entry.bytes)
      local fields = doc:totable()
      if entry.name == "surrounded" then
        local made_of_it, err = lathe.new("tagfile", fields)
        assert.is_nil(made_of_it)
        assert.matches(EXTERNAL, tostring(err), 1, true)
        return
      end
      local bytes = made(fields)
      assert.is_true(bytes == doc:serialize())
      local again = good(bytes, RELATIVE[entry.name])
      if not OTHER_ORDER[entry.name] then assert.same(fields, again) end -- else objects have other numbers
      local json = assert(tree.from_json(tree.to_json(doc), doc.format))
      assert.is_true(made(json) == bytes)
    end)
  end

  it("lose no bytes that no item tells of", function()
    local size
    local doc <close> = open(sample.named("plain", { payload = { DATA = function(bytes)
      size = #bytes
      return bytes .. ("\0"):rep(17) .. "kept" .. ("\0"):rep(11)
    end } }))
    local bytes, err = doc:serialize()
    assert.is_nil(bytes)
    assert.matches(("DATA: bytes at 0x%x that no item tells of, which serialize() has no place for")
      :format(size + 17), tostring(err), 1, true)
  end)

  it("have no references that share bytes", function()
    local l = sample.library()
    local view = l:view(l:number "ubyte")
    local root = l:record("Root", 16, { { "one", view, 0 }, { "two", view, 4 } })
    local doc <close> = open(require "sample_tagfile_write".build { types = l.types, char = l:number "char",
      sdk = "20210100", no_patches = true, root = { type = root, values = {} },
      payload = { DATA = function() return string.pack("<I4I4I4I4", 16, 12, 4, 0) .. ("\1"):rep(12) .. ("\0"):rep(4) end } })
    local bytes, err = doc:serialize()
    assert.is_nil(bytes)
    assert.equal("DATA: the reference that would be at 0x0 shares bytes with another one", tostring(err))
  end)

  it("come from lists in any order: the root is the first object, the others as they are met", function()
    local fields = table_of "nested"
    assert.equal(2, #fields.objects)
    local function swap(value)
      for key, inner in pairs(type(value) == "table" and value or {}) do
        if (key == "self" or key == "next" or key == "owner") and math.type(inner) then value[key] = 3 - inner end
        if key == "friends" then for i, n in ipairs(inner) do inner[i] = n and 3 - n end end
        swap(inner)
      end
    end
    swap(fields.objects)
    fields.objects[1], fields.objects[2] = fields.objects[2], fields.objects[1]
    local doc <close> = assert(lathe.new("tagfile", fields))
    good(doc:encode())
    assert.equal("x", doc.root.texts[1])
    assert.equal("l1", doc.root.pair.next.leaves[1].label)
  end)

  it("keep objects that nothing leads to", function()
    local fields = table_of "plain"
    local n = #fields.objects
    fields.objects[n + 1] = { class = fields.objects[n].class }
    local doc <close> = assert(lathe.new("tagfile", fields))
    assert.equal(n + 1, #doc.objects)
    assert.equal(n + 1, #open(doc:serialize()).objects)
  end)
end)

describe("types in tables", function()
  it("are rows as any other, and read-only", function()
    local doc <close> = open(sample.named "odd_bodies")
    local odd
    for i, type in ipairs(doc.types) do odd = type.name:find "Odd$" and i or odd end
    local type = doc.types[odd]
    assert.equal(("types[%d].members[2]"):format(odd), lathe.path(type.members[2]))
    assert.equal(type.members[1].name, doc:get(("types[%d].members[1].name"):format(odd)))
    assert.same({ 3, 200, 0 }, { type.members[1].extra, type.members[2].extra, type.members[3].extra })
    assert.same({ 300, 3, "hk.Attributes", 5, 2, 16 }, { type.version, type.flags, type.attribute, type.mutable_info,
      #type.properties, type.interfaces[1].offset })
    assert.has_error(function() type.size = 5 end, ("types[%d].size: read-only: objects are read by it"):format(odd))
    assert.has_error(function() type.members[1].name = "x" end,
      ("types[%d].members[1].name: read-only: objects are read by it"):format(odd))
    assert.equal("hkType", lathe.type(type))
    assert(#lathe.describe(type) > 10)
    assert.is_true(doc:encode() == sample.named "odd_bodies")
  end)

  it("say which of them differ in two files", function()
    local fields = table_of "plain"
    fields.type_bytes = nil
    local one <close> = assert(lathe.new("tagfile", fields))
    fields.types[3].version = 77
    local other <close> = assert(lathe.new("tagfile", fields))
    local found = tree.diff(one, other)
    assert.equal(1, #found)
    assert.equal("types[3].version", found[1].path)
  end)

  it("are taken from another document, where one is given", function()
    local doc <close> = open(sample.named "plain")
    local fields = doc:totable()
    fields.types, fields.type_bytes = doc.types, nil
    assert.is_true(made(fields) == doc:serialize())
  end)

  it("go with the objects of another document", function()
    local doc <close> = open(sample.named "other_order")
    assert.is_true(made { objects = doc.objects } == doc:serialize())
    assert.is_true(made { objects = doc.objects, types = doc.types } == doc:serialize())
    refused({ objects = doc.objects, types = {} },
      "types: objects of another document have its types: tables expected, or none")
  end)

  it("count, where the bytes beside them stand for others", function()
    local fields = table_of "plain"
    assert.is_string(fields.type_bytes)
    fields.types[1].name = "renamedByHand"
    local doc <close> = assert(lathe.new("tagfile", fields))
    assert.equal("renamedByHand", doc.types[1].name)
  end)

  it("may be new: members in other places, another class", function()
    local doc <close> = assert(lathe.new("tagfile", {
      sdk_version = "20150100",
      types = {
        { name = "Root", parent = 0, format = 7, size = 24, alignment = 8,
          members = { { name = "label", flags = 32, offset = 16, type = 2 },
            { name = "list", flags = 32, offset = 0, type = 4 } } },
        { name = "hkStringPtr", parent = 0, format = 3, size = 8, alignment = 8 },
        { name = "char", parent = 0, format = 0x2004, size = 1, alignment = 1, hash = 5 },
        { name = "hkArray", parent = 0, format = 8, sub_type = 5, size = 16, alignment = 8,
          arguments = { { name = "tT", value = 5 } } },
        { name = "int", parent = 0, format = 0x8204, size = 4, alignment = 4 },
      },
      objects = { { class = "Root", label = "hello", list = { 1, -2, 3 } } },
    }))
    assert.same({ "hello", 3, -2 }, { doc.root.label, #doc.root.list, doc.root.list[2] })
    good(doc:encode())
  end)
end)

describe("tables that no tagfile can be made of", function()
  it("lack types, or objects", function()
    refused({}, "types: the types of the file expected, which say what its objects are: as doc:totable() gives them, "
      .. "or another document's")
    local fields = table_of "plain"
    fields.objects = nil
    refused(fields, "objects: a list of objects expected")
    fields.objects = {}
    refused(fields, "objects: no object: the first is the root, which leads to the others")
    fields.objects = { { name = "x" } }
    refused(fields, 'objects[1]: an object expected: { class = "hkaSkeleton", ... }')
  end)

  it("name a class that is none of the types", function()
    local fields = table_of "plain"
    local name = fields.objects[1].class
    fields.objects[1].class = name .. "s"
    refused(fields, ("objects[1]: types have no class '%ss'; did you mean '%s'?"):format(name, name))
  end)

  it("have values that do not fit", function()
    local fields = table_of "nested"
    fields.objects[1].self = 3
    refused(fields, "objects[1].self: no object 3: there are 2")
    fields.objects[1].self = "me"
    refused(fields, "objects[1].self: an object's number or false expected")
    fields.objects[1].self = 1
    fields.objects[1].pair.texts[1] = 5
    refused(fields, "objects[1].pair.texts: a string or false expected")
    fields.objects[1].pair.texts[1] = "a\0b"
    assert.is_nil((lathe.new("tagfile", fields)))
    fields.objects[1].pair.texts[1] = nil
    fields.objects[1].leaves = 7
    refused(fields, "objects[1].leaves: a list expected")
  end)

  it("have types that are none", function()
    local fields = table_of "plain"
    local first = fields.types[1]
    first.name = nil
    refused(fields, "types[1].name: a string expected")
    first.name, first.size = "x", "y"
    refused(fields, "types[1].size: a number expected that is not negative")
    first.size, first.sise = 8, 8
    refused(fields, "types[1]: hkType has no field 'sise'")
    first.sise, first.parent = nil, nil
    refused(fields, "types[1].parent: a type's number or 0 expected: the type has more than a name")
    first.parent = 1 << 33
    refused(fields, "types[1].parent: a number of 32 bits expected")
    fields.types[1] = 3
    refused(fields, "types[1]: a table expected")
  end)

  it("have types of more bytes than are made from a number alone", function()
    local fields = { types = { { name = "Huge", parent = 0, format = 7, size = 1 << 29, alignment = 8, members = {} } },
      objects = { { class = "Huge" } } }
    local doc, err = lathe.new("tagfile", fields)
    assert.is_nil(doc)
    assert.matches("its type says that it takes 536870912 bytes, more than %d+ MiB", tostring(err))
  end)

  it("have a version that is none", function()
    local fields = table_of "plain"
    fields.sdk_version = 2015
    refused(fields, 'sdk_version: a string expected: "20150100"')
  end)
end)
