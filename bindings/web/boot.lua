--- Starts the service in a browser or in node: web.c runs this chunk once, with the places of lathe's files
-- in the module and a function that compiles one of them. It calls the result for every request.
local places, compile = ...

local PLACES <const> = { "scripts/?.lua", "scripts/?/init.lua", "web/?.lua", "web/?/init.lua", "lib/?.lua" }

-- Lua modules are compiled where they lie in memory, without a file system.
package.path = ""
table.insert(package.searchers, 2, function(name)
  local inner = name:gsub("%.", "/")
  for _, pattern in ipairs(PLACES) do
    local place = pattern:gsub("?", inner)
    if places[place] then return compile(places[place], "@/lathe/" .. place), "/lathe/" .. place end
  end
end)

local core = require "lathe.core"
local lfs = require "lfs"
local service = require "service"

lfs.mkdir "/files"
lfs.chdir "/files"
service.start { root = "/files" }

-- A time limit arrives as Ctrl-C does in the shell.
return function(strings, emit)
  local request = table.remove(strings, 1)
  local ok, reply, blobs = core.catch_interrupt(service.handle, request, strings, emit)
  if not ok then return { service.failed(request, reply) } end
  return { reply, table.unpack(blobs or {}) }
end
