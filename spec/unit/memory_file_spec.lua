-- Files in memory: the same calls on a handle of theirs and on one of Lua's own give the same.

local helper = require "helper"
local memory_file = require "lathe.cli.sandbox.memory_file"

local function nothing() end

local function open(bytes, mode)
  return memory_file.open(memory_file.content(bytes, nothing), mode)
end

describe("a file in memory", function()
  local path
  before_each(function() path = helper.tmpdir() .. "/file" end)

  -- Without addresses and names of files.
  local function plain(...)
    local results = table.pack(...)
    for i = 1, results.n do
      local value = results[i]
      if type(value) == "string" then
        results[i] = value:gsub("^" .. path:gsub("%p", "%%%0") .. ": ", "")
      elseif type(value) == "table" or type(value) == "userdata" then
        results[i] = "handle"
      end
    end
    return results
  end

  -- Two handles of files with the same bytes; `both` calls a method of each and gives what both gave.
  local function pair(bytes, mode)
    helper.write(path, bytes)
    local theirs = assert(io.open(path, mode))
    local content = memory_file.content(bytes, nothing)
    local ours = memory_file.open(content, mode)
    local function both(method, ...)
      local expected = plain(pcall(theirs[method], theirs, ...))
      local got = plain(pcall(ours[method], ours, ...))
      local label = ("%s, %s(%s)"):format(mode, method, tostring((...)))
      if expected[1] then
        assert.same(expected, got, label)
      else
        assert.is_false(got[1], label)
      end
      return table.unpack(got, 2, got.n)
    end
    local function same_bytes()
      theirs:flush()
      assert.equal(helper.read(path), content:read(0, content:size()))
    end
    return both, same_bytes, theirs
  end

  it("has the methods of files, and no others", function()
    local ours, theirs = open("", "r"), io.tmpfile()
    for name in pairs(getmetatable(theirs).__index) do assert.is_function(ours[name], name) end
    assert.is_nil(ours.nothing)
    assert.equal("file", memory_file.type(ours))
    assert.matches("^file %(0x%x+%)$", tostring(ours))
    ours:close()
    assert.equal("closed file", memory_file.type(ours))
    assert.equal("file (closed)", tostring(ours))
    assert.is_nil(memory_file.type(theirs))
    assert.is_nil(memory_file.type {})
    theirs:close()
  end)

  it("reads numbers as Lua does", function()
    for _, bytes in ipairs {
      "1 2.5 -3e2 +4", "0x10 0xA.8p1 -0x1p-2", "  \n\t 7", "1e", "1e+", "0x", "0x.8", ".5", "5.", ".", "", "x1", "1x",
      "12345678901234567890", ("9"):rep(150), "1.5.5", "--1", "1e5e5", "0x1g", "1,5", "nan", "inf", "- 1",
      (" "):rep(9000) .. "5",
    } do
      local both = pair(bytes, "r")
      both("read", "n")
      both("read", "n", "n")
      both("read", "l")
    end
  end)

  it("reads lines, counts and the rest as Lua does", function()
    for _, bytes in ipairs { "", "\n", "a", "a\nb", "a\nb\n", "\n\n", "a\r\nb", ("x"):rep(10000) .. "\ny", "\0\n\0" } do
      for _, formats in ipairs {
        {}, { "l" }, { "L" }, { "a" }, { 0 }, { 1 }, { 3, "l" }, { "l", "l", "l" }, { "a", "a" }, { "a", "l" },
        { "*l", "*L", "*a" }, { 0, "a", 0 }, { "L", 0, 1 }, { 20000 },
      } do
        local both = pair(bytes, "rb")
        both("read", table.unpack(formats))
        both("read", table.unpack(formats))
        both("seek")
      end
    end
    local lines = {}
    for line in open("one\ntwo\n\nfour", "r"):lines() do lines[#lines + 1] = line end
    assert.same({ "one", "two", "", "four" }, lines)
    lines = {}
    for number, rest in open("1 a\n2 b\n", "r"):lines("n", "L") do lines[#lines + 1] = { number, rest } end
    assert.same({ { 1, " a\n" }, { 2, " b\n" } }, lines)
  end)

  it("refuses what the mode or the caller gets wrong, as Lua does", function()
    for _, mode in ipairs { "r", "w", "a", "r+", "w+", "a+" } do
      local both, same_bytes = pair("some bytes", mode)
      both("write", "x", 1, 2.5)
      both("seek", "set", 0)
      both("read", 3)
      both("seek", "set", -1)
      both("seek", "end", 1)
      both("seek", "nowhere")
      both("seek", "set", 1.5)
      both("read", "q")
      both("write", {})
      both("setvbuf", "full")
      same_bytes()
      both("close")
      both("read")
      both("close")
    end
  end)

  it("does in many random steps what Lua's own files do", function()
    math.randomseed(13)
    for round = 1, 12 do
      local mode = ({ "r+", "w+", "a+" })[round % 3 + 1]
      local both, same_bytes, theirs = pair(("0123456789\n"):rep(math.random(0, 900)), mode)
      for _ = 1, 150 do
        local kind = math.random(6)
        theirs:seek("cur", 0) -- C wants this between reading and writing
        if kind == 1 then
          both("seek", "set", math.random(0, 20000))
        elseif kind == 2 then
          both("seek", "end", -math.random(0, 50))
        elseif kind <= 4 then
          if mode == "a+" then both("seek", "end") end -- what reads after it goes by the end, too
          both("write", ("%d\n"):format(math.random(0, 1 << 40)):rep(math.random(0, 400)))
        else
          both("read", ({ "l", "L", "n", math.random(0, 9000) })[math.random(4)])
        end
      end
      same_bytes()
    end
  end)

  it("takes many small writes", function()
    local content = memory_file.content("", nothing)
    local file = memory_file.open(content, "w")
    for i = 1, 100000 do
      file:write "0123456789"
      if i % 10 == 0 then
        file:seek("set", i)
        file:write "x"
        file:seek "end"
      end
    end
    assert.equal(1000000, content:size())
  end)

  it("keeps gaps without filling them", function()
    local content = memory_file.content("", nothing)
    local file = memory_file.open(content, "w")
    assert(file:seek("set", 1 << 40))
    assert(file:write "end")
    assert.equal((1 << 40) + 3, content:size())
    assert.equal("\0\0end", content:read((1 << 40) - 2, 10))
    assert.equal("\0\0\0", content:read(7, 3))
    assert(file:seek("set", 1 << 53))
    assert.same({ nil, "File too large", 27, n = 3 }, table.pack(file:write "x"))
  end)

  it("is nothing that can be taken apart", function()
    local file = open("", "w")
    assert.is_false(getmetatable(file))
    assert.has_error(function() setmetatable(file, {}) end)
    assert.is_nil(next(file))
    assert.is_nil(file.__index)
    assert.has_error(function() file.read({}) end, "bad argument #1 to 'read' (FILE* expected, got table)")
  end)
end)
