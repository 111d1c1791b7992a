--- Expands the files and folders of the command line to a list of input files.
-- @module lathe.cli.batch.inputs

local lfs = require "lfs"
local containers = require "lathe.cli.batch.containers"
local core = require "lathe.core"
local listing = require "lathe.cli.commands.listing"
local opening = require "lathe.cli.opening"
local paths = require "lathe.paths"

local inputs = {}

--- The extensions of all formats.
-- @treturn {[string]=boolean,...} keys in lower case, without the dot
function inputs.known_extensions()
  local known = {}
  for _, format in ipairs(core.formats()) do
    for _, extension in ipairs(format.extensions) do
      known[extension:gsub("^%.", ""):lower()] = true
    end
  end
  return known
end

--- The names of all files and folders in a folder, in alphabetical order.
-- @tparam string dir
-- @treturn ?{string,...}
-- @treturn ?string why the folder cannot be read
function inputs.names(dir)
  local names = {}
  local ok, iterate, handle = pcall(lfs.dir, dir)
  if not ok then return nil, (iterate:gsub("^cannot open ", "")) end
  for name in iterate, handle do
    if name ~= "." and name ~= ".." then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

-- Walks a folder. Links to folders are not followed, because they may be cyclic or lead out of the tree.
-- Links to files are, and are reported to `add`.
local function walk(dir, known, skip, add)
  local names, why = inputs.names(dir)
  if not names then return add(dir, why) end
  for _, name in ipairs(names) do
    local path = paths.join(dir, name)
    local mode, kind = lfs.symlinkattributes(path, "mode"), paths.kind(name)
    if mode == "directory" then
      if paths.real(path) ~= skip then walk(path, known, skip, add) end
    elseif (known[kind] or containers.is_other(kind)) and lfs.attributes(path, "mode") == "file"
      and (known[kind] or containers.holds(path, kind)) then
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
  if paths.base(path) == listing.MANIFEST or real == self.manifest then
    self.items[#self.items + 1] = { path = path, base = base, skipped = "it is a manifest of --resume" }
    return
  end
  self.items[#self.items + 1] =
    { path = path, real = real, base = base, stdin = path == "-", error = err, listed = self.listed[path] }
end

-- True if a link found in a folder points outside of everything named on the command line.
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

-- The path relative to the common root, which is used for the result.
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

-- The items of a shard. Those of stdin have no path, so they are in the first one.
local function in_shard(items, shard)
  local some = {}
  for _, item in ipairs(items) do
    if item.stdin and shard.index == 1 or not item.stdin and listing.holds(shard, item.below) then
      some[#some + 1] = item
    end
  end
  return some
end

local function roots_of(args)
  local roots = {}
  for _, arg in ipairs(args) do
    if arg ~= "-" then roots[#roots + 1] = paths.real(arg) end
  end
  return roots
end

--- Collects the inputs. Folders are searched in sorted order for files of known extensions. A file named
-- twice is used once. A missing file is an item with `error`.
-- @tparam {string,...} args files, folders, "-"
-- @tparam[opt] string skip a folder to skip: that of the results
-- @tparam[opt] boolean in_place results replace the files. Links in folders to files that the arguments do
--   not name are items with `skipped`
-- @tparam[opt] table more `listed`, the places of names in the list of --files-from; `shard`
--   (`listing.shard`); `manifest`, a file that is no input
-- @treturn {table,...} items with `path` (as shown), `real`, `below` (the name under the common root),
--   `stdin`, `error`, `skipped`, `listed` (the place in the list). A host may make items with `doc`, an open
--   document, which stays open, `bytes`, those of its file, and `around(work, ...)`, which calls
--   `work(...)`. In a shard, `all` is the number of items of all shards
function inputs.collect(args, skip, in_place, more)
  local self = setmetatable({
    items = {},
    seen = {},
    known = inputs.known_extensions(),
    skip = skip and paths.real(skip),
    roots = in_place and roots_of(args),
    in_place = in_place,
    listed = more and more.listed or {},
    manifest = more and more.manifest and paths.real(more.manifest),
  }, Collection)
  for _, arg in ipairs(args) do
    if arg ~= "-" and lfs.attributes(arg, "mode") == "directory" then
      self:folder(#arg > 1 and arg:gsub("/+$", "") or arg)
    else
      self:add(arg, paths.absolute(paths.folder(arg)))
    end
  end
  name_below_root(self.items)
  local shard = more and more.shard
  if not shard then return self.items end
  local items = in_shard(self.items, shard)
  items.all = #self.items
  return items
end

--- The folders of the command line, for the sandbox: each folder, and that of each file.
-- @tparam {string,...} args
-- @treturn {string,...}
function inputs.folders(args)
  local folders, seen = {}, {}
  for _, arg in ipairs(args) do
    if arg ~= "-" then
      local folder = lfs.attributes(arg, "mode") == "directory" and arg or paths.folder(arg)
      if not seen[folder] then folders[#folders + 1] = folder end
      seen[folder] = true
    end
  end
  return folders
end

local Originals = {}
Originals.__index = Originals

--- The files of all items, used to detect that one of them would be overwritten.
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

--- The input file with an identity.
-- @tparam string id from `core.identity`
-- @treturn ?string its path
function Originals:with_identity(id) return self.by_identity[id] end

--- The input file that a path refers to: by name, or by identity, which also finds hard links and other
-- spellings.
-- @tparam string real from `paths.real`
-- @treturn ?string the input's path
function Originals:at(real)
  local id = core.identity(real)
  return self.by_name[real] or id and self.by_identity[id]
end

--- The resolved path of a result, unless it is an input.
-- @tparam string path
-- @tparam[opt] string hint advice for the message
-- @treturn ?string the resolved path
-- @treturn ?string the reason why it must not be written
function Originals:place(path, hint)
  local real, why = paths.real(path)
  if not real then return nil, ("%s: %s"):format(path, why) end
  local input = self:at(real)
  if input then return nil, ("would overwrite the input %s%s"):format(input, hint or "") end
  return real
end

-- Adds the place in the list that names a file to the error of opening it.
local function with_place(item, doc, err)
  if not doc and item.listed then err.message = ("%s (%s)"):format(err.message, item.listed) end
  return doc, err
end

--- Opens one item.
-- @tparam table item
-- @tparam table args of the command line: see `lathe.cli.opening`
-- @treturn ?document
-- @return the error
function inputs.open(item, args)
  if item.doc then return item.doc end
  if item.error then
    local place = item.listed and (" (%s)"):format(item.listed) or ""
    return nil, ("%s: %s%s"):format(item.path, item.error, place)
  end
  local options, why = opening.of(args)
  if not options then return nil, why end
  if not item.stdin then return with_place(item, core.open(item.path, options)) end
  item.bytes = item.bytes or io.stdin:read "a"
  options.path = "-"
  return core.parse(item.bytes, options)
end

--- The bytes of an item before any change.
-- @tparam table item
-- @treturn ?string
-- @treturn ?string the reason
function inputs.bytes(item)
  if item.stdin or item.bytes then return item.bytes end
  local file <close>, why = io.open(item.path, "rb")
  if not file then return nil, why end
  return file:read "a"
end

--- The text of a file that is no item, such as a patch.
-- @tparam string path or "-" for stdin
-- @treturn ?string
-- @treturn ?string why it cannot be read
function inputs.text(path)
  if path == "-" then return io.stdin:read "a" end
  local source, why = inputs.bytes { path = path }
  if not source then return nil, "cannot open: " .. tostring(why):gsub("^.-: ", "") end
  return source
end

--- The bytes of a document; if it is compressed, the uncompressed ones.
-- @param doc
-- @treturn string raises an error if they cannot be computed
function inputs.content(doc)
  local bytes, err = require("lathe.tree.rebuild").content(doc) -- loaded on first use
  return bytes or error(err, 0)
end

return inputs
