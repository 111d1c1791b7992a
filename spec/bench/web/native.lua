-- Opens and encodes files natively by the calls that the page makes: lua5.4 native.lua ROOT <LIST_OF_FILES
-- Prints of each file that lathe opens: its path, and the least number of milliseconds.
local lfs = require "lfs"
local json = require "dkjson"
local service = require "service"

local ROUNDS <const> = 7

local here = lfs.currentdir()
lfs.chdir(arg[1])
service.start { root = arg[1] }

local function ask(name, args, blobs)
  local reply, got = service.handle(json.encode { id = 1, name = name, args = args }, blobs or {})
  return json.decode(reply), got
end

for path in io.lines() do
  local file <close> = assert(io.open(path:find "^/" and path or here .. "/" .. path, "rb"))
  local bytes, name, least = file:read "a", path:match "[^/]*$", math.huge
  for _ = 1, ROUNDS do
    local start = os.clock()
    local reply = ask("open", { name = name }, { bytes })
    if not reply.ok then break end
    ask("encode", { id = reply.result.document.id })
    least = math.min(least, os.clock() - start)
    ask("close", { id = reply.result.document.id })
  end
  if least < math.huge then print(("%s\t%.4f"):format(path, least * 1000)) end
end
