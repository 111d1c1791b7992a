--- The files below the root: those of documents, those that documents find beside them, and what scripts and
-- commands write. Names are paths from the root, which is the working folder.
-- @module service.files

local core = require "lathe.core"
local json = require "service.json"
local lfs = require "lfs"
local paths = require "lathe.paths"
local refuse = require "service.refuse"
local text = require "lathe.tree.text"

local files = {}

local LONGEST = 1000 -- bytes of a name
local DEEPEST = 50   -- folders

--- The largest file, and all files of open documents together. A document has the bytes of its file in memory
-- again, and saving it twice more, of 2 GB in all.
files.limits = { file = 256 << 20, all = 768 << 20 }

local function size_text(bytes)
  return bytes % (1 << 20) == 0 and ("%d MiB"):format(bytes >> 20) or text.count(bytes, "byte")
end

--- Refuses a file that is too large.
-- @tparam string name
-- @tparam integer size
-- @tparam integer open bytes of all files that are open
function files.check_size(name, size, open)
  local limits = files.limits
  if size > limits.file then
    refuse.with("limit",
      "%s: it has %s, and the limit for a file is %s here: use the program for the command line",
      text.printable(name), text.count(size, "byte"), size_text(limits.file))
  elseif size + open > limits.all then
    refuse.with("limit", "%s: with its %s, all open files would exceed the limit of %s: close some first",
      text.printable(name), text.count(size, "byte"), size_text(limits.all))
  end
end

--- A name as a path below the root: with / between folders, and without steps that lead out of it.
-- @tparam string name
-- @treturn string
function files.clean(name)
  local parts = {}
  for part in name:gsub("\\", "/"):gmatch "[^/]+" do
    if part == ".." then refuse.usage("'%s': a name must not have '..'", text.printable(name)) end
    if part ~= "." then parts[#parts + 1] = part end
  end
  local path = table.concat(parts, "/")
  if path == "" or path:find "%z" or #path > LONGEST or #parts > DEEPEST then
    refuse.usage("'%s' is no name of a file", text.printable(name:sub(1, 100)))
  end
  return path
end

--- The size of a file.
-- @tparam string path
-- @treturn ?integer nil: there is none
function files.size(path)
  return lfs.attributes(path, "mode") == "file" and lfs.attributes(path, "size") or nil
end

--- Writes a file, and makes its folders.
-- @tparam string path
-- @tparam string bytes
function files.write(path, bytes)
  local made, why = true, nil
  if paths.folder(path) ~= "." then made, why = paths.make(paths.folder(path)) end
  if not made then refuse.with("io", "%s: %s", text.printable(path), text.printable(why)) end
  local ok, err = core.write(path, bytes)
  if not ok then error(err, 0) end
end

--- The bytes of a file.
-- @tparam string path
-- @treturn string
function files.read(path)
  local bytes, err = core.read(path)
  return bytes or error(err, 0)
end

--- Removes a file, and the folders that are empty then.
-- @tparam string path
function files.remove(path)
  os.remove(path)
  local folder = paths.folder(path)
  while folder ~= "." and folder ~= "/" and lfs.rmdir(folder) do folder = paths.folder(folder) end
end

local function walk(folder, each)
  local names = {}
  for name in lfs.dir(folder == "" and "." or folder) do
    if name ~= "." and name ~= ".." then names[#names + 1] = name end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local path = paths.join(folder, name)
    local mode = lfs.symlinkattributes(path, "mode")
    if mode == "directory" then walk(path, each) elseif mode == "file" then each(path) end
  end
end

--- All files below the root, in alphabetical order.
-- @treturn {{name=string,size=integer},...}
function files.all()
  local list = json.list {}
  walk("", function(path) list[#list + 1] = { name = path, size = files.size(path) } end)
  return list
end

return files
