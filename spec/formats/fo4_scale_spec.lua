-- doc:scale of Fallout 4's collision: each row of formats/fo4-collision.md 4.1 by its power and all else as it was, as
-- the library and a reader that shares nothing with it see it; there and back; and by another factor along each axis.
-- #corpus: pending, loudly, where there is none.

local check = require "fo4_collision_check"
local every = require "hkx_every_class"
local fo4 = require "fo4_collision"
local lathe = require "lathe"
local nif_figures = require "nif_figures"
local sample_nif = require "sample_nif"

-- ---- what is multiplied -----------------------------------------------------------------------------

-- Class and path (as patterns; numbers of elements are left out) to the power; `keep`: where mass is kept.
local ROWS = {
  { "^hknp%a+Shape$", "convex_radius", 1 },
  { "^hknp%a+Shape$", "vertices%.[xyz]", 1 },
  { "^hknpCapsuleShape$", "[ab]%.[xyz]", 1 },
  { "^hknp%a+Shape$", "planes%.w", 1 },
  { "^hknpCompressedMeshShapeData$", "domain%.m%a%a%.[xyz]", 1 },
  { "^hknpCompressedMeshShapeData$", "sections%.domain%.m%a%a%.[xyz]", 1 },
  { "^hknpCompressedMeshShapeData$", "sections%.codec_parms", 1 },
  { "^hknpCompressedMeshShapeData$", "simd_tree%.nodes%.[lh][xyz]%.[xyzw]", 1 },
  { "^hknpDynamicCompoundShape$", "instances%.transform%.translation%.[xyz]", 1 },
  { "^hknpDynamicCompoundShape$", "aabb%.m%a%a%.[xyz]", 1 },
  { "^hknpDynamicCompoundShapeData$", "nodes%.m%a%a%.[xyz]", 1 },
  { "^hknpShapeMassProperties$", "center_of_mass%.[xyz]", 1 },
  { "^hknpShapeMassProperties$", "inertia%.[xyz]", 5 },
  { "^hknpShapeMassProperties$", "mass", 3 },
  { "^hknpShapeMassProperties$", "volume", 3 },
  { "Data$", "body_cinfos%.position%.[xyz]", 1 },
  { "Data$", "body_cinfos%.collision_look_ahead_distance", 1 },
  { "Data$", "motion_cinfos%.inverse_mass", -3, keep = 0 },
  { "Data$", "motion_cinfos%.mass_factor", 0, keep = -3 },
  { "Data$", "motion_cinfos%.inverse_inertia_local%.[xyz]", -5, keep = -2 },
  { "Data$", "motion_cinfos%.center_of_mass_world%.[xyz]", 1 },
  { "Data$", "motion_cinfos%.linear_velocity%.[xyz]", 1 },
  { "^hkp%a+ConstraintData$", "atoms%.transforms%.transform_[ab]%.translation%.[xyz]", 1 },
  { "^hkaSkeleton$", "reference_pose%.translation%.[xyz]", 1 },
}
local ALWAYS = #ROWS
-- What no file of the corpus has, or only zeros.
local UNSEEN = { ["simd_tree%.nodes%.[lh][xyz]%.[xyzw]"] = true, ["body_cinfos%.collision_look_ahead_distance"] = true,
  ["motion_cinfos%.linear_velocity%.[xyz]"] = true }
local NONE = 3.4e38

local function flat(value, path, out)
  if type(value) == "table" then
    for key, inner in pairs(value) do
      flat(inner, type(key) == "number" and path .. "#" .. key or path .. "." .. key, out)
    end
  else
    out[path] = value
  end
  return out
end

-- Packed vectors (3.6) also as their numbers.
local function unpack_vectors(values)
  local found = {}
  for path in pairs(values) do found[#found + 1] = path:match "^(.*)%.packed#4$" end
  for _, vector in ipairs(found) do
    local scale = ("<f"):unpack(("<I4"):pack(values[vector .. ".packed#4"] << 16)) * 65536
    for i, lane in ipairs { "x", "y", "z" } do
      local raw = values[vector .. ".packed#" .. i]
      values[vector .. "." .. lane] = (raw ~ 0x8000) * scale - 0x8000 * scale
    end
  end
  return values
end

local function objects_of(hkx)
  local list = {}
  for i, object in ipairs(hkx.objects) do
    list[i] = { class = lathe.type(object), values = flat(object:totable(), "", {}) }
    if list[i].class == "hknpShapeMassProperties" then
      list[i].values[".major_axis_space.packed#4"] = nil
      unpack_vectors(list[i].values)
    end
  end
  return list
end

-- The row that a number is of.
local function row_of(class, path)
  local plain = path:gsub("#%d+", ""):sub(2)
  for _, row in ipairs(ROWS) do
    if class:find(row[1]) and plain:find("^" .. row[2] .. "$") then return row end
  end
end

-- How many times as large a number is.
local function wanted_power(object, path, row, keep)
  local values = object.values
  local plane = path:match "^%.planes#(%d+)%.w$"
  if plane and not values[".faces#" .. plane .. ".first_index"] then return 0 end       -- it fills up
  local motion = path:match "^(.*)%.mass_factor$"
  if motion and values[motion .. ".inverse_mass"] == 0 then return 0 end
  return keep and row.keep or row[3]
end

-- Compares what was with what is: `near` says whether two numbers are the same.
local function compare(before, after, factor, keep, near, seen)
  for i, object in ipairs(before) do
    for path, was in pairs(object.values) do
      local is = after[i].values[path]
      local row = type(was) == "number" and row_of(object.class, path)
      local power = row and wanted_power(object, path, row, keep) or 0
      if power ~= 0 and math.abs(was) < NONE then
        if was ~= 0 then seen[row[2]] = true end
        if not near(was * factor ^ power, is, was, object) then
          error(("%s%s: %.9g became %.9g, not %.9g"):format(object.class, path, was, is, was * factor ^ power), 0)
        end
      elseif was ~= is and (was == was or is == is) and not path:find "%.packed#%d$" then
        error(("%s%s: %s became %s"):format(object.class, path, was, is), 0)
      end
    end
  end
end

local function exactly(wanted, is) return wanted == is end

-- One unit in the last place of floats; of packed numbers that of the largest of three.
local function closely(wanted, is) return math.abs(wanted - is) <= 2 ^ -22 * math.abs(wanted) end

local function systems(test)
  local count = 0
  nif_figures.each(nif_figures.collision_files(pending), function(entry)
    local doc <close> = assert(lathe.open(entry.path))
    for i = 1, #doc.blocks do
      local kind = doc.blocks[i].type
      if kind == "bhkPhysicsSystem" or kind == "bhkRagdollSystem" then
        test(doc.blocks[i].system, entry.name, doc)
        count = count + 1
      end
    end
  end)
  return count
end

-- What is wrong with a system, without figures, which grow.
local function complaints(system)
  local list = {}
  for i, line in ipairs(check.system(system)) do list[i] = line:gsub("%-?%d+%.[%de-]+", "") end
  return list
end

describe("scale by 2 of collision", function()
  for _, mass in ipairs { "density", "keep" } do
    it("multiplies each row by its power, and nothing else: " .. mass, function()
      local seen, unseen = {}, {}
      local count = systems(function(hkx)
        local before = objects_of(hkx)
        assert.same({}, assert(hkx:scale(2, { what = "collision", mass = mass })).skipped)
        compare(before, objects_of(hkx), 2, mass == "keep", exactly, seen)
      end)
      if count == 0 then return end
      for i = 1, ALWAYS do
        local power = mass == "keep" and ROWS[i].keep or ROWS[i][3]
        if power ~= 0 and not seen[ROWS[i][2]] and not UNSEEN[ROWS[i][2]] then unseen[#unseen + 1] = ROWS[i][2] end
      end
      assert.same({}, unseen)
      assert.equal(44, count)
    end)
  end

  it("multiplies what no file of the games has", function()
    local doc <close> = every.new(lathe)
    for i = 1, #doc.objects do
      local object = doc.objects[i]
      if lathe.type(object) == "hknpPhysicsSystemData" and #object.body_cinfos > 0 then
        object.body_cinfos[1].collision_look_ahead_distance = 3
        object.motion_cinfos[1].linear_velocity = { 1, 2, 3, 4 }
        object.motion_cinfos[1].inverse_mass = 8
      elseif lathe.type(object) == "hknpCompressedMeshShapeData" then
        object.simd_tree.nodes[1].lx = { 1, 2, 3, 4 }
        object.simd_tree.nodes[1].hz = { 5, 6, -3.4028200183756e+38, 7 }
      end
    end
    local before, seen = objects_of(doc), {}
    assert(doc:scale(2))
    compare(before, objects_of(doc), 2, false, exactly, seen)
    for pattern in pairs(UNSEEN) do assert.is_true(seen[pattern], pattern) end
  end)

  it("doubles every vertex, whoever reads it", function()
    systems(function(hkx)
      local before = fo4.read(lathe.bytes(hkx))
      assert(hkx:scale(2, { what = "collision" }))
      local after = fo4.read(lathe.bytes(hkx))
      assert.same(complaints(before), complaints(after))
      for i, shape in ipairs(before.shapes) do
        local was, triangles = fo4.geometry(shape)
        local is, same = fo4.geometry(after.shapes[i])
        assert.same(triangles, same)
        for k, p in ipairs(was) do
          assert.same({ 2 * p[1], 2 * p[2], 2 * p[3] }, { is[k][1], is[k][2], is[k][3] })
        end
      end
    end)
  end)

  it("doubles what doc:meshes shows", function()
    local meshes = 0
    systems(function(hkx)
      local doc <close> = assert(lathe.parse(lathe.bytes(hkx)))
      local was, i = {}, 0
      for mesh in doc:meshes { what = "collision" } do was[#was + 1] = mesh.positions:totable() end
      assert(doc:scale(2, { what = "collision" }))
      for mesh in doc:meshes { what = "collision" } do
        i = i + 1
        local is = mesh.positions:totable()
        for k, v in ipairs(was[i]) do assert(is[k] == 2 * v, ("%d: %.9g, %.9g"):format(i, v, is[k])) end
      end
      assert.equal(#was, i)
      meshes = meshes + i
    end)
    if meshes > 0 then assert.is_true(meshes > 100, meshes) end
  end)
end)

describe("scale there and back of collision", function()
  it("gives the file, by powers of two", function()
    local files = nif_figures.each(nif_figures.collision_files(pending), function(entry)
      local doc <close> = assert(lathe.open(entry.path))
      local bytes = doc:encode()
      for factor, options in pairs { [2] = {}, [4] = { mass = "keep" }, [0.125] = { what = "collision" } } do
        assert(doc:scale(factor, options))
        assert.is_false(bytes == doc:encode())
        assert(doc:scale(1 / factor, options))
        assert.is_true(bytes == doc:encode(), factor)
      end
    end)
    if files > 0 then assert.equal(40, files) end
  end)

  -- A packed number counts in steps of the largest of its three; all that a step is lost by is one.
  local function steps_of(object, path)
    local vector = path:match "^(.*)%.[xyz]$"
    local most = 0
    for _, lane in ipairs { "x", "y", "z" } do
      most = math.max(most, math.abs(object.values[vector .. "." .. lane]))
    end
    return most * 2 ^ -14
  end

  -- How many floats lie from one to the other.
  local function floats_apart(a, b)
    local x, y = ("<i4"):unpack(("<f"):pack(a)), ("<i4"):unpack(("<f"):pack(b))
    return math.abs(x - y)                        -- of one sign, as scaled numbers are
  end

  it("gives it within one unit in the last place, by 3", function()
    systems(function(hkx)
      local before = objects_of(hkx)
      assert(hkx:scale(3, { what = "collision" }))
      compare(before, objects_of(hkx), 3, false, function(wanted, is, _, object)
        return closely(wanted, is) or object.class == "hknpShapeMassProperties"
      end, {})
      assert(hkx:scale(1 / 3, { what = "collision" }))
      for i, object in ipairs(objects_of(hkx)) do
        for path, was in pairs(before[i].values) do
          local is = object.values[path]
          if type(was) == "number" and was == was and was ~= is and not path:find "%.packed#%d$" then
            local packed = object.class == "hknpShapeMassProperties" and path:find "%.[xyz]$"
            local near = packed and math.abs(was - is) <= steps_of(before[i], path) or floats_apart(was, is) <= 1
            assert(near, object.class .. path)
          end
        end
      end
    end)
  end)
end)

-- ---- what stays, and what is told ----------------------------------------------------------------------

local function told(report)
  local list = {}
  for i, entry in ipairs(report.skipped) do list[i] = entry.path .. ": " .. entry.reason end
  return list
end

describe("scale of packfiles", function()
  it("keeps the bytes of packed zeros, whatever their exponent", function()
    local doc <close> = every.new(lathe)
    local mass
    for i = 1, #doc.objects do
      if lathe.type(doc.objects[i]) == "hknpShapeMassProperties" then mass = doc.objects[i] end
    end
    mass.center_of_mass.packed, mass.inertia.packed = { 0, 0, 0, 0x1980 }, { 0x4000, 0, 0xC000, 0x3080 }
    assert(doc:scale(2))
    assert.same({ 0, 0, 0, 0x1980 }, mass.center_of_mass.packed:totable())
    assert.same({ 0x4000, 0, 0xC000, 0x3080 + 5 * 0x80 }, mass.inertia.packed:totable())
  end)

  it("refuses what does not fit, and changes nothing", function()
    local doc <close> = every.new(lathe)
    local before = doc:encode()
    for i = 1, #doc.objects do
      if lathe.type(doc.objects[i]) == "hknpShapeMassProperties" then
        doc.objects[i].inertia = { 1e37, 0, 0 }
        before = doc:encode()
      end
    end
    local report, err = doc:scale(64)
    assert.is_nil(report)
    assert.matches("what is scaled does not fit into hkPackedVector3", tostring(err), 1, true)
    for _, factor in ipairs { 0, -1, 1 / 0, 0 / 0 } do
      report, err = doc:scale(factor)
      assert.is_nil(report)
      assert.matches("a finite number above 0 expected", tostring(err), 1, true)
    end
    report, err = doc:scale({ 1, 2, 3 }, { what = "skeleton" })
    assert.is_nil(report)
    assert.matches('different factors scale collision alone: what = "collision"', tostring(err), 1, true)
    for _, wrong in ipairs { { 1, 2 }, { 1, 2, "x" } } do
      assert.has_error(function() assert(doc:scale(wrong, { what = "collision" })) end)
    end
    assert.is_true(before == doc:encode())
  end)

  it("says what it leaves alone", function()
    local unknown = { class = "hkaQuantizedAnimation" }
    local doc <close> = assert(lathe.new("hkx", { game = "fallout4", objects = {
      { class = "hkaAnimationContainer", animations = { 2, 3, 4 } }, unknown, unknown,
      { class = "hkaSplineCompressedAnimation", duration = 1 },
    } }))
    local lines = { "objects[2]: lathe does not know the lengths in hkaQuantizedAnimation: each stays as it is",
      "objects[4]: it stays as it is, as it cannot be read: 0 blocks (hkaSplineCompressedAnimation)" }
    local bytes = doc:encode()
    assert.same(lines, told(assert(doc:scale(2))))
    assert.same(lines, told(assert(doc:scale(2, { what = "animation" }))))
    for _, what in ipairs { "collision", "geometry", "skeleton" } do
      assert.same({ changed = 0, skipped = {} }, doc:scale(2, { what = what }))
    end
    assert.is_true(bytes == doc:encode())
  end)
end)

-- ---- by another factor along each axis ----------------------------------------------------------------

local UNEVEN = { 2, 0.5, 3 }

-- Which axis of the world each axis of a body is.
local function axes_of(body)
  local x, y, z, w = table.unpack(body.orientation)
  local first, second = 1 - 2 * (y * y + z * z), 2 * (x * y + z * w)
  if math.abs(first) > 0.9 then return math.abs(1 - 2 * (x * x + z * z)) > 0.9 and { 1, 2, 3 } or { 1, 3, 2 } end
  return math.abs(second) > 0.9 and { 2, 1, 3 } or { 3, 2, 1 }
end

describe("scale of collision by three factors", function()
  -- Faces, planes, boxes, trees and keys are looked at by the checker; mass by what the library makes of boxes.
  it("moves every corner, keeps faces and trees right, and weighs anew", function()
    local scaled, reasons = 0, {}
    systems(function(hkx)
      local bytes = lathe.bytes(hkx)
      local before = fo4.read(bytes)
      local report, err = hkx:scale(UNEVEN, { what = "collision" })
      if not report then
        local reason = tostring(err):match "([^:]+): cannot be scaled by different factors"
        reasons[reason or tostring(err)] = true
        assert.is_true(bytes == lathe.bytes(hkx))
        return
      end
      scaled = scaled + 1
      local after = fo4.read(lathe.bytes(hkx))
      assert.same(complaints(before), complaints(after))
      for i, shape in ipairs(before.shapes) do
        local was, is = fo4.geometry(shape), fo4.geometry(after.shapes[i])
        for k, p in ipairs(was) do
          for axis = 1, 3 do
            local wanted = p[axis] * UNEVEN[axes_of(before.bodies[1])[axis]]
            if #before.bodies == 1 then assert.is_near(wanted, is[k][axis], 1e-6 * math.max(1, math.abs(wanted))) end
          end
        end
        if not shape.instances then assert.equal(shape.radius, after.shapes[i].radius) end
      end
    end)
    if scaled == 0 then return end
    assert.is_true(scaled >= 20, scaled)
    local names = {}
    for reason in pairs(reasons) do names[#names + 1] = reason:match "^%s*(.-)%s*$" end
    table.sort(names)
    assert.same({ "a capsule", "a dynamic body, whose inertia would be another", "a shape that is turned", "a sphere",
      "joints", "not turned by right angles" }, names)
  end)

  it("weighs a box as the box it becomes", function()
    local weighed = 0
    systems(function(hkx)
      local before = fo4.read(lathe.bytes(hkx))
      if not hkx:scale(UNEVEN, { what = "collision" }) then return end
      for _, shape in ipairs(fo4.read(lathe.bytes(hkx)).shapes) do
        local m, points = shape.mass, shape.faces and fo4.geometry(shape)
        if m and #points == 8 and #shape.faces == 6 then
          local min, max = fo4.bounds(points)
          local volume, along = 1, true
          for k = 1, 3 do volume = volume * (max[k] - min[k] + 2 * shape.radius) end
          for _, p in ipairs(points) do
            for k = 1, 3 do
              along = along and math.min(math.abs(p[k] - min[k]), math.abs(p[k] - max[k])) < 1e-4
            end
          end
          if along then
            weighed = weighed + 1
            assert.is_near(volume, m.volume, 1e-3 * volume)
            assert.equal(m.volume, m.mass)
            for k = 1, 3 do
              assert.is_near((min[k] + max[k]) / 2, m.center_of_mass[k], 1e-3 * math.abs(max[k] - min[k]) + 1e-3)
            end
          end
        end
      end
      assert.is_true(#before.shapes > 0)
    end)
    if weighed > 0 then assert.is_true(weighed > 10, weighed) end
  end)

  it("gives the corners back, by the opposite", function()
    systems(function(hkx)
      local before = fo4.read(lathe.bytes(hkx))
      if not hkx:scale({ 2, 4, 0.5 }, { what = "collision" }) then return end
      assert(hkx:scale({ 0.5, 0.25, 2 }, { what = "collision" }))
      local after = fo4.read(lathe.bytes(hkx))
      for i, shape in ipairs(before.shapes) do
        local was, is = fo4.geometry(shape), fo4.geometry(after.shapes[i])
        assert.same(was, is)
      end
    end)
  end)

  it("is what one factor is, where they are equal", function()
    local one <close> = every.new(lathe)
    local three <close> = every.new(lathe)
    assert(one:scale(3, { what = "collision" }))
    assert(three:scale({ 3, 3, 3 }, { what = "collision" }))
    assert.is_true(one:encode() == three:encode())
  end)

  it("refuses older games' collision, by name", function()
    local doc <close> = assert(lathe.parse((sample_nif.build { game = "le", blocks = {
      { type = "NiNode" }, { type = "bhkSphereShape", radius = 2 } } })))
    local bytes = doc:encode()
    local report, err = doc:scale({ 1, 1, 2 }, { what = "collision" })
    assert.is_nil(report)
    assert.matches("blocks[2].radius at 0xc8: cannot be scaled by different factors", tostring(err), 1, true)
    report, err = doc:scale { 1, 1, 2 }
    assert.is_nil(report)
    assert.matches('different factors scale collision alone: what = "collision"', tostring(err), 1, true)
    assert.is_true(bytes == doc:encode())
  end)
end)
