--- File names: splitting, resolving and comparing.
-- @module lathe.paths

local lfs = require "lfs"
local core = require "lathe.core"

local paths = {}

local WINDOWS = package.config:sub(1, 1) == "\\"

local function slashed(path)
  return WINDOWS and path:gsub("\\", "/") or path
end

-- "/a/b" -> "/", "a/b"; "C:/a" -> "C:/", "a"; "a" -> nil, "a"
local function split_root(path)
  if WINDOWS then
    local root, rest = path:match "^(%a:/+)(.*)$"
    if root then return root:sub(1, 3), rest end
  end
  if path:sub(1, 1) == "/" then return "/", path:sub(2) end
  return nil, path
end

--- Joins a folder and a name.
-- @tparam string dir
-- @tparam string name
-- @treturn string
function paths.join(dir, name)
  if dir == "" or dir == "." then return name end
  return dir:sub(-1) == "/" and dir .. name or dir .. "/" .. name
end

--- The folder that holds a file; "." for a bare name.
-- @tparam string path
-- @treturn string
function paths.folder(path)
  path = slashed(path)
  local dir = path:match "^(.*)/[^/]*$"
  if dir == "" then return "/" end
  return dir or "."
end

--- The last part of a path.
-- @tparam string path
-- @treturn string
function paths.base(path)
  return slashed(path):match "([^/]*)/*$"
end

--- The extension in lower case, without the dot; "" if there is none.
-- @tparam string path
-- @treturn string
function paths.extension(path)
  return (paths.base(path):match "^.+%.([^.]*)$" or ""):lower()
end

--- The extension of compression in a file name: ".zs", ".zst", or "".
-- @tparam string path
-- @treturn string as spelled in the name
function paths.compression(path)
  local suffix = path:match "^.+(%.[^./\\]*)$" or ""
  local lower = suffix:lower()
  return (lower == ".zs" or lower == ".zst") and suffix or ""
end

--- The extension without that of compression: "obj" for "a.obj" and for "a.obj.zs".
-- @tparam string path
-- @treturn string in lower case, without the dot; "" if there is none
function paths.kind(path)
  return paths.extension(path:sub(1, -1 - #paths.compression(path)))
end

--- Replaces the extension of a file name, in front of that of compression.
-- @tparam string path
-- @tparam ?string extension nil: none
-- @treturn string
function paths.with_extension(path, extension)
  local compression = paths.compression(path)
  local stem = path:sub(1, -1 - #compression):gsub("%.[^./\\]*$", "")
  return stem .. (extension and "." .. extension .. compression or "")
end

--- An absolute path without `.` and `..`, by text only: links are not followed.
-- @tparam string path
-- @treturn string
function paths.absolute(path)
  path = slashed(path)
  local root, rest = split_root(path)
  if not root then root, rest = split_root(slashed(lfs.currentdir()) .. "/" .. path) end
  local parts = {}
  for part in rest:gmatch "[^/]+" do
    if part == ".." then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return root .. table.concat(parts, "/")
end

--- Resolves a path as the system does: absolute, with all links followed, and `..` applied after links. The
-- last parts need not exist.
-- @tparam string path
-- @treturn ?string nil: a part cannot be accessed, or links are cyclic
-- @treturn ?string the reason
function paths.real(path)
  if path:find "\0" then return nil, "the path holds a zero byte" end
  local real, err = core.real_path(path)
  if not real then return nil, err.message end
  return slashed(real)
end

--- Whether a resolved path is a folder or is inside of it.
-- @tparam string path from `paths.real`
-- @tparam string dir from `paths.real`
-- @treturn boolean
function paths.below(path, dir)
  if path == dir then return true end
  local prefix = dir:sub(-1) == "/" and dir or dir .. "/"
  return path:sub(1, #prefix) == prefix
end

--- The deepest folder that contains all given folders.
-- @tparam {string,...} dirs absolute
-- @treturn string
function paths.common(dirs)
  local common = dirs[1]
  for _, dir in ipairs(dirs) do
    while not paths.below(dir, common) do common = paths.folder(common) end
  end
  return common
end

--- Creates a folder and its parents.
-- @tparam string dir
-- @treturn ?boolean
-- @treturn ?string the reason
function paths.make(dir)
  if lfs.attributes(dir, "mode") == "directory" then return true end
  local up = paths.folder(dir)
  if up ~= dir and up ~= "." then
    local ok, why = paths.make(up)
    if not ok then return nil, why end
  end
  local ok, why = lfs.mkdir(dir)
  if ok or lfs.attributes(dir, "mode") == "directory" then return true end
  return nil, ("cannot make folder %s: %s"):format(dir, why)
end

return paths
