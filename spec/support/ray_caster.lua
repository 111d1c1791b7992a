--- Finds what a camera sees at a point of a picture, by a ray through every triangle. For tests: shares no code with the
--- rasteriser, and knows nothing of grids, samples or depth buffers.

local ray_caster = {}

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

--- A point of the world in the camera's space. camera: as in core/picture/raster.h, its view as a list of four columns.
function ray_caster.seen(camera, p)
  local v, out = camera.view, {}
  for row = 1, 3 do out[row] = v[1][row] * p[1] + v[2][row] * p[2] + v[3][row] * p[3] + v[4][row] end
  return out
end

--- Where a point of the world is in the picture, and its distance.
function ray_caster.project(camera, p)
  local c = ray_caster.seen(camera, p)
  local k = camera.perspective and camera.scale / -c[3] or camera.scale
  return camera.centre[1] + c[1] * k, camera.centre[2] - c[2] * k, -c[3]
end

-- The ray of a point of the picture, in the camera's space; its direction has a z of -1: its parameter is the distance.
local function ray(camera, x, y)
  local dx, dy = (x - camera.centre[1]) / camera.scale, (camera.centre[2] - y) / camera.scale
  if camera.perspective then return { 0, 0, 0 }, { dx, dy, -1 } end
  return { dx, dy, 0 }, { 0, 0, -1 }
end

-- The distance at which a ray meets a triangle (Moeller and Trumbore, 1997).
local function meet(origin, way, t)
  local a, b = sub(t[2], t[1]), sub(t[3], t[1])
  local p = cross(way, b)
  local det = dot(a, p)
  if det == 0 then return nil end
  local from = sub(origin, t[1])
  local u = dot(from, p) / det
  if u < 0 or u > 1 then return nil end
  local q = cross(from, a)
  local v = dot(way, q) / det
  if v < 0 or u + v > 1 then return nil end
  return dot(b, q) / det
end

--- The number of the nearest triangle at the point (x, y) between near and far, or 0; its distance, and the next one's.
--- triangles: lists of three points, in the camera's space.
function ray_caster.nearest(camera, triangles, x, y)
  local origin, way = ray(camera, x, y)
  local found, at, next_at = 0, math.huge, math.huge
  for i, t in ipairs(triangles) do
    local d = meet(origin, way, t)
    if d and d >= camera.near and d <= camera.far then
      if d < at then
        found, at, next_at = i, d, at
      elseif d < next_at then
        next_at = d
      end
    end
  end
  return found, at, next_at
end

return ray_caster
