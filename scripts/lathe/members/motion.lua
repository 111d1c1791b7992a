-- Skeletons and animations.

local WHEN = { "when", "lathe.When", "a frame, from 0, perhaps between two; or `{ time = }` in seconds, "
  .. "which is brought into the animation" }
local FILLED = { "buffer?", "lathe.Buffer", "one that an earlier call gave, to be filled again; another size "
  .. "or type is an error" }
local BONES = { "opts?", "{ skeleton?: lathe.AnySkeleton }", "`skeleton`: rows become relative to its bones' "
  .. "parents" }
local WHY_NOT = { "lathe.Error?", "why not" }

-- A field of a skeleton's bone, an animation or a track.
local function of_bone(name, type, doc)
  return { name, type, doc, sandbox = "as is", c = { "lathe_skeleton_bone", "lathe_skeleton_set" } }
end
local function of_clip(name, type, doc)
  return { name, type, doc, sandbox = "as is", c = "lathe_clip_describe" }
end
local function of_float_track(name, type, doc)
  return { name, type, doc, sandbox = "as is", c = "lathe_clip_track" }
end
local function of_annotation(name, type, doc)
  return { name, type, doc, sandbox = "as is", c = { "lathe_annotation_read", "lathe_annotation_set" } }
end

return {
  {
    owner = "skeleton", class = "lathe.Skeleton",
    doc = "A skeleton of any format: `doc.skeletons[i]`.",
    more = [[
Bones are found by number: after a bone came or went in front of it, a bone that you keep is another one.
Float slots are copies: they are as the file was when they were read, and an assignment to them raises. What
is stored is changed in the source. `lathe.totable(skeleton.bones)` gives tables that can be changed, for
instance to sample an animation on other bones.]],
    fields = {
      { "name?", "string", "Its name.", sandbox = "as is", c = "lathe_skeleton_describe" },
      { "bones", "table<integer|string, lathe.Bone>", "Its bones, by number from 1, or by "
        .. "name.", sandbox = "as is",
        c = { "lathe_skeleton_describe", "lathe_skeleton_bone", "lathe_skeleton_find" } },
      { "float_slots?", "string[]", "Names of numbers that are animated beside bones; nil in formats "
        .. "without.", sandbox = "as is", c = "lathe_skeleton_slot" },
      { "source?", "lathe.Document|lathe.Record", "What it was read "
        .. "from.", sandbox = "as is", c = "lathe_list_item" },
    },
    methods = {
      { "space", "The space that the root stands in.",
        returns = {
          { "\"y\"|\"z\"", "what points up" },
          { "number?", "metres of a unit, where they are known" },
        },
        sandbox = "as is", c = "lathe_skeleton_describe" },
    },
  },
  {
    owner = "bone", class = "lathe.Bone",
    doc = "A bone of a skeleton of any format: `skeleton.bones[i]`, or by name: `skeleton.bones[\"NPC "
      .. "Head\"]`.",
    more = [[
Bones are found by number, as the skeleton lists them. What is assigned is stored: `bone.name = "Tail"`,
`bone.pose.t = { 0, 0, 1 }`, `bone.pose.q.w = 1`. Where the format computes its skeletons, the assignment
raises and tells what to change instead. `lathe.totable(skeleton.bones)` gives plain tables.]],
    fields = {
      of_bone("name?", "string", "Its name."),
      of_bone("parent", "integer", "The number of its parent, from 0; -1: a root."),
      of_bone("mirror?", "integer", "The number of the bone on the other side, from 0."),
      of_bone("pose", "lathe.Pose", "Its pose at rest, relative to the parent."),
    },
  },
  {
    owner = "pose", class = "lathe.Pose",
    doc = "The pose of a bone.",
    fields = {
      of_bone("t", "lathe.Vector", "Translation x, y, z."),
      of_bone("q", "lathe.Vector", "Rotation, a quaternion x, y, z, w."),
      of_bone("s", "lathe.Vector", "Scale x, y, z."),
    },
  },
  {
    owner = "vector", class = "lathe.Vector", index = "number",
    doc = "Three or four numbers of a pose, also by number from 1.",
    fields = {
      of_bone("x", "number", "The first number."),
      of_bone("y", "number", "The second number."),
      of_bone("z", "number", "The third number."),
      { "w", "number", "The fourth number.", some = "of rotations", sandbox = "as is",
        c = { "lathe_skeleton_bone", "lathe_skeleton_set" } },
    },
  },
  {
    owner = "animation", class = "lathe.Animation",
    doc = "An animation of any format: `doc.animations[i]`.",
    more = [[
Verbs of the source are methods of the animation: `anim:reverse()`.

Where rows are asked for with a `skeleton`, they are relative to the bones' parents, whatever the file stores;
without one they are as the file has them (`anim.absolute` says how). A skeleton is one of `doc.skeletons`, of
any document and format; a document, which means its first; or a table: `{ bones = { { parent = -1, pose = …
}, … } }`, or just the parents, `{ -1, 0, 1 }`.]],
    fields = {
      of_clip("name?", "string", "Its name."),
      of_clip("duration", "number", "Its length [s]."),
      of_clip("frame_count", "integer", "How many frames it has; they count from 0."),
      of_clip("looping", "boolean", "Whether it repeats."),
      of_clip("absolute", "boolean", "Whether tracks are in the model's space, not relative to their "
        .. "parents."),
      of_clip("blend_hint?", "string", "How it is added to others: \"normal\", \"additive\" …"),
      of_clip("skeleton_name?", "string", "The name of the skeleton that it is for."),
      { "tracks", "table<integer|string, lathe.Track>", "Its tracks, by number from 1, or by a bone's name.",
        sandbox = "as is", c = { "lathe_clip_track", "lathe_clip_find" } },
      { "float_tracks", "table<integer|string, lathe.FloatTrack>", "What is animated beside bones.",
        sandbox = "as is", c = { "lathe_clip_track", "lathe_clip_find" } },
      { "annotations", "lathe.Annotations", "Its annotations, in time order.", sandbox = "as is",
        c = { "lathe_annotation_count", "lathe_annotation_id", "lathe_annotation_read" } },
      { "root_motion?", "lathe.Buffer", "`frame_count` rows of x, y, z and an angle in radians. "
        .. "`anim:extract_root_motion{…}` and `anim:bake_root_motion{…}` take it out of a bone's track, and "
        .. "put it back.", sandbox = "as is", c = "lathe_clip_motion" },
      { "binding?", "lathe.Record", "What binds it to a skeleton.", sandbox = "as is",
        c = "lathe_clip_binding" },
      { "skeleton?", "lathe.Skeleton", "The one that the document is linked to: option `skeleton` of "
        .. "`lathe.open`.", sandbox = "as is", c = "lathe_skeleton_describe" },
      { "source", "lathe.Document|lathe.Record", "What it is a view of; its verbs are methods here, too.",
        sandbox = "as is", c = "lathe_list_item" },
    },
    methods = {
      { "sample", "The pose at some time.",
        params = { WHEN, FILLED, BONES },
        returns = { { "lathe.Buffer?", "a row for each track: translation 3, rotation x y z w, scale "
          .. "3" }, WHY_NOT },
        usage = [[
local pose
for i = 0, anim.frame_count - 1 do pose = anim:sample(i, pose) end]],
        sandbox = "as is", c = "lathe_clip_sample" },
      { "decode", "All poses.",
        params = { FILLED, BONES },
        returns = {
          { "lathe.Buffer?", "frame by frame, a row for each track: translation 3, rotation x y z w, scale "
            .. "3" }, WHY_NOT,
        },
        usage = [[
local poses = assert(anim:decode { skeleton = rig.skeletons[1] })
local x, y, z = poses:row(frame * #anim.tracks + track + 1)  -- both from 0]],
        sandbox = "as is", c = "lathe_clip_decode" },
      { "times", "The times of all frames in seconds from the start: even in most formats, but not in all.",
        returns = { { "lathe.Buffer?", "a row of one number for each frame" }, WHY_NOT },
        usage = "local seconds = anim:times():at(frame + 1, 1)  -- frame from 0",
        sandbox = "as is", c = { "lathe_clip_times", "lathe_clip_frame_at" } },
      { "axes", "The axes of root motion.",
        returns = { { "number[]", "up: the axis that it turns about" }, { "number[]", "forward" } },
        sandbox = "as is", c = "lathe_clip_axes" },
      { "sample_floats", "All float tracks at some time.",
        params = { WHEN, FILLED },
        returns = { { "lathe.Buffer?", "a row of one number for each float track" }, WHY_NOT },
        usage = "local floats = assert(anim:sample_floats(0))",
        sandbox = "as is", c = "lathe_clip_sample" },
      { "decode_floats", "All float tracks at all frames.",
        params = { FILLED },
        returns = { { "lathe.Buffer?", "frame by frame, a row of one number for each float "
          .. "track" }, WHY_NOT },
        usage = "local value = anim:decode_floats():at(frame * #anim.float_tracks + track + 1, 1)  -- both "
          .. "from 0",
        sandbox = "as is", c = "lathe_clip_decode" },
    },
  },
  {
    owner = "track", class = "lathe.Track",
    doc = "A track of an animation, which moves a bone: `anim.tracks[i]`, or by the bone's name.",
    more = [[
An edit of an animation takes its samples once, and keeps them until the outermost edit ends: then they are
encoded, and tracks that it did not touch keep their bytes. So put a loop over frames into one `doc:edit`.]],
    fields = {
      { "bone?", "string", "The name of the bone.", sandbox = "as is", c = "lathe_clip_track" },
      { "bone_index", "integer", "The number of the bone, from 0; -1: "
        .. "none.", sandbox = "as is", c = "lathe_clip_track" },
    },
    methods = {
      { "sample", "Where the bone is at some time.",
        params = { WHEN, BONES },
        returns = {
          { "number[]?", "translation" },
          { "number[]|lathe.Error", "rotation x, y, z, w; or why not" },
          { "number[]?", "scale" },
        },
        usage = "local t, q, s = anim.tracks[1]:sample { time = 0.25 }",
        sandbox = "as is", c = "lathe_clip_sample" },
      { "set", "Gives the bone another pose at one frame. What is left out stays.",
        params = {
          { "when", "lathe.When", "a frame, from 0; or `{ time = }` in seconds, which means the frame "
            .. "nearest to it" },
          { "pose", "{ t?: number[], q?: number[], s?: number[] }", "translation {x, y, z}, rotation {x, y, "
            .. "z, w}, scale {x, y, z}; q gets the length 1" },
        },
        returns = { { "integer?", "the frame" }, WHY_NOT },
        usage = [[
doc:edit(function()
  for frame = 0, anim.frame_count - 1 do anim.tracks[5]:set(frame, { t = { 0, 0, 1 } }) end
end)]],
        sandbox = "as is", c = "lathe_clip_set" },
    },
  },
  {
    owner = "float track", class = "lathe.FloatTrack",
    doc = "A number that is animated beside bones: `anim.float_tracks[i]`, or by its slot's name.",
    fields = {
      of_float_track("name?", "string", "The name of the slot that it drives."),
      of_float_track("slot_index", "integer", "The number of the slot, from 0; -1: none."),
    },
    methods = {
      { "sample", "What it is at some time.",
        params = { { "when", "number|{ time?: number, frame?: number }", "as for a track of a bone" } },
        returns = { { "number?" }, WHY_NOT },
        usage = "local visible = anim.float_tracks[1]:sample { time = 0.25 } > 0.5",
        sandbox = "as is", c = "lathe_clip_sample" },
    },
  },
  {
    owner = "annotation", class = "lathe.Annotation",
    doc = "An annotation of an animation of any format: `anim.annotations[i]`, in time order.",
    more = [[
Annotations are views: what is assigned is stored. A time that passes that of a neighbour puts the annotation
behind it, and it stays the same one.]],
    fields = {
      of_annotation("time", "number", "When it happens, from the start [s]."),
      of_annotation("text", "string", "What it says."),
      of_annotation("track", "integer", "The number of the track that it belongs to, from 0."),
      of_annotation("source?", "lathe.Record", "What it is stored as."),
    },
  },
  {
    owner = "list", class = "lathe.Annotations", index = "lathe.Annotation",
    doc = "The annotations of an animation. Other lists have numbers and names alone.",
    methods = {
      { "append", "Adds an annotation at its place in time order.",
        params = { { "annotation", "{ time: number, text: string, track?: integer }", "`track`: default "
          .. "0" } },
        usage = "anim.annotations:append { time = 0.5, text = \"FootLeft\" }",
        sandbox = "as is", c = "lathe_annotation_add" },
      { "remove", "Removes an annotation.",
        params = { { "i?", "integer", "its number; default: the last one" } },
        sandbox = "as is", c = "lathe_annotation_remove" },
    },
  },
}
