-- The short form of the growth bench: no operation of its lines grows much faster than the document.

local helper = require "helper"

describe("the cost of an operation #tools", function()
  it("grows no faster than n log n, in time and in bytes asked of malloc", function()
    local r = helper.shell "lua5.4 spec/bench/growth.lua --short"
    assert.equal(0, r.code, r.out .. r.err)
    assert.match("%d+ lines, 0 grow too fast\n$", r.out)
  end)
end)
