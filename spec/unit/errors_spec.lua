-- Errors: what is returned, what is raised, and what they look like.

local lathe = require "lathe.core"

local function model()
  return assert(lathe.parse(assert(lathe.new("solid", { vertices = { { 1, 2, 3 } } })):encode(),
    { format = "solid", path = "chair.solid" }))
end

describe("an error", function()
  it("is a table that reads as one line", function()
    local none, err = lathe.parse("\0\1\0\0", { format = "solid", path = "chair.solid" })
    assert.is_nil(none)
    assert.is_table(err)
    assert.equal("chair.solid", err.path)
    assert.equal("bounds", err.code)
    assert.equal("error", err.level)
    assert.equal("integer", math.type(err.offset))
    assert.is_string(err.where)
    assert.is_string(err.message)
    assert.equal(("chair.solid: %s at 0x%x: %s"):format(err.where, err.offset, err.message), tostring(err))
    assert.equal("skip: " .. tostring(err), "skip: " .. err)
    assert.equal(tostring(err) .. "!", err .. "!")
    assert.equal(tostring(err) .. 1, err .. 1)
    assert.equal(tostring(err) .. tostring(err), err .. err)
  end)

  it("leaves out what is not known", function()
    local _, err = lathe.open("/no/such/file")
    assert.is_nil(err.offset)
    assert.is_nil(err.where)
    assert.equal("/no/such/file: " .. err.message, tostring(err))
    _, err = lathe.new("nothing at all")
    assert.is_nil(err.path)
    assert.equal(err.message, tostring(err))
  end)

  it("reads as its fields say, also when a script changes them", function()
    local _, err = lathe.open("/no/such/file")
    err.path, err.where, err.offset, err.message = "a", "b", 16, "c"
    assert.equal("a: b at 0x10: c", tostring(err))
    err.path, err.where, err.offset, err.message = nil, nil, nil, nil
    assert.equal("io", tostring(err))
    err.code, err.path = nil, {}
    assert.is_string(tostring(err))
    err.message = ("x"):rep(10000)
    assert.is_true(#tostring(err) < 2000)
  end)

  it("is what error passes on", function()
    local ok, err = pcall(function() error(select(2, lathe.open("/no/such/file"))) end)
    assert.is_false(ok)
    assert.equal("io", err.code)
    ok, err = pcall(function() model().vertices[1] = { 1, 2, 1e39 } end)
    assert.is_false(ok)
    assert.equal("range", err.code)
    assert.equal("chair.solid", err.path)
    assert.equal("vertices[1].z", err.where)
  end)

  it("is a string with the script's line for a programmer's mistake", function()
    local ok, err = pcall(function() return model().vertexes end)
    assert.is_false(ok)
    assert.matches("^spec/unit/errors_spec%.lua:%d+: no field 'vertexes' in solid; did you mean 'vertices'%?$", err)
    ok, err = pcall(function() model().vertices[1].x = {} end)
    assert.is_false(ok)
    assert.matches("^spec/unit/errors_spec%.lua:%d+: vertices%[1%]%.x: f32 expected, got a table$", err)
  end)

  it("of bad data met late is raised where it is met", function()
    local doc = assert(lathe.new("fzx", { objects = { { label = "A" }, { label = "B" } } }))
    local object = doc.objects[2]
    assert.is_true(pcall(function() return object.label end))
    local ok, err = pcall(function() object.label = ("x"):rep(300) end)
    assert.is_false(ok)
    assert.equal("range", err.code)
    assert.equal("objects[2].label", err.where)
  end)
end)
