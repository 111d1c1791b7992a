-- Lines of behavior graphs of n states, each with a clip, an event that it sends and a transition. Of its 500 events
-- one goes or gets another name, so that members in all states are looked at.

local growth = require "growth"
local lathe = require "lathe"
local sample_graph = require "sample_graph"

local EVENTS, UNUSED <const> = 500, 2 -- the last ones are used by nothing

local function open(n)
  local bytes = growth.bytes("graph", n, function()
    local doc = assert(lathe.new("hkx", sample_graph.fields { states = n, events = EVENTS - UNUSED, variables = 500 }))
    for i = 1, UNUSED do assert(doc:add_event("Unused" .. i)) end
    return doc
  end)
  return assert(lathe.parse(bytes, { format = "hkx" }))
end

local function line(name, covers, run, check)
  return { name = "hkx: " .. name, covers = { "hkx:" .. covers }, make = open, run = run, check = check }
end

local lines = {
  line("rename one of 500 events of n states", "rename",
    function(doc) return assert(doc:rename("Event7", "Other", { what = "events" })) end,
    function(report, doc) assert(report.changed == 1 and doc.events["Other"].id == 6) end),
  line("remove one of 500 events, n states have others", "remove_event",
    function(doc) return assert(doc:remove_event("Unused1")) end,
    function(_, doc) assert(#doc.events == EVENTS - 1 and #doc:uses("Event1") > 0) end),
  line("remove one of 500 variables", "remove_variable",
    function(doc) return assert(doc:remove_variable("Variable2")) end,
    function(_, doc) assert(#doc.variables == 499) end),
  line("add an event to a graph of n states", "add_event",
    function(doc) return assert(doc:add_event("New")) end,
    function(report) assert(report.id == EVENTS) end),
  line("add a variable to a graph of n states", "add_variable",
    function(doc) return assert(doc:add_variable("New")) end,
    function(report) assert(report.id == 500) end),
  line("add a state to a machine of n", "add_state",
    function(doc) return assert(doc:add_state("New", { animation = "New.hkx" })) end,
    function(report, _, n) assert(report.id == n) end),
  line("remove one of n states", "remove_state",
    function(doc)
      assert(doc:remove_transition { to = "State3" })
      return assert(doc:remove_state("State3"))
    end,
    function(_, doc, n) assert(#doc.graph.states == n - 1) end),
  line("add a transition to one of n states", "add_transition",
    function(doc) return assert(doc:add_transition { from = "State5", to = "State2", event = "Event1" }) end,
    function(_, doc, n) assert(#doc.graph.transitions == n + 1) end),
  line("remove the transition of one of n states", "remove_transition",
    function(doc) return assert(doc:remove_transition { from = "State5" }) end,
    function(report) assert(report.changed == 1) end),
  line("add a clip to a graph of n states", "add_clip",
    function(doc)
      doc.graph.states[4].generator = nil
      return assert(doc:add_clip("New", "New.hkx", { into = doc.graph.states[4] }))
    end,
    function(_, doc, n) assert(#doc.graph.clips == n + 1) end),
  line("replace one of n animations", "replace_animation",
    function(doc) return assert(doc:replace_animation("animations/clip9.hkx", "Animations\\Other.hkx")) end,
    function(report) assert(report.changed == 1) end),
  line("list the uses of an event that n/500 states have", "uses",
    function(doc) return assert(doc:uses("Event3")) end,
    function(list) assert(#list >= 2) end),
  {
    name = "hkx: find each of n states by name", covers = { "lathe_list_find", "lathe_list_name" },
    make = open,
    run = function(doc, n)
      local states = doc.graph.states
      for i = 1, n do assert(states["State" .. i].state_id == i - 1) end
    end,
    check = function() end,
  },
  {
    name = "hkx: find each of n events by name", covers = { "lathe_list_find" },
    make = function(n)
      return assert(lathe.new("hkx", sample_graph.fields { events = n }))
    end,
    run = function(doc, n)
      local events = doc.events
      for i = 1, n do assert(events["Event" .. i].id == i - 1) end
    end,
    check = function() end,
  },
  {
    name = "hkx: name and goal of n transitions", covers = { "lathe_list_item" },
    make = open,
    run = function(doc)
      local n = 0
      for _, t in ipairs(doc.graph.transitions) do n = n + #t.event + #t.to.name + #t.from.name end
      return n
    end,
    check = function(sum, _, n) assert(sum > 10 * n) end,
  },
}

-- A game's graph, in n copies: without the corpus there are no such lines.
local file = io.open((os.getenv "LATHE_CORPUS" or "../shared/corpus") .. "/hkx-behavior/skyrim-se/0_master.hkx", "rb")
local master = file and file:read "a"
if file then file:close() end

local function copies(n)
  return assert(lathe.parse(growth.bytes("0_master", n, function()
    local doc = assert(lathe.parse(master, { format = "hkx" }))
    local root = doc.graph.source.root_generator
    for _ = 2, n do doc.objects:copy(root) end
    return doc
  end), { format = "hkx" }))
end

local function of_master(name, covers, run, check)
  return { name = "hkx: 0_master.hkx, n copies: " .. name, covers = { "hkx:" .. covers }, make = copies, run = run,
    check = check, sizes = { 1, 4, 16 }, long = true }
end

if master then
  lines[#lines + 1] = of_master("rename an event", "rename",
    function(doc) return assert(doc:rename("weaponSwing", "swing", { what = "events" })) end,
    function(report, doc) assert(report.changed == 1 and doc.events["swing"].id > 0) end)
  lines[#lines + 1] = of_master("remove an event", "remove_event",
    function(doc) return assert(doc:remove_event "na_MRh_BeginCast_Event") end,
    function(_, doc) assert(#doc.events == 1216) end)
end

return lines
