-- Bones whose axes another program rotated, as Blender's importer does, and tracks that nobody edited.

local clip_glb = require "clip_glb"
local dice = require "dice"
local helper = require "helper"
local lathe = require "lathe"
local matrix = require "lathe.export.matrix"
local unchanged = require "lathe.import.unchanged"

local ONE = { 1, 1, 1 }
local FRAMES = 4

local function unit(q)
  local length = math.sqrt(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
  return { q[1] / length, q[2] / length, q[3] / length, q[4] / length }
end

local function any_pose(roll, s)
  local function some() return roll(2001) / 500 - 2 end
  return { t = { some(), some(), some() }, q = unit { some(), some(), some(), 3 }, s = s or ONE }
end

local function turn_by(q) return matrix.compose { t = { 0, 0, 0 }, q = q, s = ONE } end

-- L' = C(parent)^-1 L C(bone)
local function turned(pose, above, own)
  local m = matrix.compose(pose)
  if above then m = matrix.mul(matrix.invert(above), m) end
  if own then m = matrix.mul(m, own) end
  return assert(matrix.decompose(m))
end

-- A rig of five bones, poses of it, and the file of a program that turned bone i by turns[i].
local function rig(seed, turns)
  local roll = dice(seed)
  local skeleton = { up = "y", bones = {} }
  local poses, nodes, channels, joints = {}, {}, {}, {}
  for i, parent in ipairs { -1, 0, 1, 1, 3 } do
    local pose = any_pose(roll)
    skeleton.bones[i] = { name = "bone " .. i, parent = parent, pose = pose }
    local file = turned(pose, turns[parent + 1], turns[i])
    nodes[i] = { name = "bone " .. i, translation = file.t, rotation = file.q, scale = file.s, children = {} }
    if parent >= 0 then table.insert(nodes[parent + 1].children, i - 1) end
    joints[i], poses[i] = i - 1, {}
    local times, ts, qs = {}, {}, {}
    for frame = 1, FRAMES do
      poses[i][frame] = any_pose(roll)
      file = turned(poses[i][frame], turns[parent + 1], turns[i])
      times[frame] = frame - 1.0
      table.move(file.t, 1, 3, #ts + 1, ts)
      table.move(file.q, 1, 4, #qs + 1, qs)
    end
    table.insert(channels, { i - 1, "translation", times, ts })
    table.insert(channels, { i - 1, "rotation", times, qs })
  end
  for _, node in ipairs(nodes) do node.children = #node.children > 0 and node.children or nil end
  return skeleton, poses, nodes, joints, channels
end

local folder

local function import(nodes, joints, channels, opts)
  local path = helper.write(folder .. "/a.glb", clip_glb.pack(clip_glb.file(nodes, joints, channels)))
  return assert(lathe.import(path, opts))
end

local function worst_of(one, poses)
  local worst = 0
  for i, bone in ipairs(poses) do
    for frame, pose in ipairs(bone) do
      local row = { one.samples:row((frame - 1) * #poses + i) }
      local sign = row[4] * pose.q[1] + row[5] * pose.q[2] + row[6] * pose.q[3] + row[7] * pose.q[4] < 0 and -1 or 1
      for k = 1, 3 do
        worst = math.max(worst, math.abs(row[k] - pose.t[k]), math.abs(row[7 + k] - pose.s[k]))
      end
      for k = 1, 4 do worst = math.max(worst, math.abs(sign * row[3 + k] - pose.q[k])) end
    end
  end
  return worst
end

local function like_of(skeleton)
  local names, times = {}, {}
  for i, bone in ipairs(skeleton.bones) do names[i] = bone.name end
  for frame = 1, FRAMES do times[frame] = frame - 1.0 end
  return { bones = names, fps = 1, frame_count = FRAMES, times = times, skeleton = skeleton }
end

local HALF = math.sqrt(0.5)
local QUARTERS = { turn_by { 0, 0, HALF, HALF }, turn_by { 0.5, 0.5, 0.5, 0.5 }, nil, turn_by { 1, 0, 0, 0 },
  turn_by { 0, -HALF, 0, HALF } }
local ANY = { turn_by(unit { 1, 2, 3, 4 }), turn_by { 0, 0, HALF, HALF }, turn_by(unit { -3, 1, 0, 2 }) }

describe("bones with rotated axes", function()
  before_each(function() folder = helper.tmpdir() end)

  for name, turns in pairs { ["turned by quarters"] = QUARTERS, ["turned by any angle"] = ANY } do
    it(name .. " come back as the skeleton has them", function()
      for seed = 1, 20 do
        local skeleton, poses, nodes, joints, channels = rig(seed, turns)
        local one = import(nodes, joints, channels, { like = like_of(skeleton), scale = 1 })[1]
        local n = 0
        for _ in pairs(turns) do n = n + 1 end
        assert.equal(n, one.report.turned)
        assert.is_nil(one.report.rests_elsewhere)
        assert.is_true(worst_of(one, poses) < 1e-5, ("seed %d: off by %g"):format(seed, worst_of(one, poses)))
      end
    end)
  end

  it("are left alone where they have the skeleton's", function()
    local skeleton, poses, nodes, joints, channels = rig(7, {})
    local one = import(nodes, joints, channels, { like = like_of(skeleton), scale = 1 })[1]
    assert.equal(0, one.report.turned)
    assert.is_true(worst_of(one, poses) < 1e-6)
  end)

  it("are left alone, and that is told, where most of them rest elsewhere", function()
    local skeleton, _, nodes, joints, channels = rig(8, QUARTERS)
    for _, bone in ipairs(skeleton.bones) do bone.pose.t = { bone.pose.t[1] + 9, 0, 0 } end
    local one = import(nodes, joints, channels, { like = like_of(skeleton), scale = 1 })[1]
    assert.same({ 0, true }, { one.report.turned, one.report.rests_elsewhere })
  end)

  it("of a skeleton are restored by multiples of 90 degrees: smaller rotations are edits, and stay", function()
    local skeleton, _, nodes, joints = rig(9, QUARTERS)
    local edited = unit { 0, 0, 0.1, 1 }
    local own = turned(skeleton.bones[5].pose, nil, turn_by(edited))
    local file = turned(own, QUARTERS[4], QUARTERS[5])
    nodes[5].rotation = file.q
    local back = import(nodes, joints, nil, { what = "skeleton", like = skeleton, scale = 1 })
    assert.equal(4, back.report.turned)
    for i, bone in ipairs(back.bones) do
      local wanted = i == 5 and own or skeleton.bones[i].pose
      local sign = bone.pose.q[4] * wanted.q[4] < 0 and -1 or 1
      for k = 1, 4 do assert.near(wanted.q[k], sign * bone.pose.q[k], 1e-5) end
      for k = 1, 3 do assert.near(wanted.t[k], bone.pose.t[k], 1e-5) end
    end
  end)

  it("that have three negative scales, as Blender writes mirrored ones, get the signs of the rest pose", function()
    local skeleton, poses, nodes, joints, channels = rig(10, {})
    for frame = 1, FRAMES do poses[5][frame].s = { -1, 1, 1 } end
    skeleton.bones[5].pose.s = { -1, 1, 1 }
    local ts, qs, ss, times = {}, {}, {}, {}
    for frame, pose in ipairs(poses[5]) do      -- q diag(-1, 1, 1) is q (1, 0, 0, 0) diag(-1, -1, -1)
      local q = pose.q
      table.move(pose.t, 1, 3, #ts + 1, ts)
      table.move({ q[4], q[3], -q[2], -q[1] }, 1, 4, #qs + 1, qs)
      table.move({ -1, -1, -1 }, 1, 3, #ss + 1, ss)
      times[frame] = frame - 1.0
    end
    local q = skeleton.bones[5].pose.q
    nodes[5].rotation = { q[4], q[3], -q[2], -q[1] }
    channels[9], channels[10] = { 4, "translation", times, ts }, { 4, "rotation", times, qs }
    channels[11] = { 4, "scale", times, ss }
    local one = import(nodes, joints, channels, { like = like_of(skeleton), scale = 1 })[1]
    assert.equal(0, one.report.turned)
    assert.is_true(worst_of(one, poses) < 1e-5)
  end)
end)

describe("a rotation that is none", function()
  before_each(function() folder = helper.tmpdir() end)

  it("at rest, beside bones turned by any angle, is no turn", function()
    for _, q in ipairs { { HALF, 0, 0, 0 }, { 0, HALF, 0, 0 }, { 0, 0, HALF, 0 } } do -- of no unit length: flattens
      local skeleton, _, nodes, joints, channels = rig(12, ANY)
      nodes[5].rotation = q
      local ok, one, err = pcall(lathe.import, helper.write(folder .. "/a.glb",
        clip_glb.pack(clip_glb.file(nodes, joints, channels))), { like = like_of(skeleton), scale = 1 })
      assert.is_true(ok, tostring(one))
      assert.is_true(one ~= nil or err.code ~= nil)
    end
  end)
end)

describe("tracks that were not edited", function()
  local samples = lathe.buffer("f32", 4, 10, {
    100, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 0, 0, 0, 1, 1, 1, 1,
    100, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 0, 0, 0, 1, 1, 1, 1,
  })
  local function keep(...)
    local list = samples:totable()
    for _, change in ipairs { ... } do list[change[1]] = change[2] end
    local out, n = unchanged.keep(lathe.buffer("f32", 4, 10, list), samples, 2)
    return out:totable(), n
  end

  it("have the original's samples, where differences are those of rounding", function()
    local same = samples:totable()
    assert.same({ same, 2 }, { keep({ 11, 1.0009 }, { 34, 5e-5 }, { 20, 1.00005 }) })
    assert.same({ same, 2 }, { keep({ 37, -1 }) }) -- the same rotation
    local list, n = keep({ 11, 1.0009 }, { 31, 1.002 })
    assert.same({ 1, lathe.buffer("f32", 1, 1, { 1.0009 }):at(1, 1) }, { n, list[11] })
    assert.equal(1, select(2, keep { 4, 2e-4 }))
    assert.equal(1, select(2, keep { 30, 1.0002 }))
    assert.equal(1, select(2, keep { 1, 0 / 0 }))
  end)

  it("are none of a clip with more frames", function()
    local longer = lathe.buffer("f32", 6, 10)
    local out, n = unchanged.keep(longer, samples, 2)
    assert.is_true(rawequal(out, longer))
    assert.is_nil(n)
  end)
end)
