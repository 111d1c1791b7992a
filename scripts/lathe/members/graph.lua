-- Behavior graphs.

local C = { "lathe_list_count", "lathe_list_item", "lathe_list_find" }
local NAMED = "table<integer|string, lathe.Record>"

return {
  {
    owner = "graph", class = "lathe.Graph",
    doc = "The behavior graph of a document: `doc.graph`.",
    more = [[
Events and variables have the numbers that the file stores, from 0: `graph.events[0]`, and `ipairs` begins
with the second one. All other lists begin with 1. Items are found by name, too:
`graph.events["weaponSwing"]`; a state whose name several machines use as `graph.states["machine/state"]`. A
name that nothing has raises, with the nearest one. Transitions have no names.]],
    fields = {
      { "name?", "string", "Its name.", sandbox = "as is", c = "lathe_list_name" },
      { "source", "lathe.Record", "The record that it was read from.", sandbox = "as is",
        c = "lathe_list_item" },
      { "states", NAMED, "The states of all state machines, machine after machine. Their field `machine` is "
        .. "the machine.", sandbox = "as is", c = C },
      { "transitions", "lathe.Record[]", "The transitions, machine after machine, those from every state "
        .. "first; transitions that several states share come once. Their fields `event`, `from`, `to` and "
        .. "`machine` say where they lead; `from` is nil for those from every state.", sandbox = "as is",
        c = C },
      { "events", NAMED, "The events: `id`, `name`, `source`.", sandbox = "as is", c = C },
      { "variables", NAMED, "The variables: `id`, `name`, `type`, `value`, `object`, `source`.",
        sandbox = "as is", c = C },
      { "clips", NAMED, "The clip generators; `animation_name` is the file that they play.",
        sandbox = "as is", c = C },
    },
  },
}
