-- The checks of `make check` see what they are for: each is shown a copy of the tree with one thing wrong.
-- #tools: they run no code of lathe that sanitizers could look into.

local helper = require "helper"

local function copy_of_tree()
  local folder = helper.tmpdir()
  assert(helper.run({ "cp", "-r", "core", "bindings", "scripts", "spec", folder }).code == 0)
  return folder
end

local function append(path, text)
  helper.write(path, helper.read(path) .. text)
end

local function check_tree(folder, build)
  local preload = helper.preload and "LD_PRELOAD=" .. helper.quote(helper.preload) .. " " or ""
  return helper.run(preload .. "lua5.4 spec/support/check_tree.lua", {
    cwd = folder,
    env = {
      LUA_PATH_5_4 = helper.root .. "/scripts/?.lua;" .. helper.root .. "/scripts/?/init.lua;;",
      LUA_CPATH_5_4 = helper.build .. "/?.so;;",
      LATHE_BUILD = build or helper.build,
    },
  })
end

-- The scripts as they are and made-up sources, with an object of each: { ["core/base/a.c"] = "text" }.
local function made_up_tree(files)
  local folder = helper.tmpdir()
  helper.run({ "mkdir", "-p", folder .. "/spec/support" })
  helper.run({ "cp", "-r", "scripts", folder })
  helper.run({ "cp", "-r", "spec/support/check_tree.lua", "spec/support/format_names.lua", "spec/support/tree",
    folder .. "/spec/support" })
  files["bindings/none.c"] = "typedef int none;\n"
  for path, text in pairs(files) do
    local build = "build/obj/" .. path:match("^(.*)/")
    helper.run({ "mkdir", "-p", folder .. "/" .. path:match("^(.*)/"), folder .. "/" .. build })
    helper.write(folder .. "/" .. path, text)
  end
  for path in pairs(files) do
    if path:match("%.c$") then
      local object = ("build/obj/%s.o"):format(path:sub(1, -3))
      assert.equal("", helper.run({ "gcc", "-Icore", "-c", path, "-o", object }, { cwd = folder }).err)
    end
  end
  return folder
end

describe("check_tree #tools", function()
  it("finds nothing in this tree", function()
    local r = check_tree(helper.root)
    assert.same({ 0, "" }, { r.code, r.err })
  end)

  it("finds a format's name in bindings", function()
    local folder, names = copy_of_tree(), {}
    for _, format in ipairs(require("lathe").formats()) do
      -- doc:save, what = "geometry": the contract has the words, too.
      if format.name ~= "save" and format.name ~= "geometry" then
        names[#names + 1] = format.name
        append(folder .. "/bindings/module.c", "/* as in " .. format.name .. " */\n")
      end
    end
    local r = check_tree(folder)
    assert.equal(1, r.code)
    for _, name in ipairs(names) do
      assert.truthy(r.err:find("bindings/module.c:%d+:/%* as in " .. name), name)
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
    local folder = copy_of_tree()
    local includes = {
      ["core/base/bytes.c"] = "record/schema.h",
      ["core/record/view.c"] = "wolfire/wolfire.h",
      ["core/model/mesh.c"] = "record/schema.h",
      ["core/record/doc.c"] = "scene/hooks.h",
      ["core/scene/clip.c"] = "wolfire/wolfire.h",
      ["bindings/module.c"] = "wolfire/wolfire.h",
    }
    for path, include in pairs(includes) do
      assert.is_true(helper.exists(path), path)
      append(folder .. "/" .. path, ('#include "%s"\n'):format(include))
    end
    local r = check_tree(folder)
    assert.equal(1, r.code)
    for path, include in pairs(includes) do
      local said = ("%s must not include %s\n"):format(path:match("^(.*)/"), include)
      local from, to = r.err:find(path .. ":", 1, true)
      assert.truthy(from, path)
      assert.truthy(r.err:find(said, to, true), r.err)
    end
  end)
end)

describe("check_tree #tools", function()
  local packfile = { ["core/havok/packfile/data.h"] = "int hk_data(int n);\n",
    ["core/havok/packfile/data.c"] = '#include "havok/packfile/data.h"\nint hk_data(int n) { return n; }\n' }
  local animation = { ["core/havok/animation/clip.h"] = "int hk_clip(int n);\nextern int hk_clips;\n",
    ["core/havok/animation/clip.c"] = '#include "havok/animation/clip.h"\nint hk_clips;\n' ..
      "int hk_clip(int n) { return n + 1; }\n" }

  local function check(...)
    local files = {}
    for _, some in ipairs { ... } do
      for path, text in pairs(some) do files[path] = text end
    end
    local folder = made_up_tree(files)
    return check_tree(folder, folder .. "/build")
  end

  local function refuses(r, ...)
    assert.equal(1, r.code)
    local n = 0
    for _ in r.err:gmatch("[^\n]+") do n = n + 1 end
    for _, text in ipairs { ... } do assert.truthy(r.err:find(text, 1, true), r.err) end
    assert.equal(select("#", ...), n, r.err)
  end

  it("has nothing against what lies below", function()
    local r = check(packfile, animation, {
      ["core/havok/animation/made/take.c"] = '#include "havok/animation/clip.h"\n#include "havok/packfile/data.h"\n' ..
        "int hk_take(void);\nint hk_take(void) { return hk_clip(hk_data(hk_clips)); }\n",
    })
    assert.same({ 0, "" }, { r.code, r.err })
  end)

  it("refuses an include of a room above, and of one beside", function()
    refuses(check(packfile, animation, {
      ["core/havok/packfile/up.c"] = '#include "havok/animation/clip.h"\ntypedef int none;\n',
      ["core/havok/animation/beside.c"] = '#include "havok/packfile/data.h"\ntypedef int none;\n',
    }), "core/havok/packfile/up.c:1: core/havok/packfile must not include havok/animation/clip.h",
      "core/havok/animation/beside.c:1: core/havok/animation must not include havok/packfile/data.h")
  end)

  it("refuses a prototype that is copied in place of an include, and what is used by it", function()
    refuses(check(packfile, animation, {
      ["core/havok/packfile/up.c"] = "/* int hk_clip(int n); */\nint hk_clip(int n);\nextern int hk_clips;\n" ..
        "int hk_up(void) { return hk_clip(hk_clips); }\n",
    }), "core/havok/packfile/up.c: core/havok/packfile must not use hk_clip of core/havok/animation/clip.c",
      "core/havok/packfile/up.c: core/havok/packfile must not use hk_clips of core/havok/animation/clip.c",
      "core/havok/packfile/up.c:2: hk_clip is declared here, and defined in core/havok/animation/clip.c",
      "core/havok/packfile/up.c:3: hk_clips is declared here, and defined in core/havok/animation/clip.c")
  end)

  it("refuses such a prototype in the same room, too", function()
    refuses(check(packfile, {
      ["core/havok/packfile/open.c"] = "int hk_data(int);\nint hk_open(void) { return hk_data(2); }\n",
    }), "core/havok/packfile/open.c:1: hk_data is declared here, and defined in core/havok/packfile/data.c")
  end)

  it("refuses a header that declares what a room above has", function()
    refuses(check(animation, {
      ["core/havok/packfile/up.h"] = "#define HK_UP(n) \\\n    hk_clip(n)\nint\nhk_clip(int n);\n",
    }), "core/havok/packfile/up.h:3: hk_clip is declared here, and defined in core/havok/animation/clip.c: " ..
      "it belongs in a header of core/havok/animation")
  end)

  it("refuses files that call each other in a circle, however long, unless a line says why", function()
    local function calls(name, other)
      return { [("core/base/%s.c"):format(name)] =
        ('#include "base/all.h"\nint %s(int n) { return n ? %s(n - 1) : 0; }\n'):format(name, other) }
    end
    local all = { ["core/base/all.h"] = "int a(int n);\nint b(int n);\nint c(int n);\nint d(int n);\n" }
    local r = check(all, calls("a", "b"), calls("b", "c"), calls("c", "a"), calls("d", "a"))
    refuses(r, "3 files call each other in a circle: core/base/a.c core/base/b.c core/base/c.c",
      "core/base/a.c calls b of core/base/b.c, that c of core/base/c.c, that a of core/base/a.c")
    assert.equal(0, check(all, calls("a", "b"), calls("b", "c"), calls("c", "d"), calls("d", "d")).code)

    local folder = made_up_tree {
      ["core/base/all.h"] = all["core/base/all.h"],
      ["core/base/a.c"] = calls("a", "b")["core/base/a.c"], ["core/base/b.c"] = calls("b", "a")["core/base/b.c"],
    }
    helper.write(folder .. "/spec/support/tree/known_cycles.lua",
      'return { { folder = "core/base", why = "a test", "a", "b" } }\n')
    assert.equal(0, check_tree(folder, folder .. "/build").code)
  end)

  it("refuses sources without an object", function()
    local folder = made_up_tree { ["core/base/a.h"] = "int a(void);\n" }
    helper.write(folder .. "/core/base/a.c", "int a(void) { return 0; }\n")
    refuses(check_tree(folder, folder .. "/build"),
      "core/base/a.c: it was not built: what it uses cannot be looked at")
  end)
end)

describe("check_symbols #tools", function()
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

describe("check_unused #tools", function()
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
