-- Plays transcripts of the prompt (*.t) in this process: "$ lathe FILE..." opens files, "lathe> LINE" is typed,
-- "    .. LINE" goes on with it, and what is printed follows. "# " is a remark, with an empty line before it.
-- The files are the fixtures of the command line and the sample files.
--
-- LATHE_UPDATE=1 writes what came back into the files: read the difference before keeping it.

local lfs = require "lfs"
local documents = require "lathe.repl.documents"
local helper = require "helper"
local out = require "lathe.cli.out"
local repl = require "lathe.repl"
local write_fixtures = dofile "spec/cli/fixtures.lua"

local player = {}

--- A new folder with the files.
function player.folder()
  local folder = helper.tmpdir()
  write_fixtures(folder)
  for _, name in ipairs(helper.list("scripts/examples", "%.%l+%d?$")) do
    if not name:find "%.lua$" and not name:find "%.sh$" then
      helper.write(folder .. "/" .. name, helper.read("scripts/examples/" .. name))
    end
  end
  return folder
end

--- Calls a function in a folder; gives what it printed.
function player.printed(folder, fn)
  local parts, write, note, root = {}, out.write, out.note, lfs.currentdir()
  function out.write(bytes) parts[#parts + 1] = bytes end
  function out.note(line) parts[#parts + 1] = line .. "\n" end
  lfs.chdir(folder)
  local ok, err = pcall(fn)
  lfs.chdir(root)
  out.write, out.note = write, note
  if not ok then error(err, 0) end
  return table.concat(parts)
end

--- A prompt with open files.
function player.session(files, options)
  local docs = documents.new(options or {})
  local failed = docs:open_all(files)
  assert(failed == 0, "a file does not open")
  return repl.session(docs, function(line) out.text(line) end)
end

local function start(command)
  local files, options = {}, {}
  for word in command:gmatch "%S+" do files[#files + 1] = word end
  for i, word in ipairs(files) do
    if word == "--skeleton" then
      options.skeleton = assert(require("lathe").open(files[i + 1]))
      table.remove(files, i)
      table.remove(files, i)
      break
    end
  end
  return player.session(files, options)
end

--- Plays a transcript.
-- @return what it says, what came back
function player.play(path)
  local expected, played = helper.read(path), {}
  local folder, session = player.folder(), nil
  for line in expected:gmatch "[^\n]*" do
    local command = line:match "^%$ lathe ?(.*)$"
    local typed = line:match "^lathe> (.*)$" or line:match "^    %.%. (.*)$"
    if command then
      played[#played + 1] = (#played > 0 and "\n" or "") .. line .. "\n"
        .. player.printed(folder, function() session = start(command) end)
    elseif typed then
      played[#played + 1] = line .. "\n" .. player.printed(folder, function() session:line(typed) end)
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

return player
