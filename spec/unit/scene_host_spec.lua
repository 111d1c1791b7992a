-- The scene for C: the numbers that a program gets through lathe.h are those that Lua gets.

local helper = require "helper"
local lathe = require "lathe"

local ROWS <const> = { "positions", "normals", "tangents", "uvs", "colors", "joints", "weights", "indices",
  "triangle_materials" }

-- As the hosts in spec/c add numbers up.
local function sum(numbers)
  local s = 0.0
  for i = 1, #numbers do s = s + numbers[i] * ((i - 1) % 97 + 1) end
  return ("%.9g"):format(s)
end

local function of_buffer(buffer)
  return buffer and ("%d:%s"):format(buffer.rows, sum(buffer:totable())) or "0:0"
end

-- How a mesh looks, and what it is made of and moved by.
local function add_look(parts, mesh)
  local function add(...) parts[#parts + 1] = (...):format(select(2, ...)) end
  add("%s %d %s %d", mesh.shape or "-", mesh.body or 0, sum(mesh.node_transform or {}), mesh.object or 0)
  for _, name in ipairs(mesh.materials or {}) do add("%s", name) end
  for _, bone in ipairs(mesh.skin and mesh.skin.bones or {}) do
    add("%s:%d:%s:%s", bone.name or "-", bone.parent, sum(bone.bind), sum(bone.world))
  end
  local letters, textures = 0, 0
  for role, path in pairs(mesh.surface and mesh.surface.textures or {}) do
    letters, textures = letters + #role + #path, textures + 1
  end
  if mesh.surface then
    add("%s %s %d", sum(mesh.surface.base_color), sum(mesh.surface.emissive), textures)
  end
  add("%d", letters)
end

local function meshes(doc, what, n, out)
  if n == 0 then return end                       -- of formats without any, doc:meshes says so
  for mesh in doc:meshes { what = what, left_out = {} } do
    local parts = { ("mesh %s %s %g"):format(mesh.name or "-", sum(mesh.transform), mesh.metres or 0) }
    for _, name in ipairs(ROWS) do parts[#parts + 1] = of_buffer(mesh[name]) end
    add_look(parts, mesh)
    out[#out + 1] = table.concat(parts, " ") .. " ."
  end
end

local function skeletons(doc, out)
  for _, skeleton in ipairs(doc.skeletons) do
    for _, bone in ipairs(skeleton.bones) do
      local p, pose = bone.pose, {}
      for i = 1, 3 do pose[i], pose[7 + i] = p.t[i], p.s[i] end
      for i = 1, 4 do pose[3 + i] = p.q[i] end
      out[#out + 1] = ("bone %s %d %s"):format(bone.name or "-", bone.parent, sum(pose))
    end
    for _, slot in ipairs(skeleton.float_slots or {}) do out[#out + 1] = "slot " .. slot end
  end
end

local function clip_line(clip)
  local parts = { ("clip %d %d %.9g"):format(clip.frame_count, #clip.tracks, clip.duration) }
  local function add(ok, buffer)
    if ok and buffer then parts[#parts + 1] = sum(buffer:totable()) end
  end
  add(pcall(clip.decode, clip))
  add(pcall(clip.decode_floats, clip))
  add(pcall(clip.sample, clip, { time = clip.duration / 2 }))
  add(pcall(function() return clip.root_motion end))
  add(pcall(clip.times, clip))
  local up, forward = clip:axes()
  parts[#parts + 1] = sum(table.move(forward, 1, 3, 4, up))
  for _, track in ipairs(clip.tracks) do
    parts[#parts + 1] = ("%s:%d"):format(track.bone or "-", track.bone_index)
  end
  for _, track in ipairs(clip.float_tracks) do
    parts[#parts + 1] = ("%s:%d"):format(track.name or "-", track.slot_index)
  end
  return table.concat(parts, " ") .. " ."
end

local function clips(doc, out)
  for _, clip in ipairs(doc.animations) do
    local ok, times = pcall(clip.times, clip)       -- damaged ones have none
    if ok and times then
      out[#out + 1] = clip_line(clip)
      for _, note in ipairs(clip.annotations) do
        out[#out + 1] = ("annotation %.9g %d %d"):format(note.time, note.track, #note.text)
      end
    end
  end
end

-- Items of a behavior graph: their names, and the numbers that are found by them. `first` is what a C program counts from.
local function items(list, number, out, first)
  local by_name, has_names, key = {}, true, 0
  for k, item in pairs(list) do
    local name = item
    if type(item) ~= "string" then
      has_names = lathe.type(item) ~= "hkbStateMachineTransitionInfo"
      name = has_names and item.name or nil
    end
    if not has_names then
      out[#out + 1] = ("item %d %d %s"):format(number, k - first, lathe.type(item))
    elseif lathe.type(item) == "hkbStateMachineStateInfo" then
      local ok, found = pcall(function() return list[name] end)
      if ok then assert.equal(item, found) end
      out[#out + 1] = ("item %d %d %s %s"):format(number, k - first, name, ok and tostring(key) or "-")
    else
      by_name[name] = by_name[name] or k - first
      out[#out + 1] = ("item %d %d %s %d"):format(number, k - first, name, by_name[name])
    end
    key = key + 1
  end
end

local function graphs(doc, out)
  local graph = doc.graph
  if graph then
    out[#out + 1] = ("item 6 0 %s 0"):format(graph.name)
    items(graph.events, 7, out, 0)
    items(graph.variables, 8, out, 0)
    items(graph.states, 9, out, 1)
    items(graph.transitions, 10, out, 1)
    items(graph.clips, 11, out, 1)
  end
  items(doc.animation_files, 12, out, 1)
end

local function run_host(name, paths)
  local words = { helper.build .. "/spec/c/" .. name, table.unpack(paths) }
  local r = helper.run(words)
  assert.equal(0, r.code, r.err .. (r.out:match ".*\nfile ([^\n]*)" or ""))
  return r.out
end

-- A host's lines without those that tell how many items a list has, and those counts.
local function split(out)
  local lines, counts = {}, {}
  for line in out:gmatch "[^\n]+" do
    local list, n = line:match "^list (%d+) (%d+)$"
    if list then counts[list + 1] = tonumber(n) else lines[#lines + 1] = line end
  end
  return lines, counts
end

local function compare(path, lines, counts)
  local doc <close> = assert(lathe.open(path))
  local graph = doc.graph
  assert.same({ #doc.skeletons, #doc.animations, #doc.materials, #doc.bodies, graph and 1 or 0, #doc.events,
    #doc.variables, graph and #graph.states or 0, graph and #graph.transitions or 0, graph and #graph.clips or counts[12],
    #doc.animation_files }, { table.unpack(counts, 3) }, path)
  local out = {}
  local whole = pcall(meshes, doc, "geometry", counts[1], out) and pcall(meshes, doc, "collision", counts[2], out)
    and pcall(skeletons, doc, out)
  if not whole then return false end              -- damaged: Lua says why, a program goes on with the next mesh
  clips(doc, out)
  graphs(doc, out)
  assert.same(out, lines, path)
  return true
end

-- Those of the corpus that lathe opens.
local function known_files(root)
  local paths = {}
  for path in io.popen(("find %s -type f | LC_ALL=C sort"):format(helper.quote(root))):lines() do
    local doc <close> = lathe.open(path)
    if doc then paths[#paths + 1] = path end
  end
  return paths
end

describe("a program in C", function()
  it("gets the numbers that Lua gets of every file of the corpus #corpus", function()
    local paths, files = known_files(helper.need_corpus("", pending)), 0
    -- One process for all: to start one under sanitizers takes longer than most files do.
    local out = run_host("scene_numbers_host", paths)
    for i, path in ipairs(paths) do
      local head = ("file %s\n"):format(path)
      assert.equal(head, out:sub(1, #head))
      local after = paths[i + 1] and assert(out:find(("\nfile %s\n"):format(paths[i + 1]), #head, true)) or #out
      if compare(path, split(out:sub(#head + 1, after))) then files = files + 1 end
      out = out:sub(after + 1)
    end
    assert(files > 350, files)
  end)

  it("prints meshes and poses in under eighty lines", function()
    local source = assert(io.open "spec/c/scene_host.c"):read "a"
    assert(select(2, source:gsub("\n", "")) < 80)
    local doc = assert(lathe.new("solid", { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0.5 } },
      triangles = { { a = 0, b = 1, c = 2, gx = { 0, 1, 0 }, gy = { 0, 0, 1 } } } }))
    local path = helper.tmpdir() .. "/one.solid"
    assert(doc:save(path))
    local lines, counts = split(run_host("scene_host", { path }))
    assert.equal(1, counts[1])
    assert.equal(1, #lines)
    assert(lines[1]:match "^mesh .* 3:", lines[1])
  end)
end)
