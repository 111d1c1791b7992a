--- Judges group NIFs of precombined meshes, for tests: whether totals, bands and spheres are what the geometry says, by
-- readers in plain Lua that share no code with lathe. Reference: formats/precombined.md.
--
--    assert.same({}, packed_judge.problems(bytes))

local nif_reader = require "nif_reader"
local packed_reader = require "packed_reader"
local sample_boxes = require "sample_boxes"

local packed_judge = {}

local function off(a, b, far) return math.abs(a - b) > 2e-3 + 1e-5 * math.abs(far) end

-- The points of an object, where an instance puts them.
local function points_of(object, instance, into)
  local place = { transform = instance }
  for _, p in ipairs(object.positions) do into[#into + 1] = sample_boxes.put(place, p) end
  return into
end

local function judge_sphere(say, what, points, center, radius, tight)
  local most = 0
  for _, p in ipairs(points) do
    most = math.max(most, math.sqrt((p[1] - center[1]) ^ 2 + (p[2] - center[2]) ^ 2 + (p[3] - center[3]) ^ 2))
  end
  local far = most + math.abs(center[1]) + math.abs(center[2]) + math.abs(center[3])
  if tight and off(most, radius, far) or (most > radius and off(most, radius, far)) then
    say("%s: radius %.9g, but the farthest vertex is at %.9g", what, radius, most)
  end
end

local function judge_object(say, what, object, at, bytes)
  local before = 0
  for k = 1, 3 do
    local offset = string.unpack("<I4", bytes, at + 12 + 8 * (k - 1))
    if object.bands[k] > 0 and offset ~= 3 * before then say("%s: band %d begins at %d", what, k - 1, offset) end
    before = before + object.bands[k]
  end
  for i, instance in ipairs(object.instances) do
    if object.positions and #object.positions > 0 then
      judge_sphere(say, ("%s instance %d"):format(what, i), points_of(object, instance, {}), instance.center,
        instance.radius, true)
    end
  end
end

-- What a block's objects have, all instances counted; and their points.
local function totals_of(objects)
  local t = { vertices = 0, triangles = 0, bands = { 0, 0, 0 }, points = {}, here = true }
  for _, object in ipairs(objects) do
    t.here = t.here and object.positions ~= nil
    t.vertices = t.vertices + object.num_vertices * #object.instances
    for k = 1, 3 do
      t.bands[k] = t.bands[k] + object.bands[k] * #object.instances
      t.triangles = t.triangles + object.bands[k] * #object.instances
    end
    for _, instance in ipairs(object.positions and object.instances or {}) do points_of(object, instance, t.points) end
  end
  return t
end

local function judge_shape(say, what, shape, t, desc, turned)
  local v = shape.values
  if v.num_vertices ~= t.vertices then say("%s: num_vertices %d of %d", what, v.num_vertices, t.vertices) end
  if v.num_triangles ~= t.triangles then say("%s: num_triangles %d of %d", what, v.num_triangles, t.triangles) end
  if v.vertex_desc ~= desc then say("%s: vertex_desc 0x%X, its block has 0x%X", what, v.vertex_desc, desc) end
  for k = 1, v.lod0_triangles and 3 or 0 do
    local n = v[("lod%d_triangles"):format(k - 1)]
    if n ~= t.bands[k] then say("%s: lod%d_triangles %d of %d", what, k - 1, n, t.bands[k]) end
  end
  if not t.here or not t.points[1] then return end
  local middle, radius = sample_boxes.sphere(t.points)
  local bounds, place = v.bounds, v.translation
  local at = { place[1] or place.x, place[2] or place.y, place[3] or place.z }
  for k = 1, 3 do
    if not turned and off(at[k], middle[k], radius) then
      say("%s: it is at %.9g, the middle at %.9g", what, at[k], middle[k])
    end
  end
  judge_sphere(say, what, t.points, at, bounds.radius, not turned)
end

--- What is wrong in a file, as a list of texts. turned: spheres of shapes need only hold the vertices, as they do where
-- what they were around was turned.
function packed_judge.problems(bytes, turned)
  local file, list = nif_reader.read(bytes), {}
  local function say(...) list[#list + 1] = string.format(...) end
  for i, shape in ipairs(file.blocks) do
    for _, number in ipairs(shape.values and shape.values.extra_data_list or {}) do
      local block = file.blocks[number + 1]
      if block and block.type:find("^BSPackedCombined") then
        local own = bytes:sub(block.at + 1, block.at + block.size)
        local packed = packed_reader.block(block.type, own)
        if not packed then say("block %d fits no layout", number + 1) return list end
        local t, what = totals_of(packed.objects), ("block %d"):format(number + 1)
        local desc, n, m = string.unpack("<I8I4I4", own, 5)
        if n ~= t.vertices then say("%s: num_vertices %d of %d", what, n, t.vertices) end
        if m ~= t.triangles then say("%s: num_triangles %d of %d", what, m, t.triangles) end
        for k, object in ipairs(packed.objects) do
          judge_object(say, ("%s object %d"):format(what, k), object, object.at, own)
        end
        judge_shape(say, ("block %d"):format(i), shape, t, desc, turned)
      end
    end
  end
  return list
end

return packed_judge
