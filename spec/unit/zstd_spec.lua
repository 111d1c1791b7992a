-- Files that are compressed with zstd: any format, by content.

local helper = require "helper"
local lathe = require "lathe"
local geometry = require "sample_geometry"
local solid = require "sample_solid"
local zstd = require "sample_zstd"

local square = solid.square
local DICTIONARY = { bytes = zstd.dictionary }

local function parse(bytes, opts) return assert(lathe.parse(bytes, opts)) end

-- The square with its first corner moved.
local function moved()
  local doc <close> = parse(square)
  doc.vertices[1].x = -2
  return doc:encode()
end

local function content(bytes, opts)
  local doc <close> = parse(bytes, opts)
  doc.compression = nil
  return doc:encode()
end

describe("a compressed file", function()
  it("opens as what it holds", function()
    local bytes = zstd.frame(square)
    local doc <close> = parse(bytes, { path = "square.solid.zs" })
    assert.same({ "solid", "zstd", #bytes, false }, { doc.format, doc.compression, doc.size, doc.modified })
    assert.equal("solid document square.solid.zs, " .. #bytes .. " bytes", tostring(doc))
    assert.equal(bytes, doc:encode())
    assert.equal(-1, doc.vertices[1].x)
    assert.same({ 4, 4 }, { lathe.span(doc.vertices[1], "x") }) -- in what it holds
    local vertex, field = doc:at(#square - 1)
    assert.truthy(vertex and field)
    local _, err = doc:at(#square)
    assert.equal(("at 0x%x: the document has %d bytes"):format(#square, #square), tostring(err))
    local plain <close> = parse(square)
    assert.is_nil(plain.compression)
  end)

  it("has frames and blocks of all kinds, with a checksum or without", function()
    local half = #square // 2
    for name, bytes in pairs {
      single = zstd.frame(square, { single = true }),
      unsized = zstd.frame(square, { size = false }),
      checksum = zstd.frame(square, { sum = true }),
      several = zstd.frame(square:sub(1, half)) .. zstd.frame(square:sub(half + 1), { size = false }),
      between = zstd.frame(square:sub(1, half)) .. zstd.skippable("any") .. zstd.frame(square:sub(half + 1))
        .. zstd.skippable("", 15),
      tiny = zstd.frame(square, { piece = 1 }),
      empty = zstd.frame("") .. zstd.frame(square),
      rle = zstd.around(zstd.block("raw", square:sub(1, 2)) .. zstd.block("rle", square:sub(3, 3), 1)
        .. zstd.block("raw", square:sub(4), nil, true)),
    } do
      local doc <close> = parse(bytes)
      assert.equal(bytes, doc:encode(), name)
      assert.equal(square, content(bytes), name)
      assert.is_true(doc:check(), name)
    end
  end)

  it("stays compressed where it is changed: one frame with its size, and a checksum if there was one", function()
    for _, sum in ipairs { true, false } do
      local doc <close> = parse(zstd.frame(square, { sum = sum or nil }))
      doc.vertices[1].x = -2
      assert.is_true(doc.modified)
      local bytes = doc:encode()
      local head = zstd.head(bytes)
      assert.same({ #square, sum, nil }, { head.size, head.checksum, head.id })
      assert.is_true(#bytes < #square)
      assert.equal(#bytes, doc.size)
      assert.equal(moved(), content(bytes))
    end
  end)

  it("has its own bytes again once changes are undone", function()
    local bytes = zstd.frame(square)
    local doc <close> = parse(bytes, { history = 5 })
    doc.vertices[1].x = -1
    assert.equal(bytes, doc:encode())
    doc.vertices[1].x = -2
    local other = doc:encode()
    assert.is_true(doc:undo())
    assert.same({ #bytes, false }, { doc.size, doc.modified })
    assert.equal(bytes, doc:encode())
    assert.is_true(doc:redo())
    assert.equal(other, doc:encode())
    pcall(doc.edit, doc, function()
      doc.vertices[1].x = -3
      assert.not_equal(other, doc:encode())
      assert.equal(#doc:encode(), doc.size)
      error "no"
    end)
    assert.equal(other, doc:encode())
  end)

  it("may have an extension in front of .zs or .zst", function()
    for _, path in ipairs { "a.save.solid.zs", "A.SOLID.ZST", "solid.zs/a.solid" } do
      local doc <close> = parse(zstd.frame(solid.odd), { path = path })
      assert.equal("solid", doc.format)
    end
    local _, err = lathe.parse(zstd.frame "garbage", { path = "a.solid.zs" })
    assert.equal("a.solid.zs: solid at 0x0: 26465 vertices and 29282 triangles do not fit into 7 bytes", tostring(err))
    _, err = lathe.parse(zstd.frame "garbage!", { path = "a.zs" })
    assert.equal("a.zs: not a file of a known format", tostring(err))
    assert.is_nil((lathe.parse(zstd.frame(zstd.frame(square)), { path = "twice.solid" })))
  end)

  it("is opened with a forced format, too, and one that is read on demand is held in memory", function()
    local folder = helper.tmpdir()
    local path = helper.write(folder .. "/a.csg.zs", zstd.frame(geometry.packed, { sum = true }))
    for _, format in ipairs { "geometry", false } do
      local doc <close> = assert(lathe.open(path, { format = format or nil }))
      assert.same({ "geometry", "csg", "zstd" }, { doc.format, doc.form, doc.compression })
      assert.equal(helper.read(path), doc:encode())
      assert.is_true(doc:check())
      local positions = lathe.tobuffer(doc.rows[1].positions)
      assert.equal(3, positions.rows)
    end
    local doc <close> = assert(lathe.open(path))
    assert(doc.rows:remove(#doc.rows))
    assert(doc:save())
    local rows = #doc.rows
    local again <close> = assert(lathe.open(path))
    assert.same({ rows, "zstd" }, { #again.rows, again.compression })
    assert.is_true(zstd.head(helper.read(path)).checksum)
  end)

  it("is compressed or not as doc.compression says", function()
    local folder = helper.tmpdir()
    local path = folder .. "/square.solid"
    local doc <close> = parse(square)
    doc.compression = "zstd"
    assert.same({ true, "zstd" }, { doc.modified, doc.compression })
    local bytes = doc:encode()
    assert.same({ size = #square, checksum = false, bytes = 6 }, zstd.head(bytes))
    assert(doc:save(path))
    assert.equal(bytes, helper.read(path))
    assert.is_false(doc.modified)
    doc.compression = false
    assert.is_true(doc.modified)
    assert.equal(square, doc:encode())
    doc.compression = "zstd"
    assert.is_false(doc.modified)
    doc.compression = nil
    doc.compression = nil
    assert(doc:save(path, { backup = true }))
    assert.same({ square, bytes }, { helper.read(path), helper.read(path .. ".bak") })
    local packed <close> = parse(zstd.frame(square))
    packed.compression = nil
    assert.equal(square, packed:encode())
    packed.compression = "zstd"
    assert.equal(zstd.frame(square), packed:encode())
    assert.has_error(function() doc.compression = "zip" end, "no compression 'zip': only \"zstd\", or none")
    assert.has_error(function() doc.compression = 5 end, "'compression': \"zstd\" or nil expected, got number")
    local new <close> = assert(lathe.new("solid", { vertices = { { 1, 2, 3 } } }))
    new.compression = "zstd"
    assert.equal("\0\1\0\0\x3F\x80\0\0\x40\0\0\0\x40\x40\0\0", content(new:encode()))
  end)
end)

describe("a compressed file that is not whole", function()
  local function refused(bytes, code, text, opts)
    local doc, err = lathe.parse(bytes, opts)
    assert.is_nil(doc, text)
    assert.equal(text, tostring(err))
    assert.equal(code, err.code, text)
  end
  local frame = zstd.frame(square, { sum = true })

  it("ends early: at every byte", function()
    for n = 4, #frame - 1 do
      local doc, err = lathe.parse(frame:sub(1, n))
      assert.is_nil(doc)
      assert.equal("bounds", err.code, n)
      assert.truthy(err.message:find "^zstd frame: %d+ bytes needed, %d+ left$", err.message)
    end
    refused(frame:sub(1, 13), "bounds", "at 0xd: zstd frame: 100 bytes needed, 0 left")
    refused(frame:sub(1, -2), "bounds", ("at 0x%x: zstd frame: 4 bytes needed, 3 left"):format(#frame - 4))
  end)

  it("has something behind its last frame", function()
    refused(frame .. "rest", "invalid", ("at 0x%x: 4 bytes after the last zstd frame"):format(#frame))
    refused(frame .. "\0", "bounds", ("at 0x%x: zstd frame: 4 bytes needed, 1 left"):format(#frame))
    refused(frame .. zstd.skippable("abc"):sub(1, -2), "bounds",
      ("at 0x%x: zstd frame: 3 bytes needed, 2 left"):format(#frame + 8))
  end)

  it("contradicts itself", function()
    local last = frame:byte(-1)
    refused(frame:sub(1, -2) .. string.char(last ~ 1), "invalid",
      "at 0x0: zstd frame: the checksum of its content is wrong")
    refused(zstd.frame(square, { size = 100000 }), "invalid", ("at 0x0: zstd frame: its header says 100000 bytes, "
      .. "but its blocks hold at most %d"):format(#square))
    refused(zstd.frame(square, { size = #square - 1 }), "invalid",
      "at 0x0: zstd frame: its blocks are damaged, or need another dictionary")
    refused(zstd.frame(square, { flags = 8 }), "invalid", "at 0x4: zstd frame: its header sets the reserved bit")
    refused(zstd.around(zstd.block("reserved", "", 0, true)), "invalid",
      "at 0x6: zstd frame: a block of the reserved type")
    refused(zstd.around(zstd.block("rle", "a", 0x20001, true)), "invalid",
      "at 0x6: zstd frame: a block of 131073 bytes, where none may exceed 131072")
    refused(zstd.around(zstd.block("packed", ("\xFF"):rep(50), nil, true)), "invalid",
      "at 0x0: zstd frame: its blocks are damaged, or need another dictionary")
  end)

  it("holds more than may be", function()
    local MB = 1 << 20
    local bomb = zstd.bomb(65 * MB)
    assert.is_true(#bomb < 3000)
    refused(bomb, "limit", ("at 0x0: zstd frame: %d bytes decompress to more than the 67108864 that are allowed by "
      .. "default: set the option limit"):format(#bomb))
    local sized = zstd.bomb(65 * MB, true)
    refused(sized, "limit", ("at 0x0: zstd frame: %d bytes decompress to more than the 67108864 that are allowed by "
      .. "default: set the option limit"):format(#sized))
    refused(zstd.bomb(3 * MB), "limit", "at 0x0: zstd frame: it decompresses to more than the limit of 1000000 bytes",
      { limit = 1000000 })
    refused(zstd.bomb(3 * MB, true), "limit", "at 0x0: zstd frame: it decompresses to more than the limit of 3145727 bytes",
      { limit = 3 * MB - 1 })
    refused(zstd.frame(square) .. zstd.bomb(3 * MB), "limit",
      ("at 0x%x: zstd frame: it decompresses to more than the limit of 3145728 bytes"):format(#zstd.frame(square)),
      { limit = 3 * MB })
    refused(zstd.frame(square), "limit", #zstd.frame(square) .. " bytes, more than the limit of 100", { limit = 100 })
    local packed <close> = parse(square)
    packed.compression = "zstd"
    local small = packed:encode()
    refused(small, "limit", ("at 0x0: zstd frame: it decompresses to more than the limit of %d bytes"):format(#square - 1),
      { limit = #square - 1 })
    parse(small, { limit = #square }):close()
  end)
end)

describe("a dictionary", function()
  local with_id = zstd.frame(square, { id = zstd.ID })
  local function refusal(bytes, dictionary)
    local doc, err = lathe.parse(bytes, { path = "a.zs", dictionary = dictionary })
    assert.is_nil(doc)
    return tostring(err)
  end

  it("is needed where a frame names one", function()
    assert.equal("a.zs: at 0x0: zstd frame: it needs the dictionary with id 7, and none is given", refusal(with_id))
    assert.equal("a.zs: at 0x0: zstd frame: it needs the dictionary with id 7; what is given is no zstd dictionary",
      refusal(with_id, { bytes = "some text" }))
    for _, id in ipairs { 8, 300, 70000 } do
      assert.equal(("a.zs: at 0x0: zstd frame: it needs the dictionary with id %d; the one that is given has id 7")
        :format(id), refusal(zstd.frame(square, { id = id }), DICTIONARY))
    end
    assert.equal("a.zs: the zstd dictionary is damaged", refusal(with_id, { bytes = zstd.dictionary:sub(1, 20) }))
    local doc <close> = parse(with_id, { dictionary = DICTIONARY })
    assert.equal(with_id, doc:encode())
  end)

  it("is used again when the file is compressed anew, or for the first time", function()
    for _, bytes in ipairs { with_id, square } do
      local doc <close> = parse(bytes, { dictionary = DICTIONARY })
      doc.vertices[1].x = -2
      doc.compression = "zstd"
      local anew = doc:encode()
      assert.same({ zstd.ID, #square }, { zstd.head(anew).id, zstd.head(anew).size })
      assert.equal(moved(), content(anew, { dictionary = DICTIONARY }))
      assert.equal("a.zs: at 0x0: zstd frame: it needs the dictionary with id 7, and none is given", refusal(anew))
    end
    local doc <close> = parse(zstd.frame(square), { dictionary = DICTIONARY }) -- whose frame names none
    doc.vertices[1].x = -2
    assert.is_nil(zstd.head(doc:encode()).id)
    assert.equal(moved(), content(doc:encode()))
  end)

  it("may be any bytes, which have no id", function()
    local raw = { bytes = square:rep(3) }
    local doc <close> = parse(square, { dictionary = raw })
    doc.compression = "zstd"
    local bytes = doc:encode()
    assert.is_true(#bytes < 40)
    assert.is_nil(zstd.head(bytes).id)
    assert.equal("a.zs: at 0x0: zstd frame: its blocks are damaged, or need another dictionary", refusal(bytes))
    local again <close> = parse(bytes, { dictionary = raw })
    assert.equal(bytes, again:encode())
    again.vertices[1].x = -2
    assert.is_true(#again:encode() < 60)
    assert.equal(moved(), content(again:encode(), { dictionary = raw }))
  end)

  it("is a path, or bytes", function()
    local path = helper.write(helper.tmpdir() .. "/zs.zsdic", zstd.dictionary)
    local doc <close> = parse(with_id, { dictionary = path })
    assert.equal("zstd", doc.compression)
    local made <close> = assert(lathe.new("solid", {}, { dictionary = path }))
    made.compression = "zstd"
    assert.equal(zstd.ID, zstd.head(made:encode()).id)
    local none, err = lathe.parse(with_id, { dictionary = path .. ".not" })
    assert.is_nil(none)
    assert.equal(path .. ".not: cannot open: No such file or directory", tostring(err))
    assert.has_error(function() lathe.parse(with_id, { dictionary = 5 }) end,
      "'dictionary': a path or { bytes = ... } expected, got number")
    assert.has_error(function() lathe.parse(with_id, { dictionary = {} }) end,
      "'dictionary': bytes: a string expected, got nil")
    assert.has_error(function() lathe.parse(with_id, { dictionary = zstd.dictionary }) end,
      "'dictionary': a path holds no NUL byte; bytes go into { bytes = ... }")
  end)
end)
