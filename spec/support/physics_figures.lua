--- Compares packfiles of collision with the figures of the corpus (nif-fo4-collision/expected/*.json).
--
--    local figures = require "physics_figures"
--    figures.each(lathe, pending, function(hkx, wanted, bytes, name) … end)    -- each system: an open document
--    figures.system(lathe, hkx, wanted)
--
-- What shapes of convex kinds have is not looked at here.

local assert = require "luassert"
local nif_figures = require "nif_figures"

local figures = {}

--- Figures have six digits.
local DIGITS = 1e-5
local STATIC = 0x7FFFFFFF

--- Calls test(hkx, wanted, bytes, name, doc, block) for each system of the corpus, which is also in that block of
-- the NIF; gives how many there were.
function figures.each(lathe, pending, test)
  local count = 0
  nif_figures.each(nif_figures.collision_files(pending), function(entry)
    local doc <close> = assert(lathe.open(entry.path, { history = 1 }))
    for block, wanted in pairs(entry.wanted.systems) do
      local place = doc.blocks[tonumber(block) + 1]
      local bytes = lathe.bytes(place):sub(5)
      local hkx <close> = assert(lathe.parse(bytes))
      test(hkx, wanted, bytes, entry.name .. " " .. block, doc, place)
      count = count + 1
    end
  end)
  return count
end

-- ---- values ---------------------------------------------------------------------------------------

local function near(wanted, got, label)
  local off = math.abs(wanted - got)
  if off ~= off or off > DIGITS * math.max(1e-3, math.abs(wanted)) then
    error(("%s: %.9g instead of %.9g"):format(label, got, wanted), 0)
  end
end

local function list(wanted, got, label, each)
  for i, value in ipairs(wanted) do (each or near)(value, got[i], ("%s[%d]"):format(label, i)) end
end

local function has(lathe, view, name)
  for _, row in ipairs(lathe.describe(view)) do
    if row.name == name then return row end
  end
end

-- A name of an enumeration as its number.
local function numbered(lathe, view, name)
  local row, value = has(lathe, view, name), view[name]
  for i, called in ipairs(row.names) do
    if called == value then return row.values[i] end
  end
  return value
end

-- ---- meshes ---------------------------------------------------------------------------------------

local function lanes(v) return { v.x, v.y, v.z } end

-- The vertices of a section, numbered from 0: packed ones in steps, then shared ones in the mesh's box.
local function vertices(data, section)
  local out, parms = {}, section.codec_parms
  for i = 1, section.num_packed_vertices do
    local v = data.packed_vertices[section.first_packed_vertex + i]
    out[i] = { parms[1] + v.x * parms[4], parms[2] + v.y * parms[5], parms[3] + v.z * parms[6] }
  end
  local min, max = lanes(data.domain.min), lanes(data.domain.max)
  for i = 1, section.num_shared_indices do
    local v = lanes(data.shared_vertices[data.shared_vertices_index[section.first_shared_index + i] + 1])
    for k, most in ipairs { (1 << 21) - 1, (1 << 21) - 1, (1 << 22) - 1 } do
      v[k] = min[k] + v[k] * (max[k] - min[k]) / most
    end
    out[#out + 1] = v
  end
  return out
end

local function corners(p) return { p.a, p.b, p.c, p.d } end

-- What is near in a mesh is near for its size.
local function points(wanted, got, label)
  for i, point in ipairs(wanted) do
    for k = 1, 3 do
      if math.abs(point[k] - got[i][k]) > 2e-5 * math.max(1, math.abs(point[k])) then
        error(("%s[%d]: %.9g instead of %.9g"):format(label, i, got[i][k], point[k]), 0)
      end
    end
  end
end

-- How many triangles have each material: runs count primitives of their section.
local function count_triangles(data, entries)
  local counts, all = {}, 0
  for _, section in ipairs(data.sections) do
    for i = 1, section.data_run_count do
      local run = data.primitive_data_runs[section.first_data_run + i]
      local name = ("%08X"):format(entries[run.value + 1].material_id)
      for k = run.index + 1, run.index + run.count do
        local p = data.primitives[section.first_primitive + k]
        counts[name] = (counts[name] or 0) + (p.c == p.d and 1 or 2)
        all = all + (p.c == p.d and 1 or 2)
      end
    end
  end
  return counts, all
end

-- Every leaf of a tree once, by the children that nodes tell.
local function leaves(nodes)
  local found, stack, visited = {}, { 1 }, 0
  while #stack > 0 do
    local at = table.remove(stack)
    local node = assert(nodes[at], "a child outside of the tree")
    visited = visited + 1
    if node.inner then
      stack[#stack + 1] = at + 2 * node.index
      stack[#stack + 1] = at + 1
    else
      assert.is_nil(found[node.index])
      found[node.index] = at - 1
    end
  end
  assert.equal(#nodes, visited)
  return found
end

local function trees(data)
  local top = leaves(data.nodes)
  for i, section in ipairs(data.sections) do
    assert.equal(section.leaf_index, top[i - 1])
    local found = leaves(section.nodes)
    for k = 0, section.primitive_count - 1 do assert(found[k], "a primitive without a leaf") end
    assert.equal(2 * section.primitive_count - 1, #section.nodes)
    assert.equal(section.num_packed_vertices, section.packed_count)
  end
end

local function property(shape, key)
  for _, entry in ipairs(shape.properties.entries) do
    if entry.key == key then return entry.object end
  end
end

local function mesh(shape, wanted)
  local data = shape.data
  assert.same({ wanted.bitsPerKey, wanted.maxKeyValue, wanted.numSections, wanted.numPrimitives },
    { data.bits_per_key, data.max_key_value, #data.sections, #data.primitives })
  assert.same({ wanted.numPackedVertices, wanted.numSharedVertices, wanted.numTriangles },
    { #data.packed_vertices, #data.shared_vertices, data.num_primitive_keys })
  list(wanted.domain[1], lanes(data.domain.min), "domain.min")
  list(wanted.domain[2], lanes(data.domain.max), "domain.max")
  points(wanted.firstVertices, vertices(data, data.sections[1]), "firstVertices")
  local last = vertices(data, data.sections[#data.sections])
  points(wanted.lastSectionVertices, table.move(last, #last - #wanted.lastSectionVertices + 1, #last, 1, {}), "last")
  for i, p in ipairs(wanted.firstPrimitives) do assert.same(p, corners(data.primitives[i])) end
  local entries, names, filters = property(shape, "bs_material_properties").materials, {}, {}
  for i, entry in ipairs(entries) do
    names[i], filters[i] = ("%08X"):format(entry.material_id), entry.collision_filter_info
  end
  assert.same({ wanted.materials, wanted.filters }, { names, filters })
  local counts, all = count_triangles(data, entries)
  assert.same(wanted.trianglesPerMaterial, counts)
  assert.equal(wanted.numTriangles, all)
  assert.equal(data.max_key_value + 1, shape.triangle_is_interior.num_bits)
  assert.equal((data.max_key_value + 2) // 2, shape.quad_is_flat.num_bits)
  trees(data)
end

-- ---- shapes ---------------------------------------------------------------------------------------

local shape_of

local function compound(lathe, shape, wanted, start)
  assert.equal(wanted.numInstances, #shape.instances)
  list(wanted.aabb[1], lanes(shape.aabb.min), "aabb.min")
  list(wanted.aabb[2], lanes(shape.aabb.max), "aabb.max")
  assert.equal(#shape.instances, shape.data.num_leaves)
  assert.equal(2 * #shape.instances + 1, #shape.data.nodes)
  for i, one in ipairs(wanted.instances) do
    local instance = shape.instances[i]
    local transform = instance.transform
    for k, column in ipairs(one.columns) do list(column, lanes(transform["column" .. k - 1]), "column") end
    list(one.translation, lanes(transform.translation), "translation")
    list(one.scale, instance.scale, "scale")
    local leaf = shape.data.nodes[(transform.translation.w & 0xFFFF) + 1]
    assert.same({ 0, i - 1 }, { leaf.left, leaf.right })
    assert.equal(one.shapeOffset, lathe.span(instance.shape) - start)
    if one.shape then shape_of(lathe, instance.shape, one.shape, start) end   -- of the first six
  end
end

local function mass(shape, wanted)
  local p = property(shape, "mass_properties")
  list(wanted.centerOfMass, lanes(p.center_of_mass), "centerOfMass")
  list(wanted.inertia, lanes(p.inertia), "inertia")
  list(wanted.majorAxis, p.major_axis_space, "majorAxis")
  near(wanted.mass, p.mass, "mass")
  near(wanted.volume, p.volume, "volume")
end

function shape_of(lathe, shape, wanted, start)
  assert.equal(wanted.cls, lathe.type(shape))
  if not has(lathe, shape, "dispatch_type") then return end   -- not described
  assert.same({ wanted.flags, wanted.numShapeKeyBits, wanted.dispatchType, wanted.materialId },
    { shape.flags, shape.num_shape_key_bits, numbered(lathe, shape, "dispatch_type"), ("%08X"):format(shape.user_data) })
  near(wanted.convexRadius or wanted.radius, shape.convex_radius, "convexRadius")
  if wanted.massProperties then mass(shape, wanted.massProperties) end
  if wanted.cls == "hknpCompressedMeshShape" then mesh(shape, wanted) end
  if wanted.cls == "hknpDynamicCompoundShape" then compound(lathe, shape, wanted, start) end
end

-- ---- systems --------------------------------------------------------------------------------------

local function motion(wanted, got)
  assert.equal(wanted.motionPropertiesId, got.motion_properties_id)
  near(wanted.inverseMass, got.inverse_mass, "inverseMass")
  near(wanted.massFactor, got.mass_factor, "massFactor")
  list(wanted.inverseInertia, lanes(got.inverse_inertia_local), "inverseInertia")
  list(wanted.centerOfMassWorld, lanes(got.center_of_mass_world), "centerOfMassWorld")
  list(wanted.orientation, got.orientation, "motion.orientation")
end

local function body(lathe, system, wanted, got)
  local material = system.materials[got.material_id + 1]
  assert.same({ wanted.motionId or STATIC, wanted.qualityId, wanted.materialIndex, wanted.collisionFilterInfo,
    wanted.flags },
    { got.motion_id, got.quality_id, got.material_id, got.collision_filter_info, got.flags })
  assert.equal(wanted.layer, numbered(lathe, got, "layer"))
  list(wanted.position, lanes(got.position), "position")
  list(wanted.orientation, got.orientation, "orientation")
  near(wanted.dynamicFriction, material.dynamic_friction, "dynamicFriction")
  near(wanted.staticFriction, material.static_friction, "staticFriction")
  near(wanted.restitution, material.restitution, "restitution")
  assert.equal(wanted.triggerType, material.trigger_type)
  if wanted.motion then motion(wanted.motion, system.motion_cinfos[got.motion_id + 1])
  else assert.equal(STATIC, got.motion_id) end
  local start = lathe.span(system)
  assert.equal(wanted.shape.offset, lathe.span(got.shape) - start)
  shape_of(lathe, got.shape, wanted.shape, start)
end

local PROPERTIES = { gravityFactor = "gravity_factor", timeFactor = "time_factor", maxLinearSpeed = "max_linear_speed",
  maxAngularSpeed = "max_angular_speed", linearDamping = "linear_damping", angularDamping = "angular_damping" }

--- Everything that the figures tell of a system.
function figures.system(lathe, hkx, wanted)
  local system = hkx.root
  assert.same({ wanted.root, wanted.size }, { lathe.type(system), hkx.size })
  assert.equal(wanted.predicateArraySize, hkx.predicate_array_size)
  local start = lathe.span(hkx.objects[1])
  for i, object in ipairs(wanted.objects) do
    assert.same(object, { lathe.span(hkx.objects[i]) - start, lathe.type(hkx.objects[i]) })
  end
  local counts = wanted.counts
  assert.same({ counts.materials, counts.motionProperties, counts.motionCinfos },
    { #system.materials, #system.motion_properties, #system.motion_cinfos })
  assert.same({ counts.bodies, counts.constraints, counts.referencedObjects },
    { #system.body_cinfos, #system.constraint_cinfos, #system.referenced_objects })
  for i, one in ipairs(wanted.bodies) do body(lathe, system, one, system.body_cinfos[i]) end
  for i, one in ipairs(wanted.motionProperties) do
    for key, value in pairs(one) do near(value, system.motion_properties[i][PROPERTIES[key]], key) end
  end
  for i, one in ipairs(wanted.constraints) do
    local got = system.constraint_cinfos[i]
    assert.same({ one.cls, one.bodyA, one.bodyB }, { lathe.type(got.constraint_data), got.body_a, got.body_b })
  end
end

return figures
