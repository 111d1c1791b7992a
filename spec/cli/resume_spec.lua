-- --resume where the disk is full, which options do not matter, and the hash of a document that was opened.

local core = require "lathe.core"
local helper = require "helper"
local manifest = require "lathe.cli.batch.manifest"
local sample = require "sample_fzx"
local transcript = dofile "spec/cli/transcript.lua"

local SHIM = helper.build .. "/spec/failing_io.so"

describe("--resume", function()
  local folder, env

  before_each(function()
    folder, env = transcript.folder()
    os.execute("mkdir " .. helper.quote(folder .. "/in"))
    for i = 1, 3 do
      helper.write(("%s/in/%d.solid"):format(folder, i), helper.read(folder .. "/tri.solid"))
    end
  end)

  local function run(command, fail)
    local own = { LATHE_FAIL = fail or false, LATHE_FAIL_PATH = folder .. "/out/lathe-manifest",
      LD_PRELOAD = fail and SHIM or false }
    for name, value in pairs(env) do own[name] = value end
    return helper.run(command, { cwd = folder, env = own })
  end

  it("writes no file whose record cannot be written, and leaves no cut record", function()
    for _, failure in ipairs {
      { "write:3:ENOSPC", "cannot write: No space left on device" },
      { "write:3:SHORT", "cannot write: No space left on device" },
      { "fsync:3:EIO", "cannot flush to disk: Input/output error" },
    } do
      os.execute("rm -rf " .. helper.quote(folder .. "/out"))
      local result = run("lathe scale 2 in -o out --resume -j 1", failure[1])
      assert.same({ 1, "in/1.solid: 3 changes -> out/1.solid\nin/3.solid: 3 changes -> out/3.solid\n",
        "made the folder out\nlathe: in/2.solid: out/2.solid: the manifest: out/lathe-manifest.jsonl: " .. failure[2]
          .. "\n2 changed, 0 unchanged, 1 failed\n" }, { result.code, result.out, result.err })
      assert.same({ "1.solid", "3.solid", "lathe-manifest.jsonl" }, helper.list(folder .. "/out"))
      local found = assert(manifest.read(folder .. "/out/lathe-manifest.jsonl"))
      assert.equal(failure[1]:find "^fsync" and 3 or 2, #found.records)
      assert.equal("in/2.solid: 3 changes -> out/2.solid\n", run("lathe scale 2 in -o out --resume").out)
    end
  end)

  it("is the same job with options that do not change results", function()
    helper.write(folder .. "/s.lua", "return function(doc) doc.vertices[1].x = 9 end")
    assert.equal(0, run("lathe run s.lua in -o out --resume -- a b").code)
    helper.write(folder .. "/list", "in/1.solid\nin/2.solid\nin/3.solid\n")
    local result = run [[mkdir deeper && mv s.lua deeper && cp -r in other &&
      lathe run deeper/s.lua --files-from list -o out --resume -j 2 --json --max-memory 1G --max-seconds 50 -- a b &&
      cd other && lathe run ../deeper/s.lua 3.solid 2.solid 1.solid -o ../out --resume --shard 1/1 --json -- a b &&
      lathe run ../deeper/s.lua . -o ../out --resume -q --dry-run -- a b]]
    assert.equal(0, result.code)
    assert.equal(6, select(2, result.out:gsub('"already_done":true', "")))
    assert.equal(1, #manifest.read(folder .. "/out/lathe-manifest.jsonl").jobs)
  end)
end)

describe("the hash of a document that was opened", function()
  it("is that of its file", function()
    local number = 0
    for _, name in ipairs(helper.list "scripts/examples") do
      local path = "scripts/examples/" .. name
      local doc <close> = core.open(path)
      if doc then
        number = number + 1
        assert.equal(core.sha256(nil, path), core.sha256(doc), name)
        assert.equal(core.sha256(helper.read(path)), core.sha256(doc), name)
      end
    end
    assert.is_true(number >= 10)
  end)
end)

describe("saving with a note", function()
  local folder, path, doc

  before_each(function()
    folder = helper.tmpdir()
    path = helper.write(folder .. "/a.fzx", sample.two)
    doc = assert(core.open(path))
    doc.objects[1].label = "other"
  end)

  after_each(function() doc:close() end)

  it("tells the hash of the new file before that takes its place", function()
    local told, there
    assert.is_true(core.save_noted(doc, path, true, function(hash)
      told, there = hash, helper.read(path)
      return true
    end))
    assert.equal(sample.two, there)
    assert.equal(core.sha256(helper.read(path)), told)
    assert.equal(sample.two, helper.read(path .. ".bak"))
    assert.is_false(doc.modified)
  end)

  it("leaves the old file and nothing else if the note fails", function()
    for _, note in ipairs {
      function() return nil, "why not" end, function() error("why not", 0) end,
      function() return false, { no = "text" } end,
    } do
      local ok, err = core.save_noted(doc, path, true, note)
      assert.is_nil(ok)
      assert.equal(path, err.path)
      assert.is_truthy(({ ["why not"] = true, ["cannot be recorded"] = true })[err.message])
      assert.is_true(doc.modified)
      assert.same({ "a.fzx" }, helper.list(folder))
      assert.equal(sample.two, helper.read(path))
    end
  end)
end)
