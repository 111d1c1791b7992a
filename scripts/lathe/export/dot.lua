--- Behavior graphs as drawings: the text that Graphviz draws (.dot). A box for each state machine, in it a
-- node for each state with the animation that it plays, an arrow for each transition with its event. Dashed
-- arrows lead from a state to the machines below it.
-- @module lathe.export.dot

local lathe_type = require "lathe.core".type

local dot = {}

local MOST_NODES <const> = 200 -- that are looked at below a state
local BELOW <const> = { "generator", "p_default_generator", "p_clip_generator", "p_generator" }
local LISTS <const> = { "generators", "children", "children_a" }

-- A text in quotes. Control characters and bytes that are not UTF-8 become "?".
local function quoted(text)
  text = text:gsub("[\0-\8\11-\31\127]", "?")
  if not utf8.len(text) then text = text:gsub("[\128-\255]", "?") end
  return '"' .. text:gsub('[\\"]', "\\%0"):gsub("\n", "\\n") .. '"'
end

local function field(record, name)
  local ok, value = pcall(function() return record[name] end)
  return ok and value or nil
end

-- Nodes right below one: of selectors and blenders all children, else the one that it changes.
local function children_of(node)
  local list = {}
  for _, name in ipairs(BELOW) do list[#list + 1] = field(node, name) end
  for _, name in ipairs(LISTS) do
    for _, child in ipairs(field(node, name) or {}) do list[#list + 1] = child or nil end
  end
  return list
end

-- The machines and clips below a state, without those below these machines.
local function below(state, path)
  local machines, clips, seen, queue = {}, {}, {}, { state.generator }
  local first = 1
  while queue[first] and first <= MOST_NODES do
    local node = queue[first]
    first = first + 1
    local place, type = path(node), lathe_type(node)
    if not seen[place] then
      seen[place] = true
      if type == "hkbStateMachine" then
        machines[#machines + 1] = node
      elseif type == "hkbClipGenerator" then
        clips[#clips + 1] = node.animation_name or ""
      else
        table.move(children_of(node), 1, MOST_NODES, #queue + 1, queue)
      end
    end
  end
  return machines, clips
end

local function label_of(state, path)
  local _, clips = below(state, path)
  local name = state.name or ""
  if #clips == 1 then name = name .. "\n" .. clips[1]:match "[^\\/]*$" end
  if #clips > 1 then name = ("%s\n%d clips"):format(name, #clips) end
  return quoted(name)
end

local Drawing = {}
Drawing.__index = Drawing

function Drawing:add(...) self[#self + 1] = (...):format(select(2, ...)) end

-- Numbers of machines and states, which names do not tell apart, by the path of their records.
function Drawing:number(graph, path)
  for i, state in ipairs(graph.states) do
    local machine = path(state.machine)
    if not self.machines[machine] then
      self.machines[machine] = { name = state.machine.name or "", first = i, number = #self.order }
      self.order[#self.order + 1] = self.machines[machine]
    end
    table.insert(self.machines[machine], i)
    self.states[path(state)] = i
  end
end

function Drawing:boxes(graph, path)
  for _, machine in ipairs(self.order) do
    self:add('  subgraph "cluster_%d" {', machine.number)
    self:add("    label=%s", quoted(machine.name))
    for _, i in ipairs(machine) do self:add("    s%d [label=%s]", i, label_of(graph.states[i], path)) end
    if machine.any then self:add('    any%d [label="any state", shape=plaintext]', machine.number) end
    self:add "  }"
  end
end

function Drawing:arrows(graph, path)
  local lines = {}
  for _, t in ipairs(graph.transitions) do
    local to, machine = t.to, self.machines[t.machine and path(t.machine)]
    if to and machine then
      local from = t.from and "s" .. self.states[path(t.from)] or "any" .. machine.number
      machine.any = machine.any or not t.from
      local text = quoted(t.event or "")
      lines[#lines + 1] = ("  %s -> s%d [label=%s]"):format(from, self.states[path(to)], text)
    end
  end
  return lines
end

function Drawing:nested(graph, path)
  for i, state in ipairs(graph.states) do
    for _, machine in ipairs((below(state, path))) do
      local inner = self.machines[path(machine)]
      if inner then
        self:add('  s%d -> s%d [style=dashed, lhead="cluster_%d"]', i, inner.first, inner.number)
      end
    end
  end
end

--- Draws the graph of a document.
-- @tparam Document doc
-- @tparam function path gives the path of a record
-- @treturn string
function dot.encode(doc, path)
  local graph = doc.graph
  local drawing = setmetatable({ machines = {}, states = {}, order = {} }, Drawing)
  drawing:add("digraph %s {", quoted(graph.name or "graph"))
  drawing:add "  graph [rankdir=LR, compound=true]"
  drawing:add "  node [shape=box, style=rounded]"
  drawing:number(graph, path)
  local arrows = drawing:arrows(graph, path)
  drawing:boxes(graph, path)
  table.move(arrows, 1, #arrows, #drawing + 1, drawing)
  drawing:nested(graph, path)
  drawing:add "}"
  return table.concat(drawing, "\n") .. "\n"
end

local Page = {}
Page.__index = Page

--- What `lathe.export` fills: one document.
function dot.page() return setmetatable({ groups = {} }, Page) end

--- Takes a document.
-- @treturn ?table what it has, as scenes tell
-- @treturn ?string why not
function Page:include(doc)
  if self.doc then return nil, "a .dot holds one graph" end
  local graph = lathe_type(doc) and doc.graph or nil
  local said = { meshes = 0, triangles = 0, clips = 0, bones = 0, skipped = {}, notes = {} }
  said.states, said.transitions = 0, 0
  if not graph then
    said.skipped[1] = { path = "graph", reason = "there is no behavior graph" }
    return said
  end
  self.doc, said.states, said.transitions = doc, #graph.states, #graph.transitions
  return said
end

return dot
