-- `--dry-run`: nothing is written, and what is said, counted and returned is what the real run would do.

local helper = require "helper"
local lfs = require "lfs"
local transcript = dofile "spec/cli/transcript.lua"

-- Every file below a folder with its bytes, every folder, every link.
local function snapshot(root)
  local all = {}
  local function walk(folder)
    for _, name in ipairs(helper.list(folder)) do
      local path = folder .. "/" .. name
      local mode = lfs.symlinkattributes(path, "mode")
      local shown = path:sub(#root + 2)
      if mode == "directory" then
        all[shown] = "a folder"
        walk(path)
      elseif mode == "link" then
        all[shown] = "a link to " .. lfs.symlinkattributes(path, "target")
      else
        all[shown] = helper.read(path)
      end
    end
  end
  walk(root)
  return all
end

describe("run --dry-run", function()
  -- Runs a script in two equal folders, once for real; gives both results, and what the real one wrote.
  local function both(body, opts)
    opts = opts or {}
    local results, before, after = {}, {}, {}
    for i, more in ipairs { "", "--dry-run" } do
      local folder, env = transcript.folder()
      helper.write(folder .. "/script.lua", opts.whole or "return function(doc, ctx)\n" .. body .. "\nend\n")
      if opts.prepare then opts.prepare(folder) end
      before[i] = snapshot(folder)
      local command = ("lathe run script.lua %s %s %s"):format(opts.files or "tri.solid", opts.to or "-o out", more)
      results[i] = helper.run(command, { cwd = folder, env = env })
      after[i] = snapshot(folder)
    end
    assert.same(before[2], after[2])
    local written = {}
    for name, bytes in pairs(after[1]) do
      if bytes ~= "a folder" and bytes ~= before[1][name] then written[name] = #bytes end
    end
    return results[1], results[2], written
  end

  local function last_line(text) return text:match "([^\n]*)\n$" end

  -- The same exit code, counts, failures and words of the script; the files that it lists are those that come
  -- into being.
  local function same(body, opts)
    local real, dry, written = both(body, opts)
    assert.equal(real.code, dry.code)
    assert.equal(last_line(real.err), (last_line(dry.err):gsub("would change", "changed")))
    local listed, said = {}, {}
    for line in dry.out:gmatch "[^\n]+" do
      local name, size = line:match "^(.*): would write (%d+) bytes?$"
      if name then
        listed[name] = tonumber(size)
      elseif line:match "^said" then
        said[#said + 1] = line
      end
    end
    local really = {}
    for line in real.out:gmatch "[^\n]+" do
      if line:match "^said" then really[#really + 1] = line end
    end
    assert.same(really, said)
    assert.same(written, listed)
    return dry, real
  end

  it("lists what the script writes, with sizes, and writes nothing", function()
    local dry = same [[
      assert(lathe.write(ctx.output .. "/deep/er/bytes", "12345"))
      local f = assert(io.open(ctx.output .. "/notes.txt", "w"))
      f:write("one", 2, "\n")
      f:close()
      assert(doc:save(ctx.output .. "/copy.solid"))
      assert(lathe.export(doc, ctx.output .. "/tri.obj"))]]
    assert.equal([[
tri.solid: unchanged
out/deep/er/bytes: would write 5 bytes
out/notes.txt: would write 5 bytes
out/copy.solid: would write 76 bytes
out/tri.obj: would write 162 bytes
]], (dry.out:gsub("tri.obj: would write %d+", "tri.obj: would write 162")))
  end)

  it("says it in JSON", function()
    local _, dry = both("lathe.write(ctx.output .. '/a', '123')", { to = "-o out --json" })
    assert.equal('{"file":"tri.solid","ok":true,"changes":[],"would_write":[{"path":"out/a","size":3}]}\n', dry.out)
  end)

  it("gives the script what it wrote", function()
    same [[
      local path = ctx.output .. "/x/tri.txt"
      local f = assert(io.open(path, "w"))
      print("said", io.type(f), f:write "one\ntwo\n" == f, f:seek "cur")
      f:close()
      print("said", io.type(f))
      for line in io.lines(path) do print("said", line) end
      print("said", lathe.read(path))
      f = assert(io.open(path, "a"))
      f:write "three"
      f:close()
      f = assert(io.open(path, "r+"))
      print("said", f:read "l", f:seek("set", 4), f:write "T" == f, f:seek("set", 0), f:read "a")
      f:close()
      doc.vertices[1].x = 7
      assert(doc:save(ctx.output .. "/x/copy.solid"))
      print("said", doc.modified, assert(lathe.open(ctx.output .. "/x/copy.solid")).vertices[1].x)
      assert(lathe.export(doc, ctx.output .. "/x/tri.obj"))
      print("said", #assert(lathe.import(ctx.output .. "/x/tri.obj")))
      assert(lathe.write(path, "again"))
      print("said", lathe.read(path), io.open(path):read "a")
      print("said", lathe.read(ctx.output .. "/x/none") == nil, io.open(ctx.output .. "/x/none") == nil)]]
  end)

  it("counts a document that the script saved as the real run does", function()
    local dry = same "doc.vertices[1].x = 7 assert(doc:save(ctx.output .. '/own.solid'))"
    assert.equal("0 would change, 1 unchanged, 0 failed\n", dry.err)
    same "assert(doc:save(ctx.output .. '/own.solid')) doc.vertices[1].x = 7 error 'stop'"
  end)

  it("opens the files that are there as the real run does", function()
    same "print('said', io.type(io.open(ctx.path)), select('#', io.open(ctx.path)), select('#', io.open 'none'))"
  end)

  it("starts from the files that are there", function()
    local function prepare(folder)
      lfs.mkdir(folder .. "/out")
      helper.write(folder .. "/out/log", "old\n")
      helper.write(folder .. "/out/keep", "kept")
      helper.write(folder .. "/out/model", "model")
    end
    local dry = same([[
      for _, mode in ipairs { "a", "r+", "a+" } do
        local f = assert(io.open(ctx.output .. "/log", mode))
        f:write(mode)
        f:close()
      end
      print("said", io.open(ctx.output .. "/log"):read "a", io.open(ctx.output .. "/keep", "r+"):read "a")
      assert(doc:save(ctx.output .. "/model", { backup = true }))
      print("said", lathe.read(ctx.output .. "/model.bak"))]], { prepare = prepare })
    assert.matches("out/model.bak: would write 5 bytes\nout/model: would write 76 bytes", dry.out)
  end)

  it("tells of each file what was written while it was worked on", function()
    local _, dry = both("local f = io.open('out/log', 'a') f:write(ctx.path, '\\n') f:close()",
      { files = "tri.solid tail.solid" })
    assert.equal("tri.solid: unchanged\nout/log: would write 10 bytes\n"
      .. "tail.solid: unchanged\nout/log: would write 21 bytes\n", dry.out)
    assert.equal("0 would change, 2 unchanged, 0 failed\n", dry.err)
  end)

  it("does not count what it keeps of earlier files as memory of the script", function()
    local body = "assert(lathe.write(ctx.output .. '/' .. ctx.path, ('x'):rep(3 << 20)))"
    local files = "tri.solid tail.solid rig.fzx"
    same(body, { files = files .. " --max-memory 8M" })
    local _, dry = both(body .. " Kept = (Kept or '') .. ('x'):rep(3 << 20)", { files = files .. " --max-memory 8M" })
    assert.matches("wants more than 8M", dry.err) -- what the script keeps counts
  end)

  it("lists what was written before the script failed, or while it was loaded", function()
    local dry = same "lathe.write(ctx.output .. '/a', '1') error 'stop'"
    assert.equal("out/a: would write 1 byte\n", dry.out)
    assert.equal(1, dry.code)
    same(nil, { whole = "lathe.write('out/first', '12')\nreturn function() end" })
  end)

  it("fails where the real run does", function()
    same([[
      for _, case in ipairs {
        { "a save over a folder", function() assert(doc:save "out/folder") end },
        { "a write over a folder", function() assert(lathe.write("out/folder", "")) end },
        { "io.open of a folder", function() assert(io.open("out/folder", "w")) end },
        { "a folder in place of a file", function() assert(lathe.write("out/file/x", "")) end },
        { "io.open below a file", function() assert(io.open("out/file/x", "w")) end },
        { "a folder of the script", function() lathe.write("out/a/b", "") assert(lathe.write("out/a", "")) end },
        { "io.open of such a folder", function() assert(io.open("out/a", "a")) end },
        { "a file of the script", function() lathe.write("out/c", "") assert(lathe.write("out/c/d", "")) end },
        { "io.open of what is not there", function() assert(io.open("out/none", "r+")) end },
        { "a link that leads out", function() assert(lathe.write("out/link", "")) end },
        { "a link to a device", function() assert(io.open("out/null", "w")) end },
        { "writing elsewhere", function() assert(lathe.write("elsewhere", "")) end },
        { "a long name", function() assert(lathe.write("out/" .. ("x"):rep(300), "")) end },
        { "a long name of a folder", function() assert(lathe.write("out/" .. ("x"):rep(300) .. "/x", "")) end },
        { "an open edit", function() doc:edit(function() assert(doc:save "out/x") end) end },
        { "a document without a name", function() assert(lathe.new("solid"):save()) end },
        { "a write to a handle for reading", function() assert(io.open(ctx.path):write "x") end },
        { "a handle that is closed", function() local f = io.open("out/e", "w") f:close() f:write "x" end },
      } do
        print("said", case[1], pcall(case[2]) and "done" or "failed")
      end
      error "stop"]], { prepare = function(folder)
        lfs.mkdir(folder .. "/out")
        lfs.mkdir(folder .. "/out/folder")
        helper.write(folder .. "/out/file", "x")
        assert(lfs.link("../rig.fzx", folder .. "/out/link", true))
        assert(lfs.link("/dev/null", folder .. "/out/null", true))
      end })
  end)

  it("fails where lathe's own result could not be written", function()
    local opts = { prepare = function(folder)
      lfs.mkdir(folder .. "/out")
      lfs.mkdir(folder .. "/out/tri.solid")
    end }
    local dry, real = same("doc.vertices[1].x = 7", opts)
    assert.equal((real.err:gsub(" changed", " would change")), dry.err)
    assert.matches("lathe: tri.solid: out/tri.solid: cannot write: it is a directory\n", dry.err)
    local _, over = both("doc.vertices[1].x = 7", { to = "-o ." })
    assert.equal("lathe: tri.solid: would overwrite the input tri.solid: use --in-place\n"
      .. "0 would change, 0 unchanged, 1 failed\n", over.err)
  end)

  it("keeps lathe's own functions from writing under --trusted, too", function()
    local dry = same([[
      print("said", lathe.write("anywhere/new", "12") == nil, lathe.write("out/far/new", "12") == nil)
      assert(lathe.write("out/new", "12"))
      assert(doc:save "copy.solid")
      assert(lathe.export(doc, "tri.glb"))
      print("said", lathe.read "out/new", #lathe.read "rig.fzx")]], { to = "--trusted -o out" })
    assert.equal(0, dry.code)
  end)
end)

describe("--dry-run of other commands", function()
  it("fails where writing would", function()
    local folder, env = transcript.folder()
    lfs.mkdir(folder .. "/out")
    lfs.mkdir(folder .. "/out/tri.solid")
    lfs.mkdir(folder .. "/out/tri.glb")
    helper.write(folder .. "/file", "")
    local before = snapshot(folder)
    for command, said in pairs {
      ["scale 2 tri.solid -o out"] = "out/tri.solid: cannot write: it is a directory",
      ["set tri.solid 'vertices[1].x=5' -o out"] = "out/tri.solid: cannot write: it is a directory",
      ["scale 2 tri.solid -o file/x.solid"] = "file/x.solid: cannot make its folder: Not a directory",
      ["scale 2 tri.solid -o ."] = "would overwrite the input tri.solid: use --in-place",
      ["export tri.solid -o file/x.glb"] = "file/x.glb: cannot make its folder: Not a directory",
      ["export tri.solid tail.solid -o file/x.glb"] = "file/x.glb: cannot make its folder: Not a directory",
      ["export tri.solid -o out --to glb"] = "out/tri.glb: cannot write: it is a directory",
    } do
      local result = helper.run("lathe " .. command .. " --dry-run", { cwd = folder, env = env })
      assert.equal(1, result.code, command)
      assert.truthy(result.err:find(said, 1, true), command .. ": " .. result.err)
    end
    assert.same(before, snapshot(folder))
  end)
end)
