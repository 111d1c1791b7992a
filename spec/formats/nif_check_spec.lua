-- check() of NIF files that open but break in the game: one fault in a file that is sound otherwise, and all that is told.

local damage = require "format_damage"
local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_nif"
local skins = require "sample_skin"

local function told(doc)
  local list = {}
  for i, finding in ipairs(select(2, doc:check()) or {}) do
    list[i] = ("%s %s: %s"):format(finding.level, finding.where, finding.message)
  end
  return table.concat(list, "\n")
end

local function check(game, plant, opts)
  local blocks = skins[game]()
  plant(blocks)
  opts = opts or {}
  opts.game, opts.blocks = opts.game or game, blocks
  local bytes = sample.build(opts)
  local doc <close> = assert(lathe.parse(bytes))
  assert.equal(bytes, doc:encode())
  return told(doc)
end

local function each(cases)
  for _, case in ipairs(cases) do
    it(("%s (%s)"):format(case[1], case[2]), function()
      assert.equal(case[4], check(case[2], case[3]))
    end)
  end
end

local function part(blocks, i) return blocks.partition.partitions[i] end

describe("check() of a sound skin", function()
  for _, game in ipairs { "sse", "le", "fo4" } do
    it("tells nothing: " .. game, function() assert.equal("", check(game, function() end)) end)
    it("crashes at no damage: " .. game, function()
      damage.flips("nif", (sample.build { game = game, blocks = skins[game]() }), 300, 13)
    end)
  end
end)

describe("check() tells of a skin partition", function()
  each {
    { "a triangle of a vertex that is not there", "sse", function(b)
      part(b, 2).triangles = { { 1, 2, 4 } }
      part(b, 2).triangles_copy = part(b, 2).triangles
    end, "error blocks[8].partitions[2].triangles[1]: there is no vertex 4 (from 0) of 4\n"
      .. "error blocks[8].partitions[2].triangles_copy[1]: there is no vertex 4 (from 0) of 4" },
    { "a triangle of a vertex that the part has not", "le", function(b) part(b, 2).triangles = { { 0, 1, 3 } } end,
      "error blocks[8].partitions[2].triangles[1]: there is no vertex 3 (from 0) of 3" },
    { "lists of triangles that differ", "sse", function(b) part(b, 1).triangles_copy = { { 0, 2, 1 } } end,
      "warning blocks[8].partitions[1].triangles_copy[1]: not the same as in triangles" },
    { "a strip of a vertex that is not there", "le", function(b)
      part(b, 1).strip_lengths, part(b, 1).num_strips, part(b, 1).strips = { 3 }, 1, { 0, 1, 7 }
    end, "error blocks[8].partitions[1].strips[3]: there is no vertex 7 (from 0) of 3" },
    { "strips", "sse", function(b)
      part(b, 1).strip_lengths, part(b, 1).num_strips, part(b, 1).strips = { 3 }, 1, { 0, 1, 2 }
    end, "error blocks[8].partitions[1].num_strips: strips: Skyrim SE draws single triangles only" },
    { "a bone that the skin has not", "sse", function(b) part(b, 2).bones = { 0, 2 } end,
      "error blocks[8].partitions[2].bones[2]: there is no bone 2 (from 0) of 2" },
    { "a bone index that the part has not", "le", function(b) part(b, 1).bone_indices[4] = 2 end,
      "error blocks[8].partitions[1].bone_indices[4]: there is no bone 2 (from 0) of 2" },
    { "a bone index that the part has not, without a weight", "sse", function(b)
      part(b, 1).bone_indices[4], part(b, 1).weights[3], part(b, 1).weights[4] = 9, 1, 0
    end, "warning blocks[8].partitions[1].bone_indices[4]: there is no bone 9 (from 0) of 2; its weight is 0" },
    { "bone indices with and without a weight: what moves a vertex comes first", "sse", function(b)
      part(b, 1).bone_indices[2], part(b, 1).weights[1], part(b, 1).weights[2] = 9, 1, 0
      part(b, 1).bone_indices[3] = 8
    end, "error blocks[8].partitions[1].bone_indices[3]: there is no bone 8 (from 0) of 2" },
    { "a vertex map to what is not there", "sse", function(b) part(b, 2).vertex_map = { 1, 2, 40 } end,
      "error blocks[8].partitions[2].vertex_map[3]: there is no vertex 40 (from 0) of 4" },
    { "a vertex map to what is not there", "le", function(b) part(b, 2).vertex_map = { 1, 2, 4 } end,
      "error blocks[8].partitions[2].vertex_map[3]: there is no vertex 4 (from 0) of 4" },
    { "weights that do not add up to 1", "le", function(b) part(b, 1).weights[3] = 0.25 end,
      "warning blocks[8].partitions[1].weights[3]: the weights of vertex 1 (from 0) add up to 0.75" },
    { "weights that are no numbers", "sse", function(b) part(b, 1).weights[2] = 0 / 0 end,
      "warning blocks[8].partitions[1].weights[2]: not a finite number" },
    { "a bone in a vertex that the skin has not", "sse", function(b) b.partition.vertices[3].bones = { 0, 2 } end,
      "error blocks[8].vertices[3].bones[2]: there is no bone 2 (from 0) of 2" },
  }
end)

describe("check() tells of a skin", function()
  each {
    { "a bone in a vertex that it has not", "fo4", function(b) b.shape.vertices[4].bones = { 200, 1 } end,
      "error blocks[3].vertices[4].bones[1]: there is no bone 200 (from 0) of 2" },
    { "a bone in a vertex that it has not, without a weight", "fo4", function(b) b.shape.vertices[4].bones = { 0, 1, 2 } end,
      "warning blocks[3].vertices[4].bones[3]: there is no bone 2 (from 0) of 2; its weight is 0" },
    { "a vertex in its data that the shape has not", "sse", function(b)
      b.data.bones[2].weights = { { vertex = 0, weight = 1 }, { vertex = 4, weight = 1 } }
      b.data.bones[2].num_vertices = 2
    end, "error blocks[7].bones[2].weights[2].vertex: there is no vertex 4 (from 0) of 4" },
    { "a vertex in its data that the shape has not", "le", function(b)
      b.data.bones[1].weights = { { vertex = 65535, weight = 1 } }
      b.data.bones[1].num_vertices = 1
    end, "error blocks[7].bones[1].weights[1].vertex: there is no vertex 65535 (from 0) of 4" },
    { "a null bone", "sse", function(b) b.skin.bones = { 0, -1 } end, "error blocks[6].bones[2]: a null bone" },
    { "a null bone", "fo4", function(b) b.skin.bones = { -1, 1 } end, "error blocks[6].bones[1]: a null bone" },
    { "bones without a transform", "le", function(b)
      b.data.bones[2], b.data.num_bones = nil, 1
    end, "error blocks[6].bones: 2 bones, but blocks[7] has 1" },
    { "bones without a transform", "fo4", function(b) b.data.bones[2] = nil end,
      "error blocks[6].bones: 2 bones, but blocks[7] has 1" },
    { "fewer body parts than partitions", "sse", function(b) b.skin.partitions[2] = nil end,
      "error blocks[6].partitions: 1 body parts, but blocks[8] has 2 partitions" },
    { "more body parts than partitions", "le", function(b) b.skin.partitions[3] = { flags = 1, body_part = 35 } end,
      "error blocks[6].partitions: 3 body parts, but blocks[8] has 2 partitions" },
    { "no partition", "le", function(b) b.skin.skin_partition = -1 end,
      "error blocks[6].skin_partition: no NiSkinPartition: nothing of the shape is drawn" },
  }

  it("null bones in Starfield are none: SkinAttach has their names", function()
    local bytes = sample.build { game = "starfield", blocks = {
      { type = "NiNode", name = "x" }, { type = "BSSkin::Instance", data = -1, bones = { -1, -1 } } } }
    local doc <close> = assert(lathe.parse(bytes))
    assert.equal("", told(doc))
  end)

  it("that shapes share: the one with the fewest vertices decides", function()
    local function share(b)
      local other = {}
      for key, value in pairs(b.shape) do other[key] = value end
      other.name, other.data = "other", #b + 1
      b[#b + 1] = other
      b[#b + 1] = { type = "NiTriShapeData", num_vertices = 1, vertices = { { x = 0, y = 0, z = 0 } },
        normals = { { x = 0, y = 0, z = 1 } }, colors = { { r = 1, g = 1, b = 1, a = 1 } }, bounds = { radius = 9 } }
    end
    assert.equal(table.concat({
      "error blocks[7].bones[1].weights[2].vertex: there is no vertex 1 (from 0) of 1",
      "error blocks[7].bones[2].weights[2].vertex: there is no vertex 1 (from 0) of 1",
      "error blocks[8].partitions[1].vertex_map[2]: there is no vertex 1 (from 0) of 1",
      "error blocks[8].partitions[2].vertex_map[1]: there is no vertex 1 (from 0) of 1" }, "\n"),
      (check("le", share):gsub("warning strings[^\n]*\n?", "")))
  end)
end)

describe("check() tells of strips", function()
  it("that name no vertex", function()
    local list = { { x = 0, y = 0, z = 0 }, { x = 1, y = 0, z = 0 }, { x = 0, y = 1, z = 0 } }
    for points, want in pairs { [{ 0, 1, 2 }] = "", [{ 0, 1, 3 }] = "error blocks[2].points[3]: "
      .. "there is no vertex 3 (from 0) of 3" } do
      local bytes = sample.build { game = "le", blocks = { { type = "NiTriStrips", name = "x", data = 1 },
        { type = "NiTriStripsData", num_vertices = 3, vertices = list, num_triangles = 1, num_strips = 1,
          strip_lengths = { 3 }, points = points, bounds = { radius = 9 } } } }
      local doc <close> = assert(lathe.parse(bytes))
      assert.equal(want, told(doc))
    end
  end)
end)

-- The sound file with a block changed to be without a skin.
local function unskinned(b)
  b.shape.skin, b.shape.skin_instance = -1, -1
  b.shader.body.flags1 = 0
end

describe("check() tells of shader flags", function()
  each {
    { "skinned without a skin", "le", function(b)
      unskinned(b)
      b.shader.body.flags1 = 2
    end, "error blocks[5].body.flags1: skinned is set, but blocks[3] has no skin" },
    { "a skin without skinned", "sse", function(b) b.shader.body.flags1 = 0 end,
      "error blocks[5].body.flags1: skinned is not set, but blocks[3] has a skin" },
    { "a skin without skinned", "fo4", function(b) b.shader.body.flags1 = 0 end,
      "warning blocks[5].body.flags1: skinned is not set, but blocks[3] has a skin" },
    { "vertex colors that are not there", "le", function(b) b.geometry.colors = nil end,
      "warning blocks[5].body.flags2: vertex_colors is set, but blocks[3] has no vertex colors" },
    { "vertex colors without the flag", "sse", function(b) b.shader.body.flags2 = 0 end,
      "warning blocks[5].body.flags2: vertex_colors is not set, but blocks[3] has vertex colors" },
    { "the alpha of vertex colors that are not there", "le", function(b)
      b.shader.body.flags1, b.shader.body.flags2, b.geometry.colors = 2 | 8, 0, nil
    end, "warning blocks[5].body.flags1: vertex_alpha is set, but blocks[3] has no vertex colors" },
    { "the alpha of vertex colors that nothing blends", "fo4", function(b) b.shader.body.flags1 = 2 | 8 end,
      "warning blocks[5].body.flags1: vertex_alpha is set, but blocks[3] has no alpha_property" },
    { "normals beside those of a texture", "sse", function(b) b.shader.body.flags1 = 2 | 1 << 12 end,
      "warning blocks[5].body.flags1: model_space_normals is set, but blocks[3] has normals" },
    { "normals that are nowhere", "le", function(b) b.geometry.normals = nil end,
      "warning blocks[5].body.flags1: model_space_normals is not set, but blocks[3] has no normals" },
  }

  local function plain(desc, vertices)
    return { type = "BSTriShape", name = "shape", skin = -1, shader_property = 1, vertex_desc = desc,
      bounds = { radius = 9 }, vertices = vertices, triangles = {} }
  end

  it("vertex colors that are not there (sse), of an effect, too", function()
    for _, kind in ipairs { "BSLightingShaderProperty", "BSEffectShaderProperty" } do
      local bytes = sample.build { game = "sse", blocks = { plain(0x009 << 44 | 4 << 16 | 5, { { position = { 1, 0, 0 } } }),
        { type = kind, name = "", body = { flags1 = 0, flags2 = 0x20, texture_set = -1 } } } }
      local doc <close> = assert(lathe.parse(bytes))
      assert.equal("error blocks[2].body.flags2: vertex_colors is set, but blocks[1] has no vertex colors", told(doc))
    end
  end)

  it("but not where the vertices are elsewhere, and not from stream version 132 on", function()
    for game, desc in pairs { fo4 = 0x009 << 44 | 2 << 16 | 3, fo4_139 = 0x069 << 44 | 4 << 28 | 3 << 24 | 2 << 16 | 7 } do
      local bytes = sample.build { game = game, blocks = { plain(desc),
        { type = "BSLightingShaderProperty", name = "", body = { flags1 = 0, flags2 = 0x20, texture_set = -1 } } } }
      local doc <close> = assert(lathe.parse(bytes))
      assert.equal("", told(doc))
    end
  end)
end)

describe("check() tells of shapes of Skyrim LE in Skyrim SE", function()
  local function old(kind, skin, root)
    local bytes = sample.build { game = "sse", blocks = { { type = root or "NiNode", name = "x", children = { 1 } },
      { type = kind, name = "shape", data = -1, skin_instance = skin or -1 },
      { type = "NiSkinInstance", data = -1, skin_partition = 3, bones = { 0 } }, { type = "NiSkinPartition" } } }
    local doc <close> = assert(lathe.parse(bytes))
    return told(doc)
  end

  it("what it draws, and what it crashes at", function()
    assert.equal("warning blocks[2]: a shape of Skyrim LE: Skyrim SE has BSTriShape", old "NiTriShape")
    assert.equal("warning blocks[2]: a shape of Skyrim LE: Skyrim SE has BSTriShape", old "BSLODTriShape")
    assert.equal("error blocks[2]: a shape of Skyrim LE: Skyrim SE has BSTriShape", old "NiTriStrips")
    assert.equal("error blocks[2]: a shape of Skyrim LE with a skin: Skyrim SE has BSTriShape", old("NiTriShape", 2))
  end)

  it("but for trees, which have them to be seen from afar", function()
    assert.equal("", old("NiTriShape", nil, "BSTreeNode"))
    assert.equal("error blocks[2]: a shape of Skyrim LE: Skyrim SE has BSTriShape", old("NiTriStrips", nil, "BSTreeNode"))
  end)
end)

describe("check() tells of BSXFlags", function()
  local function bsx(value, more, opts)
    local blocks = { { type = "NiNode", name = "x", children = {}, extra_data_list = { 1 } },
      { type = "BSXFlags", name = "BSX", value = value } }
    for _, block in ipairs(more or {}) do blocks[#blocks + 1] = block end
    opts = opts or {}
    opts.game, opts.blocks = opts.game or "sse", blocks
    local doc <close> = assert(lathe.parse((sample.build(opts))))
    return told(doc)
  end

  local COLLISION = { type = "bhkCollisionObject", target = 0, body = -1 }
  local MANAGER = { type = "NiControllerManager", target = 0 }
  local VISIBLE = { type = "NiVisController", target = 0 }
  local GRAPH = { type = "BSBehaviorGraphExtraData", name = "BGED" }
  local MARKER = { type = "NiNode", name = "EditorMarker:1" }
  local JOINT = { type = "bhkBallSocketConstraintChain" }
  local GLOWS = { type = "BSEffectShaderProperty", name = "", body = { flags1 = 1 << 29 } }

  local CASES = {
    { "nothing wrong", 0, {}, "" },
    { "havok and nothing that collides", 2, {}, "havok is set, but the file has no collision object" },
    { "something that collides and no havok", 0, { COLLISION }, "havok is not set, but the file has a collision object" },
    { "havok and something that collides", 2, { COLLISION }, "" },
    { "animated and nothing that moves", 1, {}, "animated is set, but the file has no controller" },
    { "animated by a behaviour", 1, { GRAPH }, "" },
    { "animated by a controller", 1, { VISIBLE }, "" },
    { "a controller alone, as skeletons have", 0, { VISIBLE }, "" },
    { "sequences and not animated", 0, { MANAGER }, "animated is not set, but the file has a NiControllerManager" },
    { "ragdoll and none there", 4, {}, "ragdoll is set, but the file has no ragdoll" },
    { "ragdoll and joints", 4, { JOINT }, "" },
    { "joints and no ragdoll, as doors have", 0, { JOINT }, "" },
    { "editor marker and none there", 0x20, {}, "editor_marker is set, but the file has no node named EditorMarker" },
    { "a marker and no bit", 0, { MARKER }, "editor_marker is not set, but the file has a node named EditorMarker" },
    { "both", 0x20, { MARKER }, "" },
    { "external light and no shader that takes it", 0x200, {},
      "external_emit is set, but the file has no shader with external_emittance" },
    { "a shader that takes external light", 0, { GLOWS },
      "external_emit is not set, but the file has a shader with external_emittance" },
    { "bits that files do not agree on", 0x1C8 | 0x40, {}, "" },
  }
  for _, case in ipairs(CASES) do
    it(case[1], function()
      assert.equal(case[4] == "" and "" or "warning blocks[2].value: " .. case[4], bsx(case[2], case[3]))
    end)
  end

  it("what is missing only where all blocks are known", function()
    assert.equal("", bsx(0x227, { { type = "NiNobody", bytes = "x" } }))
    assert.equal("warning blocks[2].value: havok is not set, but the file has a collision object",
                 bsx(0, { { type = "NiNobody", bytes = "x" }, COLLISION }))
  end)

  it("another name, and a second one", function()
    local blocks = {}
    for i, name in ipairs { "x", "bsx", "BSX" } do
      blocks[i] = { type = i == 1 and "NiNode" or "BSXFlags", name = name, value = 0 }
    end
    local doc <close> = assert(lathe.parse((sample.build { game = "sse", blocks = blocks })))
    assert.equal("warning blocks[2].name: the game looks for BSXFlags by the name BSX\n"
      .. "warning blocks[3]: one more BSXFlags beside blocks[2]", told(doc))
  end)

  it("and in Starfield nothing, whose bits are others", function()
    assert.equal("", bsx(0x10227, {}, { game = "starfield" }))
  end)
end)

-- Files of the games, of tools and of modders: what is told of each, all of it looked at.
local HAVOK = "havok is set, but the file has no collision object"
local ANIMATED = "animated is set, but the file has no controller"
local TOLD = {
  ["nif/fo4_DExBrickColumn01.nif"] = { "blocks[2].value: " .. HAVOK },                -- by a modder
  ["nif/fo4_PY_WorkshopLightbulbHanging01.nif"] = {                                  -- by an exporter that lost them
    "blocks[44].body.flags2: vertex_colors is not set, but blocks[43] has vertex colors", "blocks[3].value: " .. HAVOK },
  ["nif/fo4_PY_Workshop_HighTechLightCeiling04_Dirty_Cream_On.nif"] = { "blocks[3].value: " .. HAVOK },
  ["nif/sse_TestNifFile_FixBSXFlags_AddExtEmit.nif"] = { "blocks[2].value: " .. ANIMATED,  -- made to be mended
    "blocks[2].value: external_emit is not set, but the file has a shader with external_emittance" },
  ["nif/sse_TestNifFile_FixBSXFlags_RemoveExtEmit.nif"] = { "blocks[2].value: " .. ANIMATED },
  ["nif/sse_TestNifFile_FixBSXFlags_RemoveExtEmit_2.nif"] = { "blocks[2].value: " .. ANIMATED,
    "blocks[2].value: external_emit is set, but the file has no shader with external_emittance" },
}
local OURS = { "^there is no bone", "^there is no vertex", "^a null bone", "^%d+ bones, but", "^%d+ body parts, but",
  "^no NiSkinPartition", "^not the same as in triangles", "^strips:", "add up to", "is set, but", "is not set, but",
  "^a shape of Skyrim LE", "the name BSX", "one more BSXFlags" }

local function ours(finding)
  for _, pattern in ipairs(OURS) do
    if finding.message:find(pattern) then return true end
  end
  return false
end

describe("check() of real files", function()
  for _, folder in ipairs { "nif", "nif-animation", "nif-bhk", "nif-fo4-collision" } do
    it("tells of skins, shaders and flags what is right, and no error: " .. folder .. " #corpus", function()
      local path = helper.need_corpus(folder, pending)
      for _, name in ipairs(helper.list(path, "%.nif$")) do
        local doc <close> = assert(lathe.open(path .. "/" .. name))
        local list = {}
        for _, finding in ipairs(select(2, doc:check()) or {}) do
          if ours(finding) then
            assert.equal("warning", finding.level, name)
            list[#list + 1] = finding.where .. ": " .. finding.message
          end
        end
        assert.same(TOLD[folder .. "/" .. name] or {}, list, name)
      end
    end)
  end
end)
