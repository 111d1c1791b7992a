-- Whatever fails while a file is saved, the old one is intact, nothing else is left behind, and the error
-- says why. Nothing stops root, which CI is, so a preloaded library makes write, fsync, rename, link and
-- open fail in turn (spec/support/failing_io.c).

local helper = require "helper"
local lathe = require "lathe"
local lfs = require "lfs"
local sample = require "sample_fzx"

local SHIM = helper.build .. "/spec/failing_io.so"

-- Opens arg[1], changes it, saves it as arg[2].
local SCRIPT = [[
  local lathe = require "lathe"
  local doc = assert(lathe.open(arg[1]))
  doc.objects[1].label = "Head Sphere"
  local ok, err = doc:save(arg[2], { backup = arg[3] == "backup" })
  if ok then
    print("saved", doc.modified)
  else
    print(err.code, err.path)
    print(err)
    assert(doc.modified and doc.objects[1].label == "Head Sphere")
  end
]]

-- The same with bytes that are no document.
local WRITE = [[
  local lathe = require "lathe"
  local ok, err = lathe.write(arg[2], "some bytes")
  if ok then return print("saved", false) end
  print(err.code, err.path)
  print(err)
]]

local function changed()
  local doc <close> = assert(lathe.parse(sample.two))
  doc.objects[1].label = "Head Sphere"
  return assert(doc:encode())
end

-- A folder with a.fzx; runs the script on it with these failures.
local function save(fail, opts)
  opts = opts or {}
  local folder = opts.folder or helper.tmpdir()
  local script = helper.write(helper.tmpdir() .. "/save.lua", opts.script or SCRIPT)
  local source = helper.write(helper.tmpdir() .. "/source.fzx", sample.two)
  if not opts.folder then helper.write(folder .. "/a.fzx", sample.two) end
  local preload = helper.preload and helper.preload .. ":" .. SHIM or SHIM
  local r = helper.run({ "env", "LD_PRELOAD=" .. preload, "lua5.4", script, source, folder .. "/a.fzx",
    opts.backup and "backup" or "plain" }, { env = {
      LATHE_FAIL = fail or false,
      LATHE_FAIL_PATH = folder,
      LUA_PATH_5_4 = helper.root .. "/scripts/?.lua;" .. helper.root .. "/scripts/?/init.lua",
      LUA_CPATH_5_4 = helper.build .. "/?.so",
      LUA_INIT_5_4 = false,
    } })
  assert.same({ 0, "" }, { r.code, r.err }, fail)
  return r.out, folder
end

-- What must be there after a failure: the old file, and these others.
local function intact(folder, label, others)
  local expected = { "a.fzx" }
  for _, name in ipairs(others or {}) do expected[#expected + 1] = name end
  assert.same(expected, helper.list(folder), label)
  assert.equal(sample.two, helper.read(folder .. "/a.fzx"), label)
end

local function fails(rule, reason, opts)
  local out, folder = save(rule, opts)
  assert.equal(("io\t%s/a.fzx\n%s/a.fzx: %s\n"):format(folder, folder, reason), out, rule)
  intact(folder, rule, opts and opts.others)
  return folder
end

describe("saving where the system refuses", function()
  it("leaves the old file as it was", function()
    fails("open:1:EACCES", "cannot create a temporary file beside it: Permission denied")
    fails("open:1:EROFS", "cannot create a temporary file beside it: Read-only file system")
    fails("open:1:EMFILE", "cannot create a temporary file beside it: Too many open files")
    fails("write:1:ENOSPC", "cannot write: No space left on device")
    fails("write:1:SHORT,write:2:EDQUOT", "cannot write: Disk quota exceeded")
    fails("write:1+:EIO", "cannot write: Input/output error")
    fails("fsync:1:EIO", "cannot flush to disk: Input/output error")
    fails("fsync:1:ENOSPC", "cannot flush to disk: No space left on device")
    fails("rename:1:EPERM", "cannot rename: Operation not permitted")
    fails("rename:1:EXDEV", "cannot rename: Invalid cross-device link")
  end)

  it("leaves it when the backup fails, too", function()
    local backup = { backup = true }
    fails("link:1:ENOSPC", "cannot keep a backup: No space left on device", backup)
    fails("link:1:EPERM,open:2:EACCES", "cannot keep a backup: Permission denied", backup)
    fails("link:1:EPERM,write:2:ENOSPC", "cannot keep a backup: No space left on device", backup)
    fails("link:1:EPERM,fsync:2:EIO", "cannot keep a backup: Input/output error", backup)
    fails("rename:1:EPERM", "cannot keep a backup: Operation not permitted", backup)
    fails("link:1+:ENOENT", "cannot keep a backup: No such file or directory", backup)
    -- The last step: by then the backup stands, which is a copy of the old file.
    local folder = fails("rename:2:EIO", "cannot rename: Input/output error",
      { backup = true, others = { "a.fzx.bak" } })
    assert.equal(sample.two, helper.read(folder .. "/a.fzx.bak"))
  end)

  it("goes on where the system only hesitates", function()
    for _, rule in ipairs { "write:1:SHORT", "write:1:EINTR", "write:1+:SHORT", "fsync:1:EINTR" } do
      local out, folder = save(rule)
      assert.equal("saved\tfalse\n", out, rule)
      assert.same({ "a.fzx" }, helper.list(folder))
      assert.equal(changed(), helper.read(folder .. "/a.fzx"), rule)
    end
    local out, folder = save("link:1:EPERM", { backup = true }) -- file systems without links: a copy
    assert.equal("saved\tfalse\n", out)
    assert.same({ "a.fzx", "a.fzx.bak" }, helper.list(folder))
    assert.equal(sample.two, helper.read(folder .. "/a.fzx.bak"))
  end)

  it("keeps the backup where other processes replace the file or take away the second name", function()
    for _, rule in ipairs { "link:1:ENOENT", "link:1:116,link:2:ENOENT,link:3:EEXIST", "rename:1:ENOENT" } do
      local out, folder = save(rule, { backup = true })
      assert.equal("saved\tfalse\n", out, rule)
      assert.same({ "a.fzx", "a.fzx.bak" }, helper.list(folder))
      assert.equal(changed(), helper.read(folder .. "/a.fzx"), rule)
      assert.equal(sample.two, helper.read(folder .. "/a.fzx.bak"), rule)
    end
  end)

  it("says when the new file is there but the folder was not flushed", function()
    local out, folder = save("fsync:2:EIO")
    assert.truthy(out:find("the new file is in place, but may not survive a power cut: Input/output error", 1, true))
    assert.same({ "a.fzx" }, helper.list(folder))
    assert.equal(changed(), helper.read(folder .. "/a.fzx"))
  end)

  it("leaves nothing where there was nothing", function()
    for _, rule in ipairs { "open:1:EACCES", "write:1:ENOSPC", "fsync:1:EIO", "rename:1:EPERM" } do
      local folder = helper.tmpdir()
      local out = save(rule, { folder = folder })
      assert.truthy(out:find("^io\t"), rule)
      assert.same({}, helper.list(folder), rule)
    end
  end)
end)

describe("saving to a place that cannot be written", function()
  local function refused(path, message)
    local doc <close> = assert(lathe.parse(sample.two))
    doc.objects:resize(1)
    local before = doc:encode()
    local ok, err = doc:save(path)
    assert.is_nil(ok)
    assert.same({ "io", path, path .. ": " .. message }, { err.code, err.path, tostring(err) })
    assert.is_true(doc.modified)
    assert.equal(before, doc:encode())
  end

  it("a folder that is a file, or not there, or over a folder", function()
    local folder = helper.tmpdir()
    helper.write(folder .. "/file", "x")
    lfs.mkdir(folder .. "/sub")
    refused(folder .. "/sub", "cannot write: it is a directory")
    refused(folder .. "/gone/a.fzx", "cannot write: No such file or directory")
    refused(folder .. "/file/a.fzx", "cannot write: Not a directory")
    refused(folder .. "/sub/", "cannot write: it is a directory")
    assert.same({ "file", "sub" }, helper.list(folder))
    assert.equal("x", helper.read(folder .. "/file"))
  end)

  it("a folder that vanished since the file was opened", function()
    local folder = helper.tmpdir() .. "/sub"
    lfs.mkdir(folder)
    local path = helper.write(folder .. "/a.fzx", sample.two)
    local doc <close> = assert(lathe.open(path))
    doc.objects:resize(0)
    os.remove(path)
    lfs.rmdir(folder)
    local ok, err = doc:save()
    assert.is_nil(ok)
    assert.equal(path .. ": cannot write: No such file or directory", tostring(err))
    assert.is_false(helper.exists(folder))
    assert.equal(sample.empty, doc:encode())
  end)

  it("a device, a pipe", function()
    refused("/dev/full", "cannot write: it is not a regular file")
    refused("/dev/null", "cannot write: it is not a regular file")
    assert.equal("char device", lfs.attributes("/dev/null", "mode"))
  end)

  it("a folder that is read-only, for those whom that stops", function()
    local folder = helper.tmpdir()
    local path = helper.write(folder .. "/a.fzx", sample.two)
    os.execute("chmod 555 " .. helper.quote(folder))
    if io.open(folder .. "/probe", "w") then      -- root
      os.remove(folder .. "/probe")
      return
    end
    refused(path, "cannot create a temporary file beside it: Permission denied")
    os.execute("chmod 755 " .. helper.quote(folder))
    assert.equal(sample.two, helper.read(path))
  end)

  it("a disk that is full, where one can be had", function()
    local folder = helper.tmpdir()
    if helper.run({ "mount", "-t", "tmpfs", "-o", "size=16k", "lathe-spec", folder }).code ~= 0 then return end
    local ok, why = pcall(function()
      local path = helper.write(folder .. "/a.fzx", sample.two)
      local doc <close> = assert(lathe.open(path))
      doc.trailing = ("x"):rep(100000)
      local done, err = doc:save()
      assert.is_nil(done)
      assert.equal(path .. ": cannot write: No space left on device", tostring(err))
      assert.same({ "a.fzx" }, helper.list(folder))
      assert.equal(sample.two, helper.read(path))
    end)
    helper.run({ "umount", folder })
    assert(ok, why)
  end)
end)

describe("saving", function()
  it("keeps what was there as .bak, each time anew", function()
    local folder = helper.tmpdir()
    local path = helper.write(folder .. "/a.fzx", sample.two)
    local doc <close> = assert(lathe.open(path))
    doc.objects:remove(1)
    assert.is_true(doc:save(nil, { backup = true }))
    assert.is_false(doc.modified)
    assert.equal(sample.two, helper.read(path .. ".bak"))
    local second = helper.read(path)
    assert.equal(doc:encode(), second)
    doc.objects:remove(1)
    assert.is_true(doc:save(path, { backup = true }))
    assert.equal(second, helper.read(path .. ".bak"))
    assert.equal(sample.empty, helper.read(path))
    assert.same({ "a.fzx", "a.fzx.bak" }, helper.list(folder))
    assert.is_true(doc:save(folder .. "/new.fzx", { backup = true })) -- nothing to keep
    assert.same({ "a.fzx", "a.fzx.bak", "new.fzx" }, helper.list(folder))
  end)

  it("keeps permissions, and gives new files those of the umask", function()
    local folder = helper.tmpdir()
    local path = helper.write(folder .. "/a.fzx", sample.two)
    os.execute("chmod 604 " .. helper.quote(path))
    local doc <close> = assert(lathe.open(path))
    doc.objects:resize(0)
    assert.is_true(doc:save(path, { backup = true }))
    assert.equal("rw----r--", lfs.attributes(path, "permissions"))
    assert.equal("rw----r--", lfs.attributes(path .. ".bak", "permissions"))
    local plain = helper.write(folder .. "/plain", "x")
    assert.is_true(doc:save(folder .. "/new.fzx"))
    assert.equal(lfs.attributes(plain, "permissions"), lfs.attributes(folder .. "/new.fzx", "permissions"))
  end)

  it("follows symbolic links, which stay links", function()
    local folder = helper.tmpdir()
    lfs.mkdir(folder .. "/real")
    helper.write(folder .. "/real/a.fzx", sample.two)
    lfs.link("real/a.fzx", folder .. "/link.fzx", true)
    lfs.link("real/new.fzx", folder .. "/dangling.fzx", true)
    local doc <close> = assert(lathe.open(folder .. "/link.fzx"))
    doc.objects:resize(0)
    assert.is_true(doc:save(nil, { backup = true }))
    assert.equal("link", lfs.symlinkattributes(folder .. "/link.fzx", "mode"))
    assert.equal(sample.empty, helper.read(folder .. "/real/a.fzx"))
    assert.equal(sample.two, helper.read(folder .. "/real/a.fzx.bak"))
    assert.is_true(doc:save(folder .. "/dangling.fzx"))
    assert.equal("link", lfs.symlinkattributes(folder .. "/dangling.fzx", "mode"))
    assert.equal(sample.empty, helper.read(folder .. "/real/new.fzx"))
    assert.same({ "dangling.fzx", "link.fzx", "real" }, helper.list(folder))
  end)

  it("does not care what happened to the file since it was opened", function()
    local path = helper.write(helper.tmpdir() .. "/a.fzx", sample.two)
    local doc <close> = assert(lathe.open(path))
    helper.write(path, "something shorter")
    assert.equal(sample.two, doc:encode())
    assert.is_true(doc:save())
    assert.equal(sample.two, helper.read(path))
  end)
end)

describe("lathe.write", function()
  it("writes any bytes", function()
    local path = helper.tmpdir() .. "/x"
    for _, bytes in ipairs { "", "some\0bytes", ("b"):rep(1 << 20) } do
      assert.is_true(lathe.write(path, bytes))
      assert.equal(bytes, helper.read(path))
    end
  end)

  it("leaves what was there where the system refuses", function()
    for rule, reason in pairs {
      ["open:1:EACCES"] = "cannot create a temporary file beside it: Permission denied",
      ["write:1:ENOSPC"] = "cannot write: No space left on device",
      ["fsync:1:EIO"] = "cannot flush to disk: Input/output error",
      ["rename:1:EPERM"] = "cannot rename: Operation not permitted",
    } do
      fails(rule, reason, { script = WRITE })
    end
    local out, folder = save(nil, { script = WRITE })
    assert.equal("saved\tfalse\n", out)
    assert.equal("some bytes", helper.read(folder .. "/a.fzx"))
  end)

  it("wants a path and bytes", function()
    assert.has_error(function() lathe.write("a\0b", "") end, "bad argument #1 to 'write' (a path holds no NUL byte)")
    assert.has_error(function() lathe.write("/tmp/x") end)
    assert.equal("io", select(2, lathe.write(helper.tmpdir() .. "/none/x", "")).code)
  end)
end)
