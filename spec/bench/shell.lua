-- The command line: what workers gain, what they cost small batches, and how long it takes to start. Ratios of processes
-- that ran in turn, so that a busy machine slows both.

local build = os.getenv "LATHE_BUILD" or "build"
local root = assert(io.popen "pwd"):read "l"
local tool = ("%s/scripts/bin/lathe"):format(root)
local preload = ("package.preload['lathe.core'] = package.loadlib(%q, 'luaopen_lathe_core')"):format(
  (build:find "^/" and build or root .. "/" .. build) .. "/lathe/core.so")
local lathe = ('lua5.4 -e "%s" %s'):format(preload:gsub('"', '\\"'), tool)
local folder = assert(io.popen "mktemp -d"):read "l"

package.path = ("%s/scripts/?.lua;%s/scripts/?/init.lua;%s"):format(root, root, package.path)
load(preload)()
local seconds = require("lathe.core").process.seconds

-- A solid of n vertices on a spiral, and as many triangles: nothing that `check` warns about.
local function solid(n)
  local vertices, triangles = {}, {}
  for i = 1, n do
    vertices[i] = (">fff"):pack(i * math.cos(i), i * math.sin(i), i)
    local a, b, c = i - 1, i % n, (i + 1) % n
    triangles[i] = (">i2i2i2i2i2i2"):pack(a, b, b, c, c, 0) .. (">ffffff"):pack(0, 1, 0, 0, 0, 1)
  end
  return (">i2i2"):pack(n, n) .. table.concat(vertices) .. table.concat(triangles)
end

local function write(path, bytes)
  local f <close> = assert(io.open(path, "wb"))
  assert(f:write(bytes))
end

local function time(command)
  local start = seconds()
  assert(os.execute(command .. " >/dev/null 2>&1"))
  return seconds() - start
end

-- The shortest times of several commands, which run in turn.
local function fastest(times, commands)
  local best = {}
  for _ = 1, times do
    for i, command in ipairs(commands) do best[i] = math.min(best[i] or math.huge, time(command)) end
  end
  return table.unpack(best)
end

local function line(what, value, unit) print(("  %-52s %10.2f %s"):format(what, value, unit)) end

assert(os.execute(("mkdir %s/large %s/small"):format(folder, folder)))
for i = 1, 32 do write(("%s/large/%02d.solid"):format(folder, i), solid(8000)) end
for i = 1, 10 do write(("%s/small/%02d.solid"):format(folder, i), solid(10)) end

print "lathe -j"
local command = ("%s check %s/large -j %%d"):format(lathe, folder)
local one, two = fastest(3, { command:format(1), command:format(2) })
line("check of 32 files: -j 2 against -j 1 (2 processors)", one / two, "x as fast")
line("", one, "s with -j 1")
command = ("%s scale 2 %s/small -n -j %%d"):format(lathe, folder)
one, two = fastest(30, { command:format(1), command:format(2) })
line("10 small files: -j 2 against -j 1", two / one, "x the time")

print "start-up"
local bare, info = fastest(40, { "lua5.4 -e ''", ("%s info %s/small/01.solid"):format(lathe, folder) })
line("lathe info of a small file, over lua5.4 -e ''", (info - bare) * 1e3, "ms")

os.execute("rm -rf " .. folder)
