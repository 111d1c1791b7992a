-- Buffers: typed rows and columns.

local lathe = require "lathe.core"
local helper = require "helper"

local limits = {
  u8 = { 0, 255 }, i8 = { -128, 127 }, u16 = { 0, 65535 }, i16 = { -32768, 32767 },
  u32 = { 0, 4294967295 }, i32 = { -2147483648, 2147483647 },
  u64 = { math.mininteger, math.maxinteger }, i64 = { math.mininteger, math.maxinteger },
}

describe("a buffer", function()
  it("is made of zeros, lists, rows or bytes", function()
    local b = lathe.buffer("f32", 2, 3)
    assert.same({ "f32", 2, 3, 6 }, { b.type, b.rows, b.columns, #b })
    assert.same({ 0, 0, 0, 0, 0, 0 }, b:totable())
    b = lathe.buffer("u16", 2, 3, { 1, 2, 3, 4, 5, 6 })
    assert.same({ 1, 2, 3, 4, 5, 6 }, b:totable())
    assert.same(b:totable(), lathe.buffer("u16", 2, 3, { { 1, 2, 3 }, { 4, 5, 6 } }):totable())
    assert.same(b:totable(), lathe.buffer("u16", 2, 3, b:pack()):totable())
    assert.same({ 1, 2 }, lathe.buffer("i8", 2, nil, { 1, 2 }):totable())
    assert.equal(0, #lathe.buffer("f64", 0, 3))
    assert.equal("", lathe.buffer("f64", 0, 3):pack())
    assert.equal("buffer u16 2 x 3", tostring(b))
    assert.equal("lathe.Buffer", getmetatable(b))
  end)

  it("is refused with other shapes and values", function()
    assert.has_error(function() lathe.buffer("f16", 1) end, "bad argument #1 to 'buffer' (invalid option 'f16')")
    assert.has_error(function() lathe.buffer("u8", -1) end)
    assert.has_error(function() lathe.buffer("u8", 1, 0) end)
    assert.has_error(function() lathe.buffer("u8") end)
    assert.has_error(function() lathe.buffer("u8", 2, 2, { 1, 2, 3 }) end, "4 values expected, got 3")
    assert.has_error(function() lathe.buffer("u8", 2, 2, { { 1, 2 } }) end, "2 values expected, got 1")
    assert.has_error(function() lathe.buffer("u8", 2, 2, { { 1, 2 }, { 3 } }) end, "2 values expected, got 1")
    assert.has_error(function() lathe.buffer("u8", 2, 2, { { 1, 2 }, 3 }) end, "row 2 is no list")
    assert.has_error(function() lathe.buffer("u16", 1, 1, "abc") end, "2 values expected, got 3")
    assert.has_error(function() lathe.buffer("u8", 1, 1, 1) end)
    assert.has_error(function() lathe.buffer("u8", 1, 1, { "1" }) end,
      "number expected at [1] of a buffer, got string")
  end)

  it("does not overflow", function()
    for _, rows in ipairs { math.maxinteger, math.maxinteger // 8, 1 << 62 } do
      for _, columns in ipairs { 8, 1 << 33, math.maxinteger } do
        local ok, err = pcall(lathe.buffer, "f64", rows, columns)
        assert.is_false(ok)
        assert.matches("too large", err)
      end
    end
    if helper.preload then return end -- ASan stops the program where malloc would refuse
    local ok, err = pcall(lathe.buffer, "u8", 1 << 50, 1)
    assert.is_false(ok)
    assert.equal("not enough memory", err)
  end)

  it("reads and writes elements of every type", function()
    for name, limit in pairs(limits) do
      local b = lathe.buffer(name, 1, 2)
      b[1], b[2] = limit[1], limit[2]
      assert.same(limit, b:totable(), name)
      if #name < 4 and not name:find("64") then
        assert.has_error(function() b[1] = limit[1] - 1 end,
          ("%d at [1] does not fit into %s"):format(limit[1] - 1, name))
        assert.has_error(function() b[2] = limit[2] + 1 end)
      end
      assert.has_error(function() b[1] = 1.5 end, "1.5 at [1] does not fit into " .. name)
      b[1] = 7.0
      assert.equal(7, b[1])
      assert.equal("integer", math.type(b[1]))
    end
    local f = lathe.buffer("f32", 1, 1)
    f[1] = 0.1
    assert.equal(string.unpack("f", string.pack("f", 0.1)), f[1])
    f[1] = 1
    assert.equal("float", math.type(f[1]))
    f[1] = -math.huge
    assert.equal(-math.huge, f[1])
    f[1] = 0 / 0
    assert.is_true(f[1] ~= f[1])
    assert.has_error(function() f[1] = 1e39 end, "1e+39 at [1] does not fit into f32")
    local d = lathe.buffer("f64", 1, 1)
    d[1] = 1e39
    assert.equal(1e39, d[1])
    assert.has_error(function() d[1] = "1" end, "number expected at [1] of a buffer, got string")
    assert.has_error(function() d[1] = nil end)
  end)

  it("counts from 1", function()
    local b = lathe.buffer("i32", 2, 3, { 1, 2, 3, 4, 5, 6 })
    assert.equal(6, b[6])
    assert.equal(6, b[6.0])
    assert.equal(4, b:at(2, 1))
    assert.same({ 4, 5, 6 }, { b:row(2) })
    for _, i in ipairs { 0, 7, -1, 1.5, math.maxinteger } do
      assert.is_nil(b[i])
      assert.has_error(function() b[i] = 1 end)
    end
    local list = {}
    for i, v in ipairs(b) do list[i] = v end
    assert.same({ 1, 2, 3, 4, 5, 6 }, list)
    list = {}
    for i, v in pairs(b) do list[i] = v end
    assert.same({ 1, 2, 3, 4, 5, 6 }, list)
    assert.has_error(function() b:at(3, 1) end, "bad argument #1 to 'at' (row 3 is not in 1 .. 2)")
    assert.has_error(function() b:at(1, 4) end, "bad argument #2 to 'at' (column 4 is not in 1 .. 3)")
    assert.has_error(function() b:row(0) end)
    assert.has_error(function() return b.nothing end, "no field 'nothing' in lathe.Buffer")
    for _, name in ipairs { "get", "set" } do
      assert.has_error(function() return b[name] end, ("no field '%s' in lathe.Buffer; its numbers are b[i], "
        .. "row by row, a whole row b:row(i)"):format(name))
    end
    assert.has_error(function() b.rows = 1 end, "no element [rows] in a buffer of 6")
  end)

  it("packs little-endian", function()
    assert.equal("\1\0\2\0\xff\xff", lathe.buffer("i16", 3, 1, { 1, 2, -1 }):pack())
    assert.equal(string.pack("<dd", 1.5, -2), lathe.buffer("f64", 1, 2, { 1.5, -2 }):pack())
    assert.equal(string.pack("<j", -2), lathe.pack(lathe.buffer("u64", 1, 1, { -2 })))
    assert.same({ 1, 2 }, lathe.totable(lathe.buffer("u8", 1, 2, { 1, 2 })))
  end)

  it("has bounds by column", function()
    local nan = 0 / 0
    local b = lathe.buffer("f32", 4, 2, { nan, 5, 1, -5, -3, 0, nan, 9 })
    local least, most = b:bounds()
    assert.same({ -3, -5 }, least)
    assert.same({ 1, 9 }, most)
    assert.is_nil(lathe.buffer("f32", 0, 3):bounds())
    least, most = lathe.buffer("u8", 3, 1, { 3, 1, 2 }):bounds()
    assert.same({ { 1 }, { 3 } }, { least, most })
    assert.equal("integer", math.type(least[1]))
  end)

  it("is transformed by a matrix of columns", function()
    local b = lathe.buffer("f32", 2, 3, { 1, 2, 3, 0, 0, 0 })
    local flat = { 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 10, 20, 30, 1 }
    assert.is_true(rawequal(b, b:transform(flat)))
    assert.same({ 12, 24, 36, 10, 20, 30 }, b:totable())
    b = lathe.buffer("f64", 1, 3, { 1, 2, 3 })
    b:transform { { 0, 1, 0, 0 }, { -1, 0, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } }
    assert.same({ -2, 1, 3 }, b:totable())
    assert.has_error(function() b:transform() end)
    assert.has_error(function() b:transform {} end)
    assert.has_error(function() b:transform { 1, 2, 3 } end)
    assert.has_error(function() b:transform { { 1, 2, 3, 4 }, 5 } end)
    assert.has_error(function() lathe.buffer("u8", 1, 3):transform(flat) end)
    assert.has_error(function() lathe.buffer("f32", 1, 2):transform(flat) end)
    assert.same({ -2, 1, 3 }, b:totable())
  end)

  it("is a copy: a document changes when it is assigned", function()
    local doc = assert(lathe.new("solid", { vertices = { { 1, 2, 3 }, { 4, 5, 6 } } }))
    local before = doc:encode()
    local b = doc.vertices:tobuffer()
    b[1] = 100
    assert.equal(before, doc:encode())
    doc.vertices = b
    assert.equal(100, doc.vertices[1].x)
    doc:close()
    assert.same({ 100, 2, 3, 4, 5, 6 }, b:totable())
  end)

  it("is what its methods want", function()
    local b = lathe.buffer("u8", 1)
    for _, name in ipairs { "at", "row", "totable", "pack", "bounds", "transform" } do
      local ok, err = pcall(b[name], {}, 1, 1)
      assert.is_false(ok)
      assert.matches("expected, got table", err, 1, true)
    end
  end)
end)
