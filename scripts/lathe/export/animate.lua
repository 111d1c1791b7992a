--- Clips as glTF animations.
-- @module lathe.export.animate

local scene = require "lathe.export.scene"

local animate = {}

local ROW = 40 -- size of a row of samples
local LANES = {
  { path = "translation", name = "t", first = 1, last = 12, type = "VEC3", format = "<fff" },
  { path = "rotation", name = "q", first = 13, last = 28, type = "VEC4", format = "<ffff" },
  { path = "scale", name = "s", first = 29, last = 40, type = "VEC3", format = "<fff" },
}
local NOT_UNIT = 1e-4 -- a rotation with a larger deviation is normalised

local OBJECT = { __jsontype = "object" }
local LIST = { __jsontype = "array" }

local function list(items) return setmetatable(items, LIST) end

-- ---- times ----------------------------------------------------------------------------------------

local function as_f32(v) return (string.unpack("<f", string.pack("<f", v))) end

-- Ascending times, as glTF requires: those of the clip, or evenly spaced ones if they do not ascend.
local function rising(clip)
  local times, rises = {}, true
  for i = 1, clip.frame_count do
    local time = clip.times and clip.times[i] or (i - 1) / clip.fps
    times[i] = time == time and math.abs(time) < 1e30 and as_f32(time) or -1
    rises = rises and times[i] >= 0 and (i == 1 or times[i] > times[i - 1])
  end
  if rises then return times end
  local fps = clip.fps > 0 and clip.fps < math.huge and clip.fps or 30
  for i = 1, clip.frame_count do times[i] = as_f32((i - 1) / fps) end
  return times
end

-- ---- keys -----------------------------------------------------------------------------------------

-- A key in glTF's form; nil if it is not finite.
local function key_of(lane, bytes)
  local a, b, c, d = string.unpack(lane.format, bytes)
  if lane.path ~= "rotation" then
    local sum = a + b + c
    return sum - sum == 0 and bytes or nil
  end
  local square = a * a + b * b + c * c + d * d
  if square - square ~= 0 then return nil end
  if math.abs(square - 1) <= NOT_UNIT then return bytes end
  if square < 1e-30 then return string.pack("<ffff", 0, 0, 0, 1) end
  local length = math.sqrt(square)
  return string.pack("<ffff", a / length, b / length, c / length, d / length)
end

-- The keys of one lane of a track, and whether all are the same; nil and the frame of a value that is not
-- finite.
local function keys_of(samples, lane, track, tracks, frames)
  local keys, still = {}, true
  for frame = 0, frames - 1 do
    local at = (frame * tracks + track) * ROW
    local bytes = samples:sub(at + lane.first, at + lane.last)
    local key = frame > 0 and bytes == keys.raw and keys[frame] or key_of(lane, bytes)
    if not key then return nil, frame end
    keys[frame + 1], keys.raw = key, bytes
    still = still and key == keys[1]
  end
  return keys, still
end

local function is_rest(lane, key, pose)
  local rest = pose[lane.name]
  if key == string.pack(lane.format, table.unpack(rest)) then return true end
  if lane.path ~= "rotation" then
    local a, b, c = string.unpack(lane.format, key)
    return a == as_f32(rest[1]) and b == as_f32(rest[2]) and c == as_f32(rest[3])
  end
  local same, turned = true, true
  local values = { string.unpack(lane.format, key) }
  for i = 1, 4 do
    same = same and values[i] == as_f32(rest[i])
    turned = turned and values[i] == as_f32(-rest[i])
  end
  return same or turned
end

local Writer = {}
Writer.__index = Writer

function Writer:channel(node, lane, keys, still)
  local buffer, count = self.gltf.buffer, still and 1 or #keys
  if still and not self.one then
    self.one = buffer:add({ self.times[1] }, "f", "SCALAR", { bounds = true })
  elseif not still and not self.all then
    self.all = buffer:add(self.times, "f", "SCALAR", { bounds = true })
  end
  local output = buffer:add_bytes(table.concat(keys, "", 1, count), "f", lane.type, count, {})
  table.insert(self.samplers, {
    input = still and self.one or self.all, output = output, interpolation = "LINEAR",
  })
  table.insert(self.channels, { sampler = #self.samplers - 1, target = { node = node, path = lane.path } })
end

-- Adds all lanes of all tracks; nil and the reason if they cannot be written.
function Writer:tracks(clip, armature)
  local samples, frames, tracks = clip.samples:pack(), clip.frame_count, #clip.bones
  for i, name in ipairs(clip.bones) do
    local node = armature.by_name[name]
    for _, lane in ipairs(node and not self.moved[node] and LANES or {}) do
      local keys, still = keys_of(samples, lane, i - 1, tracks, frames)
      if not keys then
        return nil, ("%s of '%s' at frame %d is no finite number"):format(lane.path, scene.utf8(name), still)
      end
      if not (still and is_rest(lane, keys[1], armature.poses[node])) then
        self:channel(node, lane, keys, still)
      end
    end
    if node then self.moved[node] = true end
    if not node then self.unknown[#self.unknown + 1] = name end
  end
  return true
end

-- ---- root motion ----------------------------------------------------------------------------------

-- Adds root motion: x, y, z and an angle about the up axis for each frame, of the node above all bones.
function Writer:motion(clip, node)
  local up, t, q = clip.up or { 0, 0, 1 }, {}, {}
  local still_t, still_q = true, true
  for i = 1, clip.frame_count do
    local x, y, z, angle = clip.root_motion:row(i)
    local sum = x + y + z + angle
    if sum - sum ~= 0 then return nil, ("root motion at frame %d is no finite number"):format(i - 1) end
    local half = math.sin(angle / 2)
    t[i] = string.pack("<fff", x, y, z)
    q[i] = string.pack("<ffff", half * up[1], half * up[2], half * up[3], math.cos(angle / 2))
    still_t, still_q = still_t and t[i] == t[1], still_q and q[i] == q[1]
  end
  self:channel(node, LANES[1], t, still_t)
  self:channel(node, LANES[2], q, still_q)
  return true
end

-- ---- data without a place in glTF -----------------------------------------------------------------

local function floats_of(clip)
  local floats = clip.float_tracks
  if not floats then return nil end
  local out, n = list {}, #floats.slots
  for i, slot in ipairs(floats.slots) do
    local values = list {}
    for frame = 1, clip.frame_count do values[frame] = floats.samples:at((frame - 1) * n + i, 1) end
    out[i] = { name = type(slot) == "string" and scene.utf8(slot) or slot, values = values }
  end
  return out
end

local function extras_of(clip)
  local notes, tracks = list {}, list {}
  for i, note in ipairs(clip.annotations or {}) do
    notes[i] = { time = note.time, text = scene.utf8(note.text), track = note.track }
  end
  for i, name in ipairs(clip.bones) do tracks[i] = scene.utf8(name) end
  return { lathe = {
    format = clip.format, game = clip.game, class = clip.class, duration = clip.duration,
    frame_count = clip.frame_count, fps = clip.fps, looping = clip.looping or false,
    additive = clip.additive, annotations = notes, float_tracks = floats_of(clip), tracks = tracks,
    root_motion = clip.root_motion and { up = list { table.unpack(clip.up or { 0, 0, 1 }) } } or nil,
  } }
end

-- An animation needs at least one channel: if nothing moves, adds one for a bone that stands still.
local function hold_still(writer, armature)
  local node = armature.nodes[1] or armature.root
  local key = string.pack("<fff", table.unpack((armature.poses[node] or { t = { 0, 0, 0 } }).t))
  writer:channel(node, LANES[1], { key }, true)
end

--- Adds a clip.
-- @tparam table gltf
-- @tparam table clip from `lathe.export.clip`
-- @tparam table armature
-- @treturn ?{string,...} names of tracks without a bone
-- @treturn ?string why it cannot be written
function animate.add(gltf, clip, armature)
  local writer = setmetatable({
    gltf = gltf, times = rising(clip), samplers = list {}, channels = list {}, moved = {}, unknown = {},
  }, Writer)
  local fine, why = writer:tracks(clip, armature)
  if fine and clip.root_motion and clip.frame_count > 0 then
    fine, why = writer:motion(clip, armature.motion)
  end
  if not fine then return nil, why end
  if #writer.channels == 0 then
    if #writer.times == 0 then writer.times[1] = 0 end
    hold_still(writer, armature)
  end
  table.insert(gltf.animations, setmetatable({
    name = scene.utf8(clip.name or "clip"), channels = writer.channels, samplers = writer.samplers,
    extras = extras_of(clip),
  }, OBJECT))
  return writer.unknown
end

return animate
