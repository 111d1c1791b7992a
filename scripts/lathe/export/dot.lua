--- Behavior graphs as drawings: the text that Graphviz draws (.dot). A box for each state machine, in it a
-- node for each state with the animation that it plays, an arrow for each transition with its event. Dashed
-- arrows lead from a state to the machines below it.
-- @module lathe.export.dot

local formats = require "lathe.formats"

local dot = {}

local MOST_NODES <const> = 200 -- that are looked at below a state

-- A text in quotes. Control characters and bytes that are not UTF-8 become "?".
local function quoted(text)
  text = text:gsub("[\0-\8\11-\31\127]", "?")
  if not utf8.len(text) then text = text:gsub("[\128-\255]", "?") end
  return '"' .. text:gsub('[\\"]', "\\%0"):gsub("\n", "\\n") .. '"'
end

-- The machines and animations below a node, without those below these machines.
local function below(node)
  local machines, animations, seen, queue = {}, {}, {}, { node }
  local first = 1
  while queue[first] and first <= MOST_NODES do
    local this = queue[first]
    first = first + 1
    if not seen[this] then
      seen[this] = true
      if this.states then machines[#machines + 1] = this end
      if this.animation then animations[#animations + 1] = this.animation end
      if not this.states then table.move(this.children or {}, 1, MOST_NODES, #queue + 1, queue) end
    end
  end
  return machines, animations
end

local function label_of(name, animations)
  name = name or ""
  if #animations == 1 then name = name .. "\n" .. animations[1]:match "[^\\/]*$" end
  if #animations > 1 then name = ("%s\n%d clips"):format(name, #animations) end
  return quoted(name)
end

local Drawing = {}
Drawing.__index = Drawing

function Drawing:add(...) self[#self + 1] = (...):format(select(2, ...)) end

-- Numbers machines and states, which names do not tell apart.
function Drawing:number(facts)
  for _, node in ipairs(facts.nodes) do
    if node.states then
      self.machines[node.path] = node
      self.order[#self.order + 1] = node
      node.number = #self.order - 1
      for _, state in ipairs(node.states) do
        self.count = self.count + 1
        state.number = self.count
        self.states[state.path] = self.states[state.path] or state
      end
    end
  end
end

function Drawing:boxes()
  for _, machine in ipairs(self.order) do
    self:add('  subgraph "cluster_%d" {', machine.number)
    self:add("    label=%s", quoted(machine.name or ""))
    for _, state in ipairs(machine.states) do
      local _, animations = below(state.generator)
      self:add("    s%d [label=%s]", state.number, label_of(state.name, animations))
    end
    if machine.any then self:add('    any%d [label="any state", shape=plaintext]', machine.number) end
    self:add "  }"
  end
end

function Drawing:arrows(graph, path)
  local lines = {}
  for _, t in ipairs(graph.transitions) do
    local to, machine = t.to and self.states[path(t.to)], t.machine and self.machines[path(t.machine)]
    local from = t.from and self.states[path(t.from)]
    if to and machine and (from or not t.from) then
      machine.any = machine.any or not from
      local start = from and "s" .. from.number or "any" .. machine.number
      lines[#lines + 1] = ("  %s -> s%d [label=%s]"):format(start, to.number, quoted(t.event or ""))
    end
  end
  return lines
end

function Drawing:nested()
  for _, machine in ipairs(self.order) do
    for _, state in ipairs(machine.states) do
      for _, inner in ipairs((below(state.generator))) do
        local first = inner.states[1]
        if first then
          self:add('  s%d -> s%d [style=dashed, lhead="cluster_%d"]', state.number, first.number,
            inner.number)
        end
      end
    end
  end
end

--- Draws the graph of a document.
-- @tparam Document doc
-- @tparam function path gives the path of a record
-- @treturn string
function dot.encode(doc, path)
  local graph, facts = doc.graph, formats.of(doc.format).graph(doc)
  local drawing = setmetatable({ machines = {}, states = {}, order = {}, count = 0 }, Drawing)
  drawing:add("digraph %s {", quoted(graph.name or "graph"))
  drawing:add "  graph [rankdir=LR, compound=true]"
  drawing:add "  node [shape=box, style=rounded]"
  drawing:number(facts)
  local arrows = drawing:arrows(graph, path)
  drawing:boxes()
  table.move(arrows, 1, #arrows, #drawing + 1, drawing)
  drawing:nested()
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
  local graph = type(doc) ~= "table" and doc.graph or nil
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
