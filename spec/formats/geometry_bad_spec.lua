-- Geometry files that lie: chunk tables, zlib streams, rows, descriptors, counts. Each is refused or told by name, its place
-- and its offset; the rest of the file stays usable.

local damage = require "format_damage"
local lathe = require "lathe"
local reader = require "geometry_reader"
local sample = require "sample_geometry"

local function parse(bytes)
  return lathe.parse(bytes, { format = "geometry", path = "bad.geometry" })
end

local function findings(doc, options)
  local _, list = doc:check(options)
  local texts = {}
  for i, found in ipairs(list) do
    texts[i] = ("%s %s"):format(found.level, tostring(found):gsub("^bad%.geometry: ", ""))
  end
  return texts
end

local function fails(fn)
  local ok, err = pcall(fn)
  assert.is_false(ok)
  assert.is_table(err, tostring(err))
  return (tostring(err):gsub("^bad%.geometry: ", ""))
end

-- Three chunks, each with a row of its own: positions in halves, and four triangles.
local VERTICES = 8189
local function three()
  local file = { rows = {}, stream = "" }
  local pieces = {}
  for i = 1, 3 do
    file.rows[i] = { 65536 * (i - 1), 0x0000100000000002, VERTICES, 12 }
    pieces[i] = string.char(i):rep(VERTICES * 8) .. ("<I2I2I2"):pack(0, 1, VERTICES - 1):rep(4)
  end
  file.stream = table.concat(pieces)
  return file
end

describe("a damaged geometry file", function()
  for _, name in ipairs { "plain", "packed", "empty_plain", "empty_packed" } do
    it(name .. ": every prefix is refused with an offset, or read and kept", function()
      damage.prefixes("geometry", sample[name])
    end)
    it(name .. ": every number at its extremes", function()
      damage.extremes("geometry", sample[name])
    end)
    it(name .. ": random bytes", function()
      damage.flips("geometry", sample[name], 1000, 20261)
    end)
  end
end)

describe("tables of a geometry file", function()
  it("that do not fit into it are refused", function()
    local function refusal(bytes)
      local doc, err = parse(bytes)
      assert.is_nil(doc)
      return tostring(err)
    end
    assert.equal("bad.geometry: form at 0x0: not a geometry file: it begins with neither 'bpsg' nor 'bcsg'",
      refusal "bpsx\0\0\0\0")
    assert.equal("bad.geometry: num_rows at 0x4: truncated: tables of 8 bytes, the file has 5", refusal "bpsg\0")
    assert.equal("bad.geometry: num_rows at 0x4: truncated: tables of 85899345908 bytes, the file has 8",
      refusal "bpsg\xff\xff\xff\xff")
    assert.equal("bad.geometry: num_rows at 0x4: truncated: tables of 34359738372 bytes, the file has 12",
      refusal "bcsg\0\0\0\0\xff\xff\xff\xff")
  end)

  it("may put chunks where none can be: those are told, others are read", function()
    local file = three()
    local size = #reader.store(("x"):rep(65536))
    file.entries = { nil, { size, 0xFFFFFF00 } }
    local doc <close> = assert(parse(reader.packed(file)))
    local whole = doc.size
    local told = ("chunk 2 of 3: the table puts %d bytes at 0xffffff00, outside of 0x60 .. 0x%x"):format(size, whole)
    assert.equal("rows[2].positions at 0xffffff00: " .. told, fails(function() return doc.rows[2].positions end))
    assert.equal(VERTICES, doc.rows[1].positions.rows)
    assert.equal(VERTICES, doc.rows[3].positions.rows)
    local list = findings(doc)
    assert.equal("error chunks[2] at 0xffffff00: " .. told, list[1])
    file.entries = { nil, { 0x7FFFFFF, nil } }
    local other <close> = assert(parse(reader.packed(file)))
    assert.match("chunk 2 of 3: the table puts 134217727 bytes at 0x", fails(function() return other.rows[2].data end))
  end)

  it("may tell of more packed bytes than a chunk can have", function()
    local file = three()
    file.tail = ("z"):rep(200000)
    file.entries = { nil, nil, { 131073 } }
    local doc <close> = assert(parse(reader.packed(file)))
    assert.match("chunk 3 of 3: 131073 packed bytes, more than a chunk of 65536 can become",
      fails(function() return doc.rows[3].positions end))
    assert.equal(VERTICES, doc.rows[2].positions.rows)
    local list = findings(doc)
    assert.same({ 2, true }, { #list, list[1]:find("error chunks[3] at ", 1, true) == 1 })
    assert.match("warning chunks at 0xc: %d+ bytes behind the last chunk belong to none", list[2])
  end)

  it("with chunks in each other, gaps and bytes behind the last one are told, and the file is kept", function()
    local file = three()
    local size = #reader.store(("x"):rep(65536))
    file.gap, file.tail, file.entries = "gap", "tail", { nil, nil, { size, 99 + size } }
    local bytes = reader.packed(file)
    local doc <close> = assert(parse(bytes))
    assert.same({
      "warning chunks[1] at 0xc: 3 bytes in front of it belong to no chunk",
      ("error chunks[3] at 0x1c: it begins at 0x%x, inside of the chunk in front of it, which ends at 0x%x")
        :format(99 + size, 99 + 2 * size),
      ("warning chunks at 0xc: %d bytes behind the last chunk belong to none"):format(size + 4),
    }, findings(doc, { tables = true }))
    assert.equal(bytes, doc:encode())
    assert.match("doc:convert{ to = \"csg\" } puts them in order", fails(function() doc.rows:append() end))
    local again <close> = assert(lathe.new("geometry", doc:totable()))
    assert.equal(bytes, again:encode())
  end)

  it("that are untidy are put in order by convert, and rows stay", function()
    local file = three()
    file.gap, file.tail = "gap", "tail"
    local doc <close> = assert(lathe.parse(reader.packed(file), { history = 3 }))
    assert(doc:convert { to = "csg" })
    file.gap, file.tail = nil, nil
    assert.equal(reader.packed(file), doc:encode())
    doc.rows:append()
    assert.is_true(doc:undo() and doc:undo())
    file.gap, file.tail = "gap", "tail"
    assert.equal(reader.packed(file), doc:encode())
  end)
end)

describe("a chunk", function()
  local function with(chunk, k)
    local file = three()
    local pieces = {}
    for i = 1, 3 do pieces[i] = reader.store(file.stream:sub(65536 * i - 65535, 65536 * i)) end
    pieces[k or 2] = chunk
    file.chunks = pieces
    return parse(reader.packed(file))
  end
  local at2 = 12 + 24 + 60 + #reader.store(("x"):rep(65536))

  local function told(chunk, what)
    local doc <close> = assert(with(chunk))
    local row = doc.rows[2]
    assert.equal("rows[2].positions " .. what, fails(function() return row.positions end))
    assert.equal("rows[2].triangles " .. what, fails(function() return row.triangles end))
    assert.equal("rows[2].data " .. what, fails(function() return row.data end))
    assert.same({ "error chunks[2] " .. what }, findings(doc))
    assert.equal(VERTICES, doc.rows[1].positions.rows)
  end

  it("that unpacks to too few bytes is told", function()
    told(reader.store(("x"):rep(65535)),
      ("at 0x%x: chunk 2 of 3: it unpacks to 65535 bytes instead of 65536"):format(at2))
  end)

  it("that unpacks to too many bytes is no bomb", function()
    told(reader.store(("x"):rep(65537)), ("at 0x%x: chunk 2 of 3: it decompresses to more than 65536 bytes"):format(at2))
  end)

  it("whose stream ends early, or is none, is told", function()
    told(reader.store(("x"):rep(65536)):sub(1, -3), ("at 0x%x: chunk 2 of 3: it ends early"):format(at2))
    told("no zlib stream at all", ("at 0x%x: chunk 2 of 3: incorrect header check"):format(at2))
    told("", ("at 0x%x: chunk 2 of 3: it ends early"):format(at2))
    local good = reader.store(("x"):rep(65536))
    told(good:sub(1, -2) .. "\xff", ("at 0x%x: chunk 2 of 3: incorrect data check"):format(at2))
  end)

  it("with bytes behind the end of its stream is read, and told as a warning", function()
    local file = three()
    local doc <close> = assert(with(reader.store(file.stream:sub(65537, 131072)) .. "more"))
    assert.equal(VERTICES, doc.rows[2].positions.rows)
    assert.same({ "warning chunks[2] at 0x14: 4 bytes behind the end of its zlib stream" }, findings(doc))
  end)

  it("that is the last one and damaged leaves the other rows readable", function()
    local doc <close> = assert(with("xx", 3))
    assert.is_nil(doc.stream_size)
    assert.equal(VERTICES, doc.rows[1].positions.rows)
    assert.match("chunk 3 of 3: ", fails(function() return doc.rows[3].positions end))
    assert.match("chunk 3 of 3: ", fails(function() doc.rows:append() end))
    local at3 = 12 + 24 + 60 + 2 * #reader.store(("x"):rep(65536))
    local told_once = { ("error chunks[3] at 0x%x: chunk 3 of 3: incorrect header check"):format(at3) }
    assert.same(told_once, findings(doc, { tables = true }))
    assert.same(told_once, findings(doc))
  end)

  it("that is the last one and damaged does not keep the file from being written in the middle of an edit", function()
    local doc <close> = assert(with("xx", 3))
    local before, size = doc:encode(), doc.size
    doc:edit(function()
      assert.equal(before, doc:encode())
      fails(function() doc.rows:append() end)
      assert.equal(before, doc:encode())
      doc.rows[1].num_indices = 12
      assert.same({ before, size }, { doc:encode(), doc.size })
    end)
    assert.equal(before, doc:encode())
  end)

  it("keeps its place and its size, as they follow from the stream", function()
    local doc <close> = assert(parse(reader.packed(three())))
    for _, name in ipairs { "packed_size", "offset" } do
      assert.has_error(function() doc.chunks[2][name] = 2 end,
        ("chunks[2].%s: read-only: it follows from the stream"):format(name))
    end
  end)
end)

describe("a row", function()
  local function rows_of(change)
    local file = reader.read(sample.plain)
    change(file.rows)
    return parse(reader.plain(file))
  end
  local function told(change, what, i, level)
    local doc = assert(rows_of(change))
    local list = findings(doc)
    assert.truthy(table.concat(list, "\n"):find((level or "error") .. " " .. what, 1, true), table.concat(list, "\n"))
    if not level then
      assert.equal(what, fails(function() return doc.rows[i].positions end))
    end
    return doc
  end

  it("whose counts are not those of its data is told", function()
    local doc = told(function(rows) rows[2][3] = 5 end, "rows[2].vertex_desc at 0x20: 5 vertices of 28 bytes (descriptor "
      .. "0x0041b00000650407) and 6 indices are 152 bytes, its data have 124", 2)
    assert.equal(3, doc.rows[1].positions.rows)
    assert.equal(3, doc.rows[3].triangles.rows * 3)
    told(function(rows) rows[3][4] = 0xFFFFFFFF end, "rows[3].vertex_desc at 0x34: 3 vertices of 32 bytes (descriptor "
      .. "0x0043b00007650408) and 4294967295 indices are 8589934686 bytes, its data have 78", 3)
    told(function(rows) rows[1][3] = 0xFFFFFFFF end, "rows[1].vertex_desc at 0xc: 4294967295 vertices of 12 bytes "
      .. "(descriptor "
      .. "0x0000900000020003) and 3 indices are 51539607546 bytes, its data have 42", 1)
  end)

  it("out of order, over another one or behind the stream's end is told", function()
    told(function(rows) rows[2][1] = 200 end,
      "rows[2].data_offset at 0x1c: it begins at byte 200 of the stream, behind the next row at 166", 2)
    told(function(rows) rows[2][1] = 0 end, "rows[1].vertex_desc at 0xc: 3 vertices of 12 bytes (descriptor "
      .. "0x0000900000020003) and 3 indices are 42 bytes, its data have 0", 1)
    told(function(rows) rows[3][1] = 300 end,
      "rows[3].data_offset at 0x30: its data, bytes 300 .. 244, leave the stream of 244 bytes", 3)
    told(function(rows) rows[3][1] = 300 end,
      "rows[2].data_offset at 0x1c: its data, bytes 42 .. 300, leave the stream of 244 bytes", 2)
  end)

  it("whose descriptor makes no sense is told, and its bytes are there", function()
    local senseless = "rows[1].vertex_desc at 0xc: descriptor 0x0001f00000020003: what it names does not fill a vertex "
      .. "of 12 bytes"
    local doc <close> = assert(rows_of(function(rows) rows[1][2] = 0x0001F00000020003 end))
    assert.equal(senseless, fails(function() return doc.rows[1].positions end))
    assert.same({ "warning rows[1].vertex_desc at 0xc: what the descriptor names does not fill a vertex" }, findings(doc))
    assert.equal(42, #doc.rows[1].data)
    local none <close> = assert(rows_of(function(rows) rows[1][2] = 0 end))
    assert.match("3 vertices of 0 bytes", fails(function() return none.rows[1].positions end))
  end)

  it("whose indices are no triangles, or name no vertex, is told", function()
    local doc <close> = assert(rows_of(function(rows) rows[1][3], rows[1][4] = 2, 9 end))
    assert.same({ "error rows[1] at 0x8: triangle 1: there is no vertex 15360 (from 0) of 2" },
      findings(doc))
    local odd <close> = assert(rows_of(function(rows) rows[1][3], rows[1][4] = 0, 21 end))
    assert.match("error rows%[1%] at 0x8: triangle 1: there is no vertex 0 %(from 0%) of 0",
      table.concat(findings(odd), "\n"))
    local broken <close> = assert(rows_of(function(rows) rows[3][3], rows[3][4] = 2, 15 end))
    assert.equal(5, broken.rows[3].triangles.rows)
    local part <close> = assert(rows_of(function(rows)
      rows[2][2], rows[2][3], rows[2][4] = 0x0000900000020003, 10, 2
    end))
    assert.equal("rows[2].num_indices at 0x2c: 2 indices are no whole number of triangles",
      fails(function() return part.rows[2].triangles end))
    assert.match("warning rows%[2%]%.num_indices at 0x2c: no whole number of triangles",
      table.concat(findings(part), "\n"))
  end)

  it("leaves bytes in front of the first one to nobody, which is told", function()
    local doc <close> = assert(rows_of(function(rows) table.remove(rows, 1) end))
    assert.same({ "warning rows at 0x8: the first 42 bytes of the stream belong to no row" }, findings(doc))
    local again <close> = assert(lathe.new("geometry", doc:totable()))
    assert.equal(doc:encode(), again:encode())
  end)
end)
