--- Output locations of commands that write.
-- @module lathe.cli.batch.target

local containers = require "lathe.cli.batch.containers"
local core = require "lathe.core"
local inputs = require "lathe.cli.batch.inputs"
local lfs = require "lfs"
local folders = require "lathe.cli.batch.folders"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local resume = require "lathe.cli.batch.resume"

local Target = {}
Target.__index = Target

local target = {}

--- Adds the output options.
-- @param command an argparse command
-- @tparam string what what -o names
-- @tparam boolean batch whether the command takes several files
function target.options(command, what, batch)
  command:option("-o --output", what):argname "<out>":target "output"
  command:flag("-i --in-place", "Replace each file. FILE.bak keeps the original; a FILE.bak that\n"
    .. "exists already stays as it is.")
  command:flag("--no-backup", "With --in-place, do not keep a FILE.bak.")
  command:flag("-n --dry-run", "Print what would change; write nothing.")
  if batch then resume.options(command) end
end

local function check_usage(args, items, needed)
  if args.output and args.in_place then
    out.usage "give -o or --in-place, not both"
  elseif args.no_backup and not args.in_place then
    out.usage "--no-backup needs --in-place"
  elseif needed and not (args.output or args.in_place or args.dry_run) then
    out.usage "say where to write: -o OUT or --in-place (or look first with --dry-run)"
  end
  for _, item in ipairs(items) do
    if item.stdin and args.in_place then
      out.usage "--in-place cannot write to stdin: give -o"
    end
  end
end

--- Whether -o names a file and not a folder: there is one input, and the name looks like those of its files.
-- @tparam table args parsed arguments
-- @treturn boolean
function target.is_file(args)
  local output, input = args.output, args.files[1]
  if output == "-" then return true end
  if #args.files ~= 1 or args.files_from or output:match "[/\\]$" then return false end
  if lfs.attributes(output, "mode") == "directory" then return false end
  if input == "-" or args.output_is_file then return true end
  return lfs.attributes(input, "mode") ~= "directory"
    and containers.usual(paths.kind(output)) == containers.usual(paths.kind(input))
end

--- Reads the options; stops with a usage error if they contradict each other.
-- @tparam table args parsed arguments
-- @tparam {table,...} items from `inputs.collect`
-- @tparam boolean needed whether the command requires an output
-- @treturn Target
function target.new(args, items, needed)
  check_usage(args, items, needed)
  local self = setmetatable({ dry_run = args.dry_run, in_place = args.in_place }, Target)
  self.backup = args.in_place and not args.no_backup
  if args.output then
    self.file = target.is_file(args) and args.output or nil
    self.dir = not self.file and args.output or nil
    if self.dir and lfs.attributes(self.dir, "mode") == "file" then
      out.usage(("-o %s is a file: a folder expected%s"):format(self.dir,
        #items == 1 and ", or a file of the input's format" or ", as there are several inputs"))
    end
    if self.file == "-" and #items ~= 1 then out.usage "-o - takes one file" end
    self.originals = inputs.originals(items)
  end
  return self
end

--- Whether a document is to be written: if it changed, or if -o names its file.
-- @param doc
-- @treturn boolean
function Target:wants(doc)
  return doc.modified or self.file ~= nil
end

--- The path to which the result of an item is written.
-- @tparam table item its `extension`, if set, replaces that of the file
-- @treturn ?string
-- @treturn ?string why there is no path
function Target:path(item)
  if self.in_place then return item.path end
  if self.file then
    return self.file
  elseif not self.dir then
    return nil, "changed, but nowhere to write: give -o OUT, --in-place or --dry-run"
  elseif item.stdin then
    return nil, "stdin has no name: -o must name a file"
  end
  local below = item.below
  if item.extension then below = paths.with_extension(below, item.extension) end
  return paths.join(self.dir, below)
end

-- An existing backup already holds the original; it is beside the target of links.
local function has_backup(path)
  local real = paths.real(path)
  return real ~= nil and lfs.symlinkattributes(real .. ".bak", "mode") ~= nil
end

-- The path of an item's result and the resolved path (none for "-"), unless it is an input that must not be
-- overwritten.
function Target:place(item)
  local path, why = self:path(item)
  if not path or path == "-" then return path, why end
  local real
  if self.in_place then
    real, why = paths.real(path)
  else
    real, why = self.originals:place(path, ": use --in-place")
  end
  if not real then return nil, why end
  return path, real
end

--- What `write` would do, as far as this is known without writing.
-- @param doc
-- @tparam table item
-- @treturn ?boolean whether it would succeed
-- @return the error
function Target:check(doc, item)
  if not self:wants(doc) or not (self.in_place or self.file or self.dir) then return true end
  local path, real = self:place(item)
  if not path then return nil, real end
  if path == "-" then return true end
  return core.can_write(real, path, true)
end

local function to_stdout(doc)
  local bytes, err = doc:encode()
  if not bytes then return nil, err end
  out.write(bytes)
  return true
end

-- Compresses a file if -o names it with ".zs" and the input has none, and decompresses in the opposite case;
-- otherwise keeps it as it was.
function Target:compress(doc, item)
  if not self.file or self.file == "-" or item.stdin then return end
  local was, is = paths.compression(item.path) ~= "", paths.compression(self.file) ~= ""
  if is and not was then doc.compression = "zstd" end
  if was and not is then doc.compression = nil end
end

--- Writes a document. The original is changed only with --in-place.
-- @param doc
-- @tparam table item
-- @treturn ?string the path written to
-- @return the error
-- @treturn ?{string,...} what saving did not keep
function Target:write(doc, item)
  local path, why = self:place(item)
  if not path then return nil, why end
  if path == "-" then
    local ok, err = to_stdout(doc)
    return ok and path, err
  end
  local ready, err = folders.prepare(path, not self.in_place and (self.dir or paths.folder(path)) or nil)
  if not ready then return nil, err end
  self:compress(doc, item)
  local ok
  if self.resume then
    local function note(hash) return self.resume:record(item, hash, path) end
    ok, err = core.save_noted(doc, path, self.backup, note)
  else
    ok, err = doc:save(path, { backup = self.backup and not has_backup(path) })
  end
  if not ok then return nil, err end
  return path, nil, err
end

return target
