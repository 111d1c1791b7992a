-- Lugaru's characters and what they wear, which the game turns by 180 degrees about x when it loads them: it knows them
-- by the names of their files.

local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_solid"

local UPRIGHT <const> = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
local TURNED <const> = { 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1 }
local MODELS <const> = "/usr/share/games/lugaru/Models" -- Debian's lugaru-data

local function mesh_of(path)
  local doc <close> = assert(lathe.parse(sample.square, { format = "solid", path = path }))
  return doc:meshes()()
end

-- The corners of each triangle with their texture coordinates, in any order: exporters turn triangles over whose
-- normals point the other way.
local function corners_of(doc)
  local list = {}
  for t, triangle in ipairs(doc.triangles) do
    for k, corner in ipairs { "a", "b", "c" } do
      local p = doc.vertices[triangle[corner] + 1]
      list[#list + 1] = ("%d: %.4f %.4f %.4f, %.4f %.4f"):format(t, p.x, p.y, p.z, triangle.gx[k],
        math.abs(triangle.gy[k]) < 1e-6 and 0 or triangle.gy[k])
    end
  end
  table.sort(list)
  return list
end

-- The lowest and the highest y of what is drawn.
local function heights(path)
  local low, high = math.huge, -math.huge
  for y in helper.read(path):gmatch "\nv %S+ (%S+)" do
    low, high = math.min(low, tonumber(y)), math.max(high, tonumber(y))
  end
  return low, high
end

describe("the model of a character", function()
  it("is turned by its transform, for each name that the game uses", function()
    local names = { "Belt", "Rabbit", "BodyLow", "Bodylow", "WolfLow", "Body", "Wolf", "BODY", "wolf7" }
    for i = 2, 7 do
      names[#names + 1], names[#names + 2] = "Body" .. i, "Wolf" .. i
    end
    for _, name in ipairs(names) do
      for _, path in ipairs { name .. ".solid", "Models/" .. name .. ".solid", "C:\\a.b\\" .. name .. ".SOLID",
        name .. ".solid.zst" } do
        local mesh = mesh_of(path)
        assert.same(TURNED, mesh.transform, path)
        assert.equal("top", mesh.uv_origin)
      end
    end
  end)

  it("is told by no other name, and never by what is in it", function()
    for _, path in ipairs { "Box.solid", "Bodyguard.solid", "Body8.solid", "Body1.solid", "Wol.solid", "Belts.solid",
      "MyBody.solid", "Body/Box.solid", "Body.d/x.solid", ".solid", "Body 2.solid" } do
      local mesh = mesh_of(path)
      assert.same(UPRIGHT, mesh.transform, path)
      assert.equal("bottom", mesh.uv_origin)
    end
    local doc <close> = assert(lathe.parse(sample.square, { format = "solid" }))
    assert.same(UPRIGHT, doc:meshes()().transform)
  end)

  it("has vertices as the file has them", function()
    local turned, plain = mesh_of "Body.solid", mesh_of "Box.solid"
    for _, name in ipairs { "positions", "normals", "uvs", "indices" } do
      assert.same(plain[name]:totable(), turned[name]:totable(), name)
    end
  end)

  it("comes back from .obj and .glb into the same fields, by --like and by its name", function()
    local folder = helper.tmpdir()
    for _, name in ipairs { "Body", "Crate" } do
      local path = folder .. "/" .. name .. ".solid"
      helper.write(path, sample.square)
      for _, extension in ipairs { "obj", "glb" } do
        local model, out = folder .. "/model." .. extension, folder .. "/new/" .. name .. ".solid"
        assert.equal(0, helper.lathe({ "export", path, "-o", model }).code)
        for _, more in ipairs { { "--like", path }, {} } do
          local run = helper.lathe { "import", model, "-o", out, table.unpack(more) }
          assert.equal(0, run.code, run.err)
          local was <close> = assert(lathe.open(path))
          local now <close> = assert(lathe.open(out))
          assert.same(corners_of(was), corners_of(now), name .. extension)
        end
      end
    end
  end)

  it("stands on its feet in exports of the game's own files", function()
    if not helper.exists(MODELS) then pending "NOT TESTED: the package lugaru-data is not installed" end
    local out = helper.tmpdir() .. "/out.obj"
    local lowest = { Body = 13, Wolf = 16, Rabbit = 1, BodyLow = 13, WolfLow = 16 }
    for name, floor in pairs(lowest) do
      local doc <close> = assert(lathe.open(("%s/%s.solid"):format(MODELS, name)))
      assert(lathe.export(doc, out))
      local low, high = heights(out)
      assert.is_true(math.abs(low - floor) < 2, ("%s starts at %g"):format(name, low))
      assert.is_true(high > 200, ("%s ends at %g"):format(name, high))
    end
  end)

  it("is mentioned by lathe info, in text and JSON", function()
    local folder = helper.tmpdir()
    for name, turned in pairs { Belt = true, Box = false } do
      local path = ("%s/%s.solid"):format(folder, name)
      helper.write(path, sample.square)
      local text = helper.lathe({ "info", path }).out
      local data = helper.lathe({ "info", "--json", path }).out
      assert.equal(turned, text:find("turned +by 180 degrees about x, as the game turns characters; the fields are as in "
        .. "the file\n") ~= nil, text)
      assert.equal(turned, data:find('"turned":"180 degrees about x, as the game turns characters"', 1, true) ~= nil, data)
    end
  end)
end)
