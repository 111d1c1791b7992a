-- Volumes of .fzx as bodies and as meshes of collision.

local lathe = require "lathe"

local function volumes(objects)
  return assert(lathe.new("fzx", { objects = objects }))
end

local function meshes(doc, left_out)
  local list = {}
  for mesh in doc:meshes { what = "collision", left_out = left_out } do list[#list + 1] = mesh end
  return list
end

local function bounds(mesh)
  local low, high = mesh.positions:bounds()
  local sides = {}
  for i = 1, 3 do sides[i] = { low[i], high[i] } end
  return sides
end

local TURNED <const> = { w = 0, x = 0, y = 0, z = 1 }

describe("volumes of fzx", function()
  it("are bodies", function()
    local doc <close> = volumes { { label = "Head Sphere" }, { label = "L Foot Box M" } }
    assert.equal(2, #doc.bodies)
    assert.equal(doc.objects[2], doc.bodies[2])
    assert.same({ "L Foot Box M", "dynamic", "box" }, { doc.bodies[2].name, doc.bodies[2].motion, doc.bodies[2].shape })
    assert.has_error(function() doc.bodies[1].motion = "static" end)
    doc.bodies[1].label = "Head Box"
    assert.equal("Head Box", doc.bodies[1].name)
    assert.has_error(function() doc.bodies[1].name = "x" end)
    doc.objects:remove(1)
    assert.equal(1, #doc.bodies)
    assert.is_nil(doc.bodies[2])
    local can = doc:describe() and lathe.formats()
    for _, format in ipairs(can) do
      if format.name == "fzx" then assert.is_true(format.can.bodies) end
    end
  end)

  it("are found by a path", function()
    local doc <close> = volumes { { label = "Head Sphere" }, { label = "Hip Box" } }
    assert.equal("box", doc:get "bodies[2].shape")
    assert.equal(doc.objects[2], doc:get "bodies[2]")
    assert(doc:set("bodies[2].scale.x", 3))
    assert.equal(3, doc.objects[2].scale.x)
    local none, why = doc:get "bodies[3]"
    assert.same({ true, "no bodies[3]: there are 2, from 1" }, { none == nil, why.message })
    assert.is_nil((doc:get "bodies"))
    assert.is_nil((doc:get "bodies[0]"))
    assert.is_nil((doc:get "bodies[1"))
    assert.is_nil((doc:get "animations[1]"))
  end)

  it("are meshes: boxes, capsules, ellipsoids", function()
    local doc <close> = volumes {
      { label = "Chest Box", scale = { 1, 2, 3 }, location = { 10, 20, 30 }, rotation = TURNED },
      { label = "L Thigh Capsule", scale = { 0.5, 9, 2 } },
      { label = "Head Sphere", scale = { 1, -2, 3 } },
    }
    local list = meshes(doc)
    assert.equal(3, #list)
    assert.same({ "box", "capsule", "sphere" }, { list[1].shape, list[2].shape, list[3].shape })
    for i, mesh in ipairs(list) do
      assert.same({ i, doc.objects[i].label, "z", 1 }, { mesh.body, mesh.name, mesh.up, mesh.metres })
    end
    assert.same({ { -1, 1 }, { -2, 2 }, { -3, 3 } }, bounds(list[1]))
    assert.same({ -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1 }, list[1].transform)
    assert.same({ -2.5, 2.5 }, bounds(list[2])[3])
    assert.same({ -3, 3 }, bounds(list[3])[3])
    assert.is_near(2, bounds(list[3])[2][2], 0.2)
    for _, mesh in ipairs(list) do
      for _, index in ipairs(mesh.indices:totable()) do assert(index < mesh.positions.rows) end
    end
    assert.has_error(function() doc:meshes() end, "fzx has no meshes")
  end)

  it("are left out where the game ignores them, or a number is not finite", function()
    local left_out = {}
    local doc <close> = volumes { { label = "Head" }, { label = "Hip Box", scale = { 1 / 0, 1, 1 } },
      { label = "Box" } }
    local list = meshes(doc, left_out)
    assert.same({ "Box", 3 }, { list[1].name, list[1].body })
    assert.same({
      { path = "objects[1]", reason = "no shape in the label: the game ignores the object", instances = 1 },
      { path = "objects[2]", reason = "a number of it is not finite", instances = 1 },
    }, left_out)
    assert.equal(1, #meshes(doc))
  end)
end)
