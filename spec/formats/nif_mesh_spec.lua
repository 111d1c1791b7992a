-- What doc:meshes() gives of NIF files: the corpus against its figures, and small scenes.

local figures = require "wolfire_figures"
local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"
local sample = require "sample_nif"

local IDENTITY = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }

-- ---- the corpus -----------------------------------------------------------------------------------

-- Particles have no triangles; Starfield's meshes are in files of their own.
local SHAPES = sample.shapes

-- nifly reads no shapes of these two: one is damaged in another block, and of the other it is wrong.
local UNREAD = { ["fo4_Corrupt.nif"] = 1, ["fo4_AlarmClock_Obj_Collision.nif"] = 1 }
-- A shape behind the first block that nobody describes, without sizes in the header.
local BEHIND = { ["mw_TestNifFile_RotatingParticles_MW.nif"] = 1 }

local function exactly(wanted, buffer, row)
  if wanted then figures.exactly(wanted, { buffer:row(row) }) end
end

local function same_sum(wanted, positions)
  local sum, size = { 0, 0, 0 }, { 0, 0, 0 }
  for i = 1, positions.rows do
    for k, v in ipairs { positions:row(i) } do sum[k], size[k] = sum[k] + v, size[k] + math.abs(v) end
  end
  for k, v in ipairs(wanted) do
    assert(math.abs(sum[k] - v) <= 1e-8 * (1 + size[k]), ("sum %.9g instead of %.9g"):format(sum[k], v))
  end
end

local function near(wanted, buffer, row)
  if wanted then figures.near(wanted, { buffer:row(row) }, "normal") end
end

local function same_mesh(wanted, mesh)
  local n = mesh.positions.rows
  assert.equal(wanted.name, mesh.name or "")
  assert.same({ wanted.num_vertices, wanted.num_triangles }, { n, mesh.indices.rows })
  exactly(wanted.first_vertex, mesh.positions, 1)
  exactly(wanted.last_vertex, mesh.positions, n)
  same_sum(wanted.vertex_sum, mesh.positions)
  if wanted.num_triangles > 0 then
    assert.same(wanted.first_triangle, { mesh.indices:row(1) })
    assert.same(wanted.last_triangle, { mesh.indices:row(mesh.indices.rows) })
  end
  exactly(wanted.first_uv, mesh.uvs, 1)
  exactly(wanted.last_uv, mesh.uvs, n)
  near(wanted.first_normal, mesh.normals, 1)
  assert.equal("z", mesh.up)
  assert.equal("top", mesh.uv_origin)
end

local function wanted_shapes(path, name)
  local list = {}
  for _, shape in ipairs(assert(json.decode(helper.read(("%s/expected/%s.json"):format(path, name)), 1, nil)).shapes
    or {}) do
    if SHAPES[shape.type] then list[#list + 1] = shape end
  end
  table.sort(list, function(a, b) return a.index < b.index end)
  return list
end

-- ---- small scenes ---------------------------------------------------------------------------------

local function meshes(opts)
  local doc <close> = assert(lathe.parse((sample.build(opts))))
  local list = {}
  for mesh in doc:meshes() do list[#list + 1] = mesh end
  return list
end

local function node(children, more)
  local block = { type = "NiNode", name = "node", translation = { x = 0, y = 0, z = 0 }, rotation = IDENTITY,
    scale = 1, shader_property = -1, children = children }
  for key, value in pairs(more or {}) do block[key] = value end
  return block
end

local POSITIONS = { { x = 1, y = 2, z = 3 }, { x = -4, y = 5.5, z = 6 }, { x = 0, y = -8, z = 0.25 } }

local function packed(desc, more)
  local vertices = {}
  for i, position in ipairs(POSITIONS) do
    vertices[i] = { position = position, uv = { u = i / 4, v = 1 }, normal = { 0, 1, -1 },
      color = { 1, 0.2, 0, 1 } }
  end
  local block = node(nil, { type = "BSTriShape", name = "shape", skin = -1, shader_property = -1,
    alpha_property = -1, vertex_desc = desc, vertices = vertices, triangles = { { 0, 1, 2 }, { 2, 1, 0 } } })
  for key, value in pairs(more or {}) do block[key] = value end
  return block
end

-- Position, uv, normal, color.
local SSE, FO4 = 0x2B << 44 | 6 << 24 | 5 << 16 | 4 << 8 | 7, 0x2B << 44 | 4 << 24 | 3 << 16 | 2 << 8 | 5

local function flat(list)
  local numbers = {}
  for _, v in ipairs(list) do table.move({ v.x, v.y, v.z }, 1, 3, #numbers + 1, numbers) end
  return numbers
end

local function old(type, data, more)
  local shape = node(nil, { type = type, name = "old", data = 2, skin_instance = -1 })
  local block = { type = type .. "Data", num_vertices = #POSITIONS, vertices = POSITIONS }
  for key, value in pairs(data) do block[key] = value end
  local blocks = { node { 1 }, shape, block }
  for _, extra in ipairs(more or {}) do blocks[#blocks + 1] = extra end
  return blocks
end

describe("meshes of .nif", function()
  it("are what the figures say #corpus", function()
    local path = helper.need_corpus("nif", pending)
    local count = 0
    for _, name in ipairs(helper.list(path, "%.nif$")) do
      local wanted, list = wanted_shapes(path, name), {}
      local doc <close> = assert(lathe.open(path .. "/" .. name))
      for mesh in doc:meshes() do list[#list + 1] = mesh end
      assert.equal((UNREAD[name] or #wanted) - (BEHIND[name] or 0), #list, name)
      for i, mesh in ipairs(list) do
        local ok, err = pcall(same_mesh, wanted[i] or {}, mesh)
        if not ok and not UNREAD[name] then error(("%s, %d: %s"):format(name, i, err)) end
        count = count + 1
      end
    end
    assert(count > 200, count)
  end)

  for game, desc in pairs { sse = SSE, fo4 = FO4 } do
    it("have what packed vertices hold: " .. game, function()
      local mesh = meshes({ game = game, blocks = { node { 1 }, packed(desc) } })[1]
      assert.equal("shape", mesh.name)
      assert.is_nil(mesh.material)
      assert.same(flat(POSITIONS), mesh.positions:totable())
      assert.same({ 0.25, 1, 0.5, 1, 0.75, 1 }, mesh.uvs:totable())
      assert.same({ 0, 1, 2, 2, 1, 0 }, mesh.indices:totable())
      figures.near({ 1 / 255, 1, -1 }, { mesh.normals:row(3) }, "normal")
      figures.near({ 1, 0.2, 0, 1 }, { mesh.colors:row(1) }, "color")
    end)
  end

  it("have only what there is", function()
    local names = {}
    local mesh = meshes({ game = "fo4", blocks = { node { 1 }, packed(1 << 44 | 2) } })[1]
    for name in pairs(mesh) do names[#names + 1] = name end
    table.sort(names)
    assert.same({ "indices", "metres", "name", "path", "positions", "transform", "up", "uv_origin" }, names)
  end)

  it("lie where all nodes above put them", function()
    local turn = { 0, -1, 0, 1, 0, 0, 0, 0, 1 }     -- x to y
    local mesh = meshes({ game = "sse", blocks = {
      node({ 1 }, { translation = { x = 10, y = 20, z = 30 }, rotation = turn, scale = 2 }),
      node({ 2 }, { translation = { x = 1, y = 0, z = 0 }, scale = 3 }),
      packed(SSE, { translation = { x = 0, y = 5, z = 0 }, rotation = turn, scale = 0.5 }),
    } })[1]
    assert.same({ -3, 0, 0, 0, 0, -3, 0, 0, 0, 0, 3, 0, -20, 22, 30, 1 }, mesh.transform)
  end)

  it("hang below the first node that names them, and nodes in a ring do no harm", function()
    local list = meshes { game = "sse", blocks = {
      node({ 1, 2, 3, 0, -1, 99 }, { translation = { x = 1, y = 0, z = 0 } }),
      node({ 0, 3, 1 }, { translation = { x = 0, y = 1, z = 0 } }),
      node({ 3, 2 }, { translation = { x = 0, y = 0, z = 1 } }),
      packed(SSE),
      packed(SSE, { name = "alone" }),
    } }
    assert.equal(2, #list)
    assert.equal("alone", list[2].name)
    assert.equal(0, list[2].transform[13])
    assert.equal(1, list[1].transform[13])
  end)

  it("leave out triangles of vertices that are not there", function()
    local mesh = meshes({ game = "sse", blocks = { node { 1 },
      packed(SSE, { triangles = { { 0, 1, 3 }, { 0, 1, 2 }, { 65535, 0, 0 } } }) } })[1]
    assert.same({ 0, 1, 2 }, mesh.indices:totable())
  end)

  it("are none where counts have no data, or a block does not parse", function()
    assert.same({}, meshes { game = "fo4", blocks = { node { 1 },
      node(nil, { type = "BSTriShape", skin = -1, shader_property = -1, alpha_property = -1, vertex_desc = FO4,
        num_triangles = 10, num_vertices = 12, data_size = 0 }) } })
    local bytes, info = sample.build { game = "fo4", blocks = { node { 1 }, packed(FO4), packed(FO4) } }
    local at = info.blocks[2].at + info.blocks[2].size - 3 * 20 - 12 - 6
    assert.equal(3, (string.unpack("<I2", bytes, at + 1)))
    local doc <close> = assert(lathe.parse(sample.patch(bytes, at, "\xFF\xFF")))
    local count = 0
    for _ in doc:meshes() do count = count + 1 end
    assert.equal(1, count)
  end)

  it("of strips turn every other triangle, without those that have no area", function()
    local mesh = meshes({ game = "fo3", blocks = old("NiTriStrips", { num_strips = 2, strip_lengths = { 5, 3 },
      points = { 0, 1, 2, 2, 1, 2, 0, 1 } }) })[1]
    assert.same(flat(POSITIONS), mesh.positions:totable())
    assert.same({ 0, 1, 2, 2, 0, 1 }, mesh.indices:totable())
    assert.is_nil(mesh.normals)
  end)

  for _, game in ipairs { "oblivion", "fo3", "le" } do
    it("have what columns hold: " .. game, function()
      local mesh = meshes({ game = game, blocks = old("NiTriShape", { data_flags = 1,
        normals = { { x = 0, y = 0, z = 1 }, { x = 0, y = 1, z = 0 }, { x = 1, y = 0, z = 0 } },
        uvs = { { x = 0, y = 1 }, { x = 2, y = 3 }, { x = 4, y = 5 } },
        colors = { { r = 1, g = 0, b = 0, a = 1 }, { r = 0, g = 1, b = 0, a = 1 }, { r = 0, g = 0, b = 1, a = 0.5 } },
        num_triangles = 1, triangles = { { 2, 1, 0 } } }) })[1]
      assert.same({ 0, 0, 1, 0, 1, 0, 1, 0, 0 }, mesh.normals:totable())
      assert.same({ 0, 1, 2, 3, 4, 5 }, mesh.uvs:totable())
      assert.same({ 0, 0, 1, 0.5 }, { mesh.colors:row(3) })
      assert.same({ 2, 1, 0 }, mesh.indices:totable())
    end)
  end

  it("are none in a file of a version that no game has", function()
    local bytes, info = sample.build { game = "sse", blocks = { node { 1 }, packed(SSE) } }
    local doc <close> = assert(lathe.parse(sample.patch(bytes, info.at.version, "\7\0\2\xE9")))
    assert.equal(0xE9020007, doc.version)
    assert.is_nil(doc:meshes()())
  end)

  it("are found anew when the document changes", function()
    local doc <close> = assert(lathe.parse((sample.build { game = "sse", blocks = { node { 1 }, packed(SSE) } })))
    assert.equal(0, doc:meshes()().transform[13])
    doc.blocks[1].translation.x = 7
    doc.blocks[2].vertices[1].position.x = 9
    local mesh = doc:meshes()()
    assert.equal(7, mesh.transform[13])
    assert.equal(9, (mesh.positions:row(1)))
  end)
end)
