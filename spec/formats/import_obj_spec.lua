-- lathe.import of .obj, from files written out here.

local fail = require "lathe.import.fail"
local helper = require "helper"
local lathe = require "lathe"
local obj = require "lathe.import.obj"
local outcome = require "outcome"

local folder

local function import(text, opts)
  return lathe.import(helper.write(folder .. "/a.obj", text), opts)
end

local function message(text)
  return (outcome.message(import(text)):gsub("^.*/a%.obj: ", ""))
end

local function lists(mesh)
  return { mesh.positions:totable(), mesh.indices:totable(), mesh.uvs and mesh.uvs:totable(),
    mesh.normals and mesh.normals:totable() }
end

local SQUARE = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\n"

describe("an .obj", function()
  before_each(function() folder = helper.tmpdir() end)

  it("gives a mesh with its triangles", function()
    local meshes = assert(import(SQUARE .. "f 1 2 3\n"))
    assert.equal(1, #meshes)
    local mesh = meshes[1]
    assert.same({ { 0, 0, 0, 2, 0, 0, 2, 1, 0 }, { 0, 1, 2 } }, lists(mesh))
    assert.same({ "f32", "u32", 3, 3 }, { mesh.positions.type, mesh.indices.type, mesh.positions.columns,
      mesh.indices.columns })
    assert.same({ "y", "bottom" }, { mesh.up, mesh.uv_origin })
    assert.same({ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }, mesh.transform)
    assert.is_nil(mesh.name or mesh.material or mesh.materials or mesh.triangle_materials or mesh.metres)
  end)

  it("has a vertex for each place, texture coordinate and normal that meet, in its own order", function()
    local mesh = assert(import(SQUARE .. "vt 0.5\nvt 1 2 3\nvn 0 0 2\n"
      .. "f 3/1/1 1/2/1 2/1/1\nf 3/1/1 2/1/1 1/1/-1"))[1]
    assert.same({ { 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 1, 0 }, { 3, 1, 2, 3, 2, 0 },
      { 0.5, 0, 1, 2, 0.5, 0, 0.5, 0 }, { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 } }, lists(mesh))
    mesh = assert(import(SQUARE .. "vn 1 0 0\nvn 0 1 0\nvt 1 1\nf 1//1 2//2 3//1\nf -1/1/2 -2/1/2 -3/1/2"))[1]
    assert.is_nil(mesh.uvs)
    assert.equal(6, mesh.normals.rows)
  end)

  it("is divided by its objects; by its groups where it has none", function()
    local faces = "f 1 2 3\nf 1 3 4\n"
    local function names(text)
      local list = {}
      for i, mesh in ipairs(assert(import(SQUARE .. text))) do
        list[i] = ("%s:%d"):format(mesh.name or "-", mesh.indices.rows)
      end
      return table.concat(list, " ")
    end
    assert.equal("-:2 UCX a:4 b:2",
      names(faces .. "o UCX a  \n" .. faces .. "g x\n" .. faces .. "o empty\no b\n" .. faces))
    assert.equal("x y:2 z:2 x y:2", names("g x y\n" .. faces .. "g z\n" .. faces .. "g x y\n" .. faces))
  end)

  it("tells the material of each triangle", function()
    local mesh = assert(import(SQUARE .. "usemtl light wood\nf 1 2 3\nf 1 2 4"))[1]
    assert.equal("light wood", mesh.material)
    assert.same({ { "light wood" }, { 0, 0 } }, { mesh.materials, mesh.triangle_materials:totable() })
    mesh = assert(import(SQUARE .. "f 1 2 3\nusemtl a\nf 1 2 3 4\nusemtl b\nf 1 2 3\nusemtl a\nf 1 2 3\n"))[1]
    assert.is_nil(mesh.material)
    assert.same({ { "a", "b" }, { 2, 0, 0, 1, 0 } }, { mesh.materials, mesh.triangle_materials:totable() })
    assert.equal("u32", mesh.triangle_materials.type)
  end)

  it("may be written in many ways", function()
    local mesh = assert(import("# x\r\n\r\n  v\t0 0 0 1 # w\r\nv 1e1 -0.5 +.25 1 0 0\r\nv 1 \\\r\n1\\\n 0\n"
      .. "vp 1\ns off\nl 1 2\np 1\nmtllib x.mtl\nf 1 2 3 # 4\nf 1 2 \\\n3"))[1]
    assert.same({ { 0, 0, 0, 10, -0.5, 0.25, 1, 1, 0 }, { 0, 1, 2, 0, 1, 2 } }, lists(mesh))
    assert.equal(1, #assert(import(SQUARE .. "f 1 2 3\\")))
  end)

  it("is turned and scaled to the game's axes and units", function()
    local text = "v 1 2 3\nv 4 5 6\nv 7 8 10\nvn 0 1 0\nf 1//1 2//1 3//1"
    local mesh = assert(import(text, { up = "z", scale = 2 }))[1]
    assert.same({ 0.5, -1.5, 1, 2, -3, 2.5, 3.5, -5, 4 }, mesh.positions:totable())
    assert.same({ 0, 0, 1 }, { mesh.normals:row(1) })
    assert.equal("z", mesh.up)
    mesh = assert(import(text, { scale = "metres", metres = 0.5 }))[1]
    assert.same({ 2, 4, 6 }, { mesh.positions:row(1) })
    assert.equal(0.5, mesh.metres)
  end)

  it("has polygons cut so that they are covered once", function()
    local function area(mesh)
      local sum = 0
      for i = 1, mesh.indices.rows do
        local a, b, c = mesh.indices:row(i)
        local ax, ay = mesh.positions:row(a + 1)
        local bx, by = mesh.positions:row(b + 1)
        local cx, cy = mesh.positions:row(c + 1)
        local twice = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        assert.is_true(twice > -1e-6)
        sum = sum + twice / 2
      end
      return sum
    end
    local mesh = assert(import(SQUARE .. "f 1 2 3 4"))[1]
    assert.same({ 0, 1, 2, 0, 2, 3 }, mesh.indices:totable())
    local arrow = assert(import("v 0 0 0\nv 4 -2 0\nv 1 0 0\nv 4 2 0\nf 1 2 3 4"))[1]
    assert.is_near(2, area(arrow), 1e-6)
    math.randomseed(5)
    for n = 5, 60, 5 do                                 -- stars, whose corners stand far out and near in turn
      local lines, face, twice = {}, {}, 0
      local points = {}
      for i = 1, n do
        local turn, r = 2 * math.pi * i / n, math.random() + (i % 2) * 3 + 0.1
        points[i] = { r * math.cos(turn), r * math.sin(turn) }
        lines[i], face[i] = ("v %.9f %.9f 0"):format(points[i][1], points[i][2]), i
      end
      for i = 1, n do
        local p, q = points[i], points[i % n + 1]
        twice = twice + p[1] * q[2] - p[2] * q[1]
      end
      mesh = assert(import(table.concat(lines, "\n") .. "\nf " .. table.concat(face, " ")))[1]
      assert.equal(n - 2, mesh.indices.rows)
      assert.is_near(twice / 2, area(mesh), 1e-4)
    end
  end)

  it("is refused with the line where it is none", function()
    assert.equal("there is no triangle in it", message "")
    assert.equal("there is no triangle in it", message(SQUARE .. "l 1 2 3"))
    assert.equal("line 2: a number is missing", message "v 1 2 3\nv 1 2")
    for _, word in ipairs { "x", "0x10", "nan", "inf", "1e39", "-1e999", "1,5" } do
      assert.equal(("line 1: '%s' is not a number that a 32-bit float can hold"):format(word), message("v 1 2 " .. word))
    end
    assert.equal("line 5: a face of 2 corners", message(SQUARE .. "f 1 2"))
    assert.equal("line 5: a face of 0 corners", message(SQUARE .. "f # 1 2 3"))
    for _, word in ipairs { "x", "/1", "1.5", "1/1/1/1", "1-2", "1//1-" } do
      assert.equal(("line 8: '%s' is no corner"):format(word),
        message(SQUARE .. "vt 0 0\nvt 0 0\nvn 0 0 1\nf 1 2 " .. word))
    end
    assert.equal("line 6: no texture coordinate -: there are 1 so far", message(SQUARE .. "vt 0 0\nf 1 2 1/-"))
    assert.equal("line 5: no vertex 5: there are 4 so far", message(SQUARE .. "f 1 2 5"))
    assert.equal("line 5: no vertex 0: there are 4 so far", message(SQUARE .. "f 1 2 0"))
    assert.equal("line 5: no vertex -5: there are 4 so far", message(SQUARE .. "f 1 2 -5"))
    assert.equal("line 5: no vertex 99999999999999999999: there are 4 so far",
      message(SQUARE .. "f 1 2 99999999999999999999"))
    assert.equal("line 5: no texture coordinate 1: there are 0 so far", message(SQUARE .. "f 1/1 2 3"))
    assert.equal("line 6: no normal 2: there are 1 so far", message(SQUARE .. "vn 0 0 1\nf 1//2 2 3"))
    assert.equal("mesh 1: a position that no f32 holds", (outcome.message(
      import("v 3e38 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3", { scale = 0.5 })):gsub("^.*/a%.obj: ", "")))
  end)

  it("takes no longer for lines that go on and on, or corners by the thousand", function()
    local before = os.clock()
    assert.equal("there is no triangle in it", message(("#aaaaaaaaa\\\n"):rep(100000)))
    local face = {}
    for i = 1, 100000 do face[i] = i % 4 + 1 end
    assert.equal(99998, assert(import(SQUARE .. "f " .. table.concat(face, " ")))[1].indices.rows)
    local lines = { SQUARE }
    for i = 1, 30000 do lines[i + 1] = ("vt %d 0\nf 1/%d 2/%d 3/%d"):format(i, i, i, i) end
    assert.equal(30000, assert(import(table.concat(lines, "\n")))[1].indices.rows)
    assert.is_true(os.clock() - before < 20)
  end)

  it("is what it was in every prefix, or an error", function()
    local text = "o a\n" .. SQUARE .. "vt 0 1\nvn 0 0 1\nusemtl m\nf 1/1/1 2/1/1 3/1/1\nf 1 2 3 4\n"
    for n = 0, #text do
      local meshes, err = import(text:sub(1, n))
      if not meshes then assert.is_string(err.message) end
    end
  end)
end)

describe("the corners of an .obj", function()
  local function corners(text) return fail.catch("a.obj", obj.corners, text) end

  it("are three a triangle", function()
    assert.equal(0, corners "")
    assert.equal(3, corners "v 0 0 0\nvt 0 0\nf 1/1/1 2/2/2 3/3/3\n# f 1 2 3\nvf 1 2 3")
    assert.equal(9, corners "f 1 2 3\r\nf 1 2 3 4\r\n")
    assert.equal(9, corners "f 1 2 \\\n 3 4 5")
    assert.equal(6, corners "  f -1 -2 -3\n\tf 1 2 3")
  end)

  it("are not counted where a face is none", function()
    assert.equal("a.obj: line 2: a face of 2 corners", outcome.message(corners "f 1 2 3\nf 1 2\n"))
  end)
end)

describe("lathe.import", function()
  before_each(function() folder = helper.tmpdir() end)

  it("wants a path and options that it knows", function()
    local function raises(text, ...)
      local ok, err = pcall(lathe.import, ...)
      assert.is_false(ok)
      assert.equal(text, (err:gsub("^[^:]+:%d+: ", "")))
    end
    raises("a path expected")
    raises("a path expected", 1)
    raises("options are a table", "a.obj", "z")
    raises("no option 'axis' of import, which takes clip, format, fps, like, metres, "
        .. "scale, skeleton, up and what", "a.obj", { axis = 1 })
    raises("option 'format': 'obj', 'glb', 'gltf' or 'csv' expected", "a.obj", { format = "fbx" })
    raises("option 'up': 'y' or 'z' expected", "a.obj", { up = "x" })
    raises("option 'scale': 'metres' or a number from 1e-20 to 1e20 expected", "a.obj", { scale = 0 })
    raises("option 'metres': a number from 1e-20 to 1e20 expected", "a.obj", { metres = 0 / 0 })
    raises("option 'scale': it is in metres, so 'metres' must say what a unit is", "a.obj", { scale = "metres" })
  end)

  it("says what it does not read", function()
    local err = select(2, lathe.import("a.fbx"))
    assert.same({ "unsupported", "a .glb, a .gltf or an .obj is what can be imported" }, { err.code, err.message })
    assert.equal("a.fbx: a .glb, a .gltf or an .obj is what can be imported", tostring(err))
    err = select(2, lathe.import(folder .. "/none.obj"))
    assert.equal("io", err.code)
    assert.equal(1, #assert(lathe.import(helper.write(folder .. "/x", SQUARE .. "f 1 2 3"), { format = "obj" })))
  end)
end)

describe("lathe.read", function()
  it("gives the bytes of a file, or an error", function()
    folder = helper.tmpdir()
    local bytes = "\0\1\255" .. ("x"):rep(100000)
    assert.equal(bytes, lathe.read(helper.write(folder .. "/a", bytes)))
    assert.equal("", lathe.read(helper.write(folder .. "/b", "")))
    assert.equal("io", select(2, lathe.read(folder .. "/none")).code)
    assert.equal("io", select(2, lathe.read(folder)).code)
    outcome.raises("a path holds no NUL byte", lathe.read, "a\0b")
  end)
end)
