-- Programs that embed lathe (spec/c/host_*.c): nothing but the public header, no warnings, and they do
-- what they say. Each is called as `host_NAME IN OUT` with a model of Lugaru.
-- #tools: compilers run here.

local helper = require "helper"

local sample = "/usr/share/games/lugaru/Models/Box.solid"

local function compile(compiler, source, to, ...)
  local command = { compiler, "-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
    "-Wconversion", "-Werror", "-Icore", source, ... }
  table.move({ "-lqhull_r", "-lz", "-lzstd", "-lm", "-o", to }, 1, 6, #command + 1, command)
  local r = helper.run(command, { timeout = 120 })
  assert(r.code == 0, source .. ": " .. r.err)
end

describe("C hosts #tools", function()
  local hosts = helper.list("spec/c", "^host_.*%.c$")

  it("are there", function()
    assert.is_true(#hosts > 0)
  end)

  it("link the shared library, and the header stands alone", function()
    local folder = helper.tmpdir()
    for _, name in ipairs(hosts) do
      local program = folder .. "/" .. name:gsub("%.c$", "")
      compile("gcc", "spec/c/" .. name, program, helper.build .. "/liblathe.so")
    end
    local source = helper.write(folder .. "/alone.c", '#include "lathe.h"\nint main(void) { return 0; }\n')
    compile("gcc", source, folder .. "/alone", helper.build .. "/liblathe.a")
  end)

  local function global_names(archive)
    local names = {}
    local r = helper.run({ "nm", "-g", "--defined-only", archive })
    assert.equal(0, r.code)
    for name in r.out:gmatch "%x+ %u ([%w_]+)\n" do names[name] = true end
    return names
  end

  it("may define every internal name of the library themselves", function()
    local folder = helper.tmpdir()
    local outside = global_names(helper.build .. "/liblathe.a")
    local names = {}
    for name in pairs(global_names(helper.build .. "/spec/liblathe_inside.a")) do
      if not name:find "^lathe_" then names[#names + 1] = name end
    end
    table.sort(names)
    assert.is_true(#names > 1000)
    for name in pairs(outside) do assert.matches("^lathe_", name) end
    for i, name in ipairs(names) do names[i] = ("char %s[1];\n"):format(name) end
    local source = helper.write(folder .. "/all.c", table.concat(names))
    local object = folder .. "/all.o"
    local r = helper.run({ "gcc", "-std=c11", "-c", source, "-o", object })
    assert.same({ 0, "" }, { r.code, r.err })
    local bytes = string.pack(">i2i2", 3, 1) .. ("\0"):rep(72) -- a model with a triangle and three vertices
    local input, output = helper.write(folder .. "/in.solid", bytes), folder .. "/out.solid"
    for _, name in ipairs(hosts) do
      compile("gcc", "spec/c/" .. name, folder .. "/host", object, helper.build .. "/liblathe.a")
      r = helper.run({ folder .. "/host", input, output })
      assert.same({ 0, "" }, { r.code, r.err })
      assert.equal(#bytes, #helper.read(output))
    end
  end)

  for _, name in ipairs(hosts) do
    local source = "spec/c/" .. name

    it(name .. " needs the public header alone, in at most 40 lines", function()
      local text = helper.read(source)
      local _, lines = text:gsub("\n", "")
      assert.is_true(lines <= 40, lines .. " lines")
      for include in text:gmatch('#include%s*"([^"]+)"') do assert.equal("lathe.h", include) end
    end)

    it(name .. " opens, edits and saves", function()
      if not helper.exists(sample) then pending("NOT TESTED: no package lugaru-data here") end
      local folder = helper.tmpdir()
      local program = folder .. "/" .. name:gsub("%.c$", "")
      compile("gcc", source, program, helper.build .. "/liblathe.a")
      local input, output = folder .. "/in.solid", folder .. "/out.solid"
      local bytes = helper.read(sample)
      helper.write(input, bytes)
      local r = helper.run({ program, input, output })
      assert.same({ 0, "" }, { r.code, r.err })
      assert.equal(bytes, helper.read(input))
      assert.equal(#bytes, #helper.read(output))
      assert.not_equal(bytes, helper.read(output))
      -- What it cannot open it says, and leaves with something else than 0.
      local bad = helper.run({ program, folder .. "/absent.solid", output })
      assert.not_equal(0, bad.code)
      assert.truthy(bad.err:find("absent.solid", 1, true))
    end)
  end
end)
