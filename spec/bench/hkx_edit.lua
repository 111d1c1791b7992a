-- What edits of packfiles cost: annotations of one clip, and objects among many.

local lathe = require "lathe"

local function measure(what, count, fn)
  collectgarbage()
  local start = os.clock()
  fn()
  local taken = os.clock() - start
  print(("  %-52s %10.1f us each %10.1f ms"):format(what, taken / count * 1e6, taken * 1e3))
end

local function clip(count)
  local annotations = {}
  for i = 1, count do annotations[i] = { time = i, text = "event" .. i } end
  local doc = assert(lathe.new("hkx", { game = "skyrim-se", objects = {
    { class = "hkRootLevelContainer", named_variants = { { name = "clip", variant = 2 } } },
    { class = "hkaInterleavedUncompressedAnimation", annotation_tracks = { { annotations = annotations } } },
  } }))
  return doc, doc.objects[2].annotation_tracks[1].annotations
end

for _, n in ipairs { 1000, 10000 } do
  print(("a clip with %d annotations"):format(n))
  local doc, list = clip(n)
  measure("rename all, one edit", n, function()
    doc:edit(function() for i = 1, n do list[i].text = "renamed" .. i * 7 end end)
  end)
  measure("longer names for all, one edit", n, function()
    doc:edit(function() for i = 1, n do list[i].text = ("longer than it was before") .. i end end)
  end)
  measure("rename 1000, an edit each", 1000, function() for i = 1, 1000 do list[i].text = "again" .. i end end)
  measure("append 1000, one edit", 1000, function()
    doc:edit(function() for i = 1, 1000 do list:append { time = i, text = "new" .. i } end end)
  end)
  measure("append 1000, an edit each", 1000, function()
    for i = 1, 1000 do list:append { time = i, text = "new" .. i } end
  end)
  measure("remove 1000 in front, one edit", 1000, function()
    doc:edit(function() for _ = 1, 1000 do list:remove(1) end end)
  end)
  measure("remove all", #list, function() list:resize(0) end)
end

do
  local n = 100000
  print(("%d objects"):format(n))
  local objects, children = {}, {}
  for i = 1, n do
    objects[i + 2] = { class = "hkMemoryResourceContainer", name = "c" .. i }
    children[i] = i + 2
  end
  objects[1] = { class = "hkRootLevelContainer", named_variants = { { variant = 2 } } }
  objects[2] = { class = "hkMemoryResourceContainer", children = children }
  local doc = assert(lathe.new("hkx", { game = "skyrim-se", objects = objects }))
  local all = doc.objects
  measure("a longer name for 100, an edit each", 100, function()
    for i = 1, 100 do all[i * 900].name = "a name that is longer than it was" .. i end
  end)
  measure("append 100 pointers, an edit each", 100, function()
    for i = 1, 100 do all[2].children:append(all[i + 10]) end
  end)
end
