-- Every tagfile of the corpus against its figures, and every value that lathe reads against the plain reader's.
-- #corpus: pending, loudly, where there is none.

local figures = require "tagfile_figures"
local helper = require "helper"
local judge = require "tagfile_judge"
local lathe = require "lathe"
local reader = require "tagfile_reader"

local FILES <const> = 4

-- test(entry, file, doc) for each; doc is lathe's, file the plain reader's.
local function each(test)
  local list = figures.files(pending)
  assert(#list >= FILES)
  for _, entry in ipairs(list) do
    local doc <close> = assert(lathe.open(entry.path))
    local ok, err = pcall(test, entry, reader.read(entry.bytes), doc)
    if not ok then error(entry.name .. ": " .. tostring(err), 0) end
  end
end

describe("the corpus of tagfiles #corpus", function()
  it("has the sections, types, items and patches of the figures", function()
    local types = 0
    each(function(entry, file) types = types + figures.container(entry.wanted, file) end)
    assert(types >= 948, types)
  end)

  it("has the root's values of the figures", function()
    local values = 0
    each(function(entry, file, doc)
      local count = figures.root_of_reader(entry.wanted, file)
      assert.equal(count, figures.root_of_lathe(lathe, entry.wanted, doc))
      values = values + count
    end)
    assert(values >= 527, values)
  end)

  it("is good in the eyes of the plain judge, and in the SDK's order", function()
    each(function(entry, file)
      assert.same({}, (judge.problems(entry.bytes)))
      local order, at = judge.order(file), -1
      assert.equal(#file.items, #order)
      for i, number in ipairs(order) do assert.equal(i, number) end
      for _, number in ipairs(judge.layout(file)) do
        assert(file.items[number].offset > at)
        at = file.items[number].offset
      end
    end)
  end)

  it("is found by what is in it, and kept to the byte", function()
    each(function(entry, file, doc)
      assert.same({ "tagfile", file.sdk }, { doc.format, doc.sdk_version })
      assert.is_true(doc:encode() == entry.bytes)
      helper.count("tagfile", entry.name)
    end)
  end)

  it("has the items and patches", function()
    each(function(_, file, doc) figures.index(doc, file) end)
  end)

  it("has every value of every object", function()
    local values = 0
    each(function(entry, file, doc)
      local count, objects = figures.values(lathe, doc, file)
      values = values + count
      helper.count("tagfile objects", entry.name, objects)
    end)
    assert(values >= 16130, values)
  end)

  it("has every type", function()
    each(function(entry, file, doc)
      helper.count("tagfile types", entry.name, figures.types(doc, file))
    end)
  end)
end)
