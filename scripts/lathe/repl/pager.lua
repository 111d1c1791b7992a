--- Shows long text page by page, as git does: with the program of LATHE_PAGER or PAGER, or less if it is
-- there, or by itself. Never where the output is not a terminal.
-- @module lathe.repl.pager

local lfs = require "lfs"
local core = require "lathe.core"
local out = require "lathe.cli.out"
local text = require "lathe.tree.text"

local pager = {}

local WINDOWS = package.config:sub(1, 1) == "\\"

local MORE = "-- more: Enter shows the next page, q and Enter stop --"

local function is_installed(program)
  for folder in (os.getenv "PATH" or ""):gmatch(WINDOWS and "[^;]+" or "[^:]+") do
    if lfs.attributes(folder .. "/" .. program, "mode") == "file" then return true end
  end
  return false
end

--- The command to page with; nil: none, `pager.show` does it itself.
-- @treturn ?string
-- @treturn ?boolean true: nothing is to be paged
function pager.command()
  for _, name in ipairs { "LATHE_PAGER", "PAGER" } do
    local command = os.getenv(name)
    if command == "" or command == "cat" then return nil, true end
    if command then return command end
  end
  if not WINDOWS and is_installed "less" then return "less" end
  return nil
end

local NOT_FOUND = 127 -- the exit code of a shell that does not find a program

local STOP = {} -- raised when the reader has seen enough

-- Starts a program that pages. Returns functions that write a line, and end it.
local function pipe_to(command)
  out.flush()
  if not WINDOWS then command = 'LESS="${LESS-FRX}" ' .. command end
  local pipe = io.popen(command, "w")
  if not pipe then return nil end
  core.ignore_sigpipe()
  local function write(line)
    if not pipe:write(text.printable(line), "\n") then error(STOP, 0) end
  end
  -- Ctrl-C belongs to the pager while it runs: without lathe it would keep the terminal.
  return write, function()
    local _, _, code = core.hold_interrupt(pipe.close, pipe)
    return code == NOT_FOUND
  end
end

-- Shows a page after the other, between which it waits for a line.
local function ask_between_pages()
  local shown, page = 0, math.max(1, out.rows() - 1)
  local function write(line)
    if shown == page then
      out.write(MORE)
      out.flush()
      local answer = io.read "L"
      if not answer or answer:match "^%s*[qQ]" then error(STOP, 0) end
      shown = 0
    end
    out.line(line)
    shown = shown + 1
  end
  return write, function() end
end

--- Prints lines; page by page if they are more than a screen.
-- @tparam function produce function(emit) that calls emit with each line, in order
-- @tparam boolean interactive whether somebody can answer; false: no pages
function pager.show(produce, interactive)
  local command, never = pager.command()
  if never or not interactive or not core.isatty(1) then return produce(out.line) end
  local lines, write, finish = {}, nil, nil
  local function emit(line)
    if write then return write(line) end
    lines[#lines + 1] = line
    if #lines < out.rows() then return end
    if command then write, finish = pipe_to(command) end
    if not write then write, finish = ask_between_pages() end
    for _, first in ipairs(lines) do write(first) end
  end
  local ok, err = core.catch_interrupt(produce, emit)
  if finish and finish() then return produce(out.line) end -- the shell has said that there is no such program
  if not ok and err ~= STOP then error(err, 0) end
  if not write then
    for _, line in ipairs(lines) do out.line(line) end
  end
end

return pager
