--- Converts a clip of a .csv to the tracks and frame rate of another clip.
-- @module lathe.import.table

local core = require "lathe.core"
local csv = require "lathe.import.csv"
local fail = require "lathe.import.fail"
local samplers = require "lathe.import.samplers"
local scene = require "lathe.export.scene"

local table_of = {}

local CLOSE = 1e-3 -- fraction of a frame
local MOST_FRAMES = 1 << 20
local LANES = { { "translation", 0, 3 }, { "rotation", 3, 4 }, { "scale", 7, 3 } }

-- The times: those of the original if the table has the same, else those of the table, or evenly spaced ones.
local function times_of(one, like, fps)
  local wanted = like and like.times
  if not fps and wanted and #wanted == #one.times then
    local same = true
    for i, time in ipairs(wanted) do same = same and math.abs(time - one.times[i]) <= CLOSE / one.fps end
    if same then return wanted, true end
  end
  fps = fps or like and like.fps or one.fps
  local last = one.times[#one.times] * fps
  if last >= MOST_FRAMES then fail.at(nil, "%.0f frames: %d are read at most", last, MOST_FRAMES) end
  local times, same = {}, true
  for i = 1, math.max(math.ceil(last - CLOSE), 0) + 1 do times[i] = (i - 1) / fps end
  for i, time in ipairs(times) do
    same = same and #times == #one.times and math.abs(time - one.times[i]) <= CLOSE / fps
  end
  return times, same
end

local function resampled(one, times)
  local n, out = #one.bones, {}
  local frame = 1 / one.fps
  local keys = { way = "LINEAR", times = one.times }
  for track = 1, n do
    for _, lane in ipairs(LANES) do
      local values = {}
      for k = 0, #one.times - 1 do
        local row = { one.samples:row(k * n + track) }
        table.move(row, lane[2] + 1, lane[2] + lane[3], #values + 1, values)
      end
      local curve = samplers.of(keys, lane[1], values, lane[3])
      for k, time in ipairs(times) do
        table.move(curve:at(time, frame), 1, lane[3], ((k - 1) * n + track - 1) * 10 + lane[2] + 1, out)
      end
    end
  end
  return core.buffer("f32", #times * n, 10, out)
end

local function pose_of(like, name)
  for _, bone in ipairs(not like.additive and like.skeleton and like.skeleton.bones or {}) do
    if bone.name == name and bone.pose then
      local p, row = bone.pose, {}
      for i = 1, 3 do row[i], row[7 + i] = p.t[i], p.s[i] end
      for i = 1, 4 do row[3 + i] = p.q[i] end
      return row
    end
  end
  return { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }
end

-- Converts to the tracks of the original.
local function fit(one, like, said)
  local numbers, wanted, rows, out = {}, {}, {}, {}
  for i, name in ipairs(one.bones) do numbers[name] = i end
  for i, name in ipairs(like.bones) do
    local own = scene.utf8(name)
    wanted[own] = true
    if not numbers[own] then
      said.missing[#said.missing + 1] = name
      rows[i] = pose_of(like, name)
    end
  end
  for _, name in ipairs(one.bones) do
    if not wanted[name] then said.extra[#said.extra + 1] = name end
  end
  if #said.extra == #one.bones then
    fail.at(nil, "none of its bones is one of the clip's: they are another one's")
  end
  for frame = 0, one.frame_count - 1 do
    for i, name in ipairs(like.bones) do
      local k = numbers[scene.utf8(name)]
      local row = rows[i] or { one.samples:row(frame * #one.bones + k) }
      table.move(row, 1, 10, #out + 1, out)
    end
  end
  one.bones, one.samples = like.bones, core.buffer("f32", one.frame_count * #like.bones, 10, out)
end

--- Reads the clip of a .csv; returns a list.
-- @tparam string bytes
-- @tparam table opts `like`, a clip as a table; `fps`
-- @treturn {table} with its `report`
-- @raise errors for `fail.catch`
function table_of.clips(bytes, opts)
  local one, like = csv.parse(bytes), opts.like
  local said = { missing = {}, extra = {}, resampled = 0, ignored = {}, factor = 1 }
  local times, same = times_of(one, like, opts.fps)
  if not same then
    one.samples, said.resampled = resampled(one, times), 3 * #one.bones
  end
  one.times, one.frame_count = times, #times
  one.duration = times[#times] - times[1]
  if #times > 1 then one.fps = (#times - 1) / one.duration end
  if like then
    fit(one, like, said)
    one.additive, one.skeleton, one.up = like.additive, like.skeleton, like.up
  end
  one.report = said
  return { one }
end

return table_of
