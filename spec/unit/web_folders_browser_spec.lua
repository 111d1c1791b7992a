-- What lathe's page does with files, in a real browser: drops, folders that can be written, kept files, the address.
-- #tools: it runs Node and a browser.

local base64 = require "lathe.tree.base64"
local driven = require "driven"
local helper = require "helper"

describe("files that are dropped on the page or saved back #tools", function()
  local folder
  local finds = driven.by("drive_folders.mjs", driven.LATHE, function()
    folder = driven.examples("stock.nif", "wave.hkx")
    helper.write(folder .. "/notes.txt", "hello\n")
    helper.write(folder .. "/rock.csg", "geometry")
    helper.write(folder .. "/count.lua", "return function(doc) print(#doc.blocks) end\n")
    assert(helper.run { "mkdir", "-p", folder .. "/Meshes/Rocks" }.code == 0)
    helper.write(folder .. "/Meshes/Rocks/stock.nif", helper.read(folder .. "/stock.nif"))
    helper.write(folder .. "/Meshes/wave.hkx", helper.read(folder .. "/wave.hkx"))
    helper.write(folder .. "/Meshes/ash_d.dds", "texture")
    return folder, helper.tmpdir()
  end)

  finds("are opened, refused, kept or shown as a script when they are dropped", function(did)
    local at = did.drops
    assert.same({ "stock.nif", "wave.hkx" }, at.tabs)
    assert.equal("2 files are open. 1 file was refused:", at.notices[1])
    assert.matches("^notes.txt: not a file of a known format", at.notices[2])
    assert.equal("1 file is kept for others to find, and not opened: rock.csg.", at.notices[4])
    assert.same({ false, "count.lua" }, { at.over, at.script })
    assert.same({ "2 kept files…", { "count.lua", "rock.csg" }, "1 kept file…" }, { at.kept, at.list, at.left })
  end)

  finds("keep the folders of a folder that is dropped", function(did)
    local at = did.dropsFolder
    assert.same({ "Meshes/Rocks/stock.nif", "Meshes/wave.hkx" }, at.whole)
    assert.equal("1 kept file…", at.kept)
    assert.same({ "Note:", "1 file is kept for others to find, and not opened: Meshes/ash_d.dds." }, at.notices)
  end)

  finds("are saved back to a picked folder after a question, also if they changed or are gone there", function(did)
    local at = did.savesBack
    assert.same({ "Mod/stock.nif", "Mod/wave.hkx" }, at.tabs)
    local plain, changed, gone = table.unpack(at.questions)
    assert.matches("^This replaces the file Mod/stock.nif on your disk%.", plain)
    assert.is_nil(plain:find "Another program")
    assert.matches("Another program has changed it since it was opened here; that change will be lost.", changed, 1, true)
    assert.matches("It is no longer there, so it will be made again.", gone, 1, true)
    assert.is_true(at.again)
    assert.same({ "Mod/stock.nif was not saved: the browser does not allow it.", "stock.nifchanged" }, at.denied)
    assert.same({ "read", "readwrite", "readwrite", "readwrite", "readwrite" }, at.asked)
    local r = helper.lathe({ "set", "-o", "seven.nif", "stock.nif", "max_string_length=7" }, { cwd = folder })
    assert.equal(0, r.code, r.err)
    assert.is_true(helper.read(folder .. "/seven.nif") == base64.decode(at.bytes), "other bytes than the command line's")
  end)

  finds("that are gone before they were read are named", function(did)
    assert.same({ "1 file was refused:", "Mod/a.nif: it is no longer there" }, did.deleted)
  end)

  finds("follow the address to another script, which does not run, and make such an address", function(did)
    assert.same({ choice = "two.lua (from the address)", tabs = { "stock.nif" },
      copied = "return function(doc) doc.max_string_length = 4 end" }, did.address)
  end)

  finds("belong to one page when it is opened twice", function(did)
    assert.same({ { "stock.nif", "stock (2).nif" }, { "wave.hkx" } }, { did.twice.first, did.twice.second })
    assert.same({ "stock.nif is open already: this one is stock (2).nif" }, did.twice.notices)
  end)

  finds("say nothing at the console", function(did) assert.same({}, did.log) end)
end)
