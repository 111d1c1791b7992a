--- Output: results to stdout, everything else to stderr; colour and progress only on terminals. Names of
-- files and messages can contain anything, so control sequences are escaped.
-- @module lathe.cli.out

local core = require "lathe.core"
local json = require "lathe.tree.json"
local text = require "lathe.tree.text"

local out = {}

local STYLES = { bold = "1", dim = "2", red = "31", green = "32", yellow = "33" }

local COLUMNS, FEWEST = 100, 60
local ROWS, FEWEST_ROWS = 40, 20
local state = { closed = false, terminal = false, colour = false, progress = false, drawn = false,
  columns = COLUMNS, rows = ROWS, quiet = false,
  sink = nil, -- of a worker process: function(kind, bytes), which sends output to the main process
  keep = nil } -- of a host that shows output itself: function(kind, bytes)

local function is_terminal(fd)
  return core.isatty ~= nil and core.isatty(fd) == true
end

--- Detects terminal and colours; call once at the start.
function out.setup()
  local no_colour = os.getenv "NO_COLOR"
  state.terminal = is_terminal(1)
  state.colour = state.terminal and (no_colour == nil or no_colour == "")
    and os.getenv "TERM" ~= "dumb"
  local rows, columns
  if state.terminal and core.terminal_size then rows, columns = core.terminal_size(1) end
  columns = state.terminal and math.tointeger(tonumber(os.getenv "COLUMNS")) or columns
  state.columns = math.max(columns or COLUMNS, FEWEST)
  state.rows = math.max(rows or ROWS, FEWEST_ROWS)
  state.progress = is_terminal(2) and os.getenv "TERM" ~= "dumb"
end

-- What a worker process needs to know to write as the main process would.
local SHARED = { "terminal", "colour", "columns", "rows", "quiet" }

--- The settings for worker processes.
-- @treturn table
function out.settings()
  local settings = {}
  for _, name in ipairs(SHARED) do settings[name] = state[name] end
  return settings
end

--- Makes this a worker process, whose output goes to the main process.
-- @tparam function sink function(kind, bytes), see `out.replay`
-- @tparam table settings those of the main process
function out.send_to(sink, settings)
  for _, name in ipairs(SHARED) do state[name] = settings[name] end
  state.sink = sink
end

local told = {} -- folders that the user knows are made

--- Gives output to a host in place of stdout and stderr, as a new process would write it to files.
-- @tparam ?function keep function(kind, bytes); kind is "o" for stdout, "e" for stderr. nil: no more
-- @tparam[opt] integer columns the width for wrapping (default: 100)
function out.keep(keep, columns)
  state.keep, state.quiet, state.closed, state.problem, told = keep, false, false, nil, {}
  state.terminal, state.colour, state.progress = false, false, false
  state.columns, state.rows = math.max(columns or COLUMNS, FEWEST), ROWS
end

--- Writes only failures and what scripts print from here on (`-q`).
function out.be_quiet()
  state.quiet, state.progress = true, false
end

--- Whether only failures are written.
-- @treturn boolean
function out.is_quiet() return state.quiet end

-- A random placeholder for the start of a control sequence until a line is written. So file names cannot
-- contain it.
local MARK = ("\0%x\0"):format(math.random(0))

--- Colours a text if stdout supports it. For lines that `out.line` and `out.text` write.
-- @tparam string name bold, dim, red, green, yellow
-- @tparam string value
-- @treturn string
function out.style(name, value)
  if not state.colour then return value end
  return ("%s%sm%s%s0m"):format(MARK, STYLES[name], value, MARK)
end

-- Escapes everything except colours.
local function shown(value, lines)
  if not value:find "[%c\x7f-\xff]" then return value end
  local parts, from = {}, 1
  local at, stop = value:find(MARK, 1, true)
  while at do
    parts[#parts + 1] = text.printable(value:sub(from, at - 1), lines)
    local code, after = value:match("^(%d+m)()", stop + 1)
    parts[#parts + 1] = "\27[" .. code
    from = after
    at, stop = value:find(MARK, from, true)
  end
  parts[#parts + 1] = text.printable(value:sub(from), lines)
  return table.concat(parts)
end

--- The width for wrapping: COLUMNS or that of the terminal, else 100.
-- @treturn integer
function out.columns() return state.columns end

--- The number of lines on a screen: those of the terminal, else 40.
-- @treturn integer
function out.rows() return state.rows end

local function clear_progress()
  if state.drawn then
    io.stderr:write "\r\27[K"
    state.drawn = false
  end
end

-- Numbers of the system for a pipe whose reader is gone: EPIPE, and EINVAL on Windows.
local READER_GONE = { [32] = true, [22] = true }

-- Stops writing to stdout after a failure. A disk that is full is worth a message, a reader that is gone is
-- not.
local function close_stdout(why, code)
  if not state.closed and not READER_GONE[code] then state.problem = why end
  state.closed = true
end

--- Why results could not be written to stdout; nil: they were, or their reader is gone.
-- @treturn ?string
function out.problem() return state.problem end

--- Writes bytes to stdout unchanged. If the reader is gone (`| head`), the rest is dropped without an error.
-- @tparam string bytes
function out.write(bytes)
  if state.sink then return state.sink("o", bytes) end
  if state.keep then return state.keep("o", bytes) end
  if state.closed then return end
  clear_progress()
  local ok, why, code = io.stdout:write(bytes)
  if not ok then close_stdout(why, code) end
end

--- Writes a result line; control characters and line ends in it are escaped.
-- @tparam string line
-- @tparam[opt] boolean of_failure whether it is written with -q, too
function out.line(line, of_failure)
  if state.quiet and not of_failure then return end
  out.write(shown(line) .. "\n")
end

--- Writes text that may have several lines.
-- @tparam string value
function out.text(value)
  out.write(shown(value, true) .. "\n")
end

--- Writes the output of a script: bytes unchanged, but escaped on a terminal.
-- @tparam string bytes
function out.script(bytes)
  out.write(state.terminal and text.printable(bytes, true) or bytes)
end

--- True if the reader of stdout is gone.
-- @treturn boolean
function out.closed() return state.closed end

--- Writes one JSON value as a line, as valid UTF-8 for any names and messages.
-- @tparam table record
-- @tparam {string,...} order of its keys
function out.json(record, order)
  setmetatable(record, { __jsonorder = order, __jsontype = "object" })
  out.write(text.utf8(json.encode(record)) .. "\n")
end

--- Flushes the buffer.
function out.flush()
  if state.sink or state.keep then return end
  clear_progress()
  local ok, why, code = io.stdout:flush()
  if not ok then close_stdout(why, code) end
end

-- Writes bytes to stderr, after the results so far.
local function to_stderr(bytes)
  if state.sink then return state.sink("e", bytes) end
  if state.keep then return state.keep("e", bytes) end
  out.flush()
  io.stderr:write(bytes)
end

--- Writes a line to stderr, after the results so far. It may contain line ends.
-- @tparam string line
function out.note(line)
  if not state.quiet then to_stderr(text.printable(line, true) .. "\n") end
end

--- Writes a line that a script prints to stderr, because stdout is used otherwise.
-- @tparam string line
function out.script_line(line)
  to_stderr(text.printable(line, true) .. "\n")
end

--- Writes bytes of a script to stderr, with control sequences escaped.
-- @tparam string bytes
function out.script_note(bytes)
  bytes = text.printable(bytes, true)
  if state.sink then return state.sink("s", bytes) end
  if state.keep then return state.keep("e", bytes) end
  io.stderr:write(bytes)
end

--- Writes a message to stderr, on one line.
-- @tparam string message
function out.message(message)
  to_stderr(text.printable(text.printable((message:gsub("%s*\n%s*", "; "))), true) .. "\n")
end

--- Reports a failure on stderr, on one line.
-- @tparam string message
function out.fail(message)
  out.message("lathe: " .. message)
end

--- Tells once that a folder of -o was made.
-- @tparam string folder
function out.made_folder(folder)
  if state.sink then return state.sink("f", folder) end
  if not told[folder] then out.note("made the folder " .. folder) end
  told[folder] = true
end

local REPLAYS = {
  o = out.write,
  e = to_stderr,
  s = function(bytes) io.stderr:write(bytes) end,
  f = out.made_folder,
}

--- Writes what a worker process has sent.
-- @tparam string kind "o": to stdout; "e": to stderr, after the results; "s": to stderr at once; "f": tells
--   that a folder was made
-- @tparam string bytes
function out.replay(kind, bytes) REPLAYS[kind](bytes) end

--- Stops the command with a usage error. Exit code 2.
-- @tparam string message
function out.usage(message)
  error({ usage = message }, 0)
end

-- "0:42", "1:05:07"
local function clock(seconds)
  local minutes = seconds // 60
  if minutes < 60 then return ("%d:%02d"):format(minutes, seconds % 60) end
  return ("%d:%02d:%02d"):format(minutes // 60, minutes % 60, seconds % 60)
end

local FIRST_RATE = 2 -- seconds after which the rate means something

--- Shows the progress of a batch if stderr is a terminal: the number of the file, the rate, the time left.
-- @tparam integer i
-- @tparam integer n
-- @tparam string name
-- @tparam[opt=0] number seconds since the first file
function out.progress(i, n, name, seconds)
  if not state.progress or n < 2 then return end
  local rate = (seconds or 0) >= FIRST_RATE and i > 1 and (i - 1) / seconds
  local left = rate and (" %.3g/s, %s left"):format(rate, clock(math.ceil((n - i + 1) / rate))) or ""
  io.stderr:write(("\r\27[K%d/%d%s %s"):format(i, n, left, text.printable(name):sub(-60)))
  state.drawn = true
end

--- Removes the progress line.
out.progress_end = clear_progress

return out
