-- Imports damaged clips for some seconds. usage: lua5.4 import.lua SECONDS SEED FOLDER
-- Prints how many; a file that raised stays in the folder, and the exit code is 1.

package.path = "spec/support/?.lua;" .. package.path

local damaged_import = require "damaged_import"

local seconds, seed, folder = tonumber(arg[1]), math.tointeger(arg[2]), arg[3]
local random, count = damaged_import.random(seed), 0
local ways = { damaged_import.of_json, damaged_import.of_bytes, damaged_import.of_lines }
while os.clock() < seconds do
  for _, way in ipairs(ways) do
    local ok, why = pcall(way, folder, random)
    if not ok then
      print(("fuzz import: FAILED after %d files: %s; the file is in %s"):format(count, why, folder))
      os.exit(1)
    end
    count = count + 1
  end
end
print(("fuzz import: %d executions"):format(count))
