-- The prompt and the scripts of lathe's page in a real browser, by file://, used as a user would.
-- #tools: it runs Node and a browser.

local driven = require "driven"
local helper = require "helper"

describe("the prompt of the page #tools", function()
  local finds = driven.by("drive_prompt.mjs", driven.LATHE, function()
    local folder = driven.examples("stock.nif", "wave.hkx")
    helper.write(folder .. "/rename.lua", "return function(doc)\n  doc.blocks[2].name = \"Chair\"\nend\n")
    helper.write(folder .. "/greedy.lua", [[
return function(doc, ctx)
  if doc.format == "nif" then doc.max_string_length = #ctx.args[1] end
  while doc.format == "hkx" and ctx.args[1] == "loop" do pcall(function() while true do end end) end
  local t = {}
  while doc.format == "hkx" do t[#t + 1] = ("x"):rep(1e6) .. #t end
end]])
    return folder, helper.tmpdir()
  end)

  finds("shows and changes fields, with errors as the shell prints them", function(did)
    local at = did.prompt
    assert.same({ "lathe> doc.blocks[2].name", '"Stock:0"' }, at.shows)
    assert.same({ "lathe> doc.blocks[2].name = 'Chair'" }, at.changes)
    assert.same({ "stock.nifchanged", "wave.hkx" }, at.tabs)
    assert.equal("error: doc.blokcs: no field 'blokcs' in nif; did you mean 'blocks'?\n  in: doc.blokcs",
      at.wrong[2])
    assert.same({ "stock.nif", "wave.hkx" }, at.after)
  end)

  finds("takes statements of several lines", function(did)
    assert.same({ "lathe> for i = 1, 2 do", "    .. print(i)", "    .. end", "1\n2" }, did.prompt.loop)
  end)

  finds("goes back to lines that were typed", function(did)
    assert.same({ "end", "" }, did.history)
  end)

  finds("completes names, at once or from a list", function(did)
    assert.same({
      whole = "doc.max_string_length", list = { "tangents", "translation", "triangles", "type" },
      taken = "doc.blocks[2].tangents",
    }, did.completes)
  end)

  finds("stops a line that a limit cannot, keeps what was changed before, and says what was lost", function(did)
    local at = did.stops
    assert.same({ "Lathe was restarted: it was stopped. 2 files are open again, "
      .. "1 of them with changes that are not saved. Lost, besides the undo history and the variables of the prompt:",
      "output/triangles.csv: a script wrote it here, and it was not downloaded" }, at.told)
    assert.same({ "lathe> doc.max_string_length, doc.blocks[2].name", '9\n"Chair"' }, at.works)
    assert.same({ "stock.nifchanged", "wave.hkx" }, at.tabs)
  end)

  finds("goes on when a script or a line takes too long or too much memory", function(did)
    local at = did.limits
    local rows = { "wave.hkx\nfailed", "stock.nif\nchanged" }
    local loop, memory = table.remove(at.loop), table.remove(at.memory)
    assert.same({ rows, rows }, { at.loop, at.memory })
    assert.matches("the script ran for more than 1 s; a longer limit for each file allows more", loop, 1, true)
    assert.matches("the script wants more than %d+ bytes of memory", memory)
    assert.matches("memory", at.line[2])
    assert.same({ "lathe> 1 + 1", "2" }, at.works)
  end)

  finds("previews a script and runs it; a file that fails is listed", function(did)
    local at = did.scripts
    assert.same({ "wave.hkx\nfailed", "stock.nif\nwould change" }, at.preview.rows)
    assert.same({ "stock.nif", "wave.hkx" }, at.unchanged)
    assert.same({ "wave.hkx\nfailed", "stock.nif\nchanged" }, at.ran.rows)
    assert.matches("rename.lua:2: no field 'blocks' in hkx", at.ran.text, 1, true)
    assert.same({ "stock.nifchanged", "wave.hkx" }, at.tabs)
  end)

  finds("runs an example, and offers the file that it wrote", function(did)
    assert.same({ "[NAME]" }, did.example.names)
    assert.matches("output/triangles.csv", did.example.text, 1, true)
  end)

  finds("shows a script of the address in full, and runs it only when asked", function(did)
    local at = did.address
    assert.equal("-- <b>harmless</b>\nlocal x = 1\nreturn function(doc) doc.max_string_length = 7 end", at.shown)
    assert.matches("came with the address", at.told[1], 1, true)
    assert.is_true(at.disabled)
    assert.same({ { "stock.nif" }, { "stock.nifchanged" }, 0 }, { at.before, at.after, at.hacked })
  end)

  finds("wants a second press for a script that the address brought while the page was open", function(did)
    local at = did.changed
    assert.same({ { "stock.nif" },
      "The address brought this script while the page was open. Read it, then press again." }, at.first)
    assert.same({ "stock.nifchanged" }, at.second)
  end)

  finds("refuses what an address cannot carry", function(did)
    assert.matches("longer than 65,536 bytes", did.hostile[1], 1, true)
    assert.matches("it is not base64url", did.hostile[2], 1, true)
    assert.matches("it is not UTF-8 text", did.hostile[3], 1, true)
  end)

  finds("fits into 400 to 2,000 pixels, and says nothing at the console", function(did)
    assert.truthy(next(did.wide))
    for name, over in pairs(did.wide) do assert.is_true(over <= 0, name) end
    assert.same({}, did.log)
  end)
end)
