--- `ctx.files` of scripts: the names of the files in a folder, which Lua itself cannot list.
-- @module lathe.cli.sandbox.files_below

local lfs = require "lfs"
local paths = require "lathe.paths"

local files_below = {}

-- Adds the files of `dir` to `names`, and its folders to `folders`. Links to folders are not followed: they
-- may be cyclic, or lead out of what may be read.
local function add(dir, prefix, names, folders)
  local ok, iterate, handle = pcall(lfs.dir, dir)
  if not ok then return nil, tostring(iterate):match ": [^:]*$" or "" end
  for name in iterate, handle do
    local path = paths.join(dir, name)
    local mode = name ~= "." and name ~= ".." and lfs.symlinkattributes(path, "mode")
    if mode == "directory" then
      folders[#folders + 1] = { path, prefix .. name .. "/" }
    elseif mode == "file" or mode == "link" and lfs.attributes(path, "mode") == "file" then
      names[#names + 1] = prefix .. name
    end
  end
  return true
end

--- Lists all files below a folder.
-- @tparam string folder
-- @tparam[opt] Policy rules decide whether the folder may be read
-- @treturn ?{string,...} paths relative to the folder, with "/", sorted
-- @treturn ?string the reason
function files_below.of(folder, rules)
  if type(folder) ~= "string" then error("ctx.files: the path of a folder expected", 3) end
  local real, why
  if rules then
    real, why = rules:resolve(folder, "r")
  else
    real, why = paths.real(folder)
  end
  if not real then return nil, ("%s: %s"):format(folder, why) end
  local names, folders = {}, { { real, "" } }
  while #folders > 0 do
    local dir, prefix = table.unpack(table.remove(folders))
    local ok, reason = add(dir, prefix, names, folders)
    if not ok then return nil, paths.join(folder, prefix):gsub("(.)/+$", "%1") .. reason end
  end
  table.sort(names)
  return names
end

return files_below
