--- Reads `extras.lathe` of a clip in a glTF file; everything is checked and optional.
-- @module lathe.import.told

local core = require "lathe.core"
local fail = require "lathe.import.fail"
local json = require "lathe.import.json"

local told = {}

local function here(where) return where .. ".extras.lathe" end

--- A finite number of at least 0; nil if it is missing.
-- @tparam table extras
-- @tparam string name
-- @tparam string where
-- @treturn ?number
function told.number(extras, name, where)
  local v = extras[name]
  if v == nil then return nil end
  local fits = math.type(v) and v >= 0 and v <= 1e38
  if not fits then fail.at(here(where), "%s is no number from 0", name) end
  return v
end

--- A text; nil if it is missing.
-- @tparam table extras
-- @tparam string name
-- @tparam string where
-- @treturn ?string
function told.text(extras, name, where) return json.text(extras, name, here(where)) end

--- A list of texts; nil if it is missing.
-- @tparam table extras
-- @tparam string name
-- @tparam string where
-- @treturn ?{string,...}
function told.texts(extras, name, where)
  local list = json.table(extras, name, here(where))
  if not list then return nil end
  local out = {}
  for i, text in ipairs(list) do
    if type(text) ~= "string" then fail.at(here(where), "%s[%d] is no text", name, i - 1) end
    out[i] = text
  end
  return out
end

local function notes_of(extras, where)
  local list = json.table(extras, "annotations", here(where))
  if not list then return nil end
  local notes = {}
  for i, note in ipairs(list) do
    local at = ("%s.annotations[%d]"):format(here(where), i - 1)
    if type(note) ~= "table" then fail.at(at, "it is no table") end
    local time, text = note.time, json.text(note, "text", at)
    local fits = math.type(time) and time >= 0 and time <= 1e30
    if not fits or not text then fail.at(at, "a time and a text are wanted") end
    notes[i] = { time = time + 0.0, text = text, track = json.count(note, "track", at, 0) }
  end
  table.sort(notes, function(a, b) return a.time < b.time end)
  return notes
end

-- The values of float tracks, if there is one per frame.
local function floats_of(extras, frames, where)
  local list = json.table(extras, "float_tracks", here(where))
  if not list or #list == 0 then return nil end
  local slots, values = {}, {}
  for k, track in ipairs(list) do
    local at = ("%s.float_tracks[%d]"):format(here(where), k - 1)
    if type(track) ~= "table" then fail.at(at, "it is no table") end
    local name, own = track.name, json.table(track, "values", at) or {}
    if type(name) ~= "string" and not math.tointeger(name) then
      fail.at(at, "its name is no text or number")
    end
    slots[k] = name
    if #own ~= frames then return nil, "float tracks have another number of frames, and were left out" end
    json.numbers(track, "values", at, frames)
    for i = 1, frames do values[(i - 1) * #list + k] = own[i] end
  end
  return { slots = slots, samples = core.buffer("f32", frames * #list, 1, values) }
end

--- Adds the extras to a clip.
-- @tparam table clip
-- @tparam table extras
-- @tparam string where of the animation
-- @raise errors for `fail.catch`
function told.add(clip, extras, where)
  local looping = extras.looping
  if looping ~= nil and type(looping) ~= "boolean" then fail.at(here(where), "looping is no boolean") end
  clip.looping = looping
  clip.annotations = notes_of(extras, where)
  local why
  clip.float_tracks, why = floats_of(extras, clip.frame_count, where)
  clip.note = why
  clip.format, clip.game = told.text(extras, "format", where), told.text(extras, "game", where)
  clip.class = told.text(extras, "class", where)
end

return told
