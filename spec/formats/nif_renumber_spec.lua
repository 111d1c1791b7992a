-- Numbers of blocks follow blocks that come, go and move: those in arrays, which change as one, and those alone.

local damaged_import = require "damaged_import"
local lathe = require "lathe"
local sample_nif = require "sample_nif"

local NONE, HELD = 0xFFFFFFFF, 0xFFFFFFFE
local BLOCKS = 9

local random

local function number()
  return ({ NONE, HELD, 0xFFFFFFF0, BLOCKS + 3, random(BLOCKS) - 1, random(BLOCKS) - 1, random(BLOCKS) - 1 })[random(7)]
end

local function signed(n) return n < 1 << 31 and n or n - (1 << 32) end

local function make()
  local blocks = {}
  for i = 1, BLOCKS do
    local children = {}
    for k = 1, random(12) do children[k] = signed(number()) end
    blocks[i] = { type = "NiNode", name = "Node", children = children, collision_object = signed(number()) }
  end
  blocks[BLOCKS] = { type = "NiNode", name = "Last" }
  return sample_nif.build { game = "sse", blocks = blocks }
end

-- Of each block its numbers, as they are stored.
local function numbers(doc)
  local out = {}
  for i, block in ipairs(doc.blocks) do
    local row = { lathe.raw(block, "collision_object") & 0xFFFFFFFF }
    for k = 1, #block.children do row[k + 1] = lathe.raw(block.children, k) & 0xFFFFFFFF end
    out[i] = row
  end
  out.roots = {}
  for k = 1, #doc.footer.roots do out.roots[k] = lathe.raw(doc.footer.roots, k) & 0xFFFFFFFF end
  return out
end

-- at, to: from 1, as in Lua.
local function inserted(at) return function(n) return n >= at - 1 and n < NONE - 1 and n + 1 or n end end
local function removed(at)
  return function(n) return n == at - 1 and NONE or n > at - 1 and n < NONE and n - 1 or n end
end
local function moved(at, to)
  return function(n)
    if n == at - 1 then return to - 1 end
    if at < to and n > at - 1 and n <= to - 1 then return n - 1 end
    return to < at and n >= to - 1 and n < at - 1 and n + 1 or n
  end
end

local function map(rows, by)
  for _, row in ipairs(rows) do
    for k, n in ipairs(row) do row[k] = by(n) end
  end
  for k, n in ipairs(rows.roots) do rows.roots[k] = by(n) end
end

-- What is done, and what should come of the numbers.
local ACTS = {
  function(doc, want)
    local at = random(#doc.blocks + 1)
    if at <= #doc.blocks then map(want, inserted(at)) end
    doc.blocks:insert(at, { type = "NiNode" })
    table.insert(want, at, { NONE })
  end,
  function(doc, want)
    local at = random(#doc.blocks)
    if #doc.blocks == 1 then return end
    map(want, removed(at))
    doc.blocks:remove(at)
    table.remove(want, at)
  end,
  function(doc, want)
    local at, to = random(#doc.blocks), random(#doc.blocks)
    map(want, moved(at, to))
    doc.blocks:move(at, to)
    table.insert(want, to, table.remove(want, at))
  end,
}

-- A document, its numbers and its bytes.
local function start(seed)
  random = damaged_import.random(seed)
  local bytes = make()
  local doc = assert(lathe.parse(bytes, { format = "nif", history = 100 }))
  return doc, numbers(doc), bytes
end

describe("numbers of blocks", function()
  it("follow, whatever they are, and go back", function()
    for seed = 1, 60 do
      local doc <close>, want = start(seed)
      local steps = {}
      for step = 1, 20 do
        steps[step] = doc:encode()
        ACTS[random(#ACTS)](doc, want)
        assert.same(want, numbers(doc))
        local fresh <close> = assert(lathe.parse(doc:encode(), { format = "nif" }))
        assert.same(want, numbers(fresh))
      end
      local last = doc:encode()
      for step = 20, 1, -1 do
        while doc:encode() ~= steps[step] do assert.is_true(doc:undo()) end -- a change may show in no byte
      end
      while doc:redo() do end
      assert.is_true(doc:encode() == last)
      assert.same(want, numbers(doc))
    end
  end)

  it("follow several changes of one edit, and go back with it", function()
    for seed = 61, 120 do
      local doc <close>, want, bytes = start(seed)
      doc:edit(function()
        for _ = 1, 12 do
          ACTS[random(#ACTS)](doc, want)
          if random(3) == 1 then assert.same(want, numbers(doc)) end
        end
      end)
      assert.same(want, numbers(doc))
      doc:undo()
      assert.is_true(doc:encode() == bytes)
    end
  end)
end)
