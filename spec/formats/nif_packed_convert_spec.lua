-- Precombined geometry in another layout: doc:convert{ to =, into = }.

local group = require "sample_group"
local helper = require "helper"
local kinds = require "nif_kinds"
local lathe = require "lathe"
local outcome = require "outcome"
local reader = require "geometry_reader"
local sample = require "sample_nif"

local raises = outcome.raises

local INLINE <const>, SHARED <const>, TYPES <const> = group.INLINE, group.SHARED, group.TYPES
local SHORT <const>, FULL <const> = group.SHORT, group.FULL
local LAYOUTS <const> = { "inline", "shared", "inline+table" }

local instance, object, file = group.instance, group.object, group.file

local function geometry(name)
  return assert(lathe.new("geometry", { rows = {} }, { path = name or "Some - Geometry.csg", history = 9 }))
end

-- The bytes of vertices and triangles of all objects, in whatever layout.
local function buffers(doc, store)
  local bytes, list = doc:encode(), {}
  for _, block in ipairs(doc.blocks) do
    local kind = lathe.type(block)
    for i, one in ipairs((kind == INLINE or kind == SHARED) and block.data or {}) do
      local data = ""
      if block.layout == "shared" then
        for _, row in ipairs(store.rows) do
          if row.data_offset == block.objects[i].data_offset then data = row.data end
        end
      else
        for _, name in ipairs { "vertices", "triangles" } do
          local from, size = lathe.span(one, name)
          data = data .. bytes:sub(from + 1, from + size)
        end
      end
      list[#list + 1] = data
    end
  end
  return list
end

-- What conversion does not touch.
local function rest(block)
  local t = block:totable()
  t.type, t.layout, t.half_stored, t.objects = nil, nil, nil, nil
  for _, one in ipairs(t.data) do one.vertices, one.triangles = nil, nil end
  return t
end

local function open(bytes)
  return assert(lathe.parse(bytes, { history = 9 }))
end

local function is_fine(doc, store)
  assert.same({ true, {} }, { doc:check() })
  local again <close> = assert(lathe.parse(doc:encode(), { geometry = store }))
  assert.same({ true, {} }, { again:check() })
  assert.same(doc:totable(), again:totable())
  assert.is_true(assert(lathe.new("nif", doc:totable())):encode() == doc:encode())
end

describe("converting packed geometry", function()
  for _, from in ipairs(LAYOUTS) do
    for _, to in ipairs(LAYOUTS) do
      it(("from %s to %s changes but its layout"):format(from, to), function()
        local store <close> = geometry()
        local doc <close> = open(file("inline", { { object(SHORT, 4, 1), object(SHORT, 5, 2) }, { object(SHORT, 3, 7) } }))
        if from ~= "inline" then assert(doc:convert { to = from, into = store }) end
        local before, first = { rest(doc.blocks[3]), rest(doc.blocks[5]) }, buffers(doc, store)
        local shape = doc.blocks[2]:totable()
        local done = assert(doc:convert { to = to, into = to ~= "inline" and store or nil })
        assert.equal(from == to and 0 or 2, done.changed)
        for i, n in ipairs { 3, 5 } do
          assert.same({ to, TYPES[to], false }, { doc.blocks[n].layout, doc.blocks[n].type, doc.blocks[n].half_stored })
          assert.same(before[i], rest(doc.blocks[n]))
          assert.equal(n, lathe.path(doc.blocks[n - 1].extra_data_list[1]):match "%d+" + 0)
        end
        assert.same(shape, doc.blocks[2]:totable())
        assert.same(first, buffers(doc, store))
        assert.same({ "NiNode", "BSTriShape", TYPES[to] }, doc.block_types:totable())
        is_fine(doc, store)
        assert.same({ 1, 4, -4 }, { doc.blocks[3].data[1].positions:row(4) })
      end)
    end
  end

  for _, half in ipairs { false, true } do
    it("there and back gives the first bytes" .. (half and ", halves too" or ""), function()
      local first = file("inline", { { object(FULL, 4, 1), object(SHORT, 5, 2) }, { object(FULL, 3, 7) } }, half)
      for _, between in ipairs { "shared", "inline+table" } do
        local store <close> = geometry()
        local doc <close> = open(first)
        assert(doc:convert { to = between, into = store })
        assert.same({ half and 60 or 92, half and 42 or 66 }, { #store.rows[1].data, #store.rows[3].data })
        assert.equal(FULL, store.rows[1].vertex_desc)
        is_fine(doc, store)
        assert(doc:convert "inline")
        assert.equal(half, doc.blocks[3].half_stored)
        assert.is_true(doc:encode() == first)
      end
    end)
  end

  it("back into the file that it came from finds all rows there", function()
    local store <close> = geometry()
    local made <close> = open(file("inline", { { object(FULL, 4, 1), object(SHORT, 5, 2) }, { object(FULL, 3, 7) } }))
    assert(made:convert { to = "shared", into = store })
    local first, rows = made:encode(), store:encode()
    for _, between in ipairs { "inline", "inline+table" } do
      local doc <close> = assert(lathe.parse(first, { geometry = store }))
      assert(doc:convert(between))
      local done = assert(doc:convert { to = "shared", into = store })
      assert.same({ 2, { 2, 1 }, { 0, 0 } }, { done.changed, done.found, done.appended })
      assert.is_true(doc:encode() == first)
      assert.is_true(store:encode() == rows)
    end
  end)

  it("stores equal buffers once, in the order of the input", function()
    local lists = { { object(SHORT, 4, 3), object(SHORT, 5, 1), object(SHORT, 4, 3) }, { object(SHORT, 4, 2) } }
    local results = {}
    for try = 1, 2 do
      local store <close> = geometry()
      local doc <close> = open(file("inline", lists))
      local done = assert(doc:convert { to = "shared", into = store })
      assert.same({ { "blocks[3]", "blocks[5]" }, { 3, 1 }, { 1, 0 }, { 2, 1 } },
        { done.blocks, done.objects, done.found, done.appended })
      local other <close> = open(file("inline", { { object(SHORT, 5, 1), object(SHORT, 3, 9) } }))
      done = assert(other:convert { to = "inline+table", into = store })
      assert.same({ { 1 }, { 1 } }, { done.found, done.appended })
      local bytes, order = store:encode(), {}
      local plain = reader.read(bytes)
      for i = 1, #plain.rows do order[i] = kinds.half((string.unpack("<I2", reader.data(plain, i)))) end
      assert.same({ 3, 1, 2, 9 }, order)          -- the seeds of the objects
      results[try] = doc:encode() .. other:encode() .. bytes
    end
    assert.is_true(results[1] == results[2])
  end)

  it("is read from the geometry document at once, and taken back with it", function()
    local store <close> = geometry()
    store.rows:append { positions = { { 9, 9, 9 } } }
    local bytes = store:encode()
    local first = file("inline", { { object(SHORT, 4, 3) } })
    local doc <close> = open(first)
    local ok = pcall(doc.edit, doc, function()
      assert(doc:convert { to = "shared", into = store })
      assert.same({ 3, 2, -2 }, { doc.blocks[3].data[1].positions:row(2) })
      assert.equal(2, #store.rows)
      error "no"
    end)
    assert.is_false(ok)
    assert.is_true(doc:encode() == first and store:encode() == bytes)
    assert(doc:convert { to = "shared", into = store })
    assert.is_true(doc:undo())
    assert.is_true(doc:encode() == first)
    assert.equal(2, #store.rows)                 -- steps of the other document are its own
  end)

  it("in an edit inside of an edit is taken back with it, in both documents", function()
    local store <close> = geometry()
    local bytes, first = store:encode(), file("inline", { { object(SHORT, 4, 3) } })
    local doc <close> = open(first)
    doc:edit(function()
      assert.is_false(pcall(doc.edit, doc, function()
        assert(doc:convert { to = "shared", into = store })
        error "no"
      end))
      assert.equal(0, #store.rows)
    end)
    assert.is_true(doc:encode() == first and store:encode() == bytes)
    assert.is_false(doc.modified)
  end)

  it("is refused where its rows would end with another edit", function()
    local store <close> = geometry()
    local bytes, first = store:encode(), file("inline", { { object(SHORT, 4, 3) } })
    local one <close> = open(first)
    local other <close> = open(first)
    local function refused()
      raises("the geometry document is in another edit: end that first", function()
        other:convert { to = "shared", into = store }
      end)
    end
    local rows
    pcall(one.edit, one, function()
      assert(one:convert { to = "shared", into = store })
      refused()
      rows = #store.rows
      error "no"
    end)
    assert.equal(1, rows)
    store:edit(refused)
    assert.is_true(one:encode() == first and other:encode() == first and store:encode() == bytes)
  end)

  it("that is taken back reads from the file that it came from, though another has its name", function()
    local old <close> = geometry()
    local new <close> = geometry()
    local made <close> = open(file("inline", { { object(SHORT, 4, 3), object(SHORT, 5, 4) } }))
    assert(made:convert { to = "shared", into = old })
    new.rows:append { positions = { { 9, 9, 9 } } }
    local first, kept = made:encode(), new:encode()
    for _, step in ipairs { "rollback", "undo", "inner" } do
      local doc <close> = assert(lathe.parse(first, { geometry = old, history = 9 }))
      local function x_of(i) return (doc.blocks[3].data[i].positions:row(2)) end
      local function change() assert(doc:convert { to = "shared", into = new }) end
      local function fail() change() error "no" end
      assert.equal(3, x_of(1))
      for _ = 1, 2 do                              -- the second time `new` is known already
        if step == "undo" then
          change()
          assert.is_true(#new.rows > 1)
          assert.equal(3, x_of(1))
          assert.is_true(doc:undo() and new:undo())
        elseif step == "rollback" then
          assert.is_false(pcall(doc.edit, doc, fail))
        else
          doc:edit(function() assert.is_false(pcall(doc.edit, doc, fail)) end)
        end
        assert.is_true(doc:encode() == first and new:encode() == kept)
        assert.same({ 3, 4 }, { x_of(1), x_of(2) })
      end
      doc.blocks[3].objects[2].data_offset = 3
      local ok, err = pcall(x_of, 2)
      assert.is_false(ok)
      assert.matches("its 5 vertices and 9 indices are not at byte 3 of the stream of 'Some - Geometry.csg'",
        tostring(err), 1, true)
    end
  end)

  it("that fails leaves both documents as they were", function()
    local store <close> = geometry()
    local bytes, modified = store:encode(), store.modified
    local first = file("inline", { { object(SHORT, 4, 3) } })
    local shared = file("shared", { { object(SHORT, 5, 3) } })
    local parts = {}
    for i, text in ipairs { first, shared } do parts[i] = lathe.bytes(open(text).blocks[3]) end
    local both = sample.build { game = "fo4", strings = { "PCD" }, blocks = { { type = INLINE, bytes = parts[1] },
      { type = SHARED, bytes = parts[2] } } }
    local doc <close> = open(both)
    local done, err = doc:convert { to = "shared", into = store }
    assert.is_nil(done)
    assert.matches("blocks[2].data[1]", tostring(err), 1, true)
    assert.matches("its geometry file is missing", tostring(err), 1, true)
    assert.is_true(doc:encode() == both and store:encode() == bytes)
    assert.same({ false, modified, 0 }, { doc.modified, store.modified, #store.rows })
  end)

  it("keeps the table of what is shared, and has none else", function()
    local store <close> = geometry()
    local doc <close> = open(file("inline", { { object(SHORT, 4, 3), object(SHORT, 4, 4) } }))
    for _, to in ipairs { "shared", "inline+table" } do
      local done, err = doc:convert(to)
      assert.is_nil(done)
      assert.matches(("inline geometry becomes %s with rows of a geometry file: say which, doc:convert{ to = \"%s\", "
        .. "into = geometry document }"):format(to, to), tostring(err), 1, true)
      assert.matches("blocks[3]", tostring(err), 1, true)
    end
    assert(doc:convert { to = "shared", into = store })
    local entries = doc.blocks[3].objects:totable()
    assert(doc:convert "inline+table")
    assert.same(entries, doc.blocks[3].objects:totable())
    local done, err = doc:convert "shared"        -- nobody proves that the file still has them
    assert.is_nil(done)
    assert.matches("inline+table geometry becomes shared with rows of a geometry file", tostring(err), 1, true)
    local other <close> = geometry "Other - Geometry.csg"
    other.rows:append { positions = { { 9, 9, 9 } } }
    assert(doc:convert { to = "inline+table", into = other }) -- the same layout, with other rows
    assert.same({ other.hash, other.rows[2].data_offset },
      { doc.blocks[3].objects[1].geometry_file_hash, doc.blocks[3].objects[1].data_offset })
    is_fine(doc, other)
  end)

  it("refuses what makes no sense", function()
    local doc <close> = open(file("inline", { { object(SHORT, 4, 3) } }))
    local store <close> = geometry()
    local function fails(what, args)
      local done, err = doc:convert(args)
      assert.is_nil(done)
      assert.matches(what, tostring(err), 1, true)
      assert.is_false(doc.modified)
    end
    fails("'into' of convert: inline geometry has no rows in another file", { to = "inline", into = store })
    local nowhere <close> = assert(lathe.new("geometry", { rows = {} }))
    fails("'into' of convert must have a path, because blocks name a geometry file by the hash of its name: save it first, "
      .. 'or lathe.new("geometry", { … }, { path = "Some Mod - Geometry.csg" })', { to = "shared", into = nowhere })
    for _, wrong in ipairs { doc, doc.blocks[3], "Some - Geometry.csg", 1, store.rows, { path = "Some - Geometry.csg" } } do
      raises("'into' of convert must be a geometry document; save it after the NIF's edit", function()
        doc:convert { to = "shared", into = wrong }
      end)
    end
    fails("'to' of convert is one of inline, shared, inline+table", "csg")
    raises("convert needs 'to'", function() doc:convert() end)
  end)

  it("leaves blocks alone that fit no layout, and tells them", function()
    local store <close> = geometry()
    local good = lathe.bytes(open(file("inline", { { object(SHORT, 4, 3) } })).blocks[3])
    local bytes = sample.build { game = "fo4", strings = { "PCD" }, blocks = { { type = INLINE, bytes = good .. "\0" },
      { type = INLINE, bytes = good } } }
    local doc <close> = open(bytes)
    local done = assert(doc:convert { to = "shared", into = store })
    assert.same({ 1, { "blocks[2]" } }, { done.changed, done.blocks })
    assert.equal("blocks[1]", done.skipped[1].path)
    assert.matches("unrecognised packed geometry", done.skipped[1].reason, 1, true)
    assert.equal(good .. "\0", lathe.bytes(doc.blocks[1]))
    assert.same({ INLINE, SHARED }, { doc.blocks[1].type, doc.blocks[2].type })
    assert(doc:convert "inline")
    assert.equal(good, lathe.bytes(doc.blocks[2]))
  end)

  it("tells halves as such where floats stand beside them", function()
    local store <close> = geometry()
    local halves <close> = open(file("inline", { { object(FULL, 4, 1) } }, true))
    local floats <close> = open(file("inline", { { object(FULL, 5, 2) } }))
    assert(halves:convert { to = "shared", into = store })
    assert(floats:convert { to = "shared", into = store })
    local one, two = halves.blocks[3].data[1]:totable(), floats.blocks[3].data[1]:totable()
    local doc <close> = assert(lathe.parse(file("shared", { { object(FULL, 4, 1), object(FULL, 5, 2) } }),
      { geometry = store }))
    for i = 1, 2 do
      doc.blocks[3].objects[i] = { geometry_file_hash = store.hash, data_offset = store.rows[i].data_offset }
    end
    assert.same({ one.vertex_desc, two.vertex_desc }, { FULL, FULL })
    assert(doc:convert "inline")
    local block = doc.blocks[3]
    assert.same({ false, SHORT, FULL }, { block.half_stored, block.data[1].vertex_desc, block.data[2].vertex_desc })
    assert.same({ 1, 4, -4 }, { block.data[1].positions:row(4) })
    assert.same({ 2, 5, -5 }, { block.data[2].positions:row(5) })
    assert.same({ store.rows[1].data, store.rows[2].data }, buffers(doc, store))
    local done = assert(doc:convert { to = "shared", into = store }) -- the row of halves is found under either name
    assert.same({ { 2 }, { 0 } }, { done.found, done.appended })
  end)

  it("has no row for an object without vertices", function()
    local store <close> = geometry()
    local first = file("inline", { { object(SHORT, 0, 1), object(SHORT, 4, 2), object(SHORT, 0, 3) } })
    local doc <close> = open(first)
    assert(doc:convert { to = "shared", into = store })
    assert.equal(1, #store.rows)
    is_fine(doc, store)
    assert(doc:convert "inline")
    assert.is_true(doc:encode() == first)
    local none = file("inline", { { object(SHORT, 0, 1) } })
    local empty <close> = open(none)
    assert(empty:convert { to = "inline+table", into = store }) -- which are the same bytes as shared
    assert.equal("shared", empty.blocks[3].layout)
    is_fine(empty, store)
  end)

  it("keeps objects that are drawn nowhere", function()
    local one = object(SHORT, 4, 1)
    one.num_combined, one.combined = 0, {}
    local store <close> = geometry()
    local first = file("inline", { { one, object(SHORT, 5, 2) }, {} })
    local doc <close> = open(first)
    assert(doc:convert { to = "shared", into = store })
    assert.same({ 4, 0, 0 }, { doc.blocks[3].data[1].num_vertices, #doc.blocks[3].data[1].combined, #doc.blocks[5].data })
    is_fine(doc, store)
    assert(doc:convert "inline")
    assert.is_true(doc:encode() == first)
  end)

  it("appends no more from a geometry file than that may have", function()
    local MOST <const>, ONE <const> = 1 << 20, 0x0000100000000002 -- triangles of an object; a vertex of 8 bytes
    local from <close> = assert(lathe.new("geometry", { form = "psg", rows = { { vertex_desc = ONE, num_vertices = 1,
      num_indices = 3 * MOST, data = ("\0"):rep(8 + 6 * MOST) } } }, { path = "Zeros - Geometry.psg" }))
    for _, n in ipairs { 10, 14 } do
      local objects, data = {}, {}
      for i = 1, n do                              -- where no row begins, each one other numbers
        objects[i] = { geometry_file_hash = from.hash, data_offset = 8 }
        data[i] = { num_vertices = 1, tri_count0 = MOST - 2 - i, lod_levels = 3, vertex_desc = ONE }
      end
      local doc <close> = assert(lathe.new("nif", { bs_version = 130, blocks = {
        { type = "BSTriShape", name = "", extra_data_list = { 1 } },
        { type = SHARED, layout = "shared", name = "PCD", objects = objects, data = data } } }, { geometry = from }))
      local into <close> = assert(lathe.new("geometry", { form = "psg", rows = {} }, { path = "New - Geometry.psg" }))
      local done, err = doc:convert { to = "shared", into = into }
      if n == 10 then
        assert.same({ 10 }, assert(done, err).appended)
      else
        assert.is_nil(done)
        assert.matches("blocks[2].data[12]", tostring(err), 1, true)
        assert.matches("the geometry document would get more than 73400328 bytes from geometry files", tostring(err), 1,
          true)
        assert.equal(0, #into.rows)
      end
    end
  end)

  it("of many objects with equal counts takes no time to speak of", function()
    local objects = {}
    for i = 1, 4000 do
      objects[i] = object(SHORT, 4, i // 2)
      objects[i].num_combined, objects[i].combined = 1, { instance(i, 4, i // 2) }
    end
    local store <close> = geometry()
    local doc <close> = open(file("inline", { objects }))
    local done = assert(doc:convert { to = "shared", into = store })
    assert.same({ { 4000 }, { 1999 }, { 2001 } }, { done.objects, done.found, done.appended })
  end)
end)

describe("conversion of the corpus #corpus", function()
  local function number(report, of)
    local n = 0
    for _, i in ipairs(report[of] or {}) do n = n + i end
    return n
  end

  it("goes there and back, and leaves buffers as they are", function()
    local folder = helper.need_corpus("precombined", pending)
    for _, name in ipairs(helper.list(folder, "^0000A.*%.nif$")) do
      local doc <close> = assert(lathe.open(folder .. "/" .. name, { geometry = {} }))
      local store <close> = geometry()
      local first, data = doc:encode(), buffers(doc)
      local done = assert(doc:convert { to = "shared", into = store })
      assert.equal(#data, number(done, "objects"), name)
      assert.same(data, buffers(doc, store), name)
      is_fine(doc, store)
      assert(doc:convert "inline+table")
      assert.same(data, buffers(doc), name)
      assert(doc:convert "inline")
      assert.is_true(doc:encode() == first, name)
    end
  end)

  it("finds shared rows in the files that have them", function()
    local folder = helper.need_corpus("precombined", pending)
    for _, name in ipairs(helper.list(folder, "^0000B.*%.nif$")) do
      local doc <close> = assert(lathe.open(folder .. "/" .. name))
      local first, hashes, only = doc:encode(), {}, nil
      for _, block in ipairs(doc.blocks) do
        for _, entry in ipairs(lathe.type(block) == SHARED and block.objects or {}) do
          only = entry.geometry_file_hash
          hashes[only] = true
        end
      end
      local several = next(hashes, next(hashes)) ~= nil
      for _, file_name in ipairs(helper.list(folder, "%.[cp]sg$")) do
        local store <close> = assert(lathe.open(folder .. "/" .. file_name))
        if store.hash == only and not several then
          assert(doc:convert "inline")
          local done = assert(doc:convert { to = "shared", into = store })
          assert.same({ 0, number(done, "objects") }, { number(done, "appended"), number(done, "found") })
          assert.is_true(doc:encode() == first, name)
          assert.is_false(store.modified)
        end
      end
    end
  end)
end)
