-- Bad NIF files: what opening refuses, what check() tells of those that open, and files cut short.

local damage = require "format_damage"
local hex = require "nif_hex"
local lathe = require "lathe"
local sample = require "sample_nif"

local function node(children)
  return { type = "NiNode", name = "x", children = children }
end

local _, info = sample.build { game = "sse", blocks = { node() } }

-- The error of opening, or the findings of check().
local CASES = {
  { "nothing wrong", {}, { node { 1 }, node() } },
  { "a reference out of range", {}, { node { 7 }, node() },
    "error blocks[1].children at 0xb3: blocks[8] of 2 (NiNode)" },
  { "blocks that refer to each other", {}, { node { 1 }, node { 0 } },
    "error blocks[2] at 0xbb: refers to blocks[1], which leads back to it" },
  { "a block that refers to itself", {}, { node { 0 } },
    "error blocks[1] at 0x61: refers to blocks[1], which leads back to it" },
  { "a reference that is negative", {}, { node { -2 }, node() },
    "error blocks[1].children at 0xb3: -2 is not the number of a block (NiNode)" },
  { "a type out of range", { type_index = { 0, 9 } }, { node(), node() },
    "error block_type_index[2] at 0x4c: block_types[10] of 1" },
  { "bytes behind the footer", { trailing = "1234" }, { node() }, "warning rest at 0xb9: 4 bytes behind the footer" },
  { "a count over its block", { patches = { { info.blocks[1].at + 4, "\255\0\0\0" } } }, { node() },
    "error blocks[1].extra_data_list at 0x69: 255 elements of at least 4 bytes do not fit into 72 bytes (NiNode)" },
  { "a block that is not described, in an old file", { game = "oblivion" }, { { type = "NiNobody", bytes = "x" } },
    "warning rest at 0x52: blocks[1] and what follows are not known: its type is not described, or it does not parse" },
  { "a reference to a block that nobody knows", { game = "oblivion" }, { node { 1 }, { type = "NiNobody", bytes = "x" } },
    "warning blocks[1].children at 0xad: blocks[2] is not known, as one in front of it is not (NiNode)\n"
      .. "warning rest at 0xb5: blocks[2] and what follows are not known: its type is not described, or it does not parse" },
  { "a string that nobody names", { strings = { "u" } }, { node() },
    "warning strings[1] at 0x58: no block names this string" },
  { "another longest string", { max_string_length = 77 }, { node() },
    "warning max_string_length at 0x54: 77 is stored, 1 would agree" },
  { "a root out of range", { roots = { 5 } }, { node() }, "error footer.roots at 0xb5: blocks[6] of 1" },
  { "a string out of range", { patches = { { info.blocks[1].at, "\9\0\0\0" } } }, { node() },
    "error blocks[1].name at 0x61: strings[10] of 1\nwarning strings[1] at 0x58: no block names this string" },
  { "a block that is larger than its content", { sizes = { 84 } }, { node(), node() },
    "error blocks[1] at 0xb7: 80 bytes of its 84 can be parsed (NiNode)\nerror blocks[2].extra_data_list at 0xc3: "
      .. "4294967295 elements of at least 4 bytes do not fit into 72 bytes (NiNode)" },
  { "a block that is larger than the file", { sizes = { 1 << 31 } }, { node(), node() },
    "blocks at 0x67: 2147483648 bytes needed for element 1, 168 left" },
  { "too many blocks", { num_blocks = 0x7FFFFFFF }, { node(), node() },
    "block_type_index at 0x4a: 2147483647 elements of at least 2 bytes do not fit into 197 bytes" },
  { "too many strings", { num_strings = 0x7FFFFFFF }, { node(), node() },
    "strings at 0x5e: 2147483647 elements of at least 4 bytes do not fit into 177 bytes" },
  { "too many types", { num_block_types = 9999 }, { node(), node() },
    "block_types at 0x40: 9999 elements of at least 4 bytes do not fit into 207 bytes" },
  { "too many roots", { num_roots = 99999 }, { node(), node() },
    "footer.roots at 0x10b: 99999 elements of at least 4 bytes do not fit into 4 bytes" },
  { "the other byte order", { endian = 0 }, { node() },
    "at 0x2b: big-endian (byte order 0), as on consoles: lathe reads little-endian files" },
}

describe("a bad NIF with", function()
  for _, case in ipairs(CASES) do
    it(case[1], function()
      case[2].game, case[2].blocks = case[2].game or "sse", case[3]
      local bytes = sample.build(case[2])
      local doc <close>, err = lathe.parse(bytes, { format = "nif" })
      if not doc then return assert.equal(case[4], tostring(err)) end
      local _, list = doc:check()
      local told = {}
      for i, finding in ipairs(list or {}) do told[i] = finding.level .. " " .. tostring(finding) end
      assert.equal(case[4] or "", table.concat(told, "\n"))
      assert.equal(bytes, doc:encode())
    end)
  end

  for _, name in ipairs { "sse", "fo4", "oblivion", "morrowind", "starfield" } do
    it("its end missing: " .. name, function() damage.prefixes("nif", hex[name]) end)
    it("bytes changed by chance: " .. name, function() damage.flips("nif", hex[name], 200, 20261) end)
  end
end)

-- What the header says of blocks when their types do not: kept, told, and part of a copy.
describe("a NIF whose numbers of types", function()
  local two = { node(), node() }
  local ODD = {
    { "are those of the types", {}, nil },
    { "lead nowhere", { type_index = { 0, 77 } }, "2=77", "?" },
    { "carry a mark", { type_index = { 0x8000, 0 } }, "1=32768", "NiNode" },
    { "lead to the second of two types of one name", { block_types = { "NiNode", "NiNode" }, type_index = { 0, 1 } },
      "2=1", "NiNode" },
    { "lead to a name with a NUL inside", { block_types = { "NiNode", "NiNode\0x" }, type_index = { 0, 1 } }, "2=1", "?" },
    { "lead to an empty name", { block_types = { "NiNode", "" }, type_index = { 0, 1 } }, nil, "" },
  }
  for _, case in ipairs(ODD) do
    it(case[1], function()
      case[2].game, case[2].blocks = "sse", two
      local bytes = sample.build(case[2])
      local doc <close> = assert(lathe.parse(bytes))
      assert.equal(case[3], doc.type_numbers)
      if case[4] then assert.equal(case[4], doc.blocks[case[3] and tonumber(case[3]:match("%d")) or 2].type) end
      local again <close> = assert(lathe.new("nif", doc:totable()))
      assert.equal(bytes, again:encode())
      local name = doc.blocks[1].name
      doc.blocks[1].name = "other"                  -- an edit elsewhere leaves them alone
      doc.blocks[1].name = name
      assert.equal(case[3], doc.type_numbers)
    end)
  end

  it("are set to what they say already, and to nothing that makes another block", function()
    local doc <close> = assert(lathe.parse(sample.build { game = "sse", blocks = two }))
    doc.type_numbers = "1=0 2=32768"
    assert.equal("2=32768", doc.type_numbers)
    local before = doc:encode()
    for text, why in pairs {
      ["2=77"] = "block_type_index at 0x4a: number 77 is no type of blocks[2]",
      ["3=0"] = "type_numbers at 0x0: block=number expected, with a blank between such",
      ["0=0"] = "type_numbers at 0x0: block=number expected, with a blank between such",
      ["1=65536"] = "type_numbers at 0x0: block=number expected, with a blank between such",
      ["1=0,2=0"] = "type_numbers at 0x0: block=number expected, with a blank between such",
    } do
      local ok, err = pcall(function() doc.type_numbers = text end)
      assert.is_false(ok)
      assert.matches(why, tostring(err), 1, true)
      assert.equal(before, doc:encode())
    end
  end)

  it("follow a block that is told late what it is", function()
    for name, bytes in pairs(hex) do
      local doc <close> = assert(lathe.parse(bytes))
      local ok, why = pcall(doc.blocks.insert, doc.blocks, 1)
      assert.is_false(ok)
      assert.matches("a block needs a type", tostring(why), 1, true)
      assert.equal(bytes, doc:encode())
      doc:edit(function()
        doc.blocks:insert(1)
        doc.blocks[1].type = "NiNode"
      end)
      local n = #doc.blocks
      local again <close> = assert(lathe.parse(doc:encode()))
      assert.same({ n, "NiNode" }, { #again.blocks, again.blocks[1].type }, name)
    end
  end)
end)

describe("what follows in a NIF", function()
  it("is not set by hand, and says what to do instead", function()
    local doc <close> = assert(lathe.parse(hex.sse))
    for field, why in pairs { num_blocks = "doc.blocks:insert and doc.blocks:remove change it",
      header_string = "what the blocks look like follows from it", block_type_index = "set the block's type",
      block_sizes = "the blocks have their own", num_strings = "resize strings instead" } do
      local ok, err = pcall(function() doc[field] = field == "header_string" and "x" or 3 end)
      assert.is_false(ok)
      assert.matches(field .. ": read-only: " .. why, tostring(err), 1, true)
    end
    assert.equal(hex.sse, doc:encode())
  end)
end)
