--- Tagfiles of a skeleton, a clip and bodies, whose classes have Havok's names, but members at other places and in
-- another order than in any game's files.
--
--    local kit = sample_tagfile_model.kit(change)   -- types by name; change(types, library) may change them first
--    kit.file(object)                               -- bytes of a file with that root
--    kit.body(shape, values), kit.shape(class, values)   -- objects
--    kit.world { body, … }, kit.rig(opts), kit.clip(opts)

local sample = require "sample_tagfile"
local writer = require "sample_tagfile_write"

local models = {}

local IDENTITY <const> = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }

local function object(type, values) return { type = type, values = values } end

-- ---- types ----------------------------------------------------------------------------------------------

local function basics(l, t)
  t.base = l:record("hkReferencedObject", 24, { { "sizeAndFlags", l:number "ulong", 8, flags = 0x21 },
    { "refCount", l:number "ulong", 16, flags = 0x21 } })
  t.vector, t.quaternion = l:vector("hkVector4f", 4), l:vector("hkQuaternionf", 4)
  t.matrix = l:vector("hkTransformf", 16)
  t.turned = l:record("hkQsTransformf", 48, { { "translation", t.vector, 0 }, { "rotation", t.quaternion, 16 },
    { "scale", t.vector, 32 } }, { align = 0x4010 })
  t.fours = l:record("hkFourTransposedPointsf", 48, { { "x", t.vector, 0 }, { "y", t.vector, 16 }, { "z", t.vector, 32 } },
    { align = 0x4010 })
end

local function skeleton_types(l, t)
  t.bone = l:record("hkaBone", 24, { { "lockTranslation", l:number "bool", 4 }, { "name", l:number "text", 8 } })
  t.skeleton = l:record("hkaSkeleton", 144, { { "floatSlots", l:array(l:number "text"), 24 },
    { "referencePose", l:array(t.turned), 40 }, { "bones", l:array(t.bone), 64 },
    { "parentIndices", l:array(l:number "short"), 96 }, { "name", l:number "text", 128 } }, { parent = t.base })
end

local function clip_types(l, t)
  t.note = l:record("hkaAnnotationTrack::Annotation", 24, {
    { "text", l:number "text", 8 }, { "time", l:number "float", 4 } })
  t.notes = l:record("hkaAnnotationTrack", 32, {
    { "annotations", l:array(t.note), 8 }, { "trackName", l:number "text", 24 } })
  t.animation = l:record("hkaAnimation", 72, { { "annotationTracks", l:array(t.notes), 24 },
    { "numberOfFloatTracks", l:number "int", 40 }, { "numberOfTransformTracks", l:number "int", 44 },
    { "duration", l:number "float", 48 }, { "extractedMotion", l:pointer(t.base), 64 } }, { parent = t.base })
  t.interleaved = l:record("hkaInterleavedUncompressedAnimation", 112, { { "floats", l:array(l:number "float"), 72 },
    { "transforms", l:array(t.turned), 96 } }, { parent = t.animation })
  t.binding = l:record("hkaAnimationBinding", 80, { { "blendHint", l:number "byte", 24 },
    { "animation", l:pointer(t.animation), 32 }, { "originalSkeletonName", l:number "text", 40 },
    { "transformTrackToBoneIndices", l:array(l:number "short"), 48 } }, { parent = t.base })
  t.container = l:record("hkaAnimationContainer", 88, { { "bindings", l:array(l:pointer(t.binding)), 24 },
    { "animations", l:array(l:pointer(t.animation)), 40 }, { "skeletons", l:array(l:pointer(t.skeleton)), 56 } },
    { parent = t.base })
end

local function body_types(l, t)
  local float = l:number "float"
  t.shape = l:record("hkpShape", 40, { { "userData", l:number "ulong", 32 } }, { parent = t.base })
  t.handle = l:record("hkpTypedBroadPhaseHandle", 12, { { "collisionFilterInfo", l:number "uint", 4 } }, { align = 4 })
  t.collidable = l:record("hkpLinkedCollidable", 48, { { "broadPhaseHandle", t.handle, 8 },
    { "shape", l:pointer(t.shape), 32 } })
  t.material = l:record("hkpMaterial", 16, { { "restitution", float, 4 }, { "friction", float, 12 } }, { align = 4 })
  t.state = l:record("hkMotionState", 192, { { "objectRadius", float, 0 }, { "linearDamping", l:number "upper", 8 },
    { "transform", t.matrix, 16 }, { "sweptTransform", l:inline(t.vector, 5), 96 } }, { align = 0x4010 })
  t.motion = l:record("hkpMotion", 256, { { "inertiaAndMassInv", t.vector, 32 }, { "motionState", t.state, 48 },
    { "type", l:number "ubyte", 240 } }, { parent = t.base, align = 0x4010 })
  t.body = l:record("hkpRigidBody", 416, { { "name", l:number "text", 32 }, { "motion", t.motion, 48 },
    { "material", t.material, 304 }, { "collidable", t.collidable, 352 } }, { parent = t.base, align = 0x4010 })
  t.system = l:record("hkpPhysicsSystem", 56, { { "rigidBodies", l:array(l:pointer(t.body)), 32 } }, { parent = t.base })
end

local function convex_types(l, t)
  local float = l:number "float"
  local convex = l:record("hkpConvexShape", 56, { { "radius", float, 48 } }, { parent = t.shape })
  local function derived(name, size, members, parent)
    t[name] = l:record(name, size, members, { parent = parent or convex, align = 0x4010 })
  end
  derived("hkpSphereShape", 64, {})
  derived("hkpBoxShape", 80, { { "halfExtents", t.vector, 64 } })
  derived("hkpCapsuleShape", 112, { { "vertexB", t.vector, 64 }, { "vertexA", t.vector, 96 } })
  derived("hkpCylinderShape", 112, { { "cylRadius", float, 56 }, { "vertexA", t.vector, 64 }, { "vertexB", t.vector, 96 } })
  derived("hkpTriangleShape", 112, { { "vertexC", t.vector, 64 }, { "vertexA", t.vector, 80 }, { "vertexB", t.vector, 96 } })
  derived("hkpConvexVerticesShape", 112, {
    { "numVertices", l:number "int", 56 }, { "rotatedVertices", l:array(t.fours), 64 },
    { "planeEquations", l:array(t.vector), 96 } })
  derived("myBoxShape", 96, { { "color", l:number "uint", 80 } }, t.hkpBoxShape)
  derived("hkpStrangeShape", 64, { { "depth", float, 40 } }, t.shape)
end

local function holder_types(l, t)
  local child = l:record("hkpSingleShapeContainer", 16, { { "childShape", l:pointer(t.shape), 8 } })
  local info = l:record("hkpListShape::ChildInfo", 24, { { "shape", l:pointer(t.shape), 16 } })
  local function derived(name, size, members)
    t[name] = l:record(name, size, members, { parent = t.shape, align = 0x4010 })
  end
  derived("hkpListShape", 64, { { "childInfo", l:array(info), 48 } })
  derived("hkpMoppBvTreeShape", 64, { { "child", child, 48 } })
  derived("hkpConvexTranslateShape", 80, { { "childShape", child, 40 }, { "translation", t.vector, 64 } })
  derived("hkpConvexTransformShape", 112, { { "childShape", child, 40 }, { "transform", t.turned, 64 } })
  derived("hkpTransformShape", 128, { { "childShape", child, 40 }, { "transform", t.matrix, 64 } })
end

local function mesh_types(l, t)
  local byte, uint = l:number "ubyte", l:number "uint"
  t.stored = l:record("hkpStorageExtendedMeshShape::MeshSubpartStorage", 88, { { "indices32", l:array(uint), 24 },
    { "indices8", l:array(byte), 40 }, { "indices16", l:array(l:number "ushort"), 56 },
    { "vertices", l:array(t.vector), 72 } }, { parent = t.base })
  t.part = l:record("hkpExtendedMeshShape::TrianglesSubpart", 64, { { "transform", t.turned, 0 },
    { "flipAlternateTriangles", byte, 48 } }, { align = 0x4010 })
  t.shapes = l:record("hkpExtendedMeshShape::ShapesSubpart", 48, { { "translation", t.vector, 0 },
    { "rotation", t.quaternion, 16 }, { "childShapes", l:array(l:pointer(t.shape)), 32 } }, { align = 0x4010 })
  t.extended = l:record("hkpExtendedMeshShape", 80, { { "shapesSubparts", l:array(t.shapes), 40 },
    { "trianglesSubparts", l:array(t.part), 64 } }, { parent = t.shape })
  t.mesh = l:record("hkpStorageExtendedMeshShape", 96, { { "meshstorage", l:array(l:pointer(t.stored)), 80 } },
    { parent = t.extended })
end

-- ---- objects --------------------------------------------------------------------------------------------

local Kit = {}
Kit.__index = Kit

--- The types, and what makes objects of them.
function models.kit(change)
  local library = sample.library ""
  local kit = setmetatable({ library = library, types = {} }, Kit)
  for _, add in ipairs { basics, skeleton_types, clip_types, body_types, convex_types, holder_types, mesh_types } do
    add(library, kit.types)
  end
  if change then change(kit.types, library) end
  return kit
end

function Kit:file(root)
  return writer.build { types = self.library.types, char = self.library:number "char", root = root, hash_all = true }
end

function Kit:shape(class, values)
  return object(self.types[class], values or {})
end

--- A body of a shape; more: type, place (16 numbers), name, mass.
function Kit:body(shape, more)
  more = more or {}
  local inverse = more.mass and 1 / more.mass or 0
  return object(self.types.body, { name = more.name or "a body", collidable = { shape = shape,
    broadPhaseHandle = { collisionFilterInfo = 12 } }, material = { friction = 0.5, restitution = 0.25 },
    motion = { type = more.type or 5, inertiaAndMassInv = { inverse, inverse, inverse, inverse },
      motionState = { objectRadius = 2, transform = more.place or IDENTITY, linearDamping = 0.5,
        sweptTransform = { { 1, 2, 3, 0 }, { 1, 2, 3, 0 }, { 0, 0, 0, 1 }, { 0, 0, 0, 1 }, { 1, 2, 3, 0 } } } } })
end

function Kit:world(bodies)
  return object(self.types.system, { rigidBodies = bodies })
end

function Kit:rig(values)
  local all = { name = "rig", bones = { { name = "root" }, { name = "arm", lockTranslation = true }, { name = "hand" } },
    parentIndices = { -1, 0, 1 }, floatSlots = { "fade" }, referencePose = {} }
  for i = 1, 3 do
    all.referencePose[i] = { translation = { i, 0, 0, 9 }, rotation = { 0, 0, 0, 1 }, scale = { 1, 1, 1, 9 } }
  end
  for k, v in pairs(values or {}) do all[k] = v end
  return object(self.types.skeleton, all)
end

--- A container of a skeleton and a clip of two frames, of three tracks.
function Kit:clip(rig)
  local transforms = {}
  for i = 1, 6 do
    transforms[i] = { translation = { i, 0, 0, 0 }, rotation = { 0, 0, 0, 1 }, scale = { 1, 1, 1, 0 } }
  end
  local animation = object(self.types.interleaved, { duration = 2, numberOfTransformTracks = 3, transforms = transforms,
    annotationTracks = { { annotations = { { time = 0.5, text = "step" } } }, {}, {} } })
  local binding = object(self.types.binding, { animation = animation, originalSkeletonName = "rig", blendHint = 2,
    transformTrackToBoneIndices = { 2, 0, 1 } })
  return object(self.types.container, { animations = { animation }, bindings = { binding }, skeletons = { rig } })
end

return models
