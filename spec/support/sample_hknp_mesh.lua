--- Compressed meshes of Fallout 4's collision for tests, as formats/fo4-collision.md#34 has them; see sample_hknp.
--
--    mesh.shape { sections = { { vertices = { { x, y, z }, … }, shared = { 0, 3 }, primitives = {
--      { 0, 1, 2, 3, entry = 0 }, … } } }, shared = { { x, y, z }, … }, materials = { { filter =, material = } } }
--
-- Corners of primitives are numbers of the section's vertices, from 0, the shared ones behind its own; a triangle has
-- three or the third one twice. `expected` of the object has what must be read: points of each section as its numbers
-- round them.

local hknp = require "sample_hknp"

local mesh = {}

local pack = string.pack

local function box_of(points) return hknp.grown(points, 0) end

-- ---- numbers --------------------------------------------------------------------------------------

local function rounded(v, low, step, most)
  if step == 0 then return 0 end
  return math.max(0, math.min(most, math.floor((v - low) / step + 0.5)))
end

-- Packed vertices of a section: the codec's six numbers, words, and where they are when read.
local function pack_vertices(vertices)
  local box, most = box_of(vertices), { 2047, 2047, 1023 }
  local codec, words, read = {}, {}, {}
  for k = 1, 3 do
    codec[k] = #vertices > 0 and hknp.f32(box[1][k]) or 0
    codec[k + 3] = #vertices > 0 and hknp.f32((box[2][k] - box[1][k]) / most[k]) or 0
  end
  for i, v in ipairs(vertices) do
    local q, p = {}, {}
    for k = 1, 3 do
      q[k] = rounded(v[k], codec[k], codec[k + 3], most[k])
      p[k] = codec[k] + q[k] * codec[k + 3]
    end
    words[i], read[i] = pack("<I4", q[1] | q[2] << 11 | q[3] << 22), p
  end
  return codec, words, read
end

local function pack_shared(vertices, box)
  local words, read, most = {}, {}, { 0x1FFFFF, 0x1FFFFF, 0x3FFFFF }
  for i, v in ipairs(vertices) do
    local q, p = {}, {}
    for k = 1, 3 do
      local extent = box[2][k] - box[1][k]
      q[k] = rounded(v[k], box[1][k], extent / most[k], most[k])
      p[k] = box[1][k] + q[k] * extent / most[k]
    end
    words[i], read[i] = pack("<I8", q[1] | q[2] << 21 | q[3] << 42), p
  end
  return words, read
end

-- ---- trees ----------------------------------------------------------------------------------------

-- How much of a box may be cut off on an axis, as a square's root from 0 to 15.
local function cut(free, extent)
  local n = 15
  while n > 0 and n * n / 226 * extent > free do n = n - 1 end
  return n
end

-- Nodes of a tree over boxes, top first: write(bytes of the axes, leaf, leaves on the left side).
local function tree_of(boxes, domain, write)
  local nodes, place = {}, {}
  local function add(first, last, above)
    local at = #nodes + 1
    nodes[at] = false
    local inside = { math.huge, math.huge, math.huge, -math.huge, -math.huge, -math.huge }
    for i = first, last do
      for k = 1, 3 do
        inside[k], inside[k + 3] = math.min(inside[k], boxes[i][1][k]), math.max(inside[k + 3], boxes[i][2][k])
      end
    end
    local axes, box = {}, { {}, {} }
    for k = 1, 3 do
      local extent = above[2][k] - above[1][k]
      local low, high = cut(inside[k] - above[1][k], extent), cut(above[2][k] - inside[k + 3], extent)
      axes[k] = low << 4 | high
      box[1][k], box[2][k] = above[1][k] + low * low / 226 * extent, above[2][k] - high * high / 226 * extent
    end
    local middle = (first + last) // 2
    if first < last then
      add(first, middle, box)
      add(middle + 1, last, box)
    else
      place[first] = at - 1
    end
    nodes[at] = write(string.char(table.unpack(axes)), first == last and first - 1, middle - first + 1)
  end
  add(1, #boxes, domain)
  return nodes, place
end

local function section_node(axes, leaf, left)
  return axes .. string.char(leaf and leaf << 1 or 2 * left | 1)
end

local function top_node(axes, leaf, left)
  return axes .. pack(">I2", leaf or 0x8000 | left)
end

-- ---- sections -------------------------------------------------------------------------------------

local function quad_of(primitive) return { primitive[1], primitive[2], primitive[3], primitive[4] or primitive[3] } end

-- Runs of primitives of one material.
local function runs_of(primitives)
  local list, last = {}, nil
  for i, p in ipairs(primitives) do
    if last and last.value == (p.entry or 0) then
      last.count = last.count + 1
    else
      last = { value = p.entry or 0, index = i - 1, count = 1 }
      list[#list + 1] = last
    end
  end
  for i, r in ipairs(list) do list[i] = pack("<I2BB", r.value, r.index, r.count) end
  return list
end

local function append(all, list) table.move(list, 1, #list, #all + 1, all) end

-- A section worked out: its points, boxes and tree; what it adds to the lists of the mesh.
local function work_out(section, shared)
  local codec, words, points = pack_vertices(section.vertices)
  for _, i in ipairs(section.shared or {}) do points[#points + 1] = shared[i + 1] end
  local boxes, used = {}, {}
  for i, p in ipairs(section.primitives) do
    local corners = {}
    for k, v in ipairs(quad_of(p)) do corners[k] = points[v + 1] end
    boxes[i] = box_of(corners)
    append(used, corners)
  end
  local box = box_of(used)
  local nodes = tree_of(boxes, box, section_node)
  return { codec = codec, words = words, points = points, box = box, nodes = nodes, runs = runs_of(section.primitives) }
end

local function section_bytes(section, s, counts, leaf)
  return ("\0"):rep(8) .. pack("<I4I4", #s.nodes, #s.nodes | 0x80000000) .. hknp.vec(s.box[1]) .. hknp.vec(s.box[2])
    .. pack("<ffffff", table.unpack(s.codec))
    .. pack("<I4I4I4I4", counts.packed, counts.shared << 8 | #s.words,
      counts.primitives << 8 | #section.primitives, counts.runs << 8 | #s.runs)
    .. pack("<BBI2I4", #s.words, #(section.shared or {}), leaf, 0)
end

local EMPTY = (("f"):rep(4)):rep(6)

local function simd_node()
  local values = {}
  for i = 1, 24 do values[i] = ((i - 1) // 4 % 2 == 0 and 1 or -1) * 3.4028199169839e38 end
  return pack("<" .. EMPTY, table.unpack(values)) .. ("\0"):rep(16)
end

-- ---- all of it ------------------------------------------------------------------------------------

local function lists_of(opts, domain)
  local lists = { packed = {}, shared_index = {}, primitives = {}, runs = {}, sections = {}, boxes = {}, points = {},
    triangles = 0 }
  lists.shared, lists.shared_points = pack_shared(opts.shared or {}, domain)
  for i, section in ipairs(opts.sections) do
    local s = work_out(section, lists.shared_points)
    s.counts = { packed = #lists.packed, shared = #lists.shared_index, primitives = #lists.primitives,
      runs = #lists.runs }
    append(lists.packed, s.words)
    for _, v in ipairs(section.shared or {}) do table.insert(lists.shared_index, pack("<I2", v)) end
    for _, p in ipairs(section.primitives) do
      local q = quad_of(p)
      table.insert(lists.primitives, string.char(table.unpack(q)))
      lists.triangles = lists.triangles + (q[3] == q[4] and 1 or 2)
    end
    append(lists.runs, s.runs)
    lists.sections[i], lists.boxes[i], lists.points[i] = s, s.box, s.points
  end
  return lists
end

local function data_object(opts, lists, domain, max_key)
  local o = hknp.object("hknpCompressedMeshShapeData", 0xD0)
  local nodes, place = tree_of(lists.boxes, domain, top_node)
  o:array(0x10, nodes)
  o:put(0x20, hknp.vec(domain[1]) .. hknp.vec(domain[2]))
  o:put(0x40, pack("<i4i4I4", lists.triangles, hknp.bits_of(max_key + 1), max_key))
  local bytes = {}
  for i, s in ipairs(lists.sections) do bytes[i] = section_bytes(opts.sections[i], s, s.counts, place[i]) end
  local at = o:array(0x50, bytes)
  for i, s in ipairs(lists.sections) do
    local start = (o.used + 15) // 16 * 16
    local all = table.concat(s.nodes)
    o:put(start, all)
    table.insert(o.locals, { at + 0x60 * (i - 1), start })
    o.used = start + (#all + 15) // 16 * 16
  end
  o:array(0x60, lists.primitives)
  o:array(0x70, lists.shared_index)
  o:array(0x80, lists.packed)
  o:array(0x90, lists.shared)
  o:array(0xA0, lists.runs)
  o:array(0xB8, { simd_node(), simd_node() })
  return o:done()
end

local function material_properties(list)
  local o, entries = hknp.object("hknpBSMaterialProperties", 0x20), {}
  for i, m in ipairs(list) do entries[i] = ("\0"):rep(16) .. pack("<I4I4", m.filter or 1, m.material) end
  o:array(0x10, entries)
  return o:done()
end

local function bits(o, at, count)
  local words = {}
  for i = 1, (count + 31) // 32 do words[i] = "\0\0\0\0" end
  o:array(at, words)
  o:put(at + 0x10, pack("<i4", count))
end

--- A hknpCompressedMeshShape; see above. material: of the shape itself.
function mesh.shape(opts)
  local all = table.move(opts.shared or {}, 1, #(opts.shared or {}), 1, {})
  for _, section in ipairs(opts.sections) do append(all, section.vertices) end
  local domain = box_of(all)
  for side = 1, 2 do
    for k = 1, 3 do domain[side][k] = hknp.f32(domain[side][k]) end
  end
  local lists = lists_of(opts, domain)
  local last = opts.sections[#opts.sections].primitives
  local q = quad_of(last[#last])
  local max_key = (#opts.sections - 1) << 8 | (#last - 1) << 1 | (q[3] ~= q[4] and 1 or 0)
  local o = hknp.composite("hknpCompressedMeshShape", 0xA0, 0x204, hknp.bits_of(max_key + 1), opts.material)
  o:points(0x20, hknp.properties(0xF601, material_properties(opts.materials)))
  o:points(0x60, data_object(opts, lists, domain, max_key))
  bits(o, 0x68, (max_key + 2) // 2)
  bits(o, 0x80, max_key + 1)
  return o:done { bounds = domain, expected = lists.points, triangles = lists.triangles }
end

return mesh
