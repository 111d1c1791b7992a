-- The prompt, without a terminal.

local helper = require "helper"
local player = dofile "spec/repl/player.lua"

describe("prompt #tools", function()
  for _, name in ipairs(helper.list("spec/repl", "%.t$")) do
    it(name, function()
      local expected, actual = player.play("spec/repl/" .. name)
      assert.equal(expected, actual)
    end)
  end
end)
