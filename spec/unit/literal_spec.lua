-- Values as people type them.

local helper = require "helper"
local lathe = require "lathe"
local literal = require "lathe.cli.verbs.literal"
local write_fixtures = dofile "spec/cli/fixtures.lua"

describe("literal", function()
  local vector

  setup(function()
    local folder = helper.tmpdir()
    write_fixtures(folder)
    vector = assert(lathe.open(folder .. "/tri.solid")).vertices[1]
  end)

  it("reads numbers where a number stands", function()
    assert.equal(2.5, literal.read("2.5", 1.0))
    assert.equal(16, literal.read("0x10", 1))
    assert.equal("integer", math.type(literal.read("7", 1)))
    assert.equal(math.huge, literal.read("inf", 1.0))
    assert.equal(-math.huge, literal.read("-inf", 1.0))
    local nan = literal.read("nan", 1.0)
    assert.is_true(nan ~= nan)
    local value, why = literal.read("many", 1)
    assert.is_nil(value)
    assert.equal("'many' is not a number", why)
  end)

  it("reads names where an enumeration stands", function()
    assert.equal("capsule", literal.read("capsule", 1, { enum = true }))
    assert.equal("capsule", literal.read("capsule", "box", { enum = true }))
  end)

  it("reads numbers where a reference stands", function()
    assert.equal(2, literal.read("2", false, { ref = true, kind = "record" }))
    assert.equal(2, literal.read("2", vector, { ref = true, kind = "record" }))
    assert.is_nil((literal.read("head", false, { ref = true, kind = "record" })))
  end)

  it("reads names or numbers where flags stand", function()
    local row = { flags = true, kind = "integer" }
    assert.equal(3, literal.read("3", 1, row))
    assert.equal("loud", literal.read("loud", 1, row))
    assert.same({ "loud", "big" }, literal.read("{loud, 'big'}", 1, row))
  end)

  it("reads text in quotes", function()
    assert.equal("12", literal.read("'12'", "head"))
    assert.equal("head", literal.read('"head"', nil, { kind = "string" }))
    assert.equal("\0\n", literal.read([["\0\n"]], ""))
  end)

  it("takes text as it is", function()
    assert.equal("true", literal.read("true", "head"))
    assert.equal("12", literal.read("12", "head"))
    assert.equal(" {x} ", literal.read(" {x} ", ""))
  end)

  it("reads booleans", function()
    assert.is_true(literal.read("true", false))
    assert.is_false(literal.read("false", true))
    assert.is_nil((literal.read("yes", true)))
  end)

  it("reads lists and fields, as Lua or JSON", function()
    assert.same({ 1, 2, 3 }, literal.read("{1, 2, 3}", vector))
    assert.same({ 1, 2, 3 }, literal.read("[1, 2, 3]", vector))
    assert.same({ x = 1 }, literal.read("{x=1}", vector))
    assert.same({ x = 1 }, literal.read('{"x": 1}', vector))
    assert.is_nil((literal.read("5", vector)))
  end)

  it("runs nothing", function()
    for _, source in ipairs { "{os.exit(1)}", "{(function() end)()}", "{} os.exit(1)", "os" } do
      assert.is_nil((literal.read(source, vector)))
    end
  end)
end)
