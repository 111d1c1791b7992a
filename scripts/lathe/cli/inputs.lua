--- From the files and folders on the command line to the list of files to work on.
-- @module lathe.cli.inputs

local lfs = require "lfs"
local core = require "lathe.core"
local paths = require "lathe.paths"

local inputs = {}

local function known_extensions()
  local known = {}
  for _, format in ipairs(core.formats()) do
    for _, extension in ipairs(format.extensions) do
      known[extension:gsub("^%.", ""):lower()] = true
    end
  end
  return known
end

local function sorted_names(dir)
  local names = {}
  local ok, iterate, handle = pcall(lfs.dir, dir)
  if not ok then return nil, (iterate:gsub("^cannot open ", "")) end
  for name in iterate, handle do
    if name ~= "." and name ~= ".." then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

-- Links to folders are not followed: they may lead in circles, or out of the tree.
local function walk(dir, known, skip, add)
  local names, why = sorted_names(dir)
  if not names then return add(dir, why) end
  for _, name in ipairs(names) do
    local path = paths.join(dir, name)
    if lfs.symlinkattributes(path, "mode") == "directory" then
      if paths.real(path) ~= skip then walk(path, known, skip, add) end
    elseif known[paths.extension(name)] and lfs.attributes(path, "mode") == "file" then
      add(path)
    end
  end
end

local Collection = {}
Collection.__index = Collection

function Collection:add(path, base, err)
  local real = path ~= "-" and paths.real(path) or path
  if self.seen[real] then return end
  self.seen[real] = true
  self.items[#self.items + 1] =
    { path = path, real = real, base = base, stdin = path == "-", error = err }
end

function Collection:folder(dir)
  local before = #self.items
  walk(dir, self.known, self.skip, function(path, err)
    self:add(path, paths.absolute(dir), err)
  end)
  if #self.items == before then
    self:add(dir, paths.absolute(dir), "no file of a known format in this folder")
  end
end

-- The name below the common root, under which a result is kept.
local function name_below_root(items)
  local bases = {}
  for _, item in ipairs(items) do
    if not item.stdin then bases[#bases + 1] = item.base end
  end
  local root = #bases > 0 and paths.common(bases)
  for _, item in ipairs(items) do
    if not item.stdin then
      local full = paths.absolute(item.path)
      local prefix = root:sub(-1) == "/" and root or root .. "/"
      item.below = full:sub(1, #prefix) == prefix and full:sub(#prefix + 1) or paths.base(full)
    end
  end
end

--- Collects what to work on. Folders are walked in sorted order for files of known extensions; a
-- file named twice is taken once; what does not exist is an item whose `error` says so.
-- @tparam {string,...} args files, folders, "-"
-- @tparam[opt] string skip a folder that is left out of the walk: where results go
-- @treturn {table,...} items with `path` (as shown), `real`, `below` (the name under the common
--   root), `stdin`, `error`
function inputs.collect(args, skip)
  local self = setmetatable({
    items = {},
    seen = {},
    known = known_extensions(),
    skip = skip and paths.real(skip),
  }, Collection)
  for _, arg in ipairs(args) do
    if arg ~= "-" and lfs.attributes(arg, "mode") == "directory" then
      self:folder(#arg > 1 and arg:gsub("/+$", "") or arg)
    else
      self:add(arg, paths.absolute(paths.folder(arg)))
    end
  end
  name_below_root(self.items)
  return self.items
end

--- The folders that the command line names, for the sandbox: each folder, and that of each file.
-- @tparam {string,...} args
-- @treturn {string,...}
function inputs.folders(args)
  local folders = {}
  for _, arg in ipairs(args) do
    if arg ~= "-" then
      local is_folder = lfs.attributes(arg, "mode") == "directory"
      folders[#folders + 1] = is_folder and arg or paths.folder(arg)
    end
  end
  return folders
end

--- Opens one item.
-- @tparam table item
-- @tparam[opt] string format forces a format
-- @treturn ?document
-- @return the error
function inputs.open(item, format)
  if item.error then return nil, item.path .. ": " .. item.error end
  if not item.stdin then return core.open(item.path, { format = format }) end
  item.bytes = item.bytes or io.stdin:read "a"
  return core.parse(item.bytes, { format = format, path = "-" })
end

--- The bytes of an item as they were before any change.
-- @tparam table item
-- @treturn ?string
-- @treturn ?string the reason
function inputs.bytes(item)
  if item.stdin then return item.bytes end
  local file <close>, why = io.open(item.path, "rb")
  if not file then return nil, why end
  return file:read "a"
end

return inputs
