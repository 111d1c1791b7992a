-- The folder in which the examples of all commands run: the sample files of scripts/examples, and files of other kinds,
-- made here, under the names that the examples use.

local helper = require "helper"
local lathe = require "lathe"
local phive = require "sample_phive"
local boxes = require "sample_boxes"

local files = {}

local BONES <const> = { "NPC Root", "NPC COM", "NPC Spine", "NPC Head", "NPC L Hand", "NPC R Hand", "Fin A", "Fin B" }

local function rig()
  local bones = {}
  for i, name in ipairs(BONES) do
    bones[i] = { name = name, parent = i == 1 and -1 or i < 4 and i - 2 or 2,
      pose = { t = { i > 4 and (-1) ^ i * 8 or 0, 0, i == 1 and 0 or 10 } } }
  end
  return { name = "NPC Root", bones = bones }
end

-- A clip of that skeleton, in which all bones turn and the first one moves; or has that movement as root motion.
local function clip(seed, moves)
  local samples, numbers = {}, {}
  for frame = 0, 20 do
    for i, bone in ipairs(rig().bones) do
      local t, half = bone.pose.t, 0.02 * math.sin(frame / 3 + i + seed)
      local moved = i <= 2 and frame * i or 0
      for _, x in ipairs { t[1], t[2] + moved, t[3], 0, 0, math.sin(half), math.cos(half), 1, 1, 1 } do
        samples[#samples + 1] = x
      end
    end
  end
  for i = 1, #BONES do numbers[i] = i - 1 end
  local doc <close> = assert(lathe.new("hkx", { game = "skyrim-se", animation = { bones = numbers, fps = 30,
    skeleton_name = "NPC Root", samples = samples } }))
  if moves then assert(doc:extract_root_motion()) end
  return assert(doc:encode())
end

local function orphans()
  local doc <close> = assert(lathe.open "scripts/examples/wave.hkx")
  assert(doc:edit(function()
    doc.objects[1].named_variants:remove(2)
    return true
  end))
  return assert(doc:encode())
end

local function renamed()
  local doc <close> = assert(lathe.open "scripts/examples/stock.nif")
  doc.blocks[2].name = "Renamed"
  return assert(doc:encode())
end

local function group()
  return boxes.group { layout = "inline", buckets = { { lod = true, objects = {
    boxes.box { size = { 2, 4, 6 }, at = { 1, 0, 2 }, bands = { 4, 0, 8 }, instances = { boxes.place { 10, 0, 0 } } },
    boxes.box { desc = boxes.LONG, instances = { boxes.place { -20, 0, 0 } } } } } } }
end

local CLIPS <const> = { "walk", "walk_stop", "idle", "run", "swim", "tired", "Gestures/nod" }

--- Writes all of them into a folder.
function files.write(folder)
  local function save(name, bytes) helper.write(folder .. "/" .. name, bytes) end
  for _, name in ipairs { "Animations", "Behaviors", "Clips", "Gestures", "Idles", "Meshes" } do
    os.execute(("mkdir %s/%s"):format(helper.quote(folder), name))
  end
  for i, name in ipairs(CLIPS) do save(name .. ".hkx", clip(i, name == "run")) end
  for _, name in ipairs(helper.list("scripts/examples", "%.")) do
    save(name, helper.read("scripts/examples/" .. name))
  end
  for _, path in ipairs { "Clips/wave.hkx", "Idles/wave.hkx", "Animations/lift.anm", "Animations/wave.hkx",
    "Behaviors/behavior.hkx", "Meshes/stock.nif" } do
    save(path, helper.read("scripts/examples/" .. path:match "[^/]+$"))
  end
  local skeleton <close> = assert(lathe.new("hkx", { game = "skyrim-se", skeleton = rig() }))
  save("rig.hkx", skeleton:encode())
  save("orphans.hkx", orphans())
  save("renamed.nif", renamed())
  save("group.nif", group())
  save("Meshes/crate.solid", helper.read "scripts/examples/crate.solid")
  save("floor.bphsh", phive.named "v22_grid")
  save("other.bphsh", phive.named "v22_box")
  local bar <close> = assert(lathe.open "scripts/examples/stock.nif")
  local crate <close> = assert(lathe.open "scripts/examples/crate.solid")
  assert(lathe.export(bar, folder .. "/bar.obj"))
  assert(lathe.export(crate, folder .. "/crate.obj"))
end

return files
