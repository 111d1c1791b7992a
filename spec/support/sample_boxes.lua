--- Group NIFs of precombined meshes whose figures are right, for tests: spheres, totals and bands are worked out here,
-- in plain Lua. Reference: formats/precombined.md.
--
--    local bytes = sample_boxes.group { layout = "inline", buckets = { { objects = { sample_boxes.box { ... } } } } }
--    sample_boxes.box { size = { 2, 4, 6 }, at = { 0, 0, 1 }, instances = { place, … }, bands = { 4, 0, 8 } }
--    sample_boxes.place { x, y, z, turn = 90, scale = 2 }     -- turned about z

local sample = require "sample_nif"

local sample_boxes = {}

sample_boxes.HASH = 0xDDF19A67
sample_boxes.SHORT, sample_boxes.LONG = 0x0000900000020003, 0x0001B00000430205
sample_boxes.FULL_SHORT, sample_boxes.FULL_LONG = 0x0040900000040005, 0x0041B00000650407

local TYPES <const> = { inline = "BSPackedCombinedGeomDataExtra", shared = "BSPackedCombinedSharedGeomDataExtra",
  ["inline+table"] = "BSPackedCombinedSharedGeomDataExtra" }
local BITS <const> = { inline = 1, shared = 2, ["inline+table"] = 3 }

--- An instance without a sphere.
function sample_boxes.place(t)
  local angle = math.rad(t.turn or 0)
  local c, s = math.cos(angle), math.sin(angle)
  return { grayscale_to_palette = t.gray or 1, transform = { rotation = { c, -s, 0, s, c, 0, 0, 0, 1 },
    translation = { t[1], t[2], t[3] }, scale = t.scale or 1 } }
end

--- Where an instance puts a point.
function sample_boxes.put(place, p)
  local r, t, s, out = place.transform.rotation, place.transform.translation, place.transform.scale, {}
  for row = 1, 3 do
    out[row] = s * (r[3 * row - 2] * p[1] + r[3 * row - 1] * p[2] + r[3 * row] * p[3]) + t[row]
  end
  return out
end

--- The middle of the box around points, and the distance to the farthest.
function sample_boxes.sphere(points)
  local low, high, center, radius = { table.unpack(points[1]) }, { table.unpack(points[1]) }, {}, 0
  for _, p in ipairs(points) do
    for k = 1, 3 do low[k], high[k] = math.min(low[k], p[k]), math.max(high[k], p[k]) end
  end
  for k = 1, 3 do center[k] = (low[k] + high[k]) / 2 end
  for _, p in ipairs(points) do
    radius = math.max(radius, math.sqrt((p[1] - center[1]) ^ 2 + (p[2] - center[2]) ^ 2 + (p[3] - center[3]) ^ 2))
  end
  return center, radius
end

local CORNERS <const> = { { 0, 1, 2 }, { 1, 3, 2 }, { 4, 6, 5 }, { 5, 6, 7 }, { 0, 4, 1 }, { 1, 4, 5 },
  { 2, 3, 6 }, { 3, 7, 6 }, { 0, 2, 4 }, { 2, 6, 4 }, { 1, 5, 3 }, { 3, 5, 7 } }

--- A box of 8 vertices and 12 triangles.
function sample_boxes.box(t)
  local size, at, bands = t.size or { 2, 2, 2 }, t.at or { 0, 0, 0 }, t.bands or { 12, 0, 0 }
  local one = { points = {}, triangles = CORNERS, bands = bands, instances = t.instances or {}, desc = t.desc }
  for i = 0, 7 do
    one.points[i + 1] = { at[1] + size[1] * ((i & 1) - 0.5), at[2] + size[2] * ((i >> 1 & 1) - 0.5),
      at[3] + size[3] * ((i >> 2) - 0.5) }
  end
  return one
end

local function vertex(p, long)
  return { position = { x = p[1], y = p[2], z = p[3] }, bitangent_x = 1, uv = long and { u = 0.25, v = 2 } or nil,
    normal = { x = 1, y = -1, z = 1 }, bitangent_y = -1, tangent = long and { x = -1, y = 1, z = -1 } or nil,
    bitangent_z = long and 1 or nil }
end

-- An object as nested values, with the spheres of its instances.
local function object_of(one, layout)
  local desc, b = one.desc or sample_boxes.SHORT, one.bands
  local out = { num_vertices = #one.points, lod_levels = 3, tri_count0 = b[1], tri_offset0 = 0, tri_count1 = b[2],
    tri_offset1 = b[2] > 0 and 3 * b[1] or 0, tri_count2 = b[3], tri_offset2 = b[3] > 0 and 3 * (b[1] + b[2]) or 0,
    num_combined = #one.instances, combined = {}, vertex_desc = desc }
  local center, radius = sample_boxes.sphere(one.points)
  for i, place in ipairs(one.instances) do
    local at = sample_boxes.put(place, center)
    out.combined[i] = { grayscale_to_palette = place.grayscale_to_palette, transform = place.transform,
      bounds = { center = { at[1], at[2], at[3] }, radius = radius * math.abs(place.transform.scale) } }
  end
  if layout ~= "shared" then
    out.vertices, out.triangles = {}, one.triangles
    for i, p in ipairs(one.points) do out.vertices[i] = vertex(p, desc ~= sample_boxes.SHORT) end
  end
  return out
end

-- Shape and block of a bucket: the block's number is the shape's + 1.
local function bucket_of(bucket, layout, number)
  local world, vertices, bands, long, data, rows = {}, 0, { 0, 0, 0 }, false, {}, {}
  for i, one in ipairs(bucket.objects) do
    data[i], rows[i] = object_of(one, layout), { geometry_file_hash = sample_boxes.HASH, data_offset = 1000 * i }
    long = long or one.desc == sample_boxes.LONG
    vertices = vertices + #one.points * #one.instances
    for k = 1, 3 do bands[k] = bands[k] + one.bands[k] * #one.instances end
    for _, place in ipairs(one.instances) do
      for _, p in ipairs(one.points) do world[#world + 1] = sample_boxes.put(place, p) end
    end
  end
  local center, radius = { 0, 0, 0 }, 0
  if world[1] then center, radius = sample_boxes.sphere(world) end
  local desc, triangles = long and sample_boxes.FULL_LONG or sample_boxes.FULL_SHORT, bands[1] + bands[2] + bands[3]
  local shape = { type = bucket.lod and "BSMeshLODTriShape" or "BSTriShape", flags = 526, extra_data_list = { number + 1 },
    translation = center, bounds = { center = { 0, 0, 0 }, radius = radius }, vertex_desc = desc, num_vertices = vertices,
    num_triangles = triangles, data_size = 0, lod0_triangles = bands[1], lod1_triangles = bands[2],
    lod2_triangles = bands[3] }
  local block = { type = TYPES[layout], layout_bits = BITS[layout], name = "PCD", vertex_desc = desc,
    num_vertices = vertices, num_triangles = triangles, leaf_amplitude = 0, leaf_frequency = 0, num_data = #data,
    data = data, objects = layout ~= "inline" and rows or nil }
  return shape, block
end

--- A whole file: { layout =, buckets = { { objects =, lod = }, … }, more = { blocks behind the others }, change =
-- function (shape, block) }. Blocks 1 and 2 are nodes; shapes are blocks 3, 5, …, their geometry 4, 6, ….
function sample_boxes.group(t)
  local children, blocks = {}, { { type = "BSFadeNode", name = "GROUP", children = { 1 } }, { type = "NiNode" } }
  for i, bucket in ipairs(t.buckets) do
    local number = 2 * i
    blocks[number + 1], blocks[number + 2] = bucket_of(bucket, t.layout or "inline", number)
    if t.change then t.change(blocks[number + 1], blocks[number + 2]) end
    children[i] = number
  end
  blocks[2].children = children
  for _, block in ipairs(t.more or {}) do blocks[#blocks + 1] = block end
  return (sample.build { game = "fo4", strings = { "PCD", "GROUP" }, blocks = blocks })
end

return sample_boxes
