-- The manifest of --resume: what is written is read back, and what is damaged is refused by line.

local helper = require "helper"
local manifest = require "lathe.cli.batch.manifest"

local HASH = ("0123456789abcdef"):rep(4)

local path = helper.tmpdir() .. "/m.jsonl"

local function read(bytes)
  return manifest.read(helper.write(path, bytes))
end

local job = manifest.job("scale", { factor = "2", what = "collision" })

local function random_name()
  local bytes = {}
  for i = 1, math.random(1, 20) do bytes[i] = string.char(math.random(1, 255)) end
  return table.concat(bytes)
end

describe("a manifest", function()
  it("gives back what was written, with any names and values", function()
    math.randomseed(3)
    local lines, records = { manifest.header(job) }, {}
    for i = 1, 300 do
      local record = { file = i % 3 == 0 and ("a/%d.nif"):format(i) or random_name(), job = job.id, input = HASH }
      if i % 5 == 0 then record.unchanged = true else record.result = HASH:reverse() end
      if i % 7 == 0 then record.output = random_name() end
      if i % 11 == 0 then record.value = random_name():rep(i) end
      records[i], lines[i + 1] = record, manifest.line(record)
    end
    for i, line in ipairs(lines) do assert.equal(#line, line:find("\n", 1, true), i) end
    local found = assert(read(table.concat(lines)))
    assert.same(records, found.records)
    assert.same({ job }, found.jobs)
  end)

  it("is of another job if anything differs that matters", function()
    local ids = { [job.id] = true }
    local others = {
      manifest.job("retime", { factor = "2", what = "collision" }),
      manifest.job("scale", { factor = "3", what = "collision" }),
      manifest.job("scale", { factor = "2" }),
      manifest.job("scale", { factor = "2", what = "collision", mass = "keep" }),
      manifest.job("scale", { factor = "2", what = "collision" }, HASH),
      manifest.job("scale", { factor = "2=", what = "collision" }),
    }
    for i, other in ipairs(others) do
      assert.is_nil(ids[other.id], i)
      ids[other.id] = true
    end
    assert.equal(job.id, manifest.job("scale", { what = "collision", factor = "2" }).id)
  end)

  it("is refused by line, however it is cut", function()
    local record = manifest.line { file = "a.nif", job = job.id, input = HASH, result = HASH }
    local odd = manifest.line { file = "b\255\n.nif", job = job.id, input = HASH, unchanged = true, value = "x" }
    local header = manifest.header(job)
    local whole = header .. record .. odd
    local ends = { [0] = true, [#header] = true, [#header + #record] = true, [#whole] = true }
    local sizes = { #header, #header + 1, #header + #record, #whole - 1, #whole }
    for n = 0, #whole, 5 do sizes[#sizes + 1] = n end
    for _, n in ipairs(sizes) do
      local found, problem, line = read(whole:sub(1, n))
      if ends[n] then
        assert.is_nil(problem)
        assert.equal(n == 0, found == nil)
      else
        local _, complete = whole:sub(1, n):gsub("\n", "")
        assert.same({ nil, "the line is cut", complete + 1 }, { found, problem, line })
      end
    end
  end)

  it("is refused by line where it is damaged", function()
    local function refuses(problem, line, bytes)
      assert.same({ problem, line }, { select(2, read(bytes)) })
    end
    local header = manifest.header(job)
    local record = { file = "a.nif", job = job.id, input = HASH, result = HASH }
    local good = manifest.line(record)
    refuses("this is no manifest of lathe", 1, "hello\n")
    refuses("this is no manifest of lathe", 1, good)
    refuses("this is no manifest of lathe", 1, "\n" .. header)
    refuses("a manifest of another version of lathe: format 2, and this one knows format 1", 1,
      (header:gsub('"lathe_manifest":1', '"lathe_manifest":2')))
    refuses("a manifest of another version of lathe: format, and this one knows format 1", 1,
      (header:gsub('"lathe_manifest":1', '"lathe_manifest":"x"')))
    for _, damage in ipairs {
      { '"file":"a.nif"', '"file":7' }, { '"file":"a.nif"', '"file":""' }, { '"file":"a.nif",', "" },
      { HASH, HASH:sub(2) }, { HASH, HASH:upper() }, { HASH, ("x"):rep(64) }, { job.id, job.id .. "0" },
      { '"result"', '"results"' }, { '"result":"' .. HASH .. '"', '"unchanged":false' },
      { '"result"', '"unchanged":true,"result"' }, { '"result"', '"output":1,"result"' },
      { '"result"', '"output_bytes":"*","output":"x","result"' }, { '"result"', '"value":3,"result"' },
      { '"result"', '"value":"*","result"' }, { "{", "" }, { "{", "[" }, { "{", "\0{" }, { "{", ("["):rep(5000) .. "{" },
      { '"file"', '"file_bytes":"*","file"' },
    } do
      local from = damage[1]:gsub("%p", "%%%0")
      local bad, n = good:gsub(from, (damage[2]:gsub("%%", "%%%%")), 1)
      assert.equal(1, n, damage[1])
      assert.same({ damage[2], "the line is damaged", 3 }, { damage[2], select(2, read(header .. good .. bad .. good)) })
    end
    refuses("the line is damaged", 2, header .. header:gsub('"scale"', "1"))
    refuses("the line is damaged", 2, header .. header:gsub('"factor":"2"', '"factor":2'))
  end)

  it("with any damage gives records or a problem, and raises nothing", function()
    math.randomseed(5)
    local lines = { manifest.header(job) }
    for i = 1, 3 do
      lines[#lines + 1] = manifest.line { file = i .. ".nif", job = job.id, input = HASH, result = HASH }
      lines[#lines + 1] = manifest.line { file = i .. "\255", job = job.id, input = HASH, unchanged = true, value = "v" }
    end
    local whole, problems = table.concat(lines), 0
    local odd = { "\0", "\n", '"', "\\", "{", "}", "[", ":", ",", "\255", "9", "e", "u" }
    for _ = 1, 1500 do
      local bytes = whole
      for _ = 1, math.random(1, 4) do
        local at = math.random(#bytes)
        local keep = math.random(3) == 1 and 0 or 1 -- replaces or inserts
        bytes = bytes:sub(1, at - keep) .. odd[math.random(#odd)] .. bytes:sub(at + 1)
      end
      local found, problem, line = read(bytes)
      assert.is_true((found == nil) == (problem ~= nil))
      if problem then
        problems = problems + 1
        assert.is_true(line >= 1 and line <= #lines + 5)
      end
    end
    assert.is_true(problems > 500 and problems < 1500)
  end)

  it("that is no file is told from one that is missing", function()
    local folder = helper.tmpdir()
    assert.same({}, { manifest.read(folder .. "/none") })
    assert.same({ "this is no manifest of lathe" }, { select(2, manifest.read(folder)) })
  end)
end)
