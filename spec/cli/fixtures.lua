-- Small files that the transcripts and the sandbox tests work on, put together by hand.

local fixtures = {}

-- A triangle: three vertices, one face, big-endian.
fixtures["tri.solid"] = string.pack(">i2i2", 3, 1)
  .. string.pack(">fff fff fff", 0, 0, 0, 1, 0, 0, 0, 1.5, 0.25)
  .. string.pack(">i2i2i2i2i2i2", 0, 1, 1, 2, 2, 0)
  .. string.pack(">fff fff", 0, 1, 0, 0, 0, 1)

-- The same with two bytes behind it, which the game ignores.
fixtures["tail.solid"] = fixtures["tri.solid"] .. "\xca\xfe"

-- The same cut short.
fixtures["cut.solid"] = fixtures["tri.solid"]:sub(1, 30)

local function volume(label, location, scale)
  return string.pack("<s4", label) .. string.pack("<ffff", 1, 0, 0, 0)
    .. string.pack("<fff", table.unpack(location)) .. string.pack("<fff", table.unpack(scale))
end

local function ragdoll(...)
  local volumes = { ... }
  local body = "\xd3FZX\r\n \n" .. string.pack("<i4i4", 1, #volumes) .. table.concat(volumes)
  return body .. string.pack("<i4", #body) .. "FZX"
end

fixtures["rig.fzx"] = ragdoll(
  volume("head sphere", { 0, 0, 1.75 }, { 0.125, 0.125, 0.125 }),
  volume("l thigh capsule", { 0.25, 0, 0.75 }, { 0.0625, 0.0625, 0.25 }),
  volume("chest box m", { 0, 0, 1.25 }, { 0.25, 0.125, 0.25 }))

-- Packfiles of Skyrim: a clip with a skeleton, two events and root motion, and one with objects that nobody knows.
local hkx = require "sample_hkx"

fixtures["clip.hkx"] = hkx.clip {
  game = "skyrim-se", frames = 10, tracks = 3, floats = { 1 }, motion = true, bones = { 0, 1, 2 },
  skeleton_name = "NPC Root",
  annotations = { { track = 0, time = 0.1, text = "FootLeft" }, { track = 0, time = 0.2, text = "FootRight" } },
  skeletons = { { name = "NPC Root", float_slots = { "hkVis:Weapon" }, bones = {
    "NPC Root", { name = "NPC COM", translation = { 0, 0, 68.5 } }, { name = "NPC Head", translation = { 0, 1, 50 } } } } },
}

local thing = hkx.opaque("hkpThing", 0x12345678, ("z"):rep(16))
fixtures["odd.hkx"] = hkx.skeleton {
  game = "fallout4", bones = 1,
  variants = { { "Physics", "hkpSystem", hkx.opaque("hkpSystem", 1, ("\0"):rep(32), nil, { { 0, thing }, { 8, thing } }) },
    { "Nothing", "hkpThing" } },
}

-- A scene of Fallout 4: a shader with a material's file and one of effects, and a set of textures.
fixtures["crate.nif"] = require("sample_nif").build { game = "fo4", blocks = {
  { type = "NiNode", name = "Crate" },
  { type = "BSLightingShaderProperty", name = "Materials\\Old\\Crate.BGSM", body = { texture_set = 2 } },
  { type = "BSShaderTextureSet", num_textures = 3,
    textures = { "textures/old/crate_d.dds", "", "Textures\\Old\\crate_s.dds" } },
  { type = "BSEffectShaderProperty", body = { source_texture = "textures\\fx\\glow.dds" } },
} }

fixtures["spheres.nif"] = require("sample_nif").build { game = "sse", blocks = {
  { type = "bhkSphereShape", material = { material = 0xDF02F237 }, radius = 1 },
  { type = "bhkSphereShape", material = { material = 77 }, radius = 1 },
} }

-- Fallout 4's collision: a box of wood, and a mesh of three materials.
local collision, hknp = require "sample_collision", require "sample_hknp"
local system = collision.system { { shape = hknp.box { half = { 1, 1, 1 }, material = 0x1DD9C611 } },
  { shape = collision.two_sections() } }
fixtures["floor.nif"] = (collision.nif({ { name = "Floor", body = 0 }, { name = "Ramp", body = 1 } }, system))
fixtures["floor.hkx"] = system

-- A ball that moves, in Fallout 4.
local ball = assert(require("lathe").new("hkx", { game = "fallout4", predicates = "", objects = {
  { class = "hknpPhysicsSystemData", materials = { {} }, motion_properties = { {} }, referenced_objects = { 2 },
    motion_cinfos = { { motion_properties_id = 0, inverse_mass = 0.5, mass_factor = 4,
      inverse_inertia_local = { 8, 8, 8, 1 }, center_of_mass_world = { 0, 0, 1, 0 } } },
    body_cinfos = { { shape = 2, motion_id = 0, flags = { "dynamic" }, position = { 0, 0, 1, 0 } } } },
  { class = "hknpSphereShape", flags = 0x111, dispatch_type = "convex", convex_radius = 0.25,
    vertices = { { w = 0x3F000000 }, { w = 0x3F000000 }, { w = 0x3F000000 }, { w = 0x3F000000 } } },
} }))
fixtures["ball.nif"] = require("sample_nif").build { game = "fo4", blocks = {
  { type = "NiNode", name = "Ball", translation = { x = 1, y = 2, z = 3 } },
  { type = "bhkPhysicsSystem", bytes = ("<s4"):pack(ball:encode()) },
} }
ball:close()

-- Waves of many bones, and of one number beside them: each bone its own.
local arms = { bones = {}, numbers = {}, samples = {}, values = {} }
for i = 1, 30 do arms.bones[i], arms.numbers[i] = { name = ("Arm %d"):format(i), parent = i - 2 }, i - 1 end
for frame = 0, 19 do
  for i = 1, 30 do
    for _, x in ipairs { i, frame * i / 8, math.sin(frame / 3 + i), 0, 0, 0, 1, 1, 1, 1 } do
      arms.samples[#arms.samples + 1] = x
    end
  end
  arms.values[#arms.values + 1] = frame / 4
end
local waves = assert(require("lathe").new("hkx", { game = "skyrim-se", skeleton = { name = "Arms", bones = arms.bones,
    float_slots = { "Glow" } },
  animation = { bones = arms.numbers, fps = 30, samples = arms.samples,
    float_tracks = { slots = { "Glow" }, samples = arms.values } } }))
fixtures["waves.hkx"] = waves:encode()
waves:close()

--- Writes all of them into a folder.
return function(folder)
  for name, bytes in pairs(fixtures) do
    local file = assert(io.open(folder .. "/" .. name, "wb"))
    assert(file:write(bytes))
    assert(file:close())
  end
  return fixtures
end
