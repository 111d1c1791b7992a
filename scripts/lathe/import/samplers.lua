--- Samplers of glTF animations: checks their keys and evaluates them at any time.
-- @module lathe.import.samplers

local fail = require "lathe.import.fail"
local json = require "lathe.import.json"

local Sampler = {}
Sampler.__index = Sampler

local samplers = {}

local TYPES = { translation = "VEC3", rotation = "VEC4", scale = "VEC3", weights = "SCALAR" }
local WAYS = { LINEAR = true, STEP = true, CUBICSPLINE = true }
local CLOSE = 1e-3 -- fraction of a frame: a key that is so near counts as on it
local NARROW = 0.9995 -- cosine of an angle below which linear interpolation is exact enough

local function check_finite(list, columns, where, what)
  for i, v in ipairs(list) do
    if v - v ~= 0 then fail.at(where, "%s of key %d is no finite number", what, (i - 1) // columns) end
  end
end

local function read_times(file, number, where)
  local times = file:values(number, "SCALAR", false, where)
  if #times == 0 then fail.at(where, "it has no key") end
  check_finite(times, 1, where, "the time")
  if times[1] < 0 then fail.at(where, "the time of key 0 is %g", times[1]) end
  for i = 2, #times do
    if times[i] <= times[i - 1] then
      fail.at(where, "the time of key %d is %g, behind that of key %d, %g",
        i - 1, times[i], i - 2, times[i - 1])
    end
  end
  return times
end

--- Reads a sampler.
-- @tparam File file of `lathe.import.glb`
-- @tparam table from the animation's JSON
-- @tparam integer number from 0
-- @tparam string path the animated property: "translation", "rotation", "scale" or "weights"
-- @tparam string where of the animation
-- @treturn Sampler `times`, `values`, `way`
-- @raise errors for `fail.catch`
function samplers.read(file, from, number, path, where)
  local all = json.table(from, "samplers", where)
  local one, here = all and all[number + 1], ("%s.samplers[%d]"):format(where, number)
  if type(one) ~= "table" then fail.at(where, "there is no samplers[%d]", number) end
  local way = json.text(one, "interpolation", here) or "LINEAR"
  if not WAYS[way] then fail.at(here, "its interpolation is '%s'", way:sub(1, 80)) end
  local times = read_times(file, json.count(one, "input", here), here)
  local values, columns = file:values(json.count(one, "output", here), TYPES[path], false, here)
  check_finite(values, columns, here, "the value")
  local each = way == "CUBICSPLINE" and 3 or 1
  local fits = #values == #times * columns * each
  if path == "weights" then fits = #values % (#times * each) == 0 end
  if not fits then
    fail.at(here, "%d times, and %d values of %d numbers", #times, #values // columns, columns)
  end
  return setmetatable({ times = times, values = values, way = way, path = path, columns = columns }, Sampler)
end

--- Creates a sampler from valid keys.
-- @tparam table keys `times`, `way`
-- @tparam string path
-- @tparam {number,...} values
-- @tparam integer columns
-- @treturn Sampler
function samplers.of(keys, path, values, columns)
  return setmetatable({ times = keys.times, way = keys.way, path = path, values = values,
    columns = columns }, Sampler)
end

-- The value of key k (from 1); for splines also its in-tangent (-1) and out-tangent (1).
function Sampler:key(k, part)
  local n = self.columns
  local at = self.way == "CUBICSPLINE" and (3 * (k - 1) + 1 + (part or 0)) * n or (k - 1) * n
  return table.move(self.values, at + 1, at + n, 1, {})
end

local function unit(q, fallback)
  local length = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4])
  if length < 1e-12 then return fallback end
  for i = 1, 4 do q[i] = q[i] / length end
  return q
end

local function between(a, b, x)
  local out = {}
  for i = 1, #a do out[i] = a[i] + (b[i] - a[i]) * x end
  return out
end

local function turned(a, b, x)
  local dot = a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4]
  if dot < 0 then
    b, dot = { -b[1], -b[2], -b[3], -b[4] }, -dot
  end
  if dot > NARROW then return unit(between(a, b, x), a) end
  local angle = math.acos(math.min(dot, 1))
  local from, to, sine = math.sin((1 - x) * angle), math.sin(x * angle), math.sin(angle)
  local out = {}
  for i = 1, 4 do out[i] = (from * a[i] + to * b[i]) / sine end
  return unit(out, a)
end

function Sampler:spline(k, x)
  local length = self.times[k + 1] - self.times[k]
  local a, leaving, arriving, b = self:key(k), self:key(k, 1), self:key(k + 1, -1), self:key(k + 1)
  local x2, x3, out = x * x, x * x * x, {}
  for i = 1, self.columns do
    out[i] = (2 * x3 - 3 * x2 + 1) * a[i] + length * (x3 - 2 * x2 + x) * leaving[i]
      + (3 * x2 - 2 * x3) * b[i] + length * (x3 - x2) * arriving[i]
  end
  return self.path == "rotation" and unit(out, a) or out
end

-- The last key at or before a time, from 1; 0: none.
local function key_before(times, time)
  local low, high = 0, #times
  while low < high do
    local middle = (low + high + 1) // 2
    if times[middle] <= time then low = middle else high = middle - 1 end
  end
  return low
end

--- Evaluates the sampler at a time. A key at that time is used unchanged.
-- @tparam number time s
-- @tparam number frame s: the length of one
-- @treturn {number,...}
-- @treturn boolean whether it is a key, or outside of all keys
function Sampler:at(time, frame)
  local times, near = self.times, frame * CLOSE
  local k = key_before(times, time)
  if k > 0 and time - times[k] <= near then return self:key(k), true end
  if times[k + 1] and times[k + 1] - time <= near then return self:key(k + 1), true end
  if k == 0 then return self:key(1), true end
  if k == #times then return self:key(k), true end
  if self.way == "STEP" then return self:key(k), false end
  local x = (time - times[k]) / (times[k + 1] - times[k])
  if self.way == "CUBICSPLINE" then return self:spline(k, x), false end
  local a, b = self:key(k), self:key(k + 1)
  if self.path ~= "rotation" then return between(a, b, x), false end
  return turned(unit(a, { 0, 0, 0, 1 }), unit(b, { 0, 0, 0, 1 }), x), false
end

--- The number of keys that are not on a frame.
-- @tparam {number,...} frames times
-- @tparam number frame s: the length of one
-- @treturn integer
function Sampler:off_frames(frames, frame)
  local n = 0
  for _, time in ipairs(self.times) do
    local k = key_before(frames, time)
    local fits = k > 0 and time - frames[k] <= frame * CLOSE
      or frames[k + 1] and frames[k + 1] - time <= frame * CLOSE
    if not fits then n = n + 1 end
  end
  return n
end

return samplers
