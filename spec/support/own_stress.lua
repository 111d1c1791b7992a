-- Reads a document whose file describes its own records, while the collector never rests and a finalizer closes it:
-- after one collection, after two, until the reading is done first. What the types say goes with the document, so
-- each name that is used after that is a use of freed memory.
-- Prints how many readings were cut short.
-- usage: own_stress.lua CPATH

package.cpath = arg[1] .. ";" .. package.cpath
local lathe = require "lathe.core"

local FIELDS = {
  types = {
    { name = "point_of_its_own", vector = 1, rows = { { name = "a_first_one", kind = 4 }, { name = "b", kind = 4 } } },
    { name = "something_with_a_long_name", rows = {
      { name = "some_number", kind = 0 }, { name = "some_marks", kind = 6 }, { name = "some_list", kind = 7, count = 2 },
      { name = "some_point", kind = 7 }, { name = "reference_to_another", kind = 8 },
    } },
  },
  objects = { { class = "something_with_a_long_name", some_marks = 3, reference_to_another = 0 } },
}
local BYTES = assert(lathe.new("own", FIELDS)):encode()
local NAME = FIELDS.types[2].name

local acts = {
  function(_, object) return object.some_point.b end,
  function(_, object) return object.some_list[2] end,
  function(_, object) return lathe.describe(object) end,
  function(doc) return doc:describe(NAME) end,
  function(_, object) return lathe.totable(object) end,
  function(doc) return doc:totable() end,
  function(_, object) return lathe.names(object, "some_marks") end,
  function(doc) return doc:at(#BYTES - 1) end,
  function(_, object) return object.some_numbers end,
  function(_, object) return object[{}] end,
  function(_, object) object.some_numbers = 1 end,
  function(_, object) object.some_point = { 1, 2 } end,
  function(_, object) object.some_point = { 1, c = 2 } end,
  function(_, object) for _ in pairs(object) do end end,
  function(_, object) return tostring(object) .. lathe.type(object) end,
  function(_, object) return lathe.raw(object, "some_number"), lathe.path(object, "some_point") end,
  function(doc, object) return object == doc.objects[1].reference_to_another end,
}

local WHOLE_CYCLE = 63 -- as the size of a step: the collector does all of its work at once
local MOST = 32768 -- bytes that none of these takes
local STEP = tonumber(arg[2] or 16) -- bytes from one place to the next, at least

-- Runs f, and a finalizer that closes the document when f has taken so many bytes. Gives whether that came, and what
-- pcall gives.
local function disturbed(doc, offset, f)
  local over, came = false, false
  local now = collectgarbage "count" * 1024
  local pause = 4 * math.ceil((108 + (offset + 2000) * 100 / now) / 4)
  collectgarbage("incremental", pause, 1000, WHOLE_CYCLE)
  collectgarbage()
  local limit = collectgarbage "count" * 1024 // 100 * pause
  setmetatable({}, { __gc = function()
    if over then return end
    came = true
    doc:close()
  end })
  local room = limit - collectgarbage "count" * 1024 - offset
  local ballast = lathe.buffer("u8", math.max(0, room // 1 | 0)) -- luacheck: ignore
  local ok, result = pcall(f)
  over = true
  collectgarbage("incremental", 200, 100, 13)
  return came, ok, result
end

local cut_short = 0
for number, act in ipairs(acts) do
  local offset, came = 0, true
  while came and offset < MOST do
    local doc <close> = assert(lathe.parse(BYTES))
    local object = number > 2 and doc.objects[1]
    local ok, err
    came, ok, err = disturbed(doc, offset, function() return act(doc, object or doc.objects[1]) end)
    cut_short = cut_short + (came and 1 or 0)
    local told = ok or tostring(err):find "document is closed" or tostring(err):find "no field"
    if not told then print(number, offset, err) end
    offset = offset + math.max(STEP, offset // 64)
  end
end
print(cut_short .. " readings cut short")
