--- `lathe undo`: puts backups of --in-place back.
-- @module lathe.cli.commands.undo

local lfs = require "lfs"
local containers = require "lathe.cli.batch.containers"
local core = require "lathe.core"
local inputs = require "lathe.cli.batch.inputs"
local out = require "lathe.cli.out"
local paths = require "lathe.paths"
local report = require "lathe.cli.batch.report"

local undo = {
  name = "undo",
  summary = "Put the backups of --in-place back.",
  description = [[
Put FILE.bak, which --in-place kept, back over FILE: the file is again what it was before the first change,
and FILE.bak is gone. What FILE holds now is lost. A FILE that is missing comes back, too.

PATH is FILE, FILE.bak or a folder, which is searched for .bak files with its subfolders. Of a folder, backups
of files with extensions that lathe does not write are left where they are, and listed: other programs make
.bak files, too. Name such a file to put it back.]],
  examples = {
    "lathe undo crate.nif",
    "lathe undo Meshes/ --dry-run",
  },
}

local BACKUP = ".bak"

--- Adds the options.
-- @param command an argparse command
function undo.options(command)
  command:argument("paths", "Files that --in-place changed, and folders."):argname "<path>":args "+"
  command:flag("-n --dry-run", "Print what would be put back; change nothing.")
  command:flag("--json", "Print one JSON value a line, for other programs: put_back or would_put_back is\n"
    .. "the backup.")
end

local function without_backup(path)
  return path:sub(-#BACKUP) == BACKUP and #paths.base(path) > #BACKUP and path:sub(1, -1 - #BACKUP) or nil
end

-- Adds what a folder has: files with backups, and errors. Links to folders are not followed.
local function walk(dir, known, items)
  local names, why = inputs.names(dir)
  if not names then
    items[#items + 1] = { path = dir, error = why }
    return
  end
  for _, name in ipairs(names) do
    local path = paths.join(dir, name)
    local file = without_backup(path)
    local mode = lfs.symlinkattributes(path, "mode")
    if mode == "directory" then
      walk(path, known, items)
    elseif file and mode == "file" then
      local kind = paths.kind(file)
      local ours = known[kind] or containers.is_other(kind)
      items[#items + 1] = { path = file, skipped = not ours and "lathe does not write such files" or nil }
    end
  end
end

-- FILE of FILE.bak; but a file of that name may have a backup itself.
local function named(path)
  if lfs.symlinkattributes(path .. BACKUP, "mode") then return path end
  return without_backup(path) or path
end

local function collect(args)
  local items, known = {}, inputs.known_extensions()
  for _, path in ipairs(args.paths) do
    if lfs.attributes(path, "mode") == "directory" then
      local before = #items
      walk(#path > 1 and path:gsub("/+$", "") or path, known, items)
      if #items == before then items[#items + 1] = { path = path, error = "no .bak file in this folder" } end
    else
      items[#items + 1] = { path = named(path) }
    end
  end
  return items
end

-- The backup of a file that a link leads to is beside that file.
local function put_back(item, dry_run)
  if item.error then return nil, item.error end
  local real, why = paths.real(item.path)
  if not real then return nil, why end
  item.backup = (real == paths.absolute(item.path) and item.path or real) .. BACKUP
  item.missing = lfs.symlinkattributes(real, "mode") == nil
  return core.put_back(real, item.path, dry_run)
end

local function result_of(item, dry_run)
  if item.skipped then return { status = "skipped", reason = item.skipped } end
  local ok, err = put_back(item, dry_run)
  if not ok then return { status = "failed", error = err } end
  local status = dry_run and "would put back" or "put back"
  local also = item.missing and " (the file itself was missing)" or ""
  return {
    status = status,
    lines = { ("%s: %s %s%s"):format(item.path, status, item.backup, also) },
    json = { [dry_run and "would_put_back" or "put_back"] = item.backup },
  }
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function undo.run(args)
  local done, seen = report.new {
    json = args.json,
    command = args.command,
    counts = { args.dry_run and "would put back" or "put back", "skipped", "failed" },
  }, {}
  args.at_interrupt = function() done:finish() end
  for _, item in ipairs(collect(args)) do
    if not seen[item.path] then done:add(item, result_of(item, args.dry_run)) end
    seen[item.path] = true
  end
  args.at_interrupt = nil
  out.flush()
  return done:finish()
end

return undo
