--- What is wrong with collision that fo4_collision has read, as a game or formats/fo4-collision.md would see it.
--
--    assert.same({}, check.system(system))          -- a list of texts, each with its place
--    assert.same({}, check.shape(shape))
--
-- With { vanilla = true } it lets pass what files of the game have and need not.

local fo4 = require "fo4_collision"

local check = {}

-- How far things may be off, as shares of a shape's size. Planes of the game's own files are less exact.
local PLANE, VANILLA_PLANE, BOX = 1e-4, 2e-3, 1e-5

-- Where it is missing, faces are not whole (seen once: of 32 corners they have 16).
local WHOLE_FACES = 0x40

-- ---- helpers --------------------------------------------------------------------------------------

local Report = {}
Report.__index = Report

function Report:say(...) self[#self + 1] = self.where .. ": " .. string.format(...) end
function Report:equal(want, got, what) if want ~= got then self:say("%s: %s, not %s", what, got, want) end end

local function size_of(min, max)
  return math.max(1e-3, max[1] - min[1], max[2] - min[2], max[3] - min[3], math.abs(min[1]), math.abs(max[1]),
    math.abs(min[2]), math.abs(max[2]), math.abs(min[3]), math.abs(max[3]))
end

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

-- How far a point is outside of a box.
local function outside(p, min, max)
  local most = 0
  for k = 1, 3 do most = math.max(most, min[k] - p[k], p[k] - max[k]) end
  return most
end

local function bit_length(n)
  local bits = 0
  while n >> bits > 0 do bits = bits + 1 end
  return bits
end

-- ---- hulls ----------------------------------------------------------------------------------------

local function check_vertices(r, s)
  r:equal(0, #s.vertices % 4, "vertices beyond a multiple of 4")
  for i, v in ipairs(s.vertices) do
    r:equal(0x3F000000 | math.min(i, s.real_vertices) - 1, v.w, "w of vertex " .. i - 1)
    for k = 1, 3 do
      if i > s.real_vertices and v[k] ~= s.vertices[s.real_vertices][k] then r:say("vertex %d is no copy", i - 1) end
      if v[k] ~= v[k] or math.abs(v[k]) > 1e30 then r:say("vertex %d is no number", i - 1) end
    end
  end
end

-- Twice the area as a vector, by Newell.
local function area_of(s, f)
  local n = { 0, 0, 0 }
  for i = 1, f.count do
    local a, b = s.vertices[f[i] + 1], s.vertices[f[i % f.count + 1] + 1]
    n[1] = n[1] + (a[2] - b[2]) * (a[3] + b[3])
    n[2] = n[2] + (a[3] - b[3]) * (a[1] + b[1])
    n[3] = n[3] + (a[1] - b[1]) * (a[2] + b[2])
  end
  return n
end

local function check_face(r, s, i, size)
  local f, plane, fine = s.faces[i], s.planes[i], true
  for k = 1, f.count do
    if not f[k] or f[k] >= s.real_vertices then
      r:say("face %d has no vertex %s", i - 1, f[k])
      fine = false
    end
  end
  if f.count < 3 then r:say("face %d of %d corners", i - 1, f.count) end
  if not plane then return r:say("face %d has no plane", i - 1) end
  if math.abs(dot(plane, plane) - 1) > 1e-3 then r:say("normal %d is not unit length", i - 1) end
  if fine and dot(area_of(s, f), plane) <= 0 then r:say("face %d turns the wrong way", i - 1) end
  for v = 1, s.real_vertices do
    local d = dot(plane, s.vertices[v]) + plane[4]
    if d > r.plane * size then r:say("vertex %d is %g outside of plane %d", v - 1, d, i - 1) end
  end
  for k = 1, fine and f.count or 0 do
    local d = dot(plane, s.vertices[f[k] + 1]) + plane[4]
    if math.abs(d) > r.plane * size then r:say("corner %d of face %d is %g off its plane", k - 1, i - 1, d) end
  end
end

-- Every edge belongs to two faces, once in each direction.
local function check_edges(r, s)
  local edges, count = {}, 0
  for _, f in ipairs(s.faces) do
    for i = 1, f.count do
      local key = ("%d %d"):format(f[i] or -1, f[i % f.count + 1] or -1)
      if edges[key] then r:say("edge %s twice", key) end
      edges[key], count = true, count + 1
    end
  end
  for key in pairs(edges) do
    if not edges[key:gsub("(%S+) (%S+)", "%2 %1")] then r:say("edge %s has no other side", key) end
  end
  r:equal(2, s.real_vertices - count / 2 + #s.faces, "vertices - edges + faces")
end

-- The four lists stand behind each other, as large as the object is.
local function check_layout(r, s, first)
  local at = s.offset + first
  r:equal(at, s.vertices.at, "place of vertices")
  at = at + 16 * #s.vertices
  r:equal(at, s.planes.at, "place of planes")
  at = at + 16 * #s.planes
  r:equal(at, s.faces.at, "place of faces")
  at = (at + 4 * #s.faces + 15) // 16 * 16
  r:equal(at, s.indices.at, "place of indices")
  r:equal((at + #s.indices + 15) // 16 * 16, s.offset + s.size, "end")
end

local function check_hull(r, s)
  check_layout(r, s, s.a and 0x70 or 0x50)
  check_vertices(r, s)
  local min, max = fo4.bounds(s.vertices)
  local at = 0
  for i, f in ipairs(s.faces) do
    r:equal(at, f.first, "first index of face " .. i - 1)
    at = at + f.count
    check_face(r, s, i, size_of(min, max))
  end
  r:equal(at, #s.indices, "indices")
  r:equal((#s.faces + 3) // 4 * 4, #s.planes, "planes")
  if s.flags & WHOLE_FACES ~= 0 then check_edges(r, s) end
end

local function check_mass(r, s)
  local m = s.mass
  if not m then return end
  if m.volume <= 0 or m.mass <= 0 then r:say("a mass of %g, a volume of %g", m.mass, m.volume) end
  if math.abs(m.mass - m.volume) > 1e-3 * m.volume then r:say("mass %g of volume %g", m.mass, m.volume) end
  local q = 0
  for k = 1, 4 do q = q + m.major_axis[k] ^ 2 end
  if math.abs(q - 1) > 1e-3 then r:say("major axes are no rotation") end
  for k = 1, 3 do
    if m.inertia[k] <= 0 then r:say("an inertia of %g", m.inertia[k]) end
  end
  local min, max = fo4.bounds((fo4.geometry(s)))
  if outside(m.center_of_mass, min, max) > s.radius + 2e-3 * size_of(min, max) then
    r:say("the centre of mass is outside")
  end
end

-- ---- meshes ---------------------------------------------------------------------------------------

local function grown(box, by)
  local min, max = {}, {}
  for k = 1, 3 do min[k], max[k] = box.min[k] - by, box.max[k] + by end
  return min, max
end

-- A tree of all leaves from 0 to n - 1; inside(leaf) gives the points that its box must hold.
local function check_tree(r, nodes, domain, n, what, inside)
  r:equal(math.max(0, 2 * n - 1), #nodes, what .. ": nodes")
  local seen, place = {}, {}
  local size = size_of(domain.min, domain.max)
  local ok, met = pcall(fo4.walk, nodes, domain, function(leaf, box, at)
    if seen[leaf] then r:say("%s: leaf %d twice", what, leaf) end
    seen[leaf], place[leaf] = true, at
    if leaf >= n then return r:say("%s: leaf %d of %d", what, leaf, n) end
    local min, max = grown(box, BOX * size)
    for _, p in ipairs(inside(leaf)) do
      local by = outside(p, min, max)
      if by > 0 then r:say("%s: leaf %d does not hold its points by %g", what, leaf, by) end
    end
  end)
  if not ok then return r:say("%s: %s", what, met) end
  r:equal(#nodes, met, what .. ": nodes met")
  for i = 0, n - 1 do
    if not seen[i] then r:say("%s: no leaf %d", what, i) end
  end
  return place
end

local function points_of(s, p)
  local list = {}
  for i, v in ipairs(s.primitives[p + 1]) do list[i] = s.vertices[v + 1] or { 0, 0, 0 } end
  return list
end

local function check_section(r, s, i, entries)
  local what = "section " .. i
  r:equal(s.num_packed, s.num_packed_again, what .. ": packed vertices")
  if #s.primitives > 128 or #s.primitives == 0 then r:say("%s: %d primitives", what, #s.primitives) end
  if #s.vertices > 255 then r:say("%s: %d vertices", what, #s.vertices) end
  for p, entry in ipairs(s.entries) do
    if entry >= entries then r:say("%s: primitive %d of material %d, where there are %d", what, p - 1, entry, entries) end
  end
  r:equal(#s.primitives, #s.entries, what .. ": primitives in runs")
  local used = {}
  for p in ipairs(s.primitives) do table.move(points_of(s, p - 1), 1, 4, #used + 1, used) end
  local min, max = fo4.bounds(used)
  for k = 1, 3 do
    local most = BOX * size_of(min, max)
    if math.abs(min[k] - s.min[k]) > most or math.abs(max[k] - s.max[k]) > most then
      r:say("%s: its domain is not tight on axis %d", what, k)
    end
    if s.codec[k + 3] < 0 then r:say("%s: a step of %g", what, s.codec[k + 3]) end
  end
  check_tree(r, s.nodes, s, #s.primitives, what, function(leaf) return points_of(s, leaf) end)
  r:equal(0, s.rest, what .. ": page and flags")
end

local function check_keys(r, s)
  local data, last = s.data, s.data.sections[#s.data.sections]
  local q = last and last.primitives[#last.primitives]
  if not q then return r:say("no triangle") end
  local key = (#data.sections - 1) << 8 | (#last.primitives - 1) << 1 | (q[3] ~= q[4] and 1 or 0)
  r:equal(key, data.max_key_value, "largest key")
  r:equal(bit_length(key + 1), data.bits_per_key, "bits of a key")
  r:equal(data.bits_per_key, s.key_bits, "bits of a key in the shape")
  r:equal(#s.triangles, data.num_primitive_keys, "triangles")
  r:equal((key + 2) // 2, s.quad_is_flat.bits, "bits of quads")
  r:equal(key + 1, s.triangle_is_interior.bits, "bits of triangles")
  for name, field in pairs { quads = s.quad_is_flat, triangles = s.triangle_is_interior } do
    r:equal((field.bits + 31) // 32, #field.words, "words of " .. name)
    local rest = (field.words[#field.words] or 0) >> ((field.bits - 1) % 32 + 1)
    if not r.vanilla and rest ~= 0 then r:say("bits behind the last one of %s", name) end
  end
end

local EMPTY = {}
for i = 1, 24 do EMPTY[i] = (i - 1) // 4 % 2 == 0 and 3.4028200183756e38 or -3.4028200183756e38 end

local function check_simd(r, data)
  r:equal(2, #data.simd_nodes, "simd nodes")
  for _, node in ipairs(data.simd_nodes) do
    for i, v in ipairs(node) do
      if math.abs(v / EMPTY[i] - 1) > 1e-6 then return r:say("a simd node that is not empty") end
    end
  end
end

local function check_mesh(r, s)
  local data, used = s.data, { packed = 0, shared = 0, primitives = 0, runs = 0 }
  local entries = s.properties[0xF601] and #s.properties[0xF601].entries or 0
  if entries == 0 then r:say("no materials") end
  for i, section in ipairs(data.sections) do
    check_section(r, section, i - 1, entries)
    r:equal(used.packed, section.first_packed, ("section %d: first packed vertex"):format(i - 1))
    r:equal(used.shared, section.first_shared, ("section %d: first shared vertex"):format(i - 1))
    r:equal(used.primitives, section.first_primitive, ("section %d: first primitive"):format(i - 1))
    r:equal(used.runs, section.first_run, ("section %d: first run"):format(i - 1))
    used.packed, used.shared = used.packed + section.num_packed, used.shared + section.num_shared
    used.primitives, used.runs = used.primitives + section.num_primitives, used.runs + section.num_runs
  end
  r:equal(used.packed, #data.packed, "packed vertices of sections")
  r:equal(used.shared, #data.shared_index, "shared vertices of sections")
  r:equal(used.primitives, #data.primitives, "primitives of sections")
  r:equal(used.runs, #data.runs, "runs of sections")
  local place = check_tree(r, data.nodes, data, #data.sections, "tree of sections", function(leaf)
    local section = data.sections[leaf + 1]
    return { section.min, section.max }
  end)
  for i, section in ipairs(data.sections) do
    r:equal(place and place[i - 1], section.leaf_index, ("section %d: leaf"):format(i - 1))
  end
  check_keys(r, s)
  check_simd(r, data)
end

-- ---- compounds ------------------------------------------------------------------------------------

local function check_instance(r, i, instance, leaf)
  local what = "instance " .. i
  local c, t = instance.columns, instance.translation
  for k = 1, 3 do
    if math.abs(dot(c[k], c[k]) - 1) > 1e-3 or math.abs(dot(c[k], c[k % 3 + 1])) > 1e-3 then
      r:say("%s: column %d is none of a rotation", what, k)
    end
    if instance.scale[k] ~= 1 then r:say("%s: a scale of %g", what, instance.scale[k]) end
  end
  local moved = t[1] ~= 0 or t[2] ~= 0 or t[3] ~= 0
  local turned = c[1][1] ~= 1 or c[2][2] ~= 1 or c[3][3] ~= 1
  r:equal(0x3F000000 | (turned and 0x46 or moved and 0x42 or 0x40), c[1].w, what .. ": flags")
  r:equal(0x3F000000 | (instance.shape.data and 0x90 or instance.shape.size), c[3].w, what .. ": size of its shape")
  r:equal(leaf and 0x3F000000 | leaf, t.w, what .. ": leaf")
  r:equal(0xFFFF, instance.shape_tag, what .. ": tag")
  r:equal(0xFFFF, instance.destruction_tag, what .. ": destruction tag")
end

-- Points of an instance, and how far its child's radius goes around them.
local function reach_of(s, i)
  local one = setmetatable({ instances = { s.instances[i] } }, { __index = s })
  return fo4.geometry(one), s.instances[i].shape.radius
end

local function check_node(r, s, at, parent, seen, leaves)
  local node = s.tree.nodes[at + 1]
  if not node or seen[at] then return r:say("tree: node %d", at) end
  seen[at] = true
  r:equal(0x3F000000 | parent, node.min.w, ("tree: parent of node %d"):format(at))
  local function holds(min, max)
    if outside(min, node.min, node.max) > 1e-4 or outside(max, node.min, node.max) > 1e-4 then
      r:say("tree: node %d does not hold what is in it", at)
    end
  end
  if node.left == 0 then
    if leaves[node.right] or not s.instances[node.right + 1] then return r:say("tree: leaf %d", node.right) end
    leaves[node.right] = at
    local points, radius = reach_of(s, node.right + 1)
    local min, max = fo4.bounds(points)
    holds(grown({ min = min, max = max }, radius))
  else
    for _, child in ipairs { node.left, node.right } do
      check_node(r, s, child, at, seen, leaves)
      local below = s.tree.nodes[child + 1]
      if below then holds(below.min, below.max) end
    end
  end
end

local function check_compound(r, s)
  local tree, n, leaves = s.tree, #s.instances, {}
  r:equal(bit_length(n), s.key_bits, "bits of a key")
  r:equal(2 * n + 1, #tree.nodes, "tree: nodes")
  r:equal(#tree.nodes - 1, tree.first_free, "tree: free node")
  r:equal(n, tree.leaves, "tree: leaves")
  r:equal(1, tree.root, "tree: root")
  r:equal(0, tree.path, "tree: path")
  r:equal(-1, s.first_free, "free instance")
  r:equal(1, s.is_mutable, "is mutable")
  check_node(r, s, tree.root, 0, {}, leaves)
  for i, instance in ipairs(s.instances) do check_instance(r, i - 1, instance, leaves[i - 1]) end
  local points = fo4.geometry(s)
  local min, max = fo4.bounds(points)
  if outside(min, s.min, s.max) > 1e-4 or outside(max, s.min, s.max) > 1e-4 then r:say("its box does not hold it") end
end

-- ---- shapes and systems ---------------------------------------------------------------------------

local KINDS = {
  hknpConvexPolytopeShape = { dispatch = 1, check = check_hull, flags = { [0x143] = true, [0x103] = true } },
  hknpCapsuleShape = { dispatch = 1, check = check_hull, flags = { [0x1C3] = true } },
  hknpSphereShape = { dispatch = 1, flags = { [0x111] = true }, check = function(r, s)
    r:equal(0x40, s.vertices.at - s.offset, "place of its centre")
    r:equal(4, #s.vertices, "copies of its centre")
    for _, v in ipairs(s.vertices) do r:equal(0x3F000000, v.w, "w of its centre") end
    for k = 1, 3 do
      for i = 2, 4 do r:equal(s.center[k], s.vertices[i][k], "a copy of its centre") end
    end
    if s.radius <= 0 then r:say("a radius of %g", s.radius) end
  end },
  hknpCompressedMeshShape = { dispatch = 2, check = check_mesh, flags = { [0x204] = true } },
  hknpDynamicCompoundShape = { dispatch = 2, check = check_compound, flags = { [4] = true } },
}

local function check_shape(r, shape)
  local before = r.where
  r.where = before .. (shape.class or "?")
  local kind = KINDS[shape.class]
  r:equal(kind.dispatch, shape.dispatch, "dispatch")
  if not kind.flags[shape.flags] then r:say("flags 0x%x", shape.flags) end
  if shape.material >> 32 ~= 0 then r:say("a material of 64 bits") end
  if kind.dispatch == 1 then
    r:equal(0, shape.key_bits, "bits of a key")
    if shape.radius < 0 then r:say("a radius of %g", shape.radius) end
  else
    r:equal(0, shape.radius, "radius")
  end
  for _, each in ipairs { kind.check, check_mass } do
    local ok, why = pcall(each, r, shape)
    if not ok then r:say("%s", why) end
  end
  r.where = before
end

local function report(opts)
  local vanilla = opts and opts.vanilla
  return setmetatable({ where = "", vanilla = vanilla, plane = vanilla and VANILLA_PLANE or PLANE }, Report)
end

local function plain(r)
  return table.move(r, 1, #r, 1, {})
end

--- Of one shape (children are shapes of their own).
function check.shape(shape, opts)
  local r = report(opts)
  check_shape(r, shape)
  return plain(r)
end

local function check_motion(r, system, body)
  local m = body.motion
  if not m then return end
  local q = body.orientation[1] ^ 2 + body.orientation[2] ^ 2 + body.orientation[3] ^ 2 + body.orientation[4] ^ 2
  if math.abs(q - 1) > 1e-3 then r:say("its orientation is no rotation") end
  if m.inverse_mass == 0 then
    for k = 1, 3 do r:equal(0, m.inverse_inertia[k], "inverse inertia of no mass") end
    r:equal(0, body.flags & 0x80, "flags of no mass")
  else
    if not system.motion_properties[m.properties_id + 1] then r:say("no motion properties %d", m.properties_id) end
    for k = 1, 3 do
      if m.inverse_inertia[k] <= 0 then r:say("an inverse inertia of %g", m.inverse_inertia[k]) end
    end
    r:equal(0x80, body.flags & 0x80, "flags of a mass")
    if m.mass_factor <= 0 then r:say("a mass factor of %g", m.mass_factor) end
  end
end

--- Of a whole system.
function check.system(system, opts)
  local r = report(opts)
  for i, shape in ipairs(system.shapes) do
    r.where = ("shape %d "):format(i - 1)
    check_shape(r, shape)
  end
  for i, body in ipairs(system.bodies) do
    r.where = ("body %d"):format(i - 1)
    if not body.shape then r:say("no shape") end
    if not body.material then r:say("no material %d", body.material_id) end
    if body.motion_id and not body.motion then r:say("no motion %d", body.motion_id) end
    check_motion(r, system, body)
    local found = false
    for _, object in ipairs(system.referenced) do found = found or object == body.shape end
    if not found then r:say("its shape is not among the referenced objects") end
  end
  for i, c in ipairs(system.constraints) do
    r.where = ("constraint %d"):format(i - 1)
    if not c.class then r:say("no data") end
    if not system.bodies[c.body_a + 1] or not system.bodies[c.body_b + 1] then r:say("a body that is not there") end
  end
  return plain(r)
end

return check
