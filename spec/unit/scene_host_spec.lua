-- Lists, meshes, bones and animations for C: the numbers that a program gets through lathe.h are those that Lua gets.

local helper = require "helper"
local lathe = require "lathe"

local ROWS <const> = { "positions", "normals", "tangents", "uvs", "colors", "joints", "weights", "indices" }

-- As spec/c/scene_host.c adds numbers up.
local function sum(numbers)
  local s = 0.0
  for i = 1, #numbers do s = s + numbers[i] * ((i - 1) % 97 + 1) end
  return ("%.9g"):format(s)
end

local function of_buffer(buffer)
  return buffer and ("%d:%s"):format(buffer.rows, sum(buffer:totable())) or "0:0"
end

local function meshes(doc, what, n, out)
  if n == 0 then return end                       -- of formats without any, doc:meshes says so
  for mesh in doc:meshes { what = what, left_out = {} } do
    local parts = { ("mesh %s %s %g"):format(mesh.name or "-", sum(mesh.transform), mesh.metres or 0) }
    for _, name in ipairs(ROWS) do parts[#parts + 1] = of_buffer(mesh[name]) end
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
  end
end

local function clips(doc, out)
  for _, clip in ipairs(doc.animations) do
    local ok, poses = pcall(clip.decode, clip)
    if ok and poses then
      out[#out + 1] = ("clip %d %d %.9g %s"):format(clip.frame_count, #clip.tracks, clip.duration, sum(poses:totable()))
    end
  end
end

-- The host's lines without those that tell how many items a list has, and those counts.
local function host(path)
  local lines, counts = {}, {}
  local r = helper.run(helper.build .. "/spec/c/scene_host " .. helper.quote(path))
  assert.equal(0, r.code, r.err)
  for line in r.out:gmatch "[^\n]+" do
    local list, n = line:match "^list (%d) (%d+)$"
    if list then counts[list + 1] = tonumber(n) else lines[#lines + 1] = line end
  end
  return lines, counts
end

local function compare(path)
  local doc <close> = lathe.open(path)
  if not doc then return false end
  local lines, counts = host(path)
  assert.same({ #doc.skeletons, #doc.animations, #doc.materials, #doc.bodies }, { table.unpack(counts, 3) }, path)
  local out = {}
  local whole = pcall(meshes, doc, "geometry", counts[1], out) and pcall(meshes, doc, "collision", counts[2], out)
    and pcall(skeletons, doc, out)
  if not whole then return false end              -- damaged: Lua says why, a program goes on with the next mesh
  clips(doc, out)
  assert.same(out, lines, path)
  return true
end

describe("a program in C", function()
  it("gets the numbers that Lua gets of every file of the corpus #corpus", function()
    local root, files = helper.need_corpus("", pending), 0
    for path in io.popen(("find %s -type f | LC_ALL=C sort"):format(helper.quote(root))):lines() do
      if compare(path) then files = files + 1 end
    end
    assert(files > 350, files)
  end)
end)
