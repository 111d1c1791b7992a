-- The short form of the growth bench: no operation of its lines grows much faster than the document.

local helper = require "helper"

local BUILD = os.getenv "LATHE_BUILD" or "build"

describe("the cost of an operation #tools", function()
  it("grows no faster than n log n, in time and in bytes asked of malloc", function()
    local r = helper.run("lua5.4 spec/bench/growth.lua --short", { timeout = 600, env = { LATHE_BUILD = BUILD,
      LUA_PATH_5_4 = "scripts/?.lua;scripts/?/init.lua;;", LUA_CPATH_5_4 = BUILD .. "/?.so;;" } })
    assert.equal("", r.err)
    assert.match("%d%d+ lines, 0 grow too fast\n$", r.out)
    assert.equal(0, r.code, r.out)
  end)
end)
