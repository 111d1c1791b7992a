--- From the files and folders on the command line to the list of files to work on.
-- @module lathe.cli.inputs

local lfs = require "lfs"
local core = require "lathe.core"
local opening = require "lathe.cli.opening"
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

-- Links to folders are not followed: they may lead in circles, or out of the tree. Those to files are;
-- `add` is told of each.
local function walk(dir, known, skip, add)
  local names, why = sorted_names(dir)
  if not names then return add(dir, why) end
  for _, name in ipairs(names) do
    local path = paths.join(dir, name)
    local mode = lfs.symlinkattributes(path, "mode")
    if mode == "directory" then
      if paths.real(path) ~= skip then walk(path, known, skip, add) end
    elseif known[paths.kind(name)] and lfs.attributes(path, "mode") == "file" then
      add(path, nil, mode == "link")
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

-- Whether a link that was met in a folder leads out of all that the command line names.
function Collection:leads_out(path)
  local real = paths.real(path)
  for _, root in ipairs(self.roots) do
    if real and paths.below(real, root) then return false end
  end
  return true
end

function Collection:folder(dir)
  local base, empty = paths.absolute(dir), true
  walk(dir, self.known, self.skip, function(path, err, is_link)
    empty = false
    if is_link and self.in_place and self:leads_out(path) then
      self.items[#self.items + 1] =
        { path = path, base = base, skipped = "a link to a file outside of the folder" }
    else
      self:add(path, base, err)
    end
  end)
  if empty then
    self:add(dir, base, "no file of a known format in this folder")
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

local function roots_of(args)
  local roots = {}
  for _, arg in ipairs(args) do
    if arg ~= "-" then roots[#roots + 1] = paths.real(arg) end
  end
  return roots
end

--- Collects what to work on. Folders are walked in sorted order for files of known extensions; a
-- file named twice is taken once; what does not exist is an item whose `error` says so.
-- @tparam {string,...} args files, folders, "-"
-- @tparam[opt] string skip a folder that is left out of the walk: where results go
-- @tparam[opt] boolean in_place results replace the files: links in folders to what the arguments do
--   not name are items whose `skipped` says so
-- @treturn {table,...} items with `path` (as shown), `real`, `below` (the name under the common
--   root), `stdin`, `error`, `skipped`
function inputs.collect(args, skip, in_place)
  local self = setmetatable({
    items = {},
    seen = {},
    known = known_extensions(),
    skip = skip and paths.real(skip),
    roots = in_place and roots_of(args),
    in_place = in_place,
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

local Originals = {}
Originals.__index = Originals

--- The files of all items, to tell whether one of them would be overwritten.
-- @tparam {table,...} items
-- @treturn Originals
function inputs.originals(items)
  local self = setmetatable({ by_name = {}, by_identity = {} }, Originals)
  for _, item in ipairs(items) do
    if item.real and not item.stdin then
      self.by_name[item.real] = item.path
      local id = core.identity(item.real)
      if id then self.by_identity[id] = item.path end
    end
  end
  return self
end

--- The input that is a file with this identity.
-- @tparam string id as `core.identity` gives it
-- @treturn ?string its path
function Originals:with_identity(id) return self.by_identity[id] end

--- The input that a path leads to: by its name, or by what the file is, as a hard link or another
-- spelling of the name leads to it.
-- @tparam string real as `paths.real` gives it
-- @treturn ?string the input's path
function Originals:at(real)
  local id = core.identity(real)
  return self.by_name[real] or id and self.by_identity[id]
end

--- Where a result would be written, unless an input is there.
-- @tparam string path
-- @tparam[opt] string hint what to do instead
-- @treturn ?string the resolved path
-- @treturn ?string the reason why it must not be written
function Originals:place(path, hint)
  local real, why = paths.real(path)
  if not real then return nil, ("%s: %s"):format(path, why) end
  local input = self:at(real)
  if input then return nil, ("would overwrite the input %s%s"):format(input, hint or "") end
  return real
end

--- Opens one item.
-- @tparam table item
-- @tparam table args of the command line: see `lathe.cli.opening`
-- @treturn ?document
-- @return the error
function inputs.open(item, args)
  if item.error then return nil, item.path .. ": " .. item.error end
  local options, why = opening.of(args)
  if not options then return nil, why end
  if not item.stdin then return core.open(item.path, options) end
  item.bytes = item.bytes or io.stdin:read "a"
  options.path = "-"
  return core.parse(item.bytes, options)
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

--- The bytes of a document, or where it is compressed those of what it holds.
-- @param doc
-- @treturn string raises where they cannot be told
function inputs.content(doc)
  local compression = doc.compression
  if compression then doc.compression = nil end
  local bytes, err = doc:encode()
  if compression then doc.compression = compression end
  return bytes or error(err, 0)
end

return inputs
