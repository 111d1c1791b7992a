-- The calls of the browser page with names, files and lists that the user or a script made to be awkward, natively
-- (see web_service_spec.lua).

local helper = require "helper"
local web = require "web_service"

local get, fail, open, sample, encoded = web.get, web.fail, web.open, web.sample, web.encoded

local function names()
  local list = {}
  for i, document in ipairs(get("documents", {}).documents) do list[i] = document.name end
  return list
end

local function stored()
  local list = {}
  for i, file in ipairs(get("files", {}).files) do list[i] = file.name end
  return list
end

describe("files of the page #tools", function()
  after_each(web.close_all)

  it("have names that mean something else on a command line", function()
    for _, name in ipairs { "-", "--help.nif", "-o.nif", "a=b.nif", "@list.nif", "*.nif", "__proto__", "a\nb.nif", "%s" } do
      local id = open("stock.nif", name)
      for _, call in ipairs { "info", "check", "dump", "verbs", "picture" } do get(call, { id = id }) end
      get("set", { id = id, path = "blocks[2].name", value = "Chair" })
      assert.is_false(get("diff", { id = id, against = "opened" }).same, name)
      assert.is_false(get("apply", { id = id, verb = "scale", options = { factor = "2" } }).diff.same)
      local script = "return function(doc) doc.blocks[2].name = 'Table' end"
      assert.equal("changed", get("run", { script = script, ids = { id } }).results[1].status)
      get("save", { id = id })
      get("close", { id = id })
      assert.same({}, stored(), name)
    end
  end)

  it("stay when a file of their name is refused, and when a number makes another name", function()
    get("put", { name = "a.nif" }, { "kept" })
    fail("open", { name = "a.nif" }, { "not a file of any format" })
    assert.equal("kept", select(2, get("file", { name = "a.nif" }))[1])
    get("put", { name = "stock (2).nif" }, { "kept, too" })
    open "stock.nif"
    open "stock.nif"
    assert.same({ "stock.nif", "stock (3).nif" }, names())
    assert.equal("kept, too", select(2, get("file", { name = "stock (2).nif" }))[1])
  end)

  it("have their own names, however the prompt opens them, and stay while a document has them", function()
    local id = open "stock.nif"
    get("prompt", { id = id, line = "open './stock.nif'" })
    get("prompt", { id = id, line = ("open '%s/stock.nif'"):format(web.root) })
    assert.same({ "stock.nif", "stock.nif", "stock.nif" }, names())
    get("close", { id = id })
    assert.same({ "stock.nif" }, stored())
    for _, document in ipairs(get("documents", {}).documents) do
      assert.is_true(get("diff", { id = document.id, against = "saved" }).same)
      assert.equal(sample "stock.nif", encoded(document.id))
    end
  end)

  it("are open again as they were changed, with the file that was saved last", function()
    local id = open "stock.nif"
    get("set", { id = id, path = "max_string_length", value = "11" })
    local draft = encoded(id)
    web.close_all()
    local document = get("open", { name = "stock.nif" }, { sample "stock.nif", draft }).document
    id = document.id
    assert.same({ true, #sample "stock.nif" }, { document.changed, document.size })
    assert.is_nil(document.undo)
    assert.equal(draft, encoded(id))
    assert.equal(sample "stock.nif", select(2, get("file", { name = "stock.nif" }))[1])
    assert.equal(1, get("diff", { id = id, against = "saved" }).count)
    get("set", { id = id, path = "max_string_length", value = "12" })
    get("undo", { id = id })
    assert.is_true(get("documents", {}).documents[1].changed)
    assert.equal(draft, select(2, get("save_all", {}))[1])
    assert.is_false(get("documents", {}).documents[1].changed)
    assert.equal(1, get("diff", { id = id, against = "opened" }).count)
    web.close_all()
    fail("open", { name = "stock.nif" }, { sample "stock.nif", "no file" })
    assert.same({}, stored())
  end)

  it("do not get the name of another document when they are converted", function()
    local xml = get("convert", { id = open "wave.hkx", options = { ["--to"] = "xml" } })
    assert.equal("wave.xml", xml.name)
    web.close_all()
    local id = open "wave.hkx"
    local _, bytes = get("convert", { id = id, options = { ["--to"] = "xml" } })
    get("open", { name = "wave.xml" }, bytes)
    get("apply", { id = id, verb = "convert", options = { ["--to"] = "xml" } })
    assert.same({ "wave (2).xml", "wave.xml" }, names())
    get("save", { id = id })
    assert.equal(bytes[1], select(2, get("file", { name = "wave.xml" }))[1])
    assert.is_true(get("diff", { id = id, against = "saved" }).same)
    get("diff", { id = id, against = "opened" })
    get("apply", { id = id, verb = "convert", options = { ["--to"] = "skyrim-se" } })
    assert.same({ "wave (2).hkx", "wave.xml" }, names())
    get("close", { id = id })
    assert.same({ "wave.xml" }, stored())
  end)

  it("may be called like the backup of another one, which is still compared with itself", function()
    for _, order in ipairs { { "stock.nif", "stock.nif.bak" }, { "stock.nif.bak", "stock.nif" } } do
      for _, call in ipairs { "open", "put" } do
        local id
        for _, name in ipairs(order) do
          if name == "stock.nif" then
            id = open(name)
          else
            get(call, { name = name }, { sample "crate.solid" })
          end
        end
        assert.is_true(get("diff", { id = id, against = "opened" }).same)
        for value = 1, 2 do
          get("set", { id = id, path = "blocks[2].name", value = "Chair " .. value })
          get("save", { id = id })
          local lines = table.concat(get("diff", { id = id, against = "opened" }).lines, "\n")
          assert.matches(('"Stock:0" -> "Chair %d"'):format(value), lines, 1, true)
          assert.is_true(get("diff", { id = id, against = "saved" }).same)
        end
        get("close", { id = id })
        assert.same({ "stock.nif.bak" }, stored())
        assert.equal(sample "crate.solid", select(2, get("file", { name = "stock.nif.bak" }))[1])
        web.close_all()
      end
    end
  end)
end)

describe("what the prompt has #tools", function()
  after_each(web.close_all)

  it("may have metatables: docs is filled without them", function()
    local id = open "stock.nif"
    local trap = "function() error 'trap' end"
    local line = ("setmetatable(docs, { __len = %s, __index = %s, __newindex = %s })"):format(trap, trap, trap)
    get("prompt", { id = id, line = line })
    open "crate.solid"
    assert.equal('2\n', get("prompt", { id = id, line = "rawlen(docs)" }).output)
    assert.same({ "stock.nif", "crate.solid" }, names())
    get("prompt", { id = id, line = "setmetatable(docs, nil)" })
  end)

  it("runs nothing with the rights of the service", function()
    local outside = helper.tmpdir() .. "/outside.nif"
    local id = open "stock.nif"
    get("prompt", { id = id, line = "kept, seen = lathe.open 'stock.nif', {}" })
    local trap = "function trap(_, name) if name == 'doc' then seen.ran, seen.saved = true, kept:save '%s' end end"
    get("prompt", { id = id, line = trap:format(outside) })
    get("prompt", { id = id, line = "setmetatable(_G, { __index = trap, __newindex = trap })" })
    get("close", { id = id }) -- now there is no doc
    assert.equal("nil\n", get("prompt", { line = "seen.ran" }).output)
    get("prompt", { line = "doc" }) -- this runs the trap, with the rights of a script
    assert.equal("true\nfalse\n", get("prompt", { line = "seen.ran, seen.saved or false" }).output)
    assert.is_false(helper.exists(outside))
    get("prompt", { line = "setmetatable(_G, nil)" })
  end)
end)
