-- Help of the prompt: there is a page for every field, and its example works on the document.

local helper = require "helper"
local help = require "lathe.repl.help"
local lathe = require "lathe"
local player = dofile "spec/repl/player.lua"

local MOST = 60 -- fields of one record

describe("help", function()
  local context

  local function page(source)
    local lines = {}
    help.typed(source, function(line) lines[#lines + 1] = line end, context)
    return table.concat(lines, "\n")
  end

  local function run(source)
    local chunk = assert(load("return " .. source, "", "t", context.env) or load(source, "", "t", context.env))
    return pcall(chunk)
  end

  -- Asks about a field; runs the example, which must change what it assigns to.
  local function try(path)
    local said = page(path)
    assert.matches("^[^\n]*" .. path:gsub("%p", "%%%0"), said)
    local example = said:match "\n  example +([^\n]*)"
    if not example then return 0 end
    local target = example:match "^([^=]*) = "
    local before = target and select(2, run(target))
    local ok, err = run(example)
    assert.is_true(ok, ("%s: %s"):format(example, tostring(err)))
    if not target then return 0 end
    local _, after = run(target)
    assert.is_true(before ~= after or before ~= before, example .. " changes nothing")
    context.env.doc:undo()
    return 1
  end

  -- Asks about each field of a record.
  local function try_record(record, path)
    local tried = 0
    for i, row in ipairs(lathe.describe(record) or {}) do
      if i > MOST then break end
      tried = tried + try(("%s.%s"):format(path, row.name))
    end
    return tried
  end

  local function try_document(name)
    local doc <close> = assert(lathe.open(name, { history = 5 }))
    context = { env = setmetatable({ doc = doc, docs = { doc }, lathe = lathe }, { __index = _G }), documents = { doc },
      functions = {}, width = 100 }
    local tried = try_record(doc, "doc")
    assert.matches(doc.format, page "doc", 1, true)
    for _, verb in ipairs(lathe.verbs(doc)) do
      if not verb.type then assert.matches("^doc:" .. verb.name, page("doc:" .. verb.name)) end
    end
    for _, list in ipairs { "bodies", "materials", "objects", "blocks", "frames", "levels", "animations", "skeletons",
      "vertices" } do
      local ok, items = pcall(function() return doc[list] end)
      for i = 1, ok and items and math.min(#items, 6) or 0 do
        local path = ("doc.%s[%d]"):format(list, i)
        assert.matches(path, page(path), 1, true)
        if pcall(lathe.path, items[i]) then tried = tried + try_record(items[i], path) end
      end
    end
    return tried
  end

  it("has a page and a working example for fields of each format", function()
    local folder, tried = player.folder(), 0
    for _, name in ipairs(helper.list(folder, "%.")) do
      if pcall(function() assert(lathe.open(folder .. "/" .. name)):close() end) then
        tried = tried + try_document(folder .. "/" .. name)
      end
    end
    assert.is_true(tried > 300, tried)
  end)
end)

describe("a damaged record", function()
  it("is shown with what can be read of it", function()
    local show = require "lathe.repl.show"
    local shown, damaged = 0, 0
    for _, bad in ipairs(require "sample_phive_bad"()) do
      local doc <close> = lathe.parse(bad.bytes, { path = "bad.bphsh" })
      local shape = doc and select(2, pcall(function() return doc.shape end))
      if lathe.type(shape) then
        local lines = table.concat(show.lines(shape), "\n")
        assert.matches("\n  type ", lines)
        shown = shown + 1
        if lines:find("= not understood: bad.bphsh: ", 1, true) then damaged = damaged + 1 end
      end
    end
    assert.is_true(shown > 10 and damaged > 0, ("%d, %d"):format(shown, damaged))
  end)
end)
