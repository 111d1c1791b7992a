--- Converts plain values to bytes and back: nil, booleans, numbers, strings, and tables of these. Worker
-- processes exchange such values with the process that started them.
-- @module lathe.cli.batch.plain

local plain = {}

local DEEPEST = 100 -- levels of tables; a table that contains itself reaches them
local LARGEST = 16 << 20 -- bytes

local writers = {}

writers["nil"] = function(add) add "n" end
writers.boolean = function(add, value) add(value and "t" or "f") end
writers.string = function(add, value) add(("<c1s4"):pack("s", value)) end

writers.number = function(add, value)
  local integer = math.type(value) == "integer"
  add((integer and "<c1i8" or "<c1d"):pack(integer and "i" or "d", value))
end

local function refuse(what) error({ plain = what }, 0) end

local function put(add, value, depth)
  local kind = type(value)
  local writer = writers[kind]
  if not writer then refuse("a " .. kind) end
  writer(add, value, depth)
end

-- No code of a script is called: it could have set metamethods.
writers.table = function(add, value, depth)
  if depth == DEEPEST then refuse(("tables in tables, more than %d levels"):format(DEEPEST)) end
  if debug.getmetatable(value) then refuse "a table with a metatable" end
  add "{"
  for key, inner in next, value do
    if type(key) == "table" then refuse "a table as a key" end
    put(add, key, depth + 1)
    put(add, inner, depth + 1)
  end
  add "}"
end

--- Converts a value to bytes.
-- @param value
-- @tparam[opt] integer most the largest size; default: no limit
-- @treturn ?string
-- @treturn ?string what the value contains that cannot be converted, such as "a function"
function plain.pack(value, most)
  local parts, n, size = {}, 0, 0
  local function add(part)
    n, size = n + 1, size + #part
    if most and size > most then refuse(("more than %d bytes"):format(most)) end
    parts[n] = part
  end
  local ok, why = pcall(put, add, value, 0)
  if ok then return table.concat(parts) end
  if type(why) == "table" and why.plain then return nil, why.plain end
  error(why, 0)
end

--- The largest size of a value from a script.
plain.LARGEST = LARGEST

local readers = {}

local function get(bytes, at)
  return readers[bytes:sub(at, at)](bytes, at + 1)
end

readers.n = function(_, at) return nil, at end
readers.t = function(_, at) return true, at end
readers.f = function(_, at) return false, at end
readers.s = function(bytes, at) return ("<s4"):unpack(bytes, at) end
readers.i = function(bytes, at) return ("<i8"):unpack(bytes, at) end
readers.d = function(bytes, at) return ("<d"):unpack(bytes, at) end

readers["{"] = function(bytes, at)
  local result = {}
  while bytes:sub(at, at) ~= "}" do
    local key, value
    key, at = get(bytes, at)
    value, at = get(bytes, at)
    result[key] = value
  end
  return result, at + 1
end

--- Converts bytes of `plain.pack` back.
-- @tparam string bytes
-- @return the value
function plain.unpack(bytes)
  return (get(bytes, 1))
end

return plain
