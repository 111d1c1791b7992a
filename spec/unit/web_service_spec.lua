-- The calls that the browser page and node make (bindings/web/README.md), natively. Each spec file has a process of its
-- own, so that the sandbox of the service reaches no other one.

local helper = require "helper"
local dkjson = require "dkjson"
local web = require "web_service"
local files = require "service.files"

local get, fail, open, sample = web.get, web.fail, web.open, web.sample
local lathe, folder_of, root = web.lathe, web.folder_of, web.root

-- The JSON of a result as it is in the text of the reply.
local function json_of(name, args)
  local result = web.service.call(name, args)
  return dkjson.encode(result.json)
end

describe("the service of the page #tools", function()
  after_each(web.close_all)

  describe("with files", function()
    it("says what it is and how large files may be", function()
      local about = get("about", {})
      assert.equal(require "lathe.core".VERSION, about.version)
      assert.equal(256 << 20, about.limits.file)
      local names = {}
      for i, format in ipairs(about.formats) do names[i] = format.name end
      assert.truthy(table.concat(names, " "):find("nif", 1, true))
    end)

    it("loads step by step what the first file needs, and nothing for what a file may not need", function()
      local steps = 0
      repeat steps = steps + 1 until not get("prepare", {}).more or steps == 100
      assert.is_true(steps < 100)
      for _, name in ipairs { "look", "rows", "verbs" } do assert.truthy(package.loaded["service." .. name], name) end
      assert.is_nil(package.loaded["lathe.cli.commands.import"])
      assert.is_false(get("prepare", {}).more)
    end)

    it("opens, tells of the document once, closes and removes the file", function()
      local result, _, changes = get("open", { name = "Meshes/crate.solid" }, { sample "crate.solid" })
      local document = {
        id = result.document.id, name = "Meshes/crate.solid", format = "solid", game = "Lugaru", size = 532,
        changed = false, revision = 0,
      }
      assert.same(document, result.document)
      assert.same({}, result.notes)
      assert.same({ documents = { document }, closed = {} }, changes)
      assert.is_nil(select(3, get("info", { id = document.id })))
      assert.same({ { name = "Meshes/crate.solid", size = 532, id = document.id } }, get("files", {}).files)
      local _, _, closed = get("close", { id = document.id })
      assert.same({ documents = {}, closed = { document.id } }, closed)
      assert.same({}, get("files", {}).files)
      assert.is_false(helper.exists(root .. "/Meshes"))
      assert.equal("usage", fail("info", { id = document.id }).code)
      assert.is_true(open "crate.solid" > document.id)
    end)

    it("refuses a file as the tool does, and keeps nothing of it", function()
      for _, case in ipairs { { "bad.nif", "rubbish" }, { "none.zzz", "rubbish" }, { "cut.solid", "\1" } } do
        local folder = helper.tmpdir()
        helper.write(folder .. "/" .. case[1], case[2])
        local _, stderr = lathe(folder, { "info", case[1] })
        assert.equal(stderr, "lathe: " .. fail("open", { name = case[1] }, { case[2] }).message .. "\n")
      end
      assert.same({}, get("files", {}).files)
    end)

    it("refuses a file that is larger than the limit, which the message names", function()
      local limits = files.limits
      files.limits = { file = 1 << 20, all = 3 << 19 }
      local large = ("x"):rep((1 << 20) + 1)
      local err = fail("open", { name = "large.nif" }, { large })
      assert.equal("limit", err.code)
      assert.equal("large.nif: it has 1048577 bytes, and the limit for a file is 1 MiB here: use the program for "
        .. "the command line", err.message)
      assert.equal("limit", fail("put", { name = "large.nif" }, { large }).code)
      open "crate.solid"
      files.limits = { file = 1 << 20, all = 600 }
      assert.equal("crate.solid: with its 532 bytes, all open files would exceed the limit of 600 bytes: close some "
        .. "first", fail("open", { name = "crate.solid" }, { sample "crate.solid" }).message)
      files.limits = limits
    end)

    it("numbers a name that is open already", function()
      open "crate.solid"
      local second = get("open", { name = "crate.solid" }, { sample "crate.solid" })
      assert.equal("crate (2).solid", second.document.name)
      assert.same({ "crate.solid is open already: this one is crate (2).solid" }, second.notes)
      assert.equal("crate (3).solid", get("open", { name = "crate.solid" }, { sample "crate.solid" }).document.name)
    end)

    it("takes names in any script, with markup, and with bytes that are not UTF-8", function()
      for _, name in ipairs { "キューブ.solid", "<b>&\"'.solid", "caf\xe9.solid", "a\27[1mb\n.solid", "-rf.solid" } do
        local reply = get("open", { name = name }, { sample "crate.solid" })
        local shown = name:gsub("\xe9", "\u{FFFD}")
        assert.equal(shown, reply.document.name)
        assert.equal("solid", reply.document.format)
        local id = reply.document.id
        assert.equal(8, get("tree", { id = id, path = "vertices" }).total)
        assert.equal(1, #get("set", { id = id, path = "vertices[1].x", value = "5" }).rows)
        assert.equal(532, #select(2, get("save", { id = id }))[1])
        assert.is_true(get("check", { id = id }).ok)
      end
    end)

    it("takes no name that leads out of the root", function()
      for _, name in ipairs { "../x.solid", "a/../../x.solid", "", "/", ".", "a\0b", ("x"):rep(2000), "..\\x.solid" } do
        assert.equal("usage", fail("open", { name = name }, { sample "crate.solid" }).code)
        assert.equal("usage", fail("put", { name = name }, { "x" }).code)
      end
      local inside = get("open", { name = "/etc//./passwd.solid" }, { sample "crate.solid" })
      assert.equal("etc/passwd.solid", inside.document.name)
    end)

    it("stores what documents find beside them", function()
      get("put", { name = "a/skeleton.hkx" }, { sample "skeleton.hkx" })
      assert.same({ { name = "a/skeleton.hkx", size = 1632 } }, get("files", {}).files)
      assert.equal(sample "skeleton.hkx", select(2, get("file", { name = "a/skeleton.hkx" }))[1])
      assert.equal("a/skeleton.hkx", get("open", { name = "a/skeleton.hkx" }).document.name)
      assert.equal("usage", fail("remove", { name = "a/skeleton.hkx" }).code)
      assert.equal("io", fail("file", { name = "none" }).code)
    end)

    it("saves as the tool does, with a backup of what was opened", function()
      local id = open "crate.solid"
      get("set", { id = id, path = "vertices[1].x", value = "7" })
      local encoded = select(2, get("encode", { id = id }))[1]
      local saved, bytes, changes = get("save", { id = id })
      assert.same({ id = id, name = "crate.solid", size = 532, notes = {} }, saved)
      assert.equal(encoded, bytes[1])
      assert.is_false(changes.documents[1].changed)
      assert.equal(encoded, helper.read(root .. "/crate.solid"))
      assert.equal(sample "crate.solid", helper.read(root .. "/crate.solid.bak"))
      get("set", { id = id, path = "vertices[1].x", value = "8" })
      assert.equal("vertices[1].x: 7 -> 8", get("diff", { id = id, against = "saved" }).lines[1])
      assert.equal("vertices[1].x: -25 -> 8", get("diff", { id = id, against = "opened" }).lines[1])
      local other = open("stock.nif")
      local all, blobs = get("save_all", {})
      assert.equal(1, #all.saved)
      assert.same({}, all.failed)
      assert.equal(532, #blobs[1])
      assert.is_number(other)
    end)
  end)

  describe("shows the same as the tool", function()
    for _, file in ipairs { "crate.solid", "stock.nif", "wave.hkx", "behavior.hkx", "progress.sav3", "volumes.fzx",
      "lift.anm", "dummy.phxbn" } do
      it(file, function()
        local folder, id = folder_of(file), open(file)
        assert.equal((lathe(folder, { "info", file })), table.concat(get("info", { id = id }).lines, "\n") .. "\n")
        assert.equal((lathe(folder, { "info", "--json", file })), json_of("info", { id = id, json = true }) .. "\n")
        assert.equal((lathe(folder, { "dump", file })), get("dump", { id = id }).text .. "\n")
        assert.equal((lathe(folder, { "dump", "--json", file })), json_of("dump", { id = id, json = true }) .. "\n")
        assert.equal((lathe(folder, { "check", "--json", file })), json_of("check", { id = id }) .. "\n")
        assert.equal((lathe(folder, { "check", file })), table.concat(get("check", { id = id }).lines, "\n") .. "\n")
        local stdout, stderr, code = lathe(folder, { "info", "--json", file })
        local told, bytes = get("command", { argv = { "info", "--json", file } })
        assert.same({ stdout, stderr, code }, { told.stdout, told.stderr, told.code })
        assert.same({ stdout, stderr }, bytes)
        assert.equal(sample(file), select(2, get("encode", { id = id }))[1])
      end)
    end

    it("in what differs, and in findings of changed documents", function()
      local folder, id = folder_of("crate.solid"), open "crate.solid"
      get("set", { id = id, path = "triangles[1].a", value = "100" })
      helper.write(folder .. "/new.solid", select(2, get("encode", { id = id }))[1])
      local result = get("diff", { id = id, against = "opened" })
      assert.equal((lathe(folder, { "diff", "crate.solid", "new.solid" })), table.concat(result.lines, "\n") .. "\n")
      assert.is_false(result.same)
      local native = lathe(folder, { "check", "new.solid" }):gsub("new%.solid", "crate.solid")
      local check = get("check", { id = id })
      assert.equal(native, table.concat(check.lines, "\n") .. "\n")
      assert.is_false(check.ok)
      assert.equal("triangles[1].a", check.findings[1].where)
      local same = get("diff", { id = id, against = id })
      assert.same({ true, 0, {} }, { same.same, same.count, same.lines })
    end)

    it("as the page of `lathe view`", function()
      local id = open "stock.nif"
      local picture, blobs = get("picture", { id = id })
      assert.equal("glTF", blobs[1]:sub(1, 4))
      assert.equal("stock.nif", picture.file.name)
      assert.equal("z", picture.file.up)
      assert.equal(2940, picture.file.triangles)
      assert.same({ { "blocks[1]", "Stock" } }, picture.file.places)
      local save, none = get("picture", { id = open "progress.sav3" })
      assert.same({}, none)
      assert.is_nil(save.needs)
      local bones = open "skeleton.hkx"
      local clip = open "wave.hkx"
      local _, one = get("picture", { id = clip, skeleton = bones })
      local _, listed = get("picture", { id = clip, skeleton = { bones } })
      assert.is_true(one[1] == listed[1])
      local alone, nothing = get("picture", { id = open "wave.hkx" })
      assert.same({ "skeleton", {} }, { alone.needs, nothing })
      assert.equal("its tracks have no bone names: give a skeleton", alone.notes[1].reason)
      assert.equal("glTF", select(2, get("picture", { id = open "wave.hkx", skeleton = bones }))[1]:sub(1, 4))
    end)

    it("with notes in place of a picture where bones are damaged", function()
      local bytes = require "sample_phxbn".v5_bare
      local damaged = bytes:sub(1, -17) .. ("<i4i4"):pack(0, 9) .. bytes:sub(-8) -- to a point that is not there
      local id = get("open", { name = "damaged.phxbn" }, { damaged }).document.id
      local picture, blobs = get("picture", { id = id })
      assert.same({}, blobs)
      assert.same({ { path = "", reason = "bone 0 lies between points that are not there" } }, picture.file.notes)
      assert.equal("damaged.phxbn", picture.file.name)
      assert.is_nil(picture.needs)
      assert.same({}, picture.file.places)
      assert.is_true(get("tree", { id = id, path = "" }).total > 0) -- the fields can be read
    end)
  end)
end)
