-- File names.

local helper = require "helper"
local lfs = require "lfs"
local paths = require "lathe.paths"

describe("paths", function()
  it("takes names apart", function()
    assert.equal("a/b", paths.folder "a/b/c.solid")
    assert.equal(".", paths.folder "c.solid")
    assert.equal("/", paths.folder "/c.solid")
    assert.equal("c.solid", paths.base "a/b/c.solid")
    assert.equal("b", paths.base "a/b/")
    assert.equal("solid", paths.extension "a.b/c.SOLID")
    assert.equal("", paths.extension "a.b/c")
    assert.equal("", paths.extension ".hidden")
    assert.equal("bak", paths.extension "c.solid.bak")
  end)

  it("joins", function()
    assert.equal("a/b", paths.join("a", "b"))
    assert.equal("a/b", paths.join("a/", "b"))
    assert.equal("/b", paths.join("/", "b"))
    assert.equal("b", paths.join(".", "b"))
  end)

  it("makes absolute by the text alone", function()
    local here = lfs.currentdir()
    assert.equal(here .. "/x", paths.absolute "x")
    assert.equal(here .. "/y", paths.absolute "./x/../y")
    assert.equal("/a/c", paths.absolute "/a//b/../c/.")
    assert.equal("/", paths.absolute "/../..")
  end)

  it("resolves links, and `..` behind them as the system does", function()
    local dir = paths.real(helper.tmpdir())
    lfs.mkdir(dir .. "/deep")
    lfs.mkdir(dir .. "/deep/er")
    assert(lfs.link("deep/er", dir .. "/short", true))
    assert(lfs.link(dir .. "/deep", dir .. "/absolute", true))
    assert.equal(dir .. "/deep/er/x", paths.real(dir .. "/short/x"))
    assert.equal(dir .. "/deep/x", paths.real(dir .. "/short/../x"))
    assert.equal(dir .. "/x", paths.real(dir .. "/absolute/../x"))
    assert.equal(dir .. "/none/x", paths.real(dir .. "/none/x"))
    assert.equal("/", paths.real "/")
  end)

  it("refuses loops and zero bytes", function()
    local dir = helper.tmpdir()
    assert(lfs.link("b", dir .. "/a", true))
    assert(lfs.link("a", dir .. "/b", true))
    assert.is_nil((paths.real(dir .. "/a")))
    assert.is_nil((paths.real "a\0b"))
  end)

  it("tells what compressed files hold", function()
    for path, want in pairs { ["a.nif"] = { "", "nif", "a" }, ["a/b.c.NIF.zs"] = { ".zs", "nif", "a/b.c" },
      ["a.nif.ZST"] = { ".ZST", "nif", "a" }, ["a.zs"] = { ".zs", "", "a" }, [".zs"] = { "", "", "" },
      ["a.zs/b.nif"] = { "", "nif", "a.zs/b" }, ["a.zs/b"] = { "", "", "a.zs/b" }, ["a.zsx"] = { "", "zsx", "a" } } do
      assert.same(want, { paths.compression(path), paths.kind(path), paths.with_extension(path) }, path)
    end
    assert.equal("a/b.psg.zs", paths.with_extension("a/b.csg.zs", "psg"))
    assert.equal("a/b.psg", paths.with_extension("a/b.csg", "psg"))
  end)

  it("compares", function()
    assert.is_true(paths.below("/a/b", "/a"))
    assert.is_true(paths.below("/a", "/a"))
    assert.is_true(paths.below("/a", "/"))
    assert.is_false(paths.below("/ab", "/a"))
    assert.equal("/a", paths.common { "/a/b/c", "/a/bc", "/a/b" })
    assert.equal("/", paths.common { "/a", "/b" })
    assert.equal("/a/b", paths.common { "/a/b" })
  end)

  it("makes folders", function()
    local dir = helper.tmpdir()
    assert.is_true(paths.make(dir .. "/x/y/z"))
    assert.equal("directory", lfs.attributes(dir .. "/x/y/z", "mode"))
    assert.is_true(paths.make(dir .. "/x/y/z"))
    helper.write(dir .. "/file", "")
    local ok, why = paths.make(dir .. "/file/x")
    assert.is_nil(ok)
    assert.matches("cannot make folder", why)
  end)
end)
