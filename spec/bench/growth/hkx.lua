-- Lines of large packfiles: annotations, objects, frames, bones.

local growth = require "growth"
local lathe = require "lathe"

local function clip(n)
  local annotations = {}
  for i = 1, n do annotations[i] = { time = i, text = "event" .. i } end
  return assert(lathe.new("hkx", { game = "skyrim-se", objects = {
    { class = "hkRootLevelContainer", named_variants = { { name = "clip", variant = 2 } } },
    { class = "hkaInterleavedUncompressedAnimation", annotation_tracks = { { annotations = annotations } } },
  } }))
end

-- A root with n resources.
local function objects(n)
  local list, children = {}, {}
  for i = 1, n do
    list[i + 2], children[i] = { class = "hkMemoryResourceContainer", name = "c" .. i }, i + 2
  end
  list[1] = { class = "hkRootLevelContainer", named_variants = { { variant = 2 } } }
  list[2] = { class = "hkMemoryResourceContainer", children = children }
  return { game = "skyrim-se", objects = list }
end

-- A behavior graph of n/4 states, each with transitions to two others, a clip and a bound speed.
local function graph(n)
  n = n // 4
  local events, variables, infos, words, states = {}, {}, {}, {}, {}
  local list = {
    { class = "hkRootLevelContainer",
      named_variants = { { name = "graph", class_name = "hkbBehaviorGraph", variant = 2 } } },
    { class = "hkbBehaviorGraph", name = "graph", root_generator = 3, data = 4 * n + 4 },
    { class = "hkbStateMachine", name = "machine", start_state_id = 0, states = states },
  }
  local function transition(event, to) return { event_id = event, to_state_id = to % n, flags = 0x100 } end
  for i = 0, n - 1 do
    local at = #list + 1
    events[i + 1], variables[i + 1], infos[i + 1], words[i + 1] = "event" .. i, "speed" .. i, {}, { value = i }
    states[i + 1] = at
    list[at] = { class = "hkbStateMachineStateInfo", name = "state" .. i, state_id = i, transitions = at + 1,
      generator = at + 2 }
    list[at + 1] = { class = "hkbStateMachineTransitionInfoArray",
      transitions = { transition(i, i + 1), transition(n - 1 - i, i + 7) } }
    list[at + 2] = { class = "hkbClipGenerator", name = "clip" .. i, animation_name = "a.hkx",
      variable_binding_set = at + 3 }
    list[at + 3] = { class = "hkbVariableBindingSet",
      bindings = { { member_path = "playbackSpeed", variable_index = i } } }
  end
  list[4 * n + 4] = { class = "hkbBehaviorGraphData", variable_infos = infos, event_infos = infos,
    variable_initial_values = 4 * n + 5, string_data = 4 * n + 6 }
  list[4 * n + 5] = { class = "hkbVariableValueSet", word_variable_values = words }
  list[4 * n + 6] = { class = "hkbBehaviorGraphStringData", event_names = events, variable_names = variables }
  return assert(lathe.new("hkx", { game = "skyrim-se", objects = list }))
end

local function opener(key, make)
  return function(n) return assert(lathe.parse(growth.bytes(key, n, make), { format = "hkx" })) end
end
local open_clip = opener("clip", clip)
local open_graph = opener("checked graph", graph)
local open_objects = opener("objects", function(n) return assert(lathe.new("hkx", objects(n))) end)

local function stored(doc) return doc.objects[2].annotation_tracks[1].annotations end

local function has(count, text)
  return function(_, doc, n)
    local list = stored(doc)
    assert(#list == count(n))
    if text then assert(list[#list].text == text(n)) end
  end
end

return {
  {
    name = "hkx: annotations:resize(2n)",
    covers = { "resize" },
    make = open_clip,
    run = function(doc, n) stored(doc):resize(2 * n) end,
    check = has(function(n) return 2 * n end),
  },
  {
    name = "hkx: annotations:resize(1)",
    covers = { "resize" },
    make = open_clip,
    run = function(doc) stored(doc):resize(1) end,
    check = has(function() return 1 end, function() return "event1" end),
  },
  {
    name = "hkx: annotations = a table of n",
    covers = { "assign" },
    make = function(n)
      local list = {}
      for i = 1, n do list[i] = { time = i, text = "another event " .. i } end
      return { doc = open_clip(n), list = list }
    end,
    run = function(it) it.doc.objects[2].annotation_tracks[1].annotations = it.list end,
    check = function(_, it, n) has(function() return n end, function() return "another event " .. n end)(nil, it.doc, n) end,
  },
  {
    name = "hkx: append n annotations, in an edit",
    open = "all fixups follow each time",
    covers = { "append" },
    make = open_clip,
    run = function(doc, n)
      local list = stored(doc)
      doc:edit(function() for i = 1, n do list:append { time = i, text = "new" .. i } end end)
    end,
    check = has(function(n) return 2 * n end, function(n) return "new" .. n end),
  },
  {
    name = "hkx: a longer text for each annotation, in an edit",
    open = "all fixups follow each time",
    covers = { "lathe_view_set" },
    make = open_clip,
    run = function(doc, n)
      local list = stored(doc)
      doc:edit(function() for i = 1, n do list[i].text = "longer than it was " .. i end end)
    end,
    check = has(function(n) return n end, function(n) return "longer than it was " .. n end),
  },
  {
    name = "hkx: anim.annotations:append n, in an edit",
    open = "all fixups follow each time",
    covers = { "append" },
    make = function()
      local still = lathe.buffer("f32", 2, 10, { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 })
      return assert(lathe.new("hkx", { game = "skyrim-se", animation = { bones = { 0 }, samples = still, duration = 1 } }))
    end,
    run = function(doc, n)
      local list = doc.animations[1].annotations
      doc:edit(function() for i = 1, n do list:append { time = i / n, text = "new" .. i, track = 0 } end end)
    end,
    check = function(_, doc, n) assert(#doc.animations[1].annotations == n) end,
  },
  {
    name = "hkx: lathe.new of n objects",
    covers = { "lathe_doc_new" },
    make = objects,
    run = function(fields) return assert(lathe.new("hkx", fields)) end,
    check = function(doc, _, n) assert(#doc.objects == n + 2) end,
  },
  {
    name = "hkx: parse and touch n objects",
    covers = { "lathe_doc_parse" },
    make = function(n) open_objects(n):close() return growth.bytes("objects", n) end,
    run = function(bytes)
      local doc, sum = assert(lathe.parse(bytes, { format = "hkx" })), 0
      for i = 3, #doc.objects do sum = sum + #doc.objects[i].name end
      return sum
    end,
    check = function(sum, _, n) assert(sum > n) end,
  },
  {
    name = "hkx: serialize n objects",
    covers = { "lathe_doc_serialize" },
    make = open_objects,
    run = function(doc) return assert(doc:serialize()) end,
    check = function(bytes, doc) assert(bytes == doc:encode()) end,
  },
  {
    name = "hkx: append a pointer to n objects, in an edit",
    open = "all fixups follow each time",
    covers = { "append" },
    make = open_objects,
    run = function(doc, n)
      local children = doc.objects[2].children
      doc:edit(function() for i = 1, n do children:append(doc.objects[i + 2]) end end)
    end,
    check = function(_, doc, n) assert(#doc.objects[2].children == 2 * n) end,
  },
  {
    name = "hkx: append n objects, in an edit",
    open = "all fixups follow each time",
    covers = { "append", "lathe_view_build_item" },
    make = open_objects,
    run = function(doc, n)
      doc:edit(function()
        for i = 1, n do doc.objects:append { class = "hkMemoryResourceContainer", name = "d" .. i } end
      end)
    end,
    check = function(_, doc, n) assert(#doc.objects == 2 * n + 2) end,
  },
  {
    name = "hkx: copy an object that leads to n others",
    covers = { "copy", "lathe_view_copy" },
    make = open_objects,
    run = function(doc) return doc.objects:copy(doc.objects[2]) end,
    check = function(copy, doc, n) assert(#doc.objects == 2 * n + 3 and #copy.children == n) end,
  },
  {
    name = "hkx: prune n objects",
    covers = { "hkx:prune" },
    make = function(n)
      local doc = open_objects(n)
      doc.objects[2].children = {}
      return doc
    end,
    run = function(doc) return assert(doc:prune {}) end,
    check = function(report, doc, n) assert(#doc.objects == 2 and report.changed == n) end,
  },
  {
    name = "hkx: remove n/8 objects, in an edit",
    open = "all fixups follow each time",
    covers = { "remove" },
    make = open_objects,
    run = function(doc, n) doc:edit(function() for _ = 1, n // 8 do doc.objects:remove(n // 2) end end) end,
    check = function(_, doc, n) assert(#doc.objects == n + 2 - n // 8) end,
  },
  {
    name = "hkx: check of a behavior graph of n objects",
    covers = { "lathe_doc_check" },
    make = open_graph,
    run = function(doc) return select(2, doc:check()) end,
    check = function(list) assert(#list == 0) end,
  },
  {
    name = "hkx: check of a behavior graph with n/4 faults",
    sizes = { 1000, 4000, 16000 },
    covers = { "lathe_doc_check" },
    make = function(n)
      local doc = open_graph(n)
      local names = {}
      for i = 1, n // 4 do names[i] = "event" end
      doc.graph.source.data.string_data.event_names = names
      return doc
    end,
    run = function(doc) return select(2, doc:check()) end,
    check = function(list, _, n) assert(#list == math.min(n // 4 - 1, 10001)) end,
  },
}
