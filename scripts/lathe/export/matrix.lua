--- Matrices of meshes and bones: 16 numbers in column-major order, for column vectors.
-- @module lathe.export.matrix

local matrix = {}

local IDENTITY = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }

local SQUARE = 1e-4 -- tolerance for right angles of axes
local SMALLEST = 1e-12 -- of scales

--- The identity matrix.
matrix.IDENTITY = IDENTITY

--- The largest finite f32.
matrix.LARGEST = 3.4028234e38

--- Whether it is an affine matrix: 16 numbers, finite as f32, with the last row 0, 0, 0, 1.
-- @param m
-- @treturn boolean
function matrix.is_affine(m)
  if type(m) ~= "table" then return false end
  for i = 1, 16 do
    local v = m[i]
    local fits = type(v) == "number" and math.abs(v) <= matrix.LARGEST -- false for NaN
    if not fits then return false end
    if i % 4 == 0 and v ~= IDENTITY[i] then return false end
  end
  return true
end

--- Whether it is the identity.
-- @tparam table m
-- @treturn boolean
function matrix.is_identity(m)
  for i = 1, 16 do
    if m[i] ~= IDENTITY[i] then return false end
  end
  return true
end

--- The product a * b: applies b first, then a.
-- @tparam table a
-- @tparam table b
-- @treturn table
function matrix.mul(a, b)
  local m = {}
  for c = 0, 12, 4 do
    for r = 1, 4 do
      m[c + r] = a[r] * b[c + 1] + a[4 + r] * b[c + 2] + a[8 + r] * b[c + 3] + a[12 + r] * b[c + 4]
    end
  end
  return m
end

--- Transforms a point.
-- @tparam table m
-- @tparam number x
-- @tparam number y
-- @tparam number z
-- @treturn number
-- @treturn number
-- @treturn number
function matrix.point(m, x, y, z)
  return m[1] * x + m[5] * y + m[9] * z + m[13],
    m[2] * x + m[6] * y + m[10] * z + m[14],
    m[3] * x + m[7] * y + m[11] * z + m[15]
end

--- Transforms a direction.
-- @tparam table m
-- @tparam number x
-- @tparam number y
-- @tparam number z
-- @treturn number
-- @treturn number
-- @treturn number
function matrix.direction(m, x, y, z)
  return m[1] * x + m[5] * y + m[9] * z,
    m[2] * x + m[6] * y + m[10] * z,
    m[3] * x + m[7] * y + m[11] * z
end

--- The determinant: negative if it mirrors, 0 if it is singular.
-- @tparam table m
-- @treturn number
function matrix.determinant(m)
  return m[1] * (m[6] * m[11] - m[10] * m[7]) - m[5] * (m[2] * m[11] - m[10] * m[3])
    + m[9] * (m[2] * m[7] - m[6] * m[3])
end

--- The matrix for transforming normals: the cofactors, which are the inverse transpose up to a factor. The
-- translation is 0.
-- @tparam table m
-- @treturn table
function matrix.for_normals(m)
  local sign = matrix.determinant(m) < 0 and -1 or 1
  local function cofactor(a, b, c, d) return sign * (m[a] * m[b] - m[c] * m[d]) end
  return {
    cofactor(6, 11, 10, 7), cofactor(9, 7, 5, 11), cofactor(5, 10, 9, 6), 0,
    cofactor(10, 3, 2, 11), cofactor(1, 11, 9, 3), cofactor(9, 2, 1, 10), 0,
    cofactor(2, 7, 6, 3), cofactor(5, 3, 1, 7), cofactor(1, 6, 5, 2), 0,
    0, 0, 0, 1,
  }
end

--- The inverse.
-- @tparam table m affine
-- @treturn ?table nil: there is none
function matrix.invert(m)
  local d = matrix.determinant(m)
  if d == 0 or d ~= d then return nil end
  local n = {
    (m[6] * m[11] - m[10] * m[7]) / d, (m[10] * m[3] - m[2] * m[11]) / d, (m[2] * m[7] - m[6] * m[3]) / d, 0,
    (m[9] * m[7] - m[5] * m[11]) / d, (m[1] * m[11] - m[9] * m[3]) / d, (m[5] * m[3] - m[1] * m[7]) / d, 0,
    (m[5] * m[10] - m[9] * m[6]) / d, (m[9] * m[2] - m[1] * m[10]) / d, (m[1] * m[6] - m[5] * m[2]) / d, 0,
  }
  local x, y, z = matrix.direction(n, m[13], m[14], m[15])
  n[13], n[14], n[15], n[16] = -x, -y, -z, 1
  return matrix.is_affine(n) and n or nil
end

-- The quaternion of a rotation with the columns a, b, c.
local function quaternion(a, b, c)
  local x, y, z, w
  local trace = a[1] + b[2] + c[3]
  if trace > 0 then
    x, y, z, w = b[3] - c[2], c[1] - a[3], a[2] - b[1], 1 + trace
  elseif a[1] >= b[2] and a[1] >= c[3] then
    x, y, z, w = 1 + a[1] - b[2] - c[3], a[2] + b[1], c[1] + a[3], b[3] - c[2]
  elseif b[2] >= c[3] then
    x, y, z, w = a[2] + b[1], 1 - a[1] + b[2] - c[3], b[3] + c[2], c[1] - a[3]
  else
    x, y, z, w = c[1] + a[3], b[3] + c[2], 1 - a[1] - b[2] + c[3], a[2] - b[1]
  end
  local length = math.sqrt(x * x + y * y + z * z + w * w)
  return { x / length, y / length, z / length, w / length }
end

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

--- Decomposes a matrix into translation, rotation (a quaternion x, y, z, w) and scale.
-- @tparam table m affine
-- @treturn ?table `{ t =, q =, s = }`; nil: it shears or is singular
function matrix.decompose(m)
  local axes, s = {}, {}
  for k = 1, 3 do
    local axis = { m[4 * k - 3], m[4 * k - 2], m[4 * k - 1] }
    s[k] = math.sqrt(dot(axis, axis))
    if s[k] < SMALLEST or s[k] == math.huge then return nil end
    axes[k] = { axis[1] / s[k], axis[2] / s[k], axis[3] / s[k] }
  end
  local a, b, c = axes[1], axes[2], axes[3]
  if math.abs(dot(a, b)) > SQUARE or math.abs(dot(b, c)) > SQUARE or math.abs(dot(c, a)) > SQUARE then
    return nil
  end
  if matrix.determinant(m) < 0 then
    s[1] = -s[1]
    a[1], a[2], a[3] = -a[1], -a[2], -a[3]
  end
  return { t = { m[13], m[14], m[15] }, q = quaternion(a, b, c), s = s }
end

--- The matrix of a translation, rotation and scale.
-- @tparam table trs
-- @treturn table
function matrix.compose(trs)
  local x, y, z, w = table.unpack(trs.q)
  local s, t = trs.s, trs.t
  return {
    (1 - 2 * (y * y + z * z)) * s[1], 2 * (x * y + z * w) * s[1], 2 * (x * z - y * w) * s[1], 0,
    2 * (x * y - z * w) * s[2], (1 - 2 * (x * x + z * z)) * s[2], 2 * (y * z + x * w) * s[2], 0,
    2 * (x * z + y * w) * s[3], 2 * (y * z - x * w) * s[3], (1 - 2 * (x * x + y * y)) * s[3], 0,
    t[1], t[2], t[3], 1,
  }
end

return matrix
