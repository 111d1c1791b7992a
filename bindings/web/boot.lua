--- Starts the service in a browser or in node: web.c runs this chunk once, and calls its result for every request.
package.path = "/lathe/scripts/?.lua;/lathe/scripts/?/init.lua;/lathe/web/?.lua;/lathe/web/?/init.lua;/lathe/lib/?.lua"

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
