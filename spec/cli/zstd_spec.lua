-- Compressed files (.zs, .zst) on the command line.

local helper = require "helper"
local solid = require "sample_solid"
local transcript = dofile "spec/cli/transcript.lua"
local zstd = require "sample_zstd"

local square = solid.square

describe("lathe with compressed files", function()
  local folder, env

  before_each(function()
    folder, env = transcript.folder()
    assert(os.execute("mkdir " .. helper.quote(folder .. "/in")))
    helper.write(folder .. "/in/a.solid.zs", zstd.frame(square))
    helper.write(folder .. "/in/b.SOLID.ZST", zstd.frame(square, { sum = true }))
    helper.write(folder .. "/in/c.txt.zs", zstd.frame(square))
    helper.write(folder .. "/in/d.solid", square)
    helper.write(folder .. "/id.solid.zs", zstd.frame(square, { id = zstd.ID }))
    helper.write(folder .. "/my.zsdic", zstd.dictionary)
  end)

  local function run(command) return helper.run(command, { cwd = folder, env = env }) end

  local function says(command, out, err, code)
    local r = run(command)
    assert.same({ out or "", err or "", code or 0 }, { r.out, r.err, r.code }, command)
  end

  local function read(name) return helper.read(folder .. "/" .. name) end

  it("takes those of known extensions out of folders, and keeps their names and compression", function()
    says("lathe scale 2 in -o out 2>/dev/null", "in/a.solid.zs: 4 changes -> out/a.solid.zs\n"
      .. "in/b.SOLID.ZST: 4 changes -> out/b.SOLID.ZST\nin/d.solid: 4 changes -> out/d.solid\n")
    assert.same({ #square, false }, { zstd.head(read "out/a.solid.zs").size, zstd.head(read "out/a.solid.zs").checksum })
    assert.is_true(zstd.head(read "out/b.SOLID.ZST").checksum)
    says("lathe diff out/a.solid.zs out/d.solid")
    says("lathe diff out/d.solid out/b.SOLID.ZST")
    says("lathe check in out", "in/a.solid.zs: ok\nin/b.SOLID.ZST: ok\nin/d.solid: ok\nout/a.solid.zs: ok\n"
      .. "out/b.SOLID.ZST: ok\nout/d.solid: ok\n", "6 ok, 0 failed\n")
  end)

  it("compresses what -o names with .zs, uncompresses what it names without, and leaves others as they are", function()
    local set = "lathe set %s vertices[1].x=-2 -o %s"
    for _, case in ipairs { { "in/a.solid.zs", "1.solid", false }, { "in/d.solid", "2.solid.zs", true },
      { "in/a.solid.zs", "3.solid.zst", true }, { "in/d.solid", "4.solid", false } } do
      local from, to, compressed = table.unpack(case)
      says(set:format(from, to), from .. ": 1 change -> " .. to .. "\n")
      assert.equal(compressed, read(to):sub(1, 4) == "\x28\xB5\x2F\xFD", to)
      says("lathe get " .. to .. " vertices[1].x", "-2\n")
    end
    assert(os.rename(folder .. "/in/a.solid.zs", folder .. "/5.solid"))
    says(set:format("5.solid", "6.solid"), "5.solid: 1 change -> 6.solid\n")
    assert.equal("\x28\xB5\x2F\xFD", read("6.solid"):sub(1, 4))
    says("lathe set in/b.SOLID.ZST vertices[1].x=-2 --in-place", "in/b.SOLID.ZST: 1 change\n")
    assert.equal(zstd.frame(square, { sum = true }), read "in/b.SOLID.ZST.bak")
    assert.is_true(zstd.head(read "in/b.SOLID.ZST").checksum)
  end)

  it("takes a dictionary, also in a dry run, for scripts and at the prompt", function()
    local none = "lathe: id.solid.zs: at 0x0: zstd frame: it needs the dictionary with id 7, and none is given\n"
    says("lathe get id.solid.zs vertices[1].x", "", none, 1)
    says("lathe get --dictionary my.zsdic id.solid.zs vertices[1].x", "-1\n")
    says("lathe get --dictionary no id.solid.zs vertices[1].x", "",
      "lathe: id.solid.zs: no: cannot open: No such file or directory\n", 1)
    says("lathe set --dictionary my.zsdic id.solid.zs vertices[1].x=-2 -n",
      "id.solid.zs: would change (1 change)\n  vertices[1].x: -1 -> -2\n")
    says("lathe set --dictionary my.zsdic id.solid.zs vertices[1].x=-2 -i --no-backup", "id.solid.zs: 1 change\n")
    assert.equal(7, zstd.head(read "id.solid.zs").id)
    says("echo 'print(doc.vertices[1].x, doc.compression)' | lathe --dictionary my.zsdic id.solid.zs", "-2.0\tzstd\n")
    says("lathe check --dictionary my.zsdic id.solid.zs", "id.solid.zs: ok\n")
    helper.write(folder .. "/in/s.lua", [[
      return function(doc, ctx)
        local other <close> = assert(lathe.open(ctx.path, { dictionary = ctx.args[1] }))
        print(doc.vertices[1].x, other.compression)
      end]])
    assert(os.rename(folder .. "/id.solid.zs", folder .. "/in/id.solid.zs"))
    says("lathe run --dictionary my.zsdic in/s.lua in/id.solid.zs -- my.zsdic",
      "-2.0\tzstd\n", "0 changed, 1 unchanged, 0 failed\n")
    says("cp my.zsdic other; lathe run --dictionary my.zsdic in/s.lua in/id.solid.zs -- other",
      "", "lathe: in/id.solid.zs: other: the sandbox reads only below "
      .. "the folders of the inputs and of the script; see --read (in/s.lua:2)\n0 changed, 0 unchanged, 1 failed\n", 1)
  end)

  it("tells compression, and what is damaged, and goes on", function()
    helper.write(folder .. "/in/e.solid.zs", zstd.frame(square):sub(1, -2))
    local r = run "lathe info in/a.solid.zs"
    assert.truthy(r.out:find("\n  size         " .. #zstd.frame(square) .. " bytes\n  compression  zstd\n", 1, true), r.out)
    r = run "lathe info --json in/a.solid.zs"
    assert.truthy(r.out:find('"size":' .. #zstd.frame(square) .. ',"compression":"zstd",', 1, true), r.out)
    says("lathe check in", "in/a.solid.zs: ok\nin/b.SOLID.ZST: ok\nin/d.solid: ok\n", ("lathe: in/e.solid.zs: at 0x74: "
      .. "zstd frame: %d bytes needed, %d left\n3 ok, 1 failed\n"):format(#square - 100, #square - 101), 1)
  end)
end)
