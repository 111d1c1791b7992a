-- What large Phive shapes take: no operation takes longer than n log n, in triangles, sections and rows of materials. Only
-- how time grows is asserted; make bench measures it.
local lathe = require "lathe"

local FEW <const>, TIMES <const> = 8000, 8
local MOST <const> = 1.5 -- exponent: n log n has 1.1 here, a square 2

-- Hills of about n triangles, with so many materials in turn.
local function hills(n, materials)
  local side = math.floor((n / 2) ^ 0.5)
  local positions, indices, of, names = {}, {}, {}, {}
  for i = 0, side do
    for k = 0, side do
      positions[#positions + 1] = { i / 2, (i * 7 + k * 13) % 11 / 4, k / 2 }
    end
  end
  for i = 0, side - 1 do
    for k = 0, side - 1 do
      local a = i * (side + 1) + k
      table.move({ a, a + 1, a + side + 2, a, a + side + 2, a + side + 1 }, 1, 6, #indices + 1, indices)
      of[#of + 1] = (i * side + k) % materials
      of[#of + 1] = of[#of]
    end
  end
  for i = 1, materials do names[i] = 100000 + i end
  return { positions = positions, indices = indices, materials = names, triangle_materials = of }
end

-- The least of some times, in seconds, that a call takes; what it is given is made anew each time.
local function seconds(make, run)
  local best = math.huge
  for _ = 1, 3 do
    local doc <close> = make()
    collectgarbage()
    local from = os.clock()
    run(doc)
    best = math.min(best, os.clock() - from)
  end
  return best
end

describe("large Phive shapes #slow", function()
  local made = {}
  local function open(n, materials)
    local key = n .. " " .. materials
    if not made[key] then
      local mesh = hills(n, materials)
      local doc <close> = assert(lathe.new("bphsh", { mesh = mesh, materials = mesh.materials, variant = "v22" }))
      made[key] = doc:encode()
    end
    return function() return assert(lathe.parse(made[key], { format = "bphsh", history = 2 })) end
  end

  local function grows(run, few, many, times)
    local least, most = seconds(few, run), seconds(many, run)
    -- What is too short to be measured is taken for 10 ms.
    local exponent = math.log(most / math.max(least, 0.01)) / math.log(times)
    assert(exponent < MOST, ("%.3f s, %.3f s: grows with the power %.2f"):format(least, most, exponent))
  end

  local verbs = {
    { "are opened and read", function(doc)
      assert.equal(#doc.triangles, 3 * #doc.triangle_materials)
      assert(#doc.vertices > 0 and #doc.section_bounds > 0)
    end },
    { "are checked", function(doc) assert.is_true(doc:check()) end },
    { "are scaled", function(doc) assert(doc:scale(3)) end },
    { "are moved", function(doc) assert(doc:transform { translation = { 1, 2, 3 } }) end },
    { "get another material", function(doc) assert(doc:set_triangle_materials "Stone") end },
    { "get other names", function(doc) assert(doc:set_materials("1*", "Wood")) end },
    { "are rebuilt", function(doc) assert(doc:set_mesh(doc)) end },
    { "are written anew", function(doc) assert(doc:serialize()) end },
  }
  for _, verb in ipairs(verbs) do
    it(verb[1] .. " in a time that grows with their triangles", function()
      grows(verb[2], open(FEW, 3), open(FEW * TIMES, 3), TIMES)
    end)
  end

  local rows = {
    { "are read", function(doc)
      local n = 0
      for _, row in ipairs(doc.materials) do n = n + #row.triangles + #row.layers end
      assert(n > 0)
    end },
    { "come and go", function(doc)
      local list = doc.tables.materials
      for _ = 1, 10 do
        list:insert(1, {})
        list:remove(1)
      end
    end },
    { "get other names", function(doc) assert(doc:set_materials("1*", "Wood")) end },
    { "are all given to the triangles", function(doc)
      local mesh = doc:meshes { what = "collision" }()
      assert(doc:set_triangle_materials(mesh.materials, { triangle_materials = mesh.triangle_materials }))
    end },
    { "stay when the shape is rebuilt", function(doc) assert(doc:set_mesh(doc)) end },
  }
  for _, verb in ipairs(rows) do
    it("have rows that " .. verb[1] .. " in a time that grows with them", function()
      grows(verb[2], open(FEW * TIMES, 500), open(FEW * TIMES, 4000), 8)
    end)
  end
end)
