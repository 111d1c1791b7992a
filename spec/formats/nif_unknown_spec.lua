-- References to blocks that cannot be located, as one in front of them is not described: they are numbers, and
-- everything that walks a file gets past them.

local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_nif"

local NOT_KNOWN = "blocks[1].children at 0xb1: blocks[3] is not known, as one in front of it is not (NiNode)"

-- Blocks of this version have no sizes: behind the one that is not described none is known.
local bytes = sample.build { game = "oblivion", blocks = {
  { type = "NiNode", name = "x", children = { 1, 2, -1 } }, { type = "NiNode", name = "y" },
  { type = "NiNobody", bytes = "z" }, { type = "NiNode", name = "behind" },
} }

local function open(opts)
  return assert(lathe.parse(bytes, opts or { format = "nif" }))
end

describe("a reference to a block that is not known", function()
  it("is its number", function()
    local doc = open()
    assert.equal(2, #doc.blocks)
    local children = doc.blocks[1].children
    assert.equal(doc.blocks[2], children[1])
    assert.equal(2, children[2])
    assert.is_false(children[3])
    assert.same({ 1, 2, -1 }, children:totable())
    assert.equal(2, doc:get "blocks[1].children[2]")
  end)

  it("can be set, and other references to it", function()
    local doc = open()
    local children = doc.blocks[1].children
    children[2] = 3
    assert.equal(3, children[2])
    children[3] = 2
    assert.equal(2, children[3])
    doc.blocks[2].children:append(3)
    assert.equal(3, doc.blocks[2].children[1])
    children[2], children[3] = 2, false
    doc.blocks[2].children:remove(1)
    assert.equal(bytes, doc:encode())
  end)

  it("stops no walker", function()
    local doc, other = open(), open()
    local names = {}
    for name in pairs(doc.blocks[1]) do names[name] = true end
    assert.is_true(names.children)
    assert.matches("children +-> blocks%[2%]  2  null\n", lathe.tree.dump(doc, { offsets = false }))
    assert.matches('"children":[1,2,null]', lathe.tree.to_json(doc), 1, true)
    assert.same({}, lathe.tree.diff(doc, other))
    other.blocks[1].children[2] = 3
    local changes = lathe.tree.diff(doc, other)
    assert.equal(1, #changes)
    assert.equal("blocks[1].children[2]: 2 -> 3", lathe.tree.diff_line(changes[1]))
    assert.equal("i32[3] blocks[1].children: NiNode 2 false", (tostring(doc.blocks[1].children)))
  end)

  it("is told by problem and check, as a warning", function()
    local doc = open()
    local problem = lathe.problem(doc.blocks[1])
    assert.equal(NOT_KNOWN, tostring(problem))
    assert.equal("unsupported", problem.code)
    assert.equal(NOT_KNOWN, tostring(lathe.problem(doc.blocks[1].children)))
    assert.is_nil(lathe.problem(doc.blocks[2]))
    assert.is_nil(lathe.problem(doc.blocks[2].children))
    local fine, list = doc:check()
    assert.is_true(fine)
    assert.equal("warning", list[1].level)
    assert.equal(NOT_KNOWN, tostring(list[1]))
    assert.equal(2, #list)                        -- and that what follows is not known
  end)

  it("past the last block is still an error", function()
    local doc = open()
    local children = doc.blocks[1].children
    children[2] = 4
    local read, err = pcall(function() return children[2] end)
    assert.is_false(read)
    assert.equal("blocks[1].children at 0xb1: blocks[5] of 4 (NiNode)", tostring(err))
    local fine, list = doc:check()
    assert.is_nil(fine)
    assert.equal("error", list[1].level)
    assert.equal("blocks[1].children at 0xb1: blocks[5] of 4 (NiNode)", tostring(list[1]))
  end)

  it("stops no dry run", function()
    local folder = helper.tmpdir()
    local path = helper.write(folder .. "/old.nif", bytes)
    local run = helper.lathe { "set", path, "blocks[2].flags=8", "--dry-run" }
    assert.same({ 0, "" }, { run.code, run.err })
    assert.equal(path .. ": would change (1 change)\n  blocks[2].flags: 0 -> 8\n", run.out)
    run = helper.lathe { "check", path, "--json" }
    assert.equal(0, run.code)
    assert.matches('"decoded":2,"undecoded":["blocks[3]","blocks[4]"]', run.out, 1, true)
  end)
end)

describe("files of Morrowind with particles", function()
  for _, name in ipairs { "mw_TestNifFile_Particles_MW.nif", "mw_TestNifFile_RotatingParticles_MW.nif" } do
    it("are shown as a whole: " .. name .. " #corpus", function()
      local path = helper.need_corpus("nif/" .. name, pending)
      local doc <close> = assert(lathe.open(path))
      for _, block in ipairs(doc.blocks) do
        for field in pairs(block) do assert.is_string(field) end
      end
      assert.is_string(lathe.tree.dump(doc))
      assert.is_string(lathe.tree.to_json(doc))
      local run = helper.lathe { "scale", "2", path, "--dry-run" }
      assert.same({ 0, "" }, { run.code, run.err })
    end)
  end
end)
