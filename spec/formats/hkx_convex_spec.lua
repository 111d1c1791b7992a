-- Convex shapes of Fallout 4, whose arrays count from their own heads: as files have them, edited, and hostile.

local edits = require "hkx_edits"
local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"
local shapes = require "convex_hex"

local same_bytes, open = edits.same_bytes, edits.open

local FOLDER = "nif-fo4-collision"
local CONVEX = { hknpConvexPolytopeShape = true, hknpSphereShape = true, hknpCapsuleShape = true }
local TAG = 0x3F000000

-- ---- the corpus -----------------------------------------------------------------------------------

--- Calls test(bytes, system, label) for each packfile; `system` has its figures.
local function each_packfile(test)
  local folder = helper.need_corpus(FOLDER, pending)
  local n = 0
  for _, name in ipairs(helper.list(folder, "%.nif$")) do
    local figures = assert(json.decode(helper.read(("%s/expected/%s.json"):format(folder, name))))
    local nif <close> = assert(lathe.open(folder .. "/" .. name))
    for block, system in pairs(figures.systems) do
      n = n + 1
      test(lathe.bytes(nif.blocks[tonumber(block) + 1]):sub(5), system, name .. " " .. block)
    end
  end
  return n
end

--- The convex shapes of a document.
local function convex_in(doc)
  local list = {}
  for _, object in ipairs(doc.objects) do
    if CONVEX[lathe.type(object)] then list[#list + 1] = object end
  end
  return list
end

--- All shapes in a file's figures by the place of the object, those of compounds, too.
local function expected_shapes(system)
  local found = {}
  local function add(shape)
    found[shape.offset] = shape
    for _, instance in ipairs(shape.instances or {}) do
      if instance.shape then add(instance.shape) end
    end
  end
  for _, body in ipairs(system.bodies) do add(body.shape) end
  return found
end

local function near(wanted, got, label)
  if math.abs(wanted - got) > 1e-5 * math.max(1, math.abs(wanted)) then
    error(("%s: %g wanted, %g got"):format(label, wanted, got), 2)
  end
end

local function near_list(wanted, got, label)
  for i, number in ipairs(wanted) do near(number, got[i], ("%s %d"):format(label, i)) end
end

--- Vertices that are no copies of the last one: their w says their number.
local function real_vertices(shape)
  local n = 0
  for i, v in ipairs(shape.vertices) do
    if v.w == TAG + i - 1 then n = n + 1 end
  end
  return n
end

local function bounds_of(vertices)
  local low, high = { 1 / 0, 1 / 0, 1 / 0 }, { -1 / 0, -1 / 0, -1 / 0 }
  for _, v in ipairs(vertices) do
    for lane = 1, 3 do
      low[lane], high[lane] = math.min(low[lane], v[lane]), math.max(high[lane], v[lane])
    end
  end
  return low, high
end

local function loop_of(shape, face)
  local loop = {}
  for k = face.first_index + 1, face.first_index + face.num_indices do loop[#loop + 1] = shape.indices[k] end
  return loop
end

local function compare_hull(wanted, shape, label)
  assert.same({ wanted.numVertices, wanted.numRealVertices, wanted.numPlanes, wanted.numFaces, wanted.numIndices },
    { #shape.vertices, real_vertices(shape), #shape.planes, #shape.faces, #shape.indices }, label)
  for i, v in ipairs(wanted.vertices) do near_list(v, shape.vertices[i], label .. " vertex " .. i) end
  for i, p in ipairs(wanted.planes) do near_list(p, shape.planes[i], label .. " plane " .. i) end
  for i, f in ipairs(wanted.faces) do assert.same(f, loop_of(shape, shape.faces[i]), label .. " face " .. i) end
  local low, high = bounds_of(shape.vertices)
  near_list(wanted.bounds[1], low, label .. " low")
  near_list(wanted.bounds[2], high, label .. " high")
end

local function compare(wanted, shape, label)
  assert.equal(wanted.cls, lathe.type(shape), label)
  assert.same({ wanted.flags, wanted.numShapeKeyBits, "convex", tonumber(wanted.materialId, 16) },
    { shape.flags, shape.num_shape_key_bits, shape.dispatch_type, shape.user_data }, label)
  near(wanted.convexRadius, shape.convex_radius, label .. " radius")
  if wanted.cls == "hknpSphereShape" then
    assert.equal(4, #shape.vertices)
    for i = 1, 4 do
      near_list(wanted.center, shape.vertices[i], label .. " centre")
      assert.equal(TAG, shape.vertices[i].w)
    end
    return
  end
  compare_hull(wanted, shape, label)
  if wanted.cls == "hknpCapsuleShape" then
    near_list(wanted.a, shape.a, label .. " a")
    near_list(wanted.b, shape.b, label .. " b")
    assert.same({ 1, 1 }, { shape.a.w, shape.b.w })
  end
end

describe("convex shapes of the corpus #corpus", function()
  it("have the figures that are expected", function()
    local n = { hknpConvexPolytopeShape = 0, hknpSphereShape = 0, hknpCapsuleShape = 0 }
    each_packfile(function(bytes, system, label)
      local doc <close> = open(bytes)
      local expected = expected_shapes(system)
      for i, entry in ipairs(system.objects) do
        local offset, class = entry[1], entry[2]
        if CONVEX[class] and expected[offset] then -- of compounds some are left out
          compare(expected[offset], doc.objects[i], ("%s objects[%d]"):format(label, i))
          n[class] = n[class] + 1
        end
      end
    end)
    assert.same({ hknpConvexPolytopeShape = 64, hknpSphereShape = 2, hknpCapsuleShape = 60 }, n)
  end)

  it("are convex: no vertex is in front of a face", function()
    local n = 0
    each_packfile(function(bytes, _, label)
      local doc <close> = open(bytes)
      for _, shape in ipairs(convex_in(doc)) do
        n = n + 1
        assert.equal(0, #shape.vertices % 4)
        for i = 1, lathe.type(shape) == "hknpSphereShape" and 0 or #shape.faces do
          local p, loop = shape.planes[i], loop_of(shape, shape.faces[i])
          local where = ("%s %s face %d"):format(label, lathe.path(shape), i)
          for _, v in ipairs(shape.vertices) do
            assert(p.x * v.x + p.y * v.y + p.z * v.z + p.w < 4e-4, where)
          end
          for _, k in ipairs(loop) do assert(k < real_vertices(shape), where) end
        end
      end
    end)
    assert.equal(156, n)
  end)

  it("are written as they were, with all around them", function()
    assert.equal(44, each_packfile(function(bytes, _, label)
      local doc <close> = open(bytes)
      same_bytes(bytes, doc:encode(), label .. " encode")
      same_bytes(bytes, assert(doc:serialize()), label .. " serialize")
      local made <close> = assert(lathe.new("hkx", doc:totable()))
      same_bytes(bytes, made:encode(), label .. " new")
    end))
  end)

  it("are sound, as doc:check() sees it", function()
    each_packfile(function(bytes, _, label)
      local doc <close> = open(bytes)
      local ok, findings = doc:check()
      assert.is_true(ok, label)
      for _, finding in ipairs(findings) do
        assert.matches("a bone without a name", tostring(finding), 1, true)
      end
    end)
  end)
end)

-- ---- edits ------------------------------------------------------------------------------------------

local random = math.random

local function number()
  return random(-400, 400) / 8
end

local function vertex()
  return { number(), number(), number(), random(0, 0xFFFFFFFF) }
end

local MAKE = {
  vertices = vertex,
  planes = function() return { number(), number(), number(), number() } end,
  faces = function()
    return { first_index = random(0, 65535), num_indices = random(0, 255), min_half_angle = random(0, 255) }
  end,
  indices = function() return random(0, 255) end,
}
local ARRAYS = { "vertices", "planes", "faces", "indices" }

local function list_of(make, most)
  local list = {}
  for i = 1, random(0, most) do list[i] = make() end
  return list
end

-- Each changes an array, and a plain list in the same way.
local CHANGES = {
  function(view, list, make)
    local at, item = random(1, #list + 1), make()
    view:insert(at, item)
    table.insert(list, at, item)
  end,
  function(view, list, make)
    local item = make()
    view[#view + 1] = item
    list[#list + 1] = item
  end,
  function(view, list)
    if #list == 0 then return end
    local at = random(1, #list)
    view:remove(at)
    table.remove(list, at)
  end,
  function(view, list, make)
    local new = list_of(make, 9)
    view:assign(new)
    for i = math.max(#list, #new), 1, -1 do list[i] = new[i] end
  end,
  function(view, list, make)
    if #list == 0 then return end
    local at, item = random(1, #list), make()
    view[at] = item
    list[at] = item
  end,
  function(view, list)
    if random(4) > 1 then return end
    view:assign {}
    for i = #list, 1, -1 do list[i] = nil end
  end,
}

--- Values by their bits: NaN equals itself.
local function bits(value)
  if type(value) == "table" then
    local copy = {}
    for k, v in pairs(value) do copy[k] = bits(v) end
    return copy
  end
  return type(value) == "number" and ("<d"):pack(value) or value
end

local function plain(array)
  local list = array:totable()
  for i, item in ipairs(list) do
    if type(item) == "table" and item.x then list[i] = { item.x, item.y, item.z, item.w } end
  end
  return list
end

--- Random edits of one array of one shape; the file is what writing it anew gives, and undo takes all back.
local function edit_by_chance(bytes, label, which, count, seed)
  math.randomseed(seed)
  local doc <close> = open(bytes)
  local states = { bytes }
  for k = 1, count do
    local list = convex_in(doc)
    local shape = list[which or random(#list)]
    local name = lathe.type(shape) == "hknpSphereShape" and "vertices" or ARRAYS[random(#ARRAYS)]
    local what = ("%s seed %d #%d: %s.%s"):format(label, seed, k, lathe.path(shape), name)
    local before = {}
    for _, other in ipairs(ARRAYS) do
      if lathe.type(shape) ~= "hknpSphereShape" or other == "vertices" then before[other] = plain(shape[other]) end
    end
    CHANGES[random(#CHANGES)](shape[name], before[name], MAKE[name])
    for other, wanted in pairs(before) do assert.same(bits(wanted), bits(plain(shape[other])), what .. " " .. other) end
    local now = doc:encode()
    same_bytes(assert(doc:serialize()), now, what)
    if now ~= states[#states] then states[#states + 1] = now end
  end
  local made <close> = assert(lathe.new("hkx", doc:totable()))
  same_bytes(states[#states], made:encode(), label)
  for k = #states - 1, 1, -1 do
    repeat assert.is_true(doc:undo(), label) until doc:encode() ~= states[k + 1]
    same_bytes(states[k], doc:encode(), ("%s seed %d undo to %d"):format(label, seed, k))
  end
  while doc:redo() do end
  same_bytes(states[#states], doc:encode(), label .. " redo")
end

describe("random edits of convex shapes", function()
  it("leave a file as if it were written anew: single ones", function()
    for name, bytes in pairs { box = shapes.box, sphere = shapes.sphere, capsule = shapes.capsule } do
      for seed = 1, 20 do edit_by_chance(bytes, name, 1, 40, seed) end
    end
  end)

  it("leave a file as if it were written anew: all of the corpus #corpus", function()
    local n = 0
    each_packfile(function(bytes, _, label)
      local doc <close> = open(bytes)
      for which = 1, #convex_in(doc) do
        edit_by_chance(bytes, label, which, 6, which)
        n = n + 1
      end
    end)
    assert.equal(156, n)
  end)
end)

describe("a convex shape made by hand", function()
  it("is read", function()
    local doc <close> = open(shapes.box)
    local box = doc.root
    assert.equal("hknpConvexPolytopeShape", lathe.type(box))
    assert.same({ 8, 8, 6, 24 }, { #box.vertices, #box.planes, #box.faces, #box.indices })
    assert.same({ x = -1, y = -2, z = 0.5, w = TAG + 6 }, box.vertices[7]:totable())
    assert.same({ 0, 0, -1, -0.5 }, { table.unpack(box.planes[3]) })
    assert.same({ first_index = 8, num_indices = 4, min_half_angle = 128 }, box.faces[3]:totable())
    assert.same({ 2, 4, 7, 5 }, loop_of(box, box.faces[3]))
    assert.same({ 0x143, "convex", 0x064003D4, false },
      { box.flags, box.dispatch_type, box.user_data, box.properties or false })
    assert.equal("objects[1].vertices[7]", lathe.path(box.vertices[7]))
    assert.equal(box.vertices[7], (doc:at(shapes.DATA + 0x50 + 6 * 16)))
    assert.equal(box.faces[6], (doc:at(shapes.DATA + 0x150 + 5 * 4)))
    assert.equal("indices", select(2, doc:at(shapes.DATA + 0x171)))
  end)

  it("is kept bit for bit, NaN of planes that nobody reads too", function()
    for name, bytes in pairs { box = shapes.box, sphere = shapes.sphere, capsule = shapes.capsule } do
      local doc <close> = open(bytes)
      assert.same({ true, {} }, { doc:check() }, name)
      same_bytes(bytes, doc:encode(), name)
      same_bytes(bytes, assert(doc:serialize()), name)
      local made <close> = assert(lathe.new("hkx", doc:totable()))
      same_bytes(bytes, made:encode(), name)
      local again <close> = assert(lathe.new("hkx", { objects = doc.objects }))
      same_bytes(bytes, again:encode(), name)
    end
  end)

  it("has a centre or ends", function()
    local ball <close> = open(shapes.sphere)
    local pill <close> = open(shapes.capsule)
    assert.same({ 0.75, 1, -2, 0.5 }, { ball.root.convex_radius, table.unpack(ball.root.vertices[4], 1, 3) })
    assert.same({ { 0, 0, 2, 1 }, { 0, 0, -2, 1 } }, { { table.unpack(pill.root.a) }, { table.unpack(pill.root.b) } })
    pill.root.b = { 0, 0, -3 }
    assert.same({ 0, 0, -3, 1 }, { table.unpack(pill.root.b) })
  end)

  it("is turned into other byte orders and pointer sizes, and back", function()
    for name, bytes in pairs { box = shapes.box, sphere = shapes.sphere, capsule = shapes.capsule } do
      for _, layout in ipairs { { 4, true }, { 8, false }, { 4, false } } do
        local doc <close> = open(bytes)
        local fields = doc:totable()
        fields.pointer_size, fields.little_endian = layout[1], layout[2]
        local other <close> = assert(lathe.new("hkx", fields))
        same_bytes(other:encode(), assert(other:serialize()), name)
        assert.same(doc.root.vertices:totable(), other.root.vertices:totable())
        same_bytes(bytes, assert(other:serialize { game = "fallout4" }), name)
      end
    end
  end)

  it("is written for no other game", function()
    local doc <close> = open(shapes.box)
    local bytes, err = doc:serialize { game = "skyrim-se" }
    assert.is_nil(bytes)
    assert.matches("hknpConvexPolytopeShape", tostring(err), 1, true)
  end)

  it("gets a vertex, and all behind it follows", function()
    local doc <close> = open(shapes.box)
    local box = doc.root
    local vertex_2, face, index_span = box.vertices[2], box.faces[2], { lathe.span(box, "indices") }
    box.vertices[9] = { 5, 6, 7 }
    assert.same({ x = 5, y = 6, z = 7, w = TAG + 8 }, box.vertices[9]:totable())
    assert.same({ 9, 8, 6, 24 }, { #box.vertices, #box.planes, #box.faces, #box.indices })
    assert.same({ vertex_2, face }, { box.vertices[2], box.faces[2] })
    assert.equal(4, face.first_index)
    assert.same(index_span, { lathe.span(box, "indices") })
    local bytes = doc:encode()
    assert.equal(#shapes.box + 16, #bytes)
    local heads = { ("<HHxxxxxxxxxxxxHHHHHH"):unpack(bytes, shapes.DATA + 0x30 + 1) }
    assert.same({ 9, 0x20, 8, 0xA0, 6, 0x11C, 24, 0x138 }, { table.unpack(heads, 1, 8) })
  end)

  it("keeps zeros behind indices and faces as they grow", function()
    local doc <close> = open(shapes.box)
    local size = #shapes.box
    for i = 1, 8 do
      doc.root.indices:insert(1, i)
      assert.equal(size, #doc:encode())
    end
    doc.root.indices:insert(1, 9)
    assert.equal(size + 16, #doc:encode())
    doc.root.faces:remove(1)
    doc.root.faces:remove(1)
    assert.equal(size, #doc:encode())
    same_bytes(assert(doc:serialize()), doc:encode())
  end)

  it("is made from what matters alone", function()
    local doc <close> = assert(lathe.new("hkx", { objects = { { class = "hknpConvexPolytopeShape",
      vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
      planes = { { 0, 0, -1, 0 } }, faces = { { num_indices = 3 } }, indices = { 0, 2, 1 } } } }))
    for i, v in ipairs(doc.root.vertices) do assert.equal(TAG + i - 1, v.w) end
    same_bytes(doc:encode(), assert(doc:serialize()))
    local empty <close> = assert(lathe.new("hkx", { objects = { { class = "hknpCapsuleShape" } } }))
    assert.same({ 0, 0, 0, 0 }, { #empty.root.vertices, #empty.root.planes, #empty.root.faces, #empty.root.indices })
    empty.root.faces = { { num_indices = 3 } }
    empty.root.indices = { 1, 2, 3 }
    empty.root.vertices = { { 1, 2, 3 } }
    same_bytes(empty:encode(), assert(empty:serialize()))
  end)
end)

describe("a shape that nobody has seen", function()
  it("is kept as bytes, by name", function()
    for _, class in ipairs { "hknpScaledConvexShape", "hknpStaticCompoundShape" } do
      local doc <close> = assert(lathe.new("hkx", { class_names = { { name = class, signature = 0x12345678 } },
        objects = { { class = class, bytes = ("x"):rep(64) } } }))
      assert.same({ class, ("x"):rep(64) }, { lathe.type(doc.root), doc.root.bytes })
      same_bytes(doc:encode(), assert(doc:serialize()))
      local made <close> = assert(lathe.new("hkx", doc:totable()))
      same_bytes(doc:encode(), made:encode())
    end
  end)
end)

-- ---- limits -------------------------------------------------------------------------------------------

local function many(n, item)
  local list = {}
  for i = 1, n do list[i] = item end
  return list
end

--- Nothing that fails changes the document.
local function refused(doc, change, ...)
  local before = doc:encode()
  local ok, err = pcall(change)
  assert.is_false(ok)
  for _, word in ipairs { ... } do assert.matches(word, tostring(err), 1, true) end
  same_bytes(before, doc:encode())
end

describe("16 bits of a convex shape", function()
  it("count up to 65535 elements", function()
    local doc <close> = open(shapes.box)
    local box = doc.root
    box.indices = many(65535, 3)
    same_bytes(assert(doc:serialize()), doc:encode())
    refused(doc, function() box.indices[65536] = 1 end, "objects[1].indices", "65536 elements, at most 65535")
    refused(doc, function() box.indices = many(70000, 1) end, "objects[1].indices", "70000 elements, at most 65535")
    box.indices = { 1 }
    same_bytes(assert(doc:serialize()), doc:encode())
  end)

  it("reach 65535 bytes from a head", function()
    local doc <close> = open(shapes.box)
    local box = doc.root
    local at = ("objects[1].indices at 0x%x"):format(shapes.DATA + 0x48)
    local message = "its elements would begin 65544 bytes behind it, at most 65535"
    box.vertices = many(4085, { 1, 2, 3 })            -- 0x50 + 16 * 4085 + 0x80 + 0x20 - 0x48
    same_bytes(assert(doc:serialize()), doc:encode())
    refused(doc, function() box.vertices[4086] = { 1, 2, 3 } end, at, message)
    refused(doc, function() box.vertices = many(4086, { 1, 2, 3 }) end, at, message)
    refused(doc, function() box.planes:insert(1) end, at, message)
    assert.equal(4085, #box.vertices)
    box.faces = {}
    box.planes:insert(1)
    box.indices = {}
    box.vertices:resize(4087)
    refused(doc, function() box.indices = { 1 } end, at)
    same_bytes(assert(doc:serialize()), doc:encode())
  end)

  it("are looked at when a table is written", function()
    local doc <close> = open(shapes.box)
    local fields = doc:totable()
    fields.objects[1].vertices = many(4086, { 1, 2, 3 })
    local made, err = lathe.new("hkx", fields)
    assert.is_nil(made)
    assert.matches("objects[1].indices", tostring(err), 1, true)
    assert.matches("24 elements that begin 65544 bytes behind it: both are at most 65535", tostring(err), 1, true)
    fields.objects[1].vertices = many(70000, { 1, 2, 3 })
    made, err = lathe.new("hkx", fields)
    assert.is_nil(made)
    assert.matches("objects[1].vertices", tostring(err), 1, true)
    assert.matches("70000 elements, at most 65535", tostring(err), 1, true)
  end)
end)

-- ---- hostile files ------------------------------------------------------------------------------------

local HEADS = { vertices = 0x30, planes = 0x40, faces = 0x44, indices = 0x48 }

--- The box with another count and offset in a head.
local function box_with(name, count, offset)
  local at = shapes.DATA + HEADS[name]
  return shapes.box:sub(1, at) .. ("<HH"):pack(count, offset) .. shapes.box:sub(at + 5), at
end

describe("a hostile convex shape", function()
  it("is told by file, path and offset", function()
    local folder = helper.tmpdir()
    for _, case in ipairs {
      { "vertices", 0xFFFF, 0x20, "65535 elements of 16 bytes do not fit into 128 bytes" },
      { "vertices", 9, 0x20, "9 elements of 16 bytes do not fit into 128 bytes" },
      { "vertices", 8, 0x22, "8 elements of 16 bytes do not fit into 126 bytes" },
      { "planes", 8, 0x160, "points to 0x1a0, outside of the object's 0x190 bytes" },
      { "faces", 6, 0xFFFF, "points to 0x10043, outside of the object's 0x190 bytes" },
      { "faces", 6, 0, "points to 0x44, into the object's own members" },
      { "indices", 24, 7, "points to 0x4f, into the object's own members" },
      { "indices", 33, 0x128, "33 elements of 1 bytes do not fit into 32 bytes" },
    } do
      local name, count, offset, message = table.unpack(case)
      local bytes, at = box_with(name, count, offset)
      local path = helper.write(folder .. "/box.hkx", bytes)
      local doc <close> = assert(lathe.open(path))
      local wanted = ("%s: objects[1].%s at 0x%x: %s"):format(path, name, at, message)
      local ok, err = pcall(function() return doc.objects[1][name][1] end)
      assert.is_false(ok)
      assert.matches(wanted, tostring(err), 1, true)
      local valid, findings = doc:check()
      assert.is_nil(valid or nil)
      assert.equal(wanted .. " (hknpConvexPolytopeShape)", tostring(findings[1]))
      local written
      written, err = doc:serialize()
      assert.is_nil(written)
      assert.matches(wanted, tostring(err), 1, true)
      same_bytes(bytes, doc:encode())
      refused(doc, function() doc.objects[1][name] = {} end, wanted)
    end
  end)

  it("has elements in those of an array in front of them, which only that one shows", function()
    local doc <close> = open((box_with("planes", 4, 0x40)))
    local box = doc.root
    assert.same({ x = -1, y = -2, z = 0.5, w = 0.5 + 6 * 2 ^ -24 }, box.planes[4]:totable())
    assert.equal("objects[1].planes[4]", lathe.path(box.planes[4]))
    refused(doc, function() box.planes:remove(1) end, "others share its data")
    refused(doc, function() return box.vertices[1] end, "8 elements of 16 bytes do not fit into 48 bytes")
  end)

  it("has arrays at one place, which are read but not resized", function()
    for _, case in ipairs { { "planes", 8, 0x10, "vertices" }, { "faces", 6, 0x0C, "vertices" },
      { "indices", 24, 0x108, "faces" } } do
      local name, count, offset, other = table.unpack(case)
      local doc <close> = open((box_with(name, count, offset)))
      local box = doc.root
      assert.equal(count, #box[name])
      local ok, findings = doc:check()
      assert.is_nil(ok or nil)
      assert.matches(("objects[1].%s at"):format(name), tostring(findings[1]), 1, true)
      assert.matches(("its elements are those of %s, too"):format(other), tostring(findings[1]), 1, true)
      for _, array in ipairs { name, other } do
        refused(doc, function() box[array]:remove(1) end, "objects[1]." .. array, "others share its data")
        refused(doc, function() box[array]:insert(1) end, "objects[1]." .. array, "others share its data")
      end
      box[name][1] = box[name][2]                     -- numbers in place may be set
      local anew <close> = open(assert(doc:serialize()))
      assert.same(bits(doc:totable().objects), bits(anew:totable().objects))
    end
  end)

  it("is edited where its data are not in Havok's order", function()
    local blocks = { vertices = { 0x50, 0x80 }, planes = { 0xD0, 0x80 }, faces = { 0x150, 0x20 }, indices = { 0x170, 0x20 } }
    local at, head, data = 0x50, {}, ""
    for _, name in ipairs { "indices", "faces", "planes", "vertices" } do
      local from, size = table.unpack(blocks[name])
      head[name] = at - HEADS[name]
      data = data .. shapes.box:sub(shapes.DATA + from + 1, shapes.DATA + from + size)
      at = at + size
    end
    local bytes = shapes.box:sub(1, shapes.DATA + 0x50) .. data .. shapes.box:sub(shapes.DATA + 0x191)
    for name, place in pairs(HEADS) do
      local site = shapes.DATA + place
      bytes = bytes:sub(1, site + 2) .. ("<H"):pack(head[name]) .. bytes:sub(site + 5)
    end
    local doc <close> = open(bytes)
    local straight <close> = open(shapes.box)
    same_bytes(shapes.box, assert(doc:serialize()))
    for seed = 1, 60 do
      math.randomseed(seed)
      local name = ARRAYS[random(#ARRAYS)]
      local change, make = CHANGES[random(#CHANGES)], MAKE[name]
      for _, d in ipairs { doc, straight } do
        math.randomseed(seed)
        change(d.root[name], plain(d.root[name]), make)
      end
      for _, array in ipairs(ARRAYS) do
        assert.same(bits(plain(straight.root[array])), bits(plain(doc.root[array])), ("seed %d %s"):format(seed, array))
      end
      same_bytes(straight:encode(), assert(doc:serialize()))
    end
    for _ = 1, 60 do if doc:encode() ~= bytes then doc:undo() end end
    same_bytes(bytes, doc:encode())
  end)

  it("with any word of its head changed neither crashes nor loses bytes", function()
    for name, bytes in pairs { box = shapes.box, sphere = shapes.sphere, capsule = shapes.capsule } do
      local base = shapes.DATA + 0x30
      for seed = 1, 400 do
        math.randomseed(seed)
        local at = base + 2 * random(0, 15)
        local broken = bytes:sub(1, at) .. ("<H"):pack(random(3) == 1 and random(0, 65535) or random(0, 0x1A0))
          .. bytes:sub(at + 3)
        local doc <close> = open(broken)
        doc:check()
        same_bytes(broken, doc:encode(), name)
        local written = doc:serialize()
        if written then
          local again <close> = open(written)
          same_bytes(written, assert(again:serialize()), name)
        end
        for _ = 1, 3 do
          pcall(function()
            local array = ARRAYS[random(#ARRAYS)]
            CHANGES[random(#CHANGES)](doc.root[array], {}, MAKE[array])
          end)
        end
        while doc:undo() do end
        same_bytes(broken, doc:encode(), name)
      end
    end
  end)
end)

describe("doc:check() of a convex shape", function()
  local function first_finding(change)
    local doc <close> = open(shapes.box)
    change(doc.root)
    local ok, findings = doc:check()
    return tostring(findings[1]), ok and "warning" or "error"
  end

  it("tells what the game would stumble over", function()
    for _, case in ipairs {
      { function(box) box.vertices:remove(8) end, "objects[1].vertices", "7 of them, which is no multiple of 4", "error" },
      { function(box) box.planes:resize(6) end, "objects[1].planes", "6 of them, which is no multiple of 4", "error" },
      { function(box) box.planes:resize(4) end, "objects[1].planes", "4 planes for 6 faces", "error" },
      { function(box) box.indices[5] = 8 end, "objects[1].indices[5]", "no vertex 8: there are 8", "error" },
      { function(box) box.faces[2].first_index = 22 end, "objects[1].faces[2]",
        "its indices 22 .. 26 are not there: there are 24", "error" },
      { function(box) box.faces[3].num_indices = 2 end, "objects[1].faces[3]", "a face of 2 vertices", "warning" },
      { function(box) box.vertices[4].w = 7 end, "objects[1].vertices[4]",
        "w is 0x00000007 where vertices are numbered: 0x3f000003", "warning" },
      { function(box) box.vertices[1].y = 2.5 end, "objects[1].planes[1]",
        "its face has a vertex that is 0.5 m away from it", "warning" },
      { function(box) box.planes[2].x = 0 / 0 end, "objects[1].planes[2]", "nan m away from it", "warning" },
      { function(box) box.vertices = {} end, "objects[1].vertices", "a shape without vertices", "error" },
    } do
      local told, level = first_finding(case[1])
      assert.matches(case[2], told, 1, true)
      assert.matches(case[3], told, 1, true)
      assert.equal(case[4], level, told)
    end
  end)
end)
