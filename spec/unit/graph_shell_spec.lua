-- Behavior graphs at the prompt: completion of names, and how they are shown.

local complete = require "lathe.repl.complete"
local lathe = require "lathe"
local sample_graph = require "sample_graph"
local show = require "lathe.repl.show"

describe("at the prompt, a behavior graph", function()
  local env

  setup(function() env = { doc = assert(lathe.new("hkx", sample_graph.fields { events = 2 })) } end)

  local function words(line) return complete.words(line, 1, #line, env) end

  it("completes its members", function()
    assert.same({ "doc.graph.clips", "doc.graph.events", "doc.graph.name", "doc.graph.source", "doc.graph.states",
      "doc.graph.transitions", "doc.graph.variables" }, words "doc.graph.")
    assert.same({ "doc.graph.states[1].machine" }, words "doc.graph.states[1].ma")
    assert.same({ "doc.graph.transitions[1].from", "doc.graph.transitions[1].from_nested_state_id" },
      words "doc.graph.transitions[1].fro")
  end)

  it("completes names of events, variables, states and clips", function()
    assert.same({ 'doc.events["Event1"]', 'doc.events["Event2"]' }, words 'doc.events["')
    assert.same({ "doc.events['Event2']" }, words "doc.events['Event2")
    assert.same({ "doc.variables.Variable1", "doc.variables.Variable2" }, words "doc.variables.")
    assert.same({ 'doc.graph.states["State3"]' }, words 'doc.graph.states["State3')
    assert.same({ 'doc.graph.clips["Clip1"].mode' }, words 'doc.graph.clips["Clip1"].mo')
    assert.same({}, words 'doc.graph.transitions["')
    assert.same({}, words 'doc.events["X')
  end)

  it("completes states whose name is another one's, too, with their machine", function()
    local fields = sample_graph.fields { states = 2 }
    local list = fields.objects
    list[#list + 1] = { class = "hkbStateMachine", name = "Other", states = { #list + 2 } }
    list[#list + 1] = { class = "hkbStateMachineStateInfo", name = "State1" }
    list[12].generator = #list - 1
    local doc <close> = assert(lathe.new("hkx", fields))
    local found = complete.words('doc.graph.states["', 1, 18, { doc = doc })
    assert.same({ 'doc.graph.states["Machine/State1"]', 'doc.graph.states["Other/State1"]',
      'doc.graph.states["State2"]' }, found)
    for _, word in ipairs(found) do assert.is_truthy(load("return " .. word, "", "t", { doc = doc })()) end
  end)

  it("completes names of bones, too", function()
    local rig = assert(lathe.new("hkx", { skeleton = { name = "R", bones = {
      { name = "Root" }, { name = "Left \"A\"", parent = 0 } } } }))
    local line = 'rig.skeletons[1].bones["'
    assert.same({ line .. 'Left \\"A\\""]', line .. 'Root"]' }, complete.words(line, 1, #line, { rig = rig }))
  end)

  it("is shown by its lists, and these by ids, names and where transitions lead", function()
    local graph = env.doc.graph
    assert.same({
      'graph "Sample.hkb": 3 states, 2 events, 2 variables',
      '  name        = "Sample.hkb"',
      '  source      = hkbBehaviorGraph objects[2]: variable_binding_set=false user_data=0 name="Sample.hkb" ...',
      "  states      = 3 states",
      "  transitions = 3 transitions",
      "  events      = 2 events",
      "  variables   = 2 variables",
      "  clips       = 3 clip generators",
    }, show.lines(graph))
    assert.same({ "2 events",
      "       name      id  source",
      '  [0]  "Event1"   0  -> objects[17].event_infos[1]',
      '  [1]  "Event2"   1  -> objects[17].event_infos[2]' }, show.lines(env.doc.events))
    assert.same({ "3 transitions",
      "       from      event     to        machine",
      '  [1]  "State1"  "Event1"  "State2"  "Machine"',
      '  [2]  "State2"  "Event2"  "State3"  "Machine"',
      '  [3]  "State3"  "Event1"  "State1"  "Machine"' }, show.lines(graph.transitions))
    local names = show.lines(graph.states)
    for i = 1, 3 do assert.matches(('^  %%[%d%%]  "State%d" '):format(i, i), names[i + 2]) end
    local lines = show.lines(assert(lathe.new("hkx", sample_graph.fields { events = 300 })).events)
    assert.equal('  [19]  "Event20"  19', lines[22]:match '^  %[19%]  "Event20"  19')
    assert.equal("  ... 280 more", lines[23])
  end)
end)
