--- Errors raised in Lua code, with the same form as those of C: tables that print as one line.
-- @module lathe.errors

local core = require "lathe.core"

local errors = {}

local META = getmetatable(select(2, core.parse ""))

--- Creates an error.
-- @tparam string code
-- @param message a text; an error is returned with its own fields
-- @tparam[opt] string path of the file
-- @treturn Error
function errors.new(code, message, path)
  if getmetatable(message) == META then return message end
  return setmetatable({ code = code, message = tostring(message), path = path, level = "error" }, META)
end

--- Whether a value is an error of lathe. Only lathe can create such values: their text is made in C from the
-- fields, without calling any Lua function.
-- @param value
-- @treturn boolean
function errors.is(value)
  return debug.getmetatable(value) == META
end

return errors
