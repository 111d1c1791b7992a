--- Reads precombined geometry of Fallout 4 in plain Lua, for tests: shares no code with lathe, and asks no table of
-- core/nif/schema. Reference: formats/precombined.md.
--
--    local blocks = packed_reader.read(bytes)       -- of a whole .nif
--    blocks[1].layout                               -- "inline", "shared", "inline+table"
--    blocks[1].objects[i]                           -- { positions, triangles, instances, hash, offset, bands }
--    packed_reader.world(object, instance)          -- its triangles as { {x, y, z}, {x, y, z}, {x, y, z} }

local kinds = require "nif_kinds"
local nif_reader = require "nif_reader"

local packed_reader = {}

local ORDER = {
  BSPackedCombinedGeomDataExtra = { "inline", "inline+table", "shared" },
  BSPackedCombinedSharedGeomDataExtra = { "shared", "inline+table", "inline" },
}

-- The numbers of an instance: rotation in rows, translation, scale.
local function instance_at(bytes, at)
  local n = { string.unpack("<" .. ("f"):rep(18), bytes, at) }
  return { rotation = { table.unpack(n, 2, 10) }, translation = { table.unpack(n, 11, 13) }, scale = n[14],
    center = { table.unpack(n, 15, 17) }, radius = n[18] }
end

local function half_at(bytes, at)
  return kinds.half((string.unpack("<I2", bytes, at)))
end

local function positions_of(bytes, at, count, stride, floats)
  local list = {}
  for i = 1, count do
    local from = at + (i - 1) * stride
    if floats then
      list[i] = { string.unpack("<fff", bytes, from) }
    else
      list[i] = { half_at(bytes, from), half_at(bytes, from + 2), half_at(bytes, from + 4) }
    end
    list[i][4] = nil
  end
  return list
end

local function object_at(bytes, at, stop, with_geometry, halves)
  local n, _, t0, _, t1, _, t2, _, instances = string.unpack("<I4I4I4I4I4I4I4I4I4", bytes, at)
  local object = { num_vertices = n, bands = { t0, t1, t2 }, instances = {}, at = at }
  at = at + 36
  if instances * 72 + 8 > stop - at then return nil end
  for i = 1, instances do object.instances[i] = instance_at(bytes, at + 72 * (i - 1)) end
  at = at + 72 * instances
  object.desc = string.unpack("<I8", bytes, at)
  at = at + 8
  if not with_geometry then return object, at end
  local floats = object.desc >> 54 & 1 == 1
  object.stride = (object.desc & 15) * 4 - (floats and halves and 8 or 0)
  local triangles = t0 + t1 + t2
  if n * object.stride + 6 * triangles > stop - at then return nil end
  object.positions = positions_of(bytes, at, n, object.stride, floats and not halves)
  at = at + n * object.stride
  object.triangles = {}
  for i = 1, triangles do object.triangles[i] = { string.unpack("<I2I2I2", bytes, at + 6 * (i - 1)) } end
  return object, at + 6 * triangles
end

-- The objects of a block that is laid out so; nil where it does not end where they do.
local function try(bytes, layout, halves)
  if #bytes < 32 then return nil end
  local count, at, entries = string.unpack("<I4", bytes, 29), 33, {}
  local stop = #bytes + 1
  if layout ~= "inline" then
    if 8 * count > stop - at then return nil end
    for i = 1, count do entries[i] = { string.unpack("<I4I4", bytes, at + 8 * (i - 1)) } end
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

--- The packed geometry of a block's bytes: { layout, objects }, or nil.
function packed_reader.block(type_name, bytes)
  for _, layout in ipairs(ORDER[type_name]) do
    local objects = try(bytes, layout, false) or layout ~= "shared" and try(bytes, layout, true) or nil
    if objects then return { layout = layout, objects = objects } end
  end
  return nil
end

--- All of a file, in the order of the blocks; false for one of no layout.
function packed_reader.read(bytes)
  local header, blocks = nif_reader.header(bytes), {}
  local at = header.body_offset
  for i = 1, header.num_blocks do
    local name, size = header.block_types[(header.type_index[i] & 0x7FFF) + 1], header.block_sizes[i]
    if ORDER[name] then blocks[#blocks + 1] = packed_reader.block(name, bytes:sub(at + 1, at + size)) or false end
    at = at + size
  end
  return blocks
end

local function moved(instance, p)
  local r, t, s, out = instance.rotation, instance.translation, instance.scale, {}
  for row = 1, 3 do
    out[row] = s * (r[3 * row - 2] * p[1] + r[3 * row - 1] * p[2] + r[3 * row] * p[3]) + t[row]
  end
  return out
end

--- Triangles of an object, where an instance puts them. bands: how many of them (3).
function packed_reader.world(object, instance, bands)
  local list, count = {}, 0
  for i = 1, bands or 3 do count = count + object.bands[i] end
  for i = 1, count do
    local t = object.triangles[i]
    list[i] = { moved(instance, object.positions[t[1] + 1]), moved(instance, object.positions[t[2] + 1]),
      moved(instance, object.positions[t[3] + 1]) }
  end
  return list
end

return packed_reader
