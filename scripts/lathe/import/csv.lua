--- Reads clips from tables of numbers (.csv) in the form of `lathe.export.csv`: a line for each bone of each
-- frame.
-- @module lathe.import.csv

local core = require "lathe.core"
local fail = require "lathe.import.fail"

local csv = {}

local LANES = { "tx", "ty", "tz", "qx", "qy", "qz", "qw", "sx", "sy", "sz" }
local LARGEST = 3.4028234e38
local MOST_FRAMES = 1 << 20

local function line_at(n) return ("line %d"):format(n) end

-- Splits a line into cells; quoted ones may contain commas and doubled quotes.
local function cells_of(line, n)
  local cells, at = {}, 1
  repeat
    local cell, after
    if line:sub(at, at) == '"' then
      local close = at
      repeat
        close = line:find('"', close + 1, true)
        if not close then fail.at(line_at(n), "a quote has no end") end
        local twice = line:sub(close + 1, close + 1) == '"'
        if twice then close = close + 1 end
      until not twice
      cell, after = line:sub(at + 1, close - 1):gsub('""', '"'), close + 1
      if after <= #line and line:sub(after, after) ~= "," then
        fail.at(line_at(n), "something stands behind a quote")
      end
    else
      after = line:find(",", at, true) or #line + 1
      cell = line:sub(at, after - 1)
    end
    cells[#cells + 1] = cell
    at = after + 1
  until after > #line
  return cells
end

local function head_of(line)
  local columns = {}
  for i, name in ipairs(cells_of(line, 1)) do
    if columns[name] then fail.at(line_at(1), "a second column '%s'", name:sub(1, 80)) end
    columns[name] = i
  end
  for _, name in ipairs { "frame", "time", "bone", table.unpack(LANES) } do
    if not columns[name] then fail.at(line_at(1), "there is no column '%s'", name) end
  end
  return columns
end

local function number_of(cells, columns, name, n)
  local text = cells[columns[name]]
  local v = text and text:find "^%s*[-+]?[%d.]" and tonumber(text)
  local fits = v and math.abs(v) <= LARGEST
  if not fits then
    fail.at(line_at(n), "%s is no finite number: '%s'", name, (text or ""):sub(1, 40))
  end
  return v + 0.0
end

local Table = {}
Table.__index = Table

function Table:begin_frame(frame, time, n)
  if self.frame < 0 and frame ~= 0 then fail.at(line_at(n), "the first frame is %d, not 0", frame) end
  if frame ~= self.frame + 1 then fail.at(line_at(n), "frame %d follows frame %d", frame, self.frame) end
  if frame >= MOST_FRAMES then fail.at(line_at(n), "there are more than %d frames", MOST_FRAMES) end
  local last = self.times[#self.times]
  if last and time <= last then
    fail.at(line_at(n), "the time of frame %d is %g, behind that of frame %d, %g",
      frame, time, frame - 1, last)
  end
  self:end_frame(n)
  self.frame, self.times[#self.times + 1], self.count = frame, time, 0
end

function Table:end_frame(n)
  if self.frame >= 0 and self.count ~= #self.bones then
    fail.at(line_at(n), "frame %d has %d of %d bones", self.frame, self.count, #self.bones)
  end
end

-- The number of a bone's track; the first frame defines the tracks.
function Table:track(name, n)
  local track = self.tracks[name]
  if not track then
    if self.frame > 0 then fail.at(line_at(n), "frame 0 has no bone '%s'", name:sub(1, 80)) end
    self.bones[#self.bones + 1] = name
    track = #self.bones
    self.tracks[name] = track
  end
  if self.seen[track] == self.frame then
    fail.at(line_at(n), "a second line of '%s' in frame %d", name:sub(1, 80), self.frame)
  end
  self.seen[track] = self.frame
  return track
end

function Table:row(cells, columns, n)
  local frame = math.tointeger(number_of(cells, columns, "frame", n))
  if not frame then fail.at(line_at(n), "frame is no whole number") end
  local time = number_of(cells, columns, "time", n)
  if frame ~= self.frame then
    self:begin_frame(frame, time, n)
  elseif time ~= self.times[#self.times] then
    fail.at(line_at(n), "the time of frame %d is %g here, and %g before",
      frame, time, self.times[#self.times])
  end
  local track = self:track(cells[columns.bone] or "", n)
  self.count = self.count + 1
  local at, sum = ((frame > 0 and frame * #self.bones or 0) + track - 1) * 10, 0
  for i, lane in ipairs(LANES) do
    local v = number_of(cells, columns, lane, n)
    self.samples[at + i] = v
    if i >= 4 and i <= 7 then sum = sum + v * v end
  end
  if sum < 1e-24 then fail.at(line_at(n), "its rotation is none") end
end

--- The clip of a file.
-- @tparam string bytes
-- @treturn table in the form of `lathe.export.clip`: `bones`, `times`, `samples`, `frame_count`, `duration`,
--   `fps`
-- @raise errors for `fail.catch`
function csv.parse(bytes)
  local self = setmetatable({
    frame = -1, times = {}, bones = {}, tracks = {}, seen = {}, samples = {}, count = 0,
  }, Table)
  local columns, n = nil, 0
  for line in (bytes:gsub("^\xef\xbb\xbf", "") .. "\n"):gmatch "([^\n]*)\n" do
    n = n + 1
    line = line:gsub("\r$", "")
    if not columns then
      columns = head_of(line)
    elseif line ~= "" then
      self:row(cells_of(line, n), columns, n)
    end
  end
  if self.frame < 0 then fail.at(line_at(n), "there is no frame") end
  self:end_frame(n)
  local frames, times = #self.times, self.times
  local length = times[frames] - times[1]
  return {
    bones = self.bones, times = times, frame_count = frames, duration = length,
    fps = frames > 1 and (frames - 1) / length or 30,
    samples = core.buffer("f32", frames * #self.bones, 10, self.samples),
  }
end

return csv
