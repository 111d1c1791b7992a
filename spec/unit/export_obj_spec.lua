-- lathe.export to .obj: read back by a small reader, to equal numbers.

local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_mesh"

local near = outcome.near

local triangle, moved = sample.triangle, sample.moved

local folder

-- Objects with flat lists of what their faces name: as many corners as triangles have.
local function read_obj(text)
  local objects, lists, material, library = {}, { v = {}, vt = {}, vn = {} }, nil, nil
  for line in text:gmatch "[^\n]+" do
    local word, rest = line:match "^(%S+)%s*(.*)$"
    local object = objects[#objects]
    if lists[word] then
      local row = {}
      for number in rest:gmatch "%S+" do row[#row + 1] = assert(tonumber(number)) end
      table.insert(lists[word], row)
    elseif word == "o" then
      objects[#objects + 1] = { name = rest, v = {}, vt = {}, vn = {} }
    elseif word == "g" then
      object.group = rest
    elseif word == "usemtl" then
      material = rest
    elseif word == "mtllib" then
      library = rest
    elseif word == "f" then
      object.material = material
      for corner in rest:gmatch "%S+" do
        local v, vt, vn = corner:match "^(%d+)/?(%d*)/?(%d*)$"
        for list, number in pairs { v = v, vt = vt, vn = vn } do
          local row = number ~= "" and assert(lists[list][tonumber(number)], line) or {}
          table.move(row, 1, #row, #object[list] + 1, object[list])
        end
      end
    else
      assert(word == "#", line)
    end
  end
  return objects, library
end

local function export(what, opts, name)
  local path = ("%s/%s.obj"):format(folder, name or "out")
  local report = assert(lathe.export(what, path, opts))
  local text = helper.read(path)
  local objects, library = read_obj(text)
  return objects, library, report, text
end

describe("an .obj", function()
  before_each(function() folder = helper.tmpdir() end)

  it("is the same to the byte, every time", function()
    local mesh = triangle { name = "one", normals = { 0, 0, 1, 0, 0, 1, 0, 0, 1 }, uvs = { 0, 0, 1, 0.25, 0, 1 } }
    local _, library, report, text = export { mesh }
    assert.equal("# lathe " .. lathe.VERSION .. [[

o one
v 0 0 0
v 1 0 0
v 0 2 0
vt 0 1
vt 1 0.75
vt 0 0
vn 0 0 1
vn 0 0 1
vn 0 0 1
f 1/1/1 2/2/2 3/3/3
]], text)
    assert.is_nil(library)
    assert.same({ folder .. "/out.obj" }, report.files)
    assert.is_false(helper.exists(folder .. "/out.mtl"))
  end)

  it("counts vertices, texture coordinates and normals each on its own", function()
    local objects = export {
      triangle(), triangle { uvs = { 0, 0, 1, 0, 0, 1 }, uv_origin = "bottom" },
      triangle { normals = { 0, 0, 1, 0, 0, 1, 0, 0, 1 }, transform = moved(5, 0, 0) },
      triangle { normals = { 0, 0, 1, 0, 0, 1, 0, 0, 1 }, uvs = { 0.5, 0.5, 1, 0, 0, 1 } },
    }
    assert.same({ v = { 0, 0, 0, 1, 0, 0, 0, 2, 0 }, vt = {}, vn = {}, name = "mesh" }, objects[1])
    assert.same({ 0, 0, 1, 0, 0, 1 }, objects[2].vt)
    assert.same({ 5, 0, 0, 6, 0, 0, 5, 2, 0 }, objects[3].v)
    assert.same({ 0, 0, 1, 0, 0, 1, 0, 0, 1 }, objects[3].vn)
    assert.same({ 0.5, 0.5, 1, 1, 0, 0 }, objects[4].vt)
    assert.equal("mesh_4", objects[4].name)
  end)

  it("has all transforms applied, and what they mirror turned round", function()
    local mirror = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
    local stretched = { 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
    local h = math.sqrt(0.5)
    local objects = export({
      triangle { transform = mirror, normals = { 0, 0, 1, 0, 0, 1, 0, 0, 1 } },
      triangle { up = "z", transform = moved(0, 0, 3), metres = 0.5 },
      triangle { transform = stretched, positions = { 0, 0, 0, 1, -1, 0, 0, 0, 1 },
        normals = { h, h, 0, h, h, 0, h, h, 0 }, indices = { 0, 2, 1 } },
    }, { scale = 2 })
    near({ 0, 0, 0, 0, 4, 0, -2, 0, 0 }, objects[1].v)
    near({ 0, 0, 1, 0, 0, 1, 0, 0, 1 }, objects[1].vn)
    near({ 0, 6, 0, 2, 6, 0, 0, 6, -4 }, objects[2].v)
    near({ 1 / 5 ^ 0.5, 2 / 5 ^ 0.5, 0 }, table.move(objects[3].vn, 1, 3, 1, {}))
  end)

  it("has bones applied as a .glb's reader would", function()
    local weights = sample.bent().weights:totable()
    for i = 1, 16 do weights[i] = 0 end
    local bars = { sample.bent { up = "z" }, sample.bent { weights = weights, transform = moved(0, -10, 0) } }
    local objects = export(bars, { scale = 3 })
    assert(lathe.export(bars, folder .. "/out.glb", { scale = 3 }))
    local drawn = glb.parse(helper.read(folder .. "/out.glb")):drawn()
    for i, object in ipairs(objects) do
      local want = {}
      for _, v in ipairs(drawn[i].indices) do table.move(drawn[i].positions, 3 * v + 1, 3 * v + 3, #want + 1, want) end
      near(want, object.v)
    end
  end)

  it("has a material library", function()
    local surface = { base_color = { 0.5, 0.25, 1, 0.5 }, emissive = { 0, 0, 2 }, alpha = "blend",
      textures = { base_color = [[textures\a b.dds]], normal = "n\n.dds", other = "x.dds" } }
    local objects, library, report = export({
      triangle { material = "stone wall #1", surface = surface }, triangle { material = "stone wall #1" },
      triangle { material = "stone\twall 1" }, triangle(), triangle { surface = surface },
    }, nil, "two words")
    assert.equal("two words.mtl", library)
    assert.same({ folder .. "/two words.obj", folder .. "/two words.mtl" }, report.files)
    local used = {}
    for i, object in ipairs(objects) do used[i] = object.material or "-" end
    assert.same({ "stone_wall_1", "stone_wall_1_2", "stone_wall_1_3", "none", "material" }, used)
    assert.equal("# lathe " .. lathe.VERSION .. [[

newmtl stone_wall_1
Kd 0.5 0.25 1
Ke 0 0 2
d 0.5
map_Kd textures/a b.dds
map_Bump n_.dds

newmtl stone_wall_1_2
Kd 1 1 1

newmtl stone_wall_1_3
Kd 1 1 1

newmtl none
Kd 1 1 1

newmtl material
Kd 0.5 0.25 1
Ke 0 0 2
d 0.5
map_Kd textures/a b.dds
map_Bump n_.dds
]], helper.read(folder .. "/two words.mtl"))
  end)

  it("has names that readers take for one word", function()
    local objects = export { { name = "my house", meshes = { triangle { name = " a\n b#" }, triangle { name = " a b " },
      triangle { name = "caf\xe9" } } } }
    assert.same({ "_a_b_", "_a_b__2", "café" }, { objects[1].name, objects[2].name, objects[3].name })
    assert.equal("my_house", objects[1].group)
  end)

  it("agrees with the model that the game has", function()
    local doc = assert(lathe.new("solid", {
      vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0.1 } },
      triangles = { { a = 0, b = 1, c = 2, gx = { 0, 1, 0.5 }, gy = { 0, 0.25, 1 } } },
    }))
    local object = export(doc)[1]
    near({ 0, 0, 0, 1, 0, 0, 0, 1, 0.1 }, object.v)
    near({ 0, 0, 1, 0.25, 0.5, 1 }, object.vt) -- v from the bottom, as the game has it
    assert.equal(require("lathe.import.obj").corners(helper.read(folder .. "/out.obj")), 3)
  end)
end)
