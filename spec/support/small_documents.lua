--- A small file of each format, with something of all that the format can hold: for tests that do the same
-- to all of them.
--
--    for format, bytes in pairs(small.documents()) do … end

local lathe = require "lathe.core"
local phxbn_rigs = require "phxbn_rigs"
local sample_fzx = require "sample_fzx"
local sample_hkx = require "sample_hkx"
local sample_save = require "sample_save"

local small = {}

local function anm()
  local pose = { { translation = { 0, 1, 0 } }, { translation = { 0, 1.5, 0 } } }
  return assert(lathe.new("anm", { length = 1000, frames = {
    { time = 0, bone_matrices = pose, events = { { bone = 1, name = "leftrunstep" }, { bone = 0, name = "turn" } } },
    { time = 500, bone_matrices = pose },
  } })):encode()
end

local function clip()
  return (sample_hkx.clip { game = "fallout4", frames = 3, tracks = 2, floats = { 0.5 }, motion = true,
    skeletons = { { bones = 2, float_slots = { "blink" } } }, annotations = {
      { track = 0, time = 0.75, text = "FootRight" }, { track = 1, time = 0.25, text = "FootLeft" },
    } })
end

local function nif()
  local doc = assert(lathe.new("nif", { bs_version = 130, blocks = {
    { type = "NiNode", name = "Crate", children = { 1 } }, { type = "BSTriShape", name = "Lid" },
    { type = "BSShaderTextureSet", textures = { "textures\\crate_d.dds", "textures\\crate_n.dds" } },
    { type = "NobodyKnows", bytes = "1234" },
  }, footer = { roots = { 0 } } }))
  local shape = doc.blocks[2]
  shape.positions = { { 0, 0, 0 }, { 9, 0, 0 }, { 0, 9, 0 } }
  shape.triangles = { { 0, 1, 2 } }
  assert(doc:set_collision("Crate", { kind = "box", size = { 64, 64, 48 }, material = "wood", motion = "dynamic",
    mass = 20 }))
  return doc:encode()
end

local function solid()
  return assert(lathe.new("solid", { vertices = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 2, 0 } },
    triangles = { { a = 0, b = 1, c = 2, gx = { 0, 1, 1 } } } })):encode()
end

--- The bytes of a file by the name of its format.
-- @treturn table
function small.documents()
  return {
    anm = anm(),
    fzx = sample_fzx.two,
    hkx = clip(),
    nif = nif(),
    phxbn = assert(lathe.new("phxbn", phxbn_rigs.biped(11, 1))):encode(),
    save = sample_save.v3,
    solid = solid(),
  }
end

return small
