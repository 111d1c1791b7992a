--- Textures for pictures: finds files by the paths that games' files store.
--
-- Paths are compared without case, with "\" or "/", with or without "Data" and "textures" in front. The
-- folder's names are read once; links to folders are not followed.
-- @module lathe.preview.textures

local core = require "lathe.core"
local errors = require "lathe.errors"
local lfs = require "lfs"
local paths = require "lathe.paths"

local textures = {}

local function plain(path)
  path = path:lower():gsub("\\", "/"):gsub("/+", "/"):gsub("^/", "")
  return (path:gsub("^%./", ""):gsub("^data/", ""))
end

-- Adds the files of a folder to `index` and its folders to `waiting`.
local function add(dir, prefix, index, waiting)
  local ok, iterate, handle = pcall(lfs.dir, dir)
  if not ok then return nil, (iterate:gsub("^cannot open ", "")) end
  local names = {}
  for name in iterate, handle do
    if name ~= "." and name ~= ".." then names[#names + 1] = name end
  end
  table.sort(names) -- of names that differ in case alone, the first one counts
  for _, name in ipairs(names) do
    local path = paths.join(dir, name)
    local mode = lfs.symlinkattributes(path, "mode")
    local key = prefix .. name:lower()
    if mode == "directory" then
      waiting[#waiting + 1] = { path, key .. "/" }
    elseif mode and not index[key] then
      index[key] = path
    end
  end
  return true
end

-- All files below a folder by their names in lower case.
local function index_of(folder)
  local real, err = core.may_read(folder)
  if not real then return nil, err end
  local index, waiting = {}, { { real, "" } }
  while #waiting > 0 do
    local dir, prefix = table.unpack(table.remove(waiting))
    local ok, why = add(dir, prefix, index, waiting)
    if not ok then return nil, errors.new("io", why) end
  end
  return index
end

local function find(index, path)
  path = plain(path)
  local short = path:gsub("^textures/", "")
  return index[path] or index["textures/" .. short] or index["data/textures/" .. short] or index[short]
end

--- Makes the function that gives the bytes of a texture.
-- @tparam string folder
-- @treturn ?function function(path) -> bytes; or nil and why not
-- @return why the folder cannot be read
function textures.of(folder)
  local index, err = index_of(folder)
  if not index then return nil, err end
  return function(path)
    local found = find(index, path)
    if not found then return nil, "not in " .. folder end
    return core.read(found)
  end
end

return textures
