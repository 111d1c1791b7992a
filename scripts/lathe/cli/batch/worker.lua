--- A worker process: works on the files that the main process hands out, and sends what it would print, and
-- the results, back through a pipe. Its command line is that of the main process, after `--worker ID`.
--
-- A message to the main process is a letter and bytes: output (the letters of `out.replay`), "r": the
-- worker is ready, "d": a file is done, "u": the worker cannot work. A message to the worker is a plain value
-- (`lathe.cli.batch.plain`): first the settings, then one for each file.
-- @module lathe.cli.batch.worker

local core = require "lathe.core"

local worker = {}

--- The word that begins the command line of a worker.
worker.WORD = "--worker"

--- The largest number of workers.
worker.MOST = 64

--- A file is worked on beside others only while this many times their sizes is below a limit, because that
-- is the memory that they may need.
worker.MEMORY_PER_BYTE = 32
worker.MOST_MEMORY = 2 << 30

local command -- the command line of this program, as in the global `arg`

--- Remembers how the program was started.
-- @tparam {string,...} argv the global `arg`, with the interpreter and its options at negative indexes
function worker.set_command(argv) command = argv end

--- How the program was started; nil if it was not started as a program.
-- @treturn ?table
function worker.command()
  return command and command[-1] and command[0] and command or nil
end

local MOST_WAITING = 1 << 15 -- bytes of output that are collected before they are sent

local state = { channel = nil, settings = nil, serving = false, last = "",
  messages = {}, kind = nil, parts = {}, size = 0 } -- not sent yet: messages, and the parts of the last one

--- Whether this process is a worker.
-- @treturn boolean
function worker.is_one() return state.channel ~= nil end

--- What the main process sent first.
-- @treturn table
function worker.settings() return state.settings end

local function receive()
  local size = state.channel:read(4)
  local bytes = size and state.channel:read((("<I4"):unpack(size)))
  if not bytes then return nil end
  return require("lathe.cli.batch.plain").unpack(bytes)
end

-- Completes the message that bytes were added to.
local function close_message()
  if not state.kind then return end
  local bytes = table.concat(state.parts)
  state.messages[#state.messages + 1] = ("<c1s4"):pack(state.kind, bytes)
  state.kind, state.parts = nil, {}
end

local function flush()
  close_message()
  if #state.messages == 0 then return end
  local bytes = table.concat(state.messages)
  state.messages, state.size = {}, 0
  if not state.channel:write(bytes) then os.exit(1) end -- the main process has ended
end

-- Adds a message. Output of one kind becomes one message.
local function add(kind, bytes)
  if kind ~= state.kind then close_message() end
  state.kind = kind
  state.parts[#state.parts + 1] = bytes
  state.size = state.size + #bytes
  if state.size >= MOST_WAITING then flush() end
end

-- ---- output --------------------------------------------------------------------------------------

-- Files that take what a trusted script writes to stdout and stderr without lathe.
local raw = {}

local function capture()
  for kind, number in pairs { o = 1, s = 2 } do
    local file = io.tmpfile()
    if file and core.process.redirect(file, number) then
      raw[#raw + 1] = { kind = kind, file = file, stream = number == 1 and io.stdout or io.stderr }
    end
  end
end

-- Adds what was written to these files.
local function take_raw()
  for _, one in ipairs(raw) do
    one.stream:flush()
    if one.file:seek "end" > 0 then
      one.file:seek "set"
      local bytes = one.file:read "a"
      core.truncate(one.file)
      one.file:seek "set"
      add(one.kind, bytes)
    end
  end
end

-- Output before the first file is that which the main process has already written.
local function sink(kind, bytes)
  if not state.serving then
    state.last = bytes
    return
  end
  if #raw > 0 then take_raw() end
  add(kind, bytes)
  if kind == "f" then close_message() end -- one folder each
end

-- ---- running -------------------------------------------------------------------------------------

--- Works on files until the main process sends no more.
-- @tparam function work function(request) -> a plain value, the result
-- @tparam boolean trusted whether the work may write to stdout and stderr without lathe
function worker.serve(work, trusted)
  local pack = require("lathe.cli.batch.plain").pack
  if trusted then capture() end
  add("r", "")
  flush()
  for request in receive do
    state.serving = true
    local record = assert(pack(work(request)))
    take_raw()
    state.serving = false
    add("d", record)
    flush()
  end
  state.last = nil
end

--- Runs a command as a worker.
-- @tparam {string,...} argv
-- @tparam function dispatch function(argv), runs the command
-- @treturn integer the exit code
function worker.main(argv, dispatch)
  local out = require "lathe.cli.out"
  local parent = math.tointeger(tonumber(argv[2]))
  state.channel = parent and core.process.join(parent)
  state.settings = state.channel and receive()
  if not state.settings then
    out.message("lathe: " .. worker.WORD .. " is for lathe itself")
    return 2
  end
  out.send_to(sink, state.settings.output)
  require("lathe.cli.batch.folders").set_missing(state.settings.missing)
  dispatch(table.move(argv, 3, #argv, 1, {}))
  if state.last then
    add("u", state.last)
    flush()
  end
  return 0
end

return worker
