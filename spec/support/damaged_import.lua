--- Damaged glTF and .csv files with clips, at random: each is refused with an error of lathe's, or read into
-- clips of finite samples.

local clip_glb = require "clip_glb"
local dkjson = require "dkjson"
local lathe = require "lathe"

local damaged_import = {}

local SKELETON = { name = "rig", bones = { { name = "A", parent = -1 }, { name = "B", parent = 0 } } }
local LIKE = { bones = { "A", "B" }, fps = 10, frame_count = 2, times = { 0, 0.1 }, skeleton = SKELETON }
local ODD = { -1, 0, 1, 2, 3, 7, 255, 65536, 2147483647, 4294967296, 1e300, 0.5, "A", "", true, false }
local WAYS = { { like = LIKE }, { what = "clips" }, { what = "clips", like = LIKE, fps = 24 },
  { what = "skeleton" }, { what = "skeleton", like = SKELETON }, {} }

--- Random numbers of one seed: `random(n)` is a whole number from 1 to n.
function damaged_import.random(seed)
  local state = seed
  return function(n)
    state = (state * 6364136223846793005 + 1442695040888963407) & math.maxinteger
    return (state >> 20) % n + 1
  end
end

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  assert(file:write(bytes))
  assert(file:close())
  return path
end

local function is_finite(samples)
  for i = 1, samples.rows do
    for _, v in ipairs { samples:row(i) } do
      local finite = v - v == 0
      if not finite then return false end
    end
  end
  return true
end

-- "refused" or "read"; raises where it is neither.
local function outcome_of(path, opts)
  local ok, list, err = pcall(lathe.import, path, opts)
  if not ok then error("lathe.import raised: " .. tostring(list), 0) end
  if not list then
    if not err.code or not tostring(err):find "%S" then error("an error without a code or a message", 0) end
    return "refused"
  end
  for _, one in ipairs(opts.what ~= "skeleton" and list or {}) do
    if one.samples then
      if one.frame_count * #one.bones ~= one.samples.rows then error("rows that no frame has", 0) end
      if not is_finite(one.samples) then error("a sample that is no finite number", 0) end
    end
  end
  return "read"
end

-- All tables of a value, and its fields.
local function places_of(value, list)
  for k, v in pairs(value) do
    list[#list + 1] = { value, k }
    if type(v) == "table" then places_of(v, list) end
  end
  return list
end

local function good()
  local json, bin = clip_glb.file(clip_glb.bones(), { 0, 1 }, {
    { 0, "translation", { 0, 0.1 }, { 0, 0, 0, 1, 1, 1 } },
    { 1, "rotation", { 0, 0.1 }, { 0, 0, 0, 1, 0, 0, 1, 0 } } }, { cameras = { {} } })
  json.animations[1].extras = { lathe = { fps = 10, annotations = { { time = 0, text = "a" } } } }
  return json, bin
end

local function way_of(random) return WAYS[random(#WAYS)] end

--- A .glb of which one to three values of its JSON are others.
-- @tparam string folder for the file
-- @tparam function random of `damaged_import.random`
-- @treturn string "refused" or "read"
function damaged_import.of_json(folder, random)
  local json, bin = good()
  json = dkjson.decode(dkjson.encode(json))
  for _ = 1, random(3) do
    local places = places_of(json, {})
    table.sort(places, function(a, b) return tostring(a[2]) < tostring(b[2]) end)
    local place = places[random(#places)]
    place[1][place[2]] = ODD[random(#ODD + 1)]
  end
  return outcome_of(write(folder .. "/a.glb", clip_glb.pack(json, bin)), way_of(random))
end

local function with_byte(bytes, at, byte) return bytes:sub(1, at - 1) .. string.char(byte) .. bytes:sub(at + 1) end

--- A .glb of which one to four bytes are others.
-- @tparam string folder
-- @tparam function random
-- @treturn string
function damaged_import.of_bytes(folder, random)
  local bytes = clip_glb.pack(good())
  for _ = 1, random(4) do bytes = with_byte(bytes, random(#bytes), random(256) - 1) end
  return outcome_of(write(folder .. "/a.glb", bytes), way_of(random))
end

local LINES = "frame,time,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz\n" .. "0,0,A,0,0,0,0,0,0,1,1,1,1\n"
  .. '0,0,"B",1,2,3,0,0,0,1,1,1,1\n' .. "1,0.1,A,0,0,0,0,0,1,0,1,1,1\n" .. "1,0.1,B,1,2,3,0,0,0,1,1,1,1\n"
local WORDS = { ",", "\n", '"', "1e99", "nan", "-", "0", "9", "frame", "" }

--- A .csv of which one to three characters are others.
-- @tparam string folder
-- @tparam function random
-- @treturn string
function damaged_import.of_lines(folder, random)
  local text = LINES
  for _ = 1, random(3) do
    local at = random(#text)
    text = text:sub(1, at - 1) .. WORDS[random(#WORDS)] .. text:sub(at + random(2) - 1)
  end
  return outcome_of(write(folder .. "/a.csv", text), random(2) == 1 and { like = LIKE } or {})
end

return damaged_import
