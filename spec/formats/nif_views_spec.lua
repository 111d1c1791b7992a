-- What shapes tell of geometry that lies elsewhere: triangles in strips, bitangents beside positions of their own;
-- and blocks by name.

local helper = require "helper"
local lathe = require "lathe"

local function rows(buffer)
  local list = {}
  for i = 1, buffer.rows do list[i] = { buffer:row(i) } end
  return list
end

local function refused(message, fn)
  local ok, err = pcall(fn)
  assert.is_false(ok)
  assert.matches(message, tostring(err), 1, true)
end

describe("triangles of strips", function()
  local function doc_of_strips()
    return assert(lathe.new("nif", { bs_version = 83, blocks = {
      { type = "NiTriStrips", name = "strips", data = 1 },
      { type = "NiTriStripsData", has_vertices = true, vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 },
        { 2, 2, 0 } }, num_triangles = 3, strip_lengths = { 4, 3 }, has_points = true, points = { 0, 1, 2, 3, 2, 3, 4 } },
    } }))
  end

  it("are told by the shape and by its data", function()
    local doc = doc_of_strips()
    local want = { { 0, 1, 2 }, { 1, 3, 2 }, { 2, 3, 4 } }
    assert.same(want, rows(doc.blocks[1].triangles))
    assert.same(want, rows(doc.blocks[2].triangles))
    doc.blocks[2].points[7] = 0
    assert.same({ 2, 3, 0 }, rows(doc.blocks[1].triangles)[3])
  end)

  it("are not set: strips are", function()
    local doc = doc_of_strips()
    for i = 1, 2 do
      refused("blocks[" .. i .. "].triangles", function() doc.blocks[i].triangles = { { 0, 1, 2 } } end)
      refused("they lie in strips: set strip_lengths and points", function() doc.blocks[i].triangles = {} end)
    end
  end)

  it("are those that meshes have #corpus", function()
    local path = helper.need_corpus("nif/fo3_127smg.nif", pending)
    local doc <close> = assert(lathe.open(path))
    local by_path, n = {}, 0
    for mesh in doc:meshes() do by_path[mesh.name] = mesh end
    for _, block in ipairs(doc.blocks) do
      local mesh = lathe.type(block) == "NiTriStrips" and by_path[block.name]
      if mesh and #mesh.indices == 3 * block.triangles.rows then
        assert.same(mesh.indices:totable(), block.triangles:totable())
        n = n + 1
      end
    end
    assert.is_true(n > 4, n)
  end)
end)

describe("triangles of a skinned shape of Skyrim SE", function()
  local function skinned(type)
    local doc = assert(lathe.new("nif", { bs_version = 100, blocks = { { type = "BSTriShape", name = "body" } } }))
    local shape = doc.blocks[1]
    shape.positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } }
    local fields = shape:totable()
    doc.blocks:append { type = type, name = "skinned", vertex_desc = fields.vertex_desc, num_vertices = 4, num_triangles = 2,
      skin = 2, dynamic_vertices = type == "BSDynamicTriShape"
        and { { 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 1, 1, 0, 0 } } or nil }
    doc.blocks:append { type = "NiSkinInstance", skin_partition = 3 }
    local vertices = {}
    for i, vertex in ipairs(fields.vertices) do vertices[i] = vertex end
    local stride = (fields.vertex_desc & 15) * 4
    doc.blocks:append { type = "NiSkinPartition", data_size = 4 * stride, vertex_size = stride,
      vertex_desc = fields.vertex_desc, vertices = vertices, partitions = { { num_vertices = 4, num_triangles = 2,
        has_faces = true, triangles = { { 0, 1, 2 }, { 1, 3, 2 } }, triangles_copy = { { 0, 1, 2 }, { 1, 3, 2 } } } } }
    return doc, doc.blocks[2]
  end

  for _, type in ipairs { "BSDynamicTriShape", "BSTriShape" } do
    it("are those of the partitions: " .. type, function()
      local doc, shape = skinned(type)
      local want = { { 0, 1, 2 }, { 1, 3, 2 } }
      assert.same(want, rows(shape.skin_triangles))
      assert.same(want, rows(shape.triangles))
      assert.same(want, rows(doc:get "blocks[2].triangles"))
      refused("absent here: it only reads as skin_triangles", function() shape.triangles = want end)
      for name in pairs(shape) do assert.not_equal("triangles", name) end
      assert.is_nil(shape:totable().triangles)
      assert.is_nil(lathe.tree.to_json(shape):find('"triangles"', 1, true))
      assert.is_nil(lathe.tree.dump(shape):find(" triangles ", 1, true))
      assert.same({}, lathe.tree.diff(doc, assert(lathe.parse(doc:encode()))))
      assert.is_table(require("lathe.repl.show").lines(shape))
      assert.is_nil(doc.blocks[1].skin_triangles)
    end)
  end
end)

describe("bitangents of a shape whose positions lie apart", function()
  local function dynamic()
    local doc = assert(lathe.new("nif", { bs_version = 100, blocks = { { type = "BSTriShape", name = "face" } } }))
    local shape = doc.blocks[1]
    shape.positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }
    shape.normals = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 } }
    shape.tangents = { { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 } }
    local fields = shape:totable()
    fields.type, fields.dynamic_vertices = "BSDynamicTriShape", { { 1, 2, 3, 0.25 }, { 4, 5, 6, 0.5 }, { 7, 8, 9, -1 } }
    doc.blocks:append(fields)
    return doc, doc.blocks[2]
  end

  it("begin with the fourth number of the positions", function()
    local doc, shape = dynamic()
    local list = rows(shape.bitangents)
    assert.same({ 0.25, 0.5, -1 }, { list[1][1], list[2][1], list[3][1] })
    assert.same({ { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }, rows(shape.positions))
    shape.bitangents = { { 0, 1, 0 }, { 0.125, -1, 0 }, { 1, 0, 1 } }
    list = rows(shape.bitangents)
    assert.same({ 0, 0.125, 1 }, { list[1][1], list[2][1], list[3][1] })
    assert.same({ 1, -1 }, { list[1][2], list[2][2] })
    assert.equal(1, list[3][3])
    assert.equal(0.125, shape.dynamic_vertices[2].w)
    assert.same({ 4, 5, 6 }, rows(shape.positions)[2])
    assert.equal(doc:encode(), assert(lathe.parse(doc:encode())):encode())
    refused("is not in -1 .. 1", function() shape.bitangents = { { 0, 2, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } end)
  end)
end)

describe("doc:block", function()
  local function doc_of(names)
    local blocks = {}
    for i, name in ipairs(names) do
      blocks[i] = name and { type = "NiNode", name = name } or { type = "BSShaderTextureSet" }
    end
    return assert(lathe.new("nif", { bs_version = 100, blocks = blocks }))
  end

  it("finds the first block of a name, or nothing", function()
    local doc = doc_of { "a", false, "b", "", "b", "ab" }
    assert.equal(doc.blocks[1], doc:block "a")
    assert.equal(doc.blocks[3], doc:block("b"))
    assert.equal(doc.blocks[4], doc:block { name = "" })
    assert.equal(doc.blocks[6], doc:block "ab")
    for _, none in ipairs { "B", "abc", "bb", "a\0" } do
      assert.same({ n = 1 }, table.pack(doc:block(none)))
    end
    assert.is_nil(doc_of { false }:block "a")
    assert.is_false(doc:undo())
  end)

  it("follows edits", function()
    local doc = doc_of { "a", "b" }
    assert.equal(doc.blocks[2], doc:block "b")
    doc.blocks[1].name = "b"
    assert.equal(doc.blocks[1], doc:block "b")
    assert.is_nil(doc:block "a")
    doc.blocks:append { type = "NiNode", name = "c" }
    assert.equal(doc.blocks[3], doc:block "c")
    doc.blocks:remove(1)
    assert.equal(doc.blocks[1], doc:block "b")
  end)

  it("passes over what has no name: unnamed blocks, and those that do not parse", function()
    local doc = assert(lathe.new("nif", { bs_version = 100, blocks = {
      { type = "NiNobody", bytes = "a" }, { type = "NiNode", bytes = "\0" }, { type = "NiNode" },
      { type = "NiNode", name = "a" },
    } }))
    assert.equal(doc.blocks[4], doc:block "a")
  end)

  it("wants a name, and is told of by verbs", function()
    local doc = doc_of { "a" }
    refused("block needs 'name'", function() doc:block() end)
    refused("name", function() doc:block(7) end)
    local found
    for _, verb in ipairs(lathe.verbs(doc)) do
      if verb.name == "block" then found = verb end
    end
    assert.is_true(found.query and found.single)
    assert.same({ "name", "string", true, true },
      { found.params[1].name, found.params[1].kind, found.params[1].positional, found.params[1].needed })
    local stub = require("lathe.tree.verbs").stub(found, "nif", "nif")
    assert.matches("---@return lathe.Record?, lathe.Error?\n", stub, 1, true)
    local run = helper.lathe { "formats", "nif" }
    assert.matches("block", run.out, 1, true)
  end)

  it("takes no longer for each of many names", function()
    local names = {}
    for i = 1, 5000 do names[i] = "n" .. i end
    local doc = doc_of(names)
    for i = 1, 5000 do
      if lathe.index(doc:block(names[i])) ~= i - 1 then error(names[i]) end
    end
  end)
end)

describe("records that begin at one place", function()
  it("have paths of their own, also where one of them is empty", function()
    local file <close> = assert(io.open("spec/fuzz/corpus/nif/vertices_without_bytes", "rb"))
    local doc <close> = assert(lathe.parse(file:read "a", { format = "nif" }))
    local shape = doc.blocks[2]
    local at, size = lathe.span(shape.vertices[1])
    assert.same({ 0, lathe.span(shape.triangles[1]) }, { size, at, 6 })
    for name, view in pairs { vertices = shape.vertices[1], triangles = shape.triangles[1] } do
      local path = ("blocks[2].%s[1]"):format(name)
      assert.equal(path, lathe.path(view))
      assert.equal(view, doc:get(path))
    end
    assert.equal("blocks[2].triangles[1]", lathe.path((doc:at(at)))) -- it has the byte
  end)
end)
