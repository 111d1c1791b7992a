-- Reads documents in every way that there is, while the collector never rests and a finalizer that renews itself
-- closes the document, changes it, or undoes what was changed: each time a little later, until the reading is done
-- before the finalizer has its turn. Nothing may crash, and what is read of a document that is closed meanwhile is
-- right or says that it is closed.
-- Prints how many readings were disturbed, and then each wrong result.
-- usage: finalizer_stress.lua [all]: without "all" the finalizer comes at some places only.

local lathe = require "lathe"
local small = require "small_documents"

-- What may be told: the document is closed, what was read is gone, or counts and numbers changed meanwhile.
local EXPECTED = {
  "document is closed", "was removed", "changed by a finalizer", "resized by a finalizer", "%(removed%)",
  "%(document is closed%)", "%(unreadable%)", "of a closed document",
}
local MOST_PLACES = 8 -- of a document
local MOST_VALUES = 40 -- that a reading looks at

local WHOLE_CYCLE = 63 -- as the size of a step: the collector does all of its work at once
local STEP = 512 -- bytes from one place to the next, at least
local MOST_TRAPS = 2000 -- bytes that traps take

local all = arg[1] == "all"

-- ---- what is read -------------------------------------------------------------------------------------

-- A value without its views, such that it stays when the document is closed.
local function plain(value, depth)
  if lathe.type(value) == "buffer" then return lathe.totable(value) end
  if type(value) == "userdata" then return tostring(value) end
  if type(value) ~= "table" or depth > 5 then return type(value) == "function" and "function" or value end
  local copy = {}
  for k, v in pairs(value) do copy[k] = plain(v, depth + 1) end
  return copy
end

local function each_pair(value)
  local list = {}
  for k, v in pairs(value) do
    list[#list + 1] = { k, plain(v, 0) }
    if #list == MOST_VALUES then break end
  end
  return list
end

local function each_mesh(doc)
  local list = {}
  for mesh in doc:meshes() do list[#list + 1] = mesh end
  for mesh in doc:meshes { what = "collision" } do list[#list + 1] = mesh end
  return list
end

local function each_clip(doc)
  local list = {}
  for i, clip in ipairs(doc.animations) do
    local fields = each_pair(clip)
    for _, tracks in ipairs { clip.tracks, clip.float_tracks } do
      for _, track in ipairs(tracks) do fields[#fields + 1] = { each_pair(track), track:sample(0) } end
    end
    list[i] = { fields, clip:decode(), clip:decode_floats(), clip:sample(0), clip:sample_floats(0),
      clip:sample(0, nil, { skeleton = { -1, 0 } }) }
  end
  return list
end

local function each_skeleton(doc)
  local list = {}
  for i, rig in ipairs(doc.skeletons) do list[i] = each_pair(rig) end
  return list
end

-- Those that take another first argument, or do nothing with documents.
local OTHERS = {
  open = true, parse = true, read = true, write = true, buffer = true, formats = true, export = true, import = true,
}

-- Functions of the module, with a place and perhaps a field of it. Some change something: they may.
local function calls(name, f)
  return function(_, place, field)
    return { name, f(place), field and f(place, field) }
  end
end

local function readings()
  local list = {
    pairs = function(_, place) return each_pair(place) end,
    tostring = function(_, place) return tostring(place) end,
    length = function(_, place) return lathe.type(place) == "array" and #place end,
    set = function(_, place, field) if field then place[field] = lathe.totable(place)[field] end end,
    meshes = each_mesh, skeletons = each_skeleton, animations = each_clip,
    bodies = function(doc) return each_pair(doc.bodies) end,
    materials = function(doc) return each_pair(doc.materials) end,
    check = function(doc) return { doc:check() } end,
    encode = function(doc) return doc:encode() end,
    get = function(doc, place, field)
      return { doc:get(lathe.path(place)), field and doc:get(lathe.path(place, field)) }
    end,
    at = function(doc, place) return { doc:at((lathe.span(place))) } end,
    json = function(doc) return lathe.tree.to_json(doc) end,
    new = function(doc) return assert(lathe.new(doc.format, doc)):encode() end,
  }
  for name, f in pairs(lathe) do
    if type(f) == "function" and not OTHERS[name] then list["lathe." .. name] = list[name] or calls(name, f) end
  end
  local names = {}
  for name in pairs(list) do names[#names + 1] = name end
  table.sort(names)
  return list, names
end

-- ---- places -------------------------------------------------------------------------------------------

-- Paths of some of each kind that a document has, and a field of each.
local function places(doc)
  local found, seen = { { path = "" } }, {}
  local function visit(view, depth)
    for key, value in pairs(view) do
      local kind = lathe.type(value)
      if kind and kind ~= "buffer" then
        local name = kind == "array" and lathe.path(value):gsub("%d+", "1") or kind
        if not seen[name] and #found < MOST_PLACES then
          seen[name] = true
          found[#found + 1] = { path = lathe.path(value), field = kind == "array" and #value > 0 and 1 or nil }
          if depth < 6 then visit(value, depth + 1) end
        end
      elseif kind == nil and found[#found].path == lathe.path(view) and not found[#found].field then
        found[#found].field = key
      end
    end
  end
  visit(doc, 0)
  return found
end

-- ---- meddling ------------------------------------------------------------------------------------------

-- Takes the last element out of lists, or puts one in, and changes numbers.
local function change(doc)
  for key, value in pairs(doc) do
    if lathe.type(value) == "array" and #value > 0 then
      pcall(value.remove, value)
      for name, number in pairs(lathe.type(value[1]) and value[1] or {}) do
        if math.type(number) == "float" then pcall(function() value[1][name] = number + 1 end) end
      end
    elseif math.type(value) == "float" then
      pcall(function() doc[key] = value + 1 end)
    end
  end
end

local ACTIONS = {
  close = function(doc) doc:close() end,
  change = change,
  undo = function(doc) while doc:undo() do end end,
}

-- Runs f, and collects all garbage when f has taken `offset` bytes: `act` is called by a finalizer then, and by the
-- next one whenever the collector runs again. Gives whether it was, and what pcall gives.
local function disturbed(offset, act, f)
  local over, came = false, false
  local function trap()
    setmetatable({}, { __gc = function()
      if over then return end
      came = true
      act()
      trap()
    end })
  end
  local now = collectgarbage "count" * 1024
  local pause = 4 * math.ceil((108 + (offset + MOST_TRAPS) * 100 / now) / 4)
  collectgarbage("incremental", pause, 1000, WHOLE_CYCLE)
  collectgarbage()
  local limit = collectgarbage "count" * 1024 // 100 * pause
  trap()
  local room = limit - collectgarbage "count" * 1024 - offset
  local ballast = lathe.buffer("u8", math.max(0, room // 1 | 0)) -- luacheck: ignore
  local ok, result = pcall(f)
  over = true
  collectgarbage("incremental", 200, 100, 13)
  return came, ok, result
end

-- ---- all of it -----------------------------------------------------------------------------------------

local count, wrong = 0, {}

local function is_expected(message)
  for _, pattern in ipairs(EXPECTED) do
    if message:find(pattern) then return true end
  end
  return false
end

-- A text may also say that its document is closed.
local function same(a, b)
  if type(a) == "string" and is_expected(a) then return true end
  if type(a) ~= "table" or type(b) ~= "table" then return a == b or (a ~= a and b ~= b) end
  for k, v in pairs(a) do if not same(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end

local function note(...)
  local line = table.concat({ ... }, "  ")
  if not wrong[line] then wrong[#wrong + 1] = line end
  wrong[line] = true
end

-- What reading gives when nobody meddles, as text where it fails; and how many bytes it takes.
local function reference(open, read, place)
  local doc <close> = open()
  local view = doc:get(place.path)
  collectgarbage "stop"
  local before = collectgarbage "count"
  local ok, result = pcall(function() return plain(read(doc, view, place.field), 0) end)
  local bytes = (collectgarbage "count" - before) * 1024
  collectgarbage "restart"
  if not ok then result = tostring(result) end
  return ok, result, bytes
end

local function judge(what, ok, result, readable, right)
  local message = not ok and tostring(result)
  if message and message ~= right and not is_expected(message) then
    note(what, message)
  elseif ok and not (readable and same(result, right)) then
    note(what, "another result")
  end
end

local function stress(open, what, read, place)
  local readable, right, bytes = reference(open, read, place)
  for action, act in pairs(ACTIONS) do
    local offset = 0
    while offset < bytes do
      local doc <close> = open()
      if action == "undo" then change(doc) end
      local view = doc:get(place.path)
      local came, ok, result = disturbed(offset, function() act(doc) end, function()
        return plain(read(doc, view, place.field), 0)
      end)
      if came and action == "close" then judge(what .. " of '" .. place.path .. "'", ok, result, readable, right) end
      count = count + (came and 1 or 0)
      offset = offset + (all and 16 or math.max(STEP, offset // 2))
    end
  end
end

local list, names = readings()
for format, bytes in pairs(small.documents()) do
  local function open() return assert(lathe.parse(bytes, { format = format, history = 20 })) end
  for _, place in ipairs(places(open())) do
    for _, name in ipairs(names) do
      local whole = { meshes = true, skeletons = true, animations = true, bodies = true, materials = true,
        check = true, encode = true, json = true, new = true }
      if place.path == "" or not whole[name] then stress(open, format .. " " .. name, list[name], place) end
    end
  end
end
print(("%d readings disturbed"):format(count))
for _, line in ipairs(wrong) do print(line) end
