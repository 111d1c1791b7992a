-- Pages of `lathe view` in a real browser: Chromium without a window or GPU, by WebDriver.
-- #tools: it runs Node and a browser.

local driven = require "driven"
local helper = require "helper"
local lathe = require "lathe"

local HOSTILE <const> = "</script><script>hacked=1</script><img src=x onerror='hacked=1'>\u{202e}\u{2028}\xff"

local EXPECTED <const> = {
  "orbit", "pan", "touch", "zoom", "keys", "fit", "shapes", "shapes_again", "collision", "collision_again", "highlight",
  "theme", "pick", "mark",
}

describe("lathe view #tools", function()
  -- The examples of its help make two of the pages that are driven.
  local finds = driven.by("drive_view.mjs", driven.VIEWER, function()
    local folder = driven.examples()
    for _, example in ipairs { { "stock.nif", "stock.html" }, { "wave.hkx", "wave.html", "--skeleton", "skeleton.hkx" },
      { "behavior.hkx", "behavior.html" } } do
      local args = { "view", example[1], "-o", example[2], example[3], example[4] }
      local r = helper.lathe(args, { cwd = folder })
      assert(r.code == 0, r.err)
    end
    local doc = assert(lathe.open "scripts/examples/stock.nif")
    doc.blocks[2].name = HOSTILE
    assert(lathe.view(doc, folder .. "/hostile.html", { title = "</title><script>hacked=1</script>" }))
    return folder .. "/hostile.html", folder .. "/wave.html", folder .. "/behavior.html"
  end)

  for _, width in ipairs { "1400", "400" } do
    finds("draws, and changes with all that is done to it, at " .. width .. " pixels", function(did)
      local model = did.widths[width].model
      assert.equal(tonumber(width), model.wide) -- nothing sticks out
      assert.is_true(model.picture.filled > 200, model.picture.filled)
      for _, name in ipairs(EXPECTED) do assert.is_true(model[name], name .. " changed nothing") end
    end)

    finds("says nothing at the console, and runs nothing that a name contains, at " .. width, function(did)
      assert.same({}, did.widths[width].log)
      local model = did.widths[width].model
      assert.is_true(model.hacked, "a name ran")
      assert.equal("</title><script>hacked=1</script>", model.title)
    end)

    finds("finds fields, follows the keyboard, and selects what is clicked, at " .. width, function(did)
      local model = did.widths[width].model
      assert.matches("blocks%[2%]%.num_vertices", model.search.found[1])
      assert.matches("^1 field;", model.search.status)
      assert.equal("blocks[2].num_vertices", model.selected)
      assert.equal("blocks[2].num_vertices", model.arrow)
      assert.equal("blocks[2].data_size", model.below)
      assert.is_true(model.inView)
      assert.equal("blocks[2].triangles", model.picked) -- its elements are not in the page
      local path, number = model.triangle[1]:match "^(blocks%[2%]%.triangles%[(%d+)%])$"
      assert.truthy(path, model.triangle[1])
      assert.equal(1, model.triangle[2]:find(("Triangle %s of the mesh '"):format(number), 1, true), model.triangle[2])
      assert.matches("BSTriShape", model.about)
    end)

    finds("plays a clip, whose annotations are marks, at " .. width, function(did)
      local clip = did.widths[width].clip
      for _, name in ipairs { "scrub", "end", "plays", "skeleton" } do assert.is_true(clip[name], name) end
      assert.same({ "WaveTop at 0.50 s" }, clip.marks)
      assert.same({ "0.50 / 1.00 s", "WaveTop" }, clip.mark)
      assert.matches("nothing to draw", did.widths[width].empty[1])
      assert.is_true(did.widths[width].empty[2] > 10)
    end)
  end

  finds("has a picture that other pages can use", function(did)
    local at = did.embedded
    assert.same({}, at.log)
    assert.same({ left = { "shapes", "collision" }, right = { "shapes", "collision" } }, at.two)
    local hit = at.pick.hit
    assert.same({ "shape", "blocks[2]", "blocks[2].triangles[" .. hit.triangle .. "]" }, { hit.kind, hit.path, hit.field })
    assert.same({ 1, 0 }, { at.pick.objects, at.pick.none })
    assert.is_nil(at.pick.outside)
    assert.same({ kinds = {}, message = "There is nothing to draw in this file." }, at.last)
    assert.same({ failed = true, kinds = {}, again = { "shapes", "collision" } }, at.broken)
    assert.same({ kept = true, shapes = false, fitted = true, usual = true }, at.keep)
    assert.same({ left = 0, theOther = 1 }, at.dispose)
  end)

  finds("can be used by the keyboard alone, whose place is always seen", function(did)
    local keys = did.keys
    assert.same({}, keys.log)
    assert.same({ "show-shapes", "show-collision", "theme", "fit", "canvas", "search", "row" }, keys.stops)
    assert.same({ "show-skeleton", "theme", "fit", "canvas", "play", "time", "mark", "search", "row" }, keys.clipStops)
    for _, name in ipairs { "toggle", "turn", "pan", "zoom", "side", "fit", "highlight", "unmarked" } do
      assert.is_true(keys[name], name .. " changed nothing")
    end
    assert.same({ "result", "search", "" }, { keys.result, keys.escaped[1], keys.escaped[2] })
    assert.same({ at = "row", path = "blocks[2].num_vertices", seen = true }, keys.found)
    local walk = keys.walk
    assert.same({ "blocks[2]", "blocks[2]", "blocks[2]", "blocks[2].type", "footer" },
      { walk["1 left"], walk["2 left"], walk["3 right"], walk["4 right"], walk["5 end"] })
    assert.is_true(walk["6 pageUp"] ~= "footer" and walk["7 pageDown"] ~= walk["6 pageUp"])
    assert.equal("block_types", walk.typed)
    assert.same({ "0.03 / 1.00 s", "0.13 / 1.00 s", "0.10 / 1.00 s", "1.00 / 1.00 s" }, keys.times)
    assert.same({ "Pause", "Play" }, { keys.playing, keys.paused })
    assert.same({ "0.50 / 1.00 s", "WaveTop" }, keys.annotation)
  end)

  finds("is dark where the system is, and has its tree without WebGL", function(did)
    assert.equal("dark", did.dark)
    assert.matches("no WebGL", did.plain[1])
    assert.is_true(did.plain[2] > 10)
  end)
end)

describe("lathe view", function()
  local built = helper.exists "build/viewer/viewer.js"
  local stock = helper.root .. "/scripts/examples/stock.nif"

  it("prints the path of a temporary page, and opens it", function()
    if not built then return pending "the viewer was not built (make viewer)" end
    local folder = helper.tmpdir()
    helper.write(folder .. "/xdg-open", "#!/bin/sh\nprintf %s \"$1\" > " .. folder .. "/part\nmv "
      .. folder .. "/part " .. folder .. "/opened\n")
    helper.run { "chmod", "+x", folder .. "/xdg-open" }
    local r = helper.lathe({ "view", stock, "--open", "-q" }, { env = { PATH = folder .. ":" .. os.getenv "PATH" } })
    assert.same({ 0, "" }, { r.code, r.err })
    local path = r.out:match "^(%S+%.html)\n$"
    assert.truthy(path, r.out)
    for _ = 1, 1200 do
      if helper.exists(folder .. "/opened") then break end
      helper.run "sleep 0.05"
    end
    assert.equal(path, helper.read(folder .. "/opened"))
    assert.matches("^<!doctype html>", helper.read(path))
    os.remove(path)
  end)

  it("does not write over its input, nor what is no page", function()
    if not built then return pending "the viewer was not built (make viewer)" end
    local r = helper.lathe { "view", stock, "-o", "stock.nif" }
    assert.equal(2, r.code)
    assert.matches("-o names one page: -o OUT.html", r.err, 1, true)
    local folder = helper.tmpdir()
    local input = helper.write(folder .. "/model.html", helper.read(stock))
    r = helper.lathe { "view", input, "-o", input }
    assert.equal(1, r.code)
    assert.equal(helper.read(stock), helper.read(input))
  end)

  it("is not for scripts to write where they may not", function()
    if not built then return pending "the viewer was not built (make viewer)" end
    local folder = helper.tmpdir()
    local script = helper.write(folder .. "/view.lua", [[
return function(doc, ctx)
  local report, err = lathe.view(doc, ARG)
  ctx.log(report and "wrote" or err.message)
end]])
    local function run(path)
      helper.write(script, (helper.read(script):gsub("ARG", ("%q"):format(path))))
      local r = helper.lathe { "run", script, stock, "-o", folder .. "/out" }
      helper.write(script, (helper.read(script):gsub(("%q"):format(path):gsub("%p", "%%%0"), "ARG")))
      return r.out .. r.err
    end
    assert.matches("the sandbox writes only below", run(folder .. "/outside.html"), 1, true)
    assert.is_false(helper.exists(folder .. "/outside.html"))
    assert.matches("wrote", run(folder .. "/out/inside.html"), 1, true)
    assert.is_true(helper.exists(folder .. "/out/inside.html"))
  end)
end)
