-- What scale does to single numbers, as an independent reader sees it: lengths, masses, inertia, and what stays.

local lathe = require "lathe"
local nif_reader = require "nif_reader"
local sample = require "sample_nif"

local function v3(x, y, z) return { x = x, y = y, z = z } end
local function v4(x, y, z, w) return { x = x, y = y, z = z, w = w } end

-- Numbers of a value by their path.
local function flat(value, path, out)
  if type(value) ~= "table" then
    if type(value) == "number" then out[path] = value end
    return out
  end
  for key, inner in pairs(value) do flat(inner, path == "" and tostring(key) or path .. "." .. key, out) end
  return out
end

local function numbers_of(bytes)
  return flat(nif_reader.read(bytes).blocks[1].values, "", {})
end

-- Names (as patterns) of numbers that grow, with the power; all others stay.
local function check(game, block, powers, options)
  local made = sample.build { game = game, blocks = { block } }
  local doc <close> = assert(lathe.parse(made))
  local report = assert(doc:scale(2, options))
  assert.same({}, report.skipped)
  local before, after, seen = numbers_of(made), numbers_of(doc:encode()), {}
  for path, number in pairs(before) do
    local power = 0
    for pattern, p in pairs(powers) do
      if path:find("^" .. pattern .. "$") then power, seen[pattern] = p, seen[pattern] or number ~= 0 end
    end
    assert.equal(number * 2 ^ power, after[path], ("%s %s.%s"):format(game, block.type, path))
  end
  for pattern in pairs(powers) do assert.is_true(seen[pattern], block.type .. ": nothing is called " .. pattern) end
end

describe("scale by 2 of NIF", function()
  it("moves connect points, furniture markers, bounds and bones", function()
    check("fo4", { type = "BSConnectPoint::Parents", points = { { parent = "p", name = "P-x",
      rotation = { w = 0.5, x = 0.5, y = 0.5, z = 0.5 }, translation = v3(1, -2, 3), scale = 1 } } },
      { ["points.1.translation.."] = 1 })
    check("fo4", { type = "BSFurnitureMarkerNode", positions = { { offset = v3(1, 2, 3), heading = 1.5,
      animation_type = 2 } } }, { ["positions.1.offset.."] = 1 })
    check("fo3", { type = "BSFurnitureMarker", positions = { { offset = v3(1, 2, 3), orientation = 700 } } },
      { ["positions.1.offset.."] = 1 })
    check("sse", { type = "BSBound", center = v3(1, 2, 3), half_extent = v3(4, 5, 6) },
      { ["center.."] = 1, ["half_extent.."] = 1 })
    check("sse", { type = "BSMultiBoundAABB", position = v3(1, 2, 3), extent = v3(4, 5, 6) },
      { ["position.."] = 1, ["extent.."] = 1 })
    check("sse", { type = "BSMultiBoundSphere", center = v3(1, 2, 3), radius = 7 }, { ["center.."] = 1, radius = 1 })
    check("sse", { type = "BSMultiBoundOBB", center = v3(1, 2, 3), size = v3(4, 5, 6),
      rotation = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } }, { ["center.."] = 1, ["size.."] = 1 })
    check("fo4", { type = "BSSkin::BoneData", bones = { { bounds = { center = v3(1, 2, 3), radius = 4 },
      rotation = { 0, 1, 0, 1, 0, 0, 0, 0, 1 }, translation = v3(5, 6, 7), scale = 3 } } },
      { ["bones.1.bounds.center.."] = 1, ["bones.1.bounds.radius"] = 1, ["bones.1.translation.."] = 1 })
    check("sse", { type = "NiSkinData", skin_transform = { translation = v3(1, 2, 3), scale = 4 } },
      { ["skin_transform.translation.."] = 1 })
  end)

  it("moves what particles come from", function()
    local emitter = { initial_radius = 1, radius_variation = 2, life_span = 5 }
    local powers = { initial_radius = 1, radius_variation = 1 }
    local function of(kind, more, also)
      local block, all = { type = kind }, {}
      for _, list in ipairs { emitter, more } do for key, value in pairs(list) do block[key] = value end end
      for _, list in ipairs { powers, also } do for key, value in pairs(list) do all[key] = value end end
      check("sse", block, all)
    end
    of("NiPSysSphereEmitter", { radius = 7 }, { radius = 1 })
    of("NiPSysCylinderEmitter", { radius = 7, height = 8 }, { radius = 1, height = 1 })
    of("NiPSysBoxEmitter", { size = v3(1, 2, 3) }, { ["size.."] = 1 })
  end)

  it("moves bounding volumes of Morrowind, and not their directions", function()
    local function volume(bv, powers)
      local all = {}
      for key, power in pairs(powers) do all["bv." .. key] = power end
      check("morrowind", { type = "NiNode", has_bv = true, bv = bv }, all)
    end
    volume({ kind = 0, sphere = { center = v3(1, 2, 3), radius = 4 } }, { ["sphere.center.."] = 1, ["sphere.radius"] = 1 })
    volume({ kind = 1, center = v3(1, 2, 3), axes = { v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1) }, extent = v3(4, 5, 6) },
      { ["center.."] = 1, ["extent.."] = 1 })
    volume({ kind = 2, c_center = v3(1, 2, 3), c_origin = v3(0, 1, 0), c_extent = 5, c_radius = 6 },
      { ["c_center.."] = 1, c_extent = 1, c_radius = 1 })
    volume({ kind = 5, plane = v4(0, 1, 0, 9), h_center = v3(1, 2, 3) }, { ["plane.w"] = 1, ["h_center.."] = 1 })
    volume({ kind = 4, n_union = 1, parts = { { kind = 0, sphere = { center = v3(1, 2, 3), radius = 4 } } } },
      { ["parts.1.sphere.center.."] = 1, ["parts.1.sphere.radius"] = 1 })
  end)

  it("moves Havok's shapes", function()
    check("le", { type = "bhkSphereShape", radius = 3 }, { radius = 1 })
    check("le", { type = "bhkBoxShape", radius = 0.5, half_extents = v3(1, 2, 3), unused_w = 1 },
      { radius = 1, ["half_extents.."] = 1, unused_w = 1 })
    check("le", { type = "bhkCapsuleShape", radius = 0.5, p1 = v3(1, 2, 3), radius1 = 0.5, p2 = v3(4, 5, 6),
      radius2 = 0.5 }, { radius = 1, ["p1.."] = 1, radius1 = 1, ["p2.."] = 1, radius2 = 1 })
    check("le", { type = "bhkConvexVerticesShape", radius = 0.5, num_vertices = 1, vertices = { v4(1, 2, 3, 0) },
      num_normals = 1, normals = { v4(0, 0, 1, -4) } }, { radius = 1, ["vertices.1.."] = 1, ["normals.1.w"] = 1 })
  end)

  it("makes bodies heavier, or keeps their mass", function()
    local inertia = { 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0 }
    local function body()
      return { type = "bhkRigidBody", i = { translation = v4(1, 2, 3, 0), rotation = { x = 0, y = 0, z = 1, w = 0 },
        linear_velocity = v4(4, 5, 6, 0), angular_velocity = v4(7, 8, 9, 0), inertia = inertia, center = v4(1, 1, 2, 0),
        mass = 6, penetration_depth = 0.25, friction = 0.5, restitution = 0.75 } }
    end
    local function powers(mass, tensor)
      return { ["i.translation.."] = 1, ["i.linear_velocity.."] = 1, ["i.center.."] = 1, ["i.mass"] = mass,
        ["i.inertia.%d+"] = tensor, ["i.penetration_depth"] = 1 }
    end
    check("le", body(), powers(3, 5))
    check("le", body(), powers(3, 5), { mass = "density" })
    check("le", body(), powers(0, 2), { mass = "keep" })
  end)
end)
