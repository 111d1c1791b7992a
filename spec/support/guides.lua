--- The pages whose examples are run: README.md and the guides.

local helper = require "helper"

local guides = {}

--- The paths of all pages, from the top of the tree.
function guides.pages()
  local list = { "README.md" }
  for _, name in ipairs(helper.list("scripts/guides", "%.md$")) do list[#list + 1] = "scripts/guides/" .. name end
  return list
end

--- The blocks of code of a page: { kind =, line =, text =, skip =, needs =, viewer =, parted = }.
function guides.blocks(path)
  local blocks, block, number, skip, needs, viewer = {}, nil, 0, false, nil, nil
  for line in (helper.read(path) .. "\n"):gmatch("([^\n]*)\n") do
    number = number + 1
    local fence = line:match("^%s*```(.*)$")
    if fence and not block then
      block = { kind = fence, line = number, text = {}, skip = skip, needs = needs, viewer = viewer }
      skip, needs, viewer = false, nil, nil
    elseif fence then
      blocks[#blocks + 1] = block
      block = nil
    elseif block then
      table.insert(block.text, line)
    elseif line:match("^<!%-%- not run:") then
      skip = true
    elseif line:match("^<!%-%- of the corpus:") then
      needs = line:match(": (%S+) %-%->")
    elseif line:match("^<!%-%- with the viewer") then
      viewer = true
    elseif line:match("%S") then
      -- Prose between a program and a ```text block parts them, unless it ends in a colon.
      local last = blocks[#blocks]
      if last and not line:match(":%s*$") then last.parted = true end
    end
  end
  for _, b in ipairs(blocks) do b.text = table.concat(b.text, "\n") .. "\n" end
  return blocks
end

--- The pictures that a page shows: their paths from the top of the tree.
function guides.pictures(path)
  local list, folder = {}, path:match "^(.*/)" or ""
  for _, line in ipairs(guides.prose(path)) do
    for target in line:gmatch "!%[[^%]]*%]%(([^)]*)%)" do list[#list + 1] = folder .. target end
  end
  return list
end

--- The lines of a page; those of its blocks of code are empty.
function guides.prose(path)
  local lines, inside = {}, false
  for line in io.lines(path) do
    local fence = line:match "^```"
    lines[#lines + 1] = (fence or inside) and "" or line
    if fence then inside = not inside end
  end
  return lines
end

-- The compiler and flags that the build was made with: with others, `make install` would build again.
local function made_with()
  local flags = helper.read(helper.build .. "/flags")
  return flags:match "^(.-) %-std=c11"
end

--- Installs the build in a new folder, and gives that with the environment of somebody who uses it.
-- Sanitizers cannot be loaded into make: then the tree stands in.
function guides.install()
  local prefix = helper.tmpdir()
  local env = { NO_COLOR = "1", HOME = "/nonexistent", LC_ALL = "C.UTF-8",
    LATHE_BUILD = false, LUA_PATH = false, LUA_CPATH = false,
    PATH = prefix .. "/bin:" .. os.getenv "PATH", PKG_CONFIG_PATH = prefix .. "/lib/pkgconfig",
    LUA_PATH_5_4 = ("%s/share/lua/5.4/?.lua;%s/share/lua/5.4/?/init.lua;;"):format(prefix, prefix),
    LUA_CPATH_5_4 = prefix .. "/lib/lua/5.4/?.so;;" }
  if helper.preload then
    local root, build = helper.root, helper.build
    for _, link in ipairs { { "share/lua/5.4/lathe", root .. "/scripts/lathe" }, { "lib/lua/5.4/lathe", build .. "/lathe" },
      { "share/lathe/examples", root .. "/scripts/examples" } } do
      helper.run { "mkdir", "-p", prefix .. "/bin", (prefix .. "/" .. link[1]:match "^(.*)/") }
      helper.run { "ln", "-s", link[2], prefix .. "/" .. link[1] }
    end
    local module = ("package.preload['lathe.core'] = package.loadlib(%q, 'luaopen_lathe_core')"):format(
      build .. "/lathe/core.so")
    helper.write(prefix .. "/bin/lathe", ("#!/bin/sh\nLD_PRELOAD=%s exec lua5.4 -e %s %s/scripts/bin/lathe \"$@\"\n"):format(
      helper.quote(helper.preload), helper.quote(module), root))
    helper.run { "chmod", "+x", prefix .. "/bin/lathe" }
  else
    local r = helper.run({ "make", "--no-print-directory", "-s", "BUILD=" .. helper.build, "CC=" .. made_with(),
      "PREFIX=" .. prefix, "install" }, { env = { CFLAGS = false, LD_PRELOAD = false }, timeout = 300 })
    assert(r.code == 0, r.out .. r.err)
  end
  return prefix, env
end

return guides
