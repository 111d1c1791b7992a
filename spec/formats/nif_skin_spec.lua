-- Bones, weights and tangents that doc:meshes() gives of NIF files: the corpus as an independent reader finds it, and
-- small scenes.

local figures = require "nif_figures"
local lathe = require "lathe"
local matrix = require "lathe.export.matrix"
local reader = require "nif_reader"
local sample = require "sample_nif"

local TURN = { 0, -1, 0, 1, 0, 0, 0, 0, 1 }     -- x to y
local IDENTITY = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }

local function meshes_of(doc)
  local list = {}
  for mesh in doc:meshes() do list[#list + 1] = mesh end
  return list
end

-- ---- the corpus -----------------------------------------------------------------------------------

local function block_of(file, number)
  return number and file.blocks[number + 1] or nil
end

-- The four bones with most weight.
local function four(row)
  local order, kept = {}, {}
  for number in pairs(row) do order[#order + 1] = number end
  table.sort(order, function(a, b) return row[a] > row[b] end)
  for k = 1, math.min(4, #order) do kept[order[k]] = row[order[k]] end
  return kept
end

-- Of each vertex { [bone] = weight }, before they are made to add up to 1.
local function listed(data)
  local rows = {}
  for i, bone in ipairs(data.values.bones) do
    for _, w in ipairs(bone.weights or {}) do
      rows[w.vertex] = rows[w.vertex] or {}
      if w.weight > 0 then rows[w.vertex][i - 1] = w.weight end
    end
  end
  for v, row in pairs(rows) do rows[v] = four(row) end
  return rows
end

local function packed(vertices)
  local rows = {}
  for v, vertex in ipairs(vertices) do
    local row = {}
    for k = 1, 4 do
      local bone, weight = vertex.bones[k], vertex.weights[k]
      if weight > 0 then row[bone] = (row[bone] or 0) + weight end
    end
    rows[v - 1] = row
  end
  return rows
end

local function same_weights(rows, mesh, tolerance)
  local joints, weights = mesh.joints:totable(), mesh.weights:totable()
  for v = 0, mesh.positions.rows - 1 do
    local got, sum = {}, 0
    for k = 4 * v + 1, 4 * v + 4 do
      if weights[k] > 0 then got[joints[k]] = (got[joints[k]] or 0) + weights[k] end
    end
    for _, w in pairs(rows[v] or {}) do sum = sum + w end
    for bone, w in pairs(rows[v] or {}) do
      assert(math.abs((got[bone] or 0) - w / sum) <= tolerance, ("vertex %d, bone %d"):format(v, bone))
      got[bone] = nil
    end
    for bone, w in pairs(got) do
      assert(w <= tolerance, ("vertex %d has bone %d"):format(v, bone))
    end
  end
end

-- How far the bones' matrices at rest are from one another: they are bound where they are.
local function spread(mesh)
  local first, far = nil, 0
  for _, bone in ipairs(mesh.skin.bones) do
    local posed = matrix.mul(bone.world, bone.bind)
    first = first or posed
    for k = 1, 16 do far = math.max(far, math.abs(posed[k] - first[k])) end
  end
  return far
end

-- The boot was bound to a skeleton that stood otherwise.
local BENT = { ["fo4_LBoot.nif"] = 3 }

local function same_skin(entry, file, shape, mesh)
  local instance = block_of(file, shape.values.skin or shape.values.skin_instance).values
  local data = block_of(file, instance.data)
  local partition = block_of(file, instance.skin_partition)
  local vertices = partition and partition.values.vertices or shape.values.vertices
  assert.equal(#instance.bones, #mesh.skin.bones)
  for i, bone in ipairs(mesh.skin.bones) do
    local name = block_of(file, instance.bones[i]).values.name
    assert.equal(name ~= "" and name or nil, bone.name)
  end
  if vertices and vertices[1] and vertices[1].weights then same_weights(packed(vertices), mesh, 1e-6) end
  local has_list = data.values.bones[1].weights and #data.values.bones[1].weights > 0
  if has_list then same_weights(listed(data), mesh, 2e-3) end
  assert(spread(mesh) < (BENT[entry.name] or 1e-3), spread(mesh))
  return has_list and 1 or 0
end

-- ---- tangents -------------------------------------------------------------------------------------

local function dot(x, y, z, a, b, c) return x * a + y * b + z * c end

-- Along u and up the image, from 1, over all triangles: { cosine of the tangent, and of the bitangent }.
local function along(mesh)
  local p, uv, t, n = mesh.positions:totable(), mesh.uvs:totable(), mesh.tangents:totable(), mesh.normals:totable()
  local u_sum, v_sum, count = 0, 0, 0
  local indices = mesh.indices:totable()
  for i = 1, #indices, 3 do
    local a, b, c = indices[i], indices[i + 1], indices[i + 2]
    local function edge(o)
      return p[3 * o + 1] - p[3 * a + 1], p[3 * o + 2] - p[3 * a + 2], p[3 * o + 3] - p[3 * a + 3],
        uv[2 * o + 1] - uv[2 * a + 1], uv[2 * o + 2] - uv[2 * a + 2]
    end
    local x1, y1, z1, s1, t1 = edge(b)
    local x2, y2, z2, s2, t2 = edge(c)
    local area = s1 * t2 - s2 * t1
    local ux, uy, uz = (t2 * x1 - t1 * x2) / area, (t2 * y1 - t1 * y2) / area, (t2 * z1 - t1 * z2) / area
    local vx, vy, vz = (s2 * x1 - s1 * x2) / area, (s2 * y1 - s1 * y2) / area, (s2 * z1 - s1 * z2) / area
    local u_long, v_long = dot(ux, uy, uz, ux, uy, uz) ^ 0.5, dot(vx, vy, vz, vx, vy, vz) ^ 0.5
    if u_long > 0 and u_long < 1e9 and v_long > 0 and v_long < 1e9 then
      local tx, ty, tz, side = table.unpack(t, 4 * a + 1, 4 * a + 4)
      local nx, ny, nz = table.unpack(n, 3 * a + 1, 3 * a + 3)
      local bx, by, bz = ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx
      u_sum, v_sum = u_sum + dot(tx, ty, tz, ux, uy, uz) / u_long, v_sum + side * dot(bx, by, bz, vx, vy, vz) / v_long
      count = count + 1
    end
  end
  return u_sum / count, v_sum / count
end

-- ---- small scenes ---------------------------------------------------------------------------------

local POSITIONS = { { x = 1, y = 2, z = 3 }, { x = -4, y = 5.5, z = 6 }, { x = 0, y = -8, z = 0.25 } }

local function object(type, name, more)
  local block = { type = type, name = name, translation = { x = 0, y = 0, z = 0 }, rotation = IDENTITY, scale = 1,
    shader_property = -1 }
  for key, value in pairs(more or {}) do block[key] = value end
  return block
end

local function at(x, y, z) return { x = x, y = y, z = z } end

local function xform(translation, rotation, scale)
  return { rotation = rotation or IDENTITY, translation = translation or at(0, 0, 0), scale = scale or 1 }
end

-- Blocks: 0 the root, 1 to 3 bones, of which 2 is below 1, 4 the shape, 5 its data, 6 the skin, 7 the skin's data,
-- 8 its partitions.
local function le(bones, more)
  local instance = { type = "NiSkinInstance", data = 7, skin_partition = 8, skeleton_root = 0, bones = { 1, 2, 3 } }
  local data = { type = "NiSkinData", skin_transform = xform(), has_vertex_weights = true, bones = bones }
  local parts = { type = "NiSkinPartition", partitions = {} }
  for key, value in pairs(more and more.instance or {}) do instance[key] = value end
  for key, value in pairs(more and more.data or {}) do data[key] = value end
  for key, value in pairs(more and more.parts or {}) do parts[key] = value end
  return { game = "le", blocks = {
    object("NiNode", "root", { children = { 1, 3, 4 } }),
    object("NiNode", "a", { children = { 2 }, translation = at(10, 0, 0), rotation = TURN, scale = 2 }),
    object("NiNode", "b", { translation = at(1, 0, 0) }),
    object("NiNode", "c", { children = more and more.ring and { 0 } or nil }),
    object("NiTriShape", "shape", { data = 5, skin_instance = 6, translation = at(0, 0, 7) }),
    { type = "NiTriShapeData", num_vertices = 3, vertices = POSITIONS, num_triangles = 1, triangles = { { 0, 1, 2 } } },
    instance, data, parts,
  } }
end

local function bone(weights, transform)
  local list = {}
  for vertex, weight in pairs(weights or {}) do list[#list + 1] = { vertex = vertex, weight = weight } end
  return { skin_transform = transform or xform(), bounds = { center = at(0, 0, 0), radius = 1 },
    num_vertices = #list, weights = list }
end

local function one(opts)
  local doc <close> = assert(lathe.parse((sample.build(opts))))
  local list = meshes_of(doc)
  assert.equal(1, #list)
  return list[1]
end

local function rows_of(mesh)
  local rows = {}
  for v = 1, mesh.weights.rows do
    local row, joints, weights = {}, { mesh.joints:row(v) }, { mesh.weights:row(v) }
    for k, w in ipairs(weights) do
      if w > 0 then row[joints[k]] = w end
    end
    rows[v] = row
  end
  return rows
end

local function names_and_parents(mesh)
  local list = {}
  for i, b in ipairs(mesh.skin.bones) do list[i] = { b.name, b.parent } end
  return list
end

-- Position, uv, normal, tangent and skin of Fallout 4.
local FO4 = 0x5B << 44 | 5 << 28 | 4 << 20 | 3 << 16 | 2 << 8 | 8

local function fo4(vertices, more)
  local list = {}
  for i, v in ipairs(vertices) do
    list[i] = { position = POSITIONS[i], bitangent_x = v.bitangent and v.bitangent[1] or 0, uv = { u = 0, v = 0 },
      normal = v.normal or { 0, 0, 1 }, bitangent_y = v.bitangent and v.bitangent[2] or 0,
      tangent = v.tangent or { 1, 0, 0 }, bitangent_z = v.bitangent and v.bitangent[3] or 0,
      weights = v.weights or { 1, 0, 0, 0 }, bones = v.bones or { 0, 0, 0, 0 } }
  end
  local instance = { type = "BSSkin::Instance", skeleton_root = 0, data = 4, bones = { 1, -1 } }
  for key, value in pairs(more or {}) do instance[key] = value end
  local function bind(x) return { bounds = { center = at(0, 0, 0), radius = 1 }, rotation = TURN,
    translation = at(x, 0, 0), scale = 1 } end
  return { game = "fo4", blocks = {
    object("NiNode", "root", { children = { 1, 2 } }),
    object("NiNode", "a", { translation = at(10, 0, 0) }),
    object("BSTriShape", "shape", { skin = 3, shader_property = -1, alpha_property = -1, vertex_desc = FO4,
      vertices = list, triangles = { { 0, 1, 2 } }, translation = at(0, 0, 7) }),
    instance,
    { type = "BSSkin::BoneData", bones = { bind(3), bind(4) } },
  } }
end

describe("skins of .nif", function()
  it("are what an independent reader finds #corpus", function()
    local skins, lists = {}, 0
    for _, entry in ipairs(figures.files(pending)) do
      local wanted = {}
      for _, shape in ipairs(entry.wanted.shapes or {}) do
        if (shape.bones or 0) > 0 and shape.type ~= "BSGeometry" then wanted[#wanted + 1] = shape end
      end
      table.sort(wanted, function(a, b) return a.index < b.index end)
      if #wanted > 0 then
        local bytes, k = entry:bytes(), 0
        local doc <close> = assert(lathe.parse(bytes))
        local file = reader.read(bytes)
        for mesh in doc:meshes() do
          if mesh.skin then
            k = k + 1
            local shape = wanted[k]
            local ok, err = pcall(function()
              assert.equal(shape.name, mesh.name or "")
              assert.equal(shape.bones, #mesh.skin.bones)
              lists = lists + same_skin(entry, file, file.blocks[shape.index + 1], mesh)
            end)
            assert(ok, ("%s: %s"):format(entry.name, tostring(err)))
          end
        end
        assert.equal(#wanted, k, entry.name)
        local game = entry.name:match "^%w+"
        skins[game] = (skins[game] or 0) + k
      end
    end
    assert.same({ mw = 2, ob = 2, le = 8, sse = 20, fo4 = 25 }, skins)
    assert.equal(28, lists)
  end)

  it("have the bones that nodes are, with what is above them and where they rest", function()
    local mesh = one(le { bone({ [0] = 1 }, xform(at(1, 2, 3), TURN, 0.5)), bone { [1] = 1 }, bone { [2] = 1 } })
    assert.same({ { "a", -1 }, { "b", 0 }, { "c", -1 } }, names_and_parents(mesh))
    local bones = mesh.skin.bones
    assert.same({ 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0, 0, 0.5, 0, 1, 2, 3, 1 }, bones[1].bind)
    assert.same({ 0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 10, 0, 0, 1 }, bones[1].world)
    assert.same({ 0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 10, 2, 0, 1 }, bones[2].world)
    assert.equal(7, mesh.transform[15])
  end)

  it("have weights that add up to 1, of the four bones with most", function()
    local five = le({ bone { [0] = 0.5 }, bone { [0] = 0.25, [1] = 3 }, bone { [0] = 1.25, [1] = 1 },
      bone { [0] = 0.125 }, bone { [0] = 2 } }, { instance = { bones = { 1, 2, 3, 0, 3 } } })
    assert.same({ { [0] = 0.125, [1] = 0.0625, [2] = 0.3125, [4] = 0.5 }, { [1] = 0.75, [2] = 0.25 }, {} },
      rows_of(one(five)))
  end)

  it("take no weight that is none, and none of what is not there", function()
    local odd = le { bone { [0] = 0 / 0, [1] = -1, [2] = math.huge }, bone { [0] = 0, [1] = 0.5, [3] = 1 },
      bone { [65535] = 1 } }
    assert.same({ {}, { [1] = 1 }, {} }, rows_of(one(odd)))
  end)

  it("are in partitions where they are nowhere else", function()
    local part = { num_vertices = 2, weights_per_vertex = 2, bones = { 2, 0 }, has_vertex_map = true,
      vertex_map = { 2, 0 }, has_weights = true, weights = { 0.25, 0.75, 1, 0 }, has_bone_indices = true,
      bone_indices = { 0, 1, 1, 1 } }
    local bad = { num_vertices = 1, weights_per_vertex = 2, bones = { 9 }, has_vertex_map = true, vertex_map = { 1 },
      has_weights = true, weights = { 0.5, 0.5 }, has_bone_indices = true, bone_indices = { 0, 1 } }
    local list = { bone(), bone(), bone() }
    for _, b in ipairs(list) do b.weights = nil end
    local mesh = one(le(list, { data = { has_vertex_weights = false }, parts = { partitions = { part, bad } } }))
    assert.same({ { [0] = 1 }, {}, { [2] = 0.25, [0] = 0.75 } }, rows_of(mesh))
  end)

  it("are in the vertices of Fallout 4; a bone that is not there rests where the mesh is", function()
    local mesh = one(fo4 { { weights = { 0.5, 0.5, 0, 0 }, bones = { 1, 0, 7, 7 } },
      { weights = { 1, 0.5, 0, 0 }, bones = { 2, 1, 0, 0 } }, { weights = { 0, 0, 0, 0 } } })
    assert.same({ { [0] = 0.5, [1] = 0.5 }, { [1] = 1 }, {} }, rows_of(mesh))
    assert.same({ { "a", -1 }, { nil, -1 } }, names_and_parents(mesh))
    local bones = mesh.skin.bones
    assert.same({ 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1 }, bones[1].bind)
    assert.equal(10, bones[1].world[13])
    assert.same(mesh.transform, matrix.mul(bones[2].world, bones[2].bind))
  end)

  it("are none where there are no bones, or counts differ, and nothing else is lost", function()
    local three = { bone { [0] = 1 }, bone(), bone() }
    for _, more in ipairs {
      { instance = { bones = { 1, 2 } } }, { instance = { bones = {} }, data = { bones = {} } },
      { instance = { data = -1 } }, { instance = { data = 5 } }, { instance = { data = 99 } },
    } do
      local mesh = one(le(three, more))
      assert.is_nil(mesh.joints)
      assert.is_nil(mesh.skin)
      assert.equal(1, mesh.indices.rows)
    end
    assert.is_nil(one(fo4({ {}, {}, {} }, { data = 3 })).skin)
  end)

  it("end where bones are in a ring or are named twice", function()
    local ring = one(le({ bone { [0] = 1 }, bone { [1] = 1 }, bone() }, { ring = true }))
    assert.same({ { "a", 2 }, { "b", 0 }, { "c", -1 } }, names_and_parents(ring))
    local twice = one(le({ bone(), bone(), bone() }, { instance = { bones = { 2, 1, 2 } } }))
    assert.same({ { "b", 1 }, { "a", -1 }, { "b", 1 } }, names_and_parents(twice))
  end)
end)

describe("skins of a damaged .nif", function()
  -- Whatever a byte says: bones that are there, and weights that add up.
  local function holds_together(mesh)
    local bones, weights, joints = #mesh.skin.bones, mesh.weights:totable(), mesh.joints:totable()
    for i, w in ipairs(weights) do
      assert(w >= 0 and w <= 1)
      assert(joints[i] < bones)
    end
    for v = 1, #weights, 4 do
      local sum = weights[v] + weights[v + 1] + weights[v + 2] + weights[v + 3]
      assert(sum == 0 or math.abs(sum - 1) < 1e-6, sum)
    end
    for _, b in ipairs(mesh.skin.bones) do assert(b.parent >= -1 and b.parent < bones) end
  end

  local part = { num_vertices = 2, weights_per_vertex = 2, bones = { 2, 0 }, has_vertex_map = true,
    vertex_map = { 2, 0 }, has_weights = true, weights = { 0.25, 0.75, 1, 0 }, has_bone_indices = true,
    bone_indices = { 0, 1, 1, 1 } }
  local without = { bone(), bone(), bone() }
  for _, b in ipairs(without) do b.weights = nil end

  for name, opts in pairs {
    ["with lists of weights"] = le { bone { [0] = 1, [1] = 0.5 }, bone { [1] = 1 }, bone { [2] = 1 } },
    ["with partitions"] = le(without, { data = { has_vertex_weights = false }, parts = { partitions = { part } } }),
    ["with packed vertices"] = fo4 { { weights = { 0.5, 0.5, 0, 0 }, bones = { 1, 0, 0, 0 } }, {}, {} },
  } do
    it("hold together: " .. name, function()
      local bytes, info = sample.build(opts)
      local skinned = 0
      for offset = info.body_offset, info.footer_offset - 1 do
        for _, byte in ipairs { "\0", "\1", "\x7F", "\xFF" } do
          local doc <close> = assert(lathe.parse(sample.patch(bytes, offset, byte)))
          for mesh in doc:meshes() do
            if mesh.skin then
              skinned = skinned + 1
              holds_together(mesh)
            end
          end
        end
      end
      assert(skinned > 1000, skinned)
    end)
  end
end)

describe("tangents of .nif", function()
  it("go along u, and bitangents up the image #corpus", function()
    local of = {}
    for _, entry in ipairs(figures.files(pending)) do
      local game = entry.name:match "^%w+"
      if (of[game] or 0) < 12 and entry.wanted.size < 400000 then
        local doc <close> = assert(lathe.open(entry.path))
        for mesh in doc:meshes() do
          if mesh.tangents and mesh.uvs and mesh.indices.rows > 60 then
            local u, v = along(mesh)
            assert(u > 0.2 and v > 0.2, ("%s, %s: %.3f %.3f"):format(entry.name, mesh.name, u, v))
            of[game] = (of[game] or 0) + 1
          end
        end
      end
    end
    assert(of.le >= 8 and of.sse >= 8 and of.fo4 >= 8 and of.fo3)
  end)

  it("are the file's bitangents, with the side that its tangents are on", function()
    local mesh = one(fo4 { { bitangent = { 1, 0, 0 }, tangent = { 0, 1, 0 } },
      { bitangent = { 1, 0, 0 }, tangent = { 0, -1, 0 } }, { bitangent = { 0, -1, 0 }, tangent = { -1, 0, 0 } } })
    local sides = {}
    for v = 1, 3 do
      local row = { mesh.tangents:row(v) }
      sides[v] = row[4]
      assert.is_near(v < 3 and 1 or 0, row[1], 1e-6)
      assert.is_near(v < 3 and 0 or -1, row[2], 0.005)
    end
    assert.same({ -1, 1, 1 }, sides)
  end)
end)
