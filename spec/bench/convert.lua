-- What converting precombined meshes costs: 10,000 objects into a packed geometry file of 40,000 rows, all of which have
-- the same counts; half of the objects are there already. And the way back.

local lathe = require "lathe"

local ROWS <const>, OBJECTS <const>, VERTICES <const>, IN_A_BLOCK <const> = 40000, 10000, 24, 1000

-- An object with one instance; what is said of places does not matter here.
local function object(seed)
  local parts = { ("<I4I4I4I4I4I4I4I4I4"):pack(VERTICES, 3, VERTICES - 2, 0, 0, 0, 0, 0, 1), ("\0"):rep(72),
    ("<I8"):pack(0x0001B00000430205) }
  for i = 1, VERTICES do parts[#parts + 1] = ("<I4I4I4I4I4"):pack(seed, i, 0, i * 77, i * 31) end
  for i = 1, VERTICES - 2 do parts[#parts + 1] = ("<I2I2I2"):pack(0, i, i + 1) end
  return table.concat(parts)
end

local function file(first, count)
  local blocks = {}
  for at = first, first + count - 1, IN_A_BLOCK do
    local parts = { ("<i4I8I4I4ffI4"):pack(-1, 0x0041B00000650407, IN_A_BLOCK * VERTICES, IN_A_BLOCK * (VERTICES - 2),
      0, 0, IN_A_BLOCK) }
    for i = 0, IN_A_BLOCK - 1 do parts[i + 2] = object(at + i) end
    blocks[#blocks + 1] = { type = "BSPackedCombinedGeomDataExtra", bytes = table.concat(parts) }
  end
  return assert(lathe.new("nif", { bs_version = 130, blocks = blocks })):encode()
end

local function timed(what, fn)
  local start = os.clock()
  fn()
  print(("  %-52s %10.2f s"):format(what, os.clock() - start))
end

local store = assert(lathe.new("geometry", { rows = {} }, { path = "Bench - Geometry.csg" }))
local all = assert(lathe.parse(file(0, ROWS)))
timed("40,000 objects to an empty geometry file", function() assert(all:convert { to = "shared", into = store }) end)
assert(#store.rows == ROWS)
all:close()
local first = assert(store:encode())
store:close()
store = assert(lathe.parse(first, { path = "Bench - Geometry.csg" }))
local made = file(ROWS - OBJECTS // 2, OBJECTS)
local some = assert(lathe.parse(made))
timed("10,000 objects to one of 40,000 rows", function() assert(some:convert { to = "shared", into = store }) end)
assert(#store.rows == ROWS + OBJECTS // 2)
timed("the way back", function() assert(some:convert "inline") end)
assert(some:encode() == made)
