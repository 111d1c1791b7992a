-- Names of materials, layers and user tags of Phive shapes: built in, and from the option `names`.
local lathe = require "lathe"

local TRIANGLE = { positions = { 0, 0, 0, 1, 0, 0, 0, 0, 1 }, indices = { 0, 2, 1 }, triangle_materials = { 0 } }

-- Files of one triangle, with rows of materials as games have them.
local ROWS = {
  v21_box = { { material_id = 16, layer_mask = 0x1FFFFFFE } },
  v22_box = { { material_id = 7 } },
  v22_chunk = { { material_id = 7, user_tag_mask = 1 }, { material_id = 2, user_tag_mask = 0x40000000 } },
  v23_box = { { material_id = 3, layer_mask = 0xFFFFFFFFFE, sub_layer_mask = 0xFFFFFFFFF,
    user_tag_mask = 0x8000000000000001 } },
}

local function open(name, names)
  local mesh = { positions = TRIANGLE.positions, indices = TRIANGLE.indices, materials = { "a" },
    triangle_materials = TRIANGLE.triangle_materials }
  local made <close> = assert(lathe.new("bphsh", { variant = name:sub(1, 3), mesh = mesh, materials = ROWS[name] }))
  return lathe.parse(made:encode(), { path = name .. ".bphsh", names = names })
end

local function first(name, names)
  local doc <close> = assert(open(name, names))
  local material = doc.materials[1]
  return { material.name, material.layers, material.sub_layers, material.user_tags }
end

describe("names of Phive shapes", function()
  it("are those of the game", function()
    local doc <close> = assert(open "v22_chunk")
    assert.same({ "Stone", "Grass" }, { doc.materials[1].name, doc.materials[2].name })
    assert.same({ "NoClimb", "DontGenerateNavMesh" }, { doc.materials[1].user_tags, doc.materials[2].user_tags })
    assert.equal("Object | SmallObject | GroundObject | Player | ", doc.materials[1].layers:sub(1, 47))
    assert.same({ 3, "0xfffffffffe", "0xfffffffff", "0x8000000000000001" }, first "v23_box")
    assert.same({ "Stone", "0x1ffffffe" }, { table.unpack(first "v21_box", 1, 2) })
  end)

  it("set the number", function()
    local doc <close> = assert(open "v22_chunk")
    local material = doc.materials[1]
    material.name = "wood"
    assert.same({ "Wood", 16 }, { material.name, material.material_id })
    material.name = 900
    assert.same({ 900, 900 }, { material.name, material.material_id })
    assert.has_error(function() material.name = "Stoen" end, "tables.materials[1].name: 'Stoen' is no material of "
      .. "Tears of the Kingdom; did you mean 'Stone'?")
    assert.equal(900, material.material_id)
  end)

  it("may be given as lists, as number = name, and as name = number", function()
    local list = { "a", "b", "c", "d", "e", "f", "g", "Rock" }
    for _, materials in ipairs { list, { [0] = "Air", [7] = "Rock" }, { [7] = "Rock" }, { ["7"] = "Rock" },
      { ["0x7"] = "Rock" }, { Rock = 7 }, { [1] = "Air", [7] = "Rock", Soil = 3 } } do
      assert.equal("Rock", first("v22_chunk", { materials = materials })[1])
    end
    assert.same({ 7, "A | B | 0xfffffffc", "Z | 0xfffffffe", "One" }, first("v22_chunk", {
      materials = {}, layers = { "A", "B" }, sub_layers = { [0] = "Z" }, user_tags = { [1 << 63] = "Top", One = 1 } }))
    assert.same({ 3, "0xfffffffffe", "0xfffffffff", "One | Top" },
      first("v23_box", { user_tags = { [1 << 63] = "Top", [1] = "One" } }))
  end)

  it("stay in the document alone, and copies have the numbers", function()
    local doc <close> = assert(open("v22_chunk", { materials = { [7] = "Rock" } }))
    collectgarbage()
    local copy <close> = assert(lathe.new("bphsh", doc:totable()))
    assert.same({ "Rock", "Stone" }, { doc.materials[1].name, copy.materials[1].name })
    assert.equal(doc:encode(), copy:encode())
  end)

  it("are refused where they are no lists of names", function()
    local long = {}
    for i = 1, 4097 do long[i] = "n" .. i end
    for message, names in pairs {
      ["names: a table of lists expected"] = 5,
      ["names: a table of lists expected (materials, layers …), got a list"] = { 1 },
      ["names: no list of names 'material'; did you mean 'materials'?"] = { material = {} },
      ["names.materials: a list of names or a table number = name expected"] = { materials = "Stone" },
      ["names.materials[1]: a name expected"] = { materials = { "a", 5 } },
      ["names.materials[3]: a name expected"] = { materials = { ["3"] = false } },
      ["names.materials[x]: number = name or name = number expected"] = { materials = { x = "y" } },
      ["names.materials[x]: a number that is not negative expected"] = { materials = { x = -1 } },
      ["names.materials[0]: a name of 1 to 63 bytes expected that begins with no digit"] = { materials = { "1" } },
      ["names.materials[4294967296]: a number from 0 to 4294967295 expected"] = { materials = { [1 << 32] = "x" } },
      ["names.materials: two names of number 0x1: 'a' and 'b'"] = { materials = { [1] = "a", b = 1 } },
      ["names.materials: more than 4096 names"] = { materials = long },
      ["names.layers[64]: a bit from 0 to 63 expected"] = { layers = { [64] = "x" } },
      ["names.user_tags[0]: a mask of one bit or several expected"] = { user_tags = { [0] = "x" } },
    } do
      local doc, err = open("v22_box", names)
      assert.is_nil(doc, message)
      assert.equal("v22_box.bphsh: " .. message, (tostring(err):gsub("'b' and 'a'", "'a' and 'b'")))
    end
  end)

  it("come from a file of Lua or JSON on the command line", function()
    local cli_names = require "lathe.cli.names"
    for text, expected in pairs {
      ['{ materials = { [7] = "Rock" } }'] = "Rock",
      ['return { materials = { [7] = "Rock" } }'] = "Rock",
      ['{ "materials": { "7": "Rock" } }'] = "Rock",
      ["{ 1"] = "a table of names expected: ",
      ["while true do end"] = "a table of names expected: ",
      ["return (function() while true do end end)()"] = "it runs too long",
      ["5"] = "a table of names expected",
    } do
      local path = os.tmpname()
      local file = assert(io.open(path, "w"))
      file:write(text)
      file:close()
      local names, why = cli_names.of(path)
      os.remove(path)
      if names then assert.equal(expected, first("v22_chunk", names)[1])
      else assert.truthy(why:find(expected, 1, true), why) end
    end
  end)
end)
