-- Lines of batches: the manifest of --resume, and parts of files. Their n are files.

local core = require "lathe.core"
local inputs = require "lathe.cli.batch.inputs"
local manifest = require "lathe.cli.batch.manifest"
local resume = require "lathe.cli.batch.resume"
local sample = require "sample_solid"

local HASH = ("0123456789abcdef"):rep(4)

local function path_of(i) return ("/some/folder/%d/%d.solid"):format(i % 100, i) end

-- The path of a manifest with n records.
local function write_manifest(n)
  local path = os.tmpname()
  local file <close> = assert(io.open(path, "wb"))
  local job = manifest.job("scale", { factor = "2" })
  file:write(manifest.header(job))
  local line = manifest.line { file = "FILE", job = job.id, input = HASH, result = HASH }
  local before, after = line:match "^(.-)FILE(.*)$"
  for i = 1, n do file:write(before, path_of(i), after) end
  return path
end

-- A run in place: the first half of the files is done, and the others have the same bytes and no record.
local function half_done(n)
  local doc = assert(core.parse(sample.odd, { format = "solid" }))
  local hash = core.sha256(doc)
  local run = { path = "/some/manifest", folder = "/some", in_place = true, job = { id = "1" }, records = {},
    results = { [hash] = {} } }
  for i = 1, n // 2 do
    local name = path_of(i):sub(#"/some/" + 1)
    run.records[name] = { { file = name, job = "1", input = HASH, result = hash } }
    table.insert(run.results[hash], name)
  end
  return { doc = doc, run = resume.join(run), close = function() doc:close() end }
end

return {
  {
    name = "manifest: read n records",
    make = write_manifest,
    run = manifest.read,
    check = function(found, path, n)
      os.remove(path)
      assert(#found.records == n)
    end,
  },
  {
    name = "resume: look at n files, half of them done",
    make = half_done,
    run = function(it, n)
      local done, left = 0, 0
      for i = 1, n do
        local record, why = it.run:look({ real = path_of(i), path = path_of(i) }, it.doc)
        done, left = done + (record and 1 or 0), left + (why and 1 or 0)
      end
      return { done, left }
    end,
    check = function(counts, _, n) assert(counts[1] == n // 2 and counts[2] == n - n // 2) end,
  },
  {
    name = "inputs: n files of a list, in one of 2 parts",
    make = function(n)
      local list = {}
      for i = 1, n do list[i] = path_of(i) end
      return list
    end,
    run = function(list) return inputs.collect(list, nil, nil, { shard = { index = 1, count = 2 } }) end,
    check = function(items, _, n) assert(items.all == n and #items > n // 3) end,
  },
}
