-- A behaviour graph: opened and listed, every field read, and converted between Skyrim LE and SE.

local lathe = require "lathe"

local corpus = os.getenv "LATHE_CORPUS" or "../shared/corpus"

local function seconds(fn)
  local best = math.huge
  for _ = 1, 5 do
    collectgarbage()
    local start = os.clock()
    fn()
    best = math.min(best, os.clock() - start)
  end
  return best
end

local file = io.open(corpus .. "/hkx-behavior/skyrim-le/0_master.hkx", "rb")
if not file then
  print("  NOT MEASURED: no corpus")
  return
end
local bytes = file:read "a"
file:close()

-- What any reader has to do at least: copy the bytes.
local copies = 200
local copy = seconds(function()
  for i = 1, copies do
    local _ = bytes:sub(2, -1 - i % 2)
  end
end) / copies

local function show(what, time)
  print(("  %-36s %8.3f ms %8.0f MB/s %9.2f x copy"):format(what, time * 1e3, #bytes / time / 1e6, time / copy))
end

show("copy of the bytes (string.sub)", copy)
show("open and list 0_master.hkx", seconds(function()
  local doc <close> = assert(lathe.parse(bytes))
  for _, object in ipairs(doc.objects) do lathe.type(object) end
end))
show("open and read every field (totable)", seconds(function()
  local doc <close> = assert(lathe.parse(bytes))
  doc:totable()
end))
local doc <close> = assert(lathe.parse(bytes))
show("LE to SE", seconds(function() doc:serialize { game = "skyrim-se" } end))
show("check", seconds(function() doc:check() end))
