-- kill -9 of a batch at random moments: every output is absent, old or complete, no process is left, and --resume ends
-- with the bytes of one undisturbed run. LATHE_KILLS=40 kills so many batches of 2,000 files; those of `make test` are
-- smaller.

local killed_batch = require "killed_batch"

local kills = tonumber(os.getenv "LATHE_KILLS")
local seed = tonumber(os.getenv "LATHE_SEED") or os.time()

local function survives(way, few)
  local result = killed_batch.run(kills and kills // 2 or few, kills and 2000 or 250, way)
  assert.same({}, result.wrong, "LATHE_SEED=" .. seed)
  if kills then
    print(("%s: %d batches killed while they ran, with %d to %d files done"):format(way, result.killed, result.least,
      result.most))
  end
end

describe("a batch that is killed #tools", function()
  setup(function() math.randomseed(seed) end)

  it("can be resumed into a folder", function() survives("-o", 2) end)

  it("can be resumed in place, and does nothing twice", function() survives("--in-place", 1) end)
end)
