--- The NIFs of the corpus of precombined meshes.
--
--    corpus.each(pending, function(name, path, figures, folder) … end)      -- figures: what its JSON says

local helper = require "helper"
local json = require "dkjson"

local precombined_corpus = {}

--- Calls run for each file, in the order of the names. Without the corpus the test is pending.
function precombined_corpus.each(pending, run)
  local folder = helper.need_corpus("precombined", pending)
  local names = helper.list(folder, "%.nif$")
  assert(#names > 0, "no files")
  for _, name in ipairs(names) do
    local path = folder .. "/" .. name
    run(name, path, assert(json.decode(helper.read(path .. ".json"), 1, nil)), folder)
  end
end

return precombined_corpus
