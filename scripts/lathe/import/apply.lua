--- Writes imported clips and skeletons to documents. Values that an import does not have are kept.
-- @module lathe.import.apply

local core = require "lathe.core"
local errors = require "lathe.errors"
local loss = require "lathe.import.loss"
local matrix = require "lathe.export.matrix"
local order = require "lathe.export.order"
local formats = require "lathe.formats"
local unchanged = require "lathe.import.unchanged"

local apply = {}

local SAME = 1e-5 -- tolerance for root motion and float tracks: rounding by other programs

-- ---- samples --------------------------------------------------------------------------------------

-- Rows in model space, from rows relative to parents.
local function in_model(clip)
  local bones, parents, numbers = clip.skeleton.bones, {}, {}
  for i, bone in ipairs(bones) do numbers[bone.name] = i end
  local track_of = {}
  for i, name in ipairs(clip.bones) do track_of[numbers[name] or 0] = i end
  for i, name in ipairs(clip.bones) do
    local at, seen = numbers[name] and bones[numbers[name]].parent or -1, {}
    while at >= 0 and not track_of[at + 1] and not seen[at] do
      seen[at] = true
      at = bones[at + 1].parent or -1
    end
    parents[i] = at >= 0 and track_of[at + 1] or nil
  end
  return parents, order.parents_first(1, #clip.bones, function(i) return parents[i] end)
end

local function to_model(clip)
  local parents, numbers = in_model(clip)
  if not numbers then return nil, "a bone of the skeleton is its own ancestor" end
  local n, out = #clip.bones, {}
  for frame = 0, clip.frame_count - 1 do
    local places = {}
    for _, i in ipairs(numbers) do
      local r = { clip.samples:row(frame * n + i) }
      local m = matrix.compose { t = { r[1], r[2], r[3] }, q = { table.unpack(r, 4, 7) },
        s = { r[8], r[9], r[10] } }
      places[i] = parents[i] and matrix.mul(places[parents[i]], m) or m
    end
    for i = 1, n do
      local pose = matrix.decompose(places[i])
      if not pose then return nil, ("bone '%s' has no size at frame %d"):format(clip.bones[i], frame) end
      for _, lane in ipairs { pose.t, pose.q, pose.s } do table.move(lane, 1, #lane, #out + 1, out) end
    end
  end
  return core.buffer("f32", n * clip.frame_count, 10, out)
end

-- ---- root motion and float tracks -----------------------------------------------------------------

local function same_rows(a, b)
  if a == nil or b == nil then return a == b end
  if a.rows ~= b.rows then return false end
  for i = 1, a.rows do
    local one, other = { a:row(i) }, { b:row(i) }
    for k, v in ipairs(one) do
      local near = math.abs(v - other[k]) <= SAME * math.max(1, math.abs(v))
      if not near then return false end
    end
  end
  return true
end

local function same_notes(notes, anim)
  if #notes ~= #anim.annotations then return false end
  for i, note in ipairs(notes) do
    local own = anim.annotations[i]
    local same = math.abs(own.time - note.time) < SAME and own.text == note.text and own.track == note.track
    if not same then return false end
  end
  return true
end

local function set_notes(anim, clip, say)
  local notes = clip.annotations
  if not notes or same_notes(notes, anim) then return end
  for i = #anim.annotations, 1, -1 do anim.annotations:remove(i) end
  for _, note in ipairs(notes) do
    if note.time <= clip.duration + SAME then
      local time = math.min(note.time, clip.duration)
      anim.annotations:append { time = time, text = note.text, track = note.track }
    else
      say(("annotation '%s' is after the end and is dropped"):format(note.text))
    end
  end
end

local function set_times(anim, clip)
  local times = anim:times()
  local last = times and times.rows > 1 and times:at(times.rows, 1) - times:at(1, 1) or 0
  local frame = clip.frame_count > 1 and clip.duration / (clip.frame_count - 1) or 0
  if last > 0 and math.abs(last - clip.duration) > 1e-3 * frame then
    return anim:retime { duration = anim.duration * clip.duration / last }
  end
  return true
end

-- ---- clips ----------------------------------------------------------------------------------------

local function options_of(opts, samples)
  return { samples = samples, tolerance = opts.tolerance, quantization = opts.quantization,
    max_frames_per_block = opts.max_frames_per_block }
end

local function loss_of(doc, samples)
  local got = doc.animations[1]:decode()
  return got and got.rows == samples.rows and loss.between(samples, got) or nil
end

-- Writes a clip to the first animation; returns the same as `apply.clip`, without notes.
local function write_into(doc, clip, opts, say)
  local anim = doc.animations[1]
  local samples = clip.samples
  if anim.absolute and clip.skeleton then
    local placed, why = to_model(clip)
    if not placed then return nil, errors.new("invalid", why) end
    samples = placed
  end
  local said, err, kept
  local own = anim:decode()
  if own then samples, kept = unchanged.keep(samples, own, #anim.tracks) end
  local ok, raised = pcall(doc.edit, doc, function()
    said, err = anim:write(options_of(opts, samples))
    if not said then error(err, 0) end
    local timed, wrong = set_times(anim, clip)
    if not timed then error(wrong, 0) end
    set_notes(anim, clip, say)
  end)
  if not ok then return nil, raised end
  return { said = said, unchanged = kept, loss = loss_of(doc, samples) }
end

-- Makes a new file from both if the root motion differs.
local function made_anew(doc, clip, opts)
  local anim = doc.animations[1]
  local bones = {}
  for i = 1, #anim.tracks do bones[i] = anim.tracks[i].bone_index end
  local floats = clip.float_tracks
  if not floats and #anim.float_tracks > 0 and anim.frame_count == clip.frame_count then
    floats = { slots = {}, samples = anim:decode_floats() }
    for i = 1, #anim.float_tracks do floats.slots[i] = anim.float_tracks[i].slot_index end
  end
  local fields = options_of(opts, clip.samples)
  fields.bones, fields.skeleton_name, fields.float_tracks = bones, anim.skeleton_name, floats
  fields.root_motion = clip.root_motion
  fields.annotations = clip.annotations or anim.annotations
  fields.additive = clip.additive ~= nil
  if clip.frame_count > 1 then fields.duration = clip.duration end
  local game = doc.game and doc.game:lower()
  for _, between in ipairs { "-", "" } do
    local ok, made, said = pcall(core.new, doc.format, { game = game:gsub(" ", between), animation = fields })
    if ok and made then return made, said end
  end
  return nil
end

--- Writes a clip to the first animation of a document.
-- @param doc is changed, unless the root motion differs
-- @tparam table clip from `lathe.import`
-- @tparam table opts those of `anim:write`
-- @treturn ?document
-- @return the error; or `said` (the report of `anim:write`), `notes`, `loss` (errors from compression: see
--   `lathe.import.loss`), and `unchanged`: number of unedited tracks, which keep their bytes; nil if the
--   number of frames changed
function apply.clip(doc, clip, opts)
  local anim, notes = doc.animations[1], {}
  local function say(text) notes[#notes + 1] = text end
  local moved = clip.root_motion and not same_rows(clip.root_motion, anim.root_motion)
  if moved and doc.game then
    local made, said = made_anew(doc, clip, opts)
    if made then
      say "the root motion is another one: the file was made anew"
      return made, { said = said, notes = notes, loss = loss_of(made, clip.samples) }
    end
  end
  if moved then say "root motion stays as it was" end
  local floats = clip.float_tracks
  if floats and #anim.float_tracks > 0 and not same_rows(floats.samples, (anim:decode_floats())) then
    say "float tracks stay as they were"
  end
  local done, err = write_into(doc, clip, opts, say)
  if not done then return nil, err end
  done.notes = notes
  return doc, done
end

-- ---- skeletons ------------------------------------------------------------------------------------

local function set_poses(doc, skeleton)
  local set = formats.of(doc.format).set_poses
  if set then
    local ok, why = set(doc, skeleton)
    return ok or error(errors.new("invalid", why, doc.path), 0)
  end
  local bones = doc.skeletons[1].bones
  for i, bone in ipairs(skeleton.bones) do bones[i].pose = bone.pose end
end

--- Sets the poses of a document's skeleton; its bones stay.
-- @param doc is changed
-- @tparam table skeleton from `lathe.import`, with the same bones
-- @treturn ?document
-- @return the error
function apply.skeleton(doc, skeleton)
  local ok, raised = pcall(doc.edit, doc, function() set_poses(doc, skeleton) end)
  if ok then return doc end
  if type(raised) == "table" and raised.code then return nil, raised end
  return nil, errors.new("unsupported", "its bone poses are computed from other data and cannot be set",
    doc.path)
end

--- Makes a new file with a skeleton.
-- @tparam string format
-- @tparam string game
-- @tparam table skeleton
-- @treturn ?document
-- @return the error
function apply.new_skeleton(format, game, skeleton)
  return core.new(format, { game = game, skeleton = {
    name = skeleton.name, bones = skeleton.bones, float_slots = skeleton.float_slots,
  } })
end

return apply
