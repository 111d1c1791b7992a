--- What the JSON files of corpus/precombined say of a shape, against what was read of it, by lathe or by the reader in
-- plain Lua.
--
--    figures.compare(wanted, layout, figures.of_reader(block, shape))
--    figures.compare(wanted, layout, figures.of_lathe(doc, wanted.packed_block + 1, wanted.shape_block + 1, row_of))

local assert = require "luassert"
local crc32 = require "crc32"
local lathe = require "lathe"
local reader = require "packed_reader"

local figures = {}

-- ---- what was read ----------------------------------------------------------------------------------------

--- Of what the plain reader has.
function figures.of_reader(block, shape)
  local seen = { packed_type = block.type, packed_size = block.size, layout = block.layout, leaf = block.leaf,
    vertex_desc = block.vertex_desc, num_vertices = block.num_vertices, num_triangles = block.num_triangles,
    shape = shape, objects = {} }
  for i, object in ipairs(block.objects) do
    assert(object.positions, object.problem)
    seen.objects[i] = setmetatable({ attribute = function(name, k) return reader.attribute(object, name, k) end },
      { __index = object })
  end
  return seen
end

local function instance_of(view)
  local t, b = view.transform, view.bounds
  local rotation = {}
  for i = 1, 9 do rotation[i] = t.rotation[i] end
  return { grayscale = view.grayscale_to_palette, rotation = rotation, scale = t.scale, radius = b.radius,
    translation = { t.translation.x, t.translation.y, t.translation.z },
    center = { b.center.x, b.center.y, b.center.z } }
end

-- Vertices, then triangles: in the block or in a row of a geometry file.
local function bytes_of(doc_bytes, view, row)
  if row then return row.data:sub(1, -1 - 2 * row.num_indices), row.data:sub(-2 * row.num_indices) end
  local at, size = lathe.span(view, "vertices")
  local from, length = lathe.span(view, "triangles")
  return doc_bytes:sub(at + 1, at + size), doc_bytes:sub(from + 1, from + length)
end

local BUFFERS = { uv = { "uvs" }, normal = { "normals", 127.5, 1 }, color = { "colors", 255, 0 } }

local function object_of(doc_bytes, view, entry, row)
  local geometry = row or view
  local object = { num_vertices = view.num_vertices, lod_levels = view.lod_levels, desc = view.vertex_desc,
    bands = { view.tri_count0, view.tri_count1, view.tri_count2 }, hash = entry and entry.geometry_file_hash,
    offset = entry and entry.data_offset, instances = {}, positions = {}, triangles = {} }
  for i, one in ipairs(view.combined) do object.instances[i] = instance_of(one) end
  object.vertex_bytes, object.triangle_bytes = bytes_of(doc_bytes, view, row)
  object.stride = #object.vertex_bytes // object.num_vertices
  local positions = geometry.positions
  for i = 1, positions.rows do object.positions[i] = { positions:row(i) } end
  for i = 1, 3 * (row and row.triangles.rows or #view.triangles), 3 do
    object.triangles[i // 3 + 1] = { ("<I2I2I2"):unpack(object.triangle_bytes, 2 * i - 1) }
    object.triangles[i // 3 + 1][4] = nil
  end
  function object.attribute(name, i)              -- the bytes that the numbers were made of
    local how = BUFFERS[name]
    local numbers = geometry[how[1]] and { geometry[how[1]]:row(i) }
    for k = 1, how[2] and numbers and #numbers or 0 do
      local byte = (numbers[k] + how[3]) * how[2]
      numbers[k] = math.floor(byte + 0.5)
      assert.is_near(numbers[k], byte, 1e-3)
    end
    return numbers
  end
  return object
end

--- Of what lathe has: block number n and its shape's number, both from 1. row_of(hash, offset): the row of a geometry
-- file, as lathe reads it.
function figures.of_lathe(doc, n, shape_number, row_of)
  local block, shape = doc.blocks[n], doc.blocks[shape_number]
  assert.equal(block, shape.extra_data_list[1])
  local t, b, doc_bytes = shape.translation, shape.bounds, doc:encode()
  local seen = { packed_type = block.type, packed_size = #lathe.bytes(block), layout = block.layout,
    leaf = { block.leaf_amplitude, block.leaf_frequency }, vertex_desc = block.vertex_desc,
    num_vertices = block.num_vertices, num_triangles = block.num_triangles, objects = {},
    shape = { type = shape.type, translation = { t.x, t.y, t.z }, center = { b.center.x, b.center.y, b.center.z },
      radius = b.radius, desc = shape.vertex_desc, num_vertices = shape.num_vertices, data_size = shape.data_size,
      num_triangles = shape.num_triangles, textures = shape.shader_property.body.texture_set.textures:totable() } }
  for i, view in ipairs(block.data) do
    local entry = block.objects and block.objects[i]
    local row = block.layout == "shared" and row_of(entry.geometry_file_hash, entry.data_offset) or nil
    seen.objects[i] = object_of(doc_bytes, view, entry, row)
  end
  return seen
end

-- ---- comparing --------------------------------------------------------------------------------------------

-- Of numbers that are stored: what JSON and 32 bits lose. Of places in the world: as the corpus says.
local function stored(x) return 1e-6 * math.max(1, math.abs(x)) end
local function placed(x) return 1e-3 + 1e-6 * math.abs(x) end

local function near(wanted, got, tolerance, what)
  assert.equal(#wanted, #got, what)
  for i, v in ipairs(wanted) do
    local x = got[i]
    local off = math.abs(v - x)
    if off > tolerance(v) or off ~= off then
      error(("%s[%d]: %.9g instead of %.9g"):format(what, i, x, v))
    end
  end
end

local function flat(rows)
  local list = {}
  for _, row in ipairs(rows) do table.move(row, 1, #row, #list + 1, list) end
  return list
end

local function compare_instance(wanted, got, object)
  near({ wanted.grayscale, wanted.scale, wanted.bound_radius }, { got.grayscale, got.scale, got.radius }, stored,
    "grayscale, scale, radius")
  near(flat(wanted.rotation_rows), got.rotation, stored, "rotation")
  near(wanted.translation, got.translation, stored, "translation")
  near(wanted.bound_center, got.center, stored, "bound_center")
  local last = object.positions[#object.positions]
  near(wanted.world_first, reader.moved(got, object.positions[1]), placed, "world_first")
  near(wanted.world_last, reader.moved(got, last), placed, "world_last")
end

local function compare_object(wanted, got)
  local n = got.num_vertices
  assert.same({ wanted.file_hash, wanted.data_offset, wanted.num_vertices, wanted.lod_levels, wanted.tri_counts,
    wanted.vertex_desc, wanted.stride, #wanted.instances, wanted.vertex_bytes_crc32, wanted.triangle_bytes_crc32,
    wanted.first_triangle, wanted.last_triangle, wanted.num_vertices },
    { got.hash, got.offset, n, got.lod_levels, got.bands, ("0x%016X"):format(got.desc), got.stride, #got.instances,
      crc32.zlib(got.vertex_bytes), crc32.zlib(got.triangle_bytes), got.triangles[1], got.triangles[#got.triangles],
      #got.positions })
  assert.same({ wanted.first_normal_bytes, wanted.last_normal_bytes, wanted.first_color },
    { got.attribute("normal", 1), got.attribute("normal", n), got.attribute("color", 1) })
  near(wanted.first_position, got.positions[1], stored, "first_position")
  near(wanted.last_position, got.positions[n], stored, "last_position")
  near(wanted.first_uv or {}, got.attribute("uv", 1) or {}, stored, "first_uv")
  for i, one in ipairs(wanted.instances) do compare_instance(one, got.instances[i], got) end
end

-- The corners of the box around all triangles of all instances.
local function box_of(objects)
  local low, high = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
  for _, object in ipairs(objects) do
    for _, instance in ipairs(object.instances) do
      for _, triangle in ipairs(reader.world(object, instance)) do
        for _, p in ipairs(triangle) do
          for k = 1, 3 do low[k], high[k] = math.min(low[k], p[k]), math.max(high[k], p[k]) end
        end
      end
    end
  end
  return low, high
end

--- Raises at the first figure of a shape that differs. Gives how many objects, instances and triangles (of all
-- instances) it has.
function figures.compare(wanted, layout, seen)
  assert.same({ wanted.packed_type, layout, wanted.packed_size, wanted.vertex_desc, wanted.num_vertices,
    wanted.num_triangles, #wanted.objects },
    { seen.packed_type, seen.layout, seen.packed_size, ("0x%016X"):format(seen.vertex_desc), seen.num_vertices,
      seen.num_triangles, #seen.objects })
  local shape = seen.shape
  assert.same({ wanted.shape_type, wanted.vertex_desc, wanted.num_vertices, wanted.num_triangles, 0,
    shape.textures and wanted.textures },
    { shape.type, ("0x%016X"):format(shape.desc), shape.num_vertices, shape.num_triangles, shape.data_size,
      shape.textures })
  near(wanted.leaf, seen.leaf, stored, "leaf")
  near(wanted.shape_translation, shape.translation, stored, "shape_translation")
  near({ wanted.bounding_radius, 0, 0, 0 }, { shape.radius, table.unpack(shape.center) }, stored, "shape's sphere")
  for i, one in ipairs(wanted.objects) do compare_object(one, seen.objects[i]) end
  local vertices, triangles = reader.totals(seen)
  assert.same({ wanted.baked.vertices, wanted.baked.triangles }, { vertices, triangles })
  local low, high = box_of(seen.objects)
  near(wanted.baked.min, low, placed, "baked min")
  near(wanted.baked.max, high, placed, "baked max")
  local instances = 0
  for _, object in ipairs(seen.objects) do instances = instances + #object.instances end
  return #seen.objects, instances, triangles
end

--- Raises where a buffer of an object, as lathe has it, differs from what the plain reader has.
function figures.compare_buffers(object, view)
  local places, corners = {}, {}
  for _, p in ipairs(object.positions) do table.move(p, 1, 3, #places + 1, places) end
  for _, t in ipairs(object.triangles) do table.move(t, 1, 3, #corners + 1, corners) end
  assert.same(places, view.positions:totable())
  local got = lathe.type(view.triangles) == "buffer" and view.triangles:totable() or {}
  for i = 1, #got == 0 and #view.triangles or 0 do -- records of three numbers, where they are in the block
    local t = view.triangles[i]
    table.move({ t[1], t[2], t[3] }, 1, 3, #got + 1, got)
  end
  assert.same(corners, got)
  for name, how in pairs(BUFFERS) do
    local buffer = view[how[1]]
    assert.equal(reader.attribute(object, name, 1) == nil, buffer == nil, name)
    for i = 1, buffer and buffer.rows or 0 do
      local stored_as, row = reader.attribute(object, name, i), { buffer:row(i) }
      for k, number in ipairs(stored_as) do
        local want = how[2] and number / how[2] - how[3] or number
        assert(math.abs(want - row[k]) <= 1e-6, name)
      end
    end
  end
end

return figures
