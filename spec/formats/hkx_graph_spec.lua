-- Behavior graphs by name: lists, what their items say, and the verbs, on a graph that the tests make.

local lathe = require "lathe"
local sample_graph = require "sample_graph"

local GAMES <const> = { "skyrim-le", "skyrim-se", "fallout4" }

local function sample(opts)
  local doc = assert(lathe.new("hkx", sample_graph.fields(opts or {})))
  return assert(lathe.parse(doc:encode(), { history = 100 }))
end

local function each(fn)
  return function()
    for _, game in ipairs(GAMES) do
      local doc <close> = sample { game = game }
      fn(doc, game)
    end
  end
end

-- Asserts an error as nil and a message, and that nothing changed.
local function refused(doc, message, result, err)
  assert.is_nil(result)
  assert.equal(message, (err.message:gsub("^[^:]*%.hkx: ", "")))
  return doc
end

describe("doc.graph", function()
  it("has the lists of the graph", each(function(doc)
    local graph = doc.graph
    assert.equal("graph", lathe.type(graph))
    assert.equal("Sample.hkb", graph.name)
    assert.equal('graph "Sample.hkb": 3 states, 4 events, 2 variables', tostring(graph))
    assert.equal("hkbBehaviorGraph", lathe.type(graph.source))
    assert.same({ 3, 3, 4, 2, 3 }, { #graph.states, #graph.transitions, #graph.events, #graph.variables, #graph.clips })
    assert.same({ "3 states", "3 transitions", "4 events", "2 variables", "3 clip generators" }, {
      tostring(graph.states), tostring(graph.transitions), tostring(graph.events), tostring(graph.variables),
      tostring(graph.clips) })
    assert.error_matches(function() return graph.stats end, "no field 'stats' in graph; did you mean 'states'?")
    assert.error_matches(function() graph.name = "x" end, "'name' of a graph cannot be set")
  end))

  it("is nil where there is none, and lists are empty", function()
    local doc <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = {
      { class = "hkRootLevelContainer", named_variants = {} } } }))
    assert.is_nil(doc.graph)
    assert.same({ 0, 0, 0 }, { #doc.events, #doc.variables, #doc.animation_files })
    assert.is_nil(doc.events[0])
    local result, err = doc:add_event "X"
    refused(doc, "the file has no behavior graph", result, err)
    local other <close> = assert(lathe.new("solid", {}))
    assert.is_nil(other.graph)
    assert.equal(0, #other.events)
  end)
end)

describe("events and variables", function()
  it("have the file's ids, from 0, and are found by them and by name", each(function(doc)
    assert.same({ 0, "Event1" }, { doc.events[0].id, doc.events[0].name })
    assert.same({ 3, "Event4" }, { doc.events["Event4"].id, doc.events[3].name })
    assert.is_nil(doc.events[4])
    assert.is_nil(doc.events[-1])
    assert.equal(doc.graph.events[2].source, doc.events["Event3"].source)
    local ids = {}
    for id, event in pairs(doc.events) do ids[#ids + 1] = ("%d %s"):format(id, event.name) end
    assert.same({ "0 Event1", "1 Event2", "2 Event3", "3 Event4" }, ids)
    assert.error_matches(function() return doc.events["Event5"] end,
      "the graph has no event 'Event5'; did you mean 'Event%d'?")
    assert.error_matches(function() return doc.variables["x"] end, "the graph has no variable 'x'")
    assert.same({ "Variable2", "VARIABLE_TYPE_REAL", 0.0 },
      { doc.variables[1].name, doc.variables[1].type, doc.variables[1].value })
    assert.equal("Event2", doc:get "events[1].name")
    assert.equal(2, doc:get 'events["Event3"].id')
    doc:set('variables["Variable1"].value', 2.5)
    assert.equal(2.5, doc.variables[0].value)
    assert.is_nil(doc:get 'events[9].name')
  end))

  it("have paths that lead to them", each(function(doc)
    for _, list in ipairs { doc.events, doc.variables } do
      for _, item in pairs(list) do
        local path = lathe.path(item)
        assert.matches("^objects%[%d+%]%.[%l_]+%[%d+%]%.[%l]+$", path)
        assert.equal(item, doc:get(path))
        assert.equal(lathe.path(item.source), path:match "^(.*)%.")
      end
    end
  end))

  it("say what they are: values by type", each(function(doc)
    local types = { bool = true, int8 = -128, int16 = 32767, int32 = -7, real = 0.5 }
    for type, value in pairs(types) do
      assert.equal(doc.variables["Variable2"].id + 1, assert(doc:add_variable("V", { type = type, value = value })).id)
      assert.equal(type == "bool" and 1 or value, doc.variables["V"].value)
      assert.is_nil(doc.variables["V"].object)
      assert(doc:remove_variable "V")
    end
    for i, type in ipairs { "vector3", "vector4", "quaternion" } do
      assert(doc:add_variable("Q" .. i, { type = type }))
      assert.is_nil(doc.variables["Q" .. i].value)
      doc.variables["Q" .. i].object.y = i
    end
    assert(doc:remove_variable "Q2") -- the vector of the third one gets another number
    assert.same({ 1.0, 3.0 }, { doc.variables["Q1"].object.y, doc.variables["Q3"].object.y })
    local result, err = doc:add_variable("V", { type = "int8", value = 128 })
    assert.is_nil(result)
    assert.matches("128 is no integer of %-128 .. 127", err.message)
    assert.error_matches(function() doc.variables["Q1"].value = 1 end, "the value of such a variable is no number")
  end))
end)

describe("states, transitions and clips", function()
  it("say what they belong to", each(function(doc)
    local graph = doc.graph
    local state = graph.states["State2"]
    assert.equal("Machine", state.machine.name)
    assert.equal(graph.states[2], graph.states["Machine/State2"])
    local t = graph.transitions[2]
    assert.same({ "Machine", "State2", "Event2", "State3" }, { t.machine.name, t.from.name, t.event, t.to.name })
    t.event, t.to = "Event4", graph.states[1]
    assert.same({ 3, 0 }, { t.event_id, t.to_state_id })
    t.event = nil
    assert.equal(-1, t.event_id)
    assert.error_matches(function() t.event = "Event9" end, "the graph has no event 'Event9'")
    assert.error_matches(function() t.to = 5 end, "a state expected")
    assert.equal("Animations\\Clip3.hkx", graph.clips["Clip3"].animation_name)
  end))

  it("of several machines are told apart by machine/state", function()
    local fields = sample_graph.fields {}
    table.insert(fields.objects, { class = "hkbStateMachine", name = "Other", states = { #fields.objects + 2 } })
    table.insert(fields.objects, { class = "hkbStateMachineStateInfo", name = "State1", generator = 10 })
    local doc <close> = assert(lathe.new("hkx", fields))
    local states = doc.graph.states
    assert.error_matches(function() return states["State1"] end, "2 states are named 'State1': say of which machine, "
      .. "such as 'Machine/State1' or 'Other/State1'")
    assert.equal("Other", states["Other/State1"].machine.name)
    local result, err = doc:add_transition { from = "Other/State1", to = "State2", event = 0 }
    refused(doc, "the two states belong to different machines", result, err)
  end)
end)

describe("renaming", function()
  it("changes names and expressions, and no id", each(function(doc)
    local before = doc:encode()
    doc.objects:append { class = "hkbExpressionCondition", expression = "Variable1 > 2 && Variable10 < Variable1" }
    doc.objects:append { class = "hkbExpressionDataArray", expressions_data = {
      { expression = "Event1 if (Variable1 == 1)" }, { expression = "Variable1 = Event1 + 1" } } }
    local n = #doc.objects
    assert.equal(1, assert(doc:rename("Variable1", "Speed", { what = "variables" })).changed)
    assert.equal("Speed > 2 && Variable10 < Speed", doc.objects[n - 1].expression)
    assert.equal(1, assert(doc:rename("Event1", "go", { what = "events" })).changed)
    local list = doc.objects[n].expressions_data
    assert.same({ "go if (Speed == 1)", "Speed = Event1 + 1" }, { list[1].expression, list[2].expression })
    assert.same({ 0, 0 }, { doc.events["go"].id, doc.variables["Speed"].id })
    assert.equal(0, assert(doc:rename("go", "go", { what = "events" })).changed)
    doc.events["go"].name = "Event1"
    assert.equal("Event1 if (Speed == 1)", list[1].expression)
    while doc:undo() do end -- luacheck: ignore 542
    assert.is_true(before == doc:encode())
  end))

  it("refuses names that exist, and names of nothing", each(function(doc)
    local before = doc:encode()
    local function bad(message, from, to, what)
      local result, err = doc:rename(from, to, { what = what })
      refused(doc, message, result, err)
    end
    bad("there is an event 'Event2' already", "Event1", "Event2", "events")
    bad("there is a variable 'Variable1' already", "Variable2", "Variable1", "variables")
    bad("there is a state 'State1' already", "State3", "State1", "states")
    bad("a name cannot be empty", "State3", "", "states")
    bad("a name cannot have a NUL", "Event1", "a\0b", "events")
    assert.error_matches(function() doc.events[0].name = "Event2" end, "there is an event 'Event2' already")
    local report = assert(doc:rename("Even1", "x", { what = "events" }))
    assert.same({ 0, { "the graph has no event 'Even1'; did you mean 'Event1'?" } }, { report.changed, report.notes })
    assert.is_true(before == doc:encode())
  end))
end)

describe("what is in use", function()
  it("is listed by uses, and not removed", each(function(doc)
    assert.same({ "objects[6].transitions[1].event_id" }, doc:uses "Event1")
    assert.same({ "objects[4].bindings[1].variable_index" }, doc:uses("Variable1", { what = "variables" }))
    assert.same({}, doc:uses("Variable2", { what = "variables" }))
    local before = doc:encode()
    local result, err = doc:remove_variable "Variable1"
    refused(doc, "it is in use: objects[4].bindings[1].variable_index", result, err)
    result, err = doc:remove_state "State1"
    assert.is_nil(result)
    assert.matches("^it is in use: objects%[3%].start_state_id, objects%[%d+%].transitions%[1%].to_state_id$", err.message)
    assert.is_true(before == doc:encode())
  end))

  it("of events moves up when one above goes", each(function(doc)
    assert(doc:add_event "Last")
    doc.graph.transitions[1].event = "Last"
    assert.equal(4, doc.graph.transitions[1].event_id)
    local event = doc.graph.clips[3].triggers.triggers[1].event
    event.id = -1
    assert(doc:remove_event "Event4")
    assert.same({ 3, "Last" }, { doc.graph.transitions[1].event_id, doc.graph.transitions[1].event })
  end))
end)

describe("clips", function()
  it("come into selectors, blenders and states, with an event", each(function(doc)
    local root = doc.objects
    local selector = root:append { class = "hkbManualSelectorGenerator", name = "Select" }
    local blender = root:append { class = "hkbBlenderGenerator", name = "Blend" }
    local made = assert(doc:add_clip("New", "Animations\\New.hkx", { into = "Select", event = "Event3", at = 0.25,
      mode = "loop", speed = 2 }))
    assert.equal(selector.generators[1], made.clip)
    assert.same({ "New", "Animations\\New.hkx", "MODE_LOOPING", 2.0, -1 }, { made.clip.name, made.clip.animation_name,
      made.clip.mode, made.clip.playback_speed, made.clip.animation_binding_index })
    assert.same({ 0.25, 2 }, { made.clip.triggers.triggers[1].local_time, made.clip.triggers.triggers[1].event.id })
    assert(doc:add_clip("Other", "b.hkx", { into = blender }))
    assert.same({ 1.0, "Other" }, { blender.children[1].weight, blender.children[1].generator.name })
    local result, err = doc:add_clip("New", "b.hkx", { into = blender })
    refused(doc, "there is a node 'New' already", result, err)
    result, err = doc:add_clip("Third", "b.hkx", { into = doc.graph.states[1] })
    assert.matches("this hkbStateMachineStateInfo has a generator already", err.message)
    assert.is_nil(result)
  end))

  it("play another animation", each(function(doc)
    assert.equal(1, assert(doc:replace_animation("animations/CLIP2.hkx", "Animations\\Run.hkx")).changed)
    assert.equal("Animations\\Run.hkx", doc.graph.clips[2].animation_name)
    local report = assert(doc:replace_animation("Animations\\Clip9.hkx", "x"))
    assert.same({ 0, { "no clip or character names the animation 'Animations\\Clip9.hkx'; did you mean "
      .. "'Animations\\Clip1.hkx'?" } }, { report.changed, report.notes })
  end))
end)

describe("files of animations", function()
  it("are those that characters and projects list", function()
    local doc <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = {
      { class = "hkRootLevelContainer", named_variants = { { variant = 2 } } },
      { class = "hkbCharacterStringData", animation_names = { "a.hkx", "b.hkx" } },
    } }))
    assert.same({ "a.hkx", "b.hkx" }, { doc.animation_files[1], doc.animation_files[2] })
    assert.equal("2 animation files", tostring(doc.animation_files))
    assert.equal(1, assert(doc:replace_animation("B.HKX", "c.hkx")).changed)
    assert.equal("c.hkx", doc.objects[2].animation_names[2])
  end)

  it("of Fallout 4 are in bundles", function()
    local doc <close> = assert(lathe.new("hkx", { game = "fallout4", objects = {
      { class = "hkRootLevelContainer", named_variants = { { variant = 2 } } },
      { class = "hkbCharacterStringData", animation_bundle_name_data = { { asset_names = { "a.hkt" } },
        { asset_names = { "b.hkt", "c.hkt" } } } },
    } }))
    assert.same({ "a.hkt", "b.hkt", "c.hkt" }, { table.unpack(doc.animation_files) })
  end)
end)
