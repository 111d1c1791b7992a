--- Limits for memory and time of a mod script, and the functions with which limits and Ctrl-C stop code that
-- catches errors.
--
-- Memory is that of Lua and of documents, counted where it is allocated; what qhull allocates to make a
-- convex hull, and zstd to compress, is not counted. Time is wall-clock time. Both hold for one call of the
-- script: its outer level, or its function for one file.
-- @module lathe.cli.sandbox.limits

local core = require "lathe.core"

local Limits = {}
Limits.__index = Limits

local limits = {}

local UNITS = { [""] = 1, K = 1 << 10, M = 1 << 20, G = 1 << 30, T = 1 << 40 }

local LEAST_MEMORY = 512 << 20
local MEMORY_PER_INPUT = 32 -- times the size of the largest input

local EXCEEDED <const> = {
  memory = "the script wants more than %s of memory",
  time = "the script ran for more than %s s",
}
local advice = { memory = "; --max-memory SIZE allows more", time = "; --max-seconds N allows more" }

--- Sets what messages about an exceeded limit end with, for hosts without a command line.
-- @tparam table words with `memory` and `time`
function limits.set_advice(words) advice = words end

--- Parses a size from the command line.
-- @tparam string given in bytes, or with a unit: 512M, 2G; 0 or none: no limit
-- @treturn ?integer
-- @treturn ?string the problem
function limits.size(given)
  if given == "none" then return 0 end
  local number, unit = given:match "^(%d+%.?%d*)([KMGT]?)$"
  local bytes = number and tonumber(number) * UNITS[unit]
  if not bytes or bytes >= 2 ^ 62 then
    return nil, ("'%s' is not a size: bytes, 512M, 2G, or none"):format(given)
  end
  return math.ceil(bytes)
end

--- Parses a number of seconds.
-- @tparam string given
-- @treturn ?number
-- @treturn ?string the problem
function limits.seconds(given)
  if given == "none" then return 0 end
  local seconds = tonumber(given)
  if not seconds or not (seconds >= 0 and seconds < math.huge) then
    return nil, ("'%s' is not a number of seconds"):format(given)
  end
  return seconds
end

--- Adds the options.
-- @param command an argparse command
function limits.options(command)
  command:option("--max-memory",
    ("Memory limit of the script and its documents, such as 512M or 2G, or none\n" ..
      "(default: %d times the largest input, at least %dM)."):format(MEMORY_PER_INPUT, LEAST_MEMORY >> 20))
    :argname "<size>":convert(limits.size)
  command:option("--max-seconds",
    "Time limit for each file, in seconds of wall-clock time (default: none).")
    :argname "<n>":convert(limits.seconds)
end

--- Creates the limits of the command line.
-- @tparam table args with `max_memory` and `max_seconds`
-- @treturn Limits
function limits.new(args)
  return setmetatable({
    fixed = args.max_memory ~= nil,
    memory = args.max_memory or LEAST_MEMORY,
    seconds = args.max_seconds or 0,
    kept = 0,
  }, Limits)
end

--- Adjusts the memory limit to the files: large ones may need more.
-- @tparam {table,...} items from `batch.collect`
function Limits:fit(items)
  if self.fixed then return end
  for _, item in ipairs(items) do
    self.memory = math.max(self.memory, MEMORY_PER_INPUT * item.size)
  end
end

--- Allows additional memory for data that the tool itself keeps from earlier calls.
-- @tparam integer bytes
function Limits:allow(bytes)
  self.kept = bytes
end

-- Formats a size in the largest unit without a remainder.
local function size_text(bytes)
  for _, unit in ipairs { "T", "G", "M", "K" } do
    if bytes % UNITS[unit] == 0 then return bytes // UNITS[unit] .. unit end
  end
  return bytes .. " bytes"
end

-- Returns nil and the result of xpcall, or the reason and the place.
local function finish(self, stopped, reason, ...)
  if not reason then return ... end
  local limit = reason == "memory" and size_text(self.memory) or ("%.10g"):format(self.seconds)
  return false, stopped(reason, EXCEEDED[reason]:format(limit) .. advice[reason], (...))
end

--- Calls a function as xpcall does, within the limits.
-- @tparam function fn
-- @tparam function handler for errors
-- @tparam function stopped `stopped(reason, message, places)` makes the error for an exceeded limit from
--   "memory" or "time", the message, and the places, a list of `{ chunk, line }`
-- @param ... its arguments
-- @treturn boolean whether it returned
-- @return what it returned, or the error
function Limits:call(fn, handler, stopped, ...)
  local memory = self.memory > 0 and self.memory + self.kept or 0
  return finish(self, stopped, core.limits.call(memory, self.seconds, fn, handler, ...))
end

--- True if the running code must end, so that no function of a script may be called any more.
-- @treturn boolean
limits.stopping = core.limits.stopping

local guarded = false

--- Replaces functions of Lua so that Ctrl-C and limits also stop coroutines and error handlers. Call once per
-- program, before any script has a reference to the originals.
function limits.guard()
  if guarded then return end
  guarded = true
  local call, close = xpcall, coroutine.close
  -- A handler runs where the error was raised: possibly in a hook, which cannot be interrupted.
  function xpcall(fn, handler, ...) -- luacheck: ignore 121
    if type(handler) ~= "function" then return call(fn, handler, ...) end
    return call(fn, function(err)
      if limits.stopping() then return err end
      return handler(err)
    end, ...)
  end
  coroutine.resume = core.limits.resume -- luacheck: ignore 122
  coroutine.wrap = core.limits.wrap -- luacheck: ignore 122
  function coroutine.close(co) return core.limits.close(co, close) end -- luacheck: ignore 122
end

return limits
