-- Files at awkward times and with awkward names, in the page of lathe in a real browser.
-- #tools: it runs Node and a browser.

local driven = require "driven"
local helper = require "helper"

local STOCK <const> = helper.read "scripts/examples/stock.nif"

describe("files of the page of lathe #tools", function()
  local finds = driven.by("drive_files.mjs", driven.LATHE, function()
    local folder = driven.examples "stock.nif"
    helper.write(folder .. "/__proto__", STOCK)
    local odd = { "set", "stock.nif", "blocks[2].translation.x=nan", "-o", "odd.nif" }
    assert(helper.lathe(odd, { cwd = folder }).code == 0)
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
end)
