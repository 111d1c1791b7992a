-- Makes the sample files of this folder with lathe: lua5.4 make.lua [FOLDER]
-- README, the guides and the example scripts use them; they contain no data of games. A test makes them
-- again and compares the bytes.
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

-- A crate of Lugaru: a textured box. Corner i of a box is at x, y, z by the bits of i.

local FACES = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 4, 6, 2 },
  { 1, 3, 7, 5 } }

do
  local vertices, triangles = {}, {}
  for i = 0, 7 do
    vertices[i + 1] = { i & 1 == 0 and -25 or 25, i & 2 == 0 and -25 or 25, i & 4 == 0 and -25 or 25 }
  end
  for _, face in ipairs(FACES) do
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

-- A behavior graph of Skyrim Special Edition, for a guard that stands, walks and makes gestures; and the
-- character that has it.

local NO_EVENT = -1

local function named(class) return { name = class, class_name = class, variant = 2 } end

local function machine(name, states)
  return {
    class = "hkbStateMachine", name = name, states = states, start_state_id = 0,
    max_simultaneous_transitions = 32,
    event_to_send_when_state_or_transition_changes = { id = NO_EVENT },
    return_to_previous_state_event_id = NO_EVENT, random_transition_event_id = NO_EVENT,
    transition_to_next_higher_state_event_id = NO_EVENT, transition_to_next_lower_state_event_id = NO_EVENT,
    sync_variable_index = -1,
  }
end

do
  local doc = assert(lathe.new("hkx", { game = "skyrim-se", objects = {
    { class = "hkRootLevelContainer",
      named_variants = { named("hkbBehaviorGraph") } },
    { class = "hkbBehaviorGraph", name = "Guard.hkb", root_generator = 3, data = 7,
      variable_mode = "VARIABLE_MODE_DISCARD_WHEN_INACTIVE" },
    machine("GuardRoot", { 4 }),
    { class = "hkbStateMachineStateInfo", name = "Gesture", state_id = 2, generator = 5,
      probability = 1, enable = true },
    { class = "hkbManualSelectorGenerator", name = "GestureSelector", variable_binding_set = 6 },
    { class = "hkbVariableBindingSet", index_of_binding_to_enable = -1, bindings = {
      { member_path = "selectedGeneratorIndex", variable_index = 1, bit_index = -1 } } },
    { class = "hkbBehaviorGraphData", variable_initial_values = 8, string_data = 9 },
    { class = "hkbVariableValueSet" },
    { class = "hkbBehaviorGraphStringData" },
  } }))
  assert(doc:add_variable("Speed"))
  assert(doc:add_variable("iGesture", { type = "int32" }))
  for _, name in ipairs { "moveStart", "moveStop", "gestureStart", "gestureStop", "FootLeft" } do
    assert(doc:add_event(name))
  end
  assert(doc:add_state("Idle", { id = 0, animation = "Animations\\Idle.hkx" }))
  assert(doc:add_state("Walk", { id = 1, animation = "Animations\\Walk.hkx" }))
  assert(doc:add_clip("Wave", "Animations\\Wave.hkx", { into = "GestureSelector" }))
  assert(doc:add_clip("Nod", "Animations\\Nod.hkx",
    { into = "GestureSelector", event = "gestureStop", at = 1.5 }))
  assert(doc:add_transition { from = "Idle", to = "Walk", event = "moveStart" })
  assert(doc:add_transition { from = "Walk", to = "Idle", event = "moveStop" })
  assert(doc:add_transition { from = "Gesture", to = "Idle", event = "gestureStop" })
  assert(doc:add_transition { to = "Gesture", event = "gestureStart" })
  for _, name in ipairs { "Idle", "Walk" } do doc.graph.clips[name].mode = "MODE_LOOPING" end
  save(assert(lathe.parse(doc:serialize())), "behavior.hkx") -- in the order of the game's own tools
  doc:close()

  save(assert(lathe.new("hkx", { game = "skyrim-se", objects = {
    { class = "hkRootLevelContainer",
      named_variants = { named("hkbCharacterData") } },
    { class = "hkbCharacterData", string_data = 3, character_property_values = 4, scale = 1,
      model_up_ms = { 0, 0, 1, 0 }, model_forward_ms = { 0, 1, 0, 0 }, model_right_ms = { 1, 0, 0, 0 } },
    { class = "hkbCharacterStringData", name = "Guard", rig_name = "skeleton.hkx",
      behavior_filename = "Behaviors\\behavior.hkx",
      animation_names = { "Animations\\Idle.hkx", "Animations\\Walk.hkx", "Animations\\Wave.hkx",
        "Animations\\Nod.hkx" } },
    { class = "hkbVariableValueSet" },
  } })), "character.hkx")
end

-- Of Skyrim Special Edition: a skeleton with two arms, and an idle animation in which the left hand rises a
-- little while the body breathes. The wave from above once more, for the first edition of Skyrim.

local BIPED = {
  { name = "NPC Root [Root]" },
  { name = "NPC COM [COM ]", parent = 0, pose = { t = { 0, 0, 68 } } },
  { name = "NPC Spine [Spn0]", parent = 1, pose = { t = { 0, 0, 20 } } },
  { name = "NPC L UpperArm [LUar]", parent = 2, pose = { t = { -16, 0, 20 } } },
  { name = "NPC L Hand [LHnd]", parent = 3, pose = { t = { -40, 0, 0 } } },
  { name = "NPC R UpperArm [RUar]", parent = 2, pose = { t = { 16, 0, 20 } } },
  { name = "NPC R Hand [RHnd]", parent = 5, pose = { t = { 40, 0, 0 } } },
}

do
  local skeleton = { name = "NPC Root [Root]", bones = BIPED }
  save(assert(lathe.new("hkx", { game = "skyrim-se", skeleton = skeleton })), "biped.hkx")

  local samples, tracks = {}, {}
  for i = 1, #BIPED do tracks[i] = i - 1 end
  for frame = 0, 60 do
    local breath = math.sin(math.pi * frame / 60)
    for i, bone in ipairs(BIPED) do
      local x, y, z = table.unpack(bone.pose and bone.pose.t or { 0, 0, 0 })
      local half = i == 4 and 0.25 * breath or 0                 -- of the left arm, about the y axis
      if i == 3 then z = z + 1.5 * breath end
      samples[#samples + 1] = { x, y, z, 0, math.sin(half), 0, math.cos(half), 1, 1, 1 }
    end
  end
  save(assert(lathe.new("hkx", { game = "skyrim-se", animation = { bones = tracks, fps = 30,
    skeleton_name = "NPC Root [Root]", samples = samples,
    annotations = {
      { time = 0.5, text = "SoundPlay.BreathIn" }, { time = 1.5, text = "SoundPlay.BreathOut" } },
  } })), "idle_breathe.hkx")

  local wave = assert(lathe.open(folder .. "/wave.hkx"))
  assert(wave:convert "skyrim-le")
  save(wave, "wave_le.hkx")
end

-- Ragdoll volumes for the dummy of Overgrowth.

-- Their space has z up. A capsule has its radius at x and half the distance between its caps at z.
save(assert(lathe.new("fzx", { objects = {
  { label = "chest box", location = { 0, 0, 0.75 }, scale = { 0.2, 0.1, 0.25 } },
  { label = "head sphere", location = { 0, 0, 1.25 }, scale = { 0.15, 0.15, 0.15 } },
  { label = "L upperarm capsule", location = { 0.375, 0, 1 }, rotation = { w = 0.70710678, y = 0.70710678 },
    scale = { 0.08, 0.08, 0.25 } },
} })), "volumes.fzx")

-- Crates of Fallout 4. One breaks rules: its texture is named by a path on its author's disk, and its body
-- has no material. Others are placed in two groups of precombined meshes.

local function crate(textures)
  local doc = assert(lathe.new("nif", { bs_version = 130, blocks = {
    { type = "BSFadeNode", name = "Crate", children = { 1 } },
    { type = "BSTriShape", name = "Crate:0", shader_property = 2 },
    { type = "BSLightingShaderProperty", name = "Materials\\Workshop\\Crate.BGSM",
      body = { texture_set = 3 } },
    { type = "BSShaderTextureSet", textures = textures },
  }, footer = { roots = { 0 } } }))
  local shape, corners, triangles = doc.blocks[2], {}, {}
  for i = 0, 7 do
    corners[i + 1] = { i & 1 == 0 and -32 or 32, i & 2 == 0 and -32 or 32, i & 4 == 0 and 0 or 64 }
  end
  for i, face in ipairs(FACES) do
    triangles[2 * i - 1] = { face[1], face[2], face[3] }
    triangles[2 * i] = { face[1], face[3], face[4] }
  end
  shape.positions = corners
  shape.triangles = triangles
  assert(doc:recompute "normals")
  assert(doc:recompute "bounds")
  return doc
end

do
  local careless = crate { "C:\\Work\\My Mod\\crate_d.dds", "textures\\workshop\\crate_n.dds" }
  assert(careless:set_collision("Crate", { kind = "box", mesh = careless.blocks[2], material = 0,
    motion = "dynamic", mass = 12 }))
  save(careless, "careless.nif")

  local model = crate { "textures\\workshop\\crate_d.dds" }
  for key, places in pairs {
    ["00000B1A"] = { { 0, 0, 0 }, { 80, 0, 0 }, { 40, 0, 64 } },
    ["00000B1B"] = { { 0, 512, 0 }, { 0, 640, 0 } },
  } do
    local sources = {}
    for i, position in ipairs(places) do sources[i] = { nif = model, position = position } end
    local group = assert(lathe.new("nif", { bs_version = 130 }))
    assert(group:precombine { cell = "0000E2DB", key = key, sources = sources })
    save(group, ("0000E2DB_%s_OC.nif"):format(key))
  end
  model:close()
end
