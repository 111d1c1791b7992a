-- The checks of `make check` see what they are for: each is shown a copy of the tree with one thing wrong.

local helper = require "helper"

local function copy_of_tree()
  local folder = helper.tmpdir()
  assert(helper.run({ "cp", "-r", "core", "bindings", "scripts", "spec", folder }).code == 0)
  return folder
end

local function append(path, text)
  helper.write(path, helper.read(path) .. text)
end

local function check_tree(folder)
  local preload = helper.preload and "LD_PRELOAD=" .. helper.quote(helper.preload) .. " " or ""
  return helper.run(preload .. "lua5.4 spec/support/check_tree.lua", {
    cwd = folder,
    env = {
      LUA_PATH_5_4 = folder .. "/scripts/?.lua;" .. folder .. "/scripts/?/init.lua;;",
      LUA_CPATH_5_4 = helper.build .. "/?.so;;",
    },
  })
end

describe("check_tree", function()
  it("finds nothing in this tree", function()
    local r = check_tree(helper.root)
    assert.same({ 0, "" }, { r.code, r.err })
  end)

  it("finds a format's name in bindings", function()
    for _, format in ipairs(require("lathe").formats()) do
      -- doc:save, what = "geometry": the contract has the words, too.
      if format.name == "save" or format.name == "geometry" then goto continue end
      local folder = copy_of_tree()
      append(folder .. "/bindings/module.c", "/* as in " .. format.name .. " */\n")
      local r = check_tree(folder)
      assert.equal(1, r.code)
      assert.truthy(r.err:find("bindings/module.c:%d+:/%* as in " .. format.name))
      ::continue::
    end
  end)

  it("finds names of formats and of their records in scripts, but for files in examples", function()
    local wrong = {
      { "local function is(doc) return doc.format == \"nif\" end", "nif" },
      { "local KINDS = { phxbn = true }", "phxbn" },
      { "local NODES = { 'NiNode' }", "NiNode" },
      { "-- as hkx does", "hkx" },
      { "local HELP = [[files of bphsh]]", "bphsh" },
    }
    local folder, lines, said = copy_of_tree(), { "-- lathe get walk.hkx 'animations[1]'" }, {}
    for i, one in ipairs(wrong) do
      lines[i + 1] = one[1]
      said[i] = ("scripts/lathe/cli/example.lua:%d: scripts do without the name of a format: %s\n"):format(i + 1, one[2])
    end
    helper.write(folder .. "/scripts/lathe/cli/example.lua", table.concat(lines, "\n") .. "\n")
    local r = check_tree(folder)
    assert.equal(1, r.code)
    assert.equal(table.concat(said), r.err)
  end)

  it("finds includes that point up", function()
    for path, include in pairs {
      ["core/base/bytes.c"] = "record/schema.h",
      ["core/record/view.c"] = "wolfire/wolfire.h",
      ["core/model/mesh.c"] = "record/schema.h",
      ["core/record/doc.c"] = "scene/hooks.h",
      ["core/scene/clip.c"] = "wolfire/wolfire.h",
      ["bindings/module.c"] = "wolfire/wolfire.h",
    } do
      local folder = copy_of_tree()
      assert.is_true(helper.exists(path), path)
      append(folder .. "/" .. path, ('#include "%s"\n'):format(include))
      local r = check_tree(folder)
      assert.equal(1, r.code)
      assert.truthy(r.err:find(path, 1, true), r.err)
    end
  end)
end)

describe("check_symbols", function()
  local function check(folder)
    return helper.run({ "sh", "spec/support/check_symbols.sh", helper.build }, { cwd = folder })
  end

  it("finds nothing in this tree", function()
    assert.equal(0, check(helper.root).code)
  end)

  it("finds a promise that is not kept, and an export that was not promised", function()
    local folder = copy_of_tree()
    local header = helper.read("core/lathe.h")
    helper.write(folder .. "/core/lathe.h", (header:gsub("LATHE_API const char %*lathe_version",
      "LATHE_API int lathe_nothing(\n  int);\nconst char *lathe_version")))
    local r = check(folder)
    assert.equal(1, r.code)
    assert.truthy(r.err:find("< lathe_nothing", 1, true))
    assert.truthy(r.err:find("> lathe_version", 1, true))
  end)
end)

describe("check_unused", function()
  local function check(folder)
    return helper.run("lua5.4 spec/support/check_unused.lua", { cwd = folder, env = { LATHE_BUILD = helper.build } })
  end

  it("finds nothing in this tree", function()
    local r = check(helper.root)
    assert.same({ 0, "" }, { r.code, r.err })
  end)

  it("finds functions that no other file calls, and exceptions that are none", function()
    local folder = copy_of_tree()
    local path = folder .. "/spec/support/check_unused.lua"
    helper.write(path, (helper.read(path):gsub("  rec_lint = ", "  rec_find = ")))
    local r = check(folder)
    assert.equal(1, r.code)
    assert.truthy(r.err:find("core/record/lint.c: no other file refers to rec_lint", 1, true), r.err)
    assert.truthy(r.err:find("rec_find is listed as for tests alone, but used elsewhere", 1, true), r.err)
  end)

  it("finds members, constants and macros that nothing mentions", function()
    local folder = copy_of_tree()
    append(folder .. "/core/base/mem.h",
      "#define NEVER_SAID 1\nenum { NEVER_COUNTED };\nstruct { int never_read; };\nvoid never_called(int a_parameter);\n")
    local r = check(folder)
    assert.equal(1, r.code)
    for _, name in ipairs { "NEVER_SAID", "NEVER_COUNTED", "never_read", "never_called" } do
      assert.truthy(r.err:find("core/base/mem.h: " .. name .. " occurs nowhere else", 1, true), r.err)
    end
    assert.falsy(r.err:find("a_parameter", 1, true))
  end)
end)
