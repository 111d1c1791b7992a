--- Decides which files a script may access.
--
-- While a policy is in force every open and save of lathe asks it, wherever the call comes from.
-- Only `policy:as_host` steps outside, and no script code runs inside that.
-- @module lathe.cli.sandbox.policy

local core = require "lathe.core"
local folders = require "lathe.cli.batch.folders"
local listing = require "lathe.cli.commands.listing"
local paths = require "lathe.paths"

local Policy = {}
Policy.__index = Policy

local policy = {}

local function resolve_all(dirs)
  local list = {}
  for _, dir in ipairs(dirs) do list[#list + 1] = paths.real(dir) end
  return list
end

--- Makes a policy.
-- @tparam {string,...} read folders whose files may be read
-- @tparam {string,...} write folders whose files may be written and read
-- @tparam[opt] table options `originals`: the inputs (`inputs.originals`), which must not be written;
--   `dry_run`: receives the written files (`lathe.cli.sandbox.dry_run`); `trusted`: all files may be
--   accessed; `hint`: advice that follows the reason why a file must not be read;
--   `manifest`: that of --resume, which must not be written; `here`: whether the folders are all that there
--   is for the user
-- @treturn Policy
function policy.new(read, write, options)
  options = options or {}
  return setmetatable({
    read = resolve_all(read),
    write = resolve_all(write),
    output = write[1],
    originals = options.originals,
    dry_run = options.dry_run,
    trusted = options.trusted,
    hint = options.hint,
    here = options.here,
    manifest = options.manifest and paths.real(options.manifest),
    host = false,
  }, Policy)
end

local function inside(path, dirs)
  for _, dir in ipairs(dirs) do
    if paths.below(path, dir) then return true end
  end
  return false
end

-- Whether a file is a manifest of --resume: one that a script wrote could make a run skip files.
function Policy:is_manifest(real)
  if paths.base(real):lower() == listing.MANIFEST or real == self.manifest then return true end
  local id = self.manifest and core.identity(self.manifest)
  return id and id == core.identity(real)
end

--- Whether a file may be read ("r") or written ("w").
-- @tparam string path
-- @tparam string mode
-- @treturn ?string the resolved path to use, or nil
-- @treturn ?string the reason
function Policy:resolve(path, mode)
  local real, why = paths.real(path)
  if not real then return nil, why end
  if self.trusted then return real end
  if inside(real, self.write) then
    local input = mode == "w" and self.originals and self.originals:at(real)
    if input then return nil, "would overwrite the input " .. input end
    if mode == "w" and self:is_manifest(real) then return nil, "scripts cannot write manifests" end
    return real
  end
  if self.here then return nil, "there are only the files that are open, and those below their folder" end
  if mode == "r" then
    if inside(real, self.read) then return real end
    local only = "the sandbox reads only below the folders of the inputs and of the script"
    return nil, only .. (self.hint or "")
  elseif #self.write == 0 then
    return nil, "the sandbox writes only below the folder given with -o"
  end
  return nil, "the sandbox writes only below " .. self.output
end

-- Creates the folder of a file that the script writes, without following links.
local function prepare(self, real, path)
  return folders.prepare(real, self.output, function(folder)
    local made, err = core.make_folder(folder, path)
    return made, err and err.message
  end)
end

--- Decides about access to a file: see `set_guard` in bindings/guard.c.
-- @tparam string path
-- @tparam string mode "r" or "w"
-- @treturn ?string|boolean
-- @return the replacement of the file, or the reason
function Policy:leave(path, mode)
  local real, why = self:resolve(path, mode)
  if not real then return nil, why end
  if self.dry_run then return self.dry_run:leave(real, path, mode) end
  if mode == "w" then
    local made, reason = prepare(self, real, path)
    if not made then return nil, reason end
  end
  return real
end

-- Opens without truncating: it must first be known which file was opened.
local function open_real(self, real, path, mode)
  local file, id, code = core.open_file(real, path, mode)
  if not file then return nil, id, code end
  local input = mode:find "[wa+]" and self.originals and self.originals:with_identity(id)
  if input then
    file:close()
    return nil, ("%s: would overwrite the input %s"):format(path, input)
  end
  if mode:find "^w" then
    local ok, reason, number = core.truncate(file)
    if not ok then return nil, ("%s: %s"):format(path, reason), number end
  end
  return file
end

--- Opens a file as io.open does.
-- @tparam string path
-- @tparam string mode
-- @treturn ?file
-- @treturn ?string the reason
-- @treturn ?integer the system's number of it
function Policy:open(path, mode)
  local writes = mode:find "[wa+]" ~= nil
  local real, why = self:resolve(path, writes and "w" or "r")
  if not real then return nil, ("%s: %s"):format(path, why) end
  if self.dry_run then return self.dry_run:open(real, path, mode) end
  if mode:find "^[wa]" then
    local made, reason = prepare(self, real, path)
    if not made then return nil, ("%s: %s"):format(path, reason) end
  end
  return open_real(self, real, path, mode)
end

--- Activates the policy for all of lathe.
-- @raise if this build of lathe cannot enforce it
function Policy:enforce()
  if not core.set_guard then error "this build of lathe has no sandbox: --trusted runs without" end
  core.set_guard(function(path, mode)
    if self.host then return true end
    return self:leave(path, mode)
  end)
end

--- Deactivates it.
function Policy:lift()
  core.set_guard(nil)
end

--- Calls a function of lathe itself, to which the policy does not apply.
-- @tparam function fn
-- @param ... its arguments
-- @return what it returns
function Policy:as_host(fn, ...)
  local before = self.host
  self.host = true
  local results = table.pack(pcall(fn, ...))
  self.host = before
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

return policy
