-- Verbs of behavior graphs with what they cannot do: a named error, and the document as it was.

local lathe = require "lathe"
local sample = require "sample_behavior"

local NAN = 0 / 0

-- The error that `call` gives or raises, without its offset and the place in the script; the document must be as before.
local function refused(doc, o, call, case)
  local before, undone = assert(doc:encode()), doc:undo()
  local ok, value, err = pcall(call, doc, o)
  assert.is_false(undone)
  assert.is_true(not ok or value == nil, "it was done: " .. tostring(case))
  assert.is_true(before == doc:encode(), "the document changed")
  assert.is_false(doc.modified)
  assert.is_false(doc:undo(), "there is something to undo")
  assert.same({}, sample.findings(doc))
  return (tostring(ok and err or value):gsub("^[^:]*%.lua:%d+: ", ""):gsub(" at 0x%x+", ""))
end

local bad = {
  -- events
  { "there is an event 'Step' already", function(d) return d:add_event "Step" end },
  { "a name cannot be empty", function(d) return d:add_event "" end },
  { "a name cannot have a NUL", function(d) return d:add_event "a\0b" end },
  { "add_event needs 'name': a string", function(d) return d:add_event {} end },
  { "'name' of add_event: a string expected, got an integer", function(d) return d:add_event(7) end },
  { "objects[38].event_infos[5].flags: no Flags is called 'FLAG_X': FLAG_SILENT, FLAG_SYNC_POINT (hkbBehaviorGraphData)",
    function(d) return d:add_event { name = "New", flags = "FLAG_X" } end },
  { "it is in use: {from_idle}.transitions[2].event_id, {triggers}.triggers[2].event.id, " ..
    "{from_fast}.transitions[1].event_id", function(d) return d:remove_event "Step" end },
  { "it is in use: {entered}.events[1].id, {expressions}.expressions_data[2].expression",
    function(d) return d:remove_event "Stop" end },
  { "no id 4: the graph has 4 events, from 0", function(d) return d:remove_event(4) end },
  { "no id -1: the graph has 4 events, from 0", function(d) return d:remove_event(-1) end },
  { "the graph has no event 'Stpe'; did you mean 'Step'?", function(d) return d:remove_event "Stpe" end },
  { "the graph has no event ''", function(d) return d:remove_event "" end },
  { "option 'name': a name or an id expected", function(d) return d:remove_event(1.5) end },
  { "option 'name': a name or an id expected", function(d, o) return d:remove_event(o.idle) end },
  { "there is an event 'Strike' already", function(d) return d:rename("Step", "Strike", { what = "events" }) end },
  { "a name cannot be empty", function(d) return d:rename("Step", "", { what = "events" }) end },
  { "a name cannot have a NUL", function(d) return d:rename("Step", "a\0b", { what = "events" }) end },
  { "there is an event 'Strike' already", function(d) d.events[0].name = "Strike" end },

  -- variables
  { "there is a variable 'Speed' already", function(d) return d:add_variable "Speed" end },
  { "a name cannot be empty", function(d) return d:add_variable "" end },
  { "'type' of add_variable is one of bool, int8, int16, int32, real, vector3, vector4, quaternion",
    function(d) return d:add_variable { name = "New", type = "text" } end },
  { "{data}.variable_initial_values: 2 is no integer of 0 .. 1 (hkbBehaviorGraphData)",
    function(d) return d:add_variable { name = "New", type = "bool", value = 2 } end },
  { "{data}.variable_initial_values: 128 is no integer of -128 .. 127 (hkbBehaviorGraphData)",
    function(d) return d:add_variable { name = "New", type = "int8", value = 128 } end },
  { "{data}.variable_initial_values: 0.5 is no integer of -2147483648 .. 2147483647 (hkbBehaviorGraphData)",
    function(d) return d:add_variable { name = "New", type = "int32", value = 0.5 } end },
  { "{data}.variable_initial_values: 1e+39 is no finite number (hkbBehaviorGraphData)",
    function(d) return d:add_variable { name = "New", value = 1e39 } end },
  { "{data}.variable_initial_values: the value of such a variable is no number (hkbBehaviorGraphData)",
    function(d) return d:add_variable { name = "New", type = "vector4", value = 1 } end },
  { "it is in use: {condition}.expression, {expressions}.expressions_data[1].expression, " ..
    "{expressions}.expressions_data[2].expression and 2 more", function(d) return d:remove_variable "Speed" end },
  { "no id 4: the graph has 4 variables, from 0", function(d) return d:remove_variable(4) end },
  { "the graph has no variable 'Sped'; did you mean 'Speed'?", function(d) return d:remove_variable "Sped" end },
  { "there is a variable 'bEquipped' already",
    function(d) return d:rename("Speed", "bEquipped", { what = "variables" }) end },
  { "an expression names 'Speed', and could not name 'The speed': names in expressions have letters, digits, '_' and " ..
    "'.' alone", function(d) return d:rename("Speed", "The speed", { what = "variables" }) end },
  { "an expression names 'Stop', and could not name 'Stop!': names in expressions have letters, digits, '_' and '.' alone",
    function(d) return d:rename("Stop", "Stop!", { what = "events" }) end },
  { "{data}.variable_infos[2].variable.value: 7 is no integer of 0 .. 1 (hkbBehaviorGraphData)",
    function(d) d.variables.bEquipped.value = 7 end },

  -- states
  { "there is a state 'Idle' already",
    function(d) return d:add_state { name = "Idle", animation = "x.hkx", machine = "Machine" } end },
  { "a name cannot be empty", function(d) return d:add_state { name = "", animation = "x.hkx", machine = "Machine" } end },
  { "option 'machine': no hkbStateMachine is named 'Nobody'",
    function(d) return d:add_state { name = "New", animation = "x.hkx", machine = "Nobody" } end },
  { "option 'machine': hkbStateMachine expected, got hkbBlenderGenerator",
    function(d, o) return d:add_state { name = "New", animation = "x.hkx", machine = o.blender } end },
  { "a state of the machine has the id 2 already",
    function(d) return d:add_state { name = "New", animation = "x.hkx", machine = "Machine", id = 2 } end },
  { "the id -1 is not in 0 .. 2147483647",
    function(d) return d:add_state { name = "New", animation = "x.hkx", machine = "Machine", id = -1 } end },
  { "the id 2147483648 is not in 0 .. 2147483647",
    function(d) return d:add_state { name = "New", animation = "x.hkx", machine = "Machine", id = 1 << 31 } end },
  { "one of the options 'generator' and 'animation' is needed",
    function(d) return d:add_state { name = "New", machine = "Machine" } end },
  { "one of the options 'generator' and 'animation' is needed",
    function(d) return d:add_state { name = "New", animation = "x.hkx", generator = "IdleClip" } end },
  { "the name of an animation cannot be empty",
    function(d) return d:add_state { name = "New", animation = "", machine = "Machine" } end },
  { "option 'generator': hkbGenerator expected, got hkbStateMachineStateInfo",
    function(d, o) return d:add_state { name = "New", generator = o.idle } end },
  { "option 'generator': it leads to the state machine: generators would be in a circle",
    function(d) return d:add_state { name = "New", generator = "Machine", machine = "Machine" } end },
  { "option 'generator': it leads to the state machine: generators would be in a circle",
    function(d) return d:add_state { name = "New", generator = "Machine", machine = "Steps" } end },
  { "option 'generator': it leads to the state machine: generators would be in a circle",
    function(d) return d:add_state { name = "New", generator = "Modified", machine = "Steps" } end },
  { "option 'probability': a finite number expected",
    function(d) return d:add_state { name = "New", animation = "x.hkx", machine = "Machine", probability = NAN } end },
  { "it is in use: {machine}.start_state_id", function(d) return d:remove_state "Idle" end },
  { "it is in use: {wild}.transitions[1].to_state_id", function(d) return d:remove_state "Attack" end },
  { "it is in use: {from_attack}.transitions[1].to_nested_state_id", function(d) return d:remove_state "Fast" end },
  { "the graph has no state 'Nobody'", function(d) return d:remove_state "Nobody" end },
  { "the graph has no state 'Steps/Idle'", function(d) return d:remove_state "Steps/Idle" end },
  { "option 'name': no machine has this state", function(d, o) return d:remove_state(o.blender) end },
  { "there is a state 'Move' already", function(d) return d:rename("Idle", "Move", { what = "states" }) end },
  { "a name cannot be empty", function(d) return d:rename("Idle", "", { what = "states" }) end },
  { "'what' of rename is one of events, variables, states, annotations",
    function(d) return d:rename("Idle", "New", { what = "machines" }) end },

  -- transitions
  { "the two states belong to different machines",
    function(d) return d:add_transition { from = "Idle", to = "Fast", event = "Step" } end },
  { "the graph has no state 'Nobody'", function(d) return d:add_transition { to = "Nobody", event = "Step" } end },
  { "the graph has no state 'Nobody'",
    function(d) return d:add_transition { from = "Nobody", to = "Idle", event = "Step" } end },
  { "the graph has no event 'Nothing'", function(d) return d:add_transition { to = "Idle", event = "Nothing" } end },
  { "no id 4: the graph has 4 events, from 0", function(d) return d:add_transition { to = "Idle", event = 4 } end },
  { "option 'effect': no hkbTransitionEffect is named 'Blender'",
    function(d) return d:add_transition { to = "Idle", event = "Step", effect = "Blender" } end },
  { "option 'effect': hkbTransitionEffect expected, got hkbBlenderGenerator",
    function(d, o) return d:add_transition { to = "Idle", event = "Step", effect = o.blender } end },
  { "{from_idle}.transitions[3].flags: no TransitionFlags is called 'X' (hkbStateMachineTransitionInfoArray)",
    function(d) return d:add_transition { from = "Idle", to = "Move", event = "Step", flags = "X" } end },
  { "{from_idle}.transitions[3].priority: 40000 is not in -32768 .. 32767 (hkbStateMachineTransitionInfoArray)",
    function(d) return d:add_transition { from = "Idle", to = "Move", event = "Step", priority = 40000 } end },
  { "one of the options 'from', 'to' and 'event' is needed", function(d) return d:remove_transition {} end },
  { "the graph has no event 'Nothing'", function(d) return d:remove_transition { event = "Nothing" } end },
  { "{wild}.transitions[1].to: the state belongs to another machine (hkbStateMachineTransitionInfoArray)",
    function(d, o) d.graph.transitions[1].to = o.slow end },
  { "the graph has no event 'Nothing'", function(d) d.graph.transitions[1].event = "Nothing" end },

  -- clips
  { "there is a node 'IdleClip' already",
    function(d) return d:add_clip { name = "IdleClip", animation = "x.hkx", into = "Blender" } end },
  { "a name cannot be empty", function(d) return d:add_clip { name = "", animation = "x.hkx", into = "Blender" } end },
  { "the name of an animation cannot be empty",
    function(d) return d:add_clip { name = "New", animation = "", into = "Blender" } end },
  { "option 'into': no hkbBindable is named 'Nobody'",
    function(d) return d:add_clip { name = "New", animation = "x.hkx", into = "Nobody" } end },
  { "option 'into': a hkbClipGenerator has no place for a clip generator",
    function(d) return d:add_clip { name = "New", animation = "x.hkx", into = "IdleClip" } end },
  { "option 'into': this hkbStateMachineStateInfo has a generator already",
    function(d, o) return d:add_clip { name = "New", animation = "x.hkx", into = o.idle } end },
  { "the graph has no event 'Nothing'",
    function(d) return d:add_clip { name = "New", animation = "x.hkx", into = "Blender", event = "Nothing" } end },
  { "'mode' of add_clip is one of single, loop, user, ping_pong",
    function(d) return d:add_clip { name = "New", animation = "x.hkx", into = "Blender", mode = "sideways" } end },
  { "option 'at': a finite number expected",
    function(d) return d:add_clip { name = "New", animation = "x.hkx", into = "Blender", at = NAN, event = "Step" } end },
  { "option 'speed': a finite number expected",
    function(d) return d:add_clip { name = "New", animation = "x.hkx", into = "Blender", speed = math.huge } end },
  { "option 'at': the event that is sent then is missing",
    function(d) return d:add_clip { name = "New", animation = "x.hkx", into = "Blender", at = 1 } end },
  { "the name of an animation cannot be empty", function(d) return d:replace_animation("Animations\\Run.hkx", "") end },
}

describe("verbs of behavior graphs", function()
  for _, game in ipairs { "skyrim-se", "fallout4" } do
    it("refuse what they cannot do, and change nothing: " .. game, function()
      local doc <close>, o = sample.open(game, { history = 8 })
      for i, case in ipairs(bad) do
        assert.equal(sample.paths(case[1]), refused(doc, o, case[2], case[1]), ("case %d: %s"):format(i, case[1]))
      end
    end)
  end

  it("do nothing where nothing is to be done", function()
    local doc <close> = sample.open("skyrim-se", { history = 8 })
    assert.equal(0, assert(doc:rename("Step", "Step", { what = "events" })).changed)
    assert.equal(0, assert(doc:rename("Idle", "Idle", { what = "states" })).changed)
    assert.equal(0, assert(doc:remove_transition { from = "Move" }).changed)
    for note, report in pairs {
      ["the graph has no event 'Stpe'; did you mean 'Step'?"] = doc:rename("Stpe", "New", { what = "events" }),
      ["the graph has no state 'Nobody'"] = doc:rename("Nobody", "New", { what = "states" }),
      ["no clip or character names the animation 'Animations\\Rnu.hkx'; did you mean 'Animations\\Run.hkx'?"] =
        doc:replace_animation("Animations\\Rnu.hkx", "x.hkx"),
    } do
      assert.equal(0, report.changed)
      assert.same({ note }, report.notes)
    end
    assert.is_false(doc.modified)
    assert.is_false(doc:undo())
  end)

  -- A step inside of an edit that fails undoes the edit.
  it("leave nothing of an edit of which one step fails", function()
    local doc <close> = sample.open("skyrim-se", { history = 8 })
    local before = doc:encode()
    assert.is_false(pcall(doc.edit, doc, function()
      assert(doc:add_event "New")
      assert(doc:add_state { name = "New", animation = "New.hkx", machine = "Machine" })
      assert(doc:add_transition { from = "Idle", to = "New", event = "New" })
      assert(doc:add_event "Step")
    end))
    assert.is_true(before == doc:encode())
    assert.is_false(doc:undo())
  end)
end)

-- What is damaged, and what verbs say of it.
local VERBS = {
  function(d) return d:add_event "New" end,
  function(d) return d:remove_event "Begin" end,
  function(d) return d:add_variable "New" end,
  function(d) return d:remove_variable "Target" end,
  function(d) return d:add_state { name = "New", animation = "x.hkx" } end,
  function(d) return d:remove_state "Fast" end,
  function(d) return d:add_transition { to = "Idle", event = "Step" } end,
  function(d) return d:remove_transition { event = "Step" } end,
  function(d) return d:add_clip { name = "New", animation = "x.hkx", into = "Blender" } end,
  function(d) return d:rename("Step", "New", { what = "events" }) end,
  function(d) return d:rename("Speed", "New", { what = "variables" }) end,
  function(d) return d:rename("Idle", "New", { what = "states" }) end,
  function(d) return d:uses "Step" end,
}

local function all_refused(message, doc)
  local before = doc:encode()
  for i, verb in ipairs(VERBS) do
    local ok, value, err = pcall(verb, doc)
    local text = tostring(ok and err or value):gsub("^[^:]*%.lua:%d+: ", ""):gsub(" at 0x%x+", "")
    assert.equal(sample.paths(message), text, i)
    assert.is_true(before == doc:encode(), i)
  end
end

local function damaged(change)
  local doc <close>, o = sample.open()
  doc:edit(function() change(o, doc) end)
  return assert(lathe.parse(assert(doc:encode())))
end

describe("verbs of a document", function()
  it("without a behavior graph say so", function()
    local doc <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = { { class = "hkRootLevelContainer" } } }))
    assert.is_nil(doc.graph)
    all_refused("the file has no behavior graph", doc)
    assert.same({}, sample.findings(doc))
  end)

  it("with two graphs say so", function()
    local doc <close> = damaged(function(o, d)
      d.objects:append { class = "hkbBehaviorGraph", name = "other", root_generator = o.machine, data = o.data }
    end)
    all_refused("the file has 2 behavior graphs: which one is meant cannot be said", doc)
  end)

  it("with a graph without data or names say so", function()
    local doc <close> = damaged(function(o) o.graph.data = false end)
    all_refused("{graph}.data: the graph has no data (hkbBehaviorGraph)", doc)
    local other <close> = damaged(function(o) o.data.string_data = false end)
    all_refused("{graph}.data: the graph has no names (hkbBehaviorGraph)", other)
  end)

  it("whose counts disagree add and remove nothing", function()
    local doc <close> = damaged(function(o)
      o.data.event_infos:append {}
      o.values.word_variable_values:append {}
    end)
    local before = doc:encode()
    for i, verb in ipairs { VERBS[1], VERBS[2] } do
      local value, err = verb(doc)
      assert.is_nil(value)
      assert.equal("5 infos for 4 names of events (hkbBehaviorGraphData)", err.message, i)
      assert.equal(sample.paths "{data}.event_infos", err.where)
    end
    for i, verb in ipairs { VERBS[3], VERBS[4] } do
      local value, err = verb(doc)
      assert.is_nil(value)
      assert.equal("5 elements for 4 variables (hkbVariableValueSet)", err.message, i)
      assert.equal(sample.paths "{values}.word_variable_values", err.where)
    end
    assert.is_true(before == doc:encode())
  end)

  it("refuse a name that two nodes have", function()
    local doc <close> = damaged(function(o) o.run_clip.name = "IdleClip" end)
    local value, err = doc:add_clip { name = "IdleClip", animation = "x.hkx", into = "Blender" }
    assert.is_nil(value)
    assert.equal("there is a node 'IdleClip' already", err.message)
  end)

  it("refuse what several have the name of", function()
    local doc <close> = damaged(function(o)
      o.slow.name, o.steps.name = "Idle", "Machine"
    end)
    local value, err = doc:remove_state "Idle"
    assert.is_nil(value)
    assert.equal("2 states are named 'Idle': say of which machine, such as 'Machine/Idle' or 'Machine/Idle'",
      err.message)
    value, err = doc:add_state { name = "New", animation = "x.hkx", machine = "Machine" }
    assert.is_nil(value)
    assert.equal("option 'machine': 2 objects derived from hkbStateMachine are named 'Machine': give the record",
      err.message)
    assert.is_false(doc.modified)
  end)
end)
