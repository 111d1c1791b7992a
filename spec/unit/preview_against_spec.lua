-- What --against tells of two skeletons: exact counts and notes.

local helper = require "helper"
local lathe = require "lathe"

describe("two skeletons in a picture", function()
  local function rig(change)
    local bones = { { name = "Root" }, { name = "Spine", parent = 0, pose = { t = { 0, 0, 20 } } },
      { name = "Head", parent = 1, pose = { t = { 0, 0, 10 } } }, { name = "Arm", parent = 1, pose = { t = { 8, 0, 5 } } } }
    if change then change(bones) end
    return assert(lathe.new("hkx", { game = "skyrim-se", skeleton = { name = "Root", bones = bones } }))
  end

  local function compare(change)
    local a, b = rig(), rig(change)
    local report = assert(lathe.preview(a, helper.tmpdir() .. "/a.svg", { against = b, size = "480x360" }))
    a:close()
    b:close()
    return report
  end

  local function notes(change) return compare(change).notes end

  it("differ where bones moved, with all that hangs from them", function()
    assert.same({ "nothing differs: no bone moved or looks different" }, notes())
    assert.same({ "1 of 4 bones differs" }, notes(function(bones) bones[3].pose.t[1] = 1 end))
    assert.same({ "3 of 4 bones differ" }, notes(function(bones) bones[2].pose.t[1] = 1 end))
  end)

  it("differ where names do, or where one has a bone more", function()
    assert.same({ "1 of 4 bones differs", "only on the left: Arm", "only on the right: Leg" },
      notes(function(bones) bones[4].name = "Leg" end))
    assert.same({ "0 of 4 bones on the left, 1 of 5 bones on the right differ", "only on the right: Tail" },
      notes(function(bones) bones[5] = { name = "Tail", parent = 0, pose = { t = { 0, -5, 0 } } } end))
  end)

  it("tell which one has parents that are left out", function()
    local a, b = rig(), rig()
    b.objects[3].parent_indices[4] = 3 -- the arm is its own parent
    local path = helper.tmpdir() .. "/a.svg"
    local report = assert(lathe.preview(a, path, { against = b, size = "480x360" }))
    assert.same({ "1 of 4 bones differs" }, report.notes)
    assert.equal(1, #report.skipped)
    assert.equal("1 parent that is no bone or leads in a circle is left out", report.skipped[1].reason)
    a:close()
    b:close()
  end)
end)

describe("two models in a picture", function()
  local files = require "golden_files"

  local function notes(change)
    local bytes = files["colors.nif"]()
    local a, b = assert(lathe.parse(bytes)), assert(lathe.parse(bytes))
    change(b, b:block "Colors:0")
    local report = assert(lathe.preview(a, helper.tmpdir() .. "/a.png", { against = b, size = "320x240" }))
    a:close()
    b:close()
    return report.notes
  end

  it("differ in colors of vertices, textures and names", function()
    local colors = notes(function(_, shape)
      local list = {}
      for i = 1, 24 do list[i] = { 0, 0, 0, 1 } end
      shape.colors = list
    end)
    assert.same({ "12 of 12 triangles differ" }, colors)
    local named = notes(function(_, shape) shape.name = "Other" end)
    assert.same({ "no triangle moved or looks different", "renamed: Colors:0 -> Other" }, named)
    local textures = notes(function(doc)
      for _, block in ipairs(doc.blocks) do
        if lathe.type(block) == "BSShaderTextureSet" then block.textures[1] = "textures\\other_d.dds" end
      end
    end)
    assert.same({ "12 of 12 triangles differ", "textures differ: textures\\paint_d.dds -> textures\\other_d.dds" }, textures)
  end)
end)

describe("two models in a picture", function()
  local function notes(a, b, what)
    local report = assert(lathe.preview(a, helper.tmpdir() .. "/a.svg", { against = b, what = what, size = "480x360" }))
    a:close()
    b:close()
    assert.same({}, report.skipped)
    return report.notes
  end

  local function body(material)
    local doc = assert(lathe.open "scripts/examples/stock.nif")
    assert(doc:set_collision("Stock", { kind = "box", size = { 8, 8, 8 }, material = material, motion = "dynamic",
      mass = 1 }))
    return doc
  end

  it("differ where the materials of collision do", function()
    assert.same({ "nothing differs: no triangle moved or looks different" }, notes(body "wood", body "wood", "collision"))
    assert.same({ "12 of 12 triangles differ", "materials differ: wood -> stone" },
      notes(body "wood", body "stone", "collision"))
  end)

  local function painted(change, texture)
    local doc = assert(lathe.parse(require "golden_files"["painted.nif"](), { format = "nif" }))
    for _, block in ipairs(doc.blocks) do
      if change and block.type == "BSLightingShaderProperty" then block.name = change end
      if texture and block.type == "BSShaderTextureSet" then block.textures[1] = texture end
    end
    return doc
  end

  it("differ where surfaces do", function()
    assert.same({ "nothing differs: no triangle moved or looks different" }, notes(painted(), painted(), "meshes"))
    local told = notes(painted(), painted "Materials\\other.BGSM", "meshes")
    assert.same({ "12 of 12 triangles differ", "materials differ: Materials\\paint.BGSM -> Materials\\other.BGSM" }, told)
    told = notes(painted(), painted(nil, "textures\\other_d.dds"), "meshes")
    assert.same({ "12 of 12 triangles differ", "textures differ: textures\\paint_d.dds -> textures\\other_d.dds" }, told)
  end)
end)
