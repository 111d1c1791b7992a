--- Reads lines from the user: with readline if it is installed, otherwise without editing.
-- @module lathe.repl.input

local lfs = require "lfs"
local core = require "lathe.core"
local paths = require "lathe.paths"

local Input = {}
Input.__index = Input

local input = {}

local KEPT_LINES = 1000 -- maximum number of history lines

local function history_path()
  local state = os.getenv "XDG_STATE_HOME"
  if state and state:sub(1, 1) == "/" then return state .. "/lathe/history" end
  local home = os.getenv "HOME" or os.getenv "USERPROFILE"
  return home and home .. "/.lathe_history"
end

local function is_terminal(fd)
  return core.isatty(fd)
end

-- Functions of GNU readline that the Lua library lacks: to abandon a line that is being edited, and to print
-- below it (then readline draws the line again).
local function load_more()
  local path = package.searchpath("C-readline", package.cpath)
  local free_line = path and package.loadlib(path, "rl_free_line_state")
  local give_back = path and package.loadlib(path, "rl_cleanup_after_signal")
  local new_line = path and package.loadlib(path, "rl_on_new_line")
  if not free_line or not give_back then return nil end
  return { free_line = free_line, give_back = give_back, new_line = new_line }
end

-- Readline uses the terminal itself, so it must not be used if stdin is a file or a pipe.
local function load_readline(history, completer)
  local ok, readline = pcall(require, "readline")
  local more = ok and load_more()
  if not more then return nil end
  readline.set_readline_name "lathe"
  readline.set_options { histfile = history or "", keeplines = KEPT_LINES, completion = true }
  readline.set_complete_function(function(...)
    readline.set_completion_append_character "" -- readline resets it before each completion
    return completer(...)
  end)
  return readline, more
end

local function trim_history(path)
  local file = io.open(path, "r")
  if not file then return end
  local lines = {}
  for line in file:lines() do lines[#lines + 1] = line end
  file:close()
  if #lines <= 2 * KEPT_LINES then return end
  file = io.open(path, "w")
  if not file then return end
  file:write(table.concat(lines, "\n", #lines - KEPT_LINES + 1), "\n")
  file:close()
end

-- Prints the candidates below the line.
local function print_below(self, lines)
  io.write("\n", table.concat(lines, "\n"), "\n")
  io.flush()
  core.call_bare(self.more.new_line)
end

-- Readline calls this at each Tab. Where nothing has changed since the last one, it has inserted what all
-- candidates have in common; they are listed then, with what readline does not know. (Its own list would have
-- only the words.)
local function complete(self, source, line, from, cursor)
  local ok, list, more = pcall(source.candidates, line, from, cursor - 1)
  if not ok then return {} end
  local key = cursor .. " " .. line
  local again = self.last_tab == key
  self.last_tab = key
  if again and #list > 1 and self.more.new_line and core.isatty(1) then
    print_below(self, source.lines(list, more))
    return {}
  end
  local words = {}
  for i, one in ipairs(list) do words[i] = one.word end
  if more then words[#words + 1] = line:sub(from, cursor - 1) end -- others may have less in common
  return words
end

-- Readline adds a closing quote if there is exactly one completion. To prevent this, returns two with the
-- same prefix; but not at the end of a word.
local function keep_from_quoting(list, line, from, to)
  if #list ~= 1 or from > to or not line:find("^[\"']", from - 1) then return list end
  local word = list[1]
  return word == line:sub(from, to) and {} or { word, word .. " " }
end

--- Opens the input.
-- @tparam table source `candidates(line, from, to)`, which completes the text from `from` to `to` (see
--   `lathe.repl.complete`), and `lines(list, more)`, which formats candidates
-- @treturn Input with `interactive`
function input.new(source)
  local self = setmetatable({ interactive = is_terminal(0) }, Input)
  if not self.interactive then return self end
  self.history = history_path()
  if self.history then trim_history(self.history) end
  self.readline, self.more = load_readline(self.history, function(line, from, cursor)
    local ok, words = pcall(complete, self, source, line, from, cursor)
    return ok and keep_from_quoting(words, line, from, cursor - 1) or {}
  end)
  return self
end

-- Abandons the line that is being edited, as readline does after a signal. The terminal must be restored
-- before the library's handler_remove, which closes readline's stream first.
local function drop(readline, more)
  core.call_bare(more.free_line)
  if readline.sigcleanup then readline.sigcleanup() end
  io.write "^C" -- at the cursor
  io.flush()
  core.call_bare(more.give_back)
  readline.handler_remove()
end

-- No error may be raised while readline runs: the jump would leave it in an inconsistent state. So Ctrl-C is
-- held back (core.hold_interrupt) and allowed only while lathe waits for keys; readline is called when keys
-- are available.
local function edit(readline, more, prompt)
  local line, done
  readline.handler_install(prompt, function(entered)
    line, done = entered, true
    readline.handler_remove()
  end)
  while not done do
    if not core.wait_input(0) then
      drop(readline, more)
      return false
    end
    readline.read_char()
  end
  if line and line ~= "" then readline.add_history(line) end
  return line
end

--- Reads a line, within `core.hold_interrupt`.
-- @tparam string prompt
-- @treturn ?string|boolean nil at the end of the input, false if Ctrl-C abandoned the line
function Input:read(prompt)
  self.last_tab = nil
  if self.readline then return edit(self.readline, self.more, prompt) end
  if self.interactive then
    io.write(prompt)
    io.flush()
  end
  local ok, line = core.catch_interrupt(io.read, "L")
  return ok and line
end

--- Appends a line to the history file immediately, so that a crash loses nothing. (save_history of the
-- library would write all lines of the session each time.)
-- @tparam string line
function Input:remember(line)
  if not self.history or line:match "^%s*$" or line == self.last then return end
  self.last = line
  local dir = paths.folder(self.history)
  if lfs.attributes(dir, "mode") ~= "directory" and not paths.make(dir) then return end
  local file = io.open(self.history, "a")
  if file then
    file:write(line, "\n")
    file:close()
  end
end

return input
