-- What a long animation costs: 10,000 key frames of 100 bones, 65 MB. Ratios to a copy of the bytes.

local lathe = require "lathe"

local FRAMES, BONES = 10000, 100

local function seconds(fn, again)
  local best = math.huge
  for _ = 1, again or 3 do
    collectgarbage()
    local start = os.clock()
    fn()
    best = math.min(best, os.clock() - start)
  end
  return best
end

local function line(what, value, copy)
  print(("  %-52s %10.2f ms %8.2f x copy"):format(what, value * 1e3, value / copy))
end

-- Version 3 by hand: matrices, one event, no chains.
local function frame(time)
  local matrices = {}
  for i = 1, BONES do
    local a = (time + i) / 900
    matrices[i] = string.pack("<ffffffffffffffff", math.cos(a), math.sin(a), 0, 0, -math.sin(a), math.cos(a), 0, 0,
      0, 0, 1, 0, i / 10, time / 1000, 0, 1)
  end
  return string.pack("<i4i4", time, BONES) .. table.concat(matrices)
    .. string.pack("<i4i4s4i4", 1, 3, "leftrunstep", 0)
end

local parts = { string.pack("<i4Bi4i4i4", 3, 1, 0, FRAMES * 40, FRAMES) }
for i = 1, FRAMES do parts[i + 1] = frame((i - 1) * 40) end
local bytes = table.concat(parts)

print(("a file of %.0f MB"):format(#bytes / 1e6))
local copy = seconds(function() local _ = bytes:sub(1, -2) end)
line("copy", copy, copy)
line("parse: finds every frame", seconds(function()
  lathe.parse(bytes, { format = "anm" }):close()
end), copy)
local doc = assert(lathe.parse(bytes, { format = "anm" }))
local frames = doc.frames
line("a name that grows in every frame, one edit", seconds(function()
  doc:edit(function()
    for i = 1, FRAMES do
      local event = frames[i].events[1]
      event.name = event.name .. "s"
    end
  end)
end), copy)
line("retime", seconds(function() doc:retime { speed = 0.5 } end, 1), copy)
line("scale", seconds(function() doc:scale(1.0001) end), copy)
line("reverse", seconds(function() doc:reverse() end), copy)
line("encode", seconds(function() doc:encode() end), copy)

local anim = doc.animations[1]
local parents = {}
for i = 1, BONES do parents[i] = i - 2 end
local function ns(what, value, n) print(("  %-52s %10.1f ns a track"):format(what, value * 1e9 / n)) end
ns("decode, as stored", seconds(function() anim:decode() end, 2), FRAMES * BONES)
ns("decode, relative to parents", seconds(function() anim:decode { skeleton = parents } end, 2), FRAMES * BONES)
local N, buffer = 2000, nil
ns("sample between frames, relative to parents", seconds(function()
  for i = 1, N do buffer = anim:sample({ time = i / 7, skeleton = parents }, buffer) end
end, 2), N * BONES)

print "\na saved game of 65,535 values"
do
  local values = {}
  for i = 1, 65535 do values[i] = { key = "key " .. i, value = "v" } end
  local save = assert(lathe.new("save", { levels = { { save_name = "a", values = values } } }))
  local view = save.levels[1].values
  local function each(what, n, fn) print(("  %-52s %10.1f ns"):format(what, seconds(fn, 1) * 1e9 / n)) end
  each("a longer text, by number", 65535, function() for i = 1, 65535 do view[i].value = "value " .. i end end)
  each("a text by its key", 1000, function() for i = 1, 65000, 65 do local _ = view["key " .. i] end end)
end
