# Events.
$ cp examples/behavior.hkx examples/character.hkx . && lathe add-event bowStart behavior.hkx -o bow.hkx
behavior.hkx: 1 change, id 5 -> bow.hkx
$ lathe get bow.hkx 'events["bowStart"].id'
5
$ lathe diff behavior.hkx bow.hkx
objects[18].event_infos[6]: added hkbEventInfo
objects[20].event_names[6]: added "bowStart"
[exit 1]
$ lathe remove-event bowStart bow.hkx -o back.hkx && cmp behavior.hkx back.hkx
bow.hkx: 1 change -> back.hkx
$ lathe add-event bowStart --flags FLAG_SILENT behavior.hkx --dry-run
behavior.hkx: would change (1 change, id 5, 2 values differ)
  objects[18].event_infos[6]: added hkbEventInfo
  objects[20].event_names[6]: added "bowStart"
$ lathe add-event bowStart behavior.hkx --dry-run --json
{"file":"behavior.hkx","ok":true,"report":{"changed":1,"skipped":[],"id":5},"changes":[{"path":"objects[18].event_infos[6]","length":5,"added":{"flags":0}},{"path":"objects[20].event_names[6]","length":5,"added":"bowStart"}]}
$ lathe add-event moveStart behavior.hkx -n
lathe: behavior.hkx: there is an event 'moveStart' already
[exit 1]
$ lathe add-event bowStart --flags FLAG_LOUD behavior.hkx -n
lathe: behavior.hkx: objects[18].event_infos[6].flags at 0xf84: no Flags is called 'FLAG_LOUD': FLAG_SILENT, FLAG_SYNC_POINT (hkbBehaviorGraphData)
[exit 1]
$ lathe remove-event moveStart behavior.hkx -n
lathe: behavior.hkx: it is in use: objects[12].transitions[1].event_id
[exit 1]
$ lathe remove-event moveStrat behavior.hkx -n
lathe: behavior.hkx: the graph has no event 'moveStrat'; did you mean 'moveStart'?
[exit 1]
$ lathe remove-event 5 behavior.hkx -n
lathe: behavior.hkx: no id 5: the graph has 5 events, from 0
[exit 1]
$ lathe remove-event 4 behavior.hkx -n
behavior.hkx: would change (1 change, 2 values differ)
  objects[18].event_infos[5]: removed hkbEventInfo
  objects[20].event_names[5]: removed "FootLeft"
$ lathe rename moveStart walkStart --what events behavior.hkx -n
behavior.hkx: would change (1 change)
  objects[20].event_names[1]: "moveStart" -> "walkStart"
$ lathe rename --from moveStart --to=walkStart --what events behavior.hkx -n
behavior.hkx: would change (1 change)
  objects[20].event_names[1]: "moveStart" -> "walkStart"
$ lathe rename --from moveStart --what events behavior.hkx -n
lathe rename: --to <text> is missing
[exit 2]
$ lathe rename moveStart moveStop --what events behavior.hkx -n
lathe: behavior.hkx: there is an event 'moveStop' already
[exit 1]
$ lathe rename moveStart walkStart behavior.hkx -n
lathe: behavior.hkx: --what is needed: events, variables or states
[exit 1]
$ lathe rename moveStart walkStart --what steps behavior.hkx -n
lathe rename: argument for option '--what' must be one of 'events', 'variables', 'states', 'annotations', 'all', 'bones', 'labels', 'keys'
[exit 2]
$ lathe rename moveStart walkStart --what labels behavior.hkx -n
lathe: behavior.hkx: --what is one of events, variables, states, annotations
[exit 1]

# Variables.
$ lathe add-variable Mood --value=-0.5 behavior.hkx -n
behavior.hkx: would change (1 change, id 2, 3 values differ)
  objects[18].variable_infos[3]: added hkbVariableInfo
  objects[19].word_variable_values[3]: added hkbVariableValue
  objects[20].variable_names[3]: added "Mood"
$ lathe add-variable Mood --value -0.5 behavior.hkx -n
lathe add-variable: write --value=-0.5
[exit 2]
$ lathe add-variable bMood --type bool --value true behavior.hkx -n
behavior.hkx: would change (1 change, id 2, 3 values differ)
  objects[18].variable_infos[3]: added hkbVariableInfo
  objects[19].word_variable_values[3]: added hkbVariableValue
  objects[20].variable_names[3]: added "bMood"
$ lathe add-variable bMood --type bool --value maybe behavior.hkx -n
lathe add-variable: a number, true or false expected, got 'maybe'
[exit 2]
$ lathe add-variable bMood --type boolean behavior.hkx -n
lathe add-variable: argument for option '--type' must be one of 'bool', 'int8', 'int16', 'int32', 'real', 'vector3', 'vector4', 'quaternion'
[exit 2]
$ lathe remove-variable iGesture behavior.hkx -n
lathe: behavior.hkx: it is in use: objects[7].bindings[1].variable_index
[exit 1]
$ lathe remove-variable Speed behavior.hkx -n
behavior.hkx: would change (1 change, 4 values differ)
  objects[7].bindings[1].variable_index: 1 -> 0
  objects[18].variable_infos[1]: removed hkbVariableInfo
  objects[19].word_variable_values[2]: removed hkbVariableValue
  objects[20].variable_names[1]: removed "Speed"

# States, transitions, clips.
$ lathe add-state Bow --animation 'Animations\Bow.hkx' behavior.hkx -o bow.hkx
behavior.hkx: 1 change, id 3, state objects[22] -> bow.hkx
$ lathe add-transition --from Idle --to Bow --event gestureStart bow.hkx --in-place --no-backup
bow.hkx: 1 change, transition objects[12].transitions[2]
$ lathe info bow.hkx | grep -A 3 Bow
      --gestureStart--> Bow
    1 Walk: plays Animations\Walk.hkx
      --moveStop--> Idle
    3 Bow: plays Animations\Bow.hkx
$ lathe remove-state Bow bow.hkx -n
lathe: bow.hkx: it is in use: objects[12].transitions[2].to_state_id
[exit 1]
$ lathe uses Bow --what states bow.hkx
bow.hkx: 1 use
  objects[12].transitions[2].to_state_id  hkbStateMachineTransitionInfoArray
$ lathe remove-transition --to Bow bow.hkx --in-place --no-backup && lathe remove-state GuardRoot/Bow bow.hkx -o back.hkx
bow.hkx: 1 transition
bow.hkx: 1 change -> back.hkx
$ lathe diff behavior.hkx back.hkx
$ lathe add-state Rest --generator GestureSelector --machine GuardRoot --id 9 behavior.hkx -n
behavior.hkx: would change (1 change, id 9, state objects[21], 2 values differ)
  objects[21]: added hkbStateMachineStateInfo
  objects[3].states[4]: added objects[21]
$ lathe add-state Rest --generator 'objects[6]' --machine 'objects[3]' behavior.hkx -n
behavior.hkx: would change (1 change, id 3, state objects[21], 2 values differ)
  objects[21]: added hkbStateMachineStateInfo
  objects[3].states[4]: added objects[21]
$ lathe add-state Rest --generator 'objects[60]' behavior.hkx -n
lathe: behavior.hkx: --generator: no hkbGenerator is named 'objects[60]'
[exit 1]
$ lathe add-state Rest behavior.hkx -n
lathe: behavior.hkx: one of --generator and --animation is needed
[exit 1]
$ lathe add-state Rest --generator Gesture behavior.hkx -n
lathe: behavior.hkx: --generator: no hkbGenerator is named 'Gesture'
[exit 1]
$ lathe add-state Idle --animation a behavior.hkx -n
lathe: behavior.hkx: there is a state 'Idle' already
[exit 1]
$ lathe add-transition --to Idle behavior.hkx -n
lathe add-transition: --event <name> is missing
[exit 2]
$ lathe add-transition --to Idel --event moveStop behavior.hkx -n
lathe: behavior.hkx: the graph has no state 'Idel'; did you mean 'Idle'?
[exit 1]
$ lathe add-transition --to Idle --event moveStop --effect Slow behavior.hkx -n
lathe: behavior.hkx: --effect: no hkbTransitionEffect is named 'Slow'
[exit 1]
$ lathe remove-transition behavior.hkx -n
lathe: behavior.hkx: one of --from, --to and --event is needed
[exit 1]
$ lathe remove-transition --event moveStop behavior.hkx -o still.hkx
behavior.hkx: 1 transition -> still.hkx
$ lathe remove-transition --event moveStop still.hkx -n
still.hkx: unchanged
  note: nothing to do: no value of the file would change
$ lathe add-clip Bow 'Animations\Bow.hkx' --into GestureSelector --event gestureStop --at 2 --speed 0.5 behavior.hkx -n
behavior.hkx: would change (1 change, clip objects[21], 3 values differ)
  objects[21]: added hkbClipGenerator
  objects[22]: added hkbClipTriggerArray
  objects[6].generators[3]: added objects[21]
$ lathe add-clip Bow 'Animations\Bow.hkx' behavior.hkx -n
lathe add-clip: --into <name> is missing
[exit 2]
$ lathe add-clip Wave 'Animations\Bow.hkx' --into GestureSelector behavior.hkx -n
lathe: behavior.hkx: there is a node 'Wave' already
[exit 1]
$ lathe add-clip Bow 'Animations\Bow.hkx' --into Walk behavior.hkx -n
lathe: behavior.hkx: --into: 2 objects derived from hkbBindable are named 'Walk': give its path, such as 'objects[2]'
[exit 1]
$ lathe replace-animation Animations/walk.hkx 'Animations\Sneak.hkx' behavior.hkx character.hkx -n
behavior.hkx: would change (1 name, 1 value differs)
  objects[16].animation_name: "Animations\\Walk.hkx" -> "Animations\\Sneak.hkx"
character.hkx: would change (1 name, 1 value differs)
  objects[4].animation_names[2]: "Animations\\Walk.hkx" -> "Animations\\Sneak.hkx"
2 would change, 0 unchanged, 0 failed
$ lathe replace-animation 'Animations\Wlak.hkx' 'Animations\Sneak.hkx' behavior.hkx -n
behavior.hkx: unchanged
  note: no clip or character names the animation 'Animations\Wlak.hkx'; did you mean 'Animations\Walk.hkx'?

# What refers to something.
$ lathe uses gestureStop behavior.hkx
behavior.hkx: 2 uses
  objects[5].transitions[1].event_id  hkbStateMachineTransitionInfoArray
  objects[10].triggers[1].event.id  hkbClipTriggerArray
$ lathe uses 3 behavior.hkx --json
{"file":"behavior.hkx","ok":true,"uses":["objects[5].transitions[1].event_id","objects[10].triggers[1].event.id"]}
$ lathe uses iGesture --what variables behavior.hkx
behavior.hkx: 1 use
  objects[7].bindings[1].variable_index  hkbVariableBindingSet
$ lathe uses Speed --what variables behavior.hkx
behavior.hkx: 0 uses
$ lathe uses speed --what variables behavior.hkx
lathe: behavior.hkx: the graph has no variable 'speed'; did you mean 'Speed'?
[exit 1]

# Other files.
$ lathe add-event bowStart character.hkx tri.solid behavior.hkx -n
character.hkx: skipped: it has no behavior graph
tri.solid: skipped: solid files have no add-event
behavior.hkx: would change (1 change, id 5, 2 values differ)
  objects[18].event_infos[6]: added hkbEventInfo
  objects[20].event_names[6]: added "bowStart"
1 would change, 0 unchanged, 2 skipped, 0 failed
  1 skipped: it has no behavior graph
  1 skipped: solid files have no add-event
$ lathe add-event bowStart character.hkx tri.solid -n
character.hkx: skipped: it has no behavior graph
tri.solid: skipped: solid files have no add-event
0 would change, 0 unchanged, 2 skipped, 0 failed
  1 skipped: it has no behavior graph
  1 skipped: solid files have no add-event
lathe add-event: no file has a behavior graph
$ lathe uses moveStart clip.hkx
clip.hkx: skipped: it has no behavior graph
lathe uses: no file has a behavior graph
$ lathe rename a b --what events clip.hkx -n
clip.hkx: skipped: it has no behavior graph
lathe rename: no file has such names
$ lathe replace-animation a b clip.hkx -n
clip.hkx: skipped: it names no animations
lathe replace-animation: no file names animations
$ lathe add-event behavior.hkx
lathe add-event: --name <text> is missing
[exit 2]
$ lathe add-event
lathe add-event: missing argument 'files'
[exit 2]
$ lathe add-event bowStart behavior.hkx
lathe add-event: say where to write: -o OUT or --in-place (or look first with --dry-run)
[exit 2]
