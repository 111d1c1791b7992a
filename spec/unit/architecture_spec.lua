-- core/ARCHITECTURE.md and core/GLOSSARY.md: what they name exists.

local helper = require "helper"

-- The sources of the library and of the module, by path.
local function sources()
  local list = {}
  for path in helper.run("find core bindings -name '*.[ch]'").out:gmatch "[^\n]+" do
    list[path] = helper.read(path)
  end
  return list
end

-- Names that C files define as functions: a definition begins its line, and goes on with a body.
local function definitions(files)
  local defined = {}
  for path, text in pairs(files) do
    for head, name in (path:match "%.c$" and "\n" .. text or ""):gmatch "\n([%a_][%w_ *]*[ *])([%a_][%w_]*)%b()%s*\n{" do
      if not head:match "^typedef" then defined[name] = true end
    end
  end
  return defined
end

local function exists(path)
  return helper.exists(path) or helper.exists("core/" .. path)
end

describe("core/ARCHITECTURE.md", function()
  local text = helper.read "core/ARCHITECTURE.md"
  local files, defined

  setup(function()
    files = sources()
    defined = definitions(files)
  end)

  it("names functions that are defined", function()
    local n = 0
    for name in text:gmatch "`([%a_][%w_]*)%(%)`" do
      assert.is_true(defined[name], name)
      n = n + 1
    end
    assert.is_true(n > 30)
  end)

  it("names types and variables that are there", function()
    for name in text:gmatch "`([%l]+_[%l_]+)`" do
      local there = false
      for _, source in pairs(files) do there = there or source:find("%f[%w_]" .. name .. "%f[^%w_]") ~= nil end
      assert.is_true(there, name)
    end
  end)

  it("names files that exist", function()
    for path, kind in text:gmatch "`([%w_./-]+%.(%l+))`" do
      if kind == "c" or kind == "h" or kind == "lua" then
        assert.is_true(exists((path:gsub("^%.%./", ""))), path)
      end
    end
    for path in text:gmatch "%]%(([%w_./-]+)%)" do assert.is_true(helper.exists("core/" .. path), path) end
  end)

  it("draws folders that exist", function()
    for folder in text:match("```text(.-)```"):gmatch "(%l+)/" do
      assert.is_true(helper.exists(folder) or helper.exists("core/" .. folder), folder)
    end
  end)
end)

describe("core/GLOSSARY.md", function()
  it("is one page of words in alphabetical order", function()
    local last, lines = "", 0
    for line in io.lines "core/GLOSSARY.md" do
      lines = lines + 1
      local word = line:match "^| %*%*(.-)%*%* |"
      if word then
        assert.is_true(word > last, word .. " stands behind " .. last)
        last = word
      end
    end
    assert.is_true(lines < 60)
  end)
end)
