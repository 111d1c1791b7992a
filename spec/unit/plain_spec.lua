-- Plain values as bytes (lathe.cli.batch.plain), which processes of a batch exchange. #tools

local plain = require "lathe.cli.batch.plain"

describe("plain values #tools", function()
  local function there_and_back(value) return plain.unpack(assert(plain.pack(value))) end

  local function random_value(depth)
    local kind = math.random(depth > 4 and 5 or 7)
    if kind == 1 then return math.random(0) end
    if kind == 2 then return (math.random() - 0.5) * 2.0 ^ math.random(-1000, 1000) end
    if kind == 3 then return math.random() < 0.5 end
    if kind <= 5 then
      local bytes = {}
      for i = 1, math.random(0, 20) do bytes[i] = string.char(math.random(0, 255)) end
      return table.concat(bytes)
    end
    local list = {}
    for _ = 1, math.random(0, 5) do
      local key = random_value(5)
      list[key] = random_value(depth + 1)
    end
    return list
  end

  it("come back as they were", function()
    for _ = 1, 500 do
      local value = random_value(0)
      assert.same(value, there_and_back(value))
    end
    assert.is_nil(there_and_back(nil))
    for _, value in ipairs { math.huge, -math.huge, -0.0, math.mininteger, 2.0, 2, "", "\0", {}, { {} } } do
      local back = there_and_back(value)
      assert.same(value, back)
      assert.equal(math.type(value), math.type(back))
    end
    local nan = there_and_back(0 / 0)
    assert.is_true(nan ~= nan)
    assert.equal("-inf", tostring(1 / there_and_back(-0.0)))
    assert.equal(false, there_and_back { false }[1])
  end)

  it("are copies", function()
    local inner = {}
    local back = there_and_back { inner, inner }
    assert.is_true(rawequal(back[1], back[2]) == false)
  end)

  it("are nothing else", function()
    local loop = {}
    loop.loop = loop
    local called = false
    local trap = setmetatable({}, { __pairs = function() called = true end, __index = function() called = true end })
    for what, value in pairs {
      ["a function"] = print, ["a thread"] = coroutine.create(print), ["a userdata"] = io.stdout,
      ["a table with a metatable"] = trap, ["a table as a key"] = { [{}] = 1 },
      ["tables in tables, more than 100 levels"] = loop,
    } do
      for _, wrapped in ipairs { value, { value }, { a = { b = value } } } do
        local bytes, why = plain.pack(wrapped)
        assert.is_nil(bytes)
        assert.equal(what, why)
      end
    end
    assert.is_false(called)
  end)

  it("have a largest size, however often they contain the same", function()
    local value = "x"
    for _ = 1, 60 do value = { value, value } end
    local bytes, why = plain.pack(value, 1000)
    assert.is_nil(bytes)
    assert.equal("more than 1000 bytes", why)
    assert.is_string(plain.pack(("x"):rep(995), 1000))
    assert.is_nil((plain.pack(("x"):rep(996), 1000)))
  end)
end)
