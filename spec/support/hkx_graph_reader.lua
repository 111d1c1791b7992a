--- Reads behavior graphs of packfiles in plain Lua, by the reference's tables of classes and a list of its own: which
-- members are ids of events, variables and states, and what they are the ids of. Nothing here comes from the core.
--
--    local graphs = require "hkx_graph_reader"
--    local graph = graphs.read(bytes, walker.tables(folder, "skyrim"))
--    graph.events[12]                 -- its name, by id
--    graph.ids["objects[7].triggers[1].event.id"].name

local walker = require "hkx_walker"

local graphs = {}

--- The members that hold ids: "event", "variable" or "state" by class and member.
graphs.MEMBERS = {
  ["hkbEventBase.id"] = "event",
  ["hkbStateMachine.returnToPreviousStateEventId"] = "event",
  ["hkbStateMachine.randomTransitionEventId"] = "event",
  ["hkbStateMachine.transitionToNextHigherStateEventId"] = "event",
  ["hkbStateMachine.transitionToNextLowerStateEventId"] = "event",
  ["hkbStateMachineTimeInterval.enterEventId"] = "event",
  ["hkbStateMachineTimeInterval.exitEventId"] = "event",
  ["hkbStateMachineTransitionInfo.eventId"] = "event",
  ["hkbPoseMatchingGenerator.startPlayingEventId"] = "event",
  ["hkbPoseMatchingGenerator.startMatchingEventId"] = "event",
  ["hkbPositionRelativeSelectorGenerator.endFixPositionEventId"] = "event",
  ["hkbSequence.enableEventId"] = "event",
  ["hkbSequence.disableEventId"] = "event",
  ["hkbEventDrivenModifier.activateEventId"] = "event",
  ["hkbEventDrivenModifier.deactivateEventId"] = "event",
  ["hkbExpressionData.assignmentEventIndex"] = "event",
  ["hkbLayer.onEventId"] = "event",
  ["hkbLayer.offEventId"] = "event",
  ["hkbMoveBoneAttachmentModifier.activateEventId"] = "event",
  ["hkbCustomTestGeneratorAnnotatedTypes.annotatedTypeHkInt32EventID"] = "event",
  ["hkbStateMachine.syncVariableIndex"] = "variable",
  ["hkbVariableBindingSetBinding.variableIndex"] = "variable",
  ["hkbExpressionData.assignmentVariableIndex"] = "variable",
  ["hkbCustomTestGeneratorAnnotatedTypes.annotatedTypeHkInt32VariableIndex"] = "variable",
  ["hkbStateMachine.startStateId"] = "state",
  ["hkbStateMachineStateInfo.stateId"] = "state",
  ["hkbStateMachineTransitionInfo.toStateId"] = "state",
  ["hkbStateMachineTransitionInfo.fromNestedStateId"] = "state",
  ["hkbStateMachineTransitionInfo.toNestedStateId"] = "state",
  ["hkbStateDependentModifier.stateIds"] = "state",
  ["BSIStateManagerModifierBSiStateData.StateID"] = "state",
}

local NAMES = {
  ["hkbBehaviorGraphStringData.eventNames"] = "events",
  ["hkbBehaviorGraphStringData.variableNames"] = "variables",
}

-- The member of the same record by name.
local function beside(walk, at, member, class, name)
  for _, m in ipairs(class.members) do
    if m.n == name then return at - member.o[walk.column] + m.o[walk.column] end
  end
end

local function text_at(walk, at)
  local target = walk.locals[at]
  return target and walk.bytes:match("^[^\0]*", walk.start + target + 1)
end

local Collect = {}
Collect.__index = Collect

function Collect:number(walk, at, member, label, class)
  local key = class.name .. "." .. member.n
  local kind = graphs.MEMBERS[key]
  local object = walk.objects[tonumber(label:match "^objects%[(%d+)%]")]
  if walk:derives(object.class, "hkbSequencedData") then return end -- it counts the names of its sequence
  if kind == "variable" and member.n == "variableIndex" then
    local type_at = beside(walk, at, member, class, "bindingType")
    if walk.bytes:byte(walk.start + type_at + 1) ~= 0 then return end
  end
  local value = string.unpack(walk.endian .. "i4", walk.bytes, walk.start + at + 1)
  self.graph.ids[label] = { kind = kind, value = value, member = key }
  self.graph.order[#self.graph.order + 1] = label
end

-- Machines, their states and transitions, by the numbers of objects.
function Collect:pointer(walk, at, member, label, class)
  local target = walk.globals[at]
  if not target then return end
  local key, from = class.name .. "." .. member.n, tonumber(label:match "^objects%[(%d+)%]")
  local to = target.index
  if key == "hkbStateMachine.states" then
    self.machine_of[to] = self.machine_of[to] or from
  elseif key == "hkbStateMachine.wildcardTransitions" then
    self.array_of_machine[to] = from
  elseif key == "hkbStateMachineStateInfo.transitions" then
    self.array_of_state[to] = self.array_of_state[to] or from
  end
end

-- What an id of a state is the id of: the machine by number, which has it.
function Collect:machine(label)
  local object = tonumber(label:match "^objects%[(%d+)%]")
  return self.machine_of[object] or self.array_of_machine[object] or self.machine_of[self.array_of_state[object]]
    or object
end

--- The graph of a packfile; raises where the walk finds a gap.
function graphs.read(bytes, tables)
  local graph = { events = {}, variables = {}, ids = {}, order = {}, states = {} }
  local collect = setmetatable({ graph = graph, machine_of = {}, array_of_state = {}, array_of_machine = {} }, Collect)
  local state_names = {}
  local function visit(walk, at, member, label, class, kind)
    local key = class.name .. "." .. member.n
    local list = NAMES[key]
    if list and kind == "STRINGPTR" then
      local number = tonumber(label:match "%[(%d+)%]$")
      graph[list][number - 1] = text_at(walk, at) or ""
    elseif graphs.MEMBERS[key] and kind ~= "ARRAY" then
      collect:number(walk, at, member, label, class)
    elseif kind == "POINTER" then
      collect:pointer(walk, at, member, label, class)
    elseif key == "hkbStateMachineStateInfo.name" then
      state_names[tonumber(label:match "^objects%[(%d+)%]")] = text_at(walk, at) or ""
    end
  end
  graph.objects = walker.walk(bytes, tables, visit)
  for label, id in pairs(graph.ids) do
    local object = tonumber(label:match "^objects%[(%d+)%]")
    if id.member == "hkbStateMachineStateInfo.stateId" and collect.machine_of[object] then
      local machine = collect.machine_of[object]
      graph.states[machine] = graph.states[machine] or {}
      graph.states[machine][id.value] = state_names[object]
    end
  end
  for label, id in pairs(graph.ids) do
    if id.kind == "state" then
      id.name = (graph.states[collect:machine(label)] or {})[id.value]
    else
      id.name = graph[id.kind .. "s"][id.value]
    end
  end
  return graph
end

return graphs
