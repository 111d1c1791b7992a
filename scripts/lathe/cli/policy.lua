--- Which files a script may touch.
--
-- While a policy is in force every open and save of lathe asks it, wherever the call comes from.
-- Only `policy:as_host` steps outside, and no script code runs inside that.
-- @module lathe.cli.policy

local core = require "lathe.core"
local folders = require "lathe.cli.folders"
local paths = require "lathe.paths"

local Policy = {}
Policy.__index = Policy

local policy = {}

local function resolve_all(dirs)
  local list = {}
  for _, dir in ipairs(dirs) do list[#list + 1] = paths.real(dir) end
  return list
end

--- Makes a policy.
-- @tparam {string,...} read folders to read below
-- @tparam {string,...} write folders to write (and read) below
-- @treturn Policy
function policy.new(read, write)
  return setmetatable({
    read = resolve_all(read),
    write = resolve_all(write),
    output = write[1],
    host = false,
  }, Policy)
end

local function inside(path, dirs)
  for _, dir in ipairs(dirs) do
    if paths.below(path, dir) then return true end
  end
  return false
end

--- Asks whether a file may be read ("r") or written ("w").
-- @tparam string path
-- @tparam string mode
-- @treturn ?string the resolved path to use, or nil
-- @treturn ?string the reason
function Policy:resolve(path, mode)
  local real, why = paths.real(path)
  if not real then return nil, why end
  if inside(real, self.write) or mode == "r" and inside(real, self.read) then return real end
  if mode == "r" then
    return nil, "the sandbox reads only below the folders of the inputs and of the script"
  elseif #self.write == 0 then
    return nil, "the sandbox writes only below the folder given with -o"
  end
  return nil, "the sandbox writes only below " .. self.output
end

--- Puts the policy in force for all of lathe.
-- @raise where this build of lathe cannot enforce it
function Policy:enforce()
  if not core.set_guard then error "this build of lathe has no sandbox: --trusted runs without" end
  core.set_guard(function(path, mode)
    if self.host then return true end
    local real, why = self:resolve(path, mode)
    if not real then return nil, why end
    if mode == "w" then return folders.prepare(real, self.output) end
    return true
  end)
end

--- Lifts it.
function Policy:lift()
  core.set_guard(nil)
end

--- Calls a function of lathe's own that the policy does not bind.
-- @tparam function fn
-- @param ... its arguments
-- @return what it returns
function Policy:as_host(fn, ...)
  local before = self.host
  self.host = true
  local results = table.pack(pcall(fn, ...))
  self.host = before
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

return policy
