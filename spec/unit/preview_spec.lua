-- lathe.preview: what it takes, what it writes, and what of the disk it may touch. How pictures look is tested elsewhere.

local dds = require "sample_dds"
local helper = require "helper"
local lathe = require "lathe"
local lfs = require "lfs"

local EXAMPLES <const> = "scripts/examples/"

-- Width and height of a PNG.
local function size_of(path)
  local bytes = helper.read(path)
  assert.equal("\137PNG\r\n\26\n", bytes:sub(1, 8))
  local width, height = (">I4I4"):unpack(bytes, 17)
  return { width, height }
end

describe("lathe.preview", function()
  local folder, doc

  before_each(function()
    folder = helper.tmpdir()
    doc = assert(lathe.open(EXAMPLES .. "stock.nif"))
  end)
  after_each(function() doc:close() end)

  it("writes a .png or an .svg of the size asked for, and says so", function()
    local report = assert(lathe.preview(doc, folder .. "/a.png", { size = "320x240" }))
    assert.same({ 320, 240 }, size_of(folder .. "/a.png"))
    assert.same({ 320, 240 }, { report.width, report.height })
    assert.is_true(report.triangles > 0)
    assert.same({}, report.skipped)
    report = assert(lathe.preview(doc, folder .. "/b.PNG", { width = 300, height = 200 }))
    assert.same({ 300, 200 }, { report.width, report.height })
    assert(lathe.preview(doc, folder .. "/c.svg"))
    assert.matches("^<svg .-width=\"1024\" height=\"768\"", helper.read(folder .. "/c.svg"))
  end)

  it("draws lists, and opens paths in them", function()
    local report = assert(lathe.preview({ doc, EXAMPLES .. "crate.solid", "none.nif" }, folder .. "/a.png",
      { size = "320x200" }))
    assert.equal(1, #report.skipped)
    assert.matches("No such file", report.skipped[1].reason)
    assert.equal("nif", doc.format)                -- still open
    local one = assert(lathe.preview({ EXAMPLES .. "crate.solid" }, folder .. "/b.png"))
    assert.equal(12, one.triangles)
    local none, err = lathe.preview({ "none.nif" }, folder .. "/c.png")
    assert.is_nil(none)
    assert.matches("^none.nif: cannot open", tostring(err))
    assert.is_false(helper.exists(folder .. "/c.png"))
  end)

  it("leaves the file that is there as it is if something fails", function()
    helper.write(folder .. "/a.png", "before")
    assert.is_nil((lathe.preview(doc, folder .. "/a.png", { skeleton = "none.hkx" })))
    assert.is_nil((lathe.preview({}, folder .. "/a.png")))
    assert.is_nil((lathe.preview(doc, folder .. "/a.png", { fit = "no such mesh" })))
    assert.is_false((pcall(lathe.preview, doc, folder .. "/a.png", { data = function() error "stop" end })))
    assert.equal("before", helper.read(folder .. "/a.png"))
    assert.same({ "a.png" }, helper.list(folder, "."))
  end)

  it("refuses what only a mistake in the program can be, with the nearest name", function()
    local function refused(message, what, path, opts)
      local ok, err = pcall(function() return lathe.preview(what, path, opts) end)
      assert.is_false(ok)
      assert.equal(message, (err:gsub("^[^:]*preview_spec.lua:%d+: ", "")))
    end
    refused("no option 'vieuw' of preview; did you mean 'view'?", doc, "a.png", { vieuw = "front" })
    refused("option 'view': one of 'iso', 'front', 'side', 'top' expected, not 'frnt'; did you mean 'front'?", doc,
      "a.png", { view = "frnt" })
    refused("option 'what': one of 'auto', 'meshes', 'collision', 'skeleton', 'pose', 'strip', 'track', 'cell' "
      .. "expected, not 'meshs'; did you mean 'meshes'?", doc, "a.png", { what = "meshs" })
    refused("option 'size': the size is WIDTHxHEIGHT in pixels, such as 1024x768, not 'big'", doc, "a.png",
      { size = "big" })
    refused("option 'size': the size is at least 64x64 and at most 16777216 pixels in all, not '5000x5000'", doc,
      "a.png", { size = "5000x5000" })
    refused("options 'width' and 'height': at most 16777216 pixels in all", doc, "a.png", { width = 5000, height = 5000 })
    refused("option 'size': width and height say it too", doc, "a.png", { size = "64x64", width = 64 })
    refused("option 'frames': a whole number from 1 to 1000 expected, not '0'", doc, "a.png", { frames = 0 })
    refused("option 'time': seconds from 0 expected, not 'nan'", doc, "a.png", { time = math.abs(0 / 0) })
    refused("'frames' and 'time' do not go together: give one of them", doc, "a.png", { frames = 2, time = 1 })
    refused("'track' is for 'what' track, not for meshes", doc, "a.png", { track = "Head", what = "meshes" })
    refused("option 'clip': a path, a document or an animation expected, got number", doc, "a.png", { clip = 5 })
    refused("option 'data': a folder or a function expected, got boolean", doc, "a.png", { data = true })
    refused("option 'names': true or false expected, got string", doc, "a.png", { names = "x" })
    refused("a document or a list of documents and paths expected, got number", 5, "a.png")
    refused("list of documents: [2]: a document or a path expected, got boolean", { doc, true }, "a.png")
    refused("the path of a picture expected, got nil", doc)
    local none, err = lathe.preview(doc, "a.gif")
    assert.is_nil(none)
    assert.equal("a.gif: a .png or an .svg is what can be drawn", tostring(err))
  end)

  it("asks a function for textures by their paths as stored", function()
    local asked = {}
    local report = assert(lathe.preview(doc, folder .. "/a.png", { size = "320x240", data = function(path)
      asked[#asked + 1] = path
      return dds.masks(32, { 0xff, 0xff00, 0xff0000, 0xff000000 }, 2, 2, ("\255\0\0\255"):rep(4))
    end }))
    assert.equal("textures\\workshop\\ash_d.dds", asked[1])
    assert.same({}, report.skipped)
    local plain = assert(lathe.preview(doc, folder .. "/b.png", { size = "320x240" }))
    assert.equal(plain.triangles, report.triangles)
    assert.not_equal(helper.read(folder .. "/b.png"), helper.read(folder .. "/a.png"))
    report = assert(lathe.preview(doc, folder .. "/c.png", { size = "320x240", data = function()
      return nil, "not today"
    end }))
    assert.same({ { path = "textures\\workshop\\ash_d.dds", reason = "drawn without the texture: not today" } },
      report.skipped)
    assert.equal(helper.read(folder .. "/b.png"), helper.read(folder .. "/c.png"))
  end)

  it("draws the textures of each file of a large sheet", function()
    local docs, asked = {}, {}
    for i = 1, 70 do
      docs[i] = assert(lathe.open(EXAMPLES .. "stock.nif"))
      for _, block in ipairs(docs[i].blocks) do
        if lathe.type(block) == "BSShaderTextureSet" then block.textures[1] = ("%d.dds"):format(i) end
      end
    end
    local report = assert(lathe.preview(docs, folder .. "/a.png", { size = "800x800", data = function(path)
      asked[path] = true
      return dds.masks(32, { 0xff, 0xff00, 0xff0000, 0xff000000 }, 2, 2, ("\255\0\0\255"):rep(4))
    end }))
    assert.same({}, report.skipped)
    for i, one in ipairs(docs) do
      assert.is_true(asked[("%d.dds"):format(i)], i)
      one:close()
    end
  end)

  it("lets functions raise errors, but neither change nor close documents", function()
    local problem = {}
    local _, err = pcall(lathe.preview, doc, folder .. "/a.png", { data = function() error(problem) end })
    assert.equal(problem, err)
    for _, change in ipairs { function() doc:close() end, function() doc.blocks[2].name = "x" end } do
      _, err = pcall(lathe.preview, doc, folder .. "/a.png", { data = change })
      assert.matches("the document is in use", tostring(err))
    end
    assert.is_false(doc.modified)
  end)

  it("finds textures in a folder without case, with or without Data and textures in front", function()
    local textures = require "lathe.preview.textures"
    lfs.mkdir(folder .. "/Textures")
    lfs.mkdir(folder .. "/Textures/Workshop")
    helper.write(folder .. "/Textures/Workshop/Ash_D.DDS", "ash")
    helper.write(folder .. "/Textures/A.dds", "upper")
    helper.write(folder .. "/Textures/a.dds", "lower")
    assert(lfs.link(folder, folder .. "/Textures/again", true))
    for _, top in ipairs { folder, folder .. "/Textures" } do
      local find = assert(textures.of(top))
      for _, path in ipairs { "textures\\workshop\\ash_d.dds", "Workshop/ash_d.dds", "Data\\Textures\\WORKSHOP\\ASH_D.dds",
        "\\textures\\\\workshop\\ash_d.dds", ".\\workshop\\ash_d.dds" } do
        assert.equal("ash", find(path), path)
      end
      assert.equal("upper", find "a.DDS")
      for _, path in ipairs { "none.dds", "..\\textures\\a.dds", "again\\textures\\a.dds", "", "textures" } do
        local none, why = find(path)
        assert.is_nil(none, path)
        assert.equal("not in " .. top, why)
      end
    end
    local none, err = textures.of(folder .. "/nowhere")
    assert.is_nil(none)
    assert.matches("No such file", tostring(err))
  end)

  it("obeys the sandbox in what it reads and writes", function()
    for _, name in ipairs { "in", "out", "far", "script" } do lfs.mkdir(folder .. "/" .. name) end
    helper.write(folder .. "/in/stock.nif", helper.read(EXAMPLES .. "stock.nif"))
    helper.write(folder .. "/far/stock.nif", helper.read(EXAMPLES .. "stock.nif"))
    helper.write(folder .. "/script/script.lua", [[
      return function(doc, ctx)
        local far, tried = ctx.args[1], {}
        local function try(what, path, opts)
          local report, err = lathe.preview(what, path, opts)
          print(report and (report.skipped[1] and report.skipped[1].reason or "drawn") or err)
        end
        try(doc, ctx.output .. "/a.png", { size = "320x240" })
        try(doc, far .. "/b.png", { size = "320x240" })
        try({ doc, far .. "/stock.nif" }, ctx.output .. "/c.png", { size = "320x240" })
        try({ far .. "/stock.nif" }, ctx.output .. "/d.png")
        try(doc, ctx.output .. "/e.png", { data = far })
        try(doc, ctx.output .. "/f.png", { against = far .. "/stock.nif" })
      end]])
    local r = helper.lathe { "run", folder .. "/script/script.lua", folder .. "/in/stock.nif", "-o", folder .. "/out", "--",
      folder .. "/far" }
    local lines = {}
    for line in r.out:gmatch "[^\n]+" do lines[#lines + 1] = line end
    local reads = "the sandbox reads only below the folders of the inputs and of the script"
    assert.equal("drawn", lines[1], r.out .. r.err)
    assert.matches("b.png: the sandbox writes only below", lines[2])
    for i = 3, 6 do assert.matches(reads, lines[i], 1, true) end
    assert.is_true(helper.exists(folder .. "/out/a.png") and helper.exists(folder .. "/out/c.png"))
    for _, name in ipairs { "out/d.png", "out/e.png", "out/f.png", "far/b.png" } do
      assert.is_false(helper.exists(folder .. "/" .. name))
    end
  end)

  it("shows names with markup as text", function()
    assert(lathe.preview(doc, folder .. "/a.svg", { title = "</title><script>x</script>\u{202e}\255" }))
    local svg = helper.read(folder .. "/a.svg")
    assert.is_nil(svg:find("<script", 1, true))
    assert.is_nil(svg:find("\u{202e}", 1, true))
    assert.truthy(utf8.len(svg))
  end)
end)
