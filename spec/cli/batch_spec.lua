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

  -- The same text; if not, only the first line that differs is shown.
  local function assert_same_text(one, two)
    if one == two then return end
    local lines = {}
    for line in one:gmatch "[^\n]*" do lines[#lines + 1] = line end
    local i = 0
    for line in two:gmatch "[^\n]*" do
      i = i + 1
      if lines[i] ~= line then assert.equal(lines[i], line) end
    end
    error("there is more with -j 1, from " .. lines[i + 1])
  end

  local function assert_same_tree(one, two, path)
    for name, value in pairs(one) do
      if type(value) == "table" and type(two[name]) == "table" then
        assert_same_tree(value, two[name], path .. "/" .. name)
      else
        assert.is_true(value == two[name], path .. "/" .. name)
      end
    end
    for name in pairs(two) do assert.is_not_nil(one[name], path .. "/" .. name) end
  end

  -- Runs a command with -j 1 and -j 2 in turn. Output, exit codes and the files in `out` are the same.
  local function both(command)
    local results, trees = {}, {}
    for jobs = 1, 2 do
      run "rm -rf out"
      results[jobs] = run(("%s -j %d"):format(command, jobs))
      trees[jobs] = helper.exists(folder .. "/out") and tree(folder .. "/out") or {}
    end
    assert_same_text(results[1].out, results[2].out)
    assert_same_text(results[1].err, results[2].err)
    assert.equal(results[1].code, results[2].code)
    assert_same_tree(trees[1], trees[2], "out")
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

  it("takes names with line ends, lists of names, and stdin", function()
    helper.write(folder .. "/a\nb.solid", helper.read(folder .. "/tri.solid"))
    local result = both "lathe check many 'a\nb.solid' cut.solid"
    assert.matches("a\\nb.solid: ok\n$", result.out)
    result = both "find many -name '*.solid' | sort | lathe scale 2 --files-from - -o out"
    assert.equal(FILES, select(2, result.out:gsub("\n", "")))
    result = both "lathe check many - <tri.solid"
    assert.matches("\n%-: ok\n$", result.out)
  end)

  it("fails the file of a worker that dies, and goes on", function()
    script("die.lua", [[
return function(doc, ctx)
  local number = ctx.path:match "%d+"
  if number == "013" then os.execute("kill -ABRT $PPID") end
  if number == "150" then os.execute("kill -KILL $PPID") end
  if number == "151" then os.exit(7) end
  doc.vertices[1].x = 7
end]])
    run "rm -rf out"
    local result = run "lathe run --trusted die.lua many -o out -j 2"
    assert.equal(1, result.code)
    assert.equal([[
made the folder out
lathe: many/013.solid: its worker process ended by signal 6 (abort)
lathe: many/150.solid: its worker process ended by signal 9 (killed, perhaps because memory was short)
lathe: many/151.solid: its worker process ended with exit code 7
207 changed, 0 unchanged, 3 failed
]], result.err)
    assert.equal(FILES - 3, #helper.list(folder .. "/out"))
  end)

  -- Parents of the process that runs a script; of a worker, the first is the main process.
  local PARENT = [[
local function parent()
  local f <close> = assert(io.open "/proc/self/stat")
  return f:read "a":match "^.*%) %a (%d+)"
end
local function note_worker()
  local f <close> = assert(io.open("workers", "a"))
  f:write(io.open "/proc/self/stat":read "n", "\n")
end
]]

  -- The workers that a script has noted have ended, at the latest after a moment.
  local function workers_end()
    for line in io.lines(folder .. "/workers") do
      for _ = 1, 1200 do
        if not helper.exists("/proc/" .. line) then break end
        os.execute "sleep 0.05"
      end
      assert.is_false(helper.exists("/proc/" .. line))
    end
    os.remove(folder .. "/workers")
  end

  it("works without workers where they can't be started", function()
    local lathe = run "sed -n 's/.* lua5.4/lua5.4/p' .bin/lathe".out:gsub("%s+$", "")
    local preload = helper.preload and ("LD_PRELOAD=%s "):format(helper.quote(helper.preload)) or ""
    local expected = run "lathe check many -j 1"
    local result = run(("bash -c '%s exec -a nowhere \"$@\"' - %s"):format((preload:gsub("'", "")),
      lathe:gsub('"%$@"', "check many -j 2")))
    assert.equal("lathe: no worker processes: nowhere: cannot start: No such file or directory; "
      .. "files are worked on one by one\n" .. expected.err, result.err)
    assert_same_text(expected.out, result.out)
    result = run((preload .. lathe:gsub("^lua5.4", "lua5.4 -e 'if arg[1] == \"--worker\" then os.exit(3) end'")
      :gsub('"%$@"', "check many -j 2")))
    assert.equal("lathe: no worker processes: they ended with exit code 3; files are worked on one by one\n"
      .. expected.err, result.err)
    assert_same_text(expected.out, result.out)
  end)

  it("works on large files one by one", function()
    run "mkdir large && for i in 1 2 3 4; do truncate -s 40M large/$i.solid; done" -- twice as much is too much
    script("times.lua", [[
return function(doc, ctx)
  local function note(what)
    local f <close> = assert(io.open("times", "a"))
    f:write(what, " ", ctx.path, "\n")
  end
  note "begin"
  os.execute "sleep 0.1"
  note "end"
end]])
    assert.equal(0, run "lathe run --trusted times.lua large -j 4".code)
    local expected = {}
    for i = 1, 4 do expected[i] = ("begin large/%d.solid\nend large/%d.solid\n"):format(i, i) end
    assert.equal(table.concat(expected), helper.read(folder .. "/times"))
    run "rm -r large"
  end)

  it("shows the rate and the time left on a terminal", function()
    script("slow.lua", "return function() os.execute 'sleep 1.1' end")
    local result = run("script -qec 'TERM=xterm lathe run --trusted slow.lua tri.solid tail.solid rig.fzx -j 1 "
      .. ">/dev/null' /dev/null")
    local lines = {}
    for line in result.out:gmatch "\r\27%[K([^\r\27]+)" do lines[#lines + 1] = line end
    assert.equal("1/3 tri.solid", lines[1])
    assert.equal("2/3 tail.solid", lines[2])
    assert.matches("^3/3 0%.%d+/s, 0:0%d left rig%.fzx$", lines[3])
  end)

  it("ends at Ctrl-C: finished files stay, the table is printed", function()
    script("press.lua", PARENT .. [[
return function(doc, ctx)
  local number = tonumber(ctx.path:match "%d+")
  doc.vertices[1].x = 7
  if number == 100 then
    note_worker()
    os.execute "kill -INT 0" -- all processes of the group, as a terminal does
    while true do pcall(function() while true do end end) end
  end
end]])
    run "rm -rf out"
    local result = run "setsid -w sh -c 'trap : INT; lathe run --trusted press.lua many -o out -j 2; echo $? >code'"
    assert.equal("130\n", helper.read(folder .. "/code"))
    local changed = result.err:match "^made the folder out\n(%d+) changed, 0 unchanged, 0 failed\nlathe: interrupted\n$"
    assert.is_true(tonumber(changed) >= 99, result.err)
    local lines = {}
    for line in result.out:gmatch "[^\n]+" do lines[#lines + 1] = line:match "out/(.*)" end
    assert.equal(tonumber(changed), #lines)
    assert.same(lines, helper.list(folder .. "/out"))
    workers_end()
  end)

  it("leaves no worker when it is killed in the middle of a long file", function()
    script("kill.lua", PARENT .. [[
return function(doc, ctx)
  local number = tonumber(ctx.path:match "%d+")
  if number == 20 or number == 21 then
    note_worker()
    if number == 20 then os.execute("kill -KILL " .. parent()) end
    while true do pcall(function() while true do end end) end
  end
end]])
    assert.equal(137, run "lathe run --trusted kill.lua many -j 2".code)
    workers_end()
  end)

  it("ends when nobody reads what it prints, and still writes files", function()
    local result = run "lathe info many -j 2 | head -n 1"
    assert.equal("many/001.solid\n", result.out)
    assert.equal("", result.err)
    run "rm -rf out"
    result = run "lathe scale 2 many -o out -j 2 | head -n 1"
    assert.equal("many/001.solid: 3 changes -> out/001.solid\n", result.out)
    assert.equal("made the folder out\n210 changed, 0 unchanged, 0 failed\n", result.err)
    assert.equal(FILES, #helper.list(folder .. "/out"))
    result = run "lathe info many -j 2 >/dev/full"
    assert.equal("lathe: stdout: No space left on device\n", result.err)
    assert.equal(1, result.code)
  end)

  it("says which files did not fit on the disk #posix", function()
    local preload = (helper.preload and helper.preload .. ":" or "") .. helper.build .. "/spec/failing_io.so"
    env.LD_PRELOAD, env.LATHE_FAIL, env.LATHE_FAIL_PATH = preload, "write:1+:ENOSPC", folder
    local tool = folder .. "/.bin/lathe"
    local before = helper.read(tool)
    helper.write(tool, (before:gsub("LD_PRELOAD=%S+ ", "")))
    for jobs = 1, 2 do
      run "rm -rf out"
      local result = run("lathe scale 2 many -o out -j " .. jobs)
      assert.equal("", result.out)
      assert.matches("lathe: many/210.solid: out/210.solid: cannot write: No space left on device\n"
        .. "0 changed, 0 unchanged, 210 failed\n", result.err, 1, true)
      assert.same({}, helper.list(folder .. "/out", "%.solid$"))
    end
    env.LD_PRELOAD, env.LATHE_FAIL, env.LATHE_FAIL_PATH = nil, nil, nil
    helper.write(tool, before)
  end)

  it("says that it can't write to a folder", function()
    run "rm -rf out && mkdir out && chmod 555 out && chmod -R a+rX . && chmod a+rx .."
    local plain = run("id -u").out == "0\n" and "setpriv --reuid 65534 --clear-groups " or ""
    for jobs = 1, 2 do
      local result = run(plain .. "lathe scale 2 many -o out -j " .. jobs)
      assert.matches("lathe: many/001.solid: out/001.solid: cannot create a temporary file beside it: "
        .. "Permission denied\n", result.err, 1, true)
      assert.matches("\n0 changed, 0 unchanged, 210 failed\n$", result.err)
      assert.same({}, helper.list(folder .. "/out"))
    end
    run "chmod 755 out"
  end)

  it("refuses the second of two inputs that become one file", function()
    run "mkdir two && cp many/*.solid two && cp rig.fzx two/050.fzx"
    local result, files = both "lathe export two --to obj -o out"
    assert.matches("lathe: two/050.solid: would overwrite out/050.obj, made of two/050.fzx\n"
      .. "210 exported, 0 skipped, 1 failed\n", result.err, 1, true)
    local count = 0
    for name in pairs(files) do count = count + (name:find "%.obj$" and 1 or 0) end
    assert.equal(FILES, count)
  end)

  it("stops scripts that loop, take memory, or raise odd values", function()
    script("bad.lua", [[
local bad = {
  ["001"] = function() while true do end end,
  ["002"] = function() local s = ("x"):rep(1 << 30) end,
  ["003"] = function() error() end,
  ["004"] = function(doc) error(doc) end,
  ["005"] = function() error { code = "odd", message = "told", where = "there", offset = 3 } end,
  ["006"] = function() error(setmetatable({}, { __tostring = function() error "again" end })) end,
  ["007"] = function(doc) doc:close() end,
  ["008"] = function() error("two\nlines\27[31m") end,
  ["009"] = function(doc) doc.vertices[1].x = 5 error "after a change" end,
}
return function(doc, ctx)
  local fn = bad[ctx.path:match "%d+"]
  if fn then fn(doc) end
end]])
    local result = both "lathe run bad.lua many -o out --max-seconds 0.2 --max-memory 8M"
    assert.equal([[
lathe: many/001.solid: bad.lua:2: the script ran for more than 0.2 s; --max-seconds N allows more
lathe: many/002.solid: bad.lua:3: the script wants more than 8M of memory; --max-memory SIZE allows more
lathe: many/003.solid: bad.lua:4: nil
lathe: many/004.solid: bad.lua:5: solid document many/004.solid, 76 bytes
lathe: many/005.solid: told (bad.lua:6)
lathe: many/006.solid: bad.lua:7: an error that cannot be printed
lathe: many/007.solid: the script closed its document: leave that to lathe, which still has to look at it
lathe: many/008.solid: bad.lua:9: two; lines\x1b[31m
lathe: many/009.solid: bad.lua:10: after a change
0 changed, 201 unchanged, 9 failed
]], result.err)
    both "lathe run bad.lua many -o out --max-seconds 0.2 --max-memory 8M --json"
  end)

  describe("gives each file a state of its own:", function()
    local BODY = [[
local seen = {}
local function note(name, value)
  if value ~= nil then seen[#seen + 1] = name end
end
note("a global", left_global)
note("an upvalue", upvalue)
note("a field of _G", rawget(_G, "left_field"))
note("a field of string", string.left)
note("a method of strings", ("").left)
note("a field of lathe", lathe.left)
note("a module", require "part".left)
note("a loaded module", package.loaded and package.loaded.left)
if math.type(1) ~= "integer" then note("a changed function", 1) end
left_global, upvalue = 1, 1
rawset(_G, "left_field", 1)
string.left, lathe.left, require "part".left = 1, 1, 1
math.type = function() end
if package.loaded then package.loaded.left = 1 end
if TRUSTED then
  getmetatable("").__index = setmetatable({ left = 1 }, { __index = string })
  table.unpack, os.time = nil, nil
else
  pcall(function() getmetatable("").__index.left = 1 end)
end
print(ctx.path, table.concat(seen, ", "), math.random(1 << 40))
]]

    for _, trusted in ipairs { false, true } do
      it(trusted and "with --trusted" or "in the sandbox", function()
        script("part.lua", "return {}")
        script("own.lua", ("local TRUSTED = %s\nlocal upvalue\nreturn function(doc, ctx)\n%send\n")
          :format(trusted, BODY))
        local result = both("lathe run own.lua many" .. (trusted and " --trusted" or ""))
        assert.equal("0 changed, 210 unchanged, 0 failed\n", result.err)
        local numbers = {}
        for path, seen, number in result.out:gmatch "(%S+)\t([^\t\n]*)\t(%d+)\n" do
          assert.equal("", seen, path)
          numbers[number] = true
        end
        local count = 0
        for _ in pairs(numbers) do count = count + 1 end
        assert.equal(FILES, count) -- other random numbers for each file
      end)
    end
  end)

  it("keeps scripts in the sandbox, in each and in finish", function()
    script("escape.lua", [[
local function tries(doc, ctx)
  local code = "\27Lua"
  return {
    { "a program", function() return os.execute "touch escaped" end },
    { "a pipe", function() return io.popen "touch escaped" end },
    { "a file elsewhere", function() return io.open("escaped", "w") end },
    { "an input", function() return io.open("many/001.solid", "w") end },
    { "lathe.write", function() return lathe.write("escaped", "x") end },
    { "a save elsewhere", function()
      return (doc or assert(lathe.open "many/001.solid")):save(ctx.output .. "/../escaped")
    end },
    { "the worker's pipe", function() return io.open("/proc/self/fd/4", "w") or io.open("/proc/self/fd/3", "r") end },
    { "bytecode", function() return load(code, "x", "b") end },
    { "a library in C", function() return package.loadlib("libc.so.6", "*") end },
    { "a module of lathe", function() return require "lathe.cli.batch.worker" end },
    { "the registry", function() return debug.getregistry() end },
    { "the metatable of strings", function() return getmetatable("").__index.dump end },
    { "a file read elsewhere", function() return io.open("/etc/passwd") or lathe.read "/etc/passwd" end },
    { "the core", function() return lathe.core or lathe.process or require "lathe.core" end },
  }
end
local function attempt(doc, ctx)
  local lines = {}
  for i, try in ipairs(tries(doc, ctx)) do
    local ok, value = pcall(try[2])
    lines[i] = try[1] .. ": " .. (ok and value and "OUT" or "held")
  end
  return lines
end
return {
  each = function(doc, ctx)
    local lines = attempt(doc, ctx)
    print(table.concat(lines, "\n"))
    return lines
  end,
  finish = function(results, ctx)
    for _, line in ipairs(attempt(nil, ctx)) do print(line) end
    print(#results, #results[1].value)
  end,
}]])
    local before = tree(folder .. "/many")
    local result = both "lathe run escape.lua many -o out"
    assert.is_nil(result.out:find("OUT", 1, true), result.out:match "[^\n]*OUT")
    assert.equal(14 * (FILES + 1) + 1, select(2, result.out:gsub("\n", "")))
    assert.matches("\n210\t14\n$", result.out)
    assert.is_false(helper.exists(folder .. "/escaped"))
    assert_same_tree(before, tree(folder .. "/many"), "many")
  end)

  it("gives the same for the whole corpus #corpus", function()
    local corpus, least = helper.need_corpus("wolfire", pending), 150
    if corpus:sub(1, 1) ~= "/" then corpus = helper.root .. "/" .. corpus end
    if not helper.preload then corpus, least = corpus:gsub("/wolfire$", ""), 500 end -- sanitizers are slow
    script("touch.lua", [[
return {
  each = function(doc, ctx)
    local changed = pcall(function() doc.vertices[1].x = 0.5 end)
    print(ctx.path, doc.format, changed)
    return { format = doc.format, changed = changed }
  end,
  finish = function(results, ctx)
    local f <close> = assert(io.open(ctx.output .. "/all.csv", "w"))
    for _, file in ipairs(results) do
      f:write(file.path, ",", file.value and file.value.format or file.error or file.skipped, "\n")
    end
  end,
}]])
    local result, files = both("lathe run touch.lua -o out " .. helper.quote(corpus))
    local lines = select(2, files["all.csv"]:gsub("\n", ""))
    assert.is_true(lines >= least)
    local changed, unchanged, failed = result.err:match "\n(%d+) changed, (%d+) unchanged, (%d+) failed\n$"
    assert.equal(lines, changed + unchanged + failed)
    local _, scaled = both("lathe scale 2 -o out " .. helper.quote(corpus))
    assert.is_not_nil(next(scaled))
    -- Comparing all files takes long: those of one folder.
    run("mkdir some_files && find " .. helper.quote(corpus) .. " -name '*.anm' -exec cp {} some_files ';'")
    run "lathe scale 2 some_files -o scaled"
    local differences = both "lathe diff --json some_files scaled"
    assert.equal(1, differences.code)
    assert.matches('"same":false', differences.out, 1, true)
    -- All changes as JSON take long: every 25th file.
    run(("find %s -type f | sort | awk 'NR %% 25 == 0' >some"):format(helper.quote(corpus)))
    local some = both "lathe scale 2 --dry-run --json --files-from some"
    assert.matches('"changes":[{', some.out, 1, true)
  end)
end)
