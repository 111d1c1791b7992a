-- --geometry [HASH=]PATH: what it means.

local geometry = require "lathe.cli.geometry"
local opening = require "lathe.cli.opening"

describe("the option --geometry", function()
  it("takes paths, and with a hash a path for that name", function()
    assert.is_nil(geometry.places(nil))
    assert.is_nil(geometry.places {})
    assert.same({ "a.csg", "b/", [0xDDF19A67] = "c=d.psg" },
      geometry.places { "a.csg", "0xDDF19A67=c=d.psg", "b/" })
    for _, value in ipairs { "DDF19A67=x", "0xddf19a67=x", "3723598439=x" } do
      assert.same({ [0xDDF19A67] = "x" }, geometry.places { value }, value)
    end
    assert.same({ [0xAB] = "x" }, geometry.places { "0xAB=x" })
    for _, value in ipairs { "a=b", "0x1DDF19A67=x", "9999999999=x", "=x", "AB=x", "0x=x", "DDF19A67=" } do
      assert.same({ value }, geometry.places { value }, value)
    end
    assert.same({ "a", "b" }, geometry.paths { "0xAB=a", "b" })
  end)

  it("is taken out of the files for the prompt, as --dictionary is", function()
    assert.same({ { "a.nif", "b.nif" }, { geometry = { "x", "0xAB=y" }, chunks = {} } },
      { opening.take { "--geometry", "x", "a.nif", "--geometry=0xAB=y", "b.nif" } })
    assert.same({ { "a.nif" }, { geometry = {}, chunks = {}, dictionary = "d" } },
      { opening.take { "--dictionary", "d", "a.nif" } })
    assert.same({ {}, { geometry = {}, chunks = {}, dictionary = "d=e" } }, { opening.take { "--dictionary=d=e" } })
    assert.same({ [2] = "option '--geometry' requires an argument" }, { opening.take { "a.nif", "--geometry" } })
    assert.same({ [2] = "option '--dictionary' requires an argument" }, { opening.take { "--dictionary" } })
    assert.is_true(opening.begins "--geometry=a" and opening.begins "--dictionary")
    assert.is_false(opening.begins "--dictionar" or opening.begins "--json")
  end)
end)
