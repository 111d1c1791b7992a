-- lathe check of packfiles that other programs than Havok's wrote, alone and in blocks of a NIF: what serialize() would
-- write otherwise, or not at all, is a warning in both places, and the rest is still compared byte for byte.

local helper = require "helper"
local sample_hkx = require "sample_hkx"
local sample_nif = require "sample_nif"
local transcript = dofile "spec/cli/transcript.lua"

local BONES = { "Root", "COM" }

-- The only variant of the root takes 24 bytes. Its text begins right behind it, or on a multiple of 16, 8 bytes on.
local tight = sample_hkx.skeleton { game = "fallout4", bones = BONES, resource = false }
local loose = sample_hkx.skeleton { game = "fallout4", bones = BONES, resource = false, text_start = 16 }

local function nif(game, kind, packfile)
  return (sample_nif.build { game = game, blocks = { { type = "NiNode", name = "x" },
    { type = kind, bytes = ("<s4"):pack(packfile) } } })
end

-- Where the packfile begins in such a file.
local AT = nif("fo4", "BSClothExtraData", tight):find(tight, 1, true) - 1

-- What `lathe check` says of files, { name = bytes }.
local function check(files)
  local folder, env = transcript.folder()
  local names = {}
  for name, bytes in pairs(files) do
    names[#names + 1] = name
    helper.write(folder .. "/" .. name, bytes)
  end
  table.sort(names)
  return helper.run("lathe check " .. table.concat(names, " "), { cwd = folder, env = env })
end

local OTHER = "its layout is not the format's own: serialize() writes other bytes from here on"

-- What else is said of a model that is named beside a skeleton.
local BESIDE = [[
  agrees with a.hkx in the names of bones
  1 node is no bone of the skeleton: "x" (a.hkx)
  2 bones of the skeleton are not in this file: "Root", "COM" (a.hkx)]]

describe("lathe check", function()
  it("tells of another layout of a packfile as a warning, in a block, too", function()
    assert.not_equal(tight, loose)
    local result = check { ["a.hkx"] = loose, ["b.nif"] = nif("fo4", "BSClothExtraData", loose),
      ["c.nif"] = nif("fo4", "bhkPhysicsSystem", loose), ["d.nif"] = nif("fo4", "BSClothExtraData", tight) }
    assert.equal(([[
a.hkx: ok, 1 warning
  warning: at 0x%x: OTHER
b.nif: ok, 1 warning
  warning: blocks[2].system at 0x%x: OTHER
BESIDE
c.nif: ok, 1 warning
  warning: blocks[2].system at 0x%x: OTHER
BESIDE
d.nif: ok
BESIDE
4 ok, 0 failed
]]):gsub("OTHER", OTHER):gsub("BESIDE", BESIDE):format(0x1C8, AT + 0x1C8, AT + 0x1C8), result.out .. result.err)
    assert.equal(0, result.code)
  end)

  it("tells of what serialize() refuses as a warning, unless the data are broken", function()
    local result = check { ["a.hkx"] = tight .. "rest", ["b.nif"] = nif("fo4", "BSClothExtraData", tight .. "rest") }
    local told = "serialize() cannot write it: 4 bytes that serialize() has no place for"
    assert.equal(([[
a.hkx: ok, 1 warning
  warning: trailing at 0x%x: %s
b.nif: ok, 1 warning
  warning: blocks[2].system.trailing at 0x%x: %s
BESIDE
2 ok, 0 failed
]]):gsub("BESIDE", BESIDE):format(#tight, told, AT + #tight, told), result.out .. result.err)
    assert.equal(0, result.code)
    local endless = sample_hkx.build(sample_hkx.root { { "x", "hkaSkeleton", sample_hkx.opaque("hkaSkeleton", 0x366E8220,
      ("\0"):rep(0x80) .. ("x"):rep(16), { { 0x10, 0x80 } }) } }, { game = "skyrim-se" })
    result = check { ["a.hkx"] = endless, ["b.nif"] = nif("sse", "BSClothExtraData", endless) }
    assert.equal([[
a.hkx: 1 error
  error: objects[2].name at 0x1a0: text without an end (hkaSkeleton)
b.nif: 1 error
  error: blocks[2].system.objects[2].name at 0x26f: text without an end (hkaSkeleton)
  agrees with a.hkx in the names of bones; that file has errors of its own
  1 node is no bone of the skeleton: "x" (a.hkx)
0 ok, 2 failed
]], result.out .. result.err)
    assert.equal(1, result.code)
  end)

  it("passes over files of Havok that are no packfiles, in blocks of any game", function()
    local result = check {
      ["a.nif"] = nif("fo76", "bhkPhysicsSystem", "\0\0\1\0TAG0\0\0\0\16SDKV20150100" .. ("\0"):rep(64)),
      ["b.nif"] = nif("starfield", "bhkPhysicsSystem", "\x1E\x0D\xB0\xCA\xCE\xFA\x11\xD0" .. ("\0"):rep(64)),
      ["c.nif"] = nif("starfield", "bhkPhysicsSystem", '<?xml version="1.0"?><hkpackfile classversion="11">'),
      ["d.nif"] = nif("fo76", "bhkRagdollSystem", tight:sub(1, 12) .. "\12" .. tight:sub(14)) }
    assert.equal([[
a.nif: ok, 1 warning
  warning: blocks[2].system at 0xcf: a Havok tagfile (TAG0), not a packfile
b.nif: ok, 1 warning
  warning: blocks[2].system at 0xcf: a binary Havok tagfile of 2010..2014, not a packfile: lathe does not read these
c.nif: ok, 1 warning
  warning: blocks[2].system at 0xcf: an XML packfile, which lathe reads as a file of its own, but not inside of another
d.nif: ok, 1 warning
  warning: blocks[2].system at 0xdb: packfile version 12 (hk_2014.1.0-r1): lathe reads 8 and 11
4 ok, 0 failed
]], result.out .. result.err)
    assert.equal(0, result.code)
  end)
end)
