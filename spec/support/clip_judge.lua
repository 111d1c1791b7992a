--- Judges written spline data by the evaluator in plain Lua: how far they are from samples at frames, and from
-- the middle of two frames half-way between them.
--
--    local clip = judge.clip(bytes)                     -- of a packfile or a tagfile: spline_reference's clip
--    local off = judge.measure(clip, samples, opts)     -- samples: a buffer of rows of 10, frame by frame
--    off.translation, off.rotation, off.scale           -- the greatest errors at frames; off.at[channel]: where
--    off.between                                        -- the greatest of distance from the middle / what is allowed
--    off.largest                                        -- the largest number of the samples: floats round by its share
--
-- opts.tolerance = { translation =, rotation =, scale = }, each a number or a list; opts.every: 1 of so many
-- frames, besides those at both sides of blocks' seams.

local model = require "tagfile_model"
local reader = require "hkx_reader"
local reference = require "spline_reference"
local tagfile = require "tagfile_reader"

local judge = {}

judge.TOLERANCE = { translation = 0.01, rotation = 0.002, scale = 0.001 }

local CLASS = "hkaSplineCompressedAnimation"

--- The members of the first spline animation of a file.
function judge.members(bytes)
  if bytes:sub(5, 8) == "TAG0" then
    return model.members(model.objects(tagfile.read(bytes), CLASS)[1].value)
  end
  local file = reader.read(bytes)
  for _, object in ipairs(file.objects) do
    if object.class == CLASS then return file:members(object) end
  end
end

function judge.clip(bytes)
  return reference.new(judge.members(bytes))
end

-- ---- distances ------------------------------------------------------------------------------------

local function length(a, b, from)
  local x, y, z = a[from] - b[from], a[from + 1] - b[from + 1], a[from + 2] - b[from + 2]
  return math.sqrt(x * x + y * y + z * z)
end

local function sign_of(a, b)
  return a[4] * b[4] + a[5] * b[5] + a[6] * b[6] + a[7] * b[7] < 0 and -1 or 1
end

-- The turn between two rotations of length 1, radians.
local function turn(a, b)
  local sign, sum = sign_of(a, b), 0
  for i = 4, 7 do sum = sum + (a[i] - sign * b[i]) ^ 2 end
  return 4 * math.asin(math.min(1, math.sqrt(sum) / 2))
end

local function unit(row)
  local n = math.sqrt(row[4] ^ 2 + row[5] ^ 2 + row[6] ^ 2 + row[7] ^ 2)
  for i = 4, 7 do row[i] = row[i] / n end
  return row
end

local CHANNELS = { "translation", "rotation", "scale" }

--- How far two rows of ten are apart: translation, turn, scale. Their rotations have length 1.
function judge.apart(a, b)
  return length(a, b, 1), turn(a, b), length(a, b, 8)
end

--- A row of a buffer of rows, its rotation made one of length 1.
function judge.row(samples, i)
  return unit { samples:row(i) }
end

local function middle(a, b)
  local sign, out = sign_of(a, b), {}
  for i = 1, 10 do
    local other = i >= 4 and i <= 7 and sign * b[i] or b[i]
    out[i] = (a[i] + other) / 2
  end
  return unit(out)
end

-- ---- measuring ------------------------------------------------------------------------------------

local function is_still(clip, track)
  for _, block in ipairs(clip.blocks) do
    local parts = block.tracks[track]
    if parts.translation.kind == "spline" or parts.rotation.kind == "spline" or parts.scale.kind == "spline" then
      return false
    end
  end
  return true
end

local function frames_of(clip, every)
  local list, seam = {}, clip.max_frames_per_block - 1
  for f = 0, clip.num_frames - 1 do
    local near = f % seam
    if f % (every or 1) == 0 or near <= 1 or near == seam - 1 or f == clip.num_frames - 1 then list[#list + 1] = f end
  end
  return list
end

local function tolerance_of(given, channel, track)
  local t = given[channel] or judge.TOLERANCE[channel]
  return type(t) == "table" and t[track] or t
end

-- What is no number is worse than any.
local function is_worse(off, worst)
  return off > worst or off ~= off
end

-- The greatest of each channel so far; relative ones say how much of the tolerance it is.
local function note(out, track, frame, ...)
  for k, off in ipairs { ... } do
    local name = CHANNELS[k]
    if is_worse(off, out[name]) then
      out[name], out.at[name] = off, ("track %d, frame %d"):format(track, frame)
    end
    out.share[name] = math.max(out.share[name], off / tolerance_of(out.tolerance, name, track))
  end
end

-- A spline may go from one frame to the next by any way that stays near: half the step and 3 tolerances.
local function between(out, clip, track, frame, a, b)
  local half, aim = clip:at_frame(track, frame + 0.5), middle(a, b)
  local offs, steps = { judge.apart(half, aim) }, { judge.apart(a, b) }
  for k, name in ipairs(CHANNELS) do
    local share = offs[k] / (steps[k] / 2 + 3 * tolerance_of(out.tolerance, name, track) + 2e-6)
    if is_worse(share, out.between) then
      out.between, out.at.between = share, ("%s of track %d, frame %d.5"):format(name, track, frame)
    end
  end
end

local function measure_track(out, clip, samples, track, frames)
  local still, last, last_frame = is_still(clip, track), nil, -2
  for _, frame in ipairs(frames) do
    local got = still and last or clip:at_frame(track, frame)
    local want = judge.row(samples, frame * clip.number_of_transform_tracks + track)
    note(out, track, frame, judge.apart(want, got))
    for i = 1, 10 do out.largest = math.max(out.largest, math.abs(want[i])) end
    if not still and last_frame == frame - 1 then between(out, clip, track, last_frame, last, got) end
    last, last_frame = got, frame
  end
end

function judge.measure(clip, samples, opts)
  opts = opts or {}
  local tracks = clip.number_of_transform_tracks
  assert(samples.rows == clip.num_frames * tracks,
    ("%d rows, but %d frames of %d tracks"):format(samples.rows, clip.num_frames, tracks))
  local out = { translation = 0, rotation = 0, scale = 0, between = 0, largest = 0, at = {},
    tolerance = opts.tolerance or {},
    share = { translation = 0, rotation = 0, scale = 0 } }
  local frames = frames_of(clip, opts.every)
  for track = 1, tracks do measure_track(out, clip, samples, track, frames) end
  return out
end

--- The same of float tracks, whose values are a buffer or a list. Gives the greatest error, and where it is.
function judge.measure_floats(clip, values)
  local n, worst, at = clip.number_of_float_tracks, 0, nil
  for frame = 0, clip.num_frames - 1 do
    for track = 1, n do
      local off = math.abs(values[frame * n + track] - clip:float_at_frame(track, frame))
      if is_worse(off, worst) then worst, at = off, ("float track %d, frame %d"):format(track, frame) end
    end
  end
  return worst, at
end

--- What kinds of parts a clip has: counts by "degree 1", "8 bits", "16 bits", and of rotations "code 1".
function judge.census(clip)
  local out = {}
  local function add(name) out[name] = (out[name] or 0) + 1 end
  for _, block in ipairs(clip.blocks) do
    for _, track in ipairs(block.tracks) do
      for k, name in ipairs(CHANNELS) do
        local part = track[name]
        if part.kind == "spline" then
          add("degree " .. part.degree)
          if k == 1 then add((track.mask[1] & 3) == 0 and "8 bits" or "16 bits") end
          if k == 3 then add((track.mask[1] >> 6) == 0 and "8 bits" or "16 bits") end
        end
      end
      if track.rotation.kind ~= "identity" then add("code " .. ((track.mask[1] >> 2) & 15)) end
    end
  end
  return out
end

return judge
