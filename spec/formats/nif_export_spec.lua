-- NIF files as other programs see them: what the glTF validator accepts, with bones and materials.

local figures = require "nif_figures"
local glb = require "glb"
local helper = require "helper"
local lathe = require "lathe"
local seen = require "seen"

-- What the file of a document has: its path, and what it was made of.
local function export(entry, folder)
  local doc <close> = assert(lathe.open(entry.path))
  local list = {}
  for mesh in doc:meshes() do list[#list + 1] = mesh end
  local path = folder .. "/" .. entry.name:gsub("%.nif$", ".glb")
  local report, err = lathe.export(list, path)
  if #list == 0 then
    assert.matches("there is no mesh to export", tostring(err), 1, true)
    return nil
  end
  assert(report, err)
  return path, list, report
end

local function same_as(list, report, file)
  local skins, names = 0, {}
  for _, mesh in ipairs(list) do
    local held = false
    for v = 1, mesh.skin and mesh.weights.rows or 0 do
      local a, b, c, d = mesh.weights:row(v)
      held = held or a + b + c + d > 0
    end
    if held then
      skins = skins + 1
      for _, bone in ipairs(mesh.skin.bones) do names[bone.name or ""] = true end
    end
  end
  assert.equal(report.meshes, #file.json.meshes)
  assert.equal(skins, #(file.json.skins or {}))
  for _, skin in ipairs(file.json.skins or {}) do
    for _, node in ipairs(skin.joints) do
      names[file.json.nodes[node + 1].name or ""] = nil
    end
  end
  assert.is_nil(next(names))
  for _, mesh in ipairs(list) do
    if mesh.surface and mesh.surface.textures.base_color then
      local found = false
      for _, material in ipairs(file.json.materials) do
        local textures = material.extras and material.extras.textures or {}
        found = found or textures.base_color == mesh.surface.textures.base_color
      end
      assert.is_true(found)
    end
  end
  return skins
end

local function of_name(name)
  for _, entry in ipairs(figures.files(pending)) do
    if entry.name == name then return entry end
  end
  error(name .. " is not there")
end

describe("the .glb of a .nif", function()
  it("passes the validator, with all bones and materials, of every file #corpus", function()
    local folder, paths, skins = helper.tmpdir(), {}, 0
    for _, entry in ipairs(figures.files(pending)) do
      local path, list, report = export(entry, folder)
      if path then
        paths[#paths + 1] = path
        skins = skins + same_as(list, report, glb.parse(helper.read(path)))
      end
    end
    assert.equal(93, #paths)
    assert.equal(58, skins)
    glb.validate(paths)
  end)

  it("shows a body right side out, standing upright #corpus", function()
    local path = export(of_name "fo4_MaleBody.nif", helper.tmpdir())
    local drawn = glb.parse(helper.read(path)):drawn()[1]
    local low, high = { 1e9, 1e9, 1e9 }, { -1e9, -1e9, -1e9 }
    for i, v in ipairs(drawn.positions) do
      local k = (i - 1) % 3 + 1
      low[k], high[k] = math.min(low[k], v), math.max(high[k], v)
    end
    assert.is_near(0, low[2], 3)          -- feet on the ground
    assert.is_near(112, high[2], 8)       -- of a man without a head, in game units
    local backs, all = seen.backs(glb.parse(helper.read(path)), 30, 20)
    assert(all > 500 and backs < 0.02 * all, ("%d of %d"):format(backs, all))
  end)

  it("has metres where they are asked for #corpus", function()
    local folder = helper.tmpdir()
    local doc <close> = assert(lathe.open(of_name("sse_noblecrate01.nif").path))
    assert(lathe.export(doc, folder .. "/m.glb", { scale = "metres" }))
    local node = glb.parse(helper.read(folder .. "/m.glb")).json.nodes[1]
    for k = 1, 3 do assert.is_near(0.0142875, node.scale[k], 1e-9) end
  end)

  it("comes with an .mtl as .obj #corpus", function()
    local folder = helper.tmpdir()
    local doc <close> = assert(lathe.open(of_name("le_noblecrate01.nif").path))
    local mesh = doc:meshes()()
    local report = assert(lathe.export(doc, folder .. "/crate.obj"))
    assert.same({ folder .. "/crate.obj", folder .. "/crate.mtl" }, report.files)
    local text, materials = helper.read(folder .. "/crate.obj"), helper.read(folder .. "/crate.mtl")
    assert.equal(3 * report.triangles, require("lathe.import.obj").corners(text))
    assert.truthy(text:find("mtllib crate.mtl", 1, true))
    assert.truthy(materials:find("map_Kd " .. mesh.surface.textures.base_color:gsub("\\", "/"), 1, true))
    assert.equal(text:match "usemtl ([^\n]+)", materials:match "newmtl ([^\n]+)")
  end)
end)
