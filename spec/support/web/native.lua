--- Answers the jobs of jobs.lua (standard input) by the service, natively: for each request one line, which node.mjs
-- makes in the same way. usage: lua5.4 native.lua ROOT  (an empty folder)
local json = require "dkjson"
local lfs = require "lfs"
local core = require "lathe.core"
local service = require "service"

local root = arg[1]
lfs.chdir(root)
service.start { root = root }

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local function digest(bytes) return #bytes .. ":" .. core.sha256(bytes):sub(1, 16) end

local id -- of the document that the last `open` gave

local function ask(name, args, blobs)
  local given = {}
  for key, value in pairs(args) do
    if value == "$id" then value = id or 0 end
    given[key] = value
  end
  local reply, got = service.handle(json.encode { id = 1, name = name, args = given }, blobs or {}, function() end)
  reply = json.decode(reply)
  if name == "open" then id = reply.ok and reply.result.document.id or nil end
  return reply, got or {}
end

local out = io.stdout
for line in io.stdin:lines() do
  local job = json.decode(line)
  for _, name in ipairs(job.beside) do ask("put", { name = name }, { read(job.folder .. "/" .. name) }) end
  for _, file in ipairs(job.files) do
    for _, request in ipairs(file.requests) do
      local reply, blobs = ask(request.name, request.args)
      local parts = { reply.ok and tostring(reply.result.code or "ok") or "refused: " .. reply.error.message }
      for i, bytes in ipairs(blobs) do parts[i + 1] = digest(bytes) end
      out:write(json.encode(table.concat(parts, " ")), "\n")
      if request.remove then ask("remove", { name = request.args.name }) end
    end
  end
  for _, name in ipairs(job.beside) do ask("remove", { name = name }) end
  lfs.rmdir "scaled" -- node.mjs begins each folder with a lathe of its own
end
