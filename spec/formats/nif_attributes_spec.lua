-- Attributes that come and go with shape.colors = … and shape.colors = nil, wherever a game keeps them.

local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_nif"
local vertices_of = require "sample_nif_vertices"

local refused = outcome.raises

local FIELDS = { "normals", "tangents", "uvs", "colors" }
local BITS = { normals = 0x08, tangents = 0x10, uvs = 0x02, colors = 0x20 }
local COLUMNS = { normals = 3, tangents = 3, bitangents = 3, uvs = 2, colors = 4 }
local STORED = { "position", "bitangent_x", "uv", "uv2", "normal", "bitangent_y", "tangent", "bitangent_z", "color",
  "weights", "bones", "land", "eye" }
local GONE = { uvs = { uv = true }, colors = { color = true },
  normals = { normal = true, bitangent_y = true, tangent = true, bitangent_z = true },
  tangents = { tangent = true, bitangent_z = true } }
local POSITIONS = { { x = 1, y = 0, z = 0 }, { x = 0, y = 2, z = 0 }, { x = 0, y = 0, z = 3 } }
local BOUNDS = { center = { x = 0, y = 0, z = 0 }, radius = 9 }

local SHAPES = sample.shapes
local COUNTS = { sse = 1408, fo4 = 1408 }

local function parse(game, ...)
  return assert(lathe.parse((sample.build { game = game, blocks = { ... } }), { history = 9 }))
end

-- Rows of numbers that all kinds of vertices can hold, nearly.
local function rows_of(field, n)
  local list = {}
  for i = 1, n do
    local row = { 1, i % 2, 1, 0 }
    list[i] = table.move(row, 1, COLUMNS[field], 1, {})
  end
  return list
end

local function assert_rows(wanted, buffer)
  assert.equal(#wanted, buffer.rows)
  for i = 1, #wanted, 1 + #wanted // 50 do
    local row = wanted[i]
    for k, v in ipairs { buffer:row(i) } do assert(math.abs(v - row[k]) < 0.005) end
  end
end

-- What a vertex holds, each as stored.
local function bytes_of(vertex)
  local all = {}
  for _, name in ipairs(STORED) do
    if vertex[name] ~= nil then all[name] = lathe.bytes(vertex, name) end
  end
  return all
end

describe("attributes of packed vertices", function()
  local function check(doc, b, field, wanted)
    local shape, before = doc.blocks[b], doc:encode()
    local had, held = bytes_of(shape.vertices[2]), shape[field] ~= nil
    local sphere = lathe.bytes(shape.bounds)
    local rows = rows_of(field, 3)
    if held then shape[field] = nil else shape[field] = rows end
    assert.equal(wanted.desc, shape.vertex_desc)
    assert.equal(3 * wanted.stride + 6, shape.data_size)
    assert.equal(sphere, lathe.bytes(shape.bounds))
    if held then assert.is_nil(shape[field]) else assert_rows(rows, shape[field]) end
    local now = bytes_of(assert(lathe.parse(doc:encode())).blocks[b].vertices[2])
    for name, bytes in pairs(had) do
      if held and GONE[field][name] then
        assert.is_nil(now[name])
      else
        assert.equal(bytes, now[name], name)
      end
    end
    assert.is_true(doc:undo(1))
    assert.is_true(before == doc:encode())
  end

  for _, game in ipairs { "sse", "fo4" } do
    it("come and go in every descriptor, in one step: " .. game, function()
      local plans, blocks, by_flags, done = vertices_of.of_game(game), {}, {}, 0
      for i, one in ipairs(plans) do
        by_flags[one.flags] = one
        local list = {}
        for k, p in ipairs(POSITIONS) do list[k] = { position = p, bitangent_x = k } end
        blocks[i] = { type = "BSTriShape", name = "s", skin = -1, bounds = BOUNDS, vertex_desc = one.desc,
          vertices = list, triangles = { { 0, 1, 2 } } }
      end
      for first = 1, #plans, 32 do                  -- a file with few blocks is encoded quickly
        local doc <close> = parse(game, table.unpack(blocks, first, math.min(first + 31, #plans)))
        for b = 1, #doc.blocks do
          local flags = plans[first + b - 1].flags
          for _, field in ipairs(FIELDS) do
            local other = flags ~ BITS[field]
            if field == "normals" and other & 0x08 == 0 then other = other & ~0x10 end
            if other & 0x18 ~= 0x10 then
              check(doc, b, field, assert(by_flags[other]))
              done = done + 1
            end
          end
        end
      end
      assert.equal(COUNTS[game], done)
    end)
  end

  it("are refused where they cannot be", function()
    local function shape(desc, more)
      local block = { type = "BSTriShape", name = "s", skin = -1, bounds = BOUNDS, vertex_desc = desc,
        vertices = { { position = POSITIONS[1] } }, triangles = {} }
      for key, value in pairs(more or {}) do block[key] = value end
      return block
    end
    local doc = parse("sse", shape(1 << 44 | 4),
      shape(1 << 44 | 4, { num_vertices = 0, vertices = {}, data_size = 0, num_triangles = 0 }))
    local one, none, before = doc.blocks[1], doc.blocks[2], doc:encode()
    refused("blocks[1].tangents at 0x", function() one.tangents = { { 1, 0, 0 } } end)
    refused("tangents need normals: set those first", function() one.tangents = { { 1, 0, 0 } } end)
    refused("they come with tangents: set those first", function() one.bitangents = { { 1, 0, 0 } } end)
    refused("1 rows expected, got 2", function() one.colors = { { 1, 0, 0, 1 }, { 1, 0, 0, 1 } } end)
    refused("row 1: 7 is not in 0 .. 1", function() one.colors = { { 7, 0, 0, 1 } } end)
    refused("absent here: the shape has no vertices, set positions first", function() none.colors = {} end)
    refused("no vertex is without a position: set it to {} to take all out", function() one.positions = nil end)
    one.colors, none.colors, one.bitangents = nil, nil, nil
    assert.is_true(before == doc:encode())
    assert.is_false(doc.modified)
    doc:edit(function()
      one.normals = { { 1, 0, 0 } }
      one.tangents = { { 0, 1, 0 } }
    end)
    refused("they go with tangents: set those to nil", function() one.bitangents = nil end)
    one.bitangents = { { 0, 0, 1 } }
    assert.equal(1, one.bitangents[3])
    doc:undo(2)
    assert.is_true(before == doc:encode())
  end)
end)

describe("attributes of vertices in columns", function()
  local function shape(more)
    local data = { type = "NiTriShapeData", num_vertices = 3, vertices = POSITIONS, has_vertices = 1, bounds = BOUNDS,
      num_triangles = 1, has_triangles = 1, triangles = { { 0, 1, 2 } }, data_flags = 0 }
    for key, value in pairs(more or {}) do data[key] = value end
    return { type = "NiTriShape", name = "shape", data = 1, skin_instance = -1 }, data
  end

  for _, game in ipairs { "le", "fo3", "oblivion", "morrowind" } do
    it("come and go: " .. game, function()
      local made, doc = pcall(parse, game, shape())
      if not made then error(doc) end
      local one, before = doc.blocks[1], doc:encode()
      for _, field in ipairs { "colors", "uvs", "normals" } do
        assert.is_nil(one[field])
        one[field] = rows_of(field, 3)
        assert_rows(rows_of(field, 3), assert(lathe.parse(doc:encode())).blocks[1][field])
      end
      if game == "morrowind" then
        refused("this version has no tangents", function() one.tangents = rows_of("tangents", 3) end)
      else
        one.tangents = rows_of("tangents", 3)
        assert.equal(0x1001, lathe.raw(one.data, "data_flags"))
        one.bitangents = rows_of("bitangents", 3)
        assert_rows(rows_of("bitangents", 3), assert(lathe.parse(doc:encode())).blocks[1].bitangents)
      end
      one.normals = nil
      assert.is_nil(one.tangents)
      one.uvs, one.colors = nil, nil
      assert.is_true(before == doc:encode())
    end)
  end
end)

-- Each shape of the corpus that has vertices.
local function each_shape(call)
  local path = helper.need_corpus("nif", pending)
  for _, name in ipairs(helper.list(path, "%.nif$")) do
    local doc <close> = assert(lathe.open(path .. "/" .. name, { history = 9 }))
    local before = doc:encode()
    for i = 1, #doc.blocks do
      local shape = doc.blocks[i]
      if SHAPES[shape.type] and shape.positions then call(doc, shape, before, name) end
    end
  end
end

-- A skin's descriptor, size and parts agree with each other and with the shape.
local function check_skin(shape)
  local skin = shape.type:find "^BS" and shape.type ~= "BSLODTriShape" and shape.skin
  local partition = skin and skin.type ~= "BSSkin::Instance" and skin.skin_partition
  if not partition then return 0 end
  assert.equal((shape.vertex_desc & 15) * 4, partition.vertex_size)
  assert.same({ shape.vertex_desc, #partition.vertices * partition.vertex_size },
              { partition.vertex_desc, partition.data_size })
  for i = 1, #partition.partitions do
    assert.equal(shape.vertex_desc, partition.partitions[i].part_vertex_desc)
  end
  return 1
end

describe("a shape without vertices", function()
  local CORNERS <const> = { { 0, 0, 0 }, { 3, 0, 0 }, { 0, 4, 0 } }
  local function fill(shape)
    shape.positions = CORNERS
    shape.uvs = { { 0, 0 }, { 1, 0 }, { 0, 1 } }
    shape.normals = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 } }
    shape.colors = { { 1, 1, 1, 1 }, { 1, 0, 0, 1 }, { 0, 0, 0, 1 } }
    shape.triangles = { { 0, 1, 2 } }
  end
  local function new(bs, blocks)
    return assert(lathe.new("nif", { version = 0x14020007, user_version = 12, bs_version = bs, blocks = blocks },
      { history = 20 }))
  end
  local function holds(doc, shape)
    local again <close> = assert(lathe.parse(doc:encode()))
    assert.is_true(again:check())
    local mesh = again:meshes()()
    assert.same({ 0, 0, 0, 3, 0, 0, 0, 4, 0 }, mesh.positions:totable())
    assert.same({ 0, 1, 2 }, mesh.indices:totable())
    assert.same({ 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 1 }, mesh.colors:totable())
    assert.equal(2.5, (lathe.type(shape) == "NiTriShape" and shape.data or shape).bounds.radius)
  end

  for bs, size in pairs { [100] = 3 * 28 + 6, [130] = 3 * 20 + 6 } do
    it("gets them with positions, and its sizes follow: " .. bs, function()
      local doc = new(bs, { { type = "BSTriShape", name = "s" } })
      local before, shape = doc:encode(), doc.blocks[1]
      fill(shape)
      assert.equal(size, shape.data_size)
      assert.equal(0x2B, shape.vertex_desc >> 44)
      holds(doc, shape)
      repeat until not doc:undo(1)
      assert.equal(before, doc:encode())
    end)
  end

  it("gets them in its data, where it has such", function()
    local doc = new(83, { { type = "NiTriShape", name = "s", data = -1 }, { type = "NiTriShapeData" } })
    local shape = doc.blocks[1]
    local ok, why = pcall(function() shape.positions = CORNERS end)
    assert.is_false(ok)
    assert.matches("the shape has no data: append a NiTriShapeData and set data to it", why, 1, true)
    shape.data = doc.blocks[2]
    fill(shape)
    holds(doc, shape)
    ok, why = pcall(function() shape.positions = nil end)
    assert.is_false(ok)
    assert.matches("no vertex is without a position: set it to {} to take all out", why, 1, true)
  end)
end)

describe("attributes of shapes in files", function()
  it("go and come back as they were #corpus", function()
    local n = 0
    each_shape(function(doc, shape, before, name)
      local colors = shape.colors
      if not colors then return end
      shape.colors = nil
      assert.is_nil(shape.colors)
      assert(lathe.parse(doc:encode()))
      shape.colors = colors
      assert.is_true(before == doc:encode(), name)
      n = n + 1
    end)
    assert.equal(55, n)
  end)

  it("come and go as if they had not been #corpus", function()
    local n, skins = 0, 0
    each_shape(function(doc, shape, before, name)
      if shape.colors then return end
      local positions = shape.positions
      shape.colors = rows_of("colors", positions.rows)
      local again <close> = assert(lathe.parse(doc:encode()))
      local other = again:get(lathe.path(shape))
      assert_rows(rows_of("colors", positions.rows), other.colors)
      assert.is_true(positions:pack() == other.positions:pack(), name)
      skins = skins + check_skin(other)
      shape.colors = nil
      assert.is_true(before == doc:encode(), name)
      n = n + 1
    end)
    assert.same({ 198, 15 }, { n, skins })
  end)
end)

describe("shapes made of tables", function()
  local SQUARE = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } }
  local FACES = { { 0, 1, 2 }, { 1, 3, 2 } }
  local UP = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 } }

  local function each_game(call)
    for _, game in ipairs { "sse", "fo4" } do call(parse(game, { type = "NiNode" })) end
  end

  it("hold geometry as it is assigned", function()
    each_game(function(doc)
      local given = doc.blocks:append { type = "BSTriShape", triangles = FACES, positions = SQUARE, normals = UP }
      assert.same({ 4, 2 }, { given.num_vertices, given.num_triangles })
      assert_rows(SQUARE, given.positions)
      assert_rows(UP, given.normals)
      assert.same({ 1, 3, 2 }, { given.triangles[2].a, given.triangles[2].b, given.triangles[2].c })
      local later = doc.blocks:append { type = "BSTriShape" }
      later.positions = SQUARE
      later.normals, later.triangles = UP, FACES
      assert.is_true(lathe.bytes(given) == lathe.bytes(later))
      local copy = doc.blocks:append { type = "BSTriShape", positions = given.positions, normals = given.normals,
        triangles = given.triangles }
      assert.is_true(lathe.bytes(given) == lathe.bytes(copy))
      assert(lathe.parse(doc:encode()))
    end)
  end)

  it("are refused as a whole, by what is wrong", function()
    each_game(function(doc)
      local before = doc:encode()
      local function bad(message, fields)
        fields.type = "BSTriShape"
        refused(message, function() doc.blocks:append(fields) end)
        assert.is_true(before == doc:encode())
      end
      bad("positions: row 2: 3 numbers expected", { positions = { { 0, 0, 0 }, { 0, 0 } } })
      bad("positions: row 1: 3 numbers expected", { positions = { { 0, 0, "a" } } })
      bad("positions: row 1: 3 numbers expected", { positions = { 1, 2, 3 } })
      bad("positions: rows of numbers expected", { positions = 5 })
      bad("there is no vertex 4 (from 0) of 4", { positions = SQUARE, triangles = { { 0, 1, 4 } } })
      bad("4 rows expected, got 1: the number of vertices follows positions",
        { positions = SQUARE, normals = { { 0, 0, 1 } } })
      bad("triangles: absent here: set positions first", { triangles = FACES })
      bad("normals: absent here: the shape has no vertices, set positions first", { normals = UP })
    end)
  end)

  it("tell what triangles lack", function()
    each_game(function(doc)
      local shape = doc.blocks:append { type = "BSTriShape" }
      refused("triangles: absent here: set positions first", function() shape.triangles = FACES end)
    end)
  end)
end)
