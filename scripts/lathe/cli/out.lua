--- Where output goes: results to stdout, all else to stderr; colour and progress only for people.
-- @module lathe.cli.out

local core = require "lathe.core"
local json = require "lathe.tree.json"

local out = {}

local STYLES = { bold = "1", dim = "2", red = "31", green = "32", yellow = "33" }

local COLUMNS, FEWEST = 100, 60
local state = { closed = false, colour = false, progress = false, drawn = false, columns = COLUMNS }

local function is_terminal(fd)
  return core.isatty ~= nil and core.isatty(fd) == true
end

--- Looks at the terminal; call once at the start.
function out.setup()
  local no_colour = os.getenv "NO_COLOR"
  state.colour = is_terminal(1) and (no_colour == nil or no_colour == "")
    and os.getenv "TERM" ~= "dumb"
  local columns = is_terminal(1) and math.tointeger(tonumber(os.getenv "COLUMNS"))
  state.columns = math.max(columns or COLUMNS, FEWEST)
  state.progress = is_terminal(2) and os.getenv "TERM" ~= "dumb"
end

--- Colours a text where stdout shows colours.
-- @tparam string name bold, dim, red, green, yellow
-- @tparam string text
-- @treturn string
function out.style(name, text)
  if not state.colour then return text end
  return ("\27[%sm%s\27[0m"):format(STYLES[name], text)
end

--- How long lines of text should be: those of a terminal that tells it (COLUMNS), else 100.
-- @treturn integer
function out.columns() return state.columns end

local function clear_progress()
  if state.drawn then
    io.stderr:write "\r\27[K"
    state.drawn = false
  end
end

--- Writes bytes to stdout. A reader that went away (`| head`) is no error: the rest is dropped.
-- @tparam string bytes
function out.write(bytes)
  if state.closed then return end
  clear_progress()
  if not io.stdout:write(bytes) then state.closed = true end
end

--- Writes a result line.
-- @tparam string line
function out.line(line)
  out.write(line .. "\n")
end

--- Whether nobody reads the results any more.
-- @treturn boolean
function out.closed() return state.closed end

--- Writes one JSON value as a line.
-- @tparam table record
-- @tparam {string,...} order of its keys
function out.json(record, order)
  out.line(json.encode(setmetatable(record, { __jsonorder = order, __jsontype = "object" })))
end

--- Writes out what is buffered.
function out.flush()
  clear_progress()
  if not io.stdout:flush() then state.closed = true end
end

--- Writes a line for people to stderr, behind the results so far.
-- @tparam string line
function out.note(line)
  out.flush()
  io.stderr:write(line, "\n")
end

--- Reports a failure on stderr, on one line.
-- @tparam string message
function out.fail(message)
  out.note("lathe: " .. (message:gsub("%s*\n%s*", "; ")))
end

--- Stops the command: the user asked for something that makes no sense. Exit code 2.
-- @tparam string message
function out.usage(message)
  error({ usage = message }, 0)
end

--- Shows how far a batch is, where stderr is a terminal.
-- @tparam integer i
-- @tparam integer n
-- @tparam string name
function out.progress(i, n, name)
  if not state.progress or n < 2 then return end
  io.stderr:write(("\r\27[K%d/%d %s"):format(i, n, name:sub(-60)))
  state.drawn = true
end

--- Takes the progress line away.
out.progress_end = clear_progress

return out
