-- How values are written.

local base64 = require "lathe.tree.base64"
local text = require "lathe.tree.text"

describe("text", function()
  it("writes numbers so that they come back with the same bits", function()
    assert.equal("0.100000001", text.number(string.unpack("<f", string.pack("<f", 0.1)), "f32"))
    assert.equal("0.10000000000000001", text.number(0.1, "f64"))
    assert.equal("1", text.number(1.0, "f32"))
    assert.equal("-0", text.number(-0.0, "f32"))
    assert.equal("16777216", text.number(2.0 ^ 24, "f32"))
    assert.equal("-1", text.number(-1, "i64"))
    assert.equal("18446744073709551615", text.number(-1, "u64"))
    assert.equal("nan", text.number(0 / 0, "f32"))
    assert.equal("nan", text.number(-(0 / 0), "f64"))
    assert.equal("inf", text.number(math.huge, "f32"))
    assert.equal("-inf", text.number(-math.huge))
    for _ = 1, 200 do
      local bits = math.random(0, 0xffffffff)
      local value = string.unpack("<f", string.pack("<I4", bits))
      if value == value then
        local back = string.pack("<f", tonumber(text.number(value, "f32")) or value)
        assert.equal(bits, (string.unpack("<I4", back)))
      end
    end
  end)

  it("guesses the width of a number without a type", function()
    assert.equal("0.100000001", text.number(string.unpack("<f", string.pack("<f", 0.1))))
    assert.equal("0.10000000000000001", text.number(0.1))
    assert.equal(1e300, tonumber(text.number(1e300)))
  end)

  it("quotes strings safely for a terminal", function()
    assert.equal('"head"', text.quote "head")
    assert.equal('"a\\"b\\\\c\\n\\x1b[0m"', text.quote 'a"b\\c\n\27[0m')
    assert.equal('"schön"', text.quote "schön")
    assert.equal('"sch\\xf6n"', text.quote "sch\xf6n")
    assert.equal('"\\x7f\\xc2\\x9b2J\\xc2\\x80\u{a0}"', text.quote "\x7f\u{9b}2J\u{80}\u{a0}")
    assert.equal('"' .. ("x"):rep(200) .. '..." (300 bytes)', text.quote(("x"):rep(300)))
  end)

  it("breaks texts into lines between words", function()
    assert.same({ "ab: one", "    two" }, text.fill("ab: ", "one  two", 8))
    assert.same({ "ab: one two" }, text.fill("ab: ", "one two ", 11))
    assert.same({ "", }, text.fill("", " ", 5))
    assert.same({ "-- a", "  longest", "  b" }, text.fill("-- ", "a longest b", 6, 2))
    assert.same({ "äöü äöü", "ä" }, text.fill("", "äöü äöü ä", 8))
    math.randomseed(1)
    for _ = 1, 200 do
      local words, columns = {}, math.random(10, 30)
      for i = 1, math.random(0, 30) do words[i] = ("x"):rep(math.random(6)) end
      local lines = text.fill("=> ", table.concat(words, " "), columns)
      local all = table.concat(lines, " "):gsub("%s+", " ")
      assert.equal("=>" .. (#words > 0 and " " or "") .. table.concat(words, " "), all)
      for i, line in ipairs(lines) do
        local next_word = lines[i + 1] and lines[i + 1]:match "%S+"
        assert.is_true(#line <= columns and (not next_word or #line + 1 + #next_word > columns))
      end
    end
  end)

  it("makes any text printable", function()
    assert.equal('a\\b "c" schön', text.printable 'a\\b "c" schön')
    assert.equal("\\x1b]0;x\\x07\\n\\t\\r\\x00\\x7f", text.printable "\27]0;x\a\n\t\r\0\x7f")
    assert.equal("a\n\t\\r\\x1b", text.printable("a\n\t\r\27", true))
    assert.equal("ä\\xff\\xe2\\x82|€\\xc0\\xaf", text.printable "ä\xff\xe2\x82|€\xc0\xaf")
    assert.equal("\\xc2\\x9b\\xc2\\x80\u{a0}", text.printable "\u{9b}\u{80}\u{a0}")
    local all = {}
    for i = 0, 255 do all[i + 1] = string.char(i) end
    local shown = text.printable(table.concat(all))
    assert.equal(shown, text.printable(shown))
    assert.is_nil(shown:find "[%c\x7f-\xff]")
  end)

  it("makes any text UTF-8", function()
    assert.equal("schön\27", text.utf8 "schön\27")
    assert.equal("caf\u{FFFD}.solid\u{FFFD}\u{FFFD}€", text.utf8 "caf\xe9.solid\xff\xc0€")
    assert.equal("\u{FFFD}\u{FFFD}\"", text.utf8 "\xe2\x82\"")
    assert.equal(("\u{FFFD}"):rep(100000), text.utf8(("\xff"):rep(100000)))
  end)

  it("shows bytes in hexadecimal", function()
    assert.equal("0 bytes", text.bytes "")
    assert.equal("1 byte: 00", text.bytes "\0")
    assert.equal("20 bytes:" .. (" 61"):rep(16) .. " ...", text.bytes(("a"):rep(20)))
  end)

  it("shows scalars by their row", function()
    assert.equal("capsule", text.scalar("capsule", { enum = true, type = "u8" }))
    assert.equal('"capsule"', text.scalar("capsule", { type = "str32" }))
    assert.equal("null", text.scalar(false, { ref = true }))
    assert.equal("false", text.scalar(false, { type = "bool" }))
  end)

  it("says beside numbers what they mean", function()
    local flags = { flags = true, type = "u32", names = { "hidden", "decal" }, values = { 1, 1 << 31 } }
    assert.equal("335675399 (20.2.0.7)", text.explained(0x14020007, { version = true, type = "u32" }))
    assert.equal("67108866 (4.0.0.2)", text.explained(0x04000002, { version = true, type = "u32" }))
    assert.equal("1 (hidden)", text.explained(1, flags))
    assert.equal("2147483655 (hidden, decal, 0x6)", text.explained(0x80000007, flags))
    assert.equal("6", text.explained(6, flags))
    assert.equal("0", text.explained(0, flags))
    assert.equal("6", text.explained(6))
    assert.equal('"6"', text.explained("6", flags))
    assert.equal("null", text.explained(false, { ref = true }))
  end)

  it("shows what is a hash or stands for none in hexadecimal, too", function()
    assert.equal("4294967295 (0xFFFFFFFF)", text.explained(4294967295, { type = "u32" }))
    assert.equal("16777216 (0x01000000)", text.explained(0x1000000, { type = "u32" }))
    assert.equal("16777215", text.explained(0xFFFFFF, { type = "u32" }))
    assert.equal("16777216 bytes", text.explained(0x1000000, { type = "u32", unit = "bytes" }) .. " bytes")
    assert.equal("18446744073709551615 (0xFFFFFFFFFFFFFFFF)", text.explained(-1, { type = "u64" }))
    assert.equal("-1", text.explained(-1, { type = "i32" }))
    assert.equal("65535 (0xFFFF)", text.explained(65535, { type = "u16" }))
    assert.equal("65534", text.explained(65534, { type = "u16" }))
    assert.is_nil(text.hex(5.5, { type = "u32" }))
    assert.is_nil(text.hex(1 << 30))
  end)
end)

describe("base64", function()
  it("is that of the RFC", function()
    local known = { [""] = "", f = "Zg==", fo = "Zm8=", foo = "Zm9v", foob = "Zm9vYg==",
      fooba = "Zm9vYmE=", foobar = "Zm9vYmFy", ["\xff\xfe\xfd"] = "//79" }
    for plain, coded in pairs(known) do
      assert.equal(coded, base64.encode(plain))
      assert.equal(plain, base64.decode(coded))
    end
  end)

  it("comes back", function()
    for n = 0, 50 do
      local bytes = {}
      for i = 1, n do bytes[i] = string.char(math.random(0, 255)) end
      local whole = table.concat(bytes)
      assert.equal(whole, base64.decode(base64.encode(whole)))
    end
  end)
end)
