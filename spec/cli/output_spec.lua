-- What commands say where names, messages and scripts are hostile: JSON stays JSON, a terminal gets nothing that
-- steers it, and no script stops the next file.

local dkjson = require "dkjson"
local helper = require "helper"
local lfs = require "lfs"
local transcript = dofile "spec/cli/transcript.lua"

describe("output", function()
  local folder, env

  before_each(function() folder, env = transcript.folder() end)

  local function run(command)
    return helper.run(command, { cwd = folder, env = env })
  end

  local function copy(from, to)
    helper.write(folder .. "/" .. to, helper.read(folder .. "/" .. from))
  end

  local function script(source, name)
    return helper.write(folder .. "/" .. (name or "script.lua"), source)
  end

  -- The values of JSON lines, each of which is one whole value in UTF-8.
  local function values(text)
    local list = {}
    assert.is_truthy(utf8.len(text), text)
    for line in text:gmatch "([^\n]*)\n" do
      assert.is_nil(line:find "%c", line)
      local value, stop, why = dkjson.decode(line, 1, nil)
      assert(value, why)
      assert.equal(#line + 1, stop, line)
      list[#list + 1] = value
    end
    assert.equal("\n", text:sub(-1))
    return list
  end

  describe("of scripts that raise", function()
    -- The raised value, what is told of it, and what JSON has beside `error`.
    local raised = {
      { "error{ code = print, message = 'm' }", "script.lua:2: m" },
      { "error{ code = {}, where = print, offset = 'x', message = 'm' }", "script.lua:2: m" },
      { "error{ code = 'c', where = 'w', offset = 5, message = 'm' }", "m (script.lua:2)",
        { code = "c", where = "w", offset = 5 } },
      { "error{ code = 'c', where = 7, offset = 1.5, message = 'm' }", "m (script.lua:2)", { code = "c" } },
      { "error{ code = 'c', offset = 0/0 }", "an error table without a message (script.lua:2)", { code = "c" } },
      { "error{ message = 'told' }", "script.lua:2: told" },
      { "error{ message = 12 }", "script.lua:2: 12" },
      { "error{ message = print }", "script.lua:2: function" },
      { "error{ message = {} }", "script.lua:2: an error table whose message is a table" },
      { "error{}", "script.lua:2: an error table without a message" },
      { "error(setmetatable({}, { __tostring = function() return 'said' end }))", "script.lua:2: said" },
      { "error(setmetatable({}, { __tostring = function() error 'x' end }))",
        "script.lua:2: an error that cannot be printed" },
      { "error(setmetatable({}, { __tostring = function() return 5 end }))", "script.lua:2: 5" },
      { "error(setmetatable({}, { __tostring = function() return {} end }))",
        "script.lua:2: an error that cannot be printed" },
      { "error(setmetatable({}, { __index = function() error 'x' end }))",
        "script.lua:2: an error table without a message" },
      { "error(setmetatable({}, { __index = function() return print end, __name = 'n' }))",
        "script.lua:2: function" },
      { "error(setmetatable({}, { __name = 5, __metatable = false, __tostring = false }))",
        "script.lua:2: an error that cannot be printed" },
      { "local t = {}; t.message, t.code, t.where = t, t, t; error(t)",
        "script.lua:2: an error table whose message is a table" },
      { "local t = setmetatable({ code = 'c', message = 'm' }, {}); getmetatable(t).__index = t; error(t)",
        "m (script.lua:2)", { code = "c" } },
      { "error()", "script.lua:2: nil" },
      { "error(true)", "script.lua:2: true" },
      { "error(1.5)", "script.lua:2: 1.5" },
      { "error(doc)", "script.lua:2: solid document" },
      { "error(doc.vertices)", "script.lua:2: " },
      { "error(print)", "script.lua:2: function" },
      { "error(coroutine.create(print))", "script.lua:2: thread" },
      { "error(io.open)", "script.lua:2: function" },
      { "error('a\\xffb')", "script.lua:2: a\\xffb" },
      { "error{ code = '\\xff', message = '\\xfe' }", "\\xfe (script.lua:2)", { code = "\u{FFFD}" } },
      { "error(('x'):rep(1 << 26), 0)", "script.lua:2: " .. ("x"):rep(4000) .. " ... (67108864 bytes)" },
      { "error(('\\u{e4}'):rep(4000))", " ... (" },
      { "coroutine.wrap(function() error{ code = print } end)()",
        "script.lua:2: an error table without a message" },
      { "local function f() return f() + 1 end f()", "script.lua:2: stack overflow" },
      { "error((lathe.open '/nowhere'))", "script.lua:2: nil" },
      { "error(select(2, lathe.open '/nowhere'))", "/nowhere: " },
      { "assert(lathe.parse('', { format = 'solid' }))", "(script.lua:2)" },
      { "doc:close()", "the script closed its document" },
    }

    it("goes on with the next file, and says what was raised", function()
      local source, files = { "local cases = {" }, {}
      for i, case in ipairs(raised) do
        source[i + 1] = ("function(doc) %s end,"):format(case[1]) -- line i + 1 of the script
        files[i] = ("%02d.solid"):format(i)
        copy("tri.solid", files[i])
      end
      script(table.concat(source, "\n") .. "}\nreturn function(doc, ctx)\n"
        .. "  local case = cases[tonumber(ctx.path:match '^%d+')]\n  if case then case(doc) end\nend")
      local names = table.concat(files, " ") .. " tail.solid"
      local plain = run("lathe run script.lua " .. names)
      local list = values(run("lathe run --json script.lua " .. names).out)
      assert.equal(1, plain.code)
      assert.equal(#raised + 1, #list)
      assert.is_true(list[#list].ok)
      local next_line = plain.err:gmatch "([^\n]*)\n"
      for i, case in ipairs(raised) do
        local code, told, fields = case[1], case[2]:gsub("script.lua:2", "script.lua:" .. i + 1), case[3] or {}
        local line = next_line()
        assert.equal(("lathe: %s: "):format(files[i]), line:sub(1, #files[i] + 9), code)
        assert.is_truthy(line:find(told, 1, true), code .. ": " .. line:sub(1, 400))
        assert.is_nil(line:find "table: 0x", code)
        assert.is_false(list[i].ok)
        if not code:find "lathe%." then
          for _, key in ipairs { "code", "where", "offset" } do assert.equal(fields[key], list[i][key], code) end
        end
      end
      assert.equal(("0 changed, 1 unchanged, %d failed"):format(#raised), next_line())
    end)

    it("says that a script closed its document", function()
      script "return function(doc) doc:close() end"
      local result = run "lathe run script.lua tri.solid"
      assert.equal("lathe: tri.solid: the script closed its document: "
        .. "leave that to lathe, which still has to look at it\n0 changed, 0 unchanged, 1 failed\n", result.err)
      assert.equal(result.err, run "lathe run --trusted script.lua tri.solid".err)
    end)

    it("says what the outer level raised", function()
      script "error{ code = print, message = 'no\\nway\\27' }"
      assert.equal("lathe run: script.lua:1: no; way\\x1b\n", run "lathe run script.lua tri.solid".err)
    end)
  end)

  describe("about odd names", function()
    local BAD, STEERS = "b\xffd\xe9.solid", "s\27]0;x\7\n\u{9b}2J.solid"

    before_each(function()
      lfs.mkdir(folder .. "/odd")
      copy("tri.solid", "odd/" .. BAD)
      copy("tri.solid", "odd/" .. STEERS)
      copy("cut.solid", "odd/\xf0cut\27.solid")
    end)

    local SHOWN, BYTES = "odd/b\u{FFFD}d\u{FFFD}.solid", "b2RkL2L/ZOkuc29saWQ="

    it("is JSON, and tells the bytes of names that are no UTF-8", function()
      script "return function(doc, ctx) ctx.log('\xff\27', ctx.path) doc.vertices[1].x = 7 end"
      for _, command in ipairs {
        "info", "check", "scale 2 -n", "scale 2 -o out", "materials", "run script.lua -o out2",
        "run script.lua -n", "export -o out3 --to obj", "export -o all.glb",
      } do
        local name, rest = command:match "^(%S+)(.*)$"
        local first, more = rest:match "^( [%w.]+)(.*)$"
        if name ~= "scale" and name ~= "run" then first, more = "", rest end
        local result = run(("lathe %s%s odd%s --json"):format(name, first, more))
        local list = values(result.out)
        assert.equal(command:find "all.glb" and 4 or 3, #list, command)
        assert.same({ SHOWN, BYTES }, { list[1].file, list[1].file_bytes }, command)
        assert.same({ "odd/s\27]0;x\7\n\u{9b}2J.solid" }, { list[2].file, list[2].file_bytes }, command)
        assert.equal("odd/\u{FFFD}cut\27.solid", list[3].file, command)
        if name ~= "check" then
          assert.matches("odd/\u{FFFD}cut\27.solid", list[3].error or list[3].skipped, 1, true)
        end
        assert.is_nil(result.err:gsub("\n", ""):find "[%c\x7f-\xff]", command)
      end
      local path = helper.quote("odd/" .. BAD)
      for _, command in ipairs {
        "get --json %s vertices", "get --json %s $'\\xff'", "dump --json %s", "diff --json %s %s",
        "diff --json tri.solid %s", "set --json %s vertices[1].x=5 -o out/$'\\xfe'.solid",
        "export --json %s -o out/$'\\xfe'.obj", "get --json $'no\\xff' x",
      } do
        command = "bash -c " .. helper.quote("lathe " .. command:gsub("%%s", (path:gsub("%%", "%%%%"))))
        local list = values(run(command).out)
        assert.equal(1, #list, command)
        assert.is_string(list[1].file)
      end
    end)

    it("steers no terminal", function()
      script "return function(doc, ctx) ctx.log('l\27[1m\\t\u{9b}\127\\r') print('p\27[1m\xff') error('e\27[1m') end"
      for _, command in ipairs {
        "info odd", "check odd", "scale 2 odd -n", "scale 2 odd -o out", "materials odd", "run script.lua odd",
        "export odd -o out3 --to obj", "scale 2 odd -o $'o\\e\\xff'", "get odd/s*.solid vertices",
        "dump odd/s*.solid", "diff odd/s*.solid odd/b*.solid", "diff odd/s*.solid tail.solid", "info $'\\e'",
        "$'\\e\\n\\xff'", "info --$'\\e'", "run $'\\e' odd", "get tri.solid $'\\e\\x9b'", "scale $'\\e' odd -n",
        "formats $'\\e'", "help $'\\e'", "set tri.solid $'\\e'=1 -n", "set tri.solid $'\\e' -n",
      } do
        local result = run("bash -c " .. helper.quote("lathe " .. command) .. " 2>&1")
        assert.is_truthy(utf8.len(result.out), command)
        local plain = result.out:gsub("[\n\t]", ""):gsub("\u{d7}", "")
        assert.is_nil(plain:find "%c", command .. ": " .. result.out)
        assert.is_nil(plain:find("\xc2[\x80-\x9f]"), command)
        assert.is_nil(plain:find "internal error", command .. ": " .. result.out)
      end
      assert.equal("odd/s\\x1b]0;x\\x07\\n\\xc2\\x9b2J.solid: skipped: solid files have no set-materials\n",
        run("lathe materials odd/s*").out)
    end)

    it("escapes what scripts print and log, but not what they write to a pipe", function()
      script "return function(doc, ctx) ctx.log('a\\nb\\27') print('a\\tb\\n\\27\\xff', 1) io.write('\\27\\xff') end"
      local result = run "lathe run script.lua tri.solid"
      assert.equal("tri.solid: a\nb\\x1b\n0 changed, 1 unchanged, 0 failed\n", result.err)
      assert.equal("a\tb\n\\x1b\\xff\t1\n\27\xff", result.out)
      result = run "lathe run --json script.lua tri.solid"
      assert.equal("a\tb\n\\x1b\\xff\t1\n\\x1b\\xff0 changed, 1 unchanged, 0 failed\n", result.err)
      assert.same({ "a\nb\27" }, values(result.out)[1].log)
      local terminal = run("script -qec 'lathe run script.lua tri.solid' /dev/null").out
      assert.matches("\\x1b\\xff", terminal, 1, true)
      assert.is_nil(terminal:find("\27", 1, true))
    end)

    it("keeps colours on a terminal, and names in them", function()
      env.TERM = "xterm"
      local shown = run([[script -qec 'lathe info odd/s*.solid' /dev/null]]).out
      assert.matches("\27[1modd/s\\x1b]0;x\\x07\\n\\xc2\\x9b2J.solid\27[0m\r\n", shown, 1, true)
    end)
  end)

  describe("of rules", function()
    it("tells a bad pattern once, before the first file", function()
      for _, json in ipairs { "", " --json" } do
        local result = run("lathe materials crate.nif spheres.nif --set 'a*=*b*' -o out" .. json)
        assert.same({ 2, "", "lathe materials: --set 'a*=*b*': the replacement has more * (2) than the pattern (1)\n" },
          { result.code, result.out, result.err })
      end
      assert.is_false(helper.exists(folder .. "/out"))
    end)

    it("tells at the end which matched nothing", function()
      local result = run "lathe materials crate.nif spheres.nif --set 'nothing*=b*' --set stone=wood -n --json"
      assert.equal(0, result.code)
      assert.equal("1 would change, 1 unchanged, 0 failed\n"
        .. "lathe materials: --set 'nothing*=b*' matched no name that it would change\n", result.err)
      assert.equal(2, #values(result.out))
      assert.equal("", run("lathe materials spheres.nif --set stone=wood -n").err)
    end)
  end)

  describe("of diff", function()
    it("exits 1 where files differ, and stderr tells that from a failure", function()
      local function outcome(command)
        local result = run(command)
        return { result.code, result.err }
      end
      assert.same({ 0, "" }, outcome "lathe diff tri.solid tri.solid")
      assert.same({ 1, "" }, outcome "lathe diff tri.solid tail.solid")
      assert.same({ 1, "" }, outcome "lathe diff --json tri.solid tail.solid")
      assert.same({ 0, "" }, outcome "lathe diff --json tri.solid tri.solid")
      assert.same({ 1, "lathe: tri.solid: none: cannot open: No such file or directory\n" },
        outcome "lathe diff tri.solid none")
      assert.same({ 1, "lathe: none: cannot open: No such file or directory\n" },
        outcome "lathe diff none tri.solid")
      assert.equal(2, run("lathe diff tri.solid").code)
    end)

    it("exits 1 where only bytes differ that no field has", function()
      local bytes = helper.read(folder .. "/clip.hkx")
      helper.write(folder .. "/other.hkx", bytes:sub(1, 28) .. "\1" .. bytes:sub(30))
      local plain, with_json = run "lathe diff clip.hkx other.hkx", run "lathe diff --json clip.hkx other.hkx"
      assert.same({ 1, "", "no field differs, but bytes do, from 0x1c on\n" }, { plain.code, plain.err, plain.out })
      assert.equal(1, with_json.code)
      assert.equal('{"file":"clip.hkx","ok":true,"format":"hkx","other":"other.hkx","same":false,"differ_at":28,'
        .. '"patch":1,"game":"Skyrim SE","complete":false,'
        .. '"missing":[{"reason":"bytes from 0x1c on, which no field shows"}],"changes":[]}\n', with_json.out)
    end)
  end)

  describe("of commands that write", function()
    local OLD, YOUNG = ".lathe-0123456789abcdef.tmp", ".lathe-fedcba9876543210.tmp"

    -- Files that a killed run left in a folder, with one that may be in use.
    local function litter(dir)
      lfs.mkdir(dir)
      helper.write(dir .. "/" .. OLD, "half")
      helper.write(dir .. "/" .. YOUNG, "half")
      assert(lfs.touch(dir .. "/" .. OLD, os.time() - 4000))
    end

    it("removes temporary files that killed runs left where it writes", function()
      script "return function(doc) doc.vertices[1].x = 7 end"
      script("return function(doc, ctx) assert(doc:save(ctx.output .. '/b/x.solid')) end", "save.lua")
      script("return function(doc, ctx) assert(io.open(ctx.output .. '/b/x', 'w')):close() end", "open.lua")
      for _, command in ipairs {
        "scale 2 tri.solid -o d/b/big.solid", "scale 2 tri.solid -o d/b", "set tri.solid vertices[1].x=5 -o d/b",
        "export tri.solid -o d/b/x.glb", "export tri.solid -o d/b --to obj", "run script.lua tri.solid -o d/b",
        "run save.lua tri.solid -o d", "run open.lua tri.solid -o d", "scale 2 d/b/tri.solid --in-place",
      } do
        os.execute("rm -rf " .. helper.quote(folder .. "/d"))
        lfs.mkdir(folder .. "/d")
        litter(folder .. "/d/b")
        copy("tri.solid", "d/b/tri.solid")
        local result = run("lathe " .. command)
        assert.equal(0, result.code, command .. ": " .. result.err)
        assert.is_false(helper.exists(folder .. "/d/b/" .. OLD), command)
        assert.is_true(helper.exists(folder .. "/d/b/" .. YOUNG), command)
      end
    end)

    it("removes none where it writes nothing", function()
      litter(folder .. "/d")
      for _, command in ipairs { "info d", "scale 2 tri.solid -o d -n", "scale 1 tri.solid -o d" } do
        run("lathe " .. command)
        assert.is_true(helper.exists(folder .. "/d/" .. OLD), command)
      end
    end)

    it("names the folder that -o had to make, once", function()
      script "return function() end"
      script("return function(doc, ctx) assert(doc:save(ctx.output .. '/b/x.solid')) end", "save.lua")
      local function notes(command) return (run("lathe " .. command).err:gsub("%d changed.*", "")) end
      lfs.mkdir(folder .. "/in")
      lfs.mkdir(folder .. "/in/deep")
      copy("tri.solid", "in/tri.solid")
      copy("tri.solid", "in/deep/tri.solid")
      assert.equal("made the folder new/one\n", notes "scale 2 in -o new/one")
      assert.equal("", notes "scale 2 in -o new/one")
      assert.equal("made the folder other\n", notes "scale 2 tri.solid -o other/x.solid")
      assert.equal("made the folder big.soild\n", notes "scale 2 tri.solid -o big.soild")
      assert.equal("made the folder s\n", notes "run save.lua tri.solid -o s")
      assert.equal("made the folder t\n", notes "run --trusted script.lua tri.solid -o t")
      assert.equal("", notes "scale 2 tri.solid -o none -n")
      assert.is_false(helper.exists(folder .. "/none"))
    end)
  end)
end)
