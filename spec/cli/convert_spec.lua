-- `lathe convert` of precombined meshes: many NIFs, one geometry file.

local group = require "sample_group"
local helper = require "helper"
local lathe = require "lathe"
local lfs = require "lfs"

local SHORT <const>, FULL <const> = group.SHORT, group.FULL

-- A folder with NIFs under in/; `lathe` runs in it.
local function folder(files)
  local dir = helper.tmpdir()
  lfs.mkdir(dir .. "/in")
  for name, bytes in pairs(files) do helper.write(dir .. "/in/" .. name, bytes) end
  return dir
end

local function run(dir, ...)
  local words = { ... }
  for i, word in ipairs(words) do words[i] = word:gsub("^@", dir .. "/") end
  return helper.lathe(words)
end

local function two_files()
  return {
    ["a.nif"] = group.file("inline", { { group.object(SHORT, 4, 3), group.object(SHORT, 5, 1) } }),
    ["b.nif"] = group.file("inline", { { group.object(SHORT, 5, 1) }, { group.object(FULL, 4, 2) } }),
  }
end

local function seeds(path)
  local doc <close> = assert(lathe.open(path))
  local list = {}
  for i, row in ipairs(doc.rows) do list[i] = (row.positions:row(1)) end
  return list
end

describe("lathe convert of precombined meshes", function()
  it("makes one geometry file for all, and goes back to the first bytes", function()
    local files = two_files()
    local dir = folder(files)
    local said = run(dir, "convert", "@in", "--to", "shared", "--into", "@out/Mod - Geometry.csg", "-o", "@out/nif")
    assert.equal(0, said.code, said.err)
    assert.equal(("%s/out/Mod - Geometry.csg: made, with 3 rows\n"):format(dir)
      .. ("%s/in/a.nif: 1 block with 2 objects, 2 rows added -> %s/out/nif/a.nif\n"):format(dir, dir)
      .. ("%s/in/b.nif: 2 blocks with 2 objects, 1 row found, 1 row added -> %s/out/nif/b.nif\n"):format(dir, dir), said.out)
    assert.same({ 3, 1, 2 }, seeds(dir .. "/out/Mod - Geometry.csg"))
    assert.equal(0, run(dir, "check", "@out").code)
    said = run(dir, "convert", "@out/nif", "--to", "inline", "--geometry", "@out", "-o", "@back")
    assert.equal(0, said.code, said.err)
    for name, bytes in pairs(files) do assert.is_true(helper.read(dir .. "/back/" .. name) == bytes, name) end
    -- The same once more, with the rows that are there.
    local before = helper.read(dir .. "/out/Mod - Geometry.csg")
    said = run(dir, "convert", "@back", "--to", "shared", "--into", "@out/Mod - Geometry.csg", "-o", "@again")
    assert.equal(0, said.code, said.err)
    assert.is_nil(said.out:find("Geometry.csg", 1, true))
    assert.is_true(helper.read(dir .. "/out/Mod - Geometry.csg") == before)
    for name in pairs(files) do
      assert.is_true(helper.read(dir .. "/again/" .. name) == helper.read(dir .. "/out/nif/" .. name), name)
    end
    assert.is_false(helper.exists(dir .. "/out/Mod - Geometry.csg.bak"))
  end)

  it("adds rows to a file that is there, and keeps the original", function()
    local dir = folder(two_files())
    assert(lathe.new("geometry", { form = "psg", rows = { { positions = { { 9, 9, 9 } } } } }))
      :save(dir .. "/Mod - Geometry.psg")
    local before = helper.read(dir .. "/Mod - Geometry.psg")
    local said = run(dir, "convert", "@in", "--to", "inline+table", "--into", "@Mod - Geometry.psg", "--in-place")
    assert.equal(0, said.code, said.err)
    assert.matches("Mod - Geometry.psg: 3 rows added\n", said.out, 1, true)
    assert.same({ 9, 3, 1, 2 }, seeds(dir .. "/Mod - Geometry.psg"))
    assert.is_true(helper.read(dir .. "/Mod - Geometry.psg.bak") == before)
    local doc <close> = assert(lathe.open(dir .. "/in/b.nif"))
    assert.equal("inline+table", doc.blocks[5].layout)
  end)

  it("says in a dry run what would come, and writes nothing", function()
    local dir = folder(two_files())
    local said = run(dir, "convert", "@in", "--to", "shared", "--into", "@Mod - Geometry.csg", "--dry-run")
    assert.equal(0, said.code, said.err)
    assert.matches("Mod - Geometry.csg: would get 3 rows\n", said.out, 1, true)
    assert.matches("b.nif: would change (2 blocks with 2 objects, 1 row found, 1 row added", said.out, 1, true)
    assert.is_false(helper.exists(dir .. "/Mod - Geometry.csg"))
    assert.same({ "a.nif", "b.nif" }, helper.list(dir .. "/in", "."))
  end)

  it("leaves the others alone where one fails, and takes no rows from it", function()
    local files = two_files()
    files["aa.nif"] = group.file("shared", { { group.object(SHORT, 4, 8) } })
    files["ab.nif"] = files["a.nif"]:sub(1, 900)
    local dir = folder(files)
    local said = run(dir, "convert", "@in", "--to", "shared", "--into", "@Mod - Geometry.csg", "-o", "@out")
    assert.equal(1, said.code)
    assert.matches("aa.nif: blocks%[3%].data%[1%] at 0x%x+: its geometry file is missing", said.err)
    assert.matches("2 changed, 0 unchanged, 2 failed", said.err, 1, true)
    assert.same({ 3, 1, 2 }, seeds(dir .. "/Mod - Geometry.csg"))
    assert.same({ "a.nif", "b.nif" }, helper.list(dir .. "/out", "."))
  end)

  it("writes no NIF where the geometry file cannot be written", function()
    local dir = folder(two_files())
    lfs.mkdir(dir .. "/Mod - Geometry.csg")
    local said = run(dir, "convert", "@in", "--to", "shared", "--into", "@Mod - Geometry.csg", "-o", "@out")
    assert.equal(1, said.code)
    assert.matches("Mod - Geometry.csg", said.err, 1, true)
    assert.is_false(helper.exists(dir .. "/out"))
  end)

  it("gives stdout the file alone", function()
    local dir = folder(two_files())
    local said = run(dir, "convert", "@in/a.nif", "--to", "shared", "--into", "@Mod - Geometry.csg", "-o", "-")
    assert.equal(0, said.code, said.err)
    assert.matches("Mod - Geometry.csg: made, with 2 rows", said.err, 1, true)
    local doc <close> = assert(lathe.parse(said.out, { geometry = dir }))
    assert.same({ 3, 1, -1 }, { doc.blocks[3].data[1].positions:row(1) })
  end)

  it("tells what it did as JSON", function()
    local dir = folder { ["a.nif"] = two_files()["a.nif"] }
    local said = run(dir, "convert", "@in/a.nif", "--to", "shared", "--into", "@Mod - Geometry.csg", "-o", "@x.nif",
      "--json")
    assert.equal(('{"file":"%s/Mod - Geometry.csg","ok":true,"written":"%s/Mod - Geometry.csg","rows":2,"appended":2}\n')
      :format(dir, dir) .. ('{"file":"%s/in/a.nif","ok":true,"written":"%s/x.nif","report":{"changed":1,"skipped":[],'
        .. '"blocks":1,"objects":2,"found":0,"appended":2}}\n'):format(dir, dir), said.out)
  end)

  it("skips files that have no such form, and refuses what makes no sense", function()
    local files = two_files()
    files["c.csg"] = assert(lathe.new("geometry", { rows = {} })):encode()
    local dir = folder(files)
    local said = run(dir, "convert", "@in", "--to", "inline", "--dry-run")
    assert.matches("c.csg: skipped: geometry files cannot be converted to inline", said.out, 1, true)
    said = run(dir, "convert", "@in", "--to", "psg", "--dry-run")
    assert.matches("a.nif: skipped: nif files cannot be converted to psg", said.out, 1, true)
    for _, case in ipairs {
      { "say which geometry file shared meshes go to: --into OUT.csg", "--to", "shared" },
      { "--into goes with --to shared and --to inline+table, not with --to inline", "--to", "inline", "--into",
        "@x.csg" },
      { "--into goes with --to shared and --to inline+table, not with --to csg", "--to", "csg", "--into", "@x.csg" },
      { "--into names a .csg or .psg", "--to", "shared", "--into", "@x.nif" },
      { "say where to write: -o OUT or --in-place", "--to", "shared", "--into", "@x.csg" },
    } do
      said = run(dir, "convert", "@in", table.unpack(case, 2))
      assert.equal(2, said.code)
      assert.matches(case[1], said.err, 1, true)
    end
  end)

  it("refuses a geometry file that no name tells from another one", function()
    local dir = folder(two_files())
    local store <close> = assert(lathe.new("geometry", { form = "csg", rows = {} }))
    local bytes = store:encode()
    local cases = { { "x.csg", "x.psg" }, { "x.csg", "X.PSG" }, { "x.psg", "X.csg" }, { "x.csg", "X.CSG" } }
    for i, case in ipairs(cases) do
      for _, there in ipairs { false, true } do
        local mod = ("%s/%d%s"):format(dir, i, there)
        lfs.mkdir(mod)
        helper.write(mod .. "/" .. case[2], bytes)
        helper.write(mod .. "/y.csg", "")          -- another name
        local target = mod .. "/" .. case[1]
        if there then helper.write(target, bytes) end
        local files = helper.list(mod, ".")
        if #files == (there and 3 or 2) and (there or not helper.exists(target)) then -- case counts in this folder
          local said = run(dir, "convert", "@in", "--to", "shared", "--into", target, "-o", "@out")
          assert.equal(2, said.code)
          assert.matches(("files could not tell '%s' and '%s/%s' apart"):format(target, mod, case[2]), said.err, 1, true)
          assert.same(files, helper.list(mod, "."))
          assert.is_false(helper.exists(dir .. "/out"))
        end
      end
    end
    local said = run(dir, "convert", "@in", "--to", "shared", "--into", "@1false/y.csg", "--dry-run")
    assert.equal(1, said.code)                     -- empty
    said = run(dir, "convert", "@in", "--to", "shared", "--into", "@1false/z.csg", "--dry-run")
    assert.equal(0, said.code, said.err)
  end)
end)
