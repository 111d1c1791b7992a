-- busted's plain output, and as its last line `N passed, N failed, N skipped`. Under run_tests.lua (LATHE_COUNTS
-- names a file) the three numbers go there, why tests were skipped, and what the corpus gave: it adds up all specs and
-- prints what closes the run.

-- `corpus absent`, or a line for each thing that tests met: how much it counts, its kind, its name (or nothing).
local function write_corpus(f)
  local helper = package.loaded.helper
  if not helper then return end
  if not helper.corpus_root then return f:write("corpus absent\n") end
  for _, row in ipairs(helper.counts) do f:write(("%d\t%s\t%s\n"):format(row.n, row.kind, row.name or "")) end
end

-- A line for each test that was skipped: `skipped`, and the reason that it gave.
local function write_skipped(f, pendings)
  for _, row in ipairs(pendings) do
    local reason = type(row.message) == "string" and row.message or "no reason given"
    f:write(("skipped\t%s\n"):format(reason:match("[^\n]*"):gsub("^[^ ]*:%d+: ", ""):gsub("^NOT TESTED: ", "")))
  end
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
      write_skipped(f, handler.pendings)
      write_corpus(f)
      f:close()
    else
      print(("%d passed, %d failed, %d skipped"):format(passed, failed, skipped))
    end
    return nil, true
  end)
  return handler
end
