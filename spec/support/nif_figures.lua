--- The corpus of NIF and its figures: what an independent parser (`header`) and an independent library (`shapes`)
-- found.
--
--    local figures = require "nif_figures"
--    for _, entry in ipairs(figures.files(pending)) do … entry.name, entry.path, entry.wanted, entry:bytes() end
--    figures.shapes(name, type, mesh, shape)          -- mesh: of nif_shapes, or of the same shape

local assert = require "luassert"
local helper = require "helper"
local json = require "dkjson"

local figures = {}

local Entry = {}
Entry.__index = Entry

function Entry:bytes()
  return helper.read(self.path)
end

local function list(folder)
  local entries = {}
  for _, name in ipairs(helper.list(folder, "%.nif$")) do
    local entry = setmetatable({ name = name, path = folder .. "/" .. name }, Entry)
    entry.wanted = assert(json.decode(helper.read(("%s/expected/%s.json"):format(folder, name)), 1, nil))
    entries[#entries + 1] = entry
  end
  assert(#entries > 0, folder .. " is empty")
  return entries
end

--- The 115 files, whose figures have `header` and, where the library could read the file, `shapes`.
function figures.files(pending)
  return list(helper.need_corpus("nif", pending))
end

--- The 40 files of Fallout 4, whose figures are of their collision.
function figures.collision_files(pending)
  return list(helper.need_corpus("nif-fo4-collision", pending))
end

--- Calls test(entry) for each; what goes wrong is said with the file's name. Gives how many there were.
function figures.each(entries, test)
  for _, entry in ipairs(entries) do
    local ok, err = pcall(test, entry)
    if not ok then error(entry.name .. ": " .. tostring(err), 0) end
  end
  return #entries
end

--- The stored links of block i (from 1), { { number, "ref" | "ptr" }, … }, or nil where nobody knows.
function figures.block_refs(entry, i)
  local refs = entry.wanted.header.block_refs
  return refs and refs[i] or nil
end

-- ---- shapes ---------------------------------------------------------------------------------------

--- The library shows what Starfield packs in units of the game; and reads 16 bits as other than the reference.
local STARFIELD = 69.969

local function numbers(v)
  return v and { v.x or v.u or v[1], v.y or v.v or v[2], v.z or v[3] }
end

local function near(wanted, got, limit, label)
  if not wanted then return end
  if not got then error(label .. ": there is none", 0) end
  for i, number in ipairs(wanted) do
    local off = math.abs(number - got[i])
    if off ~= off or off > limit * math.max(1, math.abs(number)) then
      error(("%s[%d]: %.9g instead of %.9g"):format(label, i, got[i], number), 0)
    end
  end
end

local function summed(points, factor)
  local sum = { 0, 0, 0 }
  for _, p in ipairs(points) do
    for i, number in ipairs(numbers(p)) do sum[i] = sum[i] + number * factor end
  end
  return sum
end

local function scaled(v, factor)
  local list_of = numbers(v)
  for i, number in ipairs(list_of or {}) do list_of[i] = number * factor end
  return list_of
end

--- Compares lists of positions, uvs, normals (records by name, or lists) and triangles (from 0) with the figures of
-- a shape.
function figures.shape(wanted, mesh)
  local packed = wanted.type == "BSGeometry"
  local factor, limit = packed and STARFIELD or 1, packed and 5e-5 or 1e-7
  local positions, triangles = mesh.positions or {}, mesh.triangles or {}
  assert.equal(wanted.verts_read, #positions, wanted.name)
  assert.equal(wanted.tris_read, #triangles, wanted.name)
  near(wanted.first_vertex, scaled(positions[1], factor), limit, "first vertex")
  near(wanted.last_vertex, scaled(positions[#positions], factor), limit, "last vertex")
  near(wanted.vertex_sum, summed(positions, factor), packed and limit * #positions or limit, "sum of vertices")
  near(wanted.first_triangle, triangles[1], 0, "first triangle")
  near(wanted.last_triangle, triangles[#triangles], 0, "last triangle")
  local uvs, normals = mesh.uvs or {}, mesh.normals or {}
  near(wanted.first_uv, numbers(uvs[1]), 1e-7, "first uv")
  near(wanted.last_uv, numbers(uvs[#uvs]), 1e-7, "last uv")
  near(wanted.first_normal, numbers(normals[1]), 1e-6, "first normal")
end

return figures
