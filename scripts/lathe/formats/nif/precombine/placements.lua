--- Reads lists of models and their placements: comma-separated values, one placement per line.
-- @module lathe.formats.nif.precombine.placements

local paths = require "lathe.paths"
local spelling = require "lathe.spelling"

local placements = {}

-- Columns by name, and the default of a missing column.
local COLUMNS = {
  "file", "x", "y", "z", "a", "b", "c", "scale", "grayscale_to_palette", "leaf_amplitude", "leaf_frequency",
}
local NEEDED = { "file", "x", "y", "z" }
local DEFAULT = { a = 0, b = 0, c = 0, scale = 1, leaf_amplitude = 0, leaf_frequency = 0 }

local KNOWN = {}
for _, name in ipairs(COLUMNS) do KNOWN[name] = true end

local function trimmed(text) return (text:match "^%s*(.-)%s*$") end

-- Reads a quoted value that begins at `at`: its text, with doubled quotes as one, and its end.
local function quoted(line, at)
  local parts, from = {}, at + 1
  while true do
    local quote = line:find('"', from, true)
    if not quote then return nil, "a quote is not closed" end
    parts[#parts + 1] = line:sub(from, quote - 1)
    if line:sub(quote + 1, quote + 1) ~= '"' then return table.concat(parts, '"'), quote + 1 end
    from = quote + 2
  end
end

-- Splits a line into values.
local function split(line)
  local values, at = {}, 1
  repeat
    local start, value, behind = line:match("^%s*()", at), nil, nil
    if line:sub(start, start) == '"' then
      value, behind = quoted(line, start)
      if not value then return nil, behind end
    end
    local stop = line:find(",", behind or at, true) or #line + 1
    local rest = trimmed(line:sub(behind or at, stop - 1))
    if value and rest ~= "" then return nil, ("'%s' behind a quote"):format(rest) end
    values[#values + 1] = value or rest
    at = stop + 1
  until stop > #line
  return values
end

-- The columns by number, from the first line.
local function read_header(line)
  local names, why = split(line)
  if not names then return nil, why end
  local seen = {}
  for i, name in ipairs(names) do
    names[i] = name:lower()
    if not KNOWN[names[i]] then
      return nil, ("no column '%s'%s; the first line names the columns: %s"):format(name,
        spelling.hint(names[i], COLUMNS), table.concat(COLUMNS, ", "))
    end
    if seen[names[i]] then return nil, ("two columns '%s'"):format(names[i]) end
    seen[names[i]] = true
  end
  for _, name in ipairs(NEEDED) do
    if not seen[name] then return nil, ("the first line names the columns, and lacks '%s'"):format(name) end
  end
  return names
end

local function read_number(text)
  local value = text:find "^[-+.%deE]+$" and tonumber(text)
  return value and math.abs(value) < math.huge and value + 0.0 or nil
end

local function read_row(line, columns)
  local values, why = split(line)
  if not values then return nil, why end
  if #values ~= #columns then
    return nil, ("%d values, and there are %d columns"):format(#values, #columns)
  end
  local row = setmetatable({}, { __index = DEFAULT })
  for i, name in ipairs(columns) do
    local text = values[i]
    if name == "file" then
      if text == "" then return nil, "no file is named" end
      row.file = text
    elseif text ~= "" or not DEFAULT[name] and name ~= "grayscale_to_palette" then
      row[name] = read_number(text)
      if not row[name] then return nil, ("%s: '%s' is not a number"):format(name, text) end
    end
  end
  if row.scale <= 0 then return nil, ("scale: %.9g is not above 0"):format(row.scale) end
  return row
end

local WINDOWS <const> = package.config:sub(1, 1) == "\\"

-- The path of a file in the list. Lists with paths of the game have backslashes.
local function path_of(file, folder)
  if not WINDOWS then file = file:gsub("\\", "/") end
  if file:find "^/" or file:find "^%a:" then return file end
  return paths.join(folder, file)
end

-- Converts a row to a source of doc:precombine.
local function source_of(row, folder, angle)
  return {
    nif = path_of(row.file, folder),
    position = { row.x, row.y, row.z },
    rotation = { row.a * angle, row.b * angle, row.c * angle },
    scale = row.scale,
    grayscale_to_palette = row.grayscale_to_palette,
    leaf = { row.leaf_amplitude, row.leaf_frequency },
  }
end

--- Reads a list. The first line has the column names; empty lines and lines that begin with # are ignored.
-- @tparam string text
-- @tparam string folder for relative file names
-- @tparam[opt] boolean degrees whether angles are in degrees
-- @treturn {table,...} sources for doc:precombine
-- @treturn {integer,...} the line of each
-- @treturn {table,...} problems: each with `line` and `message`
function placements.read(text, folder, degrees)
  local sources, lines, problems = {}, {}, {}
  local columns, number, angle = nil, 0, degrees and math.pi / 180 or 1
  for line in (text:gsub("^\xEF\xBB\xBF", "") .. "\n"):gmatch "([^\n]*)\n" do
    number, line = number + 1, trimmed(line)
    if line ~= "" and line:sub(1, 1) ~= "#" then
      local found, why = (columns and read_row or read_header)(line, columns)
      if not found then
        problems[#problems + 1] = { line = number, message = why }
        if not columns then return sources, lines, problems end
      elseif not columns then
        columns = found
      else
        sources[#sources + 1], lines[#sources + 1] = source_of(found, folder, angle), number
      end
    end
  end
  if not columns then problems[1] = { line = number, message = "the list is empty" } end
  return sources, lines, problems
end

return placements
