-- "did you mean …?"

local spelling = require "lathe.spelling"

describe("spelling", function()
  local names = { "check", "dump", "info", "scale", "set", "get" }

  it("finds the nearest name", function()
    assert.equal("check", spelling.nearest("chekc", names))
    assert.equal("scale", spelling.nearest("scales", names))
    assert.equal("info", spelling.nearest("inf", names))
    assert.equal("set", spelling.nearest("est", names))
  end)

  it("offers nothing far away", function()
    assert.is_nil(spelling.nearest("convert", names))
    assert.is_nil(spelling.nearest("", names))
    assert.equal("", spelling.hint("xyz", names))
    assert.equal("; did you mean 'dump'?", spelling.hint("dmup", names))
  end)
end)
