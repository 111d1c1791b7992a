--- Tracks that somebody left alone.
--
-- A clip that went through another program comes back with small errors in all of its tracks: f32 numbers,
-- turned and turned back. Tracks that differ by no more from the original have its samples, so that their
-- bytes stay as they are in the file.
-- @module lathe.import.unchanged

local unchanged = {}

local PLACE = 1e-5 -- of the largest translation
local TURN = 1e-4  -- of quaternions: 0.01 degrees
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

-- Whether a row of the list, behind `at`, is close to the original's.
local function close(list, at, row, place)
  local dot = 0
  for k = 4, 7 do dot = dot + list[at + k] * row[k] end
  local sign = dot < 0 and -1 or 1
  for k = 1, COLUMNS do
    local limit = k <= 3 and place or k <= 7 and TURN or SCALE
    local theirs = (k > 3 and k <= 7 and sign or 1) * list[at + k]
    local fits = math.abs(theirs - row[k]) <= limit -- a NaN does not
    if not fits then return false end
  end
  return true
end

local function is_unchanged(list, like, track, tracks, place)
  for frame = 0, like.frame_count - 1 do
    local i = frame * tracks + track
    if not close(list, (i - 1) * COLUMNS, { like.samples:row(i) }, place) then return false end
  end
  return true
end

--- Puts the original's samples where tracks are the same but for small errors.
-- @tparam {number,...} list samples, 10 a track and frame; changed
-- @tparam table like the original, of as many frames and tracks
-- @treturn integer how many tracks are as they were
function unchanged.keep(list, like)
  local tracks, n = #like.bones, 0
  local place = PLACE * largest_translation(like.samples)
  for track = 1, tracks do
    if is_unchanged(list, like, track, tracks, place) then
      n = n + 1
      for frame = 0, like.frame_count - 1 do
        local i = frame * tracks + track
        table.move({ like.samples:row(i) }, 1, COLUMNS, (i - 1) * COLUMNS + 1, list)
      end
    end
  end
  return n
end

return unchanged
