--- The part of phxbn. The bones of its skeletons are between points, and their poses are computed from these.
-- So an import sets the points.
--
-- A pose determines the midpoint of a bone and its direction; its length stays. Bones that share a point must
-- still meet there after the import.
-- @module lathe.formats.phxbn

local matrix = require "lathe.export.matrix"
local order = require "lathe.export.order"

local phxbn = {}

local SAME = 1e-5 -- relative to the bone's length: rounding by other programs
local MEET = 1e-3 -- relative to the bone's length: maximum distance of ends that share a point
local TINY = 1e-9 -- in metres: rounding
local FACTOR = 1e-4 -- relative tolerance for a common scale factor of all distances

local function distance(a, b)
  return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end

local function place_of(m) return { m[13], m[14], m[15] } end

-- Matrices of bones in model space; nil if a bone is its own ancestor.
local function matrices_of(bones)
  local numbers = order.parents_first(1, #bones, function(i)
    local parent = bones[i].parent + 1
    return bones[parent] and parent
  end)
  if not numbers then return nil end
  local out = {}
  for _, i in ipairs(numbers) do
    local above, m = out[bones[i].parent + 1], matrix.compose(bones[i].pose)
    out[i] = above and matrix.mul(above, m) or m
  end
  return out
end

-- The scale factor of all bones: 1 unless all distances between midpoints changed by the same factor.
local function factor_of(old, new)
  local before, after = 0, 0
  for i = 2, #old do
    before = before + distance(place_of(old[i]), place_of(old[1]))
    after = after + distance(place_of(new[i]), place_of(new[1]))
  end
  local factor = before > 0 and after / before or 1
  for i = 2, #old do
    local want = factor * distance(place_of(old[i]), place_of(old[1]))
    local alike = math.abs(distance(place_of(new[i]), place_of(new[1])) - want) <= FACTOR * after / #old
    if not alike then return 1 end
  end
  return math.abs(factor - 1) > FACTOR and factor or 1
end

local function ends_of(m, length)
  local z = math.sqrt(m[9] ^ 2 + m[10] ^ 2 + m[11] ^ 2)
  local half = z > 0 and length / 2 / z or 0
  local start, finish = {}, {}
  for k = 1, 3 do
    start[k], finish[k] = m[12 + k] - half * m[8 + k], m[12 + k] + half * m[8 + k]
  end
  return start, finish
end

local Places = {}
Places.__index = Places

-- Sets the position of a bone's point; nil and a reason if another bone needs another one.
function Places:put(point, place, bone, length)
  local other = self[point]
  if not other then
    self[point] = { place = place, bone = bone }
    return true
  end
  local apart = distance(other.place, place)
  if apart <= MEET * length then return true end
  return nil, ("bones %s and %s meet in point %d, and stand %.6g apart in the file"):format(
    self.names[other.bone], self.names[bone], point - 1, apart)
end

local function names_of(bones)
  local names = {}
  for i, bone in ipairs(bones) do
    names[i] = bone.name and ("%d ('%s')"):format(i - 1, bone.name) or tostring(i - 1)
  end
  return names
end

local function vector(view) return { view.x, view.y, view.z } end

-- The new positions of all points.
local function places_of(doc, old, new, factor)
  local bones = doc.skeletons[1].bones
  local places = setmetatable({ names = names_of(bones) }, Places)
  for i = 1, #old do
    local ends = doc.bone_ends[i]
    local a, b = ends.start + 1, ends.finish + 1
    local start, finish = vector(doc.points[a]), vector(doc.points[b])
    local length = factor * distance(start, finish)
    local s, f = ends_of(new[i], length)
    local os, of = ends_of(old[i], length)
    local still = factor == 1 and math.max(distance(s, os), distance(f, of)) <= SAME * length
    if still then s, f = start, finish end
    for _, one in ipairs { { a, s }, { b, f } } do
      local ok, why = places:put(one[1], one[2], i, length)
      if not ok then return nil, why end
    end
  end
  return places
end

local function set(view, place)
  for k, name in ipairs { "x", "y", "z" } do
    if math.abs(view[name] - place[k]) > TINY then view[name] = place[k] end
  end
end

-- Moves a centre of mass with its bone.
local function move_centre(doc, i, old, new, factor)
  local back = matrix.invert(old)
  if not back then return end
  local x, y, z = matrix.point(back, table.unpack(vector(doc.bone_com[i])))
  set(doc.bone_com[i], { matrix.point(new, factor * x, factor * y, factor * z) })
end

--- Sets the points of a document so that its bones have the poses of a skeleton.
-- @param doc is changed, in the caller's edit
-- @tparam table skeleton from `lathe.import`, with the same bones
-- @treturn ?boolean
-- @treturn string the reason, with the names of the bones
function phxbn.set_poses(doc, skeleton)
  local old, new = matrices_of(doc.skeletons[1].bones), matrices_of(skeleton.bones)
  if not old or not new then return nil, "a bone is its own ancestor" end
  local factor = factor_of(old, new)
  local places, why = places_of(doc, old, new, factor)
  if not places then return nil, why end
  for i = 1, #old do
    local ends = doc.bone_ends[i]
    local a, b = vector(doc.points[ends.start + 1]), vector(doc.points[ends.finish + 1])
    local moved = distance(a, places[ends.start + 1].place) + distance(b, places[ends.finish + 1].place) > 0
    if moved and doc.bone_com then move_centre(doc, i, old[i], new[i], factor) end
  end
  for point, one in pairs(places) do
    if math.type(point) then set(doc.points[point], one.place) end
  end
  return true
end

return phxbn
