-- The type stubs follow the schemas: nothing in them is written by hand.
local lathe = require "lathe"
local stubs = require "lathe.tree.stubs"

describe("type stubs", function()
  local text = stubs.text()

  it("are Lua", function()
    assert(load(text, "stubs", "t"))
  end)

  it("have a class for each format and each field of its top record", function()
    for _, format in ipairs(lathe.formats()) do
      local class = text:match("%-%-%-@class " .. format.type .. " : lathe%.Document\n(.-)\n\n")
      assert.is_string(class, format.type)
      for _, row in ipairs(lathe.describe(format.type)) do
        assert.truthy(class:find("---@field " .. row.name .. " ", 1, true), row.name)
      end
    end
  end)

  it("say unit, documentation and what is read-only", function()
    assert.truthy(text:find("---@field location vec3 Centre in Blender's space (Z up), in coordinates of"
      .. " the un-centred model. [m]", 1, true))
    assert.truthy(text:find("---@field object_count integer Number of objects. Read-only.", 1, true))
    assert.truthy(text:find("---@field objects fzx_object[]|lathe.Array The volumes.", 1, true))
  end)
end)
