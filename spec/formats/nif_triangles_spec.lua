-- Triangles set as a whole or by number, and what may not be: vertices that are not there, more than a count holds.

local lathe = require "lathe"
local sample = require "sample_nif"

local BOUNDS = { center = { x = 0, y = 0, z = 0 }, radius = 9 }

local function vertices(n)
  local list = {}
  for i = 1, n do list[i] = { position = { x = i, y = 0, z = 0 } } end
  return list
end

local DESC = { sse = 1 << 44 | 4, fo4 = 1 << 44 | 2 }

local function packed(game, kind, triangles)
  return { type = kind or "BSTriShape", name = "shape", skin = -1, bounds = BOUNDS, vertex_desc = DESC[game],
    vertices = vertices(4), triangles = triangles or { { 0, 1, 2 } },
    num_primitives = game == "fo4" and kind == "BSSubIndexTriShape" and 1 or nil }
end

local function data(triangles)
  local list = {}
  for i = 1, 4 do list[i] = { x = i, y = 0, z = 0 } end
  return { type = "NiTriShape", name = "shape", data = 1, skin_instance = -1 },
    { type = "NiTriShapeData", num_vertices = 4, vertices = list, has_vertices = 1, bounds = BOUNDS,
      num_triangles = triangles and #triangles or 1, has_triangles = 1, triangles = triangles or { { 0, 1, 2 } } }
end

local function parse(game, ...)
  return assert(lathe.parse((sample.build { game = game, blocks = { ... } }), { history = 9 }))
end

local function refused(message, call)
  local ok, err = pcall(call)
  assert.is_false(ok)
  assert(tostring(err):find(message, 1, true), tostring(err))
end

local function errors_of(doc)
  local list = {}
  for _, finding in ipairs(select(2, doc:check()) or {}) do
    if finding.level == "error" then list[#list + 1] = tostring(finding) end
  end
  return list
end

local function check_rows(doc, holder)
  local before = doc:encode()
  for _, value in ipairs { lathe.buffer("u16", 2, 3, { 3, 2, 1, 0, 1, 3 }), { { 3, 2, 1 }, { 0, 1, 3 } },
    string.pack("<I2I2I2I2I2I2", 3, 2, 1, 0, 1, 3) } do
    if type(value) == "string" then holder.triangles:assign(value) else holder.triangles = value end
    assert.same({ 2, 2 }, { #holder.triangles, holder.num_triangles })
    local again = assert(lathe.parse(doc:encode())):get(lathe.path(holder)).triangles
    assert.same({ { a = 3, b = 2, c = 1 }, { a = 0, b = 1, c = 3 } }, again:totable())
    assert.is_true(doc:undo(1))
    assert.is_true(before == doc:encode())
  end
  local no = ": there is no vertex 4 (from 0) of 4"
  refused("triangles at 0x", function() holder.triangles = { { 0, 1, 2 }, { 0, 1, 4 } } end)
  refused("row 2" .. no, function() holder.triangles = { { 0, 1, 2 }, { 0, 1, 4 } } end)
  refused("row 1" .. no, function() holder.triangles = lathe.buffer("u16", 1, 3, { 4, 0, 0 }) end)
  refused("row 1" .. no, function() holder.triangles:assign(string.pack("<I2I2I2", 0, 4, 0)) end)
  refused("row 1" .. no, function() holder.triangles[1].c = 4 end)
  refused("row 2" .. no, function() holder.triangles:append { 0, 4, 1 } end)
  refused("3 columns expected, got 2", function() holder.triangles = lathe.buffer("u16", 1, 2, { 0, 1 }) end)
  assert.is_true(before == doc:encode())
  assert.same({}, errors_of(doc))
  holder.triangles = {}
  assert.equal(0, holder.num_triangles)
  doc:undo(1)
  assert.is_true(before == doc:encode())
end

describe("triangles of a NIF shape", function()
  for _, game in ipairs { "sse", "fo4" } do
    for _, kind in ipairs { "BSTriShape", "BSSubIndexTriShape", "BSMeshLODTriShape" } do
      it(("are set in one step: %s of %s"):format(kind, game), function()
        local doc = parse(game, packed(game, kind))
        local shape = doc.blocks[1]
        check_rows(doc, shape)
        shape.triangles = lathe.buffer("u16", 5, 3)
        assert.equal(4 * (DESC[game] & 15) * 4 + 5 * 6, shape.data_size)
        if kind == "BSSubIndexTriShape" and game == "fo4" then assert.equal(5, shape.num_primitives) end
      end)
    end
  end

  it("are set in one step: NiTriShapeData", function()
    local doc = parse("le", data())
    check_rows(doc, doc.blocks[2])
    doc.blocks[2].triangles = lathe.buffer("u16", 5, 3)
    assert.equal(15, doc.blocks[2].num_triangle_points)
  end)

  it("and vertices are not more than their counts hold", function()
    local sse, fo4 = parse("sse", packed "sse"), parse("fo4", packed "fo4")
    local before = sse:encode()
    refused("65535", function() sse.blocks[1].triangles = lathe.buffer("u16", 65536, 3) end)
    fo4.blocks[1].triangles = lathe.buffer("u16", 65536, 3)
    assert.same({ 65536, 4 * 8 + 65536 * 6 }, { fo4.blocks[1].num_triangles, fo4.blocks[1].data_size })
    for _, doc in ipairs { sse, fo4, parse("le", data()) } do
      local shape, mesh = doc.blocks[1], doc:meshes()()
      local many = lathe.buffer("f32", 65536, 3)
      for i = 1, 3 * many.rows do many[i] = mesh.positions[(i - 1) % 12 + 1] end
      refused("positions at 0x", function() shape.positions = many end)
      refused("65536 vertices are more than 65535, the most of a shape", function() shape.positions = many end)
      local rows = lathe.buffer("f32", 65535, 3)
      shape.positions = rows
      assert.equal(65535, shape.positions.rows)
    end
    sse:undo(1)
    assert.is_true(before == sse:encode())
  end)

  it("that name no vertex are told, and others of them can be set", function()
    local bad = { { 0, 1, 2 }, { 0, 9, 1 }, { 7, 0, 1 } }
    for game, doc in pairs { sse = parse("sse", packed("sse", nil, bad)), le = parse("le", data(bad)) } do
      local holder = doc.blocks[game == "le" and 2 or 1]
      local list = errors_of(doc)
      assert.equal(1, #list)
      assert(list[1]:find("triangles[2]", 1, true) and list[1]:find("there is no vertex 9 (from 0) of 4", 1, true),
             list[1])
      holder.triangles[1].a = 3
      holder.triangles[2] = { 0, 3, 1 }
      refused("row 3: there is no vertex 8 (from 0) of 4", function() holder.triangles[3].a = 8 end)
      assert(errors_of(doc)[1]:find("there is no vertex 7", 1, true))
      local other = parse(game == "le" and "le" or "sse", packed "sse")
      other.blocks:append(holder)                   -- a whole block may be as it is
      assert.equal(1, #errors_of(other))
      holder.triangles[3] = { 1, 2, 3 }
      assert.same({}, errors_of(doc))
    end
  end)

  it("may come before their vertices in one edit", function()
    local doc = parse("sse", packed "sse")
    local shape = doc.blocks[1]
    doc:edit(function()
      shape.triangles = { { 0, 1, 4 } }
      shape.positions = lathe.buffer("f32", 5, 3)
    end)
    assert.equal(5, shape.num_vertices)
    assert.equal(4, shape.triangles[1].c)
  end)
end)
