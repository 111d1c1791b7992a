-- The sandbox: what it gives, what it refuses, and the known ways of getting out of one.

local helper = require "helper"
local lfs = require "lfs"
local core = require "lathe.core"
local lathe = require "lathe"
local members = require "lathe.members"
local policy = require "lathe.cli.sandbox.policy"
local sandbox = require "lathe.cli.sandbox"
local write_fixtures = dofile "spec/cli/fixtures.lua"

describe("sandbox", function()
  local string_index, dir, rules, world, said

  before_each(function()
    string_index = getmetatable("").__index
    dir = helper.tmpdir()
    for _, name in ipairs { "in", "out", "script", "secret" } do lfs.mkdir(dir .. "/" .. name) end
    write_fixtures(dir .. "/in")
    write_fixtures(dir .. "/secret")
    helper.write(dir .. "/script/part.lua", "return { twice = function(n) return 2 * n end }")
    said = {}
    rules = policy.new({ dir .. "/in", dir .. "/script" }, { dir .. "/out" })
    rules:enforce()
    world = sandbox.new {
      policy = rules,
      folder = dir .. "/script",
      say = function(line) said[#said + 1] = line end,
      write = function() end,
    }
  end)

  after_each(function()
    rules:lift()
    getmetatable("").__index = string_index
  end)

  -- Runs the body of a script's function with the folder and further arguments.
  local function run(body, ...)
    local fn, why = world:start("return function(dir, ...) " .. body .. "\nend", "test.lua")
    if not fn then return false, why end
    return world:call(fn, dir, ...)
  end

  local function gives(body, ...)
    local ok, value = run(body, ...)
    assert(ok, value)
    return value
  end

  describe("gives", function()
    it("what scripts need of Lua", function()
      assert.equal(6, gives "return select('#', table.unpack{1,2,3}) + math.max(1, 3)")
      assert.equal("AB", gives "return ('ab'):upper()")
      assert.equal(3, gives "return utf8.len('äöü')")
      assert.equal("table", gives "return type(os.date '*t')")
      assert.equal(5, gives "return coroutine.wrap(function() coroutine.yield(5) end)()")
      assert.equal(2, gives "return load('return 1 + 1')()")
      assert.equal(7, gives "return load('return x', 'n', 't', { x = 7 })()")
    end)

    it("printing", function()
      gives "print('a', nil, 3)"
      assert.same({ "a\tnil\t3" }, said)
    end)

    it("lathe, and modules beside the script", function()
      assert.equal(lathe.VERSION, gives "return require 'lathe'.VERSION")
      assert.equal(8, gives "return require 'part'.twice(4)")
      assert.equal(3, gives "return #require 'lathe'.open(dir .. '/in/tri.solid').vertices")
    end)

    it("reading below the inputs", function()
      assert.equal("D3", gives [[
        local f <close> = assert(io.open(dir .. "/in/rig.fzx", "rb"))
        return ("%02X"):format(f:read(1):byte())]])
      assert.equal("FZX", gives [[
        for line in io.lines(dir .. "/in/rig.fzx", "a") do return line:sub(-3) end]])
    end)

    it("writing below the output folder", function()
      gives [[
        local doc = assert(require "lathe".open(dir .. "/in/tri.solid"))
        assert(doc:save(dir .. "/out/copy.solid"))
        local f <close> = assert(io.open(dir .. "/out/new/notes.txt", "w"))
        f:write "x"]]
      assert.equal(helper.read(dir .. "/in/tri.solid"), helper.read(dir .. "/out/copy.solid"))
      gives [[
        local lathe = require "lathe"
        local doc = assert(lathe.open(dir .. "/in/tri.solid"))
        assert(lathe.export(doc, dir .. "/out/new/tri.glb"))
        assert(lathe.write(dir .. "/out/bytes", "x"))]]
      assert.equal("glTF", helper.read(dir .. "/out/new/tri.glb"):sub(1, 4))
      assert.equal("x", helper.read(dir .. "/out/bytes"))
      assert.equal("x", helper.read(dir .. "/out/new/notes.txt"))
    end)

    it("what the list of members allows, of the module and of objects", function()
      for _, owner in ipairs { "lathe", "lathe.tree" } do
        for _, name in ipairs(members.names(owner)) do
          local there = gives(("return %s.%s ~= nil"):format(owner, name))
          assert.equal(members.is_allowed(owner, name), there, name)
        end
      end
      local doc = assert(lathe.open(dir .. "/in/tri.solid"))
      for _, name in ipairs(members.names("document", "method")) do
        assert.equal("function", gives("return type(({ ... })[1]." .. name .. ")", doc), name)
      end
    end)
  end)

  describe("has no", function()
    for _, name in ipairs {
      "arg", "io.stdout", "io.stderr", "require 'lathe'.core", "require 'lathe'.set_guard", "package.loaded",
      "package.preload", "package.searchers", "package.path", "package.cpath", "lathe.core",
      "getmetatable(debug)", "getmetatable(package)", "load('return _G.package.loaded')()",
    } do
      it(name, function() assert.is_nil(gives("return " .. name)) end)
    end

    for name, call in pairs {
      ["dofile"] = "dofile 'x'", ["loadfile"] = "loadfile 'x'", ["warn"] = "warn 'x'",
      ["collectgarbage"] = "collectgarbage 'count'", ["os.execute"] = "require 'os'.execute()",
      ["os.exit"] = "os.exit(0)", ["os.remove"] = "os.remove(dir .. '/in/tri.solid')",
      ["os.rename"] = "os.rename(dir .. '/in/tri.solid', dir .. '/x')", ["os.tmpname"] = "os.tmpname()",
      ["os.setlocale"] = "os.setlocale()", ["os.getenv"] = "os.getenv 'HOME'", ["io.popen"] = "io.popen 'ls'",
      ["io.tmpfile"] = "io.tmpfile()", ["io.input"] = "io.input(dir .. '/in/tri.solid')",
      ["io.output"] = "io.output()", ["io.read"] = "io.read()", ["string.dump"] = "('').dump(print)",
      ["debug.getinfo"] = "_G.debug.getinfo(1)", ["debug.getregistry"] = "_ENV.debug.getregistry()",
      ["debug.getmetatable"] = "load('return debug')().getmetatable('')",
      ["debug.getupvalue"] = "debug.getupvalue(os.execute, 1)", ["debug.sethook"] = "debug.sethook()",
      ["package.loadlib"] = "package.loadlib('libc.so.6', '*')",
      ["package.searchpath"] = "load('return _G.package')().searchpath('x', '?')",
    } do
      it(name .. ", and says so", function()
        local ok, why = run("return 1, " .. call)
        assert.is_false(ok)
        assert.equal("test.lua:1: " .. name .. " is not allowed in the sandbox: see --trusted", why)
      end)
    end

    it("function that is not the script's world's", function()
      for _, library in ipairs { "debug", "io", "os", "package", "string", "_G" } do
        for name, value in pairs(_G[library]) do
          if type(value) == "function" then
            assert.is_function(gives(("return %s.%s"):format(library, name)))
          end
        end
      end
      for name in pairs(debug) do assert.not_equal(debug[name], gives("return debug." .. name)) end
    end)

    for _, name in ipairs { "debug", "package", "io", "lfs", "lathe.core", "lathe.cli", "posix" } do
      it("require " .. name, function()
        local ok, why = run(("return require %q"):format(name))
        assert.is_false(ok)
        assert.matches("no module '" .. name .. "'", why, 1, true)
      end)
    end

    it("member that the list does not allow", function()
      local made_up = function() return "out of the sandbox" end
      local doc = assert(lathe.open(dir .. "/in/tri.solid"))
      local objects = { array = doc.vertices, buffer = doc.vertices:tobuffer(), document = doc, record = doc.vertices[1] }
      lathe.made_up, lathe.tree.made_up = made_up, made_up
      for owner, object in pairs(objects) do
        core.members()[owner].made_up = made_up
        assert.equal("out of the sandbox", object.made_up(), owner)
      end
      world = sandbox.new { policy = rules, folder = dir .. "/script", say = print, write = print }
      assert.is_nil(gives "return lathe.made_up")
      assert.is_nil(gives "return lathe.tree.made_up")
      lathe.made_up, lathe.tree.made_up = nil, nil
      for owner, object in pairs(objects) do
        local ok, why = run("return (...).made_up()", object)
        assert.is_false(ok, owner)
        assert.matches("made_up", why)
        assert.is_false(pcall(function() return object.made_up end), owner)
      end
    end)

    it("hook of lathe's own Lua", function()
      for _, name in ipairs(members.names "lathe.core") do
        assert.is_nil(gives("return lathe." .. name))
        assert.is_nil(gives("return require 'lathe'." .. name))
      end
    end)

    it("require of paths", function()
      for _, name in ipairs { "../secret/x", "/etc/passwd", "..", "a/b", "" } do
        assert.is_false((run(("return require %q"):format(name))))
      end
    end)

    it("bytecode", function()
      local code = string.dump(function() return 1 end)
      for _, call in ipairs {
        "load(...)", "load(..., 'x', 'b')", "load(..., 'x', 'bt', {})",
        "load((function(s) local d return function() if not d then d = 1 return s end end end)(...))",
      } do
        local ok, chunk, why = run("local f, why = " .. call .. " return f or nil, why", code)
        assert.is_true(ok)
        assert.is_nil(chunk)
        assert.equal("bytecode is not allowed in the sandbox: see --trusted", why)
      end
      assert.is_nil((world:start(code, "compiled.lua")))
    end)
  end)

  describe("hides the metatable of", function()
    it("strings", function() assert.is_nil(gives "return getmetatable('')") end)

    it("documents, views and arrays", function()
      for _, expression in ipairs { "doc", "doc.vertices", "doc.vertices[1]" } do
        assert.is_nil(gives("local doc = require 'lathe'.open(dir .. '/in/tri.solid')\n"
          .. "return getmetatable(" .. expression .. ")"))
      end
    end)

    it("errors", function()
      assert.is_nil(gives "local _, e = require 'lathe'.open(dir .. '/in/none')\nreturn getmetatable(e)")
    end)

    it("files", function()
      assert.is_nil(gives "return getmetatable(io.open(dir .. '/in/tri.solid'))")
    end)

    it("but not those that the script has set", function()
      assert.is_true(gives "local m = {} return getmetatable(setmetatable({}, m)) == m")
      assert.equal("locked", gives "return getmetatable(setmetatable({}, { __metatable = 'locked' }))")
    end)
  end)

  describe("refuses", function()
    local function refused(body, ...)
      local ok, value, why = run(body, ...)
      assert.is_true(ok, tostring(value))
      assert.is_nil(value)
      return tostring(why)
    end

    it("reading elsewhere", function()
      for _, path in ipairs {
        "dir .. '/secret/tri.solid'", "dir .. '/in/../secret/tri.solid'", "'/etc/passwd'",
        "dir .. '/in/../../../../../../../../etc/passwd'", "dir .. '/in2'", "dir", "'/'", "'.'",
        "dir .. '/in/none/../../secret/tri.solid'", "dir .. '//in//..//secret/tri.solid'",
        "'/proc/self/environ'", "'/dev/stdin'",
      } do
        assert.matches("sandbox", refused(("return nil, select(2, io.open(%s))"):format(path)))
        local why = refused(("return nil, select(2, require 'lathe'.open(%s))"):format(path))
        assert.matches("sandbox", why)
        assert.matches("sandbox", refused(("return nil, select(2, require 'lathe'.read(%s))"):format(path)))
        assert.matches("sandbox",
          refused(("return nil, select(2, require 'lathe'.import(%s, { format = 'obj' }))"):format(path)))
        assert.is_false((run(("for l in io.lines(%s) do return l end"):format(path))))
      end
    end)

    it("a zero byte in a path", function()
      local path = [["/etc/passwd\0/../../]] .. "\" .. dir .. \"" .. [[/in/tri.solid"]]
      assert.matches("zero byte", refused(("return nil, select(2, io.open(%s))"):format(path)))
      assert.is_false((run(("return assert(require 'lathe'.open(%s))"):format(path))))
    end)

    it("links that lead out", function()
      assert(lfs.link(dir .. "/secret/tri.solid", dir .. "/in/link.solid", true))
      assert(lfs.link("../secret", dir .. "/in/way", true))
      assert(lfs.link(dir .. "/secret/new.txt", dir .. "/out/dangling.txt", true))
      assert(lfs.link("loop", dir .. "/in/loop", true))
      for _, path in ipairs { "/in/link.solid", "/in/way/tri.solid", "/in/way/../secret/tri.solid" } do
        assert.matches("sandbox", refused("return nil, select(2, io.open(dir .. ...))", path))
        assert.matches("sandbox", refused("return nil, select(2, require 'lathe'.open(dir .. ...))", path))
      end
      helper.write(dir .. "/in/x.gltf", '{ "buffers": [{ "uri": "way/tri.solid", "byteLength": 1 }], "bufferViews": '
        .. '[{ "buffer": 0, "byteLength": 1 }], "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 1, '
        .. '"type": "VEC3" }], "nodes": [{ "mesh": 0 }], "meshes": '
        .. '[{ "primitives": [{ "attributes": { "POSITION": 0 } }] }] }')
      assert.matches("tri.solid: the sandbox", refused "return nil, select(2, require 'lathe'.import(dir .. '/in/x.gltf'))")
      assert.matches("sandbox", refused "return nil, select(2, io.open(dir .. '/out/dangling.txt', 'w'))")
      assert.matches("links", refused "return nil, select(2, io.open(dir .. '/in/loop'))")
      assert.is_false(helper.exists(dir .. "/secret/new.txt"))
    end)

    it("writing elsewhere", function()
      local before = helper.read(dir .. "/in/tri.solid")
      for _, mode in ipairs { "w", "wb", "a", "r+", "w+", "a+b" } do
        for _, path in ipairs { "/in/tri.solid", "/in/new", "/secret/new", "/out/../in/tri.solid" } do
          assert.matches("sandbox", refused("local p, m = ... return nil, select(2, io.open(dir .. p, m))",
            path, mode))
        end
      end
      assert.equal(before, helper.read(dir .. "/in/tri.solid"))
    end)

    it("saving elsewhere", function()
      local doc = assert(lathe.parse(helper.read(dir .. "/in/tri.solid"),
        { format = "solid", path = dir .. "/in/tri.solid" }))
      doc.vertices[1].x = 5
      local before = helper.read(dir .. "/in/tri.solid")
      for _, call in ipairs {
        "doc:save()", "doc:save(dir .. '/in/tri.solid')", "doc:save(dir .. '/secret/x.solid')",
        "doc:save(dir .. '/out/../secret/x.solid')", "doc:save(dir .. '/in/x', { backup = true })",
        "require 'lathe'.new('solid', doc:totable()):save(dir .. '/secret/x.solid')",
        "require 'lathe'.open(dir .. '/in/tri.solid'):save()", "lathe.write(dir .. '/in/tri.solid', '')",
        "lathe.export(doc, dir .. '/secret/x.obj')", "lathe.export(doc, dir .. '/in/x.glb')",
        "coroutine.wrap(function() return doc:save(dir .. '/secret/x.solid') end)()",
      } do
        refused("local doc = ... local ok, err = " .. call .. "\nreturn ok, err", doc)
      end
      assert.equal(before, helper.read(dir .. "/in/tri.solid"))
      assert.is_false(helper.exists(dir .. "/secret/x.solid"))
    end)

    it("all of it inside coroutines and protected calls", function()
      assert.is_nil(gives [[
        return (coroutine.wrap(function() return io.open(dir .. "/secret/tri.solid") end)())]])
      assert.is_nil(gives "local _, f = pcall(io.open, dir .. '/secret/tri.solid') return f")
      assert.is_nil(gives [[
        local co = coroutine.create(function() error(setmetatable({}, { __index = _ENV })) end)
        local _, e = coroutine.resume(co)
        return e.debug.getinfo == debug.getinfo and e.arg]])
    end)

    it("finalizers", function()
      local ok, why = run "setmetatable({}, { __gc = function() end })"
      assert.is_false(ok)
      assert.matches("__gc", why)
      gives [[
        local meta = {}
        setmetatable({}, meta)
        meta.__gc = function() hit = true end]]
      collectgarbage()
      collectgarbage()
      assert.is_nil(gives "return hit")
    end)
  end)

  it("keeps the script from changing the world outside", function()
    gives [[
      string.upper = function() return "changed" end
      table.concat, pairs, type = nil, nil, nil
      require "lathe".open = nil
      require "lathe".tree.dump = nil]]
    assert.equal("X", ("x"):upper())
    assert.is_function(string.upper)
    assert.equal("X", string.upper "x")
    assert.is_function(table.concat)
    assert.is_function(lathe.open)
    assert.is_function(lathe.tree.dump)
  end)

  it("asks the policy of files also while an error of the script is printed", function()
    local script = helper.write(dir .. "/script/late.lua", [[
      local lathe = require "lathe"
      return function(doc, ctx)
        error(setmetatable({}, { __tostring = function()
          local doc, err = lathe.open(ctx.args[1])
          return "opened: " .. tostring(doc ~= nil)
        end }))
      end]])
    local result = helper.lathe({ "run", script, dir .. "/in/tri.solid", "--", dir .. "/secret/tri.solid" })
    assert.equal(1, result.code)
    assert.matches("opened: false", result.err, 1, true)
  end)

  it("is lifted when its owner lifts it", function()
    rules:lift()
    assert(lathe.open(dir .. "/secret/tri.solid"))
    rules:enforce()
    local doc = rules:as_host(lathe.open, dir .. "/secret/tri.solid")
    assert.is_truthy(doc)
    assert.is_nil((lathe.open(dir .. "/secret/tri.solid")))
  end)
end)
