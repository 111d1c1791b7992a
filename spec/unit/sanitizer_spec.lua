-- `make asan` finds faults although small objects of Lua come from a pool (spec/support/lua_pool.c): each fault is planted
-- in a process of its own (spec/support/planted_faults.c), which must die of it.

local helper = require "helper"

local function run(script)
  return helper.run({ "lua5.4", "-e", [[
    local lathe, faults = require "lathe.core", require "planted_faults"
    local doc = lathe.new("solid", {})
  ]] .. script }, { env = {
    LD_PRELOAD = helper.preload,
    LUA_CPATH_5_4 = ("%s/?.so;%s/spec/?.so"):format(helper.build, helper.build),
  } })
end

local function finds(fault, script)
  local r = run(script)
  assert.not_equal(0, r.code)
  assert.matches(fault, r.err, 1, true)
end

describe("the sanitizers", function()
  if not helper.preload then
    return it("find planted faults", function() pending "NOT TESTED: only under make asan" end)
  end

  it("find nothing in a program without faults, whose Lua uses the pool", function()
    assert.same({ code = 0, err = "", out = helper.build .. "/spec/lua_pool.so\n" }, run "print(faults.allocator())")
  end)

  it("find nothing where an open document is kept in a table of a state that is not closed", function()
    assert.same({ code = 0, err = "", out = "" }, run "kept = { { doc } } doc = nil os.exit(0)")
  end)

  it("find a write past a userdata of lathe", function()
    finds("AddressSanitizer: heap-buffer-overflow", "faults.write_past(doc)")
  end)

  it("find a read past a string of Lua, short or long", function()
    for _, n in ipairs { 7, 1000 } do           -- such that the next byte is in no padding
      finds("AddressSanitizer: heap-buffer-overflow", ("faults.read_past(('x'):rep(%d))"):format(n))
    end
  end)

  it("find the use of a closed document", function()
    finds("AddressSanitizer: heap-use-after-free", "faults.use_closed()")
  end)

  it("find an integer that overflows, and say where", function()
    assert.same({ code = 0, err = "", out = "2147483647\n" }, run "print(faults.add_one(0x7ffffffe))")
    finds("AddressSanitizer: ILL", "faults.add_one(0x7fffffff)")
    finds("in add_one ", "faults.add_one(0x7fffffff)")
    finds("planted_faults.c:", "faults.add_one(0x7fffffff)")
  end)

  it("find an index past the end of an array", function()
    assert.same({ code = 0, err = "", out = "4\n" }, run "print(faults.element(3))")
    finds("AddressSanitizer: ILL", "faults.element(4)")
  end)

  it("find a document that is never closed", function()
    finds("LeakSanitizer: detected memory leaks", "faults.leak()")
  end)

  it("find it where Lua had kept its address in tables, closures and variables", function()
    finds("LeakSanitizer: detected memory leaks", [[
      local address = faults.leak()
      local t, f = { address, { [address] = address } }, function() return address end
      kept = { t, f }
    ]])
  end)
end)
