--- Measures how the cost of an operation grows with the size of one document.
--
-- A line is a table: `name`; `make(n)`, which gives what `run` is called with, made anew each time and not
-- measured; `run(it, n)`, which is measured; `check(result, it, n)`, which asserts what it did. `covers` names
-- functions, methods and verbs. `open`: why it still grows too fast; it fails nothing then, and the short form leaves
-- it out. `sizes`: other numbers of elements than all have.

local allocations = require "allocations"

local growth = {}

-- Of bytes the last step says little: blocks that double their room ask for twice as many, or for none.

--- Numbers of elements, and the largest exponent.
growth.SIZES, growth.MOST = { 1000, 4000, 16000, 64000 }, 1.15
--- So much more may the exponent of bytes be: the room of arrays doubles, or does not.
growth.MORE = 0.05
--- The same where tests ask.
growth.FEW_SIZES, growth.FEW_MOST = { 1000, 16000 }, 1.5

local ENOUGH = 1.0 -- seconds: what takes longer is not tried at larger sizes, and grows too fast
local SHORT = 2e-4 -- seconds: what takes less is taken for this long, as clocks and caches make the difference
local SMALL = 65536 -- bytes, likewise
local BEST_OF = 3

-- The least time of some runs, and the bytes that the first one asked for.
local function measure(line, n, times)
  local best, bytes = math.huge, nil
  for _ = 1, times do
    local it = line.make(n)
    collectgarbage()
    collectgarbage "stop"
    local before, from = allocations(), os.clock()
    local result = line.run(it, n)
    local taken = os.clock() - from
    bytes = bytes or allocations() - before
    collectgarbage "restart"
    best = math.min(best, taken)
    local ok, why = pcall(line.check, result, it, n)
    if not ok then error(("%s, %d: %s"):format(line.name, n, why), 0) end
    if type(it) == "table" and it.close then it.close() end
    if taken > 1 then break end
  end
  return best, bytes
end

local function exponent(from, to, n, m, least)
  return math.log(math.max(to, least) / math.max(from, least)) / math.log(m / n)
end

-- The exponent over all steps, or (last) the larger one of it and of that over the last step.
local function grows(list, sizes, least, last)
  local k = #list
  if k < 2 then return nil end
  local all = exponent(list[1], list[k], sizes[1], sizes[k], least)
  return last and math.max(all, (exponent(list[k - 1], list[k], sizes[k - 1], sizes[k], least))) or all
end

--- Measures a line. Where a limit is given, the largest size is measured again only while it seems to grow too fast:
-- a time that other programs or caches made longer is seen as growth there, and never hides it.
-- @tparam table line
-- @tparam {integer,...} sizes
-- @tparam[opt] number most the largest exponent
-- @treturn table `seconds` and `bytes`, as many as there are sizes or fewer; `time` and `memory`: exponents
function growth.of(line, sizes, most)
  local out = { seconds = {}, bytes = {} }
  if line.sizes then sizes = #sizes == 2 and { line.sizes[1], line.sizes[3] } or line.sizes end
  local function judge()
    out.whole = #out.seconds == #sizes
    out.time, out.memory = grows(out.seconds, sizes, SHORT, true), grows(out.bytes, sizes, SMALL)
  end
  for i, n in ipairs(sizes) do
    local last = most and i == #sizes
    local taken
    taken, out.bytes[i] = measure(line, n, last and 1 or BEST_OF)
    out.seconds[i] = taken
    judge()
    if last and not growth.holds(out, most) then
      out.seconds[i] = math.min(taken, (measure(line, n, BEST_OF - 1)))
      judge()
    end
    if out.seconds[i] > ENOUGH then break end
  end
  return out
end

--- Whether neither time nor memory grows too fast.
-- @tparam table got of `growth.of`
-- @tparam number most the largest exponent
-- @treturn boolean
function growth.holds(got, most) return got.whole and got.time <= most and got.memory <= most + growth.MORE end

local function time_text(seconds)
  if not seconds then return "-" end
  if seconds < 1e-3 then return ("%.1f us"):format(seconds * 1e6) end
  if seconds < 1 then return ("%.2f ms"):format(seconds * 1e3) end
  return ("%.2f s"):format(seconds)
end

--- A line of the table.
-- @tparam table line
-- @tparam table got
-- @tparam {integer,...} sizes
-- @tparam number most
-- @treturn string
function growth.text(line, got, sizes, most)
  local out = { ("  %-58s"):format(line.name) }
  local shown = math.max(#sizes, #got.seconds)
  for i = 1, shown do out[#out + 1] = ("%10s"):format(time_text(got.seconds[i])) end
  local bytes = got.bytes[#got.bytes]
  out[#out + 1] = ("%9.1f MB  %5.2f %5.2f"):format(bytes / 1e6, got.time or math.huge, got.memory or math.huge)
  if not growth.holds(got, most) then out[#out + 1] = "  too much" end
  if line.open then out[#out + 1] = ": " .. line.open end
  if line.sizes then out[#out + 1] = ("  (up to %d)"):format(line.sizes[#line.sizes]) end
  return table.concat(out)
end

-- ---- what lines share -----------------------------------------------------------------------------

local made = {}

--- The bytes of a document, made once for each number of elements.
-- @tparam string key
-- @tparam integer n
-- @tparam function make gives bytes, or a document that is encoded
-- @treturn string
function growth.bytes(key, n, make)
  local name = key .. " " .. n
  if not made[name] then
    local one = make(n)
    made[name] = type(one) == "string" and one or one:encode()
  end
  return made[name]
end

return growth
