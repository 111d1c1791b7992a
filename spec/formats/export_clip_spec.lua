-- Animations as plain tables, which exports are made of.

local clip = require "lathe.export.clip"
local csv = require "lathe.export.csv"
local helper = require "helper"
local lathe = require "lathe"

local CORPUS = helper.corpus_root

local function open(name, skeleton)
  local rig = skeleton and assert(lathe.open(CORPUS .. "/" .. skeleton))
  return assert(lathe.open(CORPUS .. "/" .. name, { skeleton = rig }))
end

describe("a clip as a table #corpus", function()
  it("has all of a Fallout 4 clip", function()
    local doc <close> = open("hkx/fo4/Death1.hkx", "hkx/fo4/skeleton.hkx")
    local anim = doc.animations[1]
    local one = assert(clip.of(anim, { name = "Death1" }))
    assert.same({ "Death1", 81, "hkaSplineCompressedAnimation" }, { one.name, one.frame_count, one.class })
    assert.equal(anim:decode():pack(), one.samples:pack())
    assert.equal(anim.root_motion:pack(), one.root_motion:pack())
    assert.same({ 95, "Root", "COM" }, { #one.bones, one.bones[1], one.bones[2] })
    assert.same({ 81, 0, anim.duration }, { #one.times, one.times[1], one.times[81] })
    assert.near(30, one.fps, 1e-5)
    assert.equal(5, #one.annotations)
    assert.same({ time = anim.annotations[1].time, text = anim.annotations[1].text,
      track = anim.annotations[1].track }, one.annotations[1])
    assert.is_nil(one.float_tracks)
    assert.is_nil(one.additive)
    local rig = one.skeleton
    assert.same({ "Root", 95, "z", 0.0142875 }, { rig.name, #rig.bones, rig.up, rig.metres })
    assert.same({ "COM", 0 }, { rig.bones[2].name, rig.bones[2].parent })
  end)

  it("has float tracks, and the hint of what is added to a pose", function()
    local doc <close> = open("hkx/skyrim-le/1hm_staggerbacksmallest.hkx", "hkx/skyrim-le/skeleton.hkx")
    local one = assert(clip.of(doc.animations[1]))
    assert.equal("hkVis:Shield", one.float_tracks.slots[1])
    assert.equal(38 * 4, one.float_tracks.samples.rows)
    local added <close> = open "hkx/skyrim-le/SOSFastErect.hkx"
    one = assert(clip.of(added.animations[1]))
    assert.equal("additive", one.additive)
    assert.same({ "track 0", "track 7" }, { one.bones[1], one.bones[8] })
  end)

  it("is relative to parents with a skeleton, and at the times of its key frames", function()
    local doc <close> = open "wolfire/anm/long_run_v10.anm"
    local rig <close> = open "wolfire/phxbn/full_v10.phxbn"
    local anim = doc.animations[1]
    assert.is_true(clip.of(anim).absolute)
    local one = assert(clip.of(anim, { skeleton = rig }))
    assert.is_nil(one.absolute)
    assert.equal(anim:decode({ skeleton = rig }):pack(), one.samples:pack())
    assert.same({ 0, 0.033, 1.287, 1.32 }, { one.times[1], one.times[2], one.times[40], one.duration })
    assert.near(1 / 0.033, one.fps, 1e-9)
    assert.same({ "y", 1.0 }, { one.skeleton.up, one.skeleton.metres })
    assert.same({ 0, 1, 0 }, one.up)
  end)

  it("has a name for each bone, and says which are made up", function()
    local rig <close> = open "wolfire/phxbn/ik_dup_empty_v10.phxbn"
    local bones, seen = clip.skeleton(rig).bones, {}
    for _, bone in ipairs(bones) do
      assert.is_nil(seen[bone.name])
      seen[bone.name] = true
    end
    assert.same({ "torso", nil, "head 4", true }, { bones[3].name, bones[3].made_up, bones[5].name, bones[5].made_up })
  end)

  it("is there for each animation of a document", function()
    local doc <close> = open("tagfile/DSR_a00_0000.hkx", "tagfile/DSR_Skeleton.hkx")
    local all = assert(clip.all(doc, { name = "a00_0000" }))
    assert.equal(1, #all)
    assert.same({ "a00_0000", "tagfile", "master", "y" },
      { all[1].name, all[1].format, all[1].bones[1], all[1].skeleton.up })
  end)
end)

describe("the curves of a clip as .csv #corpus", function()
  it("have a line for each bone of each frame, with angles where they are asked for", function()
    local doc <close> = open("hkx/fo4/Death1.hkx", "hkx/fo4/skeleton.hkx")
    local text = csv.encode(assert(clip.of(doc.animations[1])), "XYZ")
    local lines, samples = {}, doc.animations[1]:decode()
    for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
    assert.equal(1 + 81 * 95, #lines)
    assert.equal("frame,time,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz,rx,ry,rz", lines[1])
    for i = 1, samples.rows do
      local cells = {}
      for cell in (lines[i + 1] .. ","):gmatch "([^,]*)," do cells[#cells + 1] = tonumber(cell) or cell end
      local row = { samples:row(i) }
      assert.same({ (i - 1) // 95, 16 }, { cells[1], #cells })
      for k = 1, 10 do assert.equal(row[k], string.unpack("<f", string.pack("<f", cells[3 + k]))) end
    end
  end)

  it("quote names that need it", function()
    local samples = lathe.buffer("f32", 1, 10, { 1, 2, 3, 0, 0, 0, 1, 1, 1, 1 })
    assert.equal('frame,time,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz\n0,0.5,"a ""b"", c",1,2,3,0,0,0,1,1,1,1\n',
      csv.encode { bones = { 'a "b", c' }, frame_count = 1, times = { 0.5 }, fps = 30, samples = samples })
  end)

  it("have angles in any order of axes that make the same rotation", function()
    local function after(a, b) -- a, then b
      return { b[4] * a[1] + b[1] * a[4] + b[2] * a[3] - b[3] * a[2],
        b[4] * a[2] - b[1] * a[3] + b[2] * a[4] + b[3] * a[1],
        b[4] * a[3] + b[1] * a[2] - b[2] * a[1] + b[3] * a[4],
        b[4] * a[4] - b[1] * a[1] - b[2] * a[2] - b[3] * a[3] }
    end
    local half = math.sqrt(0.5)
    for _, q in ipairs { { 0.1, -0.5, 0.7, 0.5 }, { half, 0, 0, half }, { 0, half, 0, half }, { 0, 0, half, half } } do
      for _, order in ipairs { "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX" } do
        local angles, turned = { csv.euler(q[1], q[2], q[3], q[4], order) }, { 0, 0, 0, 1 }
        for axis in order:gmatch "." do
          local k = ({ X = 1, Y = 2, Z = 3 })[axis]
          local turn = { 0, 0, 0, math.cos(math.rad(angles[k]) / 2) }
          turn[k] = math.sin(math.rad(angles[k]) / 2)
          turned = after(turned, turn)
        end
        local dot = 0
        for k = 1, 4 do dot = dot + turned[k] * q[k] end
        assert.near(1, math.abs(dot), 1e-9, order)
      end
    end
  end)
end)
