-- How costs grow with the number of elements of one document: time, bytes asked of malloc and the exponents.
-- usage: growth.lua [--short] [TEXT]
--   --short  two sizes and a larger limit, as tests want it
--   TEXT     only lines whose names have it
-- Exits with 1 where a line grows faster than it may.

package.path = "spec/support/?.lua;spec/bench/?.lua;" .. package.path

local short = arg[1] == "--short"
local wanted = arg[short and 2 or 1]

-- Once more with the library that counts.
if not os.getenv "LATHE_COUNTS_BYTES" then
  local library = (os.getenv "LATHE_BUILD" or "build") .. "/spec/allocations.so"
  local words = { "LATHE_COUNTS_BYTES=1", "LD_PRELOAD='" .. library .. "'", "lua5.4", arg[0] }
  for i = 1, #arg do words[#words + 1] = "'" .. arg[i] .. "'" end
  local _, _, code = os.execute("exec env " .. table.concat(words, " "))
  os.exit(code)
end
local library = (os.getenv "LATHE_BUILD" or "build") .. "/spec/allocations.so"
package.preload.allocations = assert(package.loadlib(library, "luaopen_allocations"))

local growth = require "growth"

local sizes, most = growth.SIZES, growth.MOST
if short then sizes, most = growth.FEW_SIZES, growth.FEW_MOST end

local PARTS = { "nif", "bodies", "ragdolls", "hkx", "graphs", "others", "documents", "verbs", "batches",
  "differences" }

local failed, count, covered = 0, 0, {}
io.stdout:setvbuf "line"
local head = { ("  %-58s"):format "" }
for i, n in ipairs(sizes) do head[i + 1] = ("%10d"):format(n) end
print(table.concat(head) .. "      malloc   time bytes")
for _, part in ipairs(PARTS) do
  for _, line in ipairs(require("growth." .. part)) do
    for _, name in ipairs(line.covers or {}) do covered[name] = true end
    if (not wanted or line.name:find(wanted, 1, true)) and not (short and (line.open or line.long)) then
      local got = growth.of(line, sizes, short and most or nil)
      count = count + 1
      if not growth.holds(got, most) and not line.open then failed = failed + 1 end
      print(growth.text(line, got, sizes, most))
    end
  end
end
print(("%d lines, %d grow too fast"):format(count, failed))
local missing = require "growth.members".missing(covered, require "growth.without")
for _, text in ipairs(missing) do print(text) end
os.exit(failed == 0 and count > 0 and #missing == 0)
