--- By what scaling multiplies each float of Skyrim's ragdolls: written down member by member, apart from lathe's schemas.
-- Scaling by s multiplies number i of a member by s^p[i]; `keep`: where bodies keep their mass. Whatever is not here stays.
--
--    local p = powers.of("hkpMotion", "inertiaAndMassInv", false, 4)    -- -3

local powers = {}

local POINT <const> = { 1, 1, 1, 0 }                  -- what is in w is not a length
local LENGTHS <const> = { 1, 1, 1, 1 }
local LENGTH <const> = { 1 }
local PLACE <const> = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0 }      -- three columns, then a translation
local POSE <const> = { 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 }                   -- translation, rotation, scale
local PLANE <const> = { 0, 0, 0, 1 }

local MEMBERS <const> = {
  hkaSkeleton = { referencePose = POSE },
  hkaSkeletonMapperDataSimpleMapping = { aFromBTransform = POSE },
  hkaSkeletonMapperDataChainMapping = { startAFromBTransform = POSE, endAFromBTransform = POSE },
  hkaSkeletonMapperData = { extractedMotionMapping = POSE },

  hkpCollidable = { allowedPenetrationDepth = LENGTH },
  hkpMotion = { inertiaAndMassInv = { -5, -5, -5, -3, keep = { -2, -2, -2, 0 } }, linearVelocity = POINT,
    deactivationRefPosition = POINT },
  hkMotionState = { transform = PLACE, objectRadius = LENGTH },
  hkSweptTransform = { centerOfMass0 = POINT, centerOfMass1 = POINT, centerOfMassLocal = POINT },

  hkAabb = { min = POINT, max = POINT },
  hkpConvexShape = { radius = LENGTH },
  hkpCapsuleShape = { vertexA = LENGTHS, vertexB = LENGTHS },              -- the radius is in w
  hkpCylinderShape = { cylRadius = LENGTH, vertexA = POINT, vertexB = POINT },
  hkpBoxShape = { halfExtents = POINT },
  hkpTriangleShape = { vertexA = POINT, vertexB = POINT, vertexC = POINT, extrusion = POINT },
  hkpMultiSphereShape = { spheres = LENGTHS },
  hkpConvexVerticesShape = { aabbHalfExtents = POINT, aabbCenter = POINT, planeEquations = PLANE },
  hkpConvexVerticesShapeFourVectors = { x = LENGTHS, y = LENGTHS, z = LENGTHS },
  hkpConvexListShape = { minDistanceToUseConvexHullForGetClosestPoints = LENGTH, aabbHalfExtents = POINT,
    aabbCenter = POINT },
  hkpListShape = { aabbHalfExtents = POINT, aabbCenter = POINT },
  hkpConvexTransformShape = { transform = PLACE },
  hkpConvexTranslateShape = { translation = POINT },
  hkpTransformShape = { transform = PLACE },
  hkpPlaneShape = { plane = PLANE, aabbCenter = POINT, aabbHalfExtents = POINT },
  hkpMoppCodeCodeInfo = { offset = { 1, 1, 1, -1 } },                       -- formats/mopp.md: in w steps in a unit
  hkpSimpleMeshShape = { vertices = POINT, radius = LENGTH },
  hkpExtendedMeshShape = { aabbHalfExtents = POINT, aabbCenter = POINT, triangleRadius = LENGTH },
  hkpExtendedMeshShapeTrianglesSubpart = { extrusion = POINT, transform = POSE },
  hkpExtendedMeshShapeShapesSubpart = { translation = POINT },
  hkpStorageExtendedMeshShapeMeshSubpartStorage = { vertices = POINT },
  hkpCompressedMeshShape = { radius = LENGTH, error = LENGTH, bigVertices = POINT, transforms = POSE },
  hkpCompressedMeshShapeChunk = { offset = POINT },
  hkpCompressedMeshShapeConvexPiece = { offset = POINT },
  hkpShapeInfo = { childTransforms = PLACE, transform = PLACE },

  hkpSetLocalTransformsConstraintAtom = { transformA = PLACE, transformB = PLACE },
  hkpSetLocalTranslationsConstraintAtom = { translationA = POINT, translationB = POINT },
  hkpLinLimitConstraintAtom = { min = LENGTH, max = LENGTH },
  hkpLinMotorConstraintAtom = { targetPosition = LENGTH },
  hkpStiffSpringConstraintAtom = { length = LENGTH },
  hkpPulleyConstraintAtom = { fixedPivotAinWorld = POINT, fixedPivotBinWorld = POINT, ropeLength = LENGTH },
  hkpRackAndPinionConstraintAtom = { pinionRadiusOrScrewPitch = LENGTH },
}

--- The list of powers of a member; nil: it stays.
function powers.of(class, member, keep)
  local p = MEMBERS[class] and MEMBERS[class][member]
  return p and keep and p.keep or p
end

--- Calls each(class, member) for all that are scaled.
function powers.each(each)
  for class, members in pairs(MEMBERS) do
    for member in pairs(members) do each(class, member) end
  end
end

return powers
