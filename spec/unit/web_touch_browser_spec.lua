-- The page of lathe by touch, on a phone and on a tablet, in a real browser.
-- #tools: it runs Node and a browser.

local driven = require "driven"
local helper = require "helper"

describe("the page of lathe by touch #tools", function()
  local finds = driven.by("drive_touch.mjs", driven.LATHE, function()
    local folder = driven.examples("stock.nif", "wave.hkx")
    local flat = { "-e",
      "for _, v in ipairs(doc.blocks[2].vertices) do v.position.x = v.position.x * 4 end save 'flat.nif'",
      "stock.nif" }
    assert(helper.lathe(flat, { cwd = folder }).code == 0)
    return folder, helper.tmpdir()
  end)

  finds("shows a file, a part of the page, and a field that are tapped", function(did)
    local at = did.phone
    assert.same("hkx · Skyrim SE · 1,952 bytes", at.tab)
    assert.same({ { "picture" }, { "tools" }, { "fields" } }, at.views)
    assert.same({ "max_string_length", "max_string_length" }, at.row)
    assert.is_true(at.opened > 0)
  end)

  finds("edits a value that is tapped again, in a field wide enough for it", function(did)
    assert.same({ true, "14" }, { did.phone.field, did.phone.value })
  end)

  finds("fits, with nothing to tap that is lower than 30 pixels", function(did)
    assert.same({ 0, {}, 0 }, { did.phone.over, did.phone.small, did.tablet.over })
  end)

  finds("scrolls the fields without selecting another one", function(did)
    assert.same({ moved = true, same = true }, did.scrolls)
  end)

  finds("turns the picture with one finger, zooms with two, and the page stays", function(did)
    assert.same({ turns = true, zooms = true, stays = true }, did.picture)
  end)

  finds("finds the field of what is tapped in the picture", function(did)
    assert.matches("^blocks%[%d+%]", did.picks)
  end)

  finds("shows the whole model, whatever width the picture gets", function(did)
    assert.same({ 0, 0, 0 }, did.fits)
  end)

  finds("moves the lines between its parts", function(did)
    assert.same(100, did.tablet.wider)
    assert.is_true(did.tablet.higher > 70, tostring(did.tablet.higher))
    assert.same({}, did.log)
  end)
end)
