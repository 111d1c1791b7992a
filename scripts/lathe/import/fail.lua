--- Errors in files that are read in Lua: raised where they are found, and returned by the function that
-- started reading.
-- @module lathe.import.fail

local errors = require "lathe.errors"

local fail = {}

local Found = {}

--- Raises an error that `fail.catch` returns.
-- @tparam ?string where the place in the file: a line, a part of its JSON
-- @tparam string message
-- @param ... for `string.format`
function fail.at(where, message, ...)
  error(setmetatable({ where = where, message = message:format(...) }, Found), 0)
end

--- The same with an offset in the file.
-- @tparam integer offset
-- @tparam string message
-- @param ... for `string.format`
function fail.offset(offset, message, ...)
  error(setmetatable({ offset = offset, message = message:format(...), code = "bounds" }, Found), 0)
end

--- Calls a function that reads a file.
-- @tparam string path of the file, for errors
-- @tparam function fn
-- @param ... its arguments
-- @return what it returns; nil and an error if the file is invalid. Other errors are raised again.
function fail.catch(path, fn, ...)
  local ok, result = pcall(fn, ...)
  if ok then return result end
  if getmetatable(result) ~= Found then
    if type(result) == "table" and result.code then return nil, result end
    error(result, 0)
  end
  local err = errors.new(result.code or "invalid", result.message, path)
  err.where, err.offset = result.where, result.offset
  return nil, err
end

return fail
