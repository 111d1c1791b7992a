-- The rasteriser (core/picture), judged by a ray caster that shares no code with it; and pictures that must not change.

local crc32 = require "crc32"
local dice = require "dice"
local ray_caster = require "ray_caster"
local raster_scene = require "raster_scene"
local raster_scenes = require "raster_scenes"

local SIDE, POINTS = 96, 200

-- Numbers that are exact as f32.
local function any(pick, least, most) return least + (most - least) * (pick(4097) - 1) / 4096 end

local function soup(pick, n, spread, size)
  local mesh = { points = {}, triangles = {}, triangle_colors = {}, flat = true }
  for i = 1, n do
    local middle = { any(pick, -spread, spread), any(pick, -spread, spread), any(pick, -spread, spread) }
    for k = 1, 3 do
      mesh.points[3 * i - 3 + k] = { middle[1] + any(pick, -size, size), middle[2] + any(pick, -size, size),
        middle[3] + any(pick, -size, size) }
    end
    mesh.triangles[i] = { 3 * i - 2, 3 * i - 1, 3 * i }
    mesh.triangle_colors[i] = ("%06xff"):format(i)
  end
  return mesh
end

local function camera(eye, perspective, near)
  return { perspective = perspective, near = near or 0.5, far = 40, scale = perspective and 80 or 9,
    centre = { SIDE / 2 + 0.25, SIDE / 2 - 3 }, view = raster_scene.look(eye, { 0, 0, 0.5 }) }
end

-- Ten: few large triangles that cross, many small ones; seen from outside, and from within, where many reach through
-- the near plane; with both kinds of camera.
local function scenes()
  local list = {}
  for k = 1, 10 do
    local pick = dice(k)
    local mesh = k % 2 == 0 and soup(pick, 30, 2, 6) or soup(pick, 200, 4, 1.5)
    local eye = k > 6 and { 0.5, 0.25, 0.75 } or { 9, k - 5, 4 }
    list[k] = { width = SIDE, height = SIDE, background = "000000ff", mesh,
      camera = camera(eye, k % 5 ~= 0, k == 8 and 2 or nil) }
  end
  return list
end

local function in_camera(scene)
  local triangles = {}
  for i, t in ipairs(scene[1].triangles) do
    triangles[i] = {}
    for k = 1, 3 do triangles[i][k] = ray_caster.seen(scene.camera, scene[1].points[t[k]]) end
  end
  return triangles
end

-- The triangle that fills a pixel, or nil: an edge runs through it, or two triangles are as near.
local function fills(scene, triangles, x, y)
  local found
  for _, at in ipairs { { 0.5, 0.5 }, { -0.02, -0.02 }, { 1.02, -0.02 }, { -0.02, 1.02 }, { 1.02, 1.02 } } do
    local n, d, other = ray_caster.nearest(scene.camera, triangles, x + at[1], y + at[2])
    if (found and n ~= found) or (n ~= 0 and other - d < 1e-4 * d) then return nil end
    found = n
  end
  return found
end

-- Whether rays all over a pixel find another triangle in it: one that five rays miss, as it is thin or reaches in
-- by a corner only.
local function has_another(scene, triangles, x, y, n)
  for i = 0, 31 do
    for k = 0, 31 do
      if ray_caster.nearest(scene.camera, triangles, x + (i + 0.5) / 32, y + (k + 0.5) / 32) ~= n then return true end
    end
  end
  return false
end

-- A box with corners at random, as 12 triangles.
local function box(pick)
  local mesh = { points = {}, triangles = {}, color = "203040ff" }
  local size = { any(pick, 1, 4), any(pick, 1, 4), any(pick, 1, 4) }
  for i = 0, 7 do
    mesh.points[i + 1] = { (i & 1) * size[1] - 1, (i >> 1 & 1) * size[2] - 1, (i >> 2) * size[3] - 1 }
  end
  for _, q in ipairs { { 1, 2, 4, 3 }, { 5, 6, 8, 7 }, { 1, 2, 6, 5 }, { 3, 4, 8, 7 }, { 1, 3, 7, 5 }, { 2, 4, 8, 6 } } do
    table.insert(mesh.triangles, { q[1], q[2], q[3] })
    table.insert(mesh.triangles, { q[1], q[3], q[4] })
  end
  return mesh
end

describe("the rasteriser", function()
  it("shows the triangle that a ray finds first", function()
    local list = scenes()
    local pictures = raster_scene.draw(list)
    local hits, skipped, thin = 0, 0, 0
    for k, scene in ipairs(list) do
      local triangles, pick, points = in_camera(scene), dice(100 + k), 0
      while points < POINTS do
        local x, y = pick(SIDE) - 1, pick(SIDE) - 1
        local n = fills(scene, triangles, x, y)
        if n then
          points = points + 1
          hits = hits + (n > 0 and 1 or 0)
          if raster_scene.pixel(pictures[k], x, y) ~= ("%06xff"):format(n) then
            assert(has_another(scene, triangles, x, y, n), ("scene %d, (%d, %d): not %d"):format(k, x, y, n))
            thin = thin + 1
          end
        else
          skipped = skipped + 1
        end
      end
    end
    assert(hits > 1000, hits)
    assert(skipped < 1000, skipped)
    assert(thin <= POINTS * #list / 200, thin)
  end)

  it("draws as far as the projected corners reach, to the pixel", function()
    local list = {}
    for k = 1, 20 do
      local pick = dice(k + 50)
      list[k] = { width = SIDE, height = SIDE, background = "ffffffff", camera = camera({ 12, k - 10, 3 }, k % 2 == 0),
        box(pick) }
    end
    for k, picture in ipairs(raster_scene.draw(list)) do
      local bounds, drawn = { 1e9, 1e9, -1e9, -1e9 }, { 1e9, 1e9, -1e9, -1e9 }
      local function grow(b, x0, y0, x1, y1)
        b[1], b[2], b[3], b[4] = math.min(b[1], x0), math.min(b[2], y0), math.max(b[3], x1), math.max(b[4], y1)
      end
      for _, p in ipairs(list[k][1].points) do
        local x, y = ray_caster.project(list[k].camera, p)
        grow(bounds, x, y, x, y)
      end
      for y = 0, SIDE - 1 do
        for x = 0, SIDE - 1 do
          if raster_scene.pixel(picture, x, y) ~= "ffffffff" then grow(drawn, x, y, x + 1, y + 1) end
        end
      end
      for side = 1, 4 do
        local over = side < 3 and bounds[side] - drawn[side] or drawn[side] - bounds[side]
        assert(bounds[side] > 0 and bounds[side] < SIDE)
        assert(over < 1 and over > -1, ("scene %d, side %d: %g"):format(k, side, over))
      end
    end
  end)

  -- A person looked at them. Who changes the light or a filter looks at them again, and writes the new sums here.
  it("draws the same pixels everywhere", function()
    local list, sums = {}, {}
    for i, named in ipairs(raster_scenes) do list[i] = named[2] end
    for i, picture in ipairs(raster_scene.draw(list)) do
      sums[i] = ("%s %08x"):format(raster_scenes[i][1], crc32.zlib(picture.rgba))
    end
    assert.same({ "crossing bf91a053", "near plane f19db768", "holes f855be0c", "blended 100168dd", "lines 6a321dd4",
      "textured floor 935eafe9" }, sums)
  end)
end)
