-- The unit of ragdolls of Fallout 4: that of the game where a mapper leads to bones that lie at the bodies, else metres.

local helper = require "helper"
local lathe = require "lathe"

local UNITS <const> = 69.99125 -- of the game in a metre
local IDENTITY <const> = { 0, 0, 0, 1 }

local function pose(t) return { translation = { t[1], t[2], t[3], 0 }, rotation = IDENTITY, scale = { 1, 1, 1, 0 } } end

local function skeleton(name, places, factor)
  local bones, parents, poses = {}, {}, {}
  for i, t in ipairs(places) do
    bones[i], parents[i] = { name = name .. i }, i - 2 -- a chain: each is relative to the one before
    local up = places[i - 1] or { 0, 0, 0 }
    poses[i] = pose { (t[1] - up[1]) * factor, (t[2] - up[2]) * factor, (t[3] - up[3]) * factor }
  end
  return { class = "hkaSkeleton", name = name, bones = bones, parent_indices = parents, reference_pose = poses }
end

local PLACES <const> = { { 0, 0, 70 }, { 0, 5, 90 }, { 20, 5, 110 }, { 40, -5, 100 } }

-- A ragdoll of spheres with a radius of 2 in the file, whose bodies and bones are at PLACES. `game`: the factor of the
-- bones that clips move. `pairs`: how many bones are paired; 0: there is no mapper. `reversed`: B is the ragdoll's.
local function ragdoll(opts)
  local bodies, mappings, map = {}, {}, {}
  for i, t in ipairs(PLACES) do
    bodies[i] = { shape = 6, position = { t[1], t[2], t[3], 1 }, name = "Body " .. i }
    map[i] = #PLACES - i -- bone i has another body
  end
  for i = 1, opts.pairs do
    -- the bone in the place of body 5 - i
    mappings[i] = opts.reversed and { bone_a = #PLACES - i, bone_b = i - 1, a_from_b_transform = pose { 0, 0, 0 } }
      or { bone_a = i - 1, bone_b = #PLACES - i, a_from_b_transform = pose { 0, 0, 0 } }
  end
  local objects = {
    { class = "hkRootLevelContainer", named_variants = {
      { name = "Merged Animation Container", class_name = "hkaAnimationContainer", variant = 2 },
      { name = "Physics Ragdoll", class_name = "hknpRagdollData", variant = 5 },
      { name = "SkeletonMapper", class_name = "hkaSkeletonMapper", variant = opts.pairs > 0 and 7 or nil } } },
    { class = "hkaAnimationContainer", skeletons = { 3, 4 } },
    skeleton("Game", PLACES, opts.game), skeleton("Ragdoll", PLACES, 1),
    { class = "hknpRagdollData", body_cinfos = bodies, referenced_objects = { 6 }, materials = { {} }, skeleton = 4,
      bone_to_body_map = map },
    { class = "hknpSphereShape", convex_radius = 2, vertices = { { x = 0, y = 0, z = 0 } } },
    opts.pairs > 0 and { class = "hkaSkeletonMapper", mapping = { skeleton_a = opts.reversed and 3 or 4,
      skeleton_b = opts.reversed and 4 or 3, simple_mappings = mappings } } or nil,
  }
  return assert(lathe.new("hkx", { game = "fallout4", objects = objects }))
end

-- The height of the first mesh, and where the body is.
local function first(doc)
  local mesh = doc:meshes { what = "collision" }()
  local low, high = math.huge, -math.huge
  for i = 1, mesh.positions.rows do
    local z = mesh.positions:at(i, 3)
    low, high = math.min(low, z), math.max(high, z)
  end
  return high - low, mesh.transform[15]
end

local function check(opts, unit)
  local doc <close> = ragdoll(opts)
  local height, z = first(doc)
  assert.is_near(4 * unit, height, 1e-4)
  assert.is_near(70 * unit, z, 1e-3)
end

describe("a ragdoll of Fallout 4", function()
  it("is in units of the game where its bodies are at the bones of a mapper", function()
    check({ game = 1, pairs = 4 }, 1)
    check({ game = 1, pairs = 4, reversed = true }, 1)
    check({ game = 1, pairs = 3 }, 1)
    check({ game = 1.05, pairs = 4 }, 1) -- by less than a tenth of the distance from the origin
  end)

  it("is in metres otherwise", function()
    check({ game = 1, pairs = 0 }, UNITS)              -- as in all NIF files
    check({ game = UNITS, pairs = 4 }, UNITS)          -- the bones are where metres put the bodies
    check({ game = 1, pairs = 2 }, UNITS)              -- too few
    check({ game = 1.2, pairs = 4 }, UNITS)
  end)

  it("follows edits of the mapper and of the bones", function()
    local doc <close> = ragdoll { game = 1, pairs = 4 }
    assert.is_near(4, (first(doc)), 1e-4)
    doc.objects[7].mapping.skeleton_b = false
    assert.is_near(4 * UNITS, (first(doc)), 1e-2)
    doc.objects[7].mapping.skeleton_b = doc.objects[3]
    assert.is_near(4, (first(doc)), 1e-4)
    doc.objects[5].bone_to_body_map = { -1, 9, 2147483647, 0 }
    assert.is_near(4 * UNITS, (first(doc)), 1e-2)
  end)

  it("takes no number for a bone that there is not", function()
    local doc <close> = ragdoll { game = 1, pairs = 4 }
    for _, one in ipairs(doc.objects[7].mapping.simple_mappings) do one.bone_a = 30000 end
    assert.is_near(4 * UNITS, (first(doc)), 1e-2)
    for _, one in ipairs(doc.objects[7].mapping.simple_mappings) do one.bone_a, one.bone_b = 0, -3 end
    assert.is_near(4 * UNITS, (first(doc)), 1e-2)
  end)

  it("of the game is as large as its skeleton #corpus", function()
    local path = helper.need_corpus("hkx/fo4/skeleton.hkx", pending)
    local doc <close> = assert(lathe.open(path))
    local n, low, high = 0, { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
    for mesh in doc:meshes { what = "collision" } do
      local t, p = mesh.transform, mesh.positions
      n = n + 1
      for i = 1, p.rows do
        for k = 1, 3 do
          local v = t[k] * p:at(i, 1) + t[4 + k] * p:at(i, 2) + t[8 + k] * p:at(i, 3) + t[12 + k]
          low[k], high[k] = math.min(low[k], v), math.max(high[k], v)
        end
      end
    end
    assert.equal(18, n)
    for k, size in ipairs { 89.32, 30.96, 133.306 } do assert.is_near(size, high[k] - low[k], 0.01) end
    -- Each body is at the bone that the mapper pairs with its own.
    local mapping = doc.objects[83].mapping
    assert.equal("Ragdoll_NPC COM", mapping.skeleton_a.name)
    assert.equal(18, #mapping.simple_mappings)
  end)
end)
