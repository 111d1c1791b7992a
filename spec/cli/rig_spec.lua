-- What belongs to one character, and folders that hold all formats of the game.

local helper = require "helper"
local lathe = require "lathe"
local rigs = require "phxbn_rigs"
local sample = require "sample_hkx"
local sample_nif = require "sample_nif"
local skins = require "sample_skin"
local transcript = dofile "spec/cli/transcript.lua"

-- Five bones, three corners: see phxbn_rigs.
local function skeleton(change)
  local fields = rigs.biped(11, "control_joints")
  if change then change(fields) end
  return fields
end

local function volumes(...)
  local objects = {}
  for i, label in ipairs { ... } do objects[i] = { label = label, location = { 0, 0, i } } end
  return { objects = objects }
end

local function animation(bones)
  local matrices = {}
  for i = 1, bones do matrices[i] = { translation = { i, 0, 0 } } end
  return { length = 1000, frames = { { bone_matrices = matrices }, { time = 500, bone_matrices = matrices } } }
end

local TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"

describe("lathe", function()
  local folder, env

  before_each(function() folder, env = transcript.folder() end)

  local function make(name, format, fields)
    local doc <close> = assert(lathe.new(format, fields))
    assert(doc:save(folder .. "/" .. name))
  end

  local function run(command) return helper.run(command, { cwd = folder, env = env }) end

  local function character()
    make("A.phxbn", "phxbn", skeleton())
    make("A.fzx", "fzx", volumes("Head Sphere", "Chest Box", "Hip Box"))
    make("A.anm", "anm", animation(5))
    helper.write(folder .. "/A.obj", TRIANGLE)
  end

  describe("check A.phxbn A.fzx A.obj", function()
    before_each(character)

    it("says that they agree", function()
      local r = run "lathe check A.phxbn A.fzx A.obj A.anm"
      assert.equal("A.phxbn: ok\n  agrees with A.obj in the number of corners\nA.fzx: ok\n"
        .. "  agrees with A.phxbn in the bones that it is bound to\n"
        .. "A.anm: ok\n  agrees with A.phxbn in the bones that it is bound to\n", r.out)
      assert.equal(0, r.code)
    end)

    it("says which corners do not", function()
      helper.write(folder .. "/A.obj", TRIANGLE .. "f 1 2 3\n")
      local r = run "lathe check A.phxbn A.fzx A.obj"
      assert.matches("error: num_vertices at 0x", r.out, 1, true)
      assert.matches("(against A.obj)", r.out, 1, true)
      assert.matches("  agrees with A.phxbn in the bones that it is bound to\n", r.out, 1, true)
      assert.equal(1, r.code)
    end)

    it("says which part labels do not", function()
      make("A.fzx", "fzx", volumes("Head Sphere", "Tail2 Capsule"))
      local r = run "lathe check A.phxbn A.fzx A.obj"
      assert.matches("error: objects[2].label at 0x", r.out, 1, true)
      assert.matches("'Tail2 Capsule' needs the IK bone 'tail', which the skeleton does not have "
        .. "(against A.phxbn)", r.out, 1, true)
      assert.equal(1, r.code)
    end)

    it("says which IK names do not", function()
      make("A.phxbn", "phxbn", skeleton(function(f) f.ik_bones[1].name = "trunk" end))
      local r = run "lathe check A.phxbn A.fzx A.obj"
      assert.matches("'Chest Box' needs the IK bone 'torso'", r.out, 1, true)
      assert.matches("'Hip Box' needs the IK bone 'torso'", r.out, 1, true)
      assert.equal(1, r.code)
    end)

    it("says which bones do not", function()
      make("A.anm", "anm", animation(4))
      local r = run "lathe check A.anm A.phxbn"
      assert.matches("4 bones, the skeleton has 5 (against A.phxbn)", r.out, 1, true)
      assert.equal(1, r.code)
    end)

    it("pairs by name where there are several, and by themselves where there is one", function()
      make("B.phxbn", "phxbn", skeleton(function(f) f.ik_bones[3].name = "skull" end))
      local r = run "lathe check A.phxbn B.phxbn A.fzx"
      assert.equal(0, r.code)
      r = run "lathe check B.phxbn A.fzx"
      assert.matches("needs the IK bone 'head'", r.out, 1, true)
      r = run "lathe check B.phxbn A.obj"
      assert.matches("agrees with A.obj", r.out, 1, true)
    end)

    it("says what it had nothing to compare with, of files that are named", function()
      make("B.phxbn", "phxbn", skeleton())
      make("walk.anm", "anm", animation(5))
      local r = run "lathe check walk.anm A.phxbn B.phxbn"
      assert.equal("walk.anm: ok\n  not compared: no skeleton is called walk\nA.phxbn: ok\nB.phxbn: ok\n", r.out)
      r = run "lathe check A.phxbn B.phxbn A.obj"
      assert.equal("A.phxbn: ok\n  agrees with A.obj in the number of corners\nB.phxbn: ok\n"
        .. "  not compared: no model is called B\n", r.out)
      for _, command in ipairs { "lathe check .", "lathe check walk.anm .", "lathe check walk.anm" } do
        assert.not_matches("not compared", run(command).out, 1, true)
      end
    end)

    it("wants more than a model", function()
      local r = run "lathe check A.obj"
      assert.equal("lathe check: a model alone cannot be checked: name its skeleton, too\n", r.err)
      assert.equal(2, r.code)
      helper.write(folder .. "/A.obj", "f 1 2\n")
      r = run "lathe check A.obj A.phxbn"
      assert.equal("lathe check: A.obj: line 1: a face of 2 corners\n", r.err)
      assert.equal(2, r.code)
      r = run "lathe check A.phxbn missing.obj"
      assert.equal("lathe check: missing.obj: No such file or directory\n", r.err)
    end)
  end)

  describe("on a folder of all formats", function()
    before_each(function()
      os.execute(("mkdir %s/all && cp %s/tri.solid %s/all"):format(folder, folder, folder))
      make("all/A.phxbn", "phxbn", skeleton())
      make("all/A.fzx", "fzx", volumes("Head Sphere"))
      make("all/walk.anm", "anm", animation(2))
      make("all/game.sav3", "save", { levels = { { save_name = "x", values = { time = "1" } } } })
    end)

    it("retimes animations and lists the rest as skipped", function()
      local r = run "lathe retime --speed 2 all -o fast"
      assert.equal("all/A.fzx: skipped: fzx files have no retime\n"
        .. "all/A.phxbn: skipped: phxbn files have no retime\n"
        .. "all/game.sav3: skipped: save files have no retime\n"
        .. "all/tri.solid: skipped: solid files have no retime\n"
        .. "all/walk.anm: 2 changes -> fast/walk.anm\n", r.out)
      assert.equal("made the folder fast\n1 changed, 0 unchanged, 4 skipped, 0 failed\n"
        .. "  1 skipped: fzx files have no retime\n  1 skipped: phxbn files have no retime\n"
        .. "  1 skipped: save files have no retime\n  1 skipped: solid files have no retime\n", r.err)
      assert.equal(0, r.code)
      assert.equal("500\n", run("lathe get fast/walk.anm length").out)
      assert.equal(0, run("lathe retime --speed 0.5 fast -o back && cmp all/walk.anm back/walk.anm").code)
      assert.equal("2000\n", run("lathe retime --duration 2 all/walk.anm -o w.anm >o && lathe get w.anm length").out)
      assert.equal("100\n", run("lathe retime --fps 10 all/walk.anm -o w.anm >o && lathe get w.anm 'frames[2].time'").out)
    end)

    it("wants to know how", function()
      for _, options in ipairs { "", "--speed 2 --fps 3" } do
        local r = run("lathe retime -n all " .. options)
        assert.equal("lathe retime: give one of --speed, --duration and --fps\n", r.err)
        assert.equal(2, r.code)
      end
      local r = run "lathe retime -n all --speed 0"
      assert.matches("a number above 0 expected, got '0'", r.err, 1, true)
      assert.equal(2, r.code)
    end)

    it("scales what has lengths, there and back", function()
      local r = run "lathe scale 2 all -o big"
      assert.matches("all/game.sav3: skipped: save files have no scale\n", r.out, 1, true)
      assert.equal("made the folder big\n4 changed, 0 unchanged, 1 skipped, 0 failed\n"
        .. "  1 skipped: save files have no scale\n", r.err)
      assert.equal(0, r.code)
      assert.equal(0, run("lathe scale 0.5 big -o small && for f in small/*; do cmp $f all/${f#*/} || exit; done").code)
      r = run "lathe scale 2 all --what skeleton -n"
      assert.equal("1 would change, 3 unchanged, 1 skipped, 0 failed\n  1 skipped: save files have no scale\n", r.err)
    end)

    it("runs the examples for them", function()
      make("all/game.sav3", "save", { levels = { { arrays = { unlocked_levels = { "a", "b" } } }, {} } })
      local r = run "lathe run examples/unlock_levels.lua all -o out -- b c"
      assert.equal("all/game.sav3: changed -> out/game.sav3\n", (r.out:gsub("[^\n]*: unchanged\n", "")))
      assert.equal('"a"  "b"  "c"\n', run("lathe get out/game.sav3 'levels[1].arrays[\"unlocked_levels\"]'").out)
      r = run "lathe run examples/half_speed.lua all -o out"
      assert.matches("all/walk.anm: ", r.out, 1, true)
      assert.equal("2000\n", run("lathe get out/walk.anm length").out)
    end)

    it("shows what is in them, and finds all of them sound", function()
      local r = run "lathe info all"
      assert.equal(0, r.code)
      for _, line in ipairs { "anm: Overgrowth animation", "phxbn: ", "save: ", "fzx: ", "solid: " } do
        assert.matches(line, r.out, 1, true)
      end
      r = run "lathe check all"
      assert.equal("", r.out:gsub("[^\n]*: ok[^\n]*\n", ""):gsub("  agrees[^\n]*\n", ""):gsub("  warning:[^\n]*\n", ""))
      assert.equal(0, r.code)
    end)
  end)

  describe("check CLIP SKELETON NIF", function()
    local function rig(name, opts)
      opts.game, opts.name = "skyrim-se", opts.name or "Rig"
      helper.write(folder .. "/" .. name, (sample.skeleton(opts)))
    end

    local function clip(name, opts)
      opts.game, opts.frames, opts.skeleton_name = "skyrim-se", 2, opts.skeleton_name or "Rig"
      helper.write(folder .. "/" .. name, (sample.clip(opts)))
    end

    local function model(name)
      helper.write(folder .. "/" .. name, (sample_nif.build { game = "sse", blocks = skins.sse() }))
    end

    before_each(function()
      rig("rig.hkx", { bones = { "Root", "Scene Root", "bone", "Tail" } })
      clip("walk.hkx", { tracks = 4 })
    end)

    it("says that they agree, in any order", function()
      local r = run "lathe check walk.hkx rig.hkx"
      assert.equal("walk.hkx: ok\n  agrees with rig.hkx in the bones that it is bound to\nrig.hkx: ok\n", r.out)
      assert.equal(0, r.code)
      clip("run.hkx", { tracks = 2, bones = { 3, 0 } })
      r = run "lathe check rig.hkx run.hkx walk.hkx"
      assert.equal("rig.hkx: ok\nrun.hkx: ok\n  agrees with rig.hkx in the bones that it is bound to\n"
        .. "walk.hkx: ok\n  agrees with rig.hkx in the bones that it is bound to\n", r.out)
    end)

    it("says which numbers and names do not", function()
      clip("far.hkx", { tracks = 2, bones = { 3, 4 }, floats = { 0.5 }, skeleton_name = "Other" })
      clip("many.hkx", { tracks = 5 })
      local r = run "lathe check far.hkx many.hkx rig.hkx"
      assert.equal("far.hkx: 1 error, 2 warnings\n"
        .. "  warning: objects[4].original_skeleton_name at 0x0: made for another skeleton: this one is called 'Rig' "
        .. "(against rig.hkx)\n"
        .. "  error: objects[4].transform_track_to_bone_indices[2] at 0x0: no bone 4: the skeleton has 4 (against rig.hkx)\n"
        .. "  warning: objects[4].float_track_to_float_slot_indices[1] at 0x0: no float slot 0: the skeleton has 0 "
        .. "(against rig.hkx)\n"
        .. "many.hkx: 1 error\n"
        .. "  error: objects[4].transform_track_to_bone_indices at 0x0: empty, so each track drives the bone of its number: "
        .. "of 5 tracks the skeleton has 4 (against rig.hkx)\n"
        .. "rig.hkx: ok\n", (r.out:gsub("0x%x+", "0x0")))
      assert.equal(1, r.code)
    end)

    it("compares the names of a model's bones", function()
      model "body.nif"
      local r = run "lathe check body.nif rig.hkx"
      assert.equal("body.nif: ok\n  agrees with rig.hkx in the names of bones\n"
        .. "  2 bones of the skeleton are not in this file: \"Scene Root\", "
        .. "\"Tail\" (rig.hkx)\nrig.hkx: ok\n", r.out)
      rig("rig.hkx", { bones = { "Other", "bone" } })
      r = run "lathe check body.nif rig.hkx"
      assert.equal("body.nif: ok, 1 warning\n"
        .. "  warning: a skin is bound to \"root\", which is no bone of the skeleton (against rig.hkx)\n"
        .. "  1 bone of the skeleton is not in this file: \"Other\" (rig.hkx)\nrig.hkx: ok\n", r.out)
      assert.equal(0, r.code)
      local doc <close> = assert(lathe.new("nif", { bs_version = 100, blocks = {
        { type = "NiNode", name = "BONE", children = { 1 } }, { type = "NiNode", name = "Camera" } },
        footer = { roots = { 0 } } }))
      assert(doc:save(folder .. "/nodes.nif"))
      r = run "lathe check nodes.nif rig.hkx"
      assert.equal("nodes.nif: ok\n  agrees with rig.hkx in the names of bones\n"
        .. "  1 node is no bone of the skeleton: \"Camera\" (rig.hkx)\n"
        .. "  1 bone of the skeleton is not in this file: \"Other\" (rig.hkx)\nrig.hkx: ok\n", r.out)
    end)

    it("takes the skeleton of the clip's name, or none where there are several files", function()
      rig("tail.hkx", { name = "Tail", bones = 1 })
      local r = run "lathe check walk.hkx rig.hkx tail.hkx"
      assert.matches("walk.hkx: ok\n  not compared: no skeleton is called walk\n", r.out, 1, true)
    end)

    it("compares with the skeleton that --skeleton names", function()
      rig("few.hkx", { bones = 2 })
      local r = run "lathe check --skeleton few.hkx walk.hkx"
      assert.matches("error: objects[4].transform_track_to_bone_indices", r.out, 1, true)
      assert.matches("of 4 tracks the skeleton has 2\n", r.out, 1, true)
      assert.equal(1, r.code)
      assert.equal(0, run("lathe check --skeleton rig.hkx walk.hkx").code)
    end)
  end)

  describe("--skeleton", function()
    before_each(function()
      helper.write(folder .. "/rig.hkx", (sample.skeleton { game = "skyrim-se", bones = { "Root", "NPC Head" } }))
      helper.write(folder .. "/walk.hkx", (sample.clip { game = "skyrim-se", frames = 2, tracks = 2,
        annotations = { { track = 0, time = 0, text = "A" } } }))
      helper.write(folder .. "/names.lua", [[
        return function(doc, ctx) ctx.log(doc.animations[1].tracks[2].bone, doc.animations[1].tracks["NPC Head"]) end]])
    end)

    it("names bones in every command", function()
      assert.equal("NPC Head\n", run("lathe get --skeleton rig.hkx walk.hkx 'animations[1].tracks[2].bone'").out)
      assert.equal("1\n",
        run([[lathe get --skeleton=rig.hkx walk.hkx 'animations[1].tracks["NPC Head"].bone_index']]).out)
      local r = run "lathe run --skeleton rig.hkx names.lua walk.hkx"
      assert.matches('NPC Head\ttrack 2: bone 1 "NPC Head"', r.err, 1, true)
      for _, command in ipairs { "info", "dump", "check", "retime --speed 2 -n", "set -n" } do
        r = run(("lathe %s --skeleton rig.hkx walk.hkx %s"):format(command,
          command == "set -n" and "'animations[1].annotations[1].text=B'" or ""))
        assert.same({ 0, true }, { r.code, r.out ~= "" }, command)
      end
      assert.equal(0, run("lathe diff --skeleton rig.hkx walk.hkx walk.hkx").code)
    end)

    it("is refused where there is none", function()
      local r = run "lathe get --skeleton walk.hkx walk.hkx 'animations[1].duration'"
      assert.equal("lathe: walk.hkx: it contains no skeleton\n", r.err)
      assert.equal(1, r.code)
      r = run "lathe info --skeleton nowhere.hkx walk.hkx"
      assert.equal("lathe: walk.hkx: nowhere.hkx: cannot open: No such file or directory\n", r.err)
    end)
  end)

  describe("set", function()
    before_each(function()
      helper.write(folder .. "/rig.hkx", (sample.skeleton { game = "skyrim-se", bones = { "Root", "NPC Head" } }))
      helper.write(folder .. "/walk.hkx", (sample.clip { game = "skyrim-se", frames = 31, tracks = 2,
        annotations = { { track = 0, time = 0.25, text = "A" }, { track = 0, time = 0.5, text = "B" } } }))
    end)

    it("takes paths of bones and annotations", function()
      local r = run [[lathe set -n rig.hkx 'skeletons[1].bones["NPC Head"].pose.t={1,2,3}' \
        'skeletons[1].bones[1].name=Hips' 'skeletons[1].bones[2].pose.q.x=0.5' 'skeletons[1].bones[2].parent=-1']]
      assert.equal("rig.hkx: would change (4 changes, 6 values differ)\n"
        .. "  objects[3].parent_indices[2]: 0 -> -1\n"
        .. '  objects[3].bones[1].name: "Root" -> "Hips"\n'
        .. "  objects[3].reference_pose[2].translation.x: 0 -> 1\n"
        .. "  objects[3].reference_pose[2].translation.y: 0 -> 2\n"
        .. "  objects[3].reference_pose[2].translation.z: 1 -> 3\n"
        .. "  objects[3].reference_pose[2].rotation.x: 0 -> 0.5\n", r.out)
      r = run "lathe set -n walk.hkx 'animations[1].annotations[1].text=Step' 'animations[1].annotations[2].time=0.75'"
      assert.equal("walk.hkx: would change (2 changes)\n"
        .. '  objects[3].annotation_tracks[1].annotations[1].text: "A" -> "Step"\n'
        .. "  objects[3].annotation_tracks[1].annotations[2].time: 0.5 -> 0.75\n", r.out)
    end)

    it("says what they refuse", function()
      local r = run "lathe set -n rig.hkx 'skeletons[1].bones[1].parent=1'"
      assert.equal("lathe: rig.hkx: bone 0: with bone 1 as its parent it would be among its own ancestors\n", r.err)
      r = run "lathe set -n rig.hkx 'skeletons[1].bones[1].pose.t={1,2}'"
      assert.equal("lathe: rig.hkx: skeletons[1].bones[1].pose.t: 't' of a pose: a list of 3 numbers expected, got 2\n",
        r.err)
      r = run "lathe set -n walk.hkx 'animations[1].annotations[1].time=2'"
      assert.equal("lathe: walk.hkx: time: 2 s is outside of the animation's 0 to 1\n", r.err)
    end)
  end)
end)
