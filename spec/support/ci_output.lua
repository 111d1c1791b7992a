-- busted's plain output, and as its last line `N passed, N failed, N skipped`. Under run_tests.lua (LATHE_COUNTS
-- names a file) the three numbers go there, and what the corpus gave: it adds up all parts of the run and prints
-- the one closing line.

local expected = dofile("spec/support/expected.lua")

-- `corpus absent`, or a line for each kind of file that tests met: its count and its name.
local function write_corpus(f)
  local helper = package.loaded.helper
  if not helper then return end
  if not helper.corpus_root then return f:write("corpus absent\n") end
  for _, row in ipairs(expected.corpus) do f:write(("%d %s\n"):format(helper.counted(row[1]), row[1])) end
end

return function(options)
  local busted = require "busted"
  local handler = require "busted.outputHandlers.plainTerminal"(options)
  busted.subscribe({ "exit" }, function()
    local passed, skipped = handler.successesCount, handler.pendingsCount
    local failed = handler.failuresCount + handler.errorsCount
    print()
    local counts = os.getenv("LATHE_COUNTS")
    if counts then
      local f = assert(io.open(counts, "w"))
      f:write(("%d %d %d\n"):format(passed, failed, skipped))
      write_corpus(f)
      f:close()
    else
      print(("%d passed, %d failed, %d skipped"):format(passed, failed, skipped))
    end
    return nil, true
  end)
  return handler
end
