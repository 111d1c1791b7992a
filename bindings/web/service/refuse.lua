--- Errors of calls, and the arguments of calls.
-- @module service.refuse

local text = require "lathe.tree.text"

local refuse = {}

local META = { __tostring = function(err) return err.message end }

--- An error of a call.
-- @tparam string code
-- @tparam string message
-- @treturn table
function refuse.new(code, message) return setmetatable({ code = code, message = message }, META) end

--- Ends a call with an error.
-- @tparam string code
-- @tparam string message
-- @param ... for `message:format`
function refuse.with(code, message, ...)
  error(refuse.new(code, select("#", ...) > 0 and message:format(...) or message), 0)
end

--- Ends a call because its arguments are wrong.
function refuse.usage(...) refuse.with("usage", ...) end

-- ---- the error of a reply ----------------------------------------------------------------------------

-- Errors that Lua itself raises; anything else that is a text is a mistake of lathe.
local function code_of(message)
  if message == "not enough memory" then return "memory", "there is not enough memory for this" end
  if message == "interrupted!" then return "interrupted", "stopped: it took too long" end
  return "internal", "internal error: " .. message
end

--- What a reply says of an error.
-- @param err what was raised, or the error of lathe
-- @treturn table
function refuse.told(err)
  if type(err) ~= "table" then
    local code, message = code_of(tostring(err))
    return { code = code, message = text.printable(message, true) }
  end
  if rawget(err, "usage") then return { code = "usage", message = text.printable(err.usage, true) } end
  local told = { code = err.code or "usage", message = text.printable(tostring(err), true) }
  if getmetatable(err) ~= META then
    told.reason = text.printable(tostring(err.message), true)
    told.file, told.path, told.offset = err.path and text.utf8(err.path), err.where, err.offset
  end
  return told
end

-- ---- arguments ---------------------------------------------------------------------------------------

local function missing(name, wanted, value)
  local got = value == nil and "it is missing" or ("got %s"):format(type(value))
  refuse.usage("argument '%s': %s expected; %s", name, wanted, got)
end

--- A text.
-- @tparam table args
-- @tparam string name
-- @tparam[opt] string default without it the argument is needed
-- @treturn string
function refuse.text(args, name, default)
  local value = args[name]
  if value == nil and default ~= nil then return default end
  if type(value) ~= "string" then missing(name, "a text", value) end
  return value
end

--- An integer; beyond its limits it is the nearest one.
-- @tparam table args
-- @tparam string name
-- @tparam ?integer default without it the argument is needed
-- @tparam integer least
-- @tparam integer most
-- @treturn integer
function refuse.integer(args, name, default, least, most)
  local value = args[name]
  if value == nil and default then value = default end
  if type(value) ~= "number" or value ~= value then missing(name, "a number", value) end
  return math.tointeger(math.floor(math.max(least, math.min(most, value))))
end

--- A number of seconds; nil if it is missing.
-- @tparam table args
-- @tparam string name
-- @treturn ?number
function refuse.seconds(args, name)
  local value = args[name]
  if value == nil then return nil end
  if type(value) ~= "number" or not (value > 0 and value < math.huge) then
    refuse.usage("argument '%s': a number of seconds above 0 expected", name)
  end
  return value
end

--- A table; {} if it is missing.
-- @tparam table args
-- @tparam string name
-- @treturn table
function refuse.table(args, name)
  local value = args[name]
  if value == nil then return {} end
  if type(value) ~= "table" then missing(name, "a list or an object", value) end
  return value
end

--- A list of texts; {} if it is missing.
-- @tparam table args
-- @tparam string name
-- @treturn {string,...}
function refuse.texts(args, name)
  local list = refuse.table(args, name)
  for i = 1, #list do
    if type(list[i]) ~= "string" then missing(name, "a list of texts", list[i]) end
  end
  return list
end

--- The byte string of a request.
-- @tparam {string,...} blobs
-- @treturn string
function refuse.bytes(blobs)
  if type(blobs[1]) ~= "string" then refuse.usage "the bytes are missing" end
  return blobs[1]
end

return refuse
