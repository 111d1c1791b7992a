-- What Havok XML costs, read and written, beside the packfile that it means.

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

local function measure(what, bytes)
  local doc <close> = assert(lathe.parse(bytes))
  local text = assert(doc:serialize { as = "xml" })
  local out = seconds(function() doc:serialize { as = "xml" } end)
  local back = seconds(function() lathe.parse(text):close() end)
  print(("  %-36s %6.0f KB %8.0f KB of text %6.0f MB/s written %6.0f MB/s read"):format(what, #bytes / 1e3, #text / 1e3,
    #text / out / 1e6, #text / back / 1e6))
end

local bones = {}
for i = 1, 20000 do bones[i] = { name = "Bone " .. i } end
local rig <close> = assert(lathe.new("hkx", { game = "skyrim-se", objects = {
  { class = "hkRootLevelContainer", named_variants = { { name = "x", variant = 2 } } },
  { class = "hkaSkeleton", bones = bones },
} }))
measure("20,000 bones", rig:encode())

local file = io.open(corpus .. "/hkx-behavior/skyrim-se/0_master.hkx", "rb")
if file then
  measure("0_master.hkx", file:read "a")
  file:close()
end
