--- Starts the service in a browser or in node: web.c runs this chunk once, and calls its result for every
-- request.
local PATH = "R/scripts/?.lua;R/scripts/?/init.lua;R/web/?.lua;R/web/?/init.lua;R/lib/?.lua"
package.path = PATH:gsub("R", "/lathe")

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
