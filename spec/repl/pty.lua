-- A terminal for tests: a program on a pty (by `script` of util-linux), typed to and waited for.

local helper = require "helper"
local lfs = require "lfs"
local system = require "system"

local Pty = {}
Pty.__index = Pty

local pty = {}

local WAIT = 120 -- seconds; far more than anything takes
local POLL = 0.005 -- seconds from one look to the next

--- Starts a command on a terminal of its own.
function pty.start(command, opts)
  local folder = helper.tmpdir()
  local env = {}
  for name, value in pairs(opts.env or {}) do
    env[#env + 1] = value and ("export %s=%s"):format(name, helper.quote(value)) or "unset " .. name
  end
  helper.write(folder .. "/run.sh", ("%s\ncd %s || exit 125\necho $$ >%s/pid\nexec %s\n"):format(
    table.concat(env, "\n"), helper.quote(opts.cwd), folder, command))
  local log = folder .. "/log"
  local line = ("unset LD_PRELOAD; exec script -qefc %s %s >/dev/null 2>&1"):format(
    helper.quote("exec sh " .. folder .. "/run.sh"), helper.quote(log))
  local self = setmetatable({ log = log, pid = folder .. "/pid", at = 1 }, Pty)
  self.pipe = assert(io.popen(line, "w"))
  self.pipe:setvbuf "no"
  return self
end

function Pty:output()
  local file = io.open(self.log, "rb")
  if not file then return "" end
  local bytes = file:read "a"
  file:close()
  return bytes
end

--- Types: bytes as the keyboard sends them.
function Pty:type(bytes)
  assert(self.pipe:write(bytes))
end

--- Waits until the text appears behind what was waited for before; gives what lies between.
function Pty:expect(text)
  local deadline = system.monotime() + WAIT
  while true do
    local output = self:output()
    local from, to = output:find(text, self.at, true)
    if from then
      local between = output:sub(self.at, from - 1)
      self.at = to + 1
      return between
    end
    if system.monotime() > deadline then
      error(("%q did not come; behind what came before there is only %q")
        :format(text, output:sub(self.at)), 2)
    end
    system.sleep(POLL)
  end
end

--- Ends the program, whatever it does.
function Pty:kill()
  os.execute(("unset LD_PRELOAD; kill -9 $(cat %s)"):format(self.pid))
  self:close()
end

--- Waits for the end; gives the exit code. The end of what is typed comes after it: `script` would pass that on, and sleeps
--- for a quarter of a second, up to eight times, while there are typed bytes that the program has not read.
function Pty:close()
  local deadline = system.monotime() + WAIT
  local file = io.open(self.pid)
  local process = file and file:read "n"
  if file then file:close() end
  while process and lfs.attributes(("/proc/%d"):format(process)) and system.monotime() < deadline do
    system.sleep(POLL)
  end
  local _, how, code = self.pipe:close()
  self.pipe = nil
  return how == "exit" and code or 128 + code
end

return pty
