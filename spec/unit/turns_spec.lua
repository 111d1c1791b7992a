-- Degrees of rotations at the prompt.

local turns = require "lathe.repl.turns"

-- Turns a vector by a quaternion.
local function turned(q, v)
  local x, y, z, w = table.unpack(q)
  local cx, cy, cz = y * v[3] - z * v[2] + w * v[1], z * v[1] - x * v[3] + w * v[2], x * v[2] - y * v[1] + w * v[3]
  return { v[1] + 2 * (y * cz - z * cy), v[2] + 2 * (z * cx - x * cz), v[3] + 2 * (x * cy - y * cx) }
end

local AXES = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }

-- Turns a vector about the axes x, y and z that stay, one after the other.
local function turned_by(degrees, v)
  for axis = 1, 3 do
    local half = math.rad(degrees[axis]) / 2
    local q = { 0, 0, 0, math.cos(half) }
    q[axis] = math.sin(half)
    v = turned(q, v)
  end
  return v
end

local function assert_same_turn(q, degrees)
  for _, v in ipairs(AXES) do
    local a, b = turned(q, v), turned_by(degrees, v)
    for i = 1, 3 do assert.is_near(a[i], b[i], 1e-5) end
  end
end

describe("turns", function()
  it("gives three turns that make the rotation", function()
    math.randomseed(7)
    for _ = 1, 500 do
      local q, length = {}, 0
      for i = 1, 4 do
        q[i] = math.random() * 2 - 1
        length = length + q[i] ^ 2
      end
      for i = 1, 4 do q[i] = q[i] / math.sqrt(length) end
      assert_same_turn(q, { turns.degrees(table.unpack(q)) })
      local scaled = { turns.degrees(3 * q[1], 3 * q[2], 3 * q[3], 3 * q[4]) }
      assert_same_turn(q, scaled)
    end
  end)

  it("does so where a turn about y is a quarter", function()
    local half = math.sqrt(0.5)
    for _, sign in ipairs { 1, -1 } do
      for angle = -170, 180, 35 do
        local c, s = math.cos(math.rad(angle) / 2), math.sin(math.rad(angle) / 2)
        local q = { half * s, sign * half * c, -sign * half * s, half * c }
        assert_same_turn(q, { turns.degrees(table.unpack(q)) })
      end
    end
  end)

  it("is short, and has no zero with a sign", function()
    assert.same({ "0", "0", "90" }, turns.texts(0, 0, math.sqrt(0.5), math.sqrt(0.5)))
    assert.same({ "0", "0", "0" }, turns.texts(-0.0, 0, -1e-9, 1))
    assert.same({ "-12.4", "0", "0" }, turns.texts(math.sin(math.rad(-6.2)), 0, 0, math.cos(math.rad(-6.2))))
  end)

  it("says that it is no rotation", function()
    assert.same({ "-", "-", "-" }, turns.texts(0, 0, 0, 0))
    assert.same({ "-", "-", "-" }, turns.texts(0 / 0, 0, 0, 1))
    assert.same({ "-", "-", "-" }, turns.texts(math.huge, 0, 0, 1))
  end)
end)
