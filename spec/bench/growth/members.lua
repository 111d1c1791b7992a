-- What the growth bench is to have lines for, as the code lists it: functions of lathe.h, methods of arrays and buffers,
-- verbs of all formats ("nif:scale").

local lathe = require "lathe"
local members = require "lathe.members"

local growth_members = {}

-- All of them, as a set.
local function all()
  local out = {}
  local file <close> = assert(io.open "core/lathe.h")
  for name in file:read "a":gmatch "LATHE_API[^;]-(lathe_[%l_]+)%(" do out[name] = true end
  for _, owner in ipairs { "array", "buffer" } do
    for _, name in ipairs(members.names(owner, "method")) do out[name] = true end
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
function growth_members.missing(covered, without)
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

return growth_members
