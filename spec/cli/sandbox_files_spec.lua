-- The sandbox and the file system: links that appear at the wrong moment, long paths, and inputs below the
-- folder that a script may write to.

local helper = require "helper"
local lfs = require "lfs"
local lathe = require "lathe"
local policy = require "lathe.cli.sandbox.policy"
local sandbox = require "lathe.cli.sandbox"
local write_fixtures = dofile "spec/cli/fixtures.lua"

-- Every way in which a script reads; each gives something where it gets a file.
local READS = {
  ["io.open"] = "local f = io.open(path) return f and f:read 'a'",
  ["io.open, r+"] = "local f = io.open(path, 'r+') return f and f:read 'a'",
  ["io.lines"] = "for l in io.lines(path, 'a') do return l end",
  ["lathe.read"] = "return lathe.read(path)",
  ["lathe.open"] = "return lathe.open(path)",
  ["lathe.import"] = "local _, why = lathe.import(path, { format = 'obj' }) return why.code == 'invalid' or nil",
}

-- And writes.
local WRITES = {
  ["io.open, w"] = "local f = io.open(path, 'w') return f and f:write 'x' and f:close()",
  ["io.open, a"] = "local f = io.open(path, 'a') return f and f:write 'x' and f:close()",
  ["io.open, w+"] = "local f = io.open(path, 'w+b') return f and f:write 'x' and f:close()",
  ["lathe.write"] = "return lathe.write(path, 'x')",
  ["doc:save"] = "return doc:save(path)",
  ["doc:save with a backup"] = "return doc:save(path, { backup = true })",
  ["lathe.export"] = "return (lathe.export(doc, path, { format = 'obj' }))",
}

describe("the sandbox's files", function()
  local string_index, dir, rules, world, doc

  before_each(function()
    string_index = getmetatable("").__index
    dir = helper.tmpdir()
    for _, name in ipairs { "in", "out", "secret", "out/way" } do lfs.mkdir(dir .. "/" .. name) end
    write_fixtures(dir .. "/in")
    write_fixtures(dir .. "/secret")
    write_fixtures(dir .. "/out/way")
    doc = assert(lathe.open(dir .. "/in/tri.solid"))
    rules = policy.new({ dir .. "/in" }, { dir .. "/out" })
    rules:enforce()
    world = sandbox.new { policy = rules, folder = dir .. "/in", say = print, write = print }
  end)

  after_each(function()
    rules:lift()
    getmetatable("").__index = string_index
  end)

  local function run(body, path)
    local fn = assert(world:start("return function(path, doc) " .. body .. "\nend", "test.lua"))
    local ok, value = world:call(fn, path, doc)
    return ok and value or nil, value
  end

  local function contents(folder)
    local all = {}
    for _, name in ipairs(helper.list(folder)) do all[name] = helper.read(folder .. "/" .. name) end
    return all
  end

  -- As another process could do it, between the moment when a path is checked and the one when it is opened.
  local function swap_when_asked(what, for_what)
    local resolve = rules.resolve
    rules.resolve = function(...)
      local real, why = resolve(...)
      rules.resolve = nil
      assert(os.rename(what, what .. ".moved"))
      assert(lfs.link(for_what, what, true))
      return real, why
    end
  end

  local function swap_back(what)
    assert(os.remove(what))
    assert(os.rename(what .. ".moved", what))
  end

  for _, set in ipairs { READS, WRITES } do
    for name, body in pairs(set) do
      it("are what was checked for " .. name .. ", though a folder becomes a link", function()
        local before = contents(dir .. "/secret")
        swap_when_asked(dir .. "/out/way", dir .. "/secret")
        assert.is_nil((run(body, dir .. "/out/way/tri.solid")))
        assert.same(before, contents(dir .. "/secret"))
        swap_back(dir .. "/out/way")
        assert.is_truthy(run(body, dir .. "/out/way/tri.solid"))
      end)

      it("are what was checked for " .. name .. ", though a file becomes a link", function()
        local before = contents(dir .. "/secret")
        swap_when_asked(dir .. "/out/way/tri.solid", dir .. "/secret/tri.solid")
        assert.is_nil((run(body, dir .. "/out/way/tri.solid")))
        assert.same(before, contents(dir .. "/secret"))
        swap_back(dir .. "/out/way/tri.solid")
      end)
    end
  end

  it("are made in no folder that a link leads to", function()
    for name, body in pairs(WRITES) do
      swap_when_asked(dir .. "/out/way", dir .. "/secret")
      assert.is_nil((run(body, dir .. "/out/way/new/tri.solid")), name)
      assert.is_false(helper.exists(dir .. "/secret/new"), name)
      swap_back(dir .. "/out/way")
    end
  end)

  it("tell why they are not opened", function()
    swap_when_asked(dir .. "/out/way", dir .. "/secret")
    assert.equal(dir .. "/out/way/tri.solid: cannot open: a symbolic link appeared in its path",
      run("return tostring(select(2, lathe.read(path)))", dir .. "/out/way/tri.solid"))
  end)

  it("are found by no path that is too long to be looked at in one piece", function()
    local here, part = lfs.currentdir(), ("d"):rep(200)
    assert(lfs.link(dir .. "/secret", dir .. "/in/link", true))
    assert(lfs.chdir(dir .. "/in"))
    for _ = 1, 19 do assert(lfs.mkdir(part) and lfs.chdir(part)) end
    for _ = 1, 3 do assert(lfs.mkdir(part)) assert(lfs.chdir(part)) end
    assert(lfs.link(dir .. "/secret/tri.solid", "link.solid", true))
    local file = assert(io.open("own.solid", "wb"))
    file:write(doc:encode())
    file:close()
    for _ = 1, 3 do assert(lfs.chdir "..") end
    local below = (part .. "/"):rep(3)
    local led, own = {}, {}
    for name, body in pairs(READS) do
      led[name] = run(body, below .. "link.solid")
      own[name] = run(body, below .. "own.solid") ~= nil
    end
    assert(lfs.chdir(here))
    assert.same({}, led)
    assert.same({ ["io.open"] = true, ["io.open, r+"] = false, ["io.lines"] = true, ["lathe.read"] = true,
      ["lathe.open"] = true, ["lathe.import"] = true }, own)
  end)

  it("are refused where a folder on the way cannot be looked into", function()
    assert.matches("File name too long", run("return select(2, io.open(path))", dir .. "/in/" .. ("x"):rep(300)))
    assert(lfs.link("loop", dir .. "/in/loop", true))
    assert.matches("symbolic links", run("return select(2, io.open(path .. '/x'))", dir .. "/in/loop"))
  end)

  it("are opened with the modes of io.open, and no others", function()
    assert.is_true(run("local f = io.open(path, 'w') f:write 'one' f:close() return true", dir .. "/out/a"))
    assert.equal("one", run("return io.open(path, 'rb'):read 'a'", dir .. "/out/a"))
    assert.is_true(run("local f = io.open(path, 'a') f:write '+' f:close() return true", dir .. "/out/a"))
    assert.equal("one+", run("return io.open(path, 'r+b'):read 'a'", dir .. "/out/a"))
    assert.equal("", run("return io.open(path, 'w+'):read 'a'", dir .. "/out/a"))
    assert.equal("file", run("return io.type(io.open(path))", dir .. "/out/a"))
    assert.equal("closed file", run("local f = io.open(path) f:close() return io.type(f)", dir .. "/out/a"))
    assert.matches("^file %(0x", run("return tostring(io.open(path))", dir .. "/out/a"))
    assert.equal("No such file or directory 2",
      run("local _, why, code = io.open(path) return why:match ': (.*)' .. ' ' .. code", dir .. "/out/none"))
    assert.equal("No such file or directory 2",
      run("local _, why, code = io.open(path, 'r+') return why:match ': (.*)' .. ' ' .. code", dir .. "/out/none"))
    for _, mode in ipairs { "", "x", "rw", "r++", "rbx", "+", "b" } do
      local _, why = run(("local f = io.open(path, %q) return f"):format(mode), dir .. "/out/a")
      assert.equal("test.lua:1: bad argument #2 to 'open' (invalid mode)", why)
    end
  end)
end)

describe("inputs below the folder of -o", function()
  local dir, before

  before_each(function()
    dir = helper.tmpdir()
    lfs.mkdir(dir .. "/in")
    lfs.mkdir(dir .. "/in/sub")
    write_fixtures(dir .. "/in")
    before = helper.read(dir .. "/in/tri.solid")
    assert(lfs.link(dir .. "/in/tri.solid", dir .. "/in/twin"))
    assert(lfs.link("../tri.solid", dir .. "/in/sub/link", true))
  end)

  -- Runs a script, once as it is and once dry; what it said then.
  local function attempt(source, ...)
    local script = helper.write(dir .. "/script.lua", source)
    local said = {}
    for i, more in ipairs { "--dry-run", "--json" } do
      local result = helper.lathe { "run", script, dir .. "/in/tri.solid", "-o", dir .. "/in", more, "--", dir, ... }
      said[i] = result.out .. result.err
    end
    return table.unpack(said)
  end

  it("are not written, whatever they are called", function()
    local names = { "/in/tri.solid", "/in/../in/./tri.solid", "/in/twin", "/in/sub/link", "/in//tri.solid" }
    local ways = { ["io.open, r+"] = "local f, why = io.open(path, 'r+') return f, why" }
    for name, body in pairs(WRITES) do
      ways[name] = body:gsub("local f =", "local f, why ="):gsub("f:close%(%)", "f:close(), why")
        :gsub("return %((lathe.export.*)%)$", "return %1")
    end
    local source, expected = { "return function(doc, ctx)\nlocal dir = ctx.args[1]\nlocal function try(name, path, way)"
      .. " local got, why = way(path) print(name, got, why) end" }, {}
    for name, body in pairs(ways) do
      for _, path in ipairs(names) do
        source[#source + 1] = ("try(%q, dir .. %q, function(path) %s end)"):format(name, path, body)
        expected[#expected + 1] =
          ("%s\tnil\t%s%s: would overwrite the input %s/in/tri.solid\n"):format(name, dir, path, dir)
      end
    end
    source[#source + 1] = "end"
    for i, said in ipairs { attempt(table.concat(source, "\n")) } do
      assert.truthy(said:find(table.concat(expected), 1, true), said)
      assert.equal(before, helper.read(dir .. "/in/tri.solid"), i)
      assert.equal(before, helper.read(dir .. "/in/twin"), i)
    end
    assert.equal("link", lfs.symlinkattributes(dir .. "/in/sub/link", "mode"))
  end)

  it("are not written while the script is loaded", function()
    helper.write(dir .. "/script.lua",
      ("io.open(%q, 'w')\nreturn function() end"):format(dir .. "/in/tri.solid"))
    helper.lathe { "run", dir .. "/script.lua", dir .. "/in/tri.solid", "-o", dir .. "/in" }
    assert.equal(before, helper.read(dir .. "/in/tri.solid"))
  end)

  it("are not written as the backup of another file", function()
    helper.write(dir .. "/in/x", "old")
    helper.write(dir .. "/in/x.bak", before)
    helper.write(dir .. "/script.lua", [[
      return function(doc, ctx) print(doc:save(ctx.output .. "/x", { backup = true })) end]])
    for _, more in ipairs { "--dry-run", "--json" } do
      local result = helper.lathe { "run", dir .. "/script.lua", dir .. "/in/x.bak", "--format", "solid", "-o",
        dir .. "/in", more }
      assert.matches("would overwrite the input", result.out .. result.err)
      assert.equal(before, helper.read(dir .. "/in/x.bak"))
      assert.equal("old", helper.read(dir .. "/in/x"))
    end
  end)

  it("are not overwritten by lathe's own results under another name", function()
    lfs.mkdir(dir .. "/out")
    assert(lfs.link(dir .. "/in/tri.solid", dir .. "/out/tri.solid"))
    for _, more in ipairs { "--dry-run", "--json" } do
      local result = helper.lathe { "scale", "2", dir .. "/in/tri.solid", "-o", dir .. "/out", more }
      assert.matches("would overwrite the input", result.err)
      assert.equal(1, result.code)
    end
    assert(lfs.link(dir .. "/in/tri.solid", dir .. "/out/tri.glb"))
    for _, more in ipairs { "--dry-run", "--json" } do
      local result = helper.lathe { "export", dir .. "/in/tri.solid", "-o", dir .. "/out/tri.glb", more }
      assert.matches("would overwrite the input", result.err)
      assert.equal(1, result.code)
    end
    assert.equal(before, helper.read(dir .. "/in/tri.solid"))
  end)

  it("leave other files beside them to the script", function()
    attempt "return function(doc, ctx) assert(lathe.write(ctx.args[1] .. '/in/new.solid', 'x')) end"
    assert.equal("x", helper.read(dir .. "/in/new.solid"))
  end)
end)
