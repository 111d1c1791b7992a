-- What rows of shared geometry cost in Lua: 40,000 of them, three fields each; and their buffers.

local lathe = require "lathe"

local ROWS = 40000

-- Rows of one vertex and no triangle: what they hold does not matter here.
local function made()
  local rows, data = {}, {}
  for i = 1, ROWS do
    rows[i] = ("<I4i8I4I4"):pack(8 * (i - 1), 0x0000100000000002, 1, 0)
    data[i] = ("\0"):rep(8)
  end
  return "bpsg" .. ("<I4"):pack(ROWS) .. table.concat(rows) .. table.concat(data)
end

local function best(fn)
  local least = math.huge
  for _ = 1, 5 do
    collectgarbage()
    local start = os.clock()
    fn()
    least = math.min(least, os.clock() - start)
  end
  return least
end

local doc = assert(lathe.parse(made()))
local rows, sum = doc.rows, 0

local fields = best(function()
  for i = 1, ROWS do
    local row = rows[i]
    sum = sum + row.data_offset + row.vertex_desc + row.num_vertices
  end
end)
local buffers = best(function()
  for i = 1, ROWS, 10 do sum = sum + rows[i].positions[1] end
end)
assert(sum ~= 0)
print(("  %-52s %10.3f us (< 1)"):format("a row and three fields of it", fields / ROWS * 1e6))
print(("  %-52s %10.3f us"):format("positions of a row of one vertex", buffers / (ROWS / 10) * 1e6))
doc:close()
