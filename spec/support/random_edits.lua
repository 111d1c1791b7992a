--- Random edits of any document: values set, elements inserted and removed.

local lathe = require "lathe"

local random_edits = {}

local MOST_PLACES, DEEPEST, ITEMS = 2000, 6, 4

local function pick(list) return list[math.random(#list)] end

-- Collects fields that can be set (`values`) and arrays that can grow (`arrays`).
local function collect(view, found, depth)
  if depth > DEEPEST or #found.values > MOST_PLACES then return end
  for _, row in ipairs(lathe.describe(view) or {}) do
    local there, value = pcall(function() return view[row.name] end)
    local kind = there and lathe.type(value)
    local editable = there and value ~= nil and not row.computed and not row.inside
    if editable and kind == "array" then
      if row.resizable then found.arrays[#found.arrays + 1] = value end
      for i = 1, row.ref and 0 or math.min(#value, ITEMS) do
        local k = #value > ITEMS and math.random(#value) or i
        local item = lathe.type(value[k])
        if item and item ~= "array" then collect(value[k], found, depth + 1) end
        if not item then found.values[#found.values + 1] = { value, k, row } end
      end
    elseif editable and kind and not row.ref then
      collect(value, found, depth + 1)
    elseif editable and not kind and not row.readonly then
      found.values[#found.values + 1] = { view, row.name, row }
    end
  end
end

local function other(value, row)
  if type(value) == "string" and row.enum and row.names then return pick(row.names) end
  if type(value) == "string" then return value .. math.random(99) end
  if type(value) == "boolean" then return not value end
  if math.type(value) == "integer" then return value + math.random(3) end
  return value * 1.5 + math.random()
end

local function set(place)
  local value = place[1][place[2]]
  place[1][place[2]] = other(value, place[3])
end

local function resize(array)
  local what = math.random(3)
  if what == 1 and #array > 0 then
    lathe.remove(array, math.random(#array))
  elseif what == 2 and #array > 0 then
    lathe.insert(array, math.random(#array + 1), lathe.totable(array)[math.random(#array)])
  else
    lathe.insert(array, math.random(#array + 1))
  end
end

--- Edits a document in up to n places; edits that the format refuses are left out.
-- @param doc
-- @tparam integer n
-- @treturn integer how many were done
function random_edits.edit(doc, n)
  local done = 0
  for _ = 1, n do
    local found = { values = {}, arrays = {} }
    if pcall(collect, doc, found, 0) then
      local grows = #found.arrays > 0 and (#found.values == 0 or math.random(2) == 1)
      local ok = pcall(grows and resize or set, grows and pick(found.arrays) or pick(found.values))
      if ok then done = done + 1 end
    end
  end
  if math.random(5) == 1 and pcall(function() return assert(doc:scale(1.5)) end) then done = done + 1 end
  return done
end

return random_edits
