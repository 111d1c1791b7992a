--- Havok packfiles: what behavior graphs and characters hold.
-- @module lathe.formats.hkx

local core = require "lathe.core"

local hkx = {}

local GENERATOR, MACHINE, CLIP = "hkbGenerator", "hkbStateMachine", "hkbClipGenerator"
local REFERENCE = "hkbBehaviorReferenceGenerator"

-- ---- members ------------------------------------------------------------------------------------

local function index(object, name) return object[name] end

-- A member of an object; nil if it has none: damaged files refer to objects of other classes, and some
-- classes are not described.
local function member_of(object, name)
  local ok, value = pcall(index, object, name)
  return ok and value or nil
end

local function text_of(object, name)
  local value = member_of(object, name)
  return type(value) == "string" and value or nil
end

-- The elements of a list.
local function elements_of(object, name)
  local list = object and member_of(object, name)
  return core.type(list) == "array" and list or {}
end

-- ---- what lies below a node -----------------------------------------------------------------------

local Reader = {}
Reader.__index = Reader

-- Whether references to a type lead to generators: "direct", or "child" where its objects hold the reference.
function Reader:leads(type)
  if self.by_target[type] == nil then
    local found = (type == GENERATOR or type == MACHINE) and "direct" or false
    for _, row in ipairs(not found and core.describe(type) or {}) do
      if row.ref and row.type == GENERATOR then found = "child" end
    end
    self.by_target[type] = found
  end
  return self.by_target[type]
end

-- The rows of a node that lead to generators.
function Reader:rows(node)
  local type = core.type(node)
  if not self.by_type[type] then
    local rows = {}
    for _, row in ipairs(core.describe(node) or {}) do
      local how = row.ref and self:leads(row.type)
      if how then rows[#rows + 1] = { name = row.name, array = row.array, how = how } end
    end
    self.by_type[type] = rows
  end
  return self.by_type[type]
end

-- Calls `add` for all generators right below a node, in file order. `inside`: it is an object that only holds
-- the reference of a node.
function Reader:below(object, add, inside)
  for _, row in ipairs(self:rows(object)) do
    local value = member_of(object, row.name)
    for i = 1, row.array and value and #value or 1 do
      local target = value
      if row.array and value then target = value[i] end
      if target and row.how == "direct" then
        add(target)
      elseif target and not inside then
        self:below(target, add, true)
      end
    end
  end
end

-- The node of an object. New ones are put into the queue.
function Reader:node(object)
  local path = core.path(object)
  local node = self.nodes[path]
  if not node then
    node = { type = core.type(object), name = text_of(object, "name"), path = path, object = object }
    self.nodes[path], self.queue[#self.queue + 1] = node, node
  end
  return node
end

local function transitions_of(list)
  local result = {}
  for i, transition in ipairs(elements_of(list, "transitions")) do
    local to = member_of(transition, "to")
    result[i] = { event = text_of(transition, "event"), to = to and text_of(to, "name") }
  end
  return result
end

function Reader:states(node)
  local machine = node.object
  node.start_state_id, node.states = machine.start_state_id, {}
  node.transitions = transitions_of(machine.wildcard_transitions)
  for _, state in ipairs(machine.states) do
    local id = state and member_of(state, "state_id")
    if id then
      local generator = member_of(state, "generator")
      table.insert(node.states, { id = id, name = text_of(state, "name"), path = core.path(state),
        transitions = transitions_of(member_of(state, "transitions")),
        generator = generator and self:node(generator) })
    end
  end
end

-- Reads the nodes in the queue and all below them: breadth first, since a damaged file may be very deep.
function Reader:read()
  while self.queue[self.next] do
    local node = self.queue[self.next]
    if node.type == MACHINE then
      self:states(node)
    elseif node.type == CLIP then
      node.animation = text_of(node.object, "animation_name")
    elseif node.type == REFERENCE then
      node.behavior = text_of(node.object, "behavior_name")
    else
      node.children = {}
      self:below(node.object, function(object) table.insert(node.children, self:node(object)) end)
    end
    node.object, self.next = nil, self.next + 1
  end
end

-- ---- facts ----------------------------------------------------------------------------------------

local function names_of(list, first, last)
  local names = {}
  for i = first, last do names[#names + 1] = list[i].name or "" end
  return names
end

--- The nodes of a behavior graph.
-- @param doc
-- @treturn ?table nil: it has none. `name`, `path`; `events` and `variables`, lists of names; the numbers of
--   `states`, `transitions` and `clips`; `root`, a node; `nodes`, all below the root,
--   breadth first, then all below other machines. A node has `type`, `name`, `path`; a clip `animation`; a
--   reference to another graph `behavior`; a machine `start_state_id`, `transitions` from every state, and
--   `states` (`id`, `name`, `path`, `generator`, `transitions`); others `children`. A transition has `event`
--   and `to`, the names of the event and of the state
function hkx.graph(doc)
  local graph = doc.graph
  if not graph then return nil end
  local reader = setmetatable({ by_target = {}, by_type = {}, nodes = {}, queue = {}, next = 1 }, Reader)
  local root = graph.source.root_generator
  root = root and reader:node(root) or nil
  reader:read()
  for _, state in ipairs(graph.states) do reader:node(state.machine) end
  reader:read()
  return {
    name = graph.name, path = core.path(graph.source), root = root, nodes = reader.queue,
    events = names_of(graph.events, 0, #graph.events - 1),
    variables = names_of(graph.variables, 0, #graph.variables - 1),
    states = #graph.states, transitions = #graph.transitions, clips = #graph.clips,
  }
end

local STRINGS = { hkbCharacterStringData = "character", hkbProjectStringData = "project" }

-- Members with the names of other files, in the order in which they are told.
local FILES = { "rig_name", "ragdoll_name", "behavior_filename", "character_filenames", "behavior_filenames",
  "animation_path", "behavior_path", "character_path" }

local function is_told(value)
  return type(value) == "string" and value ~= "" or core.type(value) == "array" and #value > 0
end

-- What an object with the names of other files says.
local function character_of(doc, object)
  local facts = { kind = STRINGS[core.type(object)], path = core.path(object), files = {},
    animations = {}, name = text_of(object, "name") }
  for _, name in ipairs(FILES) do
    local value = member_of(object, name) -- each kind has some of them
    if is_told(value) then
      local files = type(value) == "string" and { value } or core.totable(value)
      table.insert(facts.files, { name = name, files = files })
    end
  end
  for i, name in ipairs(doc.animation_files) do facts.animations[i] = name end
  return facts
end

--- What a character or a project refers to.
-- @param doc
-- @treturn ?table nil: it is neither. `kind` ("character" or "project"), `name`, `path`, `files` (each with
--   `name` of the member and `files`), `animations`, a list of names
function hkx.character(doc)
  if doc.graph then return nil end
  for _, object in ipairs(doc.objects) do
    if STRINGS[core.type(object)] then return character_of(doc, object) end
  end
  return nil
end

return hkx
