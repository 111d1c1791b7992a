-- The command line, as transcripts and by what it leaves on the disk.

local helper = require "helper"
local transcript = dofile "spec/cli/transcript.lua"

local MODELS = "/usr/share/games/lugaru/Models" -- Debian's lugaru-data

-- Of the shell alone, in Lua: sanitizers have nothing to look into that other specs do not run.
local SHELL <const> = { ["batch.t"] = true, ["chunks.t"] = true, ["examples.t"] = true, ["links.t"] = true,
  ["listing.t"] = true, ["prompt.t"] = true, ["resume.t"] = true, ["resume_run.t"] = true, ["undo.t"] = true,
  ["usage.t"] = true }

describe("transcript", function()
  for _, name in ipairs(helper.list("spec/cli", "%.t$")) do
    it(name .. (SHELL[name] and " #tools" or ""), function()
      local expected, actual = transcript.play("spec/cli/" .. name)
      assert.equal(expected, actual)
    end)
  end
end)

describe("lathe", function()
  local folder, env

  before_each(function() folder, env = transcript.folder() end)

  local function run(command, more)
    for name, value in pairs(more or {}) do env[name] = value end
    return helper.run(command, { cwd = folder, env = env })
  end

  local function models()
    if not helper.exists(MODELS) then pending "NOT TESTED: the package lugaru-data is not installed" end
    os.execute(("ln -sfn %s %s/Models"):format(MODELS, folder))
    return #helper.list(MODELS, "%.solid$")
  end

  it("says one JSON value a line, and nothing else on stdout", function()
    local json = require "dkjson"
    for _, command in ipairs {
      "lathe info --json .", "lathe check --json .", "lathe scale 2 --json -o out .",
      "lathe scale 2 --json -n .", "lathe formats --json", "lathe dump --json rig.fzx",
      "lathe get --json tri.solid vertices", "lathe get --json tri.solid nothing",
      "lathe set --json tri.solid 'vertices[1].x=nan' -n",
      "lathe run --json examples/weld_report.lua tri.solid tail.solid",
    } do
      local result = run(command)
      assert.not_equal("", result.out)
      for line in result.out:gmatch "[^\n]+" do
        local value, stop = json.decode(line)
        assert.is_table(value, command)
        assert.equal(#line + 1, stop)
      end
    end
  end)

  it("is silent when its reader goes away", function()
    for _, trap in ipairs { "", "trap '' PIPE; " } do
      local result = run("(" .. trap .. "lathe dump tri.solid; echo $? >code) | head -n 1")
      assert.equal("0x000000  vertex_count    3\n", result.out)
      assert.equal("", result.err)
    end
    os.execute(("mkdir %s/many; cd %s/many; for i in 1 2 3 4 5 6; do cp ../tri.solid $i.solid; done")
      :format(folder, folder))
    local result = run "lathe scale 2 many -o out | head -n 1; lathe check out >/dev/null"
    assert.equal("many/1.solid: 3 changes -> out/1.solid\n", result.out)
    assert.matches("6 ok, 0 failed", result.err, 1, true)
  end)

  it("colours only what a terminal shows", function()
    local terminal = "script -qec 'lathe info tri.solid' /dev/null"
    assert.matches("\27[1m", run(terminal, { TERM = "xterm" }).out, 1, true)
    assert.not_matches("\27[1m", run(terminal, { TERM = "xterm", NO_COLOR = "1" }).out, 1, true)
    assert.matches("\27[1m", run(terminal, { TERM = "xterm", NO_COLOR = "" }).out, 1, true)
    assert.not_matches("\27", run "lathe info tri.solid".out, 1, true)
  end)

  it("shows progress only on a terminal", function()
    local terminal = "script -qec 'lathe check tri.solid tail.solid >/dev/null' /dev/null"
    assert.matches("1/2 tri.solid", run(terminal, { TERM = "xterm" }).out, 1, true)
    assert.equal("2 ok, 0 failed\n", run("lathe check tri.solid tail.solid >/dev/null").err)
  end)

  it("is found through a symbolic link, from any folder", function()
    os.execute(("mkdir %s/link; ln -s %s/scripts/bin/lathe %s/link/lathe; ln -s lathe %s/link/again")
      :format(folder, helper.root, folder, folder))
    local preload = helper.preload and "LD_PRELOAD=" .. helper.quote(helper.preload) .. " " or ""
    local result = run(("cd /; %slua5.4 %s/link/again --help"):format(preload, folder))
    assert.equal("", result.err)
    assert.matches("Usage: lathe", result.out, 1, true)
  end)

  it("leaves the original as it is where saving fails", function()
    local before = helper.read(folder .. "/tri.solid")
    os.execute(("mkdir -p %s/out/tri.solid"):format(folder))
    local result = run "lathe scale 2 tri.solid -o out"
    assert.equal(1, result.code)
    assert.equal("lathe: tri.solid: out/tri.solid: cannot write: it is a directory\n", result.err)
    assert.equal(before, helper.read(folder .. "/tri.solid"))
  end)

  it("lists files whose format lacks the verb as skipped, and does not fail", function()
    helper.write(folder .. "/retime.lua", [[
      local batch = require "lathe.cli.batch"
      os.exit(batch.run {
        args = { files = { "rig.fzx", "tri.solid" }, output = "out", json = arg[1] == "json" },
        verb = "retime",
        writes = "needed",
        apply = function() error "must not be called" end,
      }, true)]])
    local preload = helper.preload and "LD_PRELOAD=" .. helper.quote(helper.preload) .. " " or ""
    local variables = {
      LUA_PATH_5_4 = ("%s/scripts/?.lua;%s/scripts/?/init.lua;;"):format(helper.root, helper.root),
      LUA_CPATH_5_4 = helper.build .. "/?.so;;",
    }
    local result = run(preload .. "lua5.4 retime.lua", variables)
    assert.equal("rig.fzx: skipped: fzx files have no retime\n"
      .. "tri.solid: skipped: solid files have no retime\n", result.out)
    assert.equal("0 changed, 0 unchanged, 2 skipped, 0 failed\n  1 skipped: fzx files have no retime\n"
      .. "  1 skipped: solid files have no retime\n", result.err)
    assert.equal(0, result.code)
    assert.matches('{"file":"rig.fzx","ok":true,"skipped":"fzx files have no retime"}\n',
      run(preload .. "lua5.4 retime.lua json", variables).out, 1, true)
  end)

  it("checks every model of Lugaru", function()
    local count = models()
    local result = run "lathe check Models"
    assert.equal(0, result.code, result.out)
    assert.matches(count .. " ok, 0 failed", result.err, 1, true)
  end)

  it("doubles and halves every model of Lugaru to the same bytes", function()
    local count = models()
    assert.equal(0, run("lathe scale 2 Models -o double && lathe scale 0.5 double -o back").code)
    local compared = run "for f in Models/*.solid; do cmp $f back/${f##*/} && echo same; done"
    assert.equal(("same\n"):rep(count), compared.out)
  end)

  it("runs a script over a folder with a broken file: the rest is done, the exit code tells", function()
    local count = models()
    run "cp -r Models/ mine; cp cut.solid mine/Broken.solid"
    helper.write(folder .. "/flat.lua", [[
return function(doc)
  for _, vertex in ipairs(doc.vertices) do
    if vertex.y > 100 then vertex.y = 100 end
  end
end
]])
    local result = run "lathe run flat.lua mine --in-place"
    assert.equal(1, result.code)
    local changed, unchanged = result.err:match "(%d+) changed, (%d+) unchanged, 1 failed"
    assert.equal(count, changed + unchanged)
    assert.is_true(tonumber(changed) > 0 and tonumber(unchanged) > 0)
    assert.matches("lathe: mine/Broken.solid: ", result.err, 1, true)
    local rewritten = run "for f in mine/*.bak; do cmp -s $f ${f%.bak} || echo changed; done"
    assert.equal(("changed\n"):rep(changed), rewritten.out)
    local kept = run "for f in Models/*.solid; do cmp -s $f mine/${f##*/} && echo same; done"
    assert.equal(("same\n"):rep(unchanged), kept.out)
  end)

  it("demonstrates itself", function()
    models()
    os.execute(("ln -s %s/scripts %s/scripts"):format(helper.root, folder))
    local result = run "sh scripts/examples/demo.sh"
    assert.equal(0, result.code, result.err)
    assert.matches("\ndemo: done%. [^\n]*\n$", result.out)
    assert.same({ ".bin", "Models", "ball.nif", "build", "clip.hkx", "crate.nif", "cut.solid", "examples", "floor.hkx",
      "floor.nif", "odd.hkx", "rig.fzx", "scripts", "spheres.nif", "tail.solid", "tri.solid", "waves.hkx" },
      helper.list(folder))
  end)
end)
