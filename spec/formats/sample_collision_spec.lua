-- Collision that specs make themselves: what the plain reader and lathe find in it.

local check = require "fo4_collision_check"
local fo4 = require "fo4_collision"
local lathe = require "lathe"
local near = require("outcome").near
local sample = require "sample_collision"

local blobs, made = sample.blobs()

-- The object of a shape that was made, as the reader has it.
local function same_shape(want, got)
  assert.equal(want.class, got.class)
  local points = fo4.geometry(got)
  if got.data then
    for i, s in ipairs(got.data.sections) do
      for k, p in ipairs(want.expected[i]) do near(p, { table.unpack(s.vertices[k], 1, 3) }) end
    end
    assert.equal(want.triangles, #got.triangles)
  elseif not got.instances then
    local min, max = fo4.bounds(points)
    for k = 1, 3 do
      assert.is_near(want.bounds[1][k], min[k] - got.radius, 0.02 * got.radius)
      assert.is_near(want.bounds[2][k], max[k] + got.radius, 0.02 * got.radius)
    end
  end
end

describe("made collision", function()
  for name, blob in pairs(blobs) do
    it("reads back, with nothing wrong: " .. name, function()
      local system = fo4.read(blob)
      assert.same({}, check.system(system))
      assert.equal(#made[name], #system.bodies)
      for i, body in ipairs(made[name]) do
        local got = system.bodies[i]
        same_shape(body.shape, got.shape)
        assert.same({ body.material or 0, body.kind ~= nil }, { got.material_id, got.motion ~= nil })
        if body.kind == "dynamic" then assert.is_near(body.mass or 1, 1 / got.motion.inverse_mass, 1e-6) end
        if body.kind == "keyframed" then assert.equal(0, got.motion.inverse_mass) end
      end
    end)

    it("is a packfile to lathe, and stays as it is: " .. name, function()
      local doc = assert(lathe.parse(blob))
      assert.equal(blob, doc:encode())
      assert.equal(blob, doc:serialize())
      local names = {}
      for i, object in ipairs(fo4.read(blob).file.objects) do names[i] = object.class end
      assert.equal(#names, #doc.objects)
      assert.same(true, (doc:check()))
      assert.equal(blob, assert(lathe.new("hkx", doc:totable())):encode())
    end)
  end

  it("has its materials, one a triangle", function()
    local shape = fo4.read(blobs.mesh).bodies[1].shape
    local list = {}
    for i, t in ipairs(shape.triangles) do list[i] = ("%08X %d %d"):format(t.material, t.filter, t.key) end
    assert.same({ "DF02F237 1 0", "DF02F237 1 1", "DF02F237 1 2", "DF02F237 1 3", "064003D4 1 256", "064003D4 1 257",
      "1DD9C611 3 258" }, list)
    local a, b = shape.data.sections[1].vertices, shape.data.sections[2].vertices
    assert.same({ a[5], a[6] }, { b[4], b[5] })         -- the edge that they share
  end)

  it("is in a scene, which lathe opens and writes back", function()
    local bytes = sample.scene()
    local doc = assert(lathe.parse(bytes))
    assert.equal(bytes, doc:encode())
    assert.equal("Fallout 4", doc.game)
    local bodies, scales = {}, {}
    for i = 1, 5 do
      local node = doc.blocks[i]
      local object = node.collision_object
      assert.equal("bhkNPCollisionObject", object.type)
      assert.equal(lathe.path(node), lathe.path(object.target))
      bodies[i], scales[i] = object.body_id, node.scale
    end
    assert.same({ 0, 1, 2, 3, 4 }, bodies)
    assert.same({ 1, 1, 1, 1, 2 }, scales)
    assert.equal(blobs.everything, lathe.bytes(doc.blocks[11]):sub(5))
    assert.same(true, (doc:check()))
  end)
end)
