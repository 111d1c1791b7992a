-- The page of lathe in a real browser, by file://, used as a user would.
-- #tools: it runs Node and a browser.

local base64 = require "lathe.tree.base64"
local driven = require "driven"
local helper = require "helper"

local HOSTILE <const> = "<img src=x onerror=hacked=1>.nif"

describe("the page of lathe #tools", function()
  local folder
  local finds = driven.by("drive_page.mjs", driven.LATHE, function()
    folder = driven.examples()
    helper.write(folder .. "/" .. HOSTILE, helper.read "scripts/examples/stock.nif")
    helper.write(folder .. "/notes.txt", "hello\n")
    assert(helper.run({ "truncate", "-s", "500M", folder .. "/large.nif" }).code == 0)
    return folder, helper.tmpdir()
  end)

  -- What the command line writes.
  local function native(name, ...)
    local r = helper.lathe({ "set", "-o", "native.nif", name, ... }, { cwd = folder })
    assert.equal(0, r.code, r.err)
    return helper.read(folder .. "/native.nif")
  end

  finds("opens files in tabs, and says why it refused one", function(did)
    local at = did.opens
    assert.same({ { "stock.nif", true }, { "wave.hkx", false }, { HOSTILE, false } }, at.tabs)
    assert.equal("stock.nif – lathe", at.title)
    assert.matches("^nif · Fallout 4 · 52,390 bytes$", at.facts)
    assert.equal(1, #at.notices)
    assert.matches("3 files are open. 1 file was refused:\n\nnotes.txt: not a file of a known format", at.notices[1],
      1, true)
    assert.is_false(at.hacked, "a name ran")
    assert.is_true(at.started)
  end)

  finds("shows fields as a tree that is used by the keyboard alone", function(did)
    local at = did.keyboard
    local walk = { "blocks", "blocks", "blocks[1]", "blocks[2]", "blocks[2]" }
    for _, name in ipairs { "type", "name" } do walk[#walk + 1] = "blocks[2]." .. name end
    assert.same(walk, at.walk)
    assert.same({ tree = "tree", row = "treeitem", level = "3", of = "20" }, at.active)
    assert.equal("blocks[2].name", at.where)
    assert.is_true(at.drawn, "rows out of sight are in the page")
  end)

  finds("changes a value in place, and takes that back", function(did)
    local at = did.edits
    assert.same({ { '"Stock:0"', false }, { '"Chair"', true }, { '"Stock:0"', false }, { '"Chair"', true } }, at.seen)
    assert.same({ "Undo: blocks[2].name=Chair", "tree" }, { at.undo, at.focus })
  end)

  finds("says why a value cannot be edited, or is wrong", function(did)
    assert.same({ "header_string cannot be edited: it is read-only." }, did.fixed)
    assert.equal("max_string_length: 'many' is not a number", did.wrong.message)
    assert.same({ "edit-field", "27" }, { did.wrong.field, did.wrong.value })
  end)

  finds("searches, and follows references there and back", function(did)
    local at = did.searches
    assert.same({ { "blocks[2].num_vertices" }, "1 field" }, at.found)
    assert.same({ "blocks[2].num_vertices", "blocks[3]", "blocks[2].shader_property" }, { at.went, at.target, at.back })
  end)

  finds("gives the bytes that the command line writes", function(did)
    local at = did.saves
    assert.is_true(native("stock.nif", "blocks[2].name=Chair") == base64.decode(at.one), "one file differs")
    assert.same({ "stock.nif", true }, at.after[1])
    assert.equal(1, #at.zip)
    assert.equal("stock.nif", at.zip[1][1])
    local twice = native("stock.nif", "blocks[2].name=Chair", "max_string_length=11")
    assert.is_true(twice == base64.decode(at.zip[1][2]), "the .zip differs")
    assert.same({ "stock.nif", true }, at.tabs[1])
  end)

  finds("finds the field of a triangle that is clicked", function(did)
    local at = did.picks
    assert.matches("^blocks%[2%]%.triangles%[%d+%]$", at.where)
    assert.equal(at.where, at.path)
    assert.is_true(at.marked)
  end)

  finds("starts lathe again when it crashes, with what was changed before, and says what is lost", function(did)
    local kept, late = table.unpack(did.crashes)
    local told = "Lathe was restarted: memory access out of bounds. "
      .. "3 files are open again, 1 of them with changes that are not saved. "
    assert.equal(told .. "Only the undo history and the variables of the prompt were lost.", kept.told)
    assert.same({ {}, "7" }, { kept.lost, kept.value })
    assert.equal(told .. "Lost, besides the undo history and the variables of the prompt:", late.told)
    assert.same({ "stock.nif: its last change (max_string_length=8), which came just before" }, late.lost)
    assert.equal("7", late.value)
    for _, at in ipairs { kept, late } do
      assert.same({ { "stock.nifchanged", true }, { "wave.hkx", false }, { HOSTILE, false } }, at.tabs)
    end
  end)

  finds("closes files", function(did)
    assert.same({ { "wave.hkx", true }, { HOSTILE, false } }, did.closes.left)
    assert.equal("tab", did.closes.focus)
  end)

  finds("refuses a file that is too large before it reads it", function(did)
    assert.matches("large.nif: it has 500 MiB; the limit for a file is 256 MiB here", did.tooLarge.notice, 1, true)
  end)

  finds("fits into 400 to 1,800 pixels", function(did)
    assert.same({ ["400"] = 400, ["1000"] = 1000, ["1800"] = 1800 }, did.wide)
  end)

  finds("says nothing at the console, reaches nothing and stores nothing", function(did)
    assert.same({ log = {}, refused = { "connect-src" }, stored = "{}", asked = {} }, did.alone)
  end)

  finds("works without WebGL, but for the picture, and says so", function(did)
    local at = did.plain
    assert.matches("no WebGL", at.message)
    assert.same({ { "stock.nif", true } }, at.tabs)
    assert.is_true(at.rows > 0)
    assert.same({}, at.log)
  end)
end)

describe("the page of lathe #tools", function()
  it("holds nothing of the folder that it was built in", function()
    if not helper.exists "build/web/lathe.html" then return pending "the page was not built (make web)" end
    local here = helper.run("pwd").out:gsub("\n$", "")
    for _, file in ipairs { "module.wasm", "module.mjs", "unpack.wasm", "package/lathe.mjs", "package/package.json" } do
      assert.is_nil(helper.read("build/web/" .. file):find(here, 1, true), file)
    end
  end)

  it("is the same bytes when it is packed in another folder", function()
    if not helper.exists "build/web/lathe.html" then return pending "the page was not built (make web)" end
    local folder = helper.tmpdir()
    local script = [[set -e
      mkdir -p "$1/a/b/scripts" "$1/web"
      cp -r bindings LICENSE "$1/a/b"
      cp -r scripts/viewer "$1/a/b/scripts"
      cp build/web/module.mjs build/web/module.wasm build/web/unpack.wasm "$1/web"
      if [ -f build/web/LICENSES.txt ]; then cp build/web/LICENSES.txt "$1/web"; fi]]
    assert.equal(0, helper.run({ "sh", "-c", script, "sh", folder }).code)
    local version = helper.read("build/web/lathe.html"):match 'content="lathe ([^"]*)"'
    local pack, modules = folder .. "/a/b/bindings/web/pack.mjs", "build/viewer/npm/node_modules"
    local r = helper.run { "node", pack, modules, folder .. "/web", version }
    assert.equal(0, r.code, r.err)
    assert.is_true(helper.read(folder .. "/web/lathe.html") == helper.read "build/web/lathe.html")
  end)
end)
