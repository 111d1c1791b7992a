--- Cleans the attributes of a mesh for formats that require finite numbers, unit normals and weights with a
-- sum of 1: flat lists of numbers.
-- @module lathe.export.geometry

local matrix = require "lathe.export.matrix"

local geometry = {}

local LARGEST = matrix.LARGEST
local UNIT = 1e-6 -- tolerance of a squared length before it is normalised
local CONTRADICT = -0.5 -- agreement of normals and triangles (1 to -1) below which they contradict

local function finite(v) return v >= -LARGEST and v <= LARGEST end

local function all_finite(list, from, to)
  for i = from, to do
    if not finite(list[i]) then return false end
  end
  return true
end

local WHOLE = { indices = true, joints = true, triangle_materials = true }

-- The values of a mesh's buffer with `rows` rows as a flat list.
local function values(mesh, name, columns, rows)
  local buffer = mesh[name]
  if buffer == nil then return nil end
  if type(buffer) ~= "userdata" or buffer.columns ~= columns or rows and buffer.rows ~= rows then
    error(("%s of a mesh: a buffer of %s rows by %d columns expected"):format(name, rows or "any",
      columns), 0)
  end
  if WHOLE[name] and buffer.type:sub(1, 1) == "f" then error(name .. " of a mesh: integers expected", 0) end
  return buffer:totable()
end

-- ---- positions and triangles ----------------------------------------------------------------------

local function bad_vertices(positions, count)
  local bad, any = {}, false
  for v = 0, count - 1 do
    if not all_finite(positions, 3 * v + 1, 3 * v + 3) then bad[v], any = true, true end
  end
  return bad, any
end

-- Triangles with existing, finite corners; how many others there are; the materials of the kept ones, if any;
-- and the numbers of the kept ones, from 1, if there are others.
local function good_triangles(indices, count, bad, materials)
  local kept, dropped, made_of, numbers = {}, 0, materials and {}, nil
  local function is_good(v) return v >= 0 and v < count and not bad[v] end
  for i = 1, #indices, 3 do
    local a, b, c = indices[i], indices[i + 1], indices[i + 2]
    if is_good(a) and is_good(b) and is_good(c) then
      local n = #kept
      kept[n + 1], kept[n + 2], kept[n + 3] = a, b, c
      if made_of then made_of[n // 3 + 1] = materials[i // 3 + 1] end
      if numbers then numbers[n // 3 + 1] = i // 3 + 1 end
    else
      dropped = dropped + 1
      if not numbers then
        numbers = {}
        for before = 1, #kept // 3 do numbers[before] = before end
      end
    end
  end
  return kept, dropped, made_of, numbers
end

-- Moves vertices that no kept triangle uses to the position of another one, so that they are invisible and do
-- not affect bounds.
local function replace(positions, bad, good)
  for v in pairs(bad) do
    for k = 1, 3 do positions[3 * v + k] = positions[3 * good + k] end
  end
end

-- ---- normals --------------------------------------------------------------------------------------

local function cross_of(p, a, b, c)
  a, b, c = 3 * a, 3 * b, 3 * c
  local ax, ay, az = p[a + 1], p[a + 2], p[a + 3]
  local ux, uy, uz = p[b + 1] - ax, p[b + 2] - ay, p[b + 3] - az
  local vx, vy, vz = p[c + 1] - ax, p[c + 2] - ay, p[c + 3] - az
  return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
end

-- Sums of the face normals around each vertex.
local function face_sums(part)
  local sums, p, indices = {}, part.positions, part.indices
  for i = 1, 3 * part.count do sums[i] = 0 end
  for i = 1, #indices, 3 do
    local x, y, z = cross_of(p, indices[i], indices[i + 1], indices[i + 2])
    for k = i, i + 2 do
      local v = 3 * indices[k]
      sums[v + 1], sums[v + 2], sums[v + 3] = sums[v + 1] + x, sums[v + 2] + y, sums[v + 3] + z
    end
  end
  return sums
end

-- Normalises the three numbers from i on; false if they have no direction.
local function make_unit(list, i)
  local x, y, z = list[i], list[i + 1], list[i + 2]
  local square = x * x + y * y + z * z
  if math.abs(square - 1) <= UNIT then return true end
  local has_direction = square > 1e-30 and square < math.huge -- not for NaN
  if not has_direction then return false end
  local length = math.sqrt(square)
  list[i], list[i + 1], list[i + 2] = x / length, y / length, z / length
  return true
end

--- Normalises all normals; one without a direction is computed from the triangles around it.
-- @tparam table part
-- @tparam {number,...} normals
-- @treturn integer how many had none
function geometry.unit_normals(part, normals)
  local sums, replaced = nil, 0
  for v = 0, part.count - 1 do
    local i = 3 * v + 1
    if not make_unit(normals, i) then
      sums = sums or face_sums(part)
      replaced = replaced + 1
      for k = 0, 2 do normals[i + k] = sums[i + k] end
      if not make_unit(normals, i) then normals[i], normals[i + 1], normals[i + 2] = 0, 0, 1 end
    end
  end
  return replaced
end

-- Agreement of normals and triangles: 1 if they face the same way, -1 if they are opposite.
local function agreement(part)
  local p, n, indices = part.positions, part.normals, part.indices
  local sum, whole = 0, 0
  for i = 1, #indices, 3 do
    local a, b, c = indices[i], indices[i + 1], indices[i + 2]
    local x, y, z = cross_of(p, a, b, c)
    a, b, c = 3 * a, 3 * b, 3 * c
    local with = x * (n[a + 1] + n[b + 1] + n[c + 1]) + y * (n[a + 2] + n[b + 2] + n[c + 2])
      + z * (n[a + 3] + n[b + 3] + n[c + 3])
    sum, whole = sum + with, whole + math.abs(with)
  end
  return whole > 0 and sum / whole or 1
end

-- Six times the volume enclosed by the triangles: negative if they face inwards.
local function volume(part)
  local p, indices = part.positions, part.indices
  local cx, cy, cz, sum = 0, 0, 0, 0
  for _, v in ipairs(indices) do
    cx, cy, cz = cx + p[3 * v + 1], cy + p[3 * v + 2], cz + p[3 * v + 3]
  end
  cx, cy, cz = cx / #indices, cy / #indices, cz / #indices
  for i = 1, #indices, 3 do
    local x, y, z = cross_of(p, indices[i], indices[i + 1], indices[i + 2])
    local a = 3 * indices[i]
    sum = sum + x * (p[a + 1] - cx) + y * (p[a + 2] - cy) + z * (p[a + 3] - cz)
  end
  return sum
end

--- Reverses the winding of triangles.
-- @tparam {integer,...} indices
function geometry.reverse(indices)
  for i = 1, #indices, 3 do indices[i + 1], indices[i + 2] = indices[i + 2], indices[i + 1] end
end

-- Some games draw the back of triangles, or light them from behind; viewers do not. If normals and triangles
-- contradict each other, reverses those that face inwards.
local function turn_outwards(part)
  if agreement(part) > CONTRADICT then return nil end
  if volume(part) < 0 then
    geometry.reverse(part.indices)
    return "triangles faced away from their normals, and were turned round"
  end
  for i, v in ipairs(part.normals) do part.normals[i] = 0 - v end
  for i = 4, part.tangents and #part.tangents or 0, 4 do part.tangents[i] = -part.tangents[i] end
  return "normals looked away from the front of their triangles, and were turned round"
end

-- ---- other attributes -----------------------------------------------------------------------------

-- A direction orthogonal to a normal.
local function any_tangent(x, y, z)
  if math.abs(x) < 0.5 then return 0, -z, y end
  return z, 0, -x
end

local function clean_tangents(part, tangents)
  for v = 0, part.count - 1 do
    local i, n = 4 * v + 1, 3 * v
    if not make_unit(tangents, i) then
      tangents[i], tangents[i + 1], tangents[i + 2] =
        any_tangent(part.normals[n + 1], part.normals[n + 2], part.normals[n + 3])
      make_unit(tangents, i)
    end
    tangents[i + 3] = tangents[i + 3] < 0 and -1 or 1
  end
end

-- Replaces invalid numbers; returns how many were NaN or out of range.
local function clean(list, low, high)
  local odd = 0
  for i = 1, #list do
    local v = list[i]
    if not finite(v) then
      list[i], odd = 0, odd + 1
    elseif v < low or v > high then
      list[i] = math.max(low, math.min(high, v))
    end
  end
  return odd
end

-- Cleans a row of joints and weights: each bone occurs once, entries without a weight get bone 0, and the sum
-- is 1 as exactly as f32 allows; or all are 0.
local function clean_row(joints, weights, i, bones)
  local sum, largest = 0, i
  for k = i, i + 3 do
    local w = weights[k]
    local holds = w > 0 and finite(w) and joints[k] >= 0 and joints[k] < bones
    w = holds and w or 0
    for earlier = i, k - 1 do
      if w > 0 and weights[earlier] > 0 and joints[earlier] == joints[k] then
        weights[earlier], sum = weights[earlier] + w, sum + w
        w = 0
      end
    end
    weights[k], sum = w, sum + w
    if w == 0 then joints[k] = 0 end
  end
  if sum == 0 then return false end
  for k = i, i + 3 do
    if weights[k] > weights[largest] then largest = k end
  end
  local rest = 1
  for k = i, i + 3 do
    if k ~= largest then
      weights[k] = string.unpack("<f", string.pack("<f", weights[k] / sum))
      rest = rest - weights[k]
      if weights[k] == 0 then joints[k] = 0 end
    end
  end
  weights[largest] = rest
  return true
end

local function clean_skin(part, mesh, joints, weights)
  local bones = mesh.skin and mesh.skin.bones or {}
  if not joints or not weights or #bones == 0 then return end
  part.loose = {} -- vertices without a bone
  local held = false
  for v = 0, part.count - 1 do
    if clean_row(joints, weights, 4 * v + 1, #bones) then
      held = true
    else
      part.loose[#part.loose + 1] = v
    end
  end
  if not held then
    part.loose = nil
    return
  end
  part.joints, part.weights, part.bones = joints, weights, bones
end

local function add_attributes(part, mesh, say)
  local rows = part.count
  part.normals = values(mesh, "normals", 3, rows)
  part.tangents = part.normals and values(mesh, "tangents", 4, rows)
  part.uvs, part.colors = values(mesh, "uvs", 2, rows), values(mesh, "colors", 4, rows)
  if part.normals then
    geometry.unit_normals(part, part.normals)
    if part.tangents then clean_tangents(part, part.tangents) end
    local turned = turn_outwards(part)
    if turned then say(turned) end
  end
  local odd = part.uvs and clean(part.uvs, -LARGEST, LARGEST) or 0
  if part.colors then odd = odd + clean(part.colors, 0, 1) end
  if odd > 0 then say(("%d texture coordinates and colours that are no numbers became 0"):format(odd)) end
  clean_skin(part, mesh, values(mesh, "joints", 4, rows), values(mesh, "weights", 4, rows))
end

--- Whether all positions are finite as f32.
-- @tparam table part
-- @treturn boolean
function geometry.is_finite(part)
  return all_finite(part.positions, 1, #part.positions)
end

--- Normalises normals and tangents again after a transform.
-- @tparam table part
function geometry.refresh(part)
  if part.normals then geometry.unit_normals(part, part.normals) end
  if part.tangents then clean_tangents(part, part.tangents) end
end

--- Groups the triangles of a part by material.
-- @tparam table part
-- @tparam[opt] {integer,...} indices in place of its own, of the same number
-- @treturn {table,...} in the order of the materials' numbers: `material` (a string or nil), `indices`, and
--   `numbers`: those of the triangles in the mesh, from 1; nil if all are there in their order
function geometry.runs(part, indices)
  indices = indices or part.indices
  if not part.made_of then
    return { { material = part.material, indices = indices, numbers = part.numbers } }
  end
  local runs, numbers = {}, {}
  for t, number in ipairs(part.made_of) do
    local run = runs[number]
    if not run then
      run = { material = part.materials[number + 1], indices = {}, numbers = {} }
      runs[number], numbers[#numbers + 1] = run, number
    end
    table.move(indices, 3 * t - 2, 3 * t, #run.indices + 1, run.indices)
    run.numbers[#run.numbers + 1] = part.numbers and part.numbers[t] or t
  end
  table.sort(numbers)
  for i, number in ipairs(numbers) do numbers[i] = runs[number] end
  return numbers
end

--- Cleans a mesh.
-- @tparam table mesh from `doc:meshes()`
-- @tparam function say (text): called for each correction
-- @tparam function leave_out (text): called for what was omitted
-- @treturn ?table `count`, `positions`, `indices`, and if present `normals`, `tangents`, `uvs`, `colors`,
--   `joints`, `weights`, `bones`, `loose`; `made_of`, the number in `materials` of each triangle; and
--   `numbers`, those that the triangles have in the mesh, if it has others
-- @treturn ?string why there is none
function geometry.part(mesh, say, leave_out)
  local positions, indices = values(mesh, "positions", 3), values(mesh, "indices", 3)
  if not positions or not indices then error("a mesh has positions and indices", 0) end
  local count = #positions // 3
  if count == 0 then return nil, "no vertices" end
  if #indices == 0 then return nil, "no triangles" end
  local bad, any = bad_vertices(positions, count)
  local materials = values(mesh, "triangle_materials", 1, #indices // 3)
  local kept, dropped, made_of, numbers = good_triangles(indices, count, bad, materials)
  if #kept == 0 then return nil, "no triangle whose corners are there and finite" end
  if dropped > 0 then
    leave_out(("%d of %d triangles: corners that are not there or no finite numbers")
      :format(dropped, dropped + #kept // 3))
  end
  if any then replace(positions, bad, kept[1]) end
  local part = { count = count, positions = positions, indices = kept, numbers = numbers }
  part.made_of, part.materials = made_of, made_of and (mesh.materials or {})
  add_attributes(part, mesh, say)
  return part
end

return geometry
