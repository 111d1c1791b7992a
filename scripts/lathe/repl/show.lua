--- Formats results at the prompt.
-- @module lathe.repl.show

local layout = require "lathe.repl.columns"
local core = require "lathe.core"
local lists = require "lathe.repl.lists"
local members = require "lathe.members"
local out = require "lathe.cli.out"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"
local turns = require "lathe.repl.turns"
local values = require "lathe.repl.values"

local show = {}

local SHOWN_ITEMS = 6 -- of an array
local SHOWN_ROWS = 20 -- in columns
local LONGEST_SOURCE = 40 -- characters of an expression that is repeated
local SHOWN_KEYS = 12 -- of a plain table
local TABLE_DEPTH = 3
local LINE = 96 -- characters of a plain table on one line
local LANES = 4 -- of a vector
-- Types of views that hold only numbers and texts.
local TOLD = { annotation = true, bone = true, pose = true, vector = true }
local OBJECTS = { animation = true, graph = true, skeleton = true, track = true, ["float track"] = true }

local function vector(view, cache)
  local parts = {}
  for _, row in ipairs(cache:rows(view)) do
    parts[#parts + 1] = ("%s = %s"):format(row.name, text.number(view[row.name], row.type))
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- Also if its numbers are computed.
local function is_vector(view, cache)
  local rows = cache:rows(view)
  for _, row in ipairs(rows) do
    if row.array or type(view[row.name]) ~= "number" then return false end
  end
  return #rows > 0 and #rows <= LANES
end

-- The content of col0_x … col3_w: the columns, a text for each letter, and the letters in order.
local function matrix(view, cache)
  local columns, letters, seen = {}, {}, {}
  for _, row in ipairs(cache:rows(view)) do
    local column, letter = row.name:match "^col(%d+)_(%a)$"
    if column and not row.computed and not row.array then
      columns[column + 1] = columns[column + 1] or {}
      columns[column + 1][letter] = text.number(view[row.name], row.type)
      if not seen[letter] then letters[#letters + 1] = letter end
      seen[letter] = true
    end
  end
  return #columns > 0 and columns or nil, letters
end

-- Formats a matrix with one line per row.
local function matrix_lines(columns, letters, lines)
  local rows = { { "" } }
  for i, letter in ipairs(letters) do rows[i + 1] = { letter } end
  for c, column in ipairs(columns) do
    local name, width = "col" .. c - 1, 0
    for _, letter in ipairs(letters) do width = math.max(width, #name, #(column[letter] or "")) end
    for i, row in ipairs(rows) do
      row[c + 1] = ("%" .. width .. "s"):format(i == 1 and name or column[letters[i - 1]] or "")
    end
    rows[1][1] = " "
  end
  for _, row in ipairs(rows) do lines[#lines + 1] = "  " .. table.concat(row, "  ") end
end

local function inline(value, row, cache)
  local kind = core.type(value)
  local unit = row and row.unit and " " .. row.unit or ""
  if not kind then return text.explained(value, row) .. unit end
  if row and row.ref and kind ~= "array" then return "-> " .. core.path(value) end
  if kind == "array" then
    local first = #value > 0 and value[1]
    local element = cache:element(value, row)
    if #value > SHOWN_ITEMS or core.type(first) and not element.ref then
      return ("%s[%d]"):format(row and row.type or "", #value)
    end
    local parts = {}
    for i = 1, #value do
      parts[i] = core.type(value[i]) and "-> " .. core.path(value[i]) or text.scalar(value[i], element)
    end
    return (#parts == 0 and "{}" or "{ " .. table.concat(parts, ", ") .. " }") .. unit
  end
  if is_vector(value, cache) then return vector(value, cache) .. unit end
  local moves = matrix(value, cache) and cache:row(value, "translation")
  if not moves then return kind end
  return ("%s, translation = %s%s"):format(kind, vector(value.translation, cache), unit)
end

-- Formats a record as an element of an array: its type and first fields, as tostring does.
local function summary(value, row, cache)
  local kind = core.type(value)
  if not kind or kind == "array" or row.ref or is_vector(value, cache) or matrix(value, cache) then
    return inline(value, row, cache)
  end
  local first = tostring(value):match "^[^:]*: (.*)$"
  return first and kind .. " " .. first or kind
end

-- The fields with the lengths of a document's lists, which need not be shown in addition to the lists.
local function lengths(view, cache)
  local found = {}
  if core.path(view) ~= "" then return found end
  for _, row in ipairs(cache:listed_rows(view)) do
    local value = values.member(view, row.name)
    if core.type(value) == "array" then found[#value] = true end
  end
  return found
end

local DAMAGED = {} -- stands for a field that cannot be read

local function record_lines(view, cache, lines)
  local rows, width, counted = {}, 0, lengths(view, cache)
  local columns, letters = matrix(view, cache)
  local hidden = cache:defaults(view)
  for _, row in ipairs(cache:listed_rows(view)) do
    local ok, value = pcall(schema.value, view, row.name, row)
    if not ok then value = DAMAGED end
    local is_shown = columns and row.name:match "^col%d" -- shown in the matrix
    local is_known = row.count and counted[value]
    if value ~= nil and not is_shown and not is_known and not hidden[row.name] then
      rows[#rows + 1] = row
      width = math.max(width, #row.name)
    end
  end
  local path = core.path(view)
  lines[1] = path == "" and tostring(view) or ("%s %s"):format(core.type(view), path)
  if columns then matrix_lines(columns, letters, lines) end
  for _, row in ipairs(rows) do
    local label = row.name .. (" "):rep(width - #row.name)
    local ok, shown = pcall(function() return inline(view[row.name], row, cache) end)
    lines[#lines + 1] = ("  %s = %s"):format(label, ok and shown or "not understood: " .. tostring(shown))
  end
end

local function array_lines(array, cache, lines)
  local element = cache:element(array)
  lines[1] = tostring(array) .. (element.unit and ("  (%s)"):format(element.unit) or "")
  element.unit = nil
  local n = #array
  local shown = n <= SHOWN_ITEMS + 2 and n or SHOWN_ITEMS
  for i = 1, shown do
    lines[#lines + 1] = ("  [%d] = %s"):format(i, summary(array[i], element, cache))
  end
  if shown < n then lines[#lines + 1] = ("  ... %d more"):format(n - shown) end
end

local plain

-- The keys after the list part, in a stable order.
local function other_keys(value)
  local keys = {}
  for key in pairs(value) do
    if math.type(key) ~= "integer" or key < 1 or key > #value then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

local function is_empty(value)
  local iterate, state, first = pairs(value)
  return iterate(state, first) == nil
end

-- A reference to the source of a copy, shortened to fit a line.
local function reference(value)
  local ok, path = pcall(core.path, value)
  return ok and "-> " .. path or tostring(value)
end

local function table_items(value, depth, seen)
  local parts, keys = {}, other_keys(value)
  local is_copy = seen.told or core.type(value) == "copy"
  for i = 1, math.min(#value, SHOWN_KEYS) do parts[i] = plain(value[i], depth + 1, seen) end
  for i = 1, math.min(#keys, SHOWN_KEYS) do
    local key = keys[i]
    local name = type(key) == "string" and key:match "^[%a_][%w_]*$" and key
      or "[" .. plain(key, TABLE_DEPTH, seen) .. "]"
    local item = value[key]
    local is_source = is_copy and type(item) == "userdata"
    parts[#parts + 1] = name .. " = " .. (is_source and reference(item) or plain(item, depth + 1, seen))
  end
  local left = math.max(0, #value - SHOWN_KEYS) + math.max(0, #keys - SHOWN_KEYS)
  if left > 0 then parts[#parts + 1] = ("... %d more"):format(left) end
  return parts
end

-- A double with as many digits as necessary.
local function float(value)
  local digits = text.number(value)
  for precision = 15, 16 do
    local short = ("%." .. precision .. "g"):format(value)
    if #short < #digits and tonumber(short) == value then digits = short end
  end
  return digits:match "^-?%d+$" and digits .. ".0" or digits
end

local function is_plain(value)
  local meta = getmetatable(value)
  return type(value) == "table" and not (type(meta) == "table" and meta.__tostring)
end

-- Formats a value on one line if it fits, otherwise with a line for each part.
function plain(value, depth, seen)
  if type(value) == "string" then return text.quote(value) end
  if math.type(value) == "float" then return float(value) end
  if type(value) == "number" then return text.number(value) end
  if not is_plain(value) or seen[value] then return tostring(value) end
  if depth >= TABLE_DEPTH then return is_empty(value) and "{}" or "{ ... }" end
  seen[value] = true
  local parts = table_items(value, depth, seen)
  seen[value] = nil
  if #parts == 0 then return "{}" end
  local line = table.concat(parts, ", ")
  if #line + 2 * depth <= LINE and not line:find("\n", 1, true) then return "{ " .. line .. " }" end
  return "{\n" .. (table.concat(parts, ",\n") .. "\n"):gsub("[^\n]*\n", "  %0") .. "}"
end

local function plain_lines(value, told)
  local lines = {}
  for line in (plain(value, 0, { told = told }) .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  return lines
end

-- On one line, of any length.
local function plain_line(value, told)
  return (plain(value, 0, { told = told }):gsub("{\n *", "{ "):gsub("\n *}", " }"):gsub("\n *", " "))
end

-- Formats a skeleton, an animation or a track: its fields. For long lists only the length is shown.
local function object_lines(object)
  local rows, width = {}, 0
  for name, value in pairs(object) do
    local is_long = type(value) == "table" and #value > 0
    rows[#rows + 1] = { name, is_long and ("{ %d }"):format(#value) or plain_line(value) }
    width = math.max(width, #name)
  end
  local lines = { tostring(object) }
  for i, row in ipairs(rows) do
    lines[i + 1] = ("  %s = %s"):format(row[1] .. (" "):rep(width - #row[1]), row[2])
  end
  return lines
end

-- A list of texts, such as the files of a character.
local function object_list_lines(list)
  local lines, n = { tostring(list) }, #list
  local shown = n <= SHOWN_ITEMS + 2 and n or SHOWN_ITEMS
  for i = 1, shown do lines[#lines + 1] = ("  [%d] = %s"):format(i, tostring(list[i])) end
  if shown < n then lines[#lines + 1] = ("  ... %d more"):format(n - shown) end
  return lines
end

-- Formats a list of tables: one line each.
local function list_lines(list, all)
  local lines, n = {}, #list
  local shown = (all or n <= SHOWN_ROWS + 2) and n or SHOWN_ROWS
  for i = 1, shown do lines[i] = ("  [%d] = %s"):format(i, plain_line(list[i])) end
  if shown < n then lines[#lines + 1] = ("  ... %d more"):format(n - shown) end
  return lines
end

--- Whether a value is an error of lathe.
-- @param value
-- @treturn boolean
function show.is_error(value)
  return type(value) == "table" and type(value.message) == "string" and value.code ~= nil
end

-- ---- bones and annotations ---------------------------------------------------------------------------

local function pose_lines(pose, lines)
  local t, q, s = pose.t, pose.q, pose.s
  local function add(name, ...)
    local parts = { ... }
    for i, value in ipairs(parts) do
      parts[i] = type(value) == "number" and layout.number(value) or value
    end
    lines[#lines + 1] = ("  %-6s = %s"):format(name, table.concat(parts, " "))
  end
  add("t", t.x, t.y, t.z)
  add("q", q.x, q.y, q.z, q.w)
  local degrees = turns.texts(q.x, q.y, q.z, q.w)
  degrees[3] = degrees[3] .. " (degrees about x, y, z)"
  add("turn", table.unpack(degrees))
  add("s", s.x, s.y, s.z)
  return lines
end

local function bone_lines(bone)
  local lines = { tostring(bone) }
  for _, member in ipairs(members.of("bone").members) do
    local value = member.kind == "field" and values.member(bone, member.name)
    if value ~= nil and value ~= false and not core.type(value) then
      lines[#lines + 1] = ("  %-6s = %s"):format(member.name, plain_line(value))
    end
  end
  return pose_lines(bone.pose, lines)
end

local function annotation_lines(annotation)
  local lines = { tostring(annotation) }
  for _, member in ipairs(members.of("annotation").members) do
    local value, unit = values.member(annotation, member.name), member.doc:match "%[(.-)%]"
    local shown = core.type(value) and "-> " .. core.path(value) or plain_line(value)
    if value ~= nil then
      lines[#lines + 1] = ("  %-6s = %s%s"):format(member.name, shown, unit and " " .. unit or "")
    end
  end
  return lines
end

local TOLD_LINES = {
  annotation = annotation_lines, bone = bone_lines,
  pose = function(pose) return pose_lines(pose, { "pose" }) end,
}

-- The lists of a document that are no fields of its format, and hold something.
local function add_lists(doc, lines)
  local rows, width = {}, 0
  for _, member in ipairs(members.of("document").members) do
    local value = member.kind == "field" and values.member(doc, member.name)
    local kind = core.type(value)
    if kind == "graph" or kind == "list" and #value > 0 then
      rows[#rows + 1] = { member.name, tostring(value) }
      width = math.max(width, #member.name)
    end
  end
  if #rows > 0 then lines[#lines + 1] = "lists" end
  for _, row in ipairs(rows) do
    lines[#lines + 1] = ("  %s = %s"):format(row[1] .. (" "):rep(width - #row[1]), row[2])
  end
end

local function object_or_record_lines(value, kind)
  if TOLD_LINES[kind] then return TOLD_LINES[kind](value) end
  if TOLD[kind] then return plain_lines(core.totable(value), true) end
  if kind == "list" then return object_list_lines(value) end
  if OBJECTS[kind] then return object_lines(value) end
  local lines, cache = {}, schema.new()
  if kind == "array" then
    array_lines(value, cache, lines)
  else
    record_lines(value, cache, lines)
    if values.is_document(value) then add_lists(value, lines) end
  end
  return lines
end

-- ---- columns -----------------------------------------------------------------------------------------

-- How to name a value again: as it was typed, if that is short.
local function name_of(context)
  local source = context.source
  if not source or #source > LONGEST_SOURCE or source:find "\n" then return nil end
  return source:match "^%s*=?%s*(.-)%s*$"
end

local function title_of(value)
  local kind = core.type(value)
  if not kind then return nil end
  local element = kind == "array" and schema.new():element(value)
  return tostring(value) .. (element and element.unit and ("  (%s)"):format(element.unit) or "")
end

-- Names the columns that do not fit, and what shows them. one: an element as it is typed.
local function emit_left_out(names, one, emit, width)
  local line = "  left out for want of room:"
  for i, name in ipairs(names) do
    local word = name .. (i < #names and "," or one and ("; %s shows all"):format(one) or "")
    if #line + #word + 1 > width then
      emit(line)
      line = "   "
    end
    line = line .. " " .. word
  end
  emit(line)
end

-- Prints a value in columns; all of it, or its first rows and how to see the others.
local function emit_columns(value, list, emit, context)
  local title, last = title_of(value), list.last
  if title then emit(title .. (list.note and "; " .. list.note or "")) end
  if not context.all and list.count > SHOWN_ROWS + 2 then list.last = list.first + SHOWN_ROWS - 1 end
  local width = context.width or out.columns()
  local left_out = layout.emit(list, emit, width)
  local name = name_of(context)
  if list.last < last then
    local hint = name and (": dump(%s) prints all"):format(name)
      or context.more and (" (%s)"):format(context.more) or ""
    emit(("  ... %d more%s"):format(last - list.last, hint))
  end
  if #left_out > 0 then
    local one = core.type(value) ~= "buffer" and name and ("%s[%d]"):format(name, list.first)
    emit_left_out(left_out, one, emit, width)
  end
end

--- Prints a result: records as a list of fields, lists and arrays in columns, errors on one line. Values of a
-- closed document are shown as such.
-- @param value
-- @tparam function emit receives each line
-- @tparam[opt] table context `source` (what was typed), `env`, `documents()`, `width`; `all`: everything;
--   `more`: what shows all of a list that is cut
function show.emit(value, emit, context)
  context = context or {}
  local kind = core.type(value)
  local lines
  if kind and tostring(value):find "closed%)$" then
    lines = { tostring(value) }
  elseif show.is_error(value) then
    lines = { tostring(value) }
  else
    local list = lists.of(value, context)
    if list then return emit_columns(value, list, emit, context) end
    local is_plain_value = kind == nil or kind == "buffer" or kind == "copy"
    if is_plain_value then
      local is_list = type(value) == "table" and type(value[1]) == "table"
      lines = is_list and list_lines(value, context.all) or plain_lines(value)
    else
      lines = object_or_record_lines(value, kind)
    end
  end
  for _, line in ipairs(lines) do emit(line) end
end

--- The same as a list of lines.
-- @param value
-- @tparam[opt] table context
-- @treturn {string,...}
function show.lines(value, context)
  local lines = {}
  show.emit(value, function(line) lines[#lines + 1] = line end, context)
  return lines
end

return show
