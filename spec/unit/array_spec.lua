-- Arrays: elements, and changing how many there are.

local lathe = require "lathe.core"

local function model(n)
  local vertices = {}
  for i = 1, n or 3 do vertices[i] = { i, 0, 0 } end
  local bytes = assert(lathe.new("solid", {
    vertices = vertices,
    triangles = { { a = 0, b = 1, c = 2, gx = { 1, 2, 3 }, gy = { 4, 5, 6 } } },
  })):encode()
  return assert(lathe.parse(bytes, { format = "solid", history = 10 })), bytes
end

local function ragdoll(...)
  local objects = {}
  for i, label in ipairs { ... } do objects[i] = { label = label } end
  return assert(lathe.parse(assert(lathe.new("fzx", { objects = objects })):encode(), { history = 10 }))
end

local function xs(array)
  local list = {}
  for i, v in ipairs(array) do list[i] = v.x end
  return list
end

local function labels(doc)
  local list = {}
  for i, object in ipairs(doc.objects) do list[i] = object.label end
  return list
end

describe("an array", function()
  it("has elements from 1", function()
    local doc = model()
    local gx = doc.triangles[1].gx
    assert.equal(3, #doc.vertices)
    assert.same({ 1, 2, 3 }, xs(doc.vertices))
    assert.same({ 1, 2, 3 }, { gx[1], gx[2], gx[3.0] })
    for _, i in ipairs { 0, 4, -1, 1.5, math.maxinteger, math.mininteger, 0 / 0 } do
      assert.is_nil(doc.vertices[i])
      assert.is_nil(gx[i])
    end
    assert.has_error(function() return doc.vertices.x end, "no method 'x' of arrays, which have append, insert, "
      .. "copy, remove, move, resize, assign, totable, pack, tobuffer; elements have numbers")
    assert.has_error(function() return doc.vertices[{}] end)
    local list = {}
    for i, v in pairs(doc.vertices) do list[i] = v.x end
    assert.same({ 1, 2, 3 }, list)
    assert.equal(2, (next { pairs(gx) }) and select(2, pairs(gx))[2])
    assert.same({ 1, 2, 3 }, { table.unpack(gx) })
    assert.equal("1.0 2.0 3.0", table.concat(gx, " "))
  end)

  it("is one line of text", function()
    local doc = model(20)
    assert.equal("vec3[20] vertices", tostring(doc.vertices))
    assert.equal("f32[3] triangles[1].gx: 1 2 3", tostring(doc.triangles[1].gx))
    assert.equal("lathe.Array", getmetatable(doc.vertices))
  end)

  it("inserts", function()
    local doc = model()
    local v = doc.vertices:insert(2, { 9, 8, 7 })
    assert.is_true(v == doc.vertices[2])
    assert.same({ x = 9, y = 8, z = 7 }, v:totable())
    assert.same({ 1, 9, 2, 3 }, xs(doc.vertices))
    assert.equal(4, doc.vertex_count)
    assert.equal(0, lathe.insert(doc.vertices, 5).x)
    assert.equal(9, doc.vertices:insert(1, v).x)
    assert.same({ 9, 1, 9, 2, 3, 0 }, xs(doc.vertices))
    assert.has_error(function() doc.vertices:insert(8) end, "bad argument #1 to 'insert' (index out of range)")
    assert.has_error(function() doc.vertices:insert(0) end)
    assert.has_error(function() doc.vertices:insert() end)
    assert.equal(6, #doc.vertices)
  end)

  it("appends", function()
    local doc = ragdoll("HEAD SPHERE")
    assert.equal("NECK BOX", doc.objects:append { label = "NECK BOX" }.label)
    assert.equal("", lathe.append(doc.objects).label)
    doc.objects[#doc.objects + 1] = { label = "CHEST BOX" }
    doc.objects[#doc.objects + 1] = doc.objects[1]
    table.insert(doc.objects, { label = "LAST" })
    assert.same({ "HEAD SPHERE", "NECK BOX", "", "CHEST BOX", "HEAD SPHERE", "LAST" }, labels(doc))
    assert.equal(6, doc.object_count)
    assert.equal(doc.size - 7, doc.footer.size)
  end)

  it("removes, and gives a plain copy of what it was", function()
    local doc = model()
    assert.same({ x = 1, y = 0, z = 0 }, doc.vertices:remove(1))
    assert.same({ x = 3, y = 0, z = 0 }, lathe.remove(doc.vertices))
    assert.same({ 2 }, xs(doc.vertices))
    doc.vertices[1] = nil
    assert.equal(0, #doc.vertices)
    assert.is_nil(doc.vertices:remove())
    doc.vertices[1] = nil
    assert.has_error(function() doc.vertices:remove(1) end)
    local dolls = ragdoll("A", "B", "C")
    dolls.objects[#dolls.objects] = nil
    assert.equal("A", dolls.objects:remove(1).label)
    assert.same({ "B" }, labels(dolls))
    assert.has_error(function() dolls.objects:remove(2) end, "bad argument #1 to 'remove' (index out of range)")
    table.remove(dolls.objects)
    assert.same({}, labels(dolls))
  end)

  it("moves elements, and those between close up", function()
    local doc, bytes = model()
    local gx = doc.triangles[1].gx
    local function after(from, to)
      gx:move(from, to)
      local got = gx:totable()
      assert(doc:undo(1))
      assert.is_true(bytes == doc:encode())
      return got
    end
    assert.same({ 2, 3, 1 }, after(1, 3))
    assert.same({ 3, 1, 2 }, after(3, 1))
    assert.same({ 1, 3, 2 }, after(2, 3))
    lathe.move(gx, 2, 2)
    assert.is_true(bytes == doc:encode())
    assert.has_error(function() gx:move(0, 1) end, "bad argument #1 to 'move' (index out of range)")
    assert.has_error(function() gx:move(1, 4) end, "bad argument #2 to 'move' (index out of range)")
    local ok, why = pcall(doc.vertices.move, doc.vertices, 1, 2)
    assert.same({ false, "vertices at 0x4: elements of it cannot be moved: its elements are records in line" },
      { ok, tostring(why) })
    assert.is_true(bytes == doc:encode())
  end)

  it("works with table.insert, remove, move and sort", function()
    local doc = model(5)
    table.insert(doc.vertices, 2, { 9, 0, 0 })
    assert.same({ 1, 9, 2, 3, 4, 5 }, xs(doc.vertices))
    table.remove(doc.vertices, 1)
    assert.same({ 9, 2, 3, 4, 5 }, xs(doc.vertices))
    local gx = doc.triangles[1].gx
    table.sort(gx, function(a, b) return a > b end)
    assert.same({ 3, 2, 1 }, gx:totable())
    table.move(gx, 1, 2, 2)
    assert.same({ 3, 3, 2 }, gx:totable())
  end)

  it("resizes", function()
    local doc = model()
    doc.vertices:resize(5)
    assert.same({ 1, 2, 3, 0, 0 }, xs(doc.vertices))
    doc.vertices:resize(1)
    assert.same({ 1 }, xs(doc.vertices))
    lathe.resize(doc.vertices, 0)
    assert.equal(0, #doc.vertices)
    assert.is_true(doc:undo(3))
    assert.same({ 1, 2, 3 }, xs(doc.vertices))
    assert.has_error(function() doc.vertices:resize(-1) end)
    for _, n in ipairs { 40000, math.maxinteger } do
      local ok, err = pcall(doc.vertices.resize, doc.vertices, n)
      assert.is_false(ok)
      assert.is_table(err)
    end
    assert.equal(3, #doc.vertices)
    assert.has_error(function() doc.triangles[1].gx:resize(4) end)
    assert.has_error(function() doc.triangles[1].gx:append(4) end)
    assert.has_error(function() doc.triangles[1].gx:remove() end)
  end)

  it("is assigned whole", function()
    local doc = model()
    local kept = doc.vertices[2]
    doc.vertices:assign { { 5, 5, 5 }, { x = 6 }, { 7, 7, 7 }, { 8, 8, 8 } }
    assert.same({ 5, 6, 7, 8 }, xs(doc.vertices))
    assert.equal(6, kept.x)
    local other = model(2)
    other.vertices:assign(doc.vertices)
    assert.same({ 5, 6, 7, 8 }, xs(other.vertices))
    other.vertices = {}
    assert.equal(0, #other.vertices)
    other.vertices = doc.vertices
    assert.same({ 5, 6, 7, 8 }, xs(other.vertices))
    doc.vertices:assign(doc.vertices)
    assert.same({ 5, 6, 7, 8 }, xs(doc.vertices))
    lathe.assign(doc.triangles[1].gx, { 3, 2, 1 })
    assert.same({ 3, 2, 1 }, doc.triangles[1].gx:totable())
    assert.is_true(doc:undo())
    assert.same({ 1, 2, 3 }, doc.triangles[1].gx:totable())
    local dolls = ragdoll("A", "B")
    dolls.objects:assign { { label = "long" }, { label = "" }, { label = "C" } }
    assert.same({ "long", "", "C" }, labels(dolls))
  end)

  it("is assigned from bytes that pack gave", function()
    local doc, bytes = model()
    local packed = doc.vertices:pack()
    assert.equal(string.pack("<fffffffff", 1, 0, 0, 2, 0, 0, 3, 0, 0), packed)
    local triangles = doc.triangles:pack()
    assert.equal(string.pack("<hhhhhhffffff", 0, 1, 1, 2, 2, 0, 1, 2, 3, 4, 5, 6), triangles)
    assert.equal(string.pack("<fff", 1, 2, 3), lathe.pack(doc.triangles[1].gx))
    doc.vertices:assign(packed)
    doc.triangles:assign(triangles)
    assert.equal(bytes, doc:encode())
    assert.is_false(doc.modified)
    doc.vertices:assign(packed .. string.pack("<fff", 7, 8, 9))
    assert.same({ 1, 2, 3, 7 }, xs(doc.vertices))
    doc.vertices:assign ""
    assert.equal(0, doc.vertex_count)
    assert.equal("", doc.vertices:pack())
    local ok, err = pcall(doc.vertices.assign, doc.vertices, "1234567")
    assert.is_false(ok)
    assert.equal("range", err.code)
    assert.has_error(function() ragdoll("A").objects:pack() end,
      "objects: its elements differ in size: use totable()")
    assert.has_error(function() ragdoll("A").objects:assign("x") end,
      "objects: its elements differ in size: use totable()")
  end)

  it("becomes a buffer, and is assigned from one", function()
    local doc = model()
    local b = doc.vertices:tobuffer()
    assert.same({ "f32", 3, 3 }, { b.type, b.rows, b.columns })
    assert.same({ 1, 0, 0, 2, 0, 0, 3, 0, 0 }, b:totable())
    local x = doc.vertices:tobuffer("x")
    assert.same({ 3, 1 }, { x.rows, x.columns })
    assert.same({ 1, 2, 3 }, x:totable())
    local a = lathe.tobuffer(doc.triangles, "a")
    assert.same({ "i16", 1, 1 }, { a.type, a.rows, a.columns })
    local gx = doc.triangles:tobuffer("gx")
    assert.same({ "f32", 1, 3 }, { gx.type, gx.rows, gx.columns })
    assert.same({ 1, 2, 3 }, gx:totable())
    x[2] = 22
    doc.vertices:assign(x, "x")
    assert.same({ 1, 22, 3 }, xs(doc.vertices))
    doc.vertices:assign(lathe.buffer("i32", 2, 3, { 1, 2, 3, 4, 5, 6 }))
    assert.same({ { x = 1, y = 2, z = 3 }, { x = 4, y = 5, z = 6 } }, doc.vertices:totable())
    doc.triangles:assign(lathe.buffer("f32", 1, 3, { 9, 8, 7 }), "gx")
    assert.same({ 9, 8, 7 }, doc.triangles[1].gx:totable())
    doc.triangles[1].gy = lathe.buffer("f32", 1, 3, { 6, 5, 4 })
    assert.same({ 6, 5, 4 }, doc.triangles[1].gy:totable())
  end)

  it("refuses buffers of another shape", function()
    local doc, bytes = model()
    local function raises(code, f, ...)
      local ok, err = pcall(f, ...)
      assert.is_false(ok)
      assert.equal(code, type(err) == "table" and err.code or "string")
      assert.equal(bytes, doc:encode())
    end
    raises("range", doc.vertices.assign, doc.vertices, lathe.buffer("f32", 3, 2))
    raises("range", doc.vertices.assign, doc.vertices, lathe.buffer("f32", 4, 1), "x")
    raises("range", doc.triangles.assign, doc.triangles, lathe.buffer("i32", 1, 1, { 40000 }), "a")
    raises("string", doc.triangles.assign, doc.triangles, lathe.buffer("f32", 1, 1))
    raises("string", doc.triangles.assign, doc.triangles, lathe.buffer("f32", 1, 1), "nothing")
    raises("string", doc.triangles.assign, doc.triangles, { 1 }, "a")
    raises("string", doc.triangles.tobuffer, doc.triangles)
    raises("string", doc.triangles.tobuffer, doc.triangles, "nothing")
    raises("string", doc.vertices.assign, doc.vertices, doc.vertices[1])
    raises("string", doc.vertices.assign, doc.vertices, 1)
    raises("string", doc.vertices.assign, doc.vertices)
    raises("range", function() doc.triangles[1].gx = lathe.buffer("f32", 4) end)
  end)

  it("does nothing of what fails at the last step", function()
    local doc, bytes = model()
    local list = {}
    for i = 1, 900 do list[i] = { i, i, i } end
    list[900] = { 1, 2, "three" }
    assert.has_error(function() doc.vertices:assign(list) end)
    assert.equal(bytes, doc:encode())
    list[900] = { 1, 2, print }
    assert.has_error(function() doc.vertices:assign(list) end, "a function cannot be stored (at [3])")
    assert.equal(bytes, doc:encode())
    assert.has_error(function() doc.vertices:append { 1, "x" } end)
    assert.has_error(function() doc.vertices:insert(1, { 1, print, 3 }) end, "a function cannot be stored (at [2])")
    assert.has_error(function() doc.vertices:insert(1, 5) end)
    assert.has_error(function() doc.vertices[4] = { y = {} } end)
    assert.equal(bytes, doc:encode())
    assert.is_false(doc.modified)
    assert.is_false(doc:undo())
    local dolls = ragdoll("A")
    local before = dolls:encode()
    assert.has_error(function() dolls.objects:append { label = ("x"):rep(256) } end)
    assert.equal(before, dolls:encode())
  end)

  it("takes no strings and no far numbers as keys", function()
    local doc, bytes = model()
    assert.has_error(function() doc.vertices[5] = { 1, 2, 3 } end, "index 5 is not in 1 .. 4")
    assert.has_error(function() doc.vertices[0] = { 1, 2, 3 } end, "index 0 is not in 1 .. 4")
    assert.has_error(function() doc.vertices.x = 1 end, "elements are numbered with integers, not 'x'")
    assert.has_error(function() doc.vertices[1.5] = 1 end, "elements are numbered with integers, not '1.5'")
    assert.has_error(function() doc.vertices[1] = nil end, "assigning nil removes the last element only: use remove(1)")
    assert.equal(bytes, doc:encode())
  end)

  it("is what functions of the module want", function()
    local doc = model()
    for _, name in ipairs { "insert", "append", "remove", "move", "resize", "assign", "tobuffer" } do
      local ok, err = pcall(lathe[name], {}, 1)
      assert.is_false(ok)
      assert.matches("lathe.Array expected, got table", err, 1, true)
      assert.has_error(function() lathe[name](doc.vertices[1], 1) end)
    end
  end)
end)
