-- The call `import` of the browser page, natively (see web_service_spec.lua).

local helper = require "helper"
local web = require "web_service"

local get, fail, open, encoded = web.get, web.fail, web.open, web.encoded

local TRIANGLE <const> = "o crate\nv 0 0 0\nv 32 0 0\nv 0 0 32\nvn 0 1 0\nf 1//1 3//1 2//1\n"

local function put(name, bytes) get("put", { name = name }, { bytes }) end

local function stored()
  local list = {}
  for i, file in ipairs(get("files", {}).files) do list[i] = file.name end
  return list
end

-- What the command makes of the same files.
local function by_command(files, ...)
  local folder = helper.tmpdir()
  for name, bytes in pairs(files) do helper.write(folder .. "/" .. name, bytes) end
  local r = helper.lathe({ "import", ... }, { cwd = folder })
  assert.equal(0, r.code, r.err)
  return folder, r.out
end

describe("import in the page #tools", function()
  after_each(web.close_all)

  it("makes the document that the command makes, and says the same", function()
    put("crate.obj", TRIANGLE)
    local options = { file = "crate.obj", ["--output"] = "crate.nif", ["--game"] = "fallout4" }
    local made, _, changes = get("import", { options = options })
    local folder, said = by_command({ ["crate.obj"] = TRIANGLE }, "crate.obj", "-o", "crate.nif", "--game", "fallout4")
    assert.equal(helper.read(folder .. "/crate.nif"), encoded(made.document.id))
    assert.equal(said, table.concat(made.lines, "\n") .. "\n")
    assert.same({ "crate.nif", true, "Fallout 4" }, { made.document.name, made.document.changed, made.document.game })
    assert.equal(made.document.id, changes.documents[1].id)
    assert.same({ "crate.nif", "crate.obj" }, stored())
  end)

  it("takes documents as they are now, and leaves them so", function()
    local id = open "stock.nif"
    get("set", { id = id, path = "blocks[2].name", value = "Chair" })
    local before = encoded(id)
    put("Chair.obj", (TRIANGLE:gsub("crate", "Chair")))
    local made = get("import", { options = { file = "Chair.obj", ["--output"] = "b/new.nif", ["--like"] = id } })
    assert.equal("b/new.nif", made.document.name)
    assert.equal("Chair", get("get", { id = made.document.id, path = "blocks[2].name" }).text)
    assert.equal("3", get("get", { id = made.document.id, path = "blocks[2].num_vertices" }).text)
    assert.equal(before, encoded(id))
    assert.same({ "Chair.obj", "b/new.nif", "stock.nif" }, stored())
  end)

  it("makes an animation of the one that was exported", function()
    local id, skeleton = open "wave.hkx", open "skeleton.hkx"
    local _, blobs = get("export", { id = id, format = "csv", options = { skeleton = skeleton } })
    put("wave.csv", blobs[1])
    local options = { file = "wave.csv", ["--output"] = "new.hkx", ["--like"] = id, ["--skeleton"] = skeleton }
    local made = get("import", { options = options })
    assert.equal(web.sample "wave.hkx", encoded(made.document.id))
    assert.equal("wave.csv: 'clip', 31 frames of 6 bones, 1 s -> new.hkx", made.lines[1])
  end)

  it("gives the new document a number where its name is taken", function()
    put("crate.obj", TRIANGLE)
    local options = { file = "crate.obj", ["--output"] = "crate.solid" }
    assert.equal("crate.solid", get("import", { options = options }).document.name)
    assert.equal("crate (2).solid", get("import", { options = options }).document.name)
  end)

  it("takes names that mean something else on a command line", function()
    for _, name in ipairs { "-o.obj", "--help.obj", "a=b.obj", "*.obj", "%s.obj", "a b.obj" } do
      put(name, TRIANGLE)
      local new = name .. ".solid"
      assert.equal(new, get("import", { options = { file = name, ["--output"] = new } }).document.name)
    end
  end)

  it("says what is wrong, and leaves nothing", function()
    put("crate.obj", TRIANGLE)
    put("bad.obj", "v 1 2\nf 1 2 3\n")
    local function refused(code, message, options)
      local err = fail("import", { options = options })
      assert.same({ code, message }, { err.code, err.message })
      assert.same({ "bad.obj", "crate.obj" }, stored())
    end
    refused("usage", "a new nif file needs --game skyrim-le, skyrim-se or fallout4; or give --like FILE",
      { file = "crate.obj", ["--output"] = "crate.nif" })
    refused("usage", "-o crate.txt: no format has this extension; meshes go into bphsh, nif and solid files",
      { file = "crate.obj", ["--output"] = "crate.txt" })
    refused("usage", "file is missing", { ["--output"] = "crate.nif" })
    refused("usage", "'' is no name of a file", { file = "crate.obj" })
    refused("usage", "'../x.nif': a name must not have '..'", { file = "crate.obj", ["--output"] = "../x.nif" })
    refused("usage", "unknown option '--gme'; did you mean '--game'?",
      { file = "crate.obj", ["--output"] = "x.nif", ["--gme"] = "fallout4" })
    refused("io", "none.obj: there is no such file", { file = "none.obj", ["--output"] = "x.solid" })
    refused("usage", "there is no open document with the id 99", { file = "crate.obj", ["--output"] = "x.nif",
      ["--like"] = 99 })
    refused("usage", "option '--game': a text or a number expected, got boolean",
      { file = "crate.obj", ["--output"] = "x.nif", ["--game"] = true })
    refused("invalid", "bad.obj: line 1: a number is missing", { file = "bad.obj", ["--output"] = "x.solid" })
  end)

  it("has a form, also where nothing is open", function()
    local form = get("verbs", {}).import
    assert.same(form, get("verbs", { id = open "stock.nif" }).import)
    local types = {}
    for _, option in ipairs(form.options) do
      types[#types + 1] = option.name .. " " .. option.type .. (option.required and " required" or "")
    end
    assert.same({ "file file required", "--output text required", "--game choice", "--like file", "--skeleton file",
      "--material text", "--clip text", "--scale text", "--up choice", "--fps number" }, types)
  end)
end)
