--- What skeletons, bodies and shapes of a tagfile mean, in plain Lua over what tagfile_reader has.

local reference = require "spline_reference"

local model = {}

-- ---- objects --------------------------------------------------------------------------------------------

--- Objects of a class or derived from it, in the order of the file: { item =, value = }.
function model.objects(file, class)
  local list = {}
  for number, item in ipairs(file.items) do
    local id = item.kind == 0x10 and item.type
    while id and id ~= 0 and file.types[id].name ~= class do id = file.types[id].parent end
    if id and id ~= 0 then list[#list + 1] = { item = number, value = file:value(number) } end
  end
  table.sort(list, function(a, b) return file.items[a.item].offset < file.items[b.item].offset end)
  return list
end

--- Object number i (1) of a class in a document of lathe's.
function model.find(doc, class, i)
  local lathe = require "lathe"
  i = i or 1
  for _, object in ipairs(doc.objects) do
    if lathe.type(object) == class then
      i = i - 1
      if i == 0 then return object end
    end
  end
end

--- The number of a type of that name, of those that objects are of.
function model.type_of(file, name)
  for _, item in ipairs(file.items) do
    if item.kind == 0x10 and file:display(item.type) == name then return item.type end
  end
end

-- ---- clips ----------------------------------------------------------------------------------------------

local SAME = {
  numberOfTransformTracks = "number_of_transform_tracks", numberOfFloatTracks = "number_of_float_tracks",
  numFrames = "num_frames", numBlocks = "num_blocks", maxFramesPerBlock = "max_frames_per_block",
  maskAndQuantizationSize = "mask_and_quantization_size", blockDuration = "block_duration",
  blockInverseDuration = "block_inverse_duration", frameDuration = "frame_duration", blockOffsets = "block_offsets",
  floatBlockOffsets = "float_block_offsets", duration = "duration", endian = "endian",
}

--- Members of an animation as spline_reference wants them.
function model.members(animation)
  local members, bytes = {}, {}
  for from, to in pairs(SAME) do members[to] = animation[from] end
  for i = 1, #animation.data, 4096 do
    bytes[#bytes + 1] = string.char(table.unpack(animation.data, i, math.min(i + 4095, #animation.data)))
  end
  members.data = table.concat(bytes)
  return members
end

-- ---- places ---------------------------------------------------------------------------------------------

--- The transform of a motion's state: sixteen numbers, as their columns.
function model.place(state)
  local t = state.transform
  return { x = { t[1], t[2], t[3] }, y = { t[5], t[6], t[7] }, z = { t[9], t[10], t[11] },
    translation = { t[13], t[14], t[15] } }
end

function model.columns(place)
  local function column(v, w) return { v[1], v[2], v[3], w } end
  return { column(place.x, 0), column(place.y, 0), column(place.z, 0), column(place.translation, 1) }
end

function model.turned(place, v)
  local out = {}
  for i = 1, 3 do out[i] = v[1] * place.x[i] + v[2] * place.y[i] + v[3] * place.z[i] end
  return out
end

--- Turned by a quaternion x y z w.
function model.turn(q, v)
  local x, y, z, w = q[1], q[2], q[3], q[4]
  local tx, ty, tz = 2 * (y * v[3] - z * v[2]), 2 * (z * v[1] - x * v[3]), 2 * (x * v[2] - y * v[1])
  return { v[1] + w * tx + y * tz - z * ty, v[2] + w * ty + z * tx - x * tz, v[3] + w * tz + x * ty - y * tx }
end

function model.numbers(list)
  local out = {}
  for i = 1, 16 do out[i] = list[i] end
  return out
end

-- ---- triangles ------------------------------------------------------------------------------------------

local function distance(p, a, b)
  local d, ap, dd, t = {}, {}, 0, 0
  for i = 1, 3 do
    d[i], ap[i] = b[i] - a[i], p[i] - a[i]
    dd, t = dd + d[i] * d[i], t + d[i] * ap[i]
  end
  t = dd > 0 and math.max(0, math.min(1, t / dd)) or 0
  local sum = 0
  for i = 1, 3 do sum = sum + (ap[i] - t * d[i]) ^ 2 end
  return math.sqrt(sum)
end

--- The least and the greatest distance of corners from the line between two points.
function model.reach(positions, a, b)
  local least, most = math.huge, 0
  for i = 1, positions.rows do
    local off = distance({ positions[3 * i - 2], positions[3 * i - 1], positions[3 * i] }, a, b)
    least, most = math.min(least, off), math.max(most, off)
  end
  return least, most
end

--- Six times the volume inside: negative where triangles are clockwise from outside.
function model.volume(mesh)
  local p, sum = mesh.positions, 0
  local function corner(k)
    local i = 3 * mesh.indices[k]
    return p[i + 1], p[i + 2], p[i + 3]
  end
  for i = 1, #mesh.indices, 3 do
    local ax, ay, az = corner(i)
    local bx, by, bz = corner(i + 1)
    local cx, cy, cz = corner(i + 2)
    sum = sum + ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
  end
  return sum
end

-- ---- scaling --------------------------------------------------------------------------------------------
-- Powers of the factor by class and member, of each number of the member; "rows" is as scale() counts them.

local XYZ, ALL, PLACE = { 1, 1, 1, 0 }, { 1 }, { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0 }
local POWERS = {
  hkQsTransformf = { translation = XYZ }, hkAabb = { min = XYZ, max = XYZ },
  hkpMotion = { inertiaAndMassInv = { -5, -5, -5, -3 }, linearVelocity = XYZ, deactivationRefPosition = XYZ },
  hkMotionState = { transform = PLACE, objectRadius = ALL,
    sweptTransform = { 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0 } },
  hkpCollidable = { allowedPenetrationDepth = ALL },
  hkpConvexShape = { radius = ALL }, hkpCapsuleShape = { vertexA = XYZ, vertexB = XYZ },
  hkpSetLocalTransformsConstraintAtom = { transformA = PLACE, transformB = PLACE },
  hkaDefaultAnimatedReferenceFrame = { referenceFrameSamples = XYZ },
  hkpExtendedMeshShape = { aabbHalfExtents = XYZ, aabbCenter = XYZ, triangleRadius = ALL },
  ["hkpExtendedMeshShape::TrianglesSubpart"] = { extrusion = XYZ },
  ["hkpStorageExtendedMeshShape::MeshSubpartStorage"] = { vertices = XYZ },
}

-- What is too large for a length stands for none.
local NONE <const> = 3.4028e38

local function numbers_of(value, out)
  if type(value) == "table" then
    for _, v in ipairs(value) do numbers_of(v, out) end
  else
    out[#out + 1] = value
  end
  return out
end

local function same(a, b, path)
  if type(a) ~= "table" then
    if a ~= b and (a == a or b == b) then error(("%s: %s became %s"):format(path, a, b), 0) end
    return
  end
  for k, v in pairs(a) do same(v, b[k], path .. "." .. tostring(k)) end
end

local function powers(a, b, list, factor, path, count)
  local was, now = numbers_of(a, {}), numbers_of(b, {})
  assert(#was == #now)
  for i, v in ipairs(was) do
    local power = list[(i - 1) % #list + 1]
    if math.abs(v) >= NONE then power = 0 end
    if now[i] ~= v * factor ^ power and v == v then
      error(("%s[%d]: %.9g became %.9g"):format(path, i, v, now[i]), 0)
    end
    if power ~= 0 then count.numbers = count.numbers + 1 end
  end
end

-- Translations of all tracks at all frames; what else a track does is as it was.
local function compare_splines(a, b, factor, path, count)
  local was, now = reference.new(model.members(a)), reference.new(model.members(b))
  for track = 1, was.number_of_transform_tracks do
    for frame = 0, was.num_frames - 1 do
      local wanted, got = was:at_frame(track, frame), now:at_frame(track, frame)
      for lane = 1, 3 do wanted[lane] = wanted[lane] * factor end
      if reference.distance(wanted, got) > 1e-9 then error(("%s: track %d, frame %d"):format(path, track, frame), 0) end
      count.numbers = count.numbers + 3
    end
  end
end

local compare

local function compare_record(file, id, a, b, factor, path, count)
  for _, member in ipairs(file:members(id)) do
    local class = member.class or model.declares(file, id, member.name)
    local list = POWERS[class] and POWERS[class][member.name]
    local name = path .. "." .. member.key
    if class == "hkaSplineCompressedAnimation" and member.name == "data" then
      compare_splines(a, b, factor, name, count)
    elseif list then
      powers(a[member.key], b[member.key], list, factor, name, count)
    else
      compare(file, member.type, a[member.key], b[member.key], factor, name, count)
    end
  end
end

function compare(file, id, a, b, factor, path, count)
  local kind = file:kind(id)
  if kind == "record" then
    compare_record(file, id, a, b, factor, path, count)
  elseif kind == "array" and file:kind(file:sub(id)) == "record" then
    for i, v in ipairs(a) do compare(file, file:sub(id), v, b[i], factor, ("%s[%d]"):format(path, i), count) end
  else
    same(a, b, path)
  end
end

--- The class that declares a member.
function model.declares(file, id, name)
  while id ~= 0 do
    for _, member in ipairs(file.types[id].members or {}) do
      if member.name == name then return file.types[id].name end
    end
    id = file.types[id].parent
  end
end

--- Every number of every object: what has a power is multiplied, all else is what it was. Gives how many were
-- multiplied.
function model.compare_scaled(before, after, factor)
  local count = { numbers = 0 }
  for number, item in ipairs(before.items) do
    if item.kind == 0x10 then
      compare(before, item.type, before:value(number), after:value(number), factor, before:display(item.type), count)
    end
  end
  return count
end

return model
