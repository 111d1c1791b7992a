--- Keeps files that a script writes in a dry run in memory and reads them back from there. So nothing is
-- written, and the script behaves as in a real run.
-- @module lathe.cli.sandbox.dry_run

local lfs = require "lfs"
local core = require "lathe.core"
local errors = require "lathe.errors"
local memory_file = require "lathe.cli.sandbox.memory_file"
local paths = require "lathe.paths"

local DryRun = {}
DryRun.__index = DryRun

local dry_run = {}

--- Starts a dry run.
-- @tparam boolean makes_folders whether the real run creates the folders of files
-- @tparam[opt] string folder a folder that the real run creates before the script starts
-- @treturn DryRun
function dry_run.new(makes_folders, folder)
  local self = setmetatable({
    files = {}, -- by resolved path: `content`, `path` as the script named it
    folders = {}, -- folders that would be created or written to, by resolved path
    changed = {}, -- files changed since the last call, in the order of their first change
    makes_folders = makes_folders,
    kept = 0, -- total size of `files` at the last call
  }, DryRun)
  local real = folder and paths.real(folder)
  if real then self:enter(real) end
  return self
end

-- Records that a folder and those above it exist.
function DryRun:enter(folder)
  while not self.folders[folder] do
    self.folders[folder] = true
    folder = paths.folder(folder)
  end
end

local function fail(path, reason)
  return nil, errors.new("io", reason, path)
end

--- Whether a file could be written: nil and an error if the real run would fail.
-- @tparam string real
-- @tparam string path as the script named it
-- @tparam boolean replace true: replaced as when a document is saved; false: written as by io.open
-- @treturn ?boolean
-- @treturn ?Error
function DryRun:can_write(real, path, replace)
  if self.folders[real] then return fail(path, "cannot write: it is a directory") end
  local above = paths.folder(real)
  while not self.folders[above] do
    if self.files[above] then return fail(path, "cannot make its folder: Not a directory") end
    local up = paths.folder(above)
    if up == above then break end
    above = up
  end
  if self.files[real] then return true end
  local folder = paths.folder(real)
  local there = self.makes_folders or self.folders[folder] or lfs.attributes(folder, "mode") == "directory"
  if not there then
    return fail(path, "cannot write: No such file or directory")
  end
  return core.can_write(real, path, replace)
end

-- Adds a file. Handles of a file that it replaces keep their content, as with real files.
function DryRun:add(real, path, bytes)
  local file, old = { real = real, path = path, size = #bytes }, self.files[real]
  self.kept = self.kept + file.size - (old and old.size or 0)
  file.content = memory_file.content(bytes, function() self:note(file) end)
  self.files[real] = file
  self:enter(paths.folder(real))
  return file
end

function DryRun:note(file)
  if file.noted then return end
  file.noted = true
  self.changed[#self.changed + 1] = file
end

-- The content of a file as the script would see it; nil if there is none.
function DryRun:bytes(real)
  local file = self.files[real]
  if file then return file.content:read(0, file.content:size()) end
  local stream <close> = core.open_file(real, real, "rb")
  return stream and stream:read "a"
end

function DryRun:save(real, path, bytes, backup)
  local could, why = self:can_write(real, path, true)
  if not could then return nil, why end
  local old = backup and self:bytes(real)
  if old then
    could, why = self:can_write(real .. ".bak", path, true)
    if not could then return nil, why end
    self:note(self:add(real .. ".bak", path .. ".bak", old))
  end
  self:note(self:add(real, path, bytes))
  return true
end

--- Decides about access to a file (`set_guard` in bindings/guard.c).
-- @tparam string real
-- @tparam string path
-- @tparam string mode "r" or "w"
-- @treturn ?string the path to open
-- @return the bytes to read, or a function that takes the written bytes
function DryRun:leave(real, path, mode)
  if mode == "r" then return real, self.files[real] and self:bytes(real) or nil end
  return real, function(bytes, backup) return self:save(real, path, bytes, backup) end
end

--- Opens a file as io.open does.
-- @tparam string real
-- @tparam string path
-- @tparam string mode
-- @treturn ?file
-- @treturn ?string the reason
-- @treturn ?integer the system's number of it
function DryRun:open(real, path, mode)
  local file, kind = self.files[real], mode:sub(1, 1)
  if not file and kind == "r" then
    local stream, why, code = core.open_file(real, path, "rb")
    if not stream then return nil, why, code end
    if mode:match "^rb*$" then return stream end
    stream:close()
  end
  if not mode:match "^rb*$" then
    local could, why = self:can_write(real, path, false)
    if not could then return nil, tostring(why) end
    file = file or self:adopt(real, path, kind)
  end
  file.path = path
  return memory_file.open(file.content, mode)
end

-- Adds a file with the content of the real one, or an empty one.
function DryRun:adopt(real, path, kind)
  local bytes = self:bytes(real)
  local file = self:add(real, path, kind ~= "w" and bytes or "")
  if not bytes then self:note(file) end
  return file
end

--- The files that changed since the last call. Afterwards `self.kept` is the total size of all files.
-- @treturn {table,...} each with `path` and `size`
function DryRun:take_changes()
  local list = {}
  for _, file in ipairs(self.changed) do
    file.noted = false
    if self.files[file.real] == file then -- not replaced by another one since
      local size = file.content:size()
      self.kept, file.size = self.kept + size - file.size, size
      list[#list + 1] = { path = file.path, size = size }
    end
  end
  self.changed = {}
  return list
end

return dry_run
