-- What writing packfiles anew costs, beside a copy of the same bytes: made ones, and those of the corpus.

local lathe = require "lathe"

local function seconds(fn, times)
  local best = math.huge
  for _ = 1, 3 do
    collectgarbage()
    local start = os.clock()
    for _ = 1, times do fn() end
    best = math.min(best, (os.clock() - start) / times)
  end
  return best
end

local function measure(what, doc, opts)
  local bytes = assert(doc:serialize(opts))
  local times = math.max(1, 4000000 // #bytes)
  local copy = seconds(function() local _ = bytes:sub(1, -2) end, times)
  local taken = seconds(function() doc:serialize(opts) end, times)
  print(("  %-44s %9.0f KB %8.0f MB/s %8.2f x copy"):format(what, #bytes / 1e3, #bytes / taken / 1e6, taken / copy))
end

-- A root that leads to all the others.
local function made(objects, game)
  local variants = {}
  for i = 1, #objects do variants[i] = { variant = i + 1 } end
  table.insert(objects, 1, { class = "hkRootLevelContainer", named_variants = variants })
  return assert(lathe.new("hkx", { game = game, objects = objects }))
end

local function clips(count, bytes, annotations)
  local objects = {}
  for i = 1, count do
    local tracks = {}
    for t = 1, 100 do
      tracks[t] = { annotations = {} }
      for a = 1, annotations do tracks[t].annotations[a] = { time = a, text = "SoundPlay." .. a } end
    end
    objects[i] = { class = "hkaSplineCompressedAnimation", annotation_tracks = tracks, data = ("x"):rep(bytes) }
  end
  return objects
end

local function containers(count)
  local objects = {}
  for i = 1, count do objects[i] = { class = "hkMemoryResourceContainer", name = "container " .. i } end
  return objects
end

for _, row in ipairs {
  { "100 clips of 1 MB", clips(100, 1000000, 0) },
  { "2,000 clips of 20 KB", clips(2000, 20000, 0) },
  { "100 clips of 20,000 annotations", clips(100, 0, 200) },
  { "200,000 small objects", containers(200000) },
} do
  local doc <close> = made(row[2], "skyrim-se")
  measure(row[1], doc)
  measure("  for Skyrim LE", doc, { game = "skyrim-le" })
end

local folder = (os.getenv "LATHE_CORPUS" or "../shared/corpus") .. "/hkx/"
for _, name in ipairs { "fo4/CoughingAfterCryo.hkx", "fo4/Death1.hkx", "fo4/skeleton.hkx", "skyrim-se/skeleton.hkx" } do
  local doc = lathe.open(folder .. name)
  if doc then
    measure(name, doc)
    doc:close()
  end
end
