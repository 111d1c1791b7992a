--- Rotations in degrees, for display.
-- @module lathe.repl.turns

local turns = {}

local POLE = 1 - 1e-12 -- the sine at which a turn about y hides the difference of the other two

--- The degrees about x, y and z of a quaternion: first about x, then y, then z, of axes that stay.
-- @tparam number x
-- @tparam number y
-- @tparam number z
-- @tparam number w
-- @treturn ?number nil: it is no rotation
-- @treturn ?number
-- @treturn ?number
-- @usage turns.degrees(0, 0, math.sqrt(0.5), math.sqrt(0.5)) --> 0.0, 0.0, 90.0
function turns.degrees(x, y, z, w)
  local length = math.sqrt(x * x + y * y + z * z + w * w)
  if not (length > 0 and length < math.huge) then return nil end
  x, y, z, w = x / length, y / length, z / length, w / length
  local sine = 2 * (w * y - z * x)
  if math.abs(sine) >= POLE then
    return math.deg(2 * math.atan(x, w)), sine > 0 and 90.0 or -90.0, 0.0
  end
  return math.deg(math.atan(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))), math.deg(math.asin(sine)),
    math.deg(math.atan(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))
end

--- The same as texts with at most two decimals.
-- @treturn {string,...} a dash each where it is no rotation
function turns.texts(...)
  local degrees = { turns.degrees(...) }
  if not degrees[1] then return { "-", "-", "-" } end
  for i, value in ipairs(degrees) do
    local short = ("%.2f"):format(value):gsub("%.?0+$", "")
    degrees[i] = short == "-0" and "0" or short
  end
  return degrees
end

return turns
