-- What the page of lathe does when its worker ends at awkward times, in a real browser.
-- #tools: it runs Node and a browser.

local driven = require "driven"
local helper = require "helper"

local LOST <const> = "Only the undo history and the variables of the prompt were lost."

describe("the page of lathe, when lathe ends #tools", function()
  local finds = driven.by("drive_restart.mjs", driven.LATHE, function()
    local folder = driven.examples("stock.nif", "wave.hkx")
    local odd = { "set", "stock.nif", "max_string_length=5", "-o", "odd.nif" }
    assert(helper.lathe(odd, { cwd = folder }).code == 0)
    helper.write(folder .. "/other.hkx", helper.read(folder .. "/wave.hkx"))
    return folder, helper.tmpdir()
  end)

  finds("keeps all files when it ends again while they are reopened", function(did)
    local at = did.twice
    assert.same({ "stock.nifchanged", "wave.hkx" }, at.tabs)
    assert.equal("9", at.value)
    local told = "Lathe was restarted: a test. 2 files are open again, 1 of them with changes that are not saved. "
    assert.same({ { told .. LOST } }, at.told)
  end)

  finds("makes calls that wait only when the files are open again, with their new numbers", function(did)
    local at = did.waits
    assert.same({ "stock.nifchanged", "odd.nif" }, at.tabs)
    assert.equal("12", at.value)
    assert.same({ { "Lathe was restarted: a test. 2 files are open again. " .. LOST } }, at.told)
  end)

  finds("takes the file that was chosen in a form", function(did)
    assert.same({ id = 1, options = { ["--other"] = 2, ["--weight"] = "0.5" }, choice = "other.hkx" }, did.forms)
  end)

  finds("knows a file again that gets another name", function(did)
    local at = did.names
    assert.same({ "stock.nif", "stock (2).nif" }, at.tabs)
    assert.is_true(at.rows)
    assert.same("stock.nif is called stock (2).nif now, because another open file has its name.", at.told[1][1])
    assert.same({ "Lathe was restarted: a test. 2 files are open again. " .. LOST }, at.told[2])
  end)

  finds("says nothing at the console, and goes on after a fault of a listener", function(did)
    assert.same({}, did.log)
    assert.same({ "one", "two" }, did.faulty)
  end)
end)
