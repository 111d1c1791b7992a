-- Bones in a .glb: what they do to vertices at rest, whatever their matrices are.

local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_mesh"

local near = outcome.near

local moved = sample.moved

local folder

local function export(what)
  local path = folder .. "/out.glb"
  local report = assert(lathe.export(what, path))
  glb.validate({ path })
  return glb.parse(helper.read(path)), report
end

-- Where the weights put vertices, by the definition.
local function posed(mesh)
  local out = {}
  local function point(m, x, y, z, r) return m[r] * x + m[r + 4] * y + m[r + 8] * z + m[r + 12] end
  for v = 1, mesh.positions.rows do
    local x, y, z = mesh.positions:row(v)
    local sum = { 0, 0, 0 }
    for k = 1, 4 do
      local bone, w = mesh.skin.bones[mesh.joints:at(v, k) + 1], mesh.weights:at(v, k)
      for r = 1, w > 0 and 3 or 0 do
        local p = {}
        for i = 1, 3 do p[i] = point(bone.bind, x, y, z, i) end
        sum[r] = sum[r] + w * point(bone.world, p[1], p[2], p[3], r)
      end
    end
    table.move(sum, 1, 3, #out + 1, out)
  end
  return out
end

local function nodes_named(file, name)
  local found = {}
  for i, node in ipairs(file.json.nodes) do
    if node.name == name then found[#found + 1] = i - 1 end
  end
  return found
end

describe("bones", function()
  before_each(function() folder = helper.tmpdir() end)

  it("hold vertices at rest where they were", function()
    local bar = sample.bent()
    local file = export { bar }
    near(posed(bar), file:drawn()[1].positions)
    near({ -2, 1.5, 0.5 }, table.move(file:drawn()[1].positions, 49, 51, 1, {})) -- row 4, corner 1
    assert.same({ "lower", "upper" }, { file.json.nodes[file.json.skins[1].joints[1] + 1].name,
      file.json.nodes[file.json.skins[1].joints[2] + 1].name })
    local lower = file.json.nodes[nodes_named(file, "lower")[1] + 1]
    assert.same(nodes_named(file, "upper"), lower.children)
  end)

  it("take the place of the mesh's transform, but turn with the document", function()
    local bar = sample.bent { up = "z", transform = moved(100, 0, 0) }
    local want = posed(bar)
    for i = 1, #want, 3 do want[i + 1], want[i + 2] = want[i + 2], -want[i + 1] end
    near(want, export({ bar }):drawn()[1].positions)
  end)

  it("leave vertices alone that they don't hold", function()
    local weights = sample.bent().weights:totable()
    for i = 1, 16 do weights[i] = 0 end
    local file = export { sample.bent { weights = weights, transform = moved(0, -10, 0) } }
    near({ -0.5, -10, 0.5 }, table.move(file:drawn()[1].positions, 1, 3, 1, {}))
    near({ -2, 1.5, 0.5 }, table.move(file:drawn()[1].positions, 49, 51, 1, {}))
    assert.equal(3, #file.json.skins[1].joints)
    for i = 1, #weights do weights[i] = 0 end
    local none = export { sample.bent { weights = weights, transform = moved(0, -10, 0) } }
    assert.is_nil(none.json.skins)
    near({ -0.5, -10, 0.5 }, table.move(none:drawn()[1].positions, 1, 3, 1, {}))
  end)

  it("are shared by the meshes of a document where name and place are the same", function()
    local other = sample.bent()
    other.skin.bones[2].world = moved(0, 9, 0)
    local file = export { sample.bent(), sample.bent(), other }
    assert.equal(1, #nodes_named(file, "lower"))
    assert.equal(2, #nodes_named(file, "upper"))
    assert.same(file.json.skins[1].joints, file.json.skins[2].joints)
    file = export { { name = "a", meshes = { sample.bent() } }, { name = "b", meshes = { sample.bent() } } }
    assert.equal(2, #nodes_named(file, "lower"))
  end)

  it("may have any matrices that make numbers", function()
    local shear = { 1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1 }
    local flat = { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1 }
    local mirror = { -2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 5, 1 }
    local uneven = { 0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1 }
    local list = { shear, flat, mirror, uneven }
    for i, lower in ipairs(list) do
      for k, upper in ipairs(list) do
        local bar = sample.bent()
        bar.skin.bones[1].world, bar.skin.bones[2].world = lower, upper
        bar.skin.bones[2].bind = list[(i + k) % 4 + 1]
        near(posed(bar), export({ bar }):drawn()[1].positions)
      end
    end
  end)

  it("may have parents that make no sense, and matrices that are none", function()
    for _, parents in ipairs { { 0, 1 }, { 1, 0 }, { 5, -7 }, { 1.5, "x" } } do
      local bar = sample.bent()
      bar.skin.bones[1].parent, bar.skin.bones[2].parent = parents[1], parents[2]
      near(posed(bar), export({ bar }):drawn()[1].positions)
    end
    for _, bad in ipairs { 0 / 0, math.huge, 1e300 } do
      local bar = sample.bent { transform = moved(0, 50, 0) }
      bar.skin.bones[1].world, bar.skin.bones[2].world = moved(bad, 0, 0), nil
      near({ -0.5, 50, 0.5 }, table.move(export({ bar }):drawn()[1].positions, 1, 3, 1, {}))
    end
    local far = sample.bent()
    far.skin.bones[1].world = moved(0, 0, 0, 1e-10)
    far.skin.bones[1].bind = moved(0, 0, 0, 1e38)
    export { far }
  end)

  it("have weights that add up to 1, once each, and none for bone 0", function()
    local cases = {
      { joints = { 0, 1, 1, 0 }, weights = { 1, 1, 1, 1 }, want = { [0] = 0.5, [1] = 0.5 } },
      { joints = { 1, 1, 1, 1 }, weights = { 0.1, 0.2, 0.3, 0.1 }, want = { [1] = 1 } },
      { joints = { 0, 1, 9, 1 }, weights = { 0.5, 0.5, 3, 0 }, want = { [0] = 0.5, [1] = 0.5 } },
      { joints = { 1, 0, 0, 0 }, weights = { 0 / 0, -1, math.huge, 0.25 }, want = { [0] = 1 } },
      { joints = { 1, 0, 0, 0 }, weights = { 1e-30, 1, 0, 0 }, want = { [0] = 1, [1] = 1e-30 } },
      { joints = { 0, 1, 0, 0 }, weights = { 3e38, 3e38, 0, 0 }, want = { [0] = 0.5, [1] = 0.5 } },
    }
    for _, case in ipairs(cases) do
      local joints, weights = {}, {}
      for v = 0, 2 do
        table.move(case.joints, 1, 4, 4 * v + 1, joints)
        table.move(case.weights, 1, 4, 4 * v + 1, weights)
      end
      local mesh = sample.triangle { joints = joints, weights = weights, skin = sample.bent().skin }
      local file = export { mesh }
      local attributes = file.json.meshes[1].primitives[1].attributes
      local numbers, shares = file:values(attributes.JOINTS_0), file:values(attributes.WEIGHTS_0)
      local got = {}
      for k = 1, 4 do
        if shares[k] > 0 then got[numbers[k]] = shares[k] end
      end
      for bone, share in pairs(case.want) do assert.is_near(share, got[bone], 1e-7) end
    end
  end)
end)
