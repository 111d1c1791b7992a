--- Answers the calls by name of the browser page and of node: see bindings/web/README.md.
-- @module service

local core = require "lathe.core"
local lfs = require "lfs"
local json = require "service.json"
local limits = require "lathe.cli.sandbox.limits"
local out = require "lathe.cli.out"
local refuse = require "service.refuse"
local rights = require "service.rights"
local store = require "service.store"

local service = {}

-- The modules with the calls. They are loaded when they are needed: they need most of lathe's scripts.
local MODULES <const> = {
  documents = {
    "about", "open", "put", "files", "file", "remove", "close", "documents", "encode", "save", "save_all",
  },
  look = { "info", "dump", "get", "check", "diff", "picture" },
  rows = { "tree", "row" },
  change = { "set", "insert", "delete", "undo", "redo", "steps" },
  verbs = { "verbs", "apply", "convert", "export" },
  imports = { "import" },
  names = { "names" },
  search = { "search" },
  prompt = { "prompt", "abandon", "history", "complete" },
  scripts = { "examples", "run", "command" },
  prepare = { "prepare" },
}

local module_of = {}
for name, calls in pairs(MODULES) do
  for _, call in ipairs(calls) do module_of[call] = "service." .. name end
end

local function dispatch(name, args, blobs, emit)
  return require(module_of[name]).calls[name](args, blobs, emit)
end

--- Starts the service. Call it once, before any other code keeps functions of Lua.
-- @tparam table options `root`: the folder of the files
function service.start(options)
  limits.guard()
  store.root = core.real_path(options.root)
  rights.start(store.root)
end

-- Errors of lathe's own code keep their traceback; what was raised on purpose is a table.
local function handler(err)
  if type(err) == "table" or limits.stopping() or err == "not enough memory" then return err end
  return debug.traceback(tostring(err), 2)
end

local function run(...)
  local results = table.pack(xpcall(dispatch, handler, ...))
  return table.unpack(results, 1, results.n) -- no tail call: a pending interrupt is raised here at the latest
end

-- Calls a function, and stops it as Ctrl-C does in the shell.
local function guarded(name, args, blobs, emit)
  local here = lfs.currentdir()
  assert(lfs.chdir(store.root)) -- elsewhere, a call could remove files that are not its own
  rights.host()
  local results = table.pack(core.catch_interrupt(run, name, args, blobs, emit))
  rights.host()
  out.keep(nil)
  if results[1] then table.remove(results, 1) end -- whether it was interrupted
  local changes = store.changes(args.label or "a change")
  lfs.chdir(here)
  return results, changes
end

--- Answers a call.
-- @tparam string name
-- @tparam[opt] table args
-- @tparam[opt] {string,...} blobs
-- @tparam[opt] function emit (event): is called with a table for each event
-- @treturn ?table the result
-- @return byte strings; or the error, a table
-- @treturn ?table which documents changed
function service.call(name, args, blobs, emit)
  if not module_of[name] then
    local called = type(name) == "string" and ("unknown call '%s'"):format(name) or "a call without a name"
    return nil, { code = "usage", message = called }
  end
  args = args == nil and {} or args
  if type(args) ~= "table" then return nil, { code = "usage", message = "'args' must be an object" } end
  args.label = nil -- what the call names its step of undo, which no request does
  local results, changes = guarded(name, args, blobs or {}, emit or function() end)
  if results[1] and results[2] then return results[2], results[3] or {}, changes end
  return nil, refuse.told(results[1] and results[3] or results[2]), changes
end

-- The request of a JSON text; {} if it is none.
local function request_of(source)
  local request = json.decode(source)
  return type(request) == "table" and request or {}
end

--- Answers a request.
-- @tparam string source JSON
-- @tparam {string,...} blobs
-- @tparam[opt] function emit (JSON text): is called for each event
-- @treturn string JSON
-- @treturn {string,...} byte strings
function service.handle(source, blobs, emit)
  local request = request_of(source)
  local function send(event)
    event.id = request.id
    if emit then emit(json.encode(event)) end
  end
  local result, more, changes = service.call(request.name, request.args, blobs, send)
  if not result then
    return json.encode { id = request.id, ok = false, error = more, changes = changes }, {}
  end
  local reply = { id = request.id, ok = true, result = json.object(result), changes = changes }
  return json.encode(reply), more
end

--- The reply to a request that was stopped outside of `handle`.
-- @tparam string source JSON
-- @param why what was raised
-- @treturn string JSON
function service.failed(source, why)
  return json.encode { id = request_of(source).id, ok = false, error = refuse.told(why) }
end

return service
