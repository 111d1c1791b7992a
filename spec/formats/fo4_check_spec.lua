-- doc:check() of Fallout 4's collision: faults that are planted, each told by its own words at its own place, in a made
-- file and in the game's own. #corpus: pending, loudly, where there is none.

local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_collision"

local FOLDER = "nif-fo4-collision"
local SYSTEMS = { bhkPhysicsSystem = true, bhkRagdollSystem = true }

-- ---- objects of a file ------------------------------------------------------------------------------

--- All objects of its systems of a class; those that `how` says are the largest first.
local function objects(doc, class, how)
  local list = {}
  for _, block in ipairs(doc.blocks) do
    for _, object in ipairs(SYSTEMS[block.type] and block.system.objects or {}) do
      if lathe.type(object) == class then list[#list + 1] = object end
    end
  end
  if how then table.sort(list, function(a, b) return how(a) > how(b) end) end
  return list
end

local function block(doc, kind, i)
  local n = 0
  for _, each in ipairs(doc.blocks) do
    n = n + (each.type == kind and 1 or 0)
    if n == i then return each end
  end
end

local GIVE = {
  mesh = function(doc)
    local data = objects(doc, "hknpCompressedMeshShapeData", function(d) return #d.sections end)[1]
    for _, shape in ipairs(objects(doc, "hknpCompressedMeshShape")) do
      if shape.data == data then return data, shape end
    end
  end,
  compound = function(doc)
    local shape = objects(doc, "hknpDynamicCompoundShape")[1]
    return shape.data, shape
  end,
  hull = function(doc) return objects(doc, "hknpConvexPolytopeShape")[1] end,
  sphere = function(doc) return objects(doc, "hknpSphereShape")[1] end,
  capsule = function(doc) return objects(doc, "hknpCapsuleShape")[1] end,
  mass = function(doc) return objects(doc, "hknpShapeMassProperties")[1] end,
  system = function(doc)
    return objects(doc, "hknpPhysicsSystemData")[1] or objects(doc, "hknpRagdollData")[1]
  end,
  joint = function(doc) return objects(doc, "hknpRagdollData")[1] end,
  tie = function(doc) return block(doc, "bhkNPCollisionObject", 1), block(doc, "bhkNPCollisionObject", 2) end,
}

-- Where each is found in the game's files.
local REAL = { mesh = "HitExtAWindowCDmg01", compound = "HitExtAWindowCDmg01", hull = "TerminalOn", mass = "TerminalOn",
  tie = "TerminalOn", system = "CombatShotgun", sphere = "Prewar_Ball01", capsule = "TorsoRoboBrain", joint = "skeleton" }

--- Nodes of a tree that are leaves.
local function leaves(nodes, is_leaf)
  local list = {}
  for i, node in ipairs(nodes) do
    if is_leaf(node) then list[#list + 1] = i end
  end
  return list
end

local function section_leaves(section) return leaves(section.nodes, function(n) return not n.inner end) end

local function tree_leaves(tree)
  return leaves(tree.nodes, function(n) return n.left == 0 and n.max.x > n.min.x end)
end

-- ---- what can be wrong ------------------------------------------------------------------------------

-- Of: what it is planted in; where, as a pattern behind the object; the words; the change. Errors, but for `odd` ones.
local FAULTS = {
  { "mesh", ".sections[1].nodes[N]", "of the tree are both of primitive", function(d)
    local s = d.sections[1]
    local found = section_leaves(s)
    s.nodes[found[2]].data = s.nodes[found[1]].data
  end },
  { "mesh", ".sections[1].nodes", "no node of the tree leads to primitive", function(d)
    local s = d.sections[1]
    local found = section_leaves(s)
    s.nodes[found[2]].data = s.nodes[found[1]].data
  end },
  { "mesh", ".sections[1].nodes[1]", "node 0 of the tree leads to node 0, which is another's or its own",
    function(d) d.sections[1].nodes[1].data = 1 end },
  { "mesh", ".sections[1].nodes[1]", "node 0 of the tree leads to node 254, which there is not",
    function(d) d.sections[1].nodes[1].data = 255 end },
  { "mesh", ".sections[1].nodes[N]", "protrudes from the box of its node", function(d)
    local s = d.sections[1]
    s.nodes[section_leaves(s)[1]].x = 0xFF
  end },
  { "mesh", ".nodes[N]", "of the tree are both of section 0", function(d)
    for _, node in ipairs(d.nodes) do
      if not node.inner then node.data = 0 end
    end
  end },
  { "mesh", ".nodes[N]", "protrudes from the box of its node", function(d) d.nodes[1].x = 0xFF end },
  { "mesh", ".sections[1].leaf_index", "but leafIndex is",
    function(d) d.sections[1].leaf_index = d.sections[1].leaf_index + 1 end },
  { "mesh", ".sections[1].domain", "triangles protrude from its domain", function(d)
    local box = d.sections[1].domain
    box.max.x = (box.max.x + box.min.x) / 2
  end },
  { "mesh", ".sections[1].domain", "its domain is larger than its triangles", function(d)
    local box = d.sections[1].domain
    box.max.x = box.max.x + 1
  end, odd = true },
  { "mesh", ".domain", "triangles protrude from its domain", function(d)
    d.domain.max.y = (d.domain.max.y + d.domain.min.y) / 2
  end },
  { "mesh", ".primitives[1]", "primitive 0 of section 0 has vertex 254, but there are",
    function(d) d.primitives[1].b = 254 end },
  { "mesh", ".shared_vertices_index[1]", "section 0 has shared vertex 65535, but there are",
    function(d) d.shared_vertices_index[1] = 65535 end },
  { "mesh", ".sections[1].data_runs", "no data run has primitive", function(d)
    local run = d.primitive_data_runs[d.sections[1].data_run_count]
    run.count = run.count - 1
  end },
  { "mesh", ".primitive_data_runs[1]", "run 0 of section 0 is of",
    function(d) d.primitive_data_runs[1].index = 7 end },
  { "mesh", ".primitive_data_runs[1]", "material 99, but the shape has",
    function(d) d.primitive_data_runs[1].value = 99 end },
  { "mesh", ".sections[1].num_packed_vertices", "in one place and", function(d)
    d.sections[1].num_packed_vertices = d.sections[1].num_packed_vertices + 1
  end },
  { "mesh", ".sections[2].first_packed_vertex", "from 70000 on, but there are",
    function(d) d.sections[2].first_packed_vertex = 70000 end },
  { "mesh", ".num_primitive_keys", "numPrimitiveKeys is",
    function(d) d.num_primitive_keys = d.num_primitive_keys + 1 end },
  { "mesh", ".bits_per_key", "bitsPerKey is", function(d) d.bits_per_key = d.bits_per_key - 1 end },
  { "mesh", ".max_key_value", "maxKeyValue is", function(d) d.max_key_value = d.max_key_value - 2 end },
  { "mesh", ".quad_is_flat", "quadIsFlat has",
    function(_, shape) shape.quad_is_flat.num_bits = shape.quad_is_flat.num_bits - 1 end },
  { "mesh", ".triangle_is_interior", "triangleIsInterior has 1 words for",
    function(_, shape) shape.triangle_is_interior.words:resize(1) end },
  { "mesh", ".data", "no triangles", function(_, shape) shape.data = nil end },
  { "mesh", ".properties", "no hknpBSMaterialProperties", function(_, shape) shape.properties = nil end, odd = true },
  { "mesh", ".num_shape_key_bits", "but bits_per_key of its triangles is",
    function(_, shape) shape.num_shape_key_bits = 3 end },
  { "mesh", ".materials[N]", "its collision_filter_info is 0x00000005, but that of body",
    function(_, shape) shape.properties.entries[1].object.materials[1].collision_filter_info = 5 end, odd = true },

  { "compound", ".nodes[N]", "it is of instance 99, but there are",
    function(d) d.nodes[tree_leaves(d)[1]].right = 99 end },
  { "compound", ".nodes[N]", "it is of instance 0, as node", function(d)
    for _, i in ipairs(tree_leaves(d)) do d.nodes[i].right = 0 end
  end },
  { "compound", ".instances[N]", "no node of the tree leads to it",
    function(d) d.nodes[tree_leaves(d)[1]].right = 99 end },
  { "compound", ".nodes[2]", "its child is node 1, which is another's or its own",
    function(d) d.nodes[2].left = 1 end },
  { "compound", ".nodes[2]", "its child is node 999, which there is not", function(d) d.nodes[2].right = 999 end },
  { "compound", ".nodes[N]", "leads to it, but w of its min says 0x3f000063",
    function(d) d.nodes[tree_leaves(d)[1]].min.w = 0x3F000063 end },
  { "compound", ".nodes[N]", "protrudes from its box by", function(d)
    local leaf = d.nodes[tree_leaves(d)[1]]
    leaf.max.x = (leaf.max.x + leaf.min.x) / 2
  end },
  { "compound", ".nodes[N]", "it protrudes from the box of its parent, node 1, by", function(d)
    local root = d.nodes[2]
    root.min.x = (root.max.x + root.min.x) / 2
  end },
  { "compound", ".aabb", "the tree protrudes from it by",
    function(_, c) c.aabb.max.x = (c.aabb.max.x + c.aabb.min.x) / 2 end },
  { "compound", ".num_leaves", "9 leaves for", function(d) d.num_leaves = 9 end },
  { "compound", ".nodes", "nodes, but", function(d) d.nodes:remove(#d.nodes - 1) end },
  { "compound", ".root", "node 0 is no node of the tree", function(d) d.root = 0 end },
  { "compound", ".first_free", "node 0 instead of the last one", function(d) d.first_free = 0 end, odd = true },
  { "compound", ".instances[1].transform", "but w of translation says 0x3f000063",
    function(_, c) c.instances[1].transform.translation.w = 0x3F000063 end },
  { "compound", ".instances[1].transform", "its columns are not those of a rotation alone",
    function(_, c) c.instances[1].transform.column0.x = 2 end, odd = true },
  { "compound", ".instances[1].scale", "it is not 1: no file that was looked at has such",
    function(_, c) c.instances[1].scale.y = 0.5 end, odd = true },
  { "compound", ".instances[2].transform", "w of column2 is 0x00000000, but its shape has",
    function(_, c) c.instances[2].transform.column2.w = 0 end, odd = true },
  { "compound", ".instances[1].shape", "no shape", function(_, c) c.instances[1].shape = nil end },
  { "compound", "", "a compound that contains itself", function(_, c) c.instances[1].shape = c end },
  { "compound", ".data", "no tree", function(_, c) c.data = nil end },
  { "compound", ".num_shape_key_bits", "0 bits for keys of", function(_, c) c.num_shape_key_bits = 0 end },

  { "hull", ".planes[1]", "it cuts off vertex", function(h)
    local p = h.planes[1]
    h.planes[1] = { -p.x, -p.y, -p.z, -p.w }
  end, odd = true },
  { "hull", ".planes[1]", "its face has a vertex that is", function(h) h.planes[1].w = h.planes[1].w + 0.5 end,
    odd = true },
  { "hull", ".planes[1]", "a normal of length", function(h)
    local p = h.planes[1]
    h.planes[1] = { 2 * p.x, 2 * p.y, 2 * p.z, 2 * p.w }
  end, odd = true },
  { "hull", ".faces[1]", "its vertices go around clockwise, seen from outside", function(h)
    h.indices[1], h.indices[3] = h.indices[3], h.indices[1]
  end, odd = true },
  { "hull", ".faces", "the hull is open: no face on the other side of the edge", function(h)
    h.indices[1], h.indices[3] = h.indices[3], h.indices[1]
  end, odd = true },
  { "hull", ".convex_radius", "a radius of -1 m", function(h) h.convex_radius = -1 end },
  { "sphere", ".convex_radius", "a radius of 0 m", function(s) s.convex_radius = 0 end },
  { "sphere", ".vertices[3]", "not the sphere's centre", function(s) s.vertices[3].x = 9 end, odd = true },
  { "capsule", ".a", "m outside of the hull, which is around the axis", function(c) c.a.z = c.a.z + 5 end, odd = true },
  { "capsule", ".vertices[N]", "m away from the axis, further than the radius", function(c)
    c.a.x, c.b.x = c.a.x + 5, c.b.x + 5
  end, odd = true },

  { "mass", ".volume", "a volume of 0 m^3", function(m) m.volume = 0 end, odd = true },
  { "mass", ".volume", "but a box around the shape has", function(m) m.volume = 1000 end, odd = true },
  { "mass", ".mass", "a mass of -1 kg", function(m) m.mass = -1 end, odd = true },
  { "mass", ".center_of_mass", "m outside of the shape", function(m) m.center_of_mass = { 50, 0, 0 } end, odd = true },
  { "mass", ".inertia", "no solid has moments of", function(m) m.inertia = { 1, 1, 3 } end, odd = true },

  { "system", ".body_cinfos[1].material_id", "no material 99: there are",
    function(s) s.body_cinfos[1].material_id = 99 end },
  { "system", ".body_cinfos[1].motion_id", "no motion 77: there are", function(s) s.body_cinfos[1].motion_id = 77 end },
  { "system", ".motion_cinfos[1].motion_properties_id", "no motion properties 65535: there are",
    function(s) s.motion_cinfos[1].motion_properties_id = 0xFFFF end },
  { "system", ".motion_cinfos[1].inverse_mass", "-1 1/kg is no mass",
    function(s) s.motion_cinfos[1].inverse_mass = -1 end },
  { "system", ".motion_cinfos[1].inverse_inertia_local", "does not turn about each axis",
    function(s) s.motion_cinfos[1].inverse_inertia_local.y = 0 end, odd = true },
  { "system", ".motion_cinfos[1].mass_factor", "kg/m^3, but",
    function(s) s.motion_cinfos[1].mass_factor = 12345 end, odd = true },
  { "system", ".motion_cinfos[1].center_of_mass_world", "m away from the centre of the body's shape",
    function(s) s.motion_cinfos[1].center_of_mass_world.z = 7 end, odd = true },
  { "system", ".motion_cinfos[1].orientation", "degrees from the axes of the body's shape",
    function(s) s.motion_cinfos[1].orientation = { 0.5, 0.5, 0.5, 0.5 } end, odd = true },
  { "system", ".body_cinfos[1].orientation", "a rotation of length 0",
    function(s) s.body_cinfos[1].orientation = { 0, 0, 0, 0 } end },
  { "system", ".body_cinfos[1].shape", "no shape", function(s) s.body_cinfos[1].shape = nil end },
  { "system", ".body_cinfos[1].shape", "not among the system's referenced objects",
    function(s) s.referenced_objects[1] = nil end, odd = true },
  { "system", ".body_cinfos[1].flags", "not dynamic, but its motion has a mass",
    function(s) s.body_cinfos[1].flags = 0 end, odd = true },
  { "system", ".body_cinfos[1].flags", "dynamic, but nothing says its mass",
    function(s) s.body_cinfos[1].motion_id = 0x7FFFFFFF end, odd = true },

  { "joint", ".constraint_cinfos[1].body_a", "no body 99: there are",
    function(s) s.constraint_cinfos[1].body_a = 99 end, made = false },
  { "joint", ".constraint_cinfos[1].body_b", "to itself", function(s)
    s.constraint_cinfos[1].body_b = s.constraint_cinfos[1].body_a
  end, odd = true, made = false },
  { "joint", ".constraint_cinfos[1].constraint_data", "nothing says what kind of joint it is",
    function(s) s.constraint_cinfos[1].constraint_data = nil end, made = false },
  { "joint", ".bone_to_body_map[2]", "no body 99: there are", function(s) s.bone_to_body_map[2] = 99 end, made = false },
  { "joint", ".bone_to_body_map", "of them for", function(s) s.bone_to_body_map:remove(1) end, made = false },
  { "joint", ".body_cinfos[2].motion_id", "motion 0 is another body's, too", function(s)
    s.body_cinfos[1].motion_id, s.body_cinfos[2].motion_id = 0, 0
  end, odd = true, made = false },

  { "tie", ".body_id", "has no such body", function(tie) tie.body_id = 99 end },
  { "tie", ".body_id", "has the same body", function(a, b) a.body_id = b.body_id end, other = true },
  { "tie", ".target", "whose collision_object is another one", function(a, b) a.target = b.target end },
  { "tie", ".target", "no node", function(a) a.target = nil end },
  { "tie", ".data", "no system of bodies", function(a) a.data = nil end },
}

-- ---- planting ---------------------------------------------------------------------------------------

local function findings(doc)
  local ok, list = doc:check()
  local texts = {}
  for i, each in ipairs(list) do texts[i] = ("%s %s: %s"):format(each.level, each.where, each.message) end
  return ok, texts
end

local function escape(text) return (text:gsub("%p", "%%%0")) end

--- Whether one of the texts is that of a fault. N stands for any number.
local function told(texts, fault)
  local place = escape(fault[2]):gsub("%%%[N%%%]", "%%[%%d+%%]")
  local pattern = ("^%s blocks%%[%%d+%%][%%w.%%[%%]_]*%s: .*%s"):format(fault.odd and "warning" or "error", place,
    escape(fault[3]))
  for _, text in ipairs(texts) do
    if text:find(pattern) then return true end
  end
end

--- Each fault, planted and taken out again.
local function plant(doc, fault, name, before, was)
  assert.is_nil(told(was, fault), fault[3])
  doc:edit(function() fault[4](GIVE[fault[1]](doc)) end)
  local ok, texts = findings(doc)
  local list = ("%s: not told: %s\n%s"):format(name, fault[3], table.concat(texts, "\n"))
  assert.is_true(told(texts, fault), list)
  if not fault.odd then assert.is_nil(ok, list) end
  assert.is_true(doc:undo())
  assert.is_true(before == doc:encode())
end

describe("doc:check() of collision", function()
  it("tells of each fault in a made file", function()
    local bytes = sample.scene()
    local doc <close> = assert(lathe.parse(bytes, { history = 4 }))
    local _, was = findings(doc)
    for _, fault in ipairs(FAULTS) do
      if fault.made ~= false then plant(doc, fault, "made", bytes, was) end
    end
  end)

  it("tells of each fault in the game's own files #corpus", function()
    local folder = helper.need_corpus(FOLDER, pending)
    for kind, name in pairs(REAL) do
      local path = ("%s/%s.nif"):format(folder, name)
      local bytes, doc <close> = helper.read(path), assert(lathe.open(path, { history = 4 }))
      local _, was = findings(doc)
      for _, fault in ipairs(FAULTS) do
        if fault[1] == kind then plant(doc, fault, name, bytes, was) end
      end
    end
  end)

  it("tells of bodies that nothing is tied to", function()
    local box = require("sample_hknp").box { half = { 1, 1, 1 } }
    local doc <close> = assert(lathe.parse(sample.nif({ { name = "Root", body = 1 } },
      sample.system { { shape = box }, { shape = box }, { shape = box }, { shape = box } })))
    local ok, texts = findings(doc)
    assert.is_true(ok)
    assert.same({ "warning blocks[3].system: body 0: no bhkNPCollisionObject has it",
      "warning blocks[3].system: body 2 and more: no bhkNPCollisionObject has it" }, texts)
  end)

  it("ends, however often a shape is shared", function()
    local hknp = require "sample_hknp"
    local vertices, instances = {}, {}
    for i = 1, 1200 do vertices[i] = { i & 1, i >> 1 & 1, i >> 2 & 1 } end
    local shape = hknp.polytope { vertices = vertices, faces = {} }
    for i = 1, 1200 do instances[i] = { shape = shape } end
    local doc <close> = assert(lathe.parse((sample.system { { shape = hknp.compound(instances) } })))
    local start = os.clock()
    local _, texts = findings(doc)
    assert.is_true(os.clock() - start < 5)
    assert.matches("objects are shared so often that the rest of them is not looked at", table.concat(texts, "\n"))
  end)

  it("finds nothing in what set_collision makes, at any size", function()
    local points = {}
    for i = 1, 240 do points[i] = 100 * math.sin(i * i) end
    local quads = lathe.buffer("f32", 6, 3, { 0, 0, 0, 70, 0, 0, 70, 70, 0, 0, 70, 0, 140, 0, 35, 140, 70, 35 })
    local mesh = { positions = quads, indices = lathe.buffer("u32", 4, 3, { 0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2 }) }
    local parts = { { kind = "hull", mesh = points }, { kind = "sphere", radius = 30, center = { 300, 0, 0 } },
      { kind = "capsule", radius = 10, a = { 0, 0, 90 }, b = { 50, 0, 0 } }, { kind = "mesh", mesh = mesh } }
    for _, options in ipairs {
      { kind = "box", size = { 70, 140, 210 }, center = { 7, 0, -7 }, motion = "dynamic" },
      { kind = "hull", mesh = points, motion = "dynamic" }, { kind = "sphere", radius = 70, motion = "dynamic" },
      { kind = "capsule", radius = 14, a = { 9, 0, 0 }, b = { 0, 0, 70 }, motion = "dynamic", mass = 3 },
      { kind = "mesh", mesh = mesh, layer = "static" }, { kind = "compound", mesh = parts, motion = "keyframed" },
    } do
      local doc <close> = assert(lathe.parse(sample.nif({ { name = "Root", body = 0 } },
        sample.system { { shape = require("sample_hknp").box { half = { 1, 1, 1 } } } })))
      assert(doc:set_collision(nil, options))
      for _, factor in ipairs { 1, 3, 1 / 300, 1e4 } do
        assert(doc:scale(factor, { what = "collision" }))
        assert.same({ true, {} }, { findings(doc) }, options.kind)
      end
    end
  end)

  it("finds nothing in the game's own files #corpus", function()
    local folder = helper.need_corpus(FOLDER, pending)
    local systems = 0
    for _, name in ipairs(helper.list(folder, "%.nif$")) do
      local doc <close> = assert(lathe.open(folder .. "/" .. name))
      local _, list = doc:check()
      for _, each in ipairs(list) do
        local where = each.where or ""
        local number = where:match("^blocks%[(%d+)%]")
        local kind = number and doc.blocks[tonumber(number)].type or ""
        assert.is_nil(where:match("%.system%.") or kind:match("^bhk"), ("%s: %s"):format(name, each))
      end
      for _, each in ipairs(doc.blocks) do systems = systems + (SYSTEMS[each.type] and 1 or 0) end
    end
    assert.equal(44, systems)
  end)
end)
