-- Packfiles that Havok would not write, edited in place: what can be done leaves all else as it was, what cannot is
-- refused by name.

local edits = require "hkx_edits"
local lathe = require "lathe"
local reader = require "hkx_reader"
local sample = require "sample_hkx"

local same_bytes, open = edits.same_bytes, edits.open

local ANEW = ": serialize() the document first, which separates them"

-- ---- skeletons put together by hand ---------------------------------------------------------------

-- Offsets of hkaSkeleton with 4-byte pointers, hk_2010.2 (formats/hkx-animation.md#2).
local AT = { name = 0x08, parent_indices = 0x0C, bones = 0x18, reference_pose = 0x24, reference_floats = 0x30,
  float_slots = 0x3C, local_frames = 0x48 }

-- A packfile around a skeleton: counts by member, data = bytes behind the struct of 0x60, and its fixups. Behind it
-- comes an object that points back, and one of an unknown class.
local function odd(counts, data, locals, globals)
  local struct = ("\0"):rep(0x60)
  for name, at in pairs(AT) do
    if name ~= "name" then
      local n = counts[name] or 0
      struct = sample.patch(struct, at + 4, string.pack("<I4I4", n, n | 0x80000000))
    end
  end
  local skeleton = sample.opaque("hkaSkeleton", 0x366E8220, struct .. data, locals, globals)
  local thing = sample.opaque("hkpThing", 0x12345678, ("\1\2\3\0"):rep(12), { { 8, 32 } }, { { 0, skeleton } })
  if globals then
    for _, row in ipairs(globals) do row[2] = row[2] or thing end
  end
  local root = sample.root { { "Skeleton", "hkaSkeleton", skeleton }, { "Thing", "hkpThing", thing } }
  return (sample.build(root, { game = "skyrim-le" })), root
end

-- Every pointer of the file but for those in `slots` (offsets in objects[2]) leads to bytes of the same alignment.
local function alignments(bytes, slots)
  local list = {}
  for i, object in ipairs(reader.read(bytes).objects) do
    assert.equal(0, object.offset % 16)
    for _, row in ipairs(object.locals) do
      if not (i == 2 and slots[row.src]) then list[#list + 1] = ("%d:%d"):format(i, row.dst % 16) end
    end
  end
  table.sort(list)
  return table.concat(list, " ")
end

-- Runs fn(skeleton), which must raise exactly this and leave the document as it is.
local function refuses(doc, message, fn)
  local before = doc:encode()
  local ok, err = pcall(fn, doc.objects[2])
  assert.is_false(ok, "nothing raised")
  assert.equal(message, (tostring(err):gsub("^[^:]*%.lua:%d+: ", ""):gsub(" at 0x%x+", ""):gsub(" %(hka%w+%)$", "")))
  same_bytes(before, doc:encode())
end

-- Its table, which it also has when opened again. Pointers that lead to no object's start are positions: those
-- move.
local function plain(doc)
  local again <close> = open(doc:encode())
  local all = again:totable()
  assert.same(doc:totable(), all)
  for _, object in ipairs(all.objects) do
    if object.pointers then object.pointers = object.pointers:gsub("@%d+", "@") end
  end
  return all
end

-- Runs fn on the skeleton and on its plain table, which must stay equal; undo gives the old bytes.
local function changes(doc, fn)
  local before, expected = doc:encode(), plain(doc)
  fn(doc.objects[2])
  fn(expected.objects[2])
  assert.same(expected, plain(doc))
  local after = doc:encode()
  while doc:encode() ~= before do assert.is_true(doc:undo()) end
  while doc:redo() do end
  same_bytes(after, doc:encode())
  return after
end

local function z(text, size)
  return text .. ("\0"):rep(size - #text)
end

describe("a packfile as nobody writes it", function()
  it("has a text that two share: the one that is set gets its own", function()
    local bytes = odd({ bones = 2 }, z("", 16) .. z("shared", 16),
      { { AT.bones, 0x60 }, { 0x60, 0x70 }, { 0x68, 0x70 } })
    local doc <close> = open(bytes)
    local after = changes(doc, function(s) s.bones[1].name = "a name that is longer than it was" end)
    assert.equal("shared", doc.objects[2].bones[2].name)
    assert.equal(alignments(bytes, { [0x60] = true }), alignments(after, { [0x60] = true }))
    changes(doc, function(s) s.bones[2].name = "x" end)
    local one <close> = open(bytes)
    changes(one, function(s) s.bones[1].name = false end)
    assert.equal("shared", one.objects[2].bones[2].name)
  end)

  it("has an array that two share", function()
    local doc <close> = open(odd({ reference_floats = 2, parent_indices = 4 }, ("\0"):rep(16),
      { { AT.parent_indices, 0x60 }, { AT.reference_floats, 0x60 } }))
    for _, fn in ipairs { function(s) s.parent_indices:append(1) end, function(s) s.parent_indices:remove(1) end,
      function(s) s.parent_indices = {} end, function(s) s.parent_indices:insert(1, 5) end } do
      refuses(doc, "objects[2].parent_indices: others share its data" .. ANEW, fn)
    end
    refuses(doc, "objects[2].reference_floats: others share its data" .. ANEW,
      function(s) s.reference_floats:append(1) end)
    local before = doc:encode()
    doc.objects[2].parent_indices[1] = 0x0101
    assert.equal(string.unpack("<f", "\1\1\0\0"), doc.objects[2].reference_floats[1])
    assert.equal(#before, #doc:encode())
  end)

  it("has arrays that overlap: what runs into other data is not read", function()
    local behind = "objects[2].reference_floats: 3 elements of 4 bytes do not fit into 4 bytes"
    for from, message in pairs { [0x64] = behind, [0x60] = "objects[2].reference_floats: others share its data" .. ANEW } do
      local doc <close> = open(odd({ reference_floats = 3, parent_indices = 4 }, ("\0"):rep(16),
        { { AT.reference_floats, 0x60 }, { AT.parent_indices, from } }))
      refuses(doc, "objects[2].parent_indices: others share its data" .. ANEW,
        function(s) s.parent_indices:append(1) end)
      refuses(doc, message, function(s) s.reference_floats:remove(3) end)
    end
  end)

  it("has a text in another one: only what ends before other data is read", function()
    local bytes = odd({ bones = 2 }, z("", 16) .. z("forefoot", 16),
      { { AT.bones, 0x60 }, { 0x60, 0x70 }, { 0x68, 0x74 } })
    local doc <close> = open(bytes)
    assert.equal("foot", doc.objects[2].bones[2].name)
    refuses(doc, "objects[2].bones[1].name: a text that runs into other data",
      function(s) return s.bones[1].name end)
  end)

  it("has data in front of their head", function()
    local doc <close> = open(odd({ bones = 1 }, z("front", 16) .. z("", 16),
      { { 0x70, 0x60 }, { AT.bones, 0x70 } }))
    assert.equal("front", doc.objects[2].bones[1].name)
    changes(doc, function(s) s.bones[1].name = "behind" end)
    changes(doc, function(s) s.bones[1].name = false end)
    local inside <close> = open(odd({ parent_indices = 2 }, ("\0"):rep(16), { { AT.parent_indices, 4 } }))
    refuses(inside, "objects[2].parent_indices: its data lie in front of it" .. ANEW,
      function(s) s.parent_indices:append(1) end)
    local struct <close> = open(odd({ parent_indices = 2 }, ("\0"):rep(16), { { AT.parent_indices, 0x20 } }))
    refuses(struct, "objects[2].parent_indices: others share its data" .. ANEW,
      function(s) s.parent_indices:remove(1) end)
  end)

  it("has a text in the bytes of its struct", function()
    local doc <close> = open(odd({}, ("\0"):rep(16), { { AT.name, 0x30 } }))
    assert.equal("", doc.objects[2].name)
    changes(doc, function(s) s.name = "name" end)
    changes(doc, function(s) s.name = false end)
  end)

  it("goes, and what led to it leads nowhere", function()
    local doc <close> = open(odd({}, ("\0"):rep(16), {}, { { 0x60 } }))
    local before = doc:encode()
    doc.objects:remove(3)
    assert.same({ "hkRootLevelContainer", "hkaSkeleton" }, { lathe.type(doc.objects[1]), lathe.type(doc.objects[2]) })
    assert.is_false(doc.objects[1].named_variants[2].variant)
    local names = {}
    for i, class in ipairs(doc.class_names) do names[i] = class.name end
    assert.is_nil(table.concat(names, " "):find "hkpThing")
    local again <close> = open(doc:encode())
    assert.same(doc:totable(), again:totable())
    doc:undo()
    same_bytes(before, doc:encode())
    doc.objects:remove(2)
    assert.same({ "hkRootLevelContainer", "hkpThing" }, { lathe.type(doc.objects[1]), lathe.type(doc.objects[2]) })
    assert.is_false(doc.objects[1].named_variants[1].variant)
    local left <close> = open(doc:encode())
    assert.same(doc:totable(), left:totable())
    doc:undo()
    same_bytes(before, doc:encode())
  end)

  it("has data in another object", function()
    local doc <close> = open(odd({ parent_indices = 2 }, ("\0"):rep(16),
      { { AT.name, 0x70 + 0x10 }, { AT.parent_indices, 0x70 + 0x10 } }))
    assert.equal("\1\2\3", doc.objects[2].name)
    refuses(doc, "objects[2].parent_indices: its data lie in another object" .. ANEW,
      function(s) s.parent_indices:append(1) end)
    for i = 2, 3 do
      refuses(doc, "objects: data of one object lie in another: serialize() the document first, which separates them",
        function() doc.objects:remove(i) end)
    end
    changes(doc, function(s) s.name = "mine" end)
    local front <close> = open((odd({ parent_indices = 2 }, ("\0"):rep(16), { { AT.parent_indices, -16 } })))
    refuses(front, "objects[2].parent_indices: its data lie in another object" .. ANEW,
      function(s) s.parent_indices:append(1) end)
  end)

  it("has records in another object: they have their paths, and writing the file anew brings them home", function()
    -- the bones behind the struct of the thing, their names behind those
    local thing = 0x70
    local bytes = odd({ bones = 2 }, ("\0"):rep(16),
      { { AT.bones, thing + 0x10 }, { thing + 0x10, thing + 0x20 }, { thing + 0x18, thing + 0x28 } })
    bytes = sample.patch(bytes, reader.read(bytes).objects[3].offset + reader.read(bytes).data.absolute_data_start + 0x20,
      "first\0\0\0second\0\0")
    local doc <close> = open(bytes)
    local bones = doc.objects[2].bones
    assert.equal("first", bones[1].name)
    assert.equal("second", bones[2].name)
    assert.equal("objects[2].bones[2]", lathe.path(bones[2]))
    assert.equal("objects[2].bones[2].name", lathe.path(bones[2], "name"))
    assert.equal(bones[2], doc:at((lathe.span(bones[2]))))
    refuses(doc, "objects[2].bones: its data lie in another object" .. ANEW, function(s) s.bones:append {} end)
    local anew <close> = open(assert(doc:serialize()))
    assert.equal("second", anew.objects[2].bones[2].name)
    changes(anew, function(s) s.bones[2].name = "another" end)
  end)

  it("has a pointer into the middle of an object", function()
    local bytes = odd({ parent_indices = 2 }, ("\0"):rep(48), { { AT.parent_indices, 0x60 }, { AT.name, 0x80 } })
    local at = reader.read(bytes)
    local skeleton = at.objects[2]
    local record = at.data.absolute_data_start + at.data.global_fixups_offset
    local position
    for i, row in ipairs(at.global_fixups) do
      if row[3] == skeleton.offset and row[1] > skeleton.offset then position = record + (i - 1) * 12 end
    end
    bytes = sample.patch(bytes, position + 8, string.pack("<I4", skeleton.offset + 0x60))
    local doc <close> = open(bytes)
    refuses(doc, "objects[2].parent_indices: others share its data" .. ANEW,
      function(s) s.parent_indices:append(1) end)
    bytes = sample.patch(bytes, position + 8, string.pack("<I4", skeleton.offset + 0x70))
    local moved <close> = open(bytes)
    changes(moved, function(s) for i = 3, 20 do s.parent_indices[i] = i end end)
    assert.equal(skeleton.offset + 0x60 + 48,
      (string.unpack("<I4", moved:encode(), position + 8 + #moved:encode() - #bytes + 1)))
  end)

  it("has data out of order, with gaps that are no zeros", function()
    local bytes = odd({ parent_indices = 3, reference_floats = 2 },
      z("abc", 5) .. "GARBAGE" .. z("", 4) .. "\0\0\128\63\0\0\0\64" .. ("\0"):rep(8) .. "\1\0\2\0\3\0" .. "end.rest!!" ..
      ("\0"):rep(16), { { AT.name, 0x60 }, { AT.reference_floats, 0x70 }, { AT.parent_indices, 0x80 } })
    local doc <close> = open(bytes)
    for _, text in ipairs { "", "a", "abcd", "abcde", "sixteen letters!", ("x"):rep(40), "abc" } do
      local was = doc:encode()
      local after = changes(doc, function(s) s.name = text end)
      assert.truthy(after:find("GARBAGE", 1, true))
      assert.truthy(after:find("end.rest!!", 1, true))
      assert.equal(alignments(was, { [AT.name] = true }), alignments(after, { [AT.name] = true }))
    end
    same_bytes(bytes, doc:encode())
    local floats, parents = doc.objects[2].reference_floats, doc.objects[2].parent_indices
    for i = 1, 20 do
      changes(doc, function(s) s.reference_floats[#s.reference_floats + 1] = i / 4 end)
      changes(doc, function(s) s.parent_indices[#s.parent_indices + 1] = i end)
      assert.equal(alignments(bytes, {}), alignments(doc:encode(), {}))
    end
    assert.same({ 22, 23 }, { #floats, #parents })
    changes(doc, function(s) s.reference_floats = {} end)
    changes(doc, function(s) s.reference_floats = { 1, 2 } end)
    changes(doc, function(s) s.bones = {} end)
    doc.objects[2].bones:append { name = "new" }
    assert.equal("new", doc.objects[2].bones[1].name)
    plain(doc)
  end)

  it("says twice where a text is", function()
    local doc <close> = open(odd({ parent_indices = 1 }, z("one", 16) .. z("two", 16) .. ("\0"):rep(16),
      { { AT.name, 0x60 }, { AT.name, 0x70 }, { AT.parent_indices, 0x80 } }))
    assert.equal("one", doc.objects[2].name)
    changes(doc, function(s) s.name = "another" end)
    changes(doc, function(s) s.name = false end)
    changes(doc, function(s) s.name = "third" end)
  end)

  it("says of an object that it is data", function()
    local bytes = odd({}, "", { { 0x28, 0x60 } }, {})
    local at = reader.read(bytes)
    local slot = at.data.absolute_data_start + at.data.local_fixups_offset
    assert.equal(at.objects[2].offset + 0x28, at.local_fixups[#at.local_fixups - 1][1])
    slot = slot + (#at.local_fixups - 2) * 8
    bytes = sample.patch(bytes, slot, string.pack("<I4I4", at.objects[1].offset + 0x18, at.objects[3].offset))
    local row = at.global_fixups[1]
    assert.equal(0x18, row[1])
    bytes = sample.patch(bytes, at.data.absolute_data_start + at.data.global_fixups_offset,
      string.pack("<I4", 0x0C))
    local doc <close> = open(bytes)
    local variant = doc.objects[1].named_variants[1]
    assert.equal(doc.objects[3], variant.variant)
    local before = doc:encode()
    variant.variant = false
    assert.falsy(variant.variant)
    doc:undo()
    same_bytes(before, doc:encode())
    variant.variant = doc.objects[2]
    assert.equal(doc.objects[2], variant.variant)
  end)

  it("has zeros right behind some data that are data, too", function()
    local bytes = odd({ parent_indices = 2, reference_floats = 2, bones = 1 },
      z("abc", 4) .. "\0\0\0\0\0\0\0\0" .. "\1\0\2\0" .. z("", 16),
      { { AT.name, 0x60 }, { AT.reference_floats, 0x64 }, { AT.parent_indices, 0x6C }, { AT.bones, 0x70 } })
    local doc <close> = open(bytes)
    for _, text in ipairs { "abcd", "", "sixteen letters!", "abc", false, "again" } do
      changes(doc, function(s) s.name = text end)
      assert.same({ 0, 0 }, doc.objects[2].reference_floats:totable())
      assert.same({ 1, 2 }, doc.objects[2].parent_indices:totable())
    end
  end)
end)

-- ---- by chance ------------------------------------------------------------------------------------

-- The same object with its pieces in any order, and gaps between them; pointers to the same text are joined.
local function scattered(object, bytes, random)
  local starts, pieces = { 0 }, {}
  for _, row in ipairs(object.locals) do starts[#starts + 1] = row.dst end
  for i, start in ipairs(starts) do
    pieces[i] = { from = start, bytes = bytes:sub(start + 1, starts[i + 1] or #bytes) }
  end
  local order = {}
  for i = 2, #pieces do table.insert(order, random(1, #order + 1), pieces[i]) end
  table.insert(order, 1, pieces[1])
  local out = ""
  for _, piece in ipairs(order) do
    local gap = random(3) == 1 and ("\0"):rep(16 * random(0, 2)) or ("\xEE"):rep(16 * random(0, 1))
    out = out .. ("\0"):rep(-#out % 16)
    if #out > 0 then out = out .. gap end
    piece.to = #out
    out = out .. piece.bytes
  end
  local function moved(offset)
    for i = #pieces, 1, -1 do
      if offset >= pieces[i].from then return offset - pieces[i].from + pieces[i].to end
    end
  end
  local locals, globals, texts = {}, {}, {}
  for i, row in ipairs(object.locals) do
    local to = moved(row.dst)
    if pieces[i + 1].bytes == ("\0"):rep(16) and random(2) == 1 then to = texts[1] or to; texts[1] = to end
    locals[i] = { moved(row.src), to }
  end
  for i, row in ipairs(object.globals) do globals[i] = { moved(row.src), row.target } end
  return out, locals, globals
end

local function scatter(bytes, layout, random)
  local file = reader.read(bytes)
  local root, list = file:graph(function() return true end)
  local by_offset = {}
  for i, object in ipairs(file.objects) do by_offset[object.offset] = list[i] end
  for i, object in ipairs(file.objects) do
    if object.class:find("^hka") then
      list[i].opaque, list[i].locals, list[i].globals = scattered(object, file:bytes_of(object), random)
      for _, row in ipairs(list[i].globals) do row[2] = by_offset[row[2].offset] end
    end
  end
  return (sample.build(root, layout))
end

describe("a packfile whose data lie anywhere", function()
  it("is edited as asked, or refuses and stays", function()
    local done, refused = 0, 0
    for l, layout in ipairs(edits.LAYOUTS) do
      for name, opts in pairs(edits.samples(layout)) do
        for seed = 1, 8 do
          math.randomseed(seed)
          local bytes = scatter(edits.make(name, opts), layout, math.random)
          local doc <close> = open(bytes)
          local label = ("%s %d seed %d"):format(name, l, seed)
          same_bytes(bytes, doc:encode(), label)
          local table_now, history = doc:totable(), { bytes }
          for k = 1, 25 do
            local tried = doc:totable()
            local now = doc:encode()
            local ok, what = pcall(edits.random_edit, doc, tried)
            local step = ("%s #%d: %s"):format(label, k, what)
            if ok then
              done = done + 1
              table_now = tried
              assert.same(tried, doc:totable(), step)
              plain(doc)
            else
              refused = refused + 1
              assert.truthy(tostring(what):find(ANEW, 1, true), step)
              same_bytes(now, doc:encode(), step)
              assert.same(table_now, doc:totable(), step)
            end
            for _, object in ipairs(reader.read(doc:encode()).objects) do
              assert.equal(0, object.offset % 16, step)
            end
            if doc:encode() ~= now then history[#history + 1] = doc:encode() end
          end
          for k = #history - 1, 1, -1 do
            repeat assert.is_true(doc:undo(), label) until doc:encode() ~= history[k + 1]
            same_bytes(history[k], doc:encode(), label)
          end
        end
      end
    end
    assert.truthy(done > refused and refused > 10, ("%d done, %d refused"):format(done, refused))
  end)
end)

-- ---- damaged --------------------------------------------------------------------------------------

-- The file with some bytes changed behind its header.
local function damaged(bytes)
  for _ = 1, math.random(6) do
    local at, how = math.random(0x100, #bytes - 4), math.random(4)
    local byte = bytes:byte(at + 1)
    local with = how == 1 and string.char(math.random(0, 255)) or how == 2 and string.char(byte ~ 1 << math.random(0, 7))
      or how == 3 and "\xFF"
    if not with then -- a number from elsewhere
      local from = math.random(0x40, #bytes // 4 - 1) * 4
      at, with = at // 4 * 4, bytes:sub(from + 1, from + 4)
    end
    bytes = sample.patch(bytes, at, with)
  end
  return bytes
end

-- What can be read of a document is the same when it is opened again, and it still opens.
local function still_reads(doc, label)
  local again <close> = open(doc:encode())
  assert.equal((pcall(doc.totable, doc)), (pcall(again.totable, again)), label)
end

describe("a damaged packfile", function()
  it("is edited or refuses, is a file afterwards, and comes back", function()
    local opened, done = 0, 0
    for l, layout in ipairs(edits.LAYOUTS) do
      for name, opts in pairs(edits.samples(layout)) do
        local bytes = edits.make(name, opts)
        for seed = 1, 40 do
          math.randomseed(seed, l)
          local bad, label = damaged(bytes), ("%s %d seed %d"):format(name, l, seed)
          local doc <close> = lathe.parse(bad, { format = "hkx", history = 100 })
          local whole, all = pcall(doc and doc.totable or error, doc)
          for k = 1, doc and whole and 10 or 0 do
            opened = k == 1 and opened + 1 or opened
            local now = doc:encode()
            local ok, what = pcall(edits.random_edit, doc, all)
            local step = ("%s #%d: %s"):format(label, k, what)
            still_reads(doc, step)
            if not ok then
              same_bytes(now, doc:encode(), step)
              break
            end
            done = done + 1
          end
          while doc and doc:undo() do end
          if doc then same_bytes(bad, doc:encode(), label) end
        end
      end
    end
    assert.truthy(opened > 300 and done > 1000, ("%d opened, %d edits"):format(opened, done))
  end)
end)
