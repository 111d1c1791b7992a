-- Edits of precombined geometry: what follows from them at their end. Judged by readers in plain Lua.

local helper = require "helper"
local judge = require "packed_judge"
local lathe = require "lathe"
local sp = require "sample_boxes"

local LAYOUTS <const> = { "inline", "shared", "inline+table" }
local IDENTITY <const> = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }

-- Two objects in a bucket: a box in two places whose bands leave the second empty, and a box with texture coordinates.
local function two(lod)
  return { lod = lod, objects = {
    sp.box { size = { 2, 4, 6 }, at = { 1, 0, 2 }, bands = { 4, 0, 8 },
      instances = { sp.place { 10, 0, 0 }, sp.place { 0, 50, 1, turn = 90, scale = 2 } } },
    sp.box { desc = sp.LONG, instances = { sp.place { -20, 0, 0 } } } } }
end

local function open(layout, bucket)
  local bytes = sp.group { layout = layout, buckets = { bucket or two(true) } }
  local doc = assert(lathe.parse(bytes, { history = 99 }))
  return doc, doc.blocks[4], doc.blocks[3], bytes
end

-- What the plain readers and check say of a document; nothing is right.
local function problems(doc)
  local list = judge.problems(doc:encode())
  local _, found = doc:check()
  for _, one in ipairs(found or {}) do list[#list + 1] = tostring(one) end
  return list
end

local function sphere(instance)
  local c = instance.bounds.center
  return { c.x, c.y, c.z, instance.bounds.radius }
end

local function near(wanted, got)
  for i, v in ipairs(wanted) do
    assert(math.abs(v - got[i]) <= 1e-5 * math.max(1, math.abs(v)), ("[%d] %.9g instead of %.9g"):format(i, got[i], v))
  end
end

describe("instances of packed geometry", function()
  for _, layout in ipairs(LAYOUTS) do
    it("come and go, with spheres and totals: " .. layout, function()
      local doc, block, shape, bytes = open(layout)
      assert.same({}, problems(doc))
      local object = block.data[1]
      local untouched = lathe.bytes(object.combined[2])
      lathe.append(object.combined, {})
      assert.same({ 1, 1 }, { object.combined[3].grayscale_to_palette, object.combined[3].transform.scale })
      near(IDENTITY, object.combined[3].transform.rotation)
      near({ 1, 0, 2, math.sqrt(14) }, sphere(object.combined[3]))
      assert.same({ 8 * 4, 12 * 4, 8 * 4, 12 * 4 },
        { block.num_vertices, block.num_triangles, shape.num_vertices, shape.num_triangles })
      assert.same({ 12 + 12, 0, 8 * 3 }, { shape.lod0_triangles, shape.lod1_triangles, shape.lod2_triangles })
      assert.same({}, problems(doc))
      lathe.remove(object.combined, 1)
      assert.equal(untouched, lathe.bytes(object.combined[1]))
      assert.same({ 24, 36, 20, 16 },
        { block.num_vertices, shape.num_triangles, shape.lod0_triangles, shape.lod2_triangles })
      assert.same({}, problems(doc))
      assert.is_true(doc:undo() and doc:undo())
      assert.equal(bytes, doc:encode())
      assert.is_true(doc:redo() and doc:redo())
      assert.same({}, problems(assert(lathe.parse(doc:encode()))))
    end)

    it("move, and their spheres with them: " .. layout, function()
      local doc, block = open(layout)
      local one = block.data[1].combined[1]
      local other = lathe.bytes(block.data[1].combined[2])
      doc:edit(function()
        one.transform.translation = { -7, 8, 100 }
        one.transform.rotation = { 0, 0, 1, 0, 1, 0, -1, 0, 0 } -- about y
        one.transform.scale = -3
      end)
      near({ -7 - 3 * 2, 8, 100 + 3 * 1, 3 * math.sqrt(14) }, sphere(one))
      assert.equal(other, lathe.bytes(block.data[1].combined[2]))
      assert.same({}, problems(doc))
    end)

    it("keep a sphere that the edit sets itself: " .. layout, function()
      local doc, block = open(layout)
      local one = block.data[1].combined[1]
      doc:edit(function()
        one.transform.translation.x = 11
        one.bounds.radius = 90
      end)
      near({ 11, 0, 2, 90 }, sphere(one))
      lathe.append(block.data[1].combined, { bounds = { center = { 1, 2, 3 }, radius = 4 } })
      near({ 1, 2, 3, 4 }, sphere(block.data[1].combined[3]))
        one.transform.translation.x = 12              -- the next one follows again, from the vertices or what it was
      near(layout == "shared" and { 12, 0, 2, 90 } or { 13, 0, 2, math.sqrt(14) }, sphere(one))
    end)

    it("are followed where a part of the edit is taken back: " .. layout, function()
      local doc, block, shape = open(layout)
      local one = block.data[1].combined[1]
      doc:edit(function()
        one.transform.translation.x = 11
        assert.is_false((pcall(doc.edit, doc, function()
          one.transform.translation.x = 500
          shape.bounds.radius = 900
          error "no"
        end)))
      end)
      near({ 12, 0, 2, math.sqrt(14) }, sphere(one))
      assert.is_true(shape.bounds.radius < 900)
      assert.same({}, problems(doc))
    end)

    it("are copied with their spheres, which follow when a copy moves: " .. layout, function()
      local doc, block = open(layout)
      local list = block.data[1].combined
      doc:edit(function()
        lathe.append(list, list[2])
        list[3].transform.translation.z = 41
      end)
      local first = sphere(list[2])
      near({ first[1], first[2], first[3] + 40, first[4] }, sphere(list[3]))
      assert.same({}, problems(doc))
    end)
  end

  it("without a sphere stay so", function()
    local doc, block = open "inline"
    local one = block.data[1].combined[1]
    one.bounds = { center = { 0, 0, 0 }, radius = 0 }
    one.transform.translation.x = 5
    assert.same({ 0.0, 0.0, 0.0, 0.0 }, sphere(one))
    one.transform.translation.x = 0 / 0             -- and where nobody knows where they are
    assert.equal(0.0, one.bounds.radius)
    assert.is_true(doc.modified)
  end)

  it("are at most as many as a bucket has vertices for", function()
    for _, layout in ipairs(LAYOUTS) do
      local doc, block, _, bytes = open(layout)
      local ok, err = pcall(doc.edit, doc, function()
        for _ = 1, 8190 do lathe.append(block.data[1].combined, {}) end
      end)
      assert.is_false(ok)
      assert.matches("blocks[4].num_vertices at 0x", tostring(err), 1, true)
      assert.matches("the instances of the objects have 65544 vertices, more than 65534, the most of a bucket",
        tostring(err), 1, true)
      assert.equal("range", err.code)
      assert.equal(bytes, doc:encode())
      assert.is_false(doc.modified)
      doc:edit(function()
        for _ = 1, 8188 do lathe.append(block.data[1].combined, {}) end
      end)
      assert.equal(65528, doc.blocks[3].num_vertices)
    end
  end)
end)

local POINTS <const> = { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 2, 0 }, { 0, 0, 8 } }
local FACES <const> = { { 0, 1, 2 }, { 0, 2, 3 }, { 1, 2, 3 } }

describe("objects of packed geometry", function()
  for _, layout in ipairs { "inline", "inline+table" } do
    it("are made of positions and triangles: " .. layout, function()
      local doc, block, shape, bytes = open(layout)
      lathe.append(block.data, { positions = POINTS, triangles = FACES, normals = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 },
        { 0, 0, 1 } }, combined = { { transform = { translation = { 100, 0, 0 }, scale = 2 } }, {} } })
      local one = block.data[3]
      assert.same({ 4, 3, 0, 3, 2, 0, 0 }, { one.num_vertices, one.tri_count0, one.tri_count1, one.lod_levels,
        one.num_combined, one.tri_offset1, one.tri_offset2 })
      near({ 104, 2, 8, 2 * math.sqrt(21) }, sphere(one.combined[1]))
      near({ 2, 1, 4, math.sqrt(21) }, sphere(one.combined[2]))
      assert.same({ 32, 12 * 3 + 6 }, { block.num_vertices, shape.num_triangles })
      assert.equal(layout == "inline+table" and 3 or nil, block.objects and #block.objects)
      assert.same({}, problems(doc))
      assert.same({}, problems(assert(lathe.parse(doc:encode()))))
      assert.is_true(doc:undo())
      assert.equal(bytes, doc:encode())
    end)
  end

  it("of more than 32 bits can say leave totals alone that nobody has set", function()
    local doc = assert(lathe.parse(sp.group { layout = "shared", buckets = { two() }, change = function(shape, block)
      block.data[1].num_vertices, block.data[1].tri_count0 = 0x80000001, 0x90000001
      for _, one in ipairs { shape, block } do one.num_vertices, one.num_triangles = 0, 0 end
    end }))
    local block, shape = doc.blocks[4], doc.blocks[3]
    block.data[1].combined[1].transform.translation.x = 11
    assert.same({ 0, 0, 0, 0 }, { block.num_vertices, block.num_triangles, shape.num_vertices, shape.num_triangles })
    lathe.remove(block.data[1].combined, 1)                    -- the triangles of the one that is left fit in
    assert.same({ 0x80000001 + 8, 0x90000001 + 12 + 8, 0, 0x90000001 + 12 + 8 },
      { block.num_vertices, block.num_triangles, shape.num_vertices, shape.num_triangles })
  end)

  it("take other triangles, all in the first band where only that has any", function()
    local doc, block, shape = open "inline"
    local one = block.data[2]
    doc:edit(function()
      one.triangles = FACES
      one.positions = POINTS
    end)
    assert.same({ 3, 4, 3 }, { one.tri_count0, one.num_vertices, #one.triangles })
    assert.same({ 8 * 2 + 4, 12 * 2 + 3 }, { shape.num_vertices, block.num_triangles })
    near({ -20 + 2, 1, 4, math.sqrt(21) }, sphere(one.combined[1]))
    assert.same({}, problems(doc))
    one.triangles = {}
    assert.same({ 0, 24 }, { one.tri_count0, shape.num_triangles })
    local ok, err = pcall(function() block.data[1].triangles = FACES end)
    assert.is_false(ok)
    assert.matches("blocks[4].data[1].triangles", tostring(err), 1, true)
    assert.matches("12 rows expected, got 3: set tri_count0, tri_count1 and tri_count2 first", tostring(err), 1, true)
    doc:edit(function()
      local first = block.data[1]
      first.tri_count0, first.tri_count1, first.tri_count2 = 1, 2, 1
      first.triangles = { { 0, 1, 2 }, { 1, 2, 3 }, { 2, 3, 4 }, { 5, 6, 7 } }
    end)
    assert.same({ 3, 9, 2, 4, 2 }, { block.data[1].tri_offset1, block.data[1].tri_offset2, shape.lod0_triangles,
      shape.lod1_triangles, shape.lod2_triangles })
    assert.same({}, problems(doc))
  end)

  it("name the same geometry as what they are copies of", function()
    for _, layout in ipairs { "shared", "inline+table" } do
      local doc, block = open(layout)
      lathe.append(block.data, block.data[2])
      lathe.append(block.data, block.data[1])
      assert.same({ 2000, 1000, sp.HASH }, { block.objects[3].data_offset, block.objects[4].data_offset,
        block.objects[4].geometry_file_hash })
      assert.same({}, problems(doc))
    end
  end)

  it("keep offsets of bands that were others before", function()
    local doc, block = open "shared"
    block.data[1].tri_offset2 = 7
    block.data[1].tri_count0 = 5
    assert.equal(7, block.data[1].tri_offset2)
    block.data[1].tri_offset2 = 15
    block.data[1].tri_count0 = 9
    assert.same({ 27, 9 * 2 + 12 }, { block.data[1].tri_offset2, doc.blocks[3].lod0_triangles })
  end)

  it("move all of their instances' spheres when vertices move", function()
    local doc, block = open "inline"
    block.data[1].vertices[8].position.x = 12
    near({ 10 + 6, 0, 2, math.sqrt(36 + 4 + 9) }, sphere(block.data[1].combined[1]))
    assert.same({}, problems(doc))
  end)

  it("have triangles of vertices that are there", function()
    local doc, block, _, bytes = open "inline"
    local function refused(message, f)
      local ok, err = pcall(f)
      assert.is_false(ok)
      assert.matches(message, tostring(err), 1, true)
      assert.equal(bytes, doc:encode())
    end
    refused("row 2: there is no vertex 9 (from 0) of 8", function() block.data[2].triangles[2] = { 0, 9, 1 } end)
    refused("4 rows, but a triangle names vertex 7 (from 0)", function() block.data[2].positions = POINTS end)
    refused("blocks[4].data[3].positions", function()
      lathe.append(block.data, { positions = POINTS, triangles = { { 0, 1, 4 } } })
    end)
    refused("2 elements expected, got 3", function()
      lathe.append(block.data, { positions = POINTS, triangles = FACES, tri_count0 = 2 })
    end)
  end)

  it("make a bucket from nothing", function()
    local doc = assert(lathe.parse(sp.group { buckets = {} }))
    doc:edit(function()
      local block = doc.blocks:append { type = "BSPackedCombinedGeomDataExtra", name = "PCD" }
      lathe.append(block.data, { positions = POINTS, triangles = FACES, combined = { { transform = {
        translation = { 1000, 0, 0 } } } } })
      local shape = doc.blocks:append { type = "BSTriShape", flags = 526 }
      shape.extra_data_list = { block }
      lathe.append(doc.blocks[2].children, shape)
    end)
    assert.same({}, problems(doc))
    assert.same({ 0x0040100000000004, 4, 3, 1002.0 }, { doc.blocks[4].vertex_desc, doc.blocks[4].num_vertices,
      doc.blocks[4].num_triangles, doc.blocks[4].translation.x })
  end)
end)

describe("totals of packed geometry", function()
  it("that were others before stay, as do those that the edit sets itself", function()
    local doc, block, shape = open "inline"
    block.num_vertices = 100
    lathe.append(block.data[1].combined, {})
    assert.same({ 100, 100, 48, 48 }, { block.num_vertices, shape.num_vertices, block.num_triangles, shape.num_triangles })
    doc:edit(function()
      lathe.append(block.data[1].combined, {})
      block.num_triangles = 5
    end)
    assert.equal(5, block.num_triangles)
  end)

  it("follow when objects come and go, with their rows", function()
    for _, layout in ipairs(LAYOUTS) do
      local doc, block = open(layout)
      lathe.remove(block.data, 1)
      assert.same({ 1, layout ~= "inline" and 1 or nil }, { #block.data, block.objects and #block.objects })
      if block.objects then assert.equal(2000, block.objects[1].data_offset) end
      assert.same({}, problems(doc))
      lathe.remove(block.data, 1)
      assert.same({ 0, 0 }, { block.num_vertices, doc.blocks[3].num_triangles })
    end
  end)

  it("and layouts of vertices are said twice: each follows the other", function()
    local doc, block, shape = open "shared"
    shape.vertex_desc = sp.FULL_SHORT
    assert.equal(sp.FULL_SHORT, block.vertex_desc)
    block.vertex_desc = sp.FULL_LONG
    assert.equal(sp.FULL_LONG, shape.vertex_desc)
    doc:edit(function() block.vertex_desc, shape.vertex_desc = sp.SHORT, sp.FULL_SHORT end)
    assert.same({ sp.SHORT, sp.FULL_SHORT }, { block.vertex_desc, shape.vertex_desc })
    block.vertex_desc = sp.LONG
    assert.equal(sp.FULL_SHORT, shape.vertex_desc)
  end)

  it("follow the objects' vertices where they are expanded from them", function()
    local doc, block, shape = open "inline"
    block.data[2].colors = { { 1, 0, 0, 1 }, { 1, 0, 0, 1 }, { 1, 0, 0, 1 }, { 1, 0, 0, 1 }, { 1, 0, 0, 1 },
      { 1, 0, 0, 1 }, { 1, 0, 0, 1 }, { 1, 0, 0, 1 } }
    assert.same({ 0x0043B00007650408, 0x0043B00007650408 }, { block.vertex_desc, shape.vertex_desc })
    lathe.remove(block.data, 2)
    assert.same({ sp.FULL_SHORT, sp.FULL_SHORT }, { block.vertex_desc, shape.vertex_desc })
    assert.same({}, problems(doc))
  end)
end)

describe("the sphere of a shape of packed geometry", function()
  it("stays where it was another one", function()
    local _, block, shape = open "inline"
    shape.bounds.radius = shape.bounds.radius + 1
    local x = shape.translation.x
    lathe.append(block.data[1].combined, { transform = { translation = { 1000, 0, 0 } } })
    assert.equal(x, shape.translation.x)
  end)

  it("is worked out where a shape that was made of a table has none, also once it was moved", function()
    for _, move in ipairs { function() end, function(doc) assert(doc:scale(2)) end,
      function(doc) assert(doc:transform { translation = { 0, 0, 64 } }) end } do
      local doc, block, shape = open "inline"
      shape.bounds = { center = { 0, 0, 0 }, radius = 0 }
      shape.translation = { 0, 0, 0 }
      move(doc)
      lathe.append(block.data[1].combined, { transform = { translation = { 1000, 0, 0 } } })
      assert.same({}, problems(doc))
    end
  end)

  it("grows where the geometry is elsewhere, and holds what came", function()
    local doc, block, shape = open "shared"
    local x, before = shape.translation.x, shape.bounds.radius
    lathe.append(block.data[1].combined, { transform = { translation = { 1000, 0, 0 } } })
    local one, t = block.data[1].combined[3].bounds, shape.translation
    local far = math.sqrt((one.center.x - t.x) ^ 2 + (one.center.y - t.y) ^ 2 + (one.center.z - t.z) ^ 2) + one.radius
    assert.equal(x, t.x)
    assert(shape.bounds.radius >= far and shape.bounds.radius < far + 1e-3 and far > before)
    assert.same({}, problems(doc))
    lathe.remove(block.data[1].combined, 3)
    assert(shape.bounds.radius >= far)
  end)
end)

describe("edits of precombined files of the corpus #corpus", function()
  it("keep totals and spheres right", function()
    local folder = helper.need_corpus("precombined", pending)
    for _, name in ipairs(helper.list(folder, "%.nif$")) do
      local bytes = helper.read(folder .. "/" .. name)
      local doc = assert(lathe.parse(bytes, { history = 99 }))
      for _, block in ipairs(doc.blocks) do
        if block.type:find("^BSPackedCombined") and block.data then
          assert.same({}, judge.problems(bytes), name)
          local list = block.data[1].combined
          if block.num_vertices + block.data[1].num_vertices < 65535 then
            lathe.append(list, list[1])
            lathe.remove(list, 1)
          end
          list[1].transform.translation.x = 3
          assert.same({}, problems(doc), name)
        end
      end
      while doc:undo() do end
      assert.equal(bytes, doc:encode(), name)
    end
  end)
end)
