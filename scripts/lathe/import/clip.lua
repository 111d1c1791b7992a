--- Reads clips and skeletons of glTF files, in the form of `lathe.export.clip`.
-- @module lathe.import.clip

local core = require "lathe.core"
local fail = require "lathe.import.fail"
local glb = require "lathe.import.glb"
local json = require "lathe.import.json"
local matrix = require "lathe.export.matrix"
local nodes = require "lathe.import.nodes"
local rig = require "lathe.import.rig"
local samplers = require "lathe.import.samplers"
local scene = require "lathe.export.scene"
local told = require "lathe.import.told"

local clip = {}

local LANES = { translation = "t", rotation = "q", scale = "s" }
local CLOSE = 1e-3 -- fraction of a frame
local MOST_FRAMES = 1 << 20
local DEFAULT_FPS = 30

-- ---- channels -------------------------------------------------------------------------------------

local function read_channel(file, animation, channel, all, out, where)
  local target = json.table(channel, "target", where)
  if not target then fail.at(where, "it has no target") end
  local path = json.text(target, "path", where)
  local number = target.node ~= nil and json.count(target, "node", where)
  if path == "weights" then
    out.morphs = out.morphs + 1
  elseif not LANES[path] or not number then
    out.others = out.others + 1
    return
  end
  if number and not all[number] then fail.at(where, "there is no nodes[%d]", number) end
  local at = where:match "^[^.]*"
  local one = samplers.read(file, animation, json.count(channel, "sampler", where), path, at)
  if path == "weights" then return end
  local lanes = out.lanes[number] or {}
  if lanes[LANES[path]] then fail.at(where, "a second channel moves %s of nodes[%d]", path, number) end
  lanes[LANES[path]], out.lanes[number] = one, lanes
  out.last = math.max(out.last, one.times[#one.times])
  out.first = math.min(out.first, one.times[1])
  out.list[#out.list + 1] = one
end

-- The samplers of an animation by node and lane.
local function channels_of(file, i, all)
  local animation, where = json.item(file.json, "animations", i, "JSON")
  local out = { lanes = {}, list = {}, last = 0, first = math.huge, morphs = 0, others = 0, where = where,
    name = json.text(animation, "name", where),
    extras = type(animation.extras) == "table" and animation.extras.lathe or nil }
  if type(out.extras) ~= "table" then out.extras = {} end
  for k, channel in ipairs(json.table(animation, "channels", where) or {}) do
    local here = ("%s.channels[%d]"):format(where, k - 1)
    if type(channel) ~= "table" then fail.at(here, "it is no table") end
    read_channel(file, animation, channel, all, out, here)
  end
  return out
end

-- ---- frames ---------------------------------------------------------------------------------------

local function all_stand_at(moves, times, frame)
  for _, one in ipairs(moves.list) do
    if one:off_frames(times, frame) > 0 then return false end
  end
  return true
end

-- The times of the original, if all keys are at these times and the duration is the same.
local function times_of_like(moves, like)
  local times = like and like.times
  if not times or #times < 2 then return nil end
  local frame = (times[#times] - times[1]) / (#times - 1)
  local fits = frame > 0 and math.abs(times[#times] - moves.last) <= frame * CLOSE
  if not fits then return nil end
  return all_stand_at(moves, times, frame) and times, frame
end

local function fps_of(moves, like, fps)
  local own = told.number(moves.extras, "fps", moves.where)
  fps = fps or like and like.fps or own or DEFAULT_FPS
  local fits = fps > 1e-3 and fps < 1e6
  if not fits then fail.at(moves.where, "%g frames a second", fps) end
  return fps
end

-- The times of the frames, and the duration of one.
local function frames_of(moves, like, fps)
  local told_frames = told.number(moves.extras, "frame_count", moves.where)
  local told_fps = told.number(moves.extras, "fps", moves.where)
  local times, frame = times_of_like(moves, not fps and like)
  if times then return times, frame end
  local given = fps
  fps = fps_of(moves, like, fps)
  local last = moves.last * fps
  local n = last < MOST_FRAMES and math.ceil(last - CLOSE) + 1 or MOST_FRAMES + 1
  if told_frames and told_fps and not given and math.abs(told_fps - fps) < 1e-3 * fps then
    n = math.max(n, math.tointeger(told_frames) or 1) -- the last frames may be without keys
  elseif moves.last == 0 and like and not given then
    n = math.max(n, like.frame_count)
  end
  if n > MOST_FRAMES then
    fail.at(moves.where, "%.0f frames: %d are read at most", math.max(n, last), MOST_FRAMES)
  end
  times = {}
  for i = 1, n do times[i] = (i - 1) / fps end
  return times, 1 / fps
end

-- ---- samples --------------------------------------------------------------------------------------

-- A function for the transform of a node at a time.
local function poser(moves, all, time, frame, said)
  return function(i)
    local lanes, rest = moves.lanes[i], all[i].rest
    if not lanes then return rest end
    local trs = { t = rest.t, q = rest.q, s = rest.s }
    for lane, one in pairs(lanes) do
      local exact
      trs[lane], exact = one:at(time, frame)
      if not exact then said.between = said.between + 1 end
    end
    return trs
  end
end

local function add_row(out, pose, where)
  table.move(pose.t, 1, 3, #out + 1, out)
  local q = pose.q
  local sum = q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4]
  if sum < 1e-24 then fail.at(where, "a rotation has length 0") end
  table.move(q, 1, 4, #out + 1, out)
  table.move(pose.s, 1, 3, #out + 1, out)
  for i = #out - 9, #out do
    local fits = math.abs(out[i]) <= matrix.LARGEST
    if not fits then fail.at(where, "a pose that does not fit into f32") end
  end
end

-- Numbers of the rig's bones by track; false if it has no bone of that name.
local function tracks_of(fitted, like)
  local numbers, tracks, names = {}, {}, {}
  for i, bone in ipairs(fitted.bones) do numbers[bone.name] = numbers[bone.name] or i end
  for i, name in ipairs(like and like.bones or {}) do tracks[i], names[i] = numbers[name] or false, name end
  if not like then
    for i, bone in ipairs(fitted.bones) do tracks[i], names[i] = i, bone.name end
  end
  return tracks, names
end

local STILL = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } }

local function samples_of(file, fitted, moves, times, frame, tracks, additive, said)
  local out = {}
  local n = #times * math.max(#tracks, #fitted.bones) * 10
  file:take(n)
  for _, time in ipairs(times) do
    local poses = fitted:poses(poser(moves, fitted.all, time, frame, said))
    for _, i in ipairs(tracks) do
      local bone = i and fitted.bones[i]
      local lacks = not bone or additive and not bone.node
      add_row(out, lacks and STILL or poses[i], moves.where)
    end
  end
  return core.buffer("f32", #times * #tracks, 10, out)
end

-- Root motion: x, y, z and an angle about the up axis for each frame.
local function motion_of(fitted, moves, times, frame, up, said)
  local lanes = fitted.motion and moves.lanes[fitted.motion]
  if not lanes then return nil end
  local out, before = {}, 0
  local k = fitted.factor
  for _, time in ipairs(times) do
    local pose = poser(moves, fitted.all, time, frame, said)(fitted.motion)
    local q = pose.q
    local angle = 2 * math.atan(q[1] * up[1] + q[2] * up[2] + q[3] * up[3], q[4])
    local turns = math.floor((before - angle) / (2 * math.pi) + 0.5)
    before = angle + 2 * math.pi * turns
    table.move({ k * pose.t[1], k * pose.t[2], k * pose.t[3], before }, 1, 4, #out + 1, out)
  end
  return core.buffer("f32", #times, 4, out)
end

-- ---- reports --------------------------------------------------------------------------------------

local function counted(n, one, many) return ("%d %s"):format(n, n == 1 and one or many) end

local function ignored_of(file, fitted, found, moves)
  local list, others, known = {}, 0, {}
  for _, i in ipairs(found) do known[i] = true end
  for i in pairs(moves.lanes) do
    if not known[i] and i ~= fitted.motion and not fitted.needed[i] then others = others + 1 end
  end
  if others > 0 then list[1] = "what moves " .. counted(others, "other node", "other nodes") end
  local function add(n, one, many)
    if n > 0 then list[#list + 1] = counted(n, one, many) end
  end
  add(moves.morphs, "channel of morphs", "channels of morphs")
  add(moves.others, "channel of other things", "channels of other things")
  add(#(json.table(file.json, "cameras", "JSON") or {}), "camera", "cameras")
  return list
end

local function report_of(fitted, found, moves, names, tracks, times, frame)
  local said = { missing = {}, extra = {}, resampled = 0, between = 0 }
  local is_track = {}
  for i, name in ipairs(names) do
    is_track[scene.utf8(name)] = true
    local bone = tracks[i] and fitted.bones[tracks[i]]
    if not (bone and bone.node) then said.missing[#said.missing + 1] = name end
  end
  for _, i in ipairs(found) do
    local name = fitted.all[i].name
    if i ~= fitted.motion and not is_track[name] then said.extra[#said.extra + 1] = name end
  end
  for _, one in ipairs(moves.list) do
    if one:off_frames(times, frame) > 0 then said.resampled = said.resampled + 1 end
  end
  return said
end

-- ---- clips ----------------------------------------------------------------------------------------

local function wanted_of(skeleton, like)
  local wanted = {}
  for _, bone in ipairs(skeleton and skeleton.bones or {}) do wanted[scene.utf8(bone.name)] = true end
  for _, name in ipairs(like and like.bones or {}) do wanted[scene.utf8(name)] = true end
  return wanted
end

-- Some names, such as "Camera", occur everywhere: the rig is taken for the same if at least a quarter of the
-- names of one side match.
local function check_rig(found, wanted, skeleton)
  local known, all = 0, 0
  for _ in pairs(wanted) do all = all + 1 end
  for _, i in ipairs(found) do
    if wanted[found.names[i]] then known = known + 1 end
  end
  if all == 0 or 4 * known >= math.min(#found, all) and known > 0 then return end
  local bones, are = counted(#found, "bone", "bones"), known == 1 and "is" or "are"
  if not skeleton then
    fail.at("skins", "%d of its %s %s named by the original's tracks: give the skeleton that they move",
      known, bones, are)
  end
  fail.at("skins", "%d of its %s %s of the skeleton%s: it is another one's", known, bones, are,
    skeleton.name and " '" .. skeleton.name .. "'" or "")
end

local function open(bytes, path, skeleton, like)
  local file = glb.open(bytes, path)
  local all, wanted = nodes.read(file), wanted_of(skeleton, like)
  local found = nodes.bones(file, all, wanted)
  found.names = {}
  for _, i in ipairs(found) do found.names[i] = all[i].name end
  if #found == 0 then fail.at("skins", "there is no bone in it") end
  check_rig(found, wanted, skeleton)
  return file, all, found, wanted
end

local function clip_of(file, all, found, i, opts)
  local like, skeleton = opts.like, opts.skeleton
  local moves = channels_of(file, i, all)
  local fitted = rig.new(all, found, skeleton, { scale = opts.scale, up = opts.up, metres = opts.metres,
    moving = moves.lanes, wanted = opts.wanted })
  local times, frame = frames_of(moves, like, opts.fps)
  local tracks, names = tracks_of(fitted, like)
  local said = report_of(fitted, found, moves, names, tracks, times, frame)
  local additive = told.text(moves.extras, "additive", moves.where) or like and like.additive
  local up = like and like.up or fitted.up == "z" and { 0, 0, 1 } or { 0, 1, 0 }
  local one = {
    name = moves.name or ("clip %d"):format(i), bones = names,
    times = times, frame_count = #times, fps = 1 / frame,
    duration = times[#times] - times[1], additive = additive, up = up, skeleton = skeleton,
    samples = samples_of(file, fitted, moves, times, frame, tracks, additive, said),
    root_motion = motion_of(fitted, moves, times, frame, up, said),
  }
  told.add(one, moves.extras, moves.where)
  said.ignored = ignored_of(file, fitted, found, moves)
  said.late = moves.first < math.huge and moves.first > frame * CLOSE and moves.first or nil
  said.factor, said.turned, said.rests_elsewhere = fitted.factor, fitted.turned, fitted.rests_elsewhere or nil
  one.report = said
  return one
end

local function chosen(file, name)
  local list, all = {}, json.table(file.json, "animations", "JSON") or {}
  local names = {}
  for i = 0, #all - 1 do
    local one, where = json.item(file.json, "animations", i, "JSON")
    local own = json.text(one, "name", where)
    if not name or own == name then list[#list + 1] = i end
    names[#names + 1] = own and "'" .. own:sub(1, 80) .. "'"
  end
  if #all == 0 then fail.at("animations", "there is no animation in it") end
  if #list == 0 then
    fail.at("animations", "none is named '%s': there are %s", name,
      table.concat(names, ", ", 1, math.min(#names, 8)))
  end
  return list
end

--- The clips of a file.
-- @tparam string bytes of a .glb or a .gltf
-- @tparam string path other files are searched beside it
-- @tparam table opts `like` and `skeleton` from `lathe.export.clip`, `fps`, `clip`, `scale`, `up`
-- @treturn {table,...} each with a `report`
-- @raise errors for `fail.catch`
function clip.parse(bytes, path, opts)
  local skeleton = opts.skeleton or opts.like and opts.like.skeleton
  local file, all, found, wanted = open(bytes, path, skeleton, opts.like)
  local how = setmetatable({ skeleton = skeleton, wanted = wanted }, { __index = opts })
  local list = {}
  for k, i in ipairs(chosen(file, opts.clip)) do list[k] = clip_of(file, all, found, i, how) end
  return list
end

--- The skeleton of a file.
-- @tparam string bytes
-- @tparam string path
-- @tparam table opts `skeleton` with the expected bones (default: all of the file), `scale`, `up`
-- @treturn table as from `lathe.export.clip`, with `report`
-- @raise errors for `fail.catch`
function clip.skeleton(bytes, path, opts)
  local _, all, found, wanted = open(bytes, path, opts.skeleton, nil)
  local fitted = rig.new(all, found, opts.skeleton, { scale = opts.scale, up = opts.up, metres = opts.metres,
    wanted = wanted })
  local out = { bones = {}, up = fitted.up, report = { missing = {}, extra = {}, turned = fitted.turned } }
  out.name = told.text(fitted.extras, "skeleton", "nodes")
  out.float_slots = told.texts(fitted.extras, "float_slots", "nodes")
  for i, pose in ipairs(fitted:poses()) do
    local bone = fitted.bones[i]
    out.bones[i] = { name = bone.name, parent = (bone.above or 0) - 1, pose = pose }
    if not bone.node then table.insert(out.report.missing, bone.name) end
  end
  for _, i in ipairs(found) do
    if opts.skeleton and not wanted[all[i].name] and i ~= fitted.motion then
      table.insert(out.report.extra, all[i].name)
    end
  end
  return out
end

return clip
