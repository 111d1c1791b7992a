-- Lines of large NIF files: many blocks, strings and vertices.

local growth = require "growth"
local large = require "sample_large"
local lathe = require "lathe"

local function pack_all(format, list) return string.pack(format:rep(#list), table.unpack(list)) end

-- Header, blocks and footer of Skyrim SE. types: names; indexes and blocks: lists.
local function file(types, indexes, blocks, strings)
  local out = { "Gamebryo File Format, Version 20.2.0.7\n", string.pack("<I4BI4I4I4s1s1s1", 0x14020007, 1, 12,
    #blocks, 100, "\0", "\0", "\0"), string.pack("<I2", #types) }
  for _, name in ipairs(types) do out[#out + 1] = string.pack("<s4", name) end
  for _, i in ipairs(indexes) do out[#out + 1] = string.pack("<I2", i) end
  for _, block in ipairs(blocks) do out[#out + 1] = string.pack("<I4", #block) end
  local longest = 0
  for _, text in ipairs(strings) do longest = math.max(longest, #text) end
  out[#out + 1] = string.pack("<I4I4", #strings, longest)
  for _, text in ipairs(strings) do out[#out + 1] = string.pack("<s4", text) end
  out[#out + 1] = string.pack("<I4", 0)
  out[#out + 1] = table.concat(blocks)
  out[#out + 1] = string.pack("<I4i4", 1, 0)
  return table.concat(out)
end

local function node(name, children)
  local head = string.pack("<i4I4i4I4fff", name, 0, -1, 14, 0, 0, 0) .. pack_all("<f", { 1, 0, 0, 0, 1, 0, 0, 0, 1, 1 })
  local kids = { string.pack("<i4I4", -1, #children) }
  for i, child in ipairs(children) do kids[i + 1] = string.pack("<i4", child) end
  return head .. table.concat(kids) .. string.pack("<I4", 0)
end

-- A root with n nodes, all with names of their own.
local function nodes(n)
  local blocks, indexes, strings, children = {}, {}, {}, {}
  for i = 1, n do
    blocks[i + 1], indexes[i + 1], strings[i + 1] = node(i, {}), 0, "Node " .. i
    children[i] = i
  end
  blocks[1], indexes[1], strings[1] = node(0, children), 0, "Root"
  return file({ "NiNode" }, indexes, blocks, strings)
end

-- One node among n strings.
local function strings(n)
  local list = {}
  for i = 1, n do list[i] = "String " .. i end
  return file({ "NiNode" }, { 0 }, { node(0, {}) }, list)
end

local function opener(key, make, options)
  options = options or {}
  options.format = "nif"
  return function(n) return assert(lathe.parse(growth.bytes(key, n, make), options)) end
end
local open_nodes, open_strings, open_mesh = opener("nodes", nodes), opener("strings", strings), opener("mesh", large.shape)

local FEW = 64 -- how many are changed alone

return {
  {
    name = "nif: a field, once for each of n strings",
    covers = { "lathe_view_set" },
    make = open_strings,
    run = function(doc, n)
      local block = doc.blocks[1]
      for i = 1, n do block.flags = i end
    end,
    check = function(_, doc, n) assert(doc.blocks[1].flags == n and #doc.strings == n) end,
  },
  {
    name = "nif: each position, outside an edit",
    covers = { "lathe_view_set" },
    make = open_mesh,
    run = function(doc, n)
      local vertices = doc.blocks[2].vertices
      for i = 1, n do vertices[i].position.x = 50 end
    end,
    check = function(_, doc) assert(doc.blocks[2].bounds.center.x == 50) end,
  },
  {
    name = "nif: each position, in an edit",
    covers = { "lathe_edit_begin" },
    make = open_mesh,
    run = function(doc, n)
      local vertices = doc.blocks[2].vertices
      doc:edit(function() for i = 1, n do vertices[i].position.x = 50 end end)
    end,
    check = function(_, doc) assert(doc.blocks[2].bounds.center.x == 50) end,
  },
  {
    name = "nif: lathe.new of n blocks with names",
    covers = { "lathe_doc_new" },
    make = large.node_fields,
    run = function(fields) return assert(lathe.new("nif", fields)) end,
    check = function(doc, _, n)
      assert(#doc.blocks == n + 1 and #doc.strings == n + 1 and doc.blocks[n + 1].name == "Node " .. n)
      doc:close()
    end,
  },
  {
    name = "nif: parse, list of blocks",
    covers = { "lathe_doc_parse" },
    make = function(n) return growth.bytes("nodes", n, nodes) end,
    run = function(bytes) return assert(lathe.parse(bytes, { format = "nif" })) end,
    check = function(doc, _, n) assert(#doc.blocks == n + 1) end,
  },
  {
    name = "nif: a field of each block",
    covers = { "lathe_view_get" },
    make = open_nodes,
    run = function(doc)
      local sum = 0
      for _, block in ipairs(doc.blocks) do sum = sum + block.flags end
      return sum
    end,
    check = function(sum, _, n) assert(sum == 14 * (n + 1)) end,
  },
  {
    name = "nif: a new name for each block, in an edit",
    covers = { "lathe_view_set" },
    make = open_nodes,
    run = function(doc, n)
      doc:edit(function() for i = 2, n + 1 do doc.blocks[i].name = "Other " .. i end end)
    end,
    check = function(_, doc, n) assert(doc.blocks[n + 1].name == "Other " .. n + 1 and #doc.strings == 2 * n + 1) end,
  },
  {
    name = "nif: a new name for 64 blocks, an edit each",
    covers = { "lathe_view_set" },
    make = open_nodes,
    run = function(doc) for i = 2, FEW do doc.blocks[i].name = "Other " .. i end end,
    check = function(_, doc, n) assert(doc.blocks[FEW].name == "Other " .. FEW and #doc.strings == n + FEW) end,
  },
  {
    name = "nif: a field of each block by its name, an edit each",
    covers = { "nif:block" },
    make = open_nodes,
    run = function(doc, n) for i = 1, n do doc:block("Node " .. i).flags = i end end,
    check = function(_, doc, n) assert(doc.blocks[n + 1].flags == n) end,
  },
  {
    name = "nif: another name for 64 blocks by their names",
    covers = { "nif:block" },
    make = open_nodes,
    run = function(doc) for i = 1, FEW do doc:block("Node " .. i).name = "Other " .. i end end,
    check = function(_, doc) assert(doc.blocks[FEW + 1].name == "Other " .. FEW) end,
  },
  {
    name = "nif: append 64 blocks, an edit each",
    covers = { "append" },
    make = open_nodes,
    run = function(doc) for _ = 1, FEW do doc.blocks:append { type = "NiNode" } end end,
    check = function(_, doc, n) assert(#doc.blocks == n + 1 + FEW and #doc.block_sizes == n + 1 + FEW) end,
  },
  {
    name = "nif: append n blocks, in an edit",
    open = "bytes of the header are moved",
    covers = { "append" },
    make = open_nodes,
    run = function(doc, n)
      doc:edit(function() for _ = 1, n do doc.blocks:append { type = "NiNode" } end end)
    end,
    check = function(_, doc, n) assert(#doc.blocks == 2 * n + 1) end,
  },
  {
    name = "nif: insert 16 blocks in the middle, an edit each",
    covers = { "insert" },
    make = open_nodes,
    run = function(doc, n) for _ = 1, 16 do doc.blocks:insert(n // 2, { type = "NiNode" }) end end,
    check = function(_, doc, n) assert(lathe.raw(doc.blocks[1].children, n) == n + 16) end,
  },
  {
    name = "nif: insert n/8 blocks in the middle, in an edit",
    open = "each looks at all blocks",
    covers = { "insert" },
    sizes = { 1000, 4000, 16000, 56000 },
    make = open_nodes,
    run = function(doc, n)
      doc:edit(function() for _ = 1, n // 8 do doc.blocks:insert(n // 2, { type = "NiNode" }) end end)
    end,
    check = function(_, doc, n) assert(lathe.raw(doc.blocks[1].children, n) == n + n // 8) end,
  },
  {
    name = "nif: remove 16 blocks in the middle, an edit each",
    covers = { "remove" },
    make = open_nodes,
    run = function(doc, n) for _ = 1, 16 do doc.blocks:remove(n // 2) end end,
    check = function(_, doc, n) assert(lathe.raw(doc.blocks[1].children, n) == n - 16) end,
  },
  {
    name = "nif: remove n/8 blocks in the middle, in an edit",
    open = "each looks at all blocks",
    covers = { "remove" },
    make = open_nodes,
    run = function(doc, n) doc:edit(function() for _ = 1, n // 8 do doc.blocks:remove(n // 2) end end) end,
    check = function(_, doc, n) assert(lathe.raw(doc.blocks[1].children, n) == n - n // 8) end,
  },
  {
    name = "nif: move 16 blocks to the front, an edit each",
    covers = { "move" },
    make = open_nodes,
    run = function(doc, n) for _ = 1, 16 do doc.blocks:move(n, 2) end end,
    check = function(_, doc, n) assert(lathe.raw(doc.blocks[1].children, 1) == 17 and #doc.blocks == n + 1) end,
  },
  {
    name = "nif: move n/8 blocks to the front, in an edit",
    open = "each looks at all blocks",
    covers = { "move" },
    make = open_nodes,
    run = function(doc, n) doc:edit(function() for _ = 1, n // 8 do doc.blocks:move(n, 2) end end) end,
    check = function(_, doc, n) assert(lathe.raw(doc.blocks[1].children, 1) == n // 8 + 1) end,
  },
}
