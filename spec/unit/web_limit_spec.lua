-- The time limit of a call in lathe for node, whose clock is looked at while Lua runs.
-- #tools: it runs Node.

local helper = require "helper"
local json = require "dkjson"

local LIMIT <const> = 300 -- milliseconds

local DRIVER <const> = [[
const { start } = await import(process.argv[1]);
const lathe = await start({ milliseconds: %d });
const run = (line) => {
  const began = performance.now();
  const { interrupted } = lathe.call("prompt", { line }).result;
  return { interrupted, took: performance.now() - began };
};
const lines = JSON.parse(process.argv[2]);
console.log(JSON.stringify(lines.map(run)));
]]

-- Each would run for minutes. Coroutines that end before the hook of a thread runs:
local MANY <const> = "local function f(n) if n == 0 then for i = 1, 90000 do end return end "
  .. "for i = 1, 1000 do %s end end f(2)"
local LINES <const> = {
  "while true do end",
  "while true do pcall(function() while true do end end) end",
  MANY:format "coroutine.wrap(f)(n - 1)",
  MANY:format "coroutine.resume(coroutine.create(f), n - 1)",
  MANY:format "pcall(coroutine.wrap(f), n - 1)",
  MANY:format "local c = coroutine.create(f) coroutine.resume(c, n - 1) coroutine.close(c)",
}

describe("the time limit of the web #tools", function()
  it("stops loops, also in many short coroutines", function()
    local package = helper.root .. "/build/web/package/lathe.mjs"
    if not helper.exists "build/web/package/lathe.mjs" then return pending "the package was not built (make web)" end
    local code = DRIVER:format(LIMIT)
    local r = helper.run({ "node", "--input-type=module", "-e", code, package, json.encode(LINES) }, { timeout = 60 })
    assert.equal(0, r.code, r.err)
    for i, got in ipairs(assert(json.decode(r.out))) do
      assert.is_true(got.interrupted, LINES[i])
      assert.is_true(got.took >= LIMIT, ("%s: %g ms"):format(LINES[i], got.took))
    end
  end)
end)
