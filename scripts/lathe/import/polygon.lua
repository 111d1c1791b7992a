--- Triangulates polygons.
-- @module lathe.import.polygon

local polygon = {}

local MOST = 256 -- limit for ear clipping, which takes quadratic time

-- Twice the area as a vector (Newell's method); also for corners that are not exactly in a plane.
local function area_of(p)
  local x, y, z = 0, 0, 0
  local last = p[#p]
  for _, q in ipairs(p) do
    x = x + (last[2] - q[2]) * (last[3] + q[3])
    y = y + (last[3] - q[3]) * (last[1] + q[1])
    z = z + (last[1] - q[1]) * (last[2] + q[2])
    last = q
  end
  return x, y, z
end

-- Positive if a, b, c have the same orientation as the whole polygon with normal n.
local function turn(n, a, b, c)
  local ux, uy, uz = b[1] - a[1], b[2] - a[2], b[3] - a[3]
  local vx, vy, vz = c[1] - a[1], c[2] - a[2], c[3] - a[3]
  return n[1] * (uy * vz - uz * vy) + n[2] * (uz * vx - ux * vz) + n[3] * (ux * vy - uy * vx)
end

local function fan(n)
  local list = {}
  for i = 2, n - 1 do table.move({ 1, i, i + 1 }, 1, 3, #list + 1, list) end
  return list
end

local function fan_fits(n, p)
  for i = 2, #p - 1 do
    if turn(n, p[1], p[i], p[i + 1]) < 0 then return false end
  end
  return true
end

-- Whether a corner can be clipped: it is convex, and contains no other corner.
local function is_ear(n, p, left, at)
  local count = #left
  local before, after = left[(at - 2) % count + 1], left[at % count + 1]
  local a, b, c = p[before], p[left[at]], p[after]
  if turn(n, a, b, c) <= 0 then return false end
  for _, k in ipairs(left) do
    if k ~= before and k ~= left[at] and k ~= after then
      local q = p[k]
      if turn(n, a, b, q) >= 0 and turn(n, b, c, q) >= 0 and turn(n, c, a, q) >= 0 then return false end
    end
  end
  return true
end

local function cut_off(n, p)
  local left, list = {}, {}
  for i = 1, #p do left[i] = i end
  while #left > 3 do
    local ear
    for at = 1, #left do
      if is_ear(n, p, left, at) then
        ear = at
        break
      end
    end
    if not ear then return nil end -- it intersects itself
    local count = #left
    local three = { left[(ear - 2) % count + 1], left[ear], left[ear % count + 1] }
    table.move(three, 1, 3, #list + 1, list)
    table.remove(left, ear)
  end
  return table.move(left, 1, 3, #list + 1, list)
end

--- The corners of a polygon's triangles: 3 (n - 2) indices from 1. A fan if that covers the polygon.
-- @tparam {table,...} p points of three numbers
-- @treturn {integer,...}
function polygon.triangles(p)
  if #p > 3 and #p <= MOST then
    local n = { area_of(p) }
    if not fan_fits(n, p) then return cut_off(n, p) or fan(#p) end
  end
  return fan(#p)
end

return polygon
