-- What cannot be exported is left out and told; no file is invalid, whatever the numbers are.

local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_mesh"

local triangle = sample.triangle
local NAN = 0 / 0

local folder

local function raises(message, ...)
  local ok, err = pcall(lathe.export, ...)
  assert.is_false(ok)
  assert.equal(message, (err:gsub("^[^:]+:%d+: ", "")))
end

describe("an export", function()
  before_each(function() folder = helper.tmpdir() end)

  it("leaves out meshes without triangles, and says so", function()
    local report = assert(lathe.export({
      triangle { name = "empty", positions = {}, indices = {} },
      triangle { indices = {} },
      triangle { name = "good" },
      triangle { name = "nowhere", indices = { 0, 1, 3 } },
      triangle { name = "odd", positions = { NAN, 0, 0, 1, 0, 0, 0, 1, 0 } },
      triangle { name = "flat", transform = { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } },
      triangle { name = "lost", transform = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, NAN, 0, 0, 1 } },
    }, folder .. "/out.glb"))
    assert.same({
      { path = "mesh 1 'empty'", reason = "no vertices" },
      { path = "mesh 2", reason = "no triangles" },
      { path = "mesh 4 'nowhere'", reason = "no triangle whose corners are there and finite" },
      { path = "mesh 5 'odd'", reason = "no triangle whose corners are there and finite" },
      { path = "mesh 6 'flat'", reason = "its transform flattens it" },
      { path = "mesh 7 'lost'", reason = "its transform is not a valid affine matrix" },
    }, report.skipped)
    assert.equal(1, report.meshes)
    glb.validate { folder .. "/out.glb" }
  end)

  it("leaves out triangles whose corners are not there or no numbers", function()
    local path = folder .. "/out.glb"
    local report = assert(lathe.export({ triangle {
      positions = { 5, 5, 5, 1, 0, 0, 0, 2, 0, math.huge, 0, 0, 0, 0, 9 },
      indices = { 0, 1, 2, 1, 2, 3, 0, 1, 4294967295, 0, 1, 4, 5, 0, 1 },
    } }, path))
    assert.same({ { path = "mesh 1",
      reason = "3 of 5 triangles: corners that are not there or no finite numbers" } }, report.skipped)
    assert.equal(2, report.triangles)
    local drawn = glb.parse(helper.read(path)):drawn()[1]
    assert.same({ 0, 1, 2, 0, 1, 4 }, drawn.indices)
    assert.same({ 5, 5, 5, 1, 0, 0, 0, 2, 0, 5, 5, 5, 0, 0, 9 }, drawn.positions) -- the odd one is as the first
    glb.validate { path }
  end)

  it("of nothing is an error, and leaves what was there", function()
    local path = helper.write(folder .. "/out.glb", "mine")
    for _, what in ipairs { {}, { triangle { name = "x", indices = {} } }, { { meshes = {} } } } do
      local report, err = lathe.export(what, path)
      assert.is_nil(report)
      assert.equal("invalid", err.code)
      assert.equal(path .. ": there is no mesh to export"
        .. (what[1] and what[1].name and ": mesh 1 'x': no triangles" or ""), tostring(err))
    end
    assert.equal("mine", helper.read(path))
  end)

  it("of what has no meshes, or broken ones, tells why", function()
    local _, err = lathe.export(assert(lathe.new "save"), folder .. "/out.glb")
    assert.equal(folder .. "/out.glb: save has no meshes", tostring(err))
    local doc = assert(lathe.new("solid", {
      vertices = { { 0, 0, 0 } }, triangles = { { a = 0, b = 1, c = 2 } },
    }))
    _, err = lathe.export(doc, folder .. "/out.glb")
    assert.equal("triangles[1].b: vertex index 1 of 1", tostring(err))
    _, err = lathe.export({ triangle(), doc }, folder .. "/out.glb")
    assert.equal("triangles[1].b: vertex index 1 of 1", tostring(err))
    assert.is_false(helper.exists(folder .. "/out.glb"))
  end)

  it("is refused where its name or folder will not do", function()
    local _, err = lathe.export({ triangle() }, folder .. "/out.fbx")
    assert.equal(folder .. "/out.fbx: a .glb, an .obj, a .csv or a .dot is what can be written", tostring(err))
    assert.equal("unsupported", err.code)
    _, err = lathe.export({ triangle() }, folder .. "/no/out.glb")
    assert.equal("io", err.code)
    assert(lathe.export({ triangle() }, folder .. "/out.fbx", { format = "glb" }))
    assert.equal("glTF", helper.read(folder .. "/out.fbx"):sub(1, 4))
  end)

  it("raises where the program is wrong", function()
    local path, list = folder .. "/out.glb", { triangle() }
    local here = "spec/unit/export_bad_spec.lua"
    raises("option 'scale': 'metres' or a number from 1e-20 to 1e20 expected", list, path, { scale = 0 })
    raises("option 'scale': 'metres' or a number from 1e-20 to 1e20 expected", list, path, { scale = "2" })
    raises("option 'format': 'csv', 'dot', 'glb' or 'obj' expected", list, path, { format = "gltf" })
    raises("option 'textures': 'names' or 'reference' expected", list, path, { textures = true })
    raises("no option 'sclae' of export: it takes clips, euler, format, lod, mesh, scale, skeleton, textures and what",
      list, path, { sclae = 2 })
    raises("option 'euler': an order of axes expected, as 'XYZ'", list, path, { euler = "XYX" })
    raises("a document or a list of meshes expected, got nil", nil, path)
    raises("a list of meshes expected, with a number in it", { 1 }, path)
    raises("positions of a mesh: a buffer of any rows by 3 columns expected", { { positions = { 1, 2, 3 } } }, path)
    raises("normals of a mesh: a buffer of 3 rows by 3 columns expected",
      { triangle { normals = { 0, 0, 1 } } }, path)
    raises("indices of a mesh: integers expected",
      { { positions = list[1].positions, indices = list[1].positions } }, path)
    raises("a mesh has positions and indices", { {} }, path)
    raises("up of a mesh is 'y' or 'z'", { triangle { up = "x" } }, path)
    local ok, err = pcall(function() return (lathe.export(list, path, { scale = -1 })) end)
    assert.is_false(ok)
    assert.matches("^" .. here:gsub("%p", "%%%0") .. ":%d+: option 'scale'", err)
    ok, err = pcall(function() return (lathe.export(list)) end)
    assert.is_false(ok)
    assert.matches(":%d+: a path expected", err)
  end)

  it("takes the direction of its triangles for a normal that has none", function()
    local path = folder .. "/out.glb"
    for _, bad in ipairs { 0, NAN, math.huge, 1e-30 } do
      assert(lathe.export({ triangle { normals = { bad, bad, bad, 0, 0, 5, 0, 3, 4 },
        tangents = { bad, 0, 0, bad, 0, 2, 0, -7, 1, 0, 0, 0.5 } } }, path))
      local file = glb.parse(helper.read(path))
      local attributes = file.json.meshes[1].primitives[1].attributes
      local normals, tangents = file:values(attributes.NORMAL), file:values(attributes.TANGENT)
      assert.same({ 0, 0, 1, 0, 0, 1 }, table.move(normals, 1, 6, 1, {}))
      assert.is_near(0.6, normals[8], 1e-6)
      assert.same({ 0, 1, 0, -1, 1, 0, 0, 1 }, table.move(tangents, 5, 12, 1, {}))
      assert.is_near(1, tangents[1] ^ 2 + tangents[2] ^ 2 + tangents[3] ^ 2, 1e-6)
      assert.is_near(0, tangents[3], 1e-6) -- at a right angle to the normal
      glb.validate { path }
    end
  end)

  it("turns what looks inwards", function()
    local cube, quads = { }, { 0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3 }
    local positions, outwards, inwards = {}, {}, {}
    for v = 0, 7 do
      for k = 0, 2 do
        positions[#positions + 1] = (v >> k & 1) * 2 - 1
        outwards[#outwards + 1] = positions[#positions]
        inwards[#inwards + 1] = -positions[#positions]
      end
    end
    for q = 1, #quads, 4 do -- 0 is at -1, -1, -1; these face inwards
      local a, b, c, d = quads[q], quads[q + 1], quads[q + 2], quads[q + 3]
      table.move({ a, b, c, a, c, d }, 1, 6, #cube + 1, cube)
    end
    local reversed = {}
    for i = 1, #cube, 3 do reversed[i], reversed[i + 1], reversed[i + 2] = cube[i], cube[i + 2], cube[i + 1] end
    local path = folder .. "/out.glb"
    local function faces_out(indices, normals)
      local report = assert(lathe.export({ sample.mesh { positions = positions, indices = indices,
        normals = normals } }, path))
      local drawn = glb.parse(helper.read(path)):drawn()[1]
      local p, n = drawn.positions, drawn.normals
      for i = 1, #p do assert.is_true(p[i] * n[i] > 0) end
      local a, b, c = 3 * drawn.indices[1], 3 * drawn.indices[2], 3 * drawn.indices[3]
      local volume = p[a + 1] * (p[b + 2] * p[c + 3] - p[b + 3] * p[c + 2])
        - p[a + 2] * (p[b + 1] * p[c + 3] - p[b + 3] * p[c + 1]) + p[a + 3] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1])
      assert.is_true(volume > 0)
      return report.notes[1] and report.notes[1].reason:match "^%a+"
    end
    assert.equal("triangles", faces_out(cube, outwards))
    assert.is_nil(faces_out(reversed, outwards))
    assert.equal("normals", faces_out(reversed, inwards))
    assert.is_false((pcall(faces_out, cube, inwards))) -- a room, seen from within
  end)
end)

describe("any mesh", function()
  it("becomes a file that the validator accepts", function()
    folder = helper.tmpdir()
    local seed = 1
    local function random(n)
      seed = seed * 6364136223846793005 + 1442695040888963407
      return (seed >> 33) % n
    end
    local ODD = { NAN, math.huge, -math.huge, 0, -0.0, 1e38, -3.4e38, 1e-45, 1e-20, 1, -1, 65504 }
    local function number(oddness)
      return random(100) < oddness and ODD[random(#ODD) + 1] or random(2001) / 1000 - 1
    end
    local function list(n, oddness)
      local out = {}
      for i = 1, n do out[i] = number(oddness) end
      return out
    end
    local function whole(n, below)
      local out = {}
      for i = 1, n do out[i] = random(below) end
      return out
    end
    local function matrix(oddness)
      local m = list(16, oddness)
      m[4], m[8], m[12], m[16] = 0, 0, 0, random(100) < oddness and 2 or 1
      return m
    end
    local function any_mesh(oddness)
      local n, bones = random(30) + 1, {}
      for i = 1, random(4) do
        bones[i] = { name = "b" .. random(3), parent = random(6) - 1, bind = matrix(oddness), world = matrix(oddness) }
      end
      local fields = {
        positions = list(3 * n, oddness), indices = whole(3 * (random(40) + 1), n + random(2)),
        transform = matrix(oddness), up = random(2) == 0 and "z" or "y", skin = { bones = bones },
        surface = random(2) == 0 and { base_color = list(4, oddness), emissive = list(3, oddness), alpha = "mask",
          cutoff = number(oddness), textures = { normal = "a b\\\xff.dds" } } or nil,
        normals = random(4) > 0 and list(3 * n, oddness) or nil,
        tangents = random(4) > 0 and list(4 * n, oddness) or nil,
        uvs = random(4) > 0 and list(2 * n, oddness) or nil,
        colors = random(4) > 0 and list(4 * n, oddness) or nil,
      }
      if random(3) > 0 then
        fields.joints, fields.weights = whole(4 * n, 6), list(4 * n, oddness)
      end
      return sample.mesh(fields)
    end
    local paths = {}
    for i = 1, 150 do
      local meshes = {}
      for k = 1, random(4) + 1 do meshes[k] = any_mesh(({ 0, 2, 20 })[i % 3 + 1]) end
      local path = ("%s/%d.glb"):format(folder, i)
      local report, err = lathe.export(meshes, path)
      assert(report or err.message:match "^there is no mesh to export", tostring(err))
      if report then
        paths[#paths + 1] = path
        glb.parse(helper.read(path)):drawn()
      end
      report = lathe.export(meshes, folder .. "/any.obj")
      if report then
        local text = helper.read(folder .. "/any.obj")
        assert.is_nil(text:lower():find("nan", 1, true) or text:find("inf", 1, true))
      end
    end
    assert.is_true(#paths > 100)
    glb.validate(paths, {
      " info ACCESSOR_INDEX_TRIANGLE_DEGENERATE ", " info MESH_PRIMITIVE_", " hint ",
    })
  end)
end)
