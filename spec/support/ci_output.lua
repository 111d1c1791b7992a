-- busted's plain output, and as its last lines what the corpus gave and `N passed, N failed, N skipped`.
-- Under run_tests.lua (LATHE_COUNTS names a file) the three numbers go there: it adds up all parts of the
-- run and prints the one closing line.

local expected = dofile("spec/support/expected.lua")

-- Returns what is wrong with the corpus of a whole run, or nil.
local function report_corpus()
  local helper = package.loaded.helper
  if not helper then return nil end
  if not helper.corpus_root then
    print("corpus: absent")
    return nil
  end
  local parts, short = {}, {}
  for _, row in ipairs(expected.corpus) do
    local kind, least = row[1], row[2]
    local n = helper.counted(kind)
    parts[#parts + 1] = ("%d %s"):format(n, kind)
    if n < least then short[#short + 1] = ("%d %s, expected %d"):format(n, kind, least) end
  end
  print("corpus: " .. table.concat(parts, ", "))
  return short[1] and table.concat(short, "; ")
end

return function(options)
  local busted = require "busted"
  local handler = require "busted.outputHandlers.plainTerminal"(options)
  busted.subscribe({ "exit" }, function()
    local passed, skipped = handler.successesCount, handler.pendingsCount
    local failed = handler.failuresCount + handler.errorsCount
    print()
    if os.getenv("LATHE_WHOLE") then
      local short = report_corpus()
      if short then
        print("corpus too small: " .. short)
        failed = failed + 1
      end
    end
    local counts = os.getenv("LATHE_COUNTS")
    if counts then
      local f = assert(io.open(counts, "w"))
      f:write(("%d %d %d\n"):format(passed, failed, skipped))
      f:close()
    else
      print(("%d passed, %d failed, %d skipped"):format(passed, failed, skipped))
    end
    return nil, true
  end)
  return handler
end
