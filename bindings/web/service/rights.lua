--- What scripts and the prompt may do: read and write files below the root. The service itself may do all.
-- @module service.rights

local policy = require "lathe.cli.sandbox.policy"

local store = require "service.store"

local rights = {}

local rules

--- Sets the root.
-- @tparam string root
function rights.start(root)
  rules = policy.new({ root }, { root }, { here = true })
  rules.host = true
  rules:enforce()
end

--- Gives the rights of the service back, after code of the user was stopped.
function rights.host()
  rules.host = true
  rules:enforce() -- `lathe run` lifts its own policy
end

--- The policy for code of the user.
-- @treturn Policy
function rights.rules() return rules end

--- Calls a function of the user: it has the rights of a script.
-- @tparam function fn
-- @param ... its arguments
-- @return what it returns
function rights.as_user(fn, ...)
  rules.host, store.user_ran = false, true
  local results = table.pack(pcall(fn, ...))
  rules.host = true
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

return rights
