-- Makes the sample files of this folder with lathe: lua5.4 make.lua [FOLDER]
-- README and the guides use them; they contain no data of games. A test makes them again and compares the
-- bytes.
local lathe = require "lathe"

local folder = arg[1] or arg[0]:match "^(.*)/" or "."

local function save(doc, name)
  assert(doc:check())
  assert(doc:save(("%s/%s"):format(folder, name)))
  doc:close()
end

-- A round bar of ash wood, which turn.lua turns into a pawn: a scene of Fallout 4 with collision.

local SIDES, RINGS, RADIUS, HEIGHT = 24, 60, 24, 96 -- lengths in game units

-- Vertices are in rings from the foot to the top. Two more rings close each end, its rim and its centre;
-- their normals point down or up.
local function bar()
  local mesh = { positions = {}, normals = {}, colors = {}, uvs = {}, triangles = {} }
  local function add(name, value) table.insert(mesh[name], value) end
  for ring = -2, RINGS + 2 do
    local height = math.max(0, math.min(ring, RINGS)) / RINGS
    local radius = (ring == -2 or ring == RINGS + 2) and 0 or RADIUS
    for side = 0, SIDES do
      local turn = 2 * math.pi * side / SIDES
      local x, y = math.cos(turn), math.sin(turn)
      local grain = 0.93 + 0.07 * math.sin(5 * x + 3 * y + 26 * height)
      add("positions", { radius * x, radius * y, HEIGHT * height })
      add("normals", ring < 0 and { 0, 0, -1 } or ring > RINGS and { 0, 0, 1 } or { x, y, 0 })
      add("colors", { 0.78 * grain, 0.54 * grain, 0.30 * grain, 1 })
      add("uvs", { side / SIDES, 1 - height })
    end
  end
  for ring = 0, RINGS + 3 do
    for side = 0, SIDES - 1 do
      local a = ring * (SIDES + 1) + side
      local b = a + SIDES + 1 -- the vertex above it
      if ring ~= 0 and ring ~= 1 and ring ~= RINGS + 2 then add("triangles", { a, a + 1, b + 1 }) end
      if ring ~= 1 and ring ~= RINGS + 2 and ring ~= RINGS + 3 then add("triangles", { a, b + 1, b }) end
    end
  end
  return mesh
end

do
  local doc = assert(lathe.new("nif", { bs_version = 130, blocks = {
    { type = "BSFadeNode", name = "Stock", children = { 1 } },
    { type = "BSTriShape", name = "Stock:0", shader_property = 2 },
    { type = "BSLightingShaderProperty", name = "Materials\\Workshop\\Ash.BGSM",
      body = { texture_set = 3, flags2 = { "vertex_colors" } } },
    { type = "BSShaderTextureSet",
      textures = { "textures\\workshop\\ash_d.dds", "textures\\workshop\\ash_n.dds" } },
  }, footer = { roots = { 0 } } }))
  local shape = doc.blocks[2]
  local mesh = bar()
  for _, name in ipairs { "positions", "normals", "colors", "uvs", "triangles" } do
    shape[name] = mesh[name]
  end
  assert(doc:recompute "bounds")
  assert(doc:set_collision("Stock", { kind = "box", mesh = shape, material = "wood", motion = "dynamic",
    mass = 12 }))
  save(doc, "stock.nif")
end

-- A crate of Lugaru: a textured box.

do
  local vertices, triangles = {}, {}
  for i = 0, 7 do
    vertices[i + 1] = { i & 1 == 0 and -25 or 25, i & 2 == 0 and -25 or 25, i & 4 == 0 and -25 or 25 }
  end
  local faces = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 4, 6, 2 },
    { 1, 3, 7, 5 } }
  for _, face in ipairs(faces) do
    local a, b, c, d = table.unpack(face)
    triangles[#triangles + 1] = { a = a, b = b, c = c, gx = { 0, 1, 1 }, gy = { 0, 0, 1 } }
    triangles[#triangles + 1] = { a = a, b = c, c = d, gx = { 0, 1, 0 }, gy = { 0, 1, 1 } }
  end
  save(assert(lathe.new("solid", { vertices = vertices, triangles = triangles })), "crate.solid")
end

-- A dummy of Overgrowth that raises its arms.

local BONES = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 2, 4 }, { 2, 5 } } -- points that a bone lies between
local POINTS = { { 0, 0, 0 }, { 0, 0.5, 0 }, { 0, 1, 0 }, { 0, 1.5, 0 }, { 0.75, 1, 0 }, { -0.75, 1, 0 } }

do
  save(assert(lathe.new("phxbn", {
    version = 8, rigging_stage = "create_bones",
    points = POINTS, point_parents = { -1, 0, 1, 2, 2, 2 },
    bone_ends = BONES, bone_parents = { -1, 0, 1, 1, 1 },
    bone_mass = { 8, 8, 4, 3, 3 },
    bone_com = { { 0, 0.25, 0 }, { 0, 0.75, 0 }, { 0, 1.25, 0 }, { 0.375, 1, 0 }, { -0.375, 1, 0 } },
  })), "dummy.phxbn")

  -- The position of a bone is its midpoint; both arms rotate about the shoulder.
  local frames = {}
  for i, angle in ipairs { 0, 0.4, 0.8, 1.2, 0.6, 0 } do
    local pose = {}
    for bone, ends in ipairs(BONES) do
      local a, b = POINTS[ends[1] + 1], POINTS[ends[2] + 1]
      local x, y = (b[1] - a[1]) / 2, (b[2] - a[2]) / 2
      local turn = x > 0 and angle or x < 0 and -angle or 0
      local c, s = math.cos(turn), math.sin(turn)
      pose[bone] = { c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, a[1] + c * x - s * y, a[2] + s * x + c * y, 0, 1 }
    end
    frames[i] = { time = 200 * (i - 1), bone_matrices = pose,
      events = i == 4 and { { bone = 3, name = "handclap" } } or nil }
  end
  save(assert(lathe.new("anm", { version = 11, looping = true, length = 1000, frames = frames })), "lift.anm")
end

-- A skeleton of Skyrim Special Edition, and an animation in which its arm waves.

local RIG = {
  { name = "NPC Root" },
  { name = "NPC COM", parent = 0, pose = { t = { 0, 0, 68 } } },
  { name = "NPC Spine", parent = 1, pose = { t = { 0, 0, 20 } } },
  { name = "NPC Head", parent = 2, pose = { t = { 0, 0, 30 } } },
  { name = "NPC R UpperArm", parent = 2, pose = { t = { 16, 0, 20 } } },
  { name = "NPC R Hand", parent = 4, pose = { t = { 40, 0, 0 } } },
}

do
  local skeleton = { name = "NPC Root", bones = RIG }
  save(assert(lathe.new("hkx", { game = "skyrim-se", skeleton = skeleton })), "skeleton.hkx")

  local samples = {}
  for frame = 0, 30 do
    local lift = 0.35 * math.sin(math.pi * frame / 30)           -- half of the angle, in radians
    local wave = 0.3 * math.sin(6 * math.pi * frame / 30)
    for i, bone in ipairs(RIG) do
      local x, y, z = table.unpack(bone.pose and bone.pose.t or { 0, 0, 0 })
      local half = i == 5 and -lift or i == 6 and wave or 0      -- about the y axis
      samples[#samples + 1] = { x, y, z, 0, math.sin(half), 0, math.cos(half), 1, 1, 1 }
    end
  end
  save(assert(lathe.new("hkx", { game = "skyrim-se", animation = { bones = { 0, 1, 2, 3, 4, 5 }, fps = 30,
    skeleton_name = "NPC Root", samples = samples,
    annotations = { { time = 0.5, text = "WaveTop" } } } })), "wave.hkx")
end

-- A saved game of Overgrowth.

save(assert(lathe.new("save", { version = 3, levels = {
  { save_name = "intro", values = { time = "12.5", level_played = "true" },
    arrays = { unlocked_levels = { "intro", "village" } } },
} })), "progress.sav3")
