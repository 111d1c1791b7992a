-- Looks of meshes of NIF files: textures, colours and how they are blended.

local figures = require "nif_figures"
local lathe = require "lathe"
local sample = require "sample_nif"

local IDENTITY = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }
local BOTH = 3 << 10
local SHAPES = sample.shapes

local function object(type, more)
  local block = { type = type, name = "", translation = { x = 0, y = 0, z = 0 }, rotation = IDENTITY, scale = 1,
    shader_property = -1, alpha_property = -1, skin = -1, skin_instance = -1 }
  for key, value in pairs(more or {}) do block[key] = value end
  return block
end

-- A shape, block 1, with what follows from block 2 on; of old games block 2 is its data.
local function mesh_of(game, more, blocks)
  local all = { object("NiNode", { children = { 1 } }) }
  local vertices = {}
  for i = 1, 3 do vertices[i] = { x = i, y = i * i, z = 0 } end
  if game == "sse" or game:match "^fo4" or game:match "^fo76" then
    local packed = {}
    for i, v in ipairs(vertices) do packed[i] = { position = v } end
    all[2] = object("BSTriShape", { vertex_desc = 1 << 44 | (game == "sse" and 4 or 2), vertices = packed,
      triangles = { { 0, 1, 2 } } })
  else
    all[2] = object("NiTriShape", { data = 2 })
    all[3] = { type = "NiTriShapeData", num_vertices = 3, vertices = vertices, num_triangles = 1,
      triangles = { { 0, 1, 2 } } }
  end
  for key, value in pairs(more) do all[2][key] = value end
  for _, block in ipairs(blocks) do all[#all + 1] = block end
  local doc <close> = assert(lathe.parse((sample.build { game = game, blocks = all })))
  return assert(doc:meshes()())
end

local function near(wanted, list)
  assert.equal(#wanted, #list)
  for i, v in ipairs(wanted) do assert.is_near(v, list[i], 1e-6) end
end

-- The library puts in front what some files leave out, and turns slashes.
local function plain(path)
  return (path:lower():gsub("/", "\\"):gsub("^.-textures\\", ""))
end

local function set(list) return { type = "BSShaderTextureSet", textures = list } end

describe("looks of .nif", function()
  it("have the textures of the figures #corpus", function()
    local count = 0
    for _, entry in ipairs(figures.files(pending)) do
      local wanted = {}
      for _, shape in ipairs(entry.wanted.shapes or {}) do
        if SHAPES[shape.type] then wanted[shape.name .. "\0" .. shape.num_vertices] = shape end
      end
      local doc <close> = assert(lathe.open(entry.path))
      for mesh in doc:meshes() do
        local shape = wanted[(mesh.name or "") .. "\0" .. mesh.positions.rows]
        local found = mesh.surface and mesh.surface.textures or {}
        for i, role in ipairs(shape and shape.textures and #shape.textures >= 8 and { "base_color", "normal" } or {}) do
          local path = shape.textures[i]
          if path and path ~= "" then
            assert.equal(plain(path), plain(found[role] or ""), entry.name .. ": " .. tostring(mesh.name))
            count = count + 1
          end
        end
      end
    end
    assert(count > 200, count)
  end)

  it("are those of a lit shader of Skyrim", function()
    local textures = {}
    for i = 1, 9 do textures[i] = i ~= 5 and "textures\\" .. i .. ".dds" or "" end
    local shader = { type = "BSLightingShaderProperty", shader_type = 0, name = "", body = { flags1 = 1 << 22,
      flags2 = 1 << 4, texture_set = 3, emissive_color = { r = 1, g = 0.5, b = 0 }, emissive_multiple = 2, alpha = 0.25,
      uv_scale = { x = 1, y = 1 }, uv_offset = { x = 0, y = 0 } } }
    local mesh = mesh_of("sse", { shader_property = 2, alpha_property = 4 },
      { shader, set(textures), { type = "NiAlphaProperty", flags = 1 << 9 | 4 << 10, threshold = 51 } })
    local surface = mesh.surface
    assert.equal("textures\\1.dds", mesh.material)
    assert.same({ base_color = "textures\\1.dds", normal = "textures\\2.dds", glow = "textures\\3.dds",
      height = "textures\\4.dds", environment_mask = "textures\\6.dds", tint = "textures\\7.dds",
      specular = "textures\\8.dds" }, surface.textures)
    near({ 1, 1, 1, 0.25 }, surface.base_color)
    near({ 2, 1, 0 }, surface.emissive)
    assert.equal("mask", surface.alpha)
    assert.is_near(0.2, surface.cutoff, 1e-6)
    assert.is_true(surface.double_sided)
  end)

  it("glow only where the shader says so, and of Fallout 4 the name is the material's", function()
    local shader = { type = "BSLightingShaderProperty", shader_type = 0, name = "Materials\\a.bgsm", body = { flags1 = 0,
      flags2 = 0, texture_set = 3, emissive_color = { r = 1, g = 0.5, b = 0 }, emissive_multiple = 2, alpha = 1 } }
    local mesh = mesh_of("fo4", { shader_property = 2 }, { shader, set { "a.dds", "", "", "b.dds" } })
    assert.equal("Materials\\a.bgsm", mesh.material)
    assert.same({ base_color = "a.dds", palette = "b.dds" }, mesh.surface.textures)
    assert.same({ 0, 0, 0 }, mesh.surface.emissive)
    assert.equal("opaque", mesh.surface.alpha)
    assert.is_false(mesh.surface.double_sided)
  end)

  it("are found among hashed flags", function()
    local body = { sf1 = { 1563274220, 759557230 }, num_sf1 = 2, sf2 = { 2262553490 }, num_sf2 = 1, texture_set = -1,
      emissive_color = { r = 0, g = 0.5, b = 1 }, emissive_multiple = 1 }
    local shader = { type = "BSLightingShaderProperty", name = "", body = body }
    local mesh = mesh_of("fo76_152", { shader_property = 2 }, { shader })
    assert.is_true(mesh.surface.double_sided)
    near({ 0, 0.5, 1 }, mesh.surface.emissive)
  end)

  it("are those of effects", function()
    local mesh = mesh_of("sse", { shader_property = 2, alpha_property = 3 }, {
      { type = "BSEffectShaderProperty", name = "", body = { flags1 = 0, flags2 = 0, source_texture = "a.dds",
        greyscale_texture = "b.dds", base_color = { r = 0.5, g = 0.25, b = 1, a = 0.75 } } },
      { type = "NiAlphaProperty", flags = 4845, threshold = 0 } })
    near({ 0.5, 0.25, 1, 0.75 }, mesh.surface.base_color)
    assert.equal("blend", mesh.surface.alpha)
    assert.same({ base_color = "a.dds", palette = "b.dds" }, mesh.surface.textures)
    assert.equal("a.dds", mesh.material)
  end)

  it("are those of old games' properties", function()
    local texturing = { type = "NiTexturingProperty", name = "", texture_count = 7, has_base = true,
      base = { source = 4 }, has_glow = true, glow = { source = 5 } }
    local function source(path) return { type = "NiSourceTexture", name = "", use_external = 1, file_name = path } end
    local mesh = mesh_of("oblivion", { properties = { 3, 6, 7 } }, { texturing, source "a.dds", source "b.dds",
      { type = "NiMaterialProperty", name = "m", diffuse = { r = 0.5, g = 0.5, b = 1 }, emissive = { r = 0, g = 0, b = 1 },
        alpha = 0.5 },
      { type = "NiStencilProperty", name = "", old_func_ref_mask_fail_zfail_pass_draw = { 0, 0, 0, 0, 0, 0, 3 } } })
    assert.same({ base_color = "a.dds", glow = "b.dds" }, mesh.surface.textures)
    near({ 0.5, 0.5, 1, 0.5 }, mesh.surface.base_color)
    near({ 0, 0, 1 }, mesh.surface.emissive)
    assert.is_true(mesh.surface.double_sided)
    assert.equal("a.dds", mesh.material)
    assert.is_true(mesh_of("fo3", { properties = { 3 } },
      { { type = "NiStencilProperty", name = "", flags = BOTH } }).surface == nil)
  end)

  it("are none where properties are none, or others", function()
    assert.is_nil(mesh_of("sse", { shader_property = 99 }, {}).surface)
    assert.is_nil(mesh_of("sse", { shader_property = 0 }, {}).surface)
    local mesh = mesh_of("sse", { shader_property = 2 }, { { type = "BSLightingShaderProperty", name = "",
      body = { texture_set = 0 } } })
    assert.same({}, mesh.surface.textures)
  end)
end)
