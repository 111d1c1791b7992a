-- The type stubs follow the schemas: nothing in them is written by hand.
local lathe = require "lathe"
local stubs = require "lathe.tree.stubs"

describe("type stubs", function()
  local text = stubs.text()

  it("are Lua", function()
    assert(load(text, "stubs", "t"))
  end)

  it("have a method for each verb, with its arguments", function()
    for _, format in ipairs(lathe.formats()) do
      for _, verb in ipairs(lathe.verbs(format.name)) do
        local head = text:match("%-%-%- " .. verb.doc:gsub("%p", "%%%0") .. "\n([^\n].-)\nfunction "
          .. (verb.type == "animation" and "Animation" or verb.type or format.type) .. ":" .. verb.name .. "%(")
        assert.is_string(head, format.name .. ":" .. verb.name)
        for _, param in ipairs(verb.params) do
          assert.truthy(head:find(param.name, 1, true), verb.name .. ": " .. param.name)
        end
      end
    end
    assert.matches('---@param t0? number [s] Start', text, 1, true)
    assert.matches('---@param options? { what?: "all"|"collision"|', text, 1, true)
    assert.matches("---@param options { skeleton: lathe.AnySkeleton }\n", text, 1, true)
    assert.matches("---@overload fun(self: phxbn, options: { version: integer }): lathe.Report?, lathe.Error?",
      text, 1, true)
    assert.matches("\nfunction Animation:resample(fps, options) end\n", text, 1, true)
    assert.matches("---@return table?, lathe.Error?\nfunction solid:bounding_sphere() end\n", text, 1, true)
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
    assert.truthy(text:find("---@field location vec3 Centre in Blender's space (Z up), in the coordinates"
      .. " of the model before it is centred. [m]", 1, true))
    assert.truthy(text:find("---@field object_count integer Number of objects. Read-only.", 1, true))
    assert.truthy(text:find("---@field objects fzx_object[]|lathe.Array The volumes.", 1, true))
  end)
end)
