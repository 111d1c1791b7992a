-- doc.materials: shaders with their textures by name, and what collision is made of.

local lathe = require "lathe"
local sample = require "sample_nif"

local function open(game, blocks, history)
  local bytes = sample.build { game = game, blocks = blocks }
  return assert(lathe.parse(bytes, { format = "nif", history = history }))
end

local function texture_set(...)
  local textures = { ... }
  return { type = "BSShaderTextureSet", num_textures = #textures, textures = textures }
end

local function slots(material)
  local list = {}
  for name, file in pairs(material.textures) do list[#list + 1] = name .. "=" .. file end
  return table.concat(list, " ")
end

-- The number that a name is stored as, worked out here.
local function crc(text)
  local sum = 0
  for _, byte in ipairs { text:lower():byte(1, -1) } do
    sum = sum ~ byte
    for _ = 1, 8 do sum = (sum >> 1) ~ (sum & 1) * 0xEDB88320 end
  end
  return sum
end

local function raises(why, what)
  local ok, err = pcall(what)
  assert.is_false(ok)
  assert.is_truthy(tostring(err):find(why, 1, true), tostring(err))
end

local function sphere(material) return { type = "bhkSphereShape", material = { material = material }, radius = 1 } end

describe("nif: doc.materials", function()
  it("is a list of records of the document", function()
    local doc <close> = open("sse", { { type = "NiNode" }, sphere(0xDF02F237),
      { type = "BSLightingShaderProperty", name = "a", body = { texture_set = 3 } }, texture_set("d.dds", "n.dds") })
    assert.equal("2 materials", tostring(doc.materials))
    assert.equal(2, #doc.materials)
    assert.is_nil(doc.materials[3])
    local stone, shader = doc.materials[1], doc.materials[2]
    assert.same({ "collision", "stone", "blocks[2].material" }, { stone.kind, stone.name, lathe.path(stone) })
    assert.equal(doc.blocks[2], stone.source)
    assert.is_nil(stone.textures)
    assert.same({ "shader", "a", "blocks[3]" }, { shader.kind, shader.name, lathe.path(shader) })
    assert.equal(doc.blocks[3], shader.source)
    assert.equal("blocks[3].textures", lathe.path(shader.textures))
  end)

  it("is empty where there are none, and where the format has none", function()
    local doc <close> = open("sse", { { type = "NiNode" } })
    assert.equal(0, #doc.materials)
    local other <close> = assert(lathe.new("fzx", {}))
    assert.equal(0, #other.materials)
    assert.is_nil(other.materials[1])
  end)

  it("follows edits and their undoing", function()
    local doc <close> = open("sse", { { type = "NiNode" }, sphere(1) }, 4)
    doc.blocks:insert(1, { type = "BSEffectShaderProperty" })
    assert.same({ "shader", "collision" }, { doc.materials[1].kind, doc.materials[2].kind })
    doc.materials[2].source.material.material = "wood"
    assert.equal("wood", doc.materials[2].name)
    assert.is_true(doc:undo() and doc:undo())
    assert.equal(1, #doc.materials)
    assert.equal(1, doc.materials[1].name)
  end)

  it("neither shows nor copies what it looks at twice", function()
    local doc <close> = open("sse", { sphere(5), { type = "BSLightingShaderProperty", body = { texture_set = 2 } },
      texture_set("d.dds") })
    for _, block in ipairs { doc.blocks[1].material, doc.blocks[2] } do
      for name in pairs(block:totable()) do
        assert.is_true(name ~= "kind" and name ~= "source" and name ~= "textures", name)
      end
    end
    local again <close> = assert(lathe.new("nif", doc:totable()))
    assert.equal(doc:encode(), again:encode())
  end)
end)

describe("nif: material.textures", function()
  it("names the slots of a game's sets", function()
    local files = { "1", "2", "3", "4", "5", "6", "7", "8", "9", "10" }
    for game, want in pairs {
      fo3 = "diffuse=1 normal=2 glow=3 height=4 environment=5 environment_mask=6",
      sse = "diffuse=1 normal=2 glow=3 height=4 environment=5 environment_mask=6 tint=7 specular=8 slot9=9 slot10=10",
      fo4 = "diffuse=1 normal=2 glow=3 greyscale=4 environment=5 environment_mask=6 tint=7 specular=8 slot9=9 slot10=10",
    } do
      local shader = game == "fo3" and { type = "BSShaderPPLightingProperty", texture_set = 1 } or
        { type = "BSLightingShaderProperty", body = { texture_set = 1 } }
      local doc <close> = open(game, { shader, texture_set(table.unpack(files, 1, game == "fo3" and 6 or 10)) })
      assert.equal(want, slots(doc.materials[1]), game)
    end
  end)

  it("finds them wherever other shaders have them", function()
    local fo4 <close> = open("fo4", { { type = "BSEffectShaderProperty", body = { source_texture = "s",
      greyscale_texture = "g", env_map_texture = "e", normal_texture = "n", env_mask_texture = "m" } } })
    assert.equal("diffuse=s normal=n greyscale=g environment=e environment_mask=m", slots(fo4.materials[1]))
    local sky <close> = open("sse", { { type = "BSSkyShaderProperty", source_texture = "s" },
      { type = "BSWaterShaderProperty" } })
    assert.equal("diffuse=s", slots(sky.materials[1]))
    assert.equal("", slots(sky.materials[2]))
    local old <close> = open("oblivion", {
      { type = "NiTexturingProperty", texture_count = 7, has_base = true, base = { source = 1 }, has_glow = true,
        glow = { source = 2 }, has_dark = true, dark = { source = -1 } },
      { type = "NiSourceTexture", use_external = 1, file_name = "c" },
      { type = "NiSourceTexture", use_external = 1, file_name = "g" } })
    assert.equal("diffuse=c glow=g", slots(old.materials[1]))
    old.materials[1].textures.glow = "longer.dds"
    assert.equal("longer.dds", old.blocks[3].file_name)
  end)

  it("sets exactly the stored text", function()
    local doc <close> = open("sse", { { type = "BSLightingShaderProperty", body = { texture_set = 1 } },
      texture_set("d.dds", "n.dds", "") })
    local same <close> = open("sse", { { type = "BSLightingShaderProperty", body = { texture_set = 1 } },
      texture_set("d.dds", "normal.dds", "") })
    doc.materials[1].textures.normal = "normal.dds"
    assert.equal(same:encode(), doc:encode())
  end)

  it("has no place for what the shader lacks", function()
    local doc <close> = open("sse", { { type = "BSLightingShaderProperty", body = { texture_set = 1 } },
      texture_set("d.dds"), { type = "BSLightingShaderProperty", body = { texture_set = 99 } } })
    local before = doc:encode()
    assert.is_nil(doc.materials[1].textures.normal)
    assert.is_nil(doc.materials[2].textures.diffuse)
    raises("blocks[1].textures.normal: the shader has no place for this texture",
      function() doc.materials[1].textures.normal = "n.dds" end)
    assert.equal(before, doc:encode())
  end)
end)

describe("nif: collision materials", function()
  it("are named by the CRC-32 of the lower-case name", function()
    local doc <close> = open("sse", { sphere(0) })
    local material = doc.blocks[1].material
    for _, name in ipairs { "stone", "wood", "solid metal", "nullmaterial", "none", "materialweaponrifle", "skin" } do
      material.material = name:upper()
      assert.equal(crc(name), lathe.raw(material, "material"), name)
      assert.equal(name, material.material)
      material.material = 0
      material.material = crc(name)
      assert.equal(name, doc.materials[1].name)
    end
    assert.equal(0xDF02F237, crc "stone")
    material.material = "no such thing"
    assert.equal(crc "no such thing", material.material)
    assert.equal(crc "no such thing", doc.materials[1].name)
  end)

  it("are numbers in older games", function()
    local doc <close> = open("fo3", { sphere(0xDF02F237) })
    assert.equal(0xDF02F237, doc.materials[1].name)
    raises("blocks[1].material.material: a number expected: collision materials have names from Skyrim on",
      function() doc.blocks[1].material.material = "stone" end)
  end)

  it("refuse what is neither", function()
    local doc <close> = open("sse", { sphere(7) })
    for value, why in pairs { [-1] = "-1 is outside of 0 .. 4294967295", [1.5] = "a name or an integer expected",
      [4294967296] = "4294967296 is outside of 0 .. 4294967295", [""] = "a name or an integer expected",
      [true] = "a name or an integer expected" } do
      raises(": " .. why, function() doc.blocks[1].material.material = value end)
    end
    assert.equal(7, doc.blocks[1].material.material)
  end)

  it("are found in meshes, too, with their numbers in tables", function()
    local doc <close> = open("sse", { { type = "bhkCompressedMeshShapeData", num_materials = 2,
      materials = { { material = 0xDF02F237 }, { material = 12 } } } })
    assert.same({ "stone", 12 }, { doc.materials[1].name, doc.materials[2].name })
    assert.equal("blocks[1].materials[2]", lathe.path(doc.materials[2]))
    local again <close> = assert(lathe.new("nif", doc:totable()))
    assert.equal(doc:encode(), again:encode())
  end)
end)

describe("nif: new blocks", function()
  it("have the defaults of vectors", function()
    local doc <close> = open("sse", { { type = "NiNode" } })
    doc.blocks:append { type = "BSLightingShaderProperty" }
    local body = doc.blocks[2].body
    local function numbers(vector) return { vector[1], vector[2], vector[3] } end
    assert.same({ 1, 1 }, numbers(body.uv_scale))
    assert.same({ 0, 0 }, numbers(body.uv_offset))
    assert.same({ 0, 0, 0 }, numbers(body.emissive_color))
    assert.same({ 1, 1, 1 }, numbers(body.specular_color))
  end)

  it("have flags by name where the type says which", function()
    local doc <close> = open("sse", { { type = "BSXFlags", name = "BSX", value = 0 },
      { type = "NiIntegerExtraData", value = 3 } })
    doc.blocks[1].value = { "havok", "external_emit" }
    assert.equal(0x202, doc.blocks[1].value)
    assert.is_nil(lathe.describe(doc.blocks[2], "value").names)
    assert.same({ "havok", "external_emit" }, lathe.names(doc.blocks[1], "value"))
    raises("value", function() doc.blocks[2].value = { "havok" } end)
  end)
end)
