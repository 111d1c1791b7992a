--- Output folders.
-- @module lathe.cli.batch.folders

local lfs = require "lfs"
local core = require "lathe.core"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"

local folders = {}

local swept = {} -- folders where that is done
local missing_before = {} -- in a worker process: folders of -o that were missing when the batch began

-- Removes temporary files of killed processes, once per folder.
local function sweep(folder)
  if swept[folder] then return end
  swept[folder] = true
  core.sweep(folder)
end

--- In a worker process: sets the folders of -o that were missing when the batch began. Any worker may make
-- them, so each tells of it; the main process then says it once.
-- @tparam {[string]=boolean} list
function folders.set_missing(list) missing_before = list end

--- Prepares the folder of an output file: creates it if it is missing, and removes temporary files that
-- killed processes left there (`core.sweep`).
-- @tparam string path of the file
-- @tparam[opt] string output the folder of -o. If it has to be created, the user is told, because it may be a
--   typing mistake. nil: no folder is created
-- @tparam[opt] function make creates a folder, in place of `paths.make`
-- @treturn ?boolean
-- @treturn ?string the reason
function folders.prepare(path, output, make)
  if output then
    local missing = missing_before[output] or lfs.attributes(output, "mode") == nil
    local made, why = (make or paths.make)(paths.folder(path))
    if not made then return nil, why end
    if missing and lfs.attributes(output, "mode") then out.made_folder(output) end
  end
  local real = paths.real(path) -- temporary files are beside the target of links
  if real then sweep(paths.folder(real)) end
  return true
end

--- The path of the result that a file becomes: the one that -o names, or one in its folder.
-- @tparam table job with `args.output`, `target` (`single`, or the `kind` of results) and `batch.made`
-- @tparam table item the file
-- @treturn ?string
-- @treturn string why not: another file already has it
function folders.path_for(job, item)
  if job.target.single then return job.args.output end
  if item.stdin then return nil, "stdin has no name: -o must name a file" end
  local path = paths.join(job.args.output, paths.with_extension(item.below) .. "." .. job.target.kind)
  local other = job.batch.made[path]
  if other then return nil, ("would overwrite %s, made of %s"):format(path, other) end
  return path
end

return folders
