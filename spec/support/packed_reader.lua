--- Reads precombined geometry of Fallout 4 in plain Lua, for tests: shares no code with lathe, and asks no table of
-- core/nif/schema. Reference: formats/precombined.md.
--
--    local files = packed_reader.files { "Synth - Geometry.psg" }      -- by the hashes of their names
--    local blocks, shapes = packed_reader.read(bytes, files)           -- of a whole .nif; false: a block of no layout
--    blocks[1].layout                               -- "inline", "shared", "inline+table"
--    blocks[1].number, .vertex_desc, .num_vertices, .num_triangles, .leaf
--    blocks[1].objects[i]                           -- { at (in the block, from 1), num_vertices, lod_levels, bands,
--                                                   --   band_offsets, instances, desc, hash, offset }, and where its
--                                                   --   geometry was found: stride, half, vertex_bytes, triangle_bytes,
--                                                   --   positions, triangles; else problem
--    shapes[block.number]                           -- the shape that owns it: { number, type, translation, center,
--                                                   --   radius, desc, num_vertices, num_triangles, data_size }
--    packed_reader.attribute(object, "uv", i)       -- numbers of vertex i, from 1: uv, normal, tangent (bytes), color
--    packed_reader.world(object, instance)          -- its triangles as { {x, y, z}, {x, y, z}, {x, y, z} }
--    packed_reader.totals(block)                    -- vertices, triangles of all instances

local crc32 = require "crc32"
local geometry_reader = require "geometry_reader"
local kinds = require "nif_kinds"
local nif_reader = require "nif_reader"

local packed_reader = {}

local unpack = string.unpack

local ORDER = {
  BSPackedCombinedGeomDataExtra = { "inline", "inline+table", "shared" },
  BSPackedCombinedSharedGeomDataExtra = { "shared", "inline+table", "inline" },
}

-- ---- geometry files ---------------------------------------------------------------------------------------

--- What group files know a geometry file by.
function packed_reader.hash(path)
  return crc32.name((path:match "[^/\\]*$":gsub("%.[^.]*$", "")):lower())
end

--- What a geometry file holds; its rows are found by `row_at[offset]` and end at `ends[i]`.
function packed_reader.file(bytes)
  local file = geometry_reader.read(bytes)
  file.row_at, file.ends = {}, {}
  for i, row in ipairs(file.rows) do
    local next_row = file.rows[i + 1]
    file.row_at[row[1]], file.ends[i] = i, next_row and next_row[1] or #file.stream
  end
  return file
end

--- Files by the hashes of their names.
function packed_reader.files(paths)
  local files = {}
  for _, path in ipairs(paths) do
    local f <close> = assert(io.open(path, "rb"))
    files[packed_reader.hash(path)] = packed_reader.file(f:read "a")
  end
  return files
end

-- ---- vertices ---------------------------------------------------------------------------------------------

--- How many triangles the first bands have: all three without a number.
function packed_reader.band_total(object, bands)
  local count = 0
  for i = 1, bands or 3 do count = count + object.bands[i] end
  return count
end

local FULL <const> = 1 << 54

local function half_at(bytes, at)
  return kinds.half((unpack("<I2", bytes, at)))
end

local function positions_of(object)
  local list, bytes, stride = {}, object.vertex_bytes, object.stride
  local floats = object.desc & FULL ~= 0 and not object.half
  for i = 1, object.num_vertices do
    local from = 1 + (i - 1) * stride
    if floats then
      local x, y, z = unpack("<fff", bytes, from)
      list[i] = { x, y, z }
    else
      list[i] = { half_at(bytes, from), half_at(bytes, from + 2), half_at(bytes, from + 4) }
    end
  end
  return list
end

local ATTRIBUTES = {                              -- flag, where its offset is in the descriptor, how it is stored
  uv = { 0x002, 8 }, normal = { 0x008, 16, "BBB" }, tangent = { 0x010, 20, "BBB" }, color = { 0x020, 24, "BBBB" },
}

--- The numbers of an attribute of vertex i (from 1): as they are stored, but for texture coordinates; nil: it has none.
function packed_reader.attribute(object, name, i)
  local row = ATTRIBUTES[name]
  if object.desc >> 44 & row[1] == 0 then return nil end
  local words = (object.desc >> row[2] & 15) - (object.half and 2 or 0)
  local at = 1 + (i - 1) * object.stride + 4 * words
  if not row[3] then return { half_at(object.vertex_bytes, at), half_at(object.vertex_bytes, at + 2) } end
  local numbers = { unpack(row[3], object.vertex_bytes, at) }
  numbers[#numbers] = nil
  return numbers
end

-- Gives an object the geometry that begins at `at` of `bytes`.
local function put_geometry(object, bytes, at, stride)
  local count, middle = packed_reader.band_total(object), at + object.num_vertices * stride
  object.stride = stride
  object.half = object.desc & FULL ~= 0 and stride == (object.desc & 15) * 4 - 8
  object.vertex_bytes, object.triangle_bytes = bytes:sub(at, middle - 1), bytes:sub(middle, middle + 6 * count - 1)
  object.positions, object.triangles = positions_of(object), {}
  for i = 1, count do
    local a, b, c = unpack("<I2I2I2", object.triangle_bytes, 6 * i - 5)
    object.triangles[i] = { a, b, c }
  end
  return middle + 6 * count
end

-- ---- blocks -----------------------------------------------------------------------------------------------

-- The numbers of an instance: rotation in rows, translation, scale.
local function instance_at(bytes, at)
  local n = { unpack("<" .. ("f"):rep(18), bytes, at) }
  return { grayscale = n[1], rotation = { table.unpack(n, 2, 10) }, translation = { table.unpack(n, 11, 13) },
    scale = n[14], center = { table.unpack(n, 15, 17) }, radius = n[18] }
end

local function object_at(bytes, at, stop, with_geometry, halves)
  local n, levels, t0, o0, t1, o1, t2, o2, instances = unpack("<I4I4I4I4I4I4I4I4I4", bytes, at)
  local object = { num_vertices = n, lod_levels = levels, bands = { t0, t1, t2 }, band_offsets = { o0, o1, o2 },
    instances = {}, at = at }
  at = at + 36
  if instances * 72 + 8 > stop - at then return nil end
  for i = 1, instances do object.instances[i] = instance_at(bytes, at + 72 * (i - 1)) end
  at = at + 72 * instances
  object.desc = unpack("<i8", bytes, at)
  at = at + 8
  if not with_geometry then return object, at end
  local stride = (object.desc & 15) * 4 - (object.desc & FULL ~= 0 and halves and 8 or 0)
  if stride < 0 or (n > 0 and stride == 0) or n * stride + 6 * (t0 + t1 + t2) > stop - at then return nil end
  return object, put_geometry(object, bytes, at, stride)
end

-- The objects of a block that is laid out so; nil where it does not end where they do.
local function try(bytes, layout, halves)
  if #bytes < 32 then return nil end
  local count, at, entries = unpack("<I4", bytes, 29), 33, {}
  local stop = #bytes + 1
  if layout ~= "inline" then
    if 8 * count > stop - at then return nil end
    for i = 1, count do entries[i] = { unpack("<I4I4", bytes, at + 8 * (i - 1)) } end
    at = at + 8 * count
  end
  local objects = {}
  for i = 1, count do
    if stop - at < 44 then return nil end
    local object
    object, at = object_at(bytes, at, stop, layout ~= "shared", halves)
    if not object then return nil end
    if entries[i] then object.hash, object.offset = entries[i][1], entries[i][2] end
    objects[i] = object
  end
  return at == stop and objects or nil
end

--- The packed geometry of a block's bytes, or nil.
function packed_reader.block(type_name, bytes)
  for _, layout in ipairs(ORDER[type_name]) do
    local objects = try(bytes, layout, false) or layout ~= "shared" and try(bytes, layout, true) or nil
    if objects then
      local desc, vertices, triangles, amplitude, frequency = unpack("<i8I4I4ff", bytes, 5)
      return { type = type_name, layout = layout, objects = objects, vertex_desc = desc, num_vertices = vertices,
        num_triangles = triangles, leaf = { amplitude, frequency } }
    end
  end
  return nil
end

-- ---- shared geometry --------------------------------------------------------------------------------------

-- Whether all indices are those of vertices, and the last vertex is used.
local function indices_fit(object, stream, at)
  local words = 3 * packed_reader.band_total(object)
  if at - 1 + 2 * words > #stream then return false end
  local largest = -1
  for i = 0, words - 1 do largest = math.max(largest, (unpack("<I2", stream, at + 2 * i))) end
  return largest == object.num_vertices - 1
end

-- The bytes of a vertex, found as 5.4 says; or nil and why not.
local function stride_of(object, file)
  local whole = (object.desc & 15) * 4
  local short = object.desc & FULL ~= 0 and whole > 8 and whole - 8 or nil
  local i = file.row_at[object.offset]
  if not i then
    for _, stride in ipairs { whole, short } do
      if indices_fit(object, file.stream, object.offset + 1 + object.num_vertices * stride) then return stride end
    end
    return nil, "no row begins at its offset"
  end
  local row = file.rows[i]
  if row[3] ~= object.num_vertices or row[4] ~= 3 * packed_reader.band_total(object) then
    return nil, "its row has other counts"
  end
  local left = file.ends[i] - row[1] - 2 * row[4]
  if row[3] == 0 then return left == 0 and whole or nil, "bytes without vertices" end
  local stride = left // row[3]
  if left % row[3] == 0 and (stride == whole or stride == short) then return stride end
  return nil, "its row is of another size"
end

local function resolve(object, files)
  local file = files[object.hash]
  if not file then
    object.problem = "no such file"
    return
  end
  local stride, why = stride_of(object, file)
  object.problem = why
  if stride then
    put_geometry(object, file.stream, object.offset + 1, stride)
    object.problem = nil
  end
end

-- ---- files ------------------------------------------------------------------------------------------------

local SHAPES = { BSTriShape = true, BSMeshLODTriShape = true, BSSubIndexTriShape = true, BSDynamicTriShape = true }

-- A shape of Fallout 4 without vertices, and the numbers of its extra data.
local function shape_of(type_name, bytes)
  local count = unpack("<I4", bytes, 5)
  local extra = { unpack("<" .. ("i4"):rep(count), bytes, 9) }
  local x, y, z = unpack("<fff", bytes, extra[count + 1] + 8)
  local at = extra[count + 1] + 8 + 12 + 36 + 4 + 4
  extra[count + 1] = nil
  local a, b, c, radius = unpack("<ffff", bytes, at)
  local desc, triangles, vertices, size = unpack("<i8I4I2I4", bytes, at + 28)
  return { type = type_name, translation = { x, y, z }, center = { a, b, c }, radius = radius, desc = desc,
    num_triangles = triangles, num_vertices = vertices, data_size = size }, extra
end

--- All of a file, in the order of the blocks; see above. files: by hash, for the geometry of shared objects.
function packed_reader.read(bytes, files)
  local header, blocks, shapes = nif_reader.header(bytes), {}, {}
  local at = header.body_offset
  for i = 1, header.num_blocks do
    local name, size = header.block_types[(header.type_index[i] & 0x7FFF) + 1], header.block_sizes[i]
    local own = bytes:sub(at + 1, at + size)
    if ORDER[name] then
      local block = packed_reader.block(name, own) or false
      for _, object in ipairs(block and block.layout == "shared" and files and block.objects or {}) do
        resolve(object, files)
      end
      if block then block.number, block.size = i - 1, size end
      blocks[#blocks + 1] = block
    elseif SHAPES[name] and header.bs_version == 130 then
      local shape, extra = shape_of(name, own)
      shape.number = i - 1
      for _, number in ipairs(extra) do shapes[number] = shapes[number] or shape end
    end
    at = at + size
  end
  return blocks, shapes
end

-- ---- the world --------------------------------------------------------------------------------------------

--- Where an instance puts a point.
function packed_reader.moved(instance, p)
  local r, t, s, out = instance.rotation, instance.translation, instance.scale, {}
  for row = 1, 3 do
    out[row] = s * (r[3 * row - 2] * p[1] + r[3 * row - 1] * p[2] + r[3 * row] * p[3]) + t[row]
  end
  return out
end

--- Triangles of an object, where an instance puts them. bands: how many of them (3).
function packed_reader.world(object, instance, bands)
  local list, moved = {}, packed_reader.moved
  for i = 1, packed_reader.band_total(object, bands) do
    local t = object.triangles[i]
    list[i] = { moved(instance, object.positions[t[1] + 1]), moved(instance, object.positions[t[2] + 1]),
      moved(instance, object.positions[t[3] + 1]) }
  end
  return list
end

--- Vertices and triangles of all instances of all objects.
function packed_reader.totals(block)
  local vertices, triangles = 0, 0
  for _, object in ipairs(block.objects) do
    vertices = vertices + object.num_vertices * #object.instances
    triangles = triangles + packed_reader.band_total(object) * #object.instances
  end
  return vertices, triangles
end

return packed_reader
