-- The manual's pages of formats follow from the schemas.
local lathe = require "lathe"
local manual = require "lathe.tree.manual"

describe("the manual", function()
  it("has a page for each format, with its fields, verbs and options", function()
    for _, format in ipairs(lathe.formats()) do
      local page = manual.page(format)
      assert(load(page)) -- comments, and nothing else
      assert.matches("-- @format " .. format.name .. "\n", page, 1, true)
      for _, row in ipairs(lathe.describe(format.type)) do
        assert.matches("-- @field " .. row.name .. " `", page, 1, true)
        if row.kind == "record" then assert.matches("-- @table " .. row.type .. "\n", page, 1, true) end
      end
      for _, verb in ipairs(lathe.verbs(format.name)) do
        local text = page:match("-- @function " .. (verb.type or format.type) .. ":" .. verb.name .. "\n(.-)\n\n")
        for _, param in ipairs(verb.params) do
          local name = param.positional and param.name or "options." .. param.name
          assert.matches(("%s %s "):format(param.kind, name), text, 1, true)
        end
      end
    end
  end)

  it("says what may be left out, and what must be there", function()
    local page
    for _, format in ipairs(lathe.formats()) do
      if format.name == "anm" then page = manual.page(format) end
    end
    for _, line in ipairs {
      "@tparam[opt] number t0 [s] Start", "@tparam table options by name", "@tparam skeleton options.skeleton Skeleton",
      "@tparam[opt] table options by name", "@field frame_count `i32` Number of key frames",
    } do
      assert.matches("-- " .. line, page, 1, true)
    end
  end)
end)
