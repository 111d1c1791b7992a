-- A behaviour graph of Skyrim: opened and listed, every field read, checked, converted from LE to SE, written as XML and
-- read from it.

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

local function measure(name, bytes)
  print(("  %s, %.0f KB"):format(name, #bytes / 1e3))
  -- The least that any reader does is to copy the bytes.
  local copies = 200
  local copy = seconds(function()
    for i = 1, copies do
      local _ = bytes:sub(2, -1 - i % 2)
    end
  end) / copies
  local function show(what, size, time)
    print(("  %-34s %8.3f ms %8.0f MB/s %9.2f x copy"):format(what, time * 1e3, size / time / 1e6, time / copy))
  end
  show("copy of the bytes (string.sub)", #bytes, copy)
  show("open and list the objects", #bytes, seconds(function()
    local doc <close> = assert(lathe.parse(bytes))
    for _, object in ipairs(doc.objects) do lathe.type(object) end
  end))
  show("open and read every field", #bytes, seconds(function()
    local doc <close> = assert(lathe.parse(bytes))
    doc:totable()
  end))
  local doc <close> = assert(lathe.parse(bytes))
  show("check", #bytes, seconds(function() doc:check() end))
  show("LE to SE", #bytes, seconds(function() doc:serialize { game = "skyrim-se" } end))
  local text = assert(doc:serialize { as = "xml" })
  show("XML written (MB of text)", #text, seconds(function() doc:serialize { as = "xml" } end))
  show("XML read (MB of text)", #text, seconds(function() lathe.parse(text):close() end))
end

local bones = {}
for i = 1, 20000 do bones[i] = { name = "Bone " .. i } end
local rig <close> = assert(lathe.new("hkx", { game = "skyrim-le", objects = {
  { class = "hkRootLevelContainer", named_variants = { { name = "x", variant = 2 } } },
  { class = "hkaSkeleton", bones = bones },
} }))
measure("20,000 bones", rig:encode())

local file = io.open(corpus .. "/hkx-behavior/skyrim-le/0_master.hkx", "rb")
if file then
  measure("0_master.hkx", file:read "a")
  file:close()
else
  print("  0_master.hkx: NOT MEASURED: no corpus")
end
