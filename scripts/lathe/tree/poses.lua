--- Compares the poses of animations in place of the packed numbers that store them.
-- @module lathe.tree.poses

local core = require "lathe.core"
local schema = require "lathe.tree.schema"
local text = require "lathe.tree.text"

local poses = {}

local DEEPEST = 3 -- maximum nesting of records that consist of numbers

-- Whether a record consists of numbers only, such as a transform.
local function is_numbers(cache, view, depth)
  local rows = cache:rows(view)
  for _, row in ipairs(rows) do
    local plain = (row.kind == "number" or row.kind == "integer") and not row.enum
    local nested = row.kind == "record" and not row.ref and not row.array and depth < DEEPEST
      and core.type(view[row.name]) and is_numbers(cache, view[row.name], depth + 1)
    if row.array or row.ref or not plain and not nested then return false end
  end
  return #rows > 0
end

-- Whether a field of an animation is unreadable: bytes, or a table of numbers.
local function is_packed(cache, source, row)
  if row.ref or row.padding or row.enum or row.key then return false end
  if text.is_bytes(row) then return true end
  if not row.array then return false end
  if row.kind == "record" then
    local array = schema.value(source, row.name, row)
    return core.type(array) == "array" and #array > 0 and core.type(array[1]) ~= nil
      and is_numbers(cache, array[1], 1)
  end
  return row.kind == "number" or row.kind == "integer"
end

-- The paths of such fields, as keys. There are none if the document itself is the animation: it has fields of
-- all kinds, which are readable.
local function packed_places(doc, anim)
  local source, places = anim.source, {}
  if not source or core.type(source) == doc.format then return places end
  local cache, path = schema.new(doc), core.path(source)
  for _, row in ipairs(cache:rows(source)) do
    if is_packed(cache, source, row) then places[path .. "." .. row.name] = true end
  end
  return places
end

-- The distance of two numbers; infinity if one of them is not a number.
local function apart(a, b)
  if a == b or a ~= a and b ~= b then return 0 end
  local d = math.abs(a - b)
  return d == d and d or math.huge
end

local function farthest(a, b, first, last)
  local most = 0
  for i = first, last do most = math.max(most, apart(a[i], b[i])) end
  return most
end

-- The distance of two positions.
local function distance(a, b)
  local sum = 0
  for i = 1, 3 do sum = sum + apart(a[i], b[i]) ^ 2 end
  return math.sqrt(sum)
end

-- The angle between two rotations; a quaternion and its negative are the same rotation.
local function angle(a, b)
  local dot, sum = 0, 0
  for i = 4, 7 do dot = dot + a[i] * b[i] end
  for i = 4, 7 do sum = sum + apart(a[i], dot < 0 and -b[i] or b[i]) ^ 2 end
  return 4 * math.asin(math.min(1, math.sqrt(sum) / 2))
end

-- Keeps the largest difference of a kind, and its frame.
local function note(found, kind, difference, frame)
  if difference > found[kind] then found[kind], found[kind .. "_frame"] = difference, frame end
end

local function compare_row(a, b, frame, found)
  local moved, turned, sized = distance(a, b), angle(a, b), farthest(a, b, 8, 10)
  if moved == 0 and turned == 0 and sized == 0 then return end
  found.frames = found.frames + 1
  note(found, "translation", moved, frame)
  note(found, "rotation", turned, frame)
  note(found, "scale", sized, frame)
end

-- Adds a change for each track that differs. name: the member with the name of the driven bone or slot;
-- compare: function(row number, frame, change).
local function add_tracks(list, path, anim, of, name, new_change, compare)
  local tracks = anim[of]
  local n = #tracks
  for track = 1, n do
    local change = new_change()
    change.frames, change.path = 0, ("%s.%s[%d]"):format(path, of, track)
    for frame = 0, anim.frame_count - 1 do compare(frame * n + track, frame, change) end
    if change.frames > 0 then
      change.key = tracks[track][name]
      list[#list + 1] = change
    end
  end
end

local function add_bones(list, path, a, b)
  local old, new = a:decode(), b:decode()
  if not old or not new then return nil end
  add_tracks(list, path, b, "tracks", "bone",
    function() return { translation = 0, rotation = 0, scale = 0 } end,
    function(i, frame, found) compare_row({ old:row(i) }, { new:row(i) }, frame, found) end)
  return true
end

local function add_floats(list, path, a, b)
  if #b.float_tracks == 0 then return true end
  local old, new = a:decode_floats(), b:decode_floats()
  if not old or not new then return nil end
  add_tracks(list, path, b, "float_tracks", "name", function() return { value = 0 } end,
    function(i, frame, found)
      local d = apart(old:at(i, 1), new:at(i, 1))
      if d > 0 then found.frames = found.frames + 1 end
      note(found, "value", d, frame)
    end)
  return true
end

-- The changes of the tracks of two animations; none if they cannot be compared frame by frame.
local function changes_of(path, a, b)
  local list = {}
  local alike = a.frame_count == b.frame_count and #a.tracks == #b.tracks
    and #a.float_tracks == #b.float_tracks
  if alike and add_bones(list, path, a, b) and add_floats(list, path, a, b) then return list end
  return {}
end

-- The path of a changed field, if it is one of `places`.
local function packed_place(change, places)
  local path = change.path
  while path ~= "" do
    if places[path] then return path end
    path = path:match "^(.*)[.%[]" or ""
  end
end

local function touches(changes, places)
  for _, change in ipairs(changes) do
    if packed_place(change, places) then return true end
  end
  return false
end

-- Replaces the first change at one of the places by `instead`, and removes the others.
local function replaced(changes, places, instead)
  local list, done = {}, false
  for _, change in ipairs(changes) do
    if not packed_place(change, places) then
      list[#list + 1] = change
    elseif not done then
      table.move(instead, 1, #instead, #list + 1, list)
      done = true
    end
  end
  return list
end

--- The changes between two documents, with differences of animation tracks in place of changes of their
-- packed fields. Such a change has `frames` (number of different frames), the largest differences
-- `translation`, `rotation` (radians), `scale`, or `value` for a float track, the frame of each
-- (`translation_frame` …), and the name of the bone or slot as `key`. If no sample differs, or the frames or
-- tracks differ, the changes are unchanged.
-- @param a a document
-- @param b another of the same format
-- @tparam {table,...} changes the result of `lathe.tree.diff`
-- @treturn {table,...}
function poses.told(a, b, changes)
  if #changes == 0 or not a.animations or not b.animations then return changes end
  if #a.animations ~= #b.animations then return changes end
  local seen = {}
  for i, anim in ipairs(b.animations) do
    local places = packed_places(b, anim)
    local first = next(places)
    if first and not seen[first] and touches(changes, places) then
      for place in pairs(places) do seen[place] = true end
      local instead = changes_of(("animations[%d]"):format(i), a.animations[i], anim)
      if #instead > 0 then changes = replaced(changes, places, instead) end
    end
  end
  return changes
end

local PARTS = { { "translation", "%.3g units" }, { "rotation", "%.3g rad" }, { "scale", "%.3g in size" },
  { "value", "%.3g" } }

--- Formats such a change.
-- @tparam table change
-- @treturn string `differs in 81 frames, up to 1.5 units (frame 20), 0.3 rad (frame 4)`
function poses.words(change)
  local parts = {}
  for _, part in ipairs(PARTS) do
    local most = change[part[1]]
    if most and most > 0 then
      parts[#parts + 1] = part[2]:format(most) .. (" (frame %d)"):format(change[part[1] .. "_frame"])
    end
  end
  return ("differs in %s, up to %s"):format(text.count(change.frames, "frame"), table.concat(parts, ", "))
end

return poses
