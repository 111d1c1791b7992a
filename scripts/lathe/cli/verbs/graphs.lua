--- Commands for behavior graphs: their events, variables, states, transitions and clip generators.
-- @module lathe.cli.verbs.graphs

local verb = require "lathe.cli.verbs"

local NO_GRAPH, NONE = "it has no behavior graph", "no file has a behavior graph"
local SKIPPED = "Files without a behavior graph are skipped."

local PATH = ", or its path, such as 'objects[12]'"

local function has_graph(doc)
  return doc.graph ~= nil, NO_GRAPH
end

local function lists_animations(doc)
  return doc.graph ~= nil or #doc.animation_files > 0, "it names no animations"
end

local ABOUT = {
  {
    name = "replace_animation",
    summary = "Play another animation in the place of one.",
    description = [[
Play another animation in the place of one: in the clip generators of behavior graphs, and in the lists of
characters and projects. Files that name no animations are skipped.]],
    takes = lists_animations,
    none = "no file names animations",
    examples = {
      [[lathe replace-animation 'Animations\Walk.hkx' 'Animations\Sneak.hkx' behavior.hkx -o sneak.hkx]],
      "lathe replace-animation Animations/Idle.hkx Animations/Rest.hkx behavior.hkx character.hkx -n",
    },
  },
  {
    name = "add_event",
    summary = "Add an event to behavior graphs.",
    description = "Add an event to behavior graphs. The result line says its id. " .. SKIPPED,
    kinds = { flags = "id" },
    docs = { flags = "A name or number: FLAG_SILENT is 1, FLAG_SYNC_POINT 2. Default: none." },
    examples = {
      "lathe add-event bowStart behavior.hkx -o bowing.hkx",
      "lathe add-event bowStart --flags FLAG_SYNC_POINT Behaviors/ --in-place",
    },
  },
  {
    name = "remove_event",
    summary = "Remove an event of behavior graphs that nothing refers to.",
    description = [[
Remove an event of behavior graphs. An event that something refers to is an error: `lathe uses` lists what
does. Greater ids, and all members that have them, become one less. ]] .. SKIPPED,
    kinds = { name = "id" },
    examples = {
      "lathe remove-event FootLeft behavior.hkx -o smaller.hkx",
      "lathe remove-event 4 behavior.hkx --dry-run",
    },
  },
  {
    name = "add_variable",
    summary = "Add a variable to behavior graphs.",
    description = "Add a variable to behavior graphs. The result line says its id. " .. SKIPPED,
    kinds = { value = "value" },
    examples = {
      "lathe add-variable iMood --type int32 --value 1 behavior.hkx -o moods.hkx",
      "lathe add-variable bIsBowing --type bool --value true Behaviors/ --dry-run",
    },
  },
  {
    name = "remove_variable",
    summary = "Remove a variable of behavior graphs that nothing refers to.",
    description = [[
Remove a variable of behavior graphs, and its value. A variable that something refers to is an error:
`lathe uses --what variables` lists what does. Greater ids, and all members that have them, become one less.
]] .. SKIPPED,
    kinds = { name = "id" },
    examples = {
      "lathe remove-variable Speed behavior.hkx -o smaller.hkx",
      "lathe remove-variable 0 behavior.hkx --dry-run",
    },
  },
  {
    name = "add_state",
    summary = "Add a state to a state machine.",
    description = [[
Add a state to a state machine of behavior graphs. It plays what --generator names, or --animation through a
new clip generator. The result line says its id and where it is. ]] .. SKIPPED,
    kinds = { machine = "record", generator = "record" },
    docs = {
      machine = "Name of the state machine" .. PATH .. ". Default: the one that the graph begins with.",
      generator = "Name of the generator that makes the pose" .. PATH .. ". This or --animation is needed.",
      animation = "Animation that the state plays. A clip generator of the state's name is made for it.",
    },
    examples = {
      [[lathe add-state Bow --animation 'Animations\Bow.hkx' behavior.hkx -o bowing.hkx]],
      "lathe add-state Rest --generator GestureSelector --machine GuardRoot behavior.hkx --dry-run",
    },
  },
  {
    name = "remove_state",
    summary = "Remove a state that no transition enters.",
    description = [[
Remove a state of behavior graphs, with all that it alone leads to. A state that a transition enters is an
error: `lathe uses --what states` lists these. ]] .. SKIPPED,
    kinds = { name = "record" },
    docs = { name = "Name of the state, MACHINE/STATE" .. PATH .. "." },
    examples = {
      "lathe remove-state Bow bowing.hkx -o smaller.hkx",
      "lathe remove-state GuardRoot/Bow bowing.hkx --dry-run",
    },
  },
  {
    name = "add_transition",
    summary = "Let an event lead from one state to another.",
    description = [[
Add a transition to behavior graphs: an event leads from one state to another, or from every state of a
machine. States are named; a name that several machines use is given as MACHINE/STATE. ]] .. SKIPPED,
    kinds = { to = "record", from = "record", event = "id", effect = "record", flags = "id" },
    docs = {
      to = "State that is entered.",
      from = "State that is left. Default: every state of the machine.",
      effect = "Name of the transition effect that blends the states" .. PATH .. ". Default: at once.",
      flags = "A name or number of the member flags of transitions. Default: FLAG_DISABLE_CONDITION, and "
        .. "from every state FLAG_IS_LOCAL_WILDCARD and FLAG_IS_GLOBAL_WILDCARD.",
    },
    examples = {
      "lathe add-transition --from Walk --to Gesture --event gestureStart behavior.hkx -o waving.hkx",
      "lathe add-transition --to Idle --event moveStop --priority 1 behavior.hkx --dry-run",
    },
  },
  {
    name = "remove_transition",
    summary = "Remove transitions between states.",
    description = [[
Remove the transitions of behavior graphs that match all of --to, --from and --event. At least one of them is
needed. ]] .. SKIPPED,
    kinds = { to = "record", from = "record", event = "id" },
    docs = {
      event = "Only those that the event of this name or id triggers.",
    },
    examples = {
      "lathe remove-transition --from Idle --event moveStart behavior.hkx -o still.hkx",
      "lathe remove-transition --to Walk behavior.hkx --dry-run",
    },
  },
  {
    name = "add_clip",
    summary = "Add a clip generator, which plays an animation.",
    description = [[
Add a clip generator, which plays an animation, below a node of behavior graphs: a blender or selector, a
state, or another node that has no generator yet. The result line says where it is. ]] .. SKIPPED,
    kinds = { into = "record", event = "id" },
    docs = {
      into = "Name of the blender, selector, state or other node that it goes into" .. PATH .. ".",
      event = "Name or id of an event that the clip sends.",
      at = "When the clip sends the event. Default: at its start.",
    },
    examples = {
      [[lathe add-clip Bow 'Animations\Bow.hkx' --into GestureSelector behavior.hkx -o bows.hkx]],
      [[lathe add-clip Clap 'Animations\Clap.hkx' --into GestureSelector --mode loop behavior.hkx -n]],
    },
  },
  {
    name = "uses",
    summary = "List what refers to an event, a variable or a state.",
    description = [[
List the members of behavior graphs that refer to an event, a variable or a state, and the expressions that
name it: the path of each, and the type of the object that it is in. ]] .. SKIPPED,
    counts = "use",
    kinds = { name = "id" },
    examples = {
      "lathe uses moveStart behavior.hkx",
      "lathe uses iGesture --what variables Behaviors/",
    },
  },
}

for _, about in ipairs(ABOUT) do
  about.results = { "id", "state", "transition", "clip" }
  about.takes, about.none = about.takes or has_graph, about.none or NONE
end

return verb.commands(ABOUT)
