--- Prints rows of cells in columns that fit the width of the terminal.
-- @module lathe.repl.columns

local text = require "lathe.tree.text"

local columns = {}

local MOST = 44 -- characters of a cell
local WIDEST, NARROWEST = 400, 20 -- of one that gets the rest of the line
local MEASURED = 200 -- rows that decide how wide columns are
local GAP, INDENT = "  ", "  "

local function width_of(s) return utf8.len(s) or #s end

--- Shortens a text to a number of characters.
-- @tparam string value
-- @tparam integer most
-- @treturn string
function columns.cut(value, most)
  if width_of(value) <= most then return value end
  local stop = utf8.offset(value, most) or most
  return value:sub(1, stop - 1) .. "…"
end

--- A number with up to six digits, as columns show them.
-- @tparam number value
-- @tparam[opt] string type of its field
-- @treturn string
function columns.number(value, type)
  if math.type(value) == "integer" then return text.number(value, type) end
  local short = ("%.6g"):format(value)
  return short == "-0" and "0" or short
end

local function pad(value, width, right)
  local blanks = (" "):rep(width - width_of(value))
  return right and blanks .. value or value .. blanks
end

-- Cells are texts, or lists of texts that share a column, such as x, y and z. `right`: numbers.
local function measure(column, cells)
  column.lanes, column.empty, column.right = {}, true, true
  for _, cell in ipairs(cells) do
    local parts = type(cell) == "table" and cell or { cell }
    for lane, part in ipairs(parts) do
      column.lanes[lane] = math.max(column.lanes[lane] or 0, width_of(part))
      if part ~= "" then column.empty = false end
      if part ~= "" and not part:find "^[-+]?[%d.]" and not part:find "^[-n][ia][nf]" then
        column.right = false
      end
    end
  end
  local width = math.max(0, #column.lanes - 1)
  for _, lane in ipairs(column.lanes) do width = width + lane end
  column.width = math.max(width, width_of(column.title))
end

local function cell_text(column, cell)
  local parts = type(cell) == "table" and cell or { cell }
  if #column.lanes > 1 then
    local lanes = {}
    for lane, width in ipairs(column.lanes) do lanes[lane] = pad(parts[lane] or "", width, true) end
    return pad(table.concat(lanes, " "), column.width)
  end
  return pad(columns.cut(parts[1] or "", column.width), column.width, column.right)
end

local function line_of(shown, label, label_width, cells)
  local parts = { INDENT .. pad(label, label_width) }
  for i, column in ipairs(shown) do parts[i + 1] = cell_text(column, cells[column.number]) end
  return (table.concat(parts, GAP):gsub("%s+$", ""))
end

local function cells_of(list, i)
  local item, cells = list.item(i), {}
  for number, column in ipairs(list.columns) do
    local ok, cell = pcall(column.get, item, i)
    if not ok or cell == nil then cell = "" end
    cells[number] = type(cell) == "string" and columns.cut(cell, column.wide and WIDEST or MOST) or cell
  end
  return cells
end

-- The columns that fit, and the titles of the others. Columns without content are not counted.
local function fitting(list, rows, width)
  local shown, left_out = {}, {}
  local used = #INDENT + list.label_width
  for number, column in ipairs(list.columns) do
    local cells = {}
    for i, row in ipairs(rows) do cells[i] = row[number] end
    column.number, column.title = number, column.unit and ("%s [%s]"):format(column.name, column.unit)
      or column.name
    measure(column, cells)
    local rest = width - used - #GAP
    if column.wide and rest >= NARROWEST then column.width = math.min(column.width, rest) end
    local fits = used + #GAP + column.width <= width
    if fits and not column.empty then
      used = used + #GAP + column.width
      shown[#shown + 1] = column
    elseif not column.empty then
      left_out[#left_out + 1] = column.name
    end
  end
  return shown, left_out
end

--- Prints rows with a line of titles.
-- @tparam table list `item(i)`; `first` and `last` index; `label(i)`, default: the index; `columns`, each
--   with `name`, `unit` and a function `get(item, i)` that gives a text, or a list of texts side by side;
--   `wide`: the column gets the rest of the line
-- @tparam function emit receives each line
-- @tparam integer width
-- @treturn {string,...} the names of columns that do not fit
function columns.emit(list, emit, width)
  local label = list.label or function(i) return ("[%d]"):format(i) end
  list.label_width = math.max(#label(list.first), #label(list.last))
  local rows = {}
  local measured = math.min(list.last, list.first + MEASURED - 1)
  for i = list.first, measured do rows[#rows + 1] = cells_of(list, i) end
  local shown, left_out = fitting(list, rows, width)
  local titles = {}
  for _, column in ipairs(shown) do titles[column.number] = column.title end
  local parts = { INDENT .. (" "):rep(list.label_width) }
  for i, column in ipairs(shown) do
    parts[i + 1] = pad(titles[column.number], column.width, column.right and #column.lanes == 1)
  end
  emit((table.concat(parts, GAP):gsub("%s+$", "")))
  for i = list.first, list.last do
    emit(line_of(shown, label(i), list.label_width, rows[i - list.first + 1] or cells_of(list, i)))
  end
  return left_out
end

return columns
