--- The tree of fields for a page: as `lathe dump`, but bounded in size.
--
-- A node is a table with `n` (name), `v` (value), `t` (type), `u` (unit), `d` (number of its text in a list
-- of descriptions), `c` (nodes below it) and `m` (what the page leaves out below it). The root also has `k`:
-- true if anything is left out.
-- @module lathe.view.tree

local brief = require "lathe.tree.brief"
local core = require "lathe.core"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"

local tree = {}

local MOST_NODES = 10000
local MOST_BYTES = 300000
local SHOWN_RECORDS = 32 -- of an array of records
local SHOWN_PARTS = 1000 -- of an array of the document itself, such as its blocks
local MAX_DEPTH = 64
local NODE_BYTES = 36    -- of its JSON without names and values

local NODE = { __jsonorder = { "n", "v", "t", "u", "d", "c", "m", "k" } }

local Walk = {}
Walk.__index = Walk

-- A value without a subtree.
local function plain_value(value, row) return text.utf8(brief.value(value, row)) end

function Walk:scalars(array, row)
  local line, cut = brief.scalars(array, row)
  self.cut = self.cut or cut
  return text.utf8(line)
end

-- The number of a field's description in the list of the page.
function Walk:doc_of(row)
  local doc = row.doc
  if not doc or doc == "" then return nil end
  if not self.numbers[doc] then
    table.insert(self.docs, text.utf8(doc))
    self.numbers[doc] = #self.docs
    self.bytes = self.bytes + #doc + 4
  end
  return self.numbers[doc]
end

-- Whether there is room for another node.
function Walk:has_room() return self.nodes < MOST_NODES and self.bytes < MOST_BYTES end

function Walk:add(parent, node)
  parent.c = parent.c or {}
  table.insert(parent.c, setmetatable(node, NODE))
  self.nodes = self.nodes + 1
  self.bytes = self.bytes + NODE_BYTES + #node.n + #(node.v or "") + #(node.t or "") + #(node.u or "")
  return node
end

function Walk:later(node, view, row)
  self.queue[#self.queue + 1] = { node, view, row }
end

-- Adds the node of a value. What is below it is added later, so that all of one level come first.
function Walk:value(parent, name, value, row, depth)
  local node = {
    n = text.utf8(name), t = row.type and text.utf8(row.type), u = row.unit, d = self:doc_of(row),
  }
  local kind = core.type(value)
  if not kind or row.ref and kind ~= "array" then
    node.v = plain_value(value, row)
  elseif kind == "array" then
    local element = self.schema:element(value, row)
    if brief.has_records(value, row) then
      node.t = ("%s[%d]"):format(row.type or "", #value)
      local row_of = {} -- shown once for all: unit and description
      for key, of in pairs(element) do row_of[key] = of end
      row_of.unit, row_of.doc = nil, nil
      self:later(node, value, row_of)
    else
      node.v = self:scalars(value, element)
    end
  elseif self.schema:is_vector(value) then
    node.t, node.v = kind, brief.vector(value, self.schema)
  else
    local name_of = brief.name(value, self.schema)
    node.t, node.v = kind, name_of and text.utf8(name_of)
    if depth < MAX_DEPTH then self:later(node, value) end
  end
  node.depth = depth
  return self:add(parent, node)
end

local function problem_text(problem) return "not understood: " .. text.utf8(tostring(problem)) end

function Walk:leave_out(node, what)
  node.m = what
  self.cut = true
end

function Walk:record(node, view)
  local hidden, depth = self.schema:defaults(view), (node.depth or 0) + 1
  local rows, told = self.schema:shown_rows(view), false
  for i, row in ipairs(rows) do
    if not self:has_room() then
      return self:leave_out(node, ("%s left out of this page"):format(text.count(#rows - i + 1, "field")))
    end
    if not row.inside and not hidden[row.name] then
      local value, problem = brief.try(schema.value, view, row.name, row)
      if problem then
        told = true
        self:add(node, { n = text.utf8(row.name), v = problem_text(problem) })
      elseif value ~= nil and not (row.padding and value == "") then
        self:value(node, row.name, value, row, depth)
      end
    end
  end
  local problem = not told and core.problem(view)
  if problem then self:leave_out(node, problem_text(problem)) end
end

function Walk:elements(node, array, element)
  local n, depth = #array, (node.depth or 0) + 1
  local most = depth <= 2 and SHOWN_PARTS or SHOWN_RECORDS
  for i = 1, n do
    if i > most or not self:has_room() then
      return self:leave_out(node, ("%d more of %d left out of this page"):format(n - i + 1, n))
    end
    local value, problem = brief.try(function() return array[i] end)
    local name = ("[%d]"):format(i)
    if problem then
      self:add(node, { n = name, v = problem_text(problem) })
    else
      self:value(node, name, value, element, depth)
    end
  end
end

--- The tree of a document.
-- @param doc
-- @treturn table the root
-- @treturn {string,...} descriptions of fields, by number
function tree.of(doc)
  local self = setmetatable({
    schema = schema.new(), docs = {}, numbers = {}, nodes = 0, bytes = 0, queue = {}, cut = false,
  }, Walk)
  local root = setmetatable({ n = "" }, NODE)
  self:record(root, doc)
  local i = 1
  while self.queue[i] do
    local node, view, element = table.unpack(self.queue[i], 1, 3)
    if element then self:elements(node, view, element) else self:record(node, view) end
    node.depth, self.queue[i] = nil, false
    i = i + 1
  end
  root.k = self.cut or nil
  return root, self.docs
end

return tree
