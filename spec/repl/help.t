$ lathe stock.nif wave.hkx crate.solid

# The overview, and words.
lathe> help
Functions of the prompt
  help     (x)               Explains a value, a field, a verb, a function or a topic; ?x is short …
  open     (path, options?)  Opens a file: it is the last of docs, and doc from then on.
  changes  (doc?)            Says what differs from the files, of each changed document or of one.
  undo     (steps?)          Takes back the last edit of doc; undo(docs[2]) of another document.
  redo     (steps?)          Does again what undo took back.
  save     (options?)        Writes each changed document to its own file. The old file stays as FI…
  dump     (x)               Prints all of a value, page by page on a terminal.
  exit     ()                Ends the prompt; so do quit and Ctrl-D.
Try
  doc              the first file; docs are all of them
  ?doc             what it has, and what can be done with it
  doc.<Tab>        its fields; doc:<Tab> its methods and verbs
  doc.FIELD = 2.5  changes a value
Topics, and the name of every field, type, verb and function: help "units", help "friction"
  formats, verbs, prompt, undo, save, scripts, paths, units, errors
lathe> ?"errors"
What an error tells.
  An error names the file, the place and the reason, then the line that was typed, then what the
  field takes. Nothing has changed after an error in a verb or an assignment. Functions that depend
  on files give nil and an error: assert(lathe.open "x") raises it.
    doc:check()     all that is wrong with a document
lathe> help "units"
Units and rotations.
  Numbers have the unit that the file stores; it stands behind them, or in the title of a column.
  Lengths of models are in game units, which for Skyrim and Fallout 4 are about 1.43 cm; Havok's
  collision is in metres. Rotations are quaternions x y z w (column q). The column turn gives the
  same in degrees about x, then y, then z, of axes that stay. Columns show six digits; a single
  value shows all.
lathe> ?undo
undo(steps?)
  Takes back the last edit of doc; undo(docs[2]) of another document.
  example   undo()
  Each assignment and each verb is a step, and so is a loop that assigns; the last 100 can be taken
  back. undo() and redo() act on doc, undo(docs[2]) on another document, undo(3) takes back three
  steps. doc:edit(fn) makes one step of all that a function does, or none if it raises an error.
    changes()     what differs from the file
lathe> help("formats")
The formats that lathe reads and writes.
  hkx       .hkx                Havok packfile: skeletons, animations and other objects
  bphsh     .bphsh              Phive shape: static collision of Switch games
  tagfile   .hkx .tagfile       Havok tagfile: objects of classes that the file describes itself
  nif       .nif .bto .btr .kf  scene of NetImmerse, Gamebryo or the Creation Engine: meshes, mater…
  geometry  .csg .psg           Geometry that precombined meshes share: plain (.psg) or packed (.cs…
  fzx       .fzx                Overgrowth ragdoll volumes
  save      .sav .sav2 .sav3    Overgrowth saved game
  anm       .anm                Overgrowth animation
  solid     .solid              Lugaru model: one textured mesh
  phxbn     .phxbn              Overgrowth skeleton, skin weights and joints
  help "NAME" tells more; so does `lathe formats NAME`, with all fields and verbs.
lathe> help "frction"
nothing is called 'frction'; did you mean 'fraction'?
  topics    formats, verbs, prompt, undo, save, scripts, paths, units, errors
lathe> ? clutter
clutter: name of hkpTypedBroadPhaseHandle.layer
  What kind of thing collides: its bits 0 to 4.
clutter: name of hk_rigid_body.layer
  Collision layer, which tells the kind of object: bits 0 to 4 of filter_info.
clutter: name of hk_body.layer
  Collision layer, which tells the kind of object: the lowest bits of filter_info.
clutter: name of hknpBodyCinfo.layer
  What kind of thing collides: its bits 0 to 6.
clutter: name of hknpBSMaterial.layer
  What kind of thing collides: its bits 0 to 6.
clutter: name of HavokFilter.layer
  Collision layer (Oblivion).
clutter: name of HavokFilter.layer
  Collision layer (Fallout 3).
clutter: name of HavokFilter.layer
  Collision layer (Skyrim).
clutter: name of HavokFilter.layer
  Collision layer (Fallout 4; only in models made for its tools).
lathe> ?hk_body_position
hk_body_position: type of 3 fields
fields
  x  number  First coordinate.
  y  number  Second coordinate.
  z  number  Third coordinate.

# A document and its parts.
lathe> ?docs[3]
solid document crate.solid, 532 bytes
  Lugaru model: one textured mesh.
  game      Lugaru
fields
  vertices   vec3[] [model units]  Vertex positions. Muscle files refer to vertices by number.
  triangles  solid_triangle[]      Counter-clockwise seen from outside in props, clockwise in chara…
  trailing   text                  Bytes behind the model, which the game ignores. Kept as they are.
verbs
  scale            (factor, { what =, mass = })  Multiplies every position.
  bounding_sphere  ()                            The game's bounding sphere: center {x, y, z}, radi…
methods
  save      (path?, opts?)  Writes the document: a temporary file beside the target, flushed, renam…
  encode    ()              The bytes that save would write.
  totable   ()              A plain Lua copy: deep, and without losing a bit.
  close     ()              Closes the document; views of it raise from then on.
  edit      (fn)            Calls a function and takes its changes as one step.
  undo      (steps?)        Takes back the last edit. Needs the option history.
  redo      (steps?)        Does again what undo took back.
  check     (opts?)         Checks everything, also what opening did not have to read.
  get       (path)          What stands at a path.
  set       (path, value)   Sets what stands at a path.
  at        (offset)        What holds a byte of the encoded document.
  describe  (name?)         As lathe.describe, for the document's own record or for a record type b…
  meshes    (opts?)         What is drawn, or what collides, mesh by mesh.
of every document
  format  string   The name of its format.
  path    string   Where it was opened.
  game    string   The game that its file is for.
  size    integer  How many bytes it has when it is encoded.
  more      ?docs[3].FIELD, ?docs[3]:VERB, ?docs[3]:METHOD
  example   docs[3].vertices[1].x = -50
lathe> ?docs[3].vertices
docs[3].vertices: vec3[] [model units]
  Vertex positions. Muscle files refer to vertices by number.
  of        solid documents
  now       8 elements
  unit      model units
  note      elements can be inserted and removed
  stored    96 bytes at 0x4
  example   docs[3].vertices[1]
fields
  x  number  First coordinate.
  y  number  Second coordinate.
  z  number  Third coordinate.
  verbs     docs[3]:scale, docs[3]:bounding_sphere
lathe> ?docs[3].vertices[1]
docs[3].vertices[1]: record vec3 at vertices[1]
fields
  x  number  First coordinate.
  y  number  Second coordinate.
  z  number  Third coordinate.
methods
  totable  ()  A plain Lua copy: deep, and without losing a bit.
  example   docs[3].vertices[1].x = -50
lathe> help(docs[3].vertices[1].x)
docs[3].vertices[1].x: number
  First coordinate.
  of        vec3
  now       -25
  stored    4 bytes at 0x4
  example   docs[3].vertices[1].x = -50
  verbs     docs[3]:scale, docs[3]:bounding_sphere
lathe> ?doc.bodies[1].friction
doc.bodies[1].friction: number
  Coefficient of dynamic friction. Setting it also sets the static one, and both for all bodies that
  share its material row. Stored with 8 significant bits: 0.9 becomes 0.8984375.
  of        hk_body
  now       0.5
  note      computed from other fields; setting it changes those
  example   doc.bodies[1].friction = 1
  verbs     doc.bodies[1]:set, doc:scale, doc:transform, doc:recompute, doc:set_materials,
            doc:set_collision, doc:remove_collision, doc:convert, doc:precombine,
            doc:remove_unused_strings, doc:block
lathe> ?doc.bodies[1].layer
doc.bodies[1].layer: one of 45
  Collision layer, which tells the kind of object: the lowest bits of filter_info.
  of        hk_body
  now       clutter
  one of    unidentified, static, animstatic, transparent, clutter, weapon, projectile, spell,
            biped, trees, props, water, trigger, terrain, trap, noncollidable, cloud_trap, ground,
            portal, debris_small, debris_large, acoustic_space, actor_zone, projectile_zone,
            gas_trap, shell_casing, transparent_small, invisible_wall, transparent_small_anim,
            clutter_large, char_controller, stair_helper, dead_biped, biped_no_cc, avoid_box,
            collision_box, camera_sphere, door_detection, cone_projectile, camera_pick, item_pick,
            line_of_sight, path_pick, spell_explosion, dropping_pick
  note      computed from other fields; setting it changes those
  example   doc.bodies[1].layer = "unidentified"
  verbs     doc.bodies[1]:set, doc:scale, doc:transform, doc:recompute, doc:set_materials,
            doc:set_collision, doc:remove_collision, doc:convert, doc:precombine,
            doc:remove_unused_strings, doc:block
lathe> help doc.bodies[1].material
doc.bodies[1].material: text
  Collision material, by name or number; nil if there are several. Setting it sets it for all shapes
  and triangles of the body.
  of        hk_body
  now       "wood"
  one of    axe1hand, materialplasticbin, materialmetalvertibirdchassissmall, materialsoccerball,
            metal, broken stone … (232 names that games know; type = " and Tab for them), or another
  note      computed from other fields; setting it changes those
  example   doc.bodies[1].material = "axe1hand"
  verbs     doc.bodies[1]:set, doc:scale, doc:transform, doc:recompute, doc:set_materials,
            doc:set_collision, doc:remove_collision, doc:convert, doc:precombine,
            doc:remove_unused_strings, doc:block
lathe> ?doc.blocks[1].flags
doc.blocks[1].flags: flags
  Usually 14; 526 in precombined shapes, 0x8000E in static roots of Skyrim.
  of        BSFadeNode
  now       14 (selective_update, selective_update_transforms, selective_update_controller)
  range     0 to 4294967295
  flags     bits: hidden, selective_update, selective_update_transforms,
            selective_update_controller, selective_update_rigid, display_object, disable_sorting,
            selective_update_transforms_override, save_external_geometry_data, no_decals,
            always_draw, mesh_lod, fixed_bound, top_fade_node, ignore_fade, no_anim_sync_x,
            no_anim_sync_y, no_anim_sync_z, no_anim_sync_s
  stored    4 bytes at 0x148
  example   doc.blocks[1].flags = 15
  verbs     doc:scale, doc:transform, doc:recompute, doc:set_materials, doc:set_collision,
            doc:remove_collision, doc:convert, doc:precombine, doc:remove_unused_strings, doc:block
lathe> ?doc.format
doc.format: string
  The name of its format.
  now       "nif"
  example   doc.format
lathe> ?docs[2].animations
docs[2].animations: 1 animation, by number from 1
  Its animations.
fields of an element, such as docs[2].animations[1]
  name           string           Its name.
  duration       number           Its length [s].
  frame_count    integer          How many frames it has; they count from 0.
  looping        boolean          Whether it repeats.
  absolute       boolean          Whether tracks are in the model's space, not relative to their pa…
  blend_hint     string           How it is added to others: "normal", "additive" …
  skeleton_name  string           The name of the skeleton that it is for.
  tracks         Track[]          Its tracks, by number from 1, or by a bone's name.
  float_tracks   FloatTrack[]     What is animated beside bones.
  annotations    Annotations      Its annotations, in time order.
  root_motion    Buffer           frame_count rows of x, y, z and an angle in radians. anim:extract…
  binding        Record           What binds it to a skeleton.
  skeleton       Skeleton         The one that the document is linked to: option skeleton of lathe.…
  source         Document|Record  What it is a view of; its verbs are methods here, too.
verbs of an element
  retime               { speed =, duration =, fps = }     Faster or slower, by one of speed, durati…
  rename               (from, to)                         Renames annotations whose whole text matc…
  trim                 (t0, t1)                           Keeps the part between two times, counted…
  reverse              ()                                 Plays the animation backwards; root motio…
  resample             (fps)                              Makes evenly spaced key frames, as near t…
  concat               (other)                            Appends another animation of the same bon…
  mirror               { skeleton =, pairs =, axis = }    Swaps left and right in poses, root motio…
  extract_root_motion  { bone =, vertical =, turn =, sk…  Moves movement in the ground plane from a…
  bake_root_motion     { bone =, skeleton = }             Moves root motion back into a bone's trac…
  additive             { against =, pose =, frame =, sk…  Makes the animation additive: reference^-…
  normal               { against =, pose =, frame =, sk…  Makes an additive animation normal: refer…
  retarget             (to, map, { from = })              Converts to another skeleton, matching bo…
  offset               (bone, t, q, { space =, skeleton…  Moves and turns a bone in all frames, and…
  loop                 (frames)                           Makes the last frame equal the first one …
  blend                (other, weight)                    Blends with another animation, which is s…
  encode               (samples, { tolerance =, quantiz…  Compresses all poses again. The report ha…
  write                (samples, { tolerance =, quantiz…  Replaces the poses. Tracks whose poses do…
  example   docs[2].animations[1]
lathe> anim = docs[2].animations[1]
lathe> ?anim.annotations
anim.annotations: 1 annotation, by number from 1
  Its annotations, in time order.
fields of an element, such as anim.annotations[1]
  time    number   When it happens, from the start [s].
  text    string   What it says.
  track   integer  The number of the track that it belongs to, from 0.
  source  Record   What it is stored as.
methods
  append  (annotation)  Adds an annotation at its place in time order.
  remove  (i?)          Removes an annotation.
  example   anim.annotations[1]
lathe> ?anim.tracks[1]
anim.tracks[1]: track 1: bone 0
  A track of an animation, which moves a bone: anim.tracks[i], or by the bone's name.
  An edit of an animation takes its samples once, and keeps them until the outermost edit ends: then
  they are encoded, and tracks that it did not touch keep their bytes. So put a loop over frames
  into one doc:edit.
fields
  bone        string   The name of the bone.
  bone_index  integer  The number of the bone, from 0; -1: none.
methods
  sample  (when, opts?)  Where the bone is at some time.
  set     (when, pose)   Gives the bone another pose at one frame. What is left out stays.
  example   anim.tracks[1].bone_index

# Verbs, methods and functions.
lathe> ?anim:retime
anim:retime { speed =, duration =, fps = }
  Faster or slower, by one of speed, duration, fps. Frames, annotations and root motion move along;
  no spline is touched.
  speed     number [ratio]. Times as fast.
  duration  number [s]. How long it shall last.
  fps       number [frames/s]. So many frames a second: the same frames, at other times.
  gives     a report with the number changed and what was skipped, or nil and an error, after which
            nothing has changed; undo() takes it back
  example   anim:retime({ speed = 2 })
lathe> ?docs[3]:scale
docs[3]:scale(factor, { what =, mass = })
  Multiplies every position.
  factor    number or list of three, needed. Factor for all lengths: 2 doubles them. A list of
            three, for x, y and z, works for collision only, and not for all shapes.
  what      all | collision | geometry | skeleton | animation. What is scaled. A file that holds
            none of it stays as it is. Default: all.
  mass      density | keep. density: mass grows with volume, so twice the size is eight times the
            mass. keep: mass stays. Default: density.
  gives     a report with the number changed and what was skipped, or nil and an error, after which
            nothing has changed; undo() takes it back
  example   docs[3]:scale(2)
lathe> ?doc:undo
doc:undo(steps?)
  Takes back the last edit. Needs the option history.
  steps     integer. default: 1
  gives     boolean (whether there were that many)
lathe> ?lathe.open
lathe.open(path, opts?)
  Opens a file.
  The content tells the format where it can, else the extension does. A file that is compressed with
  zstd is opened as what it holds; its extension is the one in front of ".zs" or ".zst". It stays
  compressed, and lathe.span, doc:at and the offsets in errors count bytes of what it holds. limit
  applies to that, too; without it, it may be 1,000 times as large as the file, or 64 MB.
  path      string
  opts      Options. options by name
  gives     Document?, Error? (why not)
  example   local doc = assert(lathe.open(path, { history = 10 }))
lathe> ?lathe.material_names()
lathe.material_names(): a table
lathe> help(lathe.path)
lathe.path(view, field?)
  The path of a view, or of a field or element in it: each place has one path, however it was
  reached.
  view      Document|Record|Array
  field     string|integer. the name of a field of it, or the number of an element
  gives     string ("" for a document)
  example   print(lathe.path(doc.triangles[3], "a"))  --> triangles[3].a
lathe> ?math.sin
math.sin: a function of Lua or of yours

# What is not there.
lathe> ?dco.bodies
there is no 'dco'; did you mean 'doc'?
lathe> ?doc.bodis
doc has no 'bodis'; did you mean 'bodies'?
lathe> ?doc.bodies[9].friction
doc.bodies has 1 element: there is no doc.bodies[9]
lathe> ?doc.bodies[1].frction
doc.bodies[1] has no 'frction'; did you mean 'friction'?
lathe> ?)
error: unexpected symbol near ')'
  in: ?)
lathe> help(5)
5: a number (5)
lathe> for i = 1, 1 do help(anim.tracks[1]) end
x: track 1: bone 0
  A track of an animation, which moves a bone: anim.tracks[i], or by the bone's name.
  An edit of an animation takes its samples once, and keeps them until the outermost edit ends: then
  they are encoded, and tracks that it did not touch keep their bytes. So put a loop over frames
  into one doc:edit.
fields
  bone        string   The name of the bone.
  bone_index  integer  The number of the bone, from 0; -1: none.
methods
  sample  (when, opts?)  Where the bone is at some time.
  set     (when, pose)   Gives the bone another pose at one frame. What is left out stays.
  example   x.bone_index

# Help changes nothing.
lathe> doc.modified, docs[2].modified, docs[3].modified
false
false
false
lathe> doc.bodies[1].mass = 5
lathe> undo
undone
lathe> ?doc.bodies[1].mass
doc.bodies[1].mass: number [kg]
  Mass of a dynamic body. Setting it scales inertia and density.
  of        hk_body
  now       12 kg
  unit      kg
  note      computed from other fields; setting it changes those
  example   doc.bodies[1].mass = 24
  verbs     doc.bodies[1]:set, doc:scale, doc:transform, doc:recompute, doc:set_materials,
            doc:set_collision, doc:remove_collision, doc:convert, doc:precombine,
            doc:remove_unused_strings, doc:block
lathe> redo
redone
lathe> help = 3
lathe> help
3
