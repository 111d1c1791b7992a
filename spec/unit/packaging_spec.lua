-- What reaches a user's disk: the rock, `make install`, lathe.pc, and one version everywhere.
-- #tools: these run compilers, make and LuaRocks, which sanitizers cannot be loaded into.

local helper = require "helper"

local function must(command, opts)
  opts = opts or {}
  opts.timeout = opts.timeout or 1200 -- only what hangs: machines may be slow
  local r = helper.run(command, opts)
  assert(r.code == 0, ("%s\nexit %d\n%s%s"):format(
    type(command) == "table" and table.concat(command, " ") or command, r.code, r.out, r.err))
  return r
end

local function all_files(folder)
  local list = {}
  for path in must({ "find", folder, "-not", "-type", "d" }).out:gmatch("[^\n]+") do
    list[#list + 1] = path:sub(#folder + 2)
  end
  table.sort(list)
  return list
end

local function header_version()
  return helper.read("core/lathe.h"):match('#define LATHE_VERSION "([^"]+)"')
end

-- As for a user: nothing of this tree on any path.
local clean = { LUA_PATH = false, LUA_CPATH = false, LUA_PATH_5_4 = false, LUA_CPATH_5_4 = false,
                LATHE_BUILD = false, PKG_CONFIG_PATH = false }

local function environment(changes)
  local env = {}
  for name, value in pairs(clean) do env[name] = value end
  for name, value in pairs(changes) do env[name] = value end
  return env
end

describe("version", function()
  local version = header_version()

  it("is three numbers, in the header", function()
    assert.truthy(version and version:match("^%d+%.%d+%.%d+$"))
  end)

  it("is the same in the module and in the tool", function()
    assert.equal(version, require("lathe").VERSION)
    assert.equal(version, helper.lathe({ "--version" }).out:match("%d+%.%d+%.%d+"))
  end)

  it("is the newest in the changelog", function()
    assert.equal(version, helper.read("CHANGELOG.md"):match("\n## (%d+%.%d+%.%d+)"))
  end)

  it("is in no rockspec that is newer than the header", function()
    local function number(v)
      local a, b, c = v:match("^(%d+)%.(%d+)%.(%d+)$")
      return (tonumber(a) * 1000 + tonumber(b)) * 1000 + tonumber(c)
    end
    for _, name in ipairs(helper.list("rocks", "%.rockspec$")) do
      local inside = helper.read("rocks/" .. name):match('\nversion = "([^"]+)"')
      assert.equal(name, "lathe-" .. inside .. ".rockspec")
      local released = inside:match("^(%d+%.%d+%.%d+)%-%d+$")
      if released then assert.is_true(number(released) <= number(version)) end
    end
  end)
end)

-- Copies an example script with its samples, and runs it by its name.
local function runs_examples(tool)
  local folder = helper.tmpdir()
  must({ tool, "examples", "slow-idles", "-o", "." }, { cwd = folder, env = clean })
  assert.same({ "idle_breathe.hkx", "slow_idles.lua", "wave.hkx" }, helper.list(folder))
  local r = must({ tool, "run", "@slow-idles", ".", "-o", "slow" }, { cwd = folder, env = clean })
  assert.matches("idle_breathe.hkx: 2.5 s, was 2 s", r.err, 1, true)
end

describe("the rock #tools #slow", function()
  it("installs into an empty tree, works from / and leaves nothing", function()
    local tree = helper.tmpdir()
    -- Debian's own copies of what lathe needs: LuaRocks cannot see them. And -O0, because -O2 takes twice as long.
    local config = helper.write(helper.tmpdir() .. "/config.lua", [[
rocks_provided = { luafilesystem = "1.8.0-1", argparse = "0.7.1-1", dkjson = "2.6-1" }
variables = { CFLAGS = "-O0 -fPIC" }
]])
    local env = environment { LUAROCKS_CONFIG = config }
    must({ "luarocks-5.4", "make", "--tree", tree, "rocks/lathe-dev-1.rockspec" }, { env = env })

    local tool = must({ tree .. "/bin/lathe", "--version" }, { cwd = "/", env = clean })
    assert.equal(header_version(), tool.out:match("%d+%.%d+%.%d+"))
    runs_examples(tree .. "/bin/lathe")

    local paths = must({ "luarocks-5.4", "path", "--tree", tree }, { env = env }).out
    local module = must(paths .. [[
lua5.4 -e 'local l = require "lathe"; print(l.VERSION, package.searchpath("lathe.core", package.cpath))']],
      { cwd = "/", env = clean })
    assert.equal(header_version(), module.out:match("^%S+"))
    assert.truthy(module.out:find(tree, 1, true))

    must({ "luarocks-5.4", "remove", "--tree", tree, "lathe" }, { env = env })
    assert.same({ "lib/luarocks/rocks-5.4/manifest" }, all_files(tree))
  end)
end)

describe("make install #tools #slow", function()
  local make = { "make", "--no-print-directory", "-s", "BUILD=" .. helper.build }
  local function run_make(...)
    local words = table.move({ ... }, 1, select("#", ...), #make + 1, table.move(make, 1, #make, 1, {}))
    return must(words, { env = environment { CFLAGS = false } })
  end

  it("puts everything below DESTDIR, and uninstall takes it all away", function()
    local root = helper.tmpdir()
    run_make("install", "DESTDIR=" .. root, "PREFIX=/usr")
    local files = {}
    for _, path in ipairs(all_files(root)) do files[path] = true end
    local version = header_version()
    for _, path in ipairs {
      "usr/bin/lathe", "usr/include/lathe.h", "usr/lib/liblathe.a", "usr/lib/liblathe.so",
      "usr/lib/liblathe.so." .. version, "usr/lib/pkgconfig/lathe.pc", "usr/lib/pkgconfig/lathe-static.pc",
      "usr/lib/lua/5.4/lathe/core.so", "usr/share/lua/5.4/lathe/init.lua",
      "usr/share/lua/5.4/lathe/examples/slow_idles.lua", "usr/share/man/man1/lathe.1", "usr/share/man/man1/lathe-trim.1",
      "usr/share/bash-completion/completions/lathe", "usr/share/zsh/site-functions/_lathe",
      "usr/share/fish/vendor_completions.d/lathe.fish",
    } do
      assert.is_true(files[path], path .. " is not installed")
    end
    local samples = root .. "/usr/share/lathe/examples"
    assert.same(helper.list("scripts/examples"), helper.list(samples)) -- a link, which leads to them below DESTDIR, too
    assert.equal(helper.read "scripts/examples/stock.nif", helper.read(samples .. "/stock.nif"))
    if helper.read "build/viewer/viewer.js" then
      local viewer = root .. "/usr/share/lathe/viewer"
      assert.same({ "LICENSE.three", "page.html", "viewer.css", "viewer.js" }, helper.list(viewer))
      assert.matches("three%.js.*MIT License", helper.read(viewer .. "/LICENSE.three"))
    end
    run_make("uninstall", "DESTDIR=" .. root, "PREFIX=/usr")
    assert.same({}, all_files(root))
  end)

  it("gives a tool that finds its modules from any prefix", function()
    local prefix = helper.tmpdir()
    run_make("install", "PREFIX=" .. prefix, "LUADIR=" .. prefix .. "/odd/lua",
      "LUALIBDIR=" .. prefix .. "/odd/c")
    local r = must({ prefix .. "/bin/lathe", "--version" }, { cwd = "/", env = clean })
    assert.equal(header_version(), r.out:match("%d+%.%d+%.%d+"))
    runs_examples(prefix .. "/bin/lathe")
    run_make("uninstall", "PREFIX=" .. prefix, "LUADIR=" .. prefix .. "/odd/lua",
      "LUALIBDIR=" .. prefix .. "/odd/c")
    assert.same({}, all_files(prefix))
  end)

  -- The library, found through pkg-config alone, where DESTDIR has moved it. `shared`: the program needs liblathe.so.
  local function link_and_run(package, libdir, shared)
    local root, out = helper.tmpdir(), helper.tmpdir()
    run_make("install-lib", "DESTDIR=" .. root, "PREFIX=/opt/lathe", "LIBDIR=/opt/lathe/" .. libdir)
    local source = helper.write(out .. "/version.c", [[
#include <lathe.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    puts(lathe_version());
    return strcmp(lathe_version(), LATHE_VERSION) != 0;
}
]])
    local lib = root .. "/opt/lathe/" .. libdir
    local env = environment { PKG_CONFIG_PATH = lib .. "/pkgconfig", LD_LIBRARY_PATH = lib }
    assert.equal(header_version() .. "\n", must("pkg-config --modversion " .. package, { env = env }).out)
    must(("gcc -Wall -Werror %s -o %s/version $(pkg-config --cflags --libs %s)"):format(source, out, package), { env = env })
    local needed = must({ "readelf", "-d", out .. "/version" }).out
    assert.equal(shared, needed:find("NEEDED[^\n]*liblathe") ~= nil)
    assert.equal(header_version() .. "\n", must({ out .. "/version" }, { env = env }).out)
  end

  it("gives a shared library that pkg-config finds", function()
    link_and_run("lathe", "lib", true)
    link_and_run("--static lathe", "lib", true)
  end)

  it("gives a static library, in a multiarch folder too", function()
    link_and_run("lathe-static", "lib/x86_64-linux-gnu", false)
  end)
end)
