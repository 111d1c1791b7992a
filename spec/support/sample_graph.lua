--- A behavior graph that the project makes itself: one state machine, whose states each play a clip that sends an
-- event, and lead to the next state by another.
--
--    lathe.new("hkx", require("sample_graph").fields { states = 3, events = 4, variables = 5 })

local sample_graph = {}

local function names(word, n)
  local list = {}
  for i = 1, n do list[i] = word .. i end
  return list
end

local function filled(n, value)
  local list = {}
  for i = 1, n do list[i] = value(i) end
  return list
end

-- State i of n, with all that only it has: four objects, the first one of which is number `first`.
local function state(list, i, n, first, events)
  list[first] = { class = "hkbStateMachineStateInfo", name = "State" .. i, state_id = i - 1,
    transitions = first + 1, generator = first + 2 }
  list[first + 1] = { class = "hkbStateMachineTransitionInfoArray", transitions = {
    { event_id = (i - 1) % events, to_state_id = i % n, flags = { "FLAG_DISABLE_CONDITION" } } } }
  list[first + 2] = { class = "hkbClipGenerator", name = "Clip" .. i, animation_name = ("Animations\\Clip%d.hkx"):format(i),
    triggers = first + 3 }
  list[first + 3] = { class = "hkbClipTriggerArray", triggers = { { local_time = 0.5, event = { id = i % events } } } }
end

--- Fields for lathe.new. Options: `game` (default: skyrim-se), `states` (3), `events` (4), `variables` (2), which are
-- real numbers, and the first of which the machine's binding names; `name` of the graph.
function sample_graph.fields(opts)
  local n, events, variables = opts.states or 3, opts.events or 4, opts.variables or 2
  local list = {
    { class = "hkRootLevelContainer", named_variants = {
      { name = "hkbBehaviorGraph", class_name = "hkbBehaviorGraph", variant = 2 } } },
    { class = "hkbBehaviorGraph", name = opts.name or "Sample.hkb", root_generator = 3, data = 5 },
    { class = "hkbStateMachine", name = "Machine", variable_binding_set = 4, states = {}, max_simultaneous_transitions = 32,
      event_to_send_when_state_or_transition_changes = { id = -1 } },
    { class = "hkbVariableBindingSet", bindings = { { member_path = "startStateId", variable_index = 0 } } },
    { class = "hkbBehaviorGraphData", variable_initial_values = 6, string_data = 7,
      event_infos = filled(events, function() return {} end),
      variable_infos = filled(variables, function() return { type = "VARIABLE_TYPE_REAL" } end) },
    { class = "hkbVariableValueSet", word_variable_values = filled(variables, function() return {} end) },
    { class = "hkbBehaviorGraphStringData", event_names = names("Event", events),
      variable_names = names("Variable", variables) },
  }
  if variables == 0 then list[3].variable_binding_set = nil; list[4].bindings = {} end
  for i = 1, n do
    local first = #list + 1
    list[3].states[i] = first
    state(list, i, n, first, events)
  end
  return { game = opts.game or "skyrim-se", objects = list }
end

return sample_graph
