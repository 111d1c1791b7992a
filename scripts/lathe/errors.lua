--- Errors of what is written in Lua, like those of the rest: tables that print as one line.
-- @module lathe.errors

local core = require "lathe.core"

local errors = {}

local META = getmetatable(select(2, core.parse ""))

--- Makes an error.
-- @tparam string code
-- @param message a text; an error, which keeps its own fields, is given back
-- @tparam[opt] string path of the file
-- @treturn Error
function errors.new(code, message, path)
  if getmetatable(message) == META then return message end
  return setmetatable({ code = code, message = tostring(message), path = path, level = "error" }, META)
end

--- Whether a value is an error of lathe, which only lathe can make: its text is made in C from its
-- fields, and calls no function of anybody's.
-- @param value
-- @treturn boolean
function errors.is(value)
  return debug.getmetatable(value) == META
end

return errors
