--- What a script writes in a dry run: kept in memory and read back from there, so that nothing is written
-- and the script takes the course that it would take.
-- @module lathe.cli.dry_run

local lfs = require "lfs"
local core = require "lathe.core"
local errors = require "lathe.errors"
local memory_file = require "lathe.cli.memory_file"
local paths = require "lathe.paths"

local DryRun = {}
DryRun.__index = DryRun

local dry_run = {}

--- Starts one.
-- @tparam boolean makes_folders whether the real run makes the folders that files need
-- @tparam[opt] string folder one that the real run makes before the script starts
-- @treturn DryRun
function dry_run.new(makes_folders, folder)
  local self = setmetatable({
    files = {}, -- by resolved path: `content`, `path` as the script named it
    folders = {}, -- those that would be made or are written to, by resolved path
    changed = {}, -- files since the last look, in the order in which they were first changed
    makes_folders = makes_folders,
    kept = 0, -- bytes of `files` when they were last looked at
  }, DryRun)
  local real = folder and paths.real(folder)
  if real then self:enter(real) end
  return self
end

-- From now on a folder is there, and those above it.
function DryRun:enter(folder)
  while not self.folders[folder] do
    self.folders[folder] = true
    folder = paths.folder(folder)
  end
end

local function fail(path, reason)
  return nil, errors.new("io", reason, path)
end

--- Whether a file could be written: nil and an error where the real run would fail.
-- @tparam string real
-- @tparam string path as the script named it
-- @tparam boolean replace as documents are saved; else as io.open writes
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

-- A file of the dry run. Handles of one that it replaces keep what they have, as those of real files do.
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

-- The bytes of a file as the script would find them now; nil where there is none.
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

--- What the guard says of a file that may be touched (`set_guard` in bindings/guard.c).
-- @tparam string real
-- @tparam string path
-- @tparam string mode "r" or "w"
-- @treturn ?string the path to open
-- @return bytes to read, or what to call with the bytes
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

-- A file of the dry run that starts with the bytes of the real one. One that is not there comes into being.
function DryRun:adopt(real, path, kind)
  local bytes = self:bytes(real)
  local file = self:add(real, path, kind ~= "w" and bytes or "")
  if not bytes then self:note(file) end
  return file
end

--- What has changed since the last call. Then `self.kept` tells how many bytes all files have.
-- @treturn {table,...} each with `path` and `size`
function DryRun:take_changes()
  local list = {}
  for _, file in ipairs(self.changed) do
    file.noted = false
    if self.files[file.real] == file then -- not replaced by another since
      local size = file.content:size()
      self.kept, file.size = self.kept + size - file.size, size
      list[#list + 1] = { path = file.path, size = size }
    end
  end
  self.changed = {}
  return list
end

return dry_run
