-- Checks of pointers between packfile objects, and tests on the packfiles of animations of the corpus: pointers lead to
-- objects of the member's class, all objects are described, and Skyrim's files convert to the other game and back.

local helper = require "helper"
local lathe = require "lathe"
local pieces = require "hkx_pieces"

local function graph()
  local doc <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = {
    { class = "hkRootLevelContainer",
      named_variants = { { name = "graph", class_name = "hkbBehaviorGraph", variant = 2 } } },
    { class = "hkbBehaviorGraph", name = "graph", root_generator = 3, data = 6 },
    { class = "hkbStateMachine", name = "machine", states = { 4 } },
    { class = "hkbStateMachineStateInfo", name = "state", generator = 5 },
    { class = "hkbClipGenerator", name = "clip", animation_name = "walk.hkx" },
    { class = "hkbBehaviorGraphData", string_data = 7 },
    { class = "hkbBehaviorGraphStringData" },
  } }))
  return doc:encode()
end

-- The findings on the file whose pointer to `from` leads to `to` instead: numbers of objects.
local function pointing(bytes, from, to)
  local p = pieces.split(bytes)
  local old, new = p.virtuals[from][1], p.virtuals[to][1]
  for _, row in ipairs(p.globals) do
    if row[3] == old then row[3] = new end
  end
  local doc <close> = assert(lathe.parse(pieces.join(p)))
  local said = {}
  for _, finding in ipairs(select(2, doc:check())) do
    said[#said + 1] = ("%s %s: %s"):format(finding.level, finding.where, finding.message)
  end
  return said
end

describe("pointers to objects", function()
  it("lead to objects of the member's class, or of one derived from it", function()
    local bytes = graph()
    assert.same({}, pointing(bytes, 5, 5))
    assert.same({}, pointing(bytes, 3, 5)) -- a clip is a generator, too
    assert.same({ "warning objects[4].generator: hkbGenerator expected, " ..
      "object 4 is of class hkbStateMachineStateInfo" }, pointing(bytes, 5, 4))
    assert.same({ "warning objects[3].states[1]: hkbStateMachineStateInfo expected, " ..
      "object 5 is of class hkbClipGenerator" }, pointing(bytes, 4, 5))
    assert.same({ "warning objects[2].root_generator: hkbGenerator expected, " ..
      "object 1 is of class hkRootLevelContainer (hkbBehaviorGraph)" }, pointing(bytes, 3, 1))
  end)
end)

-- ---- the corpus -----------------------------------------------------------------------------------------

local GAMES = { ["skyrim-le"] = "skyrim-se", ["skyrim-se"] = "skyrim-le", fo4 = false }

-- fn(doc, path, other game) for every packfile and XML file of corpus/hkx.
local function each(fn)
  local root = helper.need_corpus("hkx", pending)
  local n = 0
  for game, other in pairs(GAMES) do
    for _, name in ipairs(root and helper.list(root .. "/" .. game, "%.hkx$") or {}) do
      local path = ("%s/%s/%s"):format(root, game, name)
      local doc <close> = assert(lathe.open(path))
      fn(doc, path, other)
      n = n + 1
    end
  end
  return n
end

describe("packfiles of animations of the corpus #corpus", function()
  it("have no object that is not described", function()
    assert.equal(17, each(function(doc, path)
      for i, object in ipairs(doc.objects) do
        assert.is_nil(lathe.problem(object), ("%s: object %d"):format(path, i))
        assert.is_nil(object:totable().bytes, path)
      end
    end))
  end)

  it("have no pointer to an object of another class", function()
    each(function(doc, path)
      for _, finding in ipairs(select(2, doc:check())) do
        assert.falsy(finding.message:find("expected, object", 1, true), path .. ": " .. finding.message)
      end
    end)
  end)

  it("go to the other game and come back to the byte", function()
    local n = 0
    each(function(doc, path, other)
      if not other or doc.container == "xml" then return end
      local there <close> = assert(lathe.parse(assert(doc:serialize { game = other })))
      local game = other == "skyrim-se" and "skyrim-le" or "skyrim-se"
      assert.is_true(helper.read(path) == assert(there:serialize { game = game }), path)
      n = n + 1
    end)
    assert.equal(11, n)
  end)
end)
