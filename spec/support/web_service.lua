--- Starts the service of the browser page (bindings/web/service) in this process, and asks it by JSON as the worker
-- does. The sandbox of the service stays for good: use it in specs only, each of which has a process of its own.

local helper = require "helper"
local dkjson = require "dkjson"

local M = {}

for _, folder in ipairs { "bindings/web", "scripts", "spec/support" } do -- absolute: a call changes the working folder
  local path = helper.root .. "/" .. folder
  package.path = ("%s/?.lua;%s/?/init.lua;%s"):format(path, path, package.path)
end
package.cpath = helper.build .. "/?.so;" .. package.cpath

M.service = require "service"
M.examples = helper.root .. "/scripts/examples/"
M.root = helper.tmpdir()
M.service.start { root = M.root }

--- The decoded reply, the byte strings, and the events of a request.
function M.ask(name, args, blobs)
  local events = {}
  local reply, bytes = M.service.handle(dkjson.encode { id = "x", name = name, args = args }, blobs or {},
    function(event) events[#events + 1] = dkjson.decode(event) end)
  assert(utf8.len(reply), "a reply is valid UTF-8")
  local decoded = assert(dkjson.decode(reply, 1, dkjson.null))
  assert(decoded.id == "x")
  for _, event in ipairs(events) do assert(event.id == "x") end
  return decoded, bytes, events
end

--- The result of a call that succeeds; byte strings, changes, events.
function M.get(name, args, blobs)
  local reply, bytes, events = M.ask(name, args, blobs)
  assert(reply.ok, reply.error and reply.error.message)
  return reply.result, bytes, reply.changes, events
end

--- The error of a call that fails, and changes.
function M.fail(name, args, blobs)
  local reply, bytes = M.ask(name, args, blobs)
  assert(not reply.ok, name .. " succeeded")
  assert(#bytes == 0)
  return reply.error, reply.changes
end

--- The bytes of a sample file.
function M.sample(file) return helper.read(M.examples .. file) end

--- Opens a sample file, and gives its id.
function M.open(file, name) return M.get("open", { name = name or file }, { M.sample(file) }).document.id end

--- The bytes that a document has now.
function M.encoded(id) return select(2, M.get("encode", { id = id }))[1] end

--- Closes all documents, and removes all files.
function M.close_all()
  for _, document in ipairs(M.get("documents", {}).documents) do M.get("close", { id = document.id }) end
  for _, file in ipairs(M.get("files", {}).files) do M.get("remove", { name = file.name }) end
end

--- A folder with some sample files.
function M.folder_of(...)
  local folder = helper.tmpdir()
  for _, file in ipairs { ... } do helper.write(folder .. "/" .. file, M.sample(file)) end
  return folder
end

--- What the tool prints in a folder: stdout, stderr, exit code.
function M.lathe(folder, words)
  local out, err, quoted = folder .. "/.stdout", folder .. "/.stderr", {}
  for i, word in ipairs(words) do quoted[i] = "'" .. word:gsub("'", "'\\''") .. "'" end
  local _, _, code = os.execute(("cd '%s' && '%s/bin/lathe' %s >.stdout 2>.stderr </dev/null"):format(folder,
    helper.build, table.concat(quoted, " ")))
  local stdout, stderr = helper.read(out), helper.read(err)
  os.remove(out)
  os.remove(err)
  return stdout, stderr, code
end

return M
