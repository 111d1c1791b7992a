-- The panels Change, Findings, Differences and Info of the page, in a real browser, by file://, used as a user would.
-- #tools: it runs Node and a browser.

local base64 = require "lathe.tree.base64"
local driven = require "driven"
local helper = require "helper"

describe("the panels of the page #tools", function()
  local folder

  -- What the command line writes.
  local function native(output, ...)
    local r = helper.lathe({ ... }, { cwd = folder })
    assert.equal(0, r.code, r.err)
    return helper.read(folder .. "/" .. output)
  end

  local finds = driven.by("drive_panels.mjs", driven.LATHE, function()
    folder = driven.examples("stock.nif", "wave.hkx", "skeleton.hkx")
    native("odd.nif", "set", "stock.nif", "blocks[2].translation.x=nan", "-o", "odd.nif")
    helper.write(folder .. "/cut.nif", helper.read("scripts/examples/stock.nif"):sub(1, 20000))
    helper.write(folder .. "/notes.txt", "hello\n")
    return folder, helper.tmpdir()
  end)

  finds("say why a file was refused, where in it, and what can be done", function(did)
    assert.equal("2 refused", did.opens.badge)
    assert.equal("tab-findings", did.refused.focus)
    local notes, cut = table.unpack(did.refused.told)
    local format = "notes.txt\n\nnot a file of a known format\n\n6 bytes\n\nLathe knows a file by its contents"
    assert.matches(format, notes, 1, true)
    assert.matches("00000000  %[68%] 65  6c  6c  6f  0a  +hello%.", notes)
    local bounds = "cut.nif\n\n50186 bytes needed for element 2, 19604 left\n\n"
      .. "20 KiB · at byte 396 (0x18c) · in blocks\n\nThe data ends early"
    assert.matches(bounds, cut, 1, true)
  end)

  finds("lead from a finding to its field", function(did)
    local at = did.findings
    assert.equal("stock.nif: nothing was found", at.clean)
    assert.same({ "warning\nblocks[2].translation.x at 0x19c not a finite number" }, at.told)
    assert.equal("2 refused, 1 warning", at.badge)
    assert.equal("blocks[2].translation.x", at.path)
    assert.same({ "4 files were checked. 1 file has findings:", "odd.nif: 1 warning" }, at.all)
  end)

  local CHANGE <const> = "blocks[5].system.objects[2].user_data: 500811281 (wood) -> 3741512247 (stone)"

  finds("preview what a form would change, and leave the file as it was", function(did)
    local at = did.previews
    assert.matches("^2 materials\n.*blocks%[5%]%.system%.objects%[2%] hknpConvexPolytopeShape wood$", at.listed)
    assert.equal("stone", at.proposed[1])
    assert.equal("Preview: 1 difference. The file is as it was.\n" .. CHANGE, at.told)
    assert.same({ "stock.nif", true }, { at.tab, at.undo })
  end)

  finds("apply it, as the command line does, and take it back", function(did)
    local at = did.applies
    assert.equal("Applied: 1 difference.\n" .. CHANGE, at.made)
    assert.matches("hknpConvexPolytopeShape stone$", at.now)
    assert.equal("materials changed stock.nif.", at.notice)
    local expected = native("stone.nif", "materials", "stock.nif", "--set", "wood=stone", "-o", "stone.nif")
    assert.equal(expected, base64.decode(at.bytes))
    assert.equal("1 difference: on the left the file as opened, on the right stock.nif now.", at.summary)
    assert.same({ CHANGE, "materials --set=wood=stoneUndo" }, at.steps)
    assert.same({ "Nothing differs from the file as opened.", { "materials --set=wood=stoneRedo" } }, at.after)
  end)

  finds("show an error at the option that it is about", function(did)
    local at = did.wrong
    assert.equal("This is required.", at.missing)
    assert.same({ "--mass", "a number expected, got 'heavy'" }, at.at)
    assert.equal("--mass", at.focus)
    assert.equal("its tracks have no bone names: give a skeleton (--skeleton FILE)", did.exports.refused)
  end)

  finds("rename an event, as the command line does", function(did)
    local at = did.renames
    assert.same({ "WaveTop" }, at.known)
    local line = 'objects[3].annotation_tracks[1].annotations[1].text: "WaveTop" -> "WaveEnd"'
    assert.equal("Applied: 1 difference.\n" .. line, at.told)
    local expected = native("renamed.hkx", "rename", "wave.hkx", "--from", "WaveTop", "--to", "WaveEnd", "-o", "renamed.hkx")
    assert.equal(expected, base64.decode(at.bytes))
  end)

  finds("make other files, as the command line does", function(did)
    assert.equal("Downloaded: wave.glb.", did.exports.told)
    local expected = native("wave.glb", "export", "wave.hkx", "--skeleton", "skeleton.hkx", "-o", "wave.glb")
    assert.equal(expected, base64.decode(did.exports.bytes))
  end)

  finds("show what lathe info prints", function(did)
    local r = helper.lathe({ "info", "renamed.hkx" }, { cwd = folder })
    assert.equal(0, r.code, r.err)
    assert.equal((r.out:gsub("^renamed", "wave"):gsub("\n$", "")), (did.info:gsub("\n$", "")))
  end)

  finds("fit into each width, without a message on the console", function(did)
    assert.truthy(next(did.alone.width))
    for width, needed in pairs(did.alone.width) do assert.is_true(needed <= tonumber(width), width) end
    assert.same({}, did.opens.log)
    assert.same({}, did.alone.log)
  end)
end)
