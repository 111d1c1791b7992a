-- Every packfile of the corpus against its figures, and its clips at every frame against the plain evaluator.
-- #corpus: pending, loudly, where there is none.

local figures = require "hkx_figures"
local helper = require "helper"
local lathe = require "lathe"

local function each(test, kind)
  return figures.each(lathe, pending, test, kind)
end

describe("the corpus of .hkx #corpus", function()
  it("is kept to the byte", function()
    assert.equal(16, each(figures.keeps))
  end)

  it("is the same when written from scratch", function()
    assert.equal(16, each(figures.serializes))
  end)

  -- Packfiles that serialize() writes otherwise, on purpose: core/havok/README.md has the reasons.
  local OTHERWISE = { ["fo4/floaterproject.hkx"] = 0x1C8 }

  it("is the same when written from scratch: behaviours, too, with known exceptions", function()
    local root, compared = helper.need_corpus("hkx-behavior", pending), 0
    for _, game in ipairs { "fo4", "skyrim-le", "skyrim-se" } do
      for _, name in ipairs(helper.list(root .. "/" .. game, "%.hkx$")) do
        local path = game .. "/" .. name
        local doc <close> = assert(lathe.open(root .. "/" .. path))
        local bytes, anew = doc:encode(), assert(doc:serialize())
        assert.is_true(helper.read(root .. "/" .. path) == bytes, path)
        local first = OTHERWISE[path] or #bytes
        assert.is_true(bytes:sub(1, first) == anew:sub(1, first), path)
        assert.equal(OTHERWISE[path] == nil, bytes == anew, path)
        local built <close> = assert(lathe.new("hkx", doc:totable()))
        assert.is_true(anew == built:encode(), path)
        compared = compared + 1
      end
    end
    assert.equal(30, compared)
  end)

  it("has the header, sections, classes and objects of the figures", function()
    each(function(...)
      figures.packfile(...)
      local entry = select(4, ...)
      helper.count("hkx", entry.name)
    end)
  end)

  it("has their skeletons", function()
    assert.equal(4 + 1, each(figures.skeletons, "skeleton"))
  end)

  it("has their clips and bindings", function()
    assert.equal(10, each(figures.animation, "animation"))
  end)

  it("moves as they say", function()
    each(figures.samples, "animation")
  end)

  it("moves as the reference says at every frame", function()
    local compared = 0
    each(function(_, doc) compared = compared + figures.every_frame(lathe, doc, 7) end, "animation")
    assert(compared > 50000, compared)
  end)

  it("is found healthy by check()", function()
    each(function(_, doc)
      local ok, findings = doc:check()
      assert.same({ true, {} }, { ok, findings })
    end)
  end)

  it("has the same skeletons for either Skyrim", function()
    local folder = helper.need_corpus("hkx", pending)
    local le <close> = assert(lathe.open(folder .. "/skyrim-le/skeleton.hkx"))
    local se <close> = assert(lathe.open(folder .. "/skyrim-se/skeleton.hkx"))
    assert.same({ 4, 8 }, { le.pointer_size, se.pointer_size })
    assert.equal(2, #le.skeletons)
    for i, skeleton in ipairs(le.skeletons) do
      assert.same({ skeleton.name, lathe.totable(skeleton.bones) },
        { se.skeletons[i].name, lathe.totable(se.skeletons[i].bones) })
    end
    for i, object in ipairs(figures.objects_of(lathe, le, "hkaSkeleton")) do
      assert.same(object:totable(), figures.objects_of(lathe, se, "hkaSkeleton")[i]:totable())
    end
  end)

  it("has a packfile in XML, which opens as the others do", function()
    local _, xml = figures.files(pending)
    assert.equal(1, #xml)
    for _, entry in ipairs(xml) do
      local doc <close> = assert(lathe.open(entry.path))
      assert.same({ "xml", 4, true }, { doc.container, #doc.objects, doc:encode() == helper.read(entry.path) })
      assert.equal("TailBone01", doc.skeletons[1].bones[1].name)
      assert.is_true(doc:check())
    end
  end)
end)
