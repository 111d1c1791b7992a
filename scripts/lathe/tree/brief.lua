--- Values on one line, without what is below them: the same in dumps, pages and trees.
-- @module lathe.tree.brief

local core = require "lathe.core"
local text = require "lathe.tree.text"

local brief = {}

local LINE_ITEMS = 16 -- arrays with at most as many scalars are shown completely
local SHOWN_ITEMS = 8 -- of a longer one

--- The most elements that a list shows completely.
brief.LINE_ITEMS = LINE_ITEMS

--- How many elements of an array are shown.
-- @tparam integer n the number of its elements
-- @treturn integer
function brief.shown(n) return n <= LINE_ITEMS and n or SHOWN_ITEMS end

--- A value without a subtree: a number, a text, or the path of a referenced object.
-- @param value
-- @tparam[opt] table row
-- @treturn string
function brief.value(value, row)
  if core.type(value) then return "-> " .. core.path(value) end
  return text.explained(value, row)
end

--- The elements of an array of scalars.
-- @param array
-- @tparam table element the row of its elements
-- @tparam[opt] boolean all however many there are
-- @treturn string
-- @treturn boolean whether it is cut
function brief.scalars(array, element, all)
  local n, parts = #array, {}
  local shown = all and n or brief.shown(n)
  for i = 1, shown do parts[i] = brief.value(array[i], element) end
  if shown < n then parts[#parts + 1] = ("... (%d in all)"):format(n) end
  return n == 0 and "(empty)" or table.concat(parts, "  "), shown < n
end

--- A record of a few numbers: "x 1  y 2  z 3".
-- @param view
-- @tparam lathe.tree.schema cache
-- @treturn string
function brief.vector(view, cache)
  local parts = {}
  for i, row in ipairs(cache:rows(view)) do
    local value = view[row.name]
    parts[i] = ("%s %s"):format(row.name, text.hex(value, row) or text.number(value, row.type))
  end
  return table.concat(parts, "  ")
end

--- Whether an array has records of its own, and so rows below it.
-- @param array
-- @tparam table row the array's own row
-- @treturn boolean
function brief.has_records(array, row) return #array > 0 and not row.ref and core.type(array[1]) ~= nil end

--- The name that a record has as a field, to be shown beside its type.
-- @param view
-- @tparam lathe.tree.schema cache
-- @treturn ?string
function brief.name(view, cache)
  local row = cache:row(view, "name")
  local ok, name = pcall(function() return row and not row.array and view.name end)
  if ok and type(name) == "string" and name ~= "" then return brief.value(name, row) end
end

--- Reads a value; the error of an invalid file is returned in place of raised.
-- @tparam function fn
-- @param ... its arguments
-- @return the value
-- @treturn ?Error
function brief.try(fn, ...)
  local ok, value = pcall(fn, ...)
  if ok then return value end
  if type(value) == "table" and value.code then return nil, value end
  error(value, 0)
end

return brief
