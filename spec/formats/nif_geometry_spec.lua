-- Geometry of shapes written: shape.positions and the like, and the spheres that follow.

local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_nif"
local vertices_of = require "sample_nif_vertices"

local TABLES = { "positions", "normals", "tangents", "bitangents", "uvs", "colors" }
local SHAPES = sample.shapes

-- Calls with each shape of a document that has vertices.
local function each_shape(doc, call)
  local n = 0
  for i = 1, #doc.blocks do
    local block = doc.blocks[i]
    if SHAPES[block.type] and block.positions then
      call(block)
      n = n + 1
    end
  end
  return n
end

local function is_packed(shape)
  return lathe.type(shape) ~= "BSLODTriShape" and shape.type:find "^BS" ~= nil
end

local function bounds_of(shape)
  return (is_packed(shape) and shape or shape.data).bounds
end

-- How far the farthest vertex is out of the sphere.
local function outside(shape)
  local bounds, positions, most = bounds_of(shape), shape.positions, -math.huge
  local c = bounds.center
  for i = 1, positions.rows do
    local x, y, z = positions:row(i)
    local d = math.sqrt((x - c.x) ^ 2 + (y - c.y) ^ 2 + (z - c.z) ^ 2)
    most = math.max(most, d - bounds.radius)
  end
  return most
end

local function scaled(buffer, factor)
  local copy = lathe.buffer(buffer.type, buffer.rows, buffer.columns)
  for i = 1, buffer.rows * buffer.columns do copy[i] = buffer[i] * factor end
  return copy
end

-- Offsets (from 0) of the bytes that differ.
local function differences(a, b)
  assert.equal(#a, #b)
  local list = {}
  if a == b then return list end
  for at = 1, #a, 4096 do
    if a:sub(at, at + 4095) ~= b:sub(at, at + 4095) then
      for i = at, math.min(at + 4095, #a) do
        if a:byte(i) ~= b:byte(i) then list[#list + 1] = i - 1 end
      end
    end
  end
  return list
end

local function inside(offset, spans)
  for _, span in ipairs(spans) do
    if offset >= span[1] and offset < span[1] + span[2] then return true end
  end
  return false
end

describe("the geometry of NIF files", function()
  local function each_file(call)
    local path = helper.need_corpus("nif", pending)
    for _, name in ipairs(helper.list(path, "%.nif$")) do
      local doc = assert(lathe.open(path .. "/" .. name, { history = 4 }))
      call(doc, name)
      doc:close()
    end
  end

  it("stays as it is when it is set to what it is #corpus", function()
    local n = 0
    each_file(function(doc, name)
      local before = doc:encode()
      n = n + each_shape(doc, function(shape)
        for _, field in ipairs(TABLES) do
          local now = shape[field]
          if now then shape[field] = now end
        end
        if shape.type == "NiTriShape" or shape.type == "BSLODTriShape" then shape.triangles = shape.triangles end
      end)
      assert(doc:encode() == before and not doc.modified, name)
    end)
    assert.equal(253, n)
  end)

  it("is the same after twice and half, and spheres hold all vertices #corpus", function()
    each_file(function(doc, name)
      local before = doc:encode()
      each_shape(doc, function(shape)
        local positions, bounds = shape.positions, bounds_of(shape)
        local had = bounds.radius
        shape.positions = scaled(positions, 2)
        assert(outside(shape) <= 1e-6 * bounds.radius, name)
        assert(bounds.radius <= 1e-6 or positions.rows == 0 or bounds.radius ~= had, name)
        shape.positions = scaled(shape.positions, 0.5)
        assert(outside(shape) <= 1e-6 * bounds.radius, name)
        assert(shape.positions:pack() == positions:pack(), name)
        doc:undo(2)
      end)
      assert(doc:encode() == before, name)
    end)
  end)

  it("changes only a vertex's bytes and the sphere where one position is set #corpus", function()
    local n = 0
    each_file(function(doc, name)
      each_shape(doc, function(shape)
        local packed = is_packed(shape)
        local vertices = (packed and shape or shape.data).vertices
        if not vertices or #vertices == 0 or shape.type == "BSDynamicTriShape" then return end
        local bounds, vertex = bounds_of(shape), vertices[1 + #vertices // 2]
        local none = lathe.bytes(bounds):find "^\0+$"
        local position = packed and vertex.position or vertex
        local before, spans = doc:encode(), { { lathe.span(position) }, { lathe.span(bounds) } }
        if packed and shape.bound_minmax then spans[3] = { lathe.span(shape, "bound_minmax") } end
        position.z = position.z + 100
        assert(none or outside(shape) <= 1e-6 * bounds.radius, name)
        assert(not none or lathe.bytes(bounds):find "^\0+$", name)
        local changed = differences(before, doc:encode())
        assert(#changed > 0, name)
        for _, offset in ipairs(changed) do assert(inside(offset, spans), name) end
        n = n + 1
        doc:undo(1)
        assert(doc:encode() == before, name)
      end)
    end)
    assert.equal(235, n)
  end)
end)

-- ---- small scenes ---------------------------------------------------------------------------------

local POSITIONS = { { x = 1, y = 0, z = 0 }, { x = 0, y = 2, z = 0 }, { x = 0, y = 0, z = 3 } }
local TRIANGLES = { { 0, 1, 2 } }
local BOUNDS = { center = { x = 0, y = 0, z = 0 }, radius = 9 }

local function packed(more)
  local list = {}
  for i, p in ipairs(POSITIONS) do list[i] = { position = p, uv = { u = 0.5, v = 0.25 } } end
  local shape = { type = "BSTriShape", name = "shape", skin = -1, bounds = BOUNDS, num_vertices = 3,
    num_triangles = 1, vertex_desc = 3 << 44 | 5, vertices = list, triangles = TRIANGLES }
  for key, value in pairs(more or {}) do shape[key] = value end
  return shape
end

local function old(more)
  local data = { type = "NiTriShapeData", num_vertices = 3, vertices = POSITIONS, has_vertices = 1, bounds = BOUNDS,
    num_triangles = 1, has_triangles = 1, triangles = TRIANGLES, data_flags = 1,
    uvs = { { x = 0, y = 0 }, { x = 1, y = 0 }, { x = 0, y = 1 } } }
  for key, value in pairs(more or {}) do data[key] = value end
  return { type = "NiTriShape", name = "shape", data = 1, skin_instance = -1 }, data
end

local function parse(game, ...)
  return assert(lathe.parse((sample.build { game = game, blocks = { ... } }), { history = 9 }))
end

local function sphere(shape)
  local bounds = bounds_of(shape)
  return { bounds.center.x, bounds.center.y, bounds.center.z, bounds.radius }
end

local function refused(message, call, ...)
  local ok, err = pcall(call, ...)
  assert.is_false(ok)
  assert(tostring(err):find(message, 1, true), tostring(err))
end

describe("tables of numbers of a NIF shape", function()
  for name, make in pairs {
    packed = function() return parse("sse", packed()) end,
    old = function() return parse("le", old()) end,
  } do
    it("grow and shrink, and are refused with what is wrong: " .. name, function()
      local doc = make()
      local shape, before = doc.blocks[1], doc:encode()
      shape.positions = { { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 3 }, { -3, 0, 0 } }
      local counted = (is_packed(shape) and shape or shape.data).num_vertices
      assert.same({ 4, 4, 4 }, { shape.positions.rows, shape.uvs.rows, counted })
      assert.same({ -1, 1, 1.5 }, { table.unpack(sphere(shape), 1, 3) })
      assert(outside(shape) <= 0)
      assert.equal(4, assert(lathe.parse(doc:encode())).blocks[1].positions.rows)
      refused("2 rows, but a triangle names vertex 2 (from 0)",
              function() shape.positions = { { 1, 0, 0 }, { 0, 2, 0 } } end)
      refused("70000 vertices are more than 65535",
              function() shape.positions = lathe.buffer("f32", 70000, 3) end)
      refused("4 rows expected, got 5: the number of vertices follows positions",
              function() shape.uvs = lathe.buffer("f32", 5, 2) end)
      refused("they come with tangents: set those first",
              function() shape.bitangents = lathe.buffer("f32", 4, 3) end)
      refused("3 columns expected, got 2", function() shape.positions = lathe.buffer("f32", 4, 2) end)
      refused("row 2: 3 numbers expected", function() shape.positions = { { 1, 2, 3 }, { 1, 2 } } end)
      assert.is_nil(shape.normals)
      shape.positions = { { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 3 } }
      doc:undo(2)
      assert.is_true(before == doc:encode())
    end)
  end

  it("take triangles of vertices that are there", function()
    local doc = parse("le", old())
    local shape = doc.blocks[1]
    assert.same({ { 0, 1, 2 } }, { { shape.triangles:row(1) } })
    shape.triangles = lathe.buffer("f64", 2, 3, { 0, 1, 2, 2, 1, 0 })
    assert.same({ 2, 6 }, { shape.data.num_triangles, shape.data.num_triangle_points })
    refused("row 2: there is no vertex 3 (from 0) of 3",
            function() shape.triangles = { { 0, 1, 2 }, { 0, 1, 3 } } end)
    refused("row 1: 0.5 is no such number", function() shape.triangles = { { 0, 0.5, 1 } } end)
    refused("row 1: -1 is no such number", function() shape.triangles = { { 0, -1, 1 } } end)
    refused("70000 triangles are more than 65535",
            function() shape.triangles = lathe.buffer("u16", 70000, 3) end)
    shape.triangles = {}
    assert.equal(0, shape.data.num_triangles)
    doc:undo(2)
    assert.equal(1, shape.triangles.rows)
  end)

  it("let a sphere be that the same edit sets, or that is none", function()
    local doc = parse("sse", packed(), packed { bounds = { center = { x = 0, y = 0, z = 0 }, radius = 0 } })
    local shape, none = doc.blocks[1], doc.blocks[2]
    shape.name = "other"
    shape.uvs = { { 0, 0 }, { 1, 0 }, { 0, 1 } }
    assert.same({ 0, 0, 0, 9 }, sphere(shape))
    doc:edit(function()
      shape.vertices[1].position = { x = 5 }
      shape.bounds.radius = 50
    end)
    assert.same({ 0, 0, 0, 50 }, sphere(shape))
    shape.vertices[1].position.x = 6
    assert.same({ 3, 1, 1.5 }, { table.unpack(sphere(shape), 1, 3) })
    none.vertices[1].position.x = 6
    assert.same({ 0, 0, 0, 0 }, sphere(none))
    none.positions = none.positions
    assert.same({ 0, 0, 0, 0 }, sphere(none))
    none.positions = { { 4, 0, 0 }, { 0, 0, 0 }, { 2, 0, 0 } }
    assert.same({ 2, 0, 0, 2 }, sphere(none))
  end)

  it("are not listed or copied, and described as what they are", function()
    local shape = parse("sse", packed()).blocks[1]
    assert.is_nil(shape:totable().positions)
    for key in pairs(shape) do assert.not_equal("positions", key) end
    for _, row in ipairs(lathe.describe "BSTriShape") do
      if row.name == "positions" then
        assert.same({ true, true, true }, { row.array, row.computed, row.inside })
        assert.is_nil(row.readonly)
      end
    end
    local doc = parse("sse", packed())
    assert.equal("buffer", lathe.type(doc:get "blocks[1].positions"))
    assert(doc:set("blocks[1].positions", { { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 4 } }))
    local path = helper.tmpdir() .. "/x.nif"
    assert(doc:save(path))
    assert.equal("1  0  0\n0  2  0\n0  0  4\n", helper.lathe("get " .. path .. " 'blocks[1].positions'").out)
    assert.truthy(helper.lathe("get --json " .. path .. " 'blocks[1].positions'").out
      :find("[[1,0,0],[0,2,0],[0,0,4]]", 1, true))
    assert.equal(0, helper.lathe("dump --all " .. path).code)
    refused("no vertex is without a position", function() shape.positions = nil end)
    refused("a buffer or a list of rows of 3 numbers expected", function() shape.positions = shape.vertices end)
  end)
end)

-- ---- every vertex descriptor ----------------------------------------------------------------------

local ATTRIBUTES = { "position", "bitangent_x", "uv", "uv2", "normal", "bitangent_y", "tangent", "bitangent_z",
  "color", "weights", "bones", "eye" }

-- Values that bytes and halves hold exactly, others for each number.
local function value_of(name, seed)
  local byte = seed % 256
  local signed, part, half = byte / 255 * 2 - 1, byte / 255, seed % 2000 / 8
  local kinds = {
    position = { half, -half, half + 1 }, bitangent_x = half, uv = { half, 0.5 }, uv2 = { -half, 0.25 },
    normal = { signed, -signed, 1 }, bitangent_y = signed, tangent = { 1, signed, -1 }, bitangent_z = -signed,
    color = { part, 0, 1, part }, weights = { 0.5, half / 256, 0, 0 }, bones = { byte, 0, 1, 255 }, eye = seed,
  }
  return kinds[name]
end

-- An attribute as stored, in text; nil where there is none.
local function stored(vertex, name)
  return vertex[name] ~= nil and lathe.bytes(vertex, name) or nil
end

local function all_descriptors(game)
  local blocks = {}
  for i, one in ipairs(vertices_of.of_game(game)) do
    local list = {}
    for k, p in ipairs(POSITIONS) do list[k] = { position = p } end
    blocks[i] = { type = "BSTriShape", name = "s", skin = -1, bounds = BOUNDS, vertex_desc = one.desc,
      vertices = list, triangles = TRIANGLES }
  end
  return parse(game, table.unpack(blocks)), vertices_of.of_game(game)
end

local function set_all(doc, seed)
  doc:edit(function()
    for b = 1, #doc.blocks do
      local list = doc.blocks[b].vertices
      for i = 1, #list do
        local vertex = list[i]
        for k, name in ipairs(ATTRIBUTES) do
          if vertex[name] ~= nil then vertex[name] = value_of(name, seed + 31 * b + 7 * i + k) end
        end
      end
    end
  end)
end

describe("every vertex descriptor of NIF", function()
  for _, game in ipairs { "sse", "fo4" } do
    it("holds what is set, and opens as that again: " .. game, function()
      local doc, plans = all_descriptors(game)
      set_all(doc, 5)
      local again = assert(lathe.parse(doc:encode()))
      for b, plan in ipairs(plans) do
        local shape, list = doc.blocks[b], again.blocks[b].vertices
        assert.equal(lathe.bytes(shape), lathe.bytes(again.blocks[b]))
        local vertex, has = list[2], plan.flags
        for k, name in ipairs(ATTRIBUTES) do
          local wanted, now = value_of(name, 5 + 31 * b + 14 + k), vertex[name]
          if type(now) == "number" then
            assert(math.abs(wanted - now) <= 1e-6, name)
          elseif now ~= nil then
            for lane, v in ipairs(wanted) do assert(math.abs(v - now[lane]) <= 1e-6, name) end
          end
        end
        assert.equal(has & 2 ~= 0, vertex.uv ~= nil)
        assert.equal(has & 32 ~= 0, vertex.color ~= nil)
        assert.equal(has & 64 ~= 0, vertex.weights ~= nil)
        assert(outside(again.blocks[b]) <= 0)
      end
    end)

    it("changes only a position and the sphere where one is set: " .. game, function()
      local doc, plans = all_descriptors(game)
      set_all(doc, 90)
      for b in ipairs(plans) do
        local shape = doc.blocks[b]
        local start, before, spans = lathe.span(shape), lathe.bytes(shape), {}
        for k, view in ipairs { shape.vertices[2].position, shape.bounds } do
          local off, size = lathe.span(view)
          spans[k] = { off - start, size }
        end
        shape.vertices[2].position.y = 1000
        local changed = differences(before, lathe.bytes(shape))
        assert(#changed > 0)
        for _, offset in ipairs(changed) do assert(inside(offset, spans)) end
      end
    end)

    it("can become any other one, with what both have: " .. game, function()
      local doc, plans = all_descriptors(game)
      set_all(doc, 33)
      local before, fields = doc:encode(), {}
      for b in ipairs(plans) do
        local vertex = doc.blocks[b].vertices[3]
        fields[b] = {}
        for _, name in ipairs(ATTRIBUTES) do fields[b][name] = stored(vertex, name) end
      end
      local untouched = lathe.bytes(doc.blocks[1].bounds)
      doc:edit(function()
        for b in ipairs(plans) do doc.blocks[b].vertex_desc = plans[(b * 37 + 11) % #plans + 1].desc end
      end)
      local again = assert(lathe.parse(doc:encode()))
      assert.equal(untouched, lathe.bytes(again.blocks[1].bounds))
      for b in ipairs(plans) do
        local to, shape = plans[(b * 37 + 11) % #plans + 1], again.blocks[b]
        assert.equal(to.desc, shape.vertex_desc)
        assert.equal(3 * to.stride + 6, shape.data_size)
        local vertex = shape.vertices[3]
        for _, name in ipairs(ATTRIBUTES) do
          local was, now = fields[b][name], stored(vertex, name)
          if was and now and #was == #now then assert.equal(was, now, name) end
        end
        assert(vertex.color == nil or fields[b].color or lathe.bytes(vertex, "color") == "\255\255\255\255")
      end
      assert.is_true(doc:undo(1))
      assert.is_true(before == doc:encode())
    end)
  end

  it("is refused where it does not fill a vertex", function()
    local doc = parse("fo4", packed())
    refused("0x0000000000000005: what it names does not fill a vertex of 20 bytes",
            function() doc.blocks[1].vertex_desc = 5 end)
    refused("does not fill a vertex of 0 bytes", function() doc.blocks[1].vertex_desc = 0 end)
  end)

  it("tells views of vertices that were rebuilt that they are gone, and takes halves back to floats", function()
    local doc = parse("fo4", packed { vertex_desc = 3 << 44 | 2 << 8 | 3 })
    local shape = doc.blocks[1]
    local view = shape.vertices[2]
    shape.vertex_desc = 0x403 << 44 | 5
    refused("removed", function() return view.position end)
    shape.vertices[2].position = { 100000, 0.1, 0 }
    refused("100000 does not fit into f16", function() shape.vertex_desc = 3 << 44 | 3 end)
    assert.equal(0x403 << 44 | 5, shape.vertex_desc)
    shape.vertices[2].position.x = 1
    shape.vertex_desc = 3 << 44 | 3
    assert.equal(1, shape.vertices[2].position.x)
    assert.equal(0.5, shape.vertices[2].uv.u)
  end)

  it("has a sibling: the body of a lighting shader follows its type", function()
    local doc = parse("sse", { type = "BSLightingShaderProperty", shader_type = 0, body = { glossiness = 7 } })
    local shader, before = doc.blocks[1], doc:encode()
    assert.is_nil(shader.body.env_map_scale)
    shader.shader_type = 1
    assert.equal(7, shader.body.glossiness)
    shader.body.env_map_scale = 0.5
    shader.shader_type = 5
    assert.is_nil(shader.body.env_map_scale)
    assert.truthy(shader.body.skin_tint)
    assert.equal(7, assert(lathe.parse(doc:encode())).blocks[1].body.glossiness)
    doc:undo(3)
    assert.is_true(before == doc:encode())
  end)
end)

-- ---- worked out anew ------------------------------------------------------------------------------

-- The mean of the products of vectors before and after.
local function likeness(before, after)
  local sum = 0
  for i = 1, before.rows do
    local x, y, z = before:row(i)
    local a, b, c = after:row(i)
    sum = sum + x * a + y * b + z * c
  end
  return sum / before.rows
end

describe("recompute of NIF", function()
  -- A square in the plane of x and y; u grows with y, v with -x.
  local function square(desc, more)
    local list = {}
    for i, p in ipairs { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } } do
      list[i] = { position = { x = p[1], y = p[2], z = 0 }, uv = { u = p[2], v = -p[1] }, normal = { 1, 0, 0 } }
    end
    return packed { vertex_desc = desc, num_vertices = 4, vertices = list, num_triangles = 2,
      triangles = { { 0, 1, 2 }, { 0, 2, 3 } }, bounds = more }
  end
  -- Position, uv, normal, tangent.
  local ALL <const> = 0x1B << 44 | 6 << 20 | 5 << 16 | 4 << 8 | 7

  local function near(wanted, buffer)
    for i = 1, buffer.rows do
      for k, v in ipairs { buffer:row(i) } do assert(math.abs(v - wanted[k]) < 0.005, v) end
    end
  end

  it("gives normals, tangents and spheres", function()
    local doc = parse("sse", square(ALL))
    local shape, before = doc.blocks[1], doc:encode()
    assert.same({ changed = 1, skipped = {} }, doc:recompute "normals")
    near({ 0, 0, 1 }, shape.normals)
    assert.same({ changed = 1, skipped = {} }, doc:recompute "tangents")
    near({ -1, 0, 0 }, shape.tangents)
    near({ 0, 1, 0 }, shape.bitangents)
    assert.same({ changed = 0, skipped = {} }, doc:recompute "tangents")
    assert.same({ 0, 0, 0, 9 }, sphere(shape))
    assert.same({ changed = 1, skipped = {} }, doc:recompute "bounds")
    assert.same({ 0.5, 0.5, 0 }, { table.unpack(sphere(shape), 1, 3) })
    assert(math.abs(sphere(shape)[4] - math.sqrt(0.5)) < 1e-6)
    doc:undo(3)
    assert.is_true(before == doc:encode())
  end)

  it("tells what is skipped, and takes one word", function()
    local doc = parse("sse", packed(), square(ALL), packed { num_vertices = 0, vertices = {}, data_size = 0,
      num_triangles = 0, triangles = {} })
    local report = doc:recompute "tangents"
    assert.equal(1, report.changed)
    assert.same({ { path = "blocks[1]", reason = "has no normals" },
      { path = "blocks[3]", reason = "has no vertices here" } }, report.skipped)
    local none, err = doc:recompute "colors"
    assert.is_nil(none)
    assert(tostring(err):find("what", 1, true), tostring(err))
    refused("recompute needs 'what'", doc.recompute, doc)
  end)

  it("is close to what games have #corpus", function()
    local path = helper.need_corpus("nif", pending)
    local shapes, sums = 0, { normals = 0, tangents = 0, bitangents = 0 }
    -- Those that were bent on purpose (leaves, hair) are few.
    local function compare(shape, had, field)
      local product = likeness(had[field], shape[field])
      assert(product > 0 and product < 1.05, lathe.path(shape, field))
      sums[field] = sums[field] + product
    end
    for _, name in ipairs(helper.list(path, "%.nif$")) do
      local doc <close> = assert(lathe.open(path .. "/" .. name, { history = 4 }))
      local bytes, was = doc:encode(), {}
      each_shape(doc, function(shape)
        was[lathe.path(shape)] = { normals = shape.normals, tangents = shape.tangents, bitangents = shape.bitangents }
      end)
      assert(doc:recompute "bounds" and doc:recompute "bounds".changed == 0, name)
      each_shape(doc, function(shape) assert(outside(shape) <= 0, name) end)
      assert(doc:recompute "tangents", name)
      each_shape(doc, function(shape)
        local had = was[lathe.path(shape)]
        if had.tangents and had.bitangents then
          compare(shape, had, "tangents")
          compare(shape, had, "bitangents")
          shapes = shapes + 1
        end
      end)
      assert(doc:recompute "normals", name)
      each_shape(doc, function(shape)
        local had = was[lathe.path(shape)]
        if had.tangents and had.bitangents then compare(shape, had, "normals") end
      end)
      assert(lathe.parse(doc:encode()), name)
      repeat until not doc:undo(1)
      assert(doc:encode() == bytes, name)
    end
    assert.equal(176, shapes)
    for field, sum in pairs(sums) do assert(sum / shapes > 0.95, field .. sum / shapes) end
  end)
end)

describe("vertices as bytes", function()
  it("are those of the file, whatever vertices have", function()
    local doc = assert(lathe.new("nif", { bs_version = 130, blocks = { { type = "BSTriShape" } } }))
    local shape = doc.blocks[1]
    shape.positions = { { 1, 2, 3 }, { 4, 5, 6 } }    -- and neither colours nor anything else
    local bytes = shape.vertices:pack()
    local from, size = lathe.span(shape, "vertices")
    assert.equal(doc:encode():sub(from + 1, from + size), bytes)
    shape.vertices:assign(bytes:sub(1, 8) .. bytes:sub(1, 8))
    assert.same({ 1, 2, 3, 1, 2, 3 }, shape.positions:totable())
  end)
end)
