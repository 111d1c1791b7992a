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
  columns = COLUMNS, rows = ROWS }

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

--- Writes bytes to stdout unchanged. If the reader is gone (`| head`), the rest is dropped without an error.
-- @tparam string bytes
function out.write(bytes)
  if state.closed then return end
  clear_progress()
  if not io.stdout:write(bytes) then state.closed = true end
end

--- Writes a result line; control characters and line ends in it are escaped.
-- @tparam string line
function out.line(line)
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
  clear_progress()
  if not io.stdout:flush() then state.closed = true end
end

--- Writes a line to stderr, after the results so far. It may contain line ends.
-- @tparam string line
function out.note(line)
  out.flush()
  io.stderr:write(text.printable(line, true), "\n")
end

--- Writes bytes of a script to stderr, with control sequences escaped.
-- @tparam string bytes
function out.script_note(bytes)
  io.stderr:write(text.printable(bytes, true))
end

--- Writes a message to stderr, on one line.
-- @tparam string message
function out.message(message)
  out.note(text.printable((message:gsub("%s*\n%s*", "; "))))
end

--- Reports a failure on stderr, on one line.
-- @tparam string message
function out.fail(message)
  out.message("lathe: " .. message)
end

--- Stops the command with a usage error. Exit code 2.
-- @tparam string message
function out.usage(message)
  error({ usage = message }, 0)
end

--- Shows the progress of a batch if stderr is a terminal.
-- @tparam integer i
-- @tparam integer n
-- @tparam string name
function out.progress(i, n, name)
  if not state.progress or n < 2 then return end
  io.stderr:write(("\r\27[K%d/%d %s"):format(i, n, text.printable(name):sub(-60)))
  state.drawn = true
end

--- Removes the progress line.
out.progress_end = clear_progress

return out
