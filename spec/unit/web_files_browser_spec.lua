-- Files at awkward times and with awkward names, in the page of lathe in a real browser.
-- #tools: it runs Node and a browser.

local base64 = require "lathe.tree.base64"
local driven = require "driven"
local helper = require "helper"

local STOCK <const> = helper.read "scripts/examples/stock.nif"

local CRATE <const> = "o crate\nv 0 0 0\nv 32 0 0\nv 0 0 32\nvn 0 1 0\nf 1//1 3//1 2//1\n"

describe("files of the page of lathe #tools", function()
  local native -- what the command line makes of crate.obj
  local finds = driven.by("drive_files.mjs", driven.LATHE, function()
    local folder = driven.examples "stock.nif"
    helper.write(folder .. "/__proto__", STOCK)
    local odd = { "set", "stock.nif", "blocks[2].translation.x=nan", "-o", "odd.nif" }
    assert(helper.lathe(odd, { cwd = folder }).code == 0)
    helper.write(folder .. "/crate.obj", CRATE)
    local import = { "import", "crate.obj", "-o", "native/crate.nif", "--game", "skyrim-se" }
    assert(helper.lathe(import, { cwd = folder }).code == 0)
    native = helper.read(folder .. "/native/crate.nif")
    return folder, helper.tmpdir()
  end)

  finds("are opened as soon as lathe has started", function(did)
    assert.same({ started = false, tabs = { "stock.nif" }, notices = {} }, did.early)
  end)

  finds("are all in the .zip, whatever they are called", function(did)
    local size = #STOCK
    assert.same({ "stock.nif", "__proto__", "stock.nif" }, did.zips.tabs)
    assert.same({ { "stock.nif", size }, { "__proto__", size }, { "stock (2).nif", size } }, did.zips.zip)
    assert.same({ "lathe.zip has 3 files." }, did.zips.notices)
  end)

  finds("are not shown again by a finding after they were closed", function(did)
    local at = did.closed
    assert.same({ { "stock.nif" }, { "odd.nif is no longer open." }, {} }, { at.tabs, at.notices, at.log })
    assert.not_equal("blocks[2].translation.x", at.path)
  end)

  finds("of other programs become files of a game, the same as on the command line", function(did)
    local at = did.imports
    assert.same({ "Lathe can make a game file from crate.obj." }, at.offered)
    assert.same({ "crate.obj", { "Choose…", "crate.obj" } }, { at.file, at.files })
    assert.same({ "This is required." }, at.missing)
    assert.same({ "a new nif file needs --game skyrim-le, skyrim-se or fallout4; or give --like FILE" }, at.refused)
    assert.same({
      "crate.nif was made. It is not saved yet.", "crate.obj: 1 mesh, 3 positions, 1 triangle -> crate.nif",
      "axes: y points up in the file, and z in the new one: turned",
      "textures: none is set; `lathe set` sets them: 'materials[1].textures.diffuse=textures\\...'",
    }, at.told)
    assert.same({ { "crate.nifchanged" }, true }, { at.tabs, at.picture })
    assert.equal(native, base64.decode(at.bytes))
    assert.same({ "crate.nif", "crate (2).nifchanged" }, at.again)
    assert.same({}, at.log)
  end)
end)
