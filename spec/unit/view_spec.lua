-- Records: reading, writing, looking through them, and what becomes of views.

local lathe = require "lathe.core"

local function model()
  local bytes = assert(lathe.new("solid", {
    vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0.5 } },
    triangles = { { a = 0, b = 1, c = 2, gx = { 0, 1, 0 }, gy = { 0, 0, 1 } } },
  })):encode()
  return assert(lathe.parse(bytes, { format = "solid" })), bytes
end

local function ragdoll(...)
  local objects = {}
  for i, label in ipairs { ... } do objects[i] = { label = label, location = { i, 0, 0 } } end
  return assert(lathe.new("fzx", { objects = objects }))
end

describe("a record", function()
  it("reads and writes fields", function()
    local doc = model()
    local triangle = doc.triangles[1]
    assert.same({ 0, 1, 2 }, { triangle.a, triangle.b, triangle.c })
    assert.equal("integer", math.type(triangle.a))
    assert.equal("float", math.type(doc.vertices[1].x))
    triangle.a = -32768
    assert.equal(-32768, triangle.a)
    triangle.a = 7.0
    assert.equal(7, triangle.a)
    doc.vertices[1].x = 3
    assert.equal(3.0, doc.vertices[1].x)
    local object = ragdoll("HEAD SPHERE").objects[1]
    object.label = "R HEAD\0CAPSULE"
    assert.equal("R HEAD\0CAPSULE", object.label)
  end)

  it("writes only the bytes of the field", function()
    local doc, bytes = model()
    local offset, size = lathe.span(doc.triangles[1], "b")
    doc.triangles[1].b = 0x1234
    assert.equal(bytes:sub(1, offset) .. "\x12\x34" .. bytes:sub(offset + size + 1), doc:encode())
  end)

  it("takes tables, views of the same shape and buffers", function()
    local doc = model()
    local v = doc.vertices[1]
    doc.vertices[1] = { 1, 2, 3 }
    assert.same({ x = 1, y = 2, z = 3 }, v:totable())
    doc.vertices[1] = { x = 7, z = 9 }
    assert.same({ x = 7, y = 2, z = 9 }, v:totable())
    doc.vertices[2] = v
    assert.same({ x = 7, y = 2, z = 9 }, doc.vertices[2]:totable())
    assert.is_false(v == doc.vertices[2])
    doc.triangles[1].gx = { 4, 5, 6 }
    assert.same({ 4, 5, 6 }, doc.triangles[1].gx:totable())
    doc.triangles[1].gy = doc.triangles[1].gx
    assert.same({ 4, 5, 6 }, doc.triangles[1].gy:totable())
    doc.triangles[1].gy = lathe.buffer("f64", 3, 1, { 7, 8, 9 })
    assert.same({ 7, 8, 9 }, doc.triangles[1].gy:totable())
    doc.vertices[1] = lathe.buffer("u8", 3, 1, { 1, 2, 3 })
    assert.same({ x = 1, y = 2, z = 3 }, v:totable())
    local other = ragdoll("HEAD SPHERE")
    other.objects[1].location = v
    assert.same({ x = 1, y = 2, z = 3 }, other.objects[1].location:totable())
  end)

  it("refuses everything else, by name, and stays as it was", function()
    local doc, bytes = model()
    local triangle = doc.triangles[1]
    local function raises(message, f)
      local ok, err = pcall(f)
      assert.is_false(ok)
      assert.is_string(err)
      assert.matches(message, err, 1, true)
      assert.equal(bytes, doc:encode())
      assert.is_false(doc.modified)
    end
    raises("triangles[1].a: i16 expected, got a string", function() triangle.a = "x" end)
    raises("triangles[1].a: i16 expected, got a boolean", function() triangle.a = true end)
    raises("triangles[1].a: i16 expected, got nil", function() triangle.a = nil end)
    raises("triangles[1].a: i16 expected, got function", function() triangle.a = print end)
    raises("triangles[1].a: i16 expected, got userdata", function() triangle.a = io.stdout end)
    raises("triangles[1].a: i16 expected, got a table", function() triangle.a = { 1 } end)
    raises("triangles[1].a: i16 expected, got a buffer", function() triangle.a = lathe.buffer("u8", 1) end)
    raises("triangles[1].a: i16 expected, got a record", function() triangle.a = triangle end)
    raises("triangles[1].a: 1.5 is not an integer", function() triangle.a = 1.5 end)
    raises("vec3 expected", function() doc.vertices[1] = triangle end)
    raises("vec3 expected", function() doc.vertices[1] = 1 end)
    raises("triangles[1].gx", function() triangle.gx = 1 end)
    raises("triangles[1].gx", function() triangle.gx = { 1, "x", 3 } end)
    raises("no field 'w' in vec3", function() doc.vertices[1] = { x = 1, w = 1 } end)
    raises("a thread cannot be stored (at 'y')",
      function() doc.vertices[1] = { x = 1, y = coroutine.create(print) } end)
    raises("vertex_count: read-only: resize vertices instead", function() doc.vertex_count = 1 end)
    raises("no field 'q' in vec3", function() doc.vertices[1].q = 1 end)
    raises("no field 'totable' in vec3", function() doc.vertices[1].totable = 1 end)
  end)

  it("raises the error table for values out of range", function()
    local doc, bytes = model()
    for _, value in ipairs { 32768, -32769, 1e300, math.mininteger } do
      local ok, err = pcall(function() doc.triangles[1].a = value end)
      assert.is_false(ok)
      assert.is_table(err)
      assert.equal("range", err.code)
      assert.equal("triangles[1].a", err.where)
      assert.equal(lathe.span(doc.triangles[1], "a"), err.offset)
    end
    local ok, err = pcall(function() doc.triangles[1].gx = { 1, 2, 3, 4 } end)
    assert.is_false(ok)
    assert.equal("range", err.code)
    assert.equal(bytes, doc:encode())
  end)

  it("names fields that it does not have", function()
    local doc = model()
    local triangle = doc.triangles[1]
    assert.has_error(function() return triangle.fill9 end,
      "no field 'fill9' in solid_triangle; did you mean 'fill0'?")
    assert.has_error(function() return triangle.totble end,
      "no field 'totble' in solid_triangle; did you mean 'totable'?")
    assert.has_error(function() return triangle[1] end, "no field [1] in solid_triangle")
    assert.has_error(function() return triangle[nil] end, "no field [nil] in solid_triangle")
    assert.has_error(function() return #triangle end)
    assert.has_error(function() table.unpack(triangle, 1, 1) end)
  end)

  it("has a protected metatable with its name", function()
    local doc = model()
    assert.equal("vec3", getmetatable(doc.vertices[1]))
    assert.has_error(function() setmetatable(doc.vertices[1], {}) end)
    local ok, err = pcall(string.rep, doc.vertices[1])
    assert.is_false(ok)
    assert.matches("vec3", err)
  end)

  it("goes through its fields in file order", function()
    local doc = model()
    local names, values = {}, {}
    for name, value in pairs(doc.triangles[1]) do
      names[#names + 1] = name
      values[name] = value
    end
    assert.same({ "a", "b", "c", "gx", "gy" }, names)
    assert.same({ 0, 1, 2 }, { values.a, values.b, values.c })
    doc.triangles[1].fill1 = 55
    names = {}
    for name in pairs(doc.triangles[1]) do names[#names + 1] = name end
    assert.same({ "a", "b", "fill1", "c", "gx", "gy" }, names)
    local step, state = pairs(doc.triangles[1])
    assert.has_error(function() step(state, "nothing") end)
    names = {}
    for name in pairs(ragdoll("HEAD SPHERE").objects[1]) do names[#names + 1] = name end
    assert.same({ "label", "rotation", "location", "scale", "part", "shape", "mirrored" }, names)
  end)

  it("is copied without computed fields and default padding", function()
    local doc = model()
    assert.same({ a = 0, b = 1, c = 2, gx = { 0, 1, 0 }, gy = { 0, 0, 1 } }, doc.triangles[1]:totable())
    assert.same(doc.triangles[1]:totable(), lathe.totable(doc.triangles[1]))
    doc.triangles[1].fill2 = 4
    assert.equal(4, doc.triangles[1]:totable().fill2)
    local copy = ragdoll("HEAD SPHERE"):totable()
    assert.is_nil(copy.objects[1].part)
    assert.equal(1, copy.version)
    assert.equal("FZX", copy.footer.end_mark)
    assert.equal(1, copy.objects[1].rotation.w)
  end)

  it("is one line of text", function()
    local doc = model()
    assert.equal("vec3 vertices[3]: x=0 y=1 z=0.5", tostring(doc.vertices[3]))
    assert.equal("solid_triangle triangles[1]: a=0 b=1 c=2 gx=[3] gy=[3]", tostring(doc.triangles[1]))
    local dolls = ragdoll("HEAD\1\"SPHERE", ("x"):rep(200))
    assert.matches('fzx_object objects[1]: label="HEAD\\x01\\"SPHERE" rotation=(1 0 0 0) location=(1 0 0)',
      tostring(dolls.objects[1]), 1, true)
    for _, object in ipairs(dolls.objects) do
      assert.is_true(#tostring(object) <= 124)
      assert.is_nil(tostring(object):find("\n"))
    end
    assert.equal("fzx_footer footer: size=" .. dolls.footer.size .. ' end_mark="FZX"', tostring(dolls.footer))
    local save = assert(lathe.new("save", { levels = { { md5 = ("\x9b"):rep(16) } } }))
    assert.matches(" md5=16 bytes ", tostring(save.levels[1]), 1, true)
  end)
end)

describe("a vector", function()
  it("has numbers as well as names, in file order", function()
    local doc = model()
    local v = doc.vertices[3]
    assert.same({ 0, 1, 0.5 }, { v[1], v[2], v[3] })
    assert.equal(3, #v)
    assert.is_nil(v[4])
    assert.is_nil(v[0])
    assert.same({ 0, 1, 0.5 }, { table.unpack(v) })
    v[2] = 9
    assert.equal(9, v.y)
    local list = {}
    for i, lane in ipairs(v) do list[i] = lane end
    assert.same({ 0, 9, 0.5 }, list)
    assert.has_error(function() v[4] = 1 end, "no field [4] in vec3")
    local rotation = ragdoll("HEAD").objects[1].rotation
    assert.same({ 1, 0, 0, 0 }, { table.unpack(rotation) })
    rotation.w, rotation[2] = 0, 1
    assert.same({ w = 0, x = 1, y = 0, z = 0 }, rotation:totable())
    local names = {}
    for name in pairs(rotation) do names[#names + 1] = name end
    assert.same({ "w", "x", "y", "z" }, names)
  end)
end)

describe("computed fields", function()
  it("read and write through what they are worked out from", function()
    local object = ragdoll("L UPPERARM CAPSULE").objects[1]
    assert.equal("upperarm", object.part)
    assert.equal("l", object.side)
    assert.equal("capsule", object.shape)
    assert.is_false(object.mirrored)
    object.side = "r"
    assert.equal("r", object.side)
    object.side = nil
    assert.is_nil(object.side)
    object.mirrored = true
    assert.is_true(object.mirrored)
    assert.has_error(function() object.mirrored = "yes" end)
  end)
end)

describe("views", function()
  it("are equal where they show the same place", function()
    local doc, other = model(), model()
    assert.is_true(doc.vertices[1] == doc.vertices[1])
    assert.is_true(doc.vertices == doc.vertices)
    assert.is_true(doc.triangles[1].gx == doc.triangles[1].gx)
    assert.is_false(doc.triangles[1].gx == doc.triangles[1].gy)
    assert.is_false(doc.vertices[1] == doc.vertices[2])
    assert.is_false(doc.vertices[1] == other.vertices[1])
    assert.is_false(doc.vertices == doc.vertices[1])
    assert.is_false(doc.vertices[1] == io.stdout)
    assert.is_false(doc.vertices[1] == 1)
  end)

  it("follow what they show", function()
    local doc = ragdoll("HEAD SPHERE", "NECK CAPSULE", "CHEST BOX")
    local neck, chest, place = doc.objects[2], doc.objects[3], doc.objects[3].location
    local footer = doc.footer
    doc.objects:insert(1, { label = "ABDOMEN BOX" })
    assert.equal("NECK CAPSULE", neck.label)
    assert.equal("objects[3]", lathe.path(neck))
    assert.equal(3, place.x)
    neck.label = ("long "):rep(20)
    assert.equal("CHEST BOX", chest.label)
    assert.equal("objects[4].location", lathe.path(place))
    doc.objects:remove(1)
    doc.objects:remove(1)
    assert.equal("objects[1]", lathe.path(neck))
    assert.equal(2, lathe.index(chest) + 1)
    assert.is_true(chest == doc.objects[2])
    assert.equal(doc.size - 7, footer.size)
  end)

  it("of what was removed say so", function()
    local doc = ragdoll("HEAD SPHERE", "NECK CAPSULE")
    local object, place = doc.objects[2], doc.objects[2].location
    doc.objects:remove(2)
    assert.has_error(function() return object.label end, "fzx_object was removed")
    assert.has_error(function() object.label = "x" end, "fzx_object was removed")
    assert.has_error(function() return place.x end, "vec3 was removed")
    assert.has_error(function() lathe.totable(object) end, "fzx_object was removed")
    assert.has_error(function() lathe.path(object) end, "fzx_object was removed")
    assert.has_error(function() doc.objects[1] = object end, "fzx_object was removed")
    assert.equal("fzx_object (removed)", tostring(object))
    assert.is_false(object == doc.objects[1])
  end)

  it("come back with undo", function()
    local bytes = ragdoll("HEAD SPHERE", "NECK CAPSULE"):encode()
    local doc = assert(lathe.parse(bytes, { history = 3 }))
    local object = doc.objects[2]
    doc.objects:remove(2)
    assert.is_false(pcall(function() return object.label end))
    assert.is_true(doc:undo())
    assert.equal("NECK CAPSULE", object.label)
    assert.equal(bytes, doc:encode())
    local ok = pcall(doc.edit, doc, function()
      doc.objects:remove(1)
      assert.equal("objects[1]", lathe.path(object))
      error("back")
    end)
    assert.is_false(ok)
    assert.equal("objects[2]", lathe.path(object))
  end)
end)
