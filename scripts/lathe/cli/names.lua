--- Reads a file with names for numbers.
-- @module lathe.cli.names

local names = {}

local STEPS = 10000000 -- limit for a file in Lua, which is a table and not a program

local read_before = {} -- by path: a command opens many files with the same names

local function of_lua(text, path)
  local code = text:find "^%s*return%f[%W]" and text or "return " .. text
  local chunk, why = load(code, "@" .. path, "t", {})
  if not chunk then return nil, why end
  local thread = coroutine.create(chunk)
  debug.sethook(thread, function() error("it runs too long", 0) end, "", STEPS)
  local ok, value = coroutine.resume(thread)
  if not ok then return nil, tostring(value) end
  return value
end

local function of_json(text)
  local ok, value, _, why = pcall(require("dkjson").decode, text, 1, nil, nil, nil)
  if not ok then return nil, "it is nested too deeply" end
  return value, why
end

-- Reads JSON, whose keys have quotes, or Lua. If one parser fails, the other reports the error.
local function read(path)
  local file <close>, why = io.open(path, "rb")
  if not file then return nil, why end
  local text = file:read "a"
  if not text then return nil, path .. ": it cannot be read" end
  local is_json = path:lower():find "%.json$" or text:find '^%s*{%s*"'
  local value, problem = (is_json and of_json or of_lua)(text, path)
  if type(value) == "table" then return value end
  return nil, ("%s: a table of names expected%s"):format(path, problem and ": " .. problem or "")
end

--- Converts the option for `names` of `lathe.open`.
-- @tparam[opt] string path of the option
-- @treturn ?table
-- @treturn ?string why the file cannot be used
function names.of(path)
  if not path then return nil end
  local value, why = read_before[path], nil
  if not value then
    value, why = read(path)
    read_before[path] = value
  end
  return value, why
end

return names
