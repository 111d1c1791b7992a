--- Which sides of triangles a viewer sees: whether exported files are right side out. By rays, not by pictures.

local ray_caster = require "ray_caster"

local seen = {}

local SIDE = 64 -- rays in each direction

-- Parallel rays along z: the last coordinate is the distance, less is nearer.
local CAMERA = { perspective = false, scale = 1, centre = { 0, 0 }, near = -math.huge, far = math.huge }

-- From the viewer's place, `turn` degrees from the front (+z) to the right and `tilt` upwards: x to the right, y up, z back.
local function turned(turn, tilt)
  local a, e = math.rad(turn), math.rad(tilt)
  local sa, ca, se, ce = math.sin(a), math.cos(a), math.sin(e), math.cos(e)
  return function(p, i)
    local x, y, z = p[i], p[i + 1], p[i + 2]
    return { ca * x - sa * z, -sa * se * x + ce * y - ca * se * z, sa * ce * x + se * y + ca * ce * z }
  end
end

-- All triangles as the viewer sees them, each with `back`; and the bounds of what they cover.
local function gather(list, see)
  local triangles, low, high = {}, { math.huge, math.huge }, { -math.huge, -math.huge }
  for _, mesh in ipairs(list) do
    local p, indices = mesh.positions, mesh.indices
    for t = 1, indices and #indices or #p // 3, 3 do
      local one = {}
      for k = 0, 2 do
        local corner = see(p, 3 * (indices and indices[t + k] or t + k - 1) + 1)
        one[k + 1] = corner
        for axis = 1, 2 do
          low[axis], high[axis] = math.min(low[axis], corner[axis]), math.max(high[axis], corner[axis])
        end
      end
      local a, b, c = one[1], one[2], one[3]
      local area = (b[1] - a[1]) * (c[2] - a[2]) - (c[1] - a[1]) * (b[2] - a[2])
      one.back = area < 0 ~= mesh.mirrored and not mesh.material.doubleSided
      triangles[#triangles + 1] = one
    end
  end
  return triangles, low, high
end

--- How many of 64 x 64 rays through a file (of `glb.parse`) meet the back of a triangle first, and how many meet any.
-- The viewer is `turn` degrees to the right of the front and `tilt` above it. Materials with two sides have no back.
function seen.backs(file, turn, tilt)
  local triangles, low, high = gather(file:drawn(), turned(turn, tilt))
  local step = math.max(high[1] - low[1], high[2] - low[2]) / SIDE
  local of_ray = {} -- the triangles that a ray may meet, by the ray's number
  local function cell(at, axis) return (at - low[axis]) / step - 0.5 end
  for _, one in ipairs(triangles) do
    local a, b, c = one[1], one[2], one[3]
    for row = math.ceil(cell(math.min(a[2], b[2], c[2]), 2)), math.floor(cell(math.max(a[2], b[2], c[2]), 2)) do
      for column = math.ceil(cell(math.min(a[1], b[1], c[1]), 1)), math.floor(cell(math.max(a[1], b[1], c[1]), 1)) do
        local ray = row * (SIDE + 1) + column
        of_ray[ray] = of_ray[ray] or {}
        table.insert(of_ray[ray], one)
      end
    end
  end
  local backs, all = 0, 0
  for ray, some in pairs(of_ray) do
    local x, y = low[1] + (ray % (SIDE + 1) + 0.5) * step, low[2] + (ray // (SIDE + 1) + 0.5) * step
    local found = ray_caster.nearest(CAMERA, some, x, -y)
    if found > 0 then
      all = all + 1
      if some[found].back then backs = backs + 1 end
    end
  end
  return backs, all
end

return seen
