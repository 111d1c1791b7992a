-- Behavior graphs as drawings for Graphviz.

local helper = require "helper"
local lathe = require "lathe"
local sample_graph = require "sample_graph"

local DRAWN <const> = [[
digraph "Sample \"1\".hkb" {
  graph [rankdir=LR, compound=true]
  node [shape=box, style=rounded]
  subgraph "cluster_0" {
    label="Machine"
    s1 [label="State1\nClip1.hkx"]
    s2 [label="State2"]
    any0 [label="any state", shape=plaintext]
  }
  subgraph "cluster_1" {
    label="Inner"
    s3 [label="Inside\n2 clips"]
  }
  any0 -> s2 [label="Event4"]
  s1 -> s2 [label="Event1"]
  s2 -> s1 [label="Event2"]
  s2 -> s3 [style=dashed, lhead="cluster_1"]
}
]]

-- Two states, in the second of which a machine lies behind a modifier.
local function sample()
  local fields = sample_graph.fields { states = 2, name = 'Sample "1".hkb' }
  local list, n = fields.objects, #fields.objects
  for i, object in ipairs {
    { class = "hkbModifierGenerator", name = "Modified", generator = n + 2 },
    { class = "hkbStateMachine", name = "Inner", states = { n + 3 } },
    { class = "hkbStateMachineStateInfo", name = "Inside", generator = n + 4 },
    { class = "hkbManualSelectorGenerator", name = "Select", generators = { n + 5, n + 6 } },
    { class = "hkbClipGenerator", name = "A", animation_name = "a.hkx" },
    { class = "hkbClipGenerator", name = "B", animation_name = "b.hkx" },
  } do list[n + i] = object end
  list[12].generator = n + 1
  local doc = assert(lathe.new("hkx", fields))
  assert(doc:add_transition { to = "State2", event = "Event4" })
  return doc
end

describe("the drawing of a behavior graph", function()
  it("has a box for each machine, and arrows for transitions", function()
    local doc <close> = sample()
    local path = helper.tmpdir() .. "/sample.dot"
    local report = assert(lathe.export(doc, path))
    assert.same({ 3, 3, { path } }, { report.states, report.transitions, report.files })
    assert.equal(DRAWN, helper.read(path))
  end)

  it("is refused where there is no graph", function()
    local doc <close> = assert(lathe.new("solid", {}))
    local result, err = lathe.export(doc, helper.tmpdir() .. "/none.dot")
    assert.is_nil(result)
    assert.matches("there is no behavior graph to draw", err.message)
  end)

  it("is written by the command, also to stdout", function()
    local folder = helper.tmpdir()
    local doc <close> = sample()
    assert(doc:save(folder .. "/sample.hkx"))
    local r = helper.lathe(("export %s/sample.hkx -o %s/drawn.dot"):format(folder, folder))
    assert.same({ 0, "" }, { r.code, r.err })
    assert.equal(("%s/sample.hkx: 3 states, 3 transitions -> %s/drawn.dot\n"):format(folder, folder), r.out)
    assert.equal(DRAWN, helper.read(folder .. "/drawn.dot"))
    assert.equal(DRAWN, helper.lathe(("export %s/sample.hkx -o - --to dot"):format(folder)).out)
    assert(doc:save(folder .. "/other.hkx"))
    r = helper.lathe(("export %s/sample.hkx %s/other.hkx -o %s/two.dot"):format(folder, folder, folder))
    assert.equal("lathe export: a .dot holds one graph", r.err:match "[^\n]*")
  end)

  it("of a game's graph has all of it #corpus", function()
    local path = helper.need_corpus("hkx-behavior/skyrim-se/0_master.hkx", pending)
    if not path then return end
    local doc <close> = assert(lathe.open(path))
    local drawn = helper.tmpdir() .. "/m.dot"
    assert(lathe.export(doc, drawn))
    local text = helper.read(drawn)
    assert.equal(336, select(2, text:gsub("\n    s%d+ %[", "")))
    assert.equal(311, select(2, text:gsub("%-> s%d+ %[label=", "")))
  end)
end)
