--- Folders that results are written to.
-- @module lathe.cli.folders

local lfs = require "lfs"
local core = require "lathe.core"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"

local folders = {}

local swept = {} -- the folders where that is done

-- What killed runs left is removed once a folder.
local function sweep(folder)
  if swept[folder] then return end
  swept[folder] = true
  core.sweep(folder)
end

--- Prepares the folder of a file that is to be written: makes it where it is missing, and removes
-- temporary files there that killed runs left (`core.sweep`).
-- @tparam string path of the file
-- @tparam[opt] string output the folder that -o named: the user is told where it had to be made, as
--   that may be a slip of the pen. nil: no folder is made
-- @tparam[opt] function make makes a folder as `paths.make` does, which it stands in for
-- @treturn ?boolean
-- @treturn ?string the reason
function folders.prepare(path, output, make)
  if output then
    local missing = lfs.attributes(output, "mode") == nil
    local made, why = (make or paths.make)(paths.folder(path))
    if not made then return nil, why end
    if missing and lfs.attributes(output, "mode") then out.note("made the folder " .. output) end
  end
  local real = paths.real(path) -- temporary files lie beside the file that links lead to
  if real then sweep(paths.folder(real)) end
  return true
end

return folders
