--- Shows the candidates of a completion, with type and unit beside each.
-- @module lathe.repl.choices

local columns = require "lathe.repl.columns"
local text = require "lathe.tree.text"

local choices = {}

local GAP = "  "
local NARROWEST = 20 -- columns for a text, at least
local MOST = 400 -- names that are listed side by side
local MOST_WITH_TYPES, LONGEST_TYPE = 100, 20

local function width_of(s) return utf8.len(s) or #s end

local function pad(value, width) return value .. (" "):rep(width - width_of(value)) end

-- A line each: name, type, text.
local function described(list, width)
  local lines, names, kinds = {}, 0, 0
  for _, one in ipairs(list) do
    names, kinds = math.max(names, width_of(one.label)), math.max(kinds, width_of(one.type or ""))
  end
  kinds = math.min(kinds, width // 3)
  for i, one in ipairs(list) do
    local line = GAP .. pad(one.label, names)
    if kinds > 0 then line = line .. GAP .. pad(columns.cut(one.type or "", kinds), kinds) end
    local rest = width - width_of(line) - #GAP
    if one.doc and rest >= NARROWEST then line = line .. GAP .. columns.cut(one.doc, rest) end
    lines[i] = columns.cut(line:gsub("%s+$", ""), width)
  end
  return lines
end

-- Puts the type behind each name, if these are not too many.
local function with_types(list)
  local names = 0
  for _, one in ipairs(list) do names = math.max(names, width_of(one.label)) end
  for _, one in ipairs(list) do
    if one.type and one.type ~= "" then
      one.label = pad(one.label, names) .. " " .. columns.cut(one.type, LONGEST_TYPE)
    end
  end
end

-- As many names side by side as fit.
local function side_by_side(list, width)
  local widest, n = 0, math.min(#list, MOST)
  if #list <= MOST_WITH_TYPES then with_types(list) end
  for i = 1, n do widest = math.max(widest, width_of(list[i].label)) end
  local across = math.max(1, (width - #GAP) // (widest + #GAP))
  local down = (n + across - 1) // across
  local lines = {}
  for row = 1, down do
    local parts = {}
    for i = row, n, down do parts[#parts + 1] = pad(list[i].label, widest) end
    lines[row] = columns.cut(GAP .. table.concat(parts, GAP):gsub("%s+$", ""), width)
  end
  if n < #list then lines[#lines + 1] = ("%s... %d more: type more letters"):format(GAP, #list - n) end
  return lines
end

--- The candidates as lines of text.
-- @tparam {table,...} list of `complete.candidates`
-- @tparam integer width
-- @tparam integer rows of the screen; more candidates are shown without their types
-- @tparam[opt] boolean more not all elements were searched
-- @treturn {string,...}
function choices.lines(list, width, rows, more)
  local shown = {}
  for i, one in ipairs(list) do
    local doc = one.doc and text.printable(one.doc)
    shown[i] = { label = text.printable(one.label), type = one.type, doc = doc }
  end
  local lines = (#list <= rows and described or side_by_side)(shown, width)
  if more then lines[#lines + 1] = GAP .. "... there are so many that not all were searched" end
  return lines
end

return choices
