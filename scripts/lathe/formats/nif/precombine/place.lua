--- Transforms: a rotation in rows, a uniform scale and a translation: p' = rotation * (scale * p) +
-- translation.
-- @module lathe.formats.nif.precombine.place

local place = {}

local cos, sin, abs = math.cos, math.sin, math.abs

local LARGEST <const> = 3.4028234e38 -- of f32
local SLACK <const> = 5e-4 -- tolerance for lengths of and angles between the rows of a rotation

--- The rotation of a placed object in rows, from its angles about x, y and z. In records of the game they are
-- clockwise: with the usual counter-clockwise matrices it is Rx(-a) * Ry(-b) * Rz(-c).
-- @tparam number a [rad]
-- @tparam number b [rad]
-- @tparam number c [rad]
-- @treturn {number,...} nine
function place.rotation(a, b, c)
  local ca, sa, cb, sb, cc, sc = cos(a), sin(a), cos(b), sin(b), cos(c), sin(c)
  return {
    cb * cc, cb * sc, -sb,
    sa * sb * cc - ca * sc, sa * sb * sc + ca * cc, sa * cb,
    ca * sb * cc + sa * sc, ca * sb * sc - sa * cc, ca * cb,
  }
end

--- Creates a transform.
-- @tparam {number,...} rotation nine, row after row
-- @tparam number scale
-- @tparam number x
-- @tparam number y
-- @tparam number z
-- @treturn table
function place.new(rotation, scale, x, y, z)
  return { r = rotation, s = scale, x = x, y = y, z = z }
end

--- The transform of a node or shape relative to its parent.
-- @param block a NiAVObject
-- @treturn table
function place.of(block)
  local t, m = block.translation, block.rotation
  local rows = {}
  for i = 1, 9 do rows[i] = m[i] end
  return place.new(rows, block.scale, t.x, t.y, t.z)
end

--- Transforms a point.
-- @tparam table p
-- @tparam number x
-- @tparam number y
-- @tparam number z
-- @treturn number
-- @treturn number
-- @treturn number
function place.point(p, x, y, z)
  local r, s = p.r, p.s
  return s * (r[1] * x + r[2] * y + r[3] * z) + p.x,
    s * (r[4] * x + r[5] * y + r[6] * z) + p.y,
    s * (r[7] * x + r[8] * y + r[9] * z) + p.z
end

--- Transforms many points.
-- @tparam table p
-- @tparam {number,...} from flat
-- @tparam {number,...} to
-- @tparam integer n how many numbers `to` already has
function place.points(p, from, to, n)
  local r, s, px, py, pz = p.r, p.s, p.x, p.y, p.z
  local xx, xy, xz, yx, yy = s * r[1], s * r[2], s * r[3], s * r[4], s * r[5]
  local yz, zx, zy, zz = s * r[6], s * r[7], s * r[8], s * r[9]
  for i = 1, #from, 3 do
    local x, y, z = from[i], from[i + 1], from[i + 2]
    to[n + i] = xx * x + xy * y + xz * z + px
    to[n + i + 1] = yx * x + yy * y + yz * z + py
    to[n + i + 2] = zx * x + zy * y + zz * z + pz
  end
end

--- Composes two transforms.
-- @tparam table outer
-- @tparam table inner
-- @treturn table
function place.compose(outer, inner)
  local a, b, r = outer.r, inner.r, {}
  for row = 0, 6, 3 do
    for column = 1, 3 do
      r[row + column] = a[row + 1] * b[column] + a[row + 2] * b[column + 3] + a[row + 3] * b[column + 6]
    end
  end
  return place.new(r, outer.s * inner.s, place.point(outer, inner.x, inner.y, inner.z))
end

--- The transform rounded to f32, so that values computed from it match the stored one.
-- @tparam table p
-- @treturn table
function place.stored(p)
  local r, floats = p.r, "<fffffffffffff"
  local n = { string.unpack(floats, string.pack(floats, p.x, p.y, p.z, p.s, table.unpack(r, 1, 9))) }
  return place.new({ table.unpack(n, 5, 13) }, n[4], n[1], n[2], n[3])
end

local function dot(r, i, k) return r[i] * r[k] + r[i + 1] * r[k + 1] + r[i + 2] * r[k + 2] end

local function determinant(r)
  return r[1] * (r[5] * r[9] - r[6] * r[8]) - r[2] * (r[4] * r[9] - r[6] * r[7])
    + r[3] * (r[4] * r[8] - r[5] * r[7])
end

local function is_rotation(r)
  for i = 1, 7, 3 do
    for k = i, 7, 3 do
      local fits = abs(dot(r, i, k) - (i == k and 1 or 0)) <= SLACK -- false for NaN
      if not fits then return false end
    end
  end
  return determinant(r) > 0
end

--- Why a transform cannot be stored as a rotation and a uniform scale.
-- @tparam table p
-- @treturn ?string nil: it can
function place.problem(p)
  for _, v in ipairs { p.s, p.x, p.y, p.z } do
    local finite = abs(v) <= LARGEST
    if not finite then return "its transform is no number that fits into a float" end
  end
  if p.s <= 0 then return ("its scale is %.9g"):format(p.s) end
  if not is_rotation(p.r) then return "its rotation mirrors, or scales the axes differently" end
  return nil
end

return place
