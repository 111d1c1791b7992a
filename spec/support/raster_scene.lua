--- Scenes for spec/c/raster_host.c, which draws them: as text, and the pixels that it gives.

local helper = require "helper"

local raster_scene = {}

local function f(v) return ("%.17g"):format(v) end

local function put(out, ...)
  for _, v in ipairs { ... } do out[#out + 1] = type(v) == "number" and f(v) or v end
end

local function put_mesh(out, mesh)
  put(out, "mesh", mesh.flat and 1 or 0, mesh.double_sided and 1 or 0, mesh.alpha or 0, mesh.cutoff or 0,
    mesh.color or "ffffffff", #mesh.points, #mesh.triangles, mesh.texture or 0, mesh.colors and 1 or 0)
  for i, p in ipairs(mesh.points) do
    local uv = mesh.uvs and mesh.uvs[i] or { 0, 0 }
    put(out, p[1], p[2], p[3], uv[1], uv[2])
    if mesh.colors then put(out, table.unpack(mesh.colors[i])) end
  end
  for i, t in ipairs(mesh.triangles) do
    put(out, t[1] - 1, t[2] - 1, t[3] - 1, mesh.triangle_colors and mesh.triangle_colors[i] or "ffffffff")
  end
end

local function put_lines(out, lines)
  put(out, "lines", lines.width, lines.bias or 0, lines.color, #lines.points, #lines.segments)
  for _, p in ipairs(lines.points) do put(out, p[1], p[2], p[3]) end
  for _, s in ipairs(lines.segments) do put(out, s[1] - 1, s[2] - 1) end
end

local function put_scene(out, scene)
  local camera = scene.camera
  put(out, "picture", scene.width, scene.height, scene.background or "ffffffff")
  put(out, "camera", camera.perspective and 1 or 0, camera.near, camera.far, camera.scale, camera.centre[1],
    camera.centre[2])
  for column = 1, 4 do
    for row = 1, 4 do put(out, camera.view[column][row] or (row == 4 and column == 4 and 1 or 0)) end
  end
  for _, part in ipairs(scene) do (part.segments and put_lines or put_mesh)(out, part) end
  put(out, "end")
end

local names = { "taken", "not_finite", "no_vertex", "degenerate", "too_much" }

--- Draws scenes: for each { width =, height =, rgba = bytes, and the counts }.
function raster_scene.draw(scenes)
  local out = {}
  for _, scene in ipairs(scenes) do put_scene(out, scene) end
  local r = helper.run({ helper.build .. "/spec/c/raster_host" }, { stdin = table.concat(out, " ") .. "\n" })
  assert(r.code == 0, r.err)
  local at, pictures = 1, {}
  for i, scene in ipairs(scenes) do
    local line, from = r.out:match("^([%d ]+)\n()", at)
    local picture, n = { width = scene.width, height = scene.height }, 0
    for number in line:gmatch "%d+" do
      n = n + 1
      picture[names[n]] = math.tointeger(number)
    end
    at = from + scene.width * scene.height * 4
    picture.rgba = r.out:sub(from, at - 1)
    pictures[i] = picture
  end
  assert(at == #r.out + 1)
  return pictures
end

--- The colour of a pixel, as 8 hexadecimal digits; the first is (0, 0).
function raster_scene.pixel(picture, x, y)
  return ("%08x"):format((string.unpack(">I4", picture.rgba, (y * picture.width + x) * 4 + 1)))
end

--- A view from `eye` to `target`, both points; up is z.
function raster_scene.look(eye, target)
  local function unit(v)
    local length = (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) ^ 0.5
    return { v[1] / length, v[2] / length, v[3] / length }
  end
  local z = unit { eye[1] - target[1], eye[2] - target[2], eye[3] - target[3] }
  local x = unit { -z[2], z[1], 0 }
  local y = { z[2] * x[3] - z[3] * x[2], z[3] * x[1] - z[1] * x[3], z[1] * x[2] - z[2] * x[1] }
  local view = { {}, {}, {}, { 0, 0, 0 } }
  for k, axis in ipairs { x, y, z } do
    for column = 1, 3 do
      view[column][k] = axis[column]
      view[4][k] = view[4][k] - axis[column] * eye[column]
    end
  end
  return view
end

return raster_scene
