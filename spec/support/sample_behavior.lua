--- A small behavior graph that has one of each: a machine in a machine, transitions from one state and from every state, a
--- blender, a selector, a reference, triggers, bindings, expressions, variables of all sorts.

local lathe = require "lathe"

local M = {}

M.EVENTS = { "Begin", "Step", "Strike", "Stop" }

local SINGLE, NESTED, WILD = 0x100, 0x2000, 0xc00 -- FLAG_DISABLE_CONDITION, …

-- In the order of Havok's files: an object in front of what it leads to. "@key" is a pointer.
local list = {
  { "root", "hkRootLevelContainer",
    named_variants = { { name = "hkbBehaviorGraph", class_name = "hkbBehaviorGraph", variant = "@graph" } } },
  { "graph", "hkbBehaviorGraph", name = "sample.hkb", root_generator = "@machine", data = "@data" },

  { "machine", "hkbStateMachine", name = "Machine", start_state_id = 0, sync_variable_index = 1,
    states = { "@idle", "@move", "@attack" }, wildcard_transitions = "@wild" },
  { "idle", "hkbStateMachineStateInfo", name = "Idle", state_id = 0, transitions = "@from_idle", generator = "@idle_clip",
    enter_notify_events = "@entered" },
  { "entered", "hkbStateMachineEventPropertyArray", events = { { id = 3 } } },
  { "from_idle", "hkbStateMachineTransitionInfoArray", transitions = {
    { event_id = 0, to_state_id = 1, flags = SINGLE, transition = "@blend" },
    { event_id = 1, to_state_id = 1, flags = 0, condition = "@condition" },
  } },
  { "blend", "hkbBlendingTransitionEffect", name = "Blend", duration = 0.2 },
  { "condition", "hkbExpressionCondition", expression = "(Speed > .5) && (bEquipped == 1)" },
  { "idle_clip", "hkbClipGenerator", name = "IdleClip", animation_name = "Animations\\Idle.hkx", triggers = "@triggers" },
  { "triggers", "hkbClipTriggerArray", triggers = {
    { local_time = 0.5, event = { id = 2 } },
    { local_time = -0.1, event = { id = 1 }, relative_to_end_of_clip = true },
  } },

  { "move", "hkbStateMachineStateInfo", name = "Move", state_id = 1, generator = "@modified" },
  { "modified", "hkbModifierGenerator", name = "Modified", modifier = "@evaluate", generator = "@steps" },
  { "evaluate", "hkbEvaluateExpressionModifier", name = "Evaluate", enable = true, expressions = "@expressions" },
  { "expressions", "hkbExpressionDataArray", expressions_data = {
    { expression = "Speed = clamp(Speed / 1.5, 0, 1)" },
    { expression = "Stop if (Speed <= 0)" },
  } },
  { "steps", "hkbStateMachine", name = "Steps", start_state_id = 10, states = { "@slow", "@fast" },
    variable_binding_set = "@steps_set" },
  { "steps_set", "hkbVariableBindingSet", bindings = { { member_path = "startStateId", variable_index = 1 } } },
  { "slow", "hkbStateMachineStateInfo", name = "Slow", state_id = 10, generator = "@blender" },
  { "blender", "hkbBlenderGenerator", name = "Blender", index_of_sync_master_child = -1, children = { "@left", "@right" },
    variable_binding_set = "@blender_set" },
  { "blender_set", "hkbVariableBindingSet", bindings = { { member_path = "blendParameter", variable_index = 0 } } },
  { "left", "hkbBlenderGeneratorChild", weight = 1, generator = "@left_clip" },
  { "left_clip", "hkbClipGenerator", name = "LeftClip", animation_name = "Animations\\Left.hkx" },
  { "right", "hkbBlenderGeneratorChild", weight = 1, generator = "@right_clip", variable_binding_set = "@right_set" },
  { "right_set", "hkbVariableBindingSet",
    bindings = { { member_path = "boneWeights", variable_index = 0, binding_type = "BINDING_TYPE_CHARACTER_PROPERTY" } } },
  { "right_clip", "hkbClipGenerator", name = "RightClip", animation_name = "Animations\\Right.hkx" },
  { "fast", "hkbStateMachineStateInfo", name = "Fast", state_id = 11, transitions = "@from_fast", generator = "@selector" },
  { "from_fast", "hkbStateMachineTransitionInfoArray", transitions = {
    { event_id = 1, to_state_id = 10, flags = SINGLE } } },
  { "selector", "hkbManualSelectorGenerator", name = "Selector", generators = { "@run_clip", "@reference" } },
  { "run_clip", "hkbClipGenerator", name = "RunClip", animation_name = "Animations\\Run.hkx" },
  { "reference", "hkbBehaviorReferenceGenerator", name = "Reference", behavior_name = "Behaviors\\Other.hkx" },

  { "attack", "hkbStateMachineStateInfo", name = "Attack", state_id = 2, transitions = "@from_attack",
    generator = "@attack_modified" },
  { "from_attack", "hkbStateMachineTransitionInfoArray", transitions = {
    { event_id = 0, to_state_id = 1, to_nested_state_id = 11, flags = SINGLE | NESTED } } },
  { "attack_modified", "hkbModifierGenerator", name = "AttackModified", modifier = "@modifiers",
    generator = "@attack_clip" },
  { "modifiers", "hkbModifierList", name = "Modifiers", enable = true, modifiers = { "@turn" } },
  { "turn", "hkbRotateCharacterModifier", name = "Turn", enable = true, variable_binding_set = "@turn_set" },
  { "turn_set", "hkbVariableBindingSet", index_of_binding_to_enable = 0, bindings = {
    { member_path = "enable", variable_index = 1 }, { member_path = "degreesPerSecond", variable_index = 0 } } },
  { "attack_clip", "hkbClipGenerator", name = "AttackClip", animation_name = "Animations\\Attack.hkx" },
  { "wild", "hkbStateMachineTransitionInfoArray", transitions = {
    { event_id = 2, to_state_id = 2, flags = SINGLE | WILD } } },

  { "data", "hkbBehaviorGraphData", attribute_defaults = { 0.5 },
    variable_infos = { { type = "VARIABLE_TYPE_REAL" }, { type = "VARIABLE_TYPE_BOOL" }, { type = "VARIABLE_TYPE_VECTOR4" },
      { type = "VARIABLE_TYPE_POINTER" } },
    character_property_infos = { { type = "VARIABLE_TYPE_POINTER" } },
    event_infos = { {}, {}, {}, {} }, variable_initial_values = "@values", string_data = "@strings" },
  { "values", "hkbVariableValueSet",
    word_variable_values = { { value = 0 }, { value = 1 }, { value = 0 }, { value = 0 } },
    quad_variable_values = { { 0, 0, 1, 0 } }, variant_variable_values = { false } },
  { "strings", "hkbBehaviorGraphStringData", event_names = M.EVENTS, attribute_names = { "AttrWM" },
    variable_names = { "Speed", "bEquipped", "Direction", "Target" }, character_property_names = { "Weights" } },
}

--- Numbers of the objects by their keys.
M.number = {}
for i, object in ipairs(list) do M.number[object[1]] = i end

local function resolve(value)
  if type(value) == "string" and value:sub(1, 1) == "@" then return assert(M.number[value:sub(2)], value) end
  if type(value) ~= "table" then return value end
  local copy = {}
  for k, v in pairs(value) do copy[k] = resolve(v) end
  return copy
end

--- The objects as lathe.new takes them.
function M.objects()
  local objects = {}
  for i, object in ipairs(list) do
    local copy = resolve(object)
    copy.class, copy[1], copy[2] = object[2], nil, nil
    objects[i] = copy
  end
  return objects
end

local made = {}

--- The bytes of the graph as a file of a game (default: skyrim-se).
function M.bytes(game)
  game = game or "skyrim-se"
  if not made[game] then
    local doc <close> = assert(lathe.new("hkx", { game = game, objects = M.objects() }))
    made[game] = assert(doc:encode())
  end
  return made[game]
end

--- The graph, and its objects by their keys.
function M.open(game, options)
  local doc = assert(lathe.parse(M.bytes(game), options))
  local objects = {}
  for key, i in pairs(M.number) do objects[key] = doc.objects[i] end
  return doc, objects
end

--- `text` with the paths of objects in place of their keys in braces.
function M.paths(text)
  return (text:gsub("{([%w_]+)}", function(key) return ("objects[%d]"):format(assert(M.number[key], key)) end))
end

--- What doc:check() finds, as "level path: message".
function M.findings(doc)
  local said = {}
  for i, finding in ipairs(select(2, doc:check())) do
    said[i] = ("%s %s: %s"):format(finding.level, finding.where, finding.message)
  end
  return said
end

return M
