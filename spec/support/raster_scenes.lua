--- Pictures at the level of triangles and lines, for raster_scene.draw: what each is to show, by name.

local dice = require "dice"
local raster_scene = require "raster_scene"

local SIDE = 64

local function camera(eye, perspective, scale, near)
  return { perspective = perspective, near = near or 0.5, far = 40, scale = scale, centre = { SIDE / 2, SIDE / 2 },
    view = raster_scene.look(eye, { 0, 0, 0 }) }
end

local function scene(view, ...)
  return { width = SIDE, height = SIDE, background = "e8ecf0ff", camera = view, ... }
end

-- A square of side 2 * half around the origin, whose sides run along a and b.
local function square(half, a, b, more)
  local mesh = more or {}
  mesh.points, mesh.triangles, mesh.uvs = {}, { { 1, 2, 3 }, { 1, 3, 4 } }, { { 0, 2 }, { 2, 2 }, { 2, 0 }, { 0, 0 } }
  for i, k in ipairs { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } } do
    mesh.points[i] = {}
    for axis = 1, 3 do mesh.points[i][axis] = half * (k[1] * a[axis] + k[2] * b[axis]) end
  end
  return mesh
end

local X, Y, Z = { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }
local STANDS = { 0.25, 0.25, 1 }

local function colored(pick, n)
  local mesh = { points = {}, triangles = {}, colors = {}, alpha = 2 }
  for i = 1, n do
    mesh.points[i] = { pick(9) - 5, pick(9) - 5, pick(9) - 5 }
    mesh.colors[i] = { pick(9) / 9, pick(9) / 9, pick(9) / 9, pick(9) / 9 }
    mesh.triangles[i] = { pick(n), pick(n), pick(n) }
  end
  return mesh
end

local function box_of_lines(half, width, color)
  local lines = { points = {}, segments = {}, width = width, color = color, bias = 0.001 }
  for i = 0, 7 do
    lines.points[i + 1] = { half * ((i & 1) * 2 - 1), half * ((i >> 1 & 1) * 2 - 1), half * ((i >> 2) * 2 - 1) }
    for _, bit in ipairs { 1, 2, 4 } do
      if i & bit == 0 then table.insert(lines.segments, { i + 1, (i | bit) + 1 }) end
    end
  end
  return lines
end

local EYE = { 6, 4, 4 }

return {
  { "crossing", scene(camera(EYE, true, 100), square(2, X, Y, { color = "c04020ff" }),
    square(2, X, STANDS, { color = "2060a0ff" }), square(1.5, Y, Z, { color = "309040ff", double_sided = true })) },
  { "near plane", scene(camera({ 1, 0.5, 0.7 }, true, 40, 0.6), square(9, X, Y, { color = "c0a060ff" }),
    square(0.8, Y, Z, { color = "2060a0ff" })) },
  { "holes", scene(camera(EYE, true, 90), square(2, X, Y, { color = "c04020ff" }),
    square(2, X, STANDS, { texture = 32, alpha = 1, cutoff = 128, double_sided = true })) },
  { "blended", scene(camera(EYE, true, 50), square(2, X, Y), colored(dice(5), 16)) },
  { "lines", scene(camera(EYE, false, 12), square(1.5, X, Y, { color = "c0c0b0ff" }), box_of_lines(1.5, 1, "202020ff"),
    box_of_lines(0.75, 5, "c0402080")) },
  { "textured floor", scene(camera({ 3, 2, 1 }, true, 60), square(12, X, Y, { texture = 64 })) },
}
