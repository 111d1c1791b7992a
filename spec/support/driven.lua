--- Specs of pages in a real browser. A driver (spec/support/browser/drive_*.mjs) uses a page as a user would and
-- prints what happened as JSON; the tests look at that:
--
--    local finds = driven.by("drive_page.mjs", driven.LATHE, function()
--      return "build/web/lathe.html", folder      -- the arguments of the driver
--    end)
--    finds("opens files in tabs", function(did) assert.same({ "stock.nif" }, did.opens.tabs) end)
--
-- Without the page or a browser the tests are pending.

local busted = require "busted"
local dkjson = require "dkjson"
local helper = require "helper"

local driven = {}

--- What can be driven: a built file, and what builds it.
driven.LATHE = { file = "build/web/lathe.html", missing = "the page was not built (make web)" }
driven.VIEWER = { file = "build/viewer/viewer.js", missing = "the viewer was not built (make viewer)" }

local TOOLS <const> = { "node", "chromedriver", "chromium" }
local SECONDS <const> = 300

--- Why a page cannot be driven; nil if it can.
-- @tparam table page `driven.LATHE` or `driven.VIEWER`
function driven.lacking(page)
  if not helper.exists(page.file) then return page.missing end
  for _, tool in ipairs(TOOLS) do
    if helper.run("command -v " .. tool).code ~= 0 then return "no " .. tool .. " (make setup-dev)" end
  end
end

--- A new folder with examples of the tree: all, or those with these names.
function driven.examples(...)
  local folder = helper.tmpdir()
  local names = ... and { ... } or helper.list("scripts/examples", "%.nif$")
  if not ... then table.move(helper.list("scripts/examples", "%.hkx$"), 1, 99, #names + 1, names) end
  for _, name in ipairs(names) do helper.write(folder .. "/" .. name, helper.read("scripts/examples/" .. name)) end
  return folder
end

--- Drives a page before the tests of a `describe`. Call it there.
-- @tparam string driver a name in spec/support/browser
-- @tparam table page what it drives
-- @tparam function prepare makes what the driver needs, and returns the driver's arguments
-- @treturn function makes a test of what the driver found: (what, test), where `test` gets the decoded JSON
function driven.by(driver, page, prepare)
  local why, did = driven.lacking(page), nil
  busted.setup(function()
    if why then return end
    local r = helper.run({ "node", "spec/support/browser/" .. driver, prepare() }, { timeout = SECONDS })
    assert(r.code == 0, r.err)
    did = assert(dkjson.decode(r.out))
  end)
  return function(what, test)
    busted.it(what, function()
      if why then return busted.pending(why) end
      test(did)
    end)
  end
end

return driven
