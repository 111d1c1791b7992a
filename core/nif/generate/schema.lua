-- Reads the text of a schema: sections and their lines, nothing known yet of what names mean.
-- The notation is described in README.md.

local expression = require "generate.expression"
local problem = require "generate.problem"

local schema = {}

local function trimmed(text)
  return text:match("^%s*(.-)%s*$")
end

-- A line without its remark, and the remark; nil where there is none.
local function split_remark(line)
  local at = line:find("//", 1, true)
  if not at then return line, nil end
  return line:sub(1, at - 1), trimmed(line:sub(at + 2))
end

-- ---- rows ---------------------------------------------------------------------------------------

local notes = {
  scale = function(row, text)
    row.power = math.tointeger(tonumber(text))
    if not row.power or row.power < -9 or row.power > 9 then
      problem.raise("@scale=%s is no power of a length", text)
    end
  end,
  names = function(row, text) row.names = text end,
  codec = function(row, text) row.codec = text end,
  get = function(row, text) row.get = text end,
  view = function(row, text) row.view = text end,
  instead = function(row, text) row.instead = text end,
  flags = function(row, text) row.flags = text end,
  fit = function(row, text) row.fit = text end,
  init = function(row, text)
    row.init = tonumber(text)
    if not row.init then problem.raise("@init=%s is no number", text) end
  end,
  bits = function(row, text)
    local low, count = text:match("^(%d+):(%d+)$")
    row.low, row.bits = math.tointeger(tonumber(low)), math.tointeger(tonumber(count))
    if not row.bits or row.bits < 1 or row.bits > 32 or row.low + row.bits > 64 then
      problem.raise("@bits=%s is not FIRST:COUNT of a number of 64 bits", text)
    end
  end,
  derive = function(row, text) row.derive = expression.parse(text) end,
}

local function read_notes(row, text)
  while text ~= "" do
    local name, value, behind = text:match("^@(%w+)=(.-)%s+(@.*)$")
    if not name then
      name, value = text:match("^@(%w+)=(.-)%s*$")
      behind = ""
    end
    if not notes[name] or value == "" then problem.raise("'%s' is no note", text) end
    if row.noted[name] then problem.raise("@%s twice", name) end
    row.noted[name] = true
    notes[name](row, value)
    text = behind
  end
end

local function read_count(row, text)
  if text == "" then return end
  local inner = trimmed(text:match("^%[(.*)%]$") or "")
  if inner == "" then problem.raise("'%s' is no count", text) end
  if inner == "REST" then
    row.rest = true
  else
    row.count = expression.parse(inner)
  end
end

local function read_row(line)
  local text, remark = split_remark(line)
  local row = { noted = {} }
  local left, condition = text:match("^(.-)%?(.*)$")
  if condition then row.condition = expression.parse(condition) end
  left = left or text
  local before, behind = left:match("^(.-)%s(@.*)$")
  left = trimmed(before or left)
  row.type, behind = left:match("^([%a][%w_:]*)(.*)$"), behind and trimmed(behind) or ""
  if not row.type then problem.raise("'%s' is no row", trimmed(line)) end
  left = left:sub(#row.type + 1)
  local arguments = left:match("^%b()")
  if arguments then
    row.arguments = expression.parse_list(arguments:sub(2, -2))
    left = left:sub(#arguments + 1)
  end
  local count
  row.name, count = left:match("^%s+([%w_]+)%s*(.*)$")
  if not row.name then problem.raise("a row needs a type and a name") end
  if not row.name:find("^%l[%l%d_]*$") then problem.raise("'%s' is not snake_case", row.name) end
  read_count(row, count)
  read_notes(row, behind)
  if remark then
    row.unit, row.doc = remark:match("^%[([^%]]*)%]%s*(.*)$")
    row.doc = row.doc or remark
  end
  return row
end

local function read_name(line)
  local text, remark = split_remark(line)
  local value, name = text:match("^%s+(%w+)%s+([%w_+]+)%s*$")
  value = math.tointeger(tonumber(value))
  if not value then problem.raise("'%s' is no number and name", trimmed(line)) end
  return { value = value, name = name, doc = remark }
end

-- ---- sections -----------------------------------------------------------------------------------

-- The one kind of name that C does not have: BSSkin::Instance.
local function block_name(text)
  return text:gsub("::", ""):find("^%a[%w_]*$") and text
end

local heads = {
  block = function(section, rest)
    local name, parent = rest:match("^(%S+)%s+:%s+(%S+)$")
    local own, parameter = (name or rest):match("^([%a][%w_]*)%(([%a_][%w_]*)%)$")
    if own and parent then name, section.parameter = own, parameter end
    section.name, section.parent = block_name(name or rest), parent and block_name(parent)
    if parent and not section.parent then problem.raise("'%s' is no name of block", parent) end
    section.read = read_row
  end,
  struct = function(section, rest)
    section.name, section.parameter = rest:match("^([%a][%w_]*)%s*%(%s*([%a_][%w_]*)%s*%)$")
    section.name = section.name or rest:match("^([%a][%w_]*)$")
    section.read = read_row
  end,
  enum = function(section, rest)
    section.name, section.read = rest:match("^[%a][%w_]*$"), read_name
  end,
  flags = function(section, rest)
    section.name, section.read = rest:match("^[%a][%w_]*$"), read_name
  end,
}

local function read_head(line)
  local text, remark = split_remark(line)
  local kind, rest = text:match("^(%w+)%s+(.-)%s*$")
  if not heads[kind] then
    problem.raise("'%s' begins no block, struct, enum or flags", trimmed(text))
  end
  local section = { kind = kind, doc = remark, rows = {} }
  heads[kind](section, rest)
  if not section.name then problem.raise("'%s' is no name of %s", rest, kind) end
  return section
end

--- The sections of a text, in order; problems go to the list. A section has kind, name, doc, file, line,
--- rows, and parent (of a block) or parameter (of a struct).
function schema.parse(text, file, problems)
  local sections, section, number = {}, nil, 0
  for line in text:gmatch("([^\n]*)\n?") do
    number = number + 1
    local blank = split_remark(line):find("^%s*$")
    if not blank and line:find("^%s") then
      local row = problem.at(problems, file, number, function()
        if not section then problem.raise("a row before any section") end
        return section.read(line)
      end)
      if row then
        row.line = number
        section.rows[#section.rows + 1] = row
      end
    elseif not blank then
      section = problem.at(problems, file, number, read_head, line)
      if section then
        section.file, section.line = file, number
        sections[#sections + 1] = section
      else
        section = { rows = {}, read = read_row }  -- its rows are read all the same
      end
    end
  end
  return sections
end

return schema
