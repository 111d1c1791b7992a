-- The calls of the browser page that show fields and change documents, natively (see web_service_spec.lua).

local helper = require "helper"
local dkjson = require "dkjson"
local web = require "web_service"

local ask, get, fail, open, sample, encoded = web.ask, web.get, web.fail, web.open, web.sample, web.encoded
local close_all = web.close_all

local FILES = { "crate.solid", "stock.nif", "wave.hkx", "behavior.hkx", "progress.sav3", "volumes.fzx", "lift.anm",
  "dummy.phxbn", "skeleton.hkx" }

-- Calls each(row) for rows of a document, level by level, at most `most`.
local function walk(id, most, each)
  local queue, seen = { "" }, 0
  for _, path in ipairs(queue) do
    local level = get("tree", { id = id, path = path, count = 20 })
    for _, row in ipairs(level.rows) do
      seen = seen + 1
      if seen > most then return end
      each(row, level)
      if row.children and row.children > 0 and #queue < most then queue[#queue + 1] = row.path end
    end
  end
end

describe("the rows of the page #tools", function()
  after_each(close_all)

  it("have what an editor needs", function()
    local id = open "stock.nif"
    local row = get("row", { id = id, path = "bodies[1].motion" }).row
    assert.equal("text", row.type)
    assert.is_true(row.editable)
    row = get("row", { id = id, path = "blocks[1].flags" }).row
    assert.equal("value", row.kind)
    assert.equal(row.edit, tostring(math.tointeger(tonumber(row.edit))))
    local level = get("tree", { id = open "crate.solid" })
    assert.same({ 4, "solid", "record" }, { level.total, level.type, level.kind })
    assert.same({
      name = "vertex_count", path = "vertex_count", kind = "value", type = "i16", value = "8", min = -32768,
      max = 32767, doc = "Number of vertices.", editable = false, why = "it is read-only",
    }, level.rows[1])
  end)

  it("are told a level and a range at a time", function()
    local id = open "crate.solid"
    local level = get("tree", { id = id, path = "vertices", from = 3, count = 2 })
    assert.same({ "[3]", "[4]" }, { level.rows[1].name, level.rows[2].name })
    assert.same({ 8, 2, 3 }, { level.total, #level.rows, level.from })
    assert.same({ "vec3", "model units" }, { level.element.type, level.element.unit })
    assert.equal("x -25  y 25  z -25", level.rows[1].value)
    assert.same({}, get("tree", { id = id, path = "vertices", from = 9 }).rows)
    assert.same({}, get("tree", { id = id, path = "vertices", from = 1e300, count = 1e300 }).rows)
    assert.equal(8, #get("tree", { id = id, path = "vertices", from = -5, count = 2 ^ 60 }).rows)
    assert.same({}, get("tree", { id = id, path = "vertices", count = -1 }).rows)
    assert.same({}, get("tree", { id = id, path = "vertices[1].x" }).rows)
  end)

  it("lead to each other", function()
    for _, file in ipairs(FILES) do
      local id = open(file)
      walk(id, 60, function(row)
        local one = get("row", { id = id, path = row.path })
        assert.equal(row.path, one.row.path)
        assert.equal(row.value, one.row.value)
        assert.equal(row.edit, one.row.edit)
        for _, parent in ipairs(one.parents) do assert.equal(parent, row.path:sub(1, #parent)) end
      end)
    end
  end)

  it("take back the text that they give for editing, and nothing changes", function()
    local tried = 0
    for _, file in ipairs(FILES) do
      local id = open(file)
      local before = encoded(id)
      walk(id, 120, function(row)
        if row.editable then
          tried = tried + 1
          local reply = ask("set", { id = id, path = row.path, value = row.edit })
          assert.is_true(reply.ok, ("%s: %s=%s: %s"):format(file, row.path, row.edit, reply.error and reply.error.message))
        else
          assert.is_string(row.why)
        end
      end)
      assert.equal(before, encoded(id), file)
    end
    assert.is_true(tried > 200)
  end)
end)

describe("files of games, in the page #tools #corpus", function()
  after_each(close_all)

  -- Some small files of each folder.
  local function some_files(root)
    local list = assert(io.popen(("cd '%s' && find . -type f -size -100k -not -path '*/bad/*' | LC_ALL=C sort")
      :format(root))):read "a"
    local found, of_folder = {}, {}
    for path in list:gmatch "[^\n]+" do
      local folder = path:match "^(.*)/"
      of_folder[folder] = (of_folder[folder] or 0) + 1
      if of_folder[folder] <= 2 then found[#found + 1] = path end
    end
    return found
  end

  it("open or are refused as by the tool, and take back the texts of their rows", function()
    local root = helper.need_corpus("", pending)
    if not root then return end
    local opened = 0
    for _, path in ipairs(some_files(root)) do
      local bytes = helper.read(root .. "/" .. path)
      local reply = ask("open", { name = path }, { bytes })
      local doc, err = require "lathe.core".open(root .. "/" .. path)
      assert.equal(doc ~= nil, reply.ok, path)
      if doc then
        opened = opened + 1
        local id = reply.result.document.id
        assert.same({ doc.format, doc.game }, { reply.result.document.format, reply.result.document.game })
        assert.is_true(bytes == encoded(id), path)
        walk(id, 40, function(row)
          if row.editable then get("set", { id = id, path = row.path, value = row.edit }) end
        end)
        for _, name in ipairs { "check", "verbs", "picture" } do get(name, { id = id }) end
        doc:close()
        get("close", { id = id })
      else
        assert.equal(err.message, reply.error.reason)
      end
    end
    assert.is_true(opened > 20)
  end)
end)

describe("a change of the page #tools", function()
  after_each(close_all)

  it("is the same as by `lathe set`, and can be undone and redone", function()
    local id = open "stock.nif"
    local result, _, changes = get("set", { id = id, path = "bodies[1].material", value = "metal" })
    assert.equal('"metal"', result.rows[1].value)
    assert.same({ true, "bodies[1].material=metal", 1 },
      { changes.documents[1].changed, changes.documents[1].undo, changes.documents[1].revision })
    local folder = helper.tmpdir()
    helper.write(folder .. "/stock.nif", sample "stock.nif")
    assert(os.execute(("cd '%s' && '%s/bin/lathe' set stock.nif 'bodies[1].material=metal' -o new.nif >/dev/null")
      :format(folder, helper.build)))
    assert.equal(helper.read(folder .. "/new.nif"), encoded(id))
    assert.equal(1, get("undo", { id = id, steps = 5 }).done)
    assert.equal(sample "stock.nif", encoded(id))
    assert.same({ undo = {}, redo = { "bodies[1].material=metal" } }, get("steps", { id = id }))
    assert.equal(1, get("redo", { id = id }).done)
    assert.equal(0, get("redo", { id = id }).done)
    assert.equal(helper.read(folder .. "/new.nif"), encoded(id))
  end)

  it("warns of a name that lathe does not know, and tells what changed along", function()
    local id = open "stock.nif"
    local result = get("set", { id = id, path = "bodies[1].material", value = "wodo" })
    assert.equal(1, #result.warnings)
    assert.truthy(result.warnings[1]:find "wodo")
  end)

  it("is all or nothing", function()
    local id = open "crate.solid"
    local err, changes = fail("set", { id = id, values = {
      { path = "vertices[1].x", value = "7" }, { path = "vertices[1].q", value = "7" } } })
    assert.equal("name", err.code)
    assert.is_nil(changes)
    assert.equal(sample "crate.solid", encoded(id))
    local _, _, told = get("set", { id = id, values = {
      { path = "vertices[1].x", value = "7" }, { path = "vertices[2].x", value = "8" } } })
    assert.equal("vertices[1].x=7 and 1 more", told.documents[1].undo)
    assert.equal(1, #get("steps", { id = id }).undo)
  end)

  it("inserts and deletes elements", function()
    local id = open "crate.solid"
    assert.same({ path = "vertices[9]", total = 10 }, get("insert", { id = id, path = "vertices", count = 2 }))
    assert.same({ path = "vertices[1]", total = 11 }, get("insert", { id = id, path = "vertices", at = 1 }))
    assert.same({ path = "vertices[1]", total = 10 }, get("delete", { id = id, path = "vertices[1]" }))
    get("undo", { id = id, steps = 3 })
    assert.equal(sample "crate.solid", encoded(id))
    assert.equal("name", fail("insert", { id = id, path = "vertex_count" }).code)
    assert.is_string(fail("delete", { id = id, path = "vertices[99]" }).message)
    assert.equal("usage", fail("delete", { id = id, path = "vertices" }).code)
    assert.equal(sample "crate.solid", encoded(id))
  end)

  it("has forms for the verbs of a document", function()
    local function names(id)
      local list = {}
      for _, verb in ipairs(get("verbs", { id = id }).verbs) do list[verb.name] = verb end
      return list
    end
    local solid = names(open "crate.solid")
    assert.same({ name = "factor", label = "factor", type = "text", required = true,
      help = solid.scale.options[1].help }, solid.scale.options[1])
    assert.is_nil(solid.retime)
    local clip = names(open "wave.hkx")
    assert.is_nil(clip["add-event"])
    local by_name = {}
    for _, option in ipairs(clip.resample.options) do by_name[option.name] = option end
    assert.same({ "number", true, "frames/s" },
      { by_name["--fps"].type, by_name["--fps"].required, by_name["--fps"].unit })
    assert.equal("file", by_name["--skeleton"].type)
    local graph = names(open "behavior.hkx")
    assert.is_table(graph["add-event"])
    assert.is_true(graph.uses.query)
    for _, list in ipairs { solid, clip, graph } do
      for name, verb in pairs(list) do
        assert.truthy(#verb.summary > 0 and #verb.heading > 0, name)
        for _, option in ipairs(verb.options) do assert.truthy(#option.help > 0, name .. option.name) end
      end
    end
  end)

  it("proposes the names that a document has for what its commands are about", function()
    local id = open "behavior.hkx"
    local options = {}
    for _, verb in ipairs(get("verbs", { id = id }).verbs) do
      for _, option in ipairs(verb.options) do options[verb.name .. " " .. option.name] = option.known or false end
    end
    assert.same({ "rename", "add-transition", false },
      { options["rename --from"], options["add-transition --event"], options["rename --to"] })
    local function names(command, option, doc)
      return get("names", { id = doc or id, command = command, option = option })
    end
    local events = names("remove-event", "--name")
    assert.same({ "moveStart", "moveStop", "gestureStart", "gestureStop", "FootLeft" }, events.names)
    assert.is_false(events.more)
    assert.same(names("remove-transition", "--to").names, names("remove-state", "--name").names)
    assert.same({ "WaveTop" }, names("rename", "--from", open "wave.hkx").names)
    assert.equal("NPC Root", names("offset", "--bone", open "skeleton.hkx").names[1])
    assert.same({}, names("rename", "--from", open "crate.solid").names)
    assert.same({}, names("scale", "factor").names)
  end)

  it("has a form for what a document can be exported to", function()
    local function form(name)
      local told, by_name, names = get("verbs", { id = open(name) }), {}, {}
      for i, option in ipairs(told.export.options) do by_name[option.name], names[i] = option, option.name end
      return by_name, table.concat(names, " "), told.verbs
    end
    local options, names, verbs = form "stock.nif"
    assert.equal("--to --what --scale --lod --textures", names)
    assert.same({ { "glb", "obj" }, "glb" }, { options["--to"].choices, options["--to"].default })
    options, names = form "wave.hkx"
    assert.equal("--to --skeleton --mesh --scale --textures --euler", names)
    assert.same({ { "glb", "csv" }, "file" }, { options["--to"].choices, options["--skeleton"].type })
    options, names = form "behavior.hkx"
    assert.same({ "--to", { "dot" } }, { names, options["--to"].choices })
    for _, verb in ipairs(verbs) do
      assert.equal(verb.name == "materials" or nil, verb.lists)
      if verb.lists then assert.same({ "old", "new" }, verb.options[1].pair) end
    end
  end)

  it("applies verbs as the commands do, and a preview changes nothing", function()
    local cases = {
      { "crate.solid", "scale", { factor = "2" }, { "scale", "2" } },
      { "stock.nif", "scale", { factor = 0.5, ["--what"] = "collision" }, { "scale", "0.5", "--what", "collision" } },
      { "wave.hkx", "retime", { ["--speed"] = 2 }, { "retime", "--speed", "2" } },
      { "wave.hkx", "trim", { ["--t0"] = 0.25, ["--t1"] = "0.75" }, { "trim", "0.25", "0.75" } },
      { "wave.hkx", "rename", { ["--from"] = "WaveTop", ["--to"] = "X" }, { "rename", "WaveTop", "X" } },
      { "wave.hkx", "convert", { ["--to"] = "fallout4" }, { "convert", "--to", "fallout4" } },
      { "stock.nif", "materials", { ["--set"] = { "wood=metal" } }, { "materials", "--set", "wood=metal" } },
      { "behavior.hkx", "add-event", { ["--name"] = "bowStart" }, { "add-event", "bowStart" } },
    }
    for _, case in ipairs(cases) do
      local file, verb, options, words = table.unpack(case)
      local folder = helper.tmpdir()
      helper.write(folder .. "/" .. file, sample(file))
      local command = ("cd '%s' && '%s/bin/lathe' '%s' '%s' -o 'new-%s' --json")
        :format(folder, helper.build, table.concat(words, "' '"), file, file)
      local native = assert(io.popen(command)):read "a"
      local id = open(file)
      local preview, _, none = get("apply", { id = id, verb = verb, options = options, preview = true })
      assert.is_nil(none, verb)
      assert.equal(sample(file), encoded(id))
      local result, _, changes = get("apply", { id = id, verb = verb, options = options })
      assert.same(preview, result)
      assert.is_true(changes.documents[1].changed, verb)
      assert.equal(helper.read(folder .. "/new-" .. file), encoded(id), verb)
      assert.same(dkjson.decode(native, 1, dkjson.null).report, result.report)
      local diff = assert(io.popen(("cd '%s' && '%s/bin/lathe' diff '%s' 'new-%s'"):format(folder, helper.build, file,
        file))):read "a"
      assert.equal(diff, table.concat(result.diff.lines, "\n") .. "\n")
      assert.equal(1, get("undo", { id = id }).done)
      assert.equal(sample(file), encoded(id))
      close_all()
    end
  end)

  it("takes open documents for options that are files, as they are now", function()
    local clip, skeleton = open "wave.hkx", open "skeleton.hkx"
    local options = { ["--skeleton"] = skeleton }
    local first = get("apply", { id = clip, verb = "additive", options = options, preview = true })
    get("set", { id = skeleton, path = "skeletons[1].bones[2].pose.t", value = "{1, 2, 3}" })
    local second = get("apply", { id = clip, verb = "additive", options = options, preview = true })
    assert.is_true(first.diff.lines[1] ~= second.diff.lines[1])
    get("close", { id = skeleton })
    assert.equal("usage", fail("apply", { id = clip, verb = "additive", options = options }).code)
  end)

  it("refuses options that are wrong, and leaves the document as it was", function()
    local id = open "crate.solid"
    local wrong = {
      { "scale", {} }, { "scale", { factor = "x" } }, { "scale", { factor = {} } }, { "scale", { factor = true } },
      { "scale", { factor = "2", ["--whatt"] = "all" } }, { "scale", { factor = "2", ["--what"] = "x" } },
      { "scale", { factor = "-1" } }, { "scale", { factor = "2", [1] = 2 } }, { "run", {} }, { "set", {} },
      { "nope", {} }, { "retime", {} }, { "scale", { factor = "--help" } }, { "scale", "x" },
    }
    for _, case in ipairs(wrong) do
      local err, changes = fail("apply", { id = id, verb = case[1], options = case[2] })
      assert.equal("usage", err.code, case[1] .. ": " .. err.message)
      assert.is_nil(changes)
    end
    assert.truthy(fail("apply", { id = id, verb = "scale", options = { factor = 2, ["--whatt"] = "all" } }).message
      :find("did you mean '--what'", 1, true))
    assert.equal(sample "crate.solid", encoded(id))
  end)

  it("converts and exports to bytes", function()
    local id = open "wave.hkx"
    local result, blobs = get("convert", { id = id, options = { ["--to"] = "xml" } })
    assert.equal("wave.xml", result.name)
    assert.equal("<?xml", blobs[1]:sub(1, 5))
    assert.equal(sample "wave.hkx", encoded(id))
    local stock = open "stock.nif"
    result, blobs = get("export", { id = stock, format = "obj" })
    assert.same({ "stock.obj", "stock.mtl" }, { result.files[1].name, result.files[2].name })
    assert.equal(result.files[1].size, #blobs[1])
    local folder = helper.tmpdir()
    helper.write(folder .. "/stock.nif", sample "stock.nif")
    assert(os.execute(("cd '%s' && '%s/bin/lathe' export stock.nif -o stock.glb >/dev/null 2>&1")
      :format(folder, helper.build)))
    assert.equal(helper.read(folder .. "/stock.glb"), select(2, get("export", { id = stock, format = "glb" }))[1])
    assert.equal("usage", fail("export", { id = stock, format = "exe" }).code)
    assert.equal("crate.csv", fail("export", { id = open "crate.solid", format = "csv" }).file)
    assert.equal(3, #get("files", {}).files)
  end)
end)
