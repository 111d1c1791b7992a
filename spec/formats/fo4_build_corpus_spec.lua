-- doc:set_collision on the corpus: each shape of the games' files built again of what it is made of. #corpus

local check = require "fo4_collision_check"
local fo4 = require "fo4_collision"
local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_collision"

local FOLDER, UNIT = "nif-fo4-collision", fo4.UNIT

local function near(want, got, by, what)
  assert.is_true(math.abs(want - got) <= by, ("%s: %.9g, not %.9g"):format(what, got, want))
end

-- Calls visit(shape, file, its object) for each shape of that class.
local function each_shape(path, class, visit)
  local n = 0
  for _, file in ipairs(helper.list(path, "%.nif$")) do
    local doc <close> = assert(lathe.open(path .. "/" .. file))
    for _, block in ipairs(doc.blocks) do
      if block.type == "bhkPhysicsSystem" or block.type == "bhkRagdollSystem" then
        for _, shape in ipairs(fo4.read(lathe.bytes(block.system)).shapes) do
          if shape.class == class then
            visit(shape, file)
            n = n + 1
          end
        end
      end
    end
  end
  return n
end

local function maker()
  local cube = require("sample_hknp").box { half = { 1, 1, 1 } }
  local doc = assert(lathe.parse(sample.nif({ { name = "Root", body = 0 } }, sample.system { { shape = cube } })))
  return function(options)
    assert(doc:set_collision(nil, options))
    for _, block in ipairs(doc.blocks) do
      if block.type == "bhkPhysicsSystem" then
        local system = fo4.read(lathe.bytes(block.system))
        assert.same({}, check.system(system))
        return system.bodies[1].shape
      end
    end
  end
end

local function in_game_units(vertices, n)
  local list = {}
  for i = 1, n or #vertices do
    for k = 1, 3 do list[#list + 1] = vertices[i][k] * UNIT end
  end
  return list
end

-- Whether it is a box along the axes.
local function is_box(shape)
  if shape.real_vertices ~= 8 or #shape.faces ~= 6 then return false end
  local low, high = fo4.bounds(shape.vertices)
  for _, v in ipairs(shape.vertices) do
    for k = 1, 3 do
      if math.min(math.abs(v[k] - low[k]), math.abs(v[k] - high[k])) > 1e-6 then return false end
    end
  end
  return true
end

describe("set_collision of the games' shapes #corpus", function()
  it("weighs boxes and hulls as they do", function()
    local path = helper.need_corpus(FOLDER, pending)
    if not path then return end
    local make, boxes, other = maker(), 0, 0
    local n = each_shape(path, "hknpConvexPolytopeShape", function(shape, file)
      local box = is_box(shape)
      local built = make { kind = box and "box" or "hull", convex_radius = shape.radius * UNIT, material = shape.material,
        mesh = in_game_units(shape.vertices, shape.real_vertices) }
      local low, high = fo4.bounds(shape.vertices)
      local new_low, new_high = fo4.bounds(built.vertices)
      for k = 1, 3 do
        near(low[k], new_low[k], 1e-6, file)
        near(high[k], new_high[k], 1e-6, file)
      end
      assert.equal(shape.material, built.material)
      near(shape.radius, built.radius, 1e-8, file)
      if math.abs(built.mass.volume / shape.mass.volume - 1) > 4e-4 then
        other = other + 1                                       -- five thin ones: core/havok/physics/README.md
        assert.equal("WorkstationArmorB01.nif", file)
        return
      end
      -- Packed numbers have 15 bits for the largest of the three.
      local step = math.max(table.unpack(shape.mass.inertia)) * 1e-4
      for k = 1, 3 do near(shape.mass.inertia[k], built.mass.inertia[k], 5 * step, file) end
      if not box then return end
      boxes = boxes + 1
      near(shape.mass.volume, built.mass.volume, shape.mass.volume * 4e-6, file)
      for k = 1, 3 do near(shape.mass.center_of_mass[k], built.mass.center_of_mass[k], 1e-3, file) end
      assert.equal(table.concat(shape.indices, " "), table.concat(built.indices, " "))
    end)
    assert.same({ 94, 68, 5 }, { n, boxes, other })
  end)

  it("makes meshes of their triangles again", function()
    local path = helper.need_corpus(FOLDER, pending)
    if not path then return end
    local make = maker()
    local n = each_shape(path, "hknpCompressedMeshShape", function(shape, file)
      local points, triangles = fo4.geometry(shape)
      local indices, ids, count = {}, {}, {}
      for i, t in ipairs(triangles) do
        for k = 1, 3 do indices[#indices + 1] = t[k] - 1 end
        ids[i] = ("0x%08X"):format(t.material)
        count[t.material] = (count[t.material] or 0) + 1
      end
      local built = make { kind = "mesh", layer = triangles[1].filter & 0x7F,
        mesh = { positions = in_game_units(points), indices = indices, materials = ids } }
      local new_points, new_triangles = fo4.geometry(built)
      assert.equal(#triangles, #new_triangles, file)
      for _, t in ipairs(new_triangles) do count[t.material] = (count[t.material] or 0) - 1 end
      for id, left in pairs(count) do assert.equal(0, left, ("%s: %08X"):format(file, id)) end
      local low, high = fo4.bounds(points)
      local new_low, new_high = fo4.bounds(new_points)
      for k = 1, 3 do
        local step = (high[k] - low[k]) / 1023
        near(low[k], new_low[k], step, file)
        near(high[k], new_high[k], step, file)
      end
    end)
    assert.equal(22, n)
  end)

  it("makes spheres and capsules again", function()
    local path = helper.need_corpus(FOLDER, pending)
    if not path then return end
    local make = maker()
    assert.equal(60, each_shape(path, "hknpCapsuleShape", function(shape, file)
      local ends = { in_game_units({ shape.a }), in_game_units({ shape.b }) }
      local built = make { kind = "capsule", a = ends[1], b = ends[2], radius = shape.radius * UNIT }
      for k = 1, 3 do
        near(shape.a[k], built.a[k], 1e-6, file)
        near(shape.b[k], built.b[k], 1e-6, file)
      end
      near(shape.radius, built.radius, 1e-7, file)
      assert.equal(table.concat(shape.indices, " "), table.concat(built.indices, " "))
      assert.equal(shape.size, built.size)
    end))
    assert.equal(2, each_shape(path, "hknpSphereShape", function(shape, file)
      local built = make { kind = "sphere", center = in_game_units({ shape.center }), radius = shape.radius * UNIT }
      near(shape.radius, built.radius, 1e-7, file)
      for k = 1, 3 do near(shape.center[k], built.center[k], 1e-6, file) end
    end))
  end)

  it("replaces every body of every file, and takes it back", function()
    local path = helper.need_corpus(FOLDER, pending)
    if not path then return end
    local replaced, held = 0, 0
    for _, file in ipairs(helper.list(path, "%.nif$")) do
      local doc <close> = assert(lathe.open(path .. "/" .. file, { history = 4 }))
      local before, nodes = doc:encode(), {}
      for _, block in ipairs(doc.blocks) do
        if block.type == "bhkNPCollisionObject" then nodes[#nodes + 1] = block.target end
      end
      for i, node in ipairs(nodes) do
        if i > 8 then break end
        local report, err = doc:set_collision(node, { kind = "box", size = 10 })
        if report then
          replaced = replaced + 1
          assert.equal(node, node.collision_object.target)
          assert.equal(1, #fo4.read(lathe.bytes(node.collision_object.data.system)).bodies)
          local again <close> = assert(lathe.parse(doc:encode()))
          for _, block in ipairs(again.blocks) do
            if block.type == "bhkPhysicsSystem" then
              assert.same({}, check.system(fo4.read(lathe.bytes(block.system)), { vanilla = true }))
            end
          end
          doc:undo()
        else
          held = held + 1
          assert.is_truthy(err.message:find("a body of a ragdoll", 1, true)
            or err.message:find("it holds the body that is to be replaced", 1, true), err.message)
        end
        assert.is_true(before == doc:encode())
      end
    end
    assert.same({ 58, 24 }, { replaced, held })
  end)
end)
