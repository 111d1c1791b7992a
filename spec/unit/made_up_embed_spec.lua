-- Documents inside of others that are opened when they are touched: read, edited, set, undone, and kept where they do not
-- open.

local lathe = require "lathe"

local PACK = { sections = { { values = { 1, 2, 3 }, text = "a" }, { text = "bb" } } }

local function new(version)
  return assert(lathe.new("blocks", { version = version, blocks = {
    { type = "box", letter = "a", held = PACK }, { type = "solid", letter = "b" },
    { type = "box", held = { bytes = "no pack" } }, { type = "box" },
  }, tail = "tail" }, { history = 50 }))
end

-- What a change makes is what is read back, and is undone and done again.
local function changes(doc, change)
  local before = doc:encode()
  change()
  local after = doc:encode()
  local again <close> = assert(lathe.parse(after))
  assert.same(doc:totable(), again:totable())
  assert.equal(after, assert(lathe.new("blocks", again:totable())):encode())
  doc:undo()
  assert.equal(before, doc:encode())
  doc:redo()
  assert.equal(after, doc:encode())
end

local pack_bytes = assert(lathe.new("pack", PACK)):encode()

for version = 1, 2 do
  describe("a document inside another, version " .. version, function()
    it("is its bytes, and has fields, paths and places", function()
      local doc <close> = new(version)
      local box = doc.blocks[1]
      assert.equal(pack_bytes, lathe.bytes(box.held))
      assert.equal(#pack_bytes, box.held_size)
      assert.equal("bb", box.held.sections[2].text)
      assert.equal("blocks[1].held.sections[2].text", lathe.path(box.held.sections[2], "text"))
      assert.equal("bb", doc:get "blocks[1].held.sections[2].text")
      local off, size = lathe.span(box.held)
      assert.equal(pack_bytes, doc:encode():sub(off + 1, off + size))
      assert.equal("blocks[1].held.sections[1].values", lathe.path(doc:at(
        (lathe.span(box.held.sections[1], "values")))):match("^[^%[]+%[1%]%.held%.sections%[1%]%.values"))
      assert.equal(doc:encode(), assert(lathe.new("blocks", doc:totable())):encode())
    end)

    it("grows, and the sizes around it follow", function()
      local doc <close> = new(version)
      local box, last = doc.blocks[1], doc.blocks[4]
      local size = box.held_size
      changes(doc, function() box.held.sections[2].text = "bbbb" end)
      assert.equal(size + 2, box.held_size)
      assert.equal("tail", doc.tail)
      changes(doc, function() box.held.sections[1].values:append(7) end)
      changes(doc, function() doc.blocks:remove(2) end)
      assert.equal(doc.blocks[3], last)
      assert.equal("bbbb", doc.blocks[1].held.sections[2].text)
    end)

    it("is replaced by another, its bytes or a table", function()
      local doc <close> = new(version)
      local from <close> = new(3 - version)
      from.blocks[1].held.sections[1].text = "from elsewhere"
      local pack = from.blocks[1].held
      for _, value in ipairs { pack, lathe.bytes(pack), pack:totable(), { bytes = lathe.bytes(pack) } } do
        for i = 1, 4, 3 do
          changes(doc, function() doc.blocks[i].held = value end)
          assert.equal("from elsewhere", doc.blocks[i].held.sections[1].text)
          assert.equal(#lathe.bytes(pack), doc.blocks[i].held_size)
          doc:undo()
        end
      end
      changes(doc, function() doc.blocks:append { type = "box", held = pack } end)
      assert.equal(lathe.bytes(pack), lathe.bytes(doc.blocks[5].held))
      changes(doc, function() doc.blocks:append(from.blocks[1]) end)
      assert.equal(lathe.bytes(from.blocks[1]), lathe.bytes(doc.blocks[6]))
      changes(doc, function() doc.blocks[1] = from.blocks[1] end)
      assert.equal(lathe.bytes(from.blocks[1]), lathe.bytes(doc.blocks[1]))
      changes(doc, function() doc.blocks[1].held = { sections = {} } end)
      assert.equal(0, #doc.blocks[1].held.sections)
    end)

    it("goes and comes back with its block", function()
      local doc <close> = new(version)
      local box, bytes = doc.blocks[1], doc:encode()
      box.held.sections[1].text = "changed"
      doc.blocks:remove(1)
      assert.has_error(function() return box.held end)
      doc:undo(2)
      assert.equal(bytes, doc:encode())
      assert.equal("a", box.held.sections[1].text)
      pcall(doc.edit, doc, function()
        box.held = doc.blocks[3].held
        doc.blocks[3].held = pack_bytes
        doc.blocks[3].held.sections[1].text = "in an edit that fails"
        error "no"
      end)
      assert.equal(bytes, doc:encode())
    end)

    it("stays as it is where it does not open", function()
      local doc <close> = new(version)
      local bytes, pack = doc:encode(), doc.blocks[3].held
      assert.equal("no pack", lathe.bytes(pack))
      assert.is_nil(pack.sections)
      assert.matches("^blocks%[3%]%.held", lathe.problem(pack).where)
      assert.is_true(lathe.span(pack) <= lathe.problem(pack).offset)
      assert.same({ bytes = "no pack" }, pack:totable())
      assert.is_nil((doc:check()))
      assert.equal(bytes, doc:encode())
      assert.equal("", lathe.bytes(doc.blocks[4].held))
      changes(doc, function() doc.blocks[1].held = pack end)
      assert.equal("no pack", lathe.bytes(doc.blocks[1].held))
      assert.has_error(function() doc.blocks[1].held = 5 end)
      assert.has_error(function() doc.blocks[1].held_size = 5 end)
    end)

    it("is opened at every length", function()
      local doc <close> = new(version)
      for n = 0, #pack_bytes do
        doc.blocks[3].held = pack_bytes:sub(1, n)
        assert.equal(n == #pack_bytes, doc.blocks[3].held.sections ~= nil)
        assert.equal(n, doc.blocks[3].held_size)
      end
      assert.equal("bb", doc.blocks[3].held.sections[2].text)
    end)
  end)
end

it("a size that lies leaves the block opaque", function()
  local doc <close> = new(2)
  local off = lathe.span(doc.blocks[1], "held_size")
  local bytes = doc:encode()
  local lying = bytes:sub(1, off) .. "\1\0" .. bytes:sub(off + 3)
  local again <close> = assert(lathe.parse(lying))
  assert.is_nil(again.blocks[1].held)
  assert.matches("1 bytes expected from the size field, %d+ left", tostring(lathe.problem(again.blocks[1])))
  assert.equal(lying, again:encode())
end)
