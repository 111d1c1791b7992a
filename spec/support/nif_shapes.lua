--- The geometry of shapes as nif_reader finds it: for figures to be compared with.
--
--    local mesh = shapes.geometry(file, block)            -- file: of reader.read
--    mesh.positions[i].x, mesh.uvs[i].u, mesh.normals[i].x, mesh.triangles[k][1]    -- from 0, as stored
--
-- Lists that a shape has not are nil. Where the vertices of a skinned shape of Skyrim SE are in its partitions, they
-- come from there.

local shapes = {}

local function block_of(file, number)
  return number and number >= 0 and file.blocks[number + 1] or nil
end

local function column(vertices, name)
  if not vertices[1] or vertices[1][name] == nil then return nil end
  local list = {}
  for i, vertex in ipairs(vertices) do list[i] = vertex[name] end
  return list
end

local function from_vertices(vertices, triangles)
  return { positions = column(vertices, "position"), uvs = column(vertices, "uv"),
    normals = column(vertices, "normal"), triangles = triangles }
end

--- Triangles of strips: every other one is turned, those without an area are left out.
function shapes.unstrip(lengths, points)
  local triangles, at = {}, 0
  for _, length in ipairs(lengths) do
    for i = 1, length - 2 do
      local a, b, c = points[at + i], points[at + i + 1], points[at + i + 2]
      if i % 2 == 0 then b, c = c, b end
      if a ~= b and b ~= c and c ~= a then triangles[#triangles + 1] = { a, b, c } end
    end
    at = at + length
  end
  return triangles
end

local function partition_of(file, shape)
  local skin = block_of(file, shape.values.skin)
  return skin and block_of(file, skin.values.skin_partition)
end

local function from_partition(partition)
  local triangles = {}
  for _, part in ipairs(partition.values.partitions) do
    for _, t in ipairs(part.triangles_copy or {}) do triangles[#triangles + 1] = t end
  end
  return from_vertices(partition.values.vertices or {}, triangles)
end

local function tri_shape(file, shape)
  local v = shape.values
  local partition = file.bs_version == 100 and partition_of(file, shape)
  local mesh = partition and from_partition(partition) or from_vertices(v.vertices or {}, v.triangles or {})
  if v.dynamic_vertices then mesh.positions = v.dynamic_vertices end
  return mesh
end

local function old_shape(file, shape)
  local data = block_of(file, shape.values.data)
  local v = data and data.values or {}
  local mesh = { positions = v.vertices, normals = v.normals, triangles = v.triangles }
  if v.points then mesh.triangles = shapes.unstrip(v.strip_lengths, v.points) end
  if v.uvs and v.uvs[1] then
    mesh.uvs = {}
    for i = 1, v.num_vertices do mesh.uvs[i] = { u = v.uvs[i].x, v = v.uvs[i].y } end
  end
  return mesh
end

-- Where Starfield's mesh is in a file of its own there are no lists at all.
local function sf_shape(_, shape)
  local data = shape.values.slots[1].data
  if not data then return {} end
  local mesh = { positions = {}, uvs = {}, normals = {}, triangles = data.triangles }
  for i = 1, data.n_vert do
    local at, f = 3 * (i - 1), data.scale / 32767
    mesh.positions[i] = { x = data.vertices[at + 1] * f, y = data.vertices[at + 2] * f, z = data.vertices[at + 3] * f }
  end
  for i = 1, data.n_uv do mesh.uvs[i] = { u = data.uv[2 * i - 1], v = data.uv[2 * i] } end
  for i, bits in ipairs(data.normals) do
    mesh.normals[i] = { x = (bits & 1023) / 511.5 - 1, y = (bits >> 10 & 1023) / 511.5 - 1,
      z = (bits >> 20 & 1023) / 511.5 - 1 }
  end
  return mesh
end

--- What a block shows; nil where it is no shape, or its data are not described.
function shapes.geometry(file, block)
  local v = block.values
  if not v then return nil end
  if v.slots then return sf_shape(file, block) end
  if v.vertex_desc and v.num_triangles then return tri_shape(file, block) end
  if v.data and v.data >= 0 and block_of(file, v.data) and block_of(file, v.data).values.has_vertices ~= nil then
    return old_shape(file, block)
  end
  return nil
end

return shapes
