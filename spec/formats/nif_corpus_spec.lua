-- Every NIF of the corpus against the figures of an independent parser: headers, blocks and their references,
-- bytes kept and bytes made anew. #corpus: pending, loudly, where there is none.

local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"
local nif_schema = require "nif_schema"

-- What does not parse: the block's number, from 1, and why. Blocks behind an undescribed one of an old file are not
-- even known: how many are.
local PROBLEMS = {
  ["fo4_Corrupt.nif"] = { [6] = "blocks[6].extra_data_list at 0x7eb: 4294967295 elements of at least 4 bytes "
    .. "do not fit into 124 bytes (BSLightingShaderProperty)" },
}
-- References to such blocks.
local NOT_KNOWN = "at 0x%x: blocks[%d] is not known, as one in front of it is not (%s)"
PROBLEMS["mw_TestNifFile_Particles_MW.nif"] = {
  [10] = "blocks[10].controller " .. NOT_KNOWN:format(0x5fd, 11, "NiAutoNormalParticles") }
PROBLEMS["mw_TestNifFile_RotatingParticles_MW.nif"] = {
  [1] = "blocks[1].children " .. NOT_KNOWN:format(0xa6, 20, "NiNode"),
  [11] = "blocks[11].controller " .. NOT_KNOWN:format(0x398, 12, "NiRotatingParticles") }
local KNOWN = { ["mw_TestNifFile_Particles_MW.nif"] = 10, ["mw_TestNifFile_RotatingParticles_MW.nif"] = 11 }

local function numbered(first, last)
  local list = {}
  for i = first, last do list[#list + 1] = ("blocks[%d]"):format(i) end
  return list
end
local UNDECODED = { ["fo4_Corrupt.nif"] = numbered(6, 6), ["mw_TestNifFile_Particles_MW.nif"] = numbered(11, 18),
  ["mw_TestNifFile_RotatingParticles_MW.nif"] = numbered(12, 35) }

-- Every file of a folder: its document, figures, name and bytes.
local function each(pending, folder, run)
  local path = helper.need_corpus(folder, pending)
  for _, name in ipairs(helper.list(path, "%.nif$")) do
    local bytes = helper.read(path .. "/" .. name)
    local figures = assert(json.decode(helper.read(("%s/expected/%s.json"):format(path, name)), 1, json.null))
    local doc <close> = assert(lathe.open(path .. "/" .. name))
    run(doc, figures.header or figures, name, bytes, path, figures)
  end
end

local function from_hex(text)
  return (text:gsub("%x%x", function(digits) return string.char(tonumber(digits, 16)) end))
end

local EXPORTS = { author = "author", process = "process_script", export = "export_script", maxpath = "max_filepath" }

local function header(doc, want, name)
  assert.equal(want.header_string, doc.header_string, name)
  assert.equal(tonumber(want.version), doc.version, name)
  assert.equal(want.num_blocks, doc.num_blocks, name)
  assert.same({ want.user, want.bs }, { doc.user_version or 0, doc.bs_version or 0 }, name)
  for _, row in ipairs(want.exports) do
    if row[1] == "unknown" then
      assert.equal(row[2], doc.unknown_int, name)
    else
      assert.equal(from_hex(row[2]), doc[EXPORTS[row[1]]], name .. " " .. row[1])
    end
  end
  for field, figures in pairs { block_types = want.block_types, block_type_index = want.type_index,
    block_sizes = want.block_sizes, groups = want.groups } do
    if figures ~= json.null then assert.same(figures, doc[field] and doc[field]:totable() or {}, name) end
  end
  assert.same({ want.num_strings, want.max_string_length },
    { doc.strings and #doc.strings or 0, doc.max_string_length or 0 }, name)
  if not want.footer_offset then return end
  local roots = {}
  for i, number in ipairs(want.roots) do roots[i] = number >= 0 and doc.blocks[number + 1] or false end
  assert.same({ want.body_offset, want.footer_offset }, { (lathe.span(doc.blocks[1])), (lathe.span(doc.footer)) }, name)
  assert.equal(#roots, #doc.footer.roots, name)
  for i, root in ipairs(roots) do assert.equal(root, doc.footer.roots[i] or false, name) end
end

-- What a library that has nothing to do with ours lists: types of blocks, texts.
local function lists(doc, figures, name)
  if figures.nifly_rc ~= 0 then return false end
  local kinds = {}
  for i, block in ipairs(doc.blocks) do kinds[i] = block.type end
  assert.equal(#figures.blocks, doc.num_blocks, name)
  assert.same(table.move(figures.blocks, 1, #kinds, 1, {}), kinds, name)
  assert.same(figures.strings, doc.strings and doc.strings:totable() or {}, name)
  return true
end

local schema = nif_schema.load()
local holds = {}

-- Whether records of a type have references in them.
local function holds_refs(kind)
  local entry = schema.types[kind]
  if not entry or holds[kind] ~= nil then return holds[kind] or false end
  holds[kind] = false
  for _, field in ipairs(entry.all) do
    if field.type == "ref" or field.type == "ptr" or holds_refs(field.type) then holds[kind] = true end
  end
  return holds[kind]
end

-- The numbers in a record's references, in file order, as our tables tell them.
local function refs_of(view, kind, list)
  for _, field in ipairs(holds_refs(kind) and schema.types[kind].all or {}) do
    local how = (field.type == "ref" or field.type == "ptr") and field.type
    if how and not field.count then
      list[#list + 1] = lathe.raw(view, field.name) and { lathe.raw(view, field.name), how }
    elseif how or holds_refs(field.type) then
      local value = view[field.name]
      for i = 1, value and (field.count and #value or 1) or 0 do
        if how then
          list[#list + 1] = { lathe.raw(value, i), how }
        else
          refs_of(field.count and value[i] or value, field.type, list)
        end
      end
    end
  end
  return list
end

local members = 0

local FOLDERS = {
  { folder = "nif", files = 115, decoded = 6592, members = 549, kind = "nif" },
  { folder = "nif-fo4-collision", files = 40, decoded = 7460, members = 3642, kind = "nif collision" },
}

-- Also where some of its references lead to blocks that are not known.
local function parses(block)
  local problem = lathe.problem(block)
  return (not problem or problem.code == "unsupported") and lathe.type(block) ~= "block"
end

-- A block's place, bytes and number; and a member called data, which wins over what views have by that name.
local function place(block, i, doc, bytes, at)
  local off, size = lathe.span(block)
  assert.same({ at, i - 1 }, { off, lathe.index(block) })
  local sizes = doc.block_sizes
  if sizes then assert.equal(sizes[i], size) end
  assert.is_true(bytes:sub(off + 1, off + size) == lathe.bytes(block))
  local kind = schema.types[block.type]
  for _, field in ipairs(kind and parses(block) and kind.all or {}) do
    local number = field.name == "data" and field.type == "ref" and lathe.raw(block, "data")
    if number then
      if number < #doc.blocks then assert.equal(number, block.data and lathe.index(block.data) or -1) end
      members = members + 1
    elseif field.name == "data" and field.count and block.data ~= nil then
      assert.equal(lathe.bytes(block):sub(-#block.data), block.data)
      members = members + 1
    end
  end
  return off + size
end

for _, case in ipairs(FOLDERS) do
  describe("the corpus of " .. case.folder .. " #corpus", function()
    it("is kept to the byte, and built anew from its tables", function()
      local files = 0
      each(pending, case.folder, function(doc, _, name, bytes)
        assert.equal("nif", doc.format)
        assert.is_true(bytes == doc:encode(), name)
        local again <close> = assert(lathe.new("nif", doc:totable()))
        assert.is_true(bytes == again:encode(), name .. " from its table")
        assert.is_true(bytes == doc:encode(), name .. " after being read")
        assert.is_false(doc.modified)
        files = files + 1
        helper.count(case.kind, name)
      end)
      assert.equal(case.files, files)
    end)

    it("has all blocks read", function()
      local decoded = 0
      members = 0
      each(pending, case.folder, function(doc, want, name, bytes, path)
        local at = doc.blocks[1] and lathe.span(doc.blocks[1])
        for i, block in ipairs(doc.blocks) do
          at = place(block, i, doc, bytes, at)
          local kind = want.type_index and want.type_index[i]
          if kind then assert.equal(want.block_types[(kind & 0x7FFF) + 1], block.type, name) end
          local problem = lathe.problem(block)
          local why = PROBLEMS[name] and PROBLEMS[name][i]
          assert.equal(why and ("%s/%s: %s"):format(path, name, why), problem and tostring(problem), name)
          if parses(block) then decoded = decoded + 1 end
        end
        assert.equal(KNOWN[name] or doc.num_blocks, #doc.blocks, name)
      end)
      assert.same({ case.decoded, case.members }, { decoded, members })
    end)

    it("has its blocks counted by the tool", function()
      local path = helper.need_corpus(case.folder, pending)
      local result = helper.lathe { "check", "--json", path }
      local decoded, files = 0, 0
      for line in result.out:gmatch "[^\n]+" do
        local file = assert(json.decode(line))
        local name = file.file:match "[^/]*$"
        decoded, files = decoded + file.decoded, files + 1
        assert.same(UNDECODED[name] or {}, file.undecoded, name)
      end
      assert.same({ case.decoded, case.files }, { decoded, files })
    end)
  end)
end

describe("the corpus of nif #corpus", function()
  it("has the headers that others see", function()
    each(pending, "nif", header)
  end)

  it("has the blocks and texts that a library lists", function()
    local listed = 0
    each(pending, "nif", function(doc, _, name, _, _, figures)
      if lists(doc, figures, name) then listed = listed + 1 end
    end)
    assert.equal(113, listed)
  end)

  it("has the references that others see, in every block", function()
    local blocks = 0
    each(pending, "nif", function(doc, want, name)
      for i, wanted in ipairs(want.block_refs ~= json.null and want.block_refs or {}) do
        local block = doc.blocks[i]
        if wanted ~= json.null and block and not lathe.problem(block) then
          assert.same(wanted, refs_of(block, block.type, {}), ("%s block %d (%s)"):format(name, i, block.type))
          blocks = blocks + 1
        end
      end
    end)
    assert.is_true(blocks > 6000, blocks .. " blocks")
  end)
end)

describe("the corpus of nif-fo4-collision #corpus", function()
  it("has the collision objects and systems that others see", function()
    each(pending, "nif-fo4-collision", function(doc, want, name)
      assert.equal(want.numBlocks, doc.num_blocks, name)
      for _, object in ipairs(want.collisionObjects) do
        local block = doc.blocks[object.block + 1]
        assert.equal("bhkNPCollisionObject", block.type, name)
        assert.equal(doc.blocks[object.target + 1], block.target, name)
        assert.equal(doc.blocks[object.system + 1], block.data, name)
        assert.same({ object.flags, object.bodyID }, { lathe.raw(block, "flags"), block.body_id }, name)
      end
      for number, system in pairs(want.systems) do
        local block = doc.blocks[tonumber(number) + 1]
        assert.same({ system.block, system.size }, { block.type, #lathe.bytes(block.system) }, name)
      end
    end)
  end)
end)
