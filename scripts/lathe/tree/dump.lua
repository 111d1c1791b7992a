--- Prints a view as a readable tree.
-- @module lathe.tree.dump

local brief = require "lathe.tree.brief"
local core = require "lathe.core"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"

local MAX_DEPTH = 64 -- limit for recursive types

local Dumper = {}
Dumper.__index = Dumper

local function plain(_, s) return s end

function Dumper:line(offset, depth, label, value)
  local left = ""
  if self.offsets then
    left = self.style("dim", offset and ("0x%06x"):format(offset) or (" "):rep(8)) .. "  "
  end
  local indent = ("  "):rep(depth)
  self.emit((left .. indent .. label .. value):gsub("%s+$", ""))
end

local function pad(label, width)
  return label .. (" "):rep(width - utf8.len(label) + 2)
end

-- The unit: after a single number "9.8 m"; after several in parentheses "1 2 3 (m)".
function Dumper:unit(row, several)
  if not row.unit then return "" end
  return self.style("dim", several and "  (" .. row.unit .. ")" or " " .. row.unit)
end

function Dumper:vector(view) return brief.vector(view, self.schema) end

function Dumper:scalars(array, row) return (brief.scalars(array, row, self.all)) end

-- One line for a value that is not expanded.
function Dumper:short(view, row)
  local kind = core.type(view)
  if kind == "array" then return ("%s[%d]"):format(row.type, #view) .. self:unit(row, true) end
  if self.schema:is_vector(view) then return self:vector(view) .. self:unit(row, true) end
  return kind
end

function Dumper:offset_of(view, field)
  if not self.offsets then return nil end
  local ok, offset = pcall(core.span, view, field)
  return ok and offset or nil
end

function Dumper:elements(array, depth, row)
  local n = #array
  local shown = self.all and n or brief.shown(n)
  local width = #("[%d]"):format(shown)
  for i = 1, shown do
    self:entry(depth, pad(("[%d]"):format(i), width), array[i], row, self:offset_of(array[i]))
  end
  if shown < n then
    self:line(nil, depth, ("... %d more"):format(n - shown), "")
  end
end

-- Prints a field or an element: its line, and its content below.
function Dumper:entry(depth, label, value, row, offset)
  local kind = core.type(value)
  if not kind or row.ref and kind ~= "array" then
    self:line(offset, depth, label, brief.value(value, row) .. self:unit(row))
  elseif kind == "array" then
    self:array(depth, label, value, row, offset)
  else
    self:line(offset, depth, label, self:short(value, row))
    if depth + 1 < self.depth and not self.schema:is_vector(value) then
      self:record(value, depth + 1)
    end
  end
end

function Dumper:array(depth, label, array, row, offset)
  local element = self.schema:element(array, row)
  if not brief.has_records(array, row) then
    self:line(offset, depth, label, self:scalars(array, element) .. self:unit(row, true))
  else
    self:line(offset, depth, label, self:short(array, row))
    element.unit = nil -- shown once for all
    if depth + 1 < self.depth then self:elements(array, depth + 1, element) end
  end
end

-- The rows to show, with their values or the errors from reading them.
function Dumper:fields(view)
  local rows, width = {}, 0
  local hidden = self.all and {} or self.schema:defaults(view)
  for _, row in ipairs(self.schema:shown_rows(view)) do
    if (not row.inside or self.all and not row.computed) and not hidden[row.name] then
      local value, problem = brief.try(schema.value, view, row.name, row)
      if problem or value ~= nil and not (row.padding and value == "") then
        rows[#rows + 1] = { row = row, value = value, problem = problem }
        width = math.max(width, utf8.len(row.name) or #row.name)
      end
    end
  end
  return rows, width
end

-- Prints a matrix without column fields: a line for each of its rows; row0_x, row0_y … are one.
function Dumper:matrix(view, depth)
  local lines, order = {}, {}
  for _, row in ipairs(self.schema:rows(view)) do
    local name, lane = row.name:match "^(%a+%d)_(%a)$"
    local value = name and view[row.name]
    if not value or row.array or row.computed or row.kind ~= "number" then return false end
    if not lines[name] then
      lines[name] = { offset = self:offset_of(view, row.name) }
      order[#order + 1] = name
    end
    table.insert(lines[name], ("%s %s"):format(lane, text.number(value, row.type)))
  end
  for _, name in ipairs(order) do
    self:line(lines[name].offset, depth, name .. "  ", table.concat(lines[name], "  "))
  end
  return #order > 0
end

function Dumper:record(view, depth)
  if self:matrix(view, depth) then return end
  local rows, width = self:fields(view)
  local told = false
  for _, entry in ipairs(rows) do
    local row, label = entry.row, pad(entry.row.name, width)
    local offset = self:offset_of(view, row.name)
    if entry.problem then
      told = true
      self:line(offset, depth, label, "not understood: " .. tostring(entry.problem))
    else
      self:entry(depth, label, entry.value, row, offset)
    end
  end
  local problem = not told and core.problem(view)
  if problem then self:line(nil, depth, "not understood: ", tostring(problem)) end
end

local dump = {}

--- `lathe.tree.dump`: see `lathe.members`.
function dump.dump(view, opts)
  opts = opts or {}
  local lines = {}
  local self = setmetatable({
    schema = schema.new(),
    depth = math.min(opts.depth or MAX_DEPTH, MAX_DEPTH),
    all = opts.all,
    offsets = opts.offsets ~= false,
    style = opts.style or plain,
    emit = opts.emit or function(line) lines[#lines + 1] = line end,
  }, Dumper)
  if core.type(view) == "buffer" then
    for i = 1, view.rows do
      local numbers = { view:row(i) }
      for k, number in ipairs(numbers) do numbers[k] = ("%.9g"):format(number) end
      self.emit(table.concat(numbers, "  "))
    end
  elseif core.type(view) == "array" then
    local element = self.schema:element(view)
    if #view > 0 and not element.ref and core.type(view[1]) then
      self:elements(view, 0, element)
    else
      self:line(self:offset_of(view), 0, self:scalars(view, element), "")
    end
  elseif self.schema:is_vector(view) then
    self:line(self:offset_of(view), 0, self:vector(view), "")
  else
    self:record(view, 0)
  end
  if not opts.emit then return table.concat(lines, "\n") end
end

return dump
