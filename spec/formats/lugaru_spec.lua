-- All models of the game that Debian ships (package lugaru-data).

local checks = require "format_checks"
local helper = require "helper"
local lathe = require "lathe"

local FOLDER = "/usr/share/games/lugaru/Models"

describe("the 37 models of lugaru-data", function()
  local function models(test)
    if not helper.exists(FOLDER) then return pending("NOT TESTED: no package lugaru-data here") end
    local names = helper.list(FOLDER, "%.solid$")
    assert.equal(37, #names)
    for _, name in ipairs(names) do
      local path = FOLDER .. "/" .. name
      local doc <close> = assert(lathe.open(path))
      test(doc, helper.read(path), name)
    end
  end

  it("pass check without a finding", function()
    models(function(doc, _, name)
      local fine, list = doc:check()
      assert.is_true(fine, name)
      assert.same({}, list, name)
    end)
  end)

  it("come back as they were: encode and new(totable())", function()
    models(function(doc, file)
      assert.equal(file, doc:encode())
      checks.round_trip("solid", file)
      assert.equal("solid", doc.format)
    end)
  end)

  it("come back from scale 2 and scale 0.5", function()
    models(function(doc, file, name)
      assert.equal(#doc.vertices, doc:scale(2).changed)
      assert.not_equal(file, doc:encode())
      assert.equal(2 * lathe.parse(file).vertices[1].x, doc.vertices[1].x, name)
      doc:scale(0.5)
      assert.equal(file, doc:encode(), name)
    end)
  end)

  it("survive damage", function()
    if not helper.exists(FOLDER) then return pending("NOT TESTED: no package lugaru-data here") end
    local damage = require "format_damage"
    local file = helper.read(FOLDER .. "/Eye.solid")
    damage.flips("solid", file, 200, 7)
    for _, n in ipairs { 0, 1, 2, 3, 4, 5, #file // 2, #file - 1 } do
      assert.is_false(damage.judge("solid", file:sub(1, n), "prefix"))
    end
  end)
end)
