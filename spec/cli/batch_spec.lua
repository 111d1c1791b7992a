-- Batches with worker processes: what comes out does not depend on their number, a worker that dies fails its file,
-- and nothing that a script does to one file reaches the next.

local helper = require "helper"
local lfs = require "lfs"
local transcript = dofile "spec/cli/transcript.lua"

local FILES = 210 -- workers are started at once for so many

describe("batch", function()
  local folder, env

  -- A folder with the fixtures, and `many` with small files.
  setup(function()
    folder, env = transcript.folder()
    lfs.mkdir(folder .. "/many")
    local solid = helper.read(folder .. "/tri.solid")
    for i = 1, FILES do helper.write(("%s/many/%03d.solid"):format(folder, i), solid) end
  end)

  local function run(command)
    return helper.run(command, { cwd = folder, env = env })
  end

  local function script(name, source) helper.write(folder .. "/" .. name, source) end

  -- Every file below a folder, with its bytes.
  local function tree(path)
    local all = {}
    for name in lfs.dir(path) do
      if name ~= "." and name ~= ".." then
        local inner = path .. "/" .. name
        all[name] = lfs.attributes(inner, "mode") == "directory" and tree(inner) or helper.read(inner)
      end
    end
    return all
  end

  -- Runs a command with -j 1 and -j 2 in turn. Output, exit codes and the files in `out` are the same.
  local function both(command)
    local results, trees = {}, {}
    for jobs = 1, 2 do
      run "rm -rf out"
      results[jobs] = run(("%s -j %d"):format(command, jobs))
      trees[jobs] = helper.exists(folder .. "/out") and tree(folder .. "/out") or {}
    end
    assert.equal(results[1].out, results[2].out)
    assert.equal(results[1].err, results[2].err)
    assert.equal(results[1].code, results[2].code)
    assert.same(trees[1], trees[2])
    return results[2], trees[2]
  end

  it("gives the same with one process and with two", function()
    local result, files = both "lathe scale 2 many tri.solid cut.solid rig.fzx crate.nif -o out"
    assert.equal("lathe: cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes\n",
      result.err:match "lathe: [^\n]*\n")
    assert.matches("^made the folder out\n", result.err)
    assert.equal(FILES, #helper.list(folder .. "/out/many"))
    assert.equal(files.many["001.solid"], files["tri.solid"])
    both "lathe info many rig.fzx clip.hkx waves.hkx --json"
    both "lathe scale 2 many -n --json"
    both "lathe materials many floor.nif"
  end)

  it("works on each file once, and lists all in the order of the input", function()
    local result = run "lathe check many -j 2"
    local expected = {}
    for i = 1, FILES do expected[i] = ("many/%03d.solid: ok\n"):format(i) end
    assert.equal(table.concat(expected), result.out)
    assert.equal(FILES .. " ok, 0 failed\n", result.err)
  end)

  it("fails the file of a worker that dies, and goes on", function()
    script("die.lua", [[
return function(doc, ctx)
  local number = ctx.path:match "%d+"
  if number == "013" then os.execute("kill -SEGV $PPID") end
  if number == "150" then os.execute("kill -KILL $PPID") end
  if number == "151" then os.exit(7) end
  doc.vertices[1].x = 7
end]])
    run "rm -rf out"
    local result = run "lathe run --trusted die.lua many -o out -j 2"
    assert.equal(1, result.code)
    assert.equal([[
made the folder out
lathe: many/013.solid: its worker process ended by signal 11 (segmentation fault)
lathe: many/150.solid: its worker process ended by signal 9 (killed, perhaps because memory was short)
lathe: many/151.solid: its worker process ended with exit code 7
207 changed, 0 unchanged, 3 failed
]], result.err)
    assert.equal(FILES - 3, #helper.list(folder .. "/out"))
  end)
end)
