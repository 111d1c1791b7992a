-- What the growth bench is to have lines for, as the code lists it: functions of lathe.h, methods of arrays and buffers,
-- verbs of all formats ("nif:scale").

local lathe = require "lathe"

local members = {}

-- Methods are in a table that __index has as its upvalue.
local function methods_of(value)
  local meta = debug.getmetatable(value)
  for i = 1, 8 do
    local _, held = debug.getupvalue(meta.__index, i)
    if type(held) == "table" then return held end
  end
  return meta.__index
end

-- All of them, as a set.
local function all()
  local out = {}
  local file <close> = assert(io.open "core/lathe.h")
  for name in file:read "a":gmatch "LATHE_API[^;]-(lathe_[%l_]+)%(" do out[name] = true end
  local save = assert(lathe.new("save", { levels = { {} } }))
  for _, value in ipairs { save.levels, lathe.buffer("u8", 1, 1) } do
    for name in pairs(methods_of(value)) do out[name] = true end
  end
  for _, format in ipairs(lathe.formats()) do
    for _, verb in ipairs(lathe.verbs(format.name)) do out[format.name .. ":" .. verb.name] = true end
  end
  return out
end

--- What has neither a line nor a reason, and what has one and is not there.
-- @tparam table covered a set of names
-- @tparam table without reasons by name
-- @treturn {string,...}
function members.missing(covered, without)
  local out, known = {}, all()
  for name in pairs(known) do
    if not covered[name] and not without[name] then out[#out + 1] = name .. ": no line of the growth bench covers it" end
  end
  for name in pairs(covered) do
    if not known[name] then out[#out + 1] = name .. ": a line covers it, but there is no such member" end
  end
  for name in pairs(without) do
    if not known[name] or covered[name] then out[#out + 1] = name .. ": it needs no reason to have no line" end
  end
  table.sort(out)
  return out
end

return members
