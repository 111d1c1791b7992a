# What a behavior graph holds.
$ cp examples/behavior.hkx examples/character.hkx . && lathe info behavior.hkx
behavior.hkx
  format     hkx: Havok packfile: skeletons, animations and other objects
  game       Skyrim SE
  size       5056 bytes
  objects    20 objects, all described
  graph      "Guard.hkb": 1 state machine, 3 states, 4 transitions, 4 clips
  events     5: moveStart, moveStop, gestureStart, gestureStop, FootLeft
  variables  2: Speed, iGesture
  machine GuardRoot, 3 states
    from every state
      --gestureStart--> Gesture
    2 Gesture: hkbManualSelectorGenerator GestureSelector, 2 generators
      --gestureStop--> Idle
      clip Wave plays Animations\Wave.hkx
      clip Nod plays Animations\Nod.hkx
    0 Idle (start): plays Animations\Idle.hkx
      --moveStart--> Walk
    1 Walk: plays Animations\Walk.hkx
      --moveStop--> Idle
$ lathe info --machine GuardRoot behavior.hkx | tail -n +9
  machine GuardRoot, 3 states
    from every state
      --gestureStart--> Gesture
    2 Gesture: hkbManualSelectorGenerator GestureSelector, 2 generators
      --gestureStop--> Idle
      clip Wave plays Animations\Wave.hkx
      clip Nod plays Animations\Nod.hkx
    0 Idle (start): plays Animations\Idle.hkx
      --moveStart--> Walk
    1 Walk: plays Animations\Walk.hkx
      --moveStop--> Idle
$ lathe info --machine GuardRot behavior.hkx
lathe: behavior.hkx: the graph has no state machine 'GuardRot'; did you mean 'GuardRoot'?
[exit 1]
$ lathe info --machine GuardRoot character.hkx tri.solid
lathe: character.hkx: it has no behavior graph
lathe: tri.solid: it has no behavior graph
[exit 1]
$ lathe info --full behavior.hkx | tail -n +3
  game                                  Skyrim SE
  size                                  5056 bytes
  user_tag                              0
  file_version                          8
  pointer_size                          8 bytes
  little_endian                         true
  reuse_padding                         false
  empty_base                            true
  contents_version                      "hk_2010.2.0-r1"
  flags                                 0
  max_predicate                         -1
  class_names                           hkClassName[16]
  root                                  -> hkRootLevelContainer objects[1]
    named_variants[1]                   "hkbBehaviorGraph" -> hkbBehaviorGraph objects[2]
  objects                               20 objects, all described
    hkRootLevelContainer                1
    hkbBehaviorGraph                    1
    hkbStateMachine                     1
    hkbStateMachineStateInfo            3
    hkbStateMachineTransitionInfoArray  4
    hkbManualSelectorGenerator          1
    hkbVariableBindingSet               1
    hkbClipGenerator                    4
    hkbClipTriggerArray                 1
    hkbBehaviorGraphData                1
    hkbVariableValueSet                 1
    hkbBehaviorGraphStringData          1
  graph                                 "Guard.hkb": 1 state machine, 3 states, 4 transitions, 4 clips
  events                                5: moveStart, moveStop, gestureStart, gestureStop, FootLeft
  variables                             2: Speed, iGesture
  machine GuardRoot, 3 states
    from every state
      --gestureStart--> Gesture
    2 Gesture: hkbManualSelectorGenerator GestureSelector, 2 generators
      --gestureStop--> Idle
      clip Wave plays Animations\Wave.hkx
      clip Nod plays Animations\Nod.hkx
    0 Idle (start): plays Animations\Idle.hkx
      --moveStart--> Walk
    1 Walk: plays Animations\Walk.hkx
      --moveStop--> Idle
$ lathe info character.hkx | tail -n 5
    hkbCharacterStringData  1
  character                 "Guard" objects[4]
    rig_name                skeleton.hkx
    behavior_filename       Behaviors\behavior.hkx
  animation_files           4: Animations\Idle.hkx, Animations\Walk.hkx, Animations\Wave.hkx, Anima…
$ lathe info --json --machine GuardRoot behavior.hkx | grep -o '"graph".*'
"graph":{"name":"Guard.hkb","path":"objects[2]","events":["moveStart","moveStop","gestureStart","gestureStop","FootLeft"],"variables":["Speed","iGesture"],"states":3,"transitions":4,"clips":4,"root":"objects[3]","nodes":[{"type":"hkbStateMachine","name":"GuardRoot","path":"objects[3]","start_state_id":0,"transitions":[{"event":"gestureStart","to":"Gesture"}],"states":[{"id":2,"name":"Gesture","path":"objects[4]","generator":"objects[6]","transitions":[{"event":"gestureStop","to":"Idle"}]},{"id":0,"name":"Idle","path":"objects[11]","generator":"objects[13]","transitions":[{"event":"moveStart","to":"Walk"}]},{"id":1,"name":"Walk","path":"objects[14]","generator":"objects[16]","transitions":[{"event":"moveStop","to":"Idle"}]}]},{"type":"hkbManualSelectorGenerator","name":"GestureSelector","path":"objects[6]","children":["objects[8]","objects[9]"]},{"type":"hkbClipGenerator","name":"Idle","path":"objects[13]","animation":"Animations\\Idle.hkx"},{"type":"hkbClipGenerator","name":"Walk","path":"objects[16]","animation":"Animations\\Walk.hkx"},{"type":"hkbClipGenerator","name":"Wave","path":"objects[8]","animation":"Animations\\Wave.hkx"},{"type":"hkbClipGenerator","name":"Nod","path":"objects[9]","animation":"Animations\\Nod.hkx"}]}}
$ lathe info --json character.hkx | grep -o '"character".*'
"character":{"kind":"character","name":"Guard","path":"objects[4]","files":[{"name":"rig_name","files":["skeleton.hkx"]},{"name":"behavior_filename","files":["Behaviors\\behavior.hkx"]}],"animations":4}}
