--- Buckets: the content of one shape in a group file. All of it has one material and one vertex layout.
-- @module lathe.formats.nif.precombine.bucket

local place = require "lathe.formats.nif.precombine.place"

local bucket = {}

--- The maximum number of vertices in a bucket; the game counts them in 16 bits.
bucket.MOST_VERTICES = 65534

local Buckets = {}
Buckets.__index = Buckets

--- Starts a list of buckets.
-- @treturn Buckets a list; fill it with `add`
function bucket.list()
  return setmetatable({ by_key = {} }, Buckets)
end

-- The current bucket for instances of a kind. Two keys are used, because joining them to one text would be
-- slow.
function Buckets:find(object, leaf)
  local by_leaf = self.by_key[object.key]
  return by_leaf and by_leaf[leaf[1]] and by_leaf[leaf[1]][leaf[2]]
end

local function below(list, key)
  list[key] = list[key] or {}
  return list[key]
end

function Buckets:open(object, leaf)
  local new = { material = object.material, runtime = object.runtime, leaf = leaf, objects = {},
    by_object = {}, num_vertices = 0, num_triangles = 0, bands = { 0, 0, 0 }, lod = false }
  self[#self + 1] = new
  below(below(self.by_key, object.key), leaf[1])[leaf[2]] = new
  return new
end

-- The instances of an object in a bucket.
local function instances_of(one, object)
  local entry = one.by_object[object]
  if not entry then
    entry = { object = object, instances = {} }
    one.by_object[object] = entry
    one.objects[#one.objects + 1] = entry
  end
  return entry.instances
end

--- Adds an instance. If the bucket is full, starts another one with the same material.
-- @tparam table object of a model
-- @tparam table where its transform
-- @tparam table how `grayscale_to_palette` (nil: as the shader says) and `leaf`, two numbers
function Buckets:add(object, where, how)
  local one = self:find(object, how.leaf)
  if not one or one.num_vertices + object.num_vertices > bucket.MOST_VERTICES then
    one = self:open(object, how.leaf)
  end
  local instances = instances_of(one, object)
  local palette = how.grayscale_to_palette or object.material.shader.body.grayscale_to_palette
  instances[#instances + 1] = { place = where, grayscale_to_palette = palette }
  one.num_vertices = one.num_vertices + object.num_vertices
  one.num_triangles = one.num_triangles + object.num_triangles
  one.lod = one.lod or object.lod
  for i = 1, 3 do one.bands[i] = one.bands[i] + object.bands[i] end
end

--- All points of a bucket in world space.
-- @tparam table one
-- @treturn {number,...} flat
function bucket.points(one)
  local points, n = {}, 0
  for _, entry in ipairs(one.objects) do
    local positions = entry.object.positions
    for _, instance in ipairs(entry.instances) do
      place.points(instance.place, positions, points, n)
      n = n + #positions
    end
  end
  return points
end

return bucket
