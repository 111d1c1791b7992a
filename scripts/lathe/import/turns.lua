--- Bones whose axes another program rotated.
--
-- Blender draws a bone along its y axis. Its glTF importer rotates the axes of bones so that they point at
-- their children (Bone Dir: Temperance, the default, and Fortune), and its exporter writes the rotated axes.
-- Such a bone rests at the same place as in the skeleton. Its rotation C ("turn") follows from its two rest
-- poses: rest of the file = rest of the skeleton * C. A local pose L of the file is C(parent) L C(bone)^-1 in
-- the skeleton.
-- @module lathe.import.turns

local matrix = require "lathe.export.matrix"

local turns = {}

local SMALLEST = 1e-12 -- of an axis
local SAME = 1e-3 -- maximum difference of rotation matrices that count as equal
local NONE = 1e-5 -- maximum difference from the identity by rounding
local NEAR = 2e-3 -- maximum distance of positions that count as equal, relative to the skeleton's size
local ENOUGH = 0.5 -- fraction of the bones at their rest position; below, the rest pose differs

-- The rotation of a matrix whose axes may be slightly sheared; nil where an axis has no length.
local function rotation_of(m)
  local x, y = { m[1], m[2], m[3] }, { m[5], m[6], m[7] }
  local function unit(v)
    local length = math.sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3])
    if length < SMALLEST then return nil end
    return { v[1] / length, v[2] / length, v[3] / length }
  end
  x = unit(x)
  if not x then return nil end
  local along = x[1] * y[1] + x[2] * y[2] + x[3] * y[3]
  y = unit { y[1] - along * x[1], y[2] - along * x[2], y[3] - along * x[3] }
  if not y then return nil end
  local z = { x[2] * y[3] - x[3] * y[2], x[3] * y[1] - x[1] * y[3], x[1] * y[2] - x[2] * y[1] }
  return { x[1], x[2], x[3], 0, y[1], y[2], y[3], 0, z[1], z[2], z[3], 0, 0, 0, 0, 1 }
end

-- The nearest rotation by multiples of 90 degrees about the axes; nil where that would mirror.
local function by_quarters(m)
  local out, taken = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 }, {}
  for column = 0, 8, 4 do
    local best
    for row = 1, 3 do
      local larger = not best or math.abs(m[column + row]) > math.abs(m[column + best])
      if larger and not taken[row] then best = row end
    end
    taken[best] = true
    out[column + best] = m[column + best] < 0 and -1 or 1
  end
  return matrix.determinant(out) > 0 and out or nil
end

local function difference(a, b)
  local most = 0
  for i = 1, 12 do most = math.max(most, math.abs(a[i] - b[i])) end
  return most
end

local function size_of(worlds)
  local size = 0
  for _, m in pairs(worlds) do
    for i = 13, 15 do size = math.max(size, math.abs(m[i])) end
  end
  return size
end

local function at_place(a, b, near)
  for i = 13, 15 do
    if math.abs(a[i] - b[i]) > near then return false end
  end
  return true
end

local function product(a, b)
  return {
    a[4] * b[1] + a[1] * b[4] + a[2] * b[3] - a[3] * b[2],
    a[4] * b[2] - a[1] * b[3] + a[2] * b[4] + a[3] * b[1],
    a[4] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[4],
    a[4] * b[4] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  }
end

local HALF = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } }

-- A rotation times diag(signs), with no or two signs of -1: two are half a turn about the third axis.
local function half_turned(q, signs)
  for i = 1, 3 do
    if signs[i] > 0 and signs[1] + signs[2] + signs[3] < 0 then return product(q, HALF[i]) end
  end
  return q
end

local function signs_of(s)
  return { s[1] < 0 and -1 or 1, s[2] < 0 and -1 or 1, s[3] < 0 and -1 or 1 }
end

--- A pose without its scale, as Blender's bones have none at rest. Blender takes a mirrored pose for one with
-- three negative scales, and chooses the rotation accordingly.
-- @tparam table pose
-- @treturn table
function turns.unscaled(pose)
  local signs = signs_of(pose.s)
  local mirrors = signs[1] * signs[2] * signs[3]
  for i = 1, 3 do signs[i] = mirrors * signs[i] end
  return { t = pose.t, q = half_turned(pose.q, signs), s = { 1, 1, 1 } }
end

--- A pose with three negative scales, as Blender writes mirrored ones, with the signs of the rest pose.
-- @tparam table pose
-- @tparam table still the bone's pose at rest
-- @treturn table
function turns.mirrored(pose, still)
  local s, signs = pose.s, signs_of(still.s)
  if not (s[1] < 0 and s[2] < 0 and s[3] < 0) or signs[1] * signs[2] * signs[3] > 0 then return pose end
  for i = 1, 3 do signs[i] = -signs[i] end
  s = { signs[1] * s[1], signs[2] * s[2], signs[3] * s[3] }
  return { t = pose.t, q = half_turned(pose.q, signs), s = s }
end

-- The rest transforms of the skeleton's bones by number, with and without scales.
local function rest_of(bones, order)
  local places, axes = {}, {}
  for _, i in ipairs(order) do
    local pose, above = bones[i].still, bones[i].above
    local place, unscaled = matrix.compose(pose), matrix.compose(turns.unscaled(pose))
    places[i] = above and matrix.mul(places[above], place) or place
    axes[i] = above and matrix.mul(axes[above], unscaled) or unscaled
  end
  return places, axes
end

-- The rotation C of a bone, the nearest one by multiples of 90 degrees, and whether the bone is at its rest
-- position.
local function compare(axes, theirs, placed)
  local back = matrix.invert(axes)
  local turn = back and rotation_of(matrix.mul(back, theirs))
  local quarters = turn and by_quarters(turn)
  local is_quarters = quarters and difference(quarters, turn) < SAME
  return { turn = turn, quarters = quarters, placed = placed, is_quarters = is_quarters }
end

-- The rotation C of a bone in a file whose rotations are not all multiples of 90 degrees. If the bone is at
-- another position, only a multiple is used: the rest is an edit of the bone itself.
local function any_turn_of(one)
  if not one.placed or not one.turn then return one.quarters end
  return difference(one.turn, matrix.IDENTITY) >= NONE and one.turn or nil
end

--- Finds the rotations C of a file's bones.
-- @tparam {table,...} bones of a rig, with the skeleton's poses (`still`)
-- @tparam {integer,...} order their numbers, parents first
-- @tparam function theirs returns the rest transform of bone i in the file, in the skeleton's space, with and
--   without scales; nil: missing
-- @tparam boolean by_any whether other rotations than multiples of 90 degrees are allowed: yes for
--   animations; in a skeleton, these are edits
-- @treturn {table,...} rotations by bone, if not the identity: `m`, its quaternion `q` and that of its
--   inverse, `back`
-- @treturn boolean whether the file's rest pose differs
function turns.find(bones, order, theirs, by_any)
  local seen, list, places, axes = {}, {}, rest_of(bones, order)
  local near = NEAR * size_of(places)
  local known, placed, askew = 0, 0, false
  for i in ipairs(bones) do
    local place, unscaled = theirs(i)
    if place then
      local one = compare(axes[i], unscaled, at_place(places[i], place, near))
      seen[i], known, placed = one, known + 1, placed + (one.placed and 1 or 0)
      askew = askew or one.placed and one.turn and not one.is_quarters
    end
  end
  if placed < ENOUGH * known then return {}, true end
  for i, one in pairs(seen) do
    local turn = one.quarters
    if by_any and askew then turn = any_turn_of(one) end
    if turn and not matrix.is_identity(turn) then
      local q = matrix.decompose(turn).q
      list[i] = { m = turn, q = q, back = { -q[1], -q[2], -q[3], q[4] } }
    end
  end
  return list, false
end

--- Converts a local pose of the file to the skeleton's axes. Non-uniform scales are exact only for multiples
-- of 90 degrees.
-- @tparam table pose `t`, `q`, `s`
-- @tparam ?table above the rotation of the parent bone
-- @tparam ?table own
-- @treturn table
function turns.undo(pose, above, own)
  local t, q, s = pose.t, pose.q, pose.s
  if above then
    t = { matrix.direction(above.m, t[1], t[2], t[3]) }
    q = product(above.q, q)
  end
  if own then
    local m, turned = own.m, {}
    for i = 1, 3 do
      turned[i] = m[i] * m[i] * s[1] + m[4 + i] * m[4 + i] * s[2] + m[8 + i] * m[8 + i] * s[3]
    end
    q, s = product(q, own.back), turned
  end
  return { t = t, q = q, s = s }
end

--- Converts a model-space matrix of the file to the skeleton's axes.
-- @tparam table m
-- @tparam ?table own
-- @treturn table
function turns.undo_place(m, own)
  if not own then return m end
  return matrix.mul(m, matrix.compose { t = { 0, 0, 0 }, q = own.back, s = { 1, 1, 1 } })
end

return turns
