--- Completes the paths of files in texts.
-- @module lathe.repl.files

local lfs = require "lfs"
local text = require "lathe.tree.text"

local files = {}

local MOST = 2000 -- entries of a folder that are read

local function kind_of(path)
  local found = lfs.attributes(path)
  if not found then return "" end
  return found.mode == "directory" and "folder" or text.count(found.size, "byte"), found.mode == "directory"
end

--- The files and folders whose paths begin with a text. Hidden ones only if their names are begun.
-- @tparam string typed
-- @treturn {table,...} `name` (the whole path; that of a folder ends in "/"), `type`, `folder`
-- @treturn ?boolean true: there are so many that not all were read
function files.beginning(typed)
  local folder, base = typed:match "^(.*/)([^/]*)$"
  folder, base = folder or "", base or typed
  local list, read = {}, 0
  local ok, iterate, state = pcall(lfs.dir, folder == "" and "." or folder)
  if not ok then return list end
  for name in iterate, state do
    read = read + 1
    if read > MOST then return list, true end
    local is_hidden = name:sub(1, 1) == "." and (base == "" or name == "." or name == "..")
    if not is_hidden and name:sub(1, #base) == base then
      local kind, is_folder = kind_of(folder .. name)
      local whole = folder .. name .. (is_folder and "/" or "")
      list[#list + 1] = { name = whole, type = kind, folder = is_folder }
    end
  end
  return list
end

return files
