--- Everything that a NIF's collision objects say, without numbers that only say where it is stored: for tests that add
-- and remove some and compare the others.
--
--    local before = summary.of(doc)                -- a list: one for each bhkNPCollisionObject, in file order
--    assert.equal(before[2].text, summary.of(doc)[1].text)
--
-- Bodies, shapes, motions and materials are read by fo4_collision, in plain Lua; meshes come from doc:meshes.

local check = require "fo4_collision_check"
local crc32 = require "crc32"
local fo4 = require "fo4_collision"
local lathe = require "lathe"

local summary = {}

-- Where things are, and numbers of others.
local PLACES = { offset = true, at = true, material_id = true, motion_id = true, properties_id = true }

local function write(value, out)
  if type(value) ~= "table" then
    out[#out + 1] = type(value) == "number" and ("%.17g"):format(value) or tostring(value)
    return
  end
  local keys = {}
  for key in pairs(value) do
    if not PLACES[key] then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  out[#out + 1] = "{"
  for _, key in ipairs(keys) do
    out[#out + 1] = key .. "="
    write(value[key], out)
  end
  out[#out + 1] = "}"
end

-- The meshes of each body, by its number in doc.bodies.
local function meshes_of(doc)
  local list = {}
  for mesh in doc:meshes { what = "collision" } do
    local text = { mesh.name, mesh.positions:pack(), mesh.indices:pack(), table.concat(mesh.transform, " "),
      mesh.node_transform and table.concat(mesh.node_transform, " ") or "", table.concat(mesh.materials or {}, ",") }
    if mesh.triangle_materials then text[#text + 1] = mesh.triangle_materials:pack() end
    list[mesh.body] = (list[mesh.body] or "") .. table.concat(text, "|")
  end
  return list
end

local function read(system)
  local read_system = fo4.read(lathe.bytes(system))
  for _, body in ipairs(read_system.bodies) do
    body.properties = body.motion and read_system.motion_properties[body.motion.properties_id + 1]
  end
  return read_system
end

--- One table for each collision object: `owner` (its node) and `node` (the name of that), `block` (of its system), and
-- `text`, which is short and differs if anything differs.
function summary.of(doc)
  local meshes, systems, first, list = meshes_of(doc), {}, {}, {}
  local bodies = 0
  for _, block in ipairs(doc.blocks) do
    if block.type == "bhkPhysicsSystem" or block.type == "bhkRagdollSystem" then
      systems[lathe.index(block)], first[lathe.index(block)] = read(block.system), bodies
      bodies = bodies + #systems[lathe.index(block)].bodies
    end
  end
  for _, block in ipairs(doc.blocks) do
    if block.type == "bhkNPCollisionObject" then
      local system = lathe.index(block.data)
      local out = { block.target.name, "\n", tostring(meshes[first[system] + block.body_id + 1]), "\n" }
      assert(block.target.collision_object == block)
      write(systems[system].bodies[block.body_id + 1], out)
      local all = table.concat(out)
      list[#list + 1] = { node = block.target.name, owner = block.target, block = block.data,
        text = ("%s %08X %d"):format(block.target.name, crc32.zlib(all), #all) }
    end
  end
  return list
end

--- What is wrong with a document's systems: a list of texts. `warned`: findings that it may have.
function summary.faults(doc, warned)
  local faults = {}
  local again <close> = assert(lathe.parse(doc:encode(), { format = "nif" }))
  local ok, list = again:check()
  if not ok then faults[#faults + 1] = "check: " .. tostring(list[1]) end
  if ok and warned and #(list or {}) > warned then faults[#faults + 1] = "more warnings: " .. tostring(list[1]) end
  for _, block in ipairs(again.blocks) do
    if block.type == "bhkPhysicsSystem" then
      local blob = lathe.bytes(block.system)
      if blob ~= block.system:serialize() then faults[#faults + 1] = "not in Havok's order" end
      local system = fo4.read(blob)
      for _, fault in ipairs(check.system(system, { vanilla = true })) do faults[#faults + 1] = fault end
      local shapes = {}
      for _, body in ipairs(system.bodies) do shapes[body.shape] = true end
      for _, shape in ipairs(system.referenced) do
        if not shapes[shape] then faults[#faults + 1] = "a shape that no body has is referenced" end
      end
    end
  end
  return faults
end

return summary
