-- Names of collision materials: those that are not known are told, and `what` says which names are changed.

local fo4 = require "fo4_collision"
local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"
local collision = require "sample_collision"

local message = outcome.message

-- A scene of Skyrim SE: a shape of each material, and what else is given.
local function scene(materials, more)
  local blocks = table.move(more or {}, 1, #(more or {}), #materials + 1, {})
  for i, name in ipairs(materials) do blocks[i] = { type = "bhkSphereShape", material = { material = name } } end
  return assert(lathe.new("nif", { blocks = blocks }, { history = 5 }))
end

local function names(doc)
  local list = {}
  for i, material in ipairs(doc.materials) do list[i] = material.name end
  return list
end

local function drawn()
  return {
    { type = "BSLightingShaderProperty", name = "materials\\old\\a.bgsm" },
    { type = "BSShaderTextureSet", num_textures = 2, textures = { "textures\\old\\a.dds", "textures\\old\\plain" } },
  }
end

local function findings(doc, options)
  local ok, list = doc:check(options)
  assert.is_true(ok)
  local texts = {}
  for _, found in ipairs(list) do
    if found.message:find("known material", 1, true) then
      texts[#texts + 1] = ("%s %s: %s"):format(found.level, found.where, found.message)
    end
  end
  return texts
end

local METL, WODD = "no known material 'metl'; did you mean 'metal'?", "no known material 'wodd'; did you mean 'wood'?"

describe("names of collision materials", function()
  it("are those of Skyrim and Fallout 4, and the number of each is that of its letters", function()
    for name, number in pairs { materialbowsstaves = 0x5FCAD641, ["heavy stone"] = 0x5DA0D740, stairsstone = 0x359D733D,
      dragon = 0x961A8817, woodheavy = 0xCF81E009, armorlight = 0x3DB20A5B, characterbumper = 0x5DD8A028,
      materialskinsmall = 0x9CE6BD3E, ["insect wing"] = 0xC7F82142 } do
      assert.equal(number, fo4.material_id(name))
      assert.equal(name, names(scene { number })[1])
    end
    assert.equal(0xFCB37EA0, names(scene { 0xFCB37EA0 })[1])
  end)

  it("are told where nobody knows them, with the nearest that is known", function()
    local doc <close> = scene { "stone", "metal", 77 }
    assert.same({ changed = 1, skipped = {}, warnings = { WODD } }, doc:set_materials("stone", "wodd"))
    assert.same({ changed = 0, skipped = {}, warnings = { METL } }, doc:set_materials("metl", "stone"))
    assert.same({ changed = 1, skipped = {}, warnings = { "no known material 'ours'" } }, doc:set_materials("metal", "ours"))
    assert.same({ changed = 1, skipped = {} }, doc:set_materials("77", "0x12345678"))
    assert.same({ changed = 1, skipped = {} }, doc:set_materials("ours", "stone")) -- the file has it
    assert.same({ changed = 1, skipped = {} }, doc:set_materials { from = "stone", to = "metl", unknown = "allow" })
    assert.equal("'unknown' of set_materials is one of warn, allow",
      message(doc:set_materials { from = "a", to = "b", unknown = "no" }))
    local old <close> = assert(lathe.new("nif", { version = 0x14000005, user_version = 11, bs_version = 11, blocks = {
      { type = "bhkSphereShape", material = { material = 3 } } } }))
    assert.same({ changed = 1, skipped = {} }, old:set_materials("3", "4"))
    assert.same({}, findings(old))
  end)

  it("are told once, however many materials get them", function()
    local doc <close> = scene { "stone", "metal", "wood", 77 }
    assert.same({ changed = 4, skipped = {}, warnings = { METL } },
      doc:set_materials { from = "*", to = "metl", what = "collision" })
    local list = {}
    for i = 1, 50 do list[i] = 1000 + i end
    local many <close> = scene(list)
    local report = many:set_materials { from = "*", to = "x*", what = "collision" }
    assert.same({ 50, 32 }, { report.changed, #report.warnings })
    assert.equal("no known material 'x0x000003E9'", report.warnings[1])
  end)

  it("are told by all that takes them", function()
    local doc <close> = assert(lathe.new("nif", { bs_version = 130, blocks = { { type = "NiNode", name = "A" } },
      footer = { roots = { 0 } } }))
    local box = { kind = "box", size = { 64, 64, 64 }, material = "metl" }
    assert.same({ METL }, doc:set_collision("A", box).warnings)
    box.unknown = "allow"
    assert.is_nil(doc:set_collision("A", box).warnings)
    local ramp = { kind = "mesh", mesh = { positions = { { 0, 0, 0 }, { 64, 0, 0 }, { 0, 64, 9 } },
      indices = { { 0, 1, 2 } } }, material = "Wood" }
    assert.is_nil(doc:set_collision("A", ramp).warnings)
    local body = doc.bodies[1]
    assert.same({ WODD }, body:set { material = "wodd" }.warnings)
    assert.is_nil(body:set { material = "wodd", unknown = "allow" }.warnings)
    assert.is_nil(body:set { material = 77, friction = 0.5 }.warnings)
    local shape = doc.bodies[1].shape
    assert.same({ METL }, shape:set_triangle_materials { materials = { "metl" } }.warnings)
    assert.is_nil(shape:set_triangle_materials { materials = { "wodd" }, unknown = "allow" }.warnings)
  end)

  it("are told by lathe.set_materials", function()
    local doc <close> = scene { "stone", "metal" }
    assert.same({ changed = 2, warnings = { WODD } }, lathe.set_materials(doc, function() return "wodd" end))
    assert.same({ changed = 2 }, lathe.set_materials(doc, function() return "metl" end, { unknown = "allow" }))
    assert.same({ changed = 2 }, lathe.set_materials(doc, function() return 77 end))
    assert.is_true(doc:undo())
    assert.same({ fo4.material_id "metl", fo4.material_id "metl" }, names(doc))
    local function set(opts) return function() lathe.set_materials(doc, { metl = "wood" }, opts) end end
    assert.error_matches(set { what = "collision" }, "no option 'what' of set_materials, which takes unknown")
    assert.error_matches(set { unknown = "alow" }, "'unknown' of set_materials is one of warn, allow")
  end)

  it("are told by doc:check, by the letter that is wrong", function()
    local wrong = { "metl", "wodd", "sotne", "glasss", "quite unknown", "stone", 0, 0xFCB37EA0 }
    local doc <close> = scene(wrong)
    local function line(i, text)
      return ("warning blocks[%d].material.material: 0x%08X is no known material%s"):format(i,
        fo4.material_id(wrong[i]), text or "")
    end
    local function meant(i, name)
      return line(i, (" but the number of '%s'; did you mean '%s'?"):format(wrong[i], name))
    end
    assert.same({ meant(1, "metal"), meant(2, "wood"), meant(3, "stone"), meant(4, "glass"), line(5) }, findings(doc))
    assert.same({}, findings(doc, { unknown = "allow" }))
  end)

  it("are told by doc:check of shapes and triangles in packfiles", function()
    local doc <close> = assert(lathe.parse(collision.scene()))
    doc.materials[1].name = "metl"
    doc.materials[5].name = "wodd"
    local list = findings(doc)
    assert.equal(2, #list)
    for i, material in ipairs { 1, 5 } do
      assert.matches(lathe.path(doc.materials[material]), list[i], 1, true)
      assert.matches(i == 1 and "did you mean 'metal'?" or "did you mean 'wood'?", list[i], 1, true)
    end
  end)

  it("are known in all files of the games #corpus", function()
    local n = 0
    for _, kind in ipairs { "nif", "nif-bhk", "nif-fo4-collision" } do
      local folder = helper.need_corpus(kind, pending)
      if not folder then return end
      for _, path in ipairs(helper.list(folder, "%.nif$")) do
        local doc <close> = lathe.open(folder .. "/" .. path)
        if doc then
          for _, material in ipairs(doc.materials) do n = n + (material.kind == "collision" and 1 or 0) end
          local _, list = doc:check()
          for _, found in ipairs(list) do
            assert.is_nil(found.message:find("known material", 1, true), path .. ": " .. found.message)
          end
        end
      end
    end
    assert.is_true(n > 200, n)
  end)
end)

describe("set_materials with what", function()
  local function state(doc, first)
    local set = doc.blocks[first + 1].textures
    return { doc.blocks[first].name, set[1], set[2] }
  end

  it("changes names of one kind, and stars reach collision materials", function()
    local doc <close> = scene({ "stone", "stairsstone", 77 }, drawn())
    assert.equal(2, doc:set_materials("*\\old\\*", "*\\new\\*", { what = "textures" }).changed)
    assert.same({ "materials\\old\\a.bgsm", "textures\\new\\a.dds", "textures\\new\\plain" }, state(doc, 4))
    assert.equal(1, doc:set_materials("*\\old\\*", "*\\new\\*", { what = "files" }).changed)
    assert.same({ "materials\\new\\a.bgsm", "textures\\new\\a.dds", "textures\\new\\plain" }, state(doc, 4))
    assert.equal(1, doc:set_materials("stairs*", "*", { what = "collision" }).changed)
    assert.same({ "stone", "stone", 77 }, { table.unpack(names(doc), 1, 3) })
    assert.equal(1, doc:set_materials("0x*4D", "glass", { what = "collision" }).changed)
    assert.equal(3, doc:set_materials("*", "metal", { what = "collision" }).changed)
    assert.same({ "metal", "metal", "metal" }, { table.unpack(names(doc), 1, 3) })
    assert.equal(0, doc:set_materials("metal", "wood", { what = "textures" }).changed)
    assert.equal("'x\\metal' is not the name of a collision material",
      message(doc:set_materials("*", "x\\*", { what = "collision" })))
    assert.same({ "metal", "metal", "metal" }, { table.unpack(names(doc), 1, 3) })
  end)

  it("is needed where the old name is of several kinds", function()
    local doc <close> = scene({ "stone" }, drawn())
    local before = doc:encode()
    assert.equal("'*' matches textures and files: choose one of them, or all", message(doc:set_materials("*", "metal")))
    doc.blocks[3].textures[2] = "stone"
    assert.equal("'Stone' matches textures and collision: choose one of them, or all",
      message(doc:set_materials("Stone", "wood")))
    assert.equal("stone", names(doc)[1])
    assert.equal(2, doc:set_materials("Stone", "wood", { what = "all" }).changed)
    assert.is_true(doc:undo(2))
    assert.equal(before, doc:encode())
    assert.equal("'what' of set_materials is one of textures, collision, files, all",
      message(doc:set_materials("a", "b", { what = "names" })))
  end)

  it("or without: no path loses its extension", function()
    local doc <close> = scene({ "stone" }, drawn())
    local before = doc:encode()
    assert.equal("'textures\\old\\a.dds' would become 'metal': the new path would lose its extension",
      message(doc:set_materials("*", "metal", { what = "textures" })))
    assert.equal("'materials\\old\\a.bgsm' would become 'x.dds': the new path would lose its extension",
      message(doc:set_materials("mat*", "x.dds")))
    assert.equal("'textures\\old\\a.dds' would become 'a.b\\c': the new path would lose its extension",
      message(doc:set_materials("*.dds", "a.b\\c")))
    assert.equal(before, doc:encode())
    assert.equal(1, doc:set_materials("textures\\old\\pl*", "p").changed) -- which has none
    assert.equal(1, doc:set_materials("*.dds", "*.png").changed)
    assert.equal(1, doc:set_materials("*.bgsm", "*.bgem").changed)
    assert.equal(1, doc:set_materials("p", "").changed)
  end)

  it("limits normalise, too", function()
    local doc <close> = scene({}, drawn())
    doc.blocks[1].name, doc.blocks[2].textures[1] = "old/a.bgsm", "old/a.dds"
    assert.equal(0, doc:set_materials { normalise = true, what = "collision" }.changed)
    assert.equal(1, doc:set_materials { normalise = true, what = "files" }.changed)
    assert.same({ "materials\\old\\a.bgsm", "old/a.dds", "textures\\old\\plain" }, state(doc, 1))
    assert.equal(1, doc:set_materials { normalise = true, what = "textures" }.changed)
    assert.same({ "materials\\old\\a.bgsm", "textures\\old\\a.dds", "textures\\old\\plain" }, state(doc, 1))
  end)

  it("is the same in packfiles alone", function()
    local doc <close> = assert(lathe.parse(collision.blobs().everything))
    local all = #doc.materials
    assert.equal(0, doc:set_materials { from = "*", to = "metal" }.changed)
    assert.equal(0, doc:set_materials { from = "wood", to = "metal", what = "textures" }.changed)
    assert.is_true(doc:set_materials { from = "*", to = "snow", what = "collision" }.changed > 10)
    for i = 1, all do assert.equal("snow", doc.materials[i].name) end
  end)
end)

describe("diff", function()
  it("shows numbers of materials with their names", function()
    local diff = require "lathe.tree.diff"
    local old <close> = assert(lathe.parse(collision.blobs().box))
    local new <close> = assert(lathe.parse(collision.blobs().box))
    local was = new.materials[1].name
    new.materials[1].name = "snow"
    local changes = diff.diff(old, new)
    assert.equal(1, #changes)
    assert.equal(("objects[2].user_data: %d (%s) -> %d (snow)"):format(fo4.material_id(was), was,
      fo4.material_id "snow"), diff.line(changes[1]))
    new.materials[1].name = 77
    assert.matches("%) %-> 77$", diff.line(diff.diff(old, new)[1]))
  end)
end)
