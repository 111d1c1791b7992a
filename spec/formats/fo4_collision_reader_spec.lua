-- The reader of Fallout 4's collision that judges what lathe builds, against what an independent one found in 40 files.

local figures = require "nif_figures"
local fo4 = require "fo4_collision"
local check = require "fo4_collision_check"
local lathe = require "lathe"

local function close(want, got)
  if type(want) ~= "number" then return want == got end
  return math.abs(want - got) <= 5.1e-6 * math.abs(want) + 1e-12
end

local function same(want, got, what)
  if type(want) == "table" then
    for i, v in ipairs(want) do same(v, got[i], ("%s[%d]"):format(what, i)) end
  elseif not close(want, got) then
    error(("%s: %s, not %s"):format(what, got, want), 0)
  end
end

local function hex(id) return ("%08X"):format(id & 0xFFFFFFFF) end

local function first(list, n) return table.move(list, 1, math.min(n, #list), 1, {}) end

local compare_shape

local function compare_hull(want, got, what)
  same(want.numVertices, #got.vertices, what .. ".numVertices")
  same(want.numRealVertices, got.real_vertices, what .. ".numRealVertices")
  same(want.numFaces, #got.faces, what .. ".numFaces")
  same(want.numPlanes, #got.planes, what .. ".numPlanes")
  same(want.numIndices, #got.indices, what .. ".numIndices")
  same(want.vertices, got.vertices, what .. ".vertices")
  same(want.planes, got.planes, what .. ".planes")
  same(want.faces, got.faces, what .. ".faces")
  local points, triangles = fo4.geometry(got)
  same(want.triangles, #triangles, what .. ".triangles")
  same(want.bounds, { fo4.bounds(points) }, what .. ".bounds")
  if want.a then same({ want.a, want.b }, { got.a, got.b }, what .. ".a") end
end

local function compare_mesh(want, got, what)
  local data, packed, primitives = got.data, 0, 0
  for _, s in ipairs(data.sections) do packed, primitives = packed + s.num_packed, primitives + s.num_primitives end
  same({ want.numSections, want.numPrimitives, want.numTriangles, want.numPackedVertices, want.numSharedVertices,
    want.maxKeyValue, want.bitsPerKey }, { #data.sections, primitives, #got.triangles, packed, #data.shared,
    data.max_key_value, data.bits_per_key }, what .. ".counts")
  same(want.domain, { data.min, data.max }, what .. ".domain")
  same(want.firstVertices, first(data.sections[1].vertices, 8), what .. ".firstVertices")
  same(want.firstPrimitives, first(data.sections[1].primitives, 8), what .. ".firstPrimitives")
  local last = data.sections[#data.sections].vertices
  same(want.lastSectionVertices, table.move(last, math.max(1, #last - 3), #last, 1, {}), what .. ".lastSectionVertices")
  same(want.bounds, { fo4.bounds((fo4.geometry(got))) }, what .. ".bounds")
  local counts, ids, filters = {}, {}, {}
  for i, e in ipairs(got.properties[0xF601].entries) do ids[i], filters[i] = hex(e.material), e.filter end
  for _, t in ipairs(got.triangles) do counts[hex(t.material)] = (counts[hex(t.material)] or 0) + 1 end
  same(want.materials, ids, what .. ".materials")
  same(want.filters, filters, what .. ".filters")
  assert.same(want.trianglesPerMaterial, counts)
end

local function compare_compound(want, got, what)
  same(want.numInstances, #got.instances, what .. ".numInstances")
  same(want.aabb, { got.min, got.max }, what .. ".aabb")
  for i, instance in ipairs(want.instances) do
    local mine, here = got.instances[i], ("%s.instances[%d]"):format(what, i)
    same(instance.columns, mine.columns, here)
    same(instance.translation, mine.translation, here)
    same(instance.scale, mine.scale, here)
    same(instance.shapeOffset, mine.shape.offset, here)
    if instance.shape then compare_shape(instance.shape, mine.shape, here) end
  end
end

compare_shape = function(want, got, what)
  same({ want.cls, want.offset, want.flags, want.numShapeKeyBits, want.dispatchType, want.convexRadius, want.materialId },
    { got.class, got.offset, got.flags, got.key_bits, got.dispatch, got.radius, hex(got.material) }, what)
  if want.massProperties then
    local m, mine = want.massProperties, got.mass
    same({ m.centerOfMass, m.inertia, m.majorAxis, m.mass, m.volume },
      { mine.center_of_mass, mine.inertia, mine.major_axis, mine.mass, mine.volume }, what .. ".mass")
  end
  if want.planes then compare_hull(want, got, what) end
  if want.numSections then compare_mesh(want, got, what) end
  if want.instances then compare_compound(want, got, what) end
  if want.center then same({ want.center, want.radius }, { got.center, got.radius }, what .. ".center") end
end

local function compare_body(want, got, what)
  same({ want.motionId or false, want.qualityId, want.materialIndex, want.collisionFilterInfo, want.layer, want.flags },
    { got.motion_id or false, got.quality_id, got.material_id, got.filter, got.layer, got.flags }, what)
  same({ want.position, want.orientation, want.dynamicFriction, want.staticFriction, want.restitution,
    want.triggerType }, { got.position, got.orientation, got.material.dynamic_friction, got.material.static_friction,
    got.material.restitution, got.material.trigger_type }, what)
  local m, mine = want.motion, got.motion
  assert((m ~= nil) == (mine ~= nil), what .. ".motion")
  if m then
    same({ m.motionPropertiesId, m.inverseMass, m.massFactor, m.inverseInertia, m.centerOfMassWorld, m.orientation },
      { mine.properties_id, mine.inverse_mass, mine.mass_factor, mine.inverse_inertia, mine.center_of_mass,
        mine.orientation }, what .. ".motion")
  end
  compare_shape(want.shape, got.shape, what .. ".shape")
end

local function compare_system(want, got)
  assert.equal(want.root, got.root)
  local objects, counts = {}, want.counts
  for i, object in ipairs(got.file.objects) do objects[i] = { object.offset, object.class } end
  assert.same(want.objects, objects)
  assert.same({ counts.materials, counts.motionProperties, counts.motionCinfos, counts.bodies, counts.constraints,
    counts.referencedObjects }, { #got.materials, #got.motion_properties, #got.motions, #got.bodies,
    #got.constraints, #got.referenced })
  for i, p in ipairs(want.motionProperties) do
    local mine = got.motion_properties[i]
    same({ p.gravityFactor, p.timeFactor, p.maxLinearSpeed, p.maxAngularSpeed, p.linearDamping, p.angularDamping },
      { mine.gravity_factor, mine.time_factor, mine.max_linear_speed, mine.max_angular_speed, mine.linear_damping,
        mine.angular_damping }, "motionProperties")
  end
  for i, c in ipairs(want.constraints) do
    local mine = got.constraints[i]
    same({ c.cls, c.bodyA, c.bodyB }, { mine.class, mine.body_a, mine.body_b }, "constraints")
  end
  for i, body in ipairs(want.bodies) do compare_body(body, got.bodies[i], ("bodies[%d]"):format(i)) end
end

describe("the plain reader of collision", function()
  it("finds what another one found, and nothing wrong, in every file #corpus", function()
    local met = 0
    local files = figures.each(figures.collision_files(pending), function(entry)
      local doc <close> = assert(lathe.open(entry.path))
      for number, want in pairs(entry.wanted.systems) do
        local system = fo4.read(lathe.bytes(doc.blocks[tonumber(number) + 1]):sub(5))
        compare_system(want, system)
        assert.same({}, check.system(system, { vanilla = true }))
        met = met + 1
      end
    end)
    assert.same({ 40, 44 }, { files, met })
  end)

  it("finds what is wrong, wherever it is #corpus", function()
    local found, all = {}, 0
    for _, entry in ipairs(figures.collision_files(pending)) do
      if entry.name == "44BullBarrel.nif" or entry.name == "InsFloorMat01.nif" or entry.name == "APC01.nif" then
        local doc <close> = assert(lathe.open(entry.path))
        for number in pairs(entry.wanted.systems) do
          local blob = lathe.bytes(doc.blocks[tonumber(number) + 1]):sub(5)
          local start = fo4.read(blob).file.data.absolute_data_start
          local stop = fo4.read(blob).file.data.local_fixups_offset
          for at = start + 0x1F0, start + stop - 1, 7 do
            local bad = blob:sub(1, at) .. string.char(blob:byte(at + 1) ~ 0x5A) .. blob:sub(at + 2)
            local ok, system = pcall(fo4.read, bad)
            local said = ok and check.system(system, { vanilla = true }) or { "unreadable" }
            if #said > 0 then found[#found + 1] = said[1] end
            all = all + 1
          end
        end
      end
    end
    assert(#found > 0.5 * all, ("%d of %d"):format(#found, all)) -- the others are low bits, padding and junk
  end)

  it("knows the ids of materials by their names", function()
    assert.equal(0xDF02F237, fo4.material_id "stone")
    assert.equal(0x064003D4, fo4.material_id "Metal")
  end)
end)
