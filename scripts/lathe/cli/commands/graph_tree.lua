--- A behavior graph as an indented tree: machines, their states, the events that lead from state to state,
-- and what the states play. The tree can be cut to a number of lines.
-- @module lathe.cli.commands.graph_tree

local graph_tree = {}

local INDENT = "  "
local DEEPEST = 40 -- levels that are indented: a damaged file may be deeper than any screen is wide
local FIRST_SHARE = 0.6 -- of the lines, for a list that fills the screen: the rest is for what is below it
local MOST_NAMES = 8 -- of nodes on the way to the one that is shown
local FEWEST = 4 -- lines that are worth showing a part of a list

local Tree = {}
Tree.__index = Tree

-- An item of the tree has its `text`, and `parts`: functions that return lists of further items, in the order
-- in which these are shown. `rest` is what is said in the place of a part that is not shown.

-- ---- texts ----------------------------------------------------------------------------------------

local function count(n, one) return n == 1 and "1 " .. one or ("%d %ss"):format(n, one) end

local function name_of(thing) return thing.name and thing.name ~= "" and thing.name or "(no name)" end

-- The nodes right below a node, each once, and how often it is there.
local function distinct(node)
  local list, times = {}, {}
  for _, child in ipairs(node.children or {}) do
    if not times[child] then list[#list + 1] = child end
    times[child] = (times[child] or 0) + 1
  end
  return list, times
end

local function label(node)
  local name = name_of(node)
  if node.states then return ("machine %s, %s"):format(name, count(#node.states, "state")) end
  if node.animation then return ("clip %s plays %s"):format(name, node.animation) end
  if node.behavior then return ("%s runs %s"):format(name, node.behavior) end
  local below = distinct(node)
  return ("%s %s%s"):format(node.type, name,
    #below > 0 and ", " .. count(#below, "generator") or "")
end

-- Follows nodes with one node below, modifiers mostly, to the last one.
function Tree:last_of(node)
  local chain, seen = {}, {}
  while not seen[node] and not self.last[node] do
    seen[node], chain[#chain + 1] = true, node
    local below = distinct(node)
    if #below ~= 1 then break end
    node = below[1]
  end
  local last = self.last[node] or node
  for _, one in ipairs(chain) do self.last[one] = last end
  return last
end

-- The label of the last node; in a whole tree behind the names on the way.
function Tree:label(node)
  local last = self:last_of(node)
  if not self.whole then return label(last), last end
  local names = {}
  while node ~= last and #names < MOST_NAMES do
    names[#names + 1] = name_of(node) .. " > "
    node = node.children[1]
  end
  if node ~= last then names[#names + 1] = "... > " end
  return table.concat(names) .. label(last), last
end

-- ---- items ----------------------------------------------------------------------------------------

-- A line for each state that is entered: "--moveStart, moveForward--> Walk".
local function transition_items(list)
  local items, by_state = {}, {}
  for _, transition in ipairs(list) do
    local to = transition.to or "(no state)"
    local events = by_state[to]
    if not events then
      events = { seen = {} }
      by_state[to], items[#items + 1] = events, { to = to, events = events }
    end
    local event = transition.event or "(no event)"
    if not events.seen[event] then events[#events + 1] = event end
    events.seen[event] = true
  end
  for _, item in ipairs(items) do
    item.text = ("--%s--> %s"):format(table.concat(item.events, ", "), item.to)
  end
  return items
end

-- What is below a node, which is shown once.
function Tree:below(node)
  if node.states and #node.states > 0 then return function() return self:machine_items(node) end end
  if node.children and #node.children > 0 then return function() return self:generator_items(node) end end
  return nil
end

function Tree:generator_items(node)
  local items = {}
  local below, times = distinct(node)
  for i, child in ipairs(below) do
    local said, last = self:label(child)
    items[i] = { text = times[child] > 1 and ("%s × %d"):format(said, times[child]) or said, node = last,
      parts = { self:below(last) } }
  end
  return items
end

function Tree:state_item(machine, state)
  local item = { text = ("%d %s"):format(state.id, name_of(state)), parts = {} }
  if state.id == machine.start_state_id then item.text = item.text .. " (start)" end
  local leads = state.transitions
  if #leads > 0 then
    item.parts[1] = function() return transition_items(leads) end
    item.rest = ", " .. count(#leads, "transition")
  end
  if state.generator then
    local said, last = self:label(state.generator)
    if last.animation and last.name == state.name then said = "plays " .. last.animation end
    item.text, item.node = item.text .. ": " .. said, last
    table.insert(item.parts, self:below(last))
  end
  return item
end

function Tree:machine_items(node)
  local items = {}
  if #node.transitions > 0 then
    items[1] = { text = "from every state", rest = ": " .. count(#node.transitions, "transition"),
      parts = { function() return transition_items(node.transitions) end } }
  end
  for _, state in ipairs(node.states) do items[#items + 1] = self:state_item(node, state) end
  return items
end

-- ---- layout ---------------------------------------------------------------------------------------

-- Adds a list of items below an item, as far as there is room for it.
function Tree:show(item, part, list, most)
  item.lists = item.lists or {}
  local shown = table.move(list, 1, math.min(#list, most), 1, {})
  item.lists[part], self.lines = shown, self.lines + #shown
  if #shown < #list then
    shown[#shown + 1] = { text = ("... %d more"):format(#list - #shown) }
    self.lines, self.notes = self.lines + 1, self.notes + 1
  end
  if item.node and part == #item.parts then self.shown[item.node] = item end
  for _, child in ipairs(shown) do self.queue[#self.queue + 1] = { child, 1 } end
end

-- Shows one part of an item if it fits. The lists at the top are cut if they do not.
function Tree:try(item, part)
  local node = part == #item.parts and item.node
  if node and (self.shown[node] or self.too_large[node]) then return end
  local list, room = item.parts[part](), self.room - self.lines
  if #list <= room then
    self:show(item, part, list, #list)
  elseif item.top and room >= FEWEST then
    self:show(item, part, list, math.floor(room * FIRST_SHARE) - 1)
  else
    self.left[#self.left + 1] = { item, part }
    if node then self.too_large[node] = true end -- the room gets no larger
  end
end

-- Breadth first: all states of a machine and where they lead come before what they play.
function Tree:lay_out()
  local i = 1
  while self.queue[i] do
    local item, part = self.queue[i][1], self.queue[i][2]
    if item.parts and item.parts[part] then
      self:try(item, part)
      self.queue[#self.queue + 1] = { item, part + 1 }
    end
    i = i + 1
  end
  for _, left in ipairs(self.left) do
    local room = self.room - self.lines
    if room < FEWEST then break end
    local list = left[1].parts[left[2]]()
    if #list > room then self:show(left[1], left[2], list, room - 1) end
  end
end

-- The line of an item: with what is not shown below it.
function Tree:line(item)
  local hidden = item.rest and not (item.lists and item.lists[1])
  local other = item.node and self.shown[item.node]
  return item.text .. (hidden and item.rest or "")
    .. (other and other ~= item and #item.parts > 0 and " (shown elsewhere)" or "")
end

function Tree:print(items, lines)
  local stack = {}
  local function push(list, depth)
    for i = #list, 1, -1 do stack[#stack + 1] = { list[i], depth } end
  end
  push(items, 0)
  while #stack > 0 do
    local item, depth = table.unpack(table.remove(stack))
    lines[#lines + 1] = INDENT:rep(math.min(depth, DEEPEST)) .. self:line(item)
    for part = item.parts and #item.parts or 0, 1, -1 do
      if item.lists and item.lists[part] then push(item.lists[part], depth + 1) end
    end
  end
end

local function build(nodes, room, whole)
  local tree = setmetatable({ room = room, whole = whole, lines = 0, notes = 0, shown = {}, too_large = {},
    left = {}, last = {}, queue = {} }, Tree)
  local items = {}
  for i, node in ipairs(nodes) do
    local said, last = tree:label(node)
    items[i] = { text = said, node = last, top = true, parts = { tree:below(last) } }
    tree.queue[i] = { items[i], 1 }
  end
  tree.lines = #items
  tree:lay_out()
  return tree, items
end

--- The tree below some nodes.
-- @tparam {table,...} nodes of a behavior graph (see `lathe.formats.hkx`)
-- @tparam[opt] integer room the number of lines; all if left out
-- @treturn {string,...} lines
-- @treturn integer how many lines of the whole tree are left out
-- @treturn table the nodes below which lines are shown, as keys
function graph_tree.lines(nodes, room)
  local lines = {}
  local whole, all = build(nodes, math.huge, room == nil)
  if not room or whole.lines <= room then
    whole:print(all, lines)
    return lines, 0, whole.shown
  end
  local tree, items = build(nodes, room, false)
  tree:print(items, lines)
  return lines, whole.lines - (tree.lines - tree.notes), tree.shown
end

return graph_tree
