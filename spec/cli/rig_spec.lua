-- What belongs to one character, and folders that hold all formats of the game.

local helper = require "helper"
local lathe = require "lathe"
local rigs = require "phxbn_rigs"
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
      assert.equal("A.phxbn: ok\n  agrees with A.obj\nA.fzx: ok\n  agrees with A.phxbn\n"
        .. "A.anm: ok\n  agrees with A.phxbn\n", r.out)
      assert.equal(0, r.code)
    end)

    it("says which corners do not", function()
      helper.write(folder .. "/A.obj", TRIANGLE .. "f 1 2 3\n")
      local r = run "lathe check A.phxbn A.fzx A.obj"
      assert.matches("error: num_vertices at 0x", r.out, 1, true)
      assert.matches("(against A.obj)", r.out, 1, true)
      assert.matches("  agrees with A.phxbn\n", r.out, 1, true)
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
      assert.equal("A.phxbn: ok\n  agrees with A.obj\nB.phxbn: ok\n  not compared: no model is called B\n", r.out)
      for _, command in ipairs { "lathe check .", "lathe check walk.anm .", "lathe check walk.anm" } do
        assert.not_matches("not compared", run(command).out, 1, true)
      end
    end)

    it("wants more than a model", function()
      local r = run "lathe check A.obj"
      assert.equal("lathe check: a model alone says nothing: name its skeleton, too\n", r.err)
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
      assert.equal("made the folder fast\n1 changed, 0 unchanged, 4 skipped, 0 failed\n", r.err)
      assert.equal(0, r.code)
      assert.equal("500\n", run("lathe get fast/walk.anm length").out)
      assert.equal(0, run("lathe retime --speed 0.5 fast -o back && cmp all/walk.anm back/walk.anm").code)
      assert.equal("2000\n", run("lathe retime --duration 2 all/walk.anm -o w.anm >o && lathe get w.anm length").out)
      assert.equal("100\n", run("lathe retime --fps 10 all/walk.anm -o w.anm >o && lathe get w.anm 'frames[2].time'").out)
    end)

    it("wants to know how", function()
      for _, options in ipairs { "", "--speed 2 --fps 3" } do
        local r = run("lathe retime -n all " .. options)
        assert.equal("lathe retime: one of --speed, --duration and --fps is wanted\n", r.err)
        assert.equal(2, r.code)
      end
      local r = run "lathe retime -n all --speed 0"
      assert.matches("a number above 0 is wanted, not '0'", r.err, 1, true)
      assert.equal(2, r.code)
    end)

    it("scales what has lengths, there and back", function()
      local r = run "lathe scale 2 all -o big"
      assert.matches("all/game.sav3: skipped: save files have no scale\n", r.out, 1, true)
      assert.equal("made the folder big\n4 changed, 0 unchanged, 1 skipped, 0 failed\n", r.err)
      assert.equal(0, r.code)
      assert.equal(0, run("lathe scale 0.5 big -o small && for f in small/*; do cmp $f all/${f#*/} || exit; done").code)
      r = run "lathe scale 2 all --what skeleton -n"
      assert.equal("1 would change, 3 unchanged, 1 skipped, 0 failed\n", r.err)
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
end)
