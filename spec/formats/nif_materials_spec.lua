-- doc:set_materials: names of texture and material files, replaced by a pattern.

local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"
local sample = require "sample_nif"

local function texture_set(textures)
  return { type = "BSShaderTextureSet", num_textures = #textures, textures = textures }
end

local function open(game, blocks, history)
  local bytes = sample.build { game = game, blocks = blocks }
  return assert(lathe.parse(bytes, { format = "nif", history = history }))
end

local function texts(array)
  local list = {}
  for i = 1, #array do list[i] = array[i] end
  return list
end

-- What becomes of texts; and how many changed.
local function replaced(from, to, textures)
  local doc <close> = open("sse", { texture_set(textures) })
  local report = assert(doc:set_materials(from, to))
  return texts(doc.blocks[1].textures), report.changed
end

describe("nif: set_materials", function()
  it("replaces what matches and leaves the rest", function()
    local got, n = replaced([[textures\old\*]], [[textures\new\*]],
      { [[textures\old\a.dds]], [[textures\older\a.dds]], "", [[x\textures\old\a.dds]], [[textures\old\]] })
    assert.same({ [[textures\new\a.dds]], [[textures\older\a.dds]], "", [[x\textures\old\a.dds]], [[textures\new\]] }, got)
    assert.equal(2, n)
  end)

  it("takes upper and lower case and both slashes for the same, and keeps what a star took", function()
    local got, n = replaced("TEXTURES/old\\*", "textures\\new\\*", { "Textures\\OLD/Sub/B_N.dds", "tExtures/Old\\c.DDS" })
    assert.same({ "textures\\new\\Sub/B_N.dds", "textures\\new\\c.DDS" }, got)
    assert.equal(2, n)
  end)

  for _, case in ipairs {
    { "a.dds", "b.dds", "A.DDS", "b.dds" },
    { "a.dds", "b.dds", "a.ddsx", "a.ddsx" },
    { "*", "x*", "abc", "xabc" },
    { "*_n.dds", "*_msn.dds", "t\\a_n.dds_n.dds", "t\\a_n.dds_msn.dds" },
    { "*old*", "*new*", "old_old_old", "new_old_old" },       -- the first star as little as it can
    { "*aa*a", "*-*", "aaaa", "-a" },
    { "a*a", "b*b", "a", "a" },                             -- both ends want a byte of their own
    { "a*a", "b*b", "aa", "bb" },
    { "*ab*ab", "<*|*>", "xabab", "<x|>" },
    { "*ab*ab", "<*|*>", "xab", "xab" },
    { "*a*b*c*", "*1*2*3*", "zaybxcw", "z1y2x3w" },
    { "*a*b*c*", "*1*2*3*", "zaycxbw", "zaycxbw" },
    { "**", "*+*", "ab", "+ab" },
    { "a*", "gone.dds", "abc", "gone.dds" },                -- fewer stars: what they took goes
    { "a*b*", "*", "a1b2", "1" },
    { "a*", "", "abc", "" },
    { "%d+.dds", "no", "12.dds", "12.dds" },                -- no magic besides *
    { "\xff*", "\xfe*", "\xff\x80", "\xfe\x80" },
    { "", "x", "", "" },                                    -- which names no file
    { "*", "x*", "", "" },
  } do
    it(("%q -> %q in %q"):format(case[1], case[2], case[3]), function()
      local got, n = replaced(case[1], case[2], { case[3] })
      assert.same({ case[4] }, got)
      assert.equal(case[3] == case[4] and 0 or 1, n)
    end)
  end

  it("does what a search of all ways does", function()
    local rng = sample.rng(11)
    local function word(letters, longest)
      local out = {}
      for i = 1, rng(0, longest) do local k = rng(1, #letters); out[i] = letters:sub(k, k) end
      return table.concat(out)
    end
    local function ways(from, text)                       -- the first, with short stars tried first
      if from == "" then return text == "" and {} or nil end
      if from:sub(1, 1) ~= "*" then
        return from:sub(1, 1) == text:sub(1, 1) and ways(from:sub(2), text:sub(2)) or nil
      end
      for n = 0, #text do
        local rest = ways(from:sub(2), text:sub(n + 1))
        if rest then return { text:sub(1, n), table.unpack(rest) } end
      end
    end
    local matched = 0
    for _ = 1, 400 do
      local from, text = word("ab*", 6), word("ab", 9)
      local stars = select(2, from:gsub("%*", ""))
      local to = "<" .. ("*|"):rep(stars)
      local taken = text ~= "" and ways(from, text)
      local want = taken and "<" .. table.concat(taken, "|") .. (stars > 0 and "|" or "") or text
      matched = matched + (taken and 1 or 0)
      assert.same({ want }, (replaced(from, to, { text })), from .. " in " .. text)
    end
    assert.is_true(matched > 40)
  end)

  it("refuses a replacement with more stars, and too many", function()
    local doc <close> = open("sse", { texture_set { "a.dds" } })
    local before = doc:encode()
    local ok, err = doc:set_materials("a*", "*b*")
    assert.is_nil(ok)
    assert.equal("the replacement has more * (2) than the pattern (1)", err.message)
    ok, err = doc:set_materials(("*"):rep(17), "b")
    assert.is_nil(ok)
    assert.equal("more than 16 * in '*****************'", err.message)
    assert.equal(before, doc:encode())
    assert.is_false(doc.modified)
    assert.equal(1, assert(doc:set_materials(("*"):rep(16), "b.dds")).changed)
  end)

  it("takes its arguments by name too, is one step back, and counts nothing that stays the same", function()
    local doc <close> = open("sse", { texture_set { "a.dds", "b.dds" } }, 5)
    local before = doc:encode()
    assert.equal(0, doc:set_materials { from = "*.dds", to = "*.dds" }.changed)
    assert.is_false(doc.modified)
    assert.equal(2, doc:set_materials { from = "*.dds", to = "longer/*.png" }.changed)
    assert.same({ "longer/a.png", "longer/b.png" }, texts(doc.blocks[1].textures))
    doc:undo()
    assert.equal(before, doc:encode())
  end)

  it("finds effect shaders, old shaders and names of materials; leaves other names", function()
    local doc <close> = open("fo4", {
      { type = "NiNode", name = "t\\node.bgsm" },
      { type = "BSLightingShaderProperty", name = "t\\A.BGSM", body = { root_material = "t\\root.bgsm" } },
      { type = "BSEffectShaderProperty", name = "t\\plain",
        body = { source_texture = "t\\s.dds", greyscale_texture = "t\\g.dds", env_map_texture = "t\\e.dds",
          normal_texture = "t\\n.dds", env_mask_texture = "t\\m.dds" } },
      { type = "BSEffectShaderProperty", name = "t\\b.bgem" },
    })
    local strings = texts(doc.strings)
    local before = doc:encode()
    assert.equal("'t\\*' matches textures and files: choose one of them, or all",
      outcome.message(doc:set_materials("t\\*", "u\\*")))
    assert.equal(before, doc:encode())
    local report = assert(doc:set_materials { from = "t\\*", to = "u\\*", what = "all" })
    assert.equal(8, report.changed)
    assert.same({}, report.skipped)
    local b = doc.blocks
    assert.same({ "t\\node.bgsm", "u\\A.BGSM", "u\\root.bgsm", "t\\plain", "u\\b.bgem" },
      { b[1].name, b[2].name, b[2].body.root_material, b[3].name, b[4].name })
    local e = b[3].body
    assert.same({ "u\\s.dds", "u\\g.dds", "u\\e.dds", "u\\n.dds", "u\\m.dds" },
      { e.source_texture, e.greyscale_texture, e.env_map_texture, e.normal_texture, e.env_mask_texture })
    for i, text in ipairs(strings) do assert.equal(text, doc.strings[i]) end
    assert.equal(#strings + 3, #doc.strings)
  end)

  it("finds file names of Fallout 3 and Oblivion", function()
    local doc <close> = open("fo3", { { type = "BSShaderNoLightingProperty", file_name = "t\\a.dds" },
      { type = "TallGrassShaderProperty", file_name = "T/b.dds" } })
    assert.equal(2, doc:set_materials("t\\*", "u\\*").changed)
    assert.same({ "u\\a.dds", "u\\b.dds" }, { doc.blocks[1].file_name, doc.blocks[2].file_name })
    local old <close> = open("oblivion", { { type = "NiSourceTexture", use_external = 1, file_name = "t\\a.dds" } })
    assert.equal(1, old:set_materials("*.dds", "*.png").changed)
    assert.equal("t\\a.png", old.blocks[1].file_name)
  end)

  it("skips by name what does not parse", function()
    local doc <close> = open("sse", { { type = "BSShaderTextureSet", bytes = "\xff\xff\xff\x7fabc" },
      texture_set { "a.dds" } })
    local report = assert(doc:set_materials("*", "x*"))
    assert.equal(1, report.changed)
    assert.equal(1, #report.skipped)
    assert.equal("blocks[1]", report.skipped[1].path)
  end)
end)

describe("nif: set_materials of collision", function()
  local STONE, WOOD = 0xDF02F237, 0x1DD9C611

  local function spheres(game, ...)
    local blocks = {}
    for i, number in ipairs { ... } do
      blocks[i] = { type = "bhkSphereShape", material = { material = number }, radius = 1 }
    end
    return open(game, blocks)
  end

  local function numbers(doc)
    local list = {}
    for i, material in ipairs(doc.materials) do list[i] = lathe.raw(material, "material") end
    return list
  end

  it("goes by names and numbers, and nothing else", function()
    local doc <close> = spheres("sse", STONE, WOOD, 77)
    assert.equal(1, doc:set_materials("Stone", "wood").changed)
    assert.same({ WOOD, WOOD, 77 }, numbers(doc))
    assert.equal(1, doc:set_materials("77", "0xDF02F237").changed)
    assert.same({ WOOD, WOOD, STONE }, numbers(doc))
    assert.equal(2, doc:set_materials("wood", "my own").changed)
    assert.equal(2, doc:set_materials("my own", "12").changed)
    assert.same({ 12, 12, STONE }, numbers(doc))
    for _, change in ipairs { { "*", "x*" }, { "stone", "wood.dds" }, { "st*", "wood*" }, { "stone", "a\\wood" },
      { "stone", "stone" }, { "no such", "wood" }, { "stone\0", "wood" }, { "", "wood" } } do
      assert.equal(0, doc:set_materials(change[1], change[2]).changed, change[1])
    end
    assert.same({ 12, 12, STONE }, numbers(doc))
  end)

  it("knows only numbers in older games", function()
    local doc <close> = spheres("fo3", STONE, 5)
    assert.equal(0, doc:set_materials("stone", "wood").changed)
    assert.equal(0, doc:set_materials("5", "wood").changed)
    assert.equal(1, doc:set_materials("5", "6").changed)
    assert.same({ STONE, 6 }, numbers(doc))
  end)

  it("finds those of meshes", function()
    local doc <close> = open("sse", { { type = "bhkCompressedMeshShapeData", num_materials = 3,
      materials = { { material = STONE }, { material = 4 }, { material = STONE } } } })
    assert.equal(2, doc:set_materials("stone", "wood").changed)
    assert.same({ WOOD, 4, WOOD }, numbers(doc))
  end)
end)

describe("nif: set_materials with normalise", function()
  local CASES = {
    ["textures\\a.dds"] = "textures\\a.dds", ["Textures/a/b.dds"] = "Textures\\a\\b.dds",
    ["textures\\\\a//b\\/c.dds"] = "textures\\a\\b\\c.dds", ["a/b.dds"] = "textures\\a\\b.dds",
    ["Data\\Textures\\a.dds"] = "Textures\\a.dds", ["data\\a.dds"] = "textures\\a.dds",
    ["\\textures\\a.dds"] = "textures\\a.dds", ["C:\\x\\Data\\textures\\a.dds"] = "textures\\a.dds",
    ["c:/mods/textures//a.dds"] = "textures\\a.dds", ["c:/mods/a.dds"] = "c:/mods/a.dds",
    ["x\\data\\\\textures\\a.dds"] = "textures\\a.dds", ["x\\textures\\a.dds"] = "textures\\x\\textures\\a.dds",
    ["metadata\\textures\\a.dds"] = "textures\\metadata\\textures\\a.dds", ["data\\"] = "data\\",
    [".dds"] = "textures\\.dds", ["a"] = "a", [""] = "", ["/./"] = "textures\\.\\", ["c:."] = "c:.",
    ["a/b.dds \r\n"] = "textures\\a\\b.dds", ["textures\\a b.dds\t\v\f "] = "textures\\a b.dds",
    [" Data/Textures//b.dds"] = "Textures\\b.dds", ["\n\ta.dds "] = "textures\\a.dds",
    ["c:/mods/a.dds  "] = "c:/mods/a.dds", [" \n"] = " \n", ["a "] = "a ",
  }

  it("writes paths as the games look for them, and once only", function()
    for given, want in pairs(CASES) do
      local doc <close> = open("sse", { texture_set { given } })
      local report = assert(doc:set_materials { normalise = true })
      assert.equal(want, doc.blocks[1].textures[1], given)
      assert.equal(given == want and 0 or 1, report.changed, given)
      assert.equal(0, assert(doc:set_materials { normalise = true }).changed, given)
    end
  end)

  it("knows material files", function()
    local doc <close> = open("fo4", { { type = "BSLightingShaderProperty", name = "data/Materials/a.bgsm" },
      { type = "BSLightingShaderProperty", name = "b/c.BGEM \r\n" }, { type = "BSLightingShaderProperty", name = "a/b.c" } })
    assert.equal(2, doc:set_materials { normalise = true }.changed)
    assert.same({ "Materials\\a.bgsm", "materials\\b\\c.BGEM", "a/b.c" },
      { doc.blocks[1].name, doc.blocks[2].name, doc.blocks[3].name })
  end)

  it("comes behind a change of names", function()
    local doc <close> = open("sse", { texture_set { "a/b.dds", "c/d.dds" }, { type = "BSShaderTextureSet", bytes = "x" } })
    local report = assert(doc:set_materials { from = "a/*", to = "data/x/*", normalise = true })
    assert.same({ "textures\\x\\b.dds", "textures\\c\\d.dds" }, texts(doc.blocks[1].textures))
    assert.same({ 3, 1 }, { report.changed, #report.skipped })
  end)

  it("is all that may be missing", function()
    local doc <close> = open("sse", { texture_set { "a/b.dds" } })
    for _, args in ipairs { {}, { from = "a" }, { to = "a", normalise = true }, { normalise = false } } do
      local ok, err = pcall(doc.set_materials, doc, args)
      assert.is_false(ok)
      assert.is_truthy(tostring(err):find("set_materials takes from and to, or normalise", 1, true), tostring(err))
    end
    assert.equal("a/b.dds", doc.blocks[1].textures[1])
  end)
end)

describe("lathe.materials", function()
  -- Without the views.
  local function plain(doc)
    local list = {}
    for i, material in ipairs(lathe.materials(doc)) do
      local files = {}
      for k, texture in ipairs(material.textures) do files[k] = texture.slot .. "=" .. texture.file end
      list[i] = { material.kind, material.source.type, material.name or false, table.concat(files, " ") }
    end
    return list
  end

  it("lists shaders with the files that they name", function()
    local doc <close> = open("fo4", {
      { type = "BSEffectShaderProperty", body = { source_texture = "s.dds", env_mask_texture = "m.dds" } },
      { type = "BSLightingShaderProperty", name = "a.bgsm", body = { texture_set = 2 } },
      texture_set { "d.dds", "", "g.dds" },
    })
    assert.same({ { "shader", "BSEffectShaderProperty", false, "diffuse=s.dds environment_mask=m.dds" },
      { "shader", "BSLightingShaderProperty", "a.bgsm", "diffuse=d.dds glow=g.dds" } }, plain(doc))
    assert.equal(doc.blocks[2], lathe.materials(doc)[2].source)
  end)

  it("lists those of old games", function()
    local doc <close> = open("fo3", { { type = "BSShaderPPLightingProperty", texture_set = 1 }, texture_set { "a.dds" },
      { type = "BSShaderNoLightingProperty", file_name = "b.dds" } })
    assert.same({ { "shader", "BSShaderPPLightingProperty", false, "diffuse=a.dds" },
      { "shader", "BSShaderNoLightingProperty", false, "diffuse=b.dds" } }, plain(doc))
    local old <close> = open("oblivion", {
      { type = "NiTexturingProperty", texture_count = 7, has_base = true, base = { source = 1 } },
      { type = "NiSourceTexture", use_external = 1, file_name = "c.dds" } })
    assert.same({ { "shader", "NiTexturingProperty", false, "diffuse=c.dds" } }, plain(old))
  end)

  it("tells flags by name, colours and opacity", function()
    local doc <close> = open("sse", { { type = "BSLightingShaderProperty", body = { flags1 = 1 << 31 | 1, flags2 = 1,
      emissive_color = { r = 1, g = 0.5, b = 0 }, alpha = 0.25 } }, { type = "BSWaterShaderProperty" },
      { type = "bhkSphereShape" } })
    local list = lathe.materials(doc)
    local body = doc.blocks[1].body
    assert.same({ lathe.names(body, "flags1")[1], lathe.names(body, "flags1")[2], lathe.names(body, "flags2")[1] },
      list[1].flags)
    assert.equal("specular zbuffer_test zbuffer_write", table.concat(list[1].flags, " "))
    assert.same({ 1, 0.5, 0 }, list[1].colors.emissive_color)
    assert.equal(0.25, list[1].alpha)
    assert.same({ flags = {}, colors = {} }, { flags = list[2].flags, colors = list[2].colors, alpha = list[2].alpha })
    assert.is_nil(list[3].flags)
  end)

  it("passes over what does not parse, and documents without any", function()
    local doc <close> = open("fo4", { { type = "BSLightingShaderProperty", bytes = "\1\2\3" },
      { type = "BSLightingShaderProperty", body = { texture_set = 2 } }, { type = "BSShaderTextureSet", bytes = "\9" } })
    assert.same({ { "shader", "BSLightingShaderProperty", false, "" } }, plain(doc))
    local wrong <close> = open("fo4", { { type = "BSLightingShaderProperty", body = { texture_set = 77 } },
      { type = "NiNode" }, { type = "BSLightingShaderProperty", body = { texture_set = 1 } } })
    assert.equal(2, #plain(wrong))
    local other <close> = assert(lathe.new("fzx", {}))
    assert.same({}, lathe.materials(other))
  end)

  it("lists every material of the corpus #corpus", function()
    local folder, n, files = helper.need_corpus("nif", pending), { shader = 0, collision = 0 }, 0
    for _, name in ipairs(folder and helper.list(folder, "%.nif$") or {}) do
      local doc <close> = lathe.open(folder .. "/" .. name)
      for _, material in ipairs(doc and lathe.materials(doc) or {}) do
        n[material.kind], files = n[material.kind] + 1, files + #material.textures
      end
    end
    if folder then assert.same({ { shader = 215, collision = 300 }, 366 }, { n, files }) end
  end)
end)

describe("nif: set_materials #corpus", function()
  local function each(run)
    local folder = helper.need_corpus("nif", pending)
    for _, name in ipairs(folder and helper.list(folder, "%.nif$") or {}) do
      local doc <close> = lathe.open(folder .. "/" .. name)
      if doc then run(doc, doc:encode(), name) end
    end
  end

  it("changes no byte where nothing matches", function()
    each(function(doc, before, name)
      assert.equal(0, assert(doc:set_materials("no such\\*", "x*")).changed, name)
      assert.is_false(doc.modified, name)
      assert.equal(before, doc:encode(), name)
    end)
  end)

  -- Strings of the header that were appended, as bytes.
  local function appended(doc, strings)
    local size = 0
    for i = 1, doc.strings and #doc.strings or 0 do
      if i <= #strings then assert.equal(strings[i], doc.strings[i]) else size = size + 4 + #doc.strings[i] end
    end
    return size
  end

  it("gives the file back but for appended strings", function()
    local total = 0
    each(function(doc, before, name)
      local strings, blocks = doc.strings and texts(doc.strings) or {}, {}
      for i = 1, #doc.blocks do blocks[i] = lathe.bytes(doc.blocks[i]) end
      local function there_and_back(from, to)
        local changed, back = 0, 0
        for _, what in ipairs { "textures", "files" } do
          changed = changed + assert(doc:set_materials(from, to, { what = what })).changed
        end
        for _, what in ipairs { "textures", "files" } do
          back = back + assert(doc:set_materials(to, from, { what = what })).changed
        end
        assert.equal(changed, back, name)
        assert.equal(#before + appended(doc, strings), #doc:encode(), name)
        total = total + changed
      end
      there_and_back("*", "x\\*")
      for i, bytes in ipairs(blocks) do assert.equal(bytes, lathe.bytes(doc.blocks[i]), name) end
      there_and_back("textures\\*", "textures\\x\\*")
      for i, bytes in ipairs(blocks) do assert.equal(#bytes, #lathe.bytes(doc.blocks[i]), name) end
    end)
    if helper.corpus "nif" then assert.equal(615, total) end
  end)
end)
