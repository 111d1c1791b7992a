-- Limits on mod scripts, and Ctrl-C: nothing that a script does outlasts them, its file fails, and the next
-- file is worked on. Nothing here says how fast anything is.

local helper = require "helper"
local lfs = require "lfs"
local write_fixtures = dofile "spec/cli/fixtures.lua"

local TIME = "the script ran for more than 0.2 s; --max-seconds N allows more"
local MEMORY = "the script wants more than 8M of memory; --max-memory SIZE allows more"

describe("limits of lathe run:", function()
  local dir

  before_each(function()
    dir = helper.tmpdir()
    assert(lfs.mkdir(dir .. "/out")) -- or each run would say that it made it
    write_fixtures(dir)
    for _, name in ipairs { "a.solid", "b.solid" } do
      helper.write(dir .. "/" .. name, helper.read(dir .. "/tri.solid"))
    end
  end)

  local function run(script, args, opts)
    helper.write(dir .. "/s.lua", script)
    opts = opts or {}
    opts.cwd = dir
    return helper.lathe("run s.lua a.solid b.solid " .. args, opts)
  end

  -- The body runs for a.solid alone; b.solid is changed.
  local function for_a(body)
    return ("return function(doc, ctx)\nif ctx.path == 'a.solid' then\n%s\nend\ndoc.vertices[1].x = 7\nend")
      :format(body)
  end

  -- a.solid fails with the message, at that line of the script, and b.solid is written.
  local function stops(script, args, line, message)
    local result = run(script, "-o out " .. args)
    assert.equal(("lathe: a.solid: s.lua:%d: %s\n1 changed, 0 unchanged, 1 failed\n"):format(line, message),
      result.err)
    assert.equal("b.solid: changed -> out/b.solid\n", result.out)
    assert.equal(1, result.code)
    assert.same({ "b.solid" }, helper.list(dir .. "/out"))
  end

  -- The same for several, { name, body } each, in one run: each has a file that is named after it, and a
  -- line of the script. The files of even number are changed.
  local function stops_each(cases, args, message)
    local lines, files, failures, changed = { "local cases = {" }, {}, {}, {}
    for i, case in ipairs(cases) do
      local bad, good = ("%02d %s.solid"):format(2 * i - 1, case[1]:gsub("%W+", " ")), ("%02d.solid"):format(2 * i)
      for _, name in ipairs { bad, good } do
        helper.write(dir .. "/" .. name, helper.read(dir .. "/tri.solid"))
        files[#files + 1] = helper.quote(name)
      end
      lines[#lines + 1] = ("  [%q] = function(doc, ctx) %s end,"):format(bad, case[2])
      failures[i] = ("lathe: %s: s.lua:%d: %s\n"):format(bad, i + 1, message)
      changed[i] = ("%s: changed -> out/%s\n"):format(good, good)
    end
    lines[#lines + 1] = "}\nreturn function(doc, ctx) local case = cases[ctx.path]\n" ..
      "if case then case(doc, ctx) else doc.vertices[1].x = 7 end end"
    helper.write(dir .. "/s.lua", table.concat(lines, "\n"))
    local command = ("run s.lua -o out %s %s"):format(args, table.concat(files, " "))
    local result = helper.lathe(command, { cwd = dir, timeout = 240 })
    failures[#failures + 1] = ("%d changed, 0 unchanged, %d failed\n"):format(#cases, #cases)
    assert.equal(table.concat(failures), result.err)
    assert.equal(table.concat(changed), result.out)
    assert.equal(1, result.code)
  end

  local LOOPS = {
    { "a loop", "while true do end" },
    { "a loop around pcall", "while true do pcall(function() while true do end end) end" },
    { "a recursion of pcall", "local function f() pcall(f) pcall(f) end while true do f() end" },
    { "a handler of an error", "xpcall(error, function() while true do end end)" },
    { "a handler of the error that stops it", "xpcall(function() while true do end end, function() while true do end end)" },
    { "a handler in a handler", "local function h() xpcall(error, h) while true do end end " ..
      "while true do xpcall(function() while true do end end, h) end" },
    { "a coroutine", "local c = coroutine.create(function() while true do end end) " ..
      "while true do coroutine.resume(c) end" },
    { "coroutines without end", "while true do pcall(coroutine.wrap(function() while true do end end)) end" },
    { "a coroutine that yields", "local f = coroutine.wrap(function() while true do " ..
      "pcall(coroutine.yield) end end) while true do f() end" },
    { "coroutines in coroutines", "local function f() while true do pcall(coroutine.wrap(f)) end end f()" },
    { "an iterator", "for _ in coroutine.wrap(function() while true do " ..
      "pcall(coroutine.yield, 1) end end) do end" },
    { "closing a coroutine", "local c = coroutine.create(function() local x <close> = setmetatable({}, " ..
      "{ __close = function() while true do end end }) coroutine.yield() end) " ..
      "coroutine.resume(c) coroutine.close(c)" },
    { "a failed coroutine's <close>", "local f = coroutine.wrap(function() local x <close> = " ..
      "setmetatable({}, { __close = function() while true do end end }) error 'x' end) pcall(f)" },
    { "sort", "table.sort({ 1, 2, 3, 4 }, function() while true do pcall(error) end end)" },
    { "sort without end", "local t = {} for i = 1, 100 do t[i] = i end " ..
      "while true do pcall(table.sort, t, function(a, b) return a < b end) end" },
    { "gsub", "('x'):rep(9):gsub('x', function() while true do pcall(error) end end)" },
    { "gsub of C", "while true do pcall(string.gsub, ('x'):rep(999), 'x', string.upper) end" },
    { "__index", "local t = setmetatable({}, { __index = function() while true do end end }) " ..
      "while true do pcall(function() return t.x end) end" },
    { "__close", "while true do pcall(function() local x <close> = setmetatable({}, " ..
      "{ __close = function() while true do end end }) while true do end end) end" },
    { "__tostring in print", "print(setmetatable({}, { __tostring = function() while true do end end }))" },
    { "__tostring in log", "ctx.log(setmetatable({}, { __tostring = function() while true do end end }))" },
    { "__tostring of an error", "error(setmetatable({}, { __tostring = function() while true do end end }))" },
    { "__tostring of an error like lathe's", "error(setmetatable({ code = 'x', message = 'y' }, " ..
      "{ __tostring = function() while true do end end }))" },
    { "__index in options", "while true do pcall(lathe.open, 'a.solid', setmetatable({}, " ..
      "{ __index = function() while true do end end })) end" },
    { "an edit", "while true do pcall(doc.edit, doc, function() while true do end end) end" },
    { "load", "while true do pcall(load, function() while true do end end) end" },
  }

  it("time ends every loop", function() stops_each(LOOPS, "--max-seconds 0.2", TIME) end)

  it("time ends a coroutine that the outer level made", function()
    local script = [[
local old = coroutine.wrap(function()
  coroutine.yield()
  while true do pcall(function() while true do end end) end
end)
return function(doc, ctx)
  old()
  if ctx.path == "b.solid" then while true do pcall(old) end end
  doc.vertices[1].x = 7
end]]
    local result = run(script, "-o out --max-seconds 0.2")
    assert.equal("a.solid: changed -> out/a.solid\n", result.out)
    assert.equal("lathe: b.solid: s.lua:3: " .. TIME .. "\n1 changed, 0 unchanged, 1 failed\n", result.err)
    assert.equal(1, result.code)
  end)

  it("time ends the outer level of a script, too", function()
    local result = run("while true do pcall(error) end", "--max-seconds 0.2")
    assert.equal("lathe run: s.lua:1: " .. TIME .. "\n", result.err)
    assert.equal(2, result.code)
  end)

  it("time and memory hold with --trusted", function()
    stops(for_a "while true do pcall(coroutine.wrap(function() while true do end end)) end",
      "--trusted --max-seconds 0.2", 3, TIME)
    stops(for_a "debug.sethook() while true do pcall(string.rep, 'x', 1 << 30) end",
      "--trusted --max-memory 8M", 3, MEMORY)
  end)

  local HOGS = {
    { "string.rep", "local s = ('x'):rep(1 << 30)" },
    { "lathe.buffer", "local b = lathe.buffer('f64', 1 << 31)" },
    { "a growing table", "local t = {} while true do t[#t + 1] = #t end" },
    { "a growing string", "local s = 'x' while true do s = s .. s end" },
    { "concat", "local t = {} for i = 1, 100 do t[i] = ('x'):rep(1 << 20) end local s = table.concat(t)" },
    { "a loop around pcall", "while true do pcall(string.rep, 'x', 1 << 30) end" },
    { "a loop around pcall of concat", "local t = {} while true do pcall(function() while true do " ..
      "t[#t + 1] = { #t } end end) end" },
    { "a handler of errors", "while true do xpcall(string.rep, function() while true do end end, 'x', 1 << 30) end" },
    { "a coroutine", "local t = {} while true do coroutine.wrap(function() while true do " ..
      "pcall(function() while true do t[#t + 1] = { #t } end end) end end)() end" },
    { "an error that is caught", "pcall(string.rep, 'x', 1 << 30)" },
    { "a document's array", "lathe.resize(doc.vertices, 30000) doc:undo() local t = {} " ..
      "for i = 1, 400 do t[i] = lathe.open 'a.solid' lathe.resize(t[i].vertices, 30000) end" },
    { "documents that nobody holds back", "local t = {} while true do t[#t + 1] = lathe.open 'a.solid' end" },
    { "a document's failure that is passed over", "local t = {} while true do " ..
      "t[#t + 1] = lathe.parse(doc:encode(), { format = 'solid' }) or doc end" },
  }

  it("memory ends whatever takes it", function() stops_each(HOGS, "--max-memory 8M", MEMORY) end)

  it("memory that is garbage is no reason to fail", function()
    local result = run([[
return function(doc)
  for i = 1, 40 do local s = ("x"):rep(1 << 20) .. i end
  for _ = 1, 300 do assert(lathe.open "a.solid") end
  for _ = 1, 40 do lathe.resize(assert(lathe.open "a.solid").vertices, 30000) end
end]], "--max-memory 8M")
    assert.equal("0 changed, 2 unchanged, 0 failed\n", result.err)
    assert.equal(0, result.code)
  end)

  it("the script starts anew for each file, whatever stopped it before", function()
    local script = [[
print "starts"
local kept, n = {}, 0
return function(doc, ctx)
  n, count = n + 1, (count or 0) + 1
  if ctx.path == "a.solid" then while true do kept[#kept + 1] = { #kept } end end
  ctx.log(#kept, n, count)
end]]
    local result = run(script, "--max-memory 8M")
    assert.equal("starts\nstarts\n", result.out)
    assert.equal("b.solid: 0\t1\t1\nlathe: a.solid: s.lua:5: " .. MEMORY ..
      "\n0 changed, 1 unchanged, 1 failed\n", result.err)
    result = run(script:gsub("kept%[#kept %+ 1%] = { #kept }", ""), "--max-seconds 0.2")
    assert.equal("b.solid: 0\t1\t1\nlathe: a.solid: s.lua:5: " .. TIME ..
      "\n0 changed, 1 unchanged, 1 failed\n", result.err)
  end)

  it("the default for memory is 512M, or more for a large input", function()
    local script = for_a "local s = ('x'):rep((512 << 20) + (1 << 20))"
    assert.matches("wants more than 512M of memory", run(script, "").err, 1, true)
    assert.equal("0 changed, 2 unchanged, 0 failed\n",
      run("return function() local s = ('x'):rep((8 << 20) + 1) end", "--max-memory none").err)
  end)

  it("JSON tells of both", function()
    local result = run(for_a "while true do end", "--json --max-seconds 0.2 -n")
    assert.equal(('{"file":"a.solid","ok":false,"error":"a.solid: s.lua:3: %s"}'):format(TIME),
      result.out:match "^[^\n]+")
    assert.matches('"file":"b.solid","ok":true', result.out, 1, true)
  end)

  it("are given as sizes and numbers", function()
    for given, why in pairs {
      ["--max-memory 8X"] = "'8X' is not a size: bytes, 512M, 2G, or none",
      ["--max-memory=-1"] = "'-1' is not a size: bytes, 512M, 2G, or none",
      ["--max-seconds soon"] = "'soon' is not a number of seconds",
      ["--max-seconds=-1"] = "'-1' is not a number of seconds",
    } do
      local result = run("return function() end", given)
      assert.equal("lathe run: " .. why .. "\n", result.err)
      assert.equal(2, result.code)
    end
    for _, given in ipairs { "--max-memory 0", "--max-memory 8388608", "--max-memory 1.5G", "--max-seconds 1e3" } do
      assert.equal(0, run("return function() end", given).code)
    end
  end)

  describe("Ctrl-C #posix", function()
    local PRESS = [[
local f <close> = io.open "/proc/self/stat"
local pid = f:read "n"
local function press(seconds) os.execute(("(sleep %s; kill -INT %d) &"):format(seconds, pid)) end
]]

    for name, body in pairs {
      ["a loop around pcall"] = "while true do pcall(function() while true do end end) end",
      ["a coroutine"] = "while true do pcall(coroutine.wrap(function() while true do end end)) end",
      ["a handler of errors"] =
        "while true do xpcall(function() while true do end end, function() while true do end end) end",
    } do
      it("ends the whole run in " .. name, function()
        local result = run(PRESS .. for_a("press(0.2) " .. body):gsub("a.solid", "b.solid"), "--trusted -o out")
        assert.equal("a.solid: changed -> out/a.solid\n", result.out)
        assert.equal("1 changed, 0 unchanged, 0 failed\nlathe: interrupted\n", result.err)
        assert.equal(130, result.code)
        assert.same({ "a.solid" }, helper.list(dir .. "/out"))
      end)
    end

    it("twice ends the run at once, in C", function()
      local result = run(PRESS .. for_a "press(0.2) press(0.5) return ('a'):rep(200):find(('a*'):rep(50) .. 'b')",
        "--trusted -o out")
      assert.equal("", result.out .. result.err)
      assert.equal(130, result.code)
    end)
  end)
end)
