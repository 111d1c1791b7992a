-- Of an .obj only the faces count.

local obj = require "lathe.obj"

describe("an .obj", function()
  it("has three corners a triangle", function()
    assert.equal(0, obj.corners "")
    assert.equal(3, obj.corners "v 0 0 0\nvt 0 0\nf 1/1/1 2/2/2 3/3/3\n# f 1 2 3\nvf 1 2 3")
    assert.equal(9, obj.corners "f 1 2 3\r\nf 1 2 3 4\r\n")
    assert.equal(9, obj.corners "f 1 2 \\\n 3 4 5")
    assert.equal(6, obj.corners "  f -1 -2 -3\n\tf 1 2 3")
  end)

  it("is refused where a face is none", function()
    local n, why = obj.corners "f 1 2 3\nf 1 2\n"
    assert.is_nil(n)
    assert.equal("line 2: a face of 2 corners", why)
  end)
end)
