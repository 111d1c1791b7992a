--- Animations and skeletons as plain Lua tables, independent of documents.
--
-- A clip is { name =, bones = { names in track order }, fps =, frame_count =, duration =, looping =,
-- samples = buffer of frame_count * #bones rows of 10, each relative to its parent, times = { s of each },
-- annotations = { { time =, text =, track = } }, float_tracks = { slots = {}, samples = buffer } or nil,
-- root_motion = buffer or nil, up = axis of root motion, additive = hint or nil, format =, game =,
-- class =, skeleton = name of the skeleton that it moves, or nil, absolute = true if poses are in model space
-- because there was no skeleton to convert them }.
--
-- A skeleton is { name =, bones = { { name =, parent =, pose = { t =, q =, s = }, made_up = } },
-- float_slots =, up = "y" or "z", metres = }. Names of bones are unique; `made_up` is true if the
-- name is not from the file.
-- @module lathe.export.clip

local core = require "lathe.core"

local clip = {}

local DEFAULT_FPS = 30 -- for a clip of one frame

--- Makes names unique: an item without a name gets its number, from 0, and a duplicate gets its number
-- appended.
-- @tparam {?string,...} list
-- @tparam integer n how many there are
-- @tparam string kind "bone" or "track"
-- @treturn {string,...}
-- @treturn {[integer]=boolean,...} which are made up
function clip.unique(list, n, kind)
  local out, made, used = {}, {}, {}
  for i = 1, n do
    local name = list[i]
    if name and name ~= "" and not used[name] then
      out[i], used[name] = name, true
    else
      made[i] = true
    end
  end
  for i in pairs(made) do
    local base = list[i] and list[i] ~= "" and list[i] or kind
    local name = ("%s %d"):format(base, i - 1)
    while used[name] do name = name .. "'" end
    out[i], used[name] = name, true
  end
  return out, made
end

--- Converts a skeleton of a document to a table; returns a table unchanged.
-- @param skeleton a skeleton, a document (its first one) or a table
-- @treturn ?table nil: the document has none
function clip.skeleton(skeleton)
  if type(skeleton) == "table" then return skeleton end
  if skeleton and core.type(skeleton) ~= "skeleton" then skeleton = skeleton.skeletons[1] end
  if not skeleton then return nil end
  local bones, names = core.totable(skeleton.bones), {}
  for i, bone in ipairs(bones) do names[i] = bone.name end
  local unique, made = clip.unique(names, #bones, "bone")
  for i, bone in ipairs(bones) do bone.name, bone.made_up = unique[i], made[i] end
  local up, metres = skeleton:space()
  local slots = skeleton.float_slots
  return {
    name = skeleton.name, bones = bones, up = up, metres = metres,
    float_slots = slots and table.move(slots, 1, #slots, 1, {}),
  }
end

-- Names of bones by track: those of the skeleton if there is one.
local function bones_of(anim, skeleton)
  local known, names = {}, {}
  for _, bone in ipairs(skeleton and skeleton.bones or {}) do known[bone.name] = true end
  local n = #anim.tracks
  for i = 1, n do
    local track = anim.tracks[i]
    local name, bone = track.bone, skeleton and skeleton.bones[track.bone_index + 1]
    if not (name and known[name]) and bone then name = bone.name end
    names[i] = name
  end
  return (clip.unique(names, n, "track"))
end

local function floats_of(anim)
  if #anim.float_tracks == 0 then return nil end
  local samples, err = anim:decode_floats()
  if not samples then return nil, err end
  local slots = {}
  for i = 1, #anim.float_tracks do
    local track = anim.float_tracks[i]
    slots[i] = track.name or track.slot_index
  end
  return { slots = slots, samples = samples }
end

local function annotations_of(anim)
  local list = {}
  for i, note in ipairs(core.totable(anim.annotations)) do
    list[i] = { time = note.time, text = note.text, track = note.track }
  end
  return list
end

local function times_of(anim)
  local buffer, err = anim:times()
  if not buffer then return nil, err end
  local times = {}
  for i = 1, buffer.rows do times[i] = buffer:at(i, 1) end
  return times
end

local function fps_of(times)
  local n = #times
  local length = n > 1 and times[n] - times[1] or 0
  return length > 0 and (n - 1) / length or DEFAULT_FPS
end

local function record_class(anim)
  return anim.source and core.type(anim.source)
end

-- The skeleton of the caller, else the linked one of the document.
local function rig_of(anim, given)
  local view = given or anim.skeleton
  if core.type(view) and core.type(view) ~= "skeleton" then view = view.skeletons[1] end
  local skeleton = view and clip.skeleton(view)
  if skeleton and rawequal(skeleton, view) then
    view = {}
    for i, bone in ipairs(skeleton.bones) do view[i] = bone.parent end
  end
  return view, skeleton
end

--- Converts an animation to a table.
-- @param anim an animation: `doc.animations[i]`
-- @tparam[opt] table opts `skeleton`: of any document, or a table; `name`
-- @treturn ?table
-- @return why it cannot be read
function clip.of(anim, opts)
  opts = opts or {}
  local view, skeleton = rig_of(anim, opts.skeleton)
  local samples, err = anim:decode(anim.absolute and view and { skeleton = view } or nil)
  if not samples then return nil, err end
  local times, floats
  times, err = times_of(anim)
  if not times then return nil, err end
  floats, err = floats_of(anim)
  if err then return nil, err end
  local hint = anim.blend_hint
  return {
    name = opts.name or anim.name, bones = bones_of(anim, skeleton), samples = samples, times = times,
    fps = fps_of(times), frame_count = anim.frame_count, duration = anim.duration, looping = anim.looping,
    annotations = annotations_of(anim), float_tracks = floats,
    root_motion = anim.root_motion, up = (anim:axes()),
    additive = hint and hint ~= "normal" and hint or nil, class = record_class(anim),
    absolute = anim.absolute and not view or nil, skeleton = skeleton,
  }
end

--- Converts all animations of a document.
-- @param doc
-- @tparam[opt] table opts `skeleton`: of any document, or a table, else the one that the document is linked
--   to, else its own first one; `name`: name of the first one if it has none
-- @treturn ?{table,...}
-- @return why one cannot be read
function clip.all(doc, opts)
  local list = {}
  local first = doc.animations[1]
  local own = opts and opts.skeleton or first and first.skeleton or doc.skeletons[1]
  for i = 1, #doc.animations do
    local anim = doc.animations[i]
    local name = anim.name or opts and opts.name
    if i > 1 and not anim.name and name then name = ("%s %d"):format(name, i) end
    local one, err = clip.of(anim, { skeleton = own, name = name })
    if not one then return nil, err end
    one.format, one.game = doc.format, doc.game
    list[i] = one
  end
  return list
end

return clip
