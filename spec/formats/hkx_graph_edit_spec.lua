-- Behavior graphs of packfiles, changed at random: files stay whole for a reader in plain Lua, and every id keeps
-- naming the event, variable or state that it named.

local graphs = require "hkx_graph_reader"
local helper = require "helper"
local lathe = require "lathe"
local walker = require "hkx_walker"

local CORPUS = os.getenv("LATHE_CORPUS") or "../shared/corpus"
local FILES <const> = {
  "skyrim-le/0_master", "skyrim-se/0_master", "skyrim-se/1hm_locomotion", "skyrim-le/1st_idlebehavior",
  "skyrim-se/bashbehavior", "skyrim-le/horsebehavior", "skyrim-se/idlebehavior", "skyrim-le/magicbehavior",
  "skyrim-se/shout_behavior", "skyrim-le/sprintbehavior", "skyrim-se/staggerbehavior", "skyrim-le/weapequip",
}
local STEPS <const>, STEPS_OF_LARGE <const> = 24, 8 -- of each file

local function tables()
  return walker.tables(CORPUS .. "/../formats", "skyrim")
end

-- The names that ids have, by the paths of their members.
local function names_of(graph)
  local names = {}
  for label, id in pairs(graph.ids) do names[label] = ("%s %s"):format(id.kind, id.name or id.value) end
  return names
end

-- How often each name occurs, by class and member.
local function count_names(graph)
  local counts = {}
  for _, id in pairs(graph.ids) do
    local key = ("%s: %s"):format(id.member, id.name or id.value)
    counts[key] = (counts[key] or 0) + 1
  end
  return counts
end

-- All that was there is there, under its name; `renamed` has new names by old ones.
local function assert_kept(before, after, renamed, label)
  local now = names_of(after)
  for path, name in pairs(names_of(before)) do
    assert.equal(renamed[name] or name, now[path], label .. ": " .. path)
  end
end

-- Nothing is there that was not there under that name.
local function assert_fewer(before, after, label)
  local most = count_names(before)
  for name, n in pairs(count_names(after)) do
    assert.is_true(n <= (most[name] or 0), ("%s: %d of %s, %d before"):format(label, n, name, most[name] or 0))
  end
end

local Session = {}
Session.__index = Session

function Session:pick(list, first)
  return list[self.random(first or 1, #list - 1 + (first or 1))]
end

function Session:fresh(word)
  self.serial = self.serial + 1
  return ("%s%d"):format(word, self.serial)
end

-- One change; gives what it was called, and how the names before and after are related.
local changes = {}

function changes.add_event(s)
  assert(s.doc:add_event(s:fresh "Event"))
end

function changes.remove_event(s)
  local events = s.doc.events
  local event = s:pick(events, 0).name
  local done, err = s.doc:remove_event(event)
  local used = #s.doc:uses(done and 0 or event) > 0
  if not done then assert(used and err.message:find "in use", err) end
end

function changes.rename_event(s)
  local from, to = s:pick(s.doc.events, 0).name, s:fresh "Renamed"
  assert(s.doc:rename(from, to, { what = "events" }))
  return { ["event " .. from] = "event " .. to }
end

function changes.add_variable(s)
  local types = { "bool", "int8", "int16", "int32", "real", "vector3", "vector4", "quaternion" }
  assert(s.doc:add_variable(s:fresh "Variable", { type = types[s.random(#types)] }))
end

function changes.remove_variable(s)
  if #s.doc.variables == 0 then return end
  local variable = s:pick(s.doc.variables, 0).name
  local done, err = s.doc:remove_variable(variable)
  if not done then assert(#s.doc:uses(variable, { what = "variables" }) > 0, err) end
end

function changes.rename_variable(s)
  if #s.doc.variables == 0 then return end
  local from, to = s:pick(s.doc.variables, 0).name, s:fresh "Renamed"
  assert(s.doc:rename(from, to, { what = "variables" }))
  return { ["variable " .. from] = "variable " .. to }
end

function changes.rename_state(s)
  local state, to = s:pick(s.doc.graph.states), s:fresh "Renamed"
  local from, machine = state.name, state.machine
  local unique = 0
  for _, other in pairs(s.doc.graph.states) do unique = unique + (other.name == from and 1 or 0) end
  if unique > 1 and from:find "/" then return end
  local name = unique > 1 and machine.name .. "/" .. from or from
  local done = s.doc:rename(name, to, { what = "states" })
  if not done then return end -- two machines of one name
  assert.equal(to, state.name)
  return "states"
end

function changes.add_state(s)
  local machine = s:pick(s.doc.graph.states).machine
  local name = s:fresh "State"
  local made = assert(s.doc:add_state(name, { machine = machine, animation = "Animations\\" .. name .. ".hkx" }))
  assert(s.doc:add_transition { from = made.state, to = machine.states[1], event = s.random(0, #s.doc.events - 1) })
  if s.random(2) == 1 then
    assert(s.doc:add_transition { to = made.state, event = s.random(0, #s.doc.events - 1) })
  end
end

function changes.remove_transition(s)
  local all = s.doc.graph.transitions
  if #all == 0 then return end
  local t = s:pick(all)
  if not t.to or not t.from then return end
  assert(s.doc:remove_transition { from = t.from, to = t.to, event = t.event_id >= 0 and t.event_id or nil })
  return "fewer"
end

function changes.remove_state(s)
  local done, err = s.doc:remove_state(s:pick(s.doc.graph.states))
  if not done then assert(err.message:find "in use", err) end
  return "fewer"
end

local ORDER <const> = {}
for name in pairs(changes) do ORDER[#ORDER + 1] = name end
table.sort(ORDER)

-- Takes back the last steps, which gives the bytes that were there.
local function undo(s)
  local n = s.random(math.min(3, #s.past))
  for _ = 1, n do
    local step = table.remove(s.past)
    if step.changed then assert.is_true(s.doc:undo()) end
    assert.is_true(s.doc:encode() == step.bytes, "undone: " .. step.name)
  end
end

local function step(s, i)
  if #s.past > 0 and s.random(5) == 1 then return undo(s) end
  local name = ORDER[s.random(#ORDER)]
  local before = s.doc:encode()
  local how = changes[name](s)
  local after = s.doc:encode()
  s.past[#s.past + 1] = { bytes = before, name = name, changed = before ~= after }
  if name == "add_state" then s.past = {} end -- several edits
  local label = ("step %d, %s"):format(i, name)
  if before == after then return end
  local was = s.bytes == before and s.graph or graphs.read(before, tables())
  local now = graphs.read(after, tables())
  s.bytes, s.graph = after, now
  if how == "fewer" then
    assert_fewer(was, now, label)
  elseif how ~= "states" then
    assert_kept(was, now, how or {}, label)
  end
  local ok, findings = s.doc:check()
  assert.is_true(ok, label .. ": " .. tostring(not ok and findings[1]))
end

describe("a behavior graph that is changed at random #corpus", function()
  for k, name in ipairs(FILES) do
    it("stays whole: " .. name, function()
      local path = helper.need_corpus("hkx-behavior/" .. name .. ".hkx", pending)
      if not path then return end
      if not tables() then return pending "the reference's classes are not there" end
      local doc <close> = assert(lathe.open(path, { history = 1000 }))
      math.randomseed(k)
      local s = setmetatable({ doc = doc, random = math.random, past = {}, serial = 0 }, Session)
      for i = 1, #doc.objects > 1000 and STEPS_OF_LARGE or STEPS do step(s, i) end
      assert.is_true(doc:serialize() ~= nil)
    end)
  end
end)

describe("what is added to a graph and removed again #corpus", function()
  it("leaves the first bytes", function()
    for _, name in ipairs(FILES) do
      local path = helper.need_corpus("hkx-behavior/" .. name .. ".hkx", pending)
      if not path then return end
      local doc <close> = assert(lathe.open(path))
      local before = doc:encode()
      assert(doc:add_event "NewEvent")
      assert(doc:add_variable("NewVariable", { type = "vector4" }))
      local machine = doc.graph.states[1].machine
      assert(doc:add_state("NewState", { machine = machine, animation = "Animations\\New.hkx" }))
      assert(doc:add_transition { from = "NewState", to = machine.states[1], event = "NewEvent" })
      assert(doc:add_transition { to = "NewState", event = "NewEvent" })
      assert.is_nil(doc:remove_event "NewEvent")
      assert.is_nil(doc:remove_state "NewState")
      assert.equal(1, assert(doc:remove_transition { to = "NewState" }).changed)
      assert(doc:remove_state "NewState")
      assert(doc:remove_variable "NewVariable")
      assert(doc:remove_event "NewEvent")
      assert.is_true(before == doc:encode(), name)
    end
  end)
end)
