-- block.system: the packfile inside of a block, as a document of its own. Edits flow back into the block, its size
-- and the header; what does not open is kept.

local helper = require "helper"
local lathe = require "lathe"
local sample_hkx = require "sample_hkx"
local sample_nif = require "sample_nif"

local SYSTEMS = { bhkPhysicsSystem = true, bhkRagdollSystem = true, BSClothExtraData = true }

local bones = { "Root", "COM", "Pelvis" }
local packfile = sample_hkx.skeleton { game = "fallout4", embedded = true, bones = bones }
local other = sample_hkx.skeleton { game = "fallout4", embedded = true, bones = { "A", "B" } }

local function blob(bytes) return ("<I4"):pack(#bytes) .. bytes end

local function open(first)
  local bytes = sample_nif.build { game = "fo4", blocks = {
    { type = "bhkRagdollSystem", bytes = blob(first or packfile) }, { type = "NiNode" },
    { type = "bhkPhysicsSystem", bytes = blob(other) },
  } }
  return assert(lathe.parse(bytes, { history = 20 })), bytes
end

local function skeleton_of(system)
  for _, object in ipairs(system.objects) do
    if lathe.type(object) == "hkaSkeleton" then return object end
  end
end

-- The file is what it says: read anew, each system is what its own writer makes of it.
local function judge(doc)
  local again <close> = assert(lathe.parse(doc:encode()))
  for i, block in ipairs(again.blocks) do
    if SYSTEMS[block.type] and block.size > 0 then
      assert.is_true(lathe.bytes(block.system) == block.system:serialize())
      assert.equal(doc.blocks[i].size, block.size)
      assert.equal(block.size + 4, again.block_sizes[i])
    end
  end
  assert.is_true(again:check())
end

describe("block.system", function()
  it("is the packfile in the block", function()
    local doc <close>, bytes = open()
    local system = doc.blocks[1].system
    assert.equal(packfile, lathe.bytes(system))
    assert.equal(#packfile, doc.blocks[1].size)
    assert.equal("Pelvis", skeleton_of(system).bones[3].name)
    assert.matches("^blocks%[1%]%.system%.objects%[%d+%]%.bones%[3%]$", lathe.path(skeleton_of(system).bones[3]))
    assert.equal(packfile, system:serialize())
    assert.is_true(bytes == doc:encode())
    assert.is_false(doc.modified)
    local again <close> = assert(lathe.new("nif", doc:totable()))
    assert.is_true(bytes == again:encode())
  end)

  it("flows back into block and header", function()
    local doc <close>, bytes = open()
    local block = doc.blocks[1]
    skeleton_of(block.system).bones[2].name = ("long"):rep(30)
    judge(doc)
    skeleton_of(doc.blocks[3].system).bones[1].name = "C"
    judge(doc)
    assert.equal(("long"):rep(30), skeleton_of(block.system).bones[2].name)
    doc:undo(2)
    assert.is_true(bytes == doc:encode())
    doc:redo(2)
    judge(doc)
  end)

  it("is replaced by another one, its bytes or a table", function()
    local doc <close>, bytes = open()
    local system = doc.blocks[3].system
    for _, value in ipairs { system, other, system:totable(), { bytes = other } } do
      doc.blocks[1].system = value
      assert.equal(other, lathe.bytes(doc.blocks[1].system))
      judge(doc)
      doc:undo()
      assert.is_true(bytes == doc:encode())
    end
    doc.blocks:append { type = "bhkPhysicsSystem", system = system }
    doc.blocks:append(doc.blocks[1])
    doc.blocks[2] = doc.blocks[3]
    assert.equal(other, lathe.bytes(doc.blocks[2].system))
    assert.equal(packfile, lathe.bytes(doc.blocks[5].system))
    judge(doc)
    doc:undo(3)
    assert.is_true(bytes == doc:encode())
  end)

  it("is kept where it is none, and told", function()
    local doc <close>, bytes = open("no packfile at all, but bytes enough for a header: " .. ("x"):rep(64))
    local system = doc.blocks[1].system
    assert.is_nil(system.objects)
    assert.matches("blocks%[1%]%.system at 0x%x+: not a Havok packfile$", tostring(lathe.problem(system)))
    assert.equal((lathe.span(system)), lathe.problem(system).offset)
    assert.is_true(bytes == doc:encode())
    assert.is_true(bytes == assert(lathe.new("nif", doc:totable())):encode())
    local ok, list = doc:check()
    assert.is_nil(ok)
    assert.equal("blocks[1].system", list[1].where)
    doc.blocks[1].system = packfile
    judge(doc)
  end)

  it("may be of a kind that is not read, which is no fault of the file", function()
    local doc <close> = open("\0\0\1\0TAG0\0\0\0\16SDKV20150100" .. ("\0"):rep(64))
    local ok, list = doc:check()
    assert.is_true(ok)
    assert.same({ "warning", "blocks[1].system" }, { list[1].level, list[1].where })
    assert.matches("a Havok tagfile %(TAG0%), not a packfile", list[1].message)
  end)

  it("refuses what is none", function()
    local doc <close>, bytes = open()
    for _, wrong in ipairs { 5, true, doc.blocks[2], { objects = { { class = "nobody" } } } } do
      assert.has_error(function() doc.blocks[1].system = wrong end)
    end
    assert.has_error(function() doc.blocks[1].size = 5 end)
    assert.is_true(bytes == doc:encode())
  end)

  it("is opened cut off at every 16 bytes", function()
    local doc <close> = open()
    for n = 0, #packfile - 1, 16 do
      doc.blocks[1].system = packfile:sub(1, n)
      assert.is_nil(doc.blocks[1].system.objects)
      assert.equal(n, doc.blocks[1].size)
    end
  end)

  it("is as its own writer makes it, in every file #corpus", function()
    local folder = helper.need_corpus("nif-fo4-collision", pending)
    local systems = 0
    for _, name in ipairs(helper.list(folder, "%.nif$")) do
      local bytes = helper.read(folder .. "/" .. name)
      local doc <close> = assert(lathe.parse(bytes))
      for _, block in ipairs(doc.blocks) do
        if SYSTEMS[block.type] then
          systems = systems + 1
          assert.is_true(lathe.bytes(block):sub(5) == block.system:serialize(), name)
        end
      end
      assert.is_true(bytes == doc:encode(), name)
    end
    assert.equal(44, systems)
  end)
end)
