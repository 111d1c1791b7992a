-- Clips that go to Blender and come back: what Blender computes, and what its own exporter writes.
-- #tools: runs Blender where it is installed (make blender installs it).

local dkjson = require "dkjson"
local export_clip = require "lathe.export.clip"
local helper = require "helper"
local lathe = require "lathe"
local matrix = require "lathe.export.matrix"
local turns = require "lathe.import.turns"

-- A clip of each game, the skeleton that moves it, and Blender's frame rate, at which all keys stand at frames:
-- times of .anm are whole milliseconds.
local CLIPS = {
  { "Fallout 4", "hkx/fo4/Death1.hkx", "hkx/fo4/skeleton.hkx", 30 },
  { "Skyrim LE", "hkx/skyrim-le/1hm_staggerbacksmallest.hkx", "hkx/skyrim-le/skeleton.hkx", 30 },
  { "Skyrim SE", "hkx/skyrim-se/sneak_1hmattackintro.hkx", "hkx/skyrim-se/skeleton.hkx", 30 },
  { "Dark Souls Remastered", "tagfile/DSR_a00_0000.hkx", "tagfile/DSR_Skeleton.hkx", 30 },
  { "Overgrowth", "wolfire/anm/long_run_v10.anm", "wolfire/phxbn/full_v10.phxbn", 1000 },
}
local BONE_DIRS = { "TEMPERANCE", "BLENDER", "FORTUNE" }
local SAMPLES = 1e-3 -- of samples that come back, in units and quaternions
local POSES = 1e-4   -- of where Blender has bones, of the skeleton's size, and of rotations

local blender = helper.run("command -v blender").code == 0

-- Whether clips of the corpus can be tried; a test that cannot says so.
local function ready(pending)
  if not blender then return pending "NOT TESTED: no blender: make blender" end
  return helper.need_corpus("hkx", pending) and true
end

-- Runs a script of spec/support/blender.
local function blender_does(script, ...)
  local r = helper.run({ "blender", "--background", "--factory-startup", "--python-exit-code", "3", "--python",
    ("%s/spec/support/blender/%s.py"):format(helper.root, script), "--", ... }, { timeout = 300 })
  assert(r.code == 0, r.out .. r.err)
end

local function run_blender(folder, fps, bone_dir)
  blender_does("round_trip", folder .. "/out.glb", fps, bone_dir, folder .. "/poses.json", folder .. "/back.glb")
  return dkjson.decode(helper.read(folder .. "/poses.json"))
end

-- Where bones are, in the model's space.
local function worlds_of(bones, pose_of)
  local worlds = {}
  for i, bone in ipairs(bones) do
    local m = matrix.compose(pose_of(i, bone) or bone.pose)
    worlds[i] = bone.parent >= 0 and matrix.mul(worlds[bone.parent + 1], m) or m
  end
  return worlds
end

local function size_of(worlds)
  local size = 0
  for _, m in ipairs(worlds) do size = math.max(size, math.abs(m[13]), math.abs(m[14]), math.abs(m[15])) end
  return size
end

-- Blender's rows as a matrix of ours, whose y is up where the skeleton's is.
local function of_blender(rows, up)
  local m = {}
  for column = 1, 4 do
    for row = 1, 4 do m[4 * column - 4 + row] = rows[row][column] end
  end
  return up == "y" and matrix.mul({ 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1 }, m) or m
end

local function motion_of(clip, frame)
  local motion = clip.root_motion
  if not motion then return matrix.IDENTITY end
  local half, up = motion:at(frame, 4) / 2, clip.up
  local sine = math.sin(half)
  return matrix.compose { t = { motion:at(frame, 1), motion:at(frame, 2), motion:at(frame, 3) },
    q = { up[1] * sine, up[2] * sine, up[3] * sine, math.cos(half) }, s = { 1, 1, 1 } }
end

local function sample_of(clip, i)
  local row = { clip.samples:row(i) }
  row = type(row[1]) == "table" and row[1] or row
  return { t = { row[1], row[2], row[3] }, q = { row[4], row[5], row[6], row[7] }, s = { row[8], row[9], row[10] } }
end

-- The rotation in a matrix. Blender's bones at rest cannot mirror: what does is turned inside out.
local function rotation_of(m)
  local sign = matrix.determinant(m) < 0 and -1 or 1
  local axes = {}
  for k = 1, 3 do
    local v = { sign * m[4 * k - 3], sign * m[4 * k - 2], sign * m[4 * k - 1] }
    for i = 1, k - 1 do
      local u = axes[i]
      local along = v[1] * u[1] + v[2] * u[2] + v[3] * u[3]
      for c = 1, 3 do v[c] = v[c] - along * u[c] end
    end
    local length = math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2)
    axes[k] = { v[1] / length, v[2] / length, v[3] / length }
  end
  local x, y, z = axes[1], axes[2], axes[3]
  return { x[1], x[2], x[3], 0, y[1], y[2], y[3], 0, z[1], z[2], z[3], 0, 0, 0, 0, 1 }
end

-- How a bone is turned from where it rests.
local function turned(m, rest)
  return matrix.mul(rotation_of(m), matrix.invert(rotation_of(rest)))
end

-- The largest differences of places and of rotations between Blender's bones and the clip.
local function compare_poses(clip, theirs, fps)
  local bones, up = clip.skeleton.bones, clip.skeleton.up
  local tracks, n = {}, #clip.bones
  for k, name in ipairs(clip.bones) do tracks[name] = k end
  local rest = worlds_of(bones, function() end)
  local axes = worlds_of(bones, function(_, bone) return turns.unscaled(bone.pose) end) -- as Blender has them
  local place, angle = 0, 0
  for frame = 1, clip.frame_count do
    local worlds = worlds_of(bones, function(_, bone)
      local k = tracks[bone.name]
      return k and sample_of(clip, (frame - 1) * n + k)
    end)
    local motion = motion_of(clip, frame)
    local shown = theirs.frames[math.floor(clip.times[frame] * fps + 0.5) + 1]
    for i, bone in ipairs(bones) do
      local m, b = matrix.mul(motion, worlds[i]), of_blender(shown[bone.name], up)
      local a, c = turned(m, axes[i]), turned(b, of_blender(theirs.rest[bone.name], up))
      for k = 13, 15 do place = math.max(place, math.abs(m[k] - b[k])) end
      for k = 1, 11 do angle = math.max(angle, math.abs(a[k] - c[k])) end
    end
  end
  return place / size_of(rest), angle
end

local function compare_samples(clip, back)
  assert.equal(clip.samples.rows, back.samples.rows)
  local worst = 0
  for i = 1, clip.samples.rows do
    local a, b = sample_of(clip, i), sample_of(back, i)
    local dot = a.q[1] * b.q[1] + a.q[2] * b.q[2] + a.q[3] * b.q[3] + a.q[4] * b.q[4]
    for k = 1, 4 do worst = math.max(worst, math.abs(a.q[k] - (dot < 0 and -1 or 1) * b.q[k])) end
    for k = 1, 3 do worst = math.max(worst, math.abs(a.t[k] - b.t[k]), math.abs(a.s[k] - b.s[k])) end
  end
  return worst
end

describe("Blender #tools #slow", function()
  it("raises an arm, as the manual's recipe has it, and nothing else moves", function()
    if not ready(pending) then return end
    local folder = helper.tmpdir()
    for name, path in pairs { ["run.hkx"] = "run_forward_to_idle.hkx", ["skeleton.hkx"] = "skeleton.hkx" } do
      helper.write(folder .. "/" .. name, helper.read(helper.corpus("hkx/fo4/" .. path)))
    end
    local function lathe_says(...)
      local r = helper.lathe({ ... }, { cwd = folder })
      assert.equal("", r.err)
      return r.out
    end
    lathe_says("export", "run.hkx", "--skeleton", "skeleton.hkx", "-o", "run.glb")
    blender_does("raise_arm", folder .. "/run.glb", 30, "RArm_UpperArm", -60, folder .. "/raised.glb")
    local said = lathe_says("import", "raised.glb", "--like", "run.hkx", "--skeleton", "skeleton.hkx", "-o", "raised.hkx")
    assert.equal([[
raised.glb: 'run', 30 frames of 95 bones, 0.966667 s -> raised.hkx
  bone axes: 82 bones had those that Blender's importer gives; restored
  not edited: 94 of 95 tracks, which keep their samples
]], (said:gsub("  compression: [^\n]*\n", "")))
    said = helper.lathe({ "diff", "run.hkx", "raised.hkx", "--skeleton", "skeleton.hkx" }, { cwd = folder }).out
    assert.match("^animations%[1%]%.tracks%[22%] %(RArm_UpperArm%): differs in 30 frames, .* 1%.0[0-9]+ rad [^\n]*\n$",
      said)
  end)

  for _, case in ipairs(CLIPS) do
    local game, path, rig, fps = table.unpack(case)
    for _, bone_dir in ipairs(BONE_DIRS) do
      it(("plays a clip of %s and gives it back, bones laid by %s"):format(game, bone_dir), function()
        if not ready(pending) then return end
        local folder = helper.tmpdir()
        local skeleton <close> = assert(lathe.open(helper.corpus(rig)))
        local doc <close> = assert(lathe.open(helper.corpus(path), { skeleton = skeleton }))
        assert(lathe.export(doc, folder .. "/out.glb", { skeleton = skeleton }))
        local theirs = run_blender(folder, fps, bone_dir)
        local clip = assert(export_clip.of(doc.animations[1], { skeleton = skeleton }))
        local place, angle = compare_poses(clip, theirs, fps)
        local back = assert(lathe.import(folder .. "/back.glb", { like = doc, skeleton = skeleton }))[1]
        local worst = compare_samples(clip, back)
        assert.same({ missing = {}, extra = {} }, { missing = back.report.missing, extra = back.report.extra })
        assert.is_true(place < POSES, ("places are off by %g of the skeleton's size"):format(place))
        assert.is_true(angle < POSES, ("rotations are off by %g"):format(angle))
        assert.is_true(worst < SAMPLES, ("samples are off by %g"):format(worst))
      end)
    end
  end
end)
