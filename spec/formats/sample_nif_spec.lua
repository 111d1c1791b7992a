-- What specs make NIF files of, proved on the plain reader: blocks and records by chance, vertices of every descriptor,
-- whole files, and faults. Nothing of lathe takes part.

local figures = require "nif_figures"
local hex = require "nif_hex"
local nif_schema = require "nif_schema"
local reader = require "nif_reader"
local sample = require "sample_nif"

local schema = nif_schema.load()

local function alike(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in pairs(a) do
    if not alike(value, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

-- assert.same at a tenth of its time, as long as they are.
local function same(wanted, got)
  if not alike(wanted, got) then assert.same(wanted, got) end
end

local function each_setting(types, seeds, test)
  for _, game in ipairs(sample.all_names) do
    for _, name in ipairs(types) do
      for seed = 1, seeds do
        local label = ("%s/%s/%d"):format(name, game, seed)
        local ok, err = pcall(test, name, game, label)
        if not ok then error(label .. ": " .. tostring(err), 0) end
      end
    end
  end
end

describe("a block by chance", function()
  it("reads back as it was made, every type in every version", function()
    local blocks, refs = 0, 0
    each_setting(schema.blocks, 4, function(name, game, label)
      local setting = sample.setting(game)
      local made = sample.random_block(name, setting, sample.rng(label))
      local read = reader.decode(name, made.bytes, setting, { args = made.args })
      same({ #made.bytes, made.values, made.refs, made.string_refs },
        { read.consumed, read.values, read.refs, read.string_refs })
      blocks, refs = blocks + 1, refs + #read.refs
    end)
    assert.equal(257 * #sample.all_names * 4, blocks)
    assert.is_true(refs > 30000)
  end)

  it("reads back as it was made, every record of blocks", function()
    each_setting(schema.structs, 4, function(name, game, label)
      local setting = sample.setting(game)
      local made = sample.random_struct(name, setting, sample.rng(label))
      local read = reader.decode(name, made.bytes, setting, { args = made.args })
      same({ #made.bytes, made.values, made.refs }, { read.consumed, read.values, read.refs })
    end)
  end)

  it("is the same for the same seed, and another for another", function()
    local function bytes(seed)
      return sample.random_block("NiTriShapeData", sample.setting "le", sample.rng(seed)).bytes
    end
    assert.equal(bytes(3), bytes(3))
    assert.equal(bytes("a"), bytes("a"))
    assert.are_not.equal(bytes(3), bytes(4))
  end)

  it("meets both sides of every condition", function()
    local met, watched = {}, {}
    for _, list in ipairs { schema.blocks, schema.structs } do
      for _, name in ipairs(list) do
        for _, field in ipairs(schema.types[name].fields) do
          if field.cond then
            local cond, key = field.cond, ("%s.%s ? %s"):format(name, field.name, field.cond_text)
            watched[field], met[key] = cond, {}
            field.cond = function(...)
              local holds = cond(...)
              met[key][holds] = true
              return holds
            end
          end
        end
      end
    end
    finally(function()
      for field, cond in pairs(watched) do field.cond = cond end
    end)
    each_setting(schema.blocks, 4, function(name, game, label)
      sample.random_block(name, sample.setting(game), sample.rng(label))
    end)
    each_setting(schema.structs, 20, function(name, game, label)
      sample.random_struct(name, sample.setting(game), sample.rng(label))
    end)
    local missed = {}
    for key, sides in pairs(met) do
      if not sides[true] or not sides[false] then missed[#missed + 1] = key end
    end
    table.sort(missed)
    assert.same({ "NiGeomMorpherController.always_update ? V >= 0x04000002",       -- all versions are later
      "NiTimeController.target ? V >= 0x0303000D" }, missed)
  end)

  it("keeps its references in the file and its texts in the table", function()
    local setting = sample.setting("sse", { num_blocks = 3, strings = { "one" } })
    for seed = 1, 200 do
      local made = sample.random_block("NiControllerSequence", setting, sample.rng(seed))
      for _, ref in ipairs(made.refs) do assert.is_true(ref[1] >= -1 and ref[1] < 3) end
      for _, index in ipairs(made.string_refs) do
        assert.is_true(index == 0xFFFFFFFF or setting.strings[index + 1] ~= nil)
      end
    end
    assert.equal("one", setting.strings[1])
  end)

  it("has no arrays longer than asked for", function()
    local setting, longest = sample.setting("fo4", { max_count = 1 }), 0
    for seed = 1, 50 do
      longest = math.max(longest, #sample.random_block("NiNode", setting, sample.rng(seed)).values.children)
    end
    assert.equal(1, longest)
  end)
end)

describe("a vertex descriptor", function()
  it("is there for every set of attributes, once", function()
    local seen = {}
    for _, one in ipairs(sample.descriptors()) do
      local key = one.game .. one.desc
      assert.is_nil(seen[key])
      seen[key] = true
      assert.equal(one.stride, (one.desc & 15) * 4)
      assert.equal(one.flags, one.desc >> 44)
    end
    assert.equal(192 * 5 - 1, #sample.descriptors())
    assert.is_true(seen["fo4" .. 0x0001B00000430205] and seen["fo4" .. 0x0005B00050430208])
    assert.is_true(seen["sse" .. 0x0007B0008765040B] and seen["sse" .. 0x0055A06030210047])
  end)

  it("is among them wherever the corpus has one #corpus", function()
    local known, met, others = { sse = {}, fo4 = {} }, {}, {}
    for _, one in ipairs(sample.descriptors()) do known[one.game][one.desc] = true end
    local function collect(entry)
      local file = reader.read(entry:bytes(), { lazy = true })
      for _, block in ipairs(file.blocks) do
        local desc = block.values and block.values.vertices and block.values.vertex_desc
        if desc then
          local game = file.bs_version == 100 and "sse" or "fo4"
          met[game .. desc] = true
          if not known[game][desc] then others[("%016x"):format(desc)] = true end
        end
      end
    end
    figures.each(figures.files(pending), collect)
    figures.each(figures.collision_files(pending), collect)
    local n = 0
    for _ in pairs(met) do n = n + 1 end
    -- Fallout 4's 0005b02050430208 has a stray bit where the offset of unused eye data is.
    assert.same({ "0005b02050430208" }, (function()
      local list = {}
      for text in pairs(others) do list[#list + 1] = text end
      table.sort(list)
      return list
    end)())
    assert(n >= 15, n)
  end)

  local function shape(one, n)
    local fields = { type = "BSTriShape", vertex_desc = one.desc, triangles = { { 0, 1, 2 } }, vertices = {} }
    for i = 1, n do
      fields.vertices[i] = { position = { x = i, y = -i / 2, z = 0 }, bitangent_x = 1, uv = { u = 0.5, v = i },
        normal = { x = 1, y = -1, z = 1 / 255 }, bitangent_y = -1,
        tangent = { x = -1, y = 1, z = -1 / 255 }, bitangent_z = 1, color = { r = 1, g = 0, b = 0.2, a = 0.6 },
        weights = { 0.5, 0.25, 0.25, 0 }, bones = { i, 2, 3, 255 }, eye = 0.125 }
    end
    return fields
  end

  local OF = { position = "position", uv = "uv", normal = "normal", tangent = "tangent", color = "color",
    skin = "weights", eye = "eye" }

  it("makes vertices that read back, in files", function()
    for _, one in ipairs(sample.descriptors()) do
      local fields = shape(one, 3)
      local bytes = sample.build { game = one.game, blocks = { fields } }
      local block = reader.read(bytes).blocks[1]
      assert.is_nil(block.err)
      assert.equal(3 * one.stride + 6, block.values.data_size)
      for i, vertex in ipairs(block.values.vertices) do
        for attribute, name in pairs(OF) do
          if one.offsets[attribute] then
            local given = fields.vertices[i][name]
            for key, number in pairs(name == "eye" and { vertex.eye } or vertex[name]) do
              local off = number - (name == "eye" and given or given[key])
              assert(math.abs(off) < 1e-6, name)
            end
          elseif vertex[name] ~= nil then
            error(name .. " is not in the descriptor")
          end
        end
      end
    end
  end)
end)

describe("a whole NIF file", function()
  it("is the one by hand", function()
    assert.equal(hex.sse, (sample.build { game = "sse", blocks = { { type = "NiNode", name = "Scene", flags = 0x8000E,
      translation = { 1.5, -2, 0 }, rotation = { 0, -1, 0, 1, 0, 0, 0, 0, 1 }, scale = 0.5 } } }))
    assert.equal(hex.oblivion, (sample.build { game = "oblivion", blocks = {
      { type = "NiNode", name = "Scene Root", extra_data_list = { 1 }, flags = 12, translation = { z = 0.5 },
        children = { -1 } },
      { type = "NiStringExtraData", name = "Prn", value = "Bip01" } } }))
    assert.equal(hex.morrowind, (sample.build { game = "morrowind", blocks = { { type = "NiNode", name = "Root",
      flags = 12, velocity = { z = -1 }, has_bv = true, bv = { kind = 0, sphere = { radius = 5 } } } } }))
    assert.equal(hex.starfield, (sample.build { game = "starfield", unknown_int = 3,
      max_filepath = "\x81\xB8\xC3\xE0\xD6\x01\0", blocks = { { type = "BSXFlags", name = "BSX", value = 0xC2 } } }))
    local byte = function(n) return n / 127.5 - 1 end
    assert.equal(hex.fo4, (sample.build { game = "fo4", max_filepath = "", strings = { "Tri", "" }, blocks = {
      { type = "BSTriShape", name = "Tri", flags = 14, bounds = { center = { 0.5, -1, 0 }, radius = 2 },
        vertex_desc = 0x0001B00000430205, triangles = { { 0, 1, 2 } }, vertices = {
          { bitangent_x = 1, normal = { byte(128), byte(128), 1 }, bitangent_y = byte(128),
            tangent = { 1, byte(128), byte(128) }, bitangent_z = byte(128) },
          { position = { 1, 0, 0 }, bitangent_x = -1, uv = { 1, 0.5 }, normal = { -1, 1, byte(128) }, bitangent_y = -1,
            tangent = { 1, byte(128), byte(128) }, bitangent_z = 1 },
          { position = { 0.5, -2, 65504 }, bitangent_x = 2.0 ^ -24, uv = { -0.25, 3 },
            normal = { byte(1), byte(2), byte(3) }, bitangent_y = byte(4),
            tangent = { byte(5), byte(6), byte(7) }, bitangent_z = byte(8) } } } } }))
  end)

  it("reads back with all that a header has, in every version", function()
    for i, game in ipairs(sample.all_names) do
      local bytes, info = sample.build { game = game, author = "me\0", export_script = "\0", max_filepath = "stamp",
        unknown_int = 3, strings = { "unused", "" }, groups = { 1, 2 }, roots = { 1, -1, 0 }, trailing = "end",
        blocks = { sample.random_block("NiNode", sample.setting(game), sample.rng(i)),
          { type = "NiNode", name = "inner", children = { 0 } } } }
      local file = reader.read(bytes)
      assert.is_nil(file.stopped)
      assert.same({ 2, { 1, -1, 0 }, "end" }, { #file.blocks, file.roots, file.trailing })
      assert.same({ info.body_offset, info.footer_offset }, { file.body_offset, file.footer_offset })
      for k, block in ipairs(file.blocks) do
        assert.is_nil(block.err)
        assert.same({ info.blocks[k].at, info.blocks[k].size }, { block.at, block.consumed })
        if k == 2 then assert.same({ "inner", { 0 } }, { block.values.name, block.values.children }) end
      end
      if file.version > 0x05000006 then assert.same({ { "NiNode" }, { 1, 2 } }, { file.block_types, file.groups }) end
      if file.strings then assert.same({ "unused", "" }, table.move(file.strings, 1, 2, 1, {})) end
      if file.bs_version then assert.equal("me\0", file.author) end
    end
  end)

  it("is made by chance of every type", function()
    for _, game in ipairs(sample.game_names) do
      local opts = sample.random_file(schema.blocks, sample.setting(game), sample.rng(game))
      local file = reader.read((sample.build(opts)))
      if file.block_sizes then
        assert.equal(257, #file.blocks)
        for i, block in ipairs(file.blocks) do
          assert.is_nil(block.err)
          same({ opts.blocks[i].type, opts.blocks[i].values, opts.blocks[i].refs },
            { block.type, block.values, block.refs })
        end
      end
    end
  end)

  it("says where each number of the header is", function()
    local bytes, info = sample.build { game = "fo4", strings = { "a" }, groups = { 7 },
      blocks = { { type = "NiNode", name = "a" }, { type = "NiNode" } } }
    local function u32(name) return (string.unpack("<I4", bytes, info.at[name] + 1)) end
    assert.same({ 0x14020007, 12, 2, 130, 1, 1, 1, 7, 1, 0 }, { u32 "version", u32 "user_version", u32 "num_blocks",
      u32 "bs_version", u32 "num_strings", u32 "max_string_length", u32 "num_groups", u32 "groups", u32 "num_roots",
      u32 "roots" })
    assert.same({ 1, info.blocks[1].size, 1, 0 }, { bytes:byte(info.at.endian + 1), u32 "block_sizes",
      (string.unpack("<I2", bytes, info.at.num_block_types + 1)), (string.unpack("<I2", bytes, info.at.type_index + 1)) })
  end)
end)

describe("a fault of a NIF file", function()
  local function found(opts)
    opts.game = opts.game or "sse"
    opts.blocks = opts.blocks or { { type = "NiNode", name = "a" }, { type = "NiNode", name = "b" } }
    local ok, file = pcall(reader.read, (sample.build(opts)))
    return ok and file, not ok and file
  end

  it("in the header is refused with an offset", function()
    for _, case in ipairs {
      { { endian = 0 }, "at 0x2c: numbers with the high byte first are not described" },
      { { num_blocks = 0x7FFFFFFF }, "at 0x4a: type numbers: 2147483647 of 2 bytes needed of 202" },
      { { num_strings = 0xFFFFFFFF }, "at 0x5e: 4294967295 strings in 182 bytes" },
      { { num_groups = 0xFFFFFFFF }, "at 0x6c: groups: 4294967295 of 4 bytes needed of 168" },
      { { num_block_types = 0xFFFF }, "at 0x40: 65535 block types in 212 bytes" },
      { { num_roots = 99 }, "at 0x110: roots: 99 of 4 bytes needed of 4" },
      { { type_index = { 0, 1 } }, "block 1: no type 1" },
      { { sizes = { 80, 9999 } }, "at 0xbc: block 1: 9999 bytes needed of 88" },
      { { cut = 0x44 }, "at 0x44: block types: 6 bytes needed of 0" },
    } do
      local file, err = found(case[1])
      assert.is_false(file)
      assert.equal(case[2], err)
    end
  end)

  it("in a block stays there", function()
    local file = found { sizes = { 84, 76 } }
    assert.equal("at 0x6c: 80 bytes read of 84", file.blocks[1].err)
    assert.equal("at 0xc8 in NiNode.extra_data_list: 4294967295 elements in 68 bytes", file.blocks[2].err)
    assert.same({ 0 }, file.roots)
  end)

  it("of a count is planted by a patch", function()
    local blocks = { { type = "NiNode" }, { type = "BSXFlags" } }
    local _, info = sample.build { game = "sse", blocks = blocks }
    local file = found { blocks = blocks, patches = { { info.blocks[1].at + 72, "\xFF\xFF\xFF\x7F" } } }
    assert.equal(("at 0x%x in NiNode.children: 2147483647 elements in 4 bytes"):format(info.blocks[1].at + 76),
      file.blocks[1].err)
    assert.is_nil(file.blocks[2].err)
  end)

  it("of a reference or a text is kept", function()
    local file = found { blocks = { { type = "NiNode", name = 77, children = { 5, -2 }, controller = 2147483647 } } }
    local block = file.blocks[1]
    assert.same({ nil, 77, { 5, -2 } }, { block.err, block.values.name, block.values.children })
    assert.same({ { 2147483647, "ref" }, { -1, "ref" }, { 5, "ref" }, { -2, "ref" } }, block.refs)
    assert.same({ 77 }, block.string_refs)
  end)

  it("stops the walk of a file without sizes", function()
    local file = found { game = "oblivion", blocks = { { type = "NiNode" }, { type = "NiUnheardOf", bytes = "?" } } }
    assert.same({ 1, "NiUnheardOf", "not described: NiUnheardOf" }, { file.stopped.index, file.stopped.type,
      file.stopped.err })
    assert.is_nil(file.footer_offset)
  end)

  it("may be a type that is not described", function()
    local file = found { blocks = { { type = "NiUnheardOf", bytes = "?" }, { type = "NiNode" } } }
    assert.same({ "not described: NiUnheardOf", 1, 80 }, { file.blocks[1].err, file.blocks[1].size,
      file.blocks[2].consumed })
  end)

  it("may be a flag of another byte", function()
    local file = found { true_byte = 2, blocks = { { type = "BSConnectPoint::Children", skinned = true } } }
    assert.is_true(file.blocks[1].values.skinned)
    assert.equal(2, file.bytes:byte(file.blocks[1].at + 5))
  end)
end)
