--- Clips as tables of numbers (.csv), a line for each bone of each frame.
--
-- The columns are frame (from 0), time (s), bone, tx ty tz, qx qy qz qw, sx sy sz, all relative to the bone's
-- parent; and, if an order is given, rx ry rz: the same rotation as angles in degrees. "XYZ" rotates about x
-- first, then y, then z, all three axes being those of the parent.
-- @module lathe.export.csv

local scene = require "lathe.export.scene"

local csv = {}

local HEAD = "frame,time,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz"
local ORDERS = { XYZ = {}, XZY = {}, YXZ = {}, YZX = {}, ZXY = {}, ZYX = {} }
local AXES = { X = 1, Y = 2, Z = 3 }
for name, order in pairs(ORDERS) do
  for i = 1, 3 do order[i] = AXES[name:sub(i, i)] end
  order.odd = (order[2] - order[1]) % 3 ~= 1
end
local LEAST = 1e-7 -- below this the second axis is at a right angle, and the third is not needed

--- Whether an order of axes is valid.
-- @tparam string name
-- @treturn boolean
function csv.is_order(name) return ORDERS[name] ~= nil end

-- The columns of a rotation matrix.
local function columns_of(x, y, z, w)
  local length = math.sqrt(x * x + y * y + z * z + w * w)
  if length > 0 then x, y, z, w = x / length, y / length, z / length, w / length end
  return {
    { 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y) },
    { 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x) },
    { 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y) },
  }
end

--- The Euler angles of a rotation about x, y and z, in degrees.
-- @tparam number x
-- @tparam number y
-- @tparam number z
-- @tparam number w
-- @tparam string name the first, second and third axis of rotation
-- @treturn number
-- @treturn number
-- @treturn number
function csv.euler(x, y, z, w, name)
  local order, m, out = ORDERS[name], columns_of(x, y, z, w), {}
  local i, j, k = order[1], order[2], order[3]
  local flat = math.sqrt(m[i][i] ^ 2 + m[i][j] ^ 2)
  out[j] = math.atan(-m[i][k], flat)
  if flat > LEAST then
    out[i], out[k] = math.atan(m[j][k], m[k][k]), math.atan(m[i][j], m[i][i])
  else
    out[i], out[k] = math.atan(-m[k][j], m[j][j]), 0
  end
  local sign = order.odd and -1 or 1
  return sign * math.deg(out[1]) + 0.0, sign * math.deg(out[2]) + 0.0, sign * math.deg(out[3]) + 0.0
end

local function quoted(name)
  name = scene.utf8(name)
  if not name:find '[,"\r\n]' and not name:find "^%s" and not name:find "%s$" then return name end
  return '"' .. name:gsub('"', '""') .. '"'
end

local function counted(list, one, many)
  local n = list and #list or 0
  return n > 0 and ("%d %s"):format(n, n == 1 and one or many) or nil
end

--- Data that a .csv cannot hold.
-- @tparam table clip
-- @treturn ?string a note that lists them; nil: none
function csv.leaves_out(clip)
  local lost = {}
  if clip.root_motion then lost[1] = "root motion" end
  lost[#lost + 1] = counted(clip.annotations, "annotation", "annotations")
  lost[#lost + 1] = counted(clip.float_tracks and clip.float_tracks.slots, "float track", "float tracks")
  if #lost == 0 then return nil end
  return ("left out, as a .csv cannot hold them: %s; importing takes them from the original"):format(
    table.concat(lost, ", "))
end

local NUMBERS = (",%.9g"):rep(10)

--- Encodes a clip as text.
-- @tparam table clip from `lathe.export.clip`
-- @tparam[opt] string euler the order of axes, if angles are wanted too
-- @treturn string
function csv.encode(clip, euler)
  local lines = { euler and HEAD .. ",rx,ry,rz" or HEAD }
  local names, samples, n = {}, clip.samples, #clip.bones
  for i, name in ipairs(clip.bones) do names[i] = quoted(name) end
  for frame = 0, clip.frame_count - 1 do
    local time = clip.times and clip.times[frame + 1] or frame / clip.fps
    local front = ("%d,%.9g,"):format(frame, time)
    for i = 1, n do
      local row = frame * n + i
      local line = front .. names[i] .. NUMBERS:format(samples:row(row))
      if euler then
        local _, _, _, x, y, z, w = samples:row(row)
        line = line .. (",%.9g,%.9g,%.9g"):format(csv.euler(x, y, z, w, euler))
      end
      lines[#lines + 1] = line
    end
  end
  lines[#lines + 1] = ""
  return table.concat(lines, "\n")
end

return csv
