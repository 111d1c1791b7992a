-- Shared geometry files of precombined meshes: rows, their data, edits that move no row, both forms, files on disk.

local checks = require "format_checks"
local helper = require "helper"
local lathe = require "lathe"
local outcome = require "outcome"
local reader = require "geometry_reader"
local sample = require "sample_geometry"

local raises = outcome.raises

local CHUNK = 65536

local function open(name, options)
  return checks.open("geometry", sample[name], options)
end

local function all(buffer)
  local rows = {}
  for i = 1, buffer.rows do rows[i] = { buffer:row(i) } end
  return rows
end

-- A file with rows of n vertices each, whose numbers are easy to tell apart.
local function big(counts, form)
  local rows = {}
  for i, n in ipairs(counts) do
    local positions = lathe.buffer("f32", n, 3)
    local triangles = lathe.buffer("u16", n - 2, 3)
    for k = 1, n do
      positions[3 * k - 2], positions[3 * k - 1], positions[3 * k] = i, k % 1024, (k * 7 + i) % 512
    end
    for k = 1, n - 2 do
      triangles[3 * k - 2], triangles[3 * k - 1], triangles[3 * k] = k - 1, k, k + 1
    end
    rows[i] = { positions = positions, triangles = triangles }
  end
  return assert(lathe.new("geometry", { form = form, rows = rows }))
end

-- What the plain reader has of a document's bytes is what the document says.
local function agree(doc)
  local bytes = assert(doc:encode())
  assert.equal(#bytes, doc.size)
  local file = reader.read(bytes)
  assert.equal(#file.rows, #doc.rows)
  assert.equal(#file.stream, doc.stream_size)
  for i, row in ipairs(doc.rows) do
    assert.same(file.rows[i], { row.data_offset, row.vertex_desc, row.num_vertices, row.num_indices })
    assert.is_true(reader.data(file, i) == row.data, "data of row " .. i)
  end
  local fine, list = doc:check()
  assert(fine and #list == 0, tostring(list and list[1]))
  return bytes, file
end

describe("every sample", function()
  for _, name in ipairs { "plain", "packed", "empty_plain", "empty_packed" } do
    it(name .. " comes back as it was read", function()
      checks.round_trip("geometry", sample[name])
    end)
  end
end)

describe("a row", function()
  for _, form in ipairs { "plain", "packed" } do
    it("is read, " .. form, function()
      local doc <close> = open(form)
      assert.same({ 3, 244, form == "plain" and "psg" or "csg" }, { #doc.rows, doc.stream_size, doc.form })
      local a, b, c = doc.rows[1], doc.rows[2], doc.rows[3]
      assert.same({ 0, 0x0000900000020003, 3, 3 }, { a.data_offset, a.vertex_desc, a.num_vertices, a.num_indices })
      assert.same({ "position", "normal" }, lathe.names(a, "attributes"))
      assert.same({ { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, all(a.positions))
      assert.is_near(1, a.normals:at(1, 3), 1e-6)
      assert.is_near(0.00392, a.normals:at(1, 1), 1e-4)
      assert.same({}, { a.uvs, a.colors, a.tangents, a.bitangents })
      assert.same({ { 0, 1, 2 } }, all(a.triangles))
      assert.same({ { 0, 0, 0 }, { 0, 0, 2 }, { 0, 2, 0 }, { 0, 2, 2 } }, all(b.positions))
      assert.same({ { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 } }, all(b.uvs))
      assert.equal(0.5, b.bitangents:at(4, 1))
      assert.is_near(1, b.tangents:at(4, 2), 1e-6)
      assert.same({ { 0, 1, 2 }, { 2, 1, 3 } }, all(b.triangles))
      assert.equal("u16", b.triangles.type)
      assert.equal(sample.stream:sub(43, 166), b.data)
      assert.equal(lathe.path(b), "rows[2]")
      assert.equal(20, select(2, lathe.span(c)))
    end)

    it("may have halves though its descriptor says full precision: its data decide, " .. form, function()
      local doc <close> = open(form)
      local c = doc.rows[3]
      assert.equal(0x0043B00007650408, c.vertex_desc)
      assert.same({ "position", "uv", "normal", "tangent", "color", "full" }, lathe.names(c, "attributes"))
      assert.same({ { 8, 0, 0 }, { 0, 8, 0 }, { 0, 0, 8 } }, all(c.positions))
      assert.same({ { 0, 0 }, { 1, 0 }, { 0.5, 1 } }, all(c.uvs))
      assert.equal(0.25, c.bitangents:at(1, 1))
      assert.equal(-1, c.normals:at(2, 1))
      assert.is_near(128 / 255, c.colors:at(3, 4), 1e-6)
      assert.same({ { 2, 1, 0 } }, all(c.triangles))
      c.positions = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }
      assert.same({ { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }, all(c.positions))
      assert.equal(78, #c.data)
      agree(doc)
      raises("rows[3].colors at 0x", function() c.colors = nil end)
    end)
  end

  it("is told by the file's name and found by its place", function()
    for name, hash in pairs {
      ["Fallout4 - Geometry.csg"] = 0xDDF19A67, ["DLCCoast - Geometry.psg"] = 0x2088054D,
      ["a/b\\dlcnukaworld - GEOMETRY.csg"] = 0xE81B308E, ["B21_CKRE_Interior - Geometry.csg"] = 0xEBFF1469,
    } do
      local doc <close> = assert(lathe.parse(sample.plain, { path = name }))
      assert.equal(hash, doc.hash)
    end
    local doc <close> = assert(lathe.parse(sample.plain))
    assert.is_nil(doc.hash)
  end)

  it("is copied, compared and written as JSON with its data", function()
    local doc <close> = open "packed"
    local text = lathe.tree.to_json(doc)
    local built <close> = assert(lathe.new("geometry", assert(lathe.tree.from_json(text, "geometry"))))
    assert.equal(sample.packed, built:encode())
    local plain = doc.rows[1]:totable()
    assert.same({ data_offset = 0, vertex_desc = 0x0000900000020003, num_vertices = 3, num_indices = 3,
      data = sample.stream:sub(1, 42) }, plain)
    local positions = built.rows[2].positions
    positions[1] = 5
    built.rows[2].positions = positions
    local changes = lathe.tree.diff(doc, built)
    assert.same({ 1, "rows[2].data" }, { #changes, changes[1].path })
    assert.same({}, lathe.tree.diff(doc, doc))
    local seen = {}
    for name in pairs(doc.rows[1]) do seen[#seen + 1] = name end
    assert.same({ "data_offset", "vertex_desc", "num_vertices", "num_indices" }, seen)
  end)
end)

describe("chunks", function()
  it("are those that the game's tools would write, and rows may lie over several", function()
    local doc <close> = big { 5000, 3000, 20000, 12 }
    local bytes, file = agree(doc)
    assert.equal("bcsg", bytes:sub(1, 4))
    assert.equal((#file.stream + CHUNK - 1) // CHUNK, #file.chunks)
    assert.is_true(#file.chunks > 5)
    for k, chunk in ipairs(file.chunks) do assert.equal("\x78\x9C", chunk:sub(1, 2), "chunk " .. k) end
    local again <close> = assert(lathe.parse(bytes))
    for i, row in ipairs(again.rows) do
      assert.is_true(row.positions:pack() == doc.rows[i].positions:pack())
      assert.equal(i, row.positions:at(1, 1))
    end
    local plain <close> = assert(lathe.new("geometry", again:totable()))
    assert.is_true(plain:encode() == bytes)
    assert.equal(#file.chunks, #again.chunks)
    assert.equal(#file.chunks[1], again.chunks[1].packed_size)
  end)

  it("are unpacked only for rows that they hold", function()
    local doc <close> = big { 8190, 8190, 8190, 8190, 8190, 8190 }
    local file = reader.read(doc:encode())
    for k = 2, #file.chunks - 1 do file.chunks[k] = ("no"):rep(#file.chunks[k] // 2) end
    local bad <close> = assert(lathe.parse(reader.packed(file)))
    for i, row in ipairs(bad.rows) do assert.equal(file.rows[i][1], row.data_offset) end
    assert.equal(8190, #bad.rows and bad.rows[1].num_vertices)
    local ok = pcall(function() return bad.rows[1].triangles end)
    assert.is_false(ok)
    local first <close> = assert(lathe.parse(reader.packed { rows = { { 0, file.rows[1][2], 3, 0 },
      { 24, file.rows[1][2], 8189, 0 } }, chunks = { file.chunks[1] }, stream = "" }))
    assert.equal(3, first.rows[1].positions.rows)
  end)

  it("that nobody touched keep their bytes, and the others are packed at level 6", function()
    local doc <close> = big { 8000, 8000, 8000, 8000 }
    local made = reader.read(doc:encode())
    local stored = reader.packed { rows = made.rows, stream = made.stream }
    local edited <close> = assert(lathe.parse(stored, { history = 5 }))
    local positions = edited.rows[4].positions
    positions[1] = 100
    edited.rows[4].positions = positions
    local before, after = reader.read(stored), reader.read((agree(edited)))
    local same, packed = 0, 0
    for k, chunk in ipairs(after.chunks) do
      if chunk == before.chunks[k] then same = same + 1 else packed = packed + 1 end
      assert.equal(chunk == before.chunks[k] and "\x78\x01" or "\x78\x9C", chunk:sub(1, 2))
    end
    assert.is_true(packed >= 1 and packed <= 2 and same >= #after.chunks - 2)
    assert.is_true(edited:undo())
    assert.is_true(edited:encode() == stored)
    local again <close> = assert(lathe.new("geometry", edited:totable()))
    assert.is_true(again:encode() == stored, "what level 6 would pack otherwise is kept")
    assert.is_true(#edited.raw > #stored - 200)
  end)
end)

describe("an edit", function()
  for _, form in ipairs { "plain", "packed" } do
    it("appends rows, " .. form, function()
      local doc <close> = open(form, { history = 20 })
      local row = doc.rows:append {
        positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } },
        normals = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 } },
        uvs = { { 0, 0 }, { 1, 0 }, { 0, 1 } },
        colors = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 } },
        triangles = { { 0, 1, 2 } },
      }
      assert.same({ 244, 3, 3 }, { row.data_offset, row.num_vertices, row.num_indices })
      assert.same({ "position", "uv", "normal", "color" }, lathe.names(row, "attributes"))
      assert.same({ { 0, 0 }, { 1, 0 }, { 0, 1 } }, all(row.uvs))
      assert.same({ 0, 1, 0, 1 }, { row.colors:row(2) })
      local raw = doc.rows:append { vertex_desc = 0x0000900000020003, num_vertices = 3, num_indices = 3,
        data = sample.stream:sub(1, 42) }
      assert.equal(244 + 3 * 20 + 6, raw.data_offset)
      local copy = doc.rows:append(doc.rows[2])
      assert.equal(sample.stream:sub(43, 166), copy.data)
      local other <close> = open "plain"
      assert.equal(sample.stream:sub(167), doc.rows:append(other.rows[3]).data)
      assert.equal(7, #doc.rows)
      agree(doc)
      for _ = 1, 4 do assert.is_true(doc:undo()) end
      assert.equal(sample[form], doc:encode())
    end)

    it("replaces a row by one of the same size, " .. form, function()
      local doc <close> = open(form, { history = 20 })
      doc.rows[1].triangles = { { 2, 1, 0 } }
      doc.rows[1] = { data = sample.stream:sub(1, 36) .. "\1\0\2\0\0\0" }
      assert.same({ { 1, 2, 0 } }, all(doc.rows[1].triangles))
      -- Other counts and another descriptor that come to as many bytes.
      doc.rows[1] = { vertex_desc = 0x0000100000000002, num_vertices = 3, num_indices = 9,
        data = ("\0"):rep(24) .. ("\0\0\1\0\2\0"):rep(3) }
      assert.equal(3, doc.rows[1].num_vertices)
      assert.same({ { 0, 1, 2 }, { 0, 1, 2 }, { 0, 1, 2 } }, all(doc.rows[1].triangles))
      agree(doc)
      for _ = 1, 3 do assert.is_true(doc:undo()) end
      assert.equal(sample[form], doc:encode())
      for _ = 1, 3 do assert.is_true(doc:redo()) end
      agree(doc)
    end)

    it("gives the last row any size, and removes it, " .. form, function()
      local doc <close> = open(form, { history = 20 })
      doc.rows[3] = doc.rows[1]
      assert.same({ 166, 3, 42 }, { doc.rows[3].data_offset, doc.rows[3].num_vertices, #doc.rows[3].data })
      doc.rows[3].positions = { { 1, 1, 1 }, { 2, 2, 2 }, { 3, 3, 3 }, { 4, 4, 4 } }
      doc.rows[3].uvs = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 } }
      doc.rows[3].normals = nil
      assert.same({ "position", "uv" }, lathe.names(doc.rows[3], "attributes"))
      agree(doc)
      local gone = doc.rows:remove()
      assert.equal(4, gone.num_vertices)
      doc.rows[#doc.rows] = nil
      assert.same({ 1, 42 }, { #doc.rows, doc.stream_size })
      agree(doc)
      doc.rows:append(gone)
      doc.rows:resize(0)
      assert.equal(0, doc.stream_size)
      agree(doc)
      while doc:undo() do end
      assert.equal(sample[form], doc:encode())
    end)
  end

  it("that would move a row is refused", function()
    local doc <close> = open("packed", { history = 5 })
    local rows = doc.rows
    raises("rows at 0x14: only the last row can be removed: a row's offset is its name in other files; to leave rows "
      .. "out, convert the group files to another geometry file", function() rows:remove(1) end)
    raises("rows at 0x14: rows can only be appended: a row's offset is its name in other files",
      function() rows:insert(1) end)
    raises("rows", function() rows:move(1, 2) end)
    raises("rows[1].data at 0x14: 42 bytes of data expected, got 54: only the last row can change its size, as a row's "
      .. "offset is its name in other files; append a row, or convert the group files to another geometry file",
      function() rows[1].positions = { { 0, 0, 0 }, { 1, 1, 1 }, { 2, 2, 2 }, { 3, 3, 3 } } end, true)
    raises("rows[1].data at 0x14: 42 bytes of data expected, got 36", function() rows[1].triangles = {} end)
    raises("rows[1].data at 0x14: 42 bytes of data expected, got 54",
      function() rows[1].uvs = { { 0, 0 }, { 0, 0 }, { 0, 0 } } end)
    raises("rows[2].vertex_desc at 0x2c: 5 vertices of 28 bytes", function() rows[2].num_vertices = 5 end)
    raises("rows[1].data_offset: read-only: other files know the row by it", function() rows[1].data_offset = 1 end)
    raises("rows[5].data_offset at 0x64: it begins where the row in front of it does: give that one data first",
      function() rows:resize(5) end)
    raises("rows[1].triangles at 0x14: row 1: there is no vertex 3 (from 0) of 3",
      function() rows[1].triangles = { { 0, 1, 3 } } end)
    raises("doc:convert{ to = \"csg\" } changes it", function() doc.form = "psg" end)
    assert.is_false(doc.modified)
    assert.equal(sample.packed, doc:encode())
  end)

  it("of many rows is one step, and what fails half-way leaves nothing", function()
    local doc <close> = open("packed", { history = 5 })
    doc:edit(function()
      for i = 1, 50 do
        doc.rows:append { positions = { { i, 0, 0 }, { 0, i, 0 }, { 0, 0, i } }, triangles = { { 0, 1, 2 } } }
      end
    end)
    assert.equal(53, #doc.rows)
    assert.same({ 50, 0, 0 }, { doc.rows[53].positions:row(1) })
    agree(doc)
    pcall(function()
      doc:edit(function()
        doc.rows:append(doc.rows[1])
        doc.rows[2].triangles = { { 0, 0, 0 }, { 0, 0, 0 } }
        error "no"
      end)
    end)
    assert.equal(53, #doc.rows)
    agree(doc)
    assert.is_true(doc:undo())
    assert.equal(sample.packed, doc:encode())
  end)

  it("is looked at as a whole, whatever happens in between", function()
    local doc <close> = open("packed", { history = 5 })
    local long = big({ 9000 }).rows[1]
    for _, between in ipairs {
      function() doc.rows:append(long) doc:encode() end, -- the table of chunks grows in front of the rows
      function() assert(doc:convert { to = "psg" }) end,
      function() end,
    } do
      local ok, err = pcall(function()
        doc:edit(function()
          doc.rows[2].num_vertices = 5
          between()
        end)
      end)
      assert.is_false(ok)
      assert.match("rows%[2%]%.vertex_desc at 0x%x+: 5 vertices of 28 bytes", tostring(err))
      assert.equal(sample.packed, doc:encode())
    end
    doc:edit(function()
      doc.rows:append(long)
      assert.equal(#doc:encode(), doc.size)
      agree(doc)
      doc.rows:remove()
      doc.rows[1].triangles = { { 1, 2, 0 } }
    end)
    agree(doc)
    assert.is_true(doc:undo())
    assert.equal(sample.packed, doc:encode())
  end)

  -- xorshift: the same numbers everywhere.
  local function dice(seed)
    return function(n)
      seed = seed ~ (seed << 13)
      seed = seed ~ (seed >> 7)
      seed = seed ~ (seed << 17)
      return (seed >> 11) % n
    end
  end

  local function one(doc, random)
    local what, n = random(8), #doc.rows
    if what == 0 and n > 1 then
      doc.rows:remove()
    elseif what <= 2 then
      doc.rows:append(big({ 3 + random(4000) }).rows[1])
    elseif what == 3 and n > 0 then
      doc.rows[n] = doc.rows[1 + random(n)]
    elseif what == 4 then
      assert(doc:convert { to = random(2) == 0 and "psg" or "csg" })
    elseif what == 5 then
      doc:undo()
    elseif n > 0 then
      local row = doc.rows[1 + random(n)]
      local positions = row.positions
      for _ = 1, 3 do positions[1 + random(#positions)] = random(2048) end
      row.positions = positions
    end
  end

  for seed = 1, 10 do
    it("by chance keeps the rest, as the plain reader sees it: " .. seed, function()
      local random = dice(seed * 7919)
      local doc <close> = seed % 2 == 0 and big({ 4000, 2000, 4000 }, seed % 4 == 0 and "psg" or "csg") or open "packed"
      local start = doc:encode()
      local undoable <close> = assert(lathe.parse(start, { history = 100 }))
      for _ = 1, 12 do
        local before = reader.tables(undoable:encode())
        local rows = #undoable.rows
        one(undoable, random)
        local after = reader.tables(undoable:encode())
        for i = 1, math.min(rows, #undoable.rows) do assert.equal(before.rows[i][1], after.rows[i][1], "row " .. i) end
      end
      local bytes = agree(undoable)
      local again <close> = assert(lathe.parse(bytes))
      agree(again)
      while undoable:undo() do end
      assert.is_true(undoable:encode() == start)
    end)
  end
end)

describe("the other form", function()
  it("has the same rows, there and back", function()
    local doc <close> = open("packed", { history = 5 })
    local report = assert(doc:convert { to = "psg" })
    assert.equal(1, report.changed)
    assert.equal(sample.plain, doc:encode())
    assert.same({ #sample.plain, "psg" }, { doc.size, doc.form })
    assert.is_nil(doc.chunks)
    assert.equal(0, assert(doc:convert "psg").changed)
    assert(doc:convert { to = "csg" })
    assert.equal(sample.packed, doc:encode())
    while doc:undo() do end
    assert.equal(sample.packed, doc:encode())
    local err = select(2, doc:convert { to = "obj" })
    assert.equal("'to' of convert is one of psg, csg", tostring(err))
  end)

  it("of nothing is nothing", function()
    local doc <close> = open "empty_packed"
    assert(doc:convert { to = "psg" })
    assert.equal(sample.empty_plain, doc:encode())
    assert(doc:convert { to = "csg" })
    assert.equal(sample.empty_packed, doc:encode())
  end)
end)

describe("a new geometry file", function()
  it("is made of tables, in either form", function()
    local rows = { { positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, triangles = { { 0, 1, 2 } } } }
    local doc <close> = assert(lathe.new("geometry", { rows = rows }))
    assert.same({ "csg", 1, 30 }, { doc.form, #doc.rows, doc.stream_size })
    local plain <close> = assert(lathe.new("geometry", { form = "psg", rows = rows }))
    assert.equal(8 + 20 + 30, #plain:encode())
    agree(doc)
    agree(plain)
    local empty <close> = assert(lathe.new("geometry", {}))
    assert.equal(sample.empty_packed, empty:encode())
  end)

  it("refuses what is none", function()
    local function refused(fields) return tostring(select(2, lathe.new("geometry", fields))) end
    local doc <close> = open "plain"
    local rows = doc:totable().rows
    table.remove(rows, 1)
    assert.equal("rows[1].data_offset at 0xc: 42 is given, but the rows in front of it end at 0: leave data_offset out to "
      .. "have rows put one behind the other", refused { rows = rows })
    for _, row in ipairs(rows) do row.data_offset = nil end
    local built <close> = assert(lathe.new("geometry", { rows = rows, form = "psg" }))
    assert.equal(0, built.rows[1].data_offset)
    assert.equal(sample.stream:sub(43), built:encode():sub(49))
    rows[1].num_vertices = 7
    assert.match("rows%[1%]%.vertex_desc at 0x10: 7 vertices of 28 bytes", refused { rows = rows })
    assert.match("no field 'row' in geometry; did you mean 'rows'%?", refused { row = {} })
    assert.match("no field 'position' in geometry_row; did you mean 'positions'%?",
      refused { rows = { { position = {} } } })
    assert.match("geometry_row expected", refused { rows = { 5 } })
    assert.match("a list expected", refused { rows = 5 })
    assert.match("form", refused { form = "obj" })
  end)
end)

describe("a geometry file on disk", function()
  local function write(form)
    local folder = helper.tmpdir()
    local path = folder .. "/Some Mod - Geometry." .. (form == "plain" and "psg" or "csg")
    helper.write(path, sample[form])
    return path
  end

  for _, form in ipairs { "plain", "packed" } do
    it("is saved over itself and elsewhere, and history still fits, " .. form, function()
      local path = write(form)
      local doc <close> = assert(lathe.open(path, { history = 50 }))
      local other = path .. ".copy.csg"
      doc.rows[1].triangles = { { 2, 1, 0 } }
      assert(doc:save())
      assert.equal(doc:encode(), helper.read(path))
      assert.is_false(doc.modified)
      doc.rows:append(doc.rows[2])
      assert(doc:save(other))
      assert.equal(doc:encode(), helper.read(other))
      assert(doc:save(path, { backup = true }))
      assert.equal(doc:encode(), helper.read(path))
      local newest = doc:encode()
      while doc:undo() do end
      assert.equal(sample[form], doc:encode())
      while doc:redo() do end
      assert.equal(newest, doc:encode())
      doc:undo()
      assert(doc:save())
      agree(doc)
      assert.equal(doc:encode(), helper.read(path))
      local again <close> = assert(lathe.open(path))
      assert.same(all(doc.rows[1].triangles), all(again.rows[1].triangles))
    end)

    it("that was converted and saved over itself has lost its history, and is the new file, " .. form, function()
      local path = write(form)
      local doc <close> = assert(lathe.open(path, { history = 50 }))
      assert(doc:convert { to = form == "plain" and "csg" or "psg" })
      assert(doc:save())
      assert.equal(sample[form == "plain" and "packed" or "plain"], helper.read(path))
      assert.is_false(doc:undo())
      agree(doc)
      assert(doc:convert { to = form == "plain" and "psg" or "csg" })
      assert(doc:save())
      assert.equal(sample[form], helper.read(path))
    end)

    it("that somebody else changed is not read any more, " .. form, function()
      local path = write(form)
      local doc <close> = assert(lathe.open(path))
      helper.write(path, sample[form] .. "x")
      assert.equal(3, doc.rows[1].num_vertices)
      local changed = path .. ": the file on disk has changed since it was opened: open it again"
      local ok, err = pcall(function() return doc.rows[1].positions end)
      assert.is_false(ok)
      assert.same({ "io", "rows[1].positions" }, { err.code, err.where })
      assert.match("the file on disk has changed since it was opened: open it again", tostring(err))
      assert.equal(changed, tostring(select(2, doc:encode())))
      assert.is_nil(doc:save(path .. ".csg"))
      assert.is_false(helper.exists(path .. ".csg"))
    end)

    it("that was replaced is not read any more, " .. form, function()
      local path = write(form)
      local doc <close> = assert(lathe.open(path))
      helper.write(path .. ".new", sample[form])
      assert(os.rename(path .. ".new", path))
      assert.is_false(pcall(function() return doc.rows[1].positions end))
      local again <close> = assert(lathe.open(path))
      assert.equal(3, again.rows[1].positions.rows)
      os.remove(path)
      assert.is_false(pcall(function() return again.rows[2].positions end))
    end)
  end

  it("may be larger than is allowed", function()
    local path = write "plain"
    assert.equal(path .. ": the file has more than the 300 bytes that are allowed",
      tostring(select(2, lathe.open(path, { limit = 300 }))))
    local doc <close> = assert(lathe.open(path, { limit = #sample.plain }))
    assert.equal(3, #doc.rows)
  end)

  it("is known by what it begins with, whatever its name", function()
    local path = helper.tmpdir() .. "/x.nif"
    helper.write(path, sample.packed)
    local doc <close> = assert(lathe.open(path))
    assert.equal("geometry", doc.format)
    helper.write(path, "bcsg\xff\xff\xff\xff\xff\xff\xff\xff")
    assert.match("num_rows at 0x4: truncated: tables of 120259084272 bytes, the file has 12",
      tostring(select(2, lathe.open(path))))
    assert.match("form at 0x0: not a geometry file",
      tostring(select(2, lathe.open(helper.write(path, "x"), { format = "geometry" }))))
  end)
end)
