-- Documents: their fields, saving, editing, closing.

local lathe = require "lathe.core"
local helper = require "helper"

local function model(opts)
  local bytes = assert(lathe.new("solid", {
    vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0.5 } },
    triangles = { { a = 0, b = 1, c = 2, gx = { 0, 1, 0 }, gy = { 0, 0, 1 } } },
  })):encode()
  opts = opts or {}
  opts.format = "solid"
  return assert(lathe.parse(bytes, opts)), bytes
end

describe("a document", function()
  it("has properties", function()
    local doc, bytes = model { path = "some.solid" }
    assert.equal("solid", doc.format)
    assert.equal("some.solid", doc.path)
    assert.equal("Lugaru", doc.game)
    assert.equal(#bytes, doc.size)
    assert.is_false(doc.modified)
    for _, name in ipairs { "format", "path", "game", "size", "modified", "save" } do
      assert.has_error(function() doc[name] = 1 end, ("'%s' of a document cannot be set"):format(name))
    end
  end)

  it("has the fields of its top record, in file order", function()
    local doc = model()
    assert.equal(3, doc.vertex_count)
    assert.equal(3, #doc.vertices)
    assert.equal("", doc.trailing)
    doc.trailing = "more"
    assert.equal("more", doc.trailing)
    local names = {}
    for name, value in pairs(doc) do
      names[#names + 1] = name
      assert.is_not_nil(value)
    end
    assert.same({ "vertex_count", "triangle_count", "vertices", "triangles", "trailing" }, names)
    doc.trailing = ""
    names = {}
    for name in pairs(doc) do names[#names + 1] = name end
    assert.same({ "vertex_count", "triangle_count", "vertices", "triangles" }, names)
    doc.vertices = { { 9, 8, 7 } }
    assert.same({ vertex_count = 1, triangle_count = 1, vertices = { { x = 9, y = 8, z = 7 } },
      triangles = doc.triangles:totable() }, doc:totable())
  end)

  it("names what it does not have, and what was meant", function()
    local doc = model()
    assert.has_error(function() return doc.vertixes end, "no field 'vertixes' in solid; did you mean 'vertices'?")
    assert.has_error(function() return doc.modifed end, "no field 'modifed' in solid; did you mean 'modified'?")
    assert.has_error(function() return doc.encodes end, "no field 'encodes' in solid; did you mean 'encode'?")
    assert.has_error(function() return doc.zzzzzzzzz end, "no field 'zzzzzzzzz' in solid")
    assert.has_error(function() return doc[1] end, "no field [1] in solid")
    assert.has_error(function() doc.vertixes = {} end, "no field 'vertixes' in solid; did you mean 'vertices'?")
    assert.has_error(function() doc.scale = {} end, "no field 'scale' in solid")
  end)

  it("is one line of text", function()
    local doc = model { path = "some.solid" }
    assert.equal("solid document some.solid, 76 bytes", tostring(doc))
    doc.vertices[1].x = 5
    assert.equal("solid document some.solid, 76 bytes, modified", tostring(doc))
    doc:close()
    assert.equal("document (closed)", tostring(doc))
    assert.equal("lathe.Document", getmetatable(doc))
  end)

  it("takes and gives by path", function()
    local doc = model()
    assert.equal(0.5, doc:get("vertices[3].z"))
    assert.equal(0.5, doc:get("vertices[3][3]"))
    assert.is_true(doc:get("vertices[3]") == doc.vertices[3])
    assert.equal("solid", lathe.type(doc:get("")))
    assert.equal(2, doc:set("vertices[3].z", 2))
    assert.equal(3, doc:set("vertices[3][3]", 3))
    assert.equal(3, doc.vertices[3].z)
    assert.equal(7, doc:set("triangles[1].gx[2]", 7))
    assert.equal(7, doc.triangles[1].gx[2])
    assert.same({ x = 1, y = 2, z = 3 }, doc:set("vertices[1]", { 1, 2, 3 }):totable())
    assert.same({ x = 4, y = 5, z = 6 }, doc:set("vertices[4]", { 4, 5, 6 }):totable())
    assert.is_true(doc:set("vertices[4]", nil))
    assert.equal(3, #doc.vertices)
    assert.equal("x", doc:set("trailing", "x"))
  end)

  it("answers true where false was set", function()
    local doc = assert(lathe.new("anm", { looping = true, frames = { {} } }))
    assert.is_true(doc:set("looping", false))
    assert.is_false(doc.looping)
  end)

  it("returns errors of paths and values", function()
    local doc = model()
    local before = doc:encode()
    local function fails(code, message, f, ...)
      local none, err = f(doc, ...)
      assert.is_nil(none)
      assert.equal(code, err.code)
      assert.matches(message, err.message, 1, true)
    end
    fails("name", "no field 'w' in vec3", doc.get, "vertices[1].w")
    fails("bounds", "no element 9 of 3", doc.get, "vertices[9]")
    fails("name", "", doc.get, "vertices[x]")
    fails("name", "", doc.get, "vertices[1].x.y")
    fails("name", "", doc.get, "..")
    fails("name", "no field 'verts' in solid", doc.set, "verts", {})
    fails("name", "no field 'd' in solid_triangle", doc.set, "triangles[1].d", 1)
    fails("range", "70000 is not in -32768 .. 32767", doc.set, "triangles[1].a", 70000)
    fails("type", "i16 expected, got a string", doc.set, "triangles[1].a", "x")
    fails("type", "i16 expected, got function", doc.set, "triangles[1].a", print)
    fails("type", "i16 expected, got a table", doc.set, "triangles[1].a", {})
    fails("readonly", "read-only: resize vertices instead", doc.set, "vertex_count", 1)
    fails("name", "index 9 is not in 1 .. 4", doc.set, "vertices[9]", { 1, 2, 3 })
    fails("name", "not a path to a field or element", doc.set, "", 1)
    fails("name", "not a path to a field or element", doc.set, "vertices[x]", 1)
    fails("name", "no field or element after 'vertices[1].x'", doc.set, "vertices[1].x.y", 1)
    fails("name", "index 0 is not in 1 .. 4", doc.set, "vertices[]", 1)
    fails("bounds", "no element 9 of 3", doc.set, "vertices[9].x", 1)
    assert.equal(before, doc:encode())
    assert.is_false(doc.modified)
  end)
end)

describe("saving", function()
  it("writes what encode gives, and remembers that it did", function()
    local folder = helper.tmpdir()
    local doc, bytes = model()
    local none, err = doc:save()
    assert.is_nil(none)
    assert.equal("state", err.code)
    doc.vertices[1].x = 3
    assert.is_true(doc.modified)
    assert.is_true(doc:save(folder .. "/a.solid"))
    assert.is_false(doc.modified)
    assert.equal(folder .. "/a.solid", doc.path)
    assert.equal(doc:encode(), helper.read(folder .. "/a.solid"))
    assert.not_equal(bytes, doc:encode())
    doc.vertices[1].x = 4
    assert.has_error(function() doc:save(folder .. "/b.solid", { game = "other" }) end,
      "no option 'game' of save, which takes backup and as")
    assert.is_true(doc:save(nil, { backup = true }))
    assert.equal(doc:encode(), helper.read(folder .. "/a.solid"))
    assert.is_true(helper.exists(folder .. "/a.solid.bak"))
  end)

  it("says why it could not", function()
    local doc = model()
    local none, err = doc:save(helper.tmpdir() .. "/no/such/folder.solid")
    assert.is_nil(none)
    assert.equal("io", err.code)
    none, err = doc:save(helper.tmpdir())
    assert.is_nil(none)
    assert.equal("io", err.code)
    assert.has_error(function() doc:save("a\0b") end)
    assert.has_error(function() doc:save("x", "backup") end)
  end)

  it("is refused inside of an edit", function()
    local doc = model()
    doc:edit(function()
      local none, err = doc:save(helper.tmpdir() .. "/a.solid")
      assert.is_nil(none)
      assert.equal("state", err.code)
    end)
  end)
end)

describe("edit", function()
  it("gives what the function gives", function()
    local doc = model()
    assert.same({ doc, 1, nil, 3 }, { doc:edit(function(d) d.vertices[1].x = 5 return d, 1, nil, 3 end) })
    assert.equal(5, doc.vertices[1].x)
    assert.equal(0, select("#", doc:edit(function() end)))
    assert.has_error(function() doc:edit() end)
    assert.has_error(function() doc:edit({}) end)
  end)

  it("undoes everything when the function raises, and raises on", function()
    local doc, bytes = model { history = 5 }
    local thrown = {}
    local ok, err = pcall(doc.edit, doc, function()
      doc.vertices[1].x = 5
      doc.vertices:append { 1, 2, 3 }
      doc.triangles:remove(1)
      doc:edit(function() doc.trailing = "x" end)
      error(thrown)
    end)
    assert.is_false(ok)
    assert.equal(thrown, err)
    assert.equal(bytes, doc:encode())
    assert.is_false(doc.modified)
    assert.is_false(doc:undo())
  end)

  it("undoes only the inner one where the outer one goes on", function()
    local doc = model()
    doc:edit(function()
      doc.vertices[1].x = 5
      pcall(doc.edit, doc, function() doc.vertices[1].x = 6 error("no") end)
      assert.equal(5, doc.vertices[1].x)
    end)
    assert.equal(5, doc.vertices[1].x)
  end)

  it("cannot be left open by a coroutine", function()
    local doc, bytes = model()
    local co = coroutine.wrap(function()
      doc:edit(function() doc.vertices[1].x = 5 coroutine.yield() end)
    end)
    assert.has_error(co, "attempt to yield across a C-call boundary")
    assert.equal(bytes, doc:encode())
  end)

  it("notices that the document was closed inside", function()
    local doc = model()
    assert.has_error(function() doc:edit(function() doc:close() end) end,
      "document was closed inside its own edit")
    doc = model()
    assert.has_error(function() doc:edit(function() doc:close() error("mine", 0) end) end, "mine")
  end)

  it("has a bottom", function()
    local doc, bytes = model()
    local function deeper(n) return doc:edit(function() doc.vertices[1].x = n return deeper(n + 1) end) end
    local ok, err = pcall(deeper, 1)
    assert.is_false(ok)
    assert.matches("edits nested deeper than", tostring(err), 1, true)
    assert.equal(bytes, doc:encode())
  end)
end)

describe("undo and redo", function()
  it("go as far as there is history", function()
    local doc, bytes = model { history = 2 }
    doc.vertices[1].x = 1
    doc.vertices[1].x = 2
    doc:edit(function() doc.vertices[1].x = 3 doc.vertices[1].y = 3 end)
    local last = doc:encode()
    assert.is_true(doc:undo())
    assert.same({ 2, 0 }, { doc.vertices[1].x, doc.vertices[1].y })
    assert.is_true(doc:undo())
    assert.is_false(doc:undo())
    assert.equal(1, doc.vertices[1].x)
    assert.is_true(doc:redo(2))
    assert.is_false(doc:redo())
    assert.equal(last, doc:encode())
    assert.is_false(doc:undo(3))
    assert.is_true(doc:undo(2))
    assert.not_equal(bytes, doc:encode())
    assert.has_error(function() doc:undo(0) end)
  end)

  it("need the option", function()
    local doc = model()
    doc.vertices[1].x = 1
    assert.is_false(doc:undo())
    assert.is_false(doc:redo())
  end)

  it("come back to unmodified", function()
    local doc = model { history = 10 }
    doc.vertices[1].x = 1
    assert.is_true(doc.modified)
    assert.is_true(doc:undo())
    assert.is_false(doc.modified)
    doc.vertices[1].x = doc.vertices[1].x
    assert.is_false(doc.modified)
    assert.is_false(doc:undo())
  end)
end)

describe("check", function()
  it("gives warnings, or nil and what is wrong", function()
    local doc = model()
    local ok, list = doc:check()
    assert.is_true(ok)
    assert.same({}, list)
    doc.triangles[1].fill2 = 9
    ok, list = doc:check()
    assert.is_true(ok)
    assert.equal(1, #list)
    assert.equal("warning", list[1].level)
    assert.equal("triangles[1]", list[1].where)
    doc.triangles[1].c = 100
    ok, list = doc:check()
    assert.is_nil(ok)
    local errors = 0
    for _, finding in ipairs(list) do
      if finding.level == "error" then errors = errors + 1 end
      assert.is_string(finding.message)
      assert.matches(finding.message, tostring(finding), 1, true)
    end
    assert.equal(1, errors)
  end)
end)

describe("verbs", function()
  it("report what they did", function()
    local doc = model()
    local report = doc:scale(2)
    assert.is_true(report.changed > 0)
    assert.same({}, report.skipped)
    assert.equal(2, doc.vertices[2].x)
    assert.is_true(doc:scale { factor = 0.5 }.changed > 0)
    assert.equal(1, doc.vertices[2].x)
    report = doc:scale(2, { what = "skeleton" })
    assert.equal(0, report.changed)
  end)

  it("return nil and an error", function()
    local doc, bytes = model()
    for _, factor in ipairs { -1, 1 / 0, 0 / 0 } do
      local none, err = doc:scale(factor)
      assert.is_nil(none)
      assert.is_string(err.message)
    end
    local _, err = doc:scale(2, { what = "nothing" })
    assert.equal("range", err.code)
    assert.equal(bytes, doc:encode())
    assert.is_table((doc:scale(2, nil)))
    assert.is_table((doc:scale(0.5, nil)))
    assert.equal(bytes, doc:encode())
  end)

  it("raise what is a mistake in the program", function()
    local doc, bytes = model()
    local function raises(message, ...)
      local ok, err = pcall(doc.scale, doc, ...)
      assert.is_false(ok)
      assert.equal(message, err)
    end
    raises("scale needs 'factor': a number or a list of three")
    raises("scale needs 'factor': a number or a list of three", nil, { what = "all" })
    raises("'factor' of scale: a number or a list of three expected, got a string", "2")
    raises("'factor' of scale: a number or a list of three expected, got an array", { 1, 2 })
    raises("'what' of scale: a string expected, got an integer", 2, { what = 2 })
    raises("'what' of scale: a string expected, got a record", 2, { what = doc })
    raises("no option 'whta' of scale; did you mean 'what'?", 2, { whta = "all" })
    raises("no option 'sideways' of scale, which takes factor, what, mass", 2, { sideways = true })
    raises("'factor' of scale is given twice", 2, { factor = 3 })
    local too_many = "too many arguments for 'scale': others have names, as in { what = ... }"
    raises(too_many, 2, "all")
    assert.has_error(function() doc:bounding_sphere { of = 1 } end,
      "no option 'of' of bounding_sphere, which takes none")
    assert.has_error(function() doc:scale(2, 3) end, too_many)
    assert.has_error(function() doc:scale(print) end, "a function cannot be stored (at 'factor')")
    assert.has_error(function() doc.scale(doc.vertices[1], 2) end, "'scale' is no verb of vec3")
    assert.equal(bytes, doc:encode())
  end)

  it("answer", function()
    local doc = model()
    local sphere = assert(doc:bounding_sphere())
    assert.is_nil(sphere.changed)
    assert.is_number(sphere.radius)
  end)
end)

describe("meshes", function()
  it("are tables of buffers", function()
    local doc = model()
    local count = 0
    for mesh in doc:meshes() do
      count = count + 1
      assert.equal(3, mesh.positions.columns)
      assert.equal("f32", mesh.positions.type)
      assert.equal(3, mesh.indices.columns)
      assert.equal("u32", mesh.indices.type)
      assert.equal(mesh.positions.rows, mesh.normals.rows)
      assert.same({ mesh.positions.rows, 2 }, { mesh.uvs.rows, mesh.uvs.columns })
      assert.is_nil(mesh.colors)
      assert.same({ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }, mesh.transform)
      for _, index in ipairs(mesh.indices) do assert.is_true(index < mesh.positions.rows) end
    end
    assert.equal(1, count)
  end)

  it("raise where there is bad data, or no document any more", function()
    local doc = model()
    doc.triangles[1].c = 100
    local ok, err = pcall(doc:meshes())
    assert.is_false(ok)
    assert.is_table(err)
    local next_mesh = model():meshes()
    assert.is_table(next_mesh())
    assert.is_nil(next_mesh())
    doc = model()
    next_mesh = doc:meshes()
    doc:close()
    assert.has_error(next_mesh, "document is closed")
  end)

  it("are not there for every format", function()
    local doc = assert(lathe.new("fzx"))
    assert.has_error(function() doc:meshes() end, "fzx has no meshes")
  end)
end)

describe("closing", function()
  it("ends everything, and can be done again", function()
    local doc = model()
    local views = { doc.vertices, doc.vertices[1], doc.triangles[1], doc.triangles[1].gx }
    local methods = {}
    for _, name in ipairs { "save", "encode", "edit", "undo", "redo", "check", "get", "set", "at", "describe",
      "meshes", "totable", "scale" } do methods[name] = doc[name] end
    doc:close()
    doc:close()
    for name, method in pairs(methods) do
      assert.has_error(function() method(doc, "x", print) end, "document is closed", name)
    end
    for _, name in ipairs { "format", "path", "size", "vertices", "nonsense" } do
      assert.has_error(function() return doc[name] end, "document is closed")
    end
    assert.has_error(function() doc.trailing = "" end, "document is closed")
    assert.has_error(function() pairs(doc) end, "document is closed")
    for _, view in ipairs(views) do
      assert.has_error(function() return view.x end, "document is closed")
      assert.has_error(function() view.x = 1 end)
      assert.has_error(function() return view[1] end, "document is closed")
      assert.has_error(function() pairs(view) end, "document is closed")
      for _, name in ipairs { "totable", "path", "span", "bytes", "index", "describe", "problem" } do
        assert.has_error(function() lathe[name](view) end, "document is closed")
      end
      assert.matches("%(document is closed%)$", tostring(view))
      assert.is_true(view == view)
    end
    assert.is_false(views[1] == model().vertices)
    assert.equal("vec3", lathe.type(views[2]))
    assert.equal("solid", lathe.type(doc))
  end)

  it("happens at the end of a block", function()
    local kept
    do
      local doc <close> = model()
      kept = doc.vertices[1]
      assert.equal(0, kept.x)
    end
    assert.has_error(function() return kept.x end, "document is closed")
    local doc
    pcall(function()
      local inner <close> = model()
      doc = inner
      error("out")
    end)
    assert.equal("document (closed)", tostring(doc))
  end)

  it("is not for other things", function()
    local close = model().close
    assert.has_error(function() close({}) end, "bad argument #1 to 'close' (lathe.Document expected, got table)")
    assert.has_error(function() close(io.stdout) end)
  end)
end)
