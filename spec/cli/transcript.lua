-- Transcripts (*.t): what a user types and exactly what comes back, stdout and stderr as a terminal
-- would show them. A line "$ command" is run by the shell in a folder with the fixtures; "# " is a
-- remark, with an empty line before it; "[exit N]" follows where the command did not succeed.
--
-- LATHE_UPDATE=1 writes what came back into the files: read the difference before keeping it.

local helper = require "helper"
local write_fixtures = dofile "spec/cli/fixtures.lua"

local transcript = {}

-- A program called lathe that runs this build, sanitizers and all.
local function install_tool(folder)
  os.execute("mkdir " .. helper.quote(folder .. "/.bin"))
  local tool = folder .. "/.bin/lathe"
  local preload = helper.preload
    and ("LD_PRELOAD=%s${LD_PRELOAD:+:$LD_PRELOAD} "):format(helper.quote(helper.preload)) or ""
  local module = ("package.preload['lathe.core'] = package.loadlib(%q, 'luaopen_lathe_core')")
    :format(helper.build .. "/lathe/core.so")
  helper.write(tool, ('#!/bin/sh\n%sexec lua5.4 -e %s %s "$@"\n'):format(preload,
    helper.quote(module), helper.quote(helper.root .. "/scripts/bin/lathe")))
  os.execute("chmod +x " .. helper.quote(tool))
end

--- A new folder with the fixtures and the example scripts, and the environment to run lathe in it.
function transcript.folder()
  local folder = helper.tmpdir()
  write_fixtures(folder)
  install_tool(folder)
  os.execute(("ln -s %s %s"):format(helper.quote(helper.root .. "/scripts/examples"),
    helper.quote(folder .. "/examples")))
  return folder, {
    PATH = folder .. "/.bin:" .. os.getenv "PATH",
    HOME = folder,
    LC_ALL = "C.UTF-8",
    NO_COLOR = false,
  }
end

local function run(command, folder, env)
  local result = helper.run("{ " .. command .. "\n} 2>&1", { cwd = folder, env = env })
  local output = result.out
  if output ~= "" and output:sub(-1) ~= "\n" then output = output .. "\n" end
  if result.code ~= 0 then output = output .. ("[exit %d]\n"):format(result.code) end
  return output
end

--- Runs a transcript.
-- @return what it says, what came back
function transcript.play(path)
  local expected = helper.read(path)
  local folder, env = transcript.folder()
  local played = {}
  for line in expected:gmatch "[^\n]*" do
    local command = line:match "^%$ (.+)$"
    if command then
      played[#played + 1] = line .. "\n" .. run(command, folder, env)
    elseif line:match "^# " then
      played[#played + 1] = (#played > 0 and "\n" or "") .. line .. "\n"
    end
  end
  local actual = table.concat(played)
  if os.getenv "LATHE_UPDATE" then
    helper.write(path, actual)
    expected = actual
  end
  return expected, actual
end

return transcript
