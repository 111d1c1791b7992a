-- The functions of the module: what there is, opening, making, places.

local lathe = require "lathe.core"
local helper = require "helper"

local function model()
  return assert(lathe.new("solid", {
    vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { x = 0, y = 1, z = 0.5 } },
    triangles = { { a = 0, b = 1, c = 2, gx = { 0, 1, 0 }, gy = { 0, 0, 1 } } },
  }))
end

describe("the module", function()
  it("knows its version and its formats", function()
    assert.matches("^%d+%.%d+%.%d+$", lathe.VERSION)
    local solid
    for _, format in ipairs(lathe.formats()) do
      assert.is_string(format.name)
      assert.is_string(format.doc)
      assert.is_true(format.can.open and format.can.save and format.can.new)
      if format.name == "solid" then solid = format end
    end
    assert.same({ "solid" }, solid.extensions)
    assert.same({ "Lugaru" }, solid.games)
    assert.equal("solid", solid.type)
    assert.is_true(solid.can.scale)
    assert.is_nil(solid.can.retime)
  end)

  it("leaves no global behind and sets none", function()
    local before = {}
    for name in pairs(_G) do before[name] = true end
    model():encode()
    for name in pairs(_G) do assert.is_true(before[name], name) end
  end)

  it("tells what something is", function()
    local doc = model()
    assert.equal("solid", lathe.type(doc))
    assert.equal("array", lathe.type(doc.vertices))
    assert.equal("vec3", lathe.type(doc.vertices[1]))
    assert.equal("solid_triangle", lathe.type(doc.triangles[1]))
    assert.equal("buffer", lathe.type(lathe.buffer("u8", 1)))
    for _, other in ipairs { 1, "x", true, {}, print, io.stdout, coroutine.create(print) } do
      assert.is_nil(lathe.type(other))
    end
    assert.is_nil(lathe.type(nil))
    assert.has_error(function() lathe.type() end, "bad argument #1 to 'type' (value expected)")
  end)

  it("opens a file, or says why not", function()
    local folder = helper.tmpdir()
    local path = helper.write(folder .. "/a.solid", model():encode())
    local doc = assert(lathe.open(path))
    assert.equal("solid", doc.format)
    assert.equal(path, doc.path)
    local none, err = lathe.open(folder .. "/none.solid")
    assert.is_nil(none)
    assert.equal("io", err.code)
    assert.equal(folder .. "/none.solid", err.path)
    none, err = lathe.open(folder)
    assert.is_nil(none)
    assert.equal("io", err.code)
    none, err = lathe.open(helper.write(folder .. "/b.solid", "\0"))
    assert.is_nil(none)
    assert.equal("bounds", err.code)
    assert.is_number(err.offset)
    assert.has_error(function() lathe.open("a\0b") end,
      "bad argument #1 to 'open' (a path holds no NUL byte)")
    assert.has_error(function() lathe.open() end)
    assert.has_error(function() lathe.open {} end)
  end)

  it("parses bytes", function()
    local bytes = model():encode()
    local doc = assert(lathe.parse(bytes, { format = "solid" }))
    assert.equal(bytes, doc:encode())
    assert.is_nil(doc.path)
    assert.equal("x.solid", assert(lathe.parse(bytes, { path = "x.solid" })).path)
    local none, err = lathe.parse("", { path = "empty.solid" })
    assert.is_nil(none)
    assert.equal("empty.solid", err.path)
    assert.matches("^empty%.solid: ", tostring(err))
  end)

  it("takes options, and checks them", function()
    local bytes = model():encode()
    local none, err = lathe.parse(bytes, { format = "solid", limit = #bytes - 1 })
    assert.is_nil(none)
    assert.equal("limit", err.code)
    assert.truthy(lathe.parse(bytes, { format = "solid", limit = #bytes }))
    none, err = lathe.parse(bytes, { format = "sollid" })
    assert.is_nil(none)
    assert.equal("no format 'sollid'; did you mean 'solid'?", err.message)
    assert.has_error(function() lathe.parse(bytes, { history = -1 }) end,
      "option 'history': an integer from 0 to 100000 expected, got -1")
    assert.has_error(function() lathe.parse(bytes, { history = "many" }) end,
      "option 'history': an integer from 0 to 100000 expected, got many")
    assert.has_error(function() lathe.parse(bytes, { format = 1 }) end,
      "option 'format': a string expected, got number")
    assert.has_error(function() lathe.parse(bytes, "solid") end)
  end)

  it("makes documents from tables, documents and nothing", function()
    local doc = model()
    assert.is_true(doc.modified)
    assert.equal(doc:encode(), assert(lathe.new("solid", doc:totable())):encode())
    assert.equal(doc:encode(), assert(lathe.new("solid", doc)):encode())
    assert.equal("\0\0\0\0", assert(lathe.new("solid")):encode())
    local none, err = lathe.new("solid", { vertexes = {} })
    assert.is_nil(none)
    assert.equal("name", err.code)
    assert.matches("no field 'vertexes' in solid; did you mean 'vertices'?", err.message, 1, true)
    none, err = lathe.new("solid", { triangles = { { a = 40000 } } })
    assert.is_nil(none)
    assert.equal("range", err.code)
    none, err = lathe.new("nothing")
    assert.is_nil(none)
    assert.equal("name", err.code)
    assert.has_error(function() lathe.new("solid", 7) end)
    assert.has_error(function() lathe.new("solid", { vertices = print }) end,
      "a function cannot be stored (at 'vertices')")
    assert.has_error(function() lathe.new("solid", { vertices = { { 1, 2, io.stdout } } }) end,
      "a userdata cannot be stored (at [3])")
  end)

  it("takes buffers, views and arrays anywhere in a table", function()
    local doc = model()
    local copy = assert(lathe.new("solid", {
      vertices = doc.vertices:tobuffer(),
      triangles = { doc.triangles[1], { a = 2, gx = doc.triangles[1].gx, gy = lathe.buffer("f64", 3, 1, { 4, 5, 6 }) } },
    }))
    assert.same(doc.vertices:totable(), copy.vertices:totable())
    assert.same(doc.triangles[1]:totable(), copy.triangles[1]:totable())
    assert.same({ 0, 1, 0 }, copy.triangles[2].gx:totable())
    assert.same({ 4, 5, 6 }, copy.triangles[2].gy:totable())
    local closed = model()
    local view = closed.triangles[1]
    closed:close()
    assert.has_error(function() lathe.new("solid", { triangles = { view } }) end,
      "a view of a closed document cannot be stored (at [1])")
  end)

  it("reads raw tables only", function()
    local proxy = setmetatable({}, { __index = function() error("asked") end, __len = function() return 3 end })
    assert.equal("\0\0\0\0", assert(lathe.new("solid", { vertices = proxy })):encode())
  end)
end)

describe("places", function()
  local doc = model()
  local triangle = doc.triangles[1]

  it("have one path", function()
    assert.equal("", lathe.path(doc))
    assert.equal("vertices", lathe.path(doc, "vertices"))
    assert.equal("vertices", lathe.path(doc.vertices))
    assert.equal("vertices[2]", lathe.path(doc.vertices[2]))
    assert.equal("vertices[2].x", lathe.path(doc.vertices[2], "x"))
    assert.equal("vertices[2].x", lathe.path(doc.vertices[2], 1))
    assert.equal("triangles[1].gx", lathe.path(triangle.gx))
    assert.equal("triangles[1].gx[3]", lathe.path(triangle.gx, 3))
    assert.has_error(function() lathe.path(triangle, "fil0") end,
      "no field 'fil0' in solid_triangle; did you mean 'fill0'?")
    assert.has_error(function() lathe.path(1) end,
      "bad argument #1 to 'path' (view or document expected, got number)")
  end)

  it("have a span, and offsets lead back", function()
    assert.same({ 0, doc.size }, { lathe.span(doc) })
    assert.same({ 4, 36 }, { lathe.span(doc, "vertices") })
    assert.same({ 4, 36 }, { lathe.span(doc.vertices) })
    assert.same({ 16, 12 }, { lathe.span(doc.vertices[2]) })
    assert.same({ 16, 12 }, { lathe.span(doc.vertices, 2) })
    assert.same({ 20, 4 }, { lathe.span(doc.vertices[2], "y") })
    assert.same({ 56, 4 }, { lathe.span(triangle.gx, 2) })
    local view, field = doc:at(20)
    assert.is_true(view == doc.vertices[2])
    assert.equal("y", field)
    view, field = doc:at(56)
    assert.is_true(view == triangle)
    assert.equal("gx", field)
    assert.is_nil((doc:at(doc.size)))
    assert.equal("bounds", select(2, doc:at(doc.size)).code)
    assert.has_error(function() doc:at(-1) end)
    assert.has_error(function() lathe.span(doc.vertices, 4) end)
  end)

  it("have bytes", function()
    local bytes = doc:encode()
    assert.equal(bytes, lathe.bytes(doc))
    assert.equal(bytes:sub(17, 28), lathe.bytes(doc.vertices[2]))
    assert.equal(bytes:sub(5, 40), lathe.bytes(doc, "vertices"))
    assert.equal(string.pack(">f", 1), lathe.bytes(doc.vertices[2], "x"))
    assert.equal("", lathe.bytes(doc, "trailing"))
    local ragdoll = assert(lathe.new("fzx", { objects = { { label = "HEAD SPHERE" } } }))
    assert.equal(ragdoll:encode(), lathe.bytes(ragdoll))
    assert.equal(ragdoll:encode():sub(-7), lathe.bytes(ragdoll.footer))
  end)

  it("have raw values", function()
    assert.equal(0x3f800000, lathe.raw(doc.vertices[2], "x"))
    assert.equal(2, lathe.raw(triangle, "c"))
    assert.equal(0x3f800000, lathe.raw(triangle.gx, 2))
    local other = model()
    other.triangles[1].a = -2
    assert.equal(-2, lathe.raw(other.triangles[1], "a"))
    local ragdoll = assert(lathe.new("fzx", { objects = { { label = "HEAD" } } }))
    assert.equal("HEAD", lathe.raw(ragdoll.objects[1], "label"))
    assert.has_error(function() lathe.raw(doc, "vertices") end)
    assert.has_error(function() lathe.raw(doc) end)
    assert.has_error(function() lathe.raw(ragdoll.objects[1], "part") end)
  end)

  it("have numbers that count from 0, as files do", function()
    assert.equal(1, lathe.index(doc.vertices[2]))
    assert.equal(0, lathe.index(triangle))
    assert.is_nil(lathe.index(triangle.gx))
    assert.is_nil(lathe.index(doc))
    assert.is_nil(lathe.index(doc.vertices))
  end)

  it("have no flags where there are none, and no problem", function()
    assert.has_error(function() lathe.names(triangle, "a") end, "bad argument #2 to 'names' (not a set of flags)")
    assert.is_nil(lathe.problem(triangle))
    assert.is_nil(lathe.problem(doc))
    assert.is_nil(lathe.problem(doc.vertices))
  end)
end)

describe("describe", function()
  it("gives the rows of a record in file order", function()
    local doc = model()
    local names = {}
    for i, row in ipairs(lathe.describe(doc)) do
      names[i] = row.name
      assert.is_string(row.doc)
    end
    assert.same({ "vertex_count", "triangle_count", "vertices", "triangles", "trailing" }, names)
    assert.same(lathe.describe(doc), doc:describe())
    assert.same(lathe.describe(doc), lathe.describe("solid"))
    assert.same(lathe.describe(doc.triangles[1]), doc:describe("solid_triangle"))
  end)

  it("says what a field is", function()
    local doc = model()
    local rows = {}
    for _, row in ipairs(lathe.describe(doc)) do rows[row.name] = row end
    assert.equal("i16", rows.vertex_count.type)
    assert.equal("integer", rows.vertex_count.kind)
    assert.is_true(rows.vertex_count.readonly)
    assert.same({ 0, 2 }, { rows.vertex_count.offset, rows.vertex_count.size })
    assert.equal("vec3", rows.vertices.type)
    assert.equal("record", rows.vertices.kind)
    assert.is_true(rows.vertices.array and rows.vertices.resizable)
    assert.equal("model units", rows.vertices.unit)
    assert.is_true(rows.trailing.padding)
    local triangle = lathe.describe("solid_triangle")
    assert.equal("number", triangle[7].kind)
    assert.same({ 12, 12 }, { triangle[7].offset, triangle[7].size })
    assert.is_nil(triangle[7].resizable)
  end)

  it("gives one row for an array's elements", function()
    local doc = model()
    local rows = lathe.describe(doc.triangles[1].gx)
    assert.equal(1, #rows)
    assert.equal("f32", rows[1].type)
  end)

  it("refuses types that do not exist", function()
    local none, err = lathe.describe("solid_square")
    assert.is_nil(none)
    assert.equal("name", err.code)
    assert.equal("no record type 'solid_square'", tostring(err))
  end)
end)

describe("the guard", function()
  after_each(function() lathe.set_guard(nil) end)

  it("is asked before a file is opened or saved", function()
    local folder = helper.tmpdir()
    local path, asked = folder .. "/a.solid", {}
    lathe.set_guard(function(...)
      asked[#asked + 1] = { ... }
      return true
    end)
    local doc = model()
    assert.is_true(doc:save(path))
    assert.truthy(lathe.open(path))
    assert.is_true(doc:save())
    assert.same({ { path, "w" }, { path, "r" }, { path, "w" } }, asked)
  end)

  it("refuses with an error that is returned", function()
    local folder = helper.tmpdir()
    local path = folder .. "/a.solid"
    lathe.set_guard(function(_, mode) return nil, mode == "r" and "outside" or nil end)
    local none, err = lathe.open(path)
    assert.is_nil(none)
    assert.equal("denied", err.code)
    assert.equal(path .. ": outside", tostring(err))
    none, err = model():save(path)
    assert.is_nil(none)
    assert.equal(path .. ": not allowed", tostring(err))
    none, err = lathe.write(path, "x")
    assert.is_nil(none)
    assert.equal(path .. ": not allowed", tostring(err))
    assert.is_false(helper.exists(path))
  end)

  it("may raise, and may close the document", function()
    local doc = model()
    lathe.set_guard(function() error("no!", 0) end)
    assert.has_error(function() doc:save("/tmp/x") end, "no!")
    lathe.set_guard(function() doc:close() return true end)
    assert.has_error(function() doc:save("/tmp/x") end, "document is closed")
  end)

  it("names what is opened in place of the path", function()
    local folder = lathe.real_path(helper.tmpdir())
    local doc = model()
    assert(lathe.write(folder .. "/b.solid", assert(doc:encode())))
    lathe.set_guard(function(path) return folder .. "/b" .. path:match "%.%w+$" end)
    assert.equal(doc:encode(), lathe.read "nowhere/a.solid")
    local opened = assert(lathe.open "nowhere/a.solid")
    assert.equal("nowhere/a.solid", opened.path)
    opened.vertices[1].x = 77
    assert.is_true(opened:save())
    assert.is_false(opened.modified)
    assert.is_true(lathe.write("nowhere/a.txt", "text"))
    local _, err = lathe.open "nowhere/a.none"
    assert.equal("nowhere/a.none: cannot open: No such file or directory", tostring(err))
    lathe.set_guard(nil)
    assert.equal(77, lathe.open(folder .. "/b.solid").vertices[1].x)
    assert.equal("text", helper.read(folder .. "/b.txt"))
  end)

  it("asks for the backup, too, and may put something in a file's place", function()
    local asked, taken = {}, {}
    local bytes = model():encode()
    lathe.set_guard(function(path, mode)
      asked[#asked + 1] = mode .. " " .. path
      if mode == "r" then return "/real/" .. path, bytes end
      return "/real/" .. path, function(...)
        taken[#taken + 1] = { ... }
        return true
      end
    end)
    local doc = assert(lathe.open("a.solid"))
    assert.equal("solid", doc.format)
    assert.equal(bytes, lathe.read "b")
    doc.vertices[1].x = 7
    assert.is_true(doc:save("c.solid", { backup = true }))
    assert.is_false(doc.modified)
    assert.is_true(lathe.write("d", "text"))
    assert.same({ "r a.solid", "r b", "w c.solid", "w /real/c.solid.bak", "w d" }, asked)
    assert.same({ { doc:encode(), true }, { "text", false } }, taken)
  end)

  it("may fail in a file's place, and close the document", function()
    local doc, result = model(), { nil, "no room" }
    lathe.set_guard(function(path) return "/" .. path, function() return table.unpack(result, 1, 2) end end)
    doc.vertices[1].x = 7
    local none, err = doc:save "a"
    assert.is_nil(none)
    assert.equal("io", err.code)
    assert.equal("a: no room", tostring(err))
    assert.is_true(doc.modified)
    result[2] = err
    assert.equal(err, select(2, lathe.write("b", "")))
    assert.is_nil(doc:edit(function() assert.is_nil((doc:save "a")) end))
    lathe.set_guard(function() return "/a", function() doc:close() return true end end)
    assert.has_error(function() doc:save "a" end, "document is closed")
  end)

  it("is a function or nothing", function()
    assert.has_error(function() lathe.set_guard(1) end)
  end)
end)

describe("the system's part", function()
  it("tells terminals", function()
    assert.is_boolean(lathe.isatty(1))
    assert.is_false(lathe.isatty(999))
    assert.has_error(function() lathe.isatty(-1) end)
  end)

  it("tells the size of terminals alone", function()
    assert.same({}, { lathe.terminal_size(999) }) -- spec/cli/graph_spec.lua has terminals
    assert.has_error(function() lathe.terminal_size(-1) end)
  end)

  it("calls like pcall, and puts the hook back", function()
    assert.same({ true, 1, nil, 3 }, { lathe.catch_interrupt(function(...) return ... end, 1, nil, 3) })
    local ok, err = lathe.catch_interrupt(error, "x", 0)
    assert.is_false(ok)
    assert.equal("x", err)
    local hook = function() end
    local before = { debug.gethook() }
    debug.sethook(hook, "", 1000000)
    lathe.catch_interrupt(function() end)
    assert.equal(hook, (debug.gethook()))
    debug.sethook(table.unpack(before, 1, 3))
  end)

  -- Sent by a child process once and again: the handler is armed anew for each call.
  it("stops an endless loop at Ctrl-C, time after time #posix", function()
    local script = [[
      local core = require "lathe.core"
      local f = io.open("/proc/self/stat")
      local pid = f:read("n")
      f:close()
      for i = 1, 3 do
        os.execute(("(sleep 0.1; kill -INT %d) &"):format(pid))
        print(i, core.catch_interrupt(function() while true do end end))
      end
      os.execute(("(sleep 0.1; kill -INT %d) &"):format(pid))
      print(core.catch_interrupt(function()
        while true do pcall(function() while true do end end) end -- catching does not swallow it
      end))
      os.execute(("(sleep 0.1; kill -INT %d) &"):format(pid))
      while true do end
    ]]
    local run = helper.run({ "lua5.4", "-e", script },
      { env = { LUA_CPATH_5_4 = helper.build .. "/?.so;;", LD_PRELOAD = helper.preload or false } })
    assert.equal("1\tfalse\tinterrupted!\n2\tfalse\tinterrupted!\n3\tfalse\tinterrupted!\n" ..
      "false\tinterrupted!\n", run.out)
    assert.equal(1, run.code) -- lua5.4's own handler is back
    assert.matches("interrupted!", run.err, 1, true)
  end)

  it("holds Ctrl-C back until it is let in #posix", function()
    local script = [[
      local core = require "lathe.core"
      local f = io.open("/proc/self/stat")
      local pid = f:read("n")
      f:close()
      local function press(seconds)
        local stop = os.clock() + 0.2
        os.execute(("(sleep %s; kill -INT %d) &"):format(seconds, pid))
        while os.clock() < stop do end
      end
      print(core.hold_interrupt(function(...)
        press(0.01)
        print(core.wait_input(0), core.wait_input(0))
        press(0.01)
        print(core.catch_interrupt(function() while true do end end))
        press(0.01)
        return ...
      end, 1, nil, 3))
      print(pcall(core.hold_interrupt, error, "x", 0))
      print(pcall(core.call_bare, print ~= nil))
      print(pcall(core.wait_input, 1 << 20))
      press(0.01)
    ]]
    local run = helper.run({ "lua5.4", "-e", script },
      { env = { LUA_CPATH_5_4 = helper.build .. "/?.so;;", LD_PRELOAD = helper.preload or false },
        stdin = "" })
    assert.equal("false\ttrue\nfalse\tinterrupted!\n1\tnil\t3\nfalse\tx\n" ..
      "false\tbad argument #1 to 'lathe.core.call_bare' (no C function)\n" ..
      "false\tbad argument #1 to 'lathe.core.wait_input' (no file descriptor)\n", run.out)
    assert.equal(1, run.code)
  end)
end)
