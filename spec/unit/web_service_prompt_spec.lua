-- The calls of the browser page that run code: prompt, completion, scripts, commands; searching; and hostile requests,
-- natively (see web_service_spec.lua).

local helper = require "helper"
local dkjson = require "dkjson"
local web = require "web_service"

local ask, get, fail, open, sample, encoded = web.ask, web.get, web.fail, web.open, web.sample, web.encoded

-- What code of the user does when it begins: then it is interrupted.
local BEGIN <const> = "io.open('output/begun', 'w'):close() "

-- Sends Ctrl-C to this process, as the time limit of the worker does, once the code of a call has begun.
local function interrupt_soon()
  local pid, begun = helper.read "/proc/self/stat":match "^%d+", web.root .. "/output/begun"
  os.remove(begun)
  os.execute(("(for i in $(seq 600); do if [ -e '%s' ]; then kill -INT %s; exit; fi; sleep 0.05; done) >/dev/null 2>&1 &")
    :format(begun, pid))
end

describe("the prompt of the page #tools", function()
  after_each(web.close_all)

  it("prints what the shell prints", function()
    local id = open "crate.solid"
    local folder = web.folder_of "crate.solid"
    for _, line in ipairs { "doc", "doc.vertices[1]", "#doc.triangles, 1/0, 'x'", "doc.vertices[99]", "doc.vertice",
      "nil + 1", "help 'units'", "?doc.vertices", "{ 1, { a = 2 } }" } do
      local stdout, stderr, code = web.lathe(folder, { "-e", line, "crate.solid" })
      local result = get("prompt", { id = id, line = line })
      assert.equal(stdout .. stderr, result.output, line)
      assert.equal(code ~= 0, result.failed, line)
    end
  end)

  it("takes statements of several lines, and forgets one that is abandoned", function()
    local id = open "crate.solid"
    assert.is_true(get("prompt", { line = "for i = 1, 3 do", id = id }).more)
    local result, _, changes = get("prompt", { line = "doc.vertices[i].x = i end", id = id })
    assert.is_false(result.more)
    assert.equal("for i = 1, 3 do doc.vertices[i].x = i end", changes.documents[1].undo)
    get("undo", { id = id })
    assert.equal(sample "crate.solid", encoded(id))
    assert.is_true(get("prompt", { line = "if true then", id = id }).more)
    get("abandon", {})
    assert.equal("2\n", get("prompt", { line = "1 + 1", id = id }).output)
    local lines = get("history", {}).lines
    assert.same({ "if true then", "1 + 1" }, { lines[#lines - 1], lines[#lines] })
  end)

  it("has the document of the tab as doc, and all as docs", function()
    local first, second = open "crate.solid", open "stock.nif"
    assert.equal('"solid"\n2\n', get("prompt", { id = first, line = "doc.format, #docs" }).output)
    assert.equal('"nif"\n', get("prompt", { id = second, line = "doc.format" }).output)
    local _, _, changes = get("prompt", { id = second, line = "doc:close()" })
    assert.same({ second }, changes.closed)
    assert.equal("1\n", get("prompt", { line = "#docs" }).output)
    local _, _, more = get("prompt", { line = "open 'crate.solid'" })
    assert.equal("crate.solid", more.documents[1].name)
    get("close", { id = more.documents[1].id, keep = true })
    assert.is_true(get("prompt", { line = "exit" }).left)
  end)

  it("saves files below the root", function()
    local id = open "crate.solid"
    get("prompt", { id = id, line = "doc.vertices[1].x = 3" })
    local result, _, changes = get("prompt", { id = id, line = "save()" })
    assert.equal("saved crate.solid (532 bytes); crate.solid.bak is what was there\n", result.output)
    assert.is_false(changes.documents[1].changed)
    get("prompt", { id = id, line = "local f = io.open('out/a.txt', 'w') f:write('hi') f:close()" })
    assert.equal("hi", select(2, get("file", { name = "out/a.txt" }))[1])
  end)

  it("reaches nothing but the files below the root", function()
    open "crate.solid"
    local outside = helper.write(helper.tmpdir() .. "/x.solid", sample "crate.solid")
    for _, line in ipairs {
      "os.exit()", "io.popen('ls')", "os.execute('ls')", "os.remove('crate.solid')", "dofile('crate.solid')",
      "require 'service.rights'", "debug.getregistry()", "package.loadlib('x', 'y')", "string.dump(print)",
      ("open '%s'"):format(outside), ("assert(lathe.open '%s')"):format(outside),
      ("assert(io.open('%s'))"):format(outside), ("assert(io.open('%s', 'w'))"):format(outside),
      ("save '%s'"):format(outside), ("assert(doc:save '%s')"):format(outside),
      ("for _ in io.lines('%s') do end"):format(outside),
    } do
      assert.is_true(get("prompt", { line = line }).failed, line)
    end
    assert.equal(sample "crate.solid", helper.read(outside))
  end)

  it("stops what takes too much memory, or too long", function()
    local id = open "crate.solid"
    local err = fail("prompt", { id = id, line = "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e6) .. i end" })
    assert.equal("memory", err.code)
    interrupt_soon()
    local result = get("prompt", { id = id, line = BEGIN .. "while true do pcall(function() while true do end end) end" })
    assert.is_true(result.interrupted)
    interrupt_soon()
    err = fail("run", { script = "return function(doc) doc.vertices[1].x = 5 " .. BEGIN .. "while true do end end" })
    assert.equal("interrupted", err.code)
    assert.equal(sample "crate.solid", encoded(id))
    assert.equal("2\n", get("prompt", { id = id, line = "1 + 1" }).output)
    result = get("prompt", { id = id, line = "for i = 1, 200000 do print('0123456789') end" })
    assert.truthy(#result.output < (1 << 20) + 100)
    assert.truthy(result.output:find "… %d+ bytes more\n$")
  end)

  it("completes a line as the shell does", function()
    local id = open "crate.solid"
    local result = get("complete", { id = id, line = "x = doc.ver" })
    assert.same({ "x = doc.", "vert", false }, { result.keep, result.common, result.more })
    local words = {}
    for i, one in ipairs(result.candidates) do words[i] = one.word end
    assert.same({ "vertex_count", "vertices" }, words)
    assert.equal(2, #result.lines)
    assert.same({ keep = "zz", common = "", candidates = {}, lines = {}, more = false },
      (function(r) r.keep = r.keep .. r.common r.common = "" return r end)(get("complete", { id = id, line = "zz" })))
    for _, line in ipairs { "", "doc.", "doc:sc", "doc:scale(2, { ", "?", "help \"un", "doc.vertices[", "'é", "((((" } do
      local reply = get("complete", { id = id, line = line })
      assert.equal(line:sub(1, #reply.keep), reply.keep)
      for _, one in ipairs(reply.candidates) do
        assert.equal(reply.common, one.word:sub(1, #reply.common))
      end
    end
  end)
end)

describe("scripts and commands of the page #tools", function()
  after_each(web.close_all)

  it("run the examples as `lathe run`", function()
    local scripts = get("examples", {}).scripts
    assert.truthy(#scripts > 10)
    for _, script in ipairs(scripts) do
      assert.truthy(#script.text > 0 and #script.summary > 0, script.name)
    end
    local folder, id = web.folder_of "wave.hkx", open "wave.hkx"
    web.lathe(folder, { "run", "@half-speed", "wave.hkx", "-o", "out" })
    local result, _, changes, events = get("run", { script = "@half-speed" })
    assert.same({ id = id, name = "wave.hkx", status = "changed", lines = {} }, result.results[1])
    assert.equal(helper.read(folder .. "/out/wave.hkx"), encoded(id))
    assert.equal("run @half-speed", changes.documents[1].undo)
    assert.same({ id = "x", event = "progress", done = 0, total = 1, name = "wave.hkx" }, events[1])
    assert.equal(1, get("undo", { id = id }).done)
    assert.equal(sample "wave.hkx", encoded(id))
  end)

  it("leave documents as they were where they fail, and in a preview", function()
    local crate, stock = open "crate.solid", open "stock.nif"
    local source = "return function(doc, ctx) print(ctx.path, ctx.args[1]) for _, v in ipairs(doc.vertices) do v.x = 1 end "
      .. "if ctx.args[1] == 'fail' then error 'on purpose' end end"
    local result = get("run", { script = source, name = "mine.lua", arguments = { "fail" } })
    assert.same({ "failed", "failed", 2, false },
      { result.results[1].status, result.results[2].status, result.failed, result.ok })
    assert.equal("mine.lua:1: on purpose", result.results[1].error)
    assert.truthy(result.output:find("crate.solid\tfail\n", 1, true))
    assert.equal(sample "crate.solid", encoded(crate))
    local preview, _, none = get("run", { script = source, ids = { crate }, preview = true })
    assert.is_nil(none)
    assert.same({ "changed", 8, true }, { preview.results[1].status, preview.results[1].diff.count, preview.ok })
    local _, _, changes = get("run", { script = source, ids = { crate } })
    assert.equal(1, #changes.documents)
    assert.equal(1, get("undo", { id = crate }).done)
    assert.equal(sample "crate.solid", encoded(crate))
    assert.equal(sample "stock.nif", encoded(stock))
    assert.equal("usage", fail("run", { script = "x x" }).code)
    assert.equal("usage", fail("run", { script = "@nope" }).code)
    assert.equal("usage", fail("run", { script = source, arguments = { 5 } }).code)
    local told = get("run", { script = "return { each = function(doc) return doc.format end, finish = function(r) "
      .. "for _, f in ipairs(r) do print(f.path, f.value) end end }" })
    assert.equal("crate.solid\tsolid\nstock.nif\tnif\n", told.output)
    local closed = get("run", { script = "return function(doc) doc:close() end", ids = { crate } })
    assert.equal("failed", closed.results[1].status)
  end)

  it("tell what scripts print in few events, and up to a limit", function()
    local id = open "crate.solid"
    local script = "return function() for i = 1, 20000 do print(i) end end"
    local result, _, _, events = get("run", { script = script, ids = { id } })
    local texts = {}
    for _, event in ipairs(events) do texts[#texts + 1] = event.event == "output" and event.text or nil end
    assert.equal(result.output, table.concat(texts))
    assert.matches("^1\n2\n.*\n20000\n", result.output)
    assert.is_true(#texts > 20 and #texts < 200, "an event for each line")
    local long = get("run", { script = "return function() for i = 1, 40 do print(('x'):rep(1e5)) end end", ids = { id } })
    assert.is_true(#long.output < (1 << 20) + 100)
    assert.matches("… %d+ bytes more\n$", long.output)
  end)

  it("stop at one file that takes too long or too much memory, and go on with the others", function()
    local crate, stock = open "crate.solid", open "stock.nif"
    local source = "return function(doc, ctx) if doc.format == 'nif' then doc.max_string_length = 9 return end "
      .. "doc.vertices[1].x = 5 "
      .. "if ctx.args[1] == 'loop' then while true do pcall(function() while true do end end) end end "
      .. "local t = {} while true do t[#t + 1] = ('x'):rep(1e6) .. #t end end"
    for word, message in pairs {
      loop = "^mine.lua:1: the script ran for more than 0%.1 s; a longer limit for each file allows more$",
      memory = "^mine.lua:1: the script wants more than %d+ bytes of memory$" } do
      local seconds = word == "loop" and 0.1 or 60
      local result = get("run", { script = source, name = "mine.lua", arguments = { word }, max_seconds = seconds })
      assert.same({ "failed", "changed" }, { result.results[1].status, result.results[2].status })
      assert.matches(message, result.results[1].error)
      assert.equal(sample "crate.solid", encoded(crate))
      assert.equal(1, get("undo", { id = stock }).done)
    end
    for _, wrong in ipairs { 0, -1, "5" } do
      assert.equal("usage", fail("run", { script = source, max_seconds = wrong }).code)
    end
  end)

  it("run commands on the files, but none that leaves the sandbox", function()
    open "crate.solid"
    local folder = web.folder_of "crate.solid"
    for _, words in ipairs { { "info", "crate.solid" }, { "scale", "2", "crate.solid", "-o", "out/" },
      { "diff", "crate.solid", "out/crate.solid" }, { "info", "none.nif" }, { "scale" }, { "--version" },
      { "info", "--help" }, { "get", "crate.solid", "vertices[1].x" }, { "check", "--json", "crate.solid" },
      { "info", "--nope" } } do
      local stdout, stderr, code = web.lathe(folder, words)
      local told = get("command", { argv = words })
      assert.same({ stdout, stderr, code }, { told.stdout, told.stderr, told.code })
    end
    for _, words in ipairs { {}, { "crate.solid" }, { "-e", "os.exit()" }, { "nope" }, { "--skeleton", "x" },
      { "run", "--trusted", "@half-speed", "crate.solid" } } do
      assert.equal("usage", fail("command", { argv = words }).code)
    end
  end)
end)

describe("a search of the page #tools", function()
  after_each(web.close_all)

  it("finds names, types and values, and goes on where it stopped", function()
    local id = open "stock.nif"
    local all = get("search", { id = id, text = "STOCK", count = 1000 })
    assert.is_true(all.done)
    local paths = {}
    for i, row in ipairs(all.rows) do
      paths[i] = row.path
      assert.equal(row.path, get("row", { id = id, path = row.path }).row.path)
    end
    assert.same({ "strings[1]", "strings[2]", "blocks[1]", "blocks[1].name", "blocks[2]", "blocks[2].name" },
      { table.unpack(paths, 1, 6) })
    local found, cursor = {}, nil
    repeat
      local part = get("search", { id = id, text = "stock", count = 1, cursor = cursor })
      for _, row in ipairs(part.rows) do found[#found + 1] = row.path end
      cursor = part.cursor
    until part.done
    assert.same(paths, found)
    local first = get("search", { id = id, text = "stock", count = 1 })
    get("set", { id = id, path = "bodies[1].mass", value = "5" })
    assert.equal("stale", fail("search", { id = id, text = "stock", cursor = first.cursor }).code)
    assert.equal("stale", fail("search", { id = id, text = "stock", cursor = "x" }).code)
    assert.equal("usage", fail("search", { id = id, text = "" }).code)
  end)

  it("shows whole characters of a long text", function()
    local id = open "stock.nif"
    for extra = 0, 1 do -- "é" has two bytes: one of the texts is cut within it
      get("set", { id = id, path = "blocks[2].name", value = ("x"):rep(extra) .. ("é"):rep(150) })
      local value = get("search", { id = id, text = "é" }).rows[1].value
      assert.matches("^[x\"é]*…$", value)
      assert.is_true(#value > 190 and #value < 205)
    end
  end)
end)

describe("a hostile request of the page #tools", function()
  after_each(web.close_all)

  local CALLS = { "about", "open", "put", "files", "file", "remove", "close", "documents", "encode", "save", "save_all",
    "info", "check", "dump", "get", "diff", "tree", "row", "search", "picture", "set", "insert", "delete", "undo", "redo",
    "steps", "verbs", "apply", "convert", "export", "prompt", "complete", "history", "abandon", "examples", "run",
    "command" }

  it("gets an error that says what is wrong, and changes nothing", function()
    local id = open "crate.solid"
    local odd = { 1e308, -1, 0.5, "", "x", "vertices[", "vertices[0]", "vertices[99999999999]", "a.b.c", "[[[", "\0", true,
      {}, { 1 }, dkjson.null }
    for _, name in ipairs(CALLS) do
      for _, value in ipairs(odd) do
        for _, args in ipairs { value, { id = value }, { id = id, path = value }, { id = id, text = value, name = value },
          { id = id, verb = value, options = value, against = value, format = value, values = value },
          { id = id, path = value, value = value, from = value, count = value, cursor = value },
          { id = id, argv = value, script = value, ids = value, arguments = value },
          { id = id, line = value, columns = value, steps = value, at = value },
          { id = id, against = "opened", tolerance = value, lod = value, skeleton = value, mesh = value, label = value },
        } do
          if name ~= "close" or type(args) ~= "table" or args.id ~= id then
            local reply = ask(name, args)
            if not reply.ok then
              local err = reply.error
              assert.is_true(err.code ~= "internal", ("%s %s: %s"):format(name, dkjson.encode(args), err.message))
              assert.truthy(#err.message > 0)
            end
          end
        end
      end
    end
    assert.equal(sample "crate.solid", encoded(id))
  end)

  it("that is no request is answered", function()
    for _, source in ipairs { "", "{", "[]", "null", "5", '"x"', '{"id":1}', '{"id":1,"name":5}', '{"id":1,"name":"nope"}',
      ("["):rep(100000) } do
      local reply = dkjson.decode((web.service.handle(source, {})))
      assert.is_false(reply.ok)
      assert.equal("usage", reply.error.code)
    end
    local reply = dkjson.decode(web.service.failed('{"id":"a"}', "interrupted!"))
    assert.same({ id = "a", ok = false, error = { code = "interrupted", message = "stopped: it took too long" } }, reply)
  end)

  it("does not keep memory of documents that are closed", function()
    local function kilobytes() collectgarbage() collectgarbage() return collectgarbage "count" end
    web.get("close", { id = open "stock.nif" })
    local before = kilobytes()
    for _ = 1, 30 do
      local id = open "stock.nif"
      get("tree", { id = id, path = "blocks" })
      get("search", { id = id, text = "a", count = 2 })
      get("picture", { id = id })
      get("close", { id = id })
    end
    assert.is_true(kilobytes() - before < 200)
  end)
end)
