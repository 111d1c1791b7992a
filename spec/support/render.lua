-- Draws a .glb into a PNG, to look at what was exported: the scene at rest or at a time of an animation, lit
-- from the viewer's left shoulder, the backs of triangles in red (unless the material has two sides).
-- usage: render.lua IN.glb OUT.png [SIZE [TURN [TILT [perspective|flat [TIME [CLIP]]]]]]
--        TURN and TILT are the viewer's place in degrees: from the front (+z) to the right, and upwards

package.path = "spec/support/?.lua;" .. package.path
local glb = require "glb"
local png = require "png"

local SAMPLES = 2 -- a side of each pixel
local GROUND = { 0.16, 0.17, 0.2 }
local MARGIN = 0.92

local function camera(turn, tilt)
  local a, e = math.rad(turn), math.rad(tilt)
  local sa, ca, se, ce = math.sin(a), math.cos(a), math.sin(e), math.cos(e)
  local right, up, back = { ca, 0, -sa }, { -sa * se, ce, -ca * se }, { sa * ce, se, ca * ce }
  return function(x, y, z)
    return right[1] * x + right[2] * y + right[3] * z, up[1] * x + up[2] * y + up[3] * z,
      back[1] * x + back[2] * y + back[3] * z
  end
end

-- Turns everything to the viewer; gives the bounds.
local function turn_all(list, see)
  local low, high = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
  for _, mesh in ipairs(list) do
    local p, n = mesh.positions, mesh.normals
    for i = 1, #p, 3 do
      p[i], p[i + 1], p[i + 2] = see(p[i], p[i + 1], p[i + 2])
      for k = 1, 3 do
        low[k], high[k] = math.min(low[k], p[i + k - 1]), math.max(high[k], p[i + k - 1])
      end
      if n then n[i], n[i + 1], n[i + 2] = see(n[i], n[i + 1], n[i + 2]) end
    end
  end
  return low, high
end

-- From the viewer's space to pixels; depth grows towards the viewer.
local function project(list, low, high, size, perspective)
  local cx, cy, cz = (low[1] + high[1]) / 2, (low[2] + high[2]) / 2, (low[3] + high[3]) / 2
  local extent = math.max(high[1] - low[1], high[2] - low[2], 1e-30)
  local eye = 2.5 * math.max(extent, high[3] - low[3])
  for _, mesh in ipairs(list) do
    local p = mesh.positions
    mesh.screen = {}
    local s = mesh.screen
    for i = 1, #p, 3 do
      local z = p[i + 2] - cz
      local f = MARGIN * size / extent * (perspective and (eye - (high[3] - cz)) / (eye - z) or 1)
      s[i], s[i + 1] = size / 2 + f * (p[i] - cx), size / 2 - f * (p[i + 1] - cy)
      s[i + 2] = perspective and 1 / (eye - z) or z
    end
  end
end

local LIGHT = { -0.45, 0.6, 0.66 }

local function brightness(x, y, z)
  local length = math.sqrt(x * x + y * y + z * z)
  if length == 0 then return 0.5 end
  local lit = (x * LIGHT[1] + y * LIGHT[2] + z * LIGHT[3]) / length
  return lit > 0 and 0.22 + 0.78 * lit or 0.22 + 0.1 * lit
end

local function colour_of(mesh)
  local pbr = mesh.material.pbrMetallicRoughness or {}
  return pbr.baseColorFactor or { 1, 1, 1, 1 }
end

-- Corners a, b, c as numbers of vertices from 0; `back` where it is seen from behind.
local function triangle(image, mesh, a, b, c, back)
  local s, n, size = mesh.screen, mesh.normals, image.size
  local i, j, k = 3 * a, 3 * b, 3 * c
  local ax, ay, bx, by, cx, cy = s[i + 1], s[i + 2], s[j + 1], s[j + 2], s[k + 1], s[k + 2]
  local area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
  if area == 0 or area ~= area then return end
  local la, lb, lc
  if n then
    local side = back and -1 or 1
    la = brightness(side * n[i + 1], side * n[i + 2], side * n[i + 3])
    lb = brightness(side * n[j + 1], side * n[j + 2], side * n[j + 3])
    lc = brightness(side * n[k + 1], side * n[k + 2], side * n[k + 3])
  else
    local p = mesh.positions
    local ux, uy, uz = p[j + 1] - p[i + 1], p[j + 2] - p[i + 2], p[j + 3] - p[i + 3]
    local vx, vy, vz = p[k + 1] - p[i + 1], p[k + 2] - p[i + 2], p[k + 3] - p[i + 3]
    local x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    if z < 0 then x, y, z = -x, -y, -z end
    la = brightness(x, y, z)
    lb, lc = la, la
  end
  local r, g, blue = table.unpack(colour_of(mesh))
  if mesh.colors then
    r, g, blue = r * mesh.colors[4 * a + 1], g * mesh.colors[4 * a + 2], blue * mesh.colors[4 * a + 3]
  end
  if back and not mesh.material.doubleSided then r, g, blue = 0.9, 0.1, 0.1 end
  local za, zb, zc = s[i + 3], s[j + 3], s[k + 3]
  local left = math.max(0, math.floor(math.min(ax, bx, cx)))
  local right = math.min(size - 1, math.ceil(math.max(ax, bx, cx)))
  local top = math.max(0, math.floor(math.min(ay, by, cy)))
  local bottom = math.min(size - 1, math.ceil(math.max(ay, by, cy)))
  local depth, red, green, bluer = image.depth, image.red, image.green, image.blue
  for y = top, bottom do
    local py = y + 0.5
    for x = left, right do
      local px = x + 0.5
      local wa = ((bx - px) * (cy - py) - (cx - px) * (by - py)) / area
      local wb = ((cx - px) * (ay - py) - (ax - px) * (cy - py)) / area
      local wc = 1 - wa - wb
      if wa >= 0 and wb >= 0 and wc >= 0 then
        local z, at = wa * za + wb * zb + wc * zc, y * size + x
        if z > (depth[at] or -math.huge) then
          local l = wa * la + wb * lb + wc * lc
          depth[at], red[at], green[at], bluer[at] = z, l * r, l * g, l * blue
        end
      end
    end
  end
end

local function draw(image, mesh)
  local indices, s = mesh.indices, mesh.screen
  for t = 1, indices and #indices or #mesh.positions // 3, 3 do
    local a, b, c = t - 1, t, t + 1
    if indices then a, b, c = indices[t], indices[t + 1], indices[t + 2] end
    local i, j, k = 3 * a, 3 * b, 3 * c
    local turn = (s[j + 1] - s[i + 1]) * (s[k + 2] - s[i + 2]) - (s[k + 1] - s[i + 1]) * (s[j + 2] - s[i + 2])
    triangle(image, mesh, a, b, c, turn > 0 ~= mesh.mirrored) -- y points down on the screen
  end
end

local function byte(v) return math.floor(255 * math.sqrt(math.max(0, math.min(1, v))) + 0.5) end

-- Averages the samples of each pixel, in `height` rows about the middle.
local function rows_of(image, size, height)
  local rows, wide, top = {}, image.size, (size - height) // 2
  for y = top, top + height - 1 do
    local row = {}
    for x = 0, size - 1 do
      local r, g, b = 0, 0, 0
      for k = 0, SAMPLES * SAMPLES - 1 do
        local at = (y * SAMPLES + k // SAMPLES) * wide + x * SAMPLES + k % SAMPLES
        local hit = image.depth[at]
        r = r + (hit and image.red[at] or GROUND[1] ^ 2)
        g = g + (hit and image.green[at] or GROUND[2] ^ 2)
        b = b + (hit and image.blue[at] or GROUND[3] ^ 2)
      end
      local n = SAMPLES * SAMPLES
      row[x + 1] = string.char(byte(r / n), byte(g / n), byte(b / n))
    end
    rows[y - top + 1] = table.concat(row)
  end
  return rows
end

local render = {}

--- The bytes of a PNG. opts: size (512), height (size; less cuts off above and below), turn (30), tilt (20),
-- perspective; time (s) and clip (a name, or a number from 1: the first), where an animation is shown; bounds:
-- { low, high } as a call gave them, so that several pictures show the same place. Also gives how much of what is seen
-- are backs of triangles, and how many pixels are covered at all.
function render.png(bytes, opts)
  local size = opts.size or 512
  local file = glb.parse(bytes)
  if opts.time then file:stand(opts.clip or 1, opts.time) end
  local list = file:drawn()
  local low, high = turn_all(list, camera(opts.turn or 30, opts.tilt or 20))
  if opts.bounds then low, high = opts.bounds[1], opts.bounds[2] end
  local image = { size = size * SAMPLES, depth = {}, red = {}, green = {}, blue = {} }
  project(list, low, high, image.size, opts.perspective)
  for _, mesh in ipairs(list) do draw(image, mesh) end
  local height = opts.height or size
  return png.encode(size, height, rows_of(image, size, height)), image, { low, high }
end

if arg and arg[0] and arg[0]:match "render%.lua$" then
  local from, to = arg[1], arg[2]
  if not to then
    io.stderr:write "usage: render.lua IN.glb OUT.png [SIZE [TURN [TILT [perspective|flat [TIME [CLIP]]]]]]\n"
    os.exit(2)
  end
  local file = assert(io.open(from, "rb"))
  local picture = render.png(file:read "a", {
    size = math.tointeger(tonumber(arg[3])), turn = tonumber(arg[4]), tilt = tonumber(arg[5]),
    perspective = arg[6] == "perspective", time = tonumber(arg[7]), clip = math.tointeger(tonumber(arg[8])) or arg[8],
  })
  file:close()
  file = assert(io.open(to, "wb"))
  assert(file:write(picture))
  assert(file:close())
end

return render
