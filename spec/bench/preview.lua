-- What pictures cost: a sheet of 100 NIF files of the corpus, which should take less than 10 s.

local lathe = require "lathe"

local root = os.getenv "LATHE_CORPUS"
root = root and root ~= "" and root or "../shared/corpus"

local list = {}
local pipe = io.popen("find '" .. root .. "' -name '*.nif' -size -4096k 2>/dev/null | LC_ALL=C sort")
for path in pipe:lines() do
  if #list < 100 then list[#list + 1] = path end
end
pipe:close()

if #list < 100 then
  print(("  NOT MEASURED: a sheet of 100 NIF files; there are %d below %s"):format(#list, root))
  return
end
local target = os.tmpname()
os.remove(target)
local start = os.clock()
local report = assert(lathe.preview(list, target .. ".png"))
local spent = os.clock() - start
os.remove(target .. ".png")
print(("  %-46s %10.3f s   %d triangles, %d left out%s"):format("a sheet of 100 NIF files", spent, report.triangles,
  #report.skipped, spent < 10 and "" or "   TOO SLOW: more than 10 s"))
os.exit(spent < 10)
