--- A packfile with an object of every class of collision that games' files have, as `lathe.describe` tells what they
-- have.
--
--    local every = require "hkx_every_class"
--    every.classes(lathe)                 -- { "hkRefCountedProperties", … }
--    local doc <close> = every.new(lathe) -- for Fallout 4, as in a NIF; every.new(lathe, 1): arrays of one element

local every = {}

local DEEPEST = 6
local COLLISION = {}
for _, name in ipairs { "hkpRagdollConstraintData", "hkpLimitedHingeConstraintData", "hkpPositionConstraintMotor",
  "hknpPhysicsSystemData", "hknpPhysicsSceneData", "hknpRagdollData", "hknpCompressedMeshShape",
  "hknpCompressedMeshShapeData", "hknpDynamicCompoundShape", "hknpDynamicCompoundShapeData", "hkRefCountedProperties",
  "hknpShapeMassProperties", "hknpBSMaterialProperties", "hknpBreakableConstraintData", "hknpConvexPolytopeShape",
  "hknpSphereShape", "hknpCapsuleShape" } do
  COLLISION[name] = true
end

function every.classes(lathe)
  local found = {}
  for _, format in ipairs(lathe.formats()) do
    for _, name in ipairs(format.name == "hkx" and format.types or {}) do
      if COLLISION[name] then found[#found + 1] = name end
    end
  end
  return found
end

local filled

-- One element of an array, or a record in line; nil where the default is as good.
local function value_of(lathe, row, depth, length)
  if row.ref then return nil end
  if row.type == "cstr" then return "text" end
  local rows = lathe.describe(row.type)
  if rows and depth < DEEPEST then return filled(lathe, rows, depth + 1, length) end
  if row.array and row.kind ~= "string" then return 1 end
end

function filled(lathe, rows, depth, length)
  local record = {}
  for _, row in ipairs(rows) do
    local one = not row.computed and not row.readonly and not row.padding and value_of(lathe, row, depth, length)
    if one and row.array and row.resizable then
      record[row.name] = {}
      for i = 1, length do record[row.name][i] = one end
    elseif one and not row.array then
      record[row.name] = one
    end
  end
  return record
end

function every.new(lathe, length)
  local objects, numbers = {}, {}
  local function put(i, class)
    objects[i] = filled(lathe, lathe.describe(class), 1, length or 2)
    objects[i].class = class
  end
  for i, class in ipairs(every.classes(lathe)) do
    put(i + 1, class)
    numbers[i] = i + 1
  end
  put(1, "hknpPhysicsSystemData")
  objects[1].referenced_objects = numbers
  return assert(lathe.new("hkx", { game = "fallout4", predicates = "", objects = objects }))
end

return every
