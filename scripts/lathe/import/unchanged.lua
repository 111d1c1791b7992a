--- Finds tracks that were not edited.
--
-- A clip that went through another program comes back with rounding errors in all of its tracks. Tracks whose
-- differences are no larger than that keep the samples of the file that is written over, and with them their
-- bytes.
-- @module lathe.import.unchanged

local core = require "lathe.core"

local unchanged = {}

local PLACE = 1e-5 -- relative to the largest translation of the clip
local TURN = 1e-4 -- for each value of a quaternion, about 0.01 degrees
local SCALE = 1e-4
local COLUMNS = 10

local function largest_translation(samples)
  local most = 0
  for i = 1, samples.rows do
    local x, y, z = samples:row(i)
    most = math.max(most, math.abs(x), math.abs(y), math.abs(z))
  end
  return most
end

local function near(a, b, from, to, limit)
  for k = from, to do
    local fits = math.abs(a[k] - b[k]) <= limit -- false for NaN
    if not fits then return false end
  end
  return true
end

-- A quaternion and its negative are the same rotation.
local function same_row(a, b, place)
  local dot = a[4] * b[4] + a[5] * b[5] + a[6] * b[6] + a[7] * b[7]
  if dot < 0 then
    for k = 4, 7 do b[k] = -b[k] end
  end
  return near(a, b, 1, 3, place) and near(a, b, 4, 7, TURN) and near(a, b, 8, 10, SCALE)
end

local function same_track(samples, own, track, tracks, place)
  for i = track, own.rows, tracks do
    if not same_row({ own:row(i) }, { samples:row(i) }, place) then return false end
  end
  return true
end

--- Replaces the samples of unedited tracks by those of the original.
-- @tparam Buffer samples a row of 10 for each track of each frame
-- @tparam Buffer own those of the original
-- @tparam integer tracks
-- @treturn Buffer
-- @treturn ?integer number of unedited tracks; nil: the number of frames changed
function unchanged.keep(samples, own, tracks)
  if samples.rows ~= own.rows then return samples end
  local out, n = samples:totable(), 0
  local place = PLACE * largest_translation(own)
  for track = 1, tracks do
    if same_track(samples, own, track, tracks, place) then
      n = n + 1
      for i = track, own.rows, tracks do
        table.move({ own:row(i) }, 1, COLUMNS, (i - 1) * COLUMNS + 1, out)
      end
    end
  end
  return core.buffer("f32", own.rows, COLUMNS, out), n
end

return unchanged
